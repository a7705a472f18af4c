//! `/api/runs`: queues, cancels and chooses runs.

use hedgerow::compare::{Grid, Ks, Setting};
use hedgerow::method::Spec;
use hedgerow::registry::Registry;
use serde::{Deserialize, Serialize};

use super::{Answer, Call, answer, state};
use crate::fault::{Done, Fault};
use crate::session::{Brief, Frozen, New, RunState, SpecChange, brief, check_spec, spec_of};
use crate::studio::Studio;

/// Name of the hierarchies of a job in the list of runs.
const CHOSEN: &str = "chosen";

/// Maximum number of runs of a sweep.
const MOST_CELLS: usize = 400;

#[derive(Serialize)]
struct Runs {
    runs: Vec<Brief>,
}

#[derive(Serialize)]
struct Started {
    runs: Vec<Brief>,
    sweep: Option<u64>,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum RunRequest {
    Single {
        #[serde(default)]
        method: Option<SpecChange>,
        #[serde(default)]
        k: Option<u64>,
    },
    /// The release of a run of which only figures are known.
    Again { run: u64 },
    Sweep {
        ks: Vec<u64>,
        methods: Vec<String>,
        #[serde(default)]
        hierarchies: Vec<String>,
    },
}

pub(super) fn all(studio: &Studio, _: &Call) -> Done<Answer> {
    let session = studio.session();
    answer(&Runs { runs: session.runs.iter().map(|run| brief(run, &session)).collect() })
}

pub(super) fn start(studio: &Studio, call: &Call) -> Done<Answer> {
    let (ids, sweep) = match call.json()? {
        RunRequest::Single { method, k } => (vec![single(studio, method, k)?], None),
        RunRequest::Again { run } => (vec![again(studio, run)?], None),
        RunRequest::Sweep { ks, methods, hierarchies } => {
            let (ids, sweep) = self::sweep(studio, &ks, &methods, &hierarchies)?;
            (ids, Some(sweep))
        }
    };
    let session = studio.session();
    let is_new = |run: &&crate::session::Run| ids.contains(&run.id);
    let runs = session.runs.iter().filter(is_new).map(|run| brief(run, &session)).collect();
    answer(&Started { runs, sweep })
}

fn single(studio: &Studio, method: Option<SpecChange>, k: Option<u64>) -> Done<u64> {
    let (mut told, base, texts) = {
        let session = studio.session();
        session.table()?;
        (session.job.clone(), session.base.clone(), session.texts.clone())
    };
    if let Some(method) = method {
        told.method = spec_of(&method)?;
        Registry::Anonymizer.describe(&told.method.name)?.check(&told.method)?;
        check_spec(Registry::Anonymizer, &told.method, &base, &studio.folder)?;
    }
    told.k = at_least_one(k.unwrap_or(told.k))?;
    let frozen = Frozen::new(&told.clone().in_folder(&base), &texts, &studio.folder)?;
    let new = New { frozen, told, texts, hierarchies: CHOSEN.to_owned(), sweep: None };
    Ok(studio.change(&["runs"], |session| studio.queue.single(session, new)))
}

/// Queues the release of a run that is done: the same job with the hierarchies of that run.
fn again(studio: &Studio, id: u64) -> Done<u64> {
    studio.change(&["runs"], |session| {
        let run = session.run(id)?;
        let Some(figures) = &run.figures else {
            return Err(Fault::conflict("this run is not done").advise("choose one that is done"));
        };
        let mut new = run.again();
        let job = &mut new.frozen.job;
        // A method of the setting that does not fit a column left the choice to the run, as it does
        // again.
        let ways: Vec<Spec> =
            run.hierarchies.split('+').filter_map(|way| way.parse().ok()).collect();
        for (column, used) in &figures.used {
            let used: Option<Spec> = used.parse().ok();
            let is_named = |used: &Spec| ways.iter().any(|way| way.name == used.name);
            if let Some(used) = used.filter(|used| run.hierarchies != CHOSEN && is_named(used)) {
                job.hierarchy.entry(column.clone()).or_insert(used);
            }
        }
        Ok(studio.queue.single(session, new))
    })
}

fn at_least_one(k: u64) -> Done<u64> {
    if k == 0 {
        return Err(Fault::input("k is 0; it must be at least 1, and only 2 or more protects"));
    }
    Ok(k)
}

fn sweep(
    studio: &Studio,
    ks: &[u64],
    methods: &[String],
    hierarchies: &[String],
) -> Done<(Vec<u64>, u64)> {
    if ks.is_empty() || methods.is_empty() {
        return Err(Fault::request("a sweep needs at least one k and one method"));
    }
    let (base, told, folder, texts) = {
        let session = studio.session();
        session.table()?;
        let (told, folder) = (session.job.clone(), session.base.clone());
        (session.absolute_job(), told, folder, session.texts.clone())
    };
    for &k in ks {
        at_least_one(k)?;
    }
    let listed: Vec<String> = ks.iter().map(ToString::to_string).collect();
    let k: Ks = listed.join(",").parse()?;
    let methods: Vec<Spec> =
        methods.iter().map(|text| text.parse()).collect::<hedgerow::Result<_>>()?;
    for spec in &methods {
        Registry::Anonymizer.describe(&spec.name)?.check(spec)?;
        check_spec(Registry::Anonymizer, spec, &folder, &studio.folder)?;
    }
    let usual = [CHOSEN.to_owned()];
    let settings = if hierarchies.is_empty() { &usual[..] } else { hierarchies };
    if ks.len() * methods.len() * settings.len() > MOST_CELLS {
        return Err(Fault::input(format!("a sweep can have at most {MOST_CELLS} runs")));
    }
    let mut grids = Vec::new();
    for setting in settings {
        let mut base = base.clone();
        let mut hierarchies = None;
        if setting != CHOSEN {
            let spec: Spec = setting.parse()?;
            check_spec(Registry::Hierarchy, &spec, &folder, &studio.folder)?;
            if setting.contains('=') || setting.contains('/') {
                return Err(Fault::input("files cannot be named here").advise("open them first"));
            }
            base.hierarchy.clear();
            base.edits.clear();
            hierarchies = Some(vec![setting.parse::<Setting>()?]);
        }
        let frozen = Frozen::new(&base, &texts, &studio.folder)?;
        let mut grid =
            Grid { k: k.clone(), methods: methods.clone(), ..Grid::new(frozen.job.clone()) };
        grid.hierarchies = hierarchies.unwrap_or(grid.hierarchies);
        let (told, texts, hierarchies) = (told.clone(), texts.clone(), setting.clone());
        grids.push((grid, New { frozen, told, texts, hierarchies, sweep: None }));
    }
    studio.change(&["runs"], |session| {
        session.n_sweeps += 1;
        let sweep = Some(session.n_sweeps);
        let mut ids = Vec::new();
        for (grid, new) in grids {
            ids.extend(studio.queue.sweep(session, grid, &New { sweep, ..new })?);
        }
        Ok((ids, session.n_sweeps))
    })
}

/// Cancels a run that has not ended, and removes one that has.
pub(super) fn cancel(studio: &Studio, call: &Call) -> Done<Answer> {
    let id = call.number("run")?;
    studio.session().run(id)?;
    studio.change(&["runs"], |session| {
        let Some(place) = session.runs.iter().position(|run| run.id == id) else { return };
        match session.runs[place].state {
            RunState::Running => session.runs[place].cancel(),
            RunState::Queued => {
                session.runs[place].cancel();
                session.runs[place].state = RunState::Cancelled;
            }
            _ => {
                session.runs.remove(place);
            }
        }
    });
    all(studio, call)
}

/// Makes a run the one for report and export.
pub(super) fn choose(studio: &Studio, call: &Call) -> Done<Answer> {
    let id = call.number("run")?;
    // A run of a sweep has figures, but no release that a report could be about.
    if studio.session().run(id)?.detail.is_none() {
        return Err(Fault::conflict("this run has no release").advise("make its release first"));
    }
    studio.change(&["runs"], |session| session.chosen_run = Some(id));
    state::answered(studio)
}
