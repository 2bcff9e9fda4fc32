//! Positions for the networks, from games.

use std::{
    collections::HashSet,
    fs::File,
    io::{BufWriter, Write},
};

use seriatim::{
    notation::format_fen,
    rules::{Color, Game, Move, Preset, SeriesPosition, Status},
    search::{self, EndList, News, Request, Searcher, Settings, Signals},
    solver::{Answer, Limits, SERIES_MAX, Solver},
};

use crate::shared;

/// Nodes of one question to the solver.
const NODES: u64 = 40_000;
const SOLVER_MIB: usize = 8;

/// Whether the side on turn mates; `None` if the solver gave up.
fn mates(solver: &mut Solver, position: &SeriesPosition) -> Option<bool> {
    if position.moves_left() > SERIES_MAX {
        return None;
    }
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    match solver.first_mate(position, &limits).answer {
        Answer::Mate(_) => Some(true),
        Answer::NoMate => Some(false),
        Answer::Unknown => None,
    }
}

fn after(game: &Game, series: &[Move]) -> Game {
    let mut game = game.clone();
    for &m in series {
        game.play(m).unwrap();
    }
    game
}

/// How wide the beam is for a series of so many moves.
fn width(length: u16, scale: usize) -> usize {
    scale
        * match length {
            0..=4 => 16,
            5 => 10,
            6 => 6,
            _ => 4,
        }
}

/// Draws and answers positions; see the top of the program.
pub fn dangers(preset: Preset, wanted: usize, seed: &str, file: &str, first: u16) {
    const LAST: u16 = 14;
    const DRAWN: usize = 14;
    const DRAWN_MAX: usize = 60;
    const SAFE_ENOUGH: usize = 5;
    const UNASKED: usize = 60;
    let mut seed: u64 = seed.parse().unwrap();
    let mut out = BufWriter::new(File::create(file).unwrap());
    let mut ends = EndList::default();
    let mut solver = Solver::new(SOLVER_MIB, 1);
    let mut written = 0;
    while written < wanted {
        let mut game = shared::opening(preset, &mut seed);
        while game.status() == Status::Ongoing && game.position().turn().0 <= LAST {
            let list = ends.list(&game, width(game.position().moves_left(), 40), 2000);
            if list.is_empty() {
                break;
            }
            let next = game.position().turn().next();
            if game.position().series_length(next) < first {
                let index = shared::random(&mut seed, list.len().min(UNASKED));
                game = after(&game, &list[index].0);
                continue;
            }
            let mut asked = HashSet::new();
            let mut safe: Vec<(i32, usize)> = Vec::new();
            let mut drawn = 0;
            // Where nobody is mated there is little to learn.
            let mut mated = 0;
            while drawn < DRAWN || (safe.is_empty() && drawn < DRAWN_MAX) {
                if safe.len() == SAFE_ENOUGH && mated == 0 {
                    break;
                }
                let among = if drawn < DRAWN && drawn % 2 == 0 {
                    2000
                } else {
                    80
                };
                drawn += 1;
                let index = shared::random(&mut seed, list.len().min(among));
                if !asked.insert(index) {
                    continue;
                }
                let end = after(&game, &list[index].0);
                if end.status() != Status::Ongoing {
                    continue;
                }
                let Some(is_mated) = mates(&mut solver, end.position()) else {
                    continue;
                };
                let fen = format_fen(end.position());
                writeln!(out, "{} {fen}", u8::from(is_mated)).unwrap();
                written += 1;
                mated += usize::from(is_mated);
                if !is_mated {
                    safe.push((list[index].1, index));
                }
            }
            if safe.is_empty() {
                break;
            }
            let mut draw = || safe[shared::random(&mut seed, safe.len())];
            let (_, chosen) = draw().max(draw()).max(draw());
            game = after(&game, &list[chosen].0);
        }
    }
    out.flush().unwrap();
}

/// Plays games of the engine with itself and writes what it proved; see the top of the program.
pub fn verdicts(preset: Preset, wanted: usize, nodes: u64, seed: &str, file: &str) {
    const LAST: u16 = 16;
    const FIRST: usize = 4;
    const OF_THE_OTHERS: usize = 10;
    let mut seed: u64 = seed.parse().unwrap();
    let mut out = BufWriter::new(File::create(file).unwrap());
    let mut searcher = Searcher::new(Settings::default());
    for _ in 0..wanted {
        let mut game = shared::opening(preset, &mut seed);
        while game.status() == Status::Ongoing && game.position().turn().0 <= LAST {
            // More or fewer nodes: else equal openings would be equal games.
            let limits = search::Limits {
                nodes: Some(nodes / 2 + shared::random(&mut seed, nodes as usize) as u64),
                ..search::Limits::default()
            };
            let mut request = Request::new(game.clone(), limits);
            request.refutations = true;
            let mut proved: Vec<(bool, Vec<Move>)> = Vec::new();
            let answer = searcher.search(&request, &Signals::default(), &mut |news| {
                if let News::Verdict { series, mate } = news {
                    proved.push((mate.is_some(), series.to_vec()));
                }
            });
            for (number, (is_mated, series)) in proved.iter().enumerate() {
                // Of many some, so that no turn weighs much more than others.
                if number < FIRST || shared::random(&mut seed, proved.len()) < OF_THE_OTHERS {
                    let fen = format_fen(after(&game, series).position());
                    writeln!(out, "{} {fen}", u8::from(*is_mated)).unwrap();
                }
            }
            game = after(&game, &answer.lines[0].pv[0]);
        }
        out.flush().unwrap();
    }
}

/// Plays games; see the top of the program.
pub fn games(preset: Preset, wanted: usize, seed: &str, file: &str) {
    let mut seed: u64 = seed.parse().unwrap();
    let mut out = BufWriter::new(File::create(file).unwrap());
    let mut ends = EndList::default();
    let mut solver = Solver::new(SOLVER_MIB, 1);
    for _ in 0..wanted {
        let opening = shared::opening(preset, &mut seed);
        let (positions, winner) = play(opening, &mut seed, &mut ends, &mut solver);
        let result = match winner {
            Some(Color::White) => 1,
            Some(Color::Black) => 0,
            None => 2,
        };
        for fen in positions {
            writeln!(out, "{result} {fen}").unwrap();
        }
        out.flush().unwrap();
    }
}

/// Plays a game to its end; the positions after safe series, and who won.
fn play(
    mut game: Game,
    seed: &mut u64,
    ends: &mut EndList,
    solver: &mut Solver,
) -> (Vec<String>, Option<Color>) {
    const LAST: u16 = 16;
    const LOOKED_AT: usize = 40;
    const SAFE: usize = 3;
    const CHANCE: usize = 300;
    let mut positions = Vec::new();
    loop {
        match game.status() {
            Status::Over(outcome) => return (positions, outcome.winner),
            Status::QuietLimit => return (positions, None),
            Status::Ongoing => {}
        }
        let us = game.position().side();
        if game.position().turn().0 > LAST {
            return (positions, None);
        }
        if mates(solver, game.position()) == Some(true) {
            return (positions, Some(us));
        }
        let list = ends.list(&game, width(game.position().moves_left(), 50), 300);
        let mut best: Option<(i32, usize)> = None;
        let mut found = 0;
        for (index, (series, worth)) in list.iter().enumerate().take(LOOKED_AT) {
            let end = after(&game, series);
            let is_safe = match end.status() {
                Status::Over(outcome) => outcome.winner != Some(!us),
                Status::QuietLimit => true,
                Status::Ongoing => {
                    end.position().side() != us && mates(solver, end.position()) != Some(true)
                }
            };
            if !is_safe {
                continue;
            }
            let value = worth + shared::random(seed, CHANCE) as i32;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, index));
            }
            found += 1;
            if found == SAFE {
                break;
            }
        }
        let Some((series, _)) = list.get(best.map_or(0, |(_, index)| index)) else {
            return (positions, None);
        };
        game = after(&game, series);
        let goes_on = game.status() == Status::Ongoing && game.position().side() != us;
        if best.is_some() && goes_on {
            positions.push(format_fen(game.position()));
        }
    }
}
