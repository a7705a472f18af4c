//! Opened files of an attack, and the columns of them that attacks read.

use std::path::Path;

use super::{Pair, read_release};
use crate::attack::{Attack, Given, Other, generalized};
use crate::error::Warning;
use crate::io::{ReadOptions, Source};
use crate::noun::listed;
use crate::progress::Progress;
use crate::table::{Columns, Encoding, MissingPolicy, Table};
use crate::{Error, Result, schema};

/// Opened files, and the columns of them that are named.
#[derive(Debug)]
pub struct AttackFiles {
    /// The original.
    pub original: Source,
    /// The release.
    pub release: Source,
    /// Other releases by name, earlier ones first.
    pub others: Vec<(String, Source)>,
    /// A table of people that the attacker has.
    pub external: Option<Source>,
    /// The generalized columns; if there are none, those in which the release has other cells than
    /// the original.
    pub quasi: Vec<String>,
    /// The columns that the attacker knows; if there are none, the generalized ones.
    pub known: Vec<String>,
    /// The sensitive columns.
    pub sensitive: Vec<String>,
    /// The column of the original that names people.
    pub person: Option<String>,
    /// Options for reading the original, with rows.
    pub reading: ReadOptions,
    /// Whether cells of releases that look like formulas have a `'` in front.
    pub is_guarded: bool,
}

/// Tables that were read for attacks.
#[derive(Debug)]
pub struct AttackInputs {
    /// The tables, still without hierarchies.
    pub given: Given,
    /// Warnings about columns that no attack is told of.
    pub doubts: Vec<Warning>,
    /// The generalized columns that were found, if none were named.
    pub found: Vec<String>,
}

impl AttackFiles {
    /// The columns of the release that the original has too, without the person.
    pub fn shared(&self) -> Vec<String> {
        let is_shared = |name: &&String| {
            self.original.header().contains(name) && self.person.as_ref() != Some(*name)
        };
        self.release.header().iter().filter(is_shared).cloned().collect()
    }

    /// Returns an error if the release has no column of the original, or a file lacks a named
    /// column.
    pub fn check(&self) -> Result<()> {
        let Self { original, release, .. } = self;
        // Two unrelated files are the most common mistake, and would look like perfect protection.
        if self.shared().is_empty() {
            return Err(Error::invalid(format!(
                "the release does not belong to the original: they have no column in common; the \
                 original has {}, the release {}",
                listed(original.header()),
                listed(release.header())
            )));
        }
        if let Some(person) = &self.person {
            schema::find(original.header(), person)?;
        }
        for name in [&self.quasi, &self.known, &self.sensitive].into_iter().flatten() {
            for source in [original, release] {
                let found = schema::find(source.header(), name);
                found.map_err(|error| error.in_file(source.path()))?;
            }
        }
        Ok(())
    }

    /// Reads what `attacks` look at.
    ///
    /// # Errors
    ///
    /// Those of [`AttackFiles::check`] and of reading; [`Error::File`] if the table of people has
    /// none of the known columns.
    pub fn read(
        &self,
        attacks: &[Box<dyn Attack>],
        progress: &dyn Progress,
    ) -> Result<AttackInputs> {
        self.check()?;
        let shared = self.shared();
        let found =
            if self.quasi.is_empty() { self.generalized(&shared, progress)? } else { vec![] };
        let quasi = match [&self.quasi, &found, &self.known].into_iter().find(|of| !of.is_empty()) {
            // Where nothing is generalized, the columns that the attacker knows should have been.
            Some(quasi) => quasi.clone(),
            None => Vec::new(),
        };
        // Kept columns make most records different, so only attacks that use them read them.
        let reads_kept = attacks.iter().any(|attack| attack.reads_kept());
        let is_named = |name: &String| self.known.contains(name) || self.sensitive.contains(name);
        let is_read = |name: &&String| !quasi.contains(name) && (reads_kept || is_named(name));
        let beside: Vec<&String> = shared.iter().filter(is_read).collect();
        let columns = Columns::quasi(&quasi).and_beside(&beside);
        let release = self.shown(&self.release, &columns, progress)?;
        // Only the original names people; the release was read without that column.
        let columns = Columns { person: self.person.clone(), ..columns };
        let original = self.original.read(&columns, &self.reading, progress)?;
        let used = [self.known.as_slice(), &self.sensitive].concat();
        let used = Columns::quasi(&quasi).and_beside(&used);
        let pair = Pair {
            original: &self.original,
            release: &self.release,
            columns: &Columns { person: self.person.clone(), ..used },
            reading: &self.reading,
            is_guarded: self.is_guarded,
        };
        let doubts = pair.doubts(progress)?;
        let mut given = Given::new(original, release);
        given.known.clone_from(&self.known);
        given.sensitive.clone_from(&self.sensitive);
        given.threads = self.reading.threads;
        for (name, source) in &self.others {
            let common = source.header().iter().filter(|name| shared.contains(name));
            let columns = Columns::quasi(&common.collect::<Vec<_>>());
            let table = self.shown(source, &columns, progress);
            let table = table.map_err(|error| error.in_file(Path::new(name)))?;
            given.others.push(Other { name: name.clone(), table });
        }
        let known = if self.known.is_empty() { &quasi } else { &self.known };
        let external = self.external.as_ref();
        let external = external.map(|of| self.people(of, known, &given.original, progress));
        given.external = external.transpose()?;
        Ok(AttackInputs { given, doubts, found })
    }

    /// The columns in which the release has other cells than the original, without sensitive ones.
    fn generalized(&self, shared: &[String], progress: &dyn Progress) -> Result<Vec<String>> {
        let columns = Columns::quasi(shared);
        // Missing values are texts to compare here, whatever the policy of the release was.
        let encoding = Encoding { missing: MissingPolicy::Own, ..self.reading.encoding.clone() };
        let reading = ReadOptions { encoding, ..self.reading.clone() };
        let original = self.original.read(&columns, &reading, progress)?;
        let release = self.shown(&self.release, &columns, progress)?;
        let found = generalized(&original, &release).into_iter();
        Ok(found.filter(|name| !self.sensitive.contains(name)).collect())
    }

    /// Reads columns of a release as they are shown.
    fn shown(&self, source: &Source, columns: &Columns, progress: &dyn Progress) -> Result<Table> {
        let own = self.reading.encoding.clone();
        let encoding = Encoding { missing: MissingPolicy::Own, is_guarded: self.is_guarded, ..own };
        read_release(source, columns, ReadOptions { encoding, ..self.reading.clone() }, progress)
    }

    /// Reads the known columns of a table that the attacker has, in the notation of the original.
    fn people(
        &self,
        source: &Source,
        known: &[String],
        original: &Table,
        progress: &dyn Progress,
    ) -> Result<Table> {
        let names: Vec<&String> =
            known.iter().filter(|name| source.header().contains(name)).collect();
        if names.is_empty() {
            return Err(Error::file(
                source.path(),
                format!(
                    "has none of the columns that the attacker knows ({}); it has {}",
                    listed(known),
                    listed(source.header())
                ),
            ));
        }
        let columns = original.columns().iter().chain(original.beside());
        let columns: Vec<_> = columns.filter(|column| names.contains(&&column.name)).collect();
        // The same text must mean the same value in both tables.
        let encoding = Encoding::like(&columns, &self.reading.encoding.na);
        let reading = ReadOptions { encoding, ..self.reading.clone() };
        let table = source.read(&Columns::quasi(&names), &reading, progress);
        table.map_err(|error| error.in_file(source.path()))
    }
}
