//! Claims: a table of words like that of an insurer.

use std::cmp::Reverse;
use std::io::Write;

use hashbrown::HashSet;
use twox_hash::XxHash3_64;

use crate::io::{Form, Output, RowWriter};
use crate::knowledge::{Concept, Knowledge, Source};
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

/// Maximum number of child concepts of a word. Words with more are too general.
const MOST_BELOW: usize = 28;

/// The rule that generates a column.
struct Recipe {
    name: &'static str,
    n_words: usize,
    /// The concepts below which its words lie.
    below: &'static str,
    /// Concepts that are excluded with all their descendants, mostly because their words are more
    /// common in other senses.
    but: &'static str,
}

const RECIPES: [Recipe; 4] = [
    Recipe {
        name: "occupation",
        n_words: 96,
        below: "worker#1 professional#1 scientist#1 artist#1 engineer#1 merchant#1 writer#1",
        but: "serviceman#1 assistant#1 servant#1 composer#1 poet#1 dramatist#1 quack#1 hire#1 plier#1 \
              ordinary#1 mate#1 appointee#1 careerist#1",
    },
    Recipe {
        name: "workplace",
        n_words: 60,
        below: "workplace#1 place_of_business#1 building#1 school#1 facility#1",
        but: "house#1 outbuilding#1 house_of_prostitution#1 military_installation#1 central#1 \
              architecture#1 plumbing#1 skyscraper#1 tenement#1 links#1 repertory#1",
    },
    Recipe {
        name: "activity",
        n_words: 60,
        below: "sport#1 diversion#1 exercise#1 handicraft#2 housework#1 cooking#1",
        but: "agon#1 revel#1 broil#1 parimutuel#1 weightlift#1 bathe#1 merrymaking#1 pastime#1",
    },
    Recipe {
        name: "place",
        n_words: 60,
        below: "room#1 tract#1 road#1 geological_formation#1 body_of_water#1 urban_area#1",
        but: "short#1 draw#1 rapid#1 alp#1 burrow#1",
    },
];

/// Generates a table with four columns of common English nouns: an occupation, a workplace, an
/// activity, and the place of an incident.
///
/// The words are the most common ones of WordNet below a few concepts. They are single lower-case
/// words that name their concept, and this concept is their first sense. Words are ranked by the
/// number of times that they are tagged with that sense in texts, plus the number of phrases that
/// they end in definitions, which is divided by their number of senses. The frequency of words
/// falls with their rank (Zipf). In half of the records the workplace depends on the occupation,
/// and the place on the activity.
///
/// # Complexity
///
/// Constant for each record.
///
/// # Guarantees
///
/// The same number of records and seed give the same bytes. More records only append to them.
///
/// # References
///
/// Our own, modelled on the data of \[Ayala2016\], section 4.
///
/// # Examples
///
/// ```
/// use hedgerow::generate::Claims;
/// let claims = Claims { n_rows: 3, seed: 0 };
/// assert_eq!(Claims::columns(), ["occupation", "workplace", "activity", "place"]);
/// assert_eq!(claims.rows()?.count(), 3);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Claims {
    /// Number of records.
    pub n_rows: u64,
    /// Seed of the random number generator.
    pub seed: u64,
}

impl Claims {
    /// Returns the names of the columns.
    pub fn columns() -> [&'static str; 4] {
        RECIPES.map(|recipe| recipe.name)
    }

    /// Iterates over the records.
    pub fn rows(self) -> Result<impl Iterator<Item = [&'static str; 4]>> {
        let wordnet = Knowledge::wordnet();
        let uses = uses(wordnet.at(0));
        let words: Vec<Vec<&str>> = RECIPES
            .iter()
            .map(|recipe| commonest(wordnet, &uses, recipe))
            .collect::<Result<_>>()?;
        // Zipf weights as integers, so that every machine draws the same words.
        let total = |words: &Vec<&str>| (1..=words.len() as u64).map(weight).sum();
        let totals: Vec<u64> = words.iter().map(total).collect();
        Ok((0..self.n_rows).map(move |record| self.row(record, &words, &totals)))
    }

    /// Draws a record from the words of each column, given the sum of their weights.
    fn row(self, record: u64, words: &[Vec<&'static str>], totals: &[u64]) -> [&'static str; 4] {
        let mut row = [""; 4];
        let mut before = 0;
        for (column, words) in (0..).zip(words) {
            let mut place = ranked(self.draw([record, column, 0], totals[column as usize]));
            // Workplace follows occupation and place follows activity, in half of the records.
            if column % 2 == 1 && self.draw([record, column, 1], 2) == 0 {
                // Each word of the previous column has its own offset here, so the two columns are
                // correlated.
                place += self.draw([u64::MAX, column, before], words.len() as u64);
            }
            before = place % words.len() as u64;
            row[column as usize] = words[before as usize];
        }
        row
    }

    /// Writes the table to a file.
    pub fn write(self, output: &mut Output, progress: &dyn Progress) -> Result<()> {
        let form = Form { delimiter: b',', charset: None, as_text: &[] };
        form.write(output, progress, |out| self.write_csv(out, progress))
    }

    fn write_csv(self, output: &mut Output, progress: &dyn Progress) -> Result<()> {
        let path = output.path().to_owned();
        let fault = |error| Error::io("write", &path)(error);
        let mut out = output.packed();
        let mut rows = RowWriter::new(b',');
        for row in std::iter::once(Self::columns()).chain(self.rows()?) {
            row.iter().for_each(|word| rows.field(word.as_bytes()));
            rows.end_row();
            // A table can be larger than memory, so rows are written a megabyte at a time.
            if rows.bytes().len() > 1 << 20 {
                stop_if_cancelled(progress)?;
                out.write_all(rows.bytes()).map_err(fault)?;
                rows.clear();
            }
        }
        out.write_all(rows.bytes()).map_err(fault)?;
        out.finish().map_err(fault)
    }

    /// Returns a pseudorandom number below `n` that depends on the seed and the key only.
    fn draw(self, key: [u64; 3], n: u64) -> u64 {
        let random = XxHash3_64::oneshot_with_seed(self.seed, &key.map(u64::to_le_bytes).concat());
        // The high half of the product is uniform below `n` without a division.
        ((u128::from(random) * u128::from(n)) >> 64) as u64
    }
}

/// Returns the weight of the word with this rank, which is inversely proportional to the rank.
fn weight(rank: u64) -> u64 {
    (1 << 32) / rank
}

/// Returns the index of the word that corresponds to a number below the sum of all weights.
fn ranked(mut drawn: u64) -> u64 {
    let mut rank = 1;
    while drawn >= weight(rank) {
        drawn -= weight(rank);
        rank += 1;
    }
    rank - 1
}

/// Counts the phrases that each word of the definitions ends, which means that a stop word or
/// nothing follows. Words that modify others rarely end a phrase.
fn uses(source: &Source) -> Vec<u32> {
    let glosses = source.glosses();
    let mut uses = vec![0; glosses.vocabulary().len()];
    for concept in source.concepts() {
        let words = source.gloss(concept);
        for (place, &word) in words.iter().enumerate() {
            if words.get(place + 1).is_none_or(|&next| glosses.is_stop(next)) {
                uses[word as usize] += 1;
            }
        }
    }
    uses
}

/// Returns the most common words for a column.
fn commonest(
    knowledge: &'static Knowledge,
    uses: &[u32],
    recipe: &Recipe,
) -> Result<Vec<&'static str>> {
    let concepts = |names: &str| -> Result<Vec<Concept>> {
        names.split(' ').map(|name| knowledge.concept(name)).collect()
    };
    let (roots, but) = (concepts(recipe.below)?, concepts(recipe.but)?);
    // Depth-first search below the roots. Excluded concepts count as visited.
    let (mut open, mut done) = (roots.clone(), HashSet::<Concept>::from_iter(but));
    let mut found = Vec::new();
    while let Some(concept) = open.pop() {
        // A concept can have several parents, so it may be reached twice.
        if !done.insert(concept) {
            continue;
        }
        open.extend(knowledge.children(concept));
        let word = knowledge.words(concept).next().unwrap_or("");
        let is_plain = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let senses = knowledge.senses(word);
        let kinds = knowledge.children(concept).iter().filter(|&&kind| !is_name(knowledge, kind));
        let is_narrow = kinds.count() <= MOST_BELOW;
        if is_plain && is_narrow && senses.first() == Some(&concept) && !roots.contains(&concept) {
            let vocabulary = knowledge.at(concept).glosses().vocabulary();
            // Definitions contain singular and plural forms.
            let of = |form: &str| vocabulary.number(form).map_or(0, |number| uses[number as usize]);
            let n_uses = of(word) + of(&format!("{word}s"));
            let tags = knowledge.tag_count(word, concept);
            found.push((Reverse(tags + n_uses / senses.len() as u32), word));
        }
    }
    // Ties are in alphabetical order.
    found.sort_unstable();
    Ok(found.into_iter().take(recipe.n_words).map(|(_, word)| word).collect())
}

/// Whether the name of a concept is a proper noun.
fn is_name(knowledge: &Knowledge, concept: Concept) -> bool {
    knowledge.words(concept).next().is_some_and(|word| word.starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn rows(n_rows: u64, seed: u64) -> Vec<[&'static str; 4]> {
        Claims { n_rows, seed }.rows().unwrap().collect()
    }

    #[test]
    fn words_lie_where_they_should_and_few_are_common() {
        let (rows, wordnet) = (rows(10_000, 0), Knowledge::wordnet());
        for (column, recipe) in RECIPES.iter().enumerate() {
            let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
            rows.iter().for_each(|row| *counts.entry(row[column]).or_default() += 1);
            assert_eq!(counts.len(), recipe.n_words, "{}", recipe.name);
            let most = counts.values().max().unwrap();
            assert!(*most > 1_000 && counts.values().min().unwrap() * 15 < *most, "{most}");
            let roots = recipe.below.split(' ').map(|name| wordnet.concept(name).unwrap());
            let roots: Vec<Concept> = roots.collect();
            for word in counts.keys() {
                let above = wordnet.ancestors(wordnet.senses(word)[0]);
                assert!(roots.iter().any(|&root| above.contains(root)), "{word}");
            }
        }
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(rows(200, 7), rows(300, 7)[..200]);
        assert_ne!(rows(200, 7), rows(200, 8));
    }

    #[test]
    fn the_workplace_goes_with_the_occupation() {
        let rows = rows(10_000, 0);
        let share = |job: Option<&str>, site: &str| {
            let of_job = rows.iter().filter(|row| job.is_none_or(|job| row[0] == job));
            let sites: Vec<&str> = of_job.map(|row| row[1]).collect();
            sites.iter().filter(|&&found| found == site).count() as f64 / sites.len() as f64
        };
        let lift = |site: &str| share(Some("teacher"), site) / share(None, site);
        let most = rows.iter().map(|row| lift(row[1])).fold(0.0, f64::max);
        assert!(most > 4.0, "{most}");
    }

    #[test]
    fn ranks_are_drawn_by_their_weights() {
        let first = weight(1);
        assert_eq!([0, first - 1, first, first + weight(2)].map(ranked), [0, 0, 1, 2]);
    }
}
