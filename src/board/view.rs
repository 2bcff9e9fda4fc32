//! Games as data made into what a board shows: pure functions over the rules and the notation.

use std::collections::BTreeMap;

use super::{
    BoardError,
    ask::{GameText, MOVES_MAX},
    reply::{MoveView, Over, TurnView, View},
};
use crate::{
    matches::config::Variant,
    notation::{
        CastlingText, MoveTextError, format_fen, parse_fen, parse_series, parse_uci_move, san,
        uci_text,
    },
    rules::{
        Chess960Number, Color, Ending, Game, Move, Outcome, Refusal, Role, RuleSet, SeriesPosition,
        Square, Status, TurnNumber,
    },
    solver::{QuietSettled, Solver},
};

/// `white` or `black`.
pub fn side_name(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}

/// Reads rules: a preset with switches. Books and the word `chess960` belong to matches.
///
/// # Errors
/// In words, what is not understood or has no meaning.
pub fn read_rules(text: &str) -> Result<Variant, BoardError> {
    let variant: Variant = text.parse().map_err(BoardError::new)?;
    if variant.book.is_some() || variant.chess960 {
        return Err(BoardError(format!(
            "rules '{text}': expected PRESET [SWITCH=VALUE ...] only"
        )));
    }
    Ok(variant)
}

/// Reads the start of a game.
///
/// # Errors
/// In words.
pub fn read_start(rules: RuleSet, text: &str) -> Result<SeriesPosition, BoardError> {
    let text = text.trim();
    if text == "startpos" {
        return Ok(SeriesPosition::start(rules));
    }
    if let Some(number) = text.strip_prefix("startpos960") {
        let number: u32 = number
            .trim()
            .parse()
            .map_err(|_| BoardError(format!("start '{text}': expected startpos960 0..959")))?;
        let number = Chess960Number::try_from(number).map_err(BoardError::new)?;
        return Ok(number.start(rules));
    }
    parse_fen(rules, text).map_err(BoardError::new)
}

/// Replays a game.
///
/// # Errors
/// In words, with the number of the move that cannot be played.
pub fn replay(text: &GameText) -> Result<Game, BoardError> {
    let variant = read_rules(&text.rules)?;
    let mut game = Game::new(read_start(variant.rules, &text.start)?);
    if text.moves.len() > MOVES_MAX {
        return Err(BoardError(format!(
            "the game has {} moves: at most {MOVES_MAX} are read",
            text.moves.len()
        )));
    }
    for (index, uci) in text.moves.iter().enumerate() {
        let wrong = |error: &dyn std::fmt::Display| {
            BoardError(format!("move number {}: {error}", index + 1))
        };
        let played = parse_uci_move(game.position(), uci).map_err(|error| wrong(&error))?;
        game.play(played).map_err(|error| wrong(&error))?;
    }
    Ok(game)
}

/// The first field of a FEN.
pub fn placement(position: &SeriesPosition) -> String {
    let mut fen = format_fen(position);
    fen.truncate(fen.find(' ').unwrap_or(fen.len()));
    fen
}

/// Plays `played` and shows it.
fn move_view(position: &mut SeriesPosition, played: Move) -> MoveView {
    let san = san(position, played);
    position.play(played);
    let to = if played.is_castle() {
        played.castling_targets().0
    } else {
        played.to()
    };
    MoveView {
        uci: uci_text(played, CastlingText::KingMove),
        san,
        from: played.from().to_string(),
        to: to.to_string(),
        board: placement(position),
        check: check_square(position),
    }
}

/// Shows legal moves turn by turn, from `start` on.
pub fn turns(start: &SeriesPosition, moves: &[Move]) -> Vec<TurnView> {
    let mut position = *start;
    let mut turns: Vec<TurnView> = Vec::new();
    for &played in moves {
        if position.is_turn_start() || turns.is_empty() {
            turns.push(TurnView {
                turn: position.turn().0,
                side: side_name(position.side()),
                length: position.series_length(position.turn()),
                moves: Vec::new(),
                complete: false,
            });
        }
        let shown = move_view(&mut position, played);
        if let Some(turn) = turns.last_mut() {
            turn.moves.push(shown);
            turn.complete = position.is_turn_start();
        }
    }
    turns
}

/// Where the king of the side on turn stands, if it is in check.
fn check_square(position: &SeriesPosition) -> Option<String> {
    position
        .is_check()
        .then(|| position.men().king(position.side()))
        .flatten()
        .map(|square| square.to_string())
}

/// How a game ends here. The quiet limit is settled by the solver, with its fixed budget.
pub fn outcome(game: &Game) -> Option<Outcome> {
    match game.status() {
        Status::Ongoing => None,
        Status::Over(outcome) => Some(outcome),
        Status::QuietLimit => match Solver::settle_quiet_limit(game.position()) {
            QuietSettled::Draw => Some(Outcome {
                ending: Ending::QuietDraw,
                winner: None,
            }),
            QuietSettled::Wins(_) | QuietSettled::NotReached => None,
        },
    }
}

fn over(outcome: Outcome) -> Over {
    let reason = outcome.ending.as_str();
    Over {
        result: outcome.result(),
        winner: outcome.winner.map(side_name),
        reason,
        text: match outcome.winner {
            Some(Color::White) => format!("White wins: {reason}"),
            Some(Color::Black) => format!("Black wins: {reason}"),
            None => format!("Draw: {reason}"),
        },
    }
}

/// The position after a game's moves.
pub fn view(game: &Game) -> View {
    let position = game.position();
    let rules = position.rules();
    let moves: Vec<Move> = game.series().iter().flatten().copied().collect();
    let (targets, promotions) = targets(position);
    View {
        rules: rules_text(rules),
        start: format_fen(game.start()),
        fen: format_fen(position),
        side: side_name(position.side()),
        turn: position.turn().0,
        length: position.series_length(position.turn()),
        left: position.moves_left(),
        next_length: position.series_length(position.turn().next()),
        checks: rules.checks.as_str(),
        check: check_square(position),
        turns: turns(game.start(), &moves),
        refused: refused(position, &targets),
        targets,
        promotions,
        over: outcome(game).map(over),
        quiet: [position.quiet(), rules.quiet_limit],
    }
}

/// Rules as [`read_rules`] reads them.
pub fn rules_text(rules: &RuleSet) -> String {
    let (preset, switches) = crate::notation::rules_text(rules);
    format!("{preset} {}", switches.replace(';', " "))
        .trim_end()
        .to_owned()
}

type Targets = BTreeMap<String, Vec<String>>;

/// Where the men can go, and what pawns can become. Castling is offered on the king's target
/// square, where that tells it from a king's step, and on the rook's square.
fn targets(position: &SeriesPosition) -> (Targets, BTreeMap<String, Vec<char>>) {
    let mut targets = Targets::new();
    let mut promotions: BTreeMap<String, Vec<char>> = BTreeMap::new();
    for played in position.legal_moves() {
        let mut uci = uci_text(played, CastlingText::KingMove);
        if let Some(role) = played.promotion() {
            uci.pop();
            promotions.entry(uci.clone()).or_default().push(role.char());
        }
        let squares = targets.entry(played.from().to_string()).or_default();
        for target in [uci.split_off(2), played.to().to_string()] {
            if !squares.contains(&target) {
                squares.push(target);
            }
        }
    }
    (targets, promotions)
}

/// Squares that men reach but may not go to, with the reason in words. What a man cannot do by
/// the way it moves needs no word.
fn refused(
    position: &SeriesPosition,
    targets: &Targets,
) -> BTreeMap<String, BTreeMap<String, String>> {
    let own = position.men().of(position.side());
    let mut refused = BTreeMap::new();
    for from in own {
        let allowed = targets.get(&from.to_string());
        let mut reasons = BTreeMap::new();
        for to in Square::ALL.into_iter().filter(|&to| !own.contains(to)) {
            let name = to.to_string();
            if allowed.is_some_and(|allowed| allowed.contains(&name)) {
                continue;
            }
            let reason = match position.refusal(from, to, None) {
                // The page asks for the letter; whether there is one to choose is the question.
                Refusal::PromotionMissing => position.refusal(from, to, Some(Role::Queen)),
                reason => reason,
            };
            if matches!(
                reason,
                Refusal::CheckTooEarly
                    | Refusal::Balance
                    | Refusal::Resting(_)
                    | Refusal::KingInCheck(_)
            ) {
                reasons.insert(name, reason.to_string());
            }
        }
        if !reasons.is_empty() {
            refused.insert(from.to_string(), reasons);
        }
    }
    refused
}

/// Reads moves of the current series as a person types them, UCI text or SAN: the moves as UCI
/// text, or why they are not allowed.
///
/// # Errors
/// If the game cannot be replayed.
pub fn read_moves(text: &GameText, moves: &str) -> Result<Result<Vec<String>, String>, BoardError> {
    let game = replay(text)?;
    let mut position = *game.position();
    let mut read = Vec::new();
    for word in moves.split([' ', ',', '/']).filter(|word| !word.is_empty()) {
        match parse_uci_move(&position, word) {
            Ok(_) if !read.is_empty() && position.is_turn_start() => {
                return Ok(Err(format!("{word} is too much: the series is complete")));
            }
            Ok(played) => {
                position.play(played);
                read.push(uci_text(played, CastlingText::KingMove));
            }
            Err(error @ MoveTextError::Illegal { .. }) => return Ok(Err(error.to_string())),
            Err(MoveTextError::Malformed(_)) => {
                return Ok(parse_series(game.position(), moves)
                    .map(|moves| {
                        moves
                            .iter()
                            .map(|&played| uci_text(played, CastlingText::KingMove))
                            .collect()
                    })
                    .map_err(|error| error.problem.to_string()));
            }
        }
    }
    Ok(Ok(read))
}

/// The position if the side on turn passed: the other side begins its next series.
///
/// # Errors
/// If the side on turn stands in check or the rules know no such position.
pub fn passed(position: &SeriesPosition) -> Result<SeriesPosition, BoardError> {
    if position.is_check() {
        return Err(BoardError::new(
            "there is no threat to show: the side on turn stands in check and cannot pass",
        ));
    }
    let mut setup = position.to_setup();
    setup.side = !setup.side;
    setup.turn = TurnNumber(setup.turn).next().0;
    setup.en_passant = crate::rules::Bitboard::EMPTY;
    setup.passed = crate::rules::Bitboard::EMPTY;
    setup.moves_left = None;
    setup.progress = false;
    setup.escape = false;
    setup.counts.clear();
    SeriesPosition::from_setup(*position.rules(), &setup)
        .map_err(|error| BoardError(format!("there is no threat to show: {error}")))
}
