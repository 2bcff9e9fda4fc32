//! Series into the texts that the client reads: castling, passes, flat lists.

use super::{
    place::Place,
    settings::{EngineSettings, Turns},
    wdl,
};
use crate::{
    notation::uci_text,
    protocol::{self, InfoLine, ProgressLine, SeriesCounts},
    rules::{Move, SeriesPosition},
    search::{Progress, Report, Score},
};

/// A series as the client writes it, without passes.
pub(super) fn series_text(series: &[Move], settings: &EngineSettings) -> Vec<String> {
    series
        .iter()
        .map(|&m| uci_text(m, settings.castling))
        .collect()
}

/// A line of play as one flat list; in alternating mode with the passes.
pub(super) fn flat_text(
    place: &Place,
    line: &[Vec<Move>],
    settings: &EngineSettings,
) -> Vec<String> {
    let mut position = *place.game.position();
    let mut waiting = place.is_waiting;
    let mut words = Vec::new();
    for &m in line.iter().flatten() {
        if waiting {
            words.push(pass_text(&position, settings));
        }
        words.push(uci_text(m, settings.castling));
        position.play(m);
        waiting = settings.turns == Turns::Alternating && !position.is_turn_start();
    }
    words
}

/// The pass of the side that waits in `position`.
pub(super) fn pass_text(position: &SeriesPosition, settings: &EngineSettings) -> String {
    settings.pass.text(position.men().king(!position.side()))
}

pub(super) fn score(score: Score) -> protocol::Score {
    match score {
        Score::Centipawns(score) => protocol::Score::Centipawns(score),
        Score::Mate(series) => protocol::Score::Mate(series),
    }
}

/// The worth of a report for the side to move in the client's eyes: turned round where it waits.
pub(super) fn seen_score(report: &Report, place: &Place) -> protocol::Score {
    score(match report.score {
        Score::Centipawns(score) if place.is_waiting => Score::Centipawns(-score),
        Score::Mate(series) if place.is_waiting => Score::Mate(-series),
        score => score,
    })
}

/// A report as an info line.
pub(super) fn info(report: &Report, place: &Place, settings: &EngineSettings) -> InfoLine {
    let seen = seen_score(report, place);
    let was_searched = report.candidates > 0;
    InfoLine {
        depth: report.depth,
        multipv: report.line as u32 + 1,
        score: seen,
        wdl: settings.shows_wdl.then(|| wdl::chances(seen)),
        nodes: report.nodes,
        milliseconds: report.elapsed.as_millis() as u64,
        hashfull: report.hashfull,
        counts: was_searched.then_some(SeriesCounts {
            candidates: report.candidates,
            verified: report.verified,
            refuted: report.refuted,
        }),
        pv: flat_text(place, &report.pv, settings),
    }
}

/// How far a search is, as an info line.
pub(super) fn progress(
    progress: &Progress,
    place: &Place,
    settings: &EngineSettings,
) -> ProgressLine {
    ProgressLine {
        depth: progress.depth,
        number: progress.number,
        nodes: progress.nodes,
        milliseconds: progress.elapsed.as_millis() as u64,
        counts: SeriesCounts {
            candidates: progress.candidates,
            verified: progress.verified,
            refuted: progress.refuted,
        },
        series: flat_text(place, std::slice::from_ref(&progress.series), settings),
    }
}
