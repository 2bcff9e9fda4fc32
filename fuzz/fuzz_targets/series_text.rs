//! Movetext and series are refused with a place, or read back as themselves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seriatim::{
    notation::{format_movetext, format_series, parse_movetext, parse_series},
    rules::SeriesPosition,
};
use seriatim_fuzz::rules_and_text;

fuzz_target!(|data: &[u8]| {
    let Some((rules, text)) = rules_and_text(data) else {
        return;
    };
    let start = SeriesPosition::start(rules);
    match parse_movetext(&start, text) {
        Err(error) => assert!(error.line > 0 && error.column > 0 && !error.to_string().is_empty()),
        Ok(series) => {
            let written = format_movetext(&start, &series.concat());
            assert_eq!(parse_movetext(&start, &written), Ok(series));
        }
    }
    if let Ok(moves) = parse_series(&start, text) {
        let written = format_series(&start, &moves);
        assert_eq!(parse_series(&start, &written), Ok(moves));
    }
});
