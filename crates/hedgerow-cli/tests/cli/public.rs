//! The public report has no value of the original that fewer than k records, or people, have, and a
//! recipe has none that the release does not show.
//!
//! Numbers of the tables start at 700,000 and words contain `vv`, so that no count, share, coordinate
//! or word of a page can look like a value, and whatever looks like one is one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

use crate::support::{Place, adult, shown};

/// A table, the arguments of its release, and the value of each person or record.
struct Case {
    csv: String,
    /// Roles and everything else that `anonymize` needs.
    args: &'static str,
    /// The same for `report`.
    report: &'static str,
    k: u64,
    /// Place of the column that names people, if there is one.
    person: Option<usize>,
}

impl Case {
    fn rows(&self) -> Vec<Vec<String>> {
        self.csv.lines().skip(1).map(fields).collect()
    }

    /// The values that fewer than k records or people have, and all others, in any column but the
    /// one that names people, whose values are all rare.
    fn values(&self) -> [BTreeSet<String>; 2] {
        self.values_of(0..usize::MAX)
    }

    /// The same of some columns, by their places.
    fn values_of(&self, columns: Range<usize>) -> [BTreeSet<String>; 2] {
        let mut holders: BTreeMap<(usize, String), BTreeSet<String>> = BTreeMap::new();
        for (number, row) in self.rows().into_iter().enumerate() {
            let person = self.person.map_or_else(|| number.to_string(), |place| row[place].clone());
            let cells = row.into_iter().enumerate().filter(|(column, _)| columns.contains(column));
            for (column, value) in cells {
                holders.entry((column, value)).or_default().insert(person.clone());
            }
        }
        let is_rare = |(column, holders): (usize, usize)| {
            holders < self.k as usize || Some(column) == self.person
        };
        let (rare, frequent): (Vec<_>, Vec<_>) =
            holders.into_iter().partition(|((column, _), of)| is_rare((*column, of.len())));
        [rare, frequent].map(|values| values.into_iter().map(|((_, value), _)| value).collect())
    }
}

fn fields(line: &str) -> Vec<String> {
    line.split(',').map(str::to_owned).collect()
}

/// The values that a text contains, as such and not as parts of longer numbers or words.
fn found<'a>(values: &'a BTreeSet<String>, text: &str) -> Vec<&'a str> {
    let text = text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
    // Counts on a page have groups of three digits.
    let ungrouped: String = text.replace(',', "");
    let is_there = |text: &str, value: &str| {
        let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        text.match_indices(value).any(|(start, _)| {
            let (before, after) = (&text[..start], &text[start + value.len()..]);
            !is_part(before.chars().next_back()) && !is_part(after.chars().next())
        })
    };
    let values = values.iter().map(String::as_str).filter(|value| !value.is_empty());
    values.filter(|value| is_there(&text, value) || is_there(&ungrouped, value)).collect()
}

/// Writes the reports of a run and of its files, and searches them.
fn check(case: &Case, style: &str) {
    let place = Place::new().with("t.csv", &case.csv);
    let run = |args: String| {
        // No style leaves two blanks, which would be an argument.
        let run = place.hedgerow(&args.replace("  ", " "));
        assert_eq!(run.status.code(), Some(0), "{args}: {}", shown(&run));
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(!said.contains("its report is not"), "{said}");
    };
    let Case { args, k, .. } = case;
    for ending in ["html", "json"] {
        run(format!(
            "anonymize t.csv {args} -k {k} {style} -o r.csv --force --hierarchies h --report i.{ending} \
             --report-public p.{ending}"
        ));
    }
    let mut public = vec!["p.html", "p.json"];
    if style.is_empty() && case.person.is_none() {
        for ending in ["html", "json"] {
            run(format!(
                "report --original t.csv --release r.csv {} -k {k} --hierarchies h --public -o f.{ending}",
                case.report
            ));
        }
        public.extend(["f.html", "f.json"]);
    }
    let [rare, frequent] = case.values();
    let text = |name: &str| String::from_utf8(place.read(name)).unwrap();
    for name in public {
        assert_eq!(found(&rare, &text(name)), Vec::<&str>::new(), "{name} {style}");
        // It still shows values, or the search would prove nothing.
        assert!(found(&frequent, &text(name)).len() > 2, "{name} {style}");
    }
    for name in ["i.html", "i.json"] {
        assert!(!found(&rare, &text(name)).is_empty(), "{name} {style}");
    }
}

/// A part of Adult whose numbers are shifted and whose words are marked.
fn marked_adult() -> String {
    let all = std::fs::read_to_string(adult()).unwrap();
    let names = ["age", "hours-per-week", "native-country", "occupation", "income"];
    let header = fields(all.lines().next().unwrap());
    let places = names.map(|name| header.iter().position(|other| other == name).unwrap());
    // A number that is rare in one column can be frequent in another, so every column has its own.
    let mark = |(column, value): (u64, &str)| match value.parse::<u64>() {
        Ok(number) => (700_000 + 10_000 * column + number).to_string(),
        Err(_) => format!("vv{value}"),
    };
    let mut csv = names.join(",") + "\n";
    for line in all.lines().skip(1).step_by(30) {
        let row = fields(line);
        let marked = (0..).zip(places).map(|(column, place)| mark((column, &row[place])));
        writeln!(csv, "{}", marked.collect::<Vec<_>>().join(",")).unwrap();
    }
    csv
}

#[test]
fn the_public_reports_of_adult_show_no_rare_value() {
    let case = Case {
        csv: marked_adult(),
        args: "-q age,hours-per-week,native-country -s income,occupation --quiet",
        report: "-q age,hours-per-week,native-country -s income,occupation",
        k: 5,
        person: None,
    };
    let [rare, _] = case.values();
    assert!(rare.contains("700086") || rare.len() > 40, "{rare:?}");
    check(&case, "");
    check(&case, "--rare-values hide");
    check(&case, "--interval-style bounds --method mondrian");
}

/// Dates, decimals, codes and words; some values are the ends of what is shown.
fn mixed(n_records: u32) -> String {
    let mut csv = "born,salary,zip,job,ill\n".to_owned();
    for n in 0..n_records {
        let born = match n % 9 {
            8 => format!("{}-0{}-1{}", 1903 + n % 97, 1 + n % 9, n % 10),
            m => format!("{}-06-15", 1950 + 5 * m),
        };
        let salary = match n % 8 {
            7 => f64::from(700_000 + 37 * n) + 0.25,
            m => 720_000.0 + 1_000.0 * f64::from(m),
        };
        let zip = if n % 10 == 9 { format!("vv9{n:03}") } else { format!("vv0213{}", n % 4) };
        let job = if n % 11 == 10 { format!("vvjob{n}") } else { format!("vvwork{}", n % 3) };
        let ill = if n % 25 == 24 { format!("vvill{n}") } else { format!("vvflu{}", n % 2) };
        writeln!(csv, "{born},{salary:.2},{zip},{job},{ill}").unwrap();
    }
    csv
}

#[test]
fn the_public_reports_of_dates_decimals_and_words_show_no_rare_value() {
    let case = Case {
        csv: mixed(400),
        args: "-q born,salary,zip,job -s ill --kind zip=text --quiet",
        report: "-q born,salary,zip,job -s ill --kind zip=text",
        k: 4,
        person: None,
    };
    check(&case, "");
    check(&case, "--interval-style midpoint");
    check(&case, "--suppress 20% --method datafly");
}

/// A person with many records has values of their own.
#[test]
fn many_records_of_one_person_do_not_make_a_value_public() {
    let mut csv = "id,age,town,ill\n".to_owned();
    for n in 0..200u32 {
        let (id, age, town) = match n % 20 {
            19 => (90, 700_091, "vvalone".to_owned()),
            _ => (n % 60, 700_020 + n % 12, format!("vvtown{}", n % 3)),
        };
        writeln!(csv, "person{id},{age},{town},vvflu{}", n % 2).unwrap();
    }
    let case = Case {
        csv,
        args: "-q age,town -s ill --person id --quiet",
        report: "",
        k: 3,
        person: Some(0),
    };
    let [rare, _] = case.values();
    assert!(rare.contains("700091") && rare.contains("vvalone"), "{rare:?}");
    check(&case, "");
}

/// Ages from 20 to 40 of nine records each, except that one record has 26: what the bins do not show
/// must not follow from what they show.
#[test]
fn the_records_that_a_histogram_hides_are_at_least_k() {
    let mut csv = "age\n".to_owned();
    for age in 20..=40 {
        let n = if age == 26 { 1 } else { 9 };
        (0..n).for_each(|_| writeln!(csv, "{age}").unwrap());
    }
    let n_records = csv.lines().count() - 1;
    let place = Place::new().with("t.csv", csv);
    let run = place.hedgerow("anonymize t.csv -q age -k 5 -o r.csv --report-public p.json --quiet");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let report: serde_json::Value = serde_json::from_slice(&place.read("p.json")).unwrap();
    let bins = report["columns"][0]["chart"]["bins"].as_array().unwrap();
    let shares: Vec<f64> = bins.iter().map(|bin| bin[0].as_f64().unwrap()).collect();
    let n_hidden = ((1.0 - shares.iter().sum::<f64>()) * n_records as f64).round() as u64;
    let n_empty = shares.iter().filter(|share| **share < 1e-9).count();
    assert!(n_hidden >= 5 && n_empty >= 2, "{n_hidden} records in {n_empty} bins: {shares:?}");
}

/// The ways in which a recipe could write a value: as it is, as a number without zeros at its end, and
/// a date as seconds since 1970.
fn spellings(value: &str) -> BTreeSet<String> {
    let number = value.parse::<f64>().ok().map(|number| number.to_string());
    let parts: Vec<i64> = value.split('-').filter_map(|part| part.parse().ok()).collect();
    let date = match (value.len(), parts.as_slice()) {
        (10, &[year, month, day]) => Some((86_400 * days(year, month, day)).to_string()),
        _ => None,
    };
    [Some(value.to_owned()), number, date].into_iter().flatten().collect()
}

/// Days from 1970 to a date. Years begin in March here, so that leap days are at their ends.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + day - 719_469
}

/// The values that a text contains in any spelling.
fn told(values: &BTreeSet<String>, text: &str) -> BTreeSet<String> {
    let is_told = |value: &&String| !found(&spellings(value), text).is_empty();
    values.iter().filter(is_told).cloned().collect()
}

/// Makes a release and its recipe, and searches the recipe for rare values that the release does not
/// show. The first columns are the quasi-identifiers, and the rest is published as it is.
fn check_recipe(case: &Case, n_quasi: usize, style: &str) {
    let place = Place::new().with("t.csv", &case.csv);
    let Case { args, k, .. } = case;
    let call = format!("anonymize t.csv {args} -k {k} {style} -o r.csv --recipe r.json");
    let run = place.hedgerow(&call.replace("  ", " "));
    assert_eq!(run.status.code(), Some(0), "{call}: {}", shown(&run));
    let text = |name: &str| String::from_utf8(place.read(name)).unwrap();
    let (recipe, release) = (text("r.json"), text("r.csv"));
    let [rare, frequent] = case.values_of(0..n_quasi);
    let (named, published) = (told(&rare, &recipe), told(&rare, &release));
    assert!(named.is_subset(&published), "{style}: {:?}", named.difference(&published));
    if style.contains("hide") {
        assert!(published.is_empty(), "{style}: {published:?}");
    }
    // It names other values, or the search would prove nothing.
    assert!(told(&frequent, &recipe).len() > 2, "{style}: {recipe}");
    // Published as they are, but not by rules.
    let [rare, _] = case.values_of(n_quasi..usize::MAX);
    assert_eq!(told(&rare, &recipe), BTreeSet::new(), "{style}");
}

#[test]
fn dates_are_counted_in_days() {
    assert_eq!([days(1970, 1, 1), days(2000, 3, 1), days(1903, 12, 31)], [0, 11_017, -24_108]);
}

#[test]
fn recipes_of_numbers_name_no_rare_value_that_the_release_does_not_show() {
    let case = Case {
        csv: marked_adult(),
        args: "-q age,hours-per-week,native-country -s income,occupation --quiet",
        report: "",
        k: 5,
        person: None,
    };
    for style in [
        "--rare-values show",
        "--rare-values hide",
        "--interval-style bounds --method mondrian",
        "--interval-style bounds --rare-values hide",
        "--interval-style midpoint --method mondrian",
        "--recoding full-domain --suppress 10% --hierarchy age=iotf --hierarchy hours-per-week=han",
    ] {
        check_recipe(&case, 3, style);
    }
}

#[test]
fn recipes_of_dates_decimals_and_words_name_no_rare_value_that_the_release_does_not_show() {
    let case = Case {
        csv: mixed(400),
        args: "-q born,salary,zip,job -s ill --kind zip=text --quiet",
        report: "",
        k: 4,
        person: None,
    };
    for style in [
        "--rare-values show",
        "--rare-values hide",
        "--interval-style bounds --method mondrian",
        "--interval-style midpoint --method mondrian",
        "--recoding global --suppress 30%",
    ] {
        check_recipe(&case, 4, style);
    }
}
