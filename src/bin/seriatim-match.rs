//! The match runner's program: arguments and exit codes; the work is in [`seriatim::matches`].

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use seriatim::matches::{
    UsageError,
    check::{self, CheckArgs},
    config::{DisplayArgs, RunArgs},
    display::Terminal,
    log,
    run::{self, MatchOutcome},
    stats_command::{self, StatsArgs},
};

/// Play and evaluate matches between engines for progressive chess.
#[derive(Debug, Parser)]
#[command(name = "seriatim-match", version = seriatim::version::VERSION, after_help = log::HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<RunArgs>),
    /// Go on with a match that was interrupted: same games, same seeds, nothing lost or doubled.
    Resume {
        /// The match's directory, or the journal in it.
        path: PathBuf,
        #[command(flatten)]
        display: DisplayArgs,
    },
    /// Write the reports of a match anew from its journal.
    Report {
        /// The match's directory, or the journal in it.
        path: PathBuf,
    },
    Check(CheckArgs),
    Stats(StatsArgs),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let terminal = Terminal::default();
    let mut out = BufWriter::new(io::stdout());
    let outcome = log::start(&terminal).and_then(|()| match &arguments.command {
        Command::Run(args) => run::run(args, &terminal, &mut out),
        Command::Resume { path, display } => run::resume(path, display, &terminal, &mut out),
        Command::Report { path } => run::report(path, &mut out),
        Command::Check(args) => check::run(args, &mut out),
        Command::Stats(args) => stats_command::run(args, &mut out).map(|()| MatchOutcome::Complete),
    });
    match outcome.and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    }) {
        Ok(outcome) => ExitCode::from(outcome.exit_code()),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell if standard error is closed too.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}

/// The reader of our output left early (`| head`): no fault of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
