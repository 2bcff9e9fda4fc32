//! The generalized log-likelihood ratio of two hypotheses about a multinomial distribution.
//!
//! Each hypothesis fixes one number (the expected score, or the t-value) and leaves the rest of
//! the distribution free: its likelihood is that of the most likely distribution that satisfies
//! it. This is the exact ratio, not the normal approximation, which fails for large differences.
//! Sources: M. Van den Bergh, <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf> and
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.

use super::StatsError;
use super::counts::{Outcome, Sample, mean_and_variance};
use super::roots::find_root;

/// What a hypothesis fixes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hypothesis {
    /// The expected score of a unit, strictly between 0 and 1.
    ExpectedScore(f64),
    /// (expected score - ½) / standard deviation, both of one unit.
    TValue(f64),
}

/// Beyond this t-value several starts are tried; for smaller ones, random starts over
/// random counts never found a fit that was better by more than rounding.
const SEVERAL_STARTS: f64 = 0.05;

/// Cap on the steps of the iteration for t-values.
const STEPS: usize = 500;

/// How far a fitted t-value may be off: more than rounding leaves, less than anyone can see.
const T_VALUE_TOLERANCE: f64 = 1e-7;

/// Natural logarithm of the likelihood under `h1` over that under `h0`. Every outcome of the
/// sample needs a share (see `Counts::regularized_sample`).
///
/// # Errors
/// [`StatsError::NoConvergence`].
pub(super) fn log_likelihood_ratio(
    sample: &Sample,
    h0: Hypothesis,
    h1: Hypothesis,
) -> Result<f64, StatsError> {
    let observed = &sample.outcomes;
    let (fit0, fit1) = (most_likely(observed, h0)?, most_likely(observed, h1)?);
    let mean_log_ratio: f64 = observed
        .iter()
        .zip(fit0.iter().zip(&fit1))
        .map(|(o, (p0, p1))| o.probability * (p1.probability / p0.probability).ln())
        .sum();
    let ratio = sample.units * mean_log_ratio;
    if ratio.is_finite() {
        Ok(ratio)
    } else {
        Err(StatsError::NoConvergence {
            what: "a finite log-likelihood ratio",
            iterations: 0,
        })
    }
}

/// The distribution most likely to give `observed` among those that satisfy `hypothesis`.
fn most_likely(observed: &[Outcome], hypothesis: Hypothesis) -> Result<Vec<Outcome>, StatsError> {
    match hypothesis {
        Hypothesis::ExpectedScore(score) => most_likely_with_score(observed, score),
        // No difference has a t-value of 0 whatever its deviation.
        Hypothesis::TValue(0.0) => most_likely_with_score(observed, 0.5),
        Hypothesis::TValue(t) => most_likely_with_t_value(observed, t),
    }
}

fn most_likely_with_score(observed: &[Outcome], score: f64) -> Result<Vec<Outcome>, StatsError> {
    most_likely_orthogonal(observed, |outcome| outcome.score - score)
}

/// The distribution most likely to give `observed` among those under which `weight` has mean 0;
/// `weight` must take both signs.
///
/// It is p / (1 + x·w) for each outcome, where x is the root of Σ p·w / (1 + x·w) (proposition 1.1
/// of the first source). That sum decreases in x between its poles at -1 / max w and -1 / min w.
/// For lopsided results the root lies so close to a pole that it is searched for by the logarithm
/// of its distance from the pole; each 1 + x·w is then computed without cancellation.
fn most_likely_orthogonal(
    observed: &[Outcome],
    weight: impl Fn(&Outcome) -> f64,
) -> Result<Vec<Outcome>, StatsError> {
    let weights: Vec<f64> = observed.iter().map(weight).collect();
    let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = weights.iter().copied().fold(f64::INFINITY, f64::min);
    if !(smallest < 0.0 && largest > 0.0) {
        return Err(StatsError::NoConvergence {
            what: "a likelihood: no distribution satisfies the hypothesis",
            iterations: 0,
        });
    }
    // 1 + x·w at x = -1 / pole + distance.
    let denominator = |pole: f64, distance: f64, w: f64| (pole - w) / pole + distance * w;
    let mean_weight = |pole: f64, distance: f64| -> f64 {
        observed
            .iter()
            .zip(&weights)
            .map(|(o, &w)| o.probability * w / denominator(pole, distance, w))
            .sum()
    };
    let half_width = (1.0 / largest - 1.0 / smallest) / 2.0;
    let (pole, direction) = if mean_weight(largest, half_width) <= 0.0 {
        (largest, 1.0)
    } else {
        (smallest, -1.0)
    };
    // No probability exceeds 1, so that 1 + x·w >= p, which bounds the distance from below.
    let nearest = observed
        .iter()
        .zip(&weights)
        .filter(|&(_, &w)| w / pole >= 1.0)
        .map(|(o, _)| o.probability / pole.abs())
        .fold(0.0, f64::max);
    let (low, high) = (nearest.ln(), half_width.ln());
    let signed = |logarithm: f64| mean_weight(pole, direction * logarithm.exp());
    // The bracket is exact in theory; rounding may put the root on an end of it.
    let logarithm = if low >= high || direction * signed(low) <= 0.0 {
        low.min(high)
    } else if direction * signed(high) >= 0.0 {
        high
    } else {
        find_root("a Lagrange multiplier", low, high, 1e-16, signed)?
    };
    let distance = direction * logarithm.exp();
    Ok(observed
        .iter()
        .zip(&weights)
        .map(|(o, &w)| Outcome {
            score: o.score,
            probability: o.probability / denominator(pole, distance, w),
        })
        .collect())
}

/// The constraint isn't linear, and where it is far from the observed t-value the likelihood may
/// have several maxima on it: climb from several starts and keep the best.
fn most_likely_with_t_value(observed: &[Outcome], t: f64) -> Result<Vec<Outcome>, StatsError> {
    let mut best = climb(observed, t, tilted_to_t_value(observed, t)?)?;
    if t.abs() > SEVERAL_STARTS {
        let mut most = mean_log_likelihood(observed, &best);
        for index in 0..observed.len() {
            let Some(start) = blended_to_t_value(observed, t, index) else {
                continue;
            };
            let fit = climb(observed, t, start)?;
            let likelihood = mean_log_likelihood(observed, &fit);
            if likelihood > most {
                (best, most) = (fit, likelihood);
            }
        }
    }
    Ok(best)
}

fn mean_log_likelihood(observed: &[Outcome], fit: &[Outcome]) -> f64 {
    observed
        .iter()
        .zip(fit)
        .map(|(o, p)| o.probability * p.probability.ln())
        .sum()
}

/// Solves with the tangent of the constraint at a distribution, takes the next tangent at the
/// solution, and so on (section 4.1 of the second source).
///
/// `fit`, the start, must lie on the constraint. The deviation is a concave function of the
/// distribution, so that each solution lies on the side of the constraint on which the next
/// tangent has a solution again. Starting at the uniform distribution, as other programs do, ends
/// without a solution for large t-values.
fn climb(observed: &[Outcome], t: f64, mut fit: Vec<Outcome>) -> Result<Vec<Outcome>, StatsError> {
    for _ in 0..STEPS {
        let (mean, variance) = mean_and_variance(&fit);
        let deviation = variance.sqrt();
        let next = most_likely_orthogonal(observed, |o| {
            let distance = (o.score - mean) / deviation;
            o.score - 0.5 - t * deviation * (1.0 + distance.powi(2)) / 2.0
        })?;
        let change = fit
            .iter()
            .zip(&next)
            .map(|(old, new)| (old.probability - new.probability).abs())
            .fold(0.0, f64::max);
        fit = next;
        if change < 1e-13 {
            break;
        }
    }
    if (t_value(&fit) - t).abs() <= T_VALUE_TOLERANCE * t.abs().max(1.0) {
        Ok(fit)
    } else {
        Err(StatsError::NoConvergence {
            what: "the most likely distribution of a t-value",
            iterations: STEPS,
        })
    }
}

fn t_value(distribution: &[Outcome]) -> f64 {
    let (mean, variance) = mean_and_variance(distribution);
    (mean - 0.5) / variance.sqrt()
}

/// A distribution with exactly this t-value: `observed`, tilted exponentially by the score.
fn tilted_to_t_value(observed: &[Outcome], t: f64) -> Result<Vec<Outcome>, StatsError> {
    // Enough for shares down to 1e-18 and |t| up to 17, with much room.
    const LARGEST_TILT: f64 = 1000.0;
    let difference = |tilt: f64| (t_value(&tilted(observed, tilt)) - t).clamp(-1e9, 1e9);
    let tilt = find_root("a start", -LARGEST_TILT, LARGEST_TILT, 1e-12, difference)?;
    Ok(tilted(observed, tilt))
}

/// A distribution with exactly this t-value: `observed`, mixed with the certainty of one outcome.
/// `None` if no mixture of the two has it.
fn blended_to_t_value(observed: &[Outcome], t: f64, index: usize) -> Option<Vec<Outcome>> {
    // ln of a share of `observed` so small that the t-value is that of certainty.
    const SMALLEST_SHARE: f64 = -60.0;
    let difference = |logarithm: f64| {
        let blend = blended(observed, logarithm.exp(), index);
        (t_value(&blend) - t).clamp(-1e9, 1e9)
    };
    let logarithm = find_root("a start", SMALLEST_SHARE, 0.0, 1e-12, difference).ok()?;
    Some(blended(observed, logarithm.exp(), index))
}

fn blended(observed: &[Outcome], share: f64, certain: usize) -> Vec<Outcome> {
    observed
        .iter()
        .enumerate()
        .map(|(index, o)| Outcome {
            score: o.score,
            probability: share * o.probability + if index == certain { 1.0 - share } else { 0.0 },
        })
        .collect()
}

fn tilted(observed: &[Outcome], tilt: f64) -> Vec<Outcome> {
    let exponents: Vec<f64> = observed
        .iter()
        .map(|o| o.probability.ln() + tilt * o.score)
        .collect();
    let largest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = exponents.iter().map(|e| (e - largest).exp()).collect();
    let total: f64 = weights.iter().sum();
    observed
        .iter()
        .zip(&weights)
        .map(|(o, weight)| Outcome {
            score: o.score,
            probability: weight / total,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Counts, Pentanomial, Trinomial};
    use super::*;

    /// Counts from nothing to a million, many of them zero.
    fn wild_counts(random: &mut fastrand::Rng) -> [u64; 5] {
        let scale = 10f64.powf(random.f64() * 6.0);
        [(); 5].map(|()| match random.f64() {
            chance if chance < 0.4 => 0,
            _ => (scale * random.f64().powi(3)) as u64,
        })
    }

    fn regularized(counts: impl Into<Counts>) -> Sample {
        counts.into().regularized_sample().unwrap()
    }

    #[test]
    fn every_t_value_has_a_fit_that_satisfies_it() {
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..10_000 {
            let counts = wild_counts(&mut random);
            if counts.iter().all(|&count| count == 0) {
                continue;
            }
            let range = [16.0, 1.0, 0.05][round % 3];
            let t = (random.f64() * 2.0 - 1.0) * range;
            let observed = regularized(Pentanomial(counts)).outcomes;
            let fit = most_likely_with_t_value(&observed, t)
                .unwrap_or_else(|error| panic!("{counts:?} at {t}: {error}"));
            let total: f64 = fit.iter().map(|o| o.probability).sum();
            assert!((total - 1.0).abs() < 1e-7, "{counts:?} at {t}: {total}");
        }
    }

    #[test]
    fn no_distribution_on_the_constraint_is_more_likely_than_the_fit() {
        let mut random = fastrand::Rng::with_seed(11);
        for round in 0..1_000 {
            let counts = wild_counts(&mut random);
            if counts.iter().all(|&count| count == 0) {
                continue;
            }
            let range = [8.0, 1.0, 0.05][round % 3];
            let t = (random.f64() * 2.0 - 1.0) * range;
            let sample = regularized(Pentanomial(counts));
            let observed = &sample.outcomes;
            let fit = most_likely_with_t_value(observed, t).unwrap();
            let best = mean_log_likelihood(observed, &fit);
            for _ in 0..20 {
                let other: Vec<Outcome> = observed
                    .iter()
                    .map(|o| Outcome {
                        score: o.score,
                        probability: 1e-6 + random.f64().powi(4),
                    })
                    .collect();
                let start = tilted_to_t_value(&other, t).unwrap();
                for rival in [start.clone(), climb(observed, t, start).unwrap()] {
                    let likelihood = mean_log_likelihood(observed, &rival);
                    assert!(
                        likelihood <= best + 1e-6 * best.abs(),
                        "{counts:?} at {t}: {likelihood} beats {best}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_fit_to_a_score_has_that_score() {
        for (counts, score) in [
            ([1, 2, 3, 4, 5], 0.3),
            ([0, 0, 0, 0, 5550], 1e-6),
            ([1_000_000, 0, 0, 0, 0], 0.999),
        ] {
            let observed = regularized(Pentanomial(counts)).outcomes;
            let fit = most_likely_with_score(&observed, score).unwrap();
            let (mean, _) = mean_and_variance(&fit);
            assert!((mean - score).abs() < 1e-12, "{counts:?}: {mean}");
        }
    }

    #[test]
    fn swapping_hypotheses_or_sides_changes_the_sign() {
        let games = Trinomial {
            wins: 30,
            draws: 41,
            losses: 17,
        };
        for (h0, h1, m0, m1) in [
            (
                Hypothesis::TValue(0.02),
                Hypothesis::TValue(0.3),
                Hypothesis::TValue(-0.02),
                Hypothesis::TValue(-0.3),
            ),
            (
                Hypothesis::ExpectedScore(0.51),
                Hypothesis::ExpectedScore(0.6),
                Hypothesis::ExpectedScore(0.49),
                Hypothesis::ExpectedScore(0.4),
            ),
        ] {
            let sample = regularized(games);
            let ratio = log_likelihood_ratio(&sample, h0, h1).unwrap();
            let swapped = log_likelihood_ratio(&sample, h1, h0).unwrap();
            let mirrored = log_likelihood_ratio(&regularized(games.reversed()), m0, m1).unwrap();
            assert!((ratio + swapped).abs() < 1e-9);
            assert!((ratio - mirrored).abs() < 1e-9);
        }
    }
}
