//! The sections of `docs/papers.md` about quick papers are what a run writes today, and the other
//! papers run on few records.
//!
//! `UPDATE_PAPERS=1` rewrites these sections; read the difference before you commit it. What depends on
//! the machine is not compared.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hedgerow::progress::Silent;
use hedgerow::reproduce::{self, Exhibit, Materials, Reproduction};

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

/// Every 30th record of Adult, and the first one of each value of a column, in a file.
fn few_records(folder: &Path) -> PathBuf {
    let text = std::fs::read_to_string(materials().file("adult").unwrap()).unwrap();
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    let mut known = HashSet::new();
    let few = lines.enumerate().filter(|(number, line)| {
        let fields = line.split(',').enumerate();
        let n_new = fields.filter(|field| known.insert(*field)).count();
        n_new > 0 || number % 30 == 0
    });
    let few: Vec<&str> = std::iter::once(header).chain(few.map(|(_, line)| line)).collect();
    let path = folder.join("adult.csv");
    std::fs::write(&path, few.join("\n")).unwrap();
    path
}

/// Fails for an exhibit that says too little, or shows NaN or infinity.
fn check(paper: &str, exhibit: &Exhibit) {
    let place = format!("{paper}, {}", exhibit.place);
    for text in [&exhibit.title, &exhibit.says, &exhibit.found, &exhibit.reason] {
        assert!(!text.is_empty(), "{place}: a text is missing");
    }
    for sheet in &exhibit.sheets {
        assert!(!sheet.rows.is_empty(), "{place}: {} is empty", sheet.name);
        let is_whole = |row: &Vec<String>| row.len() == sheet.heads.len();
        assert!(sheet.rows.iter().all(is_whole), "{place}: {} has other columns", sheet.name);
    }
    let drawings = exhibit.figures.iter().map(|figure| figure.svg.clone().standalone());
    let cells = exhibit.sheets.iter().flat_map(|sheet| sheet.rows.iter().flatten()).cloned();
    for text in drawings.chain(cells).chain([exhibit.found.clone(), exhibit.reason.clone()]) {
        let is_not_finite = |word: &str| ["NaN", "inf", "-inf"].contains(&word);
        let found = text.split(|letter: char| letter != '-' && !letter.is_alphanumeric());
        assert!(!found.into_iter().any(is_not_finite), "{place}: {text}");
    }
}

#[test]
fn papers_that_take_long_run_on_few_records() {
    let folder = tempfile::tempdir().unwrap();
    let adult = few_records(folder.path());
    let files = [("adult".to_owned(), adult)].into();
    let materials = Materials { files, threads: 2, is_trial: true, ..Materials::default() };
    let mut runs = Vec::new();
    for paper in reproduce::ALL.iter().filter(|paper| !paper.item.is_quick()) {
        let run = Reproduction::of(paper.item, &materials, &Silent).unwrap();
        assert!(run.exhibits.len() > 3, "{}: {}", paper.name, run.exhibits.len());
        // Without a clock, exhibits of times have nothing to show.
        let untimed = run.exhibits.iter().filter(|exhibit| !exhibit.is_timed);
        untimed.for_each(|exhibit| check(paper.name, exhibit));
        assert!(reproduce::markdown(&run).contains(&run.tally()), "{}", paper.name);
        runs.push(run);
    }
    let page = reproduce::page(&runs);
    for exhibit in runs.iter().flat_map(|run| &run.exhibits) {
        assert!(page.contains(&exhibit.place), "the page lacks {}", exhibit.place);
    }
    reproduce::files(&runs).unwrap();
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
