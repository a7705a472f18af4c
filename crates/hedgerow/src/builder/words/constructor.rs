//! Many candidate hierarchies of a column of words, to choose from.

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

/// The tree whose root says no less than it must.
pub(super) const LOW_ROOT: &str = "low-root";

/// A hierarchy that might do.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// What was adjusted, in a few words: `levels-4-even`.
    pub name: String,
    /// The tree; every node says what concept it stands for, and how it came about.
    pub hierarchy: Hierarchy,
}

/// Makes candidates of what values mean.
///
/// The *base* hierarchy is everything above the values' concepts, made a tree. From it come others: one
/// whose root says no less than it must; from this, those whose rare groups are put together, with
/// three ways to call them; from all these, those with fewer levels; and from all these again, those
/// of which one node, or two, are called otherwise. No tree comes twice.
///
/// # Complexity
///
/// A few passes over the nodes for each candidate; grouping outliers takes a comparison for each pair
/// of them.
///
/// # Guarantees
///
/// The same column, meanings and settings give the same candidates in the same order.
///
/// # References
///
/// \[Ayala2016\], section 3.2; METHODS 5.4 to 5.6. Deviation: the paper does not say in what order
/// candidates are made until there are enough, nor from which; ours take turns between fewer levels and
/// other names, and each of these between the trees they can be made from.
#[derive(Debug, Clone, Copy)]
pub struct Constructor<'a> {
    /// What the concepts are of.
    pub knowledge: &'a Knowledge,
    /// Groups of fewer records are outliers.
    pub k: u64,
    /// How alike outliers must be to the name of their group, from 0 to 1.
    pub consistent: f64,
    /// How alike a node must be to what it is called instead, from 0 to 1.
    pub alike: f64,
    /// How many candidates at most.
    pub most: usize,
}

/// A tree with what was adjusted.
type Named = (String, Vgh);

impl Constructor<'_> {
    /// The candidates for a column, whose values mean `meanings`, in their order; and the few values
    /// that keep the root from saying more, if there are such.
    pub fn candidates(
        &self,
        column: &Column,
        meanings: &[Meaning],
    ) -> Result<(Vec<Candidate>, Option<Pins>)> {
        let base = base::base(self.knowledge, column, meanings)?;
        let lower = abstractness::reduced(&base);
        let pins = Pins::of(&lower, column, self.knowledge);
        let mut kept = Kept::default();
        kept.add("base", base);
        let mut shapes = vec![(LOW_ROOT.to_owned(), lower)];
        shapes.extend(self.grouped(&shapes[0].1, &column.domain.counts));
        for (name, vgh) in &shapes {
            kept.add(name, vgh.clone());
        }
        let fewer: Vec<Named> = by_turns(shapes.iter().map(fewer_levels)).take(self.most).collect();
        shapes.extend(fewer.iter().cloned());
        let mut fewer = fewer.into_iter();
        let mut otherwise = by_turns(shapes.iter().map(|shape| self.seen_otherwise(shape)));
        loop {
            let n_kept = kept.trees.len();
            fewer.by_ref().any(|(name, vgh)| kept.add(&name, vgh));
            otherwise.by_ref().any(|(name, vgh)| kept.add(&name, vgh));
            if kept.trees.len() == n_kept || n_kept >= self.most {
                break;
            }
        }
        kept.trees.truncate(self.most);
        let candidate = |(name, vgh): Named| {
            let hierarchy = vgh.hierarchy(column, self.knowledge)?;
            Ok(Candidate { name, hierarchy })
        };
        Ok((kept.trees.into_iter().map(candidate).collect::<Result<_>>()?, pins))
    }

    /// The hierarchy whose root says no less than it must, and nothing else adjusted.
    pub fn plain(&self, column: &Column, meanings: &[Meaning]) -> Result<Hierarchy> {
        let base = base::base(self.knowledge, column, meanings)?;
        abstractness::reduced(&base).hierarchy(column, self.knowledge)
    }

    /// The trees whose outliers are put together, all of them or in parts.
    fn grouped(&self, vgh: &Vgh, counts: &[u64]) -> Vec<Named> {
        let Some(outliers) = Outliers::of(vgh, self.knowledge, counts, self.k) else {
            return Vec::new();
        };
        let mut trees = Vec::new();
        for (ending, groups) in [("", outliers.together()), ("-parts", outliers.in_parts())] {
            for name in Name::ALL {
                let tree = outliers.grouped(&groups, name, self.consistent);
                trees.extend(tree.map(|tree| (format!("outliers-{}{ending}", name.name()), tree)));
            }
        }
        trees
    }

    /// The trees of which one node is called otherwise, then those of which two are.
    fn seen_otherwise<'b>(
        &'b self,
        (name, vgh): &'b Named,
    ) -> impl Iterator<Item = Named> + use<'b> {
        let singles = move || perspectives::singles(vgh, self.knowledge, self.alike);
        let one = singles().map(|facet| vec![facet]);
        let two = std::iter::once_with(move || pairs(singles().collect())).flatten();
        (1..).zip(one.chain(two)).map(move |(number, facets)| {
            let tree = perspectives::relabelled(vgh, &facets, self.knowledge);
            (format!("{}perspective-{number}", prefix(name)), tree)
        })
    }
}

/// Trees that differ, in the order they came.
#[derive(Default)]
struct Kept {
    trees: Vec<Named>,
    seen: HashSet<u64>,
}

impl Kept {
    /// Adds a tree unless there is the same already; returns whether it was new.
    fn add(&mut self, name: &str, vgh: Vgh) -> bool {
        let is_new = self.seen.insert(vgh.canonical());
        if is_new {
            self.trees.push((name.to_owned(), vgh));
        }
        is_new
    }
}

/// A tree with fewer levels, in every way.
fn fewer_levels((name, vgh): &Named) -> impl Iterator<Item = Named> + '_ {
    let most = vgh.layout().height();
    (2..=most).flat_map(move |n_levels| {
        Which::ALL.into_iter().map(move |which| {
            let name = format!("{}levels-{n_levels}-{}", prefix(name), which.name());
            (name, levels::reduced(vgh, n_levels, which))
        })
    })
}

/// What the name of a tree begins with that was made of another.
fn prefix(name: &str) -> String {
    if name == LOW_ROOT { String::new() } else { format!("{name}-") }
}

/// What several give, the first of each, then the second of each, and so on.
fn by_turns<I: Iterator>(families: impl Iterator<Item = I>) -> impl Iterator<Item = I::Item> {
    let mut families: VecDeque<I> = families.collect();
    std::iter::from_fn(move || {
        while let Some(mut family) = families.pop_front() {
            if let Some(item) = family.next() {
                families.push_back(family);
                return Some(item);
            }
        }
        None
    })
}

/// Every two facets of different nodes that do not become the same.
fn pairs(facets: Vec<Facet>) -> impl Iterator<Item = Vec<Facet>> {
    let n_facets = facets.len();
    let two = (0..n_facets).flat_map(move |i| (i + 1..n_facets).map(move |j| (i, j)));
    two.map(move |(i, j)| vec![facets[i], facets[j]])
        .filter(|two| two[0].place != two[1].place && two[0].concept != two[1].concept)
}
