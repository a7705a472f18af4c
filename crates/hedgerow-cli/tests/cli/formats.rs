//! Converting, checking and repairing hierarchy files of every format.

use crate::support::{Place, shown};

const JOBS: &str = "nurse;health care;*\ndoctor;health care;*\ncook;food;*\nbaker;food;*\n";

#[test]
fn every_format_round_trips_the_tree() {
    let place = Place::new().with("jobs.csv", JOBS);
    let formats = [
        ("json", "a.json"),
        ("xml", "b.xml"),
        ("codes", "c.csv"),
        ("amnesia-json", "d.json"),
        ("hrc", "e.hrc"),
        ("utd", "f.xml"),
        ("skos", "g.ttl"),
        ("arx", "h.csv"),
    ];
    let mut input = "jobs.csv";
    for (format, output) in formats {
        let done = place.hedgerow(&format!("hierarchy convert {input} {output} --to {format}"));
        assert_eq!(done.status.code(), Some(0), "{}", shown(&done));
        input = output;
    }
    assert_eq!(String::from_utf8(place.read("h.csv")).unwrap(), JOBS);
}

#[test]
fn labels_that_a_format_cannot_represent_are_refused_or_reported() {
    let place = Place::new().with("jobs.csv", JOBS);
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy convert jobs.csv jobs.txt")));
    assert_eq!(place.files(), ["jobs.csv"]);
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy convert jobs.csv jobs.txt --lossy")));
    insta::assert_snapshot!(String::from_utf8(place.read("jobs.txt")).unwrap());
}

#[test]
fn faults_are_listed_and_repaired() {
    let bad = "nurse ;care;*\ncook;food;*\nsmith;;*\ncook;craft;*\nold;+\n";
    let place = Place::new().with("bad.csv", bad).with("t.csv", "job\nnurse\ncook\nbaker\n");
    let check = "hierarchy check bad.csv --table t.csv --column job --fix fixed.csv";
    insta::assert_snapshot!(shown(&place.hedgerow(check)));
    insta::assert_snapshot!(String::from_utf8(place.read("fixed.csv")).unwrap());
    let again = place.hedgerow(check);
    assert_eq!(again.status.code(), Some(2), "{}", shown(&again));
    assert_eq!(place.hedgerow("hierarchy check bad.csv").status.code(), Some(1));
}

#[test]
fn faults_without_a_repair_remain_and_nothing_is_written() {
    let place = Place::new().with("round.csv", "code,parent\na,b\nb,a\nc,\n");
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy check round.csv --fix fixed.csv")));
    assert_eq!(place.files(), ["round.csv"]);
}

#[test]
fn ranges_without_values_take_those_of_the_column() {
    let config = "<config><qid><att index='0' name='age'><vgh value='[0:100)'><node value='[0:50)'/>\
                  <node value='[50:100)'/></vgh></att></qid></config>";
    let place = Place::new().with("c.xml", config).with("t.csv", "age\n12\n70\n49\n");
    assert_eq!(place.hedgerow("hierarchy check c.xml --fix same.hrc").status.code(), Some(0));
    assert_eq!(place.read("same.hrc"), b"[0, 100)\n@[0, 50)\n@[50, 100)\n");
    let fix = "hierarchy check c.xml --table t.csv --column age --fix age.csv";
    assert_eq!(place.hedgerow(fix).status.code(), Some(0));
    let fixed = String::from_utf8(place.read("age.csv")).unwrap();
    assert_eq!(fixed, "12;[0, 50);[0, 100)\n49;[0, 50);[0, 100)\n70;[50, 100);[0, 100)\n");
}

#[test]
fn a_classification_is_used_by_its_labels_or_its_codes() {
    let codes = "code,parent,label\n1,,Managers\n11,1,Chief\n12,1,Clerk\n2,,Crafts\n21,2,Smith\n";
    let place = Place::new()
        .with("isco.csv", codes)
        .with("words.csv", "job\nChief\nClerk\nSmith\nSmith\n")
        .with("numbers.csv", "job\n11\n12\n21\n21\n");
    for (table, smith) in [("words", "Smith"), ("numbers", "21")] {
        let release = "-q job -k 2 --hierarchy job=isco.csv --keep-order --quiet";
        let done = place.hedgerow(&format!("anonymize {table}.csv -o {table}.out.csv {release}"));
        assert_eq!(done.status.code(), Some(0), "{}", shown(&done));
        let published = String::from_utf8(place.read(&format!("{table}.out.csv"))).unwrap();
        assert_eq!(published, format!("job\nManagers\nManagers\n{smith}\n{smith}\n"));
        let files = format!("--original {table}.csv --release {table}.out.csv");
        let measured = place.hedgerow(&format!("measure {files} -q job --hierarchy job=isco.csv"));
        assert_eq!(measured.status.code(), Some(0), "{}", shown(&measured));
    }
}

/// Checks a file that is not a hierarchy, and returns what is printed.
fn refused(name: &str, content: impl AsRef<[u8]>) -> String {
    let place = Place::new().with(name, content);
    let output = place.hedgerow(&format!("hierarchy check {name}"));
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn damaged_files_are_reported_with_their_place() {
    let messages = [
        refused("a.csv", b"a;A;*\nb\x81;A;*\n"),
        refused("b.csv", b"\xff\xfea\0;"),
        refused("c.json", "{\"hedgerow\":1,\n\"nodes\":[{\"id\":0"),
        refused("d.xml", "<hierarchy>\n<node label='*'>\n<leaf val"),
        refused("e.xml", "<config>\n<qid><att name='x'><vgh value='[0:9]'>\n<node value='[0:"),
        refused("f.ttl", "@prefix s: <u:s> .\n<a> s:broader"),
        refused("g.txt", "distinct\nname x\n\nA has b\nB ha"),
        refused("h.csv", "code,parent\na,\n\"b,a\nc,a\n"),
        refused("i.hrc", "\n\n"),
    ];
    insta::assert_snapshot!(messages.concat());
}
