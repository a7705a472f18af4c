//! Writes rows in random order without holding all of them in memory.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, Write};
use std::path::Path;

use twox_hash::XxHash3_64;

/// Number of bytes that are sorted in memory at a time.
const BUCKET_BYTES: u64 = 16 << 20;
/// Maximum number of open files.
const MOST_BUCKETS: u64 = 256;

/// Collects rows under random keys and returns them in the order of their keys.
///
/// The first bits of a row's key select its bucket, and buckets are sorted one at a time, so that
/// memory holds one bucket. Buckets are unnamed files, which the system always removes. The
/// key of a row is a hash of its number, seeded with a secret that depends on the job, the whole
/// input and the release itself. Without the input the order cannot be undone, and the orders of
/// two releases are unrelated.
pub(super) struct Shuffle {
    secret: u64,
    buckets: Vec<Bucket>,
}

pub(super) enum Bucket {
    Memory(Vec<u8>),
    File(BufWriter<File>),
}

impl Shuffle {
    /// Prepares for about `n_bytes` of rows, in temporary files in `directory`.
    pub(super) fn new(n_bytes: u64, secret: u64, directory: &Path) -> std::io::Result<Self> {
        let n_buckets = n_bytes.div_ceil(BUCKET_BYTES).clamp(1, MOST_BUCKETS).next_power_of_two();
        let bucket = |_| -> std::io::Result<Bucket> {
            if n_buckets == 1 {
                return Ok(Bucket::Memory(Vec::new()));
            }
            Ok(Bucket::File(BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(directory)?)))
        };
        let buckets = (0..n_buckets).map(bucket).collect::<std::io::Result<_>>()?;
        Ok(Self { secret, buckets })
    }

    /// Adds the row with this number and returns its key.
    pub(super) fn push(&mut self, number: u64, row: &[u8]) -> std::io::Result<u64> {
        let key = XxHash3_64::oneshot_with_seed(self.secret, &number.to_le_bytes());
        // The highest bits of the key select the bucket, so buckets are in the order of keys.
        let n_buckets = self.buckets.len() as u128;
        let bucket = &mut self.buckets[((u128::from(key) * n_buckets) >> 64) as usize];
        let out: &mut dyn Write = match bucket {
            Bucket::Memory(bytes) => bytes,
            Bucket::File(file) => file,
        };
        out.write_all(&key.to_le_bytes())?;
        out.write_all(&(row.len() as u64).to_le_bytes())?;
        out.write_all(row)?;
        Ok(key)
    }

    /// Returns the buckets. Written one after the other, they give all rows in the order of their
    /// keys.
    pub(super) fn into_buckets(self) -> Vec<Bucket> {
        self.buckets
    }
}

impl Bucket {
    /// Writes the rows of this bucket in the order of their keys.
    pub(super) fn write(self, out: &mut impl Write) -> std::io::Result<()> {
        let bytes = match self {
            Self::Memory(bytes) => bytes,
            Self::File(file) => {
                let mut file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
                let mut bytes = Vec::new();
                file.rewind()?;
                file.read_to_end(&mut bytes)?;
                bytes
            }
        };
        let mut rows = keyed_rows(&bytes);
        rows.sort_by_key(|(key, _)| *key); // stable: rows with equal keys keep their order
        rows.into_iter().try_for_each(|(_, row)| out.write_all(row))
    }
}

fn keyed_rows(bytes: &[u8]) -> Vec<(u64, &[u8])> {
    let mut rows = Vec::new();
    let mut rest = bytes;
    while let Some((key, after)) = rest.split_first_chunk::<8>()
        && let Some((length, after)) = after.split_first_chunk::<8>()
    {
        // Lengths come from `push`, so they never exceed what is left.
        let (row, after) = after.split_at(u64::from_le_bytes(*length) as usize);
        rows.push((u64::from_le_bytes(*key), row));
        rest = after;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(n_bytes: u64, secret: u64) -> Vec<u8> {
        let mut shuffle = Shuffle::new(n_bytes, secret, &std::env::temp_dir()).unwrap();
        for row in 0..200u8 {
            shuffle.push(row.into(), &[row]).unwrap();
        }
        let mut out = Vec::new();
        for bucket in shuffle.into_buckets() {
            bucket.write(&mut out).unwrap();
        }
        out
    }

    #[test]
    fn every_row_comes_out_once_in_another_order() {
        let mut out = shuffled(0, 7);
        assert_ne!(out, (0..200).collect::<Vec<u8>>());
        out.sort_unstable();
        assert_eq!(out, (0..200).collect::<Vec<u8>>());
    }

    #[test]
    fn the_order_depends_on_the_secret_and_not_on_the_buckets() {
        assert_eq!(shuffled(0, 7), shuffled(100 * BUCKET_BYTES, 7));
        assert_ne!(shuffled(0, 7), shuffled(0, 8));
    }
}
