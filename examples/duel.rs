//! Plays games between two levels of the engine in one process, at equal time or nodes per series
//! or with equal clocks, from random safe openings, each with both colours.
//!
//! `duel PRESET LEVEL_A LEVEL_B PAIRS MILLISECONDS|NODESn|MILLISECONDS+INCREMENT [SEED] [THREADS_A]
//! [THREADS_B]`
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

mod shared;

use std::time::Duration;

use seriatim::{
    rules::{Color, Game, Preset},
    search::{Answer, Clock, Level, Limits, Searcher, Settings},
};
use shared::End;

#[derive(Default)]
struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
    unfinished: u32,
    series: u32,
    slow: u32,
    worst: Duration,
}

impl Tally {
    /// Counts a series.
    fn add(
        &mut self,
        player: usize,
        game: &Game,
        answer: &Answer,
        took: Duration,
        limits: &Limits,
    ) {
        self.series += 1;
        self.worst = self.worst.max(took);
        let late = limits
            .move_time
            .is_some_and(|time| took > time + Duration::from_millis(10));
        self.slow += u32::from(late);
        if std::env::var_os("DUEL_VERBOSE").is_some() {
            let line = &answer.lines[0];
            println!(
                "  {:?} {} n={} d={} {:?} {} nodes {:?} {}/{}/{}",
                game.position().side(),
                ["A", "B"][player],
                game.position().turn(),
                line.depth,
                line.score,
                line.nodes,
                took,
                line.refuted,
                line.verified,
                line.candidates
            );
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let preset: Preset = arguments[0].parse().unwrap();
    let level = |index: usize| -> Level { arguments[index].parse().unwrap() };
    let number = |index: usize, default: u64| {
        arguments
            .get(index)
            .map_or(default, |text| text.parse().unwrap())
    };
    let levels = [level(1), level(2)];
    let pairs = number(3, 10);
    let mut limits = Limits::default();
    let milliseconds = |text: &str| Duration::from_millis(text.parse().unwrap());
    let effort = arguments[4].as_str();
    if let Some(nodes) = effort.strip_suffix('n') {
        limits.nodes = Some(nodes.parse().unwrap());
    } else if let Some((remaining, increment)) = effort.split_once('+') {
        let clock = Clock {
            remaining: milliseconds(remaining),
            increment: milliseconds(increment),
        };
        limits.clocks = [Some(clock); 2];
        limits.overhead = Duration::from_millis(10);
    } else {
        limits.move_time = Some(milliseconds(effort));
    }
    let mut seed = number(5, 1);
    let threads = [number(6, 1) as u16, number(7, 1) as u16];
    let mut players = [0, 1].map(|index| {
        Searcher::new(Settings {
            hash_mib: 64,
            threads: threads[index],
            level: levels[index],
            ..Settings::default()
        })
    });
    let mut tally = Tally::default();
    for pair in 0..pairs {
        let game = shared::opening(preset, &mut seed);
        for a_is in [Color::White, Color::Black] {
            let end = shared::play(
                game.clone(),
                &mut players,
                a_is,
                limits,
                &mut |player, game, answer, took| tally.add(player, game, answer, took, &limits),
            );
            match end {
                End::Won(color) if color == a_is => tally.wins += 1,
                End::Won(_) => tally.losses += 1,
                End::Drawn => tally.draws += 1,
                End::Unfinished => {
                    tally.draws += 1;
                    tally.unfinished += 1;
                }
            }
        }
        if pair % 10 == 9 || pair + 1 == pairs {
            let games = f64::from(tally.wins + tally.draws + tally.losses);
            let score = (f64::from(tally.wins) + f64::from(tally.draws) / 2.0) / games;
            let error = (score * (1.0 - score) / games).sqrt();
            println!(
                "{preset} {} - {}: +{} ={} -{} ({} unfinished), {:.1} % (s.e. {:.1}), {:.1} series, slow {} worst {:?}",
                levels[0],
                levels[1],
                tally.wins,
                tally.draws,
                tally.losses,
                tally.unfinished,
                100.0 * score,
                100.0 * error,
                f64::from(tally.series) / games,
                tally.slow,
                tally.worst
            );
        }
    }
}
