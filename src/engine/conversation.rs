//! Which protocol the client speaks: its first line tells.

use std::time::Instant;

use super::{
    cecp::CecpSession,
    session::{Effect, Event, Session},
};
use crate::protocol::{CECP_GREETING, Line};

/// A conversation in whichever protocol the client begins it.
#[derive(Debug)]
pub enum Conversation {
    /// Nothing has been said yet.
    Silent(Session),
    /// UCI, and what this program adds to it.
    Uci(Session),
    /// The protocol of XBoard and WinBoard.
    Cecp(Box<CecpSession>),
}

impl Conversation {
    /// A conversation that begins at `now`.
    pub fn new(now: Instant) -> Conversation {
        Conversation::Silent(Session::new(now))
    }

    /// Takes an event that happens at `now`; returns what is to be done, in order.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Effect> {
        if matches!(self, Conversation::Silent(_))
            && let Some(word) = first_word(&event)
        {
            *self = if word == CECP_GREETING {
                Conversation::Cecp(Box::new(CecpSession::new(now)))
            } else {
                Conversation::Uci(Session::new(now))
            };
        }
        match self {
            Conversation::Silent(session) | Conversation::Uci(session) => {
                session.handle(event, now)
            }
            Conversation::Cecp(session) => session.handle(event, now),
        }
    }
}

fn first_word(event: &Event) -> Option<&str> {
    match event {
        Event::Line(Line::Text(text)) => text.split_ascii_whitespace().next(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(conversation: &mut Conversation, line: &str) -> usize {
        let event = Event::Line(Line::Text(line.to_owned()));
        conversation.handle(event, Instant::now()).len()
    }

    #[test]
    fn the_first_word_decides() {
        let now = Instant::now();
        let mut uci = Conversation::new(now);
        assert_eq!(say(&mut uci, ""), 0);
        assert_eq!(say(&mut uci, "uci"), 1);
        assert_eq!(say(&mut uci, "xboard"), 1);
        assert!(matches!(uci, Conversation::Uci(_)));
        let mut cecp = Conversation::new(now);
        say(&mut cecp, " ");
        assert_eq!(say(&mut cecp, "xboard"), 0);
        assert_eq!(say(&mut cecp, "protover 2"), 1);
        assert!(matches!(cecp, Conversation::Cecp(_)));
    }
}
