//! The regions of a proposal that publish each leaf, and the uniformity of the recoding.

use hashbrown::HashSet;

use super::{Proposal, Take};
use crate::hierarchy::{Entry, Level};
use crate::method::Scope;
use crate::problem::{Attribute, Problem, Region};

/// The regions of a proposal that publish each leaf.
pub(crate) struct Uses {
    /// For each attribute and region, the number of published records.
    pub(crate) counts: Vec<Vec<u64>>,
    /// For each attribute and leaf, the region that publishes it; the first of several.
    pub(crate) of_leaf: Vec<Vec<Option<u32>>>,
    /// Whether no leaf has several regions.
    pub(crate) is_global: bool,
}

impl Uses {
    pub(crate) fn of(problem: &Problem, recoding: &Proposal) -> Self {
        let attributes = problem.attributes();
        let n_regions = (0..attributes.len()).map(|place| recoding.regions_of(place).len());
        let mut uses = Self {
            counts: n_regions.map(|n| vec![0; n]).collect(),
            of_leaf: attributes.iter().map(|a| vec![None; a.n_leaves()]).collect(),
            is_global: true,
        };
        for &Take { cohort, class, count } in recoding.takes().iter().filter(|take| take.count > 0)
        {
            let Some(class) = class else { continue };
            let regions = recoding.numbers(recoding.shape(class));
            for (place, (&region, attribute)) in regions.iter().zip(attributes).enumerate() {
                uses.counts[place][region as usize] += count;
                match attribute.leaves()[cohort.index()].known() {
                    Some(leaf) => {
                        let first = uses.of_leaf[place][leaf.index()].get_or_insert(region);
                        uses.is_global &= *first == region;
                    }
                    // A value that matches any is published by a global recoding as missing.
                    None => {
                        let shown = &recoding.regions_of(place)[region as usize];
                        uses.is_global &= *shown == Region::Unknown;
                    }
                }
            }
        }
        uses
    }

    /// The uniformity with which the values are published.
    fn scope(&self, problem: &Problem, recoding: &Proposal) -> Scope {
        let attributes = problem.attributes().iter().enumerate();
        let has_level = |(place, attribute): (usize, &Attribute)| {
            level(attribute, recoding.regions_of(place), &self.of_leaf[place]).is_some()
        };
        match self.is_global {
            false => Scope::Local,
            true if attributes.into_iter().all(has_level) => Scope::FullDomain,
            true => Scope::Global,
        }
    }
}

impl Proposal {
    /// Whether records were selected from a class for suppression: whether a suppressed record fits
    /// a published class, on the levels of a full-domain generalization.
    pub(crate) fn is_class_divided(&self, problem: &Problem) -> bool {
        let classes = self.takes().iter().filter_map(|take| take.class);
        let shapes: HashSet<&[u32]> =
            classes.map(|class| self.numbers(self.shape(class))).collect();
        let fits = |take: &Take| {
            let attributes = problem.attributes().iter().enumerate();
            let numbers = attributes.map(|(place, attribute)| {
                let leaf = attribute.leaves()[take.cohort.index()];
                let regions = self.regions_of(place).iter();
                // A value that matches any is published as missing, like in [`Uses::of`].
                let mut found = (0..).zip(regions).filter(|(_, region)| match leaf.known() {
                    Some(_) => attribute.covers(region, leaf),
                    None => **region == Region::Unknown,
                });
                found.next().map(|(number, _)| number)
            });
            numbers.collect::<Option<Vec<u32>>>().is_some_and(|numbers| shapes.contains(&*numbers))
        };
        self.takes().iter().filter(|take| take.class.is_none() && take.count > 0).any(fits)
    }

    /// The uniformity with which the published records are recoded, whichever method did it.
    pub fn scope(&self, problem: &Problem) -> Scope {
        Uses::of(problem, self).scope(problem, self)
    }
}

/// The level on which all leaves are published, if there is one; the highest of several, because it
/// reveals least about values that were not published.
pub(crate) fn level(
    attribute: &Attribute,
    regions: &[Region],
    of_leaf: &[Option<u32>],
) -> Option<Level> {
    let generalization = attribute.generalization();
    let levels = generalization.levels()?;
    let is_level = |entries: &Vec<Entry>| {
        entries.iter().zip(of_leaf).all(|(&entry, region)| {
            region.is_none_or(|region| {
                // A rare value is published like the group above it, on any level.
                let entry = attribute.without_rare(Region::of_entry(generalization, entry));
                regions[region as usize] == entry
            })
        })
    };
    levels.nodes.iter().rposition(is_level).map(Level::new)
}
