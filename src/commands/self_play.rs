//! Games of the engine against itself, which judge an opening or a line of a book.

use crate::{
    rules::{Color, Game, Status},
    search::{Limits, Request, Searcher, Signals},
    solver::{QuietSettled, Solver},
};

/// Who wins when `searcher` plays `game` on for both sides, with as many nodes for each series as
/// `nodes` says. `None` for a draw, and for a game that goes on after turn `last`.
pub(super) fn winner(
    searcher: &mut Searcher,
    mut game: Game,
    last: u16,
    mut nodes: impl FnMut() -> u64,
) -> Option<Color> {
    loop {
        match game.status() {
            Status::Over(outcome) => return outcome.winner,
            Status::QuietLimit
                if Solver::settle_quiet_limit(game.position()) == QuietSettled::Draw =>
            {
                return None;
            }
            Status::QuietLimit | Status::Ongoing => {}
        }
        if game.position().turn().0 > last {
            return None;
        }
        let limits = Limits {
            nodes: Some(nodes()),
            ..Limits::default()
        };
        let request = Request::new(game.clone(), limits);
        let answer = searcher.search(&request, &Signals::default(), &mut |_| {});
        // An answer begins with a whole legal series; a game that could not go on is no one's.
        for &m in answer.lines.first()?.pv.first()? {
            game.play(m).ok()?;
        }
    }
}
