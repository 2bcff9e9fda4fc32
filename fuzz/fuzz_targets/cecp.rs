//! Any bytes are lines of a CECP client: each is a command that reads back as itself or an error,
//! and a session survives them all, moving only when it is asked to.
#![no_main]

use std::{collections::VecDeque, time::Instant};

use libfuzzer_sys::fuzz_target;
use seriatim::{
    engine::{CecpSession, Effect, Event, Job},
    protocol::{CecpReply, Line, LineReader, parse_cecp_line},
    search::{Request, quick_answer},
};

/// Notes the searches ordered, and looks at what is said.
fn carry_out(effects: Vec<Effect>, searches: &mut VecDeque<Box<Request>>) {
    for effect in effects {
        match effect {
            Effect::Start(Job::Search(request, _)) => searches.push_back(request),
            Effect::Start(Job::Perft { .. } | Job::Bench(..)) | Effect::Send(_) => {
                panic!("a CECP session speaks UCI")
            }
            Effect::Tell(reply) => {
                let text = reply.to_string();
                let lines = match &reply {
                    CecpReply::Features { .. } => usize::MAX,
                    CecpReply::Book(lines) => lines.len() + 1,
                    _ => 1,
                };
                assert!(text.split('\n').count() <= lines, "{text}");
            }
            _ => {}
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut session = CecpSession::new(Instant::now());
    let mut searches = VecDeque::new();
    let mut lines = LineReader::new(data);
    while let Ok(Some(line)) = lines.next_line() {
        // A line that begins with `!` stands for the end of the oldest search.
        let mut event = None;
        if let Line::Text(text) = &line {
            if let Ok(Some(command)) = parse_cecp_line(text) {
                let written = command.to_string();
                assert_eq!(parse_cecp_line(&written), Ok(Some(command)), "{written}");
            }
            if text.starts_with('!') {
                event = searches.pop_front().map(|request: Box<Request>| {
                    Event::Answer(quick_answer(request.game.position(), &request.first_moves))
                });
            }
        }
        let event = event.unwrap_or(Event::Line(line));
        carry_out(session.handle(event, Instant::now()), &mut searches);
    }
    carry_out(
        session.handle(Event::InputEnded, Instant::now()),
        &mut searches,
    );
});
