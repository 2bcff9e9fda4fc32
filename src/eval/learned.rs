//! What was learned from positions that the mate solver has answered, and from games.
//!
//! Two networks (`eval/network.rs`) look at the men around a king, at the attacks on the squares
//! beside it and at the length of the series. One tells how probably the king is mated in the
//! enemy's next series, and orders candidates; only the solver decides. The other looks at both
//! kings and tells who wins. They are used where the rules are alike enough to those of the games
//! they were trained on (`networks`).

use std::sync::LazyLock;

use arrayvec::ArrayVec;

use super::{
    around::{Around, ONE_KING, Part, SET_MAX, Sum, Sums},
    features::Side,
    network::{Network, Row, bytes_of, row_of},
    reach::{self, REACH_INPUTS, REACH_SET},
};
use crate::rules::{Balance, CheckRule, Color, Objective, RuleSet, SeriesPosition, TurnNumber};

/// Inputs of a danger network that is told what each man can do in one move (`eval/reach.rs`).
const WITH_REACH: usize = ONE_KING + REACH_INPUTS;

/// What was learned from games by rules that are alike.
#[derive(Debug)]
pub(super) struct Networks {
    danger: Network,
    /// Where who wins was learned too.
    result: Option<Network>,
}

/// The bytes of a danger network,
const ONE_KING_BYTES: usize = bytes_of(ONE_KING);
/// of both networks,
const BOTH_BYTES: usize = ONE_KING_BYTES + bytes_of(2 * ONE_KING);
/// and of a danger network that is told what each man can do.
const REACH_BYTES: usize = bytes_of(WITH_REACH);

impl Networks {
    /// From their bytes, numbers of two bytes, the lower one first: the danger network of `inputs`
    /// inputs, then the other one if there is more.
    fn read(bytes: &[u8], inputs: usize) -> Networks {
        let (pairs, _) = bytes.as_chunks::<2>();
        let mut numbers = pairs.iter().map(|&pair| i16::from_le_bytes(pair));
        let danger = Network::read(&mut numbers, inputs);
        let is_more = numbers.len() > 0;
        Networks {
            danger,
            result: is_more.then(|| Network::read(&mut numbers, 2 * ONE_KING)),
        }
    }
}

static ITALIAN: LazyLock<Networks> = LazyLock::new(|| {
    let bytes: &[u8; BOTH_BYTES] = include_bytes!("networks/italian.bin");
    Networks::read(bytes, ONE_KING)
});

static CIRCE: LazyLock<Networks> = LazyLock::new(|| {
    let bytes: &[u8; ONE_KING_BYTES] = include_bytes!("networks/circe.bin");
    Networks::read(bytes, ONE_KING)
});

static ENGLISH: LazyLock<Networks> = LazyLock::new(|| {
    let bytes: &[u8; REACH_BYTES] = include_bytes!("networks/english.bin");
    Networks::read(bytes, WITH_REACH)
});

/// Series as long as this do not grow any more.
const LATE: TurnNumber = TurnNumber(60);

/// The networks for the rules of `position`. Under Circe there is one that was trained on Italian
/// games: kings fall in much the same ways there, so that it orders series much better than nothing
/// (`docs/strength.md`).
pub(super) fn networks(position: &SeriesPosition) -> Option<&'static Networks> {
    let rules = position.rules();
    if rules.objective != Objective::Mate || position.series_length(LATE) <= 3 {
        return None;
    }
    match (rules.checks, sees_reach(rules), rules.has_rebirth()) {
        (CheckRule::Last, false, false) => Some(&ITALIAN),
        (CheckRule::Last, false, true) => Some(&CIRCE),
        (CheckRule::Ends, true, false) => Some(&ENGLISH),
        _ => None,
    }
}

/// Whether a network is told what each man can do in one move: where it has seldom more.
fn sees_reach(rules: &RuleSet) -> bool {
    rules.balance != Balance::Off
}

/// The inputs about that, for the king of `us`, when the enemy has a series of `length` moves.
fn reach_inputs(position: &SeriesPosition, us: Color, length: u16) -> ArrayVec<u16, REACH_SET> {
    let mut set = ArrayVec::new();
    if sees_reach(position.rules()) {
        let add = |input| set.push((ONE_KING + input) as u16);
        reach::add_inputs(position, us, length, add);
    }
    set
}

/// ln(1 + e^-x), in thousandths, for x in tenths.
const SOFT: [u16; 70] = [
    693, 644, 598, 554, 513, 474, 437, 403, 371, 341, 313, 287, 263, 241, 220, 201, 184, 168, 153,
    139, 127, 116, 105, 96, 87, 79, 72, 65, 59, 54, 49, 44, 40, 36, 33, 30, 27, 24, 22, 20, 18, 16,
    15, 13, 12, 11, 10, 9, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1,
];

impl Networks {
    /// How dangerous the enemy's next series of `length` moves is for the king of `us`: minus the
    /// logarithm of the chance that there is no mate in it, in thousandths, never below zero.
    /// `enemy` is what the enemy's men do; `sums` helps where positions are alike.
    pub(super) fn danger(
        &'static self,
        position: &SeriesPosition,
        us: Color,
        enemy: &Side,
        length: u16,
        sums: Option<&mut Sums>,
    ) -> i32 {
        let network = &self.danger;
        let around = Around::new(position, us, enemy, length);
        let mut hidden = hidden(Part { network, first: 0 }, around, sums);
        network.add(&mut hidden, reach_inputs(position, us, length).into_iter());
        let odds = network.log_odds(&hidden, row_of(length), 0);
        let soft = SOFT.get(odds.unsigned_abs() as usize / 100);
        odds.max(0) + i32::from(soft.copied().unwrap_or(0))
    }

    /// The log-odds that the side on turn wins from here, where it has no mate in its series, in
    /// thousandths. `position` stands at the start of a turn; `own` and `enemy` are what the men of
    /// the side on turn and of the other do, `handmade` is the handmade evaluation, in hundredths of
    /// a pawn; `sums` help where positions are alike. `None` where that was not learned.
    pub(super) fn result(
        &'static self,
        position: &SeriesPosition,
        own: &Side,
        enemy: &Side,
        handmade: i32,
        sums: Option<&mut [Sums; 2]>,
    ) -> Option<i32> {
        let network = self.result.as_ref()?;
        let us = position.side();
        let length = position.moves_left();
        let next = position.series_length(position.turn().next());
        let pair = sums.map(|[waiting, on_turn]| (waiting, on_turn));
        let (waiting_sums, on_turn_sums) = pair.unzip();
        let waiting = Around::new(position, !us, own, length);
        let on_turn = Around::new(position, us, enemy, next);
        let part = |first: usize| Part {
            network,
            first: first as u16,
        };
        let mut sum = hidden(part(0), waiting, waiting_sums);
        let other = hidden(part(ONE_KING), on_turn, on_turn_sums);
        for (sum, other) in sum.iter_mut().zip(other) {
            *sum = sum.saturating_add(other);
        }
        Some(network.log_odds(&sum, row_of(length), handmade))
    }
}

/// A part of the hidden layer, if there is a king.
fn hidden(part: Part, around: Option<Around<'_>>, sums: Option<&mut Sums>) -> Row {
    let Some(around) = around else {
        return part.start();
    };
    match sums {
        Some(sums) => sums.hidden(part, &around),
        None => Sum::empty(part).with(part, &around),
    }
}

/// The inputs of the second network: for the king of the side that waits, `waiting`, then for that
/// of the side on turn. `position` stands at the start of a turn, `enemy` is what the men of the side
/// that waits do.
fn both_inputs(
    position: &SeriesPosition,
    waiting: ArrayVec<u16, SET_MAX>,
    enemy: &Side,
) -> ArrayVec<u16, { 2 * SET_MAX }> {
    let us = position.side();
    let next = position.series_length(position.turn().next());
    let on_turn = Around::inputs(position, us, enemy, next);
    let shifted = on_turn.into_iter().map(|input| input + ONE_KING as u16);
    waiting.into_iter().chain(shifted).collect()
}

/// What a program that trains the networks has to know of a position at the start of a turn.
#[derive(Clone, Debug)]
pub struct TrainingRow {
    /// Inputs of the first network that are set, below [`TrainingRow::danger_inputs`].
    pub danger: Vec<u16>,
    /// Inputs of the second network that are set, below [`TrainingRow::RESULT_INPUTS`].
    pub result: Vec<u16>,
    /// The row of the output, below [`TrainingRow::LENGTHS`].
    pub length: usize,
    /// The handmade evaluation for the side on turn, in hundredths of a pawn.
    pub handmade: i32,
}

impl TrainingRow {
    /// Inputs of the first network under `rules`.
    pub fn danger_inputs(rules: &RuleSet) -> usize {
        if sees_reach(rules) {
            WITH_REACH
        } else {
            ONE_KING
        }
    }

    /// Inputs of the second network.
    pub const RESULT_INPUTS: usize = 2 * ONE_KING;
    /// Rows of the output.
    pub const LENGTHS: usize = super::network::LENGTHS;
    /// Units of the hidden layer.
    pub const HIDDEN: usize = super::network::HIDDEN;

    pub(super) fn new(position: &SeriesPosition, own: &Side, enemy: &Side, handmade: i32) -> Self {
        let us = position.side();
        let length = position.moves_left();
        let waiting = Around::inputs(position, !us, own, length);
        TrainingRow {
            danger: waiting
                .iter()
                .copied()
                .chain(reach_inputs(position, !us, length))
                .collect(),
            result: both_inputs(position, waiting, enemy).to_vec(),
            length: row_of(length),
            handmade,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::{Terms, assess},
        notation::parse_fen,
        rules::Preset,
    };

    #[test]
    fn the_soft_part_is_what_it_says() {
        for (tenths, &soft) in SOFT.iter().enumerate() {
            let exact = 1000.0 * (-(tenths as f64) / 10.0).exp().ln_1p();
            assert!((f64::from(soft) - exact).abs() <= 0.51, "{tenths}: {exact}");
        }
    }

    /// What the networks say of a position under Italian rules.
    fn seen(fen: &str) -> (i32, Option<i32>) {
        seen_under(Preset::Italian, fen)
    }

    fn seen_under(preset: Preset, fen: &str) -> (i32, Option<i32>) {
        let position = parse_fen(preset.rules(), fen).unwrap();
        let assessment = assess(&position, Terms::All);
        (assessment.worth.0, assessment.danger)
    }

    #[test]
    fn a_mirror_and_other_colours_change_nothing() {
        let fen = "r2qkb1r/pp3ppp/2n5/3p4/3P1B2/8/PPP2PPP/RN1QKB1R b - - 0 6";
        let left_right = "r1bkq2r/ppp3pp/5n2/4p3/2B1P3/8/PPP2PPP/R1BKQ1NR b - - 0 6";
        let colours = "rn1qkb1r/ppp2ppp/8/3p1b2/3P4/2N5/PP3PPP/R2QKB1R w - - 0 6";
        for preset in [Preset::Italian, Preset::English] {
            let seen = |fen| seen_under(preset, fen);
            assert!(seen(fen).1.is_some());
            assert_eq!(seen(fen), seen(left_right), "{preset}");
            assert_eq!(seen(fen), seen(colours), "{preset}");
        }
    }

    #[test]
    fn under_balance_danger_comes_with_long_series_of_few_men() {
        let danger = |fen| seen_under(Preset::English, fen).1.unwrap();
        // Nine moves, for two queens and a king; the king in the corner, or far out.
        let corner = danger("3qk3/8/8/8/8/q7/PPP5/K7 b - - 0 9");
        let early = danger("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 4");
        assert!(corner > 1000 && early < 300, "{corner} {early}");
    }

    /// The part of the pairs of a mate and none in which the mate has the greater value.
    fn area(values: &[(bool, i32)]) -> f64 {
        let those = |wanted: bool| values.iter().filter(move |&&(mate, _)| mate == wanted);
        let right =
            |&(_, value): &(bool, i32)| those(false).filter(|other| other.1 < value).count();
        let pairs = those(true).count() * those(false).count();
        those(true).map(right).sum::<usize>() as f64 / pairs as f64
    }

    #[test]
    fn danger_tells_mates_from_none_better_than_flights_and_checks() {
        /// A position that several programs have answered.
        #[derive(serde::Deserialize)]
        struct Answered {
            fen: String,
            n: u16,
            mate: bool,
        }
        let (mut dangers, mut plain) = (Vec::new(), Vec::new());
        for line in include_str!("../../tests/data/mates_generated.jsonl").lines() {
            let Answered { fen, n, mate } = serde_json::from_str(line).unwrap();
            let (board, _turn) = fen.rsplit_once(' ').unwrap();
            let position = parse_fen(Preset::Italian.rules(), &format!("{board} {n}")).unwrap();
            let seen = assess(&position, Terms::All);
            dangers.push((mate, seen.danger.unwrap()));
            let flights = seen.flights[!position.side() as usize].min(6);
            plain.push((mate, -80 * flights - 100 * i32::from(seen.in_check)));
        }
        let (danger, plain) = (area(&dangers), area(&plain));
        assert!(danger > 0.75 && danger > plain + 0.05, "{danger} {plain}");
    }

    #[test]
    fn a_king_shut_in_is_in_more_danger() {
        let shut_in = seen("rnb1kbnr/pppp1ppp/8/8/8/5q2/PPPPP1PP/RNBQKBNR b KQkq - 0 4");
        let alone = seen("rnb1kbnr/pppp1ppp/8/8/4K3/8/8/8 b kq - 0 4");
        assert!(shut_in.1 > alone.1);
    }

    #[test]
    fn under_circe_only_the_danger_is_known() {
        let fen = "rnb1kbnr/pppp1ppp/8/8/8/5q2/PPPPP1PP/RNBQKBNR b KQkq - 0 4";
        let assessed = |preset: Preset, terms| {
            let position = parse_fen(preset.rules(), fen).unwrap();
            assess(&position, terms)
        };
        let circe = assessed(Preset::Circe, Terms::All);
        assert_eq!(circe.worth, assessed(Preset::Circe, Terms::Handmade).worth);
        assert!(circe.danger.is_some());
    }

    #[test]
    fn other_rules_are_not_judged() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 5";
        for preset in [Preset::Scottish, Preset::FullCapture, Preset::Marseillais] {
            let position = parse_fen(preset.rules(), start).unwrap();
            assert_eq!(assess(&position, Terms::All).danger, None, "{preset}");
            assert_eq!(
                assess(&position, Terms::All).worth,
                assess(&position, Terms::Handmade).worth
            );
        }
    }
}
