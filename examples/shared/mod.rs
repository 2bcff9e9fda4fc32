//! What programs that play games in one process share: a small seeded generator, openings drawn
//! with it, and a game between two searchers.
#![allow(dead_code)] // Not every program needs all of it.

use std::time::{Duration, Instant};

use seriatim::{
    rules::{Color, Game, Preset, SeriesPosition, Status, TurnNumber},
    search::{Answer, Limits, Request, Searcher, Signals},
    solver::{self, QuietSettled, Solver},
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

/// How a game ended.
pub enum End {
    Won(Color),
    Drawn,
    /// It was stopped.
    Unfinished,
}

/// The last turn that is played before a game is stopped.
fn last_turn(game: &Game) -> u16 {
    if game.position().series_length(TurnNumber(60)) <= 3 {
        120
    } else {
        16
    }
}

/// A game from `game` on between `players`, the first of which is `first`, with `limits` for each
/// series; clocks in them are those at the start of the game. `told` hears who searched (0 or 1), in which game, the answer and how long it took.
pub fn play(
    mut game: Game,
    players: &mut [Searcher; 2],
    first: Color,
    mut limits: Limits,
    told: &mut dyn FnMut(usize, &Game, &Answer, Duration),
) -> End {
    for player in players.iter_mut() {
        player.clear();
    }
    let last = last_turn(&game);
    loop {
        match game.status() {
            Status::Over(outcome) => return outcome.winner.map_or(End::Drawn, End::Won),
            Status::QuietLimit
                if Solver::settle_quiet_limit(game.position()) == QuietSettled::Draw =>
            {
                return End::Drawn;
            }
            Status::QuietLimit | Status::Ongoing => {}
        }
        if game.position().turn().0 > last {
            return End::Unfinished;
        }
        let player = usize::from(game.position().side() != first);
        let begun = Instant::now();
        let request = Request::new(game.clone(), limits);
        let answer = players[player].search(&request, &Signals::default(), &mut |_| {});
        let took = begun.elapsed();
        told(player, &game, &answer, took);
        if let Some(clock) = &mut limits.clocks[game.position().side() as usize] {
            clock.remaining = clock.remaining.saturating_sub(took) + clock.increment;
        }
        for &m in &answer.lines[0].pv[0] {
            game.play(m).unwrap();
        }
    }
}
