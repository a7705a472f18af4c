//! A second, naive implementation of the requirements on a release, which shares no code with the
//! library: it reads the files and counts.

mod cell;
mod secrets;
mod values;

pub(crate) use cell::{Cell, is_blank};
pub(crate) use secrets::{Demand, Secrets};
pub(crate) use values::Values;

/// A CSV file.
pub(crate) struct File {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl File {
    /// Reads a file; `is_guarded` tells whether formulas are preceded by a `'`.
    pub(crate) fn read(path: &std::path::Path, is_guarded: bool) -> Self {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let cell =
            |text: &str| if is_guarded { unguarded(text).to_owned() } else { text.to_owned() };
        let rows = reader.records().map(|row| row.unwrap().iter().map(cell).collect());
        Self { header, rows: rows.collect() }
    }

    /// Returns the cells of a column.
    pub(crate) fn column(&self, name: &str) -> Vec<&str> {
        let place = self.header.iter().position(|column| column == name);
        let place = place.unwrap_or_else(|| panic!("{name} is not in {:?}", self.header));
        self.rows.iter().map(|row| row[place].as_str()).collect()
    }

    /// Returns the cells of a quasi-identifier, which may be in two columns of bounds.
    pub(crate) fn quasi(&self, name: &str) -> Vec<Vec<&str>> {
        if self.header.iter().any(|column| column == name) {
            return self.column(name).into_iter().map(|cell| vec![cell]).collect();
        }
        let low = self.column(&format!("{name}_min"));
        let high = self.column(&format!("{name}_max"));
        low.into_iter().zip(high).map(|(low, high)| vec![low, high]).collect()
    }
}

/// Returns a text without its guard against being run as a formula.
fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if rest.starts_with(['=', '+', '-', '@', '\t', '\r', '\'']) => rest,
        _ => text,
    }
}
