//! Options of forms: records of a list, accounts, chains, currencies.

use leptos::prelude::*;
use leptos::reactive::owner::{Owner, WeakOwner};
use leptos::task::spawn_local;
use settlekit_core::account::{Account, ListAccounts};
use settlekit_core::chain::{ChainDetail, ExplorerUrl, ListChains};
use settlekit_core::field::Nothing;
use settlekit_core::operation::{NoPath, Operation};
use settlekit_core::page::{LIMIT_MAX, ListQuery, Page, PageNumber, Sort};
use settlekit_core::value::{ChainId, Currency, Param};

use crate::api;
use crate::form::Form;
use crate::record::account::account_label;
use crate::remote::Remote;
use crate::session::Session;
use crate::shell::{Loaded, load, load_failure, load_with};
use crate::text;
use crate::ui::{Notice, Options, Tone, outside_link, test_money};

/// Maximum number of records offered: longer lists are unusable.
const OFFERED_MAX: usize = 1_000;

/// Page size for loading.
const PAGE_SIZE: usize = LIMIT_MAX as usize;

/// A list of options, oldest first. The first page stays current; the following pages are loaded once, one at a time.
pub(crate) fn load_options<O, T>() -> Loaded<Page<T>>
where
    O: Operation<Path = NoPath, Query = ListQuery, Body = Nothing, Response = Page<T>>,
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let session = Session::from_context();
    let ask = |page: usize| {
        api::with_query::<O>(ListQuery {
            page: PageNumber::from_text(&page.to_string()).ok(),
            sort: Some(Sort::Ascending),
            ..ListQuery::default()
        })
    };
    let further: StoredValue<Vec<T>> = StoredValue::new(Vec::new());
    let all = load_with::<O>(
        move || Some(ask(1)),
        move |mut first| {
            // The form may be gone.
            further.try_with_value(|further| first.items.extend(further.iter().cloned()));
            first
        },
    );
    let asking = StoredValue::new(false);
    Effect::new(move || {
        let held = all.state.with(|state| {
            let page = state.ready()?;
            let held = page.items.len();
            let more = (held as u64) < page.total;
            (more && (PAGE_SIZE..OFFERED_MAX).contains(&held)).then_some(held)
        });
        let Some(held) = held.filter(|_| !asking.get_value()) else {
            return;
        };
        asking.set_value(true);
        spawn_local(async move {
            let answer = api::call(session, ask(held / PAGE_SIZE + 1)).await;
            asking.try_set_value(false);
            let newer = match answer {
                Ok(page) => page
                    .items
                    .into_iter()
                    .skip(held % PAGE_SIZE)
                    .collect::<Vec<_>>(),
                Err(failure) => {
                    all.state.try_set(Remote::Failed(failure));
                    return;
                }
            };
            if newer.is_empty() {
                return;
            }
            further.try_update_value(|further| further.extend(newer.iter().cloned()));
            all.state.try_update(|state| {
                if let Remote::Ready(page) = state {
                    page.items.extend(newer);
                }
            });
        });
    });
    all
}

pub(crate) fn accounts() -> Loaded<Page<Account>> {
    load_options::<ListAccounts, Account>()
}

/// Reactive owner of shared records: that of the shell.
#[derive(Clone)]
struct ShellOwner(WeakOwner);

/// Shares the loaded chains with all views below.
pub(crate) fn share_chains() {
    if let Some(owner) = Owner::current() {
        provide_context(ShellOwner(owner.downgrade()));
    }
}

/// Chains and assets, loaded by the first page that needs them and shared with the others.
pub(crate) fn chains() -> Loaded<Vec<ChainDetail>> {
    let ask = || {
        let chains = load::<ListChains>(|| Some(api::plain()));
        provide_context(chains);
        chains
    };
    let kept = use_context::<Loaded<Vec<ChainDetail>>>();
    if let Some(kept) = kept {
        // Retry if another page failed to load them.
        if kept.state.with_untracked(|state| state.failed().is_some()) {
            kept.retry().run(());
        }
    }
    kept.unwrap_or_else(|| {
        let owner = use_context::<ShellOwner>().and_then(|ShellOwner(owner)| owner.upgrade());
        match owner {
            Some(owner) => owner.with(ask),
            None => ask(),
        }
    })
}

/// Name of a chain; empty while the chains are loading, the id if the name is unknown. Tracked.
pub(crate) fn name_of_chain(chains: Loaded<Vec<ChainDetail>>, id: ChainId) -> String {
    chains.state.with(|chains| {
        if chains.is_loading() {
            return String::new();
        }
        let mut all = chains.ready().into_iter().flatten();
        all.find(|chain| chain.id == id)
            .map_or_else(|| id.to_string(), |chain| chain.name.clone())
    })
}

/// Name of a chain, marked if its money has no value.
pub(crate) fn chain_name(id: ChainId) -> AnyView {
    let chains = chains();
    let is_test = move || {
        chains.read(|chains| {
            let mut chains = chains.iter();
            chains.any(|chain| chain.id == id && chain.test_network == Some(true))
        })
    };
    view! { {move || name_of_chain(chains, id)}{move || (is_test() == Some(true)).then(test_money)} }
        .into_any()
}

/// Opens the page of a transaction at the chain's block explorer; nothing without one. Tracked.
pub(crate) fn transaction_link(chain: ChainId, hash: &str) -> AnyView {
    let hash = hash.to_owned();
    explorer_link(chain, move |explorer| explorer.transaction(&hash))
}

/// Opens the page of an address at the chain's block explorer; nothing without one. Tracked.
pub(crate) fn address_link(chain: ChainId, address: &str) -> AnyView {
    let address = address.to_owned();
    explorer_link(chain, move |explorer| explorer.address(&address))
}

fn explorer_link(
    chain: ChainId,
    page: impl Fn(&ExplorerUrl) -> Option<String> + Send + Sync + 'static,
) -> AnyView {
    let chains = chains();
    let explorer = move || {
        let url = chains.read(|chains| {
            let chain = chains.iter().find(|one| one.id == chain)?;
            chain.explorer_url.clone()
        });
        url.flatten()?.parse::<ExplorerUrl>().ok()
    };
    (move || Some(outside_link(page(&explorer()?)?))).into_any()
}

/// A select value for a currency on a chain, `USDC 8453`, or on any chain, `USDC`.
pub(crate) fn asset_value(currency: &Currency, chain: ChainId) -> String {
    format!("{currency} {chain}")
}

/// Currency and chain of such a value; each may be empty.
pub(crate) fn asset_halves(value: &str) -> (&str, &str) {
    value.split_once(' ').unwrap_or((value, ""))
}

/// A checkbox for one of several options.
pub(crate) fn option_checkbox<T: Copy + PartialEq + Send + Sync + 'static>(
    form: Form,
    name: &'static str,
    one: T,
    picked: RwSignal<Vec<T>>,
    words: AnyView,
) -> AnyView {
    let change = move |event: web_sys::Event| {
        let on = event_target_checked(&event);
        form.clear_error(name);
        picked.update(|picked| {
            picked.retain(|other| *other != one);
            if on {
                picked.push(one);
            }
        });
    };
    view! {
        <label class="check">
            <input type="checkbox" prop:checked=move || picked.with(|picked| picked.contains(&one)) on:change=change />
            {words}
        </label>
    }
    .into_any()
}

/// Notes that there are more records than options.
pub(crate) fn truncation_note<T: Send + Sync + 'static>(offered: Loaded<Page<T>>) -> AnyView {
    (move || {
        let (shown, total) = offered.read(|page| (page.items.len(), page.total))?;
        let words = (shown >= OFFERED_MAX && total > shown as u64)
            .then(|| text::money::first_offered(shown, total))?;
        Some(view! { <p class="quiet">{words}</p> })
    })
    .into_any()
}

/// A failed load, or the truncation note.
pub(crate) fn options_failure<T: Send + Sync + 'static>(offered: Loaded<Page<T>>) -> AnyView {
    view! { {load_failure(offered)}{truncation_note(offered)} }.into_any()
}

/// [`options_failure`] for accounts; without any account, a link to create one.
pub(crate) fn account_options_failure(accounts: Loaded<Page<Account>>) -> AnyView {
    let none = Memo::new(move |_| accounts.read(|page| page.total) == Some(0));
    view! {
        {options_failure(accounts)}
        <Show when=move || none.get()>
            <Notice tone=Tone::Warn title=text::money::account_first()>
                <p>{text::money::account_first_why()}</p>
                <div class="row"><a data-scope="write" class="button small" href="/accounts/new">{text::money::create_account()}</a></div>
            </Notice>
        </Show>
    }
    .into_any()
}

/// Accounts that match a condition, by id.
pub(crate) fn account_options(
    accounts: Loaded<Page<Account>>,
    wanted: fn(&Account) -> bool,
) -> Options {
    Signal::derive(move || {
        let options = accounts.read(|page| {
            let offered = |account: &&Account| account.deleted_at.is_none() && wanted(account);
            let offered = page.items.iter().filter(offered);
            offered
                .map(|account| (account.id.to_string(), account_label(account)))
                .collect()
        });
        options.unwrap_or_default()
    })
}

/// Account with this id. Tracked.
pub(crate) fn account_of(accounts: Loaded<Page<Account>>, id: &str) -> Option<Account> {
    let found = accounts.read(|page| {
        let mut items = page.items.iter();
        items.find(|account| account.id.to_string() == id).cloned()
    });
    found.flatten()
}

/// Chain of an account; empty if it has none.
pub(crate) fn chain_of(account: Memo<Option<Account>>) -> String {
    let chain = account.with_untracked(|account| account.as_ref()?.chain_id);
    chain.map(|chain| chain.to_string()).unwrap_or_default()
}

pub(crate) fn currencies_of(account: Memo<Option<Account>>) -> Options {
    Signal::derive(move || {
        let currencies = account.with(|account| {
            let taken = account.iter().flat_map(|account| &account.currencies);
            taken.map(ToString::to_string).collect()
        });
        same_labels(currencies)
    })
}

pub(crate) fn chain_options(chains: Loaded<Vec<ChainDetail>>) -> Options {
    Signal::derive(move || {
        let option = |chain: &ChainDetail| (chain.id.to_string(), chain.name.clone());
        let options = chains.read(|chains| chains.iter().map(option).collect());
        options.unwrap_or_default()
    })
}

/// Currencies on a chain, or on all chains if `chain` is empty. Tracked.
pub(crate) fn currencies_on(chains: Loaded<Vec<ChainDetail>>, chain: &str) -> Vec<String> {
    let currencies = chains.read(|chains| {
        let on_chain = |detail: &&ChainDetail| chain.is_empty() || detail.id.to_string() == chain;
        currencies_of_chains(chains.iter().filter(on_chain))
    });
    currencies.unwrap_or_default()
}

/// Currencies of some chains, sorted.
pub(crate) fn currencies_of_chains<'a>(
    chains: impl Iterator<Item = &'a ChainDetail>,
) -> Vec<String> {
    let assets = chains.flat_map(|chain| &chain.assets);
    let mut all: Vec<String> = assets.map(|asset| asset.symbol.to_string()).collect();
    all.sort();
    all.dedup();
    all
}

/// Options whose labels equal their values.
pub(crate) fn same_labels(words: Vec<String>) -> Vec<(String, String)> {
    words.into_iter().map(|word| (word.clone(), word)).collect()
}

pub(crate) fn currency_list(currencies: &[Currency]) -> String {
    let words: Vec<String> = currencies.iter().map(ToString::to_string).collect();
    words.join(", ")
}
