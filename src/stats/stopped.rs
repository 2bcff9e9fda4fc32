//! An Elo estimate for a match that a sequential test stopped.
//!
//! A test that stops at a bound stops on a lucky streak: the plain estimate is then too far out.
//! The remedy is to ask, for each true difference, how probable an outcome worse than the observed
//! one was (a later pass, or an earlier failure), and to take the difference for which the answer
//! is one half: the median-unbiased estimate. The path of the log-likelihood ratio is approximated
//! by a Brownian motion between the two bounds. Sources: D. Siegmund, "Sequential Analysis"
//! (1985); M. Van den Bergh, <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>; fishtest's
//! `stats/sprt.py`, with whose values these agree.

use std::f64::consts::PI;

use serde::Serialize;

use super::elo::logistic;
use super::estimate::normal_cdf;
use super::roots::find_root;
use super::{Counts, Sprt, StatsError};

/// Estimates are searched for between minus and plus this many Elo.
const LARGEST_ESTIMATE: f64 = 2000.0;

/// Difference in strength after (or during) a sequential test, in logistic Elo whatever the model.
///
/// Exact for small differences only: for those of hundreds of Elo it says no more than the order
/// of magnitude. An end of the range ±2000 stands for "this or more".
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StoppedEstimate {
    /// Median-unbiased estimate: too high as often as too low.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub elo_low: f64,
    /// Upper end of the 95 % interval.
    pub elo_high: f64,
    /// Probability, 0 to 1, of a worse outcome if the engines were equal.
    pub los: f64,
}

impl StoppedEstimate {
    /// Evaluates the result at which `test` stopped; for a running test, as if it stopped now.
    ///
    /// # Errors
    /// Those of [`Sprt::llr`]; [`StatsError::NoConvergence`] if the result is such (draws only,
    /// say) that the hypotheses can't be told apart in floating point.
    pub fn new(test: &Sprt, counts: impl Into<Counts>) -> Result<Self, StatsError> {
        let path = Path::new(test, counts.into())?;
        Ok(Self {
            elo: path.elo_with_worse_outcome(0.5)?,
            elo_low: path.elo_with_worse_outcome(0.975)?,
            elo_high: path.elo_with_worse_outcome(0.025)?,
            los: path.worse_outcome(0.0),
        })
    }
}

/// The log-likelihood ratio as a random walk, and where it ended.
struct Path {
    /// Of the score of a unit.
    variance: f64,
    score0: f64,
    score1: f64,
    lower: f64,
    upper: f64,
    /// Where it ended, between the bounds.
    llr: f64,
    /// When, in units.
    time: f64,
}

impl Path {
    fn new(test: &Sprt, counts: Counts) -> Result<Self, StatsError> {
        let sample = counts.regularized_sample()?;
        let (mean, variance) = sample.mean_and_variance();
        let (score0, score1) = test.expected_scores(counts, &sample)?;
        let (lower, upper) = test.bounds();
        let slope = (mean - f64::midpoint(score0, score1)) * (score1 - score0) / variance;
        let llr = (slope * sample.units).clamp(lower, upper);
        // A path that ended past a bound is taken to have ended when it crossed it.
        let overshot = llr <= lower || llr >= upper;
        let path = Self {
            variance,
            score0,
            score1,
            lower,
            upper,
            llr,
            time: if overshot { llr / slope } else { sample.units },
        };
        if score1 > score0 && path.time.is_finite() && path.time > 0.0 {
            Ok(path)
        } else {
            Err(StatsError::NoConvergence {
                what: "an estimate after a test whose hypotheses look alike",
                iterations: 0,
            })
        }
    }

    /// Probability of a worse outcome if the true difference were `elo`. Falls as `elo` rises.
    fn worse_outcome(&self, elo: f64) -> f64 {
        let score = logistic(elo);
        let width = self.score1 - self.score0;
        let motion = BrownianMotion {
            drift: (score - f64::midpoint(self.score0, self.score1)) * width / self.variance,
            variance: width.powi(2) / self.variance,
            lower: self.lower,
            upper: self.upper,
        };
        motion.worse_outcome(self.time, self.llr).clamp(0.0, 1.0)
    }

    fn elo_with_worse_outcome(&self, probability: f64) -> Result<f64, StatsError> {
        let difference = |elo: f64| self.worse_outcome(elo) - probability;
        if difference(-LARGEST_ESTIMATE) <= 0.0 {
            return Ok(-LARGEST_ESTIMATE);
        }
        if difference(LARGEST_ESTIMATE) >= 0.0 {
            return Ok(LARGEST_ESTIMATE);
        }
        find_root(
            "an estimate after a test",
            -LARGEST_ESTIMATE,
            LARGEST_ESTIMATE,
            1e-9,
            difference,
        )
    }
}

/// A Brownian motion that starts at 0 and is stopped at either of two bounds.
struct BrownianMotion {
    /// Drift for each unit of time.
    drift: f64,
    /// Variance for each unit of time.
    variance: f64,
    /// Below 0.
    lower: f64,
    /// Above 0.
    upper: f64,
}

impl BrownianMotion {
    /// Probability of an outcome worse than to be at `position` at `time`: to have left at the
    /// lower bound before, to be lower then, or to leave at the upper bound later.
    fn worse_outcome(&self, time: f64, position: f64) -> f64 {
        let width = self.upper - self.lower;
        // The series converges slowly for short times and cancels for strong drifts. In both cases
        // one bound is out of reach, and the approximation that ignores one of them is as good.
        let is_short = self.variance * time / width.powi(2) < 1e-2;
        let is_strong = (self.drift / self.variance * width).abs() > 15.0;
        if is_short || is_strong {
            self.worse_outcome_by_reflection(time, position)
        } else {
            self.worse_outcome_by_series(time, position)
        }
    }

    /// Eigenfunction expansion of the transition density, integrated.
    fn worse_outcome_by_series(&self, time: f64, position: f64) -> f64 {
        const TERMS: u32 = 1000;
        let width = self.upper - self.lower;
        let (start, end) = (-self.lower, position - self.lower);
        let gamma = self.drift / self.variance;
        let decay = |n: f64| {
            let angle = n * PI / width;
            0.5 * self.variance * (angle.powi(2) + gamma.powi(2))
        };
        let first = (-decay(1.0) * time + (end - start) * gamma).exp();
        let mut sum = 0.0;
        for n in (1..=TERMS).map(f64::from) {
            let angle = n * PI / width;
            let relative = (-(decay(n) - decay(1.0)) * time).exp();
            let primitive = 2.0 / width
                * (gamma * (angle * end).sin() - angle * (angle * end).cos())
                / (gamma.powi(2) + angle.powi(2));
            sum += relative * primitive * (angle * start).sin();
            if (first * relative * primitive).abs() <= 1e-12 && n >= 3.0 {
                break;
            }
        }
        self.leaves_at_lower_bound() + first * sum
    }

    /// Probability to leave at the lower bound, ever.
    fn leaves_at_lower_bound(&self) -> f64 {
        let exponent = 2.0 * self.drift / self.variance;
        if (exponent * (self.upper - self.lower)).abs() < 1e-8 {
            self.upper / (self.upper - self.lower)
        } else {
            (exponent * self.upper).exp_m1() * (exponent * self.lower).exp()
                / ((exponent * self.upper).exp() - (exponent * self.lower).exp())
        }
    }

    /// Siegmund's approximation: each bound reflects as if the other weren't there.
    fn worse_outcome_by_reflection(&self, time: f64, position: f64) -> f64 {
        let deviation = (time * self.variance).sqrt();
        let gamma = self.drift / self.variance;
        let offset = self.drift * time;
        normal_cdf((position - offset) / deviation)
            + scaled_normal_cdf(
                2.0 * gamma * self.lower,
                (offset - position + 2.0 * self.lower) / deviation,
            )
            - scaled_normal_cdf(
                2.0 * gamma * self.upper,
                (position - offset - 2.0 * self.upper) / deviation,
            )
    }
}

/// exp(`exponent`) · Φ(`x`), where the exponent never exceeds x²/2: far out, where the factors
/// would over- and underflow, by the asymptotic expansion of Φ.
fn scaled_normal_cdf(exponent: f64, x: f64) -> f64 {
    if x > -10.0 {
        exponent.exp() * normal_cdf(x)
    } else {
        let square = x.powi(2);
        let series = 1.0 - 1.0 / square + 3.0 / square.powi(2) - 15.0 / square.powi(3);
        (exponent - square / 2.0).exp() / (-x * (2.0 * PI).sqrt()) * series
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Estimate, Model, Pentanomial, Trinomial};
    use super::*;

    #[test]
    fn both_methods_agree_where_both_are_good() {
        for (drift, time, position) in
            [(0.002, 900.0, 0.7), (-0.01, 500.0, -1.2), (0.0, 700.0, 0.0)]
        {
            let motion = BrownianMotion {
                drift,
                variance: 0.002,
                lower: -2.9,
                upper: 2.9,
            };
            let series = motion.worse_outcome_by_series(time, position);
            let reflection = motion.worse_outcome_by_reflection(time, position);
            assert!((series - reflection).abs() < 1e-2, "{series} {reflection}");
        }
    }

    #[test]
    fn a_pass_is_worth_less_than_it_looks() {
        let test = Sprt::new(Model::Logistic, 0.0, 5.0, 0.05, 0.05).unwrap();
        let counts = Trinomial {
            wins: 880,
            draws: 1863,
            losses: 759,
        };
        let stopped = StoppedEstimate::new(&test, counts).unwrap();
        assert!(stopped.elo < Estimate::new(counts).unwrap().elo);
        assert!(stopped.elo_low < stopped.elo && stopped.elo < stopped.elo_high);
    }

    #[test]
    fn equal_results_in_a_symmetric_test_estimate_nothing() {
        let test = Sprt::new(Model::Normalized, -5.0, 5.0, 0.05, 0.05).unwrap();
        let stopped = StoppedEstimate::new(&test, Pentanomial([5, 60, 99, 60, 5])).unwrap();
        assert!(stopped.elo.abs() < 1e-6 && (stopped.los - 0.5).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn every_answer_is_finite_and_ordered(
            counts in prop::array::uniform5(prop_oneof![Just(0), 0..20u64, 0..1_000_000u64]),
            elo0 in prop_oneof![-10.0..10.0, -2000.0..2000.0],
            width in prop_oneof![0.1..10.0, 1.0..1500.0],
            alpha in prop_oneof![0.01..0.3, 1e-12..0.49],
        ) {
            let mut counts = counts;
            if counts[..3] == [0; 3] {
                counts[0] = 1;
            }
            for model in [Model::Normalized, Model::Logistic, Model::Bayesian] {
                let test = Sprt::new(model, elo0, elo0 + width, alpha, 0.05).unwrap();
                let [wins, draws, losses, ..] = counts;
                let counts = match model {
                    Model::Bayesian => Counts::from(Trinomial { wins, draws, losses }),
                    _ => Counts::from(Pentanomial(counts)),
                };
                let stopped = StoppedEstimate::new(&test, counts);
                let Ok(StoppedEstimate { elo, elo_low, elo_high, los }) = stopped else {
                    let gave_up = matches!(stopped, Err(StatsError::NoConvergence { .. }));
                    prop_assert!(gave_up, "{stopped:?}");
                    continue;
                };
                prop_assert!([elo, elo_low, elo_high, los].iter().all(|x| x.is_finite()));
                prop_assert!(elo_low <= elo + 1e-6 && elo <= elo_high + 1e-6, "{stopped:?}");
            }
        }
    }
}
