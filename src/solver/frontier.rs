//! The search from its front: all positions that have been reached and not yet searched on from,
//! the most promising first.
//!
//! Depth first search stays in a hopeless part of the tree until all of it is refuted. The front
//! jumps to wherever a mate seems nearest, and it is what several threads share: each takes the
//! best position, searches on from it, and puts back what it leads to. Positions with few moves
//! left, and all others when the front is full, are searched depth first.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use super::{
    Answer, Series,
    bound::Judgement,
    opening::{Hope, Hopes, Inherited},
    search::Child,
};
use crate::rules::{KeySet, Move, SeriesPosition};

/// A position of the front.
pub(super) struct Open {
    pub(super) position: SeriesPosition,
    pub(super) key: u64,
    /// What the bound says of it, if it was asked.
    pub(super) judgement: Option<Judgement>,
    /// Where its line is, in [`Front::trails`].
    trail: u32,
    /// What holds of it from the position before, if anything is known.
    handed: Option<Handed>,
}

/// The hopes of the position before, kept in [`Front::hopes`], and the quiet move since.
#[derive(Clone, Copy)]
struct Handed {
    start: u32,
    end: u32,
    plain: bool,
    m: Move,
}

/// What is to be done with a position.
pub(super) struct Task {
    pub(super) open: Open,
    /// The front has no room for what it leads to.
    pub(super) is_full: bool,
    /// How many moves of the series have been played.
    pub(super) depth: u16,
    /// The hopes of the position before, and the quiet move since.
    before: Option<(Hopes, Move)>,
}

impl Task {
    /// What is known from the position before.
    pub(super) fn inherited(&self) -> Option<Inherited<'_>> {
        let (hopes, m) = self.before.as_ref()?;
        Some(hopes.after_quiet(*m))
    }
}

#[derive(Default)]
struct Front {
    /// Orders of the same positions, from which they are taken in turn.
    queues: [BinaryHeap<Reverse<Entry>>; QUEUES],
    turn: usize,
    /// How many of the orders are used.
    used: usize,
    open: Vec<Option<Open>>,
    free: Vec<u32>,
    /// Every position ever put in: where it came from, and how.
    trails: Vec<(u32, Move)>,
    /// The hopes handed down, of many positions.
    hopes: Vec<Hope>,
    seen: KeySet,
    /// How many positions are in `open`.
    waiting: usize,
    /// How many threads are searching on from a position.
    busy: usize,
    /// The mate that was found.
    answer: Option<Series>,
}

/// How many orders there are, see [`priorities`].
const QUEUES: usize = 3;
/// Series of fewer moves do without the last of them.
pub(super) const LONG: u16 = 9;

/// A place in a queue: priority, newness, place in [`Front::open`].
type Entry = (i32, u32, u32);

/// The front that threads share.
pub(super) struct Frontier {
    front: Mutex<Front>,
    /// Told when there is something new to do, or nothing left.
    news: Condvar,
    /// The most positions ever put in.
    capacity: usize,
    length: u16,
}

/// At most so many hopes are kept for each position that a front has room for: those of one
/// position serve all that follow it.
const HOPES_PER_POSITION: usize = 2;

/// The root has no line.
const ROOT: u32 = u32::MAX;

impl Frontier {
    /// The front of `position` alone, with room for `capacity` positions in all.
    pub(super) fn new(position: &SeriesPosition, capacity: usize) -> Frontier {
        let mut front = Front {
            used: if position.moves_left() >= LONG {
                QUEUES
            } else {
                QUEUES - 1
            },
            ..Front::default()
        };
        let root = Open {
            position: *position,
            key: position.series_key(),
            judgement: None,
            trail: ROOT,
            handed: None,
        };
        front.push([0; QUEUES], root);
        Frontier {
            front: Mutex::new(front),
            news: Condvar::new(),
            capacity,
            length: position.moves_left(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Front> {
        // Nothing that can panic leaves a front half changed.
        self.front.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The best position, for the caller to search on from; `None` when all is done. Waits while
    /// others may still put something back. What it gives must be followed by one of
    /// [`Frontier::put`], [`Frontier::give_back`] and [`Frontier::end`].
    pub(super) fn next(&self) -> Option<Task> {
        let mut front = self.lock();
        loop {
            if front.answer.is_some() {
                return None;
            }
            if let Some(open) = front.pop() {
                front.busy += 1;
                let is_full = front.trails.len() >= self.capacity;
                let depth = self.length - open.position.moves_left();
                let before = open.handed.map(|handed| {
                    let hopes = &front.hopes[handed.start as usize..handed.end as usize];
                    (Hopes::of(handed.plain, hopes), handed.m)
                });
                return Some(Task {
                    open,
                    is_full,
                    depth,
                    before,
                });
            }
            if front.busy == 0 {
                self.news.notify_all();
                return None;
            }
            front = self
                .news
                .wait(front)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The task is done, and these are the positions that it leads to; `hopes` are its own.
    pub(super) fn put(&self, task: &Task, children: &[Child], hopes: &Hopes) {
        let enemy = task.open.position.men().of(!task.open.position.side());
        let mut front = self.lock();
        let start = front.hopes.len();
        let end = start + hopes.takers().len();
        // When too many are kept, what follows has to find out for itself.
        let hands_down = !children.is_empty() && end <= HOPES_PER_POSITION * self.capacity;
        if hands_down {
            front.hopes.extend_from_slice(hopes.takers());
        }
        for child in children {
            if !front.seen.insert(child.key) {
                continue;
            }
            let age = front.trails.len() as u32;
            front.trails.push((task.open.trail, child.m));
            let position = task.open.position.after(child.m);
            let depth = self.length - position.moves_left();
            let priorities = priorities(child, depth);
            let open = Open {
                position,
                key: child.key,
                judgement: Some(child.outlook.judgement),
                trail: age,
                handed: (hands_down && hopes.after(enemy, child.m).is_some()).then_some(Handed {
                    start: start as u32,
                    end: end as u32,
                    plain: hopes.plain(),
                    m: child.m,
                }),
            };
            front.push(priorities, open);
        }
        front.busy -= 1;
        drop(front);
        self.news.notify_all();
    }

    /// The task was not finished.
    pub(super) fn give_back(&self, task: Task) {
        let mut front = self.lock();
        front.busy -= 1;
        front.push([i32::MIN; QUEUES], task.open);
        drop(front);
        self.news.notify_all();
    }

    /// The task has led to a mate with these moves.
    pub(super) fn end(&self, task: &Task, mut moves: Series) {
        let mut front = self.lock();
        front.busy -= 1;
        let mut line = Series::new();
        let mut trail = task.open.trail;
        while let Some(&(before, m)) = front.trails.get(trail as usize) {
            line.push(m);
            trail = before;
        }
        line.reverse();
        line.append(&mut moves);
        front.answer = Some(line);
        drop(front);
        self.news.notify_all();
    }

    /// What came out when nobody is at work any more; `None` if not all was searched.
    pub(super) fn answer(&self) -> Option<Answer> {
        let mut front = self.lock();
        match front.answer.take() {
            Some(series) => Some(Answer::Mate(series)),
            None if front.waiting == 0 && front.busy == 0 => Some(Answer::NoMate),
            None => None,
        }
    }
}

impl Front {
    fn push(&mut self, priorities: [i32; QUEUES], open: Open) {
        let newness = u32::MAX - open.trail;
        let place = if let Some(place) = self.free.pop() {
            self.open[place as usize] = Some(open);
            place
        } else {
            self.open.push(Some(open));
            self.open.len() as u32 - 1
        };
        self.waiting += 1;
        for (queue, priority) in self.queues.iter_mut().zip(priorities).take(self.used) {
            // Of equals the newest.
            queue.push(Reverse((priority, newness, place)));
        }
    }

    fn pop(&mut self) -> Option<Open> {
        self.turn = (self.turn + 1) % self.used;
        // What the other queue has given out already is passed over.
        while let Some(Reverse((_, newness, place))) = self.queues[self.turn].pop() {
            let slot = &mut self.open[place as usize];
            if slot
                .as_ref()
                .is_some_and(|open| open.trail == u32::MAX - newness)
            {
                self.free.push(place);
                self.waiting -= 1;
                return slot.take();
            }
        }
        None
    }
}

/// How near to a mate a position is, after `depth` moves, by measures that mistake different things;
/// smaller is nearer. Two add up the moves played and those still needed at least, as A* does. What
/// is not covered yet weighs much in the one and little in the other: the weights found the mates of
/// the test sets in the fewest nodes. The third looks at what is needed alone. Long series mostly
/// have moves to spare, and A* looks everywhere before it spends them; this one comes near a mate
/// and waits there.
fn priorities(child: &Child, depth: u16) -> [i32; QUEUES] {
    let needed = i32::from(child.outlook.rank >> 4);
    let cost = needed + i32::from(depth);
    let missing = i32::from(child.outlook.rank & 15);
    [
        2 * cost + 5 * missing,
        2 * cost + missing,
        2 * needed + missing,
    ]
}
