//! Tries candidates again, in the background, when the setting of their trials has changed.

use hedgerow::progress::Progress;

use super::subject::{MOST_AT_ONCE, Subject};
use crate::fault::Done;
use crate::session::{Candidate, Watcher};
use crate::studio::Studio;

/// Tries all candidates whose losses are those of another setting.
pub(super) fn begin(studio: &Studio) {
    studio.one_by_one(|studio| {
        // Candidates can be ranked and used without losses.
        while let Ok(true) = try_next(studio) {}
    });
}

/// Tries the outdated candidates of the first column that has some; `false` if none has.
fn try_next(studio: &Studio) -> Done<bool> {
    let names = studio.session().job.quasi.clone();
    for name in names {
        let subject = Subject::of(studio, &name)?;
        if subject.outdated().next().is_some() {
            return try_column(studio, &subject);
        }
    }
    Ok(false)
}

/// Tries the outdated candidates of a column and stores their losses; `false` if the studio ends.
fn try_column(studio: &Studio, subject: &Subject) -> Done<bool> {
    let watcher = Watcher::new(studio, "trying");
    let outdated: Vec<&Candidate> = subject.outdated().collect();
    // A few are tried before anybody could read that they are.
    let is_told = outdated.len() > MOST_AT_ONCE;
    if is_told {
        watcher.step("try");
    }
    let sample = subject.sample()?;
    let mut found = Vec::with_capacity(outdated.len());
    for (place, candidate) in outdated.iter().enumerate() {
        if watcher.cancelled() {
            return Ok(false);
        }
        if is_told {
            watcher.advance(place as u64, outdated.len() as u64);
        }
        let tried = sample.tried(candidate.generalization.clone());
        found.push((candidate.id.as_str(), candidate.version, tried));
    }
    if is_told {
        watcher.end();
    }
    studio.change(&["hierarchies"], |session| {
        let Some(family) = session.families.get_mut(&subject.name) else { return };
        for (id, version, tried) in found {
            // A candidate that was edited or corrected meanwhile has been tried again.
            let is_same = |one: &&mut Candidate| one.id == id && one.version == version;
            if let Some(candidate) = family.candidates.iter_mut().find(is_same) {
                candidate.tried = Some(tried);
            }
        }
    });
    Ok(true)
}
