//! `seriatim openings`: a suite of balanced openings for matches.

use std::{collections::HashSet, io::Write};

use anyhow::{Result, ensure};
use clap::Args;

use super::{Finish, RuleArgs, UsageError, self_play::winner, series::distinct_series};
use crate::{
    notation::{CastlingText, uci_text},
    rules::{Color, Game, Move, SeriesPosition, Status, TurnNumber},
    search::{Limits, Request, Score, Searcher, Settings, Signals},
    solver::{Answer, Limits as SolverLimits, Solver},
};

/// Make a suite of balanced openings of two series
///
/// One line of moves for each: every first move with answers drawn at random, of which those stay
/// after which the side on turn has no mate in its series (proven) and a search of fixed size finds
/// the game about even. With --games the engine also plays that many games from each against
/// itself, and only those stay in which neither side gets more than five eighths of the points. The
/// same seed gives the same suite.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  seriatim openings --count 200 > italian.txt
  seriatim openings --variant scottish --count 100 --seed 7 --window 80
  seriatim openings --games 8 --window 2000 > italian.txt     judged by games
  seriatim openings --first-moves        only the first moves, all of them

Use them with: seriatim-match run --openings file=italian.txt ...")]
pub struct OpeningsArgs {
    #[command(flatten)]
    rules: RuleArgs,
    /// How many openings
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Seed of the random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How far from even the search may find the game, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 60)]
    window: u32,
    /// Size of the search that judges an opening
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// How many games of the engine against itself judge an opening besides
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1000))]
    games: u32,
    /// Only the openings of one move, all of them, without judging
    #[arg(long)]
    first_moves: bool,
}

/// How many answers are tried for each opening that is wanted before the suite is given up.
const TRIES: u32 = 400;

/// Writes the suite to `out`.
///
/// # Errors
/// When `out` cannot be written, or so few openings pass that the suite cannot be filled; and a
/// [`UsageError`] for arguments that were not understood.
pub fn run(args: &OpeningsArgs, out: &mut dyn Write) -> Result<Finish> {
    let start = SeriesPosition::start(args.rules.rules()?);
    let mut first_series = distinct_series(&start, usize::MAX).unwrap_or_default();
    if args.first_moves {
        for series in &first_series {
            writeln!(out, "{}", text(series))?;
        }
        return Ok(Finish::Clean);
    }
    writeln!(
        out,
        "# seriatim openings: {} of seed {}, within {} centipawns at {} nodes, {} games",
        args.count, args.seed, args.window, args.nodes, args.games
    )?;
    let mut random = fastrand::Rng::with_seed(args.seed);
    let mut judge = Judge::new(args);
    let mut used = HashSet::new();
    // First series in turn, so that each has about as many openings as the others.
    random.shuffle(&mut first_series);
    let mut found = 0;
    for attempt in 0..args.count.saturating_mul(TRIES) {
        let first = &first_series[attempt as usize % first_series.len()];
        let Some(game) = random_answer(&start, first, &mut random) else {
            continue;
        };
        if used.insert(game.position().key()) && judge.accepts(&game) {
            let moves: Vec<Move> = game.series().concat();
            writeln!(out, "{}", text(&moves))?;
            found += 1;
            if found == args.count {
                return Ok(Finish::Clean);
            }
        }
    }
    ensure!(
        found == args.count,
        UsageError::new(format!(
            "only {found} of {} openings were found: widen --window or ask for fewer",
            args.count
        ))
    );
    Ok(Finish::Clean)
}

/// The game after `first` and a random series that answers it; `None` where it ends in it.
fn random_answer(
    start: &SeriesPosition,
    first: &[Move],
    random: &mut fastrand::Rng,
) -> Option<Game> {
    let mut game = Game::new(*start);
    for &m in first {
        game.play(m).ok()?;
    }
    let turn = game.position().turn();
    while game.position().turn() == turn {
        let moves = game.position().legal_moves();
        game.play(*random.choice(&moves)?).ok()?;
    }
    (game.status() == Status::Ongoing).then_some(game)
}

/// Tells whether an opening is about even.
struct Judge {
    solver: Solver,
    searcher: Searcher,
    nodes: u64,
    window: i32,
    games: u32,
}

/// Games that last longer are drawn: so many series in all, or so many with series that stay short.
const LAST_TURN: u16 = 16;
const LAST_TURN_SHORT: u16 = 80;
/// Each game is played with a few more nodes for each series than the one before, so that they
/// differ: one part in so many.
const VARIED: u64 = 16;

impl Judge {
    fn new(args: &OpeningsArgs) -> Judge {
        Judge {
            solver: Solver::new(16, 1),
            searcher: Searcher::new(Settings::default()),
            nodes: args.nodes,
            window: i32::try_from(args.window).unwrap_or(i32::MAX),
            games: args.games,
        }
    }

    fn accepts(&mut self, game: &Game) -> bool {
        self.finds_even(game) && self.plays_even(game)
    }

    /// Whether neither side wins too many games from here.
    fn plays_even(&mut self, opening: &Game) -> bool {
        // In half points: neither side may get more than five eighths of them.
        let most = self.games + self.games / 4;
        let late = opening.position().series_length(TurnNumber(LAST_TURN));
        let last = if late < LAST_TURN {
            LAST_TURN_SHORT
        } else {
            LAST_TURN
        };
        let [mut white, mut black] = [0, 0];
        for number in 0..self.games {
            let nodes = self.nodes + self.nodes / VARIED * u64::from(number);
            let points = match winner(&mut self.searcher, opening.clone(), last, || nodes) {
                Some(Color::White) => 2,
                None => 1,
                Some(Color::Black) => 0,
            };
            white += points;
            black += 2 - points;
            if white > most || black > most {
                return false;
            }
        }
        true
    }

    /// Whether the solver finds no mate, and a search the game about even.
    fn finds_even(&mut self, game: &Game) -> bool {
        let report = self
            .solver
            .first_mate(game.position(), &SolverLimits::default());
        if report.answer != Answer::NoMate {
            return false;
        }
        let request = Request::new(
            game.clone(),
            Limits {
                nodes: Some(self.nodes),
                ..Limits::default()
            },
        );
        self.searcher.clear();
        let answer = self
            .searcher
            .search(&request, &Signals::new(false), &mut |_| {});
        answer.lines.first().is_some_and(|line| match line.score {
            Score::Centipawns(score) => score.abs() <= self.window,
            Score::Mate(_) => false,
        })
    }
}

fn text(moves: &[Move]) -> String {
    let moves: Vec<String> = moves
        .iter()
        .map(|&m| uci_text(m, CastlingText::KingMove))
        .collect();
    moves.join(" ")
}
