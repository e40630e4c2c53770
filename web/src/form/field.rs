//! Form fields: label, hint, and core's validation errors below the input.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::value::Amount;

use crate::form::Form;
use crate::form::input::FieldKind;
use crate::session::{RequiredConnection, Session};
use crate::text;
use crate::ui::{
    Notice, Options, Tone, grouped_text, input_id, local_number, note_id, plain_number,
};

/// Fields that need a scope; without it they are disabled, with a notice.
#[component]
pub(crate) fn Allowed(
    scope: Scope,
    /// Connection that the operation needs.
    #[prop(optional)]
    needs: RequiredConnection,
    children: Children,
) -> impl IntoView {
    let session = Session::from_context();
    let obstacle = Memo::new(move |_| {
        if session.is_allowed(scope) {
            session.missing_connection(needs)
        } else {
            Some((text::only_reading(), text::only_reading_why()))
        }
    });
    let notice = move || {
        obstacle.get().map(|(title, why)| {
            view! { <div class="panel-body whole"><Notice tone=Tone::Plain title=title>{why}</Notice></div> }
        })
    };
    view! {
        {notice}
        <fieldset class="bare" disabled=move || obstacle.get().is_some()>{children()}</fieldset>
    }
}

#[component]
pub(crate) fn Field(
    form: Form,
    /// Field name in the contract.
    name: &'static str,
    label: &'static str,
    #[prop(optional)] hint: &'static str,
    #[prop(optional)] optional: bool,
    #[prop(optional)] whole: bool,
    children: Children,
) -> impl IntoView {
    form.register_field(name);
    view! {
        <div class="field" class:whole=whole>
            <label for=input_id(name)>{label}{optional.then(|| view! { " " <em>{text::optional()}</em> })}</label>
            {children()}
            <div class="stack-tight" id=note_id(name)>
                {(!hint.is_empty()).then(|| view! { <p class="hint">{hint}</p> })}
                {move || form.errors(name, label)}
            </div>
        </div>
    }
}

/// A single-line input; without `value`, it is a body field. Kinds: `text`, `decimal`, `number`, `email`, `password`, `url`.
#[component]
pub(crate) fn TextField(
    form: Form,
    name: &'static str,
    label: &'static str,
    #[prop(optional)] value: Option<RwSignal<String>>,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional)] hint: &'static str,
    #[prop(optional)] optional: bool,
    #[prop(optional)] whole: bool,
    #[prop(default = "off")] autocomplete: &'static str,
    #[prop(optional)] placeholder: &'static str,
) -> impl IntoView {
    let written = match kind {
        "number" => FieldKind::Number,
        "password" => FieldKind::Password,
        _ => FieldKind::Text,
    };
    let value = value.unwrap_or_else(|| form.input(name, written, String::new()));
    let decimal = (kind == "decimal").then(|| DecimalInput::new(value));
    view! {
        <Field form=form name=name label=label hint=hint optional=optional whole=whole>
            <Input form=form name=name value=value kind=kind decimal=decimal autocomplete=autocomplete placeholder=placeholder />
            {decimal.map(understood)}
        </Field>
    }
}

/// The text of an input for a number with the user's decimal separator, and its value as a plain number.
#[derive(Clone, Copy)]
pub(crate) struct DecimalInput {
    typed: StoredValue<String>,
    value: RwSignal<String>,
}

impl DecimalInput {
    pub(crate) fn new(value: RwSignal<String>) -> Self {
        let typed = StoredValue::new(String::new());
        Self { typed, value }
    }

    /// The text as typed, or the value that was set since. Tracked.
    pub(crate) fn text(self) -> String {
        let (typed, value) = (self.typed.get_value(), self.value.get());
        if plain_number(&typed) == value {
            typed
        } else {
            local_number(&value)
        }
    }

    pub(crate) fn set_text(self, typed: String) {
        let value = plain_number(&typed);
        self.typed.set_value(typed);
        self.value.set(value);
    }
}

/// The number as the form understands it; none if it is typed the same way.
pub(crate) fn understood(input: DecimalInput) -> impl IntoView {
    move || {
        let number: Amount = input.value.with(|value| value.trim().parse()).ok()?;
        let number = grouped_text(&number);
        let is_same = number == input.text().trim();
        (!is_same).then(|| view! { <output class="hint">"= "{number}</output> })
    }
}

/// The input without label, for fields with additional controls.
#[component]
pub(crate) fn Input(
    form: Form,
    name: &'static str,
    value: RwSignal<String>,
    #[prop(default = "text")] kind: &'static str,
    /// The text of a decimal input, if the field shows how it was understood.
    #[prop(optional_no_strip)]
    decimal: Option<DecimalInput>,
    #[prop(default = "off")] autocomplete: &'static str,
    #[prop(optional)] placeholder: &'static str,
) -> impl IntoView {
    let decimal = decimal.or_else(|| (kind == "decimal").then(|| DecimalInput::new(value)));
    let text = move || decimal.map_or_else(|| value.get(), DecimalInput::text);
    let set = move |text: String| match decimal {
        Some(decimal) => decimal.set_text(text),
        None => value.set(text),
    };
    let placeholder = match decimal {
        Some(_) => local_number(placeholder),
        None => placeholder.to_owned(),
    };
    // Inputs of type `number` report no value for `1.`, so the field would keep an older number.
    let (kind, keys) = match kind {
        "decimal" => ("text", Some("decimal")),
        "number" => ("text", Some("numeric")),
        kind => (kind, None),
    };
    view! {
        <input
            class="input"
            id=input_id(name)
            name=name
            type=kind
            inputmode=keys
            autocomplete=autocomplete
            placeholder=placeholder
            aria-describedby=note_id(name)
            aria-invalid=move || form.has_error(name).then_some("true")
            prop:value=text
            on:input=move |event| { set(event_target_value(&event)); form.clear_error(name); }
        />
    }
}

/// Lines of text; without `value`, a body field.
#[component]
pub(crate) fn LongField(
    form: Form,
    name: &'static str,
    label: &'static str,
    #[prop(optional)] value: Option<RwSignal<String>>,
    #[prop(optional)] hint: &'static str,
    #[prop(optional)] optional: bool,
) -> impl IntoView {
    let value = value.unwrap_or_else(|| form.text(name));
    view! {
        <Field form=form name=name label=label hint=hint optional=optional whole=true>
            <textarea
                class="input"
                id=input_id(name)
                name=name
                rows="3"
                aria-describedby=note_id(name)
                aria-invalid=move || form.has_error(name).then_some("true")
                prop:value=value
                on:input=move |event| { value.set(event_target_value(&event)); form.clear_error(name); }
            ></textarea>
        </Field>
    }
}

/// The merchant's own data, as the body field `metadata`.
#[component]
pub(crate) fn MetadataField(form: Form) -> impl IntoView {
    let value = form.input("metadata", FieldKind::Metadata, String::new());
    view! { <LongField form=form name="metadata" label=text::own_data() value=value hint=text::own_data_hint() optional=true /> }
}

/// A select; without `value`, a body field. `none` is the label of the empty option; `set` omits that option.
#[component]
pub(crate) fn SelectField(
    form: Form,
    name: &'static str,
    label: &'static str,
    #[prop(optional)] value: Option<RwSignal<String>>,
    #[prop(into)] options: Options,
    /// Whether the options are being loaded.
    #[prop(optional, into)]
    waits: Signal<bool>,
    #[prop(default = text::money::choose())] none: &'static str,
    #[prop(optional)] set: bool,
    #[prop(optional)] hint: &'static str,
    #[prop(optional)] optional: bool,
    #[prop(optional)] whole: bool,
) -> impl IntoView {
    let value = value.unwrap_or_else(|| form.text(name));
    view! {
        <Field form=form name=name label=label hint=hint optional=optional whole=whole>
            <select
                class="input"
                id=input_id(name)
                name=name
                aria-describedby=note_id(name)
                aria-invalid=move || form.has_error(name).then_some("true")
                aria-busy=move || waits.get().then_some("true")
                on:change=move |event| { value.set(event_target_value(&event)); form.clear_error(name); }
            >
                {(!set).then(|| view! { <option value="" prop:selected=move || value.with(String::is_empty)>{move || if waits.get() { text::money::coming() } else { none }}</option> })}
                <For each=move || options.get() key=Clone::clone let((id, words))>
                    {
                        let mine = id.clone();
                        view! { <option value=id prop:selected=move || value.with(|value| *value == mine)>{words}</option> }
                    }
                </For>
            </select>
        </Field>
    }
}
