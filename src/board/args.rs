//! The arguments of `seriatim-board`.

use std::{
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
};

use clap::Parser;

/// Play, analyse, solve and watch progressive chess in the browser.
///
/// Serves one page on this machine and prints its address. No account, no network: the engine is
/// the program `seriatim` beside this one, run as a process of its own.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "seriatim-board",
    version = crate::version::VERSION,
    after_help = "\
Examples:
  seriatim-board                         serve the page and print its address
  seriatim-board --open                  and open it in the browser
  seriatim-board --port 8000             at another port (0: any free one)
  seriatim-board --engine ./mine --engine seriatim
                                         two engines to choose from
  seriatim-board --watch my-match        follow a match that seriatim-match runs"
)]
pub struct BoardArgs {
    /// The port to listen at; 0 takes any free one.
    #[arg(long, default_value_t = 4960)]
    pub port: u16,
    /// The address to listen at. Anything but loopback lets others use this machine's engines.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub bind: IpAddr,
    /// A name by which other machines know this one; needed beside --bind where pages are opened
    /// by name. May be given more than once.
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// An engine that speaks protocol.md; may be given more than once. A path if it contains a
    /// slash, else the first of that name in PATH. [default: `seriatim` beside this program]
    #[arg(long = "engine", value_name = "PROGRAM")]
    pub engines: Vec<PathBuf>,
    /// A match to watch: its directory, its journal, or a file of its JSON lines; may be given
    /// more than once. [default: every match's directory in the working directory]
    #[arg(long = "watch", value_name = "PATH")]
    pub watch: Vec<PathBuf>,
    /// Open the page in the browser.
    #[arg(long)]
    pub open: bool,
}
