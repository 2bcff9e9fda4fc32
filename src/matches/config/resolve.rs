//! From settings to a configuration: defaults filled in, everything checked that needs no engine.

mod engines;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::{
    AdjudicationConfig, BookConfig, BookOrder, BookSettings, Concurrency, DrawConfig, MatchConfig,
    Patience, ResignConfig, Settings, SprtConfig, Variant,
};
use crate::{
    matches::UsageError,
    rules::Preset,
    stats::{Model, Sprt},
};

use engines::{fair_concurrency, resolve_engine, tell_apart};

/// How many rounds a test plays at most when nothing is said.
const SPRT_ROUNDS: u64 = 100_000;

/// The most rounds of any match: more than can be played, and few enough to count all games.
const ROUNDS_MAX: u64 = 1_000_000_000;

/// The least number of bytes a turn may be limited to.
const FLOOD_LIMIT_MIN: u64 = 1 << 10;

impl Settings {
    /// Fills in all defaults and checks the whole.
    ///
    /// # Errors
    /// A [`UsageError`] that says what to change.
    pub fn resolve(&self) -> Result<MatchConfig> {
        Ok(resolve(self).map_err(UsageError)?)
    }
}

fn resolve(settings: &Settings) -> Result<MatchConfig> {
    let given = settings.engines.clone().unwrap_or_default();
    ensure!(
        given.len() >= 2,
        "a match needs at least two engines, but {} given; add --engine cmd=PROGRAM",
        match given.len() {
            0 => "none is".to_owned(),
            count => format!("only {count} is"),
        }
    );
    let each = settings.each.clone().unwrap_or_default();
    let mut engines = given
        .iter()
        .map(|engine| resolve_engine(engine, &each))
        .collect::<Result<Vec<_>>>()?;
    tell_apart(&mut engines);

    let sprt = settings.sprt.as_ref().map(resolve_sprt).transpose()?;
    if sprt.is_some() {
        ensure!(
            engines.len() == 2,
            "a sequential test compares exactly two engines, but {} are given; leave out --sprt or engines",
            engines.len()
        );
    }
    let cpus = settings.cpus.clone().unwrap_or_default();
    let concurrency = match settings.concurrency {
        None => 1,
        Some(Concurrency::Games(games)) => games,
        Some(Concurrency::Auto) => fair_concurrency(&engines),
    };
    ensure!(
        concurrency > 0,
        "a concurrency of 0 plays no game: give at least 1"
    );
    ensure!(
        cpus.is_empty() || cpus.len() >= concurrency,
        "{concurrency} games at once need {concurrency} processors, but --cpus lists {}",
        cpus.len()
    );
    let rounds = settings
        .rounds
        .unwrap_or(if sprt.is_some() { SPRT_ROUNDS } else { 1 });
    ensure!(rounds > 0, "0 rounds are no match: give at least 1");
    ensure!(
        rounds <= ROUNDS_MAX,
        "{rounds} rounds are too many: give at most {ROUNDS_MAX}"
    );
    ensure!(
        settings.failure_limit != Some(0),
        "--failure-limit 0 would stop every match before its first game: give at least 1"
    );
    ensure!(
        settings
            .flood_limit
            .is_none_or(|limit| limit >= FLOOD_LIMIT_MIN),
        "--flood-limit needs at least {FLOOD_LIMIT_MIN} bytes, enough for any answer"
    );
    let variants = resolve_variants(settings)?;
    let openings = resolve_openings(settings, &variants)?;
    Ok(MatchConfig {
        event: settings
            .event
            .clone()
            .unwrap_or_else(|| "Series chess match".to_owned()),
        site: settings.site.clone().unwrap_or_else(|| "?".to_owned()),
        format: settings.format.unwrap_or_default(),
        rounds,
        seed: settings.seed.unwrap_or(1),
        concurrency,
        cpus,
        recover: settings.recover.unwrap_or_default(),
        failure_limit: settings.failure_limit.unwrap_or(5),
        flood_limit: settings.flood_limit.unwrap_or(256 << 20),
        variants,
        adjudication: resolve_adjudication(settings)?,
        patience: resolve_patience(settings)?,
        openings,
        sprt,
        engines,
    })
}

/// The rules, with full paths of their books.
fn resolve_variants(settings: &Settings) -> Result<Vec<Variant>> {
    let mut variants = match &settings.variants {
        Some(variants) if !variants.is_empty() => variants.clone(),
        _ => vec![Preset::Italian.into()],
    };
    for (index, variant) in variants.iter().enumerate() {
        let name = variant.name();
        ensure!(
            variants[..index].iter().all(|other| other.name() != name),
            "variant '{name}' is given twice: each set of rules can be played once, with more --rounds or a larger book"
        );
    }
    for book in variants.iter_mut().filter_map(|v| v.book.as_mut()) {
        *book = absolute(book)?;
    }
    Ok(variants)
}

/// How books are read. Where every variant has its own book, none for the whole match is needed.
fn resolve_openings(settings: &Settings, variants: &[Variant]) -> Result<Option<BookConfig>> {
    let without = variants.iter().find(|variant| variant.book.is_none());
    let book = match (&settings.openings, without) {
        (Some(book), _) => book.clone(),
        (None, None) => BookSettings::default(),
        (None, Some(without)) => {
            if let Some(with) = variants.iter().find(|variant| variant.book.is_some()) {
                bail!(
                    "variant '{with}' has its own book, but variant '{without}' has none: give it one by book=FILE, or --openings for all without"
                );
            }
            return Ok(None);
        }
    };
    let file = match (&book.file, without, variants) {
        (Some(file), ..) => absolute(file)?,
        // Nobody reads it, since each variant reads its own.
        (None, None, [variant, ..]) => variant.book.clone().unwrap_or_default(),
        (None, ..) => bail!("openings need a file: give file=PATH"),
    };
    let start = book.start.unwrap_or(1);
    ensure!(start > 0, "openings are counted from 1: start=0 is none");
    Ok(Some(BookConfig {
        file,
        order: book.order.unwrap_or(BookOrder::Sequential),
        start,
        plies: book.plies,
    }))
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("path {}", path.display()))
}

fn resolve_sprt(sprt: &super::SprtSettings) -> Result<SprtConfig> {
    let config = SprtConfig {
        elo0: sprt.elo0.context("a sequential test needs elo0=")?,
        elo1: sprt.elo1.context("a sequential test needs elo1=")?,
        alpha: sprt.alpha.unwrap_or(0.05),
        beta: sprt.beta.unwrap_or(0.05),
        model: sprt
            .model
            .clone()
            .unwrap_or_else(|| Model::Normalized.to_string()),
    };
    let test = config.test()?;
    ensure!(
        test.model() != Model::Bayesian,
        "games are played in pairs, and model=bayesian has no meaning for pairs: use normalized or logistic"
    );
    Ok(config)
}

impl SprtConfig {
    /// The test.
    ///
    /// # Errors
    /// In words, if the bounds make no sense.
    pub fn test(&self) -> Result<Sprt> {
        let model: Model = self.model.parse()?;
        Ok(Sprt::new(
            model, self.elo0, self.elo1, self.alpha, self.beta,
        )?)
    }
}

fn resolve_adjudication(settings: &Settings) -> Result<AdjudicationConfig> {
    let given = settings.adjudication.clone().unwrap_or_default();
    let resign = given.resign.map(|resign| ResignConfig {
        score: resign.score.unwrap_or(1000),
        count: resign.count.unwrap_or(2),
        two_sided: resign.two_sided.unwrap_or(true),
    });
    let draw = given.draw.map(|draw| DrawConfig {
        from: draw.from.unwrap_or(10),
        count: draw.count.unwrap_or(3),
        score: draw.score.unwrap_or(10),
    });
    if resign.is_some_and(|resign| resign.count == 0 || resign.score <= 0) {
        bail!("--resign needs a count of at least 1 and a score above 0");
    }
    if draw.is_some_and(|draw| draw.count == 0 || draw.score < 0) {
        bail!("--draw needs a count of at least 1 and a score of at least 0");
    }
    ensure!(
        given.max_turns != Some(0),
        "--max-turns 0 leaves no turn to play: give at least 1"
    );
    ensure!(
        given.mate_nodes != Some(0),
        "--mate-nodes 0 proves nothing: give at least 1, or leave it out"
    );
    Ok(AdjudicationConfig {
        resign,
        draw,
        max_turns: given.max_turns,
        mate_nodes: given.mate_nodes,
    })
}

fn resolve_patience(settings: &Settings) -> Result<Patience> {
    let given = settings.patience.clone().unwrap_or_default();
    for (key, time) in [
        ("start", given.start),
        ("ready", given.ready),
        ("think", given.think),
    ] {
        ensure!(
            time != Some(0),
            "--patience {key}=0 fails every engine: give at least 1ms"
        );
    }
    Ok(Patience {
        start: given.start.unwrap_or(10_000),
        ready: given.ready.unwrap_or(60_000),
        think: given.think.unwrap_or(600_000),
        stop: given.stop.unwrap_or(1_000),
        quit: given.quit.unwrap_or(1_000),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(toml: &str) -> Settings {
        toml::from_str(toml).unwrap()
    }

    const TWO: &str =
        "each = { nodes = 100 }\nengines = [{ command = 'sh' }, { command = 'sh' }]\n";

    #[test]
    fn a_resolved_configuration_reads_back_as_settings() {
        let all = settings(
            "event = 'E'\nformat = 'gauntlet'\nrounds = 7\nseed = 3\nconcurrency = 2\ncpus = [0, 1]\n\
             recover = 'stop'\nvariants = ['scottish quiet-limit=8', 'italian']\n\
             [adjudication]\nmax-turns = 30\nresign = { score = 700 }\ndraw = {}\n\
             [patience]\nquit = 300\n[openings]\nfile = 'book.epd'\norder = 'random'\n\
             [each]\ntc = '4/10:6/10+0.1'\noptions = ['Hash=16']\n\
             [[engines]]\ncommand = '/bin/sh'\nargs = ['-c', 'a b']\nenv = ['A=B']\n\
             [[engines]]\ncommand = 'sh'\nname = 'sh'\nnodes = 5\nmode = 'alternating'\n",
        )
        .resolve()
        .unwrap();
        assert_eq!(all.engines[0].options, ["Hash=16"]);
        assert_eq!(all.engines[1].name, "sh (2)");
        assert_eq!(all.engines[1].limit.tc, None);
        let toml = toml::to_string(&all).unwrap();
        assert_eq!(settings(&toml).resolve().unwrap(), all, "{toml}");
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<MatchConfig>(&json).unwrap(), all);
        assert_eq!(
            serde_json::from_str::<Settings>(&json)
                .unwrap()
                .resolve()
                .unwrap(),
            all
        );
    }

    #[test]
    fn automatic_concurrency_leaves_room_for_threads() {
        let processors = std::thread::available_parallelism().unwrap().get();
        let all = settings(&format!("concurrency = 'auto'\n{TWO}"))
            .resolve()
            .unwrap();
        assert_eq!(all.concurrency, processors);
        let threads = TWO.replace("nodes = 100", "nodes = 100, options = ['threads=1000']");
        let one = settings(&format!("concurrency = 'auto'\n{threads}"))
            .resolve()
            .unwrap();
        assert_eq!(one.concurrency, 1);
        let none = threads.replace("1000", "0");
        let all = settings(&format!("concurrency = 'auto'\n{none}"))
            .resolve()
            .unwrap();
        assert_eq!(all.concurrency, processors);
    }

    #[test]
    fn books_of_all_variants_need_no_book_of_the_match() {
        let variants = "variants = ['italian book=a.epd', 'scottish book=b c.epd']";
        let config = settings(&format!("{variants}\n{TWO}")).resolve().unwrap();
        let openings = config.openings.clone().unwrap();
        assert_eq!(openings.order, BookOrder::Sequential);
        assert_eq!((openings.start, openings.plies), (1, None));
        let books: Vec<_> = config.variants.iter().map(|v| v.book.clone()).collect();
        assert!(books.iter().flatten().all(|book| book.is_absolute()));
        assert!(books[1].as_ref().unwrap().ends_with("b c.epd"));
        // The written configuration says the same.
        let text = toml::to_string(&config).unwrap();
        assert_eq!(settings(&text).resolve().unwrap(), config);
        // How to read them can be said without a file.
        let random = format!("{variants}\nopenings = {{ order = 'random', plies = 2 }}\n{TWO}");
        let openings = settings(&random).resolve().unwrap().openings.unwrap();
        assert_eq!(
            (openings.order, openings.plies),
            (BookOrder::Random, Some(2))
        );
    }

    #[test]
    fn what_makes_no_match_is_refused_with_the_remedy() {
        for (toml, needle) in [
            ("", "--engine"),
            ("engines = [{ command = 'sh' }]", "at least two"),
            (
                "engines = [{ command = 'sh' }, { command = 'sh' }]",
                "think for ever",
            ),
            (
                "each = { nodes = 1 }\nengines = [{ command = 'sh' }, { command = 'no-such-engine' }]",
                "PATH",
            ),
            (&format!("concurrency = 0\n{TWO}"), "at least 1"),
            (&format!("rounds = 1000000001\n{TWO}"), "at most 1000000000"),
            (&format!("cpus = [0]\nconcurrency = 2\n{TWO}"), "processors"),
            (&format!("sprt = {{ elo0 = 5, elo1 = 0 }}\n{TWO}"), "elo"),
            (&format!("sprt = {{ elo0 = 0 }}\n{TWO}"), "elo1"),
            (&format!("openings = {{}}\n{TWO}"), "file"),
            (&TWO.replace("nodes = 100", "nodes = 0"), "nodes=0"),
            (&TWO.replace("nodes = 100", "depth = 0"), "depth=0"),
            (&TWO.replace("nodes = 100", "movetime = 0"), "movetime=0"),
            (
                &TWO.replace("nodes = 100", "nodes = 1, dir = '/no/such/place'"),
                "/no/such/place",
            ),
            (&TWO.replace("nodes = 100", "nodes = 1, name = ' '"), "name"),
            (
                &TWO.replace("nodes = 100", "nodes = 1, name = \"a\\nb\""),
                "\"a\\nb\" holds a line break",
            ),
            (
                &TWO.replace("nodes = 100", "nodes = 1, options = [\"A=1\\nquit\"]"),
                "line break",
            ),
            (
                &format!("adjudication = {{ max-turns = 0 }}\n{TWO}"),
                "--max-turns 0",
            ),
            (
                &format!("adjudication = {{ mate-nodes = 0 }}\n{TWO}"),
                "--mate-nodes 0",
            ),
            (&format!("failure-limit = 0\n{TWO}"), "--failure-limit 0"),
            (&format!("flood-limit = 10\n{TWO}"), "1024 bytes"),
            (&format!("patience = {{ ready = 0 }}\n{TWO}"), "ready=0"),
            (
                &format!("variants = ['italian', 'scottish', 'italian book=b']\n{TWO}"),
                "'italian' is given twice",
            ),
            (
                &format!("variants = ['italian book=a.epd', 'scottish']\n{TWO}"),
                "variant 'scottish' has none",
            ),
        ] {
            let error = format!("{:#}", settings(toml).resolve().unwrap_err());
            assert!(error.contains(needle), "{toml}: {error}");
        }
        assert!(toml::from_str::<Settings>("konkurrency = 2").is_err());
    }
}
