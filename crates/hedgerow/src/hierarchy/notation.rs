//! How generalized values are written, here and by other tools, read back.

use super::period::Period;
use crate::table::{DateFormat, Reading, Values, read_number};

/// A published value, read from its text.
#[derive(Debug, Clone, PartialEq)]
pub enum Notation {
    /// `*`: anything.
    Anything,
    /// A range of numbers, both ends included; an open side is infinite.
    Range(f64, f64),
    /// `{a, b}`: one of these.
    Set(Vec<String>),
    /// `{a, b and 3 more}`: one of these, or one of this number of others.
    PartialSet(Vec<String>, usize),
    /// A value or the name of a group.
    Name(String),
}

impl Notation {
    /// Reads a published value: `*`, `[20, 30]`, `[20, 30[`, `20-29`, `>=50`, `{a, b}`, or a name.
    ///
    /// Half-open ranges of whole numbers are closed: `[20, 30[` is 20 to 29.
    ///
    /// ```
    /// use hedgerow::hierarchy::Notation;
    /// assert_eq!(Notation::read("[20, 30["), Notation::Range(20.0, 29.0));
    /// assert_eq!(Notation::read("20-29"), Notation::Range(20.0, 29.0));
    /// assert_eq!(Notation::read(">=50"), Notation::Range(50.0, f64::INFINITY));
    /// assert_eq!(Notation::read("Married"), Notation::Name("Married".into()));
    /// ```
    pub fn read(text: &str) -> Self {
        Self::read_number(text, true)
    }

    /// The same where numbers are whole or not: if they are not, `[20, 30[` is 20 to 30.
    pub(crate) fn read_number(text: &str, is_whole: bool) -> Self {
        Self::new(text, |text| {
            let range = brackets(text, is_whole).or_else(|| one_sided(text, is_whole));
            range.or_else(|| dash(text))
        })
    }

    /// Reads a published value of a column with these values; only numbers and dates have ranges.
    ///
    /// Those of dates are `[2024-03-01, 2024-03-09]`, in the column's own format, and what
    /// `calendar` writes: `2024-03-05`, `2024-W09`, `2024-03`, `2024-Q1`, `2024`, `2020s`.
    pub fn read_as(values: &Values, text: &str) -> Self {
        match values {
            Values::Number(scale) => Self::read_number(text, scale.is_whole()),
            Values::Date(_, format) => Self::read_date(format, text),
            Values::Code(_) | Values::Text(_) => Self::new(text, |_| None),
        }
    }

    /// The range, if both its ends are numbers.
    pub(crate) fn finite_range(&self) -> Option<(f64, f64)> {
        match *self {
            Self::Range(lo, hi) if lo.is_finite() && hi.is_finite() => Some((lo, hi)),
            _ => None,
        }
    }

    /// Reads a published date.
    pub(crate) fn read_date(format: &DateFormat, text: &str) -> Self {
        Self::new(text, |text| dates(text, format))
    }

    fn new(text: &str, range: impl Fn(&str) -> Option<(f64, f64)>) -> Self {
        let text = text.trim();
        if !text.is_empty() && text.bytes().all(|byte| byte == b'*') {
            return Self::Anything;
        }
        if let Some(members) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
            return match split_more(members) {
                Some((members, more)) => Self::PartialSet(read_members(members), more),
                None => Self::Set(read_members(members)),
            };
        }
        match range(text) {
            Some((lo, hi)) if lo <= hi => Self::Range(lo, hi),
            _ => Self::Name(text.to_owned()),
        }
    }
}

/// The range that a label spells out, if both its ends are numbers.
pub(crate) fn finite_range(label: &str) -> Option<(f64, f64)> {
    Notation::read(label).finite_range()
}

/// Whether the range that a label spells out leaves out its least and its greatest end.
pub(crate) fn open_ends(label: &str) -> (bool, bool) {
    let label = label.trim();
    let is_strict = |sign: char| label.starts_with(sign) && !label[1..].starts_with('=');
    let below = label.starts_with(['(', ']']) || is_strict('>');
    let above = label.ends_with([')', '[']) || is_strict('<');
    (below, above)
}

/// Writes a set: `{a, b}`; a member that would be misread stands in quotes.
pub fn write_set<S: AsRef<str>>(members: &[S]) -> String {
    format!("{{{}}}", write_members(members))
}

/// Writes a set that does not name all its members: `{a, b and 3 more}`.
pub(crate) fn write_partial_set<S: AsRef<str>>(members: &[S], n_more: usize) -> String {
    format!("{{{} and {n_more} more}}", write_members(members))
}

fn write_members<S: AsRef<str>>(members: &[S]) -> String {
    let quoted = |member: &S| {
        let member = member.as_ref();
        let is_misread = member.is_empty() || member.contains([',', '{', '}', '"']);
        if is_misread || split_more(member).is_some() {
            return format!("\"{}\"", member.replace('"', "\"\""));
        }
        member.to_owned()
    };
    members.iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// Divides `a, b and 3 more` into the members that are named and how many are not.
fn split_more(members: &str) -> Option<(&str, usize)> {
    let (named, more) = members.strip_suffix(" more")?.rsplit_once(" and ")?;
    let is_number = more.bytes().all(|byte| byte.is_ascii_digit());
    more.parse().ok().filter(|_| is_number).map(|more| (named, more))
}

/// The members of a set, between its braces.
fn read_members(text: &str) -> Vec<String> {
    let mut members = vec![String::new()];
    let mut is_quoted = false;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let last = members.len() - 1;
        match c {
            '"' if is_quoted && rest.next_if_eq(&'"').is_some() => members[last].push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                rest.next_if_eq(&' ');
                members.push(String::new());
            }
            other => members[last].push(other),
        }
    }
    members
}

fn number(text: &str) -> Option<f64> {
    read_number(text).map(Reading::value)
}

/// Moves an end that is not included to the next whole number, where numbers are whole.
fn end(text: &str, step: Option<f64>) -> Option<f64> {
    let is_whole = !text.contains(['.', 'e', 'E']);
    number(text).map(|value| value + step.filter(|_| is_whole).unwrap_or(0.0))
}

/// `[a, b]`, with either side open: `[a, b[`, `[a, b)`, `]a, b]`, `(a, b]`.
fn brackets(text: &str, is_whole: bool) -> Option<(f64, f64)> {
    let inner = text.strip_prefix(['[', ']', '('])?;
    let inner = inner.strip_suffix([']', '[', ')'])?;
    let (lo, hi) = inner.split_once([',', ';'])?;
    let (lo_open, hi_open) = (!text.starts_with('['), !text.ends_with(']'));
    let step = |open: bool, step: f64| (open && is_whole).then_some(step);
    Some((end(lo, step(lo_open, 1.0))?, end(hi, step(hi_open, -1.0))?))
}

/// `[a, b]` of dates or parts of the calendar, or such a part alone.
fn dates(text: &str, format: &DateFormat) -> Option<(f64, f64)> {
    let period = |text: &str| Period::read(text).map(Period::range);
    let Some(inner) = text.strip_prefix('[') else {
        return period(text);
    };
    let inner = inner.strip_suffix(']')?;
    let end = |text: &str| {
        let moment = format.read(text).map(Reading::value);
        moment.map(|moment| (moment, moment)).or_else(|| period(text))
    };
    // Dates may have commas themselves.
    let mut commas = inner.match_indices(", ");
    commas.find_map(|(at, comma)| Some((end(&inner[..at])?.0, end(&inner[at + comma.len()..])?.1)))
}

/// `>=a`, `>a`, `<=b`, `<b`.
fn one_sided(text: &str, is_whole: bool) -> Option<(f64, f64)> {
    let step = |open: bool, step: f64| (open && is_whole).then_some(step);
    let at_least = |text, open| end(text, step(open, 1.0)).map(|lo| (lo, f64::INFINITY));
    let at_most = |text, open| end(text, step(open, -1.0)).map(|hi| (f64::NEG_INFINITY, hi));
    if let Some(rest) = text.strip_prefix(">=").or_else(|| text.strip_prefix('≥')) {
        at_least(rest, false)
    } else if let Some(rest) = text.strip_prefix("<=").or_else(|| text.strip_prefix('≤')) {
        at_most(rest, false)
    } else if let Some(rest) = text.strip_prefix('>') {
        at_least(rest, true)
    } else {
        at_most(text.strip_prefix('<')?, true)
    }
}

/// `a-b` or `a–b`; the first sign may belong to a negative number.
fn dash(text: &str) -> Option<(f64, f64)> {
    let mut starts = text.char_indices().filter(|&(at, c)| at > 0 && matches!(c, '-' | '–'));
    starts.find_map(|(at, c)| Some((number(&text[..at])?, number(&text[at + c.len_utf8()..])?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_range_is_read() {
        for text in ["[20, 29]", "[20, 30[", "[20,30)", "(19, 29]", "]19;30[", "20-29", "20 – 29"]
        {
            assert_eq!(Notation::read(text), Notation::Range(20.0, 29.0), "{text}");
        }
        assert_eq!(Notation::read("-5--2"), Notation::Range(-5.0, -2.0));
        assert_eq!(Notation::read("[0.5, 1.5["), Notation::Range(0.5, 1.5));
        assert_eq!(Notation::read("<18"), Notation::Range(f64::NEG_INFINITY, 17.0));
    }

    #[test]
    fn names_with_dashes_stay_names() {
        for text in ["Some-college", "1st-4th", "02139", "2024-01-31", "30-20", ""] {
            let is_name = matches!(Notation::read(text), Notation::Name(_));
            assert!(is_name, "{text}: {:?}", Notation::read(text));
        }
    }

    #[test]
    fn sets_come_back_as_they_went() {
        let members = ["a", "b, c", "{x}", "say \"x\"", ""];
        let text = write_set(&members);
        assert_eq!(text, "{a, \"b, c\", \"{x}\", \"say \"\"x\"\"\", \"\"}");
        assert_eq!(Notation::read(&text), Notation::Set(members.map(str::to_owned).to_vec()));
    }

    #[test]
    fn sets_that_name_some_members_say_how_many_more() {
        let text = write_partial_set(&["a", "b and 2 more"], 3);
        assert_eq!(text, "{a, \"b and 2 more\" and 3 more}");
        let members = vec!["a".to_owned(), "b and 2 more".to_owned()];
        assert_eq!(Notation::read(&text), Notation::PartialSet(members, 3));
    }

    #[test]
    fn stars_of_any_length_are_anything() {
        assert_eq!(Notation::read("*****"), Notation::Anything);
        assert_eq!(Notation::read("981**"), Notation::Name("981**".into()));
    }
}
