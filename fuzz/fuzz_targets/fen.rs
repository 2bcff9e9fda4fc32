//! A FEN is refused or gives a position that reads back as itself and can be played on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seriatim::notation::{format_fen, parse_fen};
use seriatim_fuzz::rules_and_text;

fuzz_target!(|data: &[u8]| {
    let Some((rules, text)) = rules_and_text(data) else {
        return;
    };
    match parse_fen(rules, text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(position) => {
            assert_eq!(parse_fen(rules, &format_fen(&position)), Ok(position));
            let _status = position.status();
            for m in position.legal_moves() {
                let next = position.after(m);
                assert_eq!(next.placement_key(), next.placement_key_from_scratch());
            }
        }
    }
});
