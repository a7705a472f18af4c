//! Colours and line breaks of reports: colours only on a terminal, and never with `NO_COLOR`.

use std::io::IsTerminal;

use clap::builder::styling::{AnsiColor, Style};

/// The longest line of a report.
const WIDTH: usize = 100;

/// Colours of reports, or none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Palette {
    is_coloured: bool,
}

impl Palette {
    /// Colours for standard output, if it is a terminal and `NO_COLOR` is not set.
    pub(crate) fn of_stdout() -> Self {
        // An empty NO_COLOR counts as not set (no-color.org).
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_coloured = std::io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb;
        Self { is_coloured }
    }

    /// A heading.
    pub(crate) fn heading(self, text: &str) -> String {
        self.painted(Style::new().bold(), text)
    }

    /// The word that begins a warning.
    pub(crate) fn warning(self, text: &str) -> String {
        self.painted(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// A command to copy.
    pub(crate) fn command(self, text: &str) -> String {
        self.painted(AnsiColor::Cyan.on_default(), text)
    }

    fn painted(self, style: Style, text: &str) -> String {
        if self.is_coloured { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// Breaks a text between words into lines that fit after an indent of `indent` columns.
pub(crate) fn broken(text: &str, indent: usize) -> Vec<String> {
    // A long label must leave room for words, even if the line gets longer than the page.
    let room = WIDTH.saturating_sub(indent).max(20);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let length = |line: &String| line.chars().count() + 1 + word.chars().count();
        match lines.last_mut().filter(|line| length(line) <= room) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_surround_the_text_or_are_absent() {
        let [plain, coloured] = [false, true].map(|is_coloured| Palette { is_coloured });
        assert_eq!(plain.warning("WARNING"), "WARNING");
        assert_eq!(coloured.heading("Next"), "\u{1b}[1mNext\u{1b}[0m");
        assert!(coloured.warning("WARNING").contains("33m"));
    }

    #[test]
    fn lines_break_between_words_only() {
        let lines = broken(&"word ".repeat(40), 20);
        assert!(lines.iter().all(|line| line.len() <= 80), "{lines:?}");
        assert_eq!(lines.join(" "), "word ".repeat(40).trim_end());
        assert_eq!(broken(&"x".repeat(200), 0), ["x".repeat(200)]);
    }
}
