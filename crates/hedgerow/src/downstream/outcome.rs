//! The result of Datafly on one column with one hierarchy.

use std::collections::BTreeMap;
use std::slice;

use serde::Serialize;

use super::{Distance, Group, Sse, Terms, linkage, semantic_sse};
use crate::anonymize;
use crate::hierarchy::{Generalization, Node};
use crate::loss::{CAvg, GenIloss, Loss, Partition};
use crate::method::Spec;
use crate::privacy::KAnonymity;
use crate::problem::{Limits, Problem, Region};
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::table::Table;
use crate::{Error, Result};

/// Number of records that a release may suppress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Suppression {
    /// None: values are generalized until each is shared by `k` records.
    #[default]
    None,
    /// Up to `k`, as Datafly of the UTD toolbox does by default.
    K,
}

impl Suppression {
    /// Both treatments.
    pub const ALL: [Self; 2] = [Self::None, Self::K];

    /// The name users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::K => "k",
        }
    }

    /// Returns the number of records that a release may suppress.
    fn most(self, k: u64) -> u64 {
        match self {
            Self::None => 0,
            Self::K => k,
        }
    }
}

/// Releases to measure.
#[derive(Debug, Clone, Copy)]
pub struct Trials<'a> {
    /// A table of one column.
    pub table: &'a Table,
    /// The `k` of each release.
    pub ks: &'a [u64],
    /// Number of records that may be suppressed.
    pub suppression: Suppression,
}

/// The losses and the risk of a release.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The `k` of the release.
    pub k: u64,
    /// Number of suppressed records, which are published as the root.
    pub suppressed: u64,
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

impl Outcome {
    /// Whether every value is published as it is.
    pub fn is_untouched(&self) -> bool {
        self.suppressed == 0 && self.gen_iloss <= 0.0
    }
}

/// Publishes a column with Datafly and its hierarchy, once for each `k`, and measures the releases.
///
/// If a hierarchy is ranked well before it is used, a release made with it should have little loss
/// and risk. The table has only that column. A suppressed record is published as the root.
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
/// \[Ayala2016\], section 4; METHODS 5.8 and 6.1.
///
/// # Examples
///
/// ```
/// use hedgerow::downstream::{Suppression, Terms, Trials, outcomes};
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
/// let trials = Trials { table: &table, ks: &[1, 2], suppression: Suppression::None };
/// let found = outcomes(&terms, trials, &Silent)?;
/// assert_eq!((found[0].sse.sum, found[0].gen_iloss), (0.0, 0.0));
/// assert_eq!((found[1].gen_iloss, found[1].c_avg), (1.0, 1.5));
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn outcomes(
    terms: &Terms<'_>,
    trials: Trials<'_>,
    progress: &dyn Progress,
) -> Result<Vec<Outcome>> {
    let Trials { table, ks, suppression } = trials;
    let datafly = Spec::named("datafly");
    // Few levels serve many `k`, and the published nodes of a level do not depend on `k`.
    let mut known: BTreeMap<Vec<Node>, (Sse, f64)> = BTreeMap::new();
    let mut found = Vec::with_capacity(ks.len());
    for &k in ks {
        let tree = Generalization::Tree(terms.tree().clone());
        let limits = Limits { most_suppressed: suppression.most(k), ..Limits::default() };
        let model = Box::new(KAnonymity::new(k)?);
        let problem = Problem::with_limits(table, vec![tree], vec![model], limits)?;
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
        // Both losses apply to every partition, so the default is never used.
        let of = |loss: &dyn Loss| loss.of(&partition).unwrap_or(0.0);
        let (gen_iloss, c_avg) = (of(&GenIloss), of(&CAvg));
        let suppressed = recoding.takes().iter().filter(|take| take.class.is_none());
        let suppressed = suppressed.map(|take| take.count).sum();
        found.push(Outcome { k, suppressed, sse, gen_iloss, c_avg, linkage });
    }
    Ok(found)
}

/// The published node of each cohort: the root if its records are suppressed.
fn published(problem: &Problem, recoding: &Proposal) -> Result<Vec<Node>> {
    // Suppressed records are published as the root, which the semantic measures can read.
    let mut nodes = vec![Node::ROOT; problem.cohorts().len()];
    for take in recoding.takes() {
        let Some(class) = take.class else { continue };
        let &Region::Node(node) = recoding.region(recoding.shape(class), 0) else {
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
