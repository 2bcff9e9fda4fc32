//! What a search tells while it runs, from whichever thread: lines of play, progress, the
//! opponent's mates or that he has none.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use super::{
    control::Control,
    request::{Listener, News, Progress},
};

/// No progress is told before: most searches are over by then.
const FIRST_PROGRESS_MS: u64 = 1000;
/// The least time between two words about progress.
const PROGRESS_MS: u64 = 500;

/// The way to the listener. Shared by the threads of one search.
pub(super) struct Telling<'t> {
    listener: Mutex<&'t mut Listener<'t>>,
    /// When progress is due, in milliseconds since the order arrived.
    progress_due: AtomicU64,
}

impl<'t> Telling<'t> {
    pub(super) fn new(listener: &'t mut Listener<'t>) -> Telling<'t> {
        Telling {
            listener: Mutex::new(listener),
            progress_due: AtomicU64::new(FIRST_PROGRESS_MS),
        }
    }

    pub(super) fn tell(&self, news: News<'_>) {
        let mut listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        listener(news);
    }

    /// Tells how far the search is, if that is due; `progress` is asked only then.
    pub(super) fn progress(&self, control: &Control<'_>, progress: impl FnOnce() -> Progress) {
        let now = control.elapsed().as_millis() as u64;
        let due = self.progress_due.load(Ordering::Relaxed);
        let is_mine = now >= due
            && self
                .progress_due
                .compare_exchange(due, now + PROGRESS_MS, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if is_mine {
            self.tell(News::Progress(&progress()));
        }
    }
}
