//! The runner's log: to standard error, above the live table if there is one.

use std::env::VarError;

use anyhow::{Result, anyhow};
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

use super::{UsageError, display::Terminal};

/// The environment variable with the log filter.
const VARIABLE: &str = "SERIATIM_LOG";

/// What `--help` says about it.
pub const HELP: &str = "\
SERIATIM_LOG in the environment is the log filter: error, warn (default), info, debug, trace, off.";

/// Starts the log by the filter in `SERIATIM_LOG`; without one, warnings and errors are written.
///
/// # Errors
/// A [`UsageError`] if the filter makes no sense.
pub fn start(terminal: &Terminal) -> Result<()> {
    let filter = match std::env::var(VARIABLE) {
        Ok(filter) => filter,
        Err(VarError::NotPresent) => "warn".to_owned(),
        Err(VarError::NotUnicode(text)) => text.to_string_lossy().into_owned(),
    };
    let wrong = |part: &str| {
        UsageError(anyhow!(
            "{VARIABLE}: '{part}' is no log filter; expected error, warn, info, debug, trace, \
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
