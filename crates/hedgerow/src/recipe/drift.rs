//! Differences of the next table from the first.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Recipe;
use super::joins::Joins;
use super::repair::{Class, Mended, Repaired};
use super::rule::Rule;
use crate::table::{Code, Kind, Table};
use crate::utility::Distances;

/// Number of values without a rule that are named.
const EXAMPLES: usize = 3;

/// The differences of the next table and its release from the first.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Drift {
    /// Each quasi-identifier by name.
    pub columns: BTreeMap<String, ColumnDrift>,
    /// Number of records that fit no region of a local recoding, although each of their values has
    /// a rule or is published as `*`.
    pub outside_regions: u64,
    /// Classes that did not meet the goal, and what was done about them.
    #[serde(flatten)]
    pub mended: Mended,
    /// Number of suppressed records.
    pub suppressed: u64,
    /// The mean cost of a cell, in the first release and in this one. A suppressed cell costs 1.
    pub loss: Mean,
}

/// The differences of a quasi-identifier of the next table from the first.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnDrift {
    /// Whether values without a rule are numbers or dates outside all ranges, rather than words
    /// that were never seen.
    pub has_ranges: bool,
    /// Number of distinct values without a rule.
    pub unseen_values: u64,
    /// Number of records with them.
    pub unseen_records: u64,
    /// Some of these values, for those who have the table.
    pub examples: Vec<String>,
    /// Distances between the distributions over the labels of the recipe, in the first release and
    /// in this table before classes were repaired. Records that fit no label are a category of
    /// their own.
    #[serde(flatten)]
    pub distances: Distances,
    /// The mean cost of a cell.
    pub loss: Mean,
}

/// A mean in the first release and in this one.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Mean {
    /// In the first release.
    pub then: f64,
    /// In this one.
    pub now: f64,
}

impl Drift {
    /// Number of records with values that have no rule, by column.
    pub fn unseen(&self) -> impl Iterator<Item = (&String, &ColumnDrift)> {
        self.columns.iter().filter(|(_, column)| column.unseen_values > 0)
    }

    pub(super) fn of(
        recipe: &Recipe,
        table: &Table,
        joins: &[Joins<'_>],
        repaired: &Repaired,
    ) -> Self {
        let placed = &repaired.placed;
        let suppressed: u64 = repaired.suppressed.iter().map(|(_, count)| count).sum();
        let n_records = table.cohorts().n_records().max(1);
        let of_column = |(place, joins): (usize, &Joins<'_>)| {
            let rule = &recipe.attributes[place];
            // Suppressed cells cost 1 each, as a label that covers everything does.
            let now = (shown_cost(repaired, place, joins) + suppressed as f64) / n_records as f64;
            let loss = Mean { then: then(recipe, rule, joins), now };
            let drift = column(table, place, joins, &placed.counts[place]);
            (rule.name.clone(), ColumnDrift { loss, ..drift })
        };
        let columns: Vec<(String, ColumnDrift)> = joins.iter().enumerate().map(of_column).collect();
        let mean = |of: fn(&Mean) -> f64| {
            // Columns count equally, as in the NCP of a table.
            let sum: f64 = columns.iter().map(|(_, column)| of(&column.loss)).sum();
            sum / columns.len().max(1) as f64
        };
        let loss = Mean { then: mean(|loss| loss.then), now: mean(|loss| loss.now) };
        Self {
            columns: columns.into_iter().collect(),
            outside_regions: placed.n_outside,
            mended: repaired.mended,
            suppressed,
            loss,
        }
    }
}

/// The sum of the costs of the cells of a column that are published.
fn shown_cost(repaired: &Repaired, place: usize, joins: &Joins<'_>) -> f64 {
    let cost = |class: &Class| {
        let label = class.shape[place];
        class.size() as f64 * label.map_or(0.0, |label| joins.cost(label))
    };
    repaired.classes.iter().map(cost).sum()
}

/// The mean cost of a cell of the first release.
fn then(recipe: &Recipe, rule: &Rule, joins: &Joins<'_>) -> f64 {
    let suppressed = recipe.then.suppressed;
    let labels = rule.labels.iter().zip(0..);
    let cost: f64 = labels.map(|(label, number)| label.count as f64 * joins.cost(number)).sum();
    // Counts of labels leave suppressed records out, so both together are all records.
    let n_shown: u64 = rule.labels.iter().map(|label| label.count).sum();
    (cost + suppressed as f64) / (n_shown + suppressed).max(1) as f64
}

/// The drift of a column, without its loss.
fn column(table: &Table, place: usize, joins: &Joins<'_>, now: &[u64]) -> ColumnDrift {
    let domain = &table.columns()[place].domain;
    let is_strange = &joins.bound.is_strange;
    // In the order of codes, so the examples are the same in every run.
    let strange = || (0..is_strange.len()).filter(|&code| is_strange[code]).map(Code::new);
    let rule = joins.bound.rule;
    // The last category is that of records without a label, of which the first release has none.
    let then: Vec<f64> = rule.labels.iter().map(|label| label.count as f64).chain([0.0]).collect();
    let now: Vec<f64> = now.iter().map(|&count| count as f64).collect();
    ColumnDrift {
        has_ranges: matches!(rule.kind, Kind::Number | Kind::Date),
        unseen_values: strange().count() as u64,
        unseen_records: strange().map(|code| domain.count(code)).sum(),
        examples: strange().take(EXAMPLES).map(|code| domain.spelling(code).into()).collect(),
        distances: Distances::of_categories(&then, &now),
        loss: Mean { then: 0.0, now: 0.0 },
    }
}
