//! Whole games in alternating mode, by a client that sends move lists with passes and by one that
//! sends nothing but orthodox FENs; the engine has to know the true state of the series all along.

#![allow(clippy::unwrap_used)]

mod conversation;

use conversation::Engine;
use seriatim::{
    notation::{format_fen, parse_uci_move},
    rules::{MoveKind, Preset, SeriesPosition, Status},
};

/// The client's own idea of the game.
struct Client {
    position: SeriesPosition,
    is_waiting: bool,
    ply: u32,
    half_moves: u32,
    /// The square a double step passed over on the last ply.
    passed: Option<String>,
    moves: String,
}

impl Client {
    fn new(preset: Preset) -> Client {
        Client {
            position: SeriesPosition::start(preset.rules()),
            is_waiting: false,
            ply: 0,
            half_moves: 0,
            passed: None,
            moves: String::new(),
        }
    }

    /// The FEN an orthodox library would write.
    fn fen(&self) -> String {
        let series = format_fen(&self.position);
        let fields: Vec<&str> = series.split(' ').collect();
        format!(
            "{} {} {} {} {} {}",
            fields[0],
            if self.ply.is_multiple_of(2) { "w" } else { "b" },
            fields[2],
            self.passed.as_deref().unwrap_or("-"),
            self.half_moves,
            self.ply / 2 + 1
        )
    }

    /// Takes the engine's answer; false when the game is over.
    fn play(&mut self, text: &str, pass: &str) -> bool {
        self.ply += 1;
        self.moves.push(' ');
        self.moves.push_str(text);
        if self.is_waiting {
            assert_eq!(text, pass);
            self.is_waiting = false;
            self.half_moves += 1;
            self.passed = None;
            return true;
        }
        let m = parse_uci_move(&self.position, text).unwrap();
        if m.kind() == MoveKind::EnPassant {
            let square = Some(m.to().to_string());
            assert_eq!(square, self.passed, "the client does not know this capture");
        }
        let men = self.position.men().occupied().count();
        self.position.play(m);
        let is_quiet = self.position.men().occupied().count() == men
            && m.role() != seriatim::rules::Role::Pawn;
        self.half_moves = if is_quiet { self.half_moves + 1 } else { 0 };
        self.passed = (m.kind() == MoveKind::DoubleStep).then(|| {
            let rank = if self.ply % 2 == 1 { '3' } else { '6' };
            format!("{}{rank}", m.to().file().char())
        });
        self.is_waiting = !self.position.is_turn_start();
        !matches!(self.position.status(), Status::Over(_))
    }
}

fn play_games(preset: Preset, sends_fens: bool, nodes: u64) {
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Preset value {preset}"));
    engine.send("setoption name Turns value alternating");
    engine.send("setoption name PassNotation value @@@@");
    let mut random = fastrand::Rng::with_seed(nodes);
    for _ in 0..4 {
        engine.send("ucinewgame");
        let mut client = Client::new(preset);
        loop {
            if sends_fens {
                engine.send(&format!("position fen {}", client.fen()));
            } else {
                engine.send(&format!("position startpos moves{}", client.moves));
            }
            engine.send("d");
            let display = engine.lines_to("Legal moves");
            let fen = display
                .iter()
                .find_map(|line| line.strip_prefix("Series fen: "))
                .unwrap();
            assert_eq!(fen, format_fen(&client.position));
            // Few nodes, and now and then a random first move, give games that differ.
            let legal = client.position.legal_moves();
            if client.is_waiting || random.u8(..4) > 0 {
                engine.send(&format!("go nodes {nodes}"));
            } else {
                let at = random.usize(..legal.len());
                let text = seriatim::notation::uci_text(
                    legal[at],
                    seriatim::notation::CastlingText::default(),
                );
                let hidden = legal[at].kind() == MoveKind::EnPassant;
                let only = if hidden {
                    String::new()
                } else {
                    format!(" searchmoves {text}")
                };
                engine.send(&format!("go nodes {nodes}{only}"));
            }
            let lines = engine.lines_to("bestmove ");
            assert!(lines.iter().any(|line| line.starts_with("info depth ")));
            let best = lines.last().unwrap()["bestmove ".len()..].to_owned();
            if best == "(none)" {
                assert!(matches!(client.position.status(), Status::Over(_)));
                break;
            }
            let text = best.split(' ').next().unwrap();
            if !client.play(text, "@@@@") {
                break;
            }
        }
        assert!(client.ply > 4);
    }
}

#[test]
fn games_by_move_lists() {
    play_games(Preset::Italian, false, 300);
    play_games(Preset::Scottish, false, 301);
}

#[test]
fn games_by_fens_alone() {
    play_games(Preset::Italian, true, 300);
    play_games(Preset::Scottish, true, 302);
    play_games(Preset::English, true, 303);
}
