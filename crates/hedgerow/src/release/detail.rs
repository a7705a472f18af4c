//! The precision with which a release publishes each column, in the units of its own values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::Release;
use crate::hierarchy::{Generalization, Notation};
use crate::problem::{Attribute, Region};
use crate::proposal::Take;
use crate::table::{Domain, Kind, Scale, Values};

/// Number of seconds in a day.
const DAY: f64 = 24.0 * 60.0 * 60.0;

/// The precision with which a release publishes a quasi-identifier.
///
/// Every published record is counted once: as unchanged, as missing, as hidden, as filled, in a
/// range or in a group. The shares are shares of the published records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Detail {
    /// The kind of the column.
    pub kind: Kind,
    /// Number of distinct values that a cell can have; missing values count as one if they are a
    /// value of their own.
    pub values: usize,
    /// Share of the records that show exactly the value of the original.
    pub unchanged: f64,
    /// Share of the records whose value is missing, and which show that.
    #[serde(skip_serializing_if = "is_none")]
    pub missing: f64,
    /// Share of the records that show nothing: `*`, or, in styles other than intervals, the
    /// whole range of the column, or an empty cell.
    pub hidden: f64,
    /// Share of the records whose value is missing and which show the value of their class.
    #[serde(skip_serializing_if = "is_none")]
    pub filled: f64,
    /// Whether hidden records show `*`.
    #[serde(skip)]
    pub has_stars: bool,
    /// Records that show a range of numbers or dates. The width is the greatest end minus the
    /// least; for dates it is the number of calendar days that the range touches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranges: Option<Spread>,
    /// Records that show a set, a name or a code that is not complete. The width is the number of
    /// values that the group contains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Spread>,
    /// Shares of the records whose codes are shortened, by the number of characters that are left.
    /// They are also counted in groups.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub shortened: BTreeMap<usize, f64>,
}

/// Widths of generalized values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Spread {
    /// Share of the records with such a value.
    pub share: f64,
    /// Mean width, over the records with such a value.
    pub mean: f64,
    /// Greatest width.
    pub most: f64,
}

impl Detail {
    /// Describes every quasi-identifier of a release, in their order, without suppressed records
    /// unless `has_suppressed`.
    pub fn of(release: &Release, has_suppressed: bool) -> Vec<(String, Self)> {
        let recoding = release.recoding();
        let (table, attributes) = (recoding.problem().table(), recoding.problem().attributes());
        let tuple = |cohort| table.cohorts().tuple(cohort);
        let mut tallies: Vec<Vec<Tally>> = (0..attributes.len())
            .map(|place| vec![Tally::default(); recoding.regions_of(place).len()])
            .collect();
        let mut n_suppressed = 0;
        for &Take { cohort, class, count } in recoding.takes() {
            let Some(class) = class else {
                n_suppressed += count;
                continue;
            };
            let regions = recoding.numbers(recoding.shape(class));
            for (place, (&region, tallies)) in regions.iter().zip(&mut tallies).enumerate() {
                let tally = &mut tallies[region as usize];
                // The code of missing values follows those of the values.
                let is_missing =
                    tuple(cohort)[place].index() >= table.columns()[place].domain.len();
                // Wildcards show the value of their class, which is not their own.
                let is_any = attributes[place].leaves()[cohort.index()].is_any();
                *(match (is_any, is_missing) {
                    (true, _) => &mut tally.filled,
                    (_, true) => &mut tally.missing,
                    _ => &mut tally.known,
                }) += count;
            }
        }
        let n_hidden = if has_suppressed { n_suppressed } else { 0 };
        let describe = |place| {
            let mut sum = Sum { hidden: n_hidden, ..Sum::default() };
            let shown = recoding.regions_of(place).iter().zip(release.texts(place));
            for ((region, text), tally) in shown.zip(&tallies[place]) {
                let attribute = &attributes[place];
                sum.add(*tally, &precision(attribute, region, text));
            }
            let attribute = &attributes[place];
            let kind = attribute.values().kind();
            let has_stars = kind != Kind::Number || release.style.intervals.shows_ranges();
            let detail = Self { has_stars, ..sum.detail(kind, attribute.n_leaves()) };
            (attribute.name().to_owned(), detail)
        };
        (0..attributes.len()).map(describe).collect()
    }
}

impl Detail {
    /// Describes a column from its published labels: whether each is a value of the original, the
    /// number of values that it covers, and the number of records that show it. Ranges end where
    /// `ends` says.
    pub(crate) fn of_labels<'a>(
        domain: &Domain,
        ends: &Ends,
        labels: impl Iterator<Item = (Cow<'a, str>, (bool, usize), u64)>,
    ) -> Self {
        let mut sum = Sum::default();
        for (label, (is_value, n_values), count) in labels {
            let precision = match Notation::read_as(&domain.values, &label) {
                Notation::Anything => Precision::Nothing,
                _ if is_value => Precision::Value,
                _ => match width(&domain.values, ends, &label) {
                    Some(width) => Precision::Range(width),
                    None => Precision::Group(n_values, characters_left(&domain.values, &label)),
                },
            };
            sum.add(Tally { known: count, ..Tally::default() }, &precision);
        }
        let is_own = domain.missing.as_ref().is_some_and(|missing| missing.is_value);
        sum.detail(domain.values.kind(), domain.len() + usize::from(is_own))
    }
}

/// Number of records that publish a region.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    /// Records with a value in the region.
    known: u64,
    /// Records whose value is missing, which is a value of its own.
    missing: u64,
    /// Records whose value is missing and matches any.
    filled: u64,
}

/// The precision of a published value.
#[derive(Debug, PartialEq)]
enum Precision {
    /// The value itself.
    Value,
    /// A missing value, shown as missing.
    Missing,
    /// `*`.
    Nothing,
    /// A range of this width.
    Range(f64),
    /// One of this number of values; a shortened code has this number of characters.
    Group(usize, Option<usize>),
}

fn precision(attribute: &Attribute, region: &Region, text: &str) -> Precision {
    if attribute.says_nothing(region) {
        return Precision::Nothing;
    }
    let Some(n_values) = n_values(attribute, region) else { return Precision::Missing };
    let is_value = || match region {
        Region::Node(node) => {
            let tree = attribute.generalization().hierarchy();
            tree.is_some_and(|tree| tree.as_leaf(*node).is_some())
        }
        Region::Group(group) => match attribute.generalization() {
            Generalization::Levels(levels) => levels.is_leaf(*group),
            _ => false,
        },
        // An interval that hides a rare value is wider than the value.
        Region::Interval(first, last) => attribute.hidden_ends(*first, *last).is_none(),
        Region::Set(_) => true,
        Region::Label(tag) => attribute.label(*tag).is_some_and(|label| label.cost <= 0.0),
        Region::PartialSet(..) | Region::Unknown => false,
    };
    if n_values == 1 && is_value() {
        return Precision::Value;
    }
    match width(attribute.values(), &Ends::of(attribute.values()), text) {
        Some(width) => Precision::Range(width),
        None => Precision::Group(n_values, characters_left(attribute.values(), text)),
    }
}

/// Number of values in a region, or `None` if it is a missing value that matches any.
fn n_values(attribute: &Attribute, region: &Region) -> Option<usize> {
    let generalization = attribute.generalization();
    Some(match region {
        Region::Node(node) => generalization.leaves_of((*node).into()).count(),
        Region::Group(group) => generalization.leaves_of((*group).into()).count(),
        Region::Interval(first, last) => last.index() - first.index() + 1,
        Region::Set(leaves) => leaves.len(),
        Region::PartialSet(leaves, n_more) => leaves.len() + *n_more as usize,
        Region::Label(tag) => attribute.label(*tag)?.n_leaves(),
        Region::Unknown => return None,
    })
}

/// The ends of the ranges of a column when their widths are measured.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Ends {
    /// The ends of sides without an end. Without them, such a side ends where the other one does.
    pub(crate) open: Option<(f64, f64)>,
    /// Whether a width must not reveal the value at each place of the scale; empty if it may reveal
    /// all.
    pub(crate) is_hidden: Vec<bool>,
}

impl Ends {
    /// The ends for readers who may know every value.
    pub(crate) fn of(values: &Values) -> Self {
        Self { open: values.scale().and_then(Scale::ends), is_hidden: Vec::new() }
    }

    /// The part of a range between values that are not hidden; `None` if it has no such value.
    fn shown(&self, scale: &Scale, low: f64, high: f64) -> Option<(f64, f64)> {
        let is_shown = |place: &usize| self.is_hidden.get(*place).is_none_or(|hidden| !hidden);
        // An end that is not a value of the table reveals none, so it stays.
        let low = match scale.place_at(low) {
            Some(place) => scale.value((place..scale.len()).find(is_shown)?),
            None => low,
        };
        let high = match scale.place_at(high) {
            Some(place) => scale.value((0..=place).rev().find(is_shown)?),
            None => high,
        };
        (low <= high).then_some((low, high))
    }
}

/// Width of the range that a text states.
///
/// The text is parsed, although its region is known, because the width is that for a reader: names
/// of nodes in files and ends that hide rare values reach further than the leaves of the region.
fn width(values: &Values, ends: &Ends, text: &str) -> Option<f64> {
    let scale = values.scale()?;
    let Notation::Range(low, high) = Notation::read_as(values, text) else { return None };
    // Without ends, an open side takes the other end, so the range has no width.
    let (least, greatest) = ends.open.unwrap_or((high, low));
    let low = if low.is_finite() { low } else { least };
    let high = if high.is_finite() { high } else { greatest };
    let Some((low, high)) = ends.shown(scale, low, high) else { return Some(0.0) };
    match values.kind() {
        // Dates are seconds.
        Kind::Date => Some((high / DAY).floor() - (low / DAY).floor() + 1.0),
        _ => Some((high - low).max(0.0)),
    }
}

/// Number of characters of a code that are not masked, if some are.
fn characters_left(values: &Values, text: &str) -> Option<usize> {
    let n_masked = text.chars().filter(|&character| character == '*').count();
    let is_shortened = values.kind() == Kind::Code && n_masked > 0;
    is_shortened.then(|| text.chars().count() - n_masked)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_none(share: &f64) -> bool {
    *share <= 0.0
}

/// Counts records by how precisely they are published.
#[derive(Debug, Default)]
struct Sum {
    unchanged: u64,
    missing: u64,
    hidden: u64,
    filled: u64,
    ranges: Widths,
    groups: Widths,
    shortened: BTreeMap<usize, u64>,
}

impl Sum {
    fn add(&mut self, tally: Tally, precision: &Precision) {
        let n_records = tally.known + tally.missing + tally.filled;
        match *precision {
            Precision::Value => {
                self.unchanged += tally.known;
                // The value is that of the class, so the record itself is not unchanged.
                self.filled += tally.filled;
                self.missing += tally.missing;
            }
            Precision::Missing => self.missing += n_records,
            Precision::Nothing => self.hidden += n_records,
            Precision::Range(width) => self.ranges.add(width, n_records),
            Precision::Group(n_values, characters) => {
                self.groups.add(n_values as f64, n_records);
                if let Some(characters) = characters.filter(|_| n_records > 0) {
                    *self.shortened.entry(characters).or_default() += n_records;
                }
            }
        }
    }

    fn detail(self, kind: Kind, values: usize) -> Detail {
        // Every published record is in exactly one of the six.
        let n_shown = self.ranges.records + self.groups.records + self.filled;
        let n_records = self.unchanged + self.missing + self.hidden + n_shown;
        let share = |count: u64| count as f64 / n_records.max(1) as f64;
        let shortened = self.shortened.into_iter().map(|(left, count)| (left, share(count)));
        Detail {
            kind,
            values,
            unchanged: share(self.unchanged),
            missing: share(self.missing),
            hidden: share(self.hidden),
            filled: share(self.filled),
            has_stars: true,
            ranges: self.ranges.spread(n_records),
            groups: self.groups.spread(n_records),
            shortened: shortened.collect(),
        }
    }
}

/// Widths of the values of a number of records.
#[derive(Debug, Default)]
struct Widths {
    records: u64,
    sum: f64,
    most: f64,
}

impl Widths {
    fn add(&mut self, width: f64, records: u64) {
        if records > 0 {
            self.records += records;
            self.sum += width * records as f64;
            self.most = self.most.max(width);
        }
    }

    fn spread(&self, n_records: u64) -> Option<Spread> {
        let (records, n_records) = (self.records as f64, n_records as f64);
        (self.records > 0).then(|| Spread {
            share: records / n_records,
            mean: self.sum / records,
            most: self.most,
        })
    }
}
