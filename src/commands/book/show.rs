//! `seriatim book show`: what a book knows of a position.

use std::io::Write;

use anyhow::Result;
use clap::Args;

use super::{
    super::UsageError,
    BookFile,
    report::{table, worth_text},
};
use crate::{
    book::{Found, Outlook, switches_text},
    notation::{format_fen, format_movetext, format_series, parse_fen, parse_movetext},
    rules::{RuleSet, SeriesPosition},
};

/// Show what a book knows of a position
///
/// Without a position that of the start.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  seriatim book show
  seriatim book show --moves '1.e4'
  seriatim book show italian.book --moves '1.e4 2.d5 e6'
  seriatim book show italian.book --fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2'")]
pub struct ShowArgs {
    #[command(flatten)]
    book: BookFile,
    /// The position, as series FEN
    #[arg(long)]
    fen: Option<String>,
    /// Moves from there, as movetext, or from the start
    #[arg(long, value_name = "MOVETEXT")]
    moves: Option<String>,
}

/// Writes what is known.
pub(super) fn run(args: &ShowArgs, out: &mut dyn Write) -> Result<()> {
    let book = args.book.read()?;
    let rules = *book.rules();
    let start = match &args.fen {
        Some(fen) => parse_fen(rules, fen).map_err(UsageError::new)?,
        None => SeriesPosition::start(rules),
    };
    let series = match &args.moves {
        Some(text) => parse_movetext(&start, text).map_err(UsageError::new)?,
        None => Vec::new(),
    };
    let position = series.iter().flatten().fold(start, |at, &m| at.after(m));
    if args.fen.is_none() && series.is_empty() {
        writeln!(out, "Rules: {}", rules_text(&rules))?;
        writeln!(out, "Made by: {}", book.note())?;
        writeln!(out, "Positions: {}", book.len())?;
    }
    writeln!(out, "Fen: {}", format_fen(&position))?;
    match book.probe(&position).map_err(UsageError::new)? {
        None => writeln!(out, "Not in the book.")?,
        Some(found) => write_found(out, &position, &found)?,
    }
    let line = book.line(&position, 6).concat();
    if !line.is_empty() {
        writeln!(out, "Best play: {}", format_movetext(&position, &line))?;
    }
    Ok(())
}

/// The preset, or every switch.
fn rules_text(rules: &RuleSet) -> String {
    match rules.preset() {
        Some(preset) => preset.to_string(),
        None => switches_text(rules),
    }
}

fn write_found(out: &mut dyn Write, position: &SeriesPosition, found: &Found) -> Result<()> {
    match found.outlook {
        Outlook::Open => {}
        Outlook::Won(series) => {
            writeln!(out, "Proven: {} wins in {series} series", position.side())?;
        }
        Outlook::Lost(series) => writeln!(
            out,
            "Proven: {} loses in {series} series of the opponent",
            position.side()
        )?,
    }
    let sum: u32 = found
        .choices
        .iter()
        .map(|choice| u32::from(choice.weight))
        .sum();
    let mut list = table(&["series", "worth", "played", "games", "score"]);
    for choice in &found.choices {
        let share = f64::from(choice.weight) * 100.0 / f64::from(sum.max(1));
        let score = if choice.games == 0 {
            "-".to_owned()
        } else {
            let points = f64::from(choice.half_points) * 50.0 / f64::from(choice.games);
            format!("{points:.0} %")
        };
        list.add_row([
            format_series(position, &choice.series),
            worth_text(choice.worth),
            format!("{share:.0} %"),
            choice.games.to_string(),
            score,
        ]);
    }
    writeln!(out, "{list}")?;
    Ok(())
}
