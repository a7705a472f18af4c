//! Files that hold a hierarchy: what they say, the formats, checks, repairs, and pictures.

mod finding;
mod draft;
mod children;
pub mod lint;
mod assemble;
mod lines;
mod records;
pub(crate) mod markup;
mod json;
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

use crate::error::Advice;
use crate::hierarchy::Hierarchy;
use crate::method::{Description, Method};
use crate::table::Column;
use crate::{Error, Result, file};

pub use draft::Draft;
#[cfg(feature = "wordnet")]
pub(crate) use draft::Given;
pub use encode::Encoded;

/// A file format for hierarchies.
pub type Format = Method<Codec>;

/// How files of a format are known, read and written.
pub struct Codec {
    /// The file ending by which it is known.
    pub extension: &'static str,
    /// Whether a text looks like this format, rather than like the usual one of its ending.
    pub looks_so: fn(&str) -> bool,
    /// What a file of this format leaves out, if anything.
    pub leaves_out: Option<&'static str>,
    /// Reads what a text says; the attribute's name is given where the format has none, and says
    /// which is meant where the format has several. Fails on syntax only.
    pub parse: fn(&str, Option<&str>) -> Result<Draft>,
    /// A label as a file of this format can hold it.
    pub spell: fn(&Hierarchy, &str) -> String,
    /// Writes a hierarchy; [`Format::encode`] also makes sure that it can be read back.
    pub write: fn(&Hierarchy, &mut dyn Write) -> Result<(), WriteError>,
}

/// Every format; of those with the same ending, the usual one first.
pub const ALL: &[Format] = &[
    Format::new(
        described("json", "hedgerow's own: carries everything"),
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
        described("xml", "nested elements, as AIKA saves candidates: carries everything"),
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
        described("hrc", "one label a line, its depth in @ signs"),
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
        described("obo", "OBO ontologies: terms and what they are (is_a)"),
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

/// Without blanks around it, for formats whose readers leave them out.
fn trimmed(_: &Hierarchy, label: &str) -> String {
    label.trim().to_owned()
}

/// Why a hierarchy could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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

    /// The usual format of a file, by its ending.
    pub fn of_path(path: &Path) -> Result<&'static Self> {
        Self::of_ending(path).next().ok_or_else(|| {
            let mut known: Vec<_> = ALL.iter().map(|f| format!(".{}", f.item.extension)).collect();
            known.sort();
            known.dedup();
            Error::file(path, "the extension does not tell which format this is")
                .advise([Advice::words(format!("use {}", known.join(", ")))])
        })
    }

    /// The format of a file, by its ending and what it says.
    pub fn of_text(path: &Path, text: &str) -> Result<&'static Self> {
        let usual = Self::of_path(path)?;
        Ok(Self::of_ending(path).find(|format| (format.item.looks_so)(text)).unwrap_or(usual))
    }

    fn of_ending(path: &Path) -> impl Iterator<Item = &'static Self> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let ending = ending.to_lowercase();
        ALL.iter().filter(move |format| format.item.extension == ending)
    }

    /// Reads a hierarchy from text; the attribute's name is given where the format has none.
    pub fn read(&self, text: &str, attribute: Option<&str>) -> Result<Hierarchy> {
        (self.item.parse)(text, attribute)?.assemble()
    }
}

/// Reads a hierarchy file; its ending and its text say the format unless `format` does.
pub fn read_file(
    path: &Path,
    attribute: Option<&str>,
    format: Option<&'static Format>,
) -> Result<Hierarchy> {
    let (draft, _) = read_draft(path, attribute, format)?;
    draft.assemble().map_err(|error| error.in_file(path))
}

/// Reads the hierarchy file of a column, whose values decide which of two names its leaves go by.
pub fn read_file_of(path: &Path, column: &Column) -> Result<Hierarchy> {
    let (draft, _) = read_draft(path, Some(&column.name), None)?;
    let tree = draft.for_values(&column.domain).assemble();
    tree.map_err(|error| error.in_file(path))
}

/// Reads what a hierarchy file says, right or wrong, and its format.
pub fn read_draft(
    path: &Path,
    attribute: Option<&str>,
    format: Option<&'static Format>,
) -> Result<(Draft, &'static Format)> {
    let bytes = file::read(path)?;
    let text = text_of(&bytes).map_err(|error| error.in_file(path))?;
    let format = format.map_or_else(|| Format::of_text(path, &text), Ok)?;
    let draft = (format.item.parse)(&text, attribute);
    let draft = draft.map_err(|error| error.in_file(path))?;
    let draft = match (attribute, path.file_stem()) {
        (Some(attribute), _) => draft.of_attribute(attribute),
        (None, Some(stem)) if draft.attribute().is_empty() => {
            draft.of_attribute(&stem.to_string_lossy())
        }
        _ => draft,
    };
    Ok((draft, format))
}

/// The text of a file, which must be UTF-8.
pub(crate) fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>> {
    let advice = || [Advice::words("save the file as UTF-8")];
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Error::syntax(None, "this is UTF-16").advise(advice()));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = lines::line_at(bytes, error.valid_up_to());
        Error::syntax(line, "the line is not UTF-8").advise(advice())
    })?;
    Ok(Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)))
}
