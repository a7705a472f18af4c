//! The trace of a search and where to stop it, with the real binary.

use crate::support::{Place, shown, unlisted};

const TABLE: &str = "age,zip,sick\n20,7,yes\n21,7,no\n30,8,no\n31,8,no\n20,9,yes\n31,9,no\n";
const JOB: &str = "anonymize t.csv -q age,zip --class sick -k 2 --hierarchy age=iotf --hierarchy zip=iotf \
                   --method bottom-up -o r.csv --quiet";

fn place() -> Place {
    Place::new().with("t.csv", TABLE)
}

#[test]
fn the_steps_of_bottom_up_are_written() {
    let place = place();
    let run = place.hedgerow(&format!("{JOB} --trace steps.csv"));
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    insta::assert_snapshot!(String::from_utf8(place.read("steps.csv")).unwrap());
    let again = place.hedgerow(&format!("{JOB} --trace steps.csv").replace("r.csv", "s.csv"));
    assert!(again.status.code() == Some(2) && shown(&again).contains("steps.csv: the file exists"));
    assert_eq!(place.files(), ["r.csv", "steps.csv", "t.csv"]);
}

#[test]
fn stopping_before_the_goal_names_the_first_possible_point() {
    let place = place();
    let early = place.hedgerow(&format!("{JOB} --until 1"));
    assert_eq!(early.status.code(), Some(1));
    insta::assert_snapshot!(shown(&early));
    let other = JOB.replace("--class sick", "-s sick --l-diversity 2");
    let early = shown(&place.hedgerow(&format!("{other} --until A>=2")));
    let sign = "where l-diversity of 'sick' must be 2, but a class attains only 1 (";
    assert!(early.contains(sign) && !early.contains("k-anonymity"), "{early}");
    let later = place.hedgerow(&format!("{JOB} --until A>=6 --trace steps.csv"));
    assert_eq!(later.status.code(), Some(0), "{}", shown(&later));
    let steps = String::from_utf8(place.read("steps.csv")).unwrap();
    assert!(steps.trim_end().lines().last().unwrap().contains(",6,"), "{steps}");
    let never = place.hedgerow(&format!("{JOB} --until A>=7 --force"));
    assert!(never.status.code() == Some(1) && shown(&never).contains("never reached"));
    let odd = place.hedgerow(&format!("{JOB} --until soon --force"));
    assert_eq!(odd.status.code(), Some(2));
    insta::assert_snapshot!(shown(&odd));
}

#[test]
fn a_number_without_a_hierarchy_gets_one() {
    let place = place();
    let free = JOB.replace("zip=iotf", "zip=free").replace("--quiet", "--trace steps.csv");
    let output = place.hedgerow(&free);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let steps = String::from_utf8(place.read("steps.csv")).unwrap();
    assert!(steps.lines().skip(1).any(|line| line.contains("zip")), "{steps}");
}

#[test]
fn the_index_is_drawn() {
    let place = place();
    let run = place.hedgerow(&format!("{JOB} --trace steps.svg"));
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let drawn = String::from_utf8(place.read("steps.svg")).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("Step 0: A = 1; next: "), "{drawn}");
    // Top-down has no index.
    let other = JOB.replace("bottom-up", "top-down").replace("r.csv", "s.csv");
    let refused = place.hedgerow(&format!("{other} --trace s.svg"));
    assert_eq!(refused.status.code(), Some(2));
    insta::assert_snapshot!(shown(&refused));
    assert_eq!(place.files(), ["r.csv", "steps.svg", "t.csv"]);
}

#[test]
fn methods_refuse_options_they_do_not_have() {
    let place = place()
        .with("w.csv", TABLE.replace(",7,", ",x,").replace(",8,", ",y,").replace(",9,", ",z,"));
    let words = JOB.replace("t.csv", "w.csv").replace("zip=iotf", "zip=free");
    let free = place.hedgerow(&words);
    assert_eq!(free.status.code(), Some(2));
    insta::assert_snapshot!(unlisted(&shown(&free)));
    let none = place.hedgerow(&format!("{JOB} --trace s.csv").replace("bottom-up", "k-member"));
    assert!(none.status.code() == Some(2) && shown(&none).contains("does not record a trace"));
    assert_eq!(place.files(), ["t.csv", "w.csv"]);
}
