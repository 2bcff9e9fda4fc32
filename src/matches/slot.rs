//! One place at which games are played, one at a time: a thread with its own event loop, so that
//! no slot's traffic delays another one's time stamps.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use anyhow::{Context, Result};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use super::{
    config::{MatchConfig, Patience},
    ending::{Fault, GameEnd},
    engine::{Engine, Trouble},
    game::{self, GameSetting},
    openings::Openings,
    process::{Control, LagMeter, ProcessGroups, Surroundings},
    record::GameRecord,
    schedule::{Agenda, GameTask},
};
use crate::rules::Color;

/// How long engines get to quit when the match is stopped: the whole has to be over in about a
/// second.
const QUICK_GRACE: Duration = Duration::from_millis(200);
/// How often a start is tried before a game is lost by it.
const START_ATTEMPTS: u32 = 2;

/// What all slots share.
#[derive(Clone)]
pub struct Hall {
    /// The match.
    pub config: Arc<MatchConfig>,
    /// The openings of each variant.
    pub openings: Arc<Vec<Openings>>,
    /// The games still to be played.
    pub agenda: Arc<Mutex<Agenda>>,
    /// The living engines.
    pub groups: ProcessGroups,
    /// What the match wants.
    pub control: watch::Receiver<Control>,
    /// Where finished games go.
    pub results: mpsc::Sender<GameRecord>,
}

/// Starts the thread of slot `index`. It ends when the agenda is empty or the match is stopped,
/// with every engine gone.
///
/// # Errors
/// If the system gives no thread or event loop.
pub fn open(index: usize, hall: Hall) -> Result<std::thread::JoinHandle<()>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot make an event loop for a slot")?;
    std::thread::Builder::new()
        .name(format!("slot-{}", index + 1))
        .spawn(move || {
            let slot = Slot::new(index, hall);
            runtime.block_on(slot.run());
        })
        .context("cannot start a thread for a slot")
}

struct Slot {
    hall: Hall,
    cpus: Vec<usize>,
    surroundings: Surroundings,
    engines: BTreeMap<usize, Engine>,
    /// Engines on their way out.
    leaving: JoinSet<()>,
}

impl Slot {
    fn new(index: usize, hall: Hall) -> Slot {
        let surroundings = Surroundings {
            groups: hall.groups.clone(),
            control: hall.control.clone(),
            meter: Arc::new(LagMeter::for_this_thread()),
            traffic_limit: hall.config.flood_limit,
        };
        Slot {
            cpus: hall.config.cpus.get(index).copied().into_iter().collect(),
            surroundings,
            engines: BTreeMap::new(),
            leaving: JoinSet::new(),
            hall,
        }
    }

    async fn run(mut self) {
        while self.may_start().await {
            let task = self
                .hall
                .agenda
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            let Some(task) = task else { break };
            let Some(record) = Box::pin(self.play(&task)).await else {
                break;
            };
            if self.hall.results.send(record).await.is_err() {
                break;
            }
            while self.leaving.try_join_next().is_some() {}
        }
        let stopped = *self.hall.control.borrow() == Control::Stop;
        let grace = if stopped {
            QUICK_GRACE
        } else {
            Patience::of(self.hall.config.patience.quit)
        };
        for engine in std::mem::take(&mut self.engines).into_values() {
            self.leaving.spawn(engine.shut_down(grace));
        }
        while self.leaving.join_next().await.is_some() {}
    }

    /// Waits out a pause; false if the match is stopped.
    async fn may_start(&mut self) -> bool {
        let wanted = self
            .hall
            .control
            .wait_for(|&control| control != Control::Pause)
            .await;
        wanted.is_ok_and(|control| *control == Control::Play)
    }

    /// Plays one game, including the start of its engines. `None` if the match is stopped.
    async fn play(&mut self, task: &GameTask) -> Option<GameRecord> {
        let opening = self.hall.openings[task.variant].of_round(task.round);
        let config = Arc::clone(&self.hall.config);
        let setting = GameSetting {
            config: &config,
            task,
            opening: &opening,
        };
        let (begun, start) = (SystemTime::now(), Instant::now());

        let others: Vec<usize> = self
            .engines
            .keys()
            .copied()
            .filter(|index| !task.engines.contains(index))
            .collect();
        for index in others {
            self.dismiss(index);
        }
        let [white, black] = [0, 1].map(|seat| self.engines.remove(&task.engines[seat]));
        let (white, black) = tokio::join!(
            self.prepare(white, &setting, Color::White),
            self.prepare(black, &setting, Color::Black),
        );
        let record = match (white, black) {
            (Ok(mut white), Ok(mut black)) => {
                let record = game::play(&setting, [&mut white, &mut black]).await;
                for (side, engine) in [(Color::White, white), (Color::Black, black)] {
                    self.keep(&setting, side, engine, record.as_ref());
                }
                record
            }
            (white, black) => {
                let mut end = None;
                for (side, outcome) in [(Color::White, white), (Color::Black, black)] {
                    match outcome {
                        Ok(engine) => self.keep(&setting, side, engine, None),
                        Err(Trouble::Stopped) => return None,
                        // If both fail, White is the one that is looked at first.
                        Err(Trouble::Fault(fault)) => {
                            end = end.or(Some(GameEnd::failure(side, fault)));
                        }
                    }
                }
                end.map(|end| setting.record(setting.book_turns(), end, begun, start.elapsed()))
            }
        };
        // An aborted game has no result, so it must not be reported as one.
        record.filter(|_| *self.hall.control.borrow() != Control::Stop)
    }

    /// Starts the engine of a side, or takes the one left from the last game, and prepares it for
    /// the game. One that fails before its game has begun is started anew, since nothing is
    /// decided yet.
    async fn prepare(
        &self,
        running: Option<Engine>,
        setting: &GameSetting<'_>,
        side: Color,
    ) -> Result<Engine, Trouble> {
        let config = setting.engine(side);
        let seed = setting.task.seeds[side.fold_wb(0, 1)];
        let mut running = running;
        let mut attempts = 0;
        loop {
            let reused = running.is_some();
            let trouble = match self.prepare_once(running.take(), setting, side, seed).await {
                Ok(engine) => return Ok(engine),
                Err(trouble) => trouble,
            };
            let Trouble::Fault(fault) = &trouble else {
                return Err(trouble);
            };
            attempts += u32::from(!reused);
            if attempts >= START_ATTEMPTS {
                return Err(trouble);
            }
            tracing::warn!(engine = config.name, %fault, "failed before its game began; it is started anew");
        }
    }

    async fn prepare_once(
        &self,
        running: Option<Engine>,
        setting: &GameSetting<'_>,
        side: Color,
        seed: u64,
    ) -> Result<Engine, Trouble> {
        let config = setting.engine(side);
        let mut engine = match running {
            Some(engine) => engine,
            None => {
                Engine::start(
                    config,
                    self.hall.config.patience,
                    &self.cpus,
                    &self.surroundings,
                )
                .await?
            }
        };
        match engine.new_game(setting.variant(), seed).await {
            Ok(()) => Ok(engine),
            Err(trouble) => {
                engine.kill().await;
                Err(trouble)
            }
        }
    }

    /// Keeps an engine for the next game, or sees it off.
    fn keep(
        &mut self,
        setting: &GameSetting<'_>,
        side: Color,
        engine: Engine,
        record: Option<&GameRecord>,
    ) {
        let fault = record
            .filter(|record| record.end.winner() == Some(!side))
            .and_then(|record| record.end.fault());
        let unfit = fault.is_some_and(|fault| {
            fault.is_fatal() || matches!(fault, Fault::TimeForfeit { overrun: None, .. })
        });
        let grace = Patience::of(self.hall.config.patience.quit);
        if unfit {
            self.leaving.spawn(engine.kill());
        } else if setting.engine(side).restart && record.is_some() {
            self.leaving.spawn(engine.shut_down(grace));
        } else {
            self.engines
                .insert(setting.task.engines[side.fold_wb(0, 1)], engine);
        }
    }

    fn dismiss(&mut self, index: usize) {
        if let Some(engine) = self.engines.remove(&index) {
            let grace = Patience::of(self.hall.config.patience.quit);
            self.leaving.spawn(engine.shut_down(grace));
        }
    }
}
