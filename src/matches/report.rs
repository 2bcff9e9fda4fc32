//! What is said at the end of a match: text, JSON, CSV, a picture, and the games as PGN. All of
//! it derives from the journal.

mod csv;
mod picture;
mod ratings_picture;
mod summary;
mod text;

use std::{
    fs::{File, OpenOptions},
    io::{BufWriter, Write},
    path::Path,
};

use anyhow::{Context, Result};

use super::{
    config::MatchConfig,
    journal::JournalIndex,
    pgn,
    record::GameRecord,
    run::{JOURNAL_NAME, MatchOutcome},
    schedule::Schedule,
    standings::Standings,
};

pub use summary::{EngineSummary, PairingSummary, SprtSummary, Summary};
pub use text::{final_text, result_lines};

/// The name of the games as PGN in a match's directory.
const PGN_NAME: &str = "games.pgn";

/// Writes all reports but the games as PGN into the match's directory.
///
/// # Errors
/// If a file cannot be written, or the journal not be read.
pub fn write_all(
    config: &MatchConfig,
    standings: &Standings,
    outcome: &MatchOutcome,
    directory: &Path,
) -> Result<()> {
    let planned = Schedule::new(config).games();
    let summary = Summary::new(config, standings, planned, Some(outcome));
    let write = |name: &str, text: &str| {
        write_file(directory, name, |file| Ok(file.write_all(text.as_bytes())?))
    };
    write("report.txt", &final_text(&summary))?;
    write("report.json", &serde_json::to_string_pretty(&summary)?)?;
    write("pairings.csv", &csv::pairings(&summary))?;
    write("engines.csv", &csv::engines(&summary))?;
    if let Some(picture) = picture::progress(standings, &title(config)) {
        write("progress.svg", &picture)?;
    }
    if let Some(picture) = ratings_picture::ratings(&summary, &title(config)) {
        write("ratings.svg", &picture)?;
    }
    let mut journal = JournalIndex::open(&directory.join(JOURNAL_NAME))?;
    let games = journal.games();
    write_file(directory, "games.csv", |file| {
        file.write_all(csv::GAMES_HEADER.as_bytes())?;
        for &game in &games {
            file.write_all(csv::game(config, &journal.read(game)?).as_bytes())?;
        }
        Ok(())
    })
}

fn title(config: &MatchConfig) -> String {
    let names: Vec<&str> = config
        .engines
        .iter()
        .map(|engine| engine.name.as_str())
        .collect();
    match names.as_slice() {
        [first, second] => format!("{}: {first} against {second}", config.event),
        more => format!("{}: {} engines", config.event, more.len()),
    }
}

/// Writes the games of the journal as PGN in the order of their numbers, whatever order they were
/// finished in, with one game in memory at a time.
///
/// # Errors
/// If the file cannot be written, or the journal not be read.
pub fn write_pgn(config: &MatchConfig, directory: &Path) -> Result<()> {
    let mut journal = JournalIndex::open(&directory.join(JOURNAL_NAME))?;
    write_file(directory, PGN_NAME, |file| {
        for game in journal.games() {
            file.write_all(pgn::game_text(config, &journal.read(game)?)?.as_bytes())?;
        }
        Ok(())
    })
}

/// Adds a game that has just been finished to the PGN, so that games can be followed while a match
/// runs.
///
/// # Errors
/// If the file cannot be written.
pub fn append_pgn(config: &MatchConfig, record: &GameRecord, directory: &Path) -> Result<()> {
    let path = directory.join(PGN_NAME);
    let text = pgn::game_text(config, record)?;
    let mut options = OpenOptions::new();
    let outcome = options.create(true).append(true).open(&path);
    outcome
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file so that it is never seen half written.
fn write_file(
    directory: &Path,
    name: &str,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    let (path, partial) = (
        directory.join(name),
        directory.join(format!(".{name}.partial")),
    );
    let attempt = || -> Result<()> {
        let mut file = BufWriter::new(File::create(&partial)?);
        write(&mut file)?;
        file.flush()?;
        std::fs::rename(&partial, &path)?;
        Ok(())
    };
    attempt().with_context(|| format!("cannot write {}", path.display()))
}
