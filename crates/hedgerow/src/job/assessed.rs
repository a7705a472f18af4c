//! The risk of the input and of the release that a job made from it.

use std::collections::BTreeMap;

use super::Job;
use crate::Result;
use crate::release::Release;
use crate::risk::{self, Assessment, Extent, Request};
use crate::study::Study;
use crate::table::{Columns, Counted, Encoding, Table};

/// Assesses the risk of a release, given the written file as a reader sees it.
///
/// Only figures that need one pass over the distinct records are computed; see
/// [`Depth`](crate::risk::Depth).
pub(super) fn assess(
    job: &Job,
    study: &Study,
    release: &Release,
    shown: &Table,
) -> Result<Assessment> {
    let table = study.problem().table();
    // The file does not say whose records are whose; the release in memory does.
    let named = match table.person() {
        Some(_) => Some(named(job, release)?),
        None => None,
    };
    let shown = named.as_ref().unwrap_or(shown);
    let is_shown = |name: &&String| shown.beside().iter().any(|column| column.name == **name);
    let sensitive: Vec<String> = job.sensitive.iter().filter(is_shown).cloned().collect();
    let trees = study.problem().attributes().iter().filter_map(|attribute| {
        Some((attribute.name().to_owned(), attribute.generalization().hierarchy()?))
    });
    let extent = study.population().map_or(Extent::Unknown, Extent::Table);
    let request = Request::new(table)
        .own_release(shown)
        .sensitive(&sensitive)
        .extent(extent)
        .hierarchies(trees.collect());
    risk::assess(&request)
}

/// The published cells of a release with the person of each record and the sensitive columns.
fn named(job: &Job, release: &Release) -> Result<Table> {
    let table = release.recoding().problem().table();
    let columns = table.all_columns();
    let is_published = |place: &usize| job.sensitive.contains(&columns[*place].name);
    let n_quasi = table.columns().len();
    let last = columns.len() - 1;
    let places: Vec<usize> = (n_quasi..last).filter(is_published).chain([last]).collect();
    let has_suppressed = !(job.drop_suppressed || release.drops_suppressed());
    let mut counts: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
    let spelt: Vec<Vec<String>> = (places.iter())
        .map(|&place| {
            let domain = &columns[place].domain;
            domain.codes().map(|code| domain.spelling(code).into_owned()).collect()
        })
        .collect();
    let takes = release.recoding().takes().iter();
    for take in takes.filter(|take| has_suppressed || take.class.is_some()) {
        let codes = table.cohorts().tuple(take.cohort);
        let others = places.iter().zip(&spelt).map(|(&place, spelt)| &spelt[codes[place].index()]);
        let fields = release.cells(take.class).into_iter().chain(others).map(String::as_str);
        *counts.entry(fields.collect()).or_default() += take.count;
    }
    let of_tuple = |(fields, count)| Counted { fields, count, first_row: 0 };
    let counted: Vec<Counted<Vec<&str>>> = counts.into_iter().map(of_tuple).collect();
    let shown = Columns {
        quasi: (0..n_quasi).flat_map(|place| release.columns(place).to_vec()).collect(),
        beside: places[..places.len() - 1].iter().map(|&p| columns[p].name.clone()).collect(),
        person: Some(columns[last].name.clone()),
    };
    Table::of_counts(&shown, &counted, &Encoding { is_release: true, ..Encoding::default() })
}
