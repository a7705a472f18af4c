//! Values that a release must not reveal: rare values, values of records that were left out, and
//! values of other records.

use crate::support::{Place, outcome, release, shown};

/// A table of ages and words. The lowest age, the highest and some in between occur once.
fn people() -> String {
    let mut rows: Vec<String> = Vec::new();
    for (age, count) in [(3, 1), (20, 6), (21, 1), (34, 5), (35, 2), (47, 8), (61, 1), (98, 1)] {
        rows.extend((0..count).map(|i| format!("{age},{}", ["nurse", "cook", "smith"][i % 3])));
    }
    rows.extend(["40,shah".to_owned(), "41,pope".to_owned()]);
    "age,job\n".to_owned() + &rows.join("\n") + "\n"
}

#[test]
fn values_of_left_out_records_are_not_published() {
    let table = "x,y\n1,p\n2,q\n,r\n1,p\n2,q\n";
    let place = Place::new().with("t.csv", table);
    let drop = "-q x,y -k 4 --missing drop --hierarchy y=free --hierarchy x=free";
    let found = outcome(&place, drop);
    assert!(!release(&place).contains('r'), "{}", release(&place));
    assert_eq!((&found["dropped"], &found["released"]), (&1.into(), &4.into()));
    assert_eq!(found["loss"]["ntil"], 1.0, "two values of two are everything");
}

#[test]
fn rare_values_are_counted_by_column() {
    let place = Place::new().with("t.csv", people());
    let args = "-q age,job -k 3 --hierarchy age=iotf --hierarchy job=free --method k-member";
    let found = outcome(&place, args);
    assert!(found["spelled"]["age"]["rare"].as_u64().unwrap() >= 2, "{found:#}");
    assert!(found["spelled"]["job"]["rare"].as_u64().unwrap() >= 1, "{found:#}");
    let summary = place.hedgerow(&format!("anonymize t.csv -o r.csv --force {args}"));
    assert!(shown(&summary).contains("belong to fewer than 3 records"), "{}", shown(&summary));
}

#[test]
fn rare_values_can_be_hidden() {
    let place = Place::new().with("t.csv", people());
    let hierarchies = [("iotf", "free"), ("free", "frequency"), ("cgh", "frequency")];
    for (age, job) in hierarchies {
        for method in ["hedge", "k-member", "mondrian", "local"] {
            if method == "local" && (age, job) != hierarchies[2] {
                continue; // the method needs levels
            }
            let args = format!(
                "-q age,job -k 3 --hierarchy age={age} --hierarchy job={job} --method {method} \
                 --rare-values hide"
            );
            let found = outcome(&place, &args);
            for column in ["age", "job"] {
                assert_eq!(found["spelled"][column]["rare"], 0, "{args}\n{}", release(&place));
            }
            for cell in release(&place).lines().skip(1).flat_map(|row| row.split([',', '"'])) {
                let shown = cell.trim_matches([' ', '[', ']', '{', '}']);
                let rare = ["3", "21", "35", "40", "41", "61", "98", "shah", "pope"];
                assert!(!rare.contains(&shown), "{args}\n{}", release(&place));
            }
            assert!(place.hedgerow("verify r.csv -q age,job -k 3").status.success());
        }
    }
}

#[test]
fn hidden_values_are_measured_as_they_are_reported() {
    let place = Place::new().with("t.csv", people());
    let args = "-q age,job -k 3 --hierarchy age=free --hierarchy job=free --rare-values hide";
    let found = outcome(&place, args);
    let measured =
        place.hedgerow("measure --original t.csv --release r.csv -q age,job -k 3 --json");
    let measured: serde_json::Value = serde_json::from_slice(&measured.stdout).unwrap();
    for loss in ["ntil", "nil1", "lm", "dm"] {
        let [one, other] = [&found, &measured].map(|v| v["release_loss"][loss].as_f64().unwrap());
        assert!((one - other).abs() < 1e-9, "{loss}: {one} {other}\n{}", release(&place));
    }
}

#[test]
fn a_group_named_like_a_value_is_refused() {
    let place = Place::new()
        .with("t.csv", "sex\nMale\nFemale\nMale\nFemale\n")
        .with("sex.csv", "Male;Male;*\nFemale;Male;*\n");
    let args = "anonymize t.csv -q sex -k 3 --hierarchy sex=sex.csv -o r.csv";
    insta::assert_snapshot!(shown(&place.hedgerow(args)));
    let forced = place.hedgerow(&format!("{args} --force-labels --quiet"));
    insta::assert_snapshot!(shown(&forced));
}

#[test]
fn missing_cells_that_are_published_with_a_value_are_counted() {
    let place = Place::new().with("t.csv", "town,x\nA,1\nA,1\n,1\nB,1\nB,1\n,1\n,1\n");
    let found = outcome(&place, "-q town -k 2 --missing wildcard --method k-member");
    let n_blank = release(&place).lines().skip(1).filter(|row| row.starts_with(',')).count();
    let filled = found["filled"].get("town").map_or(0, |n| n.as_u64().unwrap() as usize);
    assert_eq!(filled + n_blank, 3, "{found:#}\n{}", release(&place));
    assert!(filled > 0);
    let summary = place.hedgerow(
        "anonymize t.csv -o r.csv --force -q town -k 2 --missing wildcard --method k-member",
    );
    assert!(shown(&summary).contains("Filled: "), "{}", shown(&summary));
}

#[test]
fn formulas_are_escaped_and_numbers_are_unchanged() {
    let table = "age,=note,illness\n-5,=1+1,+flu\n-5,@x,+flu\n-7,-2.5,gout\n-7,'=q,gout\n";
    let place = Place::new().with("t.csv", table);
    let options = "-q age -k 2 -s illness --l-diversity 2 --keep-order --spreadsheet-safe";
    outcome(&place, options);
    let wanted = "age,'=note,illness\n*,'=1+1,'+flu\n*,'@x,'+flu\n*,-2.5,gout\n*,''=q,gout\n";
    assert_eq!(release(&place), wanted);
    let verify = "verify r.csv -q age -k 2 -s illness --l-diversity 2 --spreadsheet-safe";
    assert!(place.hedgerow(verify).status.success());
    let dash = "-q age -k 2 --keep-order --spreadsheet-safe --interval-style dash";
    outcome(&place, &format!("{dash} --hierarchy age=free"));
    let measure = "measure --original t.csv --release r.csv -q age --json --spreadsheet-safe";
    let measured = place.hedgerow(measure);
    assert!(measured.status.success(), "{}", shown(&measured));
}

#[test]
fn leaving_out_every_record_is_an_error() {
    let place = Place::new().with("t.csv", "x,y,s\n1,,5\n,2,7\n");
    let run = place.hedgerow(
        "anonymize t.csv -o r.csv -q x,y -k 1 -s s --missing drop \
         --privacy t-closeness:t=0.5,distance=ordered",
    );
    assert!(
        shown(&run).contains(
            "every record was left out, because each lacks a value of a quasi-identifier"
        ),
        "{}",
        shown(&run)
    );
}
