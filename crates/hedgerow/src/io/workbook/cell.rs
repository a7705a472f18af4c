//! The values of cells as text.

use std::fmt::Write;

use calamine::{DataType, ExcelDateTime, Style};

/// Serial number of the day after 9999-12-31, the last day that Excel knows.
const AFTER_LAST_DAY: f64 = 2_958_466.0;
/// Whole numbers below this are written with all their digits.
const LONG: f64 = 1e15;
/// Texts that programs show for formulas in error.
const FAULTS: [&str; 14] = [
    "#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#DATA!", "Err:502",
    "Err:503", "Err:504", "Err:508", "Err:509", "Err:522",
];

/// Buffer for the text of one cell.
#[derive(Default)]
pub(super) struct CellText(String);

/// The text of a cell.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) text: &'a str,
    /// Whether the cell has a formula in error.
    pub(super) is_fault: bool,
}

impl CellText {
    /// Returns a value as text; whole numbers have at least `padding` digits.
    pub(super) fn of<T: DataType>(&mut self, value: &T, padding: Option<usize>) -> Shown<'_> {
        self.0.clear();
        let is_fault = self.write(value, padding);
        Shown { text: &self.0, is_fault }
    }

    /// Writes a value and returns whether it is an error. Writing to a string cannot fail.
    fn write<T: DataType>(&mut self, value: &T, padding: Option<usize>) -> bool {
        let out = &mut self.0;
        if let Some(text) = value.get_string() {
            out.push_str(text);
            // OpenDocument has no type for errors.
            return FAULTS.contains(&text);
        }
        if let Some(error) = value.get_error() {
            let _ = write!(out, "{error}");
            return true;
        }
        if let Some(number) = value.get_float() {
            write_number(out, number, padding);
        } else if let Some(number) = value.get_int() {
            let _ = write!(out, "{number:0width$}", width = padding.unwrap_or(0));
        } else if let Some(truth) = value.get_bool() {
            out.push_str(if truth { "TRUE" } else { "FALSE" });
        } else if let Some(moment) = value.get_datetime() {
            write_moment(out, moment);
        } else if let Some(text) = value.get_datetime_iso() {
            let day = text.strip_suffix("T00:00:00").unwrap_or(text);
            out.push_str(&day.replacen('T', " ", 1));
        } else if let Some(text) = value.get_duration_iso() {
            out.push_str(&clock(text).unwrap_or_else(|| text.to_owned()));
        }
        false
    }
}

/// Returns, for each style, the number of digits to which it pads whole numbers with zeros, as in
/// ZIP codes.
pub(super) fn paddings(styles: &[Style]) -> Vec<Option<usize>> {
    let padding = |style: &Style| {
        let code = &style.number_format.as_ref()?.format_code;
        let is_padded = code.len() > 1 && code.bytes().all(|byte| byte == b'0');
        is_padded.then_some(code.len())
    };
    styles.iter().map(padding).collect()
}

/// Writes a number without a fraction of zero: `5`, `0.5`, `1e300`.
fn write_number(out: &mut String, number: f64, padding: Option<usize>) {
    let _ = if number.fract() == 0.0 && number.abs() < LONG {
        write!(out, "{:0width$}", number as i64, width = padding.unwrap_or(0))
    } else {
        write!(out, "{number:?}")
    };
}

/// Writes a date, a time of day, both, or a duration.
fn write_moment(out: &mut String, moment: ExcelDateTime) {
    let serial = moment.as_f64();
    if moment.is_duration() {
        write_clock(out, (serial * 86_400_000.0).round() as i64);
        return;
    }
    if !(0.0..AFTER_LAST_DAY).contains(&serial) {
        write_number(out, serial, None); // programs show #### for it
        return;
    }
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    let millis = ((i64::from(hour) * 60 + i64::from(minute)) * 60 + i64::from(second)) * 1000
        + i64::from(milli);
    let has_date = serial >= 1.0;
    if has_date {
        let _ = write!(out, "{year:04}-{month:02}-{day:02}");
    }
    if !has_date || millis > 0 {
        out.push_str(if has_date { " " } else { "" });
        write_clock(out, millis);
    }
}

/// Writes milliseconds as hours, minutes and seconds.
fn write_clock(out: &mut String, millis: i64) {
    let sign = if millis < 0 { "-" } else { "" };
    let (seconds, part) = (millis.unsigned_abs() / 1000, millis.unsigned_abs() % 1000);
    let (minutes, second) = (seconds / 60, seconds % 60);
    let _ = write!(out, "{sign}{:02}:{:02}:{second:02}", minutes / 60, minutes % 60);
    if part > 0 {
        let _ = write!(out, ".{part:03}");
    }
}

/// Converts a duration such as `PT08H30M00S` to `08:30:00`.
fn clock(text: &str) -> Option<String> {
    let (hours, rest) = text.strip_prefix("PT")?.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds: f64 = rest.strip_suffix('S')?.replace(',', ".").parse().ok()?;
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let mut out = String::new();
    let whole = i64::from(hours) * 3600 + i64::from(minutes) * 60;
    write_clock(&mut out, whole * 1000 + (seconds * 1000.0).round() as i64);
    Some(out)
}

#[cfg(test)]
mod tests {
    use calamine::{CellErrorType, Data, ExcelDateTimeType};

    use super::*;

    fn text(value: &Data, padding: Option<usize>) -> String {
        CellText::default().of(value, padding).text.to_owned()
    }

    #[test]
    fn numbers_and_truths_are_written_as_the_sheet_shows_them() {
        let number = |number: f64| text(&Data::Float(number), None);
        assert_eq!(
            [5.0, -0.0, -2.5, 0.1, 1e14].map(number),
            ["5", "0", "-2.5", "0.1", "100000000000000"]
        );
        assert_eq!(number(1e300), "1e300");
        assert_eq!(text(&Data::Float(2139.0), Some(5)), "02139");
        assert_eq!(text(&Data::Bool(true), None), "TRUE");
        assert_eq!(text(&Data::Empty, None), "");
    }

    #[test]
    fn dates_and_times_are_those_of_iso_8601() {
        let moment = |serial: f64| {
            text(
                &Data::DateTime(ExcelDateTime::new(serial, ExcelDateTimeType::DateTime, false)),
                None,
            )
        };
        assert_eq!(moment(45943.0), "2025-10-13");
        assert_eq!(moment(45943.541), "2025-10-13 12:59:02.400");
        assert_eq!(moment(8.5 / 24.0), "08:30:00");
        assert_eq!(moment(-1.0), "-1");
        let length = ExcelDateTime::new(1.5, ExcelDateTimeType::TimeDelta, false);
        assert_eq!(text(&Data::DateTime(length), None), "36:00:00");
        let iso = |text_of: &str| text(&Data::DateTimeIso(text_of.to_owned()), None);
        assert_eq!(iso("2020-02-29T00:00:00"), "2020-02-29");
        assert_eq!(iso("2020-02-29T10:30:00"), "2020-02-29 10:30:00");
        assert_eq!(text(&Data::DurationIso("PT08H30M00S".into()), None), "08:30:00");
        assert_eq!(text(&Data::DurationIso("P3D".into()), None), "P3D");
    }

    #[test]
    fn formulas_in_error_are_known_in_both_formats() {
        let is_fault = |value: Data| CellText::default().of(&value, None).is_fault;
        assert!(is_fault(Data::Error(CellErrorType::Div0)));
        assert!(is_fault(Data::String("#DIV/0!".into())));
        assert!(!is_fault(Data::String("#1".into())));
    }
}
