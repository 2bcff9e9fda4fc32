//! One game, from the opening to its end: the fixed order of every turn.
//!
//! Is the game over by the rules? Is it adjudicated? Then position and `go` are sent, the answer
//! is timed, judged and played. The first thing that goes wrong is the end, and only that.

use std::time::{Duration, Instant, SystemTime};

use super::{
    adjudication::Adjudicator,
    config::{EngineConfig, MatchConfig, Mode, Variant},
    ending::{GameEnd, milliseconds},
    engine::{Allowance, Answer, Engine, Trouble},
    info::Info,
    openings::Opening,
    position_text::{AlternatingText, SeriesText},
    record::{GameRecord, TurnRecord},
    referee,
    schedule::GameTask,
    settle,
    time_control::{Clock, go_command},
};
use crate::{
    notation::{CastlingText, format_fen, uci_text},
    rules::{Color, Game, Move, SeriesPosition, Status},
};

/// What a game is played with beside its two engines.
#[derive(Clone, Copy, Debug)]
pub struct GameSetting<'a> {
    /// The match.
    pub config: &'a MatchConfig,
    /// Which game.
    pub task: &'a GameTask,
    /// Where it begins.
    pub opening: &'a Opening,
}

impl GameSetting<'_> {
    /// The rules it is played by.
    pub fn variant(&self) -> &Variant {
        &self.config.variants[self.task.variant]
    }

    /// The configuration of a side's engine.
    pub fn engine(&self, side: Color) -> &EngineConfig {
        &self.config.engines[self.task.engines[side.fold_wb(0, 1)]]
    }

    /// A record of the game as it ended.
    pub fn record(
        &self,
        turns: Vec<TurnRecord>,
        end: GameEnd,
        begun: SystemTime,
        lasted: Duration,
    ) -> GameRecord {
        let start = &self.opening.start;
        let ordinary = *start == SeriesPosition::start(*start.rules());
        GameRecord {
            game: self.task.number,
            round: self.task.round,
            variant: self.task.variant,
            engines: self.task.engines,
            opening: self.opening.number,
            fen: (!ordinary).then(|| format_fen(start)),
            book_turns: self.opening.series.len(),
            turns,
            end,
            started: begun
                .duration_since(SystemTime::UNIX_EPOCH)
                .map_or(0, |time| time.as_secs()),
            duration: milliseconds(lasted),
        }
    }

    /// The turns the book plays.
    pub fn book_turns(&self) -> Vec<TurnRecord> {
        self.opening
            .series
            .iter()
            .map(|series| TurnRecord {
                moves: series.join(" "),
                ..TurnRecord::default()
            })
            .collect()
    }
}

/// Plays one game with engines that are prepared for it, white's first. `None` if the match is
/// stopped before its end.
pub async fn play(setting: &GameSetting<'_>, engines: [&mut Engine; 2]) -> Option<GameRecord> {
    let (begun, start) = (SystemTime::now(), Instant::now());
    let mut table = Table::new(setting)?;
    let [white, black] = engines;
    let end = loop {
        if let Some(end) = table.end() {
            break end;
        }
        let side = table.game.position().side();
        let engine = side.fold_wb(&mut *white, &mut *black);
        match table.turn(side, engine).await {
            Ok(()) => {}
            Err(Trouble::Fault(fault)) => break GameEnd::failure(side, fault),
            Err(Trouble::Stopped) => return None,
        }
    };
    Some(setting.record(table.turns, end, begun, start.elapsed()))
}

/// A game on the table.
struct Table<'a> {
    setting: &'a GameSetting<'a>,
    game: Game,
    clocks: [Clock; 2],
    adjudicator: Adjudicator,
    turns: Vec<TurnRecord>,
    series_text: SeriesText,
    alternating_text: AlternatingText,
    request: Vec<u8>,
}

impl<'a> Table<'a> {
    fn new(setting: &'a GameSetting<'a>) -> Option<Table<'a>> {
        // A book's lines were played when it was read.
        let game = setting.opening.play().ok()?;
        let castling = if setting.variant().chess960 {
            CastlingText::KingTakesRook
        } else {
            CastlingText::KingMove
        };
        let mut table = Table {
            setting,
            clocks: [Color::White, Color::Black]
                .map(|side| Clock::new(&setting.engine(side).limit)),
            adjudicator: Adjudicator::new(setting.config.adjudication),
            turns: setting.book_turns(),
            series_text: SeriesText::new(game.start(), castling),
            alternating_text: AlternatingText::new(game.start(), castling),
            request: Vec::new(),
            game,
        };
        for series in table.game.series() {
            table.series_text.add(series);
            table.alternating_text.add(series);
        }
        Some(table)
    }

    /// Whether the game is over: by the rules, or adjudicated.
    fn end(&self) -> Option<GameEnd> {
        let position = self.game.position();
        match self.game.status() {
            Status::Over(outcome) => return Some(GameEnd::board(outcome)),
            Status::QuietLimit => {
                if let Some(outcome) = settle::quiet_limit(position) {
                    return Some(GameEnd::board(outcome));
                }
            }
            Status::Ongoing => {}
        }
        if let Some(end) = self.adjudicator.verdict(position.turn()) {
            return Some(end);
        }
        let nodes = self.setting.config.adjudication.mate_nodes?;
        settle::proves_mate(position, nodes).then(|| GameEnd::ProvenMate {
            winner: Some(position.side()),
        })
    }

    /// Lets the engine play one series.
    async fn turn(&mut self, side: Color, engine: &mut Engine) -> Result<(), Trouble> {
        let turn = self.game.position().turn();
        let (moves, answer) = match self.setting.engine(side).mode {
            Mode::Series => self.ask_series(side, engine).await?,
            Mode::Alternating => self.ask_moves(side, engine).await?,
        };
        for &m in &moves {
            // The referee has found them legal one after another.
            let _ = self.game.play(m);
        }
        self.series_text.add(&moves);
        self.alternating_text.add(&moves);
        self.clocks[side.fold_wb(0, 1)].spend(answer.used);
        self.adjudicator.note(side, turn, answer.info.score);
        let texts: Vec<String> = moves
            .iter()
            .map(|&m| uci_text(m, CastlingText::KingTakesRook))
            .collect();
        self.turns.push(TurnRecord {
            moves: texts.join(" "),
            time: Some(milliseconds(answer.used)),
            lag: milliseconds(answer.lag),
            score: answer.info.score,
            depth: answer.info.depth,
            nodes: answer.info.nodes,
        });
        Ok(())
    }

    fn allowance(&self, side: Color, clock: &Clock) -> Allowance {
        let engine = self.setting.engine(side);
        Allowance {
            budget: clock.budget(),
            margin: Duration::from_millis(engine.margin),
            stop_after: engine.limit.infinite.map(Duration::from_millis),
        }
    }

    /// One `go` for the whole series.
    async fn ask_series(
        &mut self,
        side: Color,
        engine: &mut Engine,
    ) -> Result<(Vec<Move>, Answer), Trouble> {
        let own = &self.clocks[side.fold_wb(0, 1)];
        let [white, black] = &self.clocks;
        let go = go_command(&self.setting.engine(side).limit, own, [white, black]);
        self.request.clear();
        self.request
            .extend_from_slice(self.series_text.command().as_bytes());
        self.request.push(b'\n');
        self.request.extend_from_slice(go.as_bytes());
        self.request.push(b'\n');
        let position = self.game.position();
        let legal = |answer: &str| referee::judge_series(position, answer).is_ok();
        let answer = engine
            .think(&self.request, self.allowance(side, own), legal)
            .await?;
        let moves = referee::judge_series(self.game.position(), &answer.moves)?;
        Ok((moves, answer))
    }

    /// One `go` for each move of the series, all of them on one budget.
    async fn ask_moves(
        &mut self,
        side: Color,
        engine: &mut Engine,
    ) -> Result<(Vec<Move>, Answer), Trouble> {
        let mut position = *self.game.position();
        let turn = position.turn();
        let mut text = self.alternating_text.clone();
        let (mut moves, mut texts) = (Vec::new(), Vec::new());
        let mut clocks = self.clocks.clone();
        let own = side.fold_wb(0, 1);
        let mut whole = Answer {
            moves: String::new(),
            used: Duration::ZERO,
            lag: Duration::ZERO,
            info: Info::default(),
        };
        loop {
            clocks[own] = self.clocks[own].part_spent(whole.used);
            let go = go_command(
                &self.setting.engine(side).limit,
                &clocks[own],
                [&clocks[0], &clocks[1]],
            );
            let request = format!("{}\n{go}\n", text.command());
            let mut allowance = self.allowance(side, &clocks[own]);
            // What earlier moves have taken of the margin is gone for the later ones.
            let borrowed = self.clocks[own]
                .budget()
                .map(|budget| whole.used.saturating_sub(budget));
            allowance.margin = allowance
                .margin
                .saturating_sub(borrowed.unwrap_or_default());
            let legal = |answer: &str| referee::judge_move(&position, &texts, answer).is_ok();
            let answer = engine.think(request.as_bytes(), allowance, legal).await?;
            let m = referee::judge_move(&position, &texts, &answer.moves)?;
            texts.push(answer.moves);
            whole.used += answer.used;
            whole.lag += answer.lag;
            let nodes = [whole.info.nodes, answer.info.nodes]
                .into_iter()
                .flatten()
                .fold(0, u64::saturating_add);
            whole.info = Info {
                nodes: (nodes > 0).then_some(nodes),
                ..answer.info
            };
            position.play(m);
            moves.push(m);
            if position.turn() != turn || matches!(position.status(), Status::Over(_)) {
                whole.moves = texts.join(" ");
                return Ok((moves, whole));
            }
            text.add_within_series(m);
        }
    }
}
