//! Reproductions as one HTML page, without scripts and without anything from elsewhere.

use std::fmt::Write;

use super::files::{csv_name, svg_name};
use super::{Exhibit, Reproduction, Sheet, Verdict};
use crate::chart::escape;
use crate::report::html::{Document, Table};

/// The rules that only this page needs.
const STYLE: &str = include_str!("page.css");

/// Renders the papers of a run. Tables and figures link to the files that [`files`](super::files)
/// writes next to the page.
pub fn page(reproductions: &[Reproduction]) -> String {
    let mut body = top(reproductions);
    for reproduction in reproductions {
        body.push_str(&paper(reproduction));
    }
    // A browser tab with one paper should name it.
    let title = match reproductions {
        [one] => format!("{}: the paper and what we measure", one.paper),
        _ => "Papers and what we measure".to_owned(),
    };
    Document { title: &title, generator: env!("CARGO_PKG_VERSION"), style: STYLE, body: &body }
        .html()
}

fn top(reproductions: &[Reproduction]) -> String {
    let mut out = format!(
        "<div class=\"top\"><span>hedgerow {} · reproduce</span></div>\n\
         <h1>Papers, and what we measure</h1>\n\
         <p>Each claim, table and figure has a verdict: <i>reproduced</i> (the same numbers or the same statement), \
         <i>in direction</i> (other numbers that support the statement, or part of it), <i>not</i> (we measure \
         something else), or <i>not measured</i>. No parameter was chosen to fit a printed number.</p>\n<nav aria-label=\"Papers\"><ul>\n",
        env!("CARGO_PKG_VERSION")
    );
    for one in reproductions {
        let _ = writeln!(out, "<li><a href=\"#{0}\">{0}</a>: {1}</li>", one.paper, one.tally());
    }
    out + "</ul></nav>\n"
}

fn paper(reproduction: &Reproduction) -> String {
    let Reproduction { paper, about, citation, readings, exhibits, .. } = reproduction;
    let mut out = format!(
        "<section id=\"{paper}\" aria-labelledby=\"{paper}-h\">\n<h2 id=\"{paper}-h\">{paper}: {}</h2>\n<p>{}</p>\n",
        escape(about),
        prose(citation)
    );
    for (name, about) in &reproduction.datasets {
        let _ = writeln!(out, "<p class=\"mute\">Data set {name}: {}.</p>", escape(about));
    }
    if !readings.is_empty() {
        out.push_str("<p>Where the paper is silent or contradicts itself:</p>\n<ul>\n");
        for reading in *readings {
            let _ = writeln!(out, "<li>{}</li>", prose(reading));
        }
        out.push_str("</ul>\n");
    }
    // A summary comes first, because a paper can have a dozen exhibits and the verdicts are what
    // readers look for.
    let mut summary = Table::new("stack", "", &["Place", "About", "Verdict"]);
    for (place, exhibit) in exhibits.iter().enumerate() {
        summary.row(&[
            // Anchors have the place in the list, because two exhibits can have the same place in
            // the paper.
            format!("<a href=\"#{paper}-{place}\">{}</a>", escape(&exhibit.place)),
            prose(&exhibit.title),
            badge(exhibit.verdict),
        ]);
    }
    out.push_str(&summary.finish());
    for (place, exhibit) in exhibits.iter().enumerate() {
        write_exhibit(&mut out, exhibit, paper, place);
    }
    out + "</section>\n"
}

fn write_exhibit(out: &mut String, exhibit: &Exhibit, paper: &str, place: usize) {
    let Exhibit { says, found, verdict, reason, .. } = exhibit;
    let _ = writeln!(
        out,
        "<div class=\"exhibit\" id=\"{paper}-{place}\">\n<h3>{}: {} {}</h3>\n<dl>\n<dt>The paper</dt><dd>{}</dd>",
        escape(&exhibit.place),
        prose(&exhibit.title),
        badge(*verdict),
        prose(says)
    );
    // An exhibit that could not be tried has a reason, but nothing was measured.
    if !found.is_empty() {
        let _ = writeln!(out, "<dt>We measure</dt><dd>{}</dd>", prose(found));
    }
    let _ = writeln!(out, "<dt>Why {verdict}</dt><dd>{}</dd>\n</dl>", prose(reason));
    if exhibit.is_timed {
        out.push_str("<p class=\"mute\">Times depend on the machine.</p>\n");
    }
    // Figures are in the page itself, so that it can be sent as one file; the link is for those who
    // want the drawing.
    for figure in &exhibit.figures {
        let file = svg_name(paper, &figure.name);
        let _ = writeln!(
            out,
            "<figure class=\"wide\">\n{}<figcaption>{} (<a href=\"{file}\">{file}</a>)</figcaption>\n</figure>",
            figure.svg.clone().finish(),
            prose(&figure.caption)
        );
    }
    exhibit.sheets.iter().for_each(|sheet| write_sheet(out, sheet, paper));
    out.push_str("</div>\n");
}

fn write_sheet(out: &mut String, sheet: &Sheet, paper: &str) {
    let file = csv_name(paper, &sheet.name);
    let link = format!("<a href=\"{file}\">{file}</a>");
    // Thousands of rows would make the page too large to open.
    if sheet.is_file_only {
        let _ = writeln!(out, "<p>{}: {link}</p>", prose(&sheet.caption));
        return;
    }
    // `Table` marks columns of numbers in the same way as `Sheet::new`, which removed the marks.
    let heads: Vec<String> = (sheet.heads.iter().zip(&sheet.is_number))
        .map(|(head, is_number)| format!("{}{head}", if *is_number { ">" } else { "" }))
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = Table::new("", &sheet.caption, &heads);
    for row in &sheet.rows {
        table.row(&row.iter().map(|cell| prose(cell)).collect::<Vec<_>>());
    }
    let _ = writeln!(
        out,
        "<div class=\"wide\">\n{}</div>\n<p class=\"small\">{link}</p>",
        table.finish()
    );
}

fn badge(verdict: Verdict) -> String {
    let class = match verdict {
        Verdict::Reproduced => "good",
        Verdict::InDirection => "some",
        Verdict::Not => "bad",
        Verdict::NotMeasured => "none",
    };
    format!("<span class=\"badge {class}\">{verdict}</span>")
}

/// Escapes a text, in which `` `code` `` is code.
fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (place, part) in text.split('`').enumerate() {
        // Between backticks, parts alternate: text, code, text. The first part is always text, even
        // if empty.
        let is_code = place % 2 == 1;
        let _ = if is_code {
            write!(out, "<code>{}</code>", escape(part))
        } else {
            write!(out, "{}", escape(part))
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_papers_cannot_leave_its_element() {
        assert_eq!(prose("a<b `c<d` e"), "a&lt;b <code>c&lt;d</code> e");
    }
}
