//! Whether `auto` may group a column of words by meaning.

use std::borrow::Cow;

use crate::knowledge::{Ancestors, Concept, How, Knowledge, Meaning, Mode, Part, Senses, resolve};
use crate::table::{Column, has_word};

/// Columns with more distinct values are looked up only on request.
const MOST_VALUES: usize = 5_000;

/// Number of values that each value is compared with.
const MOST_COMPARED: usize = 256;

/// Percentage of distinct values that must be found as they stand.
pub(super) const FOUND: usize = 80;

/// Least similarity of a value's concept to the most similar concept of another value.
const ALIKE: f64 = 0.5;

/// Least similarity of a concept whose sense is not clear to a concept whose sense is.
const NEAR: f64 = 0.75;

/// A sense is clear if it is the most common one or scores this many times as high as that.
const MARGIN: u64 = 2;

/// Values that show the kind of a column: ratings, answers, sexes, and colours, which are those of
/// people more often than not. WordNet has nouns of the same spelling, but they mean something
/// else: `fair` is a market, and `White` a chess player.
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

/// Words in the names of columns whose values are names, even if they are spelt like nouns: `Rose`
/// is a person, and `Puma` sells shoes.
const NAMES: &str = "name names firstname first_name forename surname lastname vorname nachname \
                     prénom prenom nom nombre apellido nome cognome naam brand brands make model \
                     manufacturer company party parties team author artist marke hersteller partei \
                     marque parti marca partido partito merk partij";

/// Concepts that are too general to describe the concepts below them.
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
    "location",
    "region",
    "geographical area",
    "district",
    "administrative district",
];

/// Whether the meanings of a column's values are clear enough to publish groups by meaning without
/// being asked to.
///
/// At least 80% of the distinct values must be found as they stand, and none only by its last word.
/// No value may be a rating, a colour, an answer or a sex, most must not be names, and the name of
/// the column must not be one for names. The concepts must have a common ancestor that is not too
/// general, each must be similar to that of another value, and a rarer sense of a word must fit
/// clearly better than the usual one, or be close to the clear sense of another value.
pub(in crate::builder) fn are_sound(column: &Column) -> bool {
    let domain = &column.domain;
    if !(3..=MOST_VALUES).contains(&domain.len()) || has_word(&column.name, NAMES) {
        return false;
    }
    let spelt: Vec<_> = (0..domain.len()).map(|code| domain.values.spelling(code)).collect();
    let is_noun = |value: &str| {
        let bare = value.trim().to_lowercase().replace(['_', '-'], " ");
        !NOT_NOUNS.contains(&bare.as_str())
    };
    let knowledge = Knowledge::wordnet();
    // A quick look first: resolving compares definitions, which takes longer.
    let is_found = |value: &&Cow<'_, str>| is_long(value) && knowledge.finds(value);
    let n_found = spelt.iter().filter(is_found).count();
    if 100 * n_found < FOUND * domain.len() || !spelt.iter().all(|value| is_noun(value)) {
        return false;
    }
    let values: Vec<(&str, u64)> =
        spelt.iter().zip(&domain.counts).map(|(value, &count)| (&**value, count)).collect();
    let Ok(meanings) = resolve(knowledge, &values, &Senses::default()) else { return false };
    meanings.iter().all(|meaning| meaning.how != How::Head)
        && !are_names(knowledge, &meanings)
        && are_clear(knowledge, &meanings)
        && do_agree(knowledge, &meanings)
}

/// Whether a value has at least three letters: WordNet has nouns such as `1` and `AB`.
fn is_long(value: &str) -> bool {
    value.chars().filter(|c| c.is_alphabetic()).count() >= 3
}

/// Whether at least half of the values are names: concepts that are always written with a capital.
fn are_names(knowledge: &Knowledge, meanings: &[Meaning]) -> bool {
    let is_name = |&concept: &Concept| {
        knowledge.words(concept).all(|word| word.starts_with(char::is_uppercase))
    };
    let concepts = || meanings.iter().filter_map(|meaning| meaning.concept);
    2 * concepts().filter(is_name).count() >= concepts().count()
}

/// Whether at least half of the values have a clear sense, and each of the others is very similar
/// to one of these: `plum`, which is first a tree in WordNet, is a fruit among apples and pears.
fn are_clear(knowledge: &Knowledge, meanings: &[Meaning]) -> bool {
    let (clear, open): (Vec<&Meaning>, Vec<&Meaning>) =
        meanings.iter().partition(|meaning| meaning.parts.iter().all(is_clear));
    let above = |found: &[&Meaning]| -> Vec<Ancestors> {
        let concepts = found.iter().filter_map(|meaning| meaning.concept);
        concepts.take(MOST_COMPARED).map(|concept| knowledge.ancestors(concept)).collect()
    };
    let (are_clear, are_open) = (above(&clear), above(&open));
    let is_near = |one: &Ancestors| {
        are_clear.iter().any(|other| knowledge.wu_palmer(one, other, Mode::default()) >= NEAR)
    };
    open.len() <= clear.len() && open.len() <= MOST_COMPARED && are_open.iter().all(is_near)
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

    fn sound_in(column: &str, values: &[&str]) -> bool {
        let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
        are_sound(&Table::from_rows(&[column], &rows).unwrap().columns()[0])
    }

    fn sound(values: &[&str]) -> bool {
        sound_in("x", values)
    }

    /// Words, written with blanks between them; a phrase has `_` for a blank.
    fn words(list: &str) -> Vec<&str> {
        list.split(' ').collect()
    }

    #[test]
    fn occupations_animals_foods_and_diseases_can_be_grouped_by_meaning() {
        for list in [
            "surgeon nurse pianist carpenter plumber",
            "Teacher Lawyer Farmer Baker Electrician Accountant",
            "influenza pneumonia bronchitis asthma",
            "measles cholera typhoid malaria tuberculosis diphtheria",
            "dog cat horse cow sheep goat",
            "sparrow eagle owl pigeon heron",
            "apple pear cherry plum banana",
            "car bus truck bicycle motorcycle",
            "trumpet violin piano flute cello",
        ] {
            assert!(sound(&words(list)), "{list}");
        }
    }

    #[test]
    fn what_is_only_spelt_like_a_noun_is_not() {
        for list in [
            "good fair poor excellent",
            "High medium LOW",
            "never rarely sometimes often always",
            "satisfied neutral dissatisfied",
            "White Black Asian Other",
            "blond brown black red",
            "blue brown green hazel",
            "yes no refusal",
            "true false unknown",
            "male female child",
            "Democrat Republican Independent",
            "Conservative Labour Liberal",
            "Ford Toyota Honda Fiat Volvo",
            "Apple Shell Amazon Oracle",
            "Adam Eve Paul Peter Mark Luke John",
            "Washington Jefferson Lincoln Roosevelt Kennedy",
            "Catholic Protestant Muslim Hindu Buddhist",
            "German French Italian Spanish",
            "setosa versicolor virginica",
            "Adelie Gentoo Chinstrap",
            "1/1 1/2 2/2",
            "A B AB O",
            "single married divorced widowed",
            "city country Copenhagen",
            "north south east west",
            "control placebo treatment",
        ] {
            assert!(!sound(&words(list)), "{list}");
        }
    }

    #[test]
    fn columns_of_names_are_not_grouped_by_meaning() {
        let flowers = words("rose lily violet daisy tulip");
        assert!(sound_in("flower", &flowers));
        assert!(!sound_in("first_name", &flowers));
        assert!(!sound_in("Brand", &words("puma jaguar fox lion")));
    }

    #[test]
    fn unknown_approximate_and_unrelated_words_are_not() {
        assert!(!sound(&["surgeon", "nurse", "xyzzy", "plugh"]));
        assert!(!sound(&["surgeon", "nurse", "pianist", "plumber", "junior dentist"]));
        assert!(!sound(&["bank", "table", "happiness", "surgeon"]));
        assert!(!sound(&["north_east", "south", "nothern_central", "rural_area"]));
    }
}
