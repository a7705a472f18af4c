//! Every method with every goal (several models, suppression and limits) on random tables, checked
//! against the counts of a reader of the release.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::cases::cases;
use crate::quick;
use hedgerow::builder;
use hedgerow::format::Format;
use hedgerow::loss::{Loss, Ntil, Partition};
use hedgerow::method::Spec;
use hedgerow::privacy::{self, ClassView, KAnonymity, Known, PrivacyModel, Secret};
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::proposal::{Class, Proposal, Take};
use hedgerow::recoding::Recoding;
use hedgerow::release::{Release, RowOrder, Style};
use hedgerow::table::{Code, Cohort, Columns, Encoding, Table};
use hedgerow::{Error, anonymize};
use proptest::prelude::*;

/// Five words in a ragged tree.
const WORD_TREE: &str = "a;A;X;*\nb;A;X;*\nc;c;X;*\nd;d;d;*\ne;e;e;*\n";
const WORDS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// Methods that can form a class of any records.
const ANY_PARTITION: [&str; 3] = ["hedge", "k-member", "mondrian"];

/// Records of a number, a word and a sensitive value, and the goal of their release.
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
    tables(1..50, 12)
}

/// Tables of `n_rows` records, with numbers below `n_numbers` and sensitive values below 5.
fn tables(n_rows: Range<usize>, n_numbers: u32) -> impl Strategy<Value = Random> {
    let row = (0..n_numbers, 0..WORDS.len(), 0..5u32)
        .prop_map(|(n, w, s)| [n.to_string(), WORDS[w].to_owned(), s.to_string()]);
    let caps = prop_oneof![
        3 => Just(vec![]),
        1 => Just(vec!["A"]),
        1 => Just(vec!["X", "d"]),
        1 => Just(vec!["level:0"])
    ];
    let rows = prop::collection::vec(row, n_rows);
    let most_suppressed = prop_oneof![0..3u64, 0..12u64];
    (rows, 1..5u64, 1..4u64, most_suppressed, caps, any::<bool>()).prop_map(
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
        let columns = Columns::quasi(&["n", "w"]).and_beside(&["s"]);
        Table::encode(&columns, &self.rows, &Encoding::default()).unwrap()
    }

    fn problem(&self, table: &Table, models: &[&str]) -> Result<Problem, Error> {
        let asked = models;
        let words = Format::named("arx")?.read(WORD_TREE, Some("w"))?;
        let number = if self.is_free { "free" } else { "iotf" };
        let number = builder::build(&Spec::named(number), &table.columns()[0], None)?;
        let secrets = [Arc::new(Secret::of(table, "s")?)];
        let known = Known { table, secrets: &secrets, has_population: false };
        let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(self.k)?)];
        for model in asked {
            models.extend(privacy::from_spec(&model.parse()?, &known)?);
        }
        let caps = self.caps.iter().map(|&cap| cap.to_owned()).collect::<Vec<_>>();
        let caps = if caps.is_empty() { None } else { Some(("w".to_owned(), caps)) };
        let limits = Limits {
            most_suppressed: self.most_suppressed,
            caps: caps.into_iter().collect(),
            ..Limits::default()
        };
        Problem::with_limits(table, vec![number, words.into()], models, limits)
    }

    /// Returns every model, with a strictness of about `l`.
    fn models(&self) -> Vec<String> {
        let (l, share) = (self.l, 1.0 / self.l as f64);
        vec![
            "k-anonymity:k=3".to_owned(),
            format!("l-diversity:l={l}"),
            format!("l-diversity:kind=entropy,l={l}.5"),
            format!("l-diversity:kind=recursive,c=2,l={l}"),
            format!("p-sensitive:p={l}"),
            format!("alpha-k:alpha={share}"),
            format!("l-plus:l={}", l + 1),
            format!("t-closeness:t={share}"),
            format!("t-closeness:t={share},distance=ordered"),
            format!("delta-disclosure:delta={l}"),
            format!("delta-disclosure:delta={l},absent=allowed"),
            format!("beta-likeness:beta={l}"),
            format!("epsilon-m:epsilon=1,m={l}"),
            format!("tau-lambda:tau={l},lambda=2"),
        ]
    }

    /// Returns the sensitive values of each class, as a reader of the release finds them.
    fn classes(&self, table: &Table, recoding: &Recoding) -> BTreeMap<Vec<String>, Vec<String>> {
        let release = Release::new(recoding, &Style::default(), &Silent).unwrap();
        let mut classes: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
        let mut assigner = release.assigner();
        for (cohort, row) in table.rows().unwrap().iter().zip(&self.rows) {
            let cohort = cohort.unwrap();
            let cells = release.cells(assigner.take_of_next(cohort).unwrap().class);
            classes.entry(cells.into_iter().cloned().collect()).or_default().push(row[2].clone());
        }
        classes
    }
}

/// Returns how often each sensitive value occurs, by its code.
fn counts(table: &Table, values: &[String]) -> Vec<(Code, u64)> {
    let domain = &table.beside()[0].domain;
    let count = |code: Code| {
        let spelling = domain.spelling(code);
        (code, values.iter().filter(|&value| *value == spelling).count() as u64)
    };
    domain.codes().map(count).filter(|&(_, count)| count > 0).collect()
}

/// Whether some subset of the records, large enough to be published, can be partitioned into
/// classes that satisfy every model. Tries all subsets and all their partitions, so the table must
/// be tiny.
fn is_feasible(table: &Table, problem: &Problem) -> bool {
    let rows: Vec<Cohort> = table.rows().unwrap().iter().copied().flatten().collect();
    let goal = problem.goal();
    let compartments = problem.compartments();
    let compartment_of =
        |cohort: Cohort| compartments.iter().position(|c| c.cohorts.contains(&cohort));
    let members = |class: usize| (0..rows.len()).filter(move |row| class >> row & 1 == 1);
    let holds = |class: usize| {
        let mut tally = goal.tally();
        members(class).for_each(|row| goal.add(&mut tally, rows[row], 1));
        let mut places = members(class).map(|row| compartment_of(rows[row]));
        let first = places.next();
        places.all(|place| Some(place) == first) && goal.holds(&tally)
    };
    let n_sets = 1usize << rows.len();
    let is_class: Vec<bool> = (0..n_sets).map(|class| class > 0 && holds(class)).collect();
    // A set can be partitioned if it is a class, or if removing a class leaves a set that can be.
    let mut can_be_divided = vec![false; n_sets];
    can_be_divided[0] = true;
    for set in 1..n_sets {
        let mut classes = (1..=set).filter(|&class| class & set == class && is_class[class]);
        can_be_divided[set] = classes.any(|class| can_be_divided[set ^ class]);
    }
    let least = rows.len() as u64 - problem.most_suppressed();
    (1..n_sets).any(|set| can_be_divided[set] && u64::from(set.count_ones()) >= least)
}

/// Whether some partition of the records, with some of them suppressed, meets a goal that is not
/// monotone. Tries all partitions, so the table must be tiny.
fn some_partition_meets(table: &Table, problem: &Problem) -> bool {
    let rows: Vec<Cohort> = table.rows().unwrap().iter().copied().flatten().collect();
    let mut open: Vec<Vec<Option<Class>>> = vec![Vec::new()];
    while let Some(classes) = open.pop() {
        let n_classes = classes.iter().flatten().max().map_or(0, |last| last.index() + 1);
        if classes.len() < rows.len() {
            let next = Class::first(n_classes + 1).map(Some).chain([None]);
            open.extend(next.map(|class| [classes.as_slice(), &[class]].concat()));
            continue;
        }
        let takes = rows.iter().zip(&classes);
        let takes = takes.map(|(&cohort, &class)| Take { cohort, class, count: 1 }).collect();
        let proposal = Proposal::new(problem, n_classes, takes).unwrap();
        if n_classes > 0 && proposal.flaw(problem, &Silent).unwrap().is_none() {
            return true;
        }
    }
    false
}

fn ntil(recoding: &Recoding) -> f64 {
    Ntil.of(&Partition::of(recoding.problem(), recoding).published()).unwrap()
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn no_goal_is_refused_that_some_release_meets(
        random in tables(1..7, 5),
        chosen in prop::collection::vec(any::<prop::sample::Index>(), 1..3),
    ) {
        let table = random.table();
        let models = random.models();
        let chosen: Vec<&str> = chosen.iter().map(|model| model.get(&models).as_str()).collect();
        let Ok(problem) = random.problem(&table, &chosen) else { return Ok(()) };
        let is_monotone = problem.goal().is_monotone();
        let is_feasible = if is_monotone {
            is_feasible(&table, &problem)
        } else {
            some_partition_meets(&table, &problem)
        };
        for method in anonymize::ALL {
            let what = format!("{} {chosen:?}", method.name);
            let anonymizer = anonymize::from_spec(&quick::spec(method.name)).unwrap();
            let recoding = match problem.solve(&*anonymizer, &Silent) {
                Ok(recoding) => recoding,
                // Methods of levels and cuts do not form every partition.
                Err(Error::Unreachable { problem: message, .. }) => {
                    let is_complete = is_monotone || ANY_PARTITION.contains(&method.name);
                    prop_assert!(!is_feasible || !is_complete, "{}: {}", what, message);
                    continue;
                }
                Err(Error::Obstacle { .. }) => continue,
                Err(Error::Method { .. } | Error::Column { .. }) if method.name == "traversal" => continue,
                Err(other) => return Err(TestCaseError::fail(format!("{what}: {other}"))),
            };
            prop_assert!(is_feasible, "{}", what);
            let strict = problem.strict();
            let strict = strict.solve(&*anonymizer, &Silent);
            if let Some(strict) = strict.ok().filter(|_| !anonymizer.defines_suppression()) {
                let (with, without) = (ntil(&recoding), ntil(&strict));
                prop_assert!(!random.caps.is_empty() || with <= without + 1e-9, "{what} {with} {without}");
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn every_method_meets_every_goal_or_says_why_not(random in random()) {
        let table = random.table();
        let models = random.models();
        for (model, method) in models.iter().flat_map(|m| anonymize::ALL.iter().map(move |a| (m, a))) {
            let what = format!("{} {model}", method.name);
            let problem = match random.problem(&table, &[model]) {
                Ok(problem) => problem,
                Err(Error::Unreachable { .. }) => continue,
                Err(other) => return Err(TestCaseError::fail(format!("{what}: {other}"))),
            };
            let anonymizer = anonymize::from_spec(&quick::spec(method.name)).unwrap();
            let recoding = match problem.solve(&*anonymizer, &Silent) {
                Ok(recoding) => recoding,
                Err(Error::Unreachable { .. }) => {
                    // Without limits and with monotone models, one class of all records would do.
                    let is_simple = random.caps.is_empty() && random.most_suppressed == 0;
                    prop_assert!(!is_simple || !problem.goal().is_monotone(), "{}", what);
                    continue;
                }
                Err(Error::Obstacle { .. }) => continue,
                Err(Error::Method { .. } | Error::Column { .. }) if method.name == "traversal" => continue,
                Err(other) => return Err(TestCaseError::fail(format!("{what}: {other}"))),
            };
            prop_assert!(recoding.n_suppressed() <= random.most_suppressed, "{}", what);
            let nothing = vec!["*".to_owned(); 2];
            for (shown, values) in random.classes(&table, &recoding) {
                if shown == nothing && recoding.n_suppressed() > 0 {
                    continue;
                }
                prop_assert!(values.len() as u64 >= random.k, "{}: {:?}", what, shown);
                let counts = counts(&table, &values);
                for model in problem.goal().models() {
                    let size = values.len() as u64;
                    let view = ClassView { size, population: size as f64, counts: &counts };
                    prop_assert!(model.holds(&view), "{}: {:?} {:?}", what, shown, values);
                }
            }
            if random.caps == ["level:0"] {
                let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
                let words = release.rows(RowOrder::Input, &Silent).unwrap().into_iter().map(|cells| cells[1]);
                prop_assert!(words.into_iter().all(|w| w == "*" || WORDS.contains(&w.as_str())));
            }
        }
    }
}

/// mu-argus suppresses the word of records in two groups that limits keep apart. A reader then sees
/// both groups as one class, which violates the model.
#[test]
fn groups_that_are_published_the_same_way_are_checked_as_one_class() {
    let rows = "0a0 0a0 0a3 2a2 0a3 0a3 0a3 0a0 0a1 0c3 0d3 1a0 0c0 4a3 0a0 1a0 0a2 5a0 11a2 1a2 11a0 \
                0a0 3a0 0b3 0a0 0a0";
    let row = |row: &str| {
        let (n, rest) = row.split_at(row.len() - 2);
        [n.to_owned(), rest[..1].to_owned(), rest[1..].to_owned()]
    };
    let random = Random {
        rows: rows.split_whitespace().map(row).collect(),
        k: 2,
        l: 1,
        most_suppressed: 2,
        caps: vec!["level:0"],
        is_free: false,
    };
    let table = random.table();
    let models = ["delta-disclosure:delta=1,absent=allowed"];
    let problem = random.problem(&table, &models).unwrap();
    let mu_argus = anonymize::from_spec(&Spec::named("mu-argus")).unwrap();
    let refused = problem.solve(&*mu_argus, &Silent).unwrap_err();
    assert!(matches!(refused, Error::Unreachable { .. }), "{refused}");
}
