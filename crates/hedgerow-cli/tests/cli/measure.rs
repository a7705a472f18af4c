//! `hedgerow measure`: losses of a release from its files alone.

use crate::support::{Place, adult, json, losses_left_out, shown};

/// Given the hierarchies and the class column, `measure` finds every loss that the run reported.
#[test]
fn every_loss_is_found_from_files_alone() {
    let place = Place::new();
    let adult = adult();
    let education = adult.replace("adult.csv", "hierarchies/education.csv");
    let build = format!("hierarchy build {adult} -c age -m iotf -o age.json");
    assert!(place.hedgerow(&build).status.success());
    let args = "-q age,education -k 20 --class income --json";
    let trees = format!("--hierarchy age=age.json --hierarchy education={education}");
    let outcome = json(
        &place.hedgerow(&format!("anonymize {adult} {args} {trees} --drop education-num -o r.csv")),
    );
    let files = format!("--original {adult} --release r.csv");
    let measured = json(&place.hedgerow(&format!("measure {files} {args} {trees}")));
    assert_eq!(losses_left_out(&measured, &outcome), [""; 0]);
    let n_losses = measured["release_loss"].as_object().unwrap().len();
    assert_eq!(n_losses, hedgerow::loss::ALL.len());
}

/// Records with `*` in every quasi-identifier are counted the same way, whether they were
/// suppressed or generalized to the roots.
#[test]
fn every_command_counts_fully_generalized_records_the_same_way() {
    let rows: String =
        (0..8).map(|row| format!("{},{},{}\n", row / 4, row / 2 % 2, row % 2)).collect();
    let place = Place::new().with("t.csv", format!("a,b,c\n{rows}0,0,0\n0,0,0\n"));
    for (flags, [suppressed, show_nothing]) in [
        ("--method mu-argus:max-comb=2", [0, 7]),
        ("--method mu-argus:max-comb=2 --suppress 100%", [7, 0]),
        ("--method mu-argus:max-comb=2 --suppress 100% --drop-suppressed", [7, 0]),
    ] {
        let run = format!("anonymize t.csv -q a,b,c -k 2 -o r.csv --force --json {flags}");
        let outcome = json(&place.hedgerow(&run));
        assert_eq!(outcome["suppressed"], suppressed, "{flags}: {outcome:#}");
        assert_eq!(outcome["show_nothing"].as_u64().unwrap_or(0), show_nothing, "{flags}");
        for k in ["", " -k 2"] {
            let files = "measure --original t.csv --release r.csv";
            let measured = json(&place.hedgerow(&format!("{files} -q a,b,c --json{k}")));
            assert_eq!(measured["suppressed"], 7, "{flags}");
            assert_eq!(measured["classes"], outcome["classes"], "{flags}");
            if !k.is_empty() {
                losses_left_out(&measured, &outcome);
            }
        }
        let verified = json(&place.hedgerow("verify r.csv -q a,b,c -k 2 --json"));
        assert_eq!(verified["classes"], outcome["classes"], "{flags}");
        let n_shown = verified["rows"].as_u64().unwrap() - verified["suppressed"].as_u64().unwrap();
        assert_eq!(n_shown, 3, "{flags}: {verified:#}");
    }
}

#[test]
fn records_missing_from_a_release_have_maximum_loss() {
    let rows = "job,sick\nnurse,y\nnurse,y\nsmith,n\nsmith,y\ncook,n\ncook,n\n";
    let place = Place::new().with("o.csv", rows).with("r.csv", rows.replace("cook,n\n", ""));
    let measured = "measure --original o.csv --release r.csv -q job --class sick -k 2 --json";
    let losses = &json(&place.hedgerow(measured))["release_loss"];
    for (name, wanted) in
        [("ntil", 2.0 / 6.0), ("cm", 3.0 / 6.0), ("dm", 4.0 + 4.0 + 12.0), ("entropy", 2.0 / 6.0)]
    {
        let found = losses[name].as_f64().unwrap();
        assert!((found - wanted).abs() < 1e-9, "{name}: {found} {wanted}");
    }
}

/// Other tools, or users who edit a file, may write a value twice in a set.
#[test]
fn a_value_counts_once_in_a_set() {
    let place = Place::new().with("o.csv", "job\na\nb\na\n");
    let place = place.with("r.csv", "job\n\"{a, a, b}\"\n\"{a, b}\"\n\"{a, a}\"\n");
    let measured =
        json(&place.hedgerow("measure --original o.csv --release r.csv -q job -k 1 --json"));
    let ntil = measured["release_loss"]["ntil"].as_f64().unwrap();
    assert!((ntil - 2.0 / 3.0).abs() < 1e-9, "{ntil}");
}

#[test]
fn decision_trees_measure_the_utility_of_a_release() {
    let row = |n: u32| format!("{},{},{}\n", n % 2, n % 7, ["n", "y"][n as usize % 2]);
    let rows: String = (0..210).map(row).collect();
    let table = format!("a,b,c\n{rows}");
    let blurred = table.replace("\n0,", "\n*,").replace("\n1,", "\n*,");
    let place = Place::new().with("o.csv", table).with("r.csv", blurred);
    let measure = "measure --original o.csv --release r.csv -q a,b --class c --classify --seed 3";
    let found = json(&place.hedgerow(&format!("{measure} --json")));
    let found = &found["classification"];
    assert_eq!((found["baseline"].as_f64(), found["tested"].as_u64()), (Some(0.0), Some(210)));
    for blind in ["error", "majority"] {
        assert!(found[blind].as_f64().unwrap() > 0.4, "{blind} {found}");
    }
    insta::assert_snapshot!(shown(&place.hedgerow(measure)));
}

#[test]
fn predicting_needs_a_column() {
    let place = Place::new().with("o.csv", "a\n1\n2\n");
    let measure = "measure --original o.csv --release o.csv -q a --classify";
    insta::assert_snapshot!(shown(&place.hedgerow(measure)));
}
