//! `GET /api/files`: the files that can be opened below the start folder.

use serde::Serialize;

use super::{Answer, Call, answer};
use crate::fault::{Done, Fault};
use crate::session::{is_shown, kind_of};
use crate::studio::Studio;

/// Maximum number of files that are listed.
const MOST: usize = 2_000;

#[derive(Serialize)]
struct Listing {
    folder: String,
    folders: Vec<String>,
    files: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: String,
    path: String,
    bytes: u64,
    kind: &'static str,
}

pub(super) fn get(studio: &Studio, call: &Call) -> Done<Answer> {
    let folder = studio.folder.existing(call.query("folder").unwrap_or(""))?;
    let entries = std::fs::read_dir(&folder)
        .map_err(|cause| Fault::input(format!("the folder cannot be listed: {cause}")))?;
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for entry in entries.flatten().take(MOST) {
        let path = entry.path();
        if !is_shown(&studio.folder, &path) {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        match std::fs::metadata(&path) {
            Ok(data) if data.is_dir() => folders.push(name),
            Ok(data) => files.push(Listed {
                name,
                path: studio.folder.relative(&path),
                bytes: data.len(),
                kind: kind_of(&path),
            }),
            Err(_) => {}
        }
    }
    folders.sort();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    answer(&Listing { folder: studio.folder.relative(&folder), folders, files })
}
