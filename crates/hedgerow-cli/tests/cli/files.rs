//! Unusual input files: odd column types, damaged files, very long records, pipes and devices.

use std::path::Path;
use std::process::Output;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::support::{Place, is_possible, json, packed, shown};
use crate::whole_path::parquet_of;

/// Returns a Parquet file with one row group.
fn parquet(
    schema: &str,
    write: impl FnOnce(&mut SerializedRowGroupWriter<'_, Vec<u8>>),
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    write(&mut group);
    group.close().unwrap();
    writer.into_inner().unwrap()
}

type Group<'a, 'b> = &'a mut SerializedRowGroupWriter<'b, Vec<u8>>;

fn doubles(group: Group<'_, '_>, values: &[f64]) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<DoubleType>().write_batch(values, None, None).unwrap();
    column.close().unwrap();
}

fn bytes(group: Group<'_, '_>, values: &[&[u8]]) {
    let values: Vec<ByteArray> = values.iter().map(|value| value.to_vec().into()).collect();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
    column.close().unwrap();
}

/// A Parquet file with ages, numbers (one of them NaN), bytes that are not text, and lists of
/// numbers.
fn odd_columns() -> Vec<u8> {
    let schema = "message t { REQUIRED DOUBLE age; REQUIRED DOUBLE x; REQUIRED BYTE_ARRAY raw; \
                  REPEATED INT32 list; }";
    parquet(schema, |group| {
        doubles(group, &[-2.0, -3.0, 20.0, 21.5]);
        doubles(group, &[-2.0, f64::NAN, 0.0, 1e300]);
        bytes(group, &[b"\xff", b"", b"\x00", b"text"]);
        let mut column = group.next_column().unwrap().unwrap();
        let levels: (&[i16], &[i16]) = (&[1, 1, 0, 1, 0], &[0, 1, 0, 0, 0]);
        let list = column.typed::<Int32Type>();
        list.write_batch(&[1, 2, 3], Some(levels.0), Some(levels.1)).unwrap();
        column.close().unwrap();
    })
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
#[cfg_attr(not(feature = "parquet"), ignore = "needs Parquet")]
fn odd_columns_of_parquet_matter_only_where_they_are_used() {
    let place = Place::new().with("t.parquet", odd_columns());
    insta::assert_snapshot!(shown(&place.hedgerow("inspect t.parquet")));
    let release = "anonymize t.parquet -k 2 -o r.csv --keep-order --quiet --method k-member";
    let said = |args: &str| {
        let output = place.hedgerow(&format!("{release} {args}"));
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        stderr(&output)
    };
    let refused = [
        said("-q age"),
        said("-q age -i raw"),
        said("-q raw -i list"),
        said("-q x -i raw,list --na-detect off"),
        said("-q age -s list -i raw"),
    ];
    insta::assert_snapshot!(refused.concat());
    let done = place.hedgerow(&format!("{release} -q age -i raw,list"));
    assert_eq!(done.status.code(), Some(0), "{}", shown(&done));
    let published = String::from_utf8(place.read("r.csv")).unwrap();
    let wanted = "age,x\n\"[-3.0, -2.0]\",-2.0\n\"[-3.0, -2.0]\",NaN\n\"[20.0, 21.5]\",0.0\n\"[20.0, 21.5]\",1e300\n";
    assert_eq!(published, wanted);
}

#[test]
#[cfg_attr(not(feature = "parquet"), ignore = "needs Parquet")]
fn nan_is_a_missing_value_if_it_is_listed_as_one() {
    let place = Place::new().with("t.parquet", odd_columns());
    let args = "-q x -i raw,list,age -k 1 -o r.csv --keep-order --quiet --na NaN";
    let done = place.hedgerow(&format!("anonymize t.parquet {args}"));
    assert_eq!(done.status.code(), Some(0), "{}", shown(&done));
    assert!(String::from_utf8(place.read("r.csv")).unwrap().contains("\nNaN\n"));
}

#[test]
#[cfg_attr(not(feature = "parquet"), ignore = "needs Parquet")]
fn damaged_parquet_files_are_errors_and_never_panics() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/parquet");
    let mut n_files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let place = Place::new().with("t.parquet", std::fs::read(entry.path()).unwrap());
        let column = if entry.file_name() == "date_1e8.parquet" { "d" } else { "s" };
        for args in ["inspect t.parquet", &format!("anonymize t.parquet -q {column} -k 2 -o r.csv")]
        {
            let output = place.hedgerow(args);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{:?}: {}", entry.path(), shown(&output));
            assert!(said.starts_with("hedgerow: t.parquet: "), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
            assert_eq!(place.files(), ["t.parquet"]);
        }
        n_files += 1;
    }
    assert_eq!(n_files, 11);
}

#[test]
#[cfg_attr(not(feature = "parquet"), ignore = "needs Parquet")]
fn a_date_out_of_range_is_an_error_only_where_it_is_used() {
    let schema = "message t { REQUIRED INT32 day (DATE); REQUIRED INT64 age; }";
    let table = parquet(schema, |group| {
        let mut column = group.next_column().unwrap().unwrap();
        let days = [0, 100_000_000, 1, 2];
        column.typed::<Int32Type>().write_batch(&days, None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&[1, 2, 3, 4], None, None).unwrap();
        column.close().unwrap();
    });
    let place = Place::new().with("t.parquet", table);
    let release = "anonymize t.parquet -q age -k 2 -o r.csv --quiet";
    let refused = place.hedgerow(release);
    let wanted = "hedgerow: t.parquet: column 'day': row 2: the date 100000000 days after 1970-01-01 is \
                  outside the range of the calendar; correct it\n";
    assert_eq!((refused.status.code(), stderr(&refused).as_str()), (Some(2), wanted));
    assert_eq!(place.hedgerow(&format!("{release} -i day")).status.code(), Some(0));
}

/// A table in every format, whose third record has 2000 bytes.
fn with_a_long_record() -> [(&'static str, Vec<u8>); 5] {
    let long = "x".repeat(2000);
    let csv = format!("job,age\na,1\nb,2\n{long},3\nc,4\n");
    let quoted = format!("job,age\na,1\nb,2\n\"{long}\",3\nc,4\n");
    let gzip = packed(&csv);
    [
        ("plain.csv", csv.clone().into_bytes()),
        ("quoted.csv", quoted.into_bytes()),
        ("endless.csv", format!("job,age\na,1\nb,2\n{}", "x".repeat(3 << 20)).into_bytes()),
        ("packed.csv.gz", gzip),
        ("table.parquet", parquet_of(&[("a", 1), ("b", 2), (&long, 3), ("c", 4)])),
    ]
}

#[test]
fn the_length_of_a_record_is_limited() {
    for (name, table) in with_a_long_record().into_iter().filter(|(name, _)| is_possible(name)) {
        let place = Place::new().with(name, table);
        let (record, quote) = match name {
            "table.parquet" => ("the record of row 3", ""),
            _ => ("line 4: the record", "close a quote that is open before it, or "),
        };
        let output = place.hedgerow(&format!("inspect {name} --max-record 1KB"));
        let wanted = format!(
            "hedgerow: {name}: {record} is longer than 1KB; {quote}allow records of up to 4KB if they \
             are that long (--max-record 4KB)\n"
        );
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), wanted));
        if name != "endless.csv" {
            let output = place.hedgerow(&format!("inspect {name} --max-record 2010"));
            assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        }
    }
}

#[test]
fn every_command_that_reads_tables_limits_records() {
    let [(_, table), ..] = with_a_long_record();
    let job =
        "input = \"t.csv\"\noutput = \"r.csv\"\nquasi = [\"age\"]\nk = 2\nmax-record = \"1KB\"\n";
    let short = "job,age\na,1\nb,2\n";
    let place = Place::new().with("t.csv", table).with("job.toml", job).with("s.csv", short);
    for args in [
        "anonymize t.csv -q age -k 2 -o r.csv --max-record 1KB",
        "anonymize s.csv -q age -k 2 -o r.csv --max-record 1KB --privacy k-map:k=2 --population t.csv",
        "anonymize job.toml",
        "verify t.csv -q age -k 1 --max-record 1KB",
        "measure --original t.csv --release s.csv -q age --max-record 1KB",
        "measure --original s.csv --release t.csv -q age --max-record 1KB",
        "lattice t.csv -q age --max-record 1KB",
        "hierarchy build t.csv -c age --max-record 1KB",
        "hierarchy candidates t.csv -c job -o out --max-record 1KB",
        "hierarchy rank none.json --table t.csv -c job -k 2 --max-record 1KB",
        "generate t.csv -c age --sigma 2 --rho 1 -o r.csv --max-record 1KB",
    ]
    .into_iter()
    .filter(|args| is_possible(args))
    {
        let output = place.hedgerow(args);
        assert_eq!(output.status.code(), Some(2), "{args}: {}", shown(&output));
        assert!(stderr(&output).contains("is longer than 1KB"), "{args}: {}", shown(&output));
    }
    let wrong = place.hedgerow("inspect t.csv --max-record much");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("write 256MB, 1GB or a number of bytes"), "{}", shown(&wrong));
    let raised = place.hedgerow("anonymize job.toml --max-record 1MB --quiet");
    assert_eq!(raised.status.code(), Some(0), "{}", shown(&raised));
}

#[test]
fn no_command_waits_for_a_pipe() {
    let place = Place::new().with("t.csv", "age,job\n1,a\n2,b\n");
    let made =
        place.shell("mkfifo f f.csv f.json f.toml f.ttl f.deid && mkdir wn && mkfifo wn/data.noun");
    assert_eq!(made.status.code(), Some(0), "{}", shown(&made));
    for args in [
        "anonymize f.csv -q age -k 2 -o r.csv",
        "anonymize f.csv",
        "anonymize f.toml",
        "anonymize --job f.toml",
        "anonymize t.csv -q age -k 2 -o r.csv --hierarchy age=f.csv",
        "anonymize t.csv -q job -k 2 -o r.csv --knowledge f.csv",
        "anonymize t.csv -q age -k 2 -o r.csv --privacy k-map:k=2 --population f.csv",
        "anonymize t.csv -q job -k 2 -o r.csv --hierarchy job=ordered:order-file=f",
        "anonymize t.csv -q age -s job -k 2 -o r.csv --privacy l-plus:l=1,file=f.csv",
        "inspect f.csv",
        "verify f.csv -q age -k 2",
        "verify t.csv -q age -k 1 --population f.csv --privacy k-map:k=2",
        "measure --original f.csv --release t.csv -q age",
        "measure --original t.csv --release f.csv -q age",
        "measure --original t.csv --release t.csv -q age --hierarchy age=f.csv",
        "lattice f.csv -q age",
        "generate f.csv -c age --sigma 2 --rho 1 -o r.csv",
        "hierarchy build f.csv -c age",
        "hierarchy show f.csv",
        "hierarchy check f.json",
        "hierarchy convert f.csv o.json",
        "hierarchy candidates f.csv -c job -o out",
        "hierarchy candidates t.csv -c job -o out --senses f.toml",
        "hierarchy rank f.json --table t.csv -c job -k 2",
        "hierarchy rank f.json --table f.csv -c job -k 2",
        "knowledge lookup nurse --knowledge f.ttl",
        "knowledge lookup nurse --wordnet wn",
        "import f.deid -o out",
    ]
    .into_iter()
    .filter(|args| is_possible(args))
    {
        let output = place.shell(&format!("timeout 20 $HEDGEROW {args}"));
        assert_eq!(output.status.code(), Some(2), "{args}: {}", shown(&output));
        let said = stderr(&output);
        assert!(said.contains("this is a pipe or a device"), "{args}: {said}");
        assert!(said.contains("write its contents to a file first"), "{args}: {said}");
    }
    let device = place.hedgerow("inspect /dev/zero");
    assert!(stderr(&device).contains("this is a pipe or a device"), "{}", shown(&device));
}

#[test]
fn a_dash_is_standard_input() {
    let table = "age,ill\n20,flu\n21,flu\n40,cold\n41,flu\n";
    let place = Place::new().with("t.csv", table).with("packed.csv.gz", packed(table));
    let flags = "-q age -k 2 --keep-order";
    let named = place.hedgerow(&format!("anonymize t.csv -o named.csv {flags}"));
    assert!(named.status.success(), "{}", shown(&named));
    for (name, file) in [("plain", "t.csv"), ("packed", "packed.csv.gz")] {
        let line = format!("cat {file} | $HEDGEROW anonymize - -o {name}.csv {flags}");
        let piped = place.shell(&line);
        assert!(piped.status.success(), "{}", shown(&piped));
        assert_eq!(place.read(&format!("{name}.csv")), place.read("named.csv"));
    }
    let verified = place.shell("$HEDGEROW verify - -q age -k 2 < named.csv");
    assert!(verified.status.success(), "{}", shown(&verified));
    let twice = place.shell("$HEDGEROW measure --original - --release - -q age < t.csv");
    assert!(shown(&twice).contains("standard input holds one"), "{}", shown(&twice));
    let empty = place.shell("$HEDGEROW inspect - < /dev/null");
    assert_eq!(empty.status.code(), Some(2));
    assert!(shown(&empty).contains("standard input: the file is empty"), "{}", shown(&empty));
    let ragged = place.shell("printf 'a,b\\n1\\n' | $HEDGEROW anonymize - -q a -k 1 -o r.csv");
    assert!(shown(&ragged).contains("standard input: "), "{}", shown(&ragged));
    // Errors in the arguments are reported before standard input is read.
    let unknown = place.shell("$HEDGEROW anonymize - -q a -k 1 -o r.csv --method nope < /dev/null");
    assert!(shown(&unknown).contains("there is no method 'nope'"), "{}", shown(&unknown));
    let left: Vec<String> = place.files().into_iter().filter(|f| f.starts_with('.')).collect();
    assert!(left.is_empty() && !place.files().contains(&"r.csv".to_owned()), "{left:?}");
}

/// The hierarchies that `auto` chose can be saved, so that `measure` knows their labels and the
/// next run uses the same ones.
#[test]
fn hierarchies_that_were_chosen_can_be_saved() {
    let rows: String =
        (0..60).map(|i| format!("{},{}\n", i % 23, ["x", "y", "z w"][i % 3])).collect();
    let place = Place::new().with("t.csv", format!("age,a/b\n{rows}"));
    let flags = "-q age,a/b -k 4 --method optimal";
    let run = place.hedgerow(&format!("anonymize t.csv {flags} -o r.csv --hierarchies trees"));
    assert!(run.status.success(), "{}", shown(&run));
    let measured = place.hedgerow(
        "measure --original t.csv --release r.csv -q age,a/b -k 4 --hierarchies trees --json",
    );
    let outcome = place.hedgerow(&format!("anonymize t.csv {flags} -o r2.csv --json"));
    let (measured, outcome) = (json(&measured), json(&outcome));
    for loss in ["ntil", "precision", "distortion"] {
        let of = |run: &serde_json::Value| run["release_loss"][loss].as_f64().unwrap();
        assert!((of(&measured) - of(&outcome)).abs() < 1e-9, "{loss}: {measured} {outcome}");
    }
    let again = place.hedgerow(&format!(
        "anonymize t.csv {flags} -o r3.csv --hierarchy age=trees/age.json --hierarchy a/b=trees/a_b.json \
         --keep-order"
    ));
    assert!(again.status.success(), "{}", shown(&again));
    let taken = place.hedgerow(&format!("anonymize t.csv {flags} -o r4.csv --hierarchies trees"));
    assert!(shown(&taken).contains("the folder is not empty"), "{}", shown(&taken));
    assert!(!place.shell("test -e r4.csv").status.success());
}

#[test]
#[cfg_attr(not(feature = "parquet"), ignore = "needs Parquet")]
fn a_release_can_be_parquet() {
    let rows: String = (0..40).map(|i| format!("{},{}.5\n", 20 + i % 17, i)).collect();
    let place = Place::new().with("t.csv", format!("age,wage\n{rows}"));
    let run = place.hedgerow("anonymize t.csv -q age -k 4 -o r.parquet");
    assert!(run.status.success(), "{}", shown(&run));
    let verified = place.hedgerow("verify r.parquet -q age -k 4");
    assert!(verified.status.success(), "{}", shown(&verified));
    let json_of = |release: &str| {
        let line = format!("measure --original t.csv --release {release} -q age --json");
        json(&place.hedgerow(&line))["release_loss"].clone()
    };
    assert!(place.hedgerow("anonymize t.csv -q age -k 4 -o r.csv").status.success());
    assert_eq!(json_of("r.parquet"), json_of("r.csv"));
}
