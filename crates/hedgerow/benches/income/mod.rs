//! Adult's seven categories with income as the class, as in the experiments of [Wang2004].

use std::path::Path;
use std::sync::Arc;

use hedgerow::Result;
use hedgerow::builder::{File, HierarchyBuilder};
use hedgerow::privacy::{KAnonymity, Secret};
use hedgerow::problem::{Limits, Problem};
use hedgerow::table::Table;

/// The categories, followed by the class.
pub(crate) const COLUMNS: [&str; 8] = [
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "income",
];

/// Returns the problem for a table of these columns, with the hierarchies in the folder `data`.
pub(crate) fn problem(table: &Table, data: &Path, k: u64) -> Result<Problem> {
    let built = table.columns().iter().map(|column| {
        let path = data.join(format!("hierarchies/{}.csv", column.name));
        File { path }.build(column)
    });
    let class = Some(Arc::new(Secret::of(table, "income")?));
    let limits = Limits { class, ..Limits::default() };
    let model = KAnonymity::new(k)?;
    Problem::with_limits(table, built.collect::<Result<_>>()?, vec![Box::new(model)], limits)
}
