//! Scores inside the search: centipawns, or a win or loss that tells how many series it takes.
//!
//! A score is always for the side on turn. A won score is [`WON`] less the number of series
//! (of both sides) to the end, so that nearer wins are greater; [`back_up`] carries a score from
//! the position after a series to the one before it.

use super::{request::Score, trust::Trust};

/// A win, less the series it takes.
pub(super) const WON: i32 = 1_000_000;
/// Scores beyond this are decided.
pub(super) const DECIDED: i32 = 900_000;
/// Nothing is greater.
pub(super) const INFINITE: i32 = 2_000_000;
/// How much less a position is worth in which no safe series was found though not all were
/// looked at.
pub(super) const NO_SAFE_SERIES: i32 = 300;
/// How much less a candidate is worth after which it is not known whether the opponent mates.
const UNSURE: i32 = 150;

/// The score of a candidate of this worth after which it is not known whether the opponent mates,
/// only perhaps how dangerous it looks.
pub(super) fn unsure(worth: i32, danger: Option<i32>, trust: Trust) -> i32 {
    worth - UNSURE - danger.map_or(0, |danger| trust.price(danger))
}

/// The score before a series, from the score after it for the other side.
pub(super) fn back_up(after: i32) -> i32 {
    match -after {
        score if score > DECIDED => score - 1,
        score if score < -DECIDED => score + 1,
        score => score,
    }
}

/// The bound for the position after a series, from one for the position before it.
pub(super) fn hand_down(before: i32) -> i32 {
    match -before {
        score if score > DECIDED && score < WON => score + 1,
        score if score < -DECIDED && score > -WON => score - 1,
        score => score,
    }
}

/// A score as it is told.
pub(super) fn told(score: i32) -> Score {
    if score > DECIDED {
        Score::Mate((WON - score + 1) / 2)
    } else if score < -DECIDED {
        Score::Mate(-((WON + score + 1) / 2).max(1))
    } else {
        Score::Centipawns(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_to_mate_are_counted_for_the_winner() {
        // Mated on the board: the side on turn has lost.
        let mated = -WON;
        let mates_now = back_up(mated);
        assert_eq!(told(mates_now), Score::Mate(1));
        let is_mated_next = back_up(mates_now);
        assert_eq!(told(is_mated_next), Score::Mate(-1));
        let mates_in_two = back_up(is_mated_next);
        assert_eq!(told(mates_in_two), Score::Mate(2));
        assert!(mates_in_two < mates_now);
        assert_eq!(back_up(hand_down(mates_in_two)), mates_in_two);
        assert_eq!(back_up(50), -50);
    }
}
