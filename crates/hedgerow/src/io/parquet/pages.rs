//! The pages of a column, checked before the `parquet` crate decodes them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::SerializedPageReader;

use super::super::Size;
use super::delta::{self, BATCH_ROWS, NO_ROOM};
use super::headers::{Headers, bad};
use super::whole::Whole;

/// Number of bytes that pages can always use.
const ROOM: u64 = 1 << 28;
/// Multiple of the maximum record length that pages can use, if that is more.
const RECORDS: u64 = 4;
/// Multiple of the file size that pages can use, if that is more.
const RATIO: u64 = 16;

/// A share of the memory for pages, which several columns draw from.
pub(super) struct Room {
    left: Arc<AtomicU64>,
    taken: u64,
}

impl Room {
    /// Creates the memory for all pages that are held at a time, for a file of `n_bytes`.
    pub(super) fn new(max_record: Option<Size>, n_bytes: u64) -> Self {
        // Without a limit on records there is none on pages.
        let records = max_record.map_or(u64::MAX, |most| most.bytes().saturating_mul(RECORDS));
        let n_bytes = ROOM.max(records).max(n_bytes.saturating_mul(RATIO));
        Self { left: Arc::new(AtomicU64::new(n_bytes)), taken: 0 }
    }

    /// Creates another share of the same memory, which uses nothing yet.
    fn share(&self) -> Self {
        Self { left: Arc::clone(&self.left), taken: 0 }
    }

    pub(super) fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Reserves memory until this share is dropped.
    fn take(&mut self, n_bytes: u64) -> Result<(), &'static str> {
        let less = |left: u64| left.checked_sub(n_bytes);
        // Relaxed is enough: the counter guards no other memory.
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.map_err(|_| NO_ROOM)?;
        self.taken += n_bytes;
        Ok(())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.left.fetch_add(self.taken, Ordering::Relaxed);
    }
}

/// Reads pages whose sizes and counts are possible for their column chunk, so that no page makes
/// the decoder reserve memory for values that do not exist.
///
/// After each page with values there is a pause: the next call returns no page, as at the end of
/// the column, and the call after it returns the next page. So no batch has values of two pages.
/// The caller must drop all values before it requests the next page, because the memory of their
/// page is then reused for other pages.
pub(super) struct CheckedPages {
    inner: SerializedPageReader<Whole>,
    headers: Headers,
    physical: Physical,
    /// Number of bytes of a value, if all values have the same length.
    width: u64,
    is_optional: bool,
    /// Number of values that the remaining pages can have.
    n_left: u64,
    /// Whether the last page that was returned has values.
    is_paused: bool,
    room: Room,
    dictionary: Option<Room>,
    /// The memory of the last page of each encoding. The crate has one decoder per encoding, which
    /// keeps its page until the next.
    pages: Vec<(Encoding, Room)>,
}

impl CheckedPages {
    /// Opens the pages of a flat column.
    pub(super) fn new(file: &Whole, chunk: &ColumnChunkMetaData, room: &Room) -> Result<Self> {
        let n_left = chunk.num_values() as u64;
        let inner =
            SerializedPageReader::new(Arc::new(file.clone()), chunk, n_left as usize, None)?;
        Ok(Self {
            inner,
            headers: Headers::new(file.clone(), chunk),
            physical: chunk.column_type(),
            width: u64::try_from(chunk.column_descr().type_length()).unwrap_or(0),
            is_optional: chunk.column_descr().max_def_level() > 0,
            n_left,
            is_paused: false,
            room: room.share(),
            dictionary: None,
            pages: Vec::new(),
        })
    }

    /// Checks a page and reserves the memory that its decoder needs in addition to the page.
    fn check(&mut self, page: &Page, mut room: Room) -> Result<(), &'static str> {
        let n_values = u64::from(page.num_values());
        if let Page::DictionaryPage { buf, .. } = page {
            // The crate reserves memory for the count in the header before it reads values.
            if n_values > most_values(self.physical, buf.len() as u64) {
                return Err("a dictionary is shorter than it says");
            }
            room.take(n_values * decoded_size(self.physical))?;
            room.take(self.n_copied(Encoding::PLAIN, buf.len() as u64, n_values))?;
            self.dictionary = Some(room);
            return Ok(());
        }
        let encoding = page.encoding();
        let from_dictionary =
            matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
        if from_dictionary && self.dictionary.is_none() {
            return Err("a page refers to a dictionary that is not there");
        }
        let left = self.n_left.checked_sub(n_values);
        self.n_left = left.ok_or("a column has more values than the file has rows")?;
        let values = self.values(page).ok_or("a page is shorter than its levels")?;
        room.take(delta::n_bytes(values, encoding, n_values, room.left())?)?;
        room.take(self.n_copied(encoding, values.len() as u64, n_values))?;
        // A page without values does not reach the decoder, which keeps the previous one.
        if n_values > 0 {
            // The decoder of this encoding now drops its previous page, whose memory is free again.
            self.pages.retain(|(held, _)| *held != encoding);
            self.pages.push((encoding, room));
        }
        Ok(())
    }

    /// Returns an upper bound on the number of bytes that the decoder or a batch copies from a page
    /// of `n_bytes`.
    fn n_copied(&self, encoding: Encoding, n_bytes: u64, n_values: u64) -> u64 {
        match (encoding, self.physical) {
            (Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY, _) => 0,
            // Memory is reserved for all values of a batch, whether they exist or not.
            (Encoding::BYTE_STREAM_SPLIT, Physical::FIXED_LEN_BYTE_ARRAY) => {
                n_values.min(BATCH_ROWS as u64).saturating_mul(self.width)
            }
            (Encoding::DELTA_BYTE_ARRAY, _) | (_, Physical::FIXED_LEN_BYTE_ARRAY) => n_bytes,
            _ => 0,
        }
    }

    /// Returns the bytes of a page after its levels, which encode the nulls.
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
            // The only other encoding of levels has one bit per value.
            Page::DataPage { buf, num_values, .. } if self.is_optional => {
                buf.get(num_values.div_ceil(8) as usize..)
            }
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => Some(buf),
        }
    }
}

/// Maximum number of bytes of a decoded value, in addition to the page to which it refers.
fn decoded_size(physical: Physical) -> u64 {
    match physical {
        Physical::BYTE_ARRAY => size_of::<ByteArray>() as u64,
        Physical::FIXED_LEN_BYTE_ARRAY => size_of::<FixedLenByteArray>() as u64,
        _ => size_of::<Int96>() as u64,
    }
}

/// Maximum number of plain values in a dictionary of `n_bytes`.
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
        if std::mem::take(&mut self.is_paused) {
            return Ok(None);
        }
        while let Some(n_bytes) = self.headers.next(self.room.left())? {
            // Memory is reserved before the page is decompressed, and returned if it is refused.
            let mut room = self.room.share();
            room.take(n_bytes).map_err(bad)?;
            let Some(page) = self.inner.get_next_page()? else { break };
            self.check(&page, room).map_err(bad)?;
            let is_dictionary = matches!(page, Page::DictionaryPage { .. });
            // The crate would take a page without values for the end of the column.
            if is_dictionary || page.num_values() > 0 {
                self.is_paused = !is_dictionary;
                return Ok(Some(page));
            }
        }
        Ok(None)
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
