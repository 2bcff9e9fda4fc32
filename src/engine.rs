//! The daemon: a session that is a pure state machine, and the input, output and threads around it.
//!
//! [`Session`] takes events (a line, the search's reports, the end of input) and gives effects
//! (replies, jobs for the worker, stop, exit); it does no I/O and starts no thread, so tests drive
//! it by hand. [`run`] is the rest: one thread reads standard input, one works, and the caller's
//! thread owns the session and standard output. Clients that greet with `xboard` get a
//! [`CecpSession`] instead.

mod answers;
mod bench;
mod cecp;
mod conversation;
mod daemon;
mod display;
mod go;
mod place;
mod session;
mod settings;
mod shelf;
mod spelling;
mod thinning;
mod wdl;
mod worker;

pub use bench::{BENCH_NODES, BenchResult, bench};
pub use cecp::CecpSession;
pub use conversation::Conversation;
pub use daemon::run;
pub use place::{Place, PlaceError};
pub use session::{Effect, Event, Session};
pub use settings::{Change, EngineSettings, OptionError, Turns};
pub use shelf::BookRead;
pub use worker::Job;
