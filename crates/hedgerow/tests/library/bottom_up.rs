//! Bottom-up and top-down on random tables of words and numbers, with a class and a sensitive
//! column.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cases::cases;
use hedgerow::Error;
use hedgerow::anonymize;
use hedgerow::builder;
use hedgerow::format::Format;
use hedgerow::hierarchy::{Generalization, Leaf, Node};
use hedgerow::loss::{Loss, Ntil, Partition};
use hedgerow::privacy::{self, KAnonymity, Known, PrivacyModel, Secret};
use hedgerow::problem::{Limits, Problem, Region};
use hedgerow::progress::Silent;
use hedgerow::proposal::{Class, Proposal};
use hedgerow::table::{Columns, Encoding, Part, Table};
use proptest::prelude::*;

/// A ragged tree, with an only child (`B` of `c`) and a value that does not occur (`x`).
const WORDS: &str =
    "a;A;A;X;*\nb;A;A;X;*\nc;B;C;X;*\nd;d;C;X;*\ne;e;e;e;*\nx;e2;e2;e2;*\nf;e2;e2;e2;*\n";

#[derive(Debug, Clone)]
struct Random {
    /// Two words, a number, a class and a sensitive value.
    rows: Vec<[String; 5]>,
    k: u64,
    most_suppressed: u64,
    has_class: bool,
    /// Minimum number of distinct sensitive values in a class.
    l: Option<u64>,
}

fn random() -> impl Strategy<Value = Random> {
    let one_of =
        |words: &'static [&'static str]| prop::sample::select(words).prop_map(String::from);
    let word = one_of(&["a", "b", "c", "d", "e", "f"]).boxed();
    let number = (0..12u32).prop_map(|number| number.to_string()).boxed();
    let class = one_of(&["yes", "no"]).boxed();
    let secret = one_of(&["s", "t", "u"]).boxed();
    let rows = prop::collection::vec([word.clone(), word, number, class, secret], 8..60);
    let limits = (1..7u64, prop_oneof![3 => Just(0), 1 => 1..8u64]);
    (rows, limits, any::<bool>(), prop::option::weighted(0.3, 2..3u64)).prop_map(
        |(rows, (k, most_suppressed), has_class, l)| Random {
            rows,
            k,
            most_suppressed,
            has_class,
            l,
        },
    )
}

impl Random {
    fn table(&self) -> Table {
        let mut part = Part::default();
        for fields in &self.rows {
            part.push(fields.iter().map(String::as_bytes), true).unwrap();
        }
        let columns = Columns::quasi(&["w0", "w1", "n"]).and_beside(&["class", "secret"]);
        Table::assemble(&columns, vec![part], &Encoding::default()).unwrap()
    }

    /// Returns the problem, or `None` if not even one class of all records solves it.
    fn problem(&self, table: &Table, numbers: &str) -> Option<Problem> {
        let words =
            || Generalization::from(Format::named("arx").unwrap().read(WORDS, None).unwrap());
        let built = builder::build(&numbers.parse().unwrap(), &table.columns()[2], None).unwrap();
        let class = self.has_class.then(|| Arc::new(Secret::of(table, "class").unwrap()));
        let most_suppressed = self.most_suppressed;
        let limits = Limits { most_suppressed, class, seed: 1, ..Limits::default() };
        let mut models: Vec<Box<dyn PrivacyModel>> =
            vec![Box::new(KAnonymity::new(self.k).unwrap())];
        if let Some(l) = self.l {
            let secrets = [Arc::new(Secret::of(table, "secret").unwrap())];
            let known = Known { table, secrets: &secrets, has_population: false };
            let spec = format!("l-diversity:l={l}").parse().unwrap();
            models.extend(privacy::from_spec(&spec, &known).unwrap());
        }
        Problem::with_limits(table, vec![words(), words(), built], models, limits).ok()
    }
}

fn run(spec: &str, problem: &Problem) -> Result<Proposal, Error> {
    let anonymizer = anonymize::from_spec(&spec.parse().unwrap()).unwrap();
    let proposal = anonymizer.propose(problem, &Silent)?;
    assert_eq!(proposal.flaw(problem, &Silent).unwrap(), None);
    assert_eq!(proposal, anonymizer.propose(problem, &Silent).unwrap());
    Ok(proposal)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn naive_index_and_pruning_take_the_same_steps(random in random(), lm: bool, partial: bool) {
        let table = random.table();
        let Some(problem) = random.problem(&table, "iotf") else { return Ok(()) };
        let metric = if lm { "lm" } else { "ip" };
        let with = |search| run(
            &format!("bottom-up:search={search},metric={metric},partial={partial}"), &problem);
        let found = ["naive", "index", "pruning"].map(with);
        match &found {
            [Ok(naive), Ok(index), Ok(pruning)] => {
                prop_assert_eq!(&naive.trace, &index.trace);
                prop_assert_eq!(&naive.trace, &pruning.trace);
                prop_assert!(naive == index && naive == pruning);
            }
            _ => {
                let is_refused = |one: &hedgerow::Result<_>| matches!(one, Err(Error::Unreachable { .. }));
                prop_assert!(found.iter().all(is_refused));
            }
        }
    }

    #[test]
    fn every_point_of_a_trace_is_a_release_or_says_where_the_first_is(random in random()) {
        let table = random.table();
        let Some(problem) = random.problem(&table, "iotf") else { return Ok(()) };
        let Ok(met) = run("bottom-up", &problem) else { return Ok(()) };
        let n_steps = met.trace.as_ref().unwrap().lines().count() - 2;
        for until in 0..=n_steps + 1 {
            match run(&format!("bottom-up:until={until}"), &problem) {
                Ok(recoding) => prop_assert!(until >= n_steps || recoding == met),
                Err(error @ Error::Unreachable { .. }) if until < n_steps =>
                    prop_assert!(error.to_string().contains(&format!("until={n_steps},")), "{error}"),
                Err(Error::Unreachable { problem: message, .. }) => prop_assert!(message.contains("never reached")),
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            }
        }
    }

    #[test]
    fn annealing_never_loses_more(random in random()) {
        let mut random = random;
        random.has_class = false;
        let table = random.table();
        let Some(problem) = random.problem(&table, "iotf") else { return Ok(()) };
        let Ok(before) = run("bottom-up", &problem) else { return Ok(()) };
        let after = run("bottom-up:anneal=50", &problem).unwrap();
        if random.most_suppressed == 0 {
            let loss = |recoding| Ntil.of(&Partition::of(&problem, recoding)).unwrap();
            prop_assert!(loss(&after) <= loss(&before) + 1e-9);
        }
    }

    #[test]
    fn top_down_leaves_nothing_that_could_be_specialized(random in random(), icde: bool) {
        let table = random.table();
        let spec = if icde { "top-down:score=icde" } else { "top-down" };
        for numbers in ["iotf", "free"] {
            let Some(problem) = random.problem(&table, numbers) else { continue };
            let Ok(recoding) = run(spec, &problem) else { continue };
            if random.has_class || random.l.is_some() || random.most_suppressed > 0 {
                continue;
            }
            for (place, attribute) in problem.attributes().iter().enumerate() {
                let Some(tree) = attribute.generalization().hierarchy() else { continue };
                let child_of = |node: Node, leaf: Leaf| {
                    let mut child = tree.leaf_node(leaf);
                    while tree.parent(child) != Some(node) {
                        child = tree.parent(child)?;
                    }
                    Some(child)
                };
                for node in tree.nodes().filter(|&node| tree.as_leaf(node).is_none()) {
                    let mut sizes: BTreeMap<(Class, Node), u64> = BTreeMap::new();
                    for take in recoding.takes() {
                        let class = take.class.unwrap();
                        let shown = recoding.region(recoding.shape(class), place);
                        if *shown == Region::Node(node) {
                            let leaf = attribute.leaves()[take.cohort.index()].known().unwrap();
                            let key = (class, child_of(node, leaf).unwrap());
                            *sizes.entry(key).or_default() += take.count;
                        }
                    }
                    let is_shown = !sizes.is_empty();
                    prop_assert!(!is_shown || sizes.into_values().any(|size| size < random.k));
                }
            }
        }
    }
}
