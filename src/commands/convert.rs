//! `seriatim convert`: games from one notation to another.

use std::io::Write;

use serde::Serialize;

use super::{Finish, RuleArgs, open};
use crate::{
    notation::{
        CastlingText, PgnGame, PgnReader, format_fen, rules_text, san, uci_text, write_null_pgn,
        write_pgn,
    },
    rules::{Color, Status},
};

/// Reads PGN games, series or null-move notation, and writes them in another form.
///
/// Games with errors are reported on standard error and left out; the exit code is 1 then.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:
  seriatim convert games.pgn --to null-pgn > for-viewers.pgn
  seriatim convert games.pgn --to json | jq .final_fen
  cat games.txt | seriatim convert - --to pgn --variant scottish")]
pub struct ConvertArgs {
    /// PGN files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The form to write
    #[arg(long, value_name = "FORM")]
    to: Form,
    /// The rules of games whose tags name none
    #[command(flatten)]
    rules: RuleArgs,
}

/// A form to write games in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// Series notation, every turn with its own number
    Pgn,
    /// Null moves for the side that waits, for viewers of ordinary chess
    NullPgn,
    /// The series FEN of the final position, one line for each game
    Fen,
    /// One JSON object in a line for each game
    Json,
}

/// Runs the command; games go to `out`, what is wrong with others to `messages`.
///
/// # Errors
/// If the rules make no sense, a file cannot be opened or `out` cannot be written.
pub fn run(
    args: &ConvertArgs,
    out: &mut dyn Write,
    messages: &mut dyn Write,
) -> anyhow::Result<Finish> {
    let rules = args.rules.rules()?;
    let mut finish = Finish::Clean;
    for file in &args.files {
        let mut reader = PgnReader::new(file, open(file)?, rules);
        while let Some(game) = reader.next() {
            let line = reader.line_of_last_game();
            let text = game.map_err(anyhow::Error::from).and_then(|game| {
                written(&game, args.to).map_err(|error| error.context(format!("{file}:{line}")))
            });
            match text {
                Ok(text) => out.write_all(text.as_bytes())?,
                Err(error) => {
                    writeln!(messages, "{error:#}")?;
                    finish = Finish::Flawed;
                }
            }
        }
    }
    out.flush()?;
    Ok(finish)
}

fn written(game: &PgnGame, form: Form) -> anyhow::Result<String> {
    Ok(match form {
        Form::Pgn => write_pgn(game),
        Form::NullPgn => write_null_pgn(game)?,
        Form::Fen => format_fen(game.end()) + "\n",
        Form::Json => serde_json::to_string(&JsonGame::new(game))? + "\n",
    })
}

#[derive(Serialize)]
struct JsonGame<'a> {
    tags: serde_json::Map<String, serde_json::Value>,
    variant: &'static str,
    /// The switches that differ from the preset, as the tag `Rules` writes them.
    rules: String,
    start_fen: String,
    series: Vec<JsonSeries<'a>>,
    result: &'static str,
    /// Why the game is over, if the rules say so.
    ending: Option<&'static str>,
    final_fen: String,
}

#[derive(Serialize)]
struct JsonSeries<'a> {
    turn: u16,
    side: &'static str,
    san: Vec<String>,
    uci: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<&'a str>,
}

impl<'a> JsonGame<'a> {
    fn new(game: &'a PgnGame) -> JsonGame<'a> {
        let (variant, rules) = rules_text(game.rules());
        let tags = game
            .tags()
            .map(|(name, value)| (name.to_owned(), value.into()));
        let ending = game.to_game().ok().and_then(|game| match game.status() {
            Status::Over(outcome) => Some(outcome.ending.as_str()),
            Status::Ongoing | Status::QuietLimit => None,
        });
        JsonGame {
            tags: tags.collect(),
            variant: variant.as_str(),
            rules,
            start_fen: format_fen(game.start()),
            series: json_series(game),
            result: game.result().as_str(),
            ending,
            final_fen: format_fen(game.end()),
        }
    }
}

fn json_series(game: &PgnGame) -> Vec<JsonSeries<'_>> {
    let mut series: Vec<JsonSeries<'_>> = Vec::new();
    let mut position = *game.start();
    for m in game.line().moves() {
        if position.is_turn_start() || series.is_empty() {
            series.push(JsonSeries {
                turn: position.turn().0,
                side: match position.side() {
                    Color::White => "white",
                    Color::Black => "black",
                },
                san: Vec::new(),
                uci: Vec::new(),
                comments: Vec::new(),
            });
        }
        if let Some(last) = series.last_mut() {
            last.san.push(san(&position, m.played()));
            last.uci.push(uci_text(m.played(), CastlingText::KingMove));
            last.comments
                .extend(m.comments().iter().map(String::as_str));
        }
        position.play(m.played());
    }
    series
}
