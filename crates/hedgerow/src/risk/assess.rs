//! Computes an assessment from a request.

use super::classes::Classes;
use super::questions::Subject;
use super::request::{Extent, Request};
use super::sample::{Group, Sample};
use super::{
    ALL, Assessment, Depth, Figure, Frame, FrameSource, Side, Unit, contribution, special, weights,
};
use crate::error::Advice;
use crate::measure::{check_belongs, doubts_of_belonging};
use crate::method::Need;
use crate::noun::counted;
use crate::progress::Silent;
use crate::table::Table;
use crate::{Error, Result};

/// Assesses the risk of a table, and of its release.
///
/// # Errors
///
/// [`Error::Invalid`] or [`Error::Column`] if the request has a number out of range or names a
/// column that was not read, if the population is smaller than the table, if a weight is missing or
/// not positive, and if the release cannot come from the original.
pub fn assess(request: &Request<'_>) -> Result<Assessment> {
    request.check()?;
    let original = request.original;
    let unit = unit_of(original);
    // A release that the run made itself comes from the table, so it is not checked.
    let mut notes: Vec<String> = Vec::new();
    if let Some(release) = request.release.filter(|_| !request.is_own) {
        check_belongs(original, release, &request.hierarchies, &request.sensitive)?;
        check_sensitive(request, release)?;
        let doubts = doubts_of_belonging(original, release, &request.sensitive);
        notes.extend(doubts.iter().map(ToString::to_string));
    }
    let frame = frame(request, unit, &mut notes)?;
    let context = Context { request, frame };
    let mut before = match request.before {
        Some(before) => before.clone(),
        None => context.side(original, false, &mut notes)?,
    };
    let mut after = match request.release {
        Some(release) => Some(context.side(release, true, &mut notes)?),
        None => None,
    };
    let is_deep = request.depth == Depth::Columns;
    let special = if is_deep { special::of(original, before.all.classes) } else { None };
    let contribution = is_deep.then(|| contribution::of(original));
    notes.extend(frame.and_then(|_| not_estimated(&before, &request.models)));
    let n = original.columns().len();
    let is_complete = contribution.as_ref().is_none_or(|own| own.is_complete(n));
    if is_deep && (special.is_none() || !is_complete) {
        notes.push(NOT_COUNTED.to_owned());
    }
    let questions = subject(request, &before, after.as_ref()).answers();
    // Only now, because the questions use models that were perhaps not requested.
    for side in after.iter_mut().chain([&mut before]) {
        side.keep(&request.models);
    }
    Ok(Assessment {
        unit,
        depth: request.depth,
        quasi: original.columns().iter().map(|column| column.name.clone()).collect(),
        thresholds: request.thresholds.clone(),
        population: frame,
        contribution,
        special,
        questions,
        original: before,
        release: after,
        notes,
    })
}

/// Returns an error if a release does not have a sensitive column.
fn check_sensitive(request: &Request<'_>, release: &Table) -> Result<()> {
    let has = |name: &str| release.all_columns().iter().any(|column| column.name == name);
    let Some(name) = request.sensitive.iter().find(|name| !has(name)) else { return Ok(()) };
    let problem = "the release does not have this sensitive column";
    Err(Error::column(name, problem).advise([
        Advice::words("leave it out of the sensitive columns"),
        Advice::words("check that this is the release of that table"),
    ]))
}

/// The note on a table that is too large for columns to be compared in pairs.
const NOT_COUNTED: &str = "sets of columns or minimal sample uniques were not counted: the table has \
                           too many records and quasi-identifiers";

/// Whether the records of a table are people.
fn unit_of(table: &Table) -> Unit {
    match table.person() {
        Some(_) => Unit::People,
        None => Unit::Records,
    }
}

/// The subject of the questions: the release, or the original if there is none.
fn subject<'a>(request: &'a Request<'_>, before: &'a Side, after: Option<&'a Side>) -> Subject<'a> {
    Subject {
        table: request.release.unwrap_or(request.original),
        is_release: request.release.is_some(),
        side: after.unwrap_or(before),
        before: after.map(|_| before),
        unit: unit_of(request.original),
        // The most permissive threshold decides what the questions call acceptable.
        accepted: request.thresholds.iter().copied().fold(0.0, f64::max),
        sensitive: &request.sensitive,
        unread: &request.unread,
    }
}

/// Notes the requested models of population uniqueness that give no estimate although the
/// population is known.
fn not_estimated(side: &Side, models: &[String]) -> Option<String> {
    let of_population = ALL.iter().filter(|model| model.needs.contains(&Need::Population));
    let names: Vec<&str> = of_population
        .map(|model| model.name)
        .filter(|name| models.is_empty() || models.iter().any(|model| model == name))
        .filter(|name| side.all.of(name).is_none())
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "no estimate of {}: the model does not fit the class sizes of the original",
            names.join(" and ")
        )
    })
}

impl Side {
    /// Drops the figures of other models than these, if there are any.
    fn keep(&mut self, models: &[String]) {
        let is_kept = |figure: &Figure| models.iter().any(|name| name == figure.model);
        for figures in [&mut self.all, &mut self.published] {
            figures.models.retain(|figure| models.is_empty() || is_kept(figure));
        }
    }
}

/// The population of a request, if its size is known.
fn frame(request: &Request<'_>, unit: Unit, notes: &mut Vec<String>) -> Result<Option<Frame>> {
    // If people have several records, the sample is one of people, so people are counted.
    let n = request.original.n_people() as f64;
    let (size, from) = match request.extent {
        Extent::Unknown => return Ok(None),
        Extent::Table(population) => (population.n_records() as f64, FrameSource::Table),
        // N = n / sampling fraction.
        Extent::Fraction(fraction) => (n / fraction, FrameSource::SamplingFraction),
        Extent::Weights(column) => {
            let of_cohort = weights::of_cohorts(request.original, column)?;
            (weights::total(request.original, &of_cohort), FrameSource::Weights)
        }
    };
    if size < n {
        let (has, is_of) = (counted(n as u64, unit.noun()), counted(size as u64, "record"));
        return Err(match from {
            FrameSource::Weights => {
                let problem = format!("the weights add up to {size} for {has}");
                Error::invalid(problem).advise([Advice::words(
                    "a weight is the number of members of the population that a record represents, \
                     so weights must be 1 or more on average",
                )])
            }
            _ => Error::invalid(format!(
                "the population has {is_of}, but the table has {has}; a sample cannot be larger than \
                 its population"
            ))
            .advise([Advice::words("check that the two files are not exchanged")]),
        });
    }
    if let Extent::Table(population) = request.extent {
        let lacking = population.weights(request.original, &Silent)?.n_lacking;
        if lacking > 0 {
            let records = counted(lacking, "record");
            notes.push(format!(
                "{records} of the table match no record of the population; they count as if the \
                 population had only them"
            ));
        }
    }
    Ok(Some(Frame { size, sampling_fraction: n / size, from }))
}

/// A class of `size` records, given the members of the population that match it, if they are known.
fn group(size: u64, members: Option<f64>, weight: Option<f64>) -> Group {
    let least = size as f64;
    // A record of the table is also in the population, so there are at least as many there.
    Group { n: 0, size, population: members.unwrap_or(least).max(least), weight }
}

/// The request and the population that an assessment of a table needs.
struct Context<'a> {
    request: &'a Request<'a>,
    frame: Option<Frame>,
}

impl Context<'_> {
    /// The risk of a table, with and without suppressed records.
    fn side(&self, table: &Table, is_release: bool, notes: &mut Vec<String>) -> Result<Side> {
        let classes = Classes::of(table, is_release);
        // In an original, missing values in all columns are a combination like any other.
        let suppressed = classes.suppressed().filter(|_| is_release);
        let n_suppressed = suppressed.map_or(0, |tuple| classes.records()[tuple as usize]);
        let population = self.members(table, &classes, is_release)?;
        let weights = self.weights(table, &classes, is_release, notes)?;
        let figures = |with_suppressed: bool| {
            let matches = classes.matches(weights.as_deref(), with_suppressed);
            let sized = matches.iter().enumerate();
            let groups: Vec<Group> = sized
                .map(|(tuple, found)| {
                    let members = population.as_ref().map(|members| members[tuple]);
                    group(found.size, members, weights.as_ref().map(|_| found.weight))
                })
                .collect();
            // All suppressed records are one tuple, so leaving them out removes one class.
            let hidden = usize::from(!with_suppressed && suppressed.is_some());
            let sample = Sample {
                groups: classes.groups(&groups),
                n_classes: (classes.len() - hidden) as u64,
                n_population: self.frame.map(|frame| frame.size),
                is_counted: population.is_some(),
                thresholds: self.request.thresholds.clone(),
            };
            sample.figures(ALL)
        };
        let all = figures(true);
        let published = if n_suppressed == 0 { all.clone() } else { figures(false) };
        let n_original = self.request.original.cohorts().n_records();
        Ok(Side {
            records: table.cohorts().n_records(),
            suppressed: n_suppressed,
            lacking: n_original.saturating_sub(table.cohorts().n_records()),
            all,
            published,
        })
    }

    /// Number of members of the population that each tuple matches, if the population is a table.
    fn members(
        &self,
        table: &Table,
        classes: &Classes,
        is_release: bool,
    ) -> Result<Option<Vec<f64>>> {
        let Extent::Table(population) = self.request.extent else { return Ok(None) };
        let of_cohort = if is_release {
            population.covered(table, &self.request.hierarchies)?
        } else {
            population.members(table)?
        };
        // Cohorts of one tuple have equal quasi-identifiers, so the first gives the figure of all.
        let of_tuple = classes.first().iter().map(|cohort| of_cohort[cohort.index()] as f64);
        Ok(Some(of_tuple.collect()))
    }

    /// The weights of tuples or people, if the table has weights.
    fn weights(
        &self,
        table: &Table,
        classes: &Classes,
        is_release: bool,
        notes: &mut Vec<String>,
    ) -> Result<Option<Vec<f64>>> {
        let Extent::Weights(column) = self.request.extent else { return Ok(None) };
        let is_known = table.all_columns().iter().any(|known| known.name == column);
        if is_release && !is_known {
            notes.push(format!(
                "the release does not have the weights '{column}', so individual risk is known for the \
                 original only"
            ));
            return Ok(None);
        }
        let of_cohort = weights::of_cohorts(table, column)?;
        Ok(Some(weights::of_tuples(table, classes, &of_cohort)))
    }
}
