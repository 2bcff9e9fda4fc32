//! Conversations that broke other engines, held with the real one.
//!
//! The data is described in `tests/data/README.md`. Scripts marked `ours_only` belong to
//! alternating mode, which is set first.

#![allow(clippy::unwrap_used)]

mod conversation;

use std::{
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use conversation::{Engine, stretch, stretched};
use regex::Regex;
use serde_json::Value;

/// How many conversations run at the same time; most of the time they wait.
const AT_ONCE: usize = 4;

struct Talk {
    lines: Vec<String>,
    /// From the last thing sent to the end, or `None` if it did not end in time.
    ended_after: Option<Duration>,
    success: bool,
}

fn hold(script: &Value) -> Talk {
    let mut engine = Engine::start();
    if script["ours_only"].as_bool().unwrap() {
        engine.send("setoption name Turns value alternating");
    }
    for step in script["script"].as_array().unwrap() {
        if let Some(line) = step.as_str() {
            engine.send(line);
        } else if let Some(seconds) = step["wait"].as_f64() {
            thread::sleep(stretched(Duration::from_secs_f64(seconds)));
        } else if let Some(text) = step["raw"].as_str() {
            engine.send_raw(text.as_bytes());
        } else if step["eof"].as_bool() == Some(true) {
            engine.close();
        } else {
            panic!("unknown step {step}");
        }
    }
    let begun = Instant::now();
    engine.close();
    let (lines, status) = engine.finish(stretched(Duration::from_secs(4)));
    Talk {
        lines,
        ended_after: status.map(|_| begun.elapsed()),
        success: status.is_some_and(|status| status.success()),
    }
}

/// What is wrong with a talk, if anything is.
fn judge(check: &Value, talk: &Talk) -> Result<(), String> {
    let fail = |what: String| Err(what);
    let regex = |value: &Value| Regex::new(value.as_str().unwrap()).unwrap();
    if let Some(limit) = check["exit_by"].as_f64() {
        return match talk.ended_after {
            Some(after) if after.as_secs_f64() <= limit * stretch() && talk.success => Ok(()),
            other => fail(format!("no clean exit by {limit} s: {other:?}")),
        };
    }
    if check["re"].is_string() {
        let pattern = regex(&check["re"]);
        let count = talk
            .lines
            .iter()
            .filter(|line| pattern.is_match(line))
            .count() as u64;
        let wanted = |key: &str, holds: fn(u64, u64) -> bool| {
            check[key].as_u64().is_none_or(|limit| holds(count, limit))
        };
        let good = wanted("n", |c, n| c == n)
            && wanted("min", |c, n| c >= n)
            && wanted("max", |c, n| c <= n);
        return if good {
            Ok(())
        } else {
            fail(format!("{check}: {count} lines"))
        };
    }
    if let Some(order) = check["order"].as_array() {
        let first: Vec<Option<usize>> = order
            .iter()
            .map(|pattern| {
                let pattern = regex(pattern);
                talk.lines.iter().position(|line| pattern.is_match(line))
            })
            .collect();
        let good = first.iter().all(Option::is_some) && first.is_sorted();
        return if good {
            Ok(())
        } else {
            fail(format!("{check}: first at {first:?}"))
        };
    }
    if check["last"].is_string() {
        let pattern = regex(&check["last"]);
        let good = talk.lines.last().is_some_and(|line| pattern.is_match(line));
        return if good {
            Ok(())
        } else {
            fail(format!("{check}: {:?}", talk.lines.last()))
        };
    }
    if check["each"].is_string() {
        let (which, must) = (regex(&check["each"]), regex(&check["must"]));
        return match talk
            .lines
            .iter()
            .find(|line| which.is_match(line) && !must.is_match(line))
        {
            None => Ok(()),
            Some(line) => fail(format!("{check}: {line}")),
        };
    }
    if check["pv_is_bestmove"].as_bool() == Some(true) {
        return pv_is_best_move(&talk.lines);
    }
    fail(format!("unknown check {check}"))
}

fn pv_is_best_move(lines: &[String]) -> Result<(), String> {
    let info = lines
        .iter()
        .rfind(|line| line.contains(" multipv 1 ") && line.contains(" pv "));
    let best = lines.iter().find(|line| line.starts_with("bestmove "));
    let (Some(info), Some(best)) = (info, best) else {
        return Err("no pv or no bestmove".to_owned());
    };
    let pv = info.split_once(" pv ").unwrap().1;
    let expected = best["bestmove ".len()..].replace(" ponder ", " ");
    if pv.starts_with(&expected) {
        Ok(())
    } else {
        Err(format!("pv '{pv}' does not begin with '{expected}'"))
    }
}

#[test]
fn conversations_that_broke_other_engines() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/uci_scripts.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let scripts: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(scripts.len(), 40);
    let queue = Mutex::new(scripts.iter());
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some(script) = next else { return };
                    let talk = hold(script);
                    for check in script["checks"].as_array().unwrap() {
                        if let Err(what) = judge(check, &talk) {
                            let shown: Vec<&String> = talk.lines.iter().take(30).collect();
                            let failure = format!("{}: {what}\n{shown:#?}", script["id"]);
                            failures.lock().unwrap().push(failure);
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
