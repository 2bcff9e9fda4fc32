//! The process groups of engines.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use rustix::process::{Pid, Signal};

/// The process groups that are alive, so that a last resort can end them all at once.
#[derive(Clone, Debug, Default)]
pub struct ProcessGroups(Arc<Mutex<BTreeSet<i32>>>);

impl ProcessGroups {
    /// Kills every group, without waiting for anything.
    pub fn kill_all(&self) {
        for &group in self.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            signal_group(group, Signal::KILL);
        }
    }

    pub(super) fn add(&self, group: i32) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(group);
    }

    pub(super) fn remove(&self, group: i32) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&group);
    }
}

/// Sends a signal to everybody in a group.
pub(super) fn signal_group(group: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(group) {
        // It fails when nobody is left in the group, which is what is wanted.
        let _ = rustix::process::kill_process_group(pid, signal);
    }
}
