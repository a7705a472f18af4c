//! Explains why values cannot be read as dates.

use super::Column;
use super::date::DateFormat;
use super::date_search::{Found, is_in_some_order, odd_one_out};
use crate::Error;
use crate::error::Advice;

/// Explains why the values of a column cannot be parsed as dates.
pub(crate) fn no_dates(column: &Column) -> Error {
    let domain = &column.domain;
    // The first row with a problem is reported, not the first value in sorted order.
    let mut order: Vec<usize> = (0..domain.len()).collect();
    order.sort_by_key(|&code| domain.first_rows[code]);
    let spellings: Vec<_> = order.iter().map(|&code| domain.values.spelling(code)).collect();
    let texts: Vec<&str> = spellings.iter().map(AsRef::as_ref).collect();
    let row_of = |place: usize| domain.first_rows[order[place]] + 1;
    unreadable(&column.name, &texts, row_of)
}

/// The error for texts that are not dates or are ambiguous; texts are in the order of their first
/// rows.
pub(crate) fn unreadable(column: &str, texts: &[&str], row_of: impl Fn(usize) -> u64) -> Error {
    let Some(&first) = texts.first() else {
        return Error::no_values(column);
    };
    let state_format = |format: &str| Advice::StateDateFormat {
        column: column.to_owned(),
        format: format.to_owned(),
    };
    match DateFormat::find(texts) {
        Found::NoDate => {
            let place = odd_one_out(texts);
            let (odd, row) = (texts[place], row_of(place));
            // The value is a date, so calling it none would mislead.
            if is_in_some_order(odd) {
                let problem = "has day, month and year in a different order than most other values";
                let advice = Advice::words("write all dates in one order");
                return Error::value(column, odd, row, problem).advise([advice]);
            }
            let problem =
                "is not a date such as 2024-12-31, 31.12.2024, 12/31/2024 10:30 or 2024-12";
            Error::value(column, odd, row, problem).advise([
                Advice::words("correct it"),
                Advice::ListAsMissing { value: Some(odd.to_owned()) },
                state_format("%d%m%y"),
            ])
        }
        Found::Format(_) => {
            let name = column.to_owned();
            Error::column(column, "it holds dates but was read as another kind").advise([
                Advice::LeaveOut { key: "kind", column: Some(name.clone()) },
                Advice::StateKind { column: name, kind: "date" },
            ])
        }
        Found::Ambiguous(formats) => {
            let problem = "can be day/month or month/day, and no other value decides which";
            let advice = formats.iter().map(|format| state_format(&format.to_string()));
            Error::value(column, first, row_of(0), problem).advise(advice)
        }
    }
}
