//! Generates larger tables from smaller ones, to measure how methods scale.

use std::io::Write;

use twox_hash::XxHash3_64;

use crate::io::{Output, ReadOptions, RowWriter, Source, Wanted};
use crate::progress::{Progress, stop_if_cancelled};
use crate::schema;
use crate::table::{Column, Columns, Table};
use crate::{Error, Result};

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
        if self.sigma == 0 || self.rho > self.columns.len() {
            return Err(Error::invalid(format!(
                "sigma is {} and rho is {}; sigma must be at least 1, and rho at most {}, the number of \
                 columns that vary",
                self.sigma,
                self.rho,
                self.columns.len()
            )));
        }
        let places: Vec<usize> = self
            .columns
            .iter()
            .map(|name| schema::find(source.header(), name))
            .collect::<Result<_>>()?;
        let domains =
            source.read(&Columns::quasi(&self.columns), &ReadOptions::default(), progress)?;
        let path = output.path().to_owned();
        let fault = |error| Error::io("write", &path)(error);
        let mut out = output.packed();
        let mut header = RowWriter::new(source.delimiter());
        source.header().iter().for_each(|name| header.field(name.as_bytes()));
        header.end_row();
        out.write_all(header.bytes()).map_err(fault)?;

        let all: Vec<usize> = (0..source.header().len()).collect();
        let mut blocks = source.blocks(&Wanted { places: &all, na: None })?;
        let mut record = 0;
        while let Some(mut block) = blocks.next_block()? {
            stop_if_cancelled(progress)?;
            let mut rows = RowWriter::new(source.delimiter());
            block.for_each(&mut |fields| {
                for copy in 0..self.sigma {
                    let changes = self.changes(record, copy, &domains);
                    for &place in &all {
                        let varied = places.iter().position(|&varied| varied == place);
                        match varied.and_then(|column| changes[column].as_deref()) {
                            Some(value) => rows.field(value.as_bytes()),
                            None => rows.field(fields.get(place)),
                        }
                    }
                    rows.end_row();
                    if rows.bytes().len() > 1 << 20 {
                        stop_if_cancelled(progress)?;
                        out.write_all(rows.bytes()).map_err(fault)?;
                        rows.clear();
                    }
                }
                record += 1;
                Ok(())
            })?;
            out.write_all(rows.bytes()).map_err(fault)?;
            progress.advance(block.end_byte(), source.n_bytes());
        }
        out.finish().map_err(fault)?;
        Ok(record * self.sigma)
    }

    /// Returns the new value of each column that changes in a copy. The first copy is the record
    /// itself.
    fn changes(&self, record: u64, copy: u64, domains: &Table) -> Vec<Option<String>> {
        let mut changes = vec![None; self.columns.len()];
        if copy == 0 {
            return changes;
        }
        let draw = |turn: usize, n: usize| {
            let turn = turn as u64;
            let key = [record, copy, turn].map(u64::to_le_bytes).concat();
            let random = XxHash3_64::oneshot_with_seed(self.seed, &key);
            ((u128::from(random) * n as u128) >> 64) as usize
        };
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
}
