//! Options for reading files and tables.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use hedgerow::io::{Size, Source};
use hedgerow::table::{DateFormat, Encoding, Kind, MissingPolicy};

use super::{Pair, pairs};
use crate::console::Console;

/// Options for reading files.
#[derive(Debug, clap::Args)]
pub(crate) struct FileArgs {
    /// Delimiter of CSV files: one character, or the word tab [default: detected among comma,
    /// semicolon, tab and bar]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<char>,
    /// Maximum length of a record; a longer record is an error [default: 64MB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_record: Option<Size>,
    /// Number of threads that read and write [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
}

/// Options for reading tables.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Texts that mean a missing value, in addition to the empty cell
    #[arg(long, value_name = "TEXT,...", value_delimiter = ',')]
    pub(crate) na: Vec<String>,
    /// Kind of a column: number, date, code or text; may be repeated [default: detected from its
    /// values]
    #[arg(long = "kind", value_name = "COLUMN=KIND")]
    pub(crate) kinds: Vec<Pair<Kind>>,
    /// Date format of a column: iso, ymd, dmy, mdy, or a pattern such as %d.%m.%y; may be repeated
    #[arg(long = "date-format", value_name = "COLUMN=FORMAT")]
    pub(crate) date_formats: Vec<Pair<DateFormat>>,
}

impl ReadArgs {
    pub(crate) fn encoding(&self, missing: MissingPolicy) -> hedgerow::Result<Encoding> {
        let (kinds, date_formats) = (pairs(&self.kinds)?, pairs(&self.date_formats)?);
        let na = self.na.clone();
        Ok(Encoding { na, missing, kinds, date_formats, ..Encoding::default() })
    }
}

impl FileArgs {
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    /// Opens a table; `-` is standard input, which can be opened only once.
    pub(crate) fn open(&self, path: &Path) -> hedgerow::Result<Source> {
        let delimiter = hedgerow::job::delimiter_byte(self.delimiter)?;
        let source = if path == Path::new("-") {
            static IS_TAKEN: AtomicBool = AtomicBool::new(false);
            if IS_TAKEN.swap(true, Ordering::Relaxed) {
                return Err(hedgerow::Error::invalid(
                    "two tables are `-`, but standard input holds one; give the other as a file",
                ));
            }
            let console = Console::new(true);
            Source::spool(std::io::stdin().lock(), &std::env::temp_dir(), delimiter, &console)?
        } else {
            Source::open(path, delimiter)?
        };
        Ok(source.with_max_record(self.max_record.unwrap_or_default()))
    }
}

fn delimiter(text: &str) -> Result<char, String> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        ("\\t" | "tab", ..) => Ok('\t'),
        (_, Some(delimiter), None) => Ok(delimiter),
        _ => Err("it must be one character or the word tab".to_owned()),
    }
}
