//! A search never counts more records of a population than a reader of the release does.

use std::collections::BTreeMap;

use crate::cases::cases;
use hedgerow::anonymize::KMember;
use hedgerow::builder;
use hedgerow::format::Format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::measure::Recount;
use hedgerow::method::Spec;
use hedgerow::population::Population;
use hedgerow::privacy::{KAnonymity, KMap, PrivacyModel};
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::release::{IntervalStyle, Release, RowOrder, Style};
use hedgerow::table::{Columns, Encoding, MissingPolicy, Part, Table};
use proptest::prelude::*;

const WORD_TREE: &str = "a;A;X;*\nb;A;X;*\nc;c;X;*\nd;d;d;*\ne;e;e;*\n";

fn assemble<R: AsRef<[String]>>(rows: &[R], encoding: &Encoding) -> Table {
    let mut part = Part::default();
    for row in rows {
        part.push(row.as_ref().iter().map(String::as_bytes), true).unwrap();
    }
    Table::assemble(&Columns::quasi(&["number", "word"]), vec![part], encoding).unwrap()
}

fn rows(most: usize) -> impl Strategy<Value = Vec<[String; 2]>> {
    let number =
        prop_oneof![9 => (-5..25i32).prop_map(|x| x.to_string()), 1 => Just(String::new())];
    let word = prop_oneof![9 => "[a-e]", 1 => Just(String::new())];
    prop::collection::vec([number.boxed(), word.boxed()], 3..most)
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn a_search_never_counts_more_people_than_a_reader(
        sample in rows(30),
        others in rows(60),
        n_lacking in 0..4usize,
        policy in prop::sample::select(vec![
            MissingPolicy::Own, MissingPolicy::Wildcard, MissingPolicy::Drop
        ]),
        method in prop::sample::select(vec!["iotf", "free", "cgh", "dbgh", "han"]),
        intervals in prop::sample::select(vec![IntervalStyle::Brackets, IntervalStyle::Dash]),
    ) {
        let encoding = Encoding { missing: policy, ..Encoding::default() };
        let table = assemble(&sample, &encoding);
        let people: Vec<_> = sample[n_lacking.min(2)..].iter().chain(&others).cloned().collect();
        let population = Population::new(assemble(&people, &encoding));
        let weights = population.weights(&table, &Silent).unwrap();
        let words = Format::named("arx").unwrap().read(WORD_TREE, Some("word")).unwrap();
        let numbers = builder::build(&Spec::named(method), &table.columns()[0], None);
        let Ok(numbers) = numbers else { return Ok(()) };
        let models: Vec<Box<dyn PrivacyModel>> =
            vec![Box::new(KAnonymity::new(2).unwrap()), Box::new(KMap::new(2).unwrap())];
        let limits = Limits { weights: weights.of_cohort, ..Limits::default() };
        let built = vec![numbers, words.into()];
        let Ok(problem) = Problem::with_limits(&table, built, models, limits) else { return Ok(()) };

        let recoding = problem.solve(&KMember::default(), &Silent).unwrap();
        let release = Release::new(&recoding, &Style { intervals }, &Silent).unwrap();
        let as_shown = Encoding { is_release: true, ..Encoding::default() };
        let rows = release.rows(RowOrder::Input, &Silent).unwrap().into_iter();
        let rows: Vec<Vec<String>> = rows.map(|row| row.into_iter().cloned().collect()).collect();
        let shown = assemble(&rows, &as_shown);
        let trees: BTreeMap<String, &Hierarchy> = problem
            .attributes()
            .iter()
            .filter_map(|a| Some((a.name().to_owned(), a.generalization().hierarchy()?)))
            .collect();
        let covered = population.covered(&shown, &trees).unwrap();
        let recount = Recount::among(&shown, &[&KMap::new(2).unwrap()], &covered).unwrap();

        // A reader sees classes with equal cells as one class, and does not count records with only
        // `*` as a class if there are other classes.
        let mut classes: BTreeMap<Vec<String>, _> = BTreeMap::new();
        for take in recoding.takes() {
            let class = classes.entry(release.cells(take.class).into_iter().cloned().collect());
            let tally = class.or_insert_with(|| problem.goal().tally());
            problem.goal().add(tally, take.cohort, take.count);
        }
        if classes.len() > 1 {
            classes.retain(|cells, _| cells.iter().any(|cell| cell != "*"));
        }
        prop_assert_eq!(recount.cohorts.len(), classes.len());
        for &cohort in &recount.cohorts {
            let codes = shown.cohorts().tuple(cohort).iter().zip(shown.columns());
            let cells = codes.map(|(&code, c)| c.domain.spelling(code).into_owned());
            let tally = &classes[&cells.collect::<Vec<_>>()];
            let searched = problem.goal().attained(tally).nth(1).unwrap();
            let read = covered[cohort.index()].max(tally.size()) as f64;
            prop_assert!(searched <= read + 1e-9, "{:?}: {} > {}", tally, searched, read);
            prop_assert!(covered[cohort.index()] <= people.len() as u64);
        }
    }
}
