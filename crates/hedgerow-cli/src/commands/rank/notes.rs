//! Notes on the meanings of values.

use hedgerow::knowledge::{Concept, Knowledge};
use hedgerow::noun::counted;
use hedgerow::table::{Column, Kind};

use crate::console;

/// Maximum number of values without a meaning that are named.
const SHOWN: usize = 3;

/// Notes how many values each of several sources has, and what that means for the ranking.
pub(super) fn note_sources(knowledge: &Knowledge, meanings: &[Option<Concept>]) {
    if knowledge.sources().len() == 1 {
        return;
    }
    // Concepts of different sources share no ancestor, so each source counts alone.
    let n_of = |source: &str| {
        let is_of = |concept: &&Concept| knowledge.source_of(**concept) == source;
        meanings.iter().flatten().filter(is_of).count()
    };
    for source in knowledge.sources().filter(|source| n_of(source) == 0) {
        console::note(&format!("WARNING: the source {source} has none of the values"));
    }
    let counts = knowledge.sources().map(|source| format!("{} from {source}", n_of(source)));
    console::note(&format!(
        "values with a meaning: {}; values of different sources are not similar at all",
        counts.collect::<Vec<_>>().join(", ")
    ));
}

/// Returns a note on the values without a meaning and what to do, or `None` if all have one.
pub(super) fn without_meaning(
    column: &Column,
    knowledge: &Knowledge,
    meanings: &[Option<Concept>],
) -> Option<String> {
    let (name, source) = (&column.name, knowledge.source());
    let values = &column.domain.values;
    let lost: Vec<usize> = (0..values.len()).filter(|&code| meanings[code].is_none()).collect();
    if lost.is_empty() && !meanings.is_empty() {
        return None;
    }
    let kind = match values.kind() {
        // Numbers have no meanings to look up, so --senses would not help.
        Kind::Number => "numbers",
        Kind::Date => "dates",
        Kind::Code | Kind::Text if lost.len() == values.len() => {
            return Some(format!(
                "no value of {name} was found in {source}; state what they mean with --senses FILE, or use \
                 --knowledge FILE"
            ));
        }
        Kind::Code | Kind::Text => {
            let quoted = |&code: &usize| format!("'{}'", values.spelling(code));
            let some = lost.iter().take(SHOWN).map(quoted).collect::<Vec<_>>().join(", ");
            let more = match lost.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let of = counted(values.len(), "value");
            return Some(format!(
                "{} of {of} of {name} not found in {source}, so not similar to any value: {some}{more}; state what they \
                 mean with --senses FILE",
                lost.len()
            ));
        }
    };
    Some(format!("{kind} such as those of {name} are not words, so they have no meaning"))
}
