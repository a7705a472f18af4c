//! Notes on how the columns of a table were read.

use chrono::{DateTime, Datelike, NaiveDate};

use super::domain::Values;
use super::numbers::{have_doubtful_commas, have_doubtful_points};
use super::{Column, Decimal, Kind, Recognized, Table, doubtful_text, strays, totals, usual};
use crate::error::{Advice, Warning};
use crate::noun::listed;

impl Table {
    /// Formats that were recognized in the columns: spellings of missing values, decimal commas,
    /// separated thousands, and the century of years with two digits.
    pub fn notes(&self) -> Vec<String> {
        self.notes_without(&|_, _| false)
    }

    /// The same without spellings of missing values that a run refuses, given the name of their
    /// column.
    pub(crate) fn notes_without(&self, is_refused: &dyn Fn(&str, &str) -> bool) -> Vec<String> {
        let each = self.columns.iter().zip(self.recognized.iter());
        let notes = each.flat_map(|(column, found)| {
            let is_taken = |found: &&Recognized| !is_refused(&column.name, &found.spelling);
            let taken: Vec<Recognized> = found.iter().filter(is_taken).cloned().collect();
            [usual::note(column, &taken), thousands(column), short_years(column)]
        });
        notes.flatten().chain(decimal_commas(&self.columns)).collect()
    }

    /// Number of records that were left out because a value is missing.
    pub(crate) fn n_dropped(&self) -> u64 {
        self.n_rows.saturating_sub(self.cohorts.n_records())
    }

    /// Values that may mean something else than what they were read as: missing values among words,
    /// codes such as -99 among numbers, signs that may separate thousands, a few words among
    /// numbers or dates, text that looks like dates or numbers, years of a doubtful century, and
    /// rows of totals.
    pub fn doubts(&self) -> Vec<Warning> {
        self.doubts_without(&|_, _| false)
    }

    /// The same without spellings that a run refuses, given the name of their column.
    pub(crate) fn doubts_without(&self, is_refused: &dyn Fn(&str, &str) -> bool) -> Vec<Warning> {
        let of_column = |column: &Column| {
            let is_stated = self.stated.contains(&column.name);
            let looks = || strays::doubt(column).or_else(|| doubtful_text::doubt(column));
            let stray = if is_stated { None } else { doubtful_commas(column).or_else(looks) };
            let missing = usual::doubt(column, is_refused).filter(|_| stray.is_none());
            let points = doubtful_points(column).filter(|_| !self.has_stated_decimal);
            let dates = compact_dates(column).filter(|_| !is_stated);
            [missing, points, stray, dates, doubtful_years(column), totals::doubt(column)]
        };
        self.columns.iter().flat_map(of_column).flatten().collect()
    }
}

/// Least number of distinct whole numbers that are considered dates.
const FEWEST_DATES: usize = 20;

/// A warning about whole numbers that are all dates without signs between their parts.
fn compact_dates(column: &Column) -> Option<Warning> {
    let scale =
        column.domain.values.scale().filter(|_| column.domain.values.kind() == Kind::Number)?;
    let is_date = |place: usize| {
        let text = scale.spelling(place);
        let is_short = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_short
            && NaiveDate::parse_from_str(&text, "%Y%m%d").is_ok_and(|day| is_recent(day.year()))
    };
    if scale.len() < FEWEST_DATES || !(0..scale.len()).all(is_date) {
        return None;
    }
    let problem = format!(
        "column '{}' is read as numbers, although all its values are dates such as '{}'",
        column.name,
        scale.spelling(0)
    );
    let (column, format) = (column.name.clone(), "%Y%m%d".to_owned());
    Some(Warning::new(problem).advise([Advice::StateDateFormat { column, format }]))
}

/// Whether a year is one of people alive, or shortly before or after.
fn is_recent(year: i32) -> bool {
    (1850..2100).contains(&year)
}

/// A note on the columns whose numbers have a decimal comma.
fn decimal_commas(columns: &[Column]) -> Option<String> {
    let found: Vec<(&Column, String)> =
        columns.iter().filter_map(|column| Some((column, with_decimal_comma(column)?))).collect();
    let (first, example) = found.first()?;
    let interval = first.domain.values.interval("1,5", "2,5");
    let names: Vec<&str> = found.iter().map(|(column, _)| column.name.as_str()).collect();
    Some(match names.as_slice() {
        [name] => format!(
            "column '{name}' has a decimal comma, such as '{example}'; its intervals are written as {interval}"
        ),
        _ => format!(
            "columns {} have a decimal comma, such as '{example}'; their intervals are written as {interval}",
            listed(&names)
        ),
    })
}

/// A number with a decimal comma, if the column has them. Whole numbers have no comma to show, even
/// in such a column.
fn with_decimal_comma(column: &Column) -> Option<String> {
    let scale = column.domain.values.scale().filter(|scale| scale.decimal() == Decimal::Comma)?;
    let spelt = (0..scale.len()).map(|place| scale.spelling(place));
    spelt.map(Into::into).find(|text: &String| text.contains(','))
}

/// A note on signs that separate thousands.
fn thousands(column: &Column) -> Option<String> {
    let scale = column.domain.values.scale()?;
    if let Some(grouped) = scale.grouped() {
        return Some(format!(
            "thousands are separated in column '{}', such as '{grouped}'; its numbers are published without \
             these signs, which could be mistaken for the sign between the ends of an interval",
            column.name
        ));
    }
    let is_comma = scale.decimal() == Decimal::Comma;
    let spelt = (0..scale.len()).filter(|_| is_comma).map(|place| scale.spelling(place));
    // A decimal comma shows by itself that points separate thousands.
    let texts: Vec<_> = spelt.collect();
    let found = texts.iter().find(|text| text.contains('.'))?;
    let has_comma = texts.iter().any(|text| text.contains(','));
    (!has_comma).then(|| {
        format!("the points of column '{}' separate thousands, such as '{found}'", column.name)
    })
}

/// Number of years before the last one from which dates are not those of plans.
const DECADES: i32 = 60;

/// A note on the century of years with two digits.
fn short_years(column: &Column) -> Option<String> {
    let Values::Date(scale, format) = &column.domain.values else { return None };
    let (first, last) = format.short_years()?;
    // Dates of several decades are births rather than plans, so their years can be earlier ones.
    let is_long = scale.len() > 1 && year_of(scale.floor(0)) < last - DECADES;
    let other = if is_long { 1999 } else { last + 50 };
    Some(format!(
        "the years of column '{}' have two digits and are read as {first} to {last}; for others, state the \
         last one in its date format: '{} until {other}'",
        column.name,
        format.pattern(),
    ))
}

/// A warning about years of two digits in which most dates would be closer together if the century
/// changed elsewhere: 26 is 2026, and the next earlier year is 2008.
fn doubtful_years(column: &Column) -> Option<Warning> {
    const CLOSE: i32 = 10;
    let Values::Date(scale, format) = &column.domain.values else { return None };
    let (first, last) = format.short_years()?;
    let mut years: Vec<i32> = (0..scale.len()).map(|place| year_of(scale.floor(place))).collect();
    years.dedup();
    let gap_at_change = (years.first()? - first) + (last - years.last()?) + 1;
    let is_late = |pair: &&[i32]| last - pair[1] < CLOSE;
    let widest = years.windows(2).filter(is_late).max_by_key(|pair| pair[1] - pair[0])?;
    let (before, after) = (widest[0], widest[1]);
    // If years are evenly spread, nothing speaks for another century.
    let is_doubtful = gap_at_change <= CLOSE && after - before > CLOSE;
    is_doubtful.then(|| {
        let problem = format!(
            "column '{}' has years of two digits from {:02} on that are read as {after} and later, although \
             the next earlier year is {before}",
            column.name,
            after % 100
        );
        let format = format!("{} until {}", format.pattern(), after - 1);
        let column = column.name.clone();
        Warning::new(problem).advise([
            Advice::StateDateFormat { column, format },
            Advice::words(format!("keep them if they mean {after}")),
        ])
    })
}

/// The year of a moment in seconds since 1970.
fn year_of(second: i64) -> i32 {
    DateTime::from_timestamp(second, 0).map_or(1970, |moment| moment.year())
}

/// A warning about numbers such as `1,234`.
fn doubtful_commas(column: &Column) -> Option<Warning> {
    let Values::Text(texts) = &column.domain.values else { return None };
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    let first = texts.iter().find(|text| text.contains(','))?.trim();
    have_doubtful_commas(&texts).then(|| {
        let problem = format!(
            "column '{}': the comma of numbers such as '{first}' can be a decimal sign or separate \
             thousands, so they are read as text",
            column.name
        );
        Warning::new(problem).advise(both_signs(first, ','))
    })
}

/// A warning about numbers such as `1.234`, of which others have no point.
fn doubtful_points(column: &Column) -> Option<Warning> {
    let Values::Number(scale) = &column.domain.values else { return None };
    if scale.decimal() == Decimal::Comma || scale.is_whole() {
        return None;
    }
    let spelt: Vec<_> = (0..scale.len()).map(|place| scale.spelling(place)).collect();
    let texts: Vec<&str> = spelt.iter().map(AsRef::as_ref).collect();
    let first = texts.iter().find(|text| text.contains('.'))?;
    have_doubtful_points(&texts).then(|| {
        let problem = format!(
            "column '{}': the point of numbers such as '{first}' is read as a decimal sign, but can separate \
             thousands, because all that have one have three digits after it",
            column.name
        );
        Warning::new(problem).advise(both_signs(first, '.'))
    })
}

/// Advice to state the decimal sign of a number with three digits after `sign`, one for each of its
/// meanings.
fn both_signs(number: &str, sign: char) -> [Advice; 2] {
    let other = if sign == ',' { '.' } else { ',' };
    let thousands = number.replace(sign, "");
    let decimal = number.replace(sign, ".");
    [
        Advice::StateDecimal { sign: other, means: Some(thousands) },
        Advice::StateDecimal { sign, means: Some(decimal) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Columns, Encoding};

    #[test]
    fn decimal_commas_are_said_and_thousands_doubted() {
        let table = Table::from_rows(&["x", "y"], &[["27,5", "1,234"], ["3", "12,500"]]).unwrap();
        let note = "column 'x' has a decimal comma, such as '27,5'; its intervals are written as \
                    [1,5; 2,5]";
        assert_eq!(table.notes(), [note]);
        let both = Table::from_rows(&["x", "y"], &[["27,5", "1,25"], ["3", "12,5"]]).unwrap();
        let note = "columns x, y have a decimal comma, such as '27,5'; their intervals are written as \
                    [1,5; 2,5]";
        assert_eq!(both.notes(), [note]);
        let doubts = table.doubts();
        assert_eq!(doubts.len(), 1);
        assert!(
            doubts[0].to_string().starts_with("column 'y': the comma of numbers such as '1,234'")
        );
    }

    #[test]
    fn dates_without_signs_between_their_parts_are_said() {
        let days: Vec<String> = (1..=28).map(|day| format!("194004{day:02}")).collect();
        let texts: Vec<&str> = days.iter().map(String::as_str).collect();
        let said = doubts(&texts, &Encoding::default()).concat();
        assert!(said.contains("all its values are dates such as '19400401'"), "{said}");
        let amounts: Vec<String> = (1..=28).map(|n| (19_400_401 + 37 * n).to_string()).collect();
        let texts: Vec<&str> = amounts.iter().map(String::as_str).collect();
        assert_eq!(doubts(&texts, &Encoding::default()).concat(), "");
    }

    fn doubts(values: &[&str], encoding: &Encoding) -> Vec<String> {
        let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
        let table = Table::encode(&Columns::quasi(&["x"]), &rows, encoding).unwrap();
        table.doubts().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn points_that_may_separate_thousands_are_doubted_until_the_sign_is_stated() {
        let incomes = ["11.724", "613", "80.022", "9.100"];
        let said = doubts(&incomes, &Encoding::default()).concat();
        assert!(said.contains("if it means 9100") && said.contains("'9.100'"), "{said}");
        for decimal in [Some(Decimal::Point), Some(Decimal::Comma)] {
            let stated = Encoding { decimal, ..Encoding::default() };
            assert!(doubts(&incomes, &stated).is_empty());
        }
        let of_file = Encoding { decimal_of_file: Some(Decimal::Comma), ..Encoding::default() };
        assert!(doubts(&incomes, &of_file).is_empty());
    }

    #[test]
    fn a_century_is_doubted_if_a_gap_is_before_the_last_years() {
        let said = doubts(
            &["17.03.35", "04.12.45", "01.01.99", "31.05.26", "30.06.27"],
            &Encoding::default(),
        );
        assert!(said.concat().contains("%d.%m.%y until 2025"), "{said:?}");
        let spread: Vec<String> = (0..100).map(|year| format!("17.03.{year:02}")).collect();
        let spread: Vec<&str> = spread.iter().map(String::as_str).collect();
        assert!(doubts(&spread, &Encoding::default()).is_empty());
        assert!(doubts(&["04/30/92", "05/01/92"], &Encoding::default()).is_empty());
    }
}
