//! Encodings of text files, and their detection.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, ErrorKind, Read};

use encoding_rs::{Decoder, DecoderResult, EncoderResult};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Error, Result};

/// Number of bytes that are decoded at a time.
const CHUNK: usize = 1 << 16;
/// Bytes that Windows-1252 does not define.
const UNDEFINED: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/// Names that errors suggest.
const EXAMPLES: [&str; 12] = [
    "utf-8",
    "utf-16",
    "windows-1252",
    "iso-8859-1",
    "iso-8859-15",
    "windows-1250",
    "windows-1251",
    "windows-1253",
    "macintosh",
    "shift_jis",
    "gb18030",
    "euc-kr",
];

/// The encoding of a text file, by one of the names of the WHATWG Encoding Standard.
///
/// # Examples
///
/// ```
/// use hedgerow::charset::Charset;
/// let latin: Charset = "latin1".parse()?;
/// assert_eq!(latin.name(), "windows-1252");
/// assert_eq!(latin.decode(b"M\xfcller").as_deref(), Some("Müller"));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset(&'static encoding_rs::Encoding);

impl Charset {
    /// UTF-8.
    pub const UTF_8: Self = Self(encoding_rs::UTF_8);
    /// Windows-1252, which includes all characters of Latin-1.
    pub(crate) const WINDOWS_1252: Self = Self(encoding_rs::WINDOWS_1252);

    /// The name in lower case.
    pub fn name(self) -> String {
        self.0.name().to_lowercase()
    }

    /// Returns the UTF-16 encoding that a byte order mark announces.
    pub(crate) fn of_mark(start: &[u8]) -> Option<Self> {
        match start {
            [0xff, 0xfe, ..] => Some(Self(encoding_rs::UTF_16LE)),
            [0xfe, 0xff, ..] => Some(Self(encoding_rs::UTF_16BE)),
            _ => None,
        }
    }

    /// Decodes bytes without a byte order mark, or returns `None` if they are malformed.
    pub fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        self.0.decode_without_bom_handling_and_without_replacement(bytes)
    }

    /// Encodes a text, or returns the first character that the encoding lacks.
    pub(crate) fn encode(self, text: &str) -> std::result::Result<Vec<u8>, char> {
        // encoding_rs only decodes UTF-16; its encoder for it writes UTF-8.
        if self.0 == encoding_rs::UTF_16LE {
            return Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
        }
        if self.0 == encoding_rs::UTF_16BE {
            return Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
        }
        let mut encoder = self.0.new_encoder();
        let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len());
        let mut bytes = Vec::with_capacity(room.unwrap_or(text.len()));
        match encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true).0 {
            EncoderResult::Unmappable(lacking) => Err(lacking),
            EncoderResult::InputEmpty | EncoderResult::OutputFull => Ok(bytes),
        }
    }

    /// Whether the encoding is UTF-16.
    pub(crate) fn is_wide(self) -> bool {
        [encoding_rs::UTF_16LE, encoding_rs::UTF_16BE].contains(&self.0)
    }

    /// Returns the byte order mark that a written file begins with; empty unless it is UTF-16.
    pub(crate) fn mark(self) -> Vec<u8> {
        if self.is_wide() { self.encode("\u{feff}").unwrap_or_default() } else { Vec::new() }
    }

    /// Decodes a stream to UTF-8 and skips a byte order mark. Malformed bytes are an error.
    pub(crate) fn reader<R: Read>(self, input: R) -> Transcoder<R> {
        Transcoder {
            input,
            charset: self,
            decoder: self.0.new_decoder_with_bom_removal(),
            raw: vec![0; CHUNK],
            text: Vec::new(),
            n_given: 0,
            line: 1,
            is_done: false,
        }
    }
}

/// Decodes the bytes of a small file: UTF-8, UTF-16 with a byte order mark, or Windows-1252.
/// Returns `None` if they are none of these.
pub(crate) fn decode_any(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if let Some(wide) = Charset::of_mark(bytes) {
        // The mark is not part of the text.
        return wide.decode(&bytes[2..]);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    let mut census = Census::default();
    census.add(bytes);
    if census.is_windows_1252() { Charset::WINDOWS_1252.decode(bytes) } else { None }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl std::str::FromStr for Charset {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = encoding_rs::Encoding::for_label_no_replacement(text.as_bytes());
        // A private encoding of browsers, which no file has.
        let is_usable = |charset: &&encoding_rs::Encoding| *charset != encoding_rs::X_USER_DEFINED;
        known
            .filter(is_usable)
            .map(Self)
            .ok_or_else(|| Error::unknown("encoding", text, EXAMPLES.into_iter()))
    }
}

impl Serialize for Charset {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Charset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// A stream that is decoded to UTF-8 while it is read.
pub(crate) struct Transcoder<R> {
    input: R,
    charset: Charset,
    decoder: Decoder,
    raw: Vec<u8>,
    text: Vec<u8>,
    /// Number of bytes of `text` that were returned.
    n_given: usize,
    /// The line at which `text` ends.
    line: usize,
    is_done: bool,
}

impl<R: Read> Transcoder<R> {
    /// Decodes the next bytes of the input.
    fn refill(&mut self) -> io::Result<()> {
        let n_read = match self.input.read(&mut self.raw) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            read => read?,
        };
        self.is_done = n_read == 0;
        // Enough room for any text of this length, so the output is never full.
        let most = self.decoder.max_utf8_buffer_length_without_replacement(n_read);
        self.text.resize(most.unwrap_or(4 * CHUNK), 0);
        let (result, _, n_written) = self.decoder.decode_to_utf8_without_replacement(
            &self.raw[..n_read],
            &mut self.text,
            self.is_done,
        );
        self.text.truncate(n_written);
        self.n_given = 0;
        // Lines are counted in the decoded text, since UTF-16 has line ends of two bytes.
        self.line += memchr::memchr_iter(b'\n', &self.text).count();
        match result {
            DecoderResult::InputEmpty => Ok(()),
            DecoderResult::Malformed(..) | DecoderResult::OutputFull => {
                let (line, name) = (self.line, self.charset);
                let problem = format!("line {line} has bytes that are not {name}");
                Err(io::Error::new(ErrorKind::InvalidData, problem))
            }
        }
    }
}

impl<R: Read> Read for Transcoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Some bytes may decode to nothing, such as the first half of a character.
        while self.n_given == self.text.len() && !self.is_done {
            self.refill()?;
        }
        let n_copied = (self.text.len() - self.n_given).min(buffer.len());
        buffer[..n_copied].copy_from_slice(&self.text[self.n_given..][..n_copied]);
        self.n_given += n_copied;
        Ok(n_copied)
    }
}

/// Counts of the bytes of a stream that is not UTF-8.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Census {
    /// Number of characters beyond ASCII that are valid UTF-8.
    n_valid: u64,
    /// Number of bytes that are not UTF-8.
    n_invalid: u64,
    /// Whether one of these is not a character of Windows-1252, or there are zero bytes.
    is_odd: bool,
    /// Number of times that each byte is between two letters.
    within_words: Within,
}

/// Counts of bytes.
#[derive(Debug, PartialEq)]
struct Within([u64; 256]);

impl Default for Within {
    fn default() -> Self {
        Self([0; 256])
    }
}

/// Signs of Windows-1252 that are letters of Polish, Slovak and other languages in Windows-1250:
/// `³`, `¹`, `¿`, `¾`, `£`, `¥` and `¯` for `ł`, `ą`, `ż`, `ľ`, `Ł`, `Ą` and `Ż`.
const LETTERS_OF_1250: [u8; 7] = [0xb3, 0xb9, 0xbf, 0xbe, 0xa3, 0xa5, 0xaf];

impl Census {
    /// Counts the bytes of a whole stream.
    pub(crate) fn of(mut input: impl Read) -> io::Result<Self> {
        let mut census = Self::default();
        let mut buffer: Vec<u8> = Vec::with_capacity(2 * CHUNK);
        loop {
            let n_read = (&mut input).take(CHUNK as u64).read_to_end(&mut buffer)?;
            // A character can be cut at the end of a chunk, so its first bytes wait for the rest.
            let kept = if n_read == 0 { 0 } else { n_cut(&buffer) };
            census.add(&buffer[..buffer.len() - kept]);
            if n_read == 0 {
                return Ok(census);
            }
            buffer.drain(..buffer.len() - kept);
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        for chunk in bytes.utf8_chunks() {
            self.n_valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count() as u64;
            self.n_invalid += chunk.invalid().len() as u64;
            self.is_odd |= chunk.invalid().iter().any(|byte| UNDEFINED.contains(byte));
            self.is_odd |= chunk.valid().contains('\0');
        }
        let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte >= 0xc0;
        for around in bytes.windows(3).filter(|around| !around[1].is_ascii()) {
            if is_letter(around[0]) && is_letter(around[2]) {
                self.within_words.0[usize::from(around[1])] += 1;
            }
        }
    }

    /// Whether letters of Windows-1250 would explain the bytes better than those of Windows-1252:
    /// signs inside words, or letters that no western language has together.
    pub(crate) fn resembles_1250(&self) -> bool {
        let n = |byte: u8| self.within_words.0[usize::from(byte)];
        let has_signs = LETTERS_OF_1250.iter().any(|&byte| n(byte) > 0);
        // Czech `ř` with `č` or `ě`, which would be `ø` with `è` or `ì`.
        let is_czech = n(0xf8) > 0 && n(0xe8) + n(0xec) > 0 && n(0x9a) + n(0x9e) > 0;
        // Hungarian `ő` with `ű`, which would be `õ` with `û`.
        let is_hungarian = n(0xf5) > 0 && n(0xfb) > 0;
        has_signs || is_czech || is_hungarian
    }

    /// Whether the bytes are Windows-1252: few of them happen to be valid UTF-8. Otherwise they are
    /// damaged UTF-8, or another encoding.
    pub(crate) fn is_windows_1252(&self) -> bool {
        // Accented letters of Windows-1252 rarely form valid UTF-8, while damaged UTF-8 has few
        // invalid bytes.
        self.n_invalid > self.n_valid && !self.is_odd
    }
}

/// Number of bytes at the end that are the start of a character.
fn n_cut(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last();
    last.map_or(0, |chunk| match std::str::from_utf8(chunk.invalid()) {
        Err(error) if error.error_len().is_none() => chunk.invalid().len(),
        _ => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_decoded_whatever_the_size_of_reads() {
        let text = "name,Größe\nMüller,„1“\n".repeat(5000);
        for name in ["utf-16le", "utf-16be", "windows-1252", "utf-8"] {
            let charset: Charset = name.parse().unwrap();
            let bytes = [charset.mark(), charset.encode(&text).unwrap()].concat();
            let mut decoded = String::new();
            charset.reader(bytes.as_slice()).read_to_string(&mut decoded).unwrap();
            assert!(decoded == text, "{name}");
        }
    }

    #[test]
    fn malformed_bytes_are_an_error_with_their_line() {
        let charset: Charset = "shift_jis".parse().unwrap();
        let error = io::read_to_string(charset.reader(&b"a\nb\n\x81"[..])).unwrap_err();
        assert_eq!(error.to_string(), "line 3 has bytes that are not Shift_JIS");
    }

    #[test]
    fn letters_of_central_europe_are_noticed() {
        let census = |text: &str, name: &str| {
            let bytes = name.parse::<Charset>().unwrap().encode(text).unwrap();
            Census::of(bytes.as_slice()).unwrap()
        };
        for text in ["Małgorzata,Łódź", "Dvořák,Ježek,děti", "Erdős,fűtő"] {
            let census = census(text, "windows-1250");
            assert!(census.is_windows_1252() && census.resembles_1250(), "{text}");
        }
        for text in ["Müller,12 m³,£5", "Søren,crème,Mª José", "São João,Conceição,Õ", "¿Qué?"]
        {
            assert!(!census(text, "windows-1252").resembles_1250(), "{text}");
        }
    }

    #[test]
    fn characters_that_an_encoding_lacks_are_named() {
        assert_eq!(Charset::WINDOWS_1252.encode("a€ł"), Err('ł'));
        assert_eq!(Charset::WINDOWS_1252.encode("a€"), Ok(b"a\x80".to_vec()));
    }

    #[test]
    fn latin_1_is_told_from_damaged_utf_8() {
        let is_latin = |bytes: &[u8]| Census::of(bytes).unwrap().is_windows_1252();
        assert!(is_latin(b"M\xfcller, Gr\xf6\xdfe"));
        assert!(!is_latin("Müller, Größe, ".as_bytes()));
        assert!(!is_latin(&["Müller, Größe, ".as_bytes(), b"\xfc"].concat()));
        assert!(!is_latin(b"M\x81ller"));
        // A character on the border of two chunks is not damaged.
        let border = ["x".repeat(CHUNK - 1).as_bytes(), "ü".repeat(CHUNK).as_bytes()].concat();
        assert_eq!(Census::of(border.as_slice()).unwrap().n_invalid, 0);
    }

    #[test]
    fn small_files_are_decoded_as_what_they_are() {
        let wide: Charset = "utf-16be".parse().unwrap();
        let bytes = [wide.mark(), wide.encode("ü").unwrap()].concat();
        assert_eq!(decode_any(&bytes).as_deref(), Some("ü"));
        assert_eq!(decode_any(b"\xfc").as_deref(), Some("ü"));
        assert_eq!(decode_any("ü".as_bytes()).as_deref(), Some("ü"));
        assert_eq!(decode_any(b"\x81"), None);
    }

    #[test]
    fn unknown_names_are_refused() {
        for name in ["utf-9", "", "replacement", "x-user-defined"] {
            assert!(name.parse::<Charset>().is_err(), "{name}");
        }
    }
}
