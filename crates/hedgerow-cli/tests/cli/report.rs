//! Reports of a release: pages and JSON, internal and public.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use hedgerow::noun::grouped;

use crate::support::{Place, adult, shown};

/// A table in which most values are frequent and some are rare, with names that nothing else has.
fn table() -> String {
    let mut rows = "name,salary,born,job,zip,ill\n".to_owned();
    for n in 0..120u32 {
        let (salary, job, zip) = match n % 10 {
            9 => (9_100_003 + 7_919 * n, format!("unicorn{n}keeper"), format!("9{n:04}")),
            m => (
                1_000_000 * (1 + m % 4),
                ["nurse", "smith", "cook"][m as usize % 3].to_owned(),
                "02139".to_owned(),
            ),
        };
        let born = if n % 30 == 7 {
            format!("19{:02}-02-{:02}", 20 + n / 10, 1 + n % 28)
        } else {
            "1980-01-01".to_owned()
        };
        let ill = if n % 40 == 3 {
            format!("malady{n}x")
        } else {
            ["flu", "gout"][n as usize % 2].to_owned()
        };
        writeln!(rows, "person{n}q,{salary},{born},{job},{zip},{ill}").unwrap();
    }
    rows
}

const FLAGS: &str =
    "-q salary,born,job,zip -s ill -i name -k 4 --l-diversity 2 --suppress 40% --seed 3";

fn place() -> Place {
    Place::new().with("t.csv", table())
}

fn anonymize(place: &Place, more: &str) {
    let run = place.hedgerow(&format!("anonymize t.csv {FLAGS} -o r.csv --force --quiet {more}"));
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
}

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).unwrap()
}

#[test]
fn only_the_internal_report_has_the_digest_of_the_original() {
    let place = place();
    anonymize(&place, "--report i.json --report-public p.json");
    let has_digest = |name: &str| text(&place, name).contains("\"input\"");
    assert_eq!([has_digest("i.json"), has_digest("p.json")], [true, false]);
}

#[test]
fn the_same_job_gives_the_same_report_on_any_number_of_threads() {
    let place = place();
    let mut reports = BTreeSet::new();
    for threads in [1, 2, 5] {
        anonymize(&place, &format!("--threads {threads} --report i.html --report-public p.json"));
        reports.insert((place.read("i.html"), place.read("p.json")));
    }
    assert_eq!(reports.len(), 1);
}

#[test]
fn a_report_of_adult_is_small_and_its_figures_are_those_of_the_run() {
    let place = Place::new();
    let args =
        "-q age,race,sex -s income --drop fnlwgt --keep-others -k 5 --method mondrian --json";
    let run = place.hedgerow(&format!(
        "anonymize {} {args} -o r.csv --report i.json --report-public p.html",
        adult()
    ));
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let outcome: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&place.read("i.json")).unwrap();
    assert_eq!(report["schema"], "hedgerow-report-1");
    assert_eq!(report["losses"], outcome["release_loss"]);
    assert_eq!(report["headline"]["smallest_class"], outcome["smallest_class"]);
    assert_eq!(report["accounting"]["released"], outcome["released"]);
    for column in report["columns"].as_array().unwrap() {
        let name = column["name"].as_str().unwrap();
        assert_eq!(column["detail"], outcome["columns"][name], "{name}");
    }
    assert_eq!(report["decision"]["about"], "income");
    let decided = report["decision"]["text"].as_str().unwrap();
    let attempts = report["attacks"]["attempts"].as_array().unwrap();
    let found = attempts.iter().find(|tried| tried["attack"] == "homogeneity").unwrap();
    let [exposed, attacked] =
        ["exposed", "attacked"].map(|key| grouped(found[key].as_u64().unwrap()));
    assert!(
        decided.contains(&format!(
            "Of {exposed} of {attacked} in the original, all published records"
        )),
        "{decided}"
    );
    let charts = report["columns"].as_array().unwrap().iter().map(|column| &column["chart"]);
    assert_eq!(
        charts.map(|chart| chart["form"].clone()).collect::<Vec<_>>(),
        ["histogram", "bars", "bars"]
    );
    let page = text(&place, "p.html");
    assert!(page.len() < 200_000, "{}", page.len());
    assert!(page.contains("Everyone is one of at least 5."));
    assert!(page.contains("One thing to decide: income."));
}

#[test]
fn the_job_of_a_report_repeats_the_release() {
    let place = place();
    anonymize(&place, "--report i.json");
    let report: serde_json::Value = serde_json::from_slice(&place.read("i.json")).unwrap();
    let first = place.read("r.csv");
    let place = place.with("job.toml", report["job"].as_str().unwrap());
    let run = place.hedgerow("anonymize job.toml -o again.csv --quiet");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    assert!(place.read("again.csv") == first);
}

#[test]
fn a_release_that_does_not_keep_its_promise_is_reported_as_such() {
    let place = place();
    anonymize(&place, "--missing own");
    let report =
        "report --original t.csv --release r.csv -q salary,born,job,zip -s ill -k 50 -o bad.html";
    let run = place.hedgerow(report);
    assert_eq!(run.status.code(), Some(1), "{}", shown(&run));
    let page = text(&place, "bad.html");
    assert!(page.contains("Not safe: k-anonymity does not hold."));
    assert!(page.contains("class=\"verdict fails\""));
}

#[test]
fn reports_overwrite_nothing_by_accident() {
    let place = place().with("old.html", "old");
    let run = |more: &str| {
        let run = place.hedgerow(&format!("anonymize t.csv {FLAGS} --quiet {more}"));
        assert_eq!(run.status.code(), Some(2), "{}", shown(&run));
        String::from_utf8(run.stderr).unwrap()
    };
    let told = [
        run("-o r.csv --report old.html"),
        run("-o r.csv --report t.csv"),
        run("-o r.csv --report report.pdf"),
        run("-o r.html --report r.html"),
        run("-o r.csv --report a.html --report-public a.html"),
    ];
    insta::assert_snapshot!(told.concat());
    assert_eq!(place.files(), ["old.html", "t.csv"]);
    assert_eq!(place.read("old.html"), b"old");
}

#[test]
fn a_report_needs_files_that_belong_together() {
    let place = Place::new()
        .with("o.csv", "age,job,ill\n20,nurse,flu\n21,cook,flu\n30,smith,gout\n31,smith,flu\n")
        .with("r.csv", "age,job,ill\n\"[20, 21]\",*,flu\n\"[20, 21]\",*,flu\n\"[30, 31]\",smith,gout\n\"[30, 31]\",smith,flu\n")
        .with("more.csv", "age,job,ill\n*,*,flu\n*,*,flu\n*,*,flu\n*,*,flu\n*,*,flu\n")
        .with("bounds.csv", "age_min,age_max,job,ill\n20,21,*,flu\n20,21,*,flu\n")
        .with("other.csv", "age,job,ill\n20s,*,flu\n20s,*,flu\n")
        .with("none.csv", "age,job,ill\n");
    let told = [
        "--release r.csv -q age,job -k 2 -o i.html",
        "--release r.csv -q age,jobb -k 2 -o x.html",
        "--release more.csv -q age,job -k 2 -o x.html",
        "--release other.csv -q age,job -k 2 -o x.html",
        "--release r.csv -q age,job -s age -k 2 -o x.html",
        "--release r.csv -q age,job -k 2 -o o.csv",
        "--release r.csv -q age,job -k 2 -o i.html",
        "--release bounds.csv -q age,job -k 2 -o x.html",
        "--release r.csv -q age,job --person name -k 2 -o x.html",
        "--release none.csv -q age,job -k 2 -o x.html",
    ]
    .map(|args| {
        let run = place.hedgerow(&format!("report --original o.csv {args}"));
        format!("{args}\n{}", shown(&run))
    });
    insta::assert_snapshot!(told.concat());
    let files = ["bounds.csv", "i.html", "more.csv", "none.csv", "o.csv", "other.csv", "r.csv"];
    assert_eq!(place.files(), files);
}

/// Styles that do not show ranges are reported by the ranges, and records as they are in the file.
#[test]
fn every_interval_style_has_a_report() {
    let place = place();
    let mut seen = BTreeSet::new();
    for style in ["brackets", "dash", "midpoint", "bounds"] {
        anonymize(
            &place,
            &format!(
                "--kind zip=text --interval-style {style} --report i.json --report-public p.html"
            ),
        );
        let report: serde_json::Value = serde_json::from_slice(&place.read("i.json")).unwrap();
        assert_eq!(report["interval_style"], style);
        let names: Vec<&str> = report["columns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["salary", "born", "job", "zip"], "{style}");
        assert_eq!(report["verdict"]["holds"], true, "{style}");
        // What is lost and found does not depend on how the same classes are written.
        seen.insert((report["losses"]["ntil"].to_string(), report["queries"].to_string()));
        let sample = report["sample"]["columns"].to_string();
        assert_eq!(sample.contains("salary_min"), style == "bounds", "{sample}");
        assert!(report["attacks"]["attempts"].as_array().unwrap().len() > 3, "{style}");
    }
    assert_eq!(seen.len(), 1, "{seen:?}");
    let page = text(&place, "p.html");
    assert!(page.contains("ranges of numbers as two columns"), "{page}");
}

#[test]
fn a_report_counts_people() {
    let mut visits = "id,age,ill\n".to_owned();
    for n in 0..60u32 {
        writeln!(visits, "p{},{},{}", n % 24, 30 + n % 24 % 6, ["flu", "gout"][n as usize % 2])
            .unwrap();
    }
    let place = Place::new().with("t.csv", visits);
    let made = "anonymize t.csv -q age -s ill --person id -k 3 -o r.csv --keep-order --quiet --report i.json --force";
    let run = place.hedgerow(made);
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let report =
        |name: &str| -> serde_json::Value { serde_json::from_slice(&place.read(name)).unwrap() };
    let ours = report("i.json");
    assert_eq!(ours["headline"]["unit"], "person");
    assert_eq!(ours["headline"]["alone"], serde_json::json!({ "before": 0, "after": 0 }));
    assert!(ours["headline"]["average_risk"]["after"].as_f64().unwrap() <= 1.0 / 3.0);
    assert_eq!(ours["attacks"]["unit"], "person");
    assert!(!place.read("r.csv").starts_with(b"id"));
    assert!(!ours["sample"]["columns"].to_string().contains("id"), "{}", ours["sample"]);
    // Files tell the same, if the rows are in the order of the original.
    let of_files = "report --original t.csv --release r.csv -q age -s ill --person id -k 3 --keep-order -o f.json";
    let run = place.hedgerow(of_files);
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    for key in ["headline", "class_sizes"] {
        assert_eq!(report("f.json")[key], ours[key], "{key}");
    }
    assert_eq!(report("f.json")["risk"]["release"], ours["risk"]["release"]);
    let uncertain = "report --original t.csv --release r.csv -q age --person id -k 3 -o u.json";
    insta::assert_snapshot!(shown(&place.hedgerow(uncertain)));
}

/// A report that has everything but the reason why a release was not attacked.
fn full_report() -> serde_json::Value {
    let place = place();
    let flags = "-q salary,born,zip --class job -s ill -i name -k 4 --certificate";
    let run = place.hedgerow(&format!("anonymize t.csv {flags} -o r.csv --quiet --report i.json"));
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    serde_json::from_slice(&place.read("i.json")).unwrap()
}

fn keys(object: &serde_json::Value) -> BTreeSet<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The keys of the JSON are its schema: removing one is a new version.
#[test]
fn the_json_has_the_keys_of_its_schema() {
    let report = full_report();
    insta::assert_debug_snapshot!(keys(&report).into_iter().collect::<Vec<_>>());
}

/// The parts of a text between backticks.
fn codes(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_book_documents_the_keys_of_the_json() {
    let book =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/reference/report.md");
    // A package of the command line alone has no book.
    let Ok(page) = std::fs::read_to_string(book) else { return };
    let (_, table) = page.split_once("| key | content |\n|---|---|\n").unwrap();
    let rows: Vec<(BTreeSet<&str>, &str)> = (table.lines())
        .map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "))
        .map(|(of_row, content)| (codes(of_row), content))
        .collect();
    let report = full_report();
    let of_whole = rows.iter().flat_map(|(of_row, _)| of_row).copied();
    let documented: BTreeSet<&str> = of_whole.filter(|key| !key.contains('[')).collect();
    // This release was attacked, and its run had nothing to note.
    let others = ["not_attacked", "notes"];
    let real: BTreeSet<&str> = keys(&report).into_iter().chain(others).collect();
    assert_eq!(documented, real);
    let content = |key: &str| rows.iter().find(|(of_row, _)| of_row.contains(key)).unwrap().1;
    for key in ["certificate", "sample", "classification"] {
        assert_eq!(codes(content(key)), keys(&report[key]), "{key}");
    }
    // The others also name values, or keys that this report has no need for.
    for key in ["release", "verdict", "headline", "decision", "class_sizes", "accounting"] {
        assert!(codes(content(key)).is_superset(&keys(&report[key])), "{key}: {}", report[key]);
    }
    for key in ["claims", "roles", "hierarchies", "columns"] {
        for item in report[key].as_array().unwrap() {
            assert!(codes(content(key)).is_superset(&keys(item)), "{key}: {item}");
        }
    }
    for column in report["columns"].as_array().unwrap() {
        let chart = &column["chart"];
        assert!(codes(content("columns[].chart")).is_superset(&keys(chart)), "{chart}");
    }
}

/// The command of a report holds for the file, and has no folder of the publisher.
#[test]
fn a_report_shows_the_command_that_verifies_its_release() {
    let place = place();
    anonymize(&place, "--report i.html --report-public p.html");
    let command = |page: &str| {
        let (_, rest) = page.split_once("<pre>hedgerow verify ").unwrap();
        rest.split_once("</pre>").unwrap().0.to_owned()
    };
    let internal = command(&text(&place, "i.html"));
    assert_eq!(
        internal,
        "r.csv --quasi salary,born,job,zip -k 4 --sensitive ill --privacy l-diversity:kind=distinct,l=2.0"
    );
    let public = command(&text(&place, "p.html"));
    assert_eq!(public, "r.csv --quasi salary,born,job,zip -k 4");
    let of_files = "report --original ./t.csv --release ./r.csv -q salary,born,job,zip -s ill -k 4 --l-diversity 2 -o f.html";
    assert_eq!(place.hedgerow(of_files).status.code(), Some(0));
    assert_eq!(command(&text(&place, "f.html")), internal);
    for command in [internal, public] {
        let run = place.hedgerow(&format!("verify {command}"));
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    }
}
