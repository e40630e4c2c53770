//! One account: balances, chains, pay-in addresses, deposit splits, and deletion.

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use settlekit_core::account::{
    Account as Record, AccountBalance, AccountPath, AccountState, DeleteAccount, DepositSplit,
    GetAccount, ListBalances, ListBalancesPath, ListPayInAddresses, ListPayInAddressesPath,
    PayInAddress,
};
use settlekit_core::note::NotedRecord;
use settlekit_core::page::ListQuery;
use settlekit_core::value::{AccountKey, Amount, Number, Param};

use crate::api;
use crate::form::create_pay_in_address::CreatePayInAddressForm;
use crate::form::notes::Notes;
use crate::form::prove_ownership::ProveOwnershipForm;
use crate::form::update_virtual_account::{UpdateChainsForm, UpdateSplitsForm};
use crate::form::{Form, address_link, chain_name, currency_list, form_failure, path_argument};
use crate::list::record_list::{RecordDetails as Shown, opened_record};
use crate::list::{Column, Exporter, Pager, Table, TableSpec, exact, static_table};
use crate::record::account::{
    BalanceRow, balance_rows, display_name, is_virtual, may_pay_out, status, summary_link,
    summary_name,
};
use crate::session::Session;
use crate::shell::{Live, LiveBadge, Location, load};
use crate::text::{self, money as words};
use crate::ui::{
    Confirm, Dialog, Empty, Facts, Icon, Id, Notice, PageHead, Panel, Toasts, Tone, WholeId,
    amount, breadcrumbs, dollars, icon, shortened, status_badge, timestamp, with_usual_places,
};

/// Path parameter with the account.
const ACCOUNT: &str = "account";

fn balance_spec() -> TableSpec<BalanceRow<AccountBalance>> {
    TableSpec {
        caption: text::balances(),
        columns: vec![
            Column::new(text::currency(), "title", |row| {
                row.title(&row.balance.currency, &row.balance.chain)
            }),
            Column::exact(
                text::available(),
                "end",
                |BalanceRow { balance, .. }| exact(balance.available, balance.currency.as_str()),
            ),
            Column::exact(
                text::posted(),
                "end skip-narrow",
                |BalanceRow { balance, .. }| {
                    exact(
                        with_usual_places(balance.posted, balance.currency.as_str()),
                        "",
                    )
                },
            ),
            Column::exact(
                text::reserved(),
                "end skip-narrow",
                |BalanceRow { balance, .. }| {
                    exact(
                        with_usual_places(balance.reserved, balance.currency.as_str()),
                        "",
                    )
                },
            ),
            Column::new(
                text::in_dollars(),
                "end second fit",
                |BalanceRow { balance, .. }| {
                    let last = balance.last_amount_usd.zip(balance.last_amount_at);
                    match (balance.amount_usd, last) {
                        (Some(usd), _) => amount(&dollars(usd), "USD").into_any(),
                        (None, Some((usd, at))) => view! {
                            <span class="quiet">{amount(&dollars(usd), "USD")}</span>
                            <small>{words::last_price()}": "{timestamp(at)}</small>
                        }
                        .into_any(),
                        (None, None) => ().into_any(),
                    }
                },
            ),
        ],
        id: |BalanceRow { balance, .. }| format!("{} {}", balance.account_id, balance.currency),
    }
}

fn address_spec() -> TableSpec<PayInAddress> {
    TableSpec {
        caption: words::pay_in_addresses(),
        columns: vec![
            Column::new(words::address(), "title", |one| {
                let address = one.address.clone();
                let link = address_link(one.chain_id, &address);
                view! { <span class="row tight"><Id id=address what=words::address() />{link}</span> }
                    .into_any()
            }),
            Column::new(text::chain(), "quiet named", |address| {
                chain_name(address.chain_id)
            }),
            Column::text(text::reference(), "named", |address| {
                address.reference.clone()
            }),
            Column::id(text::customer(), "named", |address| {
                address.customer_id.map(|id| id.to_string())
            }),
            Column::time(text::created(), "fit named", |address| {
                Some(address.created_at)
            }),
        ],
        id: |address| address.address.clone(),
    }
}

fn split_spec() -> TableSpec<DepositSplit> {
    TableSpec {
        caption: words::deposit_splits(),
        columns: vec![
            Column::text(words::destination(), "title", |split| {
                split
                    .account_id
                    .map(|id| text::account_of(id.get()))
                    .or_else(|| split.account_ref.clone())
                    .or_else(|| split.address.clone())
            }),
            Column::exact(words::split_percent(), "end", |split| exact(split.pct, "%")),
        ],
        id: |split| format!("{:?}", split),
    }
}

#[component]
pub(crate) fn Account() -> impl IntoView {
    let params = use_params_map();
    let key = Memo::new(move |_| AccountKey::from_text(&params.with(|all| all.get(ACCOUNT))?).ok());
    // Rebuild the page for another account, so that no input is carried over.
    move || {
        match key.get() {
        Some(key) => view! { <OneAccount key=key /> }.into_any(),
        None => view! { <div class="page"><PageHead title=text::account() /><Empty picture=Icon::Search title=text::nowhere() hint=text::nowhere_hint()><a class="button" href="/accounts">{words::accounts()}</a></Empty></div> }.into_any(),
    }
    }
}

#[component]
fn OneAccount(key: AccountKey) -> impl IntoView {
    let location = Location::from_context();
    let live = Live::from_context();
    let toasts = Toasts::from_context();
    let path = key.clone();
    let account = load::<GetAccount>(move || {
        let account = path.clone();
        Some(api::at(AccountPath { account }))
    });
    let balances = load::<ListBalances>(move || {
        let account = key.clone();
        Some(api::at(ListBalancesPath { account }))
    });
    let rows = Signal::derive(move || {
        account.state.with(|account| {
            let account = account.ready();
            balances.state.with(|state| {
                state.map(|all| {
                    balance_rows(all, account, |balance| {
                        (balance.account_id, &balance.currency, balance.chain.id)
                    })
                })
            })
        })
    });
    let title = Signal::derive(move || account.read(display_name));
    // Updates do not overwrite the user's input: a form shows the account as first loaded, and a new version only after its own
    // change.
    let opened = opened_record(account, |account| account.id.to_string());
    let (of_chains, of_splits) = (RwSignal::new(None), RwSignal::new(None));
    let changed = move |of: RwSignal<Option<Record>>| {
        Callback::new(move |newer: Record| {
            of.set(Some(newer.clone()));
            account.put(newer);
            account.reload();
            balances.reload();
        })
    };
    let form_of = move |of: RwSignal<Option<Record>>| of.get().or_else(|| opened.get());
    Effect::new(move |_| {
        if let Some(title) = title.get() {
            document().set_title(&text::title(&title));
        }
    });
    let live_on = Memo::new(move |_| account.read(|one| one.deleted_at.is_none()) == Some(true));
    let virtual_on = Memo::new(move |_| live_on.get() && account.read(is_virtual) == Some(true));
    let watched =
        Memo::new(move |_| live_on.get() && account.read(Record::may_receive) == Some(false));
    let proven = Callback::new(move |newer: Record| {
        toasts.say(words::ownership_proven().to_owned());
        account.put(newer);
        account.reload();
    });
    let splits = Memo::new(move |_| {
        let is_shown = live_on.get() && !virtual_on.get();
        let splits = account.read(|account| account.deposit_splits.clone());
        splits.flatten().filter(|_| is_shown)
    });
    let empty_balances = || {
        view! { <Empty picture=Icon::Accounts title=text::no_balances() hint=text::no_balances_hint() /> }
    };
    let above = move || {
        let parent = account.read(|account| account.parent.clone()).flatten();
        let parent =
            parent.map(|parent| (format!("/accounts/{}", parent.id), summary_name(&parent)));
        let accounts = ("/accounts".to_owned(), words::accounts().to_owned());
        breadcrumbs([accounts].into_iter().chain(parent))
    };
    let gone = Callback::new(move |()| {
        toasts.say(words::account_deleted().to_owned());
        live.refresh();
        location.go("/accounts", true);
    });
    view! {
        <div class="page">
            {above}
            <header class="page-head">
                <div class="page-title"><h1>{move || title.get().unwrap_or_else(|| text::account().to_owned())}</h1></div>
                <div class="actions row"><LiveBadge />{move || account.read(link_row)}</div>
            </header>
            <section class="panel"><div class="panel-body stack"><Shown loaded=account show=facts /></div></section>
            <Show when=move || account.read(|_| ()).is_some()>
                <section class="panel">
                    <div class="panel-head"><h2>{text::balances()}</h2></div>
                    <Table spec=balance_spec() rows=rows busy=balances.busy retry=balances.retry() empty=ViewFn::from(empty_balances) />
                </section>
            </Show>
            {move || watched.get().then(|| opened.get()).flatten().map(|account| view! {
                <Panel title=words::ownership_prove() why=words::ownership_why()><ProveOwnershipForm account=account proven=proven /></Panel>
            })}
            <Show when=move || virtual_on.get()>
                <Panel title=words::chains() why=words::chains_why() class="panel-body stack">
                    {move || form_of(of_chains).map(|account| view! { <UpdateChainsForm account=account done=changed(of_chains) /> })}
                </Panel>
                <Panel title=words::deposit_splits() why=words::deposit_splits_why()>
                    {move || form_of(of_splits).map(|account| view! { <UpdateSplitsForm account=account done=changed(of_splits) /> })}
                </Panel>
            </Show>
            {move || splits.get().map(|splits| view! {
                <section class="panel"><div class="panel-head"><h2>{words::deposit_splits()}</h2></div><div class="inset">{static_table(&split_spec(), &splits)}</div></section>
            })}
            {move || opened.get().map(|account| view! {
                <section class="panel"><div class="panel-body"><Notes record=NotedRecord::Account id=account.id.to_string() /></div></section>
            })}
            {move || live_on.get().then(|| opened.get()).flatten().map(|account| view! { <Addresses account=account.clone() /><Delete account=account gone=gone /> })}
        </div>
    }
}

fn link_row(account: &Record) -> AnyView {
    let id = account.id;
    let sandbox = Session::from_context()
        .record()
        .is_none_or(|record| record.sandbox);
    let may_send = may_pay_out(account, sandbox);
    view! {
        <a class="button" href=format!("/movements?account={id}")>{icon(Icon::Movements)}{text::movements()}</a>
        {may_send.then(|| view! { <a data-scope="payout" class="button" href=format!("/payouts/new?account={id}")>{icon(Icon::Payout)}{words::pay_out()}</a> })}
    }
    .into_any()
}

fn facts(account: &Record) -> AnyView {
    let fee = |fee: Option<Number>| match fee {
        Some(fee) => amount(&Amount::from(fee), "%").into_any(),
        None => view! { <span class="quiet">{words::fee_standard()}</span> }.into_any(),
    };
    let below = account.sub_accounts.clone().filter(|all| !all.is_empty()).map(|all| {
        all.into_iter()
            .map(|below| {
                let name = text::account_display_name(&below.name, &below.reference, below.id);
                let on = currency_list(&below.currencies);
                let off = (!below.enabled).then(|| status_badge(AccountState::Disabled.as_str(), None));
                let address = below.address.map(|address| view! { <span class="mono quiet">{shortened(&address)}</span> });
                view! { <li class="row"><a href=format!("/accounts/{}", below.id)>{name}</a>{address}<span class="quiet">{below.chain_id.map(chain_name)}</span><span class="quiet">{on}</span>{off}</li> }
            })
            .collect_view()
    });
    let address = match account.xpub {
        Some(_) => words::first_address(),
        None => words::address(),
    };
    let facts = Facts::default()
        .with(text::status(), status_badge(status(account), None))
        .with(
            text::type_(),
            words::account_type(&account.account_type).to_owned(),
        )
        .id(words::account_id(), account.id.to_string())
        .id(
            text::reference(),
            account.reference.clone().map(|id| id.to_string()),
        )
        .maybe(text::chain(), account.chain.as_ref(), |chain| {
            chain_name(chain.id)
        })
        .id_with(address, account.address.clone(), |address| {
            let chain = account.chain.as_ref()?;
            Some(address_link(chain.id, address))
        })
        .maybe(words::own_key(), account.xpub.as_ref(), |xpub| {
            view! { <WholeId id=xpub.as_str() what=words::own_key() /><p class="quiet">{words::derived_why()}</p> }
        })
        .with(words::currencies(), currency_list(&account.currencies))
        .maybe(words::parent(), account.parent.clone(), summary_link)
        .maybe(
            words::below(),
            below,
            |below| view! { <ul class="stack-tight">{below}</ul> },
        )
        .with(words::keys_kept(), words::provider(&account.provider))
        .time(words::ownership(), account.ownership_proven_at)
        .with(words::payin_fee(), fee(account.payin_fee_pct))
        .with(words::payout_fee(), fee(account.payout_fee_pct))
        .time(text::created(), account.created_at)
        .time(text::deleted(), account.deleted_at);
    view! { {facts.view()} }.into_any()
}

#[component]
fn Addresses(account: Record) -> impl IntoView {
    let key = AccountKey::Id(account.id);
    let location = Location::from_context();
    let ask = move |query: ListQuery| {
        let account = key.clone();
        let path = ListPayInAddressesPath { account };
        Some(api::at_with_query::<ListPayInAddresses>(path, query))
    };
    let exporter = Exporter::of(ask.clone());
    let addresses = load(move || ask(location.list()));
    let making = RwSignal::new(false);
    let made: RwSignal<Option<PayInAddress>> = RwSignal::new(None);
    let done = Callback::new(move |address: Option<PayInAddress>| {
        making.set(false);
        if address.is_some() {
            made.set(address);
            addresses.reload();
        }
    });
    let close = Callback::new(move |()| making.set(false));
    let account = StoredValue::new(account);
    view! {
        <section class="panel">
            <div class="panel-head">
                <h2>{words::pay_in_addresses()}</h2>
                <button data-scope="write" type="button" class="button small push" on:click=move |_| making.set(true)>{icon(Icon::Plus)}{words::create_address()}</button>
                <p>{words::pay_in_addresses_why()}</p>
            </div>
            {move || made.get().map(|made| view! {
                <div class="panel-body"><Notice tone=Tone::Good title=words::address_made()><WholeId id=made.address what=words::address() /></Notice></div>
            })}
            <Table spec=address_spec() rows=addresses.items() busy=addresses.busy retry=addresses.retry() empty=ViewFn::from(|| view! {
                <Empty picture=Icon::In title=words::no_pay_in_addresses() hint=words::no_pay_in_addresses_hint() />
            }) />
            <Pager total=addresses.total() shown=addresses.shown() export=Some((exporter, "pay-in-addresses")) />
        </section>
        <Dialog open=making close=close title=words::create_address()>
            <CreatePayInAddressForm account=account.get_value() done=done />
        </Dialog>
    }
}

#[component]
fn Delete(account: Record, gone: Callback<()>) -> impl IntoView {
    let form = Form::new();
    let confirming = RwSignal::new(false);
    let name = display_name(&account);
    let typed = name.clone();
    let id = account.id;
    let delete = Callback::new(move |()| {
        form.send::<DeleteAccount>(path_argument("account", id), move |_| gone.run(()));
    });
    view! {
        <Panel title=words::delete_account() why=words::delete_account_why() class="panel-body stack">
            {form_failure(form)}
            <div class="row"><button data-scope="write" type="button" class="button danger" disabled=form.busy on:click=move |_| confirming.set(true)>{icon(Icon::Bin)}{words::delete_account()}</button></div>
        </Panel>
        <Confirm
            open=confirming title=words::delete_account_of(&name) consequence=words::delete_account_consequence()
            name=typed act=words::delete_account() busy=form.busy on_confirm=delete
        />
    }
}
