//! Figure 9: constructed against hand-made hierarchies, for all choices of weights.

use super::subjects::Subject;
use crate::Result;
use crate::chart::{Plot, Series, Svg};
use crate::rank::{Wins, contest, leads, wins};
use crate::reproduce::numbers::{fixed, mean};
use crate::reproduce::{Exhibit, Sheet, Verdict};

/// The values of k at which hierarchies are ranked.
const KS: [u64; 2] = [5, 50];

/// The contest of a column at one k.
struct Match {
    /// The name of the column.
    column: String,
    k: u64,
    constructed: Wins,
    by_hand: Wins,
    n_rounds: usize,
    /// By how many places the best constructed hierarchy is before the hand-made one.
    leads: Vec<f64>,
    /// The places of the hand-made one.
    places: Vec<f64>,
}

impl Match {
    fn of(subject: &Subject, k: u64) -> Result<Self> {
        // The hand-made hierarchy is the last candidate, so places from `n_constructed` on are of
        // source 1.
        let candidates = subject.evaluated(k)?;
        let n_constructed = subject.candidates.len();
        let sources: Vec<usize> =
            (0..candidates.len()).map(|place| usize::from(place >= n_constructed)).collect();
        let rounds = contest(&candidates, &sources, 2);
        // The rank of the hand-made hierarchy among all, which shows more than won or lost.
        let places = rounds.iter().filter_map(|round| round.best[1]);
        Ok(Self {
            column: subject.name(),
            k,
            constructed: wins(&rounds, 0),
            by_hand: wins(&rounds, 1),
            n_rounds: rounds.len(),
            leads: leads(&rounds, 0, 1).into_iter().map(|lead| lead as f64).collect(),
            places: places.map(|best| best.place as f64).collect(),
        })
    }

    fn row(&self) -> [String; 7] {
        [
            self.column.clone(),
            self.k.to_string(),
            self.constructed.won.to_string(),
            self.constructed.drawn.to_string(),
            self.by_hand.won.to_string(),
            fixed(mean(&self.leads), 1),
            fixed(mean(&self.places), 1),
        ]
    }
}

pub(super) fn exhibit(subjects: &[Subject]) -> Result<Exhibit> {
    // 35 choices: four weights in steps of a quarter that add up to 1.
    let (sheet, matches) = matches(subjects)?;
    let sum = |of: fn(&Match) -> usize| matches.iter().map(of).sum::<usize>();
    let (won, drawn) = (sum(|one| one.constructed.won), sum(|one| one.constructed.drawn));
    // Draws stay in the denominator: a draw is not a win of the constructed ones.
    let n_rounds = sum(|one| one.n_rounds);
    let share = 100.0 * won as f64 / n_rounds.max(1) as f64;
    let all_leads: Vec<f64> = matches.iter().flat_map(|one| one.leads.iter().copied()).collect();
    let exhibit = Exhibit::new("Figure 9", "constructed hierarchies win against hand-made ones")
        .says(
            "Over 35 choices of weights for each of four columns (140 cases), the best constructed hierarchy mostly ranks \
             before the hand-made one.",
        )
        .found(format!(
            "The best of up to 100 constructed hierarchies wins in {won} of {n_rounds} cases ({}%), {drawn} are drawn; it is \
             {} places before the hand-made one in the mean.",
            fixed(share, 0),
            fixed(mean(&all_leads), 1)
        ))
        .with_figure("leads", "Every point is one of the 35 choices of weights", plot(&matches))
        .with_sheet(sheet);
    // Never `Reproduced`: the hand-made hierarchies of the paper are not available.
    let note = "the hand-made hierarchies are ours, one for each column, and the best of many competes with one";
    Ok(if share > 50.0 {
        exhibit.verdict(Verdict::InDirection, format!("constructed ones win most cases; {note}"))
    } else {
        exhibit.verdict(Verdict::Not, format!("constructed ones do not win most cases; {note}"))
    })
}

/// The leads of the best constructed hierarchies at the greatest k, the greatest first.
fn plot(matches: &[Match]) -> Svg {
    let shown = matches.iter().filter(|found| found.k == KS[1]);
    let series = shown.map(|found| {
        let mut leads = found.leads.clone();
        leads.sort_by(|a, b| b.total_cmp(a));
        let line: Vec<(f64, f64)> = (1..).map(f64::from).zip(leads).collect();
        let point = |&(x, y): &(f64, f64)| (x, y, format!("{}: {y} places", found.column));
        Series { name: found.column.clone(), points: line.iter().map(point).collect(), line }
    });
    Plot {
        title: format!(
            "Lead of the best constructed hierarchy before the hand-made one, k = {}",
            KS[1]
        ),
        x: "choices of weights, by lead".to_owned(),
        is_linear: true,
        y: "lead in places".to_owned(),
        series: series.collect(),
        ..Plot::default()
    }
    .svg()
}

/// The contests of all columns that have a hand-made hierarchy, and their table.
fn matches(subjects: &[Subject]) -> Result<(Sheet, Vec<Match>)> {
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
    let mut matches = Vec::new();
    for subject in subjects.iter().filter(|subject| subject.by_hand.is_some()) {
        for k in KS {
            let found = Match::of(subject, k)?;
            sheet.row(found.row());
            matches.push(found);
        }
    }
    Ok((sheet, matches))
}
