//! Perft against shakmaty's, in the same run: medians of nodes per second and their ratios.
//!
//! `cargo bench --bench perft` runs it; an argument `ITEM [ROUNDS]` runs one item alone, for
//! counting instructions (`scripts/instructions`).
#![allow(missing_docs, clippy::print_stdout)]

use std::{hint::black_box, time::Instant};

use seriatim::rules::{Preset, RuleSet, SeriesPosition, count_moves, count_series};
use shakmaty::{Chess, perft};

struct Item {
    name: &'static str,
    count: fn() -> u64,
}

const ITEMS: [Item; 7] = [
    Item {
        name: "shakmaty-perft-6",
        count: || perft(black_box(&Chess::default()), 6),
    },
    Item {
        name: "ordinary-perft-6",
        count: || count_moves(black_box(&SeriesPosition::start(RuleSet::ORDINARY)), 6),
    },
    Item {
        name: "italian-series-3",
        count: || {
            let start = SeriesPosition::start(Preset::Italian.rules());
            count_series(black_box(&start), 3, false).series
        },
    },
    Item {
        name: "scottish-series-3",
        count: || {
            let start = SeriesPosition::start(Preset::Scottish.rules());
            count_series(black_box(&start), 3, false).series
        },
    },
    // Smaller ones of like shape, for counting instructions.
    Item {
        name: "shakmaty-perft-5",
        count: || perft(black_box(&Chess::default()), 5),
    },
    Item {
        name: "ordinary-perft-5",
        count: || count_moves(black_box(&SeriesPosition::start(RuleSet::ORDINARY)), 5),
    },
    Item {
        name: "white-alone-5",
        count: || {
            let schedule = "5+1".parse().expect("a schedule");
            let rules = RuleSet {
                schedule,
                ..Preset::Italian.rules()
            };
            count_series(black_box(&SeriesPosition::start(rules)), 1, false).series
        },
    },
];

const ROUNDS: usize = 7;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    if let Some(name) = arguments.first() {
        let item = ITEMS.iter().find(|item| item.name == name);
        let names = || ITEMS.map(|item| item.name).join(", ");
        let item = item.unwrap_or_else(|| panic!("no item '{name}': expected one of {}", names()));
        println!("{} {}", item.name, (item.count)());
        return;
    }
    let mut seconds = ITEMS.map(|_| Vec::new());
    let mut counts = [0; ITEMS.len()];
    // Interleaved, so that a slow spell of the machine hits all items alike.
    for _ in 0..ROUNDS {
        for (index, item) in ITEMS.iter().enumerate() {
            let start = Instant::now();
            counts[index] = (item.count)();
            seconds[index].push(start.elapsed().as_secs_f64());
        }
    }
    let speeds: Vec<f64> = seconds
        .iter_mut()
        .zip(counts)
        .map(|(seconds, count)| {
            seconds.sort_by(f64::total_cmp);
            count as f64 / seconds[ROUNDS / 2] / 1e6
        })
        .collect();
    println!(
        "{:20} {:>12} {:>12} {:>8}",
        "item", "count", "M/s (median)", "ratio"
    );
    for ((item, count), speed) in ITEMS.iter().zip(counts).zip(&speeds) {
        println!(
            "{:20} {count:>12} {speed:>12.1} {:>8.2}",
            item.name,
            speed / speeds[0]
        );
    }
}
