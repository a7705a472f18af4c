//! Tables as people have them: encodings, decimal commas, missing values and headers.

use std::fmt::Write;

use crate::support::{Place, json, outcome, release, shown};

const PEOPLE: &str = "name;bmi\nMüller;27,5\nGröße;22,1\nÉlan;1.030,25\nŻak;31\n";
const MISSING: &str = "age,job\n23,cook\nNA,?\n41,smith\n44,cook\n-,cook\n25,smith\n";
const LATIN: &[u8] = b"name,age\nJos\xe9,23\nM\xfcller,25\nAnn,41\nBob,44\n";

macro_rules! refuses {
    ($($name:ident: $table:expr, $args:expr;)*) => {
        $(#[test]
        fn $name() {
            let place = Place::new().with("t.csv", $table);
            let output = place.hedgerow($args);
            assert_eq!(place.files(), ["t.csv"], "something was left behind");
            assert_eq!(output.status.code(), Some(2));
            insta::assert_snapshot!(shown(&output));
        })*
    };
}

refuses! {
    an_unknown_encoding: LATIN, "inspect t.csv --encoding utf-9";
    an_encoding_that_the_table_does_not_have: LATIN, "inspect t.csv --encoding utf-8";
    bytes_that_no_encoding_explains: b"name,age\nJos\x81,23\n", "inspect t.csv";
    damaged_utf_8: ["name,age\nMüller Größe,1\n".as_bytes(), b"\xff,2\n"].concat(), "inspect t.csv";
    malformed_text: b"name,age\n\x81", "inspect t.csv --encoding shift_jis";
    utf_16_without_a_mark: b"a\0,\0b\0\n\x001\0,\x002\0\n\0", "inspect t.csv";
    an_unknown_output_encoding: PEOPLE,
        "anonymize t.csv -q bmi -k 2 -o r.csv --output-encoding latin9000";
    characters_that_the_output_encoding_lacks: PEOPLE,
        "anonymize t.csv --keep name -q bmi -k 2 -o r.csv --output-encoding windows-1252";
    a_column_name_that_the_output_encoding_lacks: "Größe,Łódź\n1,2\n1,2\n",
        "anonymize t.csv -q Größe -k 2 -o r.csv --output-encoding latin1";
    an_encoding_of_parquet: PEOPLE,
        "anonymize t.csv -q bmi -k 2 -o r.parquet --output-encoding latin1";
    an_unknown_decimal_sign: PEOPLE, "inspect t.csv --decimal x";
    a_decimal_sign_that_is_the_delimiter: MISSING, "inspect t.csv --decimal ,";
    a_decimal_sign_that_is_the_given_delimiter: MISSING,
        "anonymize t.csv -q age -k 2 -o r.csv --decimal , --delimiter ,";
    a_number_with_another_decimal_sign: PEOPLE,
        "anonymize t.csv -q bmi -k 2 -o r.csv --decimal . --kind bmi=number";
    thousands_that_should_be_numbers: "x;y\n1,234;1\n12,500;2\n",
        "anonymize t.csv -q x -k 2 -o r.csv --kind x=number";
    too_few_names: MISSING, "inspect t.csv --header age";
    a_name_given_twice: MISSING, "inspect t.csv --header age,age";
    names_and_numbers: MISSING, "inspect t.csv --header age,job --no-header";
    an_unknown_choice_of_detection: MISSING, "inspect t.csv --na-detect maybe";
    a_pair_without_its_quote: MISSING, "inspect t.csv --kind \"age=number";
}

#[test]
fn what_is_recognized_is_said() {
    let place = Place::new()
        .with("missing.csv", MISSING)
        .with("comma.csv", PEOPLE)
        .with("latin.csv", LATIN)
        .with("doubts.csv", "x;y;z\n1,234;1;2\n12,500;-99;3\n1,250;2;999\n")
        .with("r.csv", "\"\",\"age\"\n\"1\",23\n\"2\",41\n")
        .with("r.txt", "age\tjob\n1\t23\tcook\n2\t41\tsmith\n");
    let mut told = String::new();
    for name in ["missing.csv", "comma.csv", "latin.csv", "doubts.csv", "r.csv", "r.txt"] {
        let inspected = json(&place.hedgerow(&format!("inspect {name} --json")));
        for note in inspected["notes"].as_array().unwrap() {
            writeln!(told, "{name}: {}", note.as_str().unwrap()).unwrap();
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn missing_values_are_recognized_in_every_command() {
    let place = Place::new().with("t.csv", MISSING);
    let outcome = outcome(&place, "-q age,job -k 2 --missing drop --keep-order");
    assert_eq!((outcome["rows"].as_u64(), outcome["dropped"].as_u64()), (Some(6), Some(2)));
    let notes = outcome["notes"].to_string();
    assert!(
        notes.contains("'-' (1 record), 'NA' (1 record) is taken as a missing value"),
        "{notes}"
    );
    for args in [
        "measure --original t.csv --release r.csv -q age,job --missing drop",
        "verify r.csv -q age,job -k 2",
        "lattice t.csv -q age --missing drop",
        "hierarchy build t.csv -c age -m iotf",
    ] {
        let output = place.hedgerow(args);
        assert_eq!(output.status.code(), Some(0), "{args}: {}", shown(&output));
    }
    let off = place.hedgerow("hierarchy build t.csv -c age -m iotf --na-detect off");
    assert_eq!(off.status.code(), Some(2));
    assert!(shown(&off).contains("'NA' (row 2) is not a number"), "{}", shown(&off));
}

#[test]
fn a_missing_value_is_published_as_it_was() {
    let place = Place::new().with("t.csv", "age\n23\nNA\n23\nNA\n");
    outcome(&place, "-q age -k 2 --keep-order");
    assert_eq!(release(&place), "age\n23\nNA\n23\nNA\n");
}

#[test]
fn decimal_commas_are_published_as_they_came_and_read_back() {
    let place = Place::new().with("t.csv", PEOPLE);
    outcome(&place, "-q bmi -i name -k 2 --keep-order --hierarchy bmi=free");
    let published = "bmi\n[22,1; 27,5]\n[22,1; 27,5]\n[31; 1.030,25]\n[31; 1.030,25]\n";
    let semicolons = |text: &str| text.replace('\"', "");
    assert_eq!(semicolons(&release(&place)), published);
    let measured = json(&place.hedgerow("measure --original t.csv --release r.csv -q bmi --json"));
    let losses = outcome(&place, "-q bmi -i name -k 2 --keep-order --hierarchy bmi=free");
    assert_eq!(measured["release_loss"]["ntil"], losses["release_loss"]["ntil"]);
    for (style, first) in [("dash", "22,1-27,5"), ("midpoint", "24,80"), ("bounds", "22,1;27,5")] {
        outcome(
            &place,
            &format!(
                "-q bmi -i name -k 2 --keep-order --hierarchy bmi=free --interval-style {style}"
            ),
        );
        assert_eq!(release(&place).lines().nth(1), Some(first), "{style}");
    }
}

#[test]
fn a_hierarchy_of_numbers_with_commas_is_saved_and_used_again() {
    let place = Place::new().with("t.csv", PEOPLE);
    for file in ["h.json", "h.csv", "h.xml"] {
        let built = place.hedgerow(&format!("hierarchy build t.csv -c bmi -m iotf -o {file}"));
        assert_eq!(built.status.code(), Some(0), "{}", shown(&built));
        outcome(&place, &format!("-q bmi -i name -k 2 --keep-order --hierarchy bmi={file}"));
        let cells = release(&place);
        assert!(cells.contains("22,1; 27,5]") || cells.contains('*'), "{file}: {cells}");
        let check = place.hedgerow(&format!("hierarchy check {file}"));
        assert_eq!(check.status.code(), Some(0), "{file}: {}", shown(&check));
    }
}

#[test]
fn latin_1_is_read_wherever_its_first_byte_is() {
    let far = format!("{}\n", "x".repeat(60));
    let ascii: String = (0..40_000).map(|i| format!("{},{far}", i % 7)).collect();
    let text = [b"age,name\n", ascii.as_bytes(), b"1,Jos\xe9\n"].concat();
    let place = Place::new().with("t.csv", &text);
    let one = outcome(&place, "-q age -k 2 --threads 1");
    let first = place.read("r.csv");
    let two = outcome(&place, "-q age -k 2 --threads 2");
    assert!(String::from_utf8(first.clone()).unwrap().contains("José"));
    assert!(first == place.read("r.csv"), "threads change the release");
    for outcome in [one, two] {
        let warnings = outcome["warnings"].to_string();
        assert!(warnings.contains("is read as Windows-1252"), "{warnings}");
    }
}

#[test]
fn a_release_has_the_encoding_that_is_asked_for() {
    let place = Place::new().with("t.csv", LATIN);
    for (name, bytes) in [
        ("latin1", &b"Jos\xe9"[..]),
        ("utf-16le", b"J\0o\0s\0\xe9\0"),
        ("utf-8", "José".as_bytes()),
    ] {
        outcome(&place, &format!("-q age -k 2 --keep-others --output-encoding {name}"));
        let written = place.read("r.csv");
        assert!(written.windows(bytes.len()).any(|window| window == bytes), "{name}");
        for args in [
            format!("verify r.csv -q age -k 2 --encoding {name}"),
            "verify r.csv -q age -k 2".to_owned(),
            format!("measure --original t.csv --release r.csv -q age --output-encoding {name}"),
        ] {
            let output = place.hedgerow(&args);
            assert_eq!(output.status.code(), Some(0), "{args}: {}", shown(&output));
        }
    }
}

#[test]
fn tables_without_a_header_get_one() {
    let place = Place::new().with("t.csv", "Ann,23\nBob,25\nCid,23\nDea,25\n");
    outcome(&place, "--no-header -q column2 -i column1 -k 2 --keep-order");
    assert_eq!(release(&place), "column2\n23\n25\n23\n25\n");
    let measured =
        place.hedgerow("measure --original t.csv --release r.csv -q column2 --no-header");
    assert_eq!(measured.status.code(), Some(0), "{}", shown(&measured));
    outcome(&place, "--header name,age -q age -i name -k 2 --keep-order");
    assert_eq!(release(&place), "age\n23\n25\n23\n25\n");
    let job = "input = 't.csv'\noutput = 'r.csv'\nforce = true\nk = 2\nquasi = ['age']\n\
               identifier = ['name']\nheader = ['name', 'age']\nkeep-order = true\n\
               na-detect = 'off'\nencoding = 'latin1'\noutput-encoding = 'utf-16le'\ndecimal = '.'\n";
    let place = place.with("job.toml", job);
    let run = place.hedgerow("anonymize job.toml");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    assert!(place.read("r.csv").starts_with(b"\xff\xfea\0g\0e\0\n\0"));
}

#[test]
fn names_with_commas_and_equals_signs_are_quoted() {
    let table = "\"income, yearly\",a=b\n1,x\n2,y\n1,x\n2,y\n";
    let place = Place::new().with("t.csv", table);
    let line = r#"$HEDGEROW anonymize t.csv -q '"income, yearly"' -q a=b --kind '"income, yearly"=number' --kind '"a=b"=text' -k 2 -o r.csv --keep-order --quiet"#;
    let output = place.shell(line);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert_eq!(release(&place), table);
    let suggested = place.shell("$HEDGEROW anonymize t.csv -k 2 -o s.csv");
    insta::assert_snapshot!(shown(&suggested));
}

/// Sixty ages and dates, with one word in each column.
fn with_strays() -> String {
    let mut table = String::from("age,seen,job\nunknown,soon,cook\n");
    for row in 0..60 {
        let _ = writeln!(table, "{},2020-01-{:02},cook", 20 + row % 30, row % 28 + 1);
    }
    table
}

#[test]
fn one_word_among_numbers_or_dates_is_said() {
    let place = Place::new().with("t.csv", with_strays());
    let notes = json(&place.hedgerow("inspect t.csv --json"))["notes"].clone();
    insta::assert_snapshot!(serde_json::to_string_pretty(&notes).unwrap());
    let warnings = outcome(&place, "-q age,seen -k 2 --keep job")["warnings"].to_string();
    for word in ["'unknown' (1 record)", "'soon' (1 record)", "list 'unknown'", "the kind text"] {
        assert!(warnings.contains(word), "{word}: {warnings}");
    }
    let remedied = outcome(&place, "-q age,seen -k 2 --keep job --na unknown,soon");
    assert!(!remedied["warnings"].to_string().contains("cannot be read"), "{remedied}");
}

#[test]
fn years_of_two_digits_are_not_in_the_future() {
    let place =
        Place::new().with("t.csv", "born,job\n01.02.57,cook\n03.04.26,cook\n05.06.27,smith\n");
    let inspect = |format: &str| {
        let line = format!("$HEDGEROW inspect t.csv --date-format 'born={format}'");
        shown(&place.shell(&line))
    };
    let said = ["%d.%m.%y", "%d.%m.%y until 2050", "%d.%m.%y until 50", "%d.%m.%Y until 2050"]
        .map(inspect);
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_kind_can_be_stated_for_every_column() {
    let place = Place::new().with("t.csv", "age,status\n21,1\n22,2\n23,1\n24,3\n");
    outcome(&place, "-q age -k 2 --keep status --kind status=text");
    let output =
        place.hedgerow("anonymize t.csv -q age -k 2 --keep status --kind statsu=text -o x.csv");
    assert!(shown(&output).contains("did you mean 'status'"), "{}", shown(&output));
}
