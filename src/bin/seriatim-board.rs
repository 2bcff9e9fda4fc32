//! The web board's program: arguments and exit codes; the work is in [`seriatim::board`].

use std::{io, process::ExitCode};

use clap::Parser;
use seriatim::board::{BoardArgs, serve};

fn main() -> ExitCode {
    let args = BoardArgs::parse();
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("SERIATIM_LOG")
                .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn")),
        )
        .with_target(false)
        .init();
    match serve(&args, &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("seriatim-board: {error:#}");
            ExitCode::FAILURE
        }
    }
}
