//! Semantic SSE: the distance of published values from the original ones.

use super::{Group, Terms, n_records};
use crate::hierarchy::Node;

/// The distance between an original value and its published value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Distance {
    /// Distance of meanings: 1 minus their similarity ([`Terms::alike`]).
    #[default]
    Meaning,
    /// Distance in the tree ([`Terms::apart`]).
    Tree,
}

/// A sum of squared errors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Sse {
    /// The sum over all records.
    pub sum: f64,
    /// The mean over the records; 0 if there are none.
    pub mean: f64,
}

/// Sums the squared distances between published and original values.
///
/// A surgeon published as a doctor is still well described, but not a surgeon published as a
/// person, however many values are below either node.
///
/// # Complexity
///
/// One distance for each group and attribute.
///
/// # Guarantees
///
/// 0 if nothing is generalized, at most 1 for each record and attribute.
///
/// # References
///
/// \[Martinez2012\]; \[Ayala2016\], section 4; METHODS 5.8. Deviation: the distance is 1 minus Wu
/// and Palmer's similarity, which is also used to rank hierarchies.
///
/// # Examples
///
/// ```
/// use hedgerow::downstream::{Distance, Group, Terms, semantic_sse};
/// use hedgerow::hierarchy::{Hierarchy, Leaves, Node};
/// use hedgerow::knowledge::Knowledge;
/// use hedgerow::table::Table;
/// let wordnet = Knowledge::wordnet();
/// let table = Table::from_rows(&["job"], &[["nurse"], ["surgeon"]])?;
/// let leaves = Leaves::of("job", &table.columns()[0].domain);
/// let tree = Hierarchy::from_ranges(leaves, &[(0, 2), (0, 1), (1, 2)])?;
/// let concepts = [wordnet.concept("person#1")?, wordnet.concept("nurse#1")?, wordnet.concept("surgeon#1")?];
/// let terms = Terms::new(wordnet, tree.into(), &concepts.map(Some))?;
/// let [person, nurse, surgeon] = [0, 1, 2].map(Node::new);
/// let group = |original: Node, published: Node| Group {
///     original: [original].into(),
///     published: [published].into(),
///     count: 3,
/// };
/// let groups = [group(nurse, person), group(surgeon, surgeon)];
/// let sse = semantic_sse(&[terms], &groups, Distance::Meaning);
/// assert!(sse.sum > 0.0 && (sse.mean - sse.sum / 6.0).abs() < 1e-12);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn semantic_sse(terms: &[Terms<'_>], groups: &[Group], distance: Distance) -> Sse {
    // Martinez2012: squared distances, so that one far value weighs more than several near ones.
    let sum: f64 = groups.iter().map(|group| sum_of(terms, group, distance)).sum();
    Sse { sum, mean: sum / n_records(groups).max(1) as f64 }
}

/// Returns the sum over the records of a group.
fn sum_of(terms: &[Terms<'_>], group: &Group, distance: Distance) -> f64 {
    let values = group.original.iter().zip(&group.published);
    let squares = terms.iter().zip(values).map(|(terms, (&original, &published))| {
        let error = distance.between(terms, original, published);
        error * error
    });
    group.count as f64 * squares.sum::<f64>()
}

impl Distance {
    /// Returns the distance of two nodes, from 0 to 1.
    fn between(self, terms: &Terms<'_>, original: Node, published: Node) -> f64 {
        match self {
            Self::Meaning => 1.0 - terms.alike(original, published),
            Self::Tree => terms.apart(original, published),
        }
    }
}
