//! Semantic SSE: how far what is published is from what was.

use super::{Group, Terms, n_records};

/// How far an original and what is published of it are apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Distance {
    /// By what they mean: 1 less their similarity ([`Terms::alike`]).
    #[default]
    Meaning,
    /// By where they stand in the tree ([`Terms::apart`]).
    Tree,
}

/// A sum of squared errors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Sse {
    /// Over all records.
    pub sum: f64,
    /// For each record; 0 if there are none.
    pub mean: f64,
}

/// Sums the squared distance of every published value from the original one.
///
/// The idea: a surgeon who is published as a doctor is still well described, one who is published as
/// a person is not, however many values lie below either.
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
/// \[Martinez2012\]; \[Ayala2016\], section 4; METHODS 5.8. Deviation: the distance is 1 less Wu and
/// Palmer's similarity, as hierarchies are judged by it too.
///
/// # Examples
///
/// ```
/// use hedgerow::downstream::{Distance, Group, Terms, semantic_sse};
/// use hedgerow::hierarchy::{Hierarchy, Leaves};
/// use hedgerow::knowledge::Knowledge;
/// use hedgerow::table::Table;
/// let wordnet = Knowledge::wordnet();
/// let table = Table::from_rows(&["job"], &[["nurse"], ["surgeon"]])?;
/// let leaves = Leaves::of("job", &table.columns()[0].domain);
/// let tree = Hierarchy::from_ranges(leaves, &[(0, 2), (0, 1), (1, 2)])?;
/// let concepts = [wordnet.concept("person#1")?, wordnet.concept("nurse#1")?, wordnet.concept("surgeon#1")?];
/// let terms = Terms::new(wordnet, tree.into(), &concepts.map(Some))?;
/// let group = |original, published| Group { original: [original].into(), published: [published].into(), count: 3 };
/// let sse = semantic_sse(&[terms], &[group(1, 0), group(2, 2)], Distance::Meaning);
/// assert!(sse.sum > 0.0 && (sse.mean - sse.sum / 6.0).abs() < 1e-12);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn semantic_sse(terms: &[Terms<'_>], groups: &[Group], distance: Distance) -> Sse {
    let of_group = |group: &Group| {
        let values = group.original.iter().zip(&group.published);
        let squares = terms.iter().zip(values).map(|(terms, (&original, &published))| {
            let distance = match distance {
                Distance::Meaning => 1.0 - terms.alike(original, published),
                Distance::Tree => terms.apart(original, published),
            };
            distance * distance
        });
        group.count as f64 * squares.sum::<f64>()
    };
    let sum: f64 = groups.iter().map(of_group).sum();
    Sse { sum, mean: sum / n_records(groups).max(1) as f64 }
}
