//! The best cell, its lead, and whether the difference is more than chance.

use serde::Serialize;

use super::lists::distinct;
use super::row::Row;
use super::weights::Weighed;
use super::{Repeat, Weights};
use crate::noun::counted;
use crate::report::page::html::percent;

/// The best cell of those with the same models.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// The models of these cells.
    pub models: String,
    /// The number of the best cell; `None` if all are impossible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<usize>,
    /// The cell that it is compared with: the best of another method or other hierarchies with the
    /// same k, or else the next best of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival: Option<usize>,
    /// Difference between the scores of the rival and of the best cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<f64>,
    /// The same comparison with other seeds; `None` if nothing was repeated, if neither cell uses
    /// the seed, or if only time is weighed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Ahead>,
    /// The same comparison on bootstrap samples; `None` if nothing was repeated or only time is
    /// weighed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<Ahead>,
    /// Number of times that each method with its hierarchies loses least among those with the same
    /// k, the greatest first. It is empty if there is only one.
    pub wins: Vec<Wins>,
    /// The cells of the Pareto front of loss and average risk.
    pub front: Vec<usize>,
    /// All of this in words.
    pub sentence: String,
}

/// Number of repetitions in which the best cell is ahead of its rival.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Ahead {
    /// Number of repetitions that both cells could do.
    pub runs: usize,
    /// Number of these in which the best cell is ahead.
    pub ahead: usize,
    /// The least difference.
    pub least: f64,
    /// The greatest difference.
    pub most: f64,
    /// The probability of being ahead at least that often if both were equally good.
    pub by_chance: f64,
}

/// Number of values of k at which a method with its hierarchies loses least.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Wins {
    /// The method and the hierarchies.
    pub way: String,
    /// Number of values of k at which it loses least, alone or with others.
    pub wins: usize,
    /// Number of values of k at which several could be compared.
    pub of: usize,
}

/// A difference is more than chance if chance gives it with at most this probability.
const CHANCE: f64 = 0.05;

impl Verdict {
    /// The verdict on the cells of one set of models, which have their scores.
    pub(super) fn on(models: &str, rows: &[&Row], weights: &Weights) -> Self {
        let mut verdict = Self {
            models: models.to_owned(),
            best: None,
            rival: None,
            by: None,
            seeds: None,
            samples: None,
            wins: wins(rows),
            front: rows.iter().filter(|row| row.on_front).map(|row| row.cell).collect(),
            sentence: String::new(),
        };
        let Some(best) = least(rows, |_| true) else {
            let sentence = "None of these cells is possible.".to_owned();
            return Self { sentence, ..verdict };
        };
        verdict.best = Some(best.cell);
        // The same k and another way: a higher k usually loses more, which would not compare
        // methods.
        let is_like = |row: &Row| row.k == best.k && row.way() != best.way();
        let rival = least(rows, is_like).or_else(|| least(rows, |row| row.cell != best.cell));
        if let Some(rival) = rival {
            verdict.rival = Some(rival.cell);
            verdict.by = Some(rival.score.unwrap_or(0.0) - best.score.unwrap_or(0.0));
            verdict.seeds = Ahead::with_seeds(best, rival, weights);
            let samples = (best.samples.as_deref(), rival.samples.as_deref());
            // Both cells were run on the same samples, so differences are paired and the spread of
            // samples cancels.
            verdict.samples = samples.0.zip(samples.1).and_then(|(b, r)| Ahead::of(b, r, weights));
        }
        verdict.sentence = verdict.said(best, rival, weights);
        verdict
    }

    fn said(&self, best: &Row, rival: Option<&Row>, weights: &Weights) -> String {
        let figures = best.figures.as_ref();
        let (loss, risk) = figures.map_or((0.0, 0.0), |f| (f.ntil(), f.risk.average));
        let among =
            if self.models == "none" { String::new() } else { format!(" with {}", self.models) };
        let mut said = vec![format!(
            "Best under the weights {weights}{among}: {}, k = {}. It loses {} (NTIL) at an average risk of \
             {}, a score of {}.",
            best.said(),
            best.k,
            percent(loss),
            percent(risk),
            score(best.score.unwrap_or(0.0))
        )];
        if let Some(rival) = rival {
            let at = if rival.k == best.k {
                "The next at this k".to_owned()
            } else {
                format!("The next, at k = {},", rival.k)
            };
            let by = self.by.unwrap_or(0.0);
            // Equal scores are called equal: the first in the grid is not better.
            said.push(if by > 0.0 {
                let value = score(rival.score.unwrap_or(0.0));
                format!("{at} is {}: {value}, {} more.", rival.said(), score(by))
            } else {
                format!("{at} is {}, which has the same score.", rival.said())
            });
            if by > 0.0 {
                said.extend(self.chance(best, rival, weights));
            }
        }
        said.extend(self.won());
        said.join(" ")
    }

    /// Whether the difference is larger than that of seeds and of samples.
    fn chance(&self, best: &Row, rival: &Row, weights: &Weights) -> Vec<String> {
        // Without repetitions the sentence states that nothing is known about chance.
        if best.samples.is_none() || rival.samples.is_none() {
            return vec![
                "Nothing was repeated, so it is not known whether the difference is larger than that of \
                 seeds and of samples."
                    .to_owned(),
            ];
        }
        if !weights.has_repeated() {
            return vec![
                "Time is not repeated, so it is not known whether the difference is larger than that of \
                 seeds and of samples."
                    .to_owned(),
            ];
        }
        let time = "Time is not repeated: what follows is about the other figures alone.";
        let samples = match self.samples {
            Some(ahead) => ahead.said("bootstrap sample", "samples"),
            None => "No bootstrap sample could be run by both.".to_owned(),
        };
        let seeds = match self.seeds {
            Some(ahead) => ahead.said("other seed", "seeds"),
            None => "Neither depends on the seed.".to_owned(),
        };
        let time = (weights.seconds > 0.0).then(|| time.to_owned());
        time.into_iter().chain([samples, seeds]).collect()
    }

    /// Names the method that loses least at equal k.
    fn won(&self) -> Option<String> {
        let first = self.wins.first()?;
        // `first` equals itself, hence the subtraction.
        let n_equal = self.wins.iter().filter(|other| other.wins == first.wins).count() - 1;
        let others = match n_equal {
            0 => String::new(),
            n => format!(", and so {} {}", if n == 1 { "does" } else { "do" }, counted(n, "other")),
        };
        let of = counted(first.of, "value");
        Some(format!(
            "At equal k, {} loses least at {} of {of} of k{others}.",
            first.way, first.wins
        ))
    }
}

impl Ahead {
    /// Compares repetitions of two cells one by one; `None` if nothing that is repeated is weighed.
    fn of(best: &[Option<Repeat>], rival: &[Option<Repeat>], weights: &Weights) -> Option<Self> {
        let score = |repeat: &Repeat| {
            let &Repeat { loss, risk, highest_risk } = repeat;
            // Time is left out: it is measured while other cells run, and repetitions would compare
            // noise.
            weights.score(Weighed { loss, risk, highest_risk, seconds: 0.0 })
        };
        let pairs = best.iter().zip(rival).filter_map(|(b, r)| Some((b.as_ref()?, r.as_ref()?)));
        let by: Vec<f64> = pairs.map(|(best, rival)| score(rival) - score(best)).collect();
        let ahead = by.iter().filter(|&&by| by > 0.0).count();
        (weights.has_repeated() && !by.is_empty()).then(|| Self {
            runs: by.len(),
            ahead,
            least: by.iter().copied().fold(f64::INFINITY, f64::min),
            most: by.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            // A sign test: it assumes nothing about the distribution of the differences.
            by_chance: tail(by.len(), ahead),
        })
    }

    /// With other seeds; a cell that does not use the seed has the same figures with all of them.
    fn with_seeds(best: &Row, rival: &Row, weights: &Weights) -> Option<Self> {
        let n = best.seeds.as_ref().or(rival.seeds.as_ref())?.len();
        let of = |row: &Row| match &row.seeds {
            Some(seeds) => seeds.clone(),
            // Repeated, so that a method without random choices can be paired with one that has
            // them.
            None => vec![row.figures.as_ref().map(super::Figures::repeat); n],
        };
        Self::of(&of(best), &of(rival), weights)
    }

    fn said(&self, one: &str, many: &str) -> String {
        let Self { runs, ahead, least, most, by_chance } = *self;
        let range = match runs {
            _ if score(least) == score(most) => format!("by {}", score(least)),
            _ => format!("by {} to {}", score(least), score(most)),
        };
        let so = if by_chance <= CHANCE {
            format!("so the difference is larger than that of {many}")
        } else if runs < 5 {
            // Even 4 of 4 have a probability of 1/16, so fewer than 5 are not significant.
            format!("but {runs} are too few to tell the difference from that of {many}")
        } else {
            format!("so the difference is not larger than that of {many}")
        };
        format!("With {} it is ahead in {ahead}, {range}, {so}.", counted(runs, one))
    }
}

/// The probability of at least `ahead` heads in `n` throws of a coin.
fn tail(n: usize, ahead: usize) -> f64 {
    // The terms are products of probabilities, so they neither overflow nor need factorials.
    let mut term = 0.5f64.powi(n as i32);
    let mut sum = 0.0;
    for heads in 0..=n {
        if heads >= ahead {
            sum += term;
        }
        term *= (n - heads) as f64 / (heads + 1) as f64;
    }
    sum.min(1.0)
}

/// The row with the least score of those that are wanted; of equal ones the first.
fn least<'a>(rows: &[&'a Row], is_wanted: impl Fn(&Row) -> bool) -> Option<&'a Row> {
    let scored =
        rows.iter().filter(|row| is_wanted(row)).filter_map(|row| Some((row.score?, *row)));
    scored.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, row)| row)
}

/// Counts the values of k at which each method with its hierarchies loses least.
fn wins(rows: &[&Row]) -> Vec<Wins> {
    let ways = distinct(rows.iter().map(|row| row.said()));
    let mut ks: Vec<u64> = rows.iter().map(|row| row.k).collect();
    ks.sort_unstable();
    ks.dedup();
    let mut found: Vec<Wins> = ways.into_iter().map(|way| Wins { way, wins: 0, of: 0 }).collect();
    for k in ks {
        let done = rows.iter().filter(|row| row.k == k);
        let losses: Vec<(String, f64)> =
            done.filter_map(|row| Some((row.said(), row.figures.as_ref()?.ntil()))).collect();
        // At a k that only one way attains there is no competition.
        if losses.len() < 2 {
            continue;
        }
        let least = losses.iter().map(|(_, loss)| *loss).fold(f64::INFINITY, f64::min);
        for wins in &mut found {
            wins.of += 1;
            wins.wins +=
                usize::from(losses.iter().any(|(way, loss)| *way == wins.way && *loss <= least));
        }
    }
    found.retain(|wins| wins.of > 0);
    // The sort is stable, so ties stay in the order of the grid.
    found.sort_by_key(|wins| std::cmp::Reverse(wins.wins));
    found
}

/// A score with four decimals.
fn score(score: f64) -> String {
    format!("{score:.4}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coin_falls_on_one_side_five_times_in_three_percent() {
        assert!((tail(5, 5) - 1.0 / 32.0).abs() < 1e-12);
        assert!((tail(10, 9) - 11.0 / 1024.0).abs() < 1e-12);
        assert!((tail(4, 0) - 1.0).abs() < 1e-12);
        assert!(tail(1000, 500) > 0.5 && tail(1000, 500) < 0.52);
    }

    #[test]
    fn time_is_not_repeated() {
        let repeat = |loss| Some(Repeat { loss, risk: 0.1, highest_risk: 0.2 });
        let [best, rival] = [[0.1; 5], [0.2; 5]].map(|all| all.map(repeat));
        let ahead = |weights: &str| Ahead::of(&best, &rival, &weights.parse().unwrap());
        assert_eq!(ahead("seconds=1"), None);
        assert_eq!(ahead("loss=1,seconds=1").unwrap().ahead, 5);
    }

    #[test]
    fn few_repetitions_do_not_tell() {
        let repeat = |loss| Some(Repeat { loss, risk: 0.1, highest_risk: 0.2 });
        let ahead = |best: &[f64], rival: &[f64]| {
            let [best, rival] =
                [best, rival].map(|all| all.iter().map(|&loss| repeat(loss)).collect::<Vec<_>>());
            Ahead::of(&best, &rival, &Weights::default())
                .unwrap()
                .said("bootstrap sample", "samples")
        };
        let three = ahead(&[0.1; 3], &[0.2; 3]);
        assert!(three.contains("ahead in 3, by 0.0500, but 3 are too few"), "{three}");
        let five = ahead(&[0.1; 5], &[0.2, 0.3, 0.2, 0.2, 0.2]);
        assert!(five.contains("by 0.0500 to 0.1000, so the difference is larger"), "{five}");
        let mixed = ahead(&[0.1; 6], &[0.2, 0.0, 0.2, 0.0, 0.2, 0.0]);
        assert!(
            mixed.contains("ahead in 3, by -0.0500 to 0.0500, so the difference is not"),
            "{mixed}"
        );
    }
}
