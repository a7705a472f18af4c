//! SKOS vocabularies in Turtle: concepts, their labels, and `broader` and `narrower` links.
//!
//! The label of a concept is its `prefLabel`: without a language, else in English, else the first.
//! Without a `prefLabel` it is the end of the concept's IRI. `notation` is an alias that a column's
//! values can match. Several top concepts become children of `*`.

use std::io::Write;

use hashbrown::{HashMap, HashSet};

use super::WriteError;
use super::turtle::{Object, Triple, triples};
use crate::format::draft::{Draft, Links};
use crate::hierarchy::{Hierarchy, finite_range};
use crate::{Error, Result};

const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

pub(super) fn parse(text: &str, attribute: Option<&str>) -> Result<Draft> {
    let triples = triples(text)?;
    let mut vocabulary = Vocabulary::default();
    for triple in &triples {
        vocabulary.add(triple);
    }
    let Vocabulary { mut links, names, schemes } = vocabulary;
    if links.nodes.is_empty() {
        return Err(Error::syntax(None, "there is no skos:Concept in the file"));
    }
    // Only a single scheme can name the attribute.
    let only = schemes.iter().next().filter(|_| schemes.len() == 1);
    let name = only.and_then(|scheme| names.labels.get(scheme)).map_or("", |(_, label)| label);
    names.give(&mut links);
    let draft = links.into_draft().below_one_root();
    Ok(draft.of_attribute(attribute.unwrap_or(name)))
}

/// The statements of a file.
#[derive(Default)]
struct Vocabulary<'a> {
    links: Links<'a>,
    names: Names<'a>,
    schemes: HashSet<&'a str>,
}

impl<'a> Vocabulary<'a> {
    /// Adds the statement of a triple.
    fn add(&mut self, triple: &'a Triple) {
        let subject = triple.subject.as_str();
        match (triple.predicate.strip_prefix(SKOS), &triple.object) {
            (None, Object::Thing(class)) if triple.predicate == TYPE => {
                self.classify(triple, class);
            }
            (Some("topConceptOf"), _) => {
                self.links.node(subject, triple.line);
            }
            (Some("hasTopConcept"), Object::Thing(top)) => {
                self.links.node(top.as_str(), triple.line);
            }
            (Some("broader"), Object::Thing(other)) => self.relate(triple, other, false),
            (Some("narrower"), Object::Thing(other)) => self.relate(triple, other, true),
            (Some(property), Object::Text(..)) => self.names.add(triple, property),
            _ => {}
        }
    }

    /// Adds the subject of a triple as a concept or as a scheme, depending on its class.
    fn classify(&mut self, triple: &'a Triple, class: &str) {
        match class.strip_prefix(SKOS) {
            Some("Concept") => {
                self.links.node(triple.subject.as_str(), triple.line);
            }
            Some("ConceptScheme") => {
                self.schemes.insert(&triple.subject);
            }
            _ => {} // a collection, or a class of another vocabulary
        }
    }

    /// Links the subject of a triple with a concept above or below it.
    fn relate(&mut self, triple: &'a Triple, other: &'a str, is_above: bool) {
        let subject = self.links.node(triple.subject.as_str(), triple.line);
        // A concept that only occurs in a link is a node too.
        let object = self.links.node(other, triple.line);
        let (child, parent) = if is_above { (object, subject) } else { (subject, object) };
        self.links.link(child, parent, triple.line);
    }
}

/// Labels, definitions and aliases of concepts.
#[derive(Default)]
struct Names<'a> {
    /// The best label so far, with its rank.
    labels: HashMap<&'a str, (u8, &'a str)>,
    /// The best definition so far, with its rank.
    definitions: HashMap<&'a str, (u8, &'a str)>,
    notations: HashMap<&'a str, &'a str>,
    synonyms: HashMap<&'a str, Vec<Box<str>>>,
}

/// Keeps the text in the best language: none, then English, then any other. The first wins a tie.
fn keep_best<'a>(
    texts: &mut HashMap<&'a str, (u8, &'a str)>,
    concept: &'a str,
    text: &'a str,
    language: Option<&str>,
) {
    let rank = match language.map(str::to_lowercase) {
        None => 0,
        Some(tag) if tag == "en" => 1,
        Some(tag) if tag.starts_with("en-") => 2,
        Some(_) => 3,
    };
    let best = texts.entry(concept).or_insert((rank, text));
    if rank < best.0 {
        *best = (rank, text);
    }
}

impl<'a> Names<'a> {
    /// Adds the text that a triple states for a property of its subject.
    fn add(&mut self, triple: &'a Triple, property: &str) {
        let Object::Text(text, language) = &triple.object else { return };
        let concept = triple.subject.as_str();
        match property {
            "prefLabel" => {
                keep_best(&mut self.labels, concept, text, language.as_deref());
                // Labels in other languages are synonyms, by which values can be found.
                self.synonyms.entry(concept).or_default().push(text.as_str().into());
            }
            "notation" => {
                self.notations.entry(concept).or_insert(text);
            }
            "altLabel" | "hiddenLabel" => {
                self.synonyms.entry(concept).or_default().push(text.as_str().into());
            }
            "definition" => {
                keep_best(&mut self.definitions, concept, text, language.as_deref());
            }
            _ => {}
        }
    }

    fn give(&self, links: &mut Links<'a>) {
        for (concept, place) in links.keys() {
            // Without a label, the last part of the IRI names the concept.
            let end = concept.rfind(['#', '/', ':']).map_or(0, |end| end + 1);
            let label = self.labels.get(&*concept).map_or(&concept[end..], |(_, label)| label);
            let notation = self.notations.get(&*concept).filter(|code| **code != label);
            links.nodes[place].bounds = finite_range(label);
            links.nodes[place].label = label.into();
            links.nodes[place].alias = notation.map(|&code| code.into());
            links.nodes[place].synonyms = self.synonyms.get(&*concept).cloned().unwrap_or_default();
            links.nodes[place].definition =
                self.definitions.get(&*concept).map(|&(_, text)| text.into());
        }
    }
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    writeln!(out, "@prefix skos: <{SKOS}> .\n@prefix : <urn:hedgerow:node:> .\n")?;
    let name = quoted(tree.attribute());
    let scheme = "<urn:hedgerow:hierarchy>";
    writeln!(
        out,
        "{scheme} a skos:ConceptScheme ; skos:prefLabel {name} ; skos:hasTopConcept :0 ."
    )?;
    for node in tree.nodes() {
        let label = quoted(&tree.published(node));
        write!(out, ":{node} a skos:Concept ; skos:prefLabel {label} ; skos:inScheme {scheme}")?;
        match tree.parent(node) {
            Some(parent) => writeln!(out, " ; skos:broader :{parent} .")?,
            None => writeln!(out, " ; skos:topConceptOf {scheme} .")?,
        }
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    const ANIMALS: &str = r#"
        # a vocabulary as one finds them
        @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
        PREFIX ex: <http://example.org/animals#>
        <http://example.org/animals> a skos:ConceptScheme ; skos:prefLabel "animals"@en .
        ex:mammal a skos:Concept ; skos:prefLabel "Säuger"@de , "mammal"@en ;
            skos:note [ a ex:Note ; ex:by ( "x" "]" ) ] ;
            skos:narrower ex:cat, ex:dog.
        ex:cat a skos:Concept ; skos:prefLabel """the "cat\"""" ; skos:broader ex:mammal ;
            skos:notation "C1"^^ex:Code .
        ex:dog a skos:Concept ; skos:broader ex:mammal ; skos:notation "D1" ; .
        <http://example.org/animals#v1.2> a skos:Concept ; skos:prefLabel 'fish' .
        ex:pets a skos:Collection ; skos:prefLabel "pets"@en ; skos:member ex:cat, ex:dog .
    "#;

    #[test]
    fn vocabularies_as_they_come_are_read() {
        let draft = || parse(ANIMALS, None).unwrap();
        assert_eq!(draft().attribute(), "animals");
        assert_eq!(draft().assemble().unwrap().outline(), "*(mammal(the \"cat\",dog),fish)");
        let table = Table::from_rows(&["x"], &[["C1"], ["D1"]]).unwrap();
        let tree = draft().for_values(&table.columns()[0].domain).assemble().unwrap();
        assert_eq!(tree.outline(), "*(mammal(C1,D1),fish)");
    }

    #[test]
    fn faults_name_their_line() {
        let error = |text: &str| match parse(text, None).and_then(|draft| draft.assemble()) {
            Ok(tree) => panic!("{}", tree.outline()),
            Err(error) => error.to_string(),
        };
        assert!(error("<a> a <b> .\n<c> a").contains("line 2: this is not Turtle: the file ends"));
        assert!(
            error("\n<a> skos:broader <b> .").contains("line 2: this is not Turtle: the prefix")
        );
        assert!(error("<a> <b> \"c\nd\" .").contains("line 1: this is not Turtle: a quote"));
        assert!(error("<a> a <b> .").contains("there is no skos:Concept"));
        let head = format!("@prefix s: <{SKOS}> .\n");
        let two = format!(
            "{head}<a> s:broader <x> .\n<a> s:broader <y> .\n<x> s:broader <r> .\n\
            <y> s:broader <r> ."
        );
        assert!(error(&two).contains("line 3: 'a' has two parents, 'y' here and 'x' on line 2"));
    }
}
