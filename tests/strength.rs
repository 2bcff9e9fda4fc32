//! Strength, in small matches that repeat exactly: fixed nodes, one thread, openings from seeds.
//!
//! Long matches are in `docs/strength.md`; these here tell when a change has broken something.

#![allow(clippy::unwrap_used)]

#[path = "../examples/shared/mod.rs"]
mod shared;

use seriatim::{
    rules::{Color, Preset},
    search::{Level, Limits, Searcher, Settings},
};
use shared::End;

/// What a match came to, for the first player.
#[derive(Debug, Default)]
struct Match {
    games: u32,
    /// A point for a win, half a one for a draw.
    points: f64,
    unfinished: u32,
}

/// Plays `pairs` openings with both colours, at `nodes` nodes for each series.
fn play(preset: Preset, levels: [Level; 2], pairs: u32, nodes: u64, mut seed: u64) -> Match {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut players = levels.map(|level| {
        Searcher::new(Settings {
            level,
            ..Settings::default()
        })
    });
    let mut result = Match::default();
    for _ in 0..pairs {
        let game = shared::opening(preset, &mut seed);
        for first in Color::ALL {
            result.games += 1;
            let told = &mut |_: usize, _: &_, _: &_, _| {};
            match shared::play(game.clone(), &mut players, first, limits, told) {
                End::Won(color) => result.points += f64::from(u8::from(color == first)),
                End::Drawn => result.points += 0.5,
                End::Unfinished => {
                    result.points += 0.5;
                    result.unfinished += 1;
                }
            }
        }
    }
    result
}

/// Full skill against the player that looks one series ahead.
fn against_one_series(preset: Preset, pairs: u32, nodes: u64) -> f64 {
    let levels = [Level::Full, Level::OneSeries];
    let result = play(preset, levels, pairs, nodes, 7);
    result.points / f64::from(result.games)
}

#[test]
fn italian_beats_a_player_that_looks_one_series_ahead() {
    assert!(against_one_series(Preset::Italian, 10, 40_000) >= 0.9);
}

#[test]
fn scottish_beats_a_player_that_looks_one_series_ahead() {
    assert!(against_one_series(Preset::Scottish, 8, 40_000) >= 0.9);
}

#[test]
fn marseillais_beats_a_player_that_looks_one_series_ahead() {
    assert!(against_one_series(Preset::Marseillais, 4, 10_000) >= 0.75);
}

#[test]
fn logical_beats_a_player_that_looks_one_series_ahead() {
    assert!(against_one_series(Preset::Logical, 6, 40_000) >= 0.9);
}

#[test]
fn circe_beats_a_player_that_looks_one_series_ahead() {
    assert!(against_one_series(Preset::Circe, 10, 100_000) >= 0.85);
}

#[test]
fn full_capture_beats_a_player_that_looks_one_series_ahead() {
    assert!(against_one_series(Preset::FullCapture, 10, 100_000) >= 0.85);
}

#[test]
fn english_beats_a_player_that_looks_one_series_ahead() {
    assert!(against_one_series(Preset::English, 10, 100_000) >= 0.9);
}

#[test]
fn italian_games_do_not_drift() {
    let result = play(Preset::Italian, [Level::Full; 2], 15, 20_000, 9);
    assert!(result.unfinished * 10 <= result.games, "{result:?}");
}
