//! Functions shared by the fuzz targets: files for readers that need a path, and reading tables.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hedgerow::io::{OpenOptions, ReadOptions, Source};
use hedgerow::progress::Silent;
use hedgerow::table::Columns;
use tempfile::TempDir;

/// Writes `bytes` to a file called `name` in a folder of this process, and returns its path.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a temporary folder"));
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a temporary file can be written");
    path
}

/// Reads every column of a table, one by one and all together.
pub fn read_table(path: &Path) {
    read_table_with(path, &OpenOptions::default());
}

/// Like [`read_table`], with options for opening the table.
pub fn read_table_with(path: &Path, options: &OpenOptions) {
    let Ok(source) = Source::open_with(path, options) else { return };
    let all = source.header().to_vec();
    let mut groups: Vec<Columns> = all.iter().map(|name| Columns::quasi(&[name])).collect();
    groups.push(Columns::quasi(&all));
    for threads in [1, 2] {
        let options = ReadOptions { keep_rows: true, threads, ..ReadOptions::default() };
        let _ = source.read_each(&groups, &options, &Silent);
    }
}

/// Returns the first byte as a choice and the rest as text.
pub fn choice_and_text(bytes: &[u8]) -> Option<(usize, &str)> {
    let (choice, rest) = bytes.split_first()?;
    Some((usize::from(*choice), std::str::from_utf8(rest).ok()?))
}
