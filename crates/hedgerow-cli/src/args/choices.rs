//! Flags that choose one of a few.

use clap::ValueEnum;
use hedgerow::hierarchy::RareValues;
use hedgerow::release::IntervalStyle;
use hedgerow::table::MissingPolicy;

/// What a missing value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Missing {
    /// It is a value of its own
    Own,
    /// It matches anything
    Wildcard,
    /// Records without a value are left out
    Drop,
    /// It is an error
    Error,
}

impl From<Missing> for MissingPolicy {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::Own => Self::Own,
            Missing::Wildcard => Self::Wildcard,
            Missing::Drop => Self::Drop,
            Missing::Error => Self::Error,
        }
    }
}

/// How intervals are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Intervals {
    /// [17, 25]
    Brackets,
    /// 17-25
    Dash,
    /// 21
    Midpoint,
    /// Two columns, _min and _max
    Bounds,
}

impl From<Intervals> for IntervalStyle {
    fn from(intervals: Intervals) -> Self {
        match intervals {
            Intervals::Brackets => Self::Brackets,
            Intervals::Dash => Self::Dash,
            Intervals::Midpoint => Self::Midpoint,
            Intervals::Bounds => Self::Bounds,
        }
    }
}

/// Whether rare values are published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rare {
    /// As they are
    Show,
    /// Only inside wider intervals and sets that do not name them
    Hide,
}

impl From<Rare> for RareValues {
    fn from(rare: Rare) -> Self {
        match rare {
            Rare::Show => Self::Show,
            Rare::Hide => Self::Hide,
        }
    }
}
