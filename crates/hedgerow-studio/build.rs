//! Lists the files of the page, so that they are part of the binary.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=web");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("web");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for path in files {
        let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        // The same on every machine: `DefaultHasher::new` has fixed keys.
        let mut hasher = DefaultHasher::new();
        hasher.write(&fs::read(&path)?);
        let (tag, path) = (hasher.finish(), path.display());
        let _ = writeln!(
            table,
            "Asset {{ path: {name:?}, tag: \"\\\"{tag:016x}\\\"\", bytes: include_bytes!({:?}) }},",
            path.to_string()
        );
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("assets.rs");
    fs::write(out, table)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
