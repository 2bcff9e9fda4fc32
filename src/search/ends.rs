//! The ends of a series as the search lists them, for programs that make training positions.

use super::{
    control::Control,
    generator::{Generator, Plan},
    memory::share,
    request::{Limits, Request, Signals},
};
use crate::rules::{Game, Move};

/// Bytes of a search whose generator this is like.
const BYTES: usize = 64 << 20;
/// More nodes than any list takes.
const NODES: u64 = 1 << 40;

/// Lists series.
#[derive(Debug)]
pub struct EndList {
    generator: Generator,
}

impl Default for EndList {
    fn default() -> EndList {
        EndList {
            generator: Generator::new(share(BYTES, 1)),
        }
    }
}

impl EndList {
    /// At most `kept` series of the side on turn in `game`, from a beam of `width` positions, in
    /// the order in which the search looks at them, each with its worth for that side, in
    /// centipawns.
    pub fn list(&mut self, game: &Game, width: usize, kept: usize) -> Vec<(Vec<Move>, i32)> {
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        let request = Request::new(game.clone(), limits);
        let signals = Signals::default();
        let control = Control::new(&request, limits, &signals);
        let plan = Plan {
            width,
            kept,
            first_moves: &[],
        };
        let root = request.game.position();
        let node = self.generator.generate(root, &plan, &control);
        let worth = |index: usize| node.candidates[index].worth;
        (0..node.candidates.len())
            .map(|index| (node.series(index).to_vec(), worth(index)))
            .collect()
    }
}
