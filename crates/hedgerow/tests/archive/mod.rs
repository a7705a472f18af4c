//! ZIP archives, the file format of ARX projects.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// An entry of an archive: its content, and the size that the directory of the archive states.
pub(crate) struct Entry<'a> {
    pub(crate) name: &'a str,
    pub(crate) bytes: &'a [u8],
    pub(crate) stated_size: Option<u32>,
}

/// Returns a ZIP archive as Java writes it.
pub(crate) fn archive(entries: &[Entry<'_>]) -> Vec<u8> {
    let (mut file, mut list) = (Vec::new(), Vec::new());
    for entry in entries {
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
        packer.write_all(entry.bytes).unwrap();
        let packed = packer.finish().unwrap();
        let mut crc = Crc::new();
        crc.update(entry.bytes);
        let offset = file.len() as u32;
        let name_length = (entry.name.len() as u16).to_le_bytes();
        file.extend(b"PK\x03\x04\x14\0\x08\0\x08\0\0\0\0\0");
        file.extend([0; 12]); // sizes come after the data, as Java writes them
        file.extend([name_length, [0, 0]].concat());
        file.extend(entry.name.bytes());
        file.extend(&packed);
        list.extend(b"PK\x01\x02\x14\0\x14\0\x08\0\x08\0\0\0\0\0");
        list.extend(crc.sum().to_le_bytes());
        list.extend((packed.len() as u32).to_le_bytes());
        list.extend(entry.stated_size.unwrap_or(entry.bytes.len() as u32).to_le_bytes());
        list.extend(name_length);
        list.extend([0; 12]);
        list.extend(offset.to_le_bytes());
        list.extend(entry.name.bytes());
    }
    let (start, n_entries) = (file.len() as u32, (entries.len() as u16).to_le_bytes());
    file.extend(&list);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([n_entries, n_entries].concat());
    file.extend((list.len() as u32).to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0, 0]);
    file
}

/// Returns an entry with the given text.
pub(crate) fn entry<'a>(name: &'a str, text: &'a str) -> Entry<'a> {
    Entry { name, bytes: text.as_bytes(), stated_size: None }
}
