//! Pieces of HTML: whole pages, escaped text, numbers, tables.

use std::borrow::Cow;
use std::fmt::Write;

use crate::chart::{self, escape, shortened};
pub(crate) use crate::noun::grouped as count;

/// The rules of pages; colours and charts have their own.
pub const STYLE: &str = include_str!("page.css");

/// A page that needs no script and no network, in light and dark, on phones and paper.
pub(crate) struct Document<'a> {
    /// Title, as text.
    pub(crate) title: &'a str,
    /// Version of hedgerow that made the content.
    pub(crate) generator: &'a str,
    /// Rules that only this page has.
    pub(crate) style: &'a str,
    /// Content, as HTML.
    pub(crate) body: &'a str,
}

impl Document<'_> {
    /// Returns the page, which is well-formed XML too, except for its document type.
    pub(crate) fn html(&self) -> String {
        let Self { title, generator, style, body } = self;
        // The policy forbids scripts and everything from elsewhere; styles are part of the page.
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n\
             <meta name=\"generator\" content=\"hedgerow {generator}\"/>\n<title>{}</title>\n<style>\n{}{}{STYLE}{style}</style>\n</head>\n\
             <body>\n<article>\n{body}</article>\n</body>\n</html>\n",
            escape(title),
            chart::COLOURS,
            chart::STYLE
        )
    }
}

/// Maximum number of characters of a name or a cell on the page.
const MOST_CHARACTERS: usize = 80;

/// Escapes a text of any length.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    escape(text)
}

/// Escapes a text in which parts between backticks are code: `` `*` `` is `<code>*</code>`.
pub(crate) fn with_code(text: &str) -> String {
    let mut out = String::new();
    let parts: Vec<&str> = text.split('`').collect();
    for (place, part) in parts.iter().enumerate() {
        // Parts alternate between text and code; a backtick without a partner stays one.
        let is_code = place % 2 == 1;
        let _ = match (is_code, place + 1 < parts.len()) {
            (true, true) => write!(out, "<code>{}</code>", escape(part)),
            (true, false) => write!(out, "`{}", escape(part)),
            (false, _) => write!(out, "{}", escape(part)),
        };
    }
    out
}

/// A number that was written without groups of digits; other numbers stay as they are.
pub(crate) fn regrouped(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    whole.parse().map_or_else(|_| number.to_owned(), |whole: u64| count(whole) + rest)
}

/// Shortens a name or a cell and escapes it.
pub(crate) fn name(text: &str) -> String {
    // Shortened first, so that no escape sequence is cut.
    escape(&shortened(text, MOST_CHARACTERS)).into_owned()
}

/// A share as a percentage: `100%`, `14.4%`, `0.03%`; 0% and 100% only if it is exactly so.
pub(crate) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let text = match percent {
        0.0 => "0".to_owned(),
        // A risk that is not 0 must not be rounded to 0, nor one below 1 to 1.
        p if p.abs() < 0.01 => return "under 0.01%".to_owned(),
        p if p.abs() < 1.0 => format!("{p:.2}"),
        p if (99.95..100.0).contains(&p) => return "over 99.9%".to_owned(),
        p => format!("{p:.1}"),
    };
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}%")
}

/// A table whose first cell of each row is its heading. Cells are HTML.
pub(crate) struct Table {
    out: String,
    /// Headings as text, for narrow pages.
    heads: Vec<String>,
    /// Whether each column has numbers.
    is_number: Vec<bool>,
}

impl Table {
    /// Starts a table. A heading that begins with `>` is that of a column of numbers.
    pub(crate) fn new(class: &str, caption: &str, heads: &[&str]) -> Self {
        let is_number: Vec<bool> = heads.iter().map(|head| head.starts_with('>')).collect();
        let heads: Vec<String> =
            heads.iter().map(|head| escape(head.trim_start_matches('>')).into_owned()).collect();
        let mut out = format!("<table class=\"{class}\">\n");
        if !caption.is_empty() {
            let _ = writeln!(out, "<caption>{}</caption>", escape(caption));
        }
        out.push_str("<thead><tr>");
        for (head, is_number) in heads.iter().zip(&is_number) {
            let class = if *is_number { " class=\"r\"" } else { "" };
            let _ = write!(out, "<th scope=\"col\"{class}>{head}</th>");
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        Self { out, heads, is_number }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: &[String]) {
        self.out.push_str("<tr>");
        let columns = self.heads.iter().zip(&self.is_number);
        for (place, (cell, (head, is_number))) in cells.iter().zip(columns).enumerate() {
            let class = if *is_number { " class=\"r\"" } else { "" };
            let _ = match place {
                0 => write!(self.out, "<th scope=\"row\"{class}>{cell}</th>"),
                // On phones, tables are stacked and the label replaces the head.
                _ if head.is_empty() => write!(self.out, "<td{class}>{cell}</td>"),
                _ => write!(self.out, "<td{class} data-label=\"{head}\">{cell}</td>"),
            };
        }
        self.out.push_str("</tr>\n");
    }

    /// Returns the table.
    pub(crate) fn finish(mut self) -> String {
        self.out.push_str("</tbody>\n</table>\n");
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let shown = [0.0, 0.000_01, 0.0003, 0.144, 0.2, 0.9996, 1.0].map(percent);
        assert_eq!(shown, ["0%", "under 0.01%", "0.03%", "14.4%", "20%", "over 99.9%", "100%"]);
    }

    #[test]
    fn parts_between_backticks_are_code() {
        assert_eq!(with_code("1% hidden (`*`)"), "1% hidden (<code>*</code>)");
        assert_eq!(with_code("`<a>` and `b"), "<code>&lt;a&gt;</code> and `b");
    }

    #[test]
    fn long_numbers_have_groups_of_digits() {
        let shown = ["12814", "1651.891990", "0.25", "1e9"].map(regrouped);
        assert_eq!(shown, ["12,814", "1,651.891990", "0.25", "1e9"]);
    }

    #[test]
    fn cells_of_a_table_have_headings() {
        let mut table = Table::new("stack", "a<b", &["x", ">n"]);
        table.row(&["y".into(), "1".into()]);
        let html = table.finish();
        assert!(html.contains("<caption>a&lt;b</caption>"), "{html}");
        assert!(html.contains("<th scope=\"row\">y</th><td class=\"r\" data-label=\"n\">1</td>"));
    }
}
