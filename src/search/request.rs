//! What a search is asked, told while it runs, and answers.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use super::{level::Level, skill::Skill};
use crate::rules::{Color, Game, Move};

/// Settings that stay from search to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Memory for all that grows with a search, in MiB.
    pub hash_mib: u32,
    /// How many threads search.
    pub threads: u16,
    /// How the engine plays.
    pub level: Level,
    /// How well it plays; the reference players have no skill but their own.
    pub skill: Skill,
    /// What the chances of lower skill depend on, beside the position.
    pub seed: u64,
}

impl Settings {
    /// Whether the system gives the memory that these settings take: `hash_mib`, and a MiB for each
    /// thread, which it does not do without. Nothing is kept.
    pub fn has_room(&self) -> bool {
        let mib = self.hash_mib as usize + usize::from(self.threads);
        let bytes = mib.saturating_mul(1 << 20);
        let mut room: Vec<u8> = Vec::new();
        let is_given = room.try_reserve_exact(bytes).is_ok();
        // The compiler may leave out an allocation that nobody sees.
        std::hint::black_box(&room);
        is_given
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_mib: 16,
            threads: 1,
            level: Level::Full,
            skill: Skill::FULL,
            seed: 0,
        }
    }
}

/// One side's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left; zero if it has run out.
    pub remaining: Duration,
    /// What is added after each turn.
    pub increment: Duration,
}

/// When a search ends by itself. Without any limit it goes on until it is stopped (or sees no
/// use in going on).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Limits {
    /// The clocks of Black and White, indexed by colour.
    pub clocks: [Option<Clock>; 2],
    /// Turns to the next time control.
    pub turns_to_go: Option<u32>,
    /// Search this long.
    pub move_time: Option<Duration>,
    /// Held back from every time limit, for the way to the client and back.
    pub overhead: Duration,
    /// Search about this many nodes.
    pub nodes: Option<u64>,
    /// Search this deep, in series.
    pub depth: Option<u32>,
    /// End when a mate in this many own series is found.
    pub mate: Option<u32>,
}

impl Limits {
    /// The clock of `color`.
    pub fn clock(&self, color: Color) -> Option<Clock> {
        self.clocks[color as usize]
    }
}

/// A search order.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game up to the position to be searched, with its history. It is not over.
    pub game: Game,
    /// When to end.
    pub limits: Limits,
    /// Only series that begin with one of these moves; empty is any. All are legal.
    pub first_moves: Vec<Move>,
    /// Only these series; empty is any. All are legal and complete.
    pub series: Vec<Vec<Move>>,
    /// How many best series are wanted, at least 1.
    pub lines: usize,
    /// When the order arrived: from then on time runs.
    pub received: Instant,
    /// Whether the opponent's mates are told: the one he threatens now, which takes some effort
    /// to find, and those in answer to series, or that there is none.
    pub refutations: bool,
}

impl Request {
    /// The order for the best series of `game` as it stands, arrived now.
    pub fn new(game: Game, limits: Limits) -> Request {
        Request {
            game,
            limits,
            first_moves: Vec::new(),
            series: Vec::new(),
            lines: 1,
            received: Instant::now(),
            refutations: false,
        }
    }
}

/// How a running search is spoken to. Both flags may be set from any thread at any time.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Signals {
    /// Signals for a search; while it ponders, time limits are not looked at.
    pub fn new(pondering: bool) -> Signals {
        Signals {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
        }
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Tells the search that the expected series was played: its time begins.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag behind [`Signals::stop`], for helpers that look at it themselves.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether the opponent's series is still a guess.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}

/// The worth of a series for the side that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Won (above zero) or lost, in so many series of the winning side; the series that decides
    /// is counted. Never zero.
    Mate(i32),
}

impl Score {
    /// A number that orders scores: greater is better.
    pub fn rank(self) -> i32 {
        const WON: i32 = 1_000_000;
        match self {
            Score::Centipawns(score) => score,
            Score::Mate(series) if series > 0 => WON - series,
            Score::Mate(series) => -WON - series,
        }
    }
}

/// What the search has found: one line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Series looked ahead.
    pub depth: u32,
    /// Which of the best lines this is, from 0.
    pub line: usize,
    /// How many series of the position are known.
    pub candidates: u32,
    /// After how many of them it is known whether the opponent mates.
    pub verified: u32,
    /// After how many of them he does.
    pub refuted: u32,
    /// What it is worth.
    pub score: Score,
    /// Positions made so far.
    pub nodes: u64,
    /// Time since the order arrived.
    pub elapsed: Duration,
    /// How full the hash table is, in thousandths.
    pub hashfull: u16,
    /// The series to be played, the expected answer, and so on; the first one is complete.
    pub pv: Vec<Vec<Move>>,
}

/// How far a running search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Series looked ahead in this round.
    pub depth: u32,
    /// The series that is looked at.
    pub series: Vec<Move>,
    /// Its number in this round, from 1.
    pub number: u32,
    /// How many series of the position are known.
    pub candidates: u32,
    /// After how many of them it is known whether the opponent mates.
    pub verified: u32,
    /// After how many of them he does.
    pub refuted: u32,
    /// Positions made so far.
    pub nodes: u64,
    /// Time since the order arrived.
    pub elapsed: Duration,
}

/// What a running search has to tell.
#[derive(Clone, Copy, Debug)]
pub enum News<'n> {
    /// A line of play; the lines of one round come together, the best first.
    Line(&'n Report),
    /// How far it is, now and then where a search takes long.
    Progress(&'n Progress),
    /// What was proved about a series of the side on turn.
    Verdict {
        /// The series.
        series: &'n [Move],
        /// The mate the opponent would answer with, if he has one.
        mate: Option<&'n [Move]>,
    },
    /// The mate the opponent would play if the side on turn passed.
    Threat(&'n [Move]),
}

/// Where news go. Any thread of a search may call it, one at a time.
pub type Listener<'l> = dyn FnMut(News<'_>) + Send + 'l;

/// The end of a search: the best lines, best first, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The lines.
    pub lines: Vec<Report>,
}
