//! No column is published without a decision about it.

use std::fmt::Write;

use crate::support::{Place, json, shown};

/// Sixty people with an age, its group in other words, a name, an e-mail address and a vote.
fn people() -> String {
    let mut table = "Nachname,age,stage,contact,vote\n".to_owned();
    for row in 0..60 {
        let age = 20 + row * 7 % 30;
        let stage = ["junior", "middle", "senior"][(age - 20) / 10];
        let vote = ["yes", "no", "maybe"][row * row % 7 % 3];
        let _ = writeln!(table, "Weber{row},{age},{stage},w{row}@example.org,{vote}");
    }
    table
}

/// Visits of fifteen patients, four each.
fn visits() -> String {
    let mut table = "patient_id,Alter,Geschlecht,PLZ,Diagnose,visit,fnlwgt,score\n".to_owned();
    for row in 0..60 {
        let (patient, sex) = (row / 4, ["f", "m"][row / 4 % 2]);
        let illness = ["flu", "gout", "ulcer"][row * 5 % 7 % 3];
        let (age, zip) = (30 + patient * 3 % 25, 1000 + patient * 37 % 5);
        let (weight, score) = (900 + row * row % 31, row * 7919 % 10_007);
        let day = 1 + row % 4 * 7;
        let _ = writeln!(
            table,
            "P{patient},{age},{sex},0{zip},{illness},2024-03-{day:02},{weight},{score}"
        );
    }
    table
}

const ANONYMIZE: &str = "anonymize t.csv -q age -k 3 -o r.csv";

/// The first line of the release.
fn header(place: &Place) -> String {
    String::from_utf8(place.read("r.csv")).unwrap().lines().next().unwrap().to_owned()
}

#[test]
fn columns_without_a_decision_stop_the_run() {
    let place = Place::new().with("t.csv", people());
    insta::assert_snapshot!(shown(&place.hedgerow(ANONYMIZE)));
    assert_eq!(place.files(), ["t.csv"]);
    let one = place.hedgerow(&format!("{ANONYMIZE} --identifier Nachname --drop contact"));
    insta::assert_snapshot!(shown(&one));
}

#[test]
fn the_suggested_flags_let_it_run() {
    let place = Place::new().with("t.csv", people());
    let outcome = json(
        &place.hedgerow(&format!("{ANONYMIZE} --identifier Nachname,contact --drop stage --json")),
    );
    assert_eq!((&outcome["warnings"], &outcome["undecided"]), (&[""; 0].into(), &["vote"].into()));
    assert_eq!(header(&place), "age,vote");
}

#[test]
fn columns_can_be_kept_knowingly() {
    let place = Place::new().with("t.csv", people());
    let kept = format!("{ANONYMIZE} --keep Nachname,stage --drop contact --quiet");
    insta::assert_snapshot!(shown(&place.hedgerow(&kept)));
    assert_eq!(header(&place), "Nachname,age,stage,vote");
    let all = format!("{ANONYMIZE} --keep-others --force --quiet");
    insta::assert_snapshot!(shown(&place.hedgerow(&all)));
    assert_eq!(header(&place), "Nachname,age,stage,contact,vote");
}

#[test]
fn a_job_file_decides_in_the_same_way() {
    let job = "input = 't.csv'\noutput = 'r.csv'\nquasi = ['age']\nk = 3\n";
    let place = Place::new().with("t.csv", people()).with("stops.toml", job);
    assert_eq!(place.hedgerow("anonymize stops.toml").status.code(), Some(2));
    let decided = format!("{job}drop = ['Nachname', 'contact']\nkeep = ['stage']\n");
    let place = place.with("decided.toml", decided);
    assert_eq!(place.hedgerow("anonymize decided.toml --quiet").status.code(), Some(0));
    assert_eq!(header(&place), "age,stage,vote");
    let place = place.with("all.toml", format!("{job}keep-others = true\n"));
    assert_eq!(place.hedgerow("anonymize all.toml --quiet --force").status.code(), Some(0));
}

#[test]
fn roles_that_contradict_each_other_are_named() {
    let place = Place::new().with("t.csv", people());
    for roles in [
        "--keep stage --drop stage",
        "--keep Nachname --identifier Nachname",
        "--drop age",
        "--keep vote --sensitive vote",
        "--drop stage,stage",
        "--keep sage",
    ] {
        insta::assert_snapshot!(shown(&place.hedgerow(&format!("{ANONYMIZE} {roles}"))));
    }
    assert_eq!(place.files(), ["t.csv"]);
}

#[test]
fn a_sensitive_column_that_gives_a_quasi_identifier_away_is_a_warning() {
    let place = Place::new().with("t.csv", people());
    let args = format!("{ANONYMIZE} -s stage -i Nachname,contact --keep vote --quiet");
    insta::assert_snapshot!(shown(&place.hedgerow(&args)));
}

#[test]
fn people_with_several_rows_and_unique_numbers_are_warnings() {
    let place = Place::new().with("t.csv", visits());
    let args = "anonymize t.csv -q Alter,Geschlecht,PLZ -s Diagnose -i patient_id -k 4 -o r.csv";
    insta::assert_snapshot!(shown(&place.hedgerow(&format!("{args} --quiet"))));
}

#[test]
fn inspect_finds_roles_in_other_languages_and_says_what_to_decide() {
    let place = Place::new().with("t.csv", visits());
    let output = shown(&place.hedgerow("inspect t.csv"));
    // Which hierarchies auto chooses is tested elsewhere.
    let text = output.split("\nHierarchies that auto").next().unwrap().to_owned();
    insta::assert_snapshot!(text);
    let found = json(&place.hedgerow("inspect t.csv --json"));
    assert_eq!(found["columns"][0]["hint"], "several-rows-per-person");
    // Fifteen people: each has an age and scores of their own.
    let people = &found["people"];
    assert_eq!((&people["count"], &people["is_stated"]), (&15.into(), &false.into()));
    assert_eq!(
        (&found["columns"][1]["alone"], &found["columns"][7]["alone"]),
        (&15.into(), &15.into())
    );
    assert_eq!(found["uniqueness"]["unique_people"], 15);
    insta::assert_snapshot!(serde_json::to_string_pretty(&found["findings"]).unwrap());
}

#[test]
fn without_roles_the_suggested_flags_include_what_gives_others_away() {
    let table = people().replace("Nachname", "name");
    let place = Place::new().with("t.csv", table);
    insta::assert_snapshot!(shown(&place.hedgerow("anonymize t.csv -k 3 -o r.csv")));
}

#[test]
fn a_table_without_known_quasi_identifiers_asks_for_a_choice() {
    let mut table = "first_name,points,won\n".to_owned();
    for row in 0..60 {
        let name = ["Anna", "Karl", "Mary", "Peter"][row % 4];
        let _ = writeln!(table, "{name},{},{}", row % 7, row % 3);
    }
    let place = Place::new().with("t.csv", table);
    let run = "anonymize t.csv --identifier first_name -k 5 -o r.csv";
    let said = shown(&place.hedgerow(run));
    assert!(said.contains("Names and values suggest none, so the choice is yours"), "{said}");
    assert!(said.contains("\n  --quasi points,won\n"), "{said}");
}

#[test]
fn dropped_records_are_counted_even_if_quiet() {
    let place = Place::new().with("t.csv", "age\n20\n\"\"\n22\n23\n24\n?\n");
    let args = "anonymize t.csv -q age -k 2 -o r.csv --missing drop --na ? --quiet";
    insta::assert_snapshot!(shown(&place.hedgerow(args)));
}

/// Six records of each of ten people, whose names are in a column that does not say so, with flags
/// that say their region together.
fn panel() -> String {
    let names = [
        "Anna Weber",
        "Karl Vogt",
        "Mary Ide",
        "Peter Huber",
        "Eva Kurz",
        "Paul Gil",
        "Lucy Sand",
        "John Beck",
        "Maria Roth",
        "Mark Blum",
    ];
    let mut table = "pid,V3,age,region,north,south,west,wage\n".to_owned();
    for row in 0..240 {
        let person = row / 6;
        let region = [0, 0, 1, 1, 2, 2, 2][person * 5 % 7];
        let flags: Vec<String> = (0..3).map(|r| u8::from(r == region).to_string()).collect();
        let _ = writeln!(
            table,
            "{person},{} {},{},{},{},{}",
            names[person % 10],
            ["I", "II", "III", "IV"][person / 10],
            20 + person * 7 % 30,
            ["n", "s", "w"][region],
            flags.join(","),
            1000 + row * row * 31 % 7919
        );
    }
    table
}

#[test]
fn names_flags_and_people_stop_with_flags_that_let_it_run() {
    let place = Place::new().with("t.csv", panel());
    let args = "anonymize t.csv -q age,region -k 3 -o r.csv";
    let stopped = shown(&place.hedgerow(args));
    insta::assert_snapshot!(stopped);
    let flags = stopped.lines().find(|line| line.starts_with("  --person")).unwrap().trim();
    let run = place.hedgerow(&format!("{args} {flags} --json"));
    let outcome = json(&run);
    assert_eq!(
        (&outcome["people"]["column"], &outcome["people"]["people"]),
        (&"pid".into(), &40.into())
    );
    assert_eq!(header(&place), "age,region,wage");
}

#[test]
fn init_names_the_person() {
    let place = Place::new().with("t.csv", visits());
    assert_eq!(place.hedgerow("init t.csv -o job.toml").status.code(), Some(0));
    let job = String::from_utf8(place.read("job.toml")).unwrap();
    assert!(job.contains("\nperson = \"patient_id\"  # text, 15 values\n"), "{job}");
    assert!(!job.contains("# person"), "{job}");
    let undecided = place.hedgerow("anonymize job.toml -k 2 --json");
    assert_eq!(undecided.status.code(), Some(2), "{}", shown(&undecided));
    let place = place.with("job.toml", job.replace("\nundecided = ", "\nkeep = "));
    let run = place.hedgerow("anonymize job.toml -k 2 --json");
    assert_eq!(json(&run)["people"]["people"], 15, "{}", shown(&run));
}

/// Forty towns of three records each, and a zone that every fourth town has.
fn towns() -> String {
    let mut table = "town,zone,score\n".to_owned();
    for row in 0..120 {
        let town = row / 3;
        let _ = writeln!(table, "town {town},{},{}", ["n", "s", "w", "e"][town % 4], row * 7 % 11);
    }
    table
}

#[test]
fn columns_that_narrow_published_cells_are_a_warning() {
    let place = Place::new().with("t.csv", towns());
    let args =
        "anonymize t.csv -q town -k 5 --hierarchy town=frequency --keep zone --json -o r.csv";
    let outcome = json(&place.hedgerow(args));
    let told = outcome["warnings"][0].to_string();
    assert!(told.contains("'zone' tells more about 'town' than its published cells"), "{told}");
    // Without the column nothing is narrowed.
    let dropped = args.replace("--keep zone", "--drop zone");
    let outcome = json(&place.hedgerow(&format!("{dropped} --force")));
    assert_eq!(outcome["warnings"], serde_json::json!([]));
}

#[test]
fn inspect_quotes_names_of_columns_for_the_shell() {
    let mut table = "'TV news',age,day of visit\n".to_owned();
    for row in 0..700 {
        let _ = writeln!(table, "{},{},{}.{row:03}", row % 7, 20 + row % 40, row * 31 % 97);
    }
    let place = Place::new().with("t.csv", table);
    let output = shown(&place.hedgerow("inspect t.csv"));
    assert!(output.contains(r"--kind ''\''TV news'\''=text'"), "{output}");
    assert!(output.contains("--drop 'day of visit'"), "{output}");
}

#[test]
fn a_date_of_birth_tells_the_year_of_every_record() {
    let mut table = "birth_y,sex,birth_date\n".to_owned();
    for row in 0..120 {
        let (year, month, day) = (1950 + row * 7 % 40, 1 + row % 12, 1 + row * 5 % 28);
        let sex = ["f", "m"][row % 2];
        let _ = writeln!(table, "{year},{sex},{year}-{month:02}-{day:02}");
    }
    let place = Place::new().with("t.csv", table);
    let run = "anonymize t.csv -q birth_y,sex -k 5 -o r.csv";
    // Nothing is published without a decision, and the date can be generalized.
    insta::assert_snapshot!(shown(&place.hedgerow(run)));
    let outcome = json(&place.hedgerow(&format!("{run} --keep-others --json")));
    let warning = outcome["warnings"][0].as_str().unwrap_or_default();
    let told =
        "'birth_date' tells more about 'birth_y' than its published cells: 120 of 120 records";
    assert!(warning.contains(told), "{outcome}");
}

#[test]
fn the_flags_for_people_run_even_if_some_records_have_no_person() {
    let mut table = "id,age,visit\n".to_owned();
    for row in 0..80 {
        let person = if row < 70 { format!("P{}", row / 4) } else { String::new() };
        let _ = writeln!(table, "{person},{},{}", 20 + row / 4 * 7 % 30, row * 7919 % 3);
    }
    let place = Place::new().with("t.csv", table);
    let said = shown(&place.hedgerow("anonymize t.csv -k 3 -o r.csv"));
    assert!(said.contains("--person id --missing drop"), "{said}");
    let said = shown(&place.hedgerow("inspect t.csv"));
    assert!(said.contains("--person id --missing drop, so that k counts people"), "{said}");
    let said = String::from_utf8(place.hedgerow(ANONYMIZE).stderr).unwrap();
    assert!(said.contains("10 records have no value in it"), "{said}");
    let flags = said.lines().find(|line| line.starts_with("  --person")).unwrap().trim();
    assert_eq!(flags, "--person id --missing drop");
    let run = place.hedgerow(&format!("{ANONYMIZE} {flags} --quiet"));
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
}

#[test]
fn codes_of_unequal_length_can_be_verified_and_measured() {
    let mut table = "patient,postcode,ill\n".to_owned();
    for row in 0..40 {
        let blank = ["", " "][row / 2 % 2];
        let _ = writeln!(table, "p{},{}{blank}AB,{}", row / 2, 1100 + row / 2, ["x", "y"][row % 2]);
    }
    let place = Place::new().with("t.csv", table);
    for order in ["--keep-order", ""] {
        let asked = format!("-q postcode -k 5 --person patient {order}");
        let run = place.hedgerow(&format!(
            "anonymize t.csv {asked} --keep ill --hierarchy postcode=prefix -o r.csv --force --quiet"
        ));
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
        assert!(String::from_utf8(place.read("r.csv")).unwrap().contains("110****"));
        let verified = place.hedgerow(&format!("verify r.csv {asked} --original t.csv"));
        assert_eq!(verified.status.code(), Some(0), "{}", shown(&verified));
    }
    let measured = place.hedgerow("measure --original t.csv --release r.csv -q postcode");
    assert_eq!(measured.status.code(), Some(0), "{}", shown(&measured));
}

#[test]
fn dates_of_birth_as_numbers_stop_whatever_format_is_stated() {
    let mut table = "age,dob\n".to_owned();
    for row in 0..60 {
        let _ = writeln!(
            table,
            "{},19{}{:02}{:02}",
            row % 3,
            50 + row % 40,
            1 + row % 12,
            1 + row % 28
        );
    }
    let place = Place::new().with("t.csv", table);
    for format in ["", "--date-format dob=%Y%m%d"] {
        let run = place.hedgerow(&format!("{ANONYMIZE} {format}"));
        assert_eq!(run.status.code(), Some(2), "{}", shown(&run));
        assert!(shown(&run).contains("exact dates, such as dates of birth"), "{}", shown(&run));
    }
}

#[test]
fn coordinates_stop_with_a_decimal_comma_too() {
    for sign in [".", ","] {
        let mut table = "age;lat;lon\n".to_owned();
        for row in 0..12 {
            let (lat, lon) = (5200 + row * 37, 4050 + row * 53);
            let _ = writeln!(table, "{};52{sign}{lat};13{sign}{lon}", row % 3);
        }
        let place = Place::new().with("t.csv", table);
        let run = place.hedgerow(ANONYMIZE);
        assert_eq!(run.status.code(), Some(2), "{sign} {}", shown(&run));
        let text = shown(&run);
        assert!(text.contains("lat  its values are coordinates"), "{sign} {text}");
        assert!(text.contains("lon  its values are coordinates"), "{sign} {text}");
    }
}

#[test]
fn dates_of_birth_stop_in_a_table_of_five() {
    let table = "age,dob\n1,1980-02-03\n1,1991-05-17\n1,1975-11-30\n2,1968-07-08\n2,2001-01-21\n";
    let place = Place::new().with("t.csv", table);
    let run = place.hedgerow("anonymize t.csv -q age -k 2 -o r.csv");
    assert!(shown(&run).contains("dob  its values are exact dates"), "{}", shown(&run));
    assert_eq!(run.status.code(), Some(2));
}

/// Sets of full names would still be names.
#[test]
fn a_quasi_identifier_that_names_people_is_a_warning() {
    let place = Place::new().with("t.csv", people());
    let args = "anonymize t.csv -q age,Nachname,contact -k 3 -o r.csv --drop stage --keep vote";
    let run = shown(&place.hedgerow(&format!("{args} --quiet")));
    for (column, reason) in [
        ("Nachname", "its name announces a direct identifier ('nachname')"),
        ("contact", "its values are e-mail addresses"),
    ] {
        let remedy = format!("name '{column}' as an identifier (--identifier {column})");
        assert!(run.contains(&format!("column '{column}': {reason}; {remedy}")), "{run}");
    }
}

#[test]
fn a_stop_says_that_the_encoding_was_guessed() {
    let table = people().replace("Weber", "Müller");
    let latin: Vec<u8> = table.chars().map(|c| c as u8).collect();
    let place = Place::new().with("t.csv", latin);
    let run = shown(&place.hedgerow(ANONYMIZE));
    let last = run.lines().last().unwrap();
    assert!(last.starts_with("note: the table is not UTF-8"), "{run}");
    assert!(last.contains("--encoding"), "{run}");
}

#[test]
fn inspect_counts_the_people_that_are_stated() {
    let place = Place::new().with("t.csv", visits());
    let found = json(&place.hedgerow("inspect t.csv --json --person visit"));
    let people = &found["people"];
    assert_eq!((&people["column"], &people["is_stated"]), (&"visit".into(), &true.into()));
    assert_eq!(people["count"], 4);
    assert_eq!(found["columns"][0]["role"], "identifier", "patient_id");
    assert_eq!(found["columns"][1]["alone"], 0, "everybody has every age");
    assert_eq!(found["uniqueness"]["unique_people"], 0);
    let wrong = place.hedgerow("inspect t.csv --person patient_i");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(shown(&wrong).contains("did you mean 'patient_id'?"), "{}", shown(&wrong));
}

#[test]
fn records_of_nobody_are_people_of_their_own_in_inspect() {
    let table = visits().replace("P3,", ",");
    let place = Place::new().with("t.csv", table);
    let found = json(&place.hedgerow("inspect t.csv --json --person patient_id"));
    assert_eq!(found["people"]["count"], 14 + 4);
    assert_eq!(found["columns"][0]["alone"], 14);
}
