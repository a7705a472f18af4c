//! Hierarchies of words: the base tree, its adjustments, and the notes on its nodes.

#![cfg(feature = "wordnet")]

use std::collections::BTreeSet;

use hedgerow::Error;
use hedgerow::builder::{Candidate, Constructed, HierarchyBuilder, Wordnet};
use hedgerow::format::Format;
use hedgerow::generate::Claims;
use hedgerow::hierarchy::{Hierarchy, Leaf, Node};
use hedgerow::knowledge::{Concept, Knowledge, Mode, Senses};
use hedgerow::rank::{Question, Weights, evaluate, meanings, rank};
use hedgerow::table::Table;
use proptest::prelude::*;

/// Returns a column in which the first word occurs once, the second twice, and so on.
fn column(words: &[&str]) -> Table {
    let rows: Vec<[&str; 1]> =
        words.iter().enumerate().flat_map(|(i, &word)| vec![[word]; i + 1]).collect();
    Table::from_rows(&["word"], &rows).unwrap()
}

fn construct(table: &Table, wordnet: &Wordnet) -> Constructed {
    wordnet.construct(Knowledge::wordnet(), &table.columns()[0]).unwrap()
}

fn named<'a>(made: &'a Constructed, name: &str) -> &'a Hierarchy {
    let found = made.candidates.iter().find(|candidate| candidate.name == name);
    &found.unwrap_or_else(|| panic!("{name} is a candidate")).hierarchy
}

fn labels(tree: &Hierarchy) -> BTreeSet<String> {
    tree.nodes().map(|node| tree.label(node).into_owned()).collect()
}

const PEOPLE: [&str; 14] = [
    "violinist",
    "pianist",
    "surgeon",
    "pediatrician",
    "nurse",
    "dentist",
    "teacher",
    "lawyer",
    "plumber",
    "carpenter",
    "journalist",
    "novelist",
    "chemist",
    "farmer",
];

#[test]
fn candidates_differ_and_contain_every_value_once() {
    let table = column(&PEOPLE);
    let made = construct(&table, &Wordnet { k: Some(5), ..Wordnet::default() });
    assert_eq!(made.candidates.len(), 100);
    let names: BTreeSet<&str> = made.candidates.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names.len(), 100);
    let texts: BTreeSet<String> =
        made.candidates.iter().map(|Candidate { hierarchy, .. }| hierarchy.outline()).collect();
    assert_eq!(texts.len(), 100, "children stand in one order, so equal trees have equal outlines");
    for Candidate { name, hierarchy } in &made.candidates {
        assert_eq!(hierarchy.n_leaves(), PEOPLE.len(), "{name}");
        hierarchy.ground().bind(&table.columns()[0].domain).unwrap();
        assert_eq!(hierarchy.count(Node::ROOT), 105, "{name}");
        assert_eq!(
            labels(hierarchy).len(),
            hierarchy.len(),
            "no two nodes of {name} are called alike"
        );
    }
}

/// Whether a leaf has a group of several values below the root.
fn has_group(tree: &Hierarchy, leaf: Leaf) -> bool {
    let above = std::iter::successors(tree.parent(tree.leaf_node(leaf)), |&node| tree.parent(node));
    let mut groups = above.filter(|&node| node != Node::ROOT);
    groups.any(|node| {
        let leaves = tree.leaves_of(node);
        leaves.end.index() - leaves.start.index() > 1
    })
}

/// Only a value that has no group at all is a child of the root where levels were removed.
#[test]
fn fewer_levels_leave_no_value_alone_on_the_root() {
    let rows: Vec<[&str; 4]> = Claims { n_rows: 2_000, seed: 0 }.rows().unwrap().collect();
    let mut n_sheltered = 0;
    for place in 0..4 {
        let cells: Vec<[&str; 1]> = rows.iter().map(|row| [row[place]]).collect();
        let table = Table::from_rows(&["word"], &cells).unwrap();
        let made = construct(&table, &Wordnet::default());
        for Candidate { name, hierarchy } in &made.candidates {
            let Some(at) = name.find("levels-").filter(|_| !name.contains("perspective")) else {
                continue;
            };
            if name[at..].starts_with("levels-2-") {
                continue; // flat by definition
            }
            let from = if at == 0 { "low-root" } else { &name[..at - 1] };
            // A tree without effect is left out, because it is equal to the base.
            let is_there = made.candidates.iter().any(|candidate| candidate.name == from);
            let whole = named(&made, if is_there { from } else { "base" });
            for leaf in Leaf::first(hierarchy.n_leaves()) {
                let is_alone = hierarchy.parent(hierarchy.leaf_node(leaf)) == Some(Node::ROOT);
                let spelt = hierarchy.spelling(leaf);
                let before = whole.ground().leaf_spelt(&spelt).unwrap();
                assert!(!is_alone || !has_group(whole, before), "{name}: {spelt}");
            }
            let is_shelter = |node: Node| {
                let note = hierarchy.origin(node).and_then(|origin| origin.note.as_deref());
                note.is_some_and(|note| note.contains("child of the root"))
            };
            n_sheltered += hierarchy.nodes().filter(|&node| is_shelter(node)).count();
        }
    }
    assert!(n_sheltered > 10, "{n_sheltered}");
}

#[test]
fn the_same_column_has_the_same_candidates() {
    let wordnet = Wordnet { k: Some(5), ..Wordnet::default() };
    let (one, other) =
        (construct(&column(&PEOPLE), &wordnet), construct(&column(&PEOPLE), &wordnet));
    let index = |made: &Constructed| made.index(Knowledge::wordnet()).unwrap();
    assert_eq!(index(&one), index(&other));
    let trees = |made: Constructed| -> Vec<Hierarchy> {
        made.candidates.into_iter().map(|candidate| candidate.hierarchy).collect()
    };
    assert_eq!(trees(one), trees(other));
}

#[test]
fn a_candidate_can_be_built_by_its_name() {
    let table = column(&PEOPLE);
    let wordnet = Wordnet { k: Some(5), ..Wordnet::default() };
    let made = construct(&table, &wordnet);
    let last = made.candidates.last().unwrap();
    let by_name = Wordnet { candidate: Some(last.name.clone()), ..wordnet.clone() };
    let built = by_name.build(&table.columns()[0]).unwrap();
    assert_eq!(built.hierarchy().unwrap().outline(), last.hierarchy.outline());
    // This also works if the candidate equals the base.
    let both = column(&["nurse", "river"]);
    let low_root = Wordnet { candidate: Some("low-root".into()), ..Wordnet::default() };
    assert!(low_root.build(&both.columns()[0]).is_ok());
    let misspelt = Wordnet { candidate: Some("levels-3-evn".into()), ..wordnet };
    let message = misspelt.build(&table.columns()[0]).unwrap_err().to_string();
    assert!(message.contains("levels-3-even"), "{message}");
}

#[test]
fn the_root_is_as_low_as_possible() {
    let made = construct(&column(&PEOPLE), &Wordnet::default());
    assert_eq!(named(&made, "base").label(Node::ROOT), "entity");
    assert_eq!(named(&made, "low-root").label(Node::ROOT), "person");
    assert!(made.pins.is_none());
    let mut words = PEOPLE.to_vec();
    words.push("circus");
    let made = construct(&column(&words), &Wordnet::default());
    let pins = made.pins.unwrap();
    assert_eq!(
        (pins.values.as_slice(), pins.without.as_str()),
        (&["circus".to_owned()][..], "person")
    );
}

#[test]
fn a_parent_is_chosen_by_the_values_below_it_and_the_choice_is_noted() {
    // A person is an organism and a causal agent; the supernatural is only a causal agent.
    let made = construct(&column(&["nurse", "surgeon", "supernatural"]), &Wordnet::default());
    let base = named(&made, "base");
    let person = base.nodes().find(|&node| base.label(node) == "person").unwrap();
    assert_eq!(base.label(base.parent(person).unwrap()), "causal agent");
    let note = base.origin(person).unwrap().note.as_deref().unwrap();
    assert_eq!(note, "parent causal_agent.n.01 chosen among organism.n.01, causal_agent.n.01");
}

#[test]
fn outliers_are_grouped_under_suitable_names() {
    let table = column(&PEOPLE);
    let made = construct(&table, &Wordnet { k: Some(4), ..Wordnet::default() });
    let plain = named(&made, "low-root").levels();
    for (name, concept) in [("outliers-parent", None), ("outliers-root", Some("person.n.01"))] {
        let tree = named(&made, name);
        let is_new = |node: &Node| {
            let note = tree.origin(*node).and_then(|origin| origin.note.as_deref());
            note.is_some_and(|note| note.starts_with("outliers: "))
        };
        let new = tree.nodes().find(is_new).unwrap();
        assert!(tree.count(new) >= 4, "{name}");
        if let Some(concept) = concept {
            assert_eq!(tree.origin(new).unwrap().concept.as_deref(), Some(concept));
        }
        for leaf in tree.leaves_of(new) {
            // Every moved value was rare on the lowest level of the original tree.
            let word = tree.spelling(leaf).into_owned();
            let before = named(&made, "low-root");
            let place = before.ground().leaf_spelt(&word).unwrap();
            assert!(before.count(plain.nodes[1][place.index()]) < 4, "{word}");
        }
    }
    // No value is rare for k = 1, and no group is similar enough to be named after a leaf.
    let none = construct(&table, &Wordnet { k: Some(1), ..Wordnet::default() });
    assert!(none.candidates.iter().all(|candidate| !candidate.name.starts_with("outliers")));
    let strict = Wordnet { k: Some(4), consistent: 1.0, ..Wordnet::default() };
    let made = construct(&table, &strict);
    assert!(made.candidates.iter().all(|candidate| !candidate.name.starts_with("outliers-leaf")));
}

#[test]
fn candidates_with_fewer_levels_are_lower() {
    let made = construct(&column(&PEOPLE), &Wordnet::default());
    let inner = labels(named(&made, "low-root"));
    let mut n_seen = 0;
    for Candidate { name, hierarchy } in &made.candidates {
        let is_plain = |name: &&str| !name.contains("perspective");
        let Some(rest) = name.strip_prefix("levels-").filter(is_plain) else { continue };
        let n_levels: u32 = rest.split('-').next().unwrap().parse().unwrap();
        assert!(hierarchy.height() < n_levels, "{name}");
        assert!(labels(hierarchy).is_subset(&inner), "{name}");
        n_seen += 1;
    }
    assert!(n_seen > 5, "{n_seen}");
}

#[test]
fn perspectives_are_similar_to_the_concepts_they_replace_and_new_to_the_tree() {
    let wordnet = Knowledge::wordnet();
    let made = construct(&column(&PEOPLE), &Wordnet { alike: 0.9, ..Wordnet::default() });
    let before = named(&made, "low-root");
    let concepts = |tree: &Hierarchy| -> Vec<String> {
        let name = |node| tree.origin(node).and_then(|origin| origin.concept.clone()).unwrap();
        tree.nodes().map(|node| name(node).into_string()).collect()
    };
    let old = concepts(before);
    let of = |name: &str| wordnet.ancestors(wordnet.concept(name).unwrap());
    let seen = made.candidates.iter().filter(|c| c.name.starts_with("perspective-"));
    for Candidate { name, hierarchy } in seen {
        let new = concepts(hierarchy);
        let changed: Vec<(&String, &String)> =
            old.iter().zip(&new).filter(|(old, new)| old != new).collect();
        assert!((1..=2).contains(&changed.len()), "{name}");
        for (was, is) in changed {
            assert!(!old.contains(is), "{name}: {is}");
            assert!(
                wordnet.wu_palmer(&of(was), &of(is), Mode::default()) >= 0.9,
                "{name}: {was} {is}"
            );
        }
    }
}

#[test]
fn values_of_one_meaning_are_siblings_and_one_value_has_a_small_tree() {
    let made = construct(&column(&["car (new)", "car (used)", "bicycle"]), &Wordnet::default());
    let tree = named(&made, "low-root");
    let both = tree.lowest_common_ancestor(Leaf::new(1), Leaf::new(2));
    assert_eq!(
        tree.origin(both).unwrap().concept.as_deref(),
        Some("car.n.01"),
        "{}",
        tree.outline()
    );
    let one = construct(&column(&["nurse"]), &Wordnet::default());
    assert_eq!(named(&one, "low-root").outline(), "health professional(nurse)");
}

#[test]
fn a_column_of_unknown_words_is_refused() {
    let table = column(&["qqqx", "zzzy"]);
    let error = Wordnet::default().build(&table.columns()[0]).unwrap_err();
    assert!(matches!(error, Error::Column { .. }), "{error}");
    assert!(error.to_string().contains("wordnet:senses=FILE"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Arbitrary nouns: proper names, unusual characters, ancestors of one another.
    #[test]
    fn any_nouns_have_sound_candidates(
        concepts in prop::collection::vec((0..82_115 as Concept, 1..9usize), 1..30),
        k in 1..9u64,
    ) {
        let knowledge = Knowledge::wordnet();
        let word = |&(concept, n): &(Concept, usize)| vec![[knowledge.label(concept)]; n];
        let rows: Vec<[String; 1]> = concepts.iter().flat_map(word).collect();
        let table = Table::from_rows(&["word"], &rows).unwrap();
        let column = &table.columns()[0];
        let made = construct(&table, &Wordnet { k: Some(k), most: 40, ..Wordnet::default() });
        for Candidate { name, hierarchy } in &made.candidates {
            prop_assert_eq!(hierarchy.n_leaves(), column.domain.len(), "{}", name);
            prop_assert_eq!(hierarchy.ground().bind(&column.domain).unwrap().len(), column.domain.len());
            prop_assert_eq!(hierarchy.count(Node::ROOT), rows.len() as u64, "{}", name);
            prop_assert_eq!(labels(hierarchy).len(), hierarchy.len(), "{}", hierarchy.outline());
            for node in hierarchy.nodes() {
                let concept = hierarchy.origin(node).and_then(|origin| origin.concept.as_deref());
                prop_assert!(concept.is_none_or(|name| knowledge.concept(name).is_ok()), "{:?}", concept);
            }
            for format in ["json", "xml"] {
                let format = Format::named(format).unwrap();
                let written = String::from_utf8(format.encode(hierarchy, false).unwrap().bytes).unwrap();
                prop_assert_eq!(&format.read(&written, None).unwrap(), hierarchy, "{}", name);
            }
        }
        let trees: Vec<&Hierarchy> = made.candidates.iter().map(|made| &made.hierarchy).collect();
        let meanings = meanings(knowledge, column, &Senses::default(), &trees).unwrap();
        let found = evaluate(&Question { column, knowledge, meanings: &meanings, k }, &trees).unwrap();
        for one in &found {
            let (semantic, aspects) = (one.aspects.semantic.unwrap(), one.aspects);
            prop_assert!((0.0..=1.0).contains(&semantic) && (0.0..=1.0).contains(&aspects.privacy));
            prop_assert!((0.0..=1.0).contains(&aspects.distortion) && aspects.interval >= 1.0);
        }
        prop_assert_eq!(rank(&found, &Weights::default()).len(), trees.len());
    }
}
