//! What the reader of a release should know before it is published.

use super::Demands;
use crate::Result;
use crate::format::lint;
use crate::hierarchy::{Generalization, Notation, RareValues};
use crate::noun::counted;
use crate::population::Weights;
use crate::table::{Column, Table};

/// What is odd about the input, or cannot be seen in the release: values that look generalized, ranges
/// that are not true, records that are not in the population, claims nobody can check.
pub(super) fn warnings(
    demands: &Demands,
    table: &Table,
    built: &[Generalization],
    weights: Option<&Weights>,
) -> Result<Vec<String>> {
    let has_population = weights.is_some();
    let guards = demands.claims(has_population).guards()?;
    let trees = built.iter().filter_map(Generalization::hierarchy);
    let untrue = trees.filter_map(|tree| {
        let first = lint::misplaced_value(tree)?;
        let column = tree.attribute();
        Some(format!("hierarchy of '{column}': {first}, so the release says what is not true"))
    });
    let trees = built.iter().filter_map(Generalization::hierarchy);
    let borrowed = trees.filter_map(|tree| {
        let found = lint::borrowed_name(tree).filter(|_| demands.force_labels)?;
        Some(format!("hierarchy of '{}': {found}", tree.attribute()))
    });
    let lacking = weights.and_then(lacking);
    let bare = bare(demands, has_population)?;
    let open = (demands.k == 1 && demands.privacy.is_empty()).then(|| {
        "k is 1, which every table is: records may be published just as they are; 2 or more protects"
            .to_owned()
    });
    let looked_at = demands.claims(has_population).columns()?;
    let is_secret =
        |column: &&Column| looked_at.contains(&column.name) && !guards.contains(&column.name);
    let secrets = table.beside().iter().filter(is_secret);
    let unknown = secrets.filter_map(unknown_secret);
    let shown = (demands.k == 1 && demands.rare_values == RareValues::Hide).then(|| {
        "k is 1, so no value is rare and none is hidden; ask for k of 2 or more".to_owned()
    });
    let stars = table.columns().iter().filter_map(star);
    let odd = stars.chain(untrue).chain(borrowed).chain(lacking).chain(open).chain(bare);
    let odd = odd.chain(unknown).chain(shown);
    Ok(odd.chain(unpublished(&demands.sensitive, &guards)).collect())
}

/// A warning about a value that nobody can tell from a generalized one.
fn star(column: &Column) -> Option<String> {
    let domain = &column.domain;
    let is_star = |&code: &usize| {
        Notation::read_as(&domain.values, &domain.values.spelling(code)) == Notation::Anything
    };
    let code = (0..domain.len()).find(is_star)?;
    let name = &column.name;
    Some(format!(
        "column '{name}': the value '{value}' (row {row}, {n} in all) means anything in a release, so \
         nobody can tell it from a generalized value, and it counts as one; if it means missing, say \
         --na '{value}', else give it another name",
        value = domain.values.spelling(code),
        row = domain.first_rows[code] + 1,
        n = counted(domain.counts[code], "record"),
    ))
}

/// A warning about missing values among those that a model looks at.
fn unknown_secret(column: &Column) -> Option<String> {
    let missing = column.domain.missing.as_ref()?;
    Some(format!(
        "column '{}': {} without a value, which models count as a value of its own; all known values of a \
         class can then be the same. Leave such records out of the input, or ask for a stricter model",
        column.name,
        counted(missing.count, "record"),
    ))
}

/// A warning about records that are not in the population.
fn lacking(weights: &Weights) -> Option<String> {
    (weights.n_lacking > 0).then(|| {
        format!(
            "records of the table that the population lacks: {}, the first in row {}; a table is a sample \
             of its population, so is that the right file? Such records count for themselves only",
            weights.n_lacking,
            weights.first_lacking + 1
        )
    })
}

/// A warning about claims that nobody can check in the release.
fn unpublished(sensitive: &[String], guards: &[String]) -> Option<String> {
    let guard = guards.iter().find(|guard| !sensitive.contains(guard))?;
    Some(format!(
        "column '{guard}' is left out of the release, because what people guard is nobody's business; so \
         personalized was counted before writing, and verify cannot repeat that"
    ))
}

/// A warning about sensitive columns that no model looks at.
fn bare(demands: &Demands, has_population: bool) -> Result<Option<String>> {
    let looked_at = demands.beside(has_population)?;
    let bare: Vec<String> = (demands.sensitive.iter().filter(|name| !looked_at.contains(name)))
        .map(|name| format!("'{name}'"))
        .collect();
    Ok((!bare.is_empty()).then(|| {
        format!(
            "no model looks at the sensitive column {}: all records of a class may show the same \
             there; ask for --l-diversity 3, or another model",
            bare.join(", ")
        )
    }))
}
