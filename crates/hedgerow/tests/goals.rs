//! Every method with every goal: several models, suppression and limits, on random tables, checked
//! against what a reader of the release counts.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod naive;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hedgerow::hierarchy::format::Format;
use hedgerow::method::Spec;
use hedgerow::privacy::{self, KAnonymity, PrivacyModel, Secret};
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::recoding::Recoding;
use hedgerow::release::{Release, Style};
use hedgerow::table::{Encoding, Table};
use hedgerow::{Error, anonymize, hierarchy};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Five words in a ragged tree.
const WORD_TREE: &str = "a;A;X;*\nb;A;X;*\nc;c;X;*\nd;d;d;*\ne;e;e;*\n";
const WORDS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// Records of a number, a word and a sensitive value, and what is asked of their release.
#[derive(Debug, Clone)]
struct Random {
    rows: Vec<[String; 3]>,
    k: u64,
    l: u64,
    most_suppressed: u64,
    caps: Vec<&'static str>,
    is_free: bool,
}

fn random() -> impl Strategy<Value = Random> {
    let row = (0..12u32, 0..WORDS.len(), 0..5u32)
        .prop_map(|(n, w, s)| [n.to_string(), WORDS[w].to_owned(), format!("s{s}")]);
    let caps = prop_oneof![
        3 => Just(vec![]),
        1 => Just(vec!["A"]),
        1 => Just(vec!["X", "d"]),
        1 => Just(vec!["level:0"])
    ];
    let rows = prop::collection::vec(row, 1..50);
    (rows, 1..5u64, 1..4u64, 0..12u64, caps, any::<bool>()).prop_map(
        |(rows, k, l, most_suppressed, caps, is_free)| Random {
            rows,
            k,
            l,
            most_suppressed,
            caps,
            is_free,
        },
    )
}

impl Random {
    fn table(&self) -> Table {
        let encoding = Encoding { n_beside: 1, ..Encoding::default() };
        naive::table(&["n", "w", "s"], &self.rows, &encoding)
    }

    fn problem<'a>(&self, table: &'a Table, model: &str) -> Result<Problem<'a>, Error> {
        let words = Format::named("arx")?.read(WORD_TREE, Some("w"))?;
        let number = if self.is_free { "free" } else { "iotf" };
        let number = hierarchy::build(&Spec::named(number), &table.columns()[0], None)?;
        let secret = Arc::new(Secret::of(table, "s")?);
        let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(self.k)?)];
        models.extend(privacy::from_spec(&model.parse()?, &[secret])?);
        let caps = self.caps.iter().map(|&cap| cap.to_owned()).collect::<Vec<_>>();
        let caps = if caps.is_empty() { None } else { Some(("w".to_owned(), caps)) };
        let limits = Limits {
            most_suppressed: self.most_suppressed,
            caps: caps.into_iter().collect(),
            ..Limits::default()
        };
        Problem::with_limits(table, vec![number, words.into()], models, limits)
    }

    /// The sensitive values of each class, as a reader of the release finds them.
    fn classes(
        &self,
        table: &Table,
        problem: &Problem<'_>,
        recoding: &Recoding,
    ) -> BTreeMap<Vec<String>, Vec<String>> {
        let release = Release::new(problem, recoding, &Style::default());
        let mut classes: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
        for (cells, row) in release.rows(table).into_iter().zip(&self.rows) {
            classes.entry(cells.to_vec()).or_default().push(row[2].clone());
        }
        classes
    }
}

fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 48;
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_method_meets_every_goal_or_says_why_not(random in random()) {
        let table = random.table();
        let models = [
            format!("l-diversity:l={}", random.l),
            format!("l-diversity:kind=entropy,l={}.5", random.l),
            format!("l-diversity:kind=recursive,c=2,l={}", random.l),
        ];
        for (model, method) in models.iter().flat_map(|m| anonymize::ALL.iter().map(move |a| (m, a))) {
            let what = format!("{} {model}", method.name);
            let problem = match random.problem(&table, model) {
                Ok(problem) => problem,
                Err(Error::Unreachable(_)) => continue,
                Err(other) => return Err(TestCaseError::fail(format!("{what}: {other}"))),
            };
            let recoding = match anonymize::solve(&naive::quick(method.name), &problem, &Silent) {
                Ok(recoding) => recoding,
                Err(Error::Unreachable(_)) => {
                    // Without limits one class of all records would do.
                    prop_assert!(!random.caps.is_empty() || random.most_suppressed > 0, "{}", what);
                    continue;
                }
                Err(Error::Invalid(message)) if message.contains("cannot do this") => continue,
                Err(Error::Invalid(_)) if method.name == "traversal" => continue,
                Err(other) => return Err(TestCaseError::fail(format!("{what}: {other}"))),
            };
            prop_assert!(recoding.n_suppressed() <= random.most_suppressed, "{}", what);
            let nothing = vec!["*".to_owned(); 2];
            for (shown, values) in random.classes(&table, &problem, &recoding) {
                if shown == nothing && recoding.n_suppressed() > 0 {
                    continue;
                }
                let n_different = values.iter().collect::<BTreeSet<_>>().len() as u64;
                prop_assert!(values.len() as u64 >= random.k, "{}: {:?}", what, shown);
                prop_assert!(n_different >= random.l, "{}: {:?}", what, shown);
            }
            if random.caps == ["level:0"] {
                let release = Release::new(&problem, &recoding, &Style::default());
                let words = release.rows(&table).into_iter().map(|cells| cells[1].clone());
                prop_assert!(words.into_iter().all(|w| w == "*" || WORDS.contains(&w.as_str())));
            }
        }
    }
}
