//! Positions of the test data, made from orthodox FEN with the fields of the data beside it.

use seriatim::rules::{
    Bitboard, Color, File, Man, Men, Preset, Rank, Role, RuleSet, SeriesPosition, Setup, Square,
};
use serde_json::Value;

/// Reads the first four fields of a FEN; turn `n` with as many moves.
pub fn position(rules: RuleSet, fen: &str, n: u16, en_passant: &[Square]) -> SeriesPosition {
    let mut fields = fen.split_whitespace();
    let mut men = Men::EMPTY;
    let (mut file, mut rank) = (0u32, 7u32);
    for c in fields.next().expect("a placement").chars() {
        if c == '/' {
            rank -= 1;
            file = 0;
        } else if let Some(skip) = c.to_digit(10) {
            file += skip;
        } else {
            let square = Square::from_coords(File::new(file), Rank::new(rank));
            let color = Color::from_white(c.is_ascii_uppercase());
            let role = Role::from_char(c.to_ascii_lowercase()).expect("a man");
            men.put(square, Man { color, role });
            file += 1;
        }
    }
    let side = Color::from_white(fields.next() == Some("w"));
    let mut castling_rooks = Bitboard::EMPTY;
    for c in fields.next().unwrap_or("-").chars() {
        match c {
            'K' => castling_rooks.add(Square::H1),
            'Q' => castling_rooks.add(Square::A1),
            'k' => castling_rooks.add(Square::H8),
            'q' => castling_rooks.add(Square::A8),
            _ => {}
        }
    }
    let mut setup = Setup {
        men,
        side,
        castling_rooks,
        turn: n,
        ..Setup::default()
    };
    for &square in en_passant {
        setup.en_passant.add(square);
    }
    SeriesPosition::from_setup(rules, &setup).expect("a position")
}

/// The position of one line of the data files.
pub fn from_json(line: &Value, rules: RuleSet) -> SeriesPosition {
    let targets: Vec<Square> = line["ep_targets"]
        .as_array()
        .map(|list| {
            list.iter()
                .map(|square| square.as_str().unwrap().parse().unwrap())
                .collect()
        })
        .unwrap_or_default();
    let n = line["n"].as_u64().expect("n") as u16;
    position(rules, line["fen"].as_str().expect("fen"), n, &targets)
}

/// The rules a line of the data files names.
pub fn rules(line: &Value) -> RuleSet {
    line["variant"]
        .as_str()
        .and_then(|name| name.parse::<Preset>().ok())
        .unwrap_or(Preset::Italian)
        .rules()
}

/// The lines of a data file.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}
