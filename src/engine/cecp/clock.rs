//! The time control of a CECP client, and what it leaves for one series.

use crate::{
    engine::Place,
    protocol::GoRequest,
    rules::{Color, TurnNumber},
};

/// For each series, if the client has named no time control. In milliseconds.
const TIME_UNTOLD: i64 = 5000;

/// What the client has said about time. All times are in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeControl {
    level: Option<Level>,
    move_time: Option<u64>,
    /// The deepest look ahead, in series.
    pub(super) depth: Option<u32>,
    /// The engine's clock and the opponent's.
    pub(super) clocks: [Option<i64>; 2],
}

#[derive(Clone, Copy, Debug)]
struct Level {
    moves: u32,
    base: u64,
    increment: u64,
    /// How many plies the engine's side had made when the control began.
    made: u32,
}

impl TimeControl {
    /// `level`, when so many plies have been made by the engine's side.
    pub(super) fn set_level(&mut self, moves: u32, base: u64, increment: u64, made: u32) {
        self.move_time = None;
        self.clocks = [None; 2];
        self.level = Some(Level {
            moves,
            base,
            increment,
            made,
        });
    }

    /// `st`.
    pub(super) fn set_move_time(&mut self, time: u64) {
        self.level = None;
        self.move_time = Some(time);
    }

    /// A new game: the clocks and the depth are reset, the kind of control stays.
    pub(super) fn reset(&mut self) {
        self.depth = None;
        self.clocks = [None; 2];
        if let Some(level) = &mut self.level {
            level.made = 0;
        }
    }

    /// The limits of a search for `side`, which has made so many plies; its series is to be
    /// played at `place`.
    pub(super) fn limits(&self, side: Color, made: u32, place: &Place) -> GoRequest {
        let mut go = GoRequest {
            depth: self.depth,
            ..GoRequest::default()
        };
        let (own, other) = side.fold_wb((0, 1), (1, 0));
        match (self.move_time, &self.level) {
            (Some(time), _) => go.move_time = Some(time as i64),
            (None, Some(level)) => {
                go.time[own] = Some(self.clocks[0].unwrap_or(level.base as i64));
                go.time[other] = Some(self.clocks[1].unwrap_or(level.base as i64));
                go.increment = [Some(level.increment as i64); 2];
                go.moves_to_go = level.turns_left(made, place);
            }
            (None, None) => match self.clocks {
                [None, _] if self.depth.is_none() => go.move_time = Some(TIME_UNTOLD),
                clocks => {
                    go.time[own] = clocks[0];
                    go.time[other] = clocks[1];
                }
            },
        }
        go
    }
}

impl Level {
    /// How many turns of the engine's side begin before its next control. The client counts
    /// passes as moves.
    fn turns_left(&self, made: u32, place: &Place) -> Option<u32> {
        if self.moves == 0 {
            return None;
        }
        let position = place.game.position();
        let length = |turn: u16| u32::from(position.series_length(TurnNumber(turn)));
        let left = self.moves - made.saturating_sub(self.made) % self.moves;
        let mut turn = position.turn().0;
        let mut used = u32::from(position.moves_left());
        let mut turns = 1;
        while used < left && turn < u16::MAX - 2 {
            // The passes of the opponent's series, and the own series after it.
            used += length(turn + 1) - 1 + length(turn + 2);
            turn += 2;
            turns += 1;
        }
        Some(turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::Turns,
        protocol::PositionRequest,
        rules::{Preset, RuleSet},
    };

    fn place(rules: RuleSet) -> Place {
        Place::find(&PositionRequest::default(), rules, Turns::Alternating, None).unwrap()
    }

    #[test]
    fn moves_to_the_control_become_turns() {
        let italian = place(Preset::Italian.rules());
        let turns = |moves, made| {
            let mut clock = TimeControl::default();
            clock.set_level(moves, 300_000, 0, 0);
            clock.limits(Color::White, made, &italian).moves_to_go
        };
        // White's turns 1, 3, 5 take 1 + (1 pass + 3) + (3 passes + 5) moves.
        assert_eq!(turns(1, 0), Some(1));
        assert_eq!(turns(2, 0), Some(2));
        assert_eq!(turns(5, 0), Some(2));
        assert_eq!(turns(6, 0), Some(3));
        assert_eq!(turns(13, 0), Some(3));
        assert_eq!(turns(14, 13), Some(1));
        assert_eq!(turns(0, 0), None);
    }

    #[test]
    fn there_is_always_a_limit() {
        let start = place(Preset::Italian.rules());
        let mut clock = TimeControl::default();
        let untold = clock.limits(Color::Black, 0, &start);
        assert_eq!(untold.move_time, Some(TIME_UNTOLD));
        clock.depth = Some(2);
        let deep = clock.limits(Color::Black, 0, &start);
        assert_eq!((deep.depth, deep.move_time), (Some(2), None));
        clock.set_level(40, 300_000, 0, 0);
        clock.clocks = [Some(1000), None];
        let timed = clock.limits(Color::Black, 0, &start);
        assert_eq!(timed.time, [Some(300_000), Some(1000)]);
        clock.set_move_time(7000);
        assert_eq!(clock.limits(Color::Black, 0, &start).move_time, Some(7000));
        clock.reset();
        assert_eq!(clock.limits(Color::Black, 0, &start).depth, None);
    }
}
