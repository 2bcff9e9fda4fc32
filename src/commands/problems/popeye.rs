//! Popeye's notation, as far as orthodox ser-#n problems need it:
//!
//! ```text
//! BeginProblem
//! Title a name
//! Pieces White Kh1 Qd1 Black Ka8 Pa7 b7
//! Stipulation ser-#4
//! NextProblem
//! Forsyth k7/8/8/8/8/8/8/K6Q
//! Stipulation ser-#3
//! EndProblem
//! ```
//!
//! White plays the series. Castling rights are those of kings and rooks on their home squares, as
//! Popeye takes them. Other commands that change what is asked for are errors.

use super::{Problem, ProblemError, ProblemResult, turn_of_length};
use crate::{
    notation::parse_setup,
    rules::{Color, File, Man, Rank, Role, RuleSet, SeriesPosition, Setup, Square},
};

/// What has been read of a problem.
#[derive(Default)]
struct Draft {
    title: Vec<String>,
    setup: Setup,
    moves: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Command {
    Begin,
    Next,
    End,
    Pieces,
    Forsyth,
    Stipulation,
    /// Text to the end of the line: title, author, source and so on.
    Text,
    Title,
}

/// Commands may be shortened as long as they are clear.
fn command(word: &str) -> Option<Command> {
    const COMMANDS: [(&str, usize, Command); 10] = [
        ("beginproblem", 3, Command::Begin),
        ("nextproblem", 2, Command::Next),
        ("endproblem", 3, Command::End),
        ("pieces", 2, Command::Pieces),
        ("forsyth", 3, Command::Forsyth),
        ("stipulation", 2, Command::Stipulation),
        ("title", 3, Command::Title),
        ("author", 3, Command::Text),
        ("origin", 3, Command::Text),
        ("remark", 3, Command::Text),
    ];
    let word = word.to_ascii_lowercase();
    COMMANDS
        .iter()
        .find(|(name, least, _)| word.len() >= *least && name.starts_with(&word))
        .map(|&(_, _, command)| command)
}

fn wrong(found: &str, expected: &'static str) -> ProblemError {
    ProblemError::Text {
        found: found.to_owned(),
        expected,
    }
}

/// Reads all problems. An error ends its problem; reading goes on with the next one.
pub(super) fn read_problems(text: &str, rules: RuleSet) -> Vec<ProblemResult> {
    let mut problems = Vec::new();
    let mut draft = Draft::default();
    let mut began = 1;
    let mut current = None;
    let mut color = None;
    let mut failed = false;
    for (number, line) in (1..).zip(text.lines()) {
        if matches!(current, Some(Command::Title | Command::Text)) {
            current = None;
        }
        for word in line.split_whitespace() {
            if let Some(Command::Title) = current {
                draft.title.push(word.to_owned());
                continue;
            }
            if current == Some(Command::Text) {
                continue;
            }
            // Inside `Pieces` a word is a command only if it cannot be a colour or a piece.
            match command(word).filter(|_| piece_group(word).is_none()) {
                Some(Command::Begin) => (draft, began, failed) = (Draft::default(), number, false),
                Some(Command::Next | Command::End) => {
                    let finished = std::mem::take(&mut draft);
                    if !failed {
                        let result = finish(finished, began, &rules);
                        problems.push(result.map_err(|error| (began, error)));
                    }
                    (began, failed, current) = (number, false, None);
                }
                Some(command) => (current, color) = (Some(command), None),
                None if failed => {}
                None => {
                    if let Err(error) = argument(&mut draft, current, &mut color, word) {
                        problems.push(Err((number, error)));
                        failed = true;
                    }
                }
            }
        }
    }
    problems
}

fn argument(
    draft: &mut Draft,
    current: Option<Command>,
    color: &mut Option<Color>,
    word: &str,
) -> Result<(), ProblemError> {
    match current {
        Some(Command::Pieces) => match word.to_ascii_lowercase().as_str() {
            "white" => *color = Some(Color::White),
            "black" => *color = Some(Color::Black),
            _ => {
                let color = color.ok_or_else(|| wrong(word, "White or Black before the pieces"))?;
                let pieces = piece_group(word)
                    .ok_or_else(|| wrong(word, "pieces such as Kd1, Sb1c3 or pa2b2"))?;
                for (role, square) in pieces {
                    draft.setup.men.put(square, Man { color, role });
                }
            }
        },
        Some(Command::Forsyth) => {
            let placement = word.replace(['s', 'S'], "n");
            draft.setup.men = parse_setup(&format!("{placement} w - -"))?.men;
        }
        Some(Command::Stipulation) => {
            let moves = word
                .to_ascii_lowercase()
                .strip_prefix("ser-#")
                .and_then(|n| n.parse().ok());
            draft.moves = Some(moves.ok_or_else(|| wrong(word, "a stipulation ser-#n"))?);
        }
        _ => {
            return Err(wrong(
                word,
                "BeginProblem, Pieces, Forsyth, Stipulation ser-#n, Title, NextProblem or EndProblem",
            ));
        }
    }
    Ok(())
}

/// A letter and squares, such as `Sb1c3`; letters of Popeye's English, where S is the knight.
/// Without a letter the squares hold pawns.
fn piece_group(word: &str) -> Option<Vec<(Role, Square)>> {
    if !word.is_ascii() {
        return None;
    }
    let (role, squares) = if word.len() % 2 == 1 {
        let role = match word.as_bytes()[0].to_ascii_lowercase() {
            b'k' => Role::King,
            b'q' => Role::Queen,
            b'r' => Role::Rook,
            b'b' => Role::Bishop,
            b's' | b'n' => Role::Knight,
            b'p' => Role::Pawn,
            _ => return None,
        };
        (role, &word[1..])
    } else {
        (Role::Pawn, word)
    };
    if squares.is_empty() {
        return None;
    }
    (0..squares.len())
        .step_by(2)
        .map(|at| {
            squares[at..at + 2]
                .to_ascii_lowercase()
                .parse()
                .ok()
                .map(|square| (role, square))
        })
        .collect()
}

fn finish(draft: Draft, line: usize, rules: &RuleSet) -> Result<Problem, ProblemError> {
    let moves = draft
        .moves
        .ok_or_else(|| wrong("", "a Stipulation ser-#n"))?;
    let mut setup = Setup {
        turn: turn_of_length(rules, moves)?,
        ..draft.setup
    };
    for (color, rank) in [(Color::White, Rank::First), (Color::Black, Rank::Eighth)] {
        if setup.men.king(color) == Some(Square::from_coords(File::E, rank)) {
            for file in [File::A, File::H] {
                let square = Square::from_coords(file, rank);
                if setup.men.men(color, Role::Rook).contains(square) {
                    setup.castling_rooks.add(square);
                }
            }
        }
    }
    let id = (!draft.title.is_empty()).then(|| draft.title.join(" ").into());
    Ok(Problem {
        id,
        line,
        position: SeriesPosition::from_setup(*rules, &setup)?,
    })
}
