//! Every entry of `tests/data/sprt_reference.json`: values of fastchess and fishtest, within the
//! tolerances that the file states.

use serde_json::Value;
use seriatim::stats::{Counts, Estimate, Pentanomial, Sprt, StoppedEstimate, Trinomial};

/// A case of the reference.
pub struct Case(Value);

impl Case {
    pub fn id(&self) -> &str {
        self.0["id"].as_str().unwrap()
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str()
    }

    /// A number, or `None` if it is null or missing.
    pub fn number(&self, pointer: &str) -> Option<f64> {
        self.0.pointer(pointer)?.as_f64()
    }

    pub fn list(&self, key: &str) -> Option<Vec<u64>> {
        let list = self.0.get(key)?.as_array()?;
        Some(list.iter().map(|count| count.as_u64().unwrap()).collect())
    }

    fn counts(&self) -> Counts {
        if let Some(pairs) = self.list("ptnml") {
            Pentanomial(pairs.try_into().unwrap()).into()
        } else {
            let [wins, draws, losses] = self.list("wdl").unwrap().try_into().unwrap();
            Trinomial {
                wins,
                draws,
                losses,
            }
            .into()
        }
    }

    fn test(&self) -> Option<Sprt> {
        let number = |pointer| self.number(pointer).unwrap();
        let model = self.text("model")?.parse().unwrap();
        let test = Sprt::new(
            model,
            number("/elo0"),
            number("/elo1"),
            number("/alpha"),
            number("/beta"),
        );
        Some(test.unwrap())
    }

    /// The value that counts: the top-level one for normalized Elo, else that of fishtest, which
    /// searches to the end.
    pub fn llr(&self) -> Option<f64> {
        match self.text("model")? {
            "normalized" => self.number("/llr"),
            _ => self.number("/fishtest/llr"),
        }
    }
}

pub fn cases() -> Vec<Case> {
    let text = include_str!("../data/sprt_reference.json");
    let Value::Object(mut file) = serde_json::from_str(text).unwrap() else {
        panic!("an object")
    };
    let Value::Array(cases) = file["cases"].take() else {
        panic!("a list of cases")
    };
    assert!(cases.len() >= 23);
    cases.into_iter().map(Case).collect()
}

#[track_caller]
pub fn assert_close(case: &Case, what: &str, actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{} {what}: {actual}, but the reference has {expected}",
        case.id()
    );
}

/// The reference is rounded to six digits, which may take up to this of a tolerance.
const ROUNDING: f64 = 5.0e-7;

#[test]
fn elo_nelo_and_los_are_those_of_the_reference() {
    for case in cases() {
        let estimate = Estimate::new(case.counts()).unwrap();
        let expected = |key: &str| case.number(key).unwrap();
        assert_close(
            &case,
            "Elo",
            estimate.elo,
            expected("/elo"),
            1e-5 + ROUNDING,
        );
        assert_close(
            &case,
            "error",
            estimate.error,
            expected("/error"),
            1e-5 + ROUNDING,
        );
        assert_close(&case, "LOS", estimate.los, expected("/los"), 1e-7);
        for (what, actual, pointer) in [
            ("nElo", estimate.nelo, "/nelo"),
            ("nElo error", estimate.nelo_error, "/nelo_error"),
        ] {
            assert_eq!(
                actual.is_some(),
                case.number(pointer).is_some(),
                "{}",
                case.id()
            );
            if let Some(actual) = actual {
                assert_close(&case, what, actual, expected(pointer), 1e-5 + ROUNDING);
            }
        }
        if let Some(score) = case.number("/fastchess/score") {
            assert_close(&case, "score", estimate.score, score, 1e-6);
        }
    }
}

#[test]
fn tests_stand_where_the_reference_says() {
    let mut tested = 0;
    for case in cases() {
        let Some(test) = case.test() else { continue };
        let assessment = test.assess(case.counts()).unwrap();
        let expected = |key: &str| case.number(key).unwrap();
        // Far tighter than the reference allows.
        assert_close(&case, "LLR", assessment.llr, case.llr().unwrap(), 2e-6);
        assert_close(&case, "LLR", assessment.llr, expected("/llr"), 1e-3);
        assert_close(&case, "lower", assessment.lower, expected("/lower"), 1e-6);
        assert_close(&case, "upper", assessment.upper, expected("/upper"), 1e-6);
        assert_eq!(
            Some(assessment.decision.to_string().as_str()),
            case.text("decision"),
            "{}",
            case.id()
        );
        tested += 1;
    }
    assert!(tested >= 15);
}

#[test]
fn published_values_are_met_as_printed() {
    for case in cases() {
        let estimate = Estimate::new(case.counts()).unwrap();
        for (pointer, actual) in [
            ("/published/elo", Some(estimate.elo)),
            ("/published/elo_error", Some(estimate.error)),
            ("/published/nelo", estimate.nelo),
            ("/published/nelo_error", estimate.nelo_error),
            ("/published/los", Some(estimate.los * 100.0)),
        ] {
            let Some(published) = case.number(pointer) else {
                continue;
            };
            assert_close(&case, pointer, actual.unwrap(), published, 0.051);
        }
        if let (Some(test), Some(published)) = (case.test(), case.number("/published/llr")) {
            let llr = test.llr(case.counts()).unwrap();
            // The two clean sweeps were published with a coarser search.
            assert_close(&case, "published LLR", llr, published, 0.03);
        }
    }
}

#[test]
fn estimates_after_a_test_are_those_of_fishtest() {
    let mut estimated = 0;
    for case in cases() {
        let Some(median) = case.number("/fishtest/sprt_median_elo") else {
            continue;
        };
        let stopped = StoppedEstimate::new(&case.test().unwrap(), case.counts()).unwrap();
        let expected = |key: &str| case.number(key).unwrap();
        assert_close(&case, "median", stopped.elo, median, 1e-5);
        // For the ends fishtest cuts an asymptotic series short, which costs it three digits.
        for (what, actual, pointer) in [
            ("low", stopped.elo_low, "/fishtest/sprt_ci95/0"),
            ("high", stopped.elo_high, "/fishtest/sprt_ci95/1"),
        ] {
            assert_close(&case, what, actual, expected(pointer), 2e-3);
        }
        assert_close(
            &case,
            "LOS",
            stopped.los,
            expected("/fishtest/sprt_los"),
            1e-5,
        );
        estimated += 1;
    }
    assert!(estimated >= 4);
}
