//! Properties of edits on random trees of numbers, dates and words, and on deep ones.

use proptest::prelude::*;

use super::*;
use crate::hierarchy::{Leaf, Leaves, Origin};
use crate::method::Spec;
use crate::table::{DateFormat, Kind, Values};

/// A tree of `shape`: each number selects the open parts to join next.
fn random_tree(n: usize, shape: &[u8], kind: u8, dress: u8) -> Hierarchy {
    let mut parts: Vec<Vec<(u32, u32)>> =
        (0..n as u32).map(|leaf| vec![(leaf, leaf + 1)]).collect();
    let mut steps = shape.iter().cycle();
    while parts.len() > 1
        || shape.first().is_some_and(|step| step % 7 == 6 && parts[0].len() < n + 3)
    {
        let step = usize::from(*steps.next().unwrap());
        let at = (step / 4) % parts.len();
        let last = (at + 1 + step % 4).min(parts.len());
        let joined: Vec<(u32, u32)> = parts.drain(at..last).flatten().collect();
        let range = (joined[0].0, joined.iter().map(|range| range.1).max().unwrap());
        parts.insert(at, [vec![range], joined].concat());
        if parts[at].len() > 4 * n + 8 {
            // Enough chains: join the rest.
            let all: Vec<(u32, u32)> = parts.drain(..).flatten().collect();
            parts = vec![[vec![(0, n as u32)], all].concat()];
        }
    }
    let ranges = &parts[0];
    let spelt: Vec<String> = (0..n)
        .map(|value| match kind {
            0 => format!("{}", value * value),
            1 => format!("2024-{:02}-{:02}", 1 + value / 28, 1 + value % 28),
            _ => format!("w{value}"),
        })
        .collect();
    let texts: Vec<&str> = spelt.iter().map(String::as_str).collect();
    let values = match kind {
        0 => Values::of_kind(Kind::Number, &texts, None).unwrap().0,
        1 => Values::of_dates(&DateFormat::ISO, &texts).unwrap().0,
        _ => Values::Text(texts.iter().map(|&text| text.into()).collect()),
    };
    let counts = (0..n as u64).map(|leaf| leaf % 5).collect();
    let tree =
        Hierarchy::from_ranges(Leaves { attribute: "x".into(), values, counts }, ranges).unwrap();
    let inner = |node: Node| tree.as_leaf(node).is_none();
    let mut dressed = tree.clone();
    if dress & 1 > 0 || kind > 1 {
        let label = |node: Node| if inner(node) { format!("g{node}") } else { String::new() };
        dressed = dressed.with_labels(tree.nodes().map(|node| label(node).into()).collect());
    }
    if dress & 2 > 0 && kind < 2 {
        let wide = |node: Node| {
            tree.bounds(node).map(|(lo, hi)| (lo, if inner(node) { hi + 0.5 } else { hi }))
        };
        dressed = dressed.with_bounds(tree.nodes().filter_map(wide).collect());
    }
    if dress & 4 > 0 {
        let distortions = tree.distortions().into_iter().map(|level| level * 1.5).collect();
        dressed = dressed.with_distortions(distortions);
    }
    if dress & 8 > 0 {
        let note =
            |node: Node| Origin { note: Some(format!("n{node}").into()), ..Origin::default() };
        dressed = dressed.with_origins(tree.nodes().map(note).collect());
    }
    if dress & 16 > 0 { dressed.built_by(Spec::named("iotf")) } else { dressed }
}

/// An operation on nodes that the numbers choose; it need not be possible.
fn random_operation(tree: &Hierarchy, what: u8, picks: [usize; 3]) -> Operation {
    let at = |pick: usize| Address::of(tree, Node::new(pick % tree.len()));
    let value = |pick: usize| tree.spelling(Leaf::new(pick % tree.n_leaves())).into_owned();
    // Siblings are rare among random nodes, so take children of one parent.
    let parent = tree.parent(Node::new(picks[0] % tree.len())).unwrap_or(Node::ROOT);
    let children: Vec<Node> =
        tree.nodes().filter(|&node| tree.parent(node) == Some(parent)).collect();
    let some: Vec<Address> = match children.len() {
        0 => vec![at(picks[0])],
        n => {
            let start = picks[1] % n;
            let end = (start + 1 + picks[2] % 3).min(n);
            children[start..end].iter().map(|&node| Address::of(tree, node)).collect()
        }
    };
    let label = picks[2].is_multiple_of(2).then(|| format!("new {}", picks[2]));
    let node = at(picks[0]);
    match what % 12 {
        0 => Operation::Rename { node, label },
        1 => Operation::Merge { nodes: some, label },
        2 => Operation::SplitAt { node, at: value(picks[1]) },
        3 => Operation::SplitBy {
            node: Address::of(tree, parent),
            groups: vec![Part { label, nodes: some }],
        },
        4 => Operation::Move { node, below: at(picks[1]) },
        5 => Operation::MoveCut { from: value(picks[0]), to: value(picks[1]) },
        6 => Operation::Insert { nodes: some, label },
        7 => Operation::Remove { node },
        8 => Operation::Prune { node },
        9 => Operation::Lock { node },
        10 => Operation::Unlock { node },
        _ => {
            let method = if tree.leaves().scale().is_some() { "iotf" } else { "frequency" };
            Operation::Regrow { node, method: Spec::named(method) }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn what_is_applied_can_be_undone_and_done_again(
        n in 1usize..24,
        shape in proptest::collection::vec(any::<u8>(), 1..20),
        kind in 0u8..3,
        dress in any::<u8>(),
        steps in proptest::collection::vec((any::<u8>(), any::<[u16; 3]>()), 1..12),
    ) {
        let base = random_tree(n, &shape, kind, dress);
        let mut history = History::new(base.clone());
        let mut states = vec![base.clone()];
        for (what, picks) in steps {
            let operation = random_operation(history.tree(), what, picks.map(usize::from));
            let before = history.tree().clone();
            if history.apply(operation).is_err() {
                prop_assert_eq!(history.tree(), &before, "a refused edit changes nothing");
                continue;
            }
            let tree = history.tree();
            // Every address is found again, and the file form of the tree is readable.
            for node in tree.nodes() {
                prop_assert_eq!(Address::of(tree, node).find(tree).unwrap(), node);
            }
            let mut values: Vec<_> = Leaf::first(tree.n_leaves()).map(|leaf| (tree.spelling(leaf).into_owned(), tree.count(tree.leaf_node(leaf)))).collect();
            let mut first: Vec<_> = Leaf::first(base.n_leaves()).map(|leaf| (base.spelling(leaf).into_owned(), base.count(base.leaf_node(leaf)))).collect();
            values.sort();
            first.sort();
            prop_assert_eq!(values, first, "values keep their records");
            states.push(tree.clone());
        }
        let script = Script::parse(&history.script().to_text()).unwrap();
        let again = History::replay(base, &script).unwrap();
        prop_assert_eq!(again.tree(), history.tree());
        for state in states.iter().rev().skip(1) {
            prop_assert!(history.undo().unwrap().is_some());
            prop_assert_eq!(history.tree(), state);
        }
        for state in &states[1..] {
            prop_assert!(history.redo().unwrap().is_some());
            prop_assert_eq!(history.tree(), state);
        }
    }
}

#[test]
fn deep_trees_are_edited_without_recursion() {
    let n = 100_000u32;
    let mut ranges = Vec::new();
    for start in 0..n - 1 {
        ranges.push((start, n));
        ranges.push((start, start + 1));
    }
    ranges.push((n - 1, n));
    let texts: Vec<String> = (10..n + 10).map(|value| value.to_string()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let values = Values::of_kind(Kind::Number, &texts, None).unwrap().0;
    let leaves = Leaves { attribute: "x".into(), values, counts: Vec::new() };
    let tree = Hierarchy::from_ranges(leaves, &ranges).unwrap();
    let done = |tree: &Hierarchy, operation: &Operation| {
        let edited = apply(tree, operation).unwrap();
        assert_eq!(apply(&edited.tree, &edited.inverse).unwrap().tree, *tree, "{operation:?}");
    };
    let root = Address::covering(["10", "100009"]);
    done(&tree, &Operation::SplitAt { node: root.clone(), at: "100000".into() });
    done(&tree, &Operation::Prune { node: root });
    done(&tree, &Operation::MoveCut { from: "11".into(), to: "100000".into() });
}
