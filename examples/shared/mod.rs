//! What the example programs share: a small seeded generator, and openings drawn with it.

use seriatim::{
    rules::{Game, Preset, SeriesPosition, Status},
    solver::{self, Solver},
};

/// A number from 0 to `below` - 1; the same seeds give the same numbers (a 64-bit LCG, Knuth).
pub fn random(seed: &mut u64, below: usize) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 33) as usize) % below
}

/// Two random turns after which there is no mate at once.
pub fn opening(preset: Preset, seed: &mut u64) -> Game {
    loop {
        let mut game = Game::new(SeriesPosition::start(preset.rules()));
        while game.position().turn().0 <= 2 {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[random(seed, moves.len())];
            game.play(m).unwrap();
        }
        let mut solver = Solver::new(1, 1);
        if game.status() == Status::Ongoing
            && solver
                .first_mate(game.position(), &solver::Limits::default())
                .answer
                == solver::Answer::NoMate
        {
            return game;
        }
    }
}
