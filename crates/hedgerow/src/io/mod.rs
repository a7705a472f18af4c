//! Table files: CSV (optionally gzipped), Parquet and workbooks, read in blocks by several threads.

mod size;
mod unusable;
mod system;
mod scratch;
mod temporary;
mod magic;
mod block;
pub mod spelling;
mod frame;
mod text;
mod quoted;
mod csv;
mod opening;
mod first_line;
mod folder;
mod inputs;
mod output;
mod guard;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
mod parquet;
#[cfg_attr(not(feature = "excel"), path = "no_workbook.rs")]
mod workbook;
mod detect;
mod memory;
mod digest;
mod parallel;
mod tallies;
mod converted;
mod told;
mod options;
mod row_writer;
mod encoded;
mod shuffle;
mod counts;
mod write;

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use converted::Form;
pub use counts::CountColumns;
pub use folder::OutputFolder;
pub(crate) use folder::{file_names, has_only};
pub use frame::{Frame, Texts};
pub use guard::is_guarded;
pub use inputs::Inputs;
pub use opening::{Header, OpenOptions, is_workbook};
pub use options::WriteOptions;
pub use output::Output;
pub use scratch::abandon;
pub use size::Size;
pub use unusable::Unusable;
pub(crate) use write::{Input, Written, order_key_in_memory, write_release};

pub(crate) use block::{Fields, Records, Wanted};
use detect::{Detected, Format};
use parallel::for_each_block;
pub(crate) use row_writer::RowWriter;
use tallies::Counts;
use temporary::Temporary;
use text::Text;

use crate::error::{Advice, Misuse, Warning};
use crate::file::Stamp;
use crate::guard::{Collector, Glance};
use crate::progress::{Progress, stop_if_cancelled};
use crate::schema;
use crate::table::{Columns, Decimal, Encoding, Part, SourceId, Table, unguarded};
use crate::{Error, Result};

/// A table in a file or in memory.
///
/// # Examples
///
/// ```
/// use hedgerow::prelude::*;
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("people.csv");
/// std::fs::write(&path, "age;ill\n23;flu\n25;cold\n").unwrap();
/// let source = Source::open(&path, None)?;
/// assert_eq!(source.header(), ["age", "ill"]);
/// let table = source.read(&Columns::quasi(&["age"]), &ReadOptions::default(), &Silent)?;
/// assert_eq!(table.n_rows(), 2);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Source {
    path: PathBuf,
    format: Format,
    header: Vec<String>,
    /// Whether the first line of a CSV file has the names of its columns.
    has_header_line: bool,
    /// The name that the first column was given because it has none.
    unnamed: Option<String>,
    echoed: Option<Warning>,
    /// The encoding of a CSV file.
    text: Text,
    /// Whether the delimiter of a CSV file was detected.
    has_found_delimiter: bool,
    /// The decimal sign that the first records of a CSV file show.
    decimal: Option<Decimal>,
    /// The columns of a Parquet file or a frame whose values cannot be represented as text, by
    /// index.
    unusable: BTreeMap<usize, Unusable>,
    /// Maximum length of a record, if there is one.
    max_record: Option<Size>,
    /// The copy of a table that could be read only once.
    spooled: Option<Arc<Temporary>>,
    /// Tables remember which opened file they were read from.
    id: SourceId,
    /// The file as it was when it was opened.
    stamp: Option<Stamp>,
}

/// Name in messages of a table that was copied from a stream.
const STANDARD_INPUT: &str = "standard input";

/// Options for reading a table.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Conversion of raw fields to values.
    pub encoding: Encoding,
    /// Whether to keep the cohort of every row.
    pub keep_rows: bool,
    /// Number of threads; 0 means 1.
    pub threads: usize,
    /// Whether NaN and infinities of Parquet are read as text. Otherwise they are an error unless
    /// they count as missing.
    pub keep_nan: bool,
}

impl Source {
    /// Opens a table: detects its format from its first bytes and reads its header.
    ///
    /// Unless a delimiter is given, that of a CSV file is the most frequent one of comma,
    /// semicolon, tab and bar in its header.
    pub fn open(path: &Path, delimiter: Option<u8>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::delimited(delimiter))
    }

    /// Opens a table with options.
    ///
    /// The table of a workbook is the sheet that the options name, or the only one with data. Its
    /// cells are read when it is opened.
    ///
    /// Unless an encoding is given, a CSV file is UTF-8, or UTF-16 if it begins with a byte order
    /// mark. If it has bytes that are not UTF-8, it is read as Windows-1252; [`Source::warnings`]
    /// says so as soon as such a byte was read. A first column without a name is called `row`.
    pub fn open_with(path: &Path, options: &OpenOptions) -> Result<Self> {
        let text = Text::new(options.charset);
        // Before anything is read, so that every later change is noticed.
        let stamp = Stamp::of(path)?;
        let detected = detect::detect(path, options, &text)?;
        let Detected { names: mut header, has_header_line, .. } = detected;
        let is_short = detected.has_unnamed && has_header_line;
        let unnamed = opening::name_rows(&mut header, is_short, has_header_line);
        opening::check_header(path, &header, options)?;
        Ok(Self {
            path: path.to_owned(),
            format: detected.format,
            header,
            has_header_line,
            unnamed,
            echoed: detected.echoed,
            text,
            has_found_delimiter: options.delimiter.is_none(),
            decimal: detected.decimal,
            unusable: detected.unusable,
            max_record: Some(Size::OF_A_RECORD),
            spooled: None,
            id: SourceId::new(),
            stamp: Some(stamp),
        })
    }

    /// Returns an error if the file is not the one that was opened.
    fn check_unchanged(&self) -> Result<()> {
        let Some(stamp) = self.stamp else { return Ok(()) };
        let now = Stamp::of(&self.path).map_err(|error| self.named(error))?;
        if now == stamp { Ok(()) } else { Err(Error::InputChanged) }
    }

    /// Reads a file again if another encoding was found while it was read.
    fn decoded<T>(&self, read: impl Fn() -> Result<T>) -> Result<T> {
        let before = self.text.charset();
        match read() {
            // The error came from reading with the wrong encoding, so it is discarded.
            Err(_) if self.text.charset() != before => read(),
            result => result,
        }
    }

    /// Copies a table that can be read only once, such as standard input, to a temporary file in
    /// `folder`, because tables are read several times. The file is removed with the last clone.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::io::{ReadOptions, Source};
    /// use hedgerow::progress::Silent;
    /// use hedgerow::table::Columns;
    /// let stream = "age,sex\n39,F\n50,M\n".as_bytes();
    /// let source = Source::spool(stream, &std::env::temp_dir(), None, &Silent)?;
    /// let table = source.read(&Columns::quasi(&["age"]), &ReadOptions::default(), &Silent)?;
    /// assert_eq!(table.n_rows(), 2);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn spool(
        input: impl Read,
        folder: &Path,
        delimiter: Option<u8>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        Self::spool_with(input, folder, &OpenOptions::delimited(delimiter), progress)
    }

    /// Like [`Source::spool`], with options for opening the table.
    pub fn spool_with(
        mut input: impl Read,
        folder: &Path,
        options: &OpenOptions,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let name = Path::new(STANDARD_INPUT);
        let copy = Temporary::create_private_in(folder).map_err(Error::io("write to", folder))?;
        let mut buffer = vec![0; 1 << 20];
        loop {
            stop_if_cancelled(progress)?;
            match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(n_read) => copy
                    .file()
                    .write_all(&buffer[..n_read])
                    .map_err(Error::io("write to", folder))?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io("read", name)(error)),
            }
        }
        let source = Self::open_with(copy.path(), options)
            // Messages must not show the path of the copy, which the user does not know.
            .map_err(|error| error.about(copy.path(), name))?;
        Ok(Self { spooled: Some(Arc::new(copy)), ..source })
    }

    /// Renames the temporary copy in an error to the name that the user knows.
    fn named(&self, error: Error) -> Error {
        match self.spooled {
            Some(_) => error.about(&self.path, Path::new(STANDARD_INPUT)),
            None => error,
        }
    }

    /// Sets the maximum length of a record, which is 64 MB by default.
    #[must_use]
    pub fn with_max_record(self, max_record: Size) -> Self {
        Self { max_record: Some(max_record), ..self }
    }

    /// Removes the maximum length of a record.
    #[must_use]
    pub(crate) fn without_max_record(self) -> Self {
        Self { max_record: None, ..self }
    }

    /// Returns the reason why the values of a column cannot be represented as text, or `None`.
    pub fn unusable(&self, place: usize) -> Option<Unusable> {
        self.unusable.get(&place).copied()
    }

    /// Returns an error if the values of one of these columns cannot be represented as text.
    pub(crate) fn check_usable(&self, places: &[usize]) -> Result<()> {
        let odd = places.iter().find_map(|&place| Some((place, self.unusable(place)?)));
        odd.map_or(Ok(()), |(place, odd)| {
            Err(self.named(odd.error(&self.path, &self.header[place])))
        })
    }

    /// Removes the `'` that [`WriteOptions::spreadsheet_safe`] put in front of column names.
    #[must_use]
    pub fn without_guards(mut self) -> Self {
        self.header.iter_mut().for_each(|name| *name = unguarded(name).to_owned());
        self
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// Delimiter of a CSV file; a comma for other files.
    pub fn delimiter(&self) -> u8 {
        match self.format {
            Format::Csv { delimiter, .. } => delimiter,
            Format::Parquet | Format::Workbook(_) | Format::Memory(_) => b',',
        }
    }

    /// Size of the file in bytes; an estimate for a table in memory.
    pub fn n_bytes(&self) -> u64 {
        match &self.format {
            Format::Memory(frame) => memory::n_bytes(frame.as_ref(), self.header.len()),
            _ => std::fs::metadata(&self.path).map_or(0, |data| data.len()),
        }
    }

    /// Reads columns, each named once, and counts their distinct tuples.
    pub fn read(
        &self,
        columns: &Columns,
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Table> {
        let mut tables = self.read_each(std::slice::from_ref(columns), options, progress)?;
        tables.pop().ok_or_else(|| Error::Internal("one group of columns gives one table".into()))
    }

    /// Reads several groups of columns in one pass and counts the distinct tuples of each.
    pub fn read_each(
        &self,
        groups: &[Columns],
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Vec<Table>> {
        self.read_and_look(groups, &[], options, progress).map(|(tables, _)| tables)
    }

    /// Like [`Source::read_each`]; in the same pass it also looks at the columns at the indices
    /// `looked`; an index without a column is an [`Error::Misuse`].
    pub fn read_and_look(
        &self,
        groups: &[Columns],
        looked: &[usize],
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<(Vec<Table>, Glance)> {
        let columns = self.header.len();
        if let Some(&place) = looked.iter().find(|&&place| place >= columns) {
            return Err(Error::misuse(Misuse::NoColumn { place, columns }));
        }
        self.decoded(|| self.read_groups(groups, looked, options, progress))
    }

    fn read_groups(
        &self,
        groups: &[Columns],
        looked: &[usize],
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<(Vec<Table>, Glance)> {
        let places = self.places_of(groups, &options.encoding)?;
        let count = |counts: &mut Counts, records: &mut Records| {
            stop_if_cancelled(progress)?;
            counts.count(records, &places, looked, options)?;
            progress.advance(records.end_byte(), self.n_bytes());
            Ok(())
        };
        // NaN is refused in columns that are counted, and accepted in those that are only looked
        // at.
        let counted = places.concat();
        let loose: Vec<usize> =
            looked.iter().copied().filter(|place| !counted.contains(place)).collect();
        let mut needed = [counted, loose.clone()].concat();
        needed.sort_unstable();
        needed.dedup();
        let missing = options.encoding.missing_numbers();
        let checked = (!options.keep_nan).then_some(missing.as_slice());
        let wanted = Wanted { places: &needed, na: checked, loose: &loose };
        let counts = for_each_block(self, &wanted, options.threads, count)?;
        // Without records no thread counted anything, whatever the groups.
        if counts.iter().flat_map(|counts| &counts.parts).all(Part::is_empty) {
            let problem = match self.format {
                Format::Memory(_) => "the table has no records",
                _ => "the file has a header but no records",
            };
            return Err(self.named(Error::file(&self.path, problem)));
        }
        // Threads share nothing while they count; their results are merged here.
        let (counted, collected): (Vec<Vec<Part>>, Vec<Collector>) =
            counts.into_iter().map(|counts| (counts.parts, counts.collector)).unzip();
        let names = looked.iter().map(|&place| self.header[place].clone()).collect();
        let mut threads: Vec<_> = counted.into_iter().map(Vec::into_iter).collect();
        let encoding = Encoding {
            decimal_of_file: options.encoding.decimal_of_file.or(self.decimal),
            ..options.encoding.clone()
        };
        let glance = Glance::assemble(names, collected, &encoding).read_from(self.id);
        // Every thread has one part per group, in the order of groups.
        let of_group = |group: &Columns| {
            let parts = threads.iter_mut().filter_map(Iterator::next).collect();
            let table = Table::assemble_unless_cancelled(group, parts, &encoding, progress)?;
            Ok(table.read_from(self.id))
        };
        let tables = groups.iter().map(of_group).collect::<Result<_>>()?;
        Ok((tables, glance))
    }

    /// Returns the indices of the columns of each group. Naming a column twice, or one that the
    /// header does not have, is an error.
    fn places_of(&self, groups: &[Columns], encoding: &Encoding) -> Result<Vec<Vec<usize>>> {
        self.check_decimal(encoding)?;
        let find = |name: &String| schema::find(&self.header, name);
        let names: Vec<Vec<String>> = groups.iter().map(Columns::names).collect();
        for group in &names {
            if let Some(name) = group.iter().enumerate().find(|(i, n)| group[..*i].contains(n)) {
                return Err(Error::named_twice(name.1));
            }
        }
        for name in encoding.kinds.keys().chain(encoding.date_formats.keys()) {
            find(name)?; // a kind for an unknown column is a mistake
        }
        names.iter().map(|group| group.iter().map(find).collect()).collect()
    }

    /// Returns an error if the decimal sign of numbers is also the delimiter.
    fn check_decimal(&self, encoding: &Encoding) -> Result<()> {
        let Some(sign) = encoding.decimal.map(Decimal::sign) else { return Ok(()) };
        match self.format {
            Format::Csv { delimiter, .. } if char::from(delimiter) == sign => {
                let problem =
                    format!("the decimal sign '{sign}' is also the delimiter of the file");
                Err(self.named(Error::file(&self.path, problem).advise([
                    Advice::LeaveOut { key: "decimal", column: None },
                    Advice::OtherDelimiter,
                ])))
            }
            _ => Ok(()),
        }
    }

    /// Returns the blocks of records in file order.
    pub(crate) fn blocks(&self, wanted: &Wanted<'_>) -> Result<Box<dyn block::Blocks>> {
        self.check_usable(wanted.places)?;
        match &self.format {
            Format::Csv { delimiter, gzip } => {
                Ok(Box::new(csv::CsvBlocks::open(self, *gzip, *delimiter)?))
            }
            Format::Parquet => parquet::blocks(self, wanted),
            Format::Workbook(sheet) => workbook::blocks(self, sheet, wanted),
            Format::Memory(frame) => Ok(memory::blocks(self, frame, wanted)),
        }
    }
}

/// The error for a record that exceeds the maximum length. Only text has lines, and quotes that can
/// be left open.
fn too_long(record: &str, line: Option<u64>, max_record: Size) -> Error {
    let quote = line.map(|_| Advice::words("close a quote that is open before it"));
    let longer = Advice::LongerRecords { size: max_record.times(4).to_string() };
    Error::syntax(line, format!("{record} is longer than {max_record}"))
        .advise(quote.into_iter().chain([longer]))
}

/// Reads until the buffer is full or the input ends, and returns the number of bytes read.
fn read_up_to(input: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
