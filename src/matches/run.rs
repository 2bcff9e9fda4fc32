//! The commands that begin a match, go on with one, or report on one.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, anyhow};
use tokio::sync::watch;

use super::{
    UsageError,
    config::{DisplayArgs, MatchConfig, Patience, RunArgs},
    director::Director,
    display::Terminal,
    engine::{Engine, Trouble},
    journal::{Journal, JournalHeader, keep_runners_away, read_journal},
    openings::Openings,
    process::{Control, LagMeter, ProcessGroups, Surroundings, foreign_processor},
    report,
    schedule::{GameNumber, Schedule},
    signals::{SignalEvent, Signals},
    standings::Standings,
};

/// How a run of a match ended; each has its exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchOutcome {
    /// Every game is played, or the test has decided.
    Complete,
    /// Stopped before, for a reason that is no engine's fault.
    Incomplete(String),
    /// An engine cannot go on.
    EngineFailure(String),
    /// A signal came.
    Interrupted,
}

impl MatchOutcome {
    /// The program's exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            MatchOutcome::Complete => 0,
            MatchOutcome::Incomplete(_) => 1,
            MatchOutcome::EngineFailure(_) => 3,
            MatchOutcome::Interrupted => 130,
        }
    }
}

/// The name of the journal in a match's directory.
pub const JOURNAL_NAME: &str = "journal.jsonl";

/// `seriatim-match run`.
///
/// # Errors
/// [`UsageError`] if no match can be made of the arguments; else what the system says.
pub fn run(args: &RunArgs, terminal: &Terminal, out: &mut dyn Write) -> Result<MatchOutcome> {
    let config = args.settings()?.resolve()?;
    check_processors(&config.cpus)?;
    let openings = Openings::read_all(&config)?;
    let event_loop = event_loop()?;
    let groups = ProcessGroups::default();
    if let Err(outcome) = event_loop.block_on(try_engines(&config, &groups))? {
        let problem = match &outcome {
            MatchOutcome::EngineFailure(problem) => problem,
            _ => "interrupted before the first game",
        };
        // Standard output is for results; and if nobody reads the words, the exit code tells.
        let _ = writeln!(std::io::stderr(), "error: {problem}");
        return Ok(outcome);
    }
    let directory = make_directory(args.out.as_deref())?;
    let text = toml::to_string(&config).context("the configuration")?;
    std::fs::write(directory.join("config.toml"), text)
        .with_context(|| format!("cannot write into {}", directory.display()))?;
    // The journal comes last: where it is, everything else is.
    let header = JournalHeader::new(&config, &openings);
    let journal = Journal::create(&directory.join(JOURNAL_NAME), &header)?;
    let standings = Standings::new(&config);
    let director = Director {
        config,
        directory,
        journal,
        standings,
        done: Vec::new(),
        groups,
    };
    event_loop.block_on(director.direct(openings, &args.display, terminal, out))
}

/// `seriatim-match resume`.
///
/// # Errors
/// [`UsageError`] if there is no such match or it cannot be continued; else what the system says.
pub fn resume(
    path: &Path,
    display: &DisplayArgs,
    terminal: &Terminal,
    out: &mut dyn Write,
) -> Result<MatchOutcome> {
    let file = journal_path(path);
    let (journal, header) = Journal::reopen(&file, |_| {})?;
    let openings = Openings::read_all(&header.config)?;
    header.check_openings(&openings)?;
    let config = header.config;
    check_processors(&config.cpus)?;
    let (standings, done) = count_journal(&config, &file)?;
    let directory = file.parent().unwrap_or(Path::new(".")).to_owned();
    let director = Director {
        config,
        directory,
        journal,
        standings,
        done,
        groups: ProcessGroups::default(),
    };
    event_loop()?.block_on(director.direct(openings, display, terminal, out))
}

/// `seriatim-match report`: writes the reports of a match anew from its journal.
///
/// # Errors
/// [`UsageError`] if there is no such match; else what the system says.
pub fn report(path: &Path, out: &mut dyn Write) -> Result<MatchOutcome> {
    let file = journal_path(path);
    let config = read_journal(&file, |_| {})?.config;
    let (standings, _) = count_journal(&config, &file)?;
    let planned = Schedule::new(&config).games();
    let outcome = if standings.is_decided() || standings.games() >= planned {
        MatchOutcome::Complete
    } else {
        MatchOutcome::Incomplete(format!(
            "{} of {planned} games are played",
            standings.games()
        ))
    };
    let directory = file.parent().unwrap_or(Path::new("."));
    report::write_all(&config, &standings, &outcome, directory)?;
    // The runner of a running match adds to the PGN itself.
    if let Some(_kept_away) = keep_runners_away(&file)? {
        report::write_pgn(&config, directory)?;
    }
    let summary = report::Summary::new(&config, &standings, planned, Some(&outcome));
    write!(out, "{}", report::final_text(&summary))?;
    Ok(MatchOutcome::Complete)
}

/// Checks that games can be pinned to these processors.
fn check_processors(cpus: &[usize]) -> Result<()> {
    match foreign_processor(cpus) {
        None => Ok(()),
        Some((foreign, allowed)) => Err(UsageError(anyhow!(
            "--cpus: there is no processor {foreign} for this program; expected some of {}",
            allowed
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(",")
        ))
        .into()),
    }
}

/// Counts the games of a journal, one at a time.
fn count_journal(config: &MatchConfig, file: &Path) -> Result<(Standings, Vec<GameNumber>)> {
    let mut standings = Standings::new(config);
    let mut done = Vec::new();
    read_journal(file, |record| {
        standings.add(&record);
        done.push(record.game);
    })?;
    Ok((standings, done))
}

/// The journal meant by a path to it or to its directory.
pub fn journal_path(path: &Path) -> PathBuf {
    if path.is_dir() {
        path.join(JOURNAL_NAME)
    } else {
        path.to_owned()
    }
}

fn event_loop() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot make an event loop")
}

/// Makes the directory of a new match: the one that is asked for, or the first free `match-N`.
fn make_directory(wanted: Option<&Path>) -> Result<PathBuf> {
    if let Some(wanted) = wanted {
        if wanted.join(JOURNAL_NAME).exists() {
            return Err(UsageError(anyhow!(
                "{0} already holds a match; go on with it by 'seriatim-match resume {0}', or give another --out",
                wanted.display()
            ))
            .into());
        }
        std::fs::create_dir_all(wanted)
            .with_context(|| format!("cannot make the directory {}", wanted.display()))
            .map_err(UsageError)?;
        return Ok(wanted.to_owned());
    }
    for number in 1.. {
        let candidate = PathBuf::from(format!("match-{number}"));
        match std::fs::create_dir(&candidate) {
            Ok(()) => return Ok(candidate),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).context("cannot make a directory for the match"),
        }
    }
    Err(anyhow!("no free name for a directory"))
}

/// Starts each engine once and prepares it for each variant, so that what cannot work is said
/// before the first game.
async fn try_engines(
    config: &MatchConfig,
    groups: &ProcessGroups,
) -> Result<Result<(), MatchOutcome>> {
    let (stop, control) = watch::channel(Control::Play);
    let surroundings = Surroundings {
        groups: groups.clone(),
        control,
        meter: Arc::new(LagMeter::for_this_thread()),
        traffic_limit: config.flood_limit,
    };
    let mut signals = Signals::new()?;
    let attempt = async {
        for engine in &config.engines {
            let outcome = async {
                let mut running =
                    Engine::start(engine, config.patience, &[], &surroundings).await?;
                for variant in &config.variants {
                    if let Err(trouble) = running.new_game(variant, 0).await {
                        running.kill().await;
                        return Err(trouble);
                    }
                }
                running.shut_down(Patience::of(config.patience.quit)).await;
                Ok::<(), Trouble>(())
            }
            .await;
            match outcome {
                Ok(()) => {}
                Err(Trouble::Stopped) => return Err(MatchOutcome::Interrupted),
                Err(Trouble::Fault(fault)) => {
                    return Err(MatchOutcome::EngineFailure(format!(
                        "engine {} cannot play this match: {fault}",
                        engine.name
                    )));
                }
            }
        }
        Ok(())
    };
    tokio::pin!(attempt);
    loop {
        tokio::select! {
            outcome = &mut attempt => return Ok(outcome),
            Some(event) = signals.next() => match event {
                SignalEvent::Stop => {
                    let _ = stop.send(Control::Stop);
                }
                SignalEvent::Pause => {}
            },
        }
    }
}
