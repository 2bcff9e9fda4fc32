//! How the memory that `Hash` allows is divided. All that grows with it is counted here, so that
//! the parts add up to no more than was asked for.

use super::{look::Worker, request::Settings, table::Table};

/// The parts, in sixteenths of the whole.
const TABLE: usize = 4;
const SOLVERS: usize = 8;
const SEEN: usize = 2;
const LISTS: usize = 2;
const WHOLE: usize = TABLE + SOLVERS + SEEN + LISTS;

/// What one thread has, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// For its solver with all its tables.
    pub solver: usize,
    /// For the set of positions that the generator has seen.
    pub seen: usize,
    /// For the generator's lists of positions.
    pub lists: usize,
}

/// The memory of a search: that of each thread, and the table of positions that they share.
pub(super) fn memory(settings: Settings) -> (Vec<Worker>, Table) {
    let bytes = (settings.hash_mib.max(1) as usize) << 20;
    let threads = usize::from(settings.threads.max(1));
    let share = share(bytes, threads);
    let workers = (0..threads).map(|_| Worker::new(share)).collect();
    (workers, Table::new(bytes / WHOLE * TABLE))
}

/// What each of `threads` threads has of `bytes` bytes.
pub(super) fn share(bytes: usize, threads: usize) -> Share {
    let unit = bytes / WHOLE / threads;
    Share {
        solver: unit * SOLVERS,
        seen: unit * SEEN,
        lists: unit * LISTS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_no_more_than_the_whole() {
        for (mib, threads) in [(1, 1), (16, 1), (16, 3), (1024, 2), (65536, 512)] {
            let bytes = mib << 20;
            let Share {
                solver,
                seen,
                lists,
            } = share(bytes, threads);
            let sum = threads * (solver + seen + lists) + bytes / WHOLE * TABLE;
            assert!(sum <= bytes && sum > bytes - bytes / 16, "{mib} {threads}");
        }
    }
}
