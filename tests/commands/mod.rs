//! Runs the commands of the real program.
#![allow(missing_docs, clippy::unwrap_used)]

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

/// Runs `seriatim` with `args`, and `input` on its standard input.
pub fn seriatim(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_seriatim"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that stops early does not read all its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}
