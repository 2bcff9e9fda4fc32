//! A finished game as PGN.

use std::fmt::Write;

use super::{config::MatchConfig, record::GameRecord};

/// The game's text, with an empty line after it.
pub fn game_text(config: &MatchConfig, record: &GameRecord) -> String {
    let mut text = String::new();
    let names = record
        .engines
        .map(|index| config.engines[index].name.as_str());
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", &config.event);
    tag("Site", &config.site);
    tag("Date", &date(record.started));
    tag(
        "Round",
        &format!("{}.{}", record.game.pair() + 1, record.game.0 % 2 + 1),
    );
    tag("White", names[0]);
    tag("Black", names[1]);
    tag("Result", record.end.result());
    tag("Variant", &config.variants[record.variant].name());
    if let Some(fen) = &record.fen {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    tag("Termination", record.end.termination());
    text.push('\n');
    let mut words = Vec::new();
    let first = record
        .fen
        .as_deref()
        .and_then(|fen| fen.split(' ').nth(5)?.parse::<usize>().ok())
        .unwrap_or(1);
    for (index, turn) in record.turns.iter().enumerate() {
        let mut moves = turn.moves.split(' ');
        words.push(format!(
            "{}.{}",
            first + index,
            moves.next().unwrap_or_default()
        ));
        words.extend(moves.map(str::to_owned));
    }
    let reason = record.end.describe(names).replace(['{', '}'], "|");
    words.push(format!("{{{reason}}}"));
    words.push(record.end.result().to_owned());
    let mut column = 0;
    for word in words.iter().flat_map(|word| word.split(' ')) {
        if column > 0 && column + 1 + word.len() > 79 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push_str("\n\n");
    text
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
