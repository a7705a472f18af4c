//! What a release exposes, column by column: values of few people, and values nobody gave.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{IntervalStyle, Release, label};
use crate::hierarchy::{Notation, Spelt};
use crate::problem::{ANY_LEAF, Attribute, Region};
use crate::proposal::Take;
use crate::recoding::Recoding;
use crate::table::Kind;

/// What a release exposes of each quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Exposure {
    /// The values that it spells out, and how many are rare.
    pub spelled: BTreeMap<String, Spelled>,
    /// How many records show a value although theirs is missing, because a missing value matches
    /// anything; columns without such records are left out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub filled: BTreeMap<String, u64>,
}

impl Exposure {
    /// Counts what a release exposes.
    pub fn of(release: &Release<'_>) -> Self {
        Self { spelled: spelled(release), filled: filled(release) }
    }
}

/// The values of a column that a release spells out: as they are, as members of sets, or as ends of
/// intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Spelled {
    /// How many different values.
    pub values: usize,
    /// How many of them fewer than `k` records have.
    pub rare: usize,
}

/// Counts the values of each quasi-identifier that a release spells out.
fn spelled(release: &Release<'_>) -> BTreeMap<String, Spelled> {
    let (recoding, style) = (release.recoding, release.style.intervals);
    let problem = recoding.problem();
    let is_used = used_regions(recoding);
    let columns = problem.attributes().iter().enumerate().map(|(place, attribute)| {
        let counts = attribute.leaf_counts(&problem.cohorts().counts);
        let regions = recoding.regions_of(place).iter().zip(&is_used[place]);
        let shown = regions.filter(|(_, is_used)| **is_used);
        let spelt = attribute.generalization().hierarchy().map(Spelt::of);
        let is_number = attribute.values().kind() == Kind::Number;
        let leaves_of = |region: &Region| match style {
            IntervalStyle::Bounds if is_number => bounds(attribute, region),
            // A midpoint of numbers shows no end.
            IntervalStyle::Midpoint if is_number => {
                let leaves = attribute.spelt_out(region, spelt.as_ref());
                if leaves.len() == 1 { leaves } else { Vec::new() }
            }
            _ => attribute.spelt_out(region, spelt.as_ref()),
        };
        let leaves: BTreeSet<u32> = shown.flat_map(|(region, _)| leaves_of(region)).collect();
        let rare = leaves.iter().filter(|&&leaf| (1..problem.k()).contains(&counts[leaf as usize]));
        let spelled = Spelled { values: leaves.len(), rare: rare.count() };
        (attribute.name().to_owned(), spelled)
    });
    columns.collect()
}

/// The leaves whose values are shown as the bounds of a region of numbers, which may be all of them.
fn bounds(attribute: &Attribute, region: &Region) -> Vec<u32> {
    let values = attribute.values();
    let place = |text: String| values.scale()?.place_of(values.read(&text)?);
    let cells = label::cells(attribute, region, IntervalStyle::Bounds);
    cells.into_iter().filter_map(place).map(|place| place as u32).collect()
}

/// Which regions of each attribute a published class has.
fn used_regions(recoding: &Recoding<'_>) -> Vec<Vec<bool>> {
    let places = 0..recoding.problem().attributes().len();
    let mut is_used: Vec<Vec<bool>> =
        places.map(|place| vec![false; recoding.regions_of(place).len()]).collect();
    for class in 0..recoding.n_classes() {
        let numbers = recoding.numbers(recoding.shape(class));
        for (is_used, &number) in is_used.iter_mut().zip(numbers) {
            is_used[number as usize] = true;
        }
    }
    is_used
}

/// Counts the records of each column that show a value although theirs is missing.
fn filled(release: &Release<'_>) -> BTreeMap<String, u64> {
    let recoding = release.recoding;
    let mut start = 0;
    let mut filled = BTreeMap::new();
    for (place, attribute) in recoding.problem().attributes().iter().enumerate() {
        let says_something = |class: u32| {
            let region = recoding.region(recoding.shape(class as usize), place);
            let label = release.label(release.numbers(class)[start]);
            *region != Region::Unknown && Notation::read(label) != Notation::Anything
        };
        let takes = recoding.takes().iter().filter(|take| {
            take.class != Take::SUPPRESSED
                && attribute.leaves()[take.cohort as usize] == ANY_LEAF
                && says_something(take.class)
        });
        let n_filled: u64 = takes.map(|take| take.count).sum();
        if n_filled > 0 {
            filled.insert(attribute.name().to_owned(), n_filled);
        }
        start += release.columns(place).len();
    }
    filled
}
