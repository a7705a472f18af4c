//! `hedgerow verify`: recounts a release.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use hedgerow::hierarchy::{Hierarchy, format};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::job::{self, Claims, ReleaseColumns};
use hedgerow::measure::{Attained, Recount};
use hedgerow::population::Population;
use hedgerow::privacy::PrivacyModel;
use hedgerow::table::{MissingPolicy, Table};
use serde::Serialize;

use crate::Verdict;
use crate::args::{VerifyArgs, pairs, pairs_of};
use crate::console::{self, Console};

/// How many of the smallest classes are shown when a claim does not hold.
const SHOWN: usize = 3;

#[derive(Serialize)]
struct Verification {
    rows: u64,
    suppressed: u64,
    classes: usize,
    smallest_class: u64,
    holds: bool,
    privacy: Vec<Attained>,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Verdict> {
    let source = Source::open(&args.release, args.read.file.delimiter()?)?;
    let console = Console::new(args.quiet);
    let hierarchy =
        pairs_of(&args.hierarchies, &[args.quasi.as_slice(), &args.sensitive].concat())?;
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
    let columns = ReleaseColumns { quasi: &args.quasi, beside: &beside };
    let encoding = args.read.encoding(MissingPolicy::Own)?;
    let threads = args.read.file.threads();
    let release = job::read_release(&source, columns, (&encoding, threads), &console)?;
    let models = claims.models(&release)?;
    let models: Vec<&dyn PrivacyModel> = models.iter().map(AsRef::as_ref).collect();
    let covered = match &args.privacy.population {
        Some(path) => covered(args, path, &release, &console)?,
        None => Vec::new(),
    };
    drop(console.seconds());
    let recount = Recount::among(&release, &models, &covered)?;
    let (holds, privacy) = (recount.holds(), recount.privacy.clone());
    let verification = Verification {
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

/// How many records of the population each cohort of the release covers.
fn covered(args: &VerifyArgs, path: &Path, release: &Table, console: &Console) -> Result<Vec<u64>> {
    let source = Source::open(path, args.read.file.delimiter()?)?;
    let mut encoding = args.read.encoding(args.missing.into())?;
    encoding.kinds.retain(|name, _| args.quasi.contains(name)); // of sensitive columns it knows nothing
    encoding.date_formats.retain(|name, _| args.quasi.contains(name));
    let options = ReadOptions { encoding, keep_rows: false, threads: args.read.file.threads() };
    let population = source.read(&args.quasi, &options, console)?;
    let given = pairs(&args.hierarchies)?;
    let mut trees: BTreeMap<String, Hierarchy> = BTreeMap::new();
    for column in population.columns() {
        if let Some(spec) = given.get(&column.name) {
            let path = spec.to_string();
            trees.insert(column.name.clone(), format::read_file_of(Path::new(&path), column)?);
        }
    }
    let trees = trees.iter().map(|(name, tree)| (name.clone(), tree)).collect();
    Ok(Population::new(population).covered(release, &trees))
}

fn text(verification: &Verification, recount: &Recount, release: &Table, k: u64) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} records, {} of them suppressed; {} classes, the smallest of {}",
        verification.rows,
        verification.suppressed,
        verification.classes,
        verification.smallest_class
    );
    if verification.classes == 0 && verification.holds {
        let _ = writeln!(out, "holds: every record is suppressed, so nobody can be told apart");
        return out;
    }
    if verification.holds {
        let _ = writeln!(out, "holds: the release is {k}-anonymous");
        for claim in &verification.privacy[1..] {
            let _ = writeln!(out, "holds: {}", describe(claim));
        }
        return out;
    }
    for claim in &verification.privacy[1..] {
        let verdict = if claim.holds { "holds" } else { "VIOLATED" };
        let _ = writeln!(out, "{verdict}: {}", describe(claim));
    }
    if verification.privacy[0].holds {
        return out;
    }
    let mut small: Vec<usize> =
        (0..recount.sizes.len()).filter(|&class| recount.sizes[class] < k).collect();
    small.sort_by_key(|&class| recount.sizes[class]);
    let n_records: u64 = small.iter().map(|&class| recount.sizes[class]).sum();
    let _ = writeln!(
        out,
        "VIOLATED: the release is only {}-anonymous, not {k}; {} classes with {n_records} records \
         are too small, such as",
        verification.smallest_class,
        small.len()
    );
    for &class in small.iter().take(SHOWN) {
        let codes = release.cohorts().tuple(recount.cohorts[class]).iter().zip(release.columns());
        let cells: Vec<_> = codes
            .map(|(&code, column)| {
                format!("{}={}", column.name, column.domain.spelling(code as usize))
            })
            .collect();
        let _ = writeln!(out, "  {} x {}", recount.sizes[class], cells.join(", "));
    }
    out
}

fn describe(claim: &Attained) -> String {
    let Attained { model, column, attained, .. } = claim;
    let column = column.as_ref().map_or_else(String::new, |column| format!(" of {column}"));
    format!("{model}{column} asked {}, attained {attained}", claim.demand())
}
