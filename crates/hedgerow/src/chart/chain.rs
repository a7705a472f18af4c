//! Chains of domains: one box for each level, the coarsest on top.

use super::svg::{Svg, shortened};

const WIDTH: f64 = 840.0;
const LEFT: f64 = 24.0;
const TOP: f64 = 44.0;
const ROW: f64 = 40.0;
const BOX: f64 = 26.0;
/// Average width of a character.
const CHARACTER: f64 = 5.8;

/// The levels of a hierarchy as a chain of ever coarser domains (a domain generalization
/// hierarchy).
#[derive(Debug, Clone, Default)]
pub struct Chain {
    /// Title of the drawing.
    pub title: String,
    /// Name and content of each domain, the coarsest first.
    pub domains: Vec<(String, String)>,
}

impl Chain {
    /// Draws the chain.
    ///
    /// ```
    /// use hedgerow::chart::Chain;
    /// let domains = vec![("D1".into(), "*".into()), ("D0".into(), "1 2 3".into())];
    /// let svg = Chain { title: "x".into(), domains }.svg().finish();
    /// assert!(svg.find("D1") < svg.find("D0") && svg.contains("1 2 3"));
    /// ```
    pub fn svg(&self) -> Svg {
        let height = TOP + ROW * self.domains.len() as f64 + 8.0;
        let mut svg = Svg::new(WIDTH, height, &self.title);
        svg.text("head", [LEFT, 24.0], &self.title);
        // Number of characters that fit into a box; 84 is the name and the inner margins.
        let room = ((WIDTH - LEFT - 84.0) / CHARACTER) as usize;
        for (place, (name, content)) in self.domains.iter().enumerate() {
            let y = TOP + ROW * place as f64;
            svg.text("ink", [LEFT, y + 18.0], name);
            svg.rect("joint", [LEFT + 44.0, y, WIDTH - 2.0 * LEFT - 44.0, BOX], content);
            svg.text("ink small", [LEFT + 52.0, y + 17.0], &shortened(content, room));
            if place + 1 < self.domains.len() {
                let (x, from, to) = (WIDTH / 2.0, y + BOX, y + ROW);
                svg.path(
                    "axis",
                    &format!(
                        // A shaft and two barbs: the arrow points up, from a finer domain to a
                        // coarser one.
                        "M{x} {to}V{from}M{} {}L{x} {from}L{} {}",
                        x - 4.0,
                        from + 5.0,
                        x + 4.0,
                        from + 5.0
                    ),
                );
            }
        }
        svg
    }
}
