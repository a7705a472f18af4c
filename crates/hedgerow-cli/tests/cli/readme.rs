//! README: its first command, and what an attacker finds in the release that it writes.

use std::path::Path;

use crate::support::{Place, adult, json, shown};

/// The text of README, unless this is a package of the command line alone.
fn readme() -> Option<String> {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).ok()
}

/// The first block of commands.
fn first_command(readme: &str) -> &str {
    let (_, rest) = readme.split_once("```sh\n").unwrap();
    rest.split_once("\n```").unwrap().0
}

/// The argument after a flag of a command line.
fn argument<'a>(command: &'a str, flag: &str) -> &'a str {
    command.split_whitespace().skip_while(|word| *word != flag).nth(1).unwrap()
}

/// On all of Adult, no attack that discloses an identity succeeds with more than 1/k.
#[test]
fn the_first_command_of_the_readme_gives_a_release_in_which_nobody_is_found() {
    let Some(readme) = readme() else { return };
    let command = first_command(&readme);
    let place = Place::new();
    std::fs::create_dir(place.folder.path().join("data")).unwrap();
    std::fs::copy(adult(), place.folder.path().join("data/adult.csv")).unwrap();
    let built = "cargo run --release --";
    assert!(command.starts_with(built), "{command}");
    let run = place.shell(&command.replace(built, "\"$HEDGEROW\""));
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let (quasi, k) = (argument(command, "--quasi"), argument(command, "-k"));
    let found = json(&place.hedgerow(&format!(
        "attack --original data/adult.csv --release {} -q {quasi} --json",
        argument(command, "-o")
    )));
    let attempts = found["attempts"].as_array().unwrap();
    let by_identity: Vec<(&str, f64)> = (attempts.iter())
        .filter(|attempt| attempt["discloses"] == "identity")
        .map(|attempt| (attempt["attack"].as_str().unwrap(), attempt["success"].as_f64().unwrap()))
        .collect();
    for attack in ["linking", "dependency", "unsorted-matching"] {
        assert!(by_identity.iter().any(|(name, _)| *name == attack), "{attack}: {by_identity:?}");
    }
    let most = 1.0 / k.parse::<f64>().unwrap();
    for (attack, success) in by_identity {
        assert!(success <= most + 1e-9, "{attack}: {success}");
    }
}
