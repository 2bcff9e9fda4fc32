//! All series of a position.

use std::collections::HashSet;

use crate::rules::{Move, SeriesPosition, Status};

/// The series of `position`, one for each position that they can end in; those that run dry or
/// end the game early are among them. `None` if there are more than `most`.
pub(super) fn distinct_series(position: &SeriesPosition, most: usize) -> Option<Vec<Vec<Move>>> {
    let mut found = Vec::new();
    let mut walk = Walk {
        seen: HashSet::new(),
        line: Vec::new(),
        most,
        found: &mut found,
    };
    walk.go_on(position).then_some(found)
}

struct Walk<'f> {
    seen: HashSet<u64>,
    line: Vec<Move>,
    most: usize,
    found: &'f mut Vec<Vec<Move>>,
}

impl Walk<'_> {
    /// Walks on from `position`; false when there are too many.
    fn go_on(&mut self, position: &SeriesPosition) -> bool {
        for m in position.legal_moves() {
            let next = position.after(m);
            if !self.seen.insert(next.key()) {
                continue;
            }
            self.line.push(m);
            let is_end = next.is_turn_start() || matches!(next.status(), Status::Over(_));
            if is_end {
                if self.found.len() == self.most {
                    return false;
                }
                self.found.push(self.line.clone());
            } else if !self.go_on(&next) {
                return false;
            }
            self.line.pop();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Preset, count_distinct};

    #[test]
    fn there_is_one_series_for_each_end() {
        let start = SeriesPosition::start(Preset::Italian.rules());
        let firsts = distinct_series(&start, 100).unwrap();
        assert_eq!(firsts.len(), 20);
        let ends: usize = firsts
            .iter()
            .map(|series| {
                distinct_series(&start.after(series[0]), 1000)
                    .unwrap()
                    .len()
            })
            .sum();
        // Counted by perft too, which takes first moves together.
        assert!(ends as u64 >= count_distinct(&start, 2).with_double_steps);
        assert!(distinct_series(&start, 20).is_some());
        assert!(distinct_series(&start, 19).is_none());
    }

    #[test]
    fn a_series_that_runs_dry_is_one_too() {
        let rules = Preset::Italian.rules();
        let fen = "7k/8/8/8/8/p7/P7/K7 w - - 0 9";
        let position = crate::notation::parse_fen(rules, fen).unwrap();
        let all = distinct_series(&position, 10_000).unwrap();
        assert!(all.iter().all(|series| series.len() <= 9));
    }
}
