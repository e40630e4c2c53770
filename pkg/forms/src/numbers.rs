//! Converts arguments of a JavaScript caller for core. Core validates them.

use serde_json::{Number, Value};
use settlekit_core::value::Amount;

use crate::form::Form;

/// Converts strings of digits to numbers where the form has exact numbers.
pub fn numbers_from_text(value: &mut Value, form: &Form) {
    match (form, value) {
        (Form::Exact, value) => {
            if let Value::String(digits) = value
                && digits.parse::<Amount>().is_ok()
            {
                // The text is a valid decimal. Parsing it as JSON would link a second JSON parser.
                *value = Value::Number(Number::from_string_unchecked(std::mem::take(digits)));
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::numbers_from_text;
    use crate::form::{Field, Form};

    static SHARE: Form = Form::Record(&[Field::must("pct", &Form::Exact)]);
    static RECORD: Form = Form::Record(&[
        Field::may("name", &Form::Text),
        Field::may("shares", &Form::List(&SHARE)),
    ]);

    #[test]
    fn text_becomes_a_number_only_in_number_fields() {
        let mut value = json!({"name": "1", "shares": [{"pct": "0.10"}, {"pct": "much"}]});
        numbers_from_text(&mut value, &RECORD);
        assert_eq!(
            value.to_string(),
            r#"{"name":"1","shares":[{"pct":0.10},{"pct":"much"}]}"#
        );
    }
}
