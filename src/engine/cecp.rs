//! A session with an XBoard or WinBoard client, which knows alternating chess and passes.
//!
//! Like [`super::Session`] it is a pure state machine: events in, effects out. Between the moves
//! of its own series the engine passes for its human opponent, whose board would else wait for
//! him, and for itself while his series runs; against another engine (`computer`) each side
//! passes for itself. The engine is also the referee: it says when the game is over.

mod clock;
mod record;
mod thinking;
mod variant;

use std::{collections::VecDeque, time::Instant};

use super::{
    answers::Plan,
    go::order,
    place::Place,
    session::{Effect, Event},
    settings::{Change, EngineSettings, Turns},
    shelf::Shelf,
    spelling,
    worker::Job,
};
use crate::{
    notation::{PassText, uci_text},
    protocol::{
        CecpCommand, CecpOption, CecpReply, LINE_MAX, Line,
        options::{self, OptionKey, OptionKind},
        parse_cecp_line,
    },
    rules::{Color, Ending, Outcome, RuleSet, SeriesPosition, Status},
    search::{self, Answer, Report, Score},
    version,
};
use clock::TimeControl;
use record::{Ply, Record};
use thinking::{Expected, Purpose, Task, thinking_line};
use variant::{Variant, is_followed};

/// A game that nobody wins in the series after the quiet limit.
const QUIET_DRAW: Outcome = Outcome {
    ending: Ending::QuietDraw,
    winner: None,
};

/// Who plays against the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opponent {
    Human,
    Engine,
}

/// A conversation with one client.
#[derive(Debug)]
pub struct CecpSession {
    settings: EngineSettings,
    shelf: Shelf,
    variant: Variant,
    record: Record,
    /// The side the engine plays; none in force mode and while it analyses.
    side: Option<Color>,
    opponent: Opponent,
    is_analyzing: bool,
    posts: bool,
    ponders: bool,
    clock: TimeControl,
    /// The rest of the own series under way.
    plan: Option<Plan>,
    /// The opponent's series that the last search expects.
    expected: Option<Expected>,
    /// What the last search for a move thought of the game.
    worth: Option<Score>,
    task: Option<Task>,
    /// Searches that were given up and have not answered yet.
    abandoned: usize,
    /// Pings that came while the engine had to move, or its tables were being made.
    pings: Vec<u64>,
    /// How many times the searcher is still to take settings or to forget everything.
    preparing: usize,
    /// While the opening book is being read: the commands that came since.
    held: Option<Vec<CecpCommand>>,
    /// The position at the quiet limit that was settled last, by key, and whether it is drawn.
    settled: Option<(u64, bool)>,
    /// While a position is being settled: the commands that came since.
    waiting: Option<VecDeque<CecpCommand>>,
    effects: Vec<Effect>,
    now: Instant,
}

impl CecpSession {
    /// A session that begins at `now`, with ordinary chess.
    pub fn new(now: Instant) -> CecpSession {
        let mut settings = EngineSettings::default();
        settings.turns = Turns::Alternating;
        settings.pass = PassText::Ats;
        let start = SeriesPosition::start(Variant::Normal.rules(settings.rules));
        CecpSession {
            settings,
            shelf: Shelf::default(),
            variant: Variant::Normal,
            record: Record::at(start),
            side: None,
            opponent: Opponent::Human,
            is_analyzing: false,
            posts: false,
            ponders: false,
            clock: TimeControl::default(),
            plan: None,
            expected: None,
            worth: None,
            task: None,
            abandoned: 0,
            pings: Vec::new(),
            preparing: 0,
            held: None,
            settled: None,
            waiting: None,
            effects: Vec::new(),
            now,
        }
    }

    /// Takes an event that happens at `now`; returns what is to be done, in order.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Effect> {
        self.now = now;
        match event {
            Event::Line(Line::Text(text)) => match parse_cecp_line(&text) {
                Ok(None) => {}
                Ok(Some(command)) => self.take(command),
                Err(error) => self.tell(CecpReply::Line(error.to_string())),
            },
            Event::Line(Line::TooLong) => self.refuse(
                &format!("a line longer than {LINE_MAX} bytes was thrown away"),
                "...",
            ),
            Event::InputEnded => self.take(CecpCommand::Quit),
            Event::Report(report) => self.report(report),
            Event::Answer(answer) => self.answered(answer),
            Event::Book(read) => match self.shelf.take(*read) {
                Ok(note) => self.tell(CecpReply::Comment(note)),
                Err(error) => self.refuse(&error, "option BookFile"),
            },
            Event::Prepared => self.prepared(),
            Event::Settled { is_draw } => self.settle(is_draw),
            Event::Failed => self.failed(),
            // Only UCI asks for other work than searches.
            Event::Output(_)
            | Event::Done(_)
            | Event::Progress(_)
            | Event::Refutation { .. }
            | Event::Threat(_) => {}
        }
        if !self.is_thinking() && self.preparing == 0 {
            self.pong();
        }
        std::mem::take(&mut self.effects)
    }

    fn pong(&mut self) {
        for number in std::mem::take(&mut self.pings) {
            self.tell(CecpReply::Pong(number));
        }
    }

    fn tell(&mut self, reply: CecpReply) {
        self.effects.push(Effect::Tell(reply));
    }

    fn refuse(&mut self, reason: &str, line: &str) {
        self.tell(CecpReply::Error {
            reason: reason.to_owned(),
            line: line.to_owned(),
        });
    }

    fn take(&mut self, command: CecpCommand) {
        if let Some(held) = self.held.as_mut().filter(|_| command != CecpCommand::Quit) {
            return held.push(command);
        }
        if let Some(waiting) = self
            .waiting
            .as_mut()
            .filter(|_| command != CecpCommand::Quit)
        {
            return waiting.push_back(command);
        }
        match command {
            CecpCommand::Greeting | CecpCommand::Talk(_) => {}
            CecpCommand::ProtocolVersion(_) => self.introduce(),
            CecpCommand::New => self.new_game(),
            CecpCommand::Variant(name) => self.set_variant(&name),
            CecpCommand::Force | CecpCommand::Result(_) => {
                self.abandon();
                self.side = None;
            }
            CecpCommand::Go => self.play(self.record.place().client_side()),
            CecpCommand::PlayOther => self.play(!self.record.place().client_side()),
            CecpCommand::Level {
                moves,
                base,
                increment,
            } => {
                let made = self.side.map_or(0, |side| self.record.made_by(side));
                self.clock.set_level(moves, base, increment, made);
            }
            CecpCommand::MoveTime(time) => self.clock.set_move_time(time),
            CecpCommand::Depth(depth) => self.clock.depth = Some(depth.max(1)),
            CecpCommand::Time(time) => self.clock.clocks[0] = Some(time * 10),
            CecpCommand::OpponentTime(time) => self.clock.clocks[1] = Some(time * 10),
            CecpCommand::Move(text) => self.opponent_moves(&text),
            CecpCommand::MoveNow => {
                if let Some(task) = self.task.as_ref().filter(|_| self.is_thinking()) {
                    task.signals.stop();
                }
            }
            CecpCommand::Ping(number) => self.pings.push(number),
            CecpCommand::Draw => {
                let is_worse = self.worth.is_some_and(|worth| worth.rank() < 0);
                if is_worse && self.side.is_some() {
                    self.tell(CecpReply::OfferDraw);
                }
            }
            CecpCommand::SetBoard(fen) => self.set_board(&fen),
            CecpCommand::Undo => self.take_back(1, "undo"),
            CecpCommand::Remove => self.take_back(2, "remove"),
            CecpCommand::Hint => {
                if let Some(m) = self.hint() {
                    self.tell(CecpReply::Hint(m));
                }
            }
            CecpCommand::Book => {
                let lines = self.shelf.lines(self.record.place());
                self.tell(CecpReply::Book(lines));
            }
            CecpCommand::Hard => self.ponders = true,
            CecpCommand::Easy => {
                self.ponders = false;
                if !self.is_thinking() && !self.is_analyzing {
                    self.abandon();
                }
            }
            CecpCommand::Post => self.posts = true,
            CecpCommand::NoPost => self.posts = false,
            CecpCommand::Analyze => {
                self.abandon();
                self.side = None;
                self.is_analyzing = true;
                self.analyze();
            }
            CecpCommand::Exit => {
                self.abandon();
                self.is_analyzing = false;
            }
            CecpCommand::Progress => self.progress(),
            CecpCommand::Computer => self.opponent = Opponent::Engine,
            CecpCommand::Memory(size) => self.set_number(OptionKey::Hash, size),
            CecpCommand::Cores(cores) => self.set_number(OptionKey::Threads, cores),
            CecpCommand::Option { name, value } => self.set_option(&name, value.as_deref()),
            CecpCommand::Quit => {
                self.abandon();
                self.pong();
                self.effects.push(Effect::Exit);
            }
        }
    }

    fn introduce(&mut self) {
        let variants = Variant::all().iter().map(ToString::to_string).collect();
        let options = options::table()
            .into_iter()
            .filter(|spec| is_offered(spec.key))
            .map(CecpOption)
            .collect();
        self.tell(CecpReply::Features {
            name: format!("{} {}", version::NAME, version::VERSION),
            variants,
            options,
        });
    }

    fn rules(&self) -> RuleSet {
        self.variant.rules(self.settings.rules)
    }

    fn new_game(&mut self) {
        self.abandon();
        self.variant = Variant::Normal;
        self.clock.reset();
        self.opponent = Opponent::Human;
        self.side = (!self.is_analyzing).then_some(Color::Black);
        self.prepare(Job::Clear);
        self.restart();
    }

    fn set_variant(&mut self, name: &str) {
        let Some(variant) = Variant::named(name) else {
            let all: Vec<String> = Variant::all().iter().map(ToString::to_string).collect();
            let reason = format!("unknown variant, expected one of {}", all.join(", "));
            return self.refuse(&reason, name);
        };
        let rules = variant.rules(self.settings.rules);
        if let Err(error) = rules.validate() {
            return self.refuse(&format!("variant without meaning: {error}"), name);
        }
        if !is_followed(&rules) {
            let reason = "variant in which men come back or kings are captured: this protocol cannot show it; set option Preset to another one";
            return self.refuse(reason, name);
        }
        self.abandon();
        self.variant = variant;
        self.restart();
        if variant != Variant::Normal {
            let fen = self.record.place().fen();
            self.tell(CecpReply::Setup { fen });
        }
    }

    /// The start of a game under the rules in force.
    fn restart(&mut self) {
        self.record = Record::at(SeriesPosition::start(self.rules()));
        self.forget();
        self.analyze();
    }

    /// Forgets what was thought of the game so far.
    fn forget(&mut self) {
        self.plan = None;
        self.expected = None;
        self.worth = None;
    }

    fn set_board(&mut self, fen: &str) {
        self.abandon();
        // The rules of the game under way: options may have changed since it began.
        let rules = *self.record.place().game.position().rules();
        if let Err(error) = self.record.set_up(fen, rules) {
            return self.tell(CecpReply::UserError(format!("Illegal position: {error}")));
        }
        self.forget();
        self.analyze();
    }

    fn set_number(&mut self, key: OptionKey, number: u32) {
        let Some(spec) = options::table().into_iter().find(|spec| spec.key == key) else {
            return;
        };
        if let OptionKind::Spin { min, max, .. } = spec.kind {
            let number = i64::from(number).clamp(min, max);
            let number = number.to_string();
            self.set(spec.name, Some(&number), &format!("{} {number}", spec.name));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let line = match value {
            Some(value) => format!("option {name}={value}"),
            None => format!("option {name}"),
        };
        let table = options::table();
        let spec = table
            .iter()
            .find(|spec| is_offered(spec.key) && spec.name.eq_ignore_ascii_case(name));
        let Some(spec) = spec else {
            return self.refuse("unknown option, expected one of the features", &line);
        };
        let value = match (&spec.kind, value) {
            (OptionKind::Check { .. }, Some("1")) => Some("true"),
            (OptionKind::Check { .. }, Some("0")) => Some("false"),
            (_, value) => value,
        };
        self.set(spec.name, value, &line);
    }

    /// Sets an option. Options of the rules count from the next `variant` on.
    fn set(&mut self, name: &str, value: Option<&str>, line: &str) {
        match self.settings.set(name, value) {
            Ok(Change::Nothing) => {}
            Ok(Change::Search) => {
                self.prepare(Job::Configure(self.settings.search));
            }
            Ok(Change::Clear) => self.prepare(Job::Clear),
            Ok(Change::Book) => {
                self.shelf = Shelf::default();
                if let Some(source) = self.settings.book() {
                    self.held = Some(Vec::new());
                    self.prepare(Job::Book(source));
                }
            }
            Err(error) => self.refuse(&error.to_string(), line),
        }
    }

    fn prepare(&mut self, job: Job) {
        self.preparing += 1;
        self.effects.push(Effect::Start(job));
    }

    fn prepared(&mut self) {
        self.preparing -= 1;
        if self.preparing == 0 {
            for command in self.held.take().unwrap_or_default() {
                self.take(command);
            }
        }
    }

    fn is_thinking(&self) -> bool {
        self.task
            .as_ref()
            .is_some_and(|task| matches!(task.purpose, Purpose::Play))
    }

    fn opponent_moves(&mut self, text: &str) {
        let ply = if self.is_thinking() {
            Err("it is the engine's turn".to_owned())
        } else {
            self.record.read(text)
        };
        match ply {
            Ok(ply) => {
                self.record.push(ply);
                if self.is_analyzing {
                    self.abandon();
                    self.analyze();
                } else if self.side.is_some() {
                    self.follow_ponder();
                }
            }
            Err(reason) => {
                // XBoard itself shows no reason.
                if self.side.is_some() && self.opponent == Opponent::Human {
                    self.tell(CecpReply::UserError(format!("{text}: {reason}")));
                }
                self.tell(CecpReply::IllegalMove {
                    text: text.to_owned(),
                    reason,
                });
            }
        }
    }

    fn take_back(&mut self, plies: usize, line: &str) {
        let mut record = self.record.clone();
        if !record.take_back(plies) {
            return self.refuse("command not legal now", line);
        }
        self.abandon();
        self.record = record;
        self.analyze();
    }

    fn play(&mut self, side: Color) {
        self.abandon();
        self.is_analyzing = false;
        self.side = Some(side);
        self.advance();
    }

    /// Goes on with the game until somebody has to think: the end, passes, moves of the plan.
    fn advance(&mut self) {
        while let Some(side) = self.side {
            let place = self.record.place();
            let position = place.game.position();
            let over = match place.game.status() {
                Status::Ongoing => None,
                Status::Over(outcome) => Some(outcome),
                Status::QuietLimit => match self.settled {
                    Some((key, is_draw)) if key == position.key() => is_draw.then_some(QUIET_DRAW),
                    _ => {
                        // It takes seconds at worst, in which the client is listened to.
                        let job = Job::Settle(Box::new(*position));
                        self.effects.push(Effect::Start(job));
                        self.waiting = Some(VecDeque::new());
                        return;
                    }
                },
            };
            if let Some(outcome) = over {
                return self.tell(CecpReply::Result {
                    result: outcome.result(),
                    reason: outcome.ending.to_string(),
                });
            }
            let is_ours = place.client_side() == side;
            if place.is_waiting {
                if !is_ours && self.opponent == Opponent::Engine {
                    return;
                }
                self.make(Ply::Pass);
            } else if !is_ours {
                return self.ponder(side);
            } else if let Some(report) = self.plan.as_ref().and_then(|plan| plan.at(place)) {
                let answer = Answer {
                    lines: vec![report.clone()],
                };
                self.play_first_move(&answer);
            } else if self.is_thinking() {
                // A ponder hit.
                return;
            } else {
                return self.think(side);
            }
        }
    }

    /// The game at the quiet limit is settled: it goes on or is over, and then the client's turn
    /// comes again.
    fn settle(&mut self, is_draw: bool) {
        let Some(waiting) = self.waiting.take() else {
            return;
        };
        self.settled = Some((self.record.place().game.position().key(), is_draw));
        self.advance();
        for command in waiting {
            self.take(command);
        }
    }

    /// Makes a ply and tells the client.
    fn make(&mut self, ply: Ply) {
        let text = match ply {
            Ply::Move(m) => uci_text(m, self.settings.castling),
            Ply::Pass => spelling::pass_text(self.record.place().game.position(), &self.settings),
        };
        self.record.push(ply);
        self.tell(CecpReply::Move(text));
    }

    fn play_first_move(&mut self, answer: &Answer) {
        let place = self.record.place();
        self.plan = Plan::of(place, answer);
        let best = answer.lines.first();
        if let Some(&m) = best.and_then(|best| best.pv.first()?.first()) {
            self.make(Ply::Move(m));
        }
    }

    /// What is hoped for or feared next, as a move.
    fn hint(&self) -> Option<String> {
        let place = self.record.place();
        let analysis = self.task.as_ref().and_then(|task| {
            let is_here = matches!(task.purpose, Purpose::Analyze) && !place.is_waiting;
            task.last.as_ref().filter(|_| is_here)?.pv.first()?.first()
        });
        let expected = self.expected.as_ref().and_then(|e| e.next(place));
        analysis
            .copied()
            .or(expected)
            .map(|m| uci_text(m, self.settings.castling))
    }

    fn progress(&mut self) {
        let Some(task) = &self.task else { return };
        let (Purpose::Analyze, Some(last)) = (&task.purpose, &task.last) else {
            return;
        };
        let reply = CecpReply::Progress {
            line: thinking_line(last, &task.place),
            left: last.candidates.saturating_sub(last.verified),
            total: last.candidates,
        };
        self.tell(reply);
    }
}

/// Whether an option is offered to CECP clients: they say otherwise which variant they want, how
/// large tables and how many threads may be, whether to ponder, and that they pass; and what only info
/// lines of UCI can show is left out.
fn is_offered(key: OptionKey) -> bool {
    !matches!(
        key,
        OptionKey::Hash
            | OptionKey::Threads
            | OptionKey::Ponder
            | OptionKey::Variant
            | OptionKey::Chess960
            | OptionKey::ShowWdl
            | OptionKey::ShowRefutations
            | OptionKey::Turns
            | OptionKey::PassNotation
    )
}

#[cfg(test)]
mod tests;
