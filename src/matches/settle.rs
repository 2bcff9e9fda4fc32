//! What the rules leave to proof: the grace series at the quiet limit, and proven mates.

use crate::{
    rules::{Ending, Outcome, SeriesPosition},
    solver::{Answer, Limits, QuietSettled, Solver},
};

/// The solver's table for a mate search, MiB. Each search has a table of its own, so that an
/// answer depends on the position and the nodes alone.
const MATE_HASH_MIB: usize = 4;

/// Whether the game ends at the quiet limit: it is drawn unless a win in this series is proven.
pub fn quiet_limit(position: &SeriesPosition) -> Option<Outcome> {
    match Solver::settle_quiet_limit(position) {
        QuietSettled::Draw => Some(Outcome {
            ending: Ending::QuietDraw,
            winner: None,
        }),
        QuietSettled::Wins(_) | QuietSettled::NotReached => None,
    }
}

/// Whether the side on turn is proven to win in this series, within `nodes` nodes.
pub fn proves_mate(position: &SeriesPosition, nodes: u64) -> bool {
    let report = Solver::new(MATE_HASH_MIB, 1).first_mate(position, &Limits::nodes(nodes));
    matches!(report.answer, Answer::Mate(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{notation::parse_fen, rules::Preset};

    #[test]
    fn a_proven_win_keeps_the_game_alive() {
        let rules = Preset::Italian.rules();
        let settled = |fen: &str| quiet_limit(&parse_fen(rules, fen).unwrap());
        let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 10 1";
        assert_eq!(settled(mate), None);
        assert!(proves_mate(&parse_fen(rules, mate).unwrap(), 1000));
        let no_mate = "6k1/5pp1/8/8/8/8/8/R5K1 w - - 10 1";
        assert_eq!(settled(no_mate).unwrap().ending, Ending::QuietDraw);
        assert!(!proves_mate(&parse_fen(rules, no_mate).unwrap(), 1000));
    }
}
