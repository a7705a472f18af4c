//! Parameters of methods: their names, types and defaults.

use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::path::{Path, PathBuf};

use super::spec::{Text, items};
use crate::error::nearest;
use crate::{Error, Result};

/// A parameter of a method, as the method describes it.
///
/// ```
/// use hedgerow::method::{Type, Parameter};
/// const FAN_OUT: Parameter =
///     Parameter::new("fan-out", Type::at_least(2), "into how many parts a range is divided").or("5");
/// assert_eq!(FAN_OUT.kind.to_string(), "a whole number of at least 2");
/// assert!(FAN_OUT.kind.accepts("3") && !FAN_OUT.kind.accepts("1"));
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Parameter {
    /// The name that users write.
    pub name: &'static str,
    /// Another name for the same parameter.
    pub alias: Option<&'static str>,
    /// The values that it accepts.
    pub kind: Type,
    /// The default, as users write it. `None` if the parameter is required or stays unset.
    pub default: Option<&'static str>,
    /// Whether it must be given.
    pub is_required: bool,
    /// Description of one line.
    pub about: &'static str,
}

/// The values that a parameter accepts.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Type {
    /// A whole number in a range that includes both ends.
    Whole {
        /// The least value.
        least: u64,
        /// The greatest value, if there is a limit.
        most: Option<u64>,
    },
    /// A finite number in a range.
    Number {
        /// The lower end.
        least: Bound<f64>,
        /// The upper end.
        most: Bound<f64>,
    },
    /// `true` or `false`.
    Flag,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// The name of a loss. The function returns the names that the method accepts.
    Loss(fn() -> Vec<&'static str>),
    /// A single character.
    Character,
    /// Any text.
    Text,
    /// A list `a+b+c` of values of another type.
    List(&'static Type),
    /// A text of a certain format.
    Form {
        /// The format in words, for messages and help.
        form: &'static str,
        /// Whether a text has the format.
        accepts: fn(&str) -> bool,
    },
    /// A file that the method reads.
    File,
    /// A file that the method reads, or one of a few words that mean a built-in source.
    FileOr(&'static [&'static str]),
    /// A directory whose files the method reads.
    Directory,
    /// A column of the table.
    Column,
}

impl Parameter {
    /// Creates a parameter that is optional and has no default.
    pub const fn new(name: &'static str, kind: Type, about: &'static str) -> Self {
        Self { name, alias: None, kind, default: None, is_required: false, about }
    }

    /// Sets the default, as users write it.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    /// Makes the parameter required.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// Adds an alias.
    #[must_use]
    pub const fn alias(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    /// Whether this is the parameter's name or alias.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.alias == Some(name)
    }

    /// Whether the parameter names files or directories.
    pub fn is_path(&self) -> bool {
        match self.kind {
            Type::List(item) => item.is_path(),
            kind => kind.is_path(),
        }
    }

    /// Returns the files and directories that a value, as users write it, names.
    pub(super) fn paths(&self, text: &str) -> Vec<PathBuf> {
        match self.kind {
            Type::List(item) if item.is_path() => {
                items(text).filter_map(|part| item.path(&part)).collect()
            }
            kind => kind.path(text).into_iter().collect(),
        }
    }

    /// Returns a value with each of its paths replaced.
    pub(super) fn with_paths(
        &self,
        text: &str,
        replaced: &mut dyn FnMut(&Path) -> PathBuf,
    ) -> String {
        let mut placed = |kind: &Type, text: &str| match kind.path(text) {
            Some(path) => replaced(&path).to_string_lossy().into_owned(),
            None => text.to_owned(),
        };
        match self.kind {
            Type::List(item) => {
                Text::list(items(text).map(|part| placed(item, &part))).as_str().to_owned()
            }
            kind => placed(&kind, text),
        }
    }

    /// Returns an error if a value, as users write it, is not accepted.
    pub(super) fn check(&self, method: &str, text: &str) -> Result<()> {
        if self.kind.accepts(text) {
            return Ok(());
        }
        let Self { name, kind, about, .. } = self;
        let (value, refused) = match kind {
            Type::List(item) => (text.to_owned(), first_refused(text, item)),
            // A number that was written as 5.0 is shown as 5, as users write it.
            Type::Number { .. } => (shortest(text), text.to_owned()),
            _ => (text.to_owned(), text.to_owned()),
        };
        // The suggestion is about the item that was refused, not about the whole list.
        let near = nearest(&refused, kind.names().into_iter())
            .map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        let problem = if refused == text {
            format!("it must be {kind} ({about}){near}")
        } else {
            format!("'{refused}' is not allowed in it: it must be {kind} ({about}){near}")
        };
        Err(Error::parameter(method, name, Some(&value), problem))
    }
}

impl Type {
    /// Any whole number.
    pub const WHOLE: Self = Self::at_least(0);
    /// Any finite number.
    pub const NUMBER: Self = Self::Number { least: Bound::Unbounded, most: Bound::Unbounded };
    /// A finite number above 0.
    pub const POSITIVE: Self = Self::Number { least: Bound::Excluded(0.0), most: Bound::Unbounded };
    /// A number from 0 to 1.
    pub const UNIT: Self = Self::Number { least: Bound::Included(0.0), most: Bound::Included(1.0) };
    /// A number above 0 and at most 1.
    pub const SHARE: Self =
        Self::Number { least: Bound::Excluded(0.0), most: Bound::Included(1.0) };

    /// A whole number without an upper limit.
    pub const fn at_least(least: u64) -> Self {
        Self::Whole { least, most: None }
    }

    /// A whole number in a range that includes both ends.
    pub const fn between(least: u64, most: u64) -> Self {
        Self::Whole { least, most: Some(most) }
    }

    /// Whether a value, as users write it, is accepted. An empty text, list or character counts as
    /// not given and is accepted.
    pub fn accepts(&self, text: &str) -> bool {
        match self {
            Self::Whole { least, most } => {
                let is_inside =
                    |number: u64| *least <= number && most.is_none_or(|most| number <= most);
                text.parse().is_ok_and(is_inside)
            }
            Self::Number { least, most } => text
                .parse()
                // `parse` accepts `inf` and `NaN`, which no range would refuse when it is
                // unbounded.
                .is_ok_and(|number: f64| number.is_finite() && (*least, *most).contains(&number)),
            Self::Flag => matches!(text, "true" | "false"),
            Self::Choice(_) | Self::Loss(_) => self.names().contains(&text),
            // At most one character; an empty text counts as not given.
            Self::Character => text.chars().nth(1).is_none(),
            Self::List(kind) => items(text).all(|item| kind.accepts(&item)),
            Self::Form { accepts, .. } => accepts(text),
            Self::Text | Self::File | Self::FileOr(_) | Self::Directory | Self::Column => true,
        }
    }

    /// Whether values are paths.
    fn is_path(&self) -> bool {
        matches!(self, Self::File | Self::FileOr(_) | Self::Directory)
    }

    /// Returns the path that a value is, unless it is a word with another meaning.
    fn path(&self, text: &str) -> Option<PathBuf> {
        // A file with the name of such a word has to be written with its folder, as in `./wordnet`.
        let is_word = matches!(self, Self::FileOr(words) if words.contains(&text));
        (self.is_path() && !is_word).then(|| text.into())
    }

    /// Returns the possible values if there are only a few, otherwise an empty list.
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            Self::Choice(names) => names.to_vec(),
            Self::Loss(names) => names(),
            Self::List(kind) => kind.names(),
            _ => Vec::new(),
        }
    }

    /// Whether values are text even if they look like numbers.
    pub(super) fn is_text(&self) -> bool {
        !matches!(self, Self::Whole { .. } | Self::Number { .. } | Self::Flag)
    }

    /// Name of the type in JSON, one word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Whole { .. } => "whole",
            Self::Number { .. } => "number",
            Self::Flag => "flag",
            Self::Choice(_) => "choice",
            Self::Loss(_) => "loss",
            Self::Character => "character",
            Self::Text => "text",
            Self::List(_) => "list",
            Self::Form { .. } => "form",
            Self::File | Self::FileOr(_) => "file",
            Self::Directory => "directory",
            Self::Column => "column",
        }
    }

    /// Placeholder for a value in examples: `N`, `FILE`.
    pub(crate) fn placeholder(&self) -> &'static str {
        match self {
            Self::Whole { .. } => "N",
            Self::Number { .. } => "NUMBER",
            Self::Flag => "true",
            Self::Choice(_) => "NAME",
            Self::Loss(_) => "LOSS",
            Self::Character => "CHARACTER",
            Self::List(_) => "A+B",
            Self::Text | Self::Form { .. } => "TEXT",
            Self::File | Self::FileOr(_) => "FILE",
            Self::Directory => "DIRECTORY",
            Self::Column => "COLUMN",
        }
    }
}

/// Formats the accepted values as the words after "it must be".
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole { least, most: None } => {
                write!(f, "a whole number of at least {least}")
            }
            Self::Whole { least, most: Some(most) } => {
                write!(f, "a whole number from {least} to {most}")
            }
            Self::Number { least, most } => write_range(f, *least, *most),
            Self::Flag => f.write_str("true or false"),
            Self::Choice(names) => write!(f, "one of {}", names.join(", ")),
            Self::Loss(names) => write!(f, "one of the losses {}", names().join(", ")),
            Self::Character => f.write_str("one character"),
            Self::Text => f.write_str("text"),
            Self::List(kind) => write!(f, "a list such as a+b+c, each {kind}"),
            Self::Form { form, .. } => f.write_str(form),
            Self::File => f.write_str("a file"),
            Self::FileOr(words) => write!(f, "a file or {}", words.join(" or ")),
            Self::Directory => f.write_str("a directory"),
            Self::Column => f.write_str("a column"),
        }
    }
}

/// Formats a number without the `.0` of a float that is a whole number.
fn shortest(text: &str) -> String {
    text.parse().map_or_else(|_| text.to_owned(), |number: f64| number.to_string())
}

/// Returns the first item of a list that is not accepted.
fn first_refused(list: &str, kind: &Type) -> String {
    items(list).find(|item| !kind.accepts(item)).unwrap_or_else(|| list.to_owned())
}

fn write_range(f: &mut fmt::Formatter<'_>, least: Bound<f64>, most: Bound<f64>) -> fmt::Result {
    f.write_str("a number")?;
    if let (Bound::Included(least), Bound::Included(most)) = (least, most) {
        return write!(f, " from {least} to {most}");
    }
    match least {
        Bound::Included(least) => write!(f, " of at least {least}")?,
        Bound::Excluded(least) => write!(f, " above {least}")?,
        Bound::Unbounded => {}
    }
    // Joins the two ends in a sentence; with one end there is nothing to join.
    let and = if matches!(least, Bound::Unbounded) { "" } else { " and" };
    match most {
        Bound::Included(most) => write!(f, "{and} at most {most}"),
        Bound::Excluded(most) => write!(f, "{and} below {most}"),
        Bound::Unbounded => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_say_whether_their_ends_belong_to_them() {
        for (kind, words) in [
            (Type::NUMBER, "a number"),
            (Type::POSITIVE, "a number above 0"),
            (Type::UNIT, "a number from 0 to 1"),
            (Type::SHARE, "a number above 0 and at most 1"),
            (Type::between(2, 4), "a whole number from 2 to 4"),
        ] {
            assert_eq!(kind.to_string(), words);
        }
        assert!(Type::UNIT.accepts("0") && !Type::SHARE.accepts("0") && Type::SHARE.accepts("1"));
        assert!(!Type::NUMBER.accepts("NaN") && !Type::NUMBER.accepts("inf"));
        assert!(!Type::WHOLE.accepts("-1") && !Type::WHOLE.accepts("2.0"));
    }

    #[test]
    fn every_item_of_a_list_is_checked() {
        const LEVELS: Type = Type::List(&Type::Choice(&["month", "year"]));
        assert!(LEVELS.accepts("month + year") && !LEVELS.accepts("month+week"));
        assert_eq!(LEVELS.to_string(), "a list such as a+b+c, each one of month, year");
    }
}
