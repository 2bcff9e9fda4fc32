//! Perft: counting move sequences, complete series and distinct end positions. Draw rules (quiet
//! limit, dead material, repetition) are ignored; a series that runs dry counts as one.

use super::{key::KeySet, outcome::Ending, position::SeriesPosition};

/// The number of sequences of `depth` single moves, across series borders.
pub fn count_moves(position: &SeriesPosition, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return position.count_legal_moves();
    }
    position
        .legal_moves()
        .iter()
        .map(|&m| count_moves(&position.after(m), depth - 1))
        .sum()
}

/// A count of complete series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeriesCount {
    /// Sequences of complete series.
    pub series: u64,
    /// Those whose last series ends in mate (or captures the last man), progressive mates too.
    pub mates: u64,
    /// Those among [`SeriesCount::mates`] that are only progressive mates.
    pub progressive_mates: u64,
    /// Those whose last series runs dry before it is complete.
    pub dry: u64,
}

/// Which figures of a [`SeriesCount`] are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    SeriesOnly,
    WithEndings,
}

/// Counts the sequences of `turns` complete series; the first one is what remains of the current
/// series. With `endings` the last series' mates and dead ends are counted too, at several times
/// the cost (they stay 0 otherwise).
pub fn count_series(position: &SeriesPosition, turns: u32, endings: bool) -> SeriesCount {
    let mut count = SeriesCount::default();
    if turns == 0 {
        count.series = 1;
    } else {
        let detail = if endings {
            Detail::WithEndings
        } else {
            Detail::SeriesOnly
        };
        walk_series(position, turns, detail, &mut count);
    }
    count
}

fn walk_series(position: &SeriesPosition, turns: u32, detail: Detail, count: &mut SeriesCount) {
    let last_turn = turns == 1;
    if last_turn && position.moves_left() == 1 && detail == Detail::SeriesOnly {
        let moves = position.count_legal_moves();
        count.series += moves.max(u64::from(!position.is_turn_start()));
        return;
    }
    let moves = position.legal_moves();
    if moves.is_empty() && last_turn && !position.is_turn_start() {
        count.series += 1;
        count.dry += 1;
    }
    for m in moves {
        // An outcome can only come from a check, or where everything may be captured.
        let decides = last_turn
            && (detail == Detail::WithEndings)
            && (!position.rules().has_royal_kings() || position.gives_check(m));
        let next = position.after(m);
        if !next.is_turn_start() {
            walk_series(&next, turns, detail, count);
        } else if !last_turn {
            walk_series(&next, turns - 1, detail, count);
        } else {
            count.series += 1;
            if decides {
                count_ending(&next, count);
            }
        }
    }
}

fn count_ending(position: &SeriesPosition, count: &mut SeriesCount) {
    match position.board_outcome().map(|outcome| outcome.ending) {
        Some(Ending::Checkmate | Ending::AllCaptured) => count.mates += 1,
        Some(Ending::ProgressiveCheckmate) => {
            count.mates += 1;
            count.progressive_mates += 1;
        }
        _ => {}
    }
}

/// A count of distinct end positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DistinctCount {
    /// By placement alone.
    pub placements: u64,
    /// By placement, castling rights and en passant squares where a pawn really stands to take.
    pub with_rights: u64,
    /// By placement, castling rights and the double steps of the last series whose pawns have not
    /// moved on, whether or not any pawn can take them. Some published counts read it this way.
    pub with_double_steps: u64,
}

/// Counts the distinct positions after `turns` complete series. Series that run dry end where
/// they stand and count too when it is the last turn.
///
/// Memory: every distinct position of a level is kept, about 200 bytes each, but for the last
/// level, where keys do.
pub fn count_distinct(position: &SeriesPosition, turns: u32) -> DistinctCount {
    let mut level = vec![*position];
    for _ in 1..turns {
        let mut seen = KeySet::default();
        let mut ends = Vec::new();
        walk_distinct(level, |end, reached| {
            if reached != Reached::Dry && seen.insert(end.key()) {
                ends.push(*end);
            }
        });
        level = ends;
    }
    if turns == 0 {
        return DistinctCount {
            placements: 1,
            with_rights: 1,
            with_double_steps: 1,
        };
    }
    let mut placements = KeySet::default();
    let mut with_rights = KeySet::default();
    let mut with_double_steps = KeySet::default();
    walk_distinct(level, |end, reached| {
        let passed = match reached {
            Reached::Complete { passed } => passed,
            Reached::Dry => end.passed,
        };
        placements.insert(end.placement_key());
        with_rights.insert(end.rights_key());
        with_double_steps.insert(end.double_steps_key(passed));
    });
    DistinctCount {
        placements: placements.len() as u64,
        with_rights: with_rights.len() as u64,
        with_double_steps: with_double_steps.len() as u64,
    }
}

/// How a series came to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// It was played out; `passed` are the files of its double steps that still counted.
    Complete { passed: u8 },
    /// It ran dry.
    Dry,
}

/// Calls `visit` with every position at the end of a series that starts in `level` (repeats are
/// possible), and how it ended. All positions of `level` have the same turn number.
fn walk_distinct(mut level: Vec<SeriesPosition>, mut visit: impl FnMut(&SeriesPosition, Reached)) {
    while !level.is_empty() {
        let mut seen = KeySet::default();
        let mut next_level = Vec::new();
        for position in &level {
            let moves = position.legal_moves();
            if moves.is_empty() && !position.is_turn_start() {
                visit(position, Reached::Dry);
            }
            for m in moves {
                let next = position.after(m);
                if next.is_turn_start() {
                    visit(
                        &next,
                        Reached::Complete {
                            passed: position.passed_after(m),
                        },
                    );
                } else if seen.insert(next.key()) {
                    next_level.push(next);
                }
            }
        }
        level = next_level;
    }
}
