//! The table that a reader of a release will see, made without writing the release.

use std::collections::BTreeMap;

use crate::Result;
use crate::progress::{Progress, stop_at};
use crate::release::Release;
use crate::table::{Column, Columns, Counted, Encoding, Table};

/// Options of a release that is not written yet.
#[derive(Clone, Copy)]
pub(super) struct Unwritten<'a> {
    /// Whether a column that models examine is published.
    pub(super) is_published: &'a dyn Fn(&str) -> bool,
    /// Whether suppressed records are published.
    pub(super) has_suppressed: bool,
    /// Spellings of a missing value, in addition to the empty text.
    pub(super) na: &'a [String],
}

impl Unwritten<'_> {
    /// The published cells with the columns that models examine, if they are published, and with
    /// the person of each record, if a column names people.
    pub(super) fn shown(self, release: &Release, progress: &dyn Progress) -> Result<Table> {
        let table = release.recoding().problem().table();
        let columns = table.all_columns();
        let n_quasi = table.columns().len();
        // The column that names people is always the last.
        let person = table.person().map(|_| columns.len() - 1);
        let published: Vec<usize> = (n_quasi..n_quasi + table.beside().len())
            .filter(|&place| (self.is_published)(&columns[place].name))
            .collect();
        let places: Vec<usize> = published.iter().copied().chain(person).collect();
        let spelt: Vec<Vec<String>> = (places.iter())
            .map(|&place| {
                let domain = &columns[place].domain;
                domain.codes().map(|code| domain.spelling(code).into_owned()).collect()
            })
            .collect();
        // Equal records are counted, not listed, so memory depends on the distinct ones.
        let mut counts: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
        let takes = release.recoding().takes().iter();
        let takes = takes.filter(|take| self.has_suppressed || take.class.is_some());
        for (place, take) in takes.enumerate() {
            stop_at(place, progress)?;
            let codes = table.cohorts().tuple(take.cohort);
            let others =
                places.iter().zip(&spelt).map(|(&place, spelt)| &spelt[codes[place].index()]);
            let fields = release.cells(take.class).into_iter().chain(others).map(String::as_str);
            *counts.entry(fields.collect()).or_default() += take.count;
        }
        // A take can have no records.
        counts.retain(|_, count| *count > 0);
        let of_tuple = |(fields, count)| Counted { fields, count, first_row: 0 };
        let counted: Vec<Counted<Vec<&str>>> = counts.into_iter().map(of_tuple).collect();
        let of_places: Vec<&Column> = published.iter().map(|&place| &columns[place]).collect();
        let names = Columns {
            quasi: (0..n_quasi).flat_map(|place| release.columns(place).to_vec()).collect(),
            beside: of_places.iter().map(|column| column.name.clone()).collect(),
            person: person.map(|place| columns[place].name.clone()),
        };
        let encoding = Encoding { is_release: true, ..Encoding::like(&of_places, self.na) };
        Table::of_counts(&names, &counted, &encoding, progress)
    }
}
