//! The last words of a search: its lines once more, the best series, and in alternating mode the
//! plan for the moves to come.

use super::{
    place::Place,
    settings::{EngineSettings, Turns},
    spelling,
};
use crate::{
    protocol::{InfoLine, Reply, Score},
    rules::{Move, Outcome},
    search::{Answer, Report},
};

/// Moves still to be made, from the position with this key.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    key: u64,
    report: Report,
}

impl Plan {
    /// What is left of the best line of play after its first move.
    pub(super) fn of(place: &Place, answer: &Answer) -> Option<Plan> {
        let best = answer.lines.first()?;
        let (series, later) = best.pv.split_first()?;
        let (&first, rest) = series.split_first()?;
        if rest.is_empty() {
            return None;
        }
        let mut pv = vec![rest.to_vec()];
        pv.extend_from_slice(later);
        Some(Plan {
            key: place.game.position().after(first).key(),
            report: Report { pv, ..best.clone() },
        })
    }

    /// The plan, if `place` is where it goes on.
    pub(super) fn at(&self, place: &Place) -> Option<&Report> {
        (self.key == place.game.position().key()).then_some(&self.report)
    }
}

/// The words of a search that found `answer`.
pub(super) fn found(place: &Place, answer: &Answer, settings: &EngineSettings) -> Vec<Reply> {
    let mut replies: Vec<Reply> = answer
        .lines
        .iter()
        .map(|line| Reply::Info(spelling::info(line, place, settings)))
        .collect();
    replies.push(best_move(answer, settings));
    replies
}

fn best_move(answer: &Answer, settings: &EngineSettings) -> Reply {
    let pv: &[Vec<Move>] = answer.lines.first().map_or(&[], |best| &best.pv);
    let mut series = pv.first().map(Vec::as_slice).unwrap_or_default();
    let mut ponder = pv.get(1).map(Vec::as_slice).unwrap_or_default();
    if settings.turns == Turns::Alternating {
        // One move; the answer to it is a move only if the series ends with it, else a pass.
        ponder = match series.len() {
            1 => &ponder[..ponder.len().min(1)],
            _ => &[],
        };
        series = &series[..series.len().min(1)];
    }
    Reply::BestMove {
        series: spelling::series_text(series, settings),
        ponder: spelling::series_text(ponder, settings),
    }
}

/// The words of the side that has to wait: it passes. What the plan under way is worth is known.
pub(super) fn pass(place: &Place, plan: Option<&Plan>, settings: &EngineSettings) -> Vec<Reply> {
    let pass = spelling::pass_text(place.game.position(), settings);
    let info = match plan.and_then(|plan| plan.at(place)) {
        Some(report) => spelling::info(report, place, settings),
        None => InfoLine {
            pv: vec![pass.clone()],
            ..nothing_known()
        },
    };
    let best = Reply::BestMove {
        series: vec![pass],
        ponder: Vec::new(),
    };
    vec![Reply::Info(info), best]
}

/// The words about a game that is over: the score for the side on turn, and no series.
pub(super) fn over(outcome: Outcome) -> Vec<Reply> {
    let score = if outcome.winner.is_some() {
        Score::Mate(0)
    } else {
        Score::Centipawns(0)
    };
    let text = format!("game over: {} {}", outcome.result(), outcome.ending);
    vec![
        Reply::Note(text),
        Reply::Info(InfoLine {
            score,
            ..nothing_known()
        }),
        Reply::BestMove {
            series: Vec::new(),
            ponder: Vec::new(),
        },
    ]
}

/// An info line where nothing was searched.
fn nothing_known() -> InfoLine {
    InfoLine {
        depth: 0,
        multipv: 1,
        score: Score::Centipawns(0),
        wdl: None,
        nodes: 0,
        milliseconds: 0,
        hashfull: 0,
        counts: None,
        pv: Vec::new(),
    }
}
