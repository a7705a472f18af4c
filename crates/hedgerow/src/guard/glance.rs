//! The data that the guard examines: a sample of a table's records, and the uniqueness of its
//! values.

use std::borrow::Cow;
use std::collections::BinaryHeap;

use hashbrown::HashMap;

use super::series::Series;
use super::sketch::Sketch;
use crate::table::{Encoding, Kind, LONGEST_USUAL, Signs, SourceId, Values, is_usual};

/// Number of records in the sample.
const SAMPLE: usize = 20_000;
/// Longer values are cut in the sample.
const LONGEST: usize = 500;
/// Longer values, with blanks, do not mean a missing value.
const LONGEST_FIELD: usize = LONGEST_USUAL + 1;

/// A look at some columns of a table: a sample of records from all over it, and estimates over all
/// records of the number of values that occur once.
///
/// The sample is the 20,000 records whose positions have the smallest hashes. It is the same for
/// any number of threads.
#[derive(Debug, Clone)]
pub struct Glance {
    pub(super) columns: Vec<Seen>,
    /// The row of each sampled record, counted from 0.
    pub(super) rows: Vec<u64>,
    pub(super) n_rows: u64,
    /// The opened file that the records were read from; `None` if they were in memory.
    pub(super) source: Option<SourceId>,
}

/// The sample and the counts of one column.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) name: String,
    pub(super) counts: Counts,
    /// The distinct values in the sample, in the order of their first record.
    pub(super) spellings: Vec<Box<str>>,
    /// The index in `spellings` of each sampled record; `None` if the value is missing.
    pub(super) of_record: Vec<Option<u32>>,
    pub(super) kind: Kind,
    pub(super) series: Series,
}

/// Number of values of a column, and of records whose value is unique.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    /// Number of records that have a value.
    pub(super) present: u64,
    /// Number of different values.
    pub(super) distinct: u64,
    /// Number of values that one record has.
    pub(super) alone: u64,
    /// Whether the last two were counted rather than estimated.
    pub(super) is_exact: bool,
}

impl Counts {
    /// Share of the records with a value that no other record has, among those with a value.
    pub(super) fn share_alone(&self) -> f64 {
        self.alone as f64 / self.present.max(1) as f64
    }

    fn of_sketch(sketch: &Sketch) -> Self {
        Self {
            present: sketch.n_present(),
            distinct: sketch.n_distinct(),
            alone: sketch.n_alone(),
            is_exact: sketch.is_exact(),
        }
    }

    /// Counts the values of a sample that is the whole table, without spellings that may mean a
    /// missing value.
    fn of_all(of_record: &[Option<u32>], spellings: &[Box<str>]) -> Self {
        let mut counts = vec![0u64; spellings.len()];
        of_record.iter().flatten().for_each(|&number| counts[number as usize] += 1);
        let values = counts.iter().zip(spellings).filter(|(_, spelling)| !is_usual(spelling));
        let counts: Vec<u64> = values.map(|(&count, _)| count).collect();
        Self {
            present: counts.iter().sum(),
            distinct: counts.len() as u64,
            alone: counts.iter().filter(|&&count| count == 1).count() as u64,
            is_exact: true,
        }
    }

    /// The same counts without spellings that may mean a missing value.
    fn without(self, usual: &Usual) -> Self {
        let absent = (usual.share * self.present as f64).round() as u64;
        let distinct = self.distinct.saturating_sub(usual.n_spellings);
        // Both numbers are estimates; there is at least one record for each value.
        Self { present: (self.present - absent).max(distinct), distinct, ..self }
    }
}

/// Spellings of a column that may mean a missing value.
struct Usual {
    n_spellings: u64,
    /// Their share of the sampled records with a value.
    share: f64,
}

impl Usual {
    /// Counts them, given the different texts of a column and the text of each sampled record.
    fn of(texts: &[&[u8]], of_field: &[u32], na: &[String]) -> Self {
        let is_present: Vec<bool> = texts.iter().map(|text| !is_missing(text, na)).collect();
        let is_one = |(text, is_present): (&&[u8], &bool)| {
            *is_present && text.len() <= LONGEST_FIELD && is_usual(&String::from_utf8_lossy(text))
        };
        let is_usual: Vec<bool> = texts.iter().zip(&is_present).map(is_one).collect();
        let n_spellings = is_usual.iter().filter(|is_usual| **is_usual).count() as u64;
        let count = |of: &[bool]| of_field.iter().filter(|&&text| of[text as usize]).count();
        let n_usual = if n_spellings == 0 { 0 } else { count(&is_usual) };
        Self { n_spellings, share: n_usual as f64 / count(&is_present).max(1) as f64 }
    }
}

impl Glance {
    /// Looks at rows in memory. `na` are spellings of missing values besides the empty text. Fields
    /// that a row lacks are empty, and those without a name are not examined.
    ///
    /// ```
    /// use hedgerow::guard::{self, Glance};
    /// use hedgerow::schema::{Role, Schema};
    /// let (names, rows) = (["email", "age"], [["ann@example.org", "31"], ["bo@example.org", "47"]]);
    /// let glance = Glance::of_rows(&names, &rows, &[]);
    /// let schema = Schema::new(&names.map(str::to_owned), &[("age", Role::Quasi)])?;
    /// let findings = guard::look(&glance, &schema);
    /// assert_eq!(findings[0].column, "email");
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn of_rows<R: AsRef<[S]>, S: AsRef<str>>(
        names: &[impl AsRef<str>],
        rows: &[R],
        na: &[String],
    ) -> Self {
        let mut collector = Collector::default();
        for row in rows {
            let fields = row.as_ref().iter().map(|field| field.as_ref().as_bytes());
            collector.push(fields.chain(std::iter::repeat(&b""[..])).take(names.len()), na);
        }
        let names = names.iter().map(|name| name.as_ref().to_owned()).collect();
        Self::assemble(names, vec![collector], &Encoding { na: na.to_vec(), ..Encoding::default() })
    }

    /// Puts together the parts of a table that several threads have seen, in this encoding.
    pub(crate) fn assemble(names: Vec<String>, parts: Vec<Collector>, encoding: &Encoding) -> Self {
        let mut blocks: Vec<(u32, u32)> = Vec::new();
        let mut sample: Vec<Sampled> = Vec::new();
        let mut sketches = vec![Sketch::default(); names.len()];
        for part in parts {
            blocks.extend(part.blocks);
            sample.extend(part.sample);
            sketches.iter_mut().zip(&part.sketches).for_each(|(whole, part)| whole.absorb(part));
        }
        // Threads finish in any order; sorted by number, the blocks give the rows of the file.
        blocks.sort_unstable();
        sample.sort_unstable();
        // Every thread kept its smallest hashes, so the smallest of all are among them.
        sample.truncate(SAMPLE);
        sample.sort_unstable_by_key(|record| record.position);
        let (mut starts, mut n_rows) = (HashMap::new(), 0);
        for (number, size) in blocks {
            starts.insert(number, n_rows);
            n_rows += u64::from(size);
        }
        let row_of = |record: &Sampled| {
            // The upper half of a position is the block, the lower half the row in it.
            starts[&((record.position >> 32) as u32)] + (record.position & 0xffff_ffff)
        };
        let rows: Vec<u64> = sample.iter().map(row_of).collect();
        let is_whole = rows.len() as u64 == n_rows;
        let see = |(place, (name, sketch)): (usize, (String, Sketch))| {
            let fields: Vec<&[u8]> = sample.iter().map(|record| record.field(place)).collect();
            // Values that were cut may differ in the rest.
            let is_cut = fields.iter().any(|field| field.len() >= LONGEST);
            let mut seen = Seen::new(name, &sketch, &fields, encoding);
            if is_whole && !is_cut {
                seen.counts = Counts::of_all(&seen.of_record, &seen.spellings);
            }
            seen
        };
        let columns = names.into_iter().zip(sketches).enumerate().map(see).collect();
        Self { columns, rows, n_rows, source: None }
    }

    /// The same look, at an opened file.
    #[must_use]
    pub(crate) fn read_from(self, source: SourceId) -> Self {
        Self { source: Some(source), ..self }
    }

    /// Number of records of the table.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Number of sampled records.
    pub(crate) fn n_sampled(&self) -> usize {
        self.rows.len()
    }

    /// The values of a column in the sampled records, if it was examined.
    pub(crate) fn series(&self, name: &str) -> Option<&Series> {
        self.column(name).map(|seen| &seen.series)
    }

    /// The text of a column in each sampled record, if it was examined; `None` for missing values.
    pub(crate) fn texts(&self, name: &str) -> Option<Vec<Option<&str>>> {
        let seen = self.column(name)?;
        let text = |number: &Option<u32>| number.map(|n| &*seen.spellings[n as usize]);
        Some(seen.of_record.iter().map(text).collect())
    }

    /// Number of distinct values of a column in the sample, if it was examined.
    pub(crate) fn n_distinct(&self, name: &str) -> Option<usize> {
        self.column(name).map(|column| column.spellings.len())
    }

    pub(super) fn column(&self, name: &str) -> Option<&Seen> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl Seen {
    fn new(name: String, sketch: &Sketch, fields: &[&[u8]], encoding: &Encoding) -> Self {
        let (na, signs) = (encoding.na.as_slice(), encoding.signs_of(&name));
        // Everything is decided once for each different text, of which most columns have few.
        let (texts, of_field) = numbered(fields);
        let usual = Usual::of(&texts, &of_field, na);
        let has_usual = has_usual_missing(&name, &texts, na, signs);
        let is_present = |text: &[u8]| {
            let is_usual = || has_usual && is_usual(&String::from_utf8_lossy(text));
            !is_missing(text, na) && !is_usual()
        };
        let mut spellings: Vec<Box<str>> = Vec::new();
        let mut number = |text: &[u8]| {
            spellings.push(String::from_utf8_lossy(text).trim().into());
            spellings.len() as u32 - 1
        };
        let of_text: Vec<Option<u32>> =
            texts.into_iter().map(|text| is_present(text).then(|| number(text))).collect();
        let of_record: Vec<Option<u32>> =
            of_field.into_iter().map(|text| of_text[text as usize]).collect();
        let texts: Vec<&str> = spellings.iter().map(AsRef::as_ref).collect();
        let (values, codes) = Values::infer(&name, &texts, of_record.len() as u64, signs);
        let coded = of_record.iter().map(|number| number.map(|n| codes[n as usize])).collect();
        let series = Series::new(coded, &values);
        let counts = Counts::of_sketch(sketch).without(&usual);
        Self { name, counts, kind: values.kind(), series, spellings, of_record }
    }

    /// The values of the sampled records that have one.
    pub(super) fn present(&self) -> Vec<&str> {
        self.of_record.iter().flatten().map(|&number| &*self.spellings[number as usize]).collect()
    }
}

/// Looks at records one by one; each thread has its own.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    sketches: Vec<Sketch>,
    /// The records with the smallest hashes; the largest of them is on top.
    sample: BinaryHeap<Sampled>,
    /// Number of each block and of its records.
    blocks: Vec<(u32, u32)>,
}

/// A sampled record. The order is that of hashes.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sampled {
    hash: u64,
    position: u64,
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Sampled {
    fn field(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.bytes[start..self.ends[place]]
    }
}

impl Collector {
    /// Starts the block with this index in the file.
    pub(crate) fn begin_block(&mut self, number: u32) {
        self.blocks.push((number, 0));
    }

    /// Looks at the next record. Every record has the same number of fields.
    pub(crate) fn push<'a>(
        &mut self,
        fields: impl Iterator<Item = &'a [u8]> + Clone,
        na: &[String],
    ) {
        if self.blocks.is_empty() {
            self.begin_block(0);
        }
        let last = self.blocks.len() - 1;
        let (number, n_rows) = &mut self.blocks[last];
        let position = u64::from(*number) << 32 | u64::from(*n_rows);
        *n_rows += 1;
        for (place, field) in fields.clone().enumerate() {
            if place == self.sketches.len() {
                self.sketches.push(Sketch::default());
            }
            if !is_missing(field, na) {
                self.sketches[place].push(hash_of(field));
            }
        }
        let hash = mixed(position);
        if self.sample.len() == SAMPLE {
            // The greatest hash so far bounds the sample; most records fail this test and are not
            // copied.
            if self.sample.peek().is_some_and(|top| (hash, position) >= (top.hash, top.position)) {
                return;
            }
            self.sample.pop();
        }
        let mut record = Sampled { hash, position, bytes: Vec::new(), ends: Vec::new() };
        for field in fields {
            record.bytes.extend_from_slice(&field[..field.len().min(LONGEST)]);
            record.ends.push(record.bytes.len());
        }
        self.sample.push(record);
    }
}

/// Hashes a value, eight bytes at a time. This takes a third of the time of a general hash, and
/// every value of a table is hashed.
fn hash_of(field: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = field.as_chunks::<8>();
    let mix = |hash: u64, word: &[u8; 8]| {
        (hash ^ u64::from_le_bytes(*word)).wrapping_mul(ODD).rotate_left(29)
    };
    // The length keeps a text apart from the same text with zero bytes after it.
    let hash = words.iter().fold(field.len() as u64, mix);
    let last = rest.iter().fold(0, |word: u64, &byte| word << 8 | u64::from(byte));
    mixed(hash.wrapping_mul(ODD) ^ last)
}

/// Scatters positions over all hashes (the finalizer of `SplitMix64`).
fn mixed(position: u64) -> u64 {
    let mut x = position.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The different texts of fields, in the order of their first field, and the place of each field's.
fn numbered<'a>(fields: &[&'a [u8]]) -> (Vec<&'a [u8]>, Vec<u32>) {
    let mut numbers: HashMap<&[u8], u32> = HashMap::new();
    let mut texts: Vec<&[u8]> = Vec::new();
    let number = |field: &&'a [u8]| {
        *numbers.entry(*field).or_insert_with(|| {
            texts.push(field);
            texts.len() as u32 - 1
        })
    };
    let of_field = fields.iter().map(number).collect();
    (texts, of_field)
}

/// Whether the usual spellings of missing values mean them in a column with these different texts,
/// because all others are numbers, dates or codes.
fn has_usual_missing(name: &str, texts: &[&[u8]], na: &[String], signs: Signs) -> bool {
    let present = texts.iter().filter(|text| !is_missing(text, na));
    let spelt: Vec<Cow<'_, str>> = present.map(|text| String::from_utf8_lossy(text)).collect();
    if !spelt.iter().any(|text| is_usual(text.trim())) {
        return false;
    }
    // In their order, because the kind of a column must not depend on that of its records.
    let mut others: Vec<&str> =
        spelt.iter().map(|text| text.trim()).filter(|text| !is_usual(text)).collect();
    others.sort_unstable();
    !others.is_empty() && Values::infer(name, &others, 0, signs).0.kind() != Kind::Text
}

fn is_missing(field: &[u8], na: &[String]) -> bool {
    let field = field.trim_ascii();
    field.is_empty() || na.iter().any(|na| na.as_bytes() == field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collected(blocks: &[(u32, std::ops::Range<u64>)]) -> Collector {
        let mut collector = Collector::default();
        for (number, rows) in blocks {
            collector.begin_block(*number);
            for row in rows.clone() {
                let text = row.to_string();
                collector.push([text.as_bytes(), b"x"].into_iter(), &[]);
            }
        }
        collector
    }

    #[test]
    fn different_values_have_different_hashes() {
        let texts = (0..100_000u32).flat_map(|i| {
            [
                i.to_string(),
                format!("{i:012}"),
                format!("patient {i} of the ward"),
                format!("{i}\0"),
            ]
        });
        let mut hashes: Vec<u64> = texts.map(|text| hash_of(text.as_bytes())).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 400_000);
        let low = hashes.iter().filter(|&&hash| hash < u64::MAX / 10).count();
        assert!((39_000..41_000).contains(&low), "{low}");
    }

    #[test]
    fn threads_do_not_matter_and_the_sample_is_from_all_over_the_table() {
        let names = || vec!["a".to_owned(), "b".to_owned()];
        let one = vec![collected(&[(0, 0..40_000), (1, 40_000..80_000)])];
        let two = vec![collected(&[(1, 40_000..80_000)]), collected(&[(0, 0..40_000)])];
        let of = |parts| Glance::assemble(names(), parts, &Encoding::default());
        let (one, two) = (of(one), of(two));
        assert_eq!((one.n_rows(), one.rows.len()), (80_000, SAMPLE));
        assert_eq!(one.rows, two.rows);
        assert_eq!(one.columns[0].spellings, two.columns[0].spellings);
        let in_the_second_half = one.rows.iter().filter(|&&row| row >= 40_000).count();
        assert!((9_500..10_500).contains(&in_the_second_half), "{in_the_second_half}");
    }
}
