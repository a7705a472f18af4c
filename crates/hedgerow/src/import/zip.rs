//! The part of ZIP that project files need: the list of entries, and the contents of single
//! entries.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::Crc;
use flate2::read::DeflateDecoder;

use crate::{Error, Result};

/// Maximum total size of all decompressed entries. Hierarchies are far smaller.
const MOST_BYTES: u64 = 256 << 20;
/// Size of the record at the end of a file.
const END_SIZE: u64 = 22;
/// Maximum length of the comment after that record.
const LONGEST_COMMENT: u64 = 0xffff;

/// An archive with its list of entries.
pub(super) struct Archive<R> {
    path: PathBuf,
    source: R,
    entries: Vec<Entry>,
    /// Number of bytes that can still be decompressed.
    left: u64,
}

struct Entry {
    name: String,
    is_encrypted: bool,
    method: u16,
    crc: u32,
    packed: u64,
    size: u64,
    offset: u64,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the list of entries at the end of the file; `path` is its name in messages.
    pub(super) fn open(mut source: R, path: &Path) -> Result<Self> {
        let fault = |problem: &str| Error::file(path, problem);
        let length = source.seek(SeekFrom::End(0)).map_err(Error::io("read", path))?;
        // The end record is followed by a comment of unknown length, so it is searched from the
        // end.
        let tail_start = length.saturating_sub(END_SIZE + LONGEST_COMMENT);
        let tail = read_at(&mut source, path, tail_start, length - tail_start)?;
        let is_end = |window: &[u8]| window == b"PK\x05\x06";
        let end = tail
            .windows(4)
            .rposition(is_end)
            .filter(|end| tail.len() - end >= END_SIZE as usize)
            .ok_or_else(|| fault("this is not a ZIP archive, or it is truncated"))?;
        let (n_entries, size, start) =
            (short(&tail, end + 10), long(&tail, end + 12), long(&tail, end + 16));
        // Greatest values mean that the real ones are in a ZIP64 record.
        if n_entries == 0xffff || start == 0xffff_ffff {
            return Err(fault("the archive is in the ZIP64 format, which is not supported"));
        }
        if u64::from(start) + u64::from(size) > length {
            return Err(fault("the list of entries lies outside the file; is it truncated?"));
        }
        let list = read_at(&mut source, path, u64::from(start), u64::from(size))?;
        let mut entries = Vec::new();
        let mut at = 0;
        for _ in 0..n_entries {
            let entry = Entry::of(&list, &mut at);
            entries.push(entry.ok_or_else(|| fault("the list of entries is damaged"))?);
        }
        Ok(Self { path: path.to_owned(), source, entries, left: MOST_BYTES })
    }

    /// Path of the archive.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Decompresses an entry, or returns `None` if there is none with this name.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(entry) = self.entries.iter().find(|entry| entry.name == name) else {
            return Ok(None);
        };
        let path = &self.path.join(name);
        let fault = |problem: &str| Error::file(path, problem);
        if entry.is_encrypted {
            return Err(fault("the entry is encrypted"));
        }
        // A small archive can unpack to any size, so the total is bounded before anything is
        // unpacked.
        let Some(left) = self.left.checked_sub(entry.size) else {
            let size = entry.size;
            return Err(fault(&format!(
                "the entry unpacks to {size} bytes, which is too much with what was read before"
            )));
        };
        self.left = left;
        let head = read_at(&mut self.source, &self.path, entry.offset, 30)?;
        if !head.starts_with(b"PK\x03\x04") {
            return Err(fault("the entry is not where the list of entries says"));
        }
        // The local header repeats the name and has extra fields of its own length.
        let skip = 30 + u64::from(short(&head, 26)) + u64::from(short(&head, 28));
        self.source
            .seek(SeekFrom::Start(entry.offset + skip))
            .map_err(Error::io("read", &self.path))?;
        let packed = (&mut self.source).take(entry.packed);
        // Reading one byte more than the stated size detects longer contents.
        let mut bytes = Vec::new();
        let done = match entry.method {
            0 => packed.take(entry.size + 1).read_to_end(&mut bytes),
            8 => DeflateDecoder::new(packed).take(entry.size + 1).read_to_end(&mut bytes),
            other => {
                return Err(fault(&format!("the compression method {other} is not supported")));
            }
        };
        done.map_err(Error::io("unpack", path))?;
        let mut crc = Crc::new();
        crc.update(&bytes);
        if bytes.len() as u64 != entry.size || crc.sum() != entry.crc {
            return Err(fault("the entry is damaged: its size or checksum is wrong"));
        }
        Ok(Some(bytes))
    }
}

impl Entry {
    fn of(list: &[u8], at: &mut usize) -> Option<Self> {
        let head = list.get(*at..*at + 46).filter(|head| head.starts_with(b"PK\x01\x02"))?;
        let name_end = *at + 46 + usize::from(short(head, 28));
        let name = list.get(*at + 46..name_end)?;
        // The next entry begins after the name, the extra fields and the comment.
        *at = name_end + usize::from(short(head, 30)) + usize::from(short(head, 32));
        Some(Self {
            name: String::from_utf8_lossy(name).into_owned(),
            is_encrypted: short(head, 8) & 1 == 1,
            method: short(head, 10),
            crc: long(head, 16),
            packed: long(head, 20).into(),
            size: long(head, 24).into(),
            offset: long(head, 42).into(),
        })
    }
}

fn read_at(source: &mut (impl Read + Seek), path: &Path, at: u64, length: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.seek(SeekFrom::Start(at)).map_err(Error::io("read", path))?;
    source.take(length).read_to_end(&mut bytes).map_err(Error::io("read", path))?;
    if bytes.len() as u64 == length {
        Ok(bytes)
    } else {
        Err(Error::file(path, "the file is truncated"))
    }
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn long(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
