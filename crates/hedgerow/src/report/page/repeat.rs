//! Instructions to repeat the run and check its release.

use std::fmt::Write;

use super::html::{count, escaped, name, with_code};
use crate::chart::shortened;
use crate::report::{Evidence, File};

/// Maximum number of characters of a job on the page.
const MOST_OF_JOB: usize = 20_000;
/// Maximum number of notes, and of warnings, on the page.
const MOST_TEXTS: usize = 40;

pub(super) fn body(evidence: &Evidence) -> String {
    let mut out = "<dl>\n".to_owned();
    let mut add = |what: &str, text: &str| {
        let _ = writeln!(out, "<dt>{what}</dt><dd>{text}</dd>");
    };
    if let Some(input) = &evidence.input {
        add("Input", &file(input, evidence.accounting.records));
    }
    add("Release", &file(&evidence.release, evidence.accounting.released));
    if let Some(method) = &evidence.method {
        add("Method", &format!("{}, seed {}", name(method), evidence.seed));
    }
    add("Version", &format!("hedgerow {}", evidence.hedgerow));
    if evidence.verify.is_none() {
        add("To check", &to_check(evidence));
    }
    out.push_str("</dl>\n");
    // A public page has no job: it can name files and values.
    match &evidence.job {
        Some(job) => {
            let _ = writeln!(
                out,
                "<p>Saved as <code>job.toml</code>, this job gives the same bytes again on any machine: \
                 <code>hedgerow anonymize job.toml</code></p>\n<pre>{}</pre>",
                escaped(&shortened(job, MOST_OF_JOB))
            );
        }
        None => out.push_str(
            "<p>The digest tells whether a file is the one that this report is about; \
             <code>sha256sum FILE</code> prints it.</p>\n",
        ),
    }
    if let Some(command) = &evidence.verify {
        let _ = writeln!(
            out,
            "<p>This command counts again, in the file of the release, what this page says of its classes:</p>\n\
             <pre>{}</pre>",
            escaped(&shortened(command, MOST_OF_JOB))
        );
    }
    out.push_str(&list("Notes of the run", &evidence.notes));
    out.push_str(&list("Warnings of the run", &evidence.warnings));
    out
}

/// The way to check a release whose command is not known.
fn to_check(evidence: &Evidence) -> String {
    let quasi: Vec<String> = evidence.columns.iter().map(|column| name(&column.name)).collect();
    let people = match evidence.headline.unit {
        "person" => "; without the original it counts records instead of people",
        _ => "",
    };
    format!(
        "run <code>hedgerow verify</code> on the release with k = {} and the quasi-identifiers {}{people}",
        evidence.k,
        quasi.join(", ")
    )
}

/// Texts under a heading; nothing if there are none.
fn list(title: &str, texts: &[String]) -> String {
    if texts.is_empty() {
        return String::new();
    }
    let item = |text: &String| format!("<li>{}</li>\n", with_code(&shortened(text, 2_000)));
    let items: String = texts.iter().take(MOST_TEXTS).map(item).collect();
    format!("<h3>{title}</h3>\n<ul>\n{items}</ul>\n")
}

fn file(file: &File, n_records: u64) -> String {
    let digest = match file.sha256.as_str() {
        "" => String::new(),
        digest => format!(", SHA-256 <code>{digest}</code>"),
    };
    format!("{}, {} records{digest}", name(&file.name), count(n_records))
}
