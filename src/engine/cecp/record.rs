//! The game as an alternating client has it: every ply, so that plies can be taken back.

use crate::{
    engine::{Place, PlaceError, Turns},
    notation::{MoveTextError, is_pass, parse_san, parse_uci_move},
    protocol::{Origin, PositionRequest},
    rules::{Color, Move, RuleSet, SeriesPosition},
};

/// One ply of an alternating game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ply {
    /// A move.
    Move(Move),
    /// The waiting side passes.
    Pass,
}

/// The places of a game, ply after ply. There is always one.
#[derive(Clone, Debug)]
pub(super) struct Record {
    first: Place,
    later: Vec<Place>,
}

impl Record {
    /// A game that starts with `position`, at the start of its turn.
    pub(super) fn at(position: SeriesPosition) -> Record {
        Record::from(Place::at(position, Turns::Alternating))
    }

    fn from(first: Place) -> Record {
        Record {
            first,
            later: Vec::new(),
        }
    }

    /// Where the game stands.
    pub(super) fn place(&self) -> &Place {
        self.later.last().unwrap_or(&self.first)
    }

    /// How many plies `color` has made.
    pub(super) fn made_by(&self, color: Color) -> u32 {
        let before_last = self.later.len().saturating_sub(1);
        let first = (!self.later.is_empty()).then_some(&self.first);
        first
            .into_iter()
            .chain(&self.later[..before_last])
            .filter(|place| place.client_side() == color)
            .count() as u32
    }

    /// Reads a move or pass; the error is the reason in words.
    pub(super) fn read(&self, text: &str) -> Result<Ply, String> {
        let place = self.place();
        let position = place.game.position();
        match (place.is_waiting, is_pass(text)) {
            (true, true) => return Ok(Ply::Pass),
            (true, false) => {
                return Err(format!(
                    "{} has {} more to play in this series, so {} passes",
                    position.side(),
                    position.moves_left(),
                    place.client_side()
                ));
            }
            (false, true) => return Err(format!("{} has to play", position.side())),
            (false, false) => {}
        }
        match parse_uci_move(position, text) {
            Ok(m) => Ok(Ply::Move(m)),
            Err(MoveTextError::Illegal { reason, .. }) => Err(reason.to_string()),
            Err(error @ MoveTextError::Malformed(_)) => parse_san(position, text)
                .map(Ply::Move)
                .map_err(|_| error.to_string()),
        }
    }

    /// Adds a ply that was read here.
    pub(super) fn push(&mut self, ply: Ply) {
        let mut place = self.place().clone();
        match ply {
            Ply::Move(m) => place.play(m),
            Ply::Pass => place.pass(),
        }
        self.later.push(place);
    }

    /// Takes back so many plies; false if there are not so many.
    pub(super) fn take_back(&mut self, plies: usize) -> bool {
        let Some(left) = self.later.len().checked_sub(plies) else {
            return false;
        };
        self.later.truncate(left);
        true
    }

    /// Sets up a position. A client that steps through a game with passes sends positions of that
    /// game: what leads to it here, and what its FEN does not tell, is kept then.
    pub(super) fn set_up(&mut self, fen: &str, rules: RuleSet) -> Result<(), PlaceError> {
        let request = PositionRequest {
            origin: Origin::Fen(fen.to_owned()),
            moves: Vec::new(),
        };
        let find = |before| Place::find(&request, rules, Turns::Alternating, before);
        let found = find(None)?;
        let places = 1 + self.later.len();
        for left in (0..places).rev() {
            let before = left
                .checked_sub(1)
                .map_or(&self.first, |index| &self.later[index]);
            if before.ply > found.ply {
                continue;
            }
            let place = find(Some(before))?;
            let is_known = before.game.start() == place.game.start()
                && (place.ply == before.ply || !place.game.series().is_empty())
                && place.game.series().len() >= before.game.series().len();
            if is_known {
                self.later.truncate(left);
                self.lead_to(&place);
                return Ok(());
            }
            break;
        }
        *self = Record::from(found);
        Ok(())
    }

    /// Adds the plies of `place`, which continues this game.
    fn lead_to(&mut self, place: &Place) {
        let moves = place.game.series().concat();
        while self.place().ply < place.ply {
            let at = self.place();
            let played: usize = at.game.series().iter().map(Vec::len).sum();
            match moves.get(played) {
                _ if at.is_waiting => self.push(Ply::Pass),
                Some(&m) => self.push(Ply::Move(m)),
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{notation::AlternatingFen, rules::Preset};

    fn play(record: &mut Record, texts: &str) {
        for text in texts.split_ascii_whitespace() {
            let ply = record.read(text).unwrap();
            record.push(ply);
        }
    }

    #[test]
    fn plies_are_played_counted_and_taken_back() {
        let mut record = Record::at(SeriesPosition::start(Preset::Italian.rules()));
        play(&mut record, "e2e4 e7e5 @@@@ Nf6 f1c4 @@@@");
        assert_eq!(record.place().ply, 6);
        assert_eq!(record.made_by(Color::White), 3);
        assert_eq!(record.made_by(Color::Black), 3);
        assert!(record.take_back(2));
        assert_eq!(record.place().game.position().moves_left(), 3);
        assert!(!record.take_back(5));
        assert!(record.take_back(4));
        assert_eq!(record.place().ply, 0);
    }

    #[test]
    fn wrong_plies_are_refused_with_the_reason() {
        let mut record = Record::at(SeriesPosition::start(Preset::Italian.rules()));
        let refused = |record: &Record, text: &str| record.read(text).unwrap_err();
        assert_eq!(refused(&record, "@@@@"), "white has to play");
        assert_eq!(refused(&record, "e2e5"), "the pawn on e2 cannot go to e5");
        play(&mut record, "e2e4 d7d5");
        assert_eq!(
            refused(&record, "e4d5"),
            "black has 1 more to play in this series, so white passes"
        );
        play(&mut record, "@@@@ a7a6");
        assert!(refused(&record, "f1b5").contains("only on the last move"));
    }

    #[test]
    fn positions_of_the_game_known_are_found_again() {
        let rules = Preset::Italian.rules();
        let mut record = Record::at(SeriesPosition::start(rules));
        play(&mut record, "e2e4 e7e5 @@@@ g8f6 f1c4");
        let known = record.clone();
        // After 3.Bc4 and the pass that follows it: one ply more than is known.
        let ahead = "rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 4";
        record.set_up(ahead, rules).unwrap();
        assert_eq!(record.place().ply, 6);
        assert!(record.take_back(3));
        assert_eq!(record.place().ply, 3);
        // Back to the place after 2...e5 and White's pass.
        let mut record = known.clone();
        let back = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
        assert_eq!(AlternatingFen::parse(back).unwrap().ply, 3);
        record.set_up(back, rules).unwrap();
        assert_eq!(record.place().ply, 3);
        assert!(record.take_back(3));
        // Something else altogether.
        let mut record = known;
        record
            .set_up("4k3/8/8/8/8/8/8/4K2R w K - 0 3", rules)
            .unwrap();
        assert!(!record.take_back(1));
        assert_eq!(record.place().game.position().turn().0, 3);
        assert!(record.set_up("4k3/8/8/8/8/8/8/8 w - - 0 3", rules).is_err());
    }
}
