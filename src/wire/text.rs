//! JSON as text in which no character can steer a terminal or pass for a line's end: those that JSON itself lets stand are
//! written as escapes, which mean the same.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Writes `value` in one line, without its end.
pub(crate) fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Escaping)).map_err(io::Error::from)
}

/// `value` in one line, without its end.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes, value).expect("what is shown has keys of text only, and memory takes everything");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// Whether a character can steer a terminal, turn the text around it, or pass for a line's end.
pub(crate) fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        // Nearly all that is written is plain.
        if fragment.bytes().all(|byte| byte < 0x7f) {
            return out.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| steers(*c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_escaped_and_comes_back() {
        let text = "a\u{0}\u{7f}\u{9b}2J\u{202e}b\u{2028}\u{85}ñ🙂\n\"\\";
        let line = line(&text);
        assert_eq!(line, r#""a\u0000\u007f\u009b2J\u202eb\u2028\u0085ñ🙂\n\"\\""#);
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
    }
}
