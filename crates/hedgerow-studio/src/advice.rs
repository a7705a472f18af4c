//! Advice in the words of the page, with the control that changes what it is about.

use hedgerow::error::{Advice, Setting};
use serde::Serialize;

/// A piece of advice as the page shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Advised {
    /// The advice in words.
    pub(crate) text: String,
    /// The option of the job that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) setting: Option<Set>,
    /// The place in the page where it can be changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) link: Option<Link>,
}

/// An option of a job, with the value that is advised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Set {
    pub(crate) key: &'static str,
    pub(crate) column: Option<String>,
    pub(crate) value: Option<String>,
}

/// A place of the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Link {
    /// A screen, or `job` for the job file.
    pub(crate) screen: &'static str,
    /// The column that is shown there.
    pub(crate) column: Option<String>,
    /// The control that gets the focus.
    pub(crate) control: Option<&'static str>,
}

impl Advised {
    /// Advice that no option of the job is about.
    pub(crate) fn words(text: impl Into<String>) -> Self {
        Self { text: text.into(), setting: None, link: None }
    }

    /// The advice of the library as entries. Each part of advice that only helps together is an
    /// entry, so that each has its link.
    pub(crate) fn all(advice: &[Advice]) -> Vec<Self> {
        let each = advice.iter().flat_map(|advice| match advice {
            Advice::Together(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        });
        each.map(Self::of).collect()
    }

    fn of(advice: &Advice) -> Self {
        let setting =
            advice.setting().map(|Setting { key, column, value, .. }| Set { key, column, value });
        Self { text: sentence(advice), link: link(advice), setting }
    }
}

/// The advice in the words of the page, as an imperative clause.
pub(crate) fn sentence(advice: &Advice) -> String {
    let role = |column: &str, role: &str| format!("choose the role {role} for '{column}'");
    match advice {
        Advice::NameQuasi { column: Some(column) } => role(column, "Quasi"),
        Advice::NameQuasi { column: None } => {
            "choose the role Quasi for columns that others may know".into()
        }
        Advice::FewerQuasi => "choose the role Quasi for fewer columns".into(),
        Advice::NameSensitive { column: Some(column) } => role(column, "Sensitive"),
        Advice::NameSensitive { column: None } => "choose the role Sensitive for a column".into(),
        Advice::NameIdentifier { column } => role(column, "Identifier"),
        Advice::DropColumn { column } => role(column, "Leave out"),
        Advice::DropColumns { columns } => role(&columns.join("', '"), "Leave out"),
        Advice::KeepColumns { columns } => role(&columns.join("', '"), "Keep"),
        Advice::NamePerson { column } => role(column, "Whose record it is"),
        Advice::NameClass => "choose the role To predict for a column".into(),
        Advice::Decide { columns } => {
            let names: Vec<&str> = columns.iter().map(|found| found.column.as_str()).collect();
            format!("choose a role for '{}'", names.join("', '"))
        }
        Advice::GiveHierarchy { column, .. } => format!("grow or open a hierarchy for '{column}'"),
        Advice::NameOutput => "name the file of the release in the export".into(),
        Advice::SaveHierarchies => {
            "export the hierarchies, and publish them with the release".into()
        }
        Advice::Overwrite => "confirm that it is to be replaced".into(),
        Advice::LeaveOut { key, column: None } => format!("take '{key}' out of the job file"),
        // Clauses of the library name no option, so they fit every front end.
        other => other.to_string(),
    }
}

/// The place of the page that changes what the advice is about, if it has one.
fn link(advice: &Advice) -> Option<Link> {
    if let Advice::Decide { columns } = advice {
        let first = columns.first().map(|found| found.column.clone());
        return Some(Link { screen: "table", column: first, control: None });
    }
    let Setting { key, column, value, .. } = advice.setting()?;
    let to = |screen, column, control| Some(Link { screen, column, control });
    match key {
        // Roles are chosen in the row of the column, which is the value of these options.
        "quasi" | "sensitive" | "identifier" | "keep" | "drop" | "person" | "class" => {
            to("table", value, None)
        }
        "k" => to("table", None, Some("k")),
        "suppress" => to("table", None, Some("suppress")),
        "privacy" => to("table", None, Some("privacy")),
        "hierarchy" | "edits" | "knowledge" => to("hierarchies", column, None),
        "method" => to("release", None, Some("method")),
        "output" | "hierarchies" | "recipe" | "report" | "report-public" | "classes" | "trace" => {
            to("report", None, Some("export"))
        }
        // Options of other commands, and the confirmation that a dialog asks for.
        "force" | "other" | "unseen" | "repair" | "max-success" | "lossy" | "column" => None,
        _ => to("job", column, None),
    }
}

#[cfg(test)]
mod tests {
    use hedgerow::error::{HierarchySource, Portion};
    use serde_json::json;

    use super::*;
    use crate::fault::Refusal;

    #[test]
    fn advice_of_an_error_is_data_with_a_link_to_the_control() {
        let least = Portion { records: 3, of: 10 };
        let both = vec![Advice::NameOutput, Advice::ChooseK];
        let error = hedgerow::Error::invalid("the goal cannot be met").advise([
            Advice::AllowSuppression { least: Some(least) },
            Advice::GiveHierarchy { column: "age".to_owned(), source: HierarchySource::Any },
            Advice::DropColumn { column: "note".to_owned() },
            Advice::OtherMissingPolicy,
            Advice::words("look at the table again"),
            Advice::Together(both),
        ]);
        let problem = serde_json::to_value(Refusal::of(&error).problem).unwrap();
        let advice = problem["error"]["advice"].as_array().unwrap().clone();
        let table = |column: serde_json::Value, control: serde_json::Value| json!({ "screen": "table", "column": column, "control": control });
        assert_eq!(
            advice[0],
            json!({
                "text": "allow 3 of 10 records to be suppressed",
                "setting": { "key": "suppress", "column": null, "value": "0.3" },
                "link": table(json!(null), json!("suppress")),
            })
        );
        assert_eq!(advice[1]["text"], "grow or open a hierarchy for 'age'");
        assert_eq!(
            advice[1]["link"],
            json!({ "screen": "hierarchies", "column": "age", "control": null })
        );
        assert_eq!(advice[2]["link"], table(json!("note"), json!(null)));
        assert_eq!(advice[3]["link"]["screen"], "job");
        // Without an option there is no link.
        assert_eq!(advice[4], json!({ "text": "look at the table again" }));
        // Parts of advice that only help together have a link each.
        assert_eq!(advice[5]["link"]["screen"], "report");
        assert_eq!(advice[6]["link"], table(json!(null), json!("k")));
        assert!(!problem.to_string().contains("--"), "{problem}");
    }
}
