//! The result of a cell: figures, or the reason that it is impossible.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Cell;
use crate::job::Job;
use crate::report::Outcome;
use crate::risk::Risks;

/// The result of a cell. Names are those of the JSON of `anonymize`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Row {
    /// The number of the cell.
    pub cell: usize,
    /// Minimum number of records in a class.
    pub k: u64,
    /// The method that was asked for.
    pub method: String,
    /// The hierarchies of the columns.
    pub hierarchies: String,
    /// The models besides k-anonymity and those of all cells.
    pub models: String,
    /// Reason that the cell has no figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impossible: Option<String>,
    /// The figures; `None` if the cell is impossible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// Columns that got other hierarchies than the setting requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Seconds of each stage, and together.
    pub seconds: BTreeMap<String, f64>,
    /// The same cell with other seeds; `None` if it was not repeated or does not use the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Vec<Option<Repeat>>>,
    /// The same cell on bootstrap samples of the records; `None` if it was not repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<Vec<Option<Repeat>>>,
    /// The weighted mean of loss, risk and time; the least is best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Whether no other cell of the same models has both less loss and less average risk.
    #[serde(default)]
    pub on_front: bool,
}

/// The figures of a release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Figures {
    /// The method that was run, with its parameters; for `auto`, the one that was chosen.
    pub chosen: String,
    /// The hierarchy of each column.
    pub used: BTreeMap<String, String>,
    /// Number of records in the input.
    pub rows: u64,
    /// Number of records in the release.
    pub released: u64,
    /// Number of records that the method suppressed.
    pub suppressed: u64,
    /// Number of records that were dropped because a value is missing.
    pub dropped: u64,
    /// Number of classes.
    pub classes: u64,
    /// Number of records in the smallest class.
    pub smallest_class: u64,
    /// The requirement of each model, and the value that the release attains.
    pub privacy: Vec<Claim>,
    /// Losses on the method's own partition.
    pub loss: BTreeMap<String, f64>,
    /// Losses on the release.
    pub release_loss: BTreeMap<String, f64>,
    /// Risk of the published records.
    pub risk: Risks,
    /// Risk of the original.
    pub original_risk: Risks,
}

/// The requirement of a privacy model, and the value that a release attains.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Claim {
    /// The model's name.
    pub model: String,
    /// The sensitive column that it looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The requested parameter.
    pub asked: f64,
    /// The strictest parameter that the release meets; `None` if it meets none.
    pub attained: Option<f64>,
}

/// The figures of a cell with another seed or on a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Repeat {
    /// The loss of the release (NTIL).
    pub loss: f64,
    /// The average risk of the release.
    pub risk: f64,
    /// The risk of the most exposed record.
    pub highest_risk: f64,
}

impl Row {
    /// The result of a job that was run elsewhere. `hierarchies` names the setting of its columns.
    pub fn of_job(number: usize, job: &Job, hierarchies: &str, figures: Option<Figures>) -> Self {
        let models: Vec<String> = job.privacy.iter().map(ToString::to_string).collect();
        // The same text as for cells of a grid without models.
        let models = if models.is_empty() { "none".to_owned() } else { models.join("+") };
        Self {
            cell: number,
            k: job.k,
            method: job.method.to_string(),
            hierarchies: hierarchies.to_owned(),
            models,
            impossible: None,
            figures,
            notes: Vec::new(),
            seconds: BTreeMap::new(),
            seeds: None,
            samples: None,
            score: None,
            on_front: false,
        }
    }

    /// The result of a cell without figures.
    pub(super) fn of(cell: &Cell) -> Self {
        Self {
            cell: cell.number,
            k: cell.k,
            method: cell.method.to_string(),
            hierarchies: cell.hierarchies.to_string(),
            models: cell.models.to_string(),
            impossible: None,
            figures: None,
            notes: Vec::new(),
            seconds: BTreeMap::new(),
            seeds: None,
            samples: None,
            score: None,
            on_front: false,
        }
    }

    /// Method and hierarchies in a sentence: `hedge with auto`.
    pub(super) fn said(&self) -> String {
        format!("{} with {}", self.method, self.hierarchies)
    }

    /// Method and hierarchies: `hedge, auto`.
    pub(crate) fn way(&self) -> String {
        format!("{}, {}", self.method, self.hierarchies)
    }

    /// Seconds of choosing hierarchies and method, if `auto` does, and of the search. Hierarchies
    /// that cells share are built before.
    pub fn search_seconds(&self) -> f64 {
        // Reading, measuring and assessing risk are the same work for every method, so they do not
        // count.
        let stages = ["hierarchies", "search"].map(|stage| self.seconds.get(stage).copied());
        stages.into_iter().flatten().sum()
    }
}

impl Figures {
    /// The figures of a run; `None` if its risk could not be assessed.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let owned = |losses: &BTreeMap<&'static str, f64>| {
            losses.iter().map(|(name, loss)| ((*name).to_owned(), *loss)).collect()
        };
        // Without a risk there is no point to compare; the caller turns `None` into a reason.
        let assessed = outcome.risk.as_ref()?;
        let claims = outcome.privacy.iter().map(|claim| Claim {
            model: claim.model.to_owned(),
            column: claim.column.clone(),
            asked: claim.asked.0,
            // JSON has no infinity, which here means that no parameter is met.
            attained: Some(claim.attained.0).filter(|attained| attained.is_finite()),
        });
        let used = outcome.hierarchies.iter();
        Some(Self {
            chosen: outcome.method.clone(),
            used: used.map(|(column, tree)| (column.clone(), tree.method.clone())).collect(),
            rows: outcome.rows,
            released: outcome.released,
            suppressed: outcome.suppressed,
            dropped: outcome.dropped,
            classes: outcome.classes as u64,
            smallest_class: outcome.smallest_class,
            privacy: claims.collect(),
            loss: owned(&outcome.loss),
            release_loss: owned(&outcome.release_loss),
            risk: assessed.release.as_ref()?.risks()?,
            original_risk: assessed.original.risks()?,
        })
    }

    /// The loss that scores and charts use: NTIL of the release.
    pub fn ntil(&self) -> f64 {
        self.release_loss.get("ntil").copied().unwrap_or(0.0)
    }

    pub(super) fn repeat(&self) -> Repeat {
        let Risks { average, highest, .. } = self.risk;
        Repeat { loss: self.ntil(), risk: average, highest_risk: highest }
    }
}
