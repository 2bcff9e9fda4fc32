//! `seriatim validate`: whether PGN files hold legal games with the right results.

use std::io::Write;

use super::{Finish, RuleArgs, open};
use crate::{
    notation::{GameResult, PgnGame, PgnReader},
    rules::{Game, GameError, Status},
};

/// Checks the games of PGN files: notation, legality, results.
///
/// Every error is reported with file, line and column; the exit code is 1 if there is any. A
/// game is also wrong if it goes on after its end or its result contradicts the final position;
/// these two are reported where its movetext begins.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:
  seriatim validate games.pgn
  seriatim validate --variant scottish --set quiet-limit=0 *.pgn")]
pub struct ValidateArgs {
    /// PGN files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The rules of games whose tags name none
    #[command(flatten)]
    rules: RuleArgs,
}

/// Runs the command.
///
/// # Errors
/// If the rules make no sense, a file cannot be opened or `out` cannot be written.
pub fn run(args: &ValidateArgs, out: &mut dyn Write) -> anyhow::Result<Finish> {
    let rules = args.rules.rules()?;
    let mut finish = Finish::Clean;
    for file in &args.files {
        let mut reader = PgnReader::new(file, open(file)?, rules);
        let (mut games, mut errors) = (0_u64, 0_u64);
        while let Some(game) = reader.next() {
            games += 1;
            let flaw = match game {
                Err(error) => Some(error.to_string()),
                Ok(game) => flaw_of(&game)?.map(|flaw| {
                    let (line, column) = (reader.line_of_last_game(), reader.column_of_last_game());
                    format!("{file}:{line}:{column}: {flaw}")
                }),
            };
            if let Some(flaw) = flaw {
                errors += 1;
                writeln!(out, "{flaw}")?;
            }
        }
        writeln!(out, "{file}: {games} games, {errors} with errors")?;
        if errors > 0 {
            finish = Finish::Flawed;
        }
    }
    out.flush()?;
    Ok(finish)
}

/// What is wrong with a game whose moves are all legal.
fn flaw_of(game: &PgnGame) -> Result<Option<String>, GameError> {
    let mut replay = Game::new(*game.start());
    for m in game.line().moves() {
        if let Status::Over(outcome) = replay.status() {
            let position = replay.position();
            return Ok(Some(format!(
                "found moves in turn {}: expected none after the end of the game, {}",
                position.turn(),
                outcome.ending
            )));
        }
        replay.play(m.played())?;
    }
    let result = game.result();
    Ok(match replay.status() {
        Status::Over(outcome)
            if result != GameResult::Open && result != GameResult::from(outcome) =>
        {
            Some(format!(
                "found result {result}: expected {}, since the game ends with {}",
                outcome.result(),
                outcome.ending
            ))
        }
        _ => None,
    })
}
