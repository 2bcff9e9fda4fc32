//! One line into one CECP command.

use super::command::{CecpCommand, CecpError};
use crate::{notation::is_pass, protocol::shown};

/// Longer times are read as this: some 30 years.
const TIME_MAX: u64 = 1_000_000_000_000;

/// Reads one line. A blank line is no command and no error.
///
/// # Errors
/// [`CecpError`] writes itself as the answer that the protocol asks for.
pub fn parse_cecp_line(line: &str) -> Result<Option<CecpCommand>, CecpError> {
    let line = line.trim_ascii();
    let (verb, rest) = line
        .split_once(|c: char| c.is_ascii_whitespace())
        .unwrap_or((line, ""));
    let rest = rest.trim_ascii();
    let words = Words { line, rest };
    let command = match verb {
        "" => return Ok(None),
        super::CECP_GREETING => CecpCommand::Greeting,
        "protover" => CecpCommand::ProtocolVersion(words.number("the version of the protocol")?),
        "accepted" | "rejected" | "random" | "name" | "rating" | "ics" | "white" | "black" => {
            CecpCommand::Talk(line.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
        }
        "new" => CecpCommand::New,
        "variant" => CecpCommand::Variant(words.text("the name of a variant")?),
        "force" => CecpCommand::Force,
        "go" => CecpCommand::Go,
        "playother" => CecpCommand::PlayOther,
        "level" => words.level()?,
        "st" => CecpCommand::MoveTime(
            seconds(rest).ok_or_else(|| words.wrong("seconds for each turn"))?,
        ),
        "sd" => CecpCommand::Depth(words.number("a depth in series")?),
        "time" => CecpCommand::Time(words.centiseconds()?),
        "otim" => CecpCommand::OpponentTime(words.centiseconds()?),
        "usermove" => CecpCommand::Move(words.text("a move")?),
        "?" => CecpCommand::MoveNow,
        "ping" => CecpCommand::Ping(words.number("a number")?),
        "draw" => CecpCommand::Draw,
        "result" => CecpCommand::Result(rest.to_owned()),
        "setboard" => CecpCommand::SetBoard(words.text("a FEN")?),
        "undo" => CecpCommand::Undo,
        "remove" => CecpCommand::Remove,
        "hint" => CecpCommand::Hint,
        "bk" => CecpCommand::Book,
        "hard" => CecpCommand::Hard,
        "easy" => CecpCommand::Easy,
        "post" => CecpCommand::Post,
        "nopost" => CecpCommand::NoPost,
        "analyze" => CecpCommand::Analyze,
        "exit" => CecpCommand::Exit,
        "." => CecpCommand::Progress,
        "computer" => CecpCommand::Computer,
        "memory" => CecpCommand::Memory(words.number("mebibytes")?),
        "cores" => CecpCommand::Cores(words.number("a number of cores")?),
        "option" => words.option()?,
        "quit" => CecpCommand::Quit,
        _ if rest.is_empty() && looks_like_a_move(verb) => CecpCommand::Move(verb.to_owned()),
        _ => return Err(CecpError::Unknown(shown(line))),
    };
    Ok(Some(command))
}

/// Two squares and perhaps a letter, or a pass; whether it can be played is another question.
fn looks_like_a_move(word: &str) -> bool {
    let square = |text: &[u8]| matches!(text, [b'a'..=b'h', b'1'..=b'8']);
    let bytes = word.as_bytes();
    is_pass(word)
        || (matches!(bytes.len(), 4 | 5)
            && square(&bytes[0..2])
            && square(&bytes[2..4])
            && bytes[4..].iter().all(u8::is_ascii_alphabetic))
}

/// Seconds with at most three decimals, as milliseconds.
fn seconds(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) {
        return None;
    }
    let whole: u64 = whole.parse().unwrap_or(u64::MAX);
    let thousandths: String = decimals.chars().chain("000".chars()).take(3).collect();
    let time = whole
        .saturating_mul(1000)
        .saturating_add(thousandths.parse().ok()?);
    Some(time.min(TIME_MAX))
}

/// `5` minutes, or `0:30`, as milliseconds. What follows is for future protocols and skipped.
fn minutes(text: &str) -> Option<u64> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.')
        .unwrap_or(text.len());
    let (minutes, rest) = text[..end].split_once(':').unwrap_or((&text[..end], "0"));
    if minutes.is_empty() || !minutes.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let minutes: u64 = minutes.parse().unwrap_or(u64::MAX);
    let time = minutes.saturating_mul(60_000);
    Some(time.saturating_add(seconds(rest)?).min(TIME_MAX))
}

/// What follows a command.
struct Words<'a> {
    line: &'a str,
    rest: &'a str,
}

impl Words<'_> {
    fn wrong(&self, expected: &'static str) -> CecpError {
        CecpError::Parameter {
            expected,
            line: shown(self.line),
        }
    }

    fn number<T: std::str::FromStr>(&self, expected: &'static str) -> Result<T, CecpError> {
        self.rest.parse().map_err(|_| self.wrong(expected))
    }

    /// A clock; numbers too large are read as the largest.
    fn centiseconds(&self) -> Result<i64, CecpError> {
        let most = TIME_MAX as i64 / 10;
        self.number("hundredths of a second")
            .map(|time: i64| time.clamp(-most, most))
    }

    fn text(&self, expected: &'static str) -> Result<String, CecpError> {
        if self.rest.is_empty() {
            return Err(self.wrong(expected));
        }
        Ok(self.rest.to_owned())
    }

    fn level(&self) -> Result<CecpCommand, CecpError> {
        let wrong = || self.wrong("moves, minutes or minutes:seconds, and increment in seconds");
        let words: Vec<&str> = self.rest.split_ascii_whitespace().collect();
        let [moves, base, increment] = words[..] else {
            return Err(wrong());
        };
        Ok(CecpCommand::Level {
            moves: moves.parse().map_err(|_| wrong())?,
            base: minutes(base).ok_or_else(wrong)?,
            increment: seconds(increment).ok_or_else(wrong)?,
        })
    }

    fn option(&self) -> Result<CecpCommand, CecpError> {
        let (name, value) = match self.rest.split_once('=') {
            Some((name, value)) => (name.trim_ascii(), Some(value.trim_ascii().to_owned())),
            None => (self.rest, None),
        };
        if name.is_empty() {
            return Err(self.wrong("NAME or NAME=VALUE"));
        }
        Ok(CecpCommand::Option {
            name: name.to_owned(),
            value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_as_commands_and_write_themselves() {
        for (line, written) in [
            ("xboard", "xboard"),
            ("  protover 2 ", "protover 2"),
            ("accepted  ping", "accepted ping"),
            ("level 40 5 0", "level 40 5:0.000 0.000"),
            ("level 0 0:30 12", "level 0 0:30.000 12.000"),
            ("level 40 25+5 0.5", "level 40 25:0.000 0.500"),
            ("st 7", "st 7.000"),
            ("time -20", "time -20"),
            ("usermove e2e4", "usermove e2e4"),
            ("e7e8q", "usermove e7e8q"),
            ("@@@@", "usermove @@@@"),
            ("?", "?"),
            (".", "."),
            ("result 1-0 {White mates}", "result 1-0 {White mates}"),
            ("option Move Overhead = 50", "option Move Overhead=50"),
            ("option Clear Hash", "option Clear Hash"),
        ] {
            let command = parse_cecp_line(line).unwrap().unwrap();
            assert_eq!(command.to_string(), written, "{line}");
            assert_eq!(parse_cecp_line(written), Ok(Some(command)), "{written}");
        }
        assert_eq!(parse_cecp_line(" \t"), Ok(None));
    }

    #[test]
    fn what_is_not_understood_is_named_with_what_was_expected() {
        for (line, answer) in [
            ("xyzzy 3", "Error (unknown command): xyzzy 3"),
            ("nps 1000", "Error (unknown command): nps 1000"),
            ("e9e4", "Error (unknown command): e9e4"),
            ("sd x", "Error (expected a depth in series): sd x"),
            ("st", "Error (expected seconds for each turn): st"),
            ("usermove", "Error (expected a move): usermove"),
            (
                "level 1 2",
                "Error (expected moves, minutes or minutes:seconds, and increment in seconds): level 1 2",
            ),
            ("ping -1", "Error (expected a number): ping -1"),
            (
                "option =3",
                "Error (expected NAME or NAME=VALUE): option =3",
            ),
        ] {
            let error = parse_cecp_line(line).unwrap_err();
            assert_eq!(error.to_string(), answer);
        }
    }
}
