//! Thins a flood of search reports, which some clients cannot take.

use std::time::Duration;

/// Reports that are let through at once, however fast they come.
const BURST: u32 = 20;
/// The least time between two reports after that.
const PAUSE: Duration = Duration::from_millis(50);

/// Decides which reports are written. The last ones of a search always are, elsewhere.
#[derive(Debug, Default)]
pub(super) struct Thinning {
    written: u32,
    last: Duration,
    open: bool,
}

impl Thinning {
    /// Whether a report of line `line` (from 0), made at `elapsed`, is written. Lines after the
    /// first share its fate.
    pub(super) fn admits(&mut self, line: usize, elapsed: Duration) -> bool {
        if line == 0 {
            self.open = self.written < BURST || elapsed >= self.last + PAUSE;
            if self.open {
                self.last = elapsed;
            }
        }
        self.written += u32::from(self.open);
        self.open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_thinned_and_a_trickle_is_not() {
        let mut thinning = Thinning::default();
        let written = (0..1000)
            .filter(|&ms| thinning.admits(0, Duration::from_millis(ms)))
            .count();
        assert!(written < 45, "{written}");
        let mut thinning = Thinning::default();
        assert!((0..1000).all(|n| thinning.admits(0, Duration::from_millis(60 * n))));
    }
}
