//! People with several records: counted when a release is made, and again from its files.

use crate::support::{Place, json, shown};

/// Visits of six people: two of each of the first four, who are neighbours in age.
const VISITS: &str = "patient,age,ill,day\n\
    a,30,flu,17\na,30,flu,12\nb,31,gout,14\nb,31,flu,20\nc,40,flu,11\nc,41,gout,16\nd,42,flu,19\n\
    d,42,flu,13\ne,60,gout,15\nf,61,flu,18\n";

const ASKED: &str = "-q age -k 2 --person patient --hierarchy age=free";

fn clinic() -> Place {
    Place::new().with("t.csv", VISITS)
}

#[test]
fn k_counts_people_and_the_column_is_left_out() {
    let place = clinic();
    let outcome = json(&place.hedgerow(&format!("anonymize t.csv -o r.csv --json {ASKED}")));
    assert_eq!(outcome["people"]["people"], 6);
    assert_eq!(outcome["people"]["smallest_class"], 2);
    assert_eq!(outcome["privacy"][0]["attained"], 2);
    let release = String::from_utf8(place.read("r.csv")).unwrap();
    assert!(release.starts_with("age,ill,day\n"), "{release}");
    // The four records of the ages 30 and 31 belong to two people, so none is published alone.
    assert!(release.lines().filter(|line| line.starts_with("\"[30, 31]\"")).count() == 4);
}

#[test]
fn a_sensitive_value_of_one_person_counts_once() {
    let place = clinic();
    let asked = format!("anonymize t.csv -o r.csv -s ill --privacy alpha-k:alpha=0.5 {ASKED}");
    // Three of the four people of the two younger classes have flu: at most half of them may.
    assert_eq!(place.hedgerow(&asked).status.code(), Some(1), "everybody has flu");
    insta::assert_snapshot!(shown(&place.hedgerow(&asked)));
}

#[test]
fn verify_counts_the_people_of_a_release_with_its_original() {
    let place = clinic();
    place.hedgerow(&format!("anonymize t.csv -o r.csv --quiet {ASKED}"));
    let verify = |k| format!("verify r.csv -q age -k {k} --original t.csv --person patient");
    insta::assert_snapshot!(shown(&place.hedgerow(&verify(2))));
    insta::assert_snapshot!(shown(&place.hedgerow(&verify(3))));
    let measured = json(
        &place.hedgerow("measure --original t.csv --release r.csv -q age --person patient --json"),
    );
    assert_eq!(measured["people"]["people"], 6);
    assert_eq!(measured["people"]["smallest_class"], 2);
}

#[test]
fn records_that_could_belong_to_several_people_are_not_confirmed() {
    let place = Place::new()
        .with("t.csv", "patient,age\na,30\na,31\nb,30\nb,31\n")
        .with("r.csv", "age\n\"[30, 31]\"\n\"[30, 31]\"\n");
    let verify = "verify r.csv -q age -k 2 --original t.csv --person patient";
    insta::assert_snapshot!(shown(&place.hedgerow(verify)));
}

#[test]
fn attacks_count_people_except_those_about_rows() {
    let place = clinic();
    let made = place.hedgerow(&format!("anonymize t.csv {ASKED} --keep ill,day -o r.csv"));
    assert!(made.status.success(), "{}", shown(&made));
    let asked = "attack --original t.csv --release r.csv -q age --sensitive ill --person patient";
    let said = shown(&place.hedgerow(asked));
    // The smallest class has more records than people.
    assert!(said.contains("fewer than 2 people have"), "{said}");
    let rows = said.split("unsorted-matching").nth(1).unwrap();
    assert!(rows.lines().nth(1).unwrap().contains("records exposed"), "{said}");
}

#[test]
fn wrong_uses_say_what_to_do() {
    let place =
        clinic().with("gap.csv", "patient,age\na,30\n,31\n").with("pop.csv", "age\n30\n31\n");
    let calls = [
        "anonymize gap.csv -q age -k 2 --person patient -o r.csv",
        "anonymize t.csv -q age -k 2 --person patent -o r.csv",
        "anonymize t.csv -q age -k 2 --person age -o r.csv",
        "anonymize t.csv -q age -k 7 --person patient -o r.csv",
        "anonymize t.csv -q age -k 2 --person patient --privacy k-map:k=2 --population pop.csv -o r.csv",
        "verify t.csv -q age -k 2 --person patient",
        "verify t.csv -q age -k 2 --original t.csv --person name",
    ];
    let told: Vec<String> =
        calls.iter().map(|call| format!("$ {call}\n{}", shown(&place.hedgerow(call)))).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn an_original_without_a_header_has_a_release_with_one() {
    let rows = VISITS.split_once('\n').unwrap().1;
    let place = Place::new().with("t.csv", rows);
    let header = "--header patient,age,ill,day";
    let made = place.hedgerow(&format!("anonymize t.csv -o r.csv --quiet {header} {ASKED}"));
    assert!(made.status.success(), "{}", shown(&made));
    let verify = format!("verify r.csv -q age -k 2 --original t.csv --person patient {header}");
    let verified = shown(&place.hedgerow(&verify));
    assert!(verified.contains("holds: the release is 2-anonymous"), "{verified}");
}

#[test]
fn dropped_records_do_not_disturb_the_order() {
    let place = Place::new().with("t.csv", VISITS.replace("b,31,gout,14", "b,,gout,14"));
    let asked = "-q age -k 2 --person patient --missing drop --keep-order";
    let made = place.hedgerow(&format!("anonymize t.csv -o r.csv --hierarchy age=free {asked}"));
    assert!(made.status.success(), "{}", shown(&made));
    let verified = shown(&place.hedgerow(&format!("verify r.csv --original t.csv {asked}")));
    assert!(verified.contains("holds: the release is 2-anonymous"), "{verified}");
}

#[test]
fn models_that_cannot_be_counted_are_not_confirmed_even_if_k_is() {
    let table = "patient,age,ill\na,30,x\na,30,y\nb,31,x\nb,31,y\nc,30,x\nd,31,y\n";
    let release = "age,ill\n\"[30, 31]\",x\n\"[30, 31]\",y\n\"[30, 31]\",x\n\"[30, 31]\",y\n\"[30, 31]\",x\n\"[30, 31]\",y\n";
    let place = Place::new().with("t.csv", table).with("r.csv", release);
    let verify = "verify r.csv -q age -k 2 -s ill --privacy l-diversity:l=2 --original t.csv --person patient";
    let output = place.hedgerow(verify);
    assert_eq!(output.status.code(), Some(1));
    let told = shown(&output);
    assert!(told.contains("at least 3 people, but what the other models count"), "{told}");
}

/// Standard input cannot be read again.
#[test]
fn the_next_command_names_a_file_instead_of_standard_input() {
    let place = clinic();
    let run = shown(&place.shell(&format!("$HEDGEROW anonymize - -o r.csv {ASKED} < t.csv")));
    assert!(run.contains("--original TABLE"), "{run}");
    assert!(
        run.contains("TABLE is a file with the table that was read from standard input"),
        "{run}"
    );
    assert!(!run.contains("--original -"), "{run}");
}
