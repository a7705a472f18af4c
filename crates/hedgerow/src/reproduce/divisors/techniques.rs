//! Tables 1 and 2: the techniques that the paper names, each run and attacked.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::attack::{self, Attempt, Given, Scene};
use crate::builder::Asked;
use crate::format::Format;
use crate::hierarchy::Hierarchy;
use crate::method::Spec;
use crate::progress::{Progress, Silent};
use crate::release::{Release, RowOrder, Style};
use crate::reproduce::numbers::fixed;
use crate::reproduce::{Exhibit, Materials, Sheet, Verdict};
use crate::study::{Demands, Study};
use crate::table::{Cohort, Column, Columns, Encoding, Kind, Table};
use crate::{Error, Result};

/// The techniques, with the command that runs each on the whole table and an attack that it faces.
const TECHNIQUES: &str = include_str!("techniques.csv");
/// The tree of occupations, which defines which sensitive values are similar.
const OCCUPATIONS: &str = include_str!("../../../data/hierarchies/occupation.csv");

const QUASI: [&str; 3] = ["age", "education-num", "hours-per-week"];
const K: u64 = 5;
/// The column in which records name the node that they guard. Adult has none, so those with this
/// occupation guard the group above it.
const GUARD: &str = "wish";
const GUARDED: (&str, &str) = ("Other-service", "Service");
/// Each technique is tried on this number of records, drawn with this seed.
const RECORDS: u64 = 1_000;
const SEED: u64 = 0;

#[derive(Debug, Deserialize)]
struct Technique {
    #[serde(rename = "technique")]
    name: String,
    reference: String,
    method: String,
    /// Hierarchy method of all columns.
    hierarchies: String,
    /// Privacy model besides k-anonymity; empty if there is none.
    privacy: String,
    sensitive: String,
    /// Limit of generalization, as `column=limit`; empty if there is none.
    limit: String,
    suppress: String,
    attack: String,
    command: String,
}

impl Technique {
    /// Whether records say what they guard.
    fn has_guard(&self) -> bool {
        self.privacy.ends_with(&format!("guard={GUARD}"))
    }
}

/// The release of a technique, and the result of an attack on it.
struct Tried {
    n_classes: usize,
    smallest: u64,
    attempt: Option<Attempt>,
}

impl Tried {
    /// Whether the attack is right about more people than chance would be.
    fn exposes(&self) -> bool {
        self.attempt.as_ref().is_some_and(|attempt| attempt.exposed as f64 > attempt.chance)
    }
}

pub(super) fn exhibit(materials: &Materials<'_>, progress: &dyn Progress) -> Result<Exhibit> {
    let techniques = techniques()?;
    // The paper has to stay quick in a debug build, so each technique gets a sample.
    let tried = materials.each(&techniques, progress, |technique| tried(materials, technique))?;
    // Counted in the release, not taken from the promise of the method.
    let n_private = tried.iter().filter(|tried| tried.smallest >= K).count();
    let n_exposing = tried.iter().filter(|tried| tried.exposes()).count();
    let verdict = match n_exposing {
        0 => Verdict::Not,
        n if n == techniques.len() => Verdict::Reproduced,
        _ => Verdict::InDirection,
    };
    Ok(Exhibit::new("Tables 1 and 2", "techniques, and the attacks that they face")
        .says("Existing techniques generalize in different ways, and each faces attacks of its own.")
        .found(format!(
            "{} techniques run under their own names; the release of {n_private} has no class below k, and the attack \
             exposes more people than chance in {n_exposing}.",
            techniques.len()
        ))
        .verdict(
            verdict,
            format!(
                "the attack of a row is the one that the definition of the technique leaves open; on these records it \
                 succeeds in {n_exposing} of {}. Adult has no column of guarded nodes for personalized anonymity, so \
                 records of {} guard {}",
                techniques.len(),
                GUARDED.0,
                GUARDED.1
            ),
        )
        .with_sheet(outcomes(&techniques, &tried))
        .with_sheet(commands(&techniques)))
}

/// The releases of all techniques, and the results of the attacks on them.
fn outcomes(techniques: &[Technique], tried: &[Tried]) -> Sheet {
    let mut sheet = Sheet::new(
        "table-1-2-techniques",
        "Each technique on 1,000 records of Adult with k = 5, and an attack that it faces",
        &[
            "Technique",
            "Reference",
            ">Classes",
            ">Smallest",
            "Attack",
            ">Attacked",
            ">Exposed",
            ">By chance",
        ],
    );
    for (technique, tried) in techniques.iter().zip(tried) {
        let count =
            |of: fn(&Attempt) -> String| tried.attempt.as_ref().map_or_else(String::new, of);
        sheet.row([
            technique.name.clone(),
            technique.reference.clone(),
            tried.n_classes.to_string(),
            tried.smallest.to_string(),
            technique.attack.clone(),
            count(|attempt| attempt.attacked.to_string()),
            count(|attempt| attempt.exposed.to_string()),
            // Chance is the yardstick: an attack that succeeds as often as guessing has learnt
            // nothing.
            count(|attempt| fixed(attempt.chance, 1)),
        ]);
    }
    sheet
}

fn commands(techniques: &[Technique]) -> Sheet {
    let mut commands = Sheet::new(
        "table-1-2-commands",
        "The command that runs each technique on the whole table; `hedgerow attack` runs the attack. With \
         lambda = 3, (tau, lambda)-uniqueness finds no release of it: 75 records agree in the occupation and \
         all quasi-identifiers",
        &["Technique", "Command"],
    );
    for technique in techniques {
        commands.row([technique.name.clone(), format!("`{}`", technique.command)]);
    }
    commands
}

fn techniques() -> Result<Vec<Technique>> {
    let mut reader = csv::Reader::from_reader(TECHNIQUES.as_bytes());
    // The list is part of the program, so a fault in it is ours and not the user's.
    let rows: Result<_, csv::Error> = reader.deserialize().collect();
    rows.map_err(|error| Error::Internal(format!("the list of techniques: {error}")))
}

fn tried(materials: &Materials<'_>, technique: &Technique) -> Result<Tried> {
    // Income is there for the methods that need a class column.
    let beside = [technique.sensitive.as_str(), "income"];
    let columns = Columns::quasi(&QUASI).and_beside(&beside);
    let table = materials.read("adult", &columns)?.sample(RECORDS, SEED);
    let anonymized = if technique.has_guard() { with_wishes(&table)? } else { table.clone() };
    let study = Study::new(&anonymized, demands(technique)?, None, &Silent)?;
    let solved = study.search(&technique.method.parse()?, None, &Silent)?;
    let release = Release::new(&solved.recoding, &Style::default(), &Silent)?;
    // Suppressed records are in the release as one class of `*`, unless the method drops them.
    let partition = crate::measure::of_release(&release, !release.drops_suppressed());
    let attempt = attacked(&table, published(&anonymized, &release)?, technique)?;
    let smallest = partition.sizes.iter().copied().min().unwrap_or(0);
    Ok(Tried { n_classes: partition.sizes.len(), smallest, attempt })
}

fn demands(technique: &Technique) -> Result<Demands> {
    let hierarchy: Spec = technique.hierarchies.parse()?;
    let asked = |column: &&str| ((*column).to_owned(), Asked::from(hierarchy.clone()));
    // Empty cells of the list mean that the technique has no such demand.
    let privacy = Some(&technique.privacy).filter(|privacy| !privacy.is_empty());
    let limit = technique.limit.split_once('=');
    let mut hierarchies: BTreeMap<String, Asked> = QUASI.iter().map(asked).collect();
    if technique.has_guard() {
        let (column, tree) = occupations()?;
        hierarchies.insert(column, tree.into());
    }
    Ok(Demands {
        k: K,
        privacy: privacy.map(|privacy| privacy.parse()).transpose()?.into_iter().collect(),
        sensitive: vec![technique.sensitive.clone()],
        class: Some("income".to_owned()),
        suppress: technique.suppress.parse()?,
        limit: limit
            .map(|(column, limit)| (column.to_owned(), vec![limit.to_owned()]))
            .into_iter()
            .collect(),
        hierarchies,
        method: Some(technique.method.parse()?),
        ..Demands::default()
    })
}

/// The tree of occupations by its column.
fn occupations() -> Result<(String, Hierarchy)> {
    let tree = Format::named("arx")?.read(OCCUPATIONS, Some("occupation"))?;
    Ok(("occupation".to_owned(), tree))
}

/// A table of occupations with a column of guarded nodes.
fn with_wishes(table: &Table) -> Result<Table> {
    let rows = table.rows().ok_or_else(Error::no_rows)?;
    let (columns, cohorts) = (table.all_columns(), table.cohorts());
    let of_row = |&cohort: &Cohort| {
        let codes = columns.iter().zip(cohorts.tuple(cohort));
        let mut cells: Vec<String> =
            codes.map(|(column, &code)| column.domain.spelling(code).into_owned()).collect();
        let (occupation, group) = GUARDED;
        let guards = cells.iter().any(|cell| cell == occupation);
        // An empty cell guards nothing.
        cells.push(if guards { group.to_owned() } else { String::new() });
        cells
    };
    let records: Vec<Vec<String>> = rows.iter().flatten().map(of_row).collect();
    let beside: Vec<&str> = table.beside().iter().map(|column| column.name.as_str()).collect();
    let columns = Columns::quasi(&QUASI).and_beside(&[beside.as_slice(), &[GUARD]].concat());
    Table::encode(&columns, &records, &Encoding::default())
}

/// Attacks a release, given the original, and returns the first attempt.
fn attacked(table: &Table, release: Table, technique: &Technique) -> Result<Option<Attempt>> {
    let mut given = Given::new(table.clone(), release);
    // The original decides whether an attack was right.
    given.sensitive = vec![technique.sensitive.clone()];
    // Some attacks need to know which sensitive values are alike.
    given.hierarchies = BTreeMap::from([occupations()?]);
    let attack = attack::from_spec(&technique.attack.parse()?)?;
    let evidence = attack::run(&Scene::new(given)?, &[attack], &Silent)?;
    Ok(evidence.attempts.into_iter().next())
}

/// The release as a table: published quasi-identifiers, and the other columns unchanged but for
/// what records guard, which is left out.
fn published(table: &Table, release: &Release) -> Result<Table> {
    let rows = table.rows().ok_or_else(Error::no_rows)?;
    let published = release.publish(RowOrder::Shuffled, &Silent)?;
    let n_quasi = table.columns().len();
    // The guard is the last column, so the codes of the others keep their places.
    let beside: Vec<&Column> =
        table.beside().iter().filter(|column| column.name != GUARD).collect();
    let kept = |row: usize| {
        // Published rows have a cohort; only dropped ones have none.
        let codes = rows[row].map_or(&[][..], |cohort| &table.cohorts().tuple(cohort)[n_quasi..]);
        let columns = beside.iter().zip(codes);
        columns.map(|(column, &code)| column.domain.spelling(code).into_owned()).collect::<Vec<_>>()
    };
    let cells = |place: usize| published.columns.iter().map(move |column| column[place].clone());
    let records: Vec<Vec<String>> = (published.rows.iter().enumerate())
        .map(|(place, &row)| cells(place).chain(kept(row)).collect())
        .collect();
    let beside: Vec<&str> = beside.iter().map(|column| column.name.as_str()).collect();
    // Published cells such as `[17, 28]` are texts; read as numbers they would be an error.
    let kinds = QUASI.iter().map(|column| ((*column).to_owned(), Kind::Text)).collect();
    let encoding = Encoding { kinds, ..Encoding::default() };
    Table::encode(&Columns::quasi(&QUASI).and_beside(&beside), &records, &encoding)
}
