//! Rare values: counted as each interval style shows them, and hidden in every kind of column.

use crate::support::{Place, outcome, release, shown};

#[test]
fn rare_dates_on_the_first_of_a_month_are_hidden_too() {
    let days = ["2024-03-01", "2024-03-09", "2024-03-09", "2024-03-09"];
    let days = [days.as_slice(), &["2024-05-02"; 3]].concat();
    let place = Place::new().with("t.csv", format!("d\n{}\n", days.join("\n")));
    let found = outcome(&place, "-q d -k 3 --hierarchy d=free --rare-values hide --keep-order");
    assert_eq!(found["spelled"]["d"]["rare"], 0, "{}", release(&place));
    assert!(release(&place).contains("[2024, 2024-03-09]"), "{}", release(&place));
}

/// Names of several years end with the dates, and few are born in the first and the last year.
#[test]
fn the_years_of_the_oldest_and_the_youngest_are_hidden() {
    let days = ["1938-03-05", "1938-09-17", "1941-02-11", "1944-08-02", "1947-04-20", "1951-12-01"];
    let days = [&days[..], &["1957-05-06", "1961-01-30", "1968-10-11", "1974-07-25"]].concat();
    let place = Place::new().with("t.csv", format!("born\n{}\n", days.join("\n")));
    let args = "-q born -k 4 --hierarchy born=calendar:levels=year+40-years";
    outcome(&place, args);
    assert!(release(&place).contains("[1938, 1959]"), "{}", release(&place));
    outcome(&place, &format!("{args} --rare-values hide"));
    assert!(!release(&place).contains("1938"), "{}", release(&place));
    assert!(release(&place).contains("[1920, 1959]"), "{}", release(&place));
}

#[test]
fn the_only_value_of_a_column_cannot_be_hidden() {
    let place = Place::new().with("t.csv", "x,y\na,1\n,1\n,1\n,1\n");
    for hierarchy in ["free", "frequency"] {
        let args = "anonymize t.csv -o r.csv -q x -k 3 --missing wildcard --rare-values hide";
        let run = place.hedgerow(&format!("{args} --hierarchy x={hierarchy}"));
        assert_eq!(run.status.code(), Some(2), "{}", shown(&run));
        assert!(shown(&run).contains("as an identifier (--identifier "), "{}", shown(&run));
    }
}

#[test]
fn a_rare_number_among_wildcards_is_hidden() {
    let table = "x,y\n50,\n,\n,\n10,\n10,\n10,\n90,\n90,\n90,\n";
    let place = Place::new().with("t.csv", table);
    let hide = "--missing wildcard --rare-values hide --method k-member";
    let found = outcome(&place, &format!("-q x -k 3 --hierarchy x=free {hide}"));
    assert_eq!(found["spelled"]["x"]["rare"], 0, "{}", release(&place));
    assert!(!release(&place).lines().any(|row| row == "50,"), "{}", release(&place));
}

#[test]
fn rare_values_are_counted_as_each_style_shows_them() {
    let rows: String = (0..12).map(|i| format!("{i},w{i}\n")).collect();
    let place = Place::new().with("t.csv", format!("n,w\n{rows}"));
    let args = "-q n,w -k 4 --hierarchy n=iotf --hierarchy w=free --method k-member";
    for (style, most) in [("brackets", 6), ("midpoint", 0)] {
        let found = outcome(&place, &format!("{args} --interval-style {style}"));
        assert_eq!(found["spelled"]["w"]["rare"], 12, "{style}\n{}", release(&place));
        assert!(found["spelled"]["n"]["rare"].as_u64().unwrap() <= most, "{style}: {found:#}");
    }
    let found = outcome(&place, "-q n -k 12 --interval-style bounds --keep w");
    assert_eq!(found["spelled"]["n"]["rare"], 2, "the least and the greatest number are shown");
}

#[test]
fn intervals_of_a_file_are_rewritten_too() {
    let place = Place::new()
        .with("t.csv", "x\n17\n20\n20\n20\n58\n60\n60\n60\n")
        .with("x.csv", "17;17-20;*\n20;17-20;*\n58;58-60;*\n60;58-60;*\n");
    let found = outcome(&place, "-q x -k 3 --hierarchy x=x.csv --rare-values hide");
    assert_eq!(found["spelled"]["x"]["rare"], 0, "{}", release(&place));
    assert!(!release(&place).contains("17") && !release(&place).contains("58"));
}

#[test]
fn many_values_are_counted_quickly() {
    let rows: String = (0..20_000).map(|i| format!("word{}\n", i % 10_000)).collect();
    let place = Place::new().with("t.csv", format!("w\n{rows}"));
    let started = std::time::Instant::now();
    outcome(&place, "-q w -k 3 --hierarchy w=frequency --method mondrian");
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

#[test]
fn trees_with_hidden_values_are_measured_as_they_are_reported() {
    let ages = [(3, 1), (20, 6), (21, 1), (34, 5), (35, 2), (47, 8), (61, 1), (98, 1)];
    let rows = ages.iter().flat_map(|&(age, count)| {
        (0..count).map(move |i| format!("{age},{}\n", ["nurse", "cook", "smith", "pope"][i % 4]))
    });
    let place = Place::new().with("t.csv", format!("age,job\n{}", rows.collect::<String>()));
    for (column, method) in [("age", "iotf"), ("job", "frequency")] {
        let build = format!("hierarchy build t.csv -c {column} -m {method} -o {column}.json");
        assert!(place.hedgerow(&build).status.success());
    }
    let trees = "--hierarchy age=age.json --hierarchy job=job.json";
    let found = outcome(&place, &format!("-q age,job -k 3 --rare-values hide {trees}"));
    let measure = "measure --original t.csv --release r.csv -q age,job -k 3 --json";
    let measured = place.hedgerow(&format!("{measure} {trees}"));
    assert!(measured.status.success(), "{}", shown(&measured));
    let measured: serde_json::Value = serde_json::from_slice(&measured.stdout).unwrap();
    let losses = |value: &serde_json::Value| value["release_loss"].as_object().unwrap().clone();
    let (found, measured) = (losses(&found), losses(&measured));
    assert_eq!(found.keys().collect::<Vec<_>>(), measured.keys().collect::<Vec<_>>());
    for (loss, number) in found {
        let difference = number.as_f64().unwrap() - measured[&loss].as_f64().unwrap();
        assert!(difference.abs() < 1e-9, "{loss}: {number}\n{}", release(&place));
    }
}

#[test]
fn numbers_too_large_to_be_distinguished_are_refused() {
    let rows: String = (0..12).map(|i| format!("{}\n", i64::MAX - 3 * i)).collect();
    let place = Place::new().with("t.csv", format!("n\n{rows}"));
    let call = "anonymize t.csv -o r.csv -q n -k 3 --rare-values hide";
    let refused = place.hedgerow(call);
    assert_eq!(refused.status.code(), Some(2), "{}", shown(&refused));
    assert!(shown(&refused).contains("--kind n=text"), "{}", shown(&refused));
    assert_eq!(place.hedgerow(&format!("{call} --kind n=text")).status.code(), Some(0));
}
