//! Tables in Parquet.

#![no_main]

use hedgerow_fuzz::{file, read_table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: abort_on_panics_that_nobody_catches(), |bytes: &[u8]| {
    read_table(&file("t.parquet", bytes));
});

/// The library catches panics of the decoder and returns errors; any other panic is a finding.
fn abort_on_panics_that_nobody_catches() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !hedgerow::io::is_guarded() {
            report(panic);
        }
    }));
}
