//! The sorts of values that a random column may have.

/// Sort of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sort {
    Constant,
    Unique,
    Whole,
    Decimal,
    /// Numbers, some with an exponent.
    Float,
    Date,
    /// Dates with the day first.
    DayFirst,
    /// Dates with a time.
    Time,
    Code,
    Word,
    Odd,
}

pub(super) const SORTS: [Sort; 11] = [
    Sort::Constant,
    Sort::Unique,
    Sort::Whole,
    Sort::Decimal,
    Sort::Float,
    Sort::Date,
    Sort::DayFirst,
    Sort::Time,
    Sort::Code,
    Sort::Word,
    Sort::Odd,
];

const WORDS: [&str; 8] = ["flu", "gout", "ulcer", "angina", "cold", "nurse", "cook", "smith"];

/// Words that CSV, sets or labels must quote, or that a careless reader takes for another notation.
const ODD: [&str; 18] = [
    "a, b",
    "say \"x\"",
    "two\nlines",
    "{x}",
    "x and 2 more",
    "=1+1",
    " blank ",
    "[1, 2]",
    "*",
    "**",
    "{a, b}",
    "a",
    "b",
    " b",
    "1-2",
    "Other",
    "2024",
    "é",
];

impl Sort {
    /// Returns the value of a record, from a random number and the position of the record.
    pub(super) fn value(self, random: u32, place: usize) -> String {
        let number = random as i32;
        match self {
            Self::Constant => "7".to_owned(),
            Self::Unique => (1000 + place * 37 % 997).to_string(),
            Self::Whole => (number * 7 % 97 - 20).to_string(),
            Self::Decimal => format!("{:.2}", f64::from(number * 1375 % 9999 - 2000) / 100.0),
            Self::Float => {
                format!("{}{}", number * 5 % 23, ["", ".5", "e3", "e-2"][random as usize % 4])
            }
            Self::Date => {
                let [year, month, day] = date(random);
                format!("{year}-{month:02}-{day:02}")
            }
            Self::DayFirst => {
                let [year, month, day] = date(random);
                format!("{day:02}.{month:02}.{year}")
            }
            Self::Time => {
                let (day, hour, minute) = (1 + random % 9, random * 7 % 24, random * 5 % 60);
                format!("2024-0{}-0{day}T{hour:02}:{minute:02}:00", 1 + random % 3)
            }
            Self::Code => format!("0{:04}", random * 311 % 10000),
            Self::Word => WORDS[random as usize % WORDS.len()].to_owned(),
            Self::Odd => ODD[random as usize % ODD.len()].to_owned(),
        }
    }
}

fn date(random: u32) -> [u32; 3] {
    [2018 + random * 3 % 7, 1 + random * 5 % 12, 1 + random * 11 % 28]
}
