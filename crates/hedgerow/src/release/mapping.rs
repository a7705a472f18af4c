//! A release as a mapping from raw tuples, for tables that are stored elsewhere.

use super::label::published_columns;
use super::{IntervalStyle, Release, shows_text};
use crate::progress::{Progress, stop_at};
use crate::proposal::Take;
use crate::table::{Cohort, Column};
use crate::{Error, Result};

/// The cells that are published for every distinct tuple of raw fields.
///
/// Tuples with the same meaning, such as `12` and `12.0`, are in one group. The records of a group,
/// in row order, go to its runs one after another. Most groups have one tuple and one run.
///
/// The mapping suffices to publish records in a database or on a cluster: replace the fields of the
/// quasi-identifiers with the cells of the run. The rows are then still in the order of the table,
/// which helps an attacker who knows that order, so shuffle them.
///
/// # Examples
///
/// ```
/// use hedgerow::prelude::*;
///
/// let table = Table::from_rows(&["age"], &[["20"], ["60"], ["21"], ["60"]])?;
/// let free = Free.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&Hedge::default(), &Silent)?;
/// let mapping = Release::new(&recoding, &Style::default(), &Silent)?.mapping(&Silent)?;
/// let sixty = mapping.tuples.iter().find(|(fields, _)| fields == &["60"]).unwrap();
/// let runs = &mapping.groups[sixty.1.unwrap()];
/// assert_eq!((runs[0].count, runs[0].cells.as_ref().unwrap()), (2, &vec!["60".to_owned()]));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mapping {
    /// The names of the columns of the tuples: quasi-identifiers, those that models look at, and
    /// the person.
    pub names: Vec<String>,
    /// The published columns that replace the quasi-identifiers.
    pub columns: Vec<MappedColumn>,
    /// The tuples, each with the index of its group; records of tuples without a group are left
    /// out.
    pub tuples: Vec<(Vec<String>, Option<usize>)>,
    /// The runs of each group.
    pub groups: Vec<Vec<Run>>,
}

/// A published column that replaces a quasi-identifier, alone or with another one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MappedColumn {
    /// Name of the published column.
    pub name: String,
    /// The quasi-identifier that it replaces.
    pub quasi: String,
    /// Whether its cells are numbers, because the style shows no intervals.
    pub is_numeric: bool,
}

impl MappedColumn {
    /// The columns that replace a quasi-identifier in any release of this style.
    pub(crate) fn replacing(column: &Column, style: IntervalStyle) -> Vec<Self> {
        let names = published_columns(&column.name, column.domain.values.kind(), style);
        let is_numeric = !shows_text(column, style);
        let named = |name| Self { name, quasi: column.name.clone(), is_numeric };
        names.into_iter().map(named).collect()
    }
}

/// Records of a group that publish the same cells.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run {
    /// Number of records.
    pub count: u64,
    /// The published cells, `*` if the records are suppressed; `None` if they are [left
    /// out](Release::drops_suppressed) of the release.
    pub cells: Option<Vec<String>>,
}

impl Release {
    /// The release as a mapping.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the table of the release is a sample, whose raw tuples are not known,
    /// and [`Error::Cancelled`] if `progress` is cancelled.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::anonymize::Hedge;
    /// use hedgerow::builder::{Free, HierarchyBuilder};
    /// use hedgerow::privacy::KAnonymity;
    /// use hedgerow::problem::Problem;
    /// use hedgerow::progress::Silent;
    /// use hedgerow::release::{Release, Style};
    /// use hedgerow::table::{Columns, Counted, Encoding, Table};
    /// let counted = |age, count, first_row| Counted { fields: [age], count, first_row };
    /// let counts = [counted("20", 3, 0), counted("21", 1, 1), counted("60", 2, 4)];
    /// let table = Table::of_counts(&Columns::quasi(&["age"]), &counts, &Encoding::default(), &Silent)?;
    /// let free = Free.build(&table.columns()[0])?;
    /// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
    /// let recoding = problem.solve(&Hedge::default(), &Silent)?;
    /// let mapping = Release::new(&recoding, &Style::default(), &Silent)?.mapping(&Silent)?;
    /// let (fields, group) = &mapping.tuples[1];
    /// assert_eq!(fields, &["21"]);
    /// let run = &mapping.groups[group.unwrap()][0];
    /// assert_eq!(run.cells.as_ref().unwrap(), &["[20, 21]"]);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn mapping(&self, progress: &dyn Progress) -> Result<Mapping> {
        self.mapping_with(!self.drops_suppressed(), progress)
    }

    /// The release as a mapping, with or without its suppressed records.
    pub(crate) fn mapping_with(
        &self,
        has_suppressed: bool,
        progress: &dyn Progress,
    ) -> Result<Mapping> {
        let problem = self.recoding.problem();
        let table = problem.table();
        let names = table.all_columns().iter().map(|column| column.name.clone());
        let columns = problem
            .attributes()
            .iter()
            .enumerate()
            .flat_map(|(place, attribute)| self.mapped(place, attribute.name()));
        let text = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
        let mut tuples: Vec<(Vec<String>, Option<usize>)> = Vec::new();
        for (place, (fields, cohort)) in table.raw_tuples().enumerate() {
            stop_at(place, progress)?;
            // The number of the cohort is that of its group, because groups list the cohorts in
            // order.
            tuples.push((fields.into_iter().map(text).collect(), cohort.map(Cohort::index)));
        }
        if tuples.is_empty() {
            return Err(Error::invalid("a sample has no raw tuples to map"));
        }
        let mut groups = Vec::with_capacity(problem.cohorts().len());
        for cohort in problem.cohorts().all() {
            stop_at(cohort.index(), progress)?;
            groups.push(self.runs(cohort, has_suppressed));
        }
        Ok(Mapping { names: names.collect(), columns: columns.collect(), tuples, groups })
    }

    /// The published columns of an attribute.
    fn mapped<'a>(
        &'a self,
        attribute: usize,
        quasi: &'a str,
    ) -> impl Iterator<Item = MappedColumn> + 'a {
        let texts = self.text_columns();
        self.columns(attribute).iter().map(move |name| MappedColumn {
            name: name.clone(),
            quasi: quasi.to_owned(),
            is_numeric: !texts.contains(&name),
        })
    }

    /// The runs of the records of a cohort, in row order.
    fn runs(&self, cohort: Cohort, has_suppressed: bool) -> Vec<Run> {
        // Takes are sorted by cohort, so those of one are a slice.
        let takes = &self.takes[self.starts[cohort.index()]..self.starts[cohort.index() + 1]];
        let takes = takes.iter().map(|&number| self.recoding.takes()[number as usize]);
        takes.map(|take| self.run(take, has_suppressed)).collect()
    }

    fn run(&self, Take { class, count, .. }: Take, has_suppressed: bool) -> Run {
        let is_published = class.is_some() || has_suppressed;
        let cells = is_published.then(|| self.cells(class).into_iter().cloned().collect());
        Run { count, cells }
    }
}
