//! Counts the holders of the values below a label, which decide whether a recipe may name it.

use hashbrown::HashSet;

use crate::hierarchy::Leaf;
use crate::problem::Attribute;
use crate::table::{Code, Table};

/// The records, or people, that have each value of a quasi-identifier.
pub(super) struct Holders {
    /// Number of holders of each leaf.
    counts: Vec<u64>,
    /// The people who have each leaf, if a column names them.
    people: Option<Vec<Vec<Code>>>,
    k: u64,
}

impl Holders {
    pub(super) fn of(attribute: &Attribute, table: &Table, k: u64) -> Self {
        let people = table.people().map(|people| {
            let mut of_leaf = vec![Vec::new(); attribute.n_leaves()];
            for (leaf, person) in attribute.leaves().iter().zip(people) {
                leaf.known().into_iter().for_each(|leaf| of_leaf[leaf.index()].push(person));
            }
            of_leaf
        });
        Self { counts: attribute.holders(table), people, k }
    }

    /// Number of holders of each leaf.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Whether fewer than `k` have a value. One without holders is rare too: if such values were
    /// named, a value that is not named would be known to have one.
    pub(super) fn is_rare(&self, leaf: Leaf) -> bool {
        self.counts[leaf.index()] < self.k
    }

    /// Whether fewer than `k` have any of these values.
    pub(super) fn are_few(&self, leaves: &[Leaf]) -> bool {
        let counts = leaves.iter().map(|leaf| self.counts[leaf.index()]);
        // A person with several of the values is counted once for each, so this is an upper bound.
        if counts.sum::<u64>() < self.k {
            return true;
        }
        let Some(people) = &self.people else { return false };
        let mut seen = HashSet::new();
        let mut holders = leaves.iter().flat_map(|leaf| &people[leaf.index()]);
        !holders.any(|person| seen.insert(person) && seen.len() as u64 >= self.k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Generalization;
    use crate::privacy::KAnonymity;
    use crate::problem::Problem;
    use crate::table::{Columns, Encoding};

    /// The holders of the ages of four records, for a `k` of 2.
    fn holders(columns: &Columns) -> Holders {
        let rows = [["20", "Ann"], ["21", "Ann"], ["30", "Bob"], ["31", "Eve"]];
        let rows = rows.map(|row| row[..columns.names().len()].to_vec());
        let table = Table::encode(columns, &rows, &Encoding::default()).unwrap();
        let free = Generalization::Interval(table.columns()[0].domain.values.clone());
        let model = KAnonymity::new(2).unwrap();
        let problem = Problem::new(&table, vec![free], vec![Box::new(model)]).unwrap();
        Holders::of(&problem.attributes()[0], &table, 2)
    }

    #[test]
    fn people_are_counted_once_whatever_they_have() {
        let [young, old] = [[0, 1], [2, 3]].map(|leaves| leaves.map(Leaf::new));
        let records = holders(&Columns::quasi(&["age"]));
        assert!(!records.are_few(&young) && !records.are_few(&old));
        assert!(records.are_few(&young[..1]) && records.is_rare(Leaf::new(0)));
        let people = holders(&Columns::quasi(&["age"]).and_person("name"));
        assert!(people.are_few(&young) && !people.are_few(&old));
    }
}
