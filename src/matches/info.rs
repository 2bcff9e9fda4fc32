//! What an engine says about its thinking: scores, depth, nodes.

use std::{
    fmt,
    str::{FromStr, SplitAsciiWhitespace},
};

use serde::{Deserialize, Serialize};

/// An engine's score, from the view of the side on turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Score {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many series of the mating side; negative if the side on turn is mated.
    Mate(i32),
}

impl Score {
    /// One number for comparing, where a mate is worth more than anything else.
    pub fn centipawns(self) -> i32 {
        match self {
            Score::Centipawns(score) => score.clamp(-29_000, 29_000),
            Score::Mate(series) if series > 0 => 32_000 - series.min(1000),
            Score::Mate(series) => -32_000 - series.max(-1000),
        }
    }

    /// The score from the other side's view.
    #[must_use]
    pub fn of_the_other_side(self) -> Score {
        match self {
            Score::Centipawns(score) => Score::Centipawns(score.saturating_neg()),
            Score::Mate(series) => Score::Mate(series.saturating_neg()),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Centipawns(score) => {
                let sign = if score < 0 { '-' } else { '+' };
                let score = score.unsigned_abs();
                write!(f, "{sign}{}.{:02}", score / 100, score % 100)
            }
            Score::Mate(series) if series <= 0 => write!(f, "-M{}", series.unsigned_abs()),
            Score::Mate(series) => write!(f, "+M{series}"),
        }
    }
}

impl FromStr for Score {
    type Err = String;

    fn from_str(text: &str) -> Result<Score, String> {
        let wrong = || format!("'{text}' is no score");
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').ok_or_else(wrong)?),
        };
        // Engines may say any number there is, and the least one has no positive counterpart: so
        // the sign is put on in wider integers.
        let signed = |number: i64| {
            let number = if negative { -number } else { number };
            i32::try_from(number).map_err(|_| wrong())
        };
        let number = |digits: &str| digits.parse::<u32>().map(i64::from).map_err(|_| wrong());
        if let Some(series) = digits.strip_prefix('M') {
            return Ok(Score::Mate(signed(number(series)?)?));
        }
        let (pawns, hundredths) = digits.split_once('.').ok_or_else(wrong)?;
        Ok(Score::Centipawns(signed(
            100 * number(pawns)? + number(hundredths)?,
        )?))
    }
}

impl TryFrom<String> for Score {
    type Error = String;

    fn try_from(text: String) -> Result<Score, String> {
        text.parse()
    }
}

impl From<Score> for String {
    fn from(score: Score) -> String {
        score.to_string()
    }
}

/// The latest of everything an engine said in one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Its last exact score.
    pub score: Option<Score>,
    /// Its last depth.
    pub depth: Option<u32>,
    /// Its last node count.
    pub nodes: Option<u64>,
    /// Its own time, milliseconds.
    pub time: Option<u64>,
}

impl Info {
    /// Takes in one `info` line, given without the word `info`. Lines of lower rank are passed
    /// over, and so is what is not understood: it decides nothing.
    pub fn read(&mut self, line: &str) {
        let line = InfoLine::read(line);
        if line.rank != 1 {
            return;
        }
        self.score = line.score.or(self.score);
        self.depth = line.depth.or(self.depth);
        self.nodes = line.nodes.or(self.nodes);
        self.time = line.time.or(self.time);
    }
}

/// What one `info` line says.
#[derive(Clone, Debug)]
pub struct InfoLine<'l> {
    /// The rank among several lines (`multipv`), from 1; 0 if it was not understood.
    pub rank: u32,
    /// An exact score; bounds are none.
    pub score: Option<Score>,
    /// Depth.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Nodes in a second.
    pub nps: Option<u64>,
    /// The engine's own time, milliseconds.
    pub time: Option<u64>,
    /// The moves after `pv`.
    pub pv: SplitAsciiWhitespace<'l>,
}

impl<'l> InfoLine<'l> {
    /// Reads a line, given without the word `info`. What is not understood is passed over.
    pub fn read(line: &'l str) -> InfoLine<'l> {
        let mut read = InfoLine {
            rank: 1,
            score: None,
            depth: None,
            nodes: None,
            nps: None,
            time: None,
            pv: "".split_ascii_whitespace(),
        };
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                // Free text, or moves, up to the end of the line.
                "string" | "refutation" | "currline" => break,
                "pv" => {
                    read.pv = words;
                    break;
                }
                "depth" => read_number(&mut words, &mut read.depth),
                "nodes" => read_number(&mut words, &mut read.nodes),
                "nps" => read_number(&mut words, &mut read.nps),
                "time" => read_number(&mut words, &mut read.time),
                "multipv" => {
                    read.rank = words.next().and_then(|rank| rank.parse().ok()).unwrap_or(0);
                }
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|value| value.parse().ok());
                    read.score = match (kind, value) {
                        (Some("cp"), Some(value)) => Some(Score::Centipawns(value)),
                        (Some("mate"), Some(value)) => Some(Score::Mate(value)),
                        _ => None,
                    };
                }
                "lowerbound" | "upperbound" => read.score = None,
                _ => {}
            }
        }
        read
    }
}

fn read_number<'a, T: FromStr>(words: &mut impl Iterator<Item = &'a str>, into: &mut Option<T>) {
    if let Some(number) = words.next().and_then(|word| word.parse().ok()) {
        *into = Some(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_exact_score_counts() {
        let mut info = Info::default();
        for line in [
            "depth 3 score cp 25 nodes 100 pv e2e4",
            "depth 4 score cp 99 lowerbound nodes 200",
            "multipv 2 score cp -500",
            "string score cp 7 depth 99",
            "score mate x",
            "nodes nonsense time 12",
        ] {
            info.read(line);
        }
        assert_eq!(
            info,
            Info {
                score: Some(Score::Centipawns(25)),
                depth: Some(4),
                nodes: Some(200),
                time: Some(12),
            }
        );
    }

    #[test]
    fn a_line_is_read_whole() {
        let line = "depth 2 multipv 3 score mate -1 nodes 7 nps 9 time 4 pv e7e5 g8f6  f1c4 ";
        let read = InfoLine::read(line);
        assert_eq!((read.rank, read.score), (3, Some(Score::Mate(-1))));
        assert_eq!((read.depth, read.nodes), (Some(2), Some(7)));
        assert_eq!((read.nps, read.time), (Some(9), Some(4)));
        assert_eq!(read.pv.collect::<Vec<_>>(), ["e7e5", "g8f6", "f1c4"]);
        assert_eq!(InfoLine::read("string pv e2e4").pv.count(), 0);
    }

    #[test]
    fn scores_read_back() {
        for score in [
            Score::Centipawns(0),
            Score::Centipawns(-5),
            Score::Centipawns(12_345),
            Score::Mate(3),
            Score::Mate(-1),
            Score::Centipawns(i32::MAX),
            Score::Centipawns(i32::MIN),
            Score::Mate(i32::MAX),
            Score::Mate(i32::MIN),
        ] {
            assert_eq!(score.to_string().parse::<Score>().unwrap(), score);
        }
        assert!(Score::Mate(1).centipawns() > Score::Mate(2).centipawns());
        assert!(Score::Mate(-2).centipawns() > Score::Mate(-1).centipawns());
    }
}
