//! A loss that a user chose by name.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{ALL, Loss, Ntil, Partition, names};
use crate::error::Advice;
use crate::method::Described;
use crate::problem::Problem;
use crate::proposal::Proposal;
use crate::{Error, Result};

/// Returns the loss called `name`.
///
/// ```
/// assert_eq!(hedgerow::loss::named("dm")?.name(), "dm");
/// assert!(hedgerow::loss::named("dmm").is_err());
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn named(name: &str) -> Result<&'static dyn Loss> {
    let found = ALL.iter().find(|loss| loss.name == name);
    found.map(|loss| loss.item).ok_or_else(|| Error::unknown("loss", name, names().into_iter()))
}

/// A loss that a method minimises, serialized as its name; the default is `ntil`.
///
/// ```
/// use hedgerow::loss::{Choice, Partition};
/// let partition = Partition::of_costs(2, &[(2, &[0.5]), (3, &[1.0])], 0);
/// let choice: Choice = "dm".parse()?;
/// assert_eq!(choice.penalty(&partition)?, 13.0);
/// let choice: Choice = "precision".parse()?;
/// assert!(choice.penalty(&partition).is_err(), "nothing is known of levels");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Choice(&'static dyn Loss);

impl Choice {
    /// The number that a search minimises; see [`Loss::penalty`]. An error if the loss does not
    /// apply.
    pub fn penalty(&self, partition: &Partition) -> Result<f64> {
        self.0.penalty(partition).ok_or_else(|| self.inapplicable())
    }

    /// The error for a loss that does not apply.
    fn inapplicable(&self) -> Error {
        // The description states what the loss needs, so the message follows from it.
        let need = self.0.description().needs.first();
        let problem = need.map_or("does not apply here".to_owned(), |need| format!("needs {need}"));
        let other = Advice::OtherLoss { loss: Ntil::DESCRIPTION.name };
        Error::of_kind("loss", self.0.name(), problem)
            .advise(need.and_then(|need| need.advice()).into_iter().chain([other]))
    }

    /// The penalty of a proposal over the classes that a reader of the release sees, where classes
    /// that publish the same are one.
    pub(crate) fn published_penalty(&self, problem: &Problem, proposal: &Proposal) -> Result<f64> {
        self.penalty(&Partition::of(problem, proposal).published())
    }

    /// Formats the loss or gain that corresponds to a penalty, as reports show it.
    pub(crate) fn written_penalty(&self, penalty: f64) -> String {
        self.0.written(if self.0.is_gain() { 1.0 - penalty } else { penalty })
    }

    /// The superlative for messages about the best result: `least`, or `most` for a gain.
    pub(crate) fn best(&self) -> &'static str {
        if self.0.is_gain() { "most" } else { "least" }
    }
}

impl Default for Choice {
    fn default() -> Self {
        Self(&Ntil)
    }
}

impl Deref for Choice {
    type Target = dyn Loss;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        named(name).map(Self)
    }
}

impl TryFrom<String> for Choice {
    type Error = Error;

    fn try_from(name: String) -> Result<Self> {
        name.parse()
    }
}

impl From<Choice> for String {
    fn from(choice: Choice) -> Self {
        choice.to_string()
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Choice {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for Choice {}
