//! Policy: comments, messages and documents avoid phrases that a reader has to translate.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "tidy/literals.rs"]
mod literals;

use std::path::{Path, PathBuf};

/// Phrases that are odd in technical English, with what to write instead.
const PHRASES: [(&str, &str); 17] = [
    ("so many", "the number, by name"),
    ("goes by", "uses, follows"),
    ("go by the", "use, follow"),
    ("stands below", "is a child of, is below"),
    ("stand below", "are children of, are below"),
    ("stands above", "is the parent of, is above"),
    ("stand above", "are parents of, are above"),
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
    let skipped =
        ["target", ".git", ".venv", "node_modules", "vendor", "corpus", "seeds", "snapshots"];
    let mut files = Vec::new();
    let mut open = vec![root()];
    while let Some(path) = open.pop() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // The second is what mdBook writes.
        if path.is_symlink() || skipped.contains(&name.as_str()) || path.ends_with("docs/book/book")
        {
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

/// The prose of a Python file: comments, docstrings and the texts between quotes.
fn python_prose(text: &str) -> Vec<(usize, String)> {
    let mut in_docstring = false;
    let mut prose = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let n_quotes = line.matches("\"\"\"").count();
        if in_docstring || n_quotes > 0 {
            prose.push((number, line.to_owned()));
            in_docstring ^= n_quotes % 2 == 1;
            continue;
        }
        // Every second part is between quotes.
        let mut parts: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        parts.extend(line.split_once("# ").map(|(_, comment)| comment));
        prose.push((number, parts.join(" | ")));
    }
    prose
}

/// The page of the studio, the Python package, manifests and golden cases.
#[test]
fn scripts_and_settings_avoid_odd_phrases() {
    let mut odd = Vec::new();
    for file in files(&["js", "py", "toml"]) {
        let text = std::fs::read_to_string(&file).unwrap();
        let prose = if file.extension().is_some_and(|end| end == "py") {
            python_prose(&text)
        } else {
            (1..).zip(text.lines().map(str::to_owned)).collect()
        };
        for (number, line) in prose {
            let line = line.to_lowercase();
            let found = PHRASES.iter().find(|(phrase, _)| has_phrase(&line, phrase));
            let place = |phrase: &str| format!("{}:{number}: \"{phrase}\"", file.display());
            odd.extend(found.map(|(phrase, _)| place(phrase)));
            odd.extend(has_inverted_no(&line).then(|| place("is no")));
        }
    }
    report(&odd);
}

#[test]
fn prose_of_python_is_found() {
    let text = "beside = 1  # one\nsay(\"two\", beside)\n\"\"\"three\nfour\"\"\"\nbeside\n";
    let prose: Vec<String> = python_prose(text).into_iter().map(|(_, line)| line).collect();
    assert_eq!(prose, ["one", "two", "\"\"\"three", "four\"\"\"", ""]);
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

/// Words that a comment begins with if it asks a question instead of naming its subject.
const QUESTIONS: &[&str] = &["What ", "How ", "Which ", "Who ", "Whoever ", "Why "];

#[test]
fn comments_of_programs_begin_with_their_subject() {
    let mut odd = Vec::new();
    for file in files(&["rs"]).iter().filter(|file| is_program(file) && !is_help(file)) {
        let text = std::fs::read_to_string(file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let comment = line.trim_start().strip_prefix("//");
            let Some(comment) = comment.map(|rest| rest.trim_start_matches(['/', '!', ' '])) else {
                continue;
            };
            let found = QUESTIONS.iter().find(|word| comment.starts_with(**word));
            odd.extend(found.map(|word| format!("{}:{number}: \"{word}\"", file.display())));
        }
    }
    report(&odd);
}

/// The words after "is no" or "are no" that make an idiom of English.
const AFTER_NO: [&str; 12] = [
    "longer", "more", "less", "fewer", "greater", "larger", "smaller", "lower", "higher",
    "stricter", "better", "worse",
];

/// Whether a text has "is no node" where "is not a node" is meant; "there is no node" is right.
fn has_inverted_no(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(3).enumerate().any(|(place, three)| {
        let before = place.checked_sub(1).map_or("", |place| words[place]);
        let noun = three[2].trim_matches(|c: char| !c.is_alphabetic());
        let is_noun = noun.chars().all(char::is_alphabetic) && !AFTER_NO.contains(&noun);
        matches!(three[0], "is" | "are")
            && three[1] == "no"
            && !before.ends_with("there")
            && is_noun
    })
}

#[test]
fn comments_and_documents_say_that_something_is_not_a_thing() {
    let mut odd = Vec::new();
    for file in files(&["rs", "md"]).iter().filter(|file| !file.ends_with("tests/english.rs")) {
        let text = std::fs::read_to_string(file).unwrap();
        let is_code = file.extension().is_some_and(|end| end == "rs");
        let prose = |line| if is_code { comment(line) } else { Some(line) };
        let lines = (1..).zip(text.lines()).filter_map(|(n, line)| Some((n, prose(line)?)));
        let found = lines.filter(|(_, line)| has_inverted_no(&line.to_lowercase()));
        odd.extend(found.map(|(n, _)| format!("{}:{n}: \"is no\"", file.display())));
    }
    report(&odd);
}

/// Whether a file is part of a program, not of its tests.
fn is_program(file: &Path) -> bool {
    let has = |name: &str| file.components().any(|part| part.as_os_str() == name);
    let is_test = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("tests"));
    has("src") && !is_test
}

/// Whether the comments of a file are the help of the command line.
fn is_help(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "args")
}

/// Messages, help and pages, in the library, the command line and the native module.
#[test]
fn messages_avoid_odd_phrases() {
    let mut odd = Vec::new();
    for file in files(&["rs"]).iter().filter(|file| is_program(file)) {
        let source = std::fs::read_to_string(file).unwrap();
        // Unit tests quote files and messages of others.
        let source = source.split("#[cfg(test)]\nmod tests").next().unwrap();
        // Names of columns and of keys are single words; a message has several.
        let messages = literals::literals(source).into_iter().filter(|(_, t)| t.contains(' '));
        for (line, text) in messages {
            let text = text.to_lowercase();
            let found = PHRASES.iter().find(|(phrase, _)| has_phrase(&text, phrase));
            let place = |phrase| format!("{}:{line}: \"{phrase}\"", file.display());
            odd.extend(found.map(|(phrase, _)| place(*phrase)));
            odd.extend(has_inverted_no(&text).then(|| place("is no")));
        }
    }
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
    assert!(has_inverted_no("a range is no value.") && has_inverted_no("ranges are no values"));
    assert!(!has_inverted_no("there is no value") && !has_inverted_no("it is no longer needed"));
}
