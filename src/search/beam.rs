//! All series of a position, or the best part of them: layer by layer over distinct positions,
//! each layer cut to a width.

use std::collections::HashSet;

use super::budget::Budget;
use crate::{
    eval::{self, EVALUATION_MAX},
    rules::{Color, Move, SeriesPosition, Status},
};

/// What the beam keeps when it has to cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// Positions that are near to mate.
    Mate,
    /// Positions that are good to have.
    Position,
}

/// The end of a series.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The position after it.
    pub end: SeriesPosition,
    /// The series.
    pub series: Vec<Move>,
    /// Its worth for the side that played it, without looking ahead.
    pub worth: Worth,
}

/// The worth of the end of a series for the side that played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Worth {
    /// The game is lost by it (an escape that was not finished).
    Lost,
    /// The game goes on, or is drawn: centipawns.
    Score(i32),
    /// The game is won by it.
    Won,
}

/// What a beam found.
#[derive(Debug, Default)]
pub(super) struct Expansion {
    /// Ends of series, the best first; distinct positions.
    pub leaves: Vec<Leaf>,
    /// Whether every distinct end is among them.
    pub is_complete: bool,
}

impl Expansion {
    pub(super) fn has_win(&self) -> bool {
        self.leaves
            .first()
            .is_some_and(|leaf| leaf.worth == Worth::Won)
    }
}

/// A position inside the series and how it was reached.
struct Node {
    position: SeriesPosition,
    parent: usize,
    by: Option<Move>,
}

/// How a position stands for `side` once `side`'s series has ended.
pub(super) fn worth_of(end: &SeriesPosition, side: Color) -> (Worth, bool) {
    match end.status() {
        Status::Over(outcome) => {
            let worth = match outcome.winner {
                Some(winner) if winner == side => Worth::Won,
                Some(_) => Worth::Lost,
                None => Worth::Score(0),
            };
            (worth, true)
        }
        Status::QuietLimit => (Worth::Score(0), false),
        Status::Ongoing => {
            let score = eval::evaluate(end).0;
            let score = if end.side() == side { score } else { -score };
            (
                Worth::Score(score.clamp(-EVALUATION_MAX, EVALUATION_MAX)),
                false,
            )
        }
    }
}

/// Whether the game ends here though moves are left and could be played: everything is captured,
/// or the material is dead.
fn ends_at_once(position: &SeriesPosition) -> bool {
    let men = position.men();
    let few =
        men.occupied().count() <= 3 || Color::ALL.iter().any(|&color| men.of(color).is_empty());
    few && matches!(position.status(), Status::Over(_))
}

fn series_to(nodes: &[Node], mut at: usize, last: Option<Move>) -> Vec<Move> {
    let mut series: Vec<Move> = last.into_iter().collect();
    while let Some(m) = nodes[at].by {
        series.push(m);
        at = nodes[at].parent;
    }
    series.reverse();
    series
}

/// Plays series of `root`, whose first move is one of `first_moves` unless that is empty. Stops at
/// the first won series, or when the budget is spent.
pub(super) fn expand(
    root: &SeriesPosition,
    first_moves: &[Move],
    width: usize,
    aim: Aim,
    budget: &mut Budget<'_>,
) -> Expansion {
    let side = root.side();
    let mut nodes = vec![Node {
        position: *root,
        parent: 0,
        by: None,
    }];
    let mut layer = vec![0];
    let mut seen = HashSet::new();
    let mut found = Expansion {
        leaves: Vec::new(),
        is_complete: true,
    };
    while !layer.is_empty() {
        let mut next_layer: Vec<(i32, u64, Node)> = Vec::new();
        for &at in &layer {
            let position = nodes[at].position;
            let moves = position.legal_moves();
            if moves.is_empty() {
                // The series has run dry: it ends here.
                let (worth, _) = worth_of(&position, side);
                let series = series_to(&nodes, at, None);
                found.leaves.push(Leaf {
                    end: position,
                    series,
                    worth,
                });
            }
            for m in moves {
                if at == 0 && !first_moves.is_empty() && !first_moves.contains(&m) {
                    continue;
                }
                let next = position.after(m);
                let key = next.key();
                if !seen.insert(key) {
                    continue;
                }
                let goes_on = budget.spend();
                if next.is_turn_start() || ends_at_once(&next) {
                    let (worth, _) = worth_of(&next, side);
                    let series = series_to(&nodes, at, Some(m));
                    found.leaves.push(Leaf {
                        end: next,
                        series,
                        worth,
                    });
                    if worth == Worth::Won {
                        found.is_complete = false;
                        sort(&mut found.leaves);
                        return found;
                    }
                } else {
                    let order = match aim {
                        Aim::Mate => eval::mating_chances(&next),
                        Aim::Position => eval::evaluate(&next).0,
                    };
                    let node = Node {
                        position: next,
                        parent: at,
                        by: Some(m),
                    };
                    next_layer.push((-order, key, node));
                }
                if !goes_on {
                    found.is_complete = false;
                    sort(&mut found.leaves);
                    return found;
                }
            }
        }
        if next_layer.len() > width {
            found.is_complete = false;
            next_layer.select_nth_unstable_by_key(width - 1, |&(order, key, _)| (order, key));
            next_layer.truncate(width);
        }
        next_layer.sort_unstable_by_key(|&(order, key, _)| (order, key));
        layer = (nodes.len()..nodes.len() + next_layer.len()).collect();
        nodes.extend(next_layer.into_iter().map(|(_, _, node)| node));
    }
    sort(&mut found.leaves);
    found
}

fn sort(leaves: &mut [Leaf]) {
    leaves.sort_by_key(|leaf| std::cmp::Reverse((leaf.worth, leaf.end.key())));
}

/// Some complete legal series of `position`, at once: move by move the best by evaluation.
pub(super) fn quick_series(position: &SeriesPosition, first_moves: &[Move]) -> Vec<Move> {
    let side = position.side();
    let mut at = *position;
    let mut series = Vec::new();
    loop {
        let moves = at.legal_moves();
        let best = moves
            .iter()
            .filter(|m| !series.is_empty() || first_moves.is_empty() || first_moves.contains(m))
            .max_by_key(|&&m| {
                let next = at.after(m);
                if next.is_turn_start() {
                    return (true, worth_of(&next, side).0);
                }
                let score = eval::evaluate(&next).0;
                (next.has_legal_move(), Worth::Score(score))
            });
        let Some(&m) = best else { break };
        series.push(m);
        at.play(m);
        if at.is_turn_start() || ends_at_once(&at) {
            break;
        }
    }
    series
}
