//! Similarity: the candidates of a person have different sensitive values that mean nearly the
//! same.

use serde::{Deserialize, Serialize};

use super::scene::{Guess, Scene};
use super::secrets::{Histogram, Secrets, total};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::error::{Advice, Warning};
use crate::hierarchy::Hierarchy;
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::progress::Progress;

/// Finds candidates whose sensitive values differ but belong together: all are stomach diseases, or
/// all salaries are low.
///
/// Values belong together if they have an ancestor in the hierarchy of the column whose values at
/// most `share` of all records have, or, for numbers and dates, if at most `share` of all records
/// have values between them. The attacker guesses the group that most candidates are in, and is
/// right with the probability of its share. A person is exposed if all candidates are in one group
/// but do not have one value, which is [`Homogeneity`](super::Homogeneity).
///
/// # Complexity
///
/// `O(n log n)` for `n` records, after candidates were found as for [`Linking`](super::Linking).
///
/// # Guarantees
///
/// Deterministic. Columns of words need a hierarchy.
///
/// # References
///
/// \[Li2007\] N. Li, T. Li, S. Venkatasubramanian: t-Closeness: Privacy Beyond k-Anonymity and
/// l-Diversity, ICDE 2007, limitations of l-diversity. The limit on the size of a group is
/// hedgerow's own.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, Given, Scene, Similarity};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["age"]).and_beside(&["salary"]);
/// let rows: Vec<[String; 2]> =
///     (0..12).map(|i| [(i / 3).to_string(), (3000 + 100 * i).to_string()]).collect();
/// let table = Table::encode(&columns, &rows, &Encoding::default())?;
/// let mut given = Given::new(table.clone(), table);
/// given.sensitive = vec!["salary".to_owned()];
/// let tried = Similarity::default().run(&Scene::new(given)?, &Silent)?;
/// assert_eq!(tried[0].as_ref().expect("nothing is missing").exposed, 12);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Similarity {
    /// The share of all records that a group of similar values has at most, from 0 to 1.
    pub share: f64,
}

impl Default for Similarity {
    fn default() -> Self {
        Self { share: 0.25 }
    }
}

impl Described for Similarity {
    const DESCRIPTION: Description = Description {
        name: "similarity",
        about: "finds candidates whose sensitive values are close to each other",
        reference: Some("Li2007"),
        needs: &[Need::Sensitive],
        parameters: &[Parameter::new(
            "share",
            Type::UNIT,
            "maximum share of all records in a group of similar values",
        )
        .or("0.25")],
    };
}

impl Attack for Similarity {
    fn attack(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        Ok(scene.sensitive().iter().map(|&place| self.on_column(scene, place)).collect())
    }
}

impl Similarity {
    fn on_column(self, scene: &Scene, place: usize) -> Tried {
        let secrets = Secrets::new(scene, place);
        let column = scene.column(place);
        let likeness = match scene.hierarchy(&column.name) {
            Some(tree) => Likeness::of_tree(tree, &secrets, self.share),
            None if column.domain.values.scale().is_some() => {
                Likeness::of_order(&secrets, self.share)
            }
            None => {
                let problem =
                    format!("it needs a hierarchy of '{}', whose values are words", column.name);
                return Err(Warning::new(problem).advise([Advice::hierarchy_file(&column.name)]));
            }
        };
        // A single value is homogeneity, which has its own attack.
        let exposes =
            |values: &Histogram| values.len() > 1 && likeness.greatest(values) == total(values);
        let tally = secrets.tally(|values, _| Guess {
            probability: likeness.greatest(values) as f64 / total(values).max(1) as f64,
            exposed: exposes(values),
        });
        let chance = secrets.chance(exposes);
        let told = |values: &Histogram| {
            format!("{} different values that are close to each other", values.len())
        };
        let how = if scene.hierarchy(&column.name).is_some() { "hierarchy" } else { "order" };
        Ok(Attempt {
            column: Some(column.name.clone()),
            knew: format!(
                "{} of every {}, and the {how} of '{}'",
                scene.told_known(),
                scene.original().counted_noun(),
                column.name
            ),
            tried: format!(
                "looked for candidates whose values lie within {:.0}% of all records",
                100.0 * self.share
            ),
            examples: secrets.examples(|values| f64::from(u8::from(exposes(values))), told),
            prevention: vec![Advice::RequireModel {
                example: "t-closeness:t=0.2,distance=ordered".to_owned(),
            }],
            ..Attempt::new(Self::DESCRIPTION.name, Discloses::Attribute).counted(tally, chance)
        })
    }
}

/// The sensitive values that belong together.
enum Likeness {
    /// The group of each code.
    Groups(Vec<u64>),
    /// Values between which there are at most `most` records belong together.
    Order {
        /// Number of records with smaller codes.
        before: Vec<u64>,
        most: f64,
    },
}

impl Likeness {
    /// Groups leaves under their highest ancestor that at most `share` of all records have.
    fn of_tree(tree: &Hierarchy, secrets: &Secrets<'_>, share: f64) -> Self {
        let domain = &secrets.scene.column(secrets.place).domain;
        let leaves = tree.ground().leaves_for(domain);
        let mut counts = vec![0u64; tree.n_leaves() + 1];
        for &(code, count) in &secrets.overall {
            if let Some(leaf) = leaves.get(code.index()).copied().flatten() {
                counts[leaf.index() + 1] += count;
            }
        }
        // Prefix sums, so that the records of any node are one difference.
        for leaf in 1..counts.len() {
            counts[leaf] += counts[leaf - 1];
        }
        let most = share * total(&secrets.overall) as f64;
        let group = |code: usize| {
            let Some(leaf) = leaves.get(code).copied().flatten() else {
                return (tree.len() + code) as u64; // a value without a leaf is a group by itself
            };
            let mut node = tree.leaf_node(leaf);
            // The greatest subtree around the leaf that has at most the share of all records.
            while let Some(parent) = tree.parent(node) {
                let places = tree.leaves_of(parent).places();
                if (counts[places.end] - counts[places.start]) as f64 > most {
                    break;
                }
                node = parent;
            }
            node.index() as u64
        };
        Self::Groups((0..domain.n_codes()).map(group).collect())
    }

    fn of_order(secrets: &Secrets<'_>, share: f64) -> Self {
        let domain = &secrets.scene.column(secrets.place).domain;
        let mut before = vec![0; domain.n_codes() + 1];
        for &(code, count) in &secrets.overall {
            before[code.index() + 1] = count;
        }
        // Prefix sums: records between two values are one difference.
        for code in 1..before.len() {
            before[code] += before[code - 1];
        }
        Self::Order { before, most: share * total(&secrets.overall) as f64 }
    }

    /// Number of records in the largest group of values that belong together.
    fn greatest(&self, values: &Histogram) -> u64 {
        match self {
            Self::Groups(groups) => {
                let mut of_group: Vec<(u64, u64)> =
                    values.iter().map(|&(code, count)| (groups[code.index()], count)).collect();
                of_group.sort_unstable();
                let sums = of_group.chunk_by(|a, b| a.0 == b.0);
                sums.map(|group| group.iter().map(|(_, count)| count).sum()).max().unwrap_or(0)
            }
            Self::Order { before, most } => {
                // A window over the sorted values of the candidates, as wide as the share allows.
                let (mut start, mut sum, mut greatest) = (0, 0, 0);
                for &(code, count) in values {
                    sum += count;
                    let spans = |start: usize| {
                        (before[code.index() + 1] - before[values[start].0.index()]) as f64
                    };
                    while values[start].0 != code && spans(start) > *most {
                        sum -= values[start].1;
                        start += 1;
                    }
                    greatest = greatest.max(sum);
                }
                greatest
            }
        }
    }
}
