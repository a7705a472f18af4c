//! Traversal: publishes generalization sets that are formed along a walk of a tree.

use serde::{Deserialize, Serialize};

use super::Anonymizer;
use super::mend::mend;
use crate::builder::{Key, Order};
use crate::error::Advice;
use crate::hierarchy::{Generalization, Hierarchy, LeafOrAny, Node};
use crate::method::{Described, Description, Need, Parameter, Scope, Spec, Type};
use crate::problem::{Attribute, Problem};
use crate::progress::Progress;
use crate::proposal::{Class, Proposal, Take};
use crate::{Error, Result};

/// Publishes the generalization set of each value of the single quasi-identifier, or the value
/// itself if it is frequent enough.
///
/// The sets come from a hierarchy method that walks a tree of the values:
/// [`Huffman`](crate::builder::Huffman), [`Bst`](crate::builder::Bst) or
/// [`Avl`](crate::builder::Avl). All records with a value publish the same node (global recoding):
/// the child of the root that contains the value. A node can fail if a model requires more than the
/// `k` of the tree. Such a node is merged with another, and both publish the root, or it is
/// suppressed if that is allowed; the others stay as they are. If all values are in one set, that
/// set is the root, and all records publish it. A missing value that matches anything goes to the
/// first class.
///
/// # Complexity
///
/// `O(m log m)` for the tree of `m` distinct values, then linear in the cohorts; one pass over the
/// classes for each class that is not private.
///
/// # Guarantees
///
/// Every class is private. Not optimal. Deterministic.
///
/// # References
///
/// \[Hernandez2018\] J. C. D. Hernandez, D. A. Garcia, F. Rabbani: Tree Traversal to Achieve
/// Generalization for Data De-identification, International Journal of Open Information
/// Technologies, 2018; METHODS 2. The three trees document our reading of the paper.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::{Anonymizer, Traversal};
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, RowOrder, Style};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["30"], ["41"], ["25"], ["41"]])?;
/// let method = Traversal::default();
/// let sets = builder::build(&method.hierarchy().unwrap(), &table.columns()[0], Some(2))?;
/// let problem = Problem::new(&table, vec![sets], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&method, &Silent)?;
/// let release = Release::new(&recoding, &Style::default(), &Silent)?;
/// let published: Vec<_> = release.rows(RowOrder::Input, &Silent)?.iter().map(|cells| cells[0].as_str()).collect();
/// assert_eq!(published, ["{25, 30}", "41", "{25, 30}", "41"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Traversal {
    /// The tree that holds the values.
    pub tree: Tree,
    /// Order of the walk; by default that of the tree's method.
    pub order: Option<Order>,
    /// Key that a search tree compares; by default that of the tree's method.
    pub key: Option<Key>,
}

impl Described for Traversal {
    const RECODING: Option<Scope> = Some(Scope::Global);

    const DESCRIPTION: Description = Description {
        name: "traversal",
        about: "publishes sets of values along a walk of a tree; for one quasi-identifier",
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
    /// A Huffman tree by frequency.
    Huffman,
    /// A binary search tree without balancing.
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
        // A missing value that matches anything fits every set, so it joins the first class.
        let class_of =
            |leaf: LeafOrAny| leaf.known().map_or(Class::new(0), |leaf| classes[leaf.index()]);
        let cohorts = problem.cohorts().counted().zip(attribute.leaves());
        let takes = cohorts
            .map(|((cohort, count), &leaf)| Take { cohort, class: Some(class_of(leaf)), count })
            .collect();
        mend(problem, Proposal::new(problem, n_classes, takes)?, progress)
    }

    fn hierarchy(&self) -> Option<Spec> {
        // The tree is the name of the hierarchy method, the other fields are its parameters.
        let mut parameters = toml::Table::try_from(self).ok()?;
        let name = parameters.remove("tree")?.as_str()?.to_owned();
        Some(Spec { name, parameters })
    }
}

/// Returns the class of each leaf, and the number of classes: one for each child of the root that
/// has records. Single values below the root with fewer than `k` records belong to no other set
/// than the root, so they share a class.
fn classes(tree: &Hierarchy, attribute: &Attribute, problem: &Problem) -> (Vec<Class>, usize) {
    let n_records = attribute.holders(problem.table());
    // The sets are formed for `k` alone; mending takes care of the other models.
    let k = problem.goal().asked_k().unwrap_or(1);
    let mut classes = vec![Class::new(0); attribute.n_leaves()];
    let mut n_classes = 0;
    let mut of_root = None;
    for node in tree.nodes().filter(|&node| tree.parent(node) == Some(Node::ROOT)) {
        let leaves = tree.leaves_of(node).places();
        let size: u64 = n_records[leaves.clone()].iter().sum();
        if size == 0 {
            continue;
        }
        let mut new_class = || {
            n_classes += 1;
            Class::new(n_classes - 1)
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
