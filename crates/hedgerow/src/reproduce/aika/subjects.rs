//! Table 1: the columns of the experiments, with their candidates.

use super::INSURANCE;
use crate::builder::Constructor;
use crate::format::Format;
use crate::generate::Claims;
use crate::hierarchy::Hierarchy;
use crate::io::{Header, OpenOptions};
use crate::knowledge::{Concept, Knowledge, Senses, resolve};
use crate::rank::{Evaluated, Question, evaluate, meanings};
use crate::reproduce::{Dataset, Exhibit, Materials, Sheet, Verdict};
use crate::table::{Column, Columns, Table};
use crate::{Error, Result};

/// Groups with fewer records are outliers.
const K: u64 = 5;

/// Maximum number of candidates of a column.
const MOST: usize = 100;

/// The columns of Insurance that have words, by their positions in the file, with the number of
/// values that the paper prints.
const OF_INSURANCE: [(usize, &str, usize); 4] =
    [(3, "occupation", 60), (4, "workplace", 29), (5, "activity", 40), (6, "place", 32)];

/// Number of columns of Insurance.
const N_COLUMNS: usize = 8;

/// Values of Adult's occupation that the paper prints.
const OF_ADULT: usize = 14;

/// A column with the hierarchies to compare.
pub(super) struct Subject {
    /// The data set.
    pub(super) set: &'static str,
    /// The name of the column.
    pub(super) column: &'static str,
    /// The table of this column.
    pub(super) table: Table,
    /// The constructed hierarchies.
    pub(super) candidates: Vec<Hierarchy>,
    /// A hierarchy that was made by hand.
    pub(super) by_hand: Option<Hierarchy>,
    /// The meaning of each value.
    meanings: Vec<Option<Concept>>,
    /// Seconds to construct the candidates and to rank them.
    pub(super) seconds: [Option<f64>; 2],
    /// The number of values that the paper prints.
    printed: Option<usize>,
}

/// The data about a column before its candidates are constructed.
struct Origin {
    set: &'static str,
    column: &'static str,
    table: Table,
    /// The text of a senses file.
    senses: Option<&'static str>,
    /// The text of a hierarchy, in the format `hrc` or as a CSV file of ARX.
    by_hand: Option<(&'static str, &'static str)>,
    printed: Option<usize>,
}

impl Subject {
    /// The columns of all data sets that are given.
    pub(super) fn all(materials: &Materials<'_>) -> Result<Vec<Self>> {
        let n_claims = if materials.is_trial { 1_000 } else { 10_000 };
        let mut origins = claims(n_claims)?;
        let adult = materials.read(Dataset::ADULT.name, &Columns::quasi(&["occupation"]))?;
        origins.push(Origin {
            set: Dataset::ADULT.name,
            column: "occupation",
            table: adult,
            senses: Some(include_str!("../../../data/occupation-senses.toml")),
            by_hand: Some(("arx", include_str!("../../../data/hierarchies/occupation.csv"))),
            printed: Some(OF_ADULT),
        });
        if materials.has(INSURANCE.name) {
            origins.extend(insurance(materials)?);
        }
        origins.into_iter().map(|origin| Self::of(origin, materials)).collect()
    }

    /// Constructs the candidates of a column.
    fn of(origin: Origin, materials: &Materials<'_>) -> Result<Self> {
        let Origin { set, column: name, table, senses, by_hand, printed } = origin;
        let (column, knowledge) = (&table.columns()[0], Knowledge::wordnet());
        let domain = &column.domain;
        // Words of Adult such as `Sales` have several senses; a file says which one the authors
        // meant.
        let senses = match senses {
            Some(text) => Senses::of_text(text, knowledge, domain)?,
            None => Senses::default(),
        };
        let (candidates, constructing) = materials.seconds(|| constructed(column, &senses))?;
        let trees: Vec<&Hierarchy> = candidates.iter().collect();
        let meanings = meanings(knowledge, column, &senses, &trees)?;
        let question = Question { column, knowledge, meanings: &meanings, k: K };
        // Only the time is kept: exhibits evaluate again, each at its own k.
        let (_, ranking) = materials.seconds(|| evaluate(&question, &trees))?;
        let by_hand = match by_hand {
            Some((format, text)) => Some(Format::named(format)?.read(text, Some(name))?),
            None => None,
        };
        let seconds = [constructing, ranking];
        Ok(Self { set, column: name, table, candidates, by_hand, meanings, seconds, printed })
    }

    /// The name of the column with its data set.
    pub(super) fn name(&self) -> String {
        format!("{}: {}", self.set, self.column)
    }

    pub(super) fn trees(&self) -> Vec<&Hierarchy> {
        self.candidates.iter().collect()
    }

    pub(super) fn question(&self, k: u64) -> Question<'_> {
        let column = &self.table.columns()[0];
        Question { column, knowledge: Knowledge::wordnet(), meanings: &self.meanings, k }
    }

    /// Evaluates the constructed hierarchies and, as the last one, that made by hand.
    pub(super) fn evaluated(&self, k: u64) -> Result<Vec<Evaluated>> {
        // The order matters: `contest` recognizes the hand-made one by its place.
        let trees: Vec<&Hierarchy> = self.candidates.iter().chain(&self.by_hand).collect();
        evaluate(&self.question(k), &trees)
    }

    /// Number of records of the rarest value.
    pub(super) fn rarest(&self) -> u64 {
        self.table.columns()[0].domain.counts.iter().copied().min().unwrap_or(0)
    }

    fn n_values(&self) -> usize {
        self.table.columns()[0].domain.len()
    }
}

/// Constructs the candidates of a column.
fn constructed(column: &Column, senses: &Senses) -> Result<Vec<Hierarchy>> {
    let (domain, knowledge) = (&column.domain, Knowledge::wordnet());
    let spelt: Vec<_> = (0..domain.len()).map(|code| domain.values.spelling(code)).collect();
    let values: Vec<(&str, u64)> =
        spelt.iter().zip(&domain.counts).map(|(value, &count)| (&**value, count)).collect();
    let resolved = resolve(knowledge, &values, senses)?;
    // The defaults of the method `wordnet`; the paper does not print its own.
    let constructor = Constructor { knowledge, k: K, consistent: 0.5, alike: 0.75, most: MOST };
    let (candidates, _) = constructor.candidates(column, &resolved)?;
    Ok(candidates.into_iter().map(|candidate| candidate.hierarchy).collect())
}

/// The columns of the table of claims, with hierarchies that we made by hand.
fn claims(n_rows: u64) -> Result<Vec<Origin>> {
    // Generated with a fixed seed, so everyone has the same records without passing data on.
    let rows: Vec<[&str; 4]> = Claims { n_rows, seed: 0 }.rows()?.collect();
    let by_hand = [
        include_str!("claims-occupation.hrc"),
        include_str!("claims-workplace.hrc"),
        include_str!("claims-activity.hrc"),
        include_str!("claims-place.hrc"),
    ];
    let origin = |(place, column): (usize, &'static str)| {
        // Every column is a table of its own, because the paper anonymizes columns alone.
        let cells: Vec<[&str; 1]> = rows.iter().map(|row| [row[place]]).collect();
        Ok(Origin {
            set: "claims",
            column,
            table: Table::from_rows(&[column], &cells)?,
            senses: None,
            by_hand: Some(("hrc", by_hand[place])),
            printed: None,
        })
    };
    Claims::columns().into_iter().enumerate().map(origin).collect()
}

/// The columns of Insurance that have words.
fn insurance(materials: &Materials<'_>) -> Result<Vec<Origin>> {
    let names: Vec<String> = (0..N_COLUMNS)
        .map(|place| {
            let named = OF_INSURANCE.iter().find(|of| of.0 == place);
            // The file has no header: columns that are not used need names too.
            named.map_or_else(|| format!("column{}", place + 1), |of| of.1.to_owned())
        })
        .collect();
    let options = OpenOptions { header: Header::Names(names), ..OpenOptions::default() };
    let origin = |(_, column, printed): (usize, &'static str, usize)| {
        let table = materials.read_with(INSURANCE.name, &Columns::quasi(&[column]), &options)?;
        // A file of another shape would otherwise fail much later, with a message about candidates.
        if table.columns()[0].domain.is_empty() {
            return Err(Error::column(column, "the column has no values"));
        }
        let (set, printed) = (INSURANCE.name, Some(printed));
        Ok(Origin { set, column, table, senses: None, by_hand: None, printed })
    };
    OF_INSURANCE.into_iter().map(origin).collect()
}

pub(super) fn exhibit(subjects: &[Subject]) -> Exhibit {
    let heads =
        ["column", ">records", ">values", ">paper", ">rarest value", ">candidates", "by hand"];
    let mut sheet = Sheet::new("columns", "The columns of the experiments", &heads);
    for subject in subjects {
        sheet.row([
            subject.name(),
            subject.table.n_rows().to_string(),
            subject.n_values().to_string(),
            subject.printed.map_or_else(|| "-".to_owned(), |n| n.to_string()),
            subject.rarest().to_string(),
            subject.candidates.len().to_string(),
            if subject.by_hand.is_some() { "yes" } else { "no" }.to_owned(),
        ]);
    }
    // Generated columns have no counterpart in the paper and do not count.
    let printed: Vec<&Subject> =
        subjects.iter().filter(|subject| subject.printed.is_some()).collect();
    let n_same = printed.iter().filter(|s| s.printed == Some(s.n_values())).count();
    let exhibit = Exhibit::new("Table 1", "the columns")
        .says(
            "Four columns of Insurance with 60, 29, 40 and 32 values, Adult's occupation with 14, and columns of other \
             data sets; about 100 hierarchies are constructed for each.",
        )
        .found(format!(
            "{n_same} of the {} columns that we have in common have the printed number of values.",
            printed.len()
        ))
        .with_sheet(sheet);
    let has_insurance = subjects.iter().any(|subject| subject.set == INSURANCE.name);
    // Without the authors' file only Adult is compared, which is too little for `Reproduced`.
    match (n_same == printed.len(), has_insurance) {
        (true, true) => exhibit
            .verdict(Verdict::Reproduced, "the same columns; other data sets are not available"),
        (true, false) => exhibit.verdict(
            Verdict::InDirection,
            "only Adult is the paper's; the columns of Insurance are added if its file is given",
        ),
        (false, _) => exhibit.verdict(Verdict::Not, "the columns have other values"),
    }
}
