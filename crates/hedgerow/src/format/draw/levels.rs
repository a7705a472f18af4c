//! A stack of levels in the terminal.

use std::fmt::Write;

use crate::hierarchy::Levels;
use crate::noun::counted;

/// Writes the levels from the top, each with its distortion and its groups with their counts.
pub fn levels(levels: &Levels) -> String {
    let function = levels.levels();
    let mut out = String::new();
    for level in (1..levels.n_levels()).rev() {
        let groups = levels.level(level);
        let distortion = function.distortions[groups.start as usize];
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
