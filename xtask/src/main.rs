//! Maintenance tasks of the project.
//!
//! `cargo xtask wordnet DIR` packs the nouns of WordNet into the file that the library embeds.
//! `DIR` has WordNet's own files, as installed by Debian's package wordnet-base.
//! `cargo xtask test [rust] [python] [spark] [browser] [wheel] [--strict]` runs the tests of these
//! parts; without names, of all but the wheel, which is another build of the library.

mod test;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["wordnet", directory] => wordnet(directory),
        ["test", rest @ ..] => test::run(rest),
        _ => bail!(
            "usage: cargo xtask wordnet DIR, or cargo xtask test [rust|python|spark|browser|wheel] [--strict]"
        ),
    }
}

fn wordnet(directory: &str) -> Result<()> {
    // In a program of its own, so that this one does not need the library and is built in seconds.
    let example = ["run", "--package", "hedgerow", "--example", "pack_wordnet", "--", directory];
    test::call(test::cargo().args(example))
}
