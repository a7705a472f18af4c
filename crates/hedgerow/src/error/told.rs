//! Advice in plain words.

use std::fmt;

use super::advice::{Advice, HierarchySource};

impl fmt::Display for Advice {
    #[expect(clippy::too_many_lines, reason = "one arm for each variant")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(words),
            Self::Together(all) => {
                let all: Vec<String> = all.iter().map(Self::to_string).collect();
                f.write_str(&all.join(" and "))
            }
            Self::OtherMissingPolicy => f.write_str("choose another policy for missing values"),
            Self::ListAsMissing { value: Some(value) } => {
                write!(f, "list '{value}' as a missing value if it means that")
            }
            Self::ListAsMissing { value: None } => {
                f.write_str("list it as a missing value if it means that")
            }
            Self::AllowSuppression { records: Some(records) } => {
                let noun = if *records == 1 { "record" } else { "records" };
                write!(f, "allow {records} {noun} to be suppressed")
            }
            Self::AllowSuppression { records: None } => {
                f.write_str("allow more records to be suppressed")
            }
            Self::FewerSuppressed => f.write_str("allow fewer records to be suppressed"),
            Self::ForbidSuppression => f.write_str("do not allow records to be suppressed"),
            Self::GiveHierarchy { column, source } => match source {
                HierarchySource::Method => write!(f, "choose a hierarchy method for '{column}'"),
                HierarchySource::File => write!(f, "give a hierarchy file for '{column}'"),
                HierarchySource::Any => {
                    write!(f, "choose a hierarchy method or give a file for '{column}'")
                }
            },
            Self::ChooseK => f.write_str("choose k, often 5"),
            Self::NameOutput => f.write_str("name the file to write"),
            Self::NameQuasi { column: Some(column) } => {
                write!(f, "name '{column}' as a quasi-identifier")
            }
            Self::NameQuasi { column: None } => {
                f.write_str("name the columns that others may know")
            }
            Self::NameSensitive { column: Some(column) } => {
                write!(f, "name '{column}' as a sensitive column")
            }
            Self::NameSensitive { column: None } => f.write_str("name a sensitive column"),
            Self::NameIdentifier { column } => write!(f, "name '{column}' as an identifier"),
            Self::Decide { .. } => f.write_str(
                "name each as an identifier, drop it, give it another role, or keep it knowingly",
            ),
            Self::KeepColumns { .. } => f.write_str("keep what should be published as it is"),
            Self::NamePerson { column } => {
                write!(f, "name '{column}' as the person whose record it is")
            }
            Self::NameClass => f.write_str("name the column to predict"),
            Self::NamePopulation => {
                f.write_str("name the population that the table is a sample of")
            }
            Self::NameOtherRelease => f.write_str("name another release"),
            Self::HideRareValues => f.write_str("hide rare values"),
            Self::RequireModel { example } => {
                write!(f, "require a privacy model such as {example}")
            }
            Self::AskForLess { model: Some(model), bound: Some(bound) } => {
                write!(f, "choose {bound} for {model}")
            }
            Self::AskForLess { model: Some(model), bound: None } => {
                write!(f, "ask for less of {model}")
            }
            Self::AskForLess { model: None, .. } => f.write_str("ask for less privacy"),
            Self::FewerQuasi => f.write_str("name fewer quasi-identifiers"),
            Self::LoosenLimits => f.write_str("loosen the limits"),
            Self::ShowRareValues => f.write_str("publish rare values"),
            Self::StateKind { column, kind } => {
                write!(f, "state that '{column}' holds values of the kind {kind}")
            }
            Self::StateNoHeader => f.write_str("state that the table has no header if it has none"),
            Self::ChooseSheet => f.write_str("choose one of them"),
            Self::StateEncoding => f.write_str("state its encoding"),
            Self::OtherOutputEncoding => f.write_str("choose another encoding for the release"),
            Self::OtherDelimiter => f.write_str("state another delimiter"),
            Self::StateDecimal { means: None, .. } => f.write_str("state the decimal sign"),
            Self::StateDecimal { means: Some(means), .. } => {
                write!(f, "state the decimal sign if it means {means}")
            }
            Self::StateDateFormat { column, format } => {
                write!(f, "state the date format of '{column}', such as {format}")
            }
            Self::OtherDateFormat { column } => {
                write!(f, "state another date format for '{column}'")
            }
            Self::OtherHierarchyMethod { column, methods } => {
                others(f, &format!("hierarchy method for '{column}'"), methods)
            }
            Self::ChooseMethod { method } => write!(f, "choose the method {method}"),
            Self::AllowTime { seconds } => write!(f, "allow {seconds} seconds"),
            Self::OtherLoss { loss } => write!(f, "choose another loss such as {loss}"),
            Self::OtherMethod { methods } => others(f, "method", methods),
            Self::OtherIntervalStyle { styles } => others(f, "interval style", styles),
            Self::LeaveOut { key, column: Some(column) } => {
                write!(f, "leave out the {} of '{column}'", key.replace('-', " "))
            }
            Self::LeaveOut { key, column: None } => {
                write!(f, "leave out the option '{key}'")
            }
            Self::TreatUnseen => f.write_str("choose what happens to such values"),
            Self::RepairClasses => f.write_str("merge such classes with others"),
            Self::AllowSuccess => f.write_str("accept a higher probability"),
            Self::DropColumns { .. } => f.write_str("leave it out of the release"),
            Self::SaveHierarchies => {
                f.write_str("save the hierarchies, which do, and publish them with the release")
            }
            Self::DropSuppressed => f.write_str("leave suppressed records out of the release"),
            Self::ForceLabels => f.write_str("publish the label as it is"),
            Self::Overwrite => f.write_str("replace it"),
            Self::AllowLoss => f.write_str("let the format change labels"),
            Self::LongerRecords { size } => {
                write!(f, "allow records of up to {size} if they are that long")
            }
            Self::ChooseColumn { columns } => write!(f, "choose one of {}", columns.join(", ")),
        }
    }
}

/// Writes `choose another method`, or `choose another method such as hedge, mondrian`.
fn others(f: &mut fmt::Formatter<'_>, what: &str, names: &[String]) -> fmt::Result {
    write!(f, "choose another {what}")?;
    if names.is_empty() {
        return Ok(());
    }
    write!(f, " such as {}", names.join(", "))
}

/// A message: a problem, then the pieces of advice as alternatives.
pub(super) fn with_advice(
    problem: &str,
    advice: &[Advice],
    spell: &dyn Fn(&Advice) -> String,
) -> String {
    let advice: Vec<String> = advice.iter().map(spell).collect();
    match advice.as_slice() {
        [] => problem.to_owned(),
        [one] => format!("{problem}; {one}"),
        [first @ .., last] => format!("{problem}; {}, or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_advice_are_alternatives() {
        let advice = [
            Advice::OtherMissingPolicy,
            Advice::ListAsMissing { value: Some("-".to_owned()) },
            Advice::words("fill the gaps"),
        ];
        assert_eq!(
            with_advice("values are missing", &advice, &Advice::to_string),
            "values are missing; choose another policy for missing values, list '-' as a missing value \
             if it means that, or fill the gaps"
        );
    }
}
