//! Each decision record names existing code.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The records, by file name.
fn records() -> Vec<(String, String)> {
    let folder = root().join("docs/decisions");
    let files = fs::read_dir(folder).expect("the folder of records");
    let mut records: Vec<(String, String)> = files
        .map(|file| {
            let file = file.expect("a file");
            let name = file.file_name().to_string_lossy().into_owned();
            (name, fs::read_to_string(file.path()).expect("a text"))
        })
        .filter(|(name, _)| name != "README.md")
        .collect();
    records.sort();
    records
}

/// The words in backticks of a line.
fn quoted(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

/// Whether a text has a name as a whole word.
fn has_name(text: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

#[test]
fn every_path_in_a_decision_exists() {
    let records = records();
    assert!(!records.is_empty());
    let mut missing = Vec::new();
    for (record, text) in &records {
        let places = text.split_once("\n## Where\n").map(|(_, places)| places);
        let Some(places) = places else {
            missing.push(format!("{record} has no section `Where`"));
            continue;
        };
        let lines: Vec<&str> = places
            .lines()
            .filter(|line| line.starts_with("- `"))
            .collect();
        if lines.is_empty() {
            missing.push(format!("{record} lists no path"));
        }
        for line in lines {
            let words = quoted(line);
            let (path, names) = words.split_first().expect("it begins with one");
            let path_in_project = root().join(path);
            if !path_in_project.exists() {
                missing.push(format!("{record}: {path} does not exist"));
            } else if path_in_project.is_file() {
                let file = fs::read_to_string(&path_in_project).expect("a text");
                let lost = names.iter().filter(|name| !has_name(&file, name));
                missing.extend(lost.map(|name| format!("{record}: {path} has no {name}")));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_index_lists_every_decision_once() {
    let index = fs::read_to_string(root().join("docs/decisions/README.md")).expect("the index");
    for (record, _) in records() {
        assert_eq!(index.matches(&format!("({record})")).count(), 1, "{record}");
    }
}
