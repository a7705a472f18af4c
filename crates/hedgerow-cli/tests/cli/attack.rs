//! `hedgerow attack`: what an attacker finds in a release.

use crate::support::{Place, adult, json, shown};

const ORIGINAL: &str =
    "age,zip,ill\n20,02138,flu\n21,02139,flu\n30,02139,gout\n31,02141,hiv\n40,02141,flu\n";
const RELEASE: &str = "age,zip,ill\n\"[20, 21]\",0213*,flu\n\"[20, 21]\",0213*,flu\n\"[30, 40]\",021**,hiv\n\"[30, 40]\",021**,gout\n\"[30, 40]\",021**,flu\n";

fn place() -> Place {
    Place::new().with("o.csv", ORIGINAL).with("r.csv", RELEASE)
}

#[test]
fn every_attack_says_what_it_knew_tried_and_found() {
    let place = place().with("b.csv", RELEASE.replace(",hiv", ",flu"));
    let attack = "attack --original o.csv --release r.csv --other b.csv --sensitive ill";
    insta::assert_snapshot!(shown(&place.hedgerow(attack)));
}

#[test]
fn attacks_are_data() {
    let place = place();
    let attack = "attack --original o.csv --release r.csv -q age,zip --sensitive ill --attack linking \
                  --attack homogeneity --json";
    insta::assert_snapshot!(shown(&place.hedgerow(attack)));
}

#[test]
fn a_success_above_the_limit_is_a_violation() {
    let place = place();
    let attack =
        "attack --original o.csv --release r.csv -q age,zip --attack linking --max-success";
    let code = |limit: &str| place.hedgerow(&format!("{attack} {limit}")).status.code();
    assert_eq!([code("0.5"), code("0.4"), code("2")], [Some(0), Some(1), Some(2)]);
}

#[test]
fn people_of_another_table_are_looked_for() {
    let place = place().with("names.csv", "name,age,zip\nAnn,20,02138\nBob,35,02141\n");
    let attack = "attack --original o.csv --release r.csv -q age,zip --attack linking --external names.csv --json";
    let found = json(&place.hedgerow(attack));
    let external = &found["attempts"][2];
    assert_eq!(
        (external["variant"].as_str(), external["attacked"].as_u64()),
        (Some("external"), Some(2))
    );
}

#[test]
fn wrong_uses_are_explained() {
    let place = place()
        .with("empty.csv", "age,zip,ill\n")
        .with("longer.csv", format!("{RELEASE}\"[30, 40]\",021**,flu\n"))
        .with("kinds.csv", RELEASE.replace("[20, 21]", "young"))
        .with("values.csv", RELEASE.replace("[20, 21]", "[70, 80]"))
        .with("alien.csv", "city,job\nx,y\n");
    let told: Vec<String> = [
        "--release empty.csv -q age,zip",
        "--release longer.csv -q age,zip",
        "--release kinds.csv -q age,zip",
        "--release values.csv -q age,zip",
        "--release alien.csv",
        "--release r.csv --known agee",
        "--release r.csv -q age,street",
        "--release r.csv -q age,zip --sensitive age",
        "--release r.csv -q age,zip --sensitive ill --known ill",
        "--release r.csv -q age,zip --other alien.csv",
        "--release r.csv -q age,zip --external alien.csv",
        "--release r.csv -q age,zip --attack likning",
        "--release r.csv -q age,zip --attack background-knowledge:values=0",
        "--release r.csv -q age,zip --person name",
        "--release o.csv",
    ]
    .map(|args| {
        let run = place.hedgerow(&format!("attack --original o.csv {args}"));
        format!(
            "{args}: exit {}\n{}",
            run.status.code().unwrap(),
            String::from_utf8_lossy(&run.stderr)
        )
    })
    .into();
    insta::assert_snapshot!(told.join("\n"));
}

const QUASI: &str = "age,sex,race,marital-status,education-num";

/// Every 25th record of Adult.
fn some_adults() -> Place {
    let all = std::fs::read_to_string(adult()).unwrap();
    let rows: Vec<&str> = all.lines().take(1).chain(all.lines().skip(1).step_by(25)).collect();
    Place::new().with("t.csv", rows.join("\n"))
}

/// The greatest success of attacks that disclose an identity, on a release with k = 5.
fn by_identity(place: &Place, flags: &str, attack: &str) -> f64 {
    let roles = format!("-q {QUASI} --sensitive occupation --keep-others");
    let run = place.hedgerow(&format!(
        "anonymize t.csv -k 5 {roles} -o r.csv --force --hierarchies h {flags}"
    ));
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let found = json(&place.hedgerow(&format!(
        "attack --original t.csv --release r.csv -q {QUASI} --hierarchies h --sensitive occupation --json {attack}"
    )));
    let attempts = found["attempts"].as_array().unwrap();
    let by_identity = attempts.iter().filter(|attempt| attempt["discloses"] == "identity");
    by_identity.map(|attempt| attempt["success"].as_f64().unwrap()).fold(0.0, f64::max)
}

/// Nothing that hedgerow releases by default lets an attacker find a record with a probability
/// above 1/k.
#[test]
fn nobody_is_found_in_a_default_release_of_adult() {
    let place = some_adults();
    for flags in ["--seed 1", "--method mondrian", "--suppress 5% --method datafly"] {
        let dropped = "--drop education,fnlwgt,relationship";
        let worst = by_identity(&place, &format!("{dropped} {flags}"), "");
        assert!(worst > 0.0 && worst <= 0.2 + 1e-9, "{flags}: {worst}");
    }
}

/// A relationship such as husband gives the marital status away. If it is kept knowingly, the attack
/// that uses it says so.
#[test]
fn a_kept_column_that_gives_another_away_is_reported() {
    let place = some_adults();
    let flags = "--drop education,fnlwgt --seed 1";
    assert!(by_identity(&place, flags, "--attack linking") <= 0.2 + 1e-9);
    assert!(by_identity(&place, flags, "--attack dependency") > 0.2 + 1e-9);
}
