//! Digests of whole tables, for keys that cannot be computed without the table.

use std::hash::Hasher;
use std::io::Read;

use sha2::{Digest, Sha256};

use super::detect::Format;
use super::{Source, memory};
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result, file};

impl Source {
    /// SHA-256 digest of the file in hexadecimal digits; empty for a table in memory.
    pub(crate) fn sha256(&self) -> Result<String> {
        if self.is_in_memory() { Ok(String::new()) } else { file::sha256(&self.path) }
    }

    /// SHA-256 digest of the file, or of the names and texts of a table in memory, in hexadecimal
    /// digits. Unlike [`Source::sha256`], it identifies every table.
    pub(crate) fn identity(&self, progress: &dyn Progress) -> Result<String> {
        let Format::Memory(frame) = &self.format else { return self.sha256() };
        let mut hasher = Sha(Sha256::new());
        // The numbers of columns, rows and bytes keep names and texts apart.
        hasher.write(&(self.header.len() as u64).to_le_bytes());
        for name in &self.header {
            hasher.write(&(name.len() as u64).to_le_bytes());
            hasher.write(name.as_bytes());
        }
        hasher.write(&frame.n_rows().to_le_bytes());
        self.digest(&mut hasher, progress)?;
        Ok(file::hex(&hasher.0.finalize()))
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

/// SHA-256, for functions that write to any hasher.
struct Sha(Sha256);

impl Hasher for Sha {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let digest = self.0.clone().finalize();
        digest.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}
