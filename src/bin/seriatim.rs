//! The engine: without a subcommand it is the daemon that speaks UCI on standard input and output.

use std::{fs::OpenOptions, io, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Parser;
use tracing_subscriber::EnvFilter;

/// A progressive-chess engine.
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

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    start_logging(arguments)?;
    seriatim::engine::run(io::stdin(), io::stdout().lock()).context("talking to the client")
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("seriatim: {error:#}");
            ExitCode::FAILURE
        }
    }
}
