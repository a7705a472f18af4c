//! Reads tables in memory, block by block, like files.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::block::{Blocks, Fields, RecordBlock, Wanted};
use super::detect::Format;
use super::frame::{Frame, Texts};
use super::opening::{self, OpenOptions};
use super::text::Text;
use super::{Output, Size, Source, parquet, too_long};
use crate::error::Advice;
use crate::progress::Progress;
use crate::table::{SourceId, Table};
use crate::{Error, Result};

/// Maximum number of records in a block.
const BLOCK_ROWS: u64 = 1 << 14;
/// Guess of the number of bytes of a field, for estimates of sizes.
const BYTES_PER_FIELD: u64 = 10;

impl Source {
    /// A table in memory. Messages refer to it as `name`.
    ///
    /// # Errors
    ///
    /// Those of a header: without columns, with an empty name, or with a name twice.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::ops::Range;
    /// use std::sync::Arc;
    ///
    /// use hedgerow::io::{Frame, ReadOptions, Source, Texts};
    /// use hedgerow::progress::Silent;
    /// use hedgerow::table::Columns;
    ///
    /// #[derive(Debug)]
    /// struct Ages(Vec<u32>);
    ///
    /// impl Frame for Ages {
    ///     fn names(&self) -> Vec<String> {
    ///         vec!["age".to_owned()]
    ///     }
    ///
    ///     fn n_rows(&self) -> u64 {
    ///         self.0.len() as u64
    ///     }
    ///
    ///     fn texts(&self, _: usize, rows: Range<u64>, texts: &mut Texts) -> hedgerow::Result<()> {
    ///         for age in &self.0[rows.start as usize..rows.end as usize] {
    ///             texts.push(&age.to_string());
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let source = Source::of_frame(Arc::new(Ages(vec![39, 50, 39])), "the frame")?;
    /// let table = source.read(&Columns::quasi(&["age"]), &ReadOptions::default(), &Silent)?;
    /// assert_eq!((table.n_rows(), table.cohorts().len()), (3, 2));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn of_frame(frame: Arc<dyn Frame>, name: &str) -> Result<Self> {
        let (path, header) = (PathBuf::from(name), frame.names());
        if header.is_empty() {
            return Err(Error::file(&path, "it has no columns"));
        }
        opening::check_header(&path, &header, &OpenOptions::default())?;
        let odd = (0..header.len()).filter_map(|place| Some((place, frame.unusable(place)?)));
        Ok(Self {
            unusable: odd.collect(),
            path,
            format: Format::Memory(frame),
            header,
            has_header_line: false,
            unnamed: None,
            echoed: None,
            text: Text::new(None),
            has_found_delimiter: false,
            decimal: None,
            max_record: Some(Size::OF_A_RECORD),
            spooled: None,
            id: SourceId::new(),
            stamp: None,
        })
    }

    /// The table, if it is in memory.
    pub(crate) fn frame(&self) -> Option<&Arc<dyn Frame>> {
        match &self.format {
            Format::Memory(frame) => Some(frame),
            _ => None,
        }
    }

    /// A table of counts, as one that was read from this source.
    pub(crate) fn adopt(&self, counted: Table) -> Table {
        counted.read_from(self.id)
    }

    /// Writes the table as Parquet. The columns `as_text` are text; others are numbers or dates if
    /// all their cells are.
    pub(crate) fn write_parquet(
        &self,
        as_text: &[&String],
        output: &Output,
        progress: &dyn Progress,
    ) -> Result<()> {
        parquet::write(self, as_text, output, progress)
    }

    /// Whether the table is in memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        matches!(self.format, Format::Memory(_))
    }
}

/// Estimates how many bytes a table would have as text.
pub(super) fn n_bytes(frame: &dyn Frame, n_columns: usize) -> u64 {
    frame.n_rows() * n_columns as u64 * BYTES_PER_FIELD
}

/// Returns the blocks of the wanted columns of a table.
pub(super) fn blocks(
    source: &Source,
    frame: &Arc<dyn Frame>,
    wanted: &Wanted<'_>,
) -> Box<dyn Blocks> {
    let form = Form {
        frame: Arc::clone(frame),
        path: source.path.clone(),
        header: source.header.clone(),
        places: wanted.places.to_vec(),
        na: wanted.na.map(<[String]>::to_vec),
        loose: wanted.loose.to_vec(),
        max_record: source.max_record,
    };
    Box::new(MemoryBlocks { form: Arc::new(form), next: 0 })
}

/// Options for reading the rows of a table in memory.
struct Form {
    frame: Arc<dyn Frame>,
    /// Name of the table in messages.
    path: PathBuf,
    header: Vec<String>,
    places: Vec<usize>,
    /// The spellings of NaN and infinities that are allowed; `None` allows all.
    na: Option<Vec<String>>,
    /// Columns in which any number is accepted.
    loose: Vec<usize>,
    max_record: Option<Size>,
}

struct MemoryBlocks {
    form: Arc<Form>,
    /// The next row.
    next: u64,
}

impl Blocks for MemoryBlocks {
    fn next_block(&mut self) -> Result<Option<Box<dyn RecordBlock>>> {
        let end = self.form.frame.n_rows().min(self.next + BLOCK_ROWS);
        if self.next == end {
            return Ok(None);
        }
        let rows = self.next..end;
        self.next = end;
        Ok(Some(Box::new(MemoryBlock { form: Arc::clone(&self.form), rows })))
    }
}

struct MemoryBlock {
    form: Arc<Form>,
    rows: Range<u64>,
}

impl RecordBlock for MemoryBlock {
    fn for_each(&mut self, visit: &mut dyn FnMut(Fields<'_>) -> Result<()>) -> Result<()> {
        let form = &self.form;
        let columns = form.columns(&self.rows).map_err(|error| error.in_file(&form.path))?;
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for place in 0..(self.rows.end - self.rows.start) as usize {
            bytes.clear();
            ends.clear();
            let mut texts = form.places.iter().zip(&columns).peekable();
            for column in 0..form.header.len() {
                if let Some((_, texts)) = texts.next_if(|(wanted, _)| **wanted == column) {
                    bytes.extend_from_slice(texts.get(place));
                }
                ends.push(bytes.len());
            }
            let is_too_long = |most: &Size| bytes.len() as u64 > most.bytes();
            if let Some(most) = form.max_record.filter(is_too_long) {
                let record = format!("the record of row {}", self.rows.start + place as u64 + 1);
                return Err(too_long(&record, None, most).in_file(&form.path));
            }
            visit(Fields::of(&bytes, &ends, 0))?;
        }
        Ok(())
    }

    fn end_byte(&self) -> u64 {
        self.rows.end * self.form.header.len() as u64 * BYTES_PER_FIELD
    }
}

impl Form {
    /// The texts of the wanted columns in some rows.
    fn columns(&self, rows: &Range<u64>) -> Result<Vec<Texts>> {
        let mut columns = Vec::with_capacity(self.places.len());
        for &place in &self.places {
            let mut texts = Texts::default();
            self.frame.texts(place, rows.clone(), &mut texts)?;
            let n_rows = (rows.end - rows.start) as usize;
            if texts.ends.len() != n_rows {
                let found = texts.ends.len();
                let problem = format!("column {place} has {found} texts for {n_rows} rows");
                return Err(Error::Internal(problem));
            }
            self.check_finite(place, rows.start, &texts)?;
            columns.push(texts);
        }
        Ok(columns)
    }

    /// Returns an error if a number is not finite and does not count as missing.
    fn check_finite(&self, place: usize, start: u64, texts: &Texts) -> Result<()> {
        let Some(na) = self.na.as_ref().filter(|_| !self.loose.contains(&place)) else {
            return Ok(());
        };
        let is_odd = |at: &&usize| !na.iter().any(|na| na.as_bytes() == texts.get(**at));
        let Some(&at) = texts.not_finite.iter().find(is_odd) else { return Ok(()) };
        let text = String::from_utf8_lossy(texts.get(at)).into_owned();
        let row = start + at as u64 + 1;
        Err(Error::value(&self.header[place], &*text, row, "is not a number")
            .advise([Advice::ListAsMissing { value: Some(text) }]))
    }
}

/// Adds the texts of columns of a table in memory to a digest, block by block.
pub(super) fn digest(
    frame: &dyn Frame,
    places: &[usize],
    hasher: &mut impl std::hash::Hasher,
) -> Result<()> {
    let (mut texts, mut lengths) = (Texts::default(), Vec::new());
    let mut start = 0;
    while start < frame.n_rows() {
        let end = frame.n_rows().min(start + BLOCK_ROWS);
        for &place in places {
            texts.clear();
            frame.texts(place, start..end, &mut texts)?;
            // Lengths keep ("ab", "c") and ("a", "bc") apart.
            lengths.clear();
            lengths.extend(texts.ends.iter().flat_map(|end| (*end as u64).to_le_bytes()));
            hasher.write(&lengths);
            hasher.write(&texts.bytes);
        }
        start = end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::ReadOptions;
    use crate::progress::Silent;
    use crate::table::{Columns, Encoding, NaDetect};

    /// Two columns: row numbers by thirds, and a number.
    #[derive(Debug)]
    struct Rows(Vec<f64>);

    impl Frame for Rows {
        fn names(&self) -> Vec<String> {
            vec!["third".to_owned(), "size".to_owned()]
        }

        fn n_rows(&self) -> u64 {
            self.0.len() as u64
        }

        fn texts(&self, column: usize, rows: Range<u64>, texts: &mut Texts) -> Result<()> {
            for row in rows {
                let size = self.0[row as usize];
                match column {
                    0 => texts.push(&(row % 3).to_string()),
                    _ if size.is_finite() => texts.push(&format!("{size:?}")),
                    _ => {
                        texts.buffer().extend_from_slice(format!("{size:?}").as_bytes());
                        texts.end_not_finite();
                    }
                }
            }
            Ok(())
        }
    }

    fn read(frame: Rows, name: &str, na: &[&str], threads: usize) -> Result<crate::table::Table> {
        let source = Source::of_frame(Arc::new(frame), "the frame").unwrap();
        let na = na.iter().map(|&na| na.to_owned()).collect();
        let encoding = Encoding { na, na_detect: NaDetect::Off, ..Encoding::default() };
        let options = ReadOptions { encoding, threads, keep_rows: true, keep_nan: false };
        source.read(&Columns::quasi(&[name]), &options, &Silent)
    }

    #[test]
    fn records_are_counted_in_the_order_of_their_rows_on_any_number_of_threads() {
        let n_rows = 2 * BLOCK_ROWS as usize + 5;
        for threads in [1, 3] {
            let table = read(Rows(vec![0.5; n_rows]), "third", &[], threads).unwrap();
            assert_eq!(table.n_rows(), n_rows as u64);
            assert_eq!(table.cohorts().first_rows, [0, 1, 2]);
            let rows: Vec<_> = table.rows().unwrap().iter().map(|c| c.unwrap().index()).collect();
            assert!(rows.iter().enumerate().all(|(row, &cohort)| row % 3 == cohort));
        }
    }

    #[test]
    fn what_is_not_a_number_is_named_with_its_row() {
        let sizes = || Rows(vec![1.0, 2.0, f64::NAN]);
        let error = read(sizes(), "size", &[], 1).unwrap_err().to_string();
        assert!(
            error.contains("the frame") && error.contains("(row 3) is not a number"),
            "{error}"
        );
        assert_eq!(read(sizes(), "size", &["NaN"], 1).unwrap().cohorts().len(), 3);
    }

    #[test]
    fn a_table_without_records_is_refused() {
        let error = read(Rows(Vec::new()), "size", &[], 1).unwrap_err().to_string();
        assert_eq!(error, "the frame: the table has no records");
    }
}
