//! The pages of a column, checked before the `parquet` crate takes them apart.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::SerializedPageReader;

use super::super::Size;
use super::delta;
use super::headers::Headers;
use super::whole::Whole;

/// How many bytes pages may always take.
const ROOM: u64 = 1 << 28;
/// How many times the length of the longest record they may take, if that is more.
const RECORDS: u64 = 4;
/// How many times the size of the file they may take, if that is more.
const RATIO: u64 = 16;
/// Why there is no room for a page.
pub(super) const NO_ROOM: &str =
    "its pages take more than 256 MB, 4 times --max-record and 16 times the size of the file";

/// Memory of which the pages of several columns take their share.
pub(super) struct Room {
    left: Arc<AtomicU64>,
    taken: u64,
}

impl Room {
    /// The memory for all pages that are held at a time of a file of `n_bytes`.
    pub(super) fn new(max_record: Size, n_bytes: u64) -> Self {
        let records = max_record.bytes().saturating_mul(RECORDS);
        let n_bytes = ROOM.max(records).max(n_bytes.saturating_mul(RATIO));
        Self { left: Arc::new(AtomicU64::new(n_bytes)), taken: 0 }
    }

    /// A share of the same memory, of which nothing is taken yet.
    fn share(&self) -> Self {
        Self { left: Arc::clone(&self.left), taken: 0 }
    }

    fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    fn take(&mut self, n_bytes: u64) -> Result<(), &'static str> {
        let less = |left: u64| left.checked_sub(n_bytes);
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.map_err(|_| NO_ROOM)?;
        self.taken += n_bytes;
        Ok(())
    }

    fn give_back(&mut self) {
        self.left.fetch_add(std::mem::take(&mut self.taken), Ordering::Relaxed);
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Pages whose sizes and counts are possible for their column chunk, so that none makes the decoder
/// reserve memory for values that are not there.
pub(super) struct CheckedPages {
    inner: SerializedPageReader<Whole>,
    headers: Headers,
    physical: Physical,
    is_optional: bool,
    /// How many values the pages to come may still have.
    n_left: u64,
    has_dictionary: bool,
    /// The memory of the dictionary, and of the last page.
    dictionary: Room,
    page: Room,
}

impl CheckedPages {
    /// The pages of a flat column.
    pub(super) fn new(file: &Whole, chunk: &ColumnChunkMetaData, room: &Room) -> Result<Self> {
        let n_left = chunk.num_values() as u64;
        let inner =
            SerializedPageReader::new(Arc::new(file.clone()), chunk, n_left as usize, None)?;
        Ok(Self {
            inner,
            headers: Headers::new(file.clone(), chunk),
            physical: chunk.column_type(),
            is_optional: chunk.column_descr().max_def_level() > 0,
            n_left,
            has_dictionary: false,
            dictionary: room.share(),
            page: room.share(),
        })
    }

    fn check(&mut self, page: &Page) -> Result<(), &'static str> {
        let n_values = u64::from(page.num_values());
        if let Page::DictionaryPage { buf, .. } = page {
            if n_values > most_values(self.physical, buf.len() as u64) {
                return Err("a dictionary is shorter than it says");
            }
            self.has_dictionary = true;
            return self.dictionary.take(buf.len() as u64 + n_values * decoded_size(self.physical));
        }
        let from_dictionary =
            matches!(page.encoding(), Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
        if from_dictionary && !self.has_dictionary {
            return Err("a page refers to a dictionary that is not there");
        }
        let left = self.n_left.checked_sub(n_values);
        self.n_left = left.ok_or("a column has more values than the file has rows")?;
        let values = self.values(page).ok_or("a page is shorter than its levels")?;
        let n_bytes = delta::n_bytes(values, page.encoding(), n_values, self.page.left());
        self.page.take(n_bytes.ok_or("a page has more lengths than values")?)
    }

    /// The bytes of a page behind those that say which values are null.
    fn values<'a>(&self, page: &'a Page) -> Option<&'a [u8]> {
        match page {
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let n_levels = u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len);
                buf.get(usize::try_from(n_levels).ok()?..)
            }
            Page::DataPage { buf, def_level_encoding: Encoding::RLE, .. } if self.is_optional => {
                let (length, rest) = buf.split_first_chunk::<4>()?;
                rest.get(usize::try_from(u32::from_le_bytes(*length)).ok()?..)
            }
            // The only other encoding of levels has a bit for each value.
            Page::DataPage { buf, num_values, .. } if self.is_optional => {
                buf.get(num_values.div_ceil(8) as usize..)
            }
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => Some(buf),
        }
    }
}

/// How many bytes a decoded value takes at most, besides those of the page that it refers to.
fn decoded_size(physical: Physical) -> u64 {
    match physical {
        Physical::BYTE_ARRAY => size_of::<ByteArray>() as u64,
        Physical::FIXED_LEN_BYTE_ARRAY => size_of::<FixedLenByteArray>() as u64,
        _ => size_of::<Int96>() as u64,
    }
}

/// How many plain values fit into a dictionary of `n_bytes` at most.
fn most_values(physical: Physical, n_bytes: u64) -> u64 {
    match physical {
        Physical::BOOLEAN => n_bytes * 8,
        Physical::INT32 | Physical::FLOAT | Physical::BYTE_ARRAY => n_bytes / 4,
        Physical::INT64 | Physical::DOUBLE => n_bytes / 8,
        Physical::INT96 => n_bytes / 12,
        Physical::FIXED_LEN_BYTE_ARRAY => n_bytes,
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.page.give_back();
        let Some(n_bytes) = self.headers.next(self.page.left())? else { return Ok(None) };
        let error = |what: &str| ParquetError::General(what.to_owned());
        self.page.take(n_bytes).map_err(error)?;
        let page = self.inner.get_next_page()?;
        page.as_ref().map_or(Ok(()), |page| self.check(page)).map_err(error)?;
        Ok(page)
    }

    /// Not supported: headers are checked one by one, and no rows are skipped.
    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Err(ParquetError::NYI("pages are read in their order".to_owned()))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.peek_next_page().map(drop)
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
