//! Tables in workbooks: whole files, and parts of an archive that is always well-formed.

#![no_main]

use std::io::{Cursor, Write};

use hedgerow_fuzz::{file, read_table};
use libfuzzer_sys::fuzz_target;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The parts that the first byte selects; the rest of the input is the content of one of them.
const PARTS: [&str; 5] = [
    "xl/worksheets/sheet1.xml",
    "xl/sharedStrings.xml",
    "xl/styles.xml",
    "xl/workbook.xml",
    "content.xml",
];
const RELATIONS: &str = r#"<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#;
const ROOT: &str = r#"<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const WORKBOOK: &str = r#"<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>"#;
const SHEET: &str = r#"<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" s="1"><v>45000.5</v></c></row></sheetData></worksheet>"#;
const MIMETYPE: &str = "application/vnd.oasis.opendocument.spreadsheet";

fuzz_target!(init: abort_on_panics_that_nobody_catches(), |bytes: &[u8]| {
    match bytes.split_first() {
        Some((&choice, content)) if usize::from(choice) < PARTS.len() => {
            read_table(&file("t.xlsx", &archive(PARTS[usize::from(choice)], content)));
        }
        _ => read_table(&file("t.xlsx", bytes)),
    }
});

/// An archive in which one part has the given content.
fn archive(part: &str, content: &[u8]) -> Vec<u8> {
    let excel: [(&str, &[u8]); 6] = [
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", ROOT.as_bytes()),
        ("xl/_rels/workbook.xml.rels", RELATIONS.as_bytes()),
        ("xl/workbook.xml", WORKBOOK.as_bytes()),
        ("xl/sharedStrings.xml", b"<sst><si><t>age</t></si></sst>"),
        ("xl/worksheets/sheet1.xml", SHEET.as_bytes()),
    ];
    let open_document: [(&str, &[u8]); 2] =
        [("mimetype", MIMETYPE.as_bytes()), ("META-INF/manifest.xml", b"<manifest/>")];
    let parts = if part == "content.xml" { &open_document[..] } else { &excel[..] };
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let others = parts.iter().copied().filter(|(name, _)| *name != part);
    for (name, content) in others.chain([(part, content)]) {
        writer.start_file(name, SimpleFileOptions::default()).expect("a part");
        writer.write_all(content).expect("its content");
    }
    writer.finish().expect("an archive").into_inner()
}

/// The library catches panics of the decoder and returns errors; any other panic is a finding.
fn abort_on_panics_that_nobody_catches() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !hedgerow::io::is_guarded() {
            report(panic);
        }
    }));
}
