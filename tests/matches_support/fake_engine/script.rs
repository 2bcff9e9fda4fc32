//! What the scripted engine is asked to do.

use std::time::Duration;

use seriatim::rules::Preset;

/// A misbehaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// Exits with status 3 and a word on standard error.
    Exit,
    /// Aborts (SIGABRT).
    Abort,
    /// Exits before `uciok`.
    ExitAtStart,
    /// Never says `uciok`.
    MuteAtStart,
    /// Says `uciok` after `delay`.
    SlowStart,
    /// Never says `readyok`, from the `at`-th `isready` on.
    MuteAtReady,
    /// Exits at the `at`-th `isready`.
    ExitAtReady,
    /// Says nothing to `go`, and reads on.
    Silent,
    /// Says nothing to `go`, and never reads again.
    Dead,
    /// Answers after `delay`.
    Late,
    /// Writes `info` every 20 ms and never answers.
    Talkative,
    /// Writes `info` as fast as it can and never answers.
    Flood,
    /// Answers, but doesn't end at `quit`; ends at the end of input.
    IgnoreQuit,
    /// Answers, but ends at nothing that can be ignored.
    IgnoreAll,
    /// Leaves a child behind.
    Child,
    /// Lines end in CR LF.
    CrLf,
    /// The answer has no line end.
    NoNewline,
    /// A line of 64 MiB without an end comes before the answer.
    LongLine,
    /// Answers and exits at once.
    AnswerAndExit,
    /// A half answer without line end, then a crash.
    HalfAndAbort,
    /// `a1a8`.
    Illegal,
    /// The first move is good, the second is not.
    IllegalSecond,
    /// Letters in upper case.
    UpperCase,
    /// `bestmove (none)`.
    NoneMove,
    /// `bestmove 0000`.
    NullMove,
    /// `bestmove` and nothing.
    Empty,
    /// Moves joined by commas.
    Commas,
    /// One move missing.
    Short,
    /// One move more.
    Long,
    /// Two answers at once.
    Double,
    /// A second answer 30 ms later.
    DoubleLater,
    /// Bytes that are no UTF-8, junk and eight MiB on standard error come before the answer.
    Junk,
}

const FAULTS: &[(&str, Fault)] = &[
    ("none", Fault::None),
    ("exit", Fault::Exit),
    ("abort", Fault::Abort),
    ("exit-at-start", Fault::ExitAtStart),
    ("mute-at-start", Fault::MuteAtStart),
    ("slow-start", Fault::SlowStart),
    ("mute-at-ready", Fault::MuteAtReady),
    ("exit-at-ready", Fault::ExitAtReady),
    ("silent", Fault::Silent),
    ("dead", Fault::Dead),
    ("late", Fault::Late),
    ("talkative", Fault::Talkative),
    ("flood", Fault::Flood),
    ("ignore-quit", Fault::IgnoreQuit),
    ("ignore-all", Fault::IgnoreAll),
    ("child", Fault::Child),
    ("crlf", Fault::CrLf),
    ("no-newline", Fault::NoNewline),
    ("long-line", Fault::LongLine),
    ("answer-and-exit", Fault::AnswerAndExit),
    ("half-and-abort", Fault::HalfAndAbort),
    ("illegal", Fault::Illegal),
    ("illegal-second", Fault::IllegalSecond),
    ("upper-case", Fault::UpperCase),
    ("none-move", Fault::NoneMove),
    ("null-move", Fault::NullMove),
    ("empty", Fault::Empty),
    ("commas", Fault::Commas),
    ("short", Fault::Short),
    ("long", Fault::Long),
    ("double", Fault::Double),
    ("double-later", Fault::DoubleLater),
    ("junk", Fault::Junk),
];

/// What is asked for.
pub struct Script {
    pub fault: Fault,
    /// The `go` (or `isready`) at which the fault happens.
    pub at: u64,
    pub delay: Duration,
    /// Where every line read is noted, with milliseconds since the start.
    pub log: Option<String>,
    /// Scores to be given, one after another, the last again and again.
    pub scores: Vec<String>,
    /// The nodes it says it has searched.
    pub nodes: String,
    /// The presets on offer.
    pub variants: Vec<String>,
    /// The version in the `protocol` line; empty for none.
    pub protocol: String,
    /// How long an ordinary answer takes.
    pub think: Duration,
    pub seed: u64,
    /// Series to be played before anything is made up, separated by `/`; moves by `_`.
    pub line: Vec<String>,
    pub alternating: bool,
    /// Answers at once from the `line`, cyclic, without looking at the position: for measuring the
    /// runner.
    pub instant: bool,
    /// An option to whose setting it answers with an error.
    pub refuse: String,
}

impl Script {
    /// Reads the program's arguments.
    pub fn read() -> Script {
        let mut script = Script {
            fault: Fault::None,
            at: 1,
            delay: Duration::from_millis(500),
            log: None,
            scores: Vec::new(),
            nodes: "1000".to_owned(),
            variants: Preset::ALL.iter().map(ToString::to_string).collect(),
            protocol: "1".to_owned(),
            think: Duration::ZERO,
            seed: 0,
            line: Vec::new(),
            alternating: false,
            instant: false,
            refuse: String::new(),
        };
        for argument in std::env::args().skip(1) {
            let (key, value) = argument.split_once('=').expect("KEY=VALUE");
            let list = |separator| value.split(separator).map(str::to_owned).collect();
            match key {
                "fault" => {
                    let found = FAULTS.iter().find(|(name, _)| *name == value);
                    script.fault = found.expect("a known fault").1;
                }
                "at" => script.at = value.parse().expect("a number"),
                "delay" => script.delay = Duration::from_millis(value.parse().expect("a number")),
                "think" => script.think = Duration::from_micros(value.parse().expect("a number")),
                "log" => script.log = Some(value.to_owned()),
                "scores" => script.scores = list(','),
                "nodes" => script.nodes = value.to_owned(),
                "variants" => script.variants = list(','),
                "protocol" => script.protocol = value.to_owned(),
                "refuse" => script.refuse = value.to_owned(),
                "seed" => script.seed = value.parse().expect("a number"),
                "line" => script.line = list('/'),
                "instant" => script.instant = value == "yes",
                "alternating" => script.alternating = value == "yes",
                _ => panic!("unknown key {key}"),
            }
        }
        script
    }
}
