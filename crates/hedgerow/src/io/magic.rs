//! Detection of Parquet files and workbooks, and the type of column names in Parquet.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::Unusable;

/// First and last bytes of a Parquet file.
pub(super) const MAGIC: [u8; 4] = *b"PAR1";
/// First and last bytes of a file with an encrypted footer. Such files cannot be read.
const ENCRYPTED: [u8; 4] = *b"PARE";

/// First bytes of workbooks: a ZIP archive, or the older format of Excel.
const WORKBOOKS: [[u8; 4]; 2] = [*b"PK\x03\x04", *b"\xd0\xcf\x11\xe0"];

/// Name of a column, and the reason if its values cannot be represented as text.
pub(super) type Named = (String, Option<Unusable>);

/// Whether a file can be a workbook of Excel or `OpenDocument`, given its first bytes.
pub(super) fn is_workbook(magic: [u8; 4]) -> bool {
    WORKBOOKS.contains(&magic)
}

/// Whether a file is a Parquet file, given its first bytes. The header of a CSV file can begin like
/// an encrypted file, so the last bytes of such a file are checked too.
pub(super) fn is_parquet(file: &mut File, magic: [u8; 4]) -> io::Result<bool> {
    if magic != ENCRYPTED {
        return Ok(magic == MAGIC);
    }
    let mut tail = [0; 4];
    file.seek(SeekFrom::End(-4))?;
    file.read_exact(&mut tail)?;
    Ok(tail == ENCRYPTED)
}
