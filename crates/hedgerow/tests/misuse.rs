//! Mistakes with files, regions and recipes that a caller of the library could make.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};

use hedgerow::anonymize::Hedge;
use hedgerow::builder::{Asked, Free, HierarchyBuilder};
use hedgerow::error::Flaw;
use hedgerow::format::Format;
use hedgerow::guard;
use hedgerow::hierarchy::{Generalization, Leaf, RareValues};
use hedgerow::io::{Inputs, Output, ReadOptions, Source, WriteOptions};
use hedgerow::job::{Job, Prepared};
use hedgerow::method::Scope;
use hedgerow::population::Population;
use hedgerow::privacy::{KAnonymity, PrivacyModel};
use hedgerow::problem::{Limits, Problem, Region};
use hedgerow::progress::Silent;
use hedgerow::proposal::{Class, Proposal, Take};
use hedgerow::publish::Publication;
use hedgerow::recipe::Recipe;
use hedgerow::recoding::Recoding;
use hedgerow::release::{Release, Style};
use hedgerow::schema::{Role, Schema};
use hedgerow::study::{Demands, Study};
use hedgerow::table::{Columns, Encoding, Kind, Table};
use hedgerow::{Error, Result};

const PLAIN: &str = "age,note\n20,x\n21,x\n22,y\n60,y\n61,x\n62,y\n";
const MAILS: &str =
    "age,note\n20,a@x.org\n21,b@x.org\n22,c@x.org\n60,d@x.org\n61,e@x.org\n62,f@x.org\n";

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// A study of the ages of a file, and its release by `hedge`.
fn released(source: &Source) -> (Study, Release) {
    let table = source.read(&Columns::quasi(&["age"]), &ReadOptions::default(), &Silent).unwrap();
    let study = Study::new(&table, Demands { k: 2, ..Demands::default() }, None, &Silent);
    let study = study.unwrap();
    let recoding = study.problem().solve(&Hedge::default(), &Silent).unwrap();
    let release = Release::new(&recoding, &Style::default()).unwrap();
    (study, release)
}

/// Publishes a release, and counts it without writing; the two agree on what they refuse.
fn publish(source: &Source, schema: &Schema, (study, release): &(Study, Release)) -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.csv");
    let options = &WriteOptions::default();
    let publication = Publication { study, source, schema, na: &[], options };
    let output = Output::create_table(&path, false, &Inputs::default()).unwrap();
    let done = publication.publish(release, output, &Silent).map(|_| ());
    assert_eq!(path.exists(), done.is_ok());
    done
}

/// Columns without a role are published from the file in which they were examined, and from no
/// other.
#[test]
fn a_look_at_another_file_decides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name, text| Source::open(&written(folder.path(), name, text), None).unwrap();
    let (plain, mails) = (open("plain.csv", PLAIN), open("mails.csv", MAILS));
    let admitted = |looked: &Source, schema: Schema| {
        let columns = [Columns::quasi(&["age"])];
        let options = ReadOptions::default();
        let (_, glance) = looked.read_and_look(&columns, &[0, 1], &options, &Silent).unwrap();
        guard::admit(schema, &glance)
    };
    let schema = |source: &Source| Schema::new(source.header(), &[("age", Role::Quasi)]).unwrap();
    let own = admitted(&plain, schema(&plain)).unwrap().0;
    publish(&plain, &own, &released(&plain)).unwrap();
    assert!(admitted(&mails, schema(&mails)).is_err());
    let foreign = admitted(&plain, schema(&mails)).unwrap().0;
    let refused = publish(&mails, &foreign, &released(&mails)).unwrap_err();
    assert!(matches!(refused, Error::Undecided { .. }), "{refused}");
}

/// The other columns are copied from the file as it is when it is written.
#[test]
fn a_file_that_was_replaced_after_it_was_read_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "t.csv", PLAIN);
    let source = Source::open(&path, None).unwrap();
    let roles = [("age", Role::Quasi), ("note", Role::Insensitive)];
    let schema = Schema::new(source.header(), &roles).unwrap();
    let done = released(&source);
    publish(&source, &schema, &done).unwrap();
    written(folder.path(), "t.csv", MAILS);
    let refused = publish(&source, &schema, &done).unwrap_err();
    assert!(matches!(refused, Error::InputChanged), "{refused}");
}

#[test]
fn what_cannot_be_published_cannot_be_counted_either() {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::open(&written(folder.path(), "t.csv", PLAIN), None).unwrap();
    let (study, release) = &released(&source);
    let header = ["note", "age"].map(str::to_owned);
    let roles = [("age", Role::Quasi), ("note", Role::Insensitive)];
    let (schema, options) = (&Schema::new(&header, &roles).unwrap(), &WriteOptions::default());
    let publication = Publication { study, source: &source, schema, na: &[], options };
    let refused = publication.count(release).unwrap_err().to_string();
    assert!(refused.contains("the columns of the schema are not those of the source"), "{refused}");
}

/// A problem can be solved without its study, by any method.
#[test]
fn a_recoding_that_is_less_uniform_than_demanded_is_refused() {
    let ages: Vec<[String; 1]> = (0..40).map(|i| [(20 + i * 7 % 31).to_string()]).collect();
    let table = Table::from_rows(&["age"], &ages).unwrap();
    let study = |recoding| {
        let demands = Demands { k: 2, recoding, ..Demands::default() };
        Study::new(&table, demands, None, &Silent).unwrap()
    };
    let local = study(Scope::Local);
    let found = local.problem().solve(&Hedge::default(), &Silent).unwrap();
    assert_ne!(found.scope(), Scope::FullDomain);
    let uniform = study(Scope::FullDomain);
    let refused = uniform.problem().solve(&Hedge::default(), &Silent).unwrap_err().to_string();
    assert!(refused.contains("but it must be full-domain"), "{refused}");
    let solved = uniform.search(&"optimal".parse().unwrap(), None, &Silent).unwrap();
    assert_eq!(solved.recoding.scope(), Scope::FullDomain);
}

/// Leaves without a tree are codes, which mean something else in another column.
#[test]
fn intervals_and_sets_of_another_column_are_refused() {
    let rows = [["20", "60"], ["21", "61"], ["60", "95"], ["61", "99"]];
    let table = Table::from_rows(&["age", "weight"], &rows).unwrap();
    let free = |place: usize| Free.build(&table.columns()[place]).unwrap();
    let problem = |ways: Vec<Generalization>| {
        let models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(2).unwrap())];
        Problem::new(&table, ways, models)
    };
    assert!(problem(vec![free(0), free(1)]).is_ok());
    let refused = problem(vec![free(1), free(0)]).unwrap_err().to_string();
    assert!(refused.starts_with("column 'age': its intervals or sets"), "{refused}");
}

/// Two copies of one record are not two people.
#[test]
fn a_bootstrap_sample_is_not_published() {
    let rows: Vec<[String; 1]> = (0..30).map(|i| [(20 + i).to_string()]).collect();
    let sample = Table::from_rows(&["age"], &rows).unwrap().bootstrap(1);
    let demands = Demands { k: 2, ..Demands::default() };
    let study = Study::new(&sample, demands, None, &Silent).unwrap();
    let solved = study.search(&"hedge".parse().unwrap(), None, &Silent).unwrap();
    let release = Release::new(&solved.recoding, &Style::default()).unwrap();
    assert!(release.rows().is_err() && release.mapping().is_err());
    let refused = Recipe::of(&study, &release).unwrap_err().to_string();
    assert!(refused.contains("copies of records"), "{refused}");
}

/// What a record demands is private, also where no job assigns the roles.
#[test]
fn a_column_of_demands_is_not_published() {
    let folder = tempfile::tempdir().unwrap();
    let csv = "age,ill,demand\n20,a,a\n21,b,b\n60,a,a\n61,b,b\n";
    let source = Source::open(&written(folder.path(), "t.csv", csv), None).unwrap();
    let columns = Columns::quasi(&["age"]).and_beside(&["ill", "demand"]);
    let table = source.read(&columns, &ReadOptions::default(), &Silent).unwrap();
    let demands = Demands {
        k: 2,
        privacy: vec!["personalized:p=0.9,guard=demand".parse().unwrap()],
        sensitive: vec!["ill".to_owned()],
        hierarchies: [("ill".to_owned(), Asked::Method("frequency".parse().unwrap()))].into(),
        ..Demands::default()
    };
    let study = Study::new(&table, demands, None, &Silent).unwrap();
    let solved = study.search(&"hedge".parse().unwrap(), None, &Silent).unwrap();
    let done = (study, Release::new(&solved.recoding, &Style::default()).unwrap());
    let schema = |demand| {
        let roles = [("age", Role::Quasi), ("ill", Role::Sensitive), ("demand", demand)];
        Schema::new(source.header(), &roles).unwrap()
    };
    publish(&source, &schema(Role::Identifier), &done).unwrap();
    let refused = publish(&source, &schema(Role::Insensitive), &done).unwrap_err().to_string();
    assert!(refused.starts_with("column 'demand': it states what records guard"), "{refused}");
}

/// One class of all records that publishes `region`.
fn one_class(problem: &Problem, region: Region) -> Result<Recoding> {
    let class = Some(Class::new(0));
    let cohorts = problem.cohorts().counted();
    let takes = cohorts.map(|(cohort, count)| Take { cohort, class, count }).collect();
    let regions: [Box<[Region]>; 1] = [[region].into()];
    Recoding::of(problem, Proposal::with_regions(problem, regions.into_iter(), takes))
}

fn problem_of(table: &Table, way: Generalization, limits: Limits) -> Problem {
    let models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(2).unwrap())];
    Problem::with_limits(table, vec![way], models, limits).unwrap()
}

/// Limits are checked for nodes, so other regions must not take their place.
#[test]
fn intervals_and_sets_are_not_regions_of_a_tree() {
    let table = Table::from_rows(&["city"], &[["Bath"], ["Bath"], ["York"], ["York"]]).unwrap();
    let tree = "Bath;South;*\nYork;North;*\n";
    let tree = || Format::named("arx").unwrap().read(tree, Some("city")).unwrap().into();
    let caps = [("city".to_owned(), vec!["level:1".to_owned()])].into();
    let limited = problem_of(&table, tree(), Limits { caps, ..Limits::default() });
    let [first, last] = [0, 1].map(Leaf::new);
    let both: Box<[Leaf]> = [first, last].into();
    for region in
        [Region::Interval(first, last), Region::Set(both.clone()), Region::PartialSet(both, 1)]
    {
        let refused = one_class(&limited, region).unwrap_err();
        assert!(matches!(refused, Error::Flawed(Flaw::OtherProblem)), "{refused}");
    }
}

#[test]
fn partial_sets_name_no_rare_value_and_exist_only_where_some_are_hidden() {
    let jobs = ["baker", "baker", "nurse", "nurse", "spy"].map(|job| [job]);
    let table = Table::from_rows(&["job"], &jobs).unwrap();
    let free = || Free.build(&table.columns()[0]).unwrap();
    let [shown, hidden] = [RareValues::Show, RareValues::Hide]
        .map(|rare_values| problem_of(&table, free(), Limits { rare_values, ..Limits::default() }));
    let [baker, nurse, spy] = [0, 1, 2].map(Leaf::new);
    let partial = |named: &[Leaf], n_more| Region::PartialSet(named.into(), n_more);
    for region in [partial(&[baker, nurse], 1), partial(&[baker], 2)] {
        assert!(one_class(&shown, region).is_err());
    }
    // Naming the rare value gives the same region as not naming it.
    let spelt = one_class(&hidden, partial(&[baker, nurse, spy], 0)).unwrap();
    assert_eq!(*spelt.region(0, 0), partial(&[baker, nurse], 1));
    for region in [partial(&[nurse, baker], 1), Region::Set([baker, baker, nurse].into())] {
        let refused = one_class(&hidden, region).unwrap_err();
        assert!(matches!(refused, Error::Flawed(Flaw::OtherProblem)), "{refused}");
    }
}

#[test]
fn a_population_is_matched_by_its_columns() {
    let rows = [["20", "60"], ["21", "61"]];
    let [own, other] = [["age", "weight"], ["weight", "age"]]
        .map(|names| Table::from_rows(&names, &rows).unwrap());
    let population = Population::new(own.clone());
    assert_eq!(population.members(&own).unwrap(), [1, 1]);
    assert!(population.members(&other).is_err());
    assert!(population.weights(&other).is_err());
    assert!(population.covered(&other, &[].into()).is_err());
}

/// A table that is read once serves only jobs that read it in the same way.
#[test]
fn a_prepared_table_refuses_jobs_that_read_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "t.csv", PLAIN);
    let job = Job::new(path.clone(), "".into(), vec!["age".to_owned()], 2);
    let source = Source::open(&path, None).unwrap();
    let prepared = Prepared::read(std::slice::from_ref(&job), source, &Silent).unwrap();
    prepared.run(&Job { seed: 3, ..job.clone() }, &Silent).unwrap();
    let kind = [("age".to_owned(), Kind::Text)].into();
    let others = [
        Job { kind, ..job.clone() },
        Job { na: vec!["20".to_owned()], ..job.clone() },
        Job { delimiter: Some(';'), ..job },
    ];
    for other in others {
        let refused = prepared.run(&other, &Silent).unwrap_err().to_string();
        assert!(refused.contains("was not read in the way that this job asks for"), "{refused}");
    }
}

/// A recipe must not publish what records demand, nor forget a hierarchy that a model uses.
#[test]
fn recipes_keep_demands_private_and_refuse_hierarchies_in_memory() {
    let rows: Vec<[&str; 3]> =
        vec![["20", "a", "a"], ["21", "b", "b"], ["60", "a", "a"], ["61", "b", "b"]];
    let columns = Columns::quasi(&["age"]).and_beside(&["ill", "demand"]);
    let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
    let tree = Format::named("arx").unwrap().read("a;*\nb;*\n", Some("ill")).unwrap();
    let recipe = |hierarchies| {
        let privacy = vec!["personalized:p=0.9,guard=demand".parse().unwrap()];
        let sensitive = vec!["ill".to_owned()];
        let demands = Demands { k: 2, privacy, sensitive, hierarchies, ..Demands::default() };
        let study = Study::new(&table, demands, None, &Silent)?;
        let solved = study.search(&"hedge".parse()?, None, &Silent)?;
        Recipe::of(&study, &Release::new(&solved.recoding, &Style::default())?)
    };
    let given = Asked::Given(tree.into());
    let refused = recipe([("ill".to_owned(), given)].into()).unwrap_err().to_string();
    assert!(refused.starts_with("column 'ill': its hierarchy was given in memory"), "{refused}");
    let named = Asked::Method("frequency".parse().unwrap());
    let recipe = recipe([("ill".to_owned(), named)].into()).unwrap();
    let roles: Vec<(&str, Role)> = recipe.roles().collect();
    let expected = [("age", Role::Quasi), ("ill", Role::Sensitive), ("demand", Role::Identifier)];
    assert_eq!(roles, expected);
}
