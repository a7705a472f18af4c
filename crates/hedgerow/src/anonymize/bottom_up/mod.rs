//! Bottom-up: generalizes from the values upwards, whatever buys most anonymity for its loss.

mod cut;
mod naive;
mod tea;
mod path;
mod until;
mod anneal;

pub use until::Until;

use serde::{Deserialize, Serialize};

use self::cut::{Cut, Step};
use self::path::Path;
use super::{Anonymizer, information};
use crate::error::Advice;
use crate::hierarchy::Node;
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::problem::{Problem, Region};
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::{Error, Result};

/// Replaces, again and again, all children of a node by that node, until every combination of
/// values has enough records.
///
/// The next generalization G is a *critical* one, which makes the smallest class larger, if there
/// is any: the one of least IP(G) = I(G) / P(G), where I(G) is what is lost about the class column,
/// in bits, and P(G) = min(A after, k) - A before is what the smallest class gains, up to k. Else it
/// is the one of least I(G). Without a class column, I(G) is the rise of the mean cost of a cell, as
/// with `metric=lm`.
///
/// The combinations of values, called vids, lie in a trie, the TEA index, in which a generalization
/// touches only what it makes equal. Only a generalization that merges every smallest vid with
/// another can be critical; there is at most one in each attribute, and only these are tried.
///
/// # Complexity
///
/// `O(v w)` memory for `v` vids of `w` attributes. A vid is merged at most once, so all steps
/// together cost `O(v w log v)` beside the trials of candidates, each of which costs what it would
/// merge.
///
/// # Guarantees
///
/// Global recoding: a value is published alike everywhere. Every class is as private as was asked.
/// Not optimal. Deterministic: losses that are equal in twelve decimals are ties, which go to the
/// first attribute, then to the first node in pre-order. `search` changes only the time it takes.
///
/// # References
///
/// \[Wang2004\] K. Wang, P. S. Yu, S. Chakraborty: Bottom-Up Generalization: A Data Mining Solution
/// to Privacy Protection, ICDM 2004; METHODS 4. Deviations and readings: without a critical
/// generalization the least I(G) decides (the paper's section 5.3 writes IP(G) = I(G) there); values
/// of a hierarchy that do not occur count as present in the cut; a column with the same value
/// everywhere is never generalized; ties are ours; models besides
/// k-anonymity, of which the paper does not speak, are checked once the sizes suffice, and
/// generalizing goes on until they hold.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::BottomUp;
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, Style};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["30"], ["31"], ["50"], ["50"]])?;
/// let tree = builder::build(&"iotf".parse()?, &table.columns()[0], None)?;
/// let problem = Problem::new(&table, vec![tree], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&BottomUp::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style::default())?;
/// let published: Vec<_> = release.rows()?.iter().map(|cells| cells[0].as_str()).collect();
/// assert_eq!(published, ["[30, 31]", "[30, 31]", "50", "50"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct BottomUp {
    /// How the next generalization is found.
    pub search: Search,
    /// What a generalization loses.
    pub metric: Metric,
    /// Lets children go up one by one instead of all together.
    pub partial: bool,
    /// Where on its way the search stops, instead of where the goal is met first.
    pub until: Option<Until>,
    /// How many random changes are tried on the cut that was found, to leave a local optimum.
    pub anneal: u32,
}

impl Described for BottomUp {
    const DESCRIPTION: Description = Description {
        name: "bottom-up",
        about: "generalizes what buys most anonymity for its loss: global recoding, class column",
        reference: Some("Wang2004"),
        needs: &[Need::Levels],
        parameters: &[
            Parameter::new(
                "search",
                Type::Choice(&["naive", "index", "pruning"]),
                "how the next generalization is found",
            )
            .or("pruning"),
            Parameter::new(
                "metric",
                Type::Choice(&["ip", "lm", "ntil"]),
                "what a generalization loses: bits about the class, or cell costs (lm, ntil)",
            )
            .or("ip"),
            Parameter::new(
                "partial",
                Type::Flag,
                "lets children go up one by one instead of all together",
            )
            .or("false"),
            Parameter::new(
                "until",
                Until::KIND,
                "where the search stops, instead of where the goal is met first",
            ),
            Parameter::new(
                "anneal",
                Type::Whole { least: 0, most: u32::MAX as u64 },
                "how many random changes are tried on the cut that was found",
            )
            .or("0"),
        ],
    };
}

/// How the next generalization is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// Every vid is counted anew for every generalization.
    Naive,
    /// Every generalization is tried on the index.
    Index,
    /// Only generalizations that may be critical are tried on the index.
    #[default]
    Pruning,
}

/// What a generalization loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// What is lost about the class column, in bits.
    #[default]
    Ip,
    /// The rise of the mean cost of a cell; LM and NTIL differ by a factor only.
    #[serde(alias = "ntil")]
    Lm,
}

impl Anonymizer for BottomUp {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        if self.anneal > 0 && (self.partial || self.until.is_some()) {
            let problem = "anneals the cut that meets the goal first, so anneal cannot be combined with \
                           partial or until";
            return Err(Error::method("bottom-up", problem)
                .advise([Advice::words("leave one of them out")]));
        }
        let path = Path::search(self, problem, progress)?;
        let n_steps = path.n_steps_of(self, problem)?;
        let mut cut = self.cut(problem)?;
        path.steps().take(n_steps).for_each(|step| cut.apply(&step));
        let mut nodes: Vec<Vec<Node>> =
            (0..problem.attributes().len()).map(|attribute| cut.leaf_nodes(attribute)).collect();
        let mut note = path.note(n_steps);
        if self.anneal > 0 {
            note.push_str(&anneal::improve(self, problem, &mut nodes, progress)?);
        }
        let region = |&node: &Node| Region::Node(node);
        let published: Vec<Vec<Region>> =
            nodes.iter().map(|nodes| nodes.iter().map(region).collect()).collect();
        let mut proposal = Proposal::global(problem, &published);
        proposal.notes = vec![note, values_left(problem, &nodes)];
        proposal.trace = Some(path.trace(problem)?);
        Ok(proposal)
    }

    fn is_told_where_to_stop(&self) -> bool {
        self.until.is_some()
    }

    fn obstacle(&self, problem: &Problem) -> Option<Error> {
        problem.attributes().iter().find_map(|attribute| information::tree_of(attribute).err())
    }
}

impl BottomUp {
    fn cut<'a>(&self, problem: &'a Problem) -> Result<Cut<'a>> {
        Cut::new(problem, self)
            .map_err(|obstacle| Error::obstacle("bottom-up", obstacle, Vec::new()))
    }
}

/// `values left: sex 1, race 5`
fn values_left(problem: &Problem, nodes: &[Vec<Node>]) -> String {
    let columns = problem.attributes().iter().zip(nodes).map(|(attribute, nodes)| {
        let mut left = nodes.clone();
        left.sort_unstable();
        left.dedup();
        format!("{} {}", attribute.name(), left.len())
    });
    format!("values left: {}", columns.collect::<Vec<_>>().join(", "))
}

/// The vids of a table and their records, as a search counts them.
trait Counts {
    /// How many vids.
    fn len(&self) -> usize;

    /// A(VID): the records of the smallest.
    fn smallest(&self) -> u64;

    /// The records of each.
    fn sizes(&self) -> Box<dyn Iterator<Item = u64> + '_>;

    /// What the smallest would have after a generalization.
    fn smallest_after(&self, step: &Step) -> u64;

    /// Carries a generalization out.
    fn apply(&mut self, step: &Step);
}

/// The vids at the start: distinct tuples of leaves, in order.
struct Vids {
    width: usize,
    nodes: Vec<Node>,
    counts: Vec<u64>,
}

impl Vids {
    fn of(problem: &Problem, cut: &Cut<'_>) -> Self {
        let trees = cut.trees();
        let columns: Vec<Vec<Node>> = (problem.attributes().iter().zip(&trees))
            .map(|(a, tree)| a.leaves().iter().map(|&leaf| tree.leaf_node(leaf)).collect())
            .collect();
        let vid = |cohort: u32| columns.iter().map(move |column| column[cohort as usize]);
        let mut order: Vec<u32> = (0..problem.cohorts().len() as u32).collect();
        order.sort_unstable_by(|&one, &other| vid(one).cmp(vid(other)));
        let mut vids = Self { width: trees.len(), nodes: Vec::new(), counts: Vec::new() };
        for equal in order.chunk_by(|&one, &other| vid(one).eq(vid(other))) {
            vids.nodes.extend(vid(equal[0]));
            let records = equal.iter().map(|&cohort| problem.cohorts().counts[cohort as usize]);
            vids.counts.push(records.sum());
        }
        vids
    }

    fn iter(&self) -> impl Iterator<Item = (&[Node], u64)> {
        self.nodes.chunks(self.width).zip(self.counts.iter().copied())
    }
}
