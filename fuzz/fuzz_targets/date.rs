//! Date formats, and dates read with them: the first line is the format, each other line a date.

#![no_main]

use std::collections::BTreeMap;

use hedgerow::table::{Columns, DateFormat, Encoding, Table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Some(format) = lines.next() else { return };
    let rows: Vec<[&str; 1]> = lines.map(|line| [line]).collect();
    let _ = Table::from_rows(&["day"], &rows);
    let Ok(format) = format.parse::<DateFormat>() else { return };
    let _ = rows.iter().filter(|row| format.reads(row[0])).count();
    let date_formats = BTreeMap::from([("day".to_owned(), format)]);
    let encoding = Encoding { date_formats, ..Encoding::default() };
    let _ = Table::encode(&Columns::quasi(&["day"]), &rows, &encoding);
});
