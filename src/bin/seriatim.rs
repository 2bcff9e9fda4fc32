//! The engine: without a subcommand it is the daemon that speaks UCI or CECP on standard
//! input and output.

use std::{fs::OpenOptions, io, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::{Parser, Subcommand};
use seriatim::commands::{UsageError, book, convert, openings, perft, solve, validate};
use tracing_subscriber::EnvFilter;

/// A progressive-chess engine.
///
/// Without a command it talks to a client on standard input and output: in UCI, extended to series
/// (protocol.md), or in XBoard's protocol if the client's first line is `xboard`.
#[derive(Parser)]
#[command(name = "seriatim", version = seriatim::version::VERSION, about)]
struct Arguments {
    /// What to log: a level (error, warn, info, debug, trace) or a filter such as
    /// `warn,seriatim::protocol=trace`.
    #[arg(
        long,
        value_name = "FILTER",
        env = "SERIATIM_LOG",
        default_value = "warn"
    )]
    log: String,
    /// Append the log to this file; else it goes to standard error.
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Book(book::BookArgs),
    Convert(convert::ConvertArgs),
    Openings(openings::OpeningsArgs),
    Perft(perft::PerftArgs),
    Solve(solve::SolveArgs),
    Validate(validate::ValidateArgs),
}

fn start_logging(arguments: &Arguments) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&arguments.log)
        .with_context(|| format!("cannot read the log filter '{}'", arguments.log))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter);
    match &arguments.log_file {
        None => log.with_writer(io::stderr).init(),
        Some(path) => {
            let file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .with_context(|| format!("cannot write the log file {}", path.display()))?;
            log.with_ansi(false).with_writer(file).init();
        }
    }
    Ok(())
}

fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    start_logging(arguments)?;
    let mut out = io::stdout().lock();
    match &arguments.command {
        None => {
            seriatim::engine::run(io::stdin(), out).context("talking to the client")?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Book(args)) => Ok(book::run(args, &mut out, &mut io::stderr())?.into()),
        Some(Command::Convert(args)) => Ok(convert::run(args, &mut out, &mut io::stderr())?.into()),
        Some(Command::Openings(args)) => Ok(openings::run(args, &mut out)?.into()),
        Some(Command::Perft(args)) => Ok(perft::run(args, &mut out)?.into()),
        Some(Command::Validate(args)) => Ok(validate::run(args, &mut out)?.into()),
        Some(Command::Solve(args)) => {
            let result = solve::run(args, &mut out, &mut io::stderr())?;
            Ok(ExitCode::from(result as u8))
        }
    }
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        // The reader of our output left early (`| head`): no fault of ours.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("seriatim: {error:#}");
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
