//! The final report for people.

use std::fmt::Write;

use super::super::{
    config::MatchConfig,
    run::MatchOutcome,
    standings::{Standings, Tally},
};

/// The whole report.
pub fn final_text(config: &MatchConfig, standings: &Standings, outcome: &MatchOutcome) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(text, "{}", headline(outcome));
    let _ = write!(text, "{}", result_lines(config, standings));
    for (end, count) in &standings.ends {
        let _ = writeln!(text, "  {count:>6}  {end}");
    }
    text
}

fn headline(outcome: &MatchOutcome) -> String {
    match outcome {
        MatchOutcome::Complete => "Complete.".to_owned(),
        MatchOutcome::Incomplete(reason) => format!("Incomplete: {reason}."),
        MatchOutcome::EngineFailure(problem) => format!("Stopped: {problem}."),
        MatchOutcome::Interrupted => "Interrupted.".to_owned(),
    }
}

/// The result in a few lines.
pub fn result_lines(config: &MatchConfig, standings: &Standings) -> String {
    let mut text = String::new();
    let names: Vec<&str> = config
        .engines
        .iter()
        .map(|engine| engine.name.as_str())
        .collect();
    for (first, second) in super::super::schedule::pairings(config.format, config.engines.len()) {
        let tally = standings.between(first, second);
        if tally.games.games() > 0 {
            let _ = write!(text, "{}", tally_lines(names[first], names[second], &tally));
        }
    }
    text
}

fn tally_lines(first: &str, second: &str, tally: &Tally) -> String {
    let games = tally.games;
    let mut text = format!(
        "{first} against {second}: {} games, +{} ={} -{}",
        games.games(),
        games.wins,
        games.draws,
        games.losses
    );
    if let Some(estimate) = tally.estimate() {
        let _ = write!(
            text,
            ", {:.1} %\n  Elo {:+.1} +- {:.1}, LOS {:.1} %",
            100.0 * estimate.score,
            estimate.elo,
            estimate.error,
            100.0 * estimate.los
        );
    }
    let _ = writeln!(text, ", Ptnml {:?}", tally.pairs.0);
    text
}
