//! Mistakes that a caller of the library could make, such as publishing an unchecked proposal.

use std::sync::Arc;

use hedgerow::anonymize::{self, Anonymizer, Hedge, KMember, Optimal};
use hedgerow::builder::{self, Free, HierarchyBuilder};
use hedgerow::error::Flaw;
use hedgerow::format::Format;
use hedgerow::hierarchy::{Leaf, Node, RareValues};
use hedgerow::io::{Inputs, Output, ReadOptions, Source, WriteOptions};
use hedgerow::method::{Described, Description, Scope, Spec};
use hedgerow::population::Population;
use hedgerow::privacy::{self, ClassView, KAnonymity, KMap, Known, PrivacyModel, Secret};
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
            let refused = Recoding::of(&problem, proposed, &Silent).unwrap_err();
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
        Proposal::new(problem, n_cohorts, takes.collect())
    }
}

#[test]
fn a_careless_method_publishes_nothing_that_is_not_private() {
    let problem = problem();
    let recoding = problem.solve(&Careless { n_forgotten: 0 }, &Silent).unwrap();
    assert_eq!(recoding.flaw(&problem, &Silent).unwrap(), None);
    let forgotten = problem.solve(&Careless { n_forgotten: 1 }, &Silent);
    assert!(matches!(forgotten, Err(Error::Internal(_))), "{forgotten:?}");
    for (cohort, class) in [(99, 0), (0, 99)] {
        let (cohort, class) = (Cohort::new(cohort), Some(Class::new(class)));
        let takes = vec![Take { cohort, class, count: 1 }];
        let elsewhere = Proposal::with_regions(&problem, std::iter::empty(), takes);
        let refused = Recoding::of(&problem, elsewhere, &Silent).unwrap_err();
        assert!(matches!(refused, Error::Flawed(Flaw::UnknownIndex)), "{refused}");
    }
}

/// A model that no method knows: the number of records in each class must be even.
#[derive(Debug)]
struct Even;

impl PrivacyModel for Even {
    fn name(&self) -> &'static str {
        "even"
    }

    fn asked(&self) -> f64 {
        1.0
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        f64::from(class.size.is_multiple_of(2))
    }
}

/// Sizes alone decide about k-anonymity only; any other model is asked about each class.
#[test]
fn models_without_a_sensitive_column_are_asked_about_each_class() {
    let table = Table::from_rows(&["age"], &ROWS.map(|[age, _]| [age])).unwrap();
    let models: [fn() -> Box<dyn PrivacyModel>; 2] =
        [|| Box::new(KMap::new(2).unwrap()), || Box::new(Even)];
    for model in models {
        let built = builder::build(&"iotf".parse().unwrap(), &table.columns()[0], None);
        let problem = Problem::new(&table, vec![built.unwrap()], vec![model()]).unwrap();
        let alone = Careless { n_forgotten: 0 }.propose(&problem, &Silent).unwrap();
        assert!(!alone.is_private(&problem));
        let refused = Recoding::of(&problem, alone, &Silent).unwrap_err();
        assert!(matches!(refused, Error::Flawed(Flaw::NotPrivate)), "{refused}");
        for method in anonymize::ALL {
            let method = anonymize::from_spec(&Spec::named(method.name)).unwrap();
            let Ok(recoding) = problem.solve(method.as_ref(), &Silent) else { continue };
            assert!(recoding.sizes().iter().all(|&size| size > 1), "{}", method.name());
        }
        assert!(problem.solve(&Hedge::default(), &Silent).is_ok());
        assert!(problem.solve(&Optimal::default(), &Silent).is_ok());
    }
}

/// A method of another crate can be wrong about indices; that must not end the program.
#[test]
fn proposals_with_unknown_indices_are_errors() {
    let problem = problem();
    let take = |cohort, class| Take {
        cohort: Cohort::new(cohort),
        class: Some(Class::new(class)),
        count: 1,
    };
    for takes in [vec![take(99, 0)], vec![take(0, 1)]] {
        let refused = Proposal::new(&problem, 1, takes).unwrap_err();
        assert!(matches!(refused, Error::Flawed(Flaw::UnknownIndex)), "{refused}");
    }
    let mut elsewhere = Proposal::with_regions(&problem, std::iter::empty(), vec![take(0, 7)]);
    assert!(elsewhere.sizes().is_empty() && !elsewhere.is_private(&problem));
    let refused = elsewhere.suppress_failing(&problem).unwrap_err();
    assert!(matches!(refused, Error::Flawed(Flaw::UnknownIndex)), "{refused}");
    let n_leaves = problem.attributes()[0].n_leaves();
    for published in [vec![], vec![vec![Region::Unknown]], vec![vec![node(7); n_leaves]]] {
        let refused = Proposal::global(&problem, &published).unwrap_err();
        assert!(matches!(refused, Error::Flawed(Flaw::OtherProblem)), "{refused}");
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
    let refused = Recoding::of(&problem, proposed, &Silent).unwrap_err();
    assert!(matches!(refused, Error::Flawed(Flaw::OtherProblem)), "{refused}");
    let [first, last] = [0, 99].map(Leaf::new);
    for region in [Region::Interval(first, last), Region::Interval(last, first), node(77)] {
        let cohorts = problem.cohorts().counted();
        let class = Some(Class::new(0));
        let takes = cohorts.map(|(cohort, count)| Take { cohort, class, count }).collect();
        let regions: [Box<[Region]>; 1] = [[region].into()];
        let elsewhere = Proposal::with_regions(&problem, regions.into_iter(), takes);
        let refused = Recoding::of(&problem, elsewhere, &Silent).unwrap_err();
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
        Release::new(&solved.recoding, &Style::default(), &Silent).unwrap()
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

/// Writes a table to a file, reads some of its columns, and publishes it with these roles.
fn published(csv: &str, read: &Columns, roles: &[(&str, Role)]) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, csv).unwrap();
    let source = Source::open(&path, None).unwrap();
    let schema = Schema::new(source.header(), roles).unwrap();
    published_from(&source, &source, read, &schema)
}

/// Reads a table from one source and publishes it from another.
fn published_from(
    source: &Source,
    written: &Source,
    read: &Columns,
    schema: &Schema,
) -> Result<String, String> {
    let table = source.read(read, &ReadOptions::default(), &Silent).unwrap();
    let demands = Demands { k: 2, ..Demands::default() };
    let study = &Study::new(&table, demands, None, &Silent).unwrap();
    let solved = study.search(&"hedge".parse().unwrap(), None, &Silent).unwrap();
    let release = Release::new(&solved.recoding, &Style::default(), &Silent).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.csv");
    let output = Output::create_table(&path, false, &Inputs::default()).unwrap();
    let options = &WriteOptions::default();
    let publication = Publication { study, source: written, schema, na: &[], options };
    let done = publication.publish(&release, output, &Silent);
    assert_eq!(path.exists(), done.is_ok());
    done.map_err(|error| error.to_string())?;
    Ok(std::fs::read_to_string(&path).unwrap())
}

/// Columns are written by position, so a schema of another header would publish the wrong ones.
#[test]
fn a_schema_of_another_header_or_another_source_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, csv: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, csv).unwrap();
        Source::open(&path, None).unwrap()
    };
    let source =
        open("t.csv", "age,city,ssn\n20,Bath,111\n21,Bath,222\n60,York,333\n61,York,444\n");
    let roles = [("age", Role::Quasi), ("ssn", Role::Identifier), ("city", Role::Insensitive)];
    let age = Columns::quasi(&["age"]);
    let own = Schema::new(source.header(), &roles).unwrap();
    assert!(published_from(&source, &source, &age, &own).is_ok());
    let header = ["age", "ssn", "city"].map(str::to_owned);
    let other = Schema::new(&header, &roles).unwrap();
    let refused = published_from(&source, &source, &age, &other).unwrap_err();
    assert!(refused.contains("columns of the schema are not those of the source"), "{refused}");
    let alike = open("u.csv", "age,city,ssn\n20,a,1\n21,b,2\n60,c,3\n61,d,4\n");
    let refused = published_from(&source, &alike, &age, &own).unwrap_err();
    assert!(refused.contains("not made from the records of this source"), "{refused}");
}

#[test]
fn columns_that_nobody_decided_about_or_examined_are_not_published() {
    let csv = "name,email,age\nAnn Smith,a@x.org,20\nBob Miller,b@x.org,21\nEve Jones,e@x.org,60\n\
               John Brown,j@x.org,61\n";
    let age = Columns::quasi(&["age"]);
    let refused = published(csv, &age, &[("age", Role::Quasi)]).unwrap_err();
    assert!(
        refused.contains("name   it has no role, and its values were not examined"),
        "{refused}"
    );
    let roles = [("age", Role::Quasi), ("name", Role::Dropped), ("email", Role::Identifier)];
    assert!(published(csv, &age, &roles).unwrap().starts_with("age\n"));
}

#[test]
fn people_of_the_schema_are_those_of_the_table() {
    let csv = "id,age\n1,20\n1,20\n1,20\n2,60\n2,60\n2,61\n";
    let (rows, people) = (Columns::quasi(&["age"]), Columns::quasi(&["age"]).and_person("id"));
    let roles = |id| [("age", Role::Quasi), ("id", id)];
    for (read, id) in [(&rows, Role::Person), (&people, Role::Insensitive)] {
        let refused = published(csv, read, &roles(id)).unwrap_err();
        assert!(refused.contains("the same column of people"), "{refused}");
    }
    let all = "age\n*\n*\n*\n*\n*\n*\n";
    assert_eq!(published(csv, &people, &roles(Role::Person)).unwrap(), all);
}

/// A person with six records counts once, so the distribution of the table is another.
#[test]
fn a_model_of_the_same_records_without_their_people_is_refused() {
    let rows: Vec<[String; 3]> = (0..12)
        .map(|i| {
            let (ill, id) = if i < 6 { ("flu", 0) } else { ("cold", i) };
            [(20 + i).to_string(), ill.to_owned(), id.to_string()]
        })
        .collect();
    let bare: Vec<[String; 2]> =
        rows.iter().map(|[age, ill, _]| [age, ill].map(Clone::clone)).collect();
    let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
    let without = Table::encode(&columns, &bare, &Encoding::default()).unwrap();
    let people = Table::encode(&columns.and_person("id"), &rows, &Encoding::default()).unwrap();
    let close = |of: &Table| {
        let secrets = [Arc::new(Secret::of(of, "ill").unwrap())];
        let known = Known { table: of, secrets: &secrets, has_population: false };
        let models = privacy::from_spec(&"t-closeness:t=0.05".parse().unwrap(), &known).unwrap();
        let free = Free.build(&people.columns()[0]).unwrap();
        Problem::new(&people, vec![free], models)
    };
    assert!(close(&people).is_ok());
    let refused = close(&without).unwrap_err().to_string();
    assert!(refused.contains("'ill'") && refused.contains("another table"), "{refused}");
}

#[test]
fn a_population_with_other_columns_is_refused() {
    let rows = [["20", "60"], ["21", "61"], ["60", "20"], ["61", "21"]];
    let sample = Table::from_rows(&["age", "weight"], &rows).unwrap();
    let study = |names: [&str; 2]| {
        let population = Table::from_rows(&names, &rows.repeat(100)).unwrap();
        let privacy = vec!["k-map:k=50".parse().unwrap()];
        let demands = Demands { k: 1, privacy, ..Demands::default() };
        Study::new(&sample, demands, Some(Population::new(population)), &Silent)
    };
    assert!(study(["age", "weight"]).is_ok());
    for names in [["weight", "age"], ["height", "shoe"]] {
        let refused = study(names).unwrap_err().to_string();
        assert!(refused.contains("the population has the columns"), "{refused}");
    }
}

#[test]
fn weights_are_finite_and_not_negative() {
    let table = Table::from_rows(&["age"], &[["20"], ["21"], ["60"], ["61"]]).unwrap();
    for weight in [f64::INFINITY, f64::NAN, -5.0] {
        let free = Free.build(&table.columns()[0]).unwrap();
        let models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KMap::new(100).unwrap())];
        let limits = Limits { weights: vec![weight; 4], ..Limits::default() };
        let refused = Problem::with_limits(&table, vec![free], models, limits).unwrap_err();
        assert!(refused.to_string().contains("has the weight"), "{refused}");
    }
}

#[test]
fn a_study_searches_only_with_methods_that_recode_as_it_demands() {
    let rows: Vec<[String; 1]> = (0..40).map(|i| [(20 + i * 7 % 31).to_string()]).collect();
    let table = Table::from_rows(&["age"], &rows).unwrap();
    let demands = Demands { k: 3, recoding: Scope::FullDomain, ..Demands::default() };
    let study = Study::new(&table, demands, None, &Silent).unwrap();
    let refused = study.search(&"hedge".parse().unwrap(), None, &Silent).unwrap_err().to_string();
    assert!(refused.contains("the recoding must be full-domain"), "{refused}");
    assert!(study.search(&"optimal".parse().unwrap(), None, &Silent).is_ok());
}

#[test]
fn a_proposal_that_spells_out_rare_values_or_lacks_regions_is_refused() {
    let jobs = ["spy", "nurse", "nurse", "nurse", "baker", "baker", "baker"].map(|job| [job]);
    let table = Table::from_rows(&["job"], &jobs).unwrap();
    let problem = |rare_values| {
        let free = Free.build(&table.columns()[0]).unwrap();
        let models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(3).unwrap())];
        let limits = Limits { rare_values, ..Limits::default() };
        Problem::with_limits(&table, vec![free], models, limits).unwrap()
    };
    let shown = Hedge::default().propose(&problem(RareValues::Show), &Silent).unwrap();
    let refused = Recoding::of(&problem(RareValues::Hide), shown, &Silent).unwrap_err();
    assert!(matches!(refused, Error::Flawed(Flaw::RareValue)), "{refused}");

    let rows = [["1", "2"], ["1", "2"], ["2", "4"], ["2", "4"]];
    let table = Table::from_rows(&["a", "b"], &rows).unwrap();
    let free = table.columns().iter().map(|column| Free.build(column).unwrap()).collect();
    let model = Box::new(KAnonymity::new(2).unwrap());
    let problem = Problem::new(&table, free, vec![model]).unwrap();
    let good = Hedge::default().propose(&problem, &Silent).unwrap();
    let short = (0..2).map(|shape| Box::from([good.region(shape, 0).clone()]));
    let lacking = Proposal::with_regions(&problem, short, good.takes().to_vec());
    let refused = Recoding::of(&problem, lacking, &Silent).unwrap_err();
    assert!(matches!(refused, Error::Flawed(Flaw::NotCovered)), "{refused}");
}

#[test]
fn a_sensitive_column_that_was_not_read_is_not_passed_over() {
    let rows = [["20", "flu", "1"], ["21", "cold", "1"], ["60", "flu", "1"], ["61", "cold", "1"]];
    let names = ["ill", "wage"].map(str::to_owned).to_vec();
    let study = |read: &[&str]| {
        let bare: Vec<Vec<&str>> = rows.iter().map(|row| row[..=read.len()].to_vec()).collect();
        let columns = Columns::quasi(&["age"]).and_beside(read);
        let table = Table::encode(&columns, &bare, &Encoding::default()).unwrap();
        let privacy = vec!["l-diversity:l=1".parse().unwrap()];
        let demands = Demands { k: 2, privacy, sensitive: names.clone(), ..Demands::default() };
        Study::new(&table, demands, None, &Silent)
    };
    assert!(study(&["ill", "wage"]).is_ok());
    let refused = study(&["ill"]).unwrap_err().to_string();
    assert!(refused.starts_with("column 'wage': a privacy model uses it"), "{refused}");
}
