//! Validates responses against the form of their record, and converts them for JavaScript in the same pass.
//!
//! The forms (`forms.rs`) are printed from core's types. Deserialising Rust types instead would link a reader and a writer per
//! type: half a megabyte for every browser. Unknown fields pass through, so that records of a newer service stay complete.
//!
//! JavaScript numbers are binary floats. Exact numbers of a record are therefore always written as strings, so that the type does
//! not depend on the value. Integers stay numbers: those of the contract fit. Free-form values are unchanged, except numbers that
//! would lose digits, which become strings.
//!
//! Works in one pass over the bytes: unchanged parts are copied in as few segments as possible, and no tree is built.

use settlekit_core::decode::is_equal;
use settlekit_core::value::{Amount, Timestamp};

use crate::forms::OPERATIONS;
use crate::scan::{Checked, Scan, Wrong, whole};

/// Expected form of a value.
#[derive(Debug)]
pub enum Form {
    /// A JSON string.
    Text,
    /// A JSON boolean.
    Flag,
    /// An integer as a JSON number.
    Integer,
    /// A decimal as a JSON string.
    Amount,
    /// A decimal as a JSON number.
    Exact,
    /// A timestamp as a JSON string.
    Timestamp,
    /// Any JSON value.
    Free,
    /// A list of values of one form.
    List(&'static Form),
    /// A JSON object with these fields.
    Record(&'static [Field]),
}

/// A field of a record.
#[derive(Debug)]
pub struct Field {
    pub(crate) name: &'static str,
    required: bool,
    pub(crate) form: &'static Form,
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

/// Forms of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Forms {
    /// Of the record that it returns.
    pub answer: &'static Form,
    /// Of its body.
    pub body: &'static Form,
}

impl Form {
    /// Whether a value of this form contains exact numbers.
    pub const fn has_numbers(&self) -> bool {
        match self {
            Self::Exact => true,
            Self::List(item) => item.has_numbers(),
            Self::Record(fields) => {
                let mut index = 0;
                while index < fields.len() && !fields[index].form.has_numbers() {
                    index += 1;
                }
                index < fields.len()
            }
            _ => false,
        }
    }
}

impl Forms {
    /// The forms of an operation, found while compiling; free forms for one that the printed table does not have yet.
    pub const fn of(operation: &str) -> Self {
        let mut index = 0;
        while index < OPERATIONS.len() {
            let (name, forms) = OPERATIONS[index];
            if is_equal(name, operation) {
                return forms;
            }
            index += 1;
        }
        Self {
            answer: &Form::Free,
            body: &Form::Free,
        }
    }
}

/// Validates a JSON text and appends it to `out`, converted.
///
/// # Errors
/// A human-readable description of the error and its location.
pub fn translate(json: &[u8], form: &'static Form, out: &mut String) -> Result<(), String> {
    whole(json, out, |scan| scan.kept(form))
}

/// [`translate`] for the `data` of an envelope.
///
/// # Errors
/// A human-readable description of the error and its location.
pub fn translate_data(json: &[u8], form: &'static Form, out: &mut String) -> Result<(), String> {
    whole(json, out, |scan| {
        let mut found = false;
        scan.open(b'{', "an envelope")?;
        while let Some(name) = scan.name()? {
            if name == "data" && !found {
                found = true;
                scan.kept(form)?;
            } else {
                scan.free()?;
            }
        }
        found.then_some(()).ok_or(Wrong::Missing("data"))
    })
}

/// Maximum number of digits that every 64-bit float preserves.
const SAFE_CHARS_MAX: usize = 15;

/// Maximum number of fields of a record: one bit each.
const FIELDS_MAX: usize = 64;

/// Field order of the previous record. Records of a list mostly have the same order, so no field is searched.
type Order = [u8; FIELDS_MAX];

impl Scan<'_, '_> {
    /// Validates a value and copies it.
    fn kept(&mut self, form: &'static Form) -> Checked<()> {
        self.peek();
        self.kept = Some(self.at);
        self.value(form, None)?;
        self.write();
        self.kept = None;
        Ok(())
    }

    /// Writes the pending segment.
    fn write(&mut self) {
        if let Some(from) = self.kept.replace(self.at) {
            self.out.push_str(&self.text[from..self.at]);
        }
    }

    /// Writes the number just read as a string.
    fn write_quoted(&mut self, number: &str) {
        if self.kept.is_some() {
            let end = self.at;
            self.at = end - number.len();
            self.write();
            self.out.push('"');
            self.at = end;
            self.write();
            self.out.push('"');
        }
    }

    fn value(&mut self, form: &'static Form, order: Option<&mut Order>) -> Checked<()> {
        match form {
            Form::Text => self.string("text").map(drop),
            Form::Amount => {
                const WHAT: &str = "a decimal in text";
                let text = self.string(WHAT)?;
                let valid = is_short_decimal(text.inner) || text.read().parse::<Amount>().is_ok();
                expect(valid, WHAT)
            }
            Form::Timestamp => {
                const WHAT: &str = "a timestamp in text";
                let text = self.string(WHAT)?;
                let plain = is_plain_timestamp(text.inner);
                expect(plain || text.read().parse::<Timestamp>().is_ok(), WHAT)
            }
            Form::Integer => {
                let digits = self.number()?;
                // Up to 18 digits always fit; longer numbers are parsed.
                let short = digits.len() <= 18 && digits.bytes().all(|byte| byte.is_ascii_digit());
                let valid = short || digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok();
                expect(valid, "an integer")
            }
            Form::Exact => {
                let digits = self.number()?;
                self.write_quoted(digits);
                Ok(())
            }
            Form::Flag => expect(self.word("true") || self.word("false"), "a boolean"),
            Form::Free => self.free(),
            Form::List(item) => {
                let mut order = [0; FIELDS_MAX];
                self.open(b'[', "a list")?;
                while self.more(b']')? {
                    self.value(item, Some(&mut order))?;
                }
                Ok(())
            }
            Form::Record(fields) => self.record(fields, order),
        }
    }

    fn record(&mut self, fields: &'static [Field], mut order: Option<&mut Order>) -> Checked<()> {
        let mut given: u64 = 0;
        self.open(b'{', "a record")?;
        let mut place = 0;
        loop {
            let mut slot = order.as_mut().and_then(|order| order.get_mut(place));
            let before = slot.as_ref().map_or(place, |index| usize::from(**index));
            let found = match fields.get(before) {
                Some(field) if self.named(field.name) => Some(before),
                _ => match self.name()? {
                    Some(name) => fields.iter().position(|field| field.name == name),
                    None => break,
                },
            };
            match found {
                Some(index) => {
                    let field = &fields[index];
                    given |= 1 << index;
                    if let Some(slot) = &mut slot {
                        **slot = index as u8;
                    }
                    let absent = !field.required && self.peek() == Some(b'n') && self.word("null");
                    if !absent {
                        self.value(field.form, None)?;
                    }
                }
                None => self.free()?,
            }
            place += 1;
        }
        let missing =
            |(index, field): &(usize, &'static Field)| field.required && given & (1 << *index) == 0;
        match fields.iter().enumerate().find(missing) {
            Some((_, field)) => Err(Wrong::Missing(field.name)),
            None => Ok(()),
        }
    }

    fn free(&mut self) -> Checked<()> {
        match self.peek() {
            Some(b'"') => self.string("text").map(drop),
            Some(b'{') => {
                self.open(b'{', "a record")?;
                while self.name()?.is_some() {
                    self.free()?;
                }
                Ok(())
            }
            Some(b'[') => {
                self.open(b'[', "a list")?;
                while self.more(b']')? {
                    self.free()?;
                }
                Ok(())
            }
            Some(b'-' | b'0'..=b'9') => {
                let digits = self.number()?;
                let plain = digits
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-'));
                if !plain || digits.len() > SAFE_CHARS_MAX {
                    self.write_quoted(digits);
                }
                Ok(())
            }
            _ if self.word("true") || self.word("false") || self.word("null") => Ok(()),
            _ => Err(Wrong::Expected("a value")),
        }
    }
}

fn expect(is_valid: bool, what: &'static str) -> Checked<()> {
    is_valid.then_some(()).ok_or(Wrong::Expected(what))
}

/// Whether a text is a decimal that is certainly valid for core because it is short. Core validates the others.
fn is_short_decimal(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let mut points = 0;
    let all = digits.iter().all(|byte| {
        points += usize::from(*byte == b'.');
        byte.is_ascii_digit() || *byte == b'.'
    });
    let ends = [digits.first(), digits.last()];
    all && points <= 1
        && digits.len() <= 28
        && ends
            .iter()
            .all(|end| end.is_some_and(|byte| byte.is_ascii_digit()))
}

/// Whether a text is a timestamp in the service's own format, on a day that exists in every month. Core validates the others.
fn is_plain_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((whole, rest)) = bytes.split_first_chunk::<19>() else {
        return false;
    };
    let shaped = whole
        .iter()
        .zip(b"0000-00-00T00:00:00")
        .all(|(byte, shape)| {
            if *shape == b'0' {
                byte.is_ascii_digit()
            } else {
                byte == shape
            }
        });
    let two = |at: usize| (whole[at] & 15) * 10 + (whole[at + 1] & 15);
    let fraction = match rest {
        [b'Z'] => true,
        [b'.', digits @ .., b'Z'] => {
            (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    };
    shaped
        && fraction
        && (two(0), two(2)) != (0, 0)
        && (1..=12).contains(&two(5))
        && (1..=28).contains(&two(8))
        && two(11) < 24
        && two(14) < 60
        && two(17) < 60
}

#[cfg(test)]
mod tests {
    use serde_json::{Number, Value, json};

    use super::{Amount, Field, Form, Timestamp, translate};
    use crate::scan::tree;

    static SHARE: Form = Form::Record(&[Field::must("pct", &Form::Exact)]);
    static RECORD: Form = Form::Record(&[
        Field::must("id", &Form::Integer),
        Field::must("amount", &Form::Amount),
        Field::may("at", &Form::Timestamp),
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
    fn unknown_fields_and_absent_optional_fields_are_accepted() {
        check(
            r#"{"id":1,"amount":"1.50"}"#,
            Ok(r#"{"id":1,"amount":"1.50"}"#),
        );
        check(
            r#" { "amount" : "1.50" , "new" : [ {} , [] ] , "id" : 1 , "name" : null } "#,
            Ok(r#"{ "amount" : "1.50" , "new" : [ {} , [] ] , "id" : 1 , "name" : null }"#),
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
    fn exact_numbers_become_text_and_others_only_if_unsafe() {
        check(
            r#"{"id":9007199254740991,"amount":"1","shares":[{"pct":0.12345678901234567890}],"metadata":{"a":1,"b":[0.5,-2],"c":12345678901234567890}}"#,
            Ok(
                r#"{"id":9007199254740991,"amount":"1","shares":[{"pct":"0.12345678901234567890"}],"metadata":{"a":1,"b":[0.5,-2],"c":"12345678901234567890"}}"#,
            ),
        );
    }

    #[test]
    fn missing_and_mistyped_fields_are_named() {
        check("{}", Err("`id` is missing"));
        check(r#"{"id":1}"#, Err("`amount` is missing"));
        check(r#"{"id":"1","amount":"1"}"#, Err("a number"));
        check(r#"{"id":1.5,"amount":"1"}"#, Err("an integer is expected"));
        check(r#"{"id":1,"amount":1}"#, Err("a decimal in text"));
        check(
            r#"{"id":1,"amount":"1e5"}"#,
            Err("a decimal in text is expected at byte 22"),
        );
        check(
            r#"{"id":1,"amount":"1","at":"yesterday"}"#,
            Err("a timestamp in text"),
        );
        check(r#"{"id":1,"amount":"1","open":"yes"}"#, Err("a boolean"));
        check(r#"{"id":1,"amount":"1","shares":{}}"#, Err("a list"));
        check(r#"{"id":null,"amount":"1"}"#, Err("a number"));
        check("[]", Err("a record"));
        check(
            r#"{"id":1,"amount":"1"} x"#,
            Err("nothing more is expected"),
        );
        check("", Err("a record is expected at byte 0"));
        check(r#"{"id":1,"amount":"1","name":"\ud83e"}"#, Err("escape"));
        check(r#"{"id":01,"amount":"1"}"#, Err("leading zeros"));
        check(
            &format!(r#"{{"id":1,"amount":"1","new":{}"#, "[".repeat(100_000)),
            Err("less depth"),
        );
    }

    #[test]
    fn texts_are_escaped_as_json() {
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
            assert_eq!(
                tree(out.as_bytes()).map(|read| read.to_value()),
                Ok(read),
                "{text:?}"
            );
        }
    }

    mod any {
        use proptest::prelude::*;
        use serde_json::Value;

        use super::{Amount, Field, Form, Number, RECORD, Timestamp, translate, tree};

        /// Reference implementation on serde_json's tree: the expected output, or none.
        fn judged(form: &Form, value: &Value) -> Option<Value> {
            match (form, value) {
                (Form::Text, Value::String(_)) | (Form::Flag, Value::Bool(_)) => {
                    Some(value.clone())
                }
                (Form::Amount, Value::String(text)) => {
                    text.parse::<Amount>().ok().map(|_| value.clone())
                }
                (Form::Timestamp, Value::String(text)) => {
                    text.parse::<Timestamp>().ok().map(|_| value.clone())
                }
                (Form::Integer, Value::Number(number)) => {
                    (number.is_i64() || number.is_u64()).then(|| value.clone())
                }
                (Form::Exact, Value::Number(number)) => {
                    Some(Value::String(number.as_str().to_owned()))
                }
                (Form::Free, Value::Number(number)) => Some(held(number)),
                (Form::Free | Form::List(_), Value::Array(items)) => {
                    let item: &Form = match form {
                        Form::List(item) => item,
                        _ => form,
                    };
                    items.iter().map(|value| judged(item, value)).collect()
                }
                (Form::Free, Value::Object(fields)) => fields
                    .iter()
                    .map(|(name, value)| Some((name.clone(), judged(form, value)?)))
                    .collect(),
                (Form::Record(known), Value::Object(fields)) => {
                    let all = known
                        .iter()
                        .all(|field| !field.required || fields.contains_key(field.name));
                    let judge = |(name, value): (&String, &Value)| {
                        let value = match known.iter().find(|field| field.name == name) {
                            Some(field) if !field.required && value.is_null() => Value::Null,
                            Some(Field { form, .. }) => judged(form, value)?,
                            None => judged(&Form::Free, value)?,
                        };
                        Some((name.clone(), value))
                    };
                    all.then(|| fields.iter().map(judge).collect()).flatten()
                }
                (Form::Free, other) => Some(other.clone()),
                _ => None,
            }
        }

        /// A free-form number, as a string if JavaScript would lose digits.
        fn held(number: &Number) -> Value {
            let digits = number.as_str();
            if digits.len() <= 15 && !digits.contains(['e', 'E']) {
                Value::Number(number.clone())
            } else {
                Value::String(digits.to_owned())
            }
        }

        fn check(given: &[u8]) {
            let expected = serde_json::from_slice::<Value>(given)
                .ok()
                .and_then(|value| judged(&RECORD, &value));
            let read = serde_json::from_slice::<Value>(given).ok();
            assert_eq!(
                tree(given)
                    .ok()
                    .map(|read| exponents_alike(read.to_value())),
                read.map(exponents_alike),
                "{}",
                String::from_utf8_lossy(given)
            );
            let mut out = String::new();
            let found = translate(given, &RECORD, &mut out)
                .ok()
                .map(|()| serde_json::from_str::<Value>(&out).expect("JSON"));
            assert_eq!(
                found.map(exponents_alike),
                expected.map(exponents_alike),
                "{}",
                String::from_utf8_lossy(given)
            );
        }

        /// serde_json normalises exponents; ours keeps them as sent.
        fn exponents_alike(value: Value) -> String {
            value.to_string().replace('E', "e").replace("e+", "e")
        }

        fn number() -> impl Strategy<Value = String> {
            "-?(0|[1-9][0-9]{0,21})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?"
        }

        fn text() -> impl Strategy<Value = String> {
            prop_oneof![
                "\\PC{0,12}".prop_map(|text| Value::String(text).to_string()),
                r#""(\\[nt"/\\]|\\u[0-9a-e][0-9a-f]{3}|[ a-z\x00-\x20])*""#,
                r#""\\ud83e\\udd(00|c0)""#,
            ]
        }

        fn free() -> impl Strategy<Value = String> {
            let leaf = prop_oneof![
                Just("null".to_owned()),
                Just(" true".to_owned()),
                number(),
                text()
            ];
            leaf.prop_recursive(4, 24, 4, |inner| {
                let pairs = prop::collection::btree_map("[a-z]{1,3}", inner.clone(), 0..4);
                prop_oneof![
                    prop::collection::vec(inner, 0..4)
                        .prop_map(|items| format!("[{}]", items.join(","))),
                    pairs.prop_map(|pairs| {
                        let pairs: Vec<_> = pairs
                            .iter()
                            .map(|(name, value)| format!("\"{name}\": {value}"))
                            .collect();
                        format!("{{{}}}", pairs.join(" ,"))
                    }),
                ]
            })
        }

        /// Mostly valid records, with an occasional arbitrary field.
        fn record() -> impl Strategy<Value = String> {
            let or_free = |likely: BoxedStrategy<String>| prop_oneof![9 => likely, 1 => free()];
            let timestamp = "\"[0-9]{4}-[01][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\\.[0-9]{0,10})?([Zz]|[+-][0-2][0-9]:[0-6][0-9])\"";
            let fields = (
                or_free(number().boxed()),
                or_free("\"-?[0-9]{0,31}\\.?[0-9]{0,29}\"".boxed()),
                or_free(timestamp.boxed()),
                or_free(Just("true".to_owned()).boxed()),
                or_free(text().boxed()),
                or_free(
                    number()
                        .prop_map(|n| format!("[{{\"pct\":{n}}},{{\"pct\":1,\"x\":{n}}}]"))
                        .boxed(),
                ),
                free(),
            );
            let names = ["id", "amount", "at", "open", "name", "shares", "metadata"];
            (fields, Just(names).prop_shuffle(), 2..=7_usize).prop_map(
                move |((a, b, c, d, e, f, g), order, count)| {
                    let values = [a, b, c, d, e, f, g];
                    let pairs: Vec<_> = order[..count]
                        .iter()
                        .map(|name| {
                            let index = names.iter().position(|other| other == name);
                            format!("\"{name}\":{}", values[index.expect("a name")])
                        })
                        .collect();
                    format!("{{{}}}", pairs.join(","))
                },
            )
        }

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(500))]

            #[test]
            fn any_record_is_read_like_through_serde(given in record()) {
                check(given.as_bytes());
            }

            #[test]
            fn any_broken_record_is_rejected_like_through_serde(given in record(), place: prop::sample::Index, byte: u8, how in 0..4) {
                let mut given = given.into_bytes();
                let at = place.index(given.len());
                match how {
                    0 => given[at] = byte,
                    1 => drop(given.remove(at)),
                    2 => given.insert(at, b",:{}[]\"\\0-.e \n"[usize::from(byte) % 14]),
                    _ => given.truncate(at),
                }
                check(&given);
            }
        }
    }
}
