//! Fresh positions: turn starts of games a small player plays against itself. It mates when it
//! can, else takes the series of a beam, best material first, after which the other side cannot
//! mate.

use std::collections::HashSet;

use seriatim::{
    rules::{Role, RuleSet, SeriesPosition, Status},
    solver::{Answer, Limits, Solver},
};

const BEAM: usize = 60;
const TRIED: usize = 40;
const NODES: u64 = 3_000_000;

/// Splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

fn material(position: &SeriesPosition, random: &mut Random) -> i64 {
    let count = |color| {
        [
            (Role::Pawn, 100),
            (Role::Knight, 300),
            (Role::Bishop, 310),
            (Role::Rook, 500),
            (Role::Queen, 900),
        ]
        .iter()
        .map(|&(role, value)| position.men().men(color, role).count() as i64 * value)
        .sum::<i64>()
    };
    let white = count(seriatim::rules::Color::White);
    let black = count(seriatim::rules::Color::Black);
    white - black + (random.next() % 160) as i64
}

/// The ends of a beam search over one series, best first for the side on turn.
fn ends(position: &SeriesPosition, random: &mut Random) -> Vec<SeriesPosition> {
    let side = position.side();
    let sign = side.fold_wb(1, -1);
    let mut beam = vec![*position];
    loop {
        let mut seen = HashSet::new();
        let mut next: Vec<(i64, SeriesPosition)> = Vec::new();
        let mut ended = false;
        for position in &beam {
            for m in position.legal_moves() {
                let child = position.after(m);
                if seen.insert(child.key()) {
                    ended |= child.side() != side;
                    next.push((-sign * material(&child, random), child));
                }
            }
        }
        next.sort_by_key(|&(value, _)| value);
        beam = next
            .into_iter()
            .map(|(_, child)| child)
            .take(BEAM)
            .collect();
        if ended || beam.is_empty() {
            return beam;
        }
    }
}

/// Turn starts with `turns`' numbers, from as many games as it takes to have `wanted`.
pub fn positions(
    rules: RuleSet,
    seed: u64,
    turns: std::ops::RangeInclusive<u16>,
    wanted: usize,
) -> Vec<SeriesPosition> {
    let mut random = Random(seed);
    let mut found = Vec::new();
    let mut solver = Solver::new(64, 1);
    while found.len() < wanted {
        let mut position = SeriesPosition::start(rules);
        while position.status() == Status::Ongoing && position.turn().0 <= *turns.end() {
            if turns.contains(&position.turn().0) {
                found.push(position);
            }
            let mate = solver.first_mate(&position, &Limits::nodes(NODES)).answer;
            if mate != Answer::NoMate {
                break;
            }
            let candidates = if position.turn().0 <= 2 {
                let moves = position.legal_moves();
                let m = moves[random.next() as usize % moves.len()];
                vec![position.after(m)]
            } else {
                ends(&position, &mut random)
            };
            let safe = candidates
                .iter()
                .take(TRIED)
                .find(|end| solver.first_mate(end, &Limits::nodes(NODES)).answer == Answer::NoMate);
            let Some(&next) = safe.or(candidates.first()) else {
                break;
            };
            position = next;
        }
    }
    found.truncate(wanted);
    found
}
