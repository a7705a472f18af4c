//! The edits of a candidate, and the file that keeps them.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hedgerow::edit::{Address, Covers, History, Operation, Script};

use super::Candidate;
use super::hierarchies::file_part;
use crate::fault::{Done, Fault};

/// End of the names of files with edits.
const ENDING: &str = ".edits.json";

/// The edits of a candidate, and the file that keeps them.
#[derive(Clone)]
pub(crate) struct Edits {
    pub(crate) history: History,
    /// Relative to the folder of the job.
    pub(crate) file: PathBuf,
}

/// The place where the edits of a column are kept.
pub(crate) struct Shelf<'a> {
    /// The folder of the job.
    pub(crate) base: &'a Path,
    /// Prefix of the names of all files of the job.
    pub(crate) stem: &'a str,
    pub(crate) column: &'a str,
}

impl Shelf<'_> {
    fn prefix(&self) -> String {
        format!("{}.{}.", self.stem, file_part(self.column))
    }

    /// A file for the edits of a candidate that no other edits are in.
    fn free(&self, id: &str) -> PathBuf {
        let named = |number: u32| match number {
            1 => format!("{}{id}{ENDING}", self.prefix()),
            _ => format!("{}{id}-{number}{ENDING}", self.prefix()),
        };
        let is_free = |name: &String| !self.base.join(name).exists();
        (1..=u32::MAX).map(named).find(is_free).map_or_else(PathBuf::new, PathBuf::from)
    }

    /// The scripts that were kept for the column, with their files.
    pub(crate) fn kept(&self) -> Vec<(PathBuf, Script)> {
        let prefix = self.prefix();
        let is_ours = |name: &String| {
            let id = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(ENDING));
            id.is_some_and(|id| !id.contains('.'))
        };
        let entries = std::fs::read_dir(self.base).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(is_ours).collect();
        names.sort();
        let read = |name: String| {
            let script =
                Script::parse(&hedgerow::file::read_to_string(&self.base.join(&name)).ok()?);
            Some((name.into(), script.ok().filter(|script| script.attribute == self.column)?))
        };
        names.into_iter().filter_map(read).collect()
    }
}

impl Edits {
    /// The history of a candidate that was not edited before.
    pub(crate) fn new(candidate: &Candidate, shelf: &Shelf<'_>) -> Done<Self> {
        let history = History::new(candidate.tree()?.clone()).based_on(candidate.spec.clone());
        Ok(Self { history, file: shelf.free(&candidate.id) })
    }

    /// The edits of a file, made to a candidate.
    pub(crate) fn read(candidate: &Candidate, base: &Path, file: PathBuf) -> Done<Self> {
        let at = base.join(&file);
        let script = Script::read(&at)?;
        let history = History::replay(candidate.tree()?.clone(), &script);
        let history = history.map_err(|error| error.in_file(&at))?.based_on(candidate.spec.clone());
        Ok(Self { history, file })
    }

    /// The same edits made to a tree that was grown again.
    pub(crate) fn made_to(&self, candidate: &Candidate) -> Done<Self> {
        let history = History::replay(candidate.tree()?.clone(), &self.history.script());
        let history = history.map_err(|error| {
            let Candidate { name, .. } = candidate;
            let problem = error.problem();
            Fault::conflict(format!("the edits of '{name}' do not fit its new tree: {problem}"))
                .advise("undo these edits first, or remove the candidate from the list")
        })?;
        Ok(Self { history: history.based_on(candidate.spec.clone()), file: self.file.clone() })
    }

    /// Writes the edits to their file. Paths in it are relative to its folder.
    pub(crate) fn keep(&self, base: &Path) -> Done<()> {
        let script = self.history.script();
        let script =
            script.with_paths(&mut |path| path.strip_prefix(base).unwrap_or(path).to_owned());
        replace(&base.join(&self.file), script.to_text().as_bytes())
    }
}

/// Replaces a file by one that is complete.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Done<()> {
    try_replace(path, content).map_err(|cause| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Fault::input(format!("{name} cannot be written: {cause}"))
    })
}

/// The same as [`replace`], with only the cause of a failure.
pub(super) fn try_replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    // A new file with the usual permissions: those of a temporary file would be for this user only.
    let mut draft = tempfile::Builder::new().make_in(folder, |draft| File::create_new(draft))?;
    draft.as_file_mut().write_all(content)?;
    draft.persist(path)?;
    Ok(())
}

/// An operation in words, as a history lists it.
pub(crate) fn about(operation: &Operation) -> String {
    let node = |address: &Address| match address {
        Address::Label(label) => format!("'{label}'"),
        Address::Covers(Covers { covers, .. }) => match covers.as_slice() {
            [only] => format!("'{only}'"),
            [first, .., last] => format!("'{first}' to '{last}'"),
            [] => "nothing".to_owned(),
        },
    };
    let nodes = |all: &[Address]| all.iter().map(&node).collect::<Vec<_>>().join(", ");
    let called = |label: &Option<String>| {
        label.as_ref().map_or_else(String::new, |label| format!(" as '{label}'"))
    };
    match operation {
        Operation::Rename { node: of, label } => format!("Rename {}{}", node(of), called(label)),
        Operation::Merge { nodes: all, label } => format!("Merge {}{}", nodes(all), called(label)),
        Operation::SplitAt { node: of, at } => format!("Split {} at {at}", node(of)),
        Operation::SplitBy { node: of, groups } => {
            let parts: Vec<String> = groups.iter().map(|part| nodes(&part.nodes)).collect();
            format!("Split {} off {}", parts.join("; "), node(of))
        }
        Operation::Move { node: of, below } => format!("Move {} below {}", node(of), node(below)),
        Operation::MoveCut { from, to } => format!("Move the cut from {from} to {to}"),
        Operation::Insert { nodes: all, label } => {
            format!("Insert a group above {}{}", nodes(all), called(label))
        }
        Operation::Remove { node: of } => format!("Remove {}", node(of)),
        Operation::Prune { node: of } => format!("Prune below {}", node(of)),
        Operation::Lock { node: of } => format!("Lock {}", node(of)),
        Operation::Unlock { node: of } => format!("Unlock {}", node(of)),
        Operation::SetSense { value, sense } => format!("'{value}' means {sense}"),
        Operation::Regrow { node: of, method } => format!("Grow {} again by {method}", node(of)),
        _ => operation.name().to_owned(),
    }
}
