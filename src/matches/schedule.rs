//! Which games a match has, in which order, and with which seeds: a pure function of the
//! configuration and a game's number, so that a resumed match has the same games.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    config::{Format, MatchConfig},
    random::Random,
};
use crate::rules::Color;

/// The number of a game in its match, from 0. Games 2n and 2n+1 are a pair: the same opening with
/// colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameNumber(pub u64);

impl GameNumber {
    /// The number of its pair.
    pub fn pair(self) -> u64 {
        self.0 / 2
    }
}

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTask {
    /// Its number.
    pub number: GameNumber,
    /// The round, from 0, which decides the opening.
    pub round: u64,
    /// Index of the variant.
    pub variant: usize,
    /// Indices of the engines, white's first.
    pub engines: [usize; 2],
    /// What each engine's random choices may derive from, white's first.
    pub seeds: [u64; 2],
}

/// Who meets whom, as indices of engines.
pub fn pairings(format: Format, engines: usize) -> Vec<(usize, usize)> {
    match format {
        Format::Gauntlet => (1..engines).map(|other| (0, other)).collect(),
        Format::RoundRobin => (0..engines)
            .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
            .collect(),
    }
}

/// What random numbers are for, so that no two uses share a stream.
const GAME: u64 = 3;

/// The games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    variants: usize,
    rounds: u64,
    seed: u64,
}

impl Schedule {
    /// The schedule of a match. Rounds come one after another; in each round every variant, in
    /// each of these every pairing, with the same opening.
    pub fn new(config: &MatchConfig) -> Schedule {
        Schedule {
            pairings: pairings(config.format, config.engines.len()),
            variants: config.variants.len(),
            rounds: config.rounds,
            seed: config.seed,
        }
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        2 * self.rounds * (self.pairings.len() * self.variants) as u64
    }

    /// Game `number`, which must be below [`Schedule::games`].
    pub fn game(&self, number: GameNumber) -> GameTask {
        let pairings = self.pairings.len() as u64;
        let pair = number.pair();
        let (first, second) = self.pairings[(pair % pairings) as usize];
        let variant = (pair / pairings) % self.variants as u64;
        let swapped = number.0 % 2 == 1;
        let seed = |color: Color| {
            Random::new(&[self.seed, GAME, pair, u64::from(swapped), color as u64]).next()
        };
        GameTask {
            number,
            round: pair / (pairings * self.variants as u64),
            variant: variant as usize,
            engines: if swapped {
                [second, first]
            } else {
                [first, second]
            },
            seeds: [seed(Color::White), seed(Color::Black)],
        }
    }
}

/// The games that are still to be played, handed out in order.
#[derive(Clone, Debug)]
pub struct Agenda {
    schedule: Schedule,
    done: BTreeSet<u64>,
    next: u64,
}

impl Agenda {
    /// All games but those that are done.
    pub fn new(schedule: Schedule, done: impl IntoIterator<Item = GameNumber>) -> Agenda {
        Agenda {
            schedule,
            done: done.into_iter().map(|number| number.0).collect(),
            next: 0,
        }
    }

    /// The next game.
    pub fn take(&mut self) -> Option<GameTask> {
        while self.done.remove(&self.next) {
            self.next += 1;
        }
        if self.next >= self.schedule.games() {
            return None;
        }
        self.next += 1;
        Some(self.schedule.game(GameNumber(self.next - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> Schedule {
        Schedule {
            pairings: pairings(Format::RoundRobin, 3),
            variants: 2,
            rounds: 2,
            seed: 1,
        }
    }

    #[test]
    fn every_pairing_plays_every_variant_with_both_colours() {
        let schedule = schedule();
        assert_eq!(schedule.games(), 24);
        let tasks: Vec<GameTask> = (0..24)
            .map(|number| schedule.game(GameNumber(number)))
            .collect();
        for round in 0..2 {
            for variant in 0..2 {
                for (first, second) in [(0, 1), (0, 2), (1, 2)] {
                    for engines in [[first, second], [second, first]] {
                        let count = tasks
                            .iter()
                            .filter(|task| {
                                (task.round, task.variant, task.engines)
                                    == (round, variant, engines)
                            })
                            .count();
                        assert_eq!(count, 1);
                    }
                }
            }
        }
        assert_eq!(pairings(Format::Gauntlet, 4), [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn an_agenda_leaves_out_what_is_done_and_loses_nothing() {
        let done = [GameNumber(0), GameNumber(3), GameNumber(4), GameNumber(23)];
        let mut agenda = Agenda::new(schedule(), done);
        let numbers: Vec<u64> = std::iter::from_fn(|| agenda.take())
            .map(|task| task.number.0)
            .collect();
        let expected: Vec<u64> = (0..24)
            .filter(|number| ![0, 3, 4, 23].contains(number))
            .collect();
        assert_eq!(numbers, expected);
        assert_eq!(agenda.take(), None);
    }
}
