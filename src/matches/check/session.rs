//! The engine under examination: lines go in, lines come out, with deadlines.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::watch;

use super::{Verdict, steps::Step};
use crate::{
    matches::{
        config::EngineConfig,
        handshake::Identity,
        process::{
            Control, EngineProcess, Interruption, LagMeter, ProcessGroups, Surroundings, last_words,
        },
        referee,
    },
    notation::{CastlingText, parse_fen, parse_uci_move, uci_text},
    rules::{Preset, SeriesPosition},
};

/// How long to wait where the protocol sets no limit.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// What counts as "at once", with room for a busy machine.
pub(super) const AT_ONCE: Duration = Duration::from_millis(500);

/// Why a step failed, in words.
pub(super) type Outcome = Result<(), Verdict>;

/// A failed verdict.
pub(super) fn fail(text: impl Into<String>) -> Verdict {
    Verdict::Fail(text.into())
}

/// One answer with everything that came before it.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    /// What follows `bestmove`.
    pub(super) best: String,
    /// The info lines before it, without the word `info`.
    pub(super) infos: Vec<String>,
    /// The time from `go`.
    pub(super) time: Duration,
}

impl Reply {
    /// The moves of the series, without the `ponder` part.
    pub(super) fn moves(&self) -> String {
        let words = self.best.split_ascii_whitespace();
        words
            .take_while(|&word| word != "ponder")
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The `ponder` part.
    pub(super) fn ponder(&self) -> Vec<&str> {
        let words = self.best.split_ascii_whitespace();
        words.skip_while(|&word| word != "ponder").skip(1).collect()
    }

    /// The value that follows `word` in the last info line that has it.
    pub(super) fn last_value(&self, word: &str) -> Option<String> {
        self.infos.iter().rev().find_map(|info| {
            let mut words = info.split_ascii_whitespace();
            words.find(|&other| other == word)?;
            words.next().map(str::to_owned)
        })
    }
}

/// The examination of one engine.
pub(super) struct Session {
    config: EngineConfig,
    surroundings: Surroundings,
    process: Option<EngineProcess>,
    /// What it said about itself, once it did.
    pub(super) identity: Identity,
    starts: u32,
    failed_starts: u32,
    /// The last `position` and `go` sent, for messages.
    asked: [String; 2],
    // Keeps the channel open.
    _control: watch::Sender<Control>,
}

impl Session {
    pub(super) fn new(config: EngineConfig) -> Session {
        let (sender, control) = watch::channel(Control::Play);
        Session {
            config,
            surroundings: Surroundings {
                groups: ProcessGroups::default(),
                control,
                meter: Arc::new(LagMeter::for_this_thread()),
                traffic_limit: 256 << 20,
            },
            process: None,
            identity: Identity::default(),
            starts: 0,
            failed_starts: 0,
            asked: Default::default(),
            _control: sender,
        }
    }

    /// Whether it has never been possible to talk to the engine.
    pub(super) fn is_hopeless(&self) -> bool {
        self.failed_starts > 0 && self.failed_starts == self.starts
    }

    /// Carries out one step, with a running engine whose position and rules are fresh. An engine
    /// that failed is started anew for the next step.
    pub(super) async fn carry_out(&mut self, step: &Step) -> Verdict {
        if let Err(verdict) = self.make_ready().await {
            return verdict;
        }
        match (step.run)(self).await {
            Ok(()) => Verdict::Pass,
            Err(verdict @ (Verdict::Skip(_) | Verdict::Warn(_))) => verdict,
            Err(verdict) => {
                self.kill().await;
                verdict
            }
        }
    }

    async fn make_ready(&mut self) -> Outcome {
        if self.process.is_none() {
            self.starts += 1;
            let started = self.start().await;
            if started.is_err() {
                self.failed_starts += 1;
                self.kill().await;
            }
            started?;
        }
        self.synchronize().await
    }

    /// Starts the engine and reads its handshake.
    async fn start(&mut self) -> Outcome {
        let process = EngineProcess::start(&self.config.launch(&[]), &self.surroundings)
            .map_err(|error| fail(format!("cannot be started: {error}")))?;
        self.process = Some(process);
        self.send("uci").await?;
        let lines = self.read_until("uciok", PATIENCE).await?;
        self.identity = Identity::default();
        for line in &lines {
            self.identity.read(line);
        }
        for option in self.config.options.clone() {
            let (name, value) = option.split_once('=').unwrap_or((&option, ""));
            self.set(name, value).await?;
        }
        Ok(())
    }

    /// Ends the engine at once.
    pub(super) async fn kill(&mut self) {
        if let Some(process) = self.process.take() {
            process.kill().await;
        }
    }

    /// Ends the engine politely.
    pub(super) async fn end(&mut self) {
        if let Some(process) = self.process.take() {
            process.shut_down(AT_ONCE).await;
        }
    }

    /// The running process, for steps that end it.
    pub(super) fn take_process(&mut self) -> Option<EngineProcess> {
        self.process.take()
    }

    fn process(&mut self) -> Result<&mut EngineProcess, Verdict> {
        self.process
            .as_mut()
            .ok_or_else(|| fail("it is not running"))
    }

    fn interruption(
        &self,
        interruption: Interruption,
        waiting: &str,
        patience: Duration,
    ) -> Verdict {
        fail(match interruption {
            Interruption::Deadline => {
                format!(
                    "{waiting} did not come within {:.1} s",
                    patience.as_secs_f64()
                )
            }
            Interruption::Flood => "it wrote more than 256 MiB".to_owned(),
            Interruption::Stopped => "interrupted".to_owned(),
            Interruption::Exited => {
                let report = self.process.as_ref().and_then(EngineProcess::exit_report);
                report.map_or_else(
                    || "it ended".to_owned(),
                    |report| format!("it {}{}", report.exit, last_words(&report.stderr)),
                )
            }
        })
    }

    /// Sends one line.
    pub(super) async fn send(&mut self, line: &str) -> Outcome {
        if line.starts_with("position ") {
            line.clone_into(&mut self.asked[0]);
        } else if line.starts_with("go ") {
            line.clone_into(&mut self.asked[1]);
        }
        self.send_raw(format!("{line}\n").as_bytes()).await
    }

    /// Sends bytes as they are.
    pub(super) async fn send_raw(&mut self, bytes: &[u8]) -> Outcome {
        let due = Instant::now() + PATIENCE;
        let sent = self.process()?.send(bytes, due).await;
        sent.map_err(|interruption| self.interruption(interruption, "reading its input", PATIENCE))
    }

    /// The next line that is not empty.
    pub(super) async fn read(
        &mut self,
        waiting: &str,
        patience: Duration,
    ) -> Result<String, Verdict> {
        let due = Instant::now() + patience;
        loop {
            let read = match self.process()?.read_line(due).await {
                Ok(line) => Ok(String::from_utf8_lossy(line).into_owned()),
                Err(interruption) => Err(interruption),
            };
            match read {
                Ok(line) if line.is_empty() => {}
                Ok(line) => return Ok(line),
                Err(interruption) => {
                    return Err(self.interruption(interruption, waiting, patience));
                }
            }
        }
    }

    /// All lines up to the one that is `last`.
    pub(super) async fn read_until(
        &mut self,
        last: &str,
        patience: Duration,
    ) -> Result<Vec<String>, Verdict> {
        let due = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            let left = due.saturating_duration_since(Instant::now());
            let line = self.read(&format!("'{last}'"), left).await?;
            if line == last {
                return Ok(lines);
            }
            lines.push(line);
        }
    }

    /// Asserts that no line but `info` comes for a while.
    pub(super) async fn stays_silent(&mut self, time: Duration) -> Outcome {
        let due = Instant::now() + time;
        loop {
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            match self.read("", left).await {
                Ok(line) if line.starts_with("info") => {}
                Ok(line) => return Err(fail(format!("'{line}' came unasked"))),
                Err(_)
                    if self
                        .process
                        .as_ref()
                        .is_some_and(|process| process.exit_report().is_none()) =>
                {
                    return Ok(());
                }
                Err(verdict) => return Err(verdict),
            }
        }
    }

    /// Waits for `readyok`, passing over everything before it.
    pub(super) async fn synchronize(&mut self) -> Outcome {
        self.send("isready").await?;
        self.read_until("readyok", PATIENCE).await.map(|_| ())
    }

    /// Sets an option.
    pub(super) async fn set(&mut self, name: &str, value: &str) -> Outcome {
        let value = if value.is_empty() {
            String::new()
        } else {
            format!(" value {value}")
        };
        self.send(&format!("setoption name {name}{value}")).await
    }

    /// The presets the engine offers.
    pub(super) fn presets(&self) -> Vec<Preset> {
        let option = self.identity.option("UCI_Variant");
        option
            .into_iter()
            .flat_map(|option| &option.values)
            .filter_map(|value| value.parse().ok())
            .collect()
    }

    /// Chooses a preset the engine offers, Italian first.
    pub(super) fn some_preset(&self) -> Result<Preset, Verdict> {
        let presets = self.presets();
        presets
            .iter()
            .copied()
            .find(|&preset| preset == Preset::Italian)
            .or_else(|| presets.first().copied())
            .ok_or_else(|| Verdict::Skip("it offers no preset".to_owned()))
    }

    /// Begins a game under a preset.
    pub(super) async fn new_game(&mut self, preset: Preset) -> Outcome {
        self.set("UCI_Variant", preset.as_str()).await?;
        self.send("ucinewgame").await?;
        self.synchronize().await
    }

    /// Sends a `go` command and waits for the answer.
    pub(super) async fn go(&mut self, go: &str, patience: Duration) -> Result<Reply, Verdict> {
        let sent = Instant::now();
        self.send(go).await?;
        self.answer(sent, patience).await
    }

    /// Waits for `bestmove`.
    pub(super) async fn answer(
        &mut self,
        sent: Instant,
        patience: Duration,
    ) -> Result<Reply, Verdict> {
        let mut infos = Vec::new();
        loop {
            let left = (sent + patience).saturating_duration_since(Instant::now());
            let line = match self.read("bestmove", left).await {
                Ok(line) => line,
                Err(Verdict::Fail(problem)) => {
                    let [position, go] = &self.asked;
                    return Err(fail(format!("after '{position}' and '{go}': {problem}")));
                }
                Err(verdict) => return Err(verdict),
            };
            if let Some(best) = line.strip_prefix("bestmove") {
                return Ok(Reply {
                    best: best.trim().to_owned(),
                    infos,
                    time: sent.elapsed(),
                });
            }
            if let Some(info) = line.strip_prefix("info ") {
                infos.push(info.to_owned());
            }
        }
    }
}

/// A position to be searched: how it is sent, and what it is.
pub(super) struct Task {
    /// The `position` command.
    pub(super) command: String,
    /// The position.
    pub(super) position: SeriesPosition,
}

/// Makes a position from a FEN (or nothing for the start) and a flat list of moves.
pub(super) fn task(preset: Preset, fen: Option<&str>, moves: &str) -> Result<Task, Verdict> {
    let rules = preset.rules();
    let wrong = |error: String| fail(format!("a fault of this checker: {error}"));
    let mut position = match fen {
        Some(fen) => parse_fen(rules, fen).map_err(|error| wrong(error.to_string()))?,
        None => SeriesPosition::start(rules),
    };
    let mut command = match fen {
        Some(fen) => format!("position fen {fen}"),
        None => "position startpos".to_owned(),
    };
    if !moves.is_empty() {
        command.push_str(" moves");
    }
    for text in moves.split_ascii_whitespace() {
        let m = parse_uci_move(&position, text).map_err(|error| wrong(error.to_string()))?;
        position.play(m);
        command.push(' ');
        command.push_str(&uci_text(m, CastlingText::KingMove));
    }
    Ok(Task { command, position })
}

/// Checks that an answer is a whole legal series for the position.
pub(super) fn is_legal(task: &Task, reply: &Reply) -> Outcome {
    referee::judge_series(&task.position, &reply.moves())
        .map(|_| ())
        .map_err(|fault| fail(format!("after '{}': {fault}", task.command)))
}
