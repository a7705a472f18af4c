//! The result of Datafly on one column with one hierarchy.

use std::collections::BTreeMap;
use std::slice;

use super::{Distance, Group, Sse, Terms, linkage, semantic_sse};
use crate::anonymize;
use crate::hierarchy::{Generalization, Node};
use crate::loss::{CAvg, GenIloss, Loss, Partition};
use crate::method::Spec;
use crate::privacy::KAnonymity;
use crate::problem::{Problem, Region};
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::table::Table;
use crate::{Error, Result};

/// The losses and the risk of a release.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The `k` of the release.
    pub k: u64,
    /// The distance of the published values from the original ones.
    pub sse: Sse,
    /// The mean share of the column's values that a published value covers.
    pub gen_iloss: f64,
    /// The mean size of classes, in units of `k`.
    pub c_avg: f64,
    /// The percentage of records that are linked to their originals.
    pub linkage: f64,
}

/// A number of an outcome; less is better.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// The name users write.
    pub name: &'static str,
    /// Whether it depends on the meanings of values.
    pub is_semantic: bool,
    /// Extracts the number from an outcome.
    pub of: fn(&Outcome) -> f64,
}

/// All numbers by which hierarchies can be compared.
pub const METRICS: [Metric; 4] = [
    Metric { name: "sse", is_semantic: true, of: |outcome| outcome.sse.sum },
    Metric { name: "gen-iloss", is_semantic: false, of: |outcome| outcome.gen_iloss },
    Metric { name: "c-avg", is_semantic: false, of: |outcome| outcome.c_avg },
    Metric { name: "linkage", is_semantic: true, of: |outcome| outcome.linkage },
];

/// Publishes a column with Datafly and its hierarchy, once for each `k`, and measures the releases.
///
/// If a hierarchy is ranked well before it is used, a release made with it should have little loss
/// and risk. `table` has only that column, and no record is suppressed.
///
/// # Complexity
///
/// One run of Datafly for each `k`. The semantic measures are computed once for each level of the
/// tree and need one similarity for each pair of a node of the level and a value.
///
/// # Guarantees
///
/// Deterministic. An error if `k` is larger than the number of records.
///
/// # References
///
/// \[Ayala2016\], section 4; METHODS 5.8.
///
/// # Examples
///
/// ```
/// use hedgerow::downstream::{Terms, outcomes};
/// use hedgerow::hierarchy::{Hierarchy, Leaves};
/// use hedgerow::knowledge::Knowledge;
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// let wordnet = Knowledge::wordnet();
/// let table = Table::from_rows(&["job"], &[["nurse"], ["nurse"], ["surgeon"]])?;
/// let leaves = Leaves::of("job", &table.columns()[0].domain);
/// let tree = Hierarchy::from_ranges(leaves, &[(0, 2), (0, 1), (1, 2)])?;
/// let concepts = [wordnet.concept("person#1")?, wordnet.concept("nurse#1")?, wordnet.concept("surgeon#1")?];
/// let terms = Terms::new(wordnet, tree.into(), &concepts.map(Some))?;
/// let found = outcomes(&terms, &table, &[1, 2], &Silent)?;
/// assert_eq!((found[0].sse.sum, found[0].gen_iloss), (0.0, 0.0));
/// assert_eq!((found[1].gen_iloss, found[1].c_avg), (1.0, 1.5));
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn outcomes(
    terms: &Terms<'_>,
    table: &Table,
    ks: &[u64],
    progress: &dyn Progress,
) -> Result<Vec<Outcome>> {
    let datafly = Spec::named("datafly");
    // Few levels serve many `k`, and the published nodes of a level do not depend on `k`.
    let mut known: BTreeMap<Vec<Node>, (Sse, f64)> = BTreeMap::new();
    let mut found = Vec::with_capacity(ks.len());
    for &k in ks {
        let tree = Generalization::Tree(terms.tree().clone());
        let problem = Problem::new(table, vec![tree], vec![Box::new(KAnonymity::new(k)?)])?;
        let recoding = problem.solve(&*anonymize::from_spec(&datafly)?, progress)?;
        let published = published(&problem, &recoding)?;
        let (sse, linkage) = match known.get(&published) {
            Some(&measured) => measured,
            None => {
                let measured = meant(terms, &problem, &published);
                *known.entry(published).or_insert(measured)
            }
        };
        let partition = Partition::of(&problem, &recoding);
        let of = |loss: &dyn Loss| loss.of(&partition).unwrap_or(0.0);
        found.push(Outcome { k, sse, gen_iloss: of(&GenIloss), c_avg: of(&CAvg), linkage });
    }
    Ok(found)
}

/// The published node of each cohort.
fn published(problem: &Problem, recoding: &Proposal) -> Result<Vec<Node>> {
    let mut nodes = vec![Node::ROOT; problem.cohorts().len()];
    for take in recoding.takes() {
        let region = take.class.map(|class| recoding.region(recoding.shape(class), 0));
        let Some(&Region::Node(node)) = region else {
            return Err(Error::Internal(
                "datafly published a region that is not a node of its tree".into(),
            ));
        };
        nodes[take.cohort.index()] = node;
    }
    Ok(nodes)
}

/// Semantic SSE and linkage of the published nodes.
fn meant(terms: &Terms<'_>, problem: &Problem, published: &[Node]) -> (Sse, f64) {
    let attribute = &problem.attributes()[0];
    let added;
    let terms = match attribute.generalization() {
        // The problem adds a leaf for missing values if the tree has none.
        Generalization::Tree(tree) if tree.len() != terms.tree().len() => {
            added = terms.with_missing(tree);
            &added
        }
        _ => terms,
    };
    let cohorts = problem.cohorts().counted().zip(published);
    let group = |((cohort, count), &published)| Group {
        original: [terms.tree().leaf_node(attribute.known_leaf(cohort))].into(),
        published: [published].into(),
        count,
    };
    let groups: Vec<Group> = cohorts.map(group).collect();
    let terms = slice::from_ref(terms);
    (semantic_sse(terms, &groups, Distance::Meaning), linkage(terms, &groups))
}
