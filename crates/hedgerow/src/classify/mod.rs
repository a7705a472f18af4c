//! Classification error: the error of predicting a column from the published values.

mod examples;
mod split;
mod c45;
mod naive_bayes;
mod view;
mod membership;

pub use c45::C45;
pub use examples::Examples;
pub(crate) use membership::{Drawn, Membership, membership};
pub use naive_bayes::NaiveBayes;

use std::borrow::Cow;
use std::collections::BTreeMap;

use hashbrown::HashMap;
use serde::Serialize;
use twox_hash::XxHash3_64;

use self::view::{Texts, View, encode};
use crate::error::Advice;
use crate::hierarchy::{Leaf, Notation};
use crate::problem::{Attribute, Region};
use crate::progress::Silent;
use crate::recoding::Recoding;
use crate::release::{Release, Style};
use crate::table::{Code, Domain, Reading, Table};
use crate::{Error, Result};

/// Number of folds: each record is tested once, by a tree trained on the other folds.
const FOLDS: usize = 3;

/// Shares of records whose label a decision tree ([`C45`]) predicts wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Classification {
    /// Error of trees that are trained and tested on the original values.
    pub baseline: f64,
    /// Error of trees that are trained and tested on the published values.
    pub error: f64,
    /// Error of always predicting the most frequent label, as if only labels were published.
    pub majority: f64,
    /// Number of tested records.
    pub tested: u64,
}

/// The classification error of a release, from files alone.
///
/// Both tables must have been read with the column to predict besides the quasi-identifiers. The
/// rows of a release are in another order than those of the original, so each table is split on its
/// own into three folds, by a hash of `seed` and the index of a record. Each fold is tested with a
/// tree trained on the other two. The two splits differ by chance, so differences between errors
/// below about `1 / sqrt(n)` are not significant. Records that are missing from the release are not
/// tested.
///
/// # Complexity
///
/// `O(n)` for `n` records, plus growing six trees ([`C45`]).
///
/// # Guarantees
///
/// The same files and seed give the same result.
///
/// # References
///
/// METHODS 4.3. \[Wang2004\] splits a table once; the three folds are hedgerow's own.
///
/// # Examples
///
/// ```
/// use hedgerow::classify;
/// use hedgerow::table::{Columns, Encoding, Part, Table};
/// let table = |rows: [&str; 2]| {
///     let mut part = Part::default();
///     for _ in 0..30 {
///         for row in rows {
///             part.push(row.split(',').map(str::as_bytes), false)?;
///         }
///     }
///     let columns = Columns::quasi(&["job"]).and_beside(&["ill"]);
///     Table::assemble(&columns, vec![part], &Encoding::default())
/// };
/// let (original, release) = (table(["nurse,y", "smith,n"])?, table(["*,y", "*,n"])?);
/// let found = classify::release(&original, &release, 0)?;
/// assert_eq!((found.baseline, found.tested), (0.0, 60));
/// assert!(found.error > 0.3);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn release(original: &Table, release: &Table, seed: u64) -> Result<Classification> {
    let Some(class) = release.beside().first() else { return Err(no_class()) };
    let [original_view, release_view] =
        [View::of(original, &class.name)?, View::of(release, &class.name)?];
    // Each table is encoded on its own, because no tree is applied to the other one.
    let share = |view: &View<'_>, n_errors: fn(&Examples, &Examples) -> u64| {
        let examples = encode(original.columns(), &[view]).swap_remove(0);
        cross_validated(&examples, seed, n_errors)
    };
    Ok(Classification {
        baseline: share(&original_view, tree_errors),
        error: share(&release_view, tree_errors),
        majority: share(&release_view, majority_errors),
        tested: release.cohorts().n_records(),
    })
}

/// The share of errors when each fold is tested after training on the other folds.
fn cross_validated(
    examples: &Examples,
    seed: u64,
    n_errors: fn(&Examples, &Examples) -> u64,
) -> f64 {
    let mut n_wrong: u64 = 0;
    for fold in folds(&examples.weights, seed) {
        let others = examples.weights.iter().zip(&fold).map(|(all, tested)| all - tested);
        let train = examples.weighted(others.collect());
        n_wrong += n_errors(&train, &examples.weighted(fold));
    }
    n_wrong as f64 / examples.n_records().max(1) as f64
}

/// Number of records of each example in each fold.
fn folds(weights: &[u64], seed: u64) -> Vec<Vec<u64>> {
    let mut folds = vec![vec![0; weights.len()]; FOLDS];
    let mut record = 0u64;
    for (place, &weight) in weights.iter().enumerate() {
        // Records are drawn one by one, so an example can be in several folds.
        for _ in 0..weight {
            let random = XxHash3_64::oneshot_with_seed(seed, &record.to_le_bytes());
            folds[(random % FOLDS as u64) as usize][place] += 1;
            record += 1;
        }
    }
    folds
}

fn tree_errors(train: &Examples, test: &Examples) -> u64 {
    C45::grow(train).n_errors(test)
}

/// Number of errors when predicting the most frequent label of the training records.
///
/// A tree without attributes consists of one leaf, which predicts that label.
fn majority_errors(train: &Examples, test: &Examples) -> u64 {
    let blind = |examples: &Examples| Examples {
        is_ordered: Vec::new(),
        codes: Vec::new(),
        ..examples.clone()
    };
    tree_errors(&blind(train), &blind(test))
}

/// The classification error of a global recoding on records that it was not made for.
///
/// A tree is trained on the records of the problem as the recoding publishes them, and tested on
/// those of `test` after applying the same recoding. Every value is published as in training; a
/// leaf that did not occur there is published as a region that covers it. A number between the
/// leaves is published as the range that contains it. A value that nothing covers stays as it is
/// and is unknown to the tree. `test` must be read like the problem's table, including the column
/// to predict.
///
/// # Complexity
///
/// Growing two trees ([`C45`]).
///
/// # Guarantees
///
/// Deterministic. An error if the recoding publishes a value in two ways, because it then does not
/// determine how other records are published.
///
/// # References
///
/// \[Wang2004\] K. Wang, P. S. Yu, S. Chakraborty: Bottom-Up Generalization: A Data Mining Solution
/// to Privacy Protection, ICDM 2004, section 6; METHODS 4.3.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{HierarchyBuilder, Iotf};
/// use hedgerow::classify;
/// use hedgerow::privacy::{KAnonymity, Secret};
/// use hedgerow::problem::{Limits, Problem, Region};
/// use hedgerow::progress::Silent;
/// use hedgerow::proposal::Proposal;
/// use hedgerow::recoding::Recoding;
/// use hedgerow::table::{Columns, Encoding, Part, Table};
/// let table = |ages: [&str; 6]| {
///     let mut part = Part::default();
///     for (row, age) in ages.iter().enumerate() {
///         let label: &[u8] = if row < 3 { b"young" } else { b"old" };
///         part.push([age.as_bytes(), label].into_iter(), false)?;
///     }
///     let columns = Columns::quasi(&["age"]).and_beside(&["is"]);
///     Table::assemble(&columns, vec![part], &Encoding::default())
/// };
/// let train = table(["20", "21", "22", "70", "71", "72"])?;
/// let class = Some(std::sync::Arc::new(Secret::of(&train, "is")?));
/// let limits = Limits { class, ..Limits::default() };
/// let tree = Iotf.build(&train.columns()[0])?;
/// let halves = tree.levels().unwrap().nodes[2].iter().map(|n| Region::Node(n.node())).collect();
/// let models = vec![Box::new(KAnonymity::new(3)?) as _];
/// let problem = Problem::with_limits(&train, vec![tree], models, limits)?;
/// let halved = Proposal::global(&problem, &[halves])?; // [20, 22] and [70, 72]
/// let recoding = Recoding::of(&problem, halved, &Silent)?;
/// let test = table(["20", "20.5", "21.5", "70.5", "71", "71.5"])?;
/// let found = classify::recoding(&recoding, &test)?;
/// assert_eq!((found.error, found.majority), (0.0, 0.5));
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn recoding(recoding: &Recoding, test: &Table) -> Result<Classification> {
    let problem = recoding.problem();
    let class = problem.class().ok_or_else(no_class)?.name();
    let columns = problem.table().columns();
    let release = Release::new(recoding, &Style::default(), &Silent)?;
    let train_view = View::of(problem.table(), class)?;
    let test_view = View::of(test, class)?;
    let train_published = published(&release, &train_view);
    let test_columns = (0..columns.len()).map(|place| {
        let cut = Cut::of(&release, place)?;
        let Texts { known, codes } = &test_view.columns[place];
        Ok(Texts { known: cut.apply(&test.columns()[place].domain, known), codes: codes.clone() })
    });
    let test_published = View {
        columns: test_columns.collect::<Result<_>>()?,
        labels: test_view.labels.clone(),
        weights: test_view.weights.clone(),
    };
    let tested = test.cohorts().n_records();
    let share = |views: [&View<'_>; 2], n_errors: fn(&Examples, &Examples) -> u64| {
        // Training and test records share codes, or the tree could not be applied.
        let examples = encode(columns, &views);
        n_errors(&examples[0], &examples[1]) as f64 / tested.max(1) as f64
    };
    Ok(Classification {
        baseline: share([&train_view, &test_view], tree_errors),
        error: share([&train_published, &test_published], tree_errors),
        majority: share([&train_view, &test_view], majority_errors),
        tested,
    })
}

/// The records of a problem as they are published, with suppressed ones as `*`.
fn published<'a>(release: &'a Release, raw: &View<'a>) -> View<'a> {
    let takes = release.recoding().takes();
    let column = |place: usize| {
        let texts =
            takes.iter().map(|take| release.label(release.numbers(take.class)[place]).as_str());
        Texts::numbered(texts)
    };
    let labels = takes.iter().map(|take| raw.labels.codes[take.cohort.index()]);
    View {
        columns: (0..raw.columns.len()).map(column).collect(),
        labels: Texts { known: raw.labels.known.clone(), codes: labels.collect() },
        weights: takes.iter().map(|take| take.count).collect(),
    }
}

/// The published form of the values of an attribute in a global recoding.
struct Cut<'a> {
    attribute: &'a Attribute,
    /// The published text of each leaf, if it occurs.
    of_leaf: Vec<Option<&'a str>>,
    /// All published texts with their regions.
    regions: BTreeMap<&'a str, &'a Region>,
}

impl<'a> Cut<'a> {
    /// Collects the published texts. An error if a value is published in two ways.
    fn of(release: &'a Release, place: usize) -> Result<Self> {
        let recoding = release.recoding();
        let attribute = &recoding.problem().attributes()[place];
        let mut of_leaf = vec![None; attribute.n_leaves()];
        let mut regions = BTreeMap::new();
        for take in recoding.takes() {
            // Suppressed records show `*`, which does not depend on their values.
            let Some(class) = take.class else { continue };
            let leaf = attribute.leaves()[take.cohort.index()].known();
            let text = release.label(release.numbers(take.class)[place]).as_str();
            let Some(leaf) = leaf else { continue };
            let known = of_leaf[leaf.index()].get_or_insert(text);
            if *known != text {
                let problem = format!(
                    "is published as '{known}' and as '{text}', but only a recoding that publishes each \
                     value the same way everywhere can be applied to other records"
                );
                let value = attribute.spelling(leaf);
                return Err(Error::value(attribute.name(), value, None, problem));
            }
            regions.insert(text, recoding.region(recoding.shape(class), place));
        }
        Ok(Self { attribute, of_leaf, regions })
    }

    /// Publishes the values of other records; values that nothing covers stay as they are.
    fn apply<'t>(&self, domain: &Domain, texts: &[Cow<'t, str>]) -> Vec<Cow<'t, str>>
    where
        'a: 't,
    {
        let leaves = self.leaves(domain);
        leaves.into_iter().zip(texts).map(|(leaf, text)| self.apply_to(leaf, text)).collect()
    }

    fn apply_to<'t>(&self, leaf: Option<Leaf>, text: &Cow<'t, str>) -> Cow<'t, str>
    where
        'a: 't,
    {
        let covering = match leaf {
            Some(leaf) => self.of_leaf[leaf.index()].or_else(|| self.above(leaf)),
            None => self.around(text),
        };
        covering.map_or_else(|| text.clone(), Cow::Borrowed)
    }

    /// The leaf of every code, if there is one.
    fn leaves(&self, domain: &Domain) -> Vec<Option<Leaf>> {
        let leaves = Leaf::first(self.attribute.n_leaves());
        let by_spelling: HashMap<_, Leaf> =
            leaves.map(|leaf| (self.attribute.spelling(leaf), leaf)).collect();
        let spelt = |code: Code| by_spelling.get(&domain.spelling(code)).copied();
        match self.attribute.generalization().ground() {
            Some(ground) => {
                let missing = domain.missing_code().map(spelt);
                ground.leaves_for(domain).into_iter().chain(missing).collect()
            }
            None => domain.codes().map(spelt).collect(),
        }
    }

    fn above(&self, leaf: Leaf) -> Option<&'a str> {
        let mut regions = self.regions.iter();
        let covering = regions.find(|(_, region)| self.attribute.covers(region, leaf.into()));
        covering.map(|(&text, _)| text)
    }

    /// The published text that covers a value without a leaf: a range, or `*`.
    fn around(&self, text: &str) -> Option<&'a str> {
        let values = self.attribute.values();
        let number = values.read(text).map(Reading::value);
        let is_around = |published: &&&str| match Notation::read_as(values, published) {
            Notation::Anything => true,
            Notation::Range(low, high) => number.is_some_and(|x| (low..=high).contains(&x)),
            Notation::Set(_) | Notation::PartialSet(..) | Notation::Name(_) => false,
        };
        self.regions.keys().find(is_around).copied()
    }
}

fn no_class() -> Error {
    Error::invalid("a classification error needs a column to predict, but none is named")
        .advise([Advice::NameClass])
}
