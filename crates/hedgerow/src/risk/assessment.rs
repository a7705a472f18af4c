//! The result of an assessment, as reports and programs read it.

use std::collections::BTreeMap;

use serde::Serialize;

/// The risk of a table, and of its release if there is one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Assessment {
    /// The unit that all figures count.
    pub unit: Unit,
    /// The depth that was requested: without [`Depth::Columns`] there is neither `contribution` nor
    /// `special`.
    pub depth: Depth,
    /// The quasi-identifiers that an attacker is assumed to know.
    pub quasi: Vec<String>,
    /// The thresholds of [`Spread::above`], as given.
    pub thresholds: Vec<f64>,
    /// The population that the original is a sample of; `None` if nothing is known about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<Frame>,
    /// The risk of the original.
    pub original: Side,
    /// The risk of the release; `None` if there is none, or if its people cannot be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<Side>,
    /// The contribution of each column of the original; `None` if it was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contribution: Option<Contribution>,
    /// Minimal sample uniques of the original; `None` if they were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub special: Option<Special>,
    /// The three questions of the European regulators, about the release if there is one.
    pub questions: Vec<Answer>,
    /// Notes for the reader of the figures, such as models that do not apply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The depth of an assessment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Depth {
    /// The models and the three questions: time proportional to the number of distinct records.
    #[default]
    Models,
    /// Also the contribution of each column, and minimal sample uniques.
    Columns,
}

/// The unit that figures count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unit {
    /// Records: each is a different person.
    Records,
    /// People, who can have several records. The risk of a person is that of their most exposed
    /// record.
    People,
}

impl Unit {
    /// The noun of one of them, for [`counted`](crate::noun::counted).
    pub fn noun(self) -> &'static str {
        match self {
            Self::Records => "record",
            Self::People => "person",
        }
    }
}

/// The population that a table is a sample of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Frame {
    /// Its size.
    pub size: f64,
    /// The size of the sample divided by that of the population.
    pub sampling_fraction: f64,
    /// The source of its size.
    pub from: FrameSource,
}

/// The source of the size of a population.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FrameSource {
    /// It is a table.
    Table,
    /// The sampling fraction is given.
    SamplingFraction,
    /// The sampling weights add up to it.
    Weights,
}

/// The risk of one table, with and without its suppressed records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Side {
    /// Number of records in the table.
    pub records: u64,
    /// Number of records with `*` in every quasi-identifier.
    pub suppressed: u64,
    /// Number of records of the original that the table lacks.
    pub lacking: u64,
    /// Figures of all records. A suppressed record matches every other record.
    pub all: Figures,
    /// Figures without suppressed records, neither as targets nor as matches.
    pub published: Figures,
}

/// The figures of a set of records.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// Number of records or people.
    pub n: u64,
    /// Number of distinct tuples of quasi-identifiers.
    pub classes: u64,
    /// Number of records or people that match only themselves.
    pub alone: u64,
    /// The smallest class size: the least number of records or people that a record matches,
    /// itself included. 0 if there is no record.
    pub smallest: u64,
    /// The estimate of every model that applies, in the order of the registry.
    pub models: Vec<Figure>,
}

impl Figures {
    /// The estimate of a model, by its name.
    pub fn of(&self, model: &str) -> Option<&Figure> {
        self.models.iter().find(|figure| figure.model == model)
    }

    /// `alone` as a share, 0 without records.
    pub fn share_alone(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.alone as f64 / self.n as f64 }
    }
}

/// The estimate of one model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Figure {
    /// The name of the model.
    pub model: &'static str,
    /// For models of attackers, the expected share of records or people that an attacker
    /// re-identifies; for models of uniqueness, the share that is unique.
    pub share: f64,
    /// The expected number: re-identifications, or unique records of the table; for models of
    /// population uniqueness, unique members of the population.
    pub expected: f64,
    /// The distribution of the risk over records; `None` for models that estimate one share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
    /// The method of the estimate, if there was a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
}

/// The distribution of a risk over records or people.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Spread {
    /// The share of records above each threshold, in the order of the thresholds.
    pub above: Vec<Above>,
    /// The highest risk, and the number of records or people that have it.
    pub highest: Extreme,
    /// The mean risk of a record.
    pub average: f64,
    /// The lowest risk, and the number of records or people that have it.
    pub lowest: Extreme,
}

/// Records or people whose risk exceeds a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Above {
    /// The threshold.
    pub threshold: f64,
    /// Their number.
    pub n: u64,
    /// Their share.
    pub share: f64,
}

/// The highest or the lowest risk.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Extreme {
    /// The risk.
    pub risk: f64,
    /// Number of records or people that have it.
    pub n: u64,
    /// Their share.
    pub share: f64,
}

/// The contribution of columns to the risk of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Contribution {
    /// Number of records or people that are unique in all quasi-identifiers.
    pub alone: u64,
    /// Every quasi-identifier, in order: the records or people that are alone without it.
    pub without: Vec<Change>,
    /// Every other column, the most harmful first: the records or people that are alone if it is
    /// added.
    pub added: Vec<Change>,
    /// Distinction and separation of single quasi-identifiers, pairs, triples, and all of them, the
    /// sets with the greatest distinction first within each size.
    pub sets: Vec<ColumnSet>,
}

/// Number of records or people that are alone after a change of the quasi-identifiers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The column that is removed or added.
    pub column: String,
    /// Number of records or people that are then alone.
    pub alone: u64,
    /// Their share.
    pub share: f64,
}

/// The degree to which a set of columns distinguishes records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnSet {
    /// The columns.
    pub columns: Vec<String>,
    /// Number of distinct tuples divided by the number of records.
    pub distinction: f64,
    /// The share of pairs of records that differ in some column.
    pub separation: f64,
}

/// Minimal sample uniques: smallest sets of columns on which a record is unique.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Special {
    /// The greatest size of a set that was looked for.
    pub max_size: usize,
    /// Number of minimal sample uniques of each size, from 1.
    pub by_size: Vec<u64>,
    /// Number of records with at least one.
    pub records: u64,
    /// The contribution of each quasi-identifier, in order.
    pub columns: Vec<ColumnScore>,
    /// The records with the greatest scores, the greatest first.
    pub riskiest: Vec<RecordScore>,
}

/// The part of a column in minimal sample uniques.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnScore {
    /// The column.
    pub column: String,
    /// Number of minimal sample uniques that contain it.
    pub uniques: u64,
    /// The share of the total score that sets with the column have.
    pub share: f64,
}

/// The score of a record by its minimal sample uniques.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RecordScore {
    /// The row, counted from 1 without the header.
    pub row: u64,
    /// The score.
    pub score: f64,
    /// The sets of columns on which the record is unique.
    pub uniques: Vec<Vec<String>>,
}

/// The answer to one of the three questions of the Article 29 Working Party.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// The question.
    pub question: Question,
    /// The verdict; `None` if the table does not allow one.
    pub verdict: Option<Verdict>,
    /// The figures behind it, by name.
    pub figures: BTreeMap<String, f64>,
    /// The answer in words.
    pub sentence: String,
}

/// A question of the Article 29 Working Party on anonymisation, opinion 05/2014.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Question {
    /// Is it still possible to single out an individual?
    SinglingOut,
    /// Is it still possible to link records relating to an individual?
    Linkability,
    /// Can information be inferred concerning an individual?
    Inference,
}

/// Whether a question can be answered with no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Verdict {
    /// It is not possible, on the columns that were examined.
    No,
    /// It is possible for some records.
    Some,
    /// It is possible for most records.
    Most,
}
