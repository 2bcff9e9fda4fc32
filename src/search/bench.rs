//! A fixed set of searches whose node count is the same on every machine: a signature of the
//! search, and a measure of speed.

use std::time::{Duration, Instant};

use super::{Limits, Request, Searcher, Settings, Signals};
use crate::{
    notation::parse_fen,
    rules::{Game, Preset, SeriesPosition, Status},
};

/// Nodes per position when nothing else is asked for.
pub const BENCH_NODES: u64 = 50_000;

/// Positions in several presets, from the opening to the end. A start position is written `-`.
const POSITIONS: &[(Preset, &str)] = &[
    (Preset::Italian, "-"),
    (
        Preset::Italian,
        "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3",
    ),
    (
        Preset::Scottish,
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 0 4",
    ),
    (
        Preset::Italian,
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 7",
    ),
    (
        Preset::English,
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 5",
    ),
    (
        Preset::FullCapture,
        "r3k2r/1pp2p1p/8/8/8/2N5/PPP2PPP/R3K2R w - - 0 5",
    ),
    (
        Preset::Circe,
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 5",
    ),
    (
        Preset::Marseillais,
        "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3",
    ),
];

/// What a bench counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// Positions made in all searches.
    pub nodes: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(0.001)) as u64
    }
}

/// Searches every position with `nodes` nodes, by one thread and with fresh memory. `None` if
/// `signals` stopped it.
pub fn bench(nodes: u64, signals: &Signals) -> Option<BenchResult> {
    let begun = Instant::now();
    let mut total = 0;
    for &(preset, fen) in POSITIONS {
        let position = match fen {
            "-" => Some(SeriesPosition::start(preset.rules())),
            fen => parse_fen(preset.rules(), fen).ok(),
        };
        let Some(position) = position.filter(|p| p.status() == Status::Ongoing) else {
            continue;
        };
        let request = Request {
            game: Game::new(position),
            limits: Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
            first_moves: Vec::new(),
            series: Vec::new(),
            lines: 1,
            received: Instant::now(),
        };
        let answer = Searcher::new(Settings::default()).search(&request, signals, &mut |_| {});
        if signals.is_stopped() {
            return None;
        }
        total += answer.lines.first().map_or(0, |line| line.nodes);
    }
    Some(BenchResult {
        nodes: total,
        elapsed: begun.elapsed(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_searched() {
        for &(preset, fen) in POSITIONS {
            if fen != "-" {
                let position = parse_fen(preset.rules(), fen).unwrap();
                assert_eq!(position.status(), Status::Ongoing, "{fen}");
            }
        }
    }

    #[test]
    fn the_count_repeats() {
        let count = || bench(2000, &Signals::default()).unwrap().nodes;
        assert_eq!(count(), count());
    }
}
