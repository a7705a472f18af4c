//! Adjustment c: fewer levels.

use super::vgh::{Vgh, Word};

/// Which inner levels are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Levels that are evenly spaced.
    Even,
    /// The levels next to the values.
    Low,
    /// The levels next to the root.
    High,
}

impl Which {
    pub(super) const ALL: [Self; 3] = [Self::Even, Self::Low, Self::High];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Low => "low",
            Self::High => "high",
        }
    }

    /// Returns the inner depths, of `1..height`, that are kept.
    fn depths(self, n_kept: usize, height: usize) -> Vec<usize> {
        let n_inner = height - 1;
        match self {
            // The middles of `n_kept` equal parts of the inner levels.
            Self::Even => (0..n_kept).map(|i| (2 * i + 1) * n_inner / (2 * n_kept) + 1).collect(),
            Self::Low => (height - n_kept..height).collect(),
            Self::High => (1..=n_kept).collect(),
        }
    }
}

/// Returns the tree with only `n_levels - 2` levels between the root and the values.
///
/// The children of a removed node become children of its nearest kept ancestor.
///
/// # Complexity
///
/// Linear in the nodes.
///
/// # References
///
/// \[Ayala2016\], section 3.2(3)c; METHODS 5.5c.
pub(super) fn reduced(vgh: &Vgh, n_levels: usize, which: Which) -> Vgh {
    let layout = vgh.layout();
    let kept = which.depths(n_levels - 2, layout.height());
    let is_kept = |place: usize| {
        place == 0
            || vgh.nodes[place].value.is_some()
            || kept.binary_search(&layout.depths[place]).is_ok()
    };
    // Index of each node in the new tree, or of its nearest kept ancestor.
    let mut places = vec![0; vgh.nodes.len()];
    let mut reduced = Vgh::default();
    for (place, node) in vgh.nodes.iter().enumerate() {
        let parent = places[node.parent];
        if !is_kept(place) {
            places[place] = parent;
            continue;
        }
        // Notes record why a node is not below its own parent concept.
        let is_raised = place > 0 && !is_kept(node.parent);
        let mut word = Word { parent, ..node.clone() };
        if is_raised {
            word = word.noted("levels above it left out");
        }
        places[place] = reduced.push(word);
    }
    reduced.tidied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_stay_evenly_or_next_to_an_end() {
        let depths = |which: Which, n_kept| which.depths(n_kept, 7);
        assert_eq!(depths(Which::Even, 2), [2, 5]);
        assert_eq!(depths(Which::Even, 3), [2, 4, 6]);
        assert_eq!(depths(Which::Even, 6), [1, 2, 3, 4, 5, 6]);
        assert_eq!(depths(Which::Low, 2), [5, 6]);
        assert_eq!(depths(Which::High, 2), [1, 2]);
        assert!(depths(Which::Even, 0).is_empty());
    }
}
