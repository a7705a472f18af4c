//! The sections of `docs/papers.md` about quick papers are what a run writes today.
//!
//! `UPDATE_PAPERS=1` rewrites these sections; read the difference before you commit it. What depends on
//! the machine is not compared.

use std::path::{Path, PathBuf};

use hedgerow::progress::Silent;
use hedgerow::reproduce::{self, Materials, Reproduction};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The document, unless this is a package of the library alone.
fn document() -> Option<PathBuf> {
    let path = folder().join("../../docs/papers.md");
    path.is_file().then_some(path)
}

fn materials() -> Materials<'static> {
    let adult = folder().join("data/adult.csv");
    Materials { files: [("adult".to_owned(), adult)].into(), threads: 2, ..Materials::default() }
}

/// The text of a section, without its comments.
fn section<'a>(text: &'a str, paper: &str) -> Option<&'a str> {
    let start = text.split_once(&format!("<!-- begin {paper} -->\n\n"))?.1;
    Some(start.split_once(&format!("\n<!-- end {paper} -->"))?.0)
}

/// A text without what depends on the machine.
fn untimed(text: &str) -> String {
    let mut parts = text.split("<!-- begin timed -->\n\n");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.split_once("<!-- end timed -->\n\n").unwrap().1);
    }
    out
}

#[test]
fn sections_of_quick_papers_are_current() {
    let Some(path) = document() else { return };
    let mut text = std::fs::read_to_string(&path).unwrap();
    let is_update = std::env::var_os("UPDATE_PAPERS").is_some();
    for paper in reproduce::ALL.iter().filter(|paper| paper.item.is_quick()) {
        let run = Reproduction::of(paper.item, &materials(), &Silent).unwrap();
        let found = reproduce::markdown(&run);
        let name = paper.name;
        let written = section(&text, name).unwrap_or_else(|| panic!("{name} has no section"));
        if is_update && untimed(written) != untimed(&found) {
            text = text.replacen(written, &found, 1);
        } else {
            let (written, found) = (untimed(written), untimed(&found));
            assert!(written == found, "{name}: run with UPDATE_PAPERS=1\n{found}");
        }
    }
    if is_update {
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn every_paper_has_a_section() {
    let Some(path) = document() else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let missing: Vec<&str> = (reproduce::ALL.iter().map(|paper| paper.name))
        .filter(|name| section(&text, name).is_none_or(|section| section.trim().is_empty()))
        .collect();
    assert!(missing.is_empty(), "without a section: {missing:?}");
    let guide = folder().join("../../docs/book/src/reference/reproduce.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    for paper in reproduce::ALL {
        let row = format!("| `{}` |", paper.name);
        assert!(guide.contains(&row), "the guide does not list {}", paper.name);
    }
}

#[test]
fn what_depends_on_the_machine_is_left_out() {
    let text = "a\n<!-- begin timed -->\n\nb\n<!-- end timed -->\n\nc\n";
    assert_eq!(untimed(text), "a\nc\n");
    assert_eq!(section("<!-- begin x -->\n\nb\n\n<!-- end x -->\n", "x"), Some("b\n"));
}
