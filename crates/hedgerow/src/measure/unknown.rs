//! Classes whose known sensitive values are all the same.

use super::Blank;
use super::classes;
use crate::table::Table;

/// Classes in which a missing value hides that all known values of a sensitive column are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Alike {
    /// Number of such classes.
    pub(crate) classes: u64,
    /// Number of their records with a known value.
    pub(crate) records: u64,
}

impl Alike {
    /// Counts the classes of a release in which records lack a value of the column `name`, and all
    /// others have the same one. Suppressed records are in no class.
    pub(crate) fn of(release: &Table, name: &str) -> Self {
        let mut alike = Self::default();
        let place = release.beside().iter().position(|column| column.name == name);
        let missing = place.and_then(|place| release.beside()[place].domain.missing_code());
        let Some((place, missing)) = place.zip(missing) else { return alike };
        let (cohorts, blank) = (release.cohorts(), Blank::of(release));
        let place = release.columns().len() + place;
        for class in classes(release).iter().filter(|class| !blank.has(class[0])) {
            let codes = class.iter().map(|&cohort| (cohorts.tuple(cohort)[place], cohort));
            let known: Vec<_> = codes.filter(|(code, _)| *code != missing).collect();
            let is_single = known.windows(2).all(|pair| pair[0].0 == pair[1].0);
            if is_single && !known.is_empty() && known.len() < class.len() {
                alike.classes += 1;
                alike.records +=
                    known.iter().map(|&(_, cohort)| cohorts.counts[cohort.index()]).sum::<u64>();
            }
        }
        alike
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Columns, Encoding};

    #[test]
    fn classes_with_one_known_value_are_counted() {
        let of = |rows: &[[&str; 2]]| {
            let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
            let table = Table::encode(&columns, rows, &Encoding::default()).unwrap();
            let Alike { classes, records } = Alike::of(&table, "ill");
            (classes, records)
        };
        let alike = [["20", "flu"], ["20", "flu"], ["20", ""], ["30", "flu"], ["30", "gout"]];
        assert_eq!(of(&alike), (1, 2));
        assert_eq!(of(&[["20", "flu"], ["20", ""], ["20", "gout"]]), (0, 0));
        assert_eq!(of(&[["*", "flu"], ["*", ""], ["20", ""], ["20", ""]]), (0, 0));
        assert_eq!(of(&[["20", "flu"], ["20", "flu"]]), (0, 0));
    }
}
