//! Figure 9: constructed against hand-made hierarchies, for all choices of weights.

use super::subjects::Subject;
use crate::Result;
use crate::rank::{Wins, contest, leads, wins};
use crate::reproduce::numbers::{fixed, mean};
use crate::reproduce::{Exhibit, Sheet, Verdict};

/// The values of k at which hierarchies are ranked.
const KS: [u64; 2] = [5, 50];

pub(super) fn exhibit(subjects: &[Subject]) -> Result<Exhibit> {
    let heads = [
        "column",
        ">k",
        ">constructed wins",
        ">drawn",
        ">by hand wins",
        ">mean lead in places",
        ">hand-made place, mean",
    ];
    let caption = "Wins of the best constructed hierarchy over 35 choices of weights";
    let mut sheet = Sheet::new("wins", caption, &heads);
    let (mut total, mut n_rounds) = (Wins::default(), 0);
    let mut all_leads: Vec<f64> = Vec::new();
    for subject in subjects.iter().filter(|subject| subject.by_hand.is_some()) {
        for k in KS {
            let candidates = subject.evaluated(k)?;
            let n_constructed = subject.candidates.len();
            let sources: Vec<usize> =
                (0..candidates.len()).map(|place| usize::from(place >= n_constructed)).collect();
            let rounds = contest(&candidates, &sources, 2);
            let [constructed, by_hand] = [0, 1].map(|source| wins(&rounds, source));
            let leads: Vec<f64> =
                leads(&rounds, 0, 1).into_iter().map(|lead| lead as f64).collect();
            let places: Vec<f64> = rounds
                .iter()
                .filter_map(|round| round.best[1])
                .map(|best| best.place as f64)
                .collect();
            sheet.row([
                subject.name(),
                k.to_string(),
                constructed.won.to_string(),
                constructed.drawn.to_string(),
                by_hand.won.to_string(),
                fixed(mean(&leads), 1),
                fixed(mean(&places), 1),
            ]);
            (total.won, total.drawn) =
                (total.won + constructed.won, total.drawn + constructed.drawn);
            n_rounds += rounds.len();
            all_leads.extend(leads);
        }
    }
    let share = 100.0 * total.won as f64 / n_rounds.max(1) as f64;
    let lead = mean(&all_leads);
    let exhibit = Exhibit::new("Figure 9", "constructed hierarchies win against hand-made ones")
        .says(
            "Over 35 choices of weights for each of four columns (140 cases), the best constructed hierarchy mostly ranks \
             before the hand-made one.",
        )
        .found(format!(
            "The best of 100 constructed hierarchies wins in {} of {n_rounds} cases ({}%), {} are drawn; it is {} places \
             before the hand-made one in the mean.",
            total.won,
            fixed(share, 0),
            total.drawn,
            fixed(lead, 1)
        ))
        .with_sheet(sheet);
    let note = "the hand-made hierarchies are ours, one for each column, and the best of 100 competes with one";
    Ok(if share > 50.0 {
        exhibit.verdict(Verdict::InDirection, format!("constructed ones win most cases; {note}"))
    } else {
        exhibit.verdict(Verdict::Not, format!("constructed ones do not win most cases; {note}"))
    })
}
