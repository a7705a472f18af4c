//! Properties over the registries, on random tables. A method is tested here as soon as its line
//! stands in its `mod.rs`.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod naive;

use hedgerow::anonymize::{self, Anonymizer};
use hedgerow::hierarchy::format::Format;
use hedgerow::hierarchy::numeric::{Line, NumericBuilder};
use hedgerow::hierarchy::{self, Generalization, Hierarchy, Iotf, Otf};
use hedgerow::loss::{self, Partition};
use hedgerow::method::Spec;
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::Problem;
use hedgerow::progress::Silent;
use hedgerow::release::{Release, Style};
use hedgerow::table::{Encoding, MissingPolicy, Table};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Five words in a ragged tree.
const WORDS: [&str; 5] = ["a", "b", "c", "d", "e"];
const WORD_TREE: &str = "a;A;X;*\nb;A;X;*\nc;c;X;*\nd;d;d;*\ne;e;e;*\n";

/// A table of two numbers, two words and, now and then, nothing.
#[derive(Debug, Clone)]
struct Random {
    rows: Vec<[String; 4]>,
    k: u64,
    missing: MissingPolicy,
}

fn random_table(most_rows: usize) -> impl Strategy<Value = Random> {
    let number = prop_oneof![
        8 => (0..40i32).prop_map(|x| x.to_string()),
        1 => (0..400i32).prop_map(|x| format!("{}.{}", x / 10, x % 10)),
        // Beside such a value the others cost nearly nothing, and nearly the same.
        1 => Just("1000000000000000".to_owned()),
    ];
    let word = (0..WORDS.len()).prop_map(|word| WORDS[word].to_owned());
    let sometimes =
        |value: BoxedStrategy<String>| prop_oneof![12 => value, 1 => Just(String::new())];
    let row = [
        sometimes(number.clone().boxed()).boxed(),
        number.boxed(),
        sometimes(word.clone().boxed()).boxed(),
        word.boxed(),
    ];
    let rows = prop::collection::vec(row, 1..most_rows);
    let missing = prop_oneof![
        Just(MissingPolicy::Own),
        Just(MissingPolicy::Wildcard),
        Just(MissingPolicy::Drop)
    ];
    (rows, 1..8u64, missing).prop_map(|(rows, k, missing)| Random { rows, k, missing })
}

impl Random {
    fn table(&self) -> Table {
        let encoding = Encoding { missing: self.missing, ..Encoding::default() };
        naive::table(&["n0", "n1", "w0", "w1"], &self.rows, &encoding)
    }

    /// One number through each method, the other free; one word through a file, the other free.
    fn problem<'a>(&self, table: &'a Table, method: &str) -> Option<Problem<'a>> {
        let columns = table.columns();
        let words = Format::named("arx").unwrap().read(WORD_TREE, Some("w0")).unwrap();
        let free = Spec::named("free");
        let built = vec![
            hierarchy::build(Some(&Spec::named(method)), &columns[0], None).ok()?,
            hierarchy::build(Some(&free), &columns[1], None).ok()?,
            words.into(),
            hierarchy::build(Some(&free), &columns[3], None).ok()?,
        ];
        let model = KAnonymity::new(self.k).unwrap();
        Problem::new(table, built, vec![Box::new(model)]).ok()
    }
}

/// The methods that build a hierarchy of numbers from data alone.
fn numeric_methods() -> impl Iterator<Item = &'static str> {
    hierarchy::all().map(|method| method.name).filter(|&name| name != "file")
}

fn anonymizers() -> impl Iterator<Item = (&'static str, Box<dyn Anonymizer>)> {
    let make = |name| anonymize::from_spec(&Spec::named(name)).unwrap();
    anonymize::ALL.iter().map(move |method| (method.name, make(method.name)))
}

/// The same cases in every run; `PROPTEST_CASES=2000` asks for as many others.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 64;
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_anonymizer_with_every_hierarchy_keeps_its_promises(random in random_table(60)) {
        let table = random.table();
        for method in numeric_methods() {
            let Some(problem) = random.problem(&table, method) else { continue };
            for (name, anonymizer) in anonymizers() {
                let recoding = anonymizer.anonymize(&problem, &Silent).unwrap();
                prop_assert!(recoding.check(&problem).is_ok(), "{name} {method}");
                prop_assert_eq!(&recoding, &anonymizer.anonymize(&problem, &Silent).unwrap());
                let partition = Partition::of(&problem, &recoding);
                for share in [&loss::Ntil as &dyn loss::Loss, &loss::Nil1, &loss::NilInf] {
                    prop_assert!((0.0..=1.0).contains(&share.of(&partition)), "{}", share.name());
                }
                let release = Release::new(&problem, &recoding, &Style::default());
                let merged = release.merge(&partition);
                prop_assert_eq!(merged.n_records(), problem.cohorts().n_records());
                prop_assert!(merged.sizes.iter().all(|&size| size >= random.k));
                let ntil = |p: &Partition| loss::Loss::of(&loss::Ntil, p);
                prop_assert!((ntil(&merged) - ntil(&partition)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn k_member_on_cohorts_is_k_member_on_rows(random in random_table(300)) {
        let table = random.table();
        for method in ["iotf", "chu", "free"] {
            let Some(problem) = random.problem(&table, method) else { continue };
            for last_added in [false, true] {
                let spec = if last_added { "k-member:furthest-from=last-added" } else { "k-member" };
                let spec: Spec = spec.parse().unwrap();
                let anonymizer = anonymize::from_spec(&spec).unwrap();
                let recoding = anonymizer.anonymize(&problem, &Silent).unwrap();
                let release = Release::new(&problem, &recoding, &Style::default());
                let mut assigner = release.assigner();
                let rows = table.rows().unwrap().iter().filter(|&&c| c != hedgerow::table::NO_COHORT);
                let found: Vec<u32> = rows.map(|&cohort| assigner.class_of_next(cohort).unwrap()).collect();
                prop_assert_eq!(found, naive::k_member(&problem, last_added), "{} {}", method, spec);
            }
        }
    }

    #[test]
    fn iotf_and_otf_are_what_the_papers_text_says(
        gaps in prop::collection::vec((1..6u32, 1..5u64), 1..60),
    ) {
        let mut at = 0.0;
        let positions: Vec<f64> = gaps.iter().map(|(gap, _)| { at += f64::from(*gap); at }).collect();
        let counts: Vec<u64> = gaps.iter().map(|(_, count)| *count).collect();
        let line = Line { positions, counts };
        prop_assert_eq!(Iotf.ranges(&line).unwrap(), naive::merged(&line, naive::width));
        prop_assert_eq!(Otf::default().ranges(&line).unwrap(), naive::merged(&line, naive::distance));
    }

    #[test]
    fn every_tree_survives_every_format(random in random_table(60)) {
        let table = random.table();
        for method in numeric_methods() {
            let built = hierarchy::build(Some(&Spec::named(method)), &table.columns()[0], None);
            let Ok(Generalization::Tree(tree)) = built else { continue };
            for format in hierarchy::format::ALL {
                let mut bytes = Vec::new();
                (format.write)(&tree, &mut bytes).unwrap();
                let text = String::from_utf8(bytes).unwrap();
                let read = format.read(&text, Some("n0")).unwrap();
                prop_assert_eq!(shape(&read), shape(&tree), "{}\n{}", format.name, text);
            }
        }
    }

    #[test]
    fn readers_refuse_nonsense_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        for format in hierarchy::format::ALL {
            let _ = format.read(&text, None);
        }
        let _ = hierarchy::Notation::read(&text);
        let _ = text.parse::<Spec>();
    }
}

/// The nested values of a tree, whatever its labels.
fn shape(tree: &Hierarchy) -> Vec<Vec<String>> {
    let spelt = |node| tree.leaves_of(node).map(|leaf| tree.spelling(leaf).into_owned()).collect();
    (0..tree.len() as u32).map(spelt).collect()
}
