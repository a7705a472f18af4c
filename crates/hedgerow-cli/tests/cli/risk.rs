//! `hedgerow risk`: risk before and after, and every wrong use.

use crate::support::{Place, adult, json, shown};

const PEOPLE: &str = "age,sex,job,ill,w\n30,F,cook,flu,9\n30,F,nurse,flu,11\n31,M,cook,gout,30\n\
    44,M,smith,flu,12\n44,M,cook,flu,8\n45,F,smith,gout,40\n";
const RELEASE: &str = "age,sex,ill\n\"[30, 31]\",*,flu\n\"[30, 31]\",*,flu\n\"[30, 31]\",*,gout\n\
    44,M,flu\n44,M,flu\n*,*,gout\n";
const POPULATION: &str = "age,sex\n30,F\n30,F\n30,F\n30,F\n31,M\n31,M\n44,M\n44,M\n45,F\n45,F\n";

fn clinic() -> Place {
    Place::new()
        .with("t.csv", PEOPLE)
        .with("r.csv", RELEASE)
        .with("p.csv", POPULATION)
        .with("empty.csv", "age,sex,ill\n")
        .with("few.csv", "age,sex\n30,F\n")
}

#[test]
fn the_text_shows_the_original_next_to_the_release() {
    let args = "risk t.csv -q age,sex --release r.csv -s ill --threshold 0.4";
    insta::assert_snapshot!(shown(&clinic().hedgerow(args)));
}

#[test]
fn the_json_has_every_figure() {
    let args = "risk t.csv -q age,sex --release r.csv -s ill --threshold 0.4 --json";
    insta::assert_snapshot!(shown(&clinic().hedgerow(args)));
}

#[test]
fn a_population_is_counted() {
    let args = "risk t.csv -q age,sex --release r.csv --population p.csv";
    insta::assert_snapshot!(shown(&clinic().hedgerow(args)));
    let found = json(&clinic().hedgerow(&format!("{args} --json")));
    let models = found["original"]["all"]["models"].as_array().unwrap();
    let journalist = models.iter().find(|model| model["model"] == "journalist").unwrap();
    // Records match 4, 4, 2, 2, 2 and 2 members of the population.
    assert_eq!(journalist["spread"]["highest"]["risk"], 0.5);
    assert!((journalist["spread"]["average"].as_f64().unwrap() - 2.5 / 6.0).abs() < 1e-12);
}

#[test]
fn weights_give_individual_risks() {
    let args = "risk t.csv -q age,sex --weights w --model individual";
    insta::assert_snapshot!(shown(&clinic().hedgerow(args)));
}

#[test]
fn people_are_counted_instead_of_records() {
    let visits = "id,age\na,30\na,30\nb,31\nb,30\nc,40\nc,40\n";
    let place = Place::new()
        .with("t.csv", visits)
        .with("r.csv", "age\n30-31\n30-31\n30-31\n30-31\n40\n40\n");
    let found = json(&place.hedgerow("risk t.csv -q age --person id --json"));
    assert_eq!(found["unit"], "people");
    // b is alone with 31 and c with 40.
    assert_eq!(
        (&found["original"]["all"]["n"], &found["original"]["all"]["alone"]),
        (&3.into(), &2.into())
    );
    let args = "risk t.csv -q age --person id --release r.csv --keep-order --json";
    let found = json(&place.hedgerow(args));
    assert_eq!(found["release"]["all"]["alone"], 1);
    let uncertain = "risk t.csv -q age --person id --release r.csv";
    let said = shown(&place.hedgerow(uncertain));
    assert!(said.contains("could belong to different people"), "{said}");
}

/// Every record of the release can only come from one person, so all are known.
#[test]
fn edited_columns_are_noted_also_if_people_are_found_by_comparison() {
    let place = Place::new()
        .with("t.csv", "id,age,pay\na,30,1\nb,31,2\nc,40,2\n")
        .with("r.csv", "age,pay\n30-31,1\n30-31,1\n40,2\n");
    let found = json(&place.hedgerow("risk t.csv -q age --person id --release r.csv --json"));
    assert_eq!(found["release"]["all"]["n"], 2);
    let notes = found["notes"].to_string();
    assert!(notes.contains("'1' is in 2 records of the release, but in 1 record"), "{notes}");
}

#[test]
fn anonymize_reports_the_risk_that_the_command_finds() {
    let place = Place::new();
    let table = adult();
    let asked = "-q age,sex,race -s income";
    let run =
        format!("anonymize {table} {asked} -k 5 --l-diversity 2 --keep-others -o r.csv --json");
    let outcome = json(&place.hedgerow(&run));
    let found = json(&place.hedgerow(&format!("risk {table} {asked} --release r.csv --json")));
    for side in ["original", "release"] {
        assert_eq!(outcome["risk"][side], found[side], "{side}");
    }
    assert_eq!(outcome["risk"]["questions"], found["questions"]);
    let figures = &found["release"]["published"];
    assert_eq!(figures["alone"], 0);
    assert!(figures["smallest"].as_u64().unwrap() >= 5, "{figures:#}");
}

#[test]
fn anonymize_reports_the_risk_of_people() {
    let visits = "id,age\na,30\na,30\nb,31\nb,30\nc,40\nc,40\nd,41\n";
    let place = Place::new().with("t.csv", visits);
    let run = "anonymize t.csv -q age -k 2 --person id --hierarchy age=free -o r.csv --json";
    let risk = &json(&place.hedgerow(run))["risk"];
    assert_eq!((&risk["unit"], &risk["original"]["all"]["alone"]), (&"people".into(), &3.into()));
    assert_eq!(
        (&risk["release"]["all"]["alone"], &risk["release"]["all"]["smallest"]),
        (&0.into(), &2.into())
    );
}

/// What is known of the population, and thresholds, give the same figures everywhere.
#[test]
fn a_run_and_its_reports_know_the_population_and_the_thresholds() {
    let asked = "-q age,sex -s ill --threshold 0.4 --threshold 0.1";
    for (extent, model) in [
        ("--sampling-fraction 0.1", ""),
        ("--weights w", ""),
        ("--population p.csv", "--privacy k-map:k=2"),
        ("--population p.csv", ""),
    ] {
        let place = clinic();
        let outcome = json(&place.hedgerow(&format!(
            "anonymize t.csv {asked} --drop job --keep w -k 2 {extent} {model} -o o.csv --report i.json --json"
        )));
        let risk = &outcome["risk"];
        assert!(risk["population"]["size"].is_number(), "{extent}: {risk:#}");
        let found = format!("risk t.csv {asked} --release o.csv {extent} --json");
        let found = json(&place.hedgerow(&found));
        let report = format!(
            "report --original t.csv --release o.csv {asked} -k 2 {extent} {model} -o j.json"
        );
        assert_eq!(place.hedgerow(&report).status.code(), Some(0), "{extent}");
        let reported = |name: &str| -> serde_json::Value {
            serde_json::from_slice::<serde_json::Value>(&place.read(name)).unwrap()["risk"].clone()
        };
        for other in [risk, &reported("i.json"), &reported("j.json")] {
            for part in ["population", "thresholds", "original", "release"] {
                assert_eq!(other[part], found[part], "{extent}: {part}");
            }
        }
    }
}

/// A population needs no model, and a job file can say all of it.
#[test]
fn a_job_file_names_population_and_thresholds() {
    let job = "input = \"t.csv\"\noutput = \"o.csv\"\nreport = \"i.html\"\nquasi = [\"age\", \"sex\"]\nsensitive = [\"ill\"]\n\
               drop = [\"job\", \"w\"]\nk = 2\npopulation = \"p.csv\"\nthreshold = [0.4]\n";
    let place = clinic().with("job.toml", job);
    let risk = &json(&place.hedgerow("anonymize job.toml --json"))["risk"];
    assert_eq!((&risk["depth"], &risk["population"]["from"]), (&"models".into(), &"table".into()));
    assert_eq!(risk["thresholds"], serde_json::json!([0.4]));
    let journalist = &risk["original"]["all"]["models"][1];
    assert_eq!(
        (&journalist["model"], &journalist["spread"]["highest"]["risk"]),
        (&"journalist".into(), &0.5.into())
    );
    let page = String::from_utf8(place.read("i.html")).unwrap();
    for shown in [
        "a risk above 40%",
        "members, counted in its table",
        "(journalist)",
        "(marketer)",
        "Lowest risk",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let flags = json(&place.hedgerow("anonymize job.toml --json --force --threshold 0.3"));
    assert_eq!(flags["risk"]["thresholds"], serde_json::json!([0.3]));
}

/// The run knows the weights of all records, also if the release leaves them out.
#[test]
fn weights_need_not_be_published() {
    let place = clinic();
    let run = "anonymize t.csv -q age,sex -s ill --drop job,w -k 2 --weights w -o o.csv --json --report i.html";
    let outcome = json(&place.hedgerow(run));
    let models = outcome["risk"]["release"]["all"]["models"].as_array().unwrap();
    assert!(models.iter().any(|model| model["model"] == "individual"), "{models:#?}");
    assert!(!String::from_utf8(place.read("o.csv")).unwrap().contains('w'));
    let page = String::from_utf8(place.read("i.html")).unwrap();
    assert!(page.contains("The population has 110 members, by the sampling weights"), "{page}");
    let report =
        "report --original t.csv --release o.csv -q age,sex -s ill -k 2 --weights w -o j.json";
    assert_eq!(place.hedgerow(report).status.code(), Some(0));
}

/// Runs a command that must fail, and returns what it says.
fn refused(args: &str) -> String {
    let output = clinic().hedgerow(args);
    assert_eq!(output.status.code(), Some(2), "{args}: {}", shown(&output));
    shown(&output)
}

macro_rules! refuses {
    ($($name:ident: $args:expr;)*) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(refused($args));
        })*
    };
}

refuses! {
    an_unknown_quasi_identifier: "risk t.csv -q agee,sex";
    an_unknown_sensitive_column: "risk t.csv -q age -s illness";
    an_unknown_person: "risk t.csv -q age --person name";
    an_unknown_model: "risk t.csv -q age --model prosecutr";
    help_on_an_unknown_model: "help risk jornalist";
    a_column_in_two_roles: "risk t.csv -q age,ill -s ill";
    a_population_smaller_than_the_sample: "risk t.csv -q age,sex --population few.csv";
    a_population_without_a_column: "risk t.csv -q age,job --population p.csv";
    weights_that_do_not_exist: "risk t.csv -q age --weights weight";
    weights_that_are_words: "risk t.csv -q age --weights job";
    weights_of_a_run_that_are_words: "anonymize t.csv -q age -k 2 --keep-others --weights job -o o.csv";
    weights_of_a_run_that_do_not_exist: "anonymize t.csv -q age -k 2 --keep-others --weights x -o o.csv";
    weights_of_a_run_that_are_known: "anonymize t.csv -q age,w -k 2 --keep-others --weights w -o o.csv";
    a_sampling_fraction_of_a_run: "anonymize t.csv -q age -k 2 --keep-others --sampling-fraction 2 -o o.csv";
    a_threshold_of_a_run: "anonymize t.csv -q age -k 2 --keep-others --threshold 2 -o o.csv";
    a_sampling_fraction_of_zero: "risk t.csv -q age --sampling-fraction 0";
    a_sampling_fraction_above_one: "risk t.csv -q age --sampling-fraction 1.5";
    a_threshold_above_one: "risk t.csv -q age --threshold 20";
    two_populations: "risk t.csv -q age --population p.csv --sampling-fraction 0.1";
    an_empty_release: "risk t.csv -q age,sex --release empty.csv";
    a_release_without_a_column: "risk t.csv -q age,job --release r.csv";
    a_release_with_more_records: "risk r.csv -q sex --release p.csv";
    no_quasi_identifier: "risk t.csv";
}

fn refused_with(file: &str, content: &str, args: &str) -> String {
    let output = clinic().with(file, content).hedgerow(args);
    assert_eq!(output.status.code(), Some(2), "{args}: {}", shown(&output));
    shown(&output)
}

#[test]
fn a_negative_weight_names_its_row() {
    let table = PEOPLE.replace(",flu,12\n", ",flu,-12\n");
    insta::assert_snapshot!(refused_with("t.csv", &table, "risk t.csv -q age --weights w"));
}

#[test]
fn a_missing_weight_names_its_row() {
    let table = PEOPLE.replace(",flu,12\n", ",flu,\n");
    insta::assert_snapshot!(refused_with("t.csv", &table, "risk t.csv -q age --weights w"));
}

#[test]
fn weights_below_one_are_not_a_population() {
    let table = PEOPLE.replace(",gout,30\n", ",gout,0.3\n").replace(",gout,40\n", ",gout,0.4\n");
    let table = table.replace(",9\n", ",0.9\n").replace(",11\n", ",1\n").replace(",12\n", ",1\n");
    let table = table.replace(",8\n", ",1\n");
    insta::assert_snapshot!(refused_with("t.csv", &table, "risk t.csv -q age --weights w"));
}

#[test]
fn a_release_of_other_values_names_the_column() {
    let other = RELEASE.replace("[30, 31]", "[70, 80]");
    let args = "risk t.csv -q age,sex --release o.csv";
    insta::assert_snapshot!(refused_with("o.csv", &other, args));
}

#[test]
fn a_release_with_other_sensitive_values_names_value_and_counts() {
    let other = RELEASE.replace("gout", "flu");
    let args = "risk t.csv -q age,sex --release o.csv -s ill";
    insta::assert_snapshot!(refused_with("o.csv", &other, args));
}

/// Every command that reads both files says which column does not fit. A column from which it
/// computes nothing can have been edited, which is a warning.
#[test]
fn a_release_of_another_table_is_refused_by_every_command() {
    let original = "age,race,pay\n20,A,1\n20,B,1\n20,A,1\n30,A,2\n30,B,2\n30,B,2\n";
    let release = original.replace("20,", "*,");
    let files = [
        ("good.csv", release.clone(), None),
        ("fewer.csv", release.replace("30,A,2\n", ""), None),
        ("formats.csv", release.replace(",1\n", ",1.0\n"), None),
        ("hidden.csv", release.replace(",A,", ",*,"), None),
        ("words.csv", release.replace(",1\n", ",low\n"), None),
        ("range.csv", release.replace("30,", "\"[40, 50]\","), Some("'age'")),
        ("kind.csv", release.replace("30,", "blue,"), Some("'age'")),
        ("race.csv", release.replace(",B,", ",Martian,"), Some("'race'")),
        ("counts.csv", release.replace(",1\n", ",2\n"), Some("'pay'")),
    ];
    let place = files
        .iter()
        .fold(Place::new().with("o.csv", original), |place, (name, csv, _)| place.with(name, csv));
    for (name, _, column) in files {
        for command in [
            format!("risk o.csv -q age --release {name}"),
            format!("measure --original o.csv --release {name} -q age"),
            format!("attack --original o.csv --release {name} -q age"),
            format!("attack --original o.csv --release {name} -q age --attack linking"),
            format!("report --original o.csv --release {name} -q age -k 2 -o p.html --force"),
        ] {
            let is_used = !name.starts_with("race") && !name.starts_with("counts");
            let refused = column.filter(|_| is_used);
            let run = place.hedgerow(&command);
            let expected = if refused.is_some() { 2 } else { 0 };
            assert_eq!(run.status.code(), Some(expected), "{command}: {}", shown(&run));
            assert!(refused.is_none_or(|column| shown(&run).contains(column)), "{command}");
            let doubt = "column 'pay' was edited, or the release does not come from this original";
            let is_doubted = shown(&run).replace("\n  ", "").contains(doubt);
            assert_eq!(is_doubted, name == "counts.csv", "{command}: {}", shown(&run));
            if command.starts_with("attack") && refused.is_none() {
                let found = json(&place.hedgerow(&format!("{command} --json")));
                let warnings = found["warnings"].as_array().map_or(0, Vec::len);
                assert_eq!(warnings, usize::from(is_doubted), "{command}");
            }
        }
        let Some(column) = column else { continue };
        let sensitive = column.trim_matches('\'').replace("age", "pay");
        for command in [
            format!("risk o.csv -q age -s {sensitive} --release {name}"),
            format!(
                "measure --original o.csv --release {name} -q age --class {sensitive} --classify"
            ),
            format!("attack --original o.csv --release {name} -q age --sensitive {sensitive}"),
            format!(
                "report --original o.csv --release {name} -q age -s {sensitive} -k 2 -o p.html --force"
            ),
        ] {
            let run = place.hedgerow(&command);
            assert_eq!(run.status.code(), Some(2), "{command}: {}", shown(&run));
            assert!(shown(&run).contains(column), "{command}: {}", shown(&run));
        }
    }
}
