//! The tree of values that a method walks, with the walk and the sets along it, for display.

use std::fmt::Write;

use super::binary::Binary;
use super::{Avl, Bst, Huffman, Items, Order, avl, bst, huffman, stated_k};
use crate::chart::{BinaryTree, Knot};
use crate::method::{Described, Spec};
use crate::table::Column;
use crate::{Error, Result};

/// A text is not indented further than this number of levels.
const MOST_INDENTED: u32 = 40;

/// The tree that `huffman`, `bst` or `avl` builds from the values of a column, and its walk.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::walked;
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["47"], ["42"], ["35"], ["51"]])?;
/// let found = walked(&"bst:order=pre".parse()?, &table.columns()[0], Some(2))?;
/// assert_eq!(found.walk(), ["47", "42", "35", "51"]);
/// assert_eq!(found.sets(), [vec!["47", "42"], vec!["35", "51"]]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Walked {
    title: String,
    tree: Binary,
    /// The values, in the order of their first records.
    values: Vec<String>,
    counts: Vec<u64>,
    /// The values along the walk.
    walk: Vec<u32>,
    /// The set of each value, from 0; `None` if it is frequent enough to stay.
    set_of: Vec<Option<usize>>,
    members: Vec<Vec<u32>>,
}

/// Builds the tree that a method walks. `k` is used unless the spec has one.
///
/// # Errors
///
/// [`Error::Unknown`] if the method does not walk a tree, and those of the method itself.
pub fn walked(spec: &Spec, column: &Column, k: Option<u64>) -> Result<Walked> {
    let items = Items::of(column)?;
    let (tree, order, own_k) = match spec.name.as_str() {
        "huffman" => {
            Huffman::DESCRIPTION.check(spec)?;
            let Huffman { order, k } = spec.read()?;
            (huffman::tree(&items.counts), order, k)
        }
        "bst" => {
            Bst::DESCRIPTION.check(spec)?;
            let Bst(walk) = spec.read()?;
            (walk.tree(&items, bst::tree), walk.order, walk.k)
        }
        "avl" => {
            Avl::DESCRIPTION.check(spec)?;
            let Avl(walk) = spec.read()?;
            (walk.tree(&items, avl::tree), walk.order, walk.k)
        }
        other => {
            let names = super::ALL.iter().map(|method| method.name);
            return Err(Error::unknown("method that walks a tree", other, names));
        }
    };
    let k = stated_k(&spec.name, own_k.or(k))?;
    let mut walk = tree.walk(order);
    walk.retain(|&node| (node as usize) < items.counts.len());
    let sets = items.sets(&walk, k)?;
    let (mut set_of, mut members, mut start) = (vec![None; items.counts.len()], Vec::new(), 0);
    for (number, &end) in sets.ends.iter().enumerate() {
        let of_set = &sets.members[start..end];
        of_set.iter().for_each(|&item| set_of[item as usize] = Some(number));
        members.push(of_set.to_vec());
        start = end;
    }
    let spell = |&code: &_| column.domain.spelling(code).into_owned();
    Ok(Walked {
        title: format!("{} by {}, k = {k}, {}", column.name, spec.name, told(order)),
        tree,
        values: items.codes.iter().map(spell).collect(),
        counts: items.counts.clone(),
        walk,
        set_of,
        members,
    })
}

fn told(order: Order) -> &'static str {
    match order {
        Order::Pre => "pre-order",
        Order::In => "in-order",
        Order::Post => "post-order",
    }
}

impl Walked {
    /// The values along the walk.
    pub fn walk(&self) -> Vec<&str> {
        self.walk.iter().map(|&item| self.values[item as usize].as_str()).collect()
    }

    /// The members of each set, along the walk.
    pub fn sets(&self) -> Vec<Vec<&str>> {
        let spelt = |items: &Vec<u32>| items.iter().map(|&item| self.value(item)).collect();
        self.members.iter().map(spelt).collect()
    }

    /// The number of records with each member of each set.
    pub(crate) fn set_counts(&self) -> Vec<Vec<u64>> {
        let counted =
            |items: &Vec<u32>| items.iter().map(|&item| self.counts[item as usize]).collect();
        self.members.iter().map(counted).collect()
    }

    /// Prepares a drawing: values in the nodes, numbers of the walk below them, sets in colours.
    pub fn drawing(&self) -> BinaryTree {
        let numbers = self.numbers();
        let child =
            |children: &[Option<u32>], node: usize| children[node].map(|child| child as usize);
        let knot = |node: usize| {
            let (left, right) = (child(&self.tree.left, node), child(&self.tree.right, node));
            match self.values.get(node) {
                None => Knot { left, right, ..Knot::default() },
                Some(value) => Knot {
                    label: value.clone(),
                    title: format!("{value} [{}]", self.counts[node]),
                    number: Some(numbers[node]),
                    group: self.set_of[node],
                    left,
                    right,
                },
            }
        };
        BinaryTree {
            title: self.title.clone(),
            note: format!(
                "{} values, {} sets; numbers are places along the walk, colours are sets",
                self.values.len(),
                self.members.len()
            ),
            knots: (0..self.tree.left.len()).map(knot).collect(),
            root: self.tree.root as usize,
        }
    }

    /// The tree as text: one line for each node, children below their parents, with the number of
    /// records and the place along the walk.
    pub fn text(&self) -> String {
        let numbers = self.numbers();
        let mut out = format!("{}\n", self.title);
        let mut open = vec![(self.tree.root, 0u32, "")];
        while let Some((node, depth, side)) = open.pop() {
            let indent = "  ".repeat(depth.min(MOST_INDENTED) as usize);
            let place = node as usize;
            let _ = match self.values.get(place) {
                None => writeln!(out, "{indent}{side}·"),
                Some(value) => {
                    let set = match self.set_of[place] {
                        Some(set) => format!("set {}", set + 1),
                        None => "stays".to_owned(),
                    };
                    let (count, number) = (self.counts[place], numbers[place]);
                    writeln!(out, "{indent}{side}{value} [{count}]  #{number}, {set}")
                }
            };
            open.extend(self.tree.right[place].map(|child| (child, depth + 1, "right ")));
            open.extend(self.tree.left[place].map(|child| (child, depth + 1, "left ")));
        }
        let _ = writeln!(out, "walk: {}", self.walk().join(" "));
        for (number, members) in (1..).zip(self.sets()) {
            let _ = writeln!(out, "set {number}: {}", members.join(" "));
        }
        out
    }

    fn value(&self, item: u32) -> &str {
        &self.values[item as usize]
    }

    /// The place of each value along the walk, from 1.
    fn numbers(&self) -> Vec<usize> {
        let mut numbers = vec![0; self.values.len()];
        for (number, &item) in (1..).zip(&self.walk) {
            numbers[item as usize] = number;
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn the_example_of_the_paper_is_walked() {
        let ages = ["24", "46", "51", "28", "28", "23", "55", "45", "35", "40"];
        let table = Table::from_rows(&["age"], &ages.map(|age| [age])).unwrap();
        let column = &table.columns()[0];
        let found = walked(&"huffman".parse().unwrap(), column, Some(4)).unwrap();
        assert_eq!(found.sets()[0], ["24", "40", "55", "51"]);
        assert!(found.text().ends_with("set 2: 45 23 28 46 35\n"), "{}", found.text());
        assert_eq!(found.drawing().knots.len(), 17);
        let error = walked(&"iotf".parse().unwrap(), column, Some(4)).unwrap_err().to_string();
        assert!(error.contains("huffman"), "{error}");
    }
}
