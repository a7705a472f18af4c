//! How precisely columns are published: examples worked by hand, and what releases report compared
//! with a count of the rows.

use crate::cases::cases;
use hedgerow::anonymize::{Anonymizer, Hedge, KMember};
use hedgerow::builder::{Calendar, Free, HierarchyBuilder, Iotf, Prefix};
use hedgerow::format::Format;
use hedgerow::hierarchy::Notation;
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::{Limits, Problem, Region};
use hedgerow::progress::Silent;
use hedgerow::proposal::{Class, Proposal, Take};
use hedgerow::recoding::Recoding;
use hedgerow::release::{Detail, Release, RowOrder, Spread, Style};
use hedgerow::table::{Cohort, Columns, Encoding, Kind, MissingPolicy, Table};
use proptest::prelude::*;

/// Words in a tree whose groups have names.
const TREE: &str = "a;first;*\nb;first;*\nc;second;*\nd;second;*\ne;second;*\n";
const GROUPS: [(&str, f64); 2] = [("first", 2.0), ("second", 3.0)];
const NAMES: [&str; 4] = ["free", "tree", "word", "code"];

/// A table of two numbers, a word and a code, and the options of its release.
#[derive(Debug, Clone)]
struct Random {
    rows: Vec<[String; 4]>,
    k: u64,
    is_wildcard: bool,
    n_suppressed: u64,
}

fn random() -> impl Strategy<Value = Random> {
    let number = (0..40u32).prop_map(|x| x.to_string()).boxed();
    let missing =
        prop_oneof![9 => (0..40u32).prop_map(|x| x.to_string()), 1 => Just(String::new())];
    let word = (0..5usize).prop_map(|word| ["a", "b", "c", "d", "e"][word].to_owned()).boxed();
    let code = (0..30u32).prop_map(|x| format!("0{:03}", x * 7)).boxed();
    let row = [number, missing.boxed(), word, code];
    let rows = prop::collection::vec(row, 8..60);
    (rows, 1..6u64, any::<bool>(), 0..4u64).prop_map(|(rows, k, is_wildcard, n_suppressed)| {
        Random { rows, k, is_wildcard, n_suppressed }
    })
}

impl Random {
    fn release(&self, method: &dyn Anonymizer) -> Release {
        let missing = if self.is_wildcard { MissingPolicy::Wildcard } else { MissingPolicy::Own };
        let kinds = [("code".to_owned(), Kind::Code)].into();
        let encoding = Encoding { missing, kinds, ..Encoding::default() };
        let table = Table::encode(&Columns::quasi(&NAMES), &self.rows, &encoding).unwrap();
        let columns = table.columns();
        let built = vec![
            Free.build(&columns[0]).unwrap(),
            Iotf.build(&columns[1]).unwrap(),
            Format::named("arx").unwrap().read(TREE, Some("word")).unwrap().into(),
            Prefix::default().build(&columns[3]).unwrap(),
        ];
        let limits = Limits { most_suppressed: self.n_suppressed, ..Limits::default() };
        let model = Box::new(KAnonymity::new(self.k).unwrap());
        let problem = Problem::with_limits(&table, built, vec![model], limits).unwrap();
        Release::new(&problem.solve(method, &Silent).unwrap(), &Style::default(), &Silent).unwrap()
    }
}

/// Counts of the rows of one column: unchanged, missing, hidden, filled, ranges and groups, with sums of widths and
/// the greatest.
#[derive(Debug, Default)]
struct Count {
    unchanged: f64,
    missing: f64,
    hidden: f64,
    filled: f64,
    widths: [Vec<f64>; 2],
}

impl Count {
    /// Looks at a published cell and the value of the original.
    fn look(&mut self, original: &str, shown: &str, codes: &[String]) {
        let group = GROUPS.iter().find(|(name, _)| *name == shown);
        match Notation::read(shown) {
            _ if shown == original && shown.is_empty() => self.missing += 1.0,
            _ if shown == original => self.unchanged += 1.0,
            Notation::Anything => self.hidden += 1.0,
            Notation::Range(low, high) if low < high => self.widths[0].push(high - low),
            _ if group.is_some() => self.widths[1].push(group.unwrap().1),
            _ if shown.contains('*') => {
                let prefix = shown.trim_end_matches('*');
                let n_codes = codes.iter().filter(|code| code.starts_with(prefix)).count();
                self.widths[1].push(n_codes as f64);
            }
            // The value is missing, and the cell shows that of the class.
            _ => self.filled += 1.0,
        }
    }

    fn check(&self, detail: &Detail, n_rows: f64) {
        let near =
            |one: f64, other: f64| assert!((one - other).abs() < 1e-9, "{self:?} {detail:?}");
        near(detail.unchanged, self.unchanged / n_rows);
        near(detail.missing, self.missing / n_rows);
        near(detail.hidden, self.hidden / n_rows);
        near(detail.filled, self.filled / n_rows);
        for (spread, widths) in [detail.ranges, detail.groups].iter().zip(&self.widths) {
            let n_widths = widths.len() as f64;
            near(spread.map_or(0.0, |spread| spread.share), n_widths / n_rows);
            let Some(spread) = spread else { continue };
            near(spread.mean, widths.iter().sum::<f64>() / n_widths);
            near(spread.most, widths.iter().copied().fold(0.0, f64::max));
        }
    }
}

/// Describes the only column of a table that is published in classes of two or more.
fn detail(values: &[&str], builder: &dyn HierarchyBuilder) -> Detail {
    let rows: Vec<[&str; 1]> = values.iter().map(|value| [*value]).collect();
    let table = Table::from_rows(&["x"], &rows).unwrap();
    let built = builder.build(&table.columns()[0]).unwrap();
    let model = Box::new(KAnonymity::new(2).unwrap());
    let problem = Problem::new(&table, vec![built], vec![model]).unwrap();
    let recoding = problem.solve(&Hedge::default(), &Silent).unwrap();
    let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
    Detail::of(&release, true).swap_remove(0).1
}

/// The share, mean and greatest width in twelfths, which are whole numbers in these examples.
fn twelfths(spread: Option<Spread>) -> Option<[u64; 3]> {
    let spread = spread?;
    Some([spread.share, spread.mean, spread.most].map(|number| (12.0 * number).round() as u64))
}

fn share(number: f64) -> u64 {
    (12.0 * number).round() as u64
}

/// 20, 20; [30, 33]; [50, 51]: two records are unchanged, two span 3 and two span 1.
#[test]
fn ranges_are_as_wide_as_their_ends_are_apart() {
    let found = detail(&["20", "20", "30", "33", "50", "51"], &Free);
    assert_eq!((found.kind, found.values), (Kind::Number, 5));
    assert_eq!((share(found.unchanged), share(found.hidden)), (4, 0));
    assert_eq!(twelfths(found.ranges), Some([8, 24, 36]));
    assert_eq!(found.groups, None);
}

/// a, a; {b, c}: two records are unchanged, two are in a group of two of the three values.
#[test]
fn groups_are_as_large_as_their_number_of_values() {
    let found = detail(&["a", "a", "b", "c"], &Free);
    assert_eq!((share(found.unchanged), found.values), (6, 3));
    assert_eq!(twelfths(found.groups), Some([6, 24, 24]));
    assert_eq!(found.ranges, None);
}

/// 0213*, 0213*; 0214*, 0214*; 94110, 94110.
#[test]
fn shortened_codes_are_counted_by_what_is_left() {
    let codes = ["02138", "02139", "02141", "02142", "94110", "94110"];
    let found = detail(&codes, &Prefix::default());
    assert_eq!((found.kind, share(found.unchanged)), (Kind::Code, 4));
    let shortened: Vec<_> =
        found.shortened.iter().map(|(&left, &number)| (left, share(number))).collect();
    assert_eq!(shortened, [(4, 8)]);
    assert_eq!(twelfths(found.groups), Some([8, 24, 24]));
}

/// Of four ages, two are missing: nothing that is known is unchanged.
#[test]
fn missing_values_are_not_called_unchanged() {
    let found = detail(&["", "", "30", "33"], &Iotf);
    assert_eq!((share(found.unchanged), share(found.missing)), (0, 6));
    assert_eq!(twelfths(found.ranges), Some([6, 36, 36]));
}

#[test]
fn a_month_is_as_wide_as_its_days() {
    let days = ["2024-03-01", "2024-03-20", "2024-05-05", "2024-05-05"];
    let found = detail(&days, &Calendar::default());
    assert_eq!(share(found.unchanged), 6);
    assert_eq!(twelfths(found.ranges), Some([6, 12 * 31, 12 * 31]));
}

/// Of four records, one shows `*`, one is suppressed, and two show their value.
#[test]
fn suppressed_records_are_hidden_or_left_out() {
    let table = Table::from_rows(&["x"], &[["1"], ["2"], ["3"], ["3"]]).unwrap();
    let built = Iotf.build(&table.columns()[0]).unwrap();
    let limits = Limits { most_suppressed: 1, ..Limits::default() };
    let model = Box::new(KAnonymity::new(1).unwrap());
    let problem = Problem::with_limits(&table, vec![built], vec![model], limits).unwrap();
    let attribute = &problem.attributes()[0];
    let three = attribute.region([attribute.leaves()[2]].into_iter());
    let regions: [Box<[Region]>; 2] = [[attribute.whole()].into(), [three].into()];
    let take = |cohort, class: Option<usize>, count| Take {
        cohort: Cohort::new(cohort),
        class: class.map(Class::new),
        count,
    };
    let takes = vec![take(0, Some(0), 1), take(1, None, 1), take(2, Some(1), 2)];
    let proposal = Proposal::with_regions(&problem, regions.into_iter(), takes);
    let recoding = Recoding::of(&problem, proposal, &Silent).unwrap();
    let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
    let shares = |has_suppressed| {
        let (_, found) = Detail::of(&release, has_suppressed).swap_remove(0);
        (share(found.unchanged), share(found.hidden))
    };
    assert_eq!(shares(true), (6, 6));
    assert_eq!(shares(false), (8, 4));
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn details_are_what_the_rows_show(random in random()) {
        let methods: [&dyn Anonymizer; 2] = [&Hedge::default(), &KMember::default()];
        for method in methods {
            let release = random.release(method);
            let published = release.publish(RowOrder::Input, &Silent).unwrap();
            let mut codes: Vec<String> = random.rows.iter().map(|row| row[3].clone()).collect();
            codes.sort();
            codes.dedup();
            for (place, (name, detail)) in Detail::of(&release, true).into_iter().enumerate() {
                prop_assert_eq!(&name, NAMES[place]);
                let mut count = Count::default();
                for (shown, &row) in published.columns[place].iter().zip(&published.rows) {
                    count.look(&random.rows[row][place], shown, &codes);
                }
                count.check(&detail, published.rows.len() as f64);
            }
        }
    }
}
