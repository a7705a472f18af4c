//! `hedgerow verify`: checks the privacy of a release by recounting it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::measure::{Attained, Owners, Recount};
use hedgerow::noun::counted;
use hedgerow::population::Population;
use hedgerow::privacy::PrivacyModel;
use hedgerow::publish;
use hedgerow::study::Claims;
use hedgerow::table::{Columns, Encoding, MissingPolicy, Table};
use serde::Serialize;

use super::people::Compared;
use crate::Verdict;
use crate::args::{VerifyArgs, pairs, pairs_of};
use crate::console::{self, Console};

/// Maximum number of failing classes, and of unexplained labels, that are shown.
const SHOWN: usize = 3;

/// Published labels that no value of the population and no hierarchy explains, by column.
type Unplaced = BTreeMap<String, Vec<String>>;

#[derive(Serialize)]
struct Verification {
    rows: u64,
    suppressed: u64,
    classes: usize,
    smallest_class: u64,
    holds: bool,
    privacy: Vec<Attained>,
    /// The column of the original that names people, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    person: Option<String>,
    /// Number of people that every class has at least, if the people of single records are not
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    people_at_least: Option<u64>,
    /// Labels that cover no record of the population.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    unplaced: Unplaced,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Verdict> {
    let mut source = open(args)?;
    if args.shown.spreadsheet_safe {
        source = source.without_guards();
    }
    let console = Console::new(args.quiet);
    let hierarchy =
        pairs_of(&args.hierarchies, &[args.shown.quasi.as_slice(), &args.sensitive].concat())?
            .into_iter()
            .map(|(name, spec)| (name, spec.into()))
            .collect();
    // The release must have them, or models would be checked on nothing.
    for name in &args.sensitive {
        hedgerow::schema::find(source.header(), name)?;
    }
    let specs = args.privacy.specs();
    let claims = Claims {
        k: args.k,
        privacy: &specs,
        sensitive: &args.sensitive,
        hierarchy: &hierarchy,
        has_population: args.privacy.population.is_some(),
    };
    let mut release = read_release(args, &source, &columns(&claims)?, &console)?;
    if !args.quiet {
        console::note_reading(&source, &release.notes());
    }
    // A lower bound, if the files alone do not show whose records they are.
    let mut at_least = None;
    if let (Some(person), Some(original)) = (&args.person, &args.original) {
        match owners(args, &source, original, person, &console)? {
            // The release with its people replaces the one without, so that models count people.
            Owners::Known(named) => release = named,
            Owners::Uncertain { at_least: fewest } => at_least = Some(fewest),
        }
    }
    let built = claims.models(&release)?;
    let models: Vec<&dyn PrivacyModel> = built.iter().map(AsRef::as_ref).collect();
    let (covered, unplaced) = match &args.privacy.population {
        Some(path) => covered(args, path, &release, &console)?,
        None => Default::default(),
    };
    drop(console.seconds());
    // Everything is counted in the file; nothing is taken from the run that wrote it.
    let recount = Recount::among(&release, &models, &covered)?;
    // If the people of single records are not known, only k can be confirmed, by its bound.
    let is_confirmed = at_least.is_none_or(|fewest| fewest >= args.k && specs.is_empty());
    let (holds, privacy) = (recount.holds() && is_confirmed, recount.privacy.clone());
    let verification = Verification {
        unplaced,
        rows: recount.n_rows,
        suppressed: recount.n_suppressed,
        classes: recount.sizes.len(),
        smallest_class: recount.smallest(),
        holds,
        privacy,
        person: args.person.clone(),
        people_at_least: at_least,
    };
    if args.json {
        console::print_json(&verification)?;
    } else if !args.quiet {
        console::print(&text(&verification, &recount, &release, args.k))?;
    }
    Ok(if holds { Verdict::Fine } else { Verdict::Violation })
}

/// The columns that the claims are about.
fn columns(claims: &Claims<'_>) -> Result<Vec<String>> {
    let columns = claims.columns()?;
    // After the columns, so that an unknown model is reported as such.
    claims.check_population()?;
    Ok(columns)
}

/// Opens the release. If another table is read too, the options for the encoding and the header are
/// about that table, because a release has a header and an encoding of its own.
fn open(args: &VerifyArgs) -> hedgerow::Result<Source> {
    let file = &args.shown.read.file;
    let others = [args.original.as_deref(), args.privacy.population.as_deref()];
    file.check_sheet(others.into_iter().flatten().chain([args.release.as_path()]))?;
    if others.iter().any(Option::is_some) || args.output_encoding.is_some() {
        file.open_release(&args.release, args.output_encoding)
    } else {
        file.open_one(&args.release)
    }
}

/// Reads the quasi-identifiers of a release and the columns `beside` them.
fn read_release(
    args: &VerifyArgs,
    source: &Source,
    beside: &[String],
    console: &Console,
) -> Result<Table> {
    let columns = Columns::quasi(&args.shown.quasi).and_beside(beside);
    let encoding = Encoding {
        is_guarded: args.shown.spreadsheet_safe,
        ..args.shown.read.encoding(MissingPolicy::Own)?
    };
    let threads = args.shown.read.file.threads();
    let options = ReadOptions { encoding, threads, ..ReadOptions::default() };
    Ok(publish::read_release(source, &columns, options, console)?)
}

/// Finds the people of a release by comparing it with its original, which names them in the column
/// `person`.
fn owners(
    args: &VerifyArgs,
    release: &Source,
    original: &Path,
    person: &str,
    console: &Console,
) -> Result<Owners> {
    let compared = Compared {
        release,
        original: &args.shown.read.file.open_one(original)?,
        person,
        args: &args.shown,
        missing: args.missing.into(),
    };
    compared.owners(|table| trees(args, table), console)
}

/// Returns the number of records of the population that each cohort of the release covers, and the
/// labels that cover no record because nothing explains them.
fn covered(
    args: &VerifyArgs,
    path: &Path,
    release: &Table,
    console: &Console,
) -> Result<(Vec<u64>, Unplaced)> {
    let source = args.shown.read.file.open_one(path)?;
    let mut encoding = args.shown.read.encoding(args.missing.into())?;
    encoding.kinds.retain(|name, _| args.shown.quasi.contains(name)); // only these are read
    encoding.date_formats.retain(|name, _| args.shown.quasi.contains(name));
    let options =
        ReadOptions { encoding, threads: args.shown.read.file.threads(), ..ReadOptions::default() };
    let table = source.read(&Columns::quasi(&args.shown.quasi), &options, console)?;
    let trees = trees(args, &table)?;
    let tree_of = trees.iter().map(|(name, tree)| (name.clone(), tree)).collect();
    let population = Population::new(table);
    Ok((population.covered(release, &tree_of)?, population.unplaced(release, &tree_of)))
}

/// Reads the hierarchies that are given for columns of a table.
fn trees(args: &VerifyArgs, table: &Table) -> Result<BTreeMap<String, Hierarchy>> {
    let given = pairs(&args.hierarchies)?;
    let mut trees: BTreeMap<String, Hierarchy> = BTreeMap::new();
    for column in table.columns() {
        if let Some(spec) = given.get(&column.name) {
            // Labels are explained by files; a method would build other labels.
            let path = spec.to_string();
            trees.insert(column.name.clone(), format::read_file_of(Path::new(&path), column)?);
        }
    }
    Ok(trees)
}

fn text(verification: &Verification, recount: &Recount, release: &Table, k: u64) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}, {} of them suppressed; {}, smallest size {}",
        counted(verification.rows, "record"),
        verification.suppressed,
        counted(verification.classes, "class"),
        verification.smallest_class
    );
    out.push_str(&told_unplaced(&verification.unplaced));
    // Claims about classes mean nothing if there is none.
    if verification.classes == 0 && verification.holds {
        let _ =
            writeln!(out, "holds: every record is suppressed, so no record can be distinguished");
        return out;
    }
    for (place, claim) in verification.privacy.iter().enumerate() {
        let verdict = if claim.holds { "holds" } else { "VIOLATED" };
        // The first claim is always k-anonymity.
        let verdict = if verification.people_at_least.is_some() { "in records" } else { verdict };
        let what = match (place, claim.holds) {
            (0, true) => format!("the release is {k}-anonymous"),
            (0, false) => format!("the release is only {}-anonymous, not {k}", claim.shown()),
            _ => describe(claim, verification),
        };
        let _ = writeln!(out, "{verdict}: {what}{}", told_failing(claim, recount, release));
    }
    out.push_str(&told_people(verification, k));
    out
}

/// Returns how many classes violate a claim and shows some of them; empty if none does.
fn told_failing(claim: &Attained, recount: &Recount, release: &Table) -> String {
    let Some(n_failing) = claim.failing_classes else { return String::new() };
    let n_records: u64 = recount.failing(claim).map(|(_, size)| size).sum();
    let (classes, records) = (counted(n_failing, "class"), counted(n_records, "record"));
    let mut out = format!("; {classes} with {records} violate it, such as");
    // Examples that can be searched for in the file.
    for (cohort, size) in recount.failing(claim).take(SHOWN) {
        let codes = release.cohorts().tuple(cohort).iter().zip(release.columns());
        let cells = codes
            .map(|(&code, column)| format!("{}={}", column.name, column.domain.spelling(code)));
        let _ = write!(out, "\n  {size} x {}", cells.collect::<Vec<_>>().join(", "));
    }
    out
}

/// Describes a claim. If some labels cover no record, the attained value of k-map is a lower bound.
fn describe(claim: &Attained, verification: &Verification) -> String {
    let Attained { model, column, .. } = claim;
    let column = column.as_ref().map_or_else(String::new, |column| format!(" of {column}"));
    // Labels that nothing explains count no record, so the true number can only be larger.
    let is_bound = claim.counts_population() && !verification.unplaced.is_empty();
    let at_least = if is_bound { "at least " } else { "" };
    format!("{model}{column} asked {}, attained {at_least}{}", claim.demand(), claim.shown())
}

/// Lists the published labels that cover no record of the population, column by column.
fn told_unplaced(unplaced: &Unplaced) -> String {
    let mut out = String::new();
    for (column, names) in unplaced {
        let some: Vec<String> = names.iter().take(SHOWN).map(|name| format!("'{name}'")).collect();
        // `some` has at most the first names, so the difference is not negative.
        let more = match names.len() - some.len() {
            0 => String::new(),
            n_more => format!(" and {n_more} more"),
        };
        let _ = writeln!(
            out,
            "k-map counts no record for {}{more} in {column}: these are not values of the population; \
             explain them with --hierarchy {column}=FILE",
            some.join(", ")
        );
    }
    out
}

/// Reports the number of people that were counted, or its known bound.
fn told_people(verification: &Verification, k: u64) -> String {
    match (&verification.person, verification.people_at_least) {
        (Some(person), None) => format!("people were counted by '{person}' of the original\n"),
        (Some(_), Some(fewest)) if verification.holds => {
            format!("holds: every class has at least {}\n", counted(fewest, "person"))
        }
        (Some(_), Some(fewest)) if fewest >= k => format!(
            "NOT CONFIRMED: every class has at least {}, but what the other models count is not known, \
             because records of the release could belong to different people; a release in the order of \
             its original (--keep-order) can be counted before it is shuffled\n",
            counted(fewest, "person")
        ),
        (Some(_), Some(fewest)) => format!(
            "NOT CONFIRMED: every class has at least {}, and whether it has {k} cannot be counted, \
             because records of the release could belong to different people; a release in the order \
             of its original (--keep-order) can be counted before it is shuffled\n",
            counted(fewest, "person")
        ),
        (None, _) => String::new(),
    }
}
