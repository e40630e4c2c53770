//! Answers checked against the form of their record, and written anew for JavaScript in the same pass.
//!
//! The forms (`forms.rs`) are printed from core's types. Reading each record as its Rust type instead would link a reader
//! and a writer per type: half a megabyte that every browser would download. Fields that a form does not know pass
//! through, so that a newer service's answers are not cut to what this version knows.
//!
//! JavaScript's numbers are binary floats. An exact number of a record is therefore written as text, whatever its value,
//! so that its type does not depend on its digits. Integers stay numbers: those of the contract fit. What is free in form
//! stays as it was sent, except for numbers of which JavaScript would lose digits: those become text, too.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};
use settlekit_core::value::{Amount, Timestamp};

/// What a value must look like.
#[derive(Debug)]
pub(crate) enum Form {
    Text,
    Flag,
    Integer,
    /// A decimal in text.
    Amount,
    /// A decimal as a JSON number.
    Exact,
    /// A moment in text.
    Moment,
    /// Anything.
    Free,
    List(&'static Form),
    Record(&'static [Field]),
}

/// One field of a record.
#[derive(Debug)]
pub(crate) struct Field {
    name: &'static str,
    required: bool,
    form: &'static Form,
}

impl Field {
    pub(crate) const fn must(name: &'static str, form: &'static Form) -> Self {
        Self {
            name,
            required: true,
            form,
        }
    }

    pub(crate) const fn may(name: &'static str, form: &'static Form) -> Self {
        Self {
            name,
            required: false,
            form,
        }
    }
}

/// Checks a JSON text and writes it after `out`.
///
/// # Errors
/// What is wrong and where, for people.
pub(crate) fn translate(json: &[u8], form: &'static Form, out: &mut String) -> Result<(), String> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let seed = Translate { form, out };
    seed.deserialize(&mut deserializer)
        .and_then(|()| deserializer.end())
        .map_err(|error| error.to_string())
}

/// The same for the `data` of an envelope.
///
/// # Errors
/// What is wrong and where, for people.
pub(crate) fn translate_data(
    json: &[u8],
    form: &'static Form,
    out: &mut String,
) -> Result<(), String> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let visited = deserializer.deserialize_map(Envelope(Translate { form, out }));
    visited
        .and_then(|()| deserializer.end())
        .map_err(|error| error.to_string())
}

struct Envelope<'a>(Translate<'a>);

impl<'de> Visitor<'de> for Envelope<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an envelope")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let mut data = Some(self.0);
        while let Some(name) = values.next_key::<Cow<'de, str>>()? {
            match data.take_if(|_| name == "data") {
                Some(translate) => values.next_value_seed(translate)?,
                None => drop(values.next_value::<IgnoredAny>()?),
            }
        }
        if data.is_none() {
            Ok(())
        } else {
            Err(A::Error::custom("`data` is missing"))
        }
    }
}

/// Writes numbers where a record wants exact numbers and the caller gave their digits as text.
pub(crate) fn numbers_from_text(value: &mut Value, form: &Form) {
    match (form, value) {
        (Form::Exact, value) => {
            if let Some(number) = value
                .as_str()
                .and_then(|digits| digits.parse::<Number>().ok())
            {
                *value = Value::Number(number);
            }
        }
        (Form::List(item), Value::Array(items)) => items
            .iter_mut()
            .for_each(|value| numbers_from_text(value, item)),
        (Form::Record(fields), Value::Object(values)) => {
            for field in *fields {
                if let Some(value) = values.get_mut(field.name) {
                    numbers_from_text(value, field.form);
                }
            }
        }
        _ => {}
    }
}

struct Translate<'a> {
    form: &'static Form,
    out: &'a mut String,
}

impl<'de> DeserializeSeed<'de> for Translate<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.form {
            Form::Free => {
                write_free(&Value::deserialize(deserializer)?, self.out);
                Ok(())
            }
            Form::Integer => {
                let number = Number::deserialize(deserializer)?;
                if !number.is_i64() && !number.is_u64() {
                    return Err(D::Error::custom("an integer is expected"));
                }
                self.out.push_str(number.as_str());
                Ok(())
            }
            Form::Exact => {
                write_text(Number::deserialize(deserializer)?.as_str(), self.out);
                Ok(())
            }
            Form::Flag => {
                self.out.push_str(if bool::deserialize(deserializer)? {
                    "true"
                } else {
                    "false"
                });
                Ok(())
            }
            Form::Text | Form::Amount | Form::Moment => deserializer.deserialize_str(self),
            Form::List(_) => deserializer.deserialize_seq(self),
            Form::Record(_) => deserializer.deserialize_map(self),
        }
    }
}

impl<'de> Visitor<'de> for Translate<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.form {
            Form::Amount => "a decimal in text",
            Form::Moment => "a moment in text",
            Form::List(_) => "a list",
            Form::Record(_) => "a record",
            _ => "text",
        })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        match self.form {
            Form::Amount => text.parse::<Amount>().map(drop).map_err(E::custom)?,
            Form::Moment => text.parse::<Timestamp>().map(drop).map_err(E::custom)?,
            _ => {}
        }
        write_text(text, self.out);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Form::List(item) = self.form else {
            return Err(A::Error::custom("a list where none belongs"));
        };
        self.out.push('[');
        let empty = self.out.len();
        loop {
            let end = self.out.len();
            if end > empty {
                self.out.push(',');
            }
            if items
                .next_element_seed(Translate {
                    form: item,
                    out: self.out,
                })?
                .is_none()
            {
                self.out.truncate(end);
                self.out.push(']');
                return Ok(());
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let Form::Record(fields) = self.form else {
            return Err(A::Error::custom("a record where none belongs"));
        };
        // More fields than bits would be a record that nobody could read.
        let mut missing: u64 = 0;
        for (index, field) in fields.iter().enumerate() {
            missing |= u64::from(field.required) << index;
        }
        self.out.push('{');
        let empty = self.out.len();
        while let Some(name) = values.next_key::<Cow<'de, str>>()? {
            if self.out.len() > empty {
                self.out.push(',');
            }
            write_text(&name, self.out);
            self.out.push(':');
            match fields.iter().position(|field| field.name == name) {
                Some(index) if fields[index].required => {
                    missing &= !(1 << index);
                    values.next_value_seed(Translate {
                        form: fields[index].form,
                        out: self.out,
                    })?;
                }
                Some(index) => values.next_value_seed(OrNull(Translate {
                    form: fields[index].form,
                    out: self.out,
                }))?,
                None => values.next_value_seed(Translate {
                    form: &Form::Free,
                    out: self.out,
                })?,
            }
        }
        if missing != 0 {
            let name = fields[missing.trailing_zeros() as usize].name;
            return Err(A::Error::custom(format_args!("`{name}` is missing")));
        }
        self.out.push('}');
        Ok(())
    }
}

/// A value that may be null.
struct OrNull<'a>(Translate<'a>);

impl<'de> DeserializeSeed<'de> for OrNull<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for OrNull<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.0.out.push_str("null");
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.deserialize(deserializer)
    }
}

/// Any decimal of so many digits comes back from a binary float of 64 bits as it was.
const SAFE_CHARS_MAX: usize = 15;

fn write_free(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => {
            let digits = number.as_str();
            let plain = digits
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-'));
            if plain && digits.len() <= SAFE_CHARS_MAX {
                out.push_str(digits)
            } else {
                write_text(digits, out)
            }
        }
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_free(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (index, (name, value)) in fields.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(name, out);
                out.push(':');
                write_free(value, out);
            }
            out.push('}');
        }
    }
}

/// Writes a JSON string.
fn write_text(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    // Almost always there is nothing to escape, and the text goes over in one piece.
    while let Some(at) = rest
        .bytes()
        .position(|byte| byte < b' ' || byte == b'"' || byte == b'\\')
    {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let byte = rest.as_bytes()[at];
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if byte >= b' ' {
            out.push('\\');
            out.push(char::from(byte));
        } else {
            out.push_str("\\u00");
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Field, Form, numbers_from_text, translate};

    static SHARE: Form = Form::Record(&[Field::must("pct", &Form::Exact)]);
    static RECORD: Form = Form::Record(&[
        Field::must("id", &Form::Integer),
        Field::must("amount", &Form::Amount),
        Field::may("at", &Form::Moment),
        Field::may("open", &Form::Flag),
        Field::may("name", &Form::Text),
        Field::may("shares", &Form::List(&SHARE)),
        Field::may("metadata", &Form::Free),
    ]);

    fn check(given: &str, expected: Result<&str, &str>) {
        let mut out = String::new();
        match (translate(given.as_bytes(), &RECORD, &mut out), expected) {
            (Ok(()), Ok(expected)) => assert_eq!(out, expected, "{given}"),
            (Err(error), Err(expected)) => assert!(error.contains(expected), "{given}: {error}"),
            (outcome, _) => panic!("{given}: {outcome:?} {out}"),
        }
    }

    #[test]
    fn records_pass_with_what_is_not_known_and_without_what_may_be_absent() {
        check(
            r#"{"id":1,"amount":"1.50"}"#,
            Ok(r#"{"id":1,"amount":"1.50"}"#),
        );
        check(
            r#" { "amount" : "1.50" , "new" : [ {} , [] ] , "id" : 1 , "name" : null } "#,
            Ok(r#"{"amount":"1.50","new":[{},[]],"id":1,"name":null}"#),
        );
        check(
            r#"{"id":1,"amount":"1","shares":[{"pct":1},{"pct":2}],"open":true}"#,
            Ok(r#"{"id":1,"amount":"1","shares":[{"pct":"1"},{"pct":"2"}],"open":true}"#),
        );
        check(
            r#"{"id":1,"amount":"1","shares":[]}"#,
            Ok(r#"{"id":1,"amount":"1","shares":[]}"#),
        );
    }

    #[test]
    fn exact_numbers_are_text_and_free_ones_stay_numbers_while_javascript_can_hold_them() {
        check(
            r#"{"id":9007199254740991,"amount":"1","shares":[{"pct":0.12345678901234567890}],"metadata":{"a":1,"b":[0.5,-2],"c":12345678901234567890}}"#,
            Ok(
                r#"{"id":9007199254740991,"amount":"1","shares":[{"pct":"0.12345678901234567890"}],"metadata":{"a":1,"b":[0.5,-2],"c":"12345678901234567890"}}"#,
            ),
        );
    }

    #[test]
    fn what_is_missing_or_of_another_form_is_named() {
        check("{}", Err("`id` is missing"));
        check(r#"{"id":1}"#, Err("`amount` is missing"));
        check(r#"{"id":"1","amount":"1"}"#, Err("number"));
        check(r#"{"id":1.5,"amount":"1"}"#, Err("an integer is expected"));
        check(r#"{"id":1,"amount":1}"#, Err("a decimal in text"));
        check(r#"{"id":1,"amount":"1e5"}"#, Err("at line 1"));
        check(
            r#"{"id":1,"amount":"1","at":"yesterday"}"#,
            Err("at line 1"),
        );
        check(r#"{"id":1,"amount":"1","open":"yes"}"#, Err("a boolean"));
        check(r#"{"id":1,"amount":"1","shares":{}}"#, Err("a list"));
        check(r#"{"id":null,"amount":"1"}"#, Err("number"));
        check("[]", Err("a record"));
        check(r#"{"id":1,"amount":"1"} x"#, Err("trailing"));
        check("", Err("EOF"));
    }

    #[test]
    fn texts_are_escaped_as_json_wants_them() {
        for text in [
            "",
            "a\"b\\c/d",
            "\u{0}\u{1f}\n\r\t\u{8}\u{7f}",
            "käse 🧀 \u{2028}",
        ] {
            let mut out = String::new();
            translate(
                json!({"id": 1, "amount": "1", "name": text})
                    .to_string()
                    .as_bytes(),
                &RECORD,
                &mut out,
            )
            .expect("a record");
            let read: Value = serde_json::from_str(&out).expect("JSON");
            assert_eq!(read["name"], text);
        }
    }

    #[test]
    fn digits_in_text_become_numbers_only_where_a_record_wants_them() {
        let mut value = json!({"name": "1", "shares": [{"pct": "0.10"}, {"pct": "much"}]});
        numbers_from_text(&mut value, &RECORD);
        assert_eq!(
            value.to_string(),
            r#"{"name":"1","shares":[{"pct":0.10},{"pct":"much"}]}"#
        );
    }
}
