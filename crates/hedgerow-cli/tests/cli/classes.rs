//! The classes of a release as a table, with the real binary.

use crate::support::{Place, shown};

const TABLE: &str = "age,job\n21,nurse\n22,nurse\n35,cook\n36,cook\n37,nurse\n60,smith\n61,smith\n";

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).unwrap()
}

#[test]
fn classes_are_those_of_the_release() {
    let place = Place::new().with("t.csv", TABLE);
    let run = place.hedgerow("anonymize t.csv -q age,job -k 2 -o r.csv --classes c.csv --hierarchy age=iotf --hierarchy job=free --method hedge");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    insta::assert_snapshot!(text(&place, "c.csv"));
    let measured =
        place.hedgerow("measure --original t.csv --release r.csv -q age,job --classes m.csv");
    assert_eq!(measured.status.code(), Some(0), "{}", shown(&measured));
    assert_eq!(text(&place, "m.csv"), text(&place, "c.csv"));
    // Every row of the release is in a class of this table, as it is.
    let classes = text(&place, "c.csv");
    for row in text(&place, "r.csv").lines().skip(1) {
        assert!(classes.lines().any(|class| class.starts_with(row)), "{row} is not in\n{classes}");
    }
}

/// 60 and 61 are rare, and must not be spelt out in any file.
#[test]
fn hidden_values_stay_hidden() {
    let place = Place::new().with("t.csv", TABLE);
    let run = place
        .hedgerow("anonymize t.csv -q age,job -k 2 -o r.csv --classes c.csv --rare-values hide");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let (classes, release) = (text(&place, "c.csv"), text(&place, "r.csv"));
    for value in ["21", "22", "35", "36", "37", "60", "61"] {
        let is_spelt = |text: &str| {
            text.lines()
                .skip(1)
                .any(|line| line.split([',', '"', '[', ']', ' ']).any(|part| part == value))
        };
        assert!(is_spelt(&release) || !is_spelt(&classes), "{value} is only in\n{classes}");
    }
}

#[test]
fn every_style_is_shown_as_it_is_published() {
    let place = Place::new().with("t.csv", TABLE);
    for style in ["dash", "midpoint", "bounds"] {
        let call = format!(
            "anonymize t.csv -q age -k 2 -o r.csv --classes c.csv --force --drop job --interval-style {style}"
        );
        let run = place.hedgerow(&call);
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
        let (classes, release) = (text(&place, "c.csv"), text(&place, "r.csv"));
        let columns = release.lines().next().unwrap();
        assert!(
            classes.starts_with(&format!("{columns},class-size,class-loss\n")),
            "{style}: {classes}"
        );
        for row in release.lines().skip(1) {
            assert!(
                classes.lines().any(|class| class.starts_with(row)),
                "{style}: {row} in\n{classes}"
            );
        }
    }
}

#[test]
fn the_file_must_be_its_own() {
    let place = Place::new().with("t.csv", TABLE).with("taken.csv", "x");
    let job = "input = \"t.csv\"\noutput = \"r.csv\"\nquasi = [\"age\"]\ndrop = [\"job\"]\nk = 2\nclasses = \"c.csv\"\n";
    let place = place.with("job.toml", job);
    for (name, args) in [
        ("release", "anonymize t.csv -q age -k 2 --drop job -o r.csv --classes r.csv"),
        ("input", "anonymize t.csv -q age -k 2 --drop job -o r.csv --classes t.csv --force"),
        ("exists", "anonymize t.csv -q age -k 2 --drop job -o r.csv --classes taken.csv"),
        ("job", "anonymize job.toml --classes job.toml --force"),
        ("measure", "measure --original t.csv --release t.csv -q age --classes t.csv --force"),
    ] {
        let found = shown(&place.hedgerow(args));
        insta::assert_snapshot!(format!("classes_{name}"), found);
    }
    assert_eq!(place.files(), ["job.toml", "t.csv", "taken.csv"]);
    let run = place.hedgerow("anonymize job.toml");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    assert_eq!(place.files(), ["c.csv", "job.toml", "r.csv", "t.csv", "taken.csv"]);
}
