//! One page: reads its messages, answers them in order, and owns its engines.

use std::{path::PathBuf, sync::Arc, time::Duration};

use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket};
use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinHandle},
};

use super::{
    BoardError,
    ask::{Ask, Clocks, GameText, LINES_MAX, Message, Seat, read_message},
    link::{Job, Link, Order, Replies},
    problems,
    reply::{Answer, Hello, PresetText, Reply, SwitchText},
    score_sheet::{self, Tree},
    server::Shared,
    strength::{FULL_TIME, STRENGTHS, Strength},
    view::{self, passed, read_rules, replay},
    watch::{Watcher, find},
};
use crate::{
    matches::config::{EngineConfig, Variant},
    rules::{Game, Preset, Switch},
};

/// How many answers may wait for a slow page.
const ANSWERS_MAX: usize = 256;
/// How often a match is looked at.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);
/// How long a page may take to accept an answer.
const SEND_PATIENCE: Duration = Duration::from_secs(30);
/// The longest time a clock may show, milliseconds.
const CLOCK_MAX: u64 = 24 * 3600 * 1000;
/// "Try again later", as a close code.
const TRY_LATER: u16 = 1013;

/// Serves one page until it leaves.
pub async fn run(mut socket: WebSocket, shared: Arc<Shared>) {
    let Ok(_place) = Arc::clone(&shared.sessions).try_acquire_owned() else {
        let text = "Too many pages of the board are open: close one and reload.".to_owned();
        // A page that is gone already needs no answer.
        let _ = send(&mut socket, &answer(0, Reply::Error { text })).await;
        let _ = socket
            .send(Frame::Close(Some(CloseFrame {
                code: TRY_LATER,
                reason: "too many pages".into(),
            })))
            .await;
        return;
    };
    let (replies, mut waiting) = mpsc::channel(ANSWERS_MAX);
    let mut session = Session {
        shared,
        replies,
        seats: [const { None }; Seat::COUNT],
        watching: None,
        hinting: None,
    };
    loop {
        let sent = tokio::select! {
            biased;
            Some(answer) = waiting.recv() => send(&mut socket, &answer).await,
            frame = socket.recv() => match frame {
                None | Some(Ok(Frame::Close(_))) => break,
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => Ok(()),
                Some(Ok(Frame::Text(text))) => match read_message(&text) {
                    Ok(message) => match session.take(message).await {
                        Some(answer) => send(&mut socket, &answer).await,
                        None => Ok(()),
                    },
                    Err((id, error)) => send(&mut socket, &failed(id, &error)).await,
                },
                Some(Ok(Frame::Binary(_))) => {
                    let error = BoardError::new("a binary message: expected text");
                    send(&mut socket, &failed(0, &error)).await
                }
                Some(Err(error)) => {
                    let error = BoardError(format!("the message cannot be read: {error}"));
                    let _ = send(&mut socket, &failed(0, &error)).await;
                    break;
                }
            },
        };
        if sent.is_err() {
            break;
        }
    }
}

fn answer(id: u32, reply: Reply) -> Answer {
    Answer { id, reply }
}

fn failed(id: u32, error: &BoardError) -> Answer {
    answer(
        id,
        Reply::Error {
            text: error.to_string(),
        },
    )
}

async fn send(socket: &mut WebSocket, answer: &Answer) -> Result<(), axum::Error> {
    let text = serde_json::to_string(answer).map_err(axum::Error::new)?;
    let sent = socket.send(Frame::Text(text.into()));
    // A page that takes nothing keeps its place no longer.
    tokio::time::timeout(SEND_PATIENCE, sent)
        .await
        .map_err(axum::Error::new)?
}

/// Something that ends with its owner.
struct Task(AbortHandle);

impl Task {
    fn is_running(&self) -> bool {
        !self.0.is_finished()
    }
}

impl From<JoinHandle<()>> for Task {
    fn from(handle: JoinHandle<()>) -> Task {
        Task(handle.abort_handle())
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

struct Session {
    shared: Arc<Shared>,
    replies: Replies,
    seats: [Option<Link>; Seat::COUNT],
    watching: Option<Task>,
    hinting: Option<Task>,
}

impl Session {
    /// Takes a message; `None` if the answer comes later.
    async fn take(&mut self, message: Message) -> Option<Answer> {
        let id = message.id;
        match self.reply(id, message.ask).await {
            Ok(reply) => reply.map(|reply| answer(id, reply)),
            Err(error) => Some(failed(id, &error)),
        }
    }

    async fn reply(&mut self, id: u32, ask: Ask) -> Result<Option<Reply>, BoardError> {
        Ok(Some(match ask {
            Ask::Hello {} => Reply::Hello(Box::new(self.hello().await?)),
            Ask::View { game } => {
                aside(move || Ok(Reply::View(Box::new(view::view(&replay(&game)?))))).await?
            }
            Ask::Read { game, text } => {
                match aside(move || view::read_moves(&game, &text)).await? {
                    Ok(moves) => Reply::Read {
                        moves,
                        text: String::new(),
                    },
                    Err(text) => Reply::Read {
                        moves: Vec::new(),
                        text,
                    },
                }
            }
            Ask::Play {
                game,
                seat,
                engine,
                level,
                seed,
                clocks,
            } => {
                let mut job = self.play(id, game, engine, level, clocks).await?;
                job.seed = seed.into();
                self.order(seat, Order::Think(Box::new(job)))?;
                return Ok(None);
            }
            Ask::Analyse {
                game,
                engine,
                lines,
                threat,
                time,
            } => {
                let job = self.analyse(id, game, engine, lines, threat, time).await?;
                self.order(Seat::Analysis, Order::Think(Box::new(job)))?;
                return Ok(None);
            }
            Ask::Stop { seat } => {
                self.order(seat, Order::Stop)?;
                Reply::Stopped {}
            }
            Ask::MoveNow { seat } => {
                self.order(seat, Order::MoveNow)?;
                Reply::Stopped {}
            }
            Ask::Import { pgn, rules } => {
                let (games, errors) = aside(move || score_sheet::import(&pgn, &rules)).await?;
                Reply::Imported { games, errors }
            }
            Ask::Export {
                rules,
                start,
                tags,
                comments,
                moves,
                result,
                form,
            } => {
                let pgn = aside(move || {
                    let tree = Tree {
                        rules: &rules,
                        start: &start,
                        tags: &tags,
                        comments: &comments,
                        moves: &moves,
                        result: &result,
                    };
                    score_sheet::export(tree, form)
                })
                .await?;
                Reply::Exported { pgn }
            }
            Ask::Problems {} => Reply::Problems {
                problems: aside(problems::problems).await?,
            },
            Ask::Hint { game } => {
                self.hint(id, game)?;
                return Ok(None);
            }
            Ask::Watch { source } => {
                self.watch(id, &source).await?;
                return Ok(None);
            }
            Ask::Unwatch {} => {
                self.watching = None;
                Reply::Stopped {}
            }
        }))
    }

    async fn hello(&self) -> Result<Hello, BoardError> {
        let matches = self.matches().await?;
        Ok(Hello {
            program: format!("{} {}", crate::version::NAME, crate::version::VERSION),
            presets: Preset::ALL
                .iter()
                .map(|&preset| preset_text(preset))
                .collect(),
            switches: Switch::ALL
                .iter()
                .map(|&switch| SwitchText {
                    name: switch.name(),
                    values: switch.values(),
                })
                .collect(),
            engines: names(&self.shared.engines),
            levels: STRENGTHS.iter().map(|strength| strength.name).collect(),
            matches: matches.into_iter().map(|(name, _)| name).collect(),
        })
    }

    /// The matches there are to watch now, by name.
    async fn matches(&self) -> Result<Vec<(String, PathBuf)>, BoardError> {
        let named = self.shared.watch.clone();
        aside(move || {
            Ok(find(&named)
                .into_iter()
                .map(|path| (path.display().to_string(), path))
                .collect())
        })
        .await
    }

    fn order(&mut self, seat: Seat, order: Order) -> Result<(), BoardError> {
        let shared = &self.shared;
        let link = match (&mut self.seats[seat as usize], &order) {
            (Some(link), _) => link,
            (empty, Order::Think(_)) => empty.insert(Link::new(
                self.replies.clone(),
                shared.surroundings.clone(),
                Arc::clone(&shared.processes),
            )),
            // Nothing runs that could be stopped.
            (None, _) => return Ok(()),
        };
        if link.order(order) {
            Ok(())
        } else {
            Err(BoardError::new(
                "the engine has too many orders already: wait",
            ))
        }
    }

    fn engine(&self, index: usize) -> Result<EngineConfig, BoardError> {
        self.shared.engines.get(index).cloned().ok_or_else(|| {
            BoardError(format!(
                "engine {index}: expected 0..{}",
                self.shared.engines.len() - 1
            ))
        })
    }

    async fn play(
        &self,
        id: u32,
        text: GameText,
        engine: usize,
        level: usize,
        clocks: Option<Clocks>,
    ) -> Result<Job, BoardError> {
        let mut engine = self.engine(engine)?;
        let strength = STRENGTHS.get(level).ok_or_else(|| {
            BoardError(format!(
                "level {level}: expected 0..{}",
                STRENGTHS.len() - 1
            ))
        })?;
        let go = go(strength, clocks)?;
        let (game, variant) = aside(move || open_game(&text)).await?;
        engine.options = vec![
            format!("Skill Level={}", strength.skill),
            "Seed={seed}".to_owned(),
            "MultiPV=1".to_owned(),
        ];
        Ok(job(id, engine, variant, &game, go, true))
    }

    async fn analyse(
        &self,
        id: u32,
        text: GameText,
        engine: usize,
        lines: u32,
        threat: bool,
        time: Option<u64>,
    ) -> Result<Job, BoardError> {
        let mut engine = self.engine(engine)?;
        if !(1..=LINES_MAX).contains(&lines) {
            return Err(BoardError(format!(
                "{lines} lines: expected 1..{LINES_MAX}"
            )));
        }
        let (game, variant) = aside(move || {
            let (game, variant) = open_game(&text)?;
            Ok(if threat {
                (Game::new(passed(game.position())?), variant)
            } else {
                (game, variant)
            })
        })
        .await?;
        if game.position().board_outcome().is_some() {
            return Err(BoardError::new("the game is over here"));
        }
        engine.options = vec![
            "Level=full".to_owned(),
            format!("MultiPV={lines}"),
            "Hash=64".to_owned(),
        ];
        let mut job = job(id, engine, variant, &game, "go infinite".to_owned(), false);
        job.stop_after = time.map(|time| Duration::from_millis(time.min(CLOCK_MAX)));
        Ok(job)
    }

    /// Looks for a hint while the page goes on asking; for one at a time.
    fn hint(&mut self, id: u32, game: GameText) -> Result<(), BoardError> {
        if self.hinting.as_ref().is_some_and(Task::is_running) {
            return Err(BoardError::new("a hint is being looked for already: wait"));
        }
        let (hints, replies) = (Arc::clone(&self.shared.hints), self.replies.clone());
        let task = tokio::spawn(async move {
            // Without a place there are no hints any more: the server ends.
            let Ok(place) = hints.acquire_owned().await else {
                return;
            };
            let found = aside(move || {
                let _place = place;
                Ok(problems::hint(&replay(&game)?))
            });
            let found = match found.await {
                Ok((moves, text)) => answer(id, Reply::Hint { moves, text }),
                Err(error) => failed(id, &error),
            };
            // The page may be gone.
            let _ = replies.send(found).await;
        });
        self.hinting = Some(task.into());
        Ok(())
    }

    /// Follows a match; only what is listed is ever read.
    async fn watch(&mut self, id: u32, source: &str) -> Result<(), BoardError> {
        let matches = self.matches().await?;
        let Some((_, path)) = matches.iter().find(|(name, _)| name == source) else {
            return Err(BoardError(format!(
                "there is no match '{source}' to watch; name one with --watch"
            )));
        };
        let replies = self.replies.clone();
        self.watching = Some(tokio::spawn(watch(id, Watcher::new(path), replies)).into());
        Ok(())
    }
}

/// Follows a match until aborted. What cannot be read now may be readable soon: a match that has
/// not begun yet, for instance.
async fn watch(id: u32, mut watcher: Watcher, replies: Replies) {
    let mut said = None;
    loop {
        let looked = tokio::task::spawn_blocking(move || {
            let looked = watcher.look();
            (watcher, looked)
        })
        .await;
        let Ok((same, looked)) = looked else {
            let text = "the board failed over this match; please report it".to_owned();
            // The page may be gone; this task ends anyway.
            let _ = replies.send(answer(id, Reply::Error { text })).await;
            return;
        };
        watcher = same;
        let reply = match looked {
            Ok(None) => None,
            Ok(Some(view)) => {
                said = None;
                Some(Reply::Match(Box::new(view)))
            }
            Err(error) => {
                let text = format!("{error:#}");
                (said.as_ref() != Some(&text)).then(|| {
                    said = Some(text.clone());
                    Reply::Error { text }
                })
            }
        };
        if let Some(reply) = reply
            && replies.send(answer(id, reply)).await.is_err()
        {
            return;
        }
        tokio::time::sleep(WATCH_INTERVAL).await;
    }
}

/// Does what takes time away from the thread that serves everybody.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BoardError> + Send + 'static,
) -> Result<T, BoardError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(BoardError::new(
            "the board failed over this; please report it",
        ))
    })
}

fn names(engines: &[EngineConfig]) -> Vec<String> {
    engines.iter().map(|engine| engine.name.clone()).collect()
}

fn preset_text(preset: Preset) -> PresetText {
    let rules = preset.rules();
    PresetText {
        name: preset.as_str(),
        summary: preset.summary().to_owned(),
        values: Switch::ALL
            .iter()
            .map(|switch| (switch.name(), switch.get(&rules)))
            .collect(),
    }
}

fn open_game(text: &GameText) -> Result<(Game, Variant), BoardError> {
    Ok((replay(text)?, read_rules(&text.rules)?))
}

fn job(
    id: u32,
    engine: EngineConfig,
    variant: Variant,
    game: &Game,
    go: String,
    plays: bool,
) -> Job {
    Job {
        id,
        engine,
        variant,
        seed: 0,
        start: *game.start(),
        moves: game.series().iter().flatten().copied().collect(),
        position: *game.position(),
        go,
        stop_after: None,
        plays,
    }
}

/// The `go` line of a playing engine.
fn go(strength: &Strength, clocks: Option<Clocks>) -> Result<String, BoardError> {
    let mut words = vec!["go".to_owned()];
    if let Some(clocks) = clocks {
        let (white, black, increment) = (clocks.white, clocks.black, clocks.increment);
        if [white, black, increment]
            .iter()
            .any(|&time| time > CLOCK_MAX)
        {
            return Err(BoardError(format!(
                "a clock shows more than {CLOCK_MAX} milliseconds"
            )));
        }
        words.push(format!("wtime {} btime {}", white.max(1), black.max(1)));
        words.push(format!("winc {increment} binc {increment}"));
    } else if strength.nodes.is_none() {
        words.push(format!("movetime {FULL_TIME}"));
    }
    if let Some(nodes) = strength.nodes {
        words.push(format!("nodes {nodes}"));
    }
    Ok(words.join(" "))
}
