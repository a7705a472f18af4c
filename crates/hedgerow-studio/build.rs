//! Packs the files of the page, so that they are part of the binary.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=web");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("web");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut table = String::from("&[\n");
    for (number, path) in files.iter().enumerate() {
        let name = path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let content = fs::read(path)?;
        // The same on every machine: `DefaultHasher::new` has fixed keys.
        let mut hasher = DefaultHasher::new();
        hasher.write(&content);
        let tag = hasher.finish();
        let packed = out.join(format!("{number}.gz"));
        let mut encoder = GzEncoder::new(fs::File::create(&packed)?, Compression::best());
        encoder.write_all(&content)?;
        encoder.finish()?;
        let packed = packed.display().to_string();
        let _ = writeln!(
            table,
            "Asset {{ path: {name:?}, tag: \"\\\"{tag:016x}\\\"\", packed: include_bytes!({packed:?}) }},"
        );
    }
    table.push(']');
    fs::write(out.join("assets.rs"), table)
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
