//! Kept columns that reveal known quasi-identifiers, alone or in sets, or narrow them.

use hashbrown::{HashMap, HashSet};

use super::narrow::Links;
use super::scene::Scene;
use crate::guard::{Grouped, Leak as Leaked, Member, Reason, Series, give_away};
use crate::noun::percent;
use crate::table::{Code, Cohort};

/// Number of records from which dependencies are estimated.
const SAMPLE: u64 = 20_000;

/// Kept columns that reveal a known quasi-identifier, or narrow it.
pub(super) struct Leak {
    /// The columns, those to leave out first.
    pub(super) kept: Vec<usize>,
    /// Number of columns that are to be left out; the others can stay then.
    n_out: usize,
    pub(super) quasi: usize,
    /// The information that they reveal, as a predicate of the first column.
    pub(super) reason: String,
    /// Whether they reveal the quasi-identifier; otherwise they narrow it.
    pub(super) is_strong: bool,
    /// The values that occur together in the original.
    pub(super) links: Links,
    /// For each column, the code in the original of each code of the release.
    same: Vec<Vec<Option<Code>>>,
    /// The number of each combination of values in the original.
    numbers: HashMap<Vec<Code>, u32>,
}

impl Leak {
    fn new(scene: &Scene, kept: Vec<usize>, quasi: usize, leak: Told) -> Self {
        let cohorts = scene.original().cohorts();
        let mut numbers: HashMap<Vec<Code>, u32> = HashMap::new();
        // Pairs are counted in the whole original, not in the sample.
        let mut pairs = Vec::with_capacity(cohorts.len());
        for (cohort, count) in cohorts.counted() {
            let tuple = cohorts.tuple(cohort);
            let next = numbers.len() as u32;
            let values: Vec<Code> = kept.iter().map(|&place| tuple[place]).collect();
            let number = *numbers.entry(values).or_insert(next);
            pairs.push(((number, tuple[quasi].get()), count));
        }
        let Told { reason, is_strong, n_out } = leak;
        let links = Links::new(pairs.into_iter(), is_strong);
        let same = kept.iter().map(|&place| scene.kept_codes(place)).collect();
        Self { kept, n_out, quasi, reason, is_strong, links, same, numbers }
    }

    /// The number of the combination of values that a record of the release has; `None` if the
    /// original does not have it.
    pub(super) fn number(&self, tuple: &[Code]) -> Option<u32> {
        let code = |(&place, same): (&usize, &Vec<Option<Code>>)| same[tuple[place].index()];
        let values: Option<Vec<Code>> = self.kept.iter().zip(&self.same).map(code).collect();
        self.numbers.get(&values?).copied()
    }

    /// A remedy, in words.
    pub(super) fn remedy(&self, scene: &Scene) -> String {
        let out = self.kept[..self.n_out].iter();
        let names: Vec<String> = out.map(|&place| format!("'{}'", scene.name(place))).collect();
        let it =
            if names.len() == 1 { "it as a quasi-identifier" } else { "them as quasi-identifiers" };
        format!("leave out {}, or name {it}", names.join(", "))
    }
}

/// The finding about a leak.
struct Told {
    reason: String,
    is_strong: bool,
    n_out: usize,
}

/// The kept columns that reveal known quasi-identifiers or narrow them.
pub(super) fn leaks(scene: &Scene, kept: &[usize]) -> Vec<Leak> {
    let n_quasi = scene.original().columns().len();
    let drawn = drawn(scene);
    let grouped = |place: usize| (place, Grouped::new(series(scene, &drawn, place)));
    let known = scene.known().iter().copied().filter(|&place| place < n_quasi);
    let quasi: Vec<(usize, Grouped)> = known.map(grouped).collect();
    let kept: Vec<(usize, Grouped)> = kept.iter().map(|&place| grouped(place)).collect();
    let mut leaks = Vec::new();
    for (place, column) in &kept {
        for (quasi, of_quasi) in &quasi {
            if let Some(told) = told(scene, column, (*quasi, of_quasi)) {
                leaks.push(Leak::new(scene, vec![*place], *quasi, told));
            }
        }
    }
    for quasi in &quasi {
        let is_found = |place: usize| {
            leaks.iter().any(|l| l.is_strong && l.quasi == quasi.0 && l.kept.contains(&place))
        };
        let rest: Vec<&(usize, Grouped)> = kept.iter().filter(|(at, _)| !is_found(*at)).collect();
        leaks.extend(together(scene, &rest, quasi));
    }
    leaks
}

/// The information that a column reveals about a quasi-identifier, by the same test as in the guard
/// of a run, so that both name the same columns.
fn told(scene: &Scene, column: &Grouped, (place, quasi): (usize, &Grouped)) -> Option<Told> {
    let name = scene.name(place);
    let leak = column.gives_away(quasi);
    let reason = match leak {
        Some(Leaked { restored, share }) => {
            let records = column.n_compared(quasi);
            Reason::GivesAway { quasi: name, restored, share, records }.to_string()
        }
        None if column.narrows(quasi) => {
            format!("it tells {} of '{name}'", percent(column.informs(quasi)))
        }
        None => return None,
    };
    Some(Told { reason, is_strong: leak.is_some(), n_out: 1 })
}

/// Sets of kept columns that reveal a quasi-identifier although none of them does alone.
fn together(scene: &Scene, kept: &[&(usize, Grouped)], quasi: &(usize, Grouped)) -> Vec<Leak> {
    let names: Vec<String> = kept.iter().map(|(place, _)| scene.name(*place)).collect();
    let members: Vec<Member<'_>> = (kept.iter().zip(&names))
        .map(|((_, grouped), name)| Member { name, grouped, is_open: true })
        .collect();
    let name = scene.name(quasi.0);
    let target = Member { name: &name, grouped: &quasi.1, is_open: false };
    let place_of = |name: &String| names.iter().position(|own| own == name).map(|at| kept[at].0);
    let found = give_away(&members, std::slice::from_ref(&target)).into_iter();
    let leak = |set: crate::guard::Together| {
        let all = set.columns.iter().chain(&set.others);
        let places: Vec<usize> = all.filter_map(place_of).collect();
        let reason = set.reason(set.columns.first()?).to_string();
        let told = Told { reason, is_strong: true, n_out: set.columns.len() };
        Some(Leak::new(scene, places, quasi.0, told))
    };
    found.filter_map(leak).collect()
}

/// Cohorts of a sample of records, spread over the original. If people are known, it has one record
/// of each, because the records of one person agree in most columns.
fn drawn(scene: &Scene) -> Vec<Cohort> {
    let cohorts = scene.original().cohorts();
    let people = scene.original().people();
    let mut is_seen: HashSet<Code> = HashSet::new();
    let counted = cohorts.counted().filter_map(|(cohort, count)| match &people {
        None => Some((cohort, count)),
        Some(people) => is_seen.insert(people[cohort.index()]).then_some((cohort, 1)),
    });
    let counted: Vec<(Cohort, u64)> = counted.collect();
    let n_records: u64 = counted.iter().map(|(_, count)| count).sum();
    let step = n_records.div_ceil(SAMPLE).max(1);
    let (mut drawn, mut n_before) = (Vec::new(), 0);
    for (cohort, count) in counted {
        // Every `step`-th record is drawn: the number of multiples of `step` that the cohort
        // contains.
        let n_drawn = (n_before + count).div_ceil(step) - u64::div_ceil(n_before, step);
        drawn.extend(std::iter::repeat_n(cohort, n_drawn as usize));
        n_before += count;
    }
    drawn
}

/// The values of a column in some records.
fn series(scene: &Scene, drawn: &[Cohort], place: usize) -> Series {
    let cohorts = scene.original().cohorts();
    let domain = &scene.column(place).domain;
    let code = |&cohort: &Cohort| {
        let code = cohorts.tuple(cohort)[place];
        (Some(code) != domain.missing_code()).then(|| code.get())
    };
    Series::new(drawn.iter().map(code).collect(), &domain.values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::{Attack, Dependency, Given};
    use crate::progress::Silent;
    use crate::table::{Columns, Encoding, Table};

    /// The year and the age at a marriage reveal the year of birth, which neither does alone.
    #[test]
    fn two_kept_columns_undo_a_generalization_together() {
        let columns = Columns::quasi(&["born"]).and_beside(&["year", "age"]);
        let row = |i: usize, is_shown: bool| {
            let (born, age) = (40 + i * 7 % 20, 14 + i / 20 % 12);
            let shown = if is_shown { "[40, 59]".to_owned() } else { born.to_string() };
            [shown, (born + age).to_string(), age.to_string()]
        };
        let rows = |is_shown| (0..960).map(|i| row(i, is_shown)).collect::<Vec<_>>();
        let table = |is_shown| Table::encode(&columns, &rows(is_shown), &Encoding::default());
        let given = Given::new(table(false).unwrap(), table(true).unwrap());
        let tried = Dependency.run(&Scene::new(given).unwrap(), &Silent).unwrap();
        let attempt = tried[0].as_ref().unwrap();
        assert!(attempt.tried.contains("together with"), "{}", attempt.tried);
        // Of 960 candidates, the 48 with the right difference are left.
        assert!((attempt.success - 1.0 / 48.0).abs() < 1e-9, "{}", attempt.success);
        let remedy = attempt.prevention[0].to_string();
        assert!(remedy.starts_with("leave out 'year'") || remedy.starts_with("leave out 'age'"));
        assert!(remedy.ends_with("or name it as a quasi-identifier"), "{remedy}");
    }
}
