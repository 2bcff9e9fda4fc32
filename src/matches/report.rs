//! What is said at the end of a match: text, JSON, CSV, a picture, and the games as PGN. All of
//! it derives from the journal.

mod text;

use std::path::Path;

use anyhow::{Context, Result};

use super::{
    config::MatchConfig,
    journal::read_journal,
    pgn,
    run::{JOURNAL_NAME, MatchOutcome},
    standings::Standings,
};

pub use text::{final_text, result_lines};

/// Writes all reports into the match's directory.
///
/// # Errors
/// If a file cannot be written, or the journal not be read.
pub fn write_all(
    config: &MatchConfig,
    standings: &Standings,
    outcome: &MatchOutcome,
    directory: &Path,
) -> Result<()> {
    write_file(
        directory,
        "report.txt",
        &final_text(config, standings, outcome),
    )?;
    write_games(config, directory)
}

/// Writes the games in the order of their numbers, whatever order they were finished in.
fn write_games(config: &MatchConfig, directory: &Path) -> Result<()> {
    let mut records = Vec::new();
    read_journal(&directory.join(JOURNAL_NAME), |record| records.push(record))?;
    records.sort_by_key(|record| record.game);
    let text = records
        .iter()
        .map(|record| pgn::game_text(config, record))
        .collect::<Result<String>>()?;
    write_file(directory, "games.pgn", &text)
}

/// Writes a file so that it is never seen half written.
fn write_file(directory: &Path, name: &str, text: &str) -> Result<()> {
    let (path, partial) = (
        directory.join(name),
        directory.join(format!(".{name}.partial")),
    );
    std::fs::write(&partial, text)
        .and_then(|()| std::fs::rename(&partial, &path))
        .with_context(|| format!("cannot write {}", path.display()))
}
