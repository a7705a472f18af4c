//! Cells that a spreadsheet would evaluate as formulas.

use std::borrow::Cow;

use super::{Decimal, read_number_as};

/// Makes a cell safe to open in a spreadsheet by putting a `'` in front of a formula.
///
/// Spreadsheets treat a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return as a
/// formula, unless it is a number. A formula that already has a `'` gets another, so [`unguarded`]
/// restores every cell.
pub(crate) fn guarded(cell: &[u8]) -> Cow<'_, [u8]> {
    if is_formula(without_guards(cell)) { [b"'", cell].concat().into() } else { cell.into() }
}

/// Restores the cell that was passed to [`guarded`].
pub(crate) fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if is_formula(without_guards(rest.as_bytes())) => rest,
        _ => cell,
    }
}

fn without_guards(cell: &[u8]) -> &[u8] {
    let n_guards = cell.iter().take_while(|&&byte| byte == b'\'').count();
    &cell[n_guards..]
}

fn is_formula(cell: &[u8]) -> bool {
    let is_number = || std::str::from_utf8(cell).is_ok_and(is_number_in_any_notation);
    matches!(cell.first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r')) && !is_number()
}

fn is_number_in_any_notation(text: &str) -> bool {
    [Decimal::Point, Decimal::Comma].iter().any(|&sign| read_number_as(text, sign).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn safe(cell: &str) -> String {
        String::from_utf8(guarded(cell.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn formulas_get_a_guard_and_numbers_stay_numbers() {
        for cell in ["=1+1", "+cmd|' /C calc'!A0", "-5--2", "@SUM(A1)", "\t=1", "\r=1", "-"] {
            assert_eq!(safe(cell), format!("'{cell}"));
        }
        for cell in ["-5", "+3.25", "-1e5", "-27,5", "a=b", "", "[-5, 2]", "*", "{=a, b}"] {
            assert_eq!(safe(cell), cell);
        }
    }

    #[test]
    fn what_was_guarded_comes_back() {
        for cell in ["=x", "'=x", "''=x", "'x", "''", "-5", "'-5", "x"] {
            assert_eq!(unguarded(&safe(cell)), cell);
        }
    }
}
