//! `auto`: chooses hierarchies and the method together, by trying combinations on a sample.

mod column;
mod cost;
mod arm;
mod trials;
mod sample;
mod arms;
mod explain;

use std::collections::BTreeMap;

pub(crate) use self::cost::USUAL_TIME;
pub use self::trials::{Choosing, LeftOut, Trial};

use self::arms::{Arms, Bounds};
use self::column::Open;
pub(crate) use self::column::suited;
use crate::anonymize::{self, Solved, from_spec};
use crate::builder::{Asked, Shelf, Sources};
use crate::error::Advice;
use crate::hierarchy::Generalization;
use crate::method::{Scope, Spec};
use crate::noun::all_of;
use crate::privacy::{KAnonymity, PrivacyModel};
use crate::problem::{Limits, Problem};
use crate::progress::{Progress, stop_if_cancelled};
use crate::recoding::Recoding;
use crate::table::{Column, Kind, Table};
use crate::{Error, Result};

/// The `k` that hierarchies are chosen for if none is given.
pub const USUAL_K: u64 = 5;

/// The methods that `auto` tries, by the least uniform recoding that is allowed. Of equally good
/// ones the first wins. Methods that are not listed are slow, or have another purpose than low
/// loss.
fn methods(scope: Scope) -> &'static [&'static str] {
    match scope {
        Scope::Local => &[
            "hedge",
            "mondrian:variant=relaxed,cut=loss",
            "mondrian:variant=relaxed,cut=loss,choose=width",
        ],
        Scope::Global => &["optimal", "top-down"],
        Scope::FullDomain => &["optimal", "datafly"],
    }
}

/// Methods that can minimise any loss, and that weigh suppression against it; tried if the user
/// names a loss or allows suppression.
const OF_ANY_LOSS: &[&str] = &["local"];

/// The columns and settings of a choice, and its limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) table: &'a Table,
    /// Hierarchies by column; others are chosen.
    pub(crate) asked: &'a BTreeMap<String, Asked>,
    /// Hierarchies that were built before.
    pub(crate) shelf: &'a Shelf,
    /// Sources of concepts; columns that they know are grouped by them.
    pub(crate) sources: &'a Sources,
    /// The method; `None` or `auto` if it is to be chosen.
    pub(crate) method: Option<&'a Spec>,
    /// The least uniform recoding that is allowed.
    pub(crate) recoding: Scope,
    /// Seconds that the trials and the search may take together, as estimated.
    pub(crate) time: f64,
    /// Seconds after which the search will be stopped, if it can stop at any time.
    pub(crate) stop: Option<f64>,
    /// Considers only hierarchies with levels.
    pub(crate) needs_levels: bool,
    /// The `k` of the release.
    pub(crate) k: u64,
    /// Allows labels of groups that are values of other records.
    pub(crate) force_labels: bool,
}

/// The result of a choice.
#[derive(Debug)]
pub(crate) struct Chosen {
    /// The generalization of each column.
    pub(crate) choices: Vec<Choice>,
    /// The method.
    pub(crate) method: Spec,
    /// The problem with these generalizations.
    pub(crate) problem: Problem,
    /// Record of the trials; `None` if there was nothing to choose.
    pub(crate) choosing: Option<Choosing>,
    /// The solution of the problem by the method, if it was tried on all records.
    pub(crate) found: Option<Recoding>,
}

/// The generalization of a column, and the reason for it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Choice {
    /// The generalization.
    pub generalization: Generalization,
    /// The reason and any doubts, in one line; `None` if the user chose it and there are no doubts.
    pub why: Option<String>,
}

/// Settings for the choice of hierarchies alone.
#[derive(Debug, Clone, Copy)]
pub struct Auto {
    /// The `k` of the release.
    pub k: u64,
    /// Seed of the sample.
    pub seed: u64,
    /// Considers only hierarchies with levels, not `free`.
    pub needs_levels: bool,
}

impl Auto {
    /// Builds the hierarchies in `asked` and chooses those of columns without an entry or with
    /// `auto`, for a release that is k-anonymous.
    ///
    /// The column's kind decides the candidates
    /// ([`builder::candidates`](crate::builder::candidates)). Each is built from the whole column.
    /// Combinations of candidates for all columns are tried with `hedge` on a sample of the table,
    /// and the smallest NTIL wins. A [`Study`](crate::study::Study) also chooses the method and
    /// respects other demands.
    ///
    /// # Complexity
    ///
    /// One build for each candidate. All samples together take no more work than three quarters of
    /// a search on the table, or than 0.15 seconds allow.
    ///
    /// # Guarantees
    ///
    /// The same table, `k` and seed give the same choice; if losses are equal, the first candidate
    /// wins.
    pub fn choose(
        &self,
        table: &Table,
        asked: &BTreeMap<String, Asked>,
        progress: &dyn Progress,
    ) -> Result<Vec<Choice>> {
        let request = Request {
            table,
            asked,
            shelf: &Shelf::default(),
            sources: &Sources::default(),
            method: Some(&Spec::named("hedge")),
            recoding: Scope::Local,
            time: f64::INFINITY,
            stop: None,
            needs_levels: self.needs_levels,
            k: self.k,
            force_labels: false,
        };
        // An empty table has nothing to try hierarchies on.
        let n_records = table.cohorts().n_records();
        if n_records == 0 {
            let opens = request.columns()?;
            return Ok(opens.iter().map(|open| open.choose(0, None, self.k)).collect());
        }
        // A table can have fewer than `k` records.
        let k = self.k.min(table.n_people()).max(1);
        let models =
            || -> Result<Vec<Box<dyn PrivacyModel>>> { Ok(vec![Box::new(KAnonymity::new(k)?)]) };
        let limits = Limits { seed: self.seed, ..Limits::default() };
        Ok(choose(request, &models, &limits, progress)?.choices)
    }
}

impl Request<'_> {
    /// The candidates of each column.
    fn columns(&self) -> Result<Vec<Open>> {
        let open = |column| {
            let open = Open::new(column, self)?;
            if self.needs_levels { open.with_levels(column) } else { Ok(open) }
        };
        let opens = self.table.columns().iter().map(open).collect::<Result<Vec<Open>>>()?;
        if !self.sources.is_empty() && !opens.iter().any(Open::is_of_sources) {
            return Err(self.no_column_known());
        }
        Ok(opens)
    }

    /// The error for sources that the user named, but by which no column is grouped.
    fn no_column_known(&self) -> Error {
        let is_asked = |asked: &Asked| asked.as_auto().is_none();
        let is_open = |column: &&Column| !self.asked.get(&column.name).is_some_and(is_asked);
        let open: Vec<&Column> = self.table.columns().iter().filter(is_open).collect();
        // Numbers and dates are not words, so they need not be known.
        let has_words =
            |column: &&&Column| matches!(column.domain.values.kind(), Kind::Text | Kind::Code);
        let names: Vec<&str> =
            open.iter().filter(has_words).map(|column| column.name.as_str()).collect();
        let problem = if open.is_empty() {
            "sources of concepts are given, but every column has a hierarchy already".to_owned()
        } else if names.is_empty() {
            "sources of concepts are given, but no column without a hierarchy has words".to_owned()
        } else {
            format!("the sources of concepts know too few values of {}", all_of(&names))
        };
        Error::invalid(problem).advise([
            Advice::LeaveOut { key: "knowledge", column: None },
            Advice::words("look at what they know of a column by building its hierarchy alone"),
        ])
    }

    fn bounds(&self) -> Bounds {
        Bounds { recoding: self.recoding, time: self.time, stop: self.stop }
    }

    /// The method, unless it is to be chosen.
    fn named(&self) -> Option<&Spec> {
        self.method.filter(|method| method.name != anonymize::AUTO.name)
    }

    /// The methods to try, and the name of the loss that decides.
    fn methods(&self, may_suppress: bool) -> Result<(Vec<Spec>, crate::loss::Choice)> {
        if let Some(method) = self.named() {
            // A named method decides by the loss that it minimises itself.
            let loss = from_spec(method)?.loss();
            return Ok((vec![method.clone()], loss));
        }
        self.method.map_or(Ok(()), |auto| anonymize::AUTO.check(auto))?;
        let asked = self.method.and_then(|auto| auto.parameters.get("loss")).map(Spec::written);
        let loss =
            asked.as_deref().map_or_else(|| Ok(crate::loss::Choice::default()), str::parse)?;
        let is_apt = self.recoding == Scope::Local && (asked.is_some() || may_suppress);
        let more = OF_ANY_LOSS.iter().filter(|_| is_apt);
        let mut found = Vec::new();
        for &name in methods(self.recoding).iter().chain(more) {
            let mut method: Spec = name.parse()?;
            // Methods without this parameter are still tried, and judged by the requested loss.
            let takes_loss = from_spec(&method)?.description().parameter("loss").is_some();
            if let Some(loss) = asked.as_ref().filter(|_| takes_loss) {
                method.parameters.insert("loss".into(), loss.clone().into());
            }
            found.push(method);
        }
        Ok((found, loss))
    }
}

/// Chooses the hierarchies that are not asked for and, if it is `auto`, the method.
///
/// A *combination* is a method with one candidate for every column. The first has the most
/// promising candidates and the first method that fits into the time; the others differ from it by
/// the method, or by one kind of candidate in all columns that have it. All combinations are tried
/// on a small sample, where `hedge` does not rebuild classes and `k` is reduced in proportion to
/// the number of records. Those that lose clearly less than the first, and their union, are tried
/// again with it on a larger sample; if none does, the one that comes nearest is. Methods of
/// uniform recoding are compared on all records, because samples mislead there. A result that was
/// found on all records is not searched for again.
///
/// `models` builds the privacy models. `limits` apply to the whole table; a sample may suppress the
/// same share of its records.
///
/// # Complexity
///
/// The budget is the work of the search itself, or [`MOMENT`] if that is more: the distinct records
/// of all samples, weighted by the work that methods take for each, are no more than those of the
/// table, or than a moment allows. If that does not allow samples of 400 records, the first
/// combination is taken without a trial, unless the user requests another privacy model or another
/// loss, or allows suppression. With methods of uniform recoding, one search by each is added.
///
/// # Guarantees
///
/// Deterministic: times are estimated from the size of the table. A clock is read only where the
/// search itself would be stopped by one.
pub(crate) fn choose(
    request: Request<'_>,
    models: &dyn Fn() -> Result<Vec<Box<dyn PrivacyModel>>>,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Chosen> {
    let columns = request.columns()?;
    let (methods, loss) = request.methods(limits.most_suppressed > 0)?;
    let build = |generalizations| {
        Problem::with_limits(request.table, generalizations, models()?, limits.clone())
    };
    let (mut arms, problem) = Arms::new(&columns, methods, loss, build)?;
    match request.named() {
        None => arms.keep_what_fits(request.bounds())?,
        // One method and one hierarchy per column: nothing to try.
        Some(method) if arms.is_decided() => {
            let choices = columns.iter().map(|open| open.choose(0, None, request.k)).collect();
            let (choosing, found) = (None, None);
            return Ok(Chosen { choices, method: method.clone(), problem, choosing, found });
        }
        Some(_) => {}
    }
    let best = arms.run(request.bounds(), progress)?;
    let found = arms.found(&best);
    let problem = match &found {
        Some(found) => found.problem().clone(),
        None => arms.problem(&best)?,
    };
    let why = |(place, open): (usize, &Open)| {
        open.choose(best.picks[place], arms.reason(place, &best), request.k)
    };
    let choices = columns.iter().enumerate().map(why).collect();
    let choosing = Some(arms.choosing(request.table, &best, request.named().is_none()));
    Ok(Chosen { choices, method: best.method, problem, choosing, found })
}

/// Runs a method on a problem.
///
/// # Errors
///
/// Those of [`Problem::solve`]. If the goal is out of reach, the error names a fast method that
/// does reach it with the recoding that is allowed, if there is one.
pub(crate) fn run(
    method: &Spec,
    problem: &Problem,
    recoding: Scope,
    progress: &dyn Progress,
) -> Result<Solved> {
    match problem.solve(from_spec(method)?.as_ref(), progress) {
        Err(refusal @ Error::Unreachable { .. }) => {
            // The suggestion is verified by running the other method on the whole problem.
            let found = instead(method, problem, recoding, progress);
            stop_if_cancelled(progress)?;
            let other = found.map(|found| Advice::OtherMethod { methods: vec![found.to_string()] });
            Err(refusal.advise(other))
        }
        solved => Ok(Solved { method: method.clone(), recoding: solved? }),
    }
}

/// Returns another method that meets the goal where `method` does not: the first fast candidate
/// that succeeds, of those whose recoding is allowed.
///
/// Returns `None` if `method` has the parameter `until`, because the user chose where it stops.
///
/// # Complexity
///
/// At most one run of each fast candidate; none if the time limit is reached.
fn instead(
    method: &Spec,
    problem: &Problem,
    recoding: Scope,
    progress: &dyn Progress,
) -> Option<Spec> {
    if method.parameters.contains_key("until") || progress.out_of_time() {
        return None;
    }
    let size = arms::size(problem);
    let methods = methods(recoding).iter().filter_map(|other| other.parse::<Spec>().ok());
    methods
        .filter(|other| other.name != method.name && size.seconds(other) <= USUAL_TIME)
        .find(|other| succeeds(other, problem, progress))
}

/// Whether a method can solve a problem and meets its goal.
fn succeeds(method: &Spec, problem: &Problem, progress: &dyn Progress) -> bool {
    from_spec(method).is_ok_and(|anonymizer| {
        anonymize::obstacle(&*anonymizer, problem, progress.has_time_limit()).is_none()
            && problem.solve(&*anonymizer, progress).is_ok()
    })
}

#[cfg(test)]
mod tests;
