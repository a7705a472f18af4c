//! `POST /api/risk`: the people who are alone in the table, for roles that are tried.

use std::collections::BTreeMap;

use hedgerow::chart::{Share, Stacked};
use hedgerow::guard;
use hedgerow::job::Job;
use hedgerow::noun::{all_of, grouped};
use hedgerow::schema::{Role, Schema};
use hedgerow::table::MissingPolicy;
use serde::{Deserialize, Serialize};

use super::table::{Note, findings};
use super::{Answer, Call, answer};
use crate::fault::{Done, Fault};
use crate::session::{Asked, Classes, JobChange, Opened, Stored, role_of};
use crate::studio::Studio;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct RiskRequest {
    roles: BTreeMap<String, String>,
    k: Option<u64>,
    columns: Option<bool>,
}

#[derive(Serialize)]
struct Assessed {
    quasi: Vec<String>,
    unit: &'static str,
    n: u64,
    alone: u64,
    share_alone: f64,
    classes: usize,
    smallest: u64,
    below_k: u64,
    average_risk: f64,
    highest_risk: f64,
    sentence: String,
    bands: Vec<Band>,
    svg: String,
    without: Vec<Without>,
    added: Vec<Added>,
    notes: Vec<Note>,
}

/// Records or people that share their values with this number of others.
#[derive(Serialize)]
pub(super) struct Band {
    label: String,
    from: u64,
    to: Option<u64>,
    n: u64,
    share: f64,
}

#[derive(Serialize)]
struct Without {
    column: String,
    alone: u64,
    fewer: i64,
}

#[derive(Serialize)]
struct Added {
    column: String,
    alone: u64,
    more: i64,
}

pub(super) fn assess(studio: &Studio, call: &Call) -> Done<Answer> {
    let asked: RiskRequest = call.json()?;
    let (opened, job) = {
        let session = studio.session();
        let change = JobChange::of_roles(asked.roles, asked.k);
        (session.table()?, change.applied(&session, studio)?)
    };
    let found = risk(&opened, &job, asked.columns.unwrap_or(true), studio.options.threads)?;
    answer(&found)
}

fn risk(opened: &Opened, job: &Job, with_columns: bool, threads: usize) -> Done<Assessed> {
    let stored = |name: &String| opened.column(name).filter(|stored| stored.column.is_some());
    let quasi: Vec<&Stored> = job.quasi.iter().filter_map(stored).collect();
    let person = job.person.as_ref().and_then(stored);
    let drops_missing = job.missing == MissingPolicy::Drop;
    let n_rows = opened.rows as usize;
    let classes = Classes::of(&quasi, n_rows, drops_missing);
    let shared = classes.shared_by(person);
    let n = shared.len() as u64;
    if n == 0 {
        return Err(Fault::input("every record has a missing value, so none is left"));
    }
    let alone = shared.iter().filter(|&&size| size == 1).count() as u64;
    let is_small = |size: &&u32| u64::from(**size) < job.k;
    let smallest = shared.iter().copied().min().unwrap_or(0);
    let certainty: f64 = shared.iter().map(|&size| 1.0 / f64::from(size)).sum();
    let is_other = |stored: &&Stored| {
        let role = role_of(job, &stored.name);
        let is_in = !matches!(role, Role::Quasi | Role::Person | Role::Identifier | Role::Dropped);
        is_in && stored.column.is_some()
    };
    let others: Vec<&Stored> = opened.columns.iter().filter(is_other).collect();
    let (mut without, mut added) = (Vec::new(), Vec::new());
    if with_columns && !quasi.is_empty() {
        let asked = Asked { quasi: &quasi, others: &others, person, drops_missing, n_rows };
        let found = asked.contribution(&classes, threads);
        without = (quasi.iter().zip(found.without))
            .map(|(stored, count)| Without {
                column: stored.name.clone(),
                alone: count,
                fewer: alone as i64 - count as i64,
            })
            .collect();
        added = (others.iter().zip(found.added))
            .map(|(stored, count)| Added {
                column: stored.name.clone(),
                alone: count,
                more: count as i64 - alone as i64,
            })
            .collect();
    }
    let unit = if person.is_some() { "people" } else { "records" };
    let bands = bands(&shared);
    Ok(Assessed {
        sentence: sentence(&job.quasi, alone, n, unit),
        svg: stacked(&[("now".to_owned(), &bands)], unit),
        quasi: job.quasi.clone(),
        unit,
        n,
        alone,
        share_alone: alone as f64 / n as f64,
        classes: classes.n,
        smallest: u64::from(smallest),
        below_k: shared.iter().filter(is_small).count() as u64,
        average_risk: certainty / n as f64,
        highest_risk: 1.0 / f64::from(smallest.max(1)),
        bands,
        without,
        added,
        notes: notes(opened, job)?,
    })
}

fn sentence(quasi: &[String], alone: u64, n: u64, unit: &str) -> String {
    if quasi.is_empty() {
        return "No column is a quasi-identifier yet, so all records look the same.".to_owned();
    }
    let (alone, n) = (grouped(alone), grouped(n));
    format!("{alone} of {n} {unit} are the only one with their {}.", all_of(quasi))
}

/// Number of records or people in classes of each size.
pub(super) fn bands(shared: &[u32]) -> Vec<Band> {
    let ends: [(u64, Option<u64>); 6] =
        [(1, Some(1)), (2, Some(4)), (5, Some(9)), (10, Some(19)), (20, Some(99)), (100, None)];
    let n = shared.len().max(1) as f64;
    let band = |(from, to): (u64, Option<u64>)| {
        let is_in =
            |size: &&u32| u64::from(**size) >= from && to.is_none_or(|to| u64::from(**size) <= to);
        let count = shared.iter().filter(is_in).count() as u64;
        let label = match (from, to) {
            (1, _) => "alone".to_owned(),
            (_, Some(to)) => format!("one of {from} to {to}"),
            (_, None) => format!("one of {from} or more"),
        };
        Band { label, from, to, n: count, share: count as f64 / n }
    };
    ends.into_iter().map(band).collect()
}

/// Bands as stacked bars.
fn stacked(rows: &[(String, &Vec<Band>)], unit: &str) -> String {
    let share = |band: &Band| Share {
        share: band.share,
        title: format!("{}: {} {unit}", band.label, grouped(band.n)),
    };
    let rows = rows.iter().map(|(name, bands)| (name.clone(), bands.iter().map(share).collect()));
    Stacked { label: format!("{unit} by the size of their class"), rows: rows.collect() }.svg()
}

/// Notes about the roles that a job assigns to columns.
fn notes(opened: &Opened, job: &Job) -> Done<Vec<Note>> {
    let mut notes = Vec::new();
    for column in job.unguarded() {
        notes.push(Note {
            column: Some(column.clone()),
            kind: "sensitive-without-model",
            message: format!(
                "'{column}' is sensitive, but no privacy model looks at it: everybody in a class \
                 may have the same value"
            ),
            advice: vec!["add l-diversity with l = 2".to_owned()],
        });
    }
    let roles: Vec<(&str, Role)> = opened
        .header
        .iter()
        .map(|name| (name.as_str(), role_of(job, name)))
        .filter(|(_, role)| *role != Role::Undecided)
        .collect();
    let schema = Schema::new(&opened.header, &roles)?;
    notes.extend(findings(&guard::look(&opened.glance, &schema)));
    Ok(notes)
}
