//! `hedgerow compare`: grids, what they print and write, and every wrong use.

use std::fmt::Write;

use crate::support::{Place, json, shown};

const TABLE: &str = include_str!("../../data/patients.csv");

fn clinic() -> Place {
    Place::new().with("t.csv", TABLE)
}

const ASKED: &str = "-q birth,sex,zip -s diagnosis";

#[test]
fn a_grid_is_printed_with_its_verdict() {
    let place = clinic();
    let args = format!(
        "compare t.csv {ASKED} -k 3,10,500 --methods hedge,optimal --hierarchies auto,free -o grid"
    );
    insta::assert_snapshot!(shown(&place.hedgerow(&args)));
    let files = place.shell(
        "cd grid; ls; ls cells | wc -l; cut -d, -f1-6 cells.csv; cat grid.toml | grep -v input",
    );
    insta::assert_snapshot!(shown(&files));
    // A second run does nothing again, and weights can change.
    let again = shown(&place.hedgerow(&format!("{args} --weights loss=1")));
    assert!(again.contains("12 cells on 400 records: 6 possible, 12 done before"), "{again}");
    assert!(again.contains("Best under the weights loss=1: hedge with free, k = 3"), "{again}");
}

/// As in `anonymize`, where flags override the job file too.
#[test]
fn a_model_of_a_flag_replaces_that_of_the_grid_file() {
    let grid = "input = \"t.csv\"\nquasi = [\"birth\", \"sex\"]\nsensitive = [\"diagnosis\"]\nk = 3\n\
                methods = [\"mondrian\"]\nprivacy = [\"l-diversity:l=4\"]\n";
    let place = clinic().with("grid.toml", grid);
    let found = json(&place.hedgerow("compare grid.toml --privacy l-diversity:l=2 --json"));
    let claims = found["cells"][0]["figures"]["privacy"].as_array().unwrap();
    let asked: Vec<_> = claims.iter().map(|claim| (&claim["model"], &claim["asked"])).collect();
    assert_eq!(asked, [(&"k-anonymity".into(), &3.0.into()), (&"l-diversity".into(), &2.0.into())]);
}

/// The figures of `compare --json` are those of `anonymize --json`.
#[test]
fn cells_are_what_anonymize_reports() {
    let place = clinic();
    let cells = [
        ("hedge", "auto", "none", 4, ""),
        ("mondrian", "auto", "l-diversity:l=2", 4, "--privacy l-diversity:l=2"),
        (
            "optimal",
            "calendar+frequency",
            "none",
            2,
            "--hierarchy birth=calendar --hierarchy sex=frequency --hierarchy zip=frequency",
        ),
    ];
    for (method, hierarchies, models, k, flags) in cells {
        let grid = format!(
            "compare t.csv {ASKED} -k {k} --methods {method} --hierarchies {hierarchies} --models {models} --suppress 2% --json"
        );
        let found = json(&place.hedgerow(&grid));
        let single = format!(
            "anonymize t.csv {ASKED} -k {k} --method {method} {flags} --suppress 2% --keep-others -o r.csv --force --json"
        );
        let outcome = json(&place.hedgerow(&single.replace("  ", " ")));
        let figures = &found["cells"][0]["figures"];
        for key in
            ["rows", "released", "suppressed", "classes", "smallest_class", "loss", "release_loss"]
        {
            assert_eq!(figures[key], outcome[key], "{method}: {key}");
        }
        for (place, claim) in outcome["privacy"].as_array().unwrap().iter().enumerate() {
            let own = &figures["privacy"][place];
            assert_eq!(own["model"], claim["model"]);
            assert_eq!(own["attained"].as_f64(), claim["attained"].as_f64());
        }
        let models = outcome["risk"]["release"]["published"]["models"].as_array().unwrap();
        let prosecutor = models.iter().find(|model| model["model"] == "prosecutor").unwrap();
        assert_eq!(figures["risk"]["average"], prosecutor["spread"]["average"]);
        assert_eq!(figures["risk"]["highest"], prosecutor["spread"]["highest"]["risk"]);
    }
}

#[test]
fn a_grid_file_is_a_job_file_with_lists() {
    let place = clinic().with(
        "grid.toml",
        "input = \"t.csv\"\nquasi = [\"birth\", \"sex\", \"zip\"]\nk = \"5..15:5\"\nmethods = [\"mondrian\"]\n\
         hierarchies = [\"auto\", \"calendar+prefix+frequency\"]\nrepeat = 5\noutput = \"out\"\n",
    );
    let found = json(&place.hedgerow("compare grid.toml --json"));
    assert_eq!(found["cells"].as_array().unwrap().len(), 6);
    assert_eq!(found["cells"][0]["samples"].as_array().unwrap().len(), 5);
    let sentence = found["verdicts"][0]["sentence"].as_str().unwrap();
    assert!(sentence.contains("With 5 bootstrap samples it is ahead in"), "{sentence}");
    assert!(place.files().contains(&"out".to_owned()));
    let overridden = json(
        &place.hedgerow("compare --job grid.toml -k 5 --repeat 0 --methods hedge -o other --json"),
    );
    assert_eq!(overridden["cells"].as_array().unwrap().len(), 2);
    // The page is one file without scripts, and says what the sentence says.
    let page = String::from_utf8(place.read("out/index.html")).unwrap();
    assert!(page.contains("<h1>Comparison on t.csv</h1>") && page.contains("Risk against loss"));
    assert!(
        !page.contains("<script") && !page.contains(" style=") && !page.contains("http:"),
        "{page}"
    );
}

#[test]
fn wrong_uses_are_explained() {
    let place = clinic()
        .with("other.csv", "birth,sex,zip\n1,f,2\n")
        .with("grid.toml", "input = \"t.csv\"\nquasi = [\"sex\"]\nmethod = \"hedge\"\n")
        .with("key.toml", "input = \"t.csv\"\nquasi = [\"sex\"]\nmethodes = [\"hedge\"]\n");
    assert_eq!(
        place
            .hedgerow("compare t.csv -q sex -k 2 --methods mondrian -o done --quiet")
            .status
            .code(),
        Some(0)
    );
    assert!(place.shell("mkdir mine; touch mine/notes.txt").status.success());
    let mut said = String::new();
    for args in [
        "compare",
        "compare t.csv",
        "compare t.csv -q sex -k 0",
        "compare t.csv -q sex -k 20..2",
        "compare t.csv -q sex -k 1..9000000",
        "compare t.csv -q sx -k 2",
        "compare t.csv -q sex -k 2 --methods hedg",
        "compare t.csv -q sex -k 2 --methods mondrian:cutt=loss",
        "compare t.csv -q sex -k 2 --hierarchies itof",
        "compare t.csv -q sex -k 2 --hierarchies files=nowhere",
        "compare t.csv -q sex -k 2 --models l-diversity:k=2",
        "compare t.csv -q sex -k 2 --models l-diversity:l=2 --methods mondrian",
        "compare t.csv -q sex -k 2 --weights speed=1",
        "compare t.csv -q sex -k 2 --weights loss=0",
        "compare t.csv -q sex -k 2 --repeat 100000",
        "compare t.csv -q sex -k 500 --methods mondrian",
        "compare t.csv -q sex -k 3 --methods mondrian -o done",
        "compare other.csv -q sex -k 2 --methods mondrian -o done",
        "compare t.csv -q sex -k 2 -o mine --force",
        "compare t.csv -q sex -k 2 -o t.csv",
        "compare t.csv -q sex -k 2 --force",
        "compare grid.toml",
        "compare key.toml",
        "compare none.toml",
    ] {
        let _ = writeln!(said, "$ hedgerow {args}\n{}", shown(&place.hedgerow(args)));
    }
    insta::assert_snapshot!(said);
    let names = ["done", "grid.toml", "key.toml", "mine", "other.csv", "t.csv"];
    assert_eq!(place.files(), names);
}

/// Ctrl-C and a kill keep the cells that are done, and the same command goes on without running them
/// again.
#[cfg(unix)]
#[test]
fn an_interrupted_grid_is_resumed() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    for (signal, folder) in [(Signal::SIGINT, "interrupted"), (Signal::SIGKILL, "killed")] {
        let place = clinic();
        let args = format!(
            "compare t.csv {ASKED} -k 2..25 --methods mondrian --hierarchies free --repeat 3 --threads 1 -o {folder}"
        );
        let child = Command::new(env!("CARGO_BIN_EXE_hedgerow"))
            .args(args.split(' '))
            .current_dir(place.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let cells = place.folder.path().join(folder).join("cells");
        // Files that are still being written have no name that ends so.
        let is_cell = |name: &str| !name.starts_with('.');
        let kept = || -> Vec<(String, std::time::SystemTime)> {
            let Ok(entries) = std::fs::read_dir(&cells) else { return Vec::new() };
            let entries = entries.map(|entry| entry.unwrap());
            let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry));
            let cells = named.filter(|(name, _)| is_cell(name));
            cells
                .map(|(name, entry)| (name, entry.metadata().unwrap().modified().unwrap()))
                .collect()
        };
        let start = Instant::now();
        while kept().len() < 2 && start.elapsed() < Duration::from_mins(1) {
            std::thread::sleep(Duration::from_millis(5));
        }
        kill(Pid::from_raw(child.id() as i32), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        if signal == Signal::SIGINT {
            let said = shown(&output);
            let advice = "the same command goes on from there";
            assert!(said.starts_with("exit 2") && said.contains(advice), "{said}");
        }
        let before = kept();
        assert!((2..24).contains(&before.len()), "{before:?}");
        let resumed = shown(&place.hedgerow(&args));
        let told = format!("24 cells on 400 records: 24 possible, {} done before", before.len());
        assert!(resumed.contains(&told), "{resumed}");
        let after = kept();
        assert_eq!(after.len(), 24);
        assert!(before.iter().all(|cell| after.contains(cell)), "{before:?} {after:?}");
    }
}
