//! The verdict of a report, and the one thing to decide.

use serde::Serialize;

use super::Case;
use super::classes::Classes;
use crate::attack::{self, Attempt, Homogeneity};
use crate::measure::Attained;
use crate::method::Described;
use crate::noun::{counted, grouped, listed};
use crate::privacy::KAnonymity;
use crate::schema::Role;

/// The verdict, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether every claim holds.
    pub holds: bool,
    /// The verdict in one sentence.
    pub title: String,
    /// The basis of the verdict.
    pub text: String,
}

/// Something that the publisher should decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Decision {
    /// The subject: a column, or a few words.
    pub about: String,
    /// The finding and the possible remedies.
    pub text: String,
}

/// Formats the verdict.
pub(super) fn verdict(case: &Case<'_>, classes: &Classes) -> Verdict {
    let facts = &case.facts;
    let failing: Vec<&Attained> = facts.claims.iter().filter(|claim| !claim.holds).collect();
    let (smallest, unit) = (classes.smallest(), classes.unit());
    let counting = counting(case, classes);
    if let Some(claim) = failing.first() {
        let title = format!("Not safe: {} does not hold.", told(claim));
        let text = format!(
            "Asked for {}, attained {}{}. {counting}",
            claim.demand(),
            claim.shown(),
            claim
                .failing_classes
                .map_or_else(String::new, |n| format!(" ({} fail)", counted(n, "class")))
        );
        return Verdict { holds: false, title, text };
    }
    if classes.n_classes() == 0 {
        let title = "No record shows anything.".to_owned();
        return Verdict { holds: true, title, text: counting };
    }
    // k-anonymity is what the title says.
    let others: Vec<String> = (facts.claims.iter())
        .filter(|claim| claim.model != KAnonymity::NAME)
        .map(|claim| format!("{} {}", told(claim), claim.shown()))
        .collect();
    let title = match smallest {
        1 => "Some people are still alone.".to_owned(),
        _ if unit == "person" => format!("Everyone is one of at least {smallest} people."),
        _ => format!("Everyone is one of at least {smallest}."),
    };
    let also = if others.is_empty() {
        String::new()
    } else {
        format!(" Also recounted: {}.", others.join(", "))
    };
    Verdict { holds: true, title, text: format!("{counting}{also}") }
}

/// Describes the count of classes in the file of the release.
fn counting(case: &Case<'_>, classes: &Classes) -> String {
    let file = match case.facts.output.name.as_str() {
        "" => "the release",
        name => name,
    };
    let quasi: Vec<&String> = case.original.columns().iter().map(|column| &column.name).collect();
    let known = listed(&quasi);
    let told_apart = match classes.smallest() {
        // Records that show nothing are not a class, so there is nothing to count.
        0 => return format!("Counted again in {file} as written: no record shows anything."),
        1 => format!("By {known}, some records can be told from all others."),
        n if classes.counts_people() => {
            let people = if n == 2 { "person" } else { "people" };
            format!(
                "By {known}, no record can be told from those of {} other {people}.",
                grouped(n - 1)
            )
        }
        2 => format!("By {known}, no record can be told from 1 other."),
        n => format!("By {known}, no record can be told from {} others.", grouped(n - 1)),
    };
    let n_classes = classes.n_classes() as u64;
    format!(
        "Counted again in {file} as written: {} {}, the smallest with {}. {told_apart}",
        grouped(n_classes),
        if n_classes == 1 { "class" } else { "classes" },
        counted(classes.smallest(), classes.unit())
    )
}

/// A claim with its column.
fn told(claim: &Attained) -> String {
    match &claim.column {
        Some(column) => format!("{} of {column}", claim.model),
        None => claim.model.to_owned(),
    }
}

/// Returns the most important open decision, given what attacks found.
pub(super) fn decision(case: &Case<'_>, attacks: Option<&attack::Evidence>) -> Option<Decision> {
    // In the order of harm: only one decision is on top of the page.
    unguarded(case, attacks)
        .or_else(|| undecided(case))
        .or_else(|| rare(case))
        .or_else(|| no_secret(case))
}

/// A sensitive column that no model looks at.
fn unguarded(case: &Case<'_>, attacks: Option<&attack::Evidence>) -> Option<Decision> {
    let sensitive = case.facts.with(Role::Sensitive);
    let is_guarded = |name: &&String| {
        let of_claim = |claim: &Attained| claim.column.as_ref() == Some(name);
        case.facts.claims.iter().any(of_claim)
    };
    let open = sensitive.into_iter().filter(|name| !is_guarded(name));
    let of_column = |name: &String| {
        let attempts = attacks.into_iter().flat_map(|found| &found.attempts);
        let mut own = attempts.filter(|tried| tried.column.as_ref() == Some(name));
        own.find(|tried| tried.attack == Homogeneity::DESCRIPTION.name)
    };
    // The column that is revealed of most people is the most urgent.
    let tried = open.map(|name| (of_column(name), name));
    let (tried, name) = tried.max_by_key(|(tried, _)| tried.map_or(0, |tried| tried.exposed))?;
    let text = format!(
        "It is sensitive, but no privacy model looks at it.{} Require l-diversity of 2 or more if that \
         matters.",
        tried.map_or_else(String::new, |tried| format!(" {}", learned(tried, name)))
    );
    Some(Decision { about: name.clone(), text })
}

/// Describes the findings of the attack by homogeneity in a sentence.
fn learned(tried: &Attempt, name: &str) -> String {
    let (exposed, all) = (grouped(tried.exposed), grouped(tried.attacked));
    match tried.exposed {
        0 => "The records that fit a person always show at least two values of it.".to_owned(),
        _ => format!(
            "Of {exposed} of {all} in the original, all published records whose cells cover their values show \
             the same {name}, so an attacker who knows that the person is in the table learns it (homogeneity, \
             among the attempts to break the release)."
        ),
    }
}

/// Columns without a role.
fn undecided(case: &Case<'_>) -> Option<Decision> {
    let open = case.facts.with(Role::Undecided);
    let (about, are) = match open.as_slice() {
        [] => return None,
        [only] => ((*only).clone(), "It has no role and is published as it is"),
        many => {
            (format!("{} columns without a role", many.len()), "They are published as they are")
        }
    };
    let text = format!(
        "{are}: {}. If others can know such a value of a person, that person can be found by it. Decide \
         about each whether it is a quasi-identifier, sensitive, kept knowingly, or left out.",
        listed(&open)
    );
    Some(Decision { about, text })
}

/// Values of few records that the release spells out.
fn rare(case: &Case<'_>) -> Option<Decision> {
    let spelled = &case.facts.outcome.as_ref()?.exposure.spelled;
    let rare: Vec<String> = (spelled.iter().filter(|(_, spelled)| spelled.rare > 0))
        .map(|(name, spelled)| format!("{name} ({})", spelled.rare))
        .collect();
    if rare.is_empty() {
        return None;
    }
    let text = format!(
        "The release spells out values that fewer than {} records have, as members of sets or ends of \
         ranges, in {}. They tell that such a person is in the table. Rare values can be hidden.",
        case.facts.k,
        listed(&rare)
    );
    Some(Decision { about: "rare values".to_owned(), text })
}

/// No column is named as sensitive although some are published as they are.
fn no_secret(case: &Case<'_>) -> Option<Decision> {
    let kept = case.facts.with(Role::Insensitive);
    if kept.is_empty() || !case.facts.with(Role::Sensitive).is_empty() {
        return None;
    }
    let text = format!(
        "No column is named as sensitive, but these are published as they are: {}. If one of them must \
         not become known about a person, name it as sensitive and require a model for it.",
        listed(&kept)
    );
    Some(Decision { about: "what is sensitive".to_owned(), text })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::Facts;
    use super::*;
    use crate::privacy::{PSensitive, Secret};
    use crate::risk::Extent;
    use crate::table::{Columns, Encoding, Table};

    fn case<'a>(original: &'a Table, release: &'a Table, facts: Facts) -> Case<'a> {
        let (hierarchies, extent) = (BTreeMap::new(), Extent::Unknown);
        Case { original, release, hierarchies, shown: None, extent, sampled: None, facts }
    }

    #[test]
    fn a_verdict_says_who_can_be_told_apart() {
        let table = |ages: &[&str]| {
            let rows: Vec<[&str; 1]> = ages.iter().map(|age| [*age]).collect();
            let encoding = Encoding { is_release: true, ..Encoding::default() };
            Table::encode(&Columns::quasi(&["age"]), &rows, &encoding).unwrap()
        };
        let original = table(&["20", "20", "30"]);
        let text = |release: &Table| {
            let case = case(&original, release, Facts::default());
            verdict(&case, &Classes::count(&case).unwrap()).text
        };
        let said = text(&table(&["*", "*", "*"]));
        assert!(said.ends_with("By age, no record can be told from 2 others."), "{said}");
        let said = text(&original);
        assert!(said.contains("2 classes, the smallest with 1 record. By age, some"), "{said}");
        let said = text(&table(&["20", "20"]));
        assert!(
            said.ends_with(
                "1 class, the smallest with 2 records. By age, no record can be told from 1 other."
            ),
            "{said}"
        );
    }

    /// A claim about `illness` does not guard `ill`, whose name is a part of it.
    #[test]
    fn a_column_is_guarded_by_its_whole_name() {
        let table = Table::from_rows(&["age"], &[["20"], ["30"]]).unwrap();
        let secret = Secret::from_values("illness", &["flu", "gout"]).unwrap().into();
        let claim = Attained::of(&PSensitive::new(2, &secret).unwrap(), &[]);
        let about = |sensitive: &[&str]| {
            let roles = sensitive.iter().map(|name| ((*name).to_owned(), Role::Sensitive));
            let facts =
                Facts { roles: roles.collect(), claims: vec![claim.clone()], ..Facts::default() };
            let case = case(&table, &table, facts);
            decision(&case, None).map(|decision| decision.about)
        };
        assert_eq!(about(&["illness"]), None);
        assert_eq!(about(&["illness", "ill"]).as_deref(), Some("ill"));
    }
}
