//! OBO ontologies: terms with a name, and `is_a` links to their parents.
//!
//! The label of a term is its `name`, and its `id` is an alias that a column's values can match.
//! Obsolete terms, other stanzas and other relations are ignored. Several roots become children of
//! `*`.

use std::io::Write;

use super::WriteError;
use crate::error::Advice;
use crate::format::{
    draft::{Draft, Given, Links},
    finding::Severity,
};
use crate::hierarchy::{Hierarchy, finite_range};
use crate::{Error, Result};

/// A term while its lines are parsed.
#[derive(Debug, Default)]
struct Term {
    id: String,
    name: String,
    synonyms: Vec<Box<str>>,
    definition: Option<Box<str>>,
    parents: Vec<(String, u64)>,
    is_obsolete: bool,
    line: u64,
}

pub(super) fn parse(text: &str, attribute: Option<&str>) -> Result<Draft> {
    let terms = terms(text)?;
    let mut links = Links::default();
    let mut odd = Draft::default();
    for term in &terms {
        if links.find(&term.id).is_some() {
            let message = format!("the id '{}' occurs twice", term.id);
            odd.odd(Severity::Warning, term.line, message, "its first term is kept");
            continue;
        }
        let place = links.node(term.id.as_str(), term.line);
        let name = if term.name.is_empty() { &term.id } else { &term.name };
        links.nodes[place] = Given {
            label: name.as_str().into(),
            alias: (*name != term.id).then(|| term.id.as_str().into()),
            synonyms: term.synonyms.clone(),
            definition: term.definition.clone(),
            bounds: finite_range(name),
            line: term.line,
            ..Given::default()
        };
    }
    if links.nodes.is_empty() {
        return Err(Error::syntax(None, "there is no [Term] with an id in the file"));
    }
    // Links come after all terms, because a parent can follow its children in the file.
    for term in &terms {
        let Some(child) = links.find(&term.id) else { continue };
        for (parent, line) in &term.parents {
            match links.find(parent) {
                Some(parent) => links.link(child, parent, *line),
                None => {
                    let message =
                        format!("the parent '{parent}' of '{}' has no term of its own", term.id);
                    odd.odd(Severity::Error, *line, message, "it is left out");
                }
            }
        }
    }
    let draft = Draft { oddities: odd.oddities, ..links.into_draft().below_one_root() };
    Ok(draft.of_attribute(attribute.unwrap_or("")))
}

/// Parses the terms that are not obsolete.
fn terms(text: &str) -> Result<Vec<Term>> {
    let mut terms: Vec<Term> = Vec::new();
    let mut is_term = false;
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        // A stanza begins. Lines of stanzas other than `[Term]` are ignored.
        if content.starts_with('[') {
            is_term = content.starts_with("[Term]");
            if is_term {
                terms.push(Term { line, ..Term::default() });
            }
            continue;
        }
        let Some(term) = terms.last_mut().filter(|_| is_term) else { continue };
        if content.is_empty() || content.starts_with('!') {
            continue;
        }
        let Some((tag, value)) = content.split_once(':') else {
            return Err(Error::syntax(line, format!("'{content}' is not a line of a term"))
                .advise([Advice::words("write tag: value")]));
        };
        term.set(tag.trim(), value, line);
    }
    // After the last line, because `is_obsolete` can follow the other tags of a term.
    terms.retain(|term| !term.is_obsolete && !term.id.is_empty());
    Ok(terms)
}

impl Term {
    /// Sets the field of a tag; other tags are ignored.
    fn set(&mut self, tag: &str, value: &str, line: u64) {
        match tag {
            "id" => self.id = plain(value),
            "name" => self.name = plain(value),
            "def" => self.definition = quoted(value).map(Into::into),
            "synonym" => self.synonyms.extend(quoted(value).map(Box::from)),
            "is_a" => self.parents.push((plain(value), line)),
            "is_obsolete" => self.is_obsolete = plain(value) == "true",
            _ => {}
        }
    }
}

/// Removes the comment and modifiers from a value and resolves its escapes.
fn plain(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => plain.extend(characters.next().map(unescaped)),
            '!' | '{' => break,
            c => plain.push(c),
        }
    }
    plain.trim().to_owned()
}

/// Returns the text between the first two quotes.
fn quoted(value: &str) -> Option<String> {
    let mut text = String::new();
    let mut characters = value.split_once('"')?.1.chars();
    loop {
        match characters.next()? {
            '"' => return Some(text),
            '\\' => text.push(unescaped(characters.next()?)),
            c => text.push(c),
        }
    }
}

fn unescaped(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'W' => ' ',
        c => c,
    }
}

/// Removes surrounding blanks and replaces line ends other than `\n`, which a file cannot store.
pub(super) fn spell(_: &Hierarchy, label: &str) -> String {
    label.trim().replace(['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'], "_")
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    writeln!(out, "format-version: 1.4")?;
    for node in tree.nodes() {
        let name = escaped(&tree.published(node));
        writeln!(out, "\n[Term]\nid: hedgerow:{node}\nname: {name}")?;
        if let Some(parent) = tree.parent(node) {
            writeln!(out, "is_a: hedgerow:{parent}")?;
        }
    }
    Ok(())
}

fn escaped(label: &str) -> String {
    let mut escaped = String::with_capacity(label.len());
    for c in label.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            '\\' | '!' | '{' | '"' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISEASES: &str = "format-version: 1.2\n\n[Term]\nid: D:1\nname: disease ! of any kind\n\n\
        [Term]\nid: D:2\nname: influenza\ndef: \"A \\\"flu\\\" of the lungs.\" [ref:1]\n\
        synonym: \"flu\" EXACT []\nis_a: D:1 ! disease\n\n[Term]\nid: D:3\nname: old\nis_obsolete: true\n\n\
        [Typedef]\nid: part_of\nname: part of\n\n[Term]\nid: D:4\nis_a: D:1 {source=\"x\"}\n";

    #[test]
    fn terms_are_called_by_name_and_known_by_id() {
        let draft = parse(DISEASES, Some("x")).unwrap();
        assert_eq!(draft.assemble().unwrap().outline(), "disease(influenza,D:4)");
        let flu = draft.nodes.iter().find(|node| &*node.label == "influenza").unwrap();
        assert_eq!(flu.alias.as_deref(), Some("D:2"));
        assert_eq!(flu.synonyms, ["flu".into()]);
        assert_eq!(flu.definition.as_deref(), Some("A \"flu\" of the lungs."));
    }

    #[test]
    fn faults_name_their_line() {
        let error = |text: &str| match parse(text, None).and_then(|draft| draft.assemble()) {
            Ok(tree) => panic!("{}", tree.outline()),
            Err(error) => error.to_string(),
        };
        assert!(error("name: x\n").contains("there is no [Term]"));
        assert!(
            error("[Term]\nid: a\nnothing\n").contains("line 3: 'nothing' is not a line of a term")
        );
        let dangling = error("[Term]\nid: a\nis_a: b\n");
        assert!(
            dangling.contains("line 3: the parent 'b' of 'a' has no term of its own"),
            "{dangling}"
        );
    }
}
