//! How many moves each turn has, as data.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// How many entries the explicit list before the regular part may have.
const LIST_MAX: usize = 6;

/// The length schedule: the number of moves of turn 1, 2, 3, ...
///
/// Written `[list,]first+step[xREPEAT][<=CAP]`: an explicit list of lengths, then lengths that
/// start at `first` and grow by `step` after every `REPEAT` turns (default 1), never beyond
/// `CAP`. `1+1` is progressive chess, `1,2+0` balanced Marseillais, `2+0` unbalanced
/// Marseillais, `1+1x2` gives 1,1,2,2,3,3,... and `1+1<=8` stops growing at 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LengthSchedule {
    list: [u8; LIST_MAX],
    list_len: u8,
    first: u8,
    step: u8,
    repeat: u8,
    cap: Option<std::num::NonZeroU8>,
}

/// A length schedule that could not be read; each variant carries the offending text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// The text does not have the form of a schedule.
    #[error(
        "'{0}' is no length schedule: expected [list,]first+step[xREPEAT][<=CAP], e.g. 1+1, 1,2+0 or 1+1<=8"
    )]
    Form(String),
    /// A number is out of its range.
    #[error(
        "'{number}' in length schedule '{text}' is out of range: lengths, REPEAT and CAP are 1..255, step 0..255"
    )]
    Range {
        /// The whole schedule as given.
        text: String,
        /// The number that does not fit.
        number: String,
    },
    /// The explicit list is longer than can be stored.
    #[error(
        "the list of length schedule '{0}' is too long: at most {LIST_MAX} lengths before first+step"
    )]
    List(String),
    /// A length is above the cap.
    #[error("length schedule '{0}' starts above its own cap")]
    Cap(String),
}

impl LengthSchedule {
    /// `1+1`: turn *n* has *n* moves.
    pub const PROGRESSIVE: LengthSchedule = LengthSchedule::regular(1, 1);
    /// `1,2+0`: 1, 2, 2, 2, ...
    pub const MARSEILLAIS: LengthSchedule = LengthSchedule {
        list: [1, 0, 0, 0, 0, 0],
        list_len: 1,
        ..LengthSchedule::regular(2, 0)
    };
    /// `2+0`: 2, 2, 2, ...
    pub const MARSEILLAIS_UNBALANCED: LengthSchedule = LengthSchedule::regular(2, 0);
    /// `1+0`: ordinary alternating chess; the generator is held against ordinary perft with it.
    pub const ORDINARY: LengthSchedule = LengthSchedule::regular(1, 0);

    const fn regular(first: u8, step: u8) -> LengthSchedule {
        LengthSchedule {
            list: [0; LIST_MAX],
            list_len: 0,
            first,
            step,
            repeat: 1,
            cap: None,
        }
    }

    /// The number of moves of turn `turn` (counted from 1; 0 is read as 1), at least 1.
    pub fn length(&self, turn: u16) -> u16 {
        let index = turn.max(1) - 1;
        let list_len = u16::from(self.list_len);
        if index < list_len {
            return u16::from(self.list[index as usize]);
        }
        let growths = match self.repeat {
            // Asked for every position that is judged, and divisions are slow.
            1 => index - list_len,
            repeat => (index - list_len) / u16::from(repeat),
        };
        let growths = u32::from(growths);
        let length = u32::from(self.first) + u32::from(self.step) * growths;
        let cap = self
            .cap
            .map_or(u32::from(u16::MAX), |cap| u32::from(cap.get()));
        length.min(cap) as u16
    }

    /// Whether every turn from `turn` on has the same length, so that states can recur.
    pub fn is_constant_from(&self, turn: u16) -> bool {
        if turn.max(1) - 1 < u16::from(self.list_len) {
            return false;
        }
        self.step == 0
            || self
                .cap
                .is_some_and(|cap| self.length(turn) >= u16::from(cap.get()))
    }

    /// The turn number as far as it matters for the future: equal phases (and equal positions)
    /// mean equal futures.
    pub(super) fn phase(&self, turn: u16) -> u16 {
        if self.is_constant_from(turn) { 0 } else { turn }
    }

    /// The schedule as three words, for the rule set's fingerprint.
    pub(super) fn words(&self) -> u64 {
        let tail = [
            self.list_len,
            self.first,
            self.step,
            self.repeat,
            self.cap.map_or(0, std::num::NonZeroU8::get),
        ];
        self.list.iter().chain(&tail).fold(0u64, |word, &byte| {
            (word ^ u64::from(byte))
                .wrapping_mul(0x0000_0100_0000_01b3)
                .rotate_left(9)
        })
    }
}

impl fmt::Display for LengthSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for length in &self.list[..usize::from(self.list_len)] {
            write!(f, "{length},")?;
        }
        write!(f, "{}+{}", self.first, self.step)?;
        if self.repeat != 1 {
            write!(f, "x{}", self.repeat)?;
        }
        if let Some(cap) = self.cap {
            write!(f, "<={cap}")?;
        }
        Ok(())
    }
}

impl FromStr for LengthSchedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<LengthSchedule, ScheduleError> {
        let form = || ScheduleError::Form(text.to_owned());
        let number = |digits: &str, least: u8| -> Result<u8, ScheduleError> {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(form());
            }
            digits
                .parse()
                .ok()
                .filter(|&value| value >= least)
                .ok_or_else(|| ScheduleError::Range {
                    text: text.to_owned(),
                    number: digits.to_owned(),
                })
        };
        let (body, cap) = match text.split_once("<=") {
            Some((body, cap)) => (body, std::num::NonZeroU8::new(number(cap, 1)?)),
            None => (text, None),
        };
        let (body, repeat) = match body.split_once('x') {
            Some((body, repeat)) => (body, number(repeat, 1)?),
            None => (body, 1),
        };
        let (lengths, step) = body.split_once('+').ok_or_else(form)?;
        let step = number(step, 0)?;
        let mut schedule = LengthSchedule {
            step,
            repeat,
            cap,
            ..LengthSchedule::regular(1, 0)
        };
        let mut lengths: Vec<u8> = lengths
            .split(',')
            .map(|l| number(l, 1))
            .collect::<Result<_, _>>()?;
        schedule.first = lengths.pop().ok_or_else(form)?;
        if lengths.len() > LIST_MAX {
            return Err(ScheduleError::List(text.to_owned()));
        }
        if cap.is_some_and(|cap| {
            lengths
                .iter()
                .chain([&schedule.first])
                .any(|&l| l > cap.get())
        }) {
            return Err(ScheduleError::Cap(text.to_owned()));
        }
        schedule.list[..lengths.len()].copy_from_slice(&lengths);
        schedule.list_len = lengths.len() as u8;
        Ok(schedule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(text: &str) -> Vec<u16> {
        let schedule: LengthSchedule = text.parse().unwrap();
        assert_eq!(schedule.to_string(), text);
        (1..=8).map(|turn| schedule.length(turn)).collect()
    }

    #[test]
    fn lengths_follow_the_notation() {
        assert_eq!(lengths("1+1"), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(lengths("1,2+0"), [1, 2, 2, 2, 2, 2, 2, 2]);
        assert_eq!(lengths("2+0"), [2; 8]);
        assert_eq!(lengths("1+1x2"), [1, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!(lengths("1+1<=3"), [1, 2, 3, 3, 3, 3, 3, 3]);
        assert_eq!(lengths("3,1,2+2x3<=5"), [3, 1, 2, 2, 2, 4, 4, 4]);
    }

    #[test]
    fn growth_is_known() {
        let capped: LengthSchedule = "1+1<=3".parse().unwrap();
        assert!(!capped.is_constant_from(2));
        assert!(capped.is_constant_from(3));
        assert!(!LengthSchedule::MARSEILLAIS.is_constant_from(1));
        assert!(LengthSchedule::MARSEILLAIS.is_constant_from(2));
        assert!(!LengthSchedule::PROGRESSIVE.is_constant_from(60_000));
    }

    #[test]
    fn lengths_never_overflow() {
        let steep: LengthSchedule = "255+255".parse().unwrap();
        assert_eq!(steep.length(u16::MAX), u16::MAX);
    }

    #[test]
    fn bad_schedules_are_refused() {
        for bad in [
            "",
            "1",
            "+1",
            "1+",
            "0+1",
            "1+256",
            "1+1x0",
            "1+1<=0",
            "9+1<=8",
            "1,,2+0",
            "1+1 ",
            "-1+1",
            "1,1,1,1,1,1,1,2+0",
        ] {
            assert!(bad.parse::<LengthSchedule>().is_err(), "{bad}");
        }
    }
}
