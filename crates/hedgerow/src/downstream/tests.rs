//! The worked examples of METHODS 5.8, and a direct implementation record by record.

use std::sync::Arc;

use super::*;
use crate::hierarchy::{Hierarchy, Leaves};
use crate::knowledge::{Entry, Knowledge};
use crate::progress::Silent;
use crate::table::{Table, Values};

/// The concepts of METHODS 5.3, each with its parent.
const CHAIN: [(&str, u32); 10] = [
    ("entity", 0),
    ("person", 0),
    ("health professional", 1),
    ("doctor", 2),
    ("surgeon", 3),
    ("pediatrician", 3),
    ("nurse", 2),
    ("teacher", 9),
    ("math teacher", 7),
    ("educator", 1),
];

fn chain() -> Knowledge {
    let entry = |(place, &(word, parent)): (usize, &(&str, u32))| Entry {
        words: vec![word.to_owned()],
        parents: if place == 0 { vec![] } else { vec![parent] },
        definition: "".into(),
    };
    let entries: Vec<Entry> = CHAIN.iter().enumerate().map(entry).collect();
    Knowledge::of_entries("chain".into(), &entries).unwrap()
}

/// person(doctor(surgeon,pediatrician),nurse,math teacher)
fn tree(counts: [u64; 4]) -> Arc<Hierarchy> {
    let values = ["surgeon", "pediatrician", "nurse", "math teacher"].map(Into::into);
    let leaves = Leaves {
        attribute: "job".into(),
        values: Values::Text(values.to_vec()),
        counts: counts.to_vec(),
    };
    let ranges = [(0, 4), (0, 2), (0, 1), (1, 2), (2, 3), (3, 4)];
    let labels = ["person", "doctor", "", "", "", ""].map(Into::into);
    Arc::new(Hierarchy::from_ranges(leaves, &ranges).unwrap().with_labels(labels.to_vec()))
}

fn terms(knowledge: &Knowledge) -> Terms<'_> {
    let tree = tree([1; 4]);
    let of = |node| Some(knowledge.concept(&tree.label(node)).unwrap());
    let concepts: Vec<_> = tree.nodes().map(of).collect();
    Terms::new(knowledge, tree, &concepts).unwrap()
}

fn group(original: &[Node], published: &[Node], count: u64) -> Group {
    Group { original: original.into(), published: published.into(), count }
}

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-6, "{found}, not {wanted}");
}

/// The example of METHODS 5.8.
fn example() -> Vec<Group> {
    [(2, 1), (3, 1), (4, 0), (5, 0)]
        .map(|(from, to)| group(&[Node::new(from)], &[Node::new(to)], 1))
        .to_vec()
}

#[test]
fn the_example_costs_what_it_should() {
    let knowledge = chain();
    let sse = semantic_sse(&[terms(&knowledge)], &example(), Distance::Meaning);
    near(sse.sum, 0.190_140);
    near(sse.mean, 0.190_140 / 4.0);
    // Doctors are one step of three away from their originals, the others one of two.
    let by_tree = semantic_sse(&[terms(&knowledge)], &example(), Distance::Tree);
    near(by_tree.sum, 2.0 * (4.0 / 3.0_f64).log2().powi(2) + 2.0 * 1.5_f64.log2().powi(2));
}

#[test]
fn half_of_the_example_is_linked() {
    let knowledge = chain();
    near(linkage(&[terms(&knowledge)], &example()), 50.0);
    near(linkage(&[terms(&knowledge)], &[]), 0.0);
}

#[test]
fn distance_in_the_tree_counts_what_is_not_shared() {
    let knowledge = chain();
    let terms = terms(&knowledge);
    near(terms.apart(Node::new(2), Node::new(2)), 0.0);
    // Surgeon and pediatrician: two of four are not shared; surgeon and nurse: three of four.
    near(terms.apart(Node::new(2), Node::new(3)), 1.5_f64.log2());
    near(terms.apart(Node::new(4), Node::new(2)), 1.75_f64.log2());
    near(terms.apart(Node::new(0), Node::new(3)), (1.0 + 2.0 / 3.0_f64).log2());
}

#[test]
fn what_means_nothing_is_like_nothing_but_itself() {
    let knowledge = chain();
    let nurse = knowledge.concept("nurse").unwrap();
    let concepts = [None, None, Some(nurse), Some(nurse), None, None];
    let terms = Terms::new(&knowledge, tree([1; 4]), &concepts).unwrap();
    for (a, b, wanted) in [(1, 1, 1.0), (1, 0, 0.0), (1, 2, 0.0), (2, 3, 1.0)] {
        near(terms.alike(Node::new(a), Node::new(b)), wanted);
    }
    let error = Terms::new(&knowledge, tree([1; 4]), &[None]).unwrap_err().to_string();
    assert!(
        error.starts_with("1 concept given for the 6 nodes of the hierarchy of 'job'"),
        "{error}"
    );
}

#[test]
fn linkage_by_groups_is_linkage_by_records() {
    let knowledge = chain();
    let both = [terms(&knowledge), terms(&knowledge)];
    let pick = |n: u64, of: u64| ((n * 2_654_435_761) >> 7) % of;
    for seed in 0..40 {
        let value = |n: u64| Node::new(2 + pick(seed * 100 + n, 4) as usize);
        let raised = |node: Node, n: u64| match pick(seed * 100 + n, 3) {
            0 => node,
            1 => both[0].tree().parent(node).unwrap(),
            _ => Node::ROOT,
        };
        let made = (0..12).map(|n| {
            let original = [value(4 * n), value(4 * n + 1)];
            let published = [raised(original[0], 4 * n + 2), raised(original[1], 4 * n + 3)];
            group(&original, &published, 1 + pick(n, 3))
        });
        let groups: Vec<Group> = made.collect();
        near(linkage(&both, &groups), by_records(&both, &groups));
    }
}

/// METHODS 5.8, implemented literally.
fn by_records(terms: &[Terms<'_>], groups: &[Group]) -> f64 {
    let each = |group: &Group| vec![group.clone(); group.count as usize];
    let records: Vec<Group> = groups.iter().flat_map(each).collect();
    let mut found = 0.0;
    for masked in &records {
        let alike = |other: &Group| {
            let of =
                |place: usize| terms[place].alike(other.original[place], masked.published[place]);
            (0..terms.len()).map(of).sum::<f64>() / terms.len() as f64
        };
        let most = records.iter().map(alike).fold(0.0, f64::max);
        let n_near = records.iter().filter(|other| most - alike(other) < 1e-9).count();
        if most - alike(masked) < 1e-9 {
            found += 1.0 / n_near as f64;
        }
    }
    100.0 * found / records.len() as f64
}

/// Outcomes without suppression.
fn unsuppressed(terms: &Terms<'_>, table: &Table, ks: &[u64]) -> crate::Result<Vec<Outcome>> {
    outcomes(terms, Trials { table, ks, suppression: Suppression::None }, &Silent)
}

fn table(counts: [usize; 4]) -> Table {
    let words = ["surgeon", "pediatrician", "nurse", "math teacher"];
    let rows = words.iter().zip(counts).flat_map(|(&word, count)| vec![[word]; count]);
    Table::from_rows(&["job"], &rows.collect::<Vec<_>>()).unwrap()
}

#[test]
fn outcomes_climb_with_k() {
    let knowledge = chain();
    let (terms, table) = (terms(&knowledge), table([4, 1, 3, 2]));
    let found = unsuppressed(&terms, &table, &[1, 2, 3, 10]).unwrap();
    let levels: Vec<f64> = found.iter().map(|outcome| outcome.gen_iloss).collect();
    near(levels[0], 0.0);
    // The five doctors cover two of the four values.
    near(levels[1], 0.5 / 3.0);
    near(levels[2], 1.0);
    let sizes: Vec<f64> = found.iter().map(|outcome| outcome.c_avg).collect();
    assert_eq!(sizes, [2.5, 10.0 / 6.0, 10.0 / 3.0, 1.0]);
    near(found[0].sse.sum, 0.0);
    near(found[1].sse.sum, 5.0 / 121.0);
    near(found[0].linkage, 40.0);
    // Surgeons and pediatricians are equally similar to doctors: 5 of 5; nurses 1 of 3, teachers 1
    // of 2.
    near(found[1].linkage, 30.0);
    // Nurses are most similar to persons.
    near(found[2].linkage, 10.0);
    assert_eq!((found[2].sse, found[2].linkage), (found[3].sse, found[3].linkage));
    let error = unsuppressed(&terms, &table, &[11]).unwrap_err().to_string();
    assert!(error.starts_with("k is 11, but the table has only 10 records"), "{error}");
}

#[test]
fn up_to_k_records_are_suppressed_instead_of_generalized() {
    let knowledge = chain();
    let (terms, table) = (terms(&knowledge), table([4, 1, 3, 4]));
    let trials = Trials { table: &table, ks: &[2, 3, 4], suppression: Suppression::K };
    let found = outcomes(&terms, trials, &Silent).unwrap();
    let suppressed: Vec<u64> = found.iter().map(|outcome| outcome.suppressed).collect();
    // The pediatrician alone, and for k = 4 with the three nurses.
    assert_eq!(suppressed, [1, 1, 4]);
    // Suppressed records are published as persons, 1/3 from a pediatrician and 1/4 from a nurse.
    near(found[0].sse.sum, 1.0 / 9.0);
    near(found[2].sse.sum, 1.0 / 9.0 + 3.0 / 16.0);
    near(found[0].gen_iloss, 1.0 / 12.0);
    assert!(!found[0].is_untouched());
    // Without suppression, the doctors are published as such for k = 2.
    let kept = unsuppressed(&terms, &table, &[1, 2]).unwrap();
    assert!(kept[0].is_untouched() && !kept[1].is_untouched());
    near(kept[1].gen_iloss, 5.0 / 12.0 / 3.0);
}

#[test]
fn missing_values_are_terms_without_a_meaning() {
    let knowledge = chain();
    let table = Table::from_rows(&["job"], &[["surgeon"], ["nurse"], [""], [""]]).unwrap();
    let found = unsuppressed(&terms(&knowledge), &table, &[1, 2, 3]).unwrap();
    near(found[0].sse.sum, 0.0);
    // Surgeon and nurse become persons; the node above all others has no meaning.
    near(found[1].sse.sum, 1.0 / 9.0 + 1.0 / 16.0);
    near(found[2].sse.sum, 4.0);
    near(found[2].linkage, 25.0);
}

#[test]
fn ranks_are_shared_by_what_is_equal() {
    near(spearman(&[1.0, 2.0, 2.0, 4.0], &[10.0, 30.0, 20.0, 40.0]).unwrap(), 0.948_683);
    // Sums in another order differ only by rounding.
    let r = spearman(&[0.1 + 0.2, 0.3, 1.0], &[1.0, 1.0, 2.0]).unwrap();
    near(r, 1.0);
    assert_eq!(spearman(&[1.0], &[1.0]), None);
    assert_eq!(spearman(&[1.0, 2.0], &[1.0, 2.0, 3.0]), None);
    assert_eq!(spearman(&[2.0, 2.0], &[1.0, 2.0]), None);
}

#[test]
fn a_ranking_that_puts_the_least_loss_first_agrees() {
    let knowledge = chain();
    let (terms, table) = (terms(&knowledge), table([4, 1, 3, 2]));
    let found = unsuppressed(&terms, &table, &[1, 2, 3]).unwrap();
    let sse: Vec<f64> = found.iter().map(|outcome| outcome.sse.sum).collect();
    let linkage: Vec<f64> = found.iter().map(|outcome| outcome.linkage).collect();
    assert_eq!(correlation(&[9.0, 7.0, 2.0], &sse), Some(1.0));
    assert_eq!(correlation(&[9.0, 7.0, 2.0], &linkage), Some(-1.0), "what costs more risks less");
}
