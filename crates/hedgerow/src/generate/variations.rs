//! Generates larger tables from smaller ones, to measure how methods scale.

use std::io::Write;
use std::path::Path;

use twox_hash::XxHash3_64;

use crate::io::{Fields, Output, ReadOptions, RowWriter, Source, Wanted};
use crate::progress::{Progress, stop_if_cancelled};
use crate::schema;
use crate::table::{Column, Columns, Table};
use crate::{Error, Result};

/// Number of bytes of rows after which they are written.
const MOST_BUFFERED: usize = 1 << 20;

/// Enlarges a table with variations of its records.
///
/// Every record is followed by `sigma - 1` variations of it. For each variation `rho` of the
/// columns are drawn at random and get a value drawn from all distinct values of the column;
/// everything else is copied.
///
/// # References
///
/// \[Wang2004\] K. Wang, P. S. Yu, S. Chakraborty: Bottom-Up Generalization: A Data Mining Solution
/// to Privacy Protection, ICDM 2004, section 6.2; METHODS 4.4. Deviation: variations copy the class
/// label, which the paper does not mention.
#[derive(Debug, Clone)]
pub struct Generator {
    /// The columns that vary.
    pub columns: Vec<String>,
    /// Number of records for each record of the input; at least 1.
    pub sigma: u64,
    /// Number of columns that change in each variation.
    pub rho: usize,
    /// Seed of the random number generator.
    pub seed: u64,
}

impl Generator {
    /// Writes the enlarged table and returns its number of records.
    pub fn write(
        &self,
        source: &Source,
        output: &mut Output,
        progress: &dyn Progress,
    ) -> Result<u64> {
        self.check()?;
        let places: Vec<usize> =
            (self.columns.iter().map(|name| schema::find(source.header(), name)))
                .collect::<Result<_>>()?;
        let domains =
            source.read(&Columns::quasi(&self.columns), &ReadOptions::default(), progress)?;
        let path = output.path().to_owned();
        let n_columns = source.header().len();
        let rows = RowWriter::new(source.delimiter());
        let out = output.packed();
        let mut variations =
            Variations { generator: self, places, domains, n_columns, rows, out, path: &path };
        variations.push(source.header().iter().map(String::as_bytes));
        variations.flush()?;

        let all: Vec<usize> = (0..n_columns).collect();
        let mut blocks = source.blocks(&Wanted { places: &all, na: None, loose: &[] })?;
        let mut n_records = 0;
        while let Some(mut block) = blocks.next_block()? {
            stop_if_cancelled(progress)?;
            block.for_each(&mut |fields| {
                n_records += 1;
                variations.write(n_records - 1, fields, progress)
            })?;
            variations.flush()?;
            progress.advance(block.end_byte(), source.n_bytes());
        }
        variations.out.finish().map_err(Error::io("write", &path))?;
        Ok(n_records * self.sigma)
    }

    fn check(&self) -> Result<()> {
        if self.sigma > 0 && self.rho <= self.columns.len() {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "sigma is {} and rho is {}; sigma must be at least 1, and rho at most {}, the number of \
             columns that vary",
            self.sigma,
            self.rho,
            self.columns.len()
        )))
    }

    /// Returns the new value of each column that changes in a copy. The first copy is the record
    /// itself.
    fn changes(&self, record: u64, copy: u64, domains: &Table) -> Vec<Option<String>> {
        let mut changes = vec![None; self.columns.len()];
        if copy == 0 {
            return changes;
        }
        let draw = |turn: usize, n: usize| self.draw([record, copy, turn as u64], n);
        // Columns are drawn without replacement; even turns draw a column, odd turns its value.
        let mut left: Vec<usize> = (0..self.columns.len()).collect();
        for turn in 0..self.rho {
            let column = left.swap_remove(draw(2 * turn, left.len()));
            let Column { domain, .. } = &domains.columns()[column];
            let value = draw(2 * turn + 1, domain.len().max(1));
            changes[column] =
                (!domain.is_empty()).then(|| domain.values.spelling(value).into_owned());
        }
        changes
    }

    /// Returns a pseudorandom number below `n` that depends on the seed and the key only.
    fn draw(&self, key: [u64; 3], n: usize) -> usize {
        let random = XxHash3_64::oneshot_with_seed(self.seed, &key.map(u64::to_le_bytes).concat());
        ((u128::from(random) * n as u128) >> 64) as usize
    }
}

/// Writes records with their variations.
struct Variations<'a, W> {
    generator: &'a Generator,
    /// Index of each varying column in the header.
    places: Vec<usize>,
    /// The values of the varying columns.
    domains: Table,
    n_columns: usize,
    /// Rows that are not written yet.
    rows: RowWriter,
    out: W,
    /// Path of the output in messages.
    path: &'a Path,
}

impl<W: Write> Variations<'_, W> {
    /// Writes a record and its variations.
    fn write(&mut self, record: u64, fields: Fields<'_>, progress: &dyn Progress) -> Result<()> {
        for copy in 0..self.generator.sigma {
            self.push_copy(record, copy, fields);
            if self.rows.bytes().len() > MOST_BUFFERED {
                stop_if_cancelled(progress)?;
                self.flush()?;
            }
        }
        Ok(())
    }

    fn push_copy(&mut self, record: u64, copy: u64, fields: Fields<'_>) {
        let changes = self.generator.changes(record, copy, &self.domains);
        for place in 0..self.n_columns {
            let varied = self.places.iter().position(|&varied| varied == place);
            match varied.and_then(|column| changes[column].as_deref()) {
                Some(value) => self.rows.field(value.as_bytes()),
                None => self.rows.field(fields.get(place)),
            }
        }
        self.rows.end_row();
    }

    fn push<'f>(&mut self, fields: impl Iterator<Item = &'f [u8]>) {
        fields.for_each(|field| self.rows.field(field));
        self.rows.end_row();
    }

    /// Writes the rows that were added since the last call.
    fn flush(&mut self) -> Result<()> {
        self.out.write_all(self.rows.bytes()).map_err(Error::io("write", self.path))?;
        self.rows.clear();
        Ok(())
    }
}
