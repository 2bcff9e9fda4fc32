//! Golden transcripts, held with the real engine: every block of `protocol.md` and of the files in
//! `tests/transcripts`.
//!
//! A block is fenced as `transcript`. `> line` is sent. `< pattern` is the next line that comes;
//! `...` in a pattern stands for any text, and a pattern of nothing else for any number of lines.
//! `= 300` means that for 300 ms nothing comes. `# text` is a comment. At the end of a block the
//! engine's input ends, it has to exit cleanly, and nothing more may come unless the block ends
//! with `< ...`.

#![allow(clippy::unwrap_used)]

mod conversation;

use std::{
    fs,
    path::Path,
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use conversation::{Engine, stretched};

/// How long a line may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the end may take.
const EXIT: Duration = Duration::from_millis(200);

struct Block {
    name: String,
    steps: Vec<String>,
}

fn blocks(path: &Path) -> Vec<Block> {
    let text = fs::read_to_string(path).unwrap();
    let mut blocks = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        match line.trim() {
            "```transcript" => {
                open = true;
                blocks.push(Block {
                    name: format!("{}:{}", path.display(), number + 1),
                    steps: Vec::new(),
                });
            }
            "```" => open = false,
            _ if open => blocks.last_mut().unwrap().steps.push(line.to_owned()),
            _ => {}
        }
    }
    blocks
}

/// Whether a line fits a pattern in which `...` stands for any text.
fn fits(pattern: &str, line: &str) -> bool {
    let parts: Vec<&str> = pattern.split("...").collect();
    let (first, rest) = parts.split_first().unwrap();
    let Some(mut left) = line.strip_prefix(first) else {
        return false;
    };
    let Some((last, middle)) = rest.split_last() else {
        return left.is_empty();
    };
    for part in middle {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

fn hold(block: &Block) -> Result<(), String> {
    let mut engine = Engine::start();
    let mut skip = false;
    for step in &block.steps {
        let fail = |what: String| Err(format!("{}: at '{step}': {what}", block.name));
        let text = step.get(2..).unwrap_or_default();
        match step.chars().next() {
            Some('>') => engine.send(text),
            Some('=') => {
                let silence = Duration::from_millis(text.trim().parse().unwrap());
                if let Some(line) = engine.line(silence) {
                    return fail(format!("'{line}' came"));
                }
            }
            Some('<') if text == "..." => skip = true,
            Some('<') => {
                let by = Instant::now() + stretched(PATIENCE);
                loop {
                    let left = by.saturating_duration_since(Instant::now());
                    match engine.line(left) {
                        Some(line) if fits(text, &line) => break,
                        Some(_) if skip => {}
                        Some(line) => return fail(format!("'{line}' came")),
                        None => return fail("nothing came".to_owned()),
                    }
                }
                skip = false;
            }
            Some('#') | None => {}
            Some(_) => return fail("no such step".to_owned()),
        }
    }
    engine.close();
    let (lines, status) = engine.finish(stretched(EXIT));
    if !status.is_some_and(|status| status.success()) {
        return Err(format!("{}: no clean exit: {status:?}", block.name));
    }
    if !skip && !lines.is_empty() {
        return Err(format!("{}: came after the end: {lines:?}", block.name));
    }
    Ok(())
}

#[test]
fn transcripts_hold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("protocol.md")];
    for entry in fs::read_dir(root.join("tests/transcripts")).unwrap() {
        files.push(entry.unwrap().path());
    }
    files.sort();
    let blocks: Vec<Block> = files.iter().flat_map(|file| blocks(file)).collect();
    assert!(blocks.len() > 20, "only {} blocks", blocks.len());
    let queue = Mutex::new(blocks.iter());
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some(block) = next else { return };
                    if let Err(failure) = hold(block) {
                        failures.lock().unwrap().push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn patterns_fit() {
    assert!(fits("bestmove ...", "bestmove e2e4"));
    assert!(fits(
        "info ... score mate 1 ...",
        "info depth 1 score mate 1 nodes 3"
    ));
    assert!(fits("readyok", "readyok"));
    assert!(!fits("readyok", "readyok "));
    assert!(!fits("info ... pv", "info pv e2e4"));
}
