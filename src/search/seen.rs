//! A set of keys that may forget: of fixed size, emptied in no time, and at worst it calls
//! something new that was seen before.

/// Entries in a bucket.
const BUCKET: usize = 4;
/// The bits of an entry that tell the epoch.
const EPOCH_BITS: u32 = 12;
const EPOCH_MASK: u64 = (1 << EPOCH_BITS) - 1;

/// The set.
#[derive(Debug)]
pub(super) struct Seen {
    entries: Vec<u64>,
    /// Buckets in use less one.
    mask: usize,
    epoch: u64,
}

impl Seen {
    /// A set that takes at most `bytes` bytes.
    pub(super) fn new(bytes: usize) -> Seen {
        let buckets = (bytes / (8 * BUCKET)).max(1 << 10);
        let buckets = 1usize << buckets.ilog2();
        Seen {
            entries: vec![0; buckets * BUCKET],
            mask: buckets - 1,
            epoch: 0,
        }
    }

    /// Empties the set and prepares it for about `expected` keys: small sets stay in near memory.
    pub(super) fn begin(&mut self, expected: usize) {
        self.epoch += 1;
        if self.epoch > EPOCH_MASK {
            self.epoch = 1;
            self.entries.fill(0);
        }
        let buckets = (expected / 2).next_power_of_two().max(1 << 10);
        self.mask = buckets.min(self.entries.len() / BUCKET) - 1;
    }

    /// Takes in `key`; false if it was seen.
    #[inline]
    pub(super) fn insert(&mut self, key: u64) -> bool {
        // The low bits choose the bucket, so the epoch may stand in their place.
        let tag = key & !EPOCH_MASK | self.epoch;
        let first = (key as usize & self.mask) * BUCKET;
        let bucket = &mut self.entries[first..first + BUCKET];
        let mut free = None;
        for (index, entry) in bucket.iter().enumerate() {
            if *entry == tag {
                return false;
            }
            if *entry & EPOCH_MASK != self.epoch {
                free = free.or(Some(index));
            }
        }
        let slot = free.unwrap_or((key >> 62) as usize);
        bucket[slot] = tag;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_new_once_in_each_epoch() {
        let mut seen = Seen::new(1 << 16);
        for _ in 0..5000 {
            seen.begin(1000);
            for key in [0u64, 0x1234_5678_9abc_d000, 0xffff_0000_0000_1000] {
                assert!(seen.insert(key));
                assert!(!seen.insert(key));
            }
        }
    }
}
