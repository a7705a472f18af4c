//! Formats rows as CSV.

use crate::table::guarded;

/// Published rows as bytes.
pub(super) struct Rows {
    pub(super) bytes: Vec<u8>,
    /// The end of each row in the bytes.
    pub(super) ends: Vec<usize>,
}

/// Formats rows with the delimiter of their table and quotes fields that need it.
pub(crate) struct RowWriter {
    core: csv_core::Writer,
    bytes: Vec<u8>,
    at_start: bool,
    guards: bool,
}

impl RowWriter {
    pub(crate) fn new(delimiter: u8) -> Self {
        let core = csv_core::WriterBuilder::new().delimiter(delimiter).build();
        Self { core, bytes: Vec::new(), at_start: true, guards: false }
    }

    /// Sets whether cells that a spreadsheet would evaluate get a `'` in front.
    pub(crate) fn guarding(self, guards: bool) -> Self {
        Self { guards, ..self }
    }

    /// Adds a field to the current row.
    pub(crate) fn field(&mut self, field: &[u8]) {
        if !std::mem::take(&mut self.at_start) {
            // The core also closes the quotes of the field before it.
            self.write(2, |core, out| core.delimiter(out).1);
        }
        let guarded = if self.guards { guarded(field) } else { field.into() };
        let field = guarded.as_ref();
        // At worst every byte is a quote to be doubled and the field needs quotes around it.
        self.write(2 * field.len() + 2, |core, out| core.field(field, out).2);
    }

    /// Ends the current row.
    pub(crate) fn end_row(&mut self) {
        // Two quotes for a row of one empty field, and at most two bytes for the line end.
        self.write(4, |core, out| core.terminator(out).1);
        self.at_start = true;
    }

    /// The bytes written since the last call to `clear`.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Discards all bytes written.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Returns the bytes written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Reserves `room` bytes and keeps those that the core writes.
    fn write(
        &mut self,
        room: usize,
        write: impl FnOnce(&mut csv_core::Writer, &mut [u8]) -> usize,
    ) {
        let filled = self.bytes.len();
        self.bytes.resize(filled + room, 0);
        let n_written = write(&mut self.core, &mut self.bytes[filled..]);
        self.bytes.truncate(filled + n_written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_fields_are_quoted_where_they_must_be() {
        let mut writer = RowWriter::new(b',');
        for field in ["plain", "a,b", "say \"x\"", "two\nlines", ""] {
            writer.field(field.as_bytes());
        }
        writer.end_row();
        let wanted = "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\n";
        assert_eq!(std::str::from_utf8(writer.bytes()).unwrap(), wanted);
    }
}
