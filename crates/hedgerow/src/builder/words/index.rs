//! The index file that is stored next to the files of candidates.

use std::path::Path;

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use super::pins::Pins;
use super::wordnet::Constructed;
use crate::knowledge::{Knowledge, Meaning};
use crate::{Error, Result, file};

/// The index of a column's candidates, for people and programs.
#[derive(Serialize)]
struct Index<'a> {
    hedgerow: u32,
    attribute: &'a str,
    source: &'a str,
    k: u64,
    values: Vec<Found<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pins: Option<&'a Pins>,
    candidates: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    value: &'a str,
    how: &'static str,
    concept: Option<String>,
    /// The source of the concept, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// Later sources that know the value as well.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    also: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    senses: Vec<Scored>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    hints: &'a [String],
}

/// A possible sense of a word in a value.
#[derive(Serialize)]
struct Scored {
    concept: String,
    score: u64,
    taken: bool,
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    file: String,
    nodes: usize,
    height: u32,
}

/// The part of an index that is read back.
#[derive(Deserialize)]
struct Listed {
    candidates: Vec<ListedEntry>,
}

#[derive(Deserialize)]
struct ListedEntry {
    file: String,
}

impl Constructed {
    /// File name of the index.
    pub const INDEX: &'static str = "index.json";

    /// File name of the senses file.
    pub const SENSES: &'static str = "senses.toml";

    /// File name of a senses file that was replaced.
    pub const SENSES_BEFORE: &'static str = "senses-before.toml";

    /// Whether a folder contains an index and no files except those of its candidates.
    pub fn is_all_of(folder: &Path) -> bool {
        let index = file::read_to_string(&folder.join(Self::INDEX)).ok();
        let listed = index.and_then(|text| serde_json::from_str::<Listed>(&text).ok());
        let (Some(listed), Ok(files)) = (listed, std::fs::read_dir(folder)) else { return false };
        let always = [Self::INDEX, Self::SENSES, Self::SENSES_BEFORE].map(str::to_owned);
        // Each candidate is saved as JSON and as XML.
        let saved = listed.candidates.into_iter().flat_map(|entry| {
            let xml = entry.file.replace(".json", ".xml");
            [entry.file, xml]
        });
        let ours: HashSet<String> = saved.chain(always).collect();
        let is_ours =
            |name: std::ffi::OsString| name.to_str().is_some_and(|name| ours.contains(name));
        // A name that is not UTF-8 cannot be one of ours.
        files.into_iter().all(|file| file.is_ok_and(|file| is_ours(file.file_name())))
    }

    /// Returns the file name of a candidate, without its extension.
    pub fn file_name(&self, place: usize) -> String {
        format!("{:03}-{}", place + 1, self.candidates[place].name)
    }

    /// Returns the candidates and the meanings of the values as JSON.
    pub fn index(&self, knowledge: &Knowledge) -> Result<String> {
        let index = Index {
            // Version of the file format.
            hedgerow: 1,
            attribute: self.candidates.first().map_or("", |first| first.hierarchy.attribute()),
            source: knowledge.source(),
            k: self.k,
            values: self.meanings.iter().map(|meaning| found(meaning, knowledge)).collect(),
            pins: self.pins.as_ref(),
            candidates: (0..self.candidates.len()).map(|place| self.entry(place)).collect(),
        };
        let text = serde_json::to_string_pretty(&index);
        Ok(text.map_err(|error| Error::Internal(error.to_string()))? + "\n")
    }

    /// Returns the entry of a candidate.
    fn entry(&self, place: usize) -> Entry<'_> {
        let candidate = &self.candidates[place];
        Entry {
            name: &candidate.name,
            file: self.file_name(place) + ".json",
            nodes: candidate.hierarchy.len(),
            height: candidate.hierarchy.height(),
        }
    }
}

fn found<'a>(meaning: &'a Meaning, knowledge: &Knowledge) -> Found<'a> {
    let mut senses = Vec::new();
    for part in &meaning.parts {
        senses.extend(part.scores.iter().map(|&(sense, score)| Scored {
            concept: knowledge.name(sense),
            score,
            taken: sense == part.sense,
        }));
    }
    Found {
        value: &meaning.value,
        how: meaning.how.name(),
        concept: meaning.concept.map(|concept| knowledge.name(concept)),
        source: meaning
            .concept
            .filter(|_| knowledge.sources().len() > 1)
            .map(|concept| knowledge.source_of(concept).to_owned()),
        also: &meaning.also,
        senses,
        hints: &meaning.hints,
    }
}
