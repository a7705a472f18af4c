//! Applies the rules to all columns of a table.

use super::determine::Grouped;
use super::glance::{Glance, Seen};
use super::names::{Meaning, is_of_duration, is_of_place, meaning, names_whom};
use super::parts::{Published, divided};
use super::rules::{
    Quasi, can_be_people, gives_away, has_form_of_names, has_several_rows, identifies,
    is_called_person, is_nearly_unique, is_often_alone, looks_like_a_person, may_be_users,
    names_people, restores_any, several_rows, tells_apart,
};
use super::series::Series;
use super::sets;
use super::together::{Member, Together};
use super::{Finding, Reason};
use crate::schema::{Role, Schema};
use crate::table::Kind;

/// Number of people from which one record of each is enough to compare columns.
const LEAST_PEOPLE: usize = 30;

/// The columns of a table with their roles, and the column of people.
pub(super) struct Look<'a> {
    glance: &'a Glance,
    schema: &'a Schema,
    /// The column that names people, whether it has that role or looks like it.
    person: Option<&'a Seen>,
    /// The column that looks like it names people with several records, if none is named.
    suspect: Option<&'a Seen>,
    /// One record of each person, if people are known and have several records. Two records of one
    /// person agree in most columns, which would look as if columns determined each other.
    rows: Option<Vec<usize>>,
    quasi: Vec<Quasi<'a>>,
}

impl<'a> Look<'a> {
    pub(super) fn new(glance: &'a Glance, schema: &'a Schema) -> Self {
        let named = schema.with(Role::Person).find_map(|name| glance.column(name));
        let has_name = schema.with(Role::Person).next().is_some();
        let mut look =
            Self { glance, schema, person: named, suspect: None, rows: None, quasi: Vec::new() };
        look.quasi = look.grouped_quasi();
        if !has_name {
            let called = look.columns().map(|(_, seen)| seen);
            let plausible = called.filter(|seen| is_plausible(seen, &look.quasi));
            look.suspect = suspect(plausible).or_else(|| {
                // Columns whose name means a person were considered already.
                let is_open = |(role, seen): &(Role, &Seen)| {
                    *role == Role::Undecided && !is_called_person(seen)
                };
                let mut open = look.columns().filter(is_open);
                open.find(|(_, seen)| looks_like_a_person(seen, &look.quasi)).map(|(_, seen)| seen)
            });
            look.person = look.suspect;
        }
        look.rows = look.person.and_then(one_of_each);
        // Grouped again, now with one record of each person.
        look.quasi = look.grouped_quasi();
        look
    }

    /// The columns that were seen, with their roles.
    fn columns(&self) -> impl Iterator<Item = (Role, &'a Seen)> + use<'_, 'a> {
        let names = self.schema.names().iter().enumerate();
        names.filter_map(|(place, name)| Some((self.schema.role(place), self.glance.column(name)?)))
    }

    fn grouped_quasi(&self) -> Vec<Quasi<'a>> {
        let names = self.schema.quasi().iter().map(|&place| &self.schema.names()[place]);
        let seen = names.filter_map(|name| self.glance.column(name));
        seen.map(|seen| Quasi { seen, grouped: self.grouped(seen) }).collect()
    }

    /// A column in the records that columns are compared in.
    fn grouped(&self, seen: &Seen) -> Grouped {
        let series: Series = match &self.rows {
            Some(rows) => seen.series.at(rows),
            None => seen.series.clone(),
        };
        Grouped::new(series)
    }

    /// The findings, in the order of the table.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let (mut findings, mut clear) = (Vec::new(), Vec::new());
        for (role, seen) in self.columns() {
            let grouped = self.grouped(seen);
            let found = self.about(role, seen, &grouped);
            // Columns that stop a run are left out; everything else is published with the others.
            if role.is_published() && role != Role::Quasi && !found.iter().any(|f| f.stops) {
                clear.push((role, seen, grouped));
            }
            findings.extend(found);
        }
        let births = self.births(&clear);
        clear.retain(|(_, seen, _)| !births.iter().any(|f| f.stops && f.column == seen.name));
        findings.extend(births);
        // Without the proposed columns, the others can still reveal something.
        loop {
            let sets = self.together(&clear);
            let is_left = |name: &String| !sets.iter().any(|set| set.columns.contains(name));
            clear.retain(|(_, seen, _)| is_left(&seen.name));
            if sets.is_empty() {
                break;
            }
            findings.extend(sets.iter().flat_map(of_set));
        }
        let place =
            |finding: &Finding| self.schema.names().iter().position(|name| *name == finding.column);
        findings.sort_by_key(place);
        findings
    }

    /// Columns that form dates of birth with others, among those without findings.
    fn births(&self, clear: &[(Role, &Seen, Grouped)]) -> Vec<Finding> {
        let published: Vec<Published<'_>> = (clear.iter())
            .map(|(role, seen, _)| Published { seen, is_open: *role == Role::Undecided })
            .collect();
        let is_whole = self.glance.rows.len() as u64 == self.glance.n_rows;
        let found = divided(&published, is_whole);
        let of_column = |seen: &&Seen, reason: &Reason, stops: bool| Finding {
            or_quasi: true,
            ..finding(seen, reason.clone(), stops)
        };
        found.map_or_else(Vec::new, |found| {
            let columns = found.columns.iter();
            columns.map(|seen| of_column(seen, &found.reason, found.is_exact)).collect()
        })
    }

    /// The findings about one column.
    fn about(&self, role: Role, seen: &Seen, grouped: &Grouped) -> Vec<Finding> {
        let is_suspect = self.suspect.is_some_and(|suspect| suspect.name == seen.name);
        if is_suspect {
            return vec![finding(
                seen,
                several_rows(seen, self.glance.n_rows),
                role == Role::Undecided,
            )];
        }
        if role == Role::Quasi {
            let found = names_people(self.glance, seen);
            return found.map(|reason| finding(seen, reason, false)).into_iter().collect();
        }
        if !matches!(role, Role::Undecided | Role::Sensitive | Role::Class) {
            return Vec::new();
        }
        let of_people = || self.person.and_then(|person| tells_apart(self.glance, seen, person));
        // A direct identifier is the stronger finding, and one per column is enough.
        let found = identifies(self.glance, seen)
            .or_else(of_people)
            .or_else(|| gives_away(seen, grouped, &self.quasi));
        if let Some(reason) = found {
            return vec![finding(seen, reason, role == Role::Undecided)];
        }
        let doubt = is_nearly_unique(seen)
            .or_else(|| is_often_alone(seen))
            .or_else(|| has_form_of_names(seen))
            .or_else(|| may_be_users(seen))
            .filter(|_| role == Role::Undecided);
        doubt.map(|reason| finding(seen, reason, false)).into_iter().collect()
    }

    /// Sets of columns that reveal a quasi-identifier, among those without findings.
    fn together(&self, clear: &[(Role, &Seen, Grouped)]) -> Vec<Together> {
        let members: Vec<Member<'_>> = (clear.iter())
            .map(|(role, seen, grouped)| Member {
                name: &seen.name,
                grouped,
                is_open: *role == Role::Undecided,
            })
            .collect();
        let quasi: Vec<Member<'_>> = (self.quasi.iter())
            .map(|quasi| Member { name: &quasi.seen.name, grouped: &quasi.grouped, is_open: false })
            .collect();
        sets::give_away(&members, &quasi)
    }
}

/// The column with the most values of those whose name is that of the number of a person, if values
/// repeat.
///
/// A name that identifies the owner of the number takes precedence. If the one with most values is
/// different in every record, records are people, and columns with fewer values number something
/// else: `id` does, and the number `case.id` of a matched set does not.
pub(super) fn suspect<'a>(columns: impl Iterator<Item = &'a Seen>) -> Option<&'a Seen> {
    let called: Vec<&Seen> = columns.filter(|seen| is_called_person(seen)).collect();
    let finest = |is_sure: bool| {
        let of_name = called.iter().copied().filter(|seen| names_whom(&seen.name) == is_sure);
        // The first of several with the same number of values.
        of_name.reduce(
            |one, other| {
                if other.counts.distinct > one.counts.distinct { other } else { one }
            },
        )
    };
    finest(true).or_else(|| finest(false)).filter(|seen| has_several_rows(seen))
}

/// Whether a column whose name means the number of a person can be one: its values have few
/// records each or are many, or restore a quasi-identifier. The number of a person within a
/// household has many records and restores nothing.
fn is_plausible(seen: &Seen, quasi: &[Quasi<'_>]) -> bool {
    can_be_people(seen) || restores_any(seen, quasi)
}

/// The first sampled record of each person; `None` for few people, or if each has one record.
fn one_of_each(person: &Seen) -> Option<Vec<usize>> {
    let mut is_seen = vec![false; person.spellings.len()];
    let is_first = |row: &usize| match person.of_record[*row] {
        None => true,
        Some(owner) => !std::mem::replace(&mut is_seen[owner as usize], true),
    };
    let rows: Vec<usize> = (0..person.of_record.len()).filter(is_first).collect();
    let has_several = rows.len() < person.of_record.len();
    (has_several && rows.len() >= LEAST_PEOPLE).then_some(rows)
}

fn finding(seen: &Seen, reason: Reason, stops: bool) -> Finding {
    let or_quasi = can_be_quasi(seen, &reason);
    let suggested = match reason.suggested() {
        // A quasi-identifier is not a number or a name of the person.
        Role::Identifier if or_quasi => Role::Dropped,
        other => other,
    };
    Finding { column: seen.name.clone(), reason, suggested, or_quasi, stops }
}

/// Whether a column can be generalized: nearly unique places, dates and durations are known to
/// others, but are not numbers or names of people.
fn can_be_quasi(seen: &Seen, reason: &Reason) -> bool {
    if matches!(reason, Reason::BirthDates { .. }) {
        return true;
    }
    let is_unique = matches!(reason, Reason::NearlyUnique { .. } | Reason::OnePersonEach { .. });
    let is_known = match seen.kind {
        Kind::Date => true,
        Kind::Number => is_of_duration(&seen.name),
        Kind::Text | Kind::Code => false,
    };
    let is_called = || matches!(meaning(&seen.name), Some((Meaning::Quasi, _)));
    is_unique && (is_known || is_of_place(&seen.name) || is_called())
}

impl Glance {
    /// The sampled records in which columns are compared: one of each person, if a column names
    /// people with several records; otherwise `None`, which means all.
    pub(crate) fn compared(&self, schema: &Schema) -> Option<Vec<usize>> {
        let person = schema.with(Role::Person).find_map(|name| self.column(name));
        person.and_then(one_of_each)
    }
}

/// A finding for each column of a set that is to be left out.
fn of_set(set: &Together) -> Vec<Finding> {
    let about = |column: &String| {
        let reason = set.reason(column);
        let suggested = reason.suggested();
        Finding { column: column.clone(), reason, suggested, or_quasi: false, stops: true }
    };
    set.columns.iter().map(about).collect()
}
