//! Writes SVG: elements with classes and presentation attributes, and escaped text.

use std::borrow::Cow;
use std::fmt::Write;

use super::colours::{Theme, resolved};

/// A drawing that is being written.
#[derive(Debug, Clone)]
pub struct Svg {
    width: f64,
    height: f64,
    label: String,
    body: String,
}

impl Svg {
    /// Starts a drawing. `label` is the text for screen readers.
    pub fn new(width: f64, height: f64, label: &str) -> Self {
        Self { width, height, label: label.to_owned(), body: String::new() }
    }

    /// Adds a rectangle.
    pub(crate) fn rect(&mut self, class: &str, [x, y, width, height]: [f64; 4], title: &str) {
        let [x, y, width, height] = [x, y, width, height].map(short);
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""
        );
        self.close("rect", title);
    }

    /// Adds a path.
    pub fn path(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// Adds a path with a text that is shown on hovering.
    pub(crate) fn mark(&mut self, class: &str, path: &str, title: &str) {
        let _ = write!(self.body, "<path class=\"{class}\" d=\"{path}\"");
        self.close("path", title);
    }

    /// Adds a circle.
    pub(crate) fn circle(&mut self, class: &str, [x, y, radius]: [f64; 3], title: &str) {
        let [x, y, radius] = [x, y, radius].map(short);
        let _ = write!(self.body, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
        self.close("circle", title);
    }

    /// Adds a text. The class decides about its size and anchor.
    pub fn text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        let [x, y] = [x, y].map(short);
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>",
            escape(text)
        );
    }

    /// Adds a text that is read from below.
    pub(crate) fn upright_text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        let [x, y] = [x, y].map(short);
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" transform=\"translate({x} {y}) rotate(-90)\">{}</text>",
            escape(text)
        );
    }

    /// Adds another drawing, with its upper left corner at a place.
    pub fn place(&mut self, [x, y]: [f64; 2], other: &Self) {
        let [x, y] = [x, y].map(short);
        let _ = writeln!(self.body, "<g transform=\"translate({x} {y})\">\n{}</g>", other.body);
    }

    /// Width and height.
    pub fn size(&self) -> [f64; 2] {
        [self.width, self.height]
    }

    /// Returns the drawing as a part of a page that has the style of charts.
    pub fn finish(self) -> String {
        let Self { width, height, label, body } = self;
        let [width, height] = [width, height].map(short);
        format!(
            "<svg class=\"chart\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\">\n{body}</svg>\n",
            escape(&label)
        )
    }

    /// Returns the drawing as a separate file, light or dark as its reader prefers.
    pub fn standalone(mut self) -> String {
        // A file has a fixed size; these rules are for charts inside a page.
        let rules = super::STYLE.replace("display:block;max-width:100%;height:auto;", "");
        let [light, dark] = [Theme::Light, Theme::Dark].map(|theme| resolved(&rules, theme));
        let style =
            format!("<style>\n{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n</style>\n");
        let [width, height] = [self.width, self.height].map(short);
        // Programs that show SVG files differ in their background, so the file has its own.
        let ground = format!("<rect class=\"bg\" width=\"{width}\" height=\"{height}\"/>\n");
        self.body = style + &ground + &self.body;
        // Inside HTML the name space is implied; a file must declare it.
        self.finish().replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1)
    }

    fn close(&mut self, element: &str, title: &str) {
        let _ = if title.is_empty() {
            writeln!(self.body, "/>")
        } else {
            writeln!(self.body, "><title>{}</title></{element}>", escape(title))
        };
    }
}

/// Formats a coordinate with at most one decimal.
pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    let whole = text.strip_suffix(".0").unwrap_or(&text);
    if whole == "-0" { "0".to_owned() } else { whole.to_owned() }
}

/// Escapes text for SVG and HTML. Control characters, which neither can contain, become `�`.
///
/// ```
/// assert_eq!(hedgerow::chart::escape("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    let is_forbidden = |c: char| {
        (c < ' ' && !matches!(c, '\t' | '\n' | '\r'))
            || matches!(c, '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
    };
    // Most texts need no escaping and are returned without a copy.
    if !text.contains(|c: char| matches!(c, '&' | '<' | '>' | '"' | '\'') || is_forbidden(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            character if is_forbidden(character) => out.push('\u{fffd}'),
            character => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// Shortens a text to `most` characters; a text that was cut ends in `…`.
///
/// ```
/// assert_eq!(hedgerow::chart::shortened("health professional", 10), "health pr…");
/// ```
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_element() {
        let mut svg = Svg::new(10.0, 10.0, "\"><script>");
        svg.text("ink", [0.0, -0.04], "</text>\u{0}'");
        let drawn = svg.finish();
        assert!(drawn.contains("aria-label=\"&quot;&gt;&lt;script&gt;\""), "{drawn}");
        assert!(drawn.contains("y=\"0\">&lt;/text&gt;\u{fffd}&#39;</text>"), "{drawn}");
    }

    #[test]
    fn a_file_of_its_own_needs_no_variables() {
        let drawn = Svg::new(10.0, 10.0, "").standalone();
        assert!(drawn.starts_with("<svg xmlns=") && !drawn.contains("var("), "{drawn}");
        assert!(drawn.contains("prefers-color-scheme:dark"));
        assert!(!drawn.contains("max-width"), "{drawn}");
    }
}
