//! Columns of text whose values look like dates, or like numbers with a unit.

use super::date::DateFormat;
use super::date_search::{Found, is_in_some_order};
use super::domain::Values;
use super::scale::read_number_as;
use super::{Column, Decimal};
use crate::error::{Advice, Warning};
use crate::letters;

/// Share of the records whose values must look so.
const SHARE: f64 = 0.95;
/// Least number of distinct values.
const FEWEST: usize = 3;
/// Maximum number of distinct units.
const MOST_MARKS: usize = 2;
/// Longest unit, in characters.
const LONGEST_MARK: usize = 12;

/// Beginnings of the names of months in English, German, French, Spanish, Italian, Dutch and
/// Portuguese, without accents.
const MONTHS: &str = "jan ene gen feb fev fevr mar maa mrt maerz marz avr apr abr mai may mag mei \
                      maj jun jui giu jul lug aug aou ago sep set okt oct ott out nov dez dec dic";

/// Returns a warning if a column of text looks like dates or numbers.
pub(super) fn doubt(column: &Column) -> Option<Warning> {
    let Values::Text(texts) = &column.domain.values else { return None };
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    if let Found::Ambiguous(formats) = DateFormat::find(&texts) {
        return Some(ambiguous(column, texts[0], &formats));
    }
    if texts.len() < FEWEST {
        return None;
    }
    let looks = |holds: &dyn Fn(&str) -> bool| nearly_all(column, &texts, holds);
    if looks(&|text| is_in_some_order(text) || has_own_format(text)) {
        return Some(several_formats(column, &texts));
    }
    if looks(&has_month_name) {
        let problem = format!(
            "{}, but have the names of months in another language than English, such as '{}'",
            as_text(column, "look like dates"),
            texts[0].trim()
        );
        let numbers = Advice::words("write the months as numbers, such as 18.03.1967");
        return Some(Warning::new(problem).advise([numbers, state_text(column)]));
    }
    if looks(&is_east_asian_date) || looks(&has_half_day) {
        let problem =
            format!("{}, such as '{}'", as_text(column, "look like dates"), texts[0].trim());
        let one = Advice::words("write them as 2024-12-31 or 2024-12-31 20:30:00");
        return Some(Warning::new(problem).advise([one, state_text(column)]));
    }
    if looks(&is_in_other_digits) {
        let problem = format!(
            "{}, such as '{}'",
            as_text(column, "are numbers in other digits"),
            texts[0].trim()
        );
        let digits = Advice::words("write them with the digits 0 to 9");
        return Some(Warning::new(problem).advise([digits, state_text(column)]));
    }
    // One notation that reads all numbers would have read the column, but for a few other values.
    let needs_other = |sign: Decimal| {
        texts.iter().any(|text| is_in_some_notation(text) && !is_number_with(text, sign))
    };
    if needs_other(Decimal::Point) && needs_other(Decimal::Comma) && looks(&is_in_some_notation) {
        return Some(several_notations(column, &texts));
    }
    with_unit(column, &texts)
}

/// Whether a text is a number with a decimal point or comma, or with digits grouped in some way.
fn is_in_some_notation(text: &str) -> bool {
    [Decimal::Point, Decimal::Comma].into_iter().any(|sign| is_number_with(text, sign))
        || is_in_lakhs(text)
}

/// Whether a text is a number with this decimal sign, with or without separated thousands.
fn is_number_with(text: &str, sign: Decimal) -> bool {
    read_number_as(text, sign).is_some() || sign.ungrouped(text).is_some()
}

/// Whether digits are grouped as in India: `1,23,456`.
fn is_in_lakhs(text: &str) -> bool {
    let whole = text.trim().split('.').next().unwrap_or("");
    let mut groups = whole.split(',').rev();
    let has_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let is_last = |group: &str| group.len() == 3 && has_digits(group);
    let is_other = |group: &str| (1..=2).contains(&group.len()) && has_digits(group);
    groups.next().is_some_and(is_last) && groups.all(is_other)
}

/// A warning about numbers that are not written in one way.
fn several_notations(column: &Column, texts: &[&str]) -> Warning {
    let has_comma = |text: &&&str| text.contains(',');
    let other = |text: &&&str| !text.contains(',') && text.contains('.');
    let shown = [texts.iter().find(has_comma), texts.iter().find(other)];
    let mut shown: Vec<String> =
        shown.into_iter().flatten().map(|text| format!("'{}'", text.trim())).collect();
    if shown.is_empty() {
        shown.push(format!("'{}'", texts[0].trim()));
    }
    let problem = format!(
        "{}, because they have no common notation, such as {}",
        as_text(column, "look like numbers"),
        shown.join(" and ")
    );
    let one = Advice::words("write all numbers in one way, such as 1234.5");
    Warning::new(problem).advise([one, state_text(column)])
}

/// Whether a text is a date such as `1980年1月2日`, also in years of an emperor.
fn is_east_asian_date(text: &str) -> bool {
    let signs = ['年', '月', '日'].map(|sign| text.find(sign));
    signs.is_sorted() && signs[0].is_some() && text.chars().any(char::is_numeric)
}

/// Whether a text is a date with the time on a clock of twelve hours.
fn has_half_day(text: &str) -> bool {
    let text = text.trim().to_ascii_uppercase();
    let time = text.strip_suffix("AM").or_else(|| text.strip_suffix("PM"));
    let date = time.and_then(|time| time.split_once(' '));
    date.is_some_and(|(date, time)| {
        (is_in_some_order(date) || has_own_format(date)) && time.contains(':')
    })
}

/// Whether a text is a number or date in digits of another script.
fn is_in_other_digits(text: &str) -> bool {
    let is_part = |c: char| c.is_numeric() || c.is_ascii_punctuation() || c.is_whitespace();
    let is_other = |c: char| c.is_numeric() && !c.is_ascii();
    text.chars().any(is_other) && text.chars().all(|c| is_part(c) || "٫٬،".contains(c))
}

/// Begins a message about a column.
fn as_text(column: &Column, look: &str) -> String {
    format!("column '{}' is read as text, although its values {look}", column.name)
}

fn state_text(column: &Column) -> Advice {
    Advice::StateKind { column: column.name.clone(), kind: "text" }
}

/// Whether nearly all records have a value for which `holds` is true.
fn nearly_all(column: &Column, texts: &[&str], holds: &dyn Fn(&str) -> bool) -> bool {
    let counts = &column.domain.counts;
    let most_others = (1.0 - SHARE) * counts.iter().sum::<u64>() as f64;
    let mut n_others = 0;
    texts.iter().zip(counts).all(|(text, count)| {
        n_others += if holds(text) { 0 } else { *count };
        n_others as f64 <= most_others
    })
}

/// A warning about dates in which day, month and year cannot be distinguished.
fn ambiguous(column: &Column, example: &str, formats: &[DateFormat]) -> Warning {
    let problem = format!(
        "{}, because it is not certain which part of '{}' is the day",
        as_text(column, "look like dates"),
        example.trim()
    );
    let state = |format: &DateFormat| Advice::StateDateFormat {
        column: column.name.clone(),
        format: format.to_string(),
    };
    Warning::new(problem).advise(formats.iter().map(state))
}

/// Whether a text alone is a date of a format that is detected.
fn has_own_format(text: &str) -> bool {
    matches!(DateFormat::find(&[text]), Found::Format(_))
}

/// A warning about dates that are not written in one way.
fn several_formats(column: &Column, texts: &[&str]) -> Warning {
    let format = match DateFormat::find(&texts[..1]) {
        Found::Format(format) => Some(format),
        Found::Ambiguous(formats) => formats.into_iter().next(),
        Found::NoDate => None,
    };
    let is_other = |text: &&&str| format.as_ref().is_none_or(|format| !format.reads(text));
    let other = texts[1..].iter().find(is_other).unwrap_or(&texts[1]);
    let problem = format!(
        "{}, because they are written in several ways, such as '{}' and '{}'",
        as_text(column, "look like dates"),
        texts[0].trim(),
        other.trim()
    );
    let one = Advice::words("write all dates in one way");
    Warning::new(problem).advise([one, state_text(column)])
}

/// Whether a text has the name of a month, and numbers besides it.
fn has_month_name(text: &str) -> bool {
    let words = letters::words(text);
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_month = |word: &String| {
        word.chars().count() >= 3 && MONTHS.split_whitespace().any(|start| word.starts_with(start))
    };
    let n_numbers = words.iter().filter(|word| is_number(word)).count();
    // A street such as `Mai 3` has one number; a date has a day and a year.
    let n_months = words.iter().filter(|word| is_month(word)).count();
    n_months == 1 && n_numbers >= 2 && words.len() <= n_numbers + 2
}

/// A number between the signs before and after it.
struct Marked<'a> {
    before: &'a str,
    number: &'a str,
    after: &'a str,
}

impl<'a> Marked<'a> {
    /// Divides a text. Returns `None` if it has no number.
    fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let is_digit = |c: char| c.is_ascii_digit();
        let (start, end) = (text.find(is_digit)?, text.rfind(is_digit)? + 1);
        // A sign of the number is part of it.
        let start = if text[..start].ends_with(['-', '+']) { start - 1 } else { start };
        let (before, number, after) = (&text[..start], &text[start..end], &text[end..]);
        let signs = [Decimal::Point, Decimal::Comma];
        let is_read = |sign: Decimal| {
            let plain = sign.ungrouped(number);
            read_number_as(plain.as_deref().unwrap_or(number), sign).is_some()
        };
        // Letters before a number make it a code, and so does a single one after it.
        // `R$` and `US$` are currencies, not codes.
        let is_currency = before.trim_end().ends_with(['$', '€', '£', '¥']);
        let is_code = before.chars().any(char::is_alphanumeric) && !is_currency
            || (after.chars().count() == 1 && after.chars().all(char::is_alphabetic));
        let is_short = after.chars().count() <= LONGEST_MARK;
        (!is_code && is_short && signs.into_iter().any(is_read)).then_some(Self {
            before,
            number,
            after,
        })
    }

    fn mark(&self) -> (&'a str, &'a str) {
        (self.before.trim(), self.after.trim())
    }
}

/// A warning about numbers that all have the same unit.
fn with_unit(column: &Column, texts: &[&str]) -> Option<Warning> {
    let is_number = |text: &str| Marked::of(text).is_some();
    if !nearly_all(column, texts, &is_number) {
        return None;
    }
    let mut marks: Vec<(&str, &str)> = Vec::new();
    let mut numbers: Vec<&str> = Vec::new();
    let mut example = None;
    for (text, marked) in texts.iter().filter_map(|text| Some((text, Marked::of(text)?))) {
        let mark = marked.mark();
        if mark != ("", "") && !marks.contains(&mark) {
            marks.push(mark);
            example = example.or(Some(text.trim()));
        }
        numbers.push(marked.number);
        if marks.len() > MOST_MARKS {
            return None;
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    let ((before, after), example) = (*marks.first()?, example?);
    if numbers.len() < FEWEST {
        return None;
    }
    let look = format!("are numbers with '{before}{after}', such as '{example}'");
    let advice = match (before, after) {
        ("(", ")") => Advice::words("write negative numbers with a minus sign"),
        _ => Advice::words(format!("remove '{before}{after}' from the input")),
    };
    Some(Warning::new(as_text(column, &look)).advise([advice, state_text(column)]))
}

#[cfg(test)]
mod tests {
    use crate::table::{Columns, Encoding, Kind, Table};

    fn doubts(values: &[&str], encoding: &Encoding) -> Vec<String> {
        let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
        let table = Table::encode(&Columns::quasi(&["x"]), &rows, encoding).unwrap();
        table.doubts().iter().map(ToString::to_string).collect()
    }

    fn doubt(values: &[&str]) -> String {
        doubts(values, &Encoding::default()).concat()
    }

    #[test]
    fn dates_and_digits_of_other_scripts_are_said() {
        for dates in [
            ["1980年01月02日", "1991年11月30日", "2001年5月6日"],
            ["昭和25年1月2日", "昭和30年2月3日", "平成2年3月4日"],
            ["04/15/1940 08:30 PM", "04/16/1940 08:31 AM", "04/17/1940 01:30 PM"],
        ] {
            let said = doubt(&dates);
            assert!(said.contains("look like dates, such as"), "{said}");
        }
        let said = doubt(&["٢٦", "٥٨", "٧٠"]);
        assert!(said.contains("are numbers in other digits, such as '٢٦'"), "{said}");
        assert_eq!(doubt(&["日本", "年金", "月曜日"]), "");
    }

    #[test]
    fn ambiguous_dates_are_said_with_every_format_that_fits() {
        let said = doubt(&["01/02/2020", "03/04/2020"]);
        assert!(said.contains("which part of '01/02/2020' is the day"), "{said}");
        assert!(said.contains("dmy") && said.contains("mdy"), "{said}");
        assert!(doubt(&["01/02/92", "03/04/93"]).contains("%m/%d/%y"));
    }

    #[test]
    fn dates_in_several_ways_and_other_languages_are_said() {
        let said = doubt(&["01.01.2020", "2020-01-02", "03.01.2020"]);
        assert!(said.contains("in several ways, such as '01.01.2020' and '2020-01-02'"), "{said}");
        let said = doubt(&["18. März 1967", "24. Juni 1997", "1. Mai 1980"]);
        assert!(said.contains("another language"), "{said}");
    }

    #[test]
    fn numbers_with_a_unit_are_said() {
        for (values, mark) in [
            (["156 cm", "160 cm", "171,5 cm"], "'cm', such as '156 cm'"),
            (["13%", "33%", "8%"], "'%'"),
            (["4.534,14 €", "594,29 €", "12,00 €"], "'€'"),
            (["R$ 3.200,00", "R$ 1.100,50", "R$ 900,00"], "'R$'"),
            (["(246)", "85", "(12)"], "'()', such as '(12)'"),
        ] {
            let said = doubt(&values);
            assert!(said.contains(mark), "{said}");
        }
    }

    #[test]
    fn numbers_in_several_notations_are_said() {
        let said = doubt(&["1,5", "2.5", "3,25"]);
        assert!(said.contains("no common notation, such as '1,5' and '2.5'"), "{said}");
        let said = doubt(&["1,23,456", "12,34,567", "9,99,999"]);
        assert!(said.contains("no common notation, such as '1,23,456'"), "{said}");
    }

    #[test]
    fn words_codes_and_stated_text_are_not_doubted() {
        for values in [
            ["A10", "B12", "C7"],
            ["12a", "13b", "14c"],
            ["Mai 3", "Mai 4", "Mai 5"],
            ["18-24", "25-64", "65+"],
            ["1.2.3.4", "x", "y"],
            ["May", "June", "July"],
        ] {
            assert_eq!(doubt(&values), "", "{values:?}");
        }
        let text = Encoding { kinds: [("x".to_owned(), Kind::Text)].into(), ..Encoding::default() };
        assert!(doubts(&["13%", "33%", "8%"], &text).is_empty());
    }
}
