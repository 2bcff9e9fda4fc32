//! The words `KEY=VALUE` that follow a flag, read into settings.

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::super::{
    BookOrder, BookSettings, Concurrency, DrawSettings, EngineSettings, Mode, PatienceSettings,
    ResignSettings, SprtSettings,
};
use crate::matches::time_control::parse_time;

/// Keys with two names; the second one is meant.
const ALIASES: [(&str, &str); 2] = [("command", "cmd"), ("st", "movetime")];

/// Whether a key may stand several times: each one adds to a list.
fn adds_to_a_list(key: &str) -> bool {
    key == "arg" || key.starts_with("option.")
}

/// Splits words at their first `=` and hands them to `set`, which says whether it knows the key.
fn read_pairs(
    flag: &str,
    words: &[String],
    mut set: impl FnMut(&str, &str) -> Result<bool>,
) -> Result<()> {
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for word in words {
        let (given, value) = word
            .split_once('=')
            .with_context(|| format!("{flag}: '{word}' is not understood; expected KEY=VALUE"))?;
        let alias = ALIASES.iter().find(|(alias, _)| *alias == given);
        let key = alias.map_or(given, |(_, key)| key);
        if let Some((_, earlier)) = seen.iter().find(|(other, _)| *other == key) {
            bail!("{flag}: '{word}' comes after '{earlier}', but only one of them can hold");
        }
        if !adds_to_a_list(key) {
            seen.push((key, word));
        }
        let known = set(key, value).with_context(|| format!("{flag}: {word}"))?;
        ensure!(
            known,
            "{flag}: '{given}' is no key of this flag; --help lists them"
        );
    }
    Ok(())
}

/// A kind of number, and what to call it.
trait Number: std::str::FromStr {
    const EXPECTED: &str;
}

impl Number for u16 {
    const EXPECTED: &str = "a whole number from 0 to 65535";
}

impl Number for u32 {
    const EXPECTED: &str = "a whole number from 0 on";
}

impl Number for u64 {
    const EXPECTED: &str = "a whole number from 0 on";
}

impl Number for i32 {
    const EXPECTED: &str = "a whole number";
}

impl Number for f64 {
    const EXPECTED: &str = "a number";
}

fn number<T: Number>(text: &str) -> Result<Option<T>> {
    text.parse()
        .map(Some)
        .map_err(|_| anyhow!("'{text}' can't stand here: expected {}", T::EXPECTED))
}

fn milliseconds(text: &str) -> Result<Option<u64>> {
    let time = parse_time(text).map_err(|problem| anyhow!(problem))?;
    Ok(Some(time.as_millis() as u64))
}

fn on_off(text: &str) -> Result<Option<bool>> {
    match text {
        "on" | "true" | "yes" => Ok(Some(true)),
        "off" | "false" | "no" => Ok(Some(false)),
        _ => bail!("'{text}' is neither on nor off"),
    }
}

pub(super) fn read_engine(flag: &str, words: &[String]) -> Result<EngineSettings> {
    let mut engine = EngineSettings::default();
    read_pairs(flag, words, |key, value| {
        let append = |list: &mut Option<Vec<String>>, text: String| {
            list.get_or_insert_default().push(text);
        };
        match key {
            "cmd" => engine.command = Some(value.to_owned()),
            "name" => engine.name = Some(value.to_owned()),
            "arg" => append(&mut engine.args, value.to_owned()),
            "dir" => engine.dir = Some(value.into()),
            "tc" => engine.tc = Some(value.parse()?),
            "movetime" => engine.movetime = milliseconds(value)?,
            "nodes" => engine.nodes = number(value)?,
            "depth" => engine.depth = number(value)?,
            "infinite" => engine.infinite = milliseconds(value)?,
            "margin" => engine.margin = milliseconds(value)?,
            "restart" => engine.restart = on_off(value)?,
            "mode" => {
                engine.mode = Some(match value {
                    "series" => Mode::Series,
                    "alternating" => Mode::Alternating,
                    _ => bail!("'{value}' is no mode: expected series or alternating"),
                });
            }
            _ => {
                if let Some(name) = key.strip_prefix("option.") {
                    append(&mut engine.options, format!("{name}={value}"));
                } else if let Some(name) = key.strip_prefix("env.") {
                    append(&mut engine.env, format!("{name}={value}"));
                } else {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    })?;
    Ok(engine)
}

pub(super) fn read_openings(words: &[String]) -> Result<BookSettings> {
    let mut book = BookSettings::default();
    read_pairs("--openings", words, |key, value| {
        match key {
            "file" => book.file = Some(value.into()),
            "start" => book.start = number(value)?,
            "plies" => book.plies = number(value)?,
            "order" => {
                book.order = Some(match value {
                    "sequential" => BookOrder::Sequential,
                    "random" => BookOrder::Random,
                    _ => bail!("'{value}' is no order: expected sequential or random"),
                });
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(book)
}

pub(super) fn read_sprt(words: &[String]) -> Result<SprtSettings> {
    let mut sprt = SprtSettings::default();
    read_pairs("--sprt", words, |key, value| {
        match key {
            "elo0" => sprt.elo0 = number(value)?,
            "elo1" => sprt.elo1 = number(value)?,
            "alpha" => sprt.alpha = number(value)?,
            "beta" => sprt.beta = number(value)?,
            "model" => sprt.model = Some(value.to_owned()),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(sprt)
}

pub(super) fn read_resign(words: &[String]) -> Result<ResignSettings> {
    let mut resign = ResignSettings::default();
    read_pairs("--resign", words, |key, value| {
        match key {
            "score" => resign.score = number(value)?,
            "count" => resign.count = number(value)?,
            "two-sided" => resign.two_sided = on_off(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(resign)
}

pub(super) fn read_draw(words: &[String]) -> Result<DrawSettings> {
    let mut draw = DrawSettings::default();
    read_pairs("--draw", words, |key, value| {
        match key {
            "from" => draw.from = number(value)?,
            "count" => draw.count = number(value)?,
            "score" => draw.score = number(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(draw)
}

pub(super) fn read_patience(words: &[String]) -> Result<PatienceSettings> {
    let mut patience = PatienceSettings::default();
    read_pairs("--patience", words, |key, value| {
        let time = milliseconds(value)?;
        match key {
            "start" => patience.start = time,
            "ready" => patience.ready = time,
            "think" => patience.think = time,
            "stop" => patience.stop = time,
            "quit" => patience.quit = time,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(patience)
}

pub(super) fn read_concurrency(text: &str) -> Result<Concurrency> {
    if text == "auto" {
        return Ok(Concurrency::Auto);
    }
    text.parse()
        .map(Concurrency::Games)
        .map_err(|_| anyhow!("--concurrency: '{text}' is neither a number nor auto"))
}

pub(super) fn read_cpus(text: &str) -> Result<Vec<usize>> {
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let bounds = (from.parse::<usize>(), to.parse::<usize>());
        match bounds {
            (Ok(from), Ok(to)) if from <= to && to < 4096 => cpus.extend(from..=to),
            _ => bail!("--cpus: '{part}' is no processor and no range of them, e.g. 0,2-5"),
        }
    }
    Ok(cpus)
}
