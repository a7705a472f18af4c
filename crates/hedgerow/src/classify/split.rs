//! The test of a node of a decision tree: the attribute and threshold with the best gain ratio.

use super::examples::Examples;

/// Two branches of a split must have at least this number of records.
const LEAST: u64 = 2;

/// A way to split records, and its value.
pub(super) struct Candidate {
    attribute: usize,
    threshold: Option<u32>,
    pub(super) gain: f64,
    /// The split information: the bits needed to encode the branch of a record.
    pub(super) info: f64,
}

/// The examples that a tree is grown from.
pub(super) struct Growth<'a> {
    examples: &'a Examples,
    pub(super) n_labels: usize,
    /// The largest code of each attribute plus 1.
    n_codes: Vec<usize>,
}

impl<'a> Growth<'a> {
    pub(super) fn of(examples: &'a Examples) -> Self {
        let n_labels = examples.labels.iter().max().map_or(0, |last| *last as usize + 1);
        let mut n_codes = vec![0; examples.is_ordered.len()];
        for row in (0..examples.labels.len()).map(|example| examples.row(example)) {
            let codes = n_codes.iter_mut().zip(row);
            codes.for_each(|(n, &code)| *n = (*n).max(code as usize + 1));
        }
        Self { examples, n_labels, n_codes }
    }

    /// The attribute with the best gain ratio, and its threshold if it is ordered.
    pub(super) fn best_split(&self, members: &[u32]) -> Option<(usize, Option<u32>)> {
        let counts = self.examples.label_counts(members, self.n_labels);
        let n_records: u64 = counts.iter().sum();
        // No split if all records have the same label, or there are too few for two branches.
        if counts.contains(&n_records) || n_records < 2 * LEAST {
            return None;
        }
        let mut candidates = Vec::new();
        for (attribute, &is_ordered) in self.examples.is_ordered.iter().enumerate() {
            let runs = self.runs(members, attribute);
            let found =
                if is_ordered { threshold(&runs, &counts) } else { division(&runs, &counts) };
            candidates.extend(found.map(|found| Candidate { attribute, ..found }));
        }
        best(&candidates)
    }

    /// Number of records with each code of an attribute and each label.
    fn runs(&self, members: &[u32], attribute: usize) -> Vec<Run> {
        let n_keys = self.n_codes[attribute] * self.n_labels;
        let keyed = members.iter().map(|&member| {
            let member = member as usize;
            let code = self.examples.row(member)[attribute] as usize;
            let key = code * self.n_labels + self.examples.labels[member] as usize;
            (key, self.examples.weights[member])
        });
        let run = |key: usize, count: u64| Run {
            code: (key / self.n_labels) as u32,
            label: (key % self.n_labels) as u32,
            count,
        };
        // A table of all keys is cheaper than sorting, unless few of them occur.
        if n_keys <= members.len() {
            let mut counts = vec![0; n_keys];
            keyed.for_each(|(key, weight)| counts[key] += weight);
            let occurring = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
            return occurring.map(|(key, count)| run(key, count)).collect();
        }
        let mut keyed: Vec<(usize, u64)> = keyed.collect();
        keyed.sort_unstable_by_key(|(key, _)| *key);
        let same = keyed.chunk_by(|a, b| a.0 == b.0);
        same.map(|same| run(same[0].0, same.iter().map(|(_, weight)| weight).sum())).collect()
    }
}

/// The candidate with the best gain ratio among those with at least an average gain.
fn best(candidates: &[Candidate]) -> Option<(usize, Option<u32>)> {
    // Requiring an average gain avoids attributes with a high ratio only because of a tiny `info`.
    let average = candidates.iter().map(|one| one.gain).sum::<f64>() / candidates.len() as f64;
    let mut best: Option<(f64, &Candidate)> = None;
    for one in candidates.iter().filter(|one| one.gain > 1e-9 && one.gain >= average - 1e-3) {
        // Gain ratio (Quinlan1993): gain relative to the information of the split itself.
        let ratio = one.gain / one.info;
        if best.is_none_or(|(most, _)| ratio > most + 1e-12) {
            best = Some((ratio, one));
        }
    }
    best.map(|(_, best)| (best.attribute, best.threshold))
}

/// Records with the same code and label; runs are sorted by code, then by label.
pub(super) struct Run {
    pub(super) code: u32,
    pub(super) label: u32,
    pub(super) count: u64,
}

/// Splits records into one branch per code.
pub(super) fn division(runs: &[Run], counts: &[u64]) -> Option<Candidate> {
    let n_records = counts.iter().sum::<u64>();
    let (mut within, mut sizes, mut n_large) = (0.0, 0.0, 0);
    for branch in runs.chunk_by(|a, b| a.code == b.code) {
        let size = branch.iter().map(|run| run.count).sum::<u64>();
        within += x_log_x(size) - branch.iter().map(|run| x_log_x(run.count)).sum::<f64>();
        sizes += x_log_x(size);
        n_large += usize::from(size >= LEAST);
    }
    let n = n_records as f64;
    // gain = H(labels) - H(labels | branch), here with all entropies multiplied by n.
    let gain = (disorder(counts) - within) / n;
    let info = (x_log_x(n_records) - sizes) / n;
    (n_large >= 2).then_some(Candidate { attribute: 0, threshold: None, gain, info })
}

/// Splits records in two at the threshold with the largest gain.
fn threshold(runs: &[Run], counts: &[u64]) -> Option<Candidate> {
    let n_records = counts.iter().sum::<u64>();
    let n = n_records as f64;
    let n_labels = counts.iter().filter(|&&count| count > 0).count() as u64;
    // C4.5: a tenth of the mean number of records per label, between 2 and 25.
    let least = (n_records / (10 * n_labels.max(1))).clamp(LEAST, 25);
    let (mut left, mut right) = (vec![0; counts.len()], counts.to_vec());
    // For each side, the sum of x log x over its label counts.
    let (mut of_left, mut of_right): (f64, f64) = (0.0, counts.iter().map(|&c| x_log_x(c)).sum());
    let (mut n_left, mut n_codes) = (0, 0);
    let mut best: Option<Candidate> = None;
    for branch in runs.chunk_by(|a, b| a.code == b.code) {
        n_codes += 1;
        for &Run { label, count, .. } in branch {
            let (left, right) = (&mut left[label as usize], &mut right[label as usize]);
            of_left += x_log_x(*left + count) - x_log_x(*left);
            of_right += x_log_x(*right - count) - x_log_x(*right);
            *left += count;
            *right -= count;
            n_left += count;
        }
        let n_right = n_records - n_left;
        if n_left < least || n_right < least {
            continue;
        }
        let sizes = x_log_x(n_left) + x_log_x(n_right);
        let gain = (disorder(counts) - (sizes - of_left - of_right)) / n;
        // The margin keeps rounding errors from deciding; ties keep the lower threshold.
        if best.as_ref().is_none_or(|best| gain > best.gain + 1e-12) {
            let info = (x_log_x(n_records) - sizes) / n;
            best = Some(Candidate { attribute: 0, threshold: Some(branch[0].code), gain, info });
        }
    }
    // Quinlan1996: choosing among d - 1 thresholds costs log2(d - 1) / n bits.
    let price = f64::from(n_codes - 1).max(1.0).log2() / n;
    best.map(|best| Candidate { gain: best.gain - price, ..best })
}

/// The entropy of the labels, multiplied by the number of records.
fn disorder(counts: &[u64]) -> f64 {
    x_log_x(counts.iter().sum()) - counts.iter().map(|&count| x_log_x(count)).sum::<f64>()
}

fn x_log_x(x: u64) -> f64 {
    if x > 1 { x as f64 * (x as f64).log2() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// All examples are counted in a table, and a few of them are sorted.
    #[test]
    fn runs_are_the_records_of_each_code_and_label() {
        let n = 300;
        let examples = Examples {
            is_ordered: vec![true],
            codes: (0..n).map(|i| i * i % 37).collect(),
            labels: (0..n).map(|i| i % 3).collect(),
            weights: (0..n).map(|i| u64::from(i % 4 + 1)).collect(),
        };
        let growth = Growth::of(&examples);
        let all: Vec<u32> = (0..n).collect();
        for members in [&all[..], &all[100..140]] {
            let mut wanted = BTreeMap::new();
            for &member in members {
                let place = member as usize;
                let key = (examples.codes[place], examples.labels[place]);
                *wanted.entry(key).or_insert(0) += examples.weights[place];
            }
            let runs = growth.runs(members, 0);
            let found: Vec<_> = runs.iter().map(|run| ((run.code, run.label), run.count)).collect();
            assert_eq!(found, wanted.into_iter().collect::<Vec<_>>());
        }
    }
}
