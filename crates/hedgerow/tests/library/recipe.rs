//! Recipes: written from releases of random tables, read back, and applied to the same and to other
//! tables.

use std::collections::BTreeMap;

use crate::cases::cases;
use hedgerow::builder::Asked;
use hedgerow::format::Format;
use hedgerow::hierarchy::RareValues;
use hedgerow::measure::Recount;
use hedgerow::method::{Scope, Spec};
use hedgerow::privacy::KAnonymity;
use hedgerow::progress::Silent;
use hedgerow::proposal::{Class, Proposal, Take};
use hedgerow::recipe::{Form, Policy, Recipe, Repair, Unseen};
use hedgerow::recoding::Recoding;
use hedgerow::release::{IntervalStyle, Release, RowOrder, Style};
use hedgerow::study::{Demands, Study};
use hedgerow::table::{Cohort, Columns, Encoding, MissingPolicy, Table};
use hedgerow::{Error, Result};
use proptest::prelude::*;
use proptest::sample::select;

const NAMES: [&str; 3] = ["n", "w", "c"];

/// A ragged tree of words.
const WORD_TREE: &str = "ant;A;X;*\nbee;A;X;*\ncow;cow;X;*\ndog;dog;dog;*\neel;eel;eel;*\n";

/// Methods of all kinds of recoding.
const METHODS: &[&str] =
    &["hedge", "mondrian", "k-member", "datafly", "optimal", "bottom-up", "top-down", "samarati"];

#[derive(Debug, Clone)]
pub(super) struct Random {
    rows: Vec<[String; 3]>,
    pub(super) k: u64,
    method: &'static str,
    missing: MissingPolicy,
    rare_values: RareValues,
    style: IntervalStyle,
    percent: u32,
}

/// A number, a word and a code.
fn row(most: i32) -> impl Strategy<Value = [String; 3]> {
    let number = prop_oneof![
        12 => (0..most).prop_map(|x| x.to_string()),
        1 => Just(String::new()),
        1 => (0..most * 10).prop_map(|x| format!("{}.{}", x / 10, x % 10)),
    ];
    let word = select(vec!["ant", "bee", "cow", "dog", "eel"]).prop_map(str::to_owned);
    let code = (0..most).prop_map(|x| format!("0{:03}", x * 7 % 1000));
    [number.boxed(), word.boxed(), code.boxed()]
}

pub(super) fn random() -> impl Strategy<Value = Random> {
    let rows = prop::collection::vec(row(25), 8..60);
    let missing = select(vec![MissingPolicy::Own, MissingPolicy::Wildcard, MissingPolicy::Drop]);
    let rare = select(vec![RareValues::Show, RareValues::Hide]);
    let style = select(vec![
        IntervalStyle::Brackets,
        IntervalStyle::Dash,
        IntervalStyle::Bounds,
        IntervalStyle::Midpoint,
    ]);
    (rows, 1..6u64, select(METHODS.to_vec()), missing, (rare, style, 0..40u32)).prop_map(
        |(rows, k, method, missing, (rare_values, style, percent))| Random {
            rows,
            k,
            method,
            missing,
            rare_values,
            style,
            percent,
        },
    )
}

impl Random {
    pub(super) fn table(&self) -> Table {
        let encoding = Encoding {
            missing: self.missing,
            kinds: BTreeMap::from([("c".to_owned(), hedgerow::table::Kind::Code)]),
            ..Encoding::default()
        };
        Table::encode(&Columns::quasi(&NAMES), &self.rows, &encoding).unwrap()
    }

    /// A release and its recipe; an error if the method does not reach the goal.
    pub(super) fn release(&self, table: &Table) -> Result<(Study, Release, Recipe)> {
        let words = Format::named("arx").unwrap().read(WORD_TREE, Some("w")).unwrap();
        let mut hierarchies = BTreeMap::from([("w".to_owned(), Asked::from(words))]);
        let needs_tree = ["datafly", "optimal", "bottom-up", "top-down", "samarati"];
        let is_tree = needs_tree.contains(&self.method);
        let number = if is_tree { "iotf" } else { "free" };
        hierarchies.insert("n".to_owned(), Spec::named(number).into());
        hierarchies.insert("c".to_owned(), Spec::named("prefix").into());
        let demands = Demands {
            k: self.k,
            suppress: format!("{}%", self.percent).parse()?,
            hierarchies,
            method: Some(Spec::named(self.method)),
            needs_levels: is_tree,
            rare_values: self.rare_values,
            ..Demands::default()
        };
        let study = Study::new(table, demands, None, &Silent)?;
        let solved = study.search(study.method(), None, &Silent)?;
        let release = Release::new(&solved.recoding, &Style { intervals: self.style }, &Silent)?;
        let recipe = Recipe::of(&study, &release, &Silent)?;
        Ok((study, release, recipe))
    }
}

/// The published cells of every cohort, where all its records publish the same.
pub(super) fn cells_of(release: &Release) -> Vec<Option<Vec<String>>> {
    let problem = release.recoding().problem();
    let mut cells = vec![None; problem.cohorts().len()];
    for take in release.recoding().takes() {
        if let Some(class) = take.class {
            let own = release.cells(Some(class)).into_iter().cloned().collect();
            cells[take.cohort.index()] = Some(own);
        }
    }
    cells
}

fn text_of(error: &Error) -> String {
    error.to_string()
}

/// Checks k-anonymity of what a release publishes, with nothing but its cells.
fn attains(release: &Release, k: u64) -> bool {
    let mut sizes: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    for take in release.recoding().takes().iter().filter(|take| take.count > 0) {
        let Some(class) = take.class else { continue };
        let cells = release.cells(Some(class)).into_iter().cloned().collect();
        *sizes.entry(cells).or_default() += take.count;
    }
    sizes.values().all(|&size| size >= k)
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn a_recipe_gives_its_own_table_the_same_labels_if_it_is_global(random in random()) {
        let table = random.table();
        let Ok((_, release, recipe)) = random.release(&table) else { return Ok(()) };
        prop_assume!(recipe.is_global());
        // Values whose records are all suppressed may have no rule.
        let is_whole = release.recoding().n_suppressed() == 0;
        let unseen = if is_whole { Unseen::Error } else { Unseen::Root };
        let recoded = recipe.recode_unchecked(&table, unseen, &Silent).unwrap();
        for (cohort, cells) in table.cohorts().all().zip(cells_of(&release)) {
            let Some(cells) = cells else { continue };
            prop_assert_eq!(recoded.cells(cohort).unwrap(), cells.as_slice());
        }
    }

    #[test]
    fn a_recipe_is_the_same_after_it_was_written_and_read(random in random()) {
        let table = random.table();
        let Ok((_, _, recipe)) = random.release(&table) else { return Ok(()) };
        let text = recipe.to_text().unwrap();
        let read = Recipe::from_text(&text).unwrap();
        prop_assert_eq!(read.to_text().unwrap(), text);
        prop_assert_eq!(read, recipe);
    }

    #[test]
    fn whatever_the_next_table_has_the_goal_holds_or_nothing_is_released(
        random in random(),
        next in prop::collection::vec(row(40), 1..60),
        unseen in select(Unseen::ALL.to_vec()),
        repair in select(Repair::ALL.to_vec()),
        is_same in any::<bool>(),
    ) {
        let table = random.table();
        let Ok((_, _, recipe)) = random.release(&table) else { return Ok(()) };
        let recipe = Recipe::from_text(&recipe.to_text().unwrap()).unwrap();
        let rows = if is_same { &random.rows } else { &next };
        let next = Table::encode(&recipe.columns().unwrap(), rows, &recipe.encoding()).unwrap();
        let policy = Policy { unseen, repair, suppress: None };
        match recipe.apply(&next, policy, &Silent) {
            Ok(applied) => {
                prop_assert!(attains(&applied.release, random.k));
                let most = (f64::from(random.percent) / 100.0 * next.cohorts().n_records() as f64) as u64;
                prop_assert!(applied.drift.suppressed <= most);
                let n: u64 = applied.release.recoding().takes().iter().map(|take| take.count).sum();
                prop_assert_eq!(n, next.cohorts().n_records());
            }
            Err(error) => {
                let is_own = is_same && random.percent == 0;
                prop_assert!(!is_own || !matches!(error, Error::Value { .. }), "{}", error);
                let is_refusal = matches!(error, Error::Unreachable { .. });
                let is_strange = matches!(error, Error::Value { .. }) && unseen == Unseen::Error;
                prop_assert!(is_refusal || is_strange, "{}", text_of(&error));
            }
        }
    }
}

pub(super) fn release_of(rows: &[[&str; 2]], demands: Demands) -> (Table, Recipe) {
    let table = Table::from_rows(&["age", "job"], rows).unwrap();
    let study = Study::new(&table, demands, None, &Silent).unwrap();
    let solved = study.search(study.method(), None, &Silent).unwrap();
    let release = Release::new(&solved.recoding, &Style::default(), &Silent).unwrap();
    let recipe = Recipe::of(&study, &release, &Silent).unwrap();
    (table, recipe)
}

pub(super) fn asked(method: &str, of_age: &str, of_job: &str) -> Demands {
    let hierarchies = [("age", of_age), ("job", of_job)];
    let hierarchies =
        hierarchies.map(|(name, method)| (name.to_owned(), Spec::named(method).into())).into();
    Demands { k: 2, hierarchies, method: Some(Spec::named(method)), ..Demands::default() }
}

pub(super) fn next_of(recipe: &Recipe, rows: &[[&str; 2]]) -> Table {
    Table::encode(&recipe.columns().unwrap(), rows, &recipe.encoding()).unwrap()
}

fn shown(recipe: &Recipe, rows: &[[&str; 2]], policy: Policy) -> Result<Vec<Vec<String>>> {
    let applied = recipe.apply(&next_of(recipe, rows), policy, &Silent)?;
    let rows = applied.release.rows(RowOrder::Input, &Silent)?;
    Ok(rows.into_iter().map(|cells| cells.into_iter().cloned().collect()).collect())
}

/// Ranges of cooks and nurses overlap, so a recoding that keeps the jobs is local.
const FIRST: [[&str; 2]; 8] = [
    ["20", "cook"],
    ["24", "cook"],
    ["22", "nurse"],
    ["26", "nurse"],
    ["60", "cook"],
    ["64", "cook"],
    ["62", "nurse"],
    ["66", "nurse"],
];

#[test]
fn the_form_is_found_in_the_recoding() {
    let forms = [("datafly", "iotf", Form::Levels), ("hedge", "free", Form::Regions)];
    for (method, tree, form) in forms {
        let demands =
            Demands { needs_levels: form == Form::Levels, ..asked(method, tree, "frequency") };
        let (_, recipe) = release_of(&FIRST, demands);
        assert_eq!(recipe.form(), form, "{method}");
    }
}

/// Two classes by hand, one inside the other.
#[test]
fn a_record_that_fits_several_regions_goes_where_it_loses_least() {
    let rows = [["10", "cook"], ["20", "cook"], ["24", "cook"], ["40", "cook"]];
    let table = Table::from_rows(&["age", "job"], &rows).unwrap();
    let study = Study::new(&table, asked("hedge", "free", "free"), None, &Silent).unwrap();
    let take = |cohort, class| Take {
        cohort: Cohort::new(cohort),
        class: Some(Class::new(class)),
        count: 1,
    };
    let takes = vec![take(0, 0), take(3, 0), take(1, 1), take(2, 1)];
    let proposal = Proposal::new(study.problem(), 2, takes).unwrap();
    let recoding = Recoding::of(study.problem(), proposal, &Silent).unwrap();
    let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
    let recipe = Recipe::of(&study, &release, &Silent).unwrap();
    let next = [["22", "cook"], ["22", "cook"], ["12", "cook"], ["30", "cook"]];
    let cells = shown(&recipe, &next, Policy::default()).unwrap();
    let ages: Vec<&String> = cells.iter().map(|row| &row[0]).collect();
    assert_eq!(ages, ["[20, 24]", "[20, 24]", "*", "*"]);
}

/// Both regions have the width of 10 and the same job, so the first class decides.
#[test]
fn of_regions_with_equal_costs_the_first_is_taken() {
    let rows = [["10", "cook"], ["20", "cook"], ["15", "cook"], ["25", "cook"], ["90", "nurse"]];
    let table = Table::from_rows(&["age", "job"], &rows).unwrap();
    let demands = Demands { suppress: "20%".parse().unwrap(), ..asked("hedge", "free", "free") };
    let study = Study::new(&table, demands, None, &Silent).unwrap();
    for (classes, expected) in [([0, 0, 1, 1], "[10, 20]"), ([1, 1, 0, 0], "[15, 25]")] {
        let take = |cohort, class: Option<usize>| Take {
            cohort: Cohort::new(cohort),
            class: class.map(Class::new),
            count: 1,
        };
        let taken = classes.iter().enumerate().map(|(cohort, &class)| take(cohort, Some(class)));
        let takes = taken.chain([take(4, None)]).collect();
        let proposal = Proposal::new(study.problem(), 2, takes).unwrap();
        let recoding = Recoding::of(study.problem(), proposal, &Silent).unwrap();
        let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
        let recipe = Recipe::of(&study, &release, &Silent).unwrap();
        assert_eq!(recipe.form(), Form::Regions);
        let cells = shown(&recipe, &[["17", "cook"], ["18", "cook"]], Policy::default()).unwrap();
        assert_eq!(cells[0], [expected, "cook"]);
    }
}

#[test]
fn numbers_inside_a_range_belong_to_it_and_others_are_outside() {
    let (_, recipe) = release_of(&FIRST, asked("hedge", "free", "free"));
    let inside = [["20.5", "cook"], ["23.1", "cook"]];
    let cells = shown(&recipe, &inside, Policy::default()).unwrap();
    assert_eq!(cells[0], ["[20, 24]", "cook"]);
    let outside = [["19", "cook"], ["20", "cook"], ["21", "cook"]];
    let error = shown(&recipe, &outside, Policy::default()).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("'19' (row 1) is outside all ranges"), "{message}");
    let nearest = Policy { unseen: Unseen::Nearest, ..Policy::default() };
    assert_eq!(shown(&recipe, &outside, nearest).unwrap()[0], ["[20, 24]", "cook"]);
}

#[test]
fn words_never_seen_are_an_error_or_what_was_asked_for() {
    let (_, recipe) = release_of(&FIRST, asked("hedge", "free", "free"));
    let rows = [["20", "cook"], ["21", "cook"], ["20", "cok"], ["21", "smith"]];
    let error = shown(&recipe, &rows, Policy::default()).unwrap_err().to_string();
    assert!(error.contains("'cok' (row 3) is not in the recipe"), "{error}");
    assert!(error.contains("1 other value"), "{error}");
    let half = Some("50%".parse().unwrap());
    let suppress = Policy { unseen: Unseen::Suppress, suppress: half, ..Policy::default() };
    let cells = shown(&recipe, &rows, suppress).unwrap();
    assert_eq!(cells[2..], [["*", "*"], ["*", "*"]]);
    let merge = Policy { unseen: Unseen::Root, repair: Repair::Merge, suppress: None };
    let cells = shown(&recipe, &rows, merge).unwrap();
    assert!(cells[2..].iter().all(|row| row[1] == "*"), "{cells:?}");
    let none = Policy { unseen: Unseen::Suppress, ..Policy::default() };
    let error = shown(&recipe, &rows, none).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
}

#[test]
fn classes_that_are_too_small_are_suppressed_merged_or_refused() {
    let (_, recipe) = release_of(&FIRST, asked("hedge", "free", "free"));
    let rows = [["20", "cook"], ["21", "cook"], ["22", "nurse"]];
    for repair in [Repair::Suppress, Repair::Refuse] {
        let error = shown(&recipe, &rows, Policy { repair, ..Policy::default() }).unwrap_err();
        assert!(matches!(error, Error::Unreachable { .. }), "{error}");
        assert!(error.to_string().contains("1 class with 1 of 3 records does not"), "{error}");
    }
    let merge = Policy { repair: Repair::Merge, ..Policy::default() };
    let cells = shown(&recipe, &rows, merge).unwrap();
    assert_eq!(cells[0], ["[20, 26]", "{cook, nurse}"]);
    let third = Policy { suppress: Some("40%".parse().unwrap()), ..Policy::default() };
    assert_eq!(shown(&recipe, &rows, third).unwrap()[2], ["*", "*"]);
}

/// The figure of a refusal is that of the worst class, whichever comes first.
#[test]
fn what_failing_classes_attain_is_the_least() {
    let rows: Vec<[&str; 2]> = FIRST.iter().chain(&FIRST).copied().collect();
    let demands = Demands { k: 3, ..asked("hedge", "free", "free") };
    let (_, recipe) = release_of(&rows, demands);
    let next = [["20", "cook"], ["20", "cook"], ["60", "cook"], ["22", "nurse"], ["22", "nurse"]];
    for repair in [Repair::Suppress, Repair::Refuse] {
        let error = shown(&recipe, &next, Policy { repair, ..Policy::default() }).unwrap_err();
        assert!(error.to_string().contains("a class attains only 1"), "{error}");
    }
}

/// Advice that was followed already is not given again.
#[test]
fn records_that_all_are_suppressed_leave_nothing_to_publish() {
    let (_, recipe) = release_of(&FIRST, asked("hedge", "free", "free"));
    let suppress = Some("100%".parse().unwrap());
    let policy = Policy { unseen: Unseen::Suppress, suppress, ..Policy::default() };
    let strange = [["20", "smith"], ["21", "smith"]];
    let error = shown(&recipe, &strange, policy).unwrap_err().to_string();
    assert!(error.contains("no record would be left to publish"), "{error}");
    assert!(!error.contains("may be suppressed") && !error.contains("to be suppressed"), "{error}");
    let small = [["20", "cook"], ["60", "cook"]];
    let error = shown(&recipe, &small, policy).unwrap_err().to_string();
    assert!(error.contains("no record would be left to publish"), "{error}");
}

/// A label is written from ends that the recipe has, never from a value of the next table.
#[test]
fn merged_ranges_have_ends_of_the_recipe() {
    let (_, recipe) = release_of(&FIRST, asked("hedge", "free", "free"));
    let rows = [["20.3", "cook"], ["22.7", "nurse"]];
    let merge = Policy { repair: Repair::Merge, ..Policy::default() };
    assert_eq!(shown(&recipe, &rows, merge).unwrap()[1], ["[20, 26]", "{cook, nurse}"]);
}

#[test]
fn a_recipe_that_was_changed_or_cut_off_is_refused() {
    let (_, recipe) = release_of(&FIRST, asked("hedge", "free", "free"));
    let text = recipe.to_text().unwrap();
    let said = |text: &str| Recipe::from_text(text).unwrap_err().to_string();
    assert!(said(&text.replace("cook", "book")).contains("checksum does not match"));
    assert!(said(&text[..text.len() / 2]).contains("cut off"));
    let other = text.replace("\"hedgerow-recipe\":1", "\"hedgerow-recipe\":2");
    assert!(said(&other).contains("version 2"), "{}", said(&other));
    assert!(said("{}").contains("not a recipe"));
    assert!(said("age;job\n").contains("not a recipe"));
    assert!(said("").contains("cut off"));
}

#[test]
fn a_table_of_other_columns_or_kinds_is_refused() {
    let (_, recipe) = release_of(&FIRST, asked("hedge", "free", "free"));
    let other = Table::from_rows(&["age", "town"], &FIRST).unwrap();
    let error = recipe.recode_unchecked(&other, Unseen::Root, &Silent).unwrap_err().to_string();
    assert!(error.contains("'age', 'job', not 'age', 'town'"), "{error}");
    let words = Table::from_rows(&["age", "job"], &[["old", "cook"]]).unwrap();
    let error = recipe.recode_unchecked(&words, Unseen::Root, &Silent).unwrap_err().to_string();
    assert!(error.contains("'age'") && error.contains("the kind text"), "{error}");
}

/// The recount of the library agrees that k-anonymity holds after a merge.
#[test]
fn what_is_applied_is_recounted() {
    let (table, recipe) = release_of(&FIRST, asked("mondrian", "free", "free"));
    let merge = Policy { repair: Repair::Merge, ..Policy::default() };
    let applied = recipe.apply(&table, merge, &Silent).unwrap();
    let rows = applied.release.rows(RowOrder::Input, &Silent).unwrap();
    let shown = Table::from_rows(&["age", "job"], &rows).unwrap();
    let k = KAnonymity::new(2).unwrap();
    assert!(Recount::of(&shown, &[&k]).unwrap().holds());
}

/// A recipe promises what its release was required to have, uniform recoding included.
#[test]
fn a_recipe_keeps_the_recoding_that_was_required() {
    let rows: Vec<[String; 2]> =
        (0..24).map(|i| [(20 + i).to_string(), ["cook", "nurse"][i % 2].to_owned()]).collect();
    let table = Table::from_rows(&["age", "job"], &rows).unwrap();
    let recoding = Scope::FullDomain;
    let demands = Demands { recoding, needs_levels: true, ..asked("optimal", "iotf", "frequency") };
    let study = Study::new(&table, demands, None, &Silent).unwrap();
    let solved = study.search(study.method(), None, &Silent).unwrap();
    let release = Release::new(&solved.recoding, &Style::default(), &Silent).unwrap();
    let recipe = Recipe::of(&study, &release, &Silent).unwrap();
    assert_eq!(recipe.demands().recoding, recoding);
    let read = Recipe::from_text(&recipe.to_text().unwrap()).unwrap();
    assert_eq!(read, recipe);
    // Recipes of earlier versions do not say it.
    let rules = serde_json::to_string(&recipe).unwrap();
    let older = rules.replace(",\"recoding\":\"full-domain\"", "");
    assert_ne!(older, rules);
    assert_eq!(Recipe::from_rules(&older).unwrap().demands().recoding, Scope::Local);
    // Its own table is recoded as uniformly again.
    let applied = recipe.apply(&table, Policy::default(), &Silent).unwrap();
    assert_eq!(applied.study.demands().recoding, recoding);
    // One lonely age makes a class that only a wider label could save.
    let lonely: Vec<[&str; 2]> = vec![["20", "cook"], ["21", "cook"], ["43", "cook"]];
    let next = next_of(&recipe, &lonely);
    let merge = Policy { repair: Repair::Merge, ..Policy::default() };
    // Whoever merges classes gives up that all records have the same level.
    let applied = recipe.apply(&next, merge, &Silent).unwrap();
    assert_eq!(applied.study.demands().recoding, Scope::Local);
    // A value without a rule would be published as `*`, unlike all others of its column.
    let strange =
        (0..24).map(|row| [(20 + row).to_string(), ["cook", "nurse"][row % 2].to_owned()]);
    let strange: Vec<[String; 2]> =
        strange.chain((0..24).map(|_| ["99".to_owned(), "cook".to_owned()])).collect();
    let strange: Vec<[&str; 2]> =
        strange.iter().map(|row| [row[0].as_str(), row[1].as_str()]).collect();
    let root = Policy { unseen: Unseen::Root, ..Policy::default() };
    let refused = recipe.apply(&next_of(&recipe, &strange), root, &Silent).unwrap_err();
    assert!(matches!(refused, Error::Unreachable { .. }), "{refused}");
    assert!(text_of(&refused).contains("full-domain"), "{refused}");
}

/// The rules alone check nothing, so their result says which classes are too small.
#[test]
fn what_is_recoded_by_rules_alone_lists_its_small_classes() {
    let (table, recipe) = release_of(&FIRST, asked("mondrian", "free", "free"));
    let whole = recipe.recode_unchecked(&table, Unseen::Root, &Silent).unwrap();
    assert_eq!(whole.small().count(), 0);
    let one = next_of(&recipe, &FIRST[..1]);
    let unchecked = recipe.recode_unchecked(&one, Unseen::Root, &Silent).unwrap();
    let small: Vec<(&[String], u64)> = unchecked.small().collect();
    assert_eq!(small, [(unchecked.cells(Cohort::new(0)).unwrap(), 1)]);
}
