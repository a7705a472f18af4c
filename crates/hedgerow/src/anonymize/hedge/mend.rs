//! Mending: improves each class together with its nearest classes by moving records.

use std::borrow::Cow;

use super::Hedge;
use super::class::{Class, Rests};
use super::site::{Plan, Site};
use crate::Result;
use crate::box_tree::Space;
use crate::progress::Progress;
use crate::proposal;

/// Minimum gain of a move, so that rounding errors do not count as a gain.
const LEAST_GAIN: f64 = 1e-9;

/// Maximum number of members of a class that is mended, and of all classes near it together.
const MOST_MEMBERS: usize = 256;

/// Improves every class that has a cost together with its nearest classes, and again those that
/// changed, as long as there is time. Returns whether the time sufficed.
pub(super) fn mend(site: &mut Site<'_>, hedge: Hedge, progress: &dyn Progress) -> Result<bool> {
    for _ in 0..hedge.rounds {
        if !site.has_changed() {
            break;
        }
        if !site.improve(|site, class| plan(site, class, hedge.near as usize), progress)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Improves a class together with its nearest classes. Returns `None` if nothing changes.
fn plan(site: &Site<'_>, number: proposal::Class, n_near: usize) -> Option<Plan> {
    let class = site.class(number);
    // A class without cost or with a single member cannot be improved.
    if class.cost <= 0.0 || !(2..=MOST_MEMBERS).contains(&class.members.len()) {
        return None;
    }
    // The work is quadratic in the members, so these are limited.
    let seen = site.nearest(number, n_near, MOST_MEMBERS);
    let near: Vec<Cow<'_, Class>> = seen.iter().map(|&c| Cow::Borrowed(site.class(c))).collect();
    let rests = near.iter().map(|class| class.rests(site.space)).collect();
    let mut place = Place { space: site.space, near, rests, added: Vec::new() };
    place.improve();
    let Place { near, added, .. } = place;
    let changed: Vec<(usize, Class)> = near
        .into_iter()
        .enumerate()
        .filter_map(|(place, class)| match class {
            Cow::Owned(class) => Some((place, class)),
            Cow::Borrowed(_) => None,
        })
        .collect();
    (!changed.is_empty()).then_some(Plan { seen, changed, added })
}

/// A class, which comes first, and the classes near it.
struct Place<'a> {
    space: &'a Space<'a>,
    /// The classes; owned if they have changed.
    near: Vec<Cow<'a, Class>>,
    /// For each class, its rests without one of its members.
    rests: Vec<Rests>,
    /// New classes.
    added: Vec<Class>,
}

/// A move of records from the first class to another, possibly with other records in return.
#[derive(Debug, Clone, Copy)]
struct Move {
    growth: f64,
    /// The place of the receiving class.
    to: usize,
    count: u64,
    /// The records that come back: the place of a class, one of its members, and the number of
    /// records.
    back: Option<(usize, usize, u64)>,
}

impl Place<'_> {
    /// Moves records while that lowers the loss.
    fn improve(&mut self) {
        let mut member = 0;
        while member < self.class(0).members.len() && self.class(0).cost > 0.0 {
            if !self.move_out(member) && !self.open(member) {
                member += 1;
            }
        }
        self.dissolve();
    }

    fn class(&self, place: usize) -> &Class {
        &self.near[place]
    }

    /// Iterates over the non-empty classes near the first one, with their places.
    fn others(&self) -> impl Iterator<Item = (usize, &Class)> {
        (1..self.near.len()).map(|place| (place, self.class(place))).filter(|(_, c)| !c.is_empty())
    }

    fn set(&mut self, place: usize, class: Class) {
        self.rests[place] = class.rests(self.space);
        self.near[place] = Cow::Owned(class);
    }

    /// Moves a member to another class. If the first class becomes too small, it gets other records
    /// in return. Returns whether a move was made.
    fn move_out(&mut self, member: usize) -> bool {
        let moves = [self.best_transfer(member), self.best_swap(member), self.best_shift(member)];
        let best = moves.into_iter().flatten().min_by(|a, b| a.growth.total_cmp(&b.growth));
        let Some(found) = best else { return false };
        let mut class = self.class(0).clone();
        let cohort = class.members[member].0;
        class.remove(self.space, member, found.count);
        if let Some((from, place, n_back)) = found.back {
            let mut giver = self.class(from).clone();
            class.add(self.space, giver.members[place].0, n_back);
            giver.remove(self.space, place, n_back);
            self.set(from, giver);
        }
        let mut other = self.class(found.to).clone();
        other.add(self.space, cohort, found.count);
        self.set(0, class);
        self.set(found.to, other);
        true
    }

    /// Returns the best move of a member, or of the records of it that can be spared, to another
    /// class.
    fn best_transfer(&self, member: usize) -> Option<Move> {
        let class = self.class(0);
        let (cohort, n_here) = class.members[member];
        let count = n_here.min(self.space.spare(class.size));
        if count == 0 {
            return None;
        }
        // The spans shrink only if the whole member moves.
        let cost = if count == n_here { self.rests[0].cost(member) } else { class.cost };
        let saved = class.loss() - (class.size - count) as f64 * cost;
        let moves = self.others().map(|(to, other)| {
            let growth = other.growth(self.space, self.space.of(cohort), count) - saved;
            Move { growth, to, count, back: None }
        });
        let best = moves.min_by(|a, b| a.growth.total_cmp(&b.growth));
        best.filter(|best| best.growth < -LEAST_GAIN)
    }

    /// Returns the best exchange of a member for records of a member of another class.
    fn best_swap(&self, member: usize) -> Option<Move> {
        let class = self.class(0);
        if self.space.need(class.size - class.members[member].1) == 0 {
            return None;
        }
        self.others().fold(None, |best, (to, _)| self.better_swap(member, to, best))
    }

    /// Returns the best exchange of a member for records of a member of the class at `to`, or
    /// `best` if none is better.
    fn better_swap(&self, member: usize, to: usize, mut best: Option<Move>) -> Option<Move> {
        let (space, class, other) = (self.space, self.class(0), self.class(to));
        let (cohort, count) = class.members[member];
        let (rest, rest_cost) = (self.rests[0].spans(member), self.rests[0].cost(member));
        let n_rest = class.size - count;
        let need = space.need(n_rest);
        let before = class.loss() + other.loss();
        // The other class must keep enough records after it received the member.
        let most = space.spare(other.size + count);
        for (place, &(back, n_there)) in other.members.iter().enumerate() {
            let most_back = most.min(n_there);
            if most_back < need || back == cohort {
                continue;
            }
            // The loss is linear in the number of records between these two extremes.
            for n_back in [need, most_back] {
                let (n_here, n_other) = (n_rest + n_back, other.size + count - n_back);
                let leaves = n_back == n_there;
                let other_cost = if leaves { self.rests[to].cost(place) } else { other.cost };
                let growth =
                    |here: f64, there: f64| n_here as f64 * here + n_other as f64 * there - before;
                // Costs only grow as spans widen, so the two cheaper terms give lower bounds that
                // avoid most of the span computations.
                let least = best.map_or(-LEAST_GAIN, |best| best.growth);
                if growth(rest_cost, other_cost) >= least {
                    continue;
                }
                let here = space.cost_together(rest, space.of(back));
                if growth(here, other_cost) >= least {
                    continue;
                }
                let others = if leaves { self.rests[to].spans(place) } else { &other.spans };
                let growth = growth(here, space.cost_together(others, space.of(cohort)));
                if growth < least {
                    best = Some(Move { growth, to, count, back: Some((to, place, n_back)) });
                }
            }
        }
        best
    }

    /// Returns the best move of a member to one class while another class that can spare records
    /// makes up for it.
    fn best_shift(&self, member: usize) -> Option<Move> {
        let space = self.space;
        let class = self.class(0);
        let (cohort, count) = class.members[member];
        let n_rest = class.size - count;
        let need = space.need(n_rest);
        if need == 0 || n_rest == 0 {
            return None;
        }
        // First the best giver, then the best receiver: trying all pairs would be too slow.
        let mut best: Option<(f64, usize, usize)> = None;
        for (from, giver) in self.others().filter(|(_, giver)| space.spare(giver.size) >= need) {
            for (place, &(back, n_there)) in giver.members.iter().enumerate() {
                if n_there < need || back == cohort {
                    continue;
                }
                let left = if n_there == need { self.rests[from].cost(place) } else { giver.cost };
                let here = space.cost_together(self.rests[0].spans(member), space.of(back));
                let growth = (n_rest + need) as f64 * here - class.loss()
                    + (giver.size - need) as f64 * left
                    - giver.loss();
                if best.is_none_or(|best| growth < best.0) {
                    best = Some((growth, from, place));
                }
            }
        }
        let (growth, from, place) = best.filter(|best| best.0 < -LEAST_GAIN)?;
        let moves = self.others().filter(|other| other.0 != from).map(|(to, other)| {
            let growth = growth + other.growth(space, space.of(cohort), count);
            Move { growth, to, count, back: Some((from, place, need)) }
        });
        let best = moves.min_by(|a, b| a.growth.total_cmp(&b.growth));
        best.filter(|best| best.growth < -LEAST_GAIN)
    }

    /// Opens a new class around a member, of records that can be spared. Returns whether it was
    /// opened.
    fn open(&mut self, member: usize) -> bool {
        let space = self.space;
        let cohort = self.class(0).members[member].0;
        let sizes = self.near.iter().map(|class| class.size);
        let mut spare: Vec<u64> = sizes.map(|size| space.spare(size)).collect();
        if spare[0] == 0 || spare.iter().sum::<u64>() < space.need(0) {
            return false;
        }
        let givers = || (0..self.near.len()).filter(|&place| spare[place] > 0);
        let most_cost = givers().map(|place| self.class(place).cost).fold(0.0, f64::max);
        // A record gains only if the new class costs less than its old one.
        let mut offers: Vec<(f64, usize, usize)> = Vec::new();
        for place in givers() {
            for (member, &(other, _)) in self.class(place).members.iter().enumerate() {
                let cost = space.cost_together(space.of(cohort), space.of(other));
                if cost < most_cost {
                    offers.push((cost, place, member));
                }
            }
        }
        offers
            .sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
        let mut new = Class::empty(space);
        let mut given = Vec::new();
        for (_, place, member) in offers {
            let (cohort, count) = self.class(place).members[member];
            let count = count.min(spare[place]).min(space.need(new.size));
            // The cost never falls again, so the class cannot pay any more.
            if new.cost >= most_cost {
                return false;
            }
            if count > 0 {
                spare[place] -= count;
                new.add(space, cohort, count);
                given.push((place, member, count));
            }
        }
        self.accept(new, given)
    }

    /// Moves the given records to the new class if that lowers the total loss. Returns whether it
    /// did.
    fn accept(&mut self, new: Class, mut given: Vec<(usize, usize, u64)>) -> bool {
        // Descending order, so that removing a member does not shift the places of those still to
        // come.
        given.sort_unstable_by(|a, b| b.cmp(a));
        let mut growth = new.loss();
        let mut changed: Vec<(usize, Class)> = Vec::new();
        for of_class in given.chunk_by(|a, b| a.0 == b.0) {
            let place = of_class[0].0;
            let mut class = self.class(place).clone();
            growth -= class.loss();
            of_class.iter().for_each(|&(_, member, count)| class.remove(self.space, member, count));
            growth += class.loss();
            changed.push((place, class));
        }
        if self.space.need(new.size) > 0 || growth >= -LEAST_GAIN {
            return false;
        }
        changed.into_iter().for_each(|(place, class)| self.set(place, class));
        self.added.push(new);
        true
    }

    /// Distributes all members of the first class among the others, if that lowers the loss.
    fn dissolve(&mut self) -> bool {
        let space = self.space;
        // The budget is the loss of the class; distributing its members must cost less.
        let mut left = self.class(0).loss() - LEAST_GAIN;
        let mut changed: Vec<(usize, Class)> = Vec::new();
        for &(cohort, count) in &self.class(0).members {
            let growths = self.others().map(|(place, class)| {
                // The latest version of a class that has already received a member.
                let class = changed.iter().rev().find(|c| c.0 == place).map_or(class, |c| &c.1);
                (class.growth(space, space.of(cohort), count), place, class)
            });
            let Some((growth, place, class)) = growths.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                return false;
            };
            left -= growth;
            if left <= 0.0 {
                return false;
            }
            let mut class = class.clone();
            class.add(space, cohort, count);
            changed.push((place, class));
        }
        if changed.is_empty() {
            return false;
        }
        changed.into_iter().for_each(|(place, class)| self.set(place, class));
        self.set(0, Class::empty(space));
        true
    }
}
