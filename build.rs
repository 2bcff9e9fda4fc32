//! Tells the program which commit it was built from.
//!
//! The hash comes from the environment variable `SERIATIM_GIT_HASH`, else from git, else (a source
//! archive without git) it is `nogit`.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// The commit of the repository whose top is this package. An archive unpacked inside some other
/// repository is not described by that one's commit.
fn commit() -> Option<String> {
    let top = std::fs::canonicalize(git(&["rev-parse", "--show-toplevel"])?).ok()?;
    let here = std::fs::canonicalize(std::env::var_os("CARGO_MANIFEST_DIR")?).ok()?;
    if top != here {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=SERIATIM_GIT_HASH");
    let hash = std::env::var("SERIATIM_GIT_HASH")
        .ok()
        .filter(|hash| !hash.is_empty())
        .or_else(commit)
        .unwrap_or_else(|| "nogit".to_owned());
    println!("cargo:rustc-env=SERIATIM_GIT_HASH={hash}");
}
