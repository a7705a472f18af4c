//! Tests of `auto`.

use super::cost::MOMENT;
use super::*;
use crate::loss;
use crate::progress::Silent;
use crate::proposal::{Class, Proposal, Take};
use crate::table::Cohort;
use crate::{builder, privacy};

/// Ages in clusters, words of which some are rare, and two sexes.
fn table(n: u32) -> Table {
    let row = |i: u32| {
        let age = 20 + i * i % 41;
        let job = ["a", "b", "c", "d", "e", "f"][(i * 7 % 11 % 6) as usize];
        [
            age.to_string(),
            job.to_owned(),
            ["x", "y"][(i % 2) as usize].to_owned(),
            (i * 31 % 977).to_string(),
        ]
    };
    let rows: Vec<[String; 4]> = (0..n).map(row).collect();
    Table::from_rows(&["age", "job", "sex", "income"], &rows).unwrap()
}

fn request<'a>(
    table: &'a Table,
    asked: &'a BTreeMap<String, Asked>,
    method: Option<&'a Spec>,
) -> Request<'a> {
    let (recoding, time) = (Scope::Local, USUAL_TIME);
    Request {
        table,
        asked,
        // A shelf for the whole run: every table has its own columns.
        shelf: Box::leak(Box::default()),
        sources: Box::leak(Box::default()),
        method,
        recoding,
        time,
        stop: None,
        needs_levels: false,
        k: 3,
        force_labels: false,
    }
}

fn chosen(request: Request<'_>) -> Chosen {
    let models = || -> Result<Vec<Box<dyn PrivacyModel>>> {
        Ok(vec![Box::new(KAnonymity::new(3).unwrap())])
    };
    choose(request, &models, &Limits::default(), &Silent).unwrap()
}

#[test]
fn the_first_combination_is_kept_unless_another_loses_clearly_less() {
    let (table, asked) = (table(4_000), BTreeMap::new());
    let chosen = chosen(request(&table, &asked, None));
    let choosing = chosen.choosing.unwrap();
    assert!(choosing.of_method && choosing.tried.len() >= 5, "{choosing:?}");
    let first = choosing.tried[0].loss.unwrap();
    // Losses on samples of different size cannot be compared.
    let on_first = |trial: &&Trial| trial.records == choosing.tried[0].records;
    let mut others = choosing.tried[1..].iter().filter(on_first);
    assert!(others.all(|trial| trial.loss.unwrap() >= 0.97 * first));
    assert_eq!(chosen.method.to_string(), "hedge");
    assert_eq!(chosen.choices[0].generalization.method(), "least-loss");
    assert_eq!(chosen.choices[1].generalization.method(), "free");
    let why = chosen.choices[0].why.as_deref().unwrap();
    assert!(why.contains(" of 2") && why.contains("sampled records"), "{why}");
    // The sex has two values, for which every hierarchy is the same.
    assert_eq!(chosen.choices[2].why.as_deref(), Some("frequency suits its kind"));
    let line = choosing.line("hedge").unwrap();
    let last = choosing.tried[choosing.chosen.unwrap()].clone();
    let on_last = choosing.tried.iter().filter(|trial| trial.records == last.records);
    let least = on_last.filter_map(|trial| trial.loss).fold(f64::INFINITY, f64::min);
    let why = if least < last.loss.unwrap() {
        "no other of 5 tried loses clearly less"
    } else {
        "loses least of 5 tried"
    };
    assert!(line.starts_with(&format!("chose hedge: {why} (")), "{line}");
}

#[test]
fn all_samples_together_are_no_larger_than_the_table() {
    // The search takes longer than the moment that trials may always take.
    let (table, asked) = (table(20_000), BTreeMap::new());
    let choosing = chosen(request(&table, &asked, None)).choosing.unwrap();
    assert!(choosing.estimated_seconds.unwrap() > MOMENT, "{choosing:?}");
    let of_hedge = choosing.tried.iter().filter(|trial| trial.method == "hedge");
    // Without rebuilding classes, a record takes half of the work.
    let n_sampled = of_hedge.map(|trial| trial.records).sum::<u64>() / 2;
    assert!(n_sampled > 1_000 && n_sampled <= table.cohorts().len() as u64, "{n_sampled}");
}

#[test]
fn a_small_table_is_tried_as_a_whole_and_not_searched_again() {
    let (table, asked) = (table(300), BTreeMap::new());
    let chosen = chosen(request(&table, &asked, None));
    let choosing = chosen.choosing.unwrap();
    assert!(choosing.tried.len() >= 5 && choosing.tried.iter().all(|trial| trial.all));
    let line = choosing.line(&chosen.method.to_string()).unwrap();
    assert!(line.contains(" of 5 tried ") && line.contains("(300 records)"), "{line}");
    let found = chosen.found.unwrap();
    assert!(found.problem().is_same(&chosen.problem));
    let again = run(&chosen.method, &chosen.problem, Scope::Local, &Silent).unwrap();
    assert_eq!(found.takes(), again.recoding.takes());
}

/// The patients of the tutorial, whose ZIP codes lose less as sets than as prefixes.
#[test]
fn trials_find_what_is_better_than_the_first_combination() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/patients.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let cells = text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let rows: Vec<[&str; 4]> = cells.map(|row| [row[1], row[2], row[3], row[4]]).collect();
    let table = Table::from_rows(&["birth", "sex", "zip", "job"], &rows).unwrap();
    let asked = BTreeMap::new();
    let chosen = chosen(request(&table, &asked, None));
    assert_eq!(builder::candidates(&table.columns()[2]).methods[0].name, "prefix");
    assert_eq!(chosen.choices[2].generalization.method(), "free");
    let choosing = chosen.choosing.unwrap();
    let best = choosing.tried[choosing.chosen.unwrap()].loss.unwrap();
    assert!(best < 0.9 * choosing.tried[0].loss.unwrap(), "{choosing:?}");
    assert!(chosen.choices[2].why.as_ref().unwrap().starts_with("least loss of 2: free"));
}

#[test]
fn hierarchies_are_tried_with_the_method_that_is_named() {
    let (table, asked, method) = (table(4_000), BTreeMap::new(), "mondrian".parse().unwrap());
    let chosen = chosen(request(&table, &asked, Some(&method)));
    let choosing = chosen.choosing.unwrap();
    assert!(!choosing.tried.is_empty() && !choosing.of_method);
    assert!(choosing.tried.iter().all(|trial| trial.method == "mondrian"));
    assert_eq!(chosen.method, method);
}

#[test]
fn with_method_and_hierarchies_named_there_is_nothing_to_choose() {
    let table = table(500);
    let names = ["age", "job", "sex", "income"].map(str::to_owned);
    let asked = names.map(|name| (name, Spec::named("free").into())).into_iter().collect();
    let method = Spec::named("hedge");
    let chosen = chosen(request(&table, &asked, Some(&method)));
    assert!(chosen.choosing.is_none());
    assert!(chosen.choices.iter().all(|choice| choice.why.is_none()));
}

#[test]
fn a_method_that_does_not_fit_into_the_time_is_left_out_and_said() {
    let (table, asked) = (table(4_000), BTreeMap::new());
    let short = Request { time: 0.01, ..request(&table, &asked, None) };
    let chosen = chosen(short);
    assert_eq!(chosen.method.name, "mondrian");
    let choosing = chosen.choosing.unwrap();
    let left_out: Vec<&str> = choosing.left_out.iter().map(|left| left.method.as_str()).collect();
    assert_eq!(left_out, ["hedge"]);
    let said = choosing.omissions(&|advice| advice.to_string());
    assert!(said[0].contains("allow 1 seconds or choose the method hedge"), "{said:?}");
}

#[test]
fn full_domain_and_global_recoding_restrict_the_methods() {
    let (table, asked) = (table(600), BTreeMap::new());
    for (recoding, names) in
        [(Scope::FullDomain, ["optimal", "datafly"]), (Scope::Global, ["optimal", "top-down"])]
    {
        let chosen = chosen(Request { recoding, ..request(&table, &asked, None) });
        assert!(names.contains(&chosen.method.name.as_str()), "{}", chosen.method);
        let of_method = anonymize::recoding(&chosen.method.name).unwrap();
        assert!(recoding.allows(of_method));
        assert!(chosen.choices.iter().all(|choice| choice.generalization.ground().is_some()));
        run(&chosen.method, &chosen.problem, recoding, &Silent).unwrap();
    }
}

#[test]
fn methods_of_uniform_recoding_compete_on_all_records() {
    let (table, asked) = (table(3_000), BTreeMap::new());
    for recoding in [Scope::FullDomain, Scope::Global] {
        let chosen = chosen(Request { recoding, ..request(&table, &asked, None) });
        let choosing = chosen.choosing.unwrap();
        for method in methods(recoding) {
            let on_all = |trial: &&Trial| trial.method == *method && trial.all;
            assert!(choosing.tried.iter().any(|trial| on_all(&trial)), "{method}: {choosing:?}");
        }
        let best = choosing.tried[choosing.chosen.unwrap()].loss.unwrap();
        let on_all = choosing.tried.iter().filter(|trial| trial.all);
        assert!(on_all.filter_map(|trial| trial.loss).all(|loss| best <= loss / 0.99));
        assert!(chosen.found.is_some());
    }
}

#[test]
fn a_method_that_is_suggested_has_the_recoding_that_is_allowed() {
    let (table, asked) = (table(300), BTreeMap::new());
    let chosen = chosen(Request { recoding: Scope::FullDomain, ..request(&table, &asked, None) });
    let instead = |recoding| {
        let found = instead(&Spec::named("samarati"), &chosen.problem, recoding, &Silent);
        found.unwrap().name
    };
    assert_eq!(instead(Scope::Local), "hedge");
    assert_eq!(instead(Scope::Global), "optimal");
    assert_eq!(instead(Scope::FullDomain), "optimal");
}

#[test]
fn free_is_no_candidate_for_codes_of_single_people() {
    let row =
        |i: u32| [format!("{:05}", i * 7919 % 90_000), ["a", "b", "c"][(i % 3) as usize].into()];
    let rows: Vec<[String; 2]> = (0..100).map(row).collect();
    let table = Table::from_rows(&["zip", "job"], &rows).unwrap();
    let auto = Auto { k: 3, seed: 0, needs_levels: false };
    let chosen = auto.choose(&table, &BTreeMap::new(), &Silent).unwrap();
    assert_eq!(chosen[0].generalization.method(), "prefix");
    assert!(chosen[0].why.as_ref().unwrap().contains("free was not tried"));
    assert!(!chosen[1].why.as_ref().unwrap().contains("not tried"));
}

#[test]
fn what_is_asked_for_is_not_tried_and_levels_are_had_where_needed() {
    let table = table(300);
    let asked = BTreeMap::from([("age".to_owned(), Spec::named("chu").into())]);
    let auto = Auto { k: 3, seed: 0, needs_levels: true };
    let chosen = auto.choose(&table, &asked, &Silent).unwrap();
    assert_eq!(chosen[0].generalization.method(), "chu");
    assert!(chosen[0].why.is_none());
    assert_eq!(chosen[1].generalization.method(), "frequency");
}

#[test]
fn a_goal_besides_k_is_tried_even_on_a_small_table() {
    let rows: Vec<[String; 2]> = (0..60)
        .map(|i: u32| [(i % 20).to_string(), ["p", "q", "r"][(i % 3) as usize].into()])
        .collect();
    let columns = crate::table::Columns::quasi(&["age"]).and_beside(&["ill"]);
    let table = Table::encode(&columns, &rows, &crate::table::Encoding::default());
    let table = table.unwrap();
    let secret = std::sync::Arc::new(privacy::Secret::of(&table, "ill").unwrap());
    let models = || -> Result<Vec<Box<dyn PrivacyModel>>> {
        let known = privacy::Known {
            table: &table,
            secrets: std::slice::from_ref(&secret),
            has_population: false,
        };
        let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(3)?)];
        models.extend(privacy::from_spec(&"l-diversity:l=3".parse()?, &known)?);
        Ok(models)
    };
    let asked = BTreeMap::new();
    let chosen =
        choose(request(&table, &asked, None), &models, &Limits::default(), &Silent).unwrap();
    let choosing = chosen.choosing.unwrap();
    assert!(choosing.tried.iter().any(|trial| trial.loss.is_some()), "{choosing:?}");
}

#[test]
fn classes_that_show_the_same_are_judged_as_one() {
    let rows = [["1"], ["1"], ["1"], ["1"], ["2"], ["2"]];
    let table = Table::from_rows(&["age"], &rows).unwrap();
    let tree = builder::build(&Spec::named("iotf"), &table.columns()[0], None).unwrap();
    let model = Box::new(KAnonymity::new(2).unwrap());
    let problem = Problem::new(&table, vec![tree], vec![model]).unwrap();
    let takes = [(0, 0), (0, 1), (1, 2)].map(|(cohort, class)| Take {
        cohort: Cohort::new(cohort),
        class: Some(Class::new(class)),
        count: 2,
    });
    let halved = Proposal::new(&problem, 3, takes.to_vec()).unwrap();
    let dm = "dm".parse::<loss::Choice>().unwrap().published_penalty(&problem, &halved).unwrap();
    assert!((dm - (16.0 + 4.0)).abs() < 1e-9, "{dm}");
}
