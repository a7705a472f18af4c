//! Writes the labels of a quasi-identifier, with what each covers.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::holders::Holders;
use super::rule::{Also, Known, Label, Range, Rule, cost_of_range, run_of};
use super::secrecy::Salted;
use crate::hierarchy::{
    End, Excluded, Generalization, Leaf, Notation, Rare, Spelt, excluded_ends, periods_at_ends,
};
use crate::problem::{Attribute, Region};
use crate::release::{IntervalStyle, Release};
use crate::table::Kind;

/// Collects the labels of a quasi-identifier of a release.
pub(super) struct Writer<'a> {
    release: &'a Release,
    place: usize,
    attribute: &'a Attribute,
    hasher: Salted<'a>,
    holders: Holders,
    /// The values that the labels of a tree contain.
    spelt: Option<Spelt<'a>>,
    /// Ends of ranges that name no value of fewer than `k` records.
    rare: Rare,
    /// The leaf of missing values that are a value of their own.
    missing: Option<Leaf>,
    rule: Rule,
    number_of: HashMap<Region, u32>,
    /// The place of each leaf among the known values.
    place_of: HashMap<Leaf, u32>,
    all: Option<u32>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(release: &'a Release, place: usize, salt: &'a str) -> Self {
        let problem = release.recoding().problem();
        let attribute = &problem.attributes()[place];
        let (table, values, k) = (problem.table(), attribute.values(), problem.k());
        let holders = Holders::of(attribute, table, k);
        // A value that no record has is not named either.
        let counts: Vec<u64> = holders.counts().iter().map(|&count| count.max(1)).collect();
        let domain = &table.columns()[place].domain;
        let missing = domain.missing_code().and_then(|code| attribute.leaf_of_code(code).known());
        let rare = Rare::new(values, &counts, k);
        let rule = empty(attribute);
        let mut writer = Self {
            release,
            place,
            attribute,
            hasher: Salted::new(salt, attribute.name()),
            rare,
            holders,
            spelt: attribute.generalization().hierarchy().map(Spelt::of),
            missing,
            rule,
            number_of: HashMap::new(),
            place_of: HashMap::new(),
            all: None,
        };
        // Words are known by their place in the hierarchy; numbers only where a label needs it.
        if values.scale().is_none() {
            Leaf::first(values.len()).for_each(|leaf| {
                writer.known(leaf);
            });
        }
        writer
    }

    pub(super) fn attribute(&self) -> &'a Attribute {
        self.attribute
    }

    /// The regions of the recoding.
    pub(super) fn regions(&self) -> &'a [Region] {
        self.release.recoding().regions_of(self.place)
    }

    /// Writes the labels of all regions that records publish, given the number of these records.
    /// Returns the number of the label of each region.
    pub(super) fn published(&mut self, counts: &[u64]) -> Vec<Option<u32>> {
        let regions = self.regions().iter().zip(counts);
        let numbers: Vec<Option<u32>> = regions
            .map(|(region, &count)| (count > 0).then(|| self.counted(region, count)))
            .collect();
        self.rule.span = hull(self.rule.labels.iter().filter_map(|label| label.range));
        numbers
    }

    /// The number of the label of a region that `count` records publish.
    fn counted(&mut self, region: &Region, count: u64) -> u32 {
        let number = self.number(region);
        let label = &mut self.rule.labels[number as usize];
        // Several regions that show nothing share one label, so counts add up.
        (label.count, label.cut) = (label.count + count, true);
        number
    }

    /// Lets the first of these regions publish values that a recipe may name, or `*` if it may name
    /// none. If they are on the levels of a hierarchy, the first is on the level of the other
    /// values, and `has_level` is true.
    pub(super) fn publish_first(&mut self, candidates: &[Region], has_level: bool) {
        let found = candidates.iter().position(|region| self.may_name(region));
        let number = match found {
            Some(place) => self.number(&candidates[place]),
            None if candidates.is_empty() => return,
            None => self.all(),
        };
        let label = &mut self.rule.labels[number as usize];
        // A label that publishes other values is on their level, or is published like them.
        label.above = has_level && found != Some(0) && (label.above || !label.cut);
        label.cut = true;
    }

    /// Lists values with the label that publishes them where another one that contains them costs
    /// no more, given the region of each leaf and the label of each region. Ends that are moved
    /// outward, to hide rare values, make ranges overlap.
    pub(super) fn tell_apart(&mut self, of_leaf: &[Option<u32>], numbers: &[Option<u32>]) {
        let Some(scale) = self.attribute.values().scale() else { return };
        // Regions that overlap themselves are those of a local recoding.
        if self.overlap(numbers) {
            return;
        }
        let value = |leaf: &Leaf| scale.value(leaf.index());
        let mut leaves: Vec<Leaf> = Leaf::first(scale.len()).collect();
        leaves.sort_by(|a, b| value(a).total_cmp(&value(b)));
        let values: Vec<f64> = leaves.iter().map(value).collect();
        let mut of_label: BTreeMap<u32, Vec<Leaf>> = BTreeMap::new();
        for (leaf, cheapest) in leaves.into_iter().zip(self.cheapest(&values)) {
            let region = of_leaf[leaf.index()];
            let label = region.and_then(|region| numbers[region as usize]);
            // Labels without a range list all their values anyway.
            let has_range = |label: &u32| self.rule.labels[*label as usize].range.is_some();
            let is_mistaken = |label: &u32| has_range(label) && cheapest != Some(*label);
            if let Some(label) = label.filter(is_mistaken) {
                of_label.entry(label).or_default().push(leaf);
            }
        }
        for (label, leaves) in of_label {
            let places = self.places(&leaves);
            self.rule.labels[label as usize].places = places;
        }
    }

    /// For each of these ascending numbers, the label of least cost among those that publish values
    /// and have a range that contains it; the first of several.
    fn cheapest(&self, numbers: &[f64]) -> Vec<Option<u32>> {
        let labels = (0..).zip(&self.rule.labels).filter(|(_, label)| label.cut);
        let mut ranges: Vec<(f64, u32, Range)> = labels
            .filter_map(|(number, label)| Some((number, label.range?)))
            .map(|(number, range)| (cost_of_range(&range, self.rule.width()), number, range))
            .collect();
        ranges.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let mut cheapest = vec![None; numbers.len()];
        // The last one written wins, as where a recipe is applied.
        for (_, number, range) in ranges {
            let (start, end) = run_of(numbers, &range);
            cheapest[start..end].fill(Some(number));
        }
        cheapest
    }

    /// Whether two published regions have a leaf in common.
    fn overlap(&self, numbers: &[Option<u32>]) -> bool {
        let published = self.regions().iter().zip(numbers).filter(|(_, number)| number.is_some());
        let mut is_covered = vec![false; self.attribute.n_leaves()];
        let mut leaves = published.flat_map(|(region, _)| self.leaves(region));
        leaves.any(|leaf| std::mem::replace(&mut is_covered[leaf.index()], true))
    }

    /// Adds the labels above those that are published, to which classes can be merged.
    pub(super) fn add_above(&mut self) {
        // In the order of the labels, because the map has none.
        let mut used: Vec<(u32, Region)> =
            self.number_of.iter().map(|(region, &number)| (number, region.clone())).collect();
        used.sort_unstable_by_key(|(number, _)| *number);
        for (_, region) in used {
            for above in self.above(&region) {
                if self.may_name(&above) {
                    self.number(&above);
                }
            }
        }
    }

    /// The rules. In a local recoding no label is part of a cut.
    pub(super) fn finish(mut self, is_global: bool) -> Rule {
        // Every recipe needs this label: it is what unseen values fall back on.
        self.all();
        self.rule.labels.iter_mut().for_each(|label| label.cut &= is_global);
        self.rule
    }

    /// The regions that contain a region.
    fn above(&self, region: &Region) -> Vec<Region> {
        match (region, self.attribute.generalization()) {
            (Region::Node(node), Generalization::Tree(tree)) => {
                let parents = std::iter::successors(Some(*node), |&node| tree.parent(node));
                parents.skip(1).map(Region::Node).collect()
            }
            (Region::Group(group), Generalization::Levels(levels)) => {
                let own = levels.leaves_of(*group);
                let groups =
                    levels.top().and_below().map(|level| levels.at_level(own.start, level));
                // Levels need not nest, so only groups that contain the whole group are above
                // it.
                let wider =
                    groups.filter(|other| other > group && levels.leaves_of(*other).covers(&own));
                wider.map(Region::Group).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the recipe may have the label of a region. Labels that the release shows are public
    /// already. A label that no record publishes says that its values were in the table, so at
    /// least `k` must have them, and it must not spell out one that fewer have.
    fn may_name(&self, region: &Region) -> bool {
        if self.number_of.contains_key(region) || self.release.shows_nothing(self.place, region) {
            return true;
        }
        let leaves = self.leaves(region);
        let spelt = self.attribute.spelt_out(region, self.spelt.as_ref());
        !self.holders.are_few(&leaves)
            && !spelt.into_iter().any(|leaf| self.holders.is_rare(leaf))
            && !self.ends_in_rare_period(region, &leaves)
    }

    /// Whether the label of a region begins or ends with a period in which fewer than `k` have one
    /// of these leaves: `[1931, 1973]` says that a person is born in 1931.
    fn ends_in_rare_period(&self, region: &Region, leaves: &[Leaf]) -> bool {
        let Some(scale) = self.attribute.values().scale() else { return false };
        let (text, _) = self.release.shown_as(self.place, region);
        let mut periods = periods_at_ends(self.attribute.values(), &text).into_iter();
        periods.any(|(start, end)| {
            let is_inside = |leaf: &Leaf| {
                leaf.index() < scale.len() && (start..=end).contains(&scale.value(leaf.index()))
            };
            let inside: Vec<Leaf> = leaves.iter().copied().filter(is_inside).collect();
            self.holders.are_few(&inside)
        })
    }

    /// The number of the label of a region.
    fn number(&mut self, region: &Region) -> u32 {
        if let Some(&number) = self.number_of.get(region) {
            return number;
        }
        let number = if self.release.shows_nothing(self.place, region) {
            self.all()
        } else {
            let label = self.label(region);
            self.rule.labels.push(label);
            self.rule.labels.len() as u32 - 1
        };
        self.number_of.insert(region.clone(), number);
        number
    }

    /// The number of the label that covers everything.
    fn all(&mut self) -> u32 {
        *self.all.get_or_insert_with(|| {
            let cells = self.release.cells_of_nothing(self.place);
            let label = Label {
                text: Some("*".to_owned()),
                // The usual case is not written, which keeps files of many labels small.
                cells: if cells == ["*"] { Vec::new() } else { cells },
                also: Some(Also::All),
                ..Label::default()
            };
            self.rule.labels.push(label);
            self.rule.labels.len() as u32 - 1
        })
    }

    fn label(&mut self, region: &Region) -> Label {
        let (text, cells) = self.release.shown_as(self.place, region);
        if *region == Region::Unknown {
            return Label {
                text: Some(text),
                cells,
                also: Some(Also::Unknown),
                ..Label::default()
            };
        }
        let all = self.leaves(region);
        let has_missing = self.missing.is_some_and(|missing| all.contains(&missing));
        // The leaf after all values can only be that of missing values.
        let n_values = self.attribute.values().len();
        let leaves: Vec<Leaf> = all.into_iter().filter(|leaf| leaf.index() < n_values).collect();
        let also = has_missing.then_some(Also::Missing);
        let hidden = self.hidden_ends(region, &text, &leaves);
        let (text, range) = match hidden {
            Some([low, high]) => {
                let text = self.attribute.values().interval(&low.text, &high.text);
                (text, Some(Range::closed(low.value, high.value)))
            }
            None => {
                let range = self.range(region, &text, &leaves);
                (text, range)
            }
        };
        // A range also covers numbers that the first table did not have; places cover known values
        // only.
        let places = if range.is_some() { Vec::new() } else { self.places(&leaves) };
        let is_value = range.is_none() && leaves.len() == 1 && {
            *self.attribute.spelling(leaves[0]) == *text
        };
        let is_plain = cells.iter().all(|cell| *cell == text) && (is_value || cells.len() == 1);
        Label {
            text: (!is_value).then_some(text),
            cells: if is_plain { Vec::new() } else { cells },
            range,
            places,
            also,
            ..Label::default()
        }
    }

    /// The ends of a range that the release shows as its midpoint only, moved outward where they are
    /// rare; `None` for every other label.
    fn hidden_ends(&self, region: &Region, text: &str, leaves: &[Leaf]) -> Option<[End; 2]> {
        let (values, scale) = (self.attribute.values(), self.attribute.values().scale()?);
        let (first, last) = (*leaves.first()?, *leaves.last()?);
        let Notation::Range(low, high) = Notation::read_as(values, text) else { return None };
        let spelt = self.attribute.spelt_out(region, self.spelt.as_ref());
        let is_rare = |end: f64| {
            let has_value = |leaf: &Leaf| scale.value(leaf.index()).total_cmp(&end).is_eq();
            spelt.iter().any(|leaf| {
                leaf.index() < scale.len() && has_value(leaf) && self.holders.is_rare(*leaf)
            })
        };
        // Ranges of dates are shown in every style.
        let is_midpoint = self.release.style().intervals == IntervalStyle::Midpoint
            && values.kind() == Kind::Number
            && first != last;
        if !is_midpoint || ![low, high].into_iter().any(is_rare) {
            return None;
        }
        let Excluded { low: no_low, high: no_high } = excluded_ends(values, text);
        let stated =
            |leaf, value| End { leaf, value, text: scale.spell(value).into(), is_value: false };
        // An end that is not part of the range is replaced by the first or last value that is.
        let keeps = |end: f64, is_excluded: bool| end.is_finite() && !is_excluded && !is_rare(end);
        Some([
            if keeps(low, no_low) { stated(first, low) } else { self.rare.low(first).clone() },
            if keeps(high, no_high) { stated(last, high) } else { self.rare.high(last).clone() },
        ])
    }

    /// The range of numbers or dates that a label covers; `None` if it covers single values.
    fn range(&self, region: &Region, text: &str, leaves: &[Leaf]) -> Option<Range> {
        let (values, scale) = (self.attribute.values(), self.attribute.values().scale()?);
        let (first, last) = (*leaves.first()?, *leaves.last()?);
        if first == last && *self.attribute.spelling(first) == *text {
            let value = scale.value(first.index());
            // A single number of few people is covered by its hash; a range would spell it out.
            let is_named = !self.holders.is_rare(first);
            return is_named.then(|| Range::closed(value, value));
        }
        match Notation::read_as(values, text) {
            Notation::Range(low, high) => {
                return Some(Range::new(low, high, excluded_ends(values, text)));
            }
            Notation::Set(_) | Notation::PartialSet(..) => return None,
            Notation::Anything | Notation::Name(_) => {}
        }
        // A label that is a name says nothing about its ends, so they must not reveal rare values.
        let is_run = !matches!(region, Region::Set(_) | Region::PartialSet(..));
        let [low, high] = [self.rare.low(first), self.rare.high(last)].map(|end| end.value);
        is_run.then(|| Range::closed(low.min(high), high))
    }

    /// The leaves of a region, ascending.
    fn leaves(&self, region: &Region) -> Vec<Leaf> {
        match (region, self.attribute.generalization()) {
            (Region::Node(node), Generalization::Tree(tree)) => tree.leaves_of(*node).collect(),
            (Region::Group(group), Generalization::Levels(levels)) => {
                levels.leaves_of(*group).collect()
            }
            (Region::Interval(first, last), _) => {
                (first.index()..=last.index()).map(Leaf::new).collect()
            }
            (Region::Set(leaves), _) => leaves.to_vec(),
            // The region does not say which rare values it means, so it can be any.
            (Region::PartialSet(..), _) => Leaf::first(self.attribute.n_leaves())
                .filter(|&leaf| self.attribute.covers(region, leaf.into()))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The places of leaves among the known values, as runs.
    fn places(&mut self, leaves: &[Leaf]) -> Vec<(u32, u32)> {
        let mut places: Vec<u32> = leaves.iter().map(|&leaf| self.known(leaf)).collect();
        places.sort_unstable();
        runs(places)
    }

    /// The place of a leaf among the known values.
    fn known(&mut self, leaf: Leaf) -> u32 {
        let Self { place_of, rule, attribute, hasher, holders, .. } = self;
        *place_of.entry(leaf).or_insert_with(|| {
            let values = attribute.values();
            rule.values.push(if holders.is_rare(leaf) {
                Known::Hash { hash: hasher.of(values, leaf.index()) }
            } else {
                Known::Value(values.spelling(leaf.index()).into_owned())
            });
            rule.values.len() as u32 - 1
        })
    }
}

/// The rule of an attribute, without its values and labels.
fn empty(attribute: &Attribute) -> Rule {
    let values = attribute.values();
    let free =
        matches!(attribute.generalization(), Generalization::Interval(_) | Generalization::Set(_));
    Rule {
        name: attribute.name().to_owned(),
        kind: values.kind(),
        free,
        span: None,
        values: Vec::new(),
        labels: Vec::new(),
    }
}

/// The range from the least to the greatest end of some ranges, without those at infinity.
fn hull(ranges: impl Iterator<Item = Range>) -> Option<Range> {
    let ends = ranges.flat_map(|range| [range.low.0, range.high.0]).filter(|end| end.is_finite());
    let ends = ends.map(|end| (end, end));
    let (low, high) = ends.reduce(|all, end| (all.0.min(end.0), all.1.max(end.1)))?;
    Some(Range::closed(low, high))
}

/// Runs of consecutive numbers, given the numbers in order.
pub(super) fn runs(numbers: impl IntoIterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.1 >= number => run.1 = run.1.max(number + 1),
            _ => runs.push((number, number + 1)),
        }
    }
    runs
}
