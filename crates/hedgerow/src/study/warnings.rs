//! Warnings about a release that users should know before they publish it.

use super::Demands;
use crate::Result;
use crate::error::{Advice, Warning};
use crate::hierarchy::RareValues;
use crate::method::{Described, Spec};
use crate::population::Weights;
use crate::privacy::{Closeness, l_diversity};
use crate::problem::Problem;
use crate::table::Table;

/// The warnings of the problem, and those about the limits of what a reader can check: records that
/// are missing from the population, claims that cannot be verified.
pub(super) fn warnings(
    demands: &Demands,
    problem: &Problem,
    weights: Option<&Weights>,
) -> Result<Vec<Warning>> {
    let table = problem.table();
    let has_population = weights.is_some();
    let guards = demands.claims(has_population).guards()?;
    let bare = bare(demands)?;
    Ok((problem.warnings().into_iter())
        .chain(weights.and_then(lacking))
        .chain(unprotected(demands))
        .chain(bare)
        .chain(nothing_rare(demands))
        .chain(unordered(demands, table))
        .chain(unpublished(&demands.sensitive, &guards))
        .collect())
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

/// A warning about t-closeness of numbers with equal distance, which counts a class of people who
/// all earn a little as far from the table as one of people who earn this and that.
fn unordered(demands: &Demands, table: &Table) -> Option<Warning> {
    let is_scale = |name: &str| {
        let column = table.beside().iter().find(|column| column.name == name);
        column.is_some_and(|column| column.domain.values.scale().is_some_and(|s| s.len() > 2))
    };
    let name = Closeness::DESCRIPTION.name;
    let models = demands.privacy.iter().filter(|model| model.name == name);
    models.into_iter().find_map(|model| {
        let parameter = |key: &str| model.parameters.get(key).map(Spec::written);
        let is_equal = parameter("distance").is_none_or(|distance| distance == "equal");
        let named = parameter("column");
        let columns = named.as_ref().map_or(demands.sensitive.as_slice(), std::slice::from_ref);
        let column = columns.iter().find(|column| is_equal && is_scale(column))?;
        let problem = format!(
            "t-closeness takes any two numbers of '{column}' as equally far apart, so it asks for more than \
             similar amounts in every group"
        );
        let mut ordered = model.clone();
        ordered.parameters.insert("distance".into(), "ordered".into());
        let example = ordered.to_string();
        Some(Warning::new(problem).advise([Advice::RequireModel { example }]))
    })
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
fn bare(demands: &Demands) -> Result<Option<Warning>> {
    let looked_at = demands.beside()?;
    let bare: Vec<&String> =
        demands.sensitive.iter().filter(|name| !looked_at.contains(name)).collect();
    if bare.is_empty() {
        return Ok(None);
    }
    let distinct = bare.iter().filter_map(|name| demands.distinct.get(*name));
    // The column with the fewest values bounds the `l` that all of them can reach.
    let l = l_diversity::usual_l(distinct.copied().min());
    let columns = if bare.len() == 1 { "column" } else { "columns" };
    let bare: Vec<String> = bare.iter().map(|name| format!("'{name}'")).collect();
    let problem = format!(
        "no privacy model uses the sensitive {columns} {}, so all records of a group may have the same \
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
