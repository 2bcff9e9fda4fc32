//! One engine of one page: a task that runs the real program through protocol.md.
//!
//! It starts the program when it is first needed, prepares it for the rules of each job, passes on
//! what it says, and starts it anew, once for each job, when it dies. It never believes the engine:
//! lines and answers are shown and played as far as the rules allow them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    task::JoinHandle,
};

use super::{
    engine_line,
    reply::{Answer, Reply},
};
use crate::{
    matches::{
        config::{EngineConfig, Variant},
        handshake::Identity,
        process::{EngineProcess, Interruption, Surroundings},
    },
    notation::{CastlingText, format_fen, uci_text},
    rules::{Move, SeriesPosition},
};

/// Waits for an engine that has something to do at once.
const PATIENCE: Duration = Duration::from_secs(20);
/// The wait for an answer after its time is over, or where only nodes end a search.
const THINK_PATIENCE: Duration = Duration::from_mins(10);
/// How long an engine may take to end before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// How many orders may wait.
const ORDERS_MAX: usize = 32;
/// Lines are passed on only while so many answers still have room.
const ROOM_MIN: usize = 64;

/// Where the answers to a job go.
pub type Replies = mpsc::Sender<Answer>;

/// What to do.
#[derive(Clone, Debug)]
pub enum Order {
    /// Think about a position.
    Think(Box<Job>),
    /// Stop; nothing more is said about the job but that it ended.
    Stop,
    /// Stop and answer with what has been found.
    MoveNow,
}

/// A position to think about.
#[derive(Clone, Debug)]
pub struct Job {
    /// The number of the message that asked.
    pub id: u32,
    /// The program and its options.
    pub engine: EngineConfig,
    /// The rules.
    pub variant: Variant,
    /// What `{seed}` in the options stands for.
    pub seed: u64,
    /// Where the game began.
    pub start: SeriesPosition,
    /// The moves so far.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: SeriesPosition,
    /// The `go` line.
    pub go: String,
    /// Whether `stop` has to be sent to get an answer, and after how long.
    pub stop_after: Option<Duration>,
    /// Whether the answer is to be played.
    pub plays: bool,
}

impl Job {
    fn position_line(&self) -> String {
        let mut line = format!("position fen {}", format_fen(&self.start));
        for (index, &played) in self.moves.iter().enumerate() {
            line.push_str(if index == 0 { " moves " } else { " " });
            line.push_str(&uci_text(played, CastlingText::KingMove));
        }
        line.push('\n');
        line
    }
}

/// A handle to the task. The engine ends when it is dropped.
pub struct Link {
    orders: mpsc::Sender<Order>,
    task: JoinHandle<()>,
}

impl Link {
    /// A link without a process yet. `places` bounds how many processes there are at once.
    pub fn new(replies: Replies, surroundings: Surroundings, places: Arc<Semaphore>) -> Link {
        let (orders, inbox) = mpsc::channel(ORDERS_MAX);
        let worker = Worker {
            inbox,
            replies,
            surroundings,
            places,
            running: None,
        };
        Link {
            orders,
            task: tokio::spawn(worker.run()),
        }
    }

    /// Gives an order; false if too many wait already. It never waits itself: the task may wait
    /// for the page to take its answers, and so would wait for ever.
    pub fn order(&self, order: Order) -> bool {
        self.orders.try_send(order).is_ok()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A process that has said `uciok`.
struct Running {
    process: EngineProcess,
    identity: Identity,
    engine: EngineConfig,
    /// What it is prepared for: rules and options.
    prepared: Option<String>,
    _place: OwnedSemaphorePermit,
}

/// How a job ended.
enum End {
    /// It is done; this order is next.
    Done(Option<Order>),
    /// The engine failed.
    Failed(String),
    /// It cannot do this, and a fresh process could not either.
    Unable(String),
    /// The server ends.
    Quit,
}

/// Answers the page.
async fn say(replies: &Replies, id: u32, reply: Reply) {
    // The page may be gone; then this task ends soon.
    let _ = replies.send(Answer { id, reply }).await;
}

struct Worker {
    inbox: mpsc::Receiver<Order>,
    replies: Replies,
    surroundings: Surroundings,
    places: Arc<Semaphore>,
    running: Option<Running>,
}

impl Worker {
    async fn run(mut self) {
        let mut next = None;
        loop {
            let order = match next.take() {
                Some(order) => order,
                None => match self.inbox.recv().await {
                    Some(order) => order,
                    None => break,
                },
            };
            if let Order::Think(job) = order {
                next = match self.work(&job).await {
                    End::Done(order) => order,
                    End::Failed(problem) | End::Unable(problem) => {
                        let text = format!("The engine {}: {problem}.", job.engine.name);
                        say(&self.replies, job.id, Reply::Error { text }).await;
                        None
                    }
                    End::Quit => break,
                };
            }
        }
        if let Some(running) = self.running.take() {
            running.process.shut_down(GRACE).await;
        }
    }

    /// Carries out a job, on a fresh process once more if the engine dies over it.
    async fn work(&mut self, job: &Job) -> End {
        match self.attempt(job).await {
            End::Failed(problem) => {
                self.end().await;
                let text = format!(
                    "The engine {} failed: {problem}. It is started again.",
                    job.engine.name
                );
                say(&self.replies, job.id, Reply::Notice { text }).await;
            }
            end => return end,
        }
        match self.attempt(job).await {
            End::Failed(problem) => {
                self.end().await;
                End::Failed(format!("it failed again: {problem}"))
            }
            end => end,
        }
    }

    async fn end(&mut self) {
        if let Some(running) = self.running.take() {
            running.process.kill().await;
        }
    }

    async fn attempt(&mut self, job: &Job) -> End {
        if self
            .running
            .as_ref()
            .is_some_and(|running| running.engine.command != job.engine.command)
        {
            self.end().await;
        }
        if self.running.is_none() {
            match self.start(&job.engine).await {
                Ok(running) => self.running = Some(running),
                Err(end) => return end,
            }
        }
        let Some(running) = self.running.as_mut() else {
            return End::Quit;
        };
        match running.prepare(job).await {
            Ok(()) => {}
            Err(end) => return end,
        }
        self.think(job).await
    }

    async fn start(&self, engine: &EngineConfig) -> Result<Running, End> {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return Err(End::Unable(
                "too many engines run already: close other pages of the board".to_owned(),
            ));
        };
        let process =
            EngineProcess::start(&engine.launch(&[]), &self.surroundings).map_err(|error| {
                End::Unable(format!(
                    "cannot start {}: {error}",
                    engine.command.display()
                ))
            })?;
        let mut running = Running {
            process,
            identity: Identity::default(),
            engine: engine.clone(),
            prepared: None,
            _place: place,
        };
        running.greet().await?;
        Ok(running)
    }

    async fn think(&mut self, job: &Job) -> End {
        let Some(running) = self.running.as_mut() else {
            return End::Quit;
        };
        let request = format!("{}{}\n", job.position_line(), job.go);
        let begun = Instant::now();
        if let Err(end) = running.send(&request).await {
            return end;
        }
        let mut stop_at = job.stop_after.map(|after| begun + after);
        let mut due = begun + THINK_PATIENCE;
        // Who endless analysis is stopped for; what comes until its `bestmove` is thrown away.
        let mut next = None;
        let mut given_up = false;
        let mut unlimited = !job.plays && job.stop_after.is_none();
        loop {
            let until = stop_at.unwrap_or(due).min(due);
            let line = tokio::select! {
                biased;
                order = self.inbox.recv(), if !given_up => {
                    match order {
                        None => return End::Quit,
                        Some(Order::MoveNow) => {}
                        Some(order) => {
                            given_up = true;
                            next = Some(order);
                        }
                    }
                    if let Err(end) = running.send("stop\n").await {
                        return end;
                    }
                    (stop_at, unlimited) = (None, false);
                    due = Instant::now() + PATIENCE;
                    continue;
                }
                line = running.process.read_line(until) => line.map(|line| String::from_utf8_lossy(line).into_owned()),
            };
            let line = match line {
                Ok(line) => line,
                Err(Interruption::Deadline) if stop_at.take().is_some() => {
                    if let Err(end) = running.send("stop\n").await {
                        return end;
                    }
                    due = Instant::now() + PATIENCE;
                    continue;
                }
                Err(Interruption::Deadline) if unlimited => {
                    due = Instant::now() + THINK_PATIENCE;
                    continue;
                }
                Err(interruption) => return running.failure(interruption),
            };
            // An analysis may go on for hours; a flood is what comes within one line's time.
            if unlimited {
                running.process.begin_turn();
            }
            if let Some(text) = keyword(&line, "bestmove") {
                if given_up {
                    say(&self.replies, job.id, Reply::Stopped {}).await;
                    return End::Done(next);
                }
                let reply = if job.plays {
                    match engine_line::read_series(&job.position, text) {
                        Ok(moves) => Reply::Played {
                            moves,
                            time: begun.elapsed().as_millis() as u64,
                        },
                        Err(text) => Reply::Error {
                            text: format!(
                                "The engine {} made no allowed series: {text}.",
                                job.engine.name
                            ),
                        },
                    }
                } else {
                    Reply::Stopped {}
                };
                say(&self.replies, job.id, reply).await;
                return End::Done(None);
            }
            if let Some(text) = keyword(&line, "info").filter(|_| !given_up) {
                if let Some(error) =
                    keyword(text, "string").and_then(|text| text.strip_prefix("error:"))
                {
                    return End::Failed(error.trim().to_owned());
                }
                if let Some(lines) = engine_line::read(&job.position, text) {
                    // A page that does not keep up misses lines, never answers.
                    if self.replies.capacity() > ROOM_MIN {
                        say(&self.replies, job.id, Reply::Lines(Box::new(lines))).await;
                    }
                }
            }
        }
    }
}

impl Running {
    async fn send(&mut self, text: &str) -> Result<(), End> {
        self.process.begin_turn();
        let sent = self
            .process
            .send(text.as_bytes(), Instant::now() + PATIENCE)
            .await;
        sent.map_err(|interruption| self.failure(interruption))
    }

    async fn wait_for(&mut self, word: &str, wait: Duration) -> Result<(), End> {
        let due = Instant::now() + wait;
        loop {
            let line = match self.process.read_line(due).await {
                Ok(line) => String::from_utf8_lossy(line).into_owned(),
                Err(interruption) => return Err(self.failure(interruption)),
            };
            if line == word {
                return Ok(());
            }
            if let Some(error) = line.strip_prefix("info string error:") {
                return Err(End::Failed(error.trim().to_owned()));
            }
            self.identity.read(&line);
        }
    }

    async fn greet(&mut self) -> Result<(), End> {
        self.send("uci\n").await?;
        self.wait_for("uciok", PATIENCE).await
    }

    /// Sets the rules and the options the engine has.
    async fn prepare(&mut self, job: &Job) -> Result<(), End> {
        let mut engine = job.engine.clone();
        engine.options.retain(|option| {
            let name = option.split('=').next().unwrap_or_default();
            self.identity.option(name).is_some()
        });
        let mut lines = self
            .identity
            .prepare(&engine, &job.variant)
            .map_err(End::Unable)?;
        lines.push_str(&self.identity.game_options(&engine, job.seed));
        if self.prepared.as_ref() == Some(&lines) {
            return Ok(());
        }
        self.prepared = Some(lines.clone());
        lines.push_str("isready\n");
        self.send(&lines).await?;
        self.wait_for("readyok", PATIENCE).await
    }

    /// Why nothing more comes, in words.
    fn failure(&self, interruption: Interruption) -> End {
        End::Failed(match interruption {
            Interruption::Stopped => return End::Quit,
            Interruption::Deadline => "it does not answer".to_owned(),
            Interruption::Flood => "it writes without end".to_owned(),
            Interruption::Exited => match self.process.exit_report() {
                None => "it ended".to_owned(),
                Some(report) if report.stderr.is_empty() => format!("it {}", report.exit),
                Some(report) => format!("it {} ({})", report.exit, report.stderr.join(" | ")),
            },
        })
    }
}

/// What follows `word` if the line begins with it.
fn keyword<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| rest.trim_start())
}
