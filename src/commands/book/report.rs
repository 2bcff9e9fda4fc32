//! What a build tells when it is done: what is proven, and apart from it what is only believed.

use std::io::{self, Write};

use comfy_table::{CellAlignment, Table, presets};

use super::backup::Place;
use crate::{
    book::{Book, Known, Outlook, Worth, book_key},
    notation::{format_movetext, format_series},
    rules::SeriesPosition,
};

/// How many forced wins are listed.
const WINS_MAX: usize = 40;

/// How many series and positions of each kind there are.
#[derive(Clone, Copy, Default)]
struct Counts {
    positions: usize,
    won: usize,
    lost: usize,
    series: usize,
    wins: usize,
    losses: usize,
    safe: usize,
    believed: usize,
}

impl Counts {
    fn add(&mut self, known: &Known) {
        self.positions += 1;
        self.won += usize::from(matches!(known.outlook, Outlook::Won(_)));
        self.lost += usize::from(matches!(known.outlook, Outlook::Lost(_)));
        for entry in &known.entries {
            self.series += 1;
            match entry.worth {
                Worth::Win(_) => self.wins += 1,
                Worth::Loss(_) => self.losses += 1,
                Worth::Safe(_) => self.safe += 1,
                Worth::Believed(_) => self.believed += 1,
            }
        }
    }

    fn row(&self, name: &str) -> Vec<String> {
        let mut row = vec![name.to_owned()];
        row.extend(
            [
                self.positions,
                self.won,
                self.lost,
                self.series,
                self.wins,
                self.losses,
                self.safe,
                self.believed,
            ]
            .map(|count| count.to_string()),
        );
        row
    }
}

/// A table with numbers to the right.
pub(super) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_BORDERS_ONLY_CONDENSED);
    table.set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Writes everything.
pub(super) fn write(
    out: &mut dyn Write,
    book: &Book,
    start: &SeriesPosition,
    turns: &[Vec<Place>],
) -> io::Result<()> {
    let known = |position: &SeriesPosition| {
        let key = book_key(position);
        book.positions()
            .find(|&(other, _)| other == key)
            .map(|(_, known)| known)
    };
    let mut list = table(&[
        "turn",
        "positions",
        "won",
        "lost",
        "series",
        "win",
        "lose",
        "safe",
        "believed",
    ]);
    let mut sum = Counts::default();
    for (index, places) in turns.iter().enumerate() {
        let mut counts = Counts::default();
        for place in places {
            if let Some(known) = known(&place.position) {
                counts.add(known);
                sum.add(known);
            }
        }
        list.add_row(counts.row(&(index + 1).to_string()));
    }
    list.add_row(sum.row("all"));
    writeln!(out, "{list}")?;
    writeln!(
        out,
        "won, lost, win, lose: proven. safe: the opponent is proven to have no mate in his next\n\
         series; the score is believed. believed: neither."
    )?;
    proven(out, start, turns, &known)?;
    believed(out, book, start)
}

/// The proofs: second series that lose at once, and wins that take more than one series.
fn proven<'k>(
    out: &mut dyn Write,
    start: &SeriesPosition,
    turns: &[Vec<Place>],
    known: &impl Fn(&SeriesPosition) -> Option<&'k Known>,
) -> io::Result<()> {
    writeln!(out, "\nProven")?;
    let mut answers = table(&["after", "ends", "mated in the next series", "safe", "open"]);
    let mut has_answers = false;
    for place in turns.get(1).into_iter().flatten() {
        if let Some([ends, refuted, unknown]) = place.finding.ends {
            has_answers = true;
            let safe = ends - refuted - unknown;
            let mut row = vec![format_movetext(start, &place.path)];
            row.extend([ends, refuted, safe, unknown].map(|count| count.to_string()));
            answers.add_row(row);
        }
    }
    if has_answers {
        writeln!(out, "{answers}")?;
    }
    let mut wins = Vec::new();
    for place in turns.iter().flatten() {
        let Some(known) = known(&place.position) else {
            continue;
        };
        let text = match known.outlook {
            Outlook::Won(series) if series > 1 => format!("wins in {series} series"),
            Outlook::Lost(series) => format!("loses, in {series} series of the opponent"),
            _ => continue,
        };
        let path = format_movetext(start, &place.path);
        wins.push(format!("{path}: {} {text}", place.position.side()));
    }
    if wins.is_empty() {
        writeln!(out, "No win that takes more than one series is proven.")?;
    }
    for win in wins.iter().take(WINS_MAX) {
        writeln!(out, "{win}")?;
    }
    if wins.len() > WINS_MAX {
        writeln!(out, "and {} more", wins.len() - WINS_MAX)?;
    }
    Ok(())
}

/// The series that the book plays at first, and what it expects.
fn believed(out: &mut dyn Write, book: &Book, start: &SeriesPosition) -> io::Result<()> {
    writeln!(out, "\nBelieved")?;
    let Ok(Some(found)) = book.probe(start) else {
        return Ok(());
    };
    for choice in found.choices.iter().take(5) {
        let end = choice.series.iter().fold(*start, |at, &m| at.after(m));
        let mut moves = choice.series.clone();
        moves.extend(book.line(&end, 5).into_iter().flatten());
        writeln!(
            out,
            "{} {}: {}",
            format_series(start, &choice.series),
            worth_text(choice.worth),
            format_movetext(start, &moves)
        )?;
    }
    Ok(())
}

/// What a series is worth, in words that tell what is proven.
pub(super) fn worth_text(worth: Worth) -> String {
    let pawns = |score: i16| format!("{:+.2}", f64::from(score) / 100.0);
    match worth {
        Worth::Believed(score) => format!("{} believed", pawns(score)),
        Worth::Safe(score) => format!("{} safe", pawns(score)),
        Worth::Win(series) => format!("wins in {series} (proven)"),
        Worth::Loss(series) => format!("loses in {series} (proven)"),
    }
}
