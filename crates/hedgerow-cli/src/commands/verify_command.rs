//! The command that checks the release of a job again: `hedgerow verify` with its flags.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use hedgerow::io::{Size, is_workbook};
use hedgerow::job::Job;
use hedgerow::method::Spec;
use hedgerow::privacy;
use hedgerow::registry::Registry;
use hedgerow::release::IntervalStyle;
use hedgerow::report::{Flavour, Outcome};
use hedgerow::table::{Decimal, Kind, MissingPolicy, NaDetect};

use crate::advice::quoted;
use crate::args::quoted_name;

/// The original in a command, where it was read from standard input and cannot be read again.
pub(super) const ORIGINAL: &str = "TABLE";

/// The kind of a column, if it is known.
pub(super) type KindOf<'a> = &'a dyn Fn(&str) -> Option<Kind>;

pub(super) fn is_standard(job: &Job) -> bool {
    job.input == Path::new("-")
}

/// The command that checks every claim of a release.
pub(super) fn whole(job: &Job, kind: KindOf<'_>) -> String {
    command(job, kind, &|path| path.to_string_lossy().into_owned())
}

/// The command for the readers of the report of a run, given the outcome of the run.
pub(super) fn of_run(job: &Job, outcome: &Outcome, readers: Flavour) -> String {
    of_report(job, &|name| Some(outcome.columns.get(name)?.kind), readers)
}

/// The command for the readers of a report, who have the files, but in other folders. Readers of a
/// public report check `k` alone, because what other models are given can be values.
pub(super) fn of_report(job: &Job, kind: KindOf<'_>, readers: Flavour) -> String {
    let public;
    let job = match readers {
        Flavour::Internal => job,
        Flavour::Public => {
            public = Job {
                output: job.output.clone(),
                quasi: job.quasi.clone(),
                k: job.k,
                interval_style: job.interval_style,
                delimiter: job.delimiter,
                output_encoding: job.output_encoding,
                spreadsheet_safe: job.spreadsheet_safe,
                max_record: job.max_record,
                ..Job::default()
            };
            &public
        }
    };
    command(job, kind, &|path| {
        // Folders name users and projects, and a report may be passed on.
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    })
}

fn command(job: &Job, kind: KindOf<'_>, file: &dyn Fn(&Path) -> String) -> String {
    // `verify` reads a population only for a model that counts it.
    let is_counted = privacy::look_at_population(&job.privacy).unwrap_or(true);
    let population = job.population.clone().filter(|_| is_counted);
    let job = &Job { population, ..job.clone() };
    let mut command = format!("hedgerow verify {}", quoted(&file(&job.output)));
    let mut add = |flag: &str, value: &str| {
        let _ = write!(command, " {flag} {}", quoted(value));
    };
    let published = job.quasi.iter().map(|name| match (job.interval_style, kind(name)) {
        // Columns of numbers are published as two columns in this style.
        (IntervalStyle::Bounds, Some(Kind::Number)) => {
            let ends = ["min", "max"].map(|end| quoted_name(&format!("{name}_{end}")));
            ends.join(",")
        }
        _ => quoted_name(name),
    });
    add("--quasi", &published.collect::<Vec<_>>().join(","));
    add("-k", &job.k.to_string());
    // `verify` needs sensitive columns only for models that look at them.
    if !job.privacy.is_empty() && !job.sensitive.is_empty() {
        let names: Vec<String> = job.sensitive.iter().map(|name| quoted_name(name)).collect();
        add("--sensitive", &names.join(","));
    }
    // The command repeats every claim, so that it checks what the release promises.
    let mut shown = |path: &Path| PathBuf::from(file(path));
    for model in &job.privacy {
        add("--privacy", &Registry::Privacy.with_paths(model, &mut shown).to_string());
    }
    for (column, hierarchy) in &job.hierarchy {
        // Labels of quasi-identifiers are read from files.
        let path = hierarchy_file(hierarchy);
        if (has_other_table(job) && path.is_some()) || !job.quasi.contains(column) {
            let named = match path {
                Some(path) => file(Path::new(&path)),
                None => Registry::Hierarchy.with_paths(hierarchy, &mut shown).to_string(),
            };
            add("--hierarchy", &format!("{}={named}", quoted_name(column)));
        }
    }
    if let Some(population) = &job.population {
        add("--population", &file(population));
    }
    if let Some(person) = &job.person {
        add("--person", person);
        add("--original", &if is_standard(job) { ORIGINAL.to_owned() } else { file(&job.input) });
    }
    for (flag, value) in flags(job) {
        add(flag, &value);
    }
    // About the other table: a release always has a header.
    if job.no_header && job.header.is_empty() && has_other_table(job) {
        command.push_str(" --no-header");
    }
    if job.spreadsheet_safe {
        command.push_str(" --spreadsheet-safe");
    }
    if job.keep_order && job.person.is_some() {
        command.push_str(" --keep-order");
    }
    command
}

/// The path of the hierarchy's file, or `None` for a method.
fn hierarchy_file(hierarchy: &Spec) -> Option<String> {
    Some(hierarchy.to_string()).filter(|text| Path::new(text).is_file())
}

/// Whether `verify` reads another table than the release: the original, or the population.
fn has_other_table(job: &Job) -> bool {
    job.person.is_some() || job.population.is_some()
}

/// Returns the flags that read the release of a job, and its other tables, as the job did.
fn flags(job: &Job) -> Vec<(&'static str, String)> {
    let mut flags = Vec::new();
    let mut add = |flag, value: Option<String>| flags.extend(value.map(|value| (flag, value)));
    let list = |texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| quoted_name(text)).collect();
        (!texts.is_empty()).then(|| texts.join(","))
    };
    let has_other = has_other_table(job);
    let of_other = |value: Option<String>| value.filter(|_| has_other);
    add("--na", list(&job.na));
    add("--na-detect", (job.na_detect == NaDetect::Off).then(|| "off".to_owned()));
    add("--delimiter", job.delimiter.map(|delimiter| delimiter.to_string()));
    let written = job.output_encoding.map(|charset| charset.to_string());
    // With another table --encoding is about that table, and the release has its own flag.
    if has_other {
        add("--output-encoding", written);
        add("--encoding", job.encoding.map(|charset| charset.to_string()));
    } else {
        add("--encoding", written);
    }
    add("--header", of_other(list(&job.header)));
    let paths = [Some(&job.input).filter(|_| job.person.is_some()), job.population.as_ref()];
    let has_workbook = paths.into_iter().flatten().any(|path| is_workbook(path));
    // The release is never a workbook, so the sheet belongs to another table or to none.
    add("--sheet", job.sheet.clone().filter(|_| has_workbook));
    // The release of a workbook is divided by commas.
    let is_divided = job.decimal == Some(Decimal::Comma) && is_workbook(&job.input);
    add("--decimal", job.decimal.map(|sign| sign.sign().to_string()).filter(|_| !is_divided));
    add(
        "--max-record",
        Some(job.max_record).filter(|&size| size != Size::default()).map(|size| size.to_string()),
    );
    add("--missing", of_other(missing(job.missing)));
    let left_out = [job.identifier.as_slice(), job.person.as_slice(), &job.drop].concat();
    // A kind for a column that `verify` does not read would be an error.
    let is_read =
        |column: &String| !left_out.contains(column) && (has_other || !job.quasi.contains(column));
    for (column, kind) in job.kind.iter().filter(|(column, _)| is_read(column)) {
        flags.push(("--kind", format!("{}={}", quoted_name(column), kind.name())));
    }
    for (column, format) in job.date_format.iter().filter(|(column, _)| is_read(column)) {
        flags.push(("--date-format", format!("{}={format}", quoted_name(column))));
    }
    flags
}

fn missing(policy: MissingPolicy) -> Option<String> {
    let name = match policy {
        // The default needs no flag.
        MissingPolicy::Own => return None,
        MissingPolicy::Wildcard => "wildcard",
        MissingPolicy::Drop => "drop",
        MissingPolicy::Error => "error",
    };
    Some(name.to_owned())
}
