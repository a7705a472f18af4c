//! Warnings about a release that users should know before they publish it.

use super::Demands;
use crate::Result;
use crate::builder;
use crate::error::{Advice, Warning};
use crate::format::lint;
use crate::hierarchy::{Hierarchy, Notation, RareValues};
use crate::noun::counted;
use crate::population::Weights;
use crate::privacy::l_diversity;
use crate::problem::Problem;
use crate::table::Column;

/// Warnings about the input and about the limits of what a reader can check: values that look
/// generalized, ranges that are wrong, records that are missing from the population, claims that
/// cannot be verified.
pub(super) fn warnings(
    demands: &Demands,
    problem: &Problem,
    weights: Option<&Weights>,
) -> Result<Vec<Warning>> {
    let (table, attributes) = (problem.table(), problem.attributes());
    let has_population = weights.is_some();
    let guards = demands.claims(has_population).guards()?;
    let trees = || attributes.iter().filter_map(|a| a.known_generalization().hierarchy());
    let bare = bare(demands, has_population)?;
    let looked_at = demands.claims(has_population).columns()?;
    // Columns of guarding nodes are not published, so what is missing in them misleads no reader.
    let is_secret =
        |column: &&Column| looked_at.contains(&column.name) && !guards.contains(&column.name);
    let secrets = table.beside().iter().filter(is_secret);
    let stars = table.columns().iter().filter_map(star);
    Ok(table
        .doubts()
        .into_iter()
        .chain(stars)
        .chain(trees().flat_map(doubtful))
        .chain(trees().filter_map(untrue))
        // Without `force_labels` such a label is an error before this point.
        .chain(trees().filter(|_| demands.force_labels).filter_map(borrowed))
        .chain(weights.and_then(lacking))
        .chain(unprotected(demands))
        .chain(bare)
        .chain(secrets.filter_map(unknown_secret))
        .chain(nothing_rare(demands))
        .chain(unpublished(&demands.sensitive, &guards))
        .collect())
}

/// A warning about a value that looks like a generalized one.
fn star(column: &Column) -> Option<Warning> {
    let domain = &column.domain;
    let is_star = |&code: &usize| {
        Notation::read_as(&domain.values, &domain.values.spelling(code)) == Notation::Anything
    };
    let code = (0..domain.len()).find(is_star)?;
    let value = domain.values.spelling(code);
    let problem = format!(
        "column '{name}': the value '{value}' (row {row}, {n} in all) means any value in a release, so it \
         cannot be distinguished from a generalized value and counts as one",
        name = column.name,
        row = domain.first_rows[code] + 1,
        n = counted(domain.counts[code], "record"),
    );
    let missing = Advice::ListAsMissing { value: Some(value.into_owned()) };
    Some(Warning::new(problem).advise([missing, Advice::words("rename it otherwise")]))
}

/// Warnings about values that the source of a hierarchy does not know, or knows only in part.
fn doubtful(tree: &Hierarchy) -> Vec<Warning> {
    let of_column = |doubt: Warning| {
        Warning::new(format!("column '{}': {}", tree.attribute(), doubt.problem()))
            .advise(doubt.advice().to_vec())
    };
    builder::doubts(tree).into_iter().map(of_column).collect()
}

/// A warning about a hierarchy whose ranges do not contain all their values.
fn untrue(tree: &Hierarchy) -> Option<Warning> {
    let first = lint::misplaced_value(tree)?;
    let column = tree.attribute();
    let problem = format!("hierarchy of '{column}': {first}, so the release states false ranges");
    Some(Warning::new(problem))
}

/// A warning about a group whose label is a value of other records.
fn borrowed(tree: &Hierarchy) -> Option<Warning> {
    let found = lint::borrowed_name(tree)?;
    Some(Warning::new(format!("hierarchy of '{}': {found}", tree.attribute())))
}

/// A warning about demands that every table satisfies.
fn unprotected(demands: &Demands) -> Option<Warning> {
    let problem = "k is 1, which every table satisfies: records may be published unchanged";
    (demands.k == 1 && demands.privacy.is_empty()).then(|| with_larger_k(problem))
}

/// A warning about hiding rare values where no value counts as rare.
fn nothing_rare(demands: &Demands) -> Option<Warning> {
    let problem = "k is 1, so no value is rare and none is hidden";
    (demands.k == 1 && demands.rare_values == RareValues::Hide).then(|| with_larger_k(problem))
}

/// A warning with the advice to choose a larger k.
fn with_larger_k(problem: &str) -> Warning {
    Warning::new(problem).advise([Advice::words("choose k of 2 or more")])
}

/// A warning about missing values in a column that a model looks at.
fn unknown_secret(column: &Column) -> Option<Warning> {
    let missing = column.domain.missing.as_ref()?;
    let problem = format!(
        "column '{}': {} without a value, which models count as a value of its own, so that all known \
         values of a class can be the same",
        column.name,
        counted(missing.count, "record"),
    );
    Some(Warning::new(problem).advise([
        Advice::words("leave such records out of the input"),
        Advice::words("require a stricter model"),
    ]))
}

/// A warning about records that are missing from the population.
fn lacking(weights: &Weights) -> Option<Warning> {
    let first = weights.first_lacking?;
    let problem = format!(
        "records of the table that are not in the population: {}, the first in row {}; each of them \
         counts as one record of the population",
        weights.n_lacking,
        first + 1
    );
    Some(Warning::new(problem).advise([Advice::words("check that this is the right population")]))
}

/// A warning about claims that the release alone cannot confirm.
fn unpublished(sensitive: &[String], guards: &[String]) -> Option<Warning> {
    let guard = guards.iter().find(|guard| !sensitive.contains(guard))?;
    Some(Warning::new(format!(
        "column '{guard}' is left out of the release because what people guard is private, so \
         personalized was counted before writing and verify cannot count it again"
    )))
}

/// A warning about sensitive columns that no model looks at.
fn bare(demands: &Demands, has_population: bool) -> Result<Option<Warning>> {
    let looked_at = demands.beside(has_population)?;
    let bare: Vec<&String> =
        demands.sensitive.iter().filter(|name| !looked_at.contains(name)).collect();
    if bare.is_empty() {
        return Ok(None);
    }
    let distinct = bare.iter().filter_map(|name| demands.distinct.get(*name));
    // The column with the fewest values bounds the `l` that all of them can reach.
    let l = l_diversity::usual_l(distinct.copied().min());
    let bare: Vec<String> = bare.iter().map(|name| format!("'{name}'")).collect();
    let problem = format!(
        "no privacy model uses the sensitive column {}, so all records of a group may have the same \
         value there, which anybody who finds the group then knows",
        bare.join(", ")
    );
    let Some(l) = l else {
        let advice = "leave a column with a single value out, because it is known of everybody";
        return Ok(Some(Warning::new(problem).advise([Advice::words(advice)])));
    };
    let require = Advice::RequireModel { example: format!("l-diversity:l={l}") };
    Ok(Some(Warning::new(problem).advise([require])))
}
