//! Functions for a cluster that plans a table in parts: the cuts, and the data that parts share.

use std::collections::{BTreeMap, HashMap};

use hedgerow::job::{self, Counts, Division, Side};
use hedgerow::table::{Counted, Margin};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;

use crate::arguments::job;
use crate::frame::ArrowFrame;
use crate::hierarchy::NativeHierarchy;
use crate::plan::{described, tuples};
use crate::running::run;

/// A side of a cut: whether it is a part, and the number of the part or of the next cut.
type NativeSide = (bool, usize);

/// A division of the tuples of a table into parts.
#[pyclass(module = "hedgerow._hedgerow", frozen)]
pub(crate) struct NativeDivision {
    division: Division,
    /// For each quasi-identifier, the place of each of its values, in their order.
    places: Vec<Vec<u64>>,
}

/// Chooses hierarchies and method for a whole table, and cuts its tuples into parts.
///
/// `sample` has distinct tuples from all over the table, as `plan` takes them. `whole` has a table
/// for each of its columns, in their order, with the distinct values in the whole table and the
/// same columns `count` and `first`. `options` is a job as JSON.
#[pyfunction]
#[pyo3(signature = (sample, names, whole, n_parts, options, listener=None))]
pub(crate) fn divide(
    py: Python<'_>,
    sample: AnyRecordBatch,
    names: (String, String),
    whole: Vec<AnyRecordBatch>,
    n_parts: usize,
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<NativeDivision> {
    let job = job(py, options)?;
    let sample = ArrowFrame::of(sample)?;
    let whole = frames(whole)?;
    let (division, columns, margins) = run(py, listener, |progress| {
        let margins = margins(&whole, &names)?;
        let (columns, counts) = tuples(&sample, &names.0, &names.1)?;
        let merged = merged(&margins);
        let given = Counts { names: &columns, counts: &counts, whole: Some(&merged) };
        Ok((job::divide(&job, &given, n_parts, progress)?, columns, margins))
    })?;
    // Places are those of distinct texts, and several values can have the same text.
    let places = job.quasi.iter().zip(&division.places).map(|(quasi, places)| {
        let margin = columns.iter().zip(&margins).find(|(name, _)| *name == quasi);
        let rows = margin.map(|(_, margin)| margin.rows.as_slice()).unwrap_or_default();
        rows.iter().map(|&row| places[row]).collect()
    });
    let places = places.collect();
    Ok(NativeDivision { division, places })
}

/// The values of a column in the whole table.
pub(crate) struct Values {
    /// The distinct texts, with their numbers of records.
    margin: Margin,
    /// The text of each value, in the order in which the values were given.
    rows: Vec<usize>,
}

/// The distinct texts of columns.
pub(crate) fn merged(values: &[Values]) -> Vec<Margin> {
    values.iter().map(|values| values.margin.clone()).collect()
}

/// Tables of the values of columns.
pub(crate) fn frames(whole: Vec<AnyRecordBatch>) -> PyResult<Vec<ArrowFrame>> {
    whole.into_iter().map(ArrowFrame::of).collect()
}

/// The values of columns in the whole table, with their numbers of records.
pub(crate) fn margins(
    whole: &[ArrowFrame],
    (count, first): &(String, String),
) -> hedgerow::Result<Vec<Values>> {
    let values = |frame: &ArrowFrame| {
        let (_, tuples) = tuples(frame, count, first)?;
        let mut of_text: HashMap<String, usize> = HashMap::new();
        let mut values = Values { margin: Vec::new(), rows: Vec::with_capacity(tuples.len()) };
        for Counted { mut fields, count, first_row } in tuples {
            let text = fields.pop().unwrap_or_default();
            let row = *of_text.entry(text.clone()).or_insert(values.margin.len());
            values.rows.push(row);
            match values.margin.get_mut(row) {
                Some(known) => known.count += count,
                None => values.margin.push(Counted { fields: text, count, first_row }),
            }
        }
        Ok(values)
    };
    whole.iter().map(values).collect()
}

#[pymethods]
impl NativeDivision {
    /// The method with its parameters.
    fn method(&self) -> String {
        self.division.method.to_string()
    }

    /// The published columns: the name, the quasi-identifier that each replaces, and whether its
    /// cells are numbers.
    fn columns(&self) -> Vec<(String, String, bool)> {
        described(&self.division.columns)
    }

    /// The method that builds the generalization of each quasi-identifier, and its hierarchy unless
    /// it generalizes without one.
    fn hierarchies(&self) -> BTreeMap<String, (String, Option<NativeHierarchy>)> {
        let all = self.division.generalizations.iter();
        all.map(|(name, of)| (name.clone(), (of.method(), NativeHierarchy::of(of)))).collect()
    }

    /// The place of each value of a quasi-identifier in the whole table, ordered by value.
    fn places(&self, quasi: usize) -> Vec<u64> {
        self.places.get(quasi).cloned().unwrap_or_default()
    }

    /// The cuts: the index of the quasi-identifier, the place below which tuples are on the low
    /// side, and the two sides.
    fn cuts(&self) -> Vec<(usize, u64, NativeSide, NativeSide)> {
        let side = |side| match side {
            Side::Cut(cut) => (false, cut),
            Side::Part(part) => (true, part),
        };
        let cuts = self.division.cuts.iter();
        cuts.map(|cut| (cut.attribute, cut.below, side(cut.low), side(cut.high))).collect()
    }
}
