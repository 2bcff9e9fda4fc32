//! The solver against two reference searches on the same generator, one thread, cold tables.
//!
//! `cargo bench --bench solver -- [course] [empty] [generated] [self-play] [--plain] [--chk]
//! [--seed N] [--count N] [--only LENGTH] [--case ID] [--repeat N] [--threads N] [--each]`:
//! without a set's name all of them; the references are slow and run only when asked for.
//!
//! `... -- --by WHO SET` has the positions of one set answered by `ours`, `plain` or `chk` alone and
//! measures nothing itself: `scripts/instructions` counts what [`answer_all`] executes. The sets
//! `sample-none` and `sample-mates` are for that.
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

#[path = "../../tests/positions/mod.rs"]
mod positions;
mod reference;
mod self_play;

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use reference::{LastMove, Reference};
use seriatim::{
    notation::format_fen,
    rules::{Preset, SeriesPosition},
    solver::{Answer, Limits, Solver},
};

const PEERS: &str = include_str!("../../tests/data/mates_peers.jsonl");
const GENERATED: &str = include_str!("../../tests/data/mates_generated.jsonl");

/// Positions without a mate that are neither trivial nor long, as long as the proofs of the sets are.
const SAMPLE_NONE: [&str; 9] = [
    "gen-n5-0105",
    "gen-n5-0106",
    "gen-n5-0118",
    "gen-n5-0123",
    "gen-n5-0141",
    "gen-n6-0160",
    "gen-n6-0171",
    "gen-n6-0177",
    "gen-n7-0224",
];
/// Mates that are not found at once.
const SAMPLE_MATES: [&str; 9] = [
    "gen-n5-0154",
    "gen-n6-0180",
    "gen-n6-0198",
    "lj19",
    "lj28",
    "lj38",
    "lj42",
    "lj46",
    "lj52",
];

struct Case {
    id: String,
    position: SeriesPosition,
}

#[derive(Clone, Copy)]
struct Row {
    mate: bool,
    time: Duration,
    nodes: u64,
    plain: Option<Duration>,
    chk: Option<(Duration, u64)>,
}

fn cases(text: &str, wanted: impl Fn(&serde_json::Value) -> bool) -> Vec<Case> {
    positions::lines(text)
        .iter()
        .filter(|line| wanted(line))
        .map(|line| Case {
            id: line["id"].as_str().unwrap().to_owned(),
            position: positions::from_json(line, positions::rules(line)),
        })
        .collect()
}

fn set(name: &str, seed: u64, count: usize) -> Vec<Case> {
    let sample = |ids: &[&str]| {
        let is_among = |line: &serde_json::Value| ids.contains(&line["id"].as_str().unwrap());
        let mut found = cases(GENERATED, is_among);
        found.extend(cases(PEERS, is_among));
        assert_eq!(found.len(), ids.len());
        found
    };
    match name {
        "sample-none" => sample(&SAMPLE_NONE),
        "sample-mates" => sample(&SAMPLE_MATES),
        "course" => cases(PEERS, |line| {
            let id = line["id"].as_str().unwrap();
            id.starts_with("lj") && !id.ends_with("m2")
        }),
        "empty" => cases(PEERS, |line| line["solvable"] == false),
        "generated" => cases(GENERATED, |_| true),
        "self-play" => self_play::positions(Preset::Italian.rules(), seed, 4..=12, count)
            .into_iter()
            .enumerate()
            .map(|(index, position)| Case {
                id: format!("self-{index}"),
                position,
            })
            .collect(),
        _ => panic!("no set '{name}': expected course, empty, generated, self-play or a sample"),
    }
}

struct Options {
    plain: bool,
    chk: bool,
    each: bool,
    threads: usize,
    repeat: u32,
}

fn measure(case: &Case, solver: &mut Solver, options: &Options) -> Row {
    let mut run = || {
        solver.forget();
        let start = Instant::now();
        let report = solver.first_mate(&case.position, &Limits::default());
        (start.elapsed(), report)
    };
    // On a busy machine the best of several cold runs is nearest to the truth.
    let (mut time, report) = run();
    for _ in 1..options.repeat {
        time = time.min(run().0);
    }
    let mate = matches!(report.answer, Answer::Mate(_));
    let mut row = Row {
        mate,
        time,
        nodes: report.stats.nodes,
        plain: None,
        chk: None,
    };
    let n = case.position.moves_left();
    if options.chk {
        let mut reference = Reference::new(LastMove::Checking);
        let start = Instant::now();
        assert_eq!(reference.has_mate(&case.position), mate, "{}", case.id);
        row.chk = Some((start.elapsed(), reference.visits));
    }
    if options.plain && n <= 7 {
        let mut reference = Reference::new(LastMove::Any);
        let start = Instant::now();
        assert_eq!(reference.has_mate(&case.position), mate, "{}", case.id);
        row.plain = Some(start.elapsed());
    }
    row
}

/// Has every position answered by `who`, from cold tables, and returns how many hold a mate.
#[inline(never)]
fn answer_all(who: &str, solver: &mut Solver, cases: &[Case]) -> usize {
    let mut has_mate = |position: &SeriesPosition| match who {
        "ours" => {
            solver.forget();
            let report = solver.first_mate(position, &Limits::default());
            matches!(report.answer, Answer::Mate(_))
        }
        "plain" => Reference::new(LastMove::Any).has_mate(position),
        "chk" => Reference::new(LastMove::Checking).has_mate(position),
        _ => panic!("--by {who}: expected ours, plain or chk"),
    };
    cases.iter().filter(|case| has_mate(&case.position)).count()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn summary(label: &str, rows: &[Row]) {
    if rows.is_empty() {
        return;
    }
    let mut times: Vec<f64> = rows.iter().map(|row| milliseconds(row.time)).collect();
    times.sort_by(f64::total_cmp);
    let total: f64 = times.iter().sum();
    let at = |share: f64| times[((times.len() as f64 * share).ceil() as usize).max(1) - 1];
    let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
    let ratio = |reference: Option<f64>| {
        reference.map_or(String::from("-"), |time| format!("{:.1}", time / total))
    };
    let chk: Option<f64> = rows
        .iter()
        .map(|row| row.chk.map(|c| milliseconds(c.0)))
        .sum();
    let plain: Option<f64> = rows.iter().map(|row| row.plain.map(milliseconds)).sum();
    println!(
        "{label:<24} {:>4} total {total:>9.2} median {:>8.3} p95 {:>8.3} worst {:>8.3} ms  nodes {nodes:>10}  plain/ {:>6} chk/ {:>6}",
        rows.len(),
        at(0.5),
        at(0.95),
        at(1.0),
        ratio(plain),
        ratio(chk),
    );
}

fn main() {
    let mut names = Vec::new();
    let mut options = Options {
        plain: false,
        chk: false,
        each: false,
        threads: 1,
        repeat: 1,
    };
    let (mut seed, mut count, mut only) = (1, 200, None);
    let mut only_id: Option<String> = None;
    let mut by: Option<String> = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<u64>().ok());
        match argument.as_str() {
            "--bench" => {}
            "--plain" => options.plain = true,
            "--chk" => options.chk = true,
            "--each" => options.each = true,
            "--threads" => options.threads = number().unwrap() as usize,
            "--repeat" => options.repeat = number().unwrap() as u32,
            "--case" => only_id = arguments.next(),
            "--by" => by = arguments.next(),
            "--only" => only = number().map(|n| n as u16),
            "--seed" => seed = number().unwrap(),
            "--count" => count = number().unwrap() as usize,
            name => names.push(name.to_owned()),
        }
    }
    if names.is_empty() {
        names = ["course", "empty", "generated", "self-play"]
            .map(String::from)
            .to_vec();
    }
    if let Some(who) = by {
        for name in &names {
            let cases = set(name, seed, count);
            let mates = answer_all(&who, &mut Solver::new(4, 1), &cases);
            println!("{name}: {} positions, {mates} with a mate", cases.len());
        }
        return;
    }
    let (mut chk_time, mut chk_visits) = (0.0, 0u64);
    let mut solver = Solver::new(64, options.threads);
    for name in &names {
        let mut by_length: BTreeMap<(u16, bool), Vec<Row>> = BTreeMap::new();
        let mut all = Vec::new();
        for case in set(name, seed, count) {
            if only.is_some_and(|n| n != case.position.moves_left())
                || only_id.as_ref().is_some_and(|id| *id != case.id)
            {
                continue;
            }
            let row = measure(&case, &mut solver, &options);
            if options.each {
                println!(
                    "{:<14} n={:<2} {:<5} {:>9.3} ms {:>9} nodes chk {:>9.3}  {}",
                    case.id,
                    case.position.moves_left(),
                    row.mate,
                    milliseconds(row.time),
                    row.nodes,
                    row.chk.map_or(0.0, |c| milliseconds(c.0)),
                    format_fen(&case.position)
                );
            }
            if let Some((time, visits)) = row.chk {
                chk_time += time.as_secs_f64();
                chk_visits += visits;
            }
            by_length
                .entry((case.position.moves_left(), row.mate))
                .or_default()
                .push(row);
            all.push(row);
        }
        for ((n, mate), rows) in &by_length {
            let kind = if *mate { "mate" } else { "none" };
            summary(&format!("{name} n={n} {kind}"), rows);
        }
        summary(&format!("{name} all"), &all);
    }
    if chk_visits > 0 {
        println!("chk: {:.2} M visits/s", chk_visits as f64 / chk_time / 1e6);
    }
}
