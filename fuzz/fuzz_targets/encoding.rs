//! Tables in CSV of any encoding, with and without a header; the first byte selects them.

#![no_main]

use hedgerow::io::{Header, OpenOptions};
use hedgerow_fuzz::{file, read_table_with};
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 8] = [
    "utf-8", "utf-16le", "utf-16be", "windows-1252", "shift_jis", "gb18030", "iso-2022-jp", "big5",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, text)) = bytes.split_first() else { return };
    let charset = NAMES.get(usize::from(choice >> 1)).and_then(|name| name.parse().ok());
    let header = if choice & 1 == 0 { Header::FirstLine } else { Header::Numbered };
    let options = OpenOptions { charset, header, ..OpenOptions::default() };
    read_table_with(&file("t.csv", text), &options);
});
