//! Writes a release: the input is read again, and every record gets the cells of its class.

use std::hash::Hasher;
use std::io::Write;
use std::path::Path;

use twox_hash::XxHash3_64;

use super::block::{Fields, Records, Wanted};
use super::encoded::encoded;
use super::output::TableWriter;
use super::parallel::{Turnstile, for_each_block};
use super::row_writer::{RowWriter, Rows};
use super::shuffle::Shuffle;
use super::{Form, Output, Source, WriteOptions};
use crate::charset::Charset;
use crate::error::{Advice, Misuse};
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::Class;
use crate::release::{Assigner, Release};
use crate::schema::{Role, Schema};
use crate::table::{Cohort, Column, Table};
use crate::{Error, Result};

/// The records that were written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Written {
    /// Number of records.
    pub(crate) n_rows: u64,
    /// Number of these that are suppressed: all their quasi-identifiers are `*`.
    pub(crate) n_suppressed: u64,
    /// The cohort in the table of each written row, in the order of the file, if people can have
    /// several records. The file itself does not say whose they are.
    pub(crate) cohorts: Option<Vec<Cohort>>,
}

/// The records to publish, and the roles of their columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'a> {
    /// The table that contains the records.
    pub(crate) source: &'a Source,
    /// The roles of its columns.
    pub(crate) schema: &'a Schema,
}

impl Input<'_> {
    /// Returns an error if the source is not the one of the release, or if a column is undecided
    /// that was not examined in it.
    pub(crate) fn check_source(self, release: &Release) -> Result<()> {
        if release.recoding().problem().table().source() != Some(self.source.id) {
            let advice = Advice::words("read the table from the source that is passed here");
            return Err(Error::misuse(Misuse::OtherSource).advise([advice]));
        }
        self.schema.check_decided(self.source.id)
    }

    /// Returns an error if the schema is not that of the source, says other people, or would
    /// publish a quasi-identifier of the release unchanged.
    pub(crate) fn check_roles(self, release: &Release) -> Result<()> {
        let Self { source, schema } = self;
        let table = release.recoding().problem().table();
        // Columns are written by their position.
        if schema.names() != source.header() {
            return Err(Error::misuse(Misuse::OtherHeader)
                .advise([Advice::words("make the schema from the header of the source")]));
        }
        let quasi = schema.quasi().iter().map(|&place| &schema.names()[place]);
        if !quasi.eq(table.columns().iter().map(|column| &column.name)) {
            return Err(Error::misuse(Misuse::OtherQuasi)
                .advise([Advice::words("give both the same ones, in the same order")]));
        }
        let people = schema.with(Role::Person);
        if !people.eq(table.person().map(|column| &column.name)) {
            let advice =
                Advice::words("read the table with the column that has the role of a person");
            return Err(Error::misuse(Misuse::OtherPeople).advise([advice]));
        }
        Ok(())
    }
}

/// Writes the records of `input` with the quasi-identifiers of `release`, as CSV or Parquet.
///
/// [`Publication::publish`](crate::publish::Publication::publish) verifies the file afterwards.
///
/// Memory holds a few blocks and one bucket of the shuffle, or one row group of Parquet, whatever
/// the size of the input. A Parquet file is converted from an unnamed CSV file in the same folder.
/// Its columns have types: whole numbers, numbers, ISO dates or text. Intervals are text, except in
/// styles that publish numbers.
pub(crate) fn write_release(
    input: Input<'_>,
    release: &Release,
    options: &WriteOptions,
    output: &mut Output,
    progress: &dyn Progress,
) -> Result<Written> {
    input.check_roles(release)?;
    input.check_source(release)?;
    let as_text = release.text_columns();
    let form =
        Form { delimiter: input.source.delimiter(), charset: options.charset, as_text: &as_text };
    form.write(output, progress, |out| write_csv(input, release, options, out, progress))
}

fn write_csv(
    Input { source, schema }: Input<'_>,
    release: &Release,
    options: &WriteOptions,
    output: &mut Output,
    progress: &dyn Progress,
) -> Result<Written> {
    let drop_suppressed = options.drop_suppressed || release.drops_suppressed();
    let options = &WriteOptions { drop_suppressed, ..*options };
    let table = release.recoding().problem().table();
    let path = output.path().to_owned();
    let layout = Layout::new(schema, release, table);
    let header = encoded(layout.header(new_rows(source, options)), &layout.names, source, options)?;
    let key = if options.keep_order {
        None
    } else {
        Some(order_key(source, settings(&layout, release, options), progress)?)
    };
    let mut sink =
        Sink::new(n_bytes_of(source, table), key, output).map_err(Error::io("write", &path))?;
    sink.origins = table.people().map(|_| Vec::new());
    let mark = options.charset.map_or_else(Vec::new, Charset::mark);
    sink.out.write_all(&mark).map_err(Error::io("write", &path))?;
    sink.out.write_all(&header.bytes).map_err(Error::io("write", &path))?;
    let places = layout.places();
    let wanted = Wanted { places: &places, na: None, loose: &[] };
    let writer = BlockWriter {
        source,
        n_bytes: source.n_bytes(),
        layout: &layout,
        release,
        options,
        path: &path,
        assigner: Turnstile::new(release.assigner()),
        sink: Turnstile::new(sink),
    };
    // Threads keep no state of their own: all of it is behind the turnstiles.
    let write = |(): &mut (), records: &mut Records| writer.write(records, progress);
    for_each_block(source, &wanted, options.threads, write)?;
    // The other columns were examined in the file that was opened.
    source.check_unchanged()?;
    let sink = writer.sink.into_inner()?;
    // The classes were computed for the records that were counted before.
    if sink.n_read != table.n_rows() {
        return Err(Error::InputChanged);
    }
    sink.finish(&path, progress)
}

fn new_rows(source: &Source, options: &WriteOptions) -> RowWriter {
    RowWriter::new(source.delimiter()).guarding(options.spreadsheet_safe)
}

/// Writes the blocks of a release, several at a time.
struct BlockWriter<'a> {
    source: &'a Source,
    /// Size of the source in bytes.
    n_bytes: u64,
    layout: &'a Layout,
    release: &'a Release,
    options: &'a WriteOptions,
    /// Path of the output in messages.
    path: &'a Path,
    /// The records of a cohort go to its classes in row order, so blocks are assigned in file order
    /// even though they are parsed in parallel.
    assigner: Turnstile<Assigner<'a>>,
    sink: Turnstile<Sink<'a>>,
}

impl BlockWriter<'_> {
    /// Parses a block, assigns its records to classes and writes their rows.
    fn write(&self, records: &mut Records, progress: &dyn Progress) -> Result<()> {
        let Self { layout, release, assigner, sink, .. } = self;
        let table = release.recoding().problem().table();
        // Every block passes both turnstiles, even after an error. Otherwise the blocks behind it
        // would wait forever.
        let _watch = (assigner.watch(), sink.watch());
        let number = records.number();
        let parsed = stop_if_cancelled(progress).and_then(|()| Parsed::new(records, layout, table));
        let assigned = assigner.pass(number, |assigner| {
            parsed.and_then(|parsed| Ok((parsed.fates(assigner)?, parsed)))
        })?;
        let formatted = assigned.and_then(|(fates, parsed)| {
            let writer = new_rows(self.source, self.options);
            let rows = layout.rows(&parsed, &fates, release, writer);
            Ok((encoded(rows, &layout.names, self.source, self.options)?, fates))
        });
        sink.pass(number, |sink| {
            let (rows, fates) = formatted?;
            sink.push(&rows, &fates, self.options).map_err(Error::io("write", self.path))
        })??;
        progress.advance(records.end_byte(), self.n_bytes);
        Ok(())
    }
}

/// The columns of a release and the source of their cells.
struct Layout {
    names: Vec<String>,
    cells: Vec<Cell>,
    /// Indices of the fields that determine the cohort of a record.
    read: Vec<usize>,
}

#[derive(Clone, Copy)]
enum Cell {
    /// A field of the input.
    Field(usize),
    /// A cell of the record's class.
    OfClass(usize),
}

impl Layout {
    fn new(schema: &Schema, release: &Release, table: &Table) -> Self {
        let place_of = |column: &Column| schema.names().iter().position(|n| *n == column.name);
        // A tuple is looked up by its fields in the order of the table: quasi-identifiers first.
        let others = table.all_columns()[table.columns().len()..].iter().filter_map(place_of);
        let read: Vec<usize> = schema.quasi().iter().copied().chain(others).collect();
        let (mut names, mut cells) = (Vec::new(), Vec::new());
        let mut starts = Vec::new();
        let mut n_cells = 0;
        // An attribute can have several columns, such as the two bounds of an interval.
        for attribute in 0..schema.quasi().len() {
            starts.push(n_cells);
            n_cells += release.columns(attribute).len();
        }
        for (place, name) in schema.names().iter().enumerate() {
            match schema.role(place) {
                Role::Identifier | Role::Person | Role::Dropped => {}
                Role::Quasi => {
                    let attribute = schema
                        .quasi()
                        .iter()
                        .position(|&quasi| quasi == place)
                        .expect("a quasi-identifier is in the list of them");
                    for (i, name) in release.columns(attribute).iter().enumerate() {
                        names.push(name.clone());
                        cells.push(Cell::OfClass(starts[attribute] + i));
                    }
                }
                Role::Sensitive | Role::Class | Role::Insensitive | Role::Undecided => {
                    names.push(name.clone());
                    cells.push(Cell::Field(place));
                }
            }
        }
        Self { names, cells, read }
    }

    fn header(&self, mut writer: RowWriter) -> Rows {
        self.names.iter().for_each(|name| writer.field(name.as_bytes()));
        writer.end_row();
        let bytes = writer.into_bytes();
        Rows { ends: vec![bytes.len()], bytes }
    }

    /// Adds the published columns and their order to a digest.
    fn digest(&self, hasher: &mut impl Hasher) {
        for (name, cell) in self.names.iter().zip(&self.cells) {
            let (kind, place) = match *cell {
                Cell::Field(place) => (0u8, place),
                Cell::OfClass(place) => (1u8, place),
            };
            // The length separates names, so that `ab`, `c` and `a`, `bc` differ.
            hasher.write(&(name.len() as u64).to_le_bytes());
            hasher.write(name.as_bytes());
            hasher.write(&[kind]);
            hasher.write(&(place as u64).to_le_bytes());
        }
    }

    /// Returns the indices of the needed fields, ascending. Columns that are not published are not
    /// read.
    fn places(&self) -> Vec<usize> {
        let published = self.cells.iter().filter_map(|cell| match cell {
            Cell::Field(place) => Some(*place),
            Cell::OfClass(_) => None,
        });
        let mut places: Vec<usize> = published.chain(self.read.iter().copied()).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Formats the published rows of a block and records where each ends. Omitted records have no
    /// bytes.
    fn rows(
        &self,
        parsed: &Parsed,
        fates: &[Fate],
        release: &Release,
        mut writer: RowWriter,
    ) -> Rows {
        let mut ends = Vec::with_capacity(fates.len());
        for (row, &fate) in fates.iter().enumerate() {
            if let Fate::Published(_, class) = fate {
                let of_class = release.numbers(class);
                for cell in &self.cells {
                    match *cell {
                        Cell::Field(place) => writer.field(parsed.fields(row).get(place)),
                        Cell::OfClass(place) => {
                            writer.field(release.label(of_class[place]).as_bytes());
                        }
                    }
                }
                writer.end_row();
            }
            ends.push(writer.bytes().len());
        }
        Rows { bytes: writer.into_bytes(), ends }
    }
}

/// Whether and how a record is published.
#[derive(Clone, Copy)]
enum Fate {
    /// The record is omitted from the release.
    LeftOut,
    /// The record of a cohort gets the cells of its class, or those of suppressed records if it has
    /// none.
    Published(Cohort, Option<Class>),
}

/// The parsed records of a block.
#[derive(Default)]
struct Parsed {
    bytes: Vec<u8>,
    starts: Vec<usize>,
    ends: Vec<usize>,
    width: usize,
    gap: usize,
    cohorts: Vec<Option<Cohort>>,
}

impl Parsed {
    fn new(records: &mut Records, layout: &Layout, table: &Table) -> Result<Self> {
        let mut parsed = Self::default();
        let mut scratch = Vec::new();
        records.for_each(&mut |fields: Fields<'_>| {
            let known_by = layout.read.iter().map(|&place| fields.get(place));
            // A tuple that was not counted in the first pass means that the file has changed.
            let tuple = table.tuple_of(known_by, &mut scratch).ok_or(Error::InputChanged)?;
            parsed.push(fields, table.cohort_of(tuple));
            Ok(())
        })?;
        Ok(parsed)
    }

    /// Adds a record and its cohort, which is `None` for dropped records.
    fn push(&mut self, fields: Fields<'_>, cohort: Option<Cohort>) {
        let (bytes, ends, gap) = fields.parts();
        self.cohorts.push(cohort);
        self.starts.push(self.bytes.len());
        self.bytes.extend_from_slice(bytes);
        self.ends.extend_from_slice(ends);
        (self.width, self.gap) = (ends.len(), gap);
    }

    fn fates(&self, assigner: &mut Assigner<'_>) -> Result<Vec<Fate>> {
        let fate = |&cohort: &Option<Cohort>| match cohort {
            None => Ok(Fate::LeftOut),
            Some(cohort) => {
                let take = assigner.take_of_next(cohort).ok_or(Error::InputChanged)?;
                Ok(Fate::Published(cohort, take.class))
            }
        };
        self.cohorts.iter().map(fate).collect()
    }

    fn fields(&self, row: usize) -> Fields<'_> {
        let ends = &self.ends[row * self.width..][..self.width];
        Fields::of(&self.bytes[self.starts[row]..], ends, self.gap)
    }
}

/// Estimates how many bytes a table has when it is not compressed.
fn n_bytes_of(source: &Source, table: &Table) -> u64 {
    // The size of a compressed file says little; ten bytes per field is a fair guess.
    let n_unpacked = table.n_rows() * source.header().len() as u64 * 10;
    source.n_bytes().max(n_unpacked)
}

/// Writes published rows in the order of the input or in random order.
struct Sink<'a> {
    out: TableWriter<'a>,
    shuffle: Option<Shuffle>,
    /// The key and the cohort of each row, if rows must be traced to their people. Rows are in the
    /// order of their keys.
    origins: Option<Vec<(u64, Cohort)>>,
    n_read: u64,
    written: Written,
}

impl<'a> Sink<'a> {
    /// Creates a sink for about `n_bytes` that shuffles rows by `key`, or keeps their order if
    /// there is no key.
    fn new(n_bytes: u64, key: Option<u64>, output: &'a mut Output) -> std::io::Result<Self> {
        let shuffle = key.map(|key| Shuffle::new(n_bytes, key, output.directory())).transpose()?;
        let out = output.packed();
        Ok(Self { out, shuffle, origins: None, n_read: 0, written: Written::default() })
    }

    fn push(&mut self, rows: &Rows, fates: &[Fate], options: &WriteOptions) -> std::io::Result<()> {
        let mut start = 0;
        for (&end, &fate) in rows.ends.iter().zip(fates) {
            let row = &rows.bytes[start..end];
            start = end;
            // Omitted records count too, so the number of a row is its place in the input.
            self.n_read += 1;
            let Fate::Published(cohort, class) = fate else { continue };
            let is_suppressed = class.is_none();
            if is_suppressed && options.drop_suppressed {
                continue;
            }
            self.written.n_rows += 1;
            self.written.n_suppressed += u64::from(is_suppressed);
            let key = match &mut self.shuffle {
                Some(shuffle) => shuffle.push(self.n_read, row)?,
                None => {
                    self.out.write_all(row)?;
                    self.n_read
                }
            };
            self.origins.iter_mut().for_each(|origins| origins.push((key, cohort)));
        }
        Ok(())
    }

    fn finish(mut self, path: &Path, progress: &dyn Progress) -> Result<Written> {
        for bucket in self.shuffle.take().map_or_else(Vec::new, Shuffle::into_buckets) {
            stop_if_cancelled(progress)?;
            bucket.write(&mut self.out).map_err(Error::io("write", path))?;
        }
        self.out.finish().map_err(Error::io("write", path))?;
        let cohorts = self.origins.map(|mut origins| {
            origins.sort_by_key(|(key, _)| *key); // stable, like the shuffle
            origins.into_iter().map(|(_, cohort)| cohort).collect()
        });
        Ok(Written { cohorts, ..self.written })
    }
}

/// Computes the key of the random order: a digest of the settings, and of every byte of the input.
///
/// Two releases of one table that differ in anything have unrelated orders, so their lines cannot
/// be joined by number. Without the input, the key cannot be computed.
fn order_key(source: &Source, settings: XxHash3_64, progress: &dyn Progress) -> Result<u64> {
    let mut hasher = settings;
    source.digest(&mut hasher, progress)?;
    Ok(hasher.finish())
}

/// Computes the key of the random order of a release that stays in memory; see [`order_key`].
pub(crate) fn order_key_in_memory(
    Input { source, schema }: Input<'_>,
    release: &Release,
    options: &WriteOptions,
    progress: &dyn Progress,
) -> Result<u64> {
    let layout = Layout::new(schema, release, release.recoding().problem().table());
    order_key(source, settings(&layout, release, options), progress)
}

/// Hashes what the order depends on besides the input: the job, and what the release shows for each
/// record.
fn settings(layout: &Layout, release: &Release, options: &WriteOptions) -> XxHash3_64 {
    let mut hasher = XxHash3_64::with_seed(options.digest);
    hasher.write(&[u8::from(options.drop_suppressed)]);
    layout.digest(&mut hasher);
    release.digest(&mut hasher);
    hasher
}
