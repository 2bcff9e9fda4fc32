//! The match runner's program: arguments and exit codes; the work is in [`seriatim::matches`].

use std::env::VarError;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::{Parser, Subcommand};
use seriatim::matches::{
    UsageError,
    check::{self, CheckArgs},
    config::{DisplayArgs, RunArgs},
    display::Terminal,
    run::{self, MatchOutcome},
    stats_command::{self, StatsArgs},
};
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

/// The environment variable with the log filter.
const LOG_VARIABLE: &str = "SERIATIM_LOG";

/// Play and evaluate matches between engines for progressive chess.
#[derive(Debug, Parser)]
#[command(name = "seriatim-match", version = seriatim::version::VERSION)]
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
    let outcome = start_logging(&terminal).and_then(|()| match &arguments.command {
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

/// Logs to standard error, above the live table if there is one.
fn start_logging(terminal: &Terminal) -> Result<()> {
    let filter = match std::env::var(LOG_VARIABLE) {
        Ok(filter) => filter,
        Err(VarError::NotPresent) => "warn".to_owned(),
        Err(VarError::NotUnicode(text)) => text.to_string_lossy().into_owned(),
    };
    let wrong = |part: &str| {
        UsageError(anyhow!(
            "{LOG_VARIABLE}: '{part}' is no log filter; expected error, warn, info, debug, trace, \
             off, or such as warn,seriatim::matches=debug"
        ))
    };
    // A single word that is no level would be taken for a target, and the rest be silent.
    let level = |part: &&str| part.contains(['=', '[']) || part.parse::<LevelFilter>().is_ok();
    if let Some(part) = filter.split(',').find(|part| !level(part)) {
        return Err(wrong(part).into());
    }
    let filter = EnvFilter::try_new(&filter).map_err(|_| wrong(&filter))?;
    let terminal = terminal.clone();
    tracing_subscriber::fmt()
        .with_writer(move || terminal.clone())
        .with_env_filter(filter)
        .with_target(false)
        .init();
    Ok(())
}

/// The reader of our output left early (`| head`): no fault of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
