//! Columns whose date format is ambiguous, or whose values may not be dates at all.

use super::Column;
use super::date::{DateFormat, Found, is_in_some_order, odd_one_out};
use super::domain::Values;
use crate::Error;

/// Whether a text column holds dates in which day and month cannot be told apart.
pub fn is_ambiguous_date(column: &Column) -> bool {
    let Values::Text(texts) = &column.domain.values else {
        return false;
    };
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    !texts.is_empty() && matches!(DateFormat::find(&texts), Found::Ambiguous)
}

/// Explains why the values of a column cannot be parsed as dates.
pub(crate) fn no_dates(column: &Column) -> Error {
    let domain = &column.domain;
    // The first row with a problem is reported, not the first value in sorted order.
    let mut order: Vec<usize> = (0..domain.len()).collect();
    order.sort_by_key(|&code| domain.first_rows[code]);
    let texts: Vec<_> = order.iter().map(|&code| domain.values.spelling(code)).collect();
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    let row_of = |place: usize| domain.first_rows[order[place]] + 1;
    unreadable(&column.name, &texts, row_of)
}

/// The error for texts that are not dates or are ambiguous; texts are in the order of their first
/// rows.
pub(crate) fn unreadable(column: &str, texts: &[&str], row_of: impl Fn(usize) -> u64) -> Error {
    let Some(&first) = texts.first() else {
        return Error::invalid(format!("column '{column}' has no values"));
    };
    match DateFormat::find(texts) {
        Found::NoDate => {
            let place = odd_one_out(texts);
            let (odd, row) = (texts[place], row_of(place));
            if is_in_some_order(odd) {
                return Error::invalid(format!(
                    "column '{column}': '{odd}' (row {row}) has day, month and year in another order \
                     than most others have; write all in one order"
                ));
            }
            Error::invalid(format!(
                "column '{column}': '{odd}' (row {row}) is not a date like 2024-12-31, 31.12.2024 or \
                 12/31/2024 10:30; correct it, list it with --na if it means missing, or say how \
                 dates are written, such as --date-format {column}=%d%m%y"
            ))
        }
        Found::Format(_) => Error::invalid(format!(
            "column '{column}' holds dates but was read as something else; leave its --kind out, or \
             say --kind {column}=date"
        )),
        Found::Ambiguous => Error::invalid(format!(
            "column '{column}': is '{first}' (row {}) day/month or month/day? No value tells; say \
             --date-format {column}=dmy or --date-format {column}=mdy",
            row_of(0)
        )),
    }
}
