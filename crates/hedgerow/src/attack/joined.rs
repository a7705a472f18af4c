//! Another release as the attacker sees it: its classes, and who can be in which.

use std::borrow::Cow;
use std::sync::Arc;

use hashbrown::HashMap;

use super::given::Other;
use super::index::{Candidates, Index};
use super::scene::Scene;
use super::secrets::{Histogram, merged};
use super::view::{Targets, View};
use crate::error::Warning;
use crate::population::Cover;
use crate::table::{Code, Table};

/// A release, given the known columns that it has.
pub(super) struct Joined<'a> {
    pub(super) table: &'a Table,
    /// The places of its columns in the original, in its own order; `None` for other columns.
    places: Vec<Option<usize>>,
    covers: Vec<Vec<Cover>>,
    /// The known columns: their places in this release and in the original.
    named: Vec<(usize, usize)>,
    pub(super) view: Arc<View>,
    pub(super) targets: Targets,
    pub(super) candidates: Candidates,
}

impl<'a> Joined<'a> {
    /// Links the people of the original with another release.
    pub(super) fn new(scene: &Scene, other: &'a Other) -> Result<Self, Warning> {
        let known = scene.known().iter();
        let named: Vec<usize> =
            known.copied().filter(|&place| has(&other.table, scene, place)).collect();
        if named.is_empty() {
            let problem = format!("{} has none of the columns that the attacker knows", other.name);
            return Err(Warning::new(problem));
        }
        Ok(Self::of(scene, &other.table, &named))
    }

    /// Links the people of the original with a release by the columns at `named`.
    pub(super) fn of(scene: &Scene, table: &'a Table, named: &[usize]) -> Self {
        let places: Vec<Option<usize>> = table
            .all_columns()
            .iter()
            .map(|column| {
                let mut all = 0..scene.release().all_columns().len();
                all.find(|&place| scene.column(place).name == column.name)
            })
            .collect();
        let columns = places.iter().enumerate();
        let covers: Vec<Vec<Cover>> = columns
            .map(|(at, place)| {
                place.map_or_else(Vec::new, |place| scene.covers_in(table, at, place))
            })
            .collect();
        let find =
            |&place: &usize| Some((places.iter().position(|own| *own == Some(place))?, place));
        let found: Vec<(usize, usize)> = named.iter().filter_map(find).collect();
        let at: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
        let of_known = at.iter().map(|&at| covers[at].clone()).collect();
        let view = Arc::new(View::new(table, &at, of_known));
        // Targets are always people of the original, whichever release they are looked for in.
        let targets = Targets::of(scene.original(), named);
        let n_codes: Vec<usize> =
            named.iter().map(|&place| scene.column(place).domain.n_codes()).collect();
        let index = Index::new(&view, &n_codes);
        let candidates = Candidates::new(&index, &targets, scene.threads());
        Self { table, places, covers, named: found, view, targets, candidates }
    }

    /// For each cell of a column, the value of the original that it is, if the column is published
    /// unchanged.
    pub(super) fn kept(&self, place: usize) -> Option<(usize, Vec<Option<Code>>)> {
        let at = self.places.iter().position(|own| *own == Some(place))?;
        // A cell of one value is that value, however it is written.
        let single = |cover: &Cover| {
            let mut runs = cover.runs();
            let first = runs.next().filter(|(start, end)| end - start == 1)?;
            runs.next().is_none().then(|| Code::from(first.0))
        };
        let codes: Vec<Option<Code>> = self.covers[at].iter().map(single).collect();
        // One cell with several values makes the column generalized, not kept.
        let is_generalized =
            |(code, cover): (&Option<Code>, &Cover)| code.is_none() && !cover.is_empty();
        (!codes.iter().zip(&self.covers[at]).any(is_generalized)).then_some((at, codes))
    }

    /// The values of a kept column in each class.
    pub(super) fn histograms(&self, place: usize) -> Option<Vec<Histogram>> {
        let (at, codes) = self.kept(place)?;
        let cohorts = self.table.cohorts();
        let of_class = self.view.members.iter().map(|members| {
            let counted = members.iter().filter_map(|&cohort| {
                let code = codes[cohorts.tuple(cohort)[at].index()]?;
                Some(vec![(code, cohorts.counts[cohort.index()])])
            });
            merged(counted.collect::<Vec<_>>().iter())
        });
        Some(of_class.collect())
    }

    /// Number of records with each combination of kept columns, class by class. `numbers` numbers
    /// the combinations of all releases.
    pub(super) fn combinations(
        &self,
        places: &[usize],
        numbers: &mut HashMap<Vec<Code>, u32>,
    ) -> Vec<Histogram> {
        let kept: Vec<(usize, Vec<Option<Code>>)> =
            places.iter().filter_map(|&place| self.kept(place)).collect();
        let cohorts = self.table.cohorts();
        let mut of_class = Vec::with_capacity(self.view.len());
        for members in &self.view.members {
            let mut counted: Vec<Histogram> = Vec::new();
            for &cohort in members {
                let tuple = cohorts.tuple(cohort);
                let own: Option<Vec<Code>> =
                    kept.iter().map(|(at, codes)| codes[tuple[*at].index()]).collect();
                if let Some(own) = own {
                    // Both releases share the numbers, so that equal combinations have equal codes.
                    let next = numbers.len() as u32;
                    let number = *numbers.entry(own).or_insert(next);
                    counted.push(vec![(Code::from(number), cohorts.counts[cohort.index()])]);
                }
            }
            of_class.push(merged(counted.iter()));
        }
        of_class
    }

    /// The known columns of a class: their places in the original, and the published labels.
    pub(super) fn labels(&self, class: usize) -> Vec<(usize, String)> {
        let cells = self.view.cells(class).iter().zip(&self.named);
        let label = |(&cell, &(at, place)): (&Code, &(usize, usize))| {
            (place, self.table.all_columns()[at].domain.spelling(cell).into_owned())
        };
        cells.map(label).collect()
    }

    /// The sum of the histograms of the classes that a target can be in.
    pub(super) fn of_set<'h>(
        &self,
        set: usize,
        of_class: &'h [Histogram],
    ) -> Cow<'h, [(Code, u64)]> {
        match self.candidates.sets[set].as_slice() {
            // A large class is not copied for each of its people.
            [class] => Cow::Borrowed(of_class[*class as usize].as_slice()),
            classes => Cow::Owned(merged(classes.iter().map(|&class| &of_class[class as usize]))),
        }
    }
}

/// Whether a release has a column of the original.
pub(super) fn has(release: &Table, scene: &Scene, place: usize) -> bool {
    release.all_columns().iter().any(|column| column.name == scene.column(place).name)
}
