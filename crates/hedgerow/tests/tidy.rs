//! Policy: what every file, method and reference of the project must have.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};

use hedgerow::builder;
use hedgerow::format;
use hedgerow::{anonymize, loss, privacy};

/// A longer file holds more than one thing.
const MOST_LINES: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rust_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![root().join("crates")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    assert!(files.len() > 40, "the sources were not found");
    files
}

#[test]
fn every_file_opens_with_what_it_is_for() {
    for file in rust_files() {
        assert!(read(&file).starts_with("//! "), "{} has no //! line", file.display());
    }
}

#[test]
fn no_file_is_too_long() {
    for file in rust_files() {
        let n_lines = read(&file).lines().count();
        assert!(n_lines <= MOST_LINES, "{} has {n_lines} lines", file.display());
    }
}

#[test]
fn every_reference_is_in_the_list() {
    let references = read(&root().join("docs/references.md"));
    for file in rust_files() {
        for rest in read(&file).split("\\[").skip(1) {
            let Some((key, _)) = rest.split_once("\\]") else {
                continue;
            };
            if key.len() > 4 && key[key.len() - 4..].bytes().all(|byte| byte.is_ascii_digit()) {
                let line = format!("**{key}**");
                assert!(references.contains(&line), "{} cites {key}", file.display());
            }
        }
    }
}

#[test]
fn every_method_has_a_golden_case_and_a_line_in_the_guide() {
    let guide = read(&root().join("docs/guide.md"));
    let hierarchies = builder::all().map(|method| method.name);
    let anonymizers = anonymize::ALL.iter().map(|method| method.name);
    for name in hierarchies.chain(anonymizers) {
        let golden = format!("crates/hedgerow/tests/golden/{name}.toml");
        assert!(root().join(&golden).exists(), "{name} has no {golden}");
        assert!(guide.contains(&format!("**`{name}`**")), "the guide does not explain {name}");
    }
    let set_losses = loss::SET_LOSSES.iter().map(|loss| loss.name);
    for name in loss::ALL.iter().map(|loss| loss.name()).chain(set_losses) {
        assert!(guide.contains(&format!("**`{name}`**")), "the guide does not explain {name}");
    }
    let formats = format::ALL.iter().map(|format| format.name);
    for name in formats.chain(privacy::ALL.iter().map(|model| model.name)) {
        assert!(guide.contains(&format!("**`{name}`**")), "the guide does not explain {name}");
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let architecture = read(&root().join("ARCHITECTURE.md"));
    for manifest in ["crates/hedgerow/Cargo.toml", "crates/hedgerow-cli/Cargo.toml"] {
        let text = read(&root().join(manifest));
        let section = text.split("[dependencies]").nth(1).unwrap().split('[').next().unwrap();
        for line in section.lines().filter(|line| line.contains("workspace = true")) {
            // `name.workspace = true`, or `name = { workspace = true, optional = true }`
            let name = line.split(['.', ' ']).next().unwrap();
            let has_reason = architecture.contains(&format!("| `{name}` |"));
            assert!(name == "hedgerow" || has_reason, "ARCHITECTURE.md gives no reason for {name}");
        }
    }
}
