//! Payment addresses of a chain whose money is not swept.

use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::installation::{
    ListUnsweptProxies, ListUnsweptProxiesPath, ListUnsweptProxiesQuery, UnsweptProxy,
};
use settlekit_core::page::Limit;
use settlekit_core::value::ChainId;

use crate::api;
use crate::list::{Column, Table, TableSpec, exact};
use crate::page::installation::chains::{Chains, find};
use crate::remote::Remote;
use crate::session::Session;
use crate::text::{self, installation as words};
use crate::ui::{Dialog, Empty, Icon};

/// The addresses of a part.
const PART: u32 = 25;

fn spec() -> TableSpec<UnsweptProxy> {
    TableSpec {
        caption: words::proxies(),
        columns: vec![
            Column::id(text::money::address(), "title", |one| {
                Some(one.address.clone())
            }),
            Column::exact(text::amount(), "end named", |one| {
                exact(one.amount, one.currency.as_str())
            }),
            Column::time(words::swept_at(), "fit skip-narrow", |one| {
                Some(one.sweep_at)
            }),
        ],
        id: |one| format!("{} {}", one.address, one.currency),
    }
}

#[component]
pub(super) fn ProxiesDialog(of: RwSignal<Option<ChainId>>, chains: Chains) -> impl IntoView {
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(of.get().is_some()));
    let close = Callback::new(move |()| of.set(None));
    let title = Signal::derive(move || {
        let chain = of.get().and_then(|id| find(chains, id));
        words::proxies_on(&chain.map(|chain| chain.name).unwrap_or_default())
    });
    view! {
        <Dialog open=open close=close title=title>
            <p class="quiet">{words::proxies_why()}</p>
            {move || of.get().map(|chain| view! { <Proxies chain=chain /> })}
            <div class="row"><button type="button" class="button" on:click=move |_| close.run(())>{text::close()}</button></div>
        </Dialog>
    }
}

#[component]
fn Proxies(chain: ChainId) -> impl IntoView {
    let session = Session::from_context();
    let rows: RwSignal<Remote<Vec<UnsweptProxy>>> = RwSignal::new(Remote::Loading);
    let next = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    let bring = move |after: Option<String>| {
        busy.set(true);
        spawn_local(async move {
            let path = ListUnsweptProxiesPath { chain_id: chain };
            let query = ListUnsweptProxiesQuery {
                after,
                limit: Limit::new(PART),
            };
            let call = api::at_with_query::<ListUnsweptProxies>(path, query);
            let answer = api::call(session, call).await;
            // The dialog may be gone.
            busy.try_set(false);
            match answer {
                Ok(part) => {
                    next.try_set(part.next);
                    rows.try_update(|rows| match rows {
                        Remote::Ready(all) => all.extend(part.items),
                        _ => *rows = Remote::Ready(part.items),
                    });
                }
                Err(failure) => {
                    rows.try_set(Remote::Failed(failure));
                }
            }
        });
    };
    bring(None);
    let retry = Callback::new(move |()| {
        rows.set(Remote::Loading);
        bring(None);
    });
    let empty = || view! { <Empty picture=Icon::Done title=words::no_proxies() hint=words::no_proxies_hint() /> };
    view! {
        <div class="inset"><Table spec=spec() rows=rows busy=busy retry=retry empty=ViewFn::from(empty) /></div>
        <Show when=move || next.with(Option::is_some)>
            <div class="row"><button type="button" class="button" disabled=busy on:click=move |_| bring(next.get_untracked())>{words::more()}</button></div>
        </Show>
    }
}
