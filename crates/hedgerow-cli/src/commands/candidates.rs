//! `hedgerow hierarchy candidates`: builds many hierarchies for a column of words.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use hedgerow::Error;
use hedgerow::builder::{Constructed, Wordnet};
use hedgerow::error::Advice;
use hedgerow::format::Format;
use hedgerow::io::OutputFolder;
use hedgerow::knowledge::{How, Knowledge, Meaning, template};
use hedgerow::method::{Described, Text};
use hedgerow::noun::{counted, listed};

use super::hierarchy::read_column;
use crate::Verdict;
use crate::advice::quoted;
use crate::args::{CandidatesArgs, quoted_name};
use crate::console::{self, Console};

pub(super) fn run(args: &CandidatesArgs) -> Result<Verdict> {
    let wordnet = method(args)?;
    // Before the candidates are built, so that a bad path fails early.
    let mut folder = OutputFolder::create(&args.output, args.force, &Constructed::is_all_of)?;
    let table = read_column(&args.table, &args.column, &args.read)?;
    let column = &table.columns()[0];
    let console = Console::new(false);
    let knowledge = wordnet.gather()?;
    let made = wordnet.construct(&knowledge, column)?;
    save(args, &made, &knowledge, &mut folder)?;
    let report = report(args, &made, &knowledge);
    folder.finish(&console)?;
    drop(console.seconds());
    console::report(&report);
    Ok(Verdict::Fine)
}

/// Writes the candidates, their index and the meanings of the values.
fn save(
    args: &CandidatesArgs,
    made: &Constructed,
    knowledge: &Knowledge,
    folder: &mut OutputFolder<'_>,
) -> Result<(), Error> {
    for (place, candidate) in made.candidates.iter().enumerate() {
        for name in ["json", "xml"] {
            // Lossy, because the labels of concepts may not fit XML, and JSON keeps them.
            let encoded = Format::named(name)?.encode(&candidate.hierarchy, true)?;
            folder.write(&format!("{}.{name}", made.file_name(place)), encoded.bytes);
        }
    }
    folder.write(Constructed::INDEX, made.index(knowledge)?.into_bytes());
    let senses = template(knowledge, &made.meanings);
    folder.write(Constructed::SENSES, senses.clone().into_bytes());
    // The user may have edited the existing senses file, so a copy of it is kept.
    let before = hedgerow::file::read_to_string(&args.output.join(Constructed::SENSES)).ok();
    if let Some(before) = before.filter(|before| *before != senses) {
        folder.write(Constructed::SENSES_BEFORE, before.into_bytes());
        console::note(&format!(
            "{} existed with other contents, which are kept as {}",
            Constructed::SENSES,
            Constructed::SENSES_BEFORE
        ));
    }
    Ok(())
}

/// Returns the method with the parameters that the flags override.
fn method(args: &CandidatesArgs) -> Result<Wordnet, Error> {
    if args.method.name != "wordnet" {
        return Err(Error::unknown(
            "method for candidates",
            &args.method.name,
            ["wordnet"].into_iter(),
        ));
    }
    Wordnet::DESCRIPTION.check(&args.method)?;
    let mut wordnet: Wordnet = args.method.read()?;
    // Otherwise the parameter would be ignored without notice.
    if wordnet.candidate.is_some() {
        let problem = "this command makes all candidates, so none can be chosen by its name";
        let words = "choose one by its name in hierarchy build or anonymize";
        return Err(Error::invalid(problem).advise([Advice::words(words)]));
    }
    wordnet.k = args.k.or(wordnet.k);
    wordnet.senses = args.senses.clone().or(wordnet.senses);
    wordnet.wordnet = args.source.wordnet.clone().or(wordnet.wordnet);
    if !args.source.knowledge.is_empty() {
        wordnet.knowledge =
            Text::list(args.source.knowledge.iter().map(|path| path.to_string_lossy()));
    }
    Ok(wordnet)
}

/// Returns the report: the values that were found, those that were not, and the next command.
fn report(args: &CandidatesArgs, made: &Constructed, knowledge: &Knowledge) -> String {
    let n_values = made.meanings.len();
    let n_found = made.meanings.iter().filter(|meaning| meaning.concept.is_some()).count();
    let mut text = format!(
        "{}: {n_found} of {} found in {}\n",
        args.column,
        counted(n_values, "value"),
        knowledge.source()
    );
    list_sources(&mut text, made, knowledge);
    list_uncertain(&mut text, made, knowledge);
    for source in knowledge.each_source() {
        let roots: Vec<String> = source.roots().map(|root| source.label(root)).collect();
        // Several roots mean that unrelated values meet only at `*`, which explains poor
        // candidates.
        if roots.len() > 1 {
            let (source, n_roots) = (source.source(), roots.len());
            list(&mut text, &format!("{source} has {n_roots} roots, with '*' above them"), &roots);
        }
    }
    // One odd value can lift the root of all others, so it is worth a second look.
    if let Some(pins) = &made.pins {
        let (root, without) = (&pins.root, &pins.without);
        let about = format!("the root is '{root}'; without these values it would be '{without}'");
        list(&mut text, &about, &pins.values);
    }
    let folder = args.output.display();
    let n_candidates = counted(made.candidates.len(), "candidate");
    let _ = writeln!(text, "{n_candidates} in {folder}, listed in index.json");
    let _ = writeln!(
        text,
        "the meaning that was chosen for each value: {folder}/senses.toml; edit it and pass it with --senses"
    );
    let _ = writeln!(text, "next: {}", rank_command(args, made.k));
    text
}

/// Lists the values that each of several sources has, and those that several classifications have.
fn list_sources(text: &mut String, made: &Constructed, knowledge: &Knowledge) {
    if knowledge.sources().len() == 1 {
        return;
    }
    for source in knowledge.sources() {
        let is_of = |meaning: &&Meaning| {
            meaning.concept.is_some_and(|concept| knowledge.source_of(concept) == source)
        };
        let values = made.meanings.iter().filter(is_of).map(|meaning| meaning.value.as_str());
        let values: Vec<&str> = values.collect();
        let is_later = made.meanings.iter().any(|m| m.also.iter().any(|also| also == source));
        // Its values were found in an earlier source, which is listed below and is not a mistake.
        if values.is_empty() && is_later {
            continue;
        }
        if values.is_empty() {
            let _ = writeln!(text, "WARNING: the source {source} has none of the values");
        } else {
            let _ = writeln!(text, "from {source}: {}", listed(&values));
        }
    }
    for meaning in made.meanings.iter().filter(|meaning| !meaning.also.is_empty()) {
        let (value, also) = (&meaning.value, meaning.also.join(", "));
        let first = meaning.concept.map_or("", |concept| knowledge.source_of(concept));
        let _ = writeln!(text, "{also} knows '{value}' as well, but comes after {first}");
    }
}

/// Lists the values whose meaning is approximate or unknown.
fn list_uncertain(text: &mut String, made: &Constructed, knowledge: &Knowledge) {
    let of = |how: How| made.meanings.iter().filter(move |meaning| meaning.how == how);
    let taken = |meaning: &Meaning| {
        let name = meaning.concept.map_or_else(String::new, |concept| knowledge.name(concept));
        format!("{} ({name})", meaning.value)
    };
    let approximate: Vec<String> = of(How::Head).map(taken).collect();
    list(text, "approximate, only their last part was found", &approximate);
    let hinted = |meaning: &Meaning| match meaning.hints.as_slice() {
        [] => meaning.value.clone(),
        hints => format!("{} (contains {})", meaning.value, hints.join(", ")),
    };
    let unknown: Vec<String> = of(How::Unknown).map(hinted).collect();
    list(text, "not found, so they are children of the root", &unknown);
    let residual: Vec<String> = of(How::Residual).map(|meaning| meaning.value.clone()).collect();
    list(text, "residual categories, children of the root", &residual);
}

/// Adds a line with names, unless there are none.
fn list(text: &mut String, about: &str, names: &[String]) {
    if !names.is_empty() {
        let _ = writeln!(text, "{about}: {}", listed(names));
    }
}

/// Returns the command that ranks the candidates, with the same source of concepts.
fn rank_command(args: &CandidatesArgs, k: u64) -> String {
    let path = |path: &Path| quoted(&path.to_string_lossy());
    format!(
        "hedgerow hierarchy rank {} --table {} --column {} -k {k}{}",
        path(&args.output),
        path(&args.table),
        // `rank` takes a list of columns, so a comma in the name needs quotes of its own.
        quoted(&quoted_name(&args.column)),
        args.source.flags()
    )
}
