//! The `position` command, grown move by move: for series engines, and for engines that know only
//! alternating play.

use std::fmt::Write;

use crate::{
    notation::{CastlingText, format_fen, uci_text},
    rules::{Move, SeriesPosition},
};

/// `position startpos|fen ... moves ...` with one flat list over all series.
#[derive(Clone, Debug)]
pub struct SeriesText {
    text: String,
    castling: CastlingText,
    empty: bool,
}

impl SeriesText {
    /// The command for a start position.
    pub fn new(start: &SeriesPosition, castling: CastlingText) -> SeriesText {
        let text = if *start == SeriesPosition::start(*start.rules()) {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", format_fen(start))
        };
        SeriesText {
            text,
            castling,
            empty: true,
        }
    }

    /// Adds the moves of one series.
    pub fn add(&mut self, series: &[Move]) {
        for &m in series {
            self.add_text(&uci_text(m, self.castling));
        }
    }

    fn add_text(&mut self, text: &str) {
        if self.empty {
            self.text.push_str(" moves");
            self.empty = false;
        }
        self.text.push(' ');
        self.text.push_str(text);
    }

    /// The command as it stands.
    pub fn command(&self) -> &str {
        &self.text
    }
}

/// The same for alternating play: between the moves of a series stand null moves of the waiting
/// side, and a FEN has the ordinary meaning of its counters.
#[derive(Clone, Debug)]
pub struct AlternatingText {
    inner: SeriesText,
}

impl AlternatingText {
    /// The command for a start position.
    pub fn new(start: &SeriesPosition, castling: CastlingText) -> AlternatingText {
        let mut inner = SeriesText::new(start, castling);
        if inner.text != "position startpos" {
            inner.text = format!("position fen {}", ordinary_fen(start));
        }
        AlternatingText { inner }
    }

    /// Adds the moves of one whole series.
    pub fn add(&mut self, series: &[Move]) {
        for (index, m) in series.iter().enumerate() {
            if index > 0 {
                self.inner.add_text("0000");
            }
            self.inner.add(std::slice::from_ref(m));
        }
    }

    /// Adds a move after which the same side moves again: the other one passes.
    pub fn add_within_series(&mut self, m: Move) {
        self.inner.add(&[m]);
        self.inner.add_text("0000");
    }

    /// The command as it stands.
    pub fn command(&self) -> &str {
        self.inner.command()
    }
}

/// A FEN with the ordinary counters: turn *n* of a game with passes begins after as many plies as
/// its earlier turns have moves and passes. Of several en passant squares an ordinary FEN can
/// hold one, the last.
fn ordinary_fen(position: &SeriesPosition) -> String {
    let fen = format_fen(position);
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut plies = 2 * u32::from(position.moves_played());
    for turn in 1..position.turn().0 {
        plies += 2 * u32::from(position.series_length(crate::rules::TurnNumber(turn))) - 1;
    }
    let en_passant = position
        .en_passant_squares()
        .last()
        .map_or("-".to_owned(), |square| square.to_string());
    let mut text = fields[..3].join(" ");
    // Writing to a String cannot fail.
    let _ = write!(text, " {en_passant} 0 {}", plies / 2 + 1);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        notation::{parse_fen, parse_uci_move},
        rules::Preset,
    };

    #[test]
    fn both_texts_say_the_same_game() {
        let rules = Preset::Italian.rules();
        let mut position = SeriesPosition::start(rules);
        let mut series = SeriesText::new(&position, CastlingText::KingMove);
        let mut alternating = AlternatingText::new(&position, CastlingText::KingMove);
        assert_eq!(series.command(), "position startpos");
        for turn in ["e2e4", "e7e5 g8f6", "f1c4 d1h5 h5f7"] {
            let mut moves = Vec::new();
            for text in turn.split(' ') {
                let m = parse_uci_move(&position, text).unwrap();
                position.play(m);
                moves.push(m);
            }
            series.add(&moves);
            alternating.add(&moves);
        }
        assert_eq!(
            series.command(),
            "position startpos moves e2e4 e7e5 g8f6 f1c4 d1h5 h5f7"
        );
        assert_eq!(
            alternating.command(),
            "position startpos moves e2e4 e7e5 0000 g8f6 f1c4 0000 d1h5 0000 h5f7"
        );
    }

    #[test]
    fn turn_numbers_become_move_numbers() {
        let position = |fen| parse_fen(Preset::Italian.rules(), fen).unwrap();
        let fen = "4k3/8/8/8/1pP1Pp2/8/8/3K4 b - c3e3 2 4";
        // Turn 4 begins after 1 + 3 + 5 plies.
        assert_eq!(
            ordinary_fen(&position(fen)),
            "4k3/8/8/8/1pP1Pp2/8/8/3K4 b - e3 0 5"
        );
        let middle = "4k3/8/8/8/1pP1Pp2/8/8/3K4 b - - 2 4 left=2";
        assert_eq!(
            ordinary_fen(&position(middle)),
            "4k3/8/8/8/1pP1Pp2/8/8/3K4 b - - 0 7"
        );
    }
}
