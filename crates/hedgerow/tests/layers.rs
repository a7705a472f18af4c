//! The modules of the library stand in the order of the flow, and each uses only those before it.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};

#[test]
fn modules_use_only_modules_before_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = std::fs::read_to_string(src.join("lib.rs")).unwrap();
    let order: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')))
        .collect();
    assert!(order.len() > 10, "lib.rs lists the modules");
    let mut back_edges = Vec::new();
    for (place, module) in order.iter().enumerate() {
        for file in files_of(&src, module) {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for used in code.flat_map(used_modules) {
                let at = order.iter().position(|&other| other == used);
                if at.is_some_and(|at| at > place) {
                    back_edges.push(format!("{} uses {used}", file.display()));
                }
            }
        }
    }
    assert!(back_edges.is_empty(), "{}", back_edges.join("\n"));
}

/// The modules that a line names as `crate::module` or `crate::{module, ...}`.
fn used_modules(line: &str) -> Vec<String> {
    let paths = line.split("crate::").skip(1);
    paths
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(list) => list.split([',', '}']).map(str::trim).collect::<Vec<_>>(),
            None => vec![rest],
        })
        .map(|path| path.chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect())
        .collect()
}

fn files_of(src: &Path, module: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![src.join(module), src.join(format!("{module}.rs"))];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.exists() {
            files.push(path);
        }
    }
    assert!(!files.is_empty(), "{module} has files");
    files
}
