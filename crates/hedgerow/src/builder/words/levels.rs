//! Adjustment c: fewer levels.

use super::vgh::{Layout, Vgh, Word};

/// Selection of the inner levels that are kept.
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

/// Returns the tree with at most `n_levels - 2` levels between the root and each value.
///
/// The children of a removed node become children of its nearest kept ancestor. Values that are
/// less deep than the kept levels would become children of the root, with which they have least in
/// common. They keep their lowest group of several values instead (their *shelter*); in exchange,
/// the subtree of that group loses its uppermost kept level.
///
/// # Complexity
///
/// Linear in the nodes, and in the depths of the values.
///
/// # References
///
/// \[Ayala2016\], section 3.2(3)c; METHODS 5.5c. Deviation: shelters, which are not in the paper.
pub(super) fn reduced(vgh: &Vgh, n_levels: usize, which: Which) -> Vgh {
    let layout = vgh.layout();
    let kept = which.depths(n_levels - 2, layout.height());
    let sheltered = sheltered(vgh, &layout, &kept);
    let is_kept = |place: usize| match sheltered[place] {
        _ if place == 0 || vgh.nodes[place].value.is_some() => true,
        Some(shelter) if shelter == place => true,
        // The shelter takes the place of the uppermost kept level.
        Some(_) => kept[1..].binary_search(&layout.depths[place]).is_ok(),
        None => kept.binary_search(&layout.depths[place]).is_ok(),
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
        if sheltered[place] == Some(place) {
            word = word.noted("kept so that no value below it is a child of the root");
        }
        places[place] = reduced.push(word);
    }
    reduced.tidied()
}

/// Returns the shelter of each node that is one or lies below one.
fn sheltered(vgh: &Vgh, layout: &Layout, kept: &[usize]) -> Vec<Option<usize>> {
    let mut shelters = vec![None; vgh.nodes.len()];
    // With no inner level, every value is a child of the root by definition.
    let Some(&uppermost) = kept.first() else { return shelters };
    let n_values = |place: usize| {
        vgh.nodes[place..layout.ends[place]].iter().filter(|node| node.value.is_some()).count()
    };
    let mut is_shelter = vec![false; vgh.nodes.len()];
    for (place, node) in vgh.nodes.iter().enumerate().filter(|(_, node)| node.value.is_some()) {
        // A deeper value has an ancestor on the uppermost kept level.
        if layout.depths[place] > uppermost {
            continue;
        }
        let above =
            std::iter::successors(Some(node.parent), |&place| Some(vgh.nodes[place].parent));
        let mut groups = above.take_while(|&place| place > 0);
        if let Some(shelter) = groups.find(|&group| n_values(group) > 1) {
            is_shelter[shelter] = true;
        }
    }
    // In pre-order, the outermost of nested shelters comes first and covers the others.
    let mut covered = 0;
    for place in 1..vgh.nodes.len() {
        if is_shelter[place] && place >= covered {
            covered = layout.ends[place];
            shelters[place..covered].fill(Some(place));
        }
    }
    shelters
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a tree of groups and values, each given with its parent, in pre-order.
    fn tree(nodes: &[(usize, Option<u32>)]) -> Vgh {
        let word = |(place, &(parent, value)): (usize, &(usize, Option<u32>))| Word {
            value,
            ..Word::group(parent, Some(place as u32), "")
        };
        Vgh { nodes: nodes.iter().enumerate().map(word).collect() }
    }

    /// Returns the concepts above each value, the nearest first and without the root.
    fn above(vgh: &Vgh) -> Vec<(u32, Vec<u32>)> {
        let mut found: Vec<(u32, Vec<u32>)> = Vec::new();
        for node in vgh.nodes.iter().filter(|node| node.value.is_some()) {
            let mut groups = Vec::new();
            let mut place = node.parent;
            while place > 0 {
                groups.push(vgh.nodes[place].concept.unwrap());
                place = vgh.nodes[place].parent;
            }
            found.push((node.value.unwrap(), groups));
        }
        found.sort();
        found
    }

    /// root 0 (1 (value 0, 3 (4 (values 1 and 2))), 7 (value 3), value 4, 10 (11 (12 (value 5))))
    fn ragged() -> Vgh {
        let group = |parent| (parent, None);
        tree(&[
            group(0),
            group(0),
            (1, Some(0)),
            group(1),
            group(3),
            (4, Some(1)),
            (4, Some(2)),
            group(0),
            (7, Some(3)),
            (0, Some(4)),
            group(0),
            group(10),
            group(11),
            (12, Some(5)),
        ])
    }

    #[test]
    fn a_value_is_not_left_alone_on_the_root_if_it_has_a_group() {
        // Value 0 has siblings below 1, values 3 and 4 have none anywhere.
        let low = reduced(&ragged(), 3, Which::Low);
        let wanted =
            [(0, vec![1]), (1, vec![1]), (2, vec![1]), (3, vec![]), (4, vec![]), (5, vec![12])];
        assert_eq!(above(&low), wanted);
        // Of two levels, the shelter replaces the upper one.
        let low = above(&reduced(&ragged(), 4, Which::Low));
        assert_eq!(low[..3], [(0, vec![1]), (1, vec![4, 1]), (2, vec![4, 1])]);
        assert_eq!(low[5], (5, vec![12, 11]));
    }

    #[test]
    fn a_tree_of_two_levels_is_flat() {
        let flat = reduced(&ragged(), 2, Which::Even);
        assert!(above(&flat).iter().all(|(_, groups)| groups.is_empty()));
        assert_eq!(flat.nodes.len(), 7);
    }

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
