//! Records as JSON for JavaScript, whose numbers are binary floats.
//!
//! An exact number of a record (`Number` in core) is written as a string, whatever its value, so that its type in
//! TypeScript does not depend on its digits. Integers stay numbers: those of the contract fit. Inside free-form maps, kept
//! as somebody else sent them, a number stays a number unless JavaScript would lose digits of it.

use std::fmt::Display;

use serde::ser::{self, Impossible, Serialize};
use serde_json::Error;

/// `{"ok": record}`.
pub(crate) fn ok<T: Serialize>(record: &T) -> String {
    wrap("{\"ok\":", record)
}

/// `{"error": refusal}`.
pub(crate) fn error<T: Serialize>(refusal: &T) -> String {
    wrap("{\"error\":", refusal)
}

fn wrap<T: Serialize>(start: &str, value: &T) -> String {
    let mut writer = Writer {
        out: String::from(start),
        free: false,
    };
    // Nothing that core or this crate writes has a map with keys that are not text, the only thing refused below.
    let written = value.serialize(&mut writer);
    debug_assert!(written.is_ok(), "records can be written as JSON");
    writer.out.push('}');
    writer.out
}

/// The struct as which serde_json passes a number with all its digits.
const EXACT_NUMBER: &str = "$serde_json::private::Number";

/// Any decimal of so many digits comes back from a binary float of 64 bits as it was.
const SAFE_DIGITS_MAX: usize = 15;

struct Writer {
    out: String,
    /// Whether the value being written lies directly in a free-form map.
    free: bool,
}

impl Writer {
    fn text(&mut self, text: &str) {
        self.out.push('"');
        for char in text.chars() {
            match char {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                control if control < ' ' => {
                    let digits = b"0123456789abcdef";
                    let code = control as usize;
                    self.out.push_str("\\u00");
                    self.out.push(digits[code >> 4] as char);
                    self.out.push(digits[code & 15] as char);
                }
                other => self.out.push(other),
            }
        }
        self.out.push('"');
    }

    fn number(&mut self, digits: &str) {
        let safe = digits
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-'));
        if self.free && safe && digits.len() <= SAFE_DIGITS_MAX {
            self.out.push_str(digits);
        } else {
            self.text(digits);
        }
    }

    fn plain(&mut self, value: impl Display) {
        use std::fmt::Write;
        // Writing to a String cannot fail.
        let _ = write!(self.out, "{value}");
    }

    fn open(&mut self, bracket: char, free: bool) -> Container<'_> {
        self.out.push(bracket);
        let outside = std::mem::replace(&mut self.free, free);
        Container {
            writer: self,
            outside,
            first: true,
        }
    }
}

/// An array or object being written.
struct Container<'a> {
    writer: &'a mut Writer,
    /// `free` of the surroundings.
    outside: bool,
    first: bool,
}

impl Container<'_> {
    fn comma(&mut self) {
        if !std::mem::replace(&mut self.first, false) {
            self.writer.out.push(',');
        }
    }

    fn close(self, bracket: char) {
        self.writer.free = self.outside;
        self.writer.out.push(bracket);
    }
}

macro_rules! plain {
    ($($method:ident: $type:ty),+ $(,)?) => {
        $(fn $method(self, value: $type) -> Result<(), Error> {
            self.plain(value);
            Ok(())
        })+
    };
}

impl<'a> ser::Serializer for &'a mut Writer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Container<'a>;
    type SerializeTuple = Container<'a>;
    type SerializeTupleStruct = Container<'a>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Container<'a>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Impossible<(), Error>;

    plain! {
        serialize_bool: bool,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
    }

    fn serialize_f32(self, _: f32) -> Result<(), Error> {
        Err(ser::Error::custom("no record holds a binary float"))
    }

    fn serialize_f64(self, _: f64) -> Result<(), Error> {
        Err(ser::Error::custom("no record holds a binary float"))
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.out.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut container = self.open('{', false);
        ser::SerializeMap::serialize_entry(&mut container, variant, value)?;
        container.close('}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Container<'a>, Error> {
        let free = self.free;
        Ok(self.open('[', free))
    }

    fn serialize_tuple(self, length: usize) -> Result<Container<'a>, Error> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        length: usize,
    ) -> Result<Container<'a>, Error> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(ser::Error::custom("no record holds such an enumeration"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Container<'a>, Error> {
        Ok(self.open('{', true))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Fields<'a>, Error> {
        Ok(if name == EXACT_NUMBER {
            Fields::Number(self)
        } else {
            Fields::Record(self.open('{', false))
        })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(ser::Error::custom("no record holds such an enumeration"))
    }
}

macro_rules! elements {
    ($($trait:ident::$method:ident),+ $(,)?) => {
        $(impl ser::$trait for Container<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
                self.comma();
                value.serialize(&mut *self.writer)
            }

            fn end(self) -> Result<(), Error> {
                self.close(']');
                Ok(())
            }
        })+
    };
}

elements!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field
);

impl ser::SerializeMap for Container<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Error> {
        self.comma();
        let start = self.writer.out.len();
        key.serialize(&mut *self.writer)?;
        if self.writer.out[start..].starts_with('"') {
            Ok(())
        } else {
            Err(ser::Error::custom("a key must be text"))
        }
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        self.writer.out.push(':');
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Error> {
        self.close('}');
        Ok(())
    }
}

/// The fields of a record, or the one field of serde_json's number.
enum Fields<'a> {
    Record(Container<'a>),
    Number(&'a mut Writer),
}

impl ser::SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        match self {
            Self::Record(container) => ser::SerializeMap::serialize_entry(container, name, value),
            Self::Number(writer) => {
                let mut digits = Writer {
                    out: String::new(),
                    free: false,
                };
                value.serialize(&mut digits)?;
                writer.number(digits.out.trim_matches('"'));
                Ok(())
            }
        }
    }

    fn end(self) -> Result<(), Error> {
        if let Self::Record(container) = self {
            container.close('}');
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::{Map, Number, Value, json};

    use super::ok;

    #[derive(Serialize)]
    struct Record {
        id: i64,
        share: Number,
        name: Option<String>,
        free: Map<String, Value>,
        list: Vec<Number>,
        unit: (),
    }

    fn number(text: &str) -> Number {
        text.parse().expect("a number")
    }

    #[test]
    fn exact_numbers_are_strings_and_free_ones_stay_numbers_while_javascript_can_hold_them() {
        let free = json!({"a": 1, "b": [0.5, {"c": -2}], "d": number("12345678901234567890"), "e": number("1e400")});
        let record = Record {
            id: 9_007_199_254_740_991,
            share: number("2"),
            name: None,
            free: free.as_object().expect("an object").clone(),
            list: vec![number("0.10")],
            unit: (),
        };
        assert_eq!(
            ok(&record),
            r#"{"ok":{"id":9007199254740991,"share":"2","name":null,"free":{"a":1,"b":[0.5,{"c":-2}],"d":"12345678901234567890","e":"1e+400"},"list":["0.10"],"unit":null}}"#
        );
    }

    #[test]
    fn texts_are_escaped_as_json_wants_them() {
        for text in [
            "",
            "a\"b\\c/d",
            "\u{0}\u{1f}\n\r\t\u{8}\u{7f}",
            "käse 🧀 \u{2028}",
        ] {
            let written = ok(&text);
            let read: Value = serde_json::from_str(&written).expect("JSON");
            assert_eq!(read, json!({ "ok": text }));
        }
    }
}
