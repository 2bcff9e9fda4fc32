//! The examples of docs/match.md, run in order in one directory.

#![allow(clippy::unwrap_used)]

mod matches_support;

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

use matches_support::{Bout, fake_engine, text};

/// The commands of the manual's `console` blocks, each with the exit code that the block names.
fn commands(manual: &str) -> Vec<(String, i32)> {
    let mut commands = Vec::new();
    for block in manual.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap().replace("\\\n", " ");
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                commands.push((command.to_owned(), 0));
            } else if let Some(code) = line.strip_prefix("exit ") {
                commands.last_mut().unwrap().1 = code.parse().unwrap();
            } else {
                panic!("'{line}' is neither a command nor an exit code");
            }
        }
    }
    commands
}

/// The manual's TOML blocks, joined.
fn configuration(manual: &str) -> String {
    let blocks = manual.split("```toml\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

#[test]
fn every_part_of_the_manual_has_an_example() {
    let manual = include_str!("../docs/match.md");
    for part in [
        "Engines",
        "Rules",
        "Openings",
        "Time",
        "Adjudication",
        "When engines fail",
        "Interruption and resumption",
        "Sequential tests",
        "Statistics",
        "Tournaments",
        "Concurrency",
        "Output",
        "Configuration files",
        "Checking an engine",
        "Versions",
        "Speed",
    ] {
        let section = manual.split(&format!("\n## {part}\n")).nth(1);
        let text = section.unwrap_or_else(|| panic!("there is no part {part}"));
        let text = text.split("\n## ").next().unwrap();
        // Blocks of the shell are run by the tests of the scripts.
        assert!(
            text.contains("```console\n$ seriatim-match ") || text.contains("```sh\nscripts/"),
            "{part}"
        );
    }
}

#[test]
fn every_example_of_the_manual_works() {
    let manual = include_str!("../docs/match.md");
    let bout = Bout::new("manual");
    for name in ["new", "old", "third"] {
        symlink(fake_engine(), bout.directory.join(name)).unwrap();
    }
    bout.file(
        "book.epd",
        "e2e4\nd2d4 d7d5 c7c5\nc2c4\ng1f3 g8f6 d7d5\nb2b3\n",
    );
    bout.file("match.toml", &configuration(manual));
    let programs = Path::new(env!("CARGO_BIN_EXE_seriatim-match"))
        .parent()
        .unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let commands = commands(manual);
    assert!(commands.len() > 15);
    for (command, code) in commands {
        let output = Command::new("bash")
            .args(["-c", &command])
            .current_dir(&bout.directory)
            .env("PATH", &path)
            .output()
            .unwrap();
        let text = text(&output);
        assert_eq!(output.status.code(), Some(code), "{command}\n{text}");
    }
    // What the manual says about files.
    for name in [
        "journal.jsonl",
        "config.toml",
        "games.pgn",
        "games.csv",
        "report.txt",
        "report.json",
        "pairings.csv",
        "engines.csv",
        "progress.svg",
    ] {
        assert!(
            fs::metadata(bout.directory.join("match-1").join(name)).is_ok(),
            "{name}"
        );
    }
    bout.assert_nobody_left();
}
