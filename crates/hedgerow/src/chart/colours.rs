//! The colours of charts and pages, in light and dark.

/// The colours as CSS variables: for light pages, and inside a media query for dark ones.
pub const COLOURS: &str = include_str!("colours.css");

/// One of the two sets of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on a light page.
    Light,
    /// Light ink on a dark page.
    Dark,
}

/// Returns the names and values of the colours of a theme.
///
/// ```
/// use hedgerow::chart::{Theme, palette};
/// let [light, dark] = [Theme::Light, Theme::Dark].map(|theme| palette(theme).len());
/// assert_eq!(light, dark);
/// ```
pub fn palette(theme: Theme) -> Vec<(&'static str, &'static str)> {
    // The style sheet is the only place that defines colours, so they are read from it.
    let (light, dark) = COLOURS.split_once("@media").unwrap_or((COLOURS, ""));
    let rules = if theme == Theme::Light { light } else { dark };
    let inner = rules.split(":root{").nth(1).and_then(|rest| rest.split('}').next());
    let declared = inner.unwrap_or_default().split(';').filter_map(|rule| rule.split_once(':'));
    declared.filter(|(_, value)| value.starts_with('#')).collect()
}

/// Replaces the variables of a style sheet by the colours of a theme, for programs that draw SVG
/// but do not know variables.
pub(super) fn resolved(style: &str, theme: Theme) -> String {
    palette(theme).iter().fold(style.to_owned(), |style, (name, value)| {
        style.replace(&format!("var({name})"), value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_themes_have_the_same_colours_and_every_variable_is_one_of_them() {
        let names = |theme| palette(theme).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert!(names(Theme::Light).len() > 15);
        assert_eq!(names(Theme::Light), names(Theme::Dark));
        for theme in [Theme::Light, Theme::Dark] {
            assert!(!resolved(super::super::STYLE, theme).contains("var("), "{theme:?}");
        }
    }
}
