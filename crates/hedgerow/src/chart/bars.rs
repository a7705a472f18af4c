//! Horizontal bars of a release, each with a mark for the original.

use super::svg::{Svg, short, shortened};

const WIDTH: f64 = 340.0;
const ROW: f64 = 16.0;
const LABELS: f64 = 140.0;
const MOST_CHARACTERS: usize = 22;

/// The shares of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The value.
    pub label: String,
    /// Share of the original.
    pub before: f64,
    /// Share of the release.
    pub after: f64,
}

/// One bar for each value: the release as a bar, the original as a mark.
#[derive(Debug, Clone, Default)]
pub struct Bars {
    /// Text for screen readers.
    pub label: String,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

impl Bars {
    /// Draws the bars.
    ///
    /// ```
    /// use hedgerow::chart::{Bar, Bars};
    /// let bars = vec![Bar { label: "nurse".into(), before: 0.5, after: 0.25 }];
    /// assert!(Bars { bars, ..Bars::default() }.svg().contains(">nurse</text>"));
    /// ```
    pub fn svg(&self) -> String {
        let mut svg = Svg::new(WIDTH, ROW * self.bars.len() as f64 + 2.0, &self.label);
        let tallest = self.bars.iter().map(|bar| bar.before.max(bar.after));
        // The longest bar fills the width. The positive start prevents a division by zero.
        let most = tallest.fold(f64::MIN_POSITIVE, f64::max);
        let length = |share: f64| share / most * (WIDTH - LABELS - 6.0);
        for (place, bar) in self.bars.iter().enumerate() {
            let top = ROW * place as f64 + 2.0;
            let label = shortened(&bar.label, MOST_CHARACTERS);
            svg.text("end", [LABELS - 6.0, top + 10.0], &label);
            svg.rect("after", [LABELS, top, length(bar.after), ROW - 5.0], "");
            let x = short(LABELS + length(bar.before));
            svg.path("before", &format!("M{x} {}v{}", short(top - 1.0), short(ROW - 3.0)));
        }
        svg.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bar_or_mark_fills_the_width() {
        let bars = vec![
            Bar { label: "a".into(), before: 0.4, after: 0.2 },
            Bar { label: "a long label that has no room at all".into(), before: 0.1, after: 0.3 },
        ];
        let svg = Bars { bars, ..Bars::default() }.svg();
        assert!(svg.contains("width=\"97\""), "{svg}"); // half of 194
        assert!(svg.contains("M334 "), "the mark of the original is at the end: {svg}");
        assert!(svg.contains(">a long label that has…<"), "{svg}");
    }
}
