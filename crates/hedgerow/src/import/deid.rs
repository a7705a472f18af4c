//! ARX projects: ZIP archives with a definition, a configuration and hierarchies in `input/`.
//!
//! Verified against ARX's `WorkerSave` and its vocabulary: an `assigment` (spelled like this) for
//! each column with its `name`, `type`, `datatype`, `format` and the `ref` of its hierarchy.
//! Criteria are texts, of which only those like `5-anonymity` are supported. The entries under
//! `data/` are never read.

use std::io::{Read, Seek};
use std::path::Path;

use super::zip::Archive;
use super::{Column, Project};
use crate::format::{
    markup::{Piece, Pieces},
    text_of,
};
use crate::schema::Role;
use crate::table::{DateFormat, Kind};
use crate::{Error, Result};

/// Entry with the names, roles and types of the columns.
const DEFINITION: &str = "input/definition.xml";
/// Entry with the criteria that a release must satisfy.
const CONFIG: &str = "input/config.xml";

/// Reads a project; errors about an entry name it as a file within `path`.
pub(super) fn read(source: impl Read + Seek, path: &Path) -> Result<Project> {
    let mut archive = Archive::open(source, path)?;
    let definition = entry(&mut archive, DEFINITION)?.ok_or_else(|| {
        Error::file(path, format!("it has no {DEFINITION}; is this an ARX project?"))
    })?;
    let mut left_out = Vec::new();
    let mut columns = Vec::new();
    for fields in records(&definition, &["assigment", "assignment"])
        .map_err(|error| error.in_file(&path.join(DEFINITION)))?
    {
        columns.push(column(&fields, &mut archive, &mut left_out)?);
    }
    let text = entry(&mut archive, CONFIG)?.unwrap_or_default();
    let config = records(&text, &["config"]).map_err(|error| error.in_file(&path.join(CONFIG)))?;
    let mut k = None;
    for (name, text) in config.iter().flatten() {
        match (name.as_str(), k_of(text)) {
            ("criterion", Some(found)) => k = Some(found),
            ("criterion", None) => left_out.push(format!("the criterion '{text}' is left out")),
            ("relativeMaxOutliers", _) if text.parse().is_ok_and(|share: f64| share > 0.0) => {
                left_out.push(format!("the suppression limit of {text} is left out"));
            }
            _ => {}
        }
    }
    Ok(Project { columns, k, left_out })
}

/// The fields of an element: names and texts of the elements within it.
type Fields = Vec<(String, String)>;

/// Returns the fields of all elements with one of these names.
fn records(text: &str, names: &[&str]) -> Result<Vec<Fields>> {
    let mut pieces = Pieces::of(text);
    let mut records: Vec<Fields> = Vec::new();
    // Depth within a requested element.
    let mut depth = 0usize;
    while let Some(piece) = pieces.next()? {
        match piece {
            Piece::Open(element) if depth == 0 && names.contains(&element.name.as_str()) => {
                records.push(Vec::new());
                depth = 1;
            }
            Piece::Open(element) if depth > 0 => {
                records
                    .last_mut()
                    .into_iter()
                    .for_each(|r| r.push((element.name.clone(), String::new())));
                depth += 1;
            }
            Piece::Close => depth = depth.saturating_sub(1),
            Piece::Text(text) if depth > 1 => {
                // The last field that was opened, because fields do not contain other fields.
                if let Some((_, field)) = records.last_mut().and_then(|record| record.last_mut()) {
                    field.push_str(&text);
                }
            }
            Piece::Open(_) | Piece::Text(_) => {}
        }
    }
    records.iter_mut().flatten().for_each(|(_, text)| *text = text.trim().to_owned());
    Ok(records)
}

fn column<R: Read + Seek>(
    fields: &Fields,
    archive: &mut Archive<R>,
    left_out: &mut Vec<String>,
) -> Result<Column> {
    let path = archive.path().to_owned();
    let of_definition = |error: Error| error.in_file(&path.join(DEFINITION));
    let field = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, text)| text);
    let name = field("name")
        .ok_or_else(|| of_definition(Error::syntax(None, "a column has no name")))?
        .clone();
    let role = role_of(field("type").map(String::as_str)).map_err(|other| {
        of_definition(Error::column(&name, format!("its type '{other}' is not known")))
    })?;
    let format = field("format").map_or("", String::as_str);
    let is_date = field("datatype").is_some_and(|datatype| datatype.starts_with("Date"));
    let dates = if is_date { date_format(format) } else { None };
    if is_date && dates.is_none() {
        left_out.push(format!("dates of '{name}' are written '{format}' and read as text"));
    }
    let kind = match field("datatype").map(String::as_str) {
        Some("Integer" | "Decimal") => Some(Kind::Number),
        Some(_) if dates.is_some() => Some(Kind::Date),
        // Strings and dates that cannot be parsed; stated, so that digits are not taken for
        // numbers.
        Some(_) => Some(Kind::Text),
        None => None,
    };
    let hierarchy = field("ref").map(|place| hierarchy_at(place, &name, archive)).transpose()?;
    Ok(Column { name, role, kind, dates, hierarchy })
}

/// Returns the role of an ARX type, or the type itself if it is unknown. A column without a type
/// is omitted from the release, which is the safe choice.
fn role_of(kind: Option<&str>) -> Result<Role, &str> {
    match kind {
        Some("QUASI_IDENTIFYING_ATTRIBUTE") => Ok(Role::Quasi),
        Some("SENSITIVE_ATTRIBUTE") => Ok(Role::Sensitive),
        Some("INSENSITIVE_ATTRIBUTE") => Ok(Role::Insensitive),
        Some("IDENTIFYING_ATTRIBUTE") | None => Ok(Role::Identifier),
        Some(other) => Err(other),
    }
}

/// Returns the text of a column's hierarchy.
fn hierarchy_at<R: Read + Seek>(
    place: &str,
    column: &str,
    archive: &mut Archive<R>,
) -> Result<String> {
    let name = format!("input/{place}");
    entry(archive, &name)?.ok_or_else(|| {
        let problem = format!("its hierarchy {name} is not in the project");
        Error::column(column, problem).in_file(archive.path())
    })
}

/// Returns the text of an entry, or `None` if there is no such entry.
fn entry<R: Read + Seek>(archive: &mut Archive<R>, name: &str) -> Result<Option<String>> {
    let bytes = archive.read(name)?;
    let text = bytes.map(|bytes| text_of(&bytes).map(std::borrow::Cow::into_owned));
    text.transpose().map_err(|error| error.in_file(&archive.path().join(name)))
}

/// Converts Java's `dd.MM.yyyy` to `%d.%m.%Y`. Returns `None` if it has unsupported parts.
fn date_format(java: &str) -> Option<DateFormat> {
    const PARTS: [(&str, &str); 6] =
        [("yyyy", "%Y"), ("MM", "%m"), ("dd", "%d"), ("HH", "%H"), ("mm", "%M"), ("ss", "%S")];
    let mut pattern = String::new();
    let mut rest = java;
    while let Some(first) = rest.chars().next() {
        let part = PARTS.iter().find_map(|(part, ours)| Some((rest.strip_prefix(part)?, ours)));
        match part {
            Some((after, ours)) => {
                pattern.push_str(ours);
                rest = after;
            }
            // Another letter is a field that is not supported, and quotes would need Java's rules.
            None if first.is_alphabetic() || matches!(first, '%' | '\'') => return None,
            None => {
                pattern.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    pattern.parse().ok()
}

/// Returns the k of `5-anonymity`.
fn k_of(criterion: &str) -> Option<u64> {
    let (k, rest) = criterion.split_once('-')?;
    if rest.eq_ignore_ascii_case("anonymity") { k.parse().ok() } else { None }
}
