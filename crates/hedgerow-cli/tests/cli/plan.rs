//! `hedgerow plan`: counts in, what each record publishes out.

use crate::support::{Place, json, shown, unlisted};

/// Ages by tens of two towns, one of which is missing; the positions are those of a larger table.
const COUNTS: &str = "age,town,ill,count,first\n20,Ayr,flu,3,0\n21,Ayr,gout,1,1\n22,,flu,2,2\n\
                      40,Bray,flu,2,6\n41,Bray,hiv,1,900\n20.0,Ayr,flu,1,5\n";

/// The rows of a plan, as `hedgerow` itself reads it.
fn rows(place: &Place, plan: &str) -> serde_json::Value {
    let run = place.hedgerow(&format!("inspect {plan} --json"));
    json(&run)
}

#[test]
fn counts_give_a_plan() {
    let place = Place::new().with("c.csv", COUNTS);
    let run = place.hedgerow("plan c.csv -q age,town -s ill --l-diversity 2 -k 3 -o plan.parquet");
    insta::assert_snapshot!(shown(&run));
    let found = rows(&place, "plan.parquet");
    let names: Vec<&str> =
        found["columns"].as_array().unwrap().iter().filter_map(|c| c["name"].as_str()).collect();
    assert_eq!(names, ["first", "cohort", "low", "high", "published_age", "published_town"]);
    assert_eq!(place.files(), ["c.csv", "plan.parquet"]);
}

#[test]
fn figures_of_a_plan_are_those_of_the_release() {
    let records = "age,town,ill\n20,Ayr,flu\n21,Ayr,gout\n22,,flu\n22,,flu\n20,Ayr,flu\n20,Ayr,flu\n\
                   40,Bray,flu\n40,Bray,flu\n41,Bray,hiv\n";
    let counts = "n,place,ill,age,town\n3,10,flu,20,Ayr\n1,20,gout,21,Ayr\n2,30,flu,22,\n\
                  2,70,flu,40,Bray\n1,90,hiv,41,Bray\n";
    let place = Place::new().with("t.csv", records).with("c.csv", counts);
    let goal = "-q age,town -s ill -k 3 --json";
    let planned =
        place.hedgerow(&format!("plan c.csv --count n --first place {goal} -o plan.parquet"));
    let released = place.hedgerow(&format!("anonymize t.csv {goal} -o r.csv"));
    let (planned, released) = (json(&planned), json(&released));
    for figure in ["rows", "released", "classes", "smallest_class", "method", "release_loss"] {
        assert_eq!(planned[figure], released[figure], "{figure}");
    }
}

#[test]
fn wrong_uses_are_explained() {
    let place = Place::new()
        .with("c.csv", COUNTS)
        .with("count.csv", COUNTS.replace(",2,6", ",two,6"))
        .with("first.csv", COUNTS.replace(",2,6", ",2,"))
        .with("twice.csv", COUNTS.replace(",2,6", ",2,1"))
        .with("none.csv", "age,town,count,first\n20,Ayr,0,0\n")
        .with("taken.parquet", "");
    let told: Vec<String> = [
        "plan c.csv",
        "plan c.csv -k 2 -o p.parquet",
        "plan c.csv -q age -o p.parquet",
        "plan c.csv -q age -k 2 -o p.csv",
        "plan c.csv -q age -k 2 -o taken.parquet",
        "plan c.csv -q age -k 2 -o p.parquet --count n",
        "plan c.csv -q age -k 2 -o p.parquet --first frist",
        "plan c.csv -q agee -k 2 -o p.parquet",
        "plan c.csv -q age -s il -k 2 -o p.parquet",
        "plan c.csv -q age -k 20 -o p.parquet",
        "plan count.csv -q age -k 2 -o p.parquet",
        "plan first.csv -q age -k 2 -o p.parquet",
        "plan twice.csv -q age -k 2 -o p.parquet",
        "plan none.csv -q age -k 2 -o p.parquet",
        "plan nothing.csv -q age -k 2 -o p.parquet",
    ]
    .into_iter()
    .map(|call| format!("$ hedgerow {call}\n{}", unlisted(&shown(&place.hedgerow(call)))))
    .collect();
    insta::assert_snapshot!(told.join("\n"));
    let run = place.hedgerow("plan c.csv -q age -k 2 -o p.parquet --method k-member");
    let message = shown(&run);
    assert!(
        message.contains("looks at single records") && message.contains("mondrian"),
        "{message}"
    );
    assert!(!place.files().contains(&"p.parquet".to_owned()), "nothing is written");
}
