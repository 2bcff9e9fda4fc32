//! Results as counted: of single games, and of game pairs.

use serde::{Deserialize, Serialize};

use super::StatsError;

/// Above this a count is refused: twice five of them still add up exactly in a double.
const LARGEST_COUNT: u64 = 1_000_000_000_000_000;

/// What an outcome that never happened counts for in a likelihood, so that its logarithm exists.
/// Both fishtest (`LLRcalc.regularize`) and fastchess use this value.
const PSEUDO_COUNT: f64 = 1e-3;

/// Result of one game, seen from the first engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameScore {
    /// One point.
    Win,
    /// Half a point.
    Draw,
    /// No point.
    Loss,
}

impl GameScore {
    /// The same game seen from the other engine.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    fn half_points(self) -> usize {
        match self {
            Self::Win => 2,
            Self::Draw => 1,
            Self::Loss => 0,
        }
    }
}

/// Counts of single games, seen from the first engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Trinomial {
    /// Counts one more game.
    pub fn add(&mut self, score: GameScore) {
        let count = match score {
            GameScore::Win => &mut self.wins,
            GameScore::Draw => &mut self.draws,
            GameScore::Loss => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }

    /// Number of games (saturating).
    pub fn games(&self) -> u64 {
        self.wins
            .saturating_add(self.draws)
            .saturating_add(self.losses)
    }

    /// The same games seen from the other engine.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// Counts of game pairs (same opening, colours swapped) by the points that the first engine took
/// from the pair: `[0, ½, 1, 1½, 2]`, that is `[LL, LD, WL + DD, WD, WW]`.
///
/// Pairs are the better unit: the two games of one opening aren't independent, and counting them
/// as if they were gives a wrong error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one more pair, given the two results seen from the first engine.
    pub fn add_pair(&mut self, one: GameScore, other: GameScore) {
        let count = &mut self.0[one.half_points() + other.half_points()];
        *count = count.saturating_add(1);
    }

    /// Number of pairs (saturating).
    pub fn pairs(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |sum: u64, &count| sum.saturating_add(count))
    }

    /// The same pairs seen from the other engine.
    #[must_use]
    pub fn reversed(self) -> Self {
        let [ll, ld, middle, wd, ww] = self.0;
        Self([ww, wd, middle, ld, ll])
    }
}

/// Counts of either kind; every function that takes results takes `impl Into<Counts>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Counts {
    /// Single games.
    Trinomial(Trinomial),
    /// Game pairs.
    Pentanomial(Pentanomial),
}

impl From<Trinomial> for Counts {
    fn from(counts: Trinomial) -> Self {
        Self::Trinomial(counts)
    }
}

impl From<Pentanomial> for Counts {
    fn from(counts: Pentanomial) -> Self {
        Self::Pentanomial(counts)
    }
}

impl Counts {
    /// Number of games (saturating); a pair is two.
    pub fn games(&self) -> u64 {
        match self {
            Self::Trinomial(counts) => counts.games(),
            Self::Pentanomial(counts) => counts.pairs().saturating_mul(2),
        }
    }

    /// Number of pairs, if pairs were counted (saturating).
    pub fn pairs(&self) -> Option<u64> {
        match self {
            Self::Trinomial(_) => None,
            Self::Pentanomial(counts) => Some(counts.pairs()),
        }
    }

    /// The same results seen from the other engine.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Trinomial(counts) => Self::Trinomial(counts.reversed()),
            Self::Pentanomial(counts) => Self::Pentanomial(counts.reversed()),
        }
    }

    /// Counts from the worst outcome to the best.
    fn ascending(&self) -> Vec<u64> {
        match self {
            Self::Trinomial(counts) => vec![counts.losses, counts.draws, counts.wins],
            Self::Pentanomial(counts) => counts.0.to_vec(),
        }
    }

    fn games_per_unit(&self) -> f64 {
        match self {
            Self::Trinomial(_) => 1.0,
            Self::Pentanomial(_) => 2.0,
        }
    }

    /// The empirical distribution.
    ///
    /// # Errors
    /// [`StatsError::NoGames`], [`StatsError::CountTooLarge`].
    pub(super) fn sample(&self) -> Result<Sample, StatsError> {
        self.sample_with_pseudo_count(0.0)
    }

    /// The empirical distribution in which every outcome has a share: one that never happened
    /// counts as a thousandth.
    ///
    /// # Errors
    /// [`StatsError::NoGames`], [`StatsError::CountTooLarge`].
    pub(super) fn regularized_sample(&self) -> Result<Sample, StatsError> {
        self.sample_with_pseudo_count(PSEUDO_COUNT)
    }

    fn sample_with_pseudo_count(&self, pseudo_count: f64) -> Result<Sample, StatsError> {
        let counts = self.ascending();
        if let Some(&value) = counts.iter().find(|&&count| count > LARGEST_COUNT) {
            return Err(StatsError::CountTooLarge {
                value,
                limit: LARGEST_COUNT,
            });
        }
        if counts.iter().all(|&count| count == 0) {
            return Err(StatsError::NoGames);
        }
        let weights = counts.iter().map(|&count| match count {
            0 => pseudo_count,
            count => count as f64,
        });
        let units: f64 = weights.clone().sum();
        let best = (counts.len() - 1) as f64;
        let outcomes = weights
            .enumerate()
            .map(|(index, weight)| Outcome {
                score: index as f64 / best,
                probability: weight / units,
            })
            .collect();
        Ok(Sample {
            outcomes,
            units,
            games_per_unit: self.games_per_unit(),
        })
    }
}

/// One possible outcome of a unit (a game or a pair).
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    /// Points per game, 0 to 1.
    pub(super) score: f64,
    /// Share of the units that ended so, 0 to 1.
    pub(super) probability: f64,
}

/// Mean of the score per game above one half; summed as such, so that nothing of a small
/// difference is lost.
pub(super) fn advantage(outcomes: &[Outcome]) -> f64 {
    outcomes
        .iter()
        .map(|o| o.probability * (o.score - 0.5))
        .sum()
}

/// Mean and variance of the score per game over a distribution of outcomes.
pub(super) fn mean_and_variance(outcomes: &[Outcome]) -> (f64, f64) {
    let mean = 0.5 + advantage(outcomes);
    let variance = outcomes
        .iter()
        .map(|o| o.probability * (o.score - mean).powi(2))
        .sum();
    (mean, variance)
}

/// An empirical distribution and how many units it was drawn from.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// Outcomes in ascending order of score; their probabilities add up to 1.
    pub(super) outcomes: Vec<Outcome>,
    /// Number of units: games or pairs (with pseudo counts, if any).
    pub(super) units: f64,
    /// 1 for single games, 2 for pairs.
    pub(super) games_per_unit: f64,
}

impl Sample {
    /// Mean and variance of the score of one unit.
    pub(super) fn mean_and_variance(&self) -> (f64, f64) {
        mean_and_variance(&self.outcomes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_pairs_are_counted_where_they_belong() {
        let mut games = Trinomial::default();
        let mut pairs = Pentanomial::default();
        for (one, other) in [
            (GameScore::Win, GameScore::Loss),
            (GameScore::Draw, GameScore::Draw),
            (GameScore::Win, GameScore::Draw),
            (GameScore::Loss, GameScore::Loss),
        ] {
            games.add(one);
            games.add(other);
            pairs.add_pair(one, other);
        }
        assert_eq!(
            games,
            Trinomial {
                wins: 2,
                draws: 3,
                losses: 3
            }
        );
        assert_eq!(pairs, Pentanomial([1, 0, 2, 1, 0]));
        assert_eq!(Counts::from(pairs).games(), Counts::from(games).games());
        assert_eq!(pairs.reversed(), Pentanomial([0, 1, 2, 0, 1]));
        assert_eq!(games.reversed().wins, 3);
    }

    #[test]
    fn empty_and_enormous_counts_are_refused() {
        let none = Counts::from(Pentanomial::default());
        assert_eq!(none.sample().unwrap_err(), StatsError::NoGames);
        assert_eq!(none.regularized_sample().unwrap_err(), StatsError::NoGames);
        let enormous = Counts::from(Trinomial {
            wins: u64::MAX,
            draws: u64::MAX,
            losses: 1,
        });
        assert_eq!(enormous.games(), u64::MAX);
        assert_eq!(
            enormous.sample().unwrap_err(),
            StatsError::CountTooLarge {
                value: u64::MAX,
                limit: LARGEST_COUNT
            }
        );
    }

    #[test]
    fn a_regularized_sample_gives_every_outcome_a_share() {
        let sample = Counts::from(Pentanomial([0, 0, 0, 0, 10]))
            .regularized_sample()
            .unwrap();
        assert!(sample.outcomes.iter().all(|o| o.probability > 0.0));
        let total: f64 = sample.outcomes.iter().map(|o| o.probability).sum();
        assert!((total - 1.0).abs() < 1e-15);
        assert!((sample.units - 10.004).abs() < 1e-12);
    }
}
