//! `seriatim book check`: whether a book's series can be played, and whether its proofs hold.

use std::{
    collections::{HashSet, VecDeque},
    io::Write,
};

use anyhow::Result;
use clap::Args;

use super::{super::Finish, BookFile, evaluate::end_of};
use crate::{
    book::{Book, Choice, Found, Outlook, Worth, book_key},
    notation::{format_movetext, format_series},
    rules::{Move, SeriesPosition, Status},
    solver::{Answer, Limits, Solver},
};

/// Check that a book can be played, and that its proofs hold
///
/// Every position that is reached from the start is looked at: each series has to be a legal, whole
/// one, one that is said to mate has to mate, and the solver is asked again after those that are
/// said to be safe or to lose to a mate. What takes more series is held against what the book says
/// of the position after it.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  seriatim book check
  seriatim book check italian.book --nodes 10000000

Exit code: 0 nothing is wrong, 1 something is, 2 wrong usage or no book.")]
pub struct CheckArgs {
    #[command(flatten)]
    book: BookFile,
    /// The most nodes of one proof
    #[arg(long, default_value_t = 2_000_000)]
    nodes: u64,
    /// Memory of the solver, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

/// What was checked.
#[derive(Default)]
struct Checked {
    positions: usize,
    series: usize,
    proofs: usize,
    open: usize,
    wrong: usize,
}

/// Checks the book; errors go to `out` with the moves that lead to them.
pub(super) fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<Finish> {
    let book = args.book.read()?;
    let start = SeriesPosition::start(*book.rules());
    let mut solver = Solver::new(args.hash as usize, 1);
    let limits = Limits::nodes(args.nodes);
    let mut checked = Checked::default();
    let mut seen = HashSet::from([book_key(&start)]);
    let mut waiting: VecDeque<(SeriesPosition, Vec<Move>)> = VecDeque::from([(start, Vec::new())]);
    while let Some((position, path)) = waiting.pop_front() {
        let found = match book.probe(&position) {
            Ok(Some(found)) => found,
            Ok(None) => continue,
            Err(error) => {
                checked.positions += 1;
                checked.wrong += 1;
                writeln!(out, "{}: {error}", name(&start, &path))?;
                continue;
            }
        };
        checked.positions += 1;
        if let Some(what) = wrong_outlook(&found) {
            checked.wrong += 1;
            writeln!(out, "{}: {what}", name(&start, &path))?;
        }
        for choice in &found.choices {
            checked.series += 1;
            let end = end_of(&position, &choice.series);
            match proof(&book, &mut solver, &limits, &position, choice) {
                Proof::Holds => checked.proofs += 1,
                Proof::Open => checked.open += 1,
                Proof::Nothing => {}
                Proof::Wrong(what) => {
                    checked.wrong += 1;
                    let series = format_series(&position, &choice.series);
                    writeln!(out, "{}: {series}: {what}", name(&start, &path))?;
                }
            }
            if seen.insert(book_key(&end)) {
                let mut path = path.clone();
                path.extend(&choice.series);
                waiting.push_back((end, path));
            }
        }
    }
    let Checked {
        positions,
        series,
        proofs,
        open,
        wrong,
    } = checked;
    writeln!(
        out,
        "{positions} positions, {series} series, {proofs} proofs hold, {open} not settled within {} nodes, {wrong} errors",
        args.nodes
    )?;
    let far = book.len().saturating_sub(positions);
    if far > 0 {
        writeln!(
            out,
            "{far} positions are not reached from the start by series of the book, and were not checked"
        )?;
    }
    Ok(if wrong == 0 {
        Finish::Clean
    } else {
        Finish::Flawed
    })
}

fn name(start: &SeriesPosition, path: &[Move]) -> String {
    if path.is_empty() {
        "start".to_owned()
    } else {
        format_movetext(start, path)
    }
}

/// What is wrong with what is said of a position, beside its series.
fn wrong_outlook(found: &Found) -> Option<String> {
    let best = found.choices.first()?.worth;
    let is_consistent = match found.outlook {
        Outlook::Won(series) => best == Worth::Win(series),
        Outlook::Lost(series) => best == Worth::Loss(series),
        Outlook::Open => !matches!(best, Worth::Win(_)),
    };
    (!is_consistent).then(|| {
        format!(
            "the position is said to be {:?}, and its best series {best:?}",
            found.outlook
        )
    })
}

/// What came out about one series.
enum Proof {
    /// What is said to be proven is.
    Holds,
    /// The budget was spent, or the book does not say enough.
    Open,
    /// Nothing is said to be proven.
    Nothing,
    /// It is not so.
    Wrong(String),
}

fn proof(
    book: &Book,
    solver: &mut Solver,
    limits: &Limits<'_>,
    position: &SeriesPosition,
    choice: &Choice,
) -> Proof {
    let end = end_of(position, &choice.series);
    let side = position.side();
    let over = match end.status() {
        Status::Over(outcome) => Some(outcome),
        Status::Ongoing | Status::QuietLimit => None,
    };
    let wrong = |what: &str| Proof::Wrong(format!("{what} ({:?})", choice.worth));
    match (choice.worth, over) {
        (Worth::Believed(_), None) => Proof::Nothing,
        (Worth::Win(1), Some(outcome)) if outcome.winner == Some(side) => Proof::Holds,
        (Worth::Win(1), _) => wrong("it does not win"),
        (Worth::Safe(_), Some(outcome)) if outcome.winner.is_none() => Proof::Holds,
        (_, Some(_)) => wrong("the game ends by it"),
        (Worth::Safe(_), None) => match solver.first_mate(&end, limits).answer {
            Answer::NoMate => Proof::Holds,
            Answer::Unknown => Proof::Open,
            Answer::Mate(mate) => wrong(&format!(
                "the opponent mates: {}",
                format_series(&end, &mate)
            )),
        },
        (Worth::Loss(1), None) => match solver.first_mate(&end, limits).answer {
            Answer::Mate(_) => Proof::Holds,
            Answer::Unknown => Proof::Open,
            Answer::NoMate => wrong("the opponent has no mate"),
        },
        (Worth::Win(series), None) => match book.probe(&end) {
            Ok(Some(found)) if found.outlook == Outlook::Lost(series - 1) => Proof::Holds,
            Ok(Some(_)) => wrong("the position after it is not said to be lost"),
            _ => Proof::Open,
        },
        (Worth::Loss(series), None) => match book.probe(&end) {
            Ok(Some(found)) if found.outlook == Outlook::Won(series) => Proof::Holds,
            Ok(Some(_)) => wrong("the position after it is not said to be won"),
            _ => Proof::Open,
        },
    }
}
