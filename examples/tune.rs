//! Tunes the weights of the evaluation on the engine's own games.
//!
//! Method: games from random safe openings (two random turns after which there is no mate), both
//! sides by the engine at fixed nodes, with one thread, so that equal seeds give equal games. The
//! features of every position in which the side on turn had no mate, with the result of the game
//! from its view, are fitted by logistic regression: result ~ 1 / (1 + exp(-worth / 400)), by
//! gradient descent with a quadratic pull towards the weights in force. Printed are the rows for
//! `src/eval/weights.rs`, and the loss before and after on every tenth game, held out.
//!
//! `tune PRESET GAMES NODES [SEED] [PULL]`
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

mod shared;

use seriatim::{
    eval,
    rules::{Color, Game, Preset, Status},
    search::{Limits, Request, Score, Searcher, Settings, Signals},
    solver::{QuietSettled, Solver},
};

const SCALE: f64 = 400.0;
const LAST_SERIES: u16 = 18;
const STEPS: usize = 400;

struct Row {
    stage: usize,
    features: Vec<f64>,
    result: f64,
    game: usize,
}

fn play(mut game: Game, nodes: u64, number: usize, rows: &mut Vec<Row>) {
    let mut searcher = Searcher::new(Settings::default());
    let mut seen: Vec<(Color, usize, Vec<f64>)> = Vec::new();
    let last = match game
        .position()
        .series_length(seriatim::rules::TurnNumber(60))
    {
        0..=3 => 80,
        _ => LAST_SERIES,
    };
    let winner = loop {
        match game.status() {
            Status::Over(outcome) => break outcome.winner,
            Status::QuietLimit
                if Solver::settle_quiet_limit(game.position()) == QuietSettled::Draw =>
            {
                break None;
            }
            _ => {}
        }
        if game.position().turn().0 > last {
            break None;
        }
        let request = Request::new(
            game.clone(),
            Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
        );
        let answer = searcher.search(&request, &Signals::default(), &mut |_| {});
        let best = &answer.lines[0];
        if best.score != Score::Mate(1) && best.score != Score::Mate(-1) {
            let (stage, features) = eval::tuning_row(game.position());
            let features = features.iter().map(|&f| f64::from(f)).collect();
            seen.push((game.position().side(), stage, features));
        }
        for &m in &best.pv[0] {
            game.play(m).unwrap();
        }
    };
    for (side, stage, features) in seen {
        let result = match winner {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == side)),
        };
        rows.push(Row {
            stage,
            features,
            result,
            game: number,
        });
    }
}

fn expected(weights: &[Vec<f64>], row: &Row) -> f64 {
    let worth: f64 = weights[row.stage]
        .iter()
        .zip(&row.features)
        .map(|(w, f)| w * f)
        .sum();
    1.0 / (1.0 + (-worth / SCALE).exp())
}

fn loss(weights: &[Vec<f64>], rows: &[Row], held_out: bool) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for row in rows.iter().filter(|row| (row.game % 10 == 0) == held_out) {
        let p = expected(weights, row).clamp(1e-6, 1.0 - 1e-6);
        sum -= row.result * p.ln() + (1.0 - row.result) * (1.0 - p).ln();
        count += 1.0;
    }
    sum / f64::max(count, 1.0)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let preset: Preset = arguments[0].parse().unwrap();
    let games: usize = arguments[1].parse().unwrap();
    let nodes: u64 = arguments[2].parse().unwrap();
    let mut seed: u64 = arguments.get(3).map_or(1, |text| text.parse().unwrap());
    let pull: f64 = arguments.get(4).map_or(0.02, |text| text.parse().unwrap());
    let mut rows = Vec::new();
    for number in 0..games {
        let game = shared::opening(preset, &mut seed);
        play(game, nodes, number, &mut rows);
    }
    let start: Vec<Vec<f64>> = eval::tuning_weights()
        .iter()
        .map(|row| row.iter().map(|&w| f64::from(w)).collect())
        .collect();
    let mut weights = start.clone();
    // Each feature is stepped by its own spread; the pull counts changes in the same units.
    let width = start[0].len();
    for step in 0..STEPS {
        let rate = 4000.0 / (1.0 + step as f64 / 100.0);
        for stage in 0..weights.len() {
            let mine: Vec<&Row> = rows
                .iter()
                .filter(|row| row.stage == stage && row.game % 10 != 0)
                .collect();
            if mine.len() < 200 {
                continue;
            }
            let count = mine.len() as f64;
            let mut gradient = vec![0.0; width];
            let mut spread = vec![1e-3; width];
            for row in &mine {
                let error = expected(&weights, row) - row.result;
                for (index, feature) in row.features.iter().enumerate() {
                    gradient[index] += error * feature / count;
                    spread[index] += feature * feature / count;
                }
            }
            for index in 0..width {
                let change = (weights[stage][index] - start[stage][index]) / SCALE;
                let slope = gradient[index] / spread[index] + pull * change;
                weights[stage][index] -= rate / 40.0 * slope;
            }
        }
    }
    println!(
        "{} games, {} positions; loss {:.4} -> {:.4}, held out {:.4} -> {:.4}",
        games,
        rows.len(),
        loss(&start, &rows, false),
        loss(&weights, &rows, false),
        loss(&start, &rows, true),
        loss(&weights, &rows, true)
    );
    for (stage, row) in weights.iter().enumerate() {
        let numbers: Vec<String> = row.iter().map(|w| format!("{w:.0}")).collect();
        let count = rows.iter().filter(|row| row.stage == stage).count();
        println!("stage {stage} ({count} positions): {}", numbers.join(", "));
    }
}
