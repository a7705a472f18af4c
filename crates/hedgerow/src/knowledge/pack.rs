//! WordNet in one small file: columns of numbers and words, compressed.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::gloss::{Definitions, Glosses};
use super::lists::Lists;
use super::morphy::Exceptions;
use super::source::{Parts, Source};
use super::words::Words;
use crate::{Error, Result};

/// The nouns of WordNet 3.0; the licence notice is in the same folder.
pub(super) const WORDNET: &[u8] = include_bytes!("../../assets/wordnet-3.0-nouns.bin");

const MAGIC: &[u8] = b"hedgerow nouns 1\n";

/// Packs the concepts and, separately, the definitions.
pub(super) fn pack(source: &Source) -> Result<Vec<u8>> {
    let mut columns = Columns::default();
    columns.text(&source.name);
    columns.words(&source.words);
    columns.lists(&source.members);
    columns.numbers(&source.ranks);
    columns.numbers(&source.tags);
    columns.links(&source.parents);
    columns.links(&source.wholes);
    columns.text(&source.exceptions.as_ref().map_or_else(String::new, Exceptions::lines));
    let concepts = columns.compressed()?;
    let glosses = source.glosses();
    let mut columns = Columns::default();
    columns.words(glosses.vocabulary());
    columns.lists(glosses.lists());
    let glosses = columns.compressed()?;
    // The length separates the two streams, so that definitions can stay compressed.
    let length = (concepts.len() as u32).to_le_bytes();
    Ok([MAGIC, &length, &concepts, &glosses].concat())
}

/// Unpacks the concepts and leaves the definitions packed, because many runs do not need them.
pub(super) fn unpack(packed: &'static [u8]) -> Result<Parts> {
    let rest = packed.strip_prefix(MAGIC).ok_or_else(broken)?;
    let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(broken)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (concepts, glosses) = rest.split_at_checked(length).ok_or_else(broken)?;
    let mut columns = Packed::of(concepts)?;
    Ok(Parts {
        name: columns.text()?,
        words: columns.words()?,
        members: columns.lists()?,
        ranks: columns.numbers()?,
        tags: columns.numbers()?,
        parents: columns.links()?,
        wholes: columns.links()?,
        exceptions: Some(Exceptions::of_lines(&columns.text()?)),
        definitions: Definitions::Packed(glosses),
    })
}

pub(super) fn unpack_glosses(packed: &[u8]) -> Result<Glosses> {
    let mut columns = Packed::of(packed)?;
    Ok(Glosses::new(columns.words()?, columns.lists()?))
}

fn broken() -> Error {
    Error::Internal("the packed WordNet is broken".into())
}

/// Writes one column after another.
#[derive(Default)]
struct Columns {
    bytes: Vec<u8>,
}

impl Columns {
    /// Writes a number with seven bits per byte, lowest first; the highest bit means that more
    /// follow.
    fn number(&mut self, mut number: u32) {
        while number >= 128 {
            self.bytes.push(number as u8 | 128);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn numbers(&mut self, numbers: &[u32]) {
        self.number(numbers.len() as u32);
        numbers.iter().for_each(|&number| self.number(number));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Writes, for each word, the length of the prefix it shares with the previous word, and the
    /// rest.
    fn words(&mut self, words: &Words) {
        let mut before = "";
        self.number(words.len() as u32);
        for number in 0..words.len() as u32 {
            let word = words.get(number);
            // In bytes, but whole characters, so that the rest is valid UTF-8.
            let shared = before.chars().zip(word.chars()).take_while(|(a, b)| a == b);
            let n_shared: usize = shared.map(|(c, _)| c.len_utf8()).sum();
            self.number(n_shared as u32);
            self.text(&word[n_shared..]);
            before = word;
        }
    }

    fn lists(&mut self, lists: &Lists) {
        self.numbers(&lists.lengths());
        self.numbers(lists.items());
    }

    /// Writes lists of numbers that are close to the number of their list, as differences.
    fn links(&mut self, links: &Lists) {
        self.numbers(&links.lengths());
        let differences = links.owners().into_iter().zip(links.items()).map(|(owner, &item)| {
            let difference = i64::from(owner) - i64::from(item);
            // Zigzag encoding: differences close to 0, of either sign, become small numbers.
            ((difference << 1) ^ (difference >> 63)) as u32
        });
        self.numbers(&differences.collect::<Vec<_>>());
    }

    fn compressed(self) -> Result<Vec<u8>> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(&self.bytes).and_then(|()| encoder.finish());
        packed.map_err(|error| Error::Internal(format!("WordNet cannot be packed: {error}")))
    }
}

/// Reads one column after another.
struct Packed {
    bytes: Vec<u8>,
    at: usize,
}

impl Packed {
    fn of(packed: &[u8]) -> Result<Self> {
        let mut bytes = Vec::with_capacity(4 * packed.len());
        DeflateDecoder::new(packed).read_to_end(&mut bytes).map_err(|_| broken())?;
        Ok(Self { bytes, at: 0 })
    }

    fn number(&mut self) -> Result<u32> {
        let mut number = 0;
        // A `u32` takes at most five bytes of seven bits.
        for shift in (0..35).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or_else(broken)?;
            self.at += 1;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return u32::try_from(number).map_err(|_| broken());
            }
        }
        Err(broken())
    }

    fn numbers(&mut self) -> Result<Vec<u32>> {
        (0..self.number()?).map(|_| self.number()).collect()
    }

    fn slice(&mut self) -> Result<&str> {
        let length = self.number()? as usize;
        let found = self.bytes.get(self.at..self.at + length).ok_or_else(broken)?;
        self.at += length;
        std::str::from_utf8(found).map_err(|_| broken())
    }

    fn text(&mut self) -> Result<String> {
        self.slice().map(str::to_owned)
    }

    fn words(&mut self) -> Result<Words> {
        let mut words = Words::default();
        let mut word = String::new();
        for _ in 0..self.number()? {
            let n_shared = self.number()? as usize;
            // Also false beyond the end of the word.
            if !word.is_char_boundary(n_shared) {
                return Err(broken());
            }
            word.truncate(n_shared);
            word.push_str(self.slice()?);
            words.push(&word);
        }
        Ok(words)
    }

    fn lists(&mut self) -> Result<Lists> {
        let lengths = self.numbers()?;
        Lists::of_lengths(&lengths, self.numbers()?).ok_or_else(broken)
    }

    fn links(&mut self) -> Result<Lists> {
        let links = self.lists()?;
        let unpacked = links.owners().into_iter().zip(links.items()).map(|(owner, &packed)| {
            let difference = i64::from(packed >> 1) ^ -i64::from(packed & 1);
            u32::try_from(i64::from(owner) - difference).map_err(|_| broken())
        });
        let items = unpacked.collect::<Result<Vec<_>>>()?;
        Lists::of_lengths(&links.lengths(), items).ok_or_else(broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::Knowledge;

    #[test]
    fn what_is_built_in_packs_to_what_it_came_from() {
        assert!(Knowledge::wordnet().pack().unwrap() == WORDNET);
    }
}
