//! Bracketed root finding with a cap on its steps: it ends for every function.

use super::StatsError;

const STEPS: usize = 200;

/// A root of `function` between `low` and `high`, where it must have different signs (or be zero).
///
/// Chandrupatla's method: inverse quadratic interpolation where that is safe, else bisection.
/// Source: T. R. Chandrupatla, Advances in Engineering Software 28 (1997), 145-149.
///
/// # Errors
/// [`StatsError::NoConvergence`], with `what` in it, if there is no change of sign or the interval
/// didn't shrink to `tolerance` (absolute, or a few units in the last place) within 200 steps.
pub(super) fn find_root(
    what: &'static str,
    low: f64,
    high: f64,
    tolerance: f64,
    function: impl Fn(f64) -> f64,
) -> Result<f64, StatsError> {
    let failure = |iterations| StatsError::NoConvergence { what, iterations };
    let (mut b, mut a) = (low, high);
    let (mut fb, mut fa) = (function(low), function(high));
    if fb == 0.0 {
        return Ok(low);
    }
    if fa == 0.0 {
        return Ok(high);
    }
    if fa.is_nan() || fb.is_nan() || (fa > 0.0) == (fb > 0.0) {
        return Err(failure(0));
    }
    let mut fraction = 0.5;
    for step in 0..STEPS {
        let x = a + fraction * (b - a);
        let fx = function(x);
        if fx.is_nan() {
            return Err(failure(step));
        }
        let (c, fc) = if (fx > 0.0) == (fa > 0.0) {
            (a, fa)
        } else {
            let previous = (b, fb);
            (b, fb) = (a, fa);
            previous
        };
        (a, fa) = (x, fx);
        let (best, best_value) = if fa.abs() < fb.abs() {
            (a, fa)
        } else {
            (b, fb)
        };
        let width = (b - a).abs();
        let allowed = 2.0 * f64::EPSILON * best.abs() + 0.5 * tolerance;
        if best_value == 0.0 || width <= 2.0 * allowed {
            return Ok(best);
        }
        let xi = (a - b) / (c - b);
        let phi = (fa - fb) / (fc - fb);
        let interpolation_is_safe = phi.powi(2) < xi && (1.0 - phi).powi(2) < 1.0 - xi;
        fraction = if interpolation_is_safe {
            fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        } else {
            0.5
        };
        let margin = (allowed / width).min(0.5);
        fraction = fraction.clamp(margin, 1.0 - margin);
    }
    Err(failure(STEPS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_of_easy_and_nasty_functions() {
        let root = |low, high, function: fn(f64) -> f64| {
            find_root("a root", low, high, 1e-12, function).unwrap()
        };
        assert!((root(0.0, 2.0, |x| x * x - 2.0) - 2f64.sqrt()).abs() < 1e-11);
        assert!((root(-3.0, 1.0, |x| (x + 1.0).powi(9)) + 1.0).abs() < 1e-11);
        assert!((root(-1.0, 1.0, |x| if x < 0.3 { -1.0 } else { 1e9 }) - 0.3).abs() < 1e-11);
        assert!((root(1e-9, 1.0, |x| 1.0 / x - 1e6) - 1e-6).abs() < 1e-11);
        assert!((root(0.0, 1.0, |x| x)).abs() < 1e-15);
    }

    #[test]
    fn refuses_where_no_root_is_bracketed() {
        assert!(find_root("a root", 0.0, 1.0, 1e-9, |x| x + 1.0).is_err());
        assert!(find_root("a root", 0.0, 1.0, 1e-9, |_| f64::NAN).is_err());
    }
}
