//! Tables in gzipped CSV: the input compressed, compressed and then truncated, or unchanged.

#![no_main]

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use hedgerow_fuzz::{file, read_table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let packed = match choice % 3 {
        0 => packed(rest),
        1 => {
            let mut packed = packed(rest);
            packed.truncate(packed.len() * usize::from(*choice) / 255);
            packed
        }
        _ => [b"\x1f\x8b\x08", rest].concat(),
    };
    read_table(&file("t.csv.gz", &packed));
});

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}
