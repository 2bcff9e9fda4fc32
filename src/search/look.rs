//! One thread's part of the search: candidates, verdicts, and looking several series ahead.

use std::time::Instant;

use super::{
    control::Control,
    generator::{Generator, Plan, decided},
    memory::Share,
    node::{Candidate, Node, Verdict},
    refutations::Refutations,
    score::{DECIDED, INFINITE, NO_SAFE_SERIES, back_up, hand_down, unsure},
    table::Table,
    trust::Trust,
};
use crate::{
    eval::EVALUATION_MAX,
    rules::{Color, Move, SeriesPosition, Status},
    solver::{self, Solver},
};

/// How broadly positions after the first series are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Breadth {
    /// The width of their generation.
    pub width: usize,
    /// How many candidates are kept.
    pub kept: usize,
    /// How many candidates are tried before the search believes that none is safe.
    pub tries: usize,
    /// How many safe candidates are looked at more deeply.
    pub replies: usize,
    /// The most nodes of one question to the solver.
    pub solver_nodes: u64,
    /// By how much a position is worth less for each refuted series before the first safe one:
    /// where most series lose, the rest soon will.
    pub per_refuted: i32,
}

/// Deeper than this no search goes.
pub(super) const DEPTH_MAX: usize = 64;

/// Where there is a score to beat, a beam so many times narrower comes first: five times of six it
/// finds an answer good enough to need no other.
const NARROWER: usize = 4;
/// It is not narrower than this; where that is more than half of the whole, it is left out.
const NARROW_LEAST: usize = 20;

/// What one thread needs.
#[derive(Debug)]
pub(super) struct Worker {
    pub generator: Generator,
    solver: Solver,
    /// Mates by the number of series before them.
    refutations: Vec<Refutations>,
}

/// A verdict and what it stands on.
#[derive(Debug)]
pub(super) struct Verified {
    pub verdict: Verdict,
    /// The final score, when the verdict is [`Verdict::Over`].
    pub score: i32,
    /// The opponent's mate, if it was needed.
    pub line: Option<Vec<Move>>,
    /// Nodes it took.
    pub nodes: u64,
}

impl Verified {
    /// The verdict of someone who does not ask whether the opponent mates in `end`.
    pub(super) fn unasked(end: &SeriesPosition, side: Color) -> Verified {
        let over = decided(end.status(), side);
        let is_over = over.is_some() || end.side() == side;
        Verified {
            verdict: if is_over {
                Verdict::Over
            } else {
                Verdict::Safe
            },
            score: over.unwrap_or(0),
            line: None,
            nodes: 0,
        }
    }
}

impl Worker {
    pub(super) fn new(share: Share) -> Worker {
        Worker {
            generator: Generator::new(share),
            solver: Solver::within(share.solver),
            refutations: Vec::new(),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.solver.forget();
        self.refutations.clear();
    }

    /// Forgets the mates of the last search.
    pub(super) fn begin(&mut self) {
        self.refutations.clear();
        self.refutations
            .resize_with(DEPTH_MAX + 2, Refutations::default);
    }

    /// A mate in the series of `position`.
    pub(super) fn mate(
        &mut self,
        position: &SeriesPosition,
        nodes: u64,
        control: &Control<'_>,
    ) -> (solver::Answer, u64) {
        if position.moves_left() > solver::SERIES_MAX {
            return (solver::Answer::Unknown, 0);
        }
        let mut used = 0;
        let begun = Instant::now();
        let time = control.time_for(nodes);
        loop {
            let mut limits = control.solver_limits(nodes - used);
            if let Some(time) = time {
                let left = time.saturating_sub(begun.elapsed());
                limits.time = Some(limits.time.map_or(left, |limit| limit.min(left)));
            }
            let asked = limits.nodes.unwrap_or(u64::MAX);
            let report = self.solver.first_mate(position, &limits);
            used += report.stats.nodes;
            control.count(report.stats.nodes);
            let is_sliced = report.answer == solver::Answer::Unknown
                && report.stats.nodes > 0
                && report.stats.nodes < asked;
            // The solver gave up early: because of the time, a stop, or the end of a slice.
            let is_late = time.is_some_and(|time| begun.elapsed() >= time);
            if !is_sliced || is_late || !control.poll() || used >= nodes {
                return (report.answer, used);
            }
        }
    }

    /// What the opponent can do to `end`, which stands after `ply` series. `end` is not known to
    /// the table yet.
    pub(super) fn verify(
        &mut self,
        end: &SeriesPosition,
        side: Color,
        ply: usize,
        nodes: u64,
        table: &Table,
        control: &Control<'_>,
    ) -> Verified {
        let status = end.status();
        let over = |score, nodes| Verified {
            verdict: Verdict::Over,
            score,
            line: None,
            nodes,
        };
        if let Some(score) = decided(status, side) {
            return over(score, 0);
        }
        if end.side() == side {
            // Ran dry: a draw by the board, as `decided` would have said otherwise.
            return over(0, 0);
        }
        let known = if status == Status::QuietLimit {
            None
        } else {
            table.verdict(end.key())
        };
        let verified = |verdict, line, nodes| Verified {
            verdict,
            score: 0,
            line,
            nodes,
        };
        if let Some(verdict) = known {
            return verified(verdict, None, 0);
        }
        let mut tried = 0;
        let line = self.refutations[ply]
            .probe(end, &mut tried)
            .map(<[Move]>::to_vec);
        control.count(tried / 4 + 1);
        if let Some(line) = line {
            table.remember(end.key(), Verdict::Unsafe);
            return verified(Verdict::Unsafe, Some(line), 0);
        }
        let (answer, used) = self.mate(end, nodes, control);
        match answer {
            solver::Answer::Mate(series) => {
                self.refutations[ply].keep(series.clone());
                table.remember(end.key(), Verdict::Unsafe);
                verified(Verdict::Unsafe, Some(series), used)
            }
            // At the quiet limit no mate means a draw.
            solver::Answer::NoMate if status == Status::QuietLimit => over(0, used),
            solver::Answer::NoMate => {
                table.remember(end.key(), Verdict::Safe);
                verified(Verdict::Safe, None, used)
            }
            solver::Answer::Unknown => verified(Verdict::Unsure, None, used),
        }
    }

    /// The score of `position` for its side on turn, which has no mate in its series, looking
    /// `depth` (at least 1) series ahead. `None` when the search has to end.
    #[allow(clippy::too_many_arguments)] // They are what every alpha-beta search hands down.
    pub(super) fn look(
        &mut self,
        position: &SeriesPosition,
        ply: usize,
        depth: u8,
        alpha: i32,
        beta: i32,
        breadth: &Breadth,
        table: &Table,
        control: &Control<'_>,
    ) -> Option<i32> {
        let key = position.key();
        let mut known = table.take(key);
        let mut look = Look {
            worker: self,
            position,
            ply,
            breadth,
            table,
            control,
        };
        let narrow = (breadth.width / NARROWER).max(NARROW_LEAST);
        let mut width = if beta < INFINITE && 2 * narrow <= breadth.width {
            narrow
        } else {
            breadth.width
        };
        loop {
            let mut node = look.node(known, width)?;
            let is_wide = node.is_complete || node.width >= breadth.width;
            let score = match look.best(&mut node, depth, alpha, beta) {
                Some((best, _)) if best < beta && !is_wide => {
                    known = Some(node);
                    width = breadth.width;
                    continue;
                }
                Some((best, tries)) if best == -INFINITE => look.without_safe(&mut node, tries),
                best => best.map(|(best, _)| best),
            };
            table.put(key, node);
            return score;
        }
    }
}

/// Looking at one node.
struct Look<'l, 'c> {
    worker: &'l mut Worker,
    position: &'l SeriesPosition,
    ply: usize,
    breadth: &'l Breadth,
    table: &'l Table,
    control: &'l Control<'c>,
}

impl Look<'_, '_> {
    /// The candidates from a beam of at least `width`: those that are known, or made anew. `None` when
    /// the search has to end.
    fn node(&mut self, known: Option<Node>, width: usize) -> Option<Node> {
        if let Some(node) = known
            && (node.is_complete || node.width >= width)
        {
            return Some(node);
        }
        let plan = Plan {
            width,
            kept: self.breadth.kept,
            first_moves: &[],
        };
        let generator = &mut self.worker.generator;
        let node = generator.generate(self.position, &plan, self.control);
        (!self.control.is_over()).then_some(node)
    }

    /// The score of the best candidate that is not known to lose, looking `depth` series ahead, or
    /// minus [`INFINITE`]; and how many were tried. `None` when the search has to end.
    fn best(&mut self, node: &mut Node, depth: u8, alpha: i32, beta: i32) -> Option<(i32, usize)> {
        if depth <= 1 || self.ply >= DEPTH_MAX {
            self.shallow(node, alpha, beta)
        } else {
            self.deep(node, depth, alpha, beta)
        }
    }

    /// How far the danger is trusted here.
    fn trust(&self) -> Trust {
        Trust::under(self.position.rules())
    }

    /// The score of a candidate as far as it is known.
    fn score(&self, candidate: &Candidate) -> i32 {
        if candidate.depth == 0 && candidate.verdict == Verdict::Safe {
            self.promise(candidate)
        } else {
            candidate.score
        }
    }

    /// What a candidate promises that is not looked at further.
    fn promise(&self, candidate: &Candidate) -> i32 {
        self.trust().promise(candidate.worth, candidate.danger)
    }

    /// Makes sure that there is a verdict on a candidate; `None` when the search has to end.
    fn settle(&mut self, node: &mut Node, index: usize) -> Option<()> {
        let trust = self.trust();
        let candidate = &mut node.candidates[index];
        if candidate.verdict != Verdict::Open {
            return Some(());
        }
        let Some(danger) = candidate.danger else {
            return self.ask(node, index);
        };
        candidate.verdict = if trust.believes(danger) {
            Verdict::Safe
        } else {
            Verdict::Feared
        };
        Some(())
    }

    /// Asks about candidates that are only feared, until one is not refuted, and tells which: that a
    /// game is lost has to be proved. Ends early when the search has to end.
    fn ask_feared(&mut self, node: &mut Node) -> Option<usize> {
        for index in 0..node.candidates.len() {
            match node.candidates[index].verdict {
                Verdict::Unsafe => {}
                Verdict::Feared => {
                    self.ask(node, index)?;
                    if node.candidates[index].verdict != Verdict::Unsafe {
                        return Some(index);
                    }
                }
                // Not even looked at.
                _ => break,
            }
        }
        None
    }

    /// Asks what the opponent can do after a candidate; `None` when the search has to end.
    fn ask(&mut self, node: &mut Node, index: usize) -> Option<()> {
        let end = node.end(self.position, index);
        let verified = self.worker.verify(
            &end,
            self.position.side(),
            self.ply + 1,
            self.breadth.solver_nodes,
            self.table,
            self.control,
        );
        if verified.verdict == Verdict::Unsure && self.control.is_over() {
            return None;
        }
        let candidate = &mut node.candidates[index];
        candidate.verdict = verified.verdict;
        match verified.verdict {
            Verdict::Over => candidate.score = verified.score,
            Verdict::Unsure => {
                candidate.score = unsure(candidate.worth, candidate.danger, self.trust());
            }
            _ => {}
        }
        Some(())
    }

    /// The score of a node none of whose candidates tried was any good; `None` when the search has
    /// to end.
    fn without_safe(&mut self, node: &mut Node, tries: usize) -> Option<i32> {
        let worse = self.breadth.per_refuted * tries as i32;
        // Only where every series is known something can be proved.
        if node.is_complete {
            let not_refuted = self.ask_feared(node);
            if self.control.is_over() {
                return None;
            }
            if let Some(index) = not_refuted {
                let candidate = &node.candidates[index];
                return Some(match candidate.verdict {
                    Verdict::Over => candidate.score,
                    _ => candidate.score - worse,
                });
            }
        }
        let all_refuted = node.is_complete
            && node
                .candidates
                .iter()
                .all(|candidate| candidate.verdict == Verdict::Unsafe);
        Some(if all_refuted {
            // The other side mates in the next series.
            back_up(back_up(-super::score::WON))
        } else {
            // Something safe may be further down the list; how far is all that is known.
            let hope = node
                .candidates
                .iter()
                .map(|candidate| candidate.worth)
                .max();
            hope.unwrap_or(0).min(DECIDED) - NO_SAFE_SERIES - worse
        })
    }

    /// One series ahead: the best safe candidate by its worth.
    fn shallow(&mut self, node: &mut Node, alpha: i32, beta: i32) -> Option<(i32, usize)> {
        let mut best = -INFINITE;
        let mut tries = 0;
        let mut refuted = 0;
        for index in 0..node.candidates.len() {
            let candidate = node.candidates[index];
            let known = matches!(candidate.verdict, Verdict::Over);
            let promise = if known {
                candidate.score
            } else {
                self.promise(&candidate)
            };
            if promise <= best.max(if best > -INFINITE { alpha } else { -INFINITE }) {
                continue;
            }
            if matches!(candidate.verdict, Verdict::Unsafe | Verdict::Feared) {
                tries += 1;
                refuted += i32::from(best == -INFINITE);
                continue;
            }
            if candidate.verdict == Verdict::Open {
                if tries >= self.breadth.tries {
                    break;
                }
                tries += 1;
                self.settle(node, index)?;
            }
            let candidate = node.candidates[index];
            let score = match candidate.verdict {
                Verdict::Unsafe | Verdict::Feared | Verdict::Open => {
                    refuted += i32::from(best == -INFINITE);
                    continue;
                }
                Verdict::Safe => self.promise(&candidate) - self.breadth.per_refuted * refuted,
                Verdict::Unsure => {
                    unsure(candidate.worth, candidate.danger, self.trust())
                        - self.breadth.per_refuted * refuted
                }
                Verdict::Over => candidate.score,
            };
            if score > best {
                best = score;
                node.best = Some(index as u32);
                if best >= beta {
                    break;
                }
            }
        }
        Some((best, tries))
    }

    /// Several series ahead.
    fn deep(&mut self, node: &mut Node, depth: u8, alpha: i32, beta: i32) -> Option<(i32, usize)> {
        let mut tries = 0;
        let mut good: Vec<usize> = Vec::new();
        for index in 0..node.candidates.len() {
            let verdict = node.candidates[index].verdict;
            if verdict == Verdict::Open {
                if tries >= self.breadth.tries || good.len() >= self.breadth.replies {
                    continue;
                }
                self.settle(node, index)?;
            }
            tries += 1;
            let candidate = &node.candidates[index];
            let is_bad = matches!(
                candidate.verdict,
                Verdict::Unsafe | Verdict::Feared | Verdict::Open
            );
            if !is_bad {
                good.push(index);
            }
        }
        good.sort_by_key(|&index| {
            let candidate = &node.candidates[index];
            (std::cmp::Reverse(self.score(candidate)), candidate.key)
        });
        good.truncate(self.breadth.replies);
        let mut best = -INFINITE;
        for index in good {
            let candidate = node.candidates[index];
            let score = match candidate.verdict {
                Verdict::Over => candidate.score,
                Verdict::Unsure => unsure(candidate.worth, candidate.danger, self.trust()),
                _ => {
                    let end = node.end(self.position, index);
                    // What may happen before the next look.
                    let price = candidate.worth - self.promise(&candidate);
                    let after = self.worker.look(
                        &end,
                        self.ply + 1,
                        depth - 1,
                        hand_down(beta.saturating_add(price)),
                        hand_down(alpha.max(best).saturating_add(price)),
                        self.breadth,
                        self.table,
                        self.control,
                    )?;
                    match back_up(after) {
                        score if score.abs() < DECIDED => score - price,
                        score => score,
                    }
                }
            };
            node.candidates[index].score = score;
            node.candidates[index].depth = depth - 1;
            if score > best {
                best = score;
                node.best = Some(index as u32);
                if best >= beta || best > DECIDED {
                    break;
                }
            }
        }
        if best > -INFINITE && best < -DECIDED {
            best = self.hope(node).unwrap_or(best);
        }
        Some((best, tries))
    }

    /// What is to be hoped for from series that were not looked at further, where all others lose:
    /// `None` if there are none.
    fn hope(&self, node: &Node) -> Option<i32> {
        let rest = (node.candidates.iter())
            .filter(|candidate| candidate.depth == 0 && candidate.verdict != Verdict::Unsafe)
            .map(|candidate| self.promise(candidate))
            .max();
        let hope = rest.or((!node.is_complete).then_some(0))?;
        Some(hope.clamp(-EVALUATION_MAX, EVALUATION_MAX) - NO_SAFE_SERIES)
    }
}
