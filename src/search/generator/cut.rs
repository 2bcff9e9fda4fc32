//! What the generator drops: layers are cut by several orders at once, because what looks best is
//! often not what is safe, and of the ends only the best are kept.

use std::cmp::Reverse;

use super::{CUT_LATE, Cut, End, Generator, ORDERS};
use crate::{eval, search::control::Control};

/// Below this width only worth and flights cut a layer.
const NARROW: usize = 200;
/// Positions of a layer are ordered in portions of so many, between two looks at the clock.
const CUT_PORTION: usize = 512;

/// Whether something new falls short by each order.
pub(super) fn is_beneath<const N: usize>(orders: &[i32; N], floors: &[i32; N]) -> bool {
    orders
        .iter()
        .zip(floors)
        .all(|(order, floor)| order < floor)
}

/// Keeps what is marked.
fn retain<T>(list: &mut Vec<T>, is_kept: &[bool]) {
    let mut marks = is_kept.iter();
    list.retain(|_| marks.next() == Some(&true));
}

/// The `kept` best ends by a rank, in any order: their numbers behind what they are compared by.
fn best_by(
    ends: &[End],
    rank: impl Fn(&End) -> i32,
    kept: usize,
) -> Vec<(Reverse<(i32, u64)>, u32)> {
    let ranked = ends.iter().zip(0..);
    let mut list: Vec<_> = ranked
        .map(|(end, index)| (Reverse((rank(end), end.key)), index))
        .collect();
    if list.len() > kept && kept > 0 {
        list.select_nth_unstable(kept - 1);
        list.truncate(kept);
    }
    list
}

impl Generator {
    /// Drops the ends that [`Generator::interleave`] would not take, when there are many.
    pub(super) fn thin_ends(&mut self, kept: usize) {
        if self.ends.len() <= 4 * kept + CUT_LATE {
            return;
        }
        let mut is_kept = vec![false; self.ends.len()];
        let mut rank_floor = |rank: fn(&End) -> i32| {
            let best = best_by(&self.ends, rank, kept);
            for &(_, index) in &best {
                is_kept[index as usize] = true;
            }
            let floor = best.iter().map(|&(Reverse((rank, _)), _)| rank).min();
            floor.unwrap_or(i32::MIN)
        };
        let by_order = rank_floor(|end| end.order);
        let by_worth = if self.trust.by_worth {
            rank_floor(|end| end.worth)
        } else {
            // An order that does not count saves nobody.
            i32::MAX
        };
        self.end_floors = [by_worth, by_order];
        retain(&mut self.ends, &is_kept);
        self.has_dropped = true;
    }

    /// The best ends, by worth and by safety in turn, or by safety alone.
    pub(super) fn interleave(&self, kept: usize) -> Vec<u32> {
        let best_by = |rank: fn(&End) -> i32| -> Vec<u32> {
            let mut best = best_by(&self.ends, rank, kept);
            best.sort_unstable();
            best.into_iter().map(|(_, index)| index).collect()
        };
        let by_order = best_by(|end| end.order);
        if !self.trust.by_worth {
            return by_order;
        }
        let by_worth = best_by(|end| end.worth);
        let mut taken = vec![false; self.ends.len()];
        let mut list = Vec::with_capacity(kept.min(self.ends.len()));
        for pair in by_worth.iter().zip(&by_order) {
            for &index in [pair.0, pair.1] {
                if list.len() < kept && !std::mem::replace(&mut taken[index as usize], true) {
                    list.push(index);
                }
            }
        }
        list
    }

    /// Cuts the fresh layer to about `width` positions, an equal share by each order. False if the
    /// search has to end before that is done.
    pub(super) fn cut_layer(&mut self, layer: usize, cut: &Cut, control: &Control<'_>) -> bool {
        let width = cut.width;
        let mut fresh = std::mem::take(&mut self.fresh);
        let mut parent_at = None;
        let mut parent = self.base[0];
        for (index, one) in fresh.iter_mut().take(self.unordered).enumerate() {
            if index % CUT_PORTION == 0 && !control.poll() {
                return false;
            }
            if parent_at != Some(one.inner.parent) {
                parent = self.rebuild(layer, one.inner.parent as usize);
                parent_at = Some(one.inner.parent);
            }
            let next = parent.after(one.inner.m);
            one.orders = self.orders(&next, cut);
        }
        self.unordered = 0;
        let shares = match (cut.king_from, self.style.by_safety) {
            (None, _) | (_, false) => 1,
            _ if width < NARROW || eval::knows_danger(&parent, self.style.terms) => 2,
            _ => ORDERS,
        };
        // Worth gets one half, or all; the other orders share the rest.
        let others = width / 2 / (shares - 1).max(1);
        // An order that has no share saves nobody.
        self.floors = [i32::MAX; ORDERS];
        self.floors[..shares].fill(i32::MIN);
        let mut is_kept = vec![false; fresh.len()];
        let mut list: Vec<u32> = (0..fresh.len() as u32).collect();
        for order in 0..shares {
            let share = if order == 0 {
                width - others * (shares - 1)
            } else {
                others
            };
            let rest = list.len().min(share.max(1));
            if rest == 0 {
                break;
            }
            list.select_nth_unstable_by_key(rest - 1, |&index| {
                let fresh = &fresh[index as usize];
                Reverse((fresh.orders[order], fresh.key))
            });
            if rest == share {
                self.floors[order] = fresh[list[rest - 1] as usize].orders[order];
            }
            for &index in &list[..rest] {
                is_kept[index as usize] = true;
            }
            list.drain(..rest);
        }
        retain(&mut fresh, &is_kept);
        self.fresh = fresh;
        true
    }
}
