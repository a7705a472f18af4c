//! Whether `auto` may group a column of words by meaning.

use crate::knowledge::{Ancestors, Concept, How, Knowledge, Meaning, Mode, Part, Senses, resolve};
use crate::table::Column;

/// Columns with more distinct values are looked up only on request.
const MOST_VALUES: usize = 5_000;

/// Number of values that each value is compared with.
const MOST_COMPARED: usize = 256;

/// Percentage of distinct values that must be found as they stand.
const FOUND: usize = 80;

/// Least similarity of a value's concept to the most similar concept of another value.
const ALIKE: f64 = 0.5;

/// A sense that is not the most common one must score this many times as high.
const MARGIN: u64 = 2;

/// Values that say what kind of column this is: ratings, answers, sexes, and colours, which are
/// those of people more often than not. WordNet has nouns of the same spelling, but they mean
/// something else: `fair` is a market, and `White` a chess player.
const NOT_NOUNS: &[&str] = &[
    // ratings
    "excellent",
    "very good",
    "good",
    "average",
    "fair",
    "poor",
    "very poor",
    "bad",
    "very bad",
    "best",
    "worst",
    "better",
    "worse",
    "high",
    "medium",
    "low",
    "none",
    "some",
    "mild",
    "moderate",
    "severe",
    "satisfied",
    "dissatisfied",
    "agree",
    "disagree",
    "always",
    "often",
    "sometimes",
    "rarely",
    "never",
    "small",
    "large",
    "normal",
    "strong",
    "weak",
    // answers
    "yes",
    "no",
    "true",
    "false",
    "unknown",
    "y",
    "n",
    // sexes
    "male",
    "female",
    "man",
    "woman",
    "boy",
    "girl",
    "men",
    "women",
    "m",
    "f",
    // colours, of people in particular
    "white",
    "black",
    "brown",
    "yellow",
    "red",
    "blue",
    "green",
    "grey",
    "gray",
    "orange",
    "purple",
    "pink",
    "caucasian",
    "asian",
    "hispanic",
    "latino",
    "latina",
    "african american",
    "mixed",
    "coloured",
    "colored",
];

/// Concepts that say nothing about what is below them.
const EMPTY: &[&str] = &[
    "entity",
    "physical entity",
    "abstraction",
    "object",
    "whole",
    "thing",
    "matter",
    "artifact",
    "causal agent",
    "attribute",
    "group",
    "relation",
    "psychological feature",
    "communication",
    "event",
    "act",
    "state",
    "process",
    "measure",
    "cognition",
    "content",
    "unit",
    "instrumentality",
    "quality",
    "property",
    "status",
    "condition",
    "activity",
    "part",
    "substance",
    "collection",
];

/// Whether the meanings of a column's values are clear enough to publish groups by meaning without
/// being asked to.
///
/// At least 80% of the distinct values must be found as they stand, and none only by its last word.
/// No value may be a rating, a colour, an answer or a sex. The concepts must have a common ancestor
/// that says something, each must be similar to that of another value, and a rarer sense of a word
/// must fit clearly better than the usual one.
pub(in crate::builder) fn are_sound(column: &Column) -> bool {
    let domain = &column.domain;
    if !(3..=MOST_VALUES).contains(&domain.len()) {
        return false;
    }
    let spelt: Vec<_> = (0..domain.len()).map(|code| domain.values.spelling(code)).collect();
    let is_noun = |value: &str| {
        let bare = value.trim().to_lowercase().replace(['_', '-'], " ");
        !NOT_NOUNS.contains(&bare.as_str())
    };
    let knowledge = Knowledge::wordnet();
    // A quick look first: resolving compares definitions, which takes longer.
    let n_found = spelt.iter().filter(|v| v.chars().count() >= 3 && knowledge.finds(v)).count();
    if 100 * n_found < FOUND * domain.len() || !spelt.iter().all(|value| is_noun(value)) {
        return false;
    }
    let values: Vec<(&str, u64)> =
        spelt.iter().zip(&domain.counts).map(|(value, &count)| (&**value, count)).collect();
    let Ok(meanings) = resolve(knowledge, &values, &Senses::default()) else { return false };
    meanings.iter().all(|meaning| meaning.how != How::Head)
        && meanings.iter().flat_map(|meaning| &meaning.parts).all(is_clear)
        && do_agree(knowledge, &meanings)
}

/// Whether the most common sense of a word was chosen, or one that fits much better.
fn is_clear(part: &Part) -> bool {
    let score = |sense: Concept| part.scores.iter().find(|s| s.0 == sense).map_or(0, |s| s.1);
    let usual = part.scores.first().map_or(0, |first| first.1);
    part.scores.first().is_none_or(|first| first.0 == part.sense)
        || score(part.sense) >= MARGIN * usual.max(1)
}

/// Whether the concepts have something in common.
fn do_agree(knowledge: &Knowledge, meanings: &[Meaning]) -> bool {
    let concepts = meanings.iter().filter_map(|meaning| meaning.concept);
    let above: Vec<Ancestors> = concepts.map(|concept| knowledge.ancestors(concept)).collect();
    let Some((first, rest)) = above.split_first() else { return false };
    let common = first.iter().map(|(concept, _)| concept);
    let mut common = common.filter(|&concept| rest.iter().all(|other| other.contains(concept)));
    let says_something = common.any(|concept| !EMPTY.contains(&knowledge.label(concept).as_str()));
    let is_like_another = |(place, one): (usize, &Ancestors)| {
        let others = above.iter().take(MOST_COMPARED).enumerate();
        let mut others = others.filter(|(other, _)| *other != place);
        others.any(|(_, other)| knowledge.wu_palmer(one, other, Mode::default()) >= ALIKE)
    };
    says_something && above.iter().enumerate().all(is_like_another)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    fn sound(values: &[&str]) -> bool {
        let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
        are_sound(&Table::from_rows(&["x"], &rows).unwrap().columns()[0])
    }

    #[test]
    fn occupations_and_diseases_can_be_grouped_by_meaning() {
        assert!(sound(&["surgeon", "nurse", "pianist", "carpenter", "plumber"]));
        assert!(sound(&["influenza", "pneumonia", "bronchitis", "asthma"]));
    }

    #[test]
    fn ratings_colours_answers_and_sexes_are_not() {
        for values in [
            &["good", "fair", "poor", "excellent"][..],
            &["White", "Black", "Asian", "Other"],
            &["yes", "no", "refusal"],
            &["male", "female", "child"],
            &["High", "medium", "LOW"],
        ] {
            assert!(!sound(values), "{values:?}");
        }
    }

    #[test]
    fn unknown_approximate_and_unrelated_words_are_not() {
        assert!(!sound(&["surgeon", "nurse", "xyzzy", "plugh"]));
        assert!(!sound(&["surgeon", "nurse", "pianist", "plumber", "junior dentist"]));
        assert!(!sound(&["bank", "table", "happiness", "surgeon"]));
        assert!(!sound(&["north_east", "south", "nothern_central", "rural_area"]));
    }
}
