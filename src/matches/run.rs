//! Runs a match: opens the journal and the slots, counts what comes back, stops in time.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::{mpsc, watch},
};

use super::{
    UsageError,
    config::{DisplayArgs, MatchConfig, Patience, Recover, RunArgs},
    display::{Display, Terminal},
    engine::{Engine, Trouble},
    journal::{Journal, JournalHeader, read_journal},
    openings::Openings,
    process::{Control, LagMeter, ProcessGroups, Surroundings},
    record::GameRecord,
    report,
    schedule::{Agenda, GameNumber, Schedule},
    slot::{self, Hall},
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
    let openings = Openings::read_all(&config)?;
    let event_loop = event_loop()?;
    let groups = ProcessGroups::default();
    if let Err(outcome) = event_loop.block_on(try_engines(&config, &groups))? {
        if let MatchOutcome::EngineFailure(problem) = &outcome {
            writeln!(out, "{problem}")?;
        }
        return Ok(outcome);
    }
    let directory = make_directory(args.out.as_deref())?;
    let header = JournalHeader::new(&config, &openings);
    let journal = Journal::create(&directory.join(JOURNAL_NAME), &header)?;
    let text = toml::to_string(&config).context("the configuration")?;
    std::fs::write(directory.join("config.toml"), text)
        .with_context(|| format!("cannot write into {}", directory.display()))?;
    let standings = Standings::new(&config);
    let office = Office {
        config,
        directory,
        journal,
        standings,
        done: Vec::new(),
        groups,
    };
    event_loop.block_on(office.direct(openings, &args.display, terminal, out))
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
    let (standings, done) = count_journal(&config, &file)?;
    let directory = file.parent().unwrap_or(Path::new(".")).to_owned();
    let office = Office {
        config,
        directory,
        journal,
        standings,
        done,
        groups: ProcessGroups::default(),
    };
    event_loop()?.block_on(office.direct(openings, display, terminal, out))
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
    let summary = report::Summary::new(&config, &standings, planned, Some(&outcome));
    write!(out, "{}", report::final_text(&summary))?;
    Ok(MatchOutcome::Complete)
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

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SignalEvent {
    Stop,
    Pause,
}

/// The signals that a match listens to.
struct Signals {
    stop: [tokio::signal::unix::Signal; 3],
    pause: [tokio::signal::unix::Signal; 2],
}

impl Signals {
    fn new() -> Result<Signals> {
        let listen = |kind| signal(kind).context("cannot listen to signals");
        Ok(Signals {
            stop: [
                listen(SignalKind::interrupt())?,
                listen(SignalKind::terminate())?,
                listen(SignalKind::hangup())?,
            ],
            // Ctrl-Z would stop the clocks' owner and not the clocks, so it pauses instead.
            pause: [
                listen(SignalKind::user_defined1())?,
                listen(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
            ],
        })
    }

    async fn next(&mut self) -> Option<SignalEvent> {
        let [interrupt, terminate, hangup] = &mut self.stop;
        let [user, suspend] = &mut self.pause;
        tokio::select! {
            _ = interrupt.recv() => Some(SignalEvent::Stop),
            _ = terminate.recv() => Some(SignalEvent::Stop),
            _ = hangup.recv() => Some(SignalEvent::Stop),
            _ = user.recv() => Some(SignalEvent::Pause),
            _ = suspend.recv() => Some(SignalEvent::Pause),
        }
    }
}

/// Where a match is directed from.
struct Office {
    config: MatchConfig,
    directory: PathBuf,
    journal: Journal,
    standings: Standings,
    done: Vec<GameNumber>,
    groups: ProcessGroups,
}

/// How often the journal is brought to the disk, so that a power cut costs little. A crash of the
/// runner alone costs nothing: what is written is the system's.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// How often time-dependent displays are redrawn.
const TICK: Duration = Duration::from_millis(500);

impl Office {
    /// Plays what is left of the match.
    async fn direct(
        mut self,
        openings: Vec<Openings>,
        args: &DisplayArgs,
        terminal: &Terminal,
        out: &mut dyn Write,
    ) -> Result<MatchOutcome> {
        let schedule = Schedule::new(&self.config);
        let games = schedule.games();
        let left = games - self.done.len() as u64;
        let mut display = Display::new(args, &self.config, games, &self.directory, terminal);
        display.begin(&self.standings, out);
        if left == 0 || self.standings.is_decided() {
            return self.finish(MatchOutcome::Complete, &mut display, out);
        }
        let agenda = Arc::new(Mutex::new(Agenda::new(
            schedule,
            std::mem::take(&mut self.done),
        )));
        let (control, watched) = watch::channel(Control::Play);
        let (results, mut finished) = mpsc::unbounded_channel();
        let mut signals = Signals::new()?;
        let hall = Hall {
            config: Arc::new(self.config.clone()),
            openings: Arc::new(openings),
            agenda,
            groups: self.groups.clone(),
            control: watched,
            results,
        };
        let slots = (self.config.concurrency as u64).min(left) as usize;
        let threads = (0..slots)
            .map(|index| slot::open(index, hall.clone()))
            .collect::<Result<Vec<_>>>();
        drop(hall);
        let threads = match threads {
            Ok(threads) => threads,
            Err(error) => {
                self.groups.kill_all();
                return Err(error);
            }
        };

        let mut outcome = None;
        let mut tick = tokio::time::interval(TICK);
        let mut problem = None;
        let mut synced = Instant::now();
        loop {
            tokio::select! {
                record = finished.recv() => {
                    // All slots are closed.
                    let Some(record) = record else { break };
                    if outcome.is_some() {
                        continue;
                    }
                    if let Err(error) = self.journal.append(&record) {
                        // Nothing can be saved any more, so nothing more is played.
                        problem = Some(error);
                        outcome = Some(MatchOutcome::Incomplete(String::new()));
                        let _ = control.send(Control::Stop);
                        continue;
                    }
                    outcome = self.count(&record, games);
                    display.game(&record, &self.standings, out);
                    if outcome.is_some() {
                        let _ = control.send(Control::Stop);
                    }
                }
                Some(event) = signals.next() => match event {
                    SignalEvent::Stop if outcome == Some(MatchOutcome::Interrupted) => {
                        self.groups.kill_all();
                        let _ = self.journal.sync();
                        return Ok(MatchOutcome::Interrupted);
                    }
                    SignalEvent::Stop => {
                        outcome = Some(MatchOutcome::Interrupted);
                        let _ = control.send(Control::Stop);
                    }
                    SignalEvent::Pause => {
                        let paused = *control.borrow() == Control::Play;
                        let next = if paused { Control::Pause } else { Control::Play };
                        if *control.borrow() != Control::Stop {
                            let _ = control.send(next);
                            display.pause(paused, out);
                        }
                    }
                },
                _ = tick.tick() => {
                    display.tick(&self.standings);
                    if synced.elapsed() > SYNC_INTERVAL {
                        synced = Instant::now();
                        self.journal.sync()?;
                    }
                }
            }
        }
        for thread in threads {
            if thread.join().is_err() && outcome.is_none() {
                outcome = Some(MatchOutcome::Incomplete(
                    "a slot ended by a fault of the runner".to_owned(),
                ));
            }
        }
        self.groups.kill_all();
        if let Some(error) = problem {
            return Err(error);
        }
        let outcome = outcome.unwrap_or_else(|| {
            MatchOutcome::Incomplete(format!(
                "{} of {games} games are played",
                self.standings.games()
            ))
        });
        self.finish(outcome, &mut display, out)
    }

    /// Counts a game, and says whether the match is over by it.
    fn count(&mut self, record: &GameRecord, games: u64) -> Option<MatchOutcome> {
        self.standings.add(record);
        if self.standings.is_decided() || self.standings.games() >= games {
            return Some(MatchOutcome::Complete);
        }
        let (engine, fault) = Standings::failed_engine(record)?;
        let name = &self.config.engines[engine].name;
        let failures = self.standings.engines[engine].failures_in_a_row;
        match self.config.recover {
            Recover::Stop => Some(MatchOutcome::EngineFailure(format!(
                "engine {name} failed, and the match stops by recover=stop: {fault}"
            ))),
            Recover::Restart if failures >= self.config.failure_limit => {
                Some(MatchOutcome::EngineFailure(format!(
                    "engine {name} failed in {failures} games in a row, at last: {fault}"
                )))
            }
            Recover::Restart => None,
        }
    }

    /// Writes what is left to be written.
    fn finish(
        self,
        outcome: MatchOutcome,
        display: &mut Display,
        out: &mut dyn Write,
    ) -> Result<MatchOutcome> {
        self.journal.sync()?;
        report::write_all(&self.config, &self.standings, &outcome, &self.directory)?;
        display.end(&self.standings, &outcome, out);
        Ok(outcome)
    }
}
