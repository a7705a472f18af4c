//! hedge: merging by loss, then mending.

mod class;
mod index;
mod mend;
mod merge;
mod space;

use serde::Deserialize;

use self::class::Class;
use self::index::Index;
use self::space::Space;
use super::Anonymizer;
use crate::Result;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::recoding::{Recoding, Take};

/// todo
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Hedge {
    /// How often every class is mended.
    pub rounds: u32,
    /// With how many of the nearest classes.
    pub near: u32,
}

impl Default for Hedge {
    fn default() -> Self {
        Self { rounds: 2, near: 24 }
    }
}

impl Anonymizer for Hedge {
    fn anonymize(&self, problem: &Problem<'_>, progress: &dyn Progress) -> Result<Recoding> {
        let space = Space::new(problem);
        let mut index = Index::new(&space);
        let cohorts = (0..).zip(&problem.cohorts().counts);
        let mut classes: Vec<Class> = cohorts.map(|(c, &n)| Class::of(&space, c, n)).collect();
        (0..).zip(&classes).for_each(|(number, class)| index.note(number, class));
        merge::merge(&space, &mut classes, &mut index, progress)?;
        let mut classes = mend::mend(&space, classes, &mut index, self, progress)?;
        classes.retain(|class| !class.is_empty());
        let takes = (0..).zip(&classes).flat_map(|(class, found)| {
            let members = found.members.iter();
            members.map(move |&(cohort, count)| Take { cohort, class, count })
        });
        Ok(Recoding::new(problem, classes.len(), takes.collect()))
    }
}
