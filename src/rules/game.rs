//! A game: a start position, the moves played from it, and the history that repetition needs.

use std::collections::HashMap;

use thiserror::Error;

use super::{
    moves::Move,
    outcome::{Ending, Outcome, Status},
    position::SeriesPosition,
};

/// A game in progress or finished.
#[derive(Clone, Debug)]
pub struct Game {
    start: SeriesPosition,
    position: SeriesPosition,
    series: Vec<Vec<Move>>,
    /// How often each state stood at the start of a turn; filled only where states can recur.
    seen: HashMap<u64, u8>,
}

/// A move that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// It is not among the allowed moves.
    #[error("the move is not allowed here")]
    Illegal(Move),
}

impl Game {
    /// A game that starts with `position`.
    pub fn new(position: SeriesPosition) -> Game {
        let mut game = Game {
            start: position,
            position,
            series: Vec::new(),
            seen: HashMap::new(),
        };
        game.note_state();
        game
    }

    /// The position it started from.
    pub fn start(&self) -> &SeriesPosition {
        &self.start
    }

    /// The position now.
    pub fn position(&self) -> &SeriesPosition {
        &self.position
    }

    /// The moves so far, turn by turn; the last turn may be unfinished.
    pub fn series(&self) -> &[Vec<Move>] {
        &self.series
    }

    /// Plays one move.
    ///
    /// # Errors
    /// If it is not allowed; the game is unchanged then.
    pub fn play(&mut self, m: Move) -> Result<(), GameError> {
        if !self.position.is_legal(m) {
            return Err(GameError::Illegal(m));
        }
        if self.position.is_turn_start() || self.series.is_empty() {
            self.series.push(Vec::new());
        }
        if let Some(series) = self.series.last_mut() {
            series.push(m);
        }
        self.position.play(m);
        if self.position.is_turn_start() {
            self.note_state();
        }
        Ok(())
    }

    /// Whether the game is over: what the position says, and repetition.
    pub fn status(&self) -> Status {
        match self.position.status() {
            Status::Ongoing if self.is_repeated() => Status::Over(Outcome {
                ending: Ending::Repetition,
                winner: None,
            }),
            status => status,
        }
    }

    fn can_recur(&self) -> bool {
        let rules = self.position.rules();
        rules.repetition && rules.schedule.is_constant_from(self.position.turn().0)
    }

    fn note_state(&mut self) {
        if self.can_recur() {
            let times = self.seen.entry(self.position.repetition_key()).or_insert(0);
            *times = times.saturating_add(1);
        }
    }

    fn is_repeated(&self) -> bool {
        self.position.is_turn_start()
            && self.can_recur()
            && self
                .seen
                .get(&self.position.repetition_key())
                .is_some_and(|&times| times >= 3)
    }
}
