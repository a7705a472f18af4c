//! Bad input: every message as a user sees it, and no partial output.

use crate::support::{Place, adult, shown, unlisted};

const PEOPLE: &str = "name,age,job\nAnn,23,nurse\nBob,25,cook\nCid,41,smith\nDea,44,nurse\n";
const ANONYMIZE: &str = "anonymize t.csv -q age --keep-others -k 2 -o out.csv";

/// Runs a command on a table, and checks that it leaves no file behind.
fn refused(table: impl AsRef<[u8]>, args: &str) -> String {
    let place = Place::new().with("t.csv", table);
    let output = place.hedgerow(args);
    assert_eq!(place.files(), ["t.csv"], "{args} left something behind");
    assert_ne!(output.status.code(), Some(0), "{args} succeeded");
    unlisted(&shown(&output))
}

macro_rules! refuses {
    ($($(#[$attribute:meta])* $name:ident: $table:expr, $args:expr;)*) => {
        $(#[test]
        $(#[$attribute])*
        fn $name() {
            insta::assert_snapshot!(refused($table, $args));
        })*
    };
}

refuses! {
    no_such_file: PEOPLE, "anonymize u.csv -q age -k 2 -o out.csv";
    not_utf8: b"name,age\nAnn,23\nJos\x81,25\n", ANONYMIZE;
    not_utf8_in_the_header: b"pr\x81nom,age\nAnn,23\n", ANONYMIZE;
    damaged_utf16: b"\xff\xfea\x00g\x00e\x00\n\x001\x00\n", ANONYMIZE;
    empty_file: "", ANONYMIZE;
    header_only: "name,age\n", ANONYMIZE;
    ragged_row: "name,age\nAnn,23\n\nBob,25,cook\n", ANONYMIZE;
    duplicate_column: "age,job,age\n1,2,3\n", ANONYMIZE;
    nameless_column: "age,,job\n1,2,3\n", ANONYMIZE;
    unknown_column: PEOPLE, "anonymize t.csv --keep-others -q aeg -k 2 -o out.csv";
    column_with_two_roles: PEOPLE, "anonymize t.csv --keep-others -q age,job -s job -k 2 -o out.csv";
    column_named_twice: PEOPLE, "anonymize t.csv --keep-others -q age,age -k 2 -o out.csv";
    text_for_a_numeric_builder: PEOPLE, "anonymize t.csv --keep-others -q job -k 2 -o out.csv --hierarchy job=iotf";
    one_word_among_numbers: "age\n1\n2\nold\n4\n",
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --hierarchy age=chu";
    a_code_for_a_numeric_builder: "zip\n02139\n90210\n",
        "anonymize t.csv --keep-others -q zip -k 2 -o out.csv --hierarchy zip=iotf";
    forced_kind: PEOPLE, "anonymize t.csv --keep-others -q job -k 2 -o out.csv --kind job=number";
    k_is_zero: PEOPLE, "anonymize t.csv --keep-others -q age -k 0 -o out.csv";
    k_is_not_a_number: PEOPLE, "anonymize t.csv --keep-others -q age -k five -o out.csv";
    k_is_more_than_the_rows: PEOPLE, "anonymize t.csv --keep-others -q age -k 5 -o out.csv";
    unknown_method: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --method kmember";
    #[cfg_attr(not(feature = "wordnet"), ignore = "needs words")]
    unknown_hierarchy_method: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --hierarchy age=iotff";
    unknown_parameter: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --hierarchy age=han:fanout=3";
    parameter_of_auto: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --method auto:x=1";
    k_below_zero: PEOPLE, "anonymize t.csv --keep-others -q age -k -1 -o out.csv";
    parameter_out_of_range: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --hierarchy age=han:fan-out=1";
    hierarchy_of_a_column_that_is_not_generalized: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --hierarchy job=free";
    missing_value_that_is_an_error: "age\n1\n\"\"\n3\n",
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --missing error";
    limit_of_a_column_that_is_not_generalized: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --limit job=care";
    limit_of_an_unknown_column: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --limit jop=care";
    limit_given_twice: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --hierarchy age=iotf --limit age=level:1 --limit age=level:1";
    suppress_below_zero: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --suppress -1";
    suppress_below_zero_percent: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --suppress -5%";
    loss_of_a_method_without_the_choice: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --method k-member --loss dm";
    until_of_a_method_without_steps: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --method optimal --until 3";
    unknown_recoding: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --recoding cell";
    a_method_that_recodes_otherwise: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --method hedge --recoding full-domain";
    a_time_below_zero: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --time -1";
    time_of_a_method_that_cannot_end_early: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --method datafly --time 3";
    k_is_more_than_the_one_row: "age\n1\n", "anonymize t.csv --keep-others -q age -k 2 -o out.csv";
    no_roles: PEOPLE, "anonymize t.csv -k 2 -o out.csv";
    no_k: PEOPLE, "anonymize t.csv --keep-others -q age -o out.csv";
    no_output: PEOPLE, "anonymize t.csv --keep-others -q age -k 2";
    output_directory_missing: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o no/such/out.csv";
    output_is_a_directory: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o . --force";
    output_below_a_file: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o t.csv/out.csv";
    output_is_the_input: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o t.csv --force";
    output_is_a_device: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o /dev/null --force";
    output_is_not_csv: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.xlsx";
    quote_that_is_never_closed: "age,note\n30,a\n31,\"b\n32,c\n33,d\n", ANONYMIZE;
    quote_that_is_never_closed_after_crlf: "age,note\r\n30,a\r\n31,\"b\r\n32,c\r\n", ANONYMIZE;
    ragged_row_after_crlf: "name,age\r\nAnn,23\r\n\r\nBob,25,cook\r\n", ANONYMIZE;
    only_blank_lines: "\n\n\n", ANONYMIZE;
    all_records_left_out: "age,job\n,a\n,b\n", "anonymize t.csv --keep-others -q age -k 1 -o out.csv --missing drop";
    hierarchy_given_twice: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --hierarchy age=iotf --hierarchy age=chu";
    bounds_that_exist: "age,age_min\n1,2\n3,4\n",
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --interval-style bounds";
    column_verified_twice: PEOPLE, "verify t.csv -q age,age -k 2";
    two_character_delimiter: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --delimiter ;;";
    wrong_delimiter: PEOPLE, "anonymize t.csv --keep-others -q age -k 2 -o out.csv --delimiter ;";
    truncated_gzip: b"\x1f\x8b\x08\0\0\0\0\0\0\x03", ANONYMIZE;
    #[cfg_attr(not(feature = "parquet"), ignore = "needs Parquet")]
    truncated_parquet: b"PAR1 and no more", ANONYMIZE;
    free_has_no_tree: PEOPLE, "hierarchy build t.csv -c age -m free";
    hierarchy_of_unknown_format: PEOPLE, "hierarchy build t.csv -c age -o age.yaml";
    traversal_of_two_columns: PEOPLE, "anonymize t.csv --keep-others -q age,job -k 2 -o out.csv --method traversal";
    traversal_with_another_hierarchy: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --method traversal:order=pre --hierarchy age=iotf";
    traversal_of_an_unknown_tree: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --method traversal:tree=splay";
    traversal_in_an_unknown_order: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --method traversal:order=level";
    traversal_with_a_key_missing_from_its_tree: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 2 -o out.csv --method traversal:tree=huffman,key=value";
    traversal_of_fewer_than_k_records: PEOPLE,
        "anonymize t.csv --keep-others -q age -k 5 -o out.csv --method traversal";
    sets_without_k: PEOPLE, "hierarchy build t.csv -c age -m avl";
    sets_of_no_records: PEOPLE, "hierarchy build t.csv -c age -m avl:k=0";
    sets_of_a_negative_number_of_records: PEOPLE, "hierarchy build t.csv -c age -m bst:k=-1";
    k_of_a_measure_is_zero: PEOPLE, "measure --original t.csv --release t.csv -q name,age -k 0";
}

/// Runs `anonymize` on a text column with a hierarchy file.
fn with_hierarchy(name: &str, hierarchy: &str) -> String {
    let place = Place::new().with("t.csv", PEOPLE).with(name, hierarchy);
    let output = place.hedgerow(&format!(
        "anonymize t.csv --keep-others -q job -k 2 -o out.csv --hierarchy job={name}"
    ));
    assert!(!place.files().contains(&"out.csv".to_owned()));
    shown(&output)
}

#[test]
fn an_output_that_exists() {
    let place = Place::new().with("t.csv", PEOPLE).with("out.csv", "precious");
    insta::assert_snapshot!(shown(&place.hedgerow(ANONYMIZE)));
    assert_eq!(place.read("out.csv"), b"precious");
    assert!(place.hedgerow(&format!("{ANONYMIZE} --force --quiet")).status.success());
    assert_ne!(place.read("out.csv"), b"precious");
}

#[test]
fn a_pipe_is_read_once_and_a_table_twice() {
    let place = Place::new().with("t.csv", PEOPLE);
    let output = place.shell("cat t.csv | $HEDGEROW verify /dev/stdin -q age -k 1");
    insta::assert_snapshot!(shown(&output));
}

#[test]
fn a_value_missing_from_its_hierarchy() {
    insta::assert_snapshot!(with_hierarchy("job.csv", "nurse;care;*\ndoctor;care;*\n"));
}

#[test]
fn a_hierarchy_node_with_two_parents() {
    insta::assert_snapshot!(with_hierarchy(
        "job.csv",
        "nurse;care;white;*\ncook;food;blue;*\nsmith;care;blue;*\n"
    ));
}

#[test]
fn a_hierarchy_with_ragged_rows() {
    insta::assert_snapshot!(with_hierarchy("job.csv", "nurse;care;*\ncook;*\nsmith;craft;*\n"));
}

#[test]
fn a_hierarchy_with_an_empty_label() {
    insta::assert_snapshot!(with_hierarchy("job.csv", "nurse;care;*\ncook;;*\n"));
}

#[test]
fn a_hierarchy_that_is_not_json() {
    insta::assert_snapshot!(with_hierarchy("job.json", "{\"hedgerow\":1,\"nodes\":[{\"id\":0"));
}

#[test]
fn a_hierarchy_file_that_is_not_there() {
    insta::assert_snapshot!(refused(
        PEOPLE,
        "anonymize t.csv --keep-others -q job -k 2 -o out.csv --hierarchy job=jobs.csv"
    ));
}

#[test]
fn a_job_file_with_an_unknown_key() {
    let job =
        "input = \"t.csv\"\noutput = \"out.csv\"\nquasi = [\"age\"]\nk = 2\nmetod = \"auto\"\n";
    let place = Place::new().with("job.toml", job).with("t.csv", PEOPLE);
    insta::assert_snapshot!(shown(&place.hedgerow("anonymize job.toml")));
}

#[test]
fn a_job_file_with_an_invalid_value() {
    let said = |line: &str| {
        let job = format!("input = \"t.csv\"\noutput = \"out.csv\"\nquasi = [\"age\"]\n{line}\n");
        let place = Place::new().with("job.toml", job).with("t.csv", PEOPLE);
        let output = place.hedgerow("anonymize job.toml");
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let lines = [
        "k = 0",
        "k = \"five\"",
        "k = -3",
        "k = 2.5",
        "k = 2\nloss = \"dm\"\nmethod = \"k-member\"",
        "k = 2\nuntil = 3\nmethod = \"hedge\"",
        "k = 2\ntime = 3\nmethod = \"local\"",
        "k = 2\ntime = -1\nmethod = \"optimal\"",
        "k = 2\nsuppress = -1",
    ];
    insta::assert_snapshot!(lines.map(said).join("\n"));
}

/// `loss`, `until` and `time` mean the same in a job file as on the command line.
#[test]
fn a_job_file_means_the_same_as_flags() {
    let table = "age,zip\n20,7\n21,7\n30,8\n31,8\n20,9\n31,9\n";
    let job = "input = \"t.csv\"\nquasi = [\"age\", \"zip\"]\nk = 2\n";
    for (lines, flags, sign) in [
        ("method = \"optimal\"\nloss = \"dm\"", "--method optimal --loss dm", "least dm of all"),
        (
            "method = \"bottom-up\"\nuntil = \"A>=6\"",
            "--method bottom-up --until A>=6",
            "until=A>=6",
        ),
        ("method = \"bottom-up\"\nuntil = 5", "--method bottom-up --until 5", "until=5"),
        (
            "method = \"optimal\"\ntime = 1e-9",
            "--method optimal --time 1e-9",
            "the time limit was reached",
        ),
    ] {
        let place = Place::new().with("t.csv", table).with("job.toml", format!("{lines}\n{job}"));
        let told = |args: &str| {
            let trees = "--hierarchy age=iotf --hierarchy zip=iotf";
            let output = place.hedgerow(&format!("anonymize {args} {trees} --json"));
            assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
            let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            format!("{} {}", outcome["method"], outcome["notes"])
        };
        let by_job = told("job.toml -o r.csv");
        assert!(by_job.contains(sign), "{by_job}");
        assert_eq!(by_job, told(&format!("t.csv -q age,zip -k 2 -o s.csv {flags}")));
        assert_eq!(place.read("r.csv"), place.read("s.csv"), "{lines}");
    }
}

#[test]
fn a_release_with_an_unexplained_label() {
    let released = "name,age,job\nAnn,23,care\nBob,25,craft\nCid,41,craft\nDea,44,care\n";
    let place = Place::new().with("t.csv", PEOPLE).with("r.csv", released);
    let output = place.hedgerow("measure --original t.csv --release r.csv -q job");
    insta::assert_snapshot!(shown(&output));
}

/// A limit on file sizes simulates a full disk.
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let place = Place::new();
    let line = format!(
        "trap '' XFSZ; ulimit -f 1; $HEDGEROW anonymize {} -q age -k 5 -o out.csv",
        adult()
    );
    let output = place.shell(&line);
    assert_eq!(place.files(), Vec::<String>::new());
    insta::assert_snapshot!(shown(&output));
    let line = format!(
        "trap '' XFSZ; ulimit -f 1; $HEDGEROW hierarchy build {} -c fnlwgt -o out.json",
        adult()
    );
    assert_eq!(place.shell(&line).status.code(), Some(2));
    assert_eq!(place.files(), Vec::<String>::new());
}

#[test]
fn a_broken_pipe_is_success() {
    let place = Place::new();
    let line = format!(
        "{{ $HEDGEROW hierarchy build {} -c fnlwgt; echo exit $? >&2; }} | head -n 1",
        adult()
    );
    insta::assert_snapshot!(shown(&place.shell(&line)));
}
