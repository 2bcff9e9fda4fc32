//! The signals that a match listens to.

use anyhow::{Context, Result};
use tokio::signal::unix::{SignalKind, signal};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalEvent {
    /// Interrupt, terminate or a closed terminal: stop.
    Stop,
    /// Pause, or go on.
    Pause,
}

/// The signals that a match listens to.
pub struct Signals {
    stop: [tokio::signal::unix::Signal; 3],
    pause: [tokio::signal::unix::Signal; 2],
}

impl Signals {
    /// Listens from now on.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn new() -> Result<Signals> {
        let listen = |kind| signal(kind).context("cannot listen to signals");
        Ok(Signals {
            stop: [
                listen(SignalKind::interrupt())?,
                listen(SignalKind::terminate())?,
                listen(SignalKind::hangup())?,
            ],
            // Ctrl-Z would stop the clocks' owner and not the clocks, so it pauses instead.
            pause: [
                listen(SignalKind::user_defined1())?,
                listen(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
            ],
        })
    }

    /// The next thing asked for.
    pub async fn next(&mut self) -> Option<SignalEvent> {
        let [interrupt, terminate, hangup] = &mut self.stop;
        let [user, suspend] = &mut self.pause;
        tokio::select! {
            _ = interrupt.recv() => Some(SignalEvent::Stop),
            _ = terminate.recv() => Some(SignalEvent::Stop),
            _ = hangup.recv() => Some(SignalEvent::Stop),
            _ = user.recv() => Some(SignalEvent::Pause),
            _ = suspend.recv() => Some(SignalEvent::Pause),
        }
    }
}
