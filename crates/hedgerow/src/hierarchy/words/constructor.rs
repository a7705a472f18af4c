//! Many candidate hierarchies of a column of words, to choose from.

use hashbrown::HashSet;
use twox_hash::XxHash3_64;

use super::levels::Which;
use super::outliers::{Name, Outliers};
use super::perspectives::{self, Facet};
use super::pins::Pins;
use super::vgh::Vgh;
use super::{abstractness, base, levels};
use crate::Result;
use crate::hierarchy::Hierarchy;
use crate::knowledge::{Knowledge, Meaning};
use crate::method::Spec;
use crate::table::Column;

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
/// three ways to call them; those with fewer levels; and those of which one node, or two, are called
/// otherwise. Levels are left out with and without grouping the rare. No tree comes twice.
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
/// candidates are made until there are enough; ours take turns between fewer levels, fewer levels of
/// grouped trees, and other names.
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
    /// The candidates for a column, whose values mean `meanings`, in their order.
    pub fn candidates(&self, column: &Column, meanings: &[Meaning]) -> Result<Vec<Candidate>> {
        let base = base::base(self.knowledge, column, meanings)?;
        let mut kept = Kept::default();
        let lower = abstractness::reduced(&base);
        kept.add("base", base);
        kept.add("low-root", lower.clone());
        let grouped = self.grouped(&lower, &column.domain.counts);
        for (name, vgh) in &grouped {
            kept.add(name, vgh.clone());
        }
        let mut families: Vec<Box<dyn Iterator<Item = Named> + '_>> = vec![
            Box::new(fewer_levels(&lower)),
            Box::new(of_all(&grouped)),
            Box::new(self.seen_otherwise(&lower)),
        ];
        while kept.trees.len() < self.most && !families.is_empty() {
            families.retain_mut(|family| {
                if kept.trees.len() >= self.most {
                    return true;
                }
                family.by_ref().any(|(name, vgh)| kept.add(&name, vgh))
            });
        }
        kept.trees.truncate(self.most);
        let candidate = |(name, vgh): Named| {
            let mut spec = Spec::named("wordnet");
            spec.parameters.insert("candidate".into(), name.as_str().into());
            let hierarchy = vgh.hierarchy(column, self.knowledge)?.built_by(spec);
            Ok(Candidate { name, hierarchy })
        };
        kept.trees.into_iter().map(candidate).collect()
    }

    /// The hierarchy whose root says no less than it must, and nothing else adjusted.
    pub fn plain(&self, column: &Column, meanings: &[Meaning]) -> Result<Hierarchy> {
        let base = base::base(self.knowledge, column, meanings)?;
        abstractness::reduced(&base).hierarchy(column, self.knowledge)
    }

    /// The few values that keep the root from saying more, if there are such.
    pub fn pins(&self, column: &Column, meanings: &[Meaning]) -> Result<Option<Pins>> {
        let lower = abstractness::reduced(&base::base(self.knowledge, column, meanings)?);
        Ok(Pins::of(&lower, column, self.knowledge))
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
    fn seen_otherwise<'b>(&'b self, vgh: &'b Vgh) -> impl Iterator<Item = Named> + 'b {
        let singles = move || perspectives::singles(vgh, self.knowledge, self.alike);
        let one = singles().map(|facet| vec![facet]);
        let two = std::iter::once_with(move || pairs(singles().collect())).flatten();
        (1..).zip(one.chain(two)).map(move |(number, facets)| {
            let tree = perspectives::relabelled(vgh, &facets, self.knowledge);
            (format!("perspective-{number}"), tree)
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
        let is_new = self.seen.insert(XxHash3_64::oneshot(vgh.canonical().as_bytes()));
        if is_new {
            self.trees.push((name.to_owned(), vgh));
        }
        is_new
    }
}

/// A tree with fewer levels, in every way.
fn fewer_levels(vgh: &Vgh) -> impl Iterator<Item = Named> + '_ {
    let most = vgh.layout().height();
    (2..=most).flat_map(move |n_levels| {
        Which::ALL.into_iter().map(move |which| {
            let name = format!("levels-{n_levels}-{}", which.name());
            (name, levels::reduced(vgh, n_levels, which))
        })
    })
}

/// Trees with fewer levels, taking turns between the trees.
fn of_all(trees: &[Named]) -> impl Iterator<Item = Named> + '_ {
    let mut families: Vec<_> = trees
        .iter()
        .map(|(name, vgh)| {
            let renamed = move |(levels, vgh): Named| (format!("{name}-{levels}"), vgh);
            fewer_levels(vgh).map(renamed)
        })
        .collect();
    std::iter::from_fn(move || {
        let turn: Vec<Named> = families.iter_mut().filter_map(Iterator::next).collect();
        (!turn.is_empty()).then_some(turn)
    })
    .flatten()
}

/// Every two facets of different nodes that do not become the same.
fn pairs(facets: Vec<Facet>) -> impl Iterator<Item = Vec<Facet>> {
    let n_facets = facets.len();
    let two = (0..n_facets).flat_map(move |i| (i + 1..n_facets).map(move |j| (i, j)));
    two.map(move |(i, j)| vec![facets[i], facets[j]])
        .filter(|two| two[0].place != two[1].place && two[0].concept != two[1].concept)
}
