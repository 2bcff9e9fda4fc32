//! A position at the start of a series as the search remembers it: its candidate series and what
//! is known about them.

use super::score::DECIDED;
use crate::rules::{Move, SeriesPosition};

/// What is known about the opponent's mates after a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing yet.
    Open,
    /// The opponent has no mate in his series: proved, or at a look further ahead believed.
    Safe,
    /// The opponent mates.
    Unsafe,
    /// Not proved, but at a look further ahead it is believed that the opponent mates.
    Feared,
    /// The solver gave up.
    Unsure,
    /// The game is over or drawn after it: the score is final.
    Over,
}

/// A candidate series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The key of the position after it.
    pub key: u64,
    /// Its worth without looking ahead, for the side that plays it.
    pub worth: i32,
    /// The same after looking `depth` series ahead.
    pub score: i32,
    pub(super) start: u32,
    pub(super) len: u16,
    pub verdict: Verdict,
    /// How dangerous the opponent's next series looks (see [`crate::eval::Assessment::danger`]).
    pub danger: Option<i32>,
    /// How many series the score looks ahead; 0 is the worth alone.
    pub depth: u8,
}

impl Candidate {
    /// Whether it is known not to lose in the next series.
    pub(super) fn is_good(&self) -> bool {
        match self.verdict {
            Verdict::Safe => true,
            Verdict::Over => self.score > -DECIDED,
            Verdict::Open | Verdict::Unsafe | Verdict::Feared | Verdict::Unsure => false,
        }
    }
}

/// A position's candidates.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub candidates: Vec<Candidate>,
    pub moves: Vec<Move>,
    /// Whether every distinct end of a series is among the candidates.
    pub is_complete: bool,
    /// The width it was generated with.
    pub width: usize,
    /// The candidate that was best when it was looked at last.
    pub best: Option<u32>,
}

impl Node {
    pub(super) fn new(is_complete: bool, width: usize) -> Node {
        Node {
            candidates: Vec::new(),
            moves: Vec::new(),
            is_complete,
            width,
            best: None,
        }
    }

    /// The moves of a candidate.
    pub(super) fn series(&self, index: usize) -> &[Move] {
        let candidate = &self.candidates[index];
        let start = candidate.start as usize;
        &self.moves[start..start + usize::from(candidate.len)]
    }

    /// The position after a candidate.
    pub(super) fn end(&self, root: &SeriesPosition, index: usize) -> SeriesPosition {
        let mut end = *root;
        for &m in self.series(index) {
            end.play(m);
        }
        end
    }

    /// Adds a candidate with these moves.
    pub(super) fn push(&mut self, root: &SeriesPosition, series: &[Move], worth: i32) {
        let start = self.moves.len() as u32;
        self.moves.extend_from_slice(series);
        self.candidates.push(Candidate {
            key: 0,
            worth,
            score: worth,
            start,
            len: series.len() as u16,
            verdict: Verdict::Open,
            danger: None,
            depth: 0,
        });
        let last = self.candidates.len() - 1;
        self.candidates[last].key = self.end(root, last).key();
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Node>()
            + self.candidates.capacity() * size_of::<Candidate>()
            + self.moves.capacity() * size_of::<Move>()
    }
}
