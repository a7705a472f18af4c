//! Sets of privacy models that releases of a grid must satisfy besides k-anonymity.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::lists::joined;
use crate::method::Spec;
use crate::privacy;
use crate::registry::Registry;
use crate::{Error, Result};

/// Privacy models that a release must satisfy together, written
/// `l-diversity:l=2+t-closeness:t=0.2`, or `none` for k-anonymity alone.
///
/// ```
/// use hedgerow::compare::Models;
/// let models: Models = "l-diversity:l=2+t-closeness:t=0.2".parse()?;
/// assert_eq!(models.specs().len(), 2);
/// assert!("none".parse::<Models>()?.specs().is_empty());
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Models(Vec<Spec>);

impl Models {
    pub(super) fn of(specs: Vec<Spec>) -> Self {
        Self(specs)
    }

    /// The models.
    pub fn specs(&self) -> &[Spec] {
        &self.0
    }

    /// Makes relative paths relative to a directory.
    pub(super) fn move_to(&mut self, base: &Path) {
        for spec in &mut self.0 {
            *spec = Registry::Privacy.in_directory(spec, base);
        }
    }

    /// Whether one of them looks at the population.
    pub(super) fn look_at_population(&self) -> bool {
        // An unknown model does not read a population; its error comes when it is built.
        privacy::look_at_population(&self.0).unwrap_or(false)
    }
}

impl FromStr for Models {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.trim() == "none" {
            return Ok(Self::default());
        }
        let is_name = |name: &str| Registry::Privacy.describe(name).is_ok();
        let read = |text: String| {
            let spec: Spec = text.parse()?;
            // Parameters are validated when read, so that a typo does not cost a run.
            Registry::Privacy.describe(&spec.name)?.check(&spec)?;
            Ok(spec)
        };
        joined(text, is_name).into_iter().map(read).collect::<Result<_>>().map(Self)
    }
}

impl TryFrom<String> for Models {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl fmt::Display for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(Spec::to_string).collect();
        // Never an empty text, which would equal a missing value in a CSV file.
        f.write_str(if texts.is_empty() { "none" } else { "" })?;
        f.write_str(&texts.join("+"))
    }
}

impl From<Models> for String {
    fn from(models: Models) -> Self {
        models.to_string()
    }
}
