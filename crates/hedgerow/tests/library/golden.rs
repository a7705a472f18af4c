//! Golden cases: worked examples as data, starting with those of the papers.
//!
//! A case has an `input`, and its `expect` lists the parts of the result that are checked.
//! `UPDATE_GOLDEN=1` rewrites the expected values; read the difference before you commit it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hedgerow::anonymize::{self, Anonymizer};
use hedgerow::builder;
use hedgerow::hierarchy::{Entry, Generalization, Hierarchy, LevelFunction, Node, Notation};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::loss::{Partition, Sets};
use hedgerow::measure;
use hedgerow::method::Spec;
use hedgerow::privacy::{KAnonymity, Secret};
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::recoding::Recoding;
use hedgerow::registry::Registry;
use hedgerow::release::{Release, RowOrder, Style};
use hedgerow::table::{Columns, Encoding, Part, Table};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Serialize)]
struct Golden {
    case: Vec<Case>,
}

#[derive(Deserialize, Serialize)]
struct Case {
    name: String,
    /// Where the numbers come from.
    source: String,
    input: Input,
    expect: toml::Table,
}

#[derive(Deserialize, Serialize, Clone)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Input {
    /// `k` of the release; without an anonymizer, only the hierarchy of the first column is
    /// checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anonymizer: Option<Spec>,
    /// Maximum number of suppressed records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    suppress: Option<u64>,
    /// Hierarchy of each column. A single one is used for all columns; if there is none, the
    /// anonymizer's own is used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hierarchies: Vec<Spec>,
    /// Columns of Adult.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    adult: Vec<String>,
    /// Number of records of Adult, from the first; all if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<usize>,
    /// Whether the last column is the class.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    class: bool,
    /// Rows of a small table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<Vec<String>>,
    /// One column as `value:count`; `1..9:count` are nine values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    frequencies: Vec<String>,
    /// Text of hierarchy files by name.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    files: toml::Table,
}

#[test]
fn golden_cases_hold() {
    let mut n_cases = 0;
    for path in golden_files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut golden: Golden =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut is_changed = false;
        for case in &mut golden.case {
            let found = run(&case.input);
            let place = format!("{}: {}", path.display(), case.name);
            assert!(!case.expect.is_empty(), "{place} expects nothing");
            let is_update = std::env::var_os("UPDATE_GOLDEN").is_some();
            for (key, wanted) in &mut case.expect {
                let found = found.get(key).unwrap_or_else(|| panic!("{place} has no {key}"));
                if is_update && !same(wanted, found) {
                    *wanted = found.clone();
                    is_changed = true;
                } else {
                    assert!(
                        same(wanted, found),
                        "{place}, {key}\n  wanted {wanted}\n  found  {found}"
                    );
                }
            }
            n_cases += 1;
        }
        if is_changed {
            std::fs::write(&path, toml::to_string(&golden).unwrap()).unwrap();
        }
    }
    assert!(n_cases > 20, "the golden files were not found");
}

fn golden_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    // A build without WordNet leaves out its cases.
    files.retain(|file| cfg!(feature = "wordnet") || !file.ends_with("wordnet.toml"));
    files.sort();
    files
}

/// Whether two values are equal, numbers to the six digits that papers print.
fn same(wanted: &toml::Value, found: &toml::Value) -> bool {
    match (wanted, found) {
        (toml::Value::Float(a), toml::Value::Float(b)) => (a - b).abs() <= 5e-7 * a.abs().max(1.0),
        (toml::Value::Array(a), toml::Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (a, b) => a == b,
    }
}

fn run(input: &Input) -> toml::Table {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in &input.files {
        std::fs::write(folder.path().join(name), text.as_str().unwrap()).unwrap();
    }
    let table = table(input, folder.path());
    let anonymizer = input.anonymizer.as_ref().map(|spec| anonymize::from_spec(spec).unwrap());
    let own = anonymizer.as_ref().and_then(|anonymizer| anonymizer.hierarchy());
    let specs =
        if input.hierarchies.is_empty() { vec![own.unwrap()] } else { input.hierarchies.clone() };
    let built: Vec<Generalization> = table
        .columns()
        .iter()
        .enumerate()
        .map(|(place, column)| {
            let spec = &specs[place.min(specs.len() - 1)];
            let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/hierarchies");
            let is_shipped = input.files.is_empty() && !input.adult.is_empty();
            let place = if is_shipped { &shipped } else { folder.path() };
            let spec = Registry::Hierarchy.in_directory(spec, place);
            builder::build(&spec, column, input.k).unwrap()
        })
        .collect();
    match anonymizer {
        None => of_hierarchy(&built[0]),
        Some(anonymizer) => of_release(&table, built, &*anonymizer, input),
    }
}

fn table(input: &Input, folder: &Path) -> Table {
    let columns = |names: &[String]| {
        let (quasi, class) = names.split_at(names.len() - usize::from(input.class));
        Columns::quasi(quasi).and_beside(class)
    };
    if !input.adult.is_empty() {
        let mut path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/adult.csv");
        if let Some(n_records) = input.first {
            let text = std::fs::read_to_string(path).unwrap();
            path = folder.join("adult.csv");
            let lines: Vec<&str> = text.split_inclusive('\n').take(n_records + 1).collect();
            std::fs::write(&path, lines.concat()).unwrap();
        }
        let source = Source::open(&path, None).unwrap();
        let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
        return source.read(&columns(&input.adult), &options, &Silent).unwrap();
    }
    let mut rows = input.rows.clone();
    for frequency in &input.frequencies {
        let (value, count) = frequency.rsplit_once(':').unwrap();
        let values = match value.split_once("..") {
            Some((first, last)) => (first.parse::<i64>().unwrap()..=last.parse().unwrap())
                .map(|value| value.to_string())
                .collect(),
            None => vec![value.to_owned()],
        };
        for value in values {
            rows.extend(vec![vec![value]; count.parse().unwrap()]);
        }
    }
    let names: Vec<String> = (0..rows[0].len()).map(|place| format!("c{place}")).collect();
    let mut part = Part::default();
    for fields in &rows {
        part.push(fields.iter().map(String::as_bytes), true).unwrap();
    }
    Table::assemble(&columns(&names), vec![part], &Encoding::default()).unwrap()
}

fn of_hierarchy(built: &Generalization) -> toml::Table {
    let mut found = of_levels(built);
    if let Some(tree) = built.hierarchy() {
        found.extend(of_tree(tree));
    }
    found
}

/// Returns the labels of each level above the values, the lowest level first.
fn of_levels(built: &Generalization) -> toml::Table {
    let LevelFunction { nodes, distortions, .. } = built.levels().unwrap();
    let label = |entry: Entry| match built {
        Generalization::Levels(levels) => levels.label(entry.group()).replace(", ", "-"),
        other => other.hierarchy().unwrap().label(entry.node()).replace(", ", "-"),
    };
    let (mut counts, mut labels, mut unique) = (Vec::new(), Vec::new(), Vec::new());
    for level in &nodes[1..] {
        let mut level = level.clone();
        level.dedup();
        counts.push(level.len() as i64);
        labels.push(level.iter().map(|&node| label(node)).collect::<Vec<_>>().join(" "));
        let mut distorted: Vec<f64> = level.iter().map(|&node| distortions[node.index()]).collect();
        distorted.dedup();
        unique.push(toml::Value::from(distorted));
    }
    toml::Table::from_iter([
        ("level-nodes".to_owned(), counts.into()),
        ("levels".to_owned(), labels.into()),
        ("distortions".to_owned(), unique.into()),
    ])
}

fn of_tree(tree: &Hierarchy) -> toml::Table {
    let children = tree.nodes().filter(|&node| tree.parent(node) == Some(Node::ROOT));
    let children: Vec<String> = children.map(|node| tree.label(node).replace(", ", "-")).collect();
    let costs = tree.costs().into_iter().map(toml::Value::from).collect::<Vec<_>>();
    let is_set = |&node: &Node| matches!(Notation::read(&tree.label(node)), Notation::Set(_));
    let sets: Vec<Node> = tree.nodes().filter(is_set).collect();
    let counts = |&node: &Node| {
        let leaves = tree.leaves_of(node);
        leaves.map(|leaf| tree.count(tree.leaf_node(leaf))).collect()
    };
    let counts = sets.iter().map(counts).collect();
    let of_sets = Sets { n_records: tree.count(Node::ROOT), n_values: tree.n_leaves(), counts };
    let labels: Vec<String> = sets.iter().map(|&node| tree.label(node).into_owned()).collect();
    let mut found = toml::Table::from_iter([
        ("tree".to_owned(), tree.outline().into()),
        ("height".to_owned(), i64::from(tree.height()).into()),
        ("nodes".to_owned(), (tree.len() as i64).into()),
        ("children".to_owned(), children.into()),
        ("costs".to_owned(), costs.into()),
        ("sets".to_owned(), labels.into()),
    ]);
    found.extend(of_sets.losses().into_iter().map(|(name, loss)| (name.to_owned(), loss.into())));
    found
}

fn of_release(
    table: &Table,
    built: Vec<Generalization>,
    anonymizer: &dyn Anonymizer,
    input: &Input,
) -> toml::Table {
    let model = KAnonymity::new(input.k.unwrap()).unwrap();
    let class = table.beside().first().map(|class| Secret::of(table, &class.name).unwrap());
    let most_suppressed = input.suppress.unwrap_or_default();
    let limits = Limits { most_suppressed, class: class.map(Arc::new), ..Limits::default() };
    let problem = Problem::with_limits(table, built, vec![Box::new(model)], limits).unwrap();
    let proposal = anonymizer.propose(&problem, &Silent).unwrap();
    let recoding = Recoding::of(&problem, proposal, &Silent).unwrap();
    let partition = Partition::of(&problem, &recoding);
    let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
    let merged = measure::of_release(&release, true);
    let mut found = toml::Table::new();
    for (name, loss) in partition.losses() {
        found.insert(name.to_owned(), loss.into());
    }
    for (name, loss) in merged.losses() {
        found.insert(format!("release-{name}"), loss.into());
    }
    found.insert("suppressed".into(), (recoding.n_suppressed() as i64).into());
    found.insert("notes".into(), recoding.notes.clone().into());
    found.insert("classes".into(), (merged.sizes.len() as i64).into());
    found.insert("clusters".into(), clusters(table, &release, &recoding).into());
    let names: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    let shown = Table::from_rows(&names, &release.rows(RowOrder::Input, &Silent).unwrap()).unwrap();
    if let Some(sets) = measure::sets(table, &shown).get(names[0]) {
        found.extend(sets.losses().into_iter().map(|(name, loss)| (name.to_owned(), loss.into())));
    }
    found.insert("notes".into(), recoding.notes.clone().into());
    if let Some(trace) = &recoding.trace {
        let lines: Vec<String> = trace.lines().skip(1).map(str::to_owned).collect();
        let nodes = lines.iter().skip(1).map(|line| line.split(',').nth(2).unwrap());
        found.insert("generalized".into(), nodes.map(str::to_owned).collect::<Vec<_>>().into());
        found.insert("trace".into(), lines.into());
    }
    let cells = release
        .rows(RowOrder::Input, &Silent)
        .unwrap()
        .into_iter()
        .map(|cells| cells.into_iter().map(String::as_str).collect::<Vec<_>>().join(" | "));
    found.insert("cells".into(), cells.collect::<Vec<_>>().into());
    found
}

/// Returns the rows of each cluster, as `0 1 4 5`.
fn clusters(table: &Table, release: &Release, recoding: &Recoding) -> Vec<String> {
    let mut assigner = release.assigner();
    let mut rows = vec![Vec::new(); recoding.n_classes()];
    for (row, cohort) in table.rows().unwrap().iter().enumerate() {
        let cohort = cohort.unwrap();
        let class = assigner.take_of_next(cohort).unwrap().class;
        if let Some(class) = class {
            rows[class.index()].push(row.to_string());
        }
    }
    rows.into_iter().map(|rows| rows.join(" ")).collect()
}
