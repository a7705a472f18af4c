//! Bottom-up: generalizes from the values upwards, by the most anonymity gained per loss.

mod cut;
mod naive;
mod tea;
mod walk;
mod until;
mod path;
mod anneal;
mod grown;
mod scene;

pub(crate) use scene::Taken;
pub use scene::{Considered, Scene};
pub use until::Until;

use serde::{Deserialize, Serialize};

use self::cut::{Cut, Step};
use self::path::Path;
use super::{Anonymizer, information};
use crate::error::Advice;
use crate::hierarchy::{Generalization, LeafOrAny, Node};
use crate::method::{Described, Description, Need, Parameter, Scope, Type};
use crate::problem::{Problem, Region};
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::table::Cohort;
use crate::{Error, Result};

/// Repeatedly replaces all children of a node by that node, until every combination of values has
/// enough records.
///
/// The next generalization G is a *critical* one, which makes the smallest class larger, if there
/// is one: the one of least IP(G) = I(G) / P(G). I(G) is the information lost about the class
/// column, in bits, and P(G) = min(A after, k) - A before is the number of records that the
/// smallest class gains, up to k. If no generalization is critical, the one of least I(G) is taken.
/// Without a class column, I(G) is the increase of the mean cost of a cell, as with `metric=lm`.
///
/// The combinations of values, called vids, are stored in a trie, the TEA index, in which a
/// generalization touches only the entries that it makes equal. A generalization can be critical
/// only if it merges every smallest vid with another. There is at most one such generalization for
/// each attribute, and only these are tried.
///
/// Numbers and dates without a hierarchy (`free`) get one that is grown for the class column: the
/// neighbouring ranges whose union loses least information about it are merged first.
///
/// # Complexity
///
/// `O(v w)` memory for `v` vids of `w` attributes. A vid is merged at most once, so all steps
/// together cost `O(v w log v)`, in addition to the trials of candidates, each of which costs as
/// much as it would merge.
///
/// # Guarantees
///
/// Global recoding: a value is published in the same way everywhere. Every class is private. Not
/// optimal. Deterministic: losses that are equal to twelve decimal places are ties, which go to the
/// first attribute, then to the first node in pre-order. `search` affects only the running time.
///
/// # References
///
/// \[Wang2004\] K. Wang, P. S. Yu, S. Chakraborty: Bottom-Up Generalization: A Data Mining Solution
/// to Privacy Protection, ICDM 2004; METHODS 4. Deviations and readings: without a critical
/// generalization, the least I(G) decides (section 5.3 of the paper writes IP(G) = I(G) there);
/// values of a hierarchy that do not occur count as present in the cut; a constant column is never
/// generalized; the tie rules are our own; numbers without a hierarchy, which the paper leaves to
/// future work, get a binary tree; models other than k-anonymity, which the paper does not
/// cover, are checked once the sizes suffice, and generalization continues until they hold.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::BottomUp;
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, RowOrder, Style};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["30"], ["31"], ["50"], ["50"]])?;
/// let tree = builder::build(&"iotf".parse()?, &table.columns()[0], None)?;
/// let problem = Problem::new(&table, vec![tree], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&BottomUp::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style::default(), &Silent)?;
/// let published: Vec<_> = release.rows(RowOrder::Input, &Silent)?.iter().map(|cells| cells[0].as_str()).collect();
/// assert_eq!(published, ["[30, 31]", "[30, 31]", "50", "50"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct BottomUp {
    /// Strategy to find the next generalization.
    pub search: Search,
    /// Measure of the loss of a generalization.
    pub metric: Metric,
    /// Whether children are generalized one by one instead of all together.
    pub partial: bool,
    /// Point at which the search stops; by default where the goal is first met.
    pub until: Option<Until>,
    /// Number of random changes that are tried on the final cut, to escape a local optimum.
    pub anneal: u32,
}

impl Described for BottomUp {
    const RECODING: Option<Scope> = Some(Scope::Global);

    const DESCRIPTION: Description = Description {
        name: "bottom-up",
        about: "generalizes by anonymity gain per information loss; class column",
        reference: Some("Wang2004"),
        needs: &[Need::Levels],
        parameters: &[
            Parameter::new(
                "search",
                Type::Choice(&["naive", "index", "pruning"]),
                "strategy to find the next generalization; affects only the running time",
            )
            .or("pruning"),
            Parameter::new(
                "metric",
                Type::Choice(&["ip", "lm", "ntil"]),
                "the loss of a generalization: bits about the class (ip) or cell costs (lm, ntil)",
            )
            .or("ip"),
            Parameter::new(
                "partial",
                Type::Flag,
                "generalizes children one by one instead of all together",
            )
            .or("false"),
            Parameter::new(
                "until",
                Until::KIND,
                "where the search stops, instead of where the goal is met first",
            ),
            Parameter::new(
                "anneal",
                Type::between(0, u32::MAX as u64),
                "number of random changes to try on the final cut (simulated annealing)",
            )
            .or("0"),
        ],
    };
}

/// Strategy to find the next generalization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// Counts all vids again for every generalization.
    Naive,
    /// Tries every generalization on the index.
    Index,
    /// Tries on the index only the generalizations that can be critical.
    #[default]
    Pruning,
}

/// Measure of the loss of a generalization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// The information lost about the class column, in bits.
    #[default]
    Ip,
    /// The increase of the mean cost of a cell; LM and NTIL differ only by a factor.
    #[serde(alias = "ntil")]
    Lm,
}

impl Anonymizer for BottomUp {
    fn is_seeded(&self) -> bool {
        self.anneal > 0
    }

    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        if self.anneal > 0 && (self.partial || self.until.is_some()) {
            let problem = "anneals the cut that meets the goal first, so anneal cannot be combined with \
                           partial or until";
            return Err(Error::method("bottom-up", problem)
                .advise([Advice::words("leave one of them out")]));
        }
        if let Some(obstacle) = self.obstacle(problem) {
            return Err(Error::obstacle("bottom-up", obstacle, Vec::new()));
        }
        let grown = grown::with_trees(problem)?;
        let with_trees = grown.as_ref().unwrap_or(problem);
        // The search may go past the stopping point, so the cut is rebuilt from the steps up to it.
        let path = Path::search(self, with_trees, progress)?;
        let n_steps = path.n_steps_of(self, with_trees)?;
        let mut cut = self.cut(with_trees)?;
        path.steps().take(n_steps).for_each(|step| cut.apply(&step));
        let mut nodes = cut.nodes();
        let mut note = path.note(n_steps);
        if self.anneal > 0 {
            note.push_str(&anneal::improve(self, with_trees, &mut nodes, progress)?);
        }
        let attributes = problem.attributes().iter().zip(with_trees.attributes());
        let published: Vec<Vec<Region>> = (attributes.zip(&nodes))
            .map(|((own, with_tree), nodes)| grown::published(own, with_tree, nodes))
            .collect();
        let mut proposal = Proposal::global(problem, &published)?;
        proposal.notes = vec![note, values_left(problem, &nodes)];
        proposal.trace = Some(path.trace(with_trees)?);
        Ok(proposal)
    }

    fn is_told_where_to_stop(&self) -> bool {
        self.until.is_some()
    }

    fn obstacle(&self, problem: &Problem) -> Option<Error> {
        problem.attributes().iter().find_map(|attribute| match attribute.generalization() {
            Generalization::Interval(_) if !attribute.leaves().contains(&LeafOrAny::ANY) => None,
            _ => information::tree_of(attribute).err(),
        })
    }
}

impl BottomUp {
    fn cut<'a>(&self, problem: &'a Problem) -> Result<Cut<'a>> {
        Cut::new(problem, self)
            .map_err(|obstacle| Error::obstacle("bottom-up", obstacle, Vec::new()))
    }
}

/// Formats the number of values left in each column: `values left: sex 1, race 5`.
fn values_left(problem: &Problem, nodes: &[Vec<Node>]) -> String {
    let columns = problem.attributes().iter().zip(nodes);
    let left: Vec<String> = columns
        .map(|(attribute, nodes)| format!("{} {}", attribute.name(), n_distinct(nodes)))
        .collect();
    format!("values left: {}", left.join(", "))
}

/// Returns the number of distinct nodes.
fn n_distinct(nodes: &[Node]) -> usize {
    let mut distinct = nodes.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.len()
}

/// The vids of a table with their numbers of records.
trait Counts {
    /// Number of vids.
    fn len(&self) -> usize;

    /// A(VID): the number of records of the smallest vid.
    fn smallest(&self) -> u64;

    /// Iterates over the number of records of each vid.
    fn sizes(&self) -> Box<dyn Iterator<Item = u64> + '_>;

    /// Returns the valid generalizations that can be critical (METHODS 4.2, step 1): the smallest
    /// size grows only if every vid of that size is merged with another, which needs a sibling in
    /// the trie that the generalization makes equal.
    fn candidates(&self, cut: &Cut<'_>) -> Vec<Step>;

    /// Returns the size of the smallest vid after a generalization, without applying it.
    fn smallest_after(&self, step: &Step) -> u64;

    /// Applies a generalization.
    fn apply(&mut self, step: &Step);
}

/// The vids at the start: distinct tuples of leaves, in ascending order.
struct Vids {
    width: usize,
    nodes: Vec<Node>,
    counts: Vec<u64>,
}

impl Vids {
    fn of(problem: &Problem, cut: &Cut<'_>) -> Self {
        let trees = cut.trees();
        let columns: Vec<Vec<Node>> = (problem.attributes().iter().zip(&trees))
            .map(|(a, tree)| {
                let leaves = problem.cohorts().all().map(|cohort| a.known_leaf(cohort));
                leaves.map(|leaf| tree.leaf_node(leaf)).collect()
            })
            .collect();
        let vid = |cohort: Cohort| columns.iter().map(move |column| column[cohort.index()]);
        let mut order: Vec<Cohort> = problem.cohorts().all().collect();
        // Cohorts may differ only in columns that are not quasi-identifiers; these become one vid.
        order.sort_unstable_by(|&one, &other| vid(one).cmp(vid(other)));
        let mut vids = Self { width: trees.len(), nodes: Vec::new(), counts: Vec::new() };
        for equal in order.chunk_by(|&one, &other| vid(one).eq(vid(other))) {
            vids.nodes.extend(vid(equal[0]));
            let records = equal.iter().map(|&cohort| problem.cohorts().counts[cohort.index()]);
            vids.counts.push(records.sum());
        }
        vids
    }

    fn iter(&self) -> impl Iterator<Item = (&[Node], u64)> {
        self.nodes.chunks(self.width).zip(self.counts.iter().copied())
    }
}
