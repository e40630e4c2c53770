//! *Chains and wallet*: what the operator of the installation sees and does.

mod chain;
mod chains;
mod proxies;
mod transactions;
mod wallet;
mod wallet_links;

use leptos::prelude::*;
use settlekit_core::installation::{ListHotWallets, ListInstallationChains};
use settlekit_core::value::ChainId;

use crate::api;
use crate::page::installation::chain::ChainPanel;
use crate::page::installation::chains::REFRESH;
use crate::page::installation::proxies::ProxiesDialog;
use crate::page::installation::transactions::Transactions;
use crate::page::installation::wallet::Wallets;
use crate::page::installation::wallet_links::WalletLinks;
use crate::shell::{Failed, load};
use crate::text::installation as words;
use crate::ui::{Empty, Icon, PageHead};

#[component]
pub(crate) fn Installation() -> impl IntoView {
    let chains = load::<ListInstallationChains>(|| Some(api::plain()));
    let wallets = load::<ListHotWallets>(|| Some(api::plain()));
    chains.reload_while(|| true, REFRESH);
    wallets.reload_while(|| true, REFRESH);
    let ids = Memo::new(move |_| {
        chains.read(|chains| chains.iter().map(|chain| chain.id).collect::<Vec<_>>())
    });
    let failed = chains.failed();
    let proxies = RwSignal::new(None::<ChainId>);
    view! {
        <div class="page">
            <PageHead title=words::chains_and_wallet() lead=words::lead() />
            <Wallets wallets=wallets />
            {move || failed.get().map(|failure| view! { <Failed failure=failure retry=Some(chains.retry()) /> })}
            <Show when=move || chains.is_loading().get()>
                <section class="panel" aria-busy="true"><div class="panel-body stack"><span class="bone b3 tall"></span><span class="bone plot"></span></div></section>
            </Show>
            <Show when=move || ids.with(|ids| ids.as_ref().is_some_and(Vec::is_empty))>
                <section class="panel"><Empty picture=Icon::Chain title=words::no_chains() hint=words::no_chains_hint() /></section>
            </Show>
            <For each=move || ids.get().unwrap_or_default() key=|id| id.get() let:id>
                <ChainPanel id=id chains=chains proxies=proxies />
            </For>
            <Transactions chains=chains />
            <WalletLinks />
            <ProxiesDialog of=proxies chains=chains />
        </div>
    }
}
