//! Places by their names and codes, in any spelling.

use hashbrown::HashMap;

use crate::letters::folded;

/// Finds the places of a list by their names and codes.
pub(super) struct Places {
    /// The fields of each place, as the list has them.
    rows: Vec<Vec<&'static str>>,
    /// Places by the keys of their names and codes.
    of_key: HashMap<String, usize>,
    /// Places by their numbers.
    of_number: HashMap<u32, usize>,
}

/// The fields of a list that name a place.
pub(super) struct Fields {
    /// Fields with one name or code.
    pub(super) names: &'static [usize],
    /// The field of a code that is a number.
    pub(super) number: usize,
    /// The field of other names, separated by `|`.
    pub(super) others: usize,
}

impl Places {
    /// Reads a list with a header, one place a line, with fields separated by `;`.
    pub(super) fn new(list: &'static str, fields: &Fields) -> Self {
        let rows: Vec<Vec<&str>> =
            list.lines().skip(1).map(|line| line.split(';').collect()).collect();
        let (mut of_key, mut of_number) = (HashMap::new(), HashMap::new());
        for (place, row) in rows.iter().enumerate() {
            let names = fields.names.iter().map(|&field| row[field]);
            for name in names.chain(row[fields.others].split('|')).filter(|name| !name.is_empty()) {
                of_key.entry(key(name)).or_insert(place);
            }
            if let Ok(number) = row[fields.number].parse() {
                of_number.insert(number, place);
            }
        }
        Self { rows, of_key, of_number }
    }

    /// Returns the fields of the place that a value names.
    pub(super) fn find(&self, value: &str) -> Option<&[&'static str]> {
        let value = value.trim();
        let is_number = value.len() <= 3 && value.bytes().all(|byte| byte.is_ascii_digit());
        let place = match value.parse::<u32>() {
            Ok(number) if is_number => self.of_number.get(&number),
            _ => self.of_key.get(&key(value)),
        };
        place.map(|&place| self.rows[place].as_slice())
    }

    /// Returns one field of all places.
    pub(super) fn all(&self, field: usize) -> Vec<&'static str> {
        self.rows.iter().map(|row| row[field]).filter(|name| !name.is_empty()).collect()
    }
}

/// Returns the letters and digits of a name, without case and accents, so that `United-States`,
/// `united states` and `UnitedStates` are one name.
fn key(name: &str) -> String {
    let plain = folded(&name.replace('&', " and "));
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let word = |word| if word == "st" { "saint" } else { word };
    words.map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_by_their_letters() {
        for name in ["United-States", "united states", " UNITED  STATES ", "UnitedStates"] {
            assert_eq!(key(name), "unitedstates");
        }
        assert_eq!(key("Trinidad&Tobago"), key("Trinidad and Tobago"));
        assert_eq!(key("St. Lucia"), key("Saint Lucia"));
        assert_eq!(key("Côte d'Ivoire"), key("Cote d Ivoire"));
    }
}
