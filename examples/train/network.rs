//! Training the networks.

use std::fs;

use seriatim::{
    eval::{self, TrainingRow},
    notation::parse_fen,
    rules::{Color, Preset, RuleSet, SeriesPosition},
};

use crate::shared;

const HIDDEN: usize = TrainingRow::HIDDEN;
const LENGTHS: usize = TrainingRow::LENGTHS;
/// How the program stores one, by kind of weight, and the largest weight of the hidden layer.
const HIDDEN_ONE: f32 = 128.0;
const OUTPUT_ONE: f32 = 64.0;
const SLOPE_ONE: f32 = 256.0;
const STORED_MAX: f32 = 380.0;
/// Where so many moves are played, games were stopped: material tells more than the results do.
const LATE: usize = 9;
const LATE_SLOPE: f32 = 0.9;

/// A position and what became of it.
struct Sample {
    inputs: Vec<u16>,
    length: usize,
    /// The handmade evaluation in tens of pawns; zero for dangers.
    handmade: f32,
    /// What was known before, for comparison: the greater, the more probable the result.
    before: f32,
    /// The result: 0 to 1.
    result: f32,
}

/// How a network is trained.
struct Plan {
    inputs: usize,
    epochs: usize,
    rate: f32,
    decay: f32,
}

/// Reads files of positions; what `sample` makes of each line, and which are held out.
fn read(
    rules: RuleSet,
    files: &[&str],
    sample: impl Fn(u8, &SeriesPosition) -> Sample,
) -> [Vec<Sample>; 2] {
    let mut samples = [Vec::new(), Vec::new()];
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let (label, fen) = line.split_once(' ').unwrap();
            let held_out = usize::from(number >= lines.len() * 9 / 10);
            let position = parse_fen(rules, fen).unwrap();
            samples[held_out].push(sample(label.parse().unwrap(), &position));
        }
    }
    samples
}

fn danger_sample(label: u8, position: &SeriesPosition) -> Sample {
    let row = eval::training_row(position);
    let seen = eval::assess(position, eval::Terms::Handmade);
    let flights = seen.flights[!position.side() as usize].min(6);
    Sample {
        inputs: row.danger,
        length: row.length,
        handmade: 0.0,
        before: -(80 * flights + 100 * i32::from(seen.in_check)) as f32,
        result: f32::from(label),
    }
}

fn result_sample(label: u8, position: &SeriesPosition) -> Sample {
    let row = eval::training_row(position);
    let white = [0.0, 1.0, 0.5][usize::from(label)];
    Sample {
        inputs: row.result,
        length: row.length,
        handmade: row.handmade as f32 / 1000.0,
        before: row.handmade as f32,
        result: if position.side() == Color::White {
            white
        } else {
            1.0 - white
        },
    }
}

/// A weight and the sum of the squares of its gradients.
#[derive(Clone, Copy)]
struct Weight {
    value: f32,
    sum: f32,
}

impl Weight {
    fn new(value: f32) -> Weight {
        Weight { value, sum: 1e-3 }
    }

    fn step(&mut self, gradient: f32, rate: f32) {
        self.sum += gradient * gradient;
        self.value -= rate * gradient / self.sum.sqrt();
    }
}

#[derive(Clone)]
struct Network {
    weights: Vec<[Weight; HIDDEN]>,
    bias: [Weight; HIDDEN],
    output: [[Weight; HIDDEN]; LENGTHS],
    output_bias: [Weight; LENGTHS],
    slopes: [Weight; LENGTHS],
}

impl Network {
    fn new(inputs: usize, seed: &mut u64) -> Network {
        let mut draw = |width: f32| {
            let drawn = shared::random(seed, 1 << 24) as f32 / (1 << 24) as f32;
            Weight::new((drawn - 0.5) * width)
        };
        Network {
            weights: (0..inputs)
                .map(|_| [(); HIDDEN].map(|()| draw(0.1)))
                .collect(),
            bias: [Weight::new(0.3); HIDDEN],
            output: [[(); HIDDEN]; LENGTHS].map(|row| row.map(|()| draw(0.5))),
            output_bias: [Weight::new(0.0); LENGTHS],
            slopes: [Weight::new(0.0); LENGTHS],
        }
    }

    /// The chance of the result, and the hidden layer.
    fn forward(&self, sample: &Sample) -> (f32, [f32; HIDDEN]) {
        let mut hidden = self.bias.map(|weight| weight.value);
        for &input in &sample.inputs {
            for (sum, weight) in hidden.iter_mut().zip(&self.weights[usize::from(input)]) {
                *sum += weight.value;
            }
        }
        let length = sample.length;
        let mut odds = self.output_bias[length].value + self.slopes[length].value * sample.handmade;
        for (&unit, weight) in hidden.iter().zip(&self.output[length]) {
            odds += unit.clamp(0.0, 1.0) * weight.value;
        }
        (1.0 / (1.0 + (-odds).exp()), hidden)
    }

    /// One step against the error on `sample`; returns the loss before it.
    fn learn(&mut self, sample: &Sample, rate: f32, decay: f32) -> f32 {
        let (chance, hidden) = self.forward(sample);
        let error = chance - sample.result;
        let length = sample.length;
        let mut back = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            let weight = &mut self.output[length][unit];
            if hidden[unit] > 0.0 && hidden[unit] < 1.0 {
                back[unit] = error * weight.value;
            }
            weight.step(
                error * hidden[unit].clamp(0.0, 1.0) + decay * weight.value,
                rate,
            );
            self.bias[unit].step(back[unit], rate);
        }
        self.output_bias[length].step(error, rate);
        if length < LATE {
            self.slopes[length].step(error * sample.handmade, rate);
        }
        for &input in &sample.inputs {
            for (weight, &error) in self.weights[usize::from(input)].iter_mut().zip(&back) {
                if error != 0.0 {
                    weight.step(error + decay * weight.value, rate);
                }
            }
        }
        loss(chance, sample.result)
    }

    /// Appends the weights as the program stores them; late rows get their slope by hand.
    fn store(&self, bytes: &mut Vec<u8>, is_by_handmade: bool) {
        let mut put = |weight: &Weight, one: f32, most: f32| {
            let stored = (weight.value * one).clamp(-most, most).round() as i16;
            bytes.extend_from_slice(&stored.to_le_bytes());
        };
        for weight in self.weights.iter().chain([&self.bias]).flatten() {
            put(weight, HIDDEN_ONE, STORED_MAX);
        }
        for weight in self.output.iter().flatten().chain(&self.output_bias) {
            put(weight, OUTPUT_ONE, f32::from(i16::MAX));
        }
        for (length, weight) in self.slopes.iter().enumerate() {
            if is_by_handmade && length >= LATE {
                put(&Weight::new(LATE_SLOPE), SLOPE_ONE, f32::from(i16::MAX));
            } else {
                put(weight, SLOPE_ONE, f32::from(i16::MAX));
            }
        }
    }
}

fn loss(chance: f32, result: f32) -> f32 {
    -(result * chance.max(1e-6).ln() + (1.0 - result) * (1.0 - chance).max(1e-6).ln())
}

/// The part of the pairs of a position with the result and one without in which the former has
/// the greater value; half a point for equal ones is left out.
fn area(values: impl Iterator<Item = (f32, bool)>) -> f64 {
    let mut values: Vec<(f32, bool)> = values.collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut with, mut without, mut pairs) = (0.0, 0.0, 0.0);
    for (_, has_result) in values {
        if has_result {
            with += 1.0;
            pairs += without;
        } else {
            without += 1.0;
        }
    }
    pairs / (with * without)
}

fn train(name: &str, plan: &Plan, [samples, held_out]: &[Vec<Sample>; 2]) -> Network {
    println!(
        "{name}: {} positions, {} held out",
        samples.len(),
        held_out.len()
    );
    let mut seed = 12_345;
    let mut network = Network::new(plan.inputs, &mut seed);
    let mut best: Option<(f64, Network)> = None;
    let mut order: Vec<usize> = (0..samples.len()).collect();
    for epoch in 0..plan.epochs {
        for index in (1..order.len()).rev() {
            order.swap(index, shared::random(&mut seed, index + 1));
        }
        let rate = plan.rate * (1.0 - epoch as f32 / plan.epochs as f32);
        let sum: f64 = order
            .iter()
            .map(|&index| f64::from(network.learn(&samples[index], rate, plan.decay)))
            .sum();
        let out: f64 = held_out
            .iter()
            .map(|sample| f64::from(loss(network.forward(sample).0, sample.result)))
            .sum();
        println!(
            "epoch {epoch}: loss {:.4}, held out {:.4}",
            sum / samples.len() as f64,
            out / held_out.len() as f64
        );
        if best.as_ref().is_none_or(|&(least, _)| out < least) {
            best = Some((out, network.clone()));
        }
    }
    let network = best.map_or(network, |(_, network)| network);
    for length in 0..LENGTHS {
        let those = || held_out.iter().filter(|sample| sample.length == length);
        let after = area(those().map(|s| (network.forward(s).0, s.result > 0.5)));
        let before = area(those().map(|s| (s.before, s.result > 0.5)));
        let count = those().count();
        let moves = length + 3;
        println!("{moves} moves: {count} positions, area {after:.3}, before {before:.3}");
    }
    network
}

/// Trains both networks; see the top of the program.
pub fn fit(preset: Preset, file: &str, samples: &[&str]) {
    let rules = preset.rules();
    let middle = samples.iter().position(|&word| word == "--");
    let (dangers, games) = samples.split_at(middle.unwrap_or(samples.len()));
    let danger = Plan {
        inputs: TrainingRow::danger_inputs(&rules),
        epochs: 30,
        rate: 0.05,
        decay: 1e-5,
    };
    let result = Plan {
        inputs: TrainingRow::RESULT_INPUTS,
        epochs: 7,
        rate: 0.03,
        decay: 1e-3,
    };
    let mut bytes = Vec::new();
    let dangers = read(rules, dangers, danger_sample);
    train("danger", &danger, &dangers).store(&mut bytes, false);
    if let Some((_, games)) = games.split_first() {
        let results = read(rules, games, result_sample);
        train("result", &result, &results).store(&mut bytes, true);
    }
    fs::write(file, bytes).unwrap();
}
