//! Stacked bars: numbers of records in classes of each size.

use super::svg::Svg;

const WIDTH: f64 = 840.0;
const ROW: f64 = 30.0;
const LABELS: f64 = 115.0;

/// A part of a stacked bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// Its size, from 0 to 1.
    pub share: f64,
    /// Text that is shown on hovering.
    pub title: String,
}

/// One bar for each row, whose parts have the classes `s0` to `s4` in turn.
#[derive(Debug, Clone, Default)]
pub struct Stacked {
    /// Text for screen readers.
    pub label: String,
    /// The rows with their labels and parts.
    pub rows: Vec<(String, Vec<Share>)>,
}

impl Stacked {
    /// Draws the bars. A part narrower than a tenth of a pixel is not drawn.
    ///
    /// ```
    /// use hedgerow::chart::{Share, Stacked};
    /// let parts = vec![Share { share: 1.0, title: "alone".into() }];
    /// let svg = Stacked { rows: vec![("Before".into(), parts)], ..Stacked::default() }.svg();
    /// assert!(svg.contains("<title>alone</title>"));
    /// ```
    pub fn svg(&self) -> String {
        let mut svg = Svg::new(WIDTH, ROW * self.rows.len() as f64, &self.label);
        for (place, (name, parts)) in self.rows.iter().enumerate() {
            let top = ROW * place as f64;
            svg.text("ink", [0.0, top + 20.0], name);
            let mut x = LABELS;
            for (step, part) in parts.iter().enumerate() {
                let width = part.share * (WIDTH - LABELS);
                if width >= 0.1 {
                    svg.rect(
                        &format!("s{}", step % 5),
                        [x, top + 2.0, width, ROW - 8.0],
                        &part.title,
                    );
                }
                // Parts that are not drawn still take their width, so that the others stay in
                // place.
                x += width;
            }
        }
        svg.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_one_another() {
        let part = |share| Share { share, title: String::new() };
        let rows = vec![("x".to_owned(), vec![part(0.5), part(0.0), part(0.5)])];
        let svg = Stacked { rows, ..Stacked::default() }.svg();
        assert!(svg.contains("class=\"s0\" x=\"115\"") && svg.contains("class=\"s2\" x=\"477.5\""));
        assert!(!svg.contains("class=\"s1\""), "{svg}");
    }
}
