//! Edit scripts: the file form of a history.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::operation::Operation;
use crate::builder::{self, as_method};
use crate::error::Advice;
use crate::hierarchy::Hierarchy;
use crate::method::Spec;
use crate::{Error, Result, file};

/// Version of the format.
const VERSION: u32 = 1;

/// Edits of a hierarchy in a file.
///
/// ```json
/// {"hedgerow-edits": 1, "attribute": "age", "base": "iotf", "edits": [
/// {"edit": "move-cut", "from": "36", "to": "35"},
/// {"edit": "lock", "node": "[64, 67]"}
/// ]}
/// ```
///
/// `base` is the method or file of the hierarchy that the edits are for, as in a job file, and
/// `undone` lists edits that were taken back and can be done again. Both can be left out. Paths
/// are relative to the folder of the script.
///
/// # Examples
///
/// ```
/// use hedgerow::edit::Script;
/// let text = r#"{"hedgerow-edits": 1, "attribute": "age", "edits": [
///     {"edit": "remove", "node": {"covers": ["17", "23"]}}
/// ]}"#;
/// let script = Script::parse(text)?;
/// assert_eq!(script.edits[0].name(), "remove");
/// assert_eq!(Script::parse(&script.to_text())?, script);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    /// Name of the attribute; empty if the script is for any.
    pub attribute: String,
    /// The method or file of the hierarchy that the edits are for, if known.
    pub base: Option<Spec>,
    /// The operations, in order.
    pub edits: Vec<Operation>,
    /// Operations that were undone and can be done again, the next one first.
    pub undone: Vec<Operation>,
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "an object with hedgerow-edits, attribute and edits"
)]
struct Read<'a> {
    #[expect(dead_code, reason = "checked before everything else")]
    hedgerow_edits: u32,
    #[serde(default)]
    attribute: String,
    base: Option<Spec>,
    #[serde(borrow)]
    edits: Vec<&'a RawValue>,
    #[serde(default, borrow)]
    undone: Vec<&'a RawValue>,
}

/// Only the version, so that files of other versions are recognized before other keys are.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Version {
    hedgerow_edits: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Head<'a> {
    hedgerow_edits: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    attribute: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'a Spec>,
}

impl Script {
    /// Reads a script. Paths of methods in it are made relative to the current folder.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the file cannot be read, and those of [`Self::parse`].
    pub fn read(path: &Path) -> Result<Self> {
        let text = file::read_to_string(path)?;
        let script = Self::parse(&text).map_err(|error| error.in_file(path))?;
        Ok(script.in_directory(path.parent().unwrap_or(Path::new(""))))
    }

    /// Parses the text of a script.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] with the line, if the text is not a script of this version.
    pub fn parse(text: &str) -> Result<Self> {
        let not_a_script = |error: &serde_json::Error| not_a_script(text, error);
        let version: Version = serde_json::from_str(text).map_err(|e| not_a_script(&e))?;
        match version.hedgerow_edits {
            Some(VERSION) => {}
            Some(other) => {
                let problem =
                    format!("the script has version {other}, but hedgerow reads {VERSION}");
                let advice = "use the version of hedgerow that wrote it";
                return Err(Error::syntax(None, problem).advise([Advice::words(advice)]));
            }
            None => {
                let problem = "this is JSON, but not an edit script: it has no \"hedgerow-edits\"";
                return Err(Error::syntax(None, problem).advise([how_to_write()]));
            }
        }
        let read: Read<'_> = serde_json::from_str(text).map_err(|e| not_a_script(&e))?;
        let operations = |list: &[&RawValue]| -> Result<Vec<Operation>> {
            list.iter().map(|raw| operation(text, raw)).collect()
        };
        let (edits, undone) = (operations(&read.edits)?, operations(&read.undone)?);
        Ok(Self { attribute: read.attribute, base: read.base, edits, undone })
    }

    /// Writes the script, one operation per line.
    pub fn to_text(&self) -> String {
        let head =
            Head { hedgerow_edits: VERSION, attribute: &self.attribute, base: self.base.as_ref() };
        let json = |item: &dyn Fn() -> serde_json::Result<String>| {
            item().expect("operations are plain data")
        };
        let head = json(&|| serde_json::to_string(&head));
        let list = |operations: &[Operation]| {
            // The inverse of an operation has no text; a history never lists one.
            let written = operations.iter().filter(|edit| !matches!(edit, Operation::Restore(_)));
            let lines: Vec<String> = written
                .map(|edit| format!("\n{}", json(&|| serde_json::to_string(edit))))
                .collect();
            lines.join(",")
        };
        let mut text = head.strip_suffix('}').unwrap_or(&head).to_owned();
        text.extend([",\"edits\":[", &list(&self.edits), "\n]"]);
        if !self.undone.is_empty() {
            text.extend([",\"undone\":[", &list(&self.undone), "\n]"]);
        }
        text + "}\n"
    }

    /// The files that the methods of the script read.
    pub fn paths(&self) -> Vec<PathBuf> {
        let of_method = |method: &Spec| {
            let method = as_method(method.clone());
            let found = builder::all().find(|known| known.name == method.name);
            found.map_or_else(Vec::new, |known| known.description.paths(&method))
        };
        self.methods().flat_map(of_method).collect()
    }

    /// The methods of the script: that of the base, and those that regrow.
    pub fn methods(&self) -> impl Iterator<Item = &Spec> {
        let of_edit = |edit: &'_ Operation| matches!(edit, Operation::Regrow { .. });
        let edits = self.edits.iter().chain(&self.undone).filter(move |edit| of_edit(edit));
        let of_edits = edits.filter_map(|edit| match edit {
            Operation::Regrow { method, .. } => Some(method),
            _ => None,
        });
        self.base.iter().chain(of_edits)
    }

    /// Returns the script with paths relative to another folder.
    #[must_use]
    pub fn in_directory(self, folder: &Path) -> Self {
        // `join` leaves absolute paths as they are.
        self.with_paths(&mut |path| folder.join(path))
    }

    /// Replaces each path in the methods of the script.
    #[must_use]
    pub fn with_paths(mut self, replaced: &mut dyn FnMut(&Path) -> PathBuf) -> Self {
        let mut moved = |method: &mut Spec| {
            let known = as_method(method.clone());
            let found = builder::all().find(|other| other.name == known.name);
            if let Some(found) = found {
                *method = found.description.with_paths(known, replaced);
            }
        };
        self.base.iter_mut().for_each(&mut moved);
        for edit in self.edits.iter_mut().chain(&mut self.undone) {
            if let Operation::Regrow { method, .. } = edit {
                moved(method);
            }
        }
        self
    }

    /// Returns an error if the script is for another attribute.
    pub(super) fn must_fit(&self, tree: &Hierarchy) -> Result<()> {
        let (own, other) = (&self.attribute, tree.attribute());
        if own.is_empty() || other.is_empty() || own == other {
            return Ok(());
        }
        let problem = format!("the edits are for '{own}', but the hierarchy is of '{other}'");
        Err(Error::column(own, problem).advise([
            Advice::words("give the hierarchy that they were made for"),
            Advice::words("change 'attribute' in the script"),
        ]))
    }
}

/// Parses one operation; errors have its line.
fn operation(text: &str, raw: &RawValue) -> Result<Operation> {
    serde_json::from_str(raw.get()).map_err(|error| {
        // A raw value is a slice of the text, so its address gives its offset.
        let at = raw.get().as_ptr() as usize - text.as_ptr() as usize;
        let line = text[..at].matches('\n').count() as u64 + 1;
        let problem = format!("this is not an edit: {}", plain(&error));
        Error::syntax(line, problem).advise([how_to_write()])
    })
}

fn not_a_script(text: &str, error: &serde_json::Error) -> Error {
    use serde_json::error::Category;
    let line = Some(error.line() as u64).filter(|&line| line > 0);
    match error.classify() {
        Category::Eof if text.trim().is_empty() => {
            Error::syntax(None, "the script is empty").advise([how_to_write()])
        }
        Category::Eof => Error::syntax(line, "the script ends in the middle of an entry").advise([
            Advice::words("restore it from a copy, or close the last entry and the lists"),
        ]),
        Category::Syntax => {
            let problem = format!("the script is not JSON: {}", plain(error));
            Error::syntax(line, problem).advise([Advice::words("correct it there")])
        }
        _ => Error::syntax(line, format!("this is not an edit script: {}", plain(error)))
            .advise([how_to_write()]),
    }
}

/// The message of an error without its position, which the line replaces.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

fn how_to_write() -> Advice {
    Advice::words(
        "write {\"hedgerow-edits\": 1, \"edits\": [{\"edit\": \"rename\", \"node\": \"A\", \
         \"label\": \"B\"}]}",
    )
}
