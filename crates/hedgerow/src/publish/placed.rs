//! A release in memory: the rows that it publishes, their order, and their labels.

use std::ops::Range;
use std::sync::Arc;

use super::{Counted, Publication, check_written};
use crate::error::Misuse;
use crate::io::{Frame, Input, Source, Texts, Written, order_key_in_memory};
use crate::progress::{Progress, Stage};
use crate::proposal::Class;
use crate::release::Release;
use crate::schema::Role;
use crate::{Error, Result};

/// A release of a table in memory, in the order of its rows.
///
/// # Examples
///
/// `Ages` is a [`Frame`] of one column, as in the example of [`Source::of_frame`].
///
/// ```
/// use std::collections::BTreeMap;
/// # use std::ops::Range;
/// use std::sync::Arc;
/// # use hedgerow::io::{Frame, Source, Texts};
/// # #[derive(Debug)]
/// # struct Ages(Vec<u32>);
/// # impl Frame for Ages {
/// #     fn names(&self) -> Vec<String> {
/// #         vec!["age".to_owned()]
/// #     }
/// #     fn n_rows(&self) -> u64 {
/// #         self.0.len() as u64
/// #     }
/// #     fn texts(&self, _: usize, rows: Range<u64>, texts: &mut Texts) -> hedgerow::Result<()> {
/// #         let ages = &self.0[rows.start as usize..rows.end as usize];
/// #         ages.iter().for_each(|age| texts.push(&age.to_string()));
/// #         Ok(())
/// #     }
/// # }
/// use hedgerow::job::{Job, run_in_memory};
/// use hedgerow::progress::Silent;
/// use hedgerow::publish::PlacedColumn;
/// let ages = Arc::new(Ages(vec![20, 60, 21, 58]));
/// let job = Job::new("".into(), "".into(), vec!["age".to_owned()], 2);
/// let open = || Source::of_frame(ages, "the frame");
/// let placed = run_in_memory(&job, BTreeMap::new(), open, &Silent)?.placed;
/// let PlacedColumn::Labels { labels, codes, .. } = &placed.columns[0] else { panic!("it is generalized") };
/// // Rows are shuffled, so the one of the first record is looked for.
/// let first = placed.rows.iter().position(|&row| row == 0).unwrap();
/// assert_eq!(labels[codes[first] as usize], "[20, 21]");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placed {
    /// The row of the table, counted from 0, that each published row comes from. The row numbers
    /// themselves must not be published.
    pub rows: Vec<usize>,
    /// The published columns, in their order.
    pub columns: Vec<PlacedColumn>,
}

/// A column of a release in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlacedColumn {
    /// The column of the table with this index, unchanged.
    Unchanged(usize),
    /// A column of labels.
    Labels {
        /// Name of the column.
        name: String,
        /// Index in the table of the quasi-identifier that it publishes.
        place: usize,
        /// The distinct labels.
        labels: Vec<String>,
        /// The index of its label, for each published row.
        codes: Vec<u32>,
        /// Whether every label is a number or empty, because the style shows no intervals.
        is_numeric: bool,
    },
}

impl Placed {
    /// The release as a source, for reading it as its readers do. `table` is the table in memory
    /// that it was made from.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`] if `table` is not in memory.
    pub fn source(&self, table: &Source) -> Result<Source> {
        let frame = table.frame().ok_or_else(|| Error::misuse(Misuse::NotInMemory))?;
        let placed = PlacedFrame { table: Arc::clone(frame), placed: self.clone() };
        Source::of_frame(Arc::new(placed), "the release")
    }
}

/// A release as a table in memory.
#[derive(Debug)]
struct PlacedFrame {
    table: Arc<dyn Frame>,
    placed: Placed,
}

impl Frame for PlacedFrame {
    fn names(&self) -> Vec<String> {
        let names = self.table.names();
        let name = |column: &PlacedColumn| match column {
            PlacedColumn::Unchanged(place) => names[*place].clone(),
            PlacedColumn::Labels { name, .. } => name.clone(),
        };
        self.placed.columns.iter().map(name).collect()
    }

    fn n_rows(&self) -> u64 {
        self.placed.rows.len() as u64
    }

    fn unusable(&self, column: usize) -> Option<crate::io::Unusable> {
        match &self.placed.columns[column] {
            PlacedColumn::Unchanged(place) => self.table.unusable(*place),
            PlacedColumn::Labels { .. } => None,
        }
    }

    fn texts(&self, column: usize, rows: Range<u64>, texts: &mut Texts) -> Result<()> {
        let rows = rows.start as usize..rows.end as usize;
        match &self.placed.columns[column] {
            PlacedColumn::Unchanged(place) => {
                // Published rows are shuffled, so each is fetched separately.
                for &row in &self.placed.rows[rows] {
                    self.table.texts(*place, row as u64..row as u64 + 1, texts)?;
                }
            }
            PlacedColumn::Labels { labels, codes, .. } => {
                codes[rows].iter().for_each(|&code| texts.push(&labels[code as usize]));
            }
        }
        Ok(())
    }
}

impl Publication<'_> {
    /// Publishes a release as columns in memory, after what it shows was counted.
    ///
    /// The rows are shuffled unless the options keep their order. As in files, the order depends on
    /// the job, on every value of the table and on the release.
    ///
    /// # Errors
    ///
    /// Those of [`Publication::publish`], except for those of files, and [`Error::NoRows`] if the
    /// table was read without its rows.
    pub fn place(&self, release: &Release, progress: &dyn Progress) -> Result<(Counted, Placed)> {
        progress.stage(Stage::Write);
        let input = Input { source: self.source, schema: self.schema };
        input.check_roles(release)?;
        input.check_source(release)?;
        let has_suppressed = !self.drops_suppressed(release);
        let order = if self.options.keep_order {
            None
        } else {
            Some(order_key_in_memory(input, release, self.options, progress)?)
        };
        let (rows, classes): (Vec<usize>, Vec<_>) =
            release.ordered(order, has_suppressed, progress)?.into_iter().unzip();
        progress.stage(Stage::Verify);
        // Counted before the columns are returned, as a file is before it is renamed.
        let counted = self.count(release, progress)?;
        let n_suppressed = classes.iter().filter(|class| class.is_none()).count() as u64;
        let n_rows = rows.len() as u64;
        check_written(&counted.recount, &Written { n_rows, n_suppressed, cohorts: None })?;
        let columns = self.columns(release, &classes)?;
        Ok((counted, Placed { rows, columns }))
    }

    /// The published columns. `classes` are those of the published rows.
    fn columns(&self, release: &Release, classes: &[Option<Class>]) -> Result<Vec<PlacedColumn>> {
        let schema = self.schema;
        let texts = release.text_columns();
        let mut columns = Vec::new();
        for place in schema.published() {
            if schema.role(place) != Role::Quasi {
                columns.push(PlacedColumn::Unchanged(place));
                continue;
            }
            let is_it = |quasi: &usize| *quasi == place;
            let attribute = schema.quasi().iter().position(is_it).ok_or_else(|| {
                Error::Internal("a quasi-identifier is not in the list of them".into())
            })?;
            // With the style `bounds` a quasi-identifier has two columns, so the
            // position of the first one is a sum.
            let n_before: usize = (0..attribute).map(|other| release.columns(other).len()).sum();
            for (i, name) in release.columns(attribute).iter().enumerate() {
                let cells = classes.iter().map(|&class| release.numbers(class));
                let of_column = cells.map(|cells| cells[n_before + i]);
                let (labels, codes) = release.coded(of_column);
                let is_numeric = !texts.contains(&name);
                let name = name.clone();
                columns.push(PlacedColumn::Labels { name, place, labels, codes, is_numeric });
            }
        }
        Ok(columns)
    }
}
