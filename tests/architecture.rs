//! Which room may import which: the table of `ARCHITECTURE.md` against the `crate::` paths in the
//! sources, and who may name which library.

#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Each room and the rooms it may import, apart from itself.
const ROOMS: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("notation", &["rules"]),
    ("solver", &["rules"]),
    ("eval", &["rules"]),
    ("search", &["rules", "solver", "eval"]),
    ("book", &["rules", "notation"]),
    ("protocol", &["rules", "notation"]),
    (
        "engine",
        &[
            "rules", "notation", "book", "protocol", "solver", "eval", "search", "version",
        ],
    ),
    ("stats", &[]),
    (
        "matches",
        &[
            "rules", "notation", "protocol", "solver", "stats", "version",
        ],
    ),
    (
        "commands",
        &["rules", "notation", "book", "solver", "search", "version"],
    ),
    (
        "board",
        &["rules", "notation", "solver", "matches", "version"],
    ),
    ("version", &[]),
];

/// Libraries that only some rooms may name; the solver reads shakmaty's attack tables.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("vampirc_uci", &["protocol/uci.rs"]),
    (
        "shakmaty",
        &["rules.rs", "rules/", "notation.rs", "notation/", "solver/"],
    ),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments and without its tests, which may import anything.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    text[..end]
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The first word of a path.
fn first_word(path: &str) -> String {
    path.trim_start()
        .chars()
        .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
        .collect()
}

/// The items of a group: the text after its opening brace, cut at the commas of its own level.
fn items(group: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut depth = 0;
    for letter in group.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => items.push(String::new()),
            _ => {}
        }
        items.last_mut().unwrap().push(letter);
    }
    items
        .iter()
        .map(|item| item.trim_start_matches(',').to_owned())
        .collect()
}

/// The rooms named after `crate::`, in plain paths and in groups.
fn imported(code: &str) -> Vec<String> {
    code.match_indices("crate::")
        .map(|(at, found)| &code[at + found.len()..])
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(group) => items(group),
            None => vec![rest.to_owned()],
        })
        .map(|path| first_word(&path))
        .filter(|room| ROOMS.iter().any(|(name, _)| name == room))
        .collect()
}

#[test]
fn rooms_import_one_way() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&source, &mut files);
    let mut wrong = Vec::new();
    for file in files {
        let name = file
            .strip_prefix(&source)
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
        // Tests in a file of their own may import anything too.
        if name.starts_with("bin/") || name == "lib.rs" || name.ends_with("/tests.rs") {
            continue;
        }
        let room = name.split(['/', '.']).next().unwrap();
        let Some((_, allowed)) = ROOMS.iter().find(|(known, _)| *known == room) else {
            wrong.push(format!("src/{name}: room '{room}' is not in the table"));
            continue;
        };
        let code = code(&fs::read_to_string(&file).unwrap());
        for import in imported(&code) {
            if import != room && !allowed.contains(&import.as_str()) {
                wrong.push(format!("src/{name} imports '{import}'"));
            }
        }
        for (library, places) in LIBRARIES {
            if code.contains(library) && !places.iter().any(|place| name.starts_with(place)) {
                wrong.push(format!("src/{name} names {library}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imports_are_found_in_paths_and_groups() {
    assert_eq!(imported("use crate::rules::Move;"), ["rules"]);
    assert_eq!(
        imported("use crate::{eval, rules::{Move, stats}, search as s};"),
        ["eval", "rules", "search"]
    );
    assert_eq!(
        imported("let x = crate::solver::Solver::new();"),
        ["solver"]
    );
}

#[test]
fn binaries_stay_thin() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    for file in files {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines < 100, "{} has {lines} lines", file.display());
    }
}
