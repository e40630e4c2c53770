//! Converts arguments of a JavaScript caller for core. Core validates them.

use settlekit_core::json::Json;
use settlekit_core::value::Amount;

use crate::form::Form;

/// Converts strings of digits to numbers where the form has exact numbers.
pub fn numbers_from_text(value: &mut Json<'_>, form: &Form) {
    match (form, value) {
        (Form::Exact, value) => {
            if let Json::Text(digits) = value
                && digits.parse::<Amount>().is_ok()
            {
                // The text is a valid decimal.
                *value = Json::Number(std::mem::take(digits));
            }
        }
        (Form::List(item), Json::List(items)) => items
            .iter_mut()
            .for_each(|value| numbers_from_text(value, item)),
        (Form::Record(fields), Json::Object(values)) => {
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
    use settlekit_core::json::Json;

    use super::numbers_from_text;
    use crate::form::{Field, Form};

    static SHARE: Form = Form::Record(&[Field::must("pct", &Form::Exact)]);
    static RECORD: Form = Form::Record(&[
        Field::may("name", &Form::Text),
        Field::may("shares", &Form::List(&SHARE)),
    ]);

    #[test]
    fn text_becomes_a_number_only_in_number_fields() {
        let given = json!({"name": "1", "shares": [{"pct": "0.10"}, {"pct": "much"}]});
        let mut value = Json::from(&given);
        numbers_from_text(&mut value, &RECORD);
        assert_eq!(
            value.to_value().to_string(),
            r#"{"name":"1","shares":[{"pct":0.10},{"pct":"much"}]}"#
        );
    }
}
