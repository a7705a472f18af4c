//! Advice: remedies for errors, as data that each front end writes in its own words.

use std::borrow::Cow;
use std::fmt;

use super::{Portion, Undecided};

/// A remedy for an error or a warning.
///
/// `Display` writes it in plain words, as an imperative clause. A front end that has a name for the
/// option which the advice is about asks for [`Advice::setting`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Something that no option can change, in words: `close the quote`.
    Words(Cow<'static, str>),
    /// Several pieces of advice that only help together.
    Together(Vec<Advice>),
    /// Choose another policy for missing values.
    OtherMissingPolicy,
    /// Leave out records with a missing value.
    DropMissing,
    /// List a value as a spelling of missing values, if it means that.
    ListAsMissing {
        /// The value, if there is one.
        value: Option<String>,
    },
    /// Allow records, or more of them, to be suppressed.
    AllowSuppression {
        /// The least number that must be allowed, if it is known.
        least: Option<Portion>,
    },
    /// Allow fewer records to be suppressed.
    FewerSuppressed,
    /// Allow no records to be suppressed.
    ForbidSuppression,
    /// Give a hierarchy for a column.
    GiveHierarchy {
        /// The column.
        column: String,
        /// The possible sources of the hierarchy.
        source: HierarchySource,
    },
    /// Choose `k`.
    ChooseK,
    /// Name the file to write the release to.
    NameOutput,
    /// Name the columns that others may know.
    NameQuasi {
        /// The column to add, if the advice is about one.
        column: Option<String>,
    },
    /// Name a sensitive column.
    NameSensitive {
        /// The column, if the advice is about one.
        column: Option<String>,
    },
    /// Name a column as an identifier, so that it is left out of the release.
    NameIdentifier {
        /// The column.
        column: String,
    },
    /// Decide about columns that should not be published as they are.
    Decide {
        /// The columns, each with the option to name it in.
        columns: Vec<Undecided>,
    },
    /// Publish columns as they are.
    KeepColumns {
        /// The columns.
        columns: Vec<String>,
    },
    /// Leave a column out of the release.
    DropColumn {
        /// The column.
        column: String,
    },
    /// Name the column that identifies the person of each record.
    NamePerson {
        /// The column.
        column: String,
    },
    /// Name the column to predict.
    NameClass,
    /// Name the population that the table is a sample of.
    NamePopulation,
    /// Require a privacy model.
    RequireModel {
        /// An example, as users write it: `l-diversity:l=3`.
        example: String,
    },
    /// Name another release of the same or overlapping people.
    NameOtherRelease,
    /// Hide values that few records have.
    HideRareValues,
    /// Ask for less: a smaller `k`, or a looser parameter of a privacy model.
    AskForLess {
        /// The model whose parameter is too strict, if it is known.
        model: Option<String>,
        /// The value to choose for its parameter: `3 or less`.
        bound: Option<String>,
    },
    /// Name fewer quasi-identifiers.
    FewerQuasi,
    /// Allow values to be generalized further than their limits.
    LoosenLimits,
    /// Publish values that few records have.
    ShowRareValues,
    /// State the kind of a column.
    StateKind {
        /// The column.
        column: String,
        /// Its kind: `number`, `date`, `code`, `text`.
        kind: &'static str,
    },
    /// State that a table has no header.
    StateNoHeader,
    /// Choose one of the sheets of a workbook.
    ChooseSheet,
    /// State the encoding of a table.
    StateEncoding,
    /// Choose another encoding for the release.
    OtherOutputEncoding,
    /// State another delimiter.
    OtherDelimiter,
    /// State the decimal sign of numbers.
    StateDecimal {
        /// The sign.
        sign: char,
        /// The meaning of a number with this sign, if the advice is about two meanings.
        means: Option<String>,
    },
    /// State the format of the dates of a column.
    StateDateFormat {
        /// The column.
        column: String,
        /// A format to start from, as users write it: `dmy`.
        format: String,
    },
    /// State another date format than the one that was given.
    OtherDateFormat {
        /// The column.
        column: String,
    },
    /// Choose another hierarchy method for a column.
    OtherHierarchyMethod {
        /// The column.
        column: String,
        /// Methods that can do it; empty if any other method may help.
        methods: Vec<String>,
    },
    /// Choose another method.
    OtherMethod {
        /// Methods that can do it; empty if any other method may help.
        methods: Vec<String>,
    },
    /// Choose a method with these parameters.
    ChooseMethod {
        /// The method, as users write it: `datafly:threshold=5`.
        method: String,
    },
    /// Allow the search more time.
    AllowTime {
        /// Number of seconds.
        seconds: u64,
    },
    /// Choose another loss.
    OtherLoss {
        /// A loss that applies to every release.
        loss: &'static str,
    },
    /// Choose another way to write intervals.
    OtherIntervalStyle {
        /// Styles that can do it; empty if any other style may help.
        styles: Vec<String>,
    },
    /// Leave an option out.
    LeaveOut {
        /// The option, by its key in a job file.
        key: &'static str,
        /// The column that the option is about, if it is about one.
        column: Option<String>,
    },
    /// Save the hierarchies of the release.
    SaveHierarchies,
    /// Leave suppressed records out of the release.
    DropSuppressed,
    /// Choose a treatment of values that a recipe has no rule for, by one of the choices that would
    /// help, separated by bars.
    TreatUnseen(&'static str),
    /// Choose a repair of classes that do not meet the goal.
    RepairClasses,
    /// Allow attacks on several releases to succeed more often.
    AllowSuccess,
    /// Leave columns out of the release.
    DropColumns {
        /// The columns.
        columns: Vec<String>,
    },
    /// Publish labels of a hierarchy although they can be mistaken for values.
    ForceLabels,
    /// Replace the file or folder that exists.
    Overwrite,
    /// Let a file format change labels that it cannot hold.
    AllowLoss,
    /// Allow longer records.
    LongerRecords {
        /// The length to allow, as users write it: `64MB`.
        size: String,
    },
    /// Choose one of several hierarchies of a file by its column.
    ChooseColumn {
        /// The columns to choose from.
        columns: Vec<String>,
    },
}

/// A possible source of a hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HierarchySource {
    /// A method that builds it.
    Method,
    /// A file.
    File,
    /// A method or a file.
    Any,
}

/// An option that a piece of advice is about, so that a front end can name it, link to it or change
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setting {
    /// The key of the option in a job file, which is also its name on the command line and in
    /// Python.
    pub key: &'static str,
    /// The column that the option is set for, if it is set for one.
    pub column: Option<String>,
    /// The value to set, or the name of a placeholder in capitals. `None` if any other value may
    /// help, or if the option should be left out.
    pub value: Option<String>,
}

impl Advice {
    /// An [`Advice::Words`].
    pub fn words(words: impl Into<Cow<'static, str>>) -> Self {
        Self::Words(words.into())
    }

    /// Advice to choose another hierarchy method for a column, such as `methods`.
    pub(crate) fn other_hierarchy(column: &str, methods: &[&str]) -> Self {
        let methods = methods.iter().map(|&method| method.to_owned()).collect();
        Self::OtherHierarchyMethod { column: column.to_owned(), methods }
    }

    /// Advice to ask for less if it is not known which model is too strict.
    pub(crate) fn less() -> Self {
        Self::AskForLess { model: None, bound: None }
    }

    /// Advice to choose a method that builds the hierarchy of a column.
    pub(crate) fn hierarchy_method(column: &str) -> Self {
        Self::GiveHierarchy { column: column.to_owned(), source: HierarchySource::Method }
    }

    /// Advice to give a file with the hierarchy of a column.
    pub(crate) fn hierarchy_file(column: &str) -> Self {
        Self::GiveHierarchy { column: column.to_owned(), source: HierarchySource::File }
    }

    /// Returns the option that the advice is about, or `None` if no option can solve the problem.
    #[expect(clippy::too_many_lines, reason = "one arm for each variant")]
    pub fn setting(&self) -> Option<Setting> {
        // Keys are those of job files; each front end turns them into its own names.
        let of = |key, column: Option<&String>, value: Option<&str>| {
            Some(Setting { key, column: column.cloned(), value: value.map(str::to_owned) })
        };
        match self {
            // These are about no single option: a front end writes them in words.
            Self::Words(_) | Self::Together(_) | Self::Decide { .. } => None,
            Self::OtherMissingPolicy => of("missing", None, None),
            Self::DropMissing => of("missing", None, Some("drop")),
            Self::ListAsMissing { value } => of("na", None, value.as_deref()),
            Self::AllowSuppression { least: Some(least) } => {
                of("suppress", None, Some(&least.share()))
            }
            Self::AllowSuppression { least: None }
            | Self::FewerSuppressed
            | Self::ForbidSuppression => of("suppress", None, None),
            Self::GiveHierarchy { column, source } => {
                of("hierarchy", Some(column), Some(source.placeholder()))
            }
            Self::ChooseK => of("k", None, Some("5")),
            Self::NameOutput => of("output", None, Some("FILE")),
            Self::NameQuasi { column } => of("quasi", None, column.as_deref()),
            Self::NameSensitive { column } => of("sensitive", None, column.as_deref()),
            Self::NameIdentifier { column } => of("identifier", None, Some(column)),
            Self::KeepColumns { columns } => of("keep", None, Some(&columns.join(","))),
            Self::DropColumn { column } => of("drop", None, Some(column)),
            Self::NamePerson { column } => of("person", None, Some(column)),
            Self::NameClass => of("class", None, None),
            Self::NamePopulation => of("population", None, Some("FILE")),
            Self::NameOtherRelease => of("other", None, Some("FILE")),
            Self::HideRareValues => of("rare-values", None, Some("hide")),
            Self::RequireModel { example } => of("privacy", None, Some(example)),
            Self::AskForLess { model, .. } => match model.as_deref() {
                // `k` has an option of its own; the parameters of all other models are in
                // `privacy`.
                Some("k-anonymity") => of("k", None, None),
                _ => of("privacy", None, None),
            },
            Self::FewerQuasi => of("quasi", None, None),
            Self::LoosenLimits => of("limit", None, None),
            Self::ShowRareValues => of("rare-values", None, Some("show")),
            Self::StateKind { column, kind } => of("kind", Some(column), Some(kind)),
            Self::StateNoHeader => of("no-header", None, None),
            Self::ChooseSheet => of("sheet", None, Some("NAME")),
            Self::StateEncoding => of("encoding", None, Some("NAME")),
            Self::OtherOutputEncoding => of("output-encoding", None, Some("NAME")),
            Self::OtherDelimiter => of("delimiter", None, Some("CHAR")),
            Self::StateDecimal { sign, .. } => of("decimal", None, Some(&sign.to_string())),
            Self::StateDateFormat { column, format } => {
                of("date-format", Some(column), Some(format))
            }
            Self::OtherDateFormat { column } => of("date-format", Some(column), None),
            Self::OtherHierarchyMethod { column, methods } => {
                // The first is the recommended one, because advice is built in the order of
                // preference.
                let method = methods.first().map_or("METHOD", String::as_str);
                of("hierarchy", Some(column), Some(method))
            }
            Self::OtherMethod { methods } => {
                of("method", None, methods.first().map(String::as_str))
            }
            Self::ChooseMethod { method } => of("method", None, Some(method)),
            Self::AllowTime { seconds } => of("time", None, Some(&seconds.to_string())),
            Self::OtherLoss { loss } => of("loss", None, Some(loss)),
            Self::OtherIntervalStyle { styles } => {
                of("interval-style", None, styles.first().map(String::as_str))
            }
            Self::LeaveOut { key, column } => of(key, column.as_ref(), None),
            Self::SaveHierarchies => of("hierarchies", None, Some("DIRECTORY")),
            Self::DropSuppressed => of("drop-suppressed", None, None),
            Self::TreatUnseen(choices) => of("unseen", None, Some(*choices)),
            Self::RepairClasses => of("repair", None, Some("merge")),
            Self::AllowSuccess => of("max-success", None, Some("S")),
            Self::DropColumns { columns } => of("drop", None, Some(&columns.join(","))),
            Self::ForceLabels => of("force-labels", None, None),
            Self::Overwrite => of("force", None, None),
            Self::AllowLoss => of("lossy", None, None),
            Self::LongerRecords { size } => of("max-record", None, Some(size)),
            Self::ChooseColumn { .. } => of("column", None, Some("NAME")),
        }
    }
}

impl HierarchySource {
    fn placeholder(self) -> &'static str {
        match self {
            Self::Method => "METHOD",
            Self::File => "FILE",
            Self::Any => "METHOD|FILE",
        }
    }
}

impl fmt::Display for Advice {
    #[expect(clippy::too_many_lines, reason = "one arm for each variant")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(words),
            Self::Together(all) => {
                // `and`, because none of these helps alone.
                let all: Vec<String> = all.iter().map(Self::to_string).collect();
                f.write_str(&all.join(" and "))
            }
            Self::OtherMissingPolicy => f.write_str("choose another policy for missing values"),
            Self::DropMissing => f.write_str("leave out records with a missing value"),
            Self::ListAsMissing { value: Some(value) } => {
                write!(f, "list '{value}' as a missing value if it means that")
            }
            Self::ListAsMissing { value: None } => {
                f.write_str("list it as a missing value if it means that")
            }
            Self::AllowSuppression { least: Some(Portion { records, of }) } => {
                write!(f, "allow {records} of {of} records to be suppressed")
            }
            Self::AllowSuppression { least: None } => {
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
            Self::DropColumn { column } => write!(f, "leave out '{column}'"),
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
                // A key such as `date-format` reads as two words in a sentence.
                write!(f, "leave out the {} of '{column}'", key.replace('-', " "))
            }
            Self::LeaveOut { key, column: None } => write!(f, "leave out the option '{key}'"),
            Self::TreatUnseen(_) => f.write_str("choose what happens to such values"),
            Self::RepairClasses => f.write_str("merge such classes with others"),
            Self::AllowSuccess => f.write_str("accept a greater success"),
            Self::DropColumns { columns } if columns.len() > 1 => f.write_str("leave them out"),
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
