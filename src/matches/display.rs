//! What standard output shows while a match runs. It only shows: when nobody reads any more, the
//! match goes on.

mod terminal;

use std::{
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::Serialize;

use super::{
    config::{DisplayArgs, MatchConfig, Output},
    record::GameRecord,
    report::{self, Summary},
    run::MatchOutcome,
    standings::Standings,
};

pub use terminal::Terminal;

/// The form of a display, chosen.
enum Form {
    Live(terminal::Live),
    Plain,
    Json,
    Quiet,
}

/// The display of one match.
pub struct Display {
    form: Form,
    interval: u64,
    config: MatchConfig,
    games: u64,
    directory: PathBuf,
    begun: Instant,
    /// Games and answered turns before this run.
    before: u64,
    turns_before: u64,
}

/// How fast the match runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Games a minute in this run.
    pub games_per_minute: f64,
    /// Until the last game at this pace; a test may decide before.
    pub left: Duration,
}

impl Display {
    /// A display.
    pub fn new(
        args: &DisplayArgs,
        config: &MatchConfig,
        games: u64,
        directory: &Path,
        terminal: &Terminal,
    ) -> Display {
        let form = match args.output {
            Output::Auto if std::io::stdout().is_terminal() => Form::Live(terminal.live(games)),
            Output::Auto | Output::Plain => Form::Plain,
            Output::Json => Form::Json,
            Output::Quiet => Form::Quiet,
        };
        Display {
            form,
            interval: args.interval,
            config: config.clone(),
            games,
            directory: directory.to_owned(),
            begun: Instant::now(),
            before: 0,
            turns_before: 0,
        }
    }

    fn summary(&self, standings: &Standings, outcome: Option<&MatchOutcome>) -> Summary {
        Summary::new(&self.config, standings, self.games, outcome)
    }

    fn names(&self, record: &GameRecord) -> [&str; 2] {
        record
            .engines
            .map(|index| self.config.engines[index].name.as_str())
    }

    /// The runner's own processor time for each turn of this run, if there were enough to tell.
    fn time_per_turn(&self, standings: &Standings) -> Option<Duration> {
        let turns = turns(standings) - self.turns_before;
        let turns = u32::try_from(turns).ok().filter(|&turns| turns >= 1000)?;
        Some(processor_time()? / turns)
    }

    /// The pace of this run; `None` before its first game.
    fn pace(&self, standings: &Standings) -> Option<Pace> {
        let played = standings.games() - self.before;
        let lasted = self.begun.elapsed();
        (played > 0 && !lasted.is_zero()).then(|| Pace {
            games_per_minute: 60.0 * played as f64 / lasted.as_secs_f64(),
            left: lasted.mul_f64((self.games - standings.games()) as f64 / played as f64),
        })
    }

    /// Shows that the match begins, or goes on.
    pub fn begin(&mut self, standings: &Standings, out: &mut dyn Write) {
        self.before = standings.games();
        self.turns_before = turns(standings);
        let directory = self.directory.display();
        match &self.form {
            Form::Quiet => {}
            Form::Json => json(
                out,
                &serde_json::json!({
                    "event": "begin",
                    "games": standings.games(),
                    "games-planned": self.games,
                    "directory": directory.to_string(),
                    "config": &self.config,
                }),
            ),
            Form::Plain | Form::Live(_) => {
                let verb = if standings.games() == 0 {
                    "Match"
                } else {
                    "Match resumed"
                };
                let _ = writeln!(
                    out,
                    "{verb} in {directory}: {} of {} games played, {} at once",
                    standings.games(),
                    self.games,
                    self.config.concurrency,
                );
            }
        }
        let _ = out.flush();
    }

    /// Shows a finished game.
    pub fn game(&mut self, record: &GameRecord, standings: &Standings, out: &mut dyn Write) {
        match &self.form {
            Form::Quiet | Form::Live(_) => return,
            Form::Json => json(out, &GameLine::new(self, record, standings)),
            Form::Plain => {
                let names = self.names(record);
                let _ = writeln!(
                    out,
                    "game {} ({} - {}): {} {}",
                    record.game.0 + 1,
                    names[0],
                    names[1],
                    record.end.result(),
                    record.end.describe(names)
                );
                let due = standings.games().is_multiple_of(self.interval);
                if due && standings.games() < self.games {
                    let _ = write!(
                        out,
                        "{}",
                        report::result_lines(&self.summary(standings, None))
                    );
                    if let Some(pace) = self.pace(standings) {
                        let _ = writeln!(out, "{}", pace_text(&pace));
                    }
                }
            }
        }
        let _ = out.flush();
    }

    /// Time has passed: the live table is drawn anew.
    pub fn tick(&mut self, standings: &Standings) {
        if let Form::Live(live) = &self.form {
            let text = report::result_lines(&self.summary(standings, None));
            live.draw(&text, standings.games(), self.pace(standings).as_ref());
        }
    }

    /// Shows that the match is paused, or goes on.
    pub fn pause(&mut self, paused: bool, out: &mut dyn Write) {
        let text = if paused {
            "paused: running games are finished, no new one begins; the same signal again goes on"
        } else {
            "going on"
        };
        match &self.form {
            Form::Quiet => {}
            Form::Live(live) => live.say(text),
            Form::Json => json(
                out,
                &serde_json::json!({"event": if paused { "pause" } else { "continue" }}),
            ),
            Form::Plain => {
                let _ = writeln!(out, "{text}");
            }
        }
        let _ = out.flush();
    }

    /// Shows the end.
    pub fn end(&mut self, standings: &Standings, outcome: &MatchOutcome, out: &mut dyn Write) {
        let summary = self.summary(standings, Some(outcome));
        if let Form::Live(live) = &self.form {
            live.clear();
        }
        if matches!(self.form, Form::Json) {
            json(
                out,
                &serde_json::json!({"event": "end", "summary": &summary}),
            );
        } else {
            let _ = write!(out, "{}", report::final_text(&summary));
            if let Some(time) = self.time_per_turn(standings) {
                let _ = writeln!(
                    out,
                    "The runner itself took {:.0} microseconds of processor time per series",
                    time.as_secs_f64() * 1e6
                );
            }
            let directory = self.directory.display();
            let _ = writeln!(out, "Reports, games and journal are in {directory}");
            if *outcome != MatchOutcome::Complete {
                let _ = writeln!(out, "Go on with: seriatim-match resume {directory}");
            }
        }
        let _ = out.flush();
    }
}

/// Turns that engines have answered.
fn turns(standings: &Standings) -> u64 {
    standings.engines.iter().map(|engine| engine.turns).sum()
}

/// The processor time of this process, without that of the engines; `None` where the kernel
/// doesn't tell.
fn processor_time() -> Option<Duration> {
    // Clock ticks are hundredths of a second on every Linux that matters.
    const TICK: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name, in brackets, may contain blanks; the fields behind it don't.
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(TICK * (user + system))
}

/// The line of one game in JSON output.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct GameLine<'a> {
    event: &'static str,
    game: u64,
    pair: u64,
    round: u64,
    variant: String,
    opening: u64,
    white: &'a str,
    black: &'a str,
    result: &'static str,
    end: &'static str,
    description: String,
    series: usize,
    duration: f64,
    /// Games counted so far.
    games: u64,
    /// Results of the first engine so far.
    total: crate::stats::Trinomial,
    /// Its pairs.
    pairs: [u64; 5],
    llr: Option<f64>,
}

impl<'a> GameLine<'a> {
    fn new(display: &'a Display, record: &GameRecord, standings: &Standings) -> GameLine<'a> {
        let names = record
            .engines
            .map(|index| display.config.engines[index].name.as_str());
        let total = standings.total();
        GameLine {
            event: "game",
            game: record.game.0 + 1,
            pair: record.game.pair() + 1,
            round: record.round + 1,
            variant: display.config.variants[record.variant].name(),
            opening: record.opening,
            white: names[0],
            black: names[1],
            result: record.end.result(),
            end: record.end.name(),
            description: record.end.describe(names),
            series: record.turns.len(),
            duration: record.duration,
            games: standings.games(),
            total: total.games,
            pairs: total.pairs.0,
            llr: standings.assessment().map(|assessment| assessment.llr),
        }
    }
}

fn json(out: &mut dyn Write, value: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(value) {
        let _ = writeln!(out, "{line}");
    }
}

fn pace_text(pace: &Pace) -> String {
    let left = pace.left.as_secs();
    let left = if left >= 3600 {
        format!("{} h {:02} min", left / 3600, left / 60 % 60)
    } else if left >= 60 {
        format!("{} min {:02} s", left / 60, left % 60)
    } else {
        format!("{left} s")
    };
    format!(
        "{:.1} games per minute, at most {left} left",
        pace.games_per_minute
    )
}
