//! Levels of skill in small matches: the ends are far apart, and the big steps go up.
//!
//! Everything here repeats: fixed nodes, and openings and chances from seeds. How much the steps
//! are worth was measured in long matches, see `docs/strength.md`.

#![allow(clippy::unwrap_used)]

use seriatim::{
    rules::{Color, Game, Preset, SeriesPosition, Status},
    search::{Limits, Request, Searcher, Settings, Signals, Skill},
    solver::{Answer, Limits as SolverLimits, Solver},
};

/// Nodes for a series of the stronger side; the weaker ones take less by themselves.
const NODES: u64 = 10_000;
/// Games that last longer are drawn.
const LAST_TURN: u16 = 12;

/// Two random turns after which there is no mate.
fn opening(random: &mut fastrand::Rng, solver: &mut Solver) -> Game {
    loop {
        let mut game = Game::new(SeriesPosition::start(Preset::Italian.rules()));
        while game.position().turn().0 <= 2 {
            let moves = game.position().legal_moves();
            game.play(moves[random.usize(..moves.len())]).unwrap();
        }
        let report = solver.first_mate(game.position(), &SolverLimits::default());
        if report.answer == Answer::NoMate {
            return game;
        }
    }
}

/// The winner of a game between `players`, the first of which is `first`.
fn play(mut game: Game, players: &mut [Searcher; 2], first: Color) -> Option<Color> {
    loop {
        if let Status::Over(outcome) = game.status() {
            return outcome.winner;
        }
        if game.position().turn().0 > LAST_TURN {
            return None;
        }
        let player = usize::from(game.position().side() != first);
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        let request = Request::new(game.clone(), limits);
        let answer = players[player].search(&request, &Signals::default(), &mut |_| {});
        for &m in &answer.lines[0].pv[0] {
            game.play(m).unwrap();
        }
    }
}

/// Half points of skill `stronger` in `pairs` pairs of games against skill `weaker`.
fn half_points(stronger: u8, weaker: u8, pairs: u64) -> u64 {
    let mut solver = Solver::new(1, 1);
    let mut random = fastrand::Rng::with_seed(71);
    let mut points = 0;
    for pair in 0..pairs {
        let game = opening(&mut random, &mut solver);
        for first in Color::ALL {
            let mut players = [stronger, weaker].map(|level| {
                Searcher::new(Settings {
                    hash_mib: 1,
                    skill: Skill::new(level),
                    seed: 2 * pair + first as u64,
                    ..Settings::default()
                })
            });
            points += match play(game.clone(), &mut players, first) {
                Some(winner) if winner == first => 2,
                Some(_) => 0,
                None => 1,
            };
        }
    }
    points
}

#[test]
fn a_beginner_loses_clearly_to_full_skill() {
    let points = half_points(20, 0, 12);
    assert!(points >= 42, "{points} of 48 half points");
}

#[test]
fn the_big_steps_go_up() {
    for (stronger, weaker) in [(10, 0), (20, 10)] {
        let points = half_points(stronger, weaker, 12);
        assert!(
            points >= 30,
            "{stronger} - {weaker}: {points} of 48 half points"
        );
    }
}

#[test]
fn equal_seeds_play_alike_and_others_do_not() {
    let game = Game::new(SeriesPosition::start(Preset::Italian.rules()));
    let series = |seed: u64| {
        let mut searcher = Searcher::new(Settings {
            skill: Skill::new(3),
            seed,
            ..Settings::default()
        });
        let request = Request::new(game.clone(), Limits::default());
        let answer = searcher.search(&request, &Signals::default(), &mut |_| {});
        answer.lines[0].pv[0].clone()
    };
    let all: Vec<_> = (0..20).map(series).collect();
    assert_eq!(all, (0..20).map(series).collect::<Vec<_>>());
    assert!(all.iter().any(|other| *other != all[0]));
}
