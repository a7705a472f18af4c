//! The summary of `hedgerow anonymize`, for readers who do not study anonymization.

use std::fmt::Write;

use hedgerow::guard::is_called_quasi;
use hedgerow::job::Job;
use hedgerow::measure::Attained;
use hedgerow::noun::counted;
use hedgerow::registry::Registry;
use hedgerow::report::{self, Outcome};
use hedgerow::study::Share;

use super::verify_command::{self, ORIGINAL};
use crate::advice;
use crate::style::{Palette, broken};

/// Formats an outcome: what holds, what was published, what each column lost, warnings, and what to
/// do next.
pub(crate) fn text(outcome: &Outcome, job: &Job) -> String {
    let first = format!("{} is written, read back and verified.", job.output.display());
    let page = &mut found(outcome, job, &first);
    next(page, outcome, job);
    std::mem::take(&mut page.out)
}

/// Formats the outcome of a plan: the figures of a release that follows it.
pub(crate) fn of_plan(outcome: &Outcome, job: &Job) -> String {
    let records = counted(outcome.rows, "record");
    let first = format!(
        "{} says what each of {records} publishes. Nothing is published yet.",
        job.output.display()
    );
    let page = &mut found(outcome, job, &first);
    page.heading("Next");
    page.out.push_str(
        "  Join the plan with the table, in a database or on a cluster, shuffle the rows, and count the\n  \
         release again. Columns that the counts do not have were not examined: publish only those that\n  \
         tell no people apart.\n",
    );
    std::mem::take(&mut page.out)
}

/// Formats what holds, what is published, what each column loses, and warnings.
fn found(outcome: &Outcome, job: &Job, first: &str) -> Page {
    let models = outcome.privacy.iter().map(|attained| attained.model);
    let labels = outcome.quasi.iter().map(String::as_str).chain(models);
    let mut page = Page::new(labels);
    let _ = writeln!(page.out, "{first}");
    how(&mut page, outcome, job);
    page
}

fn how(page: &mut Page, outcome: &Outcome, job: &Job) {
    protection(page, outcome);
    records(page, outcome, job.suppress);
    columns(page, outcome);
    page.heading("How");
    // Users have to know what they did not choose themselves.
    let chosen = if job.method.name == "auto" { ", chosen automatically" } else { "" };
    let line = outcome.choosing.as_ref().and_then(|choosing| choosing.line(&outcome.method));
    page.item("method", &line.unwrap_or_else(|| format!("{}{chosen}", outcome.method)));
    for left_out in outcome.choosing.iter().flat_map(|choosing| choosing.omissions(&advice::spell))
    {
        page.item("", &left_out);
    }
    page.item("hierarchies", &hierarchies(outcome));
    for name in &outcome.quasi {
        let hierarchy = outcome.hierarchies.get(name);
        if let Some(hierarchy) = hierarchy.filter(|hierarchy| !hierarchy.meanings.is_empty()) {
            let taken = report::taken_for(hierarchy);
            page.item("", &format!("{name} is grouped by meaning: {taken}"));
        }
    }
    for (place, note) in outcome.reading.iter().enumerate() {
        page.item(if place == 0 { "reading" } else { "" }, note);
    }
    warnings(page, outcome, job.k);
}

/// A summary that is being written.
pub(super) struct Page {
    pub(super) out: String,
    palette: Palette,
    /// Width of the labels on the left.
    width: usize,
}

impl Page {
    /// An empty page with room for these labels on the left.
    pub(super) fn new<'a>(labels: impl Iterator<Item = &'a str>) -> Self {
        // Long names must not push the text off the page.
        let width = labels.map(|label| label.chars().count()).max().unwrap_or(0).clamp(12, 30);
        Self { out: String::new(), palette: Palette::of_stdout(), width }
    }

    pub(super) fn heading(&mut self, text: &str) {
        let _ = writeln!(self.out, "\n{}", self.palette.heading(text));
    }

    /// Adds a label with its text, which is broken into lines.
    pub(super) fn item(&mut self, label: &str, text: &str) {
        let width = self.width;
        // Continued lines are indented like the text, so that labels stand out.
        for (place, line) in broken(text, width + 4).iter().enumerate() {
            let label = if place == 0 { label } else { "" };
            let _ = writeln!(self.out, "  {label:<width$}  {line}");
        }
    }

    pub(super) fn warning(&mut self, text: &str) {
        for (place, line) in broken(text, 11).iter().enumerate() {
            let label = if place == 0 { self.palette.warning("WARNING") } else { " ".repeat(7) };
            let _ = writeln!(self.out, "  {label}  {line}");
        }
    }

    fn command(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {}", self.palette.command(text));
    }
}

/// The unit that k and the models count, in the plural.
fn plural(outcome: &Outcome) -> &'static str {
    if outcome.people.is_some() { "people" } else { "records" }
}

/// Adds the required and the attained privacy of each model.
fn protection(page: &mut Page, outcome: &Outcome) {
    page.heading("Protection");
    for attained in &outcome.privacy {
        let text = match attained.model {
            "k-anonymity" => shared(outcome, attained),
            _ => demanded(attained),
        };
        page.item(attained.model, &text);
    }
}

/// k-anonymity in words.
fn shared(outcome: &Outcome, Attained { asked, .. }: &Attained) -> String {
    let (nouns, columns) = (plural(outcome), outcome.quasi.join(", "));
    let found = match &outcome.people {
        // k counts people where a person can have several records.
        Some(people) => people.smallest_class,
        None => outcome.smallest_class,
    };
    if found == 1 {
        return format!("a published combination of {columns} can belong to a single record");
    }
    format!(
        "at least {found} {nouns} share every published combination of {columns} ({asked} asked)"
    )
}

/// Another model in words: the requested and the attained parameter, and its meaning.
pub(super) fn demanded(attained: &Attained) -> String {
    let (demand, found) = (attained.demand(), attained.shown());
    match (attained.model, &attained.column) {
        // The common models in words; the others in the words of their description.
        ("l-diversity", Some(column)) => {
            return format!(
                "every group below has at least {found} different values of {column} ({demand} asked)"
            );
        }
        ("t-closeness", Some(column)) => {
            return format!(
                "in every group below, values of {column} are distributed as in the whole table, but \
                 for a difference of {found} on a scale from 0 to 1 ({demand} asked)"
            );
        }
        _ => {}
    }
    let column = attained.column.as_ref().map_or_else(String::new, |name| format!(" for {name}"));
    // Variants have names of two words: `entropy l-diversity`.
    let name = attained.model.rsplit(' ').next().unwrap_or(attained.model);
    let about = Registry::Privacy.describe(name).map_or("", |model| model.about);
    format!("asked {demand}, attained {found}{column}: {about}")
}

/// Adds how many records and people were released.
fn records(page: &mut Page, outcome: &Outcome, allowed: Share) {
    let Outcome { rows, released, suppressed, dropped, show_nothing, .. } = outcome;
    let mut text = format!("{released} of {rows} released, {suppressed} suppressed");
    if *suppressed == 0 && allowed.of(*rows) > 0 {
        // Methods that group records locally find a group for every one.
        text += " (allowed, but every record has a group)";
    }
    if *suppressed > 0 {
        // Suppressed records are missing from the file if the release has fewer records than were
        // kept.
        let is_left_out = released + dropped < *rows;
        text += if is_left_out { " (left out)" } else { " (every column below is hidden)" };
    }
    if *show_nothing > 0 {
        let _ = write!(text, ", {show_nothing} others with every column below hidden");
    }
    if *dropped > 0 {
        let _ = write!(text, ", {dropped} dropped because a value is missing");
    }
    page.item("records", &text);
    if let Some(people) = &outcome.people {
        page.item("people", &format!("{}, named by {}", people.people, people.column));
    }
    let smallest = counted(outcome.smallest_class, "record");
    let fewest = match &outcome.people {
        Some(people) => format!(" and at least {}", counted(people.smallest_class, "person")),
        None => String::new(),
    };
    let classes = counted(outcome.classes, "combination");
    page.item("groups", &format!("{classes}, the smallest shared by {smallest}{fewest}"));
}

/// Adds the loss of each column, and the mean of all.
fn columns(page: &mut Page, outcome: &Outcome) {
    page.heading("What the columns lost");
    for name in &outcome.quasi {
        if let Some(detail) = outcome.columns.get(name) {
            page.item(name, &report::precision(detail));
        }
    }
    // One number for all columns: NTIL, because it reads as a share of what was known.
    if let Some(loss) = outcome.release_loss.get("ntil") {
        let loss = report::short(100.0 * loss);
        let text = format!(
            "{loss}%: on average, a cell covers {loss}% of the range or values of its column"
        );
        page.item("average loss", &text);
    }
    if let Some(certified) = &outcome.certificate {
        page.item("certificate", &report::certified(certified));
    }
}

/// The hierarchy of each column in a few words.
fn hierarchies(outcome: &Outcome) -> String {
    let named = outcome.quasi.iter().filter_map(|name| {
        let hierarchy = outcome.hierarchies.get(name)?;
        Some(format!("{name}: {}", hierarchy.method))
    });
    named.collect::<Vec<_>>().join("; ")
}

/// Adds the warnings, each with its remedy.
fn warnings(page: &mut Page, outcome: &Outcome, k: u64) {
    let undecided = undecided(outcome);
    // With such a column undecided, k does not cover everything that others probably know.
    let is_known = outcome.undecided.iter().any(|name| is_called_quasi(name));
    let (known, open) = if is_known { (undecided, None) } else { (None, undecided) };
    let told = outcome.warnings.iter().map(|warning| warning.message(&advice::spell));
    let told: Vec<String> = told.chain(known).collect();
    // Notes that need a decision come after warnings, which may stop a publication.
    let notes: Vec<String> =
        open.into_iter().chain(rare(outcome, k)).chain(filled(outcome)).collect();
    if notes.is_empty() && told.is_empty() {
        return;
    }
    page.heading("Read before publishing");
    told.iter().for_each(|warning| page.warning(warning));
    for note in notes {
        broken(&note, 2).iter().for_each(|line| {
            let _ = writeln!(page.out, "  {line}");
        });
    }
}

/// A note on the columns without a role.
fn undecided(outcome: &Outcome) -> Option<String> {
    let (first, others): (Vec<&str>, Vec<&str>) =
        outcome.undecided.iter().map(String::as_str).partition(|name| is_called_quasi(name));
    let [first, others] = [first, others].map(|names| names.join(", "));
    let about = "Undecided: these columns have no role and are published as they are";
    let listed = match (first.as_str(), others.as_str()) {
        ("", "") => return None,
        ("", others) => format!("{about}: {others}"),
        (first, "") => {
            format!("{about}, although their names are those of quasi-identifiers: {first}")
        }
        (first, others) => format!(
            "{about}, although their names are those of quasi-identifiers: {first}. So are these, \
             whose names say less: {others}"
        ),
    };
    Some(format!("{listed}. Decide about each: --quasi, --sensitive, --drop or --keep."))
}

/// A note on the columns that spell out values of few people.
fn rare(outcome: &Outcome, k: u64) -> Option<String> {
    let rare = outcome.quasi.iter().filter_map(|name| {
        let spelled = outcome.exposure.spelled.get(name)?;
        (spelled.rare > 0).then(|| format!("{name} ({} of {})", spelled.rare, spelled.values))
    });
    let rare: Vec<String> = rare.collect();
    (!rare.is_empty()).then(|| {
        format!(
            "Rare values: some values that the release spells out belong to fewer than {k} {}, in {}. \
             Hide them with --rare-values hide.",
            plural(outcome),
            rare.join(", ")
        )
    })
}

/// Notes on records that show a value although theirs is missing.
fn filled(outcome: &Outcome) -> impl Iterator<Item = String> {
    outcome.exposure.filled.iter().map(|(column, records)| {
        let verb = if *records == 1 { "shows" } else { "show" };
        let records = counted(*records, "record");
        format!("Filled: {records} without a value of {column} {verb} that of their group.")
    })
}

/// Adds the commands that a publisher needs next.
fn next(page: &mut Page, outcome: &Outcome, job: &Job) {
    page.heading("Next");
    let kind = |name: &str| Some(outcome.columns.get(name)?.kind);
    page.command(&verify_command::whole(job, &kind));
    if job.person.is_some() && verify_command::is_standard(job) {
        let _ = writeln!(
            page.out,
            "  {ORIGINAL} is a file with the table that was read from standard input."
        );
    }
    // Shuffled rows cannot be matched with certainty, and a surprising exit code needs a reason.
    if outcome.people.is_some() && !job.keep_order {
        page.out.push_str(
            "  It exits with 1 if the files do not tell whose records they are, because the rows are\n  \
             in another order. Here people were counted in the written file, row by row.\n",
        );
    }
    if let Some(folder) = &job.hierarchies {
        let folder = folder.display();
        let _ = writeln!(
            page.out,
            "  {folder} has the hierarchies with the values of every label, for measure and later runs."
        );
    }
    page.out.push_str(
        "  --verbose adds every loss and how the method and the hierarchies were chosen.\n",
    );
}
