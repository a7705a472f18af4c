//! The records nearest to each record.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Result;
use crate::box_tree::{BoxTree, Space};
use crate::progress::{Progress, stop_at};
use crate::table::Cohort;

/// Bounds from the nearest records of each cohort.
pub(super) struct Nearest {
    /// The cost of a class with the nearest records, taken one by one: that of the pair with the
    /// farthest of them (METHODS 9.1). No class of the cohort costs less.
    pub(super) farthest: Vec<f64>,
    /// The cost of the class of all these records, which some class of the cohort can have.
    pub(super) hulls: Vec<f64>,
}

/// Finds for each cohort the nearest cohorts that together with it have enough records for a class.
pub(super) fn nearest(
    space: &Space<'_>,
    counts: &[u64],
    progress: &dyn Progress,
) -> Result<Nearest> {
    let tree = space.boxes(());
    let mut found = Nearest { farthest: Vec::new(), hulls: Vec::new() };
    for cohort in Cohort::first(counts.len()) {
        stop_at(cohort.index(), progress)?;
        let near = near(space, &tree, counts, cohort);
        found.farthest.push(near.last().map_or(0.0, |&(bits, _)| f64::from_bits(bits)));
        let mut spans = space.of(cohort).to_vec();
        near.iter().for_each(|&(_, other)| space.widen(&mut spans, space.of(other)));
        found.hulls.push(space.cost(&spans));
    }
    Ok(found)
}

/// The nearest cohorts, the cohort itself first, until they have enough records; with their costs
/// as bits.
fn near(
    space: &Space<'_>,
    tree: &BoxTree<()>,
    counts: &[u64],
    cohort: Cohort,
) -> Vec<(u64, Cohort)> {
    let spans = space.of(cohort);
    // The bit patterns of costs, which are not negative, sort like the costs.
    let mut boxes = BinaryHeap::from([(Reverse(0), 0)]);
    let mut waiting: BinaryHeap<Reverse<(u64, Cohort)>> = BinaryHeap::new();
    let (mut near, mut size) = (vec![(0, cohort)], counts[cohort.index()]);
    while space.need(size) > 0 {
        let least_outside = boxes.peek().map_or(u64::MAX, |&(Reverse(bits), _)| bits);
        match waiting.peek() {
            // Nothing in a box that was not opened is nearer.
            Some(&Reverse((bits, other))) if bits <= least_outside => {
                waiting.pop();
                near.push((bits, other));
                size += counts[other.index()];
            }
            _ => {
                let Some((_, number)) = boxes.pop() else { return near };
                for half in tree.halves(number).into_iter().flatten() {
                    let bits = space.least_cost(spans, tree.spans(half)).to_bits();
                    boxes.push((Reverse(bits), half));
                }
                if tree.halves(number).is_none() {
                    let members = tree.cohorts()[tree.places(number)].iter().copied();
                    waiting.extend(members.filter(|&other| other != cohort).map(|other| {
                        Reverse((space.cost_together(spans, space.of(other)).to_bits(), other))
                    }));
                }
            }
        }
    }
    near
}
