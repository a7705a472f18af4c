//! Dates, codes and categories: reading, publishing, and every error as a user sees it.

use crate::support::{Place, shown};

const DAYS: &str = "born\n29.02.2024\n01.03.2024\n31.12.2023\n30.12.2023\n";
const UNCLEAR: &str = "born\n01/02/2024\n03/04/2024\n";
const CODES: &str = "zip\n02139\n02138\n9411*\n";
const AGES: &str = "age\n3\n12\n18\n40\n71\n";
const BORN: &str = "born\nUSA\nMexico\nAtlantis\nColumbia\nChile\n";
const GRADES: &str = "grade\nlow\nhigh\nlow\nworst\n";

macro_rules! refuses {
    ($($(#[$attribute:meta])* $name:ident: $table:expr, $args:expr;)*) => {
        $(#[test]
        $(#[$attribute])*
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
    a_day_that_does_not_exist: "born\n2024-02-28\n2024-02-30\n",
        "hierarchy build t.csv -c born -m calendar";
    dates_in_two_orders: "born\n2024-12-31\n2024-11-30\n31.10.2024\n",
        "hierarchy build t.csv -c born -m calendar";
    levels_without_any: DAYS, "hierarchy build t.csv -c born -m calendar:levels=";
    dates_that_could_be_two: UNCLEAR, "hierarchy build t.csv -c born -m calendar";
    dates_that_could_be_two_by_kind: UNCLEAR,
        "anonymize t.csv -q born -k 2 -o out.csv --kind born=date";
    a_word_that_should_be_a_date: "born\n31.12.2024\nsoon\n30.12.2024\n",
        "anonymize t.csv -q born -k 2 -o out.csv --kind born=date";
    dates_of_another_format: DAYS,
        "anonymize t.csv -q born -k 2 -o out.csv --date-format born=%d.%m.%y";
    unknown_date_format: DAYS, "inspect t.csv --date-format born=dym";
    date_format_without_a_day: DAYS, "inspect t.csv --date-format born=%m.%Y";
    date_format_with_an_unknown_part: DAYS, "inspect t.csv --date-format born=%d.%!.%Y";
    date_format_of_a_number: DAYS, "inspect t.csv --kind born=number --date-format born=dmy";
    dates_that_were_called_text: DAYS,
        "hierarchy build t.csv -c born -m calendar --kind born=text";
    #[cfg_attr(not(feature = "wordnet"), ignore = "needs words")]
    a_misspelt_method: DAYS, "hierarchy build t.csv -c born -m calender";
    a_misspelt_level: DAYS, "hierarchy build t.csv -c born -m calendar:levels=months";
    weeks_and_months: DAYS, "hierarchy build t.csv -c born -m calendar:levels=week+month";
    an_unknown_parameter: DAYS, "hierarchy build t.csv -c born -m calendar:level=month";
    a_mask_that_is_in_a_code: CODES, "hierarchy build t.csv -c zip -m prefix";
    a_step_of_zero: CODES, "hierarchy build t.csv -c zip -m prefix:mask=#,steps=2+0";
    an_unknown_side: CODES, "hierarchy build t.csv -c zip -m prefix:keep=middle";
    two_characters_to_pad_with: CODES, "hierarchy build t.csv -c zip -m prefix:mask=#,pad=ab";
    decimals_are_not_codes: "x\n1\n2.5\n", "hierarchy build t.csv -c x -m prefix";
    cut_points_out_of_order: AGES, "hierarchy build t.csv -c age -m bands:cuts=0+18+5";
    a_cut_point_twice: AGES, "hierarchy build t.csv -c age -m bands:cuts=0+18+18";
    a_cut_point_that_is_a_word: AGES, "hierarchy build t.csv -c age -m bands:cuts=0+adult";
    a_level_that_does_not_nest: AGES, "hierarchy build t.csv -c age -m bands:cuts=0+18+65,then=0+21";
    cut_points_and_a_width: AGES, "hierarchy build t.csv -c age -m bands:cuts=18,width=5";
    thinned_without_cut_points: AGES, "hierarchy build t.csv -c age -m bands:then=18";
    no_cut_points: AGES, "hierarchy build t.csv -c age -m bands:cuts=";
    cut_points_beyond_all_values: AGES, "hierarchy build t.csv -c age -m bands:cuts=200+300";
    a_band_without_a_width: AGES, "hierarchy build t.csv -c age -m bands:width=0";
    a_label_style_of_bands: AGES, "hierarchy build t.csv -c age -m bands:cuts=18,labels=dashes";
    bands_of_words: GRADES, "hierarchy build t.csv -c grade -m bands:cuts=18";
    bands_of_dates_by_width: DAYS, "hierarchy build t.csv -c born -m bands:width=30";
    a_cut_point_that_is_not_a_date: DAYS, "hierarchy build t.csv -c born -m bands:cuts=2023+soon";
    two_and_five_years: DAYS, "hierarchy build t.csv -c born -m calendar:levels=2-years+5-years";
    too_few_countries: BORN, "hierarchy build t.csv -c born -m country";
    too_few_states: "state\nOhio\nTexs\nBavaria\nTyrol\n",
        "anonymize t.csv -q state -k 2 -o out.csv --hierarchy state=us-state";
    too_few_diagnoses: "dx\nI21.4\nflu\ngout\n", "hierarchy build t.csv -c dx -m icd10";
    a_parameter_of_a_catalogue: BORN, "hierarchy build t.csv -c born -m country:level=1";
    midpoints_of_codes: "zip,age\n02138,20\n02139,30\n",
        "anonymize t.csv -q zip,age -k 2 -o out.csv --interval-style midpoint";
    groups_of_one: GRADES, "hierarchy build t.csv -c grade -m frequency:fan-out=1";
    no_order: GRADES, "hierarchy build t.csv -c grade -m ordered";
    a_value_outside_the_order: GRADES, "hierarchy build t.csv -c grade -m ordered:order=low+high";
    an_order_file_that_is_not_there: GRADES,
        "hierarchy build t.csv -c grade -m ordered:order-file=grades.txt";
    a_column_without_values: "x,y\n,1\n,2\n", "hierarchy build t.csv -c x -m frequency";
}

#[test]
fn dates_that_could_be_two_are_pointed_out() {
    let place = Place::new().with("t.csv", UNCLEAR);
    insta::assert_snapshot!(shown(&place.hedgerow("inspect t.csv")));
    insta::assert_snapshot!(shown(&place.hedgerow("inspect t.csv --date-format born=mdy")));
}

/// The losses of a release of dates and codes are the same from the search and from the files.
#[test]
fn parts_of_the_calendar_are_measured_from_files_alone() {
    let day = |i: u32| format!("{:02}.{:02}.{}", i * 7 % 28 + 1, i * 5 % 12 + 1, 1990 + i * 3 % 25);
    let hour = |i: u32| format!("2024-{:02}-{:02} {:02}:30", i % 12 + 1, i % 28 + 1, i * 11 % 24);
    let rows: String = (0..300).map(|i| format!("{},{}\n", day(i), hour(i * i % 997))).collect();
    let place = Place::new().with("t.csv", format!("born,seen\n{rows}"));
    let json = |args: &str| -> serde_json::Value {
        let output = place.hedgerow(args);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", shown(&output)))
    };
    for levels in ["day+month+quarter+year+decade", "day+week+year", "hour+year+decade"] {
        let calendar = format!("calendar:levels={levels}");
        let outcome = json(&format!(
            "anonymize t.csv -q born,seen -k 4 -o r.csv --force --json --hierarchy born={calendar} \
             --hierarchy seen={calendar}"
        ));
        let measured = json("measure --original t.csv --release r.csv -q born,seen -k 4 --json");
        let ntil = |json: &serde_json::Value| json["release_loss"]["ntil"].as_f64().unwrap();
        assert!(ntil(&outcome) > 0.0, "{levels}");
        assert!((ntil(&measured) - ntil(&outcome)).abs() < 1e-9, "{levels}");
    }
}

#[test]
fn a_job_file_says_how_dates_are_written() {
    let job = "input = \"t.csv\"\noutput = \"r.csv\"\nquasi = [\"born\", \"grade\"]\nk = 2\n\
               keep-order = true\n[date-format]\nborn = \"%d%m%y\"\n[hierarchy]\n\
               born = \"calendar:levels=month\"\ngrade = \"ordered:order-file=grades.txt\"\n";
    let table = "born,grade\n290224,mid\n010224,high\n311223,low\n301223,low\n";
    let place = Place::new().with("t.csv", table).with("job.toml", job);
    let place = place.with("grades.txt", "low\nmid\nhigh\n");
    assert_eq!(place.hedgerow("anonymize job.toml --quiet").status.code(), Some(0));
    let release = String::from_utf8(place.read("r.csv")).unwrap();
    assert_eq!(
        release,
        "born,grade\n2024-02,\"[mid, high]\"\n2024-02,\"[mid, high]\"\n2023-12,low\n2023-12,low\n"
    );
}

/// A hierarchy file of dates states their format, even if its values are ambiguous.
#[test]
fn a_file_of_dates_keeps_their_format() {
    let place = Place::new().with("t.csv", UNCLEAR);
    let build = "hierarchy build t.csv -c born -m calendar -o born.json --date-format born=mdy";
    assert_eq!(shown(&place.hedgerow(build)), "exit 0\n--- stdout\n--- stderr\n");
    let release = place.hedgerow(
        "anonymize t.csv -q born -k 2 -o r.csv --hierarchy born=born.json --date-format born=mdy --quiet",
    );
    assert_eq!(shown(&release), "exit 0\n--- stdout\n--- stderr\n");
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy show born.json")));
}

/// A table with a column of each kind that is recognised by name or form.
fn coded() -> String {
    let row = |i: usize| {
        let (zip, dx) = ([10001, 10002, 90210][i % 3], ["I21.4", "I25.1", "J45"][i % 3]);
        let state = ["Ohio", "Texas", "Maine", "Utah"][i % 4];
        format!("{zip},{dx},10.0.{}.{},{},{},{state}\n", i % 2, i % 5, i % 2, i % 5)
    };
    let rows: String = (0..120).map(row).collect();
    format!("zip,dx,ip,smoker,marstat,home\n{rows}")
}

#[test]
fn kinds_are_seen_as_they_are() {
    let place = Place::new().with("t.csv", coded());
    let shown = shown(&place.hedgerow("inspect t.csv"));
    let columns: Vec<&str> = shown.lines().skip_while(|line| !line.starts_with("column")).collect();
    let until = columns.iter().position(|line| line.starts_with("On ")).unwrap_or(columns.len());
    insta::assert_snapshot!(columns[..until].join("\n"));
}

#[test]
fn methods_for_numbers_take_two_numbers() {
    let place = Place::new().with("t.csv", coded());
    let release =
        "anonymize t.csv --keep-others -q smoker -k 5 -o r.csv --hierarchy smoker=iotf --quiet";
    assert_eq!(shown(&place.hedgerow(release)), "exit 0\n--- stdout\n--- stderr\n");
}

/// Bands are published, recounted and measured, in every style of intervals.
#[test]
fn bands_are_published_and_read_back() {
    let rows: String = (0..100).map(|i| format!("{}\n", i * 37 % 91)).collect();
    let place = Place::new().with("t.csv", format!("age\n{rows}"));
    let release = "anonymize t.csv -q age -k 20 -o r.csv --force --quiet --method optimal \
                   --hierarchy age=bands:cuts=18+65";
    let labels = |style: &str| {
        let output = place.hedgerow(format!("{release} {style}").trim());
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        let text = String::from_utf8(place.read("r.csv")).unwrap();
        let lines: std::collections::BTreeSet<String> = text.lines().map(str::to_owned).collect();
        lines.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(labels("--interval-style bounds"), ",17 18,64 65, age_min,age_max");
    assert_eq!(labels("--interval-style dash"), "18-64 65+ <18 age");
    assert_eq!(labels(""), "\"[18, 64]\" 65+ <18 age");
    let measured = place.hedgerow("measure --original t.csv --release r.csv -q age -k 20");
    assert_eq!(measured.status.code(), Some(0), "{}", shown(&measured));
    let verified = place.hedgerow("verify r.csv -q age -k 20");
    assert_eq!(verified.status.code(), Some(0), "{}", shown(&verified));
}

/// A suppressed number has neither a least nor a greatest value.
#[test]
fn suppressed_bounds_are_empty() {
    let rows = "20\n".repeat(10) + "90\n";
    let place = Place::new().with("t.csv", format!("age\n{rows}"));
    let output = place.hedgerow(
        "anonymize t.csv -q age -k 5 -o r.csv --quiet --method optimal --suppress 20% --hierarchy age=iotf \
         --interval-style bounds --keep-order",
    );
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let text = String::from_utf8(place.read("r.csv")).unwrap();
    assert_eq!(text.lines().last(), Some(","), "{text}");
}

#[test]
fn spellings_of_one_country_do_not_end_a_run_with_auto() {
    let born = "Germany DE Deutschland France Spain USA U.S. UK Europe Italy Poland Japan Chile";
    let rows = born.split(' ').cycle().take(130).map(|born| format!("{born}\n"));
    let place = Place::new().with("t.csv", format!("country\n{}", rows.collect::<String>()));
    let auto = place.hedgerow("anonymize t.csv -q country -k 25 -o auto.csv --method mondrian");
    assert_eq!(auto.status.code(), Some(0), "{}", shown(&auto));
    let output = place.hedgerow(
        "anonymize t.csv -q country -k 25 -o r.csv --method mondrian --hierarchy country=country",
    );
    let said = shown(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("country: country"), "{said}");
    assert!(said.contains("country does not know Europe"), "{said}");
    let release = String::from_utf8(place.read("r.csv")).unwrap();
    // A group is never called like a value that some of its records do not have.
    let published: Vec<&str> = release.lines().skip(1).collect();
    let n_of = |value: &str| published.iter().filter(|&&cell| cell == value).count();
    for value in ["Germany", "Europe"] {
        assert!(n_of(value) == 0 || n_of(value) == 10, "{value}: {}", n_of(value));
    }
}

/// Exponents of any form are numbers, in their order, and the release shows them as they are written.
#[test]
fn numbers_in_scientific_notation_are_published_as_they_are_written() {
    let rows = "9.5e-1\n1E0\n1e3\n1.1e+03\n5000\n5.2E3\n";
    let place = Place::new().with("t.csv", format!("dose\n{rows}"));
    let run = place
        .hedgerow("anonymize t.csv -q dose -k 2 -o r.csv --method mondrian --json --keep-order");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let outcome: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(outcome["columns"]["dose"]["kind"], "number");
    let text = String::from_utf8(place.read("r.csv")).unwrap();
    let mut cells: Vec<&str> = text.lines().skip(1).collect();
    cells.dedup();
    assert_eq!(cells, ["\"[9.5e-1, 1E0]\"", "\"[1e3, 1.1e+03]\"", "\"[5000, 5.2E3]\""]);
    let checks =
        ["verify r.csv -q dose -k 2", "measure --original t.csv --release r.csv -q dose -k 2"];
    for check in checks {
        let run = place.hedgerow(check);
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    }
}
