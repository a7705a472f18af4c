//! Mistakes with files, regions and recipes that a caller of the library could make.

use std::path::{Path, PathBuf};

use hedgerow::anonymize::{Anonymizer, Hedge};
use hedgerow::builder::{Asked, Free, HierarchyBuilder};
use hedgerow::error::{Flaw, Misuse};
use hedgerow::format::Format;
use hedgerow::guard::{self, Glance};
use hedgerow::hierarchy::{Generalization, Hierarchy, Leaf, Leaves, RareValues};
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
use hedgerow::release::{Release, RowOrder, Style};
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

/// The mistake that an error is about.
fn misuse(error: Error) -> Misuse {
    let Error::Misuse { misuse, .. } = error else { panic!("{error}") };
    misuse
}

/// A study of the ages of a file, and its release by `hedge`.
fn released(source: &Source) -> (Study, Release) {
    let table = source.read(&Columns::quasi(&["age"]), &ReadOptions::default(), &Silent).unwrap();
    let study = Study::new(&table, Demands { k: 2, ..Demands::default() }, None, &Silent);
    let study = study.unwrap();
    let recoding = study.problem().solve(&Hedge::default(), &Silent).unwrap();
    let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
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
    let refused = publication.count(release, &Silent).unwrap_err();
    assert_eq!(misuse(refused), Misuse::OtherHeader);
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
    let refused = uniform.problem().solve(&Hedge::default(), &Silent).unwrap_err();
    assert!(matches!(refused, Error::Unreachable { .. }), "{refused}");
    let proposed = Hedge::default().propose(uniform.problem(), &Silent).unwrap();
    let refused = Recoding::of(uniform.problem(), proposed, &Silent).unwrap_err();
    let Error::Flawed(Flaw::LessUniform { asked, found }) = refused else { panic!("{refused}") };
    assert_eq!((asked, found), ("full-domain", "global"));
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
    let refused = problem(vec![free(1), free(0)]).unwrap_err();
    assert_eq!(misuse(refused), Misuse::OtherValues { column: "age".to_owned() });
    let refused = problem(vec![free(0)]).unwrap_err();
    assert_eq!(misuse(refused), Misuse::Generalizations { given: 1, columns: 2 });
}

/// Two copies of one record are not two people.
#[test]
fn a_bootstrap_sample_is_not_published() {
    let rows: Vec<[String; 1]> = (0..30).map(|i| [(20 + i).to_string()]).collect();
    let sample = Table::from_rows(&["age"], &rows).unwrap().bootstrap(1);
    let demands = Demands { k: 2, ..Demands::default() };
    let study = Study::new(&sample, demands, None, &Silent).unwrap();
    let solved = study.search(&"hedge".parse().unwrap(), None, &Silent).unwrap();
    let release = Release::new(&solved.recoding, &Style::default(), &Silent).unwrap();
    assert!(release.rows(RowOrder::Input, &Silent).is_err() && release.mapping(&Silent).is_err());
    let refused = Recipe::of(&study, &release, &Silent).unwrap_err();
    assert_eq!(misuse(refused), Misuse::Copies);
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
    let done = (study, Release::new(&solved.recoding, &Style::default(), &Silent).unwrap());
    let schema = |demand| {
        let roles = [("age", Role::Quasi), ("ill", Role::Sensitive), ("demand", demand)];
        Schema::new(source.header(), &roles).unwrap()
    };
    publish(&source, &schema(Role::Identifier), &done).unwrap();
    let refused = publish(&source, &schema(Role::Insensitive), &done).unwrap_err();
    assert_eq!(misuse(refused), Misuse::PublishedGuard { column: "demand".to_owned() });
}

/// A sensitive column that the demands forget would be published without a model, and no report
/// would name it.
#[test]
fn a_schema_with_other_sensitive_columns_than_the_demands_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::open(&written(folder.path(), "t.csv", PLAIN), None).unwrap();
    let schema = |role| {
        let roles = [("age", Role::Quasi), ("note", role)];
        Schema::new(source.header(), &roles).unwrap()
    };
    let done = released(&source);
    publish(&source, &schema(Role::Insensitive), &done).unwrap();
    for role in [Role::Sensitive, Role::Class] {
        let refused = publish(&source, &schema(role), &done).unwrap_err();
        let (column, role) = ("note".to_owned(), role.name());
        assert_eq!(misuse(refused), Misuse::OtherRole { column, role });
    }
    let sensitive = schema(Role::Sensitive);
    let demands = Demands { k: 2, ..Demands::of(&sensitive) };
    let columns = demands.columns(&sensitive).unwrap();
    let table = source.read(&columns, &ReadOptions::default(), &Silent).unwrap();
    let study = Study::new(&table, demands, None, &Silent).unwrap();
    let solved = study.search(study.method(), None, &Silent).unwrap();
    let release = Release::new(&solved.recoding, &Style::default(), &Silent).unwrap();
    let done = (study, release);
    publish(&source, &sensitive, &done).unwrap();
    assert!(publish(&source, &schema(Role::Insensitive), &done).is_err());
}

/// One class of all records that publishes `region`.
fn one_class(problem: &Problem, region: Region) -> Result<Recoding> {
    let class = Some(Class::new(0));
    let cohorts = problem.cohorts().counted();
    let takes = cohorts.map(|(cohort, count)| Take { cohort, class, count }).collect();
    let regions: [Box<[Region]>; 1] = [[region].into()];
    Recoding::of(problem, Proposal::with_regions(problem, regions.into_iter(), takes), &Silent)
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
    let names = |of: &Table| of.columns().iter().map(|column| column.name.clone()).collect();
    let foreign = Misuse::OtherPopulation { population: names(&own), table: names(&other) };
    assert_eq!(misuse(population.members(&other).unwrap_err()), foreign);
    assert!(population.weights(&other, &Silent).is_err());
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
        let refused = prepared.run(&other, &Silent).unwrap_err();
        assert_eq!(misuse(refused), Misuse::ReadOtherwise);
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
        Recipe::of(&study, &Release::new(&solved.recoding, &Style::default(), &Silent)?, &Silent)
    };
    let given = Asked::Given(tree.into());
    let refused = recipe([("ill".to_owned(), given)].into()).unwrap_err();
    assert_eq!(misuse(refused), Misuse::HierarchyInMemory { column: "ill".to_owned() });
    let named = Asked::Method("frequency".parse().unwrap());
    let recipe = recipe([("ill".to_owned(), named)].into()).unwrap();
    let roles: Vec<(&str, Role)> = recipe.roles().collect();
    let expected = [("age", Role::Quasi), ("ill", Role::Sensitive), ("demand", Role::Identifier)];
    assert_eq!(roles, expected);
}

/// A caller who forgets to list the inputs of an output still does not lose the original.
#[test]
fn a_release_does_not_replace_the_file_that_it_was_made_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "t.csv", PLAIN);
    let source = Source::open(&path, None).unwrap();
    let roles = [("age", Role::Quasi), ("note", Role::Insensitive)];
    let schema = &Schema::new(source.header(), &roles).unwrap();
    let (study, release) = &released(&source);
    let options = &WriteOptions::default();
    let publication = Publication { study, source: &source, schema, na: &[], options };
    let output = Output::create_table(&path, true, &Inputs::default()).unwrap();
    let refused = publication.publish(release, output, &Silent).unwrap_err();
    assert!(refused.to_string().contains("this file is an input"), "{refused}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), PLAIN);
}

/// A hierarchy of a misspelt column would be ignored, and another one chosen.
#[test]
fn hierarchies_of_unknown_columns_and_times_that_are_no_limits_are_refused() {
    let table = Table::from_rows(&["age"], &[["20"], ["21"], ["60"], ["61"]]).unwrap();
    let study = |column: &str, time| {
        let asked = Asked::Method("iotf".parse().unwrap());
        let hierarchies = [(column.to_owned(), asked)].into();
        let demands = Demands { k: 2, hierarchies, time, ..Demands::default() };
        Study::new(&table, demands, None, &Silent)
    };
    let own = study("age", None).unwrap();
    let refused = study("agee", None).unwrap_err();
    let Error::UnknownColumn { name, suggestion, .. } = refused else { panic!("{refused}") };
    assert_eq!((name.as_str(), suggestion.as_deref()), ("agee", Some("age")));
    for seconds in [f64::NAN, -1.0, 0.0] {
        assert!(matches!(study("age", Some(seconds)), Err(Error::Invalid { .. })), "{seconds}");
        let searched = own.search(&"hedge".parse().unwrap(), Some(seconds), &Silent);
        assert!(matches!(searched, Err(Error::Invalid { .. })), "{seconds}");
    }
}

#[test]
fn columns_that_are_named_twice_or_do_not_exist_are_refused() {
    let twice = Table::from_rows(&["age", "age"], &[["20", "1"], ["21", "2"]]).unwrap_err();
    assert!(matches!(twice, Error::Column { .. }), "{twice}");
    let columns = Columns::quasi(&["age"]).and_person("age");
    let twice = Table::encode(&columns, &[["20", "20"]], &Encoding::default()).unwrap_err();
    assert!(matches!(twice, Error::Column { .. }), "{twice}");
    let folder = tempfile::tempdir().unwrap();
    let source = Source::open(&written(folder.path(), "t.csv", PLAIN), None).unwrap();
    let columns = [Columns::quasi(&["age"])];
    let looked = source.read_and_look(&columns, &[0, 2], &ReadOptions::default(), &Silent);
    assert_eq!(misuse(looked.unwrap_err()), Misuse::NoColumn { place: 2, columns: 2 });
}

/// Rows with too few fields are looked at as far as they go.
#[test]
fn a_look_at_ragged_rows_does_not_panic() {
    let header = ["age", "note"].map(str::to_owned);
    let rows = [vec!["20"], vec!["21", "a@x.org"], vec!["22", "b@x.org", "z"]];
    let schema = Schema::new(&header, &[("age", Role::Quasi)]).unwrap();
    let refused = guard::admit(schema, &Glance::of_rows(&header, &rows, &[])).unwrap_err();
    assert!(refused.to_string().contains("e-mail addresses"), "{refused}");
}

#[test]
fn ranges_that_are_not_a_tree_are_a_mistake_of_the_caller() {
    let table = Table::from_rows(&["age"], &[["20"], ["21"], ["60"]]).unwrap();
    let leaves = || Leaves::of("age", &table.columns()[0].domain);
    let tree = [(0, 3), (0, 2), (0, 1), (1, 2), (2, 3)];
    assert!(Hierarchy::from_ranges(leaves(), &tree).is_ok());
    let others: [&[(u32, u32)]; 4] =
        [&[], &[(0, 3)], &[(0, 9)], &[(0, 3), (0, 2), (0, 1), (1, 3), (2, 3)]];
    for ranges in others {
        let refused = misuse(Hierarchy::from_ranges(leaves(), ranges).unwrap_err());
        assert!(matches!(refused, Misuse::NotATree { .. }), "{refused}");
    }
    let uncounted = Leaves { counts: vec![1], ..leaves() };
    assert!(Hierarchy::from_ranges(uncounted, &tree).is_err());
}
