//! A file whose end is an error to those who read on.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

/// A Parquet file.
///
/// The `parquet` crate skips what a page header claims to hold. At the end of a plain file that
/// takes no bytes and never fails, so a damaged count of two billion would be counted to its end.
#[derive(Clone)]
pub(super) struct Whole(pub(super) Arc<File>);

/// Reads on until the end of the file, which is an error.
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
