//! Values that a release exposes in each column: rare values, and values in place of missing ones.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Release, label};
use crate::hierarchy::{Leaf, Spelt};
use crate::problem::Region;
use crate::proposal::Class;

/// Counts of the values of each quasi-identifier that a release exposes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Exposure {
    /// The values that are spelt out, and how many of them are rare.
    pub spelled: BTreeMap<String, Spelled>,
    /// Number of records by column that show a value although theirs is missing, because a missing
    /// value matches any value; columns without such records are left out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub filled: BTreeMap<String, u64>,
}

impl Exposure {
    /// Counts what a release exposes.
    pub fn of(release: &Release) -> Self {
        Self { spelled: spelled(release), filled: filled(release) }
    }
}

/// The values of a column that a release spells out: as single values, as members of sets, or as
/// ends of intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Spelled {
    /// Number of distinct values.
    pub values: usize,
    /// Number of these values that fewer than `k` records, or people, have.
    pub rare: usize,
}

/// Counts the values of each quasi-identifier that a release spells out.
fn spelled(release: &Release) -> BTreeMap<String, Spelled> {
    let is_used = release.recoding.used_regions();
    let mut columns = BTreeMap::new();
    for (place, attribute) in release.recoding.problem().attributes().iter().enumerate() {
        let name = attribute.name().to_owned();
        columns.insert(name, spelled_in(release, place, &is_used[place]));
    }
    columns
}

/// Counts the values of a quasi-identifier that a release spells out; `is_used` says for each of
/// its regions whether it is published.
fn spelled_in(release: &Release, place: usize, is_used: &[bool]) -> Spelled {
    let problem = release.recoding.problem();
    let attribute = &problem.attributes()[place];
    let counts = attribute.holders(problem.table());
    let regions = release.recoding.regions_of(place).iter().zip(is_used);
    let shown = regions.filter(|(_, is_used)| **is_used);
    let spelt = attribute.generalization().hierarchy().map(Spelt::of);
    let leaves_of = |region: &Region| {
        // The labels of a recipe were fixed before these records were seen, so they reveal nothing
        // about them: `spelt_out` returns no leaf.
        // A midpoint or a bound spells out other values than the plain style.
        let styled = label::spelt_leaves(attribute, region, release.style.intervals);
        styled.unwrap_or_else(|| attribute.spelt_out(region, spelt.as_ref()))
    };
    let leaves: BTreeSet<Leaf> = shown.flat_map(|(region, _)| leaves_of(region)).collect();
    // Values with count 0 are not rare: a hierarchy can name values that no record has.
    let rare = leaves.iter().filter(|&&leaf| (1..problem.k()).contains(&counts[leaf.index()]));
    Spelled { values: leaves.len(), rare: rare.count() }
}

/// Counts the records of each column that show a value although theirs is missing.
fn filled(release: &Release) -> BTreeMap<String, u64> {
    let (recoding, style) = (&release.recoding, release.style.intervals);
    let mut filled = BTreeMap::new();
    for (place, attribute) in recoding.problem().attributes().iter().enumerate() {
        let says_something = |class: Class| {
            let region = recoding.region(recoding.shape(class), place);
            *region != Region::Unknown && !label::says_nothing(attribute, region, style)
        };
        let takes = recoding.takes().iter().filter(|take| {
            attribute.leaves()[take.cohort.index()].is_any()
                && take.class.is_some_and(says_something)
        });
        let n_filled: u64 = takes.map(|take| take.count).sum();
        if n_filled > 0 {
            filled.insert(attribute.name().to_owned(), n_filled);
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::super::{IntervalStyle, Style};
    use super::*;
    use crate::anonymize::Hedge;
    use crate::builder::{Free, HierarchyBuilder};
    use crate::format::Format;
    use crate::hierarchy::Generalization;
    use crate::privacy::KAnonymity;
    use crate::problem::Problem;
    use crate::progress::Silent;
    use crate::table::Table;

    /// The values of 1, 1, 2 and 3 that are spelt out in classes of two.
    fn spelled_by(built: fn(&Table) -> Generalization, intervals: IntervalStyle) -> Spelled {
        let table = Table::from_rows(&["x"], &[["1"], ["1"], ["2"], ["3"]]).unwrap();
        let model = Box::new(KAnonymity::new(2).unwrap());
        let problem = Problem::new(&table, vec![built(&table)], vec![model]).unwrap();
        let recoding = problem.solve(&Hedge::default(), &Silent).unwrap();
        let release = Release::new(&recoding, &Style { intervals }, &Silent).unwrap();
        Exposure::of(&release).spelled["x"]
    }

    #[test]
    fn a_midpoint_of_one_value_spells_it_out() {
        let free = |table: &Table| Free.build(&table.columns()[0]).unwrap();
        let found = spelled_by(free, IntervalStyle::Midpoint);
        assert_eq!(found, Spelled { values: 1, rare: 0 });
    }

    #[test]
    fn sets_of_numbers_spell_out_their_members_in_every_style() {
        use IntervalStyle::{Bounds, Brackets, Dash, Midpoint};
        let sets = |_: &Table| {
            let tree = "1;1;*\n2;{2, 3};*\n3;{2, 3};*\n";
            Format::named("arx").unwrap().read(tree, Some("x")).unwrap().into()
        };
        for style in [Brackets, Dash, Midpoint, Bounds] {
            let found = spelled_by(sets, style);
            assert_eq!(found, Spelled { values: 3, rare: 2 }, "{style:?}");
        }
    }
}
