//! Record linkage: how often the original most like a published record is the right one.

use std::collections::BTreeMap;

use super::{Group, Terms, n_records};
use crate::hierarchy::Node;
use crate::rank::TIE;

/// The share of published records, in percent, that are traced to their original by similarity.
///
/// The idea: somebody who has the originals takes for each published record those that are most like
/// it, on average over the attributes, and draws one of them. What is published too close to the
/// originals, or close to the same few, is found again.
///
/// # Complexity
///
/// `O(p v w)` for `p` different published records, `v` different original ones and `w` attributes.
///
/// # Guarantees
///
/// From 0 to 100; 0 for no records. If nothing is generalized and no two values mean the same, it is
/// the number of different records over that of all. Similarities that differ by at most 1e-12 are
/// equal.
///
/// # References
///
/// \[Martinez2012\]; METHODS 5.8.
///
/// # Examples
///
/// Three nurses and one surgeon, published as they are: a nurse is found one time in three.
///
/// ```
/// use hedgerow::downstream::{Group, Terms, linkage};
/// use hedgerow::hierarchy::{Hierarchy, Leaves};
/// use hedgerow::knowledge::Knowledge;
/// use hedgerow::table::Table;
/// let wordnet = Knowledge::wordnet();
/// let table = Table::from_rows(&["job"], &[["nurse"], ["surgeon"]])?;
/// let leaves = Leaves::of("job", &table.columns()[0].domain);
/// let tree = Hierarchy::from_ranges(leaves, &[(0, 2), (0, 1), (1, 2)])?;
/// let concepts = [wordnet.concept("person#1")?, wordnet.concept("nurse#1")?, wordnet.concept("surgeon#1")?];
/// let terms = Terms::new(wordnet, tree.into(), &concepts.map(Some))?;
/// let group = |node, count| Group { original: [node].into(), published: [node].into(), count };
/// assert_eq!(linkage(&[terms], &[group(1, 3), group(2, 1)]), 50.0);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn linkage(terms: &[Terms<'_>], groups: &[Group]) -> f64 {
    let mut originals: BTreeMap<&[Node], u64> = BTreeMap::new();
    let mut published: BTreeMap<&[Node], Vec<&Group>> = BTreeMap::new();
    for group in groups {
        *originals.entry(&group.original).or_default() += group.count;
        published.entry(&group.published).or_default().push(group);
    }
    let mut n_found = 0.0;
    for (shown, members) in published {
        let alike = similarities(terms, &originals, shown);
        let most = alike.values().copied().fold(0.0, f64::max);
        let is_near = |original: &[Node]| most - alike[original] <= TIE;
        let near = originals.iter().filter(|(original, _)| is_near(original));
        let n_near: u64 = near.map(|(_, count)| count).sum();
        let right = members.iter().filter(|group| is_near(&group.original));
        let n_right: u64 = right.map(|group| group.count).sum();
        n_found += n_right as f64 / n_near.max(1) as f64;
    }
    100.0 * n_found / n_records(groups).max(1) as f64
}

/// How alike each original is to what is published, on average over the attributes.
fn similarities<'a>(
    terms: &[Terms<'_>],
    originals: &BTreeMap<&'a [Node], u64>,
    shown: &[Node],
) -> BTreeMap<&'a [Node], f64> {
    // Values come again in many records, so each is compared once.
    let mut known = vec![BTreeMap::new(); terms.len()];
    let mean = |&original: &&'a [Node]| {
        let of_place = |(place, terms): (usize, &Terms<'_>)| -> f64 {
            let (node, shown) = (original[place], shown[place]);
            *known[place].entry(node).or_insert_with(|| terms.alike(node, shown))
        };
        let sum: f64 = terms.iter().enumerate().map(of_place).sum();
        (original, sum / terms.len() as f64)
    };
    originals.keys().map(mean).collect()
}
