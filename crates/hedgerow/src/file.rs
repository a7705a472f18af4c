//! Opens files for reading: regular files only, so that nothing waits for a pipe.

use std::borrow::Cow;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::charset;
use crate::error::Advice;
use crate::{Error, Result};

/// Opens a regular file.
///
/// Pipes and devices are rejected before they are opened, because opening a pipe waits for its
/// writer.
pub fn open(path: &Path) -> Result<File> {
    let kind = std::fs::metadata(path).map_err(Error::io("open", path))?.file_type();
    if kind.is_dir() {
        return Err(Error::file(path, "this is a directory").advise([Advice::words("name a file")]));
    }
    if !kind.is_file() {
        let advice = Advice::words("write its contents to a file first and name that file");
        return Err(Error::file(path, "this is a pipe or a device, which can be read only once")
            .advise([advice]));
    }
    File::open(path).map_err(Error::io("open", path))
}

/// Size and time of the last change of a file, by which a replaced file is noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    n_bytes: u64,
    /// `None` if the file system does not record it.
    changed: Option<SystemTime>,
    /// Number of the file in its file system; 0 where files have none.
    inode: u64,
}

impl Stamp {
    /// The stamp of a file as it is now.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        let file = std::fs::metadata(path).map_err(Error::io("open", path))?;
        Ok(Self { n_bytes: file.len(), changed: file.modified().ok(), inode: inode(&file) })
    }
}

#[cfg(unix)]
fn inode(file: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}

/// Reads the bytes of a regular file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(Error::io("read", path))?;
    Ok(bytes)
}

/// Returns the SHA-256 digest of a regular file in hexadecimal digits.
pub fn sha256(path: &Path) -> Result<String> {
    let mut file = open(path)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer).map_err(Error::io("read", path))? {
            0 => break,
            n_bytes => digest.update(&buffer[..n_bytes]),
        }
    }
    Ok(hex(&digest.finalize()))
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the text of a regular file: UTF-8, UTF-16 with a byte order mark, or Windows-1252.
pub fn read_to_string(path: &Path) -> Result<String> {
    let bytes = read(path)?;
    let text = charset::decode_any(&bytes).map(Cow::into_owned);
    text.ok_or_else(|| {
        Error::file(path, "this is neither UTF-8, UTF-16 nor Windows-1252")
            .advise([Advice::words("save it as UTF-8")])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digest of `abc` is an example of the standard, FIPS 180-4.
    #[test]
    fn digests_are_those_of_the_standard() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        let digest = sha256(&path).unwrap();
        assert_eq!(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
