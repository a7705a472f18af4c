//! Reproductions as Markdown, for `docs/papers.md`.

use std::fmt::Write;

use super::{Exhibit, Reproduction, Sheet};

/// The page about several papers. Each paper has a section between the comments `begin` and `end`.
pub fn document(reproductions: &[Reproduction]) -> String {
    let mut out = INTRODUCTION.to_owned();
    for reproduction in reproductions {
        // The comments let `tests/library/papers.rs` replace the section of one paper only.
        let _ = write!(
            out,
            "\n<!-- begin {0} -->\n\n{1}\n<!-- end {0} -->\n",
            reproduction.paper,
            markdown(reproduction)
        );
    }
    out
}

const INTRODUCTION: &str = "\
# Papers

What papers say about their methods, and what hedgerow measures. Every claim, table and figure has a verdict: *reproduced* (the same numbers or the same statement), *in direction* (other numbers that
support the statement, or part of it), *not* (we measure something else), or *not measured*, with the reason. No parameter was chosen to fit a printed number.

This page is written by `hedgerow reproduce all`, which also draws the figures and writes every table as CSV; `CONTRIBUTING.md` has the command.
";

/// The section about one paper.
pub fn markdown(reproduction: &Reproduction) -> String {
    let Reproduction { paper, about, citation, readings, .. } = reproduction;
    let reference = reproduction.reference.map_or_else(String::new, |key| format!(" \\[{key}\\]"));
    let mut out = format!("## `{paper}`: {about}\n\n{}{reference}\n\n", prose(citation));
    let _ = writeln!(out, "Verdicts: {}.\n", reproduction.tally());
    if !readings.is_empty() {
        out.push_str("Where the paper is silent or contradicts itself:\n\n");
        readings.iter().for_each(|reading| {
            let _ = writeln!(out, "- {}", prose(reading));
        });
        out.push('\n');
    }
    for exhibit in &reproduction.exhibits {
        write_exhibit(&mut out, exhibit);
    }
    out
}

fn write_exhibit(out: &mut String, exhibit: &Exhibit) {
    let Exhibit { place, title, says, found, verdict, reason, is_timed, .. } = exhibit;
    if *is_timed {
        // The test that compares sections skips what is between these comments.
        out.push_str("<!-- begin timed -->\n\n");
    }
    let _ = writeln!(out, "### {}: {}\n", prose(place), prose(title));
    let _ = writeln!(out, "- **The paper:** {}", prose(says));
    if !found.is_empty() {
        let _ = writeln!(out, "- **We measure:** {}", prose(found));
    }
    let _ = writeln!(out, "- **Verdict:** *{verdict}*: {}\n", prose(reason));
    // Figures are not part of the Markdown: drawings of each run would be committed with it.
    for sheet in exhibit.sheets.iter().filter(|sheet| !sheet.is_file_only) {
        write_sheet(out, sheet);
    }
    if *is_timed {
        out.push_str("<!-- end timed -->\n\n");
    }
}

fn write_sheet(out: &mut String, sheet: &Sheet) {
    let _ = writeln!(out, "{}:\n", prose(&sheet.caption));
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push_str(&line(sheet.heads.iter().map(|head| cell(head)).collect()));
    let rules = sheet.is_number.iter().map(|is| if *is { "---:" } else { "---" }.to_owned());
    out.push_str(&line(rules.collect()));
    for row in &sheet.rows {
        out.push_str(&line(row.iter().map(|text| cell(text)).collect()));
    }
    out.push('\n');
}

/// A cell of a table, in which bars and line ends would end it.
fn cell(text: &str) -> String {
    prose(text).replace('|', "\\|").replace('\n', " ")
}

/// Escapes everything outside `` `code` `` that Markdown would interpret.
fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (place, part) in text.split('`').enumerate() {
        if place > 0 {
            out.push('`');
        }
        let is_code = place % 2 == 1;
        for character in part.chars() {
            // Inside code Markdown interprets nothing, and a backslash would be shown.
            if !is_code && matches!(character, '*' | '_' | '<' | '[' | ']') {
                out.push('\\');
            }
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    #[test]
    fn text_is_escaped_outside_of_code() {
        assert_eq!(prose("a*b `c*d_e` [1, 2] x_y"), "a\\*b `c*d_e` \\[1, 2\\] x\\_y");
        assert_eq!(cell("a|b\nc"), "a\\|b c");
    }

    #[test]
    fn what_depends_on_the_machine_is_marked() {
        let mut sheet = Sheet::new("t", "times", &["what", ">s"]);
        sheet.row(["one".to_owned(), "0.5".to_owned()]);
        let exhibit = Exhibit::new("Table 1", "time").says("fast").timed().with_sheet(sheet);
        let mut out = String::new();
        write_exhibit(&mut out, &exhibit.verdict(Verdict::Not, "slow"));
        let wanted = "<!-- begin timed -->\n\n### Table 1: time\n\n- **The paper:** fast\n\
                      - **Verdict:** *not*: slow\n\ntimes:\n\n| what | s |\n| --- | ---: |\n\
                      | one | 0.5 |\n\n<!-- end timed -->\n\n";
        assert_eq!(out, wanted);
    }
}
