//! WordNet's own files: `data.noun`, `index.noun`, `noun.exc`, `cntlist.rev`.
//!
//! Their format is described in the manual `wndb(5WN)`. Offsets serve as names of synsets, never as
//! positions in the file, so files with other line endings are read as well.

use std::path::Path;

use hashbrown::HashMap;

use super::gloss::Definitions;
use super::lists::Lists;
use super::morphy::Exceptions;
use super::source::Parts;
use super::words::Words;
use super::{Concept, Knowledge};
use crate::error::Advice;
use crate::{Error, Result, file};

/// The fields of a noun synset that are used.
#[derive(Debug, Default)]
struct Synset {
    offset: u32,
    /// Its words, each with the rest of its sense key.
    words: Vec<(String, String)>,
    parents: Vec<u32>,
    wholes: Vec<u32>,
    gloss: Box<str>,
}

pub(super) fn read(directory: &Path) -> Result<Parts> {
    let data = File::open(directory, "data.noun")?;
    let index = File::open(directory, "index.noun")?;
    let synsets: Vec<Synset> = data.lines().map(|line| synset(&line)).collect::<Result<_>>()?;
    let concepts: HashMap<u32, Concept> =
        synsets.iter().map(|synset| synset.offset).zip(0..).collect();
    if synsets.is_empty() {
        return Err(data.fault(1, "there is no synset in it"));
    }
    // Concepts are numbered in the order of the file, words in the order of lookup.
    let words = Words::of(synsets.iter().flat_map(|synset| &synset.words).map(|word| &word.0));
    let members = Lists::of(synsets.iter().map(|synset| {
        synset.words.iter().filter_map(|(word, _)| words.number(word)).collect::<Vec<_>>()
    }));
    let ranks = ranks(&index, &concepts, &synsets)?;
    let tags = tags(directory, &synsets)?;
    Ok(Parts {
        name: name(&data),
        parents: links(&data, &synsets, &concepts, |synset| &synset.parents)?,
        wholes: links(&data, &synsets, &concepts, |synset| &synset.wholes)?,
        words,
        members,
        ranks,
        tags,
        exceptions: Some(exceptions(directory)?),
        definitions: Definitions::Texts(synsets.into_iter().map(|synset| synset.gloss).collect()),
    })
}

/// Returns the name with the version, such as `WordNet 3.0`, from the notice at the start of the
/// file.
fn name(data: &File) -> String {
    let notice = data.text.lines().take_while(|line| line.starts_with("  "));
    let version = notice.filter_map(|line| line.split("WordNet ").nth(1)).find_map(|rest| {
        let version: String =
            rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        (!version.is_empty()).then_some(version)
    });
    version.map_or("WordNet".to_owned(), |version| format!("WordNet {version}"))
}

/// Returns the concepts to which each synset points; `of` returns their offsets.
fn links(
    data: &File,
    synsets: &[Synset],
    concepts: &HashMap<u32, Concept>,
    of: fn(&Synset) -> &[u32],
) -> Result<Lists> {
    let mut lists = Vec::with_capacity(synsets.len());
    for (line, synset) in data.lines().zip(synsets) {
        let mut targets = Vec::new();
        // WordNet refers to synsets by their byte offset in the file.
        for offset in of(synset) {
            let Some(&target) = concepts.get(offset) else {
                let message = format!(
                    "synset {:08} points to {offset:08}, which is not in the file; is it truncated?",
                    synset.offset
                );
                return Err(line.fault(&message));
            };
            targets.push(target);
        }
        lists.push(targets);
    }
    Ok(Lists::of(lists.into_iter()))
}

/// Parses a line of `data.noun`.
///
/// `00001740 03 n 01 entity 0 003 ~ 00001930 n 0000 ... | that which is perceived`
fn synset(line: &Line<'_>) -> Result<Synset> {
    let (head, gloss) = line.text.split_once('|').unwrap_or((line.text, ""));
    let mut fields = head.split_whitespace();
    let mut next = |what: &str| {
        fields
            .next()
            .ok_or_else(|| line.fault(&format!("the line ends where its {what} should be")))
    };
    let number = |text: &str, radix: u32, what: &str| {
        // Numbers of words and ids are hexadecimal, all others decimal.
        u32::from_str_radix(text, radix)
            .map_err(|_| line.fault(&format!("its {what} is '{text}', which is not a number")))
    };
    let offset = number(next("offset")?, 10, "offset")?;
    let lexicographer = next("lexicographer file")?.to_owned();
    let kind = next("kind")?;
    if kind != "n" {
        return Err(line.fault(&format!("its kind is '{kind}'; a noun's is 'n'")));
    }
    let mut synset = Synset { offset, gloss: gloss.trim().into(), ..Synset::default() };
    for _ in 0..number(next("number of words")?, 16, "number of words")? {
        let word = next("word")?.to_owned();
        let id = number(next("word's id")?, 16, "word's id")?;
        synset.words.push((word, format!("{lexicographer}:{id:02}")));
    }
    if synset.words.is_empty() {
        return Err(line.fault("the synset has no word"));
    }
    // Of the pointers between nouns, hypernyms (`@`, `@i`) and holonyms (`#m`, `#s`, `#p`) are
    // kept.
    for _ in 0..number(next("number of pointers")?, 10, "number of pointers")? {
        let pointer = next("pointer")?;
        let target = number(next("pointer's target")?, 10, "pointer's target")?;
        let kind = next("pointer's kind")?;
        next("pointer's words")?;
        match pointer {
            "@" | "@i" if kind == "n" => synset.parents.push(target),
            "#m" | "#s" | "#p" if kind == "n" => synset.wholes.push(target),
            _ => {}
        }
    }
    Ok(synset)
}

/// Returns the rank of each member among the senses of its word.
///
/// A line of the index: `nurse n 2 3 @ ~ + 2 2 10366966 10367819`
fn ranks(index: &File, concepts: &HashMap<u32, Concept>, synsets: &[Synset]) -> Result<Vec<u32>> {
    let mut ranks: HashMap<(String, u32), u32> = HashMap::new();
    for line in index.lines() {
        let mut fields = line.text.split_whitespace();
        let word = fields.next().unwrap_or("");
        let n_senses: usize = fields.nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
        // The number of pointer symbols varies, so the offsets are read from the end of the line.
        let offsets: Vec<u32> =
            fields.rev().take(n_senses).filter_map(|offset| offset.parse().ok()).collect();
        if n_senses == 0 || offsets.len() < n_senses {
            let problem = format!("senses of '{word}' are missing; is the file truncated?");
            return Err(line.fault(&problem));
        }
        for (rank, &offset) in (1..).zip(offsets.iter().rev()) {
            if !concepts.contains_key(&offset) {
                let message =
                    format!("'{word}' has the sense {offset:08}, which is not in data.noun");
                return Err(line.fault(&message));
            }
            ranks.insert((word.to_owned(), offset), rank);
        }
    }
    let mut found = Vec::new();
    for synset in synsets {
        for (word, _) in &synset.words {
            // The index is in lower case, the data file keeps capitals.
            let Some(&rank) = ranks.get(&(word.to_lowercase(), synset.offset)) else {
                let offset = synset.offset;
                let message = format!("'{word}' ({offset:08}) is missing; is the file truncated?");
                return Err(index.fault(0, &message));
            };
            found.push(rank);
        }
    }
    Ok(found)
}

/// Returns how often each member occurs in tagged texts, from lines such as `nurse%1:18:00:: 1 2`.
///
/// The file may be missing.
fn tags(directory: &Path, synsets: &[Synset]) -> Result<Vec<u32>> {
    let file = File::open_if_there(directory, "cntlist.rev")?;
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for line in file.iter().flat_map(File::lines) {
        let mut fields = line.text.split_whitespace();
        let key = fields.next().unwrap_or("");
        // Sense keys of nouns have the part of speech 1.
        if key.contains("%1:") {
            let count = fields.nth(1).and_then(|count| count.parse().ok());
            counts.insert(key, count.ok_or_else(|| line.fault("there is no count on the line"))?);
        }
    }
    let members = synsets.iter().flat_map(|synset| &synset.words);
    let tag = |(word, rest): &(String, String)| {
        counts.get(format!("{}%1:{rest}::", word.to_lowercase()).as_str()).copied().unwrap_or(0)
    };
    Ok(members.map(tag).collect())
}

/// Returns the exceptions of the directory, or the built-in ones if it has none.
fn exceptions(directory: &Path) -> Result<Exceptions> {
    Ok(match File::open_if_there(directory, "noun.exc")? {
        Some(file) => Exceptions::of_lines(&file.text),
        None => {
            let mut built_in = Knowledge::wordnet().in_order();
            built_in.find_map(|source| source.exceptions.clone()).unwrap_or_default()
        }
    })
}

/// A file of WordNet.
struct File {
    path: std::path::PathBuf,
    text: String,
}

/// The advice if a directory lacks a file.
const NAME_A_DIRECTORY: &str = "name a directory of WordNet, which has data.noun and index.noun \
     (Debian package wordnet-base: share/wordnet)";

/// A line that is not part of the licence notice.
struct Line<'a> {
    file: &'a File,
    number: usize,
    text: &'a str,
}

impl File {
    fn open(directory: &Path, name: &str) -> Result<Self> {
        Self::open_if_there(directory, name)?.ok_or_else(|| {
            let problem = format!("there is no {name} in it");
            Error::file(directory, problem).advise([Advice::words(NAME_A_DIRECTORY)])
        })
    }

    fn open_if_there(directory: &Path, name: &str) -> Result<Option<Self>> {
        let path = directory.join(name);
        match file::read_to_string(&path) {
            Ok(text) => Ok(Some(Self { path, text })),
            Err(Error::Io { cause, .. }) if cause.kind() == std::io::ErrorKind::NotFound => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        (1..)
            .zip(self.text.lines())
            // Lines of the notice start with two blanks.
            .filter(|(_, text)| !text.starts_with(' ') && !text.is_empty())
            .map(|(number, text)| Line { file: self, number, text })
    }

    fn fault(&self, line: usize, message: &str) -> Error {
        Error::syntax((line > 0).then_some(line as u64), message).in_file(&self.path)
    }
}

impl Line<'_> {
    fn fault(&self, message: &str) -> Error {
        self.file.fault(self.number, message)
    }
}
