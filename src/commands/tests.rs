use clap::Parser;

use super::*;
use crate::rules::{Preset, SeriesPosition, count_series};

#[derive(Parser)]
enum Cli {
    Book(book::BookArgs),
    Perft(perft::PerftArgs),
    Convert(convert::ConvertArgs),
    Validate(validate::ValidateArgs),
    Solve(solve::SolveArgs),
}

#[track_caller]
fn run(args: &[&str]) -> (Finish, String, String) {
    let (mut out, mut messages) = (Vec::new(), Vec::new());
    let cli = Cli::try_parse_from([&["seriatim"], args].concat()).unwrap();
    let finish = match cli {
        Cli::Book(args) => book::run(&args, &mut out, &mut messages),
        Cli::Perft(args) => perft::run(&args, &mut out),
        Cli::Convert(args) => convert::run(&args, &mut out, &mut messages),
        Cli::Validate(args) => validate::run(&args, &mut out),
        Cli::Solve(args) => solve::run(&args, &mut out, &mut messages).map(|result| match result {
            solve::SolveResult::AllMate => Finish::Clean,
            _ => Finish::Flawed,
        }),
    };
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (finish.unwrap(), text(out), text(messages))
}

/// A file in the directory for temporary ones, removed when it goes out of scope.
struct TempFile(std::path::PathBuf);

impl TempFile {
    fn new(name: &str, text: &str) -> TempFile {
        let path = std::env::temp_dir().join(format!("seriatim-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        TempFile(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_mate_shorter_than_the_turn_is_called_so() {
    let solve = |variant: &str, more: &[&str]| {
        let fen = "7k/8/8/8/8/8/R7/KR6 w - - 0 3";
        let args = ["solve", "--hash", "1", "--variant", variant, "--fen", fen];
        run(&[&args[..], more].concat()).1
    };
    let text = solve("italian", &["--shortest"]);
    assert!(
        text.contains("(as if the turn had 2 of its 3 moves)"),
        "{text}"
    );
    let json = solve("italian", &["--shortest", "--json"]);
    assert!(json.contains("\"as_if_moves\":2"), "{json}");
    // There a check ends the series, so that it may be played as it is.
    assert!(!solve("scottish", &["--shortest"]).contains("as if"));
    assert!(!solve("italian", &[]).contains("as if"));
}

#[test]
fn a_series_too_long_to_be_searched_is_called_so() {
    let fen = "4k3/8/8/8/8/8/8/4K2Q w - - 0 4001";
    let solve = |more: &[&str]| {
        let args = ["solve", "--hash", "1", "--time", "1", "--fen", fen];
        run(&[&args[..], more].concat())
    };
    let (finish, text, _) = solve(&[]);
    assert_eq!(finish, Finish::Flawed);
    assert!(
        text.contains("unknown, series too long (4001 moves; at most 200"),
        "{text}"
    );
    assert!(
        solve(&["--json"])
            .1
            .contains("\"unknown\":\"series too long\"")
    );
    let hard = "r1bq1rk1/ppp2ppp/2n2n2/3pp3/1b2P3/2NP1N2/PPPBBPPP/R2QK2R b KQ - 0 8";
    let (_, text, _) = run(&["solve", "--hash", "1", "--nodes", "10", "--fen", hard]);
    assert!(text.contains("unknown, budget spent"), "{text}");
}

#[test]
fn perft_counts_moves_series_and_positions() {
    let (_, moves, _) = run(&["perft", "--moves", "3"]);
    assert!(moves.contains("\ne2e4: ") || moves.starts_with("e2e4: "));
    assert_eq!(moves.lines().count(), 22);
    assert!(moves.ends_with("\n\nNodes searched: 8902\n"));
    let (_, series, _) = run(&["perft", "--variant", "english", "--series", "2"]);
    assert_eq!(
        series,
        "series: 8256\nmates: 0\nprogressive mates: 0\ndry: 0\n"
    );
    let (_, quick, _) = run(&["perft", "--series", "2", "--count-only"]);
    assert_eq!(quick, "series: 8902\n");
    let (_, unique, _) = run(&["perft", "--series", "2", "--unique"]);
    assert!(unique.starts_with("placements: 5362\nwith rights: "));
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 3";
    let (_, castling, _) = run(&["perft", "--moves", "1", "--fen", fen, "--chess960"]);
    assert!(castling.contains("e1h1: 1\n") && castling.contains("e1a1: 1\n"));
    let set = [
        "perft",
        "--set",
        "checks=ends",
        "--set",
        "ep=none",
        "--moves",
        "4",
    ];
    assert!(run(&set).1.ends_with("searched: 197281\n"));
}

#[test]
fn counting_with_progress_gives_the_same() {
    let captured = "8/8/8/8/8/8/7p/6Rk w - - 0 2";
    for &preset in Preset::ALL {
        let start = SeriesPosition::start(preset.rules());
        let mut positions = vec![start];
        positions.extend(crate::notation::parse_fen(preset.rules(), captured));
        for position in positions {
            let counted = count_series(&position, 2, true);
            let progress = perft::count_with_progress(&position, 2, true, &mut Vec::new());
            assert_eq!(progress.unwrap(), counted, "{preset}");
        }
    }
}

#[test]
fn convert_writes_every_form_and_reports_errors() {
    let text = "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# {mate} 1-0\n1.e4 2.e9 *\n[White \"W\"]\n\n1.d4 *\n";
    let file = TempFile::new("convert.pgn", text);
    let (finish, pgn, messages) = run(&["convert", file.name(), "--to", "pgn"]);
    assert_eq!(finish, Finish::Flawed);
    assert_eq!(pgn.matches("[Event ").count(), 2);
    assert!(
        messages.contains(&format!("{}:2:8: 'e9' is no move", file.name())),
        "{messages}"
    );
    let (_, fens, _) = run(&["convert", file.name(), "--to", "fen"]);
    assert_eq!(
        fens,
        "rnbqkb1r/pppp1Qpp/5n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4\n\
         rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 2\n"
    );
    let (_, json, _) = run(&["convert", file.name(), "--to", "json"]);
    let game: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(game["ending"], "checkmate");
    assert_eq!(game["series"][2]["san"][2], "Qxf7#");
    assert_eq!(game["series"][2]["uci"][2], "h5f7");
    assert_eq!(game["series"][2]["comments"][0], "mate");
    let (_, nulls, _) = run(&["convert", file.name(), "--to", "null-pgn"]);
    assert!(nulls.contains("2. -- Nf6"));
    let back = TempFile::new("back.pgn", &nulls);
    assert_eq!(run(&["convert", back.name(), "--to", "pgn"]).1, pgn);
    let circe = [
        "convert",
        file.name(),
        "--to",
        "null-pgn",
        "--variant",
        "circe",
    ];
    let (finish, nothing, messages) = run(&circe);
    assert!(finish == Finish::Flawed && nothing.is_empty());
    assert!(messages.contains("captured men come back"), "{messages}");
}

#[test]
fn validate_finds_wrong_results_and_games_that_go_on() {
    let good = TempFile::new("good.pgn", "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# 1-0\n");
    let (finish, text, _) = run(&["validate", good.name()]);
    assert_eq!(
        (finish, text),
        (
            Finish::Clean,
            format!("{}: 1 games, 0 with errors\n", good.name())
        )
    );
    let bad = TempFile::new(
        "bad.pgn",
        "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# 0-1\n\n1.e4 2.e6 *\n\
         [FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 3\"]\n\n3.Kxe2 Kd3 Kd4 *\n1.e4 x *",
    );
    let (finish, text, _) = run(&["validate", bad.name()]);
    assert_eq!(finish, Finish::Flawed);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].contains(":1:1: found result 0-1: expected 1-0"),
        "{text}"
    );
    assert!(
        lines[1].contains(":6:1: found moves in turn 3: expected none"),
        "{text}"
    );
    assert!(lines[2].contains(":7:6: "), "{text}");
    assert!(lines[3].ends_with("4 games, 3 with errors"), "{text}");
    assert!(super::open("/nonexistent/x.pgn").is_err());
}

/// A folder for the files of a test, removed when it goes out of scope.
struct TempFolder(std::path::PathBuf);

impl TempFolder {
    fn new(name: &str) -> TempFolder {
        let path = std::env::temp_dir().join(format!("seriatim-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        TempFolder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A small build: two turns, little effort.
fn build(out: &str, more: &[&str]) -> (Finish, String, String) {
    let args = [
        "book",
        "build",
        "--turns",
        "2",
        "--breadth",
        "20,2",
        "--nodes",
        "1000",
        "--game-nodes",
        "100",
        "--hash",
        "1",
        "--out",
        out,
    ];
    run(&[&args[..], more].concat())
}

#[test]
fn a_book_is_built_shown_and_checked() {
    let folder = TempFolder::new("book");
    let file = folder.file("a.book");
    let (finish, text, messages) = build(&file, &[]);
    assert_eq!((finish, messages.as_str()), (Finish::Clean, ""));
    // Of the 269 ends after 1.e4 White mates after 138, as the solver's own tests count too.
    assert!(
        text.contains("| 1.e4     269                        138    131      0 |"),
        "{text}"
    );
    assert!(
        text.contains("Proven\n") && text.contains("Believed\n"),
        "{text}"
    );
    let (_, shown, _) = run(&["book", "show", &file, "--moves", "1.e4"]);
    assert!(shown.contains("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2"));
    assert!(
        shown.contains(" safe ") && shown.contains("Best play: 2."),
        "{shown}"
    );
    let (_, shown, _) = run(&["book", "show", &file]);
    assert!(
        shown.contains("Rules: italian\n") && shown.contains("Positions: 21\n"),
        "{shown}"
    );
    let (finish, checked, _) = run(&["book", "check", &file]);
    assert_eq!(finish, Finish::Clean, "{checked}");
    assert!(
        checked.starts_with("21 positions, ") && checked.contains(" 0 errors\n"),
        "{checked}"
    );
}

#[test]
fn a_build_does_not_depend_on_threads_and_goes_on_where_it_was_broken_off() {
    let folder = TempFolder::new("book-work");
    let (one, two, broken) = (folder.file("1"), folder.file("2"), folder.file("3"));
    build(&one, &[]);
    build(&two, &["--threads", "2"]);
    let whole = std::fs::read(&one).unwrap();
    assert_eq!(whole, std::fs::read(&two).unwrap());
    assert!(!std::path::Path::new(&format!("{one}.work")).exists());
    // What an interrupted build leaves behind: some findings, the last one cut off.
    let work = format!("{broken}.work");
    let note = crate::book::Source::File(one.clone().into())
        .read()
        .unwrap();
    let start = format!(
        "{}\n{{\"key\":1,\"finding\":{{\"lines\":[],\"rest_ref",
        note.note()
    );
    std::fs::write(&work, start).unwrap();
    build(&broken, &[]);
    assert_eq!(whole, std::fs::read(&broken).unwrap());
    // Another build's findings are not taken for one's own.
    std::fs::write(&work, "something else\n").unwrap();
    let cli = Cli::try_parse_from(["seriatim", "book", "build", "--out", &broken]).unwrap();
    let Cli::Book(args) = cli else { unreachable!() };
    let error = book::run(&args, &mut Vec::new(), &mut Vec::new()).unwrap_err();
    assert!(error.is::<UsageError>(), "{error}");
    assert!(
        error
            .to_string()
            .contains("belongs to a build with other settings"),
        "{error}"
    );
}

#[test]
fn a_book_whose_proofs_do_not_hold_is_flawed() {
    use crate::book::{Book, Known, Outlook, PackedMove, Source, Worth};
    let folder = TempFolder::new("book-check");
    let file = folder.file("a.book");
    build(&file, &["--games", "0"]);
    let start = SeriesPosition::start(Preset::Italian.rules());
    let good = Source::File(file.clone().into()).read().unwrap();
    let e4 = crate::notation::parse_uci_move(&start, "e2e4").unwrap();
    let after = start.after(e4);
    // 2.e5 Nf6 loses to 3.Bc4 Qh5 Qxf7.
    let series = crate::notation::parse_series(&after, "e5 Nf6").unwrap();
    for (worth, outlook, complaint) in [
        (Worth::Safe(0), Outlook::Open, "the opponent mates: "),
        (Worth::Win(1), Outlook::Won(1), "it does not win"),
        (Worth::Loss(1), Outlook::Open, ""),
        (
            Worth::Loss(1),
            Outlook::Won(1),
            "the position is said to be Won(1)",
        ),
    ] {
        let mut book: Book = good.clone();
        let mut entry = good.positions().next().unwrap().1.entries[0].clone();
        entry.worth = worth;
        entry.moves = PackedMove::series(&series);
        book.insert(
            &after,
            Known {
                outlook,
                entries: vec![entry],
            },
        );
        std::fs::write(&file, book.to_bytes()).unwrap();
        let (finish, text, _) = run(&["book", "check", &file]);
        assert_eq!(finish == Finish::Clean, complaint.is_empty(), "{text}");
        assert!(text.contains(complaint), "{text}");
    }
}
