//! A finished game of a match as PGN.

use std::time::Duration;

use anyhow::{Context, Result};

use super::{
    config::MatchConfig, info::Score, record::GameRecord, schedule::GameNumber, time_control::Clock,
};
use crate::{
    notation::{
        GameResult, PgnGame, Score as PgnScore, SeriesNote, parse_fen, parse_uci_move, write_pgn,
    },
    rules::{Color, SeriesPosition},
};

/// The game's text, with an empty line after it.
///
/// # Errors
/// If the record is not that of a legal game under the configured rules.
pub fn game_text(config: &MatchConfig, record: &GameRecord) -> Result<String> {
    let game = build(config, record)
        .with_context(|| format!("game {} of the journal", record.game.0 + 1))?;
    Ok(write_pgn(&game))
}

fn build(config: &MatchConfig, record: &GameRecord) -> Result<PgnGame> {
    let rules = config.variants[record.variant].rules;
    let start = match &record.fen {
        Some(fen) => parse_fen(rules, fen)?,
        None => SeriesPosition::start(rules),
    };
    let mut game = PgnGame::new(start);
    set_tags(&mut game, config, record);
    let mut clocks = record
        .engines
        .map(|index| Clock::new(&config.engines[index].limit));
    for turn in &record.turns {
        let side = game.end().side();
        let mut position = *game.end();
        let mut moves = Vec::new();
        for text in turn.moves.split_ascii_whitespace() {
            let m = parse_uci_move(&position, text)?;
            position.play(m);
            moves.push(m);
        }
        game.push_series(&moves, "")?;
        if let Some(time) = turn.time {
            let used = Duration::from_secs_f64(time / 1000.0);
            let clock = &mut clocks[side.fold_wb(0, 1)];
            clock.spend(used);
            game.comment(
                &SeriesNote {
                    score: turn.score.map(pgn_score),
                    depth: turn.depth,
                    time: Some(used),
                    clock: clock.remaining(),
                    eval: None,
                    text: String::new(),
                }
                .to_string(),
            );
        }
    }
    let names = record
        .engines
        .map(|index| config.engines[index].name.as_str());
    game.comment(&record.end.describe(names));
    game.set_result(match record.end.winner() {
        Some(Color::White) => GameResult::WhiteWins,
        Some(Color::Black) => GameResult::BlackWins,
        None => GameResult::Draw,
    });
    Ok(game)
}

fn set_tags(game: &mut PgnGame, config: &MatchConfig, record: &GameRecord) {
    let [white, black] = record.engines.map(|index| &config.engines[index]);
    game.set_tag("Event", &config.event);
    game.set_tag("Site", &config.site);
    game.set_tag("Date", &date(record.started));
    game.set_tag("Round", &round(record.game));
    game.set_tag("White", &white.name);
    game.set_tag("Black", &black.name);
    game.set_tag("Termination", record.end.termination());
    let limits = [white, black].map(|engine| engine.limit.to_string());
    if limits[0] == limits[1] {
        game.set_tag("TimeControl", &limits[0]);
    } else {
        game.set_tag("WhiteTimeControl", &limits[0]);
        game.set_tag("BlackTimeControl", &limits[1]);
    }
    if record.opening > 0 {
        game.set_tag("OpeningNumber", &record.opening.to_string());
    }
}

/// The pair and the game in it, both from 1.
fn round(game: GameNumber) -> String {
    format!("{}.{}", game.pair() + 1, game.0 % 2 + 1)
}

fn pgn_score(score: Score) -> PgnScore {
    match score {
        Score::Centipawns(score) => PgnScore::Centipawns(score),
        Score::Mate(series) => PgnScore::Mate(series),
    }
}

/// A day as PGN writes it, from seconds since 1970 (UTC).
fn date(seconds: u64) -> String {
    // Days to a date of the Gregorian calendar, after Howard Hinnant's civil_from_days.
    let days = seconds / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(951_782_400), "2000.02.29");
        assert_eq!(date(1_767_225_599), "2025.12.31");
    }
}
