//! Full-domain methods compared with an exhaustive search over all nodes, on random small tables.

use std::sync::Arc;

use crate::cases::cases;
use hedgerow::anonymize;
use hedgerow::builder;
use hedgerow::error::{Advice, Portion};
use hedgerow::format::Format;
use hedgerow::hierarchy::{Entry, Generalization};
use hedgerow::lattice::Lattice;
use hedgerow::loss::{self, Loss, Partition};
use hedgerow::method::Spec;
use hedgerow::privacy::{self, ClassView, KAnonymity, Known, PrivacyModel, Secret};
use hedgerow::problem::{Attribute, Limits, Problem, Region};
use hedgerow::progress::Silent;
use hedgerow::proposal::Proposal;
use hedgerow::table::{Columns, Encoding, Table};
use hedgerow::{Error, Result};
use proptest::prelude::*;

/// Every model of the registry, in several strengths, and one that is artificial. Sensitive values
/// are below 4.
const MODELS: &[&str] = &[
    "k-anonymity:k=3",
    "k-map:k=3",
    "l-diversity:l=2",
    "l-diversity:kind=entropy,l=1.5",
    "l-diversity:kind=recursive,c=2,l=2",
    "p-sensitive:p=2",
    "alpha-k:alpha=0.6",
    "l-plus:l=1.7",
    "t-closeness:t=0.2",
    "t-closeness:t=0.1,distance=ordered",
    "t-closeness:t=0.3,distance=hierarchical",
    "delta-disclosure:delta=1",
    "delta-disclosure:delta=1.5,absent=allowed",
    "beta-likeness:beta=1",
    "epsilon-m:epsilon=1,m=2",
    "personalized:p=0.7,guard=guard",
    "tau-lambda:tau=2,lambda=4",
    "in fours",
];

/// The hierarchy of the sensitive values.
const SECRETS: &str = "0;low;*\n1;low;*\n2;high;*\n3;high;*\n";

/// A table of two numbers, a word, a sensitive number and the node that a record guards, with its
/// goal.
#[derive(Debug, Clone)]
struct Random {
    rows: Vec<[String; 5]>,
    k: u64,
    most_suppressed: u64,
    models: Vec<&'static str>,
    hierarchies: [&'static str; 3],
    /// Whether the sensitive numbers are the column to predict.
    has_class: bool,
}

fn random() -> impl Strategy<Value = Random> {
    // Sensitive values are skewed, so that a class may fail although subsets of it hold.
    let secret = prop_oneof![5 => Just(0), 2 => Just(1), 1 => 2..4u32];
    let guard = prop_oneof![4 => Just(""), 1 => Just("high"), 1 => Just("low")];
    let row = (0..9u32, 0..6u32, 0..5u32, secret, guard).prop_map(|(a, b, c, d, guard)| {
        let [a, b, c, d] = [a, b, c, d].map(|x| x.to_string());
        [a, b, c, d, guard.to_owned()]
    });
    let rows = prop::collection::vec(row, 4..40);
    let models = prop::collection::vec(prop::sample::select(MODELS), 0..3);
    let numeric =
        || prop_oneof![4 => Just("iotf"), 1 => Just("equal-width"), 1 => Just("dbgh:min-width=1")];
    let hierarchies = (numeric(), numeric()).prop_map(|(a, b)| [a, b, "frequency"]);
    (rows, 1..5u64, 0..12u64, models, hierarchies, any::<bool>()).prop_map(
        |(rows, k, most_suppressed, models, hierarchies, has_class)| Random {
            rows,
            k,
            most_suppressed,
            models,
            hierarchies,
            has_class,
        },
    )
}

#[test]
fn every_model_is_searched_with() {
    for model in privacy::ALL {
        let is_tried = MODELS.iter().any(|tried| tried.split(':').next() == Some(model.name));
        assert!(is_tried, "{} is not in the list of models to try", model.name);
    }
}

/// An artificial model that is not monotone: a class that holds may fail when it grows.
#[derive(Debug)]
struct NotMonotone(Arc<Secret>);

impl PrivacyModel for NotMonotone {
    fn name(&self) -> &'static str {
        "in fours"
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.0)
    }

    fn asked(&self) -> f64 {
        3.0
    }

    fn is_monotone(&self) -> bool {
        false
    }

    /// Distance of the class size from a multiple of four.
    fn attained(&self, class: &ClassView<'_>) -> f64 {
        let most = class.counts.iter().map(|(_, count)| count).max().copied().unwrap_or(0);
        4.0 - (class.size + most) as f64 % 4.0
    }
}

impl Random {
    fn table(&self) -> Table {
        let guards = self.models.iter().any(|model| model.starts_with("personalized"));
        let beside: &[&str] = if guards { &["secret", "guard"] } else { &["secret"] };
        let rows: Vec<&[String]> = self.rows.iter().map(|row| &row[..3 + beside.len()]).collect();
        let columns = Columns::quasi(&["a", "b", "c"]).and_beside(beside);
        Table::encode(&columns, &rows, &Encoding::default()).unwrap()
    }

    fn problem(&self, table: &Table) -> Result<Problem> {
        let columns = table.columns().iter().zip(self.hierarchies);
        let built = columns.map(|(column, spec)| builder::build(&spec.parse()?, column, None));
        let tree = Format::named("arx")?.read(SECRETS, Some("secret"))?;
        let secret = Secret::of(table, "secret")?.with_hierarchy(Arc::new(tree))?;
        let secrets = [Arc::new(secret)];
        // Records represent one to three people of the population.
        let weights = (0..table.cohorts().len()).map(|cohort| (1 + cohort % 3) as f64).collect();
        let has_population = self.models.iter().any(|model| model.starts_with("k-map"));
        let known = Known { table, secrets: &secrets, has_population };
        let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(self.k)?)];
        for &model in &self.models {
            match model {
                "in fours" => models.push(Box::new(NotMonotone(Arc::clone(&secrets[0])))),
                other => models.extend(privacy::from_spec(&other.parse()?, &known)?),
            }
        }
        let limits = Limits {
            most_suppressed: self.most_suppressed,
            weights: if has_population { weights } else { Vec::new() },
            class: self.has_class.then(|| Arc::clone(&secrets[0])),
            ..Limits::default()
        };
        Problem::with_limits(table, built.collect::<Result<_>>()?, models, limits)
    }
}

/// What each leaf shows.
fn regions(attribute: &Attribute, entries: &[Entry]) -> Vec<Region> {
    let generalization = attribute.generalization();
    entries.iter().map(|&entry| Region::of_entry(generalization, entry)).collect()
}

/// Returns the levels, the recoding and the classes of every node that suppresses at most the
/// allowed number of records, and not all.
fn feasible(problem: &Problem) -> Vec<(Vec<u32>, Proposal, Partition)> {
    let functions: Vec<_> =
        problem.attributes().iter().map(|a| a.generalization().levels().unwrap()).collect();
    let mut nodes: Vec<Vec<u32>> = vec![Vec::new()];
    for function in &functions {
        let levels = 0..function.nodes.len() as u32;
        let longer = |node: &Vec<u32>| {
            levels.clone().map(|level| [&node[..], &[level]].concat()).collect::<Vec<_>>()
        };
        nodes = nodes.iter().flat_map(longer).collect();
    }
    let all = nodes.into_iter().map(|levels| {
        let published: Vec<Vec<Region>> = (problem.attributes().iter().zip(&functions))
            .zip(&levels)
            .map(|((a, f), &level)| regions(a, &f.nodes[level as usize]))
            .collect();
        let recoding = Proposal::global(problem, &published).unwrap();
        let partition = Partition::of(problem, &recoding);
        (levels, recoding, partition)
    });
    let most = problem.most_suppressed();
    all.filter(|(_, r, _)| r.n_suppressed() <= most && r.n_classes() > 0).collect()
}

/// Returns what the method alone finds, without the library's search for records to suppress.
fn solved(method: &str, problem: &Problem) -> Result<Proposal> {
    let anonymizer = anonymize::from_spec(&method.parse()?)?;
    if let Some(obstacle) = anonymizer.obstacle(problem) {
        return Err(obstacle);
    }
    let proposal = anonymizer.propose(problem, &Silent)?;
    assert_eq!(proposal.flaw(problem, &Silent).unwrap(), None);
    Ok(proposal)
}

fn is_unreachable<T>(found: &Result<T>) -> bool {
    matches!(found, Err(Error::Unreachable { .. }))
}

fn is_refused<T>(found: &Result<T>) -> bool {
    matches!(found, Err(Error::Invalid { .. } | Error::Column { .. }))
}

fn ntil(problem: &Problem, recoding: &Proposal) -> f64 {
    loss::Ntil.of(&Partition::of(problem, recoding)).unwrap()
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn no_node_loses_less_than_optimal(random in random()) {
        let table = random.table();
        let Ok(problem) = random.problem(&table) else { return Ok(()) };
        let feasible = feasible(&problem);
        for loss in loss::ALL {
            let found = solved(&format!("optimal:loss={}", loss.name), &problem);
            if loss.name == "cm" && !random.has_class {
                let is_refused = matches!(found, Err(Error::Method { what: "loss", .. }));
                prop_assert!(is_refused, "there is no class");
                continue;
            }
            let penalty = |partition: &Partition| loss.item.penalty(partition).unwrap();
            let losses = feasible.iter().map(|(_, _, partition)| penalty(partition));
            let Some(least) = losses.reduce(f64::min) else {
                prop_assert!(is_unreachable(&found));
                continue;
            };
            let found = penalty(&Partition::of(&problem, &found.unwrap()));
            prop_assert!((found - least).abs() <= 1e-9 * least.abs().max(1.0), "{} {found} {least}", loss.name);
        }
    }

    #[test]
    fn a_budget_gives_a_release_and_a_true_bound(random in random(), budget in 1..30u64) {
        let table = random.table();
        let Ok(problem) = random.problem(&table) else { return Ok(()) };
        let Ok(best) = solved("optimal", &problem) else { return Ok(()) };
        let best = ntil(&problem, &best);
        let Ok(found) = solved(&format!("optimal:budget={budget}"), &problem) else { return Ok(()) };
        let note = found.notes.last().unwrap().clone();
        let loss = ntil(&problem, &found);
        prop_assert!(loss >= best - 1e-9);
        if let Some((_, rest)) = note.split_once("none is below ") {
            let bound: f64 = rest.split_once(',').unwrap().0.parse().unwrap();
            prop_assert!(bound <= best + 1e-6, "{note} {best}");
        } else {
            prop_assert!((loss - best).abs() < 1e-9, "{note} {loss} {best}");
        }
    }

    #[test]
    fn incognito_finds_the_minimal_nodes_and_samarati_the_lowest(random in random()) {
        let table = random.table();
        let Ok(problem) = random.problem(&table) else { return Ok(()) };
        let (incognito, samarati) = (solved("incognito", &problem), solved("samarati", &problem));
        let is_nested = |a: &hedgerow::problem::Attribute| matches!(a.generalization(), Generalization::Tree(_));
        if !problem.goal().is_monotone() || !problem.attributes().iter().all(is_nested) {
            prop_assert!(is_refused(&incognito));
            prop_assert!(is_refused(&samarati));
            return Ok(());
        }
        if !problem.goal().prunes(problem.most_suppressed()) {
            prop_assert!(is_refused(&incognito));
            prop_assert!(is_refused(&samarati));
            return Ok(());
        }
        let feasible = feasible(&problem);
        if feasible.is_empty() {
            prop_assert!(is_unreachable(&incognito));
            prop_assert!(is_unreachable(&samarati));
            return Ok(());
        }
        let is_below = |a: &[u32], b: &[u32]| a != b && a.iter().zip(b).all(|(a, b)| a <= b);
        let minimal: Vec<_> = feasible
            .iter()
            .filter(|(levels, ..)| !feasible.iter().any(|(other, ..)| is_below(other, levels)))
            .collect();
        let incognito = incognito.unwrap();
        let said = incognito.notes[0].strip_prefix("minimal nodes: ").unwrap();
        prop_assert_eq!(said.split(',').next().unwrap(), minimal.len().to_string());
        let ntil = |partition: &Partition| loss::Ntil.of(partition).unwrap();
        let least = minimal.iter().map(|(_, _, p)| ntil(p)).fold(f64::INFINITY, f64::min);
        prop_assert!((ntil(&Partition::of(&problem, &incognito)) - least).abs() < 1e-9);
        if problem.goal().looks_only_at_sizes() && problem.most_suppressed() == 0 {
            let lattice = Lattice::evaluate(&problem, &Silent).unwrap();
            prop_assert_eq!(lattice.minimal(problem.least_size()).len(), minimal.len());
        }

        let height = |levels: &[u32]| levels.iter().sum::<u32>();
        let lowest = feasible.iter().map(|(levels, ..)| height(levels)).min().unwrap();
        let of_height = feasible.iter().filter(|(levels, ..)| height(levels) == lowest);
        let dm = |partition: &Partition| loss::Dm.of(partition).unwrap();
        let least = of_height.map(|(_, _, p)| dm(p)).fold(f64::INFINITY, f64::min);
        let samarati = samarati.unwrap();
        let said = format!("height {lowest}, the least");
        prop_assert!(samarati.notes[0].ends_with(&said));
        prop_assert!((dm(&Partition::of(&problem, &samarati)) - least).abs() < 1e-9);
    }

    #[test]
    fn datafly_is_what_its_text_says(random in random()) {
        let table = random.table();
        let Ok(problem) = random.problem(&table) else { return Ok(()) };
        let n_records = problem.cohorts().n_records();
        let threshold = problem.least_size().min(problem.most_suppressed()).min(n_records - 1);
        let functions: Vec<_> =
            problem.attributes().iter().map(|a| a.generalization().levels().unwrap()).collect();
        let mut levels = [0; 3];
        let wanted = loop {
            let at = functions.iter().zip(levels).map(|(f, level)| &f.nodes[level]);
            let at: Vec<_> = at.collect();
            let published: Vec<Vec<Region>> =
                problem.attributes().iter().zip(&at).map(|(a, nodes)| regions(a, nodes)).collect();
            let recoding = Proposal::global(&problem, &published).unwrap();
            if recoding.n_suppressed() <= threshold {
                break Some(recoding);
            }
            let n_values = |place: usize| {
                let leaves = problem.attributes()[place].leaves().iter();
                leaves.map(|leaf| at[place][leaf.known().unwrap().index()]).collect::<std::collections::BTreeSet<_>>().len()
            };
            let can_rise = |&place: &usize| levels[place] + 1 < functions[place].nodes.len();
            let most = (0..3).filter(can_rise).map(n_values).max();
            let Some(most) = most else { break None };
            let chosen = (0..3).filter(can_rise).find(|&place| n_values(place) == most).unwrap();
            levels[chosen] += 1;
        };
        match (wanted, solved("datafly", &problem)) {
            (None, Err(Error::Unreachable { .. })) => {}
            (Some(wanted), Ok(found)) => prop_assert_eq!(wanted.takes(), found.takes()),
            (wanted, found) => prop_assert!(false, "{wanted:?} {found:?}"),
        }
    }

    #[test]
    fn local_loses_no_more_than_optimal(random in random()) {
        let table = random.table();
        let Ok(problem) = random.problem(&table) else { return Ok(()) };
        let Ok(local) = solved("local", &problem) else {
            let optimal = solved("optimal", &problem);
            let is_refused = !problem.goal().prunes(problem.most_suppressed()) || random.hierarchies.iter().any(|h| h.starts_with("dbgh"));
            prop_assert!(is_refused || optimal.is_err());
            return Ok(());
        };
        let optimal = solved("optimal", &problem).unwrap();
        let [local, optimal] = [local, optimal].map(|r| ntil(&problem, &r));
        prop_assert!(local <= optimal + 1e-9, "{local} {optimal}");
    }
}

/// The table of METHODS 6.1, with two sexes and three codes.
fn codes(most_suppressed: u64) -> (Table, Limits) {
    let rows = [["M", "101"], ["M", "102"], ["F", "101"], ["F", "102"], ["M", "111"], ["F", "111"]];
    let table = Table::from_rows(&["sex", "zip"], &rows).unwrap();
    (table, Limits { most_suppressed, ..Limits::default() })
}

fn on_codes(method: &str, most_suppressed: u64) -> Result<Proposal> {
    let (table, limits) = codes(most_suppressed);
    let spec = |name: &str| Spec::named(name);
    let built = vec![
        builder::build(&spec("frequency"), &table.columns()[0], None)?,
        builder::build(&spec("prefix"), &table.columns()[1], None)?,
    ];
    let model = KAnonymity::new(2)?;
    let problem = Problem::with_limits(&table, built, vec![Box::new(model)], limits)?;
    solved(method, &problem)
}

#[test]
fn bad_parameters_are_refused_with_a_reason() {
    let message = |method: &str| on_codes(method, 0).unwrap_err().to_string();
    assert!(message("optimal:budget=0").starts_with("optimal: budget is '0'; it must be"));
    assert!(message("optimal:loss=dmm").contains("did you mean"));
    assert!(message("local:loss=nil1").contains("the method optimal"));
    assert!(message("datafly:threshold=3").contains("only 0 records may be suppressed"));
}

#[test]
fn the_threshold_of_datafly_limits_the_suppressed_records() {
    assert_eq!(on_codes("datafly", 2).unwrap().n_suppressed(), 2);
    assert_eq!(on_codes("datafly:threshold=0", 2).unwrap().n_suppressed(), 0);
}

/// One class of all records fails, but a class below it holds: `a` has two illnesses, `b` only one.
#[test]
fn datafly_names_the_threshold_that_would_succeed() {
    let ills =
        [("a", "flu"), ("a", "cold"), ("b", "flu"), ("b", "flu"), ("b", "flu"), ("b", "flu")];
    let columns = Columns::quasi(&["zip"]).and_beside(&["ill"]);
    let rows = ills.map(|(zip, ill)| [zip, ill]);
    let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
    let secrets = [Arc::new(Secret::of(&table, "ill").unwrap())];
    let solved = |method: &str, most_suppressed: u64| {
        let known = Known { table: &table, secrets: &secrets, has_population: false };
        let models = privacy::from_spec(&"alpha-k:alpha=0.5".parse()?, &known)?;
        let tree = builder::build(&Spec::named("frequency"), &table.columns()[0], None)?;
        let limits = Limits { most_suppressed, ..Limits::default() };
        solved(method, &Problem::with_limits(&table, vec![tree], models, limits)?)
    };
    let said = |method: &str, most: u64| solved(method, most).unwrap_err().to_string();
    let message = said("datafly", 5);
    assert!(
        message.contains("at least 4 of 6 records were always in classes that fail alpha-k"),
        "{message}"
    );
    let threshold = || Advice::ChooseMethod { method: "datafly:threshold=4".to_owned() };
    assert_eq!(solved("datafly", 5).unwrap_err().advice(), [threshold()]);
    assert_eq!(solved("datafly:threshold=4", 5).unwrap().n_suppressed(), 4);
    let allow = Advice::AllowSuppression { least: Some(Portion { records: 4, of: 6 }) };
    let both = Advice::Together(vec![allow, threshold()]);
    assert_eq!(solved("datafly", 3).unwrap_err().advice(), [both]);
    assert!(said("datafly:threshold=1", 3).contains("its threshold is 1 (as given)"));
}

/// Twenty-four columns of two values each: more nodes than can be listed.
fn many_columns() -> Problem {
    let names: Vec<String> = (0..24).map(|place| format!("c{place}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // Columns repeat with different periods, so classes are small only if many of them are shown.
    let cell = |row: usize, place: usize| (row / (place % 5 + 1) % (place % 3 + 2)).min(1);
    let row = |row| (0..24).map(|place| cell(row, place).to_string()).collect();
    let rows: Vec<Vec<String>> = (0..200).map(row).collect();
    let table = Table::from_rows(&names, &rows).unwrap();
    let build = |column| builder::build(&Spec::named("frequency"), column, None).unwrap();
    let built = table.columns().iter().map(build).collect();
    Problem::new(&table, built, vec![Box::new(KAnonymity::new(5).unwrap())]).unwrap()
}

#[test]
fn a_lattice_that_is_too_large_to_list_needs_a_limit() {
    let problem = many_columns();
    let optimal = |spec: &str| anonymize::from_spec(&spec.parse().unwrap()).unwrap();
    let refused = optimal("optimal").obstacle(&problem).unwrap();
    let advice = refused.advice();
    assert!(advice.contains(&Advice::AllowTime { seconds: 60 }), "{advice:?}");
    let limited = Advice::ChooseMethod { method: "optimal:budget=10000".to_owned() };
    assert!(advice.contains(&limited), "{advice:?}");
    assert!(optimal("optimal").obstacle_in_time(&problem).is_none());
    assert!(problem.solve(&*optimal("optimal"), &Silent).is_err());
}

#[test]
fn a_larger_budget_never_loses_more_and_the_gap_is_stated() {
    let problem = many_columns();
    let found = |budget: u64| solved(&format!("optimal:budget={budget}"), &problem).unwrap();
    let losses: Vec<f64> = [1, 50, 300].map(|budget| ntil(&problem, &found(budget))).to_vec();
    assert!(losses.is_sorted_by(|more, less| more >= less), "{losses:?}");
    let datafly = ntil(&problem, &solved("datafly", &problem).unwrap());
    assert!(losses[2] <= datafly, "{} {datafly}", losses[2]);
    let early = found(300).early.unwrap();
    let gap = early.gap.unwrap();
    assert!((0.0..losses[2]).contains(&gap), "{gap} of {}", losses[2]);
    assert_eq!(found(300), found(300));
}
