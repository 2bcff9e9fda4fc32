//! The only place that names the UCI library: standard messages in and out, behind a guard.
//!
//! The library panics on numbers it cannot hold, cuts lines short at the first word it does not
//! know, and drops words in combinations it has no type for. So a line is shown to it only in the
//! plainest spelling and with numbers that fit, and its answer counts only if writing it back
//! gives every word of the line. The tests hold the table of that behaviour.

use vampirc_uci::{
    Duration, UciInfoAttribute, UciMessage, UciOptionConfig, UciSearchControl, UciTimeControl,
    parse_one,
};

use super::{
    command::{Command, GoRequest, Origin, PositionRequest},
    options::{OptionKind, OptionSpec},
    reply::{InfoLine, ProgressLine, Score, SeriesCounts},
};

/// Longer lines go to the own parsers at once, which are faster on long move lists.
const LENGTH_MAX: usize = 2048;

/// Reads a standard line with the library, if it is one that the library reads whole.
pub(super) fn read_standard(verb: &str, line: &str, words: &[&str]) -> Option<Command> {
    if line.len() > LENGTH_MAX || !line.is_ascii() || words.join(" ") != line {
        return None;
    }
    if matches!(verb, "d" | "eval" | "bench") || !numbers_fit(words) {
        return None;
    }
    let message = parse_one(line);
    let written = message.to_string();
    let mut back: Vec<&str> = written.split_ascii_whitespace().collect();
    let mut given = words.to_vec();
    back.sort_unstable();
    given.sort_unstable();
    (back == given).then(|| command(message)).flatten()
}

/// Whether every number fits the library's types: one byte after three keywords, twelve digits
/// elsewhere.
fn numbers_fit(words: &[&str]) -> bool {
    words.windows(2).all(|pair| match pair[0] {
        "depth" | "mate" | "movestogo" => pair[1].parse::<u8>().is_ok(),
        _ => !pair[1].bytes().all(|byte| byte.is_ascii_digit()) || pair[1].len() <= 12,
    })
}

fn command(message: UciMessage) -> Option<Command> {
    Some(match message {
        UciMessage::Uci => Command::Uci,
        UciMessage::Debug(on) => Command::Debug(on),
        UciMessage::IsReady => Command::IsReady,
        UciMessage::Register { .. } => Command::Register,
        UciMessage::UciNewGame => Command::NewGame,
        UciMessage::Stop => Command::Stop,
        UciMessage::PonderHit => Command::PonderHit,
        UciMessage::Quit => Command::Quit,
        UciMessage::SetOption { name, value } => Command::SetOption { name, value },
        UciMessage::Position {
            startpos,
            fen,
            moves,
        } => Command::Position(PositionRequest {
            origin: match fen {
                Some(fen) => Origin::Fen(fen.0),
                None if startpos => Origin::Start,
                None => return None,
            },
            moves: moves.iter().map(ToString::to_string).collect(),
        }),
        UciMessage::Go {
            time_control,
            search_control,
        } => Command::Go(go_request(time_control.as_ref(), search_control.as_ref())),
        _ => return None,
    })
}

fn go_request(time: Option<&UciTimeControl>, search: Option<&UciSearchControl>) -> GoRequest {
    let mut go = GoRequest::default();
    let milliseconds =
        |duration: &Option<Duration>| duration.as_ref().map(Duration::num_milliseconds);
    match time {
        None => {}
        Some(UciTimeControl::Ponder) => go.ponder = true,
        Some(UciTimeControl::Infinite) => go.infinite = true,
        Some(UciTimeControl::MoveTime(duration)) => {
            go.move_time = Some(duration.num_milliseconds());
        }
        Some(UciTimeControl::TimeLeft {
            white_time,
            black_time,
            white_increment,
            black_increment,
            moves_to_go,
        }) => {
            go.time = [white_time, black_time].map(milliseconds);
            go.increment = [white_increment, black_increment].map(milliseconds);
            go.moves_to_go = moves_to_go.map(u32::from);
        }
    }
    if let Some(search) = search {
        go.depth = search.depth.map(u32::from);
        go.nodes = search.nodes;
        go.mate = search.mate.map(u32::from);
        go.first_moves = search
            .search_moves
            .iter()
            .map(ToString::to_string)
            .collect();
    }
    go
}

/// `id name ...`.
pub(super) fn id_name(name: &str) -> String {
    UciMessage::id_name(name).to_string()
}

/// `id author ...`.
pub(super) fn id_author(author: &str) -> String {
    UciMessage::id_author(author).to_string()
}

/// `uciok`.
pub(super) fn uci_ok() -> String {
    UciMessage::UciOk.to_string()
}

/// `readyok`.
pub(super) fn ready_ok() -> String {
    UciMessage::ReadyOk.to_string()
}

/// `info string ...`.
pub(super) fn info_string(text: &str) -> String {
    UciMessage::info_string(text.to_owned()).to_string()
}

/// `option name ...`.
pub(super) fn option(spec: &OptionSpec) -> String {
    let name = spec.name.to_owned();
    UciMessage::Option(match &spec.kind {
        OptionKind::Check { default } => UciOptionConfig::Check {
            name,
            default: Some(*default),
        },
        OptionKind::Spin { default, min, max } => UciOptionConfig::Spin {
            name,
            default: Some(*default),
            min: Some(*min),
            max: Some(*max),
        },
        OptionKind::Combo { default, values } => UciOptionConfig::Combo {
            name,
            default: Some((*default).to_owned()),
            var: values.iter().map(|&value| value.to_owned()).collect(),
        },
        OptionKind::Button => UciOptionConfig::Button { name },
        OptionKind::Text { default } => UciOptionConfig::String {
            name,
            default: Some((*default).to_owned()),
        },
    })
    .to_string()
}

fn any(name: &str, value: &impl ToString) -> UciInfoAttribute {
    UciInfoAttribute::Any(name.to_owned(), value.to_string())
}

fn counts(counts: SeriesCounts) -> [UciInfoAttribute; 3] {
    [
        any("candidates", &counts.candidates),
        any("verified", &counts.verified),
        any("refuted", &counts.refuted),
    ]
}

/// `info NAME` and moves.
pub(super) fn info_moves(name: &str, moves: &[String]) -> String {
    UciMessage::Info(vec![any(name, &moves.join(" "))]).to_string()
}

/// `info depth ... currmove ...`.
pub(super) fn progress(progress: &ProgressLine) -> String {
    let first = progress.series.first().map_or("", String::as_str);
    let mut attributes = vec![
        any("depth", &progress.depth),
        any("currmove", &first),
        any("currmovenumber", &progress.number),
        UciInfoAttribute::Nodes(progress.nodes),
        any("time", &progress.milliseconds),
    ];
    attributes.extend(counts(progress.counts));
    attributes.push(any("currseries", &progress.series.join(" ")));
    UciMessage::Info(attributes).to_string()
}

/// `info depth ... pv ...`. What the library's types cannot hold (deep series, far mates, a
/// principal variation of series) goes through its free attribute.
pub(super) fn info(info: &InfoLine) -> String {
    let mut attributes = vec![
        any("depth", &info.depth),
        any("multipv", &info.multipv),
        match info.score {
            Score::Centipawns(score) => UciInfoAttribute::from_centipawns(score),
            Score::Mate(series) => any("score", &format!("mate {series}")),
        },
    ];
    if let Some([win, draw, loss]) = info.wdl {
        attributes.push(any("wdl", &format!("{win} {draw} {loss}")));
    }
    attributes.extend([
        UciInfoAttribute::Nodes(info.nodes),
        UciInfoAttribute::Nps(info.nodes_per_second()),
        UciInfoAttribute::HashFull(info.hashfull),
        any("time", &info.milliseconds),
    ]);
    attributes.extend(info.counts.into_iter().flat_map(counts));
    if !info.pv.is_empty() {
        attributes.push(any("pv", &info.pv.join(" ")));
    }
    UciMessage::Info(attributes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Command> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        read_standard(words[0], line, &words)
    }

    #[test]
    fn what_the_library_does_to_lines() {
        // Line, what the library writes back. Wherever that is not the line, the guard keeps the
        // library out. If an update changes this table, look at the guard again.
        for (line, written) in [
            ("go ponder wtime 1 btime 2", "go wtime 1 btime 2"),
            ("go searchmoves e2e4 depth 2", "go depth 2 searchmoves e2e4"),
            ("go nodes 1234567890123", "go nodes 123456789012"),
            (
                "position startpos moves e2e4 e7e5,g8f6",
                "position startpos moves e2e4 e7e5",
            ),
            (
                "position startpos moves e2e4 0000 e7e5",
                "position startpos moves e2e4",
            ),
            (
                "position startpos moves e7e8k",
                "position startpos moves e7e8",
            ),
            (
                "setoption name Clear Hash",
                "setoption name Clear Hash value <empty>",
            ),
            ("uci\nisready", "uci"),
        ] {
            let back: Vec<String> = parse_one(line)
                .to_string()
                .split_ascii_whitespace()
                .map(str::to_owned)
                .collect();
            assert_eq!(back.join(" "), written, "{line}");
        }
    }

    #[test]
    fn the_library_panics_on_numbers_the_guard_stops() {
        for line in ["go depth 300", "go mate 300", "go movestogo 300"] {
            assert!(
                std::panic::catch_unwind(|| parse_one(line)).is_err(),
                "{line}"
            );
            assert_eq!(read(line), None);
        }
    }

    #[test]
    fn plain_standard_lines_are_read_by_the_library() {
        for line in [
            "uci",
            "isready",
            "ucinewgame",
            "stop",
            "ponderhit",
            "quit",
            "debug on",
            "setoption name Hash value 32",
            "position startpos moves e2e4 e7e5 g8f6",
            "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 moves g1h1",
            "go infinite",
            "go wtime 1000 btime -20 winc 0 binc 5 movestogo 3",
            "go depth 3 searchmoves a2a3 e7e8q",
        ] {
            let command = read(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(command.to_string(), line);
        }
    }

    #[test]
    fn lines_it_would_cut_are_left_to_the_own_parsers() {
        for line in [
            "go ponder wtime 1 btime 2",
            "position startpos moves e2e4 e7e5,g8f6",
            "position startpos moves e2e4 0000",
            "position startpos moves a7a8k",
            "go depth 5  nodes 7",
            "go movetime 99999999999999",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
