//! The engines of a match: their programs, limits and names.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};

use super::{
    super::{EngineConfig, EngineSettings},
    absolute,
};

/// Fills in what an engine's settings leave open, from those for each and from the defaults.
pub(super) fn resolve_engine(
    engine: &EngineSettings,
    each: &EngineSettings,
) -> Result<EngineConfig> {
    // Common options and variables come first, so that an engine's own ones win.
    let joined = |own: &Option<Vec<String>>, common: &Option<Vec<String>>| {
        let mut joined = common.clone().unwrap_or_default();
        joined.extend(own.clone().unwrap_or_default());
        joined
    };
    let (env, options) = (
        joined(&engine.env, &each.env),
        joined(&engine.options, &each.options),
    );
    let engine = engine.clone().over_with_limits(each);
    let limit = engine.limit();
    let command = engine
        .command
        .filter(|command| !command.is_empty())
        .context("an engine has no program: give cmd=PROGRAM")?;
    ensure!(
        limit.is_bounded(),
        "engine {command} may think for ever: give tc=, movetime=, nodes=, depth= or infinite= (with --engine, or for all with --each)"
    );
    for (key, zero) in [
        ("movetime", limit.movetime == Some(0)),
        ("nodes", limit.nodes == Some(0)),
        ("depth", limit.depth == Some(0)),
    ] {
        ensure!(
            !zero,
            "engine {command}: {key}=0 leaves nothing to think with: give at least 1"
        );
    }
    ensure!(
        limit.infinite.is_none() || (limit.tc.is_none() && limit.movetime.is_none()),
        "engine {command}: infinite= does not go with tc= or movetime="
    );
    for option in &options {
        ensure!(
            option
                .split_once('=')
                .is_some_and(|(name, _)| !name.is_empty()),
            "engine {command}: option '{option}' has no value; expected option.NAME=VALUE (an empty VALUE presses a button)"
        );
    }
    for variable in &env {
        ensure!(
            variable
                .split_once('=')
                .is_some_and(|(name, _)| !name.is_empty()),
            "engine {command}: '{variable}' sets no variable; expected env.NAME=VALUE"
        );
    }
    let program = find_program(&command)?;
    let dir = engine.dir.as_deref().map(absolute).transpose()?;
    if let Some(dir) = dir.as_deref().filter(|dir| !dir.is_dir()) {
        bail!(
            "engine {command}: there is no directory {} to start it in",
            dir.display()
        );
    }
    ensure!(
        engine
            .name
            .as_deref()
            .is_none_or(|name| !name.trim().is_empty()),
        "engine {command}: its name is empty; leave name= out for the program's file name"
    );
    let name = engine.name.unwrap_or_else(|| {
        program.file_name().map_or_else(
            || command.clone(),
            |name| name.to_string_lossy().into_owned(),
        )
    });
    // A line break in an option would be a command of its own, and one in a name break lines of
    // results in two.
    for text in options.iter().chain([&name]) {
        ensure!(
            !text.contains(char::is_control),
            "engine {command}: {text:?} holds a line break or another control character"
        );
    }
    Ok(EngineConfig {
        name,
        command: program,
        args: engine.args.unwrap_or_default(),
        dir,
        mode: engine.mode.unwrap_or_default(),
        restart: engine.restart.unwrap_or(false),
        margin: engine.margin.unwrap_or(50),
        limit,
        env,
        options,
    })
}

/// A program given with a slash is that file; one without is the first of that name in `PATH`,
/// never one in the working directory.
fn find_program(command: &str) -> Result<PathBuf> {
    if command.contains('/') {
        let path = absolute(Path::new(command))?;
        ensure!(
            path.is_file(),
            "there is no program {command}: give a path, or a name that is in PATH"
        );
        return Ok(path);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(command))
        .find(|candidate| candidate.is_file())
        .with_context(|| {
            format!(
                "there is no program {command} in PATH; for one in this directory write ./{command}"
            )
        })
}

/// One engine of a game thinks at a time, so each game needs the threads of its hungrier engine.
pub(super) fn fair_concurrency(engines: &[EngineConfig]) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = engines.iter().map(threads).max().unwrap_or(1);
    (processors / threads).max(1)
}

/// What an engine's option `Threads` is set to.
fn threads(engine: &EngineConfig) -> usize {
    engine
        .options
        .iter()
        .rev()
        .filter_map(|option| option.split_once('='))
        .find(|(name, _)| name.eq_ignore_ascii_case("threads"))
        .and_then(|(_, value)| value.parse().ok())
        // Whether 0 threads can be set is for the engine to say; it thinks with one at least.
        .map_or(1, |threads: usize| threads.max(1))
}

/// Numbers names that would be alike.
pub(super) fn tell_apart(engines: &mut [EngineConfig]) {
    let mut taken: HashSet<String> = HashSet::new();
    for engine in engines {
        let plain = engine.name.clone();
        let mut number = 2;
        while !taken.insert(engine.name.clone()) {
            engine.name = format!("{plain} ({number})");
            number += 1;
        }
    }
}
