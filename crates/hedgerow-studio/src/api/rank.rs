//! `GET /api/hierarchies/{column}/rank`: ranks the candidates of a column by four aspects.

use super::subject::Subject;
use super::{Answer, Call};
use crate::fault::Done;
use crate::studio::Studio;

#[cfg(feature = "wordnet")]
pub(super) fn get(studio: &Studio, call: &Call) -> Done<Answer> {
    let subject = Subject::of(studio, call.part("column"))?;
    let ranking = of(&subject, call.query("weights"))?;
    super::answer(&ranking)
}

#[cfg(not(feature = "wordnet"))]
pub(super) fn get(studio: &Studio, call: &Call) -> Done<Answer> {
    Subject::of(studio, call.part("column"))?;
    Err(super::senses::absent("ranking hierarchies"))
}

#[cfg(feature = "wordnet")]
pub(super) use ranking::{Ranking, of, place};

/// The place that a candidate would have with another tree: none, since nothing can be ranked.
#[cfg(not(feature = "wordnet"))]
#[expect(clippy::unnecessary_wraps, reason = "with the feature, weights can be wrong")]
pub(super) fn place(
    _: &Subject,
    _: Option<&str>,
    _: &str,
    _: &hedgerow::hierarchy::Hierarchy,
) -> Done<Option<(usize, usize)>> {
    Ok(None)
}

#[cfg(feature = "wordnet")]
mod ranking {
    use std::time::Instant;

    use hedgerow::hierarchy::Hierarchy;
    use hedgerow::knowledge::Knowledge;
    use hedgerow::rank::{self, Aspects, Evaluated, Question, Rewards, Weights};
    use serde::Serialize;

    use super::super::senses;
    use super::Subject;
    use crate::fault::{Done, Fault};

    /// The ranking of the candidates of a column.
    #[derive(Serialize)]
    pub(in super::super) struct Ranking {
        column: String,
        k: u64,
        weights: Shares,
        note: Option<String>,
        places: Vec<Entry>,
        milliseconds: f64,
    }

    #[derive(Serialize)]
    struct Shares {
        semantic: f64,
        privacy: f64,
        distortion: f64,
        interval: f64,
    }

    #[derive(Serialize)]
    struct Entry {
        place: usize,
        candidate: String,
        nodes: usize,
        score: f64,
        aspects: Aspects,
        rewards: Rewards,
    }

    /// Trees with more nodes in all are not ranked for a preview, which would take longer than a
    /// click may.
    const MOST_NODES: usize = 20_000;

    /// Ranks the candidates that are trees.
    pub(in super::super) fn of(subject: &Subject, weights: Option<&str>) -> Done<Ranking> {
        let start = Instant::now();
        let weights = parsed(weights)?;
        let candidates = trees(subject);
        if candidates.is_empty() {
            return Err(Fault::input("there is no tree to rank").advise("grow hierarchies first"));
        }
        let all: Vec<&Hierarchy> = candidates.iter().map(|(_, tree)| *tree).collect();
        let (evaluated, has_meaning) = evaluated(subject, &all)?;
        let place = |(place, ranked): (usize, rank::Ranked)| {
            let found = evaluated[ranked.candidate];
            Entry {
                place,
                candidate: candidates[ranked.candidate].0.to_owned(),
                nodes: found.nodes,
                score: ranked.score,
                aspects: found.aspects,
                rewards: found.rewards,
            }
        };
        let [semantic, privacy, distortion, interval] = weights.shares();
        Ok(Ranking {
            column: subject.name.clone(),
            k: subject.k,
            weights: Shares { semantic, privacy, distortion, interval },
            note: (!has_meaning).then(|| {
                format!(
                    "no value of {} has a meaning, so semantic is the same for all",
                    subject.name
                )
            }),
            places: (1..).zip(rank::rank(&evaluated, &weights)).map(place).collect(),
            milliseconds: 1e3 * start.elapsed().as_secs_f64(),
        })
    }

    /// The place of the candidate `id` if it had another tree, and the number of ranked ones.
    pub(in super::super) fn place(
        subject: &Subject,
        weights: Option<&str>,
        id: &str,
        tree: &Hierarchy,
    ) -> Done<Option<(usize, usize)>> {
        let candidates = trees(subject);
        let n_nodes: usize = candidates.iter().map(|(_, tree)| tree.len()).sum();
        let Some(own) = candidates.iter().position(|(name, _)| *name == id) else {
            return Ok(None);
        };
        let weights = parsed(weights)?;
        if n_nodes > MOST_NODES {
            return Ok(None);
        }
        let mut all: Vec<&Hierarchy> = candidates.iter().map(|(_, tree)| *tree).collect();
        all[own] = tree;
        // A candidate that lacks values of the column keeps all from being ranked.
        let Ok((evaluated, _)) = evaluated(subject, &all) else { return Ok(None) };
        let ranked = rank::rank(&evaluated, &weights);
        let place = ranked.iter().position(|ranked| ranked.candidate == own);
        Ok(place.map(|place| (place + 1, all.len())))
    }

    fn parsed(weights: Option<&str>) -> Done<Weights> {
        Ok(match weights {
            None | Some("") => Weights::default(),
            Some(text) => text.parse()?,
        })
    }

    /// The candidates that are trees.
    fn trees(subject: &Subject) -> Vec<(&str, &Hierarchy)> {
        (subject.family.candidates.iter())
            .filter_map(|one| Some((one.id.as_str(), one.generalization.hierarchy()?)))
            .collect()
    }

    /// The aspects of trees of the column, and whether any of its values has a meaning.
    fn evaluated(subject: &Subject, trees: &[&Hierarchy]) -> Done<(Vec<Evaluated>, bool)> {
        let knowledge = Knowledge::wordnet();
        let column = subject.column()?;
        let given = senses::given(subject, knowledge)?;
        let meanings = rank::meanings(knowledge, column, &given, trees)?;
        let question = Question { column, knowledge, meanings: &meanings, k: subject.k };
        Ok((rank::evaluate(&question, trees)?, meanings.iter().any(Option::is_some)))
    }
}
