//! The searches of a CECP session: for a move, on the opponent's time, and analysis.

use std::sync::Arc;

use super::{
    Answer, CecpReply, CecpSession, Color, Effect, Job, Place, Report, Status, order, search,
    spelling,
};
use crate::{
    engine::{shelf::Advice, thinning::Thinning},
    notation::san,
    protocol::{GoRequest, ThinkingLine},
    rules::Move,
    search::Signals,
};

/// What a search is for.
#[derive(Debug)]
pub(super) enum Purpose {
    /// The engine has to move.
    Play,
    /// On the opponent's time, on the position after the series he is expected to play.
    Ponder(Expected),
    /// For a person.
    Analyze,
}

/// A search under way.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) signals: Arc<Signals>,
    pub(super) purpose: Purpose,
    /// The position searched.
    pub(super) place: Box<Place>,
    /// Legal first moves, for an answer in need.
    first_moves: Vec<Move>,
    thinning: Thinning,
    pub(super) last: Option<Report>,
    /// The answer of a search that ended before it was wanted.
    answer: Option<Answer>,
}

/// A series that the opponent is expected to play.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    moves: Vec<Move>,
    /// The keys of the positions before each move, and after the last one.
    keys: Vec<u64>,
}

impl Expected {
    /// The second series of a line of play.
    fn of(place: &Place, report: &Report) -> Option<Expected> {
        let [own, moves, ..] = &report.pv[..] else {
            return None;
        };
        let mut at = *place.game.position();
        for &m in own {
            at.play(m);
        }
        let mut keys = vec![at.key()];
        for &m in moves {
            at.play(m);
            keys.push(at.key());
        }
        Some(Expected {
            moves: moves.clone(),
            keys,
        })
    }

    /// How many of its moves have been played at `place`, if the game follows it.
    fn played(&self, place: &Place) -> Option<usize> {
        let key = place.game.position().key();
        self.keys.iter().position(|&known| known == key)
    }

    /// Its next move at `place`.
    pub(super) fn next(&self, place: &Place) -> Option<Move> {
        self.moves.get(self.played(place)?).copied()
    }

    /// The place after it, seen from its beginning.
    fn end(&self, place: &Place) -> Place {
        let mut place = place.clone();
        for &m in &self.moves {
            if place.is_waiting {
                place.pass();
            }
            place.play(m);
        }
        place
    }
}

/// A report as a line of thinking, in algebraic notation with passes.
pub(super) fn thinking_line(report: &Report, place: &Place) -> ThinkingLine {
    let mut at = place.clone();
    let mut pv = Vec::new();
    for &m in report.pv.iter().flatten() {
        if at.is_waiting {
            pv.push("--".to_owned());
            at.pass();
        }
        pv.push(san(at.game.position(), m));
        at.play(m);
    }
    ThinkingLine {
        depth: report.depth,
        score: spelling::seen_score(report, place),
        milliseconds: report.elapsed.as_millis() as u64,
        nodes: report.nodes,
        pv,
    }
}

impl CecpSession {
    /// Starts a search.
    fn start(&mut self, purpose: Purpose, go: &GoRequest, place: Place) {
        // It fails only for moves and series that the client names, and here it names none.
        let Ok(request) = order(go, &place, &self.settings, self.now) else {
            return;
        };
        let ponders = matches!(purpose, Purpose::Ponder(_));
        let signals = Arc::new(Signals::new(ponders));
        self.task = Some(Task {
            signals: Arc::clone(&signals),
            purpose,
            place: Box::new(place),
            first_moves: request.first_moves.clone(),
            thinning: Thinning::default(),
            last: None,
            answer: None,
        });
        self.effects
            .push(Effect::Start(Job::Search(Box::new(request), signals)));
    }

    fn limits(&self, side: Color, place: &Place) -> GoRequest {
        let made = self.record.made_by(side);
        self.clock.limits(side, made, place)
    }

    /// Searches the engine's next series.
    pub(super) fn think(&mut self, side: Color) {
        self.abandon();
        let place = self.record.place().clone();
        let go = self.limits(side, &place);
        if let Some(advice) = self.booked(&go, &place) {
            self.tell(CecpReply::Comment(advice.note));
            return self.play_answer(&place, &advice.answer);
        }
        self.start(Purpose::Play, &go, place);
    }

    /// What the opening book says.
    fn booked(&mut self, go: &GoRequest, place: &Place) -> Option<Advice> {
        let request = order(go, place, &self.settings, self.now).ok()?;
        match self
            .shelf
            .advice(place, &request.first_moves, &self.settings)
        {
            Ok(advice) => advice,
            Err(error) => {
                self.refuse(&error, "go");
                None
            }
        }
    }

    /// Searches on the opponent's time, if that is wanted and his series can be guessed.
    pub(super) fn ponder(&mut self, side: Color) {
        let place = self.record.place();
        let is_at_start = |e: &Expected| e.played(place) == Some(0);
        let Some(expected) = self.expected.clone().filter(is_at_start) else {
            return;
        };
        if !self.ponders || self.task.is_some() {
            return;
        }
        let end = expected.end(place);
        // What is expected may be no more than the beginning of a series.
        let is_turn = !end.is_waiting && end.client_side() == side;
        if is_turn && matches!(end.game.status(), Status::Ongoing) {
            let go = self.limits(side, &end);
            self.start(Purpose::Ponder(expected), &go, end);
        }
    }

    /// The opponent has moved; if it was what is pondered on, the search is one for a move now.
    pub(super) fn follow_ponder(&mut self) {
        if let Some(task) = &mut self.task
            && let Purpose::Ponder(expected) = &task.purpose
        {
            match expected.played(self.record.place()) {
                None => self.abandon(),
                Some(played) if played == expected.moves.len() => {
                    task.purpose = Purpose::Play;
                    task.signals.ponder_hit();
                    if let Some(answer) = task.answer.take() {
                        return self.finish(&answer);
                    }
                }
                Some(_) => {}
            }
        }
        self.advance();
    }

    /// Begins to analyse, if that is what the client wants.
    pub(super) fn analyze(&mut self) {
        let place = self.record.place();
        if self.is_analyzing && !matches!(place.game.status(), Status::Over(_)) {
            let go = GoRequest {
                infinite: true,
                ..GoRequest::default()
            };
            self.start(Purpose::Analyze, &go, place.clone());
        }
    }

    /// Gives up the search that runs.
    pub(super) fn abandon(&mut self) {
        if let Some(task) = self.task.take() {
            task.signals.stop();
            self.abandoned += usize::from(task.answer.is_none());
        }
    }

    /// A search has ended, in whatever way; true if it is one that was given up.
    fn is_of_abandoned(&mut self) -> bool {
        let is_old = self.abandoned > 0;
        self.abandoned -= usize::from(is_old);
        is_old
    }

    pub(super) fn report(&mut self, report: Report) {
        let Some(task) = self.task.as_mut().filter(|_| self.abandoned == 0) else {
            return;
        };
        let admits = task.thinning.admits(report.line, report.elapsed);
        // On the opponent's time the client would not know where the line begins.
        let is_shown = self.posts && admits && !matches!(task.purpose, Purpose::Ponder(_));
        let line = is_shown.then(|| thinking_line(&report, &task.place));
        if report.line == 0 {
            task.last = Some(report);
        }
        if let Some(line) = line {
            self.tell(CecpReply::Thinking(line));
        }
    }

    pub(super) fn answered(&mut self, answer: Answer) {
        if self.is_of_abandoned() {
            return;
        }
        let Some(task) = &mut self.task else { return };
        if matches!(task.purpose, Purpose::Play) {
            self.finish(&answer);
            return;
        }
        let shown = matches!(task.purpose, Purpose::Analyze) && self.posts;
        task.last = answer.lines.first().cloned();
        let line = task.last.as_ref().filter(|_| shown);
        let line = line.map(|last| thinking_line(last, &task.place));
        task.answer = Some(answer);
        if let Some(line) = line {
            self.tell(CecpReply::Thinking(line));
        }
    }

    /// The search for a move has ended: the game goes on.
    fn finish(&mut self, answer: &Answer) {
        let Some(task) = self.task.take() else { return };
        self.play_answer(&task.place, answer);
    }

    /// Plays the answer to `place`, where the game stands.
    fn play_answer(&mut self, place: &Place, answer: &Answer) {
        if let Some(best) = answer.lines.first() {
            if self.posts {
                self.tell(CecpReply::Thinking(thinking_line(best, place)));
            }
            self.worth = Some(best.score);
            self.expected = Expected::of(place, best);
        }
        self.play_first_move(answer);
        self.advance();
    }

    /// The search broke off. The engine still owes a move if it has the move.
    pub(super) fn failed(&mut self) {
        self.tell(CecpReply::Error {
            reason: "the engine failed at its work and begins anew; please report this".to_owned(),
            line: "search".to_owned(),
        });
        if self.is_of_abandoned() {
            return;
        }
        if self.waiting.is_some() {
            // What is not settled is not won.
            return self.settle(true);
        }
        if let Some(task) = &self.task {
            let answer = search::quick_answer(task.place.game.position(), &task.first_moves);
            self.answered(answer);
        }
    }
}
