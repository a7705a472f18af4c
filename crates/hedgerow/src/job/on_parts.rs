//! Divides a counted table into parts that are planned one by one, where one search would need too
//! much memory.

use std::collections::BTreeMap;

use super::on_counts::{Counts, counted_part, planned, table_of};
use super::{Job, check};
use crate::hierarchy::Generalization;
use crate::method::Spec;
use crate::progress::{Progress, Silent};
use crate::release::MappedColumn;
use crate::study::Study;
use crate::table::{Columns, Counted, Encoding, Table};
use crate::{Error, Result};

/// A cut should leave at least this share of the records on each side.
const BALANCED: f64 = 0.25;

/// A division of the distinct tuples of a table into parts, with the settings that all parts share.
#[derive(Debug)]
#[non_exhaustive]
pub struct Division {
    /// The generalization of each quasi-identifier, chosen for the whole table, and those of
    /// sensitive columns that have one, for models.
    pub generalizations: BTreeMap<String, Generalization>,
    /// The method, with its parameters.
    pub method: Spec,
    /// The published columns that replace the quasi-identifiers.
    pub columns: Vec<MappedColumn>,
    /// The place of each distinct field of a quasi-identifier in the order of the leaves of its
    /// hierarchy, in the order in which the fields were given.
    pub places: Vec<Vec<u64>>,
    /// The cuts; the first one divides the whole table. Without cuts there is one part.
    pub cuts: Vec<Cut>,
}

/// A cut of a region into two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cut {
    /// Index of the quasi-identifier.
    pub attribute: usize,
    /// Tuples whose place is below this are on the low side.
    pub below: u64,
    /// The side of low places.
    pub low: Side,
    /// The side of high places.
    pub high: Side,
}

/// One side of a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// A region that is cut again, by the cut with this index.
    Cut(usize),
    /// The part with this number.
    Part(usize),
}

/// Chooses hierarchies and method for a whole table, and cuts its tuples into at most `n_parts`
/// parts, so that [`run_on_part`](super::run_on_part) can plan each of them alone.
///
/// `sample` has distinct tuples from all over the table with all their records, and the margins of
/// the whole table. The largest part is cut first, as in relaxed Mondrian: where about half of its
/// records are on each side, in the quasi-identifier whose places are spread widest. Unlike there,
/// a cut is between two values, so that a value is on one side. A part has at least `k` records.
///
/// # Errors
///
/// Those of [`run_on_counts`](super::run_on_counts), [`Error::Misuse`] if there are not margins for
/// each column, and [`Error::Invalid`] for a job whose requirements cannot be checked part by part.
///
/// # Examples
///
/// ```
/// use hedgerow::job::{Counts, Job, Side, divide, run_on_part};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Counted;
/// let job = Job::new("".into(), "".into(), vec!["age".to_owned()], 2);
/// let ages = [("20", 3), ("21", 2), ("60", 2), ("61", 4)];
/// let counts = ages.map(|(age, count)| Counted { fields: vec![age.to_owned()], count, first_row: 0 });
/// let margins = [ages.map(|(age, count)| Counted { fields: age.to_owned(), count, first_row: 0 }).to_vec()];
/// let names = ["age".to_owned()];
/// // Positions only need to be in the order of the records.
/// let counts: Vec<_> = (0..).zip(counts).map(|(first_row, of)| Counted { first_row, ..of }).collect();
/// let whole = Counts { names: &names, counts: &counts, whole: Some(&margins) };
/// let division = divide(&job, &whole, 2, &Silent)?;
/// let cut = division.cuts[0];
/// assert_eq!((cut.low, cut.high), (Side::Part(0), Side::Part(1)));
/// // A part is planned alone, with the columns of the whole table.
/// let is_low = |(place, _): &(&u64, &Counted<_>)| **place < cut.below;
/// let low: Vec<_> = division.places[0].iter().zip(&counts).filter(is_low).map(|(_, of)| of.clone()).collect();
/// let part = Counts { counts: &low, ..whole };
/// assert!(run_on_part(&job, &part, &Silent)?.outcome.smallest_class >= 2);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn divide(
    job: &Job,
    sample: &Counts<'_>,
    n_parts: usize,
    progress: &dyn Progress,
) -> Result<Division> {
    check::can_be_divided(job)?;
    if n_parts == 0 || sample.whole.is_none() {
        return Err(Error::invalid("a table is divided into at least one part, by its margins"));
    }
    let plan = planned(job)?;
    let (job, schema) = &counted_part(job, &plan, sample.names)?;
    let table = table_of(job, &plan.columns(schema), sample, progress)?.0;
    check::hold_together(&plan.demands, &table)?;
    let encoding = job.reading(false).encoding;
    let study = Study::new(&table, plan.demands.clone(), None, progress)?;
    let chosen = table.columns().iter().zip(study.choices());
    let mut generalizations: BTreeMap<String, Generalization> = chosen
        .map(|(column, choice)| (column.name.clone(), choice.generalization.clone()))
        .collect();
    for column in table.beside() {
        if let Some(asked) = plan.demands.hierarchies.get(&column.name) {
            generalizations.insert(column.name.clone(), asked.build(column, None)?);
        }
    }
    let mut places = Vec::new();
    let mut of_cohort = Vec::new();
    for (at, column) in table.columns().iter().enumerate() {
        let of = &generalizations[&column.name];
        let of_code = leaves(&table, at, of)?;
        let codes = table.cohorts().all().map(|cohort| table.cohorts().tuple(cohort)[at]);
        of_cohort.push(codes.map(|code| of_code[code.index()]).collect::<Vec<u64>>());
        places.push(places_of(sample, &column.name, &encoding, of)?);
    }
    let cutting = Cutting { places: &of_cohort, counts: &table.cohorts().counts, k: job.k };
    let cuts = cutting.cut(n_parts);
    let method = study.method().clone();
    let columns = table.columns().iter();
    let columns = columns.flat_map(|column| MappedColumn::replacing(column, job.interval_style));
    Ok(Division { generalizations, method, columns: columns.collect(), places, cuts })
}

/// The place of each code of a quasi-identifier: its leaf, or the code itself without a hierarchy.
/// Missing values come last.
fn leaves(table: &Table, column: usize, of: &Generalization) -> Result<Vec<u64>> {
    let domain = &table.columns()[column].domain;
    let mut places: Vec<u64> = match of.ground() {
        Some(ground) => ground.bind(domain)?.into_iter().map(|leaf| leaf.index() as u64).collect(),
        None => (0..domain.len() as u64).collect(),
    };
    places.resize(domain.len() + 1, places.iter().max().map_or(0, |last| last + 1));
    Ok(places)
}

/// The place of each distinct field of a column in the whole table.
fn places_of(
    sample: &Counts<'_>,
    column: &str,
    encoding: &Encoding,
    of: &Generalization,
) -> Result<Vec<u64>> {
    let margin = sample.margin(column)?;
    // Alone, so that every field is a tuple. Kinds are inferred from the same values.
    let tuples: Vec<Counted<[&str; 1]>> = (margin.iter().enumerate())
        .map(|(place, value)| Counted {
            fields: [value.fields.as_str()],
            count: value.count,
            first_row: place as u64,
        })
        .collect();
    let alone = Table::of_counts(&Columns::quasi(&[column]), &tuples, encoding, &Silent)?;
    let of_code = leaves(&alone, 0, of)?;
    let of_cohort = |cohort| of_code[alone.cohorts().tuple(cohort)[0].index()];
    Ok(alone.raw_tuples().map(|(_, cohort)| cohort.map_or(0, of_cohort)).collect())
}

/// The tuples that are cut into parts.
struct Cutting<'a> {
    /// The place of each cohort, for every quasi-identifier.
    places: &'a [Vec<u64>],
    counts: &'a [u64],
    k: u64,
}

/// Cohorts that are in one part so far.
struct Region {
    cohorts: Vec<usize>,
    n_records: u64,
    /// The cut that made it and whether it is on its high side; `None` for the whole table.
    from: Option<(usize, bool)>,
    /// Whether it cannot be cut.
    is_final: bool,
}

/// A cut that a region could get.
#[derive(Clone, Copy)]
struct Candidate {
    attribute: usize,
    below: u64,
    is_balanced: bool,
    /// Its score among the cuts that are as balanced.
    score: f64,
}

impl Cutting<'_> {
    fn cut(&self, n_parts: usize) -> Vec<Cut> {
        let all: Vec<usize> = (0..self.counts.len()).collect();
        let mut regions = vec![self.region(all, None)];
        let mut cuts: Vec<Cut> = Vec::new();
        while regions.len() < n_parts {
            let open = regions.iter().enumerate().filter(|(_, region)| !region.is_final);
            // The largest; of equals the first.
            let Some((part, _)) = open.rev().max_by_key(|(_, region)| region.n_records) else {
                break;
            };
            let Some(Candidate { attribute, below, .. }) = self.best(&regions[part]) else {
                regions[part].is_final = true;
                continue;
            };
            let place = cuts.len();
            let places = &self.places[attribute];
            let (low, high) =
                regions[part].cohorts.iter().partition(|&&cohort| places[cohort] < below);
            if let Some((parent, is_high)) = regions[part].from {
                let side = if is_high { &mut cuts[parent].high } else { &mut cuts[parent].low };
                *side = Side::Cut(place);
            }
            let (low_side, high_side) = (Side::Part(part), Side::Part(regions.len()));
            cuts.push(Cut { attribute, below, low: low_side, high: high_side });
            regions[part] = self.region(low, Some((place, false)));
            regions.push(self.region(high, Some((place, true))));
        }
        cuts
    }

    fn region(&self, cohorts: Vec<usize>, from: Option<(usize, bool)>) -> Region {
        let n_records = cohorts.iter().map(|&cohort| self.counts[cohort]).sum();
        Region { cohorts, n_records, from, is_final: false }
    }

    /// The best cut of a region: balanced and in the widest attribute, else the most balanced one.
    fn best(&self, region: &Region) -> Option<Candidate> {
        let candidates =
            (0..self.places.len()).filter_map(|attribute| self.middle(region, attribute));
        // Of equals, the first attribute.
        candidates.reduce(|best, other| {
            let is_better = other.is_balanced.cmp(&best.is_balanced);
            let is_better = is_better.then(other.score.total_cmp(&best.score));
            if is_better.is_gt() { other } else { best }
        })
    }

    /// The cut of an attribute that comes closest to the middle; `None` if a side would have fewer
    /// than `k` records.
    fn middle(&self, region: &Region, attribute: usize) -> Option<Candidate> {
        let places = &self.places[attribute];
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        for &cohort in &region.cohorts {
            *counts.entry(places[cohort]).or_default() += self.counts[cohort];
        }
        let half = region.n_records / 2;
        let mut n_below = 0u64;
        let mut best: Option<(u64, u64)> = None;
        for (&place, &count) in &counts {
            // Between this place and the one before it.
            let is_closer = best.is_none_or(|(n, _)| n_below.abs_diff(half) < n.abs_diff(half));
            if n_below > 0 && is_closer {
                best = Some((n_below, place));
            }
            n_below += count;
        }
        let (n_low, below) = best?;
        let fewest = n_low.min(region.n_records - n_low);
        if fewest < self.k.max(1) {
            return None;
        }
        let share = fewest as f64 / region.n_records as f64;
        let width = |counts: &mut dyn Iterator<Item = u64>| {
            let (low, high) =
                counts.fold((u64::MAX, 0), |(low, high), place| (place.min(low), place.max(high)));
            high.saturating_sub(low) as f64
        };
        let all = width(&mut places.iter().copied());
        let spread = width(&mut counts.keys().copied()) / all.max(1.0);
        let is_balanced = share >= BALANCED;
        Some(Candidate {
            attribute,
            below,
            is_balanced,
            score: if is_balanced { spread } else { share },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Misuse;
    use crate::job::{run_on_counts, run_on_part};
    use crate::method::Scope;
    use crate::privacy::Secret;
    use crate::progress::Silent;
    use crate::table::{Margin, MissingPolicy};

    type Tuples = Vec<Counted<Vec<String>>>;

    fn tuples(rows: &[(u64, &str, u64)]) -> Tuples {
        let tuple = |(place, &(age, town, count)): (usize, &(u64, &str, u64))| Counted {
            fields: vec![age.to_string(), town.to_owned()],
            count,
            first_row: place as u64,
        };
        rows.iter().enumerate().map(tuple).collect()
    }

    fn margins(tuples: &[Counted<Vec<String>>]) -> Vec<Margin> {
        let margin = |at: usize| {
            let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
            for tuple in tuples {
                *counts.entry(&tuple.fields[at]).or_default() += tuple.count;
            }
            let counted = |(field, count): (&str, u64)| Counted {
                fields: field.to_owned(),
                count,
                first_row: 0,
            };
            counts.into_iter().map(counted).collect()
        };
        (0..2).map(margin).collect()
    }

    fn job() -> Job {
        let quasi = ["age", "town"].map(str::to_owned).to_vec();
        Job { method: Spec::named("mondrian"), ..Job::new("".into(), "".into(), quasi, 3) }
    }

    fn part_of(division: &Division, tuple: &Counted<Vec<String>>, whole: &[Margin]) -> usize {
        let mut side = if division.cuts.is_empty() { Side::Part(0) } else { Side::Cut(0) };
        loop {
            let cut = match side {
                Side::Part(part) => return part,
                Side::Cut(cut) => division.cuts[cut],
            };
            let field = &tuple.fields[cut.attribute];
            let at = whole[cut.attribute].iter().position(|value| value.fields == *field).unwrap();
            side = if division.places[cut.attribute][at] < cut.below { cut.low } else { cut.high };
        }
    }

    #[test]
    fn parts_are_planned_with_the_hierarchies_of_the_whole() {
        let rows: Vec<(u64, &str, u64)> = (0..120)
            .map(|n| (20 + n * 7 % 50, ["Oslo", "Moss", "Bergen"][n as usize % 3], 1 + n % 2))
            .collect();
        let mut all = tuples(&rows);
        all.sort_by(|one, other| one.fields.cmp(&other.fields));
        all.dedup_by(|one, other| one.fields == other.fields);
        let (whole, names) = (margins(&all), ["age", "town"].map(str::to_owned));
        let given = Counts { names: &names, counts: &all, whole: Some(&whole) };
        let division = divide(&job(), &given, 4, &Silent).unwrap();
        assert_eq!(division.cuts.len(), 3);
        let mut parts: BTreeMap<usize, Tuples> = BTreeMap::new();
        for tuple in &all {
            parts.entry(part_of(&division, tuple, &whole)).or_default().push(tuple.clone());
        }
        assert_eq!(parts.len(), 4);
        let total: u64 = all.iter().map(|tuple| tuple.count).sum();
        for counts in parts.values() {
            let own: u64 = counts.iter().map(|tuple| tuple.count).sum();
            assert!((total / 8..=total / 2).contains(&own), "{own} of {total}");
            let given = Counts { names: &names, counts, whole: Some(&whole) };
            let planned = run_on_part(&job(), &given, &Silent).unwrap();
            assert_eq!(planned.outcome.rows, own);
            assert!(planned.outcome.smallest_class >= 3);
            assert!(planned.groups.iter().all(Option::is_some));
            // All ages of the whole table are leaves in every part.
            let ages = planned.study.problem().table().columns()[0].domain.len();
            assert_eq!(ages, whole[0].len());
        }
    }

    #[test]
    fn what_cannot_be_checked_by_parts_is_refused() {
        let all = tuples(&[(20, "Oslo", 9), (30, "Oslo", 9)]);
        let (whole, names) = (margins(&all), ["age", "town"].map(str::to_owned));
        let given = Counts { names: &names, counts: &all, whole: Some(&whole) };
        let town = "town".to_owned();
        let requires = |model: &str| Job {
            quasi: vec!["age".to_owned()],
            sensitive: vec![town.clone()],
            privacy: vec![model.parse().unwrap()],
            ..job()
        };
        for (job, problem) in [
            (requires("delta-disclosure:delta=3,absent=allowed"), "classes of different parts"),
            (requires("tau-lambda:tau=2,lambda=1"), "classes of different parts"),
            (Job { recoding: Scope::Global, ..job() }, "recoded in its own way"),
            (Job { missing: MissingPolicy::Drop, ..job() }, "before the table is divided"),
            (Job { person: Some(town), ..job() }, "several parts"),
        ] {
            let error = divide(&job, &given, 2, &Silent).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
            assert!(run_on_part(&job, &given, &Silent).is_err());
        }
        // A part would have fewer than k records.
        let large = Job { k: 10, ..job() };
        assert_eq!(divide(&large, &given, 2, &Silent).unwrap().cuts, []);
    }

    /// Of 100 records below 40, 70 live in Oslo; of 100 others, 30.
    fn unlike() -> Tuples {
        let ages = (20..60).step_by(2);
        let rows = ages.flat_map(|age| {
            let n_oslo = if age < 40 { 7 } else { 3 };
            [(age, "Oslo", n_oslo), (age, "Moss", 10 - n_oslo)]
        });
        tuples(&rows.collect::<Vec<_>>())
    }

    #[test]
    fn classes_of_parts_are_compared_with_the_whole_table() {
        let (all, names) = (unlike(), ["age", "town"].map(str::to_owned));
        let whole = margins(&all);
        let requires = |model: &str| Job {
            quasi: vec!["age".to_owned()],
            sensitive: vec!["town".to_owned()],
            privacy: vec![model.parse().unwrap()],
            ..job()
        };
        let given = Counts { names: &names, counts: &all, whole: Some(&whole) };
        // Half of all records live in Oslo, so every class of a part is at least 0.2 from them.
        for (reached, missed) in [
            ("t-closeness:t=0.25", "t-closeness:t=0.15"),
            ("t-closeness:t=0.25,distance=hierarchical", "t-closeness:t=0.15"),
            ("beta-likeness:beta=0.45", "beta-likeness:beta=0.35"),
            ("delta-disclosure:delta=0.55", "delta-disclosure:delta=0.45"),
        ] {
            let mut job = requires(reached);
            job.hierarchy.insert("town".to_owned(), Spec::named("frequency"));
            let division = divide(&job, &given, 2, &Silent).unwrap();
            let is_low = |tuple: &&Counted<Vec<String>>| part_of(&division, tuple, &whole) == 0;
            let (low, high): (Vec<_>, Vec<_>) = all.iter().partition(is_low);
            for part in [low, high] {
                let counts: Tuples = part.into_iter().cloned().collect();
                let part = Counts { counts: &counts, ..given };
                let planned = run_on_part(&job, &part, &Silent).unwrap();
                assert!(planned.outcome.privacy.iter().all(|claim| claim.holds), "{reached}");
                let refused = run_on_part(&requires(missed), &part, &Silent).unwrap_err();
                assert!(matches!(refused, Error::Unreachable { .. }), "{missed}: {refused}");
            }
        }
    }

    #[test]
    fn pairs_of_columns_are_not_known_in_a_part() {
        let rows = [(20, "Oslo", 9), (30, "Moss", 9)];
        let (all, columns) = (tuples(&rows), Columns::default().and_beside(&["age", "town"]));
        let part =
            Table::of_part(&columns, &all[..1], &margins(&all), &Encoding::default()).unwrap();
        let secret = Secret::of(&part, "town").unwrap();
        assert_eq!(secret.counts(), [9, 9]);
        let refused = secret.joint_with(&part, "age").unwrap_err().to_string();
        assert!(refused.contains("with those of 'age' in the whole"), "{refused}");
    }

    #[test]
    fn counts_that_lack_columns_are_errors() {
        let all = tuples(&[(20, "Oslo", 9), (30, "Oslo", 9)]);
        let (whole, names) = (margins(&all), ["age", "town"].map(str::to_owned));
        let short = Counts { names: &names, counts: &all, whole: Some(&whole[..1]) };
        let lacks = |error: Error| {
            let wanted = Misuse::Margins { given: 1, columns: 2 };
            assert!(matches!(error, Error::Misuse { misuse, .. } if misuse == wanted));
        };
        lacks(divide(&job(), &short, 2, &Silent).unwrap_err());
        lacks(run_on_part(&job(), &short, &Silent).unwrap_err());
        let narrow = [Counted { fields: vec!["20".to_owned()], count: 9, first_row: 0 }];
        let town = Job { quasi: vec!["town".to_owned()], ..job() };
        let error = run_on_counts(&town, &names, &narrow, &Silent).unwrap_err();
        assert!(matches!(error, Error::Ragged { row: 1, found: 1, wanted: 2, .. }), "{error}");
    }

    #[test]
    fn counts_are_not_planned_while_columns_are_undecided() {
        let all = tuples(&[(20, "Oslo", 9), (30, "Oslo", 9)]);
        let (whole, names) = (margins(&all), ["age", "town"].map(str::to_owned));
        let job = Job { undecided: vec!["note".to_owned()], ..job() };
        let given = Counts { names: &names, counts: &all, whole: Some(&whole) };
        for error in [
            run_on_counts(&job, &names, &all, &Silent).unwrap_err(),
            run_on_part(&job, &given, &Silent).unwrap_err(),
            divide(&job, &given, 2, &Silent).unwrap_err(),
        ] {
            assert!(error.to_string().contains("undecided: 'note'"), "{error}");
        }
    }
}
