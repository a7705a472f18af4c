//! The string literals of Rust code, without its comments.

/// The string literals of a source text with their lines, which are counted from 1.
///
/// Escapes are kept as they are written. Unit tests count as code.
pub(crate) fn literals(source: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at..];
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some((opening, closing)) = raw_quotes(rest) {
            let text = &rest[opening..];
            let end = text.find(&closing).unwrap_or(text.len());
            found.push((line(source, at), &text[..end]));
            (opening + end + closing.len()).min(rest.len())
        } else if let Some(text) = rest.strip_prefix('"') {
            let end = closing_quote(text);
            found.push((line(source, at), &text[..end]));
            (end + 2).min(rest.len())
        } else {
            character(rest)
        };
    }
    found
}

/// The length of the opening of a raw string, and its closing: `r#"` and `"#`.
fn raw_quotes(rest: &str) -> Option<(usize, String)> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then(|| (hashes + 2, format!("\"{}", "#".repeat(hashes))))
}

/// Where a string ends whose opening quote was before the text.
fn closing_quote(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().find(|&(_, c)| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |(end, _)| end)
}

/// The length of code that is not a string: a character literal, so that `'"'` does not open a
/// string, a whole word, so that its last letter is not the `r` of a raw string, or one character.
fn character(rest: &str) -> usize {
    if let Some(escaped) = rest.strip_prefix("'\\") {
        return escaped[1..].find('\'').map_or(rest.len(), |end| end + 4);
    }
    let mut chars = rest.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('\''), Some(c), Some('\'')) => 2 + c.len_utf8(),
        (Some(first), ..) if first.is_alphanumeric() || first == '_' => {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            rest.find(|c| !is_part(c)).unwrap_or(rest.len())
        }
        (first, ..) => first.map_or(1, char::len_utf8),
    }
}

fn line(source: &str, at: usize) -> usize {
    source[..at].matches('\n').count() + 1
}

#[test]
fn comments_and_characters_are_no_literals() {
    let source = r##"
        //! "a comment"
        let (a, b) = ('"', '\"'); /* "another" */
        let c = "one \" two"; // "the end"
        let d: &'static str = r#"three " four"#;
        let bar = "five";
    "##;
    let texts = [(4, r#"one \" two"#), (5, r#"three " four"#), (6, "five")];
    assert_eq!(literals(source), texts);
}
