//! Figure 10 and table 2: the time and memory of constructing and ranking hierarchies.

use super::subjects::Subject;
use crate::hierarchy::Hierarchy;
use crate::reproduce::numbers::fixed;
use crate::reproduce::{Exhibit, Materials, Sheet, Verdict};

pub(super) fn exhibit(subjects: &[Subject], materials: &Materials<'_>) -> Exhibit {
    let exhibit = Exhibit::new("Figure 10 and table 2", "time and memory")
        .says("Constructing and ranking about 100 hierarchies takes far less time than making one by hand.")
        .timed();
    let heads = ["column", ">candidates", ">nodes", ">constructing, s", ">ranking, s"];
    let mut sheet = Sheet::new("costs", "Seconds for each column", &heads);
    let mut longest = None;
    for subject in subjects {
        // Without a clock there are no rows, and the verdict below says why.
        let [Some(constructing), Some(ranking)] = subject.seconds else { continue };
        let n_nodes: usize = subject.candidates.iter().map(Hierarchy::len).sum();
        longest = Some(f64::max(longest.unwrap_or(0.0), constructing + ranking));
        sheet.row([
            subject.name(),
            subject.candidates.len().to_string(),
            n_nodes.to_string(),
            fixed(constructing, 3),
            fixed(ranking, 3),
        ]);
    }
    let Some(longest) = longest else {
        return exhibit.verdict(Verdict::NotMeasured, "this run has no clock");
    };
    // The maximum of the process, because the system reports no other; so it is not one for each
    // column.
    let memory = match materials.memory.and_then(|memory| memory()) {
        Some(bytes) => format!(
            " The whole run, with WordNet and all releases, has used at most {} MB.",
            fixed(bytes as f64 / 1e6, 0)
        ),
        None => String::new(),
    };
    exhibit
        .found(format!("At most {} s for a column.{memory}", fixed(longest, 2)))
        .with_sheet(sheet)
        .verdict(
            Verdict::InDirection,
            "seconds of two machines cannot be compared, and making a hierarchy by hand was not timed; the first \
             column includes decoding WordNet",
        )
}
