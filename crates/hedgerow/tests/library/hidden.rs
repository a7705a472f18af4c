//! Hiding rare values: its cost does not depend on how numbers are written, and only the records
//! that have rare values are generalized for it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use hedgerow::Error;
use hedgerow::hierarchy::RareValues;
use hedgerow::job::{self, Job};
use hedgerow::method::{Scope, Spec};
use hedgerow::progress::Silent;
use hedgerow::recipe::{Form, Policy, Recipe};
use hedgerow::release::{Release, RowOrder, Style};
use hedgerow::report::Outcome;
use hedgerow::study::{Demands, Study};
use hedgerow::table::{MissingPolicy, Table};

fn hidden(folder: &Path, rows: &str, hierarchy: Option<&str>, method: &str) -> Outcome {
    let input = folder.join("t.csv");
    std::fs::write(&input, rows).unwrap();
    let mut job = Job::new(input, folder.join("r.csv"), vec!["x".to_owned()], 5);
    job.rare_values = RareValues::Hide;
    job.method = method.parse().unwrap();
    job.force = true;
    job.keep_order = true;
    job.hierarchy.extend(hierarchy.map(|spec| ("x".to_owned(), spec.parse().unwrap())));
    job::run(&job, &Silent).unwrap()
}

#[test]
fn decimals_do_not_change_what_an_interval_costs() {
    let folder = tempfile::tempdir().unwrap();
    let mut wholes = "x\n".to_owned();
    let mut decimals = "x\n".to_owned();
    for i in 0..200_u32 {
        let number = i * i * 7 % 9_973;
        writeln!(wholes, "{number}").unwrap();
        writeln!(decimals, "{}.{:02}", number / 100, number % 100).unwrap();
    }
    for method in ["hedge", "k-member", "mondrian"] {
        let wholes = hidden(folder.path(), &wholes, Some("free"), method);
        let decimals = hidden(folder.path(), &decimals, Some("free"), method);
        for outcome in [&wholes, &decimals] {
            let (classes, release) = (outcome.loss["ntil"], outcome.release_loss["ntil"]);
            assert!((classes - release).abs() < 1e-9, "{method}: {classes} and {release}");
        }
        let ratio = decimals.loss["ntil"] / wholes.loss["ntil"];
        assert!((0.8..1.25).contains(&ratio), "{method}: {ratio}");
    }
}

#[test]
fn a_traversal_generalizes_rare_values_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = "x\n".to_owned();
    for value in 0..40 {
        let n_records = if value % 4 == 0 { 2 } else { 6 };
        (0..n_records).for_each(|_| writeln!(rows, "v{value}").unwrap());
    }
    let outcome = hidden(folder.path(), &rows, None, "traversal");
    let release = std::fs::read_to_string(folder.path().join("r.csv")).unwrap();
    let n_stars = release.lines().filter(|line| *line == "*").count();
    // Ten values belong to two records each, and only these have to be generalized.
    assert_eq!(n_stars, 20, "{outcome:?}");
}

#[test]
fn a_single_rare_value_costs_the_interval_that_it_is_published_as() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("t.csv");
    std::fs::write(&input, "x\n1\n1\n1\n5\n5\n5\n90\n\"\"\n\"\"\n").unwrap();
    let mut job = Job::new(input, folder.path().join("r.csv"), vec!["x".to_owned()], 3);
    job.rare_values = RareValues::Hide;
    job.missing = MissingPolicy::Wildcard;
    job.hierarchy.insert("x".to_owned(), "free".parse().unwrap());
    for method in ["hedge", "k-member", "mondrian"] {
        job.method = method.parse().unwrap();
        job.force = true;
        let outcome = job::run(&job, &Silent).unwrap();
        let (classes, release) = (outcome.loss["ntil"], outcome.release_loss["ntil"]);
        assert!(
            (classes - release).abs() < 1e-9 && classes > 0.0,
            "{method}: {classes}, {release}"
        );
    }
}

#[test]
fn a_limit_is_named_as_in_the_hierarchy_that_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("h.csv");
    std::fs::write(&tree, "17;17-25;*\n20;17-25;*\n25;17-25;*\n40;40-41;*\n41;40-41;*\n").unwrap();
    let input = folder.path().join("t.csv");
    std::fs::write(&input, "x\n17\n20\n20\n25\n25\n40\n40\n41\n41\n").unwrap();
    let mut job = Job::new(input, folder.path().join("r.csv"), vec!["x".to_owned()], 2);
    job.hierarchy.insert("x".to_owned(), tree.to_str().unwrap().parse().unwrap());
    job.limit.insert("x".to_owned(), vec!["17-25".to_owned()]);
    job.keep_order = true;
    for rare_values in [RareValues::Show, RareValues::Hide] {
        (job.rare_values, job.force) = (rare_values, true);
        job::run(&job, &Silent).unwrap();
        let release = std::fs::read_to_string(&job.output).unwrap();
        assert!(!release.contains('*'), "{release}");
    }
}

#[test]
fn hidden_members_of_a_set_are_not_counted_in_a_population() {
    let folder = tempfile::tempdir().unwrap();
    let [input, population] = ["t.csv", "p.csv"].map(|name| folder.path().join(name));
    std::fs::write(&input, "x\na\na\nb\nc\nc\nc\n").unwrap();
    let people = ["a"; 3].into_iter().chain(["b"; 12]).chain(["c"; 12]);
    let people: String = people.map(|person| format!("{person}\n")).collect();
    std::fs::write(&population, format!("x\n{people}")).unwrap();
    let mut job = Job::new(input, folder.path().join("r.csv"), vec!["x".to_owned()], 2);
    job.population = Some(population);
    job.privacy = vec!["k-map:k=10".parse().unwrap()];
    job.hierarchy.insert("x".to_owned(), "free".parse().unwrap());
    assert!(job::run(&job, &Silent).is_ok());
    (job.rare_values, job.force) = (RareValues::Hide, true);
    let error = job::run(&job, &Silent).unwrap_err();
    assert!(
        matches!(&error, Error::Column { column, problem, .. } if column == "x" && problem.contains("and N more")),
        "{error}"
    );
}

#[test]
fn a_limit_is_not_exceeded_by_a_node_with_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("h.csv");
    std::fs::write(&tree, "a;A1;A2;*\nb;B1;B2;*\nc;C1;B2;*\n").unwrap();
    let input = folder.path().join("t.csv");
    std::fs::write(&input, "x\na\na\na\nb\nb\nb\nc\nc\n").unwrap();
    let mut job = Job::new(input, folder.path().join("r.csv"), vec!["x".to_owned()], 2);
    job.hierarchy.insert("x".to_owned(), tree.to_str().unwrap().parse().unwrap());
    job.force = true;
    for (limit, banned) in [("a", "A"), ("A1", "A2"), ("level:0", "1")] {
        for rare_values in [RareValues::Show, RareValues::Hide] {
            for method in ["hedge", "mondrian", "optimal", "datafly"] {
                job.limit.insert("x".to_owned(), vec![limit.to_owned()]);
                (job.rare_values, job.method) = (rare_values, method.parse().unwrap());
                job::run(&job, &Silent).unwrap();
                let release = std::fs::read_to_string(&job.output).unwrap();
                assert!(!release.contains(banned), "{method} {limit}: {release}");
            }
        }
    }
}

#[test]
fn sets_of_dates_hide_members_too() {
    let folder = tempfile::tempdir().unwrap();
    let [input, population, tree] =
        ["t.csv", "p.csv", "h.csv"].map(|name| folder.path().join(name));
    let day = |i: u32| format!("2024-01-{:02}", 1 + i);
    let lines = |counts: &[u32]| -> String {
        let days =
            (0..).zip(counts).flat_map(|(i, &n)| (0..n).map(move |_| format!("{}\n", day(i))));
        format!("x\n{}", days.collect::<String>())
    };
    std::fs::write(&input, lines(&[1, 3, 3])).unwrap();
    std::fs::write(&population, lines(&[9, 9, 9])).unwrap();
    let set = format!("\"{{{}, {}}}\"", day(0), day(1));
    let rows =
        [format!("{};{set};*", day(0)), format!("{};{set};*", day(1)), format!("{};C;*", day(2))];
    std::fs::write(&tree, rows.join("\n") + "\n").unwrap();
    let mut job = Job::new(input, folder.path().join("r.csv"), vec!["x".to_owned()], 2);
    job.population = Some(population);
    job.privacy = vec!["k-map:k=9".parse().unwrap()];
    job.hierarchy.insert("x".to_owned(), tree.to_str().unwrap().parse().unwrap());
    job.force = true;
    assert!(job::run(&job, &Silent).is_ok());
    job.rare_values = RareValues::Hide;
    let error = job::run(&job, &Silent).unwrap_err();
    assert!(
        matches!(&error, Error::Column { column, problem, .. } if column == "x" && problem.contains("and N more")),
        "{error}"
    );
}

#[test]
fn a_single_number_and_a_missing_value_have_nothing_in_common() {
    let folder = tempfile::tempdir().unwrap();
    for rare_values in [RareValues::Show, RareValues::Hide] {
        let input = folder.path().join("t.csv");
        std::fs::write(&input, "x,y\n7,a\n7,a\n,a\n").unwrap();
        let quasi = vec!["x".to_owned()];
        let mut job = Job::new(input, folder.path().join("r.csv"), quasi, 3);
        (job.rare_values, job.force) = (rare_values, true);
        job.hierarchy.insert("x".to_owned(), "free".parse().unwrap());
        let outcome = job::run(&job, &Silent).unwrap();
        assert_eq!((outcome.loss["ntil"], outcome.release_loss["ntil"]), (1.0, 1.0));
    }
}

#[test]
fn a_day_does_not_spell_out_its_first_moment() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("t.csv");
    let rows = "2024-03-03T14:10:00,10\n2024-02-02T22:50:00,0\n2024-01-01T00:00:00,0\n\
        2024-03-03T05:55:00,0\n2024-02-02T22:50:00,0\n";
    std::fs::write(&input, format!("x,s\n{rows}")).unwrap();
    let mut job = Job::new(input, folder.path().join("r.csv"), vec!["x".to_owned()], 1);
    job.sensitive = vec!["s".to_owned()];
    job.privacy = vec!["t-closeness:t=0.5,distance=ordered".parse().unwrap()];
    job.hierarchy.insert("x".to_owned(), "calendar".parse().unwrap());
    job.method = "optimal".parse().unwrap();
    let outcome = job::run(&job, &Silent).unwrap();
    let release = std::fs::read_to_string(&job.output).unwrap();
    assert!(release.contains("2024-01-01,") && !release.contains('T'), "{release}");
    assert_eq!(outcome.exposure.spelled["x"].values, 0);
}

/// Ends that are moved outward make ranges overlap: [6, 10] and [11, 15] become [6, 12] and [9, 15] if
/// 10 and 11 are rare. The recipe of a uniform recoding tells them apart and names neither.
#[test]
fn a_uniform_recipe_with_hidden_ends_gives_the_labels_of_its_release() {
    let ages = (1..=20).flat_map(|age: u32| vec![age; if age == 10 || age == 11 { 1 } else { 3 }]);
    let rows: Vec<[String; 1]> = ages.map(|age| [age.to_string()]).collect();
    let table = Table::from_rows(&["age"], &rows).unwrap();
    let tree: Spec = "cgh:lo=1,hi=20,min-width=5".parse().unwrap();
    let demands = Demands {
        k: 3,
        hierarchies: [("age".to_owned(), tree.into())].into(),
        method: Some(Spec::named("datafly")),
        needs_levels: true,
        recoding: Scope::FullDomain,
        rare_values: RareValues::Hide,
        ..Demands::default()
    };
    let study = Study::new(&table, demands, None, &Silent).unwrap();
    let solved = study.search(study.method(), None, &Silent).unwrap();
    let release = Release::new(&solved.recoding, &Style::default(), &Silent).unwrap();
    let recipe = Recipe::of(&study, &release, &Silent).unwrap();
    assert_eq!(recipe.form(), Form::Levels);
    let text = recipe.to_text().unwrap();
    assert!(!text.contains("\"10\"") && !text.contains("\"11\""), "{text}");
    assert_eq!(Recipe::from_text(&text).unwrap(), recipe);
    let applied = recipe.apply(&table, Policy::default(), &Silent).unwrap();
    let [then, now] = [&release, &applied.release]
        .map(|release| release.rows(RowOrder::Input, &Silent).unwrap().concat());
    assert_eq!(then, now);
    let labels: BTreeSet<&String> = then.into_iter().collect();
    assert_eq!(labels.len(), 4, "{labels:?}");
    assert!(
        labels.iter().all(|label| !label.contains("10") && !label.contains("11")),
        "{labels:?}"
    );
}
