//! Senses files, read for a column of words and unusual texts, with a few concepts.

#![no_main]

use hedgerow::knowledge::{Entry, Knowledge, Senses};
use hedgerow::table::Table;
use hedgerow_fuzz::file;
use libfuzzer_sys::fuzz_target;

const ROWS: [[&str; 1]; 6] = [["nurse"], ["cook"], ["bank"], ["a b"], ["x|y"], ["\"q\""]];

fuzz_target!(|bytes: &[u8]| {
    let entry = |words: &[&str], parents: &[u32]| Entry {
        words: words.iter().map(ToString::to_string).collect(),
        parents: parents.to_vec(),
        definition: Box::default(),
    };
    let entries =
        [entry(&["person"], &[]), entry(&["nurse", "x|y"], &[0]), entry(&["nurse", "cook"], &[0])];
    let known = Knowledge::of_entries("k".to_owned(), &entries).expect("three concepts");
    let table = Table::from_rows(&["job"], &ROWS).expect("a table of words");
    let path = file("senses.toml", bytes);
    let _ = Senses::read(Some(&path), &known, &table.columns()[0].domain);
});
