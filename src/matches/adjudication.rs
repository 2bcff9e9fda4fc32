//! When a game is stopped before the rules end it.
//!
//! The rule, the same here, in the manual and in the tests: before each turn, after the rules of
//! the game have been asked, resignation is looked at first, then the draw, then the turn limit.
//! A side's scores are those of its own finished turns, one for each turn; a turn without an exact
//! score breaks every run. *Resignation*: the last `count` scores of a side are all at or below
//! minus `score`; if two-sided, the last `count` scores of its opponent are also all at or above
//! `score`. *Draw*: the last `count` scores of both sides, counting only turns numbered `from` or
//! higher, are all between minus `score` and `score`, ends included. *Turn limit*: the next turn
//! would have a number above `max-turns`. Book turns have no score and count as none.

use super::{config::AdjudicationConfig, ending::GameEnd, info::Score};
use crate::rules::{Color, TurnNumber};

/// The runs of scores of one side.
#[derive(Clone, Copy, Debug, Default)]
struct Runs {
    losing: u32,
    winning: u32,
    level: u32,
}

/// Watches the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    config: AdjudicationConfig,
    runs: [Runs; 2],
}

impl Adjudicator {
    /// A game's watch.
    pub fn new(config: AdjudicationConfig) -> Adjudicator {
        Adjudicator {
            config,
            runs: [Runs::default(); 2],
        }
    }

    /// Notes the score that `side` gave, from its own view, for its turn `turn`.
    pub fn note(&mut self, side: Color, turn: TurnNumber, score: Option<Score>) {
        let runs = &mut self.runs[side as usize];
        let score = score.map(Score::centipawns);
        let extend = |run: &mut u32, holds: bool| *run = if holds { *run + 1 } else { 0 };
        if let Some(resign) = self.config.resign {
            extend(
                &mut runs.losing,
                score.is_some_and(|score| score <= -resign.score),
            );
            extend(
                &mut runs.winning,
                score.is_some_and(|score| score >= resign.score),
            );
        }
        if let Some(draw) = self.config.draw {
            let level = score.is_some_and(|score| score.abs() <= draw.score);
            extend(&mut runs.level, level && turn.0 >= draw.from);
        }
    }

    /// Whether the game is stopped before turn `next`.
    pub fn verdict(&self, next: TurnNumber) -> Option<GameEnd> {
        if let Some(resign) = self.config.resign {
            for loser in Color::ALL {
                let (own, other) = (self.runs[loser as usize], self.runs[!loser as usize]);
                if own.losing >= resign.count
                    && (!resign.two_sided || other.winning >= resign.count)
                {
                    return Some(GameEnd::Resignation {
                        winner: Some(!loser),
                    });
                }
            }
        }
        if let Some(draw) = self.config.draw
            && self.runs.iter().all(|runs| runs.level >= draw.count)
        {
            return Some(GameEnd::DrawAdjudication);
        }
        self.config
            .max_turns
            .is_some_and(|last| next.0 > last)
            .then_some(GameEnd::TurnLimit)
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::{DrawConfig, ResignConfig};
    use super::*;

    /// Plays scores turn by turn from turn 1, White's first, and returns before which turn the
    /// game is stopped, and how.
    fn run(config: AdjudicationConfig, scores: &[Option<i32>]) -> Option<(u16, GameEnd)> {
        let mut watch = Adjudicator::new(config);
        for (index, score) in scores.iter().enumerate() {
            let turn = TurnNumber(index as u16 + 1);
            let side = if index % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            watch.note(side, turn, score.map(Score::Centipawns));
            if let Some(end) = watch.verdict(turn.next()) {
                return Some((turn.next().0, end));
            }
        }
        None
    }

    fn resign(count: u32, two_sided: bool) -> AdjudicationConfig {
        AdjudicationConfig {
            resign: Some(ResignConfig {
                score: 500,
                count,
                two_sided,
            }),
            ..AdjudicationConfig::default()
        }
    }

    fn wins(color: Color) -> GameEnd {
        GameEnd::Resignation {
            winner: Some(color),
        }
    }

    #[test]
    fn resignation_counts_own_turns_of_either_side() {
        let s = Some;
        // White is lost on its turns 3 and 5; Black on its turns 2 and 4.
        let white = [s(0), s(0), s(-500), s(0), s(-501)];
        assert_eq!(run(resign(2, false), &white), Some((6, wins(Color::Black))));
        let black = [s(0), s(-500), s(0), s(-900), s(0)];
        assert_eq!(run(resign(2, false), &black), Some((5, wins(Color::White))));
        // One hair above the limit breaks the run, and so does a turn without a score.
        assert_eq!(
            run(resign(2, false), &[s(-500), s(0), s(-499), s(0), s(-500)]),
            None
        );
        assert_eq!(
            run(resign(2, false), &[s(-500), s(0), None, s(0), s(-500)]),
            None
        );
    }

    #[test]
    fn two_sided_resignation_needs_the_winner_to_agree() {
        let s = Some;
        let agreed = [
            s(-500),
            s(500),
            s(-500),
            s(499),
            s(-500),
            s(500),
            s(-500),
            s(500),
        ];
        assert_eq!(run(resign(2, true), &agreed), Some((9, wins(Color::Black))));
        assert_eq!(run(resign(2, true), &[s(-900), s(0), s(-900), s(0)]), None);
    }

    #[test]
    fn draws_count_turns_of_both_sides_from_a_turn_on() {
        let s = Some;
        let config = AdjudicationConfig {
            draw: Some(DrawConfig {
                from: 3,
                count: 2,
                score: 10,
            }),
            ..AdjudicationConfig::default()
        };
        assert_eq!(
            run(config, &[s(0); 10]),
            Some((7, GameEnd::DrawAdjudication))
        );
        let mut scores = [s(10); 10];
        scores[4] = s(-11);
        assert_eq!(run(config, &scores), Some((10, GameEnd::DrawAdjudication)));
        scores = [s(-10); 10];
        assert_eq!(run(config, &scores), Some((7, GameEnd::DrawAdjudication)));
    }

    #[test]
    fn mates_are_scores_and_the_turn_limit_comes_last() {
        let mut watch = Adjudicator::new(resign(1, false));
        watch.note(Color::White, TurnNumber(1), Some(Score::Mate(-1)));
        assert_eq!(watch.verdict(TurnNumber(2)), Some(wins(Color::Black)));
        let limit = AdjudicationConfig {
            max_turns: Some(4),
            ..AdjudicationConfig::default()
        };
        assert_eq!(run(limit, &[None; 9]), Some((5, GameEnd::TurnLimit)));
    }
}
