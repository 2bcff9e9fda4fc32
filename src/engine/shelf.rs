//! The opening book that the engine plays from, if it is to.

use std::{fmt::Write, time::Duration};

use super::{place::Place, settings::EngineSettings};
use crate::{
    book::{Book, Choice, Found, Source, SourceError, Worth},
    notation::format_series,
    rules::Move,
    search::{Answer, Report, Score},
};

/// How many series of expected play the book tells.
const LINE_MAX: usize = 4;

/// A book that has been read, or why it could not be.
#[derive(Debug)]
pub struct BookRead {
    /// Where it comes from.
    pub source: Source,
    /// The book.
    pub book: Result<Book, SourceError>,
}

impl BookRead {
    /// Reads the book of `source`.
    pub(super) fn from(source: Source) -> BookRead {
        let book = source.read();
        BookRead { source, book }
    }
}

/// What the book says to a position: a series to play, and words about it.
#[derive(Debug)]
pub(super) struct Advice {
    pub(super) answer: Answer,
    pub(super) note: String,
}

/// The book that was read last.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    book: Option<(Source, Book)>,
}

impl Shelf {
    /// Takes a book, in place of the one before.
    ///
    /// # Errors
    /// In words, where there is none; the engine goes on without.
    pub(super) fn take(&mut self, read: BookRead) -> Result<String, String> {
        self.book = None;
        let book = read.book.map_err(|error| error.to_string())?;
        let rules = match book.rules().preset() {
            Some(preset) => preset.to_string(),
            None => "rules with switches of their own".to_owned(),
        };
        let note = format!("book {}: {} positions, {rules}", read.source, book.len());
        self.book = Some((read.source, book));
        Ok(note)
    }

    /// The series to play at `place`, if the book has one that begins with one of `first_moves`
    /// (empty is any).
    ///
    /// # Errors
    /// In words, where the book has something that cannot be played.
    pub(super) fn advice(
        &self,
        place: &Place,
        first_moves: &[Move],
        settings: &EngineSettings,
    ) -> Result<Option<Advice>, String> {
        let Some((source, book)) = self.book.as_ref().filter(|_| settings.plays_from_book()) else {
            return Ok(None);
        };
        let position = place.game.position();
        let found = book
            .probe(position)
            .map_err(|error| format!("book {source}: {error}; going on without it here"))?;
        let Some(found) = found else { return Ok(None) };
        let Some(choice) = found
            .choose(position, settings.book_seed())
            .filter(|choice| first_moves.is_empty() || first_moves.contains(&choice.series[0]))
        else {
            return Ok(None);
        };
        let end = choice.series.iter().fold(*position, |at, &m| at.after(m));
        let mut pv = vec![choice.series.clone()];
        pv.extend(book.line(&end, LINE_MAX - 1));
        let report = Report {
            depth: pv.len() as u32,
            line: 0,
            candidates: 0,
            verified: 0,
            refuted: 0,
            score: score(choice.worth),
            nodes: 0,
            elapsed: Duration::ZERO,
            hashfull: 0,
            pv,
        };
        Ok(Some(Advice {
            answer: Answer {
                lines: vec![report],
            },
            note: format!("book {source}: {}", words(&found, choice)),
        }))
    }

    /// What the book has for `place`, a line for each series.
    pub(super) fn lines(&self, place: &Place) -> Vec<String> {
        let Some((source, book)) = &self.book else {
            return vec!["no book: every series is searched".to_owned()];
        };
        let position = place.game.position();
        match book.probe(position) {
            Err(error) => vec![format!("book {source}: {error}")],
            Ok(None) => vec![format!("book {source}: this position is not in it")],
            Ok(Some(found)) => found
                .choices
                .iter()
                .map(|choice| {
                    let series = format_series(position, &choice.series);
                    format!("{series}: {}", words(&found, choice))
                })
                .collect(),
        }
    }
}

fn score(worth: Worth) -> Score {
    match worth {
        Worth::Believed(score) | Worth::Safe(score) => Score::Centipawns(i32::from(score)),
        Worth::Win(series) => Score::Mate(i32::from(series)),
        Worth::Loss(series) => Score::Mate(-i32::from(series)),
    }
}

/// What is known of a choice, and how often it is made.
fn words(found: &Found, choice: &Choice) -> String {
    let proven = match choice.worth {
        Worth::Believed(_) => "believed".to_owned(),
        Worth::Safe(_) => "proven safe from a mate in the answer".to_owned(),
        Worth::Win(series) => format!("proven to win in {series} series"),
        Worth::Loss(series) => format!("proven to lose in {series} series"),
    };
    let sum: u32 = found
        .choices
        .iter()
        .map(|choice| u32::from(choice.weight))
        .sum();
    let share = u32::from(choice.weight) * 100 / sum.max(1);
    let mut text = format!(
        "{proven}, chosen {share} % of the time among {}",
        found.choices.len()
    );
    if choice.games > 0 {
        let points = u32::from(choice.half_points) * 50 / u32::from(choice.games);
        // Writing to a String cannot fail.
        let _ = write!(text, ", {points} % in {} games", choice.games);
    }
    text
}
