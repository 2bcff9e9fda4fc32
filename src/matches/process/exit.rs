//! How a process ends.

use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

use rustix::process::Signal;
use serde::{Deserialize, Serialize};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// It exited by itself with this status.
    Status(i32),
    /// A signal killed it.
    Signal(i32),
    /// It closed its output and went on running.
    OutputClosed,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Exit::Status(status) => write!(f, "exited with status {status}"),
            Exit::Signal(number) => match signal_name(number) {
                Some(name) => write!(f, "was killed by {name}"),
                None => write!(f, "was killed by signal {number}"),
            },
            Exit::OutputClosed => f.write_str("closed its output"),
        }
    }
}

fn signal_name(number: i32) -> Option<&'static str> {
    // The numbers below 16 are the same on all Linux architectures that matter here.
    Some(match Signal::from_named_raw(number)? {
        Signal::HUP => "SIGHUP",
        Signal::INT => "SIGINT",
        Signal::QUIT => "SIGQUIT",
        Signal::ILL => "SIGILL",
        Signal::TRAP => "SIGTRAP",
        Signal::ABORT => "SIGABRT",
        Signal::BUS => "SIGBUS",
        Signal::FPE => "SIGFPE",
        Signal::KILL => "SIGKILL",
        Signal::SEGV => "SIGSEGV",
        Signal::PIPE => "SIGPIPE",
        Signal::ALARM => "SIGALRM",
        Signal::TERM => "SIGTERM",
        Signal::XCPU => "SIGXCPU",
        Signal::SYS => "SIGSYS",
        _ => return None,
    })
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Exit {
        match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Status(code),
            (None, Some(signal)) => Exit::Signal(signal),
            (None, None) => Exit::OutputClosed,
        }
    }
}

/// What is added to a message about a process that said this on standard error; nothing if it said
/// nothing.
pub fn last_words(stderr: &[String]) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!(" (standard error: {})", stderr.join(" | "))
    }
}

/// The end of a process, with what it last said on standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExitReport {
    /// How it ended.
    pub exit: Exit,
    /// Its last lines on standard error.
    pub stderr: Vec<String>,
}
