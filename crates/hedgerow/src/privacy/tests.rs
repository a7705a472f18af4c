//! Properties of every registered model, and helpers that the tests of single models share.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::format::Format;
use crate::method::Type;
use crate::method::probe::{expected, outside, spec_with};
use crate::table::{Columns, Encoding, Part};

/// A column `x` with the given values and counts.
pub(super) fn column(values: &[(&str, u64)]) -> Arc<Secret> {
    let repeated = values.iter().flat_map(|&(value, count)| vec![value; count as usize]);
    Arc::new(Secret::from_values("x", &repeated.collect::<Vec<_>>()).unwrap())
}

/// The same column with a hierarchy, given as one line per leaf.
pub(super) fn with_tree(secret: &Secret, tree: &str) -> Arc<Secret> {
    let tree = Format::named("arx").unwrap().read(tree, Some(secret.name())).unwrap();
    Arc::new(secret.clone().with_hierarchy(Arc::new(tree)).unwrap())
}

/// A class with `counts[code]` records of each code.
pub(super) fn class<'a>(held: &'a mut Vec<(Code, u64)>, counts: &[u64]) -> ClassView<'a> {
    let codes = (0..).map(Code::new);
    held.extend(codes.zip(counts.iter().copied()).filter(|&(_, count)| count > 0));
    let size = counts.iter().sum();
    ClassView { size, population: size as f64, counts: held }
}

/// A table of two columns, neither of them a quasi-identifier.
fn pairs(names: [&str; 2], rows: &[[&str; 2]]) -> Table {
    let mut part = Part::default();
    for row in rows {
        part.push(row.iter().map(|field| field.as_bytes()), true).unwrap();
    }
    let columns = Columns::quasi(&names[..names.len() - 2]).and_beside(&names[names.len() - 2..]);
    Table::assemble(&columns, vec![part], &Encoding::default()).unwrap()
}

/// A column of illnesses, joined with the node that each record guards.
pub(super) fn guarded(rows: &[[&str; 2]]) -> Result<Arc<Secret>> {
    let table = pairs(["illness", "guard"], rows);
    let tree = "flu;lungs;*\nulcer;stomach;*\ngastritis;stomach;*\n";
    let secret = with_tree(&Secret::of(&table, "illness")?, tree);
    Ok(Arc::new(secret.joint_with(&table, "guard")?))
}

pub(super) fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

/// Models that are monotone.
const MONOTONE: &[&str] = &[
    "k-anonymity:k=3",
    "k-map:k=7",
    "l-diversity:l=3",
    "l-diversity:l=2.5,kind=entropy",
    "l-diversity:l=2,c=1.5,kind=recursive",
    "l-diversity:l=3,c=3,kind=recursive",
    "p-sensitive:p=2",
    "alpha-k:alpha=0.5",
    "alpha-k:alpha=0.3,value=8",
    "l-plus:l=2",
    "t-closeness:t=0.3",
    "t-closeness:t=0.2,distance=ordered",
    "t-closeness:t=0.2,distance=hierarchical",
    "delta-disclosure:delta=1",
    "beta-likeness:beta=1",
    "beta-likeness:beta=2,kind=enhanced",
];

/// Models that are not monotone, each with two classes that satisfy the model although their union
/// does not. Codes are those of [`numbers`]; the codes of pairs with guards are (1, low), (1, ),
/// (2, ), (3, ), (5, ), (8, ).
const NOT_MONOTONE: &[(&str, [u64; 6], [u64; 6])] = &[
    ("epsilon-m:epsilon=1,m=2", [1, 0, 1, 0, 0, 0], [0, 1, 0, 0, 1, 0]),
    ("epsilon-m:epsilon=0.5,m=2,kind=relative", [0, 1, 0, 0, 1, 0], [1, 0, 1, 0, 0, 0]),
    ("delta-disclosure:delta=0.5,absent=allowed", [5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 0, 0]),
    ("personalized:p=0.5,guard=guard", [1, 0, 0, 0, 1, 0], [0, 1, 1, 0, 0, 0]),
    ("tau-lambda:tau=2,lambda=1", [1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]),
];

/// Fifteen numbers, five of them distinct; the first record guards the node `low`.
fn numbers() -> Table {
    let counts = [("1", 5), ("2", 4), ("3", 3), ("5", 2), ("8", 1)];
    let all = counts.iter().flat_map(|&(number, count)| vec![[number, ""]; count]);
    let mut rows: Vec<[&str; 2]> = all.collect();
    rows[0][1] = "low";
    pairs(["x", "guard"], &rows)
}

fn model(spec: &str) -> Box<dyn PrivacyModel> {
    made(&spec.parse().unwrap(), from_spec).unwrap().remove(0)
}

/// The result of `make` for a spec and the column `x` of [`numbers`].
fn made<T>(spec: &Spec, make: impl Fn(&Spec, &Known<'_>) -> Result<T>) -> Result<T> {
    let table = numbers();
    let secret = Secret::of(&table, "x").unwrap();
    let secrets = [with_tree(&secret, "1;low;*\n2;low;*\n3;low;*\n5;high;*\n8;high;*\n")];
    make(spec, &Known { table: &table, secrets: &secrets, has_population: true })
}

fn sum(one: &[u64], other: &[u64]) -> Vec<u64> {
    one.iter().zip(other).map(|(one, other)| one + other).collect()
}

#[test]
fn every_model_is_tested_here() {
    for registered in ALL {
        let is_tested = |spec: &&str| spec.split(':').next() == Some(registered.name);
        let not_monotone = NOT_MONOTONE.iter().map(|(spec, ..)| spec);
        let found = MONOTONE.iter().chain(not_monotone).any(is_tested);
        assert!(found, "{} is in no list of models to test", registered.name);
    }
}

#[test]
fn models_that_are_not_monotone_say_so() {
    for (spec, one, other) in NOT_MONOTONE {
        let model = model(spec);
        let holds = |counts: &[u64]| model.holds(&class(&mut Vec::new(), counts));
        assert!(!model.is_monotone(), "{spec}");
        assert!(holds(one) && holds(other), "{spec} refuses a class alone");
        assert!(!holds(&sum(one, other)), "{spec} accepts both together");
    }
}

/// Whether `one` is as strict as `other`. Equal parameters are, even if the sense is `Below`.
fn is_as_strict(sense: Sense, one: f64, other: f64) -> bool {
    if sense == Sense::Below { Sense::AtMost } else { sense }.meets(one, other)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// For every parameter at once: the union of two classes attains no less than the weaker of
    /// them.
    #[test]
    fn classes_that_hold_hold_together(
        one in prop::array::uniform5(0..5u64),
        other in prop::array::uniform5(0..5u64),
        more in (0..9u64, 0..9u64),
    ) {
        prop_assume!(one.iter().sum::<u64>() > 0 && other.iter().sum::<u64>() > 0);
        for spec in MONOTONE {
            let model = model(spec);
            prop_assert!(model.is_monotone(), "{}", spec);
            let attained = |counts: &[u64], more: u64| {
                let mut held = Vec::new();
                let mut class = class(&mut held, counts);
                class.population += more as f64;
                (model.attained(&class), model.holds(&class))
            };
            let (one, other, both) = (
                attained(&one, more.0),
                attained(&other, more.1),
                attained(&sum(&one, &other), more.0 + more.1),
            );
            let weaker = model.sense().weakest([one.0, other.0].into_iter()).unwrap();
            prop_assert!(
                is_as_strict(model.sense(), both.0, weaker),
                "{}: {} and {} make {}", spec, one.0, other.0, both.0
            );
            prop_assert!(both.1 || !one.1 || !other.1, "{} holds of both alone only", spec);
        }
    }

    /// However a failing class is divided, at least the lost share of its records fails.
    #[test]
    fn a_lost_share_is_lost_in_all_parts(parts in prop::collection::vec(prop::array::uniform5(0..5u64), 1..4)) {
        let whole = parts.iter().fold(vec![0; 5], |whole, part| sum(&whole, part));
        prop_assume!(whole.iter().sum::<u64>() > 0);
        let not_monotone = NOT_MONOTONE.iter().map(|(spec, ..)| spec);
        for spec in MONOTONE.iter().chain(not_monotone) {
            let model = model(spec);
            let holds = |counts: &[u64]| model.holds(&class(&mut Vec::new(), counts));
            if holds(&whole) {
                continue;
            }
            let failing = parts.iter().filter(|part| part.iter().sum::<u64>() > 0 && !holds(&part[..]));
            let n_failing: u64 = failing.flatten().sum();
            let mut held = Vec::new();
            let class = class(&mut held, &whole);
            let lost = model.lost_share(&class) * class.size as f64;
            prop_assert!(n_failing as f64 >= lost - 1e-6, "{spec}: {parts:?} fail {n_failing}, not {lost}");
        }
    }

    /// A class satisfies a model with the parameter that is offered for what the class attains.
    #[test]
    fn a_class_satisfies_the_model_that_is_eased_for_it(counts in prop::array::uniform5(0..5u64)) {
        prop_assume!(counts.iter().sum::<u64>() > 0);
        let mut held = Vec::new();
        let class = class(&mut held, &counts);
        for spec in MONOTONE.iter().chain(NOT_MONOTONE.iter().map(|(spec, ..)| spec)) {
            let model = model(spec);
            let Some(eased) = model.eased(model.attained(&class)) else { continue };
            let eased = eased.in_spec(&spec.parse().unwrap());
            let name = eased.to_string();
            prop_assert!(made(&eased, from_spec).unwrap()[0].holds(&class), "{spec}, {name}, {counts:?}");
        }
    }

    /// A model that states a number of distinct values looks at nothing else.
    #[test]
    fn a_number_of_distinct_values_decides(counts in prop::array::uniform5(0..5u64)) {
        prop_assume!(counts.iter().sum::<u64>() > 0);
        let n_distinct = counts.iter().filter(|count| **count > 0).count() as u64;
        for spec in MONOTONE {
            let model = model(spec);
            if let Some(least) = model.least_distinct() {
                let holds = model.holds(&class(&mut Vec::new(), &counts));
                prop_assert_eq!(holds, n_distinct >= least, "{} of {:?}", spec, counts);
            }
        }
    }

    /// The attained parameter is the strictest one that holds, and no class is stricter than
    /// `best`.
    #[test]
    fn what_is_attained_would_hold_and_best_is_never_beaten(
        counts in prop::array::uniform5(0..5u64),
    ) {
        prop_assume!(counts.iter().sum::<u64>() > 0);
        let not_monotone = NOT_MONOTONE.iter().map(|(spec, ..)| spec);
        for spec in MONOTONE.iter().chain(not_monotone) {
            let model = model(spec);
            let mut held = Vec::new();
            let class = class(&mut held, &counts);
            let attained = model.attained(&class);
            prop_assert!(is_as_strict(model.sense(), model.best(), attained), "{spec}: {attained}");
            if model.holds(&class) {
                prop_assert!(class.size >= model.least_size(), "{} holds of {:?}", spec, counts);
                prop_assert!(model.sense().meets(attained, model.asked()), "{}", spec);
            }
        }
    }
}

#[test]
fn what_a_model_lacks_is_said() {
    let table = numbers();
    let secrets = [Arc::new(Secret::of(&table, "x").unwrap())];
    let refused = |spec: &str, secrets: &[Arc<Secret>]| {
        let known = Known { table: &table, secrets, has_population: false };
        from_spec(&spec.parse().unwrap(), &known).unwrap_err()
    };
    let says = |spec: &str, part: &str| {
        let message = refused(spec, &secrets).to_string();
        assert!(message.contains(part), "{spec}: {message}");
    };
    let advises = |spec: &str, secrets: &[Arc<Secret>], advice: Advice| {
        assert_eq!(refused(spec, secrets).advice(), [advice], "{spec}");
    };
    says("t-closness:t=0.1", "did you mean 't-closeness'?");
    advises("k-map:k=5", &secrets, Advice::NamePopulation);
    says("t-closeness", "t-closeness: t is not given; it must be a number from 0 to 1");
    says("t-closeness:t=0.1,column=y", "needs column 'y', which is not named as sensitive");
    advises("t-closeness:t=0.1,distance=hierarchical", &secrets, Advice::hierarchy_file("x"));
    says("personalized:p=0.5", "personalized: guard is not given; it must be a column");
    says("personalized:p=0.5,guard=guards", "there is no column 'guards'");
    advises("personalized:p=0.5,guard=guard", &secrets, Advice::hierarchy_file("x"));
    says("personalized:p=1.5,guard=guard", "p is '1.5'; it must be a number above 0 and at most 1");
    says("k-anonymity:k=0", "k is '0'; it must be a whole number of at least 1");
    says("p-sensitive:p=0", "p is '0'; it must be a whole number of at least 1");
    says("l-plus", "privacy model 'l-plus' demands nothing");
    says("l-plus:l=0.5", "l is '0.5'; it must be a number of at least 1");
    says("t-closeness:t=-0.1", "t is '-0.1'; it must be a number from 0 to 1");
    says("beta-likeness:beta=0", "beta is '0'; it must be a number above 0");
    says("tau-lambda:tau=0,lambda=1", "tau is '0'; it must be a whole number of at least 1");
    advises("p-sensitive:p=2", &[], Advice::NameSensitive { column: None });
}

/// Builds the model of a spec without checking its parameters first.
fn unchecked(spec: &Spec, known: &Known<'_>) -> Result<String> {
    let mut spec = spec.clone();
    let guard = text(&spec, "guard");
    spec.parameters.retain(|name, _| !["column", "guard"].contains(&name));
    let secret = match guard {
        Some(guard) => &Arc::new(known.secrets[0].joint_with(known.table, &guard)?),
        None => &known.secrets[0],
    };
    let model = match ALL.iter().find(|model| model.name == spec.name).unwrap().item {
        Make::OfSizes(make) | Make::OfPopulation(make) => make(&spec)?,
        Make::OfColumn(make) | Make::Guarded(make) => make(&spec, secret)?,
    };
    Ok(format!("{model:?}"))
}

/// A spec with one parameter, and with the guard column if the model needs one.
fn given(model: &Method<Make>, name: &str, value: &str) -> Spec {
    let mut spec = spec_with(model, name, value);
    if model.parameter("guard").is_some() {
        spec.parameters.insert("guard".into(), "guard".into());
    }
    spec
}

#[test]
fn models_do_what_they_say_about_their_parameters() {
    for (model, parameter) in ALL.iter().flat_map(|m| m.parameters.iter().map(move |p| (m, p))) {
        let (name, kind) = (parameter.name, &parameter.kind);
        if let Some(default) = parameter.default {
            let [one, other] = [given(model, name, default), given(model, "column", "x")]
                .map(|spec| made(&spec, unchecked).map_err(|error| error.to_string()));
            assert_eq!(one, other, "{name} of {}", model.name);
        }
        for value in outside(kind) {
            let spec = given(model, name, &value);
            let said = made(&spec, from_spec).unwrap_err().to_string();
            assert!(said.starts_with(&format!("{}: {name} ", model.name)), "{spec}: {said}");
            let refused = made(&spec, unchecked).unwrap_err().to_string();
            assert!(refused == said || matches!(kind, Type::Choice(_)), "{spec}: {refused}");
        }
        if let Type::Choice(names) = kind {
            let refused = made(&given(model, name, "no such"), unchecked).unwrap_err();
            assert_eq!(expected(&refused.to_string()), *names, "{name} of {}", model.name);
        }
    }
}

#[test]
fn models_read_the_parameters_that_are_described() {
    for model in ALL {
        let refused = made(&given(model, "no-such", "x"), unchecked).unwrap_err().to_string();
        let of_struct = model.parameters.iter().filter(|p| !matches!(p.kind, Type::Column));
        let described: Vec<&str> = of_struct.map(|parameter| parameter.name).collect();
        assert_eq!(expected(&refused), described, "{}", model.name);
    }
}
