//! Sub-merchants of a partner, and one with its balances and the pages that act on its behalf.

use leptos::prelude::*;
use settlekit_core::account::{ListAllMovements, ListMovementsQuery, Movement};
use settlekit_core::page::{LIMIT_MAX, Limit, ListQuery, Page};
use settlekit_core::partner::{
    Balance, ListPartnerBalances, ListPartnerBalancesPath, ListSubMerchants, ListSubMerchantsQuery,
    SubMerchant,
};
use settlekit_core::value::AccountKey;

use crate::api;
use crate::list::{
    Column, Exporter, FilterBar, FilterSpec, Pager, RecordDrawer, RecordSkeleton, Table, TableSpec,
    exact, link_row,
};
use crate::page::acting::{Acting, links_for};
use crate::session::Session;
use crate::shell::{Loaded, Location, load, load_failure, name};
use crate::text::{self, money as words};
use crate::ui::{Empty, Facts, Icon, Notice, PageHead, Tone, dollars, status_badge};

/// Maximum number of accounts whose balances are shown.
const ACCOUNTS_MAX: usize = 10;

fn status(shop: &SubMerchant) -> AnyView {
    let word = if shop.suspended {
        "Suspended"
    } else {
        "Active"
    };
    status_badge(word, None).into_any()
}

fn table_spec() -> TableSpec<SubMerchant> {
    TableSpec {
        caption: words::sub_merchants(),
        columns: vec![
            Column::text(text::name(), "grow title", |shop| Some(shop.name.clone())),
            Column::exact(text::balance(), "end", |shop| {
                exact(dollars(shop.balance_usd?), "USD")
            }),
            Column::exact(text::reserved(), "end quiet skip-narrow", |shop| {
                exact(dollars(shop.reserved_usd?), "USD")
            }),
            Column::new(text::status(), "second", status),
            Column::id(words::organisation_id(), "named", |shop| {
                Some(shop.id.to_string())
            }),
            Column::time(text::created(), "fit named", |shop| Some(shop.created_at)),
        ],
        id: |shop| shop.id.to_string(),
    }
}

fn balance_spec() -> TableSpec<Balance> {
    TableSpec {
        caption: text::balances(),
        columns: vec![
            Column::text(text::currency(), "title", |balance| {
                Some(balance.currency.to_string())
            }),
            Column::text(text::chain(), "quiet second", |balance| {
                Some(balance.chain.name.clone())
            }),
            Column::exact(text::available(), "end", |balance| {
                exact(balance.amount, balance.currency.as_str())
            }),
            Column::exact(text::in_dollars(), "end quiet second", |balance| {
                exact(dollars(balance.amount_usd?), "USD")
            }),
        ],
        id: |balance| {
            let (account, chain) = (balance.account_id, balance.chain.id);
            format!("{account} {} {chain}", balance.currency)
        },
    }
}

/// Accounts of movements, newest first. The accounts of a sub-merchant are in no list that its partner may read.
fn accounts_of(movements: &[Movement]) -> Vec<AccountKey> {
    let mut accounts: Vec<AccountKey> = Vec::new();
    for movement in movements {
        let reference = movement.account_reference.clone();
        let key = reference.map_or(AccountKey::Id(movement.account_id), AccountKey::Reference);
        if !accounts.contains(&key) {
            accounts.push(key);
        }
    }
    accounts.truncate(ACCOUNTS_MAX);
    accounts
}

#[component]
pub(crate) fn SubMerchants() -> impl IntoView {
    let location = Location::from_context();
    let acting = Acting::from_parameter(name::OPEN);
    let ask = move |list: ListQuery| {
        let search = location.get(name::SEARCH);
        Some(api::with_query::<ListSubMerchants>(ListSubMerchantsQuery {
            list,
            search,
        }))
    };
    let shops = load(move || ask(location.list()));
    let opened = Signal::derive(move || location.get(name::OPEN));
    let title = Signal::derive(move || {
        let id = opened.get().unwrap_or_default();
        found(shops, &id).map_or(id, |shop| shop.name)
    });
    view! {
        <div class="page">
            <PageHead title=words::sub_merchants() lead=words::sub_merchants_why() />
            <FilterBar filters=vec![FilterSpec::search(words::search_sub_merchants())] />
            <section class="panel" aria-label=words::sub_merchants()>
                <Table
                    spec=table_spec() rows=shops.items() busy=shops.busy retry=shops.retry() opened=opened
                    open=Callback::new(move |id| location.open(Some(id)))
                    empty=ViewFn::from(move || empty(location))
                />
                <Pager total=shops.total() shown=shops.shown() export=Some((Exporter::of(ask), "sub-merchants")) />
            </section>
            <RecordDrawer title=title>
                {move || acting.known().map(|id| view! { <OneSubMerchant id=id shops=shops /> })}
                <Show when=move || acting.malformed.get()>
                    <Notice tone=Tone::Bad title=words::not_an_organisation()>{words::not_an_organisation_why()}</Notice>
                </Show>
            </RecordDrawer>
        </div>
    }
}

fn empty(location: Location) -> AnyView {
    let (title, hint) = match location.get(name::SEARCH) {
        Some(_) => (text::no_match(), text::no_match_hint()),
        None => (words::no_sub_merchants(), words::no_sub_merchants_hint()),
    };
    view! { <Empty picture=Icon::Partner title=title hint=hint /> }.into_any()
}

/// The sub-merchant with this id, if it is on the page of the list.
fn found(shops: Loaded<Page<SubMerchant>>, id: &str) -> Option<SubMerchant> {
    let found = shops.read(|page| {
        let mut items = page.items.iter();
        items.find(|shop| shop.id.to_string() == id).cloned()
    });
    found.flatten()
}

#[component]
fn OneSubMerchant(id: String, shops: Loaded<Page<SubMerchant>>) -> impl IntoView {
    // Before the first request.
    Session::from_context().acting_for.set(Some(id.clone()));
    let links = links_for(&id);
    let facts = move || {
        let facts = Facts::default().id(words::organisation_id(), id.clone());
        let facts = match found(shops, &id) {
            Some(shop) => facts
                .with(text::status(), status(&shop))
                .time(text::created(), shop.created_at),
            None => facts,
        };
        facts.view()
    };
    let movements = load::<ListAllMovements>(|| {
        let mut query = ListMovementsQuery::default();
        query.list.limit = Limit::new(LIMIT_MAX);
        Some(api::with_query(query))
    });
    let loading = movements.is_loading();
    let accounts = Memo::new(move |_| movements.read(|page| accounts_of(&page.items)));
    let balances = move || {
        let accounts = accounts.get()?;
        if accounts.is_empty() {
            return Some(view! { <p class="quiet">{text::no_movements()}</p> }.into_any());
        }
        let of = |account: AccountKey| view! { <AccountBalances account=account /> };
        let all = accounts.into_iter().map(of).collect_view();
        Some(view! { <p class="quiet">{words::balances_of_latest()}</p>{all} }.into_any())
    };
    view! {
        {facts}
        {link_row(links)}
        {load_failure(movements)}
        <Show when=move || loading.get()><RecordSkeleton /></Show>
        {balances}
    }
}

/// Balances of an account of the sub-merchant.
#[component]
fn AccountBalances(account: AccountKey) -> impl IntoView {
    let title = match &account {
        AccountKey::Id(id) => text::account_of(id.get()),
        AccountKey::Reference(reference) => reference.to_string(),
    };
    let balances = load::<ListPartnerBalances>(move || {
        let account_ref = account.clone();
        Some(api::at(ListPartnerBalancesPath { account_ref }))
    });
    let rows = Signal::derive(move || {
        balances
            .state
            .with(|state| state.map(|all| all.balances.clone()))
    });
    view! {
        <section class="stack-tight">
            <h3 class="section-title">{title}</h3>
            <div class="inset">
                <Table spec=balance_spec() rows=rows busy=balances.busy retry=balances.retry() empty=ViewFn::from(|| view! { <p class="panel-body quiet">{text::no_balances()}</p> }) />
            </div>
        </section>
    }
}
