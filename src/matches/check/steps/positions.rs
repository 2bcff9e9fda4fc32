//! Steps about rules, positions and the writing of moves.

use super::{
    super::{
        Verdict,
        session::{Outcome, PATIENCE, Session, fail, is_legal, task},
    },
    GO,
};
use crate::rules::{Preset, Status};

pub(super) async fn first_turns(session: &mut Session) -> Outcome {
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

pub(super) async fn hard_positions(session: &mut Session) -> Outcome {
    for preset in session.presets() {
        session.new_game(preset).await?;
        for (fen, moves) in HARD {
            let Ok(task) = task(preset, Some(fen), moves) else {
                continue;
            };
            if matches!(task.position.status(), Status::Over(_)) {
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

pub(super) async fn middle_of_series(session: &mut Session) -> Outcome {
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

pub(super) async fn finished_games(session: &mut Session) -> Outcome {
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

pub(super) async fn castling_texts(session: &mut Session) -> Outcome {
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

pub(super) async fn chess960(session: &mut Session) -> Outcome {
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

pub(super) async fn alternating(session: &mut Session) -> Outcome {
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
