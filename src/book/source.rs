//! Where books come from: the program itself, or a file.

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::PathBuf,
};

use thiserror::Error;

use super::{Book, FormatError};

/// The book that the program brings along, for Italian rules; `docs/book.md` tells how it was made.
static ITALIAN: &[u8] = include_bytes!("italian.book");

/// No file larger than this is read, in bytes.
const FILE_MAX: u64 = 256 << 20;

/// Where a book comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The program brings it along.
    BuiltIn,
    /// A file.
    File(PathBuf),
}

/// Why a book could not be had.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The file could not be read.
    #[error("book {name} cannot be read: {error}")]
    Io {
        /// The file.
        name: Source,
        /// What happened.
        error: io::Error,
    },
    /// It is no book.
    #[error("book {name}: {error}")]
    Format {
        /// The file.
        name: Source,
        /// What is wrong.
        error: FormatError,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::BuiltIn => f.write_str("built-in"),
            Source::File(path) => write!(f, "'{}'", path.display()),
        }
    }
}

impl Source {
    /// Reads the book.
    ///
    /// # Errors
    /// [`SourceError`] names the file, what is wrong with it and what was expected.
    pub fn read(&self) -> Result<Book, SourceError> {
        let io_error = |error| SourceError::Io {
            name: self.clone(),
            error,
        };
        let from_file;
        let bytes = match self {
            Source::BuiltIn => ITALIAN,
            Source::File(path) => {
                from_file = read_file(path).map_err(io_error)?;
                &from_file
            }
        };
        Book::from_bytes(bytes).map_err(|error| SourceError::Format {
            name: self.clone(),
            error,
        })
    }
}

fn read_file(path: &PathBuf) -> io::Result<Vec<u8>> {
    let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidInput, what);
    // Opening a pipe would wait for its writer.
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(invalid(
            "it is no regular file (expected a book)".to_owned(),
        ));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(FILE_MAX + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FILE_MAX {
        return Err(invalid(format!(
            "it is longer than {FILE_MAX} bytes (expected a book)"
        )));
    }
    Ok(bytes)
}
