//! Adjustment a: the most specific possible root.

use super::vgh::{Vgh, Word};

/// Removes everything above the lowest common ancestor of the values that have a concept.
///
/// If other values have no concept, they stay below the root, which has none either, and the lowest
/// common ancestor becomes another child of it.
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
pub(super) fn reduced(vgh: &Vgh) -> Vgh {
    let layout = vgh.layout();
    let is_known = |node: &Word| node.value.is_some() && node.concept.is_some();
    let first = vgh.nodes.iter().position(is_known);
    let last = vgh.nodes.iter().rposition(is_known);
    let lowest = first.zip(last).map_or(0, |(a, b)| vgh.lowest_above(&layout, a, b));
    let unknown: Vec<&Word> =
        vgh.nodes.iter().filter(|node| node.value.is_some() && node.concept.is_none()).collect();
    if lowest == 0 {
        return vgh.clone();
    }
    let mut lower = Vgh::default();
    if !unknown.is_empty() {
        lower.push(vgh.nodes[0].clone());
    }
    let start = lower.nodes.len();
    // In pre-order a subtree is contiguous, so its indices shift by a constant.
    for (place, node) in (lowest..).zip(&vgh.nodes[lowest..layout.ends[lowest]]) {
        let parent = if place == lowest { 0 } else { node.parent - lowest + start };
        lower.push(Word { parent, ..node.clone() });
    }
    for node in unknown {
        lower.push(Word { parent: 0, ..node.clone() });
    }
    lower.tidied()
}
