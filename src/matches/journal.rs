//! The journal: the one truth about a match. A line of settings, then one line for each finished
//! game, each written whole and never changed. Counters, PGN, reports and resumption derive from
//! it.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions, TryLockError},
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use super::{
    UsageError, config::MatchConfig, openings::Openings, record::GameRecord, schedule::GameNumber,
};

/// How long a new runner waits for a journal that somebody holds.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);

/// The version of the journal's form.
const JOURNAL_VERSION: u32 = 1;

/// The first line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct JournalHeader {
    /// The version of the journal's form.
    pub seriatim_match_journal: u32,
    /// The version of the program that began it.
    pub program: String,
    /// The whole configuration.
    pub config: MatchConfig,
    /// A digest of each variant's openings, so that a changed book is noticed.
    pub openings: Vec<String>,
}

impl JournalHeader {
    /// The header of a new match.
    pub fn new(config: &MatchConfig, openings: &[Openings]) -> JournalHeader {
        JournalHeader {
            seriatim_match_journal: JOURNAL_VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            config: config.clone(),
            openings: openings.iter().map(Openings::digest).collect(),
        }
    }

    /// Checks that the openings are still those the match was begun with.
    ///
    /// # Errors
    /// A [`UsageError`] if they aren't.
    pub fn check_openings(&self, openings: &[Openings]) -> Result<()> {
        let now: Vec<String> = openings.iter().map(Openings::digest).collect();
        if now != self.openings {
            return Err(UsageError(anyhow!(
                "the openings have changed since the match began, so the same games cannot be played; put the old book back, or begin a new match"
            ))
            .into());
        }
        Ok(())
    }
}

/// A journal open for writing. It is locked, so that no second runner can write to it.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Begins a journal. It appears under its name with its first line in it, so that whoever is
    /// killed or reads at that moment never leaves or meets a journal without one.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path, header: &JournalHeader) -> Result<Journal> {
        let problem = || format!("cannot begin the journal {}", path.display());
        let draft = path.with_extension("new");
        let mut journal = Journal {
            file: File::create(&draft).with_context(problem)?,
            path: path.to_owned(),
        };
        journal.lock()?;
        journal.write_line(header)?;
        // A link, unlike a renaming, refuses to replace a journal that is there.
        let linked = fs::hard_link(&draft, path).with_context(problem);
        fs::remove_file(&draft).with_context(problem)?;
        linked?;
        Ok(journal)
    }

    /// Opens a journal to go on, and hands every game in it to `take`. A last line that was cut
    /// off in the middle, by a crash of the machine or of the runner, is removed: that game will
    /// be played again.
    ///
    /// # Errors
    /// If the file cannot be read, is no journal, or is in use.
    pub fn reopen(path: &Path, take: impl FnMut(GameRecord)) -> Result<(Journal, JournalHeader)> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .with_context(|| format!("cannot open the journal {}", path.display()))
            .map_err(UsageError)?;
        let mut journal = Journal {
            file,
            path: path.to_owned(),
        };
        journal.lock()?;
        let (header, length) = read(&journal.file, path, take)?;
        journal
            .file
            .set_len(length)
            .with_context(|| journal.problem())?;
        journal
            .file
            .seek(SeekFrom::Start(length))
            .with_context(|| journal.problem())?;
        Ok((journal, header))
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, record: &GameRecord) -> Result<()> {
        self.write_line(record)
    }

    /// Has the system bring everything to the disk.
    ///
    /// # Errors
    /// If it cannot.
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().with_context(|| self.problem())
    }

    fn lock(&self) -> Result<()> {
        // Whoever writes reports holds a journal for a moment only.
        let until = Instant::now() + LOCK_PATIENCE;
        loop {
            match self.file.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::WouldBlock) if Instant::now() > until => {
                    return Err(UsageError(anyhow!(
                        "the journal {} is in use by another runner",
                        self.path.display()
                    ))
                    .into());
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PATIENCE / 50),
                Err(TryLockError::Error(error)) => {
                    return Err(error).with_context(|| self.problem());
                }
            }
        }
    }

    /// One line in one write, so that it is there whole or cut at its end.
    fn write_line(&mut self, value: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.file.write_all(&line).with_context(|| self.problem())
    }

    fn problem(&self) -> String {
        format!("the journal {}", self.path.display())
    }
}

/// Keeps runners away from a journal as long as the value lives; `None` if one is at work on it.
///
/// # Errors
/// If the file cannot be opened.
pub fn keep_runners_away(path: &Path) -> Result<Option<File>> {
    let file =
        File::open(path).with_context(|| format!("cannot open the journal {}", path.display()))?;
    Ok(file.try_lock_shared().is_ok().then_some(file))
}

/// Reads a journal without changing it.
///
/// # Errors
/// If the file cannot be read or is no journal.
pub fn read_journal(path: &Path, take: impl FnMut(GameRecord)) -> Result<JournalHeader> {
    let file = File::open(path)
        .with_context(|| format!("cannot open the journal {}", path.display()))
        .map_err(UsageError)?;
    Ok(read(&file, path, take)?.0)
}

/// Reads header and games, and returns the length up to the end of the last whole line.
fn read(
    file: &File,
    path: &Path,
    mut take: impl FnMut(GameRecord),
) -> Result<(JournalHeader, u64)> {
    let name = path.display();
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let mut length = 0;
    let mut header = None;
    let mut number = 0;
    loop {
        line.clear();
        reader
            .read_until(b'\n', &mut line)
            .with_context(|| format!("the journal {name}"))?;
        if line.last() != Some(&b'\n') {
            break;
        }
        number += 1;
        if header.is_some() {
            let record: GameRecord = serde_json::from_slice(&line)
                .with_context(|| format!("the journal {name}, line {number}"))?;
            take(record);
        } else {
            header = Some(read_header(&line, path)?);
        }
        length += line.len() as u64;
    }
    match header {
        Some(header) => Ok((header, length)),
        None => bail!(UsageError(anyhow!(
            "{name} is no match journal: it has no first line"
        ))),
    }
}

/// A journal that is read while a match writes it: each look takes in what has been added.
#[derive(Debug)]
pub struct JournalTail {
    path: PathBuf,
    /// Up to where whole lines have been taken in.
    place: u64,
    header: Option<JournalHeader>,
}

/// The most that one look takes in, so that a long journal comes in pieces.
const LOOK_MAX: u64 = 8 << 20;

impl JournalTail {
    /// A journal that has not been looked at yet; it need not exist.
    pub fn new(path: &Path) -> JournalTail {
        JournalTail {
            path: path.to_owned(),
            place: 0,
            header: None,
        }
    }

    /// The first line, once it has been read.
    pub fn header(&self) -> Option<&JournalHeader> {
        self.header.as_ref()
    }

    /// Hands the games that were finished since the last look to `take`, after the first line has
    /// been read. Returns whether there is more to take in at once.
    ///
    /// # Errors
    /// If the file cannot be read, is no journal, or has become shorter.
    pub fn look(&mut self, mut take: impl FnMut(&JournalHeader, GameRecord)) -> Result<bool> {
        let problem = || format!("the journal {}", self.path.display());
        let mut file = File::open(&self.path).with_context(problem)?;
        let length = file.metadata().with_context(problem)?.len();
        ensure!(
            length >= self.place,
            "the journal {} has become shorter",
            self.path.display()
        );
        file.seek(SeekFrom::Start(self.place))
            .with_context(problem)?;
        let mut bytes = Vec::new();
        file.take(LOOK_MAX)
            .read_to_end(&mut bytes)
            .with_context(problem)?;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            if line.last() != Some(&b'\n') {
                break;
            }
            self.place += line.len() as u64;
            match &self.header {
                Some(header) => take(header, serde_json::from_slice(line).with_context(problem)?),
                None => self.header = Some(read_header(line, &self.path)?),
            }
        }
        Ok(bytes.len() as u64 == LOOK_MAX)
    }
}

/// Reads the first line of a journal.
fn read_header(line: &[u8], path: &Path) -> Result<JournalHeader> {
    let name = path.display();
    let read: JournalHeader = serde_json::from_slice(line)
        .with_context(|| format!("{name} is no match journal"))
        .map_err(UsageError)?;
    ensure!(
        read.seriatim_match_journal == JOURNAL_VERSION,
        "{name} is a journal of form {}, this program reads form {JOURNAL_VERSION}",
        read.seriatim_match_journal
    );
    Ok(read)
}

/// A journal whose games can be read in any order, one at a time.
#[derive(Debug)]
pub struct JournalIndex {
    reader: BufReader<File>,
    path: PathBuf,
    /// Where each game's line begins.
    places: BTreeMap<GameNumber, u64>,
}

impl JournalIndex {
    /// Reads through a journal and notes where its games are.
    ///
    /// # Errors
    /// If the file cannot be read or is no journal.
    pub fn open(path: &Path) -> Result<JournalIndex> {
        /// What of a line has to be understood to find the game again.
        #[derive(Deserialize)]
        struct Number {
            game: GameNumber,
        }
        let problem = || format!("the journal {}", path.display());
        let file = File::open(path).with_context(problem)?;
        let mut reader = BufReader::new(file);
        let mut places = BTreeMap::new();
        let (mut line, mut place) = (Vec::new(), 0);
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).with_context(problem)?;
            if line.last() != Some(&b'\n') {
                break;
            }
            // The first line is the header.
            if place > 0 {
                let number: Number = serde_json::from_slice(&line).with_context(problem)?;
                places.insert(number.game, place);
            }
            place += length as u64;
        }
        Ok(JournalIndex {
            reader,
            path: path.to_owned(),
            places,
        })
    }

    /// The numbers of all games, in order.
    pub fn games(&self) -> Vec<GameNumber> {
        self.places.keys().copied().collect()
    }

    /// Reads one game.
    ///
    /// # Errors
    /// If it is not there or the file cannot be read.
    pub fn read(&mut self, game: GameNumber) -> Result<GameRecord> {
        let problem = || format!("game {} in the journal {}", game.0 + 1, self.path.display());
        let place = *self.places.get(&game).with_context(problem)?;
        self.reader
            .seek(SeekFrom::Start(place))
            .with_context(problem)?;
        let mut line = Vec::new();
        self.reader
            .read_until(b'\n', &mut line)
            .with_context(problem)?;
        serde_json::from_slice(&line).with_context(problem)
    }
}
