//! Hierarchies of values that tables have everywhere, from catalogues of public facts.

mod places;
mod country;
mod us_state;
mod icd10;

pub use country::Country;
pub use icd10::Icd10;
pub use us_state::UsState;

use hashbrown::HashSet;

use super::categorical::{demand_values, leaves_in_order};
use super::even;
use super::{HierarchyBuilder, method};
use crate::error::{Advice, Warning, nearest};
use crate::hierarchy::{Generalization, Hierarchy, Leaf, Node};
use crate::method::{Described, Make, Method};
use crate::noun::{counted, listed};
use crate::table::{Column, Kind, has_word};
use crate::{Error, Result};

/// Every catalogue.
pub(super) const ALL: &[Method<Make<dyn HierarchyBuilder>>] =
    &[method::<Country>(), method::<UsState>(), method::<Icd10>()];

/// Number of unknown values that a message names.
const MOST_NAMED: usize = 5;

/// Columns with more distinct values are looked up only on request.
const MOST_VALUES: usize = 20_000;

/// Facts about values: the groups that each value belongs to.
trait Catalogue {
    /// Words in the names of columns that have such values.
    const WORDS: &'static str;

    /// The kind of the groups of each level, from fine to coarse. It is added to the name of a
    /// group that is also a value.
    const LEVELS: [&'static str; 3];

    /// Returns the names of the groups of a value, one for each level, or `None` if the value is
    /// unknown.
    fn groups(value: &str) -> Option<Vec<String>>;

    /// Whether a value is unambiguous: a name rather than a short code.
    fn is_telling(value: &str) -> bool;

    /// Returns the names of all values, among which a misspelt one is searched.
    fn names() -> Vec<&'static str>;
}

/// Builds the hierarchy of a column.
///
/// Unknown values are children of the root. It is an error if more than a fifth of the distinct
/// values are unknown.
fn grow<C: Catalogue + Described>(column: &Column) -> Result<Generalization> {
    demand_values(column)?;
    let domain = &column.domain;
    let mut known: Vec<(Vec<String>, u32)> = Vec::new();
    let mut unknown: Vec<u32> = Vec::new();
    for code in 0..domain.len() as u32 {
        match C::groups(&domain.values.spelling(code as usize)) {
            // From coarse to fine, so that sorting makes every group contiguous.
            Some(groups) => known.push((groups.into_iter().rev().collect(), code)),
            None => unknown.push(code),
        }
    }
    if unknown.len() * 5 > domain.len() {
        return Err(too_few::<C>(column, unknown));
    }
    known.sort_unstable();
    let n_levels = known.first().map_or(0, |(groups, _)| groups.len());
    let starts_of = |level: usize| {
        let path = |leaf: u32| &known[leaf as usize].0[..n_levels - level];
        let begins = |&leaf: &u32| leaf == 0 || path(leaf) != path(leaf - 1);
        (0..known.len() as u32).filter(begins).collect()
    };
    let starts: Vec<even::Starts> = (0..n_levels).map(starts_of).collect();
    // A group that holds all values is more informative than `*`, so a level of one group is kept.
    let mut placed = even::lay_out(known.len(), &starts, 1)?;
    let n_leaves = domain.len() as u32;
    placed[0].range.1 = n_leaves;
    let lone = (known.len() as u32..n_leaves)
        .map(|leaf| even::Placed { range: (leaf, leaf + 1), level: None });
    placed.extend(lone);
    let values: HashSet<_> =
        (0..domain.len()).map(|code| domain.values.spelling(code).into_owned()).collect();
    let label = |level: usize, leaf: u32| {
        let (groups, code) = &known[leaf as usize];
        let name = &groups[n_levels - 1 - level];
        let next = known.get(leaf as usize + 1).map(|(groups, _)| groups);
        let is_alone =
            next.is_none_or(|next| next[..n_levels - level] != groups[..n_levels - level]);
        // A group of nothing but the value itself may have its name.
        let is_itself = is_alone && domain.values.spelling(*code as usize) == *name;
        if is_itself { name.clone() } else { untaken(name, C::LEVELS[level], &values) }
    };
    let order: Vec<u32> = known.iter().map(|&(_, code)| code).chain(unknown).collect();
    even::tree(leaves_in_order(column, &order), &placed, label).map(Generalization::from)
}

/// Returns the name of a group or, if it is a value of the column, the name with the kind of the
/// group: `Europe (region)`.
fn untaken(name: &str, what: &str, values: &HashSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 1;
    while values.contains(&free) {
        free = if number == 1 {
            format!("{name} ({what})")
        } else {
            format!("{name} ({what} {number})")
        };
        number += 1;
    }
    free
}

/// The error for a column of which too few values are known.
fn too_few<C: Catalogue + Described>(column: &Column, mut unknown: Vec<u32>) -> Error {
    let domain = &column.domain;
    // In the order of the file, where a user will look for them.
    unknown.sort_by_key(|&code| domain.first_rows[code as usize]);
    let named = unknown.iter().take(MOST_NAMED).map(|&code| {
        let value = domain.values.spelling(code as usize);
        let row = domain.first_rows[code as usize] + 1;
        let near = nearest(&value, C::names().into_iter())
            .map_or_else(String::new, |near| format!(", did you mean '{near}'?"));
        format!("'{value}' (row {row}{near})")
    });
    let mut named: Vec<String> = named.collect();
    if unknown.len() > MOST_NAMED {
        named.push(counted(unknown.len() - MOST_NAMED, "other"));
    }
    let n_known = domain.len() - unknown.len();
    let name = C::DESCRIPTION.name;
    let problem = format!(
        "'{name}' knows {n_known} of its {}; it does not know {}",
        counted(domain.len(), "distinct value"),
        named.join(", ")
    );
    Error::column(&column.name, problem).advise([
        Advice::words("correct their spelling"),
        Advice::other_hierarchy(&column.name, &["auto"]),
        Advice::hierarchy_file(&column.name),
    ])
}

/// Returns the catalogue that knows nearly all values of a column, if exactly one does.
///
/// It must know four fifths of the distinct values and nine tenths of the records. Short codes such
/// as `CA` or `NO` can mean anything, so most known values must be unambiguous, unless the name of
/// the column names their kind.
pub(super) fn suited(column: &Column) -> Option<&'static str> {
    let is_text = matches!(column.domain.values.kind(), Kind::Text | Kind::Code);
    if !is_text || !(2..=MOST_VALUES).contains(&column.domain.len()) {
        return None;
    }
    let fits = [fit::<Country>(column), fit::<UsState>(column), fit::<Icd10>(column)];
    let best = fits.iter().flatten().max_by_key(|fit| fit.rank())?;
    let is_alone = fits.iter().flatten().filter(|fit| fit.rank() == best.rank()).count() == 1;
    is_alone.then_some(best.name)
}

/// A catalogue that suits a column, and the figures that rank it.
struct Fit {
    name: &'static str,
    is_named: bool,
    n_known: usize,
}

impl Fit {
    /// A matching name of the column counts more than the number of known values.
    fn rank(&self) -> (bool, usize) {
        (self.is_named, self.n_known)
    }
}

fn fit<C: Catalogue + Described>(column: &Column) -> Option<Fit> {
    let domain = &column.domain;
    let is_named = has_word(&column.name, C::WORDS);
    let (mut n_known, mut n_telling, mut n_records) = (0, 0, 0);
    for code in 0..domain.len() {
        let value = domain.values.spelling(code);
        if C::groups(&value).is_some() {
            n_known += 1;
            n_telling += usize::from(C::is_telling(&value));
            n_records += domain.counts[code];
        }
    }
    let n_all: u64 = domain.counts.iter().sum();
    // Whole numbers instead of shares: 4/5 of the values and 9/10 of the records.
    let is_known = n_known * 5 >= domain.len() * 4 && n_records * 10 >= n_all * 9;
    let is_telling = is_named || n_telling * 2 > n_known;
    (is_known && is_telling).then_some(Fit { name: C::DESCRIPTION.name, is_named, n_known })
}

/// Lists the values that a catalogue did not know when it built a tree.
pub(super) fn doubts(tree: &Hierarchy) -> Option<Warning> {
    let builder = tree.builder()?;
    let names = match builder.name.as_str() {
        "country" => Country::names(),
        "us-state" => UsState::names(),
        "icd10" => Icd10::names(),
        _ => return None,
    };
    // Every known value has a group below the root; a leaf for missing values is not a value.
    let is_unknown = |leaf: &Leaf| tree.parent(tree.leaf_node(*leaf)) == Some(Node::ROOT);
    let values = Leaf::first(tree.leaves().len()).filter(is_unknown);
    let unknown: Vec<String> = values
        .map(|leaf| {
            let value = tree.spelling(leaf);
            match nearest(&value, names.iter().copied()) {
                Some(near) => format!("{value} (did you mean '{near}'?)"),
                None => value.into_owned(),
            }
        })
        .collect();
    let has_groups = tree.height() > 1;
    (has_groups && !unknown.is_empty()).then(|| {
        Warning::new(format!("{} does not know {}", builder.name, listed(&unknown)))
            .advise([Advice::words("correct their spelling if they are misspelt")])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Spec;
    use crate::table::Table;

    pub(super) fn column(name: &str, values: &[&str]) -> Column {
        let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
        Table::from_rows(&[name], &rows).unwrap().columns()[0].clone()
    }

    fn build(method: &str, values: &[&str]) -> Result<Hierarchy> {
        let spec = Spec::named(method);
        let built = crate::builder::build(&spec, &column("x", values), None)?;
        Ok(built.hierarchy().unwrap().clone())
    }

    #[test]
    fn unknown_values_are_children_of_the_root_and_doubted() {
        let values = ["France", "Spain", "Chile", "Peru", "Columbia"];
        let tree = build("country", &values).unwrap();
        assert_eq!(
            tree.outline(),
            "*(Americas(South America(Chile,Peru)),Europe(Southern Europe(Spain),Western Europe(France)),Columbia)"
        );
        let doubts = crate::builder::doubts(&tree);
        assert_eq!(
            doubts[0].problem(),
            "country does not know Columbia (did you mean 'Colombia'?)"
        );
    }

    #[test]
    fn spellings_meet_in_a_group_that_is_not_called_like_one_of_them() {
        let values = ["Germany", "DE", "Deutschland", "Spain", "USA", "U.S.", "Japan"];
        assert_eq!(
            build("country", &values).unwrap().outline(),
            "*(Americas(United States(U.S.,USA)),Asia(Japan(Japan)),\
             Europe(Spain(Spain),Germany (any spelling)(DE,Deutschland,Germany)))"
        );
        let values = ["TX", "Texas", "Oklahoma", "Florida", "Utah", "Nevada", "Oregon", "West"];
        let tree = build("us-state", &values).unwrap();
        assert!(tree.outline().contains("Texas (any spelling)(TX,Texas)"), "{}", tree.outline());
        assert!(tree.outline().contains("West (region)("), "{}", tree.outline());
        let tree = build("icd10", &["I21", "I21.-", "I25.1", "J45", "E11"]).unwrap();
        assert!(tree.outline().contains("I21.- (category)(I21,I21.-)"), "{}", tree.outline());
        for values in [&["Chile", "Peru", "Spain", "Italy", "Europe"][..], &values] {
            let method = if values.contains(&"TX") { "us-state" } else { "country" };
            let tree = build(method, values).unwrap();
            assert_eq!(crate::format::lint::borrowed_name(&tree), None, "{}", tree.outline());
        }
    }

    #[test]
    fn a_catalogue_that_knows_too_little_names_what_it_does_not_know() {
        let message =
            build("us-state", &["Texas", "Calfornia", "Bavaria"]).unwrap_err().to_string();
        assert!(message.contains("'us-state' knows 1 of its 3 distinct values"), "{message}");
        assert!(message.contains("'Calfornia' (row 2, did you mean 'California'?)"), "{message}");
        assert!(message.contains("'Bavaria' (row 3)"), "{message}");
    }

    #[test]
    fn codes_are_recognised_only_if_the_column_says_what_they_are() {
        let codes = ["CA", "DE", "IN", "AR"];
        assert_eq!(suited(&column("x", &codes)), None);
        assert_eq!(suited(&column("home_state", &codes)), Some("us-state"));
        assert_eq!(suited(&column("Country", &codes)), Some("country"));
        assert_eq!(suited(&column("answer", &["NO", "SI", "NO"])), None);
        assert_eq!(suited(&column("dx", &["I21", "E11", "J45"])), Some("icd10"));
        assert_eq!(suited(&column("room", &["I21", "E11", "J45"])), None);
        assert_eq!(suited(&column("x", &["I21.9", "E11.0", "J45.1"])), Some("icd10"));
    }

    #[test]
    fn names_are_recognised_in_any_column() {
        assert_eq!(suited(&column("x", &["Chile", "Peru", "united-states"])), Some("country"));
        assert_eq!(suited(&column("x", &["Ohio", "Georgia", "Texas"])), Some("us-state"));
        assert_eq!(suited(&column("x", &["Georgia", "Georgia"])), None);
        assert_eq!(suited(&column("x", &["red", "Chile", "Peru"])), None);
    }
}
