//! Record linkage: the share of published records whose most similar original is the right one.

use std::collections::BTreeMap;

use super::{Group, Terms, n_records};
use crate::hierarchy::Node;
use crate::rank::TIE;

/// The percentage of published records that are linked to their originals by similarity.
///
/// An attacker who has the originals takes the ones that are most similar to each published record,
/// on average over the attributes, and picks one of them at random. Records that are published
/// close to their originals are linked, unless many originals are equally similar.
///
/// # Complexity
///
/// `O(p v w)` for `p` distinct published records, `v` distinct original ones and `w` attributes.
///
/// # Guarantees
///
/// From 0 to 100; 0 without records. If nothing is generalized and no two values have the same
/// meaning, it is the percentage of distinct records among all records. Similarities that differ by
/// at most 1e-12 are considered equal.
///
/// # References
///
/// \[Martinez2012\]; METHODS 5.8.
///
/// # Examples
///
/// Three nurses and one surgeon, published unchanged: each nurse is found with probability 1/3.
///
/// ```
/// use hedgerow::downstream::{Group, Terms, linkage};
/// use hedgerow::hierarchy::{Hierarchy, Leaves, Node};
/// use hedgerow::knowledge::Knowledge;
/// use hedgerow::table::Table;
/// let wordnet = Knowledge::wordnet();
/// let table = Table::from_rows(&["job"], &[["nurse"], ["surgeon"]])?;
/// let leaves = Leaves::of("job", &table.columns()[0].domain);
/// let tree = Hierarchy::from_ranges(leaves, &[(0, 2), (0, 1), (1, 2)])?;
/// let concepts = [wordnet.concept("person#1")?, wordnet.concept("nurse#1")?, wordnet.concept("surgeon#1")?];
/// let terms = Terms::new(wordnet, tree.into(), &concepts.map(Some))?;
/// let same = |node: Node, count| Group { original: [node].into(), published: [node].into(), count };
/// assert_eq!(linkage(&[terms], &[same(Node::new(1), 3), same(Node::new(2), 1)]), 50.0);
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
        // The attacker takes all originals of the greatest similarity and picks one at random.
        let most = alike.values().copied().fold(0.0, f64::max);
        let is_near = |original: &[Node]| most - alike[original] <= TIE;
        let near = originals.iter().filter(|(original, _)| is_near(original));
        let n_near: u64 = near.map(|(_, count)| count).sum();
        let right = members.iter().filter(|group| is_near(&group.original));
        let n_right: u64 = right.map(|group| group.count).sum();
        // A record is found with probability 1 / n_near if its original is among the most similar.
        n_found += n_right as f64 / n_near.max(1) as f64;
    }
    100.0 * n_found / n_records(groups).max(1) as f64
}

/// The similarity of each original to a published record, averaged over the attributes.
fn similarities<'a>(
    terms: &[Terms<'_>],
    originals: &BTreeMap<&'a [Node], u64>,
    shown: &[Node],
) -> BTreeMap<&'a [Node], f64> {
    // Values recur in many records, so each pair is compared once.
    let mut known = vec![BTreeMap::new(); terms.len()];
    let mut means = BTreeMap::new();
    for &original in originals.keys() {
        let of_place = |(place, terms): (usize, &Terms<'_>)| -> f64 {
            let (node, shown) = (original[place], shown[place]);
            *known[place].entry(node).or_insert_with(|| terms.alike(node, shown))
        };
        let sum: f64 = terms.iter().enumerate().map(of_place).sum();
        means.insert(original, sum / terms.len() as f64);
    }
    means
}
