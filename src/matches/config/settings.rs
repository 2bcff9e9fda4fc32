//! Settings as given: everything is optional.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::{BookOrder, Format, Mode, Recover, Variant};
use crate::matches::{
    UsageError,
    time_control::{ThinkLimit, TimeControl},
};

/// Defines a struct of optional settings that read from files, with a method that lays one over
/// another.
macro_rules! settings {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
        pub struct $name {
            $($(#[$doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)+
        }

        impl $name {
            /// These settings, and where they say nothing what `base` says.
            #[must_use]
            pub fn over(self, base: &$name) -> $name {
                $name { $($field: self.$field.or_else(|| base.$field.clone()),)+ }
            }
        }
    };
}

/// Games played at once: a number, or `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concurrency {
    /// As many as there are processors for the threads of one engine.
    Auto,
    /// So many.
    Games(usize),
}

impl Serialize for Concurrency {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Concurrency::Auto => serializer.serialize_str("auto"),
            Concurrency::Games(games) => serializer.serialize_u64(*games as u64),
        }
    }
}

impl<'de> Deserialize<'de> for Concurrency {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Concurrency, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Given {
            Number(usize),
            Word(String),
        }
        match Given::deserialize(deserializer)? {
            Given::Number(games) => Ok(Concurrency::Games(games)),
            Given::Word(word) if word == "auto" => Ok(Concurrency::Auto),
            Given::Word(word) => Err(serde::de::Error::custom(format!(
                "concurrency '{word}' is neither a number nor auto"
            ))),
        }
    }
}

settings! {
    /// One engine; the fields are those of [`super::EngineConfig`].
    EngineSettings {
        /// Its name.
        name: String,
        /// The program: a path if it contains a slash, else looked up in `PATH`.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its working directory.
        dir: PathBuf,
        /// How it is spoken to.
        mode: Mode,
        /// Whether it is started anew for every game.
        restart: bool,
        /// By how much it may be late, milliseconds.
        margin: u64,
        /// A clock.
        tc: TimeControl,
        /// A fixed time for each series, milliseconds.
        movetime: u64,
        /// Nodes for each series.
        nodes: u64,
        /// Depth for each series.
        depth: u32,
        /// `go infinite`, and `stop` after this many milliseconds.
        infinite: u64,
        /// Environment, as `NAME=VALUE`.
        env: Vec<String>,
        /// UCI options, as `NAME=VALUE`.
        options: Vec<String>,
    }
}

settings! {
    /// Openings.
    BookSettings {
        /// The file.
        file: PathBuf,
        /// The order.
        order: BookOrder,
        /// The first opening taken, from 1.
        start: u64,
        /// How many series of each line are played, at most.
        plies: u32,
    }
}

settings! {
    /// A sequential test.
    SprtSettings {
        /// Elo difference under H0.
        elo0: f64,
        /// Elo difference under H1.
        elo1: f64,
        /// Probability of accepting H1 when H0 holds.
        alpha: f64,
        /// Probability of accepting H0 when H1 holds.
        beta: f64,
        /// Unit of the bounds.
        model: String,
    }
}

settings! {
    /// When a lost game is stopped.
    ResignSettings {
        /// Centipawns.
        score: i32,
        /// Turns.
        count: u32,
        /// Both sides must agree.
        two_sided: bool,
    }
}

settings! {
    /// When a level game is stopped.
    DrawSettings {
        /// The first turn that counts.
        from: u16,
        /// Turns of each side.
        count: u32,
        /// Centipawns.
        score: i32,
    }
}

settings! {
    /// What ends games early.
    AdjudicationSettings {
        /// Resignation by score.
        resign: ResignSettings,
        /// Draw by score.
        draw: DrawSettings,
        /// The last turn that is played.
        max_turns: u16,
        /// Nodes for the solver before each turn.
        mate_nodes: u64,
    }
}

settings! {
    /// How long to wait for engines, milliseconds.
    PatienceSettings {
        /// From the start to `uciok`.
        start: u64,
        /// From `isready` to `readyok`.
        ready: u64,
        /// For `bestmove` without a clock.
        think: u64,
        /// From `stop` to `bestmove`.
        stop: u64,
        /// From `quit` to the end.
        quit: u64,
    }
}

settings! {
    /// A whole match.
    Settings {
        /// The PGN tag `Event`.
        event: String,
        /// The PGN tag `Site`.
        site: String,
        /// Who meets whom.
        format: Format,
        /// Pairs of games for each pairing and variant.
        rounds: u64,
        /// What all random choices derive from.
        seed: u64,
        /// Games played at once.
        concurrency: Concurrency,
        /// The processors of slot 1, 2, ...
        cpus: Vec<usize>,
        /// What happens when an engine fails.
        recover: Recover,
        /// Failures in a row of one engine until the match stops.
        failure_limit: u32,
        /// How many bytes an engine may write in one turn.
        flood_limit: u64,
        /// The rules that are played.
        variants: Vec<Variant>,
        /// What ends games early.
        adjudication: AdjudicationSettings,
        /// How long to wait for engines.
        patience: PatienceSettings,
        /// Openings.
        openings: BookSettings,
        /// A sequential test.
        sprt: SprtSettings,
        /// What holds for every engine that doesn't say otherwise.
        each: EngineSettings,
        /// The engines.
        engines: Vec<EngineSettings>,
    }
}

impl EngineSettings {
    /// How long it may think, as far as it is said.
    pub fn limit(&self) -> ThinkLimit {
        ThinkLimit {
            tc: self.tc.clone(),
            movetime: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
            infinite: self.infinite,
        }
    }

    /// These settings over `base`, whose limits count only where these have none: a mixture would
    /// surprise.
    #[must_use]
    pub fn over_with_limits(self, base: &EngineSettings) -> EngineSettings {
        let limit = if self.limit().is_bounded() {
            self.limit()
        } else {
            base.limit()
        };
        EngineSettings {
            tc: limit.tc,
            movetime: limit.movetime,
            nodes: limit.nodes,
            depth: limit.depth,
            infinite: limit.infinite,
            ..self.over(base)
        }
    }
}

/// One group of settings laid over another by `over`, where both say something.
fn group<T: Clone>(own: Option<T>, base: Option<&T>, over: fn(T, &T) -> T) -> Option<T> {
    match (own, base) {
        (Some(own), Some(base)) => Some(over(own, base)),
        (own, base) => own.or_else(|| base.cloned()),
    }
}

impl AdjudicationSettings {
    fn over_groups(self, base: &AdjudicationSettings) -> AdjudicationSettings {
        let own = self.clone();
        AdjudicationSettings {
            resign: group(own.resign, base.resign.as_ref(), ResignSettings::over),
            draw: group(own.draw, base.draw.as_ref(), DrawSettings::over),
            ..self.over(base)
        }
    }
}

impl Settings {
    /// Lays the command line over a file, group by group: `--resign score=500` keeps the file's
    /// count.
    #[must_use]
    pub fn over_file(self, file: &Settings) -> Settings {
        let own = self.clone();
        Settings {
            adjudication: group(
                own.adjudication,
                file.adjudication.as_ref(),
                AdjudicationSettings::over_groups,
            ),
            patience: group(own.patience, file.patience.as_ref(), PatienceSettings::over),
            openings: group(own.openings, file.openings.as_ref(), BookSettings::over),
            sprt: group(own.sprt, file.sprt.as_ref(), SprtSettings::over),
            each: group(
                own.each,
                file.each.as_ref(),
                EngineSettings::over_with_limits,
            ),
            ..self.over(file)
        }
    }

    /// Reads a settings file, TOML or (by its name's ending, or a leading brace) JSON. Relative
    /// paths in it are left as they are: they are relative to where the runner is started.
    ///
    /// # Errors
    /// A [`UsageError`] that names the file and, for what is not understood, line and field.
    pub fn read(file: &Path) -> anyhow::Result<Settings> {
        let name = file.display();
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read the configuration {name}"))
            .map_err(UsageError)?;
        let json = file
            .extension()
            .is_some_and(|extension| extension == "json")
            || text.trim_start().starts_with('{');
        let settings = if json {
            serde_json::from_str(&text).map_err(anyhow::Error::from)
        } else {
            toml::from_str(&text).map_err(anyhow::Error::from)
        };
        Ok(settings
            .with_context(|| format!("in the configuration {name}"))
            .map_err(UsageError)?)
    }
}
