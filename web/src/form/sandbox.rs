//! Forms of the sandbox: deposits, reorganisations, failing payouts, prices and faults.

use leptos::prelude::*;
use settlekit_core::error::Reason;
use settlekit_core::operation::{Operation, Scope};
use settlekit_core::sandbox::{
    CreateDeposit, CreateFault, Deposit, FailPayout, RefuseOrder, ReorganiseChain, SetPrice,
};
use settlekit_core::value::Currency;

use crate::form::{
    DialogButtons, FieldKind, Fields, Form, FormView, SelectField, TextField, account_of,
    account_options, accounts, chain_of, currencies_of, options_failure, same_labels,
};
use crate::text::{self, money, rates, sandbox as words};
use crate::ui::{Checkbox, Toasts};

/// A deposit on the simulated chain.
#[component]
pub(crate) fn CreateDepositForm(done: Callback<Deposit>) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let (account, amount) = (form.text("account"), form.text("amount"));
    let all = accounts();
    let chosen = Memo::new(move |_| account_of(all, &account.get()));
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let body = fields.number("chain_id", &chain_of(chosen)).body();
        form.send::<CreateDeposit>(body, move |made| {
            amount.set(String::new());
            toasts.say(words::sent().to_owned());
            done.run(made);
        });
    });
    let options = account_options(all, |account| account.chain_id.is_some());
    view! {
        <FormView form=form scope=Scope::Write submit=submit>
            {options_failure(all)}
            <SelectField form=form name="account" label=text::account() value=account options=options waits=all.is_loading() />
            <div class="fields two">
                <SelectField form=form name="currency" label=text::currency() options=currencies_of(chosen) none=money::choose_account_first() />
                <TextField form=form name="amount" label=text::amount() value=amount kind="decimal" />
            </div>
            <DialogButtons form=form scope=Scope::Write act=words::send() />
        </FormView>
    }
}

/// Reverts a block of the simulated chain.
#[component]
pub(crate) fn ReorganiseChainForm(
    /// Transaction hash of the last deposit made here.
    hash: RwSignal<String>,
    done: Callback<()>,
) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let returns = RwSignal::new(false);
    let submit = Callback::new(move |()| {
        let arguments = Fields::default()
            .text("transaction_hash", &hash.get_untracked())
            .value("returns", returns.get_untracked().into())
            .body();
        form.send::<ReorganiseChain>(arguments, move |_| {
            toasts.say(words::reorganised().to_owned());
            done.run(());
        });
    });
    view! {
        <FormView form=form scope=Scope::Write submit=submit>
            <TextField form=form name="transaction_hash" label=words::reorganised_hash() value=hash hint=words::reorganised_hash_hint() />
            <Checkbox label=words::reorganised_returns() value=returns />
            <div class="row"><button data-scope="write" class="button" disabled=form.busy>{words::reorganise()}</button></div>
        </FormView>
    }
}

/// Fails a payout on the simulated chain.
#[component]
pub(crate) fn FailPayoutForm(done: Callback<()>) -> impl IntoView {
    id_form::<FailPayout>(IdForm {
        name: "payment_id",
        placeholder: "pay_…",
        label: words::payout_failure_id(),
        button: words::fail_payout(),
        sent: words::payout_failed(),
        done,
    })
}

/// Has the simulated venue refuse an order.
#[component]
pub(crate) fn RefuseOrderForm(done: Callback<()>) -> impl IntoView {
    id_form::<RefuseOrder>(IdForm {
        name: "order_id",
        placeholder: "ord_…",
        label: words::order_refusal_id(),
        button: words::refuse_order(),
        sent: words::order_refused(),
        done,
    })
}

/// The only field of an operation that takes an id, and the texts of its form.
struct IdForm {
    name: &'static str,
    placeholder: &'static str,
    label: &'static str,
    button: &'static str,
    /// Said after it succeeded.
    sent: &'static str,
    done: Callback<()>,
}

fn id_form<O: Operation>(texts: IdForm) -> impl IntoView {
    let IdForm {
        name,
        placeholder,
        label,
        button,
        sent,
        done,
    } = texts;
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let id = form.text(name);
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        form.send::<O>(fields.body(), move |_| {
            toasts.say(sent.to_owned());
            id.set(String::new());
            done.run(());
        });
    });
    view! {
        <FormView form=form scope=Scope::Write submit=submit>
            <TextField form=form name=name label=label value=id placeholder=placeholder />
            <div class="row"><button data-scope="write" class="button" disabled=form.busy>{button}</button></div>
        </FormView>
    }
}

/// Sets the price of a currency.
#[component]
pub(crate) fn SetPriceForm(currency: Memo<Option<Currency>>, done: Callback<()>) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let usd = form.text("usd");
    let submit = Callback::new(move |()| {
        let (Some(fields), Some(currency)) = (form.fields(), currency.get_untracked()) else {
            return;
        };
        let body = fields.text("currency", currency.as_str()).body();
        form.send::<SetPrice>(body, move |_| {
            toasts.say(words::price_set().to_owned());
            usd.set(String::new());
            done.run(());
        });
    });
    view! {
        <FormView form=form scope=Scope::Manage submit=submit>
            <TextField form=form name="usd" label=rates::price() value=usd kind="decimal" />
            <div class="row"><button data-scope="manage" class="button" disabled=form.busy>{words::set_price()}</button></div>
        </FormView>
    }
}

/// A fault for the next calls of the sandbox.
#[component]
pub(crate) fn CreateFaultForm() -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let calls = form.input("calls", FieldKind::Number, "1".to_owned());
    let first = Reason::Internal.as_str().to_owned();
    let reason = form.input("reason", FieldKind::Text, first);
    let after = RwSignal::new(false);
    let reasons = Reason::ALL.iter().map(|reason| reason.as_str().to_owned());
    let reasons = Signal::stored(same_labels(reasons.collect()));
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let fields = fields.value("after_commit", after.get_untracked().into());
        form.send::<CreateFault>(fields.body(), move |_| {
            toasts.say(words::fault_made().to_owned())
        });
    });
    view! {
        <FormView form=form scope=Scope::Manage submit=submit>
            <div class="fields two">
                <SelectField form=form name="reason" label=words::fault_reason() value=reason options=reasons set=true />
                <TextField form=form name="calls" label=words::fault_calls() value=calls kind="number" />
            </div>
            <TextField form=form name="operation" label=words::fault_operation() hint=words::fault_operation_hint() optional=true />
            <Checkbox label=words::fault_after() value=after />
            <div class="row"><button data-scope="manage" class="button" disabled=form.busy>{words::make_fault()}</button></div>
        </FormView>
    }
}
