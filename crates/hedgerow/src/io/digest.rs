//! Digests of whole tables, for keys that cannot be computed without the table.

use std::hash::Hasher;
use std::io::Read;

use super::detect::Format;
use super::{Source, memory};
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result, file};

impl Source {
    /// SHA-256 digest of the file in hexadecimal digits; empty for a table in memory.
    pub(crate) fn sha256(&self) -> Result<String> {
        if self.is_in_memory() { Ok(String::new()) } else { file::sha256(&self.path) }
    }

    /// Adds every byte of a file to a digest, or every text of a table in memory.
    pub(super) fn digest(&self, hasher: &mut impl Hasher, progress: &dyn Progress) -> Result<()> {
        if let Format::Memory(frame) = &self.format {
            let is_text = |place: &usize| self.unusable(*place).is_none();
            let places: Vec<usize> = (0..self.header.len()).filter(is_text).collect();
            return memory::digest(frame.as_ref(), &places, hasher);
        }
        let mut input = file::open(&self.path).map_err(|error| self.named(error))?;
        let fault = |error| self.named(Error::io("read", self.path())(error));
        let mut buffer = vec![0; 1 << 20];
        loop {
            stop_if_cancelled(progress)?;
            match input.read(&mut buffer).map_err(fault)? {
                0 => return Ok(()),
                n_read => hasher.write(&buffer[..n_read]),
            }
        }
    }
}
