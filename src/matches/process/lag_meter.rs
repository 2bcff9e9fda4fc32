//! How late the reading thread gets to what it reads.

use std::{fs::File, os::unix::fs::FileExt, time::Duration};

/// How long this thread had to wait for a processor, as the kernel counts it.
///
/// The reader's time stamp is late by that much; the engine must not pay for it.
#[derive(Debug)]
pub struct LagMeter(Option<File>);

impl LagMeter {
    /// A meter for the calling thread; one that always reads 0 where the kernel doesn't tell.
    pub fn for_this_thread() -> LagMeter {
        LagMeter(File::open("/proc/thread-self/schedstat").ok())
    }

    /// The time spent ready to run but not running, since the thread began.
    pub fn read(&self) -> Duration {
        let mut bytes = [0; 96];
        let Some(length) = self
            .0
            .as_ref()
            .and_then(|file| file.read_at(&mut bytes, 0).ok())
        else {
            return Duration::ZERO;
        };
        std::str::from_utf8(&bytes[..length])
            .ok()
            .and_then(|text| text.split_ascii_whitespace().nth(1)?.parse().ok())
            .map_or(Duration::ZERO, Duration::from_nanos)
    }
}
