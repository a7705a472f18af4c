//! Ways to assign the values of a class to its people, who are divided into parts.

use super::single::Single;

/// Joint probabilities that take more additions are bounded instead of computed.
const MOST_WORK: f64 = 5e6;

/// Events with a smaller probability are treated as impossible, because the weights of some of
/// their ways may be too small for a number.
const LEAST: f64 = 1e-250;

/// A value of a class.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    /// Number of people of the class who have it.
    pub(super) count: u64,
    /// Whether at most a share of `1 / l` of each part may have it.
    pub(super) is_limited: bool,
}

/// A class that could have been divided into parts, in which at most a share of `1 / l` may have a
/// limited value.
#[derive(Debug)]
pub(super) struct Division {
    sizes: Vec<u64>,
    l: u64,
}

impl Division {
    pub(super) fn new(sizes: Vec<u64>, l: u64) -> Self {
        Self { sizes, l }
    }

    /// Number of people of all parts.
    pub(super) fn n_people(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// For each value and part, the probability that one of the people of the part has the value,
    /// given that some part has a limited value too often. Empty if that is impossible.
    ///
    /// The counts of the values add up to the people of all parts. All assignments are equally
    /// likely a priori. If too many are possible, probabilities are lower bounds.
    pub(super) fn posteriors(&self, values: &[Value]) -> Vec<Vec<f64>> {
        if self.work(values) <= MOST_WORK { self.joint(values) } else { self.bounds(values) }
    }

    /// The joint probabilities.
    fn joint(&self, values: &[Value]) -> Vec<Vec<f64>> {
        let (p_violation, violating) = Fills::new(self, values).violation();
        self.shares(violating, p_violation)
    }

    /// The expected numbers of people of the parts in a violation as shares of the parts; empty if
    /// a violation is impossible.
    fn shares(&self, violating: Vec<Vec<f64>>, p_violation: f64) -> Vec<Vec<f64>> {
        if p_violation < LEAST {
            return Vec::new();
        }
        let of_value = |violating: Vec<f64>| -> Vec<f64> {
            let of_part = violating.iter().zip(&self.sizes);
            // E[X | violation] = E[X; violation] / P(violation), per person of the part.
            of_part.map(|(n, &size)| rounded(n / p_violation / size as f64)).collect()
        };
        violating.into_iter().map(of_value).collect()
    }

    /// Lower bounds of the joint probabilities.
    ///
    /// If no part has any value too often, none has this one too often, so the people of a part who
    /// have it in a violation are at least those in a violation by this value alone. And a
    /// violation is at most as likely as those by single values together.
    fn bounds(&self, values: &[Value]) -> Vec<Vec<f64>> {
        let single = Single::new(&self.sizes, self.l);
        let of_value = |value: &Value| {
            // A value without a limit cannot violate one.
            let nothing = || (0.0, vec![0.0; self.sizes.len()]);
            if value.is_limited { single.violation(value.count) } else { nothing() }
        };
        let found: Vec<(f64, Vec<f64>)> = values.iter().map(of_value).collect();
        let p_violation = found.iter().map(|(p, _)| p).sum::<f64>().min(1.0);
        self.shares(found.into_iter().map(|(_, violating)| violating).collect(), p_violation)
    }

    /// For each part, the greatest number of its people who may have a value.
    fn most(&self, value: Value) -> Vec<usize> {
        let of_part = |&size: &u64| {
            let most = if value.is_limited { size / self.l } else { size };
            most as usize
        };
        self.sizes.iter().map(of_part).collect()
    }

    /// Number of states times the ways to add each value, at most.
    fn work(&self, values: &[Value]) -> f64 {
        let n_states: f64 = self.before_last().iter().map(|&size| (size + 1) as f64).product();
        let ways = |&value: &Value| -> f64 {
            let of_part = |&size: &u64| (size.min(value.count) + 1) as f64;
            self.before_last().iter().map(of_part).product()
        };
        n_states * values.iter().map(ways).sum::<f64>()
    }

    /// The sizes of all parts but the last, which has the people that the others do not have.
    fn before_last(&self) -> &[u64] {
        &self.sizes[..self.sizes.len() - 1]
    }
}

/// A probability without the errors of sums, so that a certain event has probability 1.
fn rounded(probability: f64) -> f64 {
    const DIGITS: f64 = 1e9;
    ((probability * DIGITS).round() / DIGITS).clamp(0.0, 1.0)
}

/// A way to divide the people with one value among the parts.
struct Way {
    /// Number of people in each part.
    counts: Vec<usize>,
    /// The number that it adds to the number of a state.
    step: usize,
    weight: f64,
    /// Whether a part gets a limited value too often.
    violates: bool,
}

/// Assigns values one after the other.
///
/// A state is the number of people of each part that have a value so far. The weight of a way is
/// its probability if every person with the value is in a part independently of the others. The
/// total weight of all ways is then the probability that the parts get as many people as they have.
struct Fills {
    /// Of all parts but the last: their sizes, and the number that one more person adds to the
    /// number of a state.
    parts: Vec<(usize, usize)>,
    n_states: usize,
    ways: Vec<Vec<Way>>,
    /// The total weight of all assignments, with or without a violation.
    total: f64,
    n_parts: usize,
}

/// Weights of the ways to reach a state, or to go on from it.
#[derive(Clone, Copy, Default)]
struct Weight {
    /// Of ways without a violation.
    fine: f64,
    /// Of ways with one. Kept apart, because the difference of two sums would lose its digits where
    /// violations are improbable.
    violating: f64,
}

impl Weight {
    fn all(self) -> f64 {
        self.fine + self.violating
    }

    /// The weight of these ways together with one more.
    fn then(self, way: &Way) -> Self {
        let [fine, violating] =
            if way.violates { [0.0, self.all()] } else { [self.fine, self.violating] };
        Self { fine: fine * way.weight, violating: violating * way.weight }
    }

    fn add(&mut self, other: Self) {
        self.fine += other.fine;
        self.violating += other.violating;
    }
}

impl Fills {
    fn new(division: &Division, values: &[Value]) -> Self {
        let mut parts = Vec::new();
        let mut n_states = 1;
        for &size in division.before_last() {
            parts.push((size as usize, n_states));
            n_states *= size as usize + 1;
        }
        let weights = Weights::new(&division.sizes);
        let sizes: Vec<usize> = division.sizes.iter().map(|&size| size as usize).collect();
        let of_value = |&value: &Value| -> Vec<Way> {
            let most = division.most(value);
            let way = |counts: Vec<usize>| {
                let steps = counts.iter().zip(&parts).map(|(count, (_, stride))| count * stride);
                let violates = counts.iter().zip(&most).any(|(count, most)| count > most);
                Way { step: steps.sum(), weight: weights.of(&counts), violates, counts }
            };
            divided(value.count as usize, &sizes).into_iter().map(way).collect()
        };
        let ways = values.iter().map(of_value).collect();
        Self { n_states, ways, total: weights.of(&sizes), n_parts: sizes.len(), parts }
    }

    /// The probability that some part has a limited value too often, and for each value and part,
    /// the expected number of people of the part with the value, counting 0 without a violation.
    fn violation(&self) -> (f64, Vec<Vec<f64>>) {
        // The states before each value, and those after it, so that no sum is computed twice.
        let none = vec![Weight::default(); self.n_states];
        let mut before = vec![none.clone()];
        before[0][0].fine = 1.0;
        for ways in &self.ways {
            let mut next = none.clone();
            let last = &before[before.len() - 1];
            self.each(ways, |state, way| next[state + way.step].add(last[state].then(way)));
            before.push(next);
        }
        let p_violation = before[self.ways.len()][self.n_states - 1].violating / self.total;
        let mut after = none.clone();
        after[self.n_states - 1].fine = 1.0;
        let mut expected = Vec::with_capacity(self.ways.len());
        for (ways, before) in self.ways.iter().zip(&before).rev() {
            let mut sums = vec![0.0; self.n_parts];
            let mut earlier = none.clone();
            self.each(ways, |state, way| {
                let rest = after[state + way.step].then(way);
                earlier[state].add(rest);
                let Weight { fine, violating } = before[state];
                let weight = (fine * rest.violating + violating * rest.all()) / self.total;
                for (sum, &count) in sums.iter_mut().zip(&way.counts) {
                    *sum += weight * count as f64;
                }
            });
            expected.push(sums);
            after = earlier;
        }
        expected.reverse();
        (p_violation, expected)
    }

    /// Visits every state with the ways in which no part gets more people than it has.
    fn each(&self, ways: &[Way], mut visit: impl FnMut(usize, &Way)) {
        for state in 0..self.n_states {
            let fits = |way: &&Way| {
                let mut counts = self.parts.iter().zip(&way.counts);
                counts.all(|(&(size, stride), count)| state / stride % (size + 1) + count <= size)
            };
            ways.iter().filter(fits).for_each(|way| visit(state, way));
        }
    }
}

/// All ways to divide `n` people among parts, given the greatest number of each.
fn divided(n: usize, most: &[usize]) -> Vec<Vec<usize>> {
    let (last, first) = most.split_last().expect("a class is divided into at least two parts");
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for &most in first {
        let longer = |counts: Vec<usize>| {
            let left = n - counts.iter().sum::<usize>();
            (0..=most.min(left)).map(move |count| [counts.as_slice(), &[count]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    // The last part has all who are left.
    let complete = |mut counts: Vec<usize>| {
        counts.push(n - counts.iter().sum::<usize>());
        counts
    };
    all.into_iter().map(complete).filter(|counts| counts[first.len()] <= *last).collect()
}

/// Multinomial probabilities.
struct Weights {
    /// The logarithms of factorials.
    factorials: Vec<f64>,
    /// The logarithms of the shares of the parts.
    shares: Vec<f64>,
}

impl Weights {
    fn new(sizes: &[u64]) -> Self {
        let n: u64 = sizes.iter().sum();
        let next = |sum: &mut f64, i: u64| {
            *sum += (i.max(1) as f64).ln();
            Some(*sum)
        };
        Self {
            factorials: (0..=n).scan(0.0, next).collect(),
            shares: sizes.iter().map(|&size| (size as f64 / n as f64).ln()).collect(),
        }
    }

    /// The probability that people are in the parts with these counts.
    fn of(&self, counts: &[usize]) -> f64 {
        let n: usize = counts.iter().sum();
        let of_part =
            |(&count, share): (&usize, &f64)| count as f64 * share - self.factorials[count];
        let sum: f64 = counts.iter().zip(&self.shares).map(of_part).sum();
        (self.factorials[n] + sum).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(counts: &[(u64, bool)]) -> Vec<Value> {
        counts.iter().map(|&(count, is_limited)| Value { count, is_limited }).collect()
    }

    /// The joint probabilities, counted over all assignments one by one.
    fn enumerated(sizes: &[u64], l: u64, values: &[Value]) -> Vec<Vec<f64>> {
        let n_people: u64 = sizes.iter().sum();
        let mut have = vec![vec![0.0; sizes.len()]; values.len()];
        let mut n_violations = 0.0;
        for code in 0..(values.len() as u64).pow(n_people as u32) {
            let mut counts = vec![vec![0u64; sizes.len()]; values.len()];
            let mut rest = code;
            for (part, &size) in sizes.iter().enumerate() {
                for _ in 0..size {
                    counts[(rest % values.len() as u64) as usize][part] += 1;
                    rest /= values.len() as u64;
                }
            }
            let of_values = || counts.iter().zip(values);
            let is_class = of_values().all(|(own, value)| own.iter().sum::<u64>() == value.count);
            let violates = |own: &Vec<u64>| own.iter().zip(sizes).any(|(&x, &size)| x > size / l);
            if is_class && of_values().any(|(own, value)| value.is_limited && violates(own)) {
                n_violations += 1.0;
                for (have, own) in have.iter_mut().flatten().zip(counts.iter().flatten()) {
                    *have += *own as f64;
                }
            }
        }
        if n_violations < 1.0 {
            return Vec::new();
        }
        for of_value in &mut have {
            of_value.iter_mut().zip(sizes).for_each(|(n, &size)| *n /= n_violations * size as f64);
        }
        have
    }

    /// The sizes of parts, `l`, and the counts of values with whether they are limited.
    type Case = (&'static [u64], u64, &'static [(u64, bool)]);

    const CASES: [Case; 7] = [
        (&[2, 4], 2, &[(2, true), (2, true), (2, true)]),
        (&[2, 3], 2, &[(2, true), (3, false)]),
        (&[2, 2, 3], 2, &[(3, true), (2, true), (2, true)]),
        (&[3, 4], 3, &[(2, true), (2, true), (3, false)]),
        (&[4, 4], 2, &[(3, true), (4, true), (1, false)]),
        (&[2, 2, 2], 2, &[(3, true), (1, true), (2, true)]),
        (&[4, 4], 2, &[(2, true), (2, true), (4, false)]),
    ];

    #[test]
    fn joint_probabilities_are_those_of_enumeration() {
        for (sizes, l, counts) in CASES {
            let values = values(counts);
            let found = Division::new(sizes.to_vec(), l).joint(&values);
            let expected = enumerated(sizes, l, &values);
            assert_eq!(found.len(), expected.len(), "{sizes:?} {counts:?}");
            for (one, other) in found.iter().flatten().zip(expected.iter().flatten()) {
                assert!((one - other).abs() < 1e-8, "{sizes:?} {counts:?}: {found:?} {expected:?}");
            }
        }
    }

    /// Three values that two people each have: it is not known which pair violated the limit.
    #[test]
    fn probabilities_of_several_values_add_up_to_one() {
        let values = values(&[(2, true); 3]);
        let found = Division::new(vec![2, 4], 2).posteriors(&values);
        for part in 0..2 {
            let of_part: Vec<f64> = found.iter().map(|of_value| of_value[part]).collect();
            assert!(of_part.iter().all(|p| (p - 1.0 / 3.0).abs() < 1e-8), "{found:?}");
        }
    }

    #[test]
    fn bounds_never_exceed_joint_probabilities() {
        for (sizes, l, counts) in CASES {
            let values = values(counts);
            let division = Division::new(sizes.to_vec(), l);
            let (bounds, joint) = (division.bounds(&values), division.joint(&values));
            for (bound, exact) in bounds.iter().flatten().zip(joint.iter().flatten()) {
                assert!(*bound <= exact + 1e-8, "{sizes:?} {counts:?}: {bounds:?} {joint:?}");
            }
        }
    }

    #[test]
    fn the_bound_of_a_pair_in_two_parts_is_exact() {
        let values = values(&[(2, true), (3, false)]);
        let found = Division::new(vec![2, 3], 2).bounds(&values);
        // Of 10 ways, 1 gives both to the first part, 3 both to the second: 4 violate.
        assert!((found[0][0] - 0.25).abs() < 1e-8 && (found[0][1] - 0.5).abs() < 1e-8, "{found:?}");
    }

    #[test]
    fn bounds_of_a_single_limited_value_are_joint_probabilities() {
        let division = Division::new(vec![3, 4, 5], 3);
        for n in 1..=4 {
            let values = values(&[(n, true), (12 - n, false)]);
            let (bounds, joint) = (division.bounds(&values), division.joint(&values));
            assert_eq!(bounds.len(), joint.len(), "{n}");
            for (bound, exact) in bounds.iter().take(1).flatten().zip(joint.iter().flatten()) {
                assert!((bound - exact).abs() < 1e-8, "{n}: {bounds:?} {joint:?}");
            }
        }
    }

    /// A violation is known to have happened, however improbable it was.
    #[test]
    fn improbable_violations_have_exact_probabilities() {
        for (sizes, counts, expected) in [
            // Only the small part can have the value too often: all three are in it.
            (vec![4, 400], [(3, true), (401, false)], [0.75, 0.0]),
            // Two equal parts: it is not known which of them has 21 or 22 of the 22 people.
            (vec![40, 40], [(22, true), (58, false)], [0.275, 0.275]),
            (vec![6, 600], [(6, true), (600, false)], [0.667, 0.003]),
        ] {
            let division = Division::new(sizes.clone(), 2);
            let values = values(&counts);
            assert!(Single::new(&sizes, 2).violation(counts[0].0).0 < 1e-6, "{sizes:?}");
            for found in [division.joint(&values), division.bounds(&values)] {
                for (one, other) in found[0].iter().zip(expected) {
                    assert!((one - other).abs() < 1e-3, "{sizes:?}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn many_parts_are_bounded() {
        let division = Division::new(vec![6; 12], 2);
        let values = values(&[(18, true), (18, true), (36, false)]);
        assert!(division.work(&values) > MOST_WORK);
        let found = division.posteriors(&values);
        assert!(found[0][0] > 0.0 && found[0][0] + found[1][0] <= 1.0, "{found:?}");
    }

    /// A class of the greatest size that is examined, in two parts.
    #[test]
    fn large_classes_in_two_parts_are_exact() {
        let division = Division::new(vec![500, 500], 2);
        let values = values(&[(500, true), (300, true), (200, true)]);
        assert!(division.work(&values) <= MOST_WORK);
        let found = division.posteriors(&values);
        // One of two equal parts has more of the first value, and it is not known which.
        assert!((found[0][0] - 0.5).abs() < 1e-6, "{:?}", found[0]);
        assert!((found.iter().map(|of_value| of_value[0]).sum::<f64>() - 1.0).abs() < 1e-6);
    }
}
