//! Edits of the hierarchy of a column in a job.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::history::History;
use super::script::Script;
use crate::builder::{Asked, Change, EditedAsked};
use crate::error::Advice;
use crate::hierarchy::{Generalization, tree_of};
use crate::method::Spec;
use crate::{Error, Result};

/// A script that is applied to a hierarchy when it was built.
#[derive(Debug)]
struct Replay {
    path: PathBuf,
    script: Script,
}

impl Change for Replay {
    fn change(&self, built: Generalization) -> Result<Generalization> {
        let history = History::replay(tree_of(built)?, &self.script);
        let history = history.map_err(|error| error.in_file(&self.path))?;
        Ok(history.tree().clone().into())
    }
}

/// Returns the hierarchy of a column with the edits of a script. The edits are for the hierarchy
/// that is `named` or, if none is, for the one that the script names.
pub(crate) fn asked(column: &str, named: Option<&Spec>, path: &Path) -> Result<Asked> {
    let mut script = Script::read(path)?;
    if script.attribute.is_empty() {
        column.clone_into(&mut script.attribute);
    }
    if script.attribute != column {
        let problem = format!("the edits are for '{}', not for '{column}'", script.attribute);
        return Err(Error::file(path, problem).advise([
            Advice::words("name the script of this column"),
            Advice::words("change 'attribute' in the script"),
        ]));
    }
    let method = named.or(script.base.as_ref()).filter(|method| method.name != "auto").cloned();
    let Some(method) = method else {
        let problem =
            format!("neither the script nor the job says which hierarchy of '{column}' it edits");
        return Err(Error::file(path, problem).advise([
            Advice::hierarchy_method(column),
            Advice::words("write \"base\" in the script"),
        ]));
    };
    let change = Arc::new(Replay { path: path.to_owned(), script });
    Ok(Asked::Edited(EditedAsked { method, change }))
}
