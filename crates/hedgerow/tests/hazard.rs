//! Mistakes that a caller of the library could make, such as publishing an unchecked proposal.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use hedgerow::anonymize::{Anonymizer, Hedge, KMember};
use hedgerow::builder::{Free, HierarchyBuilder};
use hedgerow::error::Flaw;
use hedgerow::format::Format;
use hedgerow::hierarchy::{Leaf, Node};
use hedgerow::io::{Inputs, Output, ReadOptions, Source, WriteOptions};
use hedgerow::method::{Described, Description};
use hedgerow::privacy::{self, KAnonymity, Known, PrivacyModel, Secret};
use hedgerow::problem::{Limits, Problem, Region};
use hedgerow::progress::{Progress, Silent};
use hedgerow::proposal::{Class, Proposal, Take};
use hedgerow::publish::Publication;
use hedgerow::recoding::Recoding;
use hedgerow::release::{Release, Style};
use hedgerow::schema::{Role, Schema};
use hedgerow::study::{Demands, Study};
use hedgerow::table::{Cohort, Columns, Encoding, Table};
use hedgerow::{Error, Result};
use serde::Serialize;

const ROWS: [[&str; 2]; 6] =
    [["20", "flu"], ["21", "flu"], ["40", "ulcer"], ["41", "cold"], ["60", "flu"], ["61", "cold"]];

/// A problem with pairs of equal ages; the first pairs have the same illness.
fn problem() -> Problem {
    let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
    let table = Table::encode(&columns, &ROWS, &Encoding::default()).unwrap();
    let secrets = [Arc::new(Secret::of(&table, "ill").unwrap())];
    let known = Known { table: &table, secrets: &secrets, has_population: false };
    let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(2).unwrap())];
    models.extend(privacy::from_spec(&"l-diversity:l=2".parse().unwrap(), &known).unwrap());
    let free = Free.build(&table.columns()[0]).unwrap();
    Problem::new(&table, vec![free], models).unwrap()
}

#[test]
fn proposals_are_made_diverse_before_they_are_published() {
    let problem = problem();
    for method in [&KMember::default() as &dyn Anonymizer, &Hedge::default()] {
        let proposed = method.propose(&problem, &Silent).unwrap();
        let recoding = problem.solve(method, &Silent).unwrap();
        assert!(recoding.is_private(&problem), "{}", method.name());
        if !proposed.is_private(&problem) {
            let refused = Recoding::of(&problem, proposed).unwrap_err();
            assert!(matches!(refused, Error::Flawed(Flaw::NotPrivate)), "{refused}");
        }
    }
    let k_member = KMember::default().propose(&problem, &Silent).unwrap();
    assert!(!k_member.is_private(&problem), "this is the hazard");
}

/// A careless method: it makes each record a class of its own, and leaves some out.
#[derive(Debug, Serialize)]
struct Careless {
    n_forgotten: usize,
}

impl Described for Careless {
    const DESCRIPTION: Description = Description {
        name: "careless",
        about: "every record is a class of its own",
        reference: None,
        needs: &[],
        parameters: &[],
    };
}

impl Anonymizer for Careless {
    fn propose(&self, problem: &Problem, _: &dyn Progress) -> Result<Proposal> {
        let n_cohorts = problem.cohorts().len() - self.n_forgotten;
        let takes = Cohort::first(n_cohorts).zip(Class::first(n_cohorts));
        let takes = takes.map(|(cohort, class)| Take { cohort, class: Some(class), count: 1 });
        Ok(Proposal::new(problem, n_cohorts, takes.collect()))
    }
}

#[test]
fn a_careless_method_publishes_nothing_that_is_not_private() {
    let problem = problem();
    let recoding = problem.solve(&Careless { n_forgotten: 0 }, &Silent).unwrap();
    assert_eq!(recoding.flaw(&problem), None);
    let forgotten = problem.solve(&Careless { n_forgotten: 1 }, &Silent);
    assert!(matches!(forgotten, Err(Error::Internal(_))), "{forgotten:?}");
    for (cohort, class) in [(99, 0), (0, 99)] {
        let (cohort, class) = (Cohort::new(cohort), Some(Class::new(class)));
        let takes = vec![Take { cohort, class, count: 1 }];
        let elsewhere = Proposal::with_regions(&problem, std::iter::empty(), takes);
        let refused = Recoding::of(&problem, elsewhere).unwrap_err();
        assert!(matches!(refused, Error::Flawed(Flaw::UnknownIndex)), "{refused}");
    }
}

/// Classes of one problem can look like classes of another, but refer to other values.
#[test]
fn a_proposal_of_another_problem_is_refused() {
    let table = Table::from_rows(&["a", "b"], &[["1", "2"], ["1", "3"], ["2", "4"], ["2", "5"]]);
    let table = table.unwrap();
    let free = table.columns().iter().map(|column| Free.build(column).unwrap()).collect();
    let model = Box::new(KAnonymity::new(2).unwrap());
    let other = Problem::new(&table, free, vec![model]).unwrap();
    let proposed = Hedge::default().propose(&other, &Silent).unwrap();
    let problem = problem();
    let refused = Recoding::of(&problem, proposed).unwrap_err();
    assert!(matches!(refused, Error::Flawed(Flaw::OtherProblem)), "{refused}");
    let [first, last] = [0, 99].map(Leaf::new);
    for region in [Region::Interval(first, last), Region::Interval(last, first), node(77)] {
        let cohorts = problem.cohorts().counted();
        let class = Some(Class::new(0));
        let takes = cohorts.map(|(cohort, count)| Take { cohort, class, count }).collect();
        let regions: [Box<[Region]>; 1] = [[region].into()];
        let elsewhere = Proposal::with_regions(&problem, regions.into_iter(), takes);
        let refused = Recoding::of(&problem, elsewhere).unwrap_err();
        assert!(matches!(refused, Error::Flawed(Flaw::OtherProblem)), "{refused}");
    }
}

fn node(number: usize) -> Region {
    Region::Node(Node::new(number))
}

/// Models refer to cohorts by number, so those of a similar table would check the wrong values.
#[test]
fn models_and_weights_of_another_table_are_refused() {
    let table = |ill: [&str; 4]| {
        let rows: Vec<_> = ["20", "21", "40", "41"].into_iter().zip(ill).collect();
        let rows: Vec<[&str; 2]> = rows.into_iter().map(|(age, ill)| [age, ill]).collect();
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        Table::encode(&columns, &rows, &Encoding::default()).unwrap()
    };
    let (even, uneven) =
        (table(["flu", "cold", "flu", "cold"]), table(["flu", "flu", "cold", "cold"]));
    let secret = |table: &Table| Arc::new(Secret::of(table, "ill").unwrap());
    let solve = |models: Vec<Box<dyn PrivacyModel>>, limits: Limits| {
        let free = Free.build(&uneven.columns()[0]).unwrap();
        Problem::with_limits(&uneven, vec![free], models, limits)?.solve(&Hedge::default(), &Silent)
    };
    let diverse = |table: &Table| -> Vec<Box<dyn PrivacyModel>> {
        let known = Known { table, secrets: &[secret(table)], has_population: false };
        privacy::from_spec(&"l-diversity:l=2".parse().unwrap(), &known).unwrap()
    };
    assert!(solve(diverse(&uneven), Limits::default()).is_ok());
    let foreign = solve(diverse(&even), Limits::default()).unwrap_err().to_string();
    assert!(foreign.starts_with("column 'ill': its values are not those"), "{foreign}");
    let class = Limits { class: Some(secret(&even)), ..Limits::default() };
    let foreign = solve(diverse(&uneven), class).unwrap_err().to_string();
    assert!(foreign.starts_with("column 'ill': its values are not those"), "{foreign}");
    let weights = Limits { weights: vec![1.0], ..Limits::default() };
    let wrong = solve(diverse(&uneven), weights).unwrap_err().to_string();
    assert_eq!(wrong, "1 weight given for 4 cohorts; give one for each");
    let none = solve(Vec::new(), Limits::default()).unwrap_err().to_string();
    assert!(none.starts_with("no privacy model is given"), "{none}");
}

/// A reader would take the label of a group for the value that has the same name, so that records
/// would be published under a value that they do not have.
#[test]
fn a_group_named_like_a_value_of_other_records_is_refused() {
    let problem = |values: [&str; 4], csv: &str, force_labels: bool| {
        let table = Table::from_rows(&["place"], &values.map(|value| [value])).unwrap();
        let tree = Format::named("arx").unwrap().read(csv, Some("place")).unwrap();
        let models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(2).unwrap())];
        let limits = Limits { force_labels, ..Limits::default() };
        Problem::with_limits(&table, vec![tree.into()], models, limits)
    };
    let towns = ["Bath", "York", "Hull", "Hull"];
    let csv = "Bath;York;*\nYork;York;*\nHull;Hull;*\n";
    let refused = problem(towns, csv, false).unwrap_err();
    let said =
        "column 'place': in its hierarchy, the group of 'Bath' is called 'York', which is a value";
    assert!(refused.to_string().starts_with(said), "{refused}");
    assert!(problem(towns, csv, true).is_ok());
    // North America is spelt like a missing value.
    let countries = ["CA", "US", "FR", ""];
    let csv = "CA;NA;*\nUS;NA;*\nFR;EU;*\n";
    assert!(problem(countries, csv, false).is_ok());
    let missing = ["CA", "US", "FR", "NA"];
    let na = Encoding { na: vec!["NA".to_owned()], ..Encoding::default() };
    let table = Table::encode(&Columns::quasi(&["place"]), &missing.map(|v| [v]), &na).unwrap();
    let tree = Format::named("arx").unwrap().read(csv, Some("place")).unwrap();
    let models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(2).unwrap())];
    let refused = Problem::new(&table, vec![tree.into()], models).unwrap_err().to_string();
    assert!(refused.contains("the group of 'CA' is called 'NA', which is a value"), "{refused}");
}

/// A file is written only from a release of the same study, with the roles that it was made with.
#[test]
fn a_release_of_another_study_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, "age,sex\n20,F\n21,F\n60,M\n61,M\n").unwrap();
    let source = Source::open(&path, None).unwrap();
    let study = |columns: &[&str]| {
        let table = source.read(&Columns::quasi(columns), &ReadOptions::default(), &Silent);
        let demands = Demands { k: 2, ..Demands::default() };
        Study::new(&table.unwrap(), demands, None, &Silent).unwrap()
    };
    let release = |study: &Study| {
        let solved = study.search(&"hedge".parse().unwrap(), None, &Silent).unwrap();
        Release::new(&solved.recoding, &Style::default()).unwrap()
    };
    let (one, both) = (study(&["age"]), study(&["age", "sex"]));
    let publish = |study: &Study, release: &Release, quasi: &[&str]| {
        let roles: Vec<(&str, Role)> = quasi.iter().map(|&name| (name, Role::Quasi)).collect();
        let schema = Schema::new(source.header(), &roles).unwrap();
        let output = folder.path().join("r.csv");
        let output = Output::create_table(&output, true, &Inputs::of([&path])).unwrap();
        let (source, options) = (&source, &WriteOptions::default());
        let publication = Publication { study, source, schema: &schema, na: &[], options };
        let published = publication.publish(release, output, &Silent);
        published.map(|counted| counted.shown.n_rows()).map_err(|error| error.to_string())
    };
    assert_eq!(publish(&both, &release(&both), &["age", "sex"]), Ok(4));
    let other = publish(&both, &release(&one), &["age", "sex"]).unwrap_err();
    assert!(other.contains("another study"), "{other}");
    for quasi in [&["age"][..], &["sex", "age"], &[]] {
        let bare = publish(&both, &release(&both), quasi).unwrap_err();
        assert!(bare.contains("the quasi-identifiers of the schema"), "{bare}");
    }
}
