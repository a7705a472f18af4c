//! Checks a job before any file is read.

use std::path::Path;

use super::{Job, sampled};
use crate::builder;
use crate::error::{Advice, Missing};
use crate::io::Output;
use crate::method::Scope;
use crate::privacy;
use crate::study::{Demands, check_time};
use crate::table::{MissingPolicy, Table};
use crate::{Error, Result};

/// Returns an error if the release cannot have the encoding that the job names.
pub(super) fn can_be_encoded(job: &Job, output: &Output) -> Result<()> {
    let Some(charset) = job.output_encoding.filter(|_| output.is_parquet()) else {
        return Ok(());
    };
    let problem = format!("a Parquet file cannot be written in {charset}: its text is UTF-8");
    Err(Error::invalid(problem).advise([Advice::LeaveOut { key: "output-encoding", column: None }]))
}

/// Returns an error if the job cannot be run, whatever its table.
pub(super) fn can_run(job: &Job) -> Result<()> {
    is_complete(job, true)?;
    is_well_formed(job)?;
    is_decided(job)
}

/// Returns an error if no search can be done for the job, whatever its table.
pub(super) fn can_search(job: &Job) -> Result<()> {
    is_complete(job, false)?;
    is_well_formed(job)
}

/// Returns an error if the job is incomplete. A job that is only measured needs no output.
pub(super) fn is_complete(job: &Job, needs_output: bool) -> Result<()> {
    check_time(job.time)?;
    // Standard input can be read once, and the table may need it.
    if job.population.as_deref() == Some(Path::new("-")) {
        return Err(Error::invalid("the population cannot be read from standard input")
            .advise([Advice::words("name a file")]));
    }
    sampled::is_stated_once(job)?;
    if job.recipe.is_some() {
        can_have_recipe(job)?;
    }
    // All that is missing at once, so that a user does not fix one after the other.
    let mut missing = Vec::new();
    if job.quasi.is_empty() {
        missing.push(Missing::Quasi);
    }
    if needs_output && job.output.as_os_str().is_empty() {
        missing.push(Missing::Output);
    }
    if job.k == 0 {
        missing.push(Missing::K);
    }
    if missing.is_empty() { Ok(()) } else { Err(Error::Incomplete { missing }) }
}

/// Returns an error if the release of the job cannot have a recipe.
pub(super) fn can_have_recipe(job: &Job) -> Result<()> {
    // A population without a model that counts it is for estimates of risk only.
    if job.population.is_none() || !privacy::look_at_population(&job.privacy)? {
        return Ok(());
    }
    let leave_out = |key| Advice::LeaveOut { key, column: None };
    let problem = "a recipe cannot be made for a sample of a population, because the next table is a \
                   sample of another one";
    Err(Error::invalid(problem).advise([leave_out("recipe"), leave_out("population")]))
}

/// Returns an error if the job lists columns about which nothing is decided yet.
pub(super) fn is_decided(job: &Job) -> Result<()> {
    let roles = job.roles(&[])?;
    let has_role = |name: &&String| roles.iter().any(|(named, _)| named == name);
    let open: Vec<String> = (job.undecided.iter())
        .filter(|name| !has_role(name))
        .map(|name| format!("'{name}'"))
        .collect();
    // `keep-others` decides about every column without a role.
    if open.is_empty() || job.keep_others {
        return Ok(());
    }
    let problem = format!("the job leaves columns undecided: {}", open.join(", "));
    Err(Error::invalid(problem)
        .advise([Advice::words("move each from 'undecided' to the list where it belongs")]))
}

/// Returns an error if a hierarchy or a limit is wrong whatever the table.
fn is_well_formed(job: &Job) -> Result<()> {
    for spec in job.hierarchy.values() {
        builder::check(spec)?;
    }
    for (column, labels) in &job.limit {
        let level_of = |label: &&String| Some(label.strip_prefix("level:")?.trim().to_owned());
        let is_wrong =
            |label: &&String| level_of(label).is_some_and(|level| level.parse::<usize>().is_err());
        if let Some(label) = labels.iter().find(is_wrong) {
            let problem = "is not a level";
            return Err(Error::value(column, label, None, problem)
                .advise([Advice::words("write a whole number, as in level:2")]));
        }
    }
    Ok(())
}

/// Returns an error if what the job requires cannot be checked part by part.
pub(super) fn can_be_divided(job: &Job) -> Result<()> {
    let problem = if job.person.is_some() {
        "people can have records in several parts"
    } else if job.population.is_some() || job.sampling_fraction.is_some() {
        "a population cannot be compared with a part of the table"
    } else if job.recoding != Scope::Local {
        "each part is recoded in its own way, so a recoding of all records cannot be required"
    } else if job.certificate {
        "a bound of the loss is known for whole tables only"
    } else if job.missing == MissingPolicy::Drop {
        "records with missing values must be left out before the table is divided"
    } else {
        return Ok(());
    };
    Err(Error::invalid(problem).advise([in_one_part()]))
}

/// Returns an error if `table` is a part of a larger one, and a model that holds for the classes of
/// all parts need not hold for the whole release.
///
/// Models compare a class with the distributions of the whole table, which parts have too. But
/// classes of different parts that publish the same cells are one class of the release.
pub(super) fn hold_together(demands: &Demands, table: &Table) -> Result<()> {
    if !table.is_part() {
        return Ok(());
    }
    let models = demands.claims(false).models(table)?;
    let Some(model) = models.iter().find(|model| !model.is_monotone()) else { return Ok(()) };
    let problem =
        "need not hold for classes of different parts together, which can publish the same cells";
    Err(Error::of_kind("privacy model", model.name(), problem).advise([in_one_part()]))
}

fn in_one_part() -> Advice {
    Advice::words("plan the table in one part")
}
