//! Notes and warnings about how a file is read.

use super::{Format, Source, opening};
use crate::error::Warning;

impl Source {
    /// Warnings about how the file is read. An encoding other than UTF-8 may be found only when the
    /// whole file was read. Columns that are not published, `left_out`, need no warning, and
    /// neither do formulas in error that are listed as missing values, `na`.
    pub fn warnings(&self, left_out: &[String], na: &[String]) -> Vec<Warning> {
        let is_published = |name: &&String| !left_out.contains(name);
        let unnamed = self.unnamed.as_ref().filter(is_published);
        let unnamed = unnamed.map(|name| opening::unnamed(name));
        let of_names = unnamed.into_iter().chain(self.echoed.clone());
        let mut warnings: Vec<Warning> = self.text.warning().into_iter().chain(of_names).collect();
        if let Format::Workbook(sheet) = &self.format {
            warnings.extend(sheet.warnings(&self.header, left_out, na));
        }
        warnings
    }

    /// Whether a column of a workbook has a formula in error that shows this text.
    pub(crate) fn has_fault(&self, column: &str, text: &str) -> bool {
        matches!(&self.format, Format::Workbook(sheet) if sheet.has_fault(&self.header, column, text))
    }

    /// Properties that were detected in the file and are not the default: its delimiter and its
    /// encoding.
    pub fn notes(&self) -> Vec<String> {
        let delimiter = match self.format {
            Format::Csv { delimiter, .. } if self.has_found_delimiter => opening::named(delimiter),
            _ => None,
        };
        let wide = self.text.found_wide().map(|charset| format!("is encoded in {charset}"));
        let fields = delimiter.map(|name| format!("has fields that are separated by {name}"));
        let found: Vec<String> = wide.into_iter().chain(fields).collect();
        let note = (!found.is_empty()).then(|| format!("the table {}", found.join(" and ")));
        note.into_iter().collect()
    }
}
