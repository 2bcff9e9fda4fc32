//! The solver against a slow exhaustive search on random positions, in every preset.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::{HashMap, HashSet};

use seriatim::{
    notation::format_fen,
    rules::{
        Balance, Bitboard, Color, Ending, File, Man, Men, Objective, Preset, PromotedMan, Rank,
        Role, RuleSet, SeriesPosition, Setup, Square, Status,
    },
    solver::{Answer, Limits, Solver},
};

/// Splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % bound
    }
}

/// A random set-up that is a position under `rules` at turn `n`, or none.
fn random_position(random: &mut Random, rules: RuleSet, n: u16) -> Option<SeriesPosition> {
    crowded_position(random, rules, n, 4)
}

/// The same with a number of men beside the king and its rooks that can be as large as `spread`
/// says.
fn crowded_position(
    random: &mut Random,
    rules: RuleSet,
    n: u16,
    spread: u64,
) -> Option<SeriesPosition> {
    let mut men = Men::EMPTY;
    let mut castling_rooks = Bitboard::EMPTY;
    let side = Color::from_white(random.below(2) == 0);
    for color in Color::ALL {
        let back = color.fold_wb(Rank::First, Rank::Eighth);
        let home = random.below(3) == 0;
        let king = if home {
            Square::from_coords(File::E, back)
        } else {
            Square::new(random.below(64) as u32)
        };
        men.put(
            king,
            Man {
                color,
                role: Role::King,
            },
        );
        if home {
            for file in [File::A, File::H] {
                let square = Square::from_coords(file, back);
                if random.below(2) == 0 && !men.occupied().contains(square) {
                    men.put(
                        square,
                        Man {
                            color,
                            role: Role::Rook,
                        },
                    );
                    castling_rooks.add(square);
                }
            }
        }
        let crowd = if color == side {
            3 + random.below(spread)
        } else {
            random.below(8)
        };
        for _ in 0..crowd {
            let role = [
                Role::Pawn,
                Role::Pawn,
                Role::Pawn,
                Role::Knight,
                Role::Bishop,
                Role::Rook,
                Role::Queen,
            ][random.below(7) as usize];
            // Half of the enemy's men stand near their king, where they are in its way.
            let near = near_by(king, random);
            let square = match (color == side, random.below(2)) {
                (false, 0) => near,
                _ => Square::new(random.below(64) as u32),
            };
            let back = square.rank() == Rank::First || square.rank() == Rank::Eighth;
            if men.occupied().contains(square) || (role == Role::Pawn && back) {
                continue;
            }
            men.put(square, Man { color, role });
        }
    }
    let mut en_passant = Bitboard::EMPTY;
    let (pawns, passed) = side.fold_wb((Rank::Fifth, Rank::Sixth), (Rank::Fourth, Rank::Third));
    for square in men.men(!side, Role::Pawn) & Bitboard::from_rank(pawns) {
        let target = Square::from_coords(square.file(), passed);
        if random.below(2) == 0 && !men.occupied().contains(target) {
            en_passant.add(target);
        }
    }
    let setup = Setup {
        men,
        side,
        castling_rooks,
        en_passant,
        turn: n,
        ..Setup::default()
    };
    SeriesPosition::from_setup(rules, &setup).ok()
}

fn near_by(king: Square, random: &mut Random) -> Square {
    let file = (king.file() as u64 + random.below(5))
        .saturating_sub(2)
        .min(7);
    let rank = (king.rank() as u64 + random.below(5))
        .saturating_sub(2)
        .min(7);
    Square::from_coords(File::new(file as u32), Rank::new(rank as u32))
}

/// How many series win, by trying everything.
fn count(position: &SeriesPosition, known: &mut HashMap<u64, u64>) -> u64 {
    if let Some(&count) = known.get(&position.key()) {
        return count;
    }
    let mut wins = 0;
    for m in position.legal_moves() {
        let next = position.after(m);
        let won = next.board_outcome().is_some_and(|outcome| {
            outcome.winner == Some(position.side()) && outcome.ending != Ending::UnfinishedEscape
        });
        if won {
            wins += 1;
        } else if next.side() == position.side() {
            wins += count(&next, known);
        }
    }
    known.insert(position.key(), wins);
    wins
}

#[track_caller]
fn assert_replays(position: &SeriesPosition, answer: &Answer) {
    let series = answer.series().unwrap();
    let mut now = *position;
    for &m in series {
        assert!(now.is_legal(m) && now.side() == position.side());
        now.play(m);
    }
    assert!(
        matches!(now.status(), Status::Over(outcome) if outcome.winner == Some(position.side()))
    );
    if position.rules().objective == Objective::Mate {
        assert!(now.is_turn_start());
    }
}

/// The answer has to be a mate that replays, or a proof that there is none.
#[track_caller]
fn assert_answers(position: &SeriesPosition, answer: &Answer, wins: bool) {
    let fen = format_fen(position);
    if wins {
        assert!(matches!(answer, Answer::Mate(_)), "{fen}");
        assert_replays(position, answer);
    } else {
        assert_eq!(*answer, Answer::NoMate, "{fen}");
    }
}

/// How many random positions each preset gets; `SOLVER_ORACLE` in the environment multiplies.
fn rounds() -> u64 {
    let times: u64 = std::env::var("SOLVER_ORACLE")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    250 * times
}

fn agree(preset: Preset, seed: u64) {
    let mut random = Random(seed);
    let rules = preset.rules();
    let mut solver = Solver::new(1, 1);
    let (mut tried, mut mates) = (0, 0);
    while tried < rounds() {
        let n = 1 + random.below(4) as u16;
        let Some(position) = random_position(&mut random, rules, n) else {
            continue;
        };
        if position.men().occupied().count() > 11 && n > 3 {
            continue;
        }
        tried += 1;
        let expected = count(&position, &mut HashMap::new());
        let answer = solver.first_mate(&position, &Limits::default()).answer;
        assert_answers(&position, &answer, expected > 0);
        mates += u64::from(expected > 0);
        let counted = solver.count_mates(&position, 0, &Limits::default());
        assert_eq!(
            counted.count.unwrap().total(),
            expected,
            "{preset}: {}",
            format_fen(&position)
        );
    }
    assert!(mates * 20 > tried, "{preset}: {mates} mates of {tried}");
}

#[test]
fn agrees_with_exhaustive_search_italian() {
    agree(Preset::Italian, 1);
}

#[test]
fn agrees_with_exhaustive_search_scottish() {
    agree(Preset::Scottish, 2);
}

#[test]
fn agrees_with_exhaustive_search_english() {
    agree(Preset::English, 3);
}

#[test]
fn agrees_with_exhaustive_search_logical() {
    agree(Preset::Logical, 4);
}

#[test]
fn agrees_with_exhaustive_search_full_capture() {
    agree(Preset::FullCapture, 5);
}

#[test]
fn agrees_with_exhaustive_search_circe() {
    agree(Preset::Circe, 6);
}

#[test]
fn agrees_with_exhaustive_search_italian_portal() {
    agree(Preset::ItalianPortal, 7);
}

#[test]
fn agrees_with_exhaustive_search_marseillais() {
    agree(Preset::Marseillais, 8);
    agree(Preset::MarseillaisUnbalanced, 9);
}

/// The positions that [`can_win`] looks at before it gives up.
const MANY: usize = 60_000;
const FEW: usize = 10_000;

/// Whether any series wins, by trying everything; `None` when more than `most` positions are seen.
fn can_win(position: &SeriesPosition, seen: &mut HashSet<u64>, most: usize) -> Option<bool> {
    for m in position.legal_moves() {
        let next = position.after(m);
        if next.side() != position.side() {
            if next
                .board_outcome()
                .is_some_and(|outcome| outcome.winner == Some(position.side()))
            {
                return Some(true);
            }
        } else if seen.insert(next.key()) && can_win(&next, seen, most)? {
            return Some(true);
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(false)
}

/// Long series of few men: what is looked at there from afar must agree too.
#[test]
fn agrees_with_exhaustive_search_in_long_thin_series() {
    let mut random = Random(12);
    let mut solver = Solver::new(1, 1);
    let mut threads = Solver::new(1, 2);
    let (mut tried, mut mates, mut from_afar) = (0, 0, 0);
    while tried < rounds() {
        let rules =
            [Preset::Italian, Preset::Scottish, Preset::Logical][tried as usize % 3].rules();
        let n = 7 + random.below(4) as u16;
        let Some(position) = random_position(&mut random, rules, n) else {
            continue;
        };
        if position.men().of(position.side()).count() > 4 {
            continue;
        }
        let Some(expected) = can_win(&position, &mut HashSet::new(), MANY) else {
            continue;
        };
        tried += 1;
        let report = solver.first_mate(&position, &Limits::default());
        assert_answers(&position, &report.answer, expected);
        mates += u64::from(expected);
        from_afar += u64::from(!expected && report.stats.nodes < 100);
        let answer = threads.first_mate(&position, &Limits::default()).answer;
        assert_answers(&position, &answer, expected);
    }
    assert!(mates * 20 > tried, "{mates} mates of {tried}");
    // Many are refuted from afar.
    assert!(from_afar * 20 > tried, "{from_afar} of {tried}");
}

/// Longer series of more men under balance, where who can move a second time decides.
#[test]
fn agrees_with_exhaustive_search_under_balance() {
    let english = Preset::English.rules();
    let rounds_rules = RuleSet {
        balance: Balance::Rounds,
        ..english
    };
    let retiring = RuleSet {
        promoted_man: PromotedMan::NextSeries,
        ..english
    };
    let mut random = Random(13);
    let mut solver = Solver::new(1, 1);
    let (mut tried, mut mates) = (0, 0);
    while tried < rounds() {
        let rules = [english, rounds_rules, retiring][tried as usize % 3];
        let n = 3 + random.below(4) as u16;
        let Some(position) = crowded_position(&mut random, rules, n, 9) else {
            continue;
        };
        let Some(expected) = can_win(&position, &mut HashSet::new(), MANY) else {
            continue;
        };
        tried += 1;
        mates += u64::from(expected);
        let answer = solver.first_mate(&position, &Limits::default()).answer;
        assert_answers(&position, &answer, expected);
    }
    assert!(
        mates * 20 > tried && mates < tried,
        "{mates} mates of {tried}"
    );
}

/// Everything to be captured in as many moves as there are enemy men, or a few more: what the solver
/// counts there must agree, whatever else counts.
#[test]
fn agrees_with_exhaustive_search_where_captures_are_counted() {
    let capture = Preset::FullCapture.rules();
    let castling = RuleSet {
        castling: true,
        ..capture
    };
    let balance = RuleSet {
        balance: Balance::Counts,
        ..capture
    };
    let crownless = RuleSet {
        promotion_to_king: false,
        ..capture
    };
    let mut random = Random(14);
    let mut solver = Solver::new(1, 1);
    let (mut tried, mut wins, mut counted) = (0, 0, 0);
    while tried < 2 * rounds() {
        let rules = [capture, castling, balance, crownless][tried as usize % 4];
        let n = 2 + random.below(6) as u16;
        let Some(position) = random_position(&mut random, rules, n) else {
            continue;
        };
        if position.men().of(position.side()).count() > 4 {
            continue;
        }
        let enemies = position.men().of(!position.side()).count();
        if !(usize::from(n).saturating_sub(3)..=usize::from(n)).contains(&enemies) {
            continue;
        }
        let Some(expected) = can_win(&position, &mut HashSet::new(), FEW) else {
            continue;
        };
        tried += 1;
        let report = solver.first_mate(&position, &Limits::default());
        assert_answers(&position, &report.answer, expected);
        wins += u64::from(expected);
        counted += u64::from(!expected && report.stats.nodes < 10);
    }
    assert!(wins * 4 > tried, "{wins} wins of {tried}");
    assert!(counted * 10 > tried, "{counted} of {tried}");
}

/// All positions that a series can end in, by trying everything.
fn ends(position: &SeriesPosition) -> Vec<SeriesPosition> {
    let mut found: HashMap<u64, SeriesPosition> = HashMap::new();
    let mut open = vec![*position];
    let mut seen = HashSet::new();
    while let Some(now) = open.pop() {
        for m in now.legal_moves() {
            let next = now.after(m);
            if next.side() != position.side() {
                found.insert(next.key(), next);
            } else if seen.insert(next.key()) {
                open.push(next);
            }
        }
    }
    found.into_values().collect()
}

/// Whether the side on turn wins within so many own series, by trying everything.
fn wins_within(position: &SeriesPosition, series: u16) -> bool {
    if count(position, &mut HashMap::new()) > 0 {
        return true;
    }
    series > 1
        && position.status() == Status::Ongoing
        && ends(position).iter().any(|end| {
            end.status() == Status::Ongoing
                && ends(end).iter().all(|answer| match answer.status() {
                    Status::Over(outcome) => outcome.winner == Some(position.side()),
                    Status::Ongoing | Status::QuietLimit => wins_within(answer, series - 1),
                })
        })
}

#[test]
fn wins_within_two_series_are_those_of_trying_everything() {
    let mut random = Random(10);
    let mut solver = Solver::new(1, 1);
    let (mut tried, mut forced) = (0, 0);
    while tried < 40 {
        let rules = [Preset::Italian, Preset::Scottish, Preset::Marseillais][tried % 3].rules();
        let Some(position) = random_position(&mut random, rules, 1) else {
            continue;
        };
        let side = position.men().of(position.side());
        let enemy = position.men().of(!position.side());
        if enemy.count() > 2 || side.count() > 4 || side.count() < 3 {
            continue;
        }
        tried += 1;
        let report = solver.mate_within(&position, 2, &Limits::default());
        assert_eq!(
            matches!(report.answer, Answer::Mate(_)),
            wins_within(&position, 2),
            "{}",
            format_fen(&position)
        );
        forced += usize::from(report.answer != Answer::NoMate && report.series == 2);
    }
    assert!(forced > 3, "{forced} of {tried}");
}
