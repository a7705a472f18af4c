//! Maintenance tasks of the project.
//!
//! `cargo xtask wordnet DIR` packs the nouns of WordNet into the file that the library embeds.
//! `DIR` has WordNet's own files, as installed by Debian's package wordnet-base.
//! `cargo xtask test [rust] [python] [spark] [--strict]` runs the tests of these parts, or of all.

mod test;

use std::path::Path;

use anyhow::{Context, Result, bail};
use hedgerow::knowledge::Knowledge;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["wordnet", directory] => wordnet(Path::new(directory)),
        ["test", rest @ ..] => test::run(rest),
        _ => bail!(
            "usage: cargo xtask wordnet DIR, or cargo xtask test [rust|python|spark] [--strict]"
        ),
    }
}

fn wordnet(directory: &Path) -> Result<()> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/hedgerow/assets");
    let packed = Knowledge::of_directory(directory)?.pack()?;
    let path = assets.join("wordnet-3.0-nouns.bin");
    std::fs::write(&path, packed).with_context(|| format!("cannot write {}", path.display()))
}
