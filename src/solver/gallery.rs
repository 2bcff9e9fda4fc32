//! All mating pictures that can be reached from the start of a search, kept to be asked after every
//! move: in a thin position there are mostly a few dozen, and to look through these is far cheaper
//! than to look for one anew.
//!
//! Whatever mates ends in one of them: its men stand where the picture has them, and the enemy men
//! that the picture wants taken have been taken. So where none of them is within the moves left,
//! there is no mate. Which of our men stands where is left open, since men of one kind cannot be told
//! apart on the way.

use arrayvec::ArrayVec;

use super::{
    limits::Meter,
    scene::{CREW, Picture},
    tours::{Crew, Near},
    travel::Travel,
};
use crate::rules::{Bitboard, Role, SeriesPosition, Square};

/// The most pictures kept.
const SHOTS: usize = 8192;
/// The most places of pictures kept for the positions on the line; no more are narrowed down then.
const PLACES: usize = 4 * SHOTS;
/// So many pictures are asked for in a step of work.
const PER_STEP: usize = 32;

/// Where these are not all, so many of them are asked for, those that were of use last.
const SAMPLE: usize = 64;

/// What must be there for a mate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shot {
    /// Our men: what they are then, and where.
    slots: ArrayVec<(Role, Square), CREW>,
    /// The enemy men that have been taken, where they stood.
    gone: u64,
}

/// The pictures of one search.
#[derive(Default)]
pub(super) struct Gallery {
    shots: Vec<Shot>,
    /// Whether they are all there are.
    is_complete: bool,
    /// How many rooks and bishops there were at the start.
    lines: usize,
    /// Places in `shots`: all of them, then those that can be reached from the positions on the line
    /// being searched, of one after those of the other.
    alive: Vec<u16>,
    /// The positions on the line.
    levels: Vec<Level>,
}

/// A position on the line being searched.
struct Level {
    /// Where in [`Gallery::alive`] what it can reach is, or what the one before can.
    start: usize,
    end: usize,
    crew: Crew,
    left: usize,
    /// Whether that has been narrowed down to what it can reach itself.
    is_narrow: bool,
}

impl Gallery {
    /// What it takes at most.
    pub(super) const BYTES: usize =
        SHOTS * size_of::<Shot>() + (PLACES + 2 * SHOTS) * size_of::<u16>();

    /// Begins a new collection for what follows from `start`.
    pub(super) fn begin(&mut self, start: &SeriesPosition) {
        self.clear();
        self.lines = Crew::of(start).lines();
    }

    /// Forgets all pictures.
    pub(super) fn clear(&mut self) {
        self.shots.clear();
        self.is_complete = false;
        self.levels.clear();
        self.alive.clear();
    }

    /// Whether all pictures are here.
    #[inline]
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether there is room for another.
    pub(super) fn has_room(&self) -> bool {
        self.shots.len() < SHOTS
    }

    /// Adds a picture.
    pub(super) fn add(&mut self, picture: &Picture) {
        let mut slots: ArrayVec<_, CREW> = picture
            .placed
            .iter()
            .map(|placed| (placed.role, placed.square))
            .collect();
        slots.sort_unstable();
        self.alive.push(self.shots.len() as u16);
        self.shots.push(Shot {
            slots,
            gone: picture.gone.0,
        });
    }

    /// These are all those of `start`.
    pub(super) fn complete(&mut self) {
        self.shots.sort_unstable();
        self.shots.dedup();
        self.is_complete = true;
        self.alive.clear();
        self.levels.clear();
        self.alive.extend(0..self.shots.len() as u16);
    }

    /// From now on all pictures are asked for.
    pub(super) fn widen_all(&mut self) {
        self.levels.clear();
        self.alive.truncate(self.shots.len());
    }

    /// From now on positions are asked about that follow from `position`, until [`Gallery::widen`].
    pub(super) fn focus(&mut self, position: &SeriesPosition) {
        let (start, end) = self.range();
        self.levels.push(Level {
            start,
            end,
            crew: Crew::of(position),
            left: usize::from(position.moves_left()),
            is_narrow: false,
        });
    }

    /// Ends what the last [`Gallery::focus`] began.
    pub(super) fn widen(&mut self) {
        if let Some(level) = self.levels.pop()
            && level.is_narrow
        {
            self.alive.truncate(level.start);
        }
    }

    /// Where in `alive` is what positions are asked about.
    fn range(&self) -> (usize, usize) {
        self.levels
            .last()
            .map_or((0, self.shots.len()), |level| (level.start, level.end))
    }

    /// Leaves of the pictures those that the last position on the line can reach.
    pub(super) fn narrow(&mut self, travel: &mut Travel) {
        let Some(level) = self.levels.last_mut().filter(|level| !level.is_narrow) else {
            return;
        };
        let start = self.alive.len();
        if start > PLACES {
            return;
        }
        let mut near = Near::new(level.crew.clone(), travel, self.lines);
        for nth in level.start..level.end {
            let place = self.alive[nth];
            let shot = &self.shots[usize::from(place)];
            let moves = near.moves(&shot.slots, Bitboard(shot.gone), level.left);
            if moves.is_some() {
                self.alive.push(place);
            }
        }
        level.is_narrow = true;
        (level.start, level.end) = (start, self.alive.len());
    }

    /// The moves from `position` to some picture, at least, if there is one within the moves left
    /// among those that are here.
    pub(super) fn nearest(
        &mut self,
        position: &SeriesPosition,
        travel: &mut Travel,
        meter: &mut Meter<'_>,
    ) -> Option<usize> {
        let (start, mut end) = self.range();
        if !self.is_complete {
            end = end.min(SAMPLE);
        }
        let left = usize::from(position.moves_left());
        let mut near = Near::new(Crew::of(position), travel, self.lines);
        for nth in start..end {
            let shot = &self.shots[usize::from(self.alive[nth])];
            let moves = near.moves(&shot.slots, Bitboard(shot.gone), left);
            if moves.is_some() {
                // What was found is likely to be found again.
                self.alive.swap(start + (nth - start) / 2, nth);
                meter.work(((nth - start) / PER_STEP) as u64);
                return moves;
            }
        }
        meter.work(((end - start) / PER_STEP) as u64);
        if self.is_complete {
            // What else follows from the same position is likely not to get far either.
            self.narrow(travel);
        }
        None
    }
}
