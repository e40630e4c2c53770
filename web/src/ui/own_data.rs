//! Metadata of a record: free-form data of the merchant.

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::value::Object;

use crate::text;
use crate::ui::payload::Payload;

/// A text in a record's metadata or properties.
pub(crate) fn stored_text(stored: &Option<Object>, name: &str) -> Option<String> {
    stored.as_ref()?.get(name)?.as_str().map(str::to_owned)
}

/// A record's metadata without these keys; nothing if empty.
pub(crate) fn own_data<'a>(
    stored: impl IntoIterator<Item = &'a Object>,
    besides: &[&str],
) -> Option<AnyView> {
    let all = stored.into_iter().flatten();
    let stored: Object = all
        .filter(|(name, _)| !besides.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let source = (!stored.is_empty()).then(|| Value::Object(stored).to_string())?;
    Some(view! { <Payload source=source what=text::own_data() /> }.into_any())
}
