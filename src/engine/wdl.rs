//! Scores as chances to win, draw and lose.

use crate::protocol::Score;

/// The score at which a win is as likely as not, and by how many centipawns the odds change by a
/// factor of e. Fitted by `scripts/fit-wdl` to the engine's own games; `docs/strength.md` has how.
const EVEN: f64 = 987.0;
const SPREAD: f64 = 3402.0;

/// The chances to win, draw and lose at a score, in thousandths; together 1000.
pub(super) fn chances(score: Score) -> [u16; 3] {
    let wins = |score: f64| 1.0 / (1.0 + ((EVEN - score) / SPREAD).exp());
    match score {
        Score::Mate(series) if series > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
        Score::Centipawns(score) => {
            let score = f64::from(score);
            let thousandths = |chance: f64| (1000.0 * chance).round() as u16;
            let (win, loss) = (thousandths(wins(score)), thousandths(wins(-score)));
            [win, 1000 - win - loss, loss]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_complete_and_mirrored() {
        for score in [-20_000, -500, -1, 0, 1, 30, 800, 20_000] {
            let [win, draw, loss] = chances(Score::Centipawns(score));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(chances(Score::Centipawns(-score)), [loss, draw, win]);
        }
        assert!(chances(Score::Centipawns(400))[0] > chances(Score::Centipawns(100))[0]);
        assert_eq!(chances(Score::Mate(2)), [1000, 0, 0]);
        assert_eq!(chances(Score::Mate(-1)), [0, 0, 1000]);
    }
}
