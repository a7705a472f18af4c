//! Warnings: facts that a reader should know although nothing failed.

use std::fmt;

use serde::{Serialize, Serializer};

use super::Advice;
use super::alternatives::with_advice;

/// A fact that a reader of a result should know although nothing failed.
///
/// `Display` and JSON have the whole text in plain words; [`Warning::message`] has advice in the
/// words of a front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    problem: String,
    advice: Vec<Advice>,
}

impl Warning {
    /// A warning without advice.
    pub fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), advice: Vec::new() }
    }

    /// Adds advice.
    #[must_use]
    pub fn advise(mut self, more: impl IntoIterator<Item = Advice>) -> Self {
        self.advice.extend(more);
        self
    }

    /// The fact, without advice.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// Advice on the fact.
    pub fn advice(&self) -> &[Advice] {
        &self.advice
    }

    /// The whole text, with each piece of advice as `spell` writes it.
    pub fn message(&self, spell: &dyn Fn(&Advice) -> String) -> String {
        with_advice(&self.problem, &self.advice, spell)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(&Advice::to_string))
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
