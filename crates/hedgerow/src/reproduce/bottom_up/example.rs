//! Example 1 and figure 2: a search of one step, with the TEA index before and after it.

use std::sync::Arc;

use crate::Result;
use crate::anonymize::{BottomUp, Considered, Scene};
use crate::format::Format;
use crate::hierarchy::Generalization;
use crate::privacy::{KAnonymity, Secret};
use crate::problem::{Limits, Problem};
use crate::progress::Progress;
use crate::reproduce::numbers::fixed;
use crate::reproduce::{Exhibit, Sheet, Verdict};
use crate::table::{Columns, Encoding, Part, Table};

/// The records of the example: the values of each vid, and its numbers of records with Y and N.
const VIDS: [([&str; 3], u32, u32); 9] = [
    (["c1", "b2", "a3"], 0, 4),
    (["c1", "b2", "c3"], 0, 4),
    (["c1", "b2", "d3"], 0, 3),
    (["c1", "c2", "a3"], 2, 1),
    (["c1", "c2", "b3"], 2, 2),
    (["d1", "c2", "b3"], 4, 0),
    (["d1", "c2", "e3"], 2, 0),
    (["d1", "d2", "b3"], 2, 1),
    (["d1", "d2", "e3"], 2, 0),
];

const COLUMNS: [&str; 3] = ["Rel", "Race", "Work"];

/// As much of the trees as the example needs.
const TREES: [&str; 3] = [
    "c1;f1;*\nd1;f1;*\nb1;b1;*\n",
    "b2;b2;*\nc2;f2;*\nd2;f2;*\n",
    "a3;a3;*\nb3;b3;*\nc3;f3;*\nd3;f3;*\ne3;e3;*\n",
];

/// The requirement of the example.
const K: u64 = 3;

pub(super) fn exhibit(progress: &dyn Progress) -> Result<Exhibit> {
    let scenes = BottomUp::default().scenes(&problem()?, progress)?;
    let mut exhibit = Exhibit::new("Example 1 and figure 2", "one step, and the TEA index").says(
        "Of 29 records two combinations of values have only 2 (A = 2), and K = 3. Only f2 is critical: it is \
         chosen, although f3 loses less information. Then the two combinations have 7 and 4 records, and A = 3.",
    );
    let chosen = scenes[0].considered.iter().find(|one| one.is_chosen);
    exhibit = exhibit.found(found(&scenes, chosen));
    exhibit = if holds(&scenes) {
        exhibit.verdict(Verdict::Reproduced, "every statement holds")
    } else {
        exhibit.verdict(Verdict::Not, "a statement does not hold")
    };
    for (number, scene) in scenes.iter().enumerate() {
        // The example takes one step, so there are two scenes if it is reproduced.
        let when = if number == 0 { "before" } else { "after" };
        let title = format!("The TEA index {when} the step, A = {}", scene.smallest);
        let caption = "A path is a combination of values, with its number of records below; the smallest are \
                       filled dark. Frames are segments: siblings that the named generalization replaces.";
        exhibit = exhibit.with_figure(&format!("tea-{number}"), caption, scene.index.svg(&title));
    }
    Ok(exhibit.with_sheet(sheet(&scenes[0])))
}

fn found(scenes: &[Scene], chosen: Option<&Considered>) -> String {
    let chosen = chosen.map_or("none", |one| one.node.as_str());
    let of = |is: fn(&Considered) -> bool| {
        let found = scenes[0].considered.iter().filter(|one| is(one));
        found.map(|one| one.node.as_str()).collect::<Vec<_>>().join(", ")
    };
    format!(
        "A = {}; valid: {}; candidates by the index: {}; critical: {}; chosen: {chosen}; then A = {}.",
        scenes[0].smallest,
        of(|_| true),
        of(|one| one.is_candidate),
        // Critical: it makes the smallest class larger, P(G) > 0.
        of(|one| one.gain > 0),
        scenes.last().map_or(0, |scene| scene.smallest)
    )
}

/// Whether all that the paper states about the example holds.
fn holds(scenes: &[Scene]) -> bool {
    let [before, after] = scenes else { return false };
    let one = |name: &str| before.considered.iter().find(|one| one.node == name);
    let (Some(f2), Some(f3)) = (one("f2"), one("f3")) else { return false };
    // The two combinations with 2 records are marked in the index.
    let n_smallest = before.index.nodes.iter().filter(|node| node.is_marked).count();
    let only_f2 = before.considered.iter().all(|one| (one.gain > 0) == (one.node == "f2"));
    let sizes: Vec<u64> = after.index.nodes.iter().filter_map(|node| node.count).collect();
    (before.smallest, after.smallest, n_smallest) == (2, 3, 2)
        && only_f2
        && f2.is_chosen
        // f3 loses less, yet f2 is chosen: IP(G) is infinite where nothing is gained.
        && f3.loss < f2.loss
        && sizes.ends_with(&[7, 4])
}

fn sheet(scene: &Scene) -> Sheet {
    let heads = ["generalization", ">I(G)", ">A after", ">P(G)", ">IP(G)", "candidate", "chosen"];
    let mut sheet = Sheet::new("example", "The valid generalizations of example 1", &heads);
    for one in &scene.considered {
        // IP(G) = I(G) / P(G): the information lost for each unit of anonymity gained.
        let ip =
            if one.gain > 0 { fixed(one.loss / one.gain as f64, 6) } else { "infinite".to_owned() };
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        sheet.row([
            format!("{} of {}", one.node, one.attribute),
            fixed(one.loss, 6),
            one.after.to_string(),
            one.gain.to_string(),
            ip,
            yes(one.is_candidate),
            yes(one.is_chosen),
        ]);
    }
    sheet
}

fn problem() -> Result<Problem> {
    let mut part = Part::default();
    for (values, n_yes, n_no) in VIDS {
        for (label, count) in [("Y", n_yes), ("N", n_no)] {
            for _ in 0..count {
                part.push(values.iter().chain([&label]).map(|value| value.as_bytes()), true)?;
            }
        }
    }
    let columns = Columns::quasi(&COLUMNS).and_beside(&["class"]);
    let table = Table::assemble(&columns, vec![part], &Encoding::default())?;
    let arx = Format::named("arx")?;
    let trees = TREES.iter().map(|text| arx.read(text, None).map(Generalization::from));
    let class = Some(Arc::new(Secret::of(&table, "class")?));
    let limits = Limits { class, ..Limits::default() };
    let models = vec![Box::new(KAnonymity::new(K)?) as _];
    Problem::with_limits(&table, trees.collect::<Result<_>>()?, models, limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    #[test]
    fn the_example_has_three_valid_two_possible_and_one_critical_generalization() {
        let scenes = BottomUp::default().scenes(&problem().unwrap(), &Silent).unwrap();
        assert_eq!(scenes.iter().map(|scene| scene.smallest).collect::<Vec<_>>(), [2, 3]);
        let found: Vec<(&str, u64, bool, bool)> = (scenes[0].considered.iter())
            .map(|one| (one.node.as_str(), one.gain, one.is_candidate, one.is_chosen))
            .collect();
        assert_eq!(found, [("f1", 0, true, false), ("f2", 1, true, true), ("f3", 0, false, false)]);
        let index = &scenes[0].index;
        // Two entries for Rel, four for Race and nine vids, two of which are smallest.
        let on = |level| index.nodes.iter().filter(|node| node.level == level).count();
        assert_eq!([on(0), on(1), on(2)], [2, 4, 9]);
        let segments = index.nodes.iter().filter(|node| node.segment.as_deref() == Some("f2"));
        assert_eq!(segments.count(), 3);
        // Afterwards c2 and d2 are one entry below each value of Rel.
        let after = &scenes[1].index;
        assert_eq!(after.nodes.iter().filter(|node| node.level == 2).count(), 7);
        assert!(after.nodes.iter().any(|node| node.label == "f2" && node.level == 1));
    }

    #[test]
    fn the_exhibit_is_reproduced() {
        let exhibit = exhibit(&Silent).unwrap();
        assert_eq!(exhibit.verdict, Verdict::Reproduced);
        assert_eq!(exhibit.figures.len(), 2);
        assert_eq!(exhibit.sheets[0].rows[1][1], "0.000805");
    }
}
