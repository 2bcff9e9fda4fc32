//! `seriatim solve`: mates in the series, or proofs that there is none.

use std::{
    fs,
    io::{IsTerminal, Read, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;

use super::{
    RuleArgs, UsageError,
    problems::{Problem, read_problems},
};
use crate::{
    notation::{CastlingText, format_fen, san, uci_text},
    rules::{Move, SeriesPosition, Status},
    solver::{Answer, Limits, MateCount, SERIES_MAX, Series, Solver, Stats},
};

/// Solve mates in the series, or prove that there is none.
///
/// Without --fen a list is read: JSON lines with id, fen, n, variant and `ep_targets`, EPD lines
/// with a series FEN, or problems in Popeye's notation (ser-#n). `-` reads standard input.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  seriatim solve --fen 'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3'
  seriatim solve --variant scottish --all --fen '7k/8/8/8/8/8/R7/KR6 w - - 0 3'
  seriatim solve --within 2 --fen '8/8/8/8/2K5/8/7R/k7 w - - 0 1'
  seriatim solve --json --threads 2 problems.jsonl

Exit code: 0 every position has a mate, 1 all are answered and some have none, 3 some are unknown
(budget spent, or a series too long to be searched), 2 wrong usage or a line that was not understood.")]
pub struct SolveArgs {
    /// A list of problems, `-` for standard input
    #[arg(
        value_name = "FILE",
        required_unless_present = "fen",
        conflicts_with = "fen"
    )]
    file: Option<PathBuf>,
    /// The position, as series FEN (field 6 is the turn number and so the number of moves)
    #[arg(long)]
    fen: Option<String>,
    #[command(flatten)]
    rules: RuleArgs,
    /// Count all mating series, promotions apart, and list up to --list of them
    #[arg(long, conflicts_with = "shortest")]
    all: bool,
    /// How many mates --all lists
    #[arg(long, value_name = "N", default_value_t = 10)]
    list: usize,
    /// Find the shortest series that mates instead of any; it may be shorter than the turn, which is
    /// said then (`as_if_moves` in JSON)
    #[arg(long)]
    shortest: bool,
    /// Find a win within so many own series against every answer (thin positions only: all answers
    /// are looked at)
    #[arg(
        long,
        value_name = "SERIES",
        conflicts_with_all = ["all", "shortest"],
        value_parser = clap::value_parser!(u16).range(1..=100)
    )]
    within: Option<u16>,
    /// Threads to search with
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Give up a position after so many nodes
    #[arg(long)]
    nodes: Option<u64>,
    /// Give up a position after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Print one JSON object for each position
    #[arg(long)]
    json: bool,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds, such as 0.5".to_owned())
}

/// How a list was solved, as an exit code tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SolveResult {
    /// Every position has a mate.
    AllMate = 0,
    /// All are answered, and some have no mate.
    SomeNone = 1,
    /// The budget was spent on some.
    SomeUnknown = 3,
    /// Some lines were not understood.
    SomeWrong = 2,
}

/// What is told about one position.
#[derive(Serialize)]
struct Told {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<Vec<String>>,
    /// Where the series wins only if the turn had no more moves than it: how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_if_moves: Option<usize>,
    /// Why a position is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    progressive: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<Vec<Vec<String>>>,
    nodes: u64,
    time_ms: f64,
}

/// Solves what `args` name, writing results to `out` and, for a list, what was not understood to
/// `errors`.
///
/// # Errors
/// When a file cannot be read or `out` cannot be written, and a [`UsageError`] for arguments that
/// were not understood.
pub fn run(args: &SolveArgs, out: &mut dyn Write, errors: &mut dyn Write) -> Result<SolveResult> {
    let rules = args.rules.rules()?;
    let mut solver = Solver::new(args.hash as usize, usize::from(args.threads));
    let mut worst = SolveResult::AllMate;
    if let Some(fen) = &args.fen {
        let position = crate::notation::parse_fen(rules, fen).map_err(UsageError::new)?;
        let problem = Problem {
            id: None,
            line: 1,
            position,
        };
        return solve_one(args, &mut solver, &problem, out);
    }
    let file = args.file.as_deref().unwrap_or(Path::new("-"));
    let problems = read_problems(&read_file(file)?, rules);
    if problems.is_empty() {
        return Err(UsageError::new(format!("{}: no problems in it", file.display())).into());
    }
    let progress = Progress::new(problems.len());
    for (index, problem) in problems.into_iter().enumerate() {
        progress.show(index);
        let result = match problem {
            Ok(problem) => solve_one(args, &mut solver, &problem, out)?,
            Err((line, error)) => {
                writeln!(errors, "{}:{line}: {error}", file.display())?;
                SolveResult::SomeWrong
            }
        };
        // A wrong line weighs most, then an unknown answer.
        let weight = |result| match result {
            SolveResult::AllMate => 0,
            SolveResult::SomeNone => 1,
            SolveResult::SomeUnknown => 2,
            SolveResult::SomeWrong => 3,
        };
        if weight(result) > weight(worst) {
            worst = result;
        }
    }
    progress.clear();
    Ok(worst)
}

fn read_file(file: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
    } else {
        bytes = fs::read(file)
            .map_err(|error| UsageError::new(format!("cannot read {}: {error}", file.display())))?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What the solver says of one position.
struct Reply {
    answer: Answer,
    /// With --all, unless the budget was spent.
    counted: Option<MateCount>,
    /// With --within: how many own series the answer is about.
    within: Option<u16>,
    nodes: u64,
    /// With --all: mates.
    listed: Vec<Series>,
}

fn ask(args: &SolveArgs, solver: &mut Solver, position: &SeriesPosition) -> Reply {
    let limits = Limits {
        nodes: args.nodes,
        time: args.time,
        stop: None,
    };
    let plain = |answer, stats: Stats| Reply {
        answer,
        counted: None,
        within: None,
        nodes: stats.nodes,
        listed: Vec::new(),
    };
    if args.all {
        let report = solver.count_mates(position, args.list.max(1), &limits);
        let answer = match (report.listed.first(), report.count) {
            (Some(series), _) => Answer::Mate(series.clone()),
            (None, Some(_)) => Answer::NoMate,
            (None, None) => Answer::Unknown,
        };
        Reply {
            counted: report.count,
            listed: report.listed,
            ..plain(answer, report.stats)
        }
    } else if args.shortest {
        let report = solver.shortest_mate(position, &limits);
        plain(report.answer, report.stats)
    } else if let Some(series) = args.within {
        let report = solver.mate_within(position, series, &limits);
        Reply {
            within: Some(report.series),
            ..plain(report.answer, report.stats)
        }
    } else {
        let report = solver.first_mate(position, &limits);
        plain(report.answer, report.stats)
    }
}

fn solve_one(
    args: &SolveArgs,
    solver: &mut Solver,
    problem: &Problem,
    out: &mut dyn Write,
) -> Result<SolveResult> {
    let position = problem.position;
    let start = Instant::now();
    // What was proved of one problem must not change the figures of the next one.
    solver.forget();
    let Reply {
        answer,
        counted,
        within,
        nodes,
        listed,
    } = ask(args, solver, &position);
    let time_ms = start.elapsed().as_secs_f64() * 1e3;
    let counting_stopped = args.all && counted.is_none();
    let (result, name) = match answer {
        _ if counting_stopped => (SolveResult::SomeUnknown, "unknown"),
        Answer::Mate(_) => (SolveResult::AllMate, "mate"),
        Answer::NoMate => (SolveResult::SomeNone, "none"),
        Answer::Unknown => (SolveResult::SomeUnknown, "unknown"),
    };
    let unknown = (result == SolveResult::SomeUnknown).then(|| {
        if position.moves_left() > SERIES_MAX {
            "series too long"
        } else {
            "budget spent"
        }
    });
    let as_if_moves = answer
        .series()
        .filter(|series| args.shortest && !wins_as_it_is(&position, series))
        .map(<[Move]>::len);
    let uci = |series: &[Move]| {
        series
            .iter()
            .map(|&m| uci_text(m, CastlingText::KingMove))
            .collect::<Vec<_>>()
    };
    if args.json {
        let told = Told {
            id: problem.id.clone(),
            result: name,
            series: answer.series().map(uci),
            as_if_moves,
            unknown,
            within,
            count: counted.map(MateCount::total),
            progressive: counted.map(|count| count.progressive),
            all: args
                .all
                .then(|| listed.iter().map(|series| uci(series)).collect()),
            nodes,
            time_ms,
        };
        serde_json::to_writer(&mut *out, &told)?;
        writeln!(out)?;
    } else {
        let label = label(problem);
        write!(out, "{label}: {name}")?;
        if let Some(why) = unknown {
            write!(out, ", {why}")?;
            if position.moves_left() > SERIES_MAX {
                write!(
                    out,
                    " ({} moves; at most {SERIES_MAX} are searched)",
                    position.moves_left()
                )?;
            }
        }
        if let Some(count) = counted {
            write!(
                out,
                ", {} series ({} only progressive)",
                count.total(),
                count.progressive
            )?;
        }
        write!(out, "{}", scope(within, &answer))?;
        let lines = if args.all { listed.as_slice() } else { &[] };
        match answer.series() {
            Some(series) if lines.is_empty() => write!(out, "  {}", san_series(&position, series))?,
            _ => {}
        }
        if let Some(moves) = as_if_moves {
            write!(
                out,
                "  (as if the turn had {moves} of its {} moves)",
                position.moves_left()
            )?;
        }
        writeln!(out, "  ({nodes} nodes, {time_ms:.1} ms)")?;
        for series in lines.iter().take(args.list) {
            writeln!(out, "  {}", san_series(&position, series))?;
        }
    }
    out.flush()?;
    Ok(result)
}

/// Whether the series wins in the turn as it is, which may be longer.
fn wins_as_it_is(position: &SeriesPosition, series: &[Move]) -> bool {
    let end = series.iter().try_fold(*position, |at, &m| {
        (at.side() == position.side() && at.is_legal(m)).then(|| at.after(m))
    });
    end.is_some_and(|end| matches!(end.status(), Status::Over(outcome) if outcome.winner == Some(position.side())))
}

/// What a problem is called.
fn label(problem: &Problem) -> String {
    match &problem.id {
        Some(serde_json::Value::String(id)) => id.clone(),
        Some(id) => id.to_string(),
        None => format_fen(&problem.position),
    }
}

/// With --within: how far the answer reaches.
fn scope(within: Option<u16>, answer: &Answer) -> String {
    match (within, answer) {
        (Some(series), Answer::Mate(_) | Answer::NoMate) => format!(" within {series} series"),
        (Some(series @ 2..), Answer::Unknown) => format!(", none within {} series", series - 1),
        _ => String::new(),
    }
}

/// The series in algebraic notation, with its turn number.
fn san_series(position: &SeriesPosition, series: &[Move]) -> String {
    let mut at = *position;
    let mut text = format!("{}.", position.turn());
    for (index, &m) in series.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        text.push_str(&san(&at, m));
        at.play(m);
    }
    text
}

/// A count of solved problems on a terminal's standard error.
struct Progress(Option<indicatif::ProgressBar>);

impl Progress {
    fn new(problems: usize) -> Progress {
        let shown = problems > 1 && std::io::stderr().is_terminal();
        Progress(shown.then(|| indicatif::ProgressBar::new(problems as u64)))
    }

    fn show(&self, done: usize) {
        if let Some(bar) = &self.0 {
            bar.set_position(done as u64);
        }
    }

    fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
