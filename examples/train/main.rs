//! Makes the positions that the networks of the evaluation learn from, and trains them.
//!
//! `train dangers PRESET POSITIONS SEED FILE [LENGTH]` plays random games in which nobody is mated: of
//! the series that the search lists at each turn some are drawn, half of them from the best and half
//! from all, the mate solver answers each, and the best of three safe ones is played. Every answer
//! is written: `1 FEN` if the side on turn mates, `0 FEN` if it cannot. Where the first five are safe
//! no more are asked about, and about series shorter than `LENGTH` none.
//!
//! `train verdicts PRESET GAMES NODES SEED FILE` plays games of the engine with itself, about NODES
//! nodes a series, and writes what it proved about its series in the same way: the first four, and
//! about ten of the others.
//!
//! `train games PRESET GAMES SEED FILE` plays games: an own mate, else the best, with a little
//! chance, of the first three safe series in the order of the search. Every position after a safe
//! series is written with what became of the game: `1` White won, `0` Black won, `2` neither until
//! turn 16.
//!
//! `train fit PRESET FILE DANGERS... -- GAMES...` trains both networks, or without games the first
//! one alone, and writes them as the files in `src/eval/networks` hold them. Stochastic gradient
//! descent with steps that shrink by what was summed up for each weight (`AdaGrad`). Every tenth part
//! of a file is held out, and the pass that does best there is kept; the loss there is printed beside
//! that of what was known before: for dangers how well they tell mates from none (area under the
//! curve) beside flights and checks, for results beside the handmade evaluation.
//!
//! Equal seeds give equal files.
#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_possible_truncation
)]

mod network;
mod play;
#[path = "../shared/mod.rs"]
mod shared;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["dangers", preset, count, seed, file, ref first @ ..] => {
            let first = first.first().map_or(0, |first| first.parse().unwrap());
            play::dangers(
                preset.parse().unwrap(),
                count.parse().unwrap(),
                seed,
                file,
                first,
            );
        }
        ["verdicts", preset, games, nodes, seed, file] => {
            play::verdicts(
                preset.parse().unwrap(),
                games.parse().unwrap(),
                nodes.parse().unwrap(),
                seed,
                file,
            );
        }
        ["games", preset, count, seed, file] => {
            play::games(preset.parse().unwrap(), count.parse().unwrap(), seed, file);
        }
        ["fit", preset, file, ref samples @ ..] => {
            network::fit(preset.parse().unwrap(), file, samples);
        }
        _ => {
            println!("train dangers PRESET POSITIONS SEED FILE [LENGTH]");
            println!("train verdicts PRESET GAMES NODES SEED FILE");
            println!("train games PRESET GAMES SEED FILE");
            println!("train fit PRESET FILE DANGERS... -- GAMES...");
            std::process::exit(2);
        }
    }
}
