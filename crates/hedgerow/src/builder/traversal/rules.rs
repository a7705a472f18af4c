//! The rules that divide a tree walk into generalization sets.

/// Disjoint sets of items, stored one after another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Sets {
    pub(super) members: Vec<u32>,
    /// The end of each set in `members`.
    pub(super) ends: Vec<usize>,
}

impl Sets {
    /// Returns one set of all items of a walk, or no set if there is a single item.
    pub(super) fn whole(walk: &[u32]) -> Self {
        match walk {
            [_] => Self::default(),
            _ => Self { members: walk.to_vec(), ends: vec![walk.len()] },
        }
    }
}

/// Divides a walk into sets of at least `k` records.
///
/// Items with at least `k` records of their own are not in a set, unless rule 3 or 4 needs one.
/// Returns `None` if all items together have fewer than `k` records.
///
/// METHODS 2.2, rules 1 to 4 of \[Hernandez2018\], section III-B.
pub(super) fn sets(walk: &[u32], counts: &[u64], k: u64) -> Option<Sets> {
    let count = |item: u32| counts[item as usize];
    let mut sets = Sets::default();
    let mut n_records = 0;
    for &item in walk.iter().filter(|&&item| count(item) < k) {
        sets.members.push(item);
        n_records += count(item);
        if n_records >= k {
            sets.ends.push(sets.members.len()); // rule 1: a set is full
            n_records = 0;
        }
    }
    let n_members = sets.members.len();
    match sets.ends.last_mut() {
        None if n_members == 0 => {}
        Some(end) => *end = n_members, // rule 2: the remaining items join the last set
        None => {
            // Rule 3: the remaining items take the first item of exactly k records; rule 4: else
            // the first with more.
            let exact = walk.iter().find(|&&item| count(item) == k);
            let helper = exact.or_else(|| walk.iter().find(|&&item| count(item) > k))?;
            sets.members.push(*helper);
            sets.ends.push(n_members + 1);
        }
    }
    Some(sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_joins_the_last_set() {
        let found = sets(&[0, 1, 2, 3, 4], &[1, 1, 9, 1, 1], 3).unwrap();
        assert_eq!(found, Sets { members: vec![0, 1, 3, 4], ends: vec![4] });
    }

    #[test]
    fn a_rest_alone_takes_the_first_of_k_before_the_first_of_more() {
        let found = sets(&[0, 1, 2], &[1, 4, 3], 3).unwrap();
        assert_eq!(found, Sets { members: vec![0, 2], ends: vec![2] });
        let found = sets(&[2, 1, 0], &[1, 4, 4], 3).unwrap();
        assert_eq!(found, Sets { members: vec![0, 2], ends: vec![2] });
    }

    #[test]
    fn fewer_than_k_records_make_no_set() {
        assert_eq!(sets(&[0, 1], &[1, 1], 3), None);
        assert_eq!(sets(&[0], &[3], 3), Some(Sets::default()));
    }
}
