//! Flags of `hedgerow verify` that read the tables of a job as the job did.

use hedgerow::io::{Size, is_workbook};
use hedgerow::job::Job;
use hedgerow::table::{Decimal, MissingPolicy, NaDetect};

use crate::args::quoted_name;

/// Whether `verify` reads another table than the release: the original, or the population.
pub(super) fn has_other_table(job: &Job) -> bool {
    job.person.is_some() || job.population.is_some()
}

/// Returns the flags that read the release of a job, and its other tables, as the job did.
pub(super) fn flags(job: &Job) -> Vec<(&'static str, String)> {
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
