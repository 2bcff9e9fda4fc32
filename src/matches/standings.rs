//! Everything that is counted over the games of a match. Built from records only, so that a
//! resumed match has the same numbers as an uninterrupted one.

use std::collections::{BTreeMap, HashMap};

use super::{
    config::MatchConfig,
    ending::{Fault, GameEnd},
    record::GameRecord,
};
use crate::{
    rules::Color,
    stats::{Assessment, Counts, Decision, Estimate, GameScore, Pentanomial, Sprt, Trinomial},
};

/// The result between two engines, seen from the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Single games.
    pub games: Trinomial,
    /// Complete pairs.
    pub pairs: Pentanomial,
    /// Games the first engine won as White, and those it lost as White.
    pub white: Trinomial,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        let join = |into: &mut Trinomial, from: &Trinomial| {
            into.wins += from.wins;
            into.draws += from.draws;
            into.losses += from.losses;
        };
        join(&mut self.games, &other.games);
        join(&mut self.white, &other.white);
        for (into, from) in self.pairs.0.iter_mut().zip(other.pairs.0) {
            *into += from;
        }
    }

    /// The counts for statistics: pairs, or single games while no pair is complete.
    pub fn counts(&self) -> Counts {
        if self.pairs.pairs() > 0 {
            self.pairs.into()
        } else {
            self.games.into()
        }
    }

    /// What it says about the difference in strength; `None` before the first game.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::new(self.counts()).ok()
    }
}

/// What is counted for one engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineTally {
    /// Games, from its view.
    pub games: Trinomial,
    /// Turns it answered.
    pub turns: u64,
    /// Time it used, milliseconds.
    pub time: f64,
    /// The reader's lag in those turns, milliseconds.
    pub lag: f64,
    /// The largest lag, milliseconds.
    pub lag_max: f64,
    /// Nodes it counted, and the time of the turns in which it did.
    pub nodes: u64,
    /// See `nodes`, milliseconds.
    pub nodes_time: f64,
    /// The sum of its depths, and in how many turns it gave one.
    pub depth: u64,
    /// See `depth`.
    pub depth_turns: u64,
    /// Games lost by each kind of fault.
    pub faults: BTreeMap<&'static str, u64>,
    /// Failures in a row, up to the last game.
    pub failures_in_a_row: u32,
}

impl EngineTally {
    /// Mean time per series, milliseconds.
    pub fn mean_time(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.time / self.turns as f64)
    }

    /// Mean lag per series, milliseconds.
    pub fn mean_lag(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.lag / self.turns as f64)
    }

    /// Mean depth.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.depth_turns > 0).then(|| self.depth as f64 / self.depth_turns as f64)
    }

    /// Nodes per second.
    pub fn nps(&self) -> Option<f64> {
        (self.nodes > 0 && self.nodes_time > 0.0)
            .then(|| self.nodes as f64 * 1000.0 / self.nodes_time)
    }

    /// Games lost on time.
    pub fn time_losses(&self) -> u64 {
        self.faults.get("time forfeit").copied().unwrap_or(0)
    }
}

/// One point of the progress picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProgressPoint {
    /// Games played.
    pub games: u64,
    /// Elo, seen from the first engine.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// The log-likelihood ratio of the test, if there is one.
    pub llr: Option<f64>,
}

/// The standings of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    sprt: Option<Sprt>,
    /// Counters of each engine.
    pub engines: Vec<EngineTally>,
    /// Results by variant, first and second engine; the first has the smaller index.
    pub results: BTreeMap<(usize, usize, usize), Tally>,
    /// Scores of pairs of which one game is done, by pair number, from the view of the engine
    /// with the smaller index.
    half_pairs: HashMap<u64, GameScore>,
    /// Games by the way they ended.
    pub ends: BTreeMap<&'static str, u64>,
    /// Games by opening: variant and number.
    pub openings: BTreeMap<(usize, u64), Trinomial>,
    /// Games by length in series.
    pub lengths: BTreeMap<usize, u64>,
    /// Games by result for White.
    pub white: Trinomial,
    /// The course of the match, thinned out as it gets long.
    pub progress: Vec<ProgressPoint>,
    progress_step: u64,
    games: u64,
    /// Milliseconds of all games together.
    pub game_time: f64,
}

/// The longest course that is kept; then every other point goes.
const PROGRESS_MAX: usize = 2000;

impl Standings {
    /// Standings before the first game.
    pub fn new(config: &MatchConfig) -> Standings {
        Standings {
            sprt: config.sprt.as_ref().and_then(|sprt| sprt.test().ok()),
            engines: vec![EngineTally::default(); config.engines.len()],
            results: BTreeMap::new(),
            half_pairs: HashMap::new(),
            ends: BTreeMap::new(),
            openings: BTreeMap::new(),
            lengths: BTreeMap::new(),
            white: Trinomial::default(),
            progress: Vec::new(),
            progress_step: 1,
            games: 0,
            game_time: 0.0,
        }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        self.game_time += record.duration;
        let for_white = match record.end.winner() {
            Some(Color::White) => GameScore::Win,
            Some(Color::Black) => GameScore::Loss,
            None => GameScore::Draw,
        };
        let [white, black] = record.engines;
        let white_is_first = white < black;
        let (first, second) = if white_is_first {
            (white, black)
        } else {
            (black, white)
        };
        let for_first = if white_is_first {
            for_white
        } else {
            for_white.reversed()
        };

        let tally = self
            .results
            .entry((record.variant, first, second))
            .or_default();
        tally.games.add(for_first);
        if white_is_first {
            tally.white.add(for_first);
        }
        match self.half_pairs.remove(&record.game.pair()) {
            Some(other) => tally.pairs.add_pair(other, for_first),
            None => {
                self.half_pairs.insert(record.game.pair(), for_first);
            }
        }
        self.white.add(for_white);
        *self.ends.entry(record.end.name()).or_default() += 1;
        self.openings
            .entry((record.variant, record.opening))
            .or_default()
            .add(for_white);
        *self.lengths.entry(record.turns.len()).or_default() += 1;
        self.add_engines(record, for_white);
        self.add_progress();
    }

    fn add_engines(&mut self, record: &GameRecord, for_white: GameScore) {
        for (index, turn) in record.turns.iter().enumerate() {
            let engine = &mut self.engines[record.engines[record.side_of(index).fold_wb(0, 1)]];
            let Some(time) = turn.time else { continue };
            engine.turns += 1;
            engine.time += time;
            engine.lag += turn.lag;
            engine.lag_max = engine.lag_max.max(turn.lag);
            if let Some(nodes) = turn.nodes {
                engine.nodes = engine.nodes.saturating_add(nodes);
                engine.nodes_time += time;
            }
            if let Some(depth) = turn.depth {
                engine.depth += u64::from(depth);
                engine.depth_turns += 1;
            }
        }
        let loser = record.end.winner().map(|winner| !winner);
        for (side, score) in [
            (Color::White, for_white),
            (Color::Black, for_white.reversed()),
        ] {
            let engine = &mut self.engines[record.engines[side.fold_wb(0, 1)]];
            engine.games.add(score);
            match (&record.end, loser == Some(side)) {
                (GameEnd::Failure { fault, .. }, true) => {
                    *engine.faults.entry(fault.name()).or_default() += 1;
                    if fault.is_fatal() {
                        engine.failures_in_a_row += 1;
                    }
                }
                _ => engine.failures_in_a_row = 0,
            }
        }
    }

    fn add_progress(&mut self) {
        if self.engines.len() != 2 || !self.games.is_multiple_of(self.progress_step) {
            return;
        }
        let total = self.total();
        let Some(estimate) = total.estimate() else {
            return;
        };
        let llr = self.assessment().map(|assessment| assessment.llr);
        self.progress.push(ProgressPoint {
            games: self.games,
            elo: estimate.elo,
            error: estimate.error,
            llr,
        });
        if self.progress.len() >= PROGRESS_MAX {
            let mut keep = false;
            self.progress.retain(|_| {
                keep = !keep;
                !keep
            });
            self.progress_step *= 2;
        }
    }

    /// How many games are counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many pairs wait for their second game.
    pub fn half_pairs(&self) -> usize {
        self.half_pairs.len()
    }

    /// The result between two engines over all variants, seen from `first`.
    pub fn between(&self, first: usize, second: usize) -> Tally {
        let (low, high) = (first.min(second), first.max(second));
        let mut sum = Tally::default();
        for ((_, one, other), tally) in &self.results {
            if (*one, *other) == (low, high) {
                sum.add(tally);
            }
        }
        if first > second {
            sum.games = sum.games.reversed();
            sum.pairs = sum.pairs.reversed();
        }
        sum
    }

    /// The result of the first engine against all others, over all variants.
    pub fn total(&self) -> Tally {
        let mut sum = Tally::default();
        for ((_, first, _), tally) in &self.results {
            if *first == 0 {
                sum.add(tally);
            }
        }
        sum
    }

    /// The test of this match, if it has one.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// Where the test stands; `None` without one, or before it can say anything.
    pub fn assessment(&self) -> Option<Assessment> {
        let total = self.total();
        (total.pairs.pairs() > 0)
            .then(|| self.sprt.as_ref()?.assess(total.pairs).ok())
            .flatten()
    }

    /// Whether the test has come to a decision.
    pub fn is_decided(&self) -> bool {
        self.assessment()
            .is_some_and(|assessment| assessment.decision != Decision::Continue)
    }

    /// Whether a record's fault is the engine's failure to live, and whose.
    pub fn failed_engine(record: &GameRecord) -> Option<(usize, &Fault)> {
        let fault = record.end.fault().filter(|fault| fault.is_fatal())?;
        let loser = !record.end.winner()?;
        Some((record.engines[loser.fold_wb(0, 1)], fault))
    }
}
