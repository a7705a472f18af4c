//! An exhibit: a claim, table or figure of a paper with what we measure, and the verdict.

use std::fmt;

use serde::Serialize;

use crate::chart::Svg;

/// Whether what a paper says is what we measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The same numbers, or the same statement.
    Reproduced,
    /// Other numbers that support the same statement, or part of it.
    InDirection,
    /// We measure something else.
    Not,
    /// It could not be tried, for the stated reason.
    NotMeasured,
}

impl Verdict {
    /// Every verdict, in the order of summaries.
    pub const ALL: [Self; 4] = [Self::Reproduced, Self::InDirection, Self::Not, Self::NotMeasured];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::InDirection => "in direction",
            Self::Not => "not",
            Self::NotMeasured => "not measured",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A claim, table or figure of a paper, and what we measure of it.
///
/// Texts are plain, except that `` `code` `` is shown as code.
///
/// # Examples
///
/// ```
/// use hedgerow::reproduce::{Exhibit, Sheet, Verdict};
/// let loss = 0.4;
/// let verdict = if loss < 0.5 { Verdict::Reproduced } else { Verdict::Not };
/// let mut sheet = Sheet::new("loss", "loss by k", &[">k", ">loss"]);
/// sheet.row(["2".to_owned(), loss.to_string()]);
/// let exhibit = Exhibit::new("Section 5, claim 2", "half is enough")
///     .says("The loss stays below a half.")
///     .found(format!("The loss is {loss}."))
///     .verdict(verdict, "the statement is about one table")
///     .with_sheet(sheet);
/// assert_eq!(exhibit.verdict, Verdict::Reproduced);
/// ```
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Exhibit {
    /// The place in the paper: `Table 4`, `Section 5, claim 2`.
    pub place: String,
    /// Its subject, in a few words.
    pub title: String,
    /// The statement of the paper, in our own words, with its numbers.
    pub says: String,
    /// Our measurement.
    pub found: String,
    /// Whether that is the same.
    pub verdict: Verdict,
    /// The reason for the verdict.
    pub reason: String,
    /// Whether it depends on the machine, so that two runs differ.
    pub is_timed: bool,
    /// The measurements as tables.
    pub sheets: Vec<Sheet>,
    /// The measurements as charts and drawings.
    pub figures: Vec<Figure>,
}

impl Exhibit {
    /// Starts an exhibit, which is not measured until it has a verdict.
    pub fn new(place: &str, title: &str) -> Self {
        Self {
            place: place.to_owned(),
            title: title.to_owned(),
            says: String::new(),
            found: String::new(),
            // The default is the one verdict that claims nothing, should a paper forget to set one.
            verdict: Verdict::NotMeasured,
            reason: String::new(),
            is_timed: false,
            sheets: Vec::new(),
            figures: Vec::new(),
        }
    }

    /// States what the paper says.
    #[must_use]
    pub fn says(mut self, text: impl Into<String>) -> Self {
        self.says = text.into();
        self
    }

    /// States what we measure.
    #[must_use]
    pub fn found(mut self, text: impl Into<String>) -> Self {
        self.found = text.into();
        self
    }

    /// Sets the verdict and its reason.
    #[must_use]
    pub fn verdict(mut self, verdict: Verdict, reason: impl Into<String>) -> Self {
        self.verdict = verdict;
        self.reason = reason.into();
        self
    }

    /// Marks what was measured as dependent on the machine.
    #[must_use]
    pub(crate) fn timed(mut self) -> Self {
        self.is_timed = true;
        self
    }

    /// Adds a table.
    #[must_use]
    pub fn with_sheet(mut self, sheet: Sheet) -> Self {
        self.sheets.push(sheet);
        self
    }

    /// Adds a chart or a drawing. Its name becomes part of a file name.
    #[must_use]
    pub(crate) fn with_figure(mut self, name: &str, caption: &str, svg: Svg) -> Self {
        self.figures.push(Figure { name: name.to_owned(), caption: caption.to_owned(), svg });
        self
    }
}

/// A table of what was measured.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Sheet {
    /// Name, which becomes part of a file name: lower case letters, digits and hyphens.
    pub name: String,
    /// Caption.
    pub caption: String,
    /// Headings.
    pub heads: Vec<String>,
    /// Whether each column has numbers.
    #[serde(skip)]
    pub is_number: Vec<bool>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
    /// Whether the table is only written to its file, because it is too long to read.
    #[serde(skip)]
    pub is_file_only: bool,
}

impl Sheet {
    /// Starts a table. A heading that begins with `>` is that of a column of numbers.
    pub fn new(name: &str, caption: &str, heads: &[impl AsRef<str>]) -> Self {
        // The mark `>` is removed here: files and pages show headings without it.
        let heads = || heads.iter().map(AsRef::as_ref);
        Self {
            name: name.to_owned(),
            caption: caption.to_owned(),
            heads: heads().map(|head| head.trim_start_matches('>').to_owned()).collect(),
            is_number: heads().map(|head| head.starts_with('>')).collect(),
            rows: Vec::new(),
            is_file_only: false,
        }
    }

    /// Keeps the table out of the page and of the Markdown.
    #[must_use]
    pub(crate) fn file_only(mut self) -> Self {
        self.is_file_only = true;
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

/// A chart or a drawing.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Figure {
    /// Name, which becomes part of a file name.
    pub name: String,
    /// Caption.
    pub caption: String,
    /// The drawing, which is a file of its own and not part of data.
    #[serde(skip)]
    pub svg: Svg,
}
