//! A column with its candidates, and trials of these on a sample.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use hedgerow::hierarchy::Generalization;
#[cfg(feature = "wordnet")]
use hedgerow::progress::Progress;
use hedgerow::table::Column;

use crate::fault::{Done, Fault};
#[cfg(feature = "wordnet")]
use crate::session::Watcher;
#[cfg(feature = "wordnet")]
use crate::session::file_part;
use crate::session::{Candidate, Family, Losses, Opened, Shelf, Trial, usual};
use crate::studio::Studio;

/// More candidates than this are tried in the background, because trials of a hundred take longer
/// than a click may.
#[cfg(feature = "wordnet")]
const MOST_AT_ONCE: usize = 12;

/// A column of the open table, and the goal.
pub(super) struct Subject {
    pub(super) opened: Arc<Opened>,
    pub(super) name: String,
    pub(super) k: u64,
    pub(super) family: Family,
    pub(super) base: PathBuf,
    /// What the names of files that belong to the job begin with.
    stem: String,
    pub(super) quasi: Vec<String>,
    /// The choice and the versions of candidates as they were found.
    found: Found,
    /// The hierarchies that other columns are tried with.
    others: BTreeMap<String, Option<Generalization>>,
}

impl Subject {
    pub(super) fn of(studio: &Studio, name: &str) -> Done<Self> {
        let session = studio.session();
        let opened = session.table()?;
        hedgerow::schema::find(&opened.header, name)?;
        if opened.column(name).is_none_or(|stored| stored.column.is_none()) {
            return Err(Fault::input(format!("'{name}' cannot be read as text")));
        }
        let family = session.families.get(name).cloned().unwrap_or_default();
        let mut quasi = session.job.quasi.clone();
        if !quasi.iter().any(|other| other == name) {
            quasi.push(name.to_owned());
        }
        let chosen = |column: &String| {
            let family = session.families.get(column)?;
            let found = family.get(family.chosen.as_deref()?).ok()?;
            Some(found.generalization.clone())
        };
        let others = quasi.iter().map(|column| (column.clone(), chosen(column))).collect();
        let (k, base, stem) = (session.job.k, session.base.clone(), session.stem());
        let (name, found) = (name.to_owned(), Found::of(&family));
        Ok(Self { opened, name, k, family, base, stem, quasi, found, others })
    }

    /// Where the edits of the column are kept.
    pub(super) fn shelf(&self) -> Shelf<'_> {
        Shelf { base: &self.base, stem: &self.stem, column: &self.name }
    }

    /// The senses file of the column, next to the job file.
    #[cfg(feature = "wordnet")]
    pub(super) fn senses_file(&self) -> PathBuf {
        format!("{}.{}.senses.toml", self.stem, file_part(&self.name)).into()
    }

    pub(super) fn column(&self) -> Done<&Column> {
        let stored = self.opened.column(&self.name);
        stored
            .and_then(|stored| stored.column.as_ref())
            .ok_or_else(|| Fault::missing("there is no such column"))
    }

    /// A sample on which candidates of the column are tried, in which the other columns have what was
    /// chosen for them.
    pub(super) fn tried(&self) -> Done<Tried> {
        let trial = Trial::new(&self.opened, &self.quasi, self.k)?;
        let mut generalizations = Vec::with_capacity(self.quasi.len());
        for name in &self.quasi {
            let stored = self.opened.column(name).and_then(|stored| stored.column.as_ref());
            let column = stored.ok_or_else(|| Fault::missing("there is no such column"))?;
            let chosen = self.others.get(name).cloned().flatten();
            generalizations.push(match chosen {
                Some(chosen) => chosen,
                None => usual(column, self.k)?,
            });
        }
        let place = self.quasi.iter().position(|name| *name == self.name).unwrap_or(0);
        Ok(Tried { trial, generalizations, place })
    }

    /// Finds the losses of candidates without one.
    pub(super) fn try_candidates(&mut self) -> Done<()> {
        let tried = self.tried()?;
        for candidate in self.family.candidates.iter_mut().filter(|one| one.loss.is_none()) {
            // A candidate that cannot be tried stays in the list without a loss.
            let losses = tried.losses(candidate.generalization.clone()).ok();
            candidate.loss = losses.and_then(|losses| losses.columns.get(&self.name).copied());
        }
        Ok(())
    }

    /// Finds the losses of candidates without one, and stores the family. Many candidates are stored
    /// first and tried in the background.
    #[cfg(feature = "wordnet")]
    pub(super) fn tried_and_stored(mut self, studio: &Studio) -> Done<()> {
        let untried = self.family.candidates.iter().filter(|one| one.loss.is_none()).count();
        if untried <= MOST_AT_ONCE {
            self.try_candidates()?;
            return self.store(studio);
        }
        let name = self.name.clone();
        self.store(studio)?;
        studio.in_background(move |studio| {
            // Without losses the candidates can be ranked and used all the same.
            let _ = try_later(studio, &name);
        });
        Ok(())
    }

    /// Chooses the candidate that loses least, if none is chosen.
    pub(super) fn choose_best(&mut self) {
        if self.family.chosen.is_some() {
            return;
        }
        let order = |candidate: &&Candidate| candidate.loss.unwrap_or(f64::INFINITY);
        let mut usable: Vec<&Candidate> = self.family.candidates.iter().collect();
        usable.sort_by(|a, b| order(a).total_cmp(&order(b)));
        self.family.chosen = usable.first().map(|candidate| candidate.id.clone());
    }

    /// Stores the family, and says in the job which hierarchy is chosen. The edits of candidates that
    /// changed are written first.
    ///
    /// # Errors
    ///
    /// A conflict if the table or a candidate was changed meanwhile; nothing is stored then.
    pub(super) fn store(self, studio: &Studio) -> Done<()> {
        let Self { name, mut family, found, opened, base, .. } = self;
        studio.change(&["hierarchies", "job"], |session| {
            let is_same = session.opened.as_ref().is_some_and(|now| Arc::ptr_eq(now, &opened));
            let now = session.families.get(&name);
            if !is_same || now.is_some_and(|now| found.differs(now)) {
                return Err(stale());
            }
            if let Some(now) = now.filter(|_| family.chosen == found.chosen) {
                family.chosen.clone_from(&now.chosen);
            }
            for candidate in family.candidates.iter().filter(|one| found.is_old(one)) {
                candidate.keep_edits(&base)?;
            }
            let chosen = family.chosen_spec();
            session.families.insert(name.clone(), family);
            if session.job.quasi.contains(&name) {
                session.job.hierarchy.remove(&name);
                session.job.edits.remove(&name);
                if let Some((spec, edits)) = chosen {
                    session.job.edits.extend(edits.map(|path| (name.clone(), path)));
                    session.job.hierarchy.insert(name, spec);
                }
            }
            session.save();
            Ok(())
        })
    }
}

/// A family as a request found it.
struct Found {
    chosen: Option<String>,
    versions: BTreeMap<String, u64>,
}

impl Found {
    fn of(family: &Family) -> Self {
        let versions = family.candidates.iter().map(|one| (one.id.clone(), one.version));
        Self { chosen: family.chosen.clone(), versions: versions.collect() }
    }

    /// Whether a candidate has another version than it was found with.
    fn is_old(&self, candidate: &Candidate) -> bool {
        self.versions.get(&candidate.id).is_some_and(|version| *version != candidate.version)
    }

    /// Whether another request changed a candidate.
    fn differs(&self, now: &Family) -> bool {
        now.candidates.iter().any(|one| self.is_old(one))
    }
}

/// The refusal of a change of a tree that was changed meanwhile.
pub(super) fn stale() -> Fault {
    Fault::refused(409, "stale", "the tree was changed meanwhile, in another tab perhaps")
        .advise("look at it again, and repeat the change")
}

/// Tries the candidates of a column that have no loss yet, and stores what they lose.
#[cfg(feature = "wordnet")]
fn try_later(studio: &Studio, name: &str) -> Done<()> {
    let watcher = Watcher::new(studio, "trying");
    watcher.step("try");
    let subject = Subject::of(studio, name)?;
    let tried = subject.tried()?;
    let untried: Vec<&Candidate> =
        subject.family.candidates.iter().filter(|one| one.loss.is_none()).collect();
    let mut found = Vec::with_capacity(untried.len());
    for (place, candidate) in untried.iter().enumerate() {
        if watcher.cancelled() {
            return Ok(());
        }
        watcher.advance(place as u64, untried.len() as u64);
        let losses = tried.losses(candidate.generalization.clone()).ok();
        let loss = losses.and_then(|losses| losses.columns.get(name).copied());
        found.push((candidate.id.as_str(), candidate.version, loss));
    }
    watcher.end();
    studio.change(&["hierarchies"], |session| {
        let Some(family) = session.families.get_mut(name) else { return };
        for (id, version, loss) in found {
            // A candidate that was edited or corrected meanwhile has been tried again.
            let is_same =
                |one: &&mut Candidate| one.id == id && one.version == version && one.loss.is_none();
            if let Some(candidate) = family.candidates.iter_mut().find(is_same) {
                candidate.loss = loss;
            }
        }
    });
    Ok(())
}

/// A sample of records, with the hierarchies of all columns.
pub(super) struct Tried {
    trial: Trial,
    generalizations: Vec<Generalization>,
    place: usize,
}

impl Tried {
    /// What a release of the sample loses with this hierarchy.
    pub(super) fn losses(&self, generalization: Generalization) -> hedgerow::Result<Losses> {
        let mut all = self.generalizations.clone();
        all[self.place] = generalization;
        self.trial.losses(all)
    }
}
