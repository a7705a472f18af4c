//! Adjustment a: the most specific possible root.

use super::vgh::{Layout, Vgh, Word};
use crate::knowledge::{Knowledge, Source};

/// Removes everything above the lowest common ancestor of the values that have a concept.
///
/// If other values have no concept, they stay below the root, which has none either, and the lowest
/// common ancestor becomes another child of it. The values of each source have their own lowest
/// common ancestor.
///
/// # Complexity
///
/// Linear in the nodes.
///
/// # References
///
/// \[Ayala2016\], section 3.2(3)a; METHODS 5.5a. Deviation: values without a concept do not affect
/// the lowest common ancestor of the others, which is not the root in that case because it would be
/// false for those values.
pub(super) fn reduced(vgh: &Vgh, knowledge: &Knowledge) -> Vgh {
    let layout = vgh.layout();
    let tops: Vec<usize> =
        knowledge.in_order().flat_map(|source| tops(vgh, &layout, source)).collect();
    let unknown: Vec<&Word> =
        vgh.nodes.iter().filter(|node| node.value.is_some() && node.concept.is_none()).collect();
    let is_alone = matches!(tops[..], [top] if vgh.nodes[top].value.is_none());
    let mut lower = Vgh::default();
    if !is_alone || !unknown.is_empty() {
        lower.push(vgh.nodes[0].clone());
    }
    for top in tops {
        let start = lower.nodes.len();
        // In pre-order a subtree is contiguous, so its indices shift by a constant.
        for (place, node) in (top..).zip(&vgh.nodes[top..layout.ends[top]]) {
            let parent = if place == top { 0 } else { node.parent - top + start };
            lower.push(Word { parent, ..node.clone() });
        }
    }
    for node in unknown {
        lower.push(Word { parent: 0, ..node.clone() });
    }
    lower.tidied()
}

/// Returns the lowest node that contains all values from a source or, if that is the root of all
/// sources, the children of the root that contain such values.
fn tops(vgh: &Vgh, layout: &Layout, source: &Source) -> Vec<usize> {
    let is_of = |node: &Word| {
        let concept = node.concept.filter(|_| node.value.is_some());
        concept.is_some_and(|concept| source.concepts().contains(&concept))
    };
    let first = vgh.nodes.iter().position(is_of);
    let last = vgh.nodes.iter().rposition(is_of);
    let Some((first, last)) = first.zip(last) else { return Vec::new() };
    let lowest = vgh.lowest_above(layout, first, last);
    if lowest > 0 || vgh.nodes[0].concept.is_some() {
        return vec![lowest];
    }
    let children = (1..vgh.nodes.len()).filter(|&place| vgh.nodes[place].parent == 0);
    let has_value = |&top: &usize| vgh.nodes[top..layout.ends[top]].iter().any(is_of);
    children.filter(has_value).collect()
}
