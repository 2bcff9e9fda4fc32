//! Verdicts on the candidates: after which of them does the opponent mate?

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use super::{Root, deepen::Round};
use crate::search::{
    look::{Verified, Worker},
    node::Verdict,
    request::{News, Progress},
    score::{DECIDED, WON, back_up, unsure},
};

/// One proof about a candidate takes at most one part in so many of the effort: little at first,
/// more where nothing is proved.
const PROOF_SHARES: [u64; 2] = [10, 3];
/// Verifying before the first look ahead takes at most this part of the effort, once something
/// safe is known: looking ahead brings more than further safe candidates.
const FIRST_SHARE: f64 = 0.35;
/// So many candidates left open are enough before more effort goes into them.
const UNSURE_MAX: usize = 5;

/// Which candidates are asked about, and how far.
struct Asking {
    order: Vec<usize>,
    /// When so many safe ones are known, or `share` of the effort is spent and one is, that is enough.
    wanted: usize,
    share: f64,
    /// One question takes at most one part in so many of the effort.
    proof: u64,
    /// Those that the solver gave up before are asked once more.
    again: bool,
}

/// What a round finds, shared by the threads.
pub(super) struct Shared {
    pub(super) next: AtomicUsize,
    pub(super) is_enough: AtomicBool,
    pub(super) found: Mutex<Found>,
}

#[derive(Default)]
pub(super) struct Found {
    /// Scores of this round, by candidate.
    pub(super) scores: Vec<(usize, i32)>,
    safe: usize,
    /// Neither proved nor looking dangerous.
    hoped: usize,
    refuted: usize,
    unsure: usize,
    verified: Vec<(usize, Verified)>,
}

impl Found {
    /// Counts what was found out about a candidate; whether it is `hoped` to be safe if nothing was.
    fn count(&mut self, verified: &Verified, hoped: bool) {
        match verified.verdict {
            Verdict::Over if verified.score > -DECIDED => self.safe += 1,
            Verdict::Safe => self.safe += 1,
            Verdict::Unsafe => self.refuted += 1,
            Verdict::Unsure => {
                self.unsure += 1;
                self.hoped += usize::from(hoped);
            }
            Verdict::Over | Verdict::Open | Verdict::Feared => {}
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` on every worker, the first one on this thread.
pub(super) fn on_all(workers: &mut [Worker], work: impl Fn(&mut Worker) + Sync) {
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

impl Root<'_> {
    /// Verifies with little effort for each candidate, since most mates are found soon; then,
    /// while none is known to be safe, with more for those that were left open, unless leaders are
    /// verified later.
    pub(super) fn verify_first(&mut self, workers: &mut [Worker], wanted: usize) {
        for (number, share) in PROOF_SHARES.into_iter().enumerate() {
            let again = number > 0;
            if again && (self.trust.weighs_ahead || self.hopes() > 0 || self.control.is_over()) {
                break;
            }
            self.verify_until(
                workers,
                Asking {
                    order: (0..self.node.candidates.len()).collect(),
                    wanted,
                    share: FIRST_SHARE,
                    proof: share,
                    again,
                },
            );
        }
        self.settle_first();
    }

    /// Verifies as many candidates as a deeper round looks at.
    pub(super) fn verify_before(&mut self, workers: &mut [Worker], round: Round) {
        self.verify_until(
            workers,
            Asking {
                order: (0..self.node.candidates.len()).collect(),
                wanted: round.wanted,
                share: 0.5,
                proof: PROOF_SHARES[0],
                again: false,
            },
        );
    }

    /// Verifies those that lead, until none of them is known to lose. Where there is no time for
    /// that, those that led before go on leading.
    pub(super) fn verify_leaders(&mut self, workers: &mut [Worker]) {
        let lines = self.request.lines.max(1);
        loop {
            let candidates = &self.node.candidates;
            self.ranked
                .retain(|&index| candidates[index].verdict != Verdict::Unsafe);
            let is_open = |&index: &usize| candidates[index].verdict == Verdict::Open;
            if !self.ranked.iter().take(lines).any(is_open) {
                break;
            }
            if self.control.is_over() {
                return;
            }
            let at_once = lines.max(workers.len());
            let order: Vec<usize> = (self.ranked.iter().copied())
                .filter(is_open)
                .take(at_once)
                .collect();
            self.verify_until(
                workers,
                Asking {
                    order,
                    wanted: usize::MAX,
                    share: f64::INFINITY,
                    proof: PROOF_SHARES[0],
                    again: false,
                },
            );
        }
        if self.ranked.is_empty() {
            self.settle_first();
        }
        self.lead();
    }

    /// Asks until enough is known.
    fn verify_until(&mut self, workers: &mut [Worker], asking: Asking) {
        let Asking {
            order,
            wanted,
            share,
            proof,
            again,
        } = asking;
        let (safe, hopes) = (self.safe_count(), self.hopes());
        if hopes >= wanted {
            return;
        }
        let shared = Shared {
            next: AtomicUsize::new(0),
            is_enough: AtomicBool::new(false),
            found: Mutex::new(Found {
                safe,
                hoped: hopes - safe,
                ..Found::default()
            }),
        };
        let nodes = (self.control.effort() / proof).max(1000);
        let (node, position, control, table) =
            (&self.node, &self.position, self.control, self.table);
        let (telling, weakness, trust) = (self.telling, self.weakness, self.trust);
        let tells_verdicts = self.request.refutations;
        let (safe_before, refuted_before) = (safe as u32, self.refuted_count());
        let side = position.side();
        on_all(workers, |worker| {
            loop {
                let place = shared.next.fetch_add(1, Ordering::Relaxed);
                if place >= order.len()
                    || control.is_over()
                    || shared.is_enough.load(Ordering::Relaxed)
                {
                    return;
                }
                let index = order[place];
                let verdict = node.candidates[index].verdict;
                if verdict != Verdict::Open && !(again && verdict == Verdict::Unsure) {
                    continue;
                }
                telling.progress(control, || {
                    let found = lock(&shared.found);
                    let refuted = found.refuted as u32;
                    Progress {
                        depth: 1,
                        series: node.series(index).to_vec(),
                        number: index as u32 + 1,
                        candidates: node.candidates.len() as u32,
                        verified: safe_before
                            + refuted_before
                            + refuted
                            + (found.safe - safe) as u32,
                        refuted: refuted_before + refuted,
                        nodes: control.nodes(),
                        elapsed: control.elapsed(),
                    }
                });
                let end = node.end(position, index);
                let is_missed = weakness.is_some_and(|weakness| weakness.misses_danger(end.key()));
                let verified = if is_missed {
                    Verified::unasked(&end, side)
                } else {
                    worker.verify(&end, side, 1, nodes, table, control)
                };
                let mate = verified.line.as_deref();
                let is_proved = mate.is_some() || (verified.verdict == Verdict::Safe && !is_missed);
                if tells_verdicts && is_proved {
                    let series = node.series(index);
                    telling.tell(News::Verdict { series, mate });
                }
                if verified.verdict == Verdict::Unsure && control.is_over() {
                    return;
                }
                let mut found = lock(&shared.found);
                found.count(&verified, trust.hopes(node.candidates[index].danger));
                let spent = control.spent();
                let hopes = found.safe + found.hoped;
                let too_hard = !again && hopes == 0 && found.unsure >= UNSURE_MAX;
                if hopes >= wanted || too_hard || (hopes > 0 && spent >= share) {
                    shared.is_enough.store(true, Ordering::Relaxed);
                }
                found.verified.push((index, verified));
            }
        });
        let found = shared
            .found
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        self.take_in(found.verified);
    }

    /// Takes in what was found out about candidates.
    fn take_in(&mut self, found: Vec<(usize, Verified)>) {
        for (index, verified) in found {
            let candidate = &mut self.node.candidates[index];
            candidate.verdict = verified.verdict;
            if verified.verdict == Verdict::Over {
                candidate.score = verified.score;
            }
            if verified.verdict == Verdict::Unsure && candidate.depth == 0 {
                candidate.score = unsure(candidate.worth, candidate.danger, self.trust);
            }
            if verified.verdict == Verdict::Unsafe {
                let line = verified.line.unwrap_or_default();
                self.refuted[index] = Some((line, verified.nodes));
                candidate.score = back_up(WON - 1);
            }
        }
    }
}
