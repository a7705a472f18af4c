//! Risk before and after: sizes of classes, and what was required.

use std::fmt::Write;
use std::iter;

use super::html::{Table, count, escaped, name, percent};
use crate::chart::{Share, Stacked};
use crate::registry::Registry;
use crate::report::{Band, Evidence, short};
use crate::risk::{Assessment, Depth, Figures, FrameSource, Question, Side};

/// Number of quasi-identifiers that are named.
const MOST_NAMED: usize = 12;

pub(super) fn body(evidence: &Evidence) -> String {
    let asked = match evidence.headline.unit {
        "person" => {
            "How many people share all quasi-identifiers with a person, that person included. Each person counts \
             once for every class in which they have a record:"
        }
        _ => "How many records share all quasi-identifiers with each of them, itself included:",
    };
    let names: Vec<_> = evidence.columns.iter().take(MOST_NAMED).map(|of| name(&of.name)).collect();
    let n_more = evidence.columns.len() - names.len();
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    let mut out = format!(
        "<p>An attacker who looks for a person in the release needs facts about them. The columns that others may \
         know, which are called quasi-identifiers, are {}{more}. Records that show the same in all of them form a \
         class: within it, no record can be distinguished from the others.</p>\n<p>{asked}</p>\n{}",
        names.join(", "),
        sizes(evidence)
    );
    out.push_str(&risks(evidence));
    out.push_str(&claims(evidence));
    out
}

/// The sizes of classes as two bars with a key.
fn sizes(evidence: &Evidence) -> String {
    let sizes = &evidence.class_sizes;
    let parts = |bands: &[Band]| {
        let n = bands.iter().map(|band| band.count).sum::<u64>().max(1) as f64;
        let part = |band: &Band| Share {
            share: band.count as f64 / n,
            title: format!("{}: {}", told(band), count(band.count)),
        };
        bands.iter().map(part).collect()
    };
    let rows = vec![
        ("Before".to_owned(), parts(&sizes.before)),
        ("After".to_owned(), parts(&sizes.after)),
    ];
    let label = "records by the size of their class, before and after".to_owned();
    let mut out = format!("<figure class=\"sizes\">\n{}", Stacked { label, rows }.svg());
    out.push_str("<ul class=\"key\">\n");
    // The classes of the key are those that `Stacked` gives to its parts, in the same order.
    for (step, (before, after)) in sizes.before.iter().zip(&sizes.after).enumerate() {
        let _ = writeln!(
            out,
            "<li><svg class=\"chart\" aria-hidden=\"true\" width=\"10\" height=\"10\"><rect class=\"s{step}\" \
             width=\"10\" height=\"10\"/></svg>{}: {} → {}</li>",
            told(before),
            count(before.count),
            count(after.count)
        );
    }
    out.push_str("</ul>\n</figure>\n");
    out
}

/// The sizes of a band in words.
fn told(band: &Band) -> String {
    match (band.from, band.to) {
        (1, Some(1)) => "alone".to_owned(),
        (from, Some(to)) if from == to => format!("one of {from}"),
        (from, Some(to)) => format!("one of {from}–{to}"),
        (from, None) => format!("one of {from} or more"),
    }
}

/// A table of risks before and after. If records are suppressed, a column has the figures with
/// them.
struct Sided {
    table: Table,
    has_suppressed: bool,
}

impl Sided {
    fn new(caption: &str, what: &str, has_suppressed: bool) -> Self {
        let with = has_suppressed.then_some(">With suppressed records");
        let figures = [Some(">Before"), Some(">After"), with].into_iter().flatten();
        let heads: Vec<&str> = iter::once(what).chain(figures).chain(["Meaning"]).collect();
        Self { table: Table::new("stack", caption, &heads), has_suppressed }
    }

    /// Adds a row: its name, the figure of the original, that of the release without and with
    /// suppressed records, and its meaning.
    fn row(&mut self, what: String, before: String, after: [String; 2], meaning: String) {
        let [published, all] = after;
        let all = Some(all).filter(|_| self.has_suppressed);
        let cells = [Some(what), Some(before), Some(format!("<b>{published}</b>")), all];
        let cells: Vec<String> = cells.into_iter().flatten().chain([meaning]).collect();
        self.table.row(&cells);
    }
}

/// The risks by every model, of the original and of the release.
fn risks(evidence: &Evidence) -> String {
    let head = &evidence.headline;
    let nouns = if head.unit == "person" { "people" } else { "records" };
    let unknown = || "not known".to_owned();
    let side = evidence.risk.as_ref().and_then(|risk| risk.release.as_ref());
    let has_suppressed = side.is_some_and(|side| side.suppressed > 0);
    let with = side.and_then(|side| side.all.of("prosecutor")?.spread.as_ref());
    let mut table = Sided::new("", "Risk of being found", has_suppressed);
    table.row(
        "Of the most exposed record, by an attacker who knows that the person is in the table"
            .into(),
        percent(head.highest_risk.before),
        [
            percent(head.highest_risk.after),
            with.map_or_else(unknown, |spread| percent(spread.highest.risk)),
        ],
        "1 divided by the least number of records that a record could be".into(),
    );
    table.row(
        "The same, on average".into(),
        percent(head.average_risk.before),
        [
            head.average_risk.after.map_or_else(unknown, percent),
            with.map_or_else(unknown, |spread| percent(spread.average)),
        ],
        match head.unit {
            "person" => "mean over people, each by their most exposed record".into(),
            _ => "mean over the records; a record that shows * could be any that fits the rest"
                .into(),
        },
    );
    // The rows above need no assessment.
    let Some(risk) = &evidence.risk else { return table.table.finish() };
    let mut compared = Compared { risk, table };
    compared.add_distribution(nouns);
    compared.add_others();
    let mut out = compared.table.table.finish();
    if has_suppressed {
        out.push_str(SUPPRESSED);
    }
    out.push_str(&models(risk, has_suppressed));
    out.push_str(&questions(risk));
    out
}

/// A table of the figures of models before and after.
struct Compared<'a> {
    risk: &'a Assessment,
    table: Sided,
}

impl Compared<'_> {
    /// Adds a row with a share of each side, where it is known.
    fn add(&mut self, what: String, share: &dyn Fn(&Figures) -> Option<f64>, meaning: &str) {
        let shown = |figures: Option<&Figures>| {
            figures.and_then(share).map_or_else(|| "not known".to_owned(), percent)
        };
        let side = self.risk.release.as_ref();
        let after = [side.map(|side| &side.published), side.map(|side| &side.all)].map(shown);
        self.table.row(what, shown(Some(&self.risk.original.all)), after, meaning.to_owned());
    }

    /// Adds the ends of the distribution of the prosecutor's risk, and the shares above thresholds.
    fn add_distribution(&mut self, nouns: &str) {
        let spread = |figures: &Figures| figures.of("prosecutor")?.spread.clone();
        self.add(
            format!("Share of {nouns} with the highest risk"),
            &|figures| Some(spread(figures)?.highest.share),
            "as exposed as the most exposed one",
        );
        self.add(
            format!("Lowest risk of the {nouns}"),
            &|figures| Some(spread(figures)?.lowest.risk),
            "that of the least exposed one",
        );
        self.add(
            format!("Share of {nouns} with the lowest risk"),
            &|figures| Some(spread(figures)?.lowest.share),
            "as well hidden as the least exposed one",
        );
        for (place, threshold) in self.risk.thresholds.iter().enumerate() {
            // 1/f > t means f < 1/t.
            let fewer = short((1.0 / threshold).ceil());
            self.add(
                format!("Share of {nouns} with a risk above {}", percent(*threshold)),
                // Thresholds are those of the request, the same on both sides.
                &|figures| Some(spread(figures)?.above.get(place)?.share),
                &format!("in classes of fewer than {fewer} {nouns}"),
            );
        }
    }

    /// Adds the attackers who know less than the first one.
    fn add_others(&mut self) {
        let share = |model| move |figures: &Figures| figures.of(model).map(|found| found.share);
        self.add(
            "Expected to be found by an attacker who wants anybody of the population (journalist)"
                .into(),
            &share("journalist"),
            "the attacker does not know who is in the table; see the population below",
        );
        self.add(
            "Expected to be found by an attacker who links all records at once (marketer)".into(),
            &share("marketer"),
            "the mean over the records of 1 divided by the members of the population that match",
        );
    }
}

/// Explanation of the column about suppressed records.
const SUPPRESSED: &str = "<p class=\"mute small\">Suppressed records show nothing. “After” leaves them out; with them, \
                          each matches every other record, which lowers the risk of all.</p>\n";

/// The parts of an assessment that a report does not have.
const DEPTH: &str = " The contribution of each column and minimal sample uniques are not part of this report; \
                     <code>hedgerow risk</code> computes them from the two files.";

/// The estimates of each model.
fn models(risk: &Assessment, has_suppressed: bool) -> String {
    let caption = "The expected share that is re-identified, or is unique";
    let mut table = Sided::new(caption, "Model", has_suppressed);
    for figure in &risk.original.all.models {
        let about = Registry::Risk.describe(figure.model).map_or("", |model| model.about);
        let how = figure.how.as_ref().map_or_else(String::new, |how| format!(" ({how})"));
        // A model can apply to the original and not to the release.
        let share = |figures: &Figures| figures.of(figure.model).map(|after| percent(after.share));
        let after = |figures: fn(&Side) -> &Figures| {
            let share = risk.release.as_ref().and_then(|side| share(figures(side)));
            share.unwrap_or_else(|| "not estimated".to_owned())
        };
        table.row(
            escaped(figure.model).into_owned(),
            percent(figure.share),
            [after(|side| &side.published), after(|side| &side.all)],
            escaped(&format!("{about}{how}")).into_owned(),
        );
    }
    format!(
        "<details><summary>Every model of risk</summary>\n<p>Models differ in what the attacker knows. A “unique” \
         record is the only one of its kind; if it is also the only one among all people from whom the table was \
         drawn (the population), finding its match elsewhere identifies the person. {}{}</p>\n{}</details>\n",
        population(risk),
        match risk.depth {
            Depth::Models => DEPTH,
            Depth::Columns => "",
        },
        table.table.finish()
    )
}

/// Describes the population, as far as it is known.
fn population(risk: &Assessment) -> String {
    let Some(frame) = &risk.population else {
        return "Nothing is known about the population here, so the table is taken for it."
            .to_owned();
    };
    let from = match frame.from {
        FrameSource::Table => "counted in its table",
        FrameSource::SamplingFraction => "by the sampling fraction",
        FrameSource::Weights => "by the sampling weights",
    };
    format!(
        "The population has {} members, {from}; the table has {} of them.",
        count(frame.size.round() as u64),
        percent(frame.sampling_fraction)
    )
}

/// The three questions of the European regulators.
fn questions(risk: &Assessment) -> String {
    let mut out = String::new();
    for answer in &risk.questions {
        let question = match answer.question {
            Question::SinglingOut => "Can a person be singled out?",
            Question::Linkability => "Can records of a person be linked?",
            Question::Inference => "Can something be inferred about a person?",
        };
        let _ = writeln!(out, "<dt>{question}</dt><dd>{}</dd>", escaped(&answer.sentence));
    }
    match out.as_str() {
        "" => out,
        _ => format!("<h3>The three questions of the European regulators</h3>\n<dl>\n{out}</dl>\n"),
    }
}

/// The required and the attained privacy.
fn claims(evidence: &Evidence) -> String {
    if evidence.claims.is_empty() {
        return String::new();
    }
    let heads = ["Required", ">Asked", ">Attained", "Holds", "Meaning"];
    let mut table = Table::new("stack", "Recounted in the file of the release", &heads);
    for claim in &evidence.claims {
        // Variants have names of two words: `entropy l-diversity`.
        let base = claim.model.rsplit(' ').next().unwrap_or(claim.model);
        let about = Registry::Privacy.describe(base).map_or("", |model| model.about);
        let of = claim.column.as_ref().map_or_else(String::new, |column| format!(" of {column}"));
        table.row(&[
            escaped(&format!("{}{of}", claim.model)).into_owned(),
            escaped(claim.demand()).into_owned(),
            escaped(claim.shown()).into_owned(),
            if claim.holds { "yes" } else { "<b>no</b>" }.into(),
            escaped(about).into_owned(),
        ]);
    }
    table.finish()
}
