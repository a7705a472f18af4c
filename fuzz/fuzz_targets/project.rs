//! ARX projects: the input as an archive, or an archive whose entries are the input.

#![no_main]

use flate2::Crc;
use hedgerow::import::Project;
use hedgerow_fuzz::file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let archive = if choice % 2 == 0 { rest.to_vec() } else { archive(rest) };
    let _ = Project::read(&file("p.deid", &archive));
});

/// Returns an archive of stored entries: the parts of the input between zero bytes.
fn archive(bytes: &[u8]) -> Vec<u8> {
    let names = ["input/definition.xml", "input/config.xml", "input/hierarchies/h.csv"];
    let (mut out, mut list) = (Vec::new(), Vec::new());
    let mut n_entries = 0u16;
    for (name, content) in names.iter().zip(bytes.split(|&byte| byte == 0)) {
        let mut crc = Crc::new();
        crc.update(content);
        let size = (content.len() as u32).to_le_bytes();
        let name_length = (name.len() as u16).to_le_bytes();
        let shared = [&[0; 8][..], &crc.sum().to_le_bytes(), &size, &size, &name_length].concat();
        let offset = (out.len() as u32).to_le_bytes();
        out.extend([b"PK\x03\x04\x14\0", &shared[..], &[0; 2], name.as_bytes(), content].concat());
        let before_offset = [0; 12];
        let head = [b"PK\x01\x02\x14\0\x14\0", &shared[..], &before_offset, &offset].concat();
        list.extend([&head[..], name.as_bytes()].concat());
        n_entries += 1;
    }
    let (start, size) = (out.len() as u32, list.len() as u32);
    out.extend(list);
    let count = n_entries.to_le_bytes();
    out.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count].concat());
    out.extend([&size.to_le_bytes()[..], &start.to_le_bytes(), &[0; 2]].concat());
    out
}
