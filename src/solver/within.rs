//! Mate within several own series: an own series after which every answer still loses.
//!
//! All answers have to be looked at, so this is for problems and thin positions. Most candidates
//! fail to an answer that refuted another one before, and those that give check leave few.

use super::{Answer, Limits, Meter, Series, Solver, Stats};
use crate::rules::{KeySet, Move, SeriesPosition, Status};

/// How many refuting answers are remembered.
const KILLERS: usize = 32;

/// Whether, and how soon, a win can be forced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithinReport {
    /// How many own series the win takes, the one in `answer` included. After
    /// [`Answer::NoMate`] as many as were asked about; after [`Answer::Unknown`] all smaller
    /// numbers were refuted.
    pub series: u16,
    /// The series that wins, or the first of those that force it.
    pub answer: Answer,
    /// What it cost.
    pub stats: Stats,
}

/// What is known of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Proof {
    /// The side that attacks wins, beginning with this series.
    Wins(Series),
    /// It does not.
    Fails,
    /// The budget was spent.
    Stopped,
}

impl Solver {
    /// Looks for a win within `series` own series against every answer, trying one first, then
    /// two, and so on. The end of a game by quiet series or dead material counts as no win;
    /// repetition is not looked at.
    ///
    /// Beside the tables it remembers the positions of one series at a time, about 30 bytes each.
    pub fn mate_within(
        &mut self,
        position: &SeriesPosition,
        series: u16,
        limits: &Limits,
    ) -> WithinReport {
        let mut meter = Meter::new(limits);
        let mut report = WithinReport {
            series,
            answer: Answer::NoMate,
            stats: Stats::default(),
        };
        for within in 1..=series {
            let mut killers = Vec::new();
            let answer = match self.attack(position, within, &mut killers, &mut meter) {
                Proof::Wins(line) => Answer::Mate(line),
                Proof::Fails => continue,
                Proof::Stopped => Answer::Unknown,
            };
            report.series = within;
            report.answer = answer;
            break;
        }
        report.stats = meter.stats();
        report
    }

    /// Whether the side on turn wins within `series` series.
    fn attack(
        &mut self,
        position: &SeriesPosition,
        series: u16,
        killers: &mut Vec<Series>,
        meter: &mut Meter<'_>,
    ) -> Proof {
        match self.solve(position, meter) {
            Answer::Mate(line) => return Proof::Wins(line),
            Answer::Unknown => return Proof::Stopped,
            Answer::NoMate => {}
        }
        // At the quiet limit nothing but a win in this series counts.
        if series <= 1 || position.status() != Status::Ongoing {
            return Proof::Fails;
        }
        for checking in [true, false] {
            let mut ends = Ends::new(position);
            while let Some((end, line)) = ends.next() {
                if !meter.count() {
                    return Proof::Stopped;
                }
                if end.is_check() != checking {
                    continue;
                }
                match self.defence(&end, series - 1, killers, meter) {
                    Proof::Wins(_) => {}
                    Proof::Fails => return Proof::Wins(line.to_vec()),
                    Proof::Stopped => return Proof::Stopped,
                }
            }
        }
        Proof::Fails
    }

    /// Whether the side on turn has an answer after which the other side does not win within
    /// `series` series.
    fn defence(
        &mut self,
        position: &SeriesPosition,
        series: u16,
        killers: &mut Vec<Series>,
        meter: &mut Meter<'_>,
    ) -> Proof {
        if position.status() != Status::Ongoing {
            return Proof::Wins(Series::new());
        }
        for index in 0..killers.len() {
            let Some(end) = replay(position, &killers[index]) else {
                continue;
            };
            match self.attack(&end, series, &mut Vec::new(), meter) {
                Proof::Wins(_) => {}
                Proof::Fails => {
                    killers[..=index].rotate_right(1);
                    return Proof::Wins(killers[0].clone());
                }
                Proof::Stopped => return Proof::Stopped,
            }
        }
        let mut deeper = Vec::new();
        let mut ends = Ends::new(position);
        while let Some((end, line)) = ends.next() {
            if !meter.count() {
                return Proof::Stopped;
            }
            let is_held = match end.status() {
                Status::Over(outcome) => outcome.winner != Some(!position.side()),
                Status::Ongoing | Status::QuietLimit => {
                    match self.attack(&end, series, &mut deeper, meter) {
                        Proof::Wins(_) => false,
                        Proof::Fails => true,
                        Proof::Stopped => return Proof::Stopped,
                    }
                }
            };
            if is_held {
                killers.truncate(KILLERS - 1);
                killers.insert(0, line.to_vec());
                return Proof::Wins(line.to_vec());
            }
        }
        Proof::Fails
    }
}

/// Where `series` leads, if it is a whole series from `position`.
fn replay(position: &SeriesPosition, series: &[Move]) -> Option<SeriesPosition> {
    let mut at = *position;
    for &m in series {
        if at.side() != position.side() || !at.legal_moves().contains(&m) {
            return None;
        }
        at.play(m);
    }
    (at.side() != position.side()).then_some(at)
}

/// All positions that the series of a position can end in, each once.
struct Ends {
    /// The positions on the line, each with its moves that have not been tried.
    stack: Vec<(SeriesPosition, Vec<Move>)>,
    line: Series,
    seen: KeySet,
}

impl Ends {
    fn new(position: &SeriesPosition) -> Ends {
        Ends {
            stack: vec![(*position, position.legal_moves().to_vec())],
            line: Series::new(),
            seen: KeySet::default(),
        }
    }

    /// The next one, and the series that leads to it.
    fn next(&mut self) -> Option<(SeriesPosition, &[Move])> {
        loop {
            let depth = self.stack.len();
            let (position, moves) = self.stack.last_mut()?;
            self.line.truncate(depth - 1);
            let Some(m) = moves.pop() else {
                self.stack.pop();
                continue;
            };
            let next = position.after(m);
            let is_end = next.side() != position.side();
            let key = if is_end {
                next.key()
            } else {
                next.series_key()
            };
            if !self.seen.insert(key) {
                continue;
            }
            self.line.push(m);
            if is_end {
                return Some((next, &self.line));
            }
            self.stack.push((next, next.legal_moves().to_vec()));
        }
    }
}
