//! Whether columns that are published as they are narrow the published cells of quasi-identifiers.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::attack::{LEAST_OF_STRONG, Links, left};
use crate::error::{Advice, Warning};
use crate::guard::{Glance, Grouped};
use crate::population::{Cover, Reader};
use crate::problem::Attribute;
use crate::release::Release;
use crate::schema::{Role, Schema};
use crate::table::{Code, Cohort, Table};

/// The share of the records for which it is worth a warning.
const NOTABLE: f64 = 0.05;
/// Number of records of a class from which it is not examined for records with few candidates.
const MOST_OF_CLASS: usize = 300;
/// Number of columns that a warning names.
const MOST_NAMED: usize = 4;

/// The sampled records of a table with the cells that a release publishes of them.
pub(super) struct Narrowed<'a> {
    schema: &'a Schema,
    release: &'a Release,
    records: Vec<Record>,
    leaks: Vec<Leak<'a>>,
    /// For each quasi-identifier, what the text of each region covers.
    covers: Vec<Vec<Cover>>,
    /// Whether the sample is the table, and its records are people.
    is_whole: bool,
}

/// A sampled record.
struct Record {
    /// Its place in the sample.
    place: usize,
    /// Its codes in the quasi-identifiers.
    codes: Vec<Code>,
    /// The number of the region of each quasi-identifier; `None` if it is suppressed.
    regions: Option<Vec<u32>>,
}

/// A column that is published as it is and reveals something about a quasi-identifier.
struct Leak<'a> {
    column: &'a str,
    quasi: usize,
    /// The share of the quasi-identifier's entropy that it removes.
    share: f64,
    /// Its code in each sampled record.
    codes: &'a [Option<u32>],
    links: Links,
}

impl<'a> Narrowed<'a> {
    /// Finds the published columns that reveal something about a quasi-identifier. `has_suppressed`
    /// if suppressed records are published.
    pub(super) fn new(
        glance: &'a Glance,
        schema: &'a Schema,
        release: &'a Release,
        has_suppressed: bool,
    ) -> Self {
        let problem = release.recoding().problem();
        let records = records(glance, release, has_suppressed);
        let covers = (problem.table().columns().iter().zip(problem.attributes()).enumerate())
            .map(|(place, (column, attribute))| {
                let reader = Reader::new(column, tree_of(attribute));
                let cover = |text| {
                    if reader.knows(text) { reader.cover(text) } else { Cover::all(&column.domain) }
                };
                release.texts(place).map(cover).collect()
            })
            .collect();
        // In a sample a class has fewer records than in the table, so small numbers would mean
        // nothing.
        let is_whole =
            glance.n_sampled() as u64 == glance.n_rows() && problem.table().person().is_none();
        let leaks = leaks(glance, schema, problem.table(), &records);
        Self { schema, release, records, leaks, covers, is_whole }
    }

    /// A warning for each quasi-identifier that is narrowed for a notable share of the records.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        (0..self.covers.len()).filter_map(|quasi| self.warning(quasi)).collect()
    }

    fn warning(&self, quasi: usize) -> Option<Warning> {
        let leaks: Vec<&Leak<'_>> = self.leaks.iter().filter(|leak| leak.quasi == quasi).collect();
        if leaks.is_empty() || self.records.is_empty() {
            return None;
        }
        // Cells that show one value anyway are not the fault of other columns.
        let (mut before, mut after) = (0, 0);
        for record in &self.records {
            let (n_covered, n_left) = self.values_left(record, &leaks);
            before += usize::from(n_covered == 1);
            after += usize::from(n_left == 1);
        }
        let n = self.records.len();
        let k = self.release.recoding().problem().k();
        let n_few = if self.is_whole { self.few_candidates(&leaks, k as usize) } else { 0 };
        let is_notable = |n_records: usize| n_records as f64 >= NOTABLE * n as f64;
        if !is_notable(after - before) && !is_notable(n_few) {
            return None;
        }
        let of = if self.is_whole { "records" } else { "sampled records" };
        let name = &self.release.recoding().problem().table().columns()[quasi].name;
        let (tell, them) = if leaks.len() == 1 { ("tells", "it") } else { ("tell", "them") };
        let one = is_notable(after - before).then(|| {
            format!("{after} of {n} {of} can have only one value ({before} without {them})")
        });
        let few = is_notable(n_few)
            .then(|| format!("for {n_few} of {n} people, fewer than {k} records can be theirs"));
        let found: Vec<String> = one.into_iter().chain(few).collect();
        let problem = format!(
            "{} {tell} more about '{name}' than its published cells: {}",
            told(&leaks),
            found.join(", and ")
        );
        Some(Warning::new(problem).advise(self.advice(&leaks)))
    }

    /// Advice about the columns: leave out or generalize the one that reveals most, or keep it, if
    /// that is not decided.
    fn advice(&self, leaks: &[&Leak<'_>]) -> Vec<Advice> {
        let Some(first) = leaks.first() else { return Vec::new() };
        let column = first.column.to_owned();
        let is_open = self.schema.with(Role::Undecided).any(|name| *name == column);
        let keep = is_open.then(|| Advice::KeepColumns { columns: vec![column.clone()] });
        [Advice::DropColumn { column: column.clone() }, Advice::NameQuasi { column: Some(column) }]
            .into_iter()
            .chain(keep)
            .collect()
    }

    /// Number of values that the cell of a record covers, and of those that are left.
    fn values_left(&self, record: &Record, leaks: &[&Leak<'_>]) -> (usize, usize) {
        let quasi = leaks[0].quasi;
        let cover =
            record.regions.as_ref().map(|regions| &self.covers[quasi][regions[quasi] as usize]);
        let domain = &self.release.recoding().problem().table().columns()[quasi].domain;
        let n_covered = cover.map_or(domain.n_codes(), |cover| {
            cover.runs().map(|(start, end)| (end - start) as usize).sum()
        });
        let kept = leaks.iter().filter_map(|leak| Some((&leak.links, leak.codes[record.place]?)));
        let is_covered = |code: u32| cover.is_none_or(|cover: &Cover| cover.has(Code::from(code)));
        // Leaks are combined: two columns can leave one value where each alone leaves several.
        let n_left = left(kept, is_covered).map_or(n_covered, |n| n.min(n_covered));
        (n_covered, n_left)
    }

    /// Number of records whose class has fewer than `k` records that can be of a person with their
    /// value, given what is published besides.
    fn few_candidates(&self, leaks: &[&Leak<'_>], k: usize) -> usize {
        let quasi = leaks[0].quasi;
        let mut classes: BTreeMap<&Option<Vec<u32>>, Vec<&Record>> = BTreeMap::new();
        for record in &self.records {
            classes.entry(&record.regions).or_default().push(record);
        }
        // A value that is absent says nothing, so it rules nothing out.
        let can_be = |record: &Record, code: Code| {
            leaks.iter().all(|leak| {
                leak.codes[record.place].is_none_or(|kept| leak.links.allows(kept, code.get()))
            })
        };
        let is_few = |class: &[&Record], own: &Record| {
            let code = own.codes[quasi];
            class.iter().filter(|record| can_be(record, code)).count() < k
        };
        let of_class = |class: &Vec<&Record>| {
            // Smaller classes are groups of suppressed records, which are warned about elsewhere.
            let is_examined = (k..MOST_OF_CLASS).contains(&class.len());
            if is_examined { class.iter().filter(|own| is_few(class, own)).count() } else { 0 }
        };
        classes.values().map(of_class).sum()
    }
}

/// The tree of an attribute, if it has one.
fn tree_of(attribute: &Attribute) -> Option<&crate::hierarchy::Hierarchy> {
    attribute.generalization().hierarchy()
}

/// The columns that reveal most, in words.
fn told(leaks: &[&Leak<'_>]) -> String {
    let names: Vec<String> =
        leaks.iter().take(MOST_NAMED).map(|leak| format!("'{}'", leak.column)).collect();
    let columns = if leaks.len() == 1 { "column" } else { "columns" };
    match (names.as_slice(), leaks.len().saturating_sub(MOST_NAMED)) {
        ([first @ .., last], 0) if !first.is_empty() => {
            format!("{columns} {} and {last}", first.join(", "))
        }
        (all, 0) => format!("{columns} {}", all.concat()),
        (all, more) => format!("{columns} {} and {more} more", all.join(", ")),
    }
}

/// The sampled records whose values the table has, with their published regions.
fn records(glance: &Glance, release: &Release, has_suppressed: bool) -> Vec<Record> {
    let recoding = release.recoding();
    let table = recoding.problem().table();
    let texts: Option<Vec<_>> =
        table.columns().iter().map(|column| glance.texts(&column.name)).collect();
    // A quasi-identifier that was not sampled cannot be compared with what is published.
    let Some(texts) = texts else { return Vec::new() };
    let n_quasi = table.columns().len();
    let mut cohorts: HashMap<&[Code], Vec<Cohort>> = HashMap::new();
    for cohort in table.cohorts().all() {
        cohorts.entry(&table.cohorts().tuple(cohort)[..n_quasi]).or_default().push(cohort);
    }
    let mut assigner = release.assigner();
    let mut record = |place: usize| {
        let codes = table.columns().iter().zip(&texts).map(|(column, texts)| match texts[place] {
            Some(text) => column.domain.code_of(text),
            None => column.domain.missing_code(),
        });
        let codes: Vec<Code> = codes.collect::<Option<_>>()?;
        // Records with the same quasi-identifiers are given the classes of their cohorts in turn.
        let mut of_tuple = cohorts.get(codes.as_slice())?.iter();
        let take = of_tuple.find_map(|&cohort| assigner.take_of_next(cohort))?;
        let regions = take.class.map(|class| recoding.numbers(recoding.shape(class)).to_vec());
        (regions.is_some() || has_suppressed).then_some(Record { place, codes, regions })
    };
    (0..glance.n_sampled()).filter_map(&mut record).collect()
}

/// The columns without a role, or kept, that reveal something about a quasi-identifier, those that
/// reveal most first. Sensitive columns are published for their own sake.
fn leaks<'a>(
    glance: &'a Glance,
    schema: &'a Schema,
    table: &Table,
    records: &[Record],
) -> Vec<Leak<'a>> {
    let rows = glance.compared(schema);
    let grouped = |name: &str| {
        let series = glance.series(name)?;
        Some(Grouped::new(rows.as_ref().map_or_else(|| series.clone(), |rows| series.at(rows))))
    };
    let quasi: Vec<Option<Grouped>> =
        table.columns().iter().map(|column| grouped(&column.name)).collect();
    let kept = schema.with(Role::Undecided).chain(schema.with(Role::Insensitive));
    let mut leaks = Vec::new();
    for column in kept {
        let (Some(series), Some(own)) = (glance.series(column), grouped(column)) else { continue };
        for (place, quasi) in quasi.iter().enumerate() {
            let Some(quasi) = quasi else { continue };
            let is_strong = own.gives_away(quasi).is_some();
            if !is_strong && !own.narrows(quasi) {
                continue;
            }
            // A date reveals its year even if no other record has the same date, so it counts as if
            // it were shared.
            let weight = if is_strong && own.orders(quasi) { LEAST_OF_STRONG } else { 1 };
            let pair = |record: &Record| {
                Some(((series.codes()[record.place]?, record.codes[place].get()), weight))
            };
            let links = Links::new(records.iter().filter_map(pair), is_strong);
            let (share, codes) = (own.informs(quasi), series.codes());
            leaks.push(Leak { column, quasi: place, share, codes, links });
        }
    }
    // The sort is stable, so columns that reveal the same stay in the order of the table.
    leaks.sort_by(|a, b| b.share.total_cmp(&a.share));
    leaks
}
