//! Values that kept columns leave of a published cell: those of a quasi-identifier that occur with
//! them.

use hashbrown::HashMap;

/// Minimum number of records of a kept value for the values that occur with it to count as
/// complete.
const LEAST_RECORDS: u64 = 5;
/// The same for a column that reveals the whole quasi-identifier.
pub(crate) const LEAST_OF_STRONG: u64 = 2;

/// The values of a quasi-identifier that occur with each value of a kept column.
///
/// A pair of values that only one record has is not known to attackers, who lack that record, so
/// values of few records reveal nothing.
#[derive(Debug)]
pub(crate) struct Links {
    /// For each code of the kept column, the codes of the quasi-identifier with their records,
    /// ascending.
    lists: HashMap<u32, Vec<(u32, u64)>>,
    least: u64,
}

impl Links {
    /// The links of pairs of codes with numbers of records: kept column, quasi-identifier.
    /// `is_strong` if the column reveals the whole quasi-identifier.
    pub(crate) fn new(pairs: impl Iterator<Item = ((u32, u32), u64)>, is_strong: bool) -> Self {
        let mut counts: HashMap<(u32, u32), u64> = HashMap::new();
        for (pair, count) in pairs {
            *counts.entry(pair).or_default() += count;
        }
        // Sorted by both codes, so that every list is ascending and can be searched.
        let mut counts: Vec<((u32, u32), u64)> = counts.into_iter().collect();
        counts.sort_unstable();
        let mut lists: HashMap<u32, Vec<(u32, u64)>> = HashMap::new();
        for ((kept, quasi), count) in counts {
            lists.entry(kept).or_default().push((quasi, count));
        }
        let least = if is_strong { LEAST_OF_STRONG } else { LEAST_RECORDS };
        Self { lists, least }
    }

    /// The values that occur with one of the kept column, or `None` if it has few records.
    fn list(&self, kept: u32) -> Option<&[(u32, u64)]> {
        let list = self.lists.get(&kept)?;
        let n_records: u64 = list.iter().map(|(_, count)| count).sum();
        (n_records >= self.least).then_some(list)
    }

    /// Whether two values can belong to the same record, as far as is known.
    pub(crate) fn allows(&self, kept: u32, quasi: u32) -> bool {
        self.list(kept).is_none_or(|list| count_of(list, quasi).is_some())
    }
}

/// Number of values of a quasi-identifier that a published cell covers and that occur with all kept
/// values of the record. `None` if the kept values reveal nothing, or if one value is left that
/// occurs with them in this record only.
pub(crate) fn left<'a>(
    kept: impl Iterator<Item = (&'a Links, u32)>,
    is_covered: impl Fn(u32) -> bool,
) -> Option<usize> {
    let mut lists: Vec<&[(u32, u64)]> = kept.filter_map(|(links, code)| links.list(code)).collect();
    // Starting from the shortest list, fewest codes are looked up in the others.
    lists.sort_by_key(|list| list.len());
    let (shortest, others) = lists.split_first()?;
    let is_left = |&&(code, _): &&(u32, u64)| {
        is_covered(code) && others.iter().all(|list| count_of(list, code).is_some())
    };
    let left: Vec<u32> = shortest.iter().filter(is_left).map(|&(code, _)| code).collect();
    match left.as_slice() {
        [] => None,
        // A pair that only this record has is not known to attackers, who lack the record.
        [only] => {
            let is_shared = |list: &&[(u32, u64)]| count_of(list, *only).is_some_and(|n| n > 1);
            lists.iter().all(is_shared).then_some(1)
        }
        several => Some(several.len()),
    }
}

/// Number of records with a code in a list.
fn count_of(list: &[(u32, u64)], code: u32) -> Option<u64> {
    list.binary_search_by_key(&code, |&(code, _)| code).ok().map(|place| list[place].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_do_not_occur_together_are_excluded() {
        // The kept value 0 occurs with 3 and 4, the kept value 1 with 4 and 9.
        let pairs = [((0, 3), 4), ((0, 4), 2), ((1, 4), 3), ((1, 9), 3)];
        let links = Links::new(pairs.into_iter(), false);
        let one = |kept: u32, cell: std::ops::Range<u32>| {
            left([(&links, kept)].into_iter(), |code| cell.contains(&code))
        };
        assert_eq!((one(0, 0..10), one(0, 4..10), one(1, 0..5)), (Some(2), Some(1), Some(1)));
        assert_eq!(left([(&links, 0), (&links, 1)].into_iter(), |_| true), Some(1));
        assert!(links.allows(0, 3) && !links.allows(0, 9));
    }

    #[test]
    fn values_of_few_records_tell_nothing() {
        let links = Links::new([((0, 3), 1), ((0, 4), 1), ((1, 5), 1)].into_iter(), false);
        assert_eq!(left([(&links, 0)].into_iter(), |_| true), None);
        assert!(links.allows(1, 9) && links.allows(7, 9));
        // A single record with a unique pair is not evidence of it.
        let links = Links::new([((0, 3), 1), ((0, 4), 8)].into_iter(), false);
        assert_eq!(left([(&links, 0)].into_iter(), |code| code < 4), None);
    }
}
