//! `GET /api/glossary`: words of the field and what they mean.

use serde::Serialize;

use super::{Answer, Call, answer};
use crate::fault::Done;
use crate::studio::Studio;

/// A word, what it means, and other spellings.
type Word = (&'static str, &'static str, &'static [&'static str]);

/// Words of the field.
pub(super) const WORDS: &[Word] = &[
    (
        "quasi-identifier",
        "A column that others may know about a person, such as age or sex. Alone it rarely identifies a person; several together often do. It is generalized in the release.",
        &["quasi", "quasi-identifiers"],
    ),
    (
        "identifier",
        "A column that names a person directly, such as a name or a number of an insurance. It is left out of the release.",
        &["identifiers"],
    ),
    (
        "sensitive",
        "A column that must not be disclosed about a person, such as a diagnosis. It is published as it is; privacy models limit what a class reveals about it.",
        &["sensitive column", "sensitive attribute"],
    ),
    ("keep", "A column that is published as it is, by decision.", &["insensitive"]),
    (
        "alone",
        "A record that no other record equals in the quasi-identifiers: whoever knows these values finds the person.",
        &["unique", "sample unique"],
    ),
    (
        "class",
        "Records that are published with the same quasi-identifiers. These columns do not tell them apart.",
        &["equivalence class", "classes"],
    ),
    (
        "k-anonymity",
        "Every record is published like at least k - 1 others, so that a person is one of at least k.",
        &["k"],
    ),
    (
        "l-diversity",
        "Every class has at least l well-represented sensitive values, so that being in it does not reveal one.",
        &["l"],
    ),
    (
        "t-closeness",
        "The sensitive values of every class are distributed nearly as in the whole table.",
        &["t"],
    ),
    (
        "suppression",
        "Records that fit nowhere are published without their quasi-identifiers, or left out.",
        &["suppress", "suppressed"],
    ),
    (
        "generalization",
        "Replacing a value by a wider one: 34 by [30, 39], Paris by France.",
        &["generalize", "generalized"],
    ),
    (
        "hierarchy",
        "A tree that says how values are generalized: every node covers the values below it.",
        &["hierarchies", "tree"],
    ),
    (
        "loss",
        "How much precision a release loses, from 0 (nothing) to 1 (everything). Here it is NTIL unless stated otherwise.",
        &["information loss"],
    ),
    (
        "NTIL",
        "Normalized total information loss: the mean over all cells of the share of the column's range, or of its other values, that the published value covers.",
        &["ntil"],
    ),
    (
        "risk",
        "The chance that an attacker who knows the quasi-identifiers of a person finds the right record: one divided by the size of the class.",
        &["re-identification risk"],
    ),
    (
        "prosecutor",
        "An attacker who knows that a certain person is in the table.",
        &["prosecutor risk"],
    ),
    (
        "journalist",
        "An attacker who wants to find anybody, and does not know who is in the table.",
        &["journalist risk"],
    ),
    ("marketer", "An attacker who wants to find as many people as possible.", &["marketer risk"]),
    (
        "Pareto front",
        "The runs that no other run beats in both loss and risk. All others are worse in one and not better in the other.",
        &["front"],
    ),
    (
        "sense",
        "A meaning of a word. 'Operator' can be a person, a company or a symbol; a hierarchy of words depends on which is meant.",
        &["senses", "meaning"],
    ),
    (
        "recipe",
        "The rules of a release, with which the next table is published in the same way.",
        &[],
    ),
    (
        "job file",
        "All settings of a release as a text file. `hedgerow anonymize --job FILE` gives the same bytes again.",
        &["job"],
    ),
    (
        "lock",
        "A node that is never generalized further: values below it are published as this node or more precisely.",
        &["limit", "locked"],
    ),
    (
        "cut",
        "The border between two neighbouring ranges of a hierarchy of numbers or dates.",
        &["cuts"],
    ),
    ("microdata", "A table with one record for each person, not sums of groups.", &[]),
];

#[derive(Serialize)]
struct Glossary {
    words: Vec<WordView>,
}

#[derive(Serialize)]
struct WordView {
    word: &'static str,
    about: &'static str,
    also: &'static [&'static str],
}

pub(super) fn get(_: &Studio, _: &Call) -> Done<Answer> {
    let words = WORDS.iter().map(|&(word, about, also)| WordView { word, about, also }).collect();
    answer(&Glossary { words })
}
