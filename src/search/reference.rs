//! The reference players that strength is measured against. They are frozen: what they know and
//! how they search must not change, or old results mean nothing. They share the rules, and the
//! second one the mate solver and the known mates, with the engine.
//!
//! `one-series` finds its own mates and takes the best series from a beam of 100 after which the
//! opponent has no mate, both by a depth-first search over distinct positions whose last move is
//! a check. `two-series` has the solver and known mates, a beam of 300, and prefers, among up to
//! eight safe series, the one whose first safe answer stands furthest down the opponent's list.

use std::collections::HashSet;

use super::{
    control::Control,
    generator::{decided, ends_at_once},
    look::Worker,
    node::Verdict,
    quick::quick_series,
    request::{Answer, News, Report, Request},
    score::{WON, told},
    table::Table,
    telling::Telling,
};
use crate::{
    rules::{CheckRule, Color, Move, Objective, Role, SeriesPosition, Status},
    solver,
};

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    OneSeries,
    TwoSeries,
}

impl Reference {
    fn width(self) -> usize {
        match self {
            Reference::OneSeries => 100,
            Reference::TwoSeries => 300,
        }
    }
}

/// The share of the time for the own mate.
const MATE_SHARE: u64 = 3;
/// How many safe series are looked at further.
const LOOKED_AT: usize = 8;
/// How far down the opponent's list a safe answer is looked for.
const ANSWERS: usize = 40;
/// Worth of each unsafe answer above the first safe one.
const PER_ANSWER: i32 = 30;

/// Material, and pawns by the squares of their steps.
fn material(position: &SeriesPosition, us: Color) -> i32 {
    const WORTH: [(Role, i32); 5] = [
        (Role::Pawn, 100),
        (Role::Knight, 300),
        (Role::Bishop, 310),
        (Role::Rook, 480),
        (Role::Queen, 900),
    ];
    let men = position.men();
    let royal = position.rules().has_royal_kings();
    let side = |color: Color| {
        let mut score: i32 = WORTH
            .iter()
            .map(|&(role, worth)| worth * men.men(color, role).count() as i32)
            .sum();
        if !royal {
            score += 350 * men.men(color, Role::King).count() as i32;
        }
        for pawn in men.men(color, Role::Pawn) {
            let rank = pawn.rank() as i32;
            let steps = color.fold_wb(rank - 1, 6 - rank);
            score += 4 * steps * steps;
        }
        score
    };
    side(us) - side(!us)
}

/// A series from the beam.
struct Leaf {
    end: SeriesPosition,
    series: Vec<Move>,
    worth: i32,
}

/// The beam: layers over distinct positions, cut by material; ends, best first.
fn beam(
    root: &SeriesPosition,
    first_moves: &[Move],
    width: usize,
    control: &Control<'_>,
) -> Vec<Leaf> {
    let us = root.side();
    let mut layer: Vec<(SeriesPosition, Vec<Move>)> = vec![(*root, Vec::new())];
    let mut leaves = Vec::new();
    let mut seen = HashSet::new();
    while !layer.is_empty() {
        let mut next_layer = Vec::new();
        for (position, series) in &layer {
            let moves = position.legal_moves();
            if !control.count(moves.len() as u64 + 1) {
                return leaves;
            }
            if moves.is_empty() && !series.is_empty() {
                leaves.push(Leaf {
                    end: *position,
                    series: series.clone(),
                    worth: decided(position.status(), us).unwrap_or(0),
                });
            }
            for m in moves {
                if series.is_empty() && !first_moves.is_empty() && !first_moves.contains(&m) {
                    continue;
                }
                let next = position.after(m);
                if !seen.insert(next.key()) {
                    continue;
                }
                let mut series = series.clone();
                series.push(m);
                if next.is_turn_start() || ends_at_once(&next) {
                    let worth = material(&next, us);
                    leaves.push(Leaf {
                        end: next,
                        series,
                        worth,
                    });
                } else {
                    next_layer.push((material(&next, us), next, series));
                }
            }
        }
        next_layer.sort_by_key(|(worth, next, _)| (std::cmp::Reverse(*worth), next.key()));
        next_layer.truncate(width);
        layer = next_layer
            .into_iter()
            .map(|(_, next, series)| (next, series))
            .collect();
    }
    leaves.sort_by_key(|leaf| (std::cmp::Reverse(leaf.worth), leaf.end.key()));
    leaves
}

/// Depth first over distinct positions; the last move is a check.
struct ChecksOnly<'c, 'a> {
    control: &'c Control<'a>,
    nodes: u64,
    refuted: HashSet<u64>,
    line: Vec<Move>,
}

impl ChecksOnly<'_, '_> {
    /// Whether the series of `position` wins; `None` if the budget ends first.
    fn wins(&mut self, position: &SeriesPosition) -> Option<bool> {
        if self.nodes == 0 || !self.control.count(1) {
            return None;
        }
        self.nodes -= 1;
        let rules = position.rules();
        let key = position.series_key();
        if self.refuted.contains(&key) {
            return Some(false);
        }
        let is_last = position.moves_left() == 1;
        let moves = if is_last && rules.objective == Objective::Mate {
            position.checking_moves()
        } else {
            position.legal_moves()
        };
        for m in moves {
            let next = position.after(m);
            let may_win = rules.objective == Objective::Capture
                || (next.side() != position.side()
                    && (is_last || rules.checks == CheckRule::Ends)
                    && next.is_check());
            let has_won = may_win
                && next
                    .board_outcome()
                    .is_some_and(|outcome| outcome.winner == Some(position.side()));
            if has_won || (next.side() == position.side() && self.wins(&next)?) {
                self.line.push(m);
                return Some(true);
            }
        }
        self.refuted.insert(key);
        Some(false)
    }
}

/// A reference player at work.
pub(super) struct Player<'p, 'a> {
    pub kind: Reference,
    pub worker: &'p mut Worker,
    pub table: &'p Table,
    pub control: &'p Control<'a>,
}

impl Player<'_, '_> {
    /// The mate in the series of `position`, and the verdict on whoever left it to be played.
    fn mate(&mut self, position: &SeriesPosition, nodes: u64) -> (Verdict, Vec<Move>) {
        match self.kind {
            Reference::OneSeries => {
                let mut search = ChecksOnly {
                    control: self.control,
                    nodes,
                    refuted: HashSet::new(),
                    line: Vec::new(),
                };
                match search.wins(position) {
                    Some(true) => {
                        search.line.reverse();
                        (Verdict::Unsafe, search.line)
                    }
                    Some(false) => (Verdict::Safe, Vec::new()),
                    None => (Verdict::Unsure, Vec::new()),
                }
            }
            Reference::TwoSeries => match self.worker.mate(position, nodes, self.control).0 {
                solver::Answer::Mate(series) => (Verdict::Unsafe, series),
                solver::Answer::NoMate => (Verdict::Safe, Vec::new()),
                solver::Answer::Unknown => (Verdict::Unsure, Vec::new()),
            },
        }
    }

    fn verify(&mut self, end: &SeriesPosition, side: Color, ply: usize, nodes: u64) -> Verdict {
        if let Some(score) = decided(end.status(), side) {
            return if score < 0 {
                Verdict::Unsafe
            } else {
                Verdict::Safe
            };
        }
        match self.kind {
            Reference::OneSeries => self.mate(end, nodes).0,
            Reference::TwoSeries => {
                self.worker
                    .verify(end, side, ply, nodes, self.table, self.control)
                    .verdict
            }
        }
    }

    /// The best series as this player sees it.
    pub(super) fn play(mut self, request: &Request, telling: &Telling<'_>) -> Answer {
        let root = *request.game.position();
        let us = root.side();
        self.worker.begin();
        let effort = self.control.effort();
        let answer = |series: Vec<Move>, score: i32, depth: u32| {
            let line = Report {
                depth,
                line: 0,
                candidates: 0,
                verified: 0,
                refuted: 0,
                score: told(score),
                nodes: self.control.nodes(),
                elapsed: self.control.elapsed(),
                hashfull: 0,
                pv: vec![series],
            };
            telling.tell(News::Line(&line));
            Answer { lines: vec![line] }
        };
        let is_free = request.first_moves.is_empty() && request.series.is_empty();
        if is_free && root.status() != Status::QuietLimit {
            let (verdict, series) = self.mate(&root, (effort / MATE_SHARE).max(1000));
            if verdict == Verdict::Unsafe {
                return answer(series, WON - 1, 1);
            }
        }
        let leaves = beam(&root, &request.first_moves, self.kind.width(), self.control);
        let wanted = match self.kind {
            Reference::OneSeries => 1,
            Reference::TwoSeries => LOOKED_AT,
        };
        let mut safe: Vec<usize> = Vec::new();
        let mut unsure = None;
        for (index, leaf) in leaves.iter().enumerate() {
            if safe.len() >= wanted || self.control.is_over() {
                break;
            }
            if !safe.is_empty() && self.control.spent() > 0.5 {
                break;
            }
            match self.verify(&leaf.end, us, 1, effort / 3) {
                Verdict::Safe | Verdict::Over => safe.push(index),
                Verdict::Unsure => unsure = unsure.or(Some(index)),
                Verdict::Unsafe | Verdict::Feared | Verdict::Open => {}
            }
        }
        let mut chosen = safe.first().copied().or(unsure).unwrap_or(0);
        if self.kind == Reference::TwoSeries && safe.len() > 1 {
            chosen = self.look_further(&leaves, &safe, us).unwrap_or(chosen);
        }
        match leaves.get(chosen) {
            Some(leaf) => {
                let worth = leaf.worth;
                answer(leaf.series.clone(), worth, 1)
            }
            None => answer(quick_series(&root, &request.first_moves), 0, 0),
        }
    }

    fn look_further(&mut self, leaves: &[Leaf], safe: &[usize], us: Color) -> Option<usize> {
        let effort = self.control.effort();
        let mut best: Option<(i32, usize)> = None;
        for &index in safe {
            let leaf = &leaves[index];
            let mut score = leaf.worth;
            if leaf.end.status() == Status::Ongoing {
                let answers = beam(&leaf.end, &[], self.kind.width(), self.control);
                let mut down = 0;
                for answer in answers.iter().take(ANSWERS) {
                    if self.control.is_over() {
                        return best.map(|(_, index)| index);
                    }
                    let verdict = self.verify(&answer.end, !us, 2, effort / 20);
                    if verdict != Verdict::Unsafe {
                        break;
                    }
                    down += 1;
                }
                score += PER_ANSWER * down;
            }
            if self.control.is_over() {
                break;
            }
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, index));
            }
        }
        best.map(|(_, index)| index)
    }
}
