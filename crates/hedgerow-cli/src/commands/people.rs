//! The people of a release, found with the help of the original that names them.

use std::collections::BTreeMap;

use anyhow::Result;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::measure::{self, Owners};
use hedgerow::publish;
use hedgerow::table::{Columns, Encoding, MissingPolicy, Table};

use crate::args::ShownArgs;
use crate::console::Console;

/// A release, its original, and how both are read.
pub(crate) struct Compared<'a> {
    pub(crate) release: &'a Source,
    pub(crate) original: &'a Source,
    /// The column of the original that names people.
    pub(crate) person: &'a str,
    pub(crate) args: &'a ShownArgs,
    /// Treatment of missing values of the original.
    pub(crate) missing: MissingPolicy,
}

impl Compared<'_> {
    /// Finds the people of the release. `trees` reads the hierarchies that define labels of the
    /// release, for the columns of the original.
    pub(crate) fn owners(
        &self,
        trees: impl FnOnce(&Table) -> Result<BTreeMap<String, Hierarchy>>,
        console: &Console,
    ) -> Result<Owners> {
        let Self { release, original, person, args, .. } = *self;
        let quasi = args.quasi.as_slice();
        hedgerow::schema::find(original.header(), person)?;
        // All other columns of the release are unchanged and help to distinguish records.
        let is_shared = |name: &&String| {
            original.header().contains(name) && !quasi.contains(name) && *name != person
        };
        let shared: Vec<String> = release.header().iter().filter(is_shared).cloned().collect();
        let columns = Columns::quasi(quasi).and_beside(&shared);
        let encoding = Encoding {
            is_guarded: args.spreadsheet_safe,
            ..args.read.encoding(MissingPolicy::Own)?
        };
        let shown = publish::read_release(release, &columns, self.options(encoding), console)?;
        let encoding = args.read.encoding(self.missing)?;
        // Added after the release was read, which does not have the column.
        let columns = columns.and_person(person);
        let table = original.read(&columns, &self.options(encoding), console)?;
        let trees = trees(&table)?;
        let tree_of = trees.iter().map(|(name, tree)| (name.clone(), tree)).collect();
        Ok(measure::owners(&table, &shown, &tree_of, args.keep_order)?)
    }

    fn options(&self, encoding: Encoding) -> ReadOptions {
        let threads = self.args.read.file.threads();
        // Records are compared one by one, so their rows are needed.
        ReadOptions { encoding, threads, keep_rows: true, ..ReadOptions::default() }
    }
}
