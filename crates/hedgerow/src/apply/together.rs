//! Checks a release together with earlier ones, before it is renamed to its final name.

use std::path::Path;

use super::{Earlier, Request};
use crate::attack::{
    self, Attack, Attempt, ComplementaryRelease, Discloses, Evidence, Gain, Given, Intersection,
    Other, Scene,
};
use crate::error::{Advice, Warning};
use crate::io::{ReadOptions, Source};
use crate::noun::counted;
use crate::progress::Progress;
use crate::publish::{Pair, read_release};
use crate::recipe::{Applied, Recipe};
use crate::schema::{Role, Schema};
use crate::table::{Columns, Encoding};
use crate::{Error, Result};

/// The next table, and how it was recoded.
pub(super) struct Next<'a> {
    pub(super) request: &'a Request,
    pub(super) recipe: &'a Recipe,
    /// The roles of its columns.
    pub(super) schema: &'a Schema,
    pub(super) source: &'a Source,
    pub(super) applied: &'a Applied,
    /// The options that the table was read with.
    pub(super) reading: &'a ReadOptions,
    /// The earlier releases.
    pub(super) earlier: &'a [Earlier],
}

/// Returns an error if the limit of attacks makes no sense, or if earlier releases are given but the
/// style of this one cannot be attacked.
pub(super) fn check(request: &Request, recipe: &Recipe, has_earlier: bool) -> Result<()> {
    let leave_out = |key| [Advice::LeaveOut { key, column: None }];
    if let Some(limit) = request.max_success {
        if !(0.0..=1.0).contains(&limit) {
            let problem = format!("the greatest success of an attack is from 0 to 1, not {limit}");
            return Err(Error::invalid(problem));
        }
        if !has_earlier {
            let problem = "the greatest success is that of attacks on this release together with \
                           earlier ones, of which none is given";
            return Err(Error::invalid(problem).advise(leave_out("max-success")));
        }
    }
    if !has_earlier || recipe.writing().interval_style.shows_ranges() {
        return Ok(());
    }
    let problem = "releases are checked together by their ranges, which the interval styles midpoint \
                   and bounds do not show";
    Err(Error::invalid(problem).advise(leave_out("previous")))
}

impl Next<'_> {
    /// Attacks the written release together with the earlier ones: the intersection attack if there
    /// is a sensitive column, and the join of the releases by the columns that all publish
    /// unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Unreachable`] if an attack gains more than is allowed.
    pub(super) fn attack(
        &self,
        written: &Source,
        progress: &dyn Progress,
    ) -> Result<Option<Evidence>> {
        if self.earlier.is_empty() {
            return Ok(None);
        }
        let demands = self.recipe.demands();
        let kept = self.kept(&demands.sensitive);
        let attacks = attacks(&demands.sensitive, &kept);
        let given = self.given(written, &kept, progress)?;
        let given = Given { sensitive: demands.sensitive, ..given };
        let evidence = attack::run(&Scene::new(given)?, &attacks, progress)?;
        // k-anonymity promises 1 / k for one release, so two together should not remove more of the
        // doubt.
        let limit = self.request.max_success.unwrap_or(1.0 / demands.k.max(1) as f64);
        // One message about the most successful attack; the others usually share its cause.
        let attempts = evidence.attempts.iter();
        let worst = attempts.max_by(|one, other| one.judged().total_cmp(&other.judged()));
        // A share of 1/k must not exceed a limit of 1/k by rounding.
        if let Some(worst) = worst.filter(|worst| worst.judged() > limit + 1e-9) {
            return Err(refused(worst, limit, evidence.unit));
        }
        Ok(Some(evidence))
    }

    /// The columns that are published as they are, the sensitive ones first.
    fn kept(&self, sensitive: &[String]) -> Vec<String> {
        let names = self.schema.names();
        // A column that was published unread, as lists in memory are, is not compared.
        let is_other = |place: &usize| {
            self.schema.role(*place) != Role::Quasi
                && !sensitive.contains(&names[*place])
                && self.source.unusable(*place).is_none()
        };
        let others = self.schema.published().into_iter().filter(is_other);
        sensitive.iter().cloned().chain(others.map(|place| names[place].clone())).collect()
    }

    fn given(&self, written: &Source, kept: &[String], progress: &dyn Progress) -> Result<Given> {
        // The original has the column of people, which shows whether a guess is right; the release
        // does not.
        let columns = Columns { beside: kept.to_vec(), ..self.recipe.columns()? };
        let pair = Pair {
            original: self.source,
            release: written,
            columns: &columns,
            reading: self.reading,
            is_guarded: self.is_guarded(written),
        };
        let (original, release) = pair.read(progress)?;
        let mut given = Given::new(original, release);
        given.hierarchies.clone_from(&self.applied.hierarchies);
        given.threads = self.reading.threads;
        for Earlier { name, source } in self.earlier {
            let is_guarded = self.is_guarded(source);
            let unguarded = is_guarded.then(|| source.clone().without_guards());
            let source = unguarded.as_ref().unwrap_or(source);
            let is_common =
                |name: &&String| columns.quasi.contains(name) || columns.beside.contains(name);
            // An earlier release may lack columns: an attacker uses those that both have.
            let common: Vec<String> = source.header().iter().filter(is_common).cloned().collect();
            // All columns of another release are read as text, whatever their kind.
            let na = self.reading.encoding.na.clone();
            let encoding = Encoding { na, is_guarded, ..Encoding::default() };
            let reading = ReadOptions { encoding, ..self.reading.clone() };
            let table = read_release(source, &Columns::quasi(&common), reading, progress);
            let table = table.map_err(|error| error.in_file(Path::new(name)))?;
            given.others.push(Other { name: name.clone(), table });
        }
        Ok(given)
    }

    /// Whether the cells of a release are guarded against spreadsheets, as those of files can be.
    fn is_guarded(&self, release: &Source) -> bool {
        let is_asked = self.request.spreadsheet_safe || self.recipe.writing().spreadsheet_safe;
        is_asked && !release.is_in_memory()
    }
}

/// The attacks that are useful: a join by sensitive values alone finds the same as the
/// intersection.
fn attacks(sensitive: &[String], kept: &[String]) -> Vec<Box<dyn Attack>> {
    let mut attacks: Vec<Box<dyn Attack>> = Vec::new();
    if !sensitive.is_empty() {
        attacks.push(Box::new(Intersection));
    }
    if sensitive.is_empty() || kept.len() > sensitive.len() {
        attacks.push(Box::new(ComplementaryRelease));
    }
    attacks
}

/// Warnings about attacks that were not tried, because silence about them would suggest safety.
pub(super) fn unchecked(evidence: &Evidence) -> impl Iterator<Item = Warning> {
    evidence.skipped.iter().map(|skipped| {
        let problem = format!(
            "together with the earlier release, {} was not tried: {}",
            skipped.attack,
            skipped.reason.problem()
        );
        Warning::new(problem).advise(skipped.reason.advice().iter().cloned())
    })
}

fn refused(worst: &Attempt, limit: f64, unit: &'static str) -> Error {
    let attack = worst.attack;
    let found = match (&worst.gain, &worst.column) {
        (Some(Gain { alone, together, share, .. }), Some(column)) => format!(
            "the attack {attack} guesses '{column}' of someone with a probability of {together:.4}, \
             where one release alone allows {alone:.4}: this removes {share:.4} of the doubt, above \
             {limit:.4}"
        ),
        _ => format!(
            "the attack {attack} finds the record of someone with a probability of {:.4}, where one \
             release alone allows {:.4}: this is above {limit:.4} ({} of {} disclosed)",
            worst.judged(),
            worst.gain.unwrap_or_default().alone,
            counted(worst.exposed, unit),
            worst.attacked
        ),
    };
    let last = match worst.discloses {
        Discloses::Identity => "leave out columns that both releases publish unchanged",
        Discloses::Attribute => "require a privacy model of the sensitive column",
    };
    Error::unreachable(format!("together with the earlier release, {found}")).advise([
        Advice::AllowSuccess,
        Advice::words("publish only what changed since the earlier release"),
        Advice::words(last),
    ])
}
