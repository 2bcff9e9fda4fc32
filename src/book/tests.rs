//! The format byte by byte, bad files, and what a position is answered with.

use proptest::prelude::*;

use super::*;
use crate::{
    notation::{parse_fen, parse_series},
    rules::{Preset, SwitchError},
};

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2";

fn start() -> SeriesPosition {
    SeriesPosition::start(RuleSet::default())
}

fn after_e4() -> SeriesPosition {
    parse_fen(RuleSet::default(), AFTER_E4).unwrap()
}

fn entry(position: &SeriesPosition, series: &str, worth: Worth, weight: u8) -> Entry {
    Entry {
        worth,
        weight,
        games: 3,
        half_points: 5,
        moves: PackedMove::series(&parse_series(position, series).unwrap()),
    }
}

/// Two positions: the start, and the one after 1.e4.
fn small() -> Book {
    let mut book = Book::new(RuleSet::default(), "by hand");
    let known = |outlook, entries| Known { outlook, entries };
    let first = entry(&start(), "e4", Worth::Safe(-20), 255);
    book.insert(&start(), known(Outlook::Open, vec![first]));
    let answers = vec![
        entry(&after_e4(), "d5 e6", Worth::Believed(513), 200),
        entry(&after_e4(), "e5 Nf6", Worth::Loss(1), 0),
    ];
    book.insert(&after_e4(), known(Outlook::Open, answers));
    book
}

/// The same written by hand after `docs/book.md`; the numbers that FNV-1a gives were computed by
/// another program.
const GOLDEN: &[&[u8]] = &[
    b"SeriBook",
    // Version.
    b"\x01\x00",
    // Length of the rules.
    b"\x1b\x01",
    b"schedule=1+1 checks=last ep=any ep-chain=off double-step=on castling=on ",
    b"balance=off promoted=same-series promote-king=off objective=mate rebirth=off ",
    b"rebirth-castling=on quiet-limit=10 quiet-counts=captures+pawns ",
    b"quiet-proof=proof unfinished-escape=draw dead-material=on repetition=on",
    // Length of the note.
    b"\x07\x00",
    b"by hand",
    // Number of positions.
    b"\x02\x00\x00\x00",
    // Key of the position after 1.e4.
    b"\x99\xe4\xa1\x0fpH,\xd3",
    // Nothing is proven; two series.
    b"\x00\x02",
    // d7d5 e7e6: believed, 513, weight 200, 3 games, 5 half points, 2 moves.
    b"\x00\x01\x02\xc8\x03\x00\x05\x00\x02\xf3\x084\x0b",
    // e7e5 g8f6: loses, in 1, weight 0.
    b"\x03\x01\x00\x00\x03\x00\x05\x00\x024\x09~\x0b",
    // Key of the start.
    b"\xaf\xccr\xe9j\x11\x0b\xf8",
    // Nothing is proven; one series.
    b"\x00\x01",
    // e2e4: safe, -20, weight 255.
    b"\x01\xec\xff\xff\x03\x00\x05\x00\x01\x0c\x07",
    // Checksum.
    b"kh\xf9\xb4\xed\xf5\xad\xf6",
];

#[test]
fn the_format_is_the_documented_one() {
    let golden = GOLDEN.concat();
    assert_eq!(small().to_bytes(), golden);
    assert_eq!(Book::from_bytes(&golden), Ok(small()));
}

#[test]
fn a_book_answers_where_it_knows_something() {
    let book = small();
    let found = book.probe(&after_e4()).unwrap().unwrap();
    let best = &found.choices[0];
    assert_eq!(series_text(&best.series), "d7d5 e7e6");
    assert_eq!(
        (best.worth, best.games, best.half_points),
        (Worth::Believed(513), 3, 5)
    );
    assert_eq!(found.choices[1].worth, Worth::Loss(1));
    assert_eq!(book.line(&start(), 9).len(), 2);
    assert_eq!(book.line(&start(), 1).len(), 1);
    // The middle of a series, another turn and other rules are something else.
    let inside = found.choices[0].series[0];
    assert_eq!(book.probe(&after_e4().after(inside)), Ok(None));
    let later = parse_fen(RuleSet::default(), &AFTER_E4.replace("0 2", "0 4")).unwrap();
    assert_eq!(book.probe(&later), Ok(None));
    let scottish = parse_fen(Preset::Scottish.rules(), AFTER_E4).unwrap();
    assert_eq!(book.probe(&scottish), Ok(None));
}

#[test]
fn a_choice_goes_by_weight_and_repeats_with_its_seed() {
    let mut book = small();
    let entries = vec![
        entry(&after_e4(), "d5 e6", Worth::Safe(0), 60),
        entry(&after_e4(), "e6 d5", Worth::Safe(0), 20),
        entry(&after_e4(), "e5 Nf6", Worth::Loss(1), 0),
    ];
    book.insert(
        &after_e4(),
        Known {
            outlook: Outlook::Open,
            entries,
        },
    );
    let position = after_e4();
    let found = book.probe(&position).unwrap().unwrap();
    let mut times = [0; 3];
    for seed in 0..4000 {
        let choice = found.choose(&position, Some(seed)).unwrap();
        assert_eq!(found.choose(&position, Some(seed)), Some(choice));
        let index = found
            .choices
            .iter()
            .position(|other| other == choice)
            .unwrap();
        times[index] += 1;
    }
    // Three to one: 3000 expected, and 27 is one standard deviation.
    assert!((2850..=3150).contains(&times[0]), "{times:?}");
    assert_eq!(times[2], 0);
    assert_eq!(found.choose(&position, None), Some(&found.choices[0]));
    let mut nothing = found.clone();
    nothing.choices.retain(|choice| choice.weight == 0);
    assert_eq!(nothing.choose(&position, None), None);
    assert_eq!(nothing.choose(&position, Some(7)), None);
}

#[test]
fn series_that_cannot_be_played_are_errors() {
    for (series, text) in [
        // Half a series, a series too long, and a move of nobody.
        (&[0x08f3][..], "d7d5"),
        (&[0x08f3, 0x0b34, 0x0934], "d7d5 e7e6 e7e5"),
        (&[0x070c, 0x0b34], "e2e4 e7e6"),
    ] {
        let mut book = small();
        let mut known = Known::default();
        known.entries.push(Entry {
            moves: series
                .iter()
                .map(|&word| PackedMove::from_word(word).unwrap())
                .collect(),
            ..entry(&after_e4(), "d5 e6", Worth::Safe(0), 1)
        });
        book.insert(&after_e4(), known);
        // Only the position tells, so the file is well formed.
        let book = Book::from_bytes(&book.to_bytes()).unwrap();
        let error = book.probe(&after_e4()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "series '{text}' of the book is no whole legal series in {AFTER_E4} (expected legal moves to the end of the turn)"
            )
        );
        assert!(book.line(&after_e4(), 3).is_empty());
    }
}

/// `bytes` with its last eight bytes made into the right checksum.
fn summed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let sum = checksum(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn bad_files_are_refused_in_words() {
    let good = small().to_bytes();
    let error = |bytes: &[u8]| Book::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(
        error(b"PK some other file"),
        "it does not begin as a book does (expected the letters 'SeriBook')"
    );
    assert_eq!(error(b""), error(b"PK"));
    let mut other = good.clone();
    other[8] = 2;
    assert_eq!(error(&other), "format version 2 is not known (expected 1)");
    let mut other = good.clone();
    other[310] ^= 1;
    assert!(error(&other).starts_with("checksum "), "{}", error(&other));
    let mut other = good.clone();
    other.push(0);
    assert!(error(&other).ends_with("after the checksum 1 more bytes (expected the end)"));
    for end in 1..good.len() {
        let text = error(&good[..end]);
        assert!(
            text.starts_with(&format!("it ends at byte {end} in the middle of ")),
            "{text}"
        );
    }
    let rules = |from: &str, to: &str| {
        let text = String::from_utf8_lossy(&good).into_owned();
        assert!(from.len() == to.len() && text.contains(from));
        let at = good
            .windows(from.len())
            .position(|window| window == from.as_bytes())
            .unwrap();
        let mut bytes = good.clone();
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        Book::from_bytes(&summed(bytes)).unwrap_err()
    };
    assert!(matches!(
        rules("ep-chain", "ep-chair"),
        FormatError::Switch(SwitchError::Name(_))
    ));
    assert!(matches!(
        rules("checks=last", "checks=lost"),
        FormatError::Switch(_)
    ));
    assert!(matches!(
        rules("checks=last", "checks=none"),
        FormatError::Rules(_)
    ));
    assert!(matches!(
        rules("castling=on", "castling on"),
        FormatError::Value { .. }
    ));
}

#[test]
fn numbers_that_make_no_sense_are_refused_with_their_place() {
    let good = small().to_bytes();
    // From the end: checksum 8, series 11, head 2, key 8.
    let at = good.len() - 8 - 11;
    for (place, value, what) in [
        (at, 9, "kind of a series 9 (expected 0..3)"),
        (at, 2, "number of series to the end -20 (expected 1..127)"),
        (at + 6, 7, "half points 7 (expected two a game at most)"),
        (at + 8, 0, "number of moves 0 (expected 1..255)"),
        (
            at + 10,
            0x17,
            "move 0x170c (expected two squares and a role)",
        ),
        (at - 1, 0, "number of series 0 (expected 1..255)"),
        (at - 2, 0x80, "outlook -128 (expected -127..127)"),
        (
            at - 3,
            0,
            "key 000b116ae972ccaf (expected a greater one than before)",
        ),
    ] {
        let mut bytes = good.clone();
        bytes[place] = value;
        let error = Book::from_bytes(&summed(bytes)).unwrap_err().to_string();
        assert!(error.ends_with(what), "{error}");
    }
}

#[test]
fn the_book_that_comes_along_can_be_played() {
    let book = Source::BuiltIn.read().unwrap();
    assert_eq!(book.rules().preset(), Some(Preset::Italian));
    let line = book.line(&start(), 3);
    assert_eq!(line.len(), 3);
    // Every first move has an answer in it.
    for m in start().legal_moves() {
        let found = book.probe(&start().after(m)).unwrap().unwrap();
        assert!(found.choose(&start().after(m), None).is_some());
    }
    assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book));
}

#[test]
fn files_that_are_none_are_named() {
    let folder = std::env::temp_dir();
    let error = Source::File(folder.clone()).read().unwrap_err().to_string();
    let name = folder.display();
    assert_eq!(
        error,
        format!("book '{name}' cannot be read: it is no regular file (expected a book)")
    );
    let missing = folder.join("no-such-book");
    let error = Source::File(missing.clone())
        .read()
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with(&format!("book '{}' cannot be read: ", missing.display())),
        "{error}"
    );
}

proptest! {
    #[test]
    fn no_bytes_are_too_odd(change in any::<Vec<u8>>(), at in 0usize..400, sum in any::<bool>()) {
        let mut bytes = small().to_bytes();
        for (place, byte) in bytes.iter_mut().skip(at).zip(&change) {
            *place ^= byte;
        }
        if sum {
            bytes = summed(bytes);
        }
        match Book::from_bytes(&bytes) {
            Ok(book) => {
                // Odd texts of rules may be read, and are written in order.
                prop_assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book.clone()));
                let _ = book.probe(&start());
                let _ = book.line(&after_e4(), 5);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
