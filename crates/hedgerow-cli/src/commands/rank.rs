//! `hedgerow hierarchy rank`: ranks several hierarchies of a column.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use hedgerow::Error;
use hedgerow::builder::{Constructed, Wordnet};
use hedgerow::error::Advice;
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{Inputs, Output};
use hedgerow::knowledge::{Concept, Knowledge, Senses, WORDNET};
use hedgerow::noun::counted;
use hedgerow::rank::{self, ASPECTS, Aspects, Evaluated, Question, Rewards, Weights};
use hedgerow::table::{Column, Kind, MissingPolicy, Table};
use serde::Serialize;

use super::hierarchy;
use super::outcomes::{self, Candidates};
use crate::Verdict;
use crate::args::{RankArgs, SourceArgs};
use crate::console;

/// Default number of candidates that are shown.
const USUAL_TOP: usize = 20;

/// Maximum number of values without a meaning that are named.
const SHOWN: usize = 3;

/// JSON output: candidates by descending score.
#[derive(Serialize)]
struct Ranking {
    column: String,
    k: u64,
    weights: Weights,
    /// Number of candidates, including those that are not shown.
    count: usize,
    candidates: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    place: usize,
    name: String,
    #[serde(flatten)]
    candidate: Evaluated,
    score: f64,
}

/// JSON output of `--grid`: the best candidate for each choice of weights.
#[derive(Serialize)]
struct Grid {
    column: String,
    k: u64,
    count: usize,
    winners: Vec<Winner>,
}

#[derive(Serialize)]
struct Winner {
    weights: Weights,
    best: String,
    score: f64,
}

/// The hierarchies to compare with their names, and the table with their column.
struct Compared {
    table: Table,
    trees: Vec<Hierarchy>,
    names: Vec<String>,
}

pub(crate) fn run(args: &RankArgs) -> Result<Verdict> {
    let files = files(&args.files)?;
    // Everything that is read must not be overwritten by the outcomes.
    let inputs = Inputs::of(&files).and([&args.table]).and(args.source.paths().chain(&args.senses));
    let create = |path: &PathBuf| Output::create(path, args.force, &inputs);
    let output = args.outcomes.as_ref().map(create).transpose()?;
    // Records without a value have no place in a candidate.
    let table = hierarchy::read_with(&args.table, &args.column, &args.read, MissingPolicy::Drop)?;
    let column = &table.columns()[0];
    if column.domain.is_empty() {
        return Err(Error::column(&column.name, "the column has no values").into());
    }
    let trees: Vec<Hierarchy> =
        files.iter().map(|path| read(path, args, column)).collect::<Result<_>>()?;
    let n_left_out = table.n_rows() - table.cohorts().n_records();
    if n_left_out > 0 {
        let records = counted(n_left_out, "record");
        console::note(&format!("{records} left out because {} is missing", column.name));
    }
    let compared = Compared { names: names(&files), trees, table };
    compare(args, &compared, &args.source.gather()?, output)
}

/// Prints the ranking or, with an output, writes the outcomes of anonymizing with each candidate.
fn compare(
    args: &RankArgs,
    Compared { table, trees, names }: &Compared,
    knowledge: &Knowledge,
    output: Option<Output>,
) -> Result<Verdict> {
    let column = &table.columns()[0];
    let trees: &[&Hierarchy] = &trees.iter().collect::<Vec<_>>();
    let senses = Senses::read(args.senses.as_deref(), knowledge, &column.domain)?;
    let meanings = rank::meanings(knowledge, column, &senses, trees)?;
    let question = &Question { column, knowledge, meanings: &meanings, k: args.k };
    let has_meaning = meanings.iter().any(Option::is_some);
    let prefix = if has_meaning { "" } else { "semantic is the same for all: " };
    note_sources(knowledge, &meanings);
    let note = without_meaning(column, knowledge, &meanings).map(|why| format!("{prefix}{why}"));
    // If no value has a meaning, the note belongs to the ranking and follows it.
    let follows = !has_meaning && !args.grid && !args.json && args.outcomes.is_none();
    if let Some(note) = note.as_ref().filter(|_| !follows) {
        console::note(note);
    }
    if let Some(output) = output {
        return outcomes::run(args, output, &Candidates { question, table, trees, names });
    }
    let evaluated = rank::evaluate(question, trees)?;
    if args.grid {
        print_grid(args, names, &evaluated)?;
    } else {
        print_ranking(args, names, &evaluated, note.filter(|_| follows))?;
    }
    Ok(Verdict::Fine)
}

/// Returns the given files; a directory is replaced by its `.json` files, ordered by name.
fn files(asked: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in asked {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(Error::io("read", path))?;
        let mut inside: Vec<PathBuf> = entries
            .map(|entry| Ok(entry.map_err(Error::io("read", path))?.path()))
            .collect::<Result<_>>()?;
        inside.retain(|path| {
            path.extension().is_some_and(|ending| ending == "json")
                && path.file_name().is_some_and(|name| name != Constructed::INDEX)
        });
        if inside.is_empty() {
            let problem = "the folder has no hierarchy file that ends in .json";
            let advice = Advice::words("name the files themselves");
            return Err(Error::file(path, problem).advise([advice]).into());
        }
        // A folder is listed in no particular order, and ties keep the order of files.
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

/// Reads a candidate. It must contain every value of the column, and its concepts must come from
/// the same source.
fn read(path: &Path, args: &RankArgs, column: &Column) -> Result<Hierarchy> {
    let tree = format::read_file_of(path, column)?;
    let bound = tree.ground().bind(&column.domain);
    bound.map_err(|error| error.in_file(path))?;
    // A candidate built from other concepts cannot be compared by those of WordNet.
    if let Some(method) = tree.builder().filter(|method| method.name == "wordnet") {
        let recorded: Wordnet = method.read()?;
        let lacking = lacking_flags(&recorded, args);
        if !lacking.is_empty() {
            let sources = method.parameters.iter().filter(|(name, _)| lacking.contains(*name));
            let of: Vec<&str> = sources.filter_map(|(_, value)| value.as_str()).collect();
            let problem = format!("its concepts are those of {}", of.join(", "));
            let words = format!("name them with{lacking}");
            return Err(Error::file(path, problem).advise([Advice::words(words)]).into());
        }
    }
    Ok(tree)
}

/// Returns the flags for the sources that a tree was built from but that the call does not name.
fn lacking_flags(recorded: &Wordnet, args: &RankArgs) -> String {
    let name = |path: &PathBuf| path.file_name().map(ToOwned::to_owned);
    let is_given = |source: &PathBuf| {
        args.source.knowledge.iter().any(|given| name(given) == name(source))
            || (args.source.knowledge.is_empty() && source == Path::new(WORDNET))
    };
    let sources = recorded.sources();
    let knowledge = if sources.iter().all(is_given) { Vec::new() } else { sources };
    let wordnet = recorded.wordnet.clone().filter(|_| args.source.wordnet.is_none());
    SourceArgs { wordnet, knowledge }.flags()
}

/// Returns the names of files; files with equal names are shown with their folders.
fn names(files: &[PathBuf]) -> Vec<String> {
    let short = |path: &PathBuf| {
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    files.iter().for_each(|path| *counts.entry(short(path)).or_default() += 1);
    let name = |path: &PathBuf| match short(path) {
        name if counts[&name] == 1 => name,
        _ => path.display().to_string(),
    };
    files.iter().map(name).collect()
}

/// Notes how many values each of several sources has, and what that means for the ranking.
fn note_sources(knowledge: &Knowledge, meanings: &[Option<Concept>]) {
    if knowledge.sources().len() == 1 {
        return;
    }
    let n_of = |source: &str| {
        let is_of = |concept: &&Concept| knowledge.source_of(**concept) == source;
        meanings.iter().flatten().filter(is_of).count()
    };
    for source in knowledge.sources().filter(|source| n_of(source) == 0) {
        console::note(&format!("WARNING: the source {source} has none of the values"));
    }
    let counts = knowledge.sources().map(|source| format!("{} from {source}", n_of(source)));
    console::note(&format!(
        "values with a meaning: {}; values of different sources are not similar at all",
        counts.collect::<Vec<_>>().join(", ")
    ));
}

/// Returns a note on the values without a meaning and what to do, or `None` if all have one.
fn without_meaning(
    column: &Column,
    knowledge: &Knowledge,
    meanings: &[Option<Concept>],
) -> Option<String> {
    let (name, source) = (&column.name, knowledge.source());
    let values = &column.domain.values;
    let lost: Vec<usize> = (0..values.len()).filter(|&code| meanings[code].is_none()).collect();
    if lost.is_empty() && !meanings.is_empty() {
        return None;
    }
    let kind = match values.kind() {
        Kind::Number => "numbers",
        Kind::Date => "dates",
        Kind::Code | Kind::Text if lost.len() == values.len() => {
            return Some(format!(
                "no value of {name} was found in {source}; state what they mean with --senses FILE, or use \
                 --knowledge FILE"
            ));
        }
        Kind::Code | Kind::Text => {
            let quoted = |&code: &usize| format!("'{}'", values.spelling(code));
            let some = lost.iter().take(SHOWN).map(quoted).collect::<Vec<_>>().join(", ");
            let more = match lost.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let of = counted(values.len(), "value");
            return Some(format!(
                "{} of {of} of {name} not found in {source}, so similar to nothing: {some}{more}; state what they \
                 mean with --senses FILE",
                lost.len()
            ));
        }
    };
    Some(format!("{kind} such as those of {name} are not words, so they have no meaning"))
}

fn print_ranking(
    args: &RankArgs,
    names: &[String],
    candidates: &[Evaluated],
    why: Option<String>,
) -> Result<()> {
    let weights = args.weights.unwrap_or_default();
    // Programs want all candidates, readers the best.
    let usual = if args.json { candidates.len() } else { USUAL_TOP };
    let top = args.top.map_or(usual, |top| top as usize);
    let ranked = rank::rank(candidates, &weights).into_iter().take(top);
    let line = |(place, ranked): (usize, rank::Ranked)| Line {
        place,
        name: names[ranked.candidate].clone(),
        candidate: candidates[ranked.candidate],
        score: ranked.score,
    };
    let ranking = Ranking {
        column: args.column.clone(),
        k: args.k,
        weights,
        count: candidates.len(),
        candidates: (1..).zip(ranked).map(line).collect(),
    };
    if args.json {
        return console::print_json(&ranking);
    }
    let mut out = text(&ranking);
    if let Some(why) = why {
        let _ = writeln!(out, "\n{why}");
    }
    Ok(console::print(&out)?)
}

fn text(ranking: &Ranking) -> String {
    let Ranking { column, k, weights, count, candidates } = ranking;
    let mut out = format!("{} for {column}, k = {k}\n", counted(*count, "candidate"));
    let _ = writeln!(out, "weights: {weights}\n");
    let lengths = candidates.iter().map(|line| line.name.chars().count());
    let width = lengths.max().unwrap_or(0).max("candidate".len());
    // The greatest reward is the number of candidates, in parentheses.
    let reward_width = count.to_string().len() + 2;
    let _ = write!(out, "place  {:<width$}", "candidate");
    for aspect in ASPECTS {
        let _ = write!(out, "  {aspect:>10}{:reward_width$} ", "");
    }
    let _ = writeln!(out, "  {:>10}", "score");
    for Line { place, name, candidate, score } in candidates {
        let Evaluated { aspects, rewards, .. } = candidate;
        let _ = write!(out, "{place:>5}  {name:<width$}");
        for (aspect, reward) in columns(aspects, rewards) {
            let aspect = aspect.map_or_else(|| "-".to_owned(), |aspect| format!("{aspect:.6}"));
            let _ = write!(out, "  {aspect:>10} {:>reward_width$}", format!("({reward})"));
        }
        let _ = writeln!(out, "  {score:>10.4}");
    }
    if *count > candidates.len() {
        let more = count - candidates.len();
        let _ = writeln!(out, "and {more} more; --top {count} shows all");
    }
    let _ = writeln!(
        out,
        "\nLess is better in each aspect; its reward, in parentheses, is {count} minus the number of better \
         candidates."
    );
    out
}

/// Returns the aspects with their rewards, in the order of [`ASPECTS`].
fn columns(aspects: &Aspects, rewards: &Rewards) -> [(Option<f64>, usize); 4] {
    [
        (aspects.semantic, rewards.semantic),
        (Some(aspects.privacy), rewards.privacy),
        (Some(aspects.distortion), rewards.distortion),
        (Some(aspects.interval), rewards.interval),
    ]
}

fn print_grid(args: &RankArgs, names: &[String], candidates: &[Evaluated]) -> Result<()> {
    let winner = |weights: Weights| {
        let best = rank::rank(candidates, &weights).into_iter().next();
        best.map(|best| Winner { weights, best: names[best.candidate].clone(), score: best.score })
    };
    let grid = Grid {
        column: args.column.clone(),
        k: args.k,
        count: candidates.len(),
        winners: Weights::grid().into_iter().filter_map(winner).collect(),
    };
    if args.json {
        return console::print_json(&grid);
    }
    let count = counted(grid.count, "candidate");
    let mut out = format!("{count} for {}, k = {}; weights in %\n\n", grid.column, grid.k);
    let [a, b, c, d] = ASPECTS;
    let _ = writeln!(out, "{a:>8}  {b:>8}  {c:>10}  {d:>8}  {:>10}  best", "score");
    for Winner { weights, best, score } in &grid.winners {
        let [a, b, c, d] = weights.shares().map(|share| share * 100.0);
        let _ = writeln!(out, "{a:>8}  {b:>8}  {c:>10}  {d:>8}  {score:>10.4}  {best}");
    }
    Ok(console::print(&out)?)
}
