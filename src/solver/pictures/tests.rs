use super::{Pictures, Reach};
use crate::{
    notation::{CastlingText, format_fen, parse_fen, uci_text},
    rules::{
        Bitboard, Color, File, Man, Men, Move, Preset, Rank, Role, RuleSet, SeriesPosition, Setup,
        Square,
    },
    solver::{Answer, Limits, Solver, limits::Meter},
};

/// A random set-up with few men of the side on turn, and enemy men round their king.
fn thin(random: &mut fastrand::Rng, rules: RuleSet) -> Option<SeriesPosition> {
    let mut men = Men::EMPTY;
    let side = Color::from_white(random.bool());
    let prey = Square::new(random.u32(0..64));
    let own = random.usize(1..6);
    let near = random.usize(0..6);
    let far = random.usize(0..7);
    let beside = |random: &mut fastrand::Rng| {
        let step =
            |at: u32, random: &mut fastrand::Rng| (at + random.u32(0..5)).saturating_sub(2).min(7);
        Square::from_coords(
            File::new(step(prey.file() as u32, random)),
            Rank::new(step(prey.rank() as u32, random)),
        )
    };
    let king = (side, Role::King);
    let mut all = vec![
        (!side, Role::King, prey),
        (king.0, king.1, Square::new(random.u32(0..64))),
    ];
    let roles = [
        Role::Pawn,
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    for index in 0..own + near + far {
        let color = if index < own { side } else { !side };
        let is_near = (own..own + near).contains(&index) || random.u8(0..3) == 0;
        let square = if is_near {
            beside(random)
        } else {
            Square::new(random.u32(0..64))
        };
        all.push((color, roles[random.usize(0..roles.len())], square));
    }
    for (color, role, square) in all {
        let back = matches!(square.rank(), Rank::First | Rank::Eighth);
        if !(men.occupied().contains(square) || role == Role::Pawn && back) {
            men.put(square, Man { color, role });
        }
    }
    let passed = Bitboard::from_rank(side.fold_wb(Rank::Sixth, Rank::Third));
    let double = men.men(!side, Role::Pawn).shift(side.fold_wb(8, -8));
    let setup = Setup {
        men,
        side,
        en_passant: if random.bool() {
            double & passed & !men.occupied()
        } else {
            Bitboard::EMPTY
        },
        turn: random.u16(1..5),
        ..Setup::default()
    };
    SeriesPosition::from_setup(rules, &setup).ok()
}

#[test]
fn whatever_mates_is_within_reach() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut solver = Solver::new(1, 1);
    let times: u32 = std::env::var("SOLVER_ORACLE")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let presets = [
        Preset::Italian,
        Preset::Scottish,
        Preset::English,
        Preset::Logical,
    ];
    let (mut tried, mut mates, mut nothing, mut kept) = (0, 0, 0, 0);
    while tried < 4000 * times {
        let rules = presets[tried as usize % presets.len()].rules();
        let Some(position) = thin(&mut random, rules) else {
            continue;
        };
        tried += 1;
        let answer = solver.first_mate(&position, &Limits::default()).answer;
        let mut pictures = Pictures::default();
        pictures.begin(&position);
        let mut meter = Meter::new(&Limits::default());
        let reach = pictures.reach(&position, &mut meter);
        nothing += u32::from(reach == Reach::Nothing);
        let Answer::Mate(series) = answer else {
            continue;
        };
        mates += 1;
        // The same of all pictures, kept from the start on and narrowed down on the way.
        let mut all = Pictures::default();
        all.begin(&position);
        all.allowance = 100_000;
        all.collect(&mut meter);
        kept += u32::from(all.gallery.is_complete());
        let few = Limits::nodes(2000);
        let mut others = solver.count_mates(&position, 8, &few).listed;
        others.push(series);
        for series in others {
            all.widen_all();
            let mut now = position;
            for m in series {
                let fen = format_fen(&now);
                assert!(!all.are_out_of_reach(&now, &mut meter), "{fen}");
                all.focus(&now);
                all.gallery.narrow(&mut all.travel);
                let reach = pictures.reach(&now, &mut meter);
                assert_ne!(reach, Reach::Nothing, "{fen}");
                if let Reach::Within(moves) = reach {
                    assert!(moves <= now.moves_left());
                }
                now = now.after(m);
            }
        }
    }
    // Neither is rare.
    assert!(
        mates * 10 > tried && nothing * 4 > tried && kept * 2 > mates,
        "{mates} and {nothing} of {tried}, {kept} with all pictures"
    );
}

/// Asserts that a mate is within reach of the pictures at every move of `series`.
#[track_caller]
fn assert_within_reach(preset: Preset, fen: &str, series: &str) {
    let mut position = parse_fen(preset.rules(), fen).unwrap();
    let mut meter = Meter::new(&Limits::default());
    let mut pictures = Pictures::default();
    pictures.begin(&position);
    pictures.collect(&mut meter);
    assert!(pictures.gallery.is_complete(), "{fen}");
    for text in series.split(' ') {
        assert!(
            !pictures.are_out_of_reach(&position, &mut meter),
            "{fen} {text}"
        );
        let is_it = |m: &Move| uci_text(*m, CastlingText::KingMove) == text;
        let m = position.legal_moves().into_iter().find(is_it).unwrap();
        position = position.after(m);
    }
    assert!(position.is_check() && !position.has_legal_move(), "{fen}");
}

#[track_caller]
fn assert_out_of_reach(preset: Preset, fen: &str) {
    let position = parse_fen(preset.rules(), fen).unwrap();
    let mut meter = Meter::new(&Limits::default());
    let mut pictures = Pictures::default();
    pictures.begin(&position);
    assert_eq!(pictures.reach(&position, &mut meter), Reach::Nothing);
    pictures.collect(&mut meter);
    assert!(pictures.are_out_of_reach(&position, &mut meter), "{fen}");
}

#[test]
fn the_knight_of_a_pawn_mates() {
    assert_within_reach(
        Preset::Italian,
        "6rk/3P2pp/8/8/8/8/8/K7 w - - 0 2",
        "d7d8n d8f7",
    );
    assert_out_of_reach(Preset::Italian, "6rk/3P2pp/8/8/8/8/8/K7 w - - 0 1");
}

#[test]
fn a_rook_or_bishop_of_a_pawn_stands_for_its_queen() {
    assert_within_reach(
        Preset::Italian,
        "8/8/K1k4n/2p5/7p/7p/5p2/8 b - - 0 2",
        "f2f1r f1a1",
    );
    assert_within_reach(
        Preset::Scottish,
        "Q2qk3/1N4P1/8/8/8/4K3/8/8 w - - 0 2",
        "g7g8b a8d8",
    );
}

#[test]
fn two_checks_at_once_cannot_be_parried() {
    assert_within_reach(
        Preset::Italian,
        "3qkb2/3p1pp1/8/8/4N3/8/8/4R1K1 w - - 0 1",
        "e4f6",
    );
    assert_out_of_reach(Preset::Italian, "3qkb2/3p1pp1/8/8/4N3/8/8/6K1 w - - 0 1");
}

#[test]
fn a_pinned_man_parries_nothing() {
    let fen = "7k/6np/8/8/8/2B5/8/4R1K1 w - - 0 1";
    assert_within_reach(Preset::Italian, fen, "e1e8");
    assert_out_of_reach(Preset::Italian, "7k/6np/8/8/8/8/8/4R1K1 w - - 0 1");
}

#[test]
fn a_parry_that_checks_is_none() {
    let fen = "8/7q/7p/8/8/2k2KNQ/q7/3R4 b - - 0 2";
    assert_within_reach(Preset::Italian, fen, "a2c2 h7e4");
}

#[test]
fn a_double_step_mates_where_no_pawn_takes_in_passing() {
    let fen = "6R1/8/R7/7k/7b/8/6P1/6K1 w - - 0 1";
    assert_within_reach(Preset::Italian, fen, "g2g4");
}

#[test]
fn nothing_is_said_while_castling_is_possible() {
    let fen = "8/5R2/3P4/3P2r1/2p1p3/4k3/8/R3K2R w KQ - 0 2";
    let position = parse_fen(Preset::Italian.rules(), fen).unwrap();
    let mut meter = Meter::new(&Limits::default());
    let mut pictures = Pictures::default();
    pictures.begin(&position);
    assert_eq!(pictures.reach(&position, &mut meter), Reach::Unknown);
    assert!(!pictures.are_out_of_reach(&position, &mut meter));
    // It is the only way to mate.
    let answer = Solver::new(1, 1).first_mate(&position, &Limits::default());
    let series = answer.answer.series().unwrap();
    assert_eq!(uci_text(series[0], CastlingText::KingMove), "e1c1");
}
