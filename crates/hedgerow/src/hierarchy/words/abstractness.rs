//! Adjustment a: a root that says no less than it must.

use super::vgh::{Vgh, Word};

/// Leaves out everything above the lowest node that has all values below it that stand for a
/// concept. The others stand below the new root.
///
/// # Complexity
///
/// Linear in the nodes.
///
/// # References
///
/// \[Ayala2016\], section 3.2(3)a; METHODS 5.5a. Deviation: values without a concept do not hold the root up.
pub(super) fn reduced(vgh: &Vgh) -> Vgh {
    let layout = vgh.layout();
    let is_known = |node: &Word| node.value.is_some() && node.concept.is_some();
    let first = vgh.nodes.iter().position(is_known);
    let last = vgh.nodes.iter().rposition(is_known);
    let root = first.zip(last).map_or(0, |(a, b)| vgh.lowest_above(&layout, a, b));
    let below = root..layout.ends[root];
    let mut lower = Vgh::default();
    for node in &vgh.nodes[below.clone()] {
        lower.push(Word { parent: node.parent.saturating_sub(root), ..node.clone() });
    }
    for (place, node) in vgh.nodes.iter().enumerate() {
        if node.value.is_some() && !below.contains(&place) {
            lower.push(Word { parent: 0, ..node.clone() });
        }
    }
    lower.tidied()
}
