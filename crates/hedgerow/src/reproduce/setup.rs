//! Functions that papers share: problems from specs, and results of searches.

use crate::Result;
use crate::builder;
use crate::hierarchy::Generalization;
use crate::method::Spec;
use crate::privacy::KAnonymity;
use crate::problem::Problem;
use crate::table::Table;

/// Builds a hierarchy for each column of a table, by the specs in their order.
pub(super) fn built(table: &Table, specs: &[Spec], k: u64) -> Result<Vec<Generalization>> {
    let columns = table.columns().iter().zip(specs);
    columns.map(|(column, spec)| builder::build(spec, column, Some(k))).collect()
}

/// The problem of a k-anonymous release with given hierarchies.
pub(super) fn problem(table: &Table, built: Vec<Generalization>, k: u64) -> Result<Problem> {
    Problem::new(table, built, vec![Box::new(KAnonymity::new(k)?)])
}

/// Parses specs that are written in the code of a paper.
pub(super) fn specs<const N: usize>(texts: [&str; N]) -> Result<Vec<Spec>> {
    texts.iter().map(|text| text.parse()).collect()
}
