//! `hedgerow init`: job files that run as they are or after roles were edited.

use crate::support::{Place, shown};

const PEOPLE: &str = "name,age,zip,diagnosis\nAnn,23,0213,flu\nBob,25,0213,gout\nCid,41,0214,flu\n\
    Dea,44,0214,flu\nEve,47,0213,gout\nFay,29,0213,flu\nGus,51,0214,gout\nHal,33,0214,flu\n\
    Ida,38,0213,gout\nJim,60,0214,flu\n";

#[test]
fn a_table_with_clear_roles_runs_as_it_is() {
    let place = Place::new().with("t.csv", PEOPLE);
    insta::assert_snapshot!(shown(&place.hedgerow("init t.csv -o job.toml")));
    insta::assert_snapshot!(String::from_utf8(place.read("job.toml")).unwrap());
    let run = place.hedgerow("anonymize job.toml --quiet");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let release = String::from_utf8(place.read("t-release.csv")).unwrap();
    assert!(release.starts_with("age,zip,diagnosis\n"), "{release}");
    assert!(place.hedgerow("verify t-release.csv -q age,zip -k 5").status.success());
}

#[test]
fn undecided_columns_and_given_settings_are_written() {
    let table = PEOPLE.replace(',', ";").replace("name;", "na\"me;").replace("diagnosis", "note");
    let place = Place::new().with("t.csv", table);
    let init = "init t.csv -o jobs/job.toml --delimiter ; --na ?,- --kind age=number";
    assert_eq!(place.hedgerow(init).status.code(), Some(2), "there is no such folder");
    std::fs::create_dir(place.folder.path().join("jobs")).unwrap();
    assert_eq!(place.hedgerow(init).status.code(), Some(0));
    let job = String::from_utf8(place.read("jobs/job.toml")).unwrap();
    for line in [
        "delimiter = \";\"",
        "na = [\"?\", \"-\"]",
        "\n\"age\" = \"number\"",
        "# \"zip\" = \"code\"",
        "\n    \"na\\\"me\",  # text, 10 values",
        "undecided = [\n    \"note\",  # text, 2 values",
    ] {
        assert!(job.contains(line), "{line}\n{job}");
    }
    let run = place.hedgerow("anonymize jobs/job.toml --sensitive note");
    assert!(run.status.success(), "{}", shown(&run));
    assert!(
        place.files().contains(&"jobs".to_owned()) && !place.read("jobs/t-release.csv").is_empty()
    );
}

#[test]
fn every_reading_option_is_written() {
    let rows = |n: usize| format!("{};J\u{fc}rgen {n};2{n},5;0{}.02.57\n", 20 + n, n % 9 + 1);
    let table: String = (0..10).map(rows).collect();
    let latin: Vec<u8> = table.chars().map(|letter| letter as u8).collect();
    let place = Place::new().with("t.csv", latin);
    let init = "init t.csv -o job.toml --encoding windows-1252 --header age,name,bmi,born --decimal , \
                --na-detect off --max-record 1MB --date-format born=%d.%m.%y --kind name=text";
    let output = place.hedgerow(init);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let job = String::from_utf8(place.read("job.toml")).unwrap();
    for line in [
        "encoding = \"windows-1252\"\n",
        "header = [\"age\", \"name\", \"bmi\", \"born\"]\n",
        "decimal = \",\"\n",
        "na-detect = \"off\"\n",
        "max-record = \"1MB\"\n",
        "\"born\" = \"%d.%m.%y\"\n",
        "\"name\" = \"text\"\n",
    ] {
        assert!(job.contains(line), "{line}\n{job}");
    }
    let run = place.hedgerow("anonymize job.toml --keep-others");
    assert_eq!(run.status.code(), Some(0), "{job}{}", shown(&run));
    let numbered = place.hedgerow("init t.csv -o other.toml --no-header");
    assert_eq!(numbered.status.code(), Some(0));
    assert!(String::from_utf8(place.read("other.toml")).unwrap().contains("no-header = true\n"));
}

#[test]
fn a_job_reads_the_table_as_init_did() {
    let (_, records) = PEOPLE.split_once('\n').unwrap();
    let table = records.replace(',', ";").replace("4;flu", "4;gr\u{ef}ppe").replace(";2", ";2,5");
    let latin: Vec<u8> = table.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let place = Place::new().with("t.csv", latin);
    let init = "init t.csv -o job.toml --header name,age,zip,diagnosis --encoding windows-1252 \
                --decimal , --na-detect off --max-record 1MB";
    let made = place.hedgerow(init);
    assert!(made.status.success(), "{}", shown(&made));
    let job = String::from_utf8(place.read("job.toml")).unwrap();
    for line in [
        "header = [\"name\", \"age\", \"zip\", \"diagnosis\"]",
        "encoding = \"windows-1252\"",
        "decimal = \",\"",
        "na-detect = \"off\"",
        "max-record = \"1MB\"",
    ] {
        assert!(job.contains(line), "{line}\n{job}");
    }
    let run = place.hedgerow("anonymize job.toml --quiet");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let numbered = place.hedgerow("init t.csv -o numbered.toml --no-header --decimal ,");
    assert!(numbered.status.success(), "{}", shown(&numbered));
    let job = String::from_utf8(place.read("numbered.toml")).unwrap();
    assert!(job.contains("no-header = true"), "{job}");
}

#[test]
fn bad_calls_are_refused() {
    let place = Place::new().with("t.csv", PEOPLE).with("job.toml", "mine");
    let calls = [
        "init t.csv -o job.toml",
        "init - -o other.toml",
        "init t.csv -o job.json",
        "init u.csv -o other.toml",
        "init t.csv",
    ];
    let said = calls.map(|call| {
        let output = place.hedgerow(call);
        assert_eq!(output.status.code(), Some(2), "{call}");
        format!("{call}\n{}", String::from_utf8_lossy(&output.stderr))
    });
    insta::assert_snapshot!(said.join("\n"));
    assert_eq!(place.read("job.toml"), b"mine");
    assert_eq!(place.files(), ["job.toml", "t.csv"]);
    assert!(place.hedgerow("init t.csv -o job.toml --force").status.success());
}
