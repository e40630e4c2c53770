//! Payment links changed: put on sale or taken off, one or many; and a grid of them, each line saved by itself.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use settlekit_core::call::{Arguments, Call};
use settlekit_core::field::Nothing;
use settlekit_core::operation::{NoPath, Scope};
use settlekit_core::paylink::{
    AfterCompletion, AfterCompletionType, GetPaylink, Paylink, PaylinkPath, PaylinkPlanUpdate,
    PaylinkUpdate, UpdatePaylinks, UpdatePaylinksBody,
};
use settlekit_core::value::PaylinkId;

use crate::api::{self, Trouble};
use crate::form::Form;
use crate::form::tally::{Outcome, Tally};
use crate::live::Live;
use crate::part::field::Allowed;
use crate::part::icon::{Icon, icon};
use crate::part::leaving::ask_while;
use crate::part::notice::{Failed, Toasts, why};
use crate::part::state::state_as;
use crate::session::Session;
use crate::text;

/// The body that puts a link on sale or takes it off.
pub(crate) fn enabling(id: &str, enabled: bool) -> Value {
    json!({ "items": [{ "id": id, "enabled": enabled }] })
}

/// Whether a link is on sale, and the switch. It moves at once and moves back when the service refuses.
#[component]
pub(crate) fn OnSale(id: PaylinkId, enabled: bool) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::here(), Live::here());
    let wanted: RwSignal<Option<bool>> = RwSignal::new(None);
    let on = move || wanted.get().unwrap_or(enabled);
    let press = move |_| {
        // What was wanted last is on its way.
        if form.busy.get_untracked() {
            return;
        }
        let next = !untrack(on);
        wanted.set(Some(next));
        let arguments = Arguments {
            body: Some(enabling(&id.to_string(), next)),
            ..Arguments::default()
        };
        form.send::<UpdatePaylinks>(arguments, move |_| {
            toasts.say(
                if next {
                    text::put_on()
                } else {
                    text::taken_off()
                }
                .to_owned(),
            );
            live.poke();
        });
    };
    Effect::new(move |_| {
        if let Some(trouble) = form.trouble.get() {
            wanted.set(None);
            toasts.fail(trouble);
        }
    });
    view! {
        <button data-scope="write" type="button" class="switch" role="switch" aria-checked=move || on().to_string() aria-busy=move || form.busy.get().then_some("true") aria-label=text::on_sale() title=text::on_sale() on:click=press><span></span></button>
    }
}

/// One line of the grid: a link as it was, and what was typed over it.
#[derive(Clone, Copy)]
struct Line {
    before: StoredValue<Paylink>,
    name: RwSignal<String>,
    description: RwSignal<String>,
    picture: RwSignal<String>,
    redirect: RwSignal<String>,
    enabled: RwSignal<bool>,
    outcome: RwSignal<Outcome>,
}

/// The columns in which words can be written.
fn columns() -> [&'static str; 4] {
    [
        text::paylink_name(),
        text::description(),
        text::picture(),
        text::redirect(),
    ]
}

/// What a link says in each of them.
fn said_by(paylink: &Paylink) -> [String; 4] {
    let plan = paylink.plan.clone();
    let after = paylink.after_completion.clone();
    [
        plan.as_ref().map(|plan| plan.name.clone()),
        plan.as_ref().and_then(|plan| plan.description.clone()),
        plan.and_then(|plan| plan.image_url),
        after.and_then(|after| after.redirect_url),
    ]
    .map(Option::unwrap_or_default)
}

impl Line {
    fn new(paylink: Paylink) -> Self {
        let [name, description, picture, redirect] = said_by(&paylink).map(RwSignal::new);
        Self {
            name,
            description,
            picture,
            redirect,
            enabled: RwSignal::new(paylink.enabled),
            outcome: RwSignal::new(Outcome::Waiting),
            before: StoredValue::new(paylink),
        }
    }

    /// The column that was emptied: the service can put other words there, but not none. Tracked.
    fn emptied(self) -> Option<&'static str> {
        let was = self.before.with_value(said_by);
        let now = [self.name, self.description, self.picture, self.redirect];
        let is_emptied = |(was, now): (&String, RwSignal<String>)| {
            !was.is_empty() && now.with(|now| now.trim().is_empty())
        };
        let emptied = was.iter().zip(now).position(is_emptied)?;
        columns().get(emptied).copied()
    }

    /// What is to change; none when nothing is, or not everything can be. Tracked.
    fn update(self) -> Option<PaylinkUpdate> {
        if self.emptied().is_some() {
            return None;
        }
        let before = self.before.get_value();
        let plan = before.plan.as_ref();
        let typed = |now: RwSignal<String>, was: Option<&str>| {
            let now = now.get().trim().to_owned();
            (!now.is_empty() && Some(now.as_str()) != was).then_some(now)
        };
        let name = typed(self.name, plan.map(|plan| plan.name.as_str()));
        let description = typed(
            self.description,
            plan.and_then(|plan| plan.description.as_deref()),
        );
        let image_url = typed(
            self.picture,
            plan.and_then(|plan| plan.image_url.as_deref()),
        );
        let after = before.after_completion;
        let redirect = typed(
            self.redirect,
            after
                .as_ref()
                .and_then(|after| after.redirect_url.as_deref()),
        );
        let after_completion = redirect.map(|redirect_url| AfterCompletion {
            r#type: Some(AfterCompletionType::Redirect),
            redirect_url: Some(redirect_url),
            failure_redirect_url: after
                .as_ref()
                .and_then(|after| after.failure_redirect_url.clone()),
            custom_message: after.and_then(|after| after.custom_message),
        });
        let enabled = Some(self.enabled.get()).filter(|enabled| *enabled != before.enabled);
        let plan = (name.is_some() || description.is_some() || image_url.is_some()).then_some(
            PaylinkPlanUpdate {
                description,
                image_url,
                name,
            },
        );
        (plan.is_some() || after_completion.is_some() || enabled.is_some()).then_some(
            PaylinkUpdate {
                id: before.id,
                after_completion,
                enabled,
                metadata: None,
                plan,
            },
        )
    }

    /// Saves what was typed.
    async fn save(self, session: Session) {
        // Of a page that is gone, too: nothing owns a line.
        let Some(update) = untrack(|| self.update()) else {
            return;
        };
        self.outcome.set(Outcome::Running);
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
                Outcome::Done
            }
            Err(trouble) => Outcome::Failed(trouble),
        };
        self.outcome.try_set(outcome);
        // What was saved is no longer to be changed: looked at again by whoever tracks a field.
        self.enabled.try_update(|_| ());
    }
}

/// The links of these ids as a grid.
#[component]
pub(crate) fn PaylinksGrid(ids: Vec<PaylinkId>) -> impl IntoView {
    let (session, live, toasts) = (Session::here(), Live::here(), Toasts::here());
    let lines: RwSignal<Vec<Line>> = RwSignal::new(Vec::new());
    let lost: RwSignal<Vec<Trouble>> = RwSignal::new(Vec::new());
    let busy = RwSignal::new(true);
    spawn_local(async move {
        for paylink_id in ids {
            match api::call::<GetPaylink>(session, api::at(PaylinkPath { paylink_id })).await {
                Ok(paylink) => lines.try_update(|lines| lines.push(Line::new(paylink))),
                Err(trouble) => lost.try_update(|lost| lost.push(trouble)),
            };
        }
        busy.try_set(false);
    });
    let tally = Memo::new(move |_| {
        lines.with(|lines| Tally::of(lines.iter().map(|line| line.outcome.get())))
    });
    let changed = Memo::new(move |_| {
        let lines = lines.get();
        lines.iter().filter(|line| line.update().is_some()).count()
    });
    let save = move |only_failed: bool| {
        let chosen: Vec<Line> = lines
            .get_untracked()
            .into_iter()
            .filter(|line| !only_failed || line.outcome.with_untracked(Outcome::is_failed))
            .collect();
        busy.set(true);
        spawn_local(async move {
            for line in &chosen {
                line.save(session).await;
            }
            // Whoever has gone elsewhere meanwhile is told there.
            if busy.try_set(false).is_some() {
                let tally = Tally::of(chosen.iter().map(|line| line.outcome.get_untracked()));
                toasts.tell(saved_of(tally), tally.failed > 0);
            }
            live.poke();
        });
    };
    let is_saving = |line: &Line| line.outcome.get_untracked() == Outcome::Running;
    ask_while(move || lines.try_with_untracked(|lines| lines.iter().any(is_saving)) == Some(true));
    let is_unsaved = move || (changed.get() > 0 && !busy.get()).then_some("");
    let heads = columns()
        .into_iter()
        .chain([text::on_sale(), text::result()]);
    let heads = heads
        .map(|head| view! { <th scope="col">{head}</th> })
        .collect_view();
    view! {
        {move || lost.get().into_iter().map(|trouble| view! { <Failed trouble=trouble /> }).collect_view()}
        <section class="panel" data-typed=is_unsaved><Allowed scope=Scope::Write>
            <div class="table-box">
                <table class="table grid">
                    <caption class="hidden-text">{text::edit_links()}</caption>
                    <thead><tr>{heads}</tr></thead>
                    <tbody>
                        <Show when=move || busy.get() && lines.with(Vec::is_empty)><tr><td colspan="6"><span class="bone b4"></span></td></tr></Show>
                        <For each=move || lines.get() key=|line| line.before.with_value(|paylink| paylink.id.to_string()) children=line_view />
                    </tbody>
                </table>
            </div>
            <div class="panel-foot">
                <span role="status" class="quiet">{move || (tally.get().ended() > 0).then(|| saved_of(tally.get()))}</span>
                <a class="button plain push" href="/paylinks">{text::back_to_links()}</a>
                <Show when=move || { tally.get().failed > 0 }>
                    <button type="button" class="button" disabled=busy on:click=move |_| save(true)>{icon(Icon::Turning)}{move || text::retry_of(tally.get().failed)}</button>
                </Show>
                <button data-scope="write" type="button" class="button primary" disabled=move || busy.get() || changed.get() == 0 on:click=move |_| save(false)>{move || text::save_of(changed.get())}</button>
            </div>
        </Allowed></section>
    }
}

fn saved_of(tally: Tally) -> String {
    text::saved_of(tally.done, tally.failed)
}

fn line_view(line: Line) -> impl IntoView {
    let called = line.before.with_value(|paylink| {
        let plan = paylink.plan.as_ref();
        plan.map_or_else(|| paylink.id.to_string(), |plan| plan.name.clone())
    });
    let values = [line.name, line.description, line.picture, line.redirect];
    let cells = columns().into_iter().zip(values).map(|(column, value)| {
        view! {
            <td data-label=column><input
                class="input" aria-label=text::cell_of(column, &called) prop:value=value
                on:input=move |event| value.set(event_target_value(&event))
            /></td>
        }
    });
    let cells = cells.collect_view();
    let outcome = move || {
        let outcome = line.outcome.get();
        let changed = line.update().is_some();
        if let Some(column) = line.emptied() {
            return view! { {state_as("Failed", text::not_saved().to_owned())}<small>{text::Complaint::own(text::only_changed()).about(column)}</small> }.into_any();
        }
        match outcome {
            Outcome::Running => state_as("Processing", text::saving().to_owned()).into_any(),
            Outcome::Failed(trouble) => view! { {state_as("Failed", text::not_saved().to_owned())}<small>{why(&trouble)}</small> }.into_any(),
            _ if changed => state_as("Pending", text::changed().to_owned()).into_any(),
            Outcome::Done => state_as("Confirmed", text::saved().to_owned()).into_any(),
            Outcome::Waiting => state_as("", text::as_it_was().to_owned()).into_any(),
        }
    };
    let enabled = line.enabled;
    view! {
        <tr>
            {cells}
            <td data-label=text::on_sale()><input type="checkbox" aria-label=text::cell_of(text::on_sale(), &called) prop:checked=enabled on:change=move |event| enabled.set(event_target_checked(&event)) /></td>
            <td class="grid-result">{outcome}</td>
        </tr>
    }
}
