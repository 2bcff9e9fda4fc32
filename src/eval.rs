//! What a position is worth without looking ahead.
//!
//! The score is for the side on turn, in centipawns. The handmade part is a sum of features
//! (`eval/features.rs`) times weights (`eval/weights.rs`) that depend on how long the series have
//! become. In series chess a king falls to a long series wherever its flight squares can be
//! covered, men are taken en masse, and a pawn is worth what the next series can make of it. At
//! the start of a turn, under rules that they know, networks (`eval/learned.rs`) tell how dangerous
//! the next series is and, with [`Terms::All`], have the last word on the worth: then a thousand
//! centipawns are odds of e to 1. It never searches; the search calls it.

mod around;
mod features;
mod learned;
mod network;
mod reach;
mod weights;

pub use learned::TrainingRow;

use around::Sums;
use features::{FEATURES, Feature};
use learned::Networks;

use crate::rules::{Balance, Color, SeriesPosition};

/// A score in hundredths of a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Centipawns(pub i32);

impl std::ops::Neg for Centipawns {
    type Output = Centipawns;

    fn neg(self) -> Centipawns {
        Centipawns(-self.0)
    }
}

/// No evaluation is greater than this, or less than its negative.
pub const EVALUATION_MAX: i32 = 20_000;

/// By this much an advantage that hardly mates is worth less.
const DRAWISH: i32 = 8;

/// The worth of a position, and parts of it that order candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// The worth for the side on turn.
    pub worth: Centipawns,
    /// Squares the king of each side could flee to; indexed by colour.
    pub flights: [i32; 2],
    /// Attacks of each side on the enemy king and the squares beside it; indexed by colour.
    pub pressure: [i32; 2],
    /// Whether the side on turn begins its series in check.
    pub in_check: bool,
    /// How dangerous the enemy's next series is for the side that waits at the start of a turn,
    /// and inside a series for the side that plays it, as if it ended here: minus the logarithm of
    /// the chance that there is no mate in it, in thousandths. `None` where that was not learned.
    pub danger: Option<i32>,
}

/// What counts for a worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// Everything.
    All,
    /// Everything, but the worth is the handmade one (under balance, of men and pawns).
    DangerAndHandmade,
    /// Everything but the networks.
    Handmade,
    /// The men alone: to measure what the rest is good for.
    Material,
}

/// The worth of `position` for the side on turn.
pub fn evaluate(position: &SeriesPosition) -> Centipawns {
    assess(position, Terms::All).worth
}

/// Whether [`assess`] tells the danger under the rules of `position`.
pub fn knows_danger(position: &SeriesPosition, terms: Terms) -> bool {
    networks(position, terms).is_some()
}

/// The networks that count.
fn networks(position: &SeriesPosition, terms: Terms) -> Option<&'static Networks> {
    match terms {
        Terms::All | Terms::DangerAndHandmade => learned::networks(position),
        Terms::Handmade | Terms::Material => None,
    }
}

/// Assesses positions as [`assess`] does, faster where they are like those before.
#[derive(Debug, Default)]
pub struct Assessor {
    memory: Memory,
}

/// Parts of the networks' hidden layers as they were last.
#[derive(Debug, Default)]
struct Memory {
    danger: Sums,
    /// Of the result network: for the king of the side that waits, and for the other one.
    result: [Sums; 2],
}

impl Assessor {
    /// The worth of `position` and its parts.
    pub fn assess(&mut self, position: &SeriesPosition, terms: Terms) -> Assessment {
        assess_with(position, terms, Some(&mut self.memory))
    }
}

/// The worth of `position` and its parts.
pub fn assess(position: &SeriesPosition, terms: Terms) -> Assessment {
    assess_with(position, terms, None)
}

fn assess_with(position: &SeriesPosition, terms: Terms, memory: Option<&mut Memory>) -> Assessment {
    let us = position.side();
    let (own, enemy) = features::sides(position);
    let features = features::features(position, &own, &enemy);
    let handmade = handmade(position, &features, terms);
    let mut worth = handmade;
    let mut danger = None;
    let memory = memory.map(|Memory { danger, result }| (danger, result));
    let (sums, result_sums) = memory.unzip();
    if let Some(networks) = networks(position, terms) {
        danger = Some(if position.is_turn_start() {
            networks.danger(position, !us, &own, position.moves_left(), sums)
        } else {
            let next = position.series_length(position.turn().next());
            networks.danger(position, us, &enemy, next, sums)
        });
        if position.is_turn_start() && terms == Terms::All {
            let result = networks.result(position, &own, &enemy, handmade, result_sums);
            worth = result.unwrap_or(handmade);
        }
    }
    let by_color = |own, enemy| match us {
        Color::Black => [own, enemy],
        Color::White => [enemy, own],
    };
    Assessment {
        worth: Centipawns(worth.clamp(-EVALUATION_MAX, EVALUATION_MAX)),
        flights: by_color(enemy.leaves, own.leaves),
        pressure: by_color(own.pressure, enemy.pressure),
        in_check: features[Feature::InCheck as usize] != 0,
        danger,
    }
}

/// The worth by features and weights.
fn handmade(position: &SeriesPosition, features: &[i32; FEATURES], terms: Terms) -> i32 {
    let us = position.side();
    let counted = match terms {
        // Where the danger is known under balance, what stands beside kings, and what men could do
        // if they moved oftener, is no use beside it.
        Terms::All | Terms::DangerAndHandmade if position.rules().balance != Balance::Off => {
            Feature::Mobility as usize
        }
        Terms::All | Terms::DangerAndHandmade | Terms::Handmade => FEATURES,
        Terms::Material => Feature::Advance as usize,
    };
    let weights = &weights::WEIGHTS[features::stage(position)];
    let product = |feature: usize| features[feature] * weights[feature];
    let worth: i32 = if counted == FEATURES {
        // A number of steps that is known beforehand is a few instructions on vectors.
        (0..FEATURES).map(product).sum()
    } else {
        (0..counted).map(product).sum()
    };
    let ahead = if worth > 0 { us } else { !us };
    if terms != Terms::Material && features::hardly_mates(position, ahead) {
        worth / DRAWISH
    } else {
        worth
    }
}

/// What a program that trains the networks has to know of `position`, which stands at the start
/// of a turn.
#[doc(hidden)]
pub fn training_row(position: &SeriesPosition) -> TrainingRow {
    let (own, enemy) = features::sides(position);
    let features = features::features(position, &own, &enemy);
    let handmade = handmade(position, &features, Terms::Handmade);
    TrainingRow::new(position, &own, &enemy, handmade)
}

/// The weights, stage by stage, for programs that tune them.
#[doc(hidden)]
pub fn tuning_weights() -> Vec<Vec<i32>> {
    weights::WEIGHTS.iter().map(|row| row.to_vec()).collect()
}

/// The stage of `position` and its features for the side on turn, for programs that tune the
/// weights.
#[doc(hidden)]
pub fn tuning_row(position: &SeriesPosition) -> (usize, [i32; FEATURES]) {
    let (own, enemy) = features::sides(position);
    (
        features::stage(position),
        features::features(position, &own, &enemy),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;
    use crate::rules::Preset;

    #[test]
    fn both_sides_see_the_same_board() {
        for &preset in Preset::ALL {
            let start = SeriesPosition::start(preset.rules());
            let assessment = assess(&start, Terms::Handmade);
            assert_eq!(assessment.flights, [0, 0], "{preset}");
            assert!(assessment.worth.0.abs() < 150, "{preset}");
        }
        let worth = |side| {
            let fen = format!("r3k3/pppp4/8/8/8/8/PPPP4/Q3K3 {side} - - 0 3");
            evaluate(&parse_fen(Preset::Scottish.rules(), &fen).unwrap()).0
        };
        assert!(worth("w") > 200);
        assert!(worth("b") < -100);
    }

    #[test]
    fn positions_before_change_nothing() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut assessor = Assessor::default();
        for preset in [
            Preset::Italian,
            Preset::Circe,
            Preset::English,
            Preset::Italian,
        ] {
            for _ in 0..20 {
                let mut position = SeriesPosition::start(preset.rules());
                for _ in 0..60 {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    for &m in &moves {
                        let next = position.after(m);
                        let anew = assess(&next, Terms::All);
                        assert_eq!(assessor.assess(&next, Terms::All), anew);
                    }
                    position.play(moves[random.usize(..moves.len())]);
                }
            }
        }
    }

    #[test]
    fn a_lone_queen_is_no_win() {
        let worth = |fen: &str| {
            let position = parse_fen(Preset::Italian.rules(), fen).unwrap();
            assess(&position, Terms::Handmade).worth.0
        };
        let lone = worth("8/8/8/3k4/8/8/8/Q3K3 w - - 0 13");
        let two = worth("8/8/8/3k4/8/8/8/QQ2K3 w - - 0 13");
        assert!(lone > 0 && lone < 200);
        assert!(two > 1000);
    }

    #[test]
    fn under_balance_a_pawn_at_home_is_worth_nothing() {
        let worth = |preset: Preset, pawns: &str| {
            let fen = format!("4k3/8/8/8/8/8/{pawns}/RN2K3 w - - 0 3");
            let position = parse_fen(preset.rules(), &fen).unwrap();
            assess(&position, Terms::DangerAndHandmade).worth.0
        };
        let gain = |preset| worth(preset, "PPP5") - worth(preset, "8");
        assert!(gain(Preset::Italian) > 250);
        assert_eq!(gain(Preset::English), 0);
    }

    #[test]
    fn a_free_way_is_seen() {
        let worth = |fen: &str| {
            let position = parse_fen(Preset::Italian.rules(), fen).unwrap();
            assess(&position, Terms::Handmade).worth.0
        };
        let free = worth("4k3/8/8/8/P7/8/8/4K3 w - - 0 7");
        let blocked = worth("4k3/8/n7/8/P7/8/8/4K3 w - - 0 7");
        assert!(free > blocked + 200);
    }
}
