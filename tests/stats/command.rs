//! `seriatim-match stats`, the real program.

use std::process::{Command, Output};

use serde_json::Value;

use crate::reference::{assert_close, cases};

fn stats(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_seriatim-match"))
        .arg("stats")
        .args(arguments)
        .output()
        .unwrap()
}

#[track_caller]
fn output_of(arguments: &[&str]) -> String {
    let output = stats(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), errors.as_str()),
        (Some(0), ""),
        "{arguments:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn json_of(arguments: &[&str]) -> Value {
    let output = output_of(arguments);
    assert_eq!(output.lines().count(), 1);
    serde_json::from_str(&output).unwrap()
}

#[track_caller]
fn assert_refused(arguments: &[&str], complaint: &str) {
    let output = stats(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(
        errors.contains(complaint),
        "{arguments:?} {complaint}: {errors}"
    );
    assert!(!errors.contains("panicked"), "{errors}");
}

#[test]
fn json_of_every_reference_case() {
    for case in cases() {
        let mut arguments = vec!["--json".to_owned()];
        for (key, option) in [("ptnml", "--ptnml"), ("wdl", "--wdl")] {
            if let Some(list) = case.list(key) {
                let list: Vec<String> = list.iter().map(u64::to_string).collect();
                arguments.extend([option.to_owned(), list.join(",")]);
            }
        }
        for key in ["elo0", "elo1", "alpha", "beta"] {
            if let Some(value) = case.number(&format!("/{key}")) {
                arguments.extend([format!("--{key}"), value.to_string()]);
            }
        }
        if let Some(model) = case.text("model") {
            arguments.extend(["--model".to_owned(), model.to_owned()]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let json = json_of(&arguments);
        for (key, tolerance) in [
            ("elo", 1.1e-5),
            ("error", 1.1e-5),
            ("nelo", 1.1e-5),
            ("nelo_error", 1.1e-5),
            ("los", 1e-7),
            ("lower", 1e-6),
            ("upper", 1e-6),
        ] {
            match case.number(&format!("/{key}")) {
                Some(expected) => {
                    assert_close(&case, key, json[key].as_f64().unwrap(), expected, tolerance);
                }
                None => assert!(json[key].is_null(), "{} {key}", case.id()),
            }
        }
        match case.llr() {
            Some(llr) => assert_close(&case, "llr", json["llr"].as_f64().unwrap(), llr, 1e-4),
            None => assert!(json["llr"].is_null(), "{}", case.id()),
        }
        assert_eq!(
            json["decision"].as_str(),
            case.text("decision"),
            "{}",
            case.id()
        );
    }
}

#[test]
fn the_table_names_the_model_beside_its_bounds() {
    let table = output_of(&[
        "--ptnml",
        "127,4883,10712,5150,104",
        "--elo0",
        "-1.75",
        "--elo1",
        "0.25",
    ]);
    assert_eq!(
        table,
        "\
games        41952
pairs        20976
score        50.26 %
Elo          1.83 +/- 1.70 (95 %)
nElo         3.58 +/- 3.32 (95 %)
LOS          98.26 %
draw ratio   51.07 %
pair ratio   1.049
SPRT         normalized Elo [-1.75, 0.25], alpha 0.05, beta 0.05
LLR          3.01 in (-2.94, 2.94)
decision     H1 accepted: Elo 0.25 or more
unbiased Elo 1.66 [-0.10, 3.40] (logistic; allows for the stopping rule)
"
    );
}

#[test]
fn the_table_of_a_clean_sweep_has_no_nan() {
    let table = output_of(&["--ptnml", "0,0,0,0,1", "--elo0", "0", "--elo1", "5"]);
    assert!(
        table.contains("nElo         none: all results are alike"),
        "{table}"
    );
    assert!(
        table.contains("pair ratio   none: no pair was lost"),
        "{table}"
    );
    let lowercase = table.to_lowercase();
    assert!(
        !lowercase.contains("nan") && !lowercase.contains("inf"),
        "{table}"
    );
}

#[test]
fn without_a_test_there_is_no_llr() {
    let json = json_of(&["--wdl", "76,123,89", "--json"]);
    for key in ["llr", "lower", "upper", "decision"] {
        assert!(json[key].is_null(), "{key}");
    }
    assert!(!output_of(&["--wdl", "76,123,89"]).contains("LLR"));
}

#[test]
fn corner_cases_are_finite() {
    for counts in [
        "1,0,0,0,0",
        "0,1,0,0,0",
        "0,0,1,0,0",
        "0,0,0,0,1",
        "144,3,1,0,0",
        "0,0,0,0,5550",
        "0,0,1000000000000000,0,0",
        "1000000000000000,0,0,0,1",
    ] {
        for (elo0, elo1) in [
            ("0", "5"),
            ("-1500", "-500"),
            ("500", "1500"),
            ("-4000", "4000"),
        ] {
            for model in ["normalized", "logistic"] {
                let json = json_of(&[
                    "--ptnml", counts, "--elo0", elo0, "--elo1", elo1, "--model", model, "--json",
                ]);
                for key in ["elo", "error", "los", "llr", "lower", "upper"] {
                    assert!(
                        json[key].is_f64(),
                        "{counts} {model} [{elo0}, {elo1}] {key}"
                    );
                }
            }
        }
    }
}

#[test]
fn nonsense_is_refused_with_exit_code_2() {
    let wdl = ["--wdl", "5,6,7"];
    let with = |more: &[&'static str]| [&wdl[..], more].concat();
    assert_refused(&[], "--wdl");
    assert_refused(&with(&["--ptnml", "1,2,3,4,5"]), "cannot be used with");
    assert_refused(&["--wdl", "-1,2,3"], "'-1' is no count");
    assert_refused(&["--wdl", "1,2"], "expected 3 counts, but found 2");
    assert_refused(&["--ptnml", "1,2,3"], "expected 5 counts, but found 3");
    assert_refused(&["--wdl", "a,b,c"], "'a' is no count");
    assert_refused(&["--wdl", "1.5,2,3"], "'1.5' is no count");
    assert_refused(&["--wdl"], "--wdl");
    assert_refused(&["--wdl", "99999999999999999999999,0,0"], "too large");
    assert_refused(&["--wdl", "18446744073709551615,0,0"], "too large");
    assert_refused(&["--wdl", "0,0,0"], "every count is zero");
    assert_refused(&["--ptnml", "0,0,0,0,0"], "every count is zero");
    assert_refused(&with(&["--elo0", "0"]), "--elo1");
    assert_refused(&with(&["--elo1", "5"]), "--elo0");
    assert_refused(
        &with(&["--elo0", "5", "--elo1", "5"]),
        "elo0 must be less than elo1",
    );
    assert_refused(
        &with(&["--elo0", "5", "--elo1", "-5"]),
        "elo0 must be less than elo1",
    );
    assert_refused(&with(&["--elo0", "nan", "--elo1", "5"]), "out of range");
    assert_refused(&with(&["--elo0", "0", "--elo1", "inf"]), "out of range");
    assert_refused(&with(&["--elo0", "0", "--elo1", "1e9"]), "out of range");
    assert_refused(&with(&["--elo0", "0", "--elo1", "x"]), "invalid value 'x'");
    for value in ["0", "1", "-0.1", "1.5", "nan"] {
        assert_refused(
            &with(&["--alpha", value]),
            "alpha must lie strictly between 0 and 1",
        );
        assert_refused(
            &with(&["--beta", value]),
            "beta must lie strictly between 0 and 1",
        );
    }
    assert_refused(&with(&["--alpha", "0.6", "--beta", "0.6"]), "less than 1");
    assert_refused(&with(&["--model", "elo"]), "'elo' is no Elo model");
    assert_refused(&with(&["--bogus"]), "--bogus");
    let pairs = ["--ptnml", "1,2,3,4,5", "--elo0", "0", "--elo1", "5"];
    assert_refused(&[&pairs[..], &["--model", "bayesian"]].concat(), "Bayesian");
}

#[test]
fn the_help_has_examples() {
    let help = output_of(&["--help"]);
    assert!(
        help.contains("Examples:") && help.contains("--ptnml"),
        "{help}"
    );
}
