//! A running board server and pages that are connected to it.
#![allow(dead_code)] // Not every test needs all of it.

use std::{
    fs,
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client::IntoClientRequest, http::HeaderValue};

use crate::matches_support::fake_engine;

/// Generous: nothing here takes long, but machines may.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn start(arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_seriatim-board"))
            .args(["--port", "0"])
            .args(arguments)
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next())
            .unwrap_or_else(|| panic!("no address in '{line}'"))
            .parse()
            .unwrap();
        Server { child, address }
    }

    pub fn page(&self) -> Page {
        let mut page = self.silent_page();
        let hello = page.ask(json!({"hello": {}}));
        assert_eq!(hello["is"], "hello", "{hello}");
        page
    }

    /// A page that has asked nothing yet.
    pub fn silent_page(&self) -> Page {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = format!("ws://{}/socket", self.address)
            .into_client_request()
            .unwrap();
        let origin = format!("http://{}", self.address);
        request
            .headers_mut()
            .insert("Origin", HeaderValue::from_str(&origin).unwrap());
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        Page { socket, last: 0 }
    }

    /// Sends a request as it is and returns the whole answer.
    pub fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = request.replace("{host}", &self.address.to_string());
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page that is connected.
pub struct Page {
    pub socket: WebSocket<TcpStream>,
    last: u64,
}

impl Page {
    pub fn send(&mut self, ask: Value) -> u64 {
        self.last += 1;
        let text = json!({"id": self.last, "ask": ask}).to_string();
        self.socket.send(Message::text(text)).unwrap();
        self.last
    }

    pub fn receive(&mut self) -> Value {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).unwrap(),
                Ok(_) => {}
                // The end of a child elsewhere in the process may interrupt a read with a timeout.
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("no answer: {error}"),
            }
        }
    }

    /// The next answer to a question that is no line of thinking and no notice.
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let answer = self.receive();
            if answer["id"] == id && answer["is"] != "lines" && answer["is"] != "notice" {
                return answer;
            }
        }
    }

    pub fn ask(&mut self, ask: Value) -> Value {
        let id = self.send(ask);
        self.answer(id)
    }

    /// Sends text that may be no message.
    pub fn say(&mut self, text: &str) -> Value {
        self.socket.send(Message::text(text)).unwrap();
        self.receive()
    }

    /// The answer to a greeting, or the refusal that may come before it.
    pub fn ask_or_refusal(&mut self) -> Value {
        // The server may have closed already.
        let _ = self.socket.send(Message::text(
            json!({"id": 1, "ask": {"hello": {}}}).to_string(),
        ));
        self.receive()
    }

    pub fn error(&mut self, ask: Value) -> String {
        let answer = self.ask(ask.clone());
        assert_eq!(answer["is"], "error", "{ask} -> {answer}");
        answer["text"].as_str().unwrap().to_owned()
    }
}

pub fn game(rules: &str, start: &str, moves: &str) -> Value {
    json!({
        "rules": rules,
        "start": start,
        "moves": moves.split_whitespace().collect::<Vec<_>>(),
    })
}

pub fn play(game: Value) -> Value {
    json!({"play": {"game": game, "seat": "white", "engine": 0, "level": 2, "seed": 1, "clocks": null}})
}

pub fn analyse(game: Value, lines: u32, threat: bool, time: Value) -> Value {
    json!({"analyse": {"game": game, "engine": 0, "lines": lines, "threat": threat, "time": time}})
}

/// An engine that is the scripted one with `arguments`.
pub fn scripted_engine(name: &str, arguments: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("board-{name}"));
    let script = format!(
        "#!/bin/sh\nexec '{}' {arguments}\n",
        fake_engine().display()
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}
