//! A list of words with a lookup that ignores case.

use std::cmp::Ordering;

use hashbrown::HashSet;

/// Words and phrases, sorted by their lookup form: lower case, with `_` for a blank.
///
/// Words with the same lookup form are adjacent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words {
    text: String,
    /// The start of each word, and at the end the length of the text.
    starts: Vec<u32>,
}

impl Words {
    /// Returns the distinct words, sorted.
    pub(crate) fn of(words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let distinct: HashSet<String> = words.into_iter().map(Into::into).collect();
        let mut words: Vec<String> = distinct.into_iter().collect();
        words.sort_by_cached_key(|word| {
            // The spelling breaks ties, so that the order does not depend on the hash set.
            (word.chars().flat_map(folded).collect::<String>(), word.clone())
        });
        let mut sorted = Self { text: String::new(), starts: vec![0] };
        words.iter().for_each(|word| sorted.push(word));
        sorted
    }

    /// Adds a word that sorts after all others.
    pub(crate) fn push(&mut self, word: &str) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.text.push_str(word);
        self.starts.push(self.text.len() as u32);
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(crate) fn get(&self, number: u32) -> &str {
        let number = number as usize;
        &self.text[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// Returns the number of a word with exactly this spelling.
    pub(crate) fn number(&self, word: &str) -> Option<u32> {
        self.find(word).find(|&number| self.get(number) == word)
    }

    /// Returns the numbers of all words with the same lookup form.
    pub(crate) fn find(&self, word: &str) -> std::ops::Range<u32> {
        // Words are sorted by lookup form, so equal ones are adjacent.
        let first = self.partition_point(|other| compare(other, word) == Ordering::Less);
        let rest = first..self.len() as u32;
        let n_alike =
            rest.take_while(|&number| compare(self.get(number), word) == Ordering::Equal).count();
        first..first + n_alike as u32
    }

    /// Returns the first word with the same lookup form as word `number`.
    pub(crate) fn first_alike(&self, number: u32) -> u32 {
        self.find(self.get(number)).start
    }

    /// Returns the words whose lookup form starts with that of `start`.
    pub(crate) fn beginning_with(&self, start: &str) -> impl Iterator<Item = &str> {
        let first = self.partition_point(|other| compare(other, start) == Ordering::Less);
        let rest = (first..self.len() as u32).map(|number| self.get(number));
        // In folded characters: lower case can be longer than upper case.
        let n_chars = start.chars().flat_map(folded).count();
        rest.take_while(move |word| {
            word.chars().flat_map(folded).take(n_chars).eq(start.chars().flat_map(folded))
        })
    }

    fn partition_point(&self, is_before: impl Fn(&str) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = low.midpoint(high);
            if is_before(self.get(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Compares the lookup forms of two words.
fn compare(a: &str, b: &str) -> Ordering {
    a.chars().flat_map(folded).cmp(b.chars().flat_map(folded))
}

fn folded(c: char) -> impl Iterator<Item = char> {
    if c == ' ' { '_' } else { c }.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_however_they_are_written() {
        let words = Words::of(["Turkey", "nurse", "turkey", "New_York", "ÄRZTIN", "nurse"]);
        assert_eq!(words.len(), 5);
        let found = |word: &str| words.find(word).map(|n| words.get(n)).collect::<Vec<_>>();
        assert_eq!(found("TURKEY"), ["Turkey", "turkey"]);
        assert_eq!(found("new york"), ["New_York"]);
        assert_eq!(found("ärztin"), ["ÄRZTIN"]);
        assert_eq!(found("nurs"), [""; 0]);
        assert_eq!(words.number("turkey").map(|n| words.get(n)), Some("turkey"));
        assert_eq!(words.beginning_with("NU").collect::<Vec<_>>(), ["nurse"]);
        assert_eq!(Words::default().find("x").len(), 0);
    }
}
