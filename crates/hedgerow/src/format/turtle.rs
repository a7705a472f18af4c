//! The part of Turtle that SKOS files use: triples with named subjects.
//!
//! Supports prefixes, `a`, lists with `;` and `,`, literals with languages and types, long strings
//! and comments. Anonymous nodes `[...]` and collections `(...)` are skipped.
//!
//! It is written by hand because the alternative costs too much. `oxttl` 0.2.5 adds 8 packages to
//! 61 (`oxttl`, `oxrdf`, `oxiri`, `oxilangtag`, `rand`, `rand_chacha`, `rand_core`, `ppv-lite86`),
//! or 10 to 43 without default features, and 3 CPU seconds to `cargo check`. Its triples have no
//! positions, so line numbers would need a parser that is fed line by line. It gives anonymous
//! nodes random names, which are in the same form as names in the file, so the same file could give
//! another hierarchy.

use std::borrow::Cow;

use hashbrown::HashMap;

use super::lines::{Lines, line_at};
use crate::{Error, Result};

/// The object of a triple.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Object {
    /// An IRI, a blank node's label or a number.
    Thing(String),
    /// A text, with its language if it has one.
    Text(String, Option<String>),
}

/// A subject, a predicate and an object.
#[derive(Debug)]
pub(super) struct Triple {
    pub(super) subject: String,
    pub(super) predicate: String,
    pub(super) object: Object,
    pub(super) line: u64,
}

/// Parses the triples of a text.
pub(super) fn triples(text: &str) -> Result<Vec<Triple>> {
    let mut parser = Parser {
        tokens: Tokens { text, at: 0 },
        lines: Lines::of(text),
        prefixes: HashMap::new(),
        base: String::new(),
        triples: Vec::new(),
    };
    while let Some(token) = parser.tokens.next()? {
        parser.statement(token)?;
    }
    Ok(parser.triples)
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token<'a> {
    Iri(String),
    /// A prefixed name, a keyword or a number.
    Name(&'a str),
    /// `@prefix`, `@base`, or the language of a text.
    At(&'a str),
    Text(String),
    Sign(char),
}

struct Parser<'a> {
    tokens: Tokens<'a>,
    lines: Lines<'a>,
    prefixes: HashMap<&'a str, String>,
    base: String,
    triples: Vec<Triple>,
}

const TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

impl<'a> Parser<'a> {
    fn statement(&mut self, first: Token<'a>) -> Result<()> {
        match first {
            Token::At("prefix") => self.prefix()?,
            Token::At("base") => self.base()?,
            // SPARQL's form has no full stop at its end.
            Token::Name(word) if word.eq_ignore_ascii_case("prefix") => return self.prefix(),
            Token::Name(word) if word.eq_ignore_ascii_case("base") => return self.base(),
            first => {
                let subject = self.thing(first)?;
                // An anonymous subject can have all its predicates within its brackets.
                let next = self.need()?;
                if next != Token::Sign('.') {
                    self.predicates(subject.as_ref(), next)?;
                }
                return Ok(());
            }
        }
        match self.need()? {
            Token::Sign('.') => Ok(()),
            _ => Err(self.fault("a full stop is missing")),
        }
    }

    fn prefix(&mut self) -> Result<()> {
        match (self.need()?, self.need()?) {
            (Token::Name(name), Token::Iri(iri)) if name.ends_with(':') => {
                let iri = self.full(&iri);
                self.prefixes.insert(name.trim_end_matches(':'), iri);
                Ok(())
            }
            _ => Err(self.fault("a prefix is written @prefix name: <address> .")),
        }
    }

    fn base(&mut self) -> Result<()> {
        match self.need()? {
            Token::Iri(iri) => {
                self.base = iri;
                Ok(())
            }
            _ => Err(self.fault("a base is written @base <address> .")),
        }
    }

    /// Parses predicates and their objects, up to the full stop.
    fn predicates(&mut self, subject: Option<&String>, first: Token<'a>) -> Result<()> {
        let mut next = first;
        loop {
            let predicate = match next {
                Token::Sign('.') => return Ok(()),
                // Several semicolons in a row, or one before the full stop, are allowed.
                Token::Sign(';') => {
                    next = self.need()?;
                    continue;
                }
                Token::Name("a") => Some(TYPE.to_owned()),
                token @ (Token::Name(_) | Token::Iri(_)) => self.thing(token)?,
                _ => return Err(self.fault("a predicate is missing")),
            };
            // As if a comma came before the first object, so that one loop reads all.
            next = Token::Sign(',');
            while next == Token::Sign(',') {
                let line = self.lines.at(self.tokens.at);
                let token = self.need()?;
                let object = self.object(token, &mut next)?;
                // Statements about anonymous nodes are parsed but give no triple.
                if let ((Some(subject), Some(predicate)), Some(object)) =
                    ((subject, &predicate), object)
                {
                    let (subject, predicate) = (subject.clone(), predicate.clone());
                    self.triples.push(Triple { subject, predicate, object, line });
                }
            }
            if !matches!(next, Token::Sign(';' | '.')) {
                return Err(self.fault("';' or a full stop is missing"));
            }
        }
    }

    /// Parses an object and reads the token after it.
    fn object(&mut self, token: Token<'a>, next: &mut Token<'a>) -> Result<Option<Object>> {
        let object = match token {
            Token::Text(text) => {
                *next = self.need()?;
                let mut language = None;
                if let Token::At(tag) = next {
                    language = Some((*tag).to_owned());
                    *next = self.need()?;
                } else if *next == Token::Sign('^') {
                    self.need()?; // the type
                    *next = self.need()?;
                }
                return Ok(Some(Object::Text(text, language)));
            }
            token => self.thing(token)?.map(Object::Thing),
        };
        *next = self.need()?;
        Ok(object)
    }

    /// Returns the IRI of a token, or `None` for anonymous nodes and collections.
    fn thing(&mut self, token: Token<'a>) -> Result<Option<String>> {
        match token {
            Token::Iri(iri) => Ok(Some(self.full(&iri))),
            Token::Name(name) => {
                let Some((prefix, local)) = name.split_once(':') else {
                    return Ok(Some(name.to_owned())); // a number, `true` or `false`
                };
                match self.prefixes.get(prefix) {
                    Some(iri) => Ok(Some(format!("{iri}{local}"))),
                    // A blank node with a label keeps it as its name within the file.
                    None if prefix == "_" => Ok(Some(name.to_owned())),
                    None => Err(self.fault(&format!("the prefix '{prefix}:' is not declared"))),
                }
            }
            Token::Sign('[' | '(') => self.pass_over().map(|()| None),
            _ => Err(self.fault("a name is missing")),
        }
    }

    /// Skips to the matching closing bracket.
    fn pass_over(&mut self) -> Result<()> {
        let mut depth = 1usize;
        while depth > 0 {
            match self.need()? {
                Token::Sign('[' | '(') => depth += 1,
                Token::Sign(']' | ')') => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    fn full(&self, iri: &str) -> String {
        if iri.contains(':') { iri.to_owned() } else { format!("{}{iri}", self.base) }
    }

    fn need(&mut self) -> Result<Token<'a>> {
        self.tokens.next()?.ok_or_else(|| self.fault("the file ends within a statement"))
    }

    fn fault(&self, message: &str) -> Error {
        self.tokens.fault(message)
    }
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Result<Option<Token<'a>>> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        Ok(Some(match first {
            '<' => {
                // An address never crosses a line, so a missing `>` is found on its own line.
                let end = rest
                    .find(['>', '\n'])
                    .filter(|&end| rest[end..].starts_with('>'))
                    .ok_or_else(|| self.fault("an address <...> is not closed"))?;
                self.at += end + 1;
                Token::Iri(self.unescaped(&rest[1..end])?.into_owned())
            }
            '"' | '\'' => self.text(first)?,
            '^' => {
                self.at += rest.len() - rest.trim_start_matches('^').len();
                Token::Sign('^')
            }
            ';' | ',' | '.' | '[' | ']' | '(' | ')' | '{' | '}' => {
                self.at += 1;
                Token::Sign(first)
            }
            '@' => {
                let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
                let end = rest[1..].find(is_end).map_or(rest.len(), |end| end + 1);
                self.at += end;
                Token::At(&rest[1..end])
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || ";,[](){}<>\"'#^@".contains(c);
                let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
                let name = word.trim_end_matches('.'); // a full stop ends the statement
                if name.is_empty() {
                    return Err(self.fault(&format!("'{first}' is not expected here")));
                }
                self.at += name.len();
                Token::Name(name)
            }
        }))
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// Parses a text in single or triple quotes.
    fn text(&mut self, quote: char) -> Result<Token<'a>> {
        let rest = &self.text[self.at..];
        let long: String = [quote; 3].iter().collect();
        let ends = if rest.starts_with(&long) { long } else { quote.to_string() };
        let inner = &rest[ends.len()..];
        let mut end = 0;
        loop {
            match inner[end..].chars().next() {
                _ if inner[end..].starts_with(&ends) => break,
                // The character after a backslash cannot end the text.
                Some('\\') => end += 1 + inner[end + 1..].chars().next().map_or(0, char::len_utf8),
                Some('\n') if ends.len() == 1 => return Err(self.fault("a quote is not closed")),
                Some(c) => end += c.len_utf8(),
                None => return Err(self.fault("a quote is not closed")),
            }
        }
        // A long text may end with quotes that belong to it.
        while ends.len() == 3 && inner[end + 1..].starts_with(&ends) {
            end += 1;
        }
        let text = self.unescaped(&inner[..end])?.into_owned();
        self.at += ends.len() + end + ends.len();
        Ok(Token::Text(text))
    }

    fn unescaped<'t>(&self, text: &'t str) -> Result<Cow<'t, str>> {
        if !text.contains('\\') {
            return Ok(Cow::Borrowed(text));
        }
        let mut plain = String::with_capacity(text.len());
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                plain.push(c);
                continue;
            }
            // `\uXXXX` and `\UXXXXXXXX` are characters by their hexadecimal code points.
            let code = |n_digits: usize, rest: &mut std::str::Chars<'_>| {
                let digits: String = rest.take(n_digits).collect();
                u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
            };
            let meant = match rest.next() {
                Some('n') => Some('\n'),
                Some('t') => Some('\t'),
                Some('r') => Some('\r'),
                Some('b') => Some('\u{8}'),
                Some('f') => Some('\u{c}'),
                Some(c @ ('"' | '\'' | '\\')) => Some(c),
                Some('u') => code(4, &mut rest),
                Some('U') => code(8, &mut rest),
                _ => None,
            };
            plain.push(meant.ok_or_else(|| self.fault("a backslash escapes nothing"))?);
        }
        Ok(Cow::Owned(plain))
    }

    fn fault(&self, message: &str) -> Error {
        let line = line_at(self.text.as_bytes(), self.at);
        Error::syntax(line, format!("this is not Turtle: {message}"))
    }
}
