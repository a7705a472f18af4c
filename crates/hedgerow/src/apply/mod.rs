//! Applies a recipe to a file: the rules of a release on the next table.
//!
//! The input is read once to count its records and once to write them, as in [`job`](crate::job).
//! The written file is recounted before it is renamed to its final name.

mod schema;
mod together;
mod flow;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

pub use self::flow::{InMemory, run, run_in_memory, run_on};

use crate::Result;
use crate::attack::Evidence;
use crate::charset::Charset;
use crate::error::Warning;
use crate::io::{Header, OpenOptions, Size, Source};
use crate::job::delimiter_byte;
use crate::measure::Attained;
use crate::method::Spec;
use crate::recipe::{Drift, Form, Policy, Reading, Recipe};
use crate::report::People;
use crate::table::{DateFormat, Decimal, Kind, NaDetect};

/// A request to apply a recipe to a file. Settings that are not given are those of the recipe.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Request {
    /// Path of the recipe.
    pub recipe: PathBuf,
    /// Path of the next table.
    pub input: PathBuf,
    /// Path of the release, which is compressed if it ends in `.gz`.
    pub output: PathBuf,
    /// Treatment of values and classes that the recipe did not foresee.
    pub policy: Policy,
    /// Columns that the recipe does not know, published as they are.
    pub keep: Vec<String>,
    /// Columns that the recipe does not know, left out of the release.
    pub drop: Vec<String>,
    /// Hierarchies of sensitive columns by method or file.
    pub hierarchy: BTreeMap<String, Spec>,
    /// Earlier releases that the new one is checked together with.
    pub previous: Vec<PathBuf>,
    /// Greatest success of an attack on the releases together: the probability that a record is
    /// someone's, or the share of a [gain](crate::attack::Gain) about a sensitive value; `1 / k` if
    /// not given.
    pub max_success: Option<f64>,
    /// Omits suppressed records instead of publishing them as `*`.
    pub drop_suppressed: bool,
    /// Keeps the order of the input.
    pub keep_order: bool,
    /// Puts a `'` in front of cells that a spreadsheet would evaluate as formulas.
    pub spreadsheet_safe: bool,
    /// Encoding of the release.
    pub output_encoding: Option<Charset>,
    /// Settings for reading the table, where they differ from those of the first.
    pub reading: Differently,
    /// Replaces an existing output.
    pub force: bool,
    /// Seed of the random order.
    pub seed: u64,
    /// Number of threads; 0 means 1.
    pub threads: usize,
}

/// Tables in memory that a recipe is applied to.
#[derive(Debug)]
pub struct Tables {
    /// The next table.
    pub next: Source,
    /// Earlier releases that the new one is checked together with, in addition to those of the
    /// request.
    pub earlier: Vec<Earlier>,
}

/// An earlier release.
#[derive(Debug)]
pub struct Earlier {
    /// Its name in messages.
    pub name: String,
    /// Its records.
    pub source: Source,
}

impl From<Source> for Tables {
    fn from(next: Source) -> Self {
        Self { next, earlier: Vec::new() }
    }
}

/// Settings for reading a table, where they differ from those of the table of the recipe.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Differently {
    /// Spellings of a missing value; those of the recipe if there are none.
    pub na: Vec<String>,
    /// Whether the usual spellings of missing values are recognized.
    pub na_detect: Option<NaDetect>,
    /// Decimal sign of all numbers.
    pub decimal: Option<Decimal>,
    /// Kinds by column.
    pub kind: BTreeMap<String, Kind>,
    /// Date formats by column.
    pub date_format: BTreeMap<String, DateFormat>,
    /// Delimiter of a CSV file.
    pub delimiter: Option<char>,
    /// Encoding of a CSV file.
    pub encoding: Option<Charset>,
    /// The CSV file has no header: columns are `column1`, `column2` and so on.
    pub no_header: bool,
    /// The CSV file has no header: columns have these names.
    pub header: Vec<String>,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// Maximum length of a record.
    pub max_record: Size,
}

/// Result of a run.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// The form of the rules of the recipe.
    pub form: Form,
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// Number of records in the input.
    pub rows: u64,
    /// Number of records in the release.
    pub released: u64,
    /// Number of suppressed records.
    pub suppressed: u64,
    /// Number of records that were left out because a value is missing.
    pub dropped: u64,
    /// Counts of people, if a column names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// Number of classes.
    pub classes: usize,
    /// Number of records in the smallest class.
    pub smallest_class: u64,
    /// The requirements of the models, and the values that the written file attains.
    pub privacy: Vec<Attained>,
    /// Differences between the table and the first.
    pub drift: Drift,
    /// Attacks on this release and earlier ones together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<Evidence>,
    /// Notes on how the table was read.
    pub notes: Vec<String>,
    /// Warnings for the publisher.
    pub warnings: Vec<Warning>,
}

impl Request {
    /// Returns the options for opening the table.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if the delimiter is not an ASCII character.
    pub fn opening(&self, recipe: &Recipe) -> Result<OpenOptions> {
        let (own, Reading { delimiter, encoding, no_header, header, .. }) =
            (&self.reading, recipe.reading());
        // Both settings of the header come from the same place: mixed, they could contradict each
        // other.
        let is_given = own.no_header || !own.header.is_empty();
        let (no_header, header) =
            if is_given { (own.no_header, &own.header) } else { (*no_header, header) };
        let header = match (header.as_slice(), no_header) {
            ([], false) => Header::FirstLine,
            ([], true) => Header::Numbered,
            (names, _) => Header::Names(names.to_vec()),
        };
        Ok(OpenOptions {
            // The next file can be of another format, so a delimiter is only a hint for CSV.
            delimiter: delimiter_byte(own.delimiter.or(*delimiter))?,
            charset: own.encoding.or(*encoding),
            header,
            sheet: own.sheet.clone(),
        })
    }

    fn open(&self, path: &Path, options: &OpenOptions) -> Result<Source> {
        Ok(Source::open_with(path, options)?.with_max_record(self.reading.max_record))
    }

    /// Opens an earlier release, which has its own header.
    fn open_earlier(&self, path: &Path) -> Result<Earlier> {
        let options = OpenOptions { header: Header::FirstLine, ..OpenOptions::default() };
        Ok(Earlier { name: path.display().to_string(), source: self.open(path, &options)? })
    }
}
