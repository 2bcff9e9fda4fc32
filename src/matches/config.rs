//! What a match is: settings as given (all optional), and the configuration they resolve to.
//!
//! Settings come from a file and from the command line in the same form, [`Settings`]; what the
//! command line says goes before. [`Settings::resolve`] fills in every default and checks
//! everything that can be checked without starting an engine. The resolved [`MatchConfig`] is
//! written beside the results in a form that can be read as settings again, and stands at the top
//! of the journal, so that a resumed match is the same match.

mod arguments;
mod resolve;
mod settings;
mod variant;

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

pub use arguments::{DisplayArgs, Output, RunArgs};
pub use settings::{
    AdjudicationSettings, BookSettings, Concurrency, DrawSettings, EngineSettings,
    PatienceSettings, ResignSettings, Settings, SprtSettings,
};
pub use variant::{Variant, VariantError};

use super::{process::Launch, time_control::ThinkLimit};

/// How an engine is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// One `go` for a whole series (protocol.md).
    #[default]
    Series,
    /// One `go` for each move; the waiting side's turns are null moves.
    Alternating,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
}

/// In which order openings are taken from the book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BookOrder {
    /// As they stand.
    #[default]
    Sequential,
    /// Shuffled by the match seed.
    Random,
}

/// What happens when an engine crashes, stalls or floods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recover {
    /// The game is lost and the engine is started anew; the match stops after several such games
    /// in a row ([`MatchConfig::failure_limit`]).
    #[default]
    Restart,
    /// The game is lost and the match stops.
    Stop,
}

/// One engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EngineConfig {
    /// Its name in all results; no two are alike.
    pub name: String,
    /// The program's full path.
    pub command: PathBuf,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Its working directory; `None` is the runner's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// How it is spoken to.
    pub mode: Mode,
    /// Whether it is started anew for every game.
    pub restart: bool,
    /// By how much it may be late, milliseconds.
    pub margin: u64,
    /// How long it may think.
    #[serde(flatten)]
    pub limit: ThinkLimit,
    /// Variables set on top of the runner's environment, as `NAME=VALUE`.
    #[serde(default)]
    pub env: Vec<String>,
    /// UCI options as `NAME=VALUE`, in the order in which they are sent. `{seed}` in a value
    /// becomes the game's seed.
    #[serde(default)]
    pub options: Vec<String>,
}

impl EngineConfig {
    /// What to start, on `cpus`.
    pub fn launch(&self, cpus: &[usize]) -> Launch {
        let split = |text: &String| {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            (name.to_owned(), value.to_owned())
        };
        Launch {
            program: self.command.clone(),
            arguments: self.args.clone(),
            directory: self.dir.clone(),
            environment: self.env.iter().map(split).collect(),
            cpus: cpus.to_vec(),
        }
    }
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct BookConfig {
    /// The file.
    pub file: PathBuf,
    /// The order.
    pub order: BookOrder,
    /// The first opening taken, from 1.
    pub start: u64,
    /// How many series of each line are played, at most; `None` is all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
}

/// A sequential test between two engines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SprtConfig {
    /// Elo difference under H0, in the model's unit.
    pub elo0: f64,
    /// Elo difference under H1.
    pub elo1: f64,
    /// Probability of accepting H1 when H0 holds.
    pub alpha: f64,
    /// Probability of accepting H0 when H1 holds.
    pub beta: f64,
    /// Unit of the bounds: normalized, logistic or bayesian.
    pub model: String,
}

/// When a lost game is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ResignConfig {
    /// At this score against oneself or worse, centipawns.
    pub score: i32,
    /// After so many own turns in a row.
    pub count: u32,
    /// The winner's scores must agree for as many turns.
    pub two_sided: bool,
}

/// When a level game is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DrawConfig {
    /// From this turn number on.
    pub from: u16,
    /// After so many turns in a row of each side.
    pub count: u32,
    /// At this distance from 0 or closer, centipawns.
    pub score: i32,
}

/// What ends games early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct AdjudicationConfig {
    /// Resignation by score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignConfig>,
    /// Draw by score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawConfig>,
    /// The last turn that is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u16>,
    /// How many nodes our own solver may search before each turn for a mate in that series; a
    /// proven one ends the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate_nodes: Option<u64>,
}

/// How long to wait for an engine, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Patience {
    /// From the start to `uciok`.
    pub start: u64,
    /// From `isready` to `readyok`.
    pub ready: u64,
    /// For `bestmove` where neither a clock nor a fixed time is set.
    pub think: u64,
    /// From `stop` to `bestmove`.
    pub stop: u64,
    /// From `quit` to the end, and again from SIGTERM to SIGKILL.
    pub quit: u64,
}

impl Patience {
    /// The time of one of the fields.
    pub fn of(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }
}

/// A whole match, every default filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MatchConfig {
    /// The PGN tag `Event`.
    pub event: String,
    /// The PGN tag `Site`.
    pub site: String,
    /// Who meets whom.
    pub format: Format,
    /// Pairs of games for each pairing and variant.
    pub rounds: u64,
    /// What all random choices derive from.
    pub seed: u64,
    /// Games played at once.
    pub concurrency: usize,
    /// The processors of slot 1, 2, ..., one for each; empty is no pinning.
    pub cpus: Vec<usize>,
    /// What happens when an engine fails.
    pub recover: Recover,
    /// After how many failures in a row of one engine the match stops.
    pub failure_limit: u32,
    /// How many bytes an engine may write in one turn.
    pub flood_limit: u64,
    /// The rules that are played: each round plays every one.
    pub variants: Vec<Variant>,
    /// What ends games early.
    pub adjudication: AdjudicationConfig,
    /// How long to wait for engines.
    pub patience: Patience,
    /// Openings; `None` is the start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<BookConfig>,
    /// A sequential test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtConfig>,
    /// The engines, at least two.
    pub engines: Vec<EngineConfig>,
}
