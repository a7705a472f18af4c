//! Packs the nouns of WordNet into the file that the library embeds.
//!
//! `cargo xtask wordnet DIR` runs this. `DIR` has WordNet's own files, as installed by Debian's package
//! wordnet-base.

use std::path::Path;

use hedgerow::knowledge::Knowledge;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("name the directory of WordNet's files")?;
    let packed = Knowledge::of_directory(Path::new(&directory))?.pack()?;
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    std::fs::write(assets.join("wordnet-3.0-nouns.bin"), packed)?;
    Ok(())
}
