//! Payout destinations: wallets and bank accounts, the latter shown as hints only.

use leptos::prelude::*;
use settlekit_core::external_account::{
    DeleteExternalAccount, ExternalAccount, ExternalAccountType, GetExternalAccount,
    GetExternalAccountPath, ListExternalAccounts,
};
use settlekit_core::value::ExternalAccountId;

use crate::api;
use crate::form::create_external_account::CreateExternalAccountForm;
use crate::form::{Form, chain_name, currency_list, form_failure, path_argument};
use crate::list::{
    Column, DATE_FILTERS, EmptyState, FilterBar, FilterSpec, NewRecordDrawer, RecordDetails,
    RecordDrawer, RecordList, TableSpec, actions_of, load_list, load_opened,
};
use crate::shell::{Live, LiveBadge, Loaded, Location};
use crate::text::{self, money as words};
use crate::ui::{Confirm, Facts, Icon, Id, PageHead, Toasts, icon, status_badge};

fn display_name(account: &ExternalAccount) -> String {
    account
        .name
        .clone()
        .or_else(|| account.reference.clone())
        .or_else(|| account.bank_name.clone())
        .unwrap_or_else(|| words::external_type(&account.r#type).to_owned())
}

fn usable(account: &ExternalAccount) -> AnyView {
    let word = if account.enabled {
        "Enabled"
    } else {
        "Removed"
    };
    status_badge(word, None).into_any()
}

fn table_spec() -> TableSpec<ExternalAccount> {
    TableSpec {
        caption: words::external_accounts(),
        columns: vec![
            Column::text(text::name(), "grow title", |account| {
                Some(display_name(account))
            }),
            Column::text(text::type_(), "second", |account| {
                Some(words::external_type(&account.r#type).to_owned())
            }),
            Column::new(words::destination(), "named", |account| {
                match (&account.address, &account.account_number_hint) {
                    (Some(address), _) => {
                        view! { <Id id=address.clone() what=words::address() /> }.into_any()
                    }
                    (None, Some(hint)) => {
                        view! { <span class="mono">{hint.clone()}</span> }.into_any()
                    }
                    (None, None) => ().into_any(),
                }
            }),
            Column::text(words::currencies(), "quiet skip-narrow", |account| {
                Some(currency_list(&account.currencies))
            }),
            Column::new(text::status(), "end", usable),
            Column::time(text::created(), "fit skip-narrow", |account| {
                Some(account.created_at)
            }),
        ],
        id: |account| account.id.to_string(),
    }
}

#[component]
pub(crate) fn ExternalAccounts() -> impl IntoView {
    let (location, toasts) = (Location::from_context(), Toasts::from_context());
    let accounts = load_list("external-accounts", |list| {
        Some(api::with_query::<ListExternalAccounts>(list))
    });
    let reload = accounts.reload;
    let close = Callback::new(move |()| location.close_new());
    let done = Callback::new(move |made: ExternalAccount| {
        toasts.say(words::external_made().to_owned());
        reload.run(());
        location.open_created(made.id.to_string());
    });
    view! {
        <div class="page">
            <PageHead title=words::external_accounts() lead=words::external_accounts_lead()>
                <LiveBadge />
                <button data-scope="payout" type="button" class="button primary" on:click=move |_| location.open_new()>{icon(Icon::Plus)}{words::add_external()}</button>
            </PageHead>
            <FilterBar filters=FilterSpec::by_date() />
            <RecordList
                spec=table_spec() list=accounts filters=DATE_FILTERS
                empty=EmptyState { picture: Icon::Bank, title: words::no_external(), text: words::no_external_hint(), step: ("/external-accounts?new=1", words::add_external()) }
            />
            <RecordDrawer title=words::external_account()><OneAccount /></RecordDrawer>
            <NewRecordDrawer title=words::add_external()><CreateExternalAccountForm done=done cancel=close /></NewRecordDrawer>
        </div>
    }
}

#[component]
fn OneAccount() -> impl IntoView {
    let account =
        load_opened::<GetExternalAccount, _>(|external_account_id| GetExternalAccountPath {
            external_account_id,
        });
    view! {
        <RecordDetails loaded=account show=details />
        {actions_of(account, |account| account.id, move |id| view! { <Remove id=id account=account /> }.into_any())}
    }
}

#[component]
fn Remove(id: ExternalAccountId, account: Loaded<ExternalAccount>) -> impl IntoView {
    let location = Location::from_context();
    let toasts = Toasts::from_context();
    let live = Live::from_context();
    let form = Form::new();
    let confirming = RwSignal::new(false);
    let remove = Callback::new(move |()| {
        form.send::<DeleteExternalAccount>(path_argument("external_account_id", id), move |_| {
            toasts.say(words::external_removed().to_owned());
            live.refresh();
            location.open(None);
        });
    });
    view! {
        {form_failure(form)}
        <Show when=move || account.read(|account| account.enabled) == Some(true)>
            <div class="row"><button data-scope="payout" type="button" class="button danger" disabled=form.busy on:click=move |_| confirming.set(true)>{icon(Icon::Bin)}{text::remove()}</button></div>
        </Show>
        <Confirm
            open=confirming title=words::remove_external_ask() consequence=words::remove_external_why()
            name=Signal::derive(move || account.read(display_name).unwrap_or_default())
            act=text::remove() busy=form.busy on_confirm=remove
        />
    }
}

fn details(account: &ExternalAccount) -> AnyView {
    let digital = account.r#type == ExternalAccountType::Digital;
    let facts = Facts::default()
        .id(words::external_account(), account.id.to_string())
        .text(text::reference(), account.reference.clone())
        .id(words::address(), account.address.clone())
        .maybe(text::chain(), account.chain_id, chain_name)
        .with(words::currencies(), currency_list(&account.currencies))
        .maybe(words::rail(), account.payment_rail.clone(), |rail| {
            rail.to_string()
        })
        .text(words::bank(), account.bank_name.clone())
        .text(words::country(), account.country.clone())
        .maybe(
            words::beneficiary(),
            account.beneficiary_type.clone(),
            |kind| text::words(kind.as_str()),
        )
        .text(words::holder(), account.account_holder_name_hint.clone())
        .maybe(
            words::account_number(),
            account.account_number_hint.clone(),
            |hint| {
                view! { <span class="mono">{hint}</span> }
            },
        )
        .time(text::created(), account.created_at);
    let why = (!digital).then(|| view! { <p class="quiet">{words::only_hints()}</p> });
    let pay = (digital && account.enabled).then(|| view! { <div class="row"><a data-scope="payout" class="button" href="/payouts/new">{icon(Icon::Payout)}{words::create_payout()}</a></div> });
    view! { <div class="lede"><strong>{display_name(account)}</strong>{usable(account)}</div>{facts.view()}{why}{pay} }
        .into_any()
}
