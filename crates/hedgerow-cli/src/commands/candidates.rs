//! `hedgerow hierarchy candidates`: builds many hierarchies for a column of words.

use std::fmt::Write as _;

use anyhow::Result;
use hedgerow::Error;
use hedgerow::builder::{Constructed, Wordnet};
use hedgerow::error::Advice;
use hedgerow::format::Format;
use hedgerow::io::OutputFolder;
use hedgerow::knowledge::{How, Knowledge, Meaning, template};
use hedgerow::method::Described;
use hedgerow::noun::{counted, listed};

use super::hierarchy::read_column;
use crate::Verdict;
use crate::args::CandidatesArgs;
use crate::console::{self, Console};

pub(super) fn run(args: &CandidatesArgs) -> Result<Verdict> {
    let wordnet = method(args)?;
    let mut folder = OutputFolder::create(&args.output, args.force, &Constructed::is_all_of)?;
    let table = read_column(&args.table, &args.column, &args.read)?;
    let column = &table.columns()[0];
    let console = Console::new(false);
    let report = wordnet.with_knowledge(|knowledge| {
        let made = wordnet.construct(knowledge, column)?;
        save(args, &made, knowledge, &mut folder)?;
        Ok(report(args, &made, knowledge))
    })?;
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
    if wordnet.candidate.is_some() {
        let problem = "this command makes all candidates, so none can be chosen by its name";
        let words = "choose one by its name in hierarchy build or anonymize";
        return Err(Error::invalid(problem).advise([Advice::words(words)]));
    }
    wordnet.k = args.k.or(wordnet.k);
    wordnet.senses = args.senses.clone().or(wordnet.senses);
    wordnet.wordnet = args.source.wordnet.clone().or(wordnet.wordnet);
    wordnet.knowledge = args.source.knowledge.clone().or(wordnet.knowledge);
    Ok(wordnet)
}

/// Returns the report: which values were found, which were not, and the next command.
fn report(args: &CandidatesArgs, made: &Constructed, knowledge: &Knowledge) -> String {
    let n_values = made.meanings.len();
    let n_found = made.meanings.iter().filter(|meaning| meaning.concept.is_some()).count();
    let mut text = format!(
        "{}: {n_found} of {} found in {}\n",
        args.column,
        counted(n_values, "value"),
        knowledge.source()
    );
    list_uncertain(&mut text, made, knowledge);
    let roots: Vec<String> = knowledge.roots().map(|root| knowledge.label(root)).collect();
    if roots.len() > 1 {
        let (source, n_roots) = (knowledge.source(), roots.len());
        list(&mut text, &format!("{source} has {n_roots} roots, with '*' above them"), &roots);
    }
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
    let source = [("wordnet", &args.source.wordnet), ("knowledge", &args.source.knowledge)];
    let flags = source.map(|(flag, path)| {
        path.as_ref().map_or_else(String::new, |path| format!(" --{flag} {}", path.display()))
    });
    format!(
        "hedgerow hierarchy rank {} --table {} --column {} -k {k}{}",
        args.output.display(),
        args.table.display(),
        args.column,
        flags.concat()
    )
}
