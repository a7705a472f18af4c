//! Renders evidence as one HTML page, without scripts and without anything from elsewhere.

pub(crate) mod html;
mod top;
mod risk;
mod attacks;
mod seen;
mod roles;
mod hierarchies;
mod useful;
mod tried;
mod repeat;
mod limits;

use self::html::Document;
pub use self::html::STYLE;
use super::Evidence;

/// A section of the page.
pub(crate) struct Section {
    /// Its anchor.
    pub(crate) id: &'static str,
    /// Its heading.
    pub(crate) title: &'static str,
    /// Its content as HTML; `None` if there is nothing to say.
    pub(crate) body: Option<String>,
}

/// Renders a page that needs no script and no network, in light and dark, on phones and paper.
///
/// The page is well-formed XML too, except for its document type. The same evidence gives the same
/// bytes.
pub fn page(evidence: &Evidence) -> String {
    let (title, body) = body(evidence);
    Document { title: &title, generator: evidence.hedgerow, style: "", body: &body }.html()
}

/// Renders the title and the body of the page, for a page that contains it. The rules are
/// [`STYLE`], after those of charts.
pub fn body(evidence: &Evidence) -> (String, String) {
    let title = top::title(evidence);
    let body = numbered(&top::body(evidence, &title), &sections(evidence));
    (title, body)
}

/// Renders a page of numbered sections, with links to them after its top, which is HTML.
/// `generator` is the version of hedgerow that made the content.
pub(crate) fn document(title: &str, top: &str, sections: &[Section], generator: &str) -> String {
    let body = numbered(top, sections);
    Document { title, generator, style: "", body: &body }.html()
}

/// Numbers sections and puts links to them after the top.
fn numbered(top: &str, sections: &[Section]) -> String {
    // Empty sections are left out before counting, so that the numbers have no gaps.
    let shown = || sections.iter().filter(|section| section.body.is_some()).enumerate();
    let links: String = shown()
        .map(|(place, section)| {
            format!("<li><a href=\"#{}\">{} {}</a></li>\n", section.id, place + 1, section.title)
        })
        .collect();
    let bodies: String = shown()
        .map(|(place, section)| {
            let Section { id, title, body } = section;
            let body = body.as_deref().unwrap_or_default();
            format!(
                "<section id=\"{id}\" aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\">{} {title}</h2>\n{body}</section>\n",
                place + 1
            )
        })
        .collect();
    format!("{top}<nav aria-label=\"Sections\"><ul>\n{links}</ul></nav>\n{bodies}")
}

fn sections(evidence: &Evidence) -> Vec<Section> {
    let section = |id, title, body| Section { id, title, body };
    vec![
        section("risk", "Risk, before and after", Some(risk::body(evidence))),
        section("attacks", "Attempts to break it", attacks::body(evidence)),
        section("seen", "What can still be seen", Some(seen::body(evidence))),
        section("use", "What it is still good for", Some(useful::body(evidence))),
        section("columns", "Columns and records", Some(roles::body(evidence))),
        section("hierarchies", "Hierarchies", hierarchies::body(evidence)),
        section("tried", "Other ways that were tried", tried::body(evidence)),
        section("repeat", "To repeat and check it", Some(repeat::body(evidence))),
        section("limits", "What this does not promise", Some(limits::body(evidence))),
    ]
}

#[cfg(test)]
mod tests;
