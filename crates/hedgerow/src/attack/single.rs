//! Ways to assign one value to the people of a class, who are divided into parts.

/// The ways to assign one value to the people of parts, as if it were the only one, by the number
/// of people who have it.
#[derive(Clone)]
struct Ways {
    /// Ways that give the value to at most a share of `1 / l` of each part.
    fine: Vec<f64>,
    /// All other ways.
    violating: Vec<f64>,
}

impl Ways {
    fn of(size: u64, l: u64) -> Self {
        let most = (size / l) as usize;
        let (mut fine, mut violating) = (binomials(size, size), binomials(size, size));
        fine[most + 1..].fill(0.0);
        violating[..=most].fill(0.0);
        Self { fine, violating }
    }

    /// The ways for the parts of both.
    fn and(&self, other: &Self) -> Self {
        let violating = convolved(&self.violating, &sum(&other.fine, &other.violating));
        let fine = convolved(&self.fine, &other.fine);
        Self { fine, violating: sum(&violating, &convolved(&self.fine, &other.violating)) }
    }
}

/// The ways to assign one value to each part and to all others.
pub(super) struct Single {
    n_people: u64,
    own: Vec<Ways>,
    /// For each part, the ways for all other parts.
    others: Vec<Ways>,
}

impl Single {
    /// At most a share of `1 / l` of each part may have the value.
    pub(super) fn new(sizes: &[u64], l: u64) -> Self {
        let own: Vec<Ways> = sizes.iter().map(|&size| Ways::of(size, l)).collect();
        // The parts before each part, and those after it, so that no product is computed twice.
        let none = Ways { fine: vec![1.0], violating: vec![0.0] };
        let mut before = vec![none.clone()];
        for of_part in &own {
            let next = before[before.len() - 1].and(of_part);
            before.push(next);
        }
        let mut after = none;
        let mut others: Vec<Ways> = Vec::with_capacity(own.len());
        for (of_part, before) in own.iter().zip(&before).rev() {
            others.push(before.and(&after));
            after = of_part.and(&after);
        }
        others.reverse();
        Self { n_people: sizes.iter().sum(), own, others }
    }

    /// The probability that some part has a value of `n` people too often, and for each part the
    /// expected number of its people with the value, counting 0 without a violation.
    pub(super) fn violation(&self, n: u64) -> (f64, Vec<f64>) {
        let n_ways = choose(self.n_people, n);
        // E[f(X); some part violates] for the number X of people of a part with the value.
        let within = |place: usize, f: fn(usize) -> f64| -> f64 {
            let (own, others) = (&self.own[place], &self.others[place]);
            let of_x = |x: usize| -> Option<f64> {
                let rest = (n as usize).checked_sub(x)?;
                let (fine, violating) = (others.fine.get(rest)?, others.violating.get(rest)?);
                let ways = own.fine[x] * violating + own.violating[x] * (fine + violating);
                Some(f(x) * (ways / n_ways))
            };
            (0..own.fine.len()).filter_map(of_x).sum()
        };
        let of_part = |place: usize| within(place, |x| x as f64);
        // P(some part violates) is the same from the view of every part.
        (within(0, |_| 1.0), (0..self.own.len()).map(of_part).collect())
    }
}

/// The sums of two lists of equal length.
fn sum(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(a, b)| a + b).collect()
}

/// The coefficients of the product of two polynomials: the ways to choose from two groups.
fn convolved(one: &[f64], other: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; one.len() + other.len() - 1];
    for (place, a) in one.iter().enumerate() {
        for (sum, b) in product[place..].iter_mut().zip(other) {
            *sum += a * b;
        }
    }
    product
}

/// The binomial coefficients of `n` and 0 to `most`.
fn binomials(n: u64, most: u64) -> Vec<f64> {
    let next = |before: &mut f64, k: u64| {
        let this = *before;
        // C(n, k + 1) = C(n, k) (n - k) / (k + 1).
        *before = this * (n - k) as f64 / (k + 1) as f64;
        Some(this)
    };
    // At most 1,000 people: C(1000, 500) is about 2.7e299, which f64 can still hold.
    (0..=most.min(n)).scan(1.0, next).collect()
}

/// The binomial coefficient.
fn choose(n: u64, k: u64) -> f64 {
    binomials(n, k.min(n.saturating_sub(k))).pop().filter(|_| k <= n).unwrap_or(0.0)
}
