//! Data that several studies of one table share.

use std::sync::Arc;

use crate::Result;
use crate::builder::Shelf;
use crate::population::{Population, Weights};
use crate::progress::Progress;
use crate::table::Table;

/// A table with everything that does not depend on the demands: the hierarchies that were built for
/// its columns, and its population.
///
/// # Examples
///
/// One tree for the studies of several k:
///
/// ```
/// use hedgerow::method::Spec;
/// use hedgerow::progress::Silent;
/// use hedgerow::study::{Basis, Demands, Study};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"], ["46"]])?;
/// let basis = Basis::new(table, None, &Silent)?;
/// let age = Spec::named("iotf").into();
/// let demands = Demands { hierarchies: [("age".into(), age)].into(), ..Demands::default() };
/// let [two, three] =
///     [2, 3].map(|k| Study::on(&basis, Demands { k, ..demands.clone() }, &Silent).unwrap());
/// let tree = |study: &Study| std::ptr::from_ref(study.choices()[0].generalization.hierarchy().unwrap());
/// assert_eq!(tree(&two), tree(&three));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug)]
pub struct Basis {
    table: Table,
    population: Option<Population>,
    weights: Option<Weights>,
    shelf: Arc<Shelf>,
}

impl Basis {
    /// The basis of studies of a table. `population` is the population that the table is a sample
    /// of, with the same quasi-identifiers.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`](crate::Error::Misuse) if the population has other columns, and
    /// [`Error::Cancelled`](crate::Error::Cancelled) if `progress` is cancelled.
    pub fn new(
        table: Table,
        population: Option<Population>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        // Matched once for all studies, because it looks up every combination of values.
        let weights = population.as_ref().map(|of| of.weights(&table, progress)).transpose()?;
        Ok(Self { table, population, weights, shelf: Arc::default() })
    }

    /// The basis of other records with the same quasi-identifiers, values included: a sample, or
    /// the table read with other columns besides. Hierarchies are shared.
    pub(crate) fn of_others(
        &self,
        table: Table,
        population: Option<Population>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        Ok(Self { shelf: Arc::clone(&self.shelf), ..Self::new(table, population, progress)? })
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The population that the table is a sample of.
    pub fn population(&self) -> Option<&Population> {
        self.population.as_ref()
    }

    /// The hierarchies that were built before.
    pub(crate) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    pub(super) fn weights(&self) -> Option<&Weights> {
        self.weights.as_ref()
    }
}
