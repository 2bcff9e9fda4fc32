//! What is found out about one position of a book: its best series, and what the solver proves of
//! them.

use serde::{Deserialize, Serialize};

use super::super::{self_play::winner, series::distinct_series};
use crate::{
    book::book_key,
    rules::{Color, Game, Move, SeriesPosition, Status},
    search::{Limits, Request, Score, Searcher, Settings, Signals},
    solver::{self, Answer, Solver},
};

/// How much is done for each position.
#[derive(Clone, Debug)]
pub(super) struct Effort {
    /// Nodes of the search.
    pub nodes: u64,
    /// Nodes of one question to the solver.
    pub proof_nodes: u64,
    /// With at most so many ends, all series are verified whatever the search says.
    pub enumerate: usize,
    /// With at most so many, where no good series is found.
    pub prove: usize,
    /// Series that are worse than the best by more centipawns than this are left out.
    pub margin: i32,
    /// Games of self-play after each series of the last turn.
    pub games: u32,
    /// Nodes of a series in them.
    pub game_nodes: u64,
    /// What varies the games.
    pub seed: u64,
    /// Memory of each thread, in MiB.
    pub hash_mib: u32,
}

/// What is proven of a series beside its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    /// It mates.
    Mates,
    /// After every answer to it the next series mates.
    Forces,
    /// The game is drawn by it.
    Draws,
    /// The opponent has no mate in the answer.
    Safe,
    /// The opponent mates.
    Refuted,
    /// Nothing: the solver gave up.
    Unknown,
}

/// A series of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Line {
    /// Its moves, as in UCI.
    pub series: Vec<String>,
    /// What the search thinks of it, in centipawns.
    pub score: i32,
    pub verdict: Verdict,
    /// Games of self-play after it, and the half points they brought the side that plays it.
    #[serde(default)]
    pub games: u32,
    #[serde(default)]
    pub half_points: u32,
}

/// What was found out about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Finding {
    /// The series to be kept, best first.
    pub lines: Vec<Line>,
    /// Whether the opponent is proven to mate after every series that is not among them.
    pub rest_refuted: bool,
    /// Where all ends of series were verified: how many there are, after how many the opponent
    /// mates, and of how many nothing is known.
    pub ends: Option<[u32; 3]>,
}

/// A score that is worth no more than any other: a mate the search sees, without a proof.
const MATE_SCORE: i32 = 2000;
/// Known mates that are tried first against a series.
const KILLERS: usize = 16;
/// A game of self-play that has not ended by this turn is drawn.
const LAST_TURN: u16 = 30;

fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(score) => score.clamp(-MATE_SCORE, MATE_SCORE),
        Score::Mate(series) => MATE_SCORE * series.signum(),
    }
}

/// The position after a series.
pub(super) fn end_of(position: &SeriesPosition, series: &[Move]) -> SeriesPosition {
    series.iter().fold(*position, |at, &m| at.after(m))
}

/// One thread's tools.
pub(super) struct Evaluator<'e> {
    effort: &'e Effort,
    solver: Solver,
    searcher: Searcher,
    /// Mates that worked in the position under evaluation, the last one first.
    killers: Vec<Vec<Move>>,
}

impl<'e> Evaluator<'e> {
    pub(super) fn new(effort: &'e Effort) -> Evaluator<'e> {
        Evaluator {
            effort,
            solver: Solver::new(effort.hash_mib as usize, 1),
            searcher: Searcher::new(Settings {
                hash_mib: effort.hash_mib,
                ..Settings::default()
            }),
            killers: Vec::new(),
        }
    }

    /// Finds out what `position` is worth, of which at most `breadth` series are to be kept.
    /// Those of the last turn are played on.
    pub(super) fn find(
        &mut self,
        position: &SeriesPosition,
        breadth: usize,
        is_last: bool,
    ) -> Finding {
        // Nothing may depend on which positions this thread has seen before.
        self.solver.forget();
        self.killers.clear();
        if let Answer::Mate(series) = self.ask(position) {
            let line = line(&series, MATE_SCORE, Verdict::Mates);
            return Finding {
                lines: vec![line],
                rest_refuted: false,
                ends: None,
            };
        }
        let (mut finding, series) = match distinct_series(position, self.effort.enumerate) {
            Some(all) => self.among_all(position, all, breadth, usize::MAX),
            None => self.among_found(position, breadth),
        };
        if is_last {
            for (series, line) in series.iter().zip(&mut finding.lines) {
                if matches!(line.verdict, Verdict::Safe | Verdict::Unknown) {
                    self.play_on(&end_of(position, series), position.side(), line);
                }
            }
        }
        finding
    }

    /// Verifies every series, or so many that `enough` of them are not refuted, and lets the search
    /// look at these.
    fn among_all(
        &mut self,
        position: &SeriesPosition,
        all: Vec<Vec<Move>>,
        breadth: usize,
        enough: usize,
    ) -> (Finding, Vec<Vec<Move>>) {
        let mut good = Vec::new();
        let mut counts = [all.len() as u32, 0, 0];
        let mut refuted = Vec::new();
        let mut is_exhaustive = true;
        for series in all {
            if good.len() >= enough {
                is_exhaustive = false;
                break;
            }
            match self.verify(position, &series) {
                Verdict::Refuted => {
                    counts[1] += 1;
                    refuted.push(series);
                }
                verdict => {
                    counts[2] += u32::from(verdict == Verdict::Unknown);
                    good.push(series);
                }
            }
        }
        let good_count = good.len();
        let is_lost = good.is_empty();
        let among = if is_lost { refuted } else { good };
        let (lines, series) = self.search(position, among, breadth, is_lost);
        let rest_refuted = is_exhaustive && (lines.len() == good_count || is_lost);
        let finding = Finding {
            lines,
            rest_refuted,
            ends: is_exhaustive.then_some(counts),
        };
        (finding, series)
    }

    /// Lets the search find series, and verifies those. Where none is good, all are verified if
    /// there are not too many.
    fn among_found(
        &mut self,
        position: &SeriesPosition,
        breadth: usize,
    ) -> (Finding, Vec<Vec<Move>>) {
        let (lines, series) = self.search(position, Vec::new(), breadth, false);
        let is_bad = lines.iter().all(|line| line.verdict == Verdict::Refuted);
        if is_bad && let Some(all) = distinct_series(position, self.effort.prove) {
            return self.among_all(position, all, breadth, breadth);
        }
        let finding = Finding {
            lines,
            rest_refuted: false,
            ends: None,
        };
        (finding, series)
    }

    /// The best series by the search, among these or among all, each with what is proven of it.
    fn search(
        &mut self,
        position: &SeriesPosition,
        among: Vec<Vec<Move>>,
        breadth: usize,
        is_lost: bool,
    ) -> (Vec<Line>, Vec<Vec<Move>>) {
        let limits = Limits {
            nodes: Some(self.effort.nodes),
            ..Limits::default()
        };
        let mut request = Request::new(Game::new(*position), limits);
        request.series = among;
        request.lines = if is_lost { 1 } else { breadth };
        let answer = self
            .searcher
            .search(&request, &Signals::new(false), &mut |_| {});
        let mut lines = Vec::new();
        let mut kept: Vec<Vec<Move>> = Vec::new();
        for report in answer.lines {
            let Some(series) = report.pv.into_iter().next() else {
                continue;
            };
            let mut verdict = self.verify(position, &series);
            if verdict == Verdict::Safe && report.score == Score::Mate(2) {
                verdict = self.forces(&end_of(position, &series)).unwrap_or(verdict);
            }
            lines.push(line(&series, centipawns(report.score), verdict));
            kept.push(series);
        }
        let best = lines.iter().map(|line| line.score).max().unwrap_or(0);
        let worst = if position.turn().0 == 1 {
            // Every first move has its place.
            i32::MIN
        } else {
            best - self.effort.margin
        };
        let keep: Vec<bool> = lines
            .iter()
            .map(|line| line.score >= worst && (line.verdict != Verdict::Refuted || is_lost))
            .collect();
        if keep.contains(&true) {
            let mut at = keep.iter();
            lines.retain(|_| at.next().copied().unwrap_or(false));
            let mut at = keep.iter();
            kept.retain(|_| at.next().copied().unwrap_or(false));
        }
        (lines, kept)
    }

    /// Asks the solver for a mate in the series of `position`.
    fn ask(&mut self, position: &SeriesPosition) -> Answer {
        let limits = solver::Limits::nodes(self.effort.proof_nodes);
        self.solver.first_mate(position, &limits).answer
    }

    /// What is proven of a series.
    fn verify(&mut self, position: &SeriesPosition, series: &[Move]) -> Verdict {
        let end = end_of(position, series);
        self.judge(&end, position.side())
    }

    /// What is proven of a series of `side` that ends in `end`.
    fn judge(&mut self, end: &SeriesPosition, side: Color) -> Verdict {
        match end.status() {
            Status::Over(outcome) => {
                return match outcome.winner {
                    Some(winner) if winner == side => Verdict::Mates,
                    Some(_) => Verdict::Refuted,
                    None => Verdict::Draws,
                };
            }
            Status::Ongoing | Status::QuietLimit => {}
        }
        if let Some(index) = self.killers.iter().position(|killer| mates(end, killer)) {
            self.killers[..=index].rotate_right(1);
            return Verdict::Refuted;
        }
        match self.ask(end) {
            Answer::Mate(series) => {
                self.killers.truncate(KILLERS - 1);
                self.killers.insert(0, series);
                Verdict::Refuted
            }
            Answer::NoMate if end.status() == Status::QuietLimit => Verdict::Draws,
            Answer::NoMate => Verdict::Safe,
            Answer::Unknown => Verdict::Unknown,
        }
    }

    /// Whether the side that waits in `end` mates after every answer.
    fn forces(&mut self, end: &SeriesPosition) -> Option<Verdict> {
        let answers = distinct_series(end, self.effort.prove)?;
        let killers = std::mem::take(&mut self.killers);
        let all_refuted = answers
            .iter()
            .all(|series| self.verify(end, series) == Verdict::Refuted);
        self.killers = killers;
        all_refuted.then_some(Verdict::Forces)
    }

    /// Plays games on from the end of a series of `side`.
    fn play_on(&mut self, end: &SeriesPosition, side: Color, line: &mut Line) {
        for number in 0..self.effort.games {
            let seed = self.effort.seed ^ book_key(end) ^ u64::from(number).rotate_left(48);
            let mut random = fastrand::Rng::with_seed(seed);
            line.games += 1;
            line.half_points += match self.play(end, &mut random) {
                Some(winner) if winner == side => 2,
                Some(_) => 0,
                None => 1,
            };
        }
    }

    /// Who wins a game that goes on from `start`.
    fn play(&mut self, start: &SeriesPosition, random: &mut fastrand::Rng) -> Option<Color> {
        let game_nodes = self.effort.game_nodes;
        // A few nodes more or less make other games of the same beginning.
        let nodes = || game_nodes + random.u64(..=game_nodes / 4);
        winner(&mut self.searcher, Game::new(*start), LAST_TURN, nodes)
    }
}

fn line(series: &[Move], score: i32, verdict: Verdict) -> Line {
    use crate::notation::{CastlingText, uci_text};
    Line {
        series: series
            .iter()
            .map(|&m| uci_text(m, CastlingText::KingTakesRook))
            .collect(),
        score,
        verdict,
        games: 0,
        half_points: 0,
    }
}

/// Whether `series` can be played in `position` and wins.
fn mates(position: &SeriesPosition, series: &[Move]) -> bool {
    let mut at = *position;
    for &m in series {
        if at.side() != position.side() || !at.legal_moves().contains(&m) {
            return false;
        }
        at.play(m);
    }
    matches!(at.status(), Status::Over(outcome) if outcome.winner == Some(position.side()))
}
