//! Which series of a book is played.

use super::{Choice, Found, book_key};
use crate::rules::SeriesPosition;

/// The series to play in `position`: by weight with `seed`, or the best where `seed` is `None`.
pub fn choose<'f>(
    found: &'f Found,
    position: &SeriesPosition,
    seed: Option<u64>,
) -> Option<&'f Choice> {
    let mut playable = found.choices.iter().filter(|choice| choice.weight > 0);
    let Some(seed) = seed else {
        return playable.next();
    };
    let sum: u64 = playable
        .clone()
        .map(|choice| u64::from(choice.weight))
        .sum();
    if sum == 0 {
        return None;
    }
    // Chance depends on the position too: else all games would go the same way at every turn.
    let mut random = fastrand::Rng::with_seed(seed ^ book_key(position));
    let mut point = random.u64(..sum);
    playable.find(|choice| {
        let weight = u64::from(choice.weight);
        let is_hit = point < weight;
        point = point.wrapping_sub(weight);
        is_hit
    })
}
