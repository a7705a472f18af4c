//! Method specifications: the text, and the parameters of every registry.

#![no_main]

use hedgerow::builder;
use hedgerow::study::Share;
use hedgerow::loss::Choice;
use hedgerow::method::Spec;
use hedgerow::rank::Weights;
use hedgerow::{anonymize};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = (text.parse::<Share>(), text.parse::<Choice>(), text.parse::<Weights>());
    let Ok(spec) = text.parse::<Spec>() else { return };
    assert_eq!(spec.to_string().parse::<Spec>().ok().as_ref(), Some(&spec), "{spec}");
    let _ = anonymize::named(&spec);
    for method in builder::all().filter(|method| method.name == spec.name) {
        let _ = (method.item)(&spec).map(|builder| builder.validate());
    }
});
