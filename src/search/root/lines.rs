//! What the root tells: the best lines with their scores and expected play.

use super::Root;
use crate::{
    rules::Move,
    search::{
        request::{News, Report},
        score::told,
    },
};

impl Root<'_> {
    /// The best lines as they stand.
    pub(super) fn lines(&self) -> Vec<Report> {
        let elapsed = self.control.elapsed();
        let hashfull = self.table.fullness();
        let refuted = self.refuted_count();
        let verified = refuted + self.safe_count() as u32;
        // A line further down may look better only because less is known of it: it counts for no
        // more than the line before it, to which it was not preferred.
        let mut score = i32::MAX;
        self.best
            .iter()
            .enumerate()
            .map(|(line, &index)| {
                score = score.min(self.node.candidates[index].score);
                Report {
                    depth: self.depth,
                    line,
                    candidates: self.node.candidates.len() as u32,
                    verified,
                    refuted,
                    score: told(score),
                    nodes: self.control.nodes(),
                    elapsed,
                    hashfull,
                    pv: self.line_of(index),
                }
            })
            .collect()
    }

    /// The expected play after a candidate.
    fn line_of(&self, index: usize) -> Vec<Vec<Move>> {
        let mut pv = vec![self.node.series(index).to_vec()];
        if let Some(Some((line, _))) = self.refuted.get(index) {
            if !line.is_empty() {
                pv.push(line.clone());
            }
            return pv;
        }
        let mut at = self.node.end(&self.position, index);
        while pv.len() < self.depth as usize {
            let next = self.table.look(at.key(), |node| {
                node.best.map(|best| node.series(best as usize).to_vec())
            });
            let Some(Some(series)) = next else { break };
            if !series.iter().all(|&m| {
                let legal = at.is_legal(m);
                if legal {
                    at.play(m);
                }
                legal
            }) {
                break;
            }
            pv.push(series);
        }
        pv
    }

    /// Tells the best lines.
    pub(super) fn tell(&self) {
        for line in self.lines() {
            self.telling.tell(News::Line(&line));
        }
    }
}
