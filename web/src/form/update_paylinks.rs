//! Payment link changes: enabling and disabling, and a grid for editing many, saved line by line.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use settlekit_core::call::{Arguments, Call};
use settlekit_core::field::Nothing;
use settlekit_core::operation::{NoPath, Scope};
use settlekit_core::paylink::{
    AfterCompletion, AfterCompletionType, GetPaylink, Paylink, PaylinkMetadata, PaylinkPath,
    PaylinkPlanUpdate, PaylinkUpdate, UpdatePaylinks, UpdatePaylinksBody,
};
use settlekit_core::value::PaylinkId;

use crate::api;
use crate::call_failure::CallFailure;
use crate::form::outcome::{BulkOutcome, OutcomeCounts};
use crate::form::{Allowed, Fields, Form};
use crate::session::Session;
use crate::shell::{Failed, Live, confirm_leaving_while};
use crate::text;
use crate::ui::{Edits, Icon, Toasts, failure_text, icon, status_badge_as};

/// Call that enables or disables a link.
pub(crate) fn enabling(id: &str, enabled: bool) -> Arguments {
    let items = json!([{ "id": id, "enabled": enabled }]);
    Fields::default().any_value("items", items).body()
}

/// Switch for enabling a link. Optimistic: reverts if the service refuses.
#[component]
pub(crate) fn EnabledSwitch(
    id: PaylinkId,
    enabled: bool,
    /// Whether nothing is left to sell, which no switch changes.
    is_sold_out: bool,
) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let wanted: RwSignal<Option<bool>> = RwSignal::new(None);
    let on = move || wanted.get().unwrap_or(enabled);
    let press = move |_| {
        // A request is in progress.
        if form.busy.get_untracked() {
            return;
        }
        let next = !untrack(on);
        wanted.set(Some(next));
        form.send::<UpdatePaylinks>(enabling(&id.to_string(), next), move |_| {
            let said = [text::link_disabled(), text::link_enabled()][usize::from(next)];
            toasts.say(said.to_owned());
            live.refresh();
        });
    };
    Effect::new(move |_| {
        if let Some(failure) = form.failure.get() {
            wanted.set(None);
            toasts.fail(failure);
        }
    });
    let hint = match is_sold_out {
        true => text::words("SoldOut"),
        false => text::enabled().to_owned(),
    };
    view! {
        <button data-scope="write" type="button" class="switch" role="switch" aria-checked=move || on().to_string() aria-busy=move || form.busy.get().then_some("true") aria-label=text::enabled() title=hint disabled=is_sold_out on:click=press><span></span></button>
    }
}

/// Number of text columns.
const WORDS: usize = 6;
/// Data that payers can be asked for, as named by the service.
const PAYER_DATA: [&str; 3] = ["customer_ident", "shipping_address", "tax_ident"];

/// A line of the grid: a link and its edits.
#[derive(Clone, Copy)]
struct Line {
    before: StoredValue<Paylink>,
    words: [RwSignal<String>; WORDS],
    asked: [RwSignal<bool>; PAYER_DATA.len()],
    enabled: RwSignal<bool>,
    outcome: RwSignal<BulkOutcome>,
}

/// Titles of the text columns.
fn columns() -> [&'static str; WORDS] {
    [
        text::name(),
        text::description(),
        text::picture(),
        text::redirect(),
        text::failure_redirect(),
        text::message(),
    ]
}

/// Titles of the checkbox columns: requested data, and whether the link is enabled.
fn ticks() -> [&'static str; PAYER_DATA.len() + 1] {
    [
        text::customer_number(),
        text::shipping_address(),
        text::tax_number(),
        text::enabled(),
    ]
}

/// Values of a link's text columns.
fn text_values(paylink: &Paylink) -> [String; WORDS] {
    let plan = paylink.plan.as_ref();
    let after = paylink.after_completion.as_ref();
    [
        plan.map(|plan| plan.name.clone()),
        plan.and_then(|plan| plan.description.clone()),
        plan.and_then(|plan| plan.image_url.clone()),
        after.and_then(|after| after.redirect_url.clone()),
        after.and_then(|after| after.failure_redirect_url.clone()),
        after.and_then(|after| after.custom_message.clone()),
    ]
    .map(Option::unwrap_or_default)
}

/// Which data a link requests.
const fn asked_by(paylink: &Paylink) -> [bool; PAYER_DATA.len()] {
    [
        paylink.customer_ident_collection,
        paylink.shipping_address_collection,
        paylink.tax_ident_collection,
    ]
}

/// The requested data as a list, including entries defined by the merchant.
fn requested_data(paylink: &Paylink, asked: [bool; PAYER_DATA.len()]) -> Vec<String> {
    let metadata = paylink.metadata.as_ref();
    let before = metadata.and_then(|all| all.get("customer_fields")?.as_array());
    let words = before.into_iter().flatten().filter_map(Value::as_str);
    let own = words.filter(|word| !PAYER_DATA.contains(word));
    let chosen = PAYER_DATA.into_iter().zip(asked).filter(|(_, on)| *on);
    own.chain(chosen.map(|(word, _)| word))
        .map(str::to_owned)
        .collect()
}

impl Line {
    fn new(paylink: Paylink) -> Self {
        Self {
            words: text_values(&paylink).map(RwSignal::new),
            asked: asked_by(&paylink).map(RwSignal::new),
            enabled: RwSignal::new(paylink.enabled),
            outcome: RwSignal::new(BulkOutcome::Waiting),
            before: StoredValue::new(paylink),
        }
    }

    /// First text column that was cleared: the service can change these texts, but not remove them. Tracked.
    fn emptied(self) -> Option<&'static str> {
        let was = self.before.with_value(text_values);
        let is_emptied = |(was, now): (&String, RwSignal<String>)| {
            !was.is_empty() && now.with(|now| now.trim().is_empty())
        };
        let emptied = was.iter().zip(self.words).position(is_emptied)?;
        columns().get(emptied).copied()
    }

    /// The changes; none if there are none or some are impossible. Tracked.
    fn update(self) -> Option<PaylinkUpdate> {
        if self.emptied().is_some() {
            return None;
        }
        let before = self.before.get_value();
        let (was, now) = (text_values(&before), self.words.map(|now| now.get()));
        let mut typed = was.into_iter().zip(now).map(|(was, now)| {
            let now = now.trim().to_owned();
            (now != was).then_some(now)
        });
        let mut typed = || typed.next().flatten();
        let (name, description, image_url) = (typed(), typed(), typed());
        let plan = (name.is_some() || description.is_some() || image_url.is_some()).then_some(
            PaylinkPlanUpdate {
                description,
                image_url,
                name,
            },
        );
        let (redirect, failure, message) = (typed(), typed(), typed());
        // `after_completion` is replaced as a whole.
        let is_other = redirect.is_some() || failure.is_some() || message.is_some();
        let after_completion = is_other.then(|| {
            let was = before.after_completion.clone();
            let was = |of: fn(AfterCompletion) -> Option<String>| was.clone().and_then(of);
            let redirect_url = redirect.or_else(|| was(|after| after.redirect_url));
            AfterCompletion {
                r#type: redirect_url
                    .is_some()
                    .then_some(AfterCompletionType::Redirect),
                redirect_url,
                failure_redirect_url: failure.or_else(|| was(|after| after.failure_redirect_url)),
                custom_message: message.or_else(|| was(|after| after.custom_message)),
            }
        });
        let asked = self.asked.map(|asked| asked.get());
        let metadata = (asked != asked_by(&before)).then(|| PaylinkMetadata {
            customer_fields: Some(requested_data(&before, asked)),
            after_completion: None,
            omit_possible_duplicate_acknowledgement: None,
            payment_method_types: None,
            variable_mode_only: None,
        });
        let enabled = Some(self.enabled.get()).filter(|enabled| *enabled != before.enabled);
        let changes =
            plan.is_some() || after_completion.is_some() || metadata.is_some() || enabled.is_some();
        changes.then_some(PaylinkUpdate {
            id: before.id,
            after_completion,
            enabled,
            metadata,
            plan,
        })
    }

    async fn save(self, session: Session) {
        // Also after the page is gone: lines have no reactive owner.
        let Some(update) = untrack(|| self.update()) else {
            return;
        };
        self.outcome.set(BulkOutcome::Running);
        let call = Call::<UpdatePaylinks> {
            path: NoPath,
            query: Nothing {},
            body: UpdatePaylinksBody {
                items: vec![update],
            },
        };
        let outcome = match api::call(session, call).await {
            Ok(mut changed) => {
                if let Some(changed) = changed.pop() {
                    self.before.try_set_value(changed);
                }
                BulkOutcome::Done
            }
            Err(failure) => BulkOutcome::Failed(failure),
        };
        self.outcome.try_set(outcome);
        // Notify trackers: saved values are no longer edits.
        self.enabled.try_update(|_| ());
    }
}

#[component]
pub(crate) fn PaylinksGrid(ids: Vec<PaylinkId>) -> impl IntoView {
    let session = Session::from_context();
    let live = Live::from_context();
    let toasts = Toasts::from_context();
    let lines: RwSignal<Vec<Line>> = RwSignal::new(Vec::new());
    let lost: RwSignal<Vec<CallFailure>> = RwSignal::new(Vec::new());
    let busy = RwSignal::new(true);
    spawn_local(async move {
        for paylink_id in ids {
            match api::call::<GetPaylink>(session, api::at(PaylinkPath { paylink_id })).await {
                Ok(paylink) => lines.try_update(|lines| lines.push(Line::new(paylink))),
                Err(failure) => lost.try_update(|lost| lost.push(failure)),
            };
        }
        busy.try_set(false);
    });
    let counts = Memo::new(move |_| {
        lines.with(|lines| OutcomeCounts::of(lines.iter().map(|line| line.outcome.get())))
    });
    let changed = Memo::new(move |_| {
        let lines = lines.get();
        lines.iter().filter(|line| line.update().is_some()).count()
    });
    let save = move |only_failed: bool| {
        let chosen: Vec<Line> = lines
            .get_untracked()
            .into_iter()
            .filter(|line| !only_failed || line.outcome.with_untracked(BulkOutcome::is_failed))
            .collect();
        busy.set(true);
        spawn_local(async move {
            for line in &chosen {
                line.save(session).await;
            }
            // The page was left: report the outcome in a toast.
            if busy.try_set(false).is_some() {
                let counts =
                    OutcomeCounts::of(chosen.iter().map(|line| line.outcome.get_untracked()));
                toasts.show_result(saved_of(counts), counts.failed > 0);
            }
            live.refresh();
        });
    };
    let is_saving = |line: &Line| line.outcome.get_untracked() == BulkOutcome::Running;
    confirm_leaving_while(move || {
        lines.try_with_untracked(|lines| lines.iter().any(is_saving)) == Some(true)
    });
    let edits = Edits::from_context();
    let form = edits.next_id();
    edits.register(form);
    Effect::new(move |_| {
        if changed.get() > 0 && !busy.get() {
            edits.mark(form);
        } else {
            edits.clear(form);
        }
    });
    let heads = columns().into_iter().chain(ticks()).chain([text::result()]);
    let heads = heads
        .map(|head| view! { <th scope="col">{head}</th> })
        .collect_view();
    view! {
        {move || lost.get().into_iter().map(|failure| view! { <Failed failure=failure /> }).collect_view()}
        <section class="panel"><div>
            // Focusable, so that users without editable cells can scroll it by keyboard.
            <div class="table-box" tabindex="0" role="group" aria-label=text::edit_links()><Allowed scope=Scope::Write>
                <table class="table grid">
                    <caption class="hidden-text">{text::edit_links()}</caption>
                    <thead><tr>{heads}</tr></thead>
                    <tbody>
                        <Show when=move || busy.get() && lines.with(Vec::is_empty)><tr><td colspan="11"><span class="bone b4"></span></td></tr></Show>
                        <For each=move || lines.get() key=|line| line.before.with_value(|paylink| paylink.id.to_string()) children=line_view />
                    </tbody>
                </table>
            </Allowed></div>
            <div class="panel-foot">
                <span role="status" class="quiet">{move || (counts.get().ended() > 0).then(|| saved_of(counts.get()))}</span>
                <a class="button plain push" href="/paylinks">{text::back_to_links()}</a>
                <Show when=move || { counts.get().failed > 0 }>
                    <button type="button" class="button" disabled=busy on:click=move |_| save(true)>{icon(Icon::Turning)}{move || text::retry_of(counts.get().failed)}</button>
                </Show>
                <button data-scope="write" type="button" class="button primary" disabled=move || busy.get() || changed.get() == 0 on:click=move |_| save(false)>{move || text::save_of(changed.get())}</button>
            </div>
        </div></section>
    }
}

fn saved_of(counts: OutcomeCounts) -> String {
    text::saved_of(counts.done, counts.failed)
}

fn line_view(line: Line) -> impl IntoView {
    let display_name = line.before.with_value(|paylink| {
        let plan = paylink.plan.as_ref();
        plan.map_or_else(|| paylink.id.to_string(), |plan| plan.name.clone())
    });
    let cells = columns()
        .into_iter()
        .zip(line.words)
        .map(|(column, value)| {
            view! {
                <td data-label=column><input
                    class="input" aria-label=text::cell_of(column, &display_name) prop:value=value
                    on:input=move |event| value.set(event_target_value(&event))
                /></td>
            }
        });
    let cells = cells.collect_view();
    let [ident, shipping, tax] = line.asked;
    let values = [ident, shipping, tax, line.enabled];
    let ticks = ticks().into_iter().zip(values).map(|(column, value)| {
        view! {
            <td data-label=column><input
                type="checkbox" aria-label=text::cell_of(column, &display_name) prop:checked=value
                on:change=move |event| value.set(event_target_checked(&event))
            /></td>
        }
    });
    let ticks = ticks.collect_view();
    let outcome = move || {
        let outcome = line.outcome.get();
        let changed = line.update().is_some();
        if let Some(column) = line.emptied() {
            return view! { {status_badge_as("Failed", text::not_saved().to_owned())}<small>{text::FieldError::own(text::only_changed()).about(column)}</small> }.into_any();
        }
        match outcome {
            BulkOutcome::Running => status_badge_as("Processing", text::saving().to_owned()).into_any(),
            BulkOutcome::Failed(failure) => view! { {status_badge_as("Failed", text::not_saved().to_owned())}<small>{failure_text(&failure)}</small> }.into_any(),
            _ if changed => status_badge_as("Pending", text::changed().to_owned()).into_any(),
            BulkOutcome::Done => status_badge_as("Confirmed", text::saved().to_owned()).into_any(),
            BulkOutcome::Waiting => status_badge_as("", text::as_it_was().to_owned()).into_any(),
        }
    };
    view! {
        <tr>
            {cells}{ticks}
            <td class="grid-result">{outcome}</td>
        </tr>
    }
}
