//! What a CECP client can say.

use std::fmt;

use thiserror::Error;

/// A command of the client. Times are in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CecpCommand {
    /// `xboard`: the greeting.
    Greeting,
    /// `protover N`: tell your features.
    ProtocolVersion(u32),
    /// What asks for nothing: `accepted`, `rejected`, `random`, `name`, `rating`, `ics`, `white`,
    /// `black`, `variant`-independent talk of that kind. The whole line.
    Talk(String),
    /// `new`: the start of a game of ordinary chess, the engine plays Black.
    New,
    /// `variant NAME`.
    Variant(String),
    /// `force`: play neither side.
    Force,
    /// `go`: play the side to move.
    Go,
    /// `playother`: play the side that is not to move.
    PlayOther,
    /// `level MOVES BASE INCREMENT`.
    Level {
        /// Moves to the next control; 0 is the whole game.
        moves: u32,
        /// Time for them.
        base: u64,
        /// Added after each move.
        increment: u64,
    },
    /// `st SECONDS`: time for each turn.
    MoveTime(u64),
    /// `sd DEPTH`: look so many series ahead.
    Depth(u32),
    /// `time CENTISECONDS`: the engine's clock.
    Time(i64),
    /// `otim CENTISECONDS`: the opponent's clock.
    OpponentTime(i64),
    /// `usermove MOVE`, or a move alone.
    Move(String),
    /// `?`: move now.
    MoveNow,
    /// `ping N`.
    Ping(u64),
    /// `draw`: the opponent offers one.
    Draw,
    /// `result RESULT {COMMENT}`: the game is over.
    Result(String),
    /// `setboard FEN`.
    SetBoard(String),
    /// `undo`: take back one move.
    Undo,
    /// `remove`: take back two.
    Remove,
    /// `hint`.
    Hint,
    /// `bk`: the book.
    Book,
    /// `hard`: ponder.
    Hard,
    /// `easy`: do not.
    Easy,
    /// `post`: show the thinking.
    Post,
    /// `nopost`: do not.
    NoPost,
    /// `analyze`.
    Analyze,
    /// `exit`: end of the analysis.
    Exit,
    /// `.`: how far is the analysis?
    Progress,
    /// `computer`: the opponent is an engine.
    Computer,
    /// `memory MEBIBYTES`.
    Memory(u32),
    /// `cores N`.
    Cores(u32),
    /// `option NAME[=VALUE]`.
    Option {
        /// The option's name.
        name: String,
        /// The text after `=`.
        value: Option<String>,
    },
    /// `quit`.
    Quit,
}

/// A line that is no command, in the words that the protocol asks for. The texts are cut to what
/// an error line can show.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CecpError {
    /// Nothing known.
    #[error("Error (unknown command): {0}")]
    Unknown(String),
    /// Something is missing or wrong behind a command.
    #[error("Error (expected {expected}): {line}")]
    Parameter {
        /// What should stand there.
        expected: &'static str,
        /// The line.
        line: String,
    },
}

/// Milliseconds as seconds, the way the parser reads them back.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}

impl fmt::Display for CecpCommand {
    /// Writes the line that reads as this command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = match self {
            CecpCommand::ProtocolVersion(version) => return write!(f, "protover {version}"),
            CecpCommand::Talk(line) => line,
            CecpCommand::Variant(name) => return write!(f, "variant {name}"),
            CecpCommand::Level {
                moves,
                base,
                increment,
            } => {
                let (minutes, rest) = (base / 60_000, Seconds(base % 60_000));
                let increment = Seconds(*increment);
                return write!(f, "level {moves} {minutes}:{rest} {increment}");
            }
            CecpCommand::MoveTime(time) => return write!(f, "st {}", Seconds(*time)),
            CecpCommand::Depth(depth) => return write!(f, "sd {depth}"),
            CecpCommand::Time(time) => return write!(f, "time {time}"),
            CecpCommand::OpponentTime(time) => return write!(f, "otim {time}"),
            CecpCommand::Move(text) => return write!(f, "usermove {text}"),
            CecpCommand::Ping(number) => return write!(f, "ping {number}"),
            CecpCommand::Result(text) => return write!(f, "result {text}"),
            CecpCommand::SetBoard(fen) => return write!(f, "setboard {fen}"),
            CecpCommand::Memory(size) => return write!(f, "memory {size}"),
            CecpCommand::Cores(cores) => return write!(f, "cores {cores}"),
            CecpCommand::Option { name, value: None } => return write!(f, "option {name}"),
            CecpCommand::Option {
                name,
                value: Some(value),
            } => return write!(f, "option {name}={value}"),
            CecpCommand::Greeting => super::CECP_GREETING,
            CecpCommand::New => "new",
            CecpCommand::Force => "force",
            CecpCommand::Go => "go",
            CecpCommand::PlayOther => "playother",
            CecpCommand::MoveNow => "?",
            CecpCommand::Draw => "draw",
            CecpCommand::Undo => "undo",
            CecpCommand::Remove => "remove",
            CecpCommand::Hint => "hint",
            CecpCommand::Book => "bk",
            CecpCommand::Hard => "hard",
            CecpCommand::Easy => "easy",
            CecpCommand::Post => "post",
            CecpCommand::NoPost => "nopost",
            CecpCommand::Analyze => "analyze",
            CecpCommand::Exit => "exit",
            CecpCommand::Progress => ".",
            CecpCommand::Computer => "computer",
            CecpCommand::Quit => "quit",
        };
        f.write_str(plain)
    }
}
