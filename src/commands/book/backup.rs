//! Findings into a book: what is known of later positions is carried back to the earlier ones.

use std::collections::HashMap;

use anyhow::{Context, Result};

use super::evaluate::{Finding, Line, Verdict, end_of};
use crate::{
    book::{Book, Entry, Known, Outlook, PackedMove, Worth, book_key},
    notation::parse_uci_move,
    rules::{Move, SeriesPosition},
};

/// A position of the book in the making.
pub(super) struct Place {
    pub position: SeriesPosition,
    /// The moves that lead to it.
    pub path: Vec<Move>,
    pub finding: Finding,
}

/// What all games of self-play after a series won or lost count, in centipawns. Scores of positions
/// so full of captures are rough: results say as much.
const GAMES_WORTH: i32 = 1000;
/// So many games are needed for half of that.
const GAMES_HALF: i32 = 4;
/// A series that is so much worse than the best, in centipawns, is played 1/e times as often.
const SPREAD: f64 = 100.0;
/// One that is worse by more than this is not played.
const PLAYED_WITHIN: i32 = 250;
/// A series that is not proven to be safe is played so much less often where another one is.
const UNSAFE_SHARE: f64 = 0.25;
/// The worth of decided positions as a score.
const DECIDED_SCORE: i32 = 3000;

/// What a position is worth to those before it.
#[derive(Clone, Copy)]
struct Value {
    outlook: Outlook,
    /// Of its best series, without what games add to it: they are counted once.
    plain: i32,
    games: u32,
    half_points: u32,
}

/// The moves of a line.
pub(super) fn moves_of(position: &SeriesPosition, line: &Line) -> Result<Vec<Move>> {
    let mut at = *position;
    line.series
        .iter()
        .map(|text| {
            let m = parse_uci_move(&at, text)?;
            at.play(m);
            Ok(m)
        })
        .collect()
}

/// Puts everything into `book`, the last turn first. `turns` holds the positions of each turn.
pub(super) fn fill(book: &mut Book, turns: &[Vec<Place>]) -> Result<()> {
    let mut values: HashMap<u64, Value> = HashMap::new();
    for places in turns.iter().rev() {
        for place in places {
            let (known, value) = judge(place, &values)
                .with_context(|| "a finding that does not belong to its position")?;
            values.insert(book_key(&place.position), value);
            if !known.entries.is_empty() {
                book.insert(&place.position, known);
            }
        }
    }
    Ok(())
}

/// A series with what is known of it.
struct Judged {
    entry: Entry,
    /// What the search and the games make of it.
    score: i32,
    /// What the search alone does.
    plain: i32,
}

fn judge(place: &Place, values: &HashMap<u64, Value>) -> Result<(Known, Value)> {
    let mut list = Vec::new();
    for line in &place.finding.lines {
        let series = moves_of(&place.position, line)?;
        let after = values.get(&book_key(&end_of(&place.position, &series)));
        list.push(judge_line(line, &series, after));
    }
    list.sort_by_key(|judged| std::cmp::Reverse((judged.entry.worth.rank(), judged.score)));
    weigh(&mut list);
    let plain = list.first().map_or(0, |best| match best.entry.worth {
        Worth::Believed(_) | Worth::Safe(_) => best.plain,
        Worth::Win(_) => DECIDED_SCORE,
        Worth::Loss(_) => -DECIDED_SCORE,
    });
    let entries: Vec<Entry> = list.into_iter().map(|judged| judged.entry).collect();
    let outlook = outlook(&entries, place.finding.rest_refuted);
    let sum = |of: fn(&Entry) -> u16| entries.iter().map(|entry| u32::from(of(entry))).sum();
    let value = Value {
        outlook,
        plain,
        games: sum(|entry| entry.games),
        half_points: sum(|entry| entry.half_points),
    };
    Ok((Known { outlook, entries }, value))
}

/// A line, where `after` is known of the position after it, for the other side.
fn judge_line(line: &Line, series: &[Move], after: Option<&Value>) -> Judged {
    let (mut games, mut half_points) = (line.games, line.half_points);
    let mut plain = line.score;
    if let Some(after) = after {
        plain = -after.plain;
        games += after.games;
        half_points += 2 * after.games - after.half_points;
    }
    let score = plain + bonus(games, half_points);
    let cp = |score: i32| score.clamp(-DECIDED_SCORE, DECIDED_SCORE) as i16;
    let worth = match (line.verdict, after.map(|after| after.outlook)) {
        (Verdict::Mates, _) => Worth::Win(1),
        (Verdict::Forces, _) => Worth::Win(2),
        (Verdict::Refuted, _) => Worth::Loss(1),
        (Verdict::Draws, _) => Worth::Safe(0),
        (_, Some(Outlook::Lost(series))) => Worth::Win(series.saturating_add(1)),
        (_, Some(Outlook::Won(series))) => Worth::Loss(series),
        (Verdict::Safe, _) => Worth::Safe(cp(score)),
        (Verdict::Unknown, _) => Worth::Believed(cp(score)),
    };
    // Sixteen bits are enough for any book; their ratio is what counts.
    while games > u32::from(u16::MAX) / 2 {
        (games, half_points) = (games / 2, half_points / 2);
    }
    Judged {
        entry: Entry {
            worth,
            weight: 0,
            games: games as u16,
            half_points: half_points as u16,
            moves: PackedMove::series(series),
        },
        score,
        plain,
    }
}

/// What the results of self-play add to a score.
fn bonus(games: u32, half_points: u32) -> i32 {
    let (games, half_points) = (games as i32, half_points as i32);
    GAMES_WORTH * (half_points - games) / (games + GAMES_HALF)
}

/// What is proven of a position with these series, best first.
fn outlook(entries: &[Entry], rest_refuted: bool) -> Outlook {
    match entries.first().map(|best| best.worth) {
        Some(Worth::Win(series)) => Outlook::Won(series),
        // The best of the losses is the one that takes longest.
        Some(Worth::Loss(series)) if rest_refuted => Outlook::Lost(series),
        _ => Outlook::Open,
    }
}

/// How often each series is to be played.
fn weigh(list: &mut [Judged]) {
    let Some(best) = list.first().map(|judged| judged.entry.worth) else {
        return;
    };
    let has_safe = list
        .iter()
        .any(|judged| matches!(judged.entry.worth, Worth::Safe(_)));
    let best_score = list
        .iter()
        .filter(|judged| !judged.entry.worth.is_decided())
        .map(|judged| judged.score)
        .max()
        .unwrap_or(0);
    for (index, judged) in list.iter_mut().enumerate() {
        let behind = best_score - judged.score;
        let share = match judged.entry.worth {
            Worth::Win(_) => f64::from(u8::from(judged.entry.worth == best)),
            // Lost anyway: what takes longest.
            Worth::Loss(_) => f64::from(u8::from(index == 0)),
            _ if matches!(best, Worth::Win(_)) || behind > PLAYED_WITHIN => 0.0,
            Worth::Believed(_) if has_safe => UNSAFE_SHARE * (-f64::from(behind) / SPREAD).exp(),
            Worth::Safe(_) | Worth::Believed(_) => (-f64::from(behind) / SPREAD).exp(),
        };
        judged.entry.weight = (share * 255.0).round().clamp(0.0, 255.0) as u8;
    }
}
