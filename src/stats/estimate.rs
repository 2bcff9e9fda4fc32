//! Elo and its relatives for one pairing, without a test.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::counts::{Sample, advantage};
use super::elo::{NELO_PER_T_VALUE, elo_from_clamped_score, elo_from_score};
use super::{Counts, StatsError};

/// Half width of a 95 % interval in standard deviations.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// What a result says about the difference in strength, seen from the first engine.
///
/// Every number in it is finite. A number that doesn't exist for the result at hand is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// Games played.
    pub games: u64,
    /// Pairs played, if pairs were counted.
    pub pairs: Option<u64>,
    /// Points per game, 0 to 1.
    pub score: f64,
    /// Logistic Elo difference. For a score of 0 or 1, which has none, that of the score clamped
    /// to 0.001..0.999.
    pub elo: f64,
    /// Half the width of the 95 % interval of the score, carried over to Elo. An interval that
    /// reaches 0 or 1 is clamped likewise.
    pub error: f64,
    /// Lower end of that interval.
    pub elo_low: f64,
    /// Upper end of that interval.
    pub elo_high: f64,
    /// Normalized Elo: the score above one half in standard deviations of a game's score, times
    /// [`NELO_PER_T_VALUE`]. `None` if all results are alike: then there is no deviation.
    pub nelo: Option<f64>,
    /// Half the width of the 95 % interval of `nelo`.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority: the probability, 0 to 1, that the first engine is the stronger.
    pub los: f64,
    /// Share of draws among games; for pairs, share of pairs that ended one point each.
    pub draw_ratio: f64,
    /// Pairs won for each pair lost. `None` for single games, or if no pair was lost.
    pub pair_ratio: Option<f64>,
}

impl Estimate {
    /// Evaluates a result. Formulas as in fastchess (`Elo` classes) and fishtest
    /// (`stat_util.get_elo`), with the normal approximation for the interval of the score.
    ///
    /// # Errors
    /// [`StatsError::NoGames`], [`StatsError::CountTooLarge`].
    pub fn new(counts: impl Into<Counts>) -> Result<Self, StatsError> {
        let counts = counts.into();
        let sample = counts.sample()?;
        let (score, variance) = sample.mean_and_variance();
        let advantage = advantage(&sample.outcomes);
        let (elo_low, elo_high) = match score_interval(&sample) {
            (low, high) if low > 0.0 && high < 1.0 => (elo_from_score(low)?, elo_from_score(high)?),
            _ => {
                let (low, high) = score_interval(&counts.regularized_sample()?);
                (elo_from_clamped_score(low), elo_from_clamped_score(high))
            }
        };
        let elo = if score > 0.0 && score < 1.0 {
            elo_from_score(score)?
        } else {
            elo_from_clamped_score(counts.regularized_sample()?.mean_and_variance().0)
        };
        let games = sample.units * sample.games_per_unit;
        let deviation_per_game = (variance * sample.games_per_unit).sqrt();
        let nelo =
            (deviation_per_game > 0.0).then(|| advantage / deviation_per_game * NELO_PER_T_VALUE);
        Ok(Self {
            games: counts.games(),
            pairs: counts.pairs(),
            score,
            elo,
            error: (elo_high - elo_low) / 2.0,
            elo_low,
            elo_high,
            nelo,
            nelo_error: nelo.map(|_| Z_95 / games.sqrt() * NELO_PER_T_VALUE),
            los: likelihood_of_superiority(advantage, (variance / sample.units).sqrt()),
            draw_ratio: sample.outcomes[sample.outcomes.len() / 2].probability,
            pair_ratio: pair_ratio(counts),
        })
    }
}

/// 95 % interval of the mean score; its ends may lie outside 0..1.
fn score_interval(sample: &Sample) -> (f64, f64) {
    let (score, variance) = sample.mean_and_variance();
    let half = Z_95 * (variance / sample.units).sqrt();
    (score - half, score + half)
}

/// Probability that a quantity estimated as `difference` with a normal error of `deviation` is
/// positive. Without any deviation the sign decides, and no difference is even odds.
pub(super) fn likelihood_of_superiority(difference: f64, deviation: f64) -> f64 {
    if deviation > 0.0 {
        normal_cdf(difference / deviation)
    } else if difference == 0.0 {
        0.5
    } else if difference > 0.0 {
        1.0
    } else {
        0.0
    }
}

/// Distribution function of the standard normal law.
pub(super) fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

fn pair_ratio(counts: Counts) -> Option<f64> {
    let Counts::Pentanomial(pairs) = counts else {
        return None;
    };
    let [ll, ld, _, wd, ww] = pairs.0;
    let lost = ll + ld;
    (lost > 0).then(|| (ww + wd) as f64 / lost as f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Pentanomial, Trinomial};
    use super::*;

    fn of_games(wins: u64, draws: u64, losses: u64) -> Estimate {
        Estimate::new(Trinomial {
            wins,
            draws,
            losses,
        })
        .unwrap()
    }

    #[test]
    fn a_clean_sweep_has_finite_elo_and_no_nelo() {
        let estimate = of_games(4250, 0, 0);
        assert!((estimate.elo - 1_199.826_195).abs() < 1e-5);
        assert!(estimate.error.abs() < 1e-5);
        assert_eq!((estimate.nelo, estimate.nelo_error), (None, None));
        assert!((estimate.los - 1.0).abs() < 1e-12);
    }

    #[test]
    fn one_game_says_little() {
        let estimate = of_games(1, 0, 0);
        assert!(estimate.elo > 1000.0 && estimate.error > 300.0);
    }

    #[test]
    fn draws_only_are_even() {
        let estimate = of_games(0, 17, 0);
        assert!(estimate.elo.abs() < 1e-12 && estimate.error.abs() < 1e-12);
        assert!((estimate.los - 0.5).abs() < 1e-12);
        assert!((estimate.draw_ratio - 1.0).abs() < 1e-12);
        assert_eq!(estimate.nelo, None);
    }

    #[test]
    fn ratios_of_pairs() {
        let estimate = Estimate::new(Pentanomial([1, 2, 4, 5, 1])).unwrap();
        assert_eq!(estimate.pair_ratio, Some(2.0));
        assert!((estimate.draw_ratio - 4.0 / 13.0).abs() < 1e-15);
        assert_eq!((estimate.games, estimate.pairs), (26, Some(13)));
        let unbeaten = Estimate::new(Pentanomial([0, 0, 4, 5, 1])).unwrap();
        assert_eq!(unbeaten.pair_ratio, None);
    }

    fn is_finite(estimate: &Estimate) -> bool {
        let Estimate {
            score,
            elo,
            error,
            elo_low,
            elo_high,
            los,
            draw_ratio,
            ..
        } = *estimate;
        [score, elo, error, elo_low, elo_high, los, draw_ratio]
            .into_iter()
            .chain(estimate.nelo)
            .chain(estimate.nelo_error)
            .chain(estimate.pair_ratio)
            .all(f64::is_finite)
            && error >= 0.0
            && (0.0..=1.0).contains(&los)
    }

    fn any_count() -> impl Strategy<Value = u64> {
        prop_oneof![
            2 => Just(0),
            3 => 1..20u64,
            2 => 0..100_000u64,
            1 => 0..=1_000_000_000_000_000u64
        ]
    }

    proptest! {
        #[test]
        fn every_result_is_finite_and_antisymmetric(counts: [u64; 5], small in prop::array::uniform5(any_count())) {
            for pairs in [Pentanomial(counts), Pentanomial(small)] {
                let Ok(estimate) = Estimate::new(pairs) else { continue };
                prop_assert!(is_finite(&estimate), "{estimate:?}");
                let reversed = Estimate::new(pairs.reversed()).unwrap();
                prop_assert!((estimate.los + reversed.los - 1.0).abs() < 1e-7);
                prop_assert!((estimate.score + reversed.score - 1.0).abs() < 1e-12);
            }
            let [wins, draws, losses, ..] = small;
            if let Ok(estimate) = Estimate::new(Trinomial { wins, draws, losses }) {
                prop_assert!(is_finite(&estimate), "{estimate:?}");
            }
        }

        #[test]
        fn a_better_result_never_lowers_elo(wins in 1..500u64, draws in 0..500u64, losses in 1..500u64) {
            let before = of_games(wins, draws, losses);
            prop_assert!(of_games(wins + 1, draws, losses).elo > before.elo);
            prop_assert!(of_games(wins, draws, losses + 1).elo < before.elo);
            prop_assert!(of_games(wins + 1, draws, losses - 1).elo > before.elo);
            prop_assert!(of_games(wins + 1, draws, losses - 1).los >= before.los);
        }

        #[test]
        fn more_games_of_the_same_kind_shrink_the_error(wins in 1..50u64, draws in 0..50u64, losses in 1..50u64) {
            let few = of_games(10 * wins, 10 * draws, 10 * losses);
            let many = of_games(40 * wins, 40 * draws, 40 * losses);
            prop_assert!(many.error < few.error);
            prop_assert!((few.nelo_error.unwrap() / many.nelo_error.unwrap() - 2.0).abs() < 1e-9);
        }
    }
}
