//! Stages of the flow in memory: each looks often enough at whether its caller still wants it.

use std::sync::atomic::{AtomicUsize, Ordering};

use hedgerow::anonymize::{Anonymizer, Hedge, KMember, Mondrian};
use hedgerow::io::{ReadOptions, Source, WriteOptions};
use hedgerow::job::{self, Job};
use hedgerow::population::Population;
use hedgerow::progress::{Progress, Silent};
use hedgerow::publish::Publication;
use hedgerow::recipe::{Recipe, Unseen};
use hedgerow::recoding::Recoding;
use hedgerow::release::{Release, RowOrder, Style};
use hedgerow::schema::{Role, Schema};
use hedgerow::study::{Basis, Demands, Study};
use hedgerow::table::{Columns, Counted, Encoding, Table};
use hedgerow::{Error, Result};

/// Cancels a run after some looks.
struct Impatient {
    looks: AtomicUsize,
    patience: usize,
}

impl Progress for Impatient {
    fn cancelled(&self) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}

/// Runs a stage, then cancels it at its first look, in the middle and at its last look.
fn ends<T>(name: &str, stage: impl Fn(&dyn Progress) -> Result<T>) {
    let run = |patience| {
        let progress = Impatient { looks: AtomicUsize::new(0), patience };
        let done = stage(&progress);
        (done, progress.looks.into_inner())
    };
    let (done, n_looks) = run(usize::MAX);
    assert!(done.is_ok(), "{name}: {:?}", done.err());
    assert!(n_looks >= 2, "{name} looked {n_looks} times");
    for patience in [0, n_looks / 2, n_looks - 1] {
        let (done, _) = run(patience);
        assert!(matches!(done, Err(Error::Cancelled)), "{name} after {patience} looks");
    }
}

/// 3000 people of different ages and one of two sexes.
fn people() -> Vec<[String; 2]> {
    let sex = |i: usize| ["F", "M"][i / 2 % 2].to_owned();
    (0..3000).map(|i| [(i * 7 % 3001).to_string(), sex(i)]).collect()
}

#[test]
fn tables_of_counts_and_bases_of_studies_can_be_cancelled() {
    let people = people();
    let tuples = (0..).zip(&people);
    let counts: Vec<Counted<&[String; 2]>> =
        tuples.map(|(row, fields)| Counted { fields, count: 1, first_row: row }).collect();
    let columns = Columns::quasi(&["age", "sex"]);
    ends("Table::of_counts", |progress| {
        Table::of_counts(&columns, &counts, &Encoding::default(), progress)
    });
    let table = Table::from_rows(&["age", "sex"], &people).unwrap();
    let population = Population::new(table.clone());
    ends("Basis::new", |progress| Basis::new(table.clone(), Some(population.clone()), progress));
}

#[test]
fn recodings_releases_and_recipes_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    let lines = people().iter().map(|cells| cells.join(",") + "\n").collect::<String>();
    std::fs::write(&path, format!("age,sex\n{lines}")).unwrap();
    let source = &Source::open(&path, None).unwrap();
    let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
    let table = source.read(&Columns::quasi(&["age", "sex"]), &options, &Silent).unwrap();
    let free = ["age", "sex"].map(|name| (name.to_owned(), hedgerow::method::Spec::named("free")));
    let demands = Demands {
        k: 2,
        hierarchies: free.into_iter().map(|(name, spec)| (name, spec.into())).collect(),
        method: Some("hedge".parse().unwrap()),
        ..Demands::default()
    };
    let study = &Study::new(&table, demands, None, &Silent).unwrap();
    let problem = study.problem();
    let proposal = Hedge::default().propose(problem, &Silent).unwrap();
    ends("Recoding::of", |progress| Recoding::of(problem, proposal.clone(), progress));
    let recoding = &Recoding::of(problem, proposal, &Silent).unwrap();
    ends("Release::new", |progress| Release::new(recoding, &Style::default(), progress));
    let release = &Release::new(recoding, &Style::default(), &Silent).unwrap();
    for order in [RowOrder::Shuffled, RowOrder::Input] {
        ends("Release::rows", |progress| release.rows(order, progress));
        ends("Release::publish", |progress| release.publish(order, progress));
    }
    ends("Release::mapping", |progress| release.mapping(progress));
    ends("Study::warnings_of", |progress| study.warnings_of(release, progress));
    let roles = [("age", Role::Quasi), ("sex", Role::Quasi)];
    let (schema, options) =
        (&Schema::new(source.header(), &roles).unwrap(), &WriteOptions::default());
    let publication = Publication { study, source, schema, na: &[], options };
    ends("Publication::count", |progress| publication.count(release, progress));
    ends("Recipe::of", |progress| Recipe::of(study, release, progress));
    let recipe = Recipe::of(study, release, &Silent).unwrap();
    ends("Recipe::recode_unchecked", |progress| {
        recipe.recode_unchecked(&table, Unseen::Root, progress)
    });
}

/// Also with a `k` for which there are few classes, each of which takes long.
#[test]
fn methods_with_few_classes_can_be_cancelled() {
    let table = Table::from_rows(&["age", "sex"], &people()).unwrap();
    let demands = Demands { k: 500, ..Demands::default() };
    let study = &Study::new(&table, demands, None, &Silent).unwrap();
    let methods: [(&str, &dyn Anonymizer); 2] =
        [("k-member", &KMember::default()), ("mondrian", &Mondrian::default())];
    for (name, method) in methods {
        ends(name, |progress| method.propose(study.problem(), progress));
    }
}

/// The time limit of a job holds, although the progress that a caller passes has none.
#[test]
fn the_flow_keeps_the_time_limit_of_a_job() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let input = folder.path().join("t.csv");
    let rows: String = people().iter().map(|row| format!("{}\n", row.join(","))).collect();
    std::fs::write(&input, format!("age,sex\n{rows}")).expect("the folder can be written to");
    let notes = |output: &str, time| {
        let quasi = ["age", "sex"].map(str::to_owned).to_vec();
        let job = Job::new(input.clone(), folder.path().join(output), quasi, 5);
        let method = "optimal".parse().expect("it is a method");
        let outcome = job::run(&Job { method, time, ..job }, &Silent);
        outcome.expect("a release is found").notes.join("; ")
    };
    let (limited, unlimited) = (notes("a.csv", Some(1e-9)), notes("b.csv", None));
    assert!(limited.contains("depends on the machine"), "{limited}");
    assert!(!unlimited.contains("depends on the machine"), "{unlimited}");
}
