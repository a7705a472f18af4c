//! The values that prevent a more specific root.

use std::cmp::Reverse;

use serde::Serialize;

use super::vgh::Vgh;
use crate::knowledge::Knowledge;
use crate::table::Column;

/// Pins are reported only if they are at most one in `FEW` of the known values.
const FEW: usize = 6;

/// A few values without which the root would be more specific.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Pins {
    /// Label of the root.
    pub root: String,
    /// The values that prevent a more specific root.
    pub values: Vec<String>,
    /// Label that the root would have without them.
    pub without: String,
}

impl Pins {
    /// Finds the pins by descending from the root into the child with the most values, as long as
    /// few values are left behind.
    pub(super) fn of(vgh: &Vgh, column: &Column, knowledge: &Knowledge) -> Option<Self> {
        let layout = vgh.layout();
        // Values without a concept are children of the root in any case, so only known values
        // count.
        let known = |from: usize, to: usize| {
            let nodes = vgh.nodes[from..to].iter();
            nodes.filter(|node| node.concept.is_some()).filter_map(|node| node.value)
        };
        let most = known(0, vgh.nodes.len()).count();
        let (mut top, mut lowest) = (0, 0);
        let mut next = Some(0);
        while let Some(place) = next {
            let n_values = known(place, layout.ends[place]).count();
            if most - n_values > most / FEW {
                break;
            }
            // While all known values are below `place`, it is the effective root.
            lowest = place;
            if n_values == most && top == vgh.nodes[place].parent {
                top = place;
            }
            let children = (place + 1..layout.ends[place]).filter(|&child| {
                vgh.nodes[child].parent == place && vgh.nodes[child].value.is_none()
            });
            // Ties go to the first child.
            next = children
                .max_by_key(|&child| (known(child, layout.ends[child]).count(), Reverse(child)));
        }
        let behind = known(0, lowest).chain(known(layout.ends[lowest], vgh.nodes.len()));
        let spelling = |code: u32| column.domain.values.spelling(code as usize).into_owned();
        let values: Vec<String> = behind.map(spelling).collect();
        let name = |place: usize| {
            vgh.nodes[place]
                .concept
                .map_or_else(|| "*".to_owned(), |concept| knowledge.label(concept))
        };
        (!values.is_empty()).then(|| Self { root: name(top), values, without: name(lowest) })
    }
}
