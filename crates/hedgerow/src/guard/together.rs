//! Sets of columns that reveal a quasi-identifier together, although none of them does alone.

use std::cmp::Reverse;

use super::Reason;
use super::determine::{COARSER, Grouped, Leak, RANGE, Restored, VALUE};
use super::exact::{self, EXACT_OF_TWO};
use super::series::Series;

/// A column that is published or generalized.
pub(crate) struct Member<'a> {
    pub(crate) name: &'a str,
    pub(crate) grouped: &'a Grouped,
    /// Whether the column has no role yet, so that it can be left out.
    pub(crate) is_open: bool,
}

/// Columns that reveal a quasi-identifier together.
pub(crate) struct Together {
    /// The columns to leave out.
    pub(crate) columns: Vec<String>,
    /// Columns that are needed besides them but can stay if they are left out.
    pub(crate) others: Vec<String>,
    pub(super) quasi: String,
    pub(super) leak: Leak,
    /// Share of the records in which this was found, those with a value in every column.
    pub(super) part: f64,
}

impl Together {
    /// The reason to leave out one of the columns.
    pub(crate) fn reason(&self, column: &str) -> Reason {
        let others = self.columns.iter().filter(|other| *other != column).chain(&self.others);
        Reason::GivesAwayWith {
            others: others.cloned().collect(),
            quasi: self.quasi.clone(),
            restored: self.leak.restored,
            share: self.leak.share,
            part: self.part,
        }
    }
}

/// Number of columns of which pairs are tried for each quasi-identifier.
const NUMBERS_TRIED: usize = 60;
const CATEGORIES_TRIED: usize = 16;
/// Number of records that pairs of numbers and of categories are tried on.
const RECORDS_TRIED: usize = 2000;
const RECORDS_OF_CATEGORIES: usize = 1000;
/// Number of records with all three values that a pair of numbers needs, and their share of those
/// with the quasi-identifier.
const LEAST_RECORDS: usize = 20;
const LEAST_PART: f64 = 0.1;
/// Number of records that an equation with missing numbers is tried on first, and number of them
/// that must have all three values.
const FIRST_TRIED: usize = 400;
const FEWEST_TRIED: usize = 10;
/// The share of the variance that a pair must promise to explain before it is tried on all records.
const PROMISING: f64 = 0.8;
/// Number of standard deviations by which a flag must depend on a quasi-identifier.
const RELATED: f64 = 6.0;
/// The greatest share of the uncertainty left by the better column of a pair that both together may
/// leave. A column that adds little is not part of a pair.
const LEFT_OPEN: f64 = 0.5;

/// Finds sets of `members` that reveal one of `quasi`. A column is in one set at most.
///
/// These sets are tried: columns that a quasi-identifier determines (bands, `race_white` and
/// `race_black`) and flags of which a record has at most one, all of them at once; pairs of
/// numbers, or of a number and another quasi-identifier, in a linear or log-linear equation (a body
/// mass index and a height give a weight) or in an exact sum or difference that holds for part of
/// the records; and pairs of categories.
pub(super) fn find(members: &[Member<'_>], quasi: &[Member<'_>]) -> Vec<Together> {
    let mut found: Vec<Together> = Vec::new();
    for (place, target) in quasi.iter().enumerate() {
        let is_free = |name: &str, found: &[Together]| {
            !found.iter().any(|set| set.columns.iter().any(|column| column == name))
        };
        // Columns of sets that were found will be left out, so the next rules do not see them.
        for rule in [functions, flags] {
            let open: Vec<&Member<'_>> =
                members.iter().filter(|m| m.is_open && is_free(m.name, &found)).collect();
            found.extend(rule(&open, target));
        }
        let others = quasi.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, m)| m);
        let mut free: Vec<&Member<'_>> =
            members.iter().filter(|m| is_free(m.name, &found)).collect();
        free.extend(others);
        for pair in Numbers::new(&free, target).pairs() {
            let both = [&pair.columns[0], &pair.others[0]];
            if both.iter().all(|name| is_free(name, &found)) {
                found.push(pair);
            }
        }
        for pair in categories(&free, target) {
            let both = [&pair.columns[0], &pair.others[0]];
            if both.iter().all(|name| is_free(name, &found)) {
                found.push(pair);
            }
        }
    }
    found
}

/// All columns that the quasi-identifier determines.
fn functions(open: &[&Member<'_>], target: &Member<'_>) -> Option<Together> {
    let is_function = |member: &&Member<'_>| {
        let series = &member.grouped.series;
        series.n_codes > 1 && target.grouped.best(|groups| groups.predicts(series)) >= COARSER
    };
    all_of(&open.iter().copied().filter(is_function).collect::<Vec<_>>(), target)
}

/// Columns of two values of which the rarer one excludes that of the others.
fn flags(open: &[&Member<'_>], target: &Member<'_>) -> Option<Together> {
    let mut chosen: Vec<&Member<'_>> = Vec::new();
    let mut taken = vec![false; target.grouped.series.codes.len()];
    for &member in open.iter().filter(|member| member.grouped.series.n_codes == 2) {
        let rows = rarer(&member.grouped.series);
        if is_related(&member.grouped.series, &target.grouped.series)
            && rows.iter().all(|&row| !taken[row])
        {
            rows.iter().for_each(|&row| taken[row] = true);
            chosen.push(member);
        }
    }
    all_of(&chosen, target)
}

/// Whether a flag depends on a quasi-identifier with repeated values more than chance allows.
fn is_related(flag: &Series, quasi: &Series) -> bool {
    let both = flag.codes.iter().zip(&quasi.codes);
    let both: Vec<(u32, u32)> = both.filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let n = both.len() as f64;
    let (mut cells, mut rows, mut columns) =
        (vec![[0.0; 2]; quasi.n_codes], [0.0; 2], vec![0.0; quasi.n_codes]);
    for (flag, code) in both {
        cells[code as usize][flag as usize] += 1.0;
        rows[flag as usize] += 1.0;
        columns[code as usize] += 1.0;
    }
    // Pearson's chi-squared, which is about its degrees of freedom if the columns are independent.
    let part = |(code, cells): (usize, &[f64; 2])| -> f64 {
        let expected = [0, 1].map(|flag| rows[flag] * columns[code] / n);
        let terms = cells.iter().zip(expected).filter(|(_, expected)| *expected > 0.0);
        terms.map(|(cell, expected)| (cell - expected).powi(2) / expected).sum()
    };
    let chi: f64 = cells.iter().enumerate().map(part).sum();
    // The mean of chi-squared is its degrees of freedom, and its variance twice as much.
    let freedom = quasi.n_codes.saturating_sub(1).max(1) as f64;
    chi > freedom + RELATED * (2.0 * freedom).sqrt()
}

/// The records with the rarer of two values.
fn rarer(series: &Series) -> Vec<usize> {
    let rows_of = |code: u32| -> Vec<usize> {
        (0..series.codes.len()).filter(|&row| series.codes[row] == Some(code)).collect()
    };
    let (one, other) = (rows_of(0), rows_of(1));
    if one.len() < other.len() { one } else { other }
}

/// Returns the set of all these columns if it reveals the quasi-identifier.
fn all_of(chosen: &[&Member<'_>], target: &Member<'_>) -> Option<Together> {
    if chosen.len() < 2 {
        return None;
    }
    let series: Vec<&Series> = chosen.iter().map(|member| &member.grouped.series).collect();
    let leak = Grouped::new(Series::joint(&series)).gives_away(target.grouped)?;
    let columns = chosen.iter().map(|member| member.name.to_owned()).collect();
    let quasi = target.name.to_owned();
    Some(Together { columns, others: Vec::new(), quasi, leak, part: 1.0 })
}

/// Numbers that may reveal a number in pairs.
struct Numbers<'a> {
    members: Vec<Near<'a>>,
    target: &'a Member<'a>,
    of_target: [List; 2],
}

/// A column of numbers, and the closeness of each form to the target.
struct Near<'a> {
    member: &'a Member<'a>,
    /// Its numbers as they are, and their logarithms.
    lists: [List; 2],
    /// The correlation of each form with that of the target.
    closeness: [f64; 2],
    /// The share of wrong guesses that adding a constant corrects.
    exactness: f64,
}

/// Numbers of the tried records.
struct List {
    /// NaN if missing.
    numbers: Vec<f64>,
    /// The same with mean 0 and length 1; 0 if missing.
    standard: Vec<f64>,
    is_complete: bool,
}

/// A pair of columns that reveals the target.
struct Pair {
    one: usize,
    other: usize,
    leak: Leak,
    part: f64,
}

impl<'a> Numbers<'a> {
    fn new(members: &[&'a Member<'a>], target: &'a Member<'a>) -> Self {
        let rows = tried(target.grouped.series.codes.len(), RECORDS_TRIED);
        let of_target = lists(&target.grouped.series, &rows);
        let is_target = target.grouped.series.is_ordered() && target.grouped.series.n_codes > 2;
        let is_number = |member: &&&'a Member<'a>| {
            is_target && member.grouped.series.is_ordered() && member.grouped.series.n_codes > 1
        };
        let near = |member: &&'a Member<'a>| {
            let lists = lists(&member.grouped.series, &rows);
            let closeness =
                [0, 1].map(|form| product(&lists[form].standard, &of_target[form].standard));
            let exactness = exact::share_of_list(&lists[0].numbers, &of_target[0].numbers);
            Near { member, lists, closeness, exactness }
        };
        let mut members: Vec<Near<'a>> = members.iter().filter(is_number).map(near).collect();
        // The sort is stable, so the first of equally close columns is kept.
        members.sort_by(|a, b| b.closeness[0].abs().total_cmp(&a.closeness[0].abs()));
        members.truncate(NUMBERS_TRIED);
        Self { members, target, of_target }
    }

    /// The pairs that reveal the target, the closest first.
    fn pairs(&self) -> Vec<Together> {
        let mut found: Vec<Pair> = Vec::new();
        for one in 0..self.members.len() {
            for other in one + 1..self.members.len() {
                // A pair of decided columns cannot be left out, so it is not reported.
                let is_open = [one, other].iter().any(|&place| self.members[place].member.is_open);
                found.extend(is_open.then(|| self.pair(one, other)).flatten());
            }
        }
        // Shares as whole numbers, because sort keys must be totally ordered.
        let order = |leak: &Leak| (leak.restored as u8, Reverse((leak.share * 1e9) as u64));
        found.sort_by_key(|pair| (order(&pair.leak), pair.one, pair.other));
        let together = |pair: Pair| {
            // Members are sorted, so the first one reveals more of the target alone.
            let mut both = [pair.one, pair.other].map(|place| self.members[place].member);
            if !both[0].is_open {
                both.swap(0, 1);
            }
            Together { part: pair.part, ..pair_of(both, self.target, pair.leak) }
        };
        found.into_iter().map(together).collect()
    }

    /// The information that two columns reveal about the target if both are needed for it.
    fn pair(&self, one: usize, other: usize) -> Option<Pair> {
        let explained = [0, 1].into_iter().filter_map(|form| self.explained(one, other, form));
        if let Some((share, part)) = explained.max_by(|a, b| a.0.total_cmp(&b.0)) {
            return Some(Pair {
                one,
                other,
                leak: Leak { restored: Restored::Range, share },
                part,
            });
        }
        let both = [one, other].map(|place| &self.members[place]);
        let lists = both.map(|near| near.lists[0].numbers.as_slice());
        let share = exact::share_of_two(lists, &self.of_target[0].numbers);
        let alone = both[0].exactness.max(both[1].exactness).max(0.0);
        // A column that corrects half as much alone is found or accepted alone.
        let is_needed = are_needed(share, alone) || 2.0 * alone <= share;
        (share >= EXACT_OF_TWO && is_needed).then_some(Pair {
            one,
            other,
            leak: Leak { restored: Restored::Exactly, share },
            part: 1.0,
        })
    }

    /// The share of the target's variance that two columns explain in one of the forms, if both are
    /// needed for it, and the share of the records that have all three values.
    fn explained(&self, one: usize, other: usize, form: usize) -> Option<(f64, f64)> {
        let (a, b) = (&self.members[one], &self.members[other]);
        let (target, lists) = (&self.of_target[form], [&a.lists[form], &b.lists[form]]);
        let columns = lists.map(|list| list.numbers.as_slice());
        let is_complete = target.is_complete && lists.iter().all(|list| list.is_complete);
        let is_promising = if is_complete {
            is_correlated([a.closeness[form], b.closeness[form]], lists)
        } else {
            // Correlations are not reliable for the records that have all numbers.
            let step = target.numbers.len().div_ceil(FIRST_TRIED).max(1);
            let rows = (0..target.numbers.len()).step_by(step);
            fit(columns, &target.numbers, rows, FEWEST_TRIED).is_some_and(|fit| fit.is_promising())
        };
        if !is_promising {
            return None;
        }
        let n_known = target.numbers.iter().filter(|number| !number.is_nan()).count();
        let least = LEAST_RECORDS.max((LEAST_PART * n_known as f64) as usize);
        let fit = fit(columns, &target.numbers, 0..target.numbers.len(), least)?;
        let is_needed = are_needed(fit.share, fit.alone);
        let actual: Vec<f64> = fit.rows.iter().map(|&row| target.numbers[row]).collect();
        let share = in_ranks(&actual, &fit.fitted);
        let part = fit.rows.len() as f64 / n_known.max(1) as f64;
        (is_needed && share >= RANGE).then_some((share, part))
    }
}

/// Whether two columns without missing numbers explain much of a target that they have these
/// correlations with.
fn is_correlated([ay, by]: [f64; 2], lists: [&List; 2]) -> bool {
    let ab = product(&lists[0].standard, &lists[1].standard);
    // The share that two columns explain, from the three correlations.
    let both = (ay * ay + by * by - 2.0 * ay * by * ab) / (1.0 - ab * ab);
    ab.abs() < 0.9999 && both >= PROMISING && both > ay.powi(2).max(by.powi(2))
}

/// Pairs of categories that reveal the target, the closest first.
fn categories(members: &[&Member<'_>], target: &Member<'_>) -> Vec<Together> {
    let rows = tried(target.grouped.series.codes.len(), RECORDS_OF_CATEGORIES);
    let quasi = target.grouped.series.at(&rows);
    let mut near: Vec<(f64, usize, Series)> = Vec::new();
    for (place, member) in members.iter().enumerate() {
        let series = member.grouped.series.at(&rows);
        // Fewer than four records for each value leave too few for pairs of values.
        if series.n_codes > 1 && series.n_codes * 4 <= series.n_present() {
            near.push((series.groups().predicts(&quasi).max(0.0), place, series));
        }
    }
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    near.truncate(CATEGORIES_TRIED);
    let mut found: Vec<(f64, [&Member<'_>; 2])> = Vec::new();
    for (at, (better, one, series)) in near.iter().enumerate() {
        for (_, other, partner) in &near[at + 1..] {
            let mut both = [members[*one], members[*other]];
            if !both[0].is_open {
                both.swap(0, 1);
            }
            let guesses = series.with(partner).groups().guesses(&quasi);
            let share = guesses.corrected();
            // Half of the records must share their pair of values, so that they represent all.
            let is_common = guesses.n_records as usize * 2 >= quasi.n_present();
            let is_needed = are_needed(share, *better);
            if both[0].is_open && share >= VALUE && is_common && is_needed {
                found.push((share, both));
            }
        }
    }
    // The sort is stable, so pairs of columns that reveal more alone are first.
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let pair = |(share, both)| pair_of(both, target, Leak { restored: Restored::Value, share });
    found.into_iter().map(pair).collect()
}

/// Whether both columns of a pair are needed, given the shares that they reveal together and the
/// better one alone.
fn are_needed(together: f64, alone: f64) -> bool {
    alone < VALUE && 1.0 - together <= LEFT_OPEN * (1.0 - alone)
}

/// A pair of which the first column is to be left out.
fn pair_of(both: [&Member<'_>; 2], target: &Member<'_>, leak: Leak) -> Together {
    let [columns, others] = both.map(|member| vec![member.name.to_owned()]);
    Together { columns, others, quasi: target.name.to_owned(), leak, part: 1.0 }
}

/// At most `most` records from all over the sample.
pub(super) fn tried(n_records: usize, most: usize) -> Vec<usize> {
    let step = n_records.div_ceil(most).max(1);
    (0..n_records).step_by(step).collect()
}

/// The numbers of some records and their logarithms, which numbers up to 0 do not have.
fn lists(series: &Series, rows: &[usize]) -> [List; 2] {
    let number = |&row: &usize| {
        let code = series.codes[row].filter(|_| series.is_ordered());
        code.map_or(f64::NAN, |code| series.numbers[code as usize])
    };
    let numbers: Vec<f64> = rows.iter().map(number).collect();
    let logarithms = numbers.iter().map(|&n| if n > 0.0 { n.ln() } else { f64::NAN }).collect();
    [numbers, logarithms].map(List::new)
}

impl List {
    fn new(numbers: Vec<f64>) -> Self {
        let present = || numbers.iter().filter(|number| !number.is_nan());
        let mean = present().sum::<f64>() / present().count().max(1) as f64;
        let length = present().map(|number| (number - mean).powi(2)).sum::<f64>().sqrt();
        let standardized = |number: &f64| {
            if number.is_nan() || length == 0.0 { 0.0 } else { (number - mean) / length }
        };
        let standard = numbers.iter().map(standardized).collect();
        let is_complete = !numbers.iter().any(|number| number.is_nan());
        Self { numbers, standard, is_complete }
    }
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A linear equation for a column.
struct Fit {
    /// Share of the variance that it explains, and that the better column alone explains.
    share: f64,
    alone: f64,
    /// The records that have all numbers, and the values of the equation for them.
    rows: Vec<usize>,
    fitted: Vec<f64>,
}

impl Fit {
    fn is_promising(&self) -> bool {
        self.share >= PROMISING && self.share > self.alone
    }
}

/// Fits a target by two columns with least squares in some records. Returns `None` if fewer than
/// `least` have all numbers, or if the columns do not vary independently.
fn fit(
    columns: [&[f64]; 2],
    target: &[f64],
    rows: impl Iterator<Item = usize>,
    least: usize,
) -> Option<Fit> {
    let is_known = |&row: &usize| !target[row].is_nan() && columns.iter().all(|c| !c[row].is_nan());
    let rows: Vec<usize> = rows.filter(is_known).collect();
    if rows.len() < least {
        return None;
    }
    let mean = |list: &[f64]| rows.iter().map(|&row| list[row]).sum::<f64>() / rows.len() as f64;
    let centred = |list: &[f64]| -> Vec<f64> {
        let mean = mean(list);
        rows.iter().map(|&row| list[row] - mean).collect()
    };
    let (a, b, y) = (centred(columns[0]), centred(columns[1]), centred(target));
    // The normal equations of two columns.
    let (aa, bb, ab) = (product(&a, &a), product(&b, &b), product(&a, &b));
    let (ay, by, yy) = (product(&a, &y), product(&b, &y), product(&y, &y));
    let determinant = aa * bb - ab * ab;
    // Columns that are nearly multiples of each other have no stable weights.
    if determinant <= 1e-9 * aa * bb || yy <= 0.0 {
        return None;
    }
    let weights = [(ay * bb - by * ab) / determinant, (by * aa - ay * ab) / determinant];
    let deviations: Vec<f64> =
        a.iter().zip(&b).map(|(a, b)| weights[0] * a + weights[1] * b).collect();
    let left: f64 = y.iter().zip(&deviations).map(|(y, d)| (y - d).powi(2)).sum();
    let mean = mean(target);
    let fitted = deviations.iter().map(|deviation| mean + deviation).collect();
    let alone = (ay * ay / (aa * yy)).max(by * by / (bb * yy));
    Some(Fit { share: 1.0 - left / yy, alone, rows, fitted })
}

/// The share of the variance of the target's ranks that fitted numbers explain.
fn in_ranks(target: &[f64], fitted: &[f64]) -> f64 {
    let mut sorted = target.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = |number: f64| {
        let below = sorted.partition_point(|&other| other < number);
        let up_to = sorted.partition_point(|&other| other <= number);
        // Ties have the middle of their ranks.
        (below + up_to) as f64 / 2.0
    };
    let ranks: Vec<f64> = target.iter().map(|&number| rank(number)).collect();
    let mean = ranks.iter().sum::<f64>() / ranks.len().max(1) as f64;
    let variance: f64 = ranks.iter().map(|rank| (rank - mean).powi(2)).sum();
    // An equation errs by a little, so its value is rounded to the nearest number that occurs.
    let nearest = |number: f64| {
        let place = sorted.partition_point(|&other| other < number);
        let around = [place.saturating_sub(1), place.min(sorted.len() - 1)];
        let [below, above] = around.map(|place| sorted[place]);
        if number - below < above - number { below } else { above }
    };
    let left: f64 = (ranks.iter().zip(fitted))
        .map(|(own, &number)| (own - rank(nearest(number))).powi(2))
        .sum();
    1.0 - left / variance.max(f64::MIN_POSITIVE)
}
