//! The whole path with the real binary: reads files, writes a release, and checks it from the files
//! alone.

use std::sync::Arc;

use crate::support::{Place, adult, is_possible, losses_left_out, packed, shown};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const QUASI: &str = "age,education-num,hours-per-week";

/// Returns a JSON result without the times, which differ from run to run.
fn json(output: &std::process::Output) -> serde_json::Value {
    assert_eq!(output.status.code(), Some(0), "{}", shown(output));
    let mut value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    if let Some(object) = value.as_object_mut() {
        object.remove("seconds");
    }
    value
}

#[test]
fn adult_is_released_verified_and_measured() {
    let place = Place::new();
    let release = format!("anonymize {} -q {QUASI} --drop education -k 5 -o r.csv --json", adult());
    let outcome = json(&place.hedgerow(&release));
    insta::assert_snapshot!(serde_json::to_string_pretty(&outcome).unwrap());
    let verified = place.hedgerow(&format!("verify r.csv -q {QUASI} -k 5"));
    insta::assert_snapshot!(shown(&verified));
    assert_eq!(place.hedgerow(&format!("verify r.csv -q {QUASI} -k 6")).status.code(), Some(1));
    let measure = format!("measure --original {} --release r.csv -q {QUASI} -k 5 --json", adult());
    let measured = json(&place.hedgerow(&measure));
    assert_eq!(losses_left_out(&measured, &outcome), ["distortion", "precision"]);
}

#[test]
fn sets_along_a_walk_are_released_verified_and_measured() {
    let place = Place::new();
    let traversal = "--method traversal:tree=avl,order=in --json";
    let args = format!("anonymize {} -q age -k 5 -o r.csv {traversal}", adult());
    let outcome = json(&place.hedgerow(&args));
    insta::assert_snapshot!(serde_json::to_string_pretty(&outcome).unwrap());
    assert!(place.hedgerow("verify r.csv -q age -k 5").status.success());
    let measure = format!("measure --original {} --release r.csv -q age -k 5 --json", adult());
    let measured = json(&place.hedgerow(&measure));
    assert_eq!(measured["sets"], outcome["sets"]);
    assert_eq!(losses_left_out(&measured, &outcome), ["distortion", "precision"]);
    let measured = place.hedgerow(&measure.replace(" --json", ""));
    insta::assert_snapshot!(shown(&measured));
}

#[test]
fn sets_of_words_and_missing_values_follow_the_policy() {
    let table = "job\nnurse\n?\nsmith\ncook\ncook\nbaker\n";
    for missing in ["own", "wildcard", "drop"] {
        let place = Place::new().with("t.csv", table);
        let args = format!("-q job -k 2 --na ? --missing {missing}");
        let release = format!("anonymize t.csv -o r.csv --keep-order --method traversal {args}");
        let outcome = json(&place.hedgerow(&format!("{release} --json")));
        let measure = format!("measure --original t.csv --release r.csv --json {args}");
        assert_eq!(json(&place.hedgerow(&measure))["sets"], outcome["sets"], "{missing}");
        let released = String::from_utf8(place.read("r.csv")).unwrap();
        insta::assert_snapshot!(format!("{missing}\n{released}{:#}", outcome["sets"]));
    }
}

#[test]
fn sets_are_saved_and_used_like_any_hierarchy() {
    let place = Place::new().with("t.csv", "age\n47\n42\n51\n35\n33\n51\n37\n33\n38\n36\n");
    let walked = "anonymize t.csv -q age -k 2 -o walked.csv --keep-order --quiet";
    let walked = place.hedgerow(&format!("{walked} --method traversal:order=pre"));
    assert!(walked.status.success(), "{}", shown(&walked));
    for file in ["age.json", "age.csv"] {
        let build = format!("hierarchy build t.csv -c age -m avl:order=pre -k 2 -o {file}");
        assert!(place.hedgerow(&build).status.success());
        let checked = place.hedgerow(&format!("hierarchy check {file} --table t.csv -c age"));
        assert!(shown(&checked).contains("findings: 0"), "{}", shown(&checked));
        let release = format!(
            "anonymize t.csv -q age -k 2 -o r.csv --force --keep-order --quiet \
             --hierarchy age={file}"
        );
        assert!(place.hedgerow(&release).status.success());
        assert_eq!(place.read("r.csv"), place.read("walked.csv"), "{file}");
    }
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy show age.json")));
}

#[test]
fn one_or_two_threads_write_the_same_bytes() {
    let place = Place::new();
    let release = |threads: u32, name: &str| {
        let args =
            format!("anonymize {} -q {QUASI} --drop education -k 5 -o {name} --quiet", adult());
        assert!(place.hedgerow(&format!("{args} --threads {threads}")).status.success());
        place.read(name)
    };
    let one = release(1, "one.csv");
    assert!(one == release(2, "two.csv"), "the number of threads shows in the release");
    assert!(one == release(3, "three.csv"));
}

#[test]
fn records_are_shuffled_unless_their_order_is_kept() {
    let table: String = (0..200).map(|i| format!("{},{i}\n", 20 + i % 7)).collect();
    let place = Place::new().with("t.csv", format!("age,row\n{table}"));
    let rows = |flags: &str, name: &str| {
        let args = format!("anonymize t.csv -q age --keep row -k 3 -o {name} --quiet{flags}");
        assert!(place.hedgerow(&args).status.success());
        let text = String::from_utf8(place.read(name)).unwrap();
        let row = |line: &str| line.rsplit(',').next().unwrap().parse().unwrap();
        text.lines().skip(1).map(row).collect::<Vec<u32>>()
    };
    let in_order: Vec<u32> = (0..200).collect();
    assert_eq!(rows(" --keep-order", "kept.csv"), in_order);
    let mut shuffled = rows("", "shuffled.csv");
    assert_ne!(shuffled, in_order);
    assert_ne!(shuffled, rows(" --seed 1", "other.csv"));
    shuffled.sort_unstable();
    assert_eq!(shuffled, in_order);
}

/// Returns the same table in every input format.
fn people(rows: &[(&str, i64)]) -> [(&'static str, Vec<u8>); 5] {
    let csv = |delimiter: char, end: &str| {
        let rows: String =
            rows.iter().map(|(job, age)| format!("{job}{delimiter}{age}{end}")).collect();
        format!("job{delimiter}age{end}{rows}")
    };
    let gzip = packed(&csv(',', "\n"));
    [
        ("comma.csv", csv(',', "\n").into_bytes()),
        ("semicolon.csv", format!("\u{feff}{}", csv(';', "\r\n")).into_bytes()),
        ("tab.tsv", csv('\t', "\n").into_bytes()),
        ("packed.csv.gz", gzip),
        ("table.parquet", parquet_of(rows)),
    ]
}

pub(crate) fn parquet_of(rows: &[(&str, i64)]) -> Vec<u8> {
    let schema = "message t { REQUIRED BYTE_ARRAY job (UTF8); REQUIRED INT64 age; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    for rows in rows.chunks(3) {
        let mut group = writer.next_row_group().unwrap();
        let jobs: Vec<ByteArray> = rows.iter().map(|(job, _)| ByteArray::from(*job)).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&jobs, None, None).unwrap();
        column.close().unwrap();
        let ages: Vec<i64> = rows.iter().map(|(_, age)| *age).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&ages, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn every_format_gives_the_same_release() {
    let rows =
        [("cook", 30), ("nurse", 21), ("cook", 33), ("nurse", 24), ("smith", 61), ("cook", 60)];
    let mut releases = Vec::new();
    for (name, bytes) in people(&rows).into_iter().filter(|(name, _)| is_possible(name)) {
        let place = Place::new().with(name, bytes);
        let output = place.hedgerow(&format!("anonymize {name} -q age -k 2 -o r.csv --keep-order"));
        assert!(output.status.success(), "{name}: {}", shown(&output));
        let release = String::from_utf8(place.read("r.csv")).unwrap();
        releases.push(release.replace([';', '\t'], ",").replace('"', ""));
    }
    let wanted = "job,age\ncook,[30, 33]\nnurse,[21, 24]\ncook,[30, 33]\nnurse,[21, 24]\n\
                  smith,[60, 61]\ncook,[60, 61]\n";
    for release in releases {
        assert_eq!(release, wanted);
    }
}

#[test]
fn quotes_and_line_breaks_inside_values_survive() {
    let table = "age,note\n30,\"a, b\"\n31,\"two\nlines\"\n50,\"say \"\"x\"\"\"\n51,plain\n";
    let place = Place::new().with("t.csv", table);
    let output = place.hedgerow("anonymize t.csv -q age -k 2 -o r.csv --keep-order --quiet");
    assert!(output.status.success(), "{}", shown(&output));
    let wanted = "age,note\n\"[30, 31]\",\"a, b\"\n\"[30, 31]\",\"two\nlines\"\n\
                  \"[50, 51]\",\"say \"\"x\"\"\"\n\"[50, 51]\",plain\n";
    assert_eq!(String::from_utf8(place.read("r.csv")).unwrap(), wanted);
}

#[test]
fn missing_values_follow_the_policy() {
    let table = "age\n20\n?\n21\n60\n?\n61\n";
    let release = |policy: &str| {
        let place = Place::new().with("t.csv", table);
        let args = format!(
            "anonymize t.csv -q age -k 2 -o r.csv --na ? --method k-member --missing {policy}"
        );
        let output = place.hedgerow(&format!("{args} --keep-order --quiet"));
        assert!(output.status.success(), "{policy}: {}", shown(&output));
        String::from_utf8(place.read("r.csv")).unwrap().replace('"', "").replace('\n', " ")
    };
    assert_eq!(release("own"), "age [20, 21] ? [20, 21] [60, 61] ? [60, 61] ");
    assert_eq!(release("drop"), "age [20, 21] [20, 21] [60, 61] [60, 61] ");
    assert_eq!(release("wildcard"), "age 20 20 * 60 60 * ");
}

#[test]
fn fully_generalized_records_are_a_class_if_there_are_enough() {
    let place = Place::new().with("t.csv", "age\n20\n21\n60\n61\n");
    let outcome = json(&place.hedgerow("anonymize t.csv -q age -k 4 -o r.csv --json"));
    assert_eq!(outcome["privacy"][0]["attained"], 4);
    assert_eq!(place.hedgerow("verify r.csv -q age -k 4").status.code(), Some(0));
    let measured =
        json(&place.hedgerow("measure --original t.csv --release r.csv -q age -k 4 --json"));
    assert_eq!(losses_left_out(&measured, &outcome), ["distortion", "precision"]);
}

#[test]
fn a_hierarchy_with_a_misplaced_value_gives_a_warning() {
    let hierarchy = "20;15-19;*\n21;15-19;*\n60;60-64;*\n61;60-64;*\n";
    let place = Place::new().with("t.csv", "age\n20\n21\n60\n61\n").with("age.csv", hierarchy);
    let args = "anonymize t.csv -q age -k 2 -o r.csv --hierarchy age=age.csv --json";
    let outcome = json(&place.hedgerow(args));
    let warning = outcome["warnings"][0].as_str().unwrap();
    assert!(warning.contains("the value 20 is below '15-19'"), "{warning}");
}

#[test]
#[cfg_attr(not(feature = "parquet"), ignore = "needs Parquet")]
fn parquet_dates_nulls_and_numbers_are_read() {
    let schema = "message t { OPTIONAL INT64 at (TIMESTAMP(MILLIS,true)); OPTIONAL DOUBLE x; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let table = |x: [f64; 2]| {
        let mut writer =
            SerializedFileWriter::new(Vec::new(), Arc::clone(&schema), Arc::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let (at, defined) = ([0, 86_400_000], [1, 1, 0]);
        column.typed::<Int64Type>().write_batch(&at, Some(&defined), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&x, Some(&[1, 0, 1]), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.into_inner().unwrap()
    };
    let place = Place::new().with("t.parquet", table([0.5, 1.5]));
    insta::assert_snapshot!(shown(&place.hedgerow("inspect t.parquet")));
    let place = Place::new().with("t.parquet", table([0.5, f64::NAN]));
    insta::assert_snapshot!(shown(&place.hedgerow("inspect t.parquet")));
}

#[test]
fn intervals_have_four_styles() {
    let release = |style: &str| {
        let place = Place::new().with("t.csv", "age\n20\n21\n60\n61\n");
        let args = format!("anonymize t.csv -q age -k 2 -o r.csv --interval-style {style}");
        let output = place.hedgerow(&format!("{args} --keep-order --quiet"));
        assert!(output.status.success(), "{}", shown(&output));
        String::from_utf8(place.read("r.csv"))
            .unwrap()
            .lines()
            .take(2)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(release("brackets"), "age \"[20, 21]\"");
    assert_eq!(release("dash"), "age 20-21");
    assert_eq!(release("midpoint"), "age 20.5");
    assert_eq!(release("bounds"), "age_min,age_max 20,21");
}

#[test]
fn a_job_file_means_the_same_as_flags() {
    let job = "input = \"t.csv\"\noutput = \"r.csv\"\nquasi = [\"age\", \"job\"]\nk = 2\n\
               identifier = [\"name\"]\nkeep-order = true\n[hierarchy]\nage = \"iotf\"\njob = \"job.csv\"\n";
    let table = "name,age,job\nAnn,23,nurse\nBob,25,doctor\nCid,41,cook\nDea,44,baker\n";
    let hierarchy = "nurse;care;*\ndoctor;care;*\ncook;food;*\nbaker;food;*\n";
    let place = Place::new().with("job.toml", job).with("t.csv", table).with("job.csv", hierarchy);
    let output = place.shell("cd / && $HEDGEROW anonymize \"$OLDPWD/job.toml\" --quiet");
    assert!(output.status.success(), "{}", shown(&output));
    let wanted =
        "age,job\n\"[23, 25]\",care\n\"[23, 25]\",care\n\"[41, 44]\",food\n\"[41, 44]\",food\n";
    assert_eq!(String::from_utf8(place.read("r.csv")).unwrap(), wanted);
    let flags =
        "anonymize t.csv -q age,job -i name -k 2 -o f.csv --keep-order --hierarchy job=job.csv";
    assert!(place.hedgerow(flags).status.success());
    assert_eq!(place.read("r.csv"), place.read("f.csv"));
    let measured = place
        .hedgerow("measure --original t.csv --release r.csv -q age,job --hierarchy job=job.csv");
    insta::assert_snapshot!(shown(&measured));
}

#[test]
fn releases_of_other_tools_are_read() {
    let original = "age,zip\n21,12345\n25,12346\n34,12399\n38,12377\n55,12311\n61,12388\n";
    let release = "age;zip\n[20, 30[;1234*\n20-29;1234*\n30-39;123**\n[30, 40[;123**\n>=50;*****\n>=50;*****\n";
    let hierarchy = "12345;1234*;123**;*****\n12346;1234*;123**;*****\n12399;1239*;123**;*****\n\
                     12377;1237*;123**;*****\n12311;1231*;123**;*****\n12388;1238*;123**;*****\n";
    let place =
        Place::new().with("o.csv", original).with("r.csv", release).with("zip.csv", hierarchy);
    let output = place.hedgerow(
        "measure --original o.csv --release r.csv -q age,zip --hierarchy zip=zip.csv --kind zip=code",
    );
    insta::assert_snapshot!(shown(&output));
    insta::assert_snapshot!(shown(&place.hedgerow("verify r.csv -q age,zip -k 2")));
}

#[test]
fn hierarchies_are_built_shown_converted_and_checked() {
    let place = Place::new().with("t.csv", "age\n20\n21\n21\n60\n");
    assert!(place.hedgerow("hierarchy build t.csv -c age -m iotf -o age.json").status.success());
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy show age.json")));
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy show age.json --format dot")));
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy show age.json --format csv")));
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy show age.json --format json")));
    let svg = place.hedgerow("hierarchy show age.json --format svg");
    assert!(String::from_utf8_lossy(&svg.stdout).contains("4 records"));
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy convert age.json age.csv")));
    let checked = place.hedgerow("hierarchy check age.csv --table t.csv --column age");
    insta::assert_snapshot!(shown(&checked));
    let place = place.with("t.csv", "age\n20\n22\n");
    let checked = place.hedgerow("hierarchy check age.csv --table t.csv --column age");
    insta::assert_snapshot!(shown(&checked));
}

#[test]
fn inspect_shows_columns_and_roles() {
    let table =
        "id,age,zip,joined,diagnosis\n1,34,02139,2024-01-05,flu\n2,,02140,2024-02-29,ulcer\n";
    let place = Place::new().with("t.csv", table);
    insta::assert_snapshot!(shown(&place.hedgerow("inspect t.csv")));
}

#[test]
fn generating_twice_gives_the_same_table() {
    let place = Place::new().with("t.csv", "a,b,c\n1,x,u\n2,y,v\n3,z,w\n");
    let args = "generate t.csv -c a,b --sigma 4 --rho 1 --seed 7 -o";
    assert!(place.hedgerow(&format!("{args} one.csv")).status.success());
    assert!(place.hedgerow(&format!("{args} two.csv")).status.success());
    assert_eq!(place.read("one.csv"), place.read("two.csv"));
    let text = String::from_utf8(place.read("one.csv")).unwrap();
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!((rows.len(), rows[0], rows[4]), (12, "1,x,u", "2,y,v"));
    let changes = rows.iter().zip(["1,x,u", "2,y,v", "3,z,w"].iter().flat_map(|row| [row; 4]));
    for (found, base) in changes {
        let n_changed = found.split(',').zip(base.split(',')).filter(|(a, b)| a != b).count();
        assert!(n_changed <= 1, "{found} varies {base}");
    }
}

#[test]
#[cfg_attr(not(feature = "parquet"), ignore = "needs Parquet")]
fn a_generated_table_has_the_format_of_its_name() {
    let place = Place::new().with("t.csv", "a,b\n1,x\n2,y\n3,\"z,z\"\n");
    let args = "generate t.csv -c a,b --sigma 4 --rho 1 -o";
    assert!(place.hedgerow(&format!("{args} one.csv")).status.success());
    assert!(place.hedgerow(&format!("{args} one.parquet")).status.success());
    assert_eq!(&place.read("one.parquet")[..4], b"PAR1");
    // Read again and written unchanged, it is the same table.
    let back = "generate one.parquet -c a --sigma 1 --rho 0 -o back.csv";
    assert!(place.hedgerow(back).status.success());
    assert_eq!(place.read("one.csv"), place.read("back.csv"));
}

#[test]
#[cfg_attr(not(feature = "wordnet"), ignore = "needs words")]
fn claims_are_a_table_of_words() {
    let place = Place::new();
    let made = place.hedgerow("generate --claims 50 --seed 3 -o claims.csv");
    assert_eq!(String::from_utf8_lossy(&made.stdout), "50 records written to claims.csv\n");
    let text = String::from_utf8(place.read("claims.csv")).unwrap();
    assert_eq!(text.lines().next(), Some("occupation,workplace,activity,place"));
    assert_eq!(text.lines().count(), 51);
    let both = place.hedgerow("generate t.csv --claims 50 -o other.csv");
    assert_eq!(both.status.code(), Some(2));
    let neither = place.hedgerow("generate -o other.csv");
    assert_eq!(neither.status.code(), Some(2));
}

/// The losses measured from a release and its hierarchy files equal those that the run reported.
#[test]
fn losses_from_files_are_those_of_the_run() {
    let zips = "zip,sex,x\n02139,m,1\n02140,m,3\n10115,f,7\n10115,f,9\n,x,40\n,x,41\n10117,m,90\n10119,f,99\n";
    let place = Place::new().with("t.csv", zips);
    for (method, x) in
        [("prefix", "dbgh"), ("frequency", "cgh:lo=0,hi=1000,min-width=9"), ("free", "cbgh")]
    {
        let args = format!("--hierarchy zip={method} --hierarchy x={x}");
        let run = format!("anonymize t.csv -q zip,sex,x -k 2 -o r.csv --force --json {args}");
        let outcome = json(&place.hedgerow(&run));
        let mut measure = "measure --original t.csv --release r.csv -q zip,sex,x --json".to_owned();
        if method != "free" {
            let build = format!("hierarchy build t.csv -c zip -m {method} -o zip.json --force");
            assert!(place.hedgerow(&build).status.success());
            measure += " --hierarchy zip=zip.json";
        }
        let measured = json(&place.hedgerow(&measure));
        let left_out = losses_left_out(&measured, &outcome);
        assert!(left_out.is_empty(), "{method} {x}: {left_out:?}"); // sex is free and has no levels
    }
}

#[test]
fn a_blank_cell_of_a_release_has_maximum_loss() {
    let place =
        Place::new().with("o.csv", "age\n23\n25\n41\n").with("r.csv", "age,s\n,a\n,a\n,b\n");
    let measured = json(&place.hedgerow("measure --original o.csv --release r.csv -q age --json"));
    assert_eq!(measured["release_loss"]["ntil"].as_f64(), Some(1.0));
}

#[test]
fn a_flag_may_supply_what_a_job_file_omits() {
    let place = Place::new()
        .with("t.csv", "age\n23\n25\n")
        .with("job.toml", "input = \"t.csv\"\nquasi = [\"age\"]\n");
    assert!(place.hedgerow("anonymize job.toml -k 2 -o r.csv --quiet").status.success());
    insta::assert_snapshot!(shown(&place.hedgerow("anonymize job.toml -k 2")));
}
