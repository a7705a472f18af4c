//! Checks of a hierarchy: what is wrong or odd about it, and where.

use hashbrown::HashMap;

use super::{Hierarchy, Node, Notation};
use crate::table::{Column, Kind};
use crate::{Error, Result};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It works, but somebody may have meant something else.
    Warning,
    /// It cannot be used so.
    Error,
}

/// Something a hierarchy's author should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What it is, which value or node, and what to do.
    pub message: String,
}

/// Checks a tree, and that it has every value of a column if one is given.
///
/// What makes a file no tree at all (two parents, ragged lines, empty labels) is already an error
/// of its reader.
pub fn check(tree: &Hierarchy, column: Option<&Column>) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    if let Some(column) = column {
        match tree.ground().bind(&column.domain) {
            Ok(_) => {}
            Err(error @ Error::NotInHierarchy { .. }) => {
                findings.push(Finding { severity: Severity::Error, message: error.to_string() });
            }
            Err(error) => return Err(error),
        }
    }
    let mut warn = |message: String| {
        findings.push(Finding { severity: Severity::Warning, message });
    };
    duplicate_labels(tree, &mut warn);
    single_children(tree, &mut warn);
    numbers_as_text(tree, &mut warn);
    misplaced_values(tree).into_iter().for_each(&mut warn);
    Ok(findings)
}

fn duplicate_labels(tree: &Hierarchy, warn: &mut impl FnMut(String)) {
    let mut seen: HashMap<String, Node> = HashMap::new();
    for node in 0..tree.len() as Node {
        let label = tree.label(node).into_owned();
        let Some(&first) = seen.get(&label) else {
            seen.insert(label, node);
            continue;
        };
        let is_chain = tree.leaves_of(first) == tree.leaves_of(node);
        if !is_chain {
            warn(format!(
                "two nodes are called '{label}' and cover different values; in a release they \
                 could not be told apart, so rename one"
            ));
        }
    }
}

fn single_children(tree: &Hierarchy, warn: &mut impl FnMut(String)) {
    for node in 1..tree.len() as Node {
        let parent = tree.parent(node).unwrap_or(0);
        if tree.leaves_of(parent) == tree.leaves_of(node) {
            warn(format!(
                "'{}' is the only child of '{}', so that level generalizes nothing there",
                tree.label(node),
                tree.label(parent)
            ));
        }
    }
}

fn numbers_as_text(tree: &Hierarchy, warn: &mut impl FnMut(String)) {
    if tree.kind() != Kind::Text || has_sets_only(tree) {
        return;
    }
    let is_number = |leaf: &u32| crate::table::read_number(&tree.spelling(*leaf)).is_some();
    let leaves = 0..tree.n_leaves() as u32;
    let n_numbers = leaves.clone().filter(is_number).count();
    if n_numbers * 2 > tree.n_leaves()
        && let Some(word) = leaves.clone().find(|leaf| !is_number(leaf))
    {
        warn(format!(
            "{n_numbers} of {} values are numbers, but '{}' is not, so all are taken as text",
            tree.n_leaves(),
            tree.spelling(word)
        ));
    } else if n_numbers == tree.n_leaves() {
        warn(
            "the groups are not ranges of neighbouring numbers, so values are taken as text".into(),
        );
    }
}

/// Whether every group is a set like `{25, 30}`, which need not be a range.
fn has_sets_only(tree: &Hierarchy) -> bool {
    let mut groups = (1..tree.len() as Node).filter(|&node| tree.as_leaf(node).is_none());
    groups.all(|node| matches!(Notation::read(&tree.label(node)), Notation::Set(_)))
}

/// Numeric leaves that lie outside the range their group's label states.
pub(crate) fn misplaced_values(tree: &Hierarchy) -> Vec<String> {
    let Some(scale) = tree.leaves().scale() else { return Vec::new() };
    let outside = |node: Node| {
        let Notation::Range(lo, hi) = Notation::read_as(tree.leaves(), &tree.label(node)) else {
            return None;
        };
        let mut leaves = tree.leaves_of(node).map(|leaf| leaf as usize);
        let leaf =
            leaves.find(|&leaf| leaf < scale.len() && !(lo..=hi).contains(&scale.value(leaf)))?;
        let (value, label) = (scale.spelling(leaf), tree.label(node));
        Some(format!("the value {value} stands below '{label}', which does not contain it"))
    };
    (0..tree.len() as Node).filter_map(outside).collect()
}

#[cfg(test)]
mod tests {
    use super::super::format::Format;
    use super::*;
    use crate::table::Table;

    fn findings(text: &str, column: Option<&Column>) -> Vec<String> {
        let tree = (Format::named("arx").unwrap().read)(text, Some("x")).unwrap();
        check(&tree, column).unwrap().into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn a_sound_tree_has_no_findings() {
        assert_eq!(findings("1;1-2;*\n2;1-2;*\n3;3-4;*\n4;3-4;*\n", None), Vec::<String>::new());
    }

    #[test]
    fn each_fault_is_named() {
        assert!(
            findings("a;A;*\nb;B;*\nc;B;*\n", None)[0].contains("'a' is the only child of 'A'")
        );
        assert!(
            findings("1;1-2;*\n7;1-2;*\n8;8-9;*\n9;8-9;*\n", None)[0].starts_with("the value 7")
        );
        assert!(findings("1;A;*\n2;A;*\nx;B;*\ny;B;*\n3;A;*\n", None)[0].contains("'x' is not"));
        assert!(findings("1;A;*\n2;B;*\n3;A;*\n4;B;*\n", None)[0].contains("neighbouring numbers"));
        assert!(
            findings("a;A;X;*\nb;A;X;*\nc;X;Y;*\nd;X;Y;*\n", None)[0].contains("two nodes are")
        );
    }

    #[test]
    fn a_value_that_the_tree_lacks_is_an_error() {
        let table = Table::from_rows(&["x"], &[["a"], ["z"], ["y"]]).unwrap();
        let found = findings("a;A;*\nb;A;*\n", Some(&table.columns()[0]));
        assert!(found[0].contains("value 'z' (row 2)") && found[0].contains("1 more"), "{found:?}");
    }
}
