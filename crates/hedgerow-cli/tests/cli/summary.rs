//! The summary of `anonymize`, as a publisher reads it.

use std::fmt::Write;

use crate::support::{Place, adult, json, shown};

/// Returns a table with dates, codes, words, and two rows for each of 60 people.
fn visits() -> String {
    let mut table = String::from("who,day,zip,job,illness\n");
    for visit in 0..120_u32 {
        let person = visit / 2;
        let day = format!("2024-{:02}-{:02}", 1 + person % 12, 1 + visit * 7 % 28);
        let zip = format!("02{:03}", person * 37 % 40);
        let job = ["nurse", "cook", "smith", "baker", "clerk"][person as usize % 5];
        let illness = ["flu", "asthma", "gout"][visit as usize % 3];
        writeln!(table, "p{person},{day},{zip},{job},{illness}").unwrap();
    }
    table
}

fn stdout(place: &Place, args: &str) -> String {
    let output = place.hedgerow(args);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn three_columns_fit_on_a_page() {
    let place = Place::new();
    let quasi = "age,education-num,hours-per-week";
    let summary = stdout(
        &place,
        &format!("anonymize {} --drop education -q {quasi} -k 5 -o r.csv --seed 1", adult()),
    );
    assert!(summary.lines().count() <= 30, "{summary}");
    assert!(summary.lines().all(|line| line.chars().count() <= 100), "{summary}");
    insta::assert_snapshot!(summary);
}

#[test]
fn columns_are_described_in_their_own_units() {
    let place = Place::new().with("t.csv", visits());
    let args = "anonymize t.csv -q day,zip,job -s illness -i who -k 4 --l-diversity 2 -o r.csv \
                --hierarchy day=calendar --hierarchy zip=prefix --hierarchy job=free --method hedge";
    insta::assert_snapshot!(stdout(&place, args));
    let columns = &json(&place.hedgerow(&format!("{args} --force --json")))["columns"];
    insta::assert_snapshot!(serde_json::to_string_pretty(columns).unwrap());
}

#[test]
fn people_are_counted_as_people() {
    let place = Place::new().with("t.csv", visits());
    let args = "anonymize t.csv -q zip,job --person who -k 4 -o r.csv --method hedge \
                --hierarchy zip=free --hierarchy job=free --missing drop --hierarchies trees";
    insta::assert_snapshot!(stdout(&place, args));
}

/// The command under *Next* can be copied as it is.
#[test]
fn the_next_command_verifies_the_release() {
    for args in [
        "-q day,zip -k 4",
        "-q job,zip --person who -k 4 --keep-order --hierarchy zip=free --hierarchy job=free",
        "-q job,zip -s illness -k 3 --l-diversity 2 --privacy alpha-k:alpha=0.7 --spreadsheet-safe",
        "-q zip -k 3 --kind zip=number --interval-style bounds --na p1,p2",
    ] {
        let place = Place::new().with("t.csv", visits());
        let summary = stdout(&place, &format!("anonymize t.csv --keep-others {args} -o r.csv"));
        let command = summary.lines().find_map(|line| line.trim().strip_prefix("hedgerow "));
        let run = place.shell(&format!("$HEDGEROW {}", command.unwrap()));
        assert_eq!(run.status.code(), Some(0), "{summary}{}", shown(&run));
    }
}

/// A table in Windows-1252 without a header, with decimal commas: each person has two records.
fn latin_visits() -> Vec<u8> {
    let rows = (0..24).map(|row| format!("p{};M\u{fc}ller {};{},5;?\n", row / 2, row % 3, row % 4));
    rows.collect::<String>().chars().map(|letter| letter as u8).collect()
}

/// The command under *Next* reads the release and the original as the job did.
#[test]
fn the_next_command_keeps_reading_options() {
    let read = "--delimiter ; --header who,name,bmi,note --na ? --na-detect off --decimal ,";
    for args in [
        "-q bmi -k 2 --keep name,note --drop who --output-encoding utf-16le",
        "-q bmi -k 2 --keep name,note --person who --keep-order --output-encoding utf-16le --encoding latin1",
        "-q bmi -k 2 --keep name,note --person who --keep-order --kind name=text --max-record 1MB",
        "-q bmi -k 2 --keep name,note --drop who --privacy k-map:k=2 --population t.csv --missing wildcard",
    ] {
        let place = Place::new().with("t.csv", latin_visits());
        let summary = stdout(&place, &format!("anonymize t.csv {read} {args} -o r.csv"));
        let command = summary.lines().find_map(|line| line.trim().strip_prefix("hedgerow "));
        let run = place.shell(&format!("$HEDGEROW {}", command.unwrap()));
        assert_eq!(run.status.code(), Some(0), "{summary}{}", shown(&run));
    }
}

#[test]
fn the_next_command_keeps_commas_and_equals_signs() {
    let tree = "flu;*\nasthma;*\ngout;*\n";
    let table = visits().replace("illness", "il=ness");
    let place = Place::new().with("t.csv", table).with("tree.csv", tree);
    let args = "-q zip -s il=ness -k 3 --privacy t-closeness:t=1,distance=hierarchical \
                --hierarchy \"il=ness\"=tree.csv --na \"n,a\",?";
    let summary = stdout(&place, &format!("anonymize t.csv --keep-others {args} -o r.csv"));
    assert!(summary.contains("--na '\"n,a\",?'"), "{summary}");
    assert!(summary.contains("--hierarchy '\"il=ness\"=tree.csv'"), "{summary}");
    let command = summary.lines().find_map(|line| line.trim().strip_prefix("hedgerow "));
    let run = place.shell(&format!("$HEDGEROW {}", command.unwrap()));
    assert_eq!(run.status.code(), Some(0), "{summary}{}", shown(&run));
}

#[test]
fn verbose_adds_losses_and_reasons() {
    let place = Place::new().with("t.csv", visits());
    let args = "anonymize t.csv --keep-others -q zip -k 4 -o r.csv --force";
    let (short, long) = (stdout(&place, args), stdout(&place, &format!("{args} --verbose")));
    assert!(long.starts_with(&short), "{long}");
    for part in ["ntil", "navg", "hierarchy     zip", "seconds       read"] {
        assert!(long.contains(part) && !short.contains(part), "{part}: {long}");
    }
}

#[test]
fn verbose_and_quiet_contradict_each_other() {
    let place = Place::new().with("t.csv", visits());
    let args = "anonymize t.csv -q zip -k 4 -o r.csv --verbose --quiet";
    insta::assert_snapshot!(shown(&place.hedgerow(args)));
    assert_eq!(place.files(), ["t.csv"]);
}
