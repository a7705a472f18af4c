//! The values that keep a root from saying more.

use std::cmp::Reverse;

use serde::Serialize;

use super::vgh::Vgh;
use crate::knowledge::Knowledge;
use crate::table::Column;

/// Pins are named only if they are no more than one value in so many.
const FEW: usize = 6;

/// A few values without which the root would be lower.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Pins {
    /// What the root is called.
    pub root: String,
    /// The values.
    pub values: Vec<String>,
    /// What it would be called without them.
    pub without: String,
}

impl Pins {
    /// Goes down from the root to the node with most values, as long as few are left behind.
    pub(super) fn of(vgh: &Vgh, column: &Column, knowledge: &Knowledge) -> Option<Self> {
        let layout = vgh.layout();
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
            lowest = place;
            if n_values == most && top == vgh.nodes[place].parent {
                top = place;
            }
            let children = (place + 1..layout.ends[place]).filter(|&child| {
                vgh.nodes[child].parent == place && vgh.nodes[child].value.is_none()
            });
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
