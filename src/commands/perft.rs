//! `seriatim perft`: counting moves, series and end positions.

use std::io::{IsTerminal, Write};

use super::{Finish, RuleArgs, UsageError};
use crate::{
    notation::{CastlingText, parse_fen, uci_text},
    rules::{SeriesCount, SeriesPosition, count_distinct, count_moves, count_series},
};

/// Counts series, moves or end positions, to check the move generator.
///
/// Draw rules are ignored; a series that runs dry counts as one.
#[derive(Clone, Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
#[command(after_help = "Examples:
  seriatim perft --variant italian --series 3
  seriatim perft --variant scottish --series 2 --unique
  seriatim perft --moves 4 --fen '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 3'")]
pub struct PerftArgs {
    #[command(flatten)]
    rules: RuleArgs,
    /// Count sequences of N complete series; the first is what is left of the current one
    #[arg(long, value_name = "N", group = "what", value_parser = clap::value_parser!(u32).range(0..=100))]
    series: Option<u32>,
    /// Count sequences of N single moves, by first move
    #[arg(long, value_name = "N", group = "what", value_parser = clap::value_parser!(u32).range(0..=100))]
    moves: Option<u32>,
    /// Count distinct end positions instead: by placement, with rights, and with every double
    /// step of the last series
    #[arg(long, requires = "series")]
    unique: bool,
    /// Leave out mates and dead ends, which is several times faster
    #[arg(long, requires = "series", conflicts_with = "unique")]
    count_only: bool,
    /// Start from this series FEN
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Write castling as king takes rook
    #[arg(long)]
    chess960: bool,
}

/// Runs the command.
///
/// # Errors
/// If the rules or the FEN make no sense, or `out` cannot be written.
pub fn run(args: &PerftArgs, out: &mut dyn Write) -> anyhow::Result<Finish> {
    let rules = args.rules.rules()?;
    let position = match &args.fen {
        Some(fen) => parse_fen(rules, fen).map_err(UsageError::new)?,
        None => SeriesPosition::start(rules),
    };
    if let Some(depth) = args.moves {
        by_first_move(&position, depth, args.chess960, out)?;
    } else {
        let turns = args.series.unwrap_or_default();
        let moves = moves_of(&position, turns);
        if moves > MOVES_MAX {
            return Err(UsageError::new(format!(
                "{turns} series from turn {} are up to {moves} moves: expected at most {MOVES_MAX}",
                position.turn()
            ))
            .into());
        }
        if args.unique {
            let count = count_distinct(&position, turns);
            writeln!(out, "placements: {}", count.placements)?;
            writeln!(out, "with rights: {}", count.with_rights)?;
            writeln!(out, "with double steps: {}", count.with_double_steps)?;
        } else {
            let count = if std::io::stderr().is_terminal() {
                count_with_progress(&position, turns, !args.count_only, &mut std::io::stderr())?
            } else {
                count_series(&position, turns, !args.count_only)
            };
            write_count(count, args.count_only, out)?;
        }
    }
    Ok(Finish::Clean)
}

/// The longest sequences that are walked, in single moves; none so long was ever counted through.
const MOVES_MAX: u32 = 500;

/// How many moves `turns` series have at most.
fn moves_of(position: &SeriesPosition, turns: u32) -> u32 {
    let mut turn = position.turn();
    let mut moves = 0;
    for index in 0..turns {
        moves += u32::from(match index {
            0 => position.moves_left(),
            _ => position.series_length(turn),
        });
        turn = turn.next();
    }
    moves
}

fn write_count(count: SeriesCount, count_only: bool, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "series: {}", count.series)?;
    if !count_only {
        writeln!(out, "mates: {}", count.mates)?;
        writeln!(out, "progressive mates: {}", count.progressive_mates)?;
        writeln!(out, "dry: {}", count.dry)?;
    }
    Ok(())
}

fn by_first_move(
    position: &SeriesPosition,
    depth: u32,
    chess960: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let castling = if chess960 {
        CastlingText::KingTakesRook
    } else {
        CastlingText::KingMove
    };
    let mut total = u64::from(depth == 0);
    if depth > 0 {
        for m in position.legal_moves() {
            let count = count_moves(&position.after(m), depth - 1);
            writeln!(out, "{}: {count}", uci_text(m, castling))?;
            out.flush()?;
            total += count;
        }
    }
    writeln!(out, "\nNodes searched: {total}")
}

/// The same as [`count_series`], first move by first move, saying how far it is.
pub(super) fn count_with_progress(
    position: &SeriesPosition,
    turns: u32,
    endings: bool,
    progress: &mut dyn Write,
) -> std::io::Result<SeriesCount> {
    // The last series of all is counted as a whole, since its end is judged from its last move.
    if turns < 2 {
        return Ok(count_series(position, turns, endings));
    }
    let mut total = SeriesCount::default();
    let moves = position.legal_moves();
    for (done, &m) in moves.iter().enumerate() {
        write!(progress, "\r{done}/{} first moves ", moves.len())?;
        progress.flush()?;
        let next = position.after(m);
        let turns = turns - u32::from(next.is_turn_start());
        let count = count_series(&next, turns, endings);
        total.series += count.series;
        total.mates += count.mates;
        total.progressive_mates += count.progressive_mates;
        total.dry += count.dry;
    }
    write!(progress, "\r\x1b[K")?;
    Ok(total)
}
