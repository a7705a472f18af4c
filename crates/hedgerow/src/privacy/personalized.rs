//! Personalized anonymity.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{COLUMN, ClassView, PrivacyModel, Secret, Sense};
use crate::error::{Advice, Eased, did_you_mean};
use crate::hierarchy::{Hierarchy, Leaf, LeafRange, Node};
use crate::method::{Described, Description, Need, Parameter, Spec, Type, Validate};
use crate::table::{Code, Column};
use crate::{Error, Result};

/// For every record, at most a share `p` of its class lies below the node that the record guards.
///
/// People differ in what they want hidden: one does not mind if the flu is disclosed, another does
/// not want any stomach illness to be suspected. A separate column names the guarding node of each
/// record in the hierarchy of sensitive values; an empty cell guards nothing. The breach of a
/// record is the share of its class whose sensitive value lies below its guarding node.
///
/// # Complexity
///
/// `O(m log m)` for a class with `m` distinct pairs of value and guarding node.
///
/// # Guarantees
///
/// Not monotone: a class in which no record guards anything satisfies the model whatever its values
/// are.
///
/// # References
///
/// \[Xiao2006\] X. Xiao, Y. Tao: Personalized Privacy Preservation, SIGMOD 2006; METHODS
/// 6.10. In the paper a guarding node lies above the value of its record and sensitive values may
/// be generalized too; here any node may be guarded, and sensitive values are published as they
/// are.
///
/// # Examples
///
/// ```
/// use hedgerow::format::Format;
/// use hedgerow::privacy::{ClassView, Personalized, PrivacyModel, Secret};
/// use hedgerow::table::{Code, Columns, Encoding, Part, Table};
/// let code = Code::new;
/// let mut part = Part::default();
/// for row in [["flu", ""], ["gastritis", ""], ["ulcer", "stomach"]] {
///     part.push(row.iter().map(|field| field.as_bytes()), true)?;
/// }
/// let columns = Columns::default().and_beside(&["illness", "guard"]);
/// let table = Table::assemble(&columns, vec![part], &Encoding::default())?;
/// let tree = "flu;lungs;*\nulcer;stomach;*\ngastritis;stomach;*\n";
/// let tree = Format::named("arx")?.read(tree, Some("illness"))?;
/// let secret = Secret::of(&table, "illness")?.with_hierarchy(tree.into())?;
/// let model = Personalized::new(0.5, &secret.joint_with(&table, "guard")?.into())?;
/// let counts = &[(code(0), 2), (code(1), 1), (code(2), 1)];
/// let class = ClassView { size: 4, population: 4.0, counts };
/// assert!((model.attained(&class) - 0.5).abs() < 1e-12);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Personalized {
    p: f64,
    /// The leaf of each pair's value, and the range of leaves that the pair guards.
    pairs: Vec<(Leaf, Option<LeafRange>)>,
    secret: Arc<Secret>,
}

/// The parameters, as users write them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    p: f64,
}

impl Described for Asked {
    const DESCRIPTION: Description = Description {
        name: "personalized",
        about: "at most a share p of a class is below the node that a record guards",
        reference: Some("Xiao2006"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new(
                "p",
                Type::SHARE,
                "maximum share of records below a guarded node; below 1 protects",
            )
            .required(),
            Parameter::new(
                "guard",
                Type::Column,
                "the column in which each record names the node it guards",
            )
            .required(),
            COLUMN,
        ],
    };
}

impl Personalized {
    /// Creates the model for a sensitive column with a hierarchy, joined with the column of
    /// guarding nodes.
    pub fn new(p: f64, secret: &Arc<Secret>) -> Result<Self> {
        Asked { p }.validate()?;
        let name = secret.name();
        let (Some(tree), Some(leaves)) = (secret.hierarchy(), secret.leaves()) else {
            let problem =
                format!("needs a hierarchy of column '{name}', whose nodes records guard");
            return Err(Error::of_kind("privacy model", "personalized", problem)
                .advise([Advice::hierarchy_file(name)]));
        };
        let Some((guard, pairs)) = secret.joint() else {
            return Err(Error::Internal("no column says what records guard".into()));
        };
        let guarded = guarded_leaves(guard, tree, name)?;
        let pair = |&(value, guard): &(Code, Code)| {
            (leaves[value.index()], guarded[guard.index()].clone())
        };
        Ok(Self { p, pairs: pairs.iter().map(pair).collect(), secret: Arc::clone(secret) })
    }

    pub(super) fn read(spec: &Spec, secret: &Arc<Secret>) -> Result<Self> {
        Self::new(spec.read::<Asked>()?.p, secret)
    }
}

/// The leaves below the node that each value of the guard column names; none for an empty cell.
/// `name` is the sensitive column, whose hierarchy is `tree`.
fn guarded_leaves(guard: &Column, tree: &Hierarchy, name: &str) -> Result<Vec<Option<LeafRange>>> {
    let domain = &guard.domain;
    let nodes = nodes_by_label(tree);
    let mut guarded = Vec::with_capacity(domain.n_codes());
    for code in domain.codes() {
        if domain.missing_code() == Some(code) {
            guarded.push(None);
            continue;
        }
        let label = domain.spelling(code);
        let Some(&node) = nodes.get(label.as_ref()) else {
            let near = did_you_mean(&label, nodes.keys().map(String::as_str));
            let problem = format!("is not a node of the hierarchy of '{name}'{near}");
            let row = domain.first_rows[code.index()] + 1;
            return Err(Error::value(&guard.name, &*label, row, problem)
                .advise([Advice::words("name a node"), Advice::words("leave the cell empty")]));
        };
        guarded.push(Some(tree.leaves_of(node)));
    }
    Ok(guarded)
}

/// Nodes by label. If several nodes have the same label, the highest one is used.
fn nodes_by_label(tree: &Hierarchy) -> BTreeMap<String, Node> {
    // Nodes are numbered in pre-order; in reverse order the highest one is inserted last and wins.
    let nodes = tree.nodes().rev();
    nodes.map(|node| (tree.label(node).into_owned(), node)).collect()
}

impl PrivacyModel for Personalized {
    fn name(&self) -> &'static str {
        "personalized"
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.secret)
    }

    fn asked(&self) -> f64 {
        self.p
    }

    fn sense(&self) -> Sense {
        Sense::AtMost
    }

    fn is_monotone(&self) -> bool {
        false
    }

    fn loosest(&self) -> f64 {
        1.0
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "p", attained)
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        let pairs = || class.counts.iter().map(|&(code, count)| (&self.pairs[code.index()], count));
        let mut counts: Vec<(Leaf, u64)> =
            pairs().map(|((leaf, _), count)| (*leaf, count)).collect();
        counts.sort_unstable();
        // Prefix sums over the sorted leaves, so that the count of a range of leaves is one
        // difference.
        let mut running = vec![0];
        for (place, (_, count)) in counts.iter().enumerate() {
            running.push(running[place] + count);
        }
        let below = |end: Leaf| running[counts.partition_point(|&(leaf, _)| leaf < end)];
        let guarded = pairs().filter_map(|((_, guarded), _)| guarded.as_ref());
        // The worst record of the class decides.
        let most = guarded.map(|leaves| below(leaves.end) - below(leaves.start)).max();
        most.unwrap_or(0) as f64 / class.size.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class, guarded, near};
    use super::*;

    /// METHODS 6.10: the third record guards the node `stomach`.
    #[test]
    fn half_of_the_class_lies_below_what_the_third_record_guards() {
        let rows = [["flu", ""], ["flu", ""], ["ulcer", "stomach"], ["gastritis", ""]];
        let secret = guarded(&rows).unwrap();
        let model = Personalized::new(0.5, &secret).unwrap();
        let mut counts = Vec::new();
        let all = class(&mut counts, &[2, 1, 1]);
        near(model.attained(&all), 0.5, 1e-12);
        assert!(model.holds(&all));
        assert!(!Personalized::new(0.4, &secret).unwrap().holds(&all));
    }

    #[test]
    fn a_record_may_guard_its_value_alone_and_nobody_need_guard_anything() {
        let rows = [["flu", ""], ["ulcer", "ulcer"], ["gastritis", ""]];
        let model = Personalized::new(0.5, &guarded(&rows).unwrap()).unwrap();
        near(model.attained(&class(&mut Vec::new(), &[1, 1, 1])), 1.0 / 3.0, 1e-12);
        near(model.attained(&class(&mut Vec::new(), &[1, 1, 0])), 0.0, 0.0);
    }

    #[test]
    fn a_node_that_does_not_exist_is_named_with_its_row() {
        let secret = guarded(&[["flu", ""], ["ulcer", "stomac"]]).unwrap();
        let message = Personalized::new(0.5, &secret).unwrap_err().to_string();
        assert_eq!(
            message,
            "column 'guard': 'stomac' (row 2) is not a node of the hierarchy of 'illness' (did you mean \
             'stomach'?); name a node, or leave the cell empty"
        );
    }
}
