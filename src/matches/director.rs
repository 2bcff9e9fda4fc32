//! Directs a running match: opens the slots, writes and counts what comes back, stops in time.

use std::{
    io::Write,
    path::PathBuf,
    sync::{Arc, Mutex},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use anyhow::Result;
use tokio::sync::{mpsc, watch};

use super::{
    config::{DisplayArgs, MatchConfig, Recover},
    display::{Display, Terminal},
    journal::Journal,
    openings::Openings,
    process::{Control, ProcessGroups},
    record::GameRecord,
    report,
    run::MatchOutcome,
    schedule::{Agenda, GameNumber, Schedule},
    signals::{SignalEvent, Signals},
    slot::{self, Hall},
    standings::Standings,
};

/// How often the journal is brought to the disk, so that a power cut costs little. A crash of the
/// runner alone costs nothing: what is written is the system's.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// How many finished games may wait to be written, as they do while the disk is slow; then slots
/// wait before their next game, and memory stays bounded.
const WAITING_MAX: usize = 64;

/// How often time-dependent displays are redrawn.
const TICK: Duration = Duration::from_millis(500);

/// Where finished games come from.
type Results = mpsc::Receiver<GameRecord>;

/// Where a match is directed from.
pub struct Director {
    /// The match.
    pub config: MatchConfig,
    /// Where its results go.
    pub directory: PathBuf,
    /// Its journal.
    pub journal: Journal,
    /// The standings by the games in the journal.
    pub standings: Standings,
    /// The games in the journal.
    pub done: Vec<GameNumber>,
    /// The living engines.
    pub groups: ProcessGroups,
}

/// How a run stands: what its slots are told, and why it ends.
struct Course {
    control: watch::Sender<Control>,
    outcome: Option<MatchOutcome>,
    /// Why nothing can be saved any more.
    problem: Option<anyhow::Error>,
    synced: Instant,
}

impl Course {
    /// Ends the run for this reason, unless it is ending already.
    fn end(&mut self, outcome: MatchOutcome) {
        if self.outcome.is_none() {
            self.outcome = Some(outcome);
            let _ = self.control.send(Control::Stop);
        }
    }

    /// Ends the run because of `error`.
    fn fail(&mut self, error: anyhow::Error) {
        self.end(MatchOutcome::Incomplete(error.to_string()));
        self.problem = Some(error);
    }
}

impl Director {
    /// Plays what is left of the match.
    ///
    /// # Errors
    /// If threads cannot be started, or files not be written.
    pub async fn direct(
        mut self,
        openings: Vec<Openings>,
        args: &DisplayArgs,
        terminal: &Terminal,
        out: &mut dyn Write,
    ) -> Result<MatchOutcome> {
        let games = Schedule::new(&self.config).games();
        let mut display = Display::new(args, &self.config, games, &self.directory, terminal);
        display.begin(&self.standings, out);
        // From here on each game is added as it ends; at the end they are put in order.
        report::write_pgn(&self.config, &self.directory)?;
        if self.done.len() as u64 >= games || self.standings.is_decided() {
            return self.finish(MatchOutcome::Complete, &mut display, out);
        }
        let (control, watched) = watch::channel(Control::Play);
        let mut course = Course {
            control,
            outcome: None,
            problem: None,
            synced: Instant::now(),
        };
        let mut signals = Signals::new()?;
        let (threads, mut finished) = self.open_slots(openings, watched)?;
        let mut tick = tokio::time::interval(TICK);
        loop {
            tokio::select! {
                record = finished.recv() => match record {
                    Some(record) => self.take(&record, &mut course, &mut display, out),
                    // All slots are closed.
                    None => break,
                },
                Some(event) = signals.next() => {
                    if let Some(outcome) = self.obey(event, &mut course, &mut display, out) {
                        return Ok(outcome);
                    }
                }
                _ = tick.tick() => {
                    display.tick(&self.standings);
                    if course.synced.elapsed() > SYNC_INTERVAL {
                        course.synced = Instant::now();
                        if let Err(error) = self.journal.sync() {
                            course.fail(error);
                        }
                    }
                }
            }
        }
        for thread in threads {
            if thread.join().is_err() {
                let reason = "a slot ended by a fault of the runner".to_owned();
                course.end(MatchOutcome::Incomplete(reason));
            }
        }
        self.groups.kill_all();
        if let Some(error) = course.problem {
            return Err(error);
        }
        let outcome = course.outcome.unwrap_or_else(|| {
            let played = self.standings.games();
            MatchOutcome::Incomplete(format!("{played} of {games} games are played"))
        });
        self.finish(outcome, &mut display, out)
    }

    /// Opens as many slots as there are games for.
    fn open_slots(
        &mut self,
        openings: Vec<Openings>,
        control: watch::Receiver<Control>,
    ) -> Result<(Vec<JoinHandle<()>>, Results)> {
        let schedule = Schedule::new(&self.config);
        let left = schedule.games() - self.done.len() as u64;
        let done = std::mem::take(&mut self.done);
        let (results, finished) = mpsc::channel(WAITING_MAX);
        let hall = Hall {
            config: Arc::new(self.config.clone()),
            openings: Arc::new(openings),
            agenda: Arc::new(Mutex::new(Agenda::new(schedule, done))),
            groups: self.groups.clone(),
            control,
            results,
        };
        let slots = (self.config.concurrency as u64).min(left) as usize;
        let threads = (0..slots)
            .map(|index| slot::open(index, hall.clone()))
            .collect::<Result<Vec<_>>>();
        if threads.is_err() {
            self.groups.kill_all();
        }
        Ok((threads?, finished))
    }

    /// Writes and counts a game. It counts only once it is written.
    fn take(
        &mut self,
        record: &GameRecord,
        course: &mut Course,
        display: &mut Display,
        out: &mut dyn Write,
    ) {
        if course.outcome.is_some() {
            return;
        }
        if let Err(error) = self.journal.append(record) {
            course.fail(error);
            return;
        }
        self.standings.add(record);
        if let Err(error) = report::append_pgn(&self.config, record, &self.directory) {
            course.fail(error);
        }
        if let Some(outcome) = self.outcome_of(record) {
            course.end(outcome);
        }
        display.game(record, &self.standings, out);
    }

    /// Whether the match is over by a game.
    fn outcome_of(&self, record: &GameRecord) -> Option<MatchOutcome> {
        let games = Schedule::new(&self.config).games();
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

    /// Does what a signal asks for. Some outcome means: leave at once.
    fn obey(
        &self,
        event: SignalEvent,
        course: &mut Course,
        display: &mut Display,
        out: &mut dyn Write,
    ) -> Option<MatchOutcome> {
        match event {
            SignalEvent::Stop if course.outcome.is_some() => {
                self.groups.kill_all();
                if course.outcome == Some(MatchOutcome::Interrupted) {
                    let _ = self.journal.sync();
                    return course.outcome.take();
                }
                // The match was over already: it ends as it would have, only sooner.
            }
            SignalEvent::Stop => course.end(MatchOutcome::Interrupted),
            SignalEvent::Pause if course.outcome.is_none() => {
                let pause = *course.control.borrow() == Control::Play;
                let wanted = if pause { Control::Pause } else { Control::Play };
                let _ = course.control.send(wanted);
                display.pause(pause, out);
            }
            SignalEvent::Pause => {}
        }
        None
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
        report::write_pgn(&self.config, &self.directory)?;
        display.end(&self.standings, &outcome, out);
        Ok(outcome)
    }
}
