//! Small sets of columns that together reveal most of a quasi-identifier, found step by step.

use super::determine::{Leak, Restored};
use super::series::Series;
use super::together::{self, Member, Together, tried};

/// Number of columns that are tried, those that reveal most alone.
const COLUMNS_TRIED: usize = 16;
/// Number of records that sets are tried on.
const RECORDS_TRIED: usize = 4000;
/// Maximum number of columns of a set.
const MOST_COLUMNS: usize = 3;
/// The least share of the quasi-identifier's entropy that a set must remove.
const INFORMED: f64 = 0.75;
/// The share of entropy that every further column, and the columns that can be left out, must
/// remove.
const ADDED: f64 = 0.1;
const ADDED_BY_OPEN: f64 = 0.25;

/// Finds sets of `members` that reveal one of `quasi`, or one set that reveals most of it.
pub(crate) fn give_away(members: &[Member<'_>], quasi: &[Member<'_>]) -> Vec<Together> {
    let found = together::find(members, quasi);
    if found.is_empty() { find(members, quasi).into_iter().collect() } else { found }
}

/// Finds a set of `members` that reveals most of one of `quasi`.
fn find(members: &[Member<'_>], quasi: &[Member<'_>]) -> Option<Together> {
    quasi.iter().enumerate().find_map(|(place, target)| {
        let others = quasi.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, m)| m);
        informed(&members.iter().chain(others).collect::<Vec<_>>(), target)
    })
}

/// Returns a set of up to three columns that removes most of the entropy of the quasi-identifier,
/// if the search finds one: it begins with the column that removes most, and adds the one that
/// removes most of the rest. One column without a decision is to be left out, the others can stay.
fn informed(members: &[&Member<'_>], target: &Member<'_>) -> Option<Together> {
    let rows = tried(target.grouped.series.codes.len(), RECORDS_TRIED);
    let quasi = target.grouped.series.at(&rows);
    let mut near: Vec<(f64, &Member<'_>, Series)> = Vec::new();
    for &member in members {
        let series = member.grouped.series.at(&rows);
        // Values that rarely repeat cannot be compared with other records.
        if series.n_codes > 1 && series.n_codes * 2 <= series.n_present() {
            near.push((series.groups().informs(&quasi), member, series));
        }
    }
    // The sort is stable, so the first of equal columns is kept.
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.truncate(COLUMNS_TRIED);
    let (share, chosen) = grown(&near, &quasi)?;
    let (open, decided): (Vec<usize>, Vec<usize>) =
        chosen.iter().partition(|&&place| near[place].1.is_open);
    let of_decided: Vec<&Series> = decided.iter().map(|&place| &near[place].2).collect();
    let without = match of_decided.as_slice() {
        [] => 0.0,
        decided => Series::joint(decided).groups().informs(&quasi),
    };
    let (&first, rest) = open.split_first()?;
    let name = |&place: &usize| near[place].1.name.to_owned();
    (share >= without + ADDED_BY_OPEN).then(|| Together {
        columns: vec![name(&first)],
        others: rest.iter().chain(&decided).map(name).collect(),
        quasi: target.name.to_owned(),
        leak: Leak { restored: Restored::Group, share },
        part: 1.0,
    })
}

/// Grows a set from its first column until it removes enough of the entropy; `None` if it does not.
fn grown(near: &[(f64, &Member<'_>, Series)], quasi: &Series) -> Option<(f64, Vec<usize>)> {
    let mut share = near.first()?.0;
    let (mut chosen, mut joint) = (vec![0], near[0].2.clone());
    while chosen.len() < MOST_COLUMNS && share < INFORMED {
        let rest = (0..near.len()).filter(|place| !chosen.contains(place));
        let with = rest.map(|place| {
            let both = Series::joint(&[&joint, &near[place].2]);
            (both.groups().informs(quasi), place, both)
        });
        // Reversed, so that ties go to the first column.
        let best = with.collect::<Vec<_>>().into_iter().rev().max_by(|a, b| a.0.total_cmp(&b.0))?;
        if best.0 < share + ADDED {
            return None;
        }
        share = best.0;
        chosen.push(best.1);
        joint = best.2;
    }
    (share >= INFORMED && chosen.len() > 1).then_some((share, chosen))
}
