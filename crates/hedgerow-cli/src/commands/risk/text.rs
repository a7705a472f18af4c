//! An assessment as text.

use std::fmt::Write;

use hedgerow::noun::counted;
use hedgerow::risk::{
    ALL, Assessment, ColumnSet, Contribution, Extreme, Figures, FrameSource, Question, Side,
    Special, Spread, Unit, Verdict, percent, written,
};

use crate::style::broken;

/// Number of columns, sets and records that are listed at most.
const SHOWN: usize = 8;

/// Models that are shown with the distribution of their risk.
const ATTACKERS: [&str; 3] = ["prosecutor", "journalist", "individual"];

/// Returns an assessment as text for a person who decides about a release.
pub(super) fn text(found: &Assessment) -> String {
    let mut out = String::new();
    let quasi = found.quasi.join(", ");
    out.push_str(&paragraph("", &format!("risk of re-identification by {quasi}")));
    if let Some(frame) = &found.population {
        let from = match frame.from {
            FrameSource::Table => "given as a table",
            FrameSource::Weights => "the sum of the weights",
            _ => "by the sampling fraction",
        };
        let _ = writeln!(
            out,
            "population of {:.0}, {from}; sampling fraction {}",
            frame.size,
            written(frame.sampling_fraction)
        );
    }
    out.push_str(&Comparison::of(found).text());
    out.push_str(
        &found.contribution.as_ref().map_or_else(String::new, |own| contribution(own, found)),
    );
    out.push_str(&found.special.as_ref().map_or_else(String::new, special));
    out.push_str(&questions(found));
    for note in &found.notes {
        out.push('\n');
        out.push_str(&paragraph("", &format!("note: {note}")));
    }
    out
}

/// Figures in columns, one for each set of records.
struct Comparison<'a> {
    unit: Unit,
    columns: Vec<(&'static str, &'a Figures)>,
    sides: Vec<(&'static str, &'a Side)>,
}

impl<'a> Comparison<'a> {
    fn of(found: &'a Assessment) -> Self {
        let mut columns = vec![("original", &found.original.all)];
        let mut sides = vec![("original", &found.original)];
        if let Some(release) = &found.release {
            columns.push(("release", &release.all));
            sides.push(("release", release));
            // Suppressed records make the others look safer, so both readings are shown.
            if release.suppressed > 0 {
                columns.push(("unsuppressed", &release.published));
            }
        }
        Self { unit: found.unit, columns, sides }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        out.push_str(&self.head());
        let unit = match self.unit {
            Unit::People => "people",
            _ => "records",
        };
        out.push_str(&self.line(unit, |found| Some(found.n.to_string())));
        out.push_str(&self.line("classes", |found| Some(found.classes.to_string())));
        out.push_str(&self.line("smallest class", |found| Some(found.smallest.to_string())));
        out.push_str(&self.line("alone in their class", |found| {
            Some(format!("{} ({})", found.alone, percent(found.share_alone())))
        }));
        let (_, first) = self.columns[0];
        // A figure that was counted has no note about how it was estimated.
        let is_counted = first.of("journalist").is_some_and(|figure| figure.how.is_none());
        for model in ALL.iter().filter(|model| first.of(model.name).is_some()) {
            // Without a population the journalist is the prosecutor again, so one figure is enough.
            let repeats = matches!(model.name, "journalist" | "marketer") && !is_counted;
            let has_distribution = ATTACKERS.contains(&model.name) && !repeats;
            out.push_str(&if has_distribution {
                self.attacker(model.name, model.about)
            } else {
                self.share(model.name, model.about)
            });
        }
        for (name, side) in &self.sides {
            out.push_str(&left_out(name, side));
        }
        out
    }

    fn head(&self) -> String {
        let mut out = format!("\n{:<28}", "");
        for (name, _) in &self.columns {
            let _ = write!(out, "{name:>20}");
        }
        out + "\n"
    }

    fn line(&self, name: &str, cell: impl Fn(&Figures) -> Option<String>) -> String {
        let mut out = format!("{name:<28}");
        for (_, found) in &self.columns {
            let _ = write!(out, "{:>20}", cell(found).unwrap_or_else(|| "-".to_owned()));
        }
        out.trim_end().to_owned() + "\n"
    }

    /// The distribution of the risk by a model of an attacker.
    fn attacker(&self, model: &str, about: &str) -> String {
        let spread = |found: &Figures| -> Option<Spread> { found.of(model)?.spread.clone() };
        let mut out = format!("\n{model}: {about}\n");
        let thresholds = self.columns[0].1.of(model).and_then(|figure| figure.spread.as_ref());
        for (place, above) in thresholds.iter().flat_map(|spread| &spread.above).enumerate() {
            out.push_str(&self.line(&format!("  risk above {}", above.threshold), |found| {
                let above = spread(found)?.above[place];
                Some(format!("{} ({})", above.n, percent(above.share)))
            }));
        }
        out.push_str(&self.line("  highest risk", |found| Some(extreme(spread(found)?.highest))));
        out.push_str(&self.line("  average risk", |found| Some(written(spread(found)?.average))));
        out.push_str(&self.line("  lowest risk", |found| Some(extreme(spread(found)?.lowest))));
        out.push_str(&self.line("  expected to be found", |found| {
            let figure = found.of(model)?;
            Some(format!("{} ({})", amount(figure.expected), percent(figure.share)))
        }));
        out
    }

    /// The share that a model estimates: of unique records, or of those that are found.
    fn share(&self, model: &str, about: &str) -> String {
        let how = self.columns[0].1.of(model).and_then(|figure| figure.how.as_deref());
        // A name is that of a model, which can be another one for each table.
        let is_name = |how: &&str| ALL.iter().any(|other| other.name == *how);
        let note =
            how.filter(|how| !is_name(how)).map_or_else(String::new, |how| format!("; {how}"));
        let mut out = format!("\n{}", paragraph("", &format!("{model}: {about}{note}")));
        out.push_str(&self.line("  share", |found| Some(percent(found.of(model)?.share))));
        if how.is_some_and(|how| is_name(&how)) {
            out.push_str(&self.line("  by", |found| found.of(model)?.how.clone()));
        }
        out
    }
}

/// Reports how many records a table does not show, and what that means for its figures.
fn left_out(name: &str, side: &Side) -> String {
    let mut out = String::new();
    if side.suppressed > 0 {
        let suppressed = counted(side.suppressed, "record");
        out.push('\n');
        out.push_str(&paragraph(
            "",
            &format!(
                "{name}: {suppressed} suppressed. A suppressed record fits everyone, which hides the \
                 others; the last column leaves these records out and is the cautious reading."
            ),
        ));
    }
    if side.lacking > 0 {
        let lacking = counted(side.lacking, "record");
        let _ = writeln!(out, "\n{name}: lacks {lacking} of the original.");
    }
    out
}

/// Describes how much columns contribute to being alone.
fn contribution(own: &Contribution, found: &Assessment) -> String {
    let n = found.original.all.n;
    let mut out = format!(
        "\nwhat columns of the original contribute\n  {:<26}{:>20}\n",
        "alone on all",
        format!("{} ({})", own.alone, percent(own.alone as f64 / n as f64))
    );
    for change in &own.without {
        let alone = format!("{} ({})", change.alone, percent(change.share));
        let _ = writeln!(out, "  {:<26}{alone:>20}", format!("without {}", change.column));
    }
    for change in own.added.iter().take(SHOWN) {
        let alone = format!("{} ({})", change.alone, percent(change.share));
        let _ = writeln!(out, "  {:<26}{alone:>20}", format!("with {} too", change.column));
    }
    more(&mut out, own.added.len());
    let _ = writeln!(out, "\n{:<40}{:>14}{:>14}", "sets of columns", "distinction", "separation");
    // All columns together first; then single columns, pairs and triples, which can be many.
    let (all, parts): (Vec<_>, Vec<_>) =
        own.sets.iter().partition(|set| set.columns.len() == found.quasi.len());
    for set in all {
        add_set(&mut out, set);
    }
    for size in 1..=3 {
        let of_size: Vec<_> = parts.iter().filter(|set| set.columns.len() == size).collect();
        for set in of_size.iter().take(SHOWN) {
            add_set(&mut out, set);
        }
        more(&mut out, of_size.len());
    }
    out
}

/// Adds the line of a set of columns.
fn add_set(out: &mut String, set: &ColumnSet) {
    let (name, distinct, apart) = (set.columns.join(", "), set.distinction, set.separation);
    let _ = writeln!(out, "  {name:<38}{:>14}{:>14}", percent(distinct), percent(apart));
}

/// Reports how many entries of a list are not shown.
fn more(out: &mut String, n: usize) {
    if n > SHOWN {
        let _ = writeln!(out, "  and {} more (--json lists them)", n - SHOWN);
    }
}

/// Minimal sample uniques: few facts that distinguish a record from all others.
fn special(found: &Special) -> String {
    let sizes: Vec<String> = (1..)
        .zip(&found.by_size)
        .map(|(size, n)| format!("{n} of {}", counted(size, "column")))
        .collect();
    let head = format!(
        "smallest sets of at most {} that tell a record of the original apart: {}; {} have one",
        counted(found.max_size, "column"),
        sizes.join(", "),
        counted(found.records, "record")
    );
    let mut out = format!("\n{}", paragraph("", &head));
    // Without such sets there are no scores to divide.
    if found.records == 0 {
        return out;
    }
    for score in &found.columns {
        let share = percent(score.share);
        let _ = writeln!(out, "  {:<26}{:>20}", score.column, format!("in {share} of the score"));
    }
    // Rows can be looked up in the table; three show what such a set is.
    let shown = found.riskiest.iter().take(3).map(|record| {
        let sets: Vec<String> = record.uniques.iter().take(3).map(|set| set.join("+")).collect();
        let others = record.uniques.len().saturating_sub(3);
        let and = if others > 0 { format!(" and {others} more") } else { String::new() };
        format!("row {} (score {} by {}{and})", record.row, written(record.score), sets.join(", "))
    });
    let exposed = format!("most exposed: {}", shown.collect::<Vec<_>>().join("; "));
    out.push_str(&paragraph("  ", &exposed));
    out
}

/// The answers to the three questions.
fn questions(found: &Assessment) -> String {
    let mut out = "\nthe three questions of the European regulators (opinion 05/2014)\n".to_owned();
    for answer in &found.questions {
        let question = match answer.question {
            Question::SinglingOut => "singling out",
            Question::Linkability => "linkability",
            _ => "inference",
        };
        let verdict = match answer.verdict {
            Some(Verdict::No) => "no",
            Some(Verdict::Some) => "yes, for some",
            Some(_) => "yes, for most",
            None => "not measured",
        };
        out.push_str(&paragraph("  ", &format!("{question}: {verdict}. {}", answer.sentence)));
    }
    out
}

/// A text broken between words, whose first line is indented by `indent` and the next ones further.
fn paragraph(indent: &str, text: &str) -> String {
    let next = format!("{indent}  ");
    let lines = broken(text, next.len());
    let indents = std::iter::once(indent).chain(std::iter::repeat(next.as_str()));
    lines.iter().zip(indents).map(|(line, indent)| format!("{indent}{line}\n")).collect()
}

fn extreme(found: Extreme) -> String {
    format!("{} ({})", written(found.risk), percent(found.share))
}

/// An expected number of records.
fn amount(number: f64) -> String {
    if number >= 10.0 { format!("{number:.0}") } else { format!("{number:.1}") }
}
