//! A screen that nobody sees, and programs on it.

#![allow(dead_code, clippy::unwrap_used)]

use std::{
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group};

/// A program and all it started, killed at the end.
pub struct Group(Child);

impl Group {
    /// Starts it in a process group of its own.
    pub fn start(command: &mut Command) -> Group {
        let child = command.process_group(0).spawn();
        Group(child.unwrap_or_else(|error| panic!("{command:?}: {error}; run scripts/setup")))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(group) = Pid::from_raw(self.0.id() as i32) else {
            return;
        };
        // Politely first: a screen removes its lock then.
        let _ = kill_process_group(group, Signal::TERM);
        for _ in 0..40 {
            if self.0.try_wait().is_ok_and(|status| status.is_some()) {
                break;
            }
            thread::sleep(Duration::from_millis(25));
        }
        let _ = kill_process_group(group, Signal::KILL);
        let _ = self.0.wait();
    }
}

/// Where Debian keeps a program, whatever PATH says of games.
pub fn program(name: &str) -> PathBuf {
    let path = std::env::var("PATH").unwrap_or_default();
    path.split(':')
        .chain(["/usr/games"])
        .map(|folder| Path::new(folder).join(name))
        .find(|path| path.is_file())
        .unwrap_or_else(|| panic!("{name} is not installed: run scripts/setup"))
}

/// A virtual screen.
pub struct Screen {
    /// Its name, for programs that shall be seen there.
    pub display: String,
    _server: Group,
}

impl Screen {
    /// Opens one.
    pub fn open() -> Screen {
        let mut server = Command::new(program("Xvfb"));
        server
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1024x768x24",
                "-nolisten",
                "tcp",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut server = Group::start(&mut server);
        // It picks a free number, and says it once it is ready.
        let mut line = String::new();
        let mut said = BufReader::new(server.0.stdout.take().unwrap());
        said.read_line(&mut line).unwrap();
        assert!(!line.trim().is_empty(), "Xvfb did not start");
        Screen {
            display: format!(":{}", line.trim()),
            _server: server,
        }
    }
}
