//! Where the game stands: a `position` command made into a game, in either way of taking turns.

use thiserror::Error;

use super::settings::Turns;
use crate::{
    notation::{
        AlternatingFen, FenError, MoveTextError, format_fen, is_pass, parse_fen, parse_uci_move,
    },
    protocol::{Origin, PositionRequest},
    rules::{
        Chess960Number, Chess960NumberError, Color, Game, MoveKind, Role, RuleSet, RuleSetError,
        SeriesPosition, Square,
    },
};

/// A position the engine can be asked about.
#[derive(Clone, Debug)]
pub struct Place {
    /// The game so far.
    pub game: Game,
    /// In alternating mode: whether the client has the waiting side to move, which can only pass.
    pub is_waiting: bool,
    /// In alternating mode: the client's ply, from 0.
    pub ply: u32,
    /// In alternating mode: plies without capture or pawn move, passes included.
    half_moves: u16,
    /// How the client takes turns here.
    pub turns: Turns,
}

/// Why a `position` command cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlaceError {
    /// The switches contradict each other.
    #[error("the rules set by the options have no meaning: {0}")]
    Rules(#[from] RuleSetError),
    /// No such array.
    #[error(transparent)]
    Array(#[from] Chess960NumberError),
    /// A bad FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A bad move.
    #[error("move number {number} of the list: {error}")]
    Move {
        /// Its place in the list, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveTextError,
    },
    /// A move where the game is over.
    #[error(
        "move number {number} of the list: '{text}' comes after the end of the game ({ending})"
    )]
    Over {
        /// Its place in the list, from 1.
        number: usize,
        /// The move.
        text: String,
        /// How the game ended.
        ending: &'static str,
    },
    /// A move where the waiting side has to pass.
    #[error(
        "move number {number} of the list: '{text}' in the middle of {mover}'s series (expected a pass of the other side: 0000, @@@@, --, Z0, pass, null or its king's square twice)"
    )]
    NoPass {
        /// Its place in the list, from 1.
        number: usize,
        /// The text.
        text: String,
        /// Whose series it is.
        mover: Color,
    },
    /// A pass where a move has to be made.
    #[error("move number {number} of the list: '{text}' passes (expected a move of {mover})")]
    Pass {
        /// Its place in the list, from 1.
        number: usize,
        /// The text.
        text: String,
        /// Whose series it is.
        mover: Color,
    },
}

fn at_most(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Place {
    /// The start of a game.
    pub(super) fn at(position: SeriesPosition, turns: Turns) -> Place {
        Place {
            game: Game::new(position),
            is_waiting: false,
            ply: 0,
            half_moves: 0,
            turns,
        }
    }

    /// Carries out a `position` command. In alternating mode `before` is the place known so far:
    /// where the new one continues it, it keeps what a FEN does not tell.
    ///
    /// # Errors
    /// [`PlaceError`] names the field or move and the reason.
    pub fn find(
        request: &PositionRequest,
        rules: RuleSet,
        turns: Turns,
        before: Option<&Place>,
    ) -> Result<Place, PlaceError> {
        rules.validate()?;
        let mut place = match &request.origin {
            Origin::Start => Place::at(SeriesPosition::start(rules), turns),
            Origin::Start960(number) => {
                Place::at(Chess960Number::try_from(*number)?.start(rules), turns)
            }
            Origin::Fen(fen) if turns == Turns::Series => Place::at(parse_fen(rules, fen)?, turns),
            Origin::Fen(fen) => Place::at_alternating(&AlternatingFen::parse(fen)?, rules, before)?,
        };
        for (index, text) in request.moves.iter().enumerate() {
            place.advance(index + 1, text)?;
        }
        Ok(place)
    }

    /// The place an alternating client's FEN means: the game known so far if it leads there, else
    /// what the counters say.
    fn at_alternating(
        fen: &AlternatingFen,
        rules: RuleSet,
        before: Option<&Place>,
    ) -> Result<Place, PlaceError> {
        let known = before.filter(|before| {
            before.turns == Turns::Alternating && *before.game.position().rules() == rules
        });
        if let Some(place) = known.and_then(|known| known.continued(fen)) {
            return Ok(place);
        }
        let read = fen.position(rules)?;
        Ok(Place {
            game: Game::new(read.position),
            is_waiting: read.is_waiting,
            ply: fen.ply,
            half_moves: fen.half_move_clock,
            turns: Turns::Alternating,
        })
    }

    fn advance(&mut self, number: usize, text: &str) -> Result<(), PlaceError> {
        let position = *self.game.position();
        if let Some(outcome) = position.board_outcome() {
            return Err(PlaceError::Over {
                number,
                text: at_most(text),
                ending: outcome.ending.as_str(),
            });
        }
        let mover = position.side();
        if self.turns == Turns::Alternating {
            let passes = is_pass(text);
            if self.is_waiting && !passes {
                return Err(PlaceError::NoPass {
                    number,
                    text: at_most(text),
                    mover,
                });
            }
            if passes && !self.is_waiting {
                return Err(PlaceError::Pass {
                    number,
                    text: at_most(text),
                    mover,
                });
            }
            if passes {
                self.pass();
                return Ok(());
            }
        }
        let m =
            parse_uci_move(&position, text).map_err(|error| PlaceError::Move { number, error })?;
        self.play(m);
        Ok(())
    }

    /// The waiting side passes.
    pub fn pass(&mut self) {
        self.is_waiting = false;
        self.ply += 1;
        self.half_moves = self.half_moves.saturating_add(1);
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: crate::rules::Move) {
        let men = self.game.position().men().occupied().count();
        // The caller knows it to be legal; an illegal one is not played.
        if self.game.play(m).is_ok() {
            self.ply += 1;
            let is_quiet =
                m.role() != Role::Pawn && self.game.position().men().occupied().count() == men;
            self.half_moves = if is_quiet {
                self.half_moves.saturating_add(1)
            } else {
                0
            };
            self.is_waiting =
                self.turns == Turns::Alternating && !self.game.position().is_turn_start();
        }
    }

    /// The side to move in the eyes of an alternating client.
    pub fn client_side(&self) -> Color {
        let side = self.game.position().side();
        if self.is_waiting { !side } else { side }
    }

    /// This place's game carried on to `fen`, if at most two plies lead there.
    fn continued(&self, fen: &AlternatingFen) -> Option<Place> {
        let plies = fen.ply.checked_sub(self.ply).filter(|&plies| plies <= 2)?;
        self.reach(fen, plies)
    }

    fn reach(&self, fen: &AlternatingFen, plies: u32) -> Option<Place> {
        if plies == 0 {
            return self.looks_like(fen).then(|| self.clone());
        }
        if self.is_waiting {
            let mut next = self.clone();
            next.pass();
            return next.reach(fen, plies - 1);
        }
        let position = *self.game.position();
        if position.board_outcome().is_some() {
            return None;
        }
        position.legal_moves().into_iter().find_map(|m| {
            let mut next = self.clone();
            next.play(m);
            next.reach(fen, plies - 1)
        })
    }

    fn looks_like(&self, fen: &AlternatingFen) -> bool {
        let position = self.game.position();
        let castling =
            position.castling_rooks(Color::White) | position.castling_rooks(Color::Black);
        *position.men() == fen.setup.men
            && self.client_side() == fen.setup.side
            && (castling == fen.setup.castling_rooks || !position.rules().castling)
    }

    /// The place as series FEN.
    pub fn series_fen(&self) -> String {
        format_fen(self.game.position())
    }

    /// The place as a FEN that `position fen` reads here: a series FEN, or in alternating mode an
    /// orthodox one.
    pub fn fen(&self) -> String {
        let series_fen = self.series_fen();
        if self.turns == Turns::Series {
            return series_fen;
        }
        let mut fields = series_fen.split(' ');
        let (men, _, castling) = (fields.next(), fields.next(), fields.next());
        let passed = self.square_passed_last();
        format!(
            "{} {} {} {} {} {}",
            men.unwrap_or_default(),
            self.client_side().char(),
            castling.unwrap_or_default(),
            passed.map_or_else(|| "-".to_owned(), |square| square.to_string()),
            self.half_moves,
            self.ply / 2 + 1
        )
    }

    /// The square that a double step of the last ply passed over, as an orthodox FEN tells it.
    fn square_passed_last(&self) -> Option<Square> {
        let position = self.game.position();
        let squares = if self.is_waiting {
            position.passed_squares()
        } else if position.is_turn_start() {
            position.en_passant_squares()
        } else {
            return None;
        };
        match self.game.series().last().and_then(|series| series.last()) {
            Some(last) => squares.into_iter().find(|square| {
                last.kind() == MoveKind::DoubleStep && square.file() == last.to().file()
            }),
            // Nothing was played yet: the FEN of the start told one square at most.
            None => squares.into_iter().next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;

    fn request(text: &str) -> PositionRequest {
        match crate::protocol::parse_line(text) {
            Ok(Some(crate::protocol::Command::Position(request))) => request,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn find(text: &str, turns: Turns) -> Result<Place, PlaceError> {
        Place::find(&request(text), Preset::Italian.rules(), turns, None)
    }

    #[test]
    fn flat_lists_and_passes_lead_to_the_same_place() {
        let flat = find("position startpos moves e2e4 e7e5 g8f6 f1c4", Turns::Series).unwrap();
        for passes in ["0000", "@@@@", "--", "Z0", "pass", "null", "e1e1"] {
            let text = format!("position startpos moves e2e4 e7e5 {passes} g8f6 f1c4");
            let place = find(&text, Turns::Alternating).unwrap();
            assert_eq!(place.series_fen(), flat.fen());
            assert!(place.is_waiting);
            assert_eq!(place.ply, 5);
        }
    }

    #[test]
    fn the_fen_shown_is_read_back() {
        let rules = Preset::Italian.rules();
        let moves = "e2e4 e7e5 0000 d7d5 a2a4 0000 h2h4 0000 g1f3 d5e4 0000 g8f6";
        let count = moves.split(' ').count();
        for plies in 0..=count {
            let list: Vec<&str> = moves.split(' ').take(plies).collect();
            let text = format!("position startpos moves {}", list.join(" "));
            let place = find(text.trim_end_matches(" moves "), Turns::Alternating).unwrap();
            let fen = format!("position fen {}", place.fen());
            let known = Place::find(&request(&fen), rules, Turns::Alternating, Some(&place));
            let known = known.unwrap();
            assert_eq!(known.series_fen(), place.series_fen(), "{fen}");
            assert_eq!(known.fen(), place.fen());
            // Without the game before, it is what an orthodox FEN can tell.
            let alone = find(&fen, Turns::Alternating).unwrap();
            assert_eq!(alone.fen(), place.fen());
            assert_eq!(alone.is_waiting, place.is_waiting);
        }
    }

    #[test]
    fn bad_moves_are_named() {
        let error = |text, turns| find(text, turns).unwrap_err().to_string();
        let series = error("position startpos moves e2e4 e7e5 e2e3", Turns::Series);
        assert!(
            series.contains("number 3") && series.contains("e2e3"),
            "{series}"
        );
        let no_pass = error("position startpos moves e2e4 e7e5 g8f6", Turns::Alternating);
        assert!(no_pass.contains("expected a pass"), "{no_pass}");
        let pass = error("position startpos moves 0000", Turns::Alternating);
        assert!(pass.contains("expected a move"), "{pass}");
        let over = error(
            "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1 moves f7g7 h8h7",
            Turns::Series,
        );
        assert!(over.contains("checkmate"), "{over}");
    }

    #[test]
    fn a_fen_that_continues_the_game_keeps_its_en_passant_squares() {
        // White double-steps early in its series; the client's FEN shows only its last move.
        let before = find(
            "position startpos moves e2e4 e7e5 0000 d7d5 a2a4 0000 h2h4 0000",
            Turns::Alternating,
        )
        .unwrap();
        let after = "position fen rnbqkbnr/ppp2ppp/8/3pp3/P3P2P/5N2/1PPP1PP1/RNBQKB1R b KQkq - 1 5";
        let plain = find(after, Turns::Alternating).unwrap();
        assert!(plain.game.position().en_passant_squares().is_empty());
        let continued = Place::find(
            &request(after),
            Preset::Italian.rules(),
            Turns::Alternating,
            Some(&before),
        )
        .unwrap();
        assert_eq!(continued.game.position().en_passant_squares().count(), 2);
        assert_eq!(continued.game.position().turn().0, 4);
    }
}
