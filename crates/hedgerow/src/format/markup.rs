//! XML, read element by element: any depth, and only the five predefined entities.

use std::borrow::Cow;
use std::io::Write;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::lines::{Lines, line_at};
use crate::{Error, Result};

/// One event of an XML file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// An element begins.
    Open(Element),
    /// The innermost open element ends.
    Close,
    /// Text within an element.
    Text(String),
}

/// The start tag of an element.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) line: u64,
}

impl Element {
    /// Returns the value of an attribute, or `None`.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of a required attribute.
    pub(crate) fn need(&self, name: &str) -> Result<&str> {
        self.get(name).ok_or_else(|| {
            Error::syntax(self.line, format!("<{}> needs the attribute '{name}'", self.name))
        })
    }
}

/// Reads the events of a file. An element that is never closed is an error.
pub(crate) struct Pieces<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    lines: Lines<'a>,
    /// Names and lines of the open elements.
    open: Vec<(String, u64)>,
    /// Whether an empty element such as `<a/>` still has to be closed.
    closes: bool,
}

impl<'a> Pieces<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let reader = Reader::from_str(text);
        Self { text, reader, lines: Lines::of(text), open: Vec::new(), closes: false }
    }

    /// Returns the next event, or `None` at the end of the file.
    pub(crate) fn next(&mut self) -> Result<Option<Piece>> {
        // An empty element is reported as a start and an end.
        if std::mem::take(&mut self.closes) {
            return Ok(Some(Piece::Close));
        }
        loop {
            // The position before the event is where its tag begins.
            let at = self.reader.buffer_position() as usize;
            let event = self.reader.read_event().map_err(|error| self.fault(&error))?;
            return Ok(Some(match event {
                Event::Start(start) => {
                    let element = self.element(&start, at)?;
                    self.open.push((element.name.clone(), element.line));
                    Piece::Open(element)
                }
                Event::Empty(start) => {
                    self.closes = true;
                    Piece::Open(self.element(&start, at)?)
                }
                Event::End(_) => {
                    self.open.pop();
                    Piece::Close
                }
                Event::Text(text) => Piece::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Piece::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(entity) => {
                    // Only the five predefined entities and character references are resolved.
                    // Definitions in a DOCTYPE are ignored, so entities cannot expand without
                    // bound.
                    let reference = format!("&{};", &*entity);
                    let text = quick_xml::escape::unescape(&reference);
                    Piece::Text(text.map_err(|error| self.fault(&error))?.into_owned())
                }
                Event::Eof => return self.end(),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
            }));
        }
    }

    fn element(&mut self, start: &BytesStart<'_>, at: usize) -> Result<Element> {
        let line = self.lines.at(at);
        let fault = |error: String| Error::syntax(line, format!("this is not XML: {error}"));
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| fault(error.to_string()))?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| fault(error.to_string()))?;
            attributes.push((attribute.key.into_inner().to_owned(), value.into_owned()));
        }
        Ok(Element { name: start.name().into_inner().to_owned(), attributes, line })
    }

    fn end(&self) -> Result<Option<Piece>> {
        match self.open.last() {
            None => Ok(None),
            Some((name, line)) => {
                let problem =
                    format!("<{name}> is opened and never closed; is the file truncated?");
                Err(Error::syntax(*line, problem))
            }
        }
    }

    fn fault(&self, error: &dyn std::fmt::Display) -> Error {
        let line = line_at(self.text.as_bytes(), self.reader.error_position() as usize);
        Error::syntax(line, format!("this is not XML: {error}"))
    }
}

/// Returns the name of the first element, or `None` if it cannot be read.
pub(super) fn root_name(text: &str) -> Option<String> {
    let mut pieces = Pieces::of(text);
    loop {
        match pieces.next().ok()?? {
            Piece::Open(element) => return Some(element.name),
            Piece::Text(_) | Piece::Close => {}
        }
    }
}

/// Replaces characters that XML cannot represent with `_`.
pub(super) fn sayable(text: &str) -> String {
    let is_sayable = |c: char| {
        matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
            || c >= '\u{10000}'
    };
    text.chars().map(|c| if is_sayable(c) { c } else { '_' }).collect()
}

/// Writes ` name="value"`.
pub(super) fn attribute(out: &mut dyn Write, name: &str, value: &str) -> std::io::Result<()> {
    write!(out, " {name}=\"{}\"", escaped(value))
}

fn escaped(text: &str) -> Cow<'_, str> {
    // Tabs and line ends too: parsers normalize them to blanks in attribute values.
    let is_special = |c: char| matches!(c, '<' | '>' | '&' | '"' | '\'' | '\t' | '\n' | '\r');
    if !text.contains(is_special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if is_special(c) => {
                escaped.extend(["&#", u32::from(c).to_string().as_str(), ";"]);
            }
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}
