//! The search itself: ever wider beams, and the opponent's best answer to the best candidates.

use std::collections::HashMap;

use super::{
    beam::{Aim, Expansion, Leaf, Worth, expand, quick_series, worth_of},
    budget::Budget,
    request::{Answer, Report, Request, Score, Settings, Signals},
};
use crate::{
    rules::{Move, SeriesPosition, Status},
    solver::{self, Solver},
};

/// The last iteration; each one is twice as wide as the one before.
const ITERATIONS: u32 = 9;
/// The width of the first iteration's beam.
const WIDTH: usize = 24;
/// How many candidates the second iteration holds against an answer.
const CANDIDATES: usize = 6;
/// The width of the answers' beams in the second iteration.
const ANSWER_WIDTH: usize = 6;
/// How many positions the first iteration may visit to find a mate in the series.
const MATE_NODES: u64 = 20_000;
/// How many positions the second iteration may visit to find the opponent's mate, for each
/// candidate.
const ANSWER_NODES: u64 = 2_000;
/// The solver is asked in portions of so many positions, so that signals are looked at between
/// them; it keeps what it has proved.
const PORTION: u64 = 50_000;
/// Each solver's share of the hash table is never more than this, in MiB.
const SOLVER_MIB: u32 = 64;

/// A searcher: what stays from search to search.
#[derive(Debug)]
pub struct Searcher {
    settings: Settings,
    /// For the own mate.
    solver: Solver,
    /// For the opponent's mates, position after position.
    answer_solver: Solver,
}

/// A series with its worth and the answer to it.
#[derive(Clone, Debug)]
struct Candidate {
    series: Vec<Move>,
    end: SeriesPosition,
    score: Score,
    answer: Option<Vec<Move>>,
}

impl Searcher {
    /// A searcher with empty memory.
    pub fn new(settings: Settings) -> Searcher {
        let mib = (settings.hash_mib / 2).clamp(1, SOLVER_MIB) as usize;
        Searcher {
            settings,
            solver: Solver::new(mib, 1),
            answer_solver: Solver::new(mib, 1),
        }
    }

    /// Changes the settings; memory may be lost.
    pub fn configure(&mut self, settings: Settings) {
        *self = Searcher::new(settings);
    }

    /// The settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Forgets everything, as for another game.
    pub fn clear(&mut self) {
        self.solver.forget();
        self.answer_solver.forget();
    }

    /// Looks for the best series. Returns when a limit is reached, when it is stopped, or when it
    /// sees no use in going on; the answer's first line begins with a whole legal series.
    ///
    /// At fixed nodes with one thread it always gives the same answer.
    pub fn search(
        &mut self,
        request: &Request,
        signals: &Signals,
        report: &mut dyn FnMut(&Report),
    ) -> Answer {
        // Remembering would make the answer depend on what was asked before.
        self.clear();
        Search {
            solver: &mut self.solver,
            answer_solver: &mut self.answer_solver,
            mate: Mate::Unknown,
            root: *request.game.position(),
            request,
            budget: Budget::new(request, signals),
            best: Vec::new(),
            refuted: HashMap::new(),
            depth: 1,
            missed_some: false,
            report,
        }
        .run()
    }
}

/// Some complete legal series of `position`, which is not over, without any search: for the case
/// that a search failed.
pub fn quick_answer(position: &SeriesPosition, first_moves: &[Move]) -> Answer {
    Answer {
        lines: vec![Report {
            depth: 0,
            line: 0,
            score: Score::Centipawns(0),
            nodes: 0,
            elapsed: std::time::Duration::ZERO,
            hashfull: 0,
            pv: vec![quick_series(position, first_moves)],
        }],
    }
}

/// What is known about a mate in the series.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mate {
    Unknown,
    None,
    Found(Vec<Move>),
}

struct Search<'a> {
    solver: &'a mut Solver,
    answer_solver: &'a mut Solver,
    mate: Mate,
    root: SeriesPosition,
    request: &'a Request,
    budget: Budget<'a>,
    /// The best candidates, best first; never empty once the search has begun.
    best: Vec<Candidate>,
    /// Ends of series after which the opponent mates, and how.
    refuted: HashMap<u64, Vec<Move>>,
    depth: u32,
    /// Whether this iteration has left out series or answers.
    missed_some: bool,
    report: &'a mut dyn FnMut(&Report),
}

impl Search<'_> {
    fn run(mut self) -> Answer {
        self.begin();
        let last = match self.budget.limits().depth {
            Some(depth) => depth.clamp(1, ITERATIONS),
            None => ITERATIONS,
        };
        for iteration in 1..=last {
            if self.budget.is_spent() || (iteration > 1 && self.budget.is_mostly_spent()) {
                break;
            }
            if self.iterate(iteration) == Progress::Settled {
                break;
            }
        }
        Answer {
            lines: self.lines(),
        }
    }

    /// A legal series stands from the first moment on.
    fn begin(&mut self) {
        let series = self
            .request
            .series
            .first()
            .cloned()
            .unwrap_or_else(|| quick_series(&self.root, &self.request.first_moves));
        let leaf = self.leaf_of(series);
        self.best = vec![candidate(leaf)];
    }

    fn leaf_of(&self, series: Vec<Move>) -> Leaf {
        let mut end = self.root;
        for &m in &series {
            end.play(m);
        }
        let (worth, _) = worth_of(&end, self.root.side());
        Leaf { end, series, worth }
    }

    fn iterate(&mut self, iteration: u32) -> Progress {
        self.look_for_mate(MATE_NODES << (iteration - 1));
        if let Mate::Found(series) = &self.mate
            && self.request.lines == 1
        {
            let leaf = self.leaf_of(series.clone());
            self.best = vec![candidate(leaf)];
            self.report_lines();
            return Progress::Settled;
        }
        if self.request.game.position().status() == Status::QuietLimit && self.mate == Mate::None {
            // Without a mate the game is drawn, whatever is played.
            self.best.truncate(1);
            self.best[0].score = Score::Centipawns(0);
            self.report_lines();
            return Progress::Settled;
        }
        if self.budget.is_spent() {
            return Progress::Open;
        }
        let mut leaves = self.candidates(iteration);
        if let Mate::Found(series) = &self.mate
            && !leaves.has_win()
        {
            let leaf = self.leaf_of(series.clone());
            leaves.leaves.insert(0, leaf);
        }
        let won = leaves.has_win();
        if iteration == 1 || (won && self.request.lines == 1) {
            self.take_over(&leaves);
            self.depth = 1;
            self.report_lines();
            if won && self.request.lines == 1 {
                return Progress::Settled;
            }
            if iteration == 1 {
                return Progress::Open;
            }
        }
        if self.budget.is_spent() {
            return Progress::Open;
        }
        let progress = self.hold_against_answers(iteration, leaves);
        self.report_lines();
        progress
    }

    /// Asks the solver for a mate in the series, where it may choose freely.
    fn look_for_mate(&mut self, nodes: u64) {
        let is_free = self.request.series.is_empty() && self.request.first_moves.is_empty();
        let mut left = nodes;
        while is_free && self.mate == Mate::Unknown && left > 0 && !self.budget.is_spent() {
            let portion = left.min(PORTION);
            let limits = self.budget.solver_limits(portion);
            let report = self.solver.first_mate(&self.root, &limits);
            self.budget.spend_many(report.stats.nodes);
            self.mate = match report.answer {
                solver::Answer::Mate(series) => Mate::Found(series),
                solver::Answer::NoMate => Mate::None,
                solver::Answer::Unknown => Mate::Unknown,
            };
            left -= portion;
        }
    }

    /// The ends of series worth a look in this iteration, best first.
    fn candidates(&mut self, iteration: u32) -> Expansion {
        if !self.request.series.is_empty() {
            let mut leaves: Vec<Leaf> = self
                .request
                .series
                .iter()
                .map(|series| self.leaf_of(series.clone()))
                .collect();
            leaves.sort_by_key(|leaf| std::cmp::Reverse(leaf.worth));
            return Expansion {
                leaves,
                is_complete: true,
            };
        }
        let width = WIDTH << iteration;
        let first_moves = &self.request.first_moves;
        let mut found = expand(
            &self.root,
            first_moves,
            width,
            Aim::Position,
            &mut self.budget,
        );
        if found.is_complete || found.has_win() || self.budget.is_spent() {
            return found;
        }
        let mating = expand(
            &self.root,
            first_moves,
            width / 2,
            Aim::Mate,
            &mut self.budget,
        );
        let mut known: std::collections::HashSet<u64> =
            found.leaves.iter().map(|leaf| leaf.end.key()).collect();
        found.leaves.extend(
            mating
                .leaves
                .into_iter()
                .filter(|leaf| known.insert(leaf.end.key())),
        );
        found
            .leaves
            .sort_by_key(|leaf| std::cmp::Reverse((leaf.worth, leaf.end.key())));
        found
    }

    /// Without answers the static worth decides; what stood before stays in the comparison.
    fn take_over(&mut self, found: &Expansion) {
        let mut leaves: Vec<Leaf> = self
            .best
            .iter()
            .map(|best| self.leaf_of(best.series.clone()))
            .filter(|best| found.leaves.iter().all(|leaf| leaf.end != best.end))
            .collect();
        leaves.extend(found.leaves.iter().cloned());
        leaves.sort_by_key(|leaf| std::cmp::Reverse(leaf.worth));
        self.best = leaves
            .into_iter()
            .take(self.request.lines)
            .map(candidate)
            .collect();
    }

    /// Scores the best candidates by the opponent's best answer; the best of the iteration before
    /// come first, so that a stop in the middle leaves something comparable. Settled means that
    /// every series was held against every answer.
    fn hold_against_answers(&mut self, iteration: u32, found: Expansion) -> Progress {
        let scale = iteration - 2;
        let wanted = (CANDIDATES << scale).max(self.request.lines);
        let found_all = found.is_complete;
        let mut done: Vec<Candidate> = Vec::new();
        let mut unrefuted = 0;
        let known: Vec<u64> = self.best.iter().map(|best| best.end.key()).collect();
        let earlier: Vec<Leaf> = self
            .best
            .iter()
            .map(|best| self.leaf_of(best.series.clone()))
            .collect();
        let fresh = found
            .leaves
            .into_iter()
            .filter(|leaf| !known.contains(&leaf.end.key()));
        let looks_max = wanted * 8 + earlier.len();
        self.missed_some = !found_all;
        for (index, leaf) in earlier.into_iter().chain(fresh).enumerate() {
            // Refuted candidates are no use: look further, but not for ever.
            if unrefuted >= wanted || index >= looks_max {
                self.missed_some = true;
                break;
            }
            let Some(candidate) = self.against_answers(leaf, iteration) else {
                self.missed_some = true;
                break;
            };
            unrefuted += usize::from(candidate.score.rank() > Score::Mate(-1).rank());
            done.push(candidate);
        }
        if done.is_empty() {
            return Progress::Open;
        }
        done.sort_by_key(|candidate| std::cmp::Reverse(candidate.score.rank()));
        if done.len() < self.best.len() {
            // Stopped before all earlier lines were held against the new answers.
            let fresh: Vec<u64> = done.iter().map(|candidate| candidate.end.key()).collect();
            let mut rest = std::mem::take(&mut self.best);
            rest.retain(|best| !fresh.contains(&best.end.key()));
            done.extend(rest);
        }
        done.truncate(self.request.lines);
        self.best = done;
        self.depth = iteration;
        if self.missed_some {
            Progress::Open
        } else {
            Progress::Settled
        }
    }

    /// A candidate with its score after the opponent's best answer; `None` when the budget ends
    /// before that is known.
    fn against_answers(&mut self, leaf: Leaf, iteration: u32) -> Option<Candidate> {
        let (worth, is_over) = worth_of(&leaf.end, self.root.side());
        let mut candidate = candidate(leaf);
        if is_over || worth == Worth::Won {
            return Some(candidate);
        }
        let key = candidate.end.key();
        if let Some(answer) = self.refuted.get(&key) {
            candidate.score = Score::Mate(-1);
            candidate.answer = Some(answer.clone());
            return Some(candidate);
        }
        let limits = self.budget.solver_limits(ANSWER_NODES << (iteration - 2));
        let mate = self.answer_solver.first_mate(&candidate.end, &limits);
        self.budget.spend_many(mate.stats.nodes);
        if let solver::Answer::Mate(answer) = mate.answer {
            self.refuted.insert(key, answer.clone());
            candidate.score = Score::Mate(-1);
            candidate.answer = Some(answer);
            return Some(candidate);
        }
        if candidate.end.status() == Status::QuietLimit {
            // Without a mate the game is drawn, whatever the answer is.
            candidate.score = Score::Centipawns(0);
            self.missed_some |= mate.answer == solver::Answer::Unknown;
            return Some(candidate);
        }
        let width = ANSWER_WIDTH << (iteration - 2);
        let answers = expand(&candidate.end, &[], width, Aim::Position, &mut self.budget);
        self.missed_some |= !answers.is_complete;
        let best = answers.leaves.into_iter().next();
        if self.budget.is_spent() && best.as_ref().is_none_or(|best| best.worth != Worth::Won) {
            return None;
        }
        let best = best?;
        match best.worth {
            Worth::Won => {
                self.refuted.insert(key, best.series.clone());
                candidate.score = Score::Mate(-1);
            }
            Worth::Score(score) => candidate.score = Score::Centipawns(-score),
            Worth::Lost => candidate.score = Score::Mate(1),
        }
        candidate.answer = Some(best.series);
        Some(candidate)
    }

    fn lines(&self) -> Vec<Report> {
        let elapsed = self.budget.elapsed();
        self.best
            .iter()
            .take(self.request.lines.max(1))
            .enumerate()
            .map(|(line, best)| Report {
                depth: self.depth,
                line,
                score: best.score,
                nodes: self.budget.nodes(),
                elapsed,
                hashfull: 0,
                pv: std::iter::once(best.series.clone())
                    .chain(best.answer.clone())
                    .collect(),
            })
            .collect()
    }

    fn report_lines(&mut self) {
        for line in self.lines() {
            (self.report)(&line);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// Going on may find something better.
    Open,
    /// Nothing better will be found.
    Settled,
}

fn candidate(leaf: Leaf) -> Candidate {
    Candidate {
        score: match leaf.worth {
            Worth::Won => Score::Mate(1),
            Worth::Lost => Score::Mate(-1),
            Worth::Score(score) => Score::Centipawns(score),
        },
        series: leaf.series,
        end: leaf.end,
        answer: None,
    }
}
