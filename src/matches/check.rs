//! `seriatim-match check`: walks an engine through the series protocol, step by step, and says
//! what fails and where protocol.md says so.

mod session;
mod steps;

use std::{io::Write, path::PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;

use super::{
    UsageError,
    config::{EngineSettings, Settings},
    run::MatchOutcome,
};
use session::Session;

const EXAMPLES: &str = "\
Examples:
  seriatim-match check ./my-engine
      every step, with every preset the engine offers
  seriatim-match check ./my-engine --option Threads=4 -- --uci
      with an option, and an argument for the engine

Exit code: 0 if nothing fails, 3 if something does, 2 usage.";

/// Check whether an engine speaks the series protocol.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// The engine: a path, or a name that is in PATH.
    engine: PathBuf,

    /// Arguments for the engine, after `--`.
    #[arg(last = true)]
    arguments: Vec<String>,

    /// An option to set before every step, NAME=VALUE.
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
}

/// The verdict on one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As the protocol says.
    Pass,
    /// The protocol leaves it open, but clients will miss it.
    Warn(String),
    /// Against the protocol.
    Fail(String),
    /// Cannot be tried with this engine.
    Skip(String),
}

/// Runs the check.
///
/// # Errors
/// [`UsageError`] if there is no such program; else what the system says.
pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<MatchOutcome> {
    let config = configuration(args)?;
    let event_loop = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot make an event loop")?;
    event_loop.block_on(async {
        let mut failures = 0;
        let mut count = 0;
        let mut session = Session::new(config);
        for step in steps::ALL {
            let verdict = session.carry_out(step).await;
            count += 1;
            let (mark, detail) = match &verdict {
                Verdict::Pass => ("ok  ", ""),
                Verdict::Warn(detail) => ("warn", detail.as_str()),
                Verdict::Fail(detail) => ("FAIL", detail.as_str()),
                Verdict::Skip(detail) => ("skip", detail.as_str()),
            };
            writeln!(out, "{mark}  {}", step.name)?;
            if !detail.is_empty() {
                writeln!(out, "      {detail}")?;
            }
            if matches!(verdict, Verdict::Fail(_)) {
                writeln!(out, "      see protocol.md, {}", step.section)?;
                failures += 1;
            }
            out.flush()?;
            if session.is_hopeless() {
                writeln!(out, "the engine cannot be started, so the rest is left out")?;
                break;
            }
        }
        session.end().await;
        if failures == 0 {
            writeln!(out, "{count} steps, nothing against the protocol")?;
            Ok(MatchOutcome::Complete)
        } else {
            writeln!(out, "{failures} of {count} steps against the protocol")?;
            Ok(MatchOutcome::EngineFailure(format!(
                "{failures} steps failed"
            )))
        }
    })
}

/// The engine's configuration, by the same way as that of an engine in a match.
fn configuration(args: &CheckArgs) -> Result<super::config::EngineConfig> {
    let engine = EngineSettings {
        command: Some(args.engine.display().to_string()),
        args: Some(args.arguments.clone()),
        options: Some(args.option.clone()),
        nodes: Some(1),
        ..EngineSettings::default()
    };
    let settings = Settings {
        engines: Some(vec![engine.clone(), engine]),
        ..Settings::default()
    };
    let mut config = settings.resolve()?;
    let first = config.engines.drain(..).next();
    first.ok_or_else(|| UsageError(anyhow!("no engine is given")).into())
}
