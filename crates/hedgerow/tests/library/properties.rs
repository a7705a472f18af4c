//! Properties of all methods in the registries, on random tables. A method is tested here as soon
//! as its `mod.rs` lists it.

use crate::cases::cases;
use crate::naive;
use crate::quick;
use hedgerow::Error;
use hedgerow::anonymize::{self, Anonymizer};
use hedgerow::builder::{
    self, Iotf, LeastLoss, Otf,
    numeric::{Line, NumericBuilder, Ranges},
};
use hedgerow::format::{self, Format};
use hedgerow::hierarchy::{self, Generalization, Hierarchy, LeafOrAny};
use hedgerow::lattice::Lattice;
use hedgerow::loss::{self, Partition};
use hedgerow::measure;
use hedgerow::method::{Need, Spec};
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::recoding::Recoding;
use hedgerow::release::{Release, RowOrder, Style};
use hedgerow::table::{Columns, Encoding, MissingPolicy, Part, Table};
use proptest::prelude::*;

/// Five words in a ragged tree.
const WORDS: [&str; 5] = ["a", "b", "c", "d", "e"];
const WORD_TREE: &str = "a;A;X;*\nb;A;X;*\nc;c;X;*\nd;d;d;*\ne;e;e;*\n";

/// A table of two numbers and two words, some of them missing.
#[derive(Debug, Clone)]
struct Random {
    rows: Vec<[String; 4]>,
    k: u64,
    missing: MissingPolicy,
    /// Percentage of the records that may be suppressed.
    percent: u64,
}

fn random_table(most_rows: usize) -> impl Strategy<Value = Random> {
    let number = prop_oneof![
        8 => (0..40i32).prop_map(|x| x.to_string()),
        1 => (0..400i32).prop_map(|x| format!("{}.{}", x / 10, x % 10)),
        // Compared with such a value, the others have nearly no cost, and nearly equal costs.
        1 => Just("1000000000000000".to_owned()),
    ];
    let word = (0..WORDS.len()).prop_map(|word| WORDS[word].to_owned());
    let sometimes =
        |value: BoxedStrategy<String>| prop_oneof![12 => value, 1 => Just(String::new())];
    let row = [
        sometimes(number.clone().boxed()).boxed(),
        number.boxed(),
        sometimes(word.clone().boxed()).boxed(),
        word.boxed(),
    ];
    let rows = prop::collection::vec(row, 1..most_rows);
    let missing = prop_oneof![
        Just(MissingPolicy::Own),
        Just(MissingPolicy::Wildcard),
        Just(MissingPolicy::Drop)
    ];
    let percent = prop_oneof![Just(0), 1..60u64];
    (rows, 1..8u64, missing, percent).prop_map(|(rows, k, missing, percent)| Random {
        rows,
        k,
        missing,
        percent,
    })
}

impl Random {
    fn table(&self) -> Table {
        let encoding = Encoding { missing: self.missing, ..Encoding::default() };
        Table::encode(&Columns::quasi(&["n0", "n1", "w0", "w1"]), &self.rows, &encoding).unwrap()
    }

    /// Returns the same table, read without the cohort of every row.
    fn table_without_rows(&self) -> Table {
        let mut part = Part::default();
        for row in &self.rows {
            part.push(row.iter().map(String::as_bytes), false).unwrap();
        }
        let columns = Columns::quasi(&["n0", "n1", "w0", "w1"]);
        let encoding = Encoding { missing: self.missing, ..Encoding::default() };
        Table::assemble(&columns, vec![part], &encoding).unwrap()
    }

    /// Returns a problem in which one number uses `method`, one word uses a file, and the other two
    /// columns are free.
    fn problem(&self, table: &Table, method: &str) -> Option<Problem> {
        let columns = table.columns();
        let words = Format::named("arx").unwrap().read(WORD_TREE, Some("w0")).unwrap();
        let free = Spec::named("free");
        let built = vec![
            builder::build(&Spec::named(method), &columns[0], Some(self.k)).ok()?,
            builder::build(&free, &columns[1], None).ok()?,
            words.into(),
            builder::build(&free, &columns[3], None).ok()?,
        ];
        let model = KAnonymity::new(self.k).unwrap();
        Problem::new(table, built, vec![Box::new(model)]).ok()
    }

    /// Returns hierarchies with levels for all columns.
    fn generalizations(&self, table: &Table, method: &str) -> Option<Vec<Generalization>> {
        let words = Format::named("arx").unwrap().read(WORD_TREE, Some("w0")).unwrap();
        let build = |place: usize, method| {
            builder::build(&Spec::named(method), &table.columns()[place], Some(self.k)).ok()
        };
        Some(vec![build(0, method)?, build(1, "cgh")?, words.into(), build(3, "frequency")?])
    }

    /// Returns a problem with levels for all columns, in which records may be suppressed.
    fn problem_with_levels(&self, table: &Table, method: &str) -> Option<Problem> {
        let built = self.generalizations(table, method)?;
        let model = KAnonymity::new(self.k).unwrap();
        let most_suppressed = table.cohorts().n_records() * self.percent / 100;
        let limits = Limits { most_suppressed, ..Limits::default() };
        Problem::with_limits(table, built, vec![Box::new(model)], limits).ok()
    }

    /// Returns a table of one of the columns.
    fn column(&self, place: usize) -> Table {
        let encoding = Encoding { missing: self.missing, ..Encoding::default() };
        let rows: Vec<[String; 1]> = self.rows.iter().map(|row| [row[place].clone()]).collect();
        Table::encode(&Columns::quasi(&["x"]), &rows, &encoding).unwrap()
    }
}

/// Returns the methods that build a hierarchy from data alone.
fn numeric_methods() -> impl Iterator<Item = &'static str> {
    builder::all().map(|method| method.name).filter(|&name| name != "file")
}

/// Variants of methods whose parameters change the search.
const VARIANTS: [&str; 5] = [
    "mondrian:variant=relaxed",
    "mondrian:cut=loss",
    "mondrian:variant=relaxed,cut=loss",
    "mondrian:cut=median,choose=loss",
    "mu-argus:max-comb=2",
];

fn anonymizers() -> impl Iterator<Item = (&'static str, Box<dyn Anonymizer>)> {
    let make = |name| (name, anonymize::from_spec(&quick::spec(name)).unwrap());
    anonymize::ALL.iter().map(|method| method.name).chain(VARIANTS).map(make)
}

/// Returns values with these gaps before them, and their counts.
fn line(gaps: &[(u32, u64)]) -> Line {
    let mut at = 0.0;
    let mut step = |&(gap, _): &(u32, u64)| {
        at += f64::from(gap);
        at
    };
    Line {
        positions: gaps.iter().map(&mut step).collect(),
        counts: gaps.iter().map(|(_, count)| *count).collect(),
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn every_anonymizer_with_every_hierarchy_keeps_its_promises(random in random_table(60)) {
        let table = random.table();
        for method in numeric_methods() {
            let Some(problem) = random.problem(&table, method) else { continue };
            let can = |a: &dyn Anonymizer| a.hierarchy().is_none() && a.obstacle(&problem).is_none();
            for (name, anonymizer) in anonymizers().filter(|(_, a)| can(&**a)) {
                keeps_its_promises(&problem, &*anonymizer, &format!("{name} {method}"))?;
            }
        }
    }

    #[test]
    fn every_anonymizer_on_levels_keeps_its_promises(random in random_table(40)) {
        let table = random.table();
        let methods: Vec<&str> = numeric_methods().filter(|&name| name != "free").collect();
        let method = methods[random.rows.len() % methods.len()];
        let Some(problem) = random.problem_with_levels(&table, method) else { return Ok(()) };
        let has_any = problem.attributes().iter().any(|a| a.leaves().contains(&LeafOrAny::ANY));
        for (name, anonymizer) in anonymizers().filter(|(_, a)| a.hierarchy().is_none()) {
            let obstacle = anonymizer.obstacle(&problem);
            prop_assert!(obstacle.is_none() || has_any || method == "dbgh", "{name} {obstacle:?}");
            if obstacle.is_none() {
                keeps_its_promises(&problem, &*anonymizer, &format!("{name} {method}"))?;
            }
        }
    }

    #[test]
    fn every_anonymizer_with_a_hierarchy_of_its_own_keeps_its_promises(random in random_table(60)) {
        for (name, anonymizer) in anonymizers() {
            let Some(spec) = anonymizer.hierarchy() else { continue };
            for place in 0..4 {
                let table = random.column(place);
                let built = builder::build(&spec, &table.columns()[0], Some(random.k));
                let built = match built {
                    Ok(built) => built,
                    Err(Error::Column { .. }) if table.columns()[0].domain.is_empty() => continue,
                    Err(Error::Unreachable { .. }) => {
                        prop_assert!(table.cohorts().n_records() < random.k);
                        continue;
                    }
                    Err(error) => return Err(TestCaseError::fail(error.to_string())),
                };
                let model = KAnonymity::new(random.k).unwrap();
                let problem = Problem::new(&table, vec![built], vec![Box::new(model)]).unwrap();
                keeps_its_promises(&problem, &*anonymizer, name)?;
            }
        }
    }

    #[test]
    fn a_constant_column_changes_no_class_and_is_published_as_it_is(random in random_table(40)) {
        let own = Random { missing: MissingPolicy::Own, percent: 0, ..random };
        let table = own.table();
        // Numbers are merged with neighbours, words move up a tree, and the tree contains values
        // that do not occur.
        for (value, tree) in [("20", "cbgh:lo=1,hi=20"), ("c", "file")] {
            let longer = |row: &[String; 4]| row.iter().cloned().chain([value.to_owned()]).collect();
            let rows: Vec<Vec<String>> = own.rows.iter().map(longer).collect();
            let wider = Table::from_rows(&["n0", "n1", "w0", "w1", "c"], &rows).unwrap();
            let levels = |table| own.generalizations(table, "iotf");
            let Some(built) = levels(&table) else { continue };
            let constant = match tree {
                "file" => Format::named("arx").unwrap().read(WORD_TREE, Some("c")).unwrap().into(),
                tree => builder::build(&tree.parse().unwrap(), &wider.columns()[4], None).unwrap(),
            };
            let with: Vec<_> = levels(&wider).unwrap().into_iter().chain([constant]).collect();
            let problem = |table, built| {
                Problem::new(table, built, vec![Box::new(KAnonymity::new(own.k).unwrap())]).ok()
            };
            let (Some(narrow), Some(wide)) = (problem(&table, built), problem(&wider, with)) else {
                continue;
            };
            for (name, anonymizer) in anonymizers().filter(|(_, a)| a.hierarchy().is_none()) {
                let what = format!("{name} {tree}");
                let [one, other] = [&narrow, &wide].map(|p| p.solve(&*anonymizer, &Silent).unwrap());
                prop_assert_eq!(one.takes(), other.takes(), "{}", &what);
                let release = Release::new(&other, &Style::default(), &Silent).unwrap();
                let mut shown = release.rows(RowOrder::Input, &Silent).unwrap().into_iter().map(|cells| cells[4] == value);
                // mu-argus suppresses cells, and all cells of records at risk.
                prop_assert!(name.starts_with("mu-argus") || shown.all(|is| is), "{what}");
            }
        }
    }

    #[test]
    fn a_method_that_does_not_ask_for_rows_does_not_need_them(random in random_table(40)) {
        let tables = [random.table(), random.table_without_rows()];
        let [with, without] = tables.map(|table| random.problem_with_levels(&table, "iotf"));
        let (Some(with), Some(without)) = (with, without) else { return Ok(()) };
        for (name, anonymizer) in anonymizers().filter(|(_, a)| a.hierarchy().is_none()) {
            let found = without.solve(&*anonymizer, &Silent);
            if anonymizer.needs(Need::Rows) {
                let refused = matches!(&found, Err(Error::Obstacle { cause, .. }) if matches!(**cause, Error::NoRows { .. }));
                prop_assert!(refused, "{name} {:?}", found.err());
                continue;
            }
            match (found, with.solve(&*anonymizer, &Silent)) {
                (Ok(found), Ok(wanted)) => prop_assert_eq!(&*found, &*wanted, "{}", name),
                (found, wanted) => prop_assert_eq!(
                    found.is_ok(),
                    wanted.is_ok(),
                    "{} without rows: {:?}; does it lack Need::Rows?",
                    name,
                    found.err()
                ),
            }
        }
    }

    #[test]
    fn k_member_on_cohorts_is_k_member_on_rows(random in random_table(300)) {
        let table = random.table();
        for method in ["iotf", "chu", "free", "cgh", "dbgh"] {
            let Some(problem) = random.problem(&table, method) else { continue };
            for last_added in [false, true] {
                let spec = if last_added { "k-member:furthest-from=last-added" } else { "k-member" };
                let spec: Spec = spec.parse().unwrap();
                let anonymizer = anonymize::from_spec(&spec).unwrap();
                let recoding = problem.solve(&*anonymizer, &Silent).unwrap();
                let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
                let mut assigner = release.assigner();
                let rows = table.rows().unwrap().iter().flatten();
                let found: Vec<_> = rows.map(|&cohort| assigner.take_of_next(cohort).unwrap().class).collect();
                prop_assert_eq!(found, naive::k_member(&problem, last_added), "{} {}", method, spec);
            }
        }
    }

    #[test]
    fn lattices_attain_what_counting_each_node_gives(random in random_table(60)) {
        let table = random.table();
        for method in ["iotf", "cgh", "dbgh", "cbgh"] {
            let build = |column| builder::build(&Spec::named(method), column, None);
            let columns = &table.columns()[..2];
            let Ok(built) = columns.iter().map(build).collect::<Result<Vec<_>, _>>() else { continue };
            let words = Format::named("arx").unwrap().read(WORD_TREE, Some("w0")).unwrap();
            let built = built.into_iter().chain([words.clone().into(), words.into()]).collect();
            let model = KAnonymity::new(1).unwrap();
            let Ok(problem) = Problem::new(&table, built, vec![Box::new(model)]) else { continue };
            let Ok(lattice) = Lattice::evaluate(&problem, &Silent) else { continue };
            for point in lattice.points.iter().step_by(7) {
                prop_assert_eq!(&naive::sizes(&problem, &point.levels), &(point.k, point.classes, point.dcp));
                prop_assert!((0.0..=1.0 + 1e-9).contains(&point.distortion));
            }
        }
    }

    #[test]
    fn iotf_and_otf_are_what_the_papers_text_says(
        gaps in prop::collection::vec((1..6u32, 1..5u64), 1..60),
    ) {
        let line = line(&gaps);
        prop_assert_eq!(Iotf.ranges(&line).unwrap(), naive::merged(&line, naive::width));
        prop_assert_eq!(Otf::default().ranges(&line).unwrap(), naive::merged(&line, naive::distance));
    }

    #[test]
    fn no_tree_has_a_lower_expected_width_than_least_loss(
        gaps in prop::collection::vec((1..9u32, 1..200u64), 1..7),
        tail in 0.05..=1.0,
    ) {
        let line = line(&gaps);
        let found = LeastLoss { tail }.ranges(&line).unwrap();
        let cost = |ranges: &Ranges| naive::expected_width(&line, ranges, tail);
        let trees = naive::every_tree(0, line.len() as u32);
        prop_assert!(trees.contains(&found));
        let least = trees.iter().map(cost).fold(f64::INFINITY, f64::min);
        prop_assert!(cost(&found) <= least * (1.0 + 1e-9), "{} {}", cost(&found), least);
    }

    #[test]
    fn least_loss_over_many_windows_is_no_worse_than_iotf(
        gaps in prop::collection::vec((1..2000u32, 1..200u64), 300..700),
    ) {
        let line = line(&gaps);
        let cost = |ranges: &Ranges| naive::expected_width(&line, ranges, 0.7);
        let [found, iotf] = [LeastLoss::default().ranges(&line), Iotf.ranges(&line)].map(Result::unwrap);
        prop_assert_eq!(found.len(), 2 * line.len() - 1);
        prop_assert!(cost(&found) <= cost(&iotf) * (1.0 + 1e-9), "{} {}", cost(&found), cost(&iotf));
    }

    #[test]
    fn every_tree_survives_every_format(random in random_table(60)) {
        let table = random.table();
        let pairs = numeric_methods().flat_map(|method| table.columns().iter().map(move |c| (method, c)));
        for (method, column) in pairs {
            let built = builder::build(&Spec::named(method), column, Some(random.k));
            prop_assert!(!matches!(built, Err(Error::Internal(_))), "{method}");
            let Ok(Generalization::Tree(tree)) = built else { continue };
            prop_assert!(tree.ground().bind(&column.domain).is_ok(), "{method}");
            for format in format::ALL {
                let encoded = match format.encode(&tree, false) {
                    Ok(encoded) => encoded,
                    Err(error) => {
                        prop_assert!(format.name != "json", "{method}: {error}");
                        continue;
                    }
                };
                let text = String::from_utf8(encoded.bytes).unwrap();
                let read = format.read(&text, Some("n0")).unwrap();
                prop_assert_eq!(shape(&read), shape(&tree), "{}\n{}", format.name, text);
            }
        }
    }

    #[test]
    fn readers_refuse_nonsense_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        for format in format::ALL {
            let _ = format.read(&text, None);
        }
        let _ = hierarchy::Notation::read(&text);
        let _ = text.parse::<Spec>();
    }
}

/// Checks the guarantees of an anonymizer on a problem.
fn keeps_its_promises(
    problem: &Problem,
    anonymizer: &dyn Anonymizer,
    name: &str,
) -> Result<(), TestCaseError> {
    let proposal = anonymizer.propose(problem, &Silent).unwrap();
    prop_assert_eq!(proposal.flaw(problem, &Silent).unwrap(), None, "{}", name);
    prop_assert_eq!(&proposal, &anonymizer.propose(problem, &Silent).unwrap());
    let recoding = Recoding::of(problem, proposal, &Silent).unwrap();
    let partition = Partition::of(problem, &recoding);
    let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
    let merged = measure::of_release(&release, true);
    for (loss, number) in partition.losses().into_iter().chain(merged.losses()) {
        let most = match loss {
            "lm" => partition.width() as f64,
            "ncp" => partition.n_cells(),
            "dm" | "navg" | "c-avg" => (partition.n_records() as f64).powi(2),
            _ => 1.0,
        };
        prop_assert!((0.0..=most * (1.0 + 1e-9)).contains(&number), "{name} {loss} {number}");
    }
    prop_assert_eq!(merged.n_records(), problem.cohorts().n_records());
    prop_assert!(merged.sizes.iter().all(|&size| size >= problem.least_size()));
    let ntil = |p: &Partition| loss::Loss::of(&loss::Ntil, p).unwrap();
    let is_same = merged.n_suppressed == partition.n_suppressed;
    let more = ntil(&merged) - ntil(&partition); // `*` costs 1, even for the only value of a column
    prop_assert!(more > -1e-9 && (more < 1e-9 || !is_same), "{name} {more}");
    Ok(())
}

/// Returns the nested values of a tree, independent of its labels and of the order of its groups.
fn shape(tree: &Hierarchy) -> Vec<Vec<String>> {
    let spelt = |node| {
        let leaves = tree.leaves_of(node).map(|leaf| tree.spelling(leaf).into_owned());
        leaves.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
    };
    let mut shape: Vec<Vec<String>> = tree.nodes().map(spelt).collect();
    shape.sort();
    shape.dedup(); // levels may repeat
    shape
}
