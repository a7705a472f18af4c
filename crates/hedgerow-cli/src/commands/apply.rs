//! `hedgerow apply`: recodes the next table by a recipe and reports how far it differs.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use hedgerow::apply::{self, Differently, Outcome, Request};
use hedgerow::io::Source;
use hedgerow::noun::counted;
use hedgerow::recipe::{ColumnDrift, Policy, Recipe, Repair, Unseen};

use super::summary::{Page, demanded};
use crate::args::{ApplyArgs, pairs};
use crate::console::{self, Console};
use crate::{Verdict, advice};

pub(crate) fn run(args: &ApplyArgs) -> Result<Verdict> {
    let request = request(args)?;
    let console = Console::new(args.quiet);
    let outcome = if args.table == Path::new("-") {
        // The recipe says how the stream is to be read, so it comes before the copy.
        let recipe = Recipe::from_file(&request.recipe)?;
        apply::run_on(&request, &recipe, || standard_input(&request, &recipe, &console), &console)?
    } else {
        apply::run(&request, &console)?
    };
    let seconds = console.seconds();
    if args.json {
        let mut json = serde_json::to_value(&outcome)?;
        json["seconds"] = serde_json::to_value(seconds)?;
        console::report_json(&json)?;
    } else if args.quiet {
        console::warn(&outcome.warnings);
    } else {
        console::report(&text(&outcome, &request));
    }
    Ok(Verdict::Fine)
}

/// Copies standard input to a temporary file, because tables are read twice.
fn standard_input(
    request: &Request,
    recipe: &Recipe,
    console: &Console,
) -> hedgerow::Result<Source> {
    let options = request.opening(recipe)?;
    let folder = std::env::temp_dir();
    let source = Source::spool_with(std::io::stdin().lock(), &folder, &options, console)?;
    Ok(source.with_max_record(request.reading.max_record))
}

fn request(args: &ApplyArgs) -> Result<Request> {
    let (read, file) = (&args.read, &args.read.file);
    Ok(Request {
        recipe: args.recipe.clone(),
        input: args.table.clone(),
        output: args.output.clone(),
        policy: Policy { unseen: args.unseen, repair: args.repair, suppress: args.suppress },
        keep: args.keep.clone(),
        drop: args.drop.clone(),
        hierarchy: pairs(&args.hierarchies)?,
        previous: args.previous.clone(),
        max_success: args.max_success,
        drop_suppressed: args.drop_suppressed,
        keep_order: args.keep_order,
        spreadsheet_safe: args.spreadsheet_safe,
        output_encoding: args.output_encoding,
        reading: Differently {
            na: read.na.clone(),
            na_detect: read.na_detect.map(Into::into),
            decimal: read.decimal,
            kind: pairs(&read.kinds)?,
            date_format: pairs(&read.date_formats)?,
            delimiter: file.delimiter,
            encoding: file.encoding,
            no_header: file.no_header,
            header: file.header.clone(),
            sheet: file.sheet.clone(),
            max_record: file.max_record.unwrap_or_default(),
        },
        force: args.force,
        seed: args.seed,
        threads: file.threads(),
    })
}

/// Formats what holds, what was released, and how far the table differs from the first.
fn text(outcome: &Outcome, request: &Request) -> String {
    let models = outcome.privacy.iter().map(|attained| attained.model);
    let mut page = Page::new(outcome.quasi.iter().map(String::as_str).chain(models));
    let _ = writeln!(page.out, "{} is written, read back and verified.", request.output.display());
    page.heading("Protection");
    for attained in &outcome.privacy {
        let text = match attained.model {
            // In words, because it is the one model that every reader should understand.
            "k-anonymity" => {
                let (noun, least) = match &outcome.people {
                    Some(people) => ("people", people.smallest_class),
                    None => ("records", outcome.smallest_class),
                };
                format!(
                    "at least {least} {noun} share every combination ({} asked)",
                    attained.asked
                )
            }
            _ => demanded(attained),
        };
        page.item(attained.model, &text);
    }
    if let Some(evidence) = &outcome.together {
        for attempt in &evidence.attempts {
            let is_right =
                || format!("it is right with a probability of at most {:.4}", attempt.success);
            let found = attempt.told_gain().unwrap_or_else(is_right);
            let text = format!("with the earlier release, by {}: {found}", attempt.attack);
            page.item("together", &text);
        }
    }
    page.heading("Records");
    let Outcome { released, rows, suppressed, classes, .. } = outcome;
    let mut text = format!("{released} of {rows} released, {suppressed} suppressed");
    if *suppressed > 0 && released == rows {
        text += " (with * in every quasi-identifier)";
    }
    page.item("", &format!("{text}; {}", counted(*classes as u64, "class")));
    repairs(&mut page, outcome);
    page.heading("Since the recipe");
    for name in &outcome.quasi {
        // In the order of the recipe; the map is sorted by name.
        let Some(column) = outcome.drift.columns.get(name) else { continue };
        page.item(name, &drift(column, request.policy.unseen));
    }
    let loss = outcome.drift.loss;
    page.item(
        "all columns",
        &format!("mean loss of a cell {:.4} then, {:.4} now", loss.then, loss.now),
    );
    if !outcome.warnings.is_empty() {
        page.heading("Warnings");
    }
    for warning in &outcome.warnings {
        page.warning(&warning.message(&advice::spell));
    }
    page.out
}

/// Adds what was done about classes that did not meet the goal.
fn repairs(page: &mut Page, outcome: &Outcome) {
    let drift = &outcome.drift;
    if drift.outside_regions > 0 {
        let fit = if drift.outside_regions == 1 { "fits" } else { "fit" };
        let records = counted(drift.outside_regions, "record");
        page.item("", &format!("{records} {fit} no region of the recipe"));
    }
    let mended = drift.mended;
    if mended.failing_classes == 0 {
        page.item("", "all classes met the goal after recoding");
        return;
    }
    let done = match mended.repair {
        Repair::Merge => "merged with others, under wider labels",
        // With `refuse` no release is written, so this is never printed for it.
        Repair::Suppress | Repair::Refuse => "suppressed",
    };
    let classes = counted(mended.failing_classes, "class");
    let (did, was) = if mended.failing_classes == 1 { ("did", "was") } else { ("did", "were") };
    let records = counted(mended.failing_records, "record");
    page.item("", &format!("{classes} of {records} {did} not meet the goal and {was} {done}"));
}

/// Describes how a column differs from that of the recipe.
fn drift(column: &ColumnDrift, unseen: Unseen) -> String {
    let mut text = format!(
        "distance of distributions {:.4}; mean loss {:.4} then, {:.4} now",
        column.distances.total_variation, column.loss.then, column.loss.now
    );
    if column.unseen_values > 0 {
        let what = if column.has_ranges { "outside all ranges" } else { "never seen" };
        let done = match unseen {
            // With `error` the run has stopped at the first unseen value, so this is `root`.
            Unseen::Error | Unseen::Root => "published as *",
            Unseen::Suppress => "suppressed",
            Unseen::Nearest => "published like the nearest known value",
        };
        let values = counted(column.unseen_values, "value");
        let records = counted(column.unseen_records, "record");
        let examples = column.examples.join(", ");
        let _ = write!(text, "; {values} in {records} {what}, {done} (such as {examples})");
    }
    text
}
