//! Values as SQL literals: a simple query of several statements takes no parameters. Only this module quotes values.

use std::fmt::Write;

use crate::store::sql::Value;

/// An EXECUTE of a named statement with its values.
pub(super) fn call(name: &str, values: &[Value<'_>]) -> String {
    let mut text = format!("EXECUTE {name}");
    for (place, value) in values.iter().enumerate() {
        text.push(if place == 0 { '(' } else { ',' });
        write(&mut text, value);
    }
    if !values.is_empty() {
        text.push(')');
    }
    text
}

/// Writes a value as an SQL literal under `standard_conforming_strings`.
fn write(text: &mut String, value: &Value<'_>) {
    // Writing to a String cannot fail.
    let _written = match value {
        Value::Null => write!(text, "NULL"),
        Value::Int(value) => write!(text, "{value}"),
        Value::Amount(value) => write!(text, "{value}"),
        Value::Text(value) => write!(text, "'{}'", value.replace('\'', "''")),
        Value::Id(id) => write!(text, "'{}'", id.as_str()),
        Value::Blob(value) => write!(text, "'\\x{}'", hex::encode(value)),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_so_that_none_ends_before_its_end() {
        let values = [
            Value::Null,
            (-7_i64).into(),
            "it's a \\ '; DROP TABLE t; --".into(),
            (10_i128.pow(37)).into(),
            Value::Blob(&[0, 255]),
        ];
        assert_eq!(
            call("single_1", &values),
            "EXECUTE single_1(NULL,-7,'it''s a \\ ''; DROP TABLE t; --',10000000000000000000000000000000000000,'\\x00ff')"
        );
        assert_eq!(call("single_1", &[]), "EXECUTE single_1");
    }
}
