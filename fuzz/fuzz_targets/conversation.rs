//! Any bytes are lines, any line is a command that reads back as itself or an error, and a session
//! survives them all and owes exactly one best move for each search it orders.
#![no_main]

use std::time::Instant;

use libfuzzer_sys::fuzz_target;
use seriatim::{
    engine::{Effect, Event, Job, Session},
    protocol::{Line, LineReader, Reply, parse_line},
    search::quick_answer,
};

/// Counts the best moves among the effects; orders are answered at once, with little thought.
fn carry_out(session: &mut Session, effects: Vec<Effect>, owed: &mut i64) {
    for effect in effects {
        let event = match effect {
            Effect::Send(Reply::BestMove { .. }) => {
                *owed -= 1;
                continue;
            }
            Effect::Start(Job::Search(request, _)) => {
                *owed += 1;
                let answer = quick_answer(request.game.position(), &request.first_moves);
                Event::Answer(answer)
            }
            Effect::Start(Job::Perft { .. } | Job::Bench(..)) => {
                Event::Done(Reply::Note(String::new()))
            }
            Effect::Start(Job::Book(_) | Job::Configure(_) | Job::Clear) => {
                // No file is read: what waits for a book goes on without.
                let effects = session.handle(Event::Prepared, Instant::now());
                carry_out(session, effects, owed);
                continue;
            }
            Effect::Send(reply) => {
                assert!(!reply.to_string().contains('\r'));
                continue;
            }
            _ => continue,
        };
        let effects = session.handle(event, Instant::now());
        carry_out(session, effects, owed);
    }
}

fuzz_target!(|data: &[u8]| {
    let mut session = Session::new(Instant::now());
    // A finished game and a pass are answered without an order, so less than nothing may be owed.
    let mut owed = 0;
    let mut lines = LineReader::new(data);
    while let Ok(Some(line)) = lines.next_line() {
        if let Line::Text(text) = &line
            && let Ok(Some(command)) = parse_line(text)
        {
            let written = command.to_string();
            assert_eq!(parse_line(&written), Ok(Some(command)), "{written}");
        }
        let effects = session.handle(Event::Line(line), Instant::now());
        carry_out(&mut session, effects, &mut owed);
    }
    let effects = session.handle(Event::InputEnded, Instant::now());
    carry_out(&mut session, effects, &mut owed);
    assert!(owed <= 0);
});
