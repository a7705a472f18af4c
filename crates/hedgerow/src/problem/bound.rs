//! Binds a generalization to a column: the leaf of every value.

use crate::Result;
use crate::hierarchy::{Generalization, Leaf, LeafOrAny};
use crate::table::{Column, MissingPolicy};

/// A generalization with a leaf for each value of a column.
pub(super) struct Bound {
    pub(super) generalization: Generalization,
    pub(super) leaf_of_code: Vec<LeafOrAny>,
    /// The spelling of the missing value, if it is a value of its own that the hierarchy lacks.
    pub(super) missing: Option<Box<str>>,
    pub(super) n_leaves: usize,
}

impl Bound {
    /// Finds the leaf of every value of a column, the missing one included.
    pub(super) fn new(
        policy: MissingPolicy,
        column: &Column,
        given: Generalization,
    ) -> Result<Self> {
        let domain = &column.domain;
        let is_own = matches!(policy, MissingPolicy::Own | MissingPolicy::Error);
        let mut leaf_of_code: Vec<LeafOrAny> = match given.ground() {
            Some(ground) => ground.bind(domain)?.into_iter().map(LeafOrAny::from).collect(),
            None => Leaf::first(domain.len()).map(LeafOrAny::from).collect(),
        };
        let own = domain.missing.as_ref().filter(|_| is_own);
        let missing_leaf = own.and_then(|found| given.ground()?.leaf_spelt(&found.spelling));
        let missing = own.filter(|_| missing_leaf.is_none()).map(|found| found.spelling.clone());
        let generalization = given.with_missing_of(domain);
        let n_leaves = match generalization.ground() {
            Some(ground) => ground.len(),
            // Without a hierarchy the missing value gets the leaf after the last value.
            None => generalization.values().len() + usize::from(missing.is_some()),
        };
        // The missing value has the last code, and the last leaf unless the hierarchy has one for
        // it.
        if domain.missing.is_some() {
            let own = || missing_leaf.unwrap_or_else(|| Leaf::new(n_leaves - 1)).into();
            leaf_of_code.push(if is_own { own() } else { LeafOrAny::ANY });
        }
        Ok(Self { generalization, leaf_of_code, missing, n_leaves })
    }
}
