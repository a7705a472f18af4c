//! WordNet's own files, separated by zero bytes.

#![no_main]

use hedgerow::knowledge::Knowledge;
use hedgerow_fuzz::file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.split(|&byte| byte == 0);
    let mut paths = Vec::new();
    for name in ["data.noun", "index.noun", "noun.exc", "cntlist.rev"] {
        paths.push(file(name, parts.next().unwrap_or_default()));
    }
    let Some(directory) = paths[0].parent() else { return };
    let Ok(known) = Knowledge::of_directory(directory) else { return };
    for concept in known.roots() {
        let name = known.name(concept);
        assert_eq!(known.concept(&name).ok(), known.find(&name));
    }
    let _ = known.base_forms("geese");
    let _ = known.pack();
});
