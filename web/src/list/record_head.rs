//! Actions that the head of every open record has.

use leptos::prelude::*;
use settlekit_core::field::Nothing;
use settlekit_core::header;
use settlekit_core::operation::Operation;

use crate::address::base_path;
use crate::api;
use crate::text::{self, timeline as words};
use crate::ui::{Element, copy_act};

/// The call that reads a record, as a curl command with a placeholder for the API key.
fn curl(target: &str) -> String {
    let origin = origin();
    let (header, key) = (header::API_KEY, words::your_api_key());
    format!("curl '{origin}{target}' -H '{header}: <{key}>'")
}

/// The address of the dashboard.
pub(crate) fn origin() -> String {
    window().location().origin().unwrap_or_default() + &base_path()
}

/// Button that copies the call that reads a record.
pub(crate) fn copy_call<O>(path: O::Path) -> Element
where
    O: Operation<Query = Nothing, Body = Nothing>,
{
    let call = curl(&api::at::<O>(path).target());
    copy_act(call, words::get_call(), text::copy_curl())
}

/// Buttons that copy the link of a record and the call that reads it. `page` is the record's path in the dashboard.
pub(crate) fn copy_acts<O>(page: &str, path: O::Path) -> AnyView
where
    O: Operation<Query = Nothing, Body = Nothing>,
{
    let link = format!("{}{page}", origin());
    let link = copy_act(link, words::record_link(), words::copy_record_link());
    view! { {link}{copy_call::<O>(path)} }.into_any()
}
