//! Published cells, read as a person would read them.

/// Meaning of a published cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Anything,
    Ends(String, String),
    Members(Vec<String>, usize),
    Name(String),
}

impl Cell {
    /// Returns the values that the cell spells out.
    pub(crate) fn spelled(&self) -> Vec<&str> {
        match self {
            Self::Anything => Vec::new(),
            Self::Ends(low, high) => vec![low, high],
            Self::Members(members, _) => members.iter().map(String::as_str).collect(),
            Self::Name(name) => vec![name],
        }
    }
}

/// Whether a cell reveals nothing.
pub(crate) fn is_blank(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.bytes().all(|byte| byte == b'*')
}

/// Reads the published quasi-identifier of a record: one cell, or two that are bounds, which are
/// empty if they reveal nothing. Only numbers have ranges with a dash.
pub(crate) fn read_cell(shown: &[&str], are_numbers: bool) -> Cell {
    match *shown {
        ["", ""] => Cell::Anything,
        [low, high] if low.parse::<f64>().is_ok() && high.parse::<f64>().is_ok() => {
            Cell::Ends(low.to_owned(), high.to_owned())
        }
        [one, other] => {
            assert_eq!(one, other, "bounds that are not numbers are the same text");
            read_text(one, are_numbers)
        }
        [text] => read_text(text, are_numbers),
        _ => panic!("a quasi-identifier has one column or two: {shown:?}"),
    }
}

fn read_text(text: &str, are_numbers: bool) -> Cell {
    if is_blank(text) {
        return Cell::Anything;
    }
    if let Some(inner) = text.strip_prefix('[').and_then(|text| text.strip_suffix([']', ')']))
        && let Some((low, high)) = inner.split_once(", ")
    {
        return Cell::Ends(low.to_owned(), high.to_owned());
    }
    if let Some(inner) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        return members(inner);
    }
    let ends = if are_numbers { dash(text) } else { None };
    ends.map_or_else(|| Cell::Name(text.to_owned()), |(low, high)| Cell::Ends(low, high))
}

/// Returns the ends of `low-high`; either may be negative or have a negative exponent.
fn dash(text: &str) -> Option<(String, String)> {
    let mut ends = text.match_indices('-').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    let (low, high) = ends.find(|(low, high)| is_number(low) && is_number(high))?;
    Some((low.to_owned(), high.to_owned()))
}

/// Reads the members between braces. Members with commas are quoted, with quotes inside doubled.
fn members(inner: &str) -> Cell {
    let (mut members, mut rest) = (Vec::new(), inner);
    loop {
        let member;
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut end = 0;
            let bytes = quoted.as_bytes();
            while bytes[end] != b'"' || bytes.get(end + 1) == Some(&b'"') {
                end += if bytes[end] == b'"' { 2 } else { 1 };
            }
            member = quoted[..end].replace("\"\"", "\"");
            rest = &quoted[end + 1..];
        } else {
            let end =
                rest.find(", ").or_else(|| rest.rfind(" and ").filter(|_| rest.ends_with(" more")));
            let end = end.unwrap_or(rest.len());
            member = rest[..end].to_owned();
            rest = &rest[end..];
        }
        members.push(member);
        if let Some(next) = rest.strip_prefix(", ") {
            rest = next;
        } else if let Some(more) = rest.strip_prefix(" and ") {
            let n_more = more.strip_suffix(" more").unwrap().parse().unwrap();
            return Cell::Members(members, n_more);
        } else {
            assert_eq!(rest, "", "{inner}");
            return Cell::Members(members, 0);
        }
    }
}
