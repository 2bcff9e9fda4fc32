//! The rounds in which the safe candidates are looked at ever deeper and more broadly.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use super::{
    BRANCHING, Root,
    verify::{Shared, lock, on_all},
};
use crate::eval::EVALUATION_MAX;
use crate::search::{
    level::Level,
    look::{Breadth, Worker},
    node::{Candidate, Verdict},
    request::Progress,
    score::{DECIDED, INFINITE, back_up, hand_down, unsure},
};

/// A round: how deep and how broad.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub depth: u8,
    /// How many safe candidates are looked at.
    pub wanted: usize,
    /// Breadth against that of the first round.
    scale: usize,
}

/// The rounds, until time is up. The first one only verifies.
pub(super) const ROUNDS: [Round; 10] = [
    Round {
        depth: 1,
        wanted: 5,
        scale: 1,
    },
    Round {
        depth: 2,
        wanted: 12,
        scale: 1,
    },
    Round {
        depth: 2,
        wanted: 32,
        scale: 1,
    },
    Round {
        depth: 3,
        wanted: 8,
        scale: 1,
    },
    Round {
        depth: 2,
        wanted: 96,
        scale: 2,
    },
    Round {
        depth: 3,
        wanted: 32,
        scale: 2,
    },
    Round {
        depth: 4,
        wanted: 12,
        scale: 2,
    },
    Round {
        depth: 3,
        wanted: 128,
        scale: 4,
    },
    Round {
        depth: 4,
        wanted: 32,
        scale: 4,
    },
    Round {
        depth: 5,
        wanted: 16,
        scale: 4,
    },
];

/// What each refuted answer before the first safe one is worth, in centipawns.
const PER_REFUTED: i32 = 50;

impl Root<'_> {
    /// Looks at the best candidates `round.depth` series deep.
    pub(super) fn deepen(&mut self, workers: &mut [Worker], round: Round) {
        let mut list: Vec<usize> = (0..self.node.candidates.len())
            .filter(|&index| self.is_looked_at(&self.node.candidates[index]))
            .collect();
        if list.is_empty() {
            return self.settle_first();
        }
        let leading: Vec<usize> = self.best.clone();
        list.sort_by_key(|&index| {
            let place = leading.iter().position(|&best| best == index);
            let candidate = &self.node.candidates[index];
            (
                place.unwrap_or(usize::MAX),
                std::cmp::Reverse((self.standing(candidate), candidate.worth)),
                index,
            )
        });
        list.truncate(round.wanted.max(self.request.lines));
        let breadth = self.breadth(round);
        let shared = Shared {
            next: AtomicUsize::new(0),
            is_enough: AtomicBool::new(false),
            found: Mutex::default(),
        };
        let lines = self.request.lines.max(1);
        let (node, position, control, table) =
            (&self.node, &self.position, self.control, self.table);
        let (telling, weakness, trust) = (self.telling, self.weakness, self.trust);
        let refuted = self.refuted_count();
        let verified = refuted + self.safe_count() as u32;
        on_all(workers, |worker| {
            loop {
                let place = shared.next.fetch_add(1, Ordering::Relaxed);
                if place >= list.len() || control.is_over() {
                    return;
                }
                // A round that is far over its share ends where it stands.
                if place > lines && control.spent() >= 1.0 {
                    return;
                }
                let index = list[place];
                telling.progress(control, || Progress {
                    depth: u32::from(round.depth),
                    series: node.series(index).to_vec(),
                    number: place as u32 + 1,
                    candidates: node.candidates.len() as u32,
                    verified,
                    refuted,
                    nodes: control.nodes(),
                    elapsed: control.elapsed(),
                });
                let candidate = node.candidates[index];
                let noise = weakness.map_or(0, |weakness| weakness.noise(candidate.key));
                let is_unsure = matches!(candidate.verdict, Verdict::Unsure | Verdict::Open);
                let extra = if is_unsure {
                    unsure(noise, candidate.danger, trust)
                } else {
                    noise
                };
                let score = if candidate.verdict == Verdict::Over {
                    candidate.score
                } else {
                    let alpha = alpha(&lock(&shared.found).scores, lines);
                    let end = node.end(position, index);
                    let after = worker.look(
                        &end,
                        1,
                        round.depth - 1,
                        -INFINITE,
                        hand_down(alpha.saturating_sub(extra)),
                        &breadth,
                        table,
                        control,
                    );
                    let Some(after) = after else { return };
                    match back_up(after) {
                        score if score.abs() < DECIDED => score + extra,
                        // The opponent may mate first.
                        score if is_unsure => {
                            unsure(score.min(EVALUATION_MAX), candidate.danger, trust)
                        }
                        score => score,
                    }
                };
                lock(&shared.found).scores.push((index, score));
            }
        });
        let found = shared
            .found
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        self.take_over(&found.scores, &leading, round.depth);
    }

    /// How good a candidate is as far as is known.
    fn standing(&self, candidate: &Candidate) -> i32 {
        match candidate.verdict {
            Verdict::Open if candidate.depth == 0 => {
                self.trust.promise(candidate.worth, candidate.danger)
            }
            _ => candidate.score,
        }
    }

    /// Takes over the scores of a round, as far as it went.
    fn take_over(&mut self, scores: &[(usize, i32)], leading: &[usize], depth: u8) {
        for &(index, score) in scores {
            self.node.candidates[index].score = score;
            self.node.candidates[index].depth = depth - 1;
        }
        let has_leader = leading
            .first()
            .is_none_or(|first| scores.iter().any(|(index, _)| index == first));
        if scores.is_empty() || !has_leader {
            return;
        }
        let mut best: Vec<(usize, i32)> = scores.to_vec();
        // Equal scores: who was there first stays first.
        best.sort_by_key(|&(index, score)| {
            let place = leading.iter().position(|&l| l == index);
            (std::cmp::Reverse(score), place.unwrap_or(usize::MAX), index)
        });
        let mut best: Vec<usize> = best.into_iter().map(|(index, _)| index).collect();
        for &index in leading {
            if !best.contains(&index) {
                best.push(index);
            }
        }
        self.ranked = best;
        self.depth = self.depth.max(u32::from(depth));
    }

    fn breadth(&self, round: Round) -> Breadth {
        let effort = self.control.effort();
        let length = u64::from(self.position.moves_left()) + 1;
        let width = effort / 60 / BRANCHING / length;
        let scale = round.scale;
        Breadth {
            width: (width as usize).clamp(self.trust.width_least, 400) * scale,
            kept: 120 * scale,
            tries: 32 * scale,
            replies: self.trust.replies + scale,
            solver_nodes: (effort / 20).max(2000) * scale as u64,
            per_refuted: if self.level == Level::WithoutReplyCount {
                0
            } else {
                PER_REFUTED
            },
        }
    }
}

/// The score a further candidate has to beat: the best, or with several lines the last of them.
fn alpha(scores: &[(usize, i32)], lines: usize) -> i32 {
    if scores.len() < lines {
        return -INFINITE;
    }
    let mut scores: Vec<i32> = scores.iter().map(|&(_, score)| score).collect();
    scores.sort_unstable_by_key(|&score| std::cmp::Reverse(score));
    scores[lines - 1]
}
