//! Grids: their figures are those of single runs, on any number of threads, and they can be resumed.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hedgerow::anonymize;
use hedgerow::compare::{Comparison, Folder, Grid, Row, Runner};
use hedgerow::io::{Inputs, Source};
use hedgerow::job::{self, Job, Prepared};
use hedgerow::method::{Need, Spec};
use hedgerow::progress::{Progress, Silent, Stage};
use hedgerow::table::MissingPolicy;
use hedgerow::{Error, Result};
use tempfile::TempDir;

/// A table of visits: people with several records, numbers, words, missing values.
fn table() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("visits.csv");
    let mut text = "who,age,job,sex,ill\n".to_owned();
    for row in 0..160u32 {
        let age = if row % 53 == 7 { String::new() } else { (20 + row * row % 41).to_string() };
        let job = ["cook", "smith", "nurse", "tailor", "clerk"][(row * 7 % 11 % 5) as usize];
        let (sex, ill) =
            (["f", "m"][(row % 2) as usize], ["flu", "gout", "cold"][(row % 7 % 3) as usize]);
        let _ = writeln!(text, "p{},{age},{job},{sex},{ill}", row % 130);
    }
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

fn base(path: &Path) -> Job {
    let quasi = ["age", "job", "sex"].map(str::to_owned).to_vec();
    Job { input: path.to_owned(), quasi, keep_others: true, ..Job::default() }
}

fn parsed<T: std::str::FromStr<Err = Error>>(texts: &[&str]) -> Vec<T> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn run(grid: &Grid, threads: usize, folder: Option<&Folder>) -> Result<Comparison> {
    run_with(grid, threads, folder, &Silent)
}

fn run_with(
    grid: &Grid,
    threads: usize,
    folder: Option<&Folder>,
    progress: &dyn Progress,
) -> Result<Comparison> {
    let source = Source::open(&grid.base.input, None).unwrap();
    // A clock that no machine makes faster or slower.
    let ticks = AtomicUsize::new(0);
    let clock = || ticks.fetch_add(1, Ordering::Relaxed) as f64;
    Runner { threads, clock: &clock, progress, folder }.run(grid, source)
}

/// Rows without seconds, which depend on the machine.
fn timeless(comparison: &Comparison) -> Vec<Row> {
    let strip = |row: &Row| {
        let mut row = row.clone();
        row.seconds.clear();
        row
    };
    comparison.cells.iter().map(strip).collect()
}

/// Every figure of a job that is measured without writing is that of the written release.
#[test]
fn measured_jobs_have_the_figures_of_written_ones() {
    let (folder, path) = table();
    let mut jobs = Vec::new();
    for method in
        ["auto", "hedge", "mondrian", "optimal", "k-member", "datafly", "genetic:generations=5"]
    {
        for (k, privacy) in
            [(2, None), (4, Some("l-diversity:l=2")), (3, Some("t-closeness:t=0.4"))]
        {
            jobs.push(Job {
                k,
                method: method.parse().unwrap(),
                sensitive: vec!["ill".into()],
                privacy: privacy.map(|model| model.parse().unwrap()).into_iter().collect(),
                ..base(&path)
            });
        }
    }
    for change in 0..6 {
        let mut job = Job { k: 3, method: Spec::named("hedge"), ..base(&path) };
        match change {
            0 => job.person = Some("who".into()),
            1 => job.suppress = "10%".parse().unwrap(),
            2 => job.missing = MissingPolicy::Wildcard,
            3 => (job.missing, job.drop_suppressed) = (MissingPolicy::Drop, true),
            4 => job.class = Some("ill".into()),
            _ => job.threshold = vec![0.1],
        }
        jobs.push(job);
    }
    for job in jobs {
        let source = Source::open(&path, None).unwrap();
        let prepared = Prepared::read(std::slice::from_ref(&job), source, &Silent).unwrap();
        let written = Job { output: folder.path().join("r.csv"), force: true, ..job.clone() };
        let [measured, written] = [prepared.run(&job, &Silent), job::run(&written, &Silent)].map(
            |outcome| match outcome {
                Ok(outcome) => {
                    let mut json = serde_json::to_value(&outcome).unwrap();
                    // What is said about the file and about columns that are published unchanged.
                    json.as_object_mut()
                        .unwrap()
                        .retain(|key, _| key != "warnings" && key != "undecided");
                    json.to_string()
                }
                Err(error) => error.to_string(),
            },
        );
        assert_eq!(measured, written, "{}", job.to_toml());
    }
}

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    let (_folder, path) = table();
    let grid = Grid {
        k: "2..4".parse().unwrap(),
        methods: parsed(&["hedge", "mondrian", "optimal"]),
        hierarchies: parsed(&["auto", "iotf", "free", "calendar"]),
        repeat: 2,
        ..Grid::new(base(&path))
    };
    let [one, three] = [1, 3].map(|threads| run(&grid, threads, None).unwrap());
    assert_eq!(timeless(&one), timeless(&three));
    assert_eq!(one.cells.len(), 36);
    let reason = |row: &Row| row.impossible.clone().unwrap_or_default();
    // A calendar fits none of the columns, and a lattice needs levels; the others go on.
    assert!(
        one.cells
            .iter()
            .filter(|row| row.hierarchies == "calendar")
            .all(|row| reason(row).contains("fits no column"))
    );
    assert!(reason(&one.cells[30]).contains("a lattice needs levels"), "{:?}", one.cells[30]);
    assert_eq!(one.n_done(), 24);
    let noted = &one.cells[3].notes;
    assert!(noted.len() == 2 && noted[0].starts_with("job: auto, because iotf"), "{noted:?}");
    // `hedge` with trees of its own does not use the seed, and samples differ.
    let (hedge, auto) = (&one.cells[6], &one.cells[0]);
    assert!(hedge.hierarchies == "free" && hedge.seeds.is_none() && auto.seeds.is_some());
    let samples = hedge.samples.as_ref().unwrap();
    assert!(samples.len() == 2 && samples[0] != samples[1], "{samples:?}");
}

/// The cells of a grid have the figures that single jobs with the same options have.
#[test]
fn cells_have_the_figures_of_single_runs() {
    let (folder, path) = table();
    let grid = Grid {
        k: "2,5".parse().unwrap(),
        methods: parsed(&["hedge", "mondrian"]),
        hierarchies: parsed(&["auto", "least-loss+frequency"]),
        models: parsed(&["none", "l-diversity:l=2"]),
        ..Grid::new(Job { sensitive: vec!["ill".into()], ..base(&path) })
    };
    let comparison = run(&grid, 2, None).unwrap();
    let cells = grid.cells().unwrap();
    for (cell, row) in cells.iter().zip(&comparison.cells) {
        let mut job =
            Job { output: folder.path().join("r.csv"), force: true, ..cell.job(&grid.base) };
        if row.hierarchies != "auto" {
            let trees = [("age", "least-loss"), ("job", "frequency"), ("sex", "frequency")];
            job.hierarchy =
                trees.map(|(column, tree)| (column.to_owned(), Spec::named(tree))).into();
        }
        let outcome = job::run(&job, &Silent).unwrap();
        let figures = row.figures.as_ref().unwrap();
        let owned = |losses: &std::collections::BTreeMap<&'static str, f64>| {
            losses.iter().map(|(name, loss)| ((*name).to_owned(), *loss)).collect()
        };
        assert_eq!(
            (&figures.loss, &figures.release_loss),
            (&owned(&outcome.loss), &owned(&outcome.release_loss))
        );
        assert_eq!(
            (figures.classes, figures.smallest_class),
            (outcome.classes as u64, outcome.smallest_class)
        );
        let risk = outcome.risk.unwrap();
        let spread =
            risk.release.unwrap().published.of("prosecutor").unwrap().spread.clone().unwrap();
        let found = [figures.risk.highest, figures.risk.average].map(f64::to_bits);
        assert_eq!(found, [spread.highest.risk, spread.average].map(f64::to_bits));
        let attained: Vec<f64> = outcome.privacy.iter().map(|claim| claim.attained.0).collect();
        assert_eq!(
            figures.privacy.iter().map(|claim| claim.attained.unwrap()).collect::<Vec<_>>(),
            attained
        );
    }
}

/// Stops a grid after three runs.
#[derive(Default)]
struct Few {
    is_comparing: AtomicBool,
    is_enough: AtomicBool,
}

impl Progress for Few {
    fn stage(&self, stage: Stage) {
        self.is_comparing.store(stage == Stage::Compare, Ordering::Relaxed);
    }

    fn advance(&self, done: u64, _total: u64) {
        // Before, bytes are counted; then hundredths of runs.
        if self.is_comparing.load(Ordering::Relaxed) && done >= 300 {
            self.is_enough.store(true, Ordering::Relaxed);
        }
    }

    fn cancelled(&self) -> bool {
        self.is_enough.load(Ordering::Relaxed)
    }
}

/// Keeps what a grid tells while its cells run.
#[derive(Default)]
struct Told {
    is_comparing: AtomicBool,
    numbers: Mutex<Vec<[u64; 2]>>,
}

impl Progress for Told {
    fn stage(&self, stage: Stage) {
        self.is_comparing.store(stage == Stage::Compare, Ordering::Relaxed);
    }

    fn advance(&self, done: u64, total: u64) {
        if self.is_comparing.load(Ordering::Relaxed) {
            self.numbers.lock().unwrap().push([done, total]);
        }
    }
}

#[test]
fn progress_is_told_in_parts_of_a_cell() {
    let (_folder, path) = table();
    let methods = parsed(&["hedge", "mondrian", "incognito"]);
    let grid = Grid { methods, repeat: 1, ..Grid::new(base(&path)) };
    let told = Told::default();
    run_with(&grid, 2, None, &told).unwrap();
    let numbers = told.numbers.into_inner().unwrap();
    assert!(numbers.is_sorted() && numbers.len() > 10, "{numbers:?}");
    // Three runs of each cell, of a hundred units each.
    assert_eq!(numbers.last(), Some(&[900, 900]));
    assert!(numbers.iter().any(|[done, _]| (1..100).contains(done)), "{numbers:?}");
}

fn open(path: &Path, force: bool) -> Result<Folder> {
    Folder::open(path, force, &Inputs::of([""; 0]))
}

#[test]
fn an_interrupted_grid_goes_on_where_it_was() {
    let (folder, path) = table();
    let grid = Grid {
        k: "2..4".parse().unwrap(),
        methods: parsed(&["hedge", "mondrian"]),
        ..Grid::new(base(&path))
    };
    let out = folder.path().join("grid");
    let opened = open(&out, false).unwrap();
    let stopped = run_with(&grid, 1, Some(&opened), &Few::default()).unwrap_err();
    assert!(matches!(stopped, Error::Cancelled));
    let kept = || -> Vec<PathBuf> {
        let entries = std::fs::read_dir(out.join("cells")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    assert_eq!(kept().len(), 2);
    // A damaged file counts as absent.
    std::fs::write(&kept()[0], "{").unwrap();
    let resumed = run(&grid, 2, Some(&opened)).unwrap();
    assert_eq!((resumed.n_kept, resumed.cells.len(), kept().len()), (1, 6, 6));
    opened.write(&grid, &resumed).unwrap();
    let again = run(&grid, 2, Some(&open(&out, false).unwrap())).unwrap();
    // Files give back every digit.
    assert_eq!((again.n_kept, &again.cells), (6, &resumed.cells));
    assert_eq!(timeless(&again), timeless(&run(&grid, 1, None).unwrap()));
    for name in [
        "cells.csv",
        "cells.json",
        "grid.toml",
        "index.html",
        "loss.svg",
        "risk.svg",
        "seconds.svg",
    ] {
        assert!(out.join(name).is_file(), "{name}");
    }
    let same = Grid::from_file(&out.join("grid.toml")).unwrap();
    assert_eq!((same.cells().unwrap(), same.base.input), (grid.cells().unwrap(), path));
}

#[test]
fn a_folder_of_something_else_is_refused() {
    let (folder, path) = table();
    let out = folder.path().join("grid");
    let grid = Grid { methods: parsed(&["mondrian"]), ..Grid::new(base(&path)) };
    run(&grid, 1, Some(&open(&out, false).unwrap())).unwrap();
    // Other weights rank the same cells.
    let weighed = Grid { weights: "loss=1".parse().unwrap(), ..grid.clone() };
    assert_eq!(run(&weighed, 1, Some(&open(&out, false).unwrap())).unwrap().n_kept, 1);
    let wider = Grid { k: "4..5".parse().unwrap(), ..grid.clone() };
    let said = run(&wider, 1, Some(&open(&out, false).unwrap())).unwrap_err().to_string();
    assert!(
        said.contains("another grid: it has k = \"5\", but k = \"4..5\" is asked for"),
        "{said}"
    );
    let forced = run(&wider, 1, Some(&open(&out, true).unwrap())).unwrap();
    assert_eq!((forced.n_kept, forced.cells.len()), (1, 2));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("p1,", "p0,")).unwrap();
    let said = run(&wider, 1, Some(&open(&out, false).unwrap())).unwrap_err().to_string();
    assert!(said.contains("results of another table"), "{said}");
    let mine = folder.path().join("mine");
    std::fs::create_dir(&mine).unwrap();
    std::fs::write(mine.join("notes.txt"), "").unwrap();
    for force in [false, true] {
        let said = open(&mine, force).unwrap_err().to_string();
        assert!(said.contains("not that of a comparison"), "{said}");
    }
    assert!(open(&path, false).unwrap_err().to_string().contains("not a folder"));
}

/// The files of hierarchies belong to the key of a cell.
#[test]
fn a_changed_hierarchy_file_is_run_again() {
    let (folder, path) = table();
    let trees = folder.path().join("trees");
    std::fs::create_dir(&trees).unwrap();
    let jobs = "cook;food;*\nsmith;craft;*\ntailor;craft;*\nnurse;other;*\nclerk;other;*\n";
    std::fs::write(trees.join("t_job.csv"), jobs).unwrap();
    let setting = format!("files={}", trees.display());
    let grid = Grid {
        methods: parsed(&["mondrian"]),
        hierarchies: vec![setting.parse().unwrap()],
        ..Grid::new(base(&path))
    };
    let out = folder.path().join("grid");
    let first = run(&grid, 1, Some(&open(&out, false).unwrap())).unwrap();
    assert_eq!(first.cells[0].figures.as_ref().unwrap().used["job"], "file");
    assert!(first.cells[0].notes[0].contains("age: auto, because"), "{:?}", first.cells[0].notes);
    std::fs::write(trees.join("t_job.csv"), jobs.replace("cook;food", "cook;craft")).unwrap();
    let second = run(&grid, 1, Some(&open(&out, false).unwrap())).unwrap();
    assert_eq!(second.n_kept, 0);
    assert_ne!(first.cells[0].figures, second.cells[0].figures);
}

/// So do all other files that a job can name.
#[test]
#[cfg_attr(not(feature = "wordnet"), ignore = "sources of concepts need the feature 'wordnet'")]
fn a_changed_file_of_knowledge_is_run_again() {
    let (folder, path) = table();
    let terms = folder.path().join("jobs.csv");
    let jobs = "code,parent,label\nF,,food\nC,,craft\nO,,other\n1,F,cook\n2,C,smith\n3,C,tailor\n\
                4,O,nurse\n5,O,clerk\n";
    std::fs::write(&terms, jobs).unwrap();
    let base = Job { knowledge: vec![terms.clone()], ..base(&path) };
    let grid = Grid { methods: parsed(&["mondrian"]), ..Grid::new(base) };
    let out = folder.path().join("grid");
    let rerun = || run(&grid, 1, Some(&open(&out, false).unwrap())).unwrap();
    let first = rerun();
    assert!(first.cells[0].figures.is_some(), "{:?}", first.cells[0].impossible);
    assert_eq!(rerun().n_kept, 1);
    std::fs::write(&terms, jobs.replace("1,F,cook", "1,C,cook")).unwrap();
    assert_eq!(rerun().n_kept, 0);
    // None of them can be replaced by a result.
    let said = grid.inputs().check(&terms).unwrap_err().to_string();
    assert!(said.contains("this file is an input"), "{said}");
}

/// A page or a chart of the old grid would be taken for one of the new.
#[test]
fn a_forced_folder_has_nothing_of_the_old_grid() {
    let (folder, path) = table();
    let out = folder.path().join("grid");
    let grid = Grid {
        methods: parsed(&["mondrian"]),
        models: parsed(&["none", "l-diversity:l=2"]),
        ..Grid::new(Job { sensitive: vec!["ill".to_owned()], ..base(&path) })
    };
    let opened = open(&out, false).unwrap();
    opened.write(&grid, &run(&grid, 1, Some(&opened)).unwrap()).unwrap();
    assert!(out.join("loss-2.svg").is_file() && out.join("index.html").is_file());
    std::fs::write(out.join("loss-of-mine.svg"), "").unwrap();
    let other = Grid { models: parsed(&["none"]), k: "4".parse().unwrap(), ..grid };
    let stopped = run_with(&other, 1, Some(&open(&out, true).unwrap()), &Stopped::default());
    assert!(matches!(stopped, Err(Error::Cancelled)));
    let entries = std::fs::read_dir(&out).unwrap();
    let mut left: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["cells", "grid.json", "loss-of-mine.svg"]);
}

/// Stops when cells are about to be run.
#[derive(Default)]
struct Stopped(AtomicBool);

impl Progress for Stopped {
    fn stage(&self, stage: Stage) {
        self.0.store(stage == Stage::Compare, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A method that is not seeded gives the same figures with another seed.
#[test]
fn methods_say_whether_they_use_the_seed() {
    let (_folder, path) = table();
    let mut seeded = Vec::new();
    for method in anonymize::ALL {
        let mut spec = Spec::named(method.name);
        if method.name == "bottom-up" {
            spec = "bottom-up:anneal=50".parse().unwrap();
        }
        let made = anonymize::from_spec(&spec).unwrap();
        let mut job = Job { k: 3, method: spec, class: Some("ill".into()), ..base(&path) };
        if made.needs(Need::OneAttribute) {
            job.quasi = vec!["age".into()];
        } else if made.needs(Need::Levels) {
            let trees = [("age", "iotf"), ("job", "frequency"), ("sex", "frequency")];
            job.hierarchy =
                trees.map(|(column, tree)| (column.to_owned(), Spec::named(tree))).into();
        } else {
            let free = |column: &String| (column.clone(), Spec::named("free"));
            job.hierarchy = job.quasi.iter().map(free).collect();
        }
        let prepared =
            Prepared::read(&[job.clone()], Source::open(&path, None).unwrap(), &Silent).unwrap();
        let losses =
            |seed| prepared.run(&Job { seed, ..job.clone() }, &Silent).map(|o| o.release_loss).ok();
        if made.is_seeded() {
            seeded.push(method.name);
        } else {
            assert_eq!(losses(1), losses(2), "{}", method.name);
        }
    }
    assert_eq!(seeded, ["bottom-up", "genetic"]);
}
