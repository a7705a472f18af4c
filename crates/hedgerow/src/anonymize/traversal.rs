//! Traversal: publishes generalization sets along a walk of a tree.

use serde::{Deserialize, Serialize};

use super::Anonymizer;
use super::mend::mend;
use crate::builder::{Key, Order};
use crate::error::Advice;
use crate::hierarchy::{Generalization, Hierarchy};
use crate::method::{Described, Description, Need, Parameter, Spec, Type};
use crate::problem::{ANY_LEAF, Attribute, Problem};
use crate::progress::Progress;
use crate::proposal::{Proposal, Take};
use crate::{Error, Result};

/// Publishes, for the one quasi-identifier there is, the generalization set of each value, or the
/// value itself where it is frequent enough.
///
/// The sets are those of a hierarchy method that walks a tree of the values:
/// [`Huffman`](crate::builder::Huffman), [`Bst`](crate::builder::Bst) or
/// [`Avl`](crate::builder::Avl). Every record of a value shows the same (global recoding): the node
/// just below the root that holds it. A node that is not private, because a model asks for more than
/// the `k` of the tree, shows the root together with another, or is suppressed where it may be; the
/// others stay as they are. Where all values are one set, that set is the root, and all show it. A
/// missing value that matches anything goes with the first class.
///
/// # Complexity
///
/// `O(m log m)` for the tree of `m` distinct values, then linear in cohorts; one pass over the classes
/// for each that is not private.
///
/// # Guarantees
///
/// Every class is private. Not optimal. Deterministic.
///
/// # References
///
/// \[Hernandez2018\] J. C. D. Hernandez, D. A. Garcia, F. Rabbani: Tree Traversal to Achieve
/// Generalization for Data De-identification, International Journal of Open Information
/// Technologies, 2018; METHODS 2. The readings taken are named at the three trees.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::{Anonymizer, Traversal};
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, Style};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["30"], ["41"], ["25"], ["41"]])?;
/// let method = Traversal::default();
/// let sets = builder::build(&method.hierarchy().unwrap(), &table.columns()[0], Some(2))?;
/// let problem = Problem::new(&table, vec![sets], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&method, &Silent)?;
/// let release = Release::new(&recoding, &Style::default())?;
/// let published: Vec<_> = release.rows()?.iter().map(|cells| cells[0].as_str()).collect();
/// assert_eq!(published, ["{25, 30}", "41", "{25, 30}", "41"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Traversal {
    /// The tree that holds the values.
    pub tree: Tree,
    /// The order in which the tree is walked; that of the tree's method if not given.
    pub order: Option<Order>,
    /// What a search tree compares; that of the tree's method if not given.
    pub key: Option<Key>,
}

impl Described for Traversal {
    const DESCRIPTION: Description = Description {
        name: "traversal",
        about: "sets of values along a walk of a tree, for one quasi-identifier",
        reference: Some("Hernandez2018"),
        needs: &[Need::OneAttribute],
        parameters: &[
            Parameter::new(
                "tree",
                Type::Choice(&["huffman", "bst", "avl"]),
                "the tree that holds the values",
            )
            .or("avl"),
            Parameter::new(
                "order",
                Type::Choice(&["pre", "in", "post"]),
                "the order in which the tree is walked; that of the tree's method if not given",
            ),
            Parameter::new(
                "key",
                Type::Choice(&["value", "frequency"]),
                "what a search tree compares; that of the tree's method if not given",
            ),
        ],
    };
}

/// The trees that can be walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tree {
    /// Leaves by frequency.
    Huffman,
    /// A search tree as it grows.
    Bst,
    /// A balanced search tree.
    #[default]
    Avl,
}

impl Anonymizer for Traversal {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let [attribute] = problem.attributes() else {
            return Err(too_many(problem.attributes()));
        };
        let Generalization::Tree(tree) = attribute.generalization() else {
            let problem = "method 'traversal' publishes sets of a tree, and the column has none";
            return Err(Error::column(attribute.name(), problem)
                .advise([Advice::words("build one with huffman, bst or avl")]));
        };
        let (classes, n_classes) = classes(tree, attribute, problem);
        let class_of = |leaf: u32| if leaf == ANY_LEAF { 0 } else { classes[leaf as usize] };
        let cohorts = (0..).zip(attribute.leaves()).zip(&problem.cohorts().counts);
        let takes = cohorts
            .map(|((cohort, &leaf), &count)| Take { cohort, class: class_of(leaf), count })
            .collect();
        mend(problem, Proposal::new(problem, n_classes as usize, takes), progress)
    }

    fn hierarchy(&self) -> Option<Spec> {
        // The tree is the method, and the rest are its parameters.
        let mut parameters = toml::Table::try_from(self).ok()?;
        let name = parameters.remove("tree")?.as_str()?.to_owned();
        Some(Spec { name, parameters })
    }
}

/// The class of each leaf, and how many classes there are: the nodes just below the root that have
/// records. Values below the root with fewer than `k` of them are in no set but the root, and share a
/// class.
fn classes(tree: &Hierarchy, attribute: &Attribute, problem: &Problem) -> (Vec<u32>, u32) {
    let n_records = attribute.leaf_counts(&problem.cohorts().counts);
    // Sets are made for `k` alone: what other models need is left to mending.
    let k = problem.goal().asked_k().unwrap_or(1);
    let mut classes = vec![0; attribute.n_leaves()];
    let mut n_classes = 0;
    let mut of_root = None;
    for node in (1..tree.len() as u32).filter(|&node| tree.parent(node) == Some(0)) {
        let leaves = tree.leaves_of(node);
        let leaves = leaves.start as usize..leaves.end as usize;
        let size: u64 = n_records[leaves.clone()].iter().sum();
        if size == 0 {
            continue;
        }
        let mut new_class = || {
            n_classes += 1;
            n_classes - 1
        };
        let is_rare_value = tree.as_leaf(node).is_some() && size < k;
        let class =
            if is_rare_value { *of_root.get_or_insert_with(new_class) } else { new_class() };
        classes[leaves].fill(class);
    }
    (classes, n_classes.max(1))
}

fn too_many(attributes: &[Attribute]) -> Error {
    let names: Vec<String> = attributes.iter().map(|a| format!("'{}'", a.name())).collect();
    let problem = format!(
        "generalizes one quasi-identifier, but {} are named: {}",
        names.len(),
        names.join(", ")
    );
    Error::method("traversal", problem)
        .advise([Advice::words("name one"), Advice::ChooseMethod { method: "k-member".to_owned() }])
}
