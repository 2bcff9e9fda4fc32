//! What standard output shows while a match runs. It only shows: when nobody reads any more, the
//! match goes on.

use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Instant,
};

use super::{
    config::{DisplayArgs, MatchConfig, Output},
    record::GameRecord,
    report,
    run::MatchOutcome,
    standings::Standings,
};

/// The display of one match.
pub struct Display {
    output: Output,
    interval: u64,
    config: MatchConfig,
    games: u64,
    directory: PathBuf,
    begun: Instant,
}

impl Display {
    /// A display.
    pub fn new(args: &DisplayArgs, config: &MatchConfig, games: u64, directory: &Path) -> Display {
        Display {
            output: args.output,
            interval: args.interval.max(1),
            config: config.clone(),
            games,
            directory: directory.to_owned(),
            begun: Instant::now(),
        }
    }

    /// Shows that the match begins, or goes on.
    pub fn begin(&mut self, standings: &Standings, out: &mut dyn Write) {
        if self.output == Output::Quiet {
            return;
        }
        let verb = if standings.games() == 0 {
            "Match"
        } else {
            "Match resumed"
        };
        let _ = writeln!(
            out,
            "{verb}: {} of {} games played, {} at once, in {}",
            standings.games(),
            self.games,
            self.config.concurrency,
            self.directory.display()
        );
        let _ = out.flush();
    }

    /// Shows a finished game.
    pub fn game(&mut self, record: &GameRecord, standings: &Standings, out: &mut dyn Write) {
        if self.output == Output::Quiet {
            return;
        }
        let names = record
            .engines
            .map(|index| self.config.engines[index].name.as_str());
        let _ = writeln!(
            out,
            "game {} ({} - {}): {} {}",
            record.game.0 + 1,
            names[0],
            names[1],
            record.end.result(),
            record.end.describe(names)
        );
        if standings.games() % self.interval == 0 && standings.games() < self.games {
            let _ = write!(out, "{}", report::result_lines(&self.config, standings));
        }
        let _ = out.flush();
    }

    /// Time has passed.
    pub fn tick(&mut self, _standings: &Standings, _out: &mut dyn Write) {}

    /// Shows that the match is paused, or goes on.
    pub fn pause(&mut self, paused: bool, out: &mut dyn Write) {
        let _ = if paused {
            writeln!(
                out,
                "paused: running games are finished, no new one begins; the same signal again goes on"
            )
        } else {
            writeln!(out, "going on")
        };
        let _ = out.flush();
    }

    /// Shows the end.
    pub fn end(&mut self, standings: &Standings, outcome: &MatchOutcome, out: &mut dyn Write) {
        let _ = write!(
            out,
            "{}",
            report::final_text(&self.config, standings, outcome)
        );
        if *outcome != MatchOutcome::Complete {
            let _ = writeln!(
                out,
                "Go on with: seriatim-match resume {}",
                self.directory.display()
            );
        }
        let _ = out.flush();
        let _ = self.begun;
    }
}
