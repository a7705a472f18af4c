//! The formats of a report: a page or JSON.

use std::path::Path;

use super::{Evidence, page};
use crate::error::Advice;
use crate::{Error, Result};

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A page that needs nothing else.
    Html,
    /// Data in the schema [`SCHEMA`](super::SCHEMA).
    Json,
}

impl Format {
    /// The format that the name of a file asks for.
    ///
    /// # Errors
    ///
    /// [`Error::File`] if the name ends in something else than `.html`, `.htm` or `.json`.
    ///
    /// ```
    /// use std::path::Path;
    /// use hedgerow::report::Format;
    /// assert_eq!(Format::of(Path::new("a/report.JSON"))?, Format::Json);
    /// assert!(Format::of(Path::new("report.pdf")).is_err());
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("html" | "htm") => Ok(Self::Html),
            Some("json") => Ok(Self::Json),
            _ => Err(Error::file(path, "a report is a page or JSON")
                .advise([Advice::words("name a file that ends in .html or .json")])),
        }
    }

    /// Writes a report.
    pub fn write(self, evidence: &Evidence) -> String {
        match self {
            Self::Html => page(evidence),
            Self::Json => evidence.json(),
        }
    }
}
