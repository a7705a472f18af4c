//! Repairs classes of the next table that do not meet the goal.

use std::collections::VecDeque;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::joins::Joins;
use super::place::{Placed, Shape, cost_of_join, join};
use crate::error::{Advice, Portion, Unmet};
use crate::noun::counted;
use crate::privacy::unmet;
use crate::problem::{Problem, Tally};
use crate::progress::{Progress, stop_if_cancelled};
use crate::table::Cohort;
use crate::{Error, Result};

/// Treatment of classes that do not meet the goal after recoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Repair {
    /// Each is merged with the class that makes both lose least. The labels are joined: the record
    /// gets a wider label than the recipe has for it.
    Merge,
    /// Their records are suppressed, up to the limit. Labels stay as they are.
    #[default]
    Suppress,
    /// Nothing is published.
    Refuse,
}

impl Repair {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Merge, Self::Suppress, Self::Refuse];

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::Suppress => "suppress",
            Self::Refuse => "refuse",
        }
    }
}

impl std::str::FromStr for Repair {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let names = Self::ALL.iter().map(|choice| choice.name());
        let found = Self::ALL.into_iter().find(|choice| choice.name() == text);
        found.ok_or_else(|| Error::unknown("repair", text, names))
    }
}

/// The result of a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Mended {
    /// Number of classes that did not meet the goal after recoding.
    pub failing_classes: u64,
    /// Number of records in them.
    pub failing_records: u64,
    /// The treatment of these classes.
    pub repair: Repair,
    /// Number of classes that were merged with others.
    pub merged: u64,
}

/// A class of the next table.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) shape: Shape,
    pub(super) members: Vec<(Cohort, u64)>,
    tally: Tally,
}

impl Class {
    pub(super) fn size(&self) -> u64 {
        self.tally.size()
    }
}

/// The classes that can be published, and the records that are suppressed.
#[derive(Debug)]
pub(super) struct Repaired {
    /// The classes before they were repaired.
    pub(super) placed: Placed,
    pub(super) classes: Vec<Class>,
    pub(super) suppressed: Vec<(Cohort, u64)>,
    pub(super) mended: Mended,
}

/// Repairs classes.
pub(super) struct Mender<'a> {
    pub(super) problem: &'a Problem,
    pub(super) repair: Repair,
    pub(super) progress: &'a dyn Progress,
}

impl Mender<'_> {
    /// Repairs the classes of `placed`.
    ///
    /// # Errors
    ///
    /// [`Error::Unreachable`] if more records would have to be suppressed than the limit of the
    /// problem allows, if classes fail and must not be repaired, or if even one class of all
    /// records fails.
    pub(super) fn run(&self, placed: Placed, joins: &mut [Joins<'_>]) -> Result<Repaired> {
        let Self { problem, repair, progress } = *self;
        let (mut classes, mut suppressed) = classes(problem, &placed);
        let goal = problem.goal();
        let is_failing = |class: &Class| !goal.holds(&class.tally);
        // Found before anything is merged: the summary reports how the rules alone did.
        let failing: Vec<usize> =
            (0..classes.len()).filter(|&class| is_failing(&classes[class])).collect();
        let mut mended = Mended {
            failing_classes: failing.len() as u64,
            failing_records: failing.iter().map(|&class| classes[class].size()).sum(),
            repair,
            merged: 0,
        };
        let those = || failing.iter().map(|&class| &classes[class]).collect::<Vec<_>>();
        match repair {
            _ if failing.is_empty() => {}
            Repair::Merge => {
                let mut merging = Merging::new(problem, classes, joins);
                mended.merged = merging.run(failing, progress)?;
                classes = merging.classes.into_iter().flatten().collect();
            }
            Repair::Refuse => return Err(refusal(problem, &those(), &mended)),
            Repair::Suppress => {
                // Records that were suppressed for an unseen value count towards the same limit.
                let n_suppressed = mended.failing_records + n_records(&suppressed);
                if n_suppressed > problem.most_suppressed() {
                    return Err(too_many(problem, &those(), &mended, n_suppressed));
                }
                let (kept, lost): (Vec<Class>, Vec<Class>) =
                    classes.into_iter().partition(|class| !is_failing(class));
                suppressed.extend(lost.into_iter().flat_map(|class| class.members));
                classes = kept;
            }
        }
        let n_suppressed = n_records(&suppressed);
        if n_suppressed > problem.most_suppressed() {
            return Err(too_strange(problem, n_suppressed));
        }
        Ok(Repaired { placed, classes, suppressed, mended })
    }
}

fn n_records(records: &[(Cohort, u64)]) -> u64 {
    records.iter().map(|(_, count)| count).sum()
}

/// The classes with their records, and the records that are suppressed.
fn classes(problem: &Problem, placed: &Placed) -> (Vec<Class>, Vec<(Cohort, u64)>) {
    let goal = problem.goal();
    let empty =
        |shape: &Shape| Class { shape: shape.clone(), members: Vec::new(), tally: goal.tally() };
    let mut classes: Vec<Class> = placed.shapes.iter().map(empty).collect();
    let mut suppressed = Vec::new();
    for ((cohort, count), class) in problem.cohorts().counted().zip(&placed.of_cohort) {
        match class {
            None => suppressed.push((cohort, count)),
            Some(class) => {
                let class = &mut classes[*class as usize];
                class.members.push((cohort, count));
                goal.add(&mut class.tally, cohort, count);
            }
        }
    }
    (classes, suppressed)
}

/// Merges classes.
struct Merging<'a, 'b> {
    problem: &'a Problem,
    joins: &'a mut [Joins<'b>],
    /// The classes; `None` where a class has joined another.
    classes: Vec<Option<Class>>,
    number_of: HashMap<Shape, usize>,
}

impl<'a, 'b> Merging<'a, 'b> {
    fn new(problem: &'a Problem, classes: Vec<Class>, joins: &'a mut [Joins<'b>]) -> Self {
        let shapes = classes.iter().zip(0..);
        let number_of = shapes.map(|(class, number)| (class.shape.clone(), number)).collect();
        let classes = classes.into_iter().map(Some).collect();
        Self { problem, joins, classes, number_of }
    }

    /// Merges failing classes until none fails. Returns the number of merges.
    fn run(&mut self, failing: Vec<usize>, progress: &dyn Progress) -> Result<u64> {
        let mut n_merged = 0;
        let mut failing = VecDeque::from(failing);
        while let Some(place) = failing.pop_front() {
            stop_if_cancelled(progress)?;
            let Some(class) = self.classes[place].take() else { continue };
            // A class in the queue may meet the goal by now, because another one was merged into
            // it.
            if self.problem.goal().holds(&class.tally) {
                self.classes[place] = Some(class);
                continue;
            }
            self.number_of.remove(&class.shape);
            let Some(partner) = self.partner(&class) else {
                return Err(none_left(self.problem, &class));
            };
            let merged = self.merge(class, partner);
            n_merged += 1;
            // The result may still fail; at the end of the queue, so that others are tried before
            // it grows again.
            failing.push_back(merged);
        }
        Ok(n_merged)
    }

    /// The class that, merged with this one, adds least to the loss; the first of several.
    fn partner(&mut self, class: &Class) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        let own = cost(self.joins, &class.shape) * class.size() as f64;
        for (place, other) in self.classes.iter().enumerate() {
            let Some(other) = other else { continue };
            let size = (class.size() + other.size()) as f64;
            let apart = own + cost(self.joins, &other.shape) * other.size() as f64;
            // Solved for `together`: size * together - apart > least cannot win.
            let limit = best.map_or(f64::INFINITY, |(least, _)| (least + apart) / size);
            let mut together = 0.0;
            for ((&a, &b), joins) in class.shape.iter().zip(&other.shape).zip(self.joins.iter_mut())
            {
                together += cost_of_join(joins, a, b);
                // Beyond this cost the class cannot be the best.
                if together > limit {
                    break;
                }
            }
            let increase = size * together - apart;
            if best.is_none_or(|(least, _)| increase < least) {
                best = Some((increase, place));
            }
        }
        best.map(|(_, place)| place)
    }

    /// Merges a class into another, and with a third that has the joined labels already. Returns
    /// the number of the result.
    fn merge(&mut self, class: Class, partner: usize) -> usize {
        let other = self.classes[partner].take().expect("a partner is a class");
        self.number_of.remove(&other.shape);
        let labels = class.shape.iter().zip(&other.shape).zip(self.joins.iter_mut());
        let shape: Shape = labels.map(|((&a, &b), joins)| join(joins, a, b)).collect();
        let mut merged = Class { shape, ..other };
        absorb(&mut merged, class);
        // Classes with equal labels are one class to a reader, so they must be counted together.
        if let Some(third) = self.number_of.remove(&merged.shape) {
            let third = self.classes[third].take().expect("a numbered class exists");
            absorb(&mut merged, third);
        }
        self.number_of.insert(merged.shape.clone(), partner);
        self.classes[partner] = Some(merged);
        partner
    }
}

fn absorb(class: &mut Class, mut other: Class) {
    class.tally.absorb(&other.tally);
    class.members.append(&mut other.members);
}

/// The sum of the costs of the labels of a class.
pub(super) fn cost(joins: &[Joins<'_>], shape: &Shape) -> f64 {
    let labels = shape.iter().zip(joins);
    labels.map(|(label, joins)| label.map_or(0.0, |label| joins.cost(label))).sum()
}

/// The error of classes that fail: the first model that one of them fails, with the least that any
/// of these attains.
fn error_of(problem: &Problem, classes: &[&Class], why: &str) -> Error {
    let goal = problem.goal();
    let failing = goal.models().iter().enumerate().find_map(|(place, model)| {
        let views = classes.iter().map(|class| goal.view(&class.tally, place));
        let attained = views.filter(|view| !model.holds(view)).map(|view| model.attained(&view));
        let weaker = |one, other| if model.sense().meets(one, other) { other } else { one };
        Some((model.as_ref(), attained.reduce(weaker)?))
    });
    match failing {
        None => Error::unreachable(why.to_owned()),
        Some((model, attained)) => {
            let what = format!("{why}: a class {}", model.attains());
            Error::unreachable(unmet(model, &what, attained)).because_of(Unmet::of(model, attained))
        }
    }
}

/// Describes the classes that fail.
fn told(problem: &Problem, mended: &Mended) -> String {
    let Mended { failing_classes, failing_records, .. } = mended;
    let of = counted(problem.cohorts().n_records(), "record");
    let are = if *failing_classes == 1 { "does" } else { "do" };
    let classes = counted(*failing_classes, "class");
    format!("{classes} with {failing_records} of {of} {are} not meet the goal after recoding")
}

fn refusal(problem: &Problem, classes: &[&Class], mended: &Mended) -> Error {
    error_of(problem, classes, &told(problem, mended)).advise([Advice::RepairClasses])
}

fn too_many(problem: &Problem, classes: &[&Class], mended: &Mended, n_suppressed: u64) -> Error {
    let why = format!("{}, and {}", told(problem, mended), limited(problem, n_suppressed));
    error_of(problem, classes, &why)
        .advise(suppression(problem, n_suppressed))
        .advise([Advice::RepairClasses])
}

/// The reason why this number of records is not suppressed.
fn limited(problem: &Problem, n_suppressed: u64) -> String {
    match problem.most_suppressed() {
        _ if n_suppressed >= problem.cohorts().n_records() => {
            "no record would be left to publish".to_owned()
        }
        0 => "no record may be suppressed".to_owned(),
        most => format!("at most {most} may be suppressed"),
    }
}

/// Advice to suppress this number of records, unless none would be left.
fn suppression(problem: &Problem, n_suppressed: u64) -> Option<Advice> {
    let of = problem.cohorts().n_records();
    let least = Some(Portion { records: n_suppressed, of });
    (n_suppressed < of).then_some(Advice::AllowSuppression { least })
}

fn too_strange(problem: &Problem, n_suppressed: u64) -> Error {
    let have = if n_suppressed == 1 { "has a value" } else { "have values" };
    let records = counted(n_suppressed, "record");
    let what = format!(
        "{records} {have} without a rule in the recipe, and {}",
        limited(problem, n_suppressed)
    );
    // Suppressing them was chosen already.
    let others = Advice::TreatUnseen("nearest|root");
    let is_lost = n_suppressed >= problem.cohorts().n_records();
    let other_recipe = "make a new recipe from a table that has such values";
    Error::unreachable(what)
        .advise(suppression(problem, n_suppressed))
        .advise([others])
        .advise(is_lost.then(|| Advice::words(other_recipe)))
}

fn none_left(problem: &Problem, class: &Class) -> Error {
    error_of(problem, &[class], "all classes were merged to one, which does not meet the goal")
        .advise([Advice::AllowSuppression { least: None }, Advice::RepairClasses])
}
