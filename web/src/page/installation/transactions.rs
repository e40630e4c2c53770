//! Transactions in progress, and raising their fee.

use leptos::prelude::*;
use settlekit_core::installation::{
    ListOutgoingTransactions, ListOutgoingTransactionsQuery, OutgoingTransaction,
    RaiseTransactionFee,
};
use settlekit_core::page::{LIMIT_MAX, Limit};

use crate::api;
use crate::form::{Fields, Form, chain_name, form_failure, transaction_link};
use crate::list::{Column, Table, TableSpec, exact};
use crate::page::installation::chains::{Chains, REFRESH};
use crate::shell::load;
use crate::text::{self, installation as words};
use crate::ui::{Confirm, Empty, Icon, Id, Toasts, icon, open_while, status_badge_as};

/// The transactions shown at first.
const SHOWN: u32 = 25;

fn spec() -> TableSpec<OutgoingTransaction> {
    TableSpec {
        caption: words::in_progress(),
        columns: vec![
            Column::new(words::purpose(), "title", |one| {
                let purpose = words::purpose_of(&one.purpose);
                view! { {purpose}<small>{chain_name(one.chain_id)}</small> }.into_any()
            }),
            Column::new(text::status(), "second", |one| {
                let word = match one.status.as_str() {
                    "Queued" | "Signed" => "Pending",
                    _ => "Processing",
                };
                status_badge_as(word, words::status_of(&one.status)).into_any()
            }),
            Column::exact(text::amount(), "end", |one| {
                exact(one.amount, one.currency.as_str())
            }),
            Column::text(words::nonce(), "end named", |one| {
                one.nonce.map(|nonce| nonce.to_string())
            }),
            Column::exact(words::fee_offered(), "end named", |one| {
                exact(one.max_fee_gwei?, "gwei")
            }),
            Column::new(text::transaction(), "named", |one| {
                let hash = one.transaction_hash.clone();
                hash.map(|hash| {
                    let link = transaction_link(one.chain_id, &hash);
                    view! { <span class="row tight"><Id id=hash what=text::transaction() />{link}</span> }
                })
                .into_any()
            }),
            Column::time(words::age(), "fit named", |one| Some(one.created_at)),
            Column::new(text::actions(), "end last", |one| {
                if !one.can_raise_fee {
                    return ().into_any();
                }
                let act = expect_context::<RwSignal<Option<OutgoingTransaction>>>();
                let one = one.clone();
                view! { <button data-scope="manage" type="button" class="button small" on:click=move |_| act.set(Some(one.clone()))>{icon(Icon::Up)}{words::raise_fee()}</button> }
                    .into_any()
            }),
        ],
        id: |one| one.id.to_string(),
    }
}

#[component]
pub(super) fn Transactions(chains: Chains) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let limit = RwSignal::new(SHOWN);
    let list = load::<ListOutgoingTransactions>(move || {
        Some(api::with_query(ListOutgoingTransactionsQuery {
            chain_id: None,
            after: None,
            limit: Limit::new(limit.get()),
        }))
    });
    list.reload_while(|| true, REFRESH);
    let rows = Signal::derive(move || {
        list.state
            .with(|state| state.map(|list| list.items.clone()))
    });
    let has_more = Memo::new(move |_| list.read(|list| list.next.is_some()) == Some(true));
    let act: RwSignal<Option<OutgoingTransaction>> = RwSignal::new(None);
    provide_context(act);
    let asking = open_while(act, |_| true);
    let title = Signal::derive(move || {
        let nonce = act.with(|one| one.as_ref().and_then(|one| one.nonce));
        words::raise_fee_of(&nonce.unwrap_or_default().to_string())
    });
    let raise = Callback::new(move |()| {
        let Some(one) = act.get_untracked() else {
            return;
        };
        let arguments = Fields::default()
            .any_value("attempts", one.attempts.into())
            .body_at("transaction_id", one.id);
        form.send::<RaiseTransactionFee>(arguments, move |_| {
            toasts.say(words::fee_raised().to_owned());
            list.reload();
            chains.reload();
        });
    });
    let empty = || view! { <Empty picture=Icon::Out title=words::no_transactions() hint=words::no_transactions_hint() /> };
    view! {
        {form_failure(form)}
        <section class="panel">
            <div class="panel-head"><h2>{words::in_progress()}</h2><p>{words::in_progress_why()}</p></div>
            <Table spec=spec() rows=rows busy=list.busy retry=list.retry() empty=ViewFn::from(empty) />
            <Show when=move || has_more.get()>
                <div class="panel-foot">
                    <Show
                        when=move || limit.get() < LIMIT_MAX
                        fallback=|| view! { <p class="quiet">{words::oldest_shown(&LIMIT_MAX.to_string())}</p> }
                    >
                        <button type="button" class="button" on:click=move |_| limit.set(LIMIT_MAX)>{words::more()}</button>
                    </Show>
                </div>
            </Show>
        </section>
        <Confirm open=asking title=title consequence=words::raise_fee_why() act=words::raise_fee() busy=form.busy on_confirm=raise />
    }
}
