//! The commands of the book: each is run, and prints what the book shows.

use std::path::{Path, PathBuf};

use crate::support::Place;

/// Pages whose commands are run, one after another in one folder per page.
const PAGES: [&str; 8] = [
    "tutorial.md",
    "howto/panel.md",
    "howto/check-a-release.md",
    "howto/own-hierarchies.md",
    "howto/correct-a-hierarchy.md",
    "howto/job-file.md",
    "howto/compare.md",
    "howto/next-month.md",
];

/// The pages, unless this is a package of the command line alone.
fn book() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src");
    folder.is_dir().then_some(folder)
}

/// A block of code between lines of three backticks.
#[derive(Debug, Default)]
struct Block {
    language: String,
    /// The lines of the page, without the fences.
    lines: std::ops::Range<usize>,
}

fn blocks(lines: &[&str]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (place, line) in lines.iter().enumerate() {
        let Some(language) = line.strip_prefix("```") else { continue };
        match open.take() {
            Some(mut block) => {
                block.lines.end = place;
                blocks.push(block);
            }
            None => {
                open = Some(Block { language: language.to_owned(), lines: place + 1..place + 1 });
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// Runs the commands of a block and returns what they print, with `exit N` after a failure.
fn run(place: &Place, commands: &str) -> String {
    let script = format!(
        "hedgerow() {{ \"$HEDGEROW\" \"$@\"; }}\n{{\n{commands}\n}} 2>&1\ncode=$?\n\
         [ $code = 0 ] || echo \"exit $code\"\n"
    );
    let output = place.shell(&script);
    String::from_utf8(output.stdout).unwrap()
}

/// Returns a page with the outputs of its commands as they are now.
fn updated(page: &Path, name: &str) -> (String, String) {
    let text = std::fs::read_to_string(page).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let patients = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/patients.csv");
    let place = Place::new().with("patients.csv", std::fs::read(patients).unwrap());
    let (mut out, mut copied): (Vec<String>, usize) = (Vec::new(), 0);
    let mut printed: Option<String> = None;
    for Block { language, lines: range } in blocks(&lines) {
        let content = lines[range.clone()].join("\n");
        match language.as_str() {
            "sh" => {
                let rest = printed.replace(run(&place, &content)).unwrap_or_default();
                assert_eq!(rest, "", "{name}: an output is not shown");
            }
            "text" => {
                let shown = printed.take().unwrap_or_else(|| panic!("{name}: text without sh"));
                out.extend(lines[copied..range.start].iter().map(|&line| line.to_owned()));
                out.extend(shown.lines().map(|line| line.trim_end().to_owned()));
                copied = range.end;
            }
            file => {
                // A block named after a file is its content: ```toml job.toml
                if let Some((_, file)) = file.split_once(' ') {
                    std::fs::write(place.folder.path().join(file), content + "\n").unwrap();
                }
            }
        }
    }
    assert_eq!(printed.unwrap_or_default(), "", "{name}: the last output is not shown");
    out.extend(lines[copied..].iter().map(|&line| line.to_owned()));
    (text, out.join("\n") + "\n")
}

/// `UPDATE_BOOK=1` writes the outputs of the commands into the pages.
#[test]
fn commands_of_the_book_print_what_it_shows() {
    let Some(book) = book() else { return };
    for name in PAGES {
        let page = book.join(name);
        let (text, now) = updated(&page, name);
        if std::env::var_os("UPDATE_BOOK").is_some() {
            std::fs::write(page, now).unwrap();
        } else {
            assert!(text == now, "{name} shows other outputs; see CONTRIBUTING.md.\n{now}");
        }
    }
}

#[test]
fn blocks_are_found_by_their_fences() {
    let lines = ["a", "```sh", "one", "two", "```", "```text", "```"];
    let found: Vec<(String, usize)> =
        blocks(&lines).into_iter().map(|block| (block.language, block.lines.len())).collect();
    assert_eq!(found, [("sh".to_owned(), 2), ("text".to_owned(), 0)]);
}
