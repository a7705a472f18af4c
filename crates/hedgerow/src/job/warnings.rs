//! What the reader of a release should know before it is published.

use super::Job;
use crate::format::lint;
use crate::hierarchy::{Generalization, Notation};
use crate::noun::counted;
use crate::population::Weights;
use crate::table::{Column, Table};
use crate::{Result, schema};

/// What is odd about the input, or cannot be seen in the release: a first line that may be a record,
/// values that look generalized, ranges that are not true, records that are not in the population,
/// claims nobody can check.
pub(super) fn warnings(
    job: &Job,
    header: &[String],
    table: &Table,
    built: &[Generalization],
    weights: Option<&Weights>,
) -> Result<Vec<String>> {
    let first_line = schema::looks_like_data(header).map(|name| {
        format!(
            "a column is called '{name}': is the first line a record? Then it is published as it \
             is; add a header line to the input"
        )
    });
    let trees = built.iter().filter_map(Generalization::hierarchy);
    let untrue = trees.filter_map(|tree| {
        let first = lint::misplaced_value(tree)?;
        let column = tree.attribute();
        Some(format!("hierarchy of '{column}': {first}, so the release says what is not true"))
    });
    let trees = built.iter().filter_map(Generalization::hierarchy);
    let borrowed = trees.filter_map(|tree| {
        let found = lint::borrowed_name(tree).filter(|_| job.force_labels)?;
        Some(format!("hierarchy of '{}': {found}", tree.attribute()))
    });
    let lacking = weights.and_then(lacking);
    let bare = bare(job)?;
    let open = (job.k == 1 && job.privacy.is_empty()).then(|| {
        "k is 1, which every table is: records may be published just as they are; 2 or more protects"
            .to_owned()
    });
    let guards = job.claims().guards()?;
    let secrets = table.beside().iter().filter(|column| !guards.contains(&column.name));
    let unknown = secrets.filter_map(unknown_secret);
    let stars = table.columns().iter().filter_map(star);
    let trees = stars.chain(untrue).chain(borrowed);
    let odd = first_line.into_iter().chain(trees).chain(lacking).chain(open).chain(bare);
    let odd = odd.chain(unknown);
    Ok(odd.chain(unpublished(job)?).collect())
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
        n = counted(domain.count(code), "record"),
    ))
}

/// A warning about missing values among those that a model looks at.
fn unknown_secret(column: &Column) -> Option<String> {
    let missing = column.domain.missing.as_ref()?;
    Some(format!(
        "column '{}': {} without a value, which counts as a value of its own, so a class of two values can \
         have one that is known; remove such records, or ask for one value more",
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
fn unpublished(job: &Job) -> Result<Option<String>> {
    let guards = job.claims().guards()?;
    let hidden = guards.into_iter().find(|guard| !job.sensitive.contains(guard));
    Ok(hidden.map(|guard| {
        format!(
            "column '{guard}' is left out of the release, because what people guard is nobody's \
             business; so personalized was counted before writing, and verify cannot repeat that"
        )
    }))
}

/// A warning about sensitive columns that no model looks at.
fn bare(job: &Job) -> Result<Option<String>> {
    let looked_at = job.beside()?;
    let bare: Vec<String> = (job.sensitive.iter().filter(|name| !looked_at.contains(name)))
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
