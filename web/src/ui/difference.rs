//! The difference between two records, field by field.

use leptos::prelude::*;
use serde_json::Value;

use crate::text;

/// A changed field: path, previous value, current value.
type Change = (String, Option<Value>, Option<Value>);

/// All changed fields, in the order of the later record; removed ones last.
pub(crate) fn changes(before: &Value, after: &Value) -> Vec<Change> {
    let mut all = Vec::new();
    compare("", Some(before), Some(after), &mut all);
    all
}

/// Path of a field within an object; the object's own path is empty at the top.
pub(crate) fn field_path(above: &str, name: &str) -> String {
    match above {
        "" => name.to_owned(),
        above => format!("{above}.{name}"),
    }
}

fn compare(path: &str, before: Option<&Value>, after: Option<&Value>, all: &mut Vec<Change>) {
    if before == after {
        return;
    }
    let below = |name: &str| field_path(path, name);
    match (before, after) {
        (Some(Value::Object(before)), Some(Value::Object(after))) => {
            for (name, value) in after {
                compare(&below(name), before.get(name), Some(value), all);
            }
            for (name, value) in before.iter().filter(|(name, _)| !after.contains_key(*name)) {
                compare(&below(name), Some(value), None, all);
            }
        }
        (Some(Value::Array(before)), Some(Value::Array(after))) => {
            for place in 0..before.len().max(after.len()) {
                compare(
                    &format!("{path}[{place}]"),
                    before.get(place),
                    after.get(place),
                    all,
                );
            }
        }
        (before, after) => all.push((path.to_owned(), before.cloned(), after.cloned())),
    }
}

pub(crate) fn changes_view(changes: Vec<Change>) -> AnyView {
    let shown = |value: Option<Value>| match value {
        None => view! { <span class="quiet">{text::absent()}</span> }.into_any(),
        Some(Value::String(text)) => text.into_any(),
        Some(other) => other.to_string().into_any(),
    };
    let rows = changes
        .into_iter()
        .map(|(path, before, after)| {
            view! { <tr><td class="mono quiet">{path}</td><td><del>{shown(before)}</del></td><td><ins>{shown(after)}</ins></td></tr> }
        })
        .collect_view();
    view! {
        <div class="table-box difference" tabindex="0" role="region" aria-label=text::difference()>
            <table class="table">
                <thead><tr><th scope="col">{text::field()}</th><th scope="col">{text::before()}</th><th scope="col">{text::after()}</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
