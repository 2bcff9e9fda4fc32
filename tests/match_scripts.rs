//! `scripts/sprt`, `scripts/regression` and what they stand on, with engines that are built already:
//! the scripts look for them where they keep their own builds.

#![allow(clippy::unwrap_used)]

mod matches_support;

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use matches_support::{Bout, text};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const QUICK: [&str; 8] = [
    "--each",
    "nodes=50",
    "--rounds",
    "1",
    "--max-turns",
    "4",
    "--concurrency",
    "1",
];

/// The full hash of a revision, if it is here.
fn commit(revision: &str) -> Option<String> {
    let output = Command::new("git")
        .args(["rev-parse", "--verify", "--quiet"])
        .arg(format!("{revision}^{{commit}}"))
        .current_dir(ROOT)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    output.status.success().then_some(text)
}

/// The revisions that `scripts/regression` plays against.
fn versions() -> Vec<String> {
    let text = fs::read_to_string(Path::new(ROOT).join("scripts/regression-versions.txt")).unwrap();
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

struct Scripts {
    bout: Bout,
    revisions: PathBuf,
}

impl Scripts {
    /// An environment in which these revisions are built: all of them this engine.
    fn with_built(name: &str, built: &[&str]) -> Scripts {
        let bout = Bout::new(name);
        let revisions = bout.directory.join("revisions");
        fs::create_dir_all(&revisions).unwrap();
        for commit in built.iter().filter_map(|revision| commit(revision)) {
            let place = revisions.join(commit);
            // Two names may stand for one commit.
            if fs::create_dir(&place).is_ok() {
                symlink(env!("CARGO_BIN_EXE_seriatim"), place.join("seriatim")).unwrap();
            }
        }
        Scripts { bout, revisions }
    }

    fn out(&self) -> String {
        self.bout.directory.join("out").display().to_string()
    }

    /// Exit code, standard output and standard error together.
    fn run(&self, script: &str, arguments: &[&str]) -> (Option<i32>, String) {
        self.run_with(script, arguments, &std::env::var("PATH").unwrap())
    }

    fn run_with(&self, script: &str, arguments: &[&str], path: &str) -> (Option<i32>, String) {
        let output = Command::new(Path::new(ROOT).join(script))
            .args(arguments)
            .current_dir(&self.bout.directory)
            .env("SERIATIM_REVISIONS", &self.revisions)
            .env("SERIATIM_MATCH", env!("CARGO_BIN_EXE_seriatim-match"))
            .env("PATH", path)
            .output()
            .unwrap();
        (output.status.code(), text(&output))
    }
}

/// Whether this source stands in a git repository with its history; if not, checks that the
/// scripts say so.
fn has_history(scripts: &Scripts, revisions: &[&str]) -> bool {
    let Some(missing) = revisions.iter().find(|name| commit(name).is_none()) else {
        return true;
    };
    let (code, text) = scripts.run("scripts/build-revision", &[missing]);
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("no git repository") || text.contains(missing),
        "{text}"
    );
    false
}

#[test]
fn two_revisions_play_a_sequential_test() {
    let scripts = Scripts::with_built("scripts-sprt", &["HEAD", "HEAD~1"]);
    if !has_history(&scripts, &["HEAD", "HEAD~1"]) {
        return;
    }
    let mut arguments = vec!["--out", "", "HEAD~1", "HEAD", "--"];
    let out = scripts.out();
    arguments[1] = &out;
    arguments.extend(QUICK);
    let (code, text) = scripts.run("scripts/sprt", &arguments);
    assert_eq!(code, Some(0), "{text}");
    let head = commit("HEAD").unwrap();
    assert!(text.contains(&format!("new {}", &head[..7])), "{text}");
    assert!(text.contains("normalized [0, 10]"), "{text}");
    assert_eq!(scripts.bout.records().len(), 2);
    // The command line goes before the settings of the file, the limits as a whole.
    let config = scripts.bout.result("config.toml");
    assert!(
        config.contains("nodes = 50") && !config.contains("tc ="),
        "{config}"
    );
    assert!(config.contains("Hash=16") && config.contains("mate-nodes = 20000"));
}

#[test]
fn a_revision_is_rated_against_earlier_ones() {
    let versions = versions();
    let mut all: Vec<&str> = versions.iter().map(String::as_str).collect();
    all.push("HEAD");
    let scripts = Scripts::with_built("scripts-regression", &all);
    if !has_history(&scripts, &all) {
        return;
    }
    let out = scripts.out();
    let mut arguments = vec!["--out", &out, "--"];
    arguments.extend(QUICK);
    let (code, text) = scripts.run("scripts/regression", &arguments);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(scripts.bout.records().len(), 2 * versions.len());
    let report = scripts.bout.result("report.txt");
    assert!(
        report.contains("| engine") && report.contains("rating"),
        "{report}"
    );
    for version in &versions {
        assert!(report.contains(version.as_str()), "{report}");
    }
    assert!(text.contains("ratings.svg") && scripts.bout.result("ratings.svg").contains("newest"));
}

#[test]
fn a_revision_is_built_once_in_a_worktree_of_its_own() {
    let scripts = Scripts::with_built("scripts-build", &[]);
    if !has_history(&scripts, &["HEAD~1"]) {
        return;
    }
    // In place of the real one, which would take minutes: it notes what it is asked to build.
    let tools = scripts.bout.directory.join("tools");
    fs::create_dir(&tools).unwrap();
    let notes = scripts.bout.directory.join("notes");
    let cargo = tools.join("cargo");
    let script = format!(
        "#!/bin/sh\nset -e\nfor word; do last=$word; done\n\
         echo \"$(git rev-parse HEAD) $*\" >> '{}'\ntest -f Cargo.toml\n\
         mkdir -p \"$last/release\"\ncp '{}' \"$last/release/seriatim\"\n",
        notes.display(),
        env!("CARGO_BIN_EXE_seriatim"),
    );
    fs::write(&cargo, script).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let before = commit("HEAD");
    for _ in 0..2 {
        let (code, text) = scripts.run_with("scripts/build-revision", &["HEAD~1"], &path);
        assert_eq!(code, Some(0), "{text}");
        let program = Path::new(text.lines().next().unwrap()).to_owned();
        assert!(program.starts_with(&scripts.revisions), "{text}");
        assert!(program.is_file(), "{text}");
    }
    let wanted = commit("HEAD~1").unwrap();
    let notes = fs::read_to_string(notes).unwrap();
    assert_eq!(notes.lines().count(), 1, "{notes}");
    assert!(
        notes.starts_with(&wanted) && notes.contains("build --locked --release"),
        "{notes}"
    );
    assert_eq!(commit("HEAD"), before);
    assert!(!scripts.revisions.join("tree").exists());
}

#[test]
fn wrong_arguments_are_named() {
    let scripts = Scripts::with_built("scripts-wrong", &["HEAD"]);
    for (script, arguments, needle) in [
        ("scripts/sprt", &[][..], "usage"),
        ("scripts/sprt", &["main"], "usage"),
        ("scripts/sprt", &["main", "HEAD", "--rounds", "1"], "usage"),
        ("scripts/regression", &["HEAD", "main"], "usage"),
        ("scripts/build-revision", &[], "give one revision"),
    ] {
        let (code, text) = scripts.run(script, arguments);
        assert_eq!(code, Some(2), "{script} {arguments:?}: {text}");
        assert!(text.contains(needle), "{script} {arguments:?}: {text}");
    }
    if !has_history(&scripts, &["HEAD"]) {
        return;
    }
    for (script, arguments) in [
        ("scripts/sprt", &["no-such-revision", "HEAD"][..]),
        ("scripts/regression", &["no-such-revision"]),
        ("scripts/build-revision", &["no-such-revision"]),
    ] {
        let (code, text) = scripts.run(script, arguments);
        assert_eq!(code, Some(2), "{script}: {text}");
        assert!(
            text.contains("there is no revision 'no-such-revision'"),
            "{script}: {text}"
        );
    }
}

#[test]
fn the_examples_of_the_manual_are_understood() {
    let manual = include_str!("../docs/match.md");
    let section = manual.split("## Versions\n").nth(1).unwrap();
    let block = section.split("```sh\n").nth(1).unwrap();
    let examples: Vec<&str> = block.split("```").next().unwrap().lines().collect();
    assert!(examples.len() >= 3);
    let versions = versions();
    let mut all: Vec<&str> = versions.iter().map(String::as_str).collect();
    all.extend(["HEAD", "HEAD~1"]);
    for (index, example) in examples.iter().enumerate() {
        let scripts = Scripts::with_built(&format!("scripts-manual-{index}"), &all);
        if !has_history(&scripts, &all) {
            return;
        }
        let example = example.split('#').next().unwrap();
        let (revisions, options) = example.split_once(" -- ").unwrap_or((example, ""));
        let mut words = revisions.split_whitespace();
        let script = words.next().unwrap();
        let out = scripts.out();
        let mut arguments = vec!["--out", &out];
        arguments.extend(words);
        arguments.push("--");
        // What the example says itself is left to it; what it leaves open is made quick.
        arguments.extend(options.split_whitespace());
        for pair in QUICK.chunks(2) {
            if !options.contains(pair[0]) {
                arguments.extend(pair);
            }
        }
        let (code, text) = scripts.run(script, &arguments);
        assert_eq!(code, Some(0), "{example}: {text}");
    }
}
