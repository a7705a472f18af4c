//! Help on methods: lists, pages and JSON.

use hedgerow::anonymize;
use hedgerow::registry::Registry;

use crate::support::{Place, shown};

fn said(args: &str) -> String {
    let output = Place::new().hedgerow(args);
    assert_eq!(output.status.code(), Some(0), "{args}: {}", shown(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_registry_is_listed_and_every_method_has_a_page() {
    let all = said("methods");
    for registry in Registry::ALL {
        let list = said(&format!("help {}", registry.name()));
        for method in registry.descriptions() {
            let recoding = anonymize::recoding(method.name)
                .filter(|_| *registry == Registry::Anonymizer)
                .map_or_else(String::new, |recoding| format!("{recoding}: "));
            let line = format!("  {:<16} {recoding}{}\n", method.name, method.about);
            assert!(list.contains(&line) && all.contains(&line), "{}", method.name);
        }
    }
    for page in [
        "method hedge",
        "hierarchy iotf",
        "privacy k-map",
        "loss cm",
        "format arx",
        "attack linking",
    ] {
        assert!(
            said(&format!("help {page}")).starts_with(page.split(' ').nth(1).unwrap()),
            "{page}"
        );
    }
}

#[test]
fn a_page_shows_parameters_with_ranges() {
    insta::assert_snapshot!(said("help method hedge"));
    insta::assert_snapshot!(said("help privacy epsilon-m"));
}

#[test]
fn json_describes_every_parameter() {
    let all: serde_json::Value = serde_json::from_str(&said("methods --json")).unwrap();
    let methods = all["hierarchy"].as_array().unwrap();
    let ordered = methods.iter().find(|method| method["name"] == "ordered").unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(ordered).unwrap());
}

#[test]
fn commands_still_have_their_help() {
    assert!(said("help").contains("Commands:"));
    assert!(said("help anonymize").contains("--quasi"));
    assert!(said("help hierarchy build").contains("--column"));
    let unknown = Place::new().hedgerow("help hierarchy itof");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(shown(&unknown).contains("did you mean 'iotf'?"), "{}", shown(&unknown));
    let unknown = shown(&Place::new().hedgerow("help nonsense"));
    assert!(unknown.contains("there is no help for 'nonsense'"), "{unknown}");
}
