//! Requests for assessments: the tables, the known extent of the population, and the depth.

use std::collections::BTreeMap;

use super::{ALL, Depth, Side};
use crate::error::Advice;
use crate::hierarchy::Hierarchy;
use crate::population::Population;
use crate::table::Table;
use crate::{Error, Result};

/// The thresholds of risk that are usual for public, restricted and confidential releases of
/// health data.
pub const THRESHOLDS: [f64; 3] = [0.2, 0.09, 0.05];

/// The known extent of the population that a table is a sample of.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub enum Extent<'a> {
    /// Nothing. The table is then used as the population, which is the worst case.
    #[default]
    Unknown,
    /// The population itself.
    Table(&'a Population),
    /// The size of the table divided by that of the population, above 0 and at most 1.
    Fraction(f64),
    /// A column of the table with the sampling weight of each record: how many members of the
    /// population it represents.
    Weights(&'a str),
}

impl<'a> Extent<'a> {
    /// The known extent, given a population, a sampling fraction or a column of weights. A
    /// population that can be counted is used before one that is estimated.
    pub fn known(
        population: Option<&'a Population>,
        fraction: Option<f64>,
        weights: Option<&'a str>,
    ) -> Self {
        match (population, fraction, weights) {
            (Some(population), _, _) => Self::Table(population),
            (None, Some(fraction), _) => Self::Fraction(fraction),
            (None, None, Some(column)) => Self::Weights(column),
            (None, None, None) => Self::Unknown,
        }
    }

    /// Returns an error if a sampling fraction is out of its range.
    pub(crate) fn check(self) -> Result<()> {
        if let Self::Fraction(fraction) = self
            // Negated, so that NaN is refused too.
            && !(fraction > 0.0 && fraction <= 1.0)
        {
            let problem = format!(
                "the sampling fraction is {fraction}; it is the size of the table divided by that of \
                 the population, so it must be above 0 and at most 1"
            );
            return Err(Error::invalid(problem));
        }
        Ok(())
    }
}

/// Returns an error if a threshold is not a risk.
pub(crate) fn check_thresholds(thresholds: &[f64]) -> Result<()> {
    let is_risk = |threshold: &&f64| (0.0..=1.0).contains(*threshold);
    let Some(wrong) = thresholds.iter().find(|threshold| !is_risk(threshold)) else {
        return Ok(());
    };
    let problem = format!("the threshold of risk is {wrong}; risks are from 0 to 1");
    let advice = Advice::words("choose a threshold from 0 to 1, such as 0.2");
    Err(Error::invalid(problem).advise([advice]))
}

/// A request for an [assessment](super::assess).
///
/// # Examples
///
/// ```
/// use hedgerow::risk::{Extent, Request, assess};
/// use hedgerow::table::Table;
///
/// let table = Table::from_rows(&["age", "sex"], &[["39", "F"], ["39", "F"], ["50", "M"]])?;
/// let request = Request::new(&table).extent(Extent::Fraction(0.1));
/// let found = assess(&request)?;
/// assert_eq!(found.original.all.alone, 1);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Request<'a> {
    pub(super) original: &'a Table,
    pub(super) release: Option<&'a Table>,
    /// Whether the release is known to come from the original.
    pub(super) is_own: bool,
    pub(super) extent: Extent<'a>,
    pub(super) hierarchies: BTreeMap<String, &'a Hierarchy>,
    pub(super) thresholds: Vec<f64>,
    pub(super) sensitive: Vec<String>,
    /// Sensitive columns that were not read.
    pub(super) unread: Vec<String>,
    pub(super) depth: Depth,
    pub(super) models: Vec<String>,
    /// The risk of the original, if it was assessed before.
    pub(super) before: Option<&'a Side>,
}

impl<'a> Request<'a> {
    /// A request for the risk of a table with the [usual thresholds](THRESHOLDS).
    pub fn new(original: &'a Table) -> Self {
        Self {
            original,
            release: None,
            is_own: false,
            extent: Extent::default(),
            hierarchies: BTreeMap::new(),
            thresholds: THRESHOLDS.to_vec(),
            sensitive: Vec::new(),
            unread: Vec::new(),
            depth: Depth::default(),
            models: Vec::new(),
            before: None,
        }
    }

    /// Also assesses a release of the table, which was read as a release with the same
    /// quasi-identifiers. If people are counted, it must name them too.
    #[must_use]
    pub fn release(self, release: Option<&'a Table>) -> Self {
        Self { release, ..self }
    }

    /// Also assesses a release that was just made from the table, so that it need not be compared
    /// with it.
    #[must_use]
    pub(crate) fn own_release(self, release: &'a Table) -> Self {
        Self { release: Some(release), is_own: true, ..self }
    }

    /// Gives the risk of the original, which was assessed before with the same thresholds and the
    /// same population, so that it is not computed again.
    #[must_use]
    pub(crate) fn known(self, before: Option<&'a Side>) -> Self {
        Self { before, ..self }
    }

    /// States the known extent of the population.
    #[must_use]
    pub fn extent(self, extent: Extent<'a>) -> Self {
        Self { extent, ..self }
    }

    /// Gives the hierarchies that define the labels of the release, by column.
    #[must_use]
    pub fn hierarchies(self, hierarchies: BTreeMap<String, &'a Hierarchy>) -> Self {
        Self { hierarchies, ..self }
    }

    /// Sets the thresholds of risk; the usual ones if there are none.
    #[must_use]
    pub fn thresholds(self, thresholds: &[f64]) -> Self {
        let usual = if thresholds.is_empty() { &THRESHOLDS[..] } else { thresholds };
        Self { thresholds: usual.to_vec(), ..self }
    }

    /// Names the sensitive columns, about which inference is asked. They must have been read.
    #[must_use]
    pub fn sensitive(self, sensitive: &[String]) -> Self {
        Self { sensitive: sensitive.to_vec(), ..self }
    }

    /// Names sensitive columns that were not read, because no privacy model looks at them.
    #[must_use]
    pub(crate) fn unread(self, unread: Vec<String>) -> Self {
        Self { unread, ..self }
    }

    /// Reports only the models with these names; all of them if there are none.
    #[must_use]
    pub fn models(self, models: &[String]) -> Self {
        Self { models: models.to_vec(), ..self }
    }

    /// Sets how much is computed.
    #[must_use]
    pub fn depth(self, depth: Depth) -> Self {
        Self { depth, ..self }
    }

    /// Returns an error if a number is out of its range or a column was not read.
    pub(super) fn check(&self) -> Result<()> {
        check_thresholds(&self.thresholds)?;
        self.extent.check()?;
        for name in &self.models {
            if !ALL.iter().any(|model| model.name == *name) {
                return Err(Error::unknown("risk model", name, ALL.iter().map(|model| model.name)));
            }
        }
        let columns = self.original.all_columns();
        for name in &self.sensitive {
            if !columns.iter().any(|column| column.name == *name) {
                let names = columns.iter().map(|column| column.name.as_str());
                return Err(Error::unknown_column(name, names));
            }
        }
        // Shares of no records are undefined.
        if self.original.cohorts().is_empty() {
            return Err(Error::invalid("the table has no records, so it has no risk to assess"));
        }
        Ok(())
    }
}
