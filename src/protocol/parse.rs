//! One line into one command: own tokens first, the UCI library for standard lines it is known to
//! read whole, own parsers for everything else.

use super::{
    command::{Command, CommandError, Origin, PositionRequest},
    go::parse_go,
    shown, uci,
};

/// The commands that may stand after unknown words, which UCI wants skipped.
const STANDARD: &[&str] = &[
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

/// Reads one line. A blank line is no command and no error.
///
/// # Errors
/// [`CommandError`] names what was not understood and what was expected.
pub fn parse_line(line: &str) -> Result<Option<Command>, CommandError> {
    let line = line.trim_ascii();
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let Some(&first) = words.first() else {
        return Ok(None);
    };
    let verb = first.to_ascii_lowercase();
    let rest = &words[1..];
    let is_own = matches!(verb.as_str(), "d" | "eval" | "bench");
    if !is_own && !STANDARD.contains(&verb.as_str()) {
        return skip_unknown_words(line, first);
    }
    if let Some(command) = uci::read_standard(&verb, line, &words) {
        return Ok(Some(command));
    }
    let command = match verb.as_str() {
        "d" => alone("d", rest, Command::Display),
        "eval" => alone("eval", rest, Command::Evaluate),
        "bench" => parse_bench(rest),
        "uci" => alone("uci", rest, Command::Uci),
        "isready" => alone("isready", rest, Command::IsReady),
        "ucinewgame" => alone("ucinewgame", rest, Command::NewGame),
        "stop" => alone("stop", rest, Command::Stop),
        "ponderhit" => alone("ponderhit", rest, Command::PonderHit),
        "quit" => alone("quit", rest, Command::Quit),
        "register" => Ok(Command::Register),
        "debug" => parse_debug(rest),
        "setoption" => parse_set_option(line),
        "position" => parse_position(rest),
        "go" => parse_go(rest),
        _ => Err(CommandError::Unknown(shown(line))),
    };
    command.map(Some)
}

/// `joho debug on` is `debug on`.
fn skip_unknown_words(line: &str, first: &str) -> Result<Option<Command>, CommandError> {
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c.is_ascii_whitespace()) {
        rest = rest[at..].trim_start();
        let word = rest.split_ascii_whitespace().next().unwrap_or_default();
        if STANDARD.contains(&word.to_ascii_lowercase().as_str()) {
            return parse_line(rest);
        }
    }
    Err(CommandError::Unknown(shown(first)))
}

fn unexpected(command: &'static str, text: &str, expected: &'static str) -> CommandError {
    CommandError::Unexpected {
        command,
        text: shown(text),
        expected,
    }
}

fn missing(after: &str, expected: &'static str) -> CommandError {
    CommandError::Missing {
        after: shown(after),
        expected,
    }
}

fn alone(name: &'static str, rest: &[&str], command: Command) -> Result<Command, CommandError> {
    match rest.first() {
        None => Ok(command),
        Some(word) => Err(unexpected(name, word, "nothing more")),
    }
}

fn parse_debug(rest: &[&str]) -> Result<Command, CommandError> {
    match rest {
        [word] if word.eq_ignore_ascii_case("on") => Ok(Command::Debug(true)),
        [word] if word.eq_ignore_ascii_case("off") => Ok(Command::Debug(false)),
        [] => Err(missing("debug", "on or off")),
        [word, ..] => Err(unexpected("debug", word, "on or off")),
    }
}

fn parse_bench(rest: &[&str]) -> Result<Command, CommandError> {
    const EXPECTED: &str = "nothing, or a number of nodes from 1";
    match rest {
        [] => Ok(Command::Bench(None)),
        [nodes] => match nodes.parse() {
            Ok(nodes) if nodes > 0 => Ok(Command::Bench(Some(nodes))),
            _ => Err(unexpected("bench", nodes, EXPECTED)),
        },
        [_, word, ..] => Err(unexpected("bench", word, EXPECTED)),
    }
}

/// The first place of `word` as a whole word in `text`, and the texts on both sides of it.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let mut from = 0;
    for part in text.split(|c: char| c.is_ascii_whitespace()) {
        let to = from + part.len();
        if part.eq_ignore_ascii_case(word) {
            return Some((&text[..from], &text[to..]));
        }
        from = to + 1;
    }
    None
}

/// The name is the text between `name` and `value`, the value all that follows: both may hold
/// blanks, and the value keeps them.
fn parse_set_option(line: &str) -> Result<Command, CommandError> {
    const EXPECTED: &str = "name NAME [value VALUE]";
    let rest = line["setoption".len()..].trim();
    let Some(after_name) = rest
        .get(..4)
        .filter(|word| word.eq_ignore_ascii_case("name"))
        .map(|_| &rest[4..])
        .filter(|text| text.is_empty() || text.starts_with(|c: char| c.is_ascii_whitespace()))
    else {
        return Err(match rest.split_ascii_whitespace().next() {
            None => missing("setoption", EXPECTED),
            Some(word) => unexpected("setoption", word, EXPECTED),
        });
    };
    let (name, value) = match split_at_word(after_name, "value") {
        Some((name, value)) => (name, Some(value.trim_ascii().to_owned())),
        None => (after_name, None),
    };
    let name = name.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(missing("name", "the name of an option"));
    }
    Ok(Command::SetOption { name, value })
}

fn parse_position(rest: &[&str]) -> Result<Command, CommandError> {
    const EXPECTED: &str =
        "startpos, startpos960 N or fen with 4 to 7 fields, then perhaps moves and a list of moves";
    let (&kind, rest) = rest
        .split_first()
        .ok_or_else(|| missing("position", EXPECTED))?;
    let split = rest
        .iter()
        .position(|word| word.eq_ignore_ascii_case("moves"))
        .unwrap_or(rest.len());
    let (fields, moves) = rest.split_at(split);
    let origin = match (kind.to_ascii_lowercase().as_str(), fields) {
        ("startpos", []) => Origin::Start,
        ("startpos960", [number]) => Origin::Start960(number.parse().map_err(|_| {
            unexpected(
                "position startpos960",
                number,
                "the number 0..959 of an array",
            )
        })?),
        ("startpos960", []) => {
            return Err(missing("startpos960", "the number 0..959 of an array"));
        }
        ("startpos" | "startpos960", [.., word]) => {
            return Err(unexpected("position", word, "moves"));
        }
        ("fen", []) => return Err(missing("fen", "4 to 7 fields")),
        ("fen", fields) => Origin::Fen(fields.join(" ")),
        _ => return Err(unexpected("position", kind, EXPECTED)),
    };
    Ok(Command::Position(PositionRequest {
        origin,
        moves: moves.iter().skip(1).map(|&m| m.to_owned()).collect(),
    }))
}
