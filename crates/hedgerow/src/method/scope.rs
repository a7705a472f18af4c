//! The uniformity of a recoding.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Advice;
use crate::{Error, Result};

/// The uniformity with which a method recodes the values of a column, from most to least uniform.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// All values of a column are published on the same level of its hierarchy: every age as a band
    /// of ten years.
    FullDomain,
    /// A value is published in the same way in every record, but other values of the column can
    /// keep more detail.
    Global,
    /// A value can be published in different ways in different records. This loses least.
    #[default]
    Local,
}

impl Scope {
    /// All scopes, from the most to the least uniform.
    pub const ALL: [Self; 3] = [Self::FullDomain, Self::Global, Self::Local];

    /// The name that users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::FullDomain => "full-domain",
            Self::Global => "global",
            Self::Local => "local",
        }
    }

    /// Whether a release that may be recoded like this may also be recoded like `other`.
    pub(crate) fn allows(self, other: Self) -> bool {
        // The variants are declared from the most to the least uniform, and `Ord` follows that.
        other <= self
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scope {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let names = Self::ALL.map(Self::name);
        Self::ALL.into_iter().find(|scope| scope.name() == text).ok_or_else(|| {
            Error::invalid(format!("there is no recoding '{text}'"))
                .advise([Advice::words(format!("choose from {}", names.join(", ")))])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_uniform_is_allowed_wherever_less_is() {
        assert!(Scope::Local.allows(Scope::FullDomain) && Scope::Global.allows(Scope::FullDomain));
        assert!(!Scope::FullDomain.allows(Scope::Global) && !Scope::Global.allows(Scope::Local));
        assert!("cell".parse::<Scope>().unwrap_err().to_string().contains("full-domain"));
    }
}
