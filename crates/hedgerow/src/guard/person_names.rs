//! Recognizes values that are names of people, in columns of any name.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use hashbrown::HashSet;

use super::glance::Seen;
use super::names::{Meaning, is_a_player, is_of_another, meaning};
use super::surnames::{are_surnames, has_institution, is_only_a_name};
use crate::letters::folded;
use crate::table::Kind;

/// The first names that at least 0.004% of women or men had in the United States Census of 1990, as
/// the Census Bureau published them ("Frequently Occurring Surnames and First Names", public
/// domain), without their order.
///
/// The second list has frequent names of other countries, collected by hand: German, French,
/// Italian, Spanish, Portuguese, Dutch, Polish, Hungarian, Turkish, Arabic, Persian, Indian,
/// Chinese and Vietnamese first names, and family names where these are few or come first.
static FIRST_NAMES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lists = [include_str!("first_names.txt"), include_str!("more_names.txt")];
    lists.into_iter().flat_map(str::split_whitespace).collect()
});

/// The 2,000 most frequent family names of the same census ("Frequently Occurring Surnames and
/// First Names", public domain), without their order.
static FAMILY_NAMES: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("family_names.txt").split_whitespace().collect());

/// Endings that many family names have, and few other words.
const FAMILY_ENDS: &str = "sson ova ovic ovich ski ska sky skaya cki cka enko chuk escu oglu inen idis \
                           opoulos akis shvili ов ова ев ева ин ина ский ская енко чук";

/// Frequent Chinese and Korean family names, one character each.
const FAMILY_CHARACTERS: &str = "王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓冯曾程蔡彭潘\
                                 袁于董余苏叶吕魏蒋田杜丁沈姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹\
                                 石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹钱施牛洪龚张陳劉趙\
                                 吳孫馬鄭羅謝鄧馮葉蔣盧陸張김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노곽성차주우구민진\
                                 나지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국";

/// Evidence that values are names of people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidence {
    /// Many of them contain a first name.
    FirstNames,
    /// They are single words, many of which are frequent family names or end like them.
    FamilyNames,
    /// They have the form of names in a script other than Latin, and many values.
    Script,
    /// They have the form of names only: two or more capitalized words.
    Form,
    /// They are many single capitalized words.
    Words,
}

impl Evidence {
    /// Whether values are names rather than something that may be.
    pub(super) fn is_strong(self) -> bool {
        matches!(self, Self::FirstNames | Self::FamilyNames | Self::Script)
    }
}

/// Number of different values that are examined.
const EXAMINED: usize = 2000;
/// Share of the values that must have the form of names.
const FORM: f64 = 0.8;
/// Share of the values that must contain a first name. In the lists of other countries than the
/// United States, a quarter to two thirds of first names are in the list.
const KNOWN: f64 = 0.2;
/// The same for values of one word, for values without capitals, and for columns whose name means a
/// place or a thing, because such words are more often something else.
const KNOWN_ALONE: f64 = 0.5;
/// Number of different values from which first names, single words and the form are evidence.
const LEAST_KNOWN: usize = 5;
const LEAST_ALONE: usize = 10;
const LEAST_OF_FORM: usize = 20;
/// Share of few single words that must be first names, and that must be nothing else.
const NEARLY_ALL: f64 = 0.85;
const ONLY_NAMES: f64 = 0.6;
/// Share of the values whose last words must be different, so that they are family names.
const VARIED: f64 = 0.5;
/// Share of single words that must be names, and that must end like family names, to be names.
const KNOWN_FAMILIES: f64 = 0.4;
const FAMILY_ENDED: f64 = 0.5;
/// Number of records for each value up to which full names in other scripts are names of people.
const RECORDS_PER_NAME: u64 = 5;
/// Number of different single words from which they may be names, and the share of them that must
/// be known names: words of other meanings are hardly ever.
const LEAST_WORDS: usize = 30;
const KNOWN_WORDS: f64 = 0.08;
/// Minimum number of different single words that may be names although none of them is known.
const MANY_WORDS: usize = 50;
/// Share of names of users that must begin or end with a first name to be a doubt, and to be names.
pub(super) const MAY_BE_USERS: f64 = 0.25;
pub(super) const ARE_USERS: f64 = 0.4;
/// Share of Chinese or Korean names that must begin with a frequent family name.
const KNOWN_FAMILY: f64 = 0.6;

/// Returns the evidence that the values of a column are names of people, or `None` if they do not
/// look like names.
pub(super) fn are_names(seen: &Seen) -> Option<Evidence> {
    if seen.kind != Kind::Text {
        return None;
    }
    let n_codes = seen.spellings.iter().take(EXAMINED).filter(|text| is_code(text)).count();
    if n_codes as f64 >= FORM * seen.spellings.len().min(EXAMINED) as f64 {
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
    // A word that is also the name of a town or a thing is not evidence alone.
    let clear = count(Words::has_clear_name);
    if share(full + single) >= FORM && n_values >= LEAST_ALONE && share(clear) >= KNOWN_ALONE {
        return Some(Evidence::FirstNames);
    }
    let is_called = is_a_player(&seen.name) && share(capital) >= FORM && n_values > 1;
    if is_called && share(full + single) >= FORM && share(count(Words::is_named)) >= KNOWN_ALONE {
        return Some(Evidence::FirstNames);
    }
    let is_known = matches!(meaning(&seen.name), Some((Meaning::Quasi | Meaning::Sensitive, _)));
    if !is_other && !is_known && are_given_names(&values) {
        return Some(Evidence::FirstNames);
    }
    let spelt: Vec<&str> = seen.spellings.iter().take(EXAMINED).map(AsRef::as_ref).collect();
    let is_family = |word: &str| FAMILY_NAMES.contains(word);
    let is_character = |first: char| FAMILY_CHARACTERS.contains(first);
    if !is_other && !is_known && are_surnames(&spelt, is_family, is_character) {
        return Some(Evidence::FamilyNames);
    }
    let full_in_characters = count(Words::is_in_characters);
    if share(full_in_characters) >= FORM && n_values >= LEAST_ALONE {
        let known = count(Words::has_family_character);
        return (share(known) >= KNOWN_FAMILY).then_some(Evidence::FirstNames);
    }
    let lasts: BTreeSet<&str> = values.iter().filter_map(|words| words.last()).collect();
    let has_form = share(full) >= FORM && share(capital) >= FORM && n_values >= LEAST_OF_FORM;
    if has_form && !is_other && share(lasts.len()) >= VARIED {
        let is_varied = seen.counts.present <= RECORDS_PER_NAME * seen.counts.distinct;
        let is_script = share(count(Words::is_in_other_script)) >= FORM && is_varied;
        return Some(if is_script { Evidence::Script } else { Evidence::Form });
    }
    // Names may be written in small letters, in which other words are written too.
    let is_shown = share(capital) >= FORM || share(count(Words::is_named)) >= KNOWN_ALONE;
    let are_single = share(single) >= FORM && is_shown && n_values >= LEAST_OF_FORM;
    let families =
        [(Words::is_name as fn(&Words) -> bool, KNOWN_FAMILIES), (Words::ends, FAMILY_ENDED)];
    // Towns and trades have many names that are also those of families.
    let are_single = are_single && !is_other && !is_known;
    if are_single && families.iter().any(|(is, least)| share(count(*is)) >= *least) {
        return Some(Evidence::FamilyNames);
    }
    let are_words = share(single) >= FORM && share(capital) >= FORM && n_values >= LEAST_WORDS;
    let may_be_names = share(known) >= KNOWN_WORDS || n_values >= MANY_WORDS;
    (are_words && !is_other && may_be_names).then_some(Evidence::Words)
}

/// Whether values are single first names, even if they are few. Months, colours, flowers and brands
/// are first names too, but most of them also mean something else.
fn are_given_names(values: &[Words]) -> bool {
    let share = |is: fn(&Words) -> bool| {
        let n = values.iter().filter(|words| words.is_single() && is(words)).count();
        n as f64 / values.len().max(1) as f64
    };
    values.len() >= LEAST_KNOWN
        && share(Words::has_first_name) >= NEARLY_ALL
        && share(Words::has_clear_name) >= ONLY_NAMES
}

/// Whether a text is a code of a state, a country or an airport rather than a name: two letters, or
/// three capitals.
fn is_code(text: &str) -> bool {
    let is_capital = |byte: u8| byte.is_ascii_uppercase();
    (text.len() == 3 && text.bytes().all(is_capital))
        || (text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// The share of single words in small letters that begin or end with a first name, as names of
/// users do: `eduardalbers`, also with a number at the end. 0 for other values.
pub(super) fn share_of_users(spellings: &[Box<str>]) -> f64 {
    let values: Vec<&str> = spellings.iter().take(EXAMINED).map(AsRef::as_ref).collect();
    let is_user = |text: &&&str| {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
        text.len() > 3
            && text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.chars().all(is_part)
    };
    let is_named = |text: &&&str| {
        let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
        // A first name of four letters or more, and something else.
        let mut lengths = 4..letters.len().saturating_sub(1);
        letters.is_ascii()
            && lengths.any(|n| {
                let (start, end) = (&letters[..n], &letters[letters.len() - n..]);
                FIRST_NAMES.contains(start) || FIRST_NAMES.contains(end)
            })
    };
    let share = |n: usize| n as f64 / values.len().max(1) as f64;
    let are_users =
        values.len() >= LEAST_WORDS && share(values.iter().filter(is_user).count()) >= 0.95;
    if are_users { share(values.iter().filter(is_named).count()) } else { 0.0 }
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
        // Signs for vowels in the scripts of India and Thailand are part of words, but not all are
        // letters.
        let is_letter = |c: char| c.is_alphabetic() || ('\u{900}'..='\u{e7f}').contains(&c);
        let is_plain = text.chars().all(|c| is_letter(c) || " .,'’-".contains(c));
        let parts = || text.split([' ', ',', '.', '-']).filter(|part| !part.is_empty());
        // Scripts without capitals have words that begin with neither.
        let is_small = |part: &str| part.chars().next().is_some_and(char::is_lowercase);
        let is_capital = |part: &str| part.len() <= 3 || !is_small(part);
        let is_capital = parts().all(is_capital) && !parts().all(is_small);
        Self { folded: parts().map(folded).collect(), is_plain, is_capital }
    }

    /// Whether the value has two to five words: `Maria Garcia`, `Weber, Dr. Anna`, `J. de Vries`.
    fn is_full_name(&self) -> bool {
        let n_long = self.folded.iter().filter(|word| word.len() > 1).count();
        self.is_plain
            && !has_institution(&self.folded)
            && (2..=5).contains(&self.folded.len())
            && n_long > 0
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

    /// Whether the value has a first name that is not also a place or thing, or several words.
    fn has_clear_name(&self) -> bool {
        let is_clear = |word: &str| self.folded.len() > 1 || is_only_a_name(word);
        let is_known = |word: &String| FIRST_NAMES.contains(word.as_str()) && is_clear(word);
        self.is_plain && self.folded.iter().any(is_known)
    }

    /// Whether a word of the value is a first or a family name.
    fn is_named(&self) -> bool {
        let is_known = |word: &&String| {
            FIRST_NAMES.contains(word.as_str()) || FAMILY_NAMES.contains(word.as_str())
        };
        self.is_plain && self.folded.iter().any(|word| is_known(&word) && is_only_a_name(word))
    }

    /// Whether the value has two to four Chinese or Korean characters, as names have.
    fn is_in_characters(&self) -> bool {
        let is_character =
            |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c) || ('가'..='힣').contains(&c);
        let text = self.folded.concat();
        let is_short = (2..=4).contains(&text.chars().count());
        // Japanese names have a blank, and other family names.
        self.folded.len() == 1 && is_short && text.chars().all(is_character)
    }

    /// Whether the value is a frequent first or family name.
    fn is_name(&self) -> bool {
        let is_known = |word: &str| FIRST_NAMES.contains(word) || FAMILY_NAMES.contains(word);
        self.is_single() && self.last().is_some_and(is_known)
    }

    /// Whether the value ends as family names do.
    fn ends(&self) -> bool {
        let is_end = |word: &str, end: &str| {
            word.strip_suffix(end).is_some_and(|stem| stem.chars().count() > 2)
        };
        let ends_word = |word: &str| FAMILY_ENDS.split_whitespace().any(|end| is_end(word, end));
        self.is_single() && self.last().is_some_and(ends_word)
    }

    /// Whether the value has letters of other scripts only.
    fn is_in_other_script(&self) -> bool {
        // Latin letters end with U+024F, and those of Vietnamese are from U+1E00 on.
        let is_latin = |c: char| c < '\u{250}' || ('\u{1e00}'..='\u{1eff}').contains(&c);
        !self.folded.concat().contains(is_latin)
    }

    fn has_family_character(&self) -> bool {
        let first = self.folded.first().and_then(|word| word.chars().next());
        first.is_some_and(|first| FAMILY_CHARACTERS.contains(first))
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
    fn codes_of_states_and_airports_are_not_names() {
        let letter = |n: usize| char::from(b'A' + (n % 26) as u8);
        for length in [2, 3] {
            let codes: Vec<String> = (0..60)
                .map(|n| (0..length).map(|place| letter(n * (place + 1) + place)).collect())
                .collect();
            let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
            assert_eq!(evidence("origin", &codes), None);
        }
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

    #[test]
    fn names_of_other_countries_are_recognized() {
        let names = Some(Evidence::FirstNames);
        assert_eq!(
            found("V4", "Erik Demir; Günşen Sezgin; Sahir Duran; Öztek Durmuş; Hurican Aslan"),
            names
        );
        assert_eq!(
            found("V6", "Rishi Tailor; Hardik Jha; Oviya Guha; Kritika Iyer; Suhani Nagy"),
            names
        );
        assert_eq!(
            found("V5", "王明; 黄慧; 林琴; 张娜; 朱涛; 陆敏; 罗博; 蔡利; 孔杨; 窦桂芳"),
            names
        );
        let german =
            "Reza; Ortrun; Heinfried; Oswin; Nermin; Sylwia; Aneta; Herrmann; Andrzej; Armin";
        assert_eq!(found("V12", german), names);
    }

    #[test]
    fn family_names_are_recognized_by_a_list_or_by_their_endings() {
        let english = "Smith; Johnson; Boyd; Norris; Snyder; Parker; Blanchard; Navarro; Young; Gould; \
                       Avery; Mills; Chambers; Wells; Hobbs; Tyler; Barnes; Zuniga; Vance; Quill";
        assert_eq!(found("witness", english), Some(Evidence::FamilyNames));
        assert_eq!(found("city", english), None);
        let russian = "Пономарев; Веселов; Савельев; Фролов; Сафонова; Гусев; Зимина; Котова; Юдин; \
                       Лапина; Орлов; Носков; Рогов; Блинов; Маслова; Сысоев; Титова; Фокина; Лыткин; \
                       Ершова";
        assert_eq!(found("V2", russian), Some(Evidence::FamilyNames));
        // Twelve names are enough if nearly all are known and are not also places or things.
        let few =
            "Clements; Hamilton; Harding; Hatfield; Ho; Hobbs; Knapp; Mcgee; Moore; Ortiz; Smith";
        assert_eq!(found("x1", few), Some(Evidence::FamilyNames));
        assert_eq!(found("x1", &few.to_lowercase()), Some(Evidence::FamilyNames));
        let korean = "강; 고; 곽; 구; 권; 김; 나; 남; 박; 이";
        assert_eq!(found("x1", korean), Some(Evidence::FamilyNames));
        let japanese = "三浦; 中島; 中川; 中村; 井上; 伊藤; 加藤; 吉田; 坂本; 太田";
        assert_eq!(found("x1", japanese), Some(Evidence::FamilyNames));
        let vietnamese = "Bùi; Dương; Hoàng; Lê; Mai; Nguyễn; Phạm; Trần; Vũ; Đặng";
        assert_eq!(found("x1", vietnamese), Some(Evidence::FamilyNames));
        for others in [
            "Berlin; Hamburg; München; Köln; Frankfurt; Florence; Charlotte; Austin; Jackson; Lourdes",
            "St. Mary; Charité; Mount Sinai; John Hopkins; Royal Free; Klinikum Süd",
            "Taylor, Clark and Gray; Brown, Collins and Ali; Lopez Inc; Smith Ltd; Evans and Sons",
            "Black; White; Brown; Gray; Green; Silver; Gold; Blue",
            "Baker; Cook; Carpenter; Mason; Miller; Butler; Porter; Weaver",
            "Houston; Dallas; Austin; Jackson; Madison; Lincoln; Cleveland; Columbus",
        ] {
            assert_eq!(found("x1", others), None, "{others}");
        }
        let colours = "Olive; Violet; LightGray; Coral; Crimson; Beige; Ivory; Khaki; Lavender; Maroon; \
                       Navy; Orchid; Peru; Plum; Salmon; Sienna; Silver; Tan; Teal; Tomato; Turquoise; \
                       Wheat; White; Yellow; Brown; Gray; Green; Black; Blue; Red; Indigo; Magenta; Lime";
        assert_ne!(found("color", colours), Some(Evidence::FamilyNames));
    }

    #[test]
    fn few_first_names_are_recognized_in_any_case() {
        let names = "Peter; Maria; John; James; Anna; Linda; Karl; Susan";
        for names in [names.to_owned(), names.to_lowercase(), names.to_uppercase()] {
            assert_eq!(found("x", &names), Some(Evidence::FirstNames), "{names}");
        }
        for others in [
            "april; may; june; august; september",
            "monday; tuesday; wednesday; thursday; friday; saturday; sunday",
            "rose; daisy; lily; violet; ivy; holly",
            "faith; hope; joy; grace; charity",
            "ford; dodge; lincoln; mercedes; bentley",
            "paris; london; florence; victoria; sydney",
            "amber; jade; ruby; pearl; opal",
        ] {
            assert_eq!(found("x", others), None, "{others}");
        }
    }

    #[test]
    fn full_names_in_other_scripts_are_recognized_by_their_form() {
        let given = ["Федот", "Евдокия", "Юлия", "Егор", "Вера"];
        let names: Vec<String> = (0..25)
            .map(|i| format!("{} Савел{}ев", given[i % 5], ["ь", "я", "о", "у", "и"][i / 5]))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        // The same five family names repeat, and trades have one form.
        assert_eq!(evidence("V2", &names), None);
        let heads = ["加藤", "太田", "木村", "佐藤", "鈴木"];
        let tails = ["篤司", "充", "拓真", "和也", "結衣", "陽子"];
        let names: Vec<String> = (0..30)
            .map(|i| {
                format!("{} {}{}", heads[i % 5], tails[i / 5], ["", "子", "美", "介", "太"][i % 5])
            })
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(evidence("V2", &names), Some(Evidence::Script));
    }

    #[test]
    fn many_single_words_are_a_doubt_if_some_are_names() {
        let heads = ["Ber", "Hol", "Kro", "Mat", "Rad", "Wie", "Per"];
        let tails = ["gande", "sten", "ler", "isch", "thäi"];
        let mut names: Vec<String> =
            (0..35).map(|place| format!("{}{}", heads[place % 7], tails[place / 7])).collect();
        names.extend(["Simon", "Peter", "Hermann", "Martin", "Jordan"].map(str::to_owned));
        let words: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(evidence("V13", &words), Some(Evidence::Words));
        assert_eq!(evidence("species", &words), None);
        assert_eq!(evidence("V13", &words[..35]), None);
    }
}
