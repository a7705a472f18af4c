//! A file in which reading past the end is an error.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

/// A Parquet file.
///
/// The `parquet` crate skips the contents that a page header claims. Past the end of a plain file,
/// skipping takes no bytes and never fails, so the crate would count through a damaged count of two
/// billion.
#[derive(Clone)]
pub(super) struct Whole(pub(super) Arc<File>);

/// Reads a file and returns an error at its end.
pub(super) struct UpToTheEnd(BufReader<File>);

impl Read for UpToTheEnd {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => Err(ErrorKind::UnexpectedEof.into()),
            n_read => Ok(n_read),
        }
    }
}

impl Length for Whole {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Whole {
    type T = UpToTheEnd;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.0.get_read(start).map(UpToTheEnd)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}
