//! Options for reading files and tables.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use hedgerow::charset::Charset;
use hedgerow::error::Advice;
use hedgerow::io::{Header, OpenOptions, Size, Source, is_workbook};
use hedgerow::job::Job;
use hedgerow::table::{DateFormat, Decimal, Encoding, Kind, MissingPolicy};

use super::{Detect, Pair, pairs};
use crate::advice;
use crate::console::Console;

/// Options for reading files.
#[derive(Debug, clap::Args)]
pub(crate) struct FileArgs {
    /// Delimiter of CSV files: one character, or the word tab [default: detected among comma,
    /// semicolon, tab and bar]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<char>,
    /// Encoding of CSV files, such as windows-1252 or utf-16 [default: UTF-8, UTF-16 with a byte
    /// order mark, and Windows-1252 are detected]
    #[arg(long, value_name = "NAME", value_parser = charset)]
    pub(crate) encoding: Option<Charset>,
    /// Reads CSV files without a header: columns are called column1, column2 and so on
    #[arg(long)]
    pub(crate) no_header: bool,
    /// Reads CSV files without a header: columns have these names
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with = "no_header")]
    pub(crate) header: Vec<String>,
    /// Sheet of a workbook that has the table [default: the only one with data]
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet: Option<String>,
    /// Maximum length of a record; a longer record is an error [default: 64MB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_record: Option<Size>,
    /// Number of threads that read, search and write [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
}

/// Options for reading tables.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Texts that mean a missing value, in addition to the empty cell
    #[arg(long, value_name = "TEXT,...", value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) na: Vec<String>,
    /// Whether NA, N/A, NaN, null, None, ?, . and - are missing values where all other values of a
    /// column are numbers or dates [default: on]
    #[arg(long, value_enum, value_name = "CHOICE")]
    pub(crate) na_detect: Option<Detect>,
    /// Decimal sign of numbers: , or . [default: detected for each column]
    #[arg(long, value_name = "SIGN", value_parser = decimal)]
    pub(crate) decimal: Option<Decimal>,
    /// Kind of a column: number, date, code or text; may be repeated [default: detected from its
    /// values]
    #[arg(long = "kind", value_name = "COLUMN=KIND")]
    pub(crate) kinds: Vec<Pair<Kind>>,
    /// Date format of a column: iso, ymd, dmy, mdy, or a pattern such as %d.%m.%y; may be repeated
    #[arg(long = "date-format", value_name = "COLUMN=FORMAT")]
    pub(crate) date_formats: Vec<Pair<DateFormat>>,
}

impl ReadArgs {
    /// Overrides how the input of a job is read.
    pub(crate) fn give(&self, job: &mut Job) -> hedgerow::Result<()> {
        // A flag replaces the list of the file, as those of roles do.
        if !self.na.is_empty() {
            job.na.clone_from(&self.na);
        }
        job.kind.extend(pairs(&self.kinds)?);
        job.date_format.extend(pairs(&self.date_formats)?);
        let file = &self.file;
        job.delimiter = file.delimiter.or(job.delimiter);
        job.encoding = file.encoding.or(job.encoding);
        job.sheet = file.sheet.clone().or(job.sheet.take());
        // Both options say where names come from, so one replaces the other.
        if file.no_header || !file.header.is_empty() {
            job.no_header = file.no_header;
            job.header.clone_from(&file.header);
        }
        job.na_detect = self.na_detect.map_or(job.na_detect, Into::into);
        job.decimal = self.decimal.or(job.decimal);
        job.max_record = file.max_record.unwrap_or(job.max_record);
        // All cores unless the job or a flag says otherwise.
        if file.threads.is_some() || job.threads == 0 {
            job.threads = file.threads();
        }
        Ok(())
    }

    pub(crate) fn encoding(&self, missing: MissingPolicy) -> hedgerow::Result<Encoding> {
        let (kinds, date_formats) = (pairs(&self.kinds)?, pairs(&self.date_formats)?);
        Ok(Encoding {
            na: self.na.clone(),
            na_detect: self.na_detect.map_or_else(Default::default, Into::into),
            decimal: self.decimal,
            missing,
            kinds,
            date_formats,
            ..Encoding::default()
        })
    }
}

impl FileArgs {
    pub(crate) fn threads(&self) -> usize {
        // Respects the limits of containers, which the number of cores does not.
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    /// Opens a table; `-` is standard input, which can be opened only once.
    pub(crate) fn open(&self, path: &Path) -> hedgerow::Result<Source> {
        self.open_with(path, &self.opening()?)
    }

    /// Opens one of several tables, of which only workbooks have sheets.
    pub(crate) fn open_one(&self, path: &Path) -> hedgerow::Result<Source> {
        self.open_with(path, &self.opening()?.for_one_of_several(path))
    }

    /// Opens a release, which has a header whatever its original has, and an encoding of its own.
    pub(crate) fn open_release(
        &self,
        path: &Path,
        charset: Option<Charset>,
    ) -> hedgerow::Result<Source> {
        let options = OpenOptions { charset, header: Header::FirstLine, ..self.opening()? };
        self.open_with(path, &options.for_one_of_several(path))
    }

    /// Returns an error if a sheet is named but none of the tables is a workbook.
    pub(crate) fn check_sheet<'a>(
        &self,
        tables: impl IntoIterator<Item = &'a Path>,
    ) -> hedgerow::Result<()> {
        match &self.sheet {
            Some(sheet) if !tables.into_iter().any(is_workbook) => {
                let problem = format!("no table is a workbook, so none has a sheet '{sheet}'");
                Err(hedgerow::Error::invalid(problem)
                    .advise([Advice::LeaveOut { key: "sheet", column: None }]))
            }
            _ => Ok(()),
        }
    }

    fn opening(&self) -> hedgerow::Result<OpenOptions> {
        let header = match (self.header.as_slice(), self.no_header) {
            ([], false) => Header::FirstLine,
            ([], true) => Header::Numbered,
            (names, _) => Header::Names(names.to_vec()),
        };
        let delimiter = hedgerow::job::delimiter_byte(self.delimiter)?;
        let sheet = self.sheet.clone();
        Ok(OpenOptions { delimiter, charset: self.encoding, header, sheet })
    }

    fn open_with(&self, path: &Path, options: &OpenOptions) -> hedgerow::Result<Source> {
        let source = if path == Path::new("-") {
            static IS_TAKEN: AtomicBool = AtomicBool::new(false);
            // A second read of standard input would see an empty table.
            if IS_TAKEN.swap(true, Ordering::Relaxed) {
                return Err(hedgerow::Error::invalid(
                    "two tables are `-`, but standard input holds one; give the other as a file",
                ));
            }
            let console = Console::new(true);
            // Tables are read several times, which a stream does not allow.
            Source::spool_with(std::io::stdin().lock(), &std::env::temp_dir(), options, &console)?
        } else {
            Source::open_with(path, options)?
        };
        Ok(source.with_max_record(self.max_record.unwrap_or_default()))
    }
}

/// Parses the name of an encoding.
pub(super) fn charset(name: &str) -> Result<Charset, String> {
    name.parse().map_err(|error: hedgerow::Error| error.message(&advice::spell))
}

fn decimal(sign: &str) -> Result<Decimal, String> {
    sign.parse().map_err(|_| "it must be , or .".to_owned())
}

fn delimiter(text: &str) -> Result<char, String> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        // A tab can hardly be typed as an argument in a shell.
        ("\\t" | "tab", ..) => Ok('\t'),
        (_, Some(delimiter), None) => Ok(delimiter),
        _ => Err("it must be one character or the word tab".to_owned()),
    }
}
