//! The session: what the client has said so far, and what follows from the next event.

use std::{collections::VecDeque, sync::Arc, time::Instant};

use super::{
    answers::{self, Plan},
    bench::BENCH_NODES,
    display,
    go::{is_endless, order},
    place::{Place, PlaceError},
    settings::{Change, EngineSettings, Turns},
    shelf::{Advice, BookRead, Shelf},
    spelling,
    thinning::Thinning,
    worker::Job,
};
use crate::{
    protocol::{
        CecpReply, Command, GoRequest, LINE_MAX, Line, PositionRequest, Reply, options, parse_line,
    },
    rules::{Move, Status},
    search::{self, Answer, Progress, Report, Signals},
    version,
};

/// The deepest perft; more would never end.
const PERFT_MAX: u32 = 100;
/// How many commands wait while a search is being stopped.
const QUEUE_MAX: usize = 10_000;

/// Something that happens to the session.
#[derive(Debug)]
pub enum Event {
    /// A line of input.
    Line(Line),
    /// The end of input; it means `quit`.
    InputEnded,
    /// The search reports a line of play.
    Report(Report),
    /// The search tells how far it is.
    Progress(Progress),
    /// The search has found the opponent's mate after a series of the side on turn.
    Refutation {
        /// The series.
        series: Vec<Move>,
        /// The mate.
        mate: Vec<Move>,
    },
    /// The search has found what the opponent would mate with if the side on turn passed.
    Threat(Vec<Move>),
    /// The search has ended.
    Answer(Answer),
    /// Other work has something to say.
    Output(Reply),
    /// Other work has ended, with its last words.
    Done(Reply),
    /// An opening book has been read.
    Book(Box<BookRead>),
    /// The searcher has taken new settings, or has forgotten everything, or a book was read.
    Prepared,
    /// It is known now what comes of a game at the quiet limit.
    Settled {
        /// Whether it is drawn; else it goes on.
        is_draw: bool,
    },
    /// The work broke off.
    Failed,
}

/// Something the session wants done.
#[derive(Debug)]
pub enum Effect {
    /// Write this.
    Send(Reply),
    /// Write this; only to a CECP client.
    Tell(CecpReply),
    /// Give this to the worker.
    Start(Job),
    /// The client has quit: end as soon as the running work has ended.
    Quit,
    /// End now.
    Exit,
}

/// What an ended search says, and what it stood on.
#[derive(Debug)]
struct Task {
    signals: Arc<Signals>,
    kind: TaskKind,
    begun: Instant,
    hold: Hold,
    is_stopping: bool,
    thinning: Thinning,
    /// The same for refutations, which are many more.
    refutations: Thinning,
    /// The last words, once they are known and must still be held back.
    last: Option<Vec<Reply>>,
}

#[derive(Debug)]
enum TaskKind {
    /// A search that owes a `bestmove`.
    Search {
        place: Box<Place>,
        /// Legal first moves, for an answer in need.
        first_moves: Vec<Move>,
    },
    /// Perft or bench.
    Other(&'static str),
}

/// Until when an ended search stays silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    No,
    UntilStop,
    UntilPonderHit,
}

/// A conversation with one client.
#[derive(Debug)]
pub struct Session {
    settings: EngineSettings,
    shelf: Shelf,
    /// The last `position` that could be carried out.
    request: PositionRequest,
    /// What it led to, under the rules of that time.
    place: Option<Place>,
    /// Whether the next position belongs to another game than the place.
    is_new_game: bool,
    /// In alternating mode: the rest of the series under way, and the position it belongs to.
    plan: Option<Plan>,
    task: Option<Task>,
    /// How many times the searcher is still to take settings or to forget everything: large tables
    /// take seconds.
    preparing: usize,
    /// Answers to `isready` that are owed when it has.
    owed_ready: usize,
    /// Whether the opening book is being read: what comes then waits, in its order.
    is_reading_book: bool,
    /// Commands that came while a search was being stopped or the book was being read.
    queue: VecDeque<Command>,
    has_quit: bool,
    effects: Vec<Effect>,
    now: Instant,
}

impl Session {
    /// A session that begins at `now`.
    pub fn new(now: Instant) -> Session {
        Session {
            settings: EngineSettings::default(),
            shelf: Shelf::default(),
            request: PositionRequest::default(),
            place: None,
            is_new_game: false,
            plan: None,
            task: None,
            preparing: 0,
            owed_ready: 0,
            is_reading_book: false,
            queue: VecDeque::new(),
            has_quit: false,
            effects: Vec::new(),
            now,
        }
    }

    /// Takes an event that happens at `now`; returns what is to be done, in order.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Effect> {
        self.now = now;
        match event {
            Event::Line(_) if self.has_quit => {}
            Event::Line(Line::Text(text)) => match parse_line(&text) {
                Ok(None) => {}
                Ok(Some(command)) => self.take(command),
                Err(error) => self.error(error.to_string()),
            },
            Event::Line(Line::TooLong) => self.error(format!(
                "a line longer than {LINE_MAX} bytes was thrown away (expected shorter lines)"
            )),
            Event::InputEnded => self.take(Command::Quit),
            Event::Report(report) => self.report(&report),
            Event::Progress(progress) => self.comment(|place, settings| {
                Reply::Progress(spelling::progress(&progress, place, settings))
            }),
            Event::Refutation { series, mate } => self.refutation(&[series, mate]),
            Event::Threat(series) => {
                self.comment(|_, settings| Reply::Threat(spelling::series_text(&series, settings)));
            }
            Event::Answer(answer) => self.answered(&answer),
            Event::Output(reply) => self.send(reply),
            Event::Done(reply) => self.finished(vec![reply]),
            Event::Book(read) => match self.shelf.take(*read) {
                Ok(note) => self.send(Reply::Note(note)),
                Err(error) => self.error(error),
            },
            Event::Prepared => self.prepared(),
            // Only CECP clients are told what comes of the quiet limit.
            Event::Settled { .. } => {}
            Event::Failed => self.failed(),
        }
        std::mem::take(&mut self.effects)
    }

    fn send(&mut self, reply: Reply) {
        self.effects.push(Effect::Send(reply));
    }

    fn error(&mut self, text: String) {
        self.send(Reply::Error(text));
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Quit if self.is_reading_book => {
                // Who says all at once and leaves still gets what the book answers, if it is soon.
                self.queue.push_back(Command::Quit);
                self.effects.push(Effect::Quit);
            }
            Command::Quit => self.quit(),
            command if self.must_wait(&command) => {
                if self.queue.len() < QUEUE_MAX {
                    self.queue.push_back(command);
                } else {
                    self.error(format!(
                        "'{command}' dropped: too many commands while the engine is busy"
                    ));
                }
            }
            Command::Uci => self.handshake(),
            Command::IsReady if self.preparing > 0 => self.owed_ready += 1,
            Command::IsReady => self.send(Reply::ReadyOk),
            Command::Debug(_) | Command::Register => {}
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Display => self.display(),
            Command::Evaluate => self.evaluate(),
            command => match &self.task {
                Some(task) => {
                    let what = task.name();
                    let verb = command.to_string();
                    let verb = verb.split(' ').next().unwrap_or_default().to_owned();
                    self.error(format!("{verb} while {what} runs (expected stop first)"));
                }
                None => self.take_when_idle(command),
            },
        }
    }

    /// While a search is being stopped, or the book is being read, commands keep their order and
    /// wait for the end of that.
    fn must_wait(&self, command: &Command) -> bool {
        if self.is_reading_book {
            return !matches!(command, Command::Uci | Command::IsReady);
        }
        self.task.as_ref().is_some_and(|task| task.is_stopping)
            && (*command != Command::IsReady || !self.queue.is_empty())
    }

    /// Carries out what had to wait.
    fn take_queue(&mut self) {
        for command in std::mem::take(&mut self.queue) {
            if !self.has_quit {
                self.take(command);
            }
        }
    }

    fn take_when_idle(&mut self, command: Command) {
        match command {
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.plan = None;
                self.is_new_game = true;
                self.prepare(Job::Clear);
            }
            Command::Position(request) => self.set_position(request),
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => self.perft(depth),
            Command::Bench(nodes) => {
                let signals = self.begin(TaskKind::Other("bench"), Hold::No);
                let nodes = nodes.unwrap_or(BENCH_NODES);
                self.effects.push(Effect::Start(Job::Bench(nodes, signals)));
            }
            _ => {}
        }
    }

    fn handshake(&mut self) {
        self.send(Reply::Handshake {
            name: format!("{} {}", version::NAME, version::VERSION),
            author: "the Seriatim authors".to_owned(),
            options: options::table(),
        });
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.settings.set(name, value) {
            Ok(Change::Nothing) => {}
            Ok(Change::Search) => {
                self.prepare(Job::Configure(self.settings.search));
            }
            Ok(Change::Clear) => self.prepare(Job::Clear),
            Ok(Change::Book) => {
                self.shelf = Shelf::default();
                if let Some(source) = self.settings.book() {
                    self.is_reading_book = true;
                    self.prepare(Job::Book(source));
                }
            }
            Err(error) => self.error(error.to_string()),
        }
    }

    fn prepare(&mut self, job: Job) {
        self.preparing += 1;
        self.effects.push(Effect::Start(job));
    }

    fn prepared(&mut self) {
        self.preparing -= 1;
        if self.preparing == 0 {
            self.say_ready();
            if std::mem::take(&mut self.is_reading_book) {
                self.take_queue();
            }
        }
    }

    fn say_ready(&mut self) {
        for _ in 0..std::mem::take(&mut self.owed_ready) {
            self.send(Reply::ReadyOk);
        }
    }

    fn set_position(&mut self, request: PositionRequest) {
        let found = Place::find(
            &request,
            self.settings.rules,
            self.settings.turns,
            self.place.as_ref().filter(|_| !self.is_new_game),
        );
        match found {
            Ok(place) => {
                self.request = request;
                self.is_new_game = false;
                self.place = Some(place);
            }
            Err(error) => self.error(error.to_string()),
        }
    }

    /// The place under the rules now in force: options may have changed since it was given.
    fn current_place(&mut self) -> Result<Place, PlaceError> {
        let (rules, turns) = (self.settings.rules, self.settings.turns);
        if let Some(place) = &self.place
            && *place.game.position().rules() == rules
            && place.turns == turns
        {
            return Ok(place.clone());
        }
        let place = Place::find(&self.request, rules, turns, None)?;
        self.place = Some(place.clone());
        Ok(place)
    }

    fn with_place(&mut self, show: impl FnOnce(&Place, &EngineSettings) -> String) {
        match self.current_place() {
            Ok(place) => {
                let text = show(&place, &self.settings);
                self.send(Reply::Text(text));
            }
            Err(error) => self.error(error.to_string()),
        }
    }

    fn display(&mut self) {
        self.with_place(display::display);
    }

    fn evaluate(&mut self) {
        self.with_place(|place, _| display::evaluation(place));
    }

    fn begin(&mut self, kind: TaskKind, hold: Hold) -> Arc<Signals> {
        let signals = Arc::new(Signals::new(hold == Hold::UntilPonderHit));
        self.task = Some(Task {
            signals: Arc::clone(&signals),
            kind,
            begun: self.now,
            hold,
            is_stopping: false,
            thinning: Thinning::default(),
            refutations: Thinning::default(),
            last: None,
        });
        signals
    }

    fn perft(&mut self, depth: u32) {
        if depth > PERFT_MAX {
            self.error(format!("perft {depth} (expected 0..{PERFT_MAX})"));
            return;
        }
        match self.current_place() {
            Ok(place) => {
                let signals = self.begin(TaskKind::Other("perft"), Hold::No);
                self.effects.push(Effect::Start(Job::Perft {
                    position: Box::new(*place.game.position()),
                    depth,
                    castling: self.settings.castling,
                    signals,
                }));
            }
            Err(error) => self.error(error.to_string()),
        }
    }

    fn go(&mut self, go: &GoRequest) {
        let place = match self.current_place() {
            Ok(place) => place,
            Err(error) => return self.error(error.to_string()),
        };
        let hold = if go.ponder {
            Hold::UntilPonderHit
        } else if is_endless(go) {
            Hold::UntilStop
        } else {
            Hold::No
        };
        let request = match order(go, &place, &self.settings, self.now) {
            Ok(request) => request,
            Err(error) => return self.error(error.to_string()),
        };
        if let Status::Over(outcome) = place.game.status() {
            self.begin_search(place, Vec::new(), hold);
            return self.finished(answers::over(outcome));
        }
        if place.is_waiting {
            let words = answers::pass(&place, self.plan.as_ref(), &self.settings);
            self.begin_search(place, Vec::new(), hold);
            return self.finished(words);
        }
        let planned = self.planned(&place, go);
        let booked = match planned {
            None => self.booked(&place, go, &request.first_moves),
            Some(_) => None,
        };
        let signals = self.begin_search(place, request.first_moves.clone(), hold);
        if let Some(answer) = planned {
            return self.answered(&answer);
        }
        if let Some(advice) = booked {
            self.send(Reply::Note(advice.note));
            return self.answered(&advice.answer);
        }
        self.effects
            .push(Effect::Start(Job::Search(Box::new(request), signals)));
    }

    /// What the opening book says, where the command leaves the choice to the engine.
    fn booked(&mut self, place: &Place, go: &GoRequest, first_moves: &[Move]) -> Option<Advice> {
        let is_free = go.first_moves.is_empty()
            && go.series.is_empty()
            && !go.ponder
            && go.mate.is_none()
            && !is_endless(go);
        if !is_free {
            return None;
        }
        match self.shelf.advice(place, first_moves, &self.settings) {
            Ok(advice) => advice,
            Err(error) => {
                self.error(error);
                None
            }
        }
    }

    /// In alternating mode, while the game follows the plan, its next move is the answer.
    fn planned(&self, place: &Place, go: &GoRequest) -> Option<Answer> {
        let wants_plan = self.settings.turns == Turns::Alternating
            && self.settings.lines == 1
            && go.first_moves.is_empty();
        let report = self.plan.as_ref().filter(|_| wants_plan)?.at(place)?;
        Some(Answer {
            lines: vec![report.clone()],
        })
    }

    fn begin_search(&mut self, place: Place, first_moves: Vec<Move>, hold: Hold) -> Arc<Signals> {
        let place = Box::new(place);
        self.begin(TaskKind::Search { place, first_moves }, hold)
    }

    fn report(&mut self, report: &Report) {
        let Some(task) = &mut self.task else { return };
        let TaskKind::Search { place, .. } = &task.kind else {
            return;
        };
        if task.thinning.admits(report.line, report.elapsed) {
            let info = spelling::info(report, place, &self.settings);
            self.send(Reply::Info(info));
        }
    }

    /// Something to tell about the search that runs.
    fn comment(&mut self, reply: impl FnOnce(&Place, &EngineSettings) -> Reply) {
        let Some(Task {
            kind: TaskKind::Search { place, .. },
            ..
        }) = &self.task
        else {
            return;
        };
        let reply = reply(place, &self.settings);
        self.send(reply);
    }

    fn refutation(&mut self, line: &[Vec<Move>; 2]) {
        let Some(task) = &mut self.task else { return };
        let elapsed = self.now.saturating_duration_since(task.begun);
        if task.refutations.admits(0, elapsed) {
            self.comment(|place, settings| {
                Reply::Refutation(spelling::flat_text(place, line, settings))
            });
        }
    }

    /// The search has ended: its best lines once more, then the best series.
    fn answered(&mut self, answer: &Answer) {
        let Some(Task {
            kind: TaskKind::Search { place, .. },
            ..
        }) = &self.task
        else {
            return;
        };
        let replies = answers::found(place, answer, &self.settings);
        self.plan = Plan::of(place, answer);
        self.finished(replies);
    }

    /// The running work has ended with these last words.
    fn finished(&mut self, last: Vec<Reply>) {
        let Some(task) = &mut self.task else { return };
        if task.hold != Hold::No && !task.is_stopping {
            task.last = Some(last);
            return;
        }
        self.task = None;
        for reply in last {
            self.send(reply);
        }
        if self.has_quit {
            self.effects.push(Effect::Exit);
            return;
        }
        self.take_queue();
    }

    /// The work broke off. A search still owes a legal series.
    fn failed(&mut self) {
        self.error("the engine failed at its work and begins anew (please report this)".to_owned());
        let Some(task) = &self.task else { return };
        match &task.kind {
            TaskKind::Other(_) => self.finished(Vec::new()),
            TaskKind::Search { place, first_moves } => {
                let answer = search::quick_answer(place.game.position(), first_moves);
                self.answered(&answer);
            }
        }
    }

    fn stop(&mut self) {
        let Some(task) = &mut self.task else { return };
        task.is_stopping = true;
        task.signals.stop();
        if let Some(last) = task.last.take() {
            self.finished(last);
        }
    }

    fn ponder_hit(&mut self) {
        let Some(task) = &mut self.task else { return };
        if task.hold != Hold::UntilPonderHit {
            return;
        }
        task.hold = Hold::No;
        task.signals.ponder_hit();
        if let Some(last) = task.last.take() {
            self.finished(last);
        }
    }

    fn quit(&mut self) {
        if self.has_quit {
            return;
        }
        self.has_quit = true;
        self.queue.clear();
        // Who says all at once and leaves does not wait for tables that nobody will use.
        self.say_ready();
        if self.task.is_none() {
            self.effects.push(Effect::Exit);
        } else {
            self.effects.push(Effect::Quit);
            self.stop();
        }
    }
}

impl Task {
    fn name(&self) -> &'static str {
        match self.kind {
            TaskKind::Search { .. } => "a search",
            TaskKind::Other(name) => name,
        }
    }
}

#[cfg(test)]
mod tests;
