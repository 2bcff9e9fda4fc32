//! Steps about thinking: its limits, what is said meanwhile, and its end.

use std::time::{Duration, Instant};

use super::{
    super::{
        Verdict,
        session::{AT_ONCE, Outcome, PATIENCE, Session, fail, is_legal, task},
    },
    GO,
};

pub(super) async fn tiny_limits(session: &mut Session) -> Outcome {
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

pub(super) async fn fixed_time(session: &mut Session) -> Outcome {
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

pub(super) async fn clock(session: &mut Session) -> Outcome {
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

pub(super) async fn one_bestmove(session: &mut Session) -> Outcome {
    let preset = session.some_preset()?;
    session.new_game(preset).await?;
    session.send("position startpos").await?;
    session.go(GO, PATIENCE).await?;
    match session.read("", Duration::from_millis(300)).await {
        Ok(line) => Err(fail(format!("'{line}' came after bestmove"))),
        Err(_) => session.synchronize().await,
    }
}

pub(super) async fn information(session: &mut Session) -> Outcome {
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

pub(super) async fn pv_is_flat(session: &mut Session) -> Outcome {
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

pub(super) async fn mate_in_series(session: &mut Session) -> Outcome {
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

pub(super) async fn infinite(session: &mut Session) -> Outcome {
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

pub(super) async fn ready_while_thinking(session: &mut Session) -> Outcome {
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

pub(super) async fn stop_without_search(session: &mut Session) -> Outcome {
    session.send("stop").await?;
    session.stays_silent(Duration::from_millis(200)).await?;
    session.synchronize().await
}
