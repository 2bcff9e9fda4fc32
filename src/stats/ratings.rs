//! Joint ratings of many engines from one cross table.
//!
//! The model is that of Bradley and Terry in Elo units, draws counting as half a win each; the
//! ratings are those under which the points actually scored are the most likely. Errors come from
//! the spread of the results themselves (the "sandwich" estimator), so that draws and paired
//! openings narrow them as they should; for two players they agree with
//! [`Estimate`](super::Estimate). Sources: R. A. Bradley and M. E. Terry, Biometrika 39 (1952);
//! L. R. Ford, American Mathematical Monthly 64 (1957), for when ratings exist.

mod cross_table;
mod linear;

use std::f64::consts::LN_10;

use serde::Serialize;

use self::cross_table::CrossTable;
use self::linear::{Matrix, apply};
use super::estimate::{Z_95, likelihood_of_superiority};
use super::{Counts, StatsError};

/// Elo for a unit of the natural logarithm of odds.
const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// Ratings to which others are anchored may be this large.
const LARGEST_ANCHOR: f64 = 100_000.0;

/// Results between two players, seen from the first. Colours don't matter, and the same two may be
/// listed several times, either way round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pairing {
    /// Number of the first player, from 0.
    pub first: usize,
    /// Number of the second player.
    pub second: usize,
    /// What the first scored against the second. May be empty.
    pub counts: Counts,
}

/// Elo differences say nothing of the level; this fixes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// All ratings average to this. Errors are then relative to the field.
    Mean(f64),
    /// One player has a given rating, without error. Errors are then relative to that player.
    Player {
        /// Its number.
        player: usize,
        /// Its rating.
        elo: f64,
    },
}

/// How ratings are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingSettings {
    /// What fixes the level. Default: an average of 0.
    pub anchor: Anchor,
    /// Draws added to the results of every two players who met. Default 0. A fraction is allowed;
    /// any positive number makes ratings exist for players who lost or won all their games.
    pub virtual_draws: f64,
}

impl Default for RatingSettings {
    fn default() -> Self {
        Self {
            anchor: Anchor::Mean(0.0),
            virtual_draws: 0.0,
        }
    }
}

/// One player's line in the table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// Rating in logistic Elo.
    pub elo: f64,
    /// Half the width of its 95 % interval, relative to the anchor.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// Points scored per game, 0 to 1.
    pub score: f64,
}

/// Ratings of a whole field.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    players: Vec<Rating>,
    /// Covariance of the ratings, in squared Elo.
    covariance: Matrix,
}

impl Ratings {
    /// Fits ratings to the results among `players` players.
    ///
    /// # Errors
    /// [`StatsError::NoGames`] if nobody played; [`StatsError::NotConnected`] if no finite ratings
    /// fit best; [`StatsError::UnknownPlayer`], [`StatsError::SelfPairing`],
    /// [`StatsError::CountTooLarge`], [`StatsError::VirtualDrawsOutOfRange`],
    /// [`StatsError::EloOutOfRange`] for values that make no sense.
    pub fn fit(
        players: usize,
        pairings: &[Pairing],
        settings: &RatingSettings,
    ) -> Result<Self, StatsError> {
        check_anchor(players, settings.anchor)?;
        if !(settings.virtual_draws.is_finite() && settings.virtual_draws >= 0.0) {
            return Err(StatsError::VirtualDrawsOutOfRange(settings.virtual_draws));
        }
        let real = CrossTable::new(players, pairings)?;
        if real.is_empty() {
            return Err(StatsError::NoGames);
        }
        let table = real.with_virtual_draws(settings.virtual_draws);
        table.check_connected()?;
        let logits = table.most_likely_logits()?;
        let (level, weights) = match settings.anchor {
            Anchor::Mean(elo) => (elo, vec![1.0 / players as f64; players]),
            Anchor::Player { player, elo } => {
                let mut weights = vec![0.0; players];
                weights[player] = 1.0;
                (elo, weights)
            }
        };
        let covariance = relative_to(&table.covariance(&logits)?, &weights);
        let offset: f64 = logits.iter().zip(&weights).map(|(x, w)| x * w).sum();
        let lines = (0..players)
            .map(|player| {
                let (games, points) = real.played_by(player);
                Rating {
                    elo: level + (logits[player] - offset) * ELO_PER_LOGIT,
                    error: Z_95 * covariance[player][player].max(0.0).sqrt(),
                    games: games as u64,
                    score: if games > 0.0 { points / games } else { 0.5 },
                }
            })
            .collect();
        Ok(Self {
            players: lines,
            covariance,
        })
    }

    /// The lines of the table, by player number.
    pub fn players(&self) -> &[Rating] {
        &self.players
    }

    /// How much stronger `player` is than `other`, in Elo, and half the width of the 95 % interval
    /// of that difference: usually less than the two single errors suggest.
    ///
    /// # Errors
    /// [`StatsError::UnknownPlayer`].
    pub fn difference(&self, player: usize, other: usize) -> Result<(f64, f64), StatsError> {
        let (elo, deviation) = self.difference_and_deviation(player, other)?;
        Ok((elo, Z_95 * deviation))
    }

    /// Probability, 0 to 1, that `player` is stronger than `other`.
    ///
    /// # Errors
    /// [`StatsError::UnknownPlayer`].
    pub fn los(&self, player: usize, other: usize) -> Result<f64, StatsError> {
        let (elo, deviation) = self.difference_and_deviation(player, other)?;
        Ok(likelihood_of_superiority(elo, deviation))
    }

    fn difference_and_deviation(&self, one: usize, two: usize) -> Result<(f64, f64), StatsError> {
        let players = self.players.len();
        check_player(players, one)?;
        check_player(players, two)?;
        let variance =
            self.covariance[one][one] + self.covariance[two][two] - 2.0 * self.covariance[one][two];
        Ok((
            self.players[one].elo - self.players[two].elo,
            variance.max(0.0).sqrt(),
        ))
    }
}

fn check_player(players: usize, player: usize) -> Result<(), StatsError> {
    if player < players {
        Ok(())
    } else {
        Err(StatsError::UnknownPlayer { player, players })
    }
}

fn check_anchor(players: usize, anchor: Anchor) -> Result<(), StatsError> {
    let elo = match anchor {
        Anchor::Mean(elo) => elo,
        Anchor::Player { player, elo } => {
            check_player(players, player)?;
            elo
        }
    };
    if elo.is_finite() && elo.abs() <= LARGEST_ANCHOR {
        Ok(())
    } else {
        Err(StatsError::EloOutOfRange {
            value: elo,
            limit: LARGEST_ANCHOR,
        })
    }
}

/// The covariance of differences from the weighted average of all.
fn relative_to(covariance: &Matrix, weights: &[f64]) -> Matrix {
    let with_average = apply(covariance, weights);
    let of_average: f64 = with_average.iter().zip(weights).map(|(x, w)| x * w).sum();
    covariance
        .iter()
        .zip(&with_average)
        .map(|(row, one)| {
            row.iter()
                .zip(&with_average)
                .map(|(value, other)| value - one - other + of_average)
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Estimate, Pentanomial, Trinomial};
    use super::*;

    fn games(first: usize, second: usize, [wins, draws, losses]: [u64; 3]) -> Pairing {
        Pairing {
            first,
            second,
            counts: Trinomial {
                wins,
                draws,
                losses,
            }
            .into(),
        }
    }

    fn fit(players: usize, pairings: &[Pairing]) -> Result<Ratings, StatsError> {
        Ratings::fit(players, pairings, &RatingSettings::default())
    }

    #[test]
    fn two_players_are_rated_as_by_their_match() {
        let counts = Pentanomial([214, 8992, 19871, 9102, 235]);
        let pairing = Pairing {
            first: 0,
            second: 1,
            counts: counts.into(),
        };
        let ratings = fit(2, &[pairing]).unwrap();
        let estimate = Estimate::new(counts).unwrap();
        let (elo, error) = ratings.difference(0, 1).unwrap();
        assert!((elo - estimate.elo).abs() < 1e-6);
        assert!((error - estimate.error).abs() < 1e-4);
        assert!((ratings.los(0, 1).unwrap() - estimate.los).abs() < 1e-4);
        let [one, two] = ratings.players() else {
            panic!("two players")
        };
        assert!((one.elo + two.elo).abs() < 1e-9);
        assert_eq!(one.games, estimate.games);
        assert!((one.score - estimate.score).abs() < 1e-12);
    }

    #[test]
    fn consistent_results_give_back_the_ratings_behind_them() {
        let truth = [120.0, 0.0, -200.0, 80.0];
        let mut pairings = Vec::new();
        for one in 0..truth.len() {
            for two in one + 1..truth.len() {
                let score = super::super::expected_score(truth[one] - truth[two]).unwrap();
                let wins = (score * 1e6).round() as u64;
                pairings.push(games(two, one, [1_000_000 - wins, 0, wins]));
            }
        }
        let ratings = fit(4, &pairings).unwrap();
        for (rating, elo) in ratings.players().iter().zip(truth) {
            assert!((rating.elo - elo).abs() < 1e-2, "{rating:?} {elo}");
        }
    }

    #[test]
    fn an_anchor_fixes_its_player() {
        let pairings = [games(0, 1, [5, 3, 2]), games(1, 2, [4, 4, 2])];
        let settings = RatingSettings {
            anchor: Anchor::Player {
                player: 2,
                elo: 2500.0,
            },
            ..RatingSettings::default()
        };
        let ratings = Ratings::fit(3, &pairings, &settings).unwrap();
        let anchored = ratings.players()[2];
        assert!((anchored.elo - 2500.0).abs() < 1e-9 && anchored.error.abs() < 1e-9);
        let free = fit(3, &pairings).unwrap();
        let (one, other) = (
            ratings.difference(0, 2).unwrap(),
            free.difference(0, 2).unwrap(),
        );
        assert!((one.0 - other.0).abs() < 1e-9 && (one.1 - other.1).abs() < 1e-9);
        assert!((ratings.players()[0].error - one.1).abs() < 1e-9);
    }

    #[test]
    fn groups_that_cannot_be_compared_are_named() {
        let won_all = [games(0, 1, [5, 1, 2]), games(2, 0, [3, 0, 0])];
        assert_eq!(fit(3, &won_all), Err(StatsError::NotConnected(vec![0, 1])));
        let lost_all = [games(0, 1, [5, 1, 2]), games(2, 0, [0, 0, 3])];
        assert_eq!(fit(3, &lost_all), Err(StatsError::NotConnected(vec![2])));
        let apart = [games(0, 1, [5, 1, 2]), games(2, 3, [1, 1, 1])];
        assert_eq!(fit(4, &apart), Err(StatsError::NotConnected(vec![0, 1])));
        let settings = RatingSettings {
            virtual_draws: 0.5,
            ..RatingSettings::default()
        };
        let ratings = Ratings::fit(3, &lost_all, &settings).unwrap();
        assert!(ratings.players()[2].elo < ratings.players()[1].elo);
        assert_eq!(ratings.players()[2].games, 3);
        assert!(Ratings::fit(4, &apart, &settings).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(fit(0, &[]), Err(StatsError::NoGames));
        assert_eq!(fit(2, &[games(0, 1, [0, 0, 0])]), Err(StatsError::NoGames));
        assert_eq!(
            fit(2, &[games(1, 1, [1, 0, 1])]),
            Err(StatsError::SelfPairing(1))
        );
        assert_eq!(
            fit(2, &[games(0, 2, [1, 0, 1])]),
            Err(StatsError::UnknownPlayer {
                player: 2,
                players: 2
            })
        );
        let table = [games(0, 1, [1, 1, 1])];
        for settings in [
            RatingSettings {
                virtual_draws: f64::NAN,
                ..RatingSettings::default()
            },
            RatingSettings {
                anchor: Anchor::Mean(f64::INFINITY),
                ..RatingSettings::default()
            },
            RatingSettings {
                anchor: Anchor::Player {
                    player: 7,
                    elo: 0.0,
                },
                ..RatingSettings::default()
            },
        ] {
            assert!(Ratings::fit(2, &table, &settings).is_err(), "{settings:?}");
        }
    }

    proptest! {
        #[test]
        fn every_table_is_rated_or_refused(
            table in prop::collection::vec((0..5usize, 0..5usize, prop::array::uniform3(prop_oneof![Just(0), 0..9u64, 0..1_000_000u64])), 1..15),
            virtual_draws in prop_oneof![Just(0.0), 0.001..2.0],
        ) {
            let pairings: Vec<Pairing> = table
                .into_iter()
                .filter(|(one, two, _)| one != two)
                .map(|(one, two, counts)| games(one, two, counts))
                .collect();
            let settings = RatingSettings { virtual_draws, ..RatingSettings::default() };
            match Ratings::fit(5, &pairings, &settings) {
                Ok(ratings) => prop_assert!(ratings
                    .players()
                    .iter()
                    .all(|r| [r.elo, r.error, r.score].iter().all(|x| x.is_finite()))),
                Err(StatsError::NotConnected(group)) => prop_assert!(!group.is_empty() && group.len() < 5),
                Err(error) => prop_assert_eq!(error, StatsError::NoGames),
            }
        }
    }
}
