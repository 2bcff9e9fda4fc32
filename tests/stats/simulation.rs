//! Error rates of the sequential test, and the bias of estimates after it, by simulated matches.

use fastrand::Rng;
use seriatim::stats::{
    Counts, Decision, Estimate, Model, Pentanomial, Sprt, StoppedEstimate, Trinomial,
    bayes_elo_probabilities, expected_score,
};

const MATCHES: usize = 1_000;
const ALPHA: f64 = 0.05;
const BETA: f64 = 0.1;

/// Tests are assessed after batches of this many units, as a runner with many slots does.
const BATCH: usize = 10;

/// No simulated match is longer.
const LONGEST: usize = 20_000;

/// A true distribution of outcomes, from the worst to the best.
#[derive(Debug, Clone)]
struct Truth(Vec<f64>);

impl Truth {
    /// Draws and lost points shift so that the expected score becomes `score`; the middle stays.
    fn with_score(shares: &[f64], score: f64) -> Self {
        let best = (shares.len() - 1) as f64;
        let tilted = |tilt: f64| -> Vec<f64> {
            let weights: Vec<f64> = shares
                .iter()
                .enumerate()
                .map(|(index, share)| share * (tilt * index as f64 / best).exp())
                .collect();
            let total: f64 = weights.iter().sum();
            weights.iter().map(|weight| weight / total).collect()
        };
        let (mut low, mut high) = (-50.0, 50.0);
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if Self(tilted(middle)).mean() < score {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self(tilted(low))
    }

    /// As [`Truth::with_score`], for a normalized Elo value.
    fn with_nelo(shares: &[f64], nelo: f64) -> Self {
        let games_per_unit = if shares.len() == 5 { 2.0 } else { 1.0 };
        let mut truth = Self(shares.to_vec());
        for _ in 0..50 {
            let deviation = (truth.variance() * games_per_unit).sqrt();
            let score = 0.5 + nelo / seriatim::stats::NELO_PER_T_VALUE * deviation;
            truth = Self::with_score(shares, score);
        }
        truth
    }

    fn scores(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let best = (self.0.len() - 1) as f64;
        let scored = move |(index, share): (usize, &f64)| (index as f64 / best, *share);
        self.0.iter().enumerate().map(scored)
    }

    fn mean(&self) -> f64 {
        self.scores().map(|(score, share)| score * share).sum()
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        self.scores()
            .map(|(score, share)| (score - mean).powi(2) * share)
            .sum()
    }

    fn draw(&self, random: &mut Rng) -> usize {
        let mut rest = random.f64();
        for (index, share) in self.0.iter().enumerate() {
            rest -= share;
            if rest < 0.0 {
                return index;
            }
        }
        self.0.len() / 2
    }
}

fn counts_of(tally: &[u64]) -> Counts {
    match *tally {
        [losses, draws, wins] => Trinomial {
            wins,
            draws,
            losses,
        }
        .into(),
        _ => Pentanomial(tally.try_into().unwrap()).into(),
    }
}

/// Plays until the test decides.
fn play(test: &Sprt, truth: &Truth, random: &mut Rng) -> (Decision, Counts) {
    let mut tally = vec![0; truth.0.len()];
    for _ in 0..LONGEST / BATCH {
        for _ in 0..BATCH {
            tally[truth.draw(random)] += 1;
        }
        let decision = test.decision(counts_of(&tally)).unwrap();
        if decision != Decision::Continue {
            return (decision, counts_of(&tally));
        }
    }
    panic!("no decision after {LONGEST} units");
}

/// Share of matches that end with `decision`.
fn share_of(decision: Decision, test: &Sprt, truth: &Truth, seed: u64) -> f64 {
    let mut random = Rng::with_seed(seed);
    let hits = (0..MATCHES)
        .filter(|_| play(test, truth, &mut random).0 == decision)
        .count();
    hits as f64 / MATCHES as f64
}

/// An error rate promised as `nominal` may be exceeded by chance, by three standard deviations,
/// and fall short by the overshoot; but a test that never errs is broken too.
#[track_caller]
fn assert_error_rate(rate: f64, nominal: f64) {
    let deviation = (nominal * (1.0 - nominal) / MATCHES as f64).sqrt();
    assert!(rate <= nominal + 3.0 * deviation, "{rate} for {nominal}");
    assert!(rate >= nominal * 0.4, "{rate} for {nominal}");
}

#[track_caller]
fn assert_error_rates(test: &Sprt, under_h0: &Truth, under_h1: &Truth, seed: u64) {
    assert_error_rate(share_of(Decision::H1, test, under_h0, seed), ALPHA);
    assert_error_rate(share_of(Decision::H0, test, under_h1, seed + 1), BETA);
}

const PAIRS: [f64; 5] = [0.03, 0.22, 0.5, 0.22, 0.03];
const GAMES: [f64; 3] = [0.3, 0.4, 0.3];

#[test]
fn error_rates_of_the_normalized_model() {
    let test = Sprt::new(Model::Normalized, 0.0, 25.0, ALPHA, BETA).unwrap();
    for (shares, seed) in [(&PAIRS[..], 1), (&GAMES[..], 3)] {
        let (h0, h1) = (
            Truth::with_nelo(shares, 0.0),
            Truth::with_nelo(shares, 25.0),
        );
        assert_error_rates(&test, &h0, &h1, seed);
    }
}

#[test]
fn error_rates_of_the_logistic_model() {
    let test = Sprt::new(Model::Logistic, -5.0, 12.0, ALPHA, BETA).unwrap();
    for (shares, seed) in [(&PAIRS[..], 5), (&GAMES[..], 7)] {
        let truth = |elo| Truth::with_score(shares, expected_score(elo).unwrap());
        assert_error_rates(&test, &truth(-5.0), &truth(12.0), seed);
    }
}

#[test]
fn error_rates_of_the_bayesian_model() {
    let test = Sprt::new(Model::Bayesian, 0.0, 30.0, ALPHA, BETA).unwrap();
    let truth = |elo| {
        let [win, draw, loss] = bayes_elo_probabilities(elo, 150.0).unwrap();
        Truth(vec![loss, draw, win])
    };
    assert_error_rates(&test, &truth(0.0), &truth(30.0), 9);
}

/// A lopsided pairing, far from the normal approximation.
#[test]
fn error_rates_far_from_even() {
    let lopsided = [0.001, 0.004, 0.045, 0.2, 0.75];
    let test = Sprt::new(Model::Logistic, 330.0, 380.0, ALPHA, BETA).unwrap();
    let truth = |elo| Truth::with_score(&lopsided, expected_score(elo).unwrap());
    assert_error_rates(&test, &truth(330.0), &truth(380.0), 11);
}

/// Right between the hypotheses both decisions come equally often if both errors may.
#[test]
fn the_middle_is_even() {
    let test = Sprt::new(Model::Normalized, -12.0, 12.0, 0.05, 0.05).unwrap();
    let rate = share_of(Decision::H1, &test, &Truth(PAIRS.to_vec()), 13);
    assert!((rate - 0.5).abs() < 0.05, "{rate}");
}

/// Of estimates after a stopped test, half must be too high; of the plain ones far more are,
/// wherever most tests end by a pass.
#[test]
fn estimates_after_a_test_are_median_unbiased() {
    let (elo0, elo1) = (0.0, 10.0);
    let test = Sprt::new(Model::Logistic, elo0, elo1, 0.05, 0.05).unwrap();
    for (elo, seed) in [(0.0, 17), (5.0, 19), (12.0, 23)] {
        let truth = Truth::with_score(&PAIRS, expected_score(elo).unwrap());
        let mut random = Rng::with_seed(seed);
        let (mut too_high, mut plain_too_high, mut covered) = (0, 0, 0);
        let matches = 400;
        for _ in 0..matches {
            let (_, counts) = play(&test, &truth, &mut random);
            let stopped = StoppedEstimate::new(&test, counts).unwrap();
            too_high += u32::from(stopped.elo > elo);
            plain_too_high += u32::from(Estimate::new(counts).unwrap().elo > elo);
            covered += u32::from(stopped.elo_low <= elo && elo <= stopped.elo_high);
        }
        let share = |count: u32| f64::from(count) / f64::from(matches);
        assert!(
            (share(too_high) - 0.5).abs() < 0.08,
            "{elo}: {}",
            share(too_high)
        );
        assert!(share(covered) > 0.92, "{elo}: {}", share(covered));
        if elo > elo1 {
            assert!(
                share(plain_too_high) > 0.6,
                "{elo}: {}",
                share(plain_too_high)
            );
        }
    }
}
