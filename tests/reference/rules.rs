//! The switches of the rules, the presets, and the schedule of series lengths.

/// When a move may give check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Italian: only the last move of the full series may.
    Last,
    /// Scottish: any move may, and the series ends with it.
    EndsSeries,
    /// Kings are ordinary men; there is no check.
    None,
}

/// Which double steps of the last series can be answered en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnPassant {
    Any,
    Last,
    None,
}

/// How the moves of a series must be spread over the men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    Off,
    Counts,
    Rounds,
}

/// When a promoted man may move for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promoted {
    SameSeries,
    NextSeries,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    Mate,
    CaptureAll,
}

/// What makes a series not quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuietCounts {
    CapturesAndPawns,
    PawnsOnly,
}

/// What happens when the quiet limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuietVerdict {
    /// The side on turn gets one more series if it can be shown to win in it.
    Proof,
    Auto,
}

/// What a side gets that parried a check and then ran dry before its series was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnfinishedEscape {
    Draw,
    Loss,
}

/// How many moves each turn has: `[list,]first+step[xREPEAT][<=CAP]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    list: Vec<u32>,
    first: u32,
    step: u32,
    repeat: u32,
    cap: Option<u32>,
}

impl Schedule {
    pub fn parse(text: &str) -> Result<Self, String> {
        let positive = |part: &str| match part.parse::<u32>() {
            Ok(number) if number > 0 && part.bytes().all(|b| b.is_ascii_digit()) => Ok(number),
            _ => Err(format!("{part:?} in {text:?} is not a positive number")),
        };
        let (body, cap) = match text.split_once("<=") {
            Some((body, cap)) => (body, Some(positive(cap)?)),
            None => (text, None),
        };
        let (body, repeat) = match body.split_once('x') {
            Some((body, repeat)) => (body, positive(repeat)?),
            None => (body, 1),
        };
        let (numbers, step) = body
            .split_once('+')
            .ok_or_else(|| format!("no '+' in {text:?}"))?;
        let step = if step == "0" { 0 } else { positive(step)? };
        let mut list = numbers
            .split(',')
            .map(positive)
            .collect::<Result<Vec<u32>, String>>()?;
        let first = list.pop().ok_or("no first number")?;
        Ok(Self {
            list,
            first,
            step,
            repeat,
            cap,
        })
    }

    /// The number of moves of a turn; turns are numbered from 1.
    pub fn moves_in_turn(&self, turn: u32) -> u32 {
        let index = turn - 1;
        let listed = self.list.len() as u32;
        if index < listed {
            return self.list[index as usize];
        }
        let length = self.first + self.step * ((index - listed) / self.repeat);
        match self.cap {
            Some(cap) => length.min(cap),
            None => length,
        }
    }
}

/// Every switch of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // they are switches
pub struct Rules {
    pub checks: Checks,
    pub schedule: Schedule,
    pub en_passant: EnPassant,
    /// The second move of a series may capture en passant too if the first one did.
    pub en_passant_chain: bool,
    pub double_step: bool,
    pub castling: bool,
    pub balance: Balance,
    pub promoted: Promoted,
    pub promotion_to_king: bool,
    pub objective: Objective,
    /// Circe: captured men are reborn.
    pub rebirth: bool,
    pub rebirth_castling: bool,
    /// So many quiet series end the game; `None` for never.
    pub quiet_limit: Option<u32>,
    pub quiet_counts: QuietCounts,
    pub quiet_verdict: QuietVerdict,
    pub unfinished_escape: UnfinishedEscape,
    pub dead_material: bool,
    pub repetition: bool,
}

impl Rules {
    pub const PRESETS: [&str; 9] = [
        "italian",
        "scottish",
        "english",
        "logical",
        "fullcapture",
        "circe",
        "italian-portal",
        "marseillais",
        "marseillais-unbalanced",
    ];

    fn italian() -> Self {
        Self {
            checks: Checks::Last,
            schedule: Schedule::parse("1+1").unwrap(),
            en_passant: EnPassant::Any,
            en_passant_chain: false,
            double_step: true,
            castling: true,
            balance: Balance::Off,
            promoted: Promoted::SameSeries,
            promotion_to_king: false,
            objective: Objective::Mate,
            rebirth: false,
            rebirth_castling: true,
            quiet_limit: Some(10),
            quiet_counts: QuietCounts::CapturesAndPawns,
            quiet_verdict: QuietVerdict::Proof,
            unfinished_escape: UnfinishedEscape::Draw,
            dead_material: true,
            repetition: false,
        }
    }

    /// The rules called by that name; panics at an unknown one.
    pub fn preset(name: &str) -> Self {
        let italian = Self::italian();
        let scottish = Self {
            checks: Checks::EndsSeries,
            ..italian.clone()
        };
        let marseillais = |schedule: &str| Self {
            schedule: Schedule::parse(schedule).unwrap(),
            en_passant_chain: true,
            repetition: true,
            ..scottish.clone()
        };
        match name {
            "italian" => italian,
            "scottish" => scottish,
            "english" => Self {
                en_passant: EnPassant::None,
                balance: Balance::Counts,
                ..scottish
            },
            "logical" => Self {
                en_passant: EnPassant::None,
                double_step: false,
                castling: false,
                ..scottish
            },
            "fullcapture" => Self {
                checks: Checks::None,
                castling: false,
                promotion_to_king: true,
                objective: Objective::CaptureAll,
                ..italian
            },
            "circe" => Self {
                rebirth: true,
                ..italian
            },
            "italian-portal" => Self {
                quiet_counts: QuietCounts::PawnsOnly,
                quiet_verdict: QuietVerdict::Auto,
                unfinished_escape: UnfinishedEscape::Loss,
                ..italian
            },
            "marseillais" => marseillais("1,2+0"),
            "marseillais-unbalanced" => marseillais("2+0"),
            other => panic!("no preset is called {other:?}"),
        }
    }

    /// Sets one switch by name on top of what there is.
    #[must_use]
    pub fn with(mut self, switch: &str, value: &str) -> Self {
        match (switch, value) {
            ("checks", "last") => self.checks = Checks::Last,
            ("checks", "ends-series") => self.checks = Checks::EndsSeries,
            ("checks", "none") => self.checks = Checks::None,
            ("series", text) => self.schedule = Schedule::parse(text).unwrap(),
            ("ep", "any") => self.en_passant = EnPassant::Any,
            ("ep", "last") => self.en_passant = EnPassant::Last,
            ("ep", "none") => self.en_passant = EnPassant::None,
            ("ep-chain", flag) => self.en_passant_chain = on_or_off(flag),
            ("double-step", flag) => self.double_step = on_or_off(flag),
            ("castling", flag) => self.castling = on_or_off(flag),
            ("balance", "off") => self.balance = Balance::Off,
            ("balance", "counts") => self.balance = Balance::Counts,
            ("balance", "rounds") => self.balance = Balance::Rounds,
            ("promoted", "same-series") => self.promoted = Promoted::SameSeries,
            ("promoted", "next-series") => self.promoted = Promoted::NextSeries,
            ("king-promotion", flag) => self.promotion_to_king = on_or_off(flag),
            ("objective", "mate") => self.objective = Objective::Mate,
            ("objective", "capture-all") => self.objective = Objective::CaptureAll,
            ("rebirth", flag) => self.rebirth = on_or_off(flag),
            ("rebirth-castling", flag) => self.rebirth_castling = on_or_off(flag),
            ("quiet", "off") => self.quiet_limit = None,
            ("quiet", number) => self.quiet_limit = Some(number.parse().unwrap()),
            ("quiet-counts", "captures+pawns") => self.quiet_counts = QuietCounts::CapturesAndPawns,
            ("quiet-counts", "pawns") => self.quiet_counts = QuietCounts::PawnsOnly,
            ("quiet-verdict", "proof") => self.quiet_verdict = QuietVerdict::Proof,
            ("quiet-verdict", "auto") => self.quiet_verdict = QuietVerdict::Auto,
            ("unfinished-escape", "draw") => self.unfinished_escape = UnfinishedEscape::Draw,
            ("unfinished-escape", "loss") => self.unfinished_escape = UnfinishedEscape::Loss,
            ("dead-material", flag) => self.dead_material = on_or_off(flag),
            ("repetition", flag) => self.repetition = on_or_off(flag),
            _ => panic!("no switch {switch:?} with value {value:?}"),
        }
        self
    }

    /// Whether kings can be checked and mated.
    pub fn kings_are_royal(&self) -> bool {
        self.checks != Checks::None
    }
}

fn on_or_off(text: &str) -> bool {
    match text {
        "on" => true,
        "off" => false,
        other => panic!("{other:?} is neither on nor off"),
    }
}
