//! Requirements of privacy models on sensitive values, checked by their definitions.

use std::collections::BTreeMap;

/// Requirement of a model on every class; `n` is the number in a variant.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Demand {
    /// At least `n` records.
    Records(u64),
    /// At least `n` distinct values.
    Different(f64),
    /// At least the entropy of `n` values with equal shares.
    Entropy(f64),
    /// The most frequent value is rarer than `c` times the sum of the values from the `l`-th on.
    Recursive { l: usize, c: f64 },
    /// No value has a greater share.
    Share(f64),
    /// The distance from the table's distribution is at most this.
    Close(f64),
    /// The same, with distances between positions in the order of the numbers.
    CloseInOrder(f64),
    /// No share grows by more than `beta` times itself or, if enhanced, by more than `-ln` of
    /// itself.
    Like { beta: f64, is_enhanced: bool },
    /// The logarithm of every quotient of shares is below `delta`.
    Disclose { delta: f64, may_lack: bool },
    /// At least `tau` records, and no value more often than `lambda` times.
    Unique { tau: usize, lambda: usize },
    /// At most one in `m` records is within `epsilon` of any.
    Apart { epsilon: f64, m: f64 },
}

impl Demand {
    /// Whether the union of two classes that satisfy it also satisfies it.
    pub(crate) fn is_monotone(self) -> bool {
        let allows_lacking = matches!(self, Self::Disclose { may_lack: true, .. });
        !allows_lacking && !matches!(self, Self::Unique { .. } | Self::Apart { .. })
    }
}

/// The sensitive values of a class and of the table.
pub(crate) struct Secrets<'a> {
    pub(crate) class: &'a [&'a str],
    pub(crate) table: &'a [&'a str],
}

const SLACK: f64 = 1e-9;

impl Secrets<'_> {
    /// Whether the class satisfies a demand.
    pub(crate) fn meet(&self, demand: Demand) -> bool {
        let (class, table) = (shares(self.class), shares(self.table));
        match demand {
            Demand::Records(n) => self.class.len() as u64 >= n,
            Demand::Different(n) => class.len() as f64 >= n,
            Demand::Entropy(n) => {
                let entropy: f64 = class.values().map(|p| -p * p.ln()).sum();
                entropy.exp() >= n - SLACK
            }
            Demand::Recursive { l, c } => {
                let mut shares: Vec<f64> = class.values().copied().collect();
                shares.sort_by(|a, b| b.total_cmp(a));
                shares[0] + SLACK < c * shares.iter().skip(l - 1).sum::<f64>()
            }
            Demand::Share(most) => class.values().all(|share| *share <= most + SLACK),
            Demand::Close(t) => {
                let gap = |(value, p): (&&str, &f64)| (share(&class, value) - p).abs();
                table.iter().map(gap).sum::<f64>() / 2.0 <= t + SLACK
            }
            Demand::CloseInOrder(t) => self.moved_in_order() <= t + SLACK,
            Demand::Like { beta, is_enhanced } => class.iter().all(|(value, q)| {
                let p = table[value];
                let most = if is_enhanced { beta.min(-p.ln()) } else { beta };
                (q - p) / p <= most + SLACK
            }),
            Demand::Disclose { delta, may_lack } => {
                let is_near =
                    |(value, q): (&&str, &f64)| (q / table[*value]).ln().abs() < delta + SLACK;
                (may_lack || class.len() == table.len()) && class.iter().all(is_near)
            }
            Demand::Unique { tau, lambda } => {
                let n_records = self.class.len();
                let most = (lambda as f64 + 0.5) / n_records as f64;
                n_records >= tau && class.values().all(|share| *share < most)
            }
            Demand::Apart { epsilon, m } => {
                let numbers: Vec<f64> =
                    self.class.iter().map(|text| text.parse().unwrap()).collect();
                let n_near = |x: &f64| {
                    numbers.iter().filter(|y| (*x - **y).abs() <= epsilon + SLACK).count() as f64
                };
                numbers.iter().all(|x| n_near(x) * m <= numbers.len() as f64 + SLACK)
            }
        }
    }

    /// Returns the earth mover's distance between class and table, where consecutive numbers of the
    /// table are equally far apart.
    fn moved_in_order(&self) -> f64 {
        let (class, table) = (shares(self.class), shares(self.table));
        let mut values: Vec<&str> = table.keys().copied().collect();
        let number = |value: &str| value.parse::<f64>().unwrap();
        values.sort_by(|a, b| number(a).total_cmp(&number(b)));
        let (mut carried, mut moved) = (0.0, 0.0);
        for value in &values {
            carried += share(&class, value) - table[value];
            moved += f64::abs(carried);
        }
        moved / (values.len().max(2) - 1) as f64
    }
}

/// Returns the share of each value.
fn shares<'a>(values: &[&'a str]) -> BTreeMap<&'a str, f64> {
    let mut shares = BTreeMap::new();
    values.iter().for_each(|value| *shares.entry(*value).or_default() += 1.0 / values.len() as f64);
    shares
}

fn share(shares: &BTreeMap<&str, f64>, value: &str) -> f64 {
    shares.get(value).copied().unwrap_or(0.0)
}
