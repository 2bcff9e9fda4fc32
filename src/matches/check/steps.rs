//! The steps of the examination, in the order of protocol.md.

use std::{
    future::Future,
    pin::Pin,
    time::{Duration, Instant},
};

use super::{
    Verdict,
    session::{AT_ONCE, Outcome, PATIENCE, Session, fail, is_legal, task},
};
use crate::{
    matches::handshake::PROTOCOL_VERSION,
    rules::{Preset, Switch},
};

/// What a step does.
type Run = for<'s> fn(&'s mut Session) -> Pin<Box<dyn Future<Output = Outcome> + 's>>;

/// One step.
pub(super) struct Step {
    /// What has to be so.
    pub(super) name: &'static str,
    /// The section of protocol.md that says it.
    pub(super) section: &'static str,
    pub(super) run: Run,
}

macro_rules! steps {
    ($($function:ident, $section:literal, $name:literal;)+) => {
        /// All steps.
        pub(super) const ALL: &[Step] = &[
            $(Step { name: $name, section: $section, run: steps!(@run $function) },)+
        ];
    };
    // These three judge what the handshake said, and exchange nothing.
    (@run handshake) => { |session| Box::pin(std::future::ready(handshake(session))) };
    (@run offers_presets) => { |session| Box::pin(std::future::ready(offers_presets(session))) };
    (@run offers_switches) => { |session| Box::pin(std::future::ready(offers_switches(session))) };
    (@run $function:ident) => { |session| Box::pin($function(session)) };
}

steps! {
    handshake, "Handshake", "uci is answered with name, protocol series 1 and uciok";
    offers_presets, "Rules", "UCI_Variant offers presets";
    offers_switches, "Rules", "every switch has its option";
    is_ready, "Handshake", "isready is answered at once";
    odd_lines, "Lines", "CR LF, tabs, blank and unknown lines do no harm";
    long_line, "Lines", "a line longer than a MiB does no harm";
    first_turns, "Searching", "go answers a whole legal series, in every preset";
    hard_positions, "Positions", "checks, promotions, castling and en passant are played by the rules";
    middle_of_series, "Positions", "in the middle of a series the rest of it is answered";
    tiny_limits, "Searching", "with next to no time, nodes or depth the answer is still legal";
    fixed_time, "Searching", "movetime is kept";
    clock, "Searching", "an answer comes before the clock runs out";
    one_bestmove, "Searching", "one bestmove, and nothing after it";
    information, "Information", "info before bestmove has depth, score, nodes and pv";
    pv_is_flat, "Information", "pv begins with the series of bestmove";
    mate_in_series, "Information", "a mate in the series is found, and scored as mate 1";
    infinite, "Searching", "go infinite thinks until stop";
    ready_while_thinking, "Searching", "isready is answered while it thinks";
    stop_without_search, "Searching", "stop without a search does nothing";
    finished_games, "Finished games", "a finished game is answered with bestmove (none)";
    castling_texts, "Grammar", "both ways of writing castling are understood";
    chess960, "Grammar", "with UCI_Chess960 castling is written king takes rook";
    alternating, "Alternating mode", "with Turns set to alternating it answers one move, or the pass";
    quit_while_thinking, "Searching", "quit ends a thinking engine within 200 ms";
    end_of_input, "Lines", "the end of input ends it";
}

fn handshake(session: &mut Session) -> Outcome {
    // The session has just done it; what it heard is judged here.
    let identity = &session.identity;
    if identity.name.is_none() {
        return Err(fail("there was no 'id name'"));
    }
    if let Err(problem) = identity.check_protocol() {
        return Err(fail(problem));
    }
    if identity.author.is_none() {
        return Err(Verdict::Warn(format!(
            "there was no 'id author' (protocol series {PROTOCOL_VERSION} is spoken)"
        )));
    }
    Ok(())
}

fn offers_presets(session: &mut Session) -> Outcome {
    let presets = session.presets();
    if session.identity.option("UCI_Variant").is_none() {
        return Err(fail("it has no option UCI_Variant"));
    }
    if presets.is_empty() {
        return Err(fail(
            "its option UCI_Variant offers none of the presets that protocol.md names",
        ));
    }
    let missing: Vec<&str> = Preset::ALL
        .iter()
        .filter(|preset| !presets.contains(preset))
        .map(|preset| preset.as_str())
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Verdict::Warn(format!(
            "it does not play {}",
            missing.join(", ")
        )))
    }
}

fn offers_switches(session: &mut Session) -> Outcome {
    let missing: Vec<&str> = Switch::ALL
        .iter()
        .map(|&switch| crate::protocol::options::switch_option(switch))
        .filter(|name| session.identity.option(name).is_none())
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Verdict::Warn(format!(
            "it lacks {}: it can play presets, but not variants of them",
            missing.join(", ")
        )))
    }
}

async fn is_ready(session: &mut Session) -> Outcome {
    session.send("isready").await?;
    session.read_until("readyok", AT_ONCE).await.map(|_| ())
}

async fn odd_lines(session: &mut Session) -> Outcome {
    session
        .send_raw(b"\r\n\n   \t \nxyzzy 1 2 3\r\n\xff\xfe\x00\n  isready \r\n")
        .await?;
    session.read_until("readyok", PATIENCE).await?;
    session
        .send_raw(b"\tposition\tstartpos  moves\te2e4 \r\nisready\n")
        .await?;
    session.read_until("readyok", PATIENCE).await.map(|_| ())
}

async fn long_line(session: &mut Session) -> Outcome {
    let mut line = vec![b'x'; (1 << 20) + 100];
    line.extend_from_slice(b"\nisready\n");
    session.send_raw(&line).await?;
    session.read_until("readyok", PATIENCE).await.map(|_| ())
}

/// Quick and bounded for every engine.
const GO: &str = "go movetime 100";

async fn first_turns(session: &mut Session) -> Outcome {
    for preset in session.presets() {
        session.new_game(preset).await?;
        let mut moves = String::new();
        for _ in 0..4 {
            let task = task(preset, None, &moves)?;
            session.send(&task.command).await?;
            let answer = session.go(GO, PATIENCE).await;
            let reply = answer.map_err(|verdict| in_preset(preset, verdict))?;
            is_legal(&task, &reply).map_err(|verdict| in_preset(preset, verdict))?;
            moves = format!("{moves} {}", reply.moves());
        }
    }
    Ok(())
}

fn in_preset(preset: Preset, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Fail(text) => Verdict::Fail(format!("{preset}: {text}")),
        other => other,
    }
}

/// Positions in which each rule decides what is legal; a position that a preset cannot have is
/// passed over.
const HARD: &[(&str, &str)] = &[
    // Two double steps that can be answered en passant.
    ("4k3/8/8/8/1pP1Pp2/8/8/3K4 b - c3e3 0 4", ""),
    // In check from a rook: the first move has to parry.
    ("4k3/8/8/8/8/4r3/3PPP2/4K3 w - - 0 5", ""),
    // Promotions.
    ("7k/PPP5/8/8/8/8/5ppp/K7 w - - 0 5", ""),
    // Castling both ways.
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 3", ""),
    // A long series with few men.
    ("8/5k2/8/3p4/8/8/2K5/6R1 b - - 3 12", ""),
    // Only a few moves are left before the side runs dry.
    ("7k/8/8/8/8/p7/P7/K7 w - - 0 9", ""),
];

async fn hard_positions(session: &mut Session) -> Outcome {
    for preset in session.presets() {
        session.new_game(preset).await?;
        for (fen, moves) in HARD {
            let Ok(task) = task(preset, Some(fen), moves) else {
                continue;
            };
            if matches!(task.position.status(), crate::rules::Status::Over(_)) {
                continue;
            }
            session.send(&task.command).await?;
            let answer = session.go(GO, PATIENCE).await;
            let reply = answer.map_err(|verdict| in_preset(preset, verdict))?;
            is_legal(&task, &reply).map_err(|verdict| in_preset(preset, verdict))?;
        }
    }
    Ok(())
}

async fn middle_of_series(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    session.new_game(preset).await?;
    for task in [
        task(preset, None, "e2e4 e7e5")?,
        task(preset, None, "e2e4 e7e5 g8f6 b1c3")?,
        task(
            preset,
            Some("4k3/8/8/8/1pP1Pp2/8/8/3K4 b - - 0 4 left=3;progress"),
            "",
        )?,
    ] {
        session.send(&task.command).await?;
        is_legal(&task, &session.go(GO, PATIENCE).await?)?;
    }
    Ok(())
}

async fn tiny_limits(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    session.new_game(preset).await?;
    let task = task(preset, None, "e2e4 e7e5 g8f6")?;
    for go in [
        "go nodes 1",
        "go depth 1",
        "go movetime 1",
        "go wtime 1 btime 1 winc 0 binc 0",
    ] {
        session.send(&task.command).await?;
        let reply = session.go(go, PATIENCE).await?;
        is_legal(&task, &reply).map_err(|verdict| match verdict {
            Verdict::Fail(text) => fail(format!("{go}: {text}")),
            other => other,
        })?;
    }
    Ok(())
}

async fn fixed_time(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    session.new_game(preset).await?;
    let task = task(preset, None, "e2e4")?;
    session.send(&task.command).await?;
    let reply = session.go("go movetime 300", PATIENCE).await?;
    is_legal(&task, &reply)?;
    if reply.time > Duration::from_millis(350) {
        return Err(fail(format!(
            "'go movetime 300' took {:.0} ms",
            reply.time.as_secs_f64() * 1e3
        )));
    }
    Ok(())
}

async fn clock(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    session.new_game(preset).await?;
    let task = task(preset, None, "e2e4 e7e5 g8f6")?;
    session.send(&task.command).await?;
    let reply = session
        .go("go wtime 500 btime 60000 winc 0 binc 0", PATIENCE)
        .await?;
    is_legal(&task, &reply)?;
    if reply.time > Duration::from_millis(500) {
        return Err(fail(format!(
            "with 500 ms on White's clock it took {:.0} ms",
            reply.time.as_secs_f64() * 1e3
        )));
    }
    Ok(())
}

async fn one_bestmove(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    session.new_game(preset).await?;
    session.send("position startpos").await?;
    session.go(GO, PATIENCE).await?;
    match session.read("", Duration::from_millis(300)).await {
        Ok(line) => Err(fail(format!("'{line}' came after bestmove"))),
        Err(_) => session.synchronize().await,
    }
}

async fn information(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    session.new_game(preset).await?;
    session.send("position startpos moves e2e4").await?;
    let reply = session.go(GO, PATIENCE).await?;
    if reply.infos.is_empty() {
        return Err(fail("no info line came before bestmove"));
    }
    for word in ["depth", "score", "nodes", "pv"] {
        if reply.last_value(word).is_none() {
            return Err(fail(format!("no info line has '{word}'")));
        }
    }
    match reply.last_value("score").as_deref() {
        Some("cp" | "mate") => Ok(()),
        other => Err(fail(format!(
            "score is followed by {other:?}, not by cp or mate"
        ))),
    }
}

async fn pv_is_flat(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    session.new_game(preset).await?;
    let task = task(preset, None, "e2e4")?;
    session.send(&task.command).await?;
    let reply = session.go(GO, PATIENCE).await?;
    is_legal(&task, &reply)?;
    let pv = reply
        .infos
        .iter()
        .rev()
        .find_map(|info| info.split_once(" pv ").map(|(_, pv)| pv));
    let moves = reply.moves();
    let mut expected: Vec<&str> = moves.split(' ').collect();
    expected.extend(reply.ponder());
    match pv {
        None => Err(fail("no info line has a pv")),
        Some(pv)
            if pv
                .split_ascii_whitespace()
                .zip(&expected)
                .all(|(one, other)| one == *other) =>
        {
            Ok(())
        }
        Some(pv) => Err(fail(format!(
            "the last pv is '{pv}', but bestmove is '{}'",
            reply.best
        ))),
    }
}

async fn mate_in_series(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    if !preset.rules().has_royal_kings() {
        return Err(Verdict::Skip("it plays no preset with mate".to_owned()));
    }
    session.new_game(preset).await?;
    let task = task(preset, Some("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), "")?;
    session.send(&task.command).await?;
    let reply = session.go("go movetime 500", PATIENCE).await?;
    is_legal(&task, &reply)?;
    if reply.moves() != "a1a8" {
        return Err(Verdict::Warn(format!(
            "it plays '{}' where a1a8 mates",
            reply.moves()
        )));
    }
    let mate = reply.last_value("mate");
    if mate.as_deref() == Some("1") {
        Ok(())
    } else {
        Err(fail(format!(
            "it mates, but its score is {mate:?}, not 'mate 1'"
        )))
    }
}

async fn infinite(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    session.new_game(preset).await?;
    let task = task(preset, None, "e2e4")?;
    session.send(&task.command).await?;
    session.send("go infinite").await?;
    session.stays_silent(Duration::from_millis(400)).await?;
    let stopped = Instant::now();
    session.send("stop").await?;
    let reply = session.answer(stopped, AT_ONCE).await?;
    is_legal(&task, &reply)
}

async fn ready_while_thinking(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    session.new_game(preset).await?;
    session.send("position startpos").await?;
    session.send("go infinite").await?;
    session.send("isready").await?;
    let early = session.read_until("readyok", AT_ONCE).await?;
    if early.iter().any(|line| line.starts_with("bestmove")) {
        return Err(fail("isready ended the search"));
    }
    let stopped = Instant::now();
    session.send("stop").await?;
    session.answer(stopped, AT_ONCE).await.map(|_| ())
}

async fn stop_without_search(session: &mut Session) -> Outcome {
    session.send("stop").await?;
    session.stays_silent(Duration::from_millis(200)).await?;
    session.synchronize().await
}

async fn finished_games(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    if !preset.rules().has_royal_kings() {
        return Err(Verdict::Skip("it plays no preset with mate".to_owned()));
    }
    session.new_game(preset).await?;
    for (fen, what) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 2", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 2", "stalemate"),
    ] {
        session.send(&format!("position fen {fen}")).await?;
        let reply = session.go(GO, PATIENCE).await?;
        if reply.moves() != "(none)" {
            return Err(fail(format!(
                "{what} was answered with 'bestmove {}'",
                reply.best
            )));
        }
    }
    Ok(())
}

/// White castles on turn 3; the position after it can be told by what is legal then.
const CASTLED: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

async fn castling_texts(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    if !preset.rules().castling {
        return Err(Verdict::Skip(format!("{preset} has no castling")));
    }
    session.new_game(preset).await?;
    for text in ["e1g1", "e1h1"] {
        let task = task(preset, Some(CASTLED), text)?;
        session
            .send(&format!("position fen {CASTLED} moves {text}"))
            .await?;
        let reply = session.go(GO, PATIENCE).await?;
        is_legal(&task, &reply)?;
    }
    Ok(())
}

async fn chess960(session: &mut Session) -> Outcome {
    if session.identity.option("UCI_Chess960").is_none() {
        return Err(Verdict::Skip("it has no option UCI_Chess960".to_owned()));
    }
    let preset = session.some_preset()?;
    if !preset.rules().castling {
        return Err(Verdict::Skip(format!("{preset} has no castling")));
    }
    session.set("UCI_Chess960", "true").await?;
    session.new_game(preset).await?;
    // King and rook beside each other, castling is on.
    let fen = "1k4r1/pppppppp/8/8/8/8/PPPPPPPP/1K4R1 w Gg - 0 1";
    let task = task(preset, Some(fen), "")?;
    session.send(&task.command).await?;
    let reply = session.go(GO, PATIENCE).await?;
    session.set("UCI_Chess960", "false").await?;
    is_legal(&task, &reply)
}

async fn alternating(session: &mut Session) -> Outcome {
    if session.identity.option("Turns").is_none() {
        return Err(Verdict::Skip("it has no option Turns".to_owned()));
    }
    let preset = session.some_preset()?;
    session.set("Turns", "alternating").await?;
    session.new_game(preset).await?;
    // Black has one more move of turn 2, so White passes.
    session.send("position startpos moves e2e4 e7e5").await?;
    let waiting = session.go(GO, PATIENCE).await?;
    session
        .send("position startpos moves e2e4 e7e5 0000")
        .await?;
    let moving = session.go(GO, PATIENCE).await?;
    session.set("Turns", "series").await?;
    if waiting.moves() != "0000" {
        return Err(fail(format!(
            "where it has to wait it answers '{}', not the pass 0000",
            waiting.best
        )));
    }
    let task = task(preset, None, "e2e4 e7e5")?;
    is_legal(&task, &moving)
}

async fn quit_while_thinking(session: &mut Session) -> Outcome {
    session.send("position startpos").await?;
    session.send("go infinite").await?;
    let begun = Instant::now();
    session.send("quit").await?;
    ends(session, begun).await
}

async fn end_of_input(session: &mut Session) -> Outcome {
    let begun = Instant::now();
    let process = session
        .take_process()
        .ok_or_else(|| fail("it is not running"))?;
    if process.ends_at_end_of_input(Duration::from_secs(1)).await {
        return Ok(());
    }
    Err(fail(format!(
        "it was still running {:.1} s after the end of its input",
        begun.elapsed().as_secs_f64()
    )))
}

/// Waits for the end of the process.
async fn ends(session: &mut Session, begun: Instant) -> Outcome {
    let process = session
        .take_process()
        .ok_or_else(|| fail("it is not running"))?;
    let ended = process.ends_by_itself(Duration::from_secs(1)).await;
    let time = begun.elapsed();
    if !ended {
        return Err(fail("it was still running a second later"));
    }
    // Twice the protocol's time, for busy machines.
    if time > Duration::from_millis(400) {
        return Err(Verdict::Warn(format!(
            "it took {:.0} ms",
            time.as_secs_f64() * 1e3
        )));
    }
    Ok(())
}
