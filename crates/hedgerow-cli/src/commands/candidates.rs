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
        Ok(report(args, &made, knowledge))
    })?;
    folder.finish(&console)?;
    drop(console.seconds());
    console::report(&report);
    Ok(Verdict::Fine)
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
    let of = |how: How| made.meanings.iter().filter(move |meaning| meaning.how == how);
    let n_values = made.meanings.len();
    let n_found = made.meanings.iter().filter(|meaning| meaning.concept.is_some()).count();
    let mut text = format!(
        "{}: {n_found} of {} found in {}\n",
        args.column,
        counted(n_values, "value"),
        knowledge.source()
    );
    let mut list = |about: &str, names: Vec<String>| {
        if !names.is_empty() {
            let _ = writeln!(text, "{about}: {}", listed(&names));
        }
    };
    let taken = |meaning: &Meaning| {
        let name = meaning.concept.map_or_else(String::new, |concept| knowledge.name(concept));
        format!("{} ({name})", meaning.value)
    };
    list("approximate, only their last part was found", of(How::Head).map(taken).collect());
    let hinted = |meaning: &Meaning| match meaning.hints.as_slice() {
        [] => meaning.value.clone(),
        hints => format!("{} (contains {})", meaning.value, hints.join(", ")),
    };
    list("not found, so they are children of the root", of(How::Unknown).map(hinted).collect());
    let residual = of(How::Residual).map(|meaning| meaning.value.clone()).collect();
    list("residual categories, children of the root", residual);
    let roots: Vec<String> = knowledge.roots().map(|root| knowledge.label(root)).collect();
    if roots.len() > 1 {
        let (source, n_roots) = (knowledge.source(), roots.len());
        list(&format!("{source} has {n_roots} roots, with '*' above them"), roots);
    }
    if let Some(pins) = &made.pins {
        let (root, without) = (&pins.root, &pins.without);
        let about = format!("the root is '{root}'; without these values it would be '{without}'");
        list(&about, pins.values.clone());
    }
    let folder = args.output.display();
    let n_candidates = counted(made.candidates.len(), "candidate");
    let _ = writeln!(text, "{n_candidates} in {folder}, listed in index.json");
    let _ = writeln!(
        text,
        "the meaning that was chosen for each value: {folder}/senses.toml; edit it and pass it with --senses"
    );
    let flags = [("wordnet", &args.source.wordnet), ("knowledge", &args.source.knowledge)];
    let flags = flags.map(|(flag, path)| {
        path.as_ref().map_or_else(String::new, |path| format!(" --{flag} {}", path.display()))
    });
    let _ = writeln!(
        text,
        "next: hedgerow hierarchy rank {folder} --table {} --column {} -k {}{}",
        args.table.display(),
        args.column,
        made.k,
        flags.concat()
    );
    text
}
