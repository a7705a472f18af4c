//! `hedgerow completions` and `hedgerow man`.

use crate::support::{Place, shown};

const COMMANDS: [&str; 6] = ["inspect", "init", "anonymize", "verify", "measure", "completions"];

#[test]
fn every_shell_gets_all_commands() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = place.hedgerow(&format!("completions {shell}"));
        let script = String::from_utf8(output.stdout).unwrap();
        let has = |word: &&str| script.contains(*word);
        assert!(COMMANDS.iter().all(has) && script.contains("quasi"), "{shell}");
    }
}

#[test]
fn the_manual_has_a_page_per_command() {
    let place = Place::new();
    let page = String::from_utf8(place.hedgerow("man").stdout).unwrap();
    assert!(page.contains(".TH hedgerow 1") && page.contains("hedgerow\\-anonymize(1)"), "{page}");
    assert!(place.hedgerow("man --all -o man").status.success());
    for command in COMMANDS {
        let page = place.read(&format!("man/hedgerow-{command}.1"));
        assert!(String::from_utf8(page).unwrap().contains(command), "{command}");
    }
    let build = String::from_utf8(place.read("man/hedgerow-hierarchy-build.1")).unwrap();
    assert!(build.contains("column"), "{build}");
}

#[test]
fn bad_calls_are_refused() {
    let place = Place::new();
    assert!(place.hedgerow("man --all -o man").status.success());
    let calls = ["completions tcsh", "completions", "man --all", "man -o d", "man --all -o man"];
    let said = calls.map(|call| format!("{call}\n{}", shown(&place.hedgerow(call))));
    insta::assert_snapshot!(said.join("\n"));
    assert!(place.hedgerow("man --all -o man --force").status.success());
}
