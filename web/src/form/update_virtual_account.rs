//! Virtual account changes: chains and deposit splits, with their consequences shown before saving.

use leptos::prelude::*;
use serde_json::{Value, json};
use settlekit_core::account::{Account, DepositSplit, UpdateVirtualAccount};
use settlekit_core::chain::ChainDetail;
use settlekit_core::operation::Scope;
use settlekit_core::value::{Amount, ChainId};

use crate::form::{
    Allowed, DecimalInput, Fields, Form, FormView, account_options, accounts, chains,
    currencies_of_chains, form_failure, options_failure,
};
use crate::session::RequiredConnection;
use crate::shell::{Live, load_failure};
use crate::text::{self, money as words};
use crate::ui::{Confirm, Icon, Options, Toasts, grouped_text, icon};

/// A chain of the account: its currencies, and whether it accepts payments.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AccountChain {
    chain: ChainId,
    currencies: Vec<String>,
    enabled: bool,
}

fn account_chains(account: &Account) -> Vec<AccountChain> {
    let held = account.sub_accounts.iter().flatten().filter_map(|below| {
        Some(AccountChain {
            chain: below.chain_id?,
            currencies: below.currencies.iter().map(ToString::to_string).collect(),
            enabled: below.enabled,
        })
    });
    held.collect()
}

/// The user's changes: added currencies, and chains to enable or disable.
#[derive(Clone, Copy)]
pub(crate) struct ChainChanges {
    cells: RwSignal<Vec<(ChainId, String)>>,
    switched: RwSignal<Vec<ChainId>>,
}

impl ChainChanges {
    pub(crate) fn new() -> Self {
        Self {
            cells: RwSignal::new(Vec::new()),
            switched: RwSignal::new(Vec::new()),
        }
    }

    /// Currencies added on a chain.
    fn on(self, chain: ChainId) -> Vec<String> {
        let on = |(of, currency): &(ChainId, String)| (*of == chain).then(|| currency.clone());
        self.cells
            .with(|cells| cells.iter().filter_map(on).collect())
    }

    /// The contract's list of chains, in the order of the first change.
    pub(crate) fn chains(self) -> Value {
        let mut ids: Vec<ChainId> = Vec::new();
        self.cells.with(|cells| {
            for (chain, _) in cells {
                if !ids.contains(chain) {
                    ids.push(*chain);
                }
            }
        });
        ids.into_iter()
            .map(|id| json!({ "chain_id": id, "currencies": self.on(id) }))
            .collect()
    }
}

/// Adds an entry to a list, or removes it.
fn toggle<T: PartialEq + Send + Sync + 'static>(list: RwSignal<Vec<T>>, entry: T) {
    list.update(|list| match list.iter().position(|other| *other == entry) {
        Some(at) => {
            list.remove(at);
        }
        None => list.push(entry),
    });
}

/// Matrix of chains and currencies. Existing currencies stay checked: a PATCH only adds.
#[component]
pub(crate) fn ChainMatrix(
    chains: Vec<ChainDetail>,
    held: Vec<AccountChain>,
    ticks: ChainChanges,
) -> impl IntoView {
    let currencies = currencies_of_chains(chains.iter());
    let with_switch = !held.is_empty();
    let heads = currencies
        .iter()
        .map(|currency| view! { <th scope="col">{currency.clone()}</th> })
        .collect_view();
    let rows = chains
        .into_iter()
        .map(|chain| {
            let id = chain.id;
            let known = held.iter().find(|held| held.chain == id).cloned();
            let switch = with_switch.then(|| {
                let cell = known.as_ref().map(|held| {
                    let enabled = held.enabled;
                    let on = move || enabled != ticks.switched.with(|list| list.contains(&id));
                    view! { <input type="checkbox" role="switch" aria-label=words::takes_payments_on(&chain.name) prop:checked=on on:change=move |_| toggle(ticks.switched, id) /> }
                });
                view! { <td>{cell}</td> }
            });
            let cells = currencies
                .iter()
                .map(|currency| {
                    let there = chain.assets.iter().any(|asset| asset.symbol.as_str() == currency);
                    let fixed = known.as_ref().is_some_and(|held| held.currencies.contains(currency));
                    let entry = (id, currency.clone());
                    let mine = entry.clone();
                    let ticked = move || fixed || ticks.cells.with(|cells| cells.contains(&mine));
                    let cell = there.then(|| view! {
                        <input
                            type="checkbox" aria-label=words::currency_on(currency, &chain.name)
                            prop:checked=ticked disabled=fixed on:change=move |_| toggle(ticks.cells, entry.clone())
                        />
                    });
                    view! { <td class:absent=!there>{cell}</td> }
                })
                .collect_view();
            view! { <tr><th scope="row">{chain.name.clone()}</th>{switch}{cells}</tr> }
        })
        .collect_view();
    view! {
        <div class="table-box" tabindex="0" role="group" aria-label=words::chains()>
            <table class="matrix">
                <thead><tr><th scope="col">{text::chain()}</th>{with_switch.then(|| view! { <th scope="col">{words::takes_payments()}</th> })}{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

/// Changes as text, and as the body's `chains` and `disable_chains`.
#[derive(Debug, Clone, Default, PartialEq)]
struct Change {
    sentences: Vec<String>,
    chains: Vec<Value>,
    disable: Vec<ChainId>,
}

fn change(all: &[ChainDetail], held: &[AccountChain], ticks: ChainChanges) -> Change {
    let mut change = Change::default();
    for chain in all {
        let mut wanted = ticks.on(chain.id);
        let list = wanted.join(", ");
        let switched = ticks.switched.with(|list| list.contains(&chain.id));
        let before = held.iter().find(|held| held.chain == chain.id);
        let sentence = match before {
            None if wanted.is_empty() => continue,
            None => words::change_add(&chain.name, &list),
            Some(before) if switched && before.enabled => {
                change.disable.push(chain.id);
                change.sentences.push(words::change_disable(&chain.name));
                continue;
            }
            // An enabled chain is sent with its existing currencies.
            Some(before) if switched => {
                wanted = [before.currencies.clone(), wanted].concat();
                words::change_enable(&chain.name, &list)
            }
            Some(_) if wanted.is_empty() => continue,
            // Naming a chain enables it.
            Some(before) if !before.enabled => words::change_enable(&chain.name, &list),
            Some(_) => words::change_more(&chain.name, &list),
        };
        let chain = json!({ "chain_id": chain.id, "currencies": wanted });
        change.chains.push(chain);
        change.sentences.push(sentence);
    }
    change
}

/// Reference of an account, which names it in the body; empty if it has none.
fn reference_of(account: &Account) -> String {
    let reference = account.reference.as_ref();
    reference.map(ToString::to_string).unwrap_or_default()
}

#[component]
pub(crate) fn UpdateChainsForm(account: Account, done: Callback<Account>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let chains = chains();
    let ticks = ChainChanges::new();
    let reference = reference_of(&account);
    let held = account_chains(&account);
    let known = held.clone();
    let plan = Memo::new(move |_| {
        let change = chains.read(|all| change(all, &held, ticks));
        change.unwrap_or_default()
    });
    let asked = RwSignal::new(false);
    let send = Callback::new(move |()| {
        let plan = plan.get_untracked();
        let disable = plan.disable.iter().map(|id| json!(id)).collect();
        let body = Fields::default()
            .text("reference", &reference)
            .list("chains", plan.chains)
            .list::<Value>("disable_chains", disable)
            .body();
        form.send::<UpdateVirtualAccount>(body, move |account| {
            toasts.say(words::chains_changed().to_owned());
            live.refresh();
            done.run(account);
        });
    });
    let nothing = move || plan.with(|plan| plan.sentences.is_empty());
    let all = chains.ready();
    view! {
        {load_failure(chains)}
        <Allowed scope=Scope::Write needs=RequiredConnection::Chain>
            {move || all.get().map(|all| view! { <ChainMatrix chains=all held=known.clone() ticks=ticks /> })}
        </Allowed>
        <div class="stack-tight" role="status">
            <h3 class="section-title">{words::what_will_change()}</h3>
            {move || if nothing() {
                view! { <p class="quiet">{words::nothing_changes()}</p> }.into_any()
            } else {
                view! { <ul class="changes">{plan.get().sentences.into_iter().map(|sentence| view! { <li>{icon(Icon::Right)}{sentence}</li> }).collect_view()}</ul> }.into_any()
            }}
        </div>
        {form_failure(form)}
        <div class="row">
            <button data-scope="write" type="button" class="button primary" disabled=move || nothing() || form.busy.get() on:click=move |_| asked.set(true)>{words::apply_changes()}</button>
        </div>
        <Confirm
            open=asked title=words::apply_changes_ask()
            consequence=Signal::derive(move || plan.with(|plan| plan.sentences.join(" ")))
            act=words::apply_changes() busy=form.busy on_confirm=send
        />
    }
}

/// An editable split. Its signals are `Copy`, so that rows can be removed while others are edited.
#[derive(Clone, Copy, PartialEq)]
struct SplitRow {
    number: u32,
    kind: RwSignal<String>,
    to: RwSignal<String>,
    percent: RwSignal<String>,
}

fn recipient_kinds() -> [(&'static str, &'static str); 3] {
    [
        ("account_id", text::account()),
        ("account_ref", text::reference()),
        ("address", words::address()),
    ]
}

fn split_row(number: u32, split: Option<&DepositSplit>) -> SplitRow {
    let to = split.and_then(|split| {
        let id = split.account_id.map(|id| ("account_id", id.to_string()));
        id.or_else(|| Some(("account_ref", split.account_ref.clone()?)))
            .or_else(|| Some(("address", split.address.clone()?)))
    });
    let (kind, to) = to.unwrap_or(("account_id", String::new()));
    SplitRow {
        number,
        kind: RwSignal::new(kind.to_owned()),
        to: RwSignal::new(to),
        percent: RwSignal::new(split.map(|split| split.pct.to_string()).unwrap_or_default()),
    }
}

/// Total of the splits and the remainder; none while a share is not a number.
fn sum(shares: &[SplitRow]) -> Option<(Amount, Amount)> {
    let mut sum = Amount::ZERO;
    for share in shares {
        let percent: Amount = share.percent.with(|text| text.trim().parse()).ok()?;
        sum = sum.plus(percent).ok()?;
    }
    Some((sum, Amount::HUNDRED.minus(sum).ok()?))
}

/// Deposit splits of a virtual account.
#[component]
pub(crate) fn UpdateSplitsForm(account: Account, done: Callback<Account>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let mine = account.id;
    let accounts = accounts();
    let options: Options = account_options(accounts, |_| true);
    let reference = reference_of(&account);
    let splits = account.deposit_splits.iter().flatten().zip(0..);
    let first: Vec<SplitRow> = splits
        .map(|(split, number)| split_row(number, Some(split)))
        .collect();
    let next = StoredValue::new(u32::try_from(first.len()).unwrap_or(0));
    let shares = RwSignal::new(first);
    let total = Memo::new(move |_| shares.with(|shares| sum(shares)));
    let too_much = move || total.get().is_some_and(|(_, stays)| stays.is_negative());
    let add = move |_| {
        let number = next.get_value();
        next.set_value(number + 1);
        shares.update(|shares| shares.push(split_row(number, None)));
    };
    let submit = Callback::new(move |()| {
        let split = |share: SplitRow| {
            let (kind, to) = (share.kind.get_untracked(), share.to.get_untracked());
            let fields = Fields::default().text("pct", &share.percent.get_untracked());
            if kind == "account_id" {
                fields.number(&kind, &to).object()
            } else {
                fields.text(&kind, &to).object()
            }
        };
        let list = shares.get_untracked().into_iter().map(split).collect();
        let body = Fields::default()
            .text("reference", &reference)
            .any_value("deposit_splits", list)
            .body();
        form.send::<UpdateVirtualAccount>(body, move |account| {
            toasts.say(words::splits_changed().to_owned());
            live.refresh();
            done.run(account);
        });
    });
    let row = move |share: SplitRow| {
        let label = words::share_number(share.number + 1);
        let percent = DecimalInput::new(share.percent);
        let to = move || {
            if share.kind.get() == "account_id" {
                view! {
                    <select class="input" aria-label=words::destination() on:change=move |event| share.to.set(event_target_value(&event))>
                        <option value="">{words::choose()}</option>
                        {move || options.get().into_iter().filter(|(id, _)| *id != mine.to_string()).map(|(id, name)| {
                            let this = id.clone();
                            view! { <option value=id selected=move || share.to.with(|to| *to == this)>{name}</option> }
                        }).collect_view()}
                    </select>
                }.into_any()
            } else {
                view! { <input class="input" aria-label=words::destination() autocomplete="off" spellcheck="false" prop:value=share.to on:input=move |event| share.to.set(event_target_value(&event)) /> }.into_any()
            }
        };
        view! {
            <div class="share" role="group" aria-label=label>
                <select class="input" aria-label=words::split_kind() on:change=move |event| { share.to.set(String::new()); share.kind.set(event_target_value(&event)); }>
                    {recipient_kinds().map(|(kind, name)| view! { <option value=kind selected=move || share.kind.get() == kind>{name}</option> })}
                </select>
                {to}
                <span class="percent"><input class="input" inputmode="decimal" aria-label=words::split_percent() autocomplete="off" prop:value=move || percent.text() on:input=move |event| percent.set_text(event_target_value(&event)) />" %"</span>
                <button type="button" class="button plain square" aria-label=words::remove_share() title=words::remove_share() on:click=move |_| shares.update(|shares| shares.retain(|other| *other != share))>{icon(Icon::Bin)}</button>
            </div>
        }
    };
    view! {
        <FormView form=form scope=Scope::Write needs=RequiredConnection::Chain shows_failure=true submit=submit>
            {options_failure(accounts)}
            <div class="stack-tight"><For each=move || shares.get() key=|share| share.number children=row /></div>
            <div class="row"><button type="button" class="button small" on:click=add>{icon(Icon::Plus)}{words::add_share()}</button></div>
            <p role="status" class:error=too_much class:quiet=move || !too_much()>
                {move || match total.get() {
                    Some((sum, stays)) if stays.is_negative() => words::splits_too_much(&grouped_text(&sum)),
                    Some((sum, stays)) => words::splits_sum(&grouped_text(&sum), &grouped_text(&stays)),
                    None => words::splits_unreadable().to_owned(),
                }}
            </p>
            {form_failure(form)}
            <div class="row"><button data-scope="write" class="button primary" disabled=move || form.busy.get() || too_much()>{text::save()}</button></div>
        </FormView>
    }
}
