//! The three questions of the European regulators on anonymisation, answered with figures.
//!
//! # References
//!
//! \[Article2014\] Article 29 Data Protection Working Party: Opinion 05/2014 on Anonymisation
//! Techniques, WP216, 2014, section 2.2.3. The opinion asks for an answer in words; the figures and
//! the limits between verdicts are ours.

use std::collections::BTreeMap;

use super::classes::Classes;
use super::written::{percent, written};
use super::{Answer, Figures, Question, Side, Unit, Verdict};
use crate::noun::{counted, grouped, listed};
use crate::table::{Code, Table};

/// The share above which most records are affected.
const MOST: f64 = 0.5;

/// The table that the questions are about.
pub(super) struct Subject<'a> {
    /// The release, or the original if there is none.
    pub(super) table: &'a Table,
    pub(super) is_release: bool,
    pub(super) side: &'a Side,
    /// The original, if the table is a release.
    pub(super) before: Option<&'a Side>,
    pub(super) unit: Unit,
    /// The highest risk that is accepted.
    pub(super) accepted: f64,
    pub(super) sensitive: &'a [String],
    /// Sensitive columns that the table does not have.
    pub(super) unread: &'a [String],
}

impl Subject<'_> {
    /// The answers to the three questions, in their order.
    pub(super) fn answers(&self) -> Vec<Answer> {
        vec![self.singling_out(), self.linkability(), self.inference()]
    }

    /// The figures that describe the risk of published records. Suppressed records show nothing;
    /// they count only if there are no others.
    fn figures(&self) -> &Figures {
        let Side { all, published, .. } = self.side;
        if published.n > 0 { published } else { all }
    }

    fn name(&self) -> &'static str {
        if self.is_release { "release" } else { "table" }
    }

    fn singling_out(&self) -> Answer {
        let found = self.figures();
        let (n, share) = (numbered(found.n, self.unit.noun()), found.share_alone());
        let (name, noun) = (self.name(), self.unit.noun());
        let before = self.before.map_or_else(String::new, |side| {
            format!("; in the original, {} could be", numbered(side.all.alone, noun))
        });
        let sentence = match found.alone {
            0 => format!(
                "No {noun} of the {name} can be singled out by the quasi-identifiers: each matches at \
                 least {}{before}.",
                counted(found.smallest, noun)
            ),
            alone => format!(
                "{} of {n} ({}) match no other {noun} of the {name} and can be singled out by the \
                 quasi-identifiers{before}.",
                grouped(alone),
                percent(share)
            ),
        };
        let figures = [("alone", found.alone as f64), ("share", share)];
        Self::answer(Question::SinglingOut, Some(graded(share)), &figures, sentence)
    }

    fn linkability(&self) -> Answer {
        let found = self.figures();
        let risks = found.of("prosecutor").and_then(|figure| figure.spread.as_ref());
        let (highest, average) = risks.map_or((0.0, 0.0), |s| (s.highest.risk, s.average));
        let before = self.before.and_then(|side| side.all.of("prosecutor")?.spread.as_ref());
        let was = before.map_or_else(String::new, |spread| {
            format!(
                "; in the original it was {} and {}",
                written(spread.highest.risk),
                written(spread.average)
            )
        });
        let sentence = format!(
            "An attacker who knows the quasi-identifiers of a person links them to the right record of the \
             {} with probability {} at most and {} on average{was}.",
            self.name(),
            written(highest),
            written(average)
        );
        // The highest accepted risk separates records that can be linked from those that cannot.
        let verdict = match () {
            () if average > MOST => Verdict::Most,
            () if highest > self.accepted => Verdict::Some,
            () => Verdict::No,
        };
        let figures = [("highest", highest), ("average", average), ("accepted", self.accepted)];
        Self::answer(Question::Linkability, Some(verdict), &figures, sentence)
    }

    fn inference(&self) -> Answer {
        let columns = self.table.all_columns();
        let place_of = |name: &String| columns.iter().position(|column| column.name == *name);
        let named: Vec<(&String, usize)> =
            self.sensitive.iter().filter_map(|name| Some((name, place_of(name)?))).collect();
        // Without a sensitive column, classes are not needed.
        let classes = (!named.is_empty()).then(|| Classes::of(self.table, self.is_release));
        let of_columns = |classes: &Classes| -> Vec<(&String, Inferred)> {
            let inferred = |place| Inferred::of(self.table, classes, place);
            named.iter().map(|&(name, place)| (name, inferred(place))).collect()
        };
        let found = classes.as_ref().map_or_else(Vec::new, of_columns);
        // The verdict is that of the column about which most is known; the first of equal ones.
        let most_known = found
            .iter()
            .reduce(|most, next| if next.1.is_more_known_than(&most.1) { next } else { most });
        let Some((worst, most)) = most_known else {
            return Self::answer(Question::Inference, None, &[], self.not_inferred());
        };
        let figures: Vec<(String, f64)> = found
            .iter()
            .flat_map(|(name, found)| {
                [
                    (format!("known:{name}"), found.homogeneous),
                    (format!("guessed:{name}"), found.guessed),
                    (format!("baseline:{name}"), found.baseline),
                ]
            })
            .collect();
        // The sentence is about the column of which most is known.
        let Inferred { homogeneous, guessed, baseline } = *most;
        let sentence = format!(
            "For {} of the records, all records {} have the same value of {worst}, which is then known; \
             guessing the most frequent value of the class is right for {}, and without the {} for {}.",
            percent(homogeneous),
            self.matching(),
            percent(guessed),
            self.name(),
            percent(baseline)
        ) + &less_known(&named, worst);
        let verdict = Some(graded(homogeneous));
        let figures = figures.into_iter().collect();
        Answer { question: Question::Inference, verdict, figures, sentence }
    }

    /// Describes the records that are compared about inference. People are not compared: the attack
    /// `homogeneity` finds all cells that cover the values of a person of the original.
    fn matching(&self) -> &'static str {
        if self.is_release {
            "that publish the same cells (* is the same as any)"
        } else {
            "with the same quasi-identifiers"
        }
    }

    /// The reason why nothing is known about inference.
    fn not_inferred(&self) -> String {
        match self.unread {
            [] => "No column is named as sensitive, so what can be inferred was not measured.",
            names => {
                return format!(
                    "What can be inferred about {} was not measured, because no privacy model looks at it.",
                    listed(names)
                );
            }
        }
        .to_owned()
    }

    fn answer(
        question: Question,
        verdict: Option<Verdict>,
        figures: &[(&str, f64)],
        sentence: String,
    ) -> Answer {
        let figures = figures.iter().map(|&(name, figure)| (name.to_owned(), figure)).collect();
        Answer { question, verdict, figures, sentence }
    }
}

/// A sentence about the other sensitive columns, if there are any.
fn less_known(named: &[(&String, usize)], worst: &str) -> String {
    let others: Vec<String> =
        named.iter().filter(|(name, _)| *name != worst).map(|(name, _)| (*name).clone()).collect();
    if others.is_empty() {
        String::new()
    } else {
        format!(" The value of {} is known for certain for no more records.", listed(&others))
    }
}

/// Shares of records whose sensitive value can be inferred or guessed from the classes of a table.
struct Inferred {
    /// Records for which all records that match have one value.
    homogeneous: f64,
    /// Records that have the most frequent value of their class.
    guessed: f64,
    /// Records that have the most frequent value of the table.
    baseline: f64,
}

impl Inferred {
    /// Whether more is known about this column: more values for certain or, if these are equally
    /// many, more by a guess than without the release.
    fn is_more_known_than(&self, other: &Self) -> bool {
        let gain = |of: &Self| of.guessed - of.baseline;
        let by_gain = gain(self).total_cmp(&gain(other));
        self.homogeneous.total_cmp(&other.homogeneous).then(by_gain).is_gt()
    }

    /// Counts the values of a column by class. Suppressed records are in no class.
    fn of(table: &Table, classes: &Classes, place: usize) -> Self {
        let (cohorts, hidden) = (table.cohorts(), classes.suppressed());
        let mut counts: Vec<(u32, Code, u64)> = Vec::with_capacity(cohorts.len());
        let mut totals: BTreeMap<Code, u64> = BTreeMap::new();
        for ((cohort, count), &tuple) in cohorts.counted().zip(classes.of_cohort()) {
            let code = cohorts.tuple(cohort)[place];
            *totals.entry(code).or_default() += count;
            if Some(tuple) != hidden {
                counts.push((tuple, code, count));
            }
        }
        // Sorted, the values of a class and the records of a value are neighbours.
        counts.sort_unstable();
        let (mut n_guessed, mut n_all) = (0, 0);
        let mut value_of: Vec<Option<Code>> = vec![None; classes.len()];
        for class in counts.chunk_by(|one, other| one.0 == other.0) {
            let values = class.chunk_by(|one, other| one.1 == other.1);
            let of_value = values.map(|value| value.iter().map(|found| found.2).sum::<u64>());
            let (n, most) = of_value.fold((0, 0), |(sum, most), n| (sum + n, most.max(n)));
            n_all += n;
            n_guessed += most;
            // One value has all records of the class.
            value_of[class[0].0 as usize] = Some(class[0].1).filter(|_| most == n);
        }
        // A record that matches nothing but records with one value has that value.
        let known = classes.agree(&value_of).into_iter().zip(classes.records());
        let n_known = known.filter(|(agree, _)| *agree).map(|(_, records)| records).sum();
        let most: u64 = totals.values().copied().max().unwrap_or(0);
        Self {
            homogeneous: share(n_known, n_all),
            guessed: share(n_guessed, n_all),
            baseline: share(most, cohorts.n_records()),
        }
    }
}

/// A number with groups of three digits and its noun.
fn numbered(n: u64, noun: &str) -> String {
    counted(n, noun).replacen(&n.to_string(), &grouped(n), 1)
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The verdict on a share of affected records.
fn graded(share: f64) -> Verdict {
    match share {
        share if share > MOST => Verdict::Most,
        share if share > 0.0 => Verdict::Some,
        _ => Verdict::No,
    }
}
