//! Look and texts of the organisation's checkout pages, with their preview.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::organisation::{
    Appearance, CheckoutStyle, DARK_BACKGROUND, LocalizedText, Organisation, PAGE_TEXT_CHARS_MAX,
    PageLanguage, UpdateOrganisation,
};
use settlekit_core::value::color::{CONTRAST_MIN, Color};

use crate::form::checkout_preview::{CheckoutPreview, PreviewPage};
use crate::form::{Field, Fields, Form, FormView, Input, SelectField};
use crate::shell::Failed;
use crate::text;
use crate::ui::{Toasts, input_id, note_id};

const ACCENT: &str = "checkout_style.accent_color";

/// The page's own accent, shown by the colour picker while none is chosen: `--accent` in `web/pay/pay.css`.
const DEFAULT_ACCENT: &str = "#2b47c4";

#[derive(Clone, Copy)]
struct Values {
    accent: RwSignal<String>,
    appearance: RwSignal<String>,
    language: RwSignal<String>,
    note: [RwSignal<String>; 2],
    support: [RwSignal<String>; 2],
}

impl Values {
    fn of(style: CheckoutStyle) -> Self {
        let texts = |text: Option<LocalizedText>| {
            let text = text.unwrap_or_default();
            [text.en, text.de].map(|text| RwSignal::new(text.unwrap_or_default()))
        };
        // The empty options of the selects stand for these.
        let appearance = style.appearance.filter(|one| *one != Appearance::System);
        let language = style.language.filter(|one| *one != PageLanguage::En);
        Self {
            accent: RwSignal::new(style.accent_color.unwrap_or_default()),
            appearance: RwSignal::new(appearance.map(|one| one.to_string()).unwrap_or_default()),
            language: RwSignal::new(language.map(|one| one.to_string()).unwrap_or_default()),
            note: texts(style.note),
            support: texts(style.support),
        }
    }

    /// The style as typed; an unreadable colour is left out. Tracked.
    fn style(self) -> CheckoutStyle {
        let given = |value: RwSignal<String>| {
            let value = value.with(|value| value.trim().to_owned());
            (!value.is_empty()).then_some(value)
        };
        let texts = |[en, de]: [RwSignal<String>; 2]| {
            let text = LocalizedText {
                en: given(en),
                de: given(de),
            };
            (text != LocalizedText::default()).then_some(text)
        };
        CheckoutStyle {
            accent_color: given(self.accent),
            appearance: given(self.appearance).map(|one| Appearance::from(one.as_str())),
            language: given(self.language).map(|one| PageLanguage::from(one.as_str())),
            note: texts(self.note),
            support: texts(self.support),
        }
    }
}

/// The colour as typed. Tracked.
fn color(accent: RwSignal<String>) -> Option<Color> {
    accent.with(|text| text.trim().parse().ok())
}

/// A contrast as text, e.g. `4.5`, rounded down as where it is checked.
fn ratio(contrast: u32) -> String {
    text::ratio(contrast / 100, contrast % 100 / 10)
}

#[component]
pub(crate) fn CheckoutStyleForm(
    organisation: Organisation,
    saved: Callback<Organisation>,
) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let merchant = (organisation.name, organisation.logo_url);
    let style = organisation.properties.and_then(|all| all.checkout_style);
    let values = Values::of(style.unwrap_or_default());
    let submit = Callback::new(move |()| {
        let style = untrack(|| serde_json::to_value(values.style())).unwrap_or_default();
        let body = Fields::default().any_value("checkout_style", style);
        form.send::<UpdateOrganisation>(body.body(), move |organisation| {
            toasts.say(text::saved().to_owned());
            saved.run(organisation);
        });
    });
    let page = Signal::derive(move || PreviewPage {
        merchant: merchant.clone(),
        style: values.style(),
    });
    view! {
        <div class="columns wide-narrow">
            <FormView form=form class="panel" scope=Scope::Manage shows_failure=true submit=submit>
                <div class="panel-head"><h2>{text::branding()}</h2><p>{text::branding_why()}</p></div>
                <div class="panel-body fields two">
                    {move || form.failure.get().map(|failure| view! { <div class="whole"><Failed failure=failure /></div> })}
                    <AccentField form=form accent=values.accent />
                    <SelectField form=form name="checkout_style.appearance" label=text::color_scheme() value=values.appearance options=Signal::stored(appearances()) none=text::appearance_system() hint=text::appearance_hint() />
                    <SelectField form=form name="checkout_style.language" label=text::language() value=values.language options=Signal::stored(languages()) none="English" hint=text::checkout_language_hint() />
                </div>
                <div class="panel-head"><h2>{text::checkout_texts()}</h2><p>{text::checkout_texts_why()}</p></div>
                <div class="panel-body fields two">
                    <PageTextField form=form name="checkout_style.note.en" label=text::note_english() value=values.note[0] hint=text::note_hint() />
                    <PageTextField form=form name="checkout_style.note.de" label=text::note_german() value=values.note[1] hint=text::note_hint() />
                    <PageTextField form=form name="checkout_style.support.en" label=text::support_english() value=values.support[0] hint=text::support_hint() />
                    <PageTextField form=form name="checkout_style.support.de" label=text::support_german() value=values.support[1] hint=text::support_hint() />
                </div>
                <div class="panel-foot" data-scope="manage"><button class="button primary" disabled=form.busy>{text::save()}</button></div>
            </FormView>
            <CheckoutPreview page=page />
        </div>
    }
}

fn appearances() -> Vec<(String, String)> {
    [
        (Appearance::Light, text::appearance_light()),
        (Appearance::Dark, text::appearance_dark()),
    ]
    .map(|(value, label)| (value.to_string(), label.to_owned()))
    .to_vec()
}

fn languages() -> Vec<(String, String)> {
    vec![(PageLanguage::De.to_string(), "Deutsch".to_owned())]
}

/// A colour by picker or as text, and whether it can be read.
#[component]
fn AccentField(form: Form, accent: RwSignal<String>) -> impl IntoView {
    let choose = move |color: String| {
        accent.set(color);
        form.clear_error(ACCENT);
        form.edits.mark(form.id);
    };
    let picked =
        move || color(accent).map_or_else(|| DEFAULT_ACCENT.to_owned(), |color| color.to_string());
    let contrast = move || {
        let color = color(accent)?;
        let contrast = color.contrast(Color::WHITE);
        Some(if contrast < CONTRAST_MIN {
            let readable = color.readable_on(Color::WHITE).to_string();
            let label = text::take_color(&readable);
            // The field's error says the same.
            let low = (!form.has_error(ACCENT)).then(|| {
                view! { <p class="contrast bad">{text::contrast_low(&ratio(contrast))}</p> }
            });
            view! {
                {low}
                <button type="button" class="button small" on:click=move |_| choose(readable.clone())>{label}</button>
            }
            .into_any()
        } else {
            let tint = color.readable_on(DARK_BACKGROUND).to_string();
            view! {
                <p class="contrast good">{text::contrast_passes(&ratio(contrast))}</p>
                <p class="hint">{text::dark_tint(&tint)}</p>
            }
            .into_any()
        })
    };
    view! {
        <Field form=form name=ACCENT label=text::accent_color() hint=text::accent_color_hint() optional=true whole=true>
            <div class="row color-row">
                <input type="color" class="swatch" aria-label=text::pick_color() prop:value=picked on:input=move |event| choose(event_target_value(&event)) />
                <Input form=form name=ACCENT value=accent placeholder="#2b47c4" />
                <div class="row" role="status">{contrast}</div>
            </div>
        </Field>
    }
}

/// A text of one line, with the characters that are left.
#[component]
fn PageTextField(
    form: Form,
    name: &'static str,
    label: &'static str,
    value: RwSignal<String>,
    hint: &'static str,
) -> impl IntoView {
    let left = move || {
        let chars = value.with(|text| text.trim().chars().count());
        match PAGE_TEXT_CHARS_MAX.checked_sub(chars) {
            Some(left) => text::characters_left(left),
            None => text::characters_over(chars - PAGE_TEXT_CHARS_MAX),
        }
    };
    view! {
        <Field form=form name=name label=label hint=hint optional=true>
            <textarea
                class="input"
                id=input_id(name)
                name=name
                rows="3"
                aria-describedby=note_id(name)
                aria-invalid=move || form.has_error(name).then_some("true")
                prop:value=value
                on:input=move |event| { value.set(event_target_value(&event).replace('\n', " ")); form.clear_error(name); }
            ></textarea>
            <p class="hint count-left">{left}</p>
        </Field>
    }
}
