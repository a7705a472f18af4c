//! Lattices with the real binary.

use std::fmt::Write;

use crate::support::{Place, adult, shown};

const TABLE: &str = "age,zip\n20,7\n21,7\n30,8\n31,8\n20,9\n31,9\n";

#[test]
fn a_lattice_is_listed_with_its_minimal_generalizations() {
    let place = Place::new().with("t.csv", TABLE);
    insta::assert_snapshot!(shown(&place.hedgerow("lattice t.csv -q age,zip -m iotf -k 2")));
    insta::assert_snapshot!(shown(&place.hedgerow("lattice t.csv -q age --json -k 2")));
}

#[test]
fn the_paper_of_s4_is_plotted_from_adult() {
    let place = Place::new();
    let methods = "-m cgh:min-width=4 -m dbgh:min-width=4 -m cbgh";
    let quasi = "-q age,education-num,hours-per-week";
    let plotted = place.hedgerow(&format!("lattice {} {quasi} {methods} --svg -o s4.svg", adult()));
    assert_eq!(plotted.status.code(), Some(0), "{}", shown(&plotted));
    let svg = String::from_utf8(place.read("s4.svg")).unwrap();
    assert!(svg.ends_with("</svg>\n") && svg.matches("<title>").count() > 300);
    for name in ["cgh:min-width=4", "dbgh:min-width=4", "cbgh"] {
        assert!(svg.contains(&format!(">{name}</text>")), "{name} is not in the legend");
    }
}

#[test]
fn a_column_without_levels_has_no_lattice() {
    let place = Place::new().with("t.csv", TABLE);
    insta::assert_snapshot!(shown(&place.hedgerow("lattice t.csv -q age,zip -m free")));
    insta::assert_snapshot!(shown(&place.hedgerow("lattice t.csv -q age,job")));
}

#[test]
fn a_k_that_no_generalization_attains_is_reported() {
    let place = Place::new().with("t.csv", TABLE);
    let asked = place.hedgerow("lattice t.csv -q age,zip -m iotf -k 100");
    assert_eq!(asked.status.code(), Some(1));
    assert!(shown(&asked).contains("None is 100-anonymous; the highest k attained is 6."));
    let other = place.hedgerow("lattice t.csv -q age --hierarchy zip=iotf");
    assert!(other.status.code() == Some(2) && shown(&other).contains("is not a quasi-identifier"));
}

#[test]
fn levels_that_do_not_nest_are_shown_saved_and_drawn() {
    let table: String = (1..=100).map(|age| format!("{age}\n")).collect();
    let place = Place::new().with("t.csv", format!("age\n{table}"));
    let build = "hierarchy build t.csv -c age -m dbgh:min-width=20";
    let built = place.hedgerow(build);
    insta::assert_snapshot!(shown(&built));
    assert_eq!(place.hedgerow(&format!("{build} -o x.json")).status.code(), Some(0));
    let read = place.hedgerow("hierarchy show x.json");
    assert_eq!(read.stdout, built.stdout);
    let drawn = place.hedgerow("hierarchy show x.json --format svg");
    let drawn = String::from_utf8(drawn.stdout).unwrap();
    assert!(drawn.starts_with("<svg xmlns=") && drawn.contains("[26, 50]"), "{drawn}");
    let json = place.hedgerow("hierarchy show x.json --format json");
    assert_eq!(json.stdout, place.read("x.json"));
    // The file is used like the method.
    let [by_file, by_method] = ["x.json", "dbgh:min-width=20"].map(|hierarchy| {
        let found =
            place.hedgerow(&format!("lattice t.csv -q age --hierarchy age={hierarchy} --json"));
        String::from_utf8(found.stdout).unwrap().split("\"columns\"").nth(1).unwrap().to_owned()
    });
    assert_eq!(by_file, by_method);
    let release = "anonymize t.csv -q age -k 25 --method optimal -o r.csv --hierarchy age=x.json";
    let released = place.hedgerow(release);
    assert_eq!(released.status.code(), Some(0), "{}", shown(&released));
}

#[test]
fn levels_that_do_not_nest_fit_no_other_format() {
    let table: String = (1..=100).map(|age| format!("{age}\n")).collect();
    let place = Place::new().with("t.csv", format!("age\n{table}"));
    let build = "hierarchy build t.csv -c age -m dbgh:min-width=20";
    assert_eq!(place.hedgerow(&format!("{build} -o x.json")).status.code(), Some(0));
    let damaged = String::from_utf8(place.read("x.json")).unwrap().replacen("\"25\"", "\"5\"", 1);
    let place = place.with("damaged.json", damaged).with("u.csv", "age\n7\n700\n");
    for (name, args) in [
        ("csv", "hierarchy build t.csv -c age -m dbgh:min-width=20 -o x.csv"),
        ("shown as csv", "hierarchy show x.json --format csv"),
        ("converted", "hierarchy convert x.json x.csv"),
        ("checked", "hierarchy check x.json"),
        ("damaged", "hierarchy show damaged.json"),
        ("other values", "lattice u.csv -q age --hierarchy age=x.json"),
    ] {
        let found = shown(&place.hedgerow(args));
        insta::assert_snapshot!(format!("levels_{}", name.replace(' ', "_")), found);
    }
    assert_eq!(place.files(), ["damaged.json", "t.csv", "u.csv", "x.json"]);
}

#[test]
fn parameters_out_of_range_say_the_range() {
    let place = Place::new().with("t.csv", "age\n-1.5\n2.5\n1e3\n");
    let place = place.with("u.csv", "age\n-1.5\n2.5\n7\n");
    let place = place.with("v.csv", "age\n1.00000000000000020\n1.00000000000000025\n");
    for (name, args) in [
        ("no unit", "t.csv -c age -m cgh"),
        ("below lo", "u.csv -c age -m cgh:lo=0"),
        ("min-width", "u.csv -c age -m dbgh:min-width=99"),
        ("finer than the unit", "u.csv -c age -m cbgh:width=0.25"),
        ("wrong type", "u.csv -c age -m cbgh:width=wide"),
        ("no such parameter", "u.csv -c age -m cgh:minwidth=3"),
        ("no k", "u.csv -c age -m dcht"),
        ("too fine", "v.csv -c age -m cgh"),
        ("hi too large", "u.csv -c age -m cgh:hi=1e17"),
        ("auto has none", "u.csv -c age -m auto:x=3"),
        ("given twice", "u.csv -c age -m han:fan-out=5,fan-out=6"),
        ("kind of no column", "u.csv -c age -m iotf --kind aeg=text"),
        ("not in order", "u.csv -c age -m ordered:order=2.5+-1.5+7"),
    ] {
        let found = shown(&place.hedgerow(&format!("hierarchy build {args}")));
        insta::assert_snapshot!(format!("range_{}", name.replace(' ', "_")), found);
    }
}

/// A chain of ten thousand levels would need a hundred million cells, and its tree hundreds of
/// megabytes.
#[test]
fn deep_hierarchies_are_refused_or_cut_in_time() {
    let mut chain = String::from("{\"hedgerow\":1,\"kind\":\"number\",\"nodes\":[");
    let n_values = 12_000;
    for value in 0..n_values {
        let parent = if value == 0 { "null".to_owned() } else { (2 * value - 2).to_string() };
        let (inner, leaf) = (2 * value, 2 * value + 1);
        let label = format!("at least {value}");
        write!(chain, r#"{{"id":{inner},"parent":{parent},"label":"{label}"}},"#).unwrap();
        write!(chain, r#"{{"id":{leaf},"parent":{inner},"value":"{value}"}},"#).unwrap();
    }
    chain.pop();
    let table: String = (0..n_values).map(|value| format!("{value}\n")).collect();
    let place = Place::new().with("deep.json", chain + "]}").with("t.csv", format!("x\n{table}"));
    let lattice = place.hedgerow("lattice t.csv -q x --hierarchy x=deep.json");
    insta::assert_snapshot!(shown(&lattice));
    let tree = place.hedgerow("hierarchy show deep.json");
    assert!(tree.status.success() && tree.stdout.len() < 1 << 20);
}
