//! Levels of skill: the engine made to play worse on purpose, step by step, as people do.
//!
//! Below full skill it thinks less, overlooks its own mates, takes series for safe that are not,
//! and misjudges what it sees. What it overlooks depends on the position and a seed alone, so
//! games can be repeated. The root of the search asks; nothing else knows of it.

use super::request::Limits;

/// How well the engine plays: 0, a beginner, to 20, as well as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Skill(u8);

/// What the skills are worth, in Elo: skill and rating, with straight lines between. Measured in
/// a tournament of these six, 200 games a pair, Italian, with 50,000 nodes for a series; table and
/// command line stand in `docs/strength.md`. The zero is free: full skill is called 2000.
const RATINGS: [(u8, i32); 6] = [
    (0, 1099),
    (4, 1296),
    (8, 1475),
    (12, 1730),
    (16, 1861),
    (20, 2000),
];

impl Skill {
    /// The greatest level.
    pub const MAX: u8 = 20;
    /// Everything the engine has.
    pub const FULL: Skill = Skill(Skill::MAX);

    /// The skill of a level; levels above [`Skill::MAX`] are full skill.
    pub const fn new(level: u8) -> Skill {
        if level < Skill::MAX {
            Skill(level)
        } else {
            Skill::FULL
        }
    }

    /// The level, 0..=20.
    pub const fn level(self) -> u8 {
        self.0
    }

    /// The rating. Only differences mean something.
    pub fn elo(self) -> i32 {
        let level = i32::from(self.0);
        RATINGS
            .windows(2)
            .map(|pair| {
                let ((low, from), (high, to)) = (pair[0], pair[1]);
                (i32::from(low), from, i32::from(high), to)
            })
            .find(|&(_, _, high, _)| level <= high)
            .map_or(Skill::elo_max(), |(low, from, high, to)| {
                from + (to - from) * (level - low) / (high - low)
            })
    }

    /// The skill whose rating is nearest to `elo`.
    pub fn of_elo(elo: i32) -> Skill {
        (0..=Skill::MAX)
            .map(Skill)
            .min_by_key(|skill| (skill.elo() - elo).abs())
            .unwrap_or(Skill::FULL)
    }

    /// The rating of the least skill.
    pub const fn elo_min() -> i32 {
        RATINGS[0].1
    }

    /// The rating of full skill.
    pub const fn elo_max() -> i32 {
        RATINGS[RATINGS.len() - 1].1
    }
}

/// What is overlooked by a player below full skill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weakness {
    seed: u64,
    /// The most positions made for a series.
    nodes: u64,
    /// The most series looked ahead.
    depth: u32,
    /// How often the own mates are overlooked, in thousandths of the positions.
    mates_missed: u64,
    /// How often the opponent's mate is overlooked, in thousandths of the series.
    dangers_missed: u64,
    /// By how much a series is misjudged at most, in centipawns.
    noise: i32,
}

/// What a chance is drawn for, so that one does not decide another.
#[derive(Clone, Copy)]
enum Chance {
    Mate = 1,
    Danger = 2,
    Noise = 3,
}

/// Nodes for a series at skill 0, and the factor from level to level: 114,000 at level 19. With
/// fewer nothing can be verified, whatever is overlooked or not.
const NODES_LEAST: f64 = 8000.0;
const NODES_GROWTH: f64 = 1.15;
/// Own mates overlooked at skill 0, in thousandths; from the other level on none are.
const MATES_MISSED: u64 = 1000;
const SEES_MATES: u64 = 19;
/// The opponent's mates overlooked at skill 0, in thousandths, and the factor from level to
/// level: 20 at level 19. Most series lose, and one mistake among many is enough to play one of
/// them, so this has to fall quickly.
const DANGERS_MISSED: f64 = 1000.0;
const DANGERS_DECAY: f64 = 0.814;
/// The misjudgement, by the square of the levels to full skill: 4000 centipawns at skill 0.
const NOISE: i32 = 10;
/// From these levels on two series are looked ahead, and as many as there is time for.
const LOOKS_AHEAD: i32 = 4;
const LOOKS_FAR: i32 = 10;

impl Weakness {
    /// The weakness of `skill`; full skill has none.
    pub(super) fn of(skill: Skill, seed: u64) -> Option<Weakness> {
        if skill == Skill::FULL {
            return None;
        }
        let level = i32::from(skill.0);
        let left = i32::from(Skill::MAX) - level;
        let can_miss = SEES_MATES.saturating_sub(u64::from(skill.0));
        Some(Weakness {
            seed,
            nodes: (NODES_LEAST * NODES_GROWTH.powi(level)) as u64,
            depth: match level {
                ..LOOKS_AHEAD => 1,
                LOOKS_AHEAD..LOOKS_FAR => 2,
                _ => u32::MAX,
            },
            mates_missed: MATES_MISSED * can_miss / SEES_MATES,
            dangers_missed: (DANGERS_MISSED * DANGERS_DECAY.powi(level)) as u64,
            noise: NOISE * left * left,
        })
    }

    /// The limits of a search, and what it does not think beyond.
    pub(super) fn limit(&self, limits: Limits) -> Limits {
        Limits {
            nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(self.nodes)),
            depth: Some(limits.depth.unwrap_or(u32::MAX).min(self.depth)),
            ..limits
        }
    }

    /// Whether the mates in the series of the position with this key are overlooked.
    pub(super) fn misses_mate(&self, key: u64) -> bool {
        self.chance(Chance::Mate, key) % 1000 < self.mates_missed
    }

    /// Whether it is overlooked that the opponent may mate in the position with this key.
    pub(super) fn misses_danger(&self, key: u64) -> bool {
        self.chance(Chance::Danger, key) % 1000 < self.dangers_missed
    }

    /// By how much the series that leads to the position with this key is misjudged.
    pub(super) fn noise(&self, key: u64) -> i32 {
        if self.noise == 0 {
            return 0;
        }
        let chance = self.chance(Chance::Noise, key);
        let one = |part: u64| (part % (self.noise as u64 + 1)) as i32;
        // The difference of two: small mistakes are more common than great ones.
        one(chance & 0xffff_ffff) - one(chance >> 32)
    }

    /// A number that looks random (the finaliser of `SplitMix64`).
    fn chance(&self, what: Chance, key: u64) -> u64 {
        let mut word = key ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = word.wrapping_add(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(what as u64));
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_and_levels_go_together() {
        for level in 0..=Skill::MAX {
            let skill = Skill::new(level);
            assert_eq!(Skill::of_elo(skill.elo()), skill);
            assert!(level == 0 || skill.elo() > Skill::new(level - 1).elo());
        }
        assert_eq!(Skill::new(200), Skill::FULL);
        assert_eq!(Skill::FULL.elo(), Skill::elo_max());
        assert_eq!(Skill::of_elo(i32::MIN / 2), Skill::new(0));
        assert_eq!(Skill::of_elo(i32::MAX / 2), Skill::FULL);
    }

    #[test]
    fn every_step_takes_weaknesses_away() {
        let all: Vec<Weakness> = (0..Skill::MAX)
            .map(|level| Weakness::of(Skill::new(level), 0).unwrap())
            .collect();
        for pair in all.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes);
            assert!(pair[0].depth <= pair[1].depth);
            assert!(pair[0].mates_missed >= pair[1].mates_missed);
            assert!(pair[0].dangers_missed >= pair[1].dangers_missed);
            assert!(pair[0].noise > pair[1].noise);
        }
        assert!(Weakness::of(Skill::FULL, 0).is_none());
    }

    #[test]
    fn chances_come_as_often_as_they_should_and_repeat() {
        // 17 of 19 mates are overlooked at this level.
        let weakness = Weakness::of(Skill::new(2), 7).unwrap();
        let other = Weakness::of(Skill::new(2), 8).unwrap();
        let keys = (0..10_000u64).map(|n| n.wrapping_mul(0x1234_5678_9abc_def1));
        let (mut missed, mut differ, mut sum) = (0, 0, 0i64);
        for key in keys {
            missed += u64::from(weakness.misses_mate(key));
            differ += u64::from(weakness.misses_mate(key) != other.misses_mate(key));
            sum += i64::from(weakness.noise(key));
            assert_eq!(weakness.noise(key), weakness.noise(key));
            assert!(weakness.noise(key).abs() <= weakness.noise);
        }
        assert!((8800..9100).contains(&missed), "{missed}");
        assert!(differ > 1400, "{differ}");
        assert!(sum.abs() / 10_000 < 40, "{sum}");
    }
}
