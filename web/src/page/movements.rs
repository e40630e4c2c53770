//! Movements of all accounts, or of one account and its sub-accounts.

use std::collections::BTreeMap;

use leptos::prelude::*;
use settlekit_core::account::{
    Account, Direction, GetMovement, ListAllMovements, ListMovements, ListMovementsPath,
    ListMovementsQuery, Movement, MovementPath, MovementStatus, MovementType,
};
use settlekit_core::chain::ChainDetail;
use settlekit_core::note::NotedRecord;
use settlekit_core::page::{CountsBy, ListQuery};
use settlekit_core::value::{AccountKey, AccountReference, Amount, MovementId, OrderId, PaymentId};

use crate::api;
use crate::form::notes::Notes;
use crate::form::{
    self, accounts, address_link, chain_name, chain_options, chains, currencies_on, same_labels,
    transaction_link, truncation_note,
};
use crate::list::filter_field::FilterText;
use crate::list::{
    Column, EmptyState, ExactAmount, Exporter, FilterBar, FilterLabel, FilterSpec, List,
    RecordDetails, RecordDrawer, RecordList, StatusTab, StatusTabs, TableSpec, actions_of,
    counts_of, exact, link_row, load_opened,
};
use crate::page::acting::{Acting, FOR, Page, SUB_MERCHANTS};
use crate::record::account::{account_label, shared_references};
use crate::session::Session;
use crate::shell::{LiveBadge, Loaded, Location, load, load_failure, name};
use crate::text;
use crate::ui::{
    Element, Facts, Icon, Id, Notice, PageHead, Tone, amount, direction_label, signed_amount,
    status_badge,
};

/// URL parameter with the account.
const ACCOUNT: &str = "account";
const TYPE: &str = "type";
const STATUS: &str = "status";
const DIRECTION: &str = "direction";
const CHAIN: &str = "chain_id";
const FILTERS: &[&str] = &[
    ACCOUNT,
    FOR,
    name::SEARCH,
    TYPE,
    STATUS,
    DIRECTION,
    CHAIN,
    name::CURRENCY,
    name::AMOUNT_FROM,
    name::AMOUNT_TO,
    name::SINCE,
    name::UNTIL,
    name::SORT,
];
/// Filters of an account's list. The account itself does not count: an account without movements is not a filter without matches.
const OF_ACCOUNT: &[&str] = FILTERS.split_at(1).1;

/// Statuses with a tab; the first is the overview's "pending".
const STATUSES: &[&str] = &[
    "Pending,Processing",
    "Confirmed",
    "Failed",
    "Refunded",
    "PartialRefunded",
];

fn table_spec() -> TableSpec<Movement> {
    TableSpec {
        caption: text::movements(),
        columns: vec![
            Column::new(text::type_(), "", |movement| {
                direction_label(movement.direction.as_str(), movement.r#type.as_str()).into_any()
            }),
            Column::exact(text::amount(), "end", |movement| {
                Some(ExactAmount {
                    amount: movement.amount,
                    currency: movement.currency.as_str(),
                    out: Some(movement.direction == Direction::Out),
                })
            }),
            Column::exact(text::fee(), "end quiet skip-narrow", |movement| {
                let currency = movement.fee_currency.as_ref()?.as_str();
                exact(movement.fee?, currency)
            }),
            Column::new(text::status(), "second", |movement| {
                status(movement).into_any()
            }),
            Column::text(text::account(), "quiet named", |movement| {
                Some(account_of(movement))
            }),
            Column::text(text::chain(), "quiet skip-narrow", |movement| {
                movement.chain.as_ref().map(|chain| chain.name.clone())
            }),
            Column::new(text::cause(), "skip-narrow", cause),
            Column::time(text::when(), "fit second", |movement| {
                Some(movement.created_at)
            }),
        ],
        id: |movement| movement.id.to_string(),
    }
}

/// The query of the URL, the same for all accounts and for one.
fn query(location: Location, list: ListQuery, counts: Option<CountsBy>) -> ListMovementsQuery {
    ListMovementsQuery {
        list,
        r#type: location.param_list(TYPE),
        status: location.param_list(STATUS),
        direction: location.param(DIRECTION),
        currency: location.param_list(name::CURRENCY),
        chain_id: location.param_list(CHAIN),
        amount_from: location.param(name::AMOUNT_FROM),
        amount_to: location.param(name::AMOUNT_TO),
        search: location.get(name::SEARCH),
        counts,
    }
}

/// Net amount of the confirmed movements by currency; omits currencies whose sum is not exact.
fn net<'a>(movements: impl Iterator<Item = &'a Movement>) -> Vec<(String, Amount)> {
    let mut sums: BTreeMap<&str, Option<(i128, u32)>> = BTreeMap::new();
    for movement in movements {
        if movement.status != MovementStatus::Confirmed {
            continue;
        }
        let sum = sums
            .entry(movement.currency.as_str())
            .or_insert(Some((0, 0)));
        *sum = sum.and_then(|(units, scale)| {
            let both = scale.max(movement.amount.scale());
            let before = Amount::from_units(units, scale).ok()?.to_units(both).ok()?;
            let more = movement.amount.to_units(both).ok()?;
            let more = if movement.direction == Direction::Out {
                more.checked_neg()?
            } else {
                more
            };
            Some((before.checked_add(more)?, both))
        });
    }
    let texts = sums.into_iter().filter_map(|(currency, sum)| {
        let (units, scale) = sum?;
        Some((currency.to_owned(), Amount::from_units(units, scale).ok()?))
    });
    texts.collect()
}

/// Status badge, with the reason of a failure as its tooltip.
fn status(movement: &Movement) -> Element {
    let failure = movement.failure.as_ref();
    status_badge(movement.status.as_str(), None)
        .optional_attr("title", failure.map(text::movement_failure))
}

fn cause(movement: &Movement) -> AnyView {
    match (&movement.entity_id, &movement.transaction_hash) {
        (Some(entity), _) => view! { <Id id=entity.clone() what=text::cause() /> }.into_any(),
        (None, Some(hash)) => view! { <Id id=hash.clone() what=text::transaction() /> }.into_any(),
        (None, None) => view! { <span class="quiet">{text::internal()}</span> }.into_any(),
    }
}

/// Account of a movement: its reference, else its id.
fn account_of(movement: &Movement) -> String {
    let reference = movement.account_reference.as_ref();
    reference.map_or_else(
        || text::account_of(movement.account_id.get()),
        ToString::to_string,
    )
}

/// Label of an unknown account.
fn unknown_account_label(key: &AccountKey) -> String {
    match key {
        AccountKey::Id(id) => text::account_of(id.get()),
        AccountKey::Reference(reference) => reference.to_string(),
    }
}

/// Names of chains by their ids, separated by commas; none until they are known.
fn chain_names(chains: Loaded<Vec<ChainDetail>>, ids: &str) -> Option<String> {
    let named = |id: &str| {
        let known = chains.read(|all| {
            let mut all = all.iter();
            let chain = all.find(|chain| chain.id.to_string() == id)?;
            Some(chain.name.clone())
        });
        known.flatten()
    };
    let names: Vec<String> = ids.split(',').map(named).collect::<Option<_>>()?;
    Some(names.join(", "))
}

fn is_among(bundles: Memo<Vec<AccountReference>>, reference: &AccountReference) -> bool {
    bundles.with(|bundles| bundles.contains(reference))
}

#[component]
pub(crate) fn Movements() -> impl IntoView {
    let location = Location::from_context();
    let acting = Acting::from_address();
    let own = Memo::new(move |_| acting.target.with(Option::is_none));
    let (accounts, chains) = (accounts(), chains());
    // Without an account, movements of all accounts are shown.
    let chosen = Memo::new(move |_| location.param::<AccountKey>(ACCOUNT));
    let bundles = Memo::new(move |_| {
        let shared = accounts.read(|page| shared_references(&page.items));
        shared.unwrap_or_default()
    });
    // A reference names the top account with it, or all accounts that it bundles.
    let meant = Memo::new(move |_| {
        let key = chosen.get()?;
        let meant = accounts.read(|page| {
            let mut items = page.items.iter();
            let account = match &key {
                AccountKey::Id(id) => items.find(|account| account.id == *id),
                AccountKey::Reference(reference) if is_among(bundles, reference) => None,
                AccountKey::Reference(reference) => items
                    .filter(|account| account.reference.as_ref() == Some(reference))
                    .min_by_key(|account| (account.parent_id.is_some(), account.id)),
            };
            account.map(|account| account.id)
        });
        meant.flatten()
    });
    // Nothing is requested for an invalid organisation; without this check it would be the user's own.
    let nobody = acting.malformed;
    let ask = move |list: ListQuery| {
        if nobody.get() {
            return None;
        }
        let account = location.param(ACCOUNT)?;
        Some(api::at_with_query::<ListMovements>(
            ListMovementsPath { account },
            query(location, list, None),
        ))
    };
    let ask_all = move |list: ListQuery, counts| {
        if location.get(ACCOUNT).is_some() || nobody.get() {
            return None;
        }
        let query = query(location, list, counts);
        Some(api::with_query::<ListAllMovements>(query))
    };
    let of_account = load(move || ask(location.list()));
    let of_all = load(move || ask_all(location.list(), Some(CountsBy::Status)));
    let movements = move || match location.get(ACCOUNT) {
        Some(_) => of_account,
        None => of_all,
    };
    let page = Memo::new(move |_| movements().state.get());
    let exporter = Exporter::of(ask).or(Exporter::of(move |list| ask_all(list, None)));
    let sums = Memo::new(move |_| {
        page.with(|page| net(page.ready().into_iter().flat_map(|page| &page.items)))
    });
    let opened = Signal::derive(move || location.get(name::OPEN));
    let open = load_opened::<GetMovement, _>(|movement_id| MovementPath { movement_id });
    let list = List {
        page: page.into(),
        busy: Signal::derive(move || movements().busy.get()),
        reload: Callback::new(move |()| {
            accounts.retry().run(());
            untrack(movements).retry().run(());
        }),
        export: (exporter, "movements"),
    };
    let counts = counts_of(&list);
    let options = move || {
        let option = |account: &Account| {
            let id = account.id;
            let selected = move || meant.get() == Some(id);
            view! { <option value=id.to_string() prop:selected=selected>{account_label(account)}</option> }
        };
        accounts.read(|page| page.items.iter().map(option).collect_view())
    };
    let together = move || {
        let option = |reference: AccountReference| {
            let key = AccountKey::Reference(reference.clone());
            let selected = move || chosen.get().as_ref() == Some(&key);
            view! { <option value=reference.to_string() prop:selected=selected>{text::bundle_of(reference.as_str())}</option> }
        };
        bundles.get().into_iter().map(option).collect_view()
    };
    // The account in the URL may not be among the options.
    let other = move || {
        let key = chosen.get().filter(|key| {
            let bundled =
                matches!(key, AccountKey::Reference(reference) if is_among(bundles, reference));
            meant.get().is_none() && !bundled
        })?;
        Some(
            view! { <option value=key.to_string() prop:selected=true>{unknown_account_label(&key)}</option> },
        )
    };
    let label = FilterLabel::new(move |name| {
        let key = chosen.get().filter(|_| name == ACCOUNT && own.get())?;
        let account = meant
            .get()
            .and_then(|id| form::account_of(accounts, &id.to_string()));
        let named = account.as_ref().map(account_label);
        Some(named.unwrap_or_else(|| unknown_account_label(&key)))
    });
    let symbols = Signal::derive(move || same_labels(currencies_on(chains, "")));
    let panel = move || {
        (!nobody.get()).then(|| view! {
            <RecordList
                spec=table_spec() list=list.clone() filters=OF_ACCOUNT
                empty=EmptyState { picture: Icon::Movements, title: text::no_movements(), text: text::no_movements_hint(), step: ("/paylinks/new", text::create_paylink()) }
            />
        })
    };
    let account_editor = move || {
        let by_reference = || {
            view! { <FilterText label=text::account() name=ACCOUNT hint=text::reference() plain=false /> }
        };
        view! {
            // The accounts of a sub-merchant are unknown.
            <Show when=move || own.get() fallback=by_reference><label class="filter">
                <span>{text::account()}</span>
                <select class="input" on:change=move |event| location.filter(ACCOUNT, Some(event_target_value(&event)))>
                    <option value="" prop:selected=move || location.get(ACCOUNT).is_none()>{text::all_accounts()}</option>
                    {together}{options}{other}
                </select>
            </label></Show>
        }
        .into_any()
    };
    let chain_label = FilterLabel::new(move |_| chain_names(chains, &location.get(CHAIN)?));
    let mut filters = vec![
        FilterSpec::search(text::search_movements()),
        FilterSpec::new(text::account(), &[ACCOUNT], account_editor).labelled(label),
        FilterSpec::picker(
            text::money::sub_merchant(),
            FOR,
            SUB_MERCHANTS,
            Icon::Partner,
        )
        .by_link(),
        FilterSpec::choice(text::type_(), TYPE, MovementType::KNOWN),
        FilterSpec::choice(text::status(), STATUS, STATUSES).in_tabs(STATUSES),
        FilterSpec::choice(text::direction(), DIRECTION, Direction::KNOWN),
        FilterSpec::options(text::chain(), CHAIN, chain_options(chains), text::any())
            .labelled(chain_label),
        FilterSpec::amounts(symbols),
    ];
    filters.extend(FilterSpec::by_date());
    let tabs = StatusTab::each(STATUS, STATUSES, text::words, counts);
    view! {
        <div class="page">
            <PageHead title=text::movements() lead=text::movements_lead()>
                // The live connection covers the user's own organisation only.
                <Show when=move || own.get()><LiveBadge /></Show>
            </PageHead>
            {acting.banner(Page::Movements, &[FOR, ACCOUNT])}
            <StatusTabs label=text::status() tabs=tabs />
            <FilterBar filters=filters />
            {load_failure(accounts)}{truncation_note(accounts)}
            <Show when=move || !sums.with(Vec::is_empty)>
                <p class="row quiet"><span>{text::net_of_page()}</span>{move || sums.get().into_iter().map(|(currency, sum)| signed_amount(&sum, &currency, None)).collect_view()}</p>
            </Show>
            {panel}
            <RecordDrawer title=Signal::derive(move || opened.get().map(|id| text::movement_of(&id)).unwrap_or_default())>
                <RecordDetails loaded=open show=details />
                // Records of a sub-merchant have no notes.
                <Show when=move || own.get()>{actions_of(open, |movement| movement.id, notes_of)}</Show>
            </RecordDrawer>
        </div>
    }
}

fn notes_of(id: MovementId) -> AnyView {
    view! { <Notes record=NotedRecord::Movement id=id.to_string() /> }.into_any()
}

/// Value when it was booked, in the organisation's own currency and in US dollars; none without a price.
fn booked_value(movement: &Movement) -> Option<AnyView> {
    let usd = movement.amount_usd.map(|usd| amount(&usd, "USD"));
    let reporting = movement
        .reporting_amount
        .zip(movement.reporting_currency.as_ref());
    match reporting.filter(|(_, currency)| currency.as_str() != "USD") {
        Some((value, currency)) => Some(
            view! { <span class="row tight">{amount(&value, currency.as_str())}<span class="quiet">{usd}</span></span> }
                .into_any(),
        ),
        None => usd.map(IntoAny::into_any),
    }
}

fn details(movement: &Movement) -> AnyView {
    // Records of a sub-merchant are not accessible.
    let own = untrack(|| Session::from_context().acting_for.get().is_none());
    let of = |prefix: &str| {
        let cause = movement.entity_id.as_ref().filter(|_| own);
        cause.filter(|id| id.starts_with(prefix))
    };
    let (payment, order) = (of(PaymentId::PREFIX), of(OrderId::PREFIX));
    let order = order.map(|id| {
        let to = format!("/trade/orders?open={id}");
        (to, Icon::Trade, text::money::open_order())
    });
    let payment = payment.map(|id| {
        let to = format!("/payments?open={id}");
        (to, Icon::Payments, text::open_payment())
    });
    let fee = movement.fee.zip(movement.fee_currency.clone());
    let chain = movement.chain.as_ref().map(|chain| chain.id);
    let at_explorer = |address: &str| chain.map(|chain| address_link(chain, address));
    let facts = Facts::default()
        .with(text::movement_id(), movement.id.to_string())
        .with(
            text::account(),
            match own {
                true => view! { <a href=format!("/accounts/{}", movement.account_id)>{account_of(movement)}</a> }.into_any(),
                false => account_of(movement).into_any(),
            },
        )
        .maybe(text::money::worth(), booked_value(movement), |value| value)
        .maybe(text::fee(), fee, |(fee, currency)| {
            amount(&fee, currency.as_str())
        })
        .id(text::cause(), movement.entity_id.clone())
        .maybe(text::chain(), chain, chain_name)
        .id_with(text::from(), movement.from_address.clone(), at_explorer)
        .id_with(text::to(), movement.to_address.clone(), at_explorer)
        .id_with(text::transaction(), movement.transaction_hash.clone(), |hash| {
            chain.map(|chain| transaction_link(chain, hash))
        })
        .time(text::recorded(), movement.created_at)
        .time(text::confirmed(), movement.confirmed_at);
    let failure = movement.failure.as_ref().map(|failure| {
        view! { <Notice tone=Tone::Warn title=text::movement_failure(failure)>{text::failed_unbooked()}</Notice> }
    });
    view! {
        <div class="lede">
            {direction_label(movement.direction.as_str(), movement.r#type.as_str())}
            {signed_amount(&movement.amount, movement.currency.as_str(), Some(movement.direction == Direction::Out))}
            {status(movement)}
        </div>
        {failure}
        {facts.view()}
        {payment.or(order).map(|way| link_row(vec![way]))}
    }
    .into_any()
}
