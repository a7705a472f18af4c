//! `hedgerow report`: a page or JSON about a release, from its files alone.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};
use hedgerow::error::{Advice, Warning};
use hedgerow::file::sha256;
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{Inputs, Output, ReadOptions, Source};
use hedgerow::job::Job;
use hedgerow::measure::{self, Attained, Owners, Recount};
use hedgerow::method::Spec;
use hedgerow::noun::counted;
use hedgerow::population::Population;
use hedgerow::privacy::{self, PrivacyModel};
use hedgerow::publish::{self, Pair};
use hedgerow::report::{Case, Evidence, Facts, File, Flavour, Format};
use hedgerow::schema::{self, Role};
use hedgerow::study::Claims;
use hedgerow::table::{Columns, Table};

use super::{population, verify_command};
use crate::Verdict;
use crate::args::{self, ReportArgs, pairs_of};
use crate::console::{self, Console};

pub(crate) fn run(args: &ReportArgs) -> Result<Verdict> {
    let format = Format::of(&args.output)?;
    let inputs = Inputs::of([&args.original, &args.release])
        .and(&args.saved)
        .and(&args.privacy.population)
        .and(args.hierarchies.iter().map(args::Pair::value));
    // Before anything is read, so that an existing file is refused at once.
    let output = Output::create(&args.output, args.force, &inputs)?;
    let console = Console::new(false);
    let original_file = args.read.file.open(&args.original)?;
    let mut release_file = args.read.file.open_release(&args.release, args.output_encoding)?;
    if args.spreadsheet_safe {
        release_file = release_file.without_guards();
    }
    let roles = roles(args, &original_file, &release_file)?;
    let columns = columns(args, &roles);
    let encoding = args.read.encoding(args.missing.into())?;
    let threads = args.read.file.threads();
    let reading = ReadOptions { encoding, threads, keep_rows: true, ..ReadOptions::default() };
    let pair = Pair {
        original: &original_file,
        release: &release_file,
        columns: &columns,
        reading: &reading,
        is_guarded: args.spreadsheet_safe,
    };
    let (original, release) = pair.read(&console)?;
    console::note_reading(&original_file, &original.notes());
    let trees = trees(args, &original)?;
    let hierarchies: BTreeMap<_, _> =
        trees.iter().map(|(name, tree)| (name.clone(), tree)).collect();
    let owned = owned(args, &original, &release, &hierarchies)?;
    let path = args.privacy.population.as_ref();
    let population = population::read(path, &original, &args.read, &console)?;
    let sampled = sampled(args, &original_file, &release, &reading, &console)?;
    // With people, models count people: the table that names them replaces the release.
    let counted = owned.as_ref().unwrap_or(&release);
    let claims = claims(args, counted, population.as_ref(), &hierarchies)?;
    let holds = claims.iter().all(|claim| claim.holds);
    let facts = Facts {
        k: args.k,
        claims,
        roles,
        input: File::new(file_name(&args.original), sha256(original_file.path())?),
        output: File::new(file_name(&args.release), sha256(release_file.path())?),
        seed: args.seed,
        thresholds: args.sample.thresholds.clone(),
        verify: Some(verify_commands(args)?),
        threads,
        ..Facts::default()
    };
    let shown = owned.as_ref();
    let (original, release, sampled) = (&original, &release, sampled.as_ref());
    let extent = args.sample.extent(population.as_ref());
    let case = Case { original, release, hierarchies, shown, extent, sampled, facts };
    let evidence = Evidence::gather(&case, &console)?;
    console::warn(&doubts(args, pair, &console)?);
    drop(console.seconds());
    // Removed from the evidence itself, so that page and data cannot differ in what they hide.
    let evidence = if args.public { evidence.public(&case) } else { evidence };
    let title = evidence.verdict.title.clone();
    output.finish_with(format.write(&evidence).as_bytes())?;
    console::report(&format!("{title} {} is written.\n", args.output.display()));
    Ok(if holds { Verdict::Fine } else { Verdict::Violation })
}

/// Warnings about columns without a role: all are compared, but figures are computed from others.
fn doubts(args: &ReportArgs, pair: Pair<'_>, console: &Console) -> Result<Vec<Warning>> {
    let used = args.class.iter().chain(&args.sensitive).cloned().collect();
    let columns = Columns { beside: used, ..pair.columns.clone() };
    Ok(Pair { columns: &columns, ..pair }.doubts(console)?)
}

/// The commands that verify the release, for the readers of an internal and of a public report.
fn verify_commands(args: &ReportArgs) -> Result<[String; 2]> {
    let files = pairs_of(&args.hierarchies, &args.quasi)?.into_iter();
    let named = |path: &Path| Spec::named(path.to_string_lossy());
    let mut job = Job {
        sensitive: args.sensitive.clone(),
        privacy: args.privacy.specs(),
        population: args.privacy.population.clone(),
        person: args.person.clone(),
        hierarchy: files.map(|(column, path)| (column, named(&path))).collect(),
        missing: args.missing.into(),
        keep_order: args.keep_order,
        spreadsheet_safe: args.spreadsheet_safe,
        output_encoding: args.output_encoding,
        ..Job::new(args.original.clone(), args.release.clone(), args.quasi.clone(), args.k)
    };
    args.read.give(&mut job)?;
    // Columns that are published as bounds are refused before.
    Ok(Flavour::ALL.map(|readers| verify_command::of_report(&job, &|_| None, readers)))
}

/// The roles of the columns of the original. Those that the release does not have were left out.
fn roles(args: &ReportArgs, original: &Source, release: &Source) -> Result<Vec<(String, Role)>> {
    for name in args.quasi.iter().chain(&args.sensitive).chain(&args.class) {
        schema::find(original.header(), name)?;
        // Before the lookup, whose message would only say that the column is missing.
        check_style(args, name, release.header())?;
        schema::find(release.header(), name).map_err(|error| error.in_file(&args.release))?;
    }
    if let Some(person) = &args.person {
        schema::find(original.header(), person)?;
        if args.quasi.contains(person) || args.sensitive.contains(person) {
            bail!("column '{person}' names people and has another role; give it one role");
        }
    }
    if let Some(name) = args.quasi.iter().find(|name| args.sensitive.contains(name)) {
        bail!("column '{name}' is named as quasi and as sensitive; give it one role");
    }
    let role = |name: &String| match name {
        _ if args.quasi.contains(name) => Role::Quasi,
        _ if args.person.as_ref() == Some(name) => Role::Person,
        _ if args.class.as_ref() == Some(name) => Role::Class,
        _ if args.sensitive.contains(name) => Role::Sensitive,
        // The order matters: a column with a stated role has it even if it is also published.
        _ if release.header().contains(name) => Role::Insensitive,
        _ => Role::Dropped,
    };
    Ok(original.header().iter().map(|name| (name.clone(), role(name))).collect())
}

/// The columns to compare: all that both tables have, the class column first.
fn columns(args: &ReportArgs, roles: &[(String, Role)]) -> Columns {
    let with =
        |role: Role| roles.iter().filter(move |(_, of)| *of == role).map(|(name, _)| name.clone());
    let beside: Vec<String> =
        with(Role::Class).chain(with(Role::Sensitive)).chain(with(Role::Insensitive)).collect();
    let columns = Columns::quasi(&args.quasi).and_beside(&beside);
    match &args.person {
        Some(person) => columns.and_person(person),
        None => columns,
    }
}

/// Returns an error if a quasi-identifier is published as two columns of bounds.
fn check_style(args: &ReportArgs, name: &str, shown: &[String]) -> Result<()> {
    let bounds = ["min", "max"].map(|end| format!("{name}_{end}"));
    if shown.iter().any(|column| column == name) || !bounds.iter().all(|b| shown.contains(b)) {
        return Ok(());
    }
    let problem = format!(
        "the release has '{}' and '{}' instead of this column, which are not compared with an original",
        bounds[0], bounds[1]
    );
    let advice = Advice::words(
        "let the run that makes the release write the report (anonymize --report), or publish intervals as \
         brackets",
    );
    Err(hedgerow::Error::column(name, problem).advise([advice]).in_file(&args.release).into())
}

/// The release with the person of each record, found by comparing it with the original, if a column
/// names people.
fn owned(
    args: &ReportArgs,
    original: &Table,
    release: &Table,
    trees: &BTreeMap<String, &Hierarchy>,
) -> Result<Option<Table>> {
    if args.person.is_none() {
        return Ok(None);
    }
    match measure::owners(original, release, trees, args.keep_order)? {
        Owners::Known(named) => Ok(Some(named)),
        Owners::Uncertain { at_least } => {
            let problem = format!(
                "records of the release could belong to different people, so its people cannot be counted; every \
                 class has at least {}",
                counted(at_least, "person")
            );
            let advice = [
                "let the run that makes the release write the report (anonymize --report)",
                "compare a release in the order of its original (--keep-order) before it is shuffled",
            ];
            Err(hedgerow::Error::file(&args.release, problem)
                .advise(advice.map(Advice::words))
                .into())
        }
    }
}

/// Reads the hierarchies that are given for columns of the original.
fn trees(args: &ReportArgs, original: &Table) -> Result<BTreeMap<String, Hierarchy>> {
    let mut given = match &args.saved {
        Some(folder) => publish::saved_hierarchies(folder, &args.quasi)?,
        None => BTreeMap::new(),
    };
    given.extend(pairs_of(&args.hierarchies, &args.quasi)?);
    let files = original.columns().iter().filter_map(|c| Some((c, given.get(&c.name)?)));
    let trees: hedgerow::Result<_> = files
        .map(|(column, path)| Ok((column.name.clone(), format::read_file_of(path, column)?)))
        .collect();
    Ok(trees?)
}

/// The original with its sampling weights, if these are named and the release does not have them.
fn sampled(
    args: &ReportArgs,
    original: &Source,
    release: &Table,
    reading: &ReadOptions,
    console: &Console,
) -> Result<Option<Table>> {
    let Some(name) = &args.sample.weights else { return Ok(None) };
    schema::find(original.header(), name)?;
    if args.quasi.contains(name) || args.person.as_ref() == Some(name) {
        bail!("column '{name}' has sampling weights and another role; name it once");
    }
    if release.beside().iter().any(|column| column.name == *name) {
        return Ok(None);
    }
    let beside: Vec<&String> = args.sensitive.iter().chain([name]).collect();
    let person = args.person.clone();
    let columns = Columns { person, ..Columns::quasi(&args.quasi).and_beside(&beside) };
    Ok(Some(original.read(&columns, reading, console)?))
}

/// Returns the claimed and the attained privacy of the release.
fn claims(
    args: &ReportArgs,
    release: &Table,
    population: Option<&Population>,
    trees: &BTreeMap<String, &Hierarchy>,
) -> Result<Vec<Attained>> {
    let specs = args.privacy.specs();
    // A population is also useful without a model that counts it, for estimates of risk.
    let counted = match population {
        Some(population) if privacy::look_at_population(&specs)? => Some(population),
        _ => None,
    };
    let claims = Claims {
        k: args.k,
        privacy: &specs,
        sensitive: &args.sensitive,
        hierarchy: &BTreeMap::new(),
        has_population: counted.is_some(),
    };
    claims.columns()?;
    if counted.is_some() && release.people().is_some() {
        bail!(
            "k-map compares records with a population, and --person counts people; leave one out"
        );
    }
    let built = claims.models(release)?;
    let models: Vec<&dyn PrivacyModel> = built.iter().map(AsRef::as_ref).collect();
    let covered = match counted {
        Some(population) => population.covered(release, trees)?,
        None => Vec::new(),
    };
    Ok(Recount::among(release, &models, &covered)?.privacy)
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
