//! Candidate hierarchies for a column of words.

use std::collections::VecDeque;

use hashbrown::HashSet;

use super::levels::Which;
use super::outliers::{Name, Outliers};
use super::perspectives::{self, Facet};
use super::pins::Pins;
use super::vgh::Vgh;
use super::{abstractness, base, levels};
use crate::Result;
use crate::hierarchy::Hierarchy;
use crate::knowledge::{Knowledge, Meaning};
use crate::table::Column;

/// Name of the tree with the most specific root, otherwise unadjusted.
pub(super) const LOW_ROOT: &str = "low-root";

/// A candidate hierarchy.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The adjustments that were made, in short: `levels-4-even`.
    pub name: String,
    /// The tree; the origin of each node names its concept and explains how the node came about.
    pub hierarchy: Hierarchy,
}

/// Builds candidate hierarchies from the meanings of values.
///
/// The *base* hierarchy contains the concepts of the values and everything above them, as a tree.
/// The other candidates are derived from it: one with the most specific root; from that one, those
/// whose rare groups are merged, with three ways to label them; from all of these, those with fewer
/// levels; and from all of these again, those in which the concepts of one or two nodes are
/// replaced. No two candidates are equal.
///
/// # Complexity
///
/// A few passes over the nodes for each candidate; grouping outliers takes one comparison for each
/// pair of them.
///
/// # Guarantees
///
/// The same column, meanings and settings give the same candidates in the same order.
///
/// # References
///
/// \[Ayala2016\], section 3.2; METHODS 5.4 to 5.6. Deviation: the paper does not specify in which
/// order, and from which trees, candidates are made until there are enough. Here, trees with fewer
/// levels and trees with replaced concepts take turns, and within each kind the trees they are
/// derived from take turns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Constructor<'a> {
    /// The source of the concepts.
    pub knowledge: &'a Knowledge,
    /// Groups with fewer records are outliers.
    pub k: u64,
    /// Least similarity of outliers to the concept of their group, from 0 to 1.
    pub consistent: f64,
    /// Least similarity of a node's concept to its replacement, from 0 to 1.
    pub alike: f64,
    /// Maximum number of candidates.
    pub most: usize,
}

/// A tree and the name of its adjustments.
#[derive(Clone)]
struct Named {
    name: String,
    vgh: Vgh,
}

impl Constructor<'_> {
    /// Returns the candidates for a column, and the few values that prevent a more specific root,
    /// if any.
    ///
    /// `meanings` are those of the column's values, in their order.
    pub(crate) fn candidates(
        &self,
        column: &Column,
        meanings: &[Meaning],
    ) -> Result<(Vec<Candidate>, Option<Pins>)> {
        let base = base::base(self.knowledge, column, meanings)?;
        let lower = abstractness::reduced(&base, self.knowledge);
        let pins = Pins::of(&lower, column, self.knowledge);
        let mut kept = Kept::default();
        // Trees are deduplicated by content, so an adjustment without effect adds no candidate.
        kept.add("base", base);
        let mut shapes = vec![Named { name: LOW_ROOT.to_owned(), vgh: lower }];
        shapes.extend(self.grouped(&shapes[0].vgh, &column.domain.counts));
        for Named { name, vgh } in &shapes {
            kept.add(name, vgh.clone());
        }
        // Each kind needs at most `most` trees; those with replaced concepts are made lazily.
        let adjusted: Vec<Named> =
            by_turns(shapes.iter().map(fewer_levels)).take(self.most).collect();
        shapes.extend(adjusted.iter().cloned());
        let mut fewer = adjusted.into_iter();
        let mut otherwise = by_turns(shapes.iter().map(|shape| self.seen_otherwise(shape)));
        loop {
            // `any` stops at the first tree that is new, so each kind adds one tree per turn.
            let n_kept = kept.trees.len();
            fewer.by_ref().any(|tree| kept.add(&tree.name, tree.vgh));
            otherwise.by_ref().any(|tree| kept.add(&tree.name, tree.vgh));
            if kept.trees.len() == n_kept || n_kept >= self.most {
                break;
            }
        }
        kept.trees.truncate(self.most);
        let candidate = |Named { name, vgh }: Named| {
            let hierarchy = vgh.hierarchy(column, self.knowledge)?;
            Ok(Candidate { name, hierarchy })
        };
        Ok((kept.trees.into_iter().map(candidate).collect::<Result<_>>()?, pins))
    }

    /// Returns the hierarchy with the most specific root and no other adjustments.
    pub(crate) fn plain(&self, column: &Column, meanings: &[Meaning]) -> Result<Hierarchy> {
        let base = base::base(self.knowledge, column, meanings)?;
        abstractness::reduced(&base, self.knowledge).hierarchy(column, self.knowledge)
    }

    /// Returns the trees whose outliers are merged, all together or in parts.
    fn grouped(&self, vgh: &Vgh, counts: &[u64]) -> Vec<Named> {
        // No variants if the outliers together cannot reach `k`.
        let Some(outliers) = Outliers::of(vgh, self.knowledge, counts, self.k) else {
            return Vec::new();
        };
        let mut trees = Vec::new();
        for (ending, groups) in [("", outliers.together()), ("-parts", outliers.in_parts())] {
            for name in Name::ALL {
                let vgh = outliers.grouped(&groups, name, self.consistent);
                let name = format!("outliers-{}{ending}", name.name());
                trees.extend(vgh.map(|vgh| Named { name, vgh }));
            }
        }
        trees
    }

    /// Returns the trees in which the concept of one node is replaced, then those in which two are.
    fn seen_otherwise<'b>(&'b self, tree: &'b Named) -> impl Iterator<Item = Named> + use<'b> {
        let Named { name, vgh } = tree;
        let singles = move || perspectives::singles(vgh, self.knowledge, self.alike);
        let one = singles().map(|facet| vec![facet]);
        // Pairs are made only when all single replacements are used up.
        let two = std::iter::once_with(move || pairs(singles().collect())).flatten();
        (1..).zip(one.chain(two)).map(move |(number, facets)| {
            let vgh = perspectives::relabelled(vgh, &facets, self.knowledge);
            Named { name: format!("{}perspective-{number}", prefix(name)), vgh }
        })
    }
}

/// Distinct trees in the order in which they were added.
#[derive(Default)]
struct Kept {
    trees: Vec<Named>,
    seen: HashSet<u64>,
}

impl Kept {
    /// Adds a tree unless an equal one was added before; returns whether it was new.
    fn add(&mut self, name: &str, vgh: Vgh) -> bool {
        let is_new = self.seen.insert(vgh.canonical());
        if is_new {
            self.trees.push(Named { name: name.to_owned(), vgh });
        }
        is_new
    }
}

/// Returns the variants of a tree with fewer levels.
fn fewer_levels(tree: &Named) -> impl Iterator<Item = Named> + '_ {
    let Named { name, vgh } = tree;
    let most = vgh.layout().height();
    let choices =
        (2..=most).flat_map(|n_levels| Which::ALL.into_iter().map(move |which| (n_levels, which)));
    choices.map(move |(n_levels, which)| {
        let name = format!("{}levels-{n_levels}-{}", prefix(name), which.name());
        Named { name, vgh: levels::reduced(vgh, n_levels, which) }
    })
}

/// Returns the prefix for the names of trees that are derived from the tree called `name`.
fn prefix(name: &str) -> String {
    if name == LOW_ROOT { String::new() } else { format!("{name}-") }
}

/// Interleaves several iterators: the first item of each, then the second of each, and so on.
fn by_turns<I: Iterator>(families: impl Iterator<Item = I>) -> impl Iterator<Item = I::Item> {
    let mut families: VecDeque<I> = families.collect();
    std::iter::from_fn(move || next_in_turn(&mut families))
}

/// Returns the next item of the first family that has one, and moves that family to the back.
fn next_in_turn<I: Iterator>(families: &mut VecDeque<I>) -> Option<I::Item> {
    while let Some(mut family) = families.pop_front() {
        // A family that is exhausted is dropped.
        if let Some(item) = family.next() {
            families.push_back(family);
            return Some(item);
        }
    }
    None
}

/// Returns all pairs of facets that belong to different nodes and have different concepts.
fn pairs(facets: Vec<Facet>) -> impl Iterator<Item = Vec<Facet>> {
    let n_facets = facets.len();
    let two = (0..n_facets).flat_map(move |i| (i + 1..n_facets).map(move |j| (i, j)));
    two.map(move |(i, j)| vec![facets[i], facets[j]])
        .filter(|two| two[0].place != two[1].place && two[0].concept != two[1].concept)
}
