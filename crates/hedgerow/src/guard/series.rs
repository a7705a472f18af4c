//! The values of columns in sampled records, and predictions of one by the groups of another.

use hashbrown::HashMap;

use crate::table::{Kind, Scale, Values};

/// Number of codes for each record up to which codes are counted rather than sorted.
const MOST_COUNTED: usize = 4;
/// Number of corrected guesses that chance does not make.
const LEAST_CORRECTED: u64 = 10;
/// The greatest probability, as a logarithm to base 10, of groups that agree by chance, where fewer
/// guesses are corrected.
const CHANCE: f64 = -4.5;
/// The least share of the records with both values that must share their group with another.
const LEAST_SHARING: f64 = 0.1;
/// Number of records with a rank, so that chance cannot explain them.
const LEAST_RANKED: u64 = 12;
const SECONDS_OF_DAY: f64 = 86_400.0;
/// Number of records in a group of neighbouring numbers, where most numbers differ.
const NEIGHBOURS: usize = 10;
/// Number of records from which shares of entropy are estimated.
const LEAST_INFORMED: f64 = 20.0;
/// Numbers of records from which numbers in nearly the same order, and in exactly the same order,
/// are not so by chance.
const LEAST_IN_ORDER: usize = 10;
const LEAST_IN_EXACT_ORDER: usize = 7;
/// The greatest share of neighbouring records that are out of order, where one column orders
/// another.
const OUT_OF_ORDER: f64 = 0.01;

/// The values of a column in sampled records, as codes in the order of the values.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    /// The code of each record, or `None` if the value is missing.
    pub(super) codes: Vec<Option<u32>>,
    /// Number of different codes.
    pub(super) n_codes: usize,
    /// The number of each code, if the values are numbers or dates; empty otherwise.
    pub(super) numbers: Vec<f64>,
}

impl Series {
    /// The values of a column in records, given the code of each record.
    pub(crate) fn new(codes: Vec<Option<u32>>, values: &Values) -> Self {
        // Dates are counted in days, so that they can be compared with numbers of days.
        let unit = if values.kind() == Kind::Date { SECONDS_OF_DAY } else { 1.0 };
        let of_scale =
            |scale: &Scale| (0..values.len()).map(|place| scale.value(place) / unit).collect();
        let numbers = values.scale().map_or_else(Vec::new, of_scale);
        Self { codes, n_codes: values.len(), numbers }
    }

    /// The code of each record, in the order of the values.
    pub(crate) fn codes(&self) -> &[Option<u32>] {
        &self.codes
    }

    /// Whether the values are numbers or dates.
    pub(super) fn is_ordered(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Number of records that have a value.
    pub(super) fn n_present(&self) -> usize {
        self.codes.iter().flatten().count()
    }

    /// The same values in some of the records.
    pub(crate) fn at(&self, rows: &[usize]) -> Self {
        let mut is_used = vec![false; self.n_codes];
        let old: Vec<Option<u32>> = rows.iter().map(|&row| self.codes[row]).collect();
        old.iter().flatten().for_each(|&code| is_used[code as usize] = true);
        let mut n_codes = 0;
        let mut number = |&is_used: &bool| {
            n_codes += u32::from(is_used);
            // Before the first used code this wraps, but such a code is never looked up.
            n_codes.wrapping_sub(1)
        };
        let new: Vec<u32> = is_used.iter().map(&mut number).collect();
        let kept = self.numbers.iter().zip(&is_used).filter(|(_, is_used)| **is_used);
        Self {
            codes: old.into_iter().map(|code| code.map(|code| new[code as usize])).collect(),
            n_codes: n_codes as usize,
            numbers: kept.map(|(&number, _)| number).collect(),
        }
    }

    /// The combinations of several columns as one. A missing value counts as a value unless all are
    /// missing.
    pub(super) fn joint(all: &[&Self]) -> Self {
        let n_records = all.first().map_or(0, |series| series.codes.len());
        let mut ranks = vec![0; n_records];
        for series in all {
            // Keys have the order of tuples in which a missing value comes first.
            let width = series.n_codes as u64 + 1;
            let own = series.codes.iter().map(|code| code.map_or(0, |code| u64::from(code) + 1));
            let keys = ranks.iter().zip(own).map(|(&rank, own)| u64::from(rank) * width + own);
            ranks = ranked(&keys.collect::<Vec<_>>());
        }
        let is_blank = |row: usize| all.iter().all(|series| series.codes[row].is_none());
        // If no value is known, the tuple is the least one, so all others move down.
        let n_blank = u32::from((0..n_records).any(is_blank));
        let codes = ranks.iter().map(|rank| rank.checked_sub(n_blank)).collect();
        let n_codes = ranks.iter().max().map_or(0, |most| most + 1 - n_blank) as usize;
        Self { codes, n_codes, numbers: Vec::new() }
    }

    /// The combinations of two columns as one, like [`Series::joint`], with codes that have gaps.
    pub(super) fn with(&self, other: &Self) -> Self {
        let width = other.n_codes as u32 + 1;
        let code = |(one, two): (&Option<u32>, &Option<u32>)| match (one, two) {
            (None, None) => None,
            // The last code of each column means a missing value.
            _ => Some(one.unwrap_or(self.n_codes as u32) * width + two.unwrap_or(width - 1)),
        };
        let codes = self.codes.iter().zip(&other.codes).map(code).collect();
        let n_codes = (self.n_codes + 1) * width as usize;
        Self { codes, n_codes, numbers: Vec::new() }
    }

    /// The squared correlation of the ranks of two columns of numbers; 0 if few records have both.
    pub(super) fn agrees(&self, other: &Self) -> f64 {
        if !self.is_ordered() || !other.is_ordered() {
            return 0.0;
        }
        let both = self.codes.iter().zip(&other.codes);
        let rows: Vec<usize> = (both.enumerate())
            .filter(|(_, (one, other))| one.is_some() && other.is_some())
            .map(|(row, _)| row)
            .collect();
        let (one, other) = (self.at(&rows), other.at(&rows));
        let share = correlation(&one.ranked(), &other.ranked()).powi(2);
        let is_exact = share > 0.999 && rows.len() >= LEAST_IN_EXACT_ORDER;
        let is_varied = one.n_codes > 2 && other.n_codes > 2;
        if is_varied && (is_exact || rows.len() >= LEAST_IN_ORDER) { share } else { 0.0 }
    }

    /// Whether records in the order of this column are in the order of another one, too, ascending
    /// or descending, with few exceptions.
    pub(super) fn orders(&self, other: &Self) -> bool {
        if !self.is_ordered() || !other.is_ordered() {
            return false;
        }
        let both = self.codes.iter().zip(&other.codes);
        let mut pairs: Vec<(u32, u32)> = both.filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
        pairs.sort_unstable();
        let n_steps = pairs.len().saturating_sub(1);
        let falls = pairs.windows(2).filter(|pair| pair[0].1 > pair[1].1).count();
        let rises = pairs.windows(2).filter(|pair| pair[0].1 < pair[1].1).count();
        n_steps >= LEAST_IN_ORDER && falls.min(rises) as f64 <= OUT_OF_ORDER * n_steps as f64
    }

    /// The rank of each record that has a value.
    fn ranked(&self) -> Vec<f64> {
        let ranks = self.ranks();
        self.codes.iter().flatten().map(|&code| ranks[code as usize]).collect()
    }

    /// Groups the records by value.
    pub(super) fn groups(&self) -> Groups {
        self.grouped(1)
    }

    /// Groups the records by neighbouring values if these are numbers that rarely repeat.
    pub(super) fn neighbours(&self) -> Option<Groups> {
        let is_sparse = self.n_codes * 5 > self.n_present();
        let is_enough = self.n_present() >= 5 * NEIGHBOURS;
        (self.is_ordered() && is_sparse && is_enough).then(|| self.grouped(NEIGHBOURS))
    }

    /// Groups records of equal value, and neighbouring values until a group has `least` records.
    fn grouped(&self, least: usize) -> Groups {
        let order = self.by_code();
        let mut ends = Vec::new();
        let mut start = 0;
        for place in 1..=order.len() {
            // A group never divides records of equal value.
            let is_last = place == order.len() || order[place].0 != order[place - 1].0;
            if is_last && (place - start >= least || place == order.len()) {
                ends.push(place);
                start = place;
            }
        }
        Groups { rows: order.into_iter().map(|(_, row)| row).collect(), ends }
    }

    /// The codes of the records that have one, with their rows, ascending.
    fn by_code(&self) -> Vec<(u32, u32)> {
        let present = |(row, code): (usize, &Option<u32>)| Some(((*code)?, row as u32));
        let records = || self.codes.iter().enumerate().filter_map(present);
        if self.n_codes > MOST_COUNTED * self.codes.len() {
            let mut order: Vec<(u32, u32)> = records().collect();
            order.sort_unstable();
            return order;
        }
        // Counting sort: records come in the order of rows, so those of a code stay in it.
        let mut places = vec![0usize; self.n_codes + 1];
        records().for_each(|(code, _)| places[code as usize + 1] += 1);
        for code in 1..places.len() {
            places[code] += places[code - 1];
        }
        let mut order = vec![(0, 0); places[self.n_codes]];
        for (code, row) in records() {
            order[places[code as usize]] = (code, row);
            places[code as usize] += 1;
        }
        order
    }

    /// The rank of each code in the middle of its records, from 0 to 1.
    fn ranks(&self) -> Vec<f64> {
        let mut counts = vec![0u64; self.n_codes];
        self.codes.iter().flatten().for_each(|&code| counts[code as usize] += 1);
        let total = counts.iter().sum::<u64>().max(1) as f64;
        let mut before = 0;
        let rank = |count: u64| {
            // Ties share the middle of their ranks, as in rank correlation.
            let middle = before as f64 + count as f64 / 2.0;
            before += count;
            middle / total
        };
        counts.into_iter().map(rank).collect()
    }

    /// Entropy of the values in bits.
    pub(super) fn entropy(&self) -> f64 {
        let mut counts = vec![0u64; self.n_codes];
        self.codes.iter().flatten().for_each(|&code| counts[code as usize] += 1);
        let total = counts.iter().sum::<u64>() as f64;
        let share = |&count: &u64| count as f64 / total;
        -counts.iter().filter(|&&count| count > 0).map(share).map(|p| p * p.log2()).sum::<f64>()
    }
}

/// Records with the same value of a column.
pub(super) struct Groups {
    rows: Vec<u32>,
    ends: Vec<usize>,
}

impl Groups {
    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.rows[start..end])
    }

    /// The groups as codes of `target`, without missing values and groups of one record.
    fn codes_of<'a>(&'a self, target: &'a Series) -> impl Iterator<Item = Vec<u32>> + 'a {
        let codes = |group: &[u32]| -> Vec<u32> {
            group.iter().filter_map(|&row| target.codes[row as usize]).collect()
        };
        self.iter().map(codes).filter(|codes| codes.len() > 1)
    }

    /// Number of records with a value of `target` that share their group with another one.
    pub(super) fn n_sharing(&self, target: &Series) -> u64 {
        self.codes_of(target).map(|codes| codes.len() as u64).sum()
    }

    /// Whether the number of records that share their group with another one is enough to represent
    /// the others.
    fn is_shared(&self, n_sharing: u64, target: &Series) -> bool {
        let is_enough = |n_both: usize| n_sharing as f64 >= LEAST_SHARING * n_both as f64;
        let is_known = |row: &&u32| target.codes[**row as usize].is_some();
        // Mostly all records have both values, which need not be counted then.
        is_enough(self.rows.len()) || is_enough(self.rows.iter().filter(is_known).count())
    }

    /// Calls `with` for each group with the codes of `target` in it and their numbers of records,
    /// ascending by code. Missing values are left out, and so are groups of fewer than `least`
    /// records.
    fn for_each_of(&self, target: &Series, least: usize, mut with: impl FnMut(&[(u32, u32)])) {
        // One list of counters for all groups: only the codes of a group are set back.
        let mut counters = vec![0u32; target.n_codes];
        let (mut codes, mut counts): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
        for group in self.iter() {
            let mut n_present = 0;
            for code in group.iter().filter_map(|&row| target.codes[row as usize]) {
                let counter = &mut counters[code as usize];
                if *counter == 0 {
                    codes.push(code);
                }
                *counter += 1;
                n_present += 1;
            }
            codes.sort_unstable();
            counts.clear();
            counts.extend(
                codes.drain(..).map(|code| (code, std::mem::take(&mut counters[code as usize]))),
            );
            if n_present >= least {
                with(&counts);
            }
        }
    }

    /// Returns the share of wrong guesses of `target` that knowing the group corrects; 0 if chance
    /// could do the same.
    ///
    /// Without the group the guess is the most frequent value; with it, the value that most other
    /// records of the group have. This is Goodman and Kruskal's lambda, leaving one out.
    pub(super) fn predicts(&self, target: &Series) -> f64 {
        let guesses = self.guesses(target);
        // Few pairs of equal values are often twins or copies of a record.
        if self.is_shared(guesses.n_records, target) { guesses.corrected() } else { 0.0 }
    }

    /// Guesses the values of `target` from those of the other records of each group.
    pub(super) fn guesses(&self, target: &Series) -> Guesses {
        let mut overall = vec![0u64; target.n_codes];
        self.for_each_of(target, 2, |group| {
            group.iter().for_each(|&(code, count)| overall[code as usize] += u64::from(count));
        });
        // Reversed, so that ties go to the smallest code.
        let mode = (0..overall.len()).rev().max_by_key(|&code| overall[code]).unwrap_or(0);
        let n_records = overall.iter().sum();
        let known = overall.get(mode).copied().unwrap_or(0);
        let mut guesses = Guesses { n_records, known, right: 0, n_other: 0, chance: 0.0 };
        self.for_each_of(target, 2, |group| {
            guesses.add(group, mode);
            if let &[(code, count)] = group {
                guesses.chance += chance_of(count.into(), overall[code as usize], n_records);
            }
        });
        guesses
    }

    /// Returns the share of `target`'s entropy that knowing the group removes, leaving one out.
    ///
    /// The probability of a value is that among the other records of the group, with the shares of
    /// the whole table counted as one more record. Groups of few records therefore reveal little.
    pub(super) fn informs(&self, target: &Series) -> f64 {
        let mut overall = vec![0.0; target.n_codes];
        let known = |&row: &u32| target.codes[row as usize];
        self.rows.iter().filter_map(known).for_each(|code| overall[code as usize] += 1.0);
        let n: f64 = overall.iter().sum();
        let (mut bits, mut left) = (0.0, 0.0);
        self.for_each_of(target, 1, |group| {
            let size = f64::from(group.iter().map(|&(_, count)| count).sum::<u32>());
            for &(code, count) in group {
                let (count, share) = (f64::from(count), overall[code as usize] / n);
                // Bits without the group, and with the group of the other records plus one record
                // of the whole.
                bits -= count * share.log2();
                left -= count * ((count - 1.0 + share) / size).log2();
            }
        });
        if n < LEAST_INFORMED || bits <= 0.0 { 0.0 } else { 1.0 - left / bits }
    }

    /// Returns the share of the variance of `target`'s ranks that the groups explain, leaving one
    /// out.
    pub(super) fn explains(&self, target: &Series) -> f64 {
        let ranks = target.ranks();
        let (mut n, mut n_groups, mut sum, mut squares, mut left) = (0u64, 0, 0.0, 0.0, 0.0);
        for codes in self.codes_of(target) {
            let size = codes.len() as f64;
            let of_group = || codes.iter().map(|&code| ranks[code as usize]);
            let mean = of_group().sum::<f64>() / size;
            // Without the record itself, the mean is further away by this factor.
            let factor = size / (size - 1.0);
            left += of_group().map(|rank| (factor * (rank - mean)).powi(2)).sum::<f64>();
            sum += mean * size;
            squares += of_group().map(|rank| rank * rank).sum::<f64>();
            n += codes.len() as u64;
            n_groups += 1;
        }
        // The sum of squares around the mean; `left` is what remains of it within the groups.
        let variance = squares - sum * sum / n.max(1) as f64;
        if n < LEAST_RANKED || n_groups < 3 || variance <= 0.0 || !self.is_shared(n, target) {
            return 0.0;
        }
        1.0 - left / variance
    }
}

/// Counts of the guesses of the values of another column by groups.
pub(super) struct Guesses {
    /// Number of records that share their group with another one.
    pub(super) n_records: u64,
    /// Number of these that the most frequent value guesses.
    known: u64,
    /// Number of right guesses.
    right: u64,
    /// Number of right guesses that are not the most frequent value.
    n_other: u64,
    /// Logarithm of the probability that groups agree by chance as they do.
    chance: f64,
}

impl Guesses {
    /// Guesses the value of each record of a group from the others; `mode` is the most frequent
    /// value of the table.
    fn add(&mut self, group: &[(u32, u32)], mode: usize) {
        let (mut first, mut second) = (0, 0);
        // The two greatest counts of the group.
        for &(_, count) in group {
            second = second.max(count.min(first));
            first = first.max(count);
        }
        for &(code, count) in group {
            let others = if count == first { second } else { first };
            // Without the record itself, its value must still be more frequent than any other.
            if count > others + 1 {
                self.right += u64::from(count);
                self.n_other += if code as usize == mode { 0 } else { u64::from(count) };
            }
        }
    }

    /// The share of wrong guesses that knowing the group corrects; 0 if chance could do the same.
    pub(super) fn corrected(&self) -> f64 {
        let is_chance = self.n_other < LEAST_CORRECTED && self.chance > CHANCE;
        if is_chance || self.known == self.n_records {
            return 0.0;
        }
        (self.right as f64 - self.known as f64) / (self.n_records - self.known) as f64
    }
}

/// Logarithm of the probability that all records of a group have the value of the first one, which
/// `n_alike` of `n_records` have.
fn chance_of(size: u64, n_alike: u64, n_records: u64) -> f64 {
    // More than a few records do not change the verdict.
    let others = 1..size.min(50);
    others.map(|i| ((n_alike - i) as f64 / (n_records - i) as f64).log10()).sum()
}

/// The rank of each key among the different keys.
fn ranked(keys: &[u64]) -> Vec<u32> {
    let mut distinct = keys.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut numbers: HashMap<u64, u32> = HashMap::with_capacity(distinct.len());
    numbers.extend(distinct.into_iter().zip(0..));
    keys.iter().map(|key| numbers[key]).collect()
}

/// Pearson's correlation of two lists of the same length; 0 if one of them does not vary.
fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let n = one.len().max(1) as f64;
    let means = [one, other].map(|numbers| numbers.iter().sum::<f64>() / n);
    let (mut both, mut squares) = (0.0, [0.0, 0.0]);
    for (a, b) in one.iter().zip(other) {
        let (a, b) = (a - means[0], b - means[1]);
        both += a * b;
        squares = [squares[0] + a * a, squares[1] + b * b];
    }
    let product = squares[0] * squares[1];
    if product > 0.0 { both / product.sqrt() } else { 0.0 }
}
