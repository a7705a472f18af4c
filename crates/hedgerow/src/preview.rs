//! Previews of edits of a hierarchy: their effects, computed before the edits are made.

use std::sync::Arc;

use serde::Serialize;

use crate::anonymize::Hedge;
use crate::edit::{self, Operation};
use crate::error::Misuse;
use crate::format::{Draft, lint};
use crate::hierarchy::{Generalization, Hierarchy, Level};
use crate::loss::{Loss, Ntil, Partition};
use crate::privacy::{KAnonymity, PrivacyModel};
use crate::problem::Problem;
use crate::progress::Silent;
#[cfg(feature = "wordnet")]
use crate::rank::Aspects;
use crate::table::{Column, Columns, Counted, Encoding, Table};
use crate::{Error, Result};

/// Number of records that releases are tried on, if `k` does not need more.
const SAMPLED: u64 = 1000;
/// Number of smallest classes that fit into a sample.
const CLASSES: u64 = 50;

/// Figures about a hierarchy of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of edges from the root to the deepest leaf.
    pub height: u32,
    /// Loss (NTIL) if only this column had to be k-anonymous; `None` if that is impossible.
    pub alone: Option<f64>,
    /// Loss of this column in a release of a sample of all columns; `None` if there is none.
    pub column: Option<f64>,
    /// Loss of that release.
    pub release: Option<f64>,
    /// Reason that there is no release of the sample.
    pub obstacle: Option<String>,
    /// The lowest level on which every value is shared by `k` records; `None` if none is.
    pub level: Option<Level>,
    /// The aspects that hierarchies are ranked by.
    #[cfg(feature = "wordnet")]
    pub aspects: Option<Aspects>,
    /// Findings of a check of the hierarchy as a file.
    pub findings: Vec<String>,
}

/// A hierarchy before and after an edit.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Preview {
    /// Figures of the hierarchy as it is.
    pub before: Figures,
    /// Figures of the hierarchy after the edit.
    pub after: Figures,
    /// The edit, which can be kept.
    pub edited: edit::Edited,
}

/// Computes previews of edits of one column's hierarchy.
///
/// Everything that does not depend on the edit is computed once: a sample of the table, and the
/// figures of the hierarchy as it is.
///
/// # Complexity
///
/// For each preview, two searches by `hedge`: on a sample of 1,000 records, and on the values of
/// the column alone, also at most about 1,000 of them.
///
/// # Guarantees
///
/// The same table, hierarchies and `k` give the same figures.
///
/// # Examples
///
/// ```
/// use hedgerow::edit::Operation;
/// use hedgerow::preview::Previewer;
/// use hedgerow::prelude::*;
/// let rows = [["17", "F"], ["18", "F"], ["35", "M"], ["36", "M"], ["37", "M"]];
/// let table = Table::from_rows(&["age", "sex"], &rows)?;
/// let trees = vec![Iotf.build(&table.columns()[0])?, Free.build(&table.columns()[1])?];
/// let previewer = Previewer::new(&table, trees, "age", 2)?;
/// let edit = Operation::Prune { node: "[17, 37]".into() };
/// let preview = previewer.preview(&edit)?;
/// assert_eq!((preview.before.height, preview.after.height), (3, 1));
/// assert!(preview.after.release > preview.before.release);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Previewer {
    tree: Arc<Hierarchy>,
    column: Column,
    place: usize,
    k: u64,
    generalizations: Vec<Generalization>,
    /// A sample of the table with all its columns.
    sample: Problem,
    /// The column alone, or a sample of it.
    alone: Problem,
    before: Figures,
    #[cfg(feature = "wordnet")]
    meanings: Arc<Vec<Option<crate::knowledge::Concept>>>,
}

impl Previewer {
    /// Prepares previews of edits of the hierarchy of `column`. `generalizations` has one entry
    /// for each quasi-identifier of the table, in order.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownColumn`] if the column is not a quasi-identifier, [`Error::Misuse`] if its
    /// generalization is not a tree, and those of [`Problem::new`].
    pub fn new(
        table: &Table,
        generalizations: Vec<Generalization>,
        column: &str,
        k: u64,
    ) -> Result<Self> {
        let names = || table.columns().iter().map(|column| column.name.as_str());
        let place = names()
            .position(|name| name == column)
            .ok_or_else(|| Error::unknown_column(column, names()))?;
        let (given, columns) = (generalizations.len(), table.columns().len());
        if given != columns {
            return Err(Error::misuse(Misuse::Generalizations { given, columns }));
        }
        let tree = crate::hierarchy::tree_of(generalizations[place].clone())?;
        let k = k.clamp(1, table.n_people().max(1));
        let wanted = k.saturating_mul(CLASSES).max(SAMPLED);
        let drawn = table.sample(wanted, 0);
        let sample = Problem::new(&drawn, generalizations.clone(), models(k)?)?;
        let own = &table.columns()[place];
        let single = single(if own.domain.len() as u64 > wanted { &drawn } else { table }, place)?;
        let alone = Problem::new(&single, vec![generalizations[place].clone()], models(k)?)?;
        #[cfg(feature = "wordnet")]
        let meanings = {
            let knowledge = crate::knowledge::Knowledge::wordnet();
            let senses = crate::knowledge::Senses::default();
            Arc::new(crate::rank::meanings(knowledge, own, &senses, &[&tree])?)
        };
        let mut previewer = Self {
            tree: Arc::new(tree),
            column: own.clone(),
            place,
            k,
            generalizations,
            sample,
            alone,
            before: Figures::unknown(),
            #[cfg(feature = "wordnet")]
            meanings,
        };
        previewer.before = previewer.figures(&previewer.tree)?;
        Ok(previewer)
    }

    /// Figures of the hierarchy as it is.
    pub fn before(&self) -> &Figures {
        &self.before
    }

    /// Computes what an operation would change. Nothing changes yet.
    ///
    /// # Errors
    ///
    /// Those of [`edit::apply`].
    pub fn preview(&self, operation: &Operation) -> Result<Preview> {
        let edited = edit::apply(&self.tree, operation)?;
        let after = self.figures(&edited.tree)?;
        Ok(Preview { before: self.before.clone(), after, edited })
    }

    fn figures(&self, tree: &Hierarchy) -> Result<Figures> {
        let generalization = Generalization::from(tree.clone());
        let mut all = self.generalizations.clone();
        all[self.place] = generalization.clone();
        let alone = solved(&self.alone, vec![generalization])?.ok();
        let (released, obstacle) = match solved(&self.sample, all)? {
            Ok(partition) => (Some(partition), None),
            Err(obstacle) => (None, Some(obstacle.to_string())),
        };
        let mut counts = vec![0; tree.n_leaves()];
        for (code, leaf) in tree.ground().bind(&self.column.domain)?.into_iter().enumerate() {
            counts[leaf.index()] += self.column.domain.counts[code];
        }
        let findings = lint::check(&Draft::of(tree), Some(&self.column));
        Ok(Figures {
            nodes: tree.len(),
            height: tree.height(),
            alone: alone.and_then(|partition| Ntil.of(&partition)),
            column: released.as_ref().map(|partition| column_loss(partition, self.place)),
            release: released.and_then(|partition| Ntil.of(&partition)),
            obstacle,
            level: tree.level_with(&counts, self.k),
            #[cfg(feature = "wordnet")]
            aspects: self.aspects(tree)?,
            findings: findings.iter().map(ToString::to_string).collect(),
        })
    }

    #[cfg(feature = "wordnet")]
    fn aspects(&self, tree: &Hierarchy) -> Result<Option<Aspects>> {
        let question = crate::rank::Question {
            column: &self.column,
            knowledge: crate::knowledge::Knowledge::wordnet(),
            meanings: &self.meanings,
            k: self.k,
        };
        let evaluated = crate::rank::evaluate(&question, &[tree])?;
        Ok(evaluated.first().map(|found| found.aspects))
    }
}

impl Figures {
    /// Figures before they are computed.
    fn unknown() -> Self {
        Self {
            nodes: 0,
            height: 0,
            alone: None,
            column: None,
            release: None,
            obstacle: None,
            level: None,
            #[cfg(feature = "wordnet")]
            aspects: None,
            findings: Vec::new(),
        }
    }
}

fn models(k: u64) -> Result<Vec<Box<dyn PrivacyModel>>> {
    Ok(vec![Box::new(KAnonymity::new(k)?)])
}

/// Solves a problem with other hierarchies. The inner error is the reason that its goal cannot be
/// met.
fn solved(problem: &Problem, given: Vec<Generalization>) -> Result<Result<Partition>> {
    let found = problem.with_generalizations(given).and_then(|problem| {
        let recoding = problem.solve(&Hedge::default(), &Silent)?;
        Ok(Partition::of(&problem, &recoding).published())
    });
    match found {
        Err(
            error @ (Error::Unreachable { .. } | Error::Obstacle { .. } | Error::Column { .. }),
        ) => Ok(Err(error)),
        Err(error) => Err(error),
        Ok(partition) => Ok(Ok(partition)),
    }
}

/// Returns the mean cost of the cells of one column.
fn column_loss(partition: &Partition, place: usize) -> f64 {
    let cost = |class: usize| {
        let mut cells = partition.class_cells(class);
        cells.nth(place).map_or(0.0, |cell| cell.cost) * partition.sizes[class] as f64
    };
    let sum: f64 = (0..partition.sizes.len()).map(cost).sum();
    (sum + partition.n_suppressed as f64) / (partition.n_records().max(1)) as f64
}

/// Returns a table with one column of another.
fn single(table: &Table, place: usize) -> Result<Table> {
    let column = &table.columns()[place];
    let mut counts = vec![0u64; column.domain.n_codes()];
    for (cohort, count) in table.cohorts().counted() {
        counts[table.cohorts().tuple(cohort)[place].index()] += count;
    }
    let mut first_row = 0;
    let mut tuples = Vec::new();
    for code in column.domain.codes() {
        let count = counts[code.index()];
        if count > 0 {
            let fields = [column.domain.spelling(code).into_owned()];
            tuples.push(Counted { fields, count, first_row });
            first_row += count;
        }
    }
    let encoding = Encoding { missing: table.missing(), ..Encoding::like(&[column], &[]) };
    Table::of_counts(&Columns::quasi(&[&column.name]), &tuples, &encoding, &Silent)
}
