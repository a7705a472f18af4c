//! Hierarchy files: reading, writing, checking, repairing and drawing.

mod finding;
mod draft;
mod children;
pub mod lint;
mod assemble;
mod lines;
mod records;
pub(crate) mod markup;
mod json;
mod stack;
mod arx;
mod codes;
mod xml;
mod utd;
mod amnesia;
mod amnesia_json;
mod hrc;
mod obo;
mod turtle;
mod skos;
mod encode;
pub mod draw;

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use crate::charset;
use crate::error::Advice;
use crate::hierarchy::{Generalization, Hierarchy};
use crate::method::{Description, Method};
use crate::table::Column;
use crate::{Error, Result, file};

pub use draft::Draft;
#[cfg(feature = "wordnet")]
pub(crate) use draft::Given;
pub use encode::Encoded;
pub(crate) use stack::read_levels;
pub use stack::write_levels;

/// A file format for hierarchies.
pub type Format = Method<Codec>;

/// The functions that recognize, read and write files of a format.
pub struct Codec {
    /// File name extension.
    pub extension: &'static str,
    /// Whether a text has this format rather than the default format of its extension.
    pub looks_so: fn(&str) -> bool,
    /// Information that a file of this format does not store, if any.
    pub leaves_out: Option<&'static str>,
    /// Parses a text and fails on syntax errors only. The attribute's name is used if the text has
    /// none, and selects one if the text has several.
    pub parse: fn(&str, Option<&str>) -> Result<Draft>,
    /// Converts a label to one that a file of this format can store.
    pub spell: fn(&Hierarchy, &str) -> String,
    /// Writes a hierarchy. [`Format::encode`] also verifies that it can be read back.
    pub write: fn(&Hierarchy, &mut dyn Write) -> Result<(), WriteError>,
}

/// All formats. Of those with the same extension, the default comes first.
pub const ALL: &[Format] = &[
    Format::new(
        described("json", "hedgerow's own format: keeps everything"),
        Codec {
            extension: "json",
            looks_so: |_| false,
            leaves_out: None,
            parse: json::parse,
            spell: as_it_is,
            write: json::write,
        },
    ),
    Format::new(
        described("arx", "ARX: one line for each leaf, leaf to root, separated by ';'"),
        Codec {
            extension: "csv",
            looks_so: |_| false,
            leaves_out: COUNTS,
            parse: arx::parse,
            spell: trimmed,
            write: arx::write,
        },
    ),
    Format::new(
        described("xml", "nested elements, as AIKA saves candidates: keeps counts and the method"),
        Codec {
            extension: "xml",
            looks_so: |_| false,
            leaves_out: None,
            parse: xml::parse,
            spell: |_, label| markup::sayable(label),
            write: xml::write,
        },
    ),
    Format::new(
        described("codes", "a table with the columns code, parent and label (ISCO, NACE, ICD)"),
        Codec {
            extension: "csv",
            looks_so: codes::looks_so,
            leaves_out: COUNTS,
            parse: codes::parse,
            spell: trimmed,
            write: codes::write,
        },
    ),
    Format::new(
        described("amnesia", "Amnesia: lines 'parent has child child ...'"),
        Codec {
            extension: "txt",
            looks_so: |_| false,
            leaves_out: COUNTS,
            parse: amnesia::parse,
            spell: amnesia::spell,
            write: amnesia::write,
        },
    ),
    Format::new(
        described("amnesia-json", "Amnesia's graph: lists of nodes and edges"),
        Codec {
            extension: "json",
            looks_so: amnesia_json::looks_so,
            leaves_out: COUNTS,
            parse: amnesia_json::parse,
            spell: as_it_is,
            write: amnesia_json::write,
        },
    ),
    Format::new(
        described("hrc", "one label per line, preceded by one @ for each level below the root"),
        Codec {
            extension: "hrc",
            looks_so: |_| false,
            leaves_out: COUNTS,
            parse: hrc::parse,
            spell: hrc::spell,
            write: hrc::write,
        },
    ),
    Format::new(
        described("utd", "the UTD Anonymization Toolbox: a configuration with value hierarchies"),
        Codec {
            extension: "xml",
            looks_so: utd::looks_so,
            leaves_out: COUNTS,
            parse: utd::parse,
            spell: |_, label| markup::sayable(label),
            write: utd::write,
        },
    ),
    Format::new(
        described("skos", "SKOS concepts in Turtle"),
        Codec {
            extension: "ttl",
            looks_so: |_| false,
            leaves_out: COUNTS,
            parse: skos::parse,
            spell: as_it_is,
            write: skos::write,
        },
    ),
    Format::new(
        described("obo", "OBO ontologies: terms linked by is_a"),
        Codec {
            extension: "obo",
            looks_so: |_| false,
            leaves_out: COUNTS,
            parse: obo::parse,
            spell: obo::spell,
            write: obo::write,
        },
    ),
];

const fn described(name: &'static str, about: &'static str) -> Description {
    Description { name, about, reference: None, needs: &[], parameters: &[] }
}

const COUNTS: Option<&str> = Some("counts and how the hierarchy was made");

fn as_it_is(_: &Hierarchy, label: &str) -> String {
    label.to_owned()
}

/// Removes surrounding blanks, for formats whose parsers ignore them.
fn trimmed(_: &Hierarchy, label: &str) -> String {
    label.trim().to_owned()
}

/// The reason that a hierarchy could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The format cannot represent the hierarchy.
    #[error("{0}")]
    Unfit(String),
}

impl Format {
    /// Returns the format with this name.
    pub fn named(name: &str) -> Result<&'static Self> {
        ALL.iter()
            .find(|format| format.name == name)
            .ok_or_else(|| Error::unknown("hierarchy format", name, ALL.iter().map(|f| f.name)))
    }

    /// Returns the default format for a file's extension.
    pub fn of_path(path: &Path) -> Result<&'static Self> {
        Self::of_ending(path).next().ok_or_else(|| unknown_ending(path))
    }

    /// Returns the format of a file from its extension and its text.
    pub fn of_text(path: &Path, text: &str) -> Result<&'static Self> {
        let usual = Self::of_path(path)?;
        Ok(Self::of_ending(path).find(|format| (format.item.looks_so)(text)).unwrap_or(usual))
    }

    fn of_ending(path: &Path) -> impl Iterator<Item = &'static Self> {
        let ending =
            path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_lowercase();
        ALL.iter().filter(move |format| format.item.extension == ending)
    }

    /// Parses a hierarchy. The attribute's name is used if the text has none.
    pub fn read(&self, text: &str, attribute: Option<&str>) -> Result<Hierarchy> {
        (self.item.parse)(text, attribute)?.assemble()
    }
}

fn unknown_ending(path: &Path) -> Error {
    let mut known: Vec<_> = ALL.iter().map(|f| format!(".{}", f.item.extension)).collect();
    known.sort();
    known.dedup();
    Error::file(path, "the extension does not tell which format this is")
        .advise([Advice::words(format!("use {}", known.join(", ")))])
}

/// Reads a hierarchy file. Unless `format` is given, it is detected from the extension and the
/// text.
pub fn read_file(
    path: &Path,
    attribute: Option<&str>,
    format: Option<&'static Format>,
) -> Result<Hierarchy> {
    let (draft, _) = read_draft(path, attribute, format)?;
    draft.assemble().map_err(|error| error.in_file(path))
}

/// Reads a file that has a tree, or levels that need not nest.
pub fn read_any(
    path: &Path,
    attribute: Option<&str>,
    format: Option<&'static Format>,
) -> Result<Generalization> {
    match levels_in(path, attribute, format)? {
        Some(levels) => Ok(levels),
        None => Ok(read_file(path, attribute, format)?.into()),
    }
}

/// Like [`read_any`], for the file of a column (see [`read_file_of`]).
pub fn read_any_of(path: &Path, column: &Column) -> Result<Generalization> {
    match levels_in(path, Some(&column.name), None)? {
        Some(levels) => Ok(levels),
        None => Ok(read_file_of(path, column)?.into()),
    }
}

/// The levels in a file, or `None` if it has a tree.
fn levels_in(
    path: &Path,
    attribute: Option<&str>,
    format: Option<&'static Format>,
) -> Result<Option<Generalization>> {
    let is_json = match format {
        Some(format) => format.name == "json",
        None => Format::of_path(path)?.name == "json",
    };
    if !is_json {
        return Ok(None);
    }
    let bytes = file::read(path)?;
    let text = text_of(&bytes).map_err(|error| error.in_file(path))?;
    if !stack::looks_so(&text) {
        return Ok(None);
    }
    let levels = read_levels(&text, attribute).map_err(|error| error.in_file(path))?;
    Ok(Some(Generalization::Levels(Arc::new(levels))))
}

/// Reads the hierarchy file of a column. If leaves have two names, the column's values decide which
/// of them is used.
pub fn read_file_of(path: &Path, column: &Column) -> Result<Hierarchy> {
    let (draft, _) = read_draft(path, Some(&column.name), None)?;
    let tree = draft.for_values(&column.domain).assemble();
    tree.map_err(|error| error.in_file(path))
}

/// Reads a hierarchy file without checking it, and returns its format too.
pub fn read_draft(
    path: &Path,
    attribute: Option<&str>,
    format: Option<&'static Format>,
) -> Result<(Draft, &'static Format)> {
    let bytes = file::read(path)?;
    let text = text_of(&bytes).map_err(|error| error.in_file(path))?;
    let format = format.map_or_else(|| Format::of_text(path, &text), Ok)?;
    if format.name == "json" && stack::looks_so(&text) {
        return Err(stack::not_a_tree().in_file(path));
    }
    let mut draft = (format.item.parse)(&text, attribute).map_err(|error| error.in_file(path))?;
    // The name of the file is used if neither the caller nor the text names the attribute.
    if let Some(attribute) = attribute {
        draft = draft.of_attribute(attribute);
    } else if let Some(stem) = path.file_stem()
        && draft.attribute().is_empty()
    {
        draft = draft.of_attribute(&stem.to_string_lossy());
    }
    Ok((draft, format))
}

/// Decodes the bytes of a file: UTF-8, UTF-16 with a byte order mark, or Windows-1252.
pub(crate) fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    charset::decode_any(bytes).ok_or_else(|| {
        let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
        let line = lines::line_at(bytes, valid);
        Error::syntax(line, "the line is neither UTF-8 nor Windows-1252")
            .advise([Advice::words("save the file as UTF-8")])
    })
}
