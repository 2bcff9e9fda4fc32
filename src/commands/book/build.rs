//! `seriatim book build`: walks from the start position, turn by turn, and finds out what the best
//! series are.

use std::{
    collections::HashSet,
    fmt::Write as _,
    fs,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use anyhow::{Context, Result};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    super::{RuleArgs, UsageError},
    backup::{self, Place, moves_of},
    evaluate::{Effort, Evaluator, Finding, Verdict, end_of},
    report,
    work::Work,
};
use crate::{
    book::{Book, book_key},
    rules::{Move, SeriesPosition, Status},
    version,
};

/// Make an opening book
///
/// Every first move, the sensible answers to it, the best answers to those, and so on: the search
/// names the series of a position at fixed nodes, the solver proves after which of them the opponent
/// has a mate and after which he has none, and games of self-play go on from the last ones. What is
/// proven is carried back as proof, where all answers are known; the rest stays belief. The same
/// settings give the same book, whatever the number of threads.
///
/// A build that was interrupted goes on when the same command is given again: what it has found out
/// is in FILE.work until the book is written.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  seriatim book build --out italian.book
  seriatim book build --variant scottish --turns 3 --breadth 20,6,3 --out scottish.book
  seriatim book build --turns 2 --nodes 5000 --games 0 --out tiny.book    in seconds

Use it with: setoption name BookFile value italian.book
             setoption name OwnBook value true")]
pub struct BuildArgs {
    #[command(flatten)]
    rules: RuleArgs,
    /// The book to be written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many turns it covers
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=12))]
    turns: u16,
    /// How many series are kept of a position of turn 1, 2, ...; the last number goes on
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [20, 6, 3, 2],
        value_parser = clap::value_parser!(u16).range(1..=255))]
    breadth: Vec<u16>,
    /// Size of the search for each position
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1000..))]
    nodes: u64,
    /// The most nodes of one proof
    #[arg(long, value_name = "NODES", default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1000..))]
    proof_nodes: u64,
    /// Verify all series of a position, whatever the search says, where they end in at most so many
    /// positions
    #[arg(long, value_name = "ENDS", default_value_t = 1000)]
    enumerate: usize,
    /// Where no good series is found, verify all if they end in at most so many positions
    #[arg(long, value_name = "ENDS", default_value_t = 50_000)]
    prove: usize,
    /// Leave out answers that the search finds worse than the best one by more than this
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 1000, value_parser = clap::value_parser!(u16).range(0..=4000))]
    margin: u16,
    /// Games of self-play after each series of the last turn
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=1000))]
    games: u32,
    /// Nodes for each series of these games
    #[arg(long, value_name = "NODES", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(100..))]
    game_nodes: u64,
    /// Seed of what varies the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many positions are looked at at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the search and of the solver, in MiB, for each thread
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

impl BuildArgs {
    fn effort(&self) -> Effort {
        Effort {
            nodes: self.nodes,
            proof_nodes: self.proof_nodes,
            enumerate: self.enumerate,
            prove: self.prove,
            margin: i32::from(self.margin),
            games: self.games,
            game_nodes: self.game_nodes,
            seed: self.seed,
            hash_mib: self.hash,
        }
    }

    /// How many series of a position of `turn` (from 1) are kept.
    fn breadth(&self, turn: u16) -> usize {
        let last = self.breadth.len().saturating_sub(1);
        let index = usize::from(turn - 1).min(last);
        usize::from(self.breadth.get(index).copied().unwrap_or(1))
    }

    /// The command that makes the same book, but for the file's name and the threads.
    fn settings(&self, rules: &str) -> String {
        let breadth: Vec<String> = self.breadth.iter().map(ToString::to_string).collect();
        format!(
            "{} {}: book build {rules} --turns {} --breadth {} --nodes {} --proof-nodes {} --enumerate {} --prove {} --margin {} --games {} --game-nodes {} --seed {} --hash {}",
            version::NAME,
            version::VERSION,
            self.turns,
            breadth.join(","),
            self.nodes,
            self.proof_nodes,
            self.enumerate,
            self.prove,
            self.margin,
            self.games,
            self.game_nodes,
            self.seed,
            self.hash
        )
    }
}

/// Builds the book and tells in `out` what is proven and what is believed.
pub(super) fn run(args: &BuildArgs, out: &mut dyn Write, errors: &mut dyn Write) -> Result<()> {
    let rules = args.rules.rules()?;
    let settings = args.settings(&args.rules.to_string());
    let mut work_path = args.out.clone().into_os_string();
    work_path.push(".work");
    check_folder(&args.out)?;
    let work = Work::open(PathBuf::from(work_path), &settings)?;
    if work.len() > 0 {
        writeln!(
            errors,
            "{} positions are known from an interrupted build",
            work.len()
        )?;
    }
    let start = SeriesPosition::start(rules);
    let turns = walk(args, &start, &work)?;
    let mut book = Book::new(rules, settings);
    backup::fill(&mut book, &turns)?;
    write_whole(&args.out, &book.to_bytes())?;
    work.remove()?;
    report::write(out, &book, &start, &turns)?;
    writeln!(out, "\nWritten: {}", args.out.display())?;
    Ok(())
}

/// An error at once, and not after hours, where the book cannot be written.
fn check_folder(file: &Path) -> Result<(), UsageError> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if file.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(UsageError::new(format!(
            "--out '{}': expected a file in a folder that exists",
            file.display()
        )));
    }
    Ok(())
}

/// Writes a file so that there is never half of it.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let cannot = || format!("{} cannot be written", path.display());
    fs::write(&name, bytes).with_context(cannot)?;
    fs::rename(&name, path).with_context(cannot)
}

/// All positions of the book, turn by turn.
fn walk(args: &BuildArgs, start: &SeriesPosition, work: &Work) -> Result<Vec<Vec<Place>>> {
    let effort = args.effort();
    let mut turns: Vec<Vec<Place>> = Vec::new();
    let mut next: Vec<(SeriesPosition, Vec<Move>)> = vec![(*start, Vec::new())];
    for turn in 1..=args.turns {
        let positions: Vec<SeriesPosition> = next.iter().map(|(position, _)| *position).collect();
        let findings = find_all(args, &effort, turn, &positions, work)?;
        let places: Vec<Place> = next
            .into_iter()
            .zip(findings)
            .map(|((position, path), finding)| Place {
                position,
                path,
                finding,
            })
            .collect();
        next = ends(&places)?;
        turns.push(places);
    }
    Ok(turns)
}

/// The distinct positions that the series of `places` lead to, where it is not known who wins.
fn ends(places: &[Place]) -> Result<Vec<(SeriesPosition, Vec<Move>)>> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for place in places {
        for line in &place.finding.lines {
            if !matches!(line.verdict, Verdict::Safe | Verdict::Unknown) {
                continue;
            }
            let series = moves_of(&place.position, line)?;
            let end = end_of(&place.position, &series);
            if end.status() == Status::Ongoing && seen.insert(book_key(&end)) {
                let mut path = place.path.clone();
                path.extend(series);
                found.push((end, path));
            }
        }
    }
    Ok(found)
}

/// What is found out about the positions of a turn, in their order.
fn find_all(
    args: &BuildArgs,
    effort: &Effort,
    turn: u16,
    positions: &[SeriesPosition],
    work: &Work,
) -> Result<Vec<Finding>> {
    let bar = progress(turn, positions.len());
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Option<Finding>>> = Mutex::new(vec![None; positions.len()]);
    let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| {
                let mut evaluator = None;
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(position) = positions.get(index) else {
                        return;
                    };
                    let key = book_key(position);
                    let finding = if let Some(known) = work.get(key) {
                        known.clone()
                    } else {
                        let finding = evaluator
                            .get_or_insert_with(|| Evaluator::new(effort))
                            .find(position, args.breadth(turn), turn == args.turns);
                        if let Err(error) = work.put(key, &finding) {
                            *lock(&failure) = Some(error);
                            next.store(positions.len(), Ordering::Relaxed);
                            return;
                        }
                        finding
                    };
                    lock(&found)[index] = Some(finding);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    if let Some(error) = lock(&failure).take() {
        return Err(error);
    }
    let found = std::mem::take(&mut *lock(&found));
    found
        .into_iter()
        .map(|finding| finding.context("a thread ended too early"))
        .collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bar on a terminal's standard error, else nothing.
fn progress(turn: u16, count: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let mut template = String::new();
    let _ = write!(
        template,
        "turn {turn} {{wide_bar}} {{pos}}/{{len}} positions, {{eta}} left"
    );
    let bar = ProgressBar::new(count as u64);
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
