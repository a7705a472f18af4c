//! Page headers, checked before the `parquet` crate reserves memory for them.

use std::io::{Read, copy, sink};

use flate2::read::MultiGzDecoder;
use lz4_flex::frame::FrameDecoder;
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;

use super::delta::NO_ROOM;
use super::thrift::Shape::{self, Flag, Number, Struct};
use super::thrift::{Kind, Thrift};
use super::whole::Whole;

/// Type of pages that contain no values.
const INDEX_PAGE: u64 = 1;

/// Type, sizes and checksum of a page, and a struct specific to its type.
const HEADER: Shape =
    Struct(&[Number, Number, Number, Number, DATA_PAGE, Struct(&[]), DICTIONARY, DATA_PAGE_V2]);
/// Counts and encodings.
const DATA_PAGE: Shape = Struct(&[Number, Number, Number, Number]);
const DICTIONARY: Shape = Struct(&[Number, Number]);
/// Counts, the encoding, the lengths of the levels, and whether the page is compressed.
const DATA_PAGE_V2: Shape = Struct(&[Number, Number, Number, Number, Number, Number, Flag]);

/// The headers of the pages of a column chunk.
pub(super) struct Headers {
    file: Whole,
    codec: Compression,
    next: u64,
    end: u64,
}

impl Headers {
    pub(super) fn new(file: Whole, chunk: &ColumnChunkMetaData) -> Self {
        let (next, length) = chunk.byte_range();
        Self { file, codec: chunk.compression(), next, end: next + length }
    }

    /// Returns the number of bytes that the next page with values takes in memory, or `None` after
    /// the last page.
    ///
    /// It is an error if this number exceeds `most`, is more than the codec can produce from the
    /// bytes in the file, or is less than it does produce, and if the page is not within its chunk.
    pub(super) fn next(&mut self, most: u64) -> Result<Option<u64>> {
        while self.next < self.end {
            // The header cannot be longer than what is left of its chunk.
            let bytes = self.file.get_read(self.next)?.take(self.end - self.next);
            let mut thrift = Thrift::new(bytes);
            let header =
                Header::read(&mut thrift).ok_or_else(|| bad("a page header cannot be read"))?;
            let start = self.next + thrift.n_read();
            if header.packed > self.end - start {
                return Err(bad("a page is longer than its column"));
            }
            self.next = start + header.packed;
            if header.kind != INDEX_PAGE {
                let n_bytes = header.n_bytes(self.codec, most)?;
                header.check_body(self.codec, thrift.into_rest())?;
                return Ok(Some(n_bytes));
            }
        }
        Ok(None)
    }
}

/// The relevant fields of a page header.
#[derive(Debug, Default, PartialEq, Eq)]
struct Header {
    kind: u64,
    /// Number of bytes in the file.
    packed: u64,
    /// Number of bytes in memory.
    unpacked: u64,
    /// Number of bytes at the start that are never compressed.
    levels: u64,
    /// Whether the page is not compressed, whatever the codec.
    is_plain: bool,
}

impl Header {
    fn read(thrift: &mut Thrift<impl Read>) -> Option<Self> {
        let (mut header, mut sizes) = (Self::default(), [None; 3]);
        thrift.fields(|thrift, id, kind| match (id, kind) {
            // Fields 1 to 3 are the type and the sizes in memory and in the file.
            (1..=3, Kind::I32) => thrift.size().map(|size| sizes[id as usize - 1] = Some(size)),
            (8, Kind::STRUCT) => header.read_v2(thrift),
            _ => thrift.pass(kind, HEADER.field(id)),
        })?;
        let [Some(kind), Some(unpacked), Some(packed)] = sizes else { return None };
        Some(Self { kind, packed, unpacked, ..header })
    }

    /// Parses the fields specific to data pages of version 2.
    fn read_v2(&mut self, thrift: &mut Thrift<impl Read>) -> Option<()> {
        thrift.fields(|thrift, id, kind| match (id, kind) {
            (5 | 6, Kind::I32) => thrift.size().map(|size| self.levels += size),
            (5 | 6, _) => None,
            (7, Kind::FALSE) => {
                self.is_plain = true;
                Some(())
            }
            _ => thrift.pass(kind, DATA_PAGE_V2.field(id)),
        })
    }

    fn n_bytes(&self, codec: Compression, most: u64) -> Result<u64> {
        if self.levels > self.packed.min(self.unpacked) {
            return Err(bad("a page is shorter than its levels"));
        }
        let is_packed = !self.is_plain && codec != Compression::UNCOMPRESSED;
        // A page that is not compressed takes the bytes that it has in the file, whatever it
        // claims.
        let n_bytes = if is_packed { self.unpacked } else { self.packed };
        if is_packed && n_bytes > self.packed.saturating_mul(most_ratio(codec)) {
            return Err(bad("a page claims more bytes than can be packed into it"));
        }
        if n_bytes > most {
            return Err(bad(NO_ROOM));
        }
        Ok(n_bytes)
    }

    /// Decompresses a page without keeping it, if the crate would decompress it without a limit.
    /// Decompression errors are left to the crate.
    fn check_body(&self, codec: Compression, mut body: impl Read) -> Result<()> {
        // `n_bytes` has checked that the levels fit into both sizes.
        let n_bytes = self.unpacked - self.levels;
        if self.is_plain || n_bytes == 0 {
            return Ok(());
        }
        copy(&mut body.by_ref().take(self.levels), &mut sink())?;
        let body = body.take(self.packed - self.levels);
        let is_longer = match codec {
            Compression::GZIP(_) => is_longer(MultiGzDecoder::new(body), n_bytes),
            Compression::LZ4 => is_longer(FrameDecoder::new(body), n_bytes),
            _ => false,
        };
        if is_longer { Err(bad("a page unpacks to more bytes than it claims")) } else { Ok(()) }
    }
}

/// Upper bound on the number of bytes that a codec can produce from one byte.
fn most_ratio(codec: Compression) -> u64 {
    match codec {
        Compression::SNAPPY => 32, // copies of 64 bytes take 3
        Compression::LZ4 | Compression::LZ4_RAW => 256, // a byte lengthens a copy by 255
        Compression::GZIP(_) => 1032, // copies of 258 bytes take 2 bits
        _ => 1 << 15,              // blocks of zstd take 4 bytes and hold 128 KB at most
    }
}

fn is_longer(unpacked: impl Read, n_bytes: u64) -> bool {
    // One byte more than claimed is enough to know.
    let mut rest = unpacked.take(n_bytes + 1);
    let _ = copy(&mut rest, &mut sink());
    rest.limit() == 0
}

/// The error for an invalid file.
pub(super) fn bad(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}
