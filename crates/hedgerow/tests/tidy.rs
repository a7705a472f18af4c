//! Policy: requirements on every file, method and reference of the project.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "tidy/literals.rs"]
mod literals;

use std::path::{Path, PathBuf};

use hedgerow::anonymize;
use hedgerow::method::Description;
use hedgerow::registry::Registry;

/// Maximum length of a file; a longer one has more than one topic.
const MOST_LINES: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rust_files() -> Vec<PathBuf> {
    let files = files("crates", "rs");
    assert!(files.len() > 40, "the sources were not found");
    files
}

/// All files below a folder of the project whose names have this ending.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|end| end == ending) {
            files.push(path);
        }
    }
    files
}

/// Fails with all omissions at once, so that one run lists everything that is left to do.
fn report(omissions: impl IntoIterator<Item = String>) {
    let omissions: Vec<String> = omissions.into_iter().collect();
    assert!(omissions.is_empty(), "{} omissions:\n{}", omissions.len(), omissions.join("\n"));
}

#[test]
fn every_file_opens_with_what_it_is_for() {
    let bare = rust_files().into_iter().filter(|file| !read(file).starts_with("//! "));
    report(bare.map(|file| format!("{} has no //! line", file.display())));
}

#[test]
fn no_file_is_too_long() {
    let lengths = rust_files().into_iter().map(|file| (read(&file).lines().count(), file));
    let long = lengths.filter(|(n_lines, _)| *n_lines > MOST_LINES);
    report(long.map(|(n_lines, file)| format!("{} has {n_lines} lines", file.display())));
}

/// A caller in Rust or Python has no flags: advice is data, which the command line spells as flags.
#[test]
fn no_message_of_the_library_has_a_flag() {
    let library = root().join("crates/hedgerow/src");
    let mut places = Vec::new();
    for file in rust_files().into_iter().filter(|file| file.starts_with(&library)) {
        let name = file.strip_prefix(&library).unwrap().display();
        let source = read(&file);
        for (line, text) in literals::literals(&source) {
            let lines = (line..).zip(text.lines()).filter(|(_, text)| has_flag(text));
            places.extend(lines.map(|(line, text)| format!("{name}:{line}: {}", text.trim())));
        }
    }
    places.sort_unstable();
    report(places);
}

/// Whether a text has a flag of the command line, as `--quasi`.
fn has_flag(text: &str) -> bool {
    let is_flag = |(place, _): (usize, &str)| {
        let before = text[..place].chars().next_back();
        let after = text[place + 2..].chars().next();
        before != Some('-') && after.is_some_and(|c| c.is_ascii_lowercase() || c == '{')
    };
    text.match_indices("--").any(is_flag)
}

#[test]
fn every_reference_is_in_the_list() {
    let references = read(&root().join("docs/references.md"));
    let mut missing = Vec::new();
    for file in rust_files() {
        for rest in read(&file).split("\\[").skip(1) {
            let Some((key, _)) = rest.split_once("\\]") else {
                continue;
            };
            if key.len() > 4
                && key[key.len() - 4..].bytes().all(|byte| byte.is_ascii_digit())
                && !references.contains(&format!("**{key}**"))
            {
                missing.push(format!("{} cites {key}", file.display()));
            }
        }
    }
    report(missing);
}

/// Texts in which every method must be mentioned.
struct Documents {
    /// All pages of the book in one text.
    book: String,
    changelog: String,
    readme: String,
    references: String,
    /// The tests of privacy models.
    privacy_tests: String,
    /// The tests of attacks.
    attack_tests: String,
    /// The tests of risk models.
    risk_tests: String,
    /// All benches, concatenated.
    benches: String,
    /// Every file of the library.
    sources: Vec<String>,
}

impl Documents {
    fn read() -> Self {
        let (benches, sources): (Vec<_>, Vec<_>) = rust_files()
            .into_iter()
            .filter(|file| !file.components().any(|part| part.as_os_str() == "tests"))
            .partition(|file| file.components().any(|part| part.as_os_str() == "benches"));
        Self {
            book: files("docs/book/src", "md").iter().map(|file| read(file)).collect(),
            changelog: read(&root().join("CHANGELOG.md")),
            readme: read(&root().join("README.md")),
            privacy_tests: read(&root().join("crates/hedgerow/src/privacy/tests.rs")),
            attack_tests: read(&root().join("crates/hedgerow/src/attack/tests.rs")),
            risk_tests: ["src/risk/tests.rs", "tests/library/risk.rs"]
                .map(|file| read(&root().join("crates/hedgerow").join(file)))
                .concat(),
            references: read(&root().join("docs/references.md")),
            benches: benches.iter().map(|file| read(file)).collect(),
            sources: sources.iter().map(|file| read(file)).collect(),
        }
    }

    /// Returns what is missing for a method of a registry.
    fn omissions(&self, registry: Registry, method: &Description) -> Vec<String> {
        let name = method.name;
        let golden = format!("crates/hedgerow/tests/golden/{name}.toml");
        let corpus = format!("crates/hedgerow/tests/corpus/{name}");
        let is_run = matches!(registry, Registry::Anonymizer | Registry::Hierarchy);
        let is_model = registry == Registry::Privacy;
        let is_format = registry == Registry::Format;
        let is_in_readme = self.readme.contains(&format!("`{name}`"));
        let mut lacks = Vec::new();
        let mut demand = |is_there: bool, what: String| {
            if !is_there {
                lacks.push(format!("{} '{name}': {what}", registry.noun()));
            }
        };
        demand(self.book.contains(&format!("**`{name}`**")), "docs/book/src has no line".into());
        demand(self.changelog.contains(&format!("`{name}`")), "CHANGELOG.md has no line".into());
        // The builder `file` is described there as files.
        let needs_readme = (is_run || is_model) && name != "file";
        demand(!needs_readme || is_in_readme, "README.md does not list it".into());
        demand(!is_run || root().join(&golden).exists(), format!("there is no {golden}"));
        let is_tested = self.privacy_tests.contains(&format!("\"{name}:"));
        demand(!is_model || is_tested, "no list in privacy/tests.rs has it".into());
        demand(!is_format || root().join(&corpus).is_dir(), format!("there is no folder {corpus}"));
        let is_attacked = self.attack_tests.contains(&format!("\"{name}"));
        let is_attack = registry == Registry::Attack;
        demand(!is_attack || is_attacked, "attack/tests.rs does not run it".into());
        let ways = [format!("\"{name}\""), type_of(name), format!("{name}_risk(")];
        let is_worked = ways.iter().any(|way| self.risk_tests.contains(way))
            || self.source_of(name).contains("#[cfg(test)]");
        let is_risk = registry == Registry::Risk;
        demand(!is_risk || is_worked, "neither tests/library/risk.rs nor its file tests it".into());
        let has_scope = anonymize::recoding(name).is_some();
        let is_anonymizer = registry == Registry::Anonymizer;
        demand(!is_anonymizer || has_scope, "it does not state its RECODING".into());
        demand(!is_run || self.has_bench(name), "no bench in crates/hedgerow/benches".into());
        if let Some(key) = method.reference {
            let is_listed = self.references.contains(&format!("**{key}**"));
            demand(is_listed, format!("docs/references.md has no {key}"));
        }
        for section in self.missing_sections(registry, name) {
            demand(false, format!("its documentation has no section '{section}'"));
        }
        lacks
    }

    /// Whether a bench names the method or uses its type.
    fn has_bench(&self, name: &str) -> bool {
        let of_type = type_of(name);
        let ways = [format!("\"{name}\""), format!("\"{name}:"), format!("{of_type} {{")];
        let calls = format!("{of_type}::");
        ways.iter().chain([&calls]).any(|way| self.benches.contains(way))
    }

    /// Returns the sections that are missing from the documentation of a method.
    fn missing_sections(&self, registry: Registry, name: &str) -> Vec<&'static str> {
        if matches!(registry, Registry::SetLoss | Registry::Format) {
            return Vec::new(); // several share a file, or have no type of their own
        }
        let text = self.source_of(name);
        let sections = ["# Complexity", "# Guarantees", "# References", "# Examples"];
        let is_missing = |section: &&str| !text.contains(&format!("/// {section}\n"));
        sections.into_iter().filter(is_missing).collect()
    }

    /// The file that describes a method.
    fn source_of(&self, name: &str) -> &str {
        let line = format!("name: \"{name}\",");
        // A paper can have the name of the method that it is about.
        let of_method = |text: &&String| {
            text.contains("impl Described for")
                && text.contains(&line)
                && !text.contains("impl Paper for")
        };
        self.sources.iter().find(of_method).map_or("", |text| text.as_str())
    }
}

/// The type of a method: `SampleUniqueness` for `sample-uniqueness`.
fn type_of(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

#[test]
fn every_method_is_documented_tested_and_measured() {
    let documents = Documents::read();
    report(Registry::ALL.iter().flat_map(|&registry| {
        // `auto` only chooses among the other methods.
        let methods = registry.descriptions().into_iter().filter(|method| method.name != "auto");
        methods.flat_map(|method| documents.omissions(registry, method)).collect::<Vec<_>>()
    }));
}

#[test]
fn every_dependency_has_its_reason() {
    let architecture = read(&root().join("ARCHITECTURE.md"));
    let manifests = ["crates/hedgerow/Cargo.toml", "crates/hedgerow-cli/Cargo.toml"];
    report(manifests.iter().flat_map(|manifest| {
        let text = read(&root().join(manifest));
        let section = text.split("[dependencies]").nth(1).unwrap().split('[').next().unwrap();
        // `name.workspace = true`, or `name = { workspace = true, optional = true }`
        let lines = section.lines().filter(|line| line.contains("workspace = true"));
        let names = lines.filter_map(|line| line.split(['.', ' ']).next());
        let is_missing =
            |name: &&str| *name != "hedgerow" && !architecture.contains(&format!("| `{name}` |"));
        let said = |name| format!("ARCHITECTURE.md gives no reason for {name}");
        names.filter(is_missing).map(said).collect::<Vec<_>>()
    }));
}
