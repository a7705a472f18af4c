//! Counts of the blocks that a thread is given.

use super::ReadOptions;
use super::block::{Fields, Records};
use crate::Result;
use crate::guard::Collector;
use crate::table::Part;

/// The counts of one thread.
#[derive(Default)]
pub(super) struct Counts {
    /// One part for each group of columns.
    pub(super) parts: Vec<Part>,
    pub(super) collector: Collector,
}

impl Counts {
    /// Counts the tuples of a block, in groups of columns with the indices `places`, and looks at
    /// the columns with the indices `looked`.
    pub(super) fn count(
        &mut self,
        records: &mut Records,
        places: &[Vec<usize>],
        looked: &[usize],
        options: &ReadOptions,
    ) -> Result<()> {
        let Self { parts, collector } = self;
        parts.resize_with(places.len(), Part::default);
        // Block numbers let the merge restore the order of the file.
        parts.iter_mut().for_each(|part| part.begin_block(records.number()));
        collector.begin_block(records.number());
        let (na, keep_rows) = (options.encoding.na.as_slice(), options.keep_rows);
        records.for_each(&mut |fields: Fields<'_>| {
            let mut groups = parts.iter_mut().zip(places);
            let field = |&place: &usize| fields.get(place);
            groups.try_for_each(|(part, group)| part.push(group.iter().map(field), keep_rows))?;
            if !looked.is_empty() {
                collector.push(looked.iter().map(field), na);
            }
            Ok(())
        })
    }
}
