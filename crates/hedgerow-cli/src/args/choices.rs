//! Values of flags that choose one of a few alternatives.

use clap::ValueEnum;
use hedgerow::hierarchy::RareValues;
use hedgerow::release::IntervalStyle;
use hedgerow::table::{MissingPolicy, NaDetect};

/// How missing values are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Missing {
    /// A missing value is a value of its own
    Own,
    /// A missing value matches any value
    Wildcard,
    /// Records with a missing value are left out
    Drop,
    /// A missing value is an error
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

/// Whether usual spellings of missing values are recognized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Detect {
    /// They are missing values among numbers and dates
    On,
    /// Only the texts of --na are missing values
    Off,
}

impl From<Detect> for NaDetect {
    fn from(detect: Detect) -> Self {
        match detect {
            Detect::On => Self::On,
            Detect::Off => Self::Off,
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

/// How values of fewer than k records are published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rare {
    /// As they are, as set members and as ends of intervals
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
