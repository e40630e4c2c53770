//! Payout destinations: wallets and bank accounts, the latter shown as hints only.

use leptos::prelude::*;
use settlekit_core::external_account::{
    DeleteExternalAccount, ExternalAccount, ExternalAccountType, GetExternalAccount,
    GetExternalAccountPath, ListExternalAccounts,
};
use settlekit_core::value::ExternalAccountId;

use crate::api;
use crate::form::Form;
use crate::form::body::path_argument;
use crate::form::create_external_account::CreateExternalAccountForm;
use crate::form::failure::form_failure;
use crate::form::options::{chain_name, currency_list};
use crate::list::export::Exporter;
use crate::list::filter::{DateFilter, Filters};
use crate::list::record_list::{EmptyState, RecordDetails, RecordDrawer, RecordList, actions_of};
use crate::list::table::{Column, TableSpec};
use crate::shell::live::{Live, LiveBadge};
use crate::shell::load::load;
use crate::shell::navigation::{Location, name};
use crate::text;
use crate::text::money as words;
use crate::ui::confirm::ConfirmTyped;
use crate::ui::copy::{Id, WholeId};
use crate::ui::facts::Facts;
use crate::ui::icon::{Icon, icon};
use crate::ui::overlay::Drawer;
use crate::ui::page_head::PageHead;
use crate::ui::status::status_badge;
use crate::ui::timestamp::timestamp;
use crate::ui::toast::Toasts;

const FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];

fn display_name(account: &ExternalAccount) -> String {
    account
        .name
        .clone()
        .or_else(|| account.reference.clone())
        .or_else(|| account.bank_name.clone())
        .unwrap_or_else(|| words::external_type(&account.r#type).to_owned())
}

fn usable(account: &ExternalAccount) -> AnyView {
    status_badge(
        if account.enabled {
            "Enabled"
        } else {
            "Removed"
        },
        None,
    )
    .into_any()
}

fn table_spec() -> TableSpec<ExternalAccount> {
    TableSpec {
        caption: words::external_accounts(),
        columns: vec![
            Column::new(words::account_name(), "grow title", |account| {
                display_name(account).into_any()
            }),
            Column::new(text::type_(), "second", |account| {
                words::external_type(&account.r#type).into_any()
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
            Column::new(words::currencies(), "quiet skip-narrow", |account| {
                currency_list(&account.currencies).into_any()
            }),
            Column::new(text::status(), "end", usable),
            Column::new(text::created(), "fit skip-narrow", |account| {
                timestamp(account.created_at).into_any()
            }),
        ],
        id: |account| account.id.to_string(),
    }
}

#[component]
pub(crate) fn ExternalAccounts() -> impl IntoView {
    let (location, toasts) = (Location::from_context(), Toasts::from_context());
    let ask = move |list| Some(api::with_query::<ListExternalAccounts>(list));
    let accounts = load(move || ask(location.list()));
    let making = Signal::derive(move || location.get(name::NEW).is_some());
    let close = Callback::new(move |()| {
        if location.get(name::NEW).is_some() {
            location.go(&location.with(&[(name::NEW, None)]), true);
        }
    });
    let done = Callback::new(move |made: ExternalAccount| {
        toasts.say(words::external_made().to_owned());
        accounts.reload();
        location.go(
            &location.with(&[(name::NEW, None), (name::OPEN, Some(made.id.to_string()))]),
            true,
        );
    });
    view! {
        <div class="page">
            <PageHead title=words::external_accounts() lead=words::external_accounts_lead()>
                <LiveBadge />
                <button data-scope="payout" type="button" class="button primary" on:click=move |_| location.go(&location.with(&[(name::NEW, Some("1".to_owned()))]), false)>{icon(Icon::Plus)}{words::add_external()}</button>
            </PageHead>
            <Filters names=FILTERS><DateFilter /></Filters>
            <RecordList
                spec=table_spec() page=accounts.state busy=accounts.busy retry=accounts.retry() filters=FILTERS export=(Exporter::of(ask), "external-accounts")
                empty=EmptyState { picture: Icon::Bank, title: words::no_external(), text: words::no_external_lesson(), step: ("/external-accounts?new=1", words::add_external()) }
            />
            <RecordDrawer title=words::external_account()><OneAccount /></RecordDrawer>
            <Drawer open=making close=close title=words::add_external()>
                <CreateExternalAccountForm done=done cancel=close />
            </Drawer>
        </div>
    }
}

#[component]
fn OneAccount() -> impl IntoView {
    let location = Location::from_context();
    let account = load::<GetExternalAccount>(move || {
        let external_account_id = location.param::<ExternalAccountId>(name::OPEN)?;
        Some(api::at(GetExternalAccountPath {
            external_account_id,
        }))
    });
    let ready = account.ready();
    view! {
        <RecordDetails loaded=account show=details />
        {actions_of(ready, |account| account.id, move || view! { <Remove ready=ready /> }.into_any())}
    }
}

#[component]
fn Remove(ready: Memo<Option<ExternalAccount>>) -> impl IntoView {
    let (location, toasts, live, form) = (
        Location::from_context(),
        Toasts::from_context(),
        Live::from_context(),
        Form::new(),
    );
    let confirming = RwSignal::new(false);
    let remove = Callback::new(move |()| {
        let Some(id) = ready.with_untracked(|account| account.as_ref().map(|account| account.id))
        else {
            return;
        };
        confirming.set(false);
        form.send::<DeleteExternalAccount>(path_argument("external_account_id", id), move |_| {
            toasts.say(words::external_removed().to_owned());
            live.refresh();
            location.open(None);
        });
    });
    view! {
        {form_failure(form)}
        <Show when=move || ready.with(|account| account.as_ref().is_some_and(|account| account.enabled))>
            <div class="row"><button data-scope="payout" type="button" class="button danger" disabled=form.busy on:click=move |_| confirming.set(true)>{icon(Icon::Bin)}{words::remove_external()}</button></div>
        </Show>
        <ConfirmTyped
            open=confirming title=words::remove_external_ask() consequence=words::remove_external_why()
            name=Signal::derive(move || ready.with(|account| account.as_ref().map(display_name).unwrap_or_default()))
            act=words::remove_external() busy=form.busy on_confirm=remove
        />
    }
}

fn details(account: &ExternalAccount) -> AnyView {
    let digital = account.r#type == ExternalAccountType::Digital;
    let facts = Facts::default()
        .with(
            words::external_id(),
            view! { <WholeId id=account.id.to_string() what=words::external_id() /> },
        )
        .maybe(text::reference(), account.reference.clone(), |text| text)
        .maybe(words::address(), account.address.clone(), |address| {
            view! { <WholeId id=address what=words::address() /> }
        })
        .maybe(text::chain(), account.chain_id, chain_name)
        .with(words::currencies(), currency_list(&account.currencies))
        .maybe(words::rail(), account.payment_rail.clone(), |rail| {
            rail.to_string()
        })
        .maybe(words::bank(), account.bank_name.clone(), |bank| bank)
        .maybe(words::country(), account.country.clone(), |country| country)
        .maybe(
            words::beneficiary(),
            account.beneficiary_type.clone(),
            |kind| text::words(kind.as_str()),
        )
        .maybe(
            words::holder(),
            account.account_holder_name_hint.clone(),
            |hint| hint,
        )
        .maybe(
            words::account_number(),
            account.account_number_hint.clone(),
            |hint| {
                view! { <span class="mono">{hint}</span> }
            },
        )
        .with(text::created(), timestamp(account.created_at));
    let why = (!digital).then(|| view! { <p class="quiet">{words::only_hints()}</p> });
    let pay = (digital && account.enabled).then(|| view! { <div class="row"><a data-scope="payout" class="button" href="/payouts/new">{icon(Icon::Payout)}{words::create_payout()}</a></div> });
    view! { <div class="lede"><strong>{display_name(account)}</strong>{usable(account)}</div>{facts.view()}{why}{pay} }
        .into_any()
}
