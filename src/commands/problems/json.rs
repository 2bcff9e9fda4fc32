//! Problems as JSON lines.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{ProblemError, Read, turn_of_length};
use crate::{
    notation::parse_setup,
    rules::{Preset, RuleSet, SeriesPosition, Square, Switch},
};

/// The fields that are read; others may stand beside them.
#[derive(Deserialize)]
struct Line {
    id: Option<serde_json::Value>,
    fen: String,
    /// Moves to play; overrides what the FEN's turn number says.
    n: Option<u16>,
    variant: Option<String>,
    #[serde(default)]
    switches: BTreeMap<String, String>,
    /// En passant squares; overrides the FEN's field where given.
    ep_targets: Option<Vec<String>>,
}

pub(super) fn read_problem(text: &str, mut rules: RuleSet) -> Result<Read, ProblemError> {
    let line: Line = serde_json::from_str(text)?;
    if let Some(variant) = line.variant {
        let preset: Preset = variant
            .parse()
            .map_err(|_| ProblemError::Variant(variant))?;
        rules = preset.rules();
    }
    for (switch, value) in &line.switches {
        switch.parse::<Switch>()?.set(&mut rules, value)?;
    }
    let mut setup = parse_setup(&line.fen)?;
    if let Some(moves) = line.n {
        setup.turn = turn_of_length(&rules, moves)?;
        setup.moves_left = None;
    }
    if let Some(targets) = line.ep_targets {
        setup.en_passant = targets
            .into_iter()
            .map(|target| {
                target
                    .parse::<Square>()
                    .map_err(|_| ProblemError::Square(target))
            })
            .collect::<Result<_, _>>()?;
    }
    Ok((line.id, SeriesPosition::from_setup(rules, &setup)?))
}
