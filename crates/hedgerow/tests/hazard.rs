//! Mistakes that a caller of the library could make, such as publishing an unchecked proposal.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use hedgerow::anonymize::{Anonymizer, Hedge, KMember};
use hedgerow::builder::{Free, HierarchyBuilder};
use hedgerow::io::{Inputs, Output, ReadOptions, Source, WriteOptions};
use hedgerow::method::{Described, Description};
use hedgerow::privacy::{self, KAnonymity, Known, PrivacyModel, Secret};
use hedgerow::problem::Problem;
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
            let refused = Recoding::of(&problem, proposed).unwrap_err().to_string();
            assert!(refused.contains("a class is not private"), "{refused}");
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
        let refused = Recoding::of(&problem, elsewhere).unwrap_err().to_string();
        assert!(refused.contains("does not exist"), "{refused}");
    }
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
