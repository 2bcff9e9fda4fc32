//! The live table on a terminal, and log lines that do not tear it.

use std::io::{self, Write};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Pace, pace_text};

/// The terminal, shared by the live table and the log. Until there is a table, what is written
/// goes to standard error as it is.
#[derive(Clone, Debug)]
pub struct Terminal(MultiProgress);

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal(MultiProgress::with_draw_target(ProgressDrawTarget::stdout()))
    }
}

impl Terminal {
    /// Begins a live table for a match of so many games.
    pub(super) fn live(&self, games: u64) -> Live {
        let bar = ProgressBar::new(games);
        // The template is constant and valid.
        if let Ok(style) =
            ProgressStyle::with_template("{msg}\n[{bar:40}] {pos} of {len} games{prefix}")
        {
            bar.set_style(style.progress_chars("=> "));
        }
        Live {
            terminal: self.clone(),
            bar: self.0.add(bar),
        }
    }
}

impl Write for Terminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// The live table of one match.
pub(super) struct Live {
    terminal: Terminal,
    bar: ProgressBar,
}

impl Live {
    /// Draws the table anew.
    pub(super) fn draw(&self, results: &str, games: u64, pace: Option<&Pace>) {
        self.bar.set_position(games);
        self.bar.set_message(results.trim_end().to_owned());
        if let Some(pace) = pace {
            self.bar.set_prefix(format!(", {}", pace_text(pace)));
        }
        self.bar.tick();
    }

    /// Writes a line above the table.
    pub(super) fn say(&self, text: &str) {
        let _ = self.terminal.0.println(text);
    }

    /// Takes the table away.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
