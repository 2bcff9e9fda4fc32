//! What the fuzz targets share.

use seriatim::rules::{Preset, RuleSet};

/// Splits off the first byte, a digit that picks the preset, and takes the rest as text.
pub fn rules_and_text(data: &[u8]) -> Option<(RuleSet, &str)> {
    let (&digit, text) = data.split_first()?;
    let index = usize::from(digit.wrapping_sub(b'0')) % Preset::ALL.len();
    Some((Preset::ALL[index].rules(), std::str::from_utf8(text).ok()?))
}
