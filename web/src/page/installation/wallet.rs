//! Hot wallets: balances, and the gas money with its mark.

use leptos::prelude::*;
use settlekit_core::installation::{GasMoney, HotWallet, HotWalletHolding};

use crate::form::chain_name;
use crate::list::{Column, TableSpec, exact, static_table};
use crate::shell::{Failed, Loaded};
use crate::text::{self, installation as words};
use crate::ui::{
    Empty, Icon, WholeId, amount, amount_gauge, amount_text, count_text, status_badge_as, timestamp,
};

fn holding_spec() -> TableSpec<HotWalletHolding> {
    TableSpec {
        caption: words::holdings(),
        columns: vec![
            Column::text(text::currency(), "title", |held| {
                Some(held.currency.to_string())
            }),
            Column::new(text::chain(), "named", |held| chain_name(held.chain_id)),
            Column::exact(text::amount(), "end", |held| {
                exact(held.amount, held.currency.as_str())
            }),
        ],
        id: |held| format!("{} {}", held.chain_id, held.currency),
    }
}

#[component]
pub(super) fn Wallets(wallets: Loaded<Vec<HotWallet>>) -> impl IntoView {
    let failed = wallets.failed();
    let ready = wallets.ready();
    let shown = move || {
        let wallets = ready.get()?;
        if wallets.is_empty() {
            return Some(view! { <section class="panel"><Empty picture=Icon::Key title=words::no_wallet() hint=words::no_wallet_hint() /></section> }.into_any());
        }
        // The one in use first.
        let in_use = |wallet: &HotWallet| wallet.retired_at.is_none();
        let (mut first, retired): (Vec<_>, Vec<_>) = wallets.into_iter().partition(in_use);
        first.extend(retired);
        Some(
            first
                .into_iter()
                .map(wallet_panel)
                .collect_view()
                .into_any(),
        )
    };
    view! {
        {move || failed.get().map(|failure| view! { <Failed failure=failure retry=Some(wallets.retry()) /> })}
        <Show when=move || wallets.is_loading().get()>
            <section class="panel" aria-busy="true"><div class="panel-body stack"><span class="bone b3 tall"></span><span class="bone b4"></span></div></section>
        </Show>
        {shown}
    }
}

fn wallet_panel(wallet: HotWallet) -> AnyView {
    let (title, why) = match wallet.retired_at {
        None => (words::hot_wallet(), words::hot_wallet_why()),
        Some(_) => (words::retired_wallet(), words::retired_wallet_why()),
    };
    let retired_at = wallet.retired_at.map(timestamp);
    let held = match wallet.holdings.is_empty() {
        true => view! { <Empty picture=Icon::In title=words::no_holdings() hint=words::no_holdings_hint() /> }
            .into_any(),
        false => view! { <div class="inset">{static_table(&holding_spec(), &wallet.holdings)}</div> }.into_any(),
    };
    let gas = (!wallet.gas.is_empty()).then(|| {
        let gauges = wallet.gas.iter().map(gas_gauge).collect_view();
        view! { <h3 class="section-title">{words::gas_money()}</h3><div class="sides">{gauges}</div> }
    });
    view! {
        <section class="panel">
            <div class="panel-head"><h2>{title}</h2><span class="quiet">{retired_at}</span><p>{why}</p></div>
            <div class="panel-body stack">
                <p><WholeId id=wallet.address what=words::hot_wallet() /></p>
                {gas}
            </div>
            {held}
        </section>
    }
    .into_any()
}

fn gas_gauge(gas: &GasMoney) -> AnyView {
    let currency = gas.currency.as_str();
    let label = words::gas_gauge(
        &amount_text(&gas.available, currency),
        &amount_text(&gas.warn_below, currency),
    );
    let (word, state) = match gas.low {
        true => ("Failed", words::gas_low()),
        false => ("Active", words::gas_enough()),
    };
    let payouts = gas
        .payouts_left
        .map(|count| words::gas_payouts(&count_text(count)));
    let reserved = (!gas.reserved.is_zero())
        .then(|| words::gas_reserved(&amount_text(&gas.reserved, currency)));
    view! {
        <div>
            <span class="row"><span class="label">{chain_name(gas.chain_id)}</span>{status_badge_as(word, state.to_owned())}</span>
            {amount(&gas.available, currency)}
            {amount_gauge(&gas.available, &gas.warn_below, gas.low, label.clone())}
            <small class="quiet">{label}</small>
            {payouts.map(|payouts| view! { <small class="quiet">{payouts}</small> })}
            {reserved.map(|reserved| view! { <small class="quiet">{reserved}</small> })}
        </div>
    }
    .into_any()
}
