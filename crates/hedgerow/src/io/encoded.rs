//! Releases in other encodings than UTF-8.

use super::row_writer::Rows;
use super::{Source, WriteOptions, csv};
use crate::charset::Charset;
use crate::error::Advice;
use crate::{Error, Result};

/// Encodes rows of the columns `names`. A character that the encoding lacks is an error.
pub(super) fn encoded(
    rows: Rows,
    names: &[String],
    source: &Source,
    options: &WriteOptions,
) -> Result<Rows> {
    let Some(charset) = options.charset.filter(|&charset| charset != Charset::UTF_8) else {
        return Ok(rows);
    };
    let mut encoded = Rows { bytes: Vec::new(), ends: Vec::new() };
    let mut start = 0;
    for end in rows.ends {
        let row = std::str::from_utf8(&rows.bytes[start..end])
            .map_err(|_| Error::Internal("a row is not UTF-8".into()))?;
        let bytes = charset.encode(row).map_err(|lacking| {
            // The row is parsed again only to name the column with the character.
            let fields = csv::fields_of(row, source.delimiter());
            let problem = format!("cannot be written in {charset}, which lacks '{lacking}'");
            lacks(names, &fields, lacking, &problem)
        })?;
        encoded.bytes.extend(bytes);
        encoded.ends.push(encoded.bytes.len());
        start = end;
    }
    Ok(encoded)
}

/// The error for a row with a character that an encoding lacks.
fn lacks(names: &[String], fields: &[String], lacking: char, problem: &str) -> Error {
    let mut cells = names.iter().zip(fields);
    let error = match cells.find(|(_, field)| field.contains(lacking)) {
        // In the header every field is the name of its column.
        Some((name, field)) if name == field => Error::column(name, format!("its name {problem}")),
        Some((name, field)) => Error::column(name, format!("the value '{field}' {problem}")),
        None => Error::invalid(format!("a row {problem}")),
    };
    error.advise([Advice::OtherOutputEncoding])
}
