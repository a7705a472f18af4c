//! Meanings of values, from WordNet and from the user.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hedgerow::builder::{Constructed, Wordnet};
use hedgerow::hierarchy::Generalization;
use hedgerow::knowledge::{Concept, How, Knowledge, Meaning, Senses, resolve};
use hedgerow::method::Spec;
use hedgerow::table::{Code, Kind};
use serde::{Deserialize, Serialize};

use super::super::hierarchies::{grown, load_named};
use super::super::rank::{self, Ranking};
use super::super::subject::Subject;
use super::super::{Answer, Call, answer};
use crate::fault::{Done, Fault};
use crate::session::{Candidate, address, replace, senses_of};
use crate::studio::Studio;

/// Columns with more values have no list of meanings.
const MOST_VALUES: usize = 5_000;
/// The greatest number of candidates, unless another is asked for.
const MOST_CANDIDATES: u64 = 100;

#[derive(Serialize)]
struct SensesView {
    column: String,
    source: String,
    values: Vec<ValueView>,
    given: usize,
    guessed: usize,
    without: usize,
    file: Option<String>,
}

#[derive(Serialize)]
struct ValueView {
    value: String,
    count: u64,
    how: &'static str,
    given: bool,
    unsure: bool,
    chosen: Vec<String>,
    options: Vec<ConceptView>,
}

#[derive(Serialize)]
struct ConceptView {
    id: String,
    words: Vec<String>,
    definition: String,
    path: Vec<String>,
}

#[derive(Serialize)]
struct Found {
    concepts: Vec<ConceptView>,
}

#[derive(Serialize)]
struct Changed {
    senses: SensesView,
    before: Ranking,
    after: Ranking,
    milliseconds: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    senses: BTreeMap<String, Option<Vec<String>>>,
    #[serde(default)]
    preview: bool,
    #[serde(default)]
    weights: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lookup {
    word: String,
}

pub(crate) fn get(studio: &Studio, call: &Call) -> Done<Answer> {
    let subject = words(studio, call.part("column"))?;
    let knowledge = Knowledge::wordnet();
    let given = given(&subject, knowledge)?;
    answer(&view(studio, &subject, knowledge, &given)?)
}

pub(crate) fn lookup(studio: &Studio, call: &Call) -> Done<Answer> {
    words(studio, call.part("column"))?;
    let Lookup { word } = call.json()?;
    let knowledge = Knowledge::wordnet();
    let word = word.trim();
    let mut found = knowledge.senses(word);
    for base in knowledge.base_forms(word) {
        found.extend(knowledge.senses(&base));
    }
    let mut seen = Vec::new();
    found.retain(|concept| {
        let is_new = !seen.contains(concept);
        seen.push(*concept);
        is_new
    });
    let concepts = found.into_iter().take(20).map(|one| concept(knowledge, one)).collect();
    answer(&Found { concepts })
}

/// Corrects meanings, and grows and ranks every candidate made of concepts again.
pub(crate) fn put(studio: &Studio, call: &Call) -> Done<Answer> {
    let start = Instant::now();
    let change: Change = call.json()?;
    load_named(studio)?;
    let subject = words(studio, call.part("column"))?;
    let before = rank::of(&subject, change.weights.as_deref())?;
    let text = changed_text(&subject, &change)?;
    // Unknown senses are refused before anything is written.
    let given = Senses::of_text(&text, Knowledge::wordnet(), &subject.column()?.domain)?;
    let correction = Correction { change: &change, given: &given };
    let (senses, after) = if change.preview {
        let scratch = studio.folder.scratch()?;
        let at = scratch.path().join("senses.toml");
        replace(&at, text.as_bytes())?;
        corrected(studio, subject, at, &correction)?
    } else {
        let target = subject.family.senses.clone().unwrap_or_else(|| subject.senses_file());
        let at = subject.base.join(&target);
        let old = std::fs::read(&at).ok();
        replace(&at, text.as_bytes())?;
        let done = corrected(studio, subject, target, &correction);
        if done.is_err() {
            restore(&at, &text, old.as_deref());
        }
        done?
    };
    let milliseconds = 1e3 * start.elapsed().as_secs_f64();
    answer(&Changed { senses, before, after, milliseconds })
}

/// Leaves the file of a correction that was refused as it was, unless another request wrote to it
/// meanwhile.
fn restore(at: &Path, written: &str, old: Option<&[u8]>) {
    if std::fs::read(at).is_ok_and(|now| now == written.as_bytes()) {
        let _ = old.map_or_else(|| std::fs::remove_file(at).ok(), |old| replace(at, old).ok());
    }
}

/// Meanings that are corrected.
struct Correction<'a> {
    change: &'a Change,
    /// All meanings that the user gave.
    given: &'a Senses,
}

/// Grows and ranks candidates with the meanings of a file; stores them unless it is a preview.
fn corrected(
    studio: &Studio,
    mut subject: Subject,
    file: PathBuf,
    correction: &Correction<'_>,
) -> Done<(SensesView, Ranking)> {
    let Correction { change, given } = correction;
    subject.family.senses = Some(file);
    regrow(&mut subject)?;
    let after = rank::of(&subject, change.weights.as_deref())?;
    let senses = view(studio, &subject, Knowledge::wordnet(), given)?;
    if !change.preview {
        subject.family.candidates.iter_mut().for_each(|candidate| candidate.tried = None);
        subject.tried_and_stored(studio)?;
        studio.change(&["senses"], |_| ());
    }
    Ok((senses, after))
}

/// Adds every candidate that can be made of the meanings of values.
pub(crate) fn add_candidates(studio: &Studio, mut subject: Subject, most: Option<u64>) -> Done<()> {
    let most = most.unwrap_or(MOST_CANDIDATES).clamp(1, 1_000) as usize;
    let made = constructed(&subject, most)?;
    subject.family.pins = made.pins.map_or_else(Vec::new, |pins| pins.values);
    for one in made.candidates {
        let relative = with_senses(
            &one.hierarchy.builder().cloned().unwrap_or_else(|| Spec::named("wordnet")),
            &subject,
        );
        let mut candidate = Candidate::of(&relative, Generalization::from(one.hierarchy));
        (candidate.id, candidate.name) = (address(&one.name), one.name);
        subject.family.add(candidate)?;
    }
    subject.tried_and_stored(studio)
}

/// Number of values whose meaning was chosen among several.
pub(crate) fn n_unsure(subject: &Subject) -> usize {
    let uses_words = subject.family.candidates.iter().any(|one| one.spec.name == "wordnet");
    let Ok(column) = subject.column() else { return 0 };
    if !uses_words || column.domain.len() > 500 {
        return 0;
    }
    let knowledge = Knowledge::wordnet();
    let given = given(subject, knowledge).unwrap_or_default();
    let found = meanings(subject, knowledge, &given).unwrap_or_default();
    found.iter().filter(|meaning| is_unsure(meaning)).count()
}

/// The meanings that the user gave.
pub(crate) fn given(subject: &Subject, knowledge: &Knowledge) -> Done<Senses> {
    let path = subject.family.senses.as_ref().map(|path| subject.base.join(path));
    Ok(Senses::read(path.as_deref(), knowledge, &subject.column()?.domain)?)
}

/// A column of words.
fn words(studio: &Studio, name: &str) -> Done<Subject> {
    let mut subject = Subject::of(studio, name)?;
    let (kind, n_values) = {
        let domain = &subject.column()?.domain;
        (domain.values.kind(), domain.len())
    };
    if !matches!(kind, Kind::Text | Kind::Code) {
        return Err(Fault::input(format!("'{name}' has {}s, which are not words", kind.name())));
    }
    if n_values > MOST_VALUES {
        return Err(Fault::input(format!("'{name}' has more than {MOST_VALUES} values")));
    }
    if subject.family.senses.is_none() {
        // The file that a candidate names, or the one that was written before.
        let named = subject.family.candidates.iter().find_map(|one| senses_of(&one.spec));
        let usual = subject.senses_file();
        let is_there = subject.base.join(&usual).exists();
        subject.family.senses = named.or_else(|| is_there.then_some(usual));
    }
    Ok(subject)
}

fn meanings(subject: &Subject, knowledge: &Knowledge, given: &Senses) -> Done<Vec<Meaning>> {
    let domain = &subject.column()?.domain;
    let spelt: Vec<_> = (0..domain.len()).map(|code| domain.values.spelling(code)).collect();
    let values: Vec<(&str, u64)> =
        spelt.iter().zip(&domain.counts).map(|(value, &count)| (&**value, count)).collect();
    Ok(resolve(knowledge, &values, given)?)
}

fn is_unsure(meaning: &Meaning) -> bool {
    meaning.how != How::Given && meaning.parts.iter().any(|part| part.scores.len() > 1)
        || matches!(meaning.how, How::Head | How::WithoutParenthesis)
}

fn view(
    studio: &Studio,
    subject: &Subject,
    knowledge: &Knowledge,
    given: &Senses,
) -> Done<SensesView> {
    let found = meanings(subject, knowledge, given)?;
    // Meanings that are found without the user's choices, so that other meanings are offered too.
    let alone = meanings(subject, knowledge, &Senses::default())?;
    let domain = &subject.column()?.domain;
    let mut values = Vec::with_capacity(found.len());
    for (code, (meaning, other)) in found.iter().zip(&alone).enumerate() {
        let chosen: Vec<Concept> = meaning.parts.iter().map(|part| part.sense).collect();
        let mut options = chosen.clone();
        for part in meaning.parts.iter().chain(&other.parts) {
            options.extend(part.scores.iter().map(|(sense, _)| *sense));
        }
        let mut seen = Vec::new();
        options.retain(|one| {
            let is_new = !seen.contains(one);
            seen.push(*one);
            is_new
        });
        let is_given = given.get(&meaning.value).is_some();
        values.push(ValueView {
            value: meaning.value.clone(),
            count: domain.count(Code::new(code)),
            how: meaning.how.name(),
            given: is_given,
            unsure: !is_given && is_unsure(meaning),
            chosen: chosen.iter().map(|&one| knowledge.name(one)).collect(),
            options: options.into_iter().take(20).map(|one| concept(knowledge, one)).collect(),
        });
    }
    let file = subject.family.senses.as_ref().map(|path| subject.base.join(path));
    Ok(SensesView {
        column: subject.name.clone(),
        source: knowledge.source().to_owned(),
        given: values.iter().filter(|value| value.given).count(),
        guessed: values.iter().filter(|value| value.unsure).count(),
        without: values.iter().filter(|value| value.chosen.is_empty()).count(),
        values,
        file: file.map(|path| studio.folder.relative(&path)),
    })
}

fn concept(knowledge: &Knowledge, concept: Concept) -> ConceptView {
    let mut path = Vec::new();
    let mut at = concept;
    while let Some(&parent) = knowledge.parents(at).first() {
        path.push(knowledge.label(parent));
        at = parent;
        if path.len() > 30 {
            break;
        }
    }
    ConceptView {
        id: knowledge.name(concept),
        words: knowledge.words(concept).map(|word| word.replace('_', " ")).collect(),
        definition: knowledge.definition(concept),
        path,
    }
}

/// The text of the senses file with a change.
fn changed_text(subject: &Subject, change: &Change) -> Done<String> {
    let path = subject.family.senses.as_ref().map(|path| subject.base.join(path));
    let before = match path.filter(|path| path.exists()) {
        Some(path) => hedgerow::file::read_to_string(&path)?,
        None => String::new(),
    };
    let mut table: toml::Table = before
        .parse()
        .map_err(|error| Fault::input(format!("the senses file cannot be read: {error}")))?;
    for (value, senses) in &change.senses {
        match senses {
            Some(senses) => {
                table.insert(value.clone(), toml::Value::String(senses.join("|")));
            }
            None => {
                table.remove(value);
            }
        }
    }
    toml::to_string(&table).map_err(|error| Fault::internal(error.to_string()))
}

/// The method with the senses file of the column.
fn with_senses(spec: &Spec, subject: &Subject) -> Spec {
    let mut spec = spec.clone();
    match &subject.family.senses {
        Some(path) => {
            let path = path.to_string_lossy().into_owned();
            spec.parameters.insert("senses".into(), toml::Value::String(path));
        }
        None => {
            spec.parameters.remove("senses");
        }
    }
    spec
}

fn constructed(subject: &Subject, most: usize) -> Done<Constructed> {
    let senses = subject.family.senses.as_ref().map(|path| subject.base.join(path));
    let wordnet = Wordnet { senses, k: Some(subject.k), most, ..Wordnet::default() };
    Ok(wordnet.construct(Knowledge::wordnet(), subject.column()?)?)
}

/// Builds every candidate made of concepts again, with its edits. Those that no longer exist are
/// left out; if one of them is edited, the correction is refused.
fn regrow(subject: &mut Subject) -> Done<()> {
    let of_words: Vec<Candidate> = (subject.family.candidates.iter())
        .filter(|one| one.spec.name == "wordnet")
        .cloned()
        .collect();
    let named = |one: &Candidate| {
        one.spec.parameters.get("candidate").and_then(|name| name.as_str()).map(str::to_owned)
    };
    let has_many = of_words.iter().filter(|one| named(one).is_some()).count() > 1;
    let most = of_words.len().max(MOST_CANDIDATES as usize);
    let made = if has_many { Some(constructed(subject, most)?) } else { None };
    if let Some(made) = &made {
        subject.family.pins = made.pins.as_ref().map_or_else(Vec::new, |pins| pins.values.clone());
    }
    for old in of_words {
        let spec = with_senses(&old.spec, subject);
        let all = made.as_ref().map(|made| &made.candidates);
        let found =
            all.zip(named(&old)).and_then(|(all, name)| all.iter().find(|one| one.name == name));
        let built = match found {
            Some(one) => Ok(Candidate::of(&spec, one.hierarchy.clone().into())),
            None => grown(&spec, subject),
        };
        let candidates = &mut subject.family.candidates;
        match built {
            Ok(new) => {
                let (id, name, why) = (old.id.clone(), old.name.clone(), old.why.clone());
                let mut new = Candidate { id, name, why, ..new };
                new.replace(&old)?;
                candidates
                    .iter_mut()
                    .filter(|one| one.id == old.id)
                    .for_each(|one| *one = new.clone());
            }
            Err(fault) if old.edits.is_some() => return Err(fault),
            Err(_) => candidates.retain(|one| one.id != old.id),
        }
    }
    if subject.family.chosen.as_ref().is_some_and(|id| subject.family.get(id).is_err()) {
        subject.family.chosen = None;
        subject.choose_best();
    }
    Ok(())
}
