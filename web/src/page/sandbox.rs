//! Sandbox tools: clock, deposits, reorganisations, failing payouts and faults. Prices are set where they are shown.

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::call::Arguments;
use settlekit_core::operation::Scope;
use settlekit_core::sandbox::{AdvanceClock, Clock, Deposit};

use crate::form::sandbox::{
    CreateDepositForm, CreateFaultForm, FailPayoutForm, RefuseOrderForm, ReorganiseChainForm,
};
use crate::form::{Allowed, Fields, Form};
use crate::session::Session;
use crate::shell::{Live, failure_notice};
use crate::text::sandbox as words;
use crate::ui::{Empty, Icon, PageHead, Panel, icon, learn_service_time, timestamp};

#[component]
pub(crate) fn Sandbox() -> impl IntoView {
    let session = Session::from_context();
    let live = Live::from_context();
    let is_sandbox = Memo::new(move |_| session.record().is_some_and(|record| record.sandbox));
    let hash = RwSignal::new(String::new());
    let sent = Callback::new(move |deposit: Deposit| {
        hash.set(deposit.transaction_hash);
        live.refresh();
    });
    let changed = Callback::new(move |()| live.refresh());
    view! {
        <div class="page">
            <PageHead title=words::title() lead=words::lead() />
            <Show
                when=move || is_sandbox.get()
                fallback=|| view! { <Empty picture=Icon::Flask title=words::not_here() hint=words::not_here_hint() /> }
            >
                <div class="settings">
                    <Clock />
                    <Panel title=words::deposit() why=words::deposit_why()><CreateDepositForm done=sent /></Panel>
                    <Panel title=words::reorganisation() why=words::reorganisation_why()><ReorganiseChainForm hash=hash done=changed /></Panel>
                    <Panel title=words::payout_failure() why=words::payout_failure_why()><FailPayoutForm done=changed /></Panel>
                    <Panel title=words::order_refusal() why=words::order_refusal_why()><RefuseOrderForm done=changed /></Panel>
                    <Panel title=words::fault() why=words::fault_why()><CreateFaultForm /></Panel>
                </div>
            </Show>
        </div>
    }
}

fn by(seconds: i64) -> Arguments {
    Fields::default()
        .value("advance_seconds", Value::from(seconds))
        .body()
}

#[component]
fn Clock() -> impl IntoView {
    let (form, live) = (Form::new(), Live::from_context());
    let clock: RwSignal<Option<Clock>> = RwSignal::new(None);
    let advance = move |seconds: i64| {
        form.send::<AdvanceClock>(by(seconds), move |newer| {
            learn_service_time(newer.now);
            clock.set(Some(newer));
            live.refresh();
        });
    };
    // Advancing by 0 returns the service's time. Hidden without the scope.
    let may = untrack(|| Session::from_context().is_allowed(Scope::Manage));
    if may {
        advance(0);
    }
    view! {
        <Panel title=words::clock() why=words::clock_why() class="panel-body stack">
            {failure_notice(form.failure.into(), Some(Callback::new(move |()| advance(0))))}
            {may.then(|| view! {
                <dl class="facts" aria-busy=move || form.busy.get().to_string()>
                    <div><dt>{words::clock_now()}</dt><dd id="clock">{move || clock.get().map(|clock| timestamp(clock.now))}</dd></div>
                    <div><dt>{words::clock_ahead()}</dt><dd>{move || clock.get().map(|clock| words::duration_text(clock.ahead_seconds))}</dd></div>
                </dl>
            })}
            <Allowed scope=Scope::Manage>
                <div class="row" role="group" aria-label=words::move_on()>
                    {icon(Icon::Clock)}<span class="quiet">{words::move_on()}</span>
                    {words::clock_steps().map(|(seconds, label)| view! {
                        <button type="button" class="button small" disabled=form.busy on:click=move |_| advance(seconds)>{label}</button>
                    })}
                </div>
            </Allowed>
        </Panel>
    }
}
