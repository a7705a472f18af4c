//! Which files are Parquet files, and what is known of their columns.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::Unusable;

/// What a Parquet file begins and ends with.
pub(super) const MAGIC: [u8; 4] = *b"PAR1";
/// The same if its footer is encrypted. Such files are not read.
const ENCRYPTED: [u8; 4] = *b"PARE";

/// A column's name, and why its values have no text if they have none.
pub(super) type Named = (String, Option<Unusable>);

/// Whether a file is a Parquet file, by the magic that it begins with. The header of a CSV file can
/// begin like an encrypted file, which therefore has to end with its magic too.
pub(super) fn is_parquet(file: &mut File, magic: [u8; 4]) -> io::Result<bool> {
    if magic != ENCRYPTED {
        return Ok(magic == MAGIC);
    }
    let mut tail = [0; 4];
    file.seek(SeekFrom::End(-4))?;
    file.read_exact(&mut tail)?;
    Ok(tail == ENCRYPTED)
}
