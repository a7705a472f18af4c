//! Hierarchy files of every format; the first byte chooses the format.

#![no_main]

use hedgerow::format::{ALL, lint};
use hedgerow_fuzz::choice_and_text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, text)) = choice_and_text(bytes) else { return };
    let format = &ALL[choice % ALL.len()];
    let _ = ALL.iter().filter(|other| (other.item.looks_so)(text)).count();
    let Ok(draft) = (format.item.parse)(text, Some("a")) else { return };
    let findings = lint::check(&draft, None);
    let Ok(tree) = draft.assemble() else { return };
    drop(findings);
    // Every format must read back what it writes; `encode` checks that.
    let own = format.encode(&tree, true).map(|encoded| encoded.bytes.len());
    assert!(!matches!(own, Err(hedgerow::Error::Internal(_))), "{}: {own:?}", format.name);
});
