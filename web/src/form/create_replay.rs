//! A replay of events: counted first, then started, watched and canceled.

use leptos::prelude::*;
use settlekit_core::event::{
    CancelReplay, CountReplay, CountReplayQuery, CreateReplay, DeliveryStatus, GetReplay,
    GetReplayPath, Replay, ReplayStatus,
};
use settlekit_core::field::Query;
use settlekit_core::value::ReplayId;

use crate::api;
use crate::form::{Fields, Form, form_failure, path_argument};
use crate::list::RecordSkeleton;
use crate::shell::{Live, Location, load, load_failure, name};
use crate::text;
use crate::ui::{Dialog, Icon, Notice, Tone, count_text, icon};

/// Polling interval for a running replay.
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_millis(700);

/// Button and dialog. `filter` is the filter of the page; `by_record` is set if it also filters by record.
#[component]
pub(crate) fn CreateReplayDialog(
    filter: Memo<CountReplayQuery>,
    #[prop(into)] by_record: Signal<bool>,
) -> impl IntoView {
    // The URL names a running replay until its end has been shown, so that it survives closing the dialog and reloading the page.
    let location = Location::from_context();
    let open = RwSignal::new(untrack(|| location.get(name::REPLAY)).is_some());
    let over = RwSignal::new(false);
    let close = Callback::new(move |()| {
        open.set(false);
        if over.get_untracked() {
            over.set(false);
            location.go(&location.with(&[(name::REPLAY, None)]), true);
        }
    });
    view! {
        <button data-scope="write" type="button" class="button" on:click=move |_| open.set(true)>{icon(Icon::Turning)}{text::replay()}</button>
        <Dialog open=open close=close title=text::replay()><ReplayForm filter=filter by_record=by_record over=over close=close /></Dialog>
    }
}

#[component]
fn ReplayForm(
    filter: Memo<CountReplayQuery>,
    by_record: Signal<bool>,
    /// Whether the end of a replay has been shown.
    over: RwSignal<bool>,
    close: Callback<()>,
) -> impl IntoView {
    let (form, live, location) = (Form::new(), Live::from_context(), Location::from_context());
    // Default: failed events, unless the page's filter or the user chooses others.
    let first = filter.with_untracked(|filter| filter.delivery_status.clone());
    let status = RwSignal::new(first.unwrap_or(DeliveryStatus::Failed));
    let asked = Memo::new(move |_| CountReplayQuery {
        delivery_status: Some(status.get()),
        ..filter.get()
    });
    let named = Memo::new(move |_| location.param::<ReplayId>(name::REPLAY));
    let counted = load::<CountReplay>(move || {
        let is_new = named.with(Option::is_none);
        is_new.then(|| api::with_query(asked.get()))
    });
    let running = load::<GetReplay>(move || {
        let replay_id = named.get()?;
        Some(api::at(GetReplayPath { replay_id }))
    });
    let replay = running.ready();
    let runs = Memo::new(move |_| {
        running.read(|replay| replay.status == ReplayStatus::Running) == Some(true)
    });
    running.reload_while(move || runs.get(), POLL_INTERVAL);
    // A count for another filter does not count.
    let count = Memo::new(move |_| {
        counted
            .read(|counted| counted.count)
            .filter(|_| !counted.busy.get())
    });
    let uncounted = Memo::new(move |_| counted.state.with(|state| state.failed().is_some()));
    Effect::new(move |_| {
        over.set(running.read(|replay| replay.status != ReplayStatus::Running) == Some(true));
    });
    let start = move |_| {
        let mut filters = Vec::new();
        asked.get_untracked().to_pairs(&mut filters);
        let body = filters
            .iter()
            .fold(Fields::default(), |fields, (name, value)| {
                fields.text(name, value)
            });
        form.send::<CreateReplay>(body.body(), move |replay| {
            let id = replay.id.to_string();
            running.put(replay);
            location.go(&location.with(&[(name::REPLAY, Some(id))]), true);
            live.refresh();
        });
    };
    let stop = move |_| {
        let Some(id) = named.get_untracked() else {
            return;
        };
        form.send::<CancelReplay>(path_argument("replay_id", id), move |replay| {
            running.put(replay);
        });
    };
    let before = move || {
        let count = count.get();
        view! {
            <p>{text::replay_why()}</p>
            <label class="field"><span class="label">{text::delivery()}</span>
                <select class="input" on:change=move |event| status.set(event_target_value(&event).as_str().into())>
                    {DeliveryStatus::KNOWN.iter().map(|word| view! { <option value=*word selected=move || status.with(|status| status.as_str() == *word)>{text::words(word)}</option> }).collect_view()}
                </select>
            </label>
            {by_record.get().then(|| view! { <Notice tone=Tone::Warn title=text::about()>{text::replay_not_document()}</Notice> })}
            <p role="status"><strong>{match count {
                None if uncounted.get() => String::new(),
                None => text::replay_counting().to_owned(),
                Some(0) => text::replay_none().to_owned(),
                Some(count) => text::replay_count(&count_text(count)),
            }}</strong></p>
            <div class="row">
                <button type="button" class="button" on:click=move |_| close.run(())>{text::cancel()}</button>
                <button data-scope="write" type="button" class="button primary" disabled=move || form.busy.get() || count.unwrap_or(0) == 0 on:click=start>{text::retry()}</button>
            </div>
        }
    };
    let after = move |replay: Replay| {
        let (queued, total) = (replay.queued, replay.total);
        let word = match replay.status {
            ReplayStatus::Running => None,
            ReplayStatus::Canceled => Some(text::replay_stopped()),
            _ => Some(text::replay_done()),
        };
        let runs = word.is_none();
        view! {
            {word.map(|word| view! { <p><strong>{word}</strong></p> })}
            <progress max=total.to_string() value=queued.to_string() aria-label=text::replay()></progress>
            <p role="status">{text::replay_progress(&count_text(queued), &count_text(total))}</p>
            <div class="row">
                {runs.then(|| view! { <button data-scope="write" type="button" class="button danger" disabled=form.busy on:click=stop>{text::stop()}</button> })}
                <button type="button" class="button" on:click=move |_| close.run(())>{text::close()}</button>
            </div>
        }
    };
    view! {
        {form_failure(form)}
        {load_failure(counted)}{load_failure(running)}
        {move || match replay.get() {
            Some(replay) => after(replay).into_any(),
            None if named.get().is_some() => view! { <RecordSkeleton /> }.into_any(),
            None => before().into_any(),
        }}
    }
}
