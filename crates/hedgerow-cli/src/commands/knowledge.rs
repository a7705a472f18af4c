//! `hedgerow knowledge`: shows the senses of words and their similarity.

use std::fmt::Write as _;

use anyhow::Result;
use hedgerow::knowledge::{Concept, Knowledge, WORDNET_NOTICE};

use crate::Verdict;
use crate::args::{KnowledgeArgs, KnowledgeCommand};
use crate::console;

pub(crate) fn run(args: &KnowledgeArgs) -> Result<Verdict> {
    let text = match &args.command {
        KnowledgeCommand::Lookup { word, source } => {
            source.with(|knowledge| senses(knowledge, word))
        }
        KnowledgeCommand::Notice => Ok(WORDNET_NOTICE.to_owned()),
        KnowledgeCommand::Similarity { one, other, mode, source } => source.with(|knowledge| {
            let of = |name: &str| knowledge.concept(name).map(|c| knowledge.ancestors(c));
            let alike = knowledge.wu_palmer(&of(one)?, &of(other)?, *mode);
            Ok(format!("{alike:.6}\n"))
        }),
    };
    console::print(&text?)?;
    Ok(Verdict::Fine)
}

/// Returns the senses of a word and, if it may be a plural, of its singular.
fn senses(knowledge: &Knowledge, word: &str) -> Result<String> {
    let bases = knowledge.base_forms(word);
    let words = [word].into_iter().chain(bases.iter().map(String::as_str));
    let mut text = String::new();
    for word in words {
        for (number, sense) in (1..).zip(knowledge.senses(word)) {
            let word = word.to_lowercase().replace(' ', "_");
            let (name, definition) = (knowledge.name(sense), knowledge.glosses().text(sense));
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
        let _ = writeln!(text, "{}  {}", knowledge.name(sense), knowledge.glosses().text(sense));
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
