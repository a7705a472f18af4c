//! The senses file, in which users define the meanings of values.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use hashbrown::HashMap;

use super::resolve::Meaning;
use super::{Concept, Knowledge};
use crate::error::{Advice, nearest};
use crate::how::How;
use crate::table::Domain;
use crate::{Error, Result, file};

/// Meanings of values from a file of lines `value = "nurse.n.01"`; several senses are joined by
/// `|`.
#[derive(Debug, Clone, Default)]
pub struct Senses {
    of: HashMap<String, Vec<(String, Concept)>>,
}

impl Senses {
    /// Reads a senses file for the values of a column; without a path, no meanings are defined.
    pub fn read(path: Option<&Path>, knowledge: &Knowledge, domain: &Domain) -> Result<Self> {
        let Some(path) = path else { return Ok(Self::default()) };
        let text = file::read_to_string(path)?;
        Self::of_text(&text, knowledge, domain).map_err(|error| error.in_file(path))
    }

    /// Reads the text of a senses file for the values of a column.
    pub fn of_text(text: &str, knowledge: &Knowledge, domain: &Domain) -> Result<Self> {
        let spelt: Vec<_> = (0..domain.len()).map(|code| domain.values.spelling(code)).collect();
        // Entries are matched with spellings, so that a typo in the file is an error.
        let values: Vec<&str> = spelt.iter().map(|value| &**value).collect();
        Self::parse(text, knowledge, &values)
    }

    /// Uses senses that are given by value, for the values of a column.
    pub(crate) fn of_map(
        senses: &BTreeMap<String, String>,
        knowledge: &Knowledge,
        domain: &Domain,
    ) -> Result<Self> {
        let mut of = HashMap::new();
        for (value, said) in senses {
            if domain.code_of(value).is_none() {
                return Err(Error::invalid(format!("the column has no value '{value}'")));
            }
            of.insert(value.clone(), concepts(said, knowledge)?);
        }
        Ok(Self { of })
    }

    /// Parses the text of a senses file; errors have the line number.
    fn parse(text: &str, knowledge: &Knowledge, values: &[&str]) -> Result<Self> {
        let line_of = |place: usize| text[..place].lines().count().max(1) as u64;
        let advice = || [Advice::words("write \"value\" = \"nurse.n.01\"")];
        let table = toml::de::DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            let problem = format!("this is not a line of a senses file ({})", error.message());
            Error::syntax(line as u64, problem).advise(advice())
        })?;
        let mut of = HashMap::new();
        for (value, said) in table.get_ref() {
            let line = line_of(value.span().end);
            let value = value.get_ref();
            if !values.contains(&&**value) {
                return Err(Error::syntax(line, not_a_value(value, values)));
            }
            let Some(said) = said.get_ref().as_str() else {
                let problem = format!("the meaning of '{value}' is not a text");
                return Err(Error::syntax(line, problem).advise(advice()));
            };
            let senses = concepts(said, knowledge)
                .map_err(|error| Error::syntax(line, error.problem()).advise(error.advice()))?;
            of.insert(value.to_string(), senses);
        }
        Ok(Self { of })
    }

    /// Returns the senses of a value, or `None` if the file has no entry for it.
    pub fn get(&self, value: &str) -> Option<&[(String, Concept)]> {
        self.of.get(value).map(Vec::as_slice)
    }
}

/// Returns the concepts that a text names, joined by `|`.
fn concepts(said: &str, knowledge: &Knowledge) -> Result<Vec<(String, Concept)>> {
    // A name may itself contain `|`; split only if it is not a concept as a whole.
    let is_one = knowledge.find(said).is_some();
    let names = said.split(|c| c == '|' && !is_one).map(str::trim);
    let concept = |name: &str| Ok((name.to_owned(), knowledge.concept(name)?));
    names.filter(|name| !name.is_empty()).map(concept).collect()
}

/// Describes an entry for a value that the column does not have.
fn not_a_value(value: &str, values: &[&str]) -> String {
    let near = nearest(value, values.iter().copied())
        .map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
    format!("the column has no value '{value}'{near}")
}

/// Returns a senses file with the meanings that were found, ready to edit.
///
/// Other senses, scores and hints follow each value as a comment.
pub fn template(knowledge: &Knowledge, meanings: &[Meaning]) -> String {
    let mut text = format!(
        "# What the values mean, in {}. Correct what is wrong and give the file as senses.\n\
         # Several senses are joined by |. A value with \"\" is placed directly below the root.\n\
         # A value after a # was found by a part only, and is placed below that, or was not found: remove the # to\n\
         # state what it means.\n\n",
        knowledge.source()
    );
    for meaning in meanings {
        let names: Vec<String> =
            meaning.parts.iter().map(|part| knowledge.name(part.sense)).collect();
        // Uncertain meanings are commented out, so that users must confirm them.
        let is_part = matches!(meaning.how, How::Head | How::WithoutParenthesis | How::Unknown);
        let (value, names) = (quoted(&meaning.value), quoted(&names.join("|")));
        let sign = if is_part { "# " } else { "" };
        let mut line = format!("{sign}{value} = {names}  # {}", meaning.how.name());
        for part in meaning.parts.iter().filter(|part| part.scores.len() > 1) {
            let sense =
                |&(sense, score): &(Concept, u64)| format!("{} {score}", knowledge.name(sense));
            let senses: Vec<String> = part.scores.iter().map(sense).collect();
            let _ = write!(line, "; {}: {}", part.word, senses.join(", "));
        }
        if meaning.how == How::Unknown && !meaning.hints.is_empty() {
            let _ = write!(line, "; it has {}", meaning.hints.join(", "));
        }
        // Control characters in a value must not end the comment.
        text.extend(line.chars().map(|c| if c.is_control() { ' ' } else { c }));
        text.push('\n');
    }
    text
}

/// Quotes a text as a TOML basic string; JSON strings use the same escapes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
