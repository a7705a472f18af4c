//! Modules are declared in the order of the flow, and each uses only modules before it. This is
//! checked for the modules of the library and for those inside its larger modules ("rooms").

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Rooms whose inner order is checked, in addition to the library itself.
const ROOMS: &[&str] = &[
    "table",
    "guard",
    "hierarchy",
    "format",
    "builder",
    "privacy",
    "problem",
    "anonymize",
    "auto",
    "release",
    "utility",
    "attack",
    "risk",
    "report",
    "io",
    "job",
];

#[test]
fn modules_use_only_modules_before_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut back_edges = Room::read(&src, "lib.rs", "crate").back_edges();
    for room in ROOMS {
        let found = Room::read(&src.join(room), "mod.rs", &format!("crate::{room}")).back_edges();
        back_edges.extend(found);
    }
    assert!(back_edges.is_empty(), "{}", back_edges.join("\n"));
}

/// A module that contains modules.
struct Room {
    folder: PathBuf,
    /// Its path in code.
    path: String,
    /// The modules in it, in the order of their declaration.
    order: Vec<String>,
    /// Module that defines each item which the room exports.
    exported: BTreeMap<String, String>,
}

impl Room {
    fn read(folder: &Path, file: &str, path: &str) -> Self {
        let text = code_of(&folder.join(file));
        let declared = |line: &str| {
            let line = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub "));
            line.map(str::to_owned)
        };
        let lines = text.lines().map(|line| declared(line).unwrap_or_else(|| line.to_owned()));
        let order: Vec<String> = lines
            .filter_map(|line| Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned()))
            .collect();
        assert!(order.len() > 2, "{file} of {path} lists its modules");
        let mut exported = BTreeMap::new();
        for statement in text.split("use ").skip(1).filter_map(|rest| rest.split(';').next()) {
            for item in paths_of(statement) {
                if let [module, .., name] = &*item.split("::").collect::<Vec<_>>() {
                    exported.insert((*name).to_owned(), (*module).to_owned());
                }
            }
        }
        Self { folder: folder.to_owned(), path: path.to_owned(), order, exported }
    }

    /// Returns every use of a module that is declared later.
    fn back_edges(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (place, module) in self.order.iter().enumerate() {
            for file in files_of(&self.folder, module) {
                for used in self.used_by(&file, module) {
                    if self.order.iter().position(|other| *other == used) > Some(place) {
                        found.push(format!("{} uses {used}", file.display()));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the modules of this room that a file of `module` uses.
    fn used_by(&self, file: &Path, module: &str) -> Vec<String> {
        let text = code_of(file);
        // `super` means this room only in the root file of a module.
        let opens =
            [self.folder.join(format!("{module}.rs")), self.folder.join(module).join("mod.rs")];
        let mut prefixes = vec![format!("{}::", self.path)];
        if opens.iter().any(|path| path == file) {
            prefixes.push("super::".to_owned());
        }
        let uses = prefixes.iter().flat_map(|prefix| text.split(prefix.as_str()).skip(1));
        uses.flat_map(paths_of).map(|path| self.module_of(&path)).collect()
    }

    /// Returns the module that a path relative to the room leads to.
    fn module_of(&self, path: &str) -> String {
        let name = path.split("::").next().unwrap();
        let module = self.exported.get(name).filter(|_| !self.order.iter().any(|m| m == name));
        module.map_or(name, String::as_str).to_owned()
    }
}

/// Returns the paths at the start of a text: one, or those of a list in braces.
fn paths_of(text: &str) -> Vec<String> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let (stem, rest) = text.split_at(text.find(|c| !is_path(c)).unwrap_or(text.len()));
    let Some(list) = rest.strip_prefix('{') else {
        return vec![stem.to_owned()];
    };
    let mut depth = 1;
    let end = list.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    let mut depth = 0;
    let items = list[..end.unwrap_or(list.len())].split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let items = items.map(str::trim).filter(|item| !item.is_empty());
    items.flat_map(paths_of).map(|item| format!("{stem}{item}")).collect()
}

/// Returns a file without its comments and without its tests, which may use any module.
fn code_of(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut code = Vec::new();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            // The test item ends at a brace or semicolon with the indentation of its first line.
            let mut rest = lines.by_ref().skip_while(|line| line.trim_start().starts_with("#["));
            let item = rest.next().unwrap_or_default();
            let indent = &item[..item.len() - item.trim_start().len()];
            let is_end = |line: &&str| {
                let begins = line.strip_prefix(indent).is_some_and(|rest| !rest.starts_with(' '));
                begins && (line.ends_with(';') || line.ends_with('}'))
            };
            if !is_end(&item) {
                rest.find(is_end);
            }
            continue;
        }
        code.push(line);
    }
    code.join("\n")
}

/// Returns the files of a module, except those that contain only tests.
fn files_of(folder: &Path, module: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.join(module), folder.join(format!("{module}.rs"))];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.exists() && !path.ends_with("tests.rs") && !path.ends_with("hostile.rs") {
            files.push(path);
        }
    }
    assert!(!files.is_empty(), "{module} has files");
    files
}

#[test]
fn paths_in_braces_are_expanded() {
    let found = paths_of("{a::B, c::{D, e::F}, g};");
    assert_eq!(found, ["a::B", "c::D", "c::e::F", "g"]);
    assert_eq!(paths_of("table::Table;"), ["table::Table"]);
}
