//! Notation of generalized values: formats of hedgerow and other tools, and their parser.

use serde::{Deserialize, Serialize};

use super::period::Period;
use crate::table::{DateFormat, Decimal, Reading, Values, read_number_as};

/// A published value, parsed from its text.
#[derive(Debug, Clone, PartialEq)]
pub enum Notation {
    /// `*`: any value.
    Anything,
    /// A range of numbers, including both ends. A side without an end is infinite.
    Range(f64, f64),
    /// `{a, b}`: one of these values.
    Set(Vec<String>),
    /// `{a, b and 3 more}`: one of these values, or one of this number of others.
    PartialSet(Vec<String>, usize),
    /// A value or the name of a group.
    Name(String),
}

impl Notation {
    /// Parses a published value: `*`, `[20, 30]`, `[20, 30[`, `[20-30]`, `20-29`, `20 to 29`,
    /// `>=50`, `50+`, `<20`, `{a, b}`, or a name.
    ///
    /// Half-open ranges of whole numbers are converted to closed ones: `[20, 30[` is 20 to 29.
    ///
    /// ```
    /// use hedgerow::hierarchy::Notation;
    /// assert_eq!(Notation::read("[20, 30["), Notation::Range(20.0, 29.0));
    /// assert_eq!(Notation::read("20-29"), Notation::Range(20.0, 29.0));
    /// assert_eq!(Notation::read("50+"), Notation::Range(50.0, f64::INFINITY));
    /// assert_eq!(Notation::read("Married"), Notation::Name("Married".into()));
    /// ```
    pub fn read(text: &str) -> Self {
        Self::read_number(text, true, Decimal::Point)
    }

    /// Like [`Notation::read`], for whole numbers or others with a decimal sign. If they are not
    /// whole, `[20, 30[` is 20 to 30.
    pub(crate) fn read_number(text: &str, is_whole: bool, sign: Decimal) -> Self {
        Self::new(text, |text| Some(Written::numbers(text, is_whole, sign)?.range))
    }

    /// Parses a published value of a column with these values. Only numbers and dates have ranges.
    ///
    /// Ranges of dates have the notation of ranges of numbers, with ends in the column's own format
    /// or as `calendar` writes them: `2024-03-05`, `2024-W09`, `2024-03`, `2024-Q1`, `2024`,
    /// `2020s`. Such periods are ends between brackets and after comparison signs, but not around a
    /// dash: `2023-2024` may be a school year.
    pub fn read_as(values: &Values, text: &str) -> Self {
        match values {
            Values::Number(scale) => Self::read_number(text, scale.is_whole(), scale.decimal()),
            Values::Date(_, format) => Self::read_date(format, text),
            Values::Code(_) | Values::Text(_) => Self::new(text, |_| None),
        }
    }

    /// Returns the range if both its ends are finite.
    pub(crate) fn finite_range(&self) -> Option<(f64, f64)> {
        match *self {
            Self::Range(lo, hi) if lo.is_finite() && hi.is_finite() => Some((lo, hi)),
            _ => None,
        }
    }

    /// Parses a published date.
    pub(crate) fn read_date(format: &DateFormat, text: &str) -> Self {
        Self::new(text, |text| {
            let period = Period::read(text).map(Period::range);
            period.or_else(|| Some(Written::dates(text, format)?.range))
        })
    }

    fn new(text: &str, range: impl Fn(&str) -> Option<(f64, f64)>) -> Self {
        let text = text.trim();
        // A fully masked value such as `*****` is any value too.
        if !text.is_empty() && text.bytes().all(|byte| byte == b'*') {
            return Self::Anything;
        }
        if let Some(members) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
            return match split_more(members) {
                Some((members, more)) => Self::PartialSet(read_members(members), more),
                None => Self::Set(read_members(members)),
            };
        }
        // A range with reversed ends, such as `30-20`, is a name.
        match range(text) {
            Some((lo, hi)) if lo <= hi => Self::Range(lo, hi),
            _ => Self::Name(text.to_owned()),
        }
    }
}

/// Returns the range that a label states if both its ends are finite.
pub(crate) fn finite_range(label: &str) -> Option<(f64, f64)> {
    Notation::read(label).finite_range()
}

/// The ends that a range excludes; none by default. Files have it as a list of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "(bool, bool)", into = "(bool, bool)")]
pub(crate) struct Excluded {
    pub(crate) low: bool,
    pub(crate) high: bool,
}

impl From<(bool, bool)> for Excluded {
    fn from((low, high): (bool, bool)) -> Self {
        Self { low, high }
    }
}

impl From<Excluded> for (bool, bool) {
    fn from(ends: Excluded) -> Self {
        (ends.low, ends.high)
    }
}

/// Returns the excluded ends of the range that a label states.
pub(crate) fn open_ends(label: &str) -> Excluded {
    let label = label.trim();
    // `>=` and `<=` include their end.
    let is_strict = |sign: char| label.starts_with(sign) && !label[1..].starts_with('=');
    let low = label.starts_with(['(', ']']) || is_strict('>');
    let high = label.ends_with([')', '[']) || is_strict('<');
    Excluded { low, high }
}

/// Returns the excluded ends of a range that [`Notation::read_as`] includes nevertheless, as it
/// does for numbers that are not whole.
pub(crate) fn excluded_ends(values: &Values, label: &str) -> Excluded {
    match values {
        Values::Number(scale) if !scale.is_whole() => open_ends(label),
        _ => Excluded::default(),
    }
}

/// Formats a set as `{a, b}`, with quotes around members that would be misread.
pub(crate) fn write_set<S: AsRef<str>>(members: &[S]) -> String {
    format!("{{{}}}", write_members(members))
}

/// Formats a set that does not name all its members: `{a, b and 3 more}`.
pub(crate) fn write_partial_set<S: AsRef<str>>(members: &[S], n_more: usize) -> String {
    format!("{{{} and {n_more} more}}", write_members(members))
}

fn write_members<S: AsRef<str>>(members: &[S]) -> String {
    members.iter().map(|member| quoted(member.as_ref())).collect::<Vec<_>>().join(", ")
}

/// Returns a member of a set, with quotes around it if it would be misread otherwise.
fn quoted(member: &str) -> String {
    let is_misread = member.is_empty() || member.contains([',', '{', '}', '"']);
    // A member `b and 2 more` would look like the end of a partial set.
    if is_misread || split_more(member).is_some() {
        return format!("\"{}\"", member.replace('"', "\"\""));
    }
    member.to_owned()
}

/// Splits `a, b and 3 more` into the named members and the number of the others.
fn split_more(members: &str) -> Option<(&str, usize)> {
    let (named, more) = members.strip_suffix(" more")?.rsplit_once(" and ")?;
    let is_number = more.bytes().all(|byte| byte.is_ascii_digit());
    more.parse().ok().filter(|_| is_number).map(|more| (named, more))
}

/// Parses the members of a set, given the text between its braces.
fn read_members(text: &str) -> Vec<String> {
    let mut members = vec![String::new()];
    let mut is_quoted = false;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let last = members.len() - 1;
        match c {
            // Two quotes inside a quoted member are one quote.
            '"' if is_quoted && rest.next_if_eq(&'"').is_some() => members[last].push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                // The writer puts one blank after a comma; further blanks belong to the member.
                rest.next_if_eq(&' ');
                members.push(String::new());
            }
            other => members[last].push(other),
        }
    }
    members
}

/// Parses an end of a range. `step` moves an excluded end to the adjacent whole number, if the end
/// is written as a whole number.
fn end(text: &str, step: Option<f64>, sign: Decimal) -> Option<f64> {
    // `20.0` is written as a decimal, so its neighbour is not 19 or 21.
    let is_whole = !text.contains([sign.sign(), 'e', 'E']);
    read_number_as(text, sign)
        .map(Reading::value)
        .map(|value| value + step.filter(|_| is_whole).unwrap_or(0.0))
}

/// A range with the texts of its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Written<'a> {
    /// Texts of the least and the greatest end; `None` on a side without an end.
    pub(super) ends: [Option<&'a str>; 2],
    /// Whether each end is excluded.
    pub(super) is_open: [bool; 2],
    /// The covered range, including both ends.
    pub(super) range: (f64, f64),
    mark: Mark,
}

/// The separator of the ends of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mark {
    Comma,
    Semicolon,
    Dash,
    /// A range with one end.
    Nothing,
}

impl<'a> Written<'a> {
    /// Parses the range that a label states in a column with these values. Returns `None` for a
    /// calendar period, which does not state ends.
    pub(super) fn read_as(values: &Values, label: &'a str) -> Option<Self> {
        let label = label.trim();
        let written = match values {
            Values::Number(scale) => Self::numbers(label, scale.is_whole(), scale.decimal()),
            Values::Date(_, format) => Self::dates(label, format),
            Values::Code(_) | Values::Text(_) => None,
        };
        written.filter(|written| written.range.0 <= written.range.1)
    }

    /// Parses a range of numbers with a decimal sign. Commas are decimal signs where a semicolon
    /// separates the ends, for every `sign`.
    fn numbers(text: &'a str, is_whole: bool, sign: Decimal) -> Option<Self> {
        // Most labels are words, and no number begins with a letter.
        if text.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let read = |sign: Decimal| {
            Self::divisions(text).filter_map(move |written| {
                Some(Self { range: written.extremes(is_whole, sign)?, ..written })
            })
        };
        let by_semicolon = || read(Decimal::Comma).find(|found| found.mark == Mark::Semicolon);
        match sign {
            Decimal::Point => read(sign).next().or_else(by_semicolon),
            // `[1,2,3]` can be divided in two ways, so it is a name.
            Decimal::Comma => by_semicolon().or_else(|| {
                let mut found = read(sign);
                found.next().filter(|_| found.next().is_none())
            }),
        }
    }

    /// Returns the least and the greatest number of a range of numbers.
    fn extremes(&self, is_whole: bool, sign: Decimal) -> Option<(f64, f64)> {
        // An excluded end of whole numbers moves inward by 1.
        let step = |is_open: bool, inward: f64| (is_whole && is_open).then_some(inward);
        let low = match self.ends[0] {
            None => f64::NEG_INFINITY,
            Some(text) => end(text, step(self.is_open[0], 1.0), sign)?,
        };
        let high = match self.ends[1] {
            None => f64::INFINITY,
            Some(text) => end(text, step(self.is_open[1], -1.0), sign)?,
        };
        Some((low, high))
    }

    fn dates(text: &'a str, format: &DateFormat) -> Option<Self> {
        if format.reads(text) {
            return None; // a value, even if it has a dash
        }
        Self::divisions(text)
            .find_map(|written| Some(Self { range: written.moments(format)?, ..written }))
    }

    /// Returns the same range of dates with both ends included.
    pub(super) fn closed(self, format: &DateFormat) -> Option<Self> {
        let closed = Self { is_open: [false; 2], ..self };
        Some(Self { range: closed.moments(format)?, ..closed })
    }

    /// Returns the first and the last moment of a range of dates.
    fn moments(&self, format: &DateFormat) -> Option<(f64, f64)> {
        let read = |text: &str| {
            let moment = format.read(text).map(Reading::value);
            // `2023-2024` may be a school year, so periods around a dash are not ends.
            let period = || Period::read(text.trim()).filter(|_| self.mark != Mark::Dash);
            moment.map(|moment| (moment, moment)).or_else(|| period().map(Period::range))
        };
        // An excluded period is excluded whole: a range after `2024-03` begins past its last
        // moment.
        let [low_is_open, high_is_open] = self.is_open;
        let low = match self.ends[0] {
            None => f64::NEG_INFINITY,
            Some(text) if low_is_open => read(text)?.1.next_up(),
            Some(text) => read(text)?.0,
        };
        let high = match self.ends[1] {
            None => f64::INFINITY,
            Some(text) if high_is_open => read(text)?.0.next_down(),
            Some(text) => read(text)?.1,
        };
        Some((low, high))
    }

    /// Iterates over all ways to split a text into ends: `[a, b]`, `[a;b[`, `[a, b)`, `]a, b]`,
    /// `(a, b]`, `[a-b]`, `>=a`, `>a`, `<=b`, `<b`, `a+`, `a to b`, `a-b`, `a – b`.
    ///
    /// There can be several, because dates can contain commas and dashes. A dash at the start is
    /// the sign of a negative number, and so is one after another dash: `-5--2`.
    fn divisions(text: &'a str) -> impl Iterator<Item = Self> {
        let inner = text
            .strip_prefix(['[', ']', '('])
            .and_then(|inner| inner.strip_suffix([']', '[', ')']));
        // `]a` and `(a` exclude the end, and so do `b[` and `b)`.
        let is_open = [!text.starts_with('['), !text.ends_with(']')];
        let in_brackets = inner.into_iter().flat_map(move |inner| {
            let commas = inner.match_indices([',', ';']);
            let divided = commas.map(move |(at, comma)| Self {
                mark: if comma == ";" { Mark::Semicolon } else { Mark::Comma },
                ..Self::new(split(inner, at, comma), is_open)
            });
            divided.chain(Self::dashed(inner, is_open))
        });
        let worded = text.match_indices(" to ");
        let worded = worded.map(move |(at, to)| Self::new(split(text, at, to), [false; 2]));
        let dashed = Self::dashed(text, [false; 2]);
        in_brackets.chain(Self::one_sided(text)).chain(worded).chain(dashed)
    }

    /// Iterates over all ways to split a text at a dash.
    fn dashed(text: &'a str, is_open: [bool; 2]) -> impl Iterator<Item = Self> {
        let dashes = text.match_indices(['-', '–']).filter(|(at, _)| *at > 0);
        dashes.map(move |(at, dash)| Self {
            mark: Mark::Dash,
            ..Self::new(split(text, at, dash), is_open)
        })
    }

    fn one_sided(text: &'a str) -> Option<Self> {
        let after = |signs: [&str; 2]| signs.iter().find_map(|sign| text.strip_prefix(sign));
        // Longer signs are tried first, because `>=` also starts with `>`.
        Some(if let Some(low) = after([">=", "≥"]) {
            Self::new([Some(low), None], [false; 2])
        } else if let Some(high) = after(["<=", "≤"]) {
            Self::new([None, Some(high)], [false; 2])
        } else if let Some(low) = text.strip_prefix('>') {
            Self::new([Some(low), None], [true, false])
        } else if let Some(low) = text.strip_suffix('+') {
            Self::new([Some(low), None], [false; 2])
        } else {
            Self::new([None, Some(text.strip_prefix('<')?)], [false, true])
        })
    }

    /// Builds a range whose ends are not parsed yet.
    fn new(ends: [Option<&'a str>; 2], is_open: [bool; 2]) -> Self {
        Self { ends, is_open, range: (f64::NAN, f64::NAN), mark: Mark::Nothing }
    }
}

/// Returns the texts before and after a separator.
fn split<'a>(text: &'a str, at: usize, mark: &str) -> [Option<&'a str>; 2] {
    [Some(&text[..at]), Some(&text[at + mark.len()..])]
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
    fn the_ways_of_other_tools_are_read_too() {
        for text in ["[17-25]", "17 to 25", "17–25", "[17 - 25]", "]16-26[", "[17–26)"] {
            assert_eq!(Notation::read(text), Notation::Range(17.0, 25.0), "{text}");
        }
        for text in ["65+", "65 +", ">=65", "≥65", ">64"] {
            assert_eq!(Notation::read(text), Notation::Range(65.0, f64::INFINITY), "{text}");
        }
        let quarter = Notation::read_date(&DateFormat::ISO, "2021-Q1");
        assert!(matches!(quarter, Notation::Range(..)));
        assert_eq!(Notation::read_date(&DateFormat::ISO, "2021Q1"), quarter);
    }

    /// The first dash after a number separates; any other is a sign.
    #[test]
    fn negative_numbers_keep_their_signs() {
        for (text, low, high) in [
            ("-5--2", -5.0, -2.0),
            ("[-5--2]", -5.0, -2.0),
            ("-5 - -2", -5.0, -2.0),
            ("-5 to -2", -5.0, -2.0),
            ("-5-2", -5.0, 2.0),
            ("[-5-2]", -5.0, 2.0),
            ("-5–2", -5.0, 2.0),
            ("-5+", -5.0, f64::INFINITY),
            ("<-5", f64::NEG_INFINITY, -6.0),
            (">=-5", -5.0, f64::INFINITY),
        ] {
            assert_eq!(Notation::read(text), Notation::Range(low, high), "{text}");
        }
        for text in ["-2--5", "-5", "5--2", "-", "+", "--5", "[-5]", "to", "-5-", "- 5 -", "1e-5"] {
            assert!(matches!(Notation::read(text), Notation::Name(_)), "{text}");
        }
    }

    #[test]
    fn ranges_of_numbers_with_commas_have_one_meaning() {
        let read = |text| Notation::read_number(text, false, Decimal::Comma);
        for text in ["[22,1; 27,5]", "[22,1;27,5]", "[22,1, 27,5]", "22,1-27,5", "22,1 – 27,5"] {
            assert_eq!(read(text), Notation::Range(22.1, 27.5), "{text}");
        }
        assert_eq!(read("[1.022,1; 2.000]"), Notation::Range(1022.1, 2000.0));
        assert_eq!(read(">=22,1"), Notation::Range(22.1, f64::INFINITY));
        assert_eq!(read("[20, 30]"), Notation::Range(20.0, 30.0));
        assert_eq!(read("[1,2,3]"), Notation::Name("[1,2,3]".into()));
        assert_eq!(Notation::read("[22,1; 27,5]"), Notation::Range(22.1, 27.5));
        assert_eq!(Notation::read("[22,1; 27,5["), Notation::Range(22.1, 27.5));
    }

    #[test]
    fn dates_have_the_same_notation_as_numbers() {
        let dmy: DateFormat = "dmy".parse().unwrap();
        let day = |text| dmy.read(text).unwrap().value();
        let (first, last) = (day("05/01/2024"), day("31/01/2024"));
        for text in [
            "[5/1/2024, 31/1/2024]",
            "[05/01/2024,31/01/2024]",
            "[05/01/2024; 31/01/2024]",
            "05/01/2024 - 31/01/2024",
            "5.1.2024–31.1.2024",
        ] {
            assert_eq!(Notation::read_date(&dmy, text), Notation::Range(first, last), "{text}");
        }
        let range = |text| Notation::read_date(&dmy, text);
        let before = Notation::Range(first, last.next_down());
        assert_eq!(range("[05/01/2024, 31/01/2024["), before);
        assert_eq!(range(">=05/01/2024"), Notation::Range(first, f64::INFINITY));
        let iso = |text| Notation::read_date(&DateFormat::ISO, text);
        assert_eq!(iso("2024-01-05 - 2024-01-31"), Notation::Range(first, last));
        assert_eq!(iso("[2024-01-05, 2024-01-31)"), before);
        assert_eq!(iso("[2024-01-05, 2024-02)"), iso("[2024-01-05, 2024-01]"));
        for text in ["2023-2024", "2024-01-05T10:00-05:00", "2024-01-05T10:00-0530"] {
            assert_eq!(iso(text), Notation::Name(text.into()), "{text}");
        }
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
