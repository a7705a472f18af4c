//! Runs the real binary in a temporary folder.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use crate::archive::{archive, entry};

/// Whether this build has the features that a call needs.
pub(crate) fn is_possible(args: &str) -> bool {
    let of_words = ["wordnet", "candidates", "rank ", "knowledge", "--claims"];
    let needs_words = of_words.iter().any(|word| args.contains(word));
    (cfg!(feature = "wordnet") || !needs_words)
        && (cfg!(feature = "parquet") || !args.contains("parquet"))
        && (cfg!(feature = "excel") || !args.contains(".xlsx"))
}

/// A temporary folder in which commands run.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Writes a file.
    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.folder.path().join(name), content).unwrap();
        self
    }

    /// Reads a file.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.path().join(name)).unwrap()
    }

    /// Returns the names of all files, to check that a command leaves none behind.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `hedgerow` with arguments separated by blanks.
    pub(crate) fn hedgerow(&self, args: &str) -> Output {
        let args: Vec<&str> = args.split(' ').filter(|arg| !arg.is_empty()).collect();
        self.command(env!("CARGO_BIN_EXE_hedgerow"), &args)
    }

    /// Runs a shell command line in which `$HEDGEROW` is the binary.
    pub(crate) fn shell(&self, line: &str) -> Output {
        self.command("sh", &["-c", line])
    }

    fn command(&self, program: &str, args: &[&str]) -> Output {
        Command::new(program)
            .args(args)
            .env("HEDGEROW", env!("CARGO_BIN_EXE_hedgerow"))
            .env("NO_COLOR", "1")
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }
}

/// Returns the JSON that a successful run printed.
pub(crate) fn json(output: &std::process::Output) -> serde_json::Value {
    assert_eq!(output.status.code(), Some(0), "{}", shown(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns exit code, stdout and stderr as one text, for a snapshot.
pub(crate) fn shown(output: &Output) -> String {
    format!(
        "exit {}\n--- stdout\n{}--- stderr\n{}",
        output.status.code().map_or("by signal".to_owned(), |code| code.to_string()),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Returns a message without the list of methods at the end of a line, so that adding a method
/// changes no snapshot.
pub(crate) fn unlisted(text: &str) -> String {
    let line = |line: &str| {
        let ends = ["with --method: ", "these methods can: ", "choose another method such as "];
        let end = ends.iter().find_map(|end| Some(line.find(end)? + end.len()));
        end.map_or_else(|| format!("{line}\n"), |end| format!("{}METHODS\n", &line[..end]))
    };
    text.lines().map(line).collect()
}

/// Returns an ARX project of two columns with hierarchies of `n_values` values each.
pub(crate) fn project(n_values: usize) -> Vec<u8> {
    let column = |name: &str| {
        format!(
            "<assigment><name>{name}</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type>\
             <datatype>String</datatype><ref>hierarchies/{name}.csv</ref></assigment>"
        )
    };
    let definition = format!("<definition>{}{}</definition>", column("place"), column("job"));
    let tree: String = (0..n_values).map(|i| format!("value {i};group {};*\n", i / 10)).collect();
    archive(&[
        entry("input/definition.xml", &definition),
        entry("input/hierarchies/place.csv", &tree),
        entry("input/hierarchies/job.csv", &tree),
    ])
}

/// Anonymizes `t.csv` to `r.csv` and returns the JSON.
pub(crate) fn outcome(place: &Place, args: &str) -> serde_json::Value {
    let run = place.hedgerow(&format!("anonymize t.csv -o r.csv --force --json {args}"));
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    serde_json::from_slice(&run.stdout).unwrap()
}

/// Returns the content of `r.csv`.
pub(crate) fn release(place: &Place) -> String {
    String::from_utf8(place.read("r.csv")).unwrap()
}

/// Returns a text compressed with gzip.
pub(crate) fn packed(text: &str) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

/// Path of the Adult table in this repository.
pub(crate) fn adult() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/adult.csv");
    path.to_str().unwrap().to_owned()
}

/// Returns the losses that a run reports and `measure` does not find in its release; checks that
/// the others are equal.
pub(crate) fn losses_left_out(
    measured: &serde_json::Value,
    outcome: &serde_json::Value,
) -> Vec<String> {
    let losses = |value: &serde_json::Value| value["release_loss"].as_object().unwrap().clone();
    let (measured, mut left) = (losses(measured), losses(outcome));
    for (name, number) in measured {
        let wanted = left.remove(&name).unwrap().as_f64().unwrap();
        let difference = (number.as_f64().unwrap() - wanted).abs();
        assert!(difference < 1e-9 * wanted.max(1.0), "{name}: {number} {wanted}");
    }
    left.keys().cloned().collect()
}
