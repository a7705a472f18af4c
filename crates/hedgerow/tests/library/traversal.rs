//! Generalization sets compared with a literal implementation of METHODS 2: boxed trees, built by
//! insertion.

use std::sync::Arc;

use crate::cases::cases;
use hedgerow::anonymize::{self, Anonymizer, Traversal};
use hedgerow::builder;
use hedgerow::hierarchy::Notation;
use hedgerow::measure;
use hedgerow::method::Spec;
use hedgerow::privacy::{self, KAnonymity, Known, Secret};
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::release::{Release, RowOrder, Style};
use hedgerow::table::{Columns, Encoding, Table};
use proptest::prelude::*;

/// A value with its count, and the key it is compared by.
#[derive(Debug, Clone, Copy)]
struct Item {
    key: u64,
    value: u32,
    count: u64,
}

type Link = Option<Box<Node>>;

struct Node {
    item: Item,
    left: Link,
    right: Link,
}

fn height(link: &Link) -> i32 {
    link.as_ref().map_or(0, |node| 1 + height(&node.left).max(height(&node.right)))
}

fn insert(link: Link, item: Item, is_balanced: bool) -> Link {
    let Some(mut node) = link else {
        return Some(Box::new(Node { item, left: None, right: None }));
    };
    if item.key < node.item.key {
        node.left = insert(node.left.take(), item, is_balanced);
    } else {
        node.right = insert(node.right.take(), item, is_balanced);
    }
    if is_balanced { balanced(node) } else { Some(node) }
}

fn balanced(mut node: Box<Node>) -> Link {
    match height(&node.left) - height(&node.right) {
        2 => {
            let child = node.left.take().unwrap();
            let is_inner = height(&child.right) > height(&child.left);
            node.left = if is_inner { lift_right(child) } else { Some(child) };
            lift_left(node)
        }
        -2 => {
            let child = node.right.take().unwrap();
            let is_inner = height(&child.left) > height(&child.right);
            node.right = if is_inner { lift_left(child) } else { Some(child) };
            lift_right(node)
        }
        _ => Some(node),
    }
}

fn lift_left(mut node: Box<Node>) -> Link {
    let mut top = node.left.take()?;
    node.left = top.right.take();
    top.right = Some(node);
    Some(top)
}

fn lift_right(mut node: Box<Node>) -> Link {
    let mut top = node.right.take()?;
    node.right = top.left.take();
    top.left = Some(node);
    Some(top)
}

fn walk(link: &Link, order: &str, found: &mut Vec<Item>) {
    let Some(node) = link else { return };
    if order == "pre" {
        found.push(node.item);
    }
    walk(&node.left, order, found);
    if order == "in" {
        found.push(node.item);
    }
    walk(&node.right, order, found);
    if order == "post" {
        found.push(node.item);
    }
}

/// Implements METHODS 2.2 line by line; `None` if there are fewer than `k` records.
fn sets(order: &[Item], k: u64) -> Option<Vec<Vec<u32>>> {
    let (small, big): (Vec<Item>, Vec<Item>) = order.iter().partition(|item| item.count < k);
    let (mut parts, mut current, mut sum) = (Vec::new(), Vec::new(), 0);
    for item in small {
        current.push(item.value);
        sum += item.count;
        if sum >= k {
            parts.push(std::mem::take(&mut current));
            sum = 0;
        }
    }
    if !current.is_empty() {
        if let Some(last) = parts.last_mut() {
            last.append(&mut current);
        } else {
            let exact = big.iter().find(|item| item.count == k);
            current.push(exact.or_else(|| big.iter().find(|item| item.count > k))?.value);
            parts.push(current);
        }
    }
    Some(parts)
}

/// Returns the distinct values in the order of their first record.
fn items(values: &[u32], key: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for &value in values {
        match items.iter_mut().find(|item| item.value == value) {
            Some(item) => item.count += 1,
            None => items.push(Item { key: value.into(), value, count: 1 }),
        }
    }
    if key == "frequency" {
        items.iter_mut().for_each(|item| item.key = item.count);
    }
    items
}

fn table(values: &[u32]) -> Table {
    let rows: Vec<[String; 1]> = values.iter().map(|value| [value.to_string()]).collect();
    Table::from_rows(&["x"], &rows).unwrap()
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn search_trees_are_those_of_insertion(
        values in prop::collection::vec(0..60u32, 1..150),
        k in 1..12u64,
    ) {
        let table = table(&values);
        for (tree, order, key) in [
            ("bst", "pre", "value"), ("bst", "in", "value"), ("bst", "post", "value"),
            ("avl", "pre", "value"), ("avl", "in", "value"), ("avl", "post", "value"),
            ("bst", "pre", "frequency"), ("bst", "in", "frequency"), ("bst", "post", "frequency"),
            ("avl", "pre", "frequency"), ("avl", "in", "frequency"), ("avl", "post", "frequency"),
        ] {
            let mut root = None;
            for item in items(&values, key) {
                root = insert(root, item, tree == "avl");
            }
            let mut walked = Vec::new();
            walk(&root, order, &mut walked);
            let spec: Spec = format!("{tree}:order={order},key={key}").parse().unwrap();
            let built = builder::build(&spec, &table.columns()[0], Some(k));
            let Some(wanted) = sets(&walked, k) else {
                let is_refused = matches!(built, Err(hedgerow::Error::Unreachable { .. }));
                prop_assert!(is_refused);
                continue;
            };
            let built = built.unwrap();
            let built = built.hierarchy().unwrap();
            let found: Vec<Vec<u32>> = built
                .nodes()
                .filter_map(|node| match Notation::read(&built.label(node)) {
                    Notation::Set(members) => Some(members),
                    _ => None,
                })
                .map(|members| members.iter().map(|member| member.parse().unwrap()).collect())
                .collect();
            prop_assert_eq!(found, wanted, "{}", spec);
        }
    }

    #[test]
    fn what_is_published_gives_the_sets_back(
        values in prop::collection::vec(0..30u32, 1..80),
        k in 1..9u64,
    ) {
        let table = table(&values);
        let n_values = table.columns()[0].domain.len();
        for tree in ["huffman", "bst", "avl"] {
            let spec: Spec = format!("traversal:tree={tree}").parse().unwrap();
            let method: Box<dyn Anonymizer> = anonymize::from_spec(&spec).unwrap();
            let own = method.hierarchy();
            let Ok(built) = builder::build(own.as_ref().unwrap(), &table.columns()[0], Some(k)) else {
                prop_assert!((values.len() as u64) < k);
                continue;
            };
            let model = KAnonymity::new(k).unwrap();
            let problem = Problem::new(&table, vec![built], vec![Box::new(model)]).unwrap();
            let recoding = problem.solve(&*method, &Silent).unwrap();
            let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
            let shown = Table::from_rows(&["x"], &release.rows(RowOrder::Input, &Silent).unwrap()).unwrap();
            let sets = &measure::sets(&table, &shown)["x"];
            let n_in_sets: usize = sets.counts.iter().map(Vec::len).sum();
            prop_assert_eq!((sets.n_records, sets.n_values), (values.len() as u64, n_values));
            prop_assert_eq!(recoding.n_classes(), sets.counts.len() + n_values - n_in_sets);
            prop_assert!(sets.counts.iter().all(|counts| counts.iter().sum::<u64>() >= k));
        }
    }
}

/// Only the first set, of two records, has fewer than two distinct sensitive values.
#[test]
fn a_set_that_fails_a_model_is_merged_with_one_other() {
    let rows = [["1", "a"], ["1", "a"], ["2", "a"], ["2", "b"], ["3", "a"], ["3", "b"], ["3", "c"]];
    let columns = Columns::quasi(&["x"]).and_beside(&["s"]);
    let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
    let n_classes = |l: u64, most_suppressed: u64| {
        let secrets = [Arc::new(Secret::of(&table, "s").unwrap())];
        let known = Known { table: &table, secrets: &secrets, has_population: false };
        let model = privacy::from_spec(&format!("l-diversity:l={l}").parse().unwrap(), &known);
        let avl = builder::build(&"avl".parse().unwrap(), &table.columns()[0], Some(2)).unwrap();
        let limits = Limits { most_suppressed, ..Limits::default() };
        let problem = Problem::with_limits(&table, vec![avl], model.unwrap(), limits).unwrap();
        let found = problem.solve(&Traversal::default(), &Silent).unwrap();
        (found.n_classes(), found.n_suppressed())
    };
    assert_eq!(n_classes(2, 0), (2, 0));
    assert_eq!(n_classes(2, 2), (2, 2), "the set that fails is suppressed, the others stay");
    // Three distinct values need three records; two of the sets have only two, and together they
    // still have too few values.
    assert_eq!(n_classes(3, 4), (1, 4), "what fails is suppressed, {{3}} stays");
    assert_eq!(n_classes(3, 0), (1, 0));
}
