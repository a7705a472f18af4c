//! Line numbers of byte offsets in a text.

/// Returns the line of a byte offset, counted from 1.
pub(super) fn line_at(text: &[u8], at: usize) -> u64 {
    memchr::memchr_iter(b'\n', &text[..at.min(text.len())]).count() as u64 + 1
}

/// Computes the lines of ascending byte offsets in one pass.
pub(super) struct Lines<'a> {
    text: &'a str,
    counted: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, counted: 0, line: 1 }
    }

    /// Returns the line of the byte at `at`, or of the last requested byte if that comes later.
    pub(super) fn at(&mut self, at: usize) -> u64 {
        let at = at.clamp(self.counted, self.text.len());
        let between = &self.text.as_bytes()[self.counted..at];
        self.line += memchr::memchr_iter(b'\n', between).count() as u64;
        self.counted = at;
        self.line
    }
}
