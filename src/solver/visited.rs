//! The table of positions proved to hold no mate, shared by all threads.
//!
//! An entry is the key of a position (with the moves left) after the whole tree below it was
//! searched in vain. Such an entry is true whoever reads it and whenever, so nothing has to be
//! cleared for correctness, racing writers can at worst lose entries, and a full table makes the
//! search slower but never wrong.

use std::{
    fmt,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
};

use crate::rules::SeriesPosition;

/// Keys in a bucket: one cache line.
const BUCKET: usize = 8;
/// Buckets in use at first: 32 KiB, which a short search does not leave, so that it meets no cold
/// memory.
const FIRST_BUCKETS: usize = 512;
/// The part in use grows by this factor.
const GROWTH: usize = 8;

/// The table.
pub(super) struct Visited {
    buckets: Box<[[AtomicU64; BUCKET]]>,
    /// Buckets in use less one; they are a power of two.
    mask: AtomicUsize,
    /// Entries made since the part in use last grew.
    inserted: AtomicUsize,
    /// The enemy set-up the entries belong to.
    setup: AtomicU64,
}

impl fmt::Debug for Visited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Visited({} buckets)", self.buckets.len())
    }
}

impl Visited {
    /// A table of `bytes` bytes, rounded down to a power of two, and 32 KiB at least.
    pub(super) fn new(bytes: usize) -> Visited {
        let buckets = bytes / size_of::<[AtomicU64; BUCKET]>();
        let buckets = buckets.max(FIRST_BUCKETS);
        let buckets = 1usize << buckets.ilog2();
        Visited {
            buckets: std::iter::repeat_with(<[AtomicU64; BUCKET]>::default)
                .take(buckets)
                .collect(),
            mask: AtomicUsize::new(FIRST_BUCKETS - 1),
            inserted: AtomicUsize::new(0),
            setup: AtomicU64::new(0),
        }
    }

    /// Prepares for `position`: keeps the entries if they can be of use for it.
    pub(super) fn begin(&self, position: &SeriesPosition) {
        let setup = position.enemy_key();
        if self.setup.swap(setup, Ordering::Relaxed) != setup {
            self.forget();
        }
    }

    /// Forgets all entries.
    pub(super) fn forget(&self) {
        self.mask.store(FIRST_BUCKETS - 1, Ordering::Relaxed);
        self.inserted.store(0, Ordering::Relaxed);
        for slot in self.buckets[..FIRST_BUCKETS].iter().flatten() {
            slot.store(0, Ordering::Relaxed);
        }
    }

    /// Whether `key` is known to hold no mate.
    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        let bucket = &self.buckets[key as usize & self.mask.load(Ordering::Relaxed)];
        bucket.iter().fold(false, |found, slot| {
            found | (slot.load(Ordering::Relaxed) == key)
        })
    }

    /// Notes that `key` holds no mate.
    #[inline]
    pub(super) fn insert(&self, key: u64) {
        let mask = self.mask.load(Ordering::Relaxed);
        self.put(key, mask);
        let inserted = self.inserted.fetch_add(1, Ordering::Relaxed) + 1;
        if inserted > (mask + 1) * (BUCKET / 2) && mask + 1 < self.buckets.len() {
            self.grow(mask);
        }
    }

    #[inline]
    fn put(&self, key: u64, mask: usize) {
        let bucket = &self.buckets[key as usize & mask];
        let free = bucket
            .iter()
            .position(|slot| slot.load(Ordering::Relaxed) == 0);
        // A full bucket loses an entry at random; the index came from the low bits.
        let slot = free.unwrap_or((key >> 61) as usize);
        bucket[slot].store(key, Ordering::Relaxed);
    }

    #[cold]
    fn grow(&self, old_mask: usize) {
        let buckets = ((old_mask + 1) * GROWTH).min(self.buckets.len());
        let claimed =
            self.mask
                .compare_exchange(old_mask, buckets - 1, Ordering::Relaxed, Ordering::Relaxed);
        if claimed.is_err() {
            return;
        }
        self.inserted.store(0, Ordering::Relaxed);
        for slot in self.buckets[old_mask + 1..buckets].iter().flatten() {
            slot.store(0, Ordering::Relaxed);
        }
        for (index, bucket) in self.buckets[..=old_mask].iter().enumerate() {
            for slot in bucket {
                let key = slot.load(Ordering::Relaxed);
                if key != 0 && key as usize & (buckets - 1) != index {
                    slot.store(0, Ordering::Relaxed);
                    self.put(key, buckets - 1);
                }
            }
        }
    }
}
