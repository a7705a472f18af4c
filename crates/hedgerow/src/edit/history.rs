//! The edits of a hierarchy, which can be undone and done again.

use super::operation::Operation;
use super::script::Script;
use super::{Edited, apply};
use crate::hierarchy::Hierarchy;
use crate::method::Spec;
use crate::{Error, Result};

/// A hierarchy with the operations that were applied to it.
///
/// # Examples
///
/// ```
/// use hedgerow::edit::{Address, History, Operation};
/// use hedgerow::format::Format;
/// let tree = Format::named("hrc")?.read("*\n@care\n@@nurse\n@@surgeon\n@pianist\n", None)?;
/// let mut history = History::new(tree);
/// history.apply(Operation::Rename { node: "care".into(), label: Some("health".into()) })?;
/// assert_eq!(history.tree().outline(), "*(health(nurse,surgeon),pianist)");
/// assert!(history.undo()?.is_some());
/// assert_eq!(history.tree().outline(), "*(care(nurse,surgeon),pianist)");
/// assert!(history.redo()?.is_some());
/// let script = history.script();
/// let again = History::replay(history.base()?, &script)?;
/// assert_eq!(again.tree(), history.tree());
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct History {
    tree: Hierarchy,
    base: Option<Spec>,
    done: Vec<Step>,
    /// Operations that were undone, the last one first to be done again.
    undone: Vec<Operation>,
}

/// An operation and its inverse.
#[derive(Debug, Clone)]
struct Step {
    operation: Operation,
    inverse: Operation,
}

impl History {
    /// A hierarchy without edits. Its builder, if known, is recorded as the base of the edits.
    pub fn new(tree: Hierarchy) -> Self {
        let base = tree.builder().cloned();
        Self { tree, base, done: Vec::new(), undone: Vec::new() }
    }

    /// Records the method or file that the edits are based on, as in a job file.
    #[must_use]
    pub fn based_on(mut self, base: Spec) -> Self {
        self.base = Some(base);
        self
    }

    /// Applies the operations of a script to the hierarchy that it was made for.
    ///
    /// # Errors
    ///
    /// [`Error::Edit`] with the number of the operation that cannot be applied, or
    /// [`Error::Column`] if the script is for another attribute.
    pub fn replay(base: Hierarchy, script: &Script) -> Result<Self> {
        script.must_fit(&base)?;
        let mut history = Self::new(base);
        if let Some(base) = &script.base {
            history.base = Some(base.clone());
        }
        for (place, operation) in script.edits.iter().enumerate() {
            let name = operation.name();
            let number = Some(place + 1);
            history.apply(operation.clone()).map_err(|error| error.of_edit(name, number))?;
        }
        history.undone = script.undone.iter().rev().cloned().collect();
        Ok(history)
    }

    /// The hierarchy with all edits.
    pub fn tree(&self) -> &Hierarchy {
        &self.tree
    }

    /// Returns the hierarchy without any edits.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if an inverse fails, which is a bug.
    pub fn base(&self) -> Result<Hierarchy> {
        let mut tree = self.tree.clone();
        for step in self.done.iter().rev() {
            tree = apply(&tree, &step.inverse)?.tree;
        }
        Ok(tree)
    }

    /// Applies an operation. Operations that were undone before cannot be done again after it.
    ///
    /// # Errors
    ///
    /// Those of [`apply`]; the history then stays as it is.
    pub fn apply(&mut self, operation: Operation) -> Result<&Hierarchy> {
        let Edited { tree, inverse, .. } = apply(&self.tree, &operation)?;
        self.tree = tree;
        self.done.push(Step { operation, inverse });
        self.undone.clear();
        Ok(&self.tree)
    }

    /// Takes back the last operation, and returns it; `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if the inverse fails, which is a bug.
    pub fn undo(&mut self) -> Result<Option<&Operation>> {
        let Some(step) = self.done.pop() else { return Ok(None) };
        self.tree = apply(&self.tree, &step.inverse).map_err(|error| as_bug(&error))?.tree;
        self.undone.push(step.operation);
        Ok(self.undone.last())
    }

    /// Applies the operation that was undone last again, and returns it; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Those of [`apply`], if a script lists an undone operation that cannot be applied.
    pub fn redo(&mut self) -> Result<Option<&Operation>> {
        let Some(operation) = self.undone.last() else { return Ok(None) };
        let Edited { tree, inverse, .. } = apply(&self.tree, operation)?;
        self.tree = tree;
        let operation = self.undone.pop();
        self.done.extend(operation.map(|operation| Step { operation, inverse }));
        Ok(self.done.last().map(|step| &step.operation))
    }

    /// The operations that were applied, the first one first.
    pub fn done(&self) -> impl ExactSizeIterator<Item = &Operation> {
        self.done.iter().map(|step| &step.operation)
    }

    /// The operations that can be done again, the next one first.
    pub fn undone(&self) -> impl ExactSizeIterator<Item = &Operation> {
        self.undone.iter().rev()
    }

    /// The file form of the history.
    pub fn script(&self) -> Script {
        Script {
            attribute: self.tree.attribute().to_owned(),
            base: self.base.clone(),
            edits: self.done().cloned().collect(),
            undone: self.undone().cloned().collect(),
        }
    }
}

/// An inverse that cannot be applied is not the mistake of a caller.
fn as_bug(error: &Error) -> Error {
    Error::Internal(format!("an edit could not be undone: {}", error.problem()))
}
