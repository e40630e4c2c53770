//! Input for a timestamp. Browsers report no value for an incomplete one, which must neither be omitted from the body nor
//! overwritten.

use leptos::html;
use leptos::prelude::*;

use crate::form::Form;
use crate::form::field::Field;
use crate::form::input::FieldKind;
use crate::ui::{input_id, note_id};

/// Marks an incomplete timestamp, which core rejects.
const HALF: &str = "?";

/// Date and local time, as a body field.
#[component]
pub(crate) fn TimestampField(
    form: Form,
    name: &'static str,
    label: &'static str,
    #[prop(optional)] hint: &'static str,
) -> impl IntoView {
    let value = form.input(name, FieldKind::Time, String::new());
    let element = NodeRef::<html::Input>::new();
    let look = move || {
        let Some(input) = element.get_untracked() else {
            return;
        };
        let half = input.validity().bad_input();
        let now = if half { HALF.to_owned() } else { input.value() };
        if value.with_untracked(|value| *value != now) {
            value.set(now);
            form.clear_error(name);
        }
    };
    Effect::new(move |_| {
        let (Some(input), value) = (element.get(), value.get()) else {
            return;
        };
        if value != HALF && input.value() != value {
            input.set_value(&value);
        }
    });
    view! {
        <Field form=form name=name label=label hint=hint optional=true>
            <input
                node_ref=element class="input" id=input_id(name) name=name type="datetime-local" autocomplete="off"
                aria-describedby=note_id(name) aria-invalid=move || form.has_error(name).then_some("true")
                on:input=move |_| look() on:keyup=move |_| look() on:focusout=move |_| look()
            />
        </Field>
    }
}
