//! ARX projects: which parts are imported, which are not, and damaged files.

use std::io::Write;

use crate::archive::{Entry, archive, entry};
use hedgerow::error::Advice;
use hedgerow::import::Project;
use hedgerow::job::Job;
use hedgerow::progress::Silent;
use hedgerow::schema::Role;
use hedgerow::table::Kind;

const DEFINITION: &str = "<definition>
    <assigment><name>name</name><type>IDENTIFYING_ATTRIBUTE</type><datatype>String</datatype></assigment>
    <assigment><name>age</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type><datatype>Integer</datatype>
        <ref>hierarchies/age.csv</ref><min>All</min><max>All</max></assigment>
    <assigment><name>../job &amp; rank</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type>
        <datatype>String</datatype><ref>hierarchies/job.csv</ref></assigment>
    <assigment><name>seen</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type><datatype>Date/Time</datatype>
        <format>dd.MM.yyyy</format></assigment>
    <assigment><name>told</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type><datatype>Date/Time</datatype>
        <format>EEE d MMM</format></assigment>
    <assigment><name>illness</name><type>SENSITIVE_ATTRIBUTE</type><datatype>String</datatype></assigment>
    </definition>";
const CONFIG: &str = "<config><criteria><criterion>5-anonymity</criterion>
    <criterion>distinct-3-diversity for attribute 'illness'</criterion></criteria>
    <relativeMaxOutliers>0.05</relativeMaxOutliers></config>";

fn project() -> Vec<u8> {
    archive(&[
        entry("metadata.xml", "<metadata><version>3.9.0</version></metadata>"),
        entry("data/input.csv", "name,age\nSecret Person,23\n"),
        entry("input/config.xml", CONFIG),
        entry("input/definition.xml", DEFINITION),
        entry("input/hierarchies/age.csv", "23;20-29;*\n25;20-29;*\n41;40-49;*\n"),
        entry("input/hierarchies/job.csv", "nurse,care,*\ncook,food,*\nnurse,food,*\n"),
    ])
}

fn read(bytes: &[u8]) -> hedgerow::Result<Project> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    Project::read(file.path())
}

fn error(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn roles_kinds_and_hierarchies_are_imported() {
    let project = read(&project()).unwrap();
    let columns: Vec<_> =
        project.columns.iter().map(|c| (c.name.as_str(), c.role, c.kind)).collect();
    let expected = [
        ("name", Role::Identifier, Some(Kind::Text)),
        ("age", Role::Quasi, Some(Kind::Number)),
        ("../job & rank", Role::Quasi, Some(Kind::Text)),
        ("seen", Role::Quasi, Some(Kind::Date)),
        ("told", Role::Quasi, Some(Kind::Text)),
        ("illness", Role::Sensitive, Some(Kind::Text)),
    ];
    assert_eq!(columns, expected);
    assert_eq!(project.k, Some(5));
    let left_out = project.left_out.join("\n");
    assert!(left_out.contains("EEE d MMM") && left_out.contains("distinct-3-diversity"));
    assert!(left_out.contains("0.05"));
}

#[test]
fn a_job_and_hierarchies_are_written_and_no_data() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let (files, notes) = read(&project()).unwrap().write(&out, false, &Silent).unwrap();
    let mut names: Vec<_> =
        files.iter().map(|f| f.file_name().unwrap().to_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["___job___rank.csv", "age.csv", "job.toml"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing outside");
    for file in &files {
        assert!(!std::fs::read_to_string(file).unwrap().contains("Secret"));
    }
    let job = Job::from_file(&out.join("job.toml")).unwrap();
    assert_eq!((job.k, job.quasi.len()), (5, 4));
    assert!(job.date_format["seen"].reads("31.12.2024"));
    assert_eq!(job.identifier, ["name"]);
    assert_eq!(job.kind["age"], Kind::Number);
    assert!(job.hierarchy["age"].to_string().ends_with("age.csv"));
    assert!(
        notes.iter().any(|note| note.starts_with("___job___rank.csv has 1 fault")),
        "{notes:?}"
    );
    let again = read(&project()).unwrap().write(&out, false, &Silent).unwrap_err();
    assert!(again.advice().contains(&Advice::Overwrite), "{again}");
}

/// A folder is replaced as a whole, so it must not contain other files, which would be lost.
#[test]
fn a_folder_is_replaced_only_if_all_its_files_are_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let write = |force| read(&project()).unwrap().write(&out, force, &Silent).map(|_| ());
    write(false).unwrap();
    std::fs::write(out.join("age.csv"), "mine").unwrap();
    write(true).unwrap();
    assert!(std::fs::read_to_string(out.join("age.csv")).unwrap().starts_with("23;"));
    std::fs::write(out.join("table.csv"), "mine").unwrap();
    std::fs::write(out.join("age.csv"), "mine").unwrap();
    let error = write(true).unwrap_err().to_string();
    assert!(error.contains("it has files that would not be written again"), "{error}");
    assert_eq!(std::fs::read_to_string(out.join("age.csv")).unwrap(), "mine");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn damaged_archives_are_refused() {
    let whole = project();
    for length in 0..whole.len() {
        assert!(read(&whole[..length]).is_err(), "cut off at {length}");
    }
    assert!(error(b"PK and no more").contains("not a ZIP archive"));
    assert!(error(&archive(&[entry("x", "y")])).contains("is this an ARX project?"));
    let latin = archive(&[Entry {
        name: "input/definition.xml",
        bytes: b"<a>\n\x81</a>",
        stated_size: None,
    }]);
    assert!(
        error(&latin)
            .contains("input/definition.xml: line 2: the line is neither UTF-8 nor Windows-1252")
    );
    let lost = archive(&[entry("input/definition.xml", DEFINITION)]);
    assert!(
        error(&lost).contains("column 'age': its hierarchy input/hierarchies/age.csv is not in")
    );
    let torn = archive(&[entry("input/definition.xml", "<definition>\n<assigment>")]);
    assert!(error(&torn).contains("line 2: <assigment> is opened and never closed"));
}

#[test]
fn decompression_bombs_are_refused_before_they_are_unpacked() {
    let zeros = vec![b' '; 8 << 20];
    let name = "input/definition.xml";
    let small = Entry { name, bytes: &zeros, stated_size: Some(100) };
    assert!(error(&archive(&[small])).contains("is damaged"));
    let large = Entry { name, bytes: &zeros, stated_size: Some(u32::MAX - 1) };
    assert!(error(&archive(&[large])).contains("too much"));
}

#[test]
fn changed_bytes_never_panic() {
    let whole = project();
    let mut state = 1u64;
    for _ in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = (state >> 25) as u8;
        }
        let _ = read(&bytes);
    }
}

/// Column names that become equal when path characters are removed are numbered.
#[test]
fn columns_with_similar_names_have_separate_files() {
    let column = |name: &str| {
        format!(
            "<assigment><name>{name}</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type>\
             <ref>hierarchies/x.csv</ref></assigment>"
        )
    };
    let columns: String = ["a_b_2", "a_b_3", "a b", "a.b", "A_B"].map(column).concat();
    let definition = format!("<definition>{columns}</definition>");
    let archive = archive(&[
        entry("input/definition.xml", &definition),
        entry("input/hierarchies/x.csv", "1;*\n2;*\n"),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let (files, _) = read(&archive).unwrap().write(folder.path(), false, &Silent).unwrap();
    assert_eq!(files.len(), 6);
}

/// Many columns may refer to one hierarchy; together they must not exceed the limit of one file.
#[test]
fn a_decompression_bomb_with_many_references_is_refused() {
    let column = "<assigment><name>a</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type>\
                  <ref>hierarchies/x.csv</ref></assigment>";
    let definition = format!("<definition>{}</definition>", column.repeat(9));
    let large = "1;*\n".repeat(10 << 20);
    let archive = archive(&[
        entry("input/definition.xml", &definition),
        entry("input/hierarchies/x.csv", &large),
    ]);
    assert!(error(&archive).contains("which is too much with what was read before"));
}
