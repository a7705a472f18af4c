//! Policy: comments and documents avoid phrases that a reader has to translate.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};

/// Phrases that are odd in technical English, with what to write instead.
const PHRASES: [(&str, &str); 15] = [
    ("so many", "the number, by name"),
    ("goes by", "uses, follows"),
    ("go by the", "use, follow"),
    ("stands below", "is a child of, is below"),
    ("stands above", "is the parent of, is above"),
    ("stands beside", "is next to, is a sibling of"),
    ("stand beside", "are next to, are siblings of"),
    ("stands for", "represents, means"),
    ("stand for", "represent, mean"),
    ("beside", "besides, next to, with"),
    ("somebody", "a person, a user, an attacker"),
    ("nobody", "no reader, no attacker"),
    ("anew", "again, from scratch"),
    ("in vain", "without success"),
    ("not a number for", "NaN for"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Files below a folder with one of some endings; folders that hold other people's or generated
/// files are skipped.
fn files(endings: &[&str]) -> Vec<PathBuf> {
    let skipped = ["target", ".git", "node_modules", "corpus", "seeds", "snapshots", "golden"];
    let mut files = Vec::new();
    let mut open = vec![root()];
    while let Some(path) = open.pop() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_symlink() || skipped.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            files.push(path);
        }
    }
    assert!(files.len() > 3, "the files were not found");
    files
}

/// Whether a phrase occurs as whole words, in lower case.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_letter =
        |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '`');
    text.match_indices(phrase).any(|(start, _)| {
        let (before, after) = (&text[..start], &text[start + phrase.len()..]);
        !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
    })
}

/// Lists the lines of a file that have one of the phrases; `prose` takes the prose out of a line.
fn odd_lines(file: &Path, prose: fn(&str) -> Option<&str>) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut odd = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(line) = prose(line) else { continue };
        let line = line.to_lowercase();
        let found = PHRASES.iter().find(|(phrase, _)| has_phrase(&line, phrase));
        if let Some((phrase, instead)) = found {
            odd.push(format!("{}:{number}: \"{phrase}\"; write: {instead}", file.display()));
        }
    }
    odd
}

fn report(odd: &[String]) {
    assert!(odd.is_empty(), "{} odd phrases:\n{}", odd.len(), odd.join("\n"));
}

/// The comment of a line of Rust, if it has one.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.starts_with("//").then_some(line).or_else(|| line.split_once("; // ").map(|(_, end)| end))
}

#[test]
fn comments_avoid_odd_phrases() {
    // This file lists them.
    let sources = files(&["rs"]).into_iter().filter(|file| !file.ends_with("tests/english.rs"));
    let odd: Vec<String> = sources.flat_map(|file| odd_lines(&file, comment)).collect();
    report(&odd);
}

#[test]
fn documents_avoid_odd_phrases() {
    let odd: Vec<String> =
        files(&["md"]).iter().flat_map(|file| odd_lines(file, |line| Some(line))).collect();
    report(&odd);
}

#[test]
fn a_phrase_is_found_as_whole_words_only() {
    assert!(has_phrase("the node stands for a value", "stands for"));
    assert!(!has_phrase("two groups besides it", "beside"));
    assert!(!has_phrase("`beside` has the other columns", "beside"));
}
