//! The search at the root: own mates, candidates, verdicts on them, then ever deeper and broader
//! rounds.

mod deepen;
mod lines;
mod verify;

use std::collections::HashSet;

use super::{
    control::Control,
    generator::{Plan, ends_at_once},
    level::Level,
    look::Worker,
    node::{Candidate, Node, Verdict},
    quick::{quick_series, worth_of, worth_of_end},
    request::{Answer, News, Request},
    score::{DECIDED, WON},
    skill::Weakness,
    table::Table,
    telling::Telling,
    threat::after_pass,
    trust::Trust,
};
use crate::{
    eval::{self, Terms},
    rules::{Move, SeriesPosition},
    solver,
};
use deepen::ROUNDS;

/// Ends that are kept at the root.
const ROOT_KEPT: usize = 16_000;
/// The share of the effort that finding an own mate may take.
const MATE_SHARE: u64 = 3;
/// Where the danger tells how probable it is, so much at least and at most.
const MATE_PERCENT_LEAST: u64 = 8;
const MATE_PERCENT_MOST: u64 = 50;
/// The share of the effort that finding the opponent's threat may take.
const THREAT_SHARE: u64 = 10;
/// The share of the effort that generating candidates may take.
const GENERATE_SHARE: u64 = 4;
/// The beam is widened up to this factor when nothing safe is found.
const WIDEN_MAX: u64 = 256;
/// Moves that a position has, in planning.
const BRANCHING: u64 = 24;
/// The narrowest beam. Beyond [`LONG_SERIES`] moves it may be narrower, so that it comes to an
/// end at all, and less effort goes into it.
const WIDTH_LEAST: usize = 200;
const WIDTH_LEAST_LONG: usize = 8;
const LONG_SERIES: u64 = 64;
const LONG_EFFORT: u64 = 2_000_000;
/// At most so many moves are kept in all candidates together.
const MOVES_KEPT: u64 = 1 << 20;

/// A search at the root.
pub(super) struct Root<'a> {
    pub position: SeriesPosition,
    pub request: &'a Request,
    pub control: &'a Control<'a>,
    pub table: &'a Table,
    pub telling: &'a Telling<'a>,
    level: Level,
    trust: Trust,
    /// What counts for the worth of a series.
    terms: Terms,
    /// What is overlooked, below full skill.
    weakness: Option<Weakness>,
    /// Mates in the series to be played that are known before it is searched.
    mates: Vec<Vec<Move>>,
    node: Node,
    /// Refutations of unsafe candidates, and the effort they took.
    refuted: Vec<Option<(Vec<Move>, u64)>>,
    /// The best candidates so far, best first.
    best: Vec<usize>,
    /// All that were looked at in the last round, best first.
    ranked: Vec<usize>,
    depth: u32,
}

impl<'a> Root<'a> {
    pub(super) fn new(
        request: &'a Request,
        control: &'a Control<'a>,
        table: &'a Table,
        level: Level,
        terms: Terms,
        weakness: Option<Weakness>,
        telling: &'a Telling<'a>,
    ) -> Root<'a> {
        Root {
            position: *request.game.position(),
            request,
            control,
            table,
            telling,
            level,
            trust: Trust::under(request.game.position().rules()),
            terms,
            weakness,
            mates: Vec::new(),
            node: Node::new(false, 0),
            refuted: Vec::new(),
            best: Vec::new(),
            ranked: Vec::new(),
            depth: 0,
        }
    }

    /// Searches.
    pub(super) fn run(mut self, workers: &mut [Worker]) -> Answer {
        for worker in workers.iter_mut() {
            worker.begin();
        }
        if let Some(mate) = self.own_mate(workers) {
            if self.request.lines <= 1 {
                return self.play_mate(&mate);
            }
            self.mates.push(mate);
        }
        if self.request.refutations {
            self.tell_threat(workers);
        }
        self.collect(workers, 1);
        let depth_max = self.depth_max();
        for (number, &round) in ROUNDS.iter().enumerate() {
            let mut round = round;
            if round.depth == 1 && self.trust.weighs_ahead {
                // Others are verified when they lead.
                round.wanted = 1;
            }
            round.wanted = round.wanted.max(self.request.lines);
            if u32::from(round.depth) > depth_max {
                continue;
            }
            if number > 0 && self.is_enough() {
                break;
            }
            if round.depth == 1 {
                self.verify_first(workers, round.wanted);
                self.widen(workers, round.wanted);
                self.depth = 1;
            } else if self.trust.weighs_ahead {
                self.deepen(workers, round);
                self.verify_leaders(workers);
            } else {
                self.verify_before(workers, round);
                self.deepen(workers, round);
                self.lead();
            }
            self.tell();
            if self.control.is_over() {
                break;
            }
        }
        Answer {
            lines: self.lines(),
        }
    }

    /// The most series looked ahead, at least 1.
    fn depth_max(&self) -> u32 {
        let limits = self.control.limits();
        // A mate in so many own series has an answer less in between.
        let by_mate = limits
            .mate
            .map(|series| series.saturating_mul(2).saturating_sub(1));
        let by_level = (self.level == Level::WithoutLookAhead).then_some(1);
        [limits.depth, by_mate, by_level]
            .into_iter()
            .flatten()
            .fold(u32::MAX, u32::min)
            .max(1)
    }

    /// While there is nothing to look at and series were left out, looks more widely.
    fn widen(&mut self, workers: &mut [Worker], wanted: usize) {
        let mut scale = 1;
        while self.looked_at() == 0
            && !self.node.is_complete
            && self.request.series.is_empty()
            && self.level != Level::WithoutEnumeration
            && self.can_be_verified()
            && scale < WIDEN_MAX
            && self.control.poll()
        {
            scale *= 4;
            let node = std::mem::replace(&mut self.node, Node::new(false, 0));
            let refuted = std::mem::take(&mut self.refuted);
            let best = std::mem::take(&mut self.best);
            self.collect(workers, scale);
            if self.control.is_over() {
                // Too late: what was known before is worth more.
                (self.node, self.refuted, self.best) = (node, refuted, best);
                return;
            }
            self.verify_first(workers, wanted);
        }
    }

    /// Whether the solver looks at series as long as the opponent's next one.
    fn can_be_verified(&self) -> bool {
        let next = self.position.turn().next();
        self.position.series_length(next) <= solver::SERIES_MAX
    }

    /// The nodes that finding an own mate may take.
    fn mate_effort(&self) -> u64 {
        let effort = self.control.effort();
        let assess = || eval::assess(&self.position, self.terms).danger;
        let Some(danger) = self.trust.weighs_mates.then(assess).flatten() else {
            return effort / MATE_SHARE;
        };
        // About as probable as a mate is, so much, and half again.
        let danger = danger.max(0) as u64;
        let percent = 150 * danger / (danger + 1000);
        effort / 100 * percent.clamp(MATE_PERCENT_LEAST, MATE_PERCENT_MOST)
    }

    /// A mate in this series that may be played, if one is found.
    fn own_mate(&mut self, workers: &mut [Worker]) -> Option<Vec<Move>> {
        let key = self.position.key();
        let is_missed = |weakness: Weakness| weakness.misses_mate(key);
        if !self.request.series.is_empty() || self.weakness.is_some_and(is_missed) {
            return None;
        }
        let nodes = self.mate_effort().max(1000);
        let first_moves = &self.request.first_moves;
        let (answer, used) = workers[0].mate(&self.position, nodes, self.control);
        match answer {
            solver::Answer::NoMate => return None,
            solver::Answer::Mate(series)
                if first_moves.is_empty() || first_moves.contains(&series[0]) =>
            {
                return Some(series);
            }
            _ => {}
        }
        // There may be another one that begins as it must.
        let mut left = nodes.saturating_sub(used);
        for (number, &m) in first_moves.iter().enumerate() {
            let next = self.position.after(m);
            if next.is_turn_start() || ends_at_once(&next) {
                if worth_of_end(&next, self.position.side(), self.terms) > DECIDED {
                    return Some(vec![m]);
                }
                continue;
            }
            let share = left / (first_moves.len() - number) as u64;
            let (answer, used) = workers[0].mate(&next, share, self.control);
            left = left.saturating_sub(used);
            if let solver::Answer::Mate(rest) = answer {
                let mut series = vec![m];
                series.extend(rest);
                return Some(series);
            }
        }
        None
    }

    /// The answer that plays this mate.
    fn play_mate(&mut self, mate: &[Move]) -> Answer {
        self.push_mate(mate);
        self.best = vec![0];
        self.depth = 1;
        self.tell();
        Answer {
            lines: self.lines(),
        }
    }

    fn push_mate(&mut self, mate: &[Move]) {
        self.node.push(&self.position, mate, WON - 1);
        if let Some(last) = self.node.candidates.last_mut() {
            last.verdict = Verdict::Over;
        }
    }

    /// Tells what the opponent would mate with if the side on turn passed.
    fn tell_threat(&self, workers: &mut [Worker]) {
        let Some(passed) = after_pass(&self.position) else {
            return;
        };
        let nodes = (self.control.effort() / THREAT_SHARE).max(1000);
        let (answer, _) = workers[0].mate(&passed, nodes, self.control);
        if let solver::Answer::Mate(series) = answer {
            self.telling.tell(News::Threat(&series));
        }
    }

    /// Collects the candidates, from a beam that is `scale` times as wide as planned.
    fn collect(&mut self, workers: &mut [Worker], scale: u64) {
        if self.request.series.is_empty() {
            let plan = self.plan(scale);
            self.node = workers[0]
                .generator
                .generate(&self.position, &plan, self.control);
            // A narrow beam in a long series may run dry everywhere.
            if self.node.candidates.is_empty() || self.is_long() {
                let quick = quick_series(&self.position, &self.request.first_moves);
                self.control.count(quick.len() as u64);
                let worth = worth_of(&self.position, &quick, self.terms);
                self.node.push(&self.position, &quick, worth);
            }
        } else {
            self.node = Node::new(false, 0);
            for series in &self.request.series {
                let worth = worth_of(&self.position, series, self.terms);
                self.node.push(&self.position, series, worth);
            }
        }
        // The generator may forget what it has seen, and equal ends are one candidate.
        let mut keys = HashSet::new();
        self.node
            .candidates
            .retain(|candidate| keys.insert(candidate.key));
        if let Some(weakness) = self.weakness {
            self.misjudge(weakness);
        }
        for mate in std::mem::take(&mut self.mates) {
            let end = mate.iter().fold(self.position, |at, &m| at.after(m));
            if !keys.contains(&end.key()) {
                self.push_mate(&mate);
            }
            self.mates.push(mate);
        }
        self.best = vec![0];
        self.refuted.clear();
        self.refuted
            .resize_with(self.node.candidates.len(), || None);
    }

    fn is_long(&self) -> bool {
        u64::from(self.position.moves_left()) > LONG_SERIES
    }

    /// What the generator is to make.
    fn plan(&self, scale: u64) -> Plan<'a> {
        let length = u64::from(self.position.moves_left());
        let is_long = self.is_long();
        let mut effort = self.control.effort();
        if is_long {
            effort = effort.min(LONG_EFFORT);
        }
        let width = effort / GENERATE_SHARE / BRANCHING / length;
        let width_least = if is_long {
            WIDTH_LEAST_LONG
        } else {
            WIDTH_LEAST
        };
        let width_max = if self.level == Level::WithoutEnumeration {
            300
        } else {
            200_000
        };
        Plan {
            width: ((width * scale) as usize).clamp(width_least, width_max),
            kept: ROOT_KEPT.min((MOVES_KEPT / length) as usize),
            first_moves: &self.request.first_moves,
        }
    }

    /// Makes the candidates look as a weaker player sees them. Their order, by what seems safe, stays.
    fn misjudge(&mut self, weakness: Weakness) {
        let candidates = &mut self.node.candidates;
        if weakness.misses_mate(self.position.key())
            && candidates.iter().any(|candidate| candidate.worth < DECIDED)
        {
            candidates.retain(|candidate| candidate.worth < DECIDED);
        }
        for candidate in candidates.iter_mut() {
            if candidate.worth.abs() < DECIDED {
                candidate.worth += weakness.noise(candidate.key);
                candidate.score = candidate.worth;
            }
        }
    }

    fn refuted_count(&self) -> u32 {
        self.refuted.iter().flatten().count() as u32
    }

    fn safe_count(&self) -> usize {
        self.node
            .candidates
            .iter()
            .filter(|candidate| candidate.is_good())
            .count()
    }

    /// Whether looking ahead may count on a candidate: it is known not to lose in the next series,
    /// or the solver gave up and it hardly looks dangerous.
    fn is_hope(&self, candidate: &Candidate) -> bool {
        let is_unsure = candidate.verdict == Verdict::Unsure;
        candidate.is_good() || is_unsure && self.trust.hopes(candidate.danger)
    }

    /// How many such candidates there are.
    fn hopes(&self) -> usize {
        let candidates = self.node.candidates.iter();
        candidates
            .filter(|candidate| self.is_hope(candidate))
            .count()
    }

    /// Whether a candidate is looked at further.
    fn is_looked_at(&self, candidate: &Candidate) -> bool {
        match candidate.verdict {
            Verdict::Open | Verdict::Unsure if self.trust.weighs_ahead => true,
            _ => self.is_hope(candidate),
        }
    }

    /// How many are.
    fn looked_at(&self) -> usize {
        let candidates = self.node.candidates.iter();
        candidates
            .filter(|candidate| self.is_looked_at(candidate))
            .count()
    }

    /// Those that were best in the last round lead.
    fn lead(&mut self) {
        if !self.ranked.is_empty() {
            self.best.clone_from(&self.ranked);
            self.best.truncate(self.request.lines.max(1));
        }
    }

    /// Whether going on is of no use: the share is spent and a safe series is known, or nothing
    /// can change any more.
    fn is_enough(&self) -> bool {
        let looked_at = self.looked_at();
        let is_won = self.best.len() >= self.request.lines
            && self
                .best
                .iter()
                .all(|&best| self.node.candidates[best].score > DECIDED);
        let all_known = self.node.is_complete
            && !self
                .node
                .candidates
                .iter()
                .any(|candidate| candidate.verdict == Verdict::Open);
        // A clock saves what a round that cannot be finished would waste.
        let share = if self.control.is_fixed() { 1.0 } else { 0.8 };
        let is_spent = self.control.spent() >= share;
        is_won
            || (all_known && looked_at == 0)
            || (all_known && looked_at == 1 && self.control.spent() > 0.0)
            || (is_spent && self.hopes() > 0)
    }

    /// The order of candidates that have only been verified: safe by worth, then unknown, then
    /// those that were hardest to refute.
    fn settle_first(&mut self) {
        let mut list: Vec<usize> = (0..self.node.candidates.len()).collect();
        list.sort_by_key(|&index| std::cmp::Reverse(self.rank(index)));
        list.truncate(self.request.lines.max(1));
        self.best = list;
        self.ranked.clear();
    }

    /// How good a candidate is as far as verdicts and worth tell.
    fn rank(&self, index: usize) -> (i32, i64) {
        let candidate = &self.node.candidates[index];
        let class = match candidate.verdict {
            Verdict::Over if candidate.score > DECIDED => 5,
            Verdict::Safe => 4,
            Verdict::Over if candidate.score > -DECIDED => 4,
            Verdict::Unsure => 3,
            Verdict::Open => 2,
            Verdict::Unsafe | Verdict::Feared | Verdict::Over => 1,
        };
        let value = match class {
            1 => {
                let effort = self.refuted[index].as_ref().map_or(0, |(_, nodes)| *nodes);
                effort as i64
            }
            2 => {
                // The list is ordered by hope.
                -(index as i64)
            }
            _ => i64::from(candidate.score),
        };
        (class, value)
    }
}
