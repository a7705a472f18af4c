//! `hedgerow verify`: checks the privacy of a release by recounting it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::ReadOptions;
use hedgerow::measure::{Attained, Recount};
use hedgerow::noun::counted;
use hedgerow::population::Population;
use hedgerow::privacy::PrivacyModel;
use hedgerow::publish;
use hedgerow::study::Claims;
use hedgerow::table::{Columns, Encoding, MissingPolicy, Table};
use serde::Serialize;

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
    /// Labels that cover no record of the population.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    unplaced: Unplaced,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Verdict> {
    let mut source = args.read.file.open(&args.release)?;
    if args.spreadsheet_safe {
        source = source.without_guards();
    }
    let console = Console::new(args.quiet);
    let hierarchy =
        pairs_of(&args.hierarchies, &[args.quasi.as_slice(), &args.sensitive].concat())?
            .into_iter()
            .map(|(name, spec)| (name, spec.into()))
            .collect();
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
    let beside = claims.columns()?;
    let columns = Columns::quasi(&args.quasi).and_beside(&beside);
    let encoding =
        Encoding { is_guarded: args.spreadsheet_safe, ..args.read.encoding(MissingPolicy::Own)? };
    let threads = args.read.file.threads();
    let options = ReadOptions { encoding, threads, ..ReadOptions::default() };
    let release = publish::read_release(&source, &columns, options, &console)?;
    if !args.quiet {
        console::note_reading(&source, &release.notes());
    }
    let built = claims.models(&release)?;
    let models: Vec<&dyn PrivacyModel> = built.iter().map(AsRef::as_ref).collect();
    let (covered, unplaced) = match &args.privacy.population {
        Some(path) => covered(args, path, &release, &console)?,
        None => Default::default(),
    };
    drop(console.seconds());
    let recount = Recount::among(&release, &models, &covered)?;
    let (holds, privacy) = (recount.holds(), recount.privacy.clone());
    let verification = Verification {
        unplaced,
        rows: recount.n_rows,
        suppressed: recount.n_suppressed,
        classes: recount.sizes.len(),
        smallest_class: recount.smallest(),
        holds,
        privacy,
    };
    if args.json {
        console::print_json(&verification)?;
    } else if !args.quiet {
        console::print(&text(&verification, &recount, &release, args.k))?;
    }
    Ok(if holds { Verdict::Fine } else { Verdict::Violation })
}

/// Returns the number of records of the population that each cohort of the release covers, and the
/// labels that cover no record because nothing explains them.
fn covered(
    args: &VerifyArgs,
    path: &Path,
    release: &Table,
    console: &Console,
) -> Result<(Vec<u64>, Unplaced)> {
    let source = args.read.file.open(path)?;
    let mut encoding = args.read.encoding(args.missing.into())?;
    encoding.kinds.retain(|name, _| args.quasi.contains(name)); // only these are read
    encoding.date_formats.retain(|name, _| args.quasi.contains(name));
    let options =
        ReadOptions { encoding, threads: args.read.file.threads(), ..ReadOptions::default() };
    let table = source.read(&Columns::quasi(&args.quasi), &options, console)?;
    let given = pairs(&args.hierarchies)?;
    let mut trees: BTreeMap<String, Hierarchy> = BTreeMap::new();
    for column in table.columns() {
        if let Some(spec) = given.get(&column.name) {
            let path = spec.to_string();
            trees.insert(column.name.clone(), format::read_file_of(Path::new(&path), column)?);
        }
    }
    let tree_of = trees.iter().map(|(name, tree)| (name.clone(), tree)).collect();
    let population = Population::new(table);
    Ok((population.covered(release, &tree_of), population.unplaced(release, &tree_of)))
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
    if verification.classes == 0 && verification.holds {
        let _ =
            writeln!(out, "holds: every record is suppressed, so no record can be distinguished");
        return out;
    }
    for (place, claim) in verification.privacy.iter().enumerate() {
        let verdict = if claim.holds { "holds" } else { "VIOLATED" };
        // The first claim is always k-anonymity.
        let what = match (place, claim.holds) {
            (0, true) => format!("the release is {k}-anonymous"),
            (0, false) => format!("the release is only {}-anonymous, not {k}", claim.shown()),
            _ => describe(claim, verification),
        };
        let _ = writeln!(out, "{verdict}: {what}{}", told_failing(claim, recount, release));
    }
    out
}

/// Returns how many classes violate a claim and shows some of them; empty if none does.
fn told_failing(claim: &Attained, recount: &Recount, release: &Table) -> String {
    let Some(n_failing) = claim.failing_classes else { return String::new() };
    let n_records: u64 = recount.failing(claim).map(|(_, size)| size).sum();
    let (classes, records) = (counted(n_failing, "class"), counted(n_records, "record"));
    let mut out = format!("; {classes} with {records} violate it, such as");
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
    let is_bound = claim.counts_population() && !verification.unplaced.is_empty();
    let at_least = if is_bound { "at least " } else { "" };
    format!("{model}{column} asked {}, attained {at_least}{}", claim.demand(), claim.shown())
}

/// Lists the published labels that cover no record of the population, column by column.
fn told_unplaced(unplaced: &Unplaced) -> String {
    let mut out = String::new();
    for (column, names) in unplaced {
        let some: Vec<String> = names.iter().take(SHOWN).map(|name| format!("'{name}'")).collect();
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
