//! Problems: mates in one series, embedded, with hints from the solver.

use serde::Deserialize;

use super::{
    BoardError,
    reply::{MoveView, ProblemText},
    view::{read_rules, rules_text, side_name, turns},
};
use crate::{
    notation::{format_fen, parse_fen},
    rules::{Color, Game, SeriesPosition},
    solver::{Answer, Limits, Solver},
};

/// One problem in each line: those of the generated set in `tests/data` that have a mate, each proved
/// there by several solvers.
const SET: &str = include_str!("problems.jsonl");
/// What a hint may cost.
const HINT_NODES: u64 = 3_000_000;
const HINT_HASH_MIB: usize = 32;

#[derive(Deserialize)]
struct Problem {
    id: String,
    fen: String,
    variant: String,
}

/// The problems, the short ones first.
///
/// # Errors
/// Never with the set that is embedded: a test reads it.
pub fn problems() -> Result<Vec<ProblemText>, BoardError> {
    SET.lines()
        .map(|line| {
            let problem: Problem = serde_json::from_str(line).map_err(BoardError::new)?;
            let rules = read_rules(&problem.variant)?.rules;
            let position = parse_fen(rules, &problem.fen).map_err(BoardError::new)?;
            Ok(ProblemText {
                id: problem.id,
                rules: rules_text(&rules),
                fen: format_fen(&position),
                length: position.moves_left(),
                side: side_name(position.side()),
            })
        })
        .collect()
}

/// A way to win in the rest of the series, with words about it.
pub fn hint(game: &Game) -> (Vec<MoveView>, String) {
    let position = game.position();
    if game.position().board_outcome().is_some() {
        return (Vec::new(), "the game is over here".to_owned());
    }
    let answer = Solver::new(HINT_HASH_MIB, 1)
        .first_mate(position, &Limits::nodes(HINT_NODES))
        .answer;
    match answer {
        Answer::Mate(series) => (
            turns(position, &series)
                .into_iter()
                .flat_map(|turn| turn.moves)
                .collect(),
            words(position),
        ),
        Answer::NoMate => (
            Vec::new(),
            "there is no mate from here: take moves back".to_owned(),
        ),
        Answer::Unknown => (
            Vec::new(),
            "no mate was found from here in the time allowed".to_owned(),
        ),
    }
}

fn words(position: &SeriesPosition) -> String {
    let side = match position.side() {
        Color::White => "White",
        Color::Black => "Black",
    };
    match position.moves_left() {
        1 => format!("{side} mates with the next move"),
        left => format!("{side} mates with {left} more moves"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_has_the_mate_it_promises() {
        let problems = problems().unwrap();
        assert!(problems.len() >= 50, "{} problems", problems.len());
        for problem in problems {
            let rules = read_rules(&problem.rules).unwrap().rules;
            let game = Game::new(parse_fen(rules, &problem.fen).unwrap());
            let (moves, text) = hint(&game);
            assert_eq!(
                moves.len(),
                usize::from(problem.length),
                "{}: {text}",
                problem.id
            );
        }
    }
}
