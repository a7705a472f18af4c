//! Hierarchies that were built before, so that several searches on one table share them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Asked, Ready, Suited, candidates};
use crate::Result;
use crate::hierarchy::Generalization;
use crate::method::Spec;
use crate::table::Column;

/// Keeps every hierarchy that was built for the columns of one table.
///
/// Columns are known by their names, so a shelf must not be used for columns of another table that
/// have other values. Several threads can use it: while one of them builds a hierarchy, the others
/// wait for it.
#[derive(Debug, Default)]
pub struct Shelf {
    /// By column and method, with the `k` of methods that depend on it.
    built: Mutex<BTreeMap<(String, String), Slot>>,
    suited: Mutex<BTreeMap<String, Suited>>,
}

/// The place of a hierarchy; `None` until it is built.
type Slot = Arc<Mutex<Option<Generalization>>>;

impl Shelf {
    /// Returns the hierarchy that `spec` describes, and builds it if it was not built before.
    ///
    /// # Errors
    ///
    /// Those of [`build`](super::build). A method that failed is tried again.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::builder::Shelf;
    /// use hedgerow::table::Table;
    /// let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"]])?;
    /// let shelf = Shelf::default();
    /// let [one, other] = [2, 5].map(|k| shelf.build(&"iotf".parse()?, &table.columns()[0], k));
    /// // The same tree, because `iotf` does not depend on k.
    /// assert!(std::ptr::eq(one?.hierarchy().unwrap(), other?.hierarchy().unwrap()));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn build(&self, spec: &Spec, column: &Column, k: u64) -> Result<Generalization> {
        let ready = Ready::new(spec, Some(k))?;
        let key = (column.name.clone(), ready.spec.to_string());
        let slot = Arc::clone(lock(&self.built).entry(key).or_default());
        let mut slot = lock(&slot);
        if let Some(built) = &*slot {
            return Ok(built.clone());
        }
        let built = ready.build(column)?;
        *slot = Some(built.clone());
        Ok(built)
    }

    /// Like [`Shelf::build`], for a hierarchy that can also be in memory already.
    pub(crate) fn asked(&self, asked: &Asked, column: &Column, k: u64) -> Result<Generalization> {
        match asked {
            Asked::Method(spec) => self.build(spec, column, k),
            Asked::Given(generalization) => Ok(generalization.clone()),
            Asked::Edited(edited) => edited.build(column, Some(k)),
        }
    }

    /// The methods that may suit a column.
    pub(crate) fn suited(&self, column: &Column) -> Suited {
        let mut suited = lock(&self.suited);
        suited.entry(column.name.clone()).or_insert_with(|| candidates(column)).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panicking thread leaves entries that are either complete or absent.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
