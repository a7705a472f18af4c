//! Tables whose dates and numbers are written in other ways: months, short years, thousands, units.

use std::fmt::Write;

use crate::support::{Place, json, outcome, release, shown};

/// Months of diagnosis, with a stage.
fn months(write: impl Fn(u32, u32) -> String) -> String {
    let rows =
        (0..40u32).map(|row| format!("{},{}\n", write(1949 + row / 12, row % 12 + 1), row % 3));
    format!("seen,stage\n{}", rows.collect::<String>())
}

fn kind_of(place: &Place, args: &str) -> String {
    let inspected = json(&place.hedgerow(&format!("inspect t.csv --json {args}")));
    inspected["columns"][0]["kind"].as_str().unwrap().to_owned()
}

fn told(place: &Place, args: &str) -> String {
    shown(&place.hedgerow(args)).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn months_and_quarters_are_dates_on_the_whole_path() {
    let forms: [fn(u32, u32) -> String; 4] = [
        |year, month| format!("{year}-{month:02}"),
        |year, month| format!("{month:02}/{year}"),
        |year, month| format!("{month:02}.{year}"),
        |year, month| format!("{year}Q{}", month.div_ceil(3)),
    ];
    for form in forms {
        let table = months(form);
        let place = Place::new().with("t.csv", &table);
        assert_eq!(kind_of(&place, ""), "date", "{table}");
        for extra in
            ["", "--hierarchy seen=least-loss", "--interval-style bounds", "--rare-values hide"]
        {
            let args = format!("-q seen --keep stage -k 5 --keep-order {extra}");
            let found = outcome(&place, &args);
            assert_eq!(found["columns"]["seen"]["kind"], "date", "{found}");
            let verified = place.hedgerow("verify r.csv -q seen -k 5");
            assert!(verified.status.success(), "{}", shown(&verified));
            let measured = place.hedgerow("measure --original t.csv --release r.csv -q seen");
            assert!(measured.status.success(), "{extra}: {}{}", release(&place), shown(&measured));
        }
    }
}

#[test]
fn months_have_years_above_them() {
    let place = Place::new().with("t.csv", months(|year, month| format!("{year}-{month:02}")));
    let built = place.hedgerow("hierarchy build t.csv -c seen -m calendar");
    assert!(built.status.success(), "{}", shown(&built));
    let tree = String::from_utf8(built.stdout).unwrap();
    let places = ["1949  12", "1949-Q1  3", "1949-02  1"].map(|node| tree.find(node).unwrap());
    assert!(places.is_sorted(), "{tree}");
}

#[test]
fn the_century_of_short_years_is_said_and_doubted() {
    let rows =
        (0..30).map(|row| format!("{:02}.03.{:02},{}\n", row % 28 + 1, 35 + 2 * row, row % 2));
    let table = format!("born,sex\n{}31.05.26,1\n31.05.27,1\n", rows.collect::<String>());
    let place = Place::new().with("t.csv", table);
    let said = told(&place, "anonymize t.csv -q born --keep sex -k 3 -o r.csv");
    assert!(said.contains("have two digits and are read as 1927 to 2026"), "{said}");
    assert!(said.contains("--date-format 'born=%d.%m.%y until 2025'"), "{said}");
    let refused = told(&place, "anonymize t.csv -q born -k 3 -o r2.csv --date-format born=dmy");
    assert!(refused.contains("--date-format born=%d.%m.%y"), "{refused}");
}

/// `15` can be 1915 or 2015, and only the owner of the table knows.
#[test]
fn births_of_a_doubtful_century_are_a_warning_and_cells_cover_what_is_stated() {
    let rows = (0..80).map(|row| format!("{:02}.03.{:02}\n", row % 28 + 1, (15 + row) % 100));
    let place = Place::new().with("t.csv", format!("dob\n{}", rows.collect::<String>()));
    let said = told(&place, "anonymize t.csv -q dob -k 3 -o r.csv");
    assert!(said.contains("12 records are read as born from 2000 to 2026"), "{said}");
    assert!(said.contains("--date-format 'dob=%d.%m.%y until 1999'"), "{said}");
    let stated = "--date-format 'dob=%d.%m.%y until 1999'";
    let line = format!("$HEDGEROW anonymize t.csv -q dob -k 3 -o r.csv --force {stated}");
    let said = shown(&place.shell(&line));
    assert!(said.starts_with("exit 0") && !said.contains("born from 2000"), "{said}");
    assert!(release(&place).contains("191") && !release(&place).contains("201"));
}

#[test]
fn the_file_decides_what_a_point_is() {
    let rows = |with: &str| {
        let each = (0..40).map(|row| match row % 4 {
            0 => format!("{};m;{row}{with}\n", 600 + row),
            _ => format!("{}.{};m;{row}{with}\n", 10 + row, 100 + 7 * row),
        });
        format!("income;sex;value\n{}", each.collect::<String>())
    };
    let place = Place::new().with("t.csv", rows(",5"));
    let found = json(&place.hedgerow("inspect t.csv --json"));
    assert_eq!(found["columns"][0]["least"], "600", "{found}");
    assert_eq!(found["columns"][0]["greatest"], "49.373", "{found}");
    let said = told(&place, "inspect t.csv");
    assert!(said.contains("has fields that are separated by semicolons"), "{said}");
    assert!(said.contains("The points of column 'income' separate thousands"), "{said}");

    let place = Place::new().with("t.csv", rows(""));
    for args in ["inspect t.csv", "anonymize t.csv -q income --keep-others -k 3 -o r.csv"] {
        let said = told(&place, args);
        assert!(said.contains("if it means 11107 (--decimal ,)"), "{said}");
        assert!(said.contains("if it means 11.107 (--decimal .)"), "{said}");
    }
    let said = told(&place, "inspect t.csv --decimal .");
    assert!(!said.contains("--decimal"), "{said}");
}

#[test]
fn separated_thousands_are_read_and_published_plainly() {
    let rows = (0..20).map(|row| format!("\"{},{:03}\",{row}\n", 20 + row, 100 * (row % 10)));
    let place = Place::new().with("t.csv", format!("income,x\n{}", rows.collect::<String>()));
    let args = "-q income --keep x -k 4 --keep-order --hierarchy income=free";
    let found = outcome(&place, args);
    assert!(found["notes"].to_string().contains("thousands are separated"), "{found}");
    assert!(release(&place).starts_with("income,x\n\"[20000, 24400]\",0\n"), "{}", release(&place));
    for args in
        ["verify r.csv -q income -k 4", "measure --original t.csv --release r.csv -q income"]
    {
        let output = place.hedgerow(args);
        assert!(output.status.success(), "{}", shown(&output));
    }
}

#[test]
fn text_that_looks_like_something_else_is_said() {
    let columns: [(&str, [&str; 4]); 7] = [
        ("ambiguous", ["01/02/2020", "03/04/2020", "05/06/2020", "07/08/2020"]),
        ("mixed", ["01.01.2020", "2020-01-02", "03.01.2020", "2020-01-04"]),
        ("german", ["18. März 1967", "24. Juni 1997", "1. Mai 1980", "2. Juli 1981"]),
        ("height", ["156 cm", "160 cm", "171 cm", "180 cm"]),
        ("share", ["13%", "33%", "8%", "45%"]),
        ("balance", ["(246)", "85", "(12)", "7"]),
        ("ratio", ["inf", "1", "2.5", "-inf"]),
    ];
    let mut told = String::new();
    for (name, values) in columns {
        let rows: String = values.iter().map(|value| format!("{value};{value}\n")).collect();
        let place = Place::new().with("t.csv", format!("{name};same\n{rows}"));
        let args = format!("-q {name} --drop same -k 2 --missing own");
        for warning in outcome(&place, &args)["warnings"].as_array().unwrap() {
            writeln!(told, "{}", warning.as_str().unwrap_or(&warning.to_string())).unwrap();
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_table_without_a_header_is_told_how_to_be_read() {
    let place = Place::new().with("t.csv", "3,32,9,x,3\n3,27,13,y,1\n");
    let said = told(&place, "inspect t.csv");
    assert!(said.contains("--no-header"), "{said}");
}

#[test]
fn what_needs_no_data_is_checked_before_undecided_columns() {
    let rows = (0..30).map(|row| format!("Person {row},{},{}\n", 20 + row, row % 3));
    let place = Place::new().with("t.csv", format!("name,age,x\n{}", rows.collect::<String>()));
    for (args, wanted) in [
        ("--hierarchy age=bands:cuts=9+5 -k 3", "'5' follows '9'"),
        ("--hierarchy age=bands:cuts=young+old -k 3", "'young' is neither a number nor a date"),
        ("--hierarchy age=bnds -k 3", "there is no hierarchy method 'bnds'"),
        ("--limit age=level:x -k 3", "is not a level"),
        ("-k 500", "k is 500, but the table has only 30 records"),
    ] {
        let said = told(&place, &format!("anonymize t.csv -q age -o r.csv {args}"));
        assert!(said.contains(wanted), "{args}: {said}");
    }
}

/// What pandas and R write: more digits than a floating-point number has.
#[test]
fn numbers_of_seventeen_digits_are_on_the_whole_path() {
    let numbers = "x\n126.08505728999901\n148.413159102577\n132.487821126123\n118.884359339886\n\
                   109.833985642199\n102.87024693321501\n104.59173792491801\n117.14681691480499\n";
    let place = Place::new().with("t.csv", numbers);
    let made = "anonymize t.csv -q x -k 2 -o r.csv --recipe rules.json --keep-order";
    for args in [
        made,
        "verify r.csv -q x -k 2",
        "measure --original t.csv --release r.csv -q x",
        "risk t.csv --release r.csv -q x",
        "attack --original t.csv --release r.csv -q x",
        "report --original t.csv --release r.csv -q x -k 2 -o r.html",
        "apply rules.json t.csv -o again.csv --repair merge",
    ] {
        let output = place.hedgerow(args);
        assert_eq!(output.status.code(), Some(0), "{args}: {}", shown(&output));
        assert!(!shown(&output).contains("false ranges"), "{args}: {}", shown(&output));
    }
}

#[test]
fn midpoints_cannot_be_measured() {
    let rows = (0..30).map(|row| format!("{},{}\n", 20 + 2 * row, row % 3));
    let place = Place::new().with("t.csv", format!("age,x\n{}", rows.collect::<String>()));
    outcome(&place, "-q age --keep x -k 4 --interval-style midpoint --hierarchies h");
    for extra in ["", "--hierarchies h"] {
        let said =
            told(&place, &format!("measure --original t.csv --release r.csv -q age {extra}"));
        assert!(said.contains("not even with hierarchies"), "{said}");
        assert!(said.contains("brackets or dash"), "{said}");
    }
}

#[test]
fn hidden_cells_are_hidden_in_every_style() {
    let rows = (0..8).map(|row| format!("{},{}\n", 20 + row, row % 2));
    let place = Place::new().with("t.csv", format!("age,x\n{}", rows.collect::<String>()));
    for style in ["brackets", "midpoint", "bounds"] {
        let said = told(
            &place,
            &format!(
                "anonymize t.csv -q age --keep x -k 8 --interval-style {style} -o r.csv --force"
            ),
        );
        assert!(said.contains("age 100% hidden"), "{style}: {said}");
    }
}

#[test]
fn a_suggested_model_can_be_reached() {
    let rows = (0..30)
        .map(|row| format!("{},{}\n", 20 + row % 7, if row % 2 == 0 { "yes" } else { "no" }));
    let place = Place::new().with("t.csv", format!("age,ill\n{}", rows.collect::<String>()));
    let said = told(&place, "anonymize t.csv -q age --sensitive ill -k 3 -o r.csv");
    assert!(said.contains("--privacy l-diversity:l=2"), "{said}");
}

#[test]
fn an_unedited_job_with_undecided_columns_does_not_run() {
    let rows = (0..30).map(|row| format!("{},{}\n", 20 + row % 7, row % 5));
    let place = Place::new().with("t.csv", format!("age,thing\n{}", rows.collect::<String>()));
    assert!(place.hedgerow("init t.csv -o job.toml").status.success());
    let output = place.hedgerow("anonymize job.toml");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(shown(&output).contains("undecided: 'thing'"), "{}", shown(&output));
    let decided = place.hedgerow("anonymize job.toml --keep thing");
    assert!(decided.status.success(), "{}", shown(&decided));
}

#[test]
fn labels_that_leave_values_out_say_where_they_are_listed() {
    let thing = |row: u32| if row < 300 { 0 } else { 1 + row % 20 };
    let rows = (0..500).map(|row| format!("v{:02},{}\n", thing(row), row % 3));
    let place = Place::new().with("t.csv", format!("thing,x\n{}", rows.collect::<String>()));
    let args = "-q thing --keep x -k 100 --recoding global --hierarchy thing=frequency";
    let said = told(&place, &format!("anonymize t.csv {args} -o r.csv"));
    assert!(release(&place).contains(" more}"), "{}", release(&place));
    assert!(
        said.contains("do not name all its values") && said.contains("--hierarchies"),
        "{said}"
    );
}

#[test]
fn a_wrong_encoding_is_said_shortly() {
    let place = Place::new().with("t.csv", "age,thing\n23,ab\n25,cd\n41,ef\n44,gh\n");
    let output = place.hedgerow("inspect t.csv --encoding utf-16le");
    assert_eq!(output.status.code(), Some(2));
    assert!(shown(&output).contains("this is not UTF-16LE"), "{}", shown(&output));
    let wide: Vec<u8> =
        "\u{feff}age\tthing\n23\tab\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let place = Place::new().with("t.csv", wide);
    let said = told(&place, "inspect t.csv");
    assert!(
        said.contains("is encoded in UTF-16LE and has fields that are separated by tabs"),
        "{said}"
    );
}
