//! The sequential probability ratio test: is the engine elo1 stronger, or only elo0?

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::counts::Sample;
use super::elo::{NELO_PER_T_VALUE, check_elo, draw_elo, logistic};
use super::likelihood::{Hypothesis, log_likelihood_ratio};
use super::{Counts, StatsError};

/// The unit in which `elo0` and `elo1` are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: the difference in standard deviations of a game's score. The length of the
    /// test then depends neither on the draw rate nor on the book.
    #[default]
    Normalized,
    /// Ordinary (logistic) Elo.
    Logistic,
    /// Bayesian Elo, with `draw_elo` estimated from the sample. Wins, draws and losses only.
    Bayesian,
}

impl Model {
    /// The name that [`Model::from_str`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
            Self::Bayesian => "bayesian",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Model {
    type Err = StatsError;

    fn from_str(text: &str) -> Result<Self, StatsError> {
        [Self::Normalized, Self::Logistic, Self::Bayesian]
            .into_iter()
            .find(|model| model.name() == text)
            .ok_or_else(|| StatsError::UnknownModel(text.to_owned()))
    }
}

/// What a test says so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Decision {
    /// Play on.
    #[serde(rename = "continue")]
    Continue,
    /// The test ended; the difference is `elo0` or less.
    H0,
    /// The test ended; the difference is `elo1` or more.
    H1,
}

impl fmt::Display for Decision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Continue => "continue",
            Self::H0 => "H0",
            Self::H1 => "H1",
        })
    }
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Assessment {
    /// Natural logarithm of the likelihood under H1 over that under H0.
    pub llr: f64,
    /// At or below this, H0 is accepted.
    pub lower: f64,
    /// At or above this, H1 is accepted.
    pub upper: f64,
    /// What follows from the three.
    pub decision: Decision,
}

/// A sequential probability ratio test (GSPRT) with checked settings.
///
/// Its error rates hold if it is assessed after every unit (game or pair) or after batches of
/// them. They hold with a margin: a test ends past its bound, not on it, and nothing is subtracted
/// for that overshoot.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    model: Model,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// A test of "the difference is `elo0`" (H0) against "it is `elo1`" (H1), in the unit of
    /// `model`. `alpha` is the probability of accepting H1 when H0 holds, `beta` that of accepting
    /// H0 when H1 holds.
    ///
    /// # Errors
    /// [`StatsError::EloOutOfRange`], [`StatsError::HypothesesNotOrdered`], and those of
    /// [`Sprt::bounds_for`].
    pub fn new(
        model: Model,
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
    ) -> Result<Self, StatsError> {
        check_elo(elo0)?;
        check_elo(elo1)?;
        if elo0 >= elo1 {
            return Err(StatsError::HypothesesNotOrdered { elo0, elo1 });
        }
        Self::bounds_for(alpha, beta)?;
        Ok(Self {
            model,
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// Wald's bounds for the log-likelihood ratio: ln(β / (1 - α)) and ln((1 - β) / α).
    ///
    /// # Errors
    /// [`StatsError::ErrorRateOutOfRange`], [`StatsError::ErrorRatesCross`].
    pub fn bounds_for(alpha: f64, beta: f64) -> Result<(f64, f64), StatsError> {
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(StatsError::ErrorRateOutOfRange { name, value });
            }
        }
        let (lower, upper) = ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln());
        if alpha + beta < 1.0 && lower < 0.0 && upper > 0.0 {
            Ok((lower, upper))
        } else {
            Err(StatsError::ErrorRatesCross { alpha, beta })
        }
    }

    /// The unit of `elo0` and `elo1`.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The difference under H0.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The difference under H1.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// Probability of accepting H1 when H0 holds.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Probability of accepting H0 when H1 holds.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The bounds of the log-likelihood ratio, lower and upper.
    pub fn bounds(&self) -> (f64, f64) {
        let Self { alpha, beta, .. } = self;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The log-likelihood ratio of a result: positive speaks for H1.
    ///
    /// Outcomes that never happened count as a thousandth of a unit, as in fishtest and fastchess.
    ///
    /// # Errors
    /// [`StatsError::NoGames`], [`StatsError::CountTooLarge`],
    /// [`StatsError::BayesianNeedsTrinomial`]; [`StatsError::NoConvergence`] has never been seen.
    pub fn llr(&self, counts: impl Into<Counts>) -> Result<f64, StatsError> {
        let counts = counts.into();
        let sample = counts.regularized_sample()?;
        let (h0, h1) = match self.model {
            Model::Normalized => {
                let t_value = |nelo| nelo / NELO_PER_T_VALUE * sample.games_per_unit.sqrt();
                (
                    Hypothesis::TValue(t_value(self.elo0)),
                    Hypothesis::TValue(t_value(self.elo1)),
                )
            }
            Model::Logistic | Model::Bayesian => {
                let (score0, score1) = self.expected_scores(counts, &sample)?;
                (
                    Hypothesis::ExpectedScore(score0),
                    Hypothesis::ExpectedScore(score1),
                )
            }
        };
        log_likelihood_ratio(&sample, h0, h1)
    }

    /// Log-likelihood ratio, bounds and decision at once.
    ///
    /// # Errors
    /// As for [`Sprt::llr`].
    pub fn assess(&self, counts: impl Into<Counts>) -> Result<Assessment, StatsError> {
        let llr = self.llr(counts)?;
        let (lower, upper) = self.bounds();
        let decision = if llr >= upper {
            Decision::H1
        } else if llr <= lower {
            Decision::H0
        } else {
            Decision::Continue
        };
        Ok(Assessment {
            llr,
            lower,
            upper,
            decision,
        })
    }

    /// Only the decision of [`Sprt::assess`].
    ///
    /// # Errors
    /// As for [`Sprt::llr`].
    pub fn decision(&self, counts: impl Into<Counts>) -> Result<Decision, StatsError> {
        Ok(self.assess(counts)?.decision)
    }

    /// Scores per game that H0 and H1 expect; for normalized Elo with the deviation of the sample,
    /// then possibly outside 0..1.
    pub(super) fn expected_scores(
        &self,
        counts: Counts,
        sample: &Sample,
    ) -> Result<(f64, f64), StatsError> {
        let both = |score: &dyn Fn(f64) -> f64| (score(self.elo0), score(self.elo1));
        match self.model {
            Model::Logistic => Ok(both(&logistic)),
            Model::Normalized => {
                let (_, variance) = sample.mean_and_variance();
                let deviation_per_game = (variance * sample.games_per_unit).sqrt();
                Ok(both(&|nelo| {
                    0.5 + nelo / NELO_PER_T_VALUE * deviation_per_game
                }))
            }
            Model::Bayesian => {
                if let Counts::Pentanomial(pairs) = counts {
                    return Err(StatsError::BayesianNeedsTrinomial(pairs.0));
                }
                let share = |index: usize| sample.outcomes[index].probability;
                let draw_elo = draw_elo([share(2), share(1), share(0)])?;
                Ok(both(&|elo| {
                    0.5 + (logistic(elo - draw_elo) - logistic(-elo - draw_elo)) / 2.0
                }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Pentanomial, Trinomial};
    use super::*;

    fn test_of(model: Model, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap()
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = Sprt::bounds_for(0.05, 0.1).unwrap();
        assert!((lower + 2.251_292).abs() < 1e-6 && (upper - 2.890_372).abs() < 1e-6);
    }

    #[test]
    fn impossible_settings_are_refused_by_name() {
        let new = |elo0, elo1, alpha, beta| Sprt::new(Model::Logistic, elo0, elo1, alpha, beta);
        assert_eq!(
            new(5.0, 5.0, 0.05, 0.05).unwrap_err(),
            StatsError::HypothesesNotOrdered {
                elo0: 5.0,
                elo1: 5.0
            }
        );
        for alpha in [0.0, 1.0, -0.1, 2.0, f64::NAN, f64::INFINITY] {
            let error = new(0.0, 5.0, alpha, 0.05).unwrap_err().to_string();
            assert!(error.contains("alpha"), "{error}");
            let error = new(0.0, 5.0, 0.05, alpha).unwrap_err().to_string();
            assert!(error.contains("beta"), "{error}");
        }
        assert!(matches!(
            new(0.0, 5.0, 0.5, 0.5).unwrap_err(),
            StatsError::ErrorRatesCross { .. }
        ));
        for elo in [f64::NAN, f64::INFINITY, 1e9] {
            assert!(new(-elo, 0.0, 0.05, 0.05).is_err());
            assert!(new(0.0, elo, 0.05, 0.05).is_err());
        }
        assert!("Logistic".parse::<Model>().is_err());
    }

    #[test]
    fn pairs_have_no_bayesian_model() {
        let error = test_of(Model::Bayesian, 0.0, 5.0)
            .llr(Pentanomial([1, 2, 3, 4, 5]))
            .unwrap_err();
        assert_eq!(error, StatsError::BayesianNeedsTrinomial([1, 2, 3, 4, 5]));
    }

    /// Issue 879 of fastchess: the log-likelihood ratio became NaN and the match never ended.
    #[test]
    fn a_lopsided_match_with_wide_bounds_ends() {
        let test = test_of(Model::Normalized, -1500.0, -500.0);
        let lost = Pentanomial([144, 3, 1, 0, 0]);
        assert_eq!(test.decision(lost), Ok(Decision::H0));
        let mirrored = test_of(Model::Normalized, 500.0, 1500.0);
        assert_eq!(mirrored.decision(lost.reversed()), Ok(Decision::H1));
    }

    #[test]
    fn one_pair_decides_nothing() {
        for (elo0, elo1) in [(-1500.0, -500.0), (0.0, 10.0)] {
            let test = test_of(Model::Normalized, elo0, elo1);
            for pair in [[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1]] {
                let assessment = test.assess(Pentanomial(pair)).unwrap();
                assert!(assessment.llr.is_finite());
                if elo0 == 0.0 {
                    assert_eq!(assessment.decision, Decision::Continue, "{assessment:?}");
                }
            }
        }
    }

    fn any_model() -> impl Strategy<Value = Model> {
        prop_oneof![
            Just(Model::Normalized),
            Just(Model::Logistic),
            Just(Model::Bayesian)
        ]
    }

    fn any_count() -> impl Strategy<Value = u64> {
        prop_oneof![
            3 => Just(0),
            3 => 1..30u64,
            2 => 0..100_000u64,
            1 => 0..=1_000_000_000_000_000u64
        ]
    }

    proptest! {
        #[test]
        fn every_test_of_every_result_is_finite(
            model in any_model(),
            counts in prop::array::uniform5(any_count()),
            elo0 in prop_oneof![-20.0..20.0, -4000.0..3999.0],
            width in prop_oneof![0.01..20.0, 1.0..2000.0],
        ) {
            let test = test_of(model, elo0, f64::min(elo0 + width, 4000.0));
            let [wins, draws, losses, ..] = counts;
            if wins + draws + losses > 0 {
                let llr = test.llr(Trinomial { wins, draws, losses });
                prop_assert!(llr.clone().is_ok_and(f64::is_finite), "{llr:?}");
            }
            if model != Model::Bayesian && counts.iter().any(|&count| count > 0) {
                let llr = test.llr(Pentanomial(counts));
                prop_assert!(llr.clone().is_ok_and(f64::is_finite), "{llr:?}");
            }
        }

        #[test]
        fn a_loss_turned_into_a_win_raises_the_llr(
            // Not so in the Bayesian model, whose bounds move with the draw rate.
            model in prop_oneof![Just(Model::Normalized), Just(Model::Logistic)],
            wins in 20..300u64,
            draws in 0..300u64,
            losses in 20..300u64,
            elo0 in -20.0..20.0,
            width in 0.5..20.0,
        ) {
            let test = test_of(model, elo0, elo0 + width);
            let before = test.llr(Trinomial { wins, draws, losses }).unwrap();
            let after = test
                .llr(Trinomial { wins: wins + 1, draws, losses: losses - 1 })
                .unwrap();
            prop_assert!(after > before, "{before} became {after}");
        }

        #[test]
        fn the_mirrored_test_of_the_mirrored_result_has_the_opposite_llr(
            counts in prop::array::uniform5(0..500u64),
            elo0 in -50.0..50.0,
            width in 0.5..50.0,
        ) {
            prop_assume!(counts.iter().any(|&count| count > 0));
            for model in [Model::Normalized, Model::Logistic] {
                let llr = test_of(model, elo0, elo0 + width).llr(Pentanomial(counts)).unwrap();
                let mirrored = test_of(model, -elo0 - width, -elo0)
                    .llr(Pentanomial(counts).reversed())
                    .unwrap();
                prop_assert!((llr + mirrored).abs() < 1e-6 * llr.abs().max(1.0));
            }
        }
    }
}
