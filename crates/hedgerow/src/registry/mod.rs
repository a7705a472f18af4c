//! All registries in one place: their methods as lists, help pages and JSON.

mod help;
mod json;

pub use help::list;
pub use json::json;

use std::path::{Path, PathBuf};

use crate::method::{Description, Spec};
use crate::{Error, Result, anonymize, attack, builder, format, loss, privacy, risk};

/// A registry, identified by the role of its methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registry {
    /// Divides records into classes.
    Anonymizer,
    /// Builds the hierarchy of a column.
    Hierarchy,
    /// States conditions that every class of a release must satisfy.
    Privacy,
    /// Measures the information loss of a release.
    Loss,
    /// Measures the information loss of generalization sets of one column.
    SetLoss,
    /// Estimates the re-identification risk of a table.
    Risk,
    /// Reads and writes hierarchy files.
    Format,
    /// Tries to find people or their values in a release.
    Attack,
}

impl Registry {
    /// All registries.
    pub const ALL: &'static [Self] = &[
        Self::Anonymizer,
        Self::Hierarchy,
        Self::Privacy,
        Self::Loss,
        Self::SetLoss,
        Self::Risk,
        Self::Format,
        Self::Attack,
    ];

    /// Name of the registry in commands, as in `hedgerow help method`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anonymizer => "method",
            Self::Hierarchy => "hierarchy",
            Self::Privacy => "privacy",
            Self::Loss => "loss",
            Self::SetLoss => "set-loss",
            Self::Risk => "risk",
            Self::Format => "format",
            Self::Attack => "attack",
        }
    }

    /// Noun for a method of the registry in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Anonymizer => "method",
            Self::Hierarchy => "hierarchy method",
            Self::Privacy => "privacy model",
            Self::Loss => "loss",
            Self::SetLoss => "loss of generalization sets",
            Self::Risk => "risk model",
            Self::Format => "hierarchy format",
            Self::Attack => "attack",
        }
    }

    /// Returns the registry with this name.
    pub fn named(name: &str) -> Result<Self> {
        let found = Self::ALL.iter().find(|registry| registry.name() == name).copied();
        found
            .ok_or_else(|| Error::unknown("registry", name, Self::ALL.iter().map(|all| all.name())))
    }

    /// Returns the descriptions of its methods.
    pub fn descriptions(self) -> Vec<&'static Description> {
        match self {
            Self::Anonymizer => anonymize::descriptions().collect(),
            Self::Hierarchy => {
                let methods = builder::all().map(|method| &method.description);
                // `auto` chooses among the others and is not built like them, so it is not in their
                // registry.
                [&builder::AUTO].into_iter().chain(methods).collect()
            }
            Self::Privacy => privacy::ALL.iter().map(|model| &model.description).collect(),
            Self::Loss => loss::ALL.iter().map(|loss| &loss.description).collect(),
            Self::SetLoss => loss::SET_LOSSES.iter().map(|loss| &loss.description).collect(),
            Self::Risk => risk::ALL.iter().map(|model| &model.description).collect(),
            Self::Format => format::ALL.iter().map(|format| &format.description).collect(),
            Self::Attack => attack::ALL.iter().map(|attack| &attack.description).collect(),
        }
    }

    /// Returns the description of one of its methods.
    pub fn describe(self, name: &str) -> Result<&'static Description> {
        let all = self.descriptions();
        let found = all.iter().find(|description| description.name == name).copied();
        found.ok_or_else(|| Error::unknown(self.noun(), name, all.iter().map(|d| d.name)))
    }

    /// Returns the files and directories that the parameters of a spec name, or that the spec
    /// itself is.
    pub fn paths(self, spec: &Spec) -> Vec<PathBuf> {
        // `trees/age.csv` in place of a method is a file too.
        let spec = self.resolved(spec);
        self.describe(&spec.name).map_or_else(|_| Vec::new(), |method| method.paths(&spec))
    }

    /// Makes relative paths in a spec relative to a directory.
    pub fn in_directory(self, spec: &Spec, directory: &Path) -> Spec {
        // `join` leaves absolute paths as they are.
        self.with_paths(spec, &mut |path| directory.join(path))
    }

    /// Replaces each path in a spec.
    pub fn with_paths(self, spec: &Spec, replaced: &mut dyn FnMut(&Path) -> PathBuf) -> Spec {
        let resolved = self.resolved(spec);
        match self.describe(&resolved.name) {
            Ok(method) => method.with_paths(resolved, replaced),
            // An unknown method is reported when the spec is used, with a better message.
            Err(_) => resolved,
        }
    }

    /// Resolves the path of a hierarchy file, which can be written instead of a method.
    fn resolved(self, spec: &Spec) -> Spec {
        match self {
            Self::Hierarchy => builder::as_method(spec.clone()),
            _ => spec.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
