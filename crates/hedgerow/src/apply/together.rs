//! Checks a release together with earlier ones, before it gets its name.

use super::Request;
use crate::attack::{
    self, Attack, Attempt, ComplementaryRelease, Evidence, Gain, Given, Intersection, Other, Scene,
};
use crate::error::Advice;
use crate::io::{Header, OpenOptions, ReadOptions, Source};
use crate::noun::counted;
use crate::progress::Progress;
use crate::publish::read_release;
use crate::recipe::{Applied, Recipe};
use crate::table::{Columns, Encoding, Table};
use crate::{Error, Result};

/// The next table, and how it was recoded.
pub(super) struct Next<'a> {
    pub(super) request: &'a Request,
    pub(super) recipe: &'a Recipe,
    pub(super) source: &'a Source,
    pub(super) applied: &'a Applied,
    /// How the table was read.
    pub(super) reading: &'a ReadOptions,
}

/// Returns an error if earlier releases are given but the style of this one cannot be attacked.
pub(super) fn check(request: &Request, recipe: &Recipe) -> Result<()> {
    let is_shown = recipe.writing().interval_style.shows_ranges();
    if request.previous.is_empty() || is_shown {
        return Ok(());
    }
    let problem = "releases are checked together by their ranges, which the interval styles midpoint \
                   and bounds do not show";
    Err(Error::invalid(problem).advise([Advice::LeaveOut { key: "previous", column: None }]))
}

impl Next<'_> {
    /// Attacks the written release together with the earlier ones: the intersection attack if there
    /// is a sensitive column, otherwise the join of the releases by what all publish unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Unreachable`] if an attack succeeds more than is allowed.
    pub(super) fn attack(
        &self,
        written: &Source,
        progress: &dyn Progress,
    ) -> Result<Option<Evidence>> {
        if self.request.previous.is_empty() {
            return Ok(None);
        }
        let demands = self.recipe.demands();
        let given = self.given(written, demands.sensitive.clone(), progress)?;
        let attacks: Vec<Box<dyn Attack>> = if demands.sensitive.is_empty() {
            vec![Box::new(ComplementaryRelease)]
        } else {
            vec![Box::new(Intersection)]
        };
        let evidence = attack::run(&Scene::new(given)?, &attacks, progress)?;
        // 1 / k is what k-anonymity promises of one release, so two together should not exceed it.
        let limit = self.request.max_success.unwrap_or(1.0 / demands.k.max(1) as f64);
        // One message about the most successful attack; the others usually share its cause.
        let worst = evidence.above(limit).max_by(|a, b| a.success.total_cmp(&b.success));
        if let Some(worst) = worst {
            return Err(refused(worst, limit, evidence.unit));
        }
        Ok(Some(evidence))
    }

    fn given(
        &self,
        written: &Source,
        sensitive: Vec<String>,
        progress: &dyn Progress,
    ) -> Result<Given> {
        let quasi: Vec<String> = self.recipe.columns()?.quasi;
        let columns = Columns::quasi(&quasi).and_beside(&sensitive);
        let release = self.read(written, &columns, progress)?;
        // The original has the column of people, which tells whether a guess is right; the release
        // does not.
        let original = match self.recipe.columns()?.person {
            Some(person) => columns.clone().and_person(&person),
            None => columns.clone(),
        };
        let original = self.source.read(&original, self.reading, progress)?;
        let mut given = Given::new(original, release);
        given.hierarchies.clone_from(&self.applied.hierarchies);
        given.sensitive = sensitive;
        given.threads = self.reading.threads;
        for path in &self.request.previous {
            let options = OpenOptions { header: Header::FirstLine, ..OpenOptions::default() };
            let source = self.request.open(path, &options)?;
            let source = if self.is_guarded() { source.without_guards() } else { source };
            let all = columns.names();
            let is_common = |name: &&String| all.contains(name);
            // An earlier release may lack columns: an attacker uses what both have.
            let common: Vec<String> = source.header().iter().filter(is_common).cloned().collect();
            let table = self.read(&source, &Columns::quasi(&common), progress);
            let table = table.map_err(|error| error.in_file(path))?;
            given.others.push(Other { name: path.display().to_string(), table });
        }
        Ok(given)
    }

    /// Reads a release as it is shown.
    fn read(&self, source: &Source, columns: &Columns, progress: &dyn Progress) -> Result<Table> {
        let encoding = Encoding { is_guarded: self.is_guarded(), ..self.reading.encoding.clone() };
        let options = ReadOptions { encoding, ..self.reading.clone() };
        read_release(source, columns, options, progress)
    }

    fn is_guarded(&self) -> bool {
        self.request.spreadsheet_safe || self.recipe.writing().spreadsheet_safe
    }
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
            "the attack {attack} finds the record of someone with a probability of {:.4}, above \
             {limit:.4} ({} of {} disclosed)",
            worst.success,
            counted(worst.exposed, unit),
            worst.attacked
        ),
    };
    Error::unreachable(format!("together with the earlier release, {found}")).advise([
        Advice::AllowSuccess,
        Advice::words("publish only what changed since the earlier release"),
        Advice::words("require a privacy model of the sensitive column"),
    ])
}
