//! A column with its candidates, and trials of these on a sample.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use hedgerow::hierarchy::Generalization;
use hedgerow::job::Job;
use hedgerow::table::Column;

use crate::fault::{Done, Fault};
#[cfg(feature = "wordnet")]
use crate::session::file_part;
use crate::session::{Candidate, Family, Opened, Setting, Shelf, Trial, Tried, usual};
use crate::studio::Studio;

/// More candidates than this are tried in the background, because trials of a hundred take longer
/// than a click may.
pub(super) const MOST_AT_ONCE: usize = 12;

/// A column of the open table, and the goal.
pub(super) struct Subject {
    pub(super) opened: Arc<Opened>,
    pub(super) name: String,
    pub(super) k: u64,
    pub(super) family: Family,
    pub(super) base: PathBuf,
    /// Prefix of the names of files that belong to the job.
    stem: String,
    pub(super) quasi: Vec<String>,
    /// The choice and the versions of candidates as they were found.
    found: Found,
    /// The setting in which its candidates are tried.
    setting: Arc<Setting>,
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
        let others = quasi.iter().filter(|other| *other != name);
        let others = others.map(|column| (column.clone(), chosen(column))).collect();
        let (k, base, stem) = (session.job.k, session.base.clone(), session.stem());
        let setting = Arc::new(Setting { k, others });
        let (name, found) = (name.to_owned(), Found::of(&family));
        Ok(Self { opened, name, k, family, base, stem, quasi, found, setting })
    }

    /// The place where the edits of the column are kept.
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

    /// A sample on which candidates of the column are tried, in which the other columns have what
    /// was chosen for them.
    pub(super) fn sample(&self) -> Done<Sample> {
        let trial = Trial::new(&self.opened, &self.quasi, self.k)?;
        let mut others = Vec::with_capacity(self.quasi.len());
        for (name, chosen) in
            self.quasi.iter().filter_map(|name| self.setting.others.get_key_value(name))
        {
            let stored = self.opened.column(name).and_then(|stored| stored.column.as_ref());
            let column = stored.ok_or_else(|| Fault::missing("there is no such column"))?;
            others.push(match chosen {
                Some(chosen) => chosen.clone(),
                None => usual(column, self.k)?,
            });
        }
        let place = self.quasi.iter().position(|name| *name == self.name).unwrap_or(0);
        let (name, setting) = (self.name.clone(), Arc::clone(&self.setting));
        Ok(Sample { trial, others, place, name, setting })
    }

    /// Candidates whose losses are not known, or are those of another setting.
    pub(super) fn outdated(&self) -> impl Iterator<Item = &Candidate> {
        self.family.candidates.iter().filter(|one| !one.is_tried_in(&self.setting))
    }

    /// Finds the losses of candidates without one.
    pub(super) fn try_candidates(&mut self) -> Done<()> {
        let sample = self.sample()?;
        for candidate in self.family.candidates.iter_mut().filter(|one| one.tried.is_none()) {
            candidate.tried = Some(sample.tried(candidate.generalization.clone()));
        }
        Ok(())
    }

    /// Finds the losses of candidates without one, and stores the family. Many candidates are
    /// stored first and tried in the background.
    #[cfg(feature = "wordnet")]
    pub(super) fn tried_and_stored(mut self, studio: &Studio) -> Done<()> {
        let untried = self.family.candidates.iter().filter(|one| one.tried.is_none()).count();
        if untried <= MOST_AT_ONCE {
            self.try_candidates()?;
            return self.store(studio);
        }
        self.store(studio)?;
        super::retry::begin(studio);
        Ok(())
    }

    /// Chooses the candidate that loses least, if none is chosen.
    pub(super) fn choose_best(&mut self) {
        if self.family.chosen.is_some() {
            return;
        }
        let order = |candidate: &&Candidate| candidate.loss().unwrap_or(f64::INFINITY);
        let mut usable: Vec<&Candidate> = self.family.candidates.iter().collect();
        usable.sort_by(|a, b| order(a).total_cmp(&order(b)));
        self.family.chosen = usable.first().map(|candidate| candidate.id.clone());
    }

    /// Chooses the candidate that the job names, which is the same choice as before.
    pub(super) fn choose_named(&mut self, id: String) {
        self.found.chosen = Some(id.clone());
        self.family.chosen = Some(id);
    }

    /// Stores the family, and says in the job which hierarchy is chosen. The edits of candidates
    /// that changed are written first. A limit that is a level of the hierarchy that was chosen
    /// before is removed.
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
            let before = now.map_or(&found.chosen, |now| &now.chosen);
            if family.chosen != *before {
                forget_level(&mut session.job, &name);
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

/// Removes the limits of a column that are levels of its hierarchy.
fn forget_level(job: &mut Job, column: &str) {
    if let Some(labels) = job.limit.get_mut(column) {
        labels.retain(|label| !label.starts_with("level:"));
        if labels.is_empty() {
            job.limit.remove(column);
        }
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

/// A sample of records, with the hierarchies of all other columns.
pub(super) struct Sample {
    trial: Trial,
    others: Vec<Generalization>,
    /// The place of the column among the quasi-identifiers.
    place: usize,
    name: String,
    pub(super) setting: Arc<Setting>,
}

impl Sample {
    /// Publishes the sample with this hierarchy. One that cannot be tried has no loss.
    pub(super) fn tried(&self, generalization: Generalization) -> Tried {
        let mut all = self.others.clone();
        all.insert(self.place, generalization);
        let losses = self.trial.losses(all).ok();
        Tried {
            setting: Arc::clone(&self.setting),
            loss: losses.as_ref().and_then(|losses| losses.columns.get(&self.name).copied()),
            release: losses.map(|losses| losses.release),
        }
    }
}
