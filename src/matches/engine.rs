//! An engine that speaks the protocol: start, preparation, and one answer per `go`, each with a
//! deadline. What goes wrong comes back as a [`Fault`].

use std::time::{Duration, Instant};

use super::{
    config::{EngineConfig, Patience, Variant},
    ending::{Fault, Phase, milliseconds},
    excerpt::excerpt,
    handshake::Identity,
    info::Info,
    process::{EngineProcess, Interruption, Surroundings, last_words},
};

/// How long an engine that repeats its last answer may go on thinking before it is asked to stop.
const REPEAT_PATIENCE: Duration = Duration::from_millis(100);

/// An answer that is perhaps only the last one once more.
struct Repeated {
    moves: String,
    /// When it came, and how late the reader was.
    arrival: (Instant, Duration),
    /// Until when another answer may follow before something is done.
    due: Instant,
    /// The engine has been asked to stop.
    stopped: bool,
}

/// Why an engine gave no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// It failed.
    Fault(Fault),
    /// The match is being stopped; nobody is to blame.
    Stopped,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

/// An answer to one `go`.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What follows `bestmove`, up to `ponder`.
    pub moves: String,
    /// The time from `go` to the reading of the answer, less the reader's own lag.
    pub used: Duration,
    /// How late the reader was, for want of a processor.
    pub lag: Duration,
    /// What the engine said while it thought.
    pub info: Info,
}

/// How long one answer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The time budget; `None` where only nodes or depth are limited.
    pub budget: Option<Duration>,
    /// By how much the budget may be overrun.
    pub margin: Duration,
    /// When to send `stop`.
    pub stop_after: Option<Duration>,
}

/// A running engine, ready for games or on the way there.
pub struct Engine {
    process: EngineProcess,
    identity: Identity,
    config: EngineConfig,
    patience: Patience,
    /// The variant it is prepared for.
    prepared: Option<Variant>,
    /// It once answered without being asked: from then on it is asked for `readyok` before every
    /// `go`, so that a stale answer is never taken for a fresh one.
    suspect: bool,
    /// Its last answer in this game.
    last_answer: Option<String>,
    dropped_lines: u64,
}

impl Engine {
    /// Starts the program and waits for `uciok`.
    ///
    /// # Errors
    /// The fault, or that the match is being stopped.
    pub async fn start(
        config: &EngineConfig,
        patience: Patience,
        cpus: &[usize],
        surroundings: &Surroundings,
    ) -> Result<Engine, Trouble> {
        let process =
            EngineProcess::start(&config.launch(cpus), surroundings).map_err(|error| {
                Fault::StartFailure {
                    problem: format!("cannot start {}: {error}", config.command.display()),
                }
            })?;
        let mut engine = Engine {
            process,
            identity: Identity::default(),
            config: config.clone(),
            patience,
            prepared: None,
            suspect: false,
            last_answer: None,
            dropped_lines: 0,
        };
        let due = Instant::now() + Patience::of(patience.start);
        match engine.greet(due).await {
            Ok(()) => Ok(engine),
            Err(interruption) => {
                let trouble = engine.start_trouble(interruption);
                engine.process.kill().await;
                Err(trouble)
            }
        }
    }

    async fn greet(&mut self, due: Instant) -> Result<(), Interruption> {
        self.process.send(b"uci\n", due).await?;
        loop {
            let line = self.process.read_line(due).await?;
            if line == b"uciok" {
                return Ok(());
            }
            self.identity.read(&String::from_utf8_lossy(line));
        }
    }

    /// What kept an engine from starting; crashes and stalls are start failures here.
    fn start_trouble(&self, interruption: Interruption) -> Trouble {
        match self.trouble(interruption, Phase::Start, self.patience.start) {
            Trouble::Fault(fault @ (Fault::Crash { .. } | Fault::Stall { .. })) => {
                let stderr = match &fault {
                    Fault::Stall { .. } => self.process.stderr_lines(),
                    _ => Vec::new(),
                };
                let problem = format!("{fault}{}", last_words(&stderr));
                Fault::StartFailure { problem }.into()
            }
            trouble => trouble,
        }
    }

    fn trouble(&self, interruption: Interruption, during: Phase, waited: u64) -> Trouble {
        match interruption {
            Interruption::Stopped => Trouble::Stopped,
            Interruption::Deadline => Fault::Stall {
                during,
                waited: waited as f64,
            }
            .into(),
            Interruption::Flood => Fault::Flood {
                limit: self.process.traffic_limit(),
            }
            .into(),
            Interruption::Exited => match self.process.exit_report() {
                Some(report) => Fault::Crash { report, during }.into(),
                // Does not happen: an exit is noted before it is reported.
                None => Fault::Stall {
                    during,
                    waited: waited as f64,
                }
                .into(),
            },
        }
    }

    /// Prepares for a game of `variant` with `seed`: options, `ucinewgame`, `isready`.
    ///
    /// # Errors
    /// The fault, or that the match is being stopped.
    pub async fn new_game(&mut self, variant: &Variant, seed: u64) -> Result<(), Trouble> {
        self.process.begin_turn();
        self.last_answer = None;
        let mut lines = String::new();
        let unprepared = self.prepared.as_ref() != Some(variant);
        if unprepared {
            lines = self
                .identity
                .prepare(&self.config, variant)
                .map_err(|problem| Fault::StartFailure {
                    problem: excerpt(&problem),
                })?;
        }
        lines.push_str(&self.identity.game_options(&self.config, seed));
        lines.push_str("ucinewgame\nisready\n");
        if let Some(complaint) = self.wait_until_ready(lines.as_bytes()).await? {
            // What it took once it takes again, so later complaints are about something else.
            if unprepared {
                let problem = format!("it refuses what it is set to: {complaint}");
                return Err(Fault::StartFailure { problem }.into());
            }
            tracing::warn!(engine = self.config.name, "says before a game: {complaint}");
        }
        self.prepared = Some(variant.clone());
        Ok(())
    }

    /// Sends lines that end in `isready`, waits for `readyok`, and returns the first error that
    /// the engine speaks of meanwhile.
    async fn wait_until_ready(&mut self, lines: &[u8]) -> Result<Option<String>, Trouble> {
        let due = Instant::now() + Patience::of(self.patience.ready);
        let outcome = async {
            self.process.send(lines, due).await?;
            let mut complaint = None;
            loop {
                let line = self.process.read_line(due).await?;
                if line == b"readyok" {
                    return Ok(complaint);
                }
                if let (None, Some(error)) = (&complaint, error_text(line)) {
                    complaint = Some(error);
                }
            }
        }
        .await;
        outcome
            .map_err(|interruption| self.trouble(interruption, Phase::Ready, self.patience.ready))
    }

    /// Sends `request` (position and go, each line ended) and waits for the answer.
    ///
    /// An answer that repeats the engine's last one word for word and is not `legal` now may have
    /// been sent twice, the second time too late to be dropped before this `go`. It is held back:
    /// if another answer follows, it was a double and is dropped. If none follows within
    /// [`REPEAT_PATIENCE`], `stop` is sent, which a thinking engine answers; if that brings no
    /// answer either, or the time is up, what was held back is the answer.
    ///
    /// # Errors
    /// The fault, or that the match is being stopped.
    pub async fn think(
        &mut self,
        request: &[u8],
        allowance: Allowance,
        legal: impl Fn(&str) -> bool,
    ) -> Result<Answer, Trouble> {
        self.process.begin_turn();
        self.drop_stale_lines().await;
        if self.suspect {
            self.wait_until_ready(b"isready\n").await?;
        }
        let sent = Instant::now();
        let patience = Patience::of(self.patience.think);
        let stop_patience = Patience::of(self.patience.stop);
        let limit = match (allowance.budget, allowance.stop_after) {
            (Some(budget), _) => budget + allowance.margin,
            (None, Some(stop_after)) => stop_after + stop_patience,
            (None, None) => patience,
        };
        let due = sent + limit;
        if let Err(interruption) = self.process.send(request, due).await {
            return Err(self.trouble(interruption, Phase::Input, limit.as_millis() as u64));
        }
        let mut info = Info::default();
        let mut stop_at = allowance.stop_after.map(|after| sent + after);
        let mut repeated: Option<Repeated> = None;
        loop {
            let wakes = [stop_at, repeated.as_ref().map(|repeated| repeated.due)];
            let until = wakes.into_iter().flatten().min().unwrap_or(due).min(due);
            let interruption = match self.read_answer(until, due, &mut info).await {
                Ok(moves)
                    if repeated.is_none()
                        && self.last_answer.as_ref() == Some(&moves)
                        && !legal(&moves) =>
                {
                    repeated = Some(Repeated {
                        moves,
                        arrival: self.process.arrival(),
                        due: Instant::now() + REPEAT_PATIENCE,
                        stopped: false,
                    });
                    continue;
                }
                Ok(moves) => {
                    if repeated.is_some() {
                        self.suspect("sent its last bestmove again");
                    }
                    let arrival = self.process.arrival();
                    return self.accept(moves, arrival, sent, allowance, info);
                }
                Err(interruption) => interruption,
            };
            let trouble = |engine: &Engine, interruption| {
                engine.trouble(interruption, Phase::Think, limit.as_millis() as u64)
            };
            if interruption != Interruption::Deadline {
                return Err(trouble(self, interruption));
            }
            let now = Instant::now();
            let stop_due = match repeated.take() {
                Some(held) if now >= due || (held.stopped && now >= held.due) => {
                    return self.accept(held.moves, held.arrival, sent, allowance, info);
                }
                Some(held) if now >= held.due => {
                    repeated = Some(Repeated {
                        due: now + stop_patience,
                        stopped: true,
                        ..held
                    });
                    stop_at = None;
                    true
                }
                held => {
                    repeated = held;
                    stop_at.take().is_some()
                }
            };
            if stop_due {
                if let Err(interruption) = self.process.send(b"stop\n", due).await {
                    return Err(trouble(self, interruption));
                }
            } else if now >= due {
                let Some(budget) = allowance.budget else {
                    return Err(trouble(self, Interruption::Deadline));
                };
                let overrun = self.stop_late(sent, stop_patience, &mut info).await?;
                return Err(late(budget, overrun.map(|used| used.saturating_sub(budget))).into());
            }
        }
    }

    /// Takes `moves`, which came at `arrival` (with the reader's lag), for the answer to the `go`
    /// of the moment `sent`.
    fn accept(
        &mut self,
        moves: String,
        arrival: (Instant, Duration),
        sent: Instant,
        allowance: Allowance,
        info: Info,
    ) -> Result<Answer, Trouble> {
        let (arrival, lag) = arrival;
        let elapsed = arrival.saturating_duration_since(sent);
        let lag = lag.min(elapsed);
        let used = elapsed.saturating_sub(lag);
        if let Some(budget) = allowance.budget
            && used > budget + allowance.margin
        {
            return Err(late(budget, Some(used.saturating_sub(budget))).into());
        }
        self.last_answer = Some(moves.clone());
        Ok(Answer {
            moves,
            used,
            lag,
            info,
        })
    }

    /// Reads up to the next `bestmove`. A talkative engine is cut off too: lines read after `due`
    /// end the wait, unless they are the answer itself, whose time the caller judges.
    async fn read_answer(
        &mut self,
        until: Instant,
        due: Instant,
        info: &mut Info,
    ) -> Result<String, Interruption> {
        loop {
            let line = self.process.read_line(until).await?;
            if let Some(answer) = keyword(line, b"bestmove") {
                let answer = String::from_utf8_lossy(answer);
                let moves: Vec<&str> = answer
                    .split_ascii_whitespace()
                    .take_while(|&word| word != "ponder")
                    .collect();
                return Ok(moves.join(" "));
            }
            if let Some(line) = keyword(line, b"info") {
                info.read(&String::from_utf8_lossy(line));
            }
            if self.process.arrival().0 > due.min(until) {
                return Err(Interruption::Deadline);
            }
        }
    }

    /// The time is up: asks the engine to stop, and waits a little for its answer, which tells the
    /// true overrun and leaves it fit for the next game. `None` if it doesn't come.
    async fn stop_late(
        &mut self,
        sent: Instant,
        patience: Duration,
        info: &mut Info,
    ) -> Result<Option<Duration>, Trouble> {
        let due = Instant::now() + patience;
        let outcome = async {
            self.process.send(b"stop\n", due).await?;
            self.read_answer(due, due, info).await
        }
        .await;
        match outcome {
            Ok(_) => Ok(Some(
                self.process.arrival().0.saturating_duration_since(sent),
            )),
            Err(Interruption::Stopped) => Err(Trouble::Stopped),
            Err(_) => Ok(None),
        }
    }

    /// Notes that it answers without being asked.
    fn suspect(&mut self, what: &str) {
        if !self.suspect {
            self.suspect = true;
            tracing::warn!(
                engine = self.config.name,
                "{what}; it was dropped, and from now on readyok is awaited before every go"
            );
        }
    }

    /// Passes over what was written since the last answer. An unasked `bestmove` is noted.
    async fn drop_stale_lines(&mut self) {
        let mut unasked = false;
        let mut lines = 0u32;
        while let Some(line) = self.process.read_ready_line().await {
            unasked |= keyword(line, b"bestmove").is_some();
            lines += 1;
            // A flood is the next wait's business.
            if lines > 100_000 {
                break;
            }
        }
        if unasked {
            self.suspect("sent a bestmove nobody asked for");
        }
        let dropped = self.process.dropped_lines();
        if dropped > self.dropped_lines {
            self.dropped_lines = dropped;
            tracing::warn!(
                engine = self.config.name,
                dropped,
                "sent lines too long to keep; they were dropped"
            );
        }
    }

    /// Ends it, politely first.
    pub async fn shut_down(self, grace: Duration) {
        self.process.shut_down(grace).await;
    }

    /// Ends it at once.
    pub async fn kill(self) {
        self.process.kill().await;
    }
}

fn late(budget: Duration, overrun: Option<Duration>) -> Fault {
    Fault::TimeForfeit {
        budget: milliseconds(budget),
        overrun: overrun.map(milliseconds),
    }
}

/// What an engine says about an error, in the form of protocol.md: `info string error: ...`.
fn error_text(line: &[u8]) -> Option<String> {
    let text = keyword(keyword(line, b"info")?, b"string")?;
    text.starts_with(b"error")
        .then(|| excerpt(&String::from_utf8_lossy(text)))
}

/// What follows `word` if the line begins with it.
fn keyword<'a>(line: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(word)?;
    match rest.first() {
        None => Some(rest),
        Some(byte) if byte.is_ascii_whitespace() => Some(rest.trim_ascii()),
        Some(_) => None,
    }
}
