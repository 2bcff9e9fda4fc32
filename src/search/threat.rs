//! The opponent's threat: what he would play if the side on turn passed.

use crate::rules::{Bitboard, SeriesPosition, Status};

/// The position if the side on turn passed the rest of its series. `None` where it cannot pass,
/// because it is in check, and where nothing could be played after it.
pub(super) fn after_pass(position: &SeriesPosition) -> Option<SeriesPosition> {
    let mut setup = position.to_setup();
    setup.side = !setup.side;
    setup.turn = setup.turn.checked_add(1)?;
    setup.moves_left = None;
    // What the side on turn has passed over in this series can be answered in the next.
    setup.en_passant = std::mem::replace(&mut setup.passed, Bitboard::EMPTY);
    setup.progress = false;
    setup.escape = false;
    setup.counts.clear();
    SeriesPosition::from_setup(*position.rules(), &setup)
        .ok()
        .filter(|passed| !matches!(passed.status(), Status::Over(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        notation::{format_fen, parse_fen},
        rules::Preset,
    };

    #[test]
    fn a_pass_hands_the_turn_over() {
        let rules = Preset::Italian.rules();
        let pass = |fen: &str| {
            let position = parse_fen(rules, fen).unwrap();
            after_pass(&position).map(|passed| format_fen(&passed))
        };
        assert_eq!(
            pass("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 3").unwrap(),
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 4"
        );
        assert_eq!(pass("4k3/8/8/8/8/8/4r3/4K3 w - - 0 5"), None);
    }
}
