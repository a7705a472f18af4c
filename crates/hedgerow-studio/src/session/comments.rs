//! Keeps the comments of a job file that was written by hand.

/// The subject of a comment: a key of a table, or a table itself, whose key is empty.
#[derive(Clone, PartialEq)]
struct Anchor {
    table: String,
    key: String,
}

/// A comment and what comes after it; `None` at the end of the file.
struct Comment {
    text: String,
    about: Option<Anchor>,
}

/// The text of a job with the comments of the text before it. Each is above the key that it was
/// above or behind, and at the beginning if that key is gone.
pub(super) fn with_comments(before: &str, text: &str) -> String {
    let comments = comments(before);
    let mut body = String::new();
    let mut is_placed: Vec<bool> = comments.iter().map(|comment| comment.about.is_none()).collect();
    let mut table = String::new();
    for line in text.lines() {
        let about = anchor(line, &mut table);
        for (comment, is_placed) in comments.iter().zip(&mut is_placed) {
            if !*is_placed && about.is_some() && comment.about == about {
                *is_placed = true;
                body = body + &comment.text + "\n";
            }
        }
        body = body + line + "\n";
    }
    let lines = |is_wanted: &dyn Fn(usize) -> bool| -> String {
        let wanted = comments.iter().enumerate().filter(|(place, _)| is_wanted(*place));
        wanted.map(|(_, comment)| format!("{}\n", comment.text)).collect()
    };
    let above = lines(&|place| !is_placed[place]);
    above + &body + &lines(&|place| comments[place].about.is_none())
}

fn comments(text: &str) -> Vec<Comment> {
    let mut found = Vec::new();
    // Comments whose key has not come yet.
    let mut waiting: Vec<String> = Vec::new();
    let mut table = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with('#') {
            waiting.push(line.trim().to_owned());
            continue;
        }
        let about = anchor(line, &mut table);
        waiting.extend(behind(line).map(str::to_owned));
        if about.is_some() {
            let of_key = |text: String| Comment { text, about: about.clone() };
            found.extend(waiting.drain(..).map(of_key));
        }
    }
    found.extend(waiting.into_iter().map(|text| Comment { text, about: None }));
    found
}

/// The table or key that a line begins. A table is then that of the next lines.
fn anchor(line: &str, table: &mut String) -> Option<Anchor> {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix('[') {
        let name = rest.trim_start_matches('[').split(']').next()?;
        name.trim().clone_into(table);
        return Some(Anchor { table: table.clone(), key: String::new() });
    }
    let (key, _) = line.split_once('=')?;
    let plain = |key: &str| key.trim().trim_matches(['"', '\'']).to_owned();
    // A table can be written as one value, or its keys with the name of the table.
    Some(match (table.is_empty(), key.split_once('.')) {
        (true, Some((of, key))) => Anchor { table: plain(of), key: plain(key) },
        (true, None) if line.contains('{') => Anchor { table: plain(key), key: String::new() },
        _ => Anchor { table: table.clone(), key: plain(key) },
    })
}

/// The comment behind a value.
fn behind(line: &str) -> Option<&str> {
    let mut quote = None;
    let mut characters = line.char_indices();
    while let Some((place, c)) = characters.next() {
        match (quote, c) {
            (None, '#') => return Some(line[place..].trim_end()),
            (None, '"' | '\'') => quote = Some(c),
            // The next character is escaped, and may be a quote.
            (Some('"'), '\\') => drop(characters.next()),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay_with_their_keys() {
        let before = "# by Eve\ninput = 'a#b.csv' # of 2020\n\nquasi = ['x'] \n# gone soon\nloss = 'ncp'\n\
                      # of words\n[hierarchy]\n# the tree\nx = 'iotf'\n# the end\n";
        let text = "input = \"a#b.csv\"\nk = 3\nquasi = [\"x\"]\n\n[hierarchy]\nx = \"iotf\"\n";
        let written = with_comments(before, text);
        assert_eq!(
            written,
            "# gone soon\n# by Eve\n# of 2020\ninput = \"a#b.csv\"\nk = 3\nquasi = [\"x\"]\n\n\
             # of words\n[hierarchy]\n# the tree\nx = \"iotf\"\n# the end\n"
        );
        assert_eq!(with_comments(&written, text), written);
        assert_eq!(with_comments("", text), text);
    }

    #[test]
    fn comments_begin_behind_quotes() {
        assert_eq!(behind(r#"a = "x\" # y" # z"#), Some("# z"));
        assert_eq!(behind(r#"a = "x\\" # z"#), Some("# z"));
        assert_eq!(behind(r"a = 'x\' # z"), Some("# z"));
        assert_eq!(behind(r#"a = "x\" # y""#), None);
    }
}
