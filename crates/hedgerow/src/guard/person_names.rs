//! Whether the values of a column are names of people, whatever the column is called.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use hashbrown::HashSet;

use super::glance::Seen;
use super::names::is_of_another;
use crate::letters::folded;
use crate::table::Kind;

/// The first names that at least 0.004% of women or men had in the United States Census of 1990, as
/// the Census Bureau published them ("Frequently Occurring Surnames and First Names", public domain),
/// without their order.
static FIRST_NAMES: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("first_names.txt").split_whitespace().collect());

/// What makes values look like names of people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidence {
    /// Many of them contain a first name.
    FirstNames,
    /// They have the form of names only: two or more capitalized words.
    Form,
}

/// Number of different values that are examined.
const EXAMINED: usize = 2000;
/// Share of the values that must have the form of names.
const FORM: f64 = 0.8;
/// Share of the values that must contain a first name. In the lists of other countries than the
/// United States, a quarter to two thirds of first names are in the list.
const KNOWN: f64 = 0.2;
/// The same for values of one word, for values without capitals, and for columns that are called
/// after a place or a thing, because such words are more often something else.
const KNOWN_ALONE: f64 = 0.5;
/// Number of different values from which first names, single words and the form are evidence.
const LEAST_KNOWN: usize = 5;
const LEAST_ALONE: usize = 10;
const LEAST_OF_FORM: usize = 20;

/// Returns why the values of a column look like names of people, or `None` if they do not.
pub(super) fn are_names(seen: &Seen) -> Option<Evidence> {
    if seen.kind != Kind::Text {
        return None;
    }
    let values: Vec<Words> = seen.spellings.iter().take(EXAMINED).map(|s| Words::of(s)).collect();
    let n_values = values.len();
    let share = |n: usize| n as f64 / n_values.max(1) as f64;
    let count = |is: fn(&Words) -> bool| values.iter().filter(|words| is(words)).count();
    let (full, single) = (count(Words::is_full_name), count(Words::is_single));
    let (known, capital) = (count(Words::has_first_name), count(Words::is_capitalized));
    let is_other = is_of_another(&seen.name);
    let least = if is_other || share(capital) < FORM { KNOWN_ALONE } else { KNOWN };
    if share(full) >= FORM && n_values >= LEAST_KNOWN && share(known) >= least {
        return Some(Evidence::FirstNames);
    }
    if share(full + single) >= FORM && n_values >= LEAST_ALONE && share(known) >= KNOWN_ALONE {
        return Some(Evidence::FirstNames);
    }
    let lasts: BTreeSet<&str> = values.iter().filter_map(|words| words.last()).collect();
    let has_form = share(full) >= FORM && share(capital) >= FORM && n_values >= LEAST_OF_FORM;
    (has_form && !is_other && share(lasts.len()) >= FORM).then_some(Evidence::Form)
}

/// The words of a value.
struct Words {
    folded: Vec<String>,
    /// Whether the value has only letters and the signs of names.
    is_plain: bool,
    /// Whether all words begin with a capital, except short ones such as `de` and `van`.
    is_capital: bool,
}

impl Words {
    fn of(text: &str) -> Self {
        let is_plain = text.chars().all(|c| c.is_alphabetic() || " .,'’-".contains(c));
        let parts = || text.split([' ', ',', '.', '-']).filter(|part| !part.is_empty());
        let is_capital =
            |part: &str| part.len() <= 3 || part.chars().next().is_some_and(char::is_uppercase);
        let is_capital = parts().all(is_capital) && text.chars().any(char::is_uppercase);
        Self { folded: parts().map(folded).collect(), is_plain, is_capital }
    }

    /// Whether the value has two to five words: `Maria Garcia`, `Weber, Dr. Anna`, `J. de Vries`.
    fn is_full_name(&self) -> bool {
        let n_long = self.folded.iter().filter(|word| word.len() > 1).count();
        self.is_plain && (2..=5).contains(&self.folded.len()) && n_long > 0
    }

    fn is_single(&self) -> bool {
        self.is_plain && self.folded.len() == 1
    }

    fn is_capitalized(&self) -> bool {
        self.is_capital
    }

    fn has_first_name(&self) -> bool {
        self.is_plain && self.folded.iter().any(|word| FIRST_NAMES.contains(word.as_str()))
    }

    fn last(&self) -> Option<&str> {
        self.folded.last().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Glance;
    use super::*;

    fn evidence(name: &str, values: &[&str]) -> Option<Evidence> {
        let rows: Vec<[&str; 1]> = values.iter().flat_map(|value| [[*value]; 3]).collect();
        let glance = Glance::of_rows(&[name], &rows, &[]);
        are_names(&glance.columns[0])
    }

    fn found(name: &str, values: &str) -> Option<Evidence> {
        evidence(name, &values.split("; ").collect::<Vec<_>>())
    }

    #[test]
    fn full_names_are_recognized_in_any_order_and_spelling() {
        let names = Some(Evidence::FirstNames);
        assert_eq!(
            found("V3", "Anna Weber; Karl Vogt; Jo Ide; Peter Huber; Eva Maria Kurz"),
            names
        );
        assert_eq!(found("x", "WEBER, ANNA; VOGT, KARL; IDE, J.; HUBER, PETER; KURZ, EVA"), names);
        assert_eq!(found("x", "José Ruiz; María de la Paz; Luis Peña; Ana Gil; Íñigo Sanz"), names);
        assert_eq!(found("x", "anna weber; karl vogt; mary ide; peter huber; eva kurz"), names);
        let first = "Anna; Karl; Mary; Peter; Eva; Luis; Ana; Maria; Ben; Zoltan";
        assert_eq!(found("x", first), names);
    }

    #[test]
    fn places_titles_and_categories_are_not_names() {
        for values in [
            "New York; Los Angeles; San Francisco; Chicago; Boston; Houston; Denver; Dallas",
            "Married; Never married; Divorced; Widowed; Separated; Married, spouse absent",
            "January; February; March; April; May; June; July; August; September; October; November",
            "Adm-clerical; Exec-managerial; Prof-specialty; Craft-repair; Other-service; Tech-support",
            "United States; Mexico; Puerto Rico; El Salvador; Germany; Jamaica; South Korea; Cuba",
            "nothern_central; rural_area; north_east; south; NA",
            "Red Sox; White Sox; Blue Jays; Brewers; Tigers; Indians; Orioles; Yankees",
            "yes; no",
        ] {
            assert_eq!(found("x", values), None, "{values}");
        }
    }

    #[test]
    fn unknown_names_are_recognized_by_their_form_unless_they_name_things() {
        let syllables = ["Bek", "Tur", "Gul", "Yil", "Kor"];
        let name = |i: usize| {
            format!(
                "{}an {}{}maz",
                syllables[i % 5],
                syllables[i / 5],
                "iou".as_bytes()[i % 3] as char
            )
        };
        let names: Vec<String> = (0..25)
            .map(|i| format!("{}{}", name(i), ["", "ci", "li", "er", "oglu"][i % 5]))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(evidence("V3", &names), Some(Evidence::Form));
        assert_eq!(evidence("product_name", &names), None);
    }
}
