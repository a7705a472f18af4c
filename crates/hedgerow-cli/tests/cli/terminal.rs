//! What a terminal shows: colours, unless `NO_COLOR` is set, and progress with the time left.

use crate::support::Place;

const TABLE: &str = "age,job\n30,cook\n31,cook\n40,nurse\n41,nurse\n";
const ANONYMIZE: &str = "anonymize t.csv -q age,job -k 2 -o r.csv --method mondrian --force";

/// Runs a command in a terminal that `script` of util-linux provides; `None` if there is none.
fn in_terminal(environment: &str) -> Option<String> {
    let place = Place::new().with("t.csv", TABLE);
    let version = place.shell("script --version");
    if !String::from_utf8_lossy(&version.stdout).contains("util-linux") {
        return None;
    }
    let line = format!(
        "env -u NO_COLOR TERM=xterm {environment} script -qec \"$HEDGEROW {ANONYMIZE}\" /dev/null"
    );
    let output = place.shell(&line);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

const BOLD: &str = "\u{1b}[1m";

#[test]
fn a_terminal_has_colours_and_progress() {
    let Some(text) = in_terminal("") else { return };
    assert!(text.contains(&format!("{BOLD}Next")), "{text:?}");
    assert!(text.contains("% ") && text.contains(" left"), "{text:?}");
}

#[test]
fn no_color_is_respected_in_a_terminal() {
    let Some(text) = in_terminal("NO_COLOR=1") else { return };
    assert!(text.contains("Next") && !text.contains(BOLD), "{text:?}");
    assert!(in_terminal("TERM=dumb").is_some_and(|text| !text.contains(BOLD)));
}
