//! The command line of `seriatim-match run`, read into [`Settings`].

mod words;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use super::{AdjudicationSettings, EngineSettings, Format, Recover, Settings, Variant};
use crate::matches::UsageError;
use words::{
    read_concurrency, read_cpus, read_draw, read_engine, read_openings, read_patience, read_resign,
    read_sprt,
};

const EXAMPLES: &str = "\
Examples:
  seriatim-match run --engine cmd=./new name=new --engine cmd=./old name=old --each tc=10+0.1
      one pair of games under Italian rules
  seriatim-match run --engine cmd=./new name=new --engine cmd=./old name=old --each tc=4/10:6/10+0.1 \\
      --variant scottish --openings file=book.epd order=random --rounds 100 --concurrency 2 --out scottish-test
      a hundred pairs from a book, two games at once, everything written into ./scottish-test
  seriatim-match run --engine cmd=./new --engine cmd=./old --each nodes=20000 --sprt elo0=0 elo1=10
      play until the test decides
  seriatim-match resume scottish-test
      go on after an interruption

Exit code: 0 complete, 1 incomplete, 2 usage, 3 engine failure, 130 interrupted.";

/// What standard output gets while a match runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// A live table on a terminal, plain lines elsewhere.
    #[default]
    Auto,
    /// One line for each game.
    Plain,
    /// One JSON object for each game, and one for the end.
    Json,
    /// The final report only.
    Quiet,
}

/// Play a match or tournament between engines.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArgs {
    /// Settings in TOML or JSON; what the command line says goes before.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    repeated: Repeated,

    /// What holds for every engine that doesn't say otherwise; the keys of --engine.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Option<Vec<String>>,

    /// Who meets whom: all against all, or the first engine against all others.
    #[arg(long, value_name = "FORMAT")]
    format: Option<FormatArgument>,

    /// Pairs of games for each pairing and variant [default: 1; with --sprt 100000].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    rounds: Option<u64>,

    /// What all random choices derive from [default: 1].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Games played at once, or auto: as many as processors, divided by the threads an engine
    /// uses [default: 1].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    concurrency: Option<String>,

    /// Pin each slot's engines to one processor: numbers and ranges, e.g. 0,2-5.
    #[arg(long, value_name = "LIST", allow_negative_numbers = true)]
    cpus: Option<String>,

    /// Openings: file=FILE (FEN or EPD lines, lines of moves, or PGN) [order=sequential|random]
    /// [start=N] [plies=SERIES].
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    openings: Option<Vec<String>>,

    /// Stop when a sequential test decides: elo0=E elo1=E [alpha=P] [beta=P]
    /// [model=normalized|logistic].
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Option<Vec<String>>,

    /// Stop lost games: [score=CENTIPAWNS] [count=TURNS] [two-sided=on|off]
    /// [default: 1000, 2, on].
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    resign: Option<Vec<String>>,

    /// Stop level games: [from=TURN] [count=TURNS] [score=CENTIPAWNS] [default: 10, 3, 10].
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    draw: Option<Vec<String>>,

    /// The last turn that is played; after it the game is drawn.
    #[arg(long, value_name = "TURN", allow_negative_numbers = true)]
    max_turns: Option<u16>,

    /// Before each turn, search so many nodes for a mate in that series; a proven one ends the
    /// game.
    #[arg(long, value_name = "NODES", allow_negative_numbers = true)]
    mate_nodes: Option<u64>,

    /// What happens when an engine crashes or stalls: the game is lost either way, and then the
    /// engine is started anew, or the match stops.
    #[arg(long, value_name = "POLICY")]
    recover: Option<RecoverArgument>,

    /// Stop the match after so many failures of one engine in a row [default: 5].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    failure_limit: Option<u32>,

    /// Bytes an engine may write in one turn [default: 268435456].
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    flood_limit: Option<u64>,

    /// How long to wait: [start=TIME] [ready=TIME] [think=TIME] [stop=TIME] [quit=TIME]
    /// [default: 10s, 60s, 600s, 1s, 1s].
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    patience: Option<Vec<String>>,

    /// PGN tag Event.
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,

    /// PGN tag Site.
    #[arg(long, value_name = "TEXT")]
    site: Option<String>,

    /// Where everything is written: journal, games, configuration and reports. A new directory
    /// [default: match-N, the first that is free].
    #[arg(long, value_name = "DIRECTORY")]
    pub out: Option<PathBuf>,

    /// What is shown meanwhile.
    #[command(flatten)]
    pub display: DisplayArgs,
}

/// What is shown while a match runs.
#[derive(Debug, Clone, Default, Args)]
pub struct DisplayArgs {
    /// What standard output gets.
    #[arg(long, value_enum, default_value_t = Output::Auto)]
    pub output: Output,

    /// In plain output, write the standings after every so many games.
    #[arg(long, value_name = "GAMES", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub interval: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArgument {
    RoundRobin,
    Gauntlet,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RecoverArgument {
    Restart,
    Stop,
}

/// The flags that may stand several times, with a list of words each time.
#[derive(Clone, Debug, Default)]
struct Repeated {
    engine: Vec<Vec<String>>,
    variant: Vec<Vec<String>>,
}

impl Args for Repeated {
    fn augment_args(command: Command) -> Command {
        let list = |id: &'static str, value: &'static str| {
            Arg::new(id)
                .long(id)
                .value_name(value)
                .num_args(1..)
                .action(ArgAction::Append)
        };
        command
            .arg(list("engine", "KEY=VALUE").help(
                "An engine: cmd=PROGRAM [name=NAME] [arg=ARGUMENT ...] [dir=DIRECTORY] \
                 [env.NAME=VALUE ...] [option.NAME=VALUE ...] [tc=...] [movetime=TIME] [nodes=N] \
                 [depth=N] [infinite=TIME] [margin=TIME] [mode=series|alternating] \
                 [restart=on|off]. Give it once for each engine",
            ))
            .arg(list("variant", "WORD").help(
                "Rules: PRESET [SWITCH=VALUE ...] [chess960] [book=FILE]. Give it once for each \
                 variant of the match [default: italian]. If every variant has its book, \
                 --openings is not needed, or needs no file=",
            ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Repeated::augment_args(command)
    }
}

impl FromArgMatches for Repeated {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Repeated, clap::Error> {
        let lists = |id: &str| -> Vec<Vec<String>> {
            matches
                .get_occurrences::<String>(id)
                .into_iter()
                .flatten()
                .map(|words| words.cloned().collect())
                .collect()
        };
        Ok(Repeated {
            engine: lists("engine"),
            variant: lists("variant"),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Repeated::from_arg_matches(matches)?;
        Ok(())
    }
}

impl RunArgs {
    /// The settings: what the command line says, over what the file says.
    ///
    /// # Errors
    /// A [`UsageError`] that names the flag and the word that was not understood.
    pub fn settings(&self) -> Result<Settings> {
        let file = match &self.config {
            Some(file) => Settings::read(file)?,
            None => Settings::default(),
        };
        Ok(self.own_settings().map_err(UsageError)?.over_file(&file))
    }

    fn own_settings(&self) -> Result<Settings> {
        let some = |engines: Vec<EngineSettings>| (!engines.is_empty()).then_some(engines);
        let engines = self
            .repeated
            .engine
            .iter()
            .map(|words| read_engine("--engine", words));
        let variants = self
            .repeated
            .variant
            .iter()
            .map(|words| words.join(" ").parse::<Variant>())
            .collect::<Result<Vec<_>, _>>()?;
        let adjudication = AdjudicationSettings {
            resign: self.resign.as_deref().map(read_resign).transpose()?,
            draw: self.draw.as_deref().map(read_draw).transpose()?,
            max_turns: self.max_turns,
            mate_nodes: self.mate_nodes,
        };
        Ok(Settings {
            event: self.event.clone(),
            site: self.site.clone(),
            format: self.format.map(|format| match format {
                FormatArgument::RoundRobin => Format::RoundRobin,
                FormatArgument::Gauntlet => Format::Gauntlet,
            }),
            rounds: self.rounds,
            seed: self.seed,
            concurrency: self
                .concurrency
                .as_deref()
                .map(read_concurrency)
                .transpose()?,
            cpus: self.cpus.as_deref().map(read_cpus).transpose()?,
            recover: self.recover.map(|recover| match recover {
                RecoverArgument::Restart => Recover::Restart,
                RecoverArgument::Stop => Recover::Stop,
            }),
            failure_limit: self.failure_limit,
            flood_limit: self.flood_limit,
            variants: (!variants.is_empty()).then_some(variants),
            adjudication: (adjudication != AdjudicationSettings::default()).then_some(adjudication),
            patience: self.patience.as_deref().map(read_patience).transpose()?,
            openings: self.openings.as_deref().map(read_openings).transpose()?,
            sprt: self.sprt.as_deref().map(read_sprt).transpose()?,
            each: self
                .each
                .as_deref()
                .map(|words| read_engine("--each", words))
                .transpose()?,
            engines: some(engines.collect::<Result<_>>()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        args: RunArgs,
    }

    fn settings(words: &[&str]) -> Result<Settings> {
        let words = std::iter::once("run").chain(words.iter().copied());
        Program::try_parse_from(words)?.args.settings()
    }

    #[test]
    fn the_command_line_says_what_a_file_can_say() {
        let from_words = settings(&[
            "--engine",
            "cmd=./a b",
            "arg=-c",
            "arg=x y",
            "name=A",
            "option.Hash=16",
            "env.X=1",
            "--engine",
            "cmd=c",
            "mode=alternating",
            "restart=on",
            "nodes=7",
            "--each",
            "tc=4/10:6/10+0.1",
            "margin=20ms",
            "--variant",
            "scottish",
            "quiet-limit=8",
            "--variant",
            "italian",
            "--openings",
            "file=book.epd",
            "order=random",
            "start=3",
            "plies=4",
            "--rounds",
            "9",
            "--seed",
            "5",
            "--concurrency",
            "2",
            "--cpus",
            "0,2-3",
            "--sprt",
            "elo0=0",
            "elo1=5",
            "model=logistic",
            "--resign",
            "score=700",
            "--draw",
            "--max-turns",
            "40",
            "--mate-nodes",
            "1000",
            "--recover",
            "stop",
            "--patience",
            "start=2s",
            "quit=0.5",
            "--format",
            "gauntlet",
        ])
        .unwrap();
        let from_file: Settings = toml::from_str(
            "rounds = 9\nseed = 5\nconcurrency = 2\ncpus = [0, 2, 3]\nrecover = 'stop'\nformat = 'gauntlet'\n\
             variants = ['scottish quiet-limit=8', 'italian']\n\
             each = { tc = '4/10:6/10+0.1', margin = 20 }\n\
             openings = { file = 'book.epd', order = 'random', start = 3, plies = 4 }\n\
             sprt = { elo0 = 0.0, elo1 = 5.0, model = 'logistic' }\n\
             adjudication = { resign = { score = 700 }, draw = {}, max-turns = 40, mate-nodes = 1000 }\n\
             patience = { start = 2000, quit = 500 }\n\
             [[engines]]\ncommand = './a b'\nargs = ['-c', 'x y']\nname = 'A'\noptions = ['Hash=16']\nenv = ['X=1']\n\
             [[engines]]\ncommand = 'c'\nmode = 'alternating'\nrestart = true\nnodes = 7\n",
        )
        .unwrap();
        assert_eq!(from_words, from_file);
    }

    #[test]
    fn the_command_line_goes_before_a_file_group_by_group() {
        let file: Settings = toml::from_str(
            "rounds = 9\neach = { tc = '10', margin = 20, options = ['Hash=16'] }\n\
             openings = { file = 'book.epd', order = 'random' }\n\
             adjudication = { resign = { score = 700, count = 3 }, max-turns = 40 }\n",
        )
        .unwrap();
        let own = settings(&[
            "--each",
            "nodes=5",
            "--openings",
            "start=2",
            "--resign",
            "score=500",
        ]);
        let all = own.unwrap().over_file(&file);
        let expected: Settings = toml::from_str(
            // Limits are replaced as a whole.
            "rounds = 9\neach = { nodes = 5, margin = 20, options = ['Hash=16'] }\n\
             openings = { file = 'book.epd', order = 'random', start = 2 }\n\
             adjudication = { resign = { score = 500, count = 3 }, max-turns = 40 }\n",
        )
        .unwrap();
        assert_eq!(all, expected);
    }

    #[test]
    fn wrong_words_are_named() {
        for (words, needle) in [
            (&["--engine", "./a"][..], "'./a'"),
            (&["--engine", "cmd=a", "nmae=b"], "'nmae'"),
            (
                &["--engine", "cmd=a", "cmd=b"],
                "'cmd=b' comes after 'cmd=a'",
            ),
            (&["--engine", "cmd=a", "command=b"], "'command=b'"),
            (&["--each", "movetime=1", "st=2"], "'st=2'"),
            (&["--each", "env.A=1", "env.A=2"], "'env.A=2'"),
            (&["--sprt", "elo0=0", "elo0=1"], "'elo0=1'"),
            (&["--each", "tc=5x"], "5x"),
            (&["--each", "nodes=many"], "many"),
            (&["--variant", "klingon"], "klingon"),
            (&["--openings", "order=sorted"], "sorted"),
            (&["--concurrency", "some"], "some"),
            (&["--concurrency", "-1"], "'-1' is neither"),
            (&["--cpus", "3-1"], "3-1"),
            (&["--cpus", "-1"], "'-1' is no processor"),
        ] {
            let error = format!("{:#}", settings(words).unwrap_err());
            assert!(error.contains(needle), "{words:?}: {error}");
        }
    }
}
