//! The privacy that a release claims, and the models built from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::builder::Asked;
use crate::error::{Advice, HierarchySource};
use crate::hierarchy::Generalization;
use crate::method::Spec;
use crate::privacy::{self, KAnonymity, Known, Observed, PrivacyModel, Secret};
use crate::table::Table;
use crate::{Error, Result};

/// The privacy that is requested or claimed.
#[derive(Debug, Clone, Copy)]
pub struct Claims<'a> {
    /// Minimum number of records in a class.
    pub k: u64,
    /// Privacy models besides k-anonymity.
    pub privacy: &'a [Spec],
    /// The columns that are declared sensitive.
    pub sensitive: &'a [String],
    /// Hierarchy methods or files by column; only those of sensitive columns are used.
    pub hierarchy: &'a BTreeMap<String, Asked>,
    /// Whether a population is given.
    pub has_population: bool,
}

impl Claims<'_> {
    /// The columns that models look at, each once: sensitive columns, then columns of guarding
    /// nodes.
    pub fn columns(&self) -> Result<Vec<String>> {
        let mut columns: Vec<String> = Vec::new();
        let mut guards = Vec::new();
        for spec in self.privacy {
            let Observed { sensitive, guard } = privacy::columns(spec, self.sensitive)?;
            columns.extend(sensitive);
            guards.extend(guard);
        }
        // A fixed order, because the table is read with these columns.
        columns.extend(guards);
        let mut known = Vec::new();
        // Two models may look at the same column.
        columns.retain(|name| {
            let is_new = !known.contains(name);
            known.extend(is_new.then(|| name.clone()));
            is_new
        });
        Ok(columns)
    }

    /// The columns in which records name their guarding nodes.
    pub(crate) fn guards(&self) -> Result<Vec<String>> {
        let columns = self.privacy.iter().map(|spec| privacy::columns(spec, self.sensitive));
        columns.filter_map(|columns| columns.map(|columns| columns.guard).transpose()).collect()
    }

    /// Returns an error if a population is given that no model looks at, for callers that use it
    /// for nothing else.
    pub fn check_population(&self) -> Result<()> {
        if self.has_population && !privacy::look_at_population(self.privacy)? {
            let problem = "a population is given, but no privacy model uses it";
            return Err(Error::invalid(problem).advise([
                Advice::RequireModel { example: "k-map:k=5".to_owned() },
                Advice::LeaveOut { key: "population", column: None },
            ]));
        }
        Ok(())
    }

    /// Builds the models for a table that was read with the additional columns [`Claims::columns`].
    pub fn models(&self, table: &Table) -> Result<Vec<Box<dyn PrivacyModel>>> {
        let is_sensitive = |name: &&str| self.sensitive.iter().any(|sensitive| sensitive == name);
        let names = table.beside().iter().map(|column| column.name.as_str());
        // A model of all sensitive columns must not pass over one that was not read.
        let is_read = |name: &&String| names.clone().any(|read| read == **name);
        if let Some(name) = self.columns()?.iter().find(|name| !is_read(name)) {
            let problem = "a privacy model uses it, but the table was read without it";
            let advice = Advice::words("read the table with the columns that the demands name");
            return Err(Error::column(name, problem).advise([advice]));
        }
        // Built once and shared, so that models of one column share their histograms.
        let secrets: Vec<Arc<Secret>> = names
            .filter(is_sensitive)
            .map(|name| self.secret(table, name).map(Arc::new))
            .collect::<Result<_>>()?;
        let known = Known { table, secrets: &secrets, has_population: self.has_population };
        // k-anonymity is always the first model, also with k = 1.
        let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(self.k)?)];
        for spec in self.privacy {
            models.extend(privacy::from_spec(spec, &known)?);
        }
        Ok(models)
    }

    fn secret(&self, table: &Table, name: &str) -> Result<Secret> {
        let secret = Secret::of(table, name)?;
        // Most models need none; those that do say so when they are built.
        let Some(asked) = self.hierarchy.get(name) else {
            return Ok(secret);
        };
        match asked.build(secret.column(), None)? {
            Generalization::Tree(tree) => secret.with_hierarchy(tree),
            other => {
                let problem = format!(
                    "the hierarchy of a sensitive column must be a tree, which '{}' does not build",
                    other.method()
                );
                let (column, source) = (name.to_owned(), HierarchySource::Any);
                Err(Error::column(name, problem).advise([Advice::GiveHierarchy { column, source }]))
            }
        }
    }
}
