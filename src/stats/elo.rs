//! Conversions between scores, Elo, normalized Elo and Bayesian Elo.

use super::StatsError;

/// Normalized Elo for a t-value of 1 (score above one half, in standard deviations of the score of
/// one game): 800 / ln 10. Chosen so that nElo equals Elo for small differences and a standard
/// deviation of one half. Source: M. Van den Bergh,
/// <https://www.cantate.be/Fishtest/normalized_elo.pdf>.
pub const NELO_PER_T_VALUE: f64 = 800.0 / std::f64::consts::LN_10;

/// Elo values of larger magnitude are refused: near it 1 - score still keeps six digits.
pub(super) const LARGEST_ELO: f64 = 4000.0;

/// Scores are clamped so far away from 0 and 1 where a finite Elo value must be given for a score
/// that has none; the same as in fishtest (`stat_util.elo`).
pub(super) const SCORE_MARGIN: f64 = 1e-3;

/// Points per game, between 0 and 1, that an engine stronger by `elo` (logistic Elo) can expect.
///
/// # Errors
/// [`StatsError::EloOutOfRange`] if `elo` isn't finite or beyond ±4000.
pub fn expected_score(elo: f64) -> Result<f64, StatsError> {
    Ok(logistic(check_elo(elo)?))
}

/// Logistic Elo difference of a score (points per game), which must lie strictly between 0 and 1.
///
/// # Errors
/// [`StatsError::ScoreOutOfRange`].
pub fn elo_from_score(score: f64) -> Result<f64, StatsError> {
    if score > 0.0 && score < 1.0 {
        Ok(400.0 * (score / (1.0 - score)).log10())
    } else {
        Err(StatsError::ScoreOutOfRange(score))
    }
}

/// [`elo_from_score`] of the score clamped to 0.001..0.999; `score` must not be NaN.
pub(super) fn elo_from_clamped_score(score: f64) -> f64 {
    let score = score.clamp(SCORE_MARGIN, 1.0 - SCORE_MARGIN);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Refuses Elo values that aren't finite or too far out.
pub(super) fn check_elo(elo: f64) -> Result<f64, StatsError> {
    if elo.is_finite() && elo.abs() <= LARGEST_ELO {
        Ok(elo)
    } else {
        Err(StatsError::EloOutOfRange {
            value: elo,
            limit: LARGEST_ELO,
        })
    }
}

pub(super) fn logistic(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Probabilities of win, draw and loss in the Bayesian model: `elo` is the difference in Bayesian Elo,
/// `draw_elo` (from 0 up) the advantage that must be overcome to win. Source: R. Coulom,
/// <https://www.remi-coulom.fr/Bayesian-Elo/>.
///
/// # Errors
/// [`StatsError::EloOutOfRange`] for either value.
pub fn bayes_elo_probabilities(elo: f64, draw_elo: f64) -> Result<[f64; 3], StatsError> {
    let win = logistic(check_elo(elo)? - check_elo(draw_elo)?);
    let loss = logistic(-elo - draw_elo);
    Ok([win, 1.0 - win - loss, loss])
}

/// The `draw_elo` of the Bayesian model that fits shares of wins, draws and losses, in the order of
/// [`bayes_elo_probabilities`].
///
/// # Errors
/// [`StatsError::ScoreOutOfRange`] unless wins and losses have a positive share and draws none
/// below zero.
pub fn draw_elo([win, draw, loss]: [f64; 3]) -> Result<f64, StatsError> {
    for share in [win, loss] {
        if !(share > 0.0 && share.is_finite()) {
            return Err(StatsError::ScoreOutOfRange(share));
        }
    }
    if !(draw >= 0.0 && draw.is_finite()) {
        return Err(StatsError::ScoreOutOfRange(draw));
    }
    // Sums of shares, not 1 - share: a share may be so small that 1 - share is 1.
    Ok(200.0 * (((win + draw) / loss).log10() + ((loss + draw) / win).log10()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-1500.0, -400.0, -0.5, 0.0, 3.25, 800.0, 2500.0] {
            let back = elo_from_score(expected_score(elo).unwrap()).unwrap();
            assert!((back - elo).abs() < 1e-6, "{elo} came back as {back}");
        }
        assert!((expected_score(400.0).unwrap() - 10.0 / 11.0).abs() < 1e-15);
    }

    #[test]
    fn impossible_values_are_refused() {
        for score in [0.0, 1.0, -0.1, 1.5, f64::NAN, f64::INFINITY] {
            assert!(elo_from_score(score).is_err(), "{score}");
        }
        for elo in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 4000.5] {
            assert!(expected_score(elo).is_err(), "{elo}");
        }
        assert!(draw_elo([0.0, 0.5, 0.5]).is_err());
        assert!(bayes_elo_probabilities(0.0, f64::NAN).is_err());
    }

    #[test]
    fn draw_elo_is_the_inverse_of_the_bayesian_model() {
        let [win, draw, loss] = bayes_elo_probabilities(35.0, 180.0).unwrap();
        assert!((win + draw + loss - 1.0).abs() < 1e-15);
        assert!((draw_elo([win, draw, loss]).unwrap() - 180.0).abs() < 1e-9);
    }
}
