//! Classes in a tree of boxes, to find those nearby without looking at all.

use super::class::Class;
use super::space::{Space, Span};

/// How many cohorts share a box that is not divided further.
const BOX_SIZE: usize = 8;

/// How many members are asked when a box is divided.
const SAMPLE: usize = 64;

const NONE: u32 = u32::MAX;

/// A box of cohorts.
struct Box {
    start: u32,
    end: u32,
    /// Where its second half is; the first half is the next box. 0 for a box that is not divided.
    second: u32,
    parent: u32,
    /// How many classes have their home in it.
    n_homes: u32,
    /// The most that any of them has cost.
    most_cost: f64,
}

/// All cohorts in nested boxes, and the classes that have their home there.
///
/// The home of a class is one of its cohorts. So a class costs at least what it would cost with
/// the cohorts of a box that is nearest, and a box that is too far need not be opened.
pub(super) struct Index {
    boxes: Vec<Box>,
    /// The spans of each box.
    spans: Vec<Span>,
    /// The cohorts, box by box.
    cohorts: Vec<u32>,
    /// The smallest box of each cohort.
    box_of: Vec<u32>,
    /// The first class whose home is a cohort.
    first_class: Vec<u32>,
    /// The next class with the same home.
    next_class: Vec<u32>,
    /// The home of each class.
    homes: Vec<u32>,
}

/// What a search is after.
pub(super) trait Aim {
    /// Whether a class is wanted that costs at least so much together with what is searched for,
    /// and at most so much by itself.
    fn wants(&self, least_cost: f64, most_cost: f64) -> bool;

    /// Looks at a class.
    fn meet(&mut self, number: u32);
}

impl Index {
    /// An index of all cohorts in which no class has its home yet.
    pub(super) fn new(space: &Space<'_>) -> Self {
        let n_cohorts = space.n_cohorts();
        let mut index = Self {
            boxes: Vec::new(),
            spans: Vec::new(),
            cohorts: (0..n_cohorts as u32).collect(),
            box_of: vec![0; n_cohorts],
            first_class: vec![NONE; n_cohorts],
            next_class: Vec::new(),
            homes: Vec::new(),
        };
        index.divide(space);
        index
    }

    fn divide(&mut self, space: &Space<'_>) {
        let mut open = vec![(0, self.cohorts.len(), NONE)];
        while let Some((start, end, parent)) = open.pop() {
            let number = self.boxes.len() as u32;
            if parent != NONE && parent + 1 != number {
                self.boxes[parent as usize].second = number;
            }
            let (first, last) = (start as u32, end as u32);
            self.boxes.push(Box {
                start: first,
                end: last,
                second: 0,
                parent,
                n_homes: 0,
                most_cost: 0.0,
            });
            let members = &mut self.cohorts[start..end];
            self.spans.extend(spans_of(space, members));
            match cut(space, members).filter(|_| end - start > BOX_SIZE) {
                Some(middle) => {
                    open.push((start + middle, end, number));
                    open.push((start, start + middle, number));
                }
                None => members.iter().for_each(|&c| self.box_of[c as usize] = number),
            }
        }
    }

    /// Notes what a class has become: its home, if it has members, and its cost.
    pub(super) fn note(&mut self, number: u32, class: &Class) {
        if self.homes.len() <= number as usize {
            self.homes.resize(number as usize + 1, NONE);
            self.next_class.resize(number as usize + 1, NONE);
        }
        let old = self.homes[number as usize];
        if old != NONE && class.members.iter().any(|member| member.0 == old) {
            self.note_cost(old, class.cost);
            return;
        }
        if old != NONE {
            let next = std::mem::replace(&mut self.next_class[number as usize], NONE);
            let mut at = self.first_class[old as usize];
            if at == number {
                self.first_class[old as usize] = next;
            } else {
                while self.next_class[at as usize] != number {
                    at = self.next_class[at as usize];
                }
                self.next_class[at as usize] = next;
            }
            self.count(old, |n_homes| n_homes - 1);
        }
        let home = class.members.first().map_or(NONE, |member| member.0);
        self.homes[number as usize] = home;
        if home != NONE {
            let first = std::mem::replace(&mut self.first_class[home as usize], number);
            self.next_class[number as usize] = first;
            self.count(home, |n_homes| n_homes + 1);
            self.note_cost(home, class.cost);
        }
    }

    fn note_cost(&mut self, home: u32, cost: f64) {
        let mut number = self.box_of[home as usize];
        while number != NONE && self.boxes[number as usize].most_cost < cost {
            self.boxes[number as usize].most_cost = cost;
            number = self.boxes[number as usize].parent;
        }
    }

    fn count(&mut self, home: u32, change: impl Fn(u32) -> u32) {
        let mut number = self.box_of[home as usize];
        while number != NONE {
            let found = &mut self.boxes[number as usize];
            found.n_homes = change(found.n_homes);
            number = found.parent;
        }
    }

    /// Shows all classes near some spans that are wanted, the nearer boxes first.
    pub(super) fn search(&self, space: &Space<'_>, spans: &[Span], aim: &mut impl Aim) {
        let bound = |number: u32| {
            let of_box = &self.spans[number as usize * space.width()..][..space.width()];
            (space.least_cost(spans, of_box), number)
        };
        let mut open = vec![(0.0, 0)];
        while let Some((least_cost, number)) = open.pop() {
            let Box { start, end, second, n_homes, most_cost, .. } = self.boxes[number as usize];
            if n_homes == 0 || !aim.wants(least_cost, most_cost) {
                continue;
            }
            if second > 0 {
                let (first, second) = (bound(number + 1), bound(second));
                let first_is_nearer = first.0 <= second.0;
                open.extend(if first_is_nearer { [second, first] } else { [first, second] });
                continue;
            }
            for &cohort in &self.cohorts[start as usize..end as usize] {
                let mut class = self.first_class[cohort as usize];
                while class != NONE {
                    aim.meet(class);
                    class = self.next_class[class as usize];
                }
            }
        }
    }
}

/// What some cohorts span; everything where a missing value matches anything.
fn spans_of(space: &Space<'_>, cohorts: &[u32]) -> impl Iterator<Item = Span> {
    let nothing = space.nothing();
    let mut spans = nothing.clone();
    let mut matches_anything = vec![false; nothing.len()];
    for &cohort in cohorts {
        let of_cohort = space.of(cohort);
        space.widen(&mut spans, of_cohort);
        for (flag, (span, nothing)) in
            matches_anything.iter_mut().zip(of_cohort.iter().zip(&nothing))
        {
            *flag |= span == nothing;
        }
    }
    let everything: Vec<Span> = (0..space.width()).map(|a| space.everything(a)).collect();
    let spans = spans.into_iter().zip(everything).zip(matches_anything);
    spans.map(|((span, everything), is_any)| if is_any { everything } else { span })
}

/// Divides cohorts in two, where the attribute changes in which they are furthest from their
/// median, and says where the second part begins; nothing if all are alike.
fn cut(space: &Space<'_>, cohorts: &mut [u32]) -> Option<usize> {
    let middle = cohorts.len() / 2;
    let step = cohorts.len().div_ceil(SAMPLE);
    let position =
        |attribute: usize, cohort: u32| space.position(attribute, space.of(cohort)[attribute]);
    let mut widest = (0.0, 0);
    let mut sample: Vec<u32> = cohorts.iter().copied().step_by(step).collect();
    for attribute in 0..space.width() {
        let n = sample.len() / 2;
        let (_, &mut median, _) =
            sample.select_nth_unstable_by_key(n, |&c| (position(attribute, c), c));
        let centre = space.of(median)[attribute];
        let cost = |&c: &u32| {
            space.cost_of(attribute, space.join(attribute, centre, space.of(c)[attribute]))
        };
        let costs: f64 = sample.iter().map(cost).sum();
        if costs > widest.0 {
            widest = (costs, attribute);
        }
    }
    let attribute = widest.1;
    cohorts.select_nth_unstable_by_key(middle, |&c| (position(attribute, c), c));
    let at_middle = position(attribute, cohorts[middle]);
    // Leaves stay together: cut before or after those of the median, whichever is nearer.
    cohorts.sort_unstable_by_key(|&c| {
        let p = position(attribute, c);
        (p.cmp(&at_middle), c)
    });
    let before = cohorts.partition_point(|&c| position(attribute, c) < at_middle);
    let after = cohorts.partition_point(|&c| position(attribute, c) <= at_middle);
    match (before, after) {
        (0, after) if after == cohorts.len() => None,
        (0, after) => Some(after),
        (before, after) if after == cohorts.len() => Some(before),
        (before, after) => Some(if middle - before <= after - middle { before } else { after }),
    }
}
