//! Tests with small files whose pages claim or decompress to far more than they contain, and with
//! valid large pages.

use std::io::Write;

use flate2::write::GzEncoder;
use lz4_flex::frame::FrameEncoder;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::data_type::{ByteArrayType, Int64Type};
use parquet::file::metadata::{FileMetaData, ParquetMetaDataWriter};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::SchemaDescriptor;

use super::*;

const N_ROWS: usize = 100;
const TWO_GB: usize = i32::MAX as usize;
/// Encodings, as numbered by the format.
const PLAIN: u8 = 0;
const DELTA_LENGTH_BYTE_ARRAY: u8 = 6;
const BYTE_STREAM_SPLIT: u8 = 9;
const NUMBERS: &str = "message t { REQUIRED INT32 v; }";
const TEXTS: &str = "message t { REQUIRED BYTE_ARRAY v (UTF8); }";

#[test]
fn pages_that_claim_more_than_fits_into_them_are_refused() {
    let claims = "a page claims more bytes than can be packed into it";
    for codec in codecs() {
        let chunk = page(TWO_GB, &[0; 1000]);
        assert_refused(&file(NUMBERS, codec, &chunk), claims);
    }
}

#[test]
fn pages_that_take_too_much_memory_are_refused() {
    let chunk = page(TWO_GB, &zstd_zeros(TWO_GB));
    assert_refused(&file(NUMBERS, zstd(), &chunk), "its pages take more than 256 MB");
}

#[test]
fn pages_that_take_too_much_memory_together_are_refused() {
    let body = zstd_zeros(200 << 20);
    let large = page_of(N_ROWS / 2, PLAIN, 200 << 20, &body);
    let adjacent = large.repeat(2);
    assert_refused(&file(TEXTS, zstd(), &adjacent), "its pages take more than 256 MB");
    let separated = [&large[..], &page_of(0, PLAIN, 0, &zstd_zeros(0)), &large].concat();
    assert_refused(&file(TEXTS, zstd(), &separated), "its pages take more than 256 MB");
}

#[test]
fn pages_of_different_encodings_take_memory_together() {
    let plain = page_of(N_ROWS / 2, PLAIN, 150 << 20, &zstd_zeros(150 << 20));
    let delta = page_of(N_ROWS / 2, DELTA_LENGTH_BYTE_ARRAY, 150 << 20, &zstd_zeros(150 << 20));
    let chunk = [plain, delta].concat();
    assert_refused(&file(TEXTS, zstd(), &chunk), "its pages take more than 256 MB");
}

#[test]
fn a_batch_has_values_of_one_page_and_is_dropped_before_the_next() {
    let empty = page_of(0, PLAIN, 0, &[]);
    let texts = page_of(N_ROWS / 4, PLAIN, N_ROWS, &[0; N_ROWS]);
    let chunk = [&texts[..], &empty, &empty, &texts, &texts, &texts].concat();
    let (_folder, source) = source(&file(TEXTS, Compression::UNCOMPRESSED, &chunk));
    let mut blocks =
        ParquetBlocks::open(&source, &Wanted { places: &[0], na: None, loose: &[] }).unwrap();
    let most = blocks.room.left();
    for n_pages in 1..=4 {
        assert!(blocks.decode().unwrap());
        assert_eq!(blocks.columns[0].values.len(), N_ROWS / 4);
        assert_eq!(most - blocks.room.left(), N_ROWS as u64);
        blocks.n_read = n_pages * N_ROWS as u64 / 4;
    }
    assert!(!blocks.decode().unwrap());
    blocks.columns[0].close();
    assert!(blocks.columns[0].values.is_empty());
    assert_eq!(blocks.room.left(), most);
}

#[test]
fn values_that_are_longer_than_their_page_are_refused() {
    let schema = "message t { REQUIRED FIXED_LEN_BYTE_ARRAY (200000000) v (DECIMAL(9, 2)); }";
    let chunk = page_of(N_ROWS, BYTE_STREAM_SPLIT, 0, &[]);
    let bytes = file(schema, Compression::UNCOMPRESSED, &chunk);
    assert_refused(&bytes, "its pages take more than 256 MB");
}

#[test]
fn dictionaries_that_take_too_much_memory_are_refused() {
    let n_texts = 8_000_000;
    let body = zstd_zeros(4 * n_texts);
    let dictionary =
        [&[0x15, 4], &sizes(4 * n_texts, body.len())[..], &[0x4c], &counts(n_texts, 2)];
    let chunk = [&dictionary.concat()[..], &[0], &body].concat();
    assert_refused(&file(TEXTS, zstd(), &chunk), "its pages take more than 256 MB");
}

#[test]
fn pages_that_unpack_to_more_than_they_claim_are_refused() {
    let (zeros, more) = (vec![0; 1 << 22], "a page unpacks to more bytes than it claims");
    let mut gzipped = GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzipped.write_all(&zeros).unwrap();
    let of_gzip = page(4 * N_ROWS, &gzipped.finish().unwrap());
    assert_refused(&file(NUMBERS, gzip(), &of_gzip), more);
    let mut frame = FrameEncoder::new(Vec::new());
    frame.write_all(&zeros).unwrap();
    let of_lz4 = page(4 * N_ROWS, &frame.finish().unwrap());
    assert_refused(&file(NUMBERS, Compression::LZ4, &of_lz4), more);
    let of_zstd = page(4 * N_ROWS, &zstd_zeros(1 << 22));
    assert_refused(&file(NUMBERS, zstd(), &of_zstd), "Destination buffer is too small");
}

#[test]
fn pages_outside_of_their_column_are_refused() {
    let mut chunk = page(4 * N_ROWS, &[0; 4 * N_ROWS]);
    chunk.pop();
    let uncompressed = Compression::UNCOMPRESSED;
    assert_refused(&file(NUMBERS, uncompressed, &chunk), "a page is longer than its column");
    assert_refused(&file(NUMBERS, uncompressed, &chunk[..5]), "a page header cannot be read");
}

#[test]
fn files_with_an_encrypted_footer_are_said_to_have_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let said = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Source::open(&path, None).map(drop).unwrap_err().to_string()
    };
    let encrypted = said(b"PARE\xff\xff\xff\xff\x04\0\0\0PARE");
    assert!(encrypted.contains("encrypted footer"), "{encrypted}");
    let damaged = said(b"PAR1\xff\xff\xff\xff\x04\0\0\0PAR1");
    assert!(damaged.contains("its footer does not describe a table"), "{damaged}");
}

#[test]
fn csv_files_may_begin_like_an_encrypted_file() {
    let (_folder, source) = source(b"PARENT,age\n1,2\n");
    assert_eq!(source.header(), ["PARENT", "age"]);
}

#[test]
fn pages_are_read_if_their_headers_are_true() {
    let numbers = vec![0; 4 * N_ROWS];
    let plain = page(numbers.len(), &numbers);
    assert_eq!(n_rows_of(&file(NUMBERS, Compression::UNCOMPRESSED, &plain)), Ok(N_ROWS));
    let mut frame = FrameEncoder::new(Vec::new());
    frame.write_all(&numbers).unwrap();
    let of_lz4 = page(numbers.len(), &frame.finish().unwrap());
    assert_eq!(n_rows_of(&file(NUMBERS, Compression::LZ4, &of_lz4)), Ok(N_ROWS));
    let of_zstd = page(numbers.len(), &zstd_zeros(numbers.len()));
    assert_eq!(n_rows_of(&file(NUMBERS, zstd(), &of_zstd)), Ok(N_ROWS));
}

#[test]
fn a_constant_column_is_read_however_well_it_is_packed() {
    for codec in codecs() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let n_rows = 200_000;
            let bytes = constant(n_rows, codec, version);
            assert_eq!(n_rows_of(&bytes), Ok(n_rows), "{codec}");
        }
    }
}

#[test]
fn a_long_prefix_among_short_ones_is_read() {
    let long = "x".repeat(300_000);
    let text = |row: usize| match row {
        700 | 701 => format!("{long}{row}"),
        _ => row.to_string(),
    };
    let texts: Vec<ByteArray> = (0..1502).map(|row| text(row).as_str().into()).collect();
    let properties = WriterProperties::builder()
        .set_compression(zstd())
        .set_dictionary_enabled(false)
        .set_column_encoding("v".into(), parquet::basic::Encoding::DELTA_BYTE_ARRAY);
    let bytes = written::<ByteArrayType>(TEXTS, properties.build(), &texts);
    assert_eq!(n_rows_of(&bytes), Ok(1502));
}

fn codecs() -> [Compression; 5] {
    [Compression::SNAPPY, gzip(), Compression::LZ4, Compression::LZ4_RAW, zstd()]
}

fn gzip() -> Compression {
    Compression::GZIP(GzipLevel::default())
}

fn zstd() -> Compression {
    Compression::ZSTD(ZstdLevel::default())
}

/// A data page of `N_ROWS` plain values that claims to decompress to `unpacked` bytes.
fn page(unpacked: usize, body: &[u8]) -> Vec<u8> {
    page_of(N_ROWS, PLAIN, unpacked, body)
}

fn page_of(n_values: usize, encoding: u8, unpacked: usize, body: &[u8]) -> Vec<u8> {
    let (kind, mut counts) = ([0x15, 0], counts(n_values, 4));
    let place = counts.len() - 6;
    counts[place] = 2 * encoding;
    [&kind, &sizes(unpacked, body.len())[..], &[0x2c], &counts, &[0], body].concat()
}

/// The fields of a page header for the size in memory and in the file.
fn sizes(unpacked: usize, packed: usize) -> Vec<u8> {
    [&[0x15], &number(unpacked)[..], &[0x15], &number(packed)].concat()
}

/// The number of values of a page, followed by `n_fields - 1` encodings.
fn counts(n_values: usize, n_fields: usize) -> Vec<u8> {
    let encodings = [0x15, 0, 0x15, 6, 0x15, 6];
    [&[0x15], &number(n_values)[..], &encodings[..2 * n_fields - 2], &[0]].concat()
}

/// Encodes a number that is not negative in Thrift's compact protocol.
fn number(number: usize) -> Vec<u8> {
    let (mut rest, mut bytes) = (2 * number, Vec::new());
    while rest > 0x7f {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

/// A zstd frame of zeros, in blocks of 128 KB that take four bytes each.
fn zstd_zeros(n_bytes: usize) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x38];
    for start in (0..n_bytes).step_by(1 << 17) {
        let size = (n_bytes - start).min(1 << 17);
        let is_last = start + size == n_bytes;
        let head = (size as u32) << 3 | 1 << 1 | u32::from(is_last);
        frame.extend(head.to_le_bytes()); // the fourth byte is the repeated one: 0
    }
    frame
}

/// A file with one column, whose chunk has these bytes.
fn file(schema: &str, codec: Compression, chunk: &[u8]) -> Vec<u8> {
    let schema = SchemaDescriptor::new(Arc::new(parse_message_type(schema).unwrap()));
    let (schema, n_rows) = (Arc::new(schema), N_ROWS as i64);
    let column = ColumnChunkMetaData::builder(schema.column(0))
        .set_compression(codec)
        .set_num_values(n_rows)
        .set_data_page_offset(4)
        .set_total_compressed_size(chunk.len() as i64);
    let group = RowGroupMetaData::builder(Arc::clone(&schema))
        .set_num_rows(n_rows)
        .set_column_metadata(vec![column.build().unwrap()]);
    let file = FileMetaData::new(1, n_rows, None, None, schema, None);
    let metadata = ParquetMetaData::new(file, vec![group.build().unwrap()]);
    let mut footer = Vec::new();
    ParquetMetaDataWriter::new(&mut footer, &metadata).finish().unwrap();
    [b"PAR1", chunk, &footer].concat()
}

/// A file with one column of zeros, in one page without a dictionary.
fn constant(n_rows: usize, codec: Compression, version: WriterVersion) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_compression(codec)
        .set_writer_version(version)
        .set_dictionary_enabled(false)
        .set_column_encoding("v".into(), parquet::basic::Encoding::PLAIN)
        .set_data_page_size_limit(1 << 30)
        .set_data_page_row_count_limit(n_rows);
    let schema = "message t { REQUIRED INT64 v; }";
    written::<Int64Type>(schema, properties.build(), &vec![0; n_rows])
}

/// A file with one column, as the crate writes it.
fn written<T: DataType>(schema: &str, properties: WriterProperties, values: &[T::T]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.into_inner().unwrap()
}

#[track_caller]
fn assert_refused(bytes: &[u8], why: &str) {
    let said = n_rows_of(bytes).unwrap_err();
    assert!(said.contains(why), "{said}");
    assert!(said.contains("this Parquet file is damaged"), "{said}");
}

/// Returns the number of rows of a file, or the reason why they cannot be read.
fn n_rows_of(bytes: &[u8]) -> Result<usize, String> {
    let (_folder, source) = source(bytes);
    let mut blocks = source.blocks(&Wanted { places: &[0], na: None, loose: &[] }).unwrap();
    let mut n_rows = 0;
    while let Some(mut block) = blocks.next_block().map_err(|error| error.to_string())? {
        let mut count = |_: Fields<'_>| {
            n_rows += 1;
            Ok(())
        };
        block.for_each(&mut count).unwrap();
    }
    Ok(n_rows)
}

fn source(bytes: &[u8]) -> (tempfile::TempDir, Source) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    std::fs::write(&path, bytes).unwrap();
    let source = Source::open(&path, None).unwrap();
    (folder, source)
}
