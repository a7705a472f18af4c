//! Checks a release from its files.

mod column;

use std::collections::BTreeMap;

use hedgerow::builder;
use hedgerow::hierarchy::{self, Generalization, RareValues};
use hedgerow::job::Job;
use hedgerow::method::Spec;
use hedgerow::release::IntervalStyle;
use hedgerow::report::Outcome;
use hedgerow::table::{Domain, MissingPolicy, Table};
use proptest::prelude::*;

use crate::random::{Case, Model, saved};
use crate::remeasure::measured;
use crate::second::{File, Secrets, Values, is_blank};

/// A run and its files.
pub(crate) struct Judged<'a> {
    pub(crate) case: &'a Case,
    pub(crate) job: &'a Job,
    pub(crate) outcome: &'a Outcome,
    pub(crate) table: &'a File,
    /// The same table as the library reads it, for measures that need a hierarchy.
    pub(crate) original: &'a Table,
    pub(crate) kept: Kept<'a>,
    pub(crate) release: &'a File,
    /// The release in a style that shows the ends of intervals.
    pub(crate) plain: &'a File,
}

/// The records of a table that are not left out because of a missing value.
pub(crate) struct Kept<'a> {
    job: &'a Job,
    file: &'a File,
    /// Whether each record is kept.
    flags: Vec<bool>,
}

impl<'a> Kept<'a> {
    pub(crate) fn of(file: &'a File, job: &'a Job) -> Self {
        let mut is_kept = vec![true; file.rows.len()];
        if job.missing == MissingPolicy::Drop {
            for name in &job.quasi {
                let cells = file.column(name);
                cells.iter().zip(&mut is_kept).for_each(|(cell, is_kept)| {
                    *is_kept &= !is_missing(cell, job);
                });
            }
        }
        Self { job, file, flags: is_kept }
    }

    fn len(&self) -> usize {
        self.flags.iter().filter(|is_kept| **is_kept).count()
    }

    fn column(&self, name: &str) -> Vec<&'a str> {
        let cells = self.file.column(name).into_iter().zip(&self.flags);
        cells.filter(|(_, is_kept)| **is_kept).map(|(cell, _)| cell).collect()
    }

    fn secrets(&self, name: &str) -> Vec<&'a str> {
        let cells = self.column(name).into_iter();
        cells.map(|cell| if is_missing(cell, self.job) { "" } else { cell }).collect()
    }

    /// Whether one class of all records satisfies every model and all models are monotone, so that
    /// every search must find at least that class.
    pub(crate) fn is_private(&self, case: &Case) -> bool {
        let meets = |model: &Model| {
            let all = self.secrets(model.column);
            let secrets = Secrets { class: &all, table: &all };
            model.demand.is_monotone() && secrets.meet(model.demand)
        };
        self.len() as u64 >= case.k() && case.models().iter().all(meets)
    }
}

fn is_missing(cell: &str, job: &Job) -> bool {
    cell.is_empty() || job.na.iter().any(|spelling| spelling == cell)
}

impl Judged<'_> {
    /// Checks that the records are those of the table, and that columns which are not
    /// quasi-identifiers are unchanged.
    pub(crate) fn check_rows(&self) -> Result<(), TestCaseError> {
        let (n_kept, n_released) = (self.kept.len(), self.release.rows.len());
        prop_assert!(n_released <= n_kept, "{:?}", self.job);
        if !self.job.drop_suppressed && self.job.privacy.is_empty() {
            prop_assert_eq!(n_released, n_kept);
        }
        for name in ["s", "x", "note"] {
            let before = self.table.column(name);
            for (row, after) in self.rows().into_iter().zip(self.release.column(name)) {
                prop_assert_eq!(after, before[row]);
            }
        }
        Ok(())
    }

    /// Returns the row in the table of each record of the release.
    fn rows(&self) -> Vec<usize> {
        self.release.column("id").into_iter().map(|id| id.parse().unwrap()).collect()
    }

    /// Checks that every class which is not fully generalized has enough records, and that all
    /// classes satisfy every model.
    pub(crate) fn check_claims(&self) -> Result<(), TestCaseError> {
        let quasi: Vec<Vec<Vec<&str>>> =
            self.job.quasi.iter().map(|name| self.release.quasi(name)).collect();
        let mut classes: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
        for row in 0..self.release.rows.len() {
            let shown = quasi.iter().flat_map(|column| match column[row][..] {
                ["", ""] => vec!["*"; 2], // bounds that reveal nothing
                _ => column[row].clone(),
            });
            let shown: Vec<&str> = shown.collect();
            classes.entry(shown).or_default().push(row);
        }
        for model in self.case.models() {
            let all = self.kept.secrets(model.column);
            let of_release = self.release.column(model.column);
            for (shown, rows) in &classes {
                let class = rows.iter().map(|&row| of_release[row]);
                let class: Vec<&str> =
                    class.map(|cell| if is_missing(cell, self.job) { "" } else { cell }).collect();
                let holds = Secrets { class: &class, table: &all }.meet(model.demand);
                // An attacker does not look for a person among fully generalized records.
                let is_exempt = model.is_of_sizes() && shown.iter().all(|cell| is_blank(cell));
                let holds = holds || is_exempt;
                prop_assert!(holds, "{} in {shown:?}: {class:?}\n{:?}", model.spec, self.job);
            }
        }
        let shows_nothing = |shown: &[&str]| shown.iter().all(|cell| is_blank(cell));
        let is_silent = classes.keys().all(|shown| shows_nothing(shown));
        let k = self.case.k();
        classes
            .retain(|shown, rows| !shows_nothing(shown) || (is_silent && rows.len() as u64 >= k));
        let smallest = classes.values().map(Vec::len).min().unwrap_or(0) as u64;
        prop_assert!(classes.is_empty() || smallest >= k, "{classes:?}\n{:?}", self.job);
        prop_assert_eq!(smallest, self.outcome.smallest_class, "{:?}", classes);
        prop_assert_eq!(classes.len(), self.outcome.classes);
        Ok(())
    }

    /// Returns the values of a quasi-identifier in the records that are kept.
    fn values(&self, name: &str) -> Values<'_> {
        let is_wild = self.job.missing == MissingPolicy::Wildcard;
        Values::new(&self.kept.column(name), &self.job.na, !is_wild)
    }

    /// Returns the generalization of a column.
    fn generalization(&self, name: &str) -> Generalization {
        let place = self.job.quasi.iter().position(|column| column == name).unwrap();
        let column = &self.original.columns()[place];
        builder::build(&self.hierarchy(name), column, Some(self.job.k)).unwrap()
    }

    /// Returns the method or file of a column's hierarchy.
    fn hierarchy(&self, name: &str) -> Spec {
        let asked = self.job.hierarchy.get(name).filter(|asked| asked.name != "auto");
        asked.cloned().unwrap_or_else(|| self.outcome.hierarchies[name].method.parse().unwrap())
    }

    /// Checks that classes have the same loss before and after they are written, unless a reader
    /// takes a value with a `*` for any value, or does not know the labels of a tree that hide rare
    /// values.
    fn check_partition_loss(&self) -> Result<(), TestCaseError> {
        let has_star = |domain: &Domain| {
            domain.codes().take(domain.len()).any(|code| domain.spelling(code).contains('*'))
        };
        let is_hidden_tree = |name: &str| {
            self.job.rare_values == RareValues::Hide && self.generalization(name).ground().is_some()
        };
        let mut columns = self.original.columns().iter();
        if columns.any(|column| has_star(&column.domain) || is_hidden_tree(&column.name)) {
            return Ok(());
        }
        let (of_classes, of_release) =
            (self.outcome.loss["ntil"], self.outcome.release_loss["ntil"]);
        prop_assert!(
            (of_classes - of_release).abs() < 1e-9,
            "the classes lose {of_classes}, the release {of_release}\n{:?}",
            self.job
        );
        Ok(())
    }

    /// Checks that the losses of the run equal those measured from its files; returns whether these
    /// can be measured.
    pub(crate) fn check_losses(&self) -> Result<bool, TestCaseError> {
        let shows_ends =
            matches!(self.job.interval_style, IntervalStyle::Brackets | IntervalStyle::Dash);
        let mut quasi = self.job.quasi.iter();
        if !shows_ends && quasi.any(|name| self.values(name).are_numbers()) {
            return Ok(false);
        }
        self.check_partition_loss()?;
        let mut wanted = self.outcome.release_loss.clone();
        let mut trees = BTreeMap::new();
        for column in self.original.columns() {
            match self.generalization(&column.name) {
                Generalization::Tree(tree) => {
                    let is_saved = self.hierarchy(&column.name).name.contains('/');
                    let folder = self.job.input.parent().unwrap();
                    let tree = if is_saved {
                        hierarchy::Hierarchy::clone(&tree)
                    } else {
                        saved(&tree, column, folder, "json").unwrap().1
                    };
                    trees.insert(column.name.clone(), tree);
                }
                Generalization::Levels(_) => {
                    // Levels that are not nested cannot be saved, so a measurement does not know
                    // them.
                    wanted.remove("precision");
                    wanted.remove("distortion");
                }
                _ => {}
            }
        }
        let found = measured(self.job, &trees, self.case.k());
        prop_assert!(wanted.keys().eq(found.keys()), "{wanted:?} {found:?}\n{:?}", self.job);
        for (name, wanted) in wanted {
            let is_same = (found[name] - wanted).abs() < 1e-9 * wanted.max(1.0);
            prop_assert!(is_same, "{name}: {wanted}, measured {}\n{:?}", found[name], self.job);
        }
        Ok(true)
    }
}
