//! A fixed set of searches whose node count is the same on every machine: a signature of the
//! search, and a measure of speed.

use std::{
    hash::Hasher,
    time::{Duration, Instant},
};

use fnv::FnvHasher;

use crate::{
    notation::{CastlingText, parse_fen, uci_text},
    rules::{Game, Preset, SeriesPosition, Status},
    search::{Limits, Request, Searcher, Settings, Signals},
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
    /// What the searches found, in a number: best series, scores, depths and nodes (64-bit
    /// FNV-1a).
    pub signature: u64,
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
    let mut signature = FnvHasher::default();
    for &(preset, fen) in POSITIONS {
        let position = match fen {
            "-" => Some(SeriesPosition::start(preset.rules())),
            fen => parse_fen(preset.rules(), fen).ok(),
        };
        let Some(position) = position.filter(|p| p.status() == Status::Ongoing) else {
            continue;
        };
        let request = Request::new(
            Game::new(position),
            Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
        );
        let answer = Searcher::new(Settings::default()).search(&request, signals, &mut |_| {});
        if signals.is_stopped() {
            return None;
        }
        for line in &answer.lines {
            total += line.nodes;
            let series: String = line
                .pv
                .iter()
                .take(1)
                .flatten()
                .map(|&m| uci_text(m, CastlingText::KingMove))
                .collect();
            let (score, depth, nodes) = (line.score.rank(), line.depth, line.nodes);
            let found = format!("{series} {score} {depth} {nodes};");
            signature.write(found.as_bytes());
        }
    }
    Some(BenchResult {
        nodes: total,
        signature: signature.finish(),
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

    /// What [`bench`] counts and finds with 20,000 nodes a position. A change that is not meant to
    /// change play must leave it alone. One that is meant to, in the rules' generator, the solver,
    /// the evaluation or the search, puts here what this test then prints (or what `bench 20000`
    /// writes in the daemon), and says in its message that play has changed.
    const SIGNATURE: (u64, u64) = (82_381, 0x5b65_634f_fd34_906a);

    #[test]
    fn the_signature_is_the_committed_one() {
        let result = bench(20_000, &Signals::default()).unwrap();
        let found = (result.nodes, result.signature);
        assert_eq!(
            found, SIGNATURE,
            "play has changed: if that is meant, SIGNATURE is now ({}, {:#018x})",
            found.0, found.1
        );
    }
}
