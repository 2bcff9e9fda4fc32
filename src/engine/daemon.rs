//! The threads and streams around the session.

use std::{
    fmt::Display,
    io::{self, BufReader, Write},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use super::{
    conversation::Conversation,
    session::{Effect, Event},
    worker,
};
use crate::protocol::LineReader;

/// How many events may wait. When it is full the reader waits, and so does the search.
const EVENTS_MAX: usize = 4096;
/// How long running work may go on after `quit` before the process ends without it.
const QUIT_PATIENCE: Duration = Duration::from_millis(100);

/// Talks to a client until it quits or its input ends. Replies go to `output`, each message
/// written and flushed at once; nothing else writes there.
///
/// # Errors
/// When a thread cannot be started, or the output cannot be written to.
pub fn run<R, W>(input: R, mut output: W) -> io::Result<()>
where
    R: io::Read + Send + 'static,
    W: Write,
{
    let (events, inbox) = mpsc::sync_channel(EVENTS_MAX);
    let (jobs, orders) = mpsc::channel();
    worker::start(orders, events.clone())?;
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read(input, &events))?;
    let mut session = Conversation::new(Instant::now());
    let mut quit_by: Option<Instant> = None;
    loop {
        let event = match quit_by {
            None => inbox.recv().ok(),
            Some(by) => inbox
                .recv_timeout(by.saturating_duration_since(Instant::now()))
                .ok(),
        };
        let Some(event) = event else { break };
        for effect in session.handle(event, Instant::now()) {
            match effect {
                Effect::Send(reply) => write(&mut output, &reply)?,
                Effect::Tell(reply) => write(&mut output, &reply)?,
                Effect::Start(job) => {
                    if jobs.send(job).is_err() {
                        return Err(io::Error::other("the worker thread has ended"));
                    }
                }
                Effect::Quit => quit_by = Some(Instant::now() + QUIT_PATIENCE),
                Effect::Exit => return Ok(()),
            }
        }
    }
    Ok(())
}

/// Writes one message, and flushes it.
fn write(output: &mut impl Write, reply: &impl Display) -> io::Result<()> {
    let message = format!("{reply}\n");
    tracing::trace!(target: "seriatim::protocol", "> {}", message.trim_end());
    output.write_all(message.as_bytes())?;
    output.flush()
}

/// Reads lines until the input ends or nobody listens.
fn read(input: impl io::Read, events: &mpsc::SyncSender<Event>) {
    let mut lines = LineReader::new(BufReader::new(input));
    loop {
        let event = match lines.next_line() {
            Ok(Some(line)) => {
                tracing::trace!(target: "seriatim::protocol", "< {line:?}");
                Event::Line(line)
            }
            Ok(None) => Event::InputEnded,
            Err(error) => {
                tracing::error!("cannot read input: {error}");
                Event::InputEnded
            }
        };
        let is_end = matches!(event, Event::InputEnded);
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}
