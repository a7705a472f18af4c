//! The pages of a column, checked before the `parquet` crate takes them apart.

use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;

use super::delta;

/// Pages whose counts are those of their column chunk, so that no count makes the decoder reserve
/// memory for values that are not there.
pub(super) struct CheckedPages {
    inner: Box<dyn PageReader>,
    physical: Physical,
    is_optional: bool,
    /// How many values the pages to come may still have.
    n_left: u64,
    has_dictionary: bool,
}

impl CheckedPages {
    /// The pages of a flat column, of which `inner` reads the chunk.
    pub(super) fn new(inner: Box<dyn PageReader>, chunk: &ColumnChunkMetaData) -> Self {
        let (physical, n_left) = (chunk.column_type(), chunk.num_values() as u64);
        let is_optional = chunk.column_descr().max_def_level() > 0;
        Self { inner, physical, is_optional, n_left, has_dictionary: false }
    }

    fn check(&mut self, page: &Page) -> Result<(), &'static str> {
        let n_values = u64::from(page.num_values());
        if let Page::DictionaryPage { buf, .. } = page {
            self.has_dictionary = true;
            let is_too_short = n_values > most_values(self.physical, buf.len() as u64);
            return if is_too_short { Err("a dictionary is shorter than it says") } else { Ok(()) };
        }
        let from_dictionary =
            matches!(page.encoding(), Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
        if from_dictionary && !self.has_dictionary {
            return Err("a page refers to a dictionary that is not there");
        }
        let values = self.values(page).ok_or("a page is shorter than its levels")?;
        if !delta::counts_are_sound(values, page.encoding(), n_values) {
            return Err("a page has more lengths than values");
        }
        let left = self.n_left.checked_sub(n_values);
        self.n_left = left.ok_or("a column has more values than the file has rows")?;
        Ok(())
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
        let page = self.inner.get_next_page()?;
        if let Some(page) = &page {
            self.check(page).map_err(|what| ParquetError::General(what.to_owned()))?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.inner.skip_next_page()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
