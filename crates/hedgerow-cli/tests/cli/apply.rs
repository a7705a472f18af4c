//! `hedgerow apply`: the rules of a release on the next table.

use std::collections::BTreeMap;

use crate::support::{Place, adult, json, shown};

/// Ages by tens of two towns; `smith` has one record.
const FIRST: &str = "age,town,job,ill\n20,Ayr,cook,flu\n21,Ayr,cook,gout\n22,Ayr,nurse,flu\n23,Ayr,nurse,burn\n\
                     40,Bray,cook,flu\n41,Bray,smith,gout\n42,Bray,nurse,flu\n43,Bray,nurse,hiv\n";
const NEXT: &str =
    "age,town,job,ill\n20,Ayr,cook,flu\n23,Ayr,nurse,gout\n41,Bray,cook,hiv\n42,Bray,smith,burn\n";
const TREE: &str = "cook;craft;*\nsmith;craft;*\nnurse;care;*\n";

/// A folder with a global and a local recipe of the same table.
fn place() -> Place {
    let place = Place::new().with("t.csv", FIRST).with("next.csv", NEXT).with("job.csv", TREE);
    let common = "anonymize t.csv -q age,job --sensitive ill --drop town -k 2 --quiet";
    for call in [
        "-o global.csv --recipe global.json --method optimal --hierarchy age=equal-width --hierarchy job=job.csv",
        "-o local.csv --recipe local.json --method hedge --hierarchy age=free --hierarchy job=free",
    ] {
        let run = place.hedgerow(&format!("{common} {call}"));
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    }
    place
}

fn lines(place: &Place, name: &str) -> Vec<String> {
    let text = String::from_utf8(place.read(name)).unwrap();
    let mut lines: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn a_global_recoding_gives_the_same_labels_to_the_same_table() {
    let place = place();
    let run = place.hedgerow("apply global.json t.csv -o again.csv --json");
    let outcome = json(&run);
    assert_eq!(lines(&place, "again.csv"), lines(&place, "global.csv"));
    assert_eq!(outcome["form"], "levels");
    assert_eq!(outcome["drift"]["failing_classes"], 0);
    assert_eq!(outcome["drift"]["columns"]["age"]["total_variation"], 0.0);
    assert_eq!(outcome["drift"]["loss"]["then"], outcome["drift"]["loss"]["now"]);
}

/// Quasi-identifiers need not be named in the order of the table.
#[test]
fn the_order_of_quasi_identifiers_is_that_of_the_recipe() {
    let place = place();
    let call = "anonymize t.csv -q job,age --sensitive ill --drop town -k 2 --method hedge --quiet -o r.csv --recipe r.json";
    assert_eq!(place.hedgerow(call).status.code(), Some(0));
    let run = place.hedgerow("apply r.json t.csv -o again.csv --repair merge");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let verified = place.hedgerow("verify again.csv --quasi job,age -k 2");
    assert_eq!(verified.status.code(), Some(0), "{}", shown(&verified));
}

#[test]
fn the_next_table_is_recoded_repaired_and_verified() {
    let place = place();
    let run = place.hedgerow("apply local.json next.csv -o out.csv --repair merge");
    insta::assert_snapshot!(shown(&run));
    let verified = place.hedgerow("verify out.csv --quasi age,job -k 2");
    assert_eq!(verified.status.code(), Some(0), "{}", shown(&verified));
    let header = String::from_utf8(place.read("out.csv")).unwrap();
    assert!(header.starts_with("age,job,ill\n"), "the town is dropped: {header}");
}

#[test]
fn wrong_uses_are_explained() {
    let place = place();
    let recipe = String::from_utf8(place.read("local.json")).unwrap();
    let place = place
        .with("edited.json", recipe.replace("nurse", "purse"))
        .with("cut.json", &recipe[..recipe.len() / 2])
        .with("newer.json", recipe.replace("\"hedgerow-recipe\":1", "\"hedgerow-recipe\":7"))
        .with("empty.csv", "age,town,job,ill\n")
        .with("nothing.csv", "")
        .with("lacks.csv", NEXT.replace("job", "jobs"))
        .with(
            "more.csv",
            NEXT.replace("ill\n", "ill,phone\n")
                .replace("flu", "flu,1")
                .replace("gout", "gout,2")
                .replace("hiv", "hiv,3")
                .replace("burn", "burn,4"),
        )
        .with("kinds.csv", NEXT.replace("41,", "old,"))
        .with("words.csv", NEXT.replace("cook", "clerk"))
        .with("outside.csv", NEXT.replace("41,", "99,"));
    let told: Vec<String> = [
        "edited.json next.csv",
        "cut.json next.csv",
        "newer.json next.csv",
        "t.csv next.csv",
        "nowhere.json next.csv",
        "local.json nowhere.csv",
        "local.json empty.csv",
        "local.json nothing.csv",
        "local.json lacks.csv",
        "local.json more.csv",
        "local.json kinds.csv",
        "local.json words.csv",
        "local.json outside.csv",
        "local.json next.csv",
        "local.json next.csv --repair refuse",
        "local.json next.csv --repair mend",
        "local.json next.csv --unseen ignore",
        "local.json next.csv --drop job",
        "local.json next.csv --drop street",
        "local.json next.csv --max-success 0.5",
        "local.json words.csv --unseen suppress",
    ]
    .map(|args| {
        let run = place.hedgerow(&format!("apply {args} -o out.csv"));
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        format!("{args}: exit {}\n{said}", run.status.code().unwrap())
    })
    .into();
    insta::assert_snapshot!(told.join("\n"));
    assert!(!place.files().contains(&"out.csv".to_owned()));
}

#[test]
fn columns_that_the_recipe_does_not_know_need_a_decision() {
    let more = NEXT.lines().enumerate().map(|(row, line)| match row {
        0 => format!("{line},note\n"),
        _ => format!("{line},x\n"),
    });
    let place = place().with("more.csv", more.collect::<String>());
    let apply = "apply local.json more.csv -o out.csv --repair merge --force";
    let header = |flag: &str| {
        let run = place.hedgerow(&format!("{apply} {flag}"));
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
        String::from_utf8(place.read("out.csv")).unwrap().lines().next().unwrap().to_owned()
    };
    assert_eq!(place.hedgerow(apply).status.code(), Some(2));
    assert_eq!([header("--drop note"), header("--keep note")], ["age,job,ill", "age,job,ill,note"]);
}

#[test]
fn a_release_that_discloses_too_much_with_an_earlier_one_gets_no_name() {
    // Only the cook of 20 can have the flu in both releases.
    let place = place().with("next.csv", NEXT.replace("gout", "hiv"));
    let apply = "apply local.json next.csv -o out.csv --repair merge --previous local.csv";
    let refused = place.hedgerow(apply);
    insta::assert_snapshot!(shown(&refused));
    assert!(!place.files().contains(&"out.csv".to_owned()));
    let outcome = json(&place.hedgerow(&format!("{apply} --max-success 1 --json")));
    assert_eq!(outcome["together"]["attempts"][0]["attack"], "intersection");
}

/// What one release tells alone is decided by its models, so a release adds nothing to itself.
#[test]
fn a_release_is_safe_together_with_itself() {
    let place = place();
    for recipe in ["global", "local"] {
        let call =
            format!("apply {recipe}.json t.csv -o again.csv --force --previous {recipe}.csv");
        let run = place.hedgerow(&call);
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
        let said = "with the earlier release, by intersection: all releases together tell no \
                    more about the true value than one of them alone";
        assert!(shown(&run).replace("\n                ", " ").contains(said), "{}", shown(&run));
    }
}

/// A folder with two releases of one table: both keep the number of each visit, and their groups of
/// ages overlap.
fn place_of_visits() -> Place {
    let rows = (20..60).map(|age| format!("{age},{},{},i{}\n", 9000 + 7 * age, age % 2, age % 5));
    let table = format!("age,visit,ward,ill\n{}", rows.collect::<String>());
    let tree = |width: u32| -> String {
        let first = |age: u32| age - (age - 20) % width;
        let line = |age| format!("{age};[{}, {}];*\n", first(age), first(age) + width - 1);
        (20..60).map(line).collect()
    };
    let place = Place::new().with("t.csv", table).with("a.csv", tree(5)).with("b.csv", tree(8));
    let keep = "--method optimal --quiet --keep visit,ward";
    for call in [
        "-q age -k 5 --hierarchy age=a.csv --drop ill -o ra.csv",
        "-q age -k 5 --hierarchy age=b.csv --drop ill -o rb.csv --recipe b.json",
        "-q age -s ill -k 5 --hierarchy age=a.csv -o sa.csv",
        "-q age -s ill -k 5 --hierarchy age=b.csv -o sb.csv --recipe sb.json",
    ] {
        let run = place.hedgerow(&format!("anonymize t.csv {keep} {call}"));
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    }
    place
}

/// Columns that both releases keep tell which records of both belong together.
#[test]
fn releases_are_joined_by_the_columns_that_both_keep() {
    let place = place_of_visits();
    let calls = [("b.json", "ra.csv"), ("sb.json", "sa.csv"), ("b.json", "t.csv")];
    for (recipe, previous) in calls {
        let apply = format!("apply {recipe} t.csv --previous {previous} --quiet -o n.csv");
        let run = place.hedgerow(&apply);
        assert_eq!(run.status.code(), Some(1), "{}", shown(&run));
        let said = "the attack complementary-release finds the record of someone";
        assert!(shown(&run).contains(said), "{}", shown(&run));
        assert!(!place.files().contains(&"n.csv".to_owned()));
    }
    let apply = "apply sb.json t.csv --previous sa.csv -o n.csv --max-success 1 --json";
    let outcome = json(&place.hedgerow(apply));
    let attacks = outcome["together"]["attempts"].as_array().unwrap();
    let names: Vec<&str> = attacks.iter().map(|one| one["attack"].as_str().unwrap()).collect();
    assert_eq!(names, ["intersection", "complementary-release"]);
    assert_eq!(attacks[1]["gain"]["together"], 1.0);
}

#[test]
fn a_release_with_kept_columns_is_safe_together_with_itself() {
    let place = place_of_visits();
    for (recipe, release) in [("b.json", "rb.csv"), ("sb.json", "sb.csv")] {
        let run =
            place.hedgerow(&format!("apply {recipe} t.csv --previous {release} --force -o n.csv"));
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
        let said = shown(&run).replace("\n                ", " ");
        assert!(
            said.contains("by complementary-release: all releases together tell no more about the right record"),
            "{said}"
        );
    }
}

/// The policy for missing values is that of the next table: an earlier release shows what it shows.
#[test]
fn earlier_releases_with_empty_cells_are_read_under_every_policy() {
    let place = place_of_visits();
    let place = ["own", "drop", "error"].iter().fold(place, |place, policy| {
        let call = format!("-q age -k 5 --hierarchy age=b.csv --drop ill --missing {policy}");
        let call = format!("anonymize t.csv --method optimal --keep visit,ward {call}");
        let run = place.hedgerow(&format!("{call} -o {policy}.csv --recipe {policy}.json"));
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
        place
    });
    let earlier = "age,visit,ward\n,9140,0\n\"[20, 24]\",9147,1\n\"[20, 24]\",9154,0\n";
    let place = place.with("earlier.csv", earlier);
    let attempts = |policy: &str| {
        let apply = format!("apply {policy}.json t.csv -o n{policy}.csv --max-success 1 --json");
        let run = place.hedgerow(&format!("{apply} --previous earlier.csv"));
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
        json(&run)["together"]["attempts"].clone()
    };
    let own = attempts("own");
    assert_eq!((attempts("drop"), attempts("error")), (own.clone(), own));
}

/// Silence about a check that could not be made would read as safety.
#[test]
fn an_attack_that_could_not_be_tried_is_a_warning() {
    let ages = (20..60).map(|age| format!("{age}\n")).collect::<String>();
    let place = place_of_visits().with("ages.csv", format!("age\n{ages}"));
    let run = place.hedgerow("apply b.json t.csv --previous ages.csv --quiet -o n.csv");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let said = shown(&run).replace('\n', " ");
    assert!(
        said.contains("WARNING: together with the earlier release, complementary-release was not")
    );
}

/// The goal is that of the recipe, so advice to ask for less would not help.
#[test]
fn a_table_that_is_too_small_for_the_goal_is_said_to_be() {
    let place = place().with("one.csv", "age,town,job,ill\n20,Ayr,cook,flu\n");
    let run = place.hedgerow("apply global.json one.csv -o out.csv");
    assert_eq!(run.status.code(), Some(1), "{}", shown(&run));
    let said = "k is 2, but the table has only 1 record; apply the recipe to a table with more records, or make a new \
                recipe with a goal that this table can meet";
    assert!(shown(&run).contains(said), "{}", shown(&run));
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let place = place();
    let apply = "apply local.json next.csv --repair merge --quiet --force -o";
    for (threads, name) in [(1, "one.csv"), (4, "four.csv")] {
        let run = place.hedgerow(&format!("{apply} {name} --threads {threads}"));
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    }
    assert_eq!(place.read("one.csv"), place.read("four.csv"));
    let piped = place
        .shell("\"$HEDGEROW\" apply local.json - --repair merge --quiet -o piped.csv < next.csv");
    assert_eq!(piped.status.code(), Some(0), "{}", shown(&piped));
    assert_eq!(lines(&place, "piped.csv"), lines(&place, "one.csv"));
}

#[test]
fn a_job_file_writes_a_recipe_and_a_population_has_none() {
    let job = "input = \"t.csv\"\noutput = \"r.csv\"\nquasi = [\"age\"]\ndrop = [\"town\"]\nk = 2\nrecipe = \"rules.json\"\n";
    let place = Place::new().with("t.csv", FIRST).with("job.toml", job);
    let run = place.hedgerow("anonymize job.toml --keep-others --quiet");
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    assert!(place.files().contains(&"rules.json".to_owned()));
    let call = "anonymize job.toml --keep-others --force --population t.csv --privacy k-map:k=2";
    let run = place.hedgerow(call);
    assert_eq!(run.status.code(), Some(2), "{}", shown(&run));
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(said.contains("a recipe cannot be made"), "{said}");
}

/// The values of a column with the number of records that have each.
fn counts(table: &str, column: &str) -> BTreeMap<String, u64> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = header.iter().position(|name| *name == column).unwrap();
    let mut counts = BTreeMap::new();
    for line in lines {
        *counts.entry(line.split(',').nth(place).unwrap().to_owned()).or_default() += 1;
    }
    counts
}

/// All texts of a JSON value, and the parts of labels.
fn texts(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => {
            found.push(text.clone());
            let parts = text.trim_matches(['[', ']', '{', '}']).split(", ");
            found.extend(parts.map(str::to_owned));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        serde_json::Value::Object(items) => items.values().for_each(|item| texts(item, found)),
        _ => {}
    }
}

/// Recipes of Adult and of the patients, searched for every value that fewer than k records have.
#[test]
fn no_rare_value_is_in_a_recipe() {
    let table = std::fs::read_to_string(adult()).unwrap();
    let some: String = table.lines().take(1500).map(|line| format!("{line}\n")).collect();
    let patients = std::fs::read_to_string(adult().replace("adult.csv", "patients.csv")).unwrap();
    let place = Place::new().with("adult.csv", &some).with("patients.csv", &patients);
    let of_adult = "adult.csv -q age,native-country,workclass,hours-per-week --keep-others -k 5";
    let of_patients = "patients.csv -q birth,zip,sex --drop name,job --keep-others -k 4";
    for (quasi, call) in [
        (&["age", "native-country", "workclass", "hours-per-week"][..], of_adult),
        (&["birth", "zip", "sex"][..], of_patients),
    ] {
        let input = if call == of_adult { &some } else { &patients };
        let k = if call == of_adult { 5 } else { 4 };
        for method in ["--method mondrian", "--recoding global --suppress 10%"] {
            let call = format!(
                "anonymize {call} {method} --rare-values hide --recipe r.json -o r.csv --force --quiet"
            );
            let run = place.hedgerow(&call);
            assert_eq!(run.status.code(), Some(0), "{call}: {}", shown(&run));
            let recipe: serde_json::Value = serde_json::from_slice(&place.read("r.json")).unwrap();
            let rules = recipe["recipe"]["attributes"].as_array().unwrap();
            for (name, rule) in quasi.iter().zip(rules) {
                let mut found = Vec::new();
                texts(rule, &mut found);
                let of_column = counts(input, name);
                let rare = of_column.iter().filter(|(_, count)| **count < k);
                for (value, _) in rare {
                    assert!(!found.contains(value), "{call}: '{value}' of {name}");
                }
            }
        }
    }
}

/// A cut learnt on one part of Adult gives every record of the other the label of the same value.
#[test]
fn a_later_part_of_adult_gets_the_labels_of_the_first() {
    let table = std::fs::read_to_string(adult()).unwrap();
    let header = table.lines().next().unwrap();
    let part = |from: usize, n: usize| {
        let rows = table.lines().skip(1 + from).take(n).map(|line| format!("{line}\n"));
        format!("{header}\n{}", rows.collect::<String>())
    };
    let place = Place::new().with("one.csv", part(0, 4000)).with("two.csv", part(30_162, 2000));
    let call = "anonymize one.csv -q age,workclass,sex --keep-others -k 5 --recoding global --suppress 2% \
                --recipe r.json -o r1.csv --keep-order --quiet";
    let run = place.hedgerow(call);
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let call = "apply r.json two.csv -o r2.csv --keep-order --unseen nearest --suppress 10% --json";
    let outcome = json(&place.hedgerow(call));
    assert_eq!(outcome["rows"], 2000);
    let column = |name: &str, place_of: usize| -> Vec<String> {
        let text = String::from_utf8(place.read(name)).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.records().map(|record| record.unwrap()[place_of].to_owned()).collect()
    };
    let mut label_of: BTreeMap<String, String> = BTreeMap::new();
    for (raw, label) in column("one.csv", 0).into_iter().zip(column("r1.csv", 0)) {
        if label != "*" {
            assert_eq!(*label_of.entry(raw).or_insert_with(|| label.clone()), label);
        }
    }
    let mut n_compared = 0;
    for (raw, label) in column("two.csv", 0).into_iter().zip(column("r2.csv", 0)) {
        if let Some(then) = label_of.get(&raw).filter(|_| label != "*") {
            assert_eq!(*then, label, "{raw}");
            n_compared += 1;
        }
    }
    assert!(n_compared > 1500, "{n_compared}");
    let verified = place.hedgerow("verify r2.csv -q age,workclass,sex -k 5");
    assert_eq!(verified.status.code(), Some(0), "{}", shown(&verified));
}

/// Recipes of every form keep their promise on a later part of Adult, whatever is done about values
/// and classes that they did not foresee.
#[test]
fn recipes_of_every_form_keep_k_on_a_later_part_of_adult() {
    let table = std::fs::read_to_string(adult()).unwrap();
    let header = table.lines().next().unwrap();
    let part = |from: usize, n: usize| {
        let rows = table.lines().skip(1 + from).take(n).map(|line| format!("{line}\n"));
        format!("{header}\n{}", rows.collect::<String>())
    };
    let place = Place::new().with("one.csv", part(0, 2000)).with("two.csv", part(30_162, 600));
    let ages: Vec<f64> = part(30_162, 600)
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().parse().unwrap())
        .collect();
    for (recoding, form) in [("local", "regions"), ("global", "cuts"), ("full-domain", "levels")] {
        let run = place.hedgerow(&format!(
            "anonymize one.csv -q age,workclass,sex --keep-others -k 5 --recoding {recoding} --suppress 2% \
             --recipe r.json -o r.csv --force --quiet"
        ));
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
        let mut n_released = 0;
        for unseen in ["error", "suppress", "nearest", "root"] {
            for repair in ["merge", "suppress", "refuse"] {
                let call = format!(
                    "apply r.json two.csv -o two-r.csv --force --keep-order --unseen {unseen} --repair {repair} \
                     --suppress 30% --json"
                );
                let run = place.hedgerow(&call);
                if run.status.code() != Some(0) {
                    // Only the goal, or a value that was to be an error, may stop it.
                    let expected = if unseen == "error" { &[1, 2][..] } else { &[1] };
                    assert!(
                        expected.contains(&run.status.code().unwrap()),
                        "{call}: {}",
                        shown(&run)
                    );
                    continue;
                }
                n_released += 1;
                assert_eq!(json(&run)["form"], form, "{recoding}");
                let verified = place.hedgerow("verify two-r.csv -q age,workclass,sex -k 5");
                assert_eq!(verified.status.code(), Some(0), "{call}: {}", shown(&verified));
                if unseen != "nearest" {
                    covers(&place, &ages, &call);
                }
            }
        }
        assert!(n_released >= 4, "{recoding}: {n_released}");
    }
}

/// Asserts that every published age contains the original one.
fn covers(place: &Place, ages: &[f64], call: &str) {
    let text = String::from_utf8(place.read("two-r.csv")).unwrap();
    let labels = csv::Reader::from_reader(text.as_bytes());
    for (record, age) in labels.into_records().zip(ages) {
        let label = record.unwrap()[0].to_owned();
        let ends: Vec<f64> = label
            .trim_matches(['[', ']', '(', ')'])
            .split(", ")
            .filter_map(|end| end.parse().ok())
            .collect();
        let is_in = match ends[..] {
            [low, high] => (low..=high).contains(age),
            [value] => label.contains(',') || value.to_bits() == age.to_bits(),
            _ => label == "*",
        };
        assert!(is_in, "{call}: {age} as {label}");
    }
}
