//! Tables given as counts and releases given as mappings: the same results as with the records.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::cases::cases;
use crate::quick;
use hedgerow::Error;
use hedgerow::anonymize;
use hedgerow::builder;
use hedgerow::loss::Partition;
use hedgerow::method::{Need, Spec};
use hedgerow::privacy::{self, KAnonymity, Known, PrivacyModel, Secret};
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::release::{IntervalStyle, Release, RowOrder, Run, Style};
use hedgerow::table::{Columns, Counted, Encoding, MissingPolicy, Table};
use proptest::prelude::*;

fn columns() -> Columns {
    Columns::quasi(&["age", "job"]).and_beside(&["ill"])
}

/// A table of ages (some with two spellings, some missing), jobs and illnesses.
#[derive(Debug, Clone)]
struct Random {
    rows: Vec<[String; 3]>,
    k: u64,
    missing: MissingPolicy,
    most_suppressed: u64,
}

fn random() -> impl Strategy<Value = Random> {
    let age = prop_oneof![
        (20..30u32).prop_map(|age| age.to_string()),
        (20..30u32).prop_map(|age| format!("{age}.0")),
        Just(String::new()),
    ];
    let row = (age, "[a-e]", "[u-x]").prop_map(|(age, job, ill)| [age, job, ill]);
    let missing = [MissingPolicy::Own, MissingPolicy::Wildcard, MissingPolicy::Drop];
    let rows = prop::collection::vec(row, 4..50);
    (rows, 1..5u64, prop::sample::select(missing.to_vec()), 0..6u64).prop_map(
        |(rows, k, missing, most_suppressed)| Random { rows, k, missing, most_suppressed },
    )
}

impl Random {
    fn encoding(&self) -> Encoding {
        Encoding { missing: self.missing, ..Encoding::default() }
    }

    fn problem(&self, table: &Table) -> Option<Problem> {
        let build = |place: usize, method: &str| {
            builder::build(&Spec::named(method), &table.columns()[place], Some(self.k)).ok()
        };
        let secrets = [Arc::new(Secret::of(table, "ill").unwrap())];
        let known = Known { table, secrets: &secrets, has_population: false };
        let mut models: Vec<Box<dyn PrivacyModel>> =
            vec![Box::new(KAnonymity::new(self.k).unwrap())];
        models.extend(privacy::from_spec(&"l-diversity:l=2".parse().unwrap(), &known).unwrap());
        let limits = Limits { most_suppressed: self.most_suppressed, ..Limits::default() };
        let built = vec![build(0, "iotf")?, build(1, "frequency")?];
        Problem::with_limits(table, built, models, limits).ok()
    }
}

/// The distinct rows with their counts, in an arbitrary order.
fn counts<F: Clone + Ord>(rows: &[F]) -> Vec<Counted<F>> {
    let mut counts: BTreeMap<&F, Counted<F>> = BTreeMap::new();
    for (row, fields) in rows.iter().enumerate() {
        let new = Counted { fields: fields.clone(), count: 0, first_row: row as u64 };
        counts.entry(fields).or_insert(new).count += 1;
    }
    counts.into_values().collect()
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn counts_give_the_same_classes_and_losses_as_the_rows_they_were_counted_from(random in random()) {
        let rows = Table::encode(&columns(), &random.rows, &random.encoding()).unwrap();
        let counts = Table::of_counts(&columns(), &counts(&random.rows), &random.encoding(), &Silent).unwrap();
        prop_assert_eq!(rows.cohorts(), counts.cohorts());
        prop_assert_eq!(rows.columns(), counts.columns());
        let problems = (random.problem(&rows), random.problem(&counts));
        let (Some(of_rows), Some(of_counts)) = problems else { return Ok(()) };
        for method in anonymize::ALL {
            let method = anonymize::from_spec(&quick::spec(method.name)).unwrap();
            let (found, wanted) =
                (of_counts.solve(&*method, &Silent), of_rows.solve(&*method, &Silent));
            if method.needs(Need::Rows) {
                let refused = matches!(&found, Err(Error::Obstacle { cause, .. }) if matches!(**cause, Error::NoRows { .. }));
                prop_assert!(refused, "{}: {:?}", method.name(), found.err());
                continue;
            }
            prop_assert_eq!(found.is_ok(), wanted.is_ok(), "{}", method.name());
            let (Ok(found), Ok(wanted)) = (found, wanted) else { continue };
            prop_assert_eq!(&*found, &*wanted, "{}", method.name());
            let losses = [(&of_counts, &found), (&of_rows, &wanted)];
            let [found, wanted] = losses.map(|(p, recoding)| Partition::of(p, recoding).losses());
            prop_assert_eq!(found, wanted);
        }
    }

    /// `traversal` generalizes one quasi-identifier, so the other property finds it refused.
    #[test]
    fn counts_of_one_column_give_the_same_walk(random in random()) {
        let (columns, encoding) = (Columns::quasi(&["job"]), random.encoding());
        let rows: Vec<[&str; 1]> = random.rows.iter().map(|[_, job, _]| [job.as_str()]).collect();
        let tables = [
            Table::encode(&columns, &rows, &encoding).unwrap(),
            Table::of_counts(&columns, &counts(&rows), &encoding, &Silent).unwrap(),
        ];
        let [wanted, found] = tables.map(|table| {
            let tree = builder::build(&Spec::named("frequency"), &table.columns()[0], None).unwrap();
            let models: Vec<Box<dyn PrivacyModel>> =
                vec![Box::new(KAnonymity::new(random.k).unwrap())];
            let problem = Problem::new(&table, vec![tree], models).unwrap();
            let walked = problem.solve(&anonymize::Traversal::default(), &Silent);
            walked.map(|recoding| (*recoding).clone()).map_err(|error| error.to_string())
        });
        prop_assert_eq!(found, wanted);
    }

    #[test]
    fn a_mapping_applied_to_the_rows_gives_the_release(
        random in random(),
        bounds in any::<bool>(),
    ) {
        let table = Table::encode(&columns(), &random.rows, &random.encoding()).unwrap();
        let Some(problem) = random.problem(&table) else { return Ok(()) };
        let intervals = if bounds { IntervalStyle::Bounds } else { IntervalStyle::Brackets };
        for method in anonymize::ALL {
            let method = anonymize::from_spec(&quick::spec(method.name)).unwrap();
            let Ok(recoding) = problem.solve(&*method, &Silent) else { continue };
            let release = Release::new(&recoding, &Style { intervals }, &Silent).unwrap();
            let mapping = release.mapping(&Silent).unwrap();
            let groups: BTreeMap<_, _> = mapping.tuples.iter().cloned().collect();
            let mut runs: Vec<VecDeque<Run>> =
                mapping.groups.iter().map(|runs| runs.iter().cloned().collect()).collect();
            let mut published = Vec::new();
            for row in &random.rows {
                let Some(group) = groups[&row.to_vec()] else { continue };
                let run = runs[group].front_mut().unwrap();
                published.extend(run.cells.clone());
                run.count -= 1;
                if run.count == 0 {
                    runs[group].pop_front();
                }
            }
            let wanted = release.rows(RowOrder::Input, &Silent).unwrap().into_iter();
            let wanted = wanted.map(|cells| cells.into_iter().cloned().collect::<Vec<String>>());
            prop_assert_eq!(published, wanted.collect::<Vec<_>>(), "{}", method.name());
            prop_assert!(runs.iter().all(VecDeque::is_empty));
        }
    }
}

#[test]
fn counts_that_contradict_themselves_are_refused() {
    let counted = |age, count, first_row| Counted { fields: [age], count, first_row };
    let refused = |counts: &[Counted<[&str; 1]>]| {
        let table =
            Table::of_counts(&Columns::quasi(&["age"]), counts, &Encoding::default(), &Silent);
        table.unwrap_err().to_string()
    };
    assert!(refused(&[counted("20", 2, 0), counted("20", 1, 1)]).contains("occurred before"));
    assert!(refused(&[counted("20", 0, 0)]).contains("a count of 0"));
    assert!(refused(&[counted("20", 2, 2)]).contains("first row 2 of 2"));
    assert!(refused(&[counted("20", u64::MAX, 0), counted("21", 1, 1)]).contains("add up to more"));
}
