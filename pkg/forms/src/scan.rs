//! Single-pass JSON scanner, used to validate responses and to build trees of arguments.
//!
//! serde_json's parser would be a second one in the module that every browser downloads, half as large as the rest.

use std::borrow::Cow;
use std::fmt;

use settlekit_core::json::{Fields, Json};

/// Error of a scan, at the position where it stopped.
#[derive(Debug)]
pub(crate) enum Wrong {
    Expected(&'static str),
    Missing(&'static str),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(what) => write!(f, "{what} is expected"),
            Self::Missing(name) => write!(f, "`{name}` is missing"),
        }
    }
}

pub(crate) type Checked<T> = Result<T, Wrong>;

/// Maximum nesting depth, to limit recursion on the stack.
const DEPTH_MAX: u32 = 127;

/// Maximum size of a text, in bytes: arguments and responses are far smaller, and memory is limited.
const TEXT_BYTES_MAX: usize = 16 << 20;

pub(crate) fn whole<'a, 'o>(
    json: &'a [u8],
    out: &'o mut String,
    scan: impl FnOnce(&mut Scan<'a, 'o>) -> Checked<()>,
) -> Result<(), String> {
    match std::str::from_utf8(json) {
        Ok(text) => whole_text(text, out, scan),
        Err(_) => Err("the answer is not UTF-8".to_owned()),
    }
}

fn whole_text<'a, 'o>(
    text: &'a str,
    out: &'o mut String,
    scan: impl FnOnce(&mut Scan<'a, 'o>) -> Checked<()>,
) -> Result<(), String> {
    if text.len() > TEXT_BYTES_MAX {
        return Err("the text is larger than 16 MiB".to_owned());
    }
    let mut state = Scan {
        text,
        at: 0,
        first: false,
        depth: 0,
        out,
        kept: None,
        has_null: false,
        has_nul: false,
    };
    let outcome = scan(&mut state).and_then(|()| match state.peek() {
        None => Ok(()),
        Some(_) => Err(Wrong::Expected("nothing more")),
    });
    outcome.map_err(|wrong| format!("{wrong} at byte {}", state.at))
}

/// A position in a JSON text.
pub(crate) struct Scan<'a, 'o> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    /// Whether the list or record was just entered, so the next value has no comma.
    first: bool,
    depth: u32,
    pub(crate) out: &'o mut String,
    /// Start of the pending segment to copy; none while only scanning.
    pub(crate) kept: Option<usize>,
    /// Whether the tree has a null.
    has_null: bool,
    /// Whether a text has the character NUL, which JSON writes as an escape only.
    has_nul: bool,
}

/// Content of a JSON string, between its quotes.
pub(crate) struct Quoted<'a> {
    pub(crate) inner: &'a str,
    escaped: bool,
}

impl<'a> Quoted<'a> {
    #[inline(always)]
    pub(crate) fn read(self) -> Cow<'a, str> {
        if !self.escaped {
            return Cow::Borrowed(self.inner);
        }
        Cow::Owned(unescaped(self.inner))
    }
}

/// Decodes a string whose escapes are already validated.
#[inline(never)]
fn unescaped(inner: &str) -> String {
    let mut units: Vec<u16> = Vec::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        let plain = match char {
            '\\' => match chars.next() {
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('u') => {
                    let digits = chars.by_ref().take(4);
                    let unit = digits.fold(0, |unit, digit| {
                        unit * 16 + digit.to_digit(16).unwrap_or_default()
                    });
                    // Four hex digits are one UTF-16 code unit.
                    units.push(unit as u16);
                    continue;
                }
                Some(other) => other,
                None => break,
            },
            other => other,
        };
        units.extend_from_slice(plain.encode_utf16(&mut [0; 2]));
    }
    String::from_utf16_lossy(&units)
}

/// Parses a JSON text to a tree; numbers keep every digit.
///
/// # Errors
/// A human-readable description of the error and its location.
pub fn tree(json: &[u8]) -> Result<Json<'_>, String> {
    match std::str::from_utf8(json) {
        Ok(text) => tree_of(text),
        Err(_) => Err("the text is not UTF-8".to_owned()),
    }
}

/// [`tree`] of a text.
///
/// # Errors
/// A human-readable description of the error and its location.
pub fn tree_of(json: &str) -> Result<Json<'_>, String> {
    parse(json).map(|parsed| parsed.value)
}

/// A tree, and what its text contains.
#[derive(Debug)]
pub struct Parsed<'a> {
    /// The tree.
    pub value: Json<'a>,
    /// Whether a value is null.
    pub has_null: bool,
    /// Whether a text or a name has the character NUL.
    pub has_nul: bool,
}

/// [`tree_of`], with what the text contains.
///
/// # Errors
/// A human-readable description of the error and its location.
pub fn parse(json: &str) -> Result<Parsed<'_>, String> {
    let mut parsed = Parsed {
        value: Json::Null,
        has_null: false,
        has_nul: false,
    };
    whole_text(json, &mut String::new(), |scan| {
        parsed.value = scan.tree()?;
        parsed.has_null = scan.has_null;
        parsed.has_nul = scan.has_nul;
        Ok(())
    })?;
    Ok(parsed)
}

// The module is compiled for size, so hot functions are inlined explicitly.
impl<'a> Scan<'a, '_> {
    /// The next byte that is not white space.
    #[inline(always)]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    #[inline(always)]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    pub(crate) fn open(&mut self, bracket: u8, what: &'static str) -> Checked<()> {
        if self.peek() != Some(bracket) {
            return Err(Wrong::Expected(what));
        }
        if self.depth == DEPTH_MAX {
            return Err(Wrong::Expected("less depth"));
        }
        self.depth += 1;
        self.at += 1;
        self.first = true;
        Ok(())
    }

    /// Whether another value follows; consumes the closing bracket if not.
    #[inline(always)]
    pub(crate) fn more(&mut self, bracket: u8) -> Checked<bool> {
        let first = std::mem::replace(&mut self.first, false);
        match self.peek() {
            Some(byte) if byte == bracket => {
                self.at += 1;
                self.depth -= 1;
                Ok(false)
            }
            Some(_) if first => Ok(true),
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            _ => Err(Wrong::Expected("a comma or a closing bracket")),
        }
    }

    /// The next field name of a record; none at its end.
    #[inline(always)]
    pub(crate) fn name(&mut self) -> Checked<Option<Cow<'a, str>>> {
        if !self.more(b'}')? {
            return Ok(None);
        }
        let name = self.string("a name")?.read();
        if self.peek() != Some(b':') {
            return Err(Wrong::Expected("a colon"));
        }
        self.at += 1;
        Ok(Some(name))
    }

    /// Consumes the next field name if it is this one, written without white space or escapes, as the service does.
    #[inline(always)]
    pub(crate) fn named(&mut self, name: &str) -> bool {
        let bytes = self.text.as_bytes();
        let from = self.at + usize::from(!self.first);
        let end = from + name.len() + 3;
        let found = bytes.get(from..end).is_some_and(|quoted| {
            quoted[0] == b'"'
                && quoted.ends_with(b"\":")
                && &quoted[1..=name.len()] == name.as_bytes()
        }) && (self.first || bytes[self.at] == b',');
        if found {
            self.at = end;
            self.first = false;
        }
        found
    }

    fn tree(&mut self) -> Checked<Json<'a>> {
        Ok(match self.peek() {
            Some(b'"') => Json::Text(self.string("text")?.read()),
            Some(b'{') => {
                // Few objects have more fields: the list is not copied as it grows.
                let mut fields = Fields::with_capacity(16);
                self.open(b'{', "a record")?;
                while let Some(name) = self.name()? {
                    let value = self.tree()?;
                    fields.push(name, value);
                }
                Json::Object(fields)
            }
            Some(b'[') => {
                let mut items = Vec::new();
                self.open(b'[', "a list")?;
                while self.more(b']')? {
                    items.push(self.tree()?);
                }
                Json::List(items)
            }
            Some(b'-' | b'0'..=b'9') => Json::Number(Cow::Borrowed(self.number()?)),
            _ if self.word("true") => Json::Bool(true),
            _ if self.word("false") => Json::Bool(false),
            _ if self.word("null") => {
                self.has_null = true;
                Json::Null
            }
            _ => return Err(Wrong::Expected("a value")),
        })
    }

    pub(crate) fn word(&mut self, word: &str) -> bool {
        self.peek();
        let found = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    /// Consumes a number.
    pub(crate) fn number(&mut self) -> Checked<&'a str> {
        self.peek();
        let from = self.at;
        self.at += usize::from(self.byte() == Some(b'-'));
        let whole = self.at;
        self.digits()?;
        if self.text.as_bytes()[whole] == b'0' && self.at > whole + 1 {
            return Err(Wrong::Expected("a number without leading zeros"));
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(&self.text[from..self.at])
    }

    /// Consumes one or more digits.
    #[inline(always)]
    fn digits(&mut self) -> Checked<()> {
        let from = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > from {
            Ok(())
        } else {
            Err(Wrong::Expected("a number"))
        }
    }

    /// Consumes a string.
    #[inline(always)]
    pub(crate) fn string(&mut self, what: &'static str) -> Checked<Quoted<'a>> {
        if self.peek() != Some(b'"') {
            return Err(Wrong::Expected(what));
        }
        let bytes = self.text.as_bytes();
        let from = self.at + 1;
        let mut at = from;
        let mut escaped = false;
        loop {
            at += plain_len(&bytes[at..]);
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.at = at;
                    self.escape()?;
                    at = self.at;
                }
                _ => {
                    self.at = at;
                    return Err(Wrong::Expected("the end of a text"));
                }
            }
        }
        self.at = at + 1;
        let inner = &self.text[from..at];
        Ok(Quoted { inner, escaped })
    }

    /// Consumes an escape sequence after its backslash.
    fn escape(&mut self) -> Checked<()> {
        const WHAT: Wrong = Wrong::Expected("an escape of JSON");
        self.at += 2;
        match self.text.as_bytes().get(self.at - 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(()),
            Some(b'u') => match self.hex().ok_or(WHAT)? {
                // High surrogate: a low surrogate must follow.
                0xD800..=0xDBFF => {
                    let other = self.text.as_bytes()[self.at..].starts_with(b"\\u");
                    self.at += 2;
                    match other.then(|| self.hex()).flatten() {
                        Some(0xDC00..=0xDFFF) => Ok(()),
                        _ => Err(WHAT),
                    }
                }
                0xDC00..=0xDFFF => Err(WHAT),
                0 => {
                    self.has_nul = true;
                    Ok(())
                }
                _ => Ok(()),
            },
            _ => Err(WHAT),
        }
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4)?;
        self.at += 4;
        digits.iter().try_fold(0, |value, digit| {
            Some(value * 16 + char::from(*digit).to_digit(16)?)
        })
    }
}

/// Number of bytes before a quote, backslash or control character; checks eight bytes at a time.
#[inline(always)]
fn plain_len(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    // Sets the high bit of each zero byte, and possibly of bytes above it; only the lowest is used.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let mut at = 0;
    while let Some(chunk) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        let found = zeros(word ^ (ONES * 0x22))
            | zeros(word ^ (ONES * 0x5C))
            | (word.wrapping_sub(ONES * 0x20) & !word & HIGHS);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let special = |byte: &u8| *byte < b' ' || matches!(*byte, b'"' | b'\\');
    at + bytes[at..]
        .iter()
        .position(special)
        .unwrap_or(bytes.len() - at)
}
