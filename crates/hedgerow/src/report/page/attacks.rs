//! The findings of attacks on the release.

use std::fmt::Write;

use super::html::{Table, count, escaped, name, percent};
use crate::attack::{Attempt, Discloses};
use crate::noun::counted;
use crate::report::{Evidence, short};

/// Maximum number of attempts on the page.
const MOST_ATTEMPTS: usize = 60;

pub(super) fn body(evidence: &Evidence) -> Option<String> {
    let Some(found) = &evidence.attacks else {
        let reason = evidence.not_attacked.as_ref()?;
        return Some(format!(
            "<p>The release was not attacked, because attacks cannot read it: {}.</p>\n",
            escaped(reason)
        ));
    };
    let mut out = format!(
        "<p>hedgerow attacked the release and compared what it learned with the original. “Exposed” is the number \
         of {} about which the attacker is right and knows it, next to the number that chance would give: where both \
         are equal, the release taught the attacker nothing. The last column is the greatest probability with which \
         the attacker is right about one of them; of skewness it is what the release adds to the share of a value in the \
         whole table, of intersection the part of the doubt that several releases remove together, and of matching by \
         position and inference the share by which they exceed chance.{}</p>\n",
        if found.unit == "person" { "people" } else { "records" },
        if found.unit == "person" { " The last two count records." } else { "" }
    );
    let heads = ["Attack", "What the attacker knew", ">Exposed", ">By chance", ">At most"];
    let mut table = Table::new("stack attacks", "", &heads);
    for attempt in found.attempts.iter().take(MOST_ATTEMPTS) {
        table.row(&row(attempt));
    }
    out.push_str(&table.finish());
    if let n_more @ 1.. = found.attempts.len().saturating_sub(MOST_ATTEMPTS) {
        let _ =
            writeln!(out, "<p class=\"mute small\">And {}.</p>", counted(n_more, "other attempt"));
    }
    if !found.skipped.is_empty() {
        let skipped: Vec<String> = found
            .skipped
            .iter()
            .map(|skipped| format!("{} ({})", skipped.attack, skipped.reason))
            .collect();
        let _ = writeln!(
            out,
            "<p class=\"mute small\">Not tried: {}.</p>",
            escaped(&skipped.join("; "))
        );
    }
    Some(out)
}

/// A number that chance would give.
fn by_chance(chance: f64) -> String {
    match chance {
        // Decimals of an expected count matter only where it is small.
        chance if chance >= 10.0 => count(chance.round() as u64),
        chance if chance > 0.0 && chance < 0.01 => "under 0.01".to_owned(),
        chance => short(chance),
    }
}

fn row(attempt: &Attempt) -> [String; 5] {
    let mut title = attempt.attack.to_owned();
    // The same attack is tried with several variants, columns and other releases.
    for more in
        [attempt.variant, attempt.column.as_deref(), attempt.other.as_deref()].into_iter().flatten()
    {
        let _ = write!(title, ", {more}");
    }
    // Readers ask what was lost: who it is, or what they have.
    let what = match attempt.discloses {
        Discloses::Identity => "whose record it is",
        Discloses::Attribute => "a value",
    };
    let mut details = format!(
        "{}<details><summary>How, and what prevents it</summary>{} It discloses {what}.",
        escaped(&attempt.knew),
        escaped(&attempt.tried)
    );
    if let Some(gain) = attempt.told_gain() {
        let _ = write!(details, " Gain: {gain}.");
    }
    if !attempt.examples.is_empty() {
        let examples: Vec<String> = attempt.examples.iter().map(|example| name(example)).collect();
        let _ = write!(details, " Closest: {}.", examples.join("; "));
    }
    let advice: Vec<String> = attempt.remedies().iter().map(ToString::to_string).collect();
    if !advice.is_empty() {
        let _ = write!(details, " To prevent it, {}.", escaped(&advice.join(", or ")));
    }
    details.push_str("</details>");
    [
        name(&title),
        details,
        format!("{} of {}", count(attempt.exposed), count(attempt.attacked)),
        by_chance(attempt.chance),
        percent(attempt.success),
    ]
}
