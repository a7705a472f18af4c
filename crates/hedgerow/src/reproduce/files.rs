//! The files of a run: a page, Markdown, data, and every table and figure.

use std::path::Path;

use super::{ALL, Reproduction, document, page};
use crate::{Error, Result};

const PAGE: &str = "index.html";
const MARKDOWN: &str = "papers.md";
const DATA: &str = "results.json";

/// Returns the files of a run, each with its name and content: `index.html` (everything, in one
/// page), `papers.md`, `results.json`, and `PAPER-NAME.csv` and `PAPER-NAME.svg` for every table
/// and figure.
pub fn files(reproductions: &[Reproduction]) -> Result<Vec<(String, Vec<u8>)>> {
    let json = serde_json::to_string_pretty(reproductions)
        .map_err(|error| Error::Internal(error.to_string()))?;
    // All names and contents are made before any is written, so that an error leaves no half
    // folder.
    let mut files = vec![
        (PAGE.to_owned(), page(reproductions)),
        (MARKDOWN.to_owned(), document(reproductions)),
        (DATA.to_owned(), json + "\n"),
    ];
    for Reproduction { paper, exhibits, .. } in reproductions {
        for sheet in exhibits.iter().flat_map(|exhibit| &exhibit.sheets) {
            // Also tables that the page leaves out: the files are complete.
            let records = std::iter::once(&sheet.heads).chain(&sheet.rows);
            files.push((csv_name(paper, &sheet.name), csv(records)?));
        }
        for figure in exhibits.iter().flat_map(|exhibit| &exhibit.figures) {
            let drawing = figure.svg.clone().standalone();
            files.push((svg_name(paper, &figure.name), drawing));
        }
    }
    // Names are chosen by each paper; two equal ones would overwrite each other without a word.
    if let Some(name) = twice(&files) {
        return Err(Error::Internal(format!("two exhibits are called {name}")));
    }
    Ok(files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect())
}

/// Whether a folder contains only files of such runs, so that it can be replaced.
pub fn is_all_of(folder: &Path) -> bool {
    // A link or a folder with the right name was not written by a run, so it is not removed.
    let is_file = |entry: std::fs::DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_file())
            && entry.file_name().to_str().is_some_and(is_ours)
    };
    // Any entry that cannot be read counts as foreign.
    std::fs::read_dir(folder).is_ok_and(|mut all| all.all(|entry| entry.is_ok_and(is_file)))
}

/// Whether a run could have written a file with this name.
fn is_ours(name: &str) -> bool {
    // The papers of other builds, with other features, do not count: what this build does not
    // know, it does not replace.
    let is_of = |paper: &str| name.strip_prefix(paper).is_some_and(|rest| rest.starts_with('-'));
    let ending = Path::new(name).extension();
    let is_exhibit = ending.is_some_and(|ending| ending == "csv" || ending == "svg");
    [PAGE, MARKDOWN, DATA].contains(&name)
        || (is_exhibit && ALL.iter().any(|paper| is_of(paper.name)))
}

pub(super) fn csv_name(paper: &str, sheet: &str) -> String {
    format!("{paper}-{sheet}.csv")
}

pub(super) fn svg_name(paper: &str, figure: &str) -> String {
    format!("{paper}-{figure}.svg")
}

fn csv<'a>(records: impl Iterator<Item = &'a Vec<String>>) -> Result<String> {
    let fault = |error: &dyn std::fmt::Display| Error::Internal(format!("a table: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(record).map_err(|error| fault(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| fault(&error))?;
    String::from_utf8(bytes).map_err(|error| fault(&error))
}

/// The first name that occurs twice.
fn twice(files: &[(String, String)]) -> Option<&str> {
    let mut names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
