//! A part of a counted table, with the columns of the whole.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Cohort, Cohorts, Columns, Counted, Encoding, Table};
use crate::progress::Silent;
use crate::{Error, Result};

/// Maximum number of records in counts from the caller. Products of counts and numbers of cohorts
/// must stay below 2^64.
const MOST_COUNTED: u64 = 1 << 40;

/// The distinct fields of a column in the whole table, with their numbers of records.
pub type Margin = Vec<Counted<String>>;

impl Table {
    /// Builds a table from some of the distinct tuples of a larger one.
    ///
    /// The cohorts are those of `counts`. The columns are those of the larger table: their kinds,
    /// values and counts come from `whole`, which has the distinct fields of each column there, in
    /// the order of `columns`. So hierarchies, costs, the rarity of values and the distributions of
    /// sensitive values are those of the larger table.
    ///
    /// # Errors
    ///
    /// Those of [`Table::of_counts`], and [`Error::Column`] if the counts do not agree with
    /// `whole`.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::table::{Columns, Counted, Encoding, Table};
    /// let age = |age: &str, count| Counted { fields: age.to_owned(), count, first_row: 0 };
    /// let whole = [vec![age("20", 3), age("21", 1), age("60", 2)]];
    /// let part = [Counted { fields: ["60"], count: 2, first_row: 0 }];
    /// let table = Table::of_part(&Columns::quasi(&["age"]), &part, &whole, &Encoding::default())?;
    /// assert_eq!(table.cohorts().counts, [2]);
    /// assert_eq!(table.columns()[0].domain.counts, [3, 1, 2]);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn of_part<R: AsRef<[S]>, S: AsRef<str>>(
        columns: &Columns,
        counts: &[Counted<R>],
        whole: &[Margin],
        encoding: &Encoding,
    ) -> Result<Self> {
        let fields = |tuple: &'_ Counted<R>| -> Vec<String> {
            tuple.fields.as_ref().iter().map(|field| field.as_ref().to_owned()).collect()
        };
        let mut all: Vec<Counted<Vec<String>>> = (counts.iter())
            .map(|tuple| Counted {
                fields: fields(tuple),
                count: tuple.count,
                first_row: tuple.first_row,
            })
            .collect();
        let n_own = total(counts)?;
        let rest = rest(&columns.names(), &all, whole)?;
        let known: HashMap<Vec<String>, usize> =
            all.iter().enumerate().map(|(place, tuple)| (tuple.fields.clone(), place)).collect();
        for (fields, count) in stand_ins(rest) {
            match known.get(&fields) {
                Some(&place) => all[place].count += count,
                // After the records of the part, each at a position of its own.
                None => {
                    let first_row = n_own + (all.len() - counts.len()) as u64;
                    all.push(Counted { fields, count, first_row });
                }
            }
        }
        let own: Vec<u64> = counts.iter().map(|tuple| tuple.count).collect();
        // A part is small enough for one executor, so it is not worth stopping.
        Ok(Self::of_counts(columns, &all, encoding, &Silent)?.restricted(&own))
    }

    /// Whether the records are a part of a larger table, whose counts the columns have.
    pub(crate) fn is_part(&self) -> bool {
        self.is_part
    }

    /// The same columns with only these numbers of records of the first raw tuples.
    fn restricted(&self, own: &[u64]) -> Self {
        let mut counts = vec![0; self.cohorts.len()];
        for (cohort, count) in self.cohort_of_raw.iter().zip(own) {
            cohort.iter().for_each(|cohort| counts[cohort.index()] += count);
        }
        let mut cohorts = Cohorts { width: self.cohorts.width, ..Cohorts::default() };
        let kept: Vec<Option<Cohort>> = (self.cohorts.all().zip(&counts))
            .map(|(cohort, &count)| {
                let first_row = self.cohorts.first_rows[cohort.index()];
                (count > 0).then(|| cohorts.push(self.cohorts.tuple(cohort), count, first_row))
            })
            .collect();
        let of_own = |(tuple, cohort): (usize, &Option<Cohort>)| {
            cohort.filter(|_| tuple < own.len()).and_then(|cohort| kept[cohort.index()])
        };
        let cohort_of_raw = self.cohort_of_raw.iter().enumerate().map(of_own).collect();
        Self {
            cohorts: Arc::new(cohorts),
            cohort_of_raw: Arc::new(cohort_of_raw),
            n_rows: own.iter().sum(),
            is_part: true,
            ..self.clone()
        }
    }
}

/// The number of records in counts from the caller.
pub(super) fn total<T>(counts: &[Counted<T>]) -> Result<u64> {
    let sum = counts.iter().try_fold(0u64, |sum, tuple| sum.checked_add(tuple.count));
    sum.filter(|&sum| sum <= MOST_COUNTED).ok_or_else(|| {
        Error::invalid(format!("the counts add up to more than {MOST_COUNTED} records"))
    })
}

/// The fields of a column that records outside the part have, with the number of these records.
type Rest<'a> = Vec<(&'a str, u64)>;

/// Subtracts the part from the whole, column by column.
fn rest<'a>(
    names: &[String],
    counts: &[Counted<Vec<String>>],
    whole: &'a [Margin],
) -> Result<Vec<Rest<'a>>> {
    let mut rests = Vec::with_capacity(whole.len());
    for (place, (name, margin)) in names.iter().zip(whole).enumerate() {
        let mut own: HashMap<&str, u64> = HashMap::new();
        for tuple in counts {
            let field = tuple.fields.get(place).map_or("", String::as_str);
            // At most the sum of all counts, which the caller has checked.
            *own.entry(field).or_default() += tuple.count;
        }
        total(margin)?;
        let mut rest = Vec::new();
        for Counted { fields, count, .. } in margin {
            let n_own = own.remove(fields.as_str()).unwrap_or(0);
            let n_rest = count.checked_sub(n_own).ok_or_else(|| disagreement(name, fields))?;
            rest.extend((n_rest > 0).then_some((fields.as_str(), n_rest)));
        }
        // The least one, because a map has no order.
        if let Some(field) = own.into_keys().min() {
            return Err(disagreement(name, field));
        }
        rests.push(rest);
    }
    let n_records = |rest: &Rest<'_>| rest.iter().map(|(_, count)| count).sum::<u64>();
    if names.len() != whole.len()
        || rests.windows(2).any(|pair| n_records(&pair[0]) != n_records(&pair[1]))
    {
        return Err(Error::invalid("the counts of the columns of the whole table do not agree"));
    }
    Ok(rests)
}

fn disagreement(column: &str, value: &str) -> Error {
    let problem =
        format!("the part has more records with the value '{value}' than the whole table");
    Error::column(column, problem)
}

/// Makes tuples with exactly these counts in every column: the north-west corner rule of
/// transportation problems. Every tuple uses up a field of a column, so there are at most as many
/// tuples as fields.
fn stand_ins(mut rests: Vec<Rest<'_>>) -> Vec<(Vec<String>, u64)> {
    // The last fields are used first, because removing them is cheap.
    let mut made = Vec::new();
    while let Some(count) =
        rests.iter().map(|rest| rest.last().map_or(0, |(_, count)| *count)).min().filter(|&n| n > 0)
    {
        let mut fields = Vec::with_capacity(rests.len());
        for rest in &mut rests {
            if let Some((field, left)) = rest.last_mut() {
                fields.push((*field).to_owned());
                *left -= count;
                if *left == 0 {
                    rest.pop();
                }
            }
        }
        made.push((fields, count));
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Code;

    fn margin(values: &[(&str, u64)]) -> Margin {
        let counted = |&(value, count): &(&str, u64)| Counted {
            fields: value.to_owned(),
            count,
            first_row: 0,
        };
        values.iter().map(counted).collect()
    }

    fn part(counts: &[([&str; 2], u64)], whole: &[Margin]) -> Result<Table> {
        let counts: Vec<_> = (counts.iter().enumerate())
            .map(|(place, &(fields, count))| Counted { fields, count, first_row: place as u64 })
            .collect();
        Table::of_part(&Columns::quasi(&["x", "y"]), &counts, whole, &Encoding::default())
    }

    #[test]
    fn a_part_has_its_own_cohorts_and_the_columns_of_the_whole() {
        let whole = [margin(&[("1", 5), ("2.0", 2), ("2", 3)]), margin(&[("a", 9), ("", 1)])];
        let table = part(&[(["2", "a"], 2), (["2.0", "a"], 1), (["1", "a"], 3)], &whole).unwrap();
        // `2` and `2.0` are one value.
        assert_eq!(table.cohorts().counts, [3, 3]);
        assert_eq!(table.cohorts().codes, [1, 0, 0, 0].map(Code::new));
        assert_eq!(table.columns()[0].domain.counts, [5, 5]);
        assert_eq!(table.columns()[1].domain.missing.as_ref().map(|m| m.count), Some(1));
        assert_eq!(
            (table.n_rows(), table.raw_tuples().filter(|(_, c)| c.is_some()).count()),
            (6, 3)
        );
    }

    #[test]
    fn all_tuples_are_the_table_itself() {
        let whole = [margin(&[("1", 1), ("2", 2)]), margin(&[("a", 2), ("b", 1)])];
        let counts = [(["2", "a"], 2), (["1", "b"], 1)];
        let counted = |(place, &(fields, count)): (usize, &([&'static str; 2], u64))| Counted {
            fields,
            count,
            first_row: place as u64,
        };
        let counts_of: Vec<_> = counts.iter().enumerate().map(counted).collect();
        let columns = Columns::quasi(&["x", "y"]);
        let direct = Table::of_counts(&columns, &counts_of, &Encoding::default(), &Silent).unwrap();
        let table = part(&counts, &whole).unwrap();
        assert_eq!(table.cohorts(), direct.cohorts());
        assert_eq!(table.columns(), direct.columns());
    }

    #[test]
    fn counts_that_do_not_agree_are_named() {
        let whole = [margin(&[("1", 5)]), margin(&[("a", 5)])];
        let problem = |counts: &[([&str; 2], u64)]| part(counts, &whole).unwrap_err().to_string();
        assert!(problem(&[(["1", "b"], 1)]).contains("column 'y': the part has more records"));
        assert!(problem(&[(["1", "a"], 6)]).contains("column 'x': the part has more records"));
        // Sums that do not fit into 64 bits are refused in the part and in the whole.
        assert!(problem(&[(["1", "a"], u64::MAX), (["2", "a"], 1)]).contains("add up to more"));
        let uneven = [margin(&[("1", 5)]), margin(&[("a", 4)])];
        assert!(part(&[(["1", "a"], 1)], &uneven).is_err());
        let large = [margin(&[("1", u64::MAX), ("2", 1)]), margin(&[("a", u64::MAX), ("b", 1)])];
        let error = part(&[(["1", "a"], 1)], &large).unwrap_err().to_string();
        assert!(error.contains("add up to more"), "{error}");
    }
}
