//! t-closeness.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{COLUMN, ClassView, PrivacyModel, Secret, Sense, share_beyond};
use crate::error::{Advice, Eased};
use crate::hierarchy::{Leaf, Node};
use crate::method::{Described, Description, Need, Parameter, Type, Validate};
use crate::noun::counted;
use crate::table::Code;
use crate::{Error, Result};

/// The distribution of sensitive values in every class is within distance `t` of the table's.
///
/// The distance of the two distributions is the earth mover's distance: the least sum of mass times
/// distance that turns one into the other. It depends on the distance between two values. With
/// *equal* distance, all values are 1 apart. *Ordered* distance is the difference of the positions
/// of two values in an order, divided by the largest possible difference; the order is the column's
/// own for numbers and dates, otherwise that of the leaves of its hierarchy. *Hierarchical*
/// distance is the height of the lowest common ancestor.
///
/// # Complexity
///
/// For a class with `d` distinct values, of `m` in the table: `O(d)` for equal and `O(m)` for
/// ordered distance; linear in the number of nodes of the tree for hierarchical distance.
///
/// # Guarantees
///
/// Monotone: the distance is convex, so the distance of the union of two classes is at most the
/// larger of theirs.
///
/// # References
///
/// \[Li2007\] N. Li, T. Li, S. Venkatasubramanian: t-Closeness: Privacy Beyond k-Anonymity and
/// l-Diversity, ICDE 2007; METHODS 6.11. In a tree whose leaves differ in depth, the height of a
/// node is the height of the tree minus the depth of the node (METHODS 0.2).
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{ClassView, Closeness, Distance, PrivacyModel, Secret, TCloseness};
/// use hedgerow::table::Code;
/// let code = Code::new;
/// let salaries = ["3", "4", "5", "6", "7", "8", "9", "10", "11"];
/// let secret = Secret::from_values("salary", &salaries)?.into();
/// let model = TCloseness::new(Closeness { t: 0.2, distance: Distance::Ordered }, &secret)?;
/// let counts = &[(code(0), 1), (code(1), 1), (code(2), 1)];
/// let low = ClassView { size: 3, population: 3.0, counts };
/// assert!((model.attained(&low) - 0.375).abs() < 1e-12);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct TCloseness {
    t: f64,
    distance: Distance,
    /// The share of each value in the table.
    shares: Vec<f64>,
    space: Space,
    secret: Arc<Secret>,
}

/// The largest allowed distance of a class from the table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closeness {
    /// Maximum distance; 0 to 1.
    pub t: f64,
    /// The distance between two values.
    #[serde(default)]
    pub distance: Distance,
}

impl Described for Closeness {
    const DESCRIPTION: Description = Description {
        name: "t-closeness",
        about: "sensitive values are distributed in each class as in the table, within t",
        reference: Some("Li2007"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new("t", Type::UNIT, "maximum distance; less is stricter").required(),
            Parameter::new(
                "distance",
                Type::Choice(&["equal", "ordered", "hierarchical"]),
                "the distance between two values",
            )
            .or("equal"),
            COLUMN,
        ],
    };
}

/// The distance between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Distance {
    /// All values are 1 apart.
    #[default]
    Equal,
    /// Values are as far apart as their positions in an order.
    Ordered,
    /// Values are as far apart as the height of their lowest common ancestor.
    Hierarchical,
}

/// The space in which distances are measured.
#[derive(Debug, Clone)]
enum Space {
    Anywhere,
    /// The codes in order.
    Line(Vec<usize>),
    Tree(Branches),
}

/// The parts of a hierarchy that hierarchical distance needs.
#[derive(Debug, Clone)]
struct Branches {
    /// The leaf node of each value.
    nodes: Vec<Node>,
    parents: Vec<Node>,
    /// The height of each node, divided by the height of the root.
    heights: Vec<f64>,
}

impl TCloseness {
    /// Creates the model for one sensitive column.
    pub fn new(asked: Closeness, secret: &Arc<Secret>) -> Result<Self> {
        asked.validate()?;
        let Closeness { t, distance } = asked;
        let space = match distance {
            Distance::Equal => Space::Anywhere,
            Distance::Ordered => Space::Line(order(secret)?),
            Distance::Hierarchical => Space::Tree(branches(secret)?),
        };
        Ok(Self { t, distance, shares: secret.shares(), space, secret: Arc::clone(secret) })
    }

    /// Earth mover's distance with equal distances: half the sum of `|q - p|` over all values.
    ///
    /// The sum needs only the values of the class: the absent ones add their `p`, and all `p` sum
    /// to 1.
    fn equal(&self, class: &ClassView<'_>) -> f64 {
        // Relative to an absent value, which would add `share`.
        let beyond = |(code, q): (Code, f64)| {
            let share = self.shares[code.index()];
            (q - share).abs() - share
        };
        0.5 * (1.0 + class.shares().map(beyond).sum::<f64>())
    }

    /// The share of each value in the class minus its share in the table.
    fn surpluses(&self, class: &ClassView<'_>) -> Vec<f64> {
        let mut surpluses: Vec<f64> = self.shares.iter().map(|p| -p).collect();
        class.shares().for_each(|(code, q)| surpluses[code.index()] += q);
        surpluses
    }

    /// Earth mover's distance on a line: the mass that passes from each position to the next.
    fn ordered(&self, class: &ClassView<'_>, order: &[usize]) -> f64 {
        let surpluses = self.surpluses(class);
        // 1 / (m - 1) times the sum over i of |r_1 + .. + r_i|, with the surpluses r.
        let (mut carried, mut moved) = (0.0, 0.0);
        for &code in order {
            carried += surpluses[code];
            moved += f64::abs(carried);
        }
        moved / (order.len().max(2) - 1) as f64
    }

    /// Earth mover's distance in a tree.
    ///
    /// At each node, mass moves from children with a surplus to children with a deficit, at a cost
    /// of the node's height.
    fn hierarchical(&self, class: &ClassView<'_>, tree: &Branches) -> f64 {
        let n_nodes = tree.parents.len();
        let mut own = vec![0.0; n_nodes];
        // `own` becomes the surplus of a whole subtree; `above` and `below` sum the positive and
        // the negative surpluses of a node's children.
        for (code, surplus) in self.surpluses(class).into_iter().enumerate() {
            own[tree.nodes[code].index()] += surplus;
        }
        let (mut above, mut below) = (vec![0.0; n_nodes], vec![0.0; n_nodes]);
        let mut moved = 0.0;
        // Nodes are numbered in pre-order, so the reverse order visits children before parents.
        for node in (0..n_nodes).rev() {
            // cost(N) = height(N) / H * min(surplus of its children, deficit of its children)
            moved += tree.heights[node] * f64::min(above[node], below[node]);
            let parent = tree.parents[node].index();
            if node > 0 {
                own[parent] += own[node];
                above[parent] += own[node].max(0.0);
                below[parent] += (-own[node]).max(0.0);
            }
        }
        moved
    }
}

/// The codes in the order of numbers and dates, or of the leaves of the hierarchy if there is one.
///
/// Missing values are an error unless the hierarchy has a leaf for them.
fn order(secret: &Secret) -> Result<Vec<usize>> {
    let domain = &secret.column().domain;
    let name = secret.name();
    let of_hierarchy = secret.leaves().zip(secret.hierarchy());
    // Whether the hierarchy as given has a leaf for missing values, which have the last code.
    let is_placed = |(leaves, tree): (&[Leaf], &Arc<crate::hierarchy::Hierarchy>)| {
        leaves.last().is_some_and(|leaf| leaf.index() < tree.leaves().len())
    };
    if let Some(missing) = domain.missing.as_ref().filter(|_| !of_hierarchy.is_some_and(is_placed))
    {
        let problem = format!(
            "{} without a value (the first in row {}), and missing values have no place in the order \
             that t-closeness with distance=ordered needs",
            counted(missing.count, "record"),
            missing.first_row + 1
        );
        return Err(Error::column(name, problem).advise([Advice::hierarchy_file(name), no_order()]));
    }
    // Values that occur only in records outside the release take no position in the order.
    let is_there = |code: &usize| secret.counts()[*code] > 0;
    let mut codes: Vec<usize> = (0..domain.n_codes()).filter(is_there).collect();
    match of_hierarchy {
        Some((leaves, _)) => codes.sort_by_key(|&code| leaves[code]),
        None if domain.values.scale().is_some() => {}
        None => {
            let problem = format!(
                "t-closeness with distance=ordered needs an order of its values, which {} does not have; \
                 the order of the leaves of a hierarchy can be used",
                domain.values.kind().name()
            );
            return Err(
                Error::column(name, problem).advise([Advice::hierarchy_file(name), no_order()])
            );
        }
    }
    Ok(codes)
}

/// Advice to use a distance that needs no order.
fn no_order() -> Advice {
    Advice::words("choose distance=equal")
}

fn branches(secret: &Secret) -> Result<Branches> {
    let name = secret.name();
    let (Some(tree), Some(leaves)) = (secret.hierarchy(), secret.leaves()) else {
        let problem = "t-closeness with distance=hierarchical needs a hierarchy of its values";
        return Err(Error::column(name, problem).advise([Advice::hierarchy_file(name)]));
    };
    let depths = tree.depths();
    let height = f64::from(tree.height().max(1));
    Ok(Branches {
        nodes: leaves.iter().map(|&leaf| tree.leaf_node(leaf)).collect(),
        parents: tree.nodes().map(|node| tree.parent(node).unwrap_or(Node::ROOT)).collect(),
        // (H - depth) / H, which is the relative height in ragged trees too.
        heights: depths.iter().map(|&depth| 1.0 - f64::from(depth) / height).collect(),
    })
}

impl PrivacyModel for TCloseness {
    fn name(&self) -> &'static str {
        match self.distance {
            Distance::Equal => "t-closeness",
            Distance::Ordered => "ordered t-closeness",
            Distance::Hierarchical => "hierarchical t-closeness",
        }
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.secret)
    }

    fn asked(&self) -> f64 {
        self.t
    }

    fn sense(&self) -> Sense {
        Sense::AtMost
    }

    fn lost_share(&self, class: &ClassView<'_>) -> f64 {
        share_beyond(self.t, self.attained(class))
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "t", attained)
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        match &self.space {
            Space::Anywhere => self.equal(class),
            Space::Line(order) => self.ordered(class, order),
            Space::Tree(tree) => self.hierarchical(class, tree),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class, column, near, with_tree};
    use super::*;

    fn distance(distance: Distance, secret: &Arc<Secret>, counts: &[u64]) -> f64 {
        let model = TCloseness::new(Closeness { t: 0.0, distance }, secret).unwrap();
        model.attained(&class(&mut Vec::new(), counts))
    }

    /// METHODS 6.11: nine salaries from 3 to 11.
    #[test]
    fn low_salaries_are_further_than_mixed_ones() {
        let salaries = ["3", "4", "5", "6", "7", "8", "9", "10", "11"];
        let secret = column(&salaries.map(|salary| (salary, 1)));
        let (low, mixed) = ([1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0, 1]);
        near(distance(Distance::Ordered, &secret, &low), 0.375, 1e-12);
        near(distance(Distance::Ordered, &secret, &mixed), 0.166_667, 1e-6);
        near(distance(Distance::Equal, &secret, &low), 0.666_667, 1e-6);
        near(distance(Distance::Equal, &secret, &mixed), 0.666_667, 1e-6);
    }

    /// METHODS 6.11: root{g1{a,b},g2{c,d}}.
    #[test]
    fn what_stays_in_a_group_is_moved_half_as_far() {
        let values = column(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)]);
        let secret = with_tree(&values, "a;g1;*\nb;g1;*\nc;g2;*\nd;g2;*\n");
        near(distance(Distance::Hierarchical, &secret, &[1, 1, 0, 0]), 0.5, 1e-12);
        near(distance(Distance::Hierarchical, &secret, &[1, 0, 1, 0]), 0.25, 1e-12);
        near(distance(Distance::Equal, &secret, &[1, 1, 0, 0]), 0.5, 1e-12);
        near(distance(Distance::Equal, &secret, &[1, 0, 1, 0]), 0.5, 1e-12);
    }

    #[test]
    fn words_are_ordered_by_the_leaves_of_their_hierarchy() {
        let values = column(&[("high", 1), ("low", 1), ("middle", 1)]);
        let secret = with_tree(&values, "low;*\nmiddle;*\nhigh;*\n");
        let asked = Closeness { t: 0.1, distance: Distance::Ordered };
        let refused = TCloseness::new(asked, &values).unwrap_err();
        assert!(matches!(&refused, Error::Column { column, .. } if column == "x"), "{refused}");
        near(distance(Distance::Ordered, &secret, &[0, 1, 0]), 0.5, 1e-12);
        near(distance(Distance::Ordered, &secret, &[0, 0, 1]), 1.0 / 3.0, 1e-12);
    }

    #[test]
    fn a_missing_value_has_a_place_in_a_tree_but_in_no_order() {
        let values = column(&[("1", 1), ("2", 1), ("", 2)]);
        let asked = Closeness { t: 0.1, distance: Distance::Ordered };
        let message = TCloseness::new(asked, &values).unwrap_err().to_string();
        assert!(message.contains("2 records without a value (the first in row 3)"), "{message}");
        let secret = with_tree(&values, "1;*\n2;*\n");
        assert!(TCloseness::new(asked, &secret).is_err());
        near(distance(Distance::Hierarchical, &secret, &[1, 0, 1]), 0.25, 1e-12);
        near(distance(Distance::Hierarchical, &secret, &[1, 1, 0]), 0.5, 1e-12);
    }

    /// One of 54 records has a missing value.
    #[test]
    fn in_a_flat_tree_a_missing_value_is_as_far_as_any_other() {
        for missing in [0, 1] {
            let values = column(&[("a", 20), ("b", 20), ("c", 13), ("", missing)]);
            for tree in ["a;*\nb;*\nc;*\n", "a;all\nb;all\nc;all\n"] {
                let secret = with_tree(&values, tree);
                for counts in [[3, 1, 1, 0], [5, 0, 0, 0], [2, 2, 1, missing], [0, 0, 3, missing]] {
                    let equal = distance(Distance::Equal, &secret, &counts);
                    near(distance(Distance::Hierarchical, &secret, &counts), equal, 1e-12);
                }
            }
        }
    }

    #[test]
    fn a_missing_value_leaves_the_distances_of_others_as_they_are() {
        let tree = "a;g1;*\nb;g1;*\nc;g2;*\nd;g2;*\n";
        let complete = column(&[("a", 2), ("b", 2), ("c", 2), ("d", 2)]);
        let lacking = column(&[("a", 2), ("b", 2), ("c", 2), ("d", 2), ("", 4)]);
        let of = |secret: &Arc<Secret>, counts: &[u64]| {
            distance(Distance::Hierarchical, &with_tree(secret, tree), counts)
        };
        // A third of the records in each class have a missing value, as in the table.
        near(of(&lacking, &[2, 0, 2, 0, 2]), of(&complete, &[2, 0, 2, 0]) * 2.0 / 3.0, 1e-12);
        near(of(&lacking, &[2, 2, 0, 0, 2]), of(&complete, &[2, 2, 0, 0]) * 2.0 / 3.0, 1e-12);
        near(of(&lacking, &[0, 0, 0, 0, 1]), 2.0 / 3.0, 1e-12);
    }

    #[test]
    fn a_class_like_the_table_is_at_no_distance() {
        let secret = column(&[("1", 1), ("2", 2), ("5", 1)]);
        for kind in [Distance::Equal, Distance::Ordered] {
            near(distance(kind, &secret, &[2, 4, 2]), 0.0, 1e-12);
        }
        let alone = column(&[("1", 3)]);
        near(distance(Distance::Ordered, &alone, &[2]), 0.0, 1e-12);
    }
}
