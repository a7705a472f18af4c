//! The classes of a release one by one: size, published cells and loss.

use std::collections::BTreeMap;

use super::{Recount, partition, unwritten};
use crate::hierarchy::Hierarchy;
use crate::loss::Partition;
use crate::privacy::KAnonymity;
use crate::release::Release;
use crate::table::{Table, guarded};
use crate::{Error, Result};

/// A class of a release, as its readers see it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ClassRow {
    /// The cells that the class publishes, one per column.
    pub cells: Vec<String>,
    /// Number of records.
    pub size: u64,
    /// The mean cost of its cells, from 0 to 1.
    pub loss: f64,
}

/// The classes of a release, sorted by what they publish. Suppressed records are not a class.
///
/// Sizes and cells can be counted in the release by anyone. Losses are relative to the range or the
/// values of the original, so together with the cells they reveal how wide that range is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Classes {
    /// The published columns of the quasi-identifiers.
    pub columns: Vec<String>,
    /// The classes.
    pub rows: Vec<ClassRow>,
}

impl Classes {
    /// The classes of a release before it is written, as in [`of_release`](super::of_release).
    pub fn of_release(release: &Release, has_suppressed: bool) -> Self {
        let (partition, cells) = unwritten::with_cells(release, has_suppressed);
        let n_quasi = release.recoding().problem().attributes().len();
        let columns = (0..n_quasi).flat_map(|place| release.columns(place).to_vec()).collect();
        Self::new(columns, cells, &partition)
    }

    /// The classes of a release that was read from a file, as in [`partition`].
    ///
    /// # Errors
    ///
    /// Those of [`partition`].
    pub fn of_files(
        original: &Table,
        release: &Table,
        hierarchies: &BTreeMap<String, Hierarchy>,
    ) -> Result<Self> {
        // Any k counts the same classes, as long as both use the same.
        let partition = partition(original, release, hierarchies, Some(1))?;
        let recount = Recount::of(release, &[&KAnonymity::new(1)?])?;
        let columns = release.columns();
        let cells = recount.cohorts.iter().map(|&cohort| {
            let codes = columns.iter().zip(release.cohorts().tuple(cohort));
            codes.map(|(column, &code)| column.domain.spelling(code).into_owned()).collect()
        });
        let names = columns.iter().map(|column| column.name.clone()).collect();
        Ok(Self::new(names, cells.collect(), &partition))
    }

    fn new(columns: Vec<String>, cells: Vec<Vec<String>>, partition: &Partition) -> Self {
        let n_quasi = partition.width().max(1) as f64;
        let row = |(class, cells): (usize, Vec<String>)| {
            let cost: f64 = partition.class_cells(class).map(|cell| cell.cost).sum();
            ClassRow { cells, size: partition.sizes[class], loss: cost / n_quasi }
        };
        let mut rows: Vec<ClassRow> = cells.into_iter().enumerate().map(row).collect();
        // The order in which classes were formed or read must not be seen.
        rows.sort_by(|a, b| a.cells.cmp(&b.cells));
        Self { columns, rows }
    }

    /// The table as CSV: the published columns, then `class-size` and `class-loss`. Cells that a
    /// spreadsheet would evaluate as formulas get a `'` if `is_guarded`.
    pub fn csv(&self, is_guarded: bool) -> Result<String> {
        let fault =
            |error: &dyn std::fmt::Display| Error::Internal(format!("the classes: {error}"));
        let mut writer = csv::Writer::from_writer(Vec::new());
        let named = self.columns.iter().map(String::as_str).chain(["class-size", "class-loss"]);
        writer.write_record(named).map_err(|error| fault(&error))?;
        for ClassRow { cells, size, loss } in &self.rows {
            let numbers = [size.to_string(), format!("{loss:.6}")];
            let cells = cells.iter().map(String::as_bytes);
            let cells = cells.map(|cell| if is_guarded { guarded(cell) } else { cell.into() });
            let numbers = numbers.iter().map(|number| number.as_bytes().into());
            writer.write_record(cells.chain(numbers)).map_err(|error| fault(&error))?;
        }
        let bytes = writer.into_inner().map_err(|error| fault(&error))?;
        String::from_utf8(bytes).map_err(|error| fault(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{HierarchyBuilder, Iotf};
    use crate::problem::Problem;
    use crate::progress::Silent;
    use crate::release::{RowOrder, Style};

    /// METHODS 3.2: two clusters of the worked example.
    #[test]
    fn classes_are_the_same_before_and_after_writing() {
        let rows = [
            ["20", "40"],
            ["21", "40"],
            ["25", "20"],
            ["30", "45"],
            ["31", "40"],
            ["38", "50"],
            ["60", "10"],
        ];
        let table = Table::from_rows(&["age", "hours"], &rows).unwrap();
        let trees = table.columns().iter().map(|column| Iotf.build(column).unwrap()).collect();
        let model = Box::new(KAnonymity::new(3).unwrap());
        let problem = Problem::new(&table, trees, vec![model]).unwrap();
        let recoding = problem.solve(&crate::anonymize::KMember::default(), &Silent).unwrap();
        let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
        let written = Classes::of_release(&release, true);
        let shown =
            Table::from_rows(&["age", "hours"], &release.rows(RowOrder::Input, &Silent).unwrap())
                .unwrap();
        assert_eq!(Classes::of_files(&table, &shown, &BTreeMap::new()).unwrap(), written);
        // The other cluster shows `*` everywhere, so readers count it as suppressed.
        let wanted = "age,hours,class-size,class-loss\n\"[20, 38]\",\"[40, 50]\",4,0.350000\n";
        assert_eq!(written.csv(false).unwrap(), wanted);
    }
}
