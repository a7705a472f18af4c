//! Published values read back: intervals, sets, dates and names.

#![no_main]

use std::sync::OnceLock;

use hedgerow::hierarchy::Notation;
use hedgerow::table::Table;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let rows = [["1", "0.5", "2024-01-02", "a"], ["7", "-3e3", "1999-12-31", "{b, c}"]];
        Table::from_rows(&["whole", "real", "day", "word"], &rows).expect("a small table")
    });
    let notations = table.columns().iter().map(|c| Notation::read_as(&c.domain.values, text));
    for notation in notations.chain([Notation::read(text)]) {
        if let Notation::Range(lo, hi) = notation {
            assert!(lo <= hi, "{text:?} is read as the range {lo} to {hi}");
        }
    }
});
