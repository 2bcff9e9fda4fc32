//! Where games begin: books of FEN or EPD lines, lines of moves, or PGN.
//!
//! Every opening is checked under the rules it will be played by when the book is read, so that a
//! wrong line is an error with its number before the match, not a lost game in it.

use std::{hash::Hasher, path::Path};

use anyhow::{Context, Result, anyhow, ensure};
use fnv::FnvHasher;

use super::{
    UsageError,
    config::{BookConfig, BookOrder, MatchConfig, Variant},
    random::Random,
};
use crate::{
    notation::{CastlingText, PgnReader, format_fen, parse_fen, parse_uci_move, uci_text},
    rules::{Chess960Number, Game, SeriesPosition, Status},
};

/// Where one pair of games begins: a position, and series played from it.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The first position.
    pub start: SeriesPosition,
    /// Complete series, as UCI text.
    pub series: Vec<Vec<String>>,
    /// Its number in the book, from 1; 0 without a book.
    pub number: u64,
}

/// The openings of one variant, in the order in which rounds take them.
#[derive(Clone, Debug)]
pub struct Openings {
    variant: Variant,
    seed: u64,
    /// Empty without a book.
    lines: Vec<Opening>,
    /// Where the first round takes its opening.
    first: u64,
}

impl Openings {
    /// Reads the books of a match, one for each variant.
    ///
    /// # Errors
    /// A [`UsageError`] with the file and the line.
    pub fn read_all(config: &MatchConfig) -> Result<Vec<Openings>> {
        config
            .variants
            .iter()
            .map(|variant| {
                let mut openings = Openings {
                    variant: variant.clone(),
                    seed: config.seed,
                    lines: Vec::new(),
                    first: 0,
                };
                if let Some(book) = &config.openings {
                    openings.read_book(book).map_err(UsageError)?;
                }
                Ok(openings)
            })
            .collect()
    }

    fn read_book(&mut self, book: &BookConfig) -> Result<()> {
        let file = self.variant.book.as_deref().unwrap_or(&book.file);
        let name = file.display();
        let bytes =
            std::fs::read(file).with_context(|| format!("cannot read the openings {name}"))?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        self.lines = read_lines(&self.variant, file, text, book.plies)
            .with_context(|| format!("openings {name}"))?;
        ensure!(!self.lines.is_empty(), "the openings {name} are empty");
        if book.order == BookOrder::Random {
            Random::new(&[self.seed, SHUFFLE]).shuffle(&mut self.lines);
        }
        self.first = (book.start - 1) % self.lines.len() as u64;
        Ok(())
    }

    /// The opening of a round, counted from 0; after the last line the book begins anew.
    pub fn of_round(&self, round: u64) -> Opening {
        if self.lines.is_empty() {
            let rules = self.variant.rules;
            let start = if self.variant.chess960 {
                let number = Random::new(&[self.seed, ARRAY, round]).below(960) as u32;
                Chess960Number::try_from(number)
                    .unwrap_or(Chess960Number::ORTHODOX)
                    .start(rules)
            } else {
                SeriesPosition::start(rules)
            };
            return Opening {
                start,
                series: Vec::new(),
                number: 0,
            };
        }
        let count = self.lines.len() as u64;
        self.lines[((self.first + round % count) % count) as usize].clone()
    }

    /// A digest of all lines in their order (FNV-1a, 64 bits).
    pub fn digest(&self) -> String {
        let mut hasher = FnvHasher::default();
        for line in &self.lines {
            let text = format!("{} {:?}\n", format_fen(&line.start), line.series);
            hasher.write(text.as_bytes());
        }
        format!("{:016x}", hasher.finish())
    }

    /// How many lines the book has.
    pub fn count(&self) -> usize {
        self.lines.len()
    }
}

/// What random numbers are for, so that no two uses share a stream.
const SHUFFLE: u64 = 1;
const ARRAY: u64 = 2;

fn read_lines(
    variant: &Variant,
    file: &Path,
    text: &str,
    plies: Option<u32>,
) -> Result<Vec<Opening>> {
    let is_pgn = file
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
        || text.trim_start().starts_with('[');
    if is_pgn {
        return read_games(variant, file, text, plies);
    }
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut opening = read_line(variant, line, plies).with_context(|| {
            let shown: String = line.chars().take(80).collect();
            format!("line {}: '{shown}'", index + 1)
        })?;
        opening.number = openings.len() as u64 + 1;
        openings.push(opening);
    }
    Ok(openings)
}

/// Reads the games of a PGN, in series notation or with null moves, and plays them under the rules
/// of this match.
fn read_games(
    variant: &Variant,
    file: &Path,
    text: &str,
    plies: Option<u32>,
) -> Result<Vec<Opening>> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut openings = Vec::new();
    for game in PgnReader::new(name, text.as_bytes(), variant.rules) {
        let game = game?;
        let number = openings.len() as u64 + 1;
        let moves: Vec<String> = game
            .series()
            .iter()
            .flatten()
            .map(|&m| uci_text(m, CastlingText::KingTakesRook))
            .collect();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let start = game.start().with_rules(variant.rules)?;
        let mut opening = finish(start, &moves, plies).with_context(|| format!("game {number}"))?;
        opening.number = number;
        openings.push(opening);
    }
    Ok(openings)
}

/// Reads one line: a FEN of four to seven fields, perhaps followed by EPD operations or by
/// `moves` and moves; or moves only, from the start position.
fn read_line(variant: &Variant, line: &str, plies: Option<u32>) -> Result<Opening> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    if words[0].contains('/') {
        let fields = fen_fields(&words);
        let start = parse_fen(variant.rules, &words[..fields].join(" "))?;
        return match &words[fields..] {
            [] => finish(start, &[], plies),
            ["moves", moves @ ..] => finish(start, moves, plies),
            [operation, ..] if operation.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                ensure!(
                    line.trim_end().ends_with(';'),
                    "an EPD operation ends with ';', but '{operation}' and what follows doesn't"
                );
                finish(start, &[], plies)
            }
            [word, ..] => Err(anyhow!(
                "'{word}' is neither a FEN field nor an EPD operation"
            )),
        };
    }
    let moves = match words.as_slice() {
        ["startpos"] => &[],
        ["startpos", "moves", moves @ ..] | ["moves", moves @ ..] | moves => moves,
    };
    finish(SeriesPosition::start(variant.rules), moves, plies)
}

/// How many of the words belong to the FEN.
fn fen_fields(words: &[&str]) -> usize {
    let number = |index: usize| {
        words
            .get(index)
            .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if !number(4) || !number(5) {
        return words.len().min(4);
    }
    let state = words.get(6).is_some_and(|word| {
        word.split(';').all(|item| {
            let key = item.split('=').next().unwrap_or_default();
            matches!(
                key,
                "-" | "left" | "passed" | "progress" | "escape" | "counts" | "unmoved"
            )
        })
    });
    if state { 7 } else { 6 }
}

/// Plays the moves and keeps whole series of them, at most `plies`.
fn finish(start: SeriesPosition, moves: &[&str], plies: Option<u32>) -> Result<Opening> {
    let mut game = Game::new(start);
    let limit = plies.map_or(usize::MAX, |plies| plies as usize);
    for text in moves {
        if game.position().is_turn_start() && game.series().len() >= limit {
            break;
        }
        ensure!(
            game.status() == Status::Ongoing,
            "the game is over before move '{text}'"
        );
        let m = parse_uci_move(game.position(), text)?;
        game.play(m)?;
    }
    // A series that the line leaves unfinished is for the engines to play from its beginning.
    let whole = if game.position().is_turn_start() {
        game.series().len()
    } else {
        game.series().len().saturating_sub(1)
    };
    let series: Vec<Vec<String>> = game.series()[..whole]
        .iter()
        .map(|series| {
            series
                .iter()
                .map(|&m| uci_text(m, CastlingText::KingTakesRook))
                .collect()
        })
        .collect();
    let opening = Opening {
        start,
        series,
        number: 0,
    };
    let end = opening.play()?;
    ensure!(
        matches!(end.status(), Status::Ongoing | Status::QuietLimit),
        "the game is over in the opening's last position, {}",
        format_fen(end.position())
    );
    Ok(opening)
}

impl Opening {
    /// The game at the point where the engines take over.
    ///
    /// # Errors
    /// If a move is not allowed; a book that was read has none.
    pub fn play(&self) -> Result<Game> {
        let mut game = Game::new(self.start);
        for text in self.series.iter().flatten() {
            let m = parse_uci_move(game.position(), text)?;
            game.play(m)?;
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(variant: &str, text: &str, plies: Option<u32>) -> Result<Vec<Opening>> {
        read_lines(
            &variant.parse().unwrap(),
            Path::new("book.epd"),
            text,
            plies,
        )
    }

    #[test]
    fn fen_epd_and_moves_are_read() {
        let text = "\u{feff}# comment\r\n\r\n\
            4k3/8/8/8/1pP1Pp2/8/8/3K4 b - c3e3 2 4\r\n\
            4k3/8/8/8/1pP1Pp2/8/8/3K4 b - c3e3 bm b4c3; id \"x y\";\n\
            4k3/8/8/8/1pP1Pp2/8/8/3K4 w - - 3 7 left=5;passed=c3e3;progress\n\
            4k3/8/8/8/1pP1Pp2/8/8/3K4 w - - 0 1 moves d1d2\n\
            e2e4 e7e5 g8f6 b1c3\n\
            startpos\n";
        let book = book("italian", text.trim_start_matches('\u{feff}'), None).unwrap();
        assert_eq!(book.len(), 6);
        assert_eq!(book[0].start.en_passant_squares().count(), 2);
        assert_eq!((book[0].start.quiet(), book[0].start.turn().0), (2, 4));
        assert_eq!(book[1].start.en_passant_squares().count(), 2);
        assert_eq!(book[2].start.moves_left(), 5);
        assert_eq!(book[3].series.len(), 1);
        // The third turn is not complete, so it is not played.
        assert_eq!(book[4].series, [vec!["e2e4"], vec!["e7e5", "g8f6"]]);
        assert_eq!(book[5].number, 6);
    }

    #[test]
    fn pgn_is_read_in_both_notations() {
        let text = "[Event \"x\"]\n\n1.e4 {best} 2.e5 $1 Nf6 (2...d6) 3.Bc4 Qh5 Qxf7# 1-0\n\n\
            [SetUp \"1\"]\n[FEN \"4k3/8/8/8/1pP1Pp2/8/8/3K4 b - c3e3 2 4\"]\n\n*\n";
        let variant = "italian".parse().unwrap();
        let book = read_lines(&variant, Path::new("book.pgn"), text, Some(2)).unwrap();
        assert_eq!(book[0].series, [vec!["e2e4"], vec!["e7e5", "g8f6"]]);
        assert_eq!((book[1].start.turn().0, book[1].number), (4, 2));
        // The whole first game ends in mate: no opening.
        assert!(read_lines(&variant, Path::new("book.pgn"), text, None).is_err());
    }

    #[test]
    fn plies_are_series() {
        let book = book("italian", "e2e4 e7e5 g8f6 b1c3 f1c4 g1f3", Some(2)).unwrap();
        assert_eq!(book[0].series.len(), 2);
        assert_eq!(book[0].play().unwrap().position().turn().0, 3);
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, needle) in [
            ("startpos\n\ne2e4 e7e6 e6e3", "line 3"),
            ("4k3/8/8/8/8/8/8/3K4 b - c3 0 4", "c3"),
            ("4k3/8/8/8/8/8/8/3K4 b - - 0 x", "neither"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "over"),
            ("hello world", "hello"),
        ] {
            let error = format!("{:#}", book("italian", text, None).unwrap_err());
            assert!(error.contains(needle), "{text}: {error}");
        }
    }

    #[test]
    fn rounds_wrap_round_in_any_order() {
        let lines = "a2a3\nb2b3\nc2c3\nd2d3\ne2e3";
        let mut openings = Openings {
            variant: "italian".parse().unwrap(),
            seed: 1,
            lines: book("italian", lines, None).unwrap(),
            first: 6 % 5,
        };
        let numbers = |openings: &Openings| -> Vec<u64> {
            (0..7)
                .map(|round| openings.of_round(round).number)
                .collect()
        };
        assert_eq!(numbers(&openings), [2, 3, 4, 5, 1, 2, 3]);
        Random::new(&[1, SHUFFLE]).shuffle(&mut openings.lines);
        let mut shuffled = numbers(&openings)[..5].to_vec();
        shuffled.sort_unstable();
        assert_eq!(shuffled, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn random_arrays_repeat_with_the_seed() {
        let openings = |seed| Openings {
            variant: "italian chess960".parse().unwrap(),
            seed,
            lines: Vec::new(),
            first: 0,
        };
        let array = |seed, round| format_fen(&openings(seed).of_round(round).start);
        assert_eq!(array(1, 3), array(1, 3));
        assert_ne!(array(1, 3), array(1, 4));
        assert_ne!(array(1, 3), array(2, 3));
    }
}
