use std::time::Duration;

use super::*;

/// A session whose searches are carried out by hand.
struct Talk {
    session: CecpSession,
    now: Instant,
    searches: Vec<search::Request>,
    /// Whether the searcher takes its time with new settings.
    is_slow: bool,
}

impl Talk {
    /// A conversation under `variant`, from its start; the engine plays Black.
    fn new(variant: &str) -> Talk {
        let now = Instant::now();
        let mut talk = Talk {
            session: CecpSession::new(now),
            now,
            searches: Vec::new(),
            is_slow: false,
        };
        for line in ["xboard", "protover 2", "new", &format!("variant {variant}")] {
            talk.say(line);
        }
        talk
    }

    fn event(&mut self, event: Event) -> Vec<String> {
        self.now += Duration::from_millis(1);
        let mut lines = Vec::new();
        let mut preparing = 0;
        let mut book = None;
        for effect in self.session.handle(event, self.now) {
            match effect {
                Effect::Start(Job::Configure(_) | Job::Clear) => preparing += 1,
                Effect::Start(Job::Book(source)) => book = Some(source),
                Effect::Start(Job::Settle(_)) => lines.push("[settle]".to_owned()),
                Effect::Tell(reply) => lines.extend(reply.to_string().lines().map(str::to_owned)),
                Effect::Start(Job::Search(request, _)) => self.searches.push(*request),
                Effect::Exit => lines.push("[exit]".to_owned()),
                _ => {}
            }
        }
        if let Some(source) = book {
            let read = crate::engine::shelf::BookRead::from(source);
            lines.extend(self.event(Event::Book(Box::new(read))));
            lines.extend(self.event(Event::Prepared));
        }
        for _ in 0..if self.is_slow { 0 } else { preparing } {
            lines.extend(self.event(Event::Prepared));
        }
        lines
    }

    fn say(&mut self, line: &str) -> Vec<String> {
        self.event(Event::Line(Line::Text(line.to_owned())))
    }

    /// Says several lines and returns what was answered.
    fn all(&mut self, lines: &[&str]) -> Vec<String> {
        lines.iter().flat_map(|line| self.say(line)).collect()
    }

    /// The answer of the oldest search ordered: these series, moves separated by blanks.
    fn answer(&mut self, series: &[&str]) -> Vec<String> {
        assert!(!self.searches.is_empty(), "no search was ordered");
        let request = self.searches.remove(0);
        let mut at = *request.game.position();
        let mut pv = Vec::new();
        for text in series {
            let mut moves = Vec::new();
            for word in text.split_ascii_whitespace() {
                let m = crate::notation::parse_uci_move(&at, word).unwrap();
                moves.push(m);
                at.play(m);
            }
            pv.push(moves);
        }
        let report = Report {
            depth: 2,
            line: 0,
            candidates: 50,
            verified: 20,
            refuted: 3,
            score: Score::Centipawns(-40),
            nodes: 1000,
            elapsed: Duration::from_millis(30),
            hashfull: 0,
            pv,
        };
        self.event(Event::Answer(Answer {
            lines: vec![report],
        }))
    }
}

#[test]
fn the_engine_passes_for_both_between_its_moves_and_for_itself() {
    let mut talk = Talk::new("progressive");
    assert!(talk.say("usermove e2e4").is_empty());
    assert_eq!(
        talk.answer(&["e7e5 g8f6"]),
        ["move e7e5", "move @@@@", "move g8f6"]
    );
    assert_eq!(talk.say("usermove f1c4"), ["move @@@@"]);
    assert_eq!(talk.say("usermove d1h5"), ["move @@@@"]);
    assert_eq!(talk.say("usermove h5f7"), ["1-0 {checkmate}"]);
}

#[test]
fn against_an_engine_each_passes_for_itself() {
    let mut talk = Talk::new("progressive");
    talk.say("computer");
    talk.say("usermove e2e4");
    assert_eq!(talk.answer(&["e7e5 g8f6"]), ["move e7e5"]);
    assert_eq!(talk.say("usermove @@@@"), ["move g8f6"]);
    assert_eq!(talk.say("usermove f1c4"), ["move @@@@"]);
    assert!(talk.searches.is_empty());
}

#[test]
fn illegal_moves_are_refused_with_the_reason_and_the_game_goes_on() {
    let mut talk = Talk::new("progressive");
    talk.say("usermove e2e4");
    assert_eq!(
        talk.say("usermove d2d4"),
        [
            "tellusererror d2d4: it is the engine's turn",
            "Illegal move (it is the engine's turn): d2d4"
        ]
    );
    talk.answer(&["e7e5 d7d6"]);
    assert_eq!(
        talk.say("usermove f1b5").last().unwrap(),
        "Illegal move (it gives check, and a check is allowed only on the last move of the series): f1b5"
    );
    talk.say("computer");
    assert_eq!(
        talk.say("usermove e4e6"),
        ["Illegal move (the pawn on e4 cannot go to e6): e4e6"]
    );
    assert_eq!(talk.say("usermove Nf3"), ["move @@@@"]);
}

/// XBoard looks for these words in every refusal of a move, and throws it away where one stands.
#[test]
fn refusals_do_not_contain_words_that_xboard_takes_for_something_else() {
    let words = [
        "name", "rating", "?", "result", "board", "bk", "computer", "variant", "hint", "random",
        "depth", "accepted", "protover", "draw", "time", "otim", "analyze",
    ];
    let mut refusals = Vec::new();
    for (variant, moves, wrong) in [
        ("progressive", "", "e2e5 e3e4 e7e5 @@@@ xyz e1g1 e2e4q"),
        ("progressive", "e2e4 e7e5", "d2d4 e8e7"),
        ("progressive", "e2e4 e7e5 @@@@ d7d6", "f1b5 e4d5 e1g1"),
        ("english", "e2e4 e7e6", "e6e5"),
        ("english", "e2e4 e7e6 @@@@", "e6e5"),
    ] {
        for text in wrong.split_ascii_whitespace() {
            let mut talk = Talk::new(variant);
            talk.say("force");
            for m in moves.split_ascii_whitespace() {
                assert!(talk.say(&format!("usermove {m}")).is_empty(), "{m}");
            }
            let answer = talk.say(&format!("usermove {text}"));
            assert_eq!(answer.len(), 1, "{text}: {answer:?}");
            assert!(answer[0].starts_with("Illegal move ("), "{answer:?}");
            refusals.extend(answer);
        }
    }
    for refusal in refusals {
        let found = words.iter().find(|&&word| refusal.contains(word));
        assert_eq!(found, None, "{refusal}");
    }
}

#[test]
fn remove_takes_back_two_plies() {
    let mut talk = Talk::new("progressive");
    talk.say("usermove e2e4");
    talk.answer(&["e7e5 g8f6"]);
    talk.say("usermove f1c4");
    assert!(talk.say("remove").is_empty());
    assert_eq!(talk.say("usermove d2d4"), ["move @@@@"]);
    // Into the engine's series: the user goes on taking back, or passes to go on from there.
    talk.say("remove");
    talk.say("remove");
    let refusal = talk.say("usermove d2d4");
    assert!(
        refusal[1].contains("black has 1 more to play in this series, so white passes"),
        "{refusal:?}"
    );
    talk.say("usermove @@@@");
    assert_eq!(talk.answer(&["g8f6"]), ["move g8f6"]);
    assert!(talk.all(&["remove", "remove"]).is_empty());
    assert_eq!(
        talk.say("remove"),
        ["Error (command not legal now): remove"]
    );
    talk.say("usermove d2d4");
    assert_eq!(talk.searches.len(), 1);
}

#[test]
fn force_go_and_playother_choose_sides() {
    let mut talk = Talk::new("progressive");
    assert!(
        talk.all(&["force", "usermove e2e4", "usermove e7e5"])
            .is_empty()
    );
    assert_eq!(talk.say("playother"), ["move @@@@"]);
    talk.answer(&["g8f6"]);
    talk.say("force");
    assert!(talk.say("usermove f1c4").is_empty());
    // White has the move in the board's eyes no more: Black passes, and White thinks.
    assert_eq!(talk.say("playother"), ["move @@@@"]);
    assert_eq!(
        talk.answer(&["d1h5 h5f7"]),
        ["move d1h5", "move @@@@", "move h5f7", "1-0 {checkmate}"]
    );
    assert_eq!(talk.say("undo"), Vec::<String>::new());
    assert_eq!(talk.say("go"), Vec::<String>::new());
    assert_eq!(talk.searches.len(), 1);
}

#[test]
fn a_ping_waits_for_the_move_and_for_nothing_else() {
    let mut talk = Talk::new("progressive");
    assert_eq!(talk.say("ping 1"), ["pong 1"]);
    talk.say("usermove e2e4");
    assert!(talk.say("ping 2").is_empty());
    assert_eq!(
        talk.answer(&["e7e5 g8f6"]),
        ["move e7e5", "move @@@@", "move g8f6", "pong 2"]
    );
    talk.all(&["usermove d2d4", "remove", "force", "go"]);
    assert!(talk.say("ping 3").is_empty());
    assert_eq!(talk.all(&["force", "ping 4"]), ["pong 3", "pong 4"]);
    // The search that was given up answers late, and nobody listens.
    assert!(talk.answer(&["d2d4 e1e2 e2e1"]).is_empty());
    assert_eq!(talk.all(&["analyze", "ping 5"]), ["pong 5"]);
}

#[test]
fn on_the_opponents_time_the_expected_series_is_searched() {
    let play = ["e7e5 g8f6", "d2d4 d4e5 e5f6"];
    let mut talk = Talk::new("progressive");
    talk.all(&["hard", "usermove e2e4"]);
    talk.answer(&play);
    assert_eq!(talk.say("hint"), ["Hint: d2d4"]);
    assert_eq!(talk.searches.len(), 1);
    assert_eq!(talk.searches[0].game.position().turn().0, 4);
    talk.all(&["usermove d2d4", "usermove d4e5"]);
    assert_eq!(talk.say("hint"), ["Hint: e5f6"]);
    assert!(talk.say("usermove e5f6").is_empty());
    let moves = talk.answer(&["d8f6 f6e5 e5d6 d6e5"]);
    assert_eq!(moves[0], "move d8f6");
    assert!(talk.searches.is_empty());

    // The answer is there before the opponent has moved.
    let mut talk = Talk::new("progressive");
    talk.all(&["hard", "usermove e2e4"]);
    talk.answer(&play);
    assert!(talk.answer(&["d8f6 f6e5 e5d6 d6e5"]).is_empty());
    talk.all(&["usermove d2d4", "usermove d4e5"]);
    assert_eq!(talk.say("usermove e5f6")[0], "move d8f6");

    // He plays something else.
    let mut talk = Talk::new("progressive");
    talk.all(&["hard", "usermove e2e4"]);
    talk.answer(&play);
    talk.all(&["usermove b1c3", "usermove g1f3"]);
    talk.say("usermove f1e2");
    assert_eq!(talk.searches.len(), 2);
    assert!(talk.answer(&["d8f6 f6e5 e5d6 d6e5"]).is_empty());
    assert_eq!(talk.answer(&["d7d5 b8c6 c8e6 f8b4"])[0], "move d7d5");

    // The beginning of a series is not enough to go by.
    let mut talk = Talk::new("progressive");
    talk.all(&["hard", "usermove e2e4"]);
    talk.answer(&["e7e5 g8f6", "d2d4 d4e5"]);
    assert!(talk.searches.is_empty());

    // Without `hard` nothing is searched.
    let mut talk = Talk::new("progressive");
    talk.all(&["hard", "easy", "usermove e2e4"]);
    talk.answer(&play);
    assert!(talk.searches.is_empty());
}

#[test]
fn an_analysis_follows_the_client() {
    let mut talk = Talk::new("progressive");
    talk.all(&["post", "analyze"]);
    assert_eq!(talk.answer(&["e2e4"]), ["2 -40 3 1000 e4"]);
    assert_eq!(talk.say("."), ["stat01: 3 1000 2 30 50"]);
    assert_eq!(talk.say("hint"), ["Hint: e2e4"]);
    talk.say("usermove e2e4");
    assert_eq!(
        talk.answer(&["e7e5 g8f6", "f1c4"]),
        ["2 -40 3 1000 e5 -- Nf6 Bc4"]
    );
    // The waiting side's view, and its pass first.
    talk.say("usermove e7e5");
    assert_eq!(talk.answer(&["g8f6"]), ["2 40 3 1000 -- Nf6"]);
    talk.say("undo");
    assert_eq!(talk.searches.pop().unwrap().game.series().len(), 1);
    talk.all(&["exit", "undo"]);
    assert!(talk.searches.is_empty());
}

#[test]
fn odd_orders_are_answered_and_change_nothing() {
    let mut talk = Talk::new("progressive");
    for (line, answer) in [
        (
            "variant atomic",
            "Error (unknown variant, expected one of normal, progressive,",
        ),
        (
            "variant circe",
            "Error (unknown variant, expected one of normal, progressive,",
        ),
        (
            "setboard 8/8/8/8/8/8/8/8 w - - 0 1",
            "tellusererror Illegal position: FEN '8/8",
        ),
        ("undo", "Error (command not legal now): undo"),
        (
            "option Level=strong",
            "Error (option Level does not take 'strong' (expected full|",
        ),
        (
            "option Turns=series",
            "Error (unknown option, expected one of the features): option Turns=series",
        ),
        ("nonsense", "Error (unknown command): nonsense"),
    ] {
        let answers = talk.say(line);
        assert_eq!(answers.len(), 1, "{line}: {answers:?}");
        assert!(answers[0].starts_with(answer), "{answers:?}");
    }
    talk.say("usermove e2e4");
    assert_eq!(talk.answer(&["e7e5 g8f6"]).len(), 3);
    assert_eq!(talk.say("bk"), [" no book: every series is searched"]);
    assert_eq!(talk.say("draw"), ["offer draw"]);
    assert_eq!(talk.say("quit"), ["[exit]"]);
}

#[test]
fn a_ping_waits_for_the_tables() {
    let mut talk = Talk::new("progressive");
    talk.is_slow = true;
    talk.all(&["memory 32", "cores 2"]);
    assert!(talk.say("ping 1").is_empty());
    assert!(talk.event(Event::Prepared).is_empty());
    assert_eq!(talk.event(Event::Prepared), ["pong 1"]);
    talk.all(&["memory 16", "ping 2"]);
    assert_eq!(talk.say("quit"), ["pong 2", "[exit]"]);
}

/// Ten series of knights that come and go; the quiet limit is reached.
fn quiet_game() -> Talk {
    let mut talk = Talk::new("progressive");
    talk.say("force");
    let knights = [["g1f3", "f3g1"], ["g8f6", "f6g8"]];
    let mut made = [0, 0];
    for turn in 1..=10 {
        let side = (turn + 1) % 2;
        for number in 1..=turn {
            let text = knights[side][made[side] % 2];
            made[side] += 1;
            assert!(talk.say(&format!("usermove {text}")).is_empty(), "{text}");
            if number < turn {
                talk.say("usermove @@@@");
            }
        }
    }
    talk
}

#[test]
fn while_the_quiet_limit_is_settled_the_client_is_listened_to() {
    let mut talk = quiet_game();
    assert_eq!(talk.all(&["go", "ping 1", "st 3"]), ["[settle]"]);
    let settled = |is_draw| Event::Settled { is_draw };
    assert_eq!(
        talk.event(settled(true)),
        ["1/2-1/2 {quiet draw}", "pong 1"]
    );
    // It is known now.
    assert_eq!(talk.say("go"), ["1/2-1/2 {quiet draw}"]);

    // A series that wins may be played.
    let mut talk = quiet_game();
    assert_eq!(talk.say("go"), ["[settle]"]);
    assert!(talk.event(settled(false)).is_empty());
    assert_eq!(talk.searches.len(), 1);

    // Nobody has to wait for the end, nor for work that broke off.
    let mut talk = quiet_game();
    assert_eq!(talk.all(&["go", "new", "quit"]), ["[settle]", "[exit]"]);
    let mut talk = quiet_game();
    talk.all(&["go", "force", "usermove e2e4"]);
    let lines = talk.event(Event::Failed);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[1], "1/2-1/2 {quiet draw}");
    assert!(talk.say("usermove @@@@").is_empty());
}

#[test]
fn options_make_progressive_what_they_say() {
    let mut talk = Talk::new("progressive");
    assert!(
        talk.all(&["option Preset=scottish", "option EnPassantChain=1"])
            .is_empty()
    );
    talk.all(&["new", "variant progressive"]);
    assert!(talk.session.rules().en_passant_chain);
    assert_eq!(
        talk.all(&["option Preset=circe", "variant progressive"])[0],
        "Error (variant in which men come back or kings are captured: this protocol cannot show it; set option Preset to another one): progressive"
    );
    assert_eq!(talk.say("variant logical")[0].split(' ').nth(5), Some("-"));
    talk.all(&["memory 0", "cores 4"]);
    assert_eq!(talk.session.settings.search.hash_mib, 1);
    assert_eq!(talk.session.settings.search.threads, 4);
}

#[test]
fn ordinary_chess_has_no_passes() {
    let mut talk = Talk::new("normal");
    assert!(talk.say("variant normal").is_empty());
    talk.say("usermove f2f3");
    assert_eq!(talk.answer(&["e7e5"]), ["move e7e5"]);
    talk.say("usermove g2g4");
    assert_eq!(talk.answer(&["d8h4"]), ["move d8h4", "0-1 {checkmate}"]);
}

#[test]
fn a_series_of_the_book_is_played_at_once() {
    let mut talk = Talk::new("progressive");
    let lines = talk.say("bk");
    assert_eq!(lines, [" no book: every series is searched"]);
    let lines = talk.say("option OwnBook=1");
    assert!(lines[0].starts_with("# book built-in: "), "{lines:?}");
    talk.say("post");
    let lines = talk.say("usermove e2e4");
    assert!(lines[0].starts_with("# book built-in: "), "{lines:?}");
    let moves = lines
        .iter()
        .filter(|line| line.starts_with("move "))
        .count();
    // Two moves of the engine and a pass for the human between them.
    assert_eq!(moves, 3, "{lines:?}");
    assert!(talk.searches.is_empty());
    let lines = talk.say("option BookFile=/no/such.book");
    assert!(
        lines[0].starts_with("Error (book '/no/such.book' cannot be read: "),
        "{lines:?}"
    );
    assert_eq!(talk.say("ping 3"), ["pong 3"]);
}
