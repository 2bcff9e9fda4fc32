//! A position of a series game as a viewer of alternating chess sees it.

use std::fmt::Write;

use crate::{
    notation::{
        format_fen,
        pgn::View,
        san::{check_mark, san_among},
    },
    rules::{
        Bitboard, Color, File, Move, MoveKind, MoveList, Rank, RuleSet, SeriesPosition, Setup,
        Square,
    },
};

/// The highest move number that a set-up starts with; beyond it nobody counts.
const NUMBER_MAX: u64 = 60_000;

/// The real position beside the viewer's idea of it.
#[derive(Clone, Copy)]
pub(super) struct ViewedPosition {
    pub(super) position: SeriesPosition,
    pub(super) view: View,
    /// The one square on which the viewer would allow an en passant capture.
    en_passant: Option<Square>,
}

impl ViewedPosition {
    /// The first position of a game that goes on with `next`.
    pub(super) fn first(position: &SeriesPosition, next: Option<Move>) -> ViewedPosition {
        let squares = position.en_passant_squares();
        let asked = next
            .filter(|m| m.kind() == MoveKind::EnPassant)
            .map(Move::to);
        let only = (squares.count() == 1).then(|| squares.first()).flatten();
        ViewedPosition {
            position: *position,
            view: View {
                side: position.side(),
                number: first_number(position),
            },
            en_passant: asked.or(only).filter(|&square| squares.contains(square)),
        }
    }

    /// The same position as a viewer starts with it: without any en passant right.
    pub(super) fn as_setup(mut self) -> ViewedPosition {
        self.en_passant = None;
        self
    }

    /// Whether the viewer believes it is the other side's turn.
    pub(super) fn is_waiting(&self) -> bool {
        self.view.side != self.position.side()
    }

    /// Lets the side that waits make its null move.
    pub(super) fn wait(&mut self) {
        if self.is_waiting() {
            self.view = self.view.next();
            self.en_passant = None;
        }
    }

    /// Whether the viewer allows `m`, which is legal in the series game.
    pub(super) fn can_show(&self, m: Move) -> bool {
        m.kind() != MoveKind::EnPassant || self.en_passant == Some(m.to())
    }

    /// Plays a move.
    pub(super) fn play(&mut self, m: Move) {
        self.en_passant = (m.kind() == MoveKind::DoubleStep).then(|| {
            let rank = u32::midpoint(m.from().rank() as u32, m.to().rank() as u32);
            Square::from_coords(m.from().file(), Rank::new(rank))
        });
        self.position.play(m);
        self.view = self.view.next();
    }

    /// The move as the viewer needs it: clear among the moves of ordinary chess, which are more
    /// than those of the series game.
    pub(super) fn san(&self, m: Move) -> String {
        let mut text = san_among(&self.position, m, &self.ordinary_moves());
        text.extend(check_mark(&self.position, m));
        text
    }

    fn ordinary_moves(&self) -> MoveList {
        let setup = self.setup();
        match SeriesPosition::from_setup(RuleSet::ORDINARY, &setup) {
            Ok(ordinary) => ordinary.legal_moves(),
            // A set-up that ordinary chess does not know; then the real moves have to do.
            Err(_) => self.position.legal_moves(),
        }
    }

    /// What the viewer has on its board.
    fn setup(&self) -> Setup {
        let real = self.position.to_setup();
        Setup {
            men: real.men,
            side: self.view.side,
            castling_rooks: real.castling_rooks,
            en_passant: self
                .en_passant
                .map_or(Bitboard::EMPTY, Bitboard::from_square),
            ..Setup::default()
        }
    }

    /// The viewer's position as an orthodox FEN.
    pub(super) fn orthodox_fen(&self) -> String {
        let series_fen = format_fen(&self.position);
        let mut fields = series_fen.split(' ');
        let placement = fields.next().unwrap_or_default();
        let castling = fields.nth(1).unwrap_or_default();
        let side = self.view.side.fold_wb('w', 'b');
        let mut fen = format!("{placement} {side} {castling} ");
        // Writing to a String cannot fail.
        let _ = match self.en_passant {
            Some(square) => write!(fen, "{square} 0 {}", self.view.number),
            None => write!(fen, "- 0 {}", self.view.number),
        };
        fen
    }

    /// Whether castling rights are such as only Chess960 has.
    pub(super) fn needs_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let rooks = self.position.castling_rooks(color);
            let king = self.position.men().king(color);
            let orthodox = rooks
                .into_iter()
                .all(|rook| matches!(rook.file(), File::A | File::H));
            rooks.any() && !(orthodox && king.is_some_and(|king| king.file() == File::E))
        })
    }
}

/// The move number of alternating chess at which the position stands if every turn before it
/// was played out.
fn first_number(position: &SeriesPosition) -> u32 {
    let turn = position.turn();
    // Between two moves of a series the other side waits.
    let mut plies = 2 * u64::from(position.moves_played());
    for number in 1..turn.0 {
        let length = u64::from(position.series_length(crate::rules::TurnNumber(number)));
        plies += 2 * length - 1;
        if plies > 2 * NUMBER_MAX {
            break;
        }
    }
    (plies / 2 + 1).min(NUMBER_MAX) as u32
}
