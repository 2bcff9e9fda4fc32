//! Reports for people: the final one, and the few lines shown while a match runs.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};

use super::summary::{EngineSummary, PairingSummary, SprtSummary, Summary};
use crate::stats::{Decision, Trinomial};

/// How many openings and lengths the text shows; the other reports have all.
const ROWS_MAX: usize = 20;

/// The whole report.
pub fn final_text(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(text, "{}", headline(summary));
    text.push('\n');
    text.push_str(&result_lines(summary));
    if summary.engines.len() > 2 {
        let _ = writeln!(text, "\n{}", cross_table(summary));
    }
    if !summary.variants.is_empty() {
        let _ = writeln!(text, "\n{}", variant_table(&summary.variants));
    }
    let _ = writeln!(text, "\n{}", engine_table(&summary.engines));
    let _ = writeln!(text, "\n{}", end_table(summary));
    let lengths: Vec<String> = summary
        .lengths
        .iter()
        .map(|length| format!("{}: {}", length.series, length.games))
        .collect();
    let _ = writeln!(text, "\nGames by length in series: {}", lengths.join(", "));
    if summary.openings.iter().any(|opening| opening.opening > 0) {
        let _ = writeln!(text, "\n{}", opening_table(summary));
    }
    text
}

fn headline(summary: &Summary) -> String {
    let mut line = match (summary.outcome, &summary.reason) {
        ("complete", _) => "Complete".to_owned(),
        (outcome, None) => format!("Not complete ({outcome})"),
        (outcome, Some(reason)) => format!("Not complete ({outcome}): {reason}"),
    };
    let _ = write!(
        line,
        "\n{} of {} games played",
        summary.games, summary.games_planned
    );
    if summary.half_pairs > 0 {
        let _ = write!(
            line,
            ", {} waiting for the second game of the pair",
            summary.half_pairs
        );
    }
    line
}

/// The results in a few lines: of two engines in full, of more engines as a rating list.
pub fn result_lines(summary: &Summary) -> String {
    let mut text = String::new();
    if let [pairing] = summary.pairings.as_slice() {
        text.push_str(&pairing_lines(pairing));
    } else if !summary.pairings.is_empty() {
        let _ = writeln!(text, "{}", rating_table(&summary.engines));
    }
    if let Some(sprt) = &summary.sprt {
        text.push_str(&sprt_lines(sprt));
    }
    text
}

fn pairing_lines(pairing: &PairingSummary) -> String {
    let games = pairing.games;
    let mut text = format!(
        "{} against {}: {} games, +{} ={} -{}",
        pairing.first,
        pairing.second,
        games.games(),
        games.wins,
        games.draws,
        games.losses
    );
    let Some(estimate) = pairing.estimate else {
        text.push('\n');
        return text;
    };
    let _ = writeln!(text, ", score {:.1} %", 100.0 * estimate.score);
    let _ = write!(text, "Elo {:+.1} +- {:.1}", estimate.elo, estimate.error);
    if let (Some(nelo), Some(error)) = (estimate.nelo, estimate.nelo_error) {
        let _ = write!(text, ", nElo {nelo:+.1} +- {error:.1}");
    }
    let _ = writeln!(text, ", LOS {:.1} %", 100.0 * estimate.los);
    let kind = if estimate.pairs.is_some() {
        "pairs"
    } else {
        "games"
    };
    let _ = write!(text, "Drawn {kind} {:.1} %", 100.0 * estimate.draw_ratio);
    if let Some(ratio) = estimate.pair_ratio {
        let _ = write!(text, ", pair ratio {ratio:.2}");
    }
    let _ = writeln!(text, ", Ptnml(0-2) {:?}", pairing.pairs);
    text
}

fn sprt_lines(sprt: &SprtSummary) -> String {
    let mut text = String::new();
    match &sprt.assessment {
        Some(assessment) => {
            let _ = write!(
                text,
                "LLR {:.2} in ({:.2}, {:.2}) of {} [{}, {}]",
                assessment.llr,
                assessment.lower,
                assessment.upper,
                sprt.model,
                sprt.elo0,
                sprt.elo1
            );
            let verdict = match assessment.decision {
                Decision::Continue => "undecided",
                Decision::H0 => "H0 accepted",
                Decision::H1 => "H1 accepted",
            };
            let _ = writeln!(text, ": {verdict}");
            if let (Some(unbiased), false) =
                (sprt.unbiased, assessment.decision == Decision::Continue)
            {
                let _ = writeln!(
                    text,
                    "Elo not biased by the stopping: {:+.1} ({:+.1} to {:+.1})",
                    unbiased.elo, unbiased.elo_low, unbiased.elo_high
                );
            }
        }
        None => {
            let _ = writeln!(
                text,
                "LLR: no complete pair yet, {} [{}, {}]",
                sprt.model, sprt.elo0, sprt.elo1
            );
        }
    }
    text
}

fn table(headers: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_BORDERS_ONLY_CONDENSED);
    table.set_header(headers.iter().copied());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

fn signed(value: Option<f64>) -> String {
    // Adding nothing turns a negative zero into a positive one.
    let rounded = |value: f64| (10.0 * value).round() / 10.0 + 0.0;
    value.map_or_else(|| "-".to_owned(), |value| format!("{:+.1}", rounded(value)))
}

fn results(games: &Trinomial) -> String {
    format!("+{} ={} -{}", games.wins, games.draws, games.losses)
}

/// Engines by rating.
fn rating_table(engines: &[EngineSummary]) -> Table {
    let mut ranked: Vec<&EngineSummary> = engines.iter().collect();
    let key = |engine: &EngineSummary| engine.rating.or(engine.score).unwrap_or(f64::MIN);
    ranked.sort_by(|one, other| key(other).total_cmp(&key(one)));
    let mut table = table(&["engine", "rating", "+-", "games", "score %", "results"]);
    for engine in ranked {
        table.add_row([
            engine.name.clone(),
            signed(engine.rating),
            number(engine.rating_error, 1),
            engine.games.games().to_string(),
            number(engine.score.map(|score| 100.0 * score), 1),
            results(&engine.games),
        ]);
    }
    table
}

/// Every engine against every other, from the view of the row.
fn cross_table(summary: &Summary) -> Table {
    let names: Vec<&str> = summary
        .engines
        .iter()
        .map(|engine| engine.name.as_str())
        .collect();
    let mut headers = vec!["against"];
    headers.extend(&names);
    let mut table = table(&headers);
    for row in &names {
        let mut cells = vec![(*row).to_owned()];
        for column in &names {
            let cell = summary.pairings.iter().find_map(|pairing| {
                if (pairing.first.as_str(), pairing.second.as_str()) == (row, column) {
                    Some(results(&pairing.games))
                } else if (pairing.second.as_str(), pairing.first.as_str()) == (row, column) {
                    Some(results(&pairing.games.reversed()))
                } else {
                    None
                }
            });
            cells.push(cell.unwrap_or_else(|| "-".to_owned()));
        }
        table.add_row(cells);
    }
    table
}

fn variant_table(variants: &[PairingSummary]) -> Table {
    let mut table = table(&[
        "variant",
        "engines",
        "games",
        "results",
        "Elo",
        "+-",
        "Ptnml(0-2)",
    ]);
    for pairing in variants {
        let estimate = pairing.estimate;
        table.add_row([
            pairing.variant.clone().unwrap_or_default(),
            format!("{} - {}", pairing.first, pairing.second),
            pairing.games.games().to_string(),
            results(&pairing.games),
            signed(estimate.map(|estimate| estimate.elo)),
            number(estimate.map(|estimate| estimate.error), 1),
            format!("{:?}", pairing.pairs),
        ]);
    }
    table
}

fn engine_table(engines: &[EngineSummary]) -> Table {
    let mut table = table(&[
        "engine",
        "ms/series",
        "depth",
        "nodes",
        "nps",
        "lag ms",
        "max lag",
        "time losses",
        "faults",
    ]);
    for engine in engines {
        let faults: Vec<String> = engine
            .faults
            .iter()
            .map(|(fault, count)| format!("{count} {fault}"))
            .collect();
        let faults = if faults.is_empty() {
            "-".to_owned()
        } else {
            faults.join(", ")
        };
        table.add_row([
            engine.name.clone(),
            number(engine.mean_time, 2),
            number(engine.mean_depth, 1),
            engine.nodes.to_string(),
            number(engine.nps, 0),
            number(engine.mean_lag, 3),
            number(Some(engine.max_lag), 3),
            engine.time_losses.to_string(),
            faults,
        ]);
    }
    table
}

fn end_table(summary: &Summary) -> Table {
    let mut table = table(&["ended by", "games"]);
    for end in &summary.ends {
        table.add_row([end.end.to_owned(), end.games.to_string()]);
    }
    table
}

fn opening_table(summary: &Summary) -> Table {
    let mut table = table(&["opening", "games", "White's results"]);
    for opening in summary.openings.iter().take(ROWS_MAX) {
        let name = if summary.variants.is_empty() {
            opening.opening.to_string()
        } else {
            format!("{} {}", opening.variant, opening.opening)
        };
        table.add_row([
            name,
            opening.white.games().to_string(),
            results(&opening.white),
        ]);
    }
    if summary.openings.len() > ROWS_MAX {
        table.add_row([format!("and {} more", summary.openings.len() - ROWS_MAX)]);
    }
    table
}
