//! Shares and risks as text.

/// Formats a share as a percentage, which is 0% or 100% only if the share is 0 or 1.
///
/// ```
/// use hedgerow::risk::percent;
/// let shown = [0.0, 0.00001, 0.0021, 0.25, 0.99999, 1.0].map(percent);
/// assert_eq!(shown, ["0%", "under 0.01%", "0.21%", "25.0%", "over 99.9%", "100%"]);
/// ```
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        none if none <= 0.0 => "0%".to_owned(),
        all if all >= 100.0 => "100%".to_owned(),
        small if small < 0.01 => "under 0.01%".to_owned(),
        small if small < 1.0 => format!("{small:.2}%"),
        most if most >= 99.95 => "over 99.9%".to_owned(),
        other => format!("{other:.1}%"),
    }
}

/// Formats a risk or a score with about three significant digits.
///
/// ```
/// use hedgerow::risk::written;
/// assert_eq!([1.0, 0.2, 0.017505, 0.0000212].map(written), ["1", "0.2", "0.0175", "0.0000212"]);
/// ```
pub fn written(risk: f64) -> String {
    let n_decimals = match risk.abs() {
        large if large >= 0.1 => 3,
        0.0 => 0,
        small => (2.0 - small.log10().floor()) as usize,
    };
    let text = format!("{risk:.*}", n_decimals.min(15));
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
