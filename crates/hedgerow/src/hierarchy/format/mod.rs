//! Files that hold a hierarchy.

mod arx;
mod json;

use std::io::Write;
use std::path::Path;

use super::Hierarchy;
use crate::{Error, Result};

/// A file format for hierarchies.
pub struct Format {
    /// The one word users write.
    pub name: &'static str,
    /// One line for lists of formats.
    pub about: &'static str,
    /// The file ending by which it is known.
    pub extension: &'static str,
    /// What a file of this format leaves out, if anything.
    pub leaves_out: Option<&'static str>,
    /// Reads a hierarchy from text; the attribute's name is given where the format has none.
    pub read: fn(&str, Option<&str>) -> Result<Hierarchy>,
    /// Writes a hierarchy.
    pub write: fn(&Hierarchy, &mut dyn Write) -> Result<(), WriteError>,
}

/// Every format.
pub const ALL: &[Format] = &[
    Format {
        name: "json",
        about: "hedgerow's own: carries everything",
        extension: "json",
        leaves_out: None,
        read: json::read,
        write: json::write,
    },
    Format {
        name: "arx",
        about: "ARX: one line for each leaf, leaf to root, separated by ';'",
        extension: "csv",
        leaves_out: Some("counts and how the hierarchy was made"),
        read: arx::read,
        write: arx::write,
    },
];

/// Why a hierarchy could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The system refused.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The format cannot hold it.
    #[error("{0}")]
    Unfit(String),
}

impl Format {
    /// The format with this name.
    pub fn named(name: &str) -> Result<&'static Self> {
        ALL.iter()
            .find(|format| format.name == name)
            .ok_or_else(|| Error::unknown("hierarchy format", name, ALL.iter().map(|f| f.name)))
    }

    /// The format of a file, by its ending.
    pub fn of_path(path: &Path) -> Result<&'static Self> {
        let extension = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        ALL.iter().find(|format| format.extension == extension.to_lowercase()).ok_or_else(|| {
            let known: Vec<_> = ALL.iter().map(|f| format!(".{}", f.extension)).collect();
            Error::file(
                path,
                format!("the ending does not say which format this is; use {}", known.join(" or ")),
            )
        })
    }
}

/// Reads a hierarchy file; the ending says the format unless `format` does.
pub fn read_file(
    path: &Path,
    attribute: Option<&str>,
    format: Option<&'static Format>,
) -> Result<Hierarchy> {
    let bytes = std::fs::read(path).map_err(Error::io("open", path))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let read = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = memchr::memchr_iter(b'\n', read).count() + 1;
        Error::file(path, format!("line {line} is not UTF-8; convert the file first"))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let format = format.map_or_else(|| Format::of_path(path), Ok)?;
    let tree = (format.read)(text, attribute);
    let tree = tree.map_err(|error| Error::file(path, error.to_string()))?;
    Ok(match path.file_stem() {
        Some(stem) if tree.attribute().is_empty() => tree.of_attribute(&stem.to_string_lossy()),
        _ => tree,
    })
}
