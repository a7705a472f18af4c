//! `hedgerow knowledge`: shows the senses of words and their similarity.

use std::fmt::Write as _;

use anyhow::Result;
use hedgerow::knowledge::{Concept, Knowledge, WORDNET_NOTICE};

use crate::Verdict;
use crate::args::{KnowledgeArgs, KnowledgeCommand};
use crate::console;

pub(crate) fn run(args: &KnowledgeArgs) -> Result<Verdict> {
    let text = match &args.command {
        KnowledgeCommand::Lookup { word, source } => lookup(&source.gather()?, word)?,
        KnowledgeCommand::Notice => WORDNET_NOTICE.to_owned(),
        KnowledgeCommand::Similarity { one, other, mode, source } => {
            let knowledge = source.gather()?;
            let concepts = [knowledge.concept(one)?, knowledge.concept(other)?];
            let [one, other] = concepts.map(|concept| knowledge.source_of(concept));
            // 0 would look like a measured distance between two meanings.
            if one != other {
                console::note(&format!(
                    "the senses come from {one} and {other}; concepts of different sources have \
                     nothing in common, so their similarity is 0"
                ));
            }
            let [one, other] = concepts.map(|concept| knowledge.ancestors(concept));
            format!("{:.6}\n", knowledge.wu_palmer(&one, &other, *mode))
        }
    };
    console::print(&text)?;
    Ok(Verdict::Fine)
}

/// Returns the senses of a word in every source that has it, under the names of the sources if
/// there are several.
fn lookup(knowledge: &Knowledge, word: &str) -> Result<String> {
    if knowledge.sources().len() == 1 {
        return senses(knowledge, word);
    }
    let mut text = String::new();
    let mut first = None;
    for source in knowledge.each_source() {
        let Ok(found) = senses(&source, word) else { continue };
        let _ = match &first {
            None => writeln!(text, "{}", source.source()),
            Some(first) => {
                let key = source.sources().next().unwrap_or_default();
                writeln!(text, "{}, after {first}; name it as in {key}:{word}", source.source())
            }
        };
        found.lines().for_each(|line| {
            let _ = writeln!(text, "  {line}");
        });
        // A value belongs to the first source that knows it; the others are shown with how to name
        // them.
        first.get_or_insert(source.source().to_owned());
    }
    // The error of the lookup names the sources and suggests similar words.
    if text.is_empty() {
        knowledge.concept(word)?;
    }
    Ok(text)
}

/// Returns the senses of a word and, if it may be a plural, of its singular.
fn senses(knowledge: &Knowledge, word: &str) -> Result<String> {
    let bases = knowledge.base_forms(word);
    // The word itself first: `glasses` has a sense of its own besides that of `glass`.
    let words = [word].into_iter().chain(bases.iter().map(String::as_str));
    let mut text = String::new();
    for word in words {
        for (number, sense) in (1..).zip(knowledge.senses(word)) {
            let word = word.to_lowercase().replace(' ', "_");
            let (name, definition) = (knowledge.name(sense), knowledge.definition(sense));
            let n_tags = knowledge.tag_count(&word, sense);
            let _ = writeln!(text, "{word}#{number}  {name}  {definition}");
            let _ = writeln!(text, "    {}", way_up(knowledge, sense));
            if n_tags > 0 {
                let _ = writeln!(text, "    occurrences in tagged texts: {n_tags}");
            }
        }
    }
    if text.is_empty() {
        let sense = knowledge.concept(word)?; // its error suggests similar names
        let _ = writeln!(text, "{}  {}", knowledge.name(sense), knowledge.definition(sense));
        let _ = writeln!(text, "    {}", way_up(knowledge, sense));
    }
    Ok(text)
}

/// Returns the path from a sense to the root, by the first parent of each concept.
fn way_up(knowledge: &Knowledge, sense: Concept) -> String {
    let way = std::iter::successors(Some(sense), |&c| knowledge.parents(c).first().copied());
    let names: Vec<String> = way.map(|concept| knowledge.label(concept)).collect();
    names.join(" < ")
}
