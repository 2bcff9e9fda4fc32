//! The cross table: who scored how much against whom, and what ratings follow.

use std::collections::BTreeMap;

use super::linear::{Matrix, apply, invert, multiply};
use super::{ELO_PER_LOGIT, Pairing, StatsError, check_player};

/// Cap on Newton steps.
const STEPS: usize = 200;

/// A Newton step of no more than this (in logits; two millionths of an Elo) ends the search.
const PRECISION: f64 = 1e-8;

/// No step is longer: about 350 Elo.
const LONGEST_STEP: f64 = 2.0;

/// All results between two players, seen from the one with the smaller number.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    games: f64,
    /// Points of the one.
    points: f64,
    /// Points of the other. They add up to the games, but a few of them beside millions of the
    /// other kind would drown in a difference.
    conceded: f64,
    /// Sums over units (games or pairs) of squared length, of that times the score, and of that
    /// times the squared score: the spread around any expected score follows from them.
    squares: [f64; 3],
}

impl Tally {
    fn add(&mut self, units: f64, games_per_unit: f64, mean: f64, variance: f64) {
        let weight = units * games_per_unit.powi(2);
        self.games += units * games_per_unit;
        self.points += units * games_per_unit * mean;
        self.conceded += units * games_per_unit * (1.0 - mean);
        self.squares[0] += weight;
        self.squares[1] += weight * mean;
        self.squares[2] += weight * (mean.powi(2) + variance);
    }

    /// Sum of the squared deviations of the points of each unit from those expected.
    fn spread(&self, expected: f64) -> f64 {
        let [weight, first, second] = self.squares;
        (second - 2.0 * expected * first + expected.powi(2) * weight).max(0.0)
    }
}

/// Who scored how much against whom.
pub(super) struct CrossTable {
    players: usize,
    tallies: BTreeMap<(usize, usize), Tally>,
}

impl CrossTable {
    pub(super) fn new(players: usize, pairings: &[Pairing]) -> Result<Self, StatsError> {
        let mut tallies: BTreeMap<_, Tally> = BTreeMap::new();
        for pairing in pairings {
            let (first, second) = (pairing.first, pairing.second);
            check_player(players, first)?;
            check_player(players, second)?;
            if first == second {
                return Err(StatsError::SelfPairing(first));
            }
            let (key, counts) = if first < second {
                ((first, second), pairing.counts)
            } else {
                ((second, first), pairing.counts.reversed())
            };
            match counts.sample() {
                Ok(sample) => {
                    let (mean, variance) = sample.mean_and_variance();
                    tallies.entry(key).or_default().add(
                        sample.units,
                        sample.games_per_unit,
                        mean,
                        variance,
                    );
                }
                Err(StatsError::NoGames) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { players, tallies })
    }

    /// Nobody played.
    pub(super) fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    pub(super) fn with_virtual_draws(&self, draws: f64) -> Self {
        let mut tallies = self.tallies.clone();
        for tally in tallies.values_mut() {
            tally.add(draws, 1.0, 0.5, 0.0);
        }
        Self {
            players: self.players,
            tallies,
        }
    }

    /// Games played and points scored by one player.
    pub(super) fn played_by(&self, player: usize) -> (f64, f64) {
        self.tallies
            .iter()
            .fold((0.0, 0.0), |(games, points), (&(one, two), tally)| {
                if one == player {
                    (games + tally.games, points + tally.points)
                } else if two == player {
                    (games + tally.games, points + tally.conceded)
                } else {
                    (games, points)
                }
            })
    }

    /// Finite ratings exist if and only if no group took no point from the rest.
    pub(super) fn check_connected(&self) -> Result<(), StatsError> {
        // Everyone to whom a chain of points taken leads from player 0, and from whom to it.
        let taken = |from: usize, to: usize| {
            let key = (from.min(to), from.max(to));
            self.tallies.get(&key).is_some_and(|tally| {
                if from < to {
                    tally.points > 0.0
                } else {
                    tally.conceded > 0.0
                }
            })
        };
        let below = self.reached_from_first(taken);
        let above = self.reached_from_first(|from, to| taken(to, from));
        let members = |is_member: &dyn Fn(usize) -> bool| {
            (0..self.players)
                .filter(|&player| is_member(player))
                .collect()
        };
        if below.contains(&false) {
            Err(StatsError::NotConnected(members(&|player| below[player])))
        } else if above.contains(&false) {
            Err(StatsError::NotConnected(members(&|player| !above[player])))
        } else {
            Ok(())
        }
    }

    fn reached_from_first(&self, leads: impl Fn(usize, usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.players];
        let mut waiting = vec![0];
        reached[0] = true;
        while let Some(from) = waiting.pop() {
            for (to, is_reached) in reached.iter_mut().enumerate() {
                if !*is_reached && leads(from, to) {
                    *is_reached = true;
                    waiting.push(to);
                }
            }
        }
        reached
    }

    /// Newton's method on the logarithm of the likelihood, which is concave; steps that would
    /// lower it are halved. Player 0 stays at 0.
    pub(super) fn most_likely_logits(&self) -> Result<Vec<f64>, StatsError> {
        let mut logits = vec![0.0; self.players];
        let mut likelihood = self.log_likelihood(&logits);
        for _ in 0..STEPS {
            let step = apply(&self.inverse_information(&logits)?, &self.gradient(&logits));
            let longest = step
                .iter()
                .fold(0.0, |longest: f64, x| longest.max(x.abs()));
            if longest < PRECISION {
                return Ok(logits);
            }
            let mut scale = (LONGEST_STEP / longest).min(1.0);
            // Near the top the gain drowns in rounding: a loss that small doesn't count.
            let least = likelihood - 1e-12 * likelihood.abs();
            loop {
                let mut next = logits.clone();
                for (logit, change) in next[1..].iter_mut().zip(&step) {
                    *logit += scale * change;
                }
                let next_likelihood = self.log_likelihood(&next);
                if next_likelihood >= least {
                    (logits, likelihood) = (next, next_likelihood);
                    break;
                }
                scale /= 2.0;
                if scale * longest < PRECISION {
                    return Err(no_ratings(STEPS));
                }
            }
        }
        Err(no_ratings(STEPS))
    }

    fn log_likelihood(&self, logits: &[f64]) -> f64 {
        let logarithm = |one: usize, two: usize| -(logits[two] - logits[one]).exp().ln_1p();
        self.tallies
            .iter()
            .map(|(&(one, two), tally)| {
                tally.points * logarithm(one, two) + tally.conceded * logarithm(two, one)
            })
            .sum()
    }

    /// Slope of the logarithm of the likelihood by the logits of all players but the first.
    fn gradient(&self, logits: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.players];
        for (&(one, two), tally) in &self.tallies {
            let surplus = tally.points * expected(logits, two, one)
                - tally.conceded * expected(logits, one, two);
            gradient[one] += surplus;
            gradient[two] -= surplus;
        }
        gradient.split_off(1)
    }

    /// Inverse of the Fisher information of all players but the first.
    fn inverse_information(&self, logits: &[f64]) -> Result<Matrix, StatsError> {
        let information = self.laplacian(|tally, p, q| tally.games * p * q, logits);
        invert(&information).ok_or_else(|| no_ratings(0))
    }

    /// Covariance of the ratings in squared Elo, relative to player 0.
    pub(super) fn covariance(&self, logits: &[f64]) -> Result<Matrix, StatsError> {
        let inverse = self.inverse_information(logits)?;
        let spread = self.laplacian(|tally, p, _| tally.spread(p), logits);
        let reduced = multiply(&multiply(&inverse, &spread), &inverse);
        let mut covariance = vec![vec![0.0; self.players]; self.players];
        for (row, values) in reduced.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                covariance[row + 1][column + 1] = value * ELO_PER_LOGIT.powi(2);
            }
        }
        Ok(covariance)
    }

    /// The sum over pairings of weight · (u - v)(u - v)ᵀ, where u and v are the unit
    /// vectors of the two players; without row and column 0.
    fn laplacian(&self, weight: impl Fn(&Tally, f64, f64) -> f64, logits: &[f64]) -> Matrix {
        let mut matrix = vec![vec![0.0; self.players - 1]; self.players - 1];
        for (&(one, two), tally) in &self.tallies {
            let weight = weight(
                tally,
                expected(logits, one, two),
                expected(logits, two, one),
            );
            for (row, column, sign) in [
                (one, one, 1.0),
                (two, two, 1.0),
                (one, two, -1.0),
                (two, one, -1.0),
            ] {
                if row > 0 && column > 0 {
                    matrix[row - 1][column - 1] += sign * weight;
                }
            }
        }
        matrix
    }
}

fn expected(logits: &[f64], one: usize, two: usize) -> f64 {
    1.0 / (1.0 + (logits[two] - logits[one]).exp())
}

fn no_ratings(iterations: usize) -> StatsError {
    StatsError::NoConvergence {
        what: "ratings that fit the cross table",
        iterations,
    }
}
