//! `seriatim book`: making opening books, looking into them, and checking them.

mod backup;
mod build;
mod check;
mod evaluate;
mod report;
mod show;
mod work;

use std::{io::Write, path::PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};

use super::{Finish, UsageError};
use crate::book::{Book, Source};

/// Make an opening book, look into one, or check one
///
/// What a book is made of, and its format, are described in docs/book.md.
#[derive(Args, Clone, Debug)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Clone, Debug)]
enum BookCommand {
    Build(build::BuildArgs),
    Show(show::ShowArgs),
    Check(check::CheckArgs),
}

/// Which book.
#[derive(Args, Clone, Debug)]
struct BookFile {
    /// The book; without it the one that the program brings along
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

impl BookFile {
    fn read(&self) -> Result<Book, UsageError> {
        let source = match &self.file {
            Some(path) => Source::File(path.clone()),
            None => Source::BuiltIn,
        };
        source.read().map_err(UsageError::new)
    }
}

/// Runs the command; progress and the file's name go to `errors`.
///
/// # Errors
/// When a file or `out` cannot be written, and a [`UsageError`] for arguments and books that were
/// not understood.
pub fn run(args: &BookArgs, out: &mut dyn Write, errors: &mut dyn Write) -> Result<Finish> {
    match &args.command {
        BookCommand::Build(args) => build::run(args, out, errors).map(|()| Finish::Clean),
        BookCommand::Show(args) => show::run(args, out).map(|()| Finish::Clean),
        BookCommand::Check(args) => check::run(args, out),
    }
}
