//! `hedgerow verify`: recounts a release.

use std::fmt::Write;
use std::sync::Arc;

use anyhow::Result;
use hedgerow::io::Source;
use hedgerow::job::{self, ReleaseColumns};
use hedgerow::measure::{Attained, Recount};
use hedgerow::privacy::{self, KAnonymity, PrivacyModel, Secret};
use hedgerow::table::Table;
use serde::Serialize;

use crate::Verdict;
use crate::args::VerifyArgs;
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
    let source = Source::open(&args.release, args.file.delimiter()?)?;
    let console = Console::new(args.quiet);
    let columns = ReleaseColumns { quasi: &args.quasi, beside: &args.sensitive };
    let release = job::read_release(&source, columns, args.file.threads(), &console)?;
    drop(console.seconds());
    let recount = Recount::of(&release, &models(args, &release)?)?;
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

/// The models that are claimed, made for the release.
fn models(args: &VerifyArgs, release: &Table) -> hedgerow::Result<Vec<Box<dyn PrivacyModel>>> {
    let secrets = args.sensitive.iter().map(|name| Secret::of(release, name).map(Arc::new));
    let secrets: Vec<_> = secrets.collect::<hedgerow::Result<_>>()?;
    let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(args.k)?)];
    for spec in args.privacy.specs() {
        models.extend(privacy::from_spec(&spec, &secrets)?);
    }
    Ok(models)
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
    if verification.classes == 0 {
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
    for claim in verification.privacy[1..].iter().filter(|claim| !claim.holds) {
        let _ = writeln!(out, "VIOLATED: {}", describe(claim));
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
    let Attained { model, column, asked, attained, .. } = claim;
    let column = column.as_ref().map_or_else(String::new, |column| format!(" of {column}"));
    format!("{model}{column} asked {asked}, attained {attained}")
}
