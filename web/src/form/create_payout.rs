//! A new payout, with its estimated cost and a confirmation before it is sent.

use leptos::prelude::*;
use settlekit_core::account::{AccountPath, GetAccount};
use settlekit_core::call::Arguments;
use settlekit_core::external_account::{
    ExternalAccount, ExternalAccountType, ListExternalAccounts,
};
use settlekit_core::operation::Scope;
use settlekit_core::payment::Payment;
use settlekit_core::payout::{CreatePayout, EstimatePayout, EstimatePayoutQuery, PayoutEstimate};
use settlekit_core::value::{AccountKey, Amount, ChainId, Param};

use crate::api;
use crate::form::{
    FieldKind, Form, FormView, MetadataField, MoneyFailure, PageButtons, SelectField, TextField,
    account_of, account_options, account_options_failure, accounts, chain_name, chain_options,
    chains, currencies_of, load_options, options_failure,
};
use crate::list::{RecordDetails, RecordSkeleton};
use crate::record::account::{account_label, may_pay_out};
use crate::session::{RequiredConnection, Session};
use crate::shell::{Location, load, load_failure};
use crate::text::{self, money as words, payout};
use crate::ui::{Confirm, Facts, Icon, Notice, Options, Tone, amount, amount_text, shortened};

/// URL parameter with the account.
const ACCOUNT: &str = "account";
/// Option for a destination that is not saved.
const OTHER: &str = "other";

fn destination_name(account: &ExternalAccount) -> String {
    let short = account.address.as_deref().map(shortened);
    let hint = account.account_number_hint.clone();
    let name = account.name.clone().or_else(|| account.reference.clone());
    let tail = short.or(hint);
    match (name, tail) {
        (Some(name), Some(tail)) => format!("{name} · {tail}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => account.id.to_string(),
    }
}

#[component]
pub(crate) fn CreatePayoutForm(done: Callback<Payment>) -> impl IntoView {
    let (form, location) = (Form::new(), Location::from_context());
    let empty = || RwSignal::new(String::new());
    let first = untrack(|| location.get(ACCOUNT)).unwrap_or_default();
    let account = form.input("account", FieldKind::Text, first);
    let (total, currency) = (form.text("amount"), form.text("currency"));
    let (to, address, chain) = (empty(), empty(), empty());
    let accounts = accounts();
    let chains = chains();
    let destinations = load_options::<ListExternalAccounts, ExternalAccount>();
    // The account named in the URL may not be among the first.
    let named = load::<GetAccount>(move || {
        let account = location.param::<AccountKey>(ACCOUNT)?;
        Some(api::at(AccountPath { account }))
    });
    let named = named.ready();
    let sandbox = Session::from_context()
        .record()
        .is_none_or(|record| record.sandbox);
    let own: Options = match sandbox {
        true => account_options(accounts, |account| {
            account.enabled && may_pay_out(account, true)
        }),
        false => account_options(accounts, |account| {
            account.enabled && may_pay_out(account, false)
        }),
    };
    let from = Signal::derive(move || {
        let mut all = own.get();
        let named = named
            .get()
            .map(|one| (one.id.to_string(), account_label(&one)));
        all.extend(named.filter(|(id, _)| all.iter().all(|(other, _)| other != id)));
        all
    });
    let chosen = Memo::new(move |_| {
        let id = account.get();
        account_of(accounts, &id).or_else(|| named.get().filter(|one| one.id.to_string() == id))
    });
    let onto = Signal::derive(move || {
        let usable =
            |one: &&ExternalAccount| one.enabled && one.r#type == ExternalAccountType::Digital;
        let option = |one: &ExternalAccount| (one.id.to_string(), destination_name(one));
        let all = destinations.read(|page| page.items.iter().filter(usable).map(option).collect());
        let mut all: Vec<(String, String)> = all.unwrap_or_default();
        all.push((OTHER.to_owned(), words::other_address().to_owned()));
        all
    });
    let other = Memo::new(move |_| to.get() == OTHER);
    // The chain: that of the destination, the chosen one, or the account's.
    let chain_of = move || {
        let to = to.get();
        if to == OTHER {
            return chain.get();
        }
        let of_destination = destinations.read(|page| {
            let one = page.items.iter().find(|one| one.id.to_string() == to)?;
            one.chain_id
        });
        of_destination
            .flatten()
            .or_else(|| chosen.with(|chosen| chosen.as_ref()?.chain_id))
            .map(|id| id.to_string())
            .unwrap_or_default()
    };
    // Another account may have another chain and other currencies.
    Effect::new(move |_| {
        let Some(account) = chosen.get() else { return };
        let held = account.currencies;
        let now = currency.get_untracked();
        if held.iter().all(|one| one.as_str() != now) {
            let first = held.first().map(ToString::to_string);
            currency.set(first.unwrap_or_default());
        }
        if let Some(id) = account.chain_id {
            chain.set(id.to_string());
        }
    });
    let wanted = Memo::new(move |_| {
        Some(EstimatePayoutQuery {
            account: AccountKey::from_text(&account.get()).ok()?,
            amount: total
                .with(|text| text.trim().parse::<Amount>())
                .ok()
                .filter(|amount| amount.is_positive())?,
            currency: currency.with(|text| text.parse()).ok()?,
            chain_id: Param::from_text(&chain_of()).ok()?,
        })
    });
    let estimate = load::<EstimatePayout>(move || wanted.get().map(api::with_query));
    // The merchant's own wallet signs: nothing is sent here.
    let own_wallet = Memo::new(move |_| {
        chosen.with(|chosen| chosen.as_ref().is_some_and(|account| !account.is_held()))
    });
    let by_key = Memo::new(move |_| {
        chosen.with(|chosen| {
            chosen
                .as_ref()
                .is_some_and(|account| account.xpub.is_some())
        })
    });
    let title = Signal::derive(move || match own_wallet.get() {
        true => payout::prepare_ask().to_owned(),
        false => words::payout_ask_word().to_owned(),
    });
    let confirming = RwSignal::new(false);
    // Exactly the reviewed arguments are sent.
    let (reviewed, question) = (StoredValue::new(Arguments::default()), empty());
    let send = Callback::new(move |()| {
        form.send::<CreatePayout>(reviewed.get_value(), move |payout| done.run(payout));
    });
    // An estimate for other field values does not count.
    let fits = Memo::new(move |_| {
        wanted.with(|wanted| {
            estimate.state.with(|state| match (wanted, state.ready()) {
                (Some(wanted), Some(found)) => {
                    !estimate.busy.get()
                        && found.amount == wanted.amount
                        && found.currency == wanted.currency
                }
                _ => true,
            })
        })
    });
    let consequence = move || {
        let total: Option<Amount> = total.with_untracked(|text| text.trim().parse()).ok();
        let money = total.map_or_else(String::new, |total| {
            amount_text(&total, &currency.get_untracked())
        });
        let name = |options: Options, id: &str| {
            let found = options.get_untracked().into_iter().find(|one| one.0 == id);
            found.map(|(_, name)| name)
        };
        let (mine, to) = (account.get_untracked(), to.get_untracked());
        let from = name(from, &mine).unwrap_or(mine);
        let to = if to == OTHER {
            address.get_untracked()
        } else {
            name(onto, &to).unwrap_or_default()
        };
        match own_wallet.get_untracked() {
            true => payout::prepare_why(&money, &from, &to),
            false => {
                let ask = words::payout_ask(&money, &from, &to);
                let costs = estimate
                    .state
                    .with_untracked(|state| state.ready().and_then(costs_text));
                match costs.filter(|_| fits.get_untracked()) {
                    Some(costs) => format!("{ask} {costs}"),
                    None => ask,
                }
            }
        }
    };
    // Why the service would refuse it after the password. For an extended public key it names the most that one address has.
    let shortfall = move || {
        let estimated = wanted.with(Option::is_some) && fits.get() && !by_key.get();
        let short = |found: &PayoutEstimate| {
            let available = amount_text(&found.available, found.currency.as_str());
            (!found.covered).then(|| words::payout_exceeds(&available))
        };
        estimate.read(short).flatten().filter(|_| estimated)
    };
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let to = to.get_untracked();
        let fields = if to == OTHER {
            fields
                .text("address", &address.get_untracked())
                .number("chain_id", &chain.get_untracked())
        } else {
            fields.number("external_account_id", &to)
        };
        let arguments = fields.body();
        if !form.is_valid::<CreatePayout>(&arguments) {
            return;
        }
        if let Some(shortfall) = untrack(shortfall) {
            return form.set_error("amount", shortfall);
        }
        reviewed.set_value(arguments);
        question.set(consequence());
        confirming.set(true);
    });
    view! {
        <FormView form=form class="columns wide-narrow" scope=Scope::Payout needs=RequiredConnection::Chain shows_failure=true submit=submit>
            <section class="panel"><div class="panel-body stack">
                <MoneyFailure form=form look=("/payouts", words::look_in_payouts()) />
                {account_options_failure(accounts)}{options_failure(destinations)}{load_failure(chains)}
                <div class="fields two">
                    <SelectField form=form name="account" label=words::from_account() value=account options=from waits=accounts.is_loading() whole=true />
                    <TextField form=form name="amount" label=text::amount() value=total kind="decimal" hint=words::payout_amount_hint() />
                    <SelectField form=form name="currency" label=text::currency() value=currency options=currencies_of(chosen) none=words::choose_account_first() />
                    <SelectField form=form name="external_account_id" label=text::to() value=to options=onto waits=destinations.is_loading() whole=true />
                    <Show when=move || other.get()>
                        <TextField form=form name="address" label=words::address() value=address whole=true hint=words::address_hint() />
                        <SelectField form=form name="chain_id" label=text::chain() value=chain options=chain_options(chains) waits=chains.is_loading() whole=true />
                    </Show>
                    <TextField form=form name="reference" label=text::reference() hint=words::own_name_hint() optional=true whole=true />
                    <MetadataField form=form />
                </div>
                <PageButtons form=form scope=Scope::Payout act=words::review_payout() picture=Icon::Payout list="/payouts" />
            </div></section>
            <aside class="panel sticky" aria-label=words::estimate()>
                <div class="panel-head">
                    <h2>{words::estimate()}</h2>
                    {move || ChainId::from_text(&chain_of()).ok().map(|chain| view! { <p>{chain_name(chain)}</p> })}
                </div>
                <div class="panel-body stack" aria-live="polite">
                    {move || if wanted.with(Option::is_none) {
                        view! { <p class="quiet">{words::estimate_needs()}</p> }.into_any()
                    } else if fits.get() {
                        let show: fn(&PayoutEstimate) -> AnyView = match (by_key.get(), own_wallet.get()) {
                            (true, _) => costs_of_key,
                            (_, true) => costs_of_own_wallet,
                            _ => costs,
                        };
                        view! { <RecordDetails loaded=estimate show=show /> }.into_any()
                    } else {
                        view! { <RecordSkeleton /> }.into_any()
                    }}
                </div>
            </aside>
        </FormView>
        {move || {
            let act = if own_wallet.get() { payout::prepare() } else { words::send_payout() };
            view! { <Confirm open=confirming title=title consequence=question act=act busy=form.busy on_confirm=send /> }
        }}
    }
}

/// Whether the network fee is paid in the currency of the payout.
fn is_fee_included(estimate: &PayoutEstimate) -> bool {
    estimate.fee_currency == estimate.currency
}

/// Total that the account is charged in the payout's currency, and the remaining balance; none if the balance is too small.
fn total_and_rest(estimate: &PayoutEstimate) -> Option<(Amount, Amount)> {
    let mut total = estimate.amount.plus(estimate.service_fee).ok()?;
    if is_fee_included(estimate) {
        total = total.plus(estimate.fee).ok()?;
    }
    let rest = estimate.available.minus(total).ok()?;
    (!rest.is_negative()).then_some((total, rest))
}

/// The costs as a sentence.
fn costs_text(estimate: &PayoutEstimate) -> Option<String> {
    let (total, rest) = total_and_rest(estimate)?;
    let money = |amount: Amount| amount_text(&amount, estimate.currency.as_str());
    let (charged, rest) = (money(total), money(rest));
    Some(if is_fee_included(estimate) {
        let fees = money(total.minus(estimate.amount).ok()?);
        words::payout_costs(&fees, &charged, &rest)
    } else {
        let gas = amount_text(&estimate.fee, estimate.fee_currency.as_str());
        words::payout_costs_and_gas(&charged, &gas, &rest)
    })
}

fn costs(estimate: &PayoutEstimate) -> AnyView {
    let fee = amount(&estimate.fee, estimate.fee_currency.as_str());
    let short = (words::not_covered(), words::not_covered_why());
    let sums = total_and_rest(estimate);
    costs_with(estimate, fee.into_any(), sums, text::available(), short)
}

/// The service takes no fee for a payout that the merchant's wallet sends, and the network does.
fn costs_of_own_wallet(estimate: &PayoutEstimate) -> AnyView {
    costs_with(
        estimate,
        payout::fee_in_wallet().into_any(),
        None,
        payout::in_wallet(),
        (words::not_covered(), words::not_covered_why()),
    )
}

/// As [`costs_of_own_wallet`], of a wallet with many addresses, one of which pays.
fn costs_of_key(estimate: &PayoutEstimate) -> AnyView {
    costs_with(
        estimate,
        payout::fee_in_wallet().into_any(),
        None,
        payout::at_one_address(),
        (
            payout::not_at_one_address(),
            payout::not_at_one_address_why(),
        ),
    )
}

/// The costs, with total and remaining balance, the name of the available balance, and title and text of the notice that it is too small.
fn costs_with(
    estimate: &PayoutEstimate,
    fee: AnyView,
    sums: Option<(Amount, Amount)>,
    balance: &'static str,
    (short, why): (&'static str, &'static str),
) -> AnyView {
    let currency = estimate.currency.as_str();
    let service_fee = Some(estimate.service_fee).filter(|fee| !fee.is_zero());
    let money = |exact: Amount| amount(&exact, currency);
    let facts = Facts::default()
        .with(words::arrives(), money(estimate.amount))
        .with(words::network_fee(), fee)
        .maybe(words::service_fee(), service_fee, money)
        .maybe(words::total_debit(), sums.map(|(total, _)| total), money)
        .with(balance, money(estimate.available))
        .maybe(words::balance_after(), sums.map(|(_, rest)| rest), money);
    let short = (!estimate.covered).then(|| {
        view! { <Notice tone=Tone::Warn title=short>{why}</Notice> }
    });
    view! { {facts.view()}{short} }.into_any()
}
