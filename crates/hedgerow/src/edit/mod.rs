//! Edits of hierarchies: operations with inverses, histories with undo and redo, and their files.

mod address;
mod item;
mod patch;
mod operation;
mod sketch;
mod finish;
mod siblings;
mod single;
mod words;
mod cut;
mod regrow;
mod sense;
mod script;
mod history;
mod replay;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod random;

pub use address::{Address, Covers};
pub use history::History;
pub use operation::{Operation, Part};
pub use patch::Patch;
pub(crate) use replay::asked;
pub use script::Script;

use crate::Result;
use crate::error::Advice;
use crate::hierarchy::{Hierarchy, Node};
use sketch::Sketch;

/// A hierarchy after an operation.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Edited {
    /// The new hierarchy.
    pub tree: Hierarchy,
    /// The operation that gives the hierarchy before this one, if it is applied to this one.
    pub inverse: Operation,
    /// The node of the new hierarchy that the operation was about.
    pub node: Node,
}

/// Applies an operation to a hierarchy.
///
/// Nodes that are made or changed have the note `edited` in their origin.
///
/// # Complexity
///
/// Linear in the number of nodes, and no recursion. `Regrow` and `SetSense` also take the time of
/// the method.
///
/// # Guarantees
///
/// The same hierarchy and operation give the same result. Applying the inverse gives the hierarchy
/// before, equal in every respect.
///
/// # Errors
///
/// [`Error::Edit`](crate::Error::Edit) if a node does not exist, or if the result would not be a
/// valid tree or would be the same.
///
/// # Examples
///
/// ```
/// use hedgerow::edit::{self, Operation};
/// use hedgerow::prelude::*;
/// let table = Table::from_rows(&["age"], &[["17"], ["18"], ["35"], ["36"]])?;
/// let tree = hedgerow::hierarchy::tree_of(Iotf.build(&table.columns()[0])?)?;
/// assert_eq!(tree.outline(), "[17-36]([17-18](17,18),[35-36](35,36))");
/// let cut = Operation::MoveCut { from: "35".into(), to: "18".into() };
/// let edited = edit::apply(&tree, &cut)?;
/// assert_eq!(edited.tree.outline(), "[17-36](17,[18-36](18,35,36))");
/// assert_eq!(edit::apply(&edited.tree, &edited.inverse)?.tree, tree);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn apply(tree: &Hierarchy, operation: &Operation) -> Result<Edited> {
    edited(tree, operation).map_err(|cause| cause.of_edit(operation.name(), None))
}

fn edited(tree: &Hierarchy, operation: &Operation) -> Result<Edited> {
    use Operation as Op;
    let mut sketch = Sketch::of(tree)?;
    let s = &mut sketch;
    let focus = match operation {
        Op::Rename { node, label } => single::rename(s, node, label.as_deref()),
        Op::Merge { nodes, label } => siblings::merge(s, nodes, label.as_deref()),
        Op::SplitAt { node, at } => cut::split_at(s, node, at),
        Op::SplitBy { node, groups } => words::split_by(s, node, groups),
        Op::Move { node, below } => words::relocate(s, node, below),
        Op::MoveCut { from, to } => cut::move_cut(s, from, to),
        Op::Insert { nodes, label } => siblings::insert(s, nodes, label.as_deref()),
        Op::Remove { node } => single::remove(s, node),
        Op::Prune { node } => single::prune(s, node),
        Op::Lock { node } => single::lock(s, node, true),
        Op::Unlock { node } => single::lock(s, node, false),
        Op::SetSense { value, sense } => sense::set_sense(s, value, sense),
        Op::Regrow { node, method } => regrow::regrow(s, node, method),
        Op::Restore(patch) => restore(s, patch),
    }?;
    let finished = sketch.finish(operation.name(), focus)?;
    let inverse = Op::Restore(finished.patch);
    Ok(Edited { tree: finished.tree, inverse, node: finished.node })
}

/// Takes an operation back.
fn restore(sketch: &mut Sketch<'_>, patch: &Patch) -> Result<usize> {
    if patch.print != patch::print(sketch.tree) {
        let problem = format!("this takes back '{}' of another hierarchy", patch.of);
        return Err(sketch
            .refuse(problem)
            .advise([Advice::words("apply it to the hierarchy that the operation returned")]));
    }
    sketch.restore(patch);
    Ok(sketch.root)
}
