//! Counts distinct tuples while they are read, in parallel.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::error::Advice;
use crate::{Error, Result};

/// Counts distinct tuples of raw fields with one lookup per record, whatever the number of columns.
///
/// Each thread fills its own counter and the counters are merged at the end, so threads share
/// nothing while reading. Tuples are numbered in the order of their first appearance.
#[derive(Debug, Default, Clone)]
pub(crate) struct Counter {
    /// The fields of all tuples, each preceded by its length, one tuple after the other.
    keys: Vec<u8>,
    /// Offset in `keys` at which each tuple's key ends.
    ends: Vec<usize>,
    counts: Vec<u64>,
    firsts: Vec<u64>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    scratch: Vec<u8>,
}

impl Counter {
    /// Counts one record and returns its tuple's number.
    ///
    /// `position` is the position of the record; the counter keeps the lowest position of each
    /// tuple.
    pub(crate) fn push<'a>(
        &mut self,
        fields: impl Iterator<Item = &'a [u8]>,
        position: u64,
    ) -> Result<u32> {
        self.push_counted(fields, 1, position)
    }

    /// Counts `count` records of one tuple at once, the first of them at `position`.
    pub(crate) fn push_counted<'a>(
        &mut self,
        fields: impl Iterator<Item = &'a [u8]>,
        count: u64,
        position: u64,
    ) -> Result<u32> {
        // The buffer is taken out because `add` borrows the counter; it is put back for the next
        // record.
        let mut key = std::mem::take(&mut self.scratch);
        encode(fields, &mut key);
        let tuple = self.add(&key, count, position);
        self.scratch = key;
        tuple
    }

    /// Returns the number of a tuple, or `None` if it was never counted.
    pub(crate) fn find<'a>(
        &self,
        fields: impl Iterator<Item = &'a [u8]>,
        key: &mut Vec<u8>,
    ) -> Option<u32> {
        encode(fields, key);
        let hash = self.hasher.hash_one(key.as_slice());
        self.table.find(hash, |&tuple| self.key(tuple as usize) == key.as_slice()).copied()
    }

    /// Adds everything that `other` counted and returns the number that each of its tuples has
    /// here.
    pub(crate) fn absorb(&mut self, other: &Self) -> Result<Vec<u32>> {
        (0..other.len())
            .map(|tuple| self.add(other.key(tuple), other.counts[tuple], other.firsts[tuple]))
            .collect()
    }

    /// Number of distinct tuples.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether nothing was counted.
    pub(crate) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Number of records that have the tuple.
    pub(crate) fn count(&self, tuple: usize) -> u64 {
        self.counts[tuple]
    }

    /// Lowest position of a record with the tuple.
    pub(crate) fn first(&self, tuple: usize) -> u64 {
        self.firsts[tuple]
    }

    /// The fields of a tuple.
    pub(crate) fn fields(&self, tuple: usize) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.key(tuple);
        std::iter::from_fn(move || {
            let (field, after) = split_field(rest)?;
            rest = after;
            Some(field)
        })
    }

    /// Returns a field of a tuple as text.
    pub(super) fn text(&self, tuple: usize, place: usize) -> Result<&str> {
        let field = self.fields(tuple).nth(place);
        let bytes = field.ok_or_else(|| Error::Internal("a record is too short".into()))?;
        std::str::from_utf8(bytes).map_err(|_| Error::Internal("a field is not UTF-8".into()))
    }

    fn key(&self, tuple: usize) -> &[u8] {
        let start = if tuple == 0 { 0 } else { self.ends[tuple - 1] };
        &self.keys[start..self.ends[tuple]]
    }

    fn add(&mut self, key: &[u8], count: u64, position: u64) -> Result<u32> {
        let Self { keys, ends, counts, firsts, table, hasher, .. } = self;
        // Not `self.key`: the hash table is borrowed mutably while keys are compared.
        let key_of = |tuple: u32| {
            let start = if tuple == 0 { 0 } else { ends[tuple as usize - 1] };
            &keys[start..ends[tuple as usize]]
        };
        let hash = hasher.hash_one(key);
        if let Some(&tuple) = table.find(hash, |&tuple| key_of(tuple) == key) {
            // Counters of other threads are absorbed in any order, so a later call can have an
            // earlier position.
            counts[tuple as usize] += count;
            let first = &mut firsts[tuple as usize];
            *first = position.min(*first);
            return Ok(tuple);
        }
        // `u32::MAX` is reserved as a marker, so the last number is `u32::MAX - 1`.
        let tuple = u32::try_from(counts.len())
            .ok()
            .filter(|&tuple| tuple < u32::MAX)
            .ok_or_else(too_many_tuples)?;
        table.insert_unique(hash, tuple, |&tuple| hasher.hash_one(key_of(tuple)));
        keys.extend_from_slice(key);
        ends.push(keys.len());
        counts.push(count);
        firsts.push(position);
        Ok(tuple)
    }
}

fn encode<'a>(fields: impl Iterator<Item = &'a [u8]>, key: &mut Vec<u8>) {
    key.clear();
    for field in fields {
        // Length prefixes keep ("ab", "c") and ("a", "bc") apart. Most fields are short, so a
        // length is one byte; 255 announces an eight-byte length.
        match u8::try_from(field.len()) {
            Ok(length) if length < u8::MAX => key.push(length),
            _ => {
                key.push(u8::MAX);
                key.extend_from_slice(&(field.len() as u64).to_le_bytes());
            }
        }
        key.extend_from_slice(field);
    }
}

/// Splits a key after its first field, or returns `None` if it is empty.
fn split_field(key: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = decode_length(key)?;
    Some(rest.split_at(length))
}

fn decode_length(key: &[u8]) -> Option<(usize, &[u8])> {
    let (&short, rest) = key.split_first()?;
    if short < u8::MAX {
        return Some((short.into(), rest));
    }
    let (long, rest) = rest.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*long) as usize, rest))
}

fn too_many_tuples() -> Error {
    Error::invalid(
        "the requested columns have more than 4,294,967,295 distinct combinations of values",
    )
    .advise([
        Advice::words("name fewer columns"),
        Advice::words("round the values of the finest one first"),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(rows: &[[&str; 2]], start: u64) -> Counter {
        let mut counter = Counter::default();
        for (row, fields) in rows.iter().enumerate() {
            let fields = fields.iter().map(|field| field.as_bytes());
            counter.push(fields, start + row as u64).unwrap();
        }
        counter
    }

    #[test]
    fn fields_do_not_run_together() {
        let counter = counted(&[["ab", "c"], ["a", "bc"], ["ab", "c"]], 0);
        assert_eq!((counter.len(), counter.count(0), counter.first(1)), (2, 2, 1));
    }

    #[test]
    fn long_fields_come_back_whole() {
        let long = "x".repeat(700);
        let counter = counted(&[[&long, ""]], 0);
        let fields: Vec<_> = counter.fields(0).collect();
        assert_eq!(fields, [long.as_bytes(), b""]);
    }

    #[test]
    fn merging_adds_counts_and_keeps_the_first_position() {
        let mut left = counted(&[["a", "b"], ["c", "d"]], 10);
        let right = counted(&[["c", "d"], ["e", "f"]], 0);
        assert_eq!(left.absorb(&right).unwrap(), [1, 2]);
        assert_eq!((left.count(1), left.first(1)), (2, 0));
    }
}
