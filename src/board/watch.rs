//! Following a match: its journal is read while the runner writes it.

use std::{
    collections::VecDeque,
    fs::{self, File},
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::{
    ask::GameText,
    reply::TurnView,
    view::{read_start, replay, rules_text, turns},
};
use crate::{
    matches::{
        journal::JournalTail, record::GameRecord, report::Summary, run::JOURNAL_NAME,
        schedule::Schedule, standings::Standings,
    },
    notation::format_fen,
    rules::Move,
};

/// How many games are shown on boards, the latest ones.
const BOARDS: usize = 6;
/// The longest first line of a file of JSON lines.
const FIRST_LINE_MAX: u64 = 1 << 20;

/// Finds matches: what the user named, or else every directory in the working directory that
/// has a journal.
pub fn find(named: &[PathBuf]) -> Vec<PathBuf> {
    if !named.is_empty() {
        return named.to_vec();
    }
    let mut found: Vec<PathBuf> = fs::read_dir(".")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| PathBuf::from(entry.file_name()))
        .filter(|path| path.join(JOURNAL_NAME).is_file())
        .collect();
    found.sort();
    found.truncate(100);
    found
}

/// The journal of what the user named: a match's directory, the journal in it, or a file of JSON
/// lines as the runner writes them, whose first line tells the directory.
///
/// # Errors
/// If it is none of these (yet).
fn journal(path: &Path) -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Begin {
        directory: PathBuf,
    }
    if path.is_dir() {
        return Ok(path.join(JOURNAL_NAME));
    }
    let problem = || format!("{} is no match", path.display());
    let mut line = String::new();
    let file = File::open(path).with_context(problem)?;
    BufReader::new(file.take(FIRST_LINE_MAX))
        .read_line(&mut line)
        .with_context(problem)?;
    let Ok(begin) = serde_json::from_str::<Begin>(&line) else {
        return Ok(path.to_owned());
    };
    // The runner names the directory as seen from where it was started; that may be the place of
    // the file as well as ours.
    let beside = path
        .parent()
        .map(|parent| parent.join(&begin.directory))
        .filter(|beside| beside.is_dir());
    Ok(beside.unwrap_or(begin.directory).join(JOURNAL_NAME))
}

/// A match as it stands.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchView {
    /// Its place.
    pub name: String,
    /// Everything counted.
    pub summary: Summary,
    /// The course: games, Elo, its error, LLR.
    pub progress: Vec<(u64, f64, f64, Option<f64>)>,
    /// The latest games, the last one first.
    pub games: Vec<WatchedGame>,
}

/// A finished game.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WatchedGame {
    /// Its number, from 1.
    pub number: u64,
    /// The name of the player of the white men.
    pub white: String,
    /// The name of the player of the black men.
    pub black: String,
    /// The rules, as text.
    pub rules: String,
    /// Series FEN of its start.
    pub start: String,
    /// The turns.
    pub turns: Vec<TurnView>,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// Why, as a sentence.
    pub text: String,
}

/// A match that is followed.
pub struct Watcher {
    path: PathBuf,
    tail: Option<JournalTail>,
    standings: Option<Standings>,
    games: VecDeque<GameRecord>,
    shown: bool,
}

impl Watcher {
    /// Follows the match at `path`.
    pub fn new(path: &Path) -> Watcher {
        Watcher {
            path: path.to_owned(),
            tail: None,
            standings: None,
            games: VecDeque::new(),
            shown: false,
        }
    }

    /// The match as it stands now, if that has changed since the last look.
    ///
    /// # Errors
    /// If there is no match or it cannot be read.
    pub fn look(&mut self) -> Result<Option<MatchView>> {
        let tail = match &mut self.tail {
            Some(tail) => tail,
            empty => empty.insert(JournalTail::new(&journal(&self.path)?)),
        };
        let mut changed = !self.shown;
        loop {
            let (standings, games) = (&mut self.standings, &mut self.games);
            let mut foreign = false;
            let more = tail.look(|header, record| {
                let config = &header.config;
                if record.variant >= config.variants.len()
                    || record
                        .engines
                        .iter()
                        .any(|&engine| engine >= config.engines.len())
                {
                    foreign = true;
                    return;
                }
                standings
                    .get_or_insert_with(|| Standings::new(config))
                    .add(&record);
                games.push_front(record);
                games.truncate(BOARDS);
                changed = true;
            })?;
            anyhow::ensure!(
                !foreign,
                "{}: a game is of another match",
                self.path.display()
            );
            if !more {
                break;
            }
        }
        let Some(header) = tail.header().filter(|_| changed) else {
            return Ok(None);
        };
        self.shown = true;
        let config = &header.config;
        let standings = self.standings.get_or_insert_with(|| Standings::new(config));
        let planned = Schedule::new(config).games();
        let summary = Summary::new(config, standings, planned, None);
        let games = self
            .games
            .iter()
            .map(|record| {
                let names = record
                    .engines
                    .map(|engine| config.engines[engine].name.clone());
                let text = record.end.describe([&names[0], &names[1]]);
                let rules = config.variants[record.variant].rules;
                let fen = record.fen.as_deref().unwrap_or("startpos");
                let [white, black] = names;
                Ok(WatchedGame {
                    number: record.game.0 + 1,
                    white,
                    black,
                    rules: rules_text(&rules),
                    start: format_fen(&read_start(rules, fen)?),
                    turns: played_turns(&rules_text(&rules), fen, record)?,
                    result: record.end.result(),
                    text,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Some(MatchView {
            name: self.path.display().to_string(),
            summary,
            progress: standings
                .progress
                .iter()
                .map(|point| (point.games, point.elo, point.error, point.llr))
                .collect(),
            games,
        }))
    }
}

fn played_turns(rules: &str, start: &str, record: &GameRecord) -> Result<Vec<TurnView>> {
    let text = GameText {
        rules: rules.to_owned(),
        start: start.to_owned(),
        moves: record
            .turns
            .iter()
            .flat_map(|turn| turn.moves.split_ascii_whitespace())
            .map(str::to_owned)
            .collect(),
    };
    let game = replay(&text)?;
    let moves: Vec<Move> = game.series().iter().flatten().copied().collect();
    Ok(turns(game.start(), &moves))
}
