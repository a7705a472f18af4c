//! Random jobs with their tables.

use std::collections::BTreeMap;
use std::path::Path;

use hedgerow::anonymize;
use hedgerow::hierarchy::{self, RareValues};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::job::Job;
use hedgerow::method::Spec;
use hedgerow::progress::Silent;
use hedgerow::release::IntervalStyle;
use hedgerow::table::{Encoding, MissingPolicy};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::quick;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sort {
    Constant,
    Unique,
    Whole,
    Decimal,
    Date,
    Code,
    Word,
    Odd,
}

pub(crate) const SORTS: [Sort; 8] = [
    Sort::Constant,
    Sort::Unique,
    Sort::Whole,
    Sort::Decimal,
    Sort::Date,
    Sort::Code,
    Sort::Word,
    Sort::Odd,
];

/// Words with everything that CSV, sets and labels must quote.
pub(crate) const ODD: [&str; 9] =
    ["a, b", "say \"x\"", "two\nlines", "{x}", "x and 2 more", "=1+1", " blank ", "[1, 2]", "*"];

impl Sort {
    /// The value of a record, from a random number and the record's place.
    pub(crate) fn value(self, random: u32, place: usize) -> String {
        match self {
            Self::Constant => "7".to_owned(),
            Self::Unique => (1000 + place * 37 % 997).to_string(),
            Self::Whole => (random % 12).to_string(),
            Self::Decimal => format!("{}.{:02}", random as i32 % 5 - 2, random % 4 * 25),
            Self::Date => {
                format!("20{:02}-{:02}-{:02}", 18 + random % 5, 1 + random % 12, 1 + random % 28)
            }
            Self::Code => format!("0{:04}", random % 30 * 311),
            Self::Word => {
                ["flu", "gout", "ulcer", "angina", "cold"][random as usize % 5].to_owned()
            }
            Self::Odd => ODD[random as usize % ODD.len()].to_owned(),
        }
    }
}

/// A random job with its table.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) sorts: Vec<Sort>,
    /// Random numbers of each record; those of the first columns make values, the last a secret.
    pub(crate) rows: Vec<[u32; 5]>,
    pub(crate) missing_share: u32,
    pub(crate) hierarchies: Vec<Index>,
    pub(crate) method: Index,
    pub(crate) models: Vec<(Index, u32)>,
    pub(crate) k: u64,
    pub(crate) missing: MissingPolicy,
    pub(crate) suppress: u32,
    pub(crate) cap: Option<u32>,
    pub(crate) style: IntervalStyle,
    pub(crate) rare_values: RareValues,
    pub(crate) switches: [bool; 3],
    pub(crate) seed: u64,
}

impl std::fmt::Debug for Case {
    /// The table and the job, which say more than the random numbers that they are made of.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("t.csv");
        self.write(&input);
        let table = std::fs::read_to_string(&input).unwrap();
        write!(f, "{:?}\n{table}\n{:?}", self.sorts, self.job(&input, Path::new("r.csv")))
    }
}

pub(crate) fn case() -> impl Strategy<Value = Case> {
    let sorts = prop::collection::vec(select(&SORTS[..]), 1..=3);
    let rows = prop::collection::vec(any::<[u32; 5]>(), 5..60);
    let missing = select(vec![
        MissingPolicy::Own,
        MissingPolicy::Own,
        MissingPolicy::Wildcard,
        MissingPolicy::Drop,
        MissingPolicy::Error,
    ]);
    let style = select(vec![
        IntervalStyle::Brackets,
        IntervalStyle::Brackets,
        IntervalStyle::Dash,
        IntervalStyle::Midpoint,
        IntervalStyle::Bounds,
    ]);
    let rare_values = select(vec![RareValues::Show, RareValues::Show, RareValues::Hide]);
    let table = (sorts, rows, select(vec![0, 0, 3, 8]));
    let methods = (
        prop::collection::vec(any::<Index>(), 3),
        any::<Index>(),
        prop::collection::vec((any::<Index>(), 0..4u32), 0..3),
    );
    let goal =
        (1..6u64, missing, select(vec![0, 0, 5, 30, 60]), prop::option::weighted(0.15, 0..3u32));
    let output = (style, rare_values, any::<[bool; 3]>(), 0..3u64);
    (table, methods, goal, output).prop_map(|(table, methods, goal, output)| Case {
        sorts: table.0,
        rows: table.1,
        missing_share: table.2,
        hierarchies: methods.0,
        method: methods.1,
        models: methods.2,
        k: goal.0,
        missing: goal.1,
        suppress: goal.2,
        cap: goal.3,
        style: output.0,
        rare_values: output.1,
        switches: output.2,
        seed: output.3,
    })
}

/// A model as a job names it, as the second implementation does, and what is asked of it.
pub(crate) struct Model {
    pub(crate) spec: Spec,
    pub(crate) name: &'static str,
    pub(crate) asked: BTreeMap<String, f64>,
}

/// What is asked of a model, by the names of its parameters.
pub(crate) type Asked<'a> = &'a [(&'a str, f64)];

pub(crate) fn model(which: Index, strength: u32) -> Model {
    let l = f64::from(strength) + 1.0;
    let share = 1.0 / l;
    let all: [(&str, String, Asked<'_>); 8] = [
        ("l-diversity", format!("l-diversity:l={l}"), &[("l", l)]),
        ("entropy", format!("l-diversity:kind=entropy,l={l}"), &[("l", l)]),
        ("recursive", format!("l-diversity:kind=recursive,c=2,l={l}"), &[("l", l), ("c", 2.0)]),
        ("p-sensitive", format!("p-sensitive:p={l}"), &[("p", l)]),
        ("alpha-k", format!("alpha-k:alpha={share}"), &[("alpha", share)]),
        ("t-closeness", format!("t-closeness:t={share}"), &[("t", share)]),
        ("beta-likeness", format!("beta-likeness:beta={l}"), &[("beta", l)]),
        ("delta-disclosure", format!("delta-disclosure:delta={l}"), &[("delta", l)]),
    ];
    let (name, spec, asked) = &all[which.index(all.len())];
    let asked = asked.iter().map(|&(name, number)| (name.to_owned(), number)).collect();
    Model { spec: spec.parse().unwrap(), name, asked }
}

/// The methods that build hierarchies of any column without being told more.
pub(crate) fn builders() -> Vec<&'static str> {
    let told_more = ["file", "ordered", "wordnet"];
    let all = hierarchy::all().map(|method| method.name).filter(|name| !told_more.contains(name));
    ["auto"].into_iter().chain(all).collect()
}

impl Case {
    pub(crate) fn quasi(&self) -> Vec<String> {
        (0..self.sorts.len()).map(|place| format!("q{place}")).collect()
    }

    /// Writes the table: a number that tells records apart, the quasi-identifiers, a secret, a note.
    pub(crate) fn write(&self, path: &Path) {
        let mut writer = csv::Writer::from_path(path).unwrap();
        let mut header = vec!["id".to_owned()];
        header.extend(self.quasi());
        header.extend(["s".to_owned(), "note".to_owned()]);
        writer.write_record(&header).unwrap();
        for (place, random) in self.rows.iter().enumerate() {
            let mut row = vec![place.to_string()];
            for (&sort, &random) in self.sorts.iter().zip(random) {
                let is_missing = random >> 8 & 31 < self.missing_share;
                row.push(if is_missing { String::new() } else { sort.value(random, place) });
            }
            row.push(Sort::Word.value(random[3] % 4, place));
            row.push(Sort::Odd.value(random[4], place));
            writer.write_record(&row).unwrap();
        }
        writer.flush().unwrap();
    }

    /// The hierarchy of each quasi-identifier: a random one that its values allow.
    pub(crate) fn hierarchy(&self, input: &Path) -> BTreeMap<String, Spec> {
        let source = Source::open(input, Some(b',')).unwrap();
        let encoding = Encoding { missing: self.missing, ..Encoding::default() };
        let options = ReadOptions { encoding, ..ReadOptions::default() };
        let Ok(table) = source.read(&self.quasi(), &options, &Silent) else {
            return BTreeMap::new();
        };
        let builders = builders();
        let columns = table.columns().iter().zip(&self.hierarchies);
        let specs = columns.map(|(column, which)| {
            let spec = Spec::named(builders[which.index(builders.len())]);
            let fits = spec.name == "auto" || hierarchy::build(&spec, column, Some(self.k)).is_ok();
            let spec = if fits { spec } else { Spec::named("auto") };
            (column.name.clone(), spec)
        });
        specs.collect()
    }

    pub(crate) fn job(&self, input: &Path, output: &Path) -> Job {
        let methods: Vec<&str> =
            ["auto"].into_iter().chain(anonymize::ALL.iter().map(|method| method.name)).collect();
        let method = quick::spec(methods[self.method.index(methods.len())]);
        let owns_hierarchy = method.name == "traversal";
        let cap = self.cap.map(|level| ("q0".to_owned(), vec![format!("level:{level}")]));
        let [drop_suppressed, spreadsheet_safe, has_class] = self.switches;
        Job {
            sensitive: vec!["s".to_owned()],
            class: has_class.then(|| "note".to_owned()),
            privacy: self.models().into_iter().map(|model| model.spec).collect(),
            suppress: format!("{}%", self.suppress).parse().unwrap(),
            limit: cap.into_iter().collect(),
            hierarchy: if owns_hierarchy { BTreeMap::new() } else { self.hierarchy(input) },
            method,
            missing: self.missing,
            interval_style: self.style,
            rare_values: self.rare_values,
            drop_suppressed,
            spreadsheet_safe,
            force_labels: true,
            keep_order: true,
            force: true,
            seed: self.seed,
            threads: 1,
            ..Job::new(input.to_owned(), output.to_owned(), self.quasi(), self.k)
        }
    }

    /// Whether a record of the table is not left out for a missing value.
    pub(crate) fn keeps(&self, row: &[String]) -> bool {
        let mut quasi = row[1..=self.sorts.len()].iter();
        self.missing != MissingPolicy::Drop || quasi.all(|cell| !cell.is_empty())
    }

    pub(crate) fn models(&self) -> Vec<Model> {
        self.models.iter().map(|&(which, strength)| model(which, strength)).collect()
    }

    /// Whether two attributes are published in columns of bounds.
    pub(crate) fn has_text_cells(&self) -> bool {
        matches!(self.style, IntervalStyle::Brackets)
    }
}
