//! Recognizes columns whose values distinguish the people of the records.

use super::glance::Seen;

/// The relation of a column to the column that names people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Owned {
    /// Share of the records whose value only one person has.
    pub(super) share: f64,
    /// Whether people with several records have the same value in all of them.
    pub(super) is_constant: bool,
}

/// Number of people below which any column can distinguish them.
const LEAST_PEOPLE: usize = 10;
/// Share of the people with several records who must have the same value in all of them.
const CONSTANT: f64 = 0.95;

/// Compares a column with the one that names people, in the sampled records. If the sample
/// `is_partial`, values of one record are left out, because other records may have them.
///
/// Returns `None` for few people, and if each has one record: then records are people.
pub(super) fn owned(seen: &Seen, person: &Seen, is_partial: bool) -> Option<Owned> {
    let both = seen.of_record.iter().zip(&person.of_record);
    let pairs: Vec<(u32, u32)> =
        both.filter_map(|(value, owner)| Some(((*value)?, (*owner)?))).collect();
    let by_value = Sorted::new(pairs.iter().copied());
    let by_person = Sorted::new(pairs.iter().map(|&(value, owner)| (owner, value)));
    let n_people = by_person.groups().count();
    if n_people < LEAST_PEOPLE || n_people == pairs.len() {
        return None;
    }
    let least = if is_partial { 2 } else { 1 };
    let counted = || by_value.groups().filter(|group| group.len() >= least);
    let n_records: usize = counted().map(<[_]>::len).sum();
    let n_owned: usize = counted().filter(|group| is_one(group)).map(<[_]>::len).sum();
    let several = || by_person.groups().filter(|group| group.len() > 1);
    let n_constant = several().filter(|group| is_one(group)).count();
    Some(Owned {
        share: n_owned as f64 / n_records.max(1) as f64,
        is_constant: n_constant as f64 >= CONSTANT * several().count().max(1) as f64,
    })
}

/// Pairs of numbers, sorted.
struct Sorted(Vec<(u32, u32)>);

impl Sorted {
    fn new(pairs: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut pairs: Vec<(u32, u32)> = pairs.collect();
        pairs.sort_unstable();
        Self(pairs)
    }

    /// The pairs with the same first number.
    fn groups(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        self.0.chunk_by(|one, other| one.0 == other.0)
    }
}

/// Whether the second numbers of a sorted group are the same.
fn is_one(group: &[(u32, u32)]) -> bool {
    // Sorted, so equal ends mean that all are equal.
    group.first().map(|pair| pair.1) == group.last().map(|pair| pair.1)
}
