//! What has been found out so far, in a file beside the book: each finding is a line written at
//! once, so that a build that is interrupted goes on where it was.

use std::{
    collections::HashMap,
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::{super::UsageError, evaluate::Finding};

/// A line of the file, after the first one.
#[derive(Serialize, Deserialize)]
struct Entry {
    key: u64,
    finding: Finding,
}

/// The file and what it holds.
pub(super) struct Work {
    path: PathBuf,
    file: Mutex<File>,
    known: HashMap<u64, Finding>,
}

impl Work {
    /// Opens the file of a build with these `settings`, or begins it.
    pub(super) fn open(path: PathBuf, settings: &str) -> Result<Work> {
        let cannot = |what: &str| format!("{} cannot be {what}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .with_context(|| cannot("opened"))?;
        let mut known = HashMap::new();
        let mut reader = BufReader::new(&file);
        let mut line = String::new();
        let mut end = 0;
        reader
            .read_line(&mut line)
            .with_context(|| cannot("read"))?;
        if line.ends_with('\n') {
            if line.trim_end() != settings {
                return Err(UsageError::new(format!(
                    "{} belongs to a build with other settings:\n  {}\nexpected:\n  {settings}\n\
                     Remove it to begin anew",
                    path.display(),
                    line.trim_end()
                ))
                .into());
            }
            end = line.len() as u64;
            loop {
                line.clear();
                reader
                    .read_line(&mut line)
                    .with_context(|| cannot("read"))?;
                // The last line may have been cut off.
                let Some(text) = line.strip_suffix('\n') else {
                    break;
                };
                let Ok(entry) = serde_json::from_str::<Entry>(text) else {
                    break;
                };
                known.insert(entry.key, entry.finding);
                end += line.len() as u64;
            }
        }
        file.set_len(end).with_context(|| cannot("written"))?;
        file.seek(SeekFrom::End(0))?;
        if end == 0 {
            writeln!(file, "{settings}").with_context(|| cannot("written"))?;
        }
        Ok(Work {
            path,
            file: Mutex::new(file),
            known,
        })
    }

    /// What was found out about the position with this key in an earlier run.
    pub(super) fn get(&self, key: u64) -> Option<&Finding> {
        self.known.get(&key)
    }

    /// How much is known from earlier runs.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Writes down a finding.
    pub(super) fn put(&self, key: u64, finding: &Finding) -> Result<()> {
        let mut line = serde_json::to_vec(&Entry {
            key,
            finding: finding.clone(),
        })?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line)
            .with_context(|| format!("{} cannot be written", self.path.display()))
    }

    /// Removes the file, when the book is written.
    pub(super) fn remove(self) -> Result<()> {
        let path: &Path = &self.path;
        std::fs::remove_file(path).with_context(|| format!("{} cannot be removed", path.display()))
    }
}
