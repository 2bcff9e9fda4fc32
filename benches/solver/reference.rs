//! The two reference searches the solver is measured against.

use std::{
    collections::HashSet,
    hash::{BuildHasherDefault, Hasher},
};

use seriatim::rules::SeriesPosition;

/// Keys are random already, so they are their own hash.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole keys are hashed");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key.rotate_left(20);
    }
}

/// What the last move is looked for among.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LastMove {
    /// All moves: the reference `plain`.
    Any,
    /// Checking moves only: the reference `chk`.
    Checking,
}

/// Depth first over distinct positions (Italian rules), nothing else.
pub struct Reference {
    last_move: LastMove,
    visited: HashSet<u64, BuildHasherDefault<KeyHasher>>,
    /// Every visit, repeated positions and those before the last move too.
    pub visits: u64,
}

impl Reference {
    pub fn new(last_move: LastMove) -> Reference {
        Reference {
            last_move,
            visited: HashSet::default(),
            visits: 0,
        }
    }

    pub fn has_mate(&mut self, position: &SeriesPosition) -> bool {
        self.visits += 1;
        if position.moves_left() > 1 {
            return self.visited.insert(position.series_key())
                && position
                    .legal_moves()
                    .iter()
                    .any(|&m| self.has_mate(&position.after(m)));
        }
        let moves = match self.last_move {
            LastMove::Any => position.legal_moves(),
            LastMove::Checking => position.checking_moves(),
        };
        moves.iter().any(|&m| {
            let end = position.after(m);
            end.is_check() && !end.has_legal_move()
        })
    }
}
