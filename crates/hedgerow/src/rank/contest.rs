//! A contest between sources of hierarchies, such as constructed and hand-made ones.

use serde::Serialize;

use super::{Evaluated, Weights, rank};

/// The best candidate of a source, for one choice of weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Standing {
    /// Index of the candidate in the input.
    pub candidate: usize,
    /// Its place among all candidates: one more than the number of candidates with a higher score.
    pub place: usize,
    /// Its score.
    pub score: f64,
}

/// A choice of weights, with the best candidate of each source.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Round {
    /// The weights.
    pub weights: Weights,
    /// The best candidate of each source; `None` if a source has no candidate.
    pub best: Vec<Option<Standing>>,
}

/// The rounds that a source won, alone or together with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Wins {
    /// Rounds in which only this source has a candidate on the first place.
    pub won: usize,
    /// Rounds in which this source and another share the first place.
    pub drawn: usize,
}

/// Ranks candidates with each of the 35 choices of weights ([`Weights::grid`]) and finds the best
/// candidate of each source.
///
/// `sources` has the index of the source of each candidate, below `n_sources`.
///
/// # References
///
/// \[Ayala2016\], section 4 and figure 9; METHODS 5.7.
///
/// # Examples
///
/// ```
/// use hedgerow::format::Format;
/// use hedgerow::knowledge::{Knowledge, Senses};
/// use hedgerow::rank::{Question, contest, evaluate, meanings, wins};
/// use hedgerow::table::Table;
///
/// let table = Table::from_rows(&["job"], &[["surgeon"], ["nurse"], ["teacher"], ["nurse"]])?;
/// let (column, knowledge) = (&table.columns()[0], Knowledge::wordnet());
/// let read = |text: &str| Format::named("hrc")?.read(text, Some("job"));
/// let flat = read("person\n@surgeon\n@nurse\n@teacher\n")?;
/// let deep = read("person\n@health professional\n@@surgeon\n@@nurse\n@educator\n@@teacher\n")?;
/// let trees = [&flat, &deep];
/// let meanings = meanings(knowledge, column, &Senses::default(), &trees)?;
/// let candidates = evaluate(&Question { column, knowledge, meanings: &meanings, k: 2 }, &trees)?;
/// let rounds = contest(&candidates, &[0, 1], 2);
/// assert_eq!(rounds.len(), 35);
/// let [flat, deep] = [0, 1].map(|source| wins(&rounds, source));
/// assert_eq!(flat.won + deep.won + flat.drawn, 35);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn contest(candidates: &[Evaluated], sources: &[usize], n_sources: usize) -> Vec<Round> {
    Weights::grid()
        .into_iter()
        .map(|weights| round(candidates, sources, n_sources, weights))
        .collect()
}

fn round(candidates: &[Evaluated], sources: &[usize], n_sources: usize, weights: Weights) -> Round {
    let mut best: Vec<Option<Standing>> = vec![None; n_sources];
    // Scores that differ only by a rounding error are equal, as in `rank`.
    let coarse = |score: f64| (score * 1e9).round();
    let (mut place, mut last) = (0, f64::INFINITY);
    for (number, ranked) in (1..).zip(rank(candidates, &weights)) {
        if coarse(ranked.score) < last {
            (place, last) = (number, coarse(ranked.score));
        }
        let standing = Standing { candidate: ranked.candidate, place, score: ranked.score };
        best[sources[ranked.candidate]].get_or_insert(standing);
    }
    Round { weights, best }
}

/// Counts the rounds that a source won.
pub fn wins(rounds: &[Round], source: usize) -> Wins {
    let mut wins = Wins::default();
    for Round { best, .. } in rounds {
        let is_first = |standing: &Option<Standing>| standing.is_some_and(|found| found.place == 1);
        let n_first = best.iter().filter(|standing| is_first(standing)).count();
        match is_first(&best[source]) {
            true if n_first == 1 => wins.won += 1,
            true => wins.drawn += 1,
            false => {}
        }
    }
    wins
}

/// Returns by how many places the best candidate of `source` is before that of `other` in each
/// round; negative if it is behind.
pub fn leads(rounds: &[Round], source: usize, other: usize) -> Vec<i64> {
    let lead = |round: &Round| {
        let (own, others) = round.best[source].zip(round.best[other])?;
        Some(others.place as i64 - own.place as i64)
    };
    rounds.iter().filter_map(lead).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::{Aspects, Rewards};

    fn candidate(rewards: [usize; 4]) -> Evaluated {
        let [semantic, privacy, distortion, interval] = rewards;
        Evaluated {
            nodes: 5,
            aspects: Aspects { semantic: None, privacy: 0.0, distortion: 0.0, interval: 0.0 },
            rewards: Rewards { semantic, privacy, distortion, interval },
        }
    }

    #[test]
    fn equal_scores_share_a_place_and_are_a_draw() {
        // Equal by hand (1) and constructed (0), and one that is better by privacy only.
        let candidates = [[3, 2, 3, 3], [3, 2, 3, 3], [1, 3, 1, 1]].map(candidate);
        let rounds = contest(&candidates, &[0, 1, 0], 2);
        // Privacy alone, or three quarters of it, decides for the third.
        assert_eq!(wins(&rounds, 0), Wins { won: 4, drawn: 31 });
        assert_eq!(wins(&rounds, 1), Wins { won: 0, drawn: 31 });
        let privacy = rounds.iter().find(|round| round.weights.shares()[1] > 0.9).unwrap();
        assert_eq!(privacy.best[0].unwrap().candidate, 2);
        assert_eq!(privacy.best[1].unwrap().place, 2);
        assert_eq!(leads(&rounds, 0, 1).iter().sum::<i64>(), 4);
    }

    #[test]
    fn a_source_without_candidates_wins_nothing() {
        let rounds = contest(&[candidate([1; 4])], &[0], 2);
        assert_eq!(wins(&rounds, 1), Wins::default());
        assert_eq!((wins(&rounds, 0).won, leads(&rounds, 0, 1).len()), (35, 0));
    }
}
