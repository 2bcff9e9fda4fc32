//! The search at the root: verified candidates first, then ever deeper and broader rounds.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use super::{
    control::Control,
    generator::Plan,
    level::Level,
    look::{Breadth, UNSURE, Worker},
    node::{Node, Verdict},
    request::{Answer, Report, Request},
    score::{DECIDED, INFINITE, WON, back_up, hand_down, told},
    table::Table,
};
use crate::{
    rules::{Move, Objective, SeriesPosition},
    solver,
};

/// A round: how deep and how broad.
#[derive(Clone, Copy, Debug)]
struct Round {
    depth: u8,
    /// How many safe candidates are looked at.
    wanted: usize,
    /// Breadth against that of the first round.
    scale: usize,
}

/// The rounds, until time is up. The first one only verifies.
const ROUNDS: [Round; 10] = [
    Round {
        depth: 1,
        wanted: 12,
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

/// Ends that are kept at the root.
const ROOT_KEPT: usize = 16_000;
/// The share of the effort that finding an own mate may take.
const MATE_SHARE: u64 = 3;
/// One proof about a candidate takes at most one part in so many of the effort: little at first,
/// more where nothing is proved.
const PROOF_SHARES: [u64; 2] = [10, 3];
/// So many candidates left open are enough before more effort goes into them.
const UNSURE_MAX: usize = 5;
/// The share of the effort that generating candidates may take.
const GENERATE_SHARE: u64 = 4;
/// The beam is widened up to this factor when nothing safe is found.
const WIDEN_MAX: u64 = 256;
/// What each refuted answer before the first safe one is worth, in centipawns.
const PER_REFUTED: i32 = 50;
/// Moves that a position has, in planning.
const BRANCHING: u64 = 24;

/// A search at the root.
pub(super) struct Root<'a> {
    pub position: SeriesPosition,
    pub request: &'a Request,
    pub control: &'a Control<'a>,
    pub table: &'a Table,
    pub report: &'a mut dyn FnMut(&Report),
    level: Level,
    node: Node,
    /// Refutations of unsafe candidates, and the effort they took.
    refuted: Vec<Option<(Vec<Move>, u64)>>,
    /// The best candidates so far, best first.
    best: Vec<usize>,
    depth: u32,
}

/// What a round finds, shared by the threads.
struct Shared {
    next: AtomicUsize,
    is_enough: AtomicBool,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    /// Scores of this round, by candidate.
    scores: Vec<(usize, i32)>,
    safe: usize,
    unsure: usize,
    verified: Vec<(usize, super::look::Verified)>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` on every worker, the first one on this thread.
fn on_all(workers: &mut [Worker], work: impl Fn(&mut Worker) + Sync) {
    let Some((first, others)) = workers.split_first_mut() else {
        return;
    };
    if others.is_empty() {
        return work(first);
    }
    std::thread::scope(|scope| {
        for worker in others {
            let work = &work;
            scope.spawn(move || work(worker));
        }
        work(first);
    });
}

impl<'a> Root<'a> {
    pub(super) fn new(
        request: &'a Request,
        control: &'a Control<'a>,
        table: &'a Table,
        level: Level,
        report: &'a mut dyn FnMut(&Report),
    ) -> Root<'a> {
        Root {
            position: *request.game.position(),
            request,
            control,
            table,
            report,
            level,
            node: Node::new(false, 0),
            refuted: Vec::new(),
            best: Vec::new(),
            depth: 0,
        }
    }

    /// Searches; `quick` is a legal series for the case that there is no time at all.
    pub(super) fn run(mut self, workers: &mut [Worker], quick: &[Move]) -> Answer {
        for worker in workers.iter_mut() {
            worker.begin();
        }
        if let Some(answer) = self.own_mate(workers) {
            return answer;
        }
        self.collect(workers, quick, 1);
        let mut depth_max = self.control.limits().depth.unwrap_or(u32::MAX);
        if self.level == Level::WithoutLookAhead {
            depth_max = 1;
        }
        for (number, &round) in ROUNDS.iter().enumerate() {
            let mut round = round;
            if self.captures_all() {
                round.wanted *= 5;
            }
            if u32::from(round.depth) > depth_max.max(1) {
                continue;
            }
            if number > 0 && self.is_enough() {
                break;
            }
            if round.depth == 1 {
                self.verify_first(workers, round.wanted);
                self.widen(workers, quick, round.wanted);
                self.depth = 1;
            } else {
                self.verify_until(workers, round.wanted, 0.5, PROOF_SHARES[0], false);
                self.deepen(workers, round);
            }
            self.tell();
            if self.control.is_over() {
                break;
            }
        }
        Answer {
            lines: self.lines(),
        }
    }

    /// While nothing safe is known and series were left out, looks more widely.
    fn widen(&mut self, workers: &mut [Worker], quick: &[Move], wanted: usize) {
        let mut scale = 1;
        while self.safe_count() == 0
            && !self.node.is_complete
            && self.request.series.is_empty()
            && self.level != Level::WithoutEnumeration
            && scale < WIDEN_MAX
            && self.control.poll()
        {
            scale *= 4;
            let node = std::mem::replace(&mut self.node, Node::new(false, 0));
            let refuted = std::mem::take(&mut self.refuted);
            let best = std::mem::take(&mut self.best);
            self.collect(workers, quick, scale);
            if self.control.is_over() {
                // Too late: what was known before is worth more.
                (self.node, self.refuted, self.best) = (node, refuted, best);
                return;
            }
            self.verify_first(workers, wanted);
        }
    }

    /// Verifies with little effort for each candidate, since most mates are found soon; then,
    /// while none is known to be safe, with more for those that were left open.
    fn verify_first(&mut self, workers: &mut [Worker], wanted: usize) {
        for (number, share) in PROOF_SHARES.into_iter().enumerate() {
            let again = number > 0;
            if again && (self.safe_count() > 0 || self.control.is_over()) {
                break;
            }
            self.verify_until(workers, wanted, 0.6, share, again);
        }
        self.settle_first();
    }

    /// Looks for a mate in this series.
    fn own_mate(&mut self, workers: &mut [Worker]) -> Option<Answer> {
        let restricted = !self.request.series.is_empty() || !self.request.first_moves.is_empty();
        if restricted || self.request.lines > 1 {
            return None;
        }
        let nodes = (self.control.effort() / MATE_SHARE).max(1000);
        let (answer, _) = workers[0].mate(&self.position, nodes, self.control);
        let solver::Answer::Mate(series) = answer else {
            return None;
        };
        self.node.push(&self.position, &series, WON - 1);
        self.node.candidates[0].verdict = Verdict::Over;
        self.best = vec![0];
        self.depth = 1;
        self.tell();
        Some(Answer {
            lines: self.lines(),
        })
    }

    /// Collects the candidates, from a beam that is `scale` times as wide as planned.
    fn collect(&mut self, workers: &mut [Worker], quick: &[Move], scale: u64) {
        if self.request.series.is_empty() {
            let length = u64::from(self.position.moves_left());
            let width = self.control.effort() / GENERATE_SHARE / BRANCHING / length;
            let width_max = if self.level == Level::WithoutEnumeration {
                300
            } else {
                200_000
            };
            let plan = Plan {
                width: ((width * scale) as usize).clamp(200, width_max),
                kept: ROOT_KEPT,
                first_moves: &self.request.first_moves,
            };
            self.node = workers[0]
                .generator
                .generate(&self.position, &plan, self.control);
            if self.node.candidates.is_empty() {
                self.node.push(&self.position, quick, -EVALUATION_LAST);
            }
        } else {
            self.node = Node::new(false, 0);
            for series in &self.request.series {
                let mut end = self.position;
                for &m in series {
                    end.play(m);
                }
                let worth = super::generator::decided(end.status(), self.position.side())
                    .unwrap_or_else(|| -crate::eval::evaluate(&end).0);
                self.node.push(&self.position, series, worth);
            }
        }
        self.best = vec![0];
        self.refuted.clear();
        self.refuted
            .resize_with(self.node.candidates.len(), || None);
    }

    fn refuted_count(&self) -> u32 {
        self.refuted.iter().flatten().count() as u32
    }

    fn safe_count(&self) -> usize {
        let good = |verdict| matches!(verdict, Verdict::Safe | Verdict::Over);
        self.node
            .candidates
            .iter()
            .filter(|candidate| good(candidate.verdict))
            .count()
    }

    /// Whether going on is of no use: the share is spent and a safe series is known, or nothing
    /// can change any more.
    fn is_enough(&self) -> bool {
        let safe = self.safe_count();
        let best = self.best.first().map(|&best| self.node.candidates[best]);
        let is_won = best.is_some_and(|best| best.score > DECIDED);
        let all_known = self.node.is_complete
            && !self
                .node
                .candidates
                .iter()
                .any(|candidate| candidate.verdict == Verdict::Open);
        // A clock saves what a round that cannot be finished would waste.
        let share = if self.control.is_fixed() { 1.0 } else { 0.55 };
        let is_spent = self.control.spent() >= share;
        (is_won && self.request.lines == 1)
            || (all_known && safe == 0)
            || (all_known && safe == 1 && self.control.spent() > 0.0)
            || (is_spent && safe > 0)
    }

    /// Verifies candidates in their order until `wanted` safe ones are known, or `share` of the
    /// effort is spent and one is.
    /// One question takes at most a part `proof` of the effort. With `again` those that the
    /// solver gave up before are asked once more.
    fn verify_until(
        &mut self,
        workers: &mut [Worker],
        wanted: usize,
        share: f64,
        proof: u64,
        again: bool,
    ) {
        let known = self.safe_count();
        if known >= wanted {
            return;
        }
        let shared = Shared {
            next: AtomicUsize::new(0),
            is_enough: AtomicBool::new(false),
            found: Mutex::new(Found {
                safe: known,
                ..Found::default()
            }),
        };
        let nodes = (self.control.effort() / proof).max(1000);
        let (node, position, control, table) =
            (&self.node, &self.position, self.control, self.table);
        let side = position.side();
        on_all(workers, |worker| {
            loop {
                let index = shared.next.fetch_add(1, Ordering::Relaxed);
                if index >= node.candidates.len()
                    || control.is_over()
                    || shared.is_enough.load(Ordering::Relaxed)
                {
                    return;
                }
                let verdict = node.candidates[index].verdict;
                if verdict != Verdict::Open && !(again && verdict == Verdict::Unsure) {
                    continue;
                }
                let end = node.end(position, index);
                let verified = worker.verify(&end, side, 1, nodes, table, control);
                if verified.verdict == Verdict::Unsure && control.is_over() {
                    return;
                }
                let is_good = match verified.verdict {
                    Verdict::Over => verified.score > -DECIDED,
                    verdict => verdict == Verdict::Safe,
                };
                let mut found = lock(&shared.found);
                found.safe += usize::from(is_good);
                found.unsure += usize::from(verified.verdict == Verdict::Unsure);
                let spent = control.spent();
                let too_hard = !again && found.safe == 0 && found.unsure >= UNSURE_MAX;
                if found.safe >= wanted || too_hard || (found.safe > 0 && spent >= share) {
                    shared.is_enough.store(true, Ordering::Relaxed);
                }
                found.verified.push((index, verified));
            }
        });
        let found = shared
            .found
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        for (index, verified) in found.verified {
            let candidate = &mut self.node.candidates[index];
            candidate.verdict = verified.verdict;
            if verified.verdict == Verdict::Over {
                candidate.score = verified.score;
            }
            if verified.verdict == Verdict::Unsure {
                candidate.score = candidate.worth - UNSURE;
            }
            if verified.verdict == Verdict::Unsafe {
                let line = verified.line.unwrap_or_default();
                self.refuted[index] = Some((line, verified.nodes));
                candidate.score = back_up(WON - 1);
            }
        }
    }

    /// The order of candidates that have only been verified: safe by worth, then unknown, then
    /// those that were hardest to refute.
    fn settle_first(&mut self) {
        let mut list: Vec<usize> = (0..self.node.candidates.len()).collect();
        list.sort_by_key(|&index| std::cmp::Reverse(self.rank(index)));
        list.truncate(self.request.lines.max(1));
        self.best = list;
    }

    /// How good a candidate is as far as verdicts and worth tell.
    fn rank(&self, index: usize) -> (i32, i64) {
        let candidate = &self.node.candidates[index];
        let class = match candidate.verdict {
            Verdict::Over if candidate.score > DECIDED => 5,
            Verdict::Safe => 4,
            Verdict::Over if candidate.score > -DECIDED => 4,
            Verdict::Unsure => 3,
            Verdict::Open => 2,
            Verdict::Unsafe | Verdict::Over => 1,
        };
        let value = match class {
            1 => {
                let effort = self.refuted[index].as_ref().map_or(0, |(_, nodes)| *nodes);
                effort as i64
            }
            2 => {
                // The list is ordered by hope.
                -(index as i64)
            }
            _ => i64::from(candidate.score),
        };
        (class, value)
    }

    /// Looks at the best safe candidates `round.depth` series deep.
    fn deepen(&mut self, workers: &mut [Worker], round: Round) {
        let mut list: Vec<usize> = (0..self.node.candidates.len())
            .filter(|&index| {
                let candidate = &self.node.candidates[index];
                match candidate.verdict {
                    Verdict::Safe => true,
                    Verdict::Over => candidate.score > -DECIDED,
                    _ => false,
                }
            })
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
                std::cmp::Reverse((candidate.score, candidate.worth)),
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
                let candidate = node.candidates[index];
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
                        hand_down(alpha),
                        &breadth,
                        table,
                        control,
                    );
                    let Some(after) = after else { return };
                    back_up(after)
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
        best.truncate(self.request.lines.max(1));
        self.best = best;
        self.depth = u32::from(depth);
    }

    /// Whether the last man has to be captured: then no series is refuted by a mate, and many
    /// are to be compared.
    fn captures_all(&self) -> bool {
        self.position.rules().objective == Objective::Capture
    }

    fn breadth(&self, round: Round) -> Breadth {
        let effort = self.control.effort();
        let length = u64::from(self.position.moves_left()) + 1;
        let width = effort / 60 / BRANCHING / length;
        let scale = round.scale;
        let least = if self.captures_all() { 10 } else { 80 };
        Breadth {
            width: (width as usize).clamp(least, 400) * scale,
            kept: 120 * scale,
            tries: 32 * scale,
            replies: 3 + scale,
            solver_nodes: (effort / 20).max(2000) * scale as u64,
            per_refuted: if self.level == Level::WithoutReplyCount {
                0
            } else {
                PER_REFUTED
            },
        }
    }

    fn lines(&self) -> Vec<Report> {
        let elapsed = self.control.elapsed();
        let hashfull = self.table.fullness();
        self.best
            .iter()
            .enumerate()
            .map(|(line, &index)| Report {
                depth: self.depth,
                line,
                candidates: self.node.candidates.len() as u32,
                verified: self.refuted_count() + self.safe_count() as u32,
                refuted: self.refuted_count(),
                score: told(self.score_of(index)),
                nodes: self.control.nodes(),
                elapsed,
                hashfull,
                pv: self.line_of(index),
            })
            .collect()
    }

    fn score_of(&self, index: usize) -> i32 {
        self.node.candidates[index].score
    }

    /// The expected play after a candidate.
    fn line_of(&self, index: usize) -> Vec<Vec<Move>> {
        let mut pv = vec![self.node.series(index).to_vec()];
        if let Some(Some((line, _))) = self.refuted.get(index) {
            if !line.is_empty() {
                pv.push(line.clone());
            }
            return pv;
        }
        let mut at = self.node.end(&self.position, index);
        while pv.len() < self.depth as usize {
            let next = self.table.look(at.key(), |node| {
                node.best.map(|best| node.series(best as usize).to_vec())
            });
            let Some(Some(series)) = next else { break };
            if !series.iter().all(|&m| {
                let legal = at.is_legal(m);
                if legal {
                    at.play(m);
                }
                legal
            }) {
                break;
            }
            pv.push(series);
        }
        pv
    }

    fn tell(&mut self) {
        for line in self.lines() {
            (self.report)(&line);
        }
    }
}

/// The worth of a series that nothing is known about.
const EVALUATION_LAST: i32 = crate::eval::EVALUATION_MAX;

/// The score a further candidate has to beat: the best, or with several lines the last of them.
fn alpha(scores: &[(usize, i32)], lines: usize) -> i32 {
    if scores.len() < lines {
        return -INFINITE;
    }
    let mut scores: Vec<i32> = scores.iter().map(|&(_, score)| score).collect();
    scores.sort_unstable_by_key(|&score| std::cmp::Reverse(score));
    scores[lines - 1]
}
