//! Files of concepts: SKOS, OBO and tables of codes.

#![no_main]

use hedgerow::builder::knowledge;
use hedgerow_fuzz::file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let name = ["k.ttl", "k.obo", "k.csv"][usize::from(choice % 3)];
    let Ok(known) = knowledge(&file(name, rest)) else { return };
    for concept in known.roots() {
        let name = known.name(concept);
        assert_eq!(known.concept(&name).ok(), known.find(&name));
        known.children(concept).iter().for_each(|&child| drop(known.label(child)));
    }
});
