//! Encodes hierarchies as files and verifies that they can be read back.

use hashbrown::HashSet;
use twox_hash::XxHash3_64;

use super::{Format, WriteError};
use crate::error::Advice;
use crate::format::Draft;
use crate::hierarchy::{Hierarchy, Node};
use crate::{Error, Result};

/// An encoded hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoded {
    /// Contents of the file.
    pub bytes: Vec<u8>,
    /// Differences between the file and the tree.
    pub changes: Vec<String>,
}

impl Format {
    /// Encodes a hierarchy and verifies that it can be read back.
    ///
    /// Returns [`Error::Unfit`] if the result would differ, unless `lossy` allows labels to change.
    ///
    /// ```
    /// use hedgerow::format::Format;
    /// let tree = Format::named("hrc")?.read("*\n@North America\n@@Canada\n@@USA\n", None)?;
    /// let amnesia = Format::named("amnesia")?;
    /// assert!(amnesia.encode(&tree, false).is_err()); // blanks separate its labels
    /// let text = String::from_utf8(amnesia.encode(&tree, true)?.bytes).unwrap();
    /// assert!(text.contains("North_America has Canada USA"));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn encode(&self, tree: &Hierarchy, lossy: bool) -> Result<Encoded> {
        let renamed = self.renamed(tree);
        if let Some((node, new)) = renamed.first().filter(|_| !lossy) {
            let old = tree.published(*node);
            let more = and_more(renamed.len() - 1);
            return Err(self.unfit(format!(
                "cannot hold the label {old:?}{more}, which would have to be written {new:?}"
            )));
        }
        if renamed.is_empty() {
            match self.proven(tree) {
                // Labels can all be written, yet the file reads differently: two may be the same.
                Err(Error::Unfit { .. }) if lossy => {}
                done => return done,
            }
        }
        let mut draft = Draft::of(tree);
        let mut changes = Vec::new();
        for (node, new) in renamed {
            changes.push(format!("{:?} is written {new:?}", tree.published(node)));
            draft.nodes[node.index()].label = new.into();
        }
        // First with the changed labels alone. Numbers are added only if that cannot be read back.
        if let Some(done) = draft.assemble().ok().and_then(|tree| self.proven(&tree).ok()) {
            return Ok(Encoded { changes: [changes, done.changes].concat(), ..done });
        }
        changes.extend(number_names(&mut draft));
        let done = self.proven(&draft.assemble()?)?;
        Ok(Encoded { changes: [changes, done.changes].concat(), ..done })
    }

    /// Returns the nodes whose labels a file cannot store, with replacements that it can.
    fn renamed(&self, tree: &Hierarchy) -> Vec<(Node, String)> {
        let spelt = |node: Node| {
            let label = tree.published(node);
            let new = (self.item.spell)(tree, &label);
            (new != label).then_some((node, new))
        };
        tree.nodes().filter_map(spelt).collect()
    }

    /// Encodes a tree and verifies that decoding gives the same tree.
    fn proven(&self, tree: &Hierarchy) -> Result<Encoded> {
        let mut bytes = Vec::new();
        (self.item.write)(tree, &mut bytes).map_err(|error| match error {
            WriteError::Unfit(problem) => {
                let advice = vec![Advice::words("use .json")];
                Error::Unfit { format: self.name, problem, advice }
            }
            WriteError::Io(error) => Error::Internal(error.to_string()),
        })?;
        let lost = |what: String| self.unfit(format!("cannot hold this tree: {what}"));
        let text =
            std::str::from_utf8(&bytes).map_err(|error| Error::Internal(error.to_string()))?;
        let attribute = Some(tree.attribute());
        // The proof: the tree that the format's own parser reads from the file.
        let back = self.read(text, attribute).map_err(|error| lost(error.problem()))?;
        if let Some(node) = first_difference(tree, &back) {
            let label = tree.published(node);
            return Err(lost(format!("'{label}' would not be the same when it is read back")));
        }
        Ok(Encoded { bytes, changes: losses(tree, &back) })
    }

    /// Returns the error for a tree that this format cannot hold but `.json` can.
    fn unfit(&self, problem: String) -> Error {
        let advice = vec![Advice::words("use .json"), Advice::AllowLoss];
        Error::Unfit { format: self.name, problem, advice }
    }
}

/// Lists the information about `tree` that is missing from `back`, the tree read back from the
/// file.
fn losses(tree: &Hierarchy, back: &Hierarchy) -> Vec<String> {
    let mut losses = Vec::new();
    let (kind, read) = (tree.kind().name(), back.kind().name());
    if kind != read {
        losses
            .push(format!("the kind {kind} of the values is not written: they are read as {read}"));
    // Costs depend on the kind, so they are compared only if that is the same.
    } else if !cost_the_same(tree, back) {
        let loss = "the bounds of ranges are not written: groups cost what their labels say";
        losses.push(loss.to_owned());
    }
    if tree.has_distortions() && !back.has_distortions() {
        let loss = "the distortions of groups are not written: their levels are used instead";
        losses.push(loss.to_owned());
    }
    if tree.locks().len() > back.locks().len() {
        let loss = "locks are not written: values can be generalized above locked nodes";
        losses.push(loss.to_owned());
    }
    losses
}

/// Returns a node of `tree` that `other` does not have, or has with different descendants. The
/// order of siblings does not matter.
fn first_difference(tree: &Hierarchy, other: &Hierarchy) -> Option<Node> {
    let (of_tree, of_other) = (fingerprints(tree), fingerprints(other));
    if of_tree[0] == of_other[0] {
        return None;
    }
    let known: HashSet<u64> = of_other.into_iter().collect();
    // Backwards through pre-order, so that the lowest cause is found before its ancestors, which
    // differ too.
    tree.nodes().rev().find(|&node| !known.contains(&of_tree[node.index()])).or(Some(Node::ROOT))
}

/// Whether the nodes of two otherwise equal trees have the same costs.
fn cost_the_same(tree: &Hierarchy, other: &Hierarchy) -> bool {
    // Siblings may be in another order, so sorted costs are compared.
    let [ours, theirs] = [tree, other].map(|tree| {
        let mut costs = tree.costs();
        costs.sort_by(f64::total_cmp);
        costs
    });
    ours.iter().zip(&theirs).all(|(ours, theirs)| (ours - theirs).abs() < 1e-9)
}

/// Hashes the label of each node together with all its descendants.
fn fingerprints(tree: &Hierarchy) -> Vec<u64> {
    let mut sums = vec![0u64; tree.len()];
    // Children come before parents, and `sums[node]` has their hashes by then.
    for node in (0..tree.len()).rev() {
        let label = tree.published(Node::new(node));
        let hash = XxHash3_64::oneshot_with_seed(sums[node], label.as_bytes());
        sums[node] = hash;
        if let Some(parent) = tree.parent(Node::new(node)) {
            // A sum does not depend on the order of siblings.
            sums[parent.index()] = sums[parent.index()].wrapping_add(hash);
        }
    }
    sums
}

/// Appends numbers to labels that occur more than once.
fn number_names(draft: &mut Draft) -> Vec<String> {
    let is_leaf = draft.leaf_flags();
    let mut taken: HashSet<Box<str>> = HashSet::new();
    let mut order: Vec<usize> = (0..draft.nodes.len()).collect();
    order.sort_by_key(|&node| !is_leaf[node]); // leaves first, so that values keep their names
    let mut changes = Vec::new();
    let mut number = 1;
    for node in order {
        let old = draft.nodes[node].label.clone();
        let mut new = old.clone();
        while !taken.insert(new.clone()) {
            number += 1;
            new = format!("{old}_{number}").into();
        }
        if new != old {
            changes.push(format!("another {old:?} is written {new:?}"));
            draft.nodes[node].label = new;
        }
    }
    changes
}

fn and_more(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => " (and 1 other)".to_owned(),
        more => format!(" (and {more} others)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{Dbgh, HierarchyBuilder};
    use crate::method::Spec;
    use crate::table::Table;

    #[test]
    fn what_a_file_does_not_hold_is_listed() {
        let table = Table::from_rows(&["x"], &[["5"], ["9"], ["12"]]).unwrap();
        let built = Dbgh { nested: true, ..Dbgh::default() }.build(&table.columns()[0]).unwrap();
        let tree = built.hierarchy().unwrap().clone().built_by(Spec::named("dbgh"));
        let changes = |format| Format::named(format).unwrap().encode(&tree, false).unwrap().changes;
        assert_eq!(changes("json"), [""; 0]);
        assert!(changes("arx")[0].starts_with("the bounds of ranges are not written"));
        assert!(changes("arx")[1].starts_with("the distortions of groups are not written"));
        assert!(changes("xml").last().unwrap().starts_with("the distortions of groups"));
    }
}
