//! Draws a stack of levels in the terminal.

use std::fmt::Write;

use crate::hierarchy::{Level, Levels};
use crate::noun::counted;

/// Formats the levels from the top, each with its distortion and its groups with their counts.
pub fn levels(levels: &Levels) -> String {
    let function = levels.levels();
    let mut out = String::new();
    for level in levels.top().and_below().rev().filter(|&level| level > Level::VALUES) {
        let groups = levels.level(level);
        let first = groups.clone().next();
        // All groups of a level have the same distortion, so that of the first one is shown.
        let distortion = first.map_or(0.0, |group| function.distortions[group.index()]);
        let many = if groups.len() == 1 { "group" } else { "groups" };
        let _ = writeln!(out, "level {level}  distortion {distortion:.4}  {} {many}", groups.len());
        for group in groups {
            let count = levels.ground().count(&levels.leaves_of(group));
            let _ = writeln!(out, "    {}  {count}", levels.label(group));
        }
    }
    let _ = writeln!(out, "level 0  distortion 0  {}", counted(levels.ground().len(), "value"));
    out
}
