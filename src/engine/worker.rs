//! The thread that searches and counts, so that the session always has an ear for the client.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread,
};

use super::{bench::bench, session::Event, shelf::BookRead};
use crate::{
    book::Source,
    notation::{CastlingText, uci_text},
    protocol::Reply,
    rules::{SeriesPosition, count_moves},
    search::{News, Request, Searcher, Settings, Signals},
    solver::{QuietSettled, Solver},
};

/// Work for the worker.
#[derive(Debug)]
pub enum Job {
    /// Search; reports and one answer come back.
    Search(Box<Request>, Arc<Signals>),
    /// Count move sequences by first move.
    Perft {
        /// From here.
        position: Box<SeriesPosition>,
        /// This many single moves.
        depth: u32,
        /// How castling is written.
        castling: CastlingText,
        /// To stop it.
        signals: Arc<Signals>,
    },
    /// Search fixed positions.
    Bench(u64, Arc<Signals>),
    /// Take new settings.
    Configure(Settings),
    /// Forget everything.
    Clear,
    /// Read an opening book.
    Book(Source),
    /// Find out whether a game at the quiet limit is drawn.
    Settle(Box<SeriesPosition>),
}

impl Job {
    /// Whether it makes ready for searches to come, which may take a while.
    fn prepares(&self) -> bool {
        matches!(self, Job::Configure(_) | Job::Clear | Job::Book(_))
    }
}

/// Starts the worker. It ends when the sender of jobs is gone.
pub(super) fn start(
    jobs: mpsc::Receiver<Job>,
    events: mpsc::SyncSender<Event>,
) -> std::io::Result<thread::JoinHandle<()>> {
    thread::Builder::new()
        .name("worker".to_owned())
        .spawn(move || {
            let mut searcher = Searcher::new(Settings::default());
            for job in jobs {
                // The library does not panic as far as we know; if it does, the game goes on.
                let done = catch_unwind(AssertUnwindSafe(|| work(&mut searcher, &job, &events)));
                if done.is_err() {
                    searcher = Searcher::new(searcher.settings());
                    let _ = events.send(Event::Failed);
                }
                if job.prepares() {
                    let _ = events.send(Event::Prepared);
                }
            }
        })
}

fn work(searcher: &mut Searcher, job: &Job, events: &mpsc::SyncSender<Event>) {
    // When nobody listens any more the process is about to end; what is sent then may be lost.
    match job {
        Job::Search(request, signals) => {
            let answer = searcher.search(request, signals, &mut |news| {
                if let Some(event) = event(news) {
                    let _ = events.send(event);
                }
            });
            let _ = events.send(Event::Answer(answer));
        }
        Job::Perft {
            position,
            depth,
            castling,
            signals,
        } => {
            let reply = perft(position, *depth, *castling, signals, events);
            let _ = events.send(Event::Done(reply));
        }
        Job::Bench(nodes, signals) => {
            let reply = match bench(*nodes, signals) {
                Some(result) => Reply::Text(format!(
                    "Nodes searched: {}\nSignature: {:016x}\nNodes/second: {}",
                    result.nodes,
                    result.signature,
                    result.nodes_per_second()
                )),
                None => Reply::Note("bench stopped".to_owned()),
            };
            let _ = events.send(Event::Done(reply));
        }
        Job::Configure(settings) => searcher.configure(*settings),
        Job::Clear => searcher.clear(),
        Job::Book(source) => {
            let read = BookRead::from(source.clone());
            let _ = events.send(Event::Book(Box::new(read)));
        }
        Job::Settle(position) => {
            let settled = Solver::settle_quiet_limit(position);
            let _ = events.send(Event::Settled {
                is_draw: settled == QuietSettled::Draw,
            });
        }
    }
}

/// News of the search as the session takes them; it does not ask which series were safe.
fn event(news: News<'_>) -> Option<Event> {
    Some(match news {
        News::Line(report) => Event::Report(report.clone()),
        News::Progress(progress) => Event::Progress(progress.clone()),
        News::Verdict { series, mate } => Event::Refutation {
            series: series.to_vec(),
            mate: mate?.to_vec(),
        },
        News::Threat(series) => Event::Threat(series.to_vec()),
    })
}

/// Writes a line for each first move as it is counted; the result is the sum.
fn perft(
    position: &SeriesPosition,
    depth: u32,
    castling: CastlingText,
    signals: &Signals,
    events: &mpsc::SyncSender<Event>,
) -> Reply {
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        for m in position.legal_moves() {
            let Some(count) = count(&position.after(m), depth - 1, signals) else {
                return Reply::Note("perft stopped".to_owned());
            };
            total += count;
            let line = format!("{}: {count}", uci_text(m, castling));
            let _ = events.send(Event::Output(Reply::Text(line)));
        }
    }
    Reply::Text(format!("Nodes searched: {total}"))
}

/// Counts in portions small enough to be stopped between them.
fn count(position: &SeriesPosition, depth: u32, signals: &Signals) -> Option<u64> {
    if signals.is_stopped() {
        return None;
    }
    if depth <= 3 {
        return Some(count_moves(position, depth));
    }
    let mut total = 0;
    for m in position.legal_moves() {
        total += count(&position.after(m), depth - 1, signals)?;
    }
    Some(total)
}
