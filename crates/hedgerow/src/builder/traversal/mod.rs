//! Generalization sets from the values of a column in the order of a tree walk.

mod binary;
mod rules;
mod huffman;
mod bst;
mod avl;
mod walked;

pub use avl::Avl;
pub use bst::Bst;
pub use huffman::Huffman;
pub use walked::{Walked, walked};

use serde::{Deserialize, Serialize};

use self::binary::Binary;
use self::rules::Sets;
use super::{HierarchyBuilder, method};
use crate::error::{Advice, Unmet};
use crate::hierarchy::{Generalization, Hierarchy, Leaves, write_set};
use crate::method::{Make, Method, Parameter, Type};
use crate::noun::counted;
use crate::table::{Code, Column, Values};
use crate::{Error, Result};

/// Every method that walks a tree of the values.
pub(super) const ALL: &[Method<Make<dyn HierarchyBuilder>>] =
    &[method::<Huffman>(), method::<Bst>(), method::<Avl>()];

/// The moment when a walk visits a node: before, between or after its subtrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Node, left, right.
    Pre,
    /// Left, node, right.
    #[default]
    In,
    /// Left, right, node.
    Post,
}

/// The key that a search tree compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Key {
    /// The values themselves.
    #[default]
    Value,
    /// Their frequencies; a key equal to that of a node goes to its right.
    Frequency,
}

/// A walk through a search tree of the values, along which sets are collected.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Walk {
    /// The order of the walk.
    pub order: Order,
    /// The key that the tree compares.
    pub key: Key,
    /// Least number of records in a set; defaults to the `k` of the release.
    pub k: Option<u64>,
}

impl Walk {
    /// Parameters that users can set.
    const PARAMETERS: &[Parameter] = &[
        Parameter::new(
            "order",
            Type::Choice(&["pre", "in", "post"]),
            "when the walk visits a node: before, between or after its subtrees",
        )
        .or("in"),
        Parameter::new("key", Type::Choice(&["value", "frequency"]), "the key of the tree")
            .or("value"),
        Parameter::new(
            "k",
            Type::at_least(1),
            "least number of records in a set; that of the release if not given",
        ),
    ];

    /// Builds the generalization of a column for the method called `method`.
    ///
    /// `tree` builds a tree from items that are sorted by the key and numbered in insertion order.
    fn build(
        &self,
        method: &str,
        column: &Column,
        tree: fn(&[u32]) -> Binary,
    ) -> Result<Generalization> {
        let k = stated_k(method, self.k)?;
        let items = Items::of(column)?;
        let walk = self.tree(&items, tree).walk(self.order);
        items.generalized(&walk, k)
    }

    /// Builds the tree that is walked.
    fn tree(&self, items: &Items<'_>, tree: fn(&[u32]) -> Binary) -> Binary {
        tree(&items.sorted_by(self.key))
    }

    /// See [`HierarchyBuilder::for_k`].
    fn for_k(&mut self, k: u64) -> bool {
        self.k.get_or_insert(k);
        true
    }
}

/// The distinct values of a column in the order of their first record.
///
/// They include the missing value if it counts as a value of its own.
struct Items<'a> {
    column: &'a Column,
    codes: Vec<Code>,
    counts: Vec<u64>,
}

impl<'a> Items<'a> {
    fn of(column: &'a Column) -> Result<Self> {
        let domain = &column.domain;
        if domain.is_empty() {
            return Err(Error::no_values(&column.name));
        }
        // The code of the missing value follows those of the other values.
        let missing = domain.missing.iter().filter(|missing| missing.is_value);
        let mut items: Vec<(u64, Code, u64)> = (domain.first_rows.iter().zip(&domain.counts))
            .map(|(&row, &count)| (row, count))
            .chain(missing.map(|missing| (missing.first_row, missing.count)))
            .zip(domain.codes())
            .map(|((row, count), code)| (row, code, count))
            .collect();
        items.sort_unstable();
        let codes = items.iter().map(|item| item.1).collect();
        Ok(Self { column, codes, counts: items.iter().map(|item| item.2).collect() })
    }

    /// Returns the items sorted by a key; ties keep the order of the items.
    fn sorted_by(&self, key: Key) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.codes.len() as u32).collect();
        match key {
            Key::Value => order.sort_by_key(|&item| self.codes[item as usize]),
            Key::Frequency => order.sort_by_key(|&item| self.counts[item as usize]),
        }
        order
    }

    /// Builds the tree of the sets along a walk.
    ///
    /// It has one level below the root: first the sets, then, in their order, the values that are
    /// frequent enough to be published as they are.
    fn generalized(&self, walk: &[u32], k: u64) -> Result<Generalization> {
        let sets = self.sets(walk, k)?;
        let n_values = self.codes.len() as u32;
        // A set of all values is the root itself.
        let is_whole = sets.ends.first() == Some(&self.codes.len());
        let mut is_member = vec![false; self.codes.len()];
        sets.members.iter().for_each(|&item| is_member[item as usize] = true);
        // Values outside sets follow, sorted by value for every order of the walk.
        let sorted = self.sorted_by(Key::Value).into_iter();
        let untouched = sorted.filter(|&item| !is_member[item as usize]);
        let leaves: Vec<u32> = sets.members.iter().copied().chain(untouched).collect();
        let spell = |&item: &u32| self.column.domain.spelling(self.codes[item as usize]);

        let (mut ranges, mut labels) = (Vec::new(), Vec::new());
        let mut add = |start: usize, end: usize, label: String| {
            ranges.push((start as u32, end as u32));
            labels.push(label.into_boxed_str());
        };
        if n_values > 1 && !is_whole {
            add(0, leaves.len(), "*".to_owned());
        }
        let mut start = 0;
        for &end in &sets.ends {
            let members: Vec<_> = leaves[start..end].iter().map(spell).collect();
            add(start, end, write_set(&members));
            (start..end).for_each(|leaf| add(leaf, leaf + 1, spell(&leaves[leaf]).into_owned()));
            start = end;
        }
        (start..leaves.len())
            .for_each(|leaf| add(leaf, leaf + 1, spell(&leaves[leaf]).into_owned()));

        let spellings = leaves.iter().map(|item| spell(item).into()).collect();
        let leaves = Leaves {
            attribute: self.column.name.clone(),
            values: match &self.column.domain.values {
                Values::Code(_) => Values::Code(spellings),
                _ => Values::Text(spellings), // a set is not a range of neighbouring numbers
            },
            counts: leaves.iter().map(|&item| self.counts[item as usize]).collect(),
        };
        Ok(Hierarchy::from_ranges(leaves, &ranges)?.with_labels(labels).into())
    }

    /// The sets along a walk.
    fn sets(&self, walk: &[u32], k: u64) -> Result<Sets> {
        // Wildcard records can join any set, so together they may lift the whole column to `k`.
        match rules::sets(walk, &self.counts, k) {
            Some(sets) => Ok(sets),
            None if self.n_records() + self.n_wildcards() >= k => Ok(Sets::whole(walk)),
            None => Err(self.too_few(k)),
        }
    }

    fn n_records(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the number of records with a missing value that matches any value.
    fn n_wildcards(&self) -> u64 {
        let missing = self.column.domain.missing.iter().filter(|missing| missing.is_wildcard);
        missing.map(|missing| missing.count).sum()
    }

    fn too_few(&self, k: u64) -> Error {
        let (n_records, n_wildcards) = (self.n_records(), self.n_wildcards());
        let (name, best) = (&self.column.name, n_records + n_wildcards);
        let problem = format!(
            "k is {k}, but column '{name}' has only {} with a value{}, so no set of its values has {k}",
            counted(n_records, "record"),
            match n_wildcards {
                0 => String::new(),
                n => format!(" and {n} that match any value"),
            }
        );
        let unmet = Unmet {
            model: "k-anonymity".to_owned(),
            column: None,
            asked: k as f64,
            best: best as f64,
            eased: None,
        };
        Error::Unreachable {
            problem,
            unmet: Some(Box::new(unmet)),
            advice: vec![Advice::words(format!("choose k of at most {best}"))],
        }
    }
}

/// Returns the `k` that sets must reach, or an error that explains how to set one.
fn stated_k(method: &str, k: Option<u64>) -> Result<u64> {
    k.ok_or_else(|| Error::no_k(method, "sets"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Format, lint};
    use crate::hierarchy::{Node, tree_of};
    use crate::table::{Columns, Encoding, MissingPolicy, Table};

    fn tree(values: &[&str], k: u64) -> Hierarchy {
        let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let avl = Avl(Walk { k: Some(k), ..Walk::default() });
        tree_of(avl.build(&table.columns()[0]).unwrap()).unwrap()
    }

    #[test]
    fn frequent_values_lie_below_the_root_in_their_order() {
        let tree = tree(&["9", "9", "30", "4", "30", "7"], 2);
        assert_eq!(tree.outline(), "*({4-7}(4,7),9,30)");
        assert_eq!((tree.count(Node::ROOT), tree.count(Node::new(1))), (6, 2));
    }

    #[test]
    fn a_set_of_everything_is_the_root() {
        assert_eq!(tree(&["b", "a"], 2).outline(), "{a-b}(a,b)");
        assert_eq!(tree(&["a", "a"], 2).outline(), "a");
    }

    #[test]
    fn a_missing_value_is_a_member_like_any_other() {
        assert_eq!(tree(&["5", "", "7", "7"], 2).outline(), "*({5-\"\"}(5,),7)");
    }

    #[test]
    fn records_that_match_anything_fill_a_set() {
        let built = |values: &[&str], k| {
            let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
            let encoding = Encoding { missing: MissingPolicy::Wildcard, ..Encoding::default() };
            let table = Table::encode(&Columns::quasi(&["x"]), &rows, &encoding).unwrap();
            let avl = Avl(Walk { k: Some(k), ..Walk::default() });
            avl.build(&table.columns()[0]).map(|built| tree_of(built).unwrap().outline())
        };
        assert_eq!(built(&["b", "", "a", ""], 4).unwrap(), "{a-b}(a,b)");
        assert_eq!(built(&["a", "", ""], 3).unwrap(), "a");
        let error = built(&["a", "", ""], 4).unwrap_err();
        assert!(error.to_string().contains("no set of its values has 4"), "{error}");
        let Error::Unreachable { unmet: Some(unmet), .. } = error else { panic!("{error}") };
        assert_eq!((unmet.asked, unmet.best), (4.0, 3.0));
    }

    #[test]
    fn without_k_the_error_says_where_it_goes() {
        let table = Table::from_rows(&["x"], &[["a"]]).unwrap();
        let message = Avl::default().build(&table.columns()[0]).unwrap_err().to_string();
        assert!(message.ends_with("avl:k=5"), "{message}");
    }

    #[test]
    fn a_file_brings_the_sets_back_and_nothing_odd_is_found_in_it() {
        for values in [["40", "9", "10", "11", "11", ""], ["3", "1", "2", "2", "8", "8"]] {
            let tree = tree(&values, 2);
            let format = Format::named("json").unwrap();
            let written = String::from_utf8(format.encode(&tree, false).unwrap().bytes).unwrap();
            assert_eq!(format.read(&written, None).unwrap(), tree);
            let found = lint::check(&(format.item.parse)(&written, None).unwrap(), None);
            assert!(found.is_empty(), "{found:?}\n{written}");
        }
    }
}
