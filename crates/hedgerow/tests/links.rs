//! Policy: every relative link of the Markdown files has a target, and the book lists all of its pages.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All files below `folder` whose names end in `.md`, without symbolic links, build outputs and hidden folders.
fn markdown_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (name, kind) = (entry.file_name(), entry.file_type().unwrap());
            let is_ours = name != "target" && !name.to_string_lossy().starts_with('.');
            if kind.is_dir() && is_ours {
                open.push(entry.path());
            } else if kind.is_file() && entry.path().extension().is_some_and(|end| end == "md") {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    files
}

/// The lines of a page that are not code, with included files in the place of `{{#include FILE}}`.
fn prose(page: &Path) -> Vec<String> {
    let text =
        std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let mut lines = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        let included = line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}"));
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if let Some(file) = included {
            lines.extend(prose(&page.with_file_name(file)));
        } else if !is_code {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// The targets of all links and pictures; code spans have none.
fn links(page: &Path) -> Vec<String> {
    let paragraphs = prose(page).join("\n");
    let spans = paragraphs.split("\n\n").flat_map(|paragraph| paragraph.split('`').step_by(2));
    // A link around a code span is cut by it, but keeps its `](target)`.
    let targets = spans.flat_map(|span| span.split("](").skip(1));
    targets.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

/// The anchors of all headings, as mdBook and GitHub make them.
fn anchors(page: &Path) -> Vec<String> {
    let mut anchors = Vec::new();
    let mut slugs: Vec<String> = Vec::new();
    for line in prose(page) {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let letters = title.trim().chars().map(|c| if c.is_whitespace() { '-' } else { c });
        let slug: String = letters
            .filter(|c| c.is_alphanumeric() || "-_".contains(*c))
            .flat_map(char::to_lowercase)
            .collect();
        let repeats = slugs.iter().filter(|other| **other == slug).count();
        anchors.push(if repeats == 0 { slug.clone() } else { format!("{slug}-{repeats}") });
        slugs.push(slug);
    }
    anchors
}

/// Why a link of a page is broken, if it is.
fn fault(page: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { page.to_owned() } else { page.with_file_name(file) };
    if !target.exists() {
        return Some(format!("{}: no file {link}", page.display()));
    }
    let is_known = anchor.is_empty() || anchors(&target).iter().any(|known| known == anchor);
    (!is_known).then(|| format!("{}: no heading {link}", page.display()))
}

/// Fails with all faults at once.
fn report(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_link_has_a_target() {
    let pages = markdown_files(&root());
    assert!(pages.len() > 30, "the pages were not found");
    let faults = pages.iter().flat_map(|page| {
        links(page).into_iter().filter_map(|link| fault(page, &link)).collect::<Vec<_>>()
    });
    report(&faults.collect::<Vec<_>>());
}

/// mdBook copies only the files below `src`, and rewrites `.md` to `.html` in every link.
#[test]
fn links_of_the_book_stay_in_it() {
    let book = root().join("docs/book/src");
    let leaves = |page: &PathBuf, link: &str| {
        let file = link.split('#').next().unwrap_or("");
        let target = page.with_file_name(file).canonicalize();
        !link.contains("://") && target.is_ok_and(|target| !target.starts_with(&book))
    };
    let faults = markdown_files(&book).into_iter().flat_map(|page| {
        let outside = links(&page).into_iter().filter(|link| leaves(&page, link));
        outside.map(|link| format!("{}: {link}", page.display())).collect::<Vec<_>>()
    });
    report(&faults.collect::<Vec<_>>());
}

#[test]
fn every_page_of_the_book_is_in_its_summary() {
    let book = root().join("docs/book/src");
    let summary = book.join("SUMMARY.md");
    let listed: Vec<PathBuf> = links(&summary).iter().map(|link| book.join(link)).collect();
    let pages = markdown_files(&book).into_iter().filter(|page| *page != summary);
    let missing = pages.filter(|page| !listed.contains(page));
    report(&missing.map(|page| format!("SUMMARY.md lacks {}", page.display())).collect::<Vec<_>>());
}

#[test]
fn anchors_are_those_of_mdbook() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.md");
    std::fs::write(
        &page,
        "# What `a` is\n\n## Why?\n```\n# code\n```\n## Why\n[b](#why-1) `[c](d)`\n",
    )
    .unwrap();
    assert_eq!(anchors(&page), ["what-a-is", "why", "why-1"]);
    assert_eq!(links(&page), ["#why-1"]);
}
