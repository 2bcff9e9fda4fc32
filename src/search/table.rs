//! What all threads share and remember: positions with their candidates, and verdicts.

use std::{
    collections::HashMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use super::node::{Node, Verdict};

/// Positions with their candidates; the oldest are dropped when the memory is full.
#[derive(Debug, Default)]
struct Nodes {
    young: HashMap<u64, Node>,
    old: HashMap<u64, Node>,
    young_bytes: usize,
    old_bytes: usize,
}

/// The memory of a search.
#[derive(Debug)]
pub(super) struct Table {
    nodes: Mutex<Nodes>,
    bytes: usize,
    /// A key with its low bits replaced by a verdict.
    verdicts: Box<[AtomicU64]>,
}

/// Bytes that a map takes for an entry beside the node, at worst: its places are between a half
/// and all filled, and while it grows there are two of it.
const ENTRY_BYTES: usize = 160;
const VERDICT_MASK: u64 = 3;

impl Table {
    /// A table that takes about `bytes` bytes.
    pub(super) fn new(bytes: usize) -> Table {
        let verdicts = (bytes / 4 / size_of::<AtomicU64>()).max(1 << 10);
        let verdicts = 1usize << verdicts.ilog2();
        Table {
            nodes: Mutex::default(),
            bytes: bytes * 3 / 4,
            verdicts: std::iter::repeat_with(AtomicU64::default)
                .take(verdicts)
                .collect(),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Nodes> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the node of `key` out.
    pub(super) fn take(&self, key: u64) -> Option<Node> {
        let mut nodes = self.lock();
        if let Some(node) = nodes.young.remove(&key) {
            nodes.young_bytes -= node.bytes() + ENTRY_BYTES;
            return Some(node);
        }
        let node = nodes.old.remove(&key)?;
        nodes.old_bytes -= node.bytes() + ENTRY_BYTES;
        Some(node)
    }

    /// Puts a node in, or back.
    pub(super) fn put(&self, key: u64, node: Node) {
        let bytes = node.bytes() + ENTRY_BYTES;
        let mut nodes = self.lock();
        if nodes.young_bytes + bytes > self.bytes / 2 {
            nodes.old = std::mem::take(&mut nodes.young);
            nodes.old_bytes = nodes.young_bytes;
            nodes.young_bytes = 0;
        }
        nodes.young_bytes += bytes;
        if let Some(other) = nodes.young.insert(key, node) {
            nodes.young_bytes -= other.bytes() + ENTRY_BYTES;
        }
    }

    /// Looks at the node of `key`.
    pub(super) fn look<T>(&self, key: u64, look: impl FnOnce(&Node) -> T) -> Option<T> {
        let nodes = self.lock();
        nodes
            .young
            .get(&key)
            .or_else(|| nodes.old.get(&key))
            .map(look)
    }

    /// What is known about a mate from the position of `key`.
    pub(super) fn verdict(&self, key: u64) -> Option<Verdict> {
        let entry = self.verdicts[self.place(key)].load(Ordering::Relaxed);
        if (entry ^ key) & !VERDICT_MASK != 0 {
            return None;
        }
        match entry & VERDICT_MASK {
            1 => Some(Verdict::Safe),
            2 => Some(Verdict::Unsafe),
            _ => None,
        }
    }

    /// Remembers a verdict, where it is final.
    pub(super) fn remember(&self, key: u64, verdict: Verdict) {
        let bits = match verdict {
            Verdict::Safe => 1,
            Verdict::Unsafe => 2,
            Verdict::Open | Verdict::Feared | Verdict::Unsure | Verdict::Over => return,
        };
        self.verdicts[self.place(key)].store(key & !VERDICT_MASK | bits, Ordering::Relaxed);
    }

    fn place(&self, key: u64) -> usize {
        (key >> 2) as usize & (self.verdicts.len() - 1)
    }

    /// How full it is, in thousandths.
    pub(super) fn fullness(&self) -> u16 {
        let nodes = self.lock();
        let used = nodes.young_bytes + nodes.old_bytes;
        (used * 1000 / self.bytes.max(1)).min(1000) as u16
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self.lock() = Nodes::default();
        for verdict in &mut self.verdicts {
            *verdict.get_mut() = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_stays_within_bounds() {
        let table = Table::new(1 << 20);
        for key in 0..100_000u64 {
            let mut node = Node::new(true, 1);
            node.moves.reserve_exact(20);
            table.put(key * 8, node);
        }
        let nodes = table.lock();
        assert!(nodes.young_bytes + nodes.old_bytes <= 1 << 20);
        assert!(nodes.young.contains_key(&799_992));
        assert!(!nodes.young.contains_key(&0) && !nodes.old.contains_key(&0));
    }

    #[test]
    fn verdicts_come_back() {
        let table = Table::new(1 << 16);
        table.remember(0xabcd_ef01_2345_6789, Verdict::Safe);
        assert_eq!(table.verdict(0xabcd_ef01_2345_6789), Some(Verdict::Safe));
        assert_eq!(table.verdict(0xabcd_ef01_2345_678f), None);
        table.remember(0xabcd_ef01_2345_6789, Verdict::Unsafe);
        assert_eq!(table.verdict(0xabcd_ef01_2345_6789), Some(Verdict::Unsafe));
    }
}
