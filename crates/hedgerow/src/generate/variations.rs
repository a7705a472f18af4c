//! Generates larger tables from smaller ones, to measure the scaling of methods.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_64;

use crate::error::Advice;
use crate::format;
use crate::hierarchy::Leaf;
use crate::io::{Fields, Form, Output, ReadOptions, RowWriter, Source, Wanted};
use crate::progress::{Progress, stop_if_cancelled};
use crate::schema;
use crate::table::{Column, Columns};
use crate::{Error, Result};

/// Number of bytes of rows after which they are written.
const MOST_BUFFERED: usize = 1 << 20;

/// Enlarges a table with variations of its records.
///
/// Every record is followed by `sigma - 1` variations of it. For each variation `rho` of the
/// columns are drawn at random and get a value drawn from all leaves of the column's hierarchy or,
/// without one, from all distinct values of the column; everything else is copied.
///
/// # References
///
/// \[Wang2004\] K. Wang, P. S. Yu, S. Chakraborty: Bottom-Up Generalization: A Data Mining Solution
/// to Privacy Protection, ICDM 2004, section 6.2; METHODS 4.4. Deviations: variations copy the
/// class label, which the paper does not mention; columns without a hierarchy can vary too.
#[derive(Debug, Clone)]
pub struct Generator {
    /// The columns that vary.
    pub columns: Vec<String>,
    /// Files with the hierarchies of some of these columns, whose leaves are drawn.
    pub hierarchies: BTreeMap<String, PathBuf>,
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
        let table =
            source.read(&Columns::quasi(&self.columns), &ReadOptions::default(), progress)?;
        let pools: Vec<Vec<String>> =
            table.columns().iter().map(|column| self.pool(column)).collect::<Result<_>>()?;
        // Only the values are needed; the counted table would stay in memory while the larger one
        // is written.
        drop(table);
        let form = Form { delimiter: source.delimiter(), charset: None, as_text: &[] };
        form.write(output, progress, |out| {
            self.write_csv(source, Varied { places, pools }, out, progress)
        })
    }

    fn write_csv(
        &self,
        source: &Source,
        varied: Varied,
        output: &mut Output,
        progress: &dyn Progress,
    ) -> Result<u64> {
        let path = output.path().to_owned();
        let n_columns = source.header().len();
        let rows = RowWriter::new(source.delimiter());
        let out = output.packed();
        let mut variations =
            Variations { generator: self, varied, n_columns, rows, out, path: &path };
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
        if let Some(column) = self.hierarchies.keys().find(|name| !self.columns.contains(name)) {
            return Err(Error::column(column, "it has a hierarchy, but does not vary").advise([
                Advice::words("name it among the columns that vary, or leave its hierarchy out"),
            ]));
        }
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

    /// Returns the values that a column can get: the leaves of its hierarchy, or its own values.
    fn pool(&self, column: &Column) -> Result<Vec<String>> {
        let values = &column.domain.values;
        let Some(path) = self.hierarchies.get(&column.name) else {
            return Ok((0..values.len()).map(|code| values.spelling(code).into_owned()).collect());
        };
        let tree = format::read_file_of(path, column)?;
        // A hierarchy that lacks values of the column is an error here, not when the result is
        // anonymized.
        tree.ground().bind(&column.domain).map_err(|error| error.in_file(path))?;
        Ok(Leaf::first(tree.n_leaves()).map(|leaf| tree.spelling(leaf).into_owned()).collect())
    }

    /// Returns the index of the new value of each column that changes in a copy, given the number
    /// of values that each column can get. The first copy is the record itself.
    pub(crate) fn draws(&self, record: u64, copy: u64, n_values: &[usize]) -> Vec<Option<usize>> {
        let mut draws = vec![None; n_values.len()];
        if copy == 0 {
            return draws;
        }
        let draw = |turn: usize, n: usize| self.draw([record, copy, turn as u64], n);
        // Columns are drawn without replacement; even turns draw a column, odd turns its value.
        let mut left: Vec<usize> = (0..n_values.len()).collect();
        for turn in 0..self.rho.min(n_values.len()) {
            let column = left.swap_remove(draw(2 * turn, left.len()));
            let value = draw(2 * turn + 1, n_values[column].max(1));
            draws[column] = (n_values[column] > 0).then_some(value);
        }
        draws
    }

    /// Returns a pseudorandom number below `n` that depends on the seed and the key only.
    fn draw(&self, key: [u64; 3], n: usize) -> usize {
        let random = XxHash3_64::oneshot_with_seed(self.seed, &key.map(u64::to_le_bytes).concat());
        ((u128::from(random) * n as u128) >> 64) as usize
    }
}

/// The columns that vary.
struct Varied {
    /// Index of each of them in the header.
    places: Vec<usize>,
    /// The values that each of them can get.
    pools: Vec<Vec<String>>,
}

/// Writes records with their variations.
struct Variations<'a, W> {
    generator: &'a Generator,
    varied: Varied,
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
        let Varied { places, pools } = &self.varied;
        let sizes: Vec<usize> = pools.iter().map(Vec::len).collect();
        let draws = self.generator.draws(record, copy, &sizes);
        for place in 0..self.n_columns {
            // Columns that do not vary are copied byte by byte, regardless of their contents.
            let varied = places.iter().position(|&varied| varied == place);
            let drawn = varied.and_then(|column| Some(&pools[column][draws[column]?]));
            match drawn {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::Inputs;
    use crate::progress::Silent;

    /// Enlarges four records of two columns, whose hierarchies have values that do not occur.
    fn enlarged(hierarchies: &[&str]) -> Result<Vec<Vec<String>>> {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("t.csv"), "job,age,id\ncook,30,1\nnurse,40,2\ncook,30,3\ncook,30,4\n")
            .unwrap();
        std::fs::write(path("job.csv"), "cook;*\nnurse;*\npilot;*\nmason;*\n").unwrap();
        std::fs::write(path("age.csv"), "30;*\n50;*\n").unwrap();
        let of = |name: &&str| ((*name).to_owned(), path(&format!("{name}.csv")));
        let generator = Generator {
            columns: vec!["job".into(), "age".into()],
            hierarchies: hierarchies.iter().map(of).collect(),
            sigma: 100,
            rho: 1,
            seed: 0,
        };
        let mut output = Output::create(&path("out.csv"), false, &Inputs::default())?;
        let n_rows = generator.write(&Source::open(&path("t.csv"), None)?, &mut output, &Silent)?;
        output.finish()?;
        let text = std::fs::read_to_string(path("out.csv")).unwrap();
        let rows = text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect());
        let rows: Vec<Vec<String>> = rows.collect();
        assert_eq!((n_rows, rows.len()), (400, 400));
        Ok(rows)
    }

    fn n_with(rows: &[Vec<String>], value: &str) -> usize {
        rows.iter().filter(|row| row.iter().any(|field| field == value)).count()
    }

    #[test]
    fn values_are_drawn_from_all_leaves_of_a_hierarchy() {
        let without = enlarged(&[]).unwrap();
        assert_eq!((n_with(&without, "pilot"), n_with(&without, "mason")), (0, 0));
        let rows = enlarged(&["job"]).unwrap();
        // Half of the 396 variations change the job, to each of the four with the same chance.
        for job in ["pilot", "mason"] {
            assert!((35..65).contains(&n_with(&rows, job)), "{}", n_with(&rows, job));
        }
        // Ages vary among those that occur, and other columns do not vary.
        assert!(n_with(&rows, "40") > 100 && n_with(&rows, "50") == 0);
        assert!((1..=4).all(|id| n_with(&rows, &id.to_string()) == 100));
    }

    #[test]
    fn a_hierarchy_must_fit_its_column() {
        let lacking = enlarged(&["age"]).unwrap_err().to_string();
        assert!(lacking.contains("age.csv") && lacking.contains("40"), "{lacking}");
        let other = enlarged(&["id"]).unwrap_err().to_string();
        assert!(other.contains("'id'") && other.contains("does not vary"), "{other}");
    }
}
