//! The same table in other encodings and notations gives the same release.

use std::fmt::Write;
use std::path::Path;

use hedgerow::charset::Charset;
use hedgerow::job::{self, Job};
use hedgerow::progress::Silent;
use proptest::prelude::*;

/// Anonymizes a table and returns the text of the release.
fn released(folder: &Path, table: &[u8], job: Job) -> String {
    let (input, output) = (folder.join("t.csv"), folder.join("r.csv"));
    std::fs::write(&input, table).unwrap();
    let quasi = vec!["number".to_owned(), "name".to_owned()];
    let job =
        Job { input, output: output.clone(), quasi, k: 2, force: true, keep_order: true, ..job };
    job::run(&job, &Silent).unwrap();
    let bytes = std::fs::read(output).unwrap();
    let charset = job.output_encoding.unwrap_or(Charset::UTF_8);
    charset.decode(&bytes).unwrap().trim_start_matches('\u{feff}').to_owned()
}

/// A table with numbers and names. Cells are quoted, so that every notation can be in them.
fn table(rows: &[(i32, usize)], sign: char, na: &str) -> String {
    const NAMES: [&str; 4] = ["Müller", "José", "Œuvre", "plain"];
    let mut text = "number;name\n".to_owned();
    for &(tenths, name) in rows {
        let number = match tenths {
            0 => na.to_owned(),
            _ => format!("{}{sign}{}", tenths / 10, tenths % 10),
        };
        writeln!(text, "\"{number}\";\"{}\"", NAMES[name]).unwrap();
    }
    // A column needs a number, whatever the other rows have.
    writeln!(text, "\"1{sign}5\";\"plain\"\n\"1{sign}5\";\"plain\"").unwrap();
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn encodings_do_not_change_a_release(
        rows in prop::collection::vec((0..400i32, 0..4usize), 2..30),
        name in prop::sample::select(vec!["utf-8", "utf-16le", "utf-16be", "windows-1252"]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let plain = table(&rows, '.', "");
        let wanted = released(folder.path(), plain.as_bytes(), Job::default());
        let charset: Charset = name.parse().unwrap();
        let mark = if name.starts_with("utf-16") { "\u{feff}" } else { "" };
        let bytes = encoded(charset, &format!("{mark}{plain}"));
        prop_assert_eq!(&released(folder.path(), &bytes, Job::default()), &wanted);
        let given = Job { encoding: Some(charset), output_encoding: Some(charset), ..Job::default() };
        prop_assert_eq!(&released(folder.path(), &bytes, given), &wanted);
    }

    #[test]
    fn decimal_signs_and_spellings_of_missing_values_do_not_change_a_release(
        rows in prop::collection::vec((0..400i32, 0..4usize), 2..30),
        na in prop::sample::select(vec!["NA", "n/a", "NaN", "NULL", "None", "?", ".", "-"]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let wanted = released(folder.path(), table(&rows, '.', "").as_bytes(), Job::default());
        let commas = released(folder.path(), table(&rows, ',', na).as_bytes(), Job::default());
        let names = |release: &str| -> Vec<String> {
            release.lines().map(|line| line.rsplit(';').next().unwrap().to_owned()).collect()
        };
        prop_assert_eq!(names(&commas), names(&wanted));
        // Both signs, and both separators of intervals, become the same.
        let plain = |text: &str| text.replace('"', "").replace("; ", ", ").replace(',', ".");
        let without_na = |line: &str| match line.strip_prefix(&format!("{na};")) {
            Some(rest) => format!(";{rest}"),
            None => line.to_owned(),
        };
        let commas: Vec<String> = plain(&commas).lines().map(without_na).collect();
        let points: Vec<String> = plain(&wanted).lines().map(str::to_owned).collect();
        prop_assert_eq!(commas, points);
    }
}

/// Encodes a text, which every encoding here can.
fn encoded(charset: Charset, text: &str) -> Vec<u8> {
    match charset.name().as_str() {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "windows-1252" => text
            .chars()
            .map(|c| if c == 'Œ' { 0x8c } else { u8::try_from(u32::from(c)).unwrap() })
            .collect(),
        _ => text.as_bytes().to_vec(),
    }
}
