//! Rebuilding: dissolves neighbouring classes and forms new ones from their records.

use super::Hedge;
use super::best::Best;
use super::class::Class;
use super::pool::Pool;
use super::site::{Plan, Site};
use crate::Result;
use crate::progress::Progress;
use crate::proposal;
use crate::random::Random;

/// Numbers of classes that are dissolved together with a class, one sweep after another.
const SIZES: [usize; 4] = [3, 5, 4, 8];

/// Minimum gain of a rebuild, so that rounding errors do not count as a gain.
const LEAST_GAIN: f64 = 1e-9;

/// Number of sweeps without a gain after which nothing more is expected, although there is time.
const PATIENCE: usize = 40;

/// The number of sweeps, and the reason that there were no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Swept {
    pub(super) n_sweeps: usize,
    pub(super) end: End,
}

/// The reason that sweeps ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// All sweeps that were asked for are done, or nothing is lost any more.
    Done,
    /// This many sweeps gained nothing.
    NoGain(usize),
    /// The time limit was reached.
    Time,
}

/// Rebuilds every class that has a cost together with its nearest classes, in several sweeps.
/// `best` considers the classes after 1, 2, 4 and so on sweeps, and those of a search that ends by
/// itself.
pub(super) fn rebuild(
    site: &mut Site<'_>,
    hedge: Hedge,
    progress: &dyn Progress,
    best: &mut Best<'_>,
) -> Result<Swept> {
    let (mut n_sweeps, mut n_failed) = (0, 0);
    while n_sweeps < hedge.sweeps as usize || progress.goes_on() && hedge.sweeps > 0 {
        let before = site.loss();
        if before <= 0.0 {
            break;
        }
        if n_failed == PATIENCE {
            best.consider(site)?;
            return Ok(Swept { n_sweeps, end: End::NoGain(PATIENCE) });
        }
        site.touch_all();
        if !site.improve(|site, class| plan(site, class, n_sweeps), progress)? {
            return Ok(Swept { n_sweeps, end: End::Time });
        }
        n_failed = if site.loss() < before - LEAST_GAIN { 0 } else { n_failed + 1 };
        n_sweeps += 1;
        // Mending can take as long as many sweeps, so states are considered after 1, 2, 4, ...
        // sweeps.
        if n_sweeps.is_power_of_two() {
            best.consider(site)?;
        }
    }
    best.consider(site)?;
    Ok(Swept { n_sweeps, end: End::Done })
}

/// Forms new classes from a class and its nearest ones. Returns `None` if that gains nothing.
fn plan(site: &Site<'_>, number: proposal::Class, sweep: usize) -> Option<Plan> {
    let class = site.class(number);
    if class.cost <= 0.0 {
        return None;
    }
    let room = Pool::MOST.checked_sub(class.members.len())?;
    let seen = site.nearest(number, SIZES[sweep % SIZES.len()], room);
    let taken: Vec<&Class> = seen.iter().map(|&class| site.class(class)).collect();
    // The first sweeps divide by what records pay, later ones by chance.
    let cycle = (sweep / SIZES.len()) as u64;
    let noise = (cycle > 0).then(|| Random::new(cycle << 32 | u64::from(number.get())));
    let mut new = Pool::new(site.space, &taken)?.divide(noise)?;
    let before: f64 = taken.iter().map(|class| class.loss()).sum();
    let after: f64 = new.iter().map(Class::loss).sum();
    if after >= before - LEAST_GAIN {
        return None;
    }
    let added = new.split_off(new.len().min(seen.len()));
    new.resize_with(seen.len(), || Class::empty(site.space));
    Some(Plan { seen, changed: new.into_iter().enumerate().collect(), added })
}
