//! Writes the steps of a search as CSV.

use crate::{Error, Result};

/// Formats a header and its rows as CSV.
pub(super) fn csv<const N: usize>(header: [&str; N], rows: &[[String; N]]) -> Result<String> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let fault = |error: String| Error::Internal(format!("a trace was not written: {error}"));
    out.write_record(header).map_err(|error| fault(error.to_string()))?;
    for row in rows {
        out.write_record(row).map_err(|error| fault(error.to_string()))?;
    }
    let bytes = out.into_inner().map_err(|error| fault(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
