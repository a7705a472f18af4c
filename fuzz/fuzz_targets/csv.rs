//! Tables in CSV.

#![no_main]

use hedgerow_fuzz::{file, read_table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    read_table(&file("t.csv", bytes));
});
