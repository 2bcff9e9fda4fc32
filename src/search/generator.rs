//! All series of a position, or a broad part of them: layer by layer over distinct positions.
//!
//! Inside the series only a move and the number of its parent are kept for a position; the board
//! is played again when it is its turn, in long series from a layer whose boards were kept. A layer
//! that outgrows the width is cut (`generator/cut.rs`).

mod cut;

use super::{
    control::Control,
    memory::Share,
    node::{Candidate, Node, Verdict},
    score::WON,
    seen::Seen,
    trust::Trust,
};
use crate::{
    eval::{Assessment, Assessor, Terms},
    rules::{Color, Move, MoveList, SeriesPosition, Square, Status},
};
use cut::is_beneath;

/// What to generate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan<'a> {
    /// At most so many positions of a layer are played on.
    pub width: usize,
    /// At most so many ends are kept.
    pub kept: usize,
    /// Only series that begin so; empty is any.
    pub first_moves: &'a [Move],
}

/// Ends kept when the time is up.
const KEPT_IN_HASTE: usize = 64;
/// However little memory there is, so many positions of a layer are played on.
const WIDTH_LEAST: usize = 8;
/// How many orders cut a layer.
const ORDERS: usize = 4;
/// After so many layers the boards of a layer are kept, if they are not more than so many, so that
/// what comes after is not played again from the root.
const BASE_STRIDE: usize = 16;
const BASE_MAX: usize = 4096;
/// A list is cut when it is twice as long as what is kept of it, and so much longer.
const CUT_LATE: usize = 64;
/// What cutting a layer takes for each position beside it.
const CUT_BYTES: usize = 8;
/// A position has at most so many moves.
const MOVES_MAX: usize = 512;

/// How layers are cut.
#[derive(Clone, Copy, Debug)]
struct Cut {
    /// To so many positions.
    width: usize,
    /// Where the king stood that walks.
    king_from: Option<Square>,
}

/// A position inside the series.
#[derive(Clone, Copy, Debug)]
struct Inner {
    parent: u32,
    m: Move,
}

/// A position inside the series that may be cut.
#[derive(Clone, Copy, Debug)]
struct Fresh {
    inner: Inner,
    key: u64,
    orders: [i32; ORDERS],
}

/// Which position: its layer (the root is layer 0), and its number there.
#[derive(Clone, Copy, Debug)]
struct Place {
    layer: u32,
    index: u32,
}

/// The end of a series.
#[derive(Clone, Copy, Debug)]
struct End {
    key: u64,
    /// For the side that played the series.
    worth: i32,
    /// Worth, and how safe it looks.
    order: i32,
    danger: Option<i32>,
    parent: Place,
    /// The last move; a series that runs dry has none beyond its parent.
    m: Option<Move>,
}

/// The generator with its memory.
#[derive(Debug)]
pub(super) struct Generator {
    seen: Seen,
    layers: Vec<Vec<Inner>>,
    /// The boards of a layer, and which one: the root is layer 0.
    base: Vec<SeriesPosition>,
    base_layer: usize,
    fresh: Vec<Fresh>,
    /// So many of them have no orders yet. Only a layer that outgrows the width will be cut, so the
    /// first ones wait until it does.
    unordered: usize,
    /// What new positions of the layer have to surpass by one order at least, since it was cut.
    floors: [i32; ORDERS],
    /// A layer never has more positions than this.
    fresh_max: usize,
    /// The most positions in all layers together that are played on from.
    inner_max: usize,
    ends: Vec<End>,
    /// What new ends have to surpass, by worth or by order.
    end_floors: [i32; 2],
    /// Whether any position or end was dropped that the floors made hopeless.
    has_dropped: bool,
    path: Vec<Move>,
    style: Style,
    /// How far the danger is trusted under the rules of the position at hand.
    trust: Trust,
    assessor: Assessor,
}

/// What orders candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// How safe they look, beside their worth.
    pub by_safety: bool,
    /// What counts for their worth.
    pub terms: Terms,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            by_safety: true,
            terms: Terms::All,
        }
    }
}

/// Worth of each square the own king could flee to, where safety is looked for.
const SAFETY_FLIGHT: i32 = 80;
/// More flights than this add nothing.
const FLIGHTS_MAX: i32 = 6;
/// Worth of a check, which leaves the answer a move less.
const SAFETY_CHECK: i32 = 100;

/// Whether the game ends here though moves are left and could be played: everything is captured,
/// or the material is dead.
pub(super) fn ends_at_once(position: &SeriesPosition) -> bool {
    let men = position.men();
    let few =
        men.occupied().count() <= 3 || Color::ALL.iter().any(|&color| men.of(color).is_empty());
    few && matches!(position.status(), Status::Over(_))
}

/// The worth of an ended game for `side`.
pub(super) fn decided(status: Status, side: Color) -> Option<i32> {
    match status {
        Status::Over(outcome) => Some(match outcome.winner {
            Some(winner) if winner == side => WON - 1,
            Some(_) => -WON,
            None => 0,
        }),
        Status::Ongoing | Status::QuietLimit => None,
    }
}

impl Generator {
    /// A generator with this much memory.
    pub(super) fn new(share: Share) -> Generator {
        let fresh_max = share.lists / 2 / (size_of::<Fresh>() + CUT_BYTES);
        Generator {
            seen: Seen::new(share.seen),
            layers: Vec::new(),
            base: Vec::new(),
            base_layer: 0,
            fresh: Vec::with_capacity(fresh_max + MOVES_MAX),
            unordered: 0,
            floors: [i32::MIN; ORDERS],
            fresh_max,
            inner_max: share.lists / 2 / size_of::<Inner>(),
            ends: Vec::new(),
            end_floors: [i32::MIN; 2],
            has_dropped: false,
            path: Vec::new(),
            style: Style::default(),
            trust: Trust::default(),
            assessor: Assessor::default(),
        }
    }

    /// Changes what orders candidates.
    pub(super) fn set_style(&mut self, style: Style) {
        self.style = style;
    }

    /// The ends of the series of `root`. When `control` ends the search in the middle, what was
    /// found by then.
    pub(super) fn generate(
        &mut self,
        root: &SeriesPosition,
        plan: &Plan<'_>,
        control: &Control<'_>,
    ) -> Node {
        let width = self.width(root, plan);
        self.trust = Trust::under(root.rules());
        self.layers.clear();
        self.base.clear();
        self.base.push(*root);
        self.base_layer = 0;
        self.ends.clear();
        self.end_floors = [i32::MIN; 2];
        self.has_dropped = false;
        self.seen.begin(width.saturating_mul(64));
        let royal = root.rules().has_royal_kings();
        let king_from = royal.then(|| root.men().king(root.side())).flatten();
        let cut = Cut { width, king_from };
        let mut is_complete = plan.first_moves.is_empty();
        let mut layer_number = 0;
        loop {
            let size = if layer_number == 0 {
                1
            } else {
                self.layers[layer_number - 1].len()
            };
            if size == 0 {
                break;
            }
            self.fresh.clear();
            self.floors = [i32::MIN; ORDERS];
            self.unordered = width;
            let mut parent_at = None;
            let mut parent = *root;
            let mut moves = MoveList::new();
            for index in 0..size {
                let position = if layer_number == self.base_layer {
                    self.base[index]
                } else {
                    let inner = self.layers[layer_number - 1][index];
                    if parent_at != Some(inner.parent) {
                        parent = self.rebuild(layer_number - 1, inner.parent as usize);
                        parent_at = Some(inner.parent);
                    }
                    parent.after(inner.m)
                };
                let place = Place {
                    layer: layer_number as u32,
                    index: index as u32,
                };
                position.write_legal_moves(&mut moves);
                self.expand(root, &position, place, &moves, plan, &cut);
                let made = moves.len() as u64 + 1;
                let replayed = (layer_number - self.base_layer) / BASE_STRIDE;
                if !control.count(made + replayed as u64) {
                    is_complete = false;
                    break;
                }
                self.thin_ends(plan.kept);
                if self.fresh.len() > 2 * width + CUT_LATE {
                    is_complete = false;
                    if !self.cut_layer(layer_number, &cut, control) {
                        break;
                    }
                }
            }
            if control.is_over() {
                is_complete = false;
                break;
            }
            if self.fresh.len() > width {
                is_complete = false;
                if !self.cut_layer(layer_number, &cut, control) {
                    break;
                }
            }
            self.layers
                .push(self.fresh.iter().map(|fresh| fresh.inner).collect());
            layer_number += 1;
            if layer_number >= self.base_layer + BASE_STRIDE && self.fresh.len() <= BASE_MAX {
                self.keep_boards(layer_number);
            }
        }
        // After the end of the time nothing long is begun.
        let kept = if control.is_over() {
            plan.kept.min(KEPT_IN_HASTE)
        } else {
            plan.kept
        };
        let list = self.interleave(kept);
        is_complete &= list.len() == self.ends.len() && !self.has_dropped;
        self.build_node(&list, is_complete, plan.width)
    }

    /// The width that is planned, or what there is memory for.
    fn width(&self, root: &SeriesPosition, plan: &Plan<'_>) -> usize {
        let by_layer = self.inner_max / usize::from(root.moves_left());
        let most = by_layer.min(self.fresh_max / 2);
        plan.width.clamp(1, most.max(WIDTH_LEAST))
    }

    /// Keeps the boards of layer `layer`, to play on from there.
    fn keep_boards(&mut self, layer: usize) {
        let boards = (0..self.layers[layer - 1].len())
            .map(|index| self.rebuild(layer, index))
            .collect();
        self.base = boards;
        self.base_layer = layer;
    }

    /// The position `index` of layer `layer` (the root is layer 0), not before the base.
    fn rebuild(&mut self, layer: usize, index: usize) -> SeriesPosition {
        let from = self.trace(layer, index, self.base_layer);
        let mut position = self.base[from];
        for &m in self.path.iter().rev() {
            position.play(m);
        }
        position
    }

    /// Writes the moves to a position from layer `from` on into `path`, last move first; returns
    /// where in that layer they begin.
    fn trace(&mut self, layer: usize, index: usize, from: usize) -> usize {
        self.path.clear();
        let mut index = index;
        for layer in (from..layer).rev() {
            let inner = self.layers[layer][index];
            self.path.push(inner.m);
            index = inner.parent as usize;
        }
        index
    }

    /// Plays every one of the moves of a position.
    fn expand(
        &mut self,
        root: &SeriesPosition,
        position: &SeriesPosition,
        place: Place,
        moves: &[Move],
        plan: &Plan<'_>,
        cut: &Cut,
    ) {
        if moves.is_empty() && place.layer > 0 {
            self.push_end(root, position, position.key(), place, None);
        }
        for &m in moves {
            if place.layer == 0 && !plan.first_moves.is_empty() && !plan.first_moves.contains(&m) {
                continue;
            }
            let next = position.after(m);
            if next.is_turn_start() || ends_at_once(&next) {
                let key = next.key();
                if self.seen.insert(key) {
                    self.push_end(root, &next, key, place, Some(m));
                }
            } else {
                let key = next.series_key();
                if self.seen.insert(key) {
                    let orders = if self.fresh.len() < self.unordered {
                        [0; ORDERS]
                    } else {
                        let orders = self.orders(&next, cut);
                        if is_beneath(&orders, &self.floors) {
                            self.has_dropped = true;
                            continue;
                        }
                        orders
                    };
                    self.fresh.push(Fresh {
                        inner: Inner {
                            parent: place.index,
                            m,
                        },
                        key,
                        orders,
                    });
                }
            }
        }
    }

    /// The orders by which layers are cut: worth, flights, attacks on the own king, its walk; or
    /// worth and danger, where that is known.
    fn orders(&mut self, position: &SeriesPosition, cut: &Cut) -> [i32; ORDERS] {
        let us = position.side();
        let Assessment {
            worth,
            flights,
            pressure,
            danger,
            ..
        } = self.assessor.assess(position, self.style.terms);
        let worth = worth.0;
        if let Some(danger) = danger {
            return [worth, worth - self.trust.price(danger), 0, 0];
        }
        let walk = match (cut.king_from, position.men().king(us)) {
            (Some(from), Some(to)) => from.distance(to) as i32,
            _ => 0,
        };
        let flights = flights[us as usize].min(FLIGHTS_MAX);
        [
            worth,
            worth / 2 + SAFETY_FLIGHT * flights,
            worth / 2 - 40 * pressure[!us as usize],
            worth / 2 + 60 * walk + SAFETY_FLIGHT / 2 * flights,
        ]
    }

    fn push_end(
        &mut self,
        root: &SeriesPosition,
        end: &SeriesPosition,
        key: u64,
        parent: Place,
        m: Option<Move>,
    ) {
        let us = root.side();
        let (worth, order, danger) = if end.side() == us || ends_at_once(end) {
            // Over, perhaps in the middle of the series.
            let worth = decided(end.status(), us).unwrap_or(0);
            (worth, worth, None)
        } else {
            let assessment = self.assessor.assess(end, self.style.terms);
            let is_mate = assessment.in_check && !end.has_legal_move();
            let worth = if is_mate {
                WON - 1
            } else {
                -assessment.worth.0
            };
            let safety = match assessment.danger {
                _ if !self.style.by_safety => 0,
                Some(danger) => -self.trust.price(danger),
                None => {
                    let flights = assessment.flights[us as usize].min(FLIGHTS_MAX);
                    let check = i32::from(assessment.in_check);
                    SAFETY_FLIGHT * flights + SAFETY_CHECK * check
                }
            };
            (
                worth,
                worth + safety,
                assessment.danger.filter(|_| !is_mate),
            )
        };
        if is_beneath(&[worth, order], &self.end_floors) {
            self.has_dropped = true;
            return;
        }
        self.ends.push(End {
            key,
            worth,
            order,
            danger,
            parent,
            m,
        });
    }

    /// The chosen ends with their series.
    fn build_node(&mut self, list: &[u32], is_complete: bool, width: usize) -> Node {
        let mut node = Node::new(is_complete, width);
        node.candidates.reserve_exact(list.len());
        for &index in list {
            let end = self.ends[index as usize];
            self.trace(end.parent.layer as usize, end.parent.index as usize, 0);
            let start = node.moves.len() as u32;
            node.moves.extend(self.path.iter().rev());
            node.moves.extend(end.m);
            node.candidates.push(Candidate {
                key: end.key,
                worth: end.worth,
                score: end.worth,
                start,
                len: (node.moves.len() as u32 - start) as u16,
                verdict: Verdict::Open,
                danger: end.danger,
                depth: 0,
            });
        }
        node
    }
}
