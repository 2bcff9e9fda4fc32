//! The steps of the examination, in the order of protocol.md.

mod positions;
mod searching;

use std::{
    future::Future,
    pin::Pin,
    time::{Duration, Instant},
};

use super::{
    Verdict,
    session::{AT_ONCE, Outcome, PATIENCE, Session, fail},
};
use crate::{
    matches::handshake::PROTOCOL_VERSION,
    rules::{Preset, Switch},
};
use positions::{
    alternating, castling_texts, chess960, finished_games, first_turns, hard_positions,
    middle_of_series,
};
use searching::{
    clock, fixed_time, infinite, information, mate_in_series, one_bestmove, pv_is_flat,
    ready_while_thinking, stop_without_search, tiny_limits,
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

/// Quick and bounded for every engine.
const GO: &str = "go movetime 100";

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
